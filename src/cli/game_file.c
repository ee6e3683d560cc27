#include "cli/game_file.h"
#include "base/nearest.h"

#include "cli/commands.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_FOLDERS 4

struct folders {
	struct text all[MAX_FOLDERS];
	size_t n;
};

/* The folder of the program with `below` added, when the system tells. */
static void add_beside_program(struct folders *f, const char *below)
{
	char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
	if (n <= 0)
		return;
	path[n] = 0;
	char *slash = strrchr(path, '/');
	if (!slash)
		return;
	*slash = 0;
	text_printf(&f->all[f->n++], "%s/%s", path, below);
}

static struct folders find_folders(void)
{
	struct folders f = {0};
	const char *given = getenv("MACAW_GAMES");
	if (given && *given)
		text_puts(&f.all[f.n++], given);
	text_puts(&f.all[f.n++], "games");
	add_beside_program(&f, "../games");
	add_beside_program(&f, "../share/macaw/games");
	return f;
}

static void free_folders(struct folders *f)
{
	for (size_t i = 0; i < f->n; i++)
		text_free(&f->all[i]);
}

static bool is_file(const char *path)
{
	struct stat st;
	return !stat(path, &st) && !S_ISDIR(st.st_mode);
}

static bool find_by_name(const struct folders *f, const char *game, struct text *path)
{
	static const char *const endings[] = {"", ".kif", ".gdl"};
	for (size_t i = 0; i < f->n; i++)
		for (size_t k = 0; k < 3; k++) {
			text_free(path);
			text_printf(path, "%s/%s%s", text_str(&f->all[i]), game, endings[k]);
			if (is_file(path->at))
				return true;
		}
	return false;
}

/* The nearest name of all rulesheets in the folders, for the message. */
static void suggest(const struct folders *f, const char *game, struct text *error)
{
	VEC(const char *) names = {0};
	for (size_t i = 0; i < f->n; i++) {
		DIR *d = opendir(text_str(&f->all[i]));
		for (struct dirent *e; d && (e = readdir(d));) {
			char *dot = strrchr(e->d_name, '.');
			if (dot && dot != e->d_name && (!strcmp(dot, ".kif") || !strcmp(dot, ".gdl")))
				vec_push(&names, strndup(e->d_name, (size_t)(dot - e->d_name)));
		}
		if (d)
			closedir(d);
	}
	vec_push(&names, NULL);
	const char *near = nearest_word(game, names.at);
	if (near)
		text_printf(error, " (did you mean %s?)", near);
	for (size_t i = 0; i + 1 < names.n; i++)
		free((void *)names.at[i]);
	vec_free(&names);
}

/* Is it the file or the machine that is at fault? */
static int blame(const char *path)
{
	struct stat st;
	if (stat(path, &st))
		return errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG || errno == ELOOP ? EXIT_INPUT
		                                                                                      : EXIT_MACHINE;
	return S_ISDIR(st.st_mode) || !access(path, R_OK) ? EXIT_INPUT : EXIT_MACHINE;
}

int game_file_read(const char *game, struct game_file *f, struct text *error)
{
	struct stat st;
	struct folders folders = find_folders();
	bool there = !strcmp(game, "-") || !stat(game, &st), folder = there && strcmp(game, "-") && S_ISDIR(st.st_mode);
	int reason = errno, status = 0;
	bool hidden = !there && reason != ENOENT && reason != ENOTDIR; /* it may be there, but we are kept out */
	const char *path = !strcmp(game, "-") ? "/dev/stdin" : game;
	bool word = *game && !strchr(game, '/');
	if ((!there || folder) && !hidden && word && find_by_name(&folders, game, &f->path)) {
		path = f->path.at;
	} else {
		text_free(&f->path);
		text_puts(&f->path, game);
		if (!there && !hidden) {
			text_printf(error, "there is no file and no rulesheet `%.200s`", game);
			suggest(&folders, game, error);
			status = EXIT_INPUT;
		}
	}
	if (!status) {
		const char *message = text_read_file(&f->source, path, GDL_MAX_TEXT);
		if (message) {
			text_puts(error, message);
			status = blame(path);
		}
	}
	free_folders(&folders);
	return status;
}

void game_file_free(struct game_file *f)
{
	text_free(&f->path);
	text_free(&f->source);
}

void game_file_tell(const struct game_file *f, struct diags *d)
{
	struct text out = {0};
	diag_sort(d);
	diag_print(d, text_str(&f->path), text_str(&f->source), f->source.n, isatty(STDERR_FILENO) && !getenv("NO_COLOR"),
	           &out);
	fputs(text_str(&out), stderr);
	text_free(&out);
}

struct gdl_rules *game_file_rules(const char *game, bool warnings, int *status)
{
	struct game_file f = {0};
	struct text error = {0};
	struct diags d = {.max = 100};
	struct gdl_rules *r = NULL;
	*status = game_file_read(game, &f, &error);
	if (*status) {
		fprintf(stderr, "macaw: %s\n", text_str(&error));
	} else {
		r = gdl_read(text_str(&f.source), f.source.n, &d);
		gdl_check(r, &d);
		if (!warnings)
			diag_drop_warnings(&d);
		game_file_tell(&f, &d);
		if (d.errors) {
			gdl_free(r);
			r = NULL;
			*status = EXIT_INPUT;
		}
	}
	diag_free(&d);
	text_free(&error);
	game_file_free(&f);
	return r;
}

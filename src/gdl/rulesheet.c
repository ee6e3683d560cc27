/* Looks for rulesheets in the folders where games are installed, and reads them. */
#include "gdl/rulesheet.h"

#include "base/nearest.h"
#include "gdl/gdl.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef MACAW_GAMES
#define MACAW_GAMES "games"
#endif

#define MAX_FOLDERS 5

struct folders {
	struct text all[MAX_FOLDERS];
	size_t n;
};

/* The folder of the program with `below` added, when the system says where it is. */
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
	text_puts(&f.all[f.n++], MACAW_GAMES);
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
			vec_clear(path);
			text_printf(path, "%s/%s%s", text_str(&f->all[i]), game, endings[k]);
			if (is_file(path->at))
				return true;
		}
	return false;
}

struct names {
	char **at;
	size_t n, cap;
};

/* Of all rulesheets in the folders. */
static void list_names(const struct folders *f, struct names *names)
{
	for (size_t i = 0; i < f->n; i++) {
		DIR *d = opendir(text_str(&f->all[i]));
		for (struct dirent *e; d && (e = readdir(d));) {
			char *dot = strrchr(e->d_name, '.');
			if (dot && dot != e->d_name && (!strcmp(dot, ".kif") || !strcmp(dot, ".gdl")))
				vec_push(names, text_copy(e->d_name, (size_t)(dot - e->d_name)));
		}
		if (d)
			closedir(d);
	}
}

/* The nearest name, for the message. */
static void suggest(const struct folders *f, const char *game, struct text *error)
{
	struct names names = {0};
	list_names(f, &names);
	vec_push(&names, NULL);
	const char *near = nearest_word(game, (const char *const *)names.at);
	if (near)
		text_printf(error, " (did you mean %s?)", near);
	for (size_t i = 0; i + 1 < names.n; i++)
		mem_free(names.at[i]);
	vec_free(&names);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

size_t rulesheet_names(char ***names)
{
	struct names all = {0};
	struct folders folders = find_folders();
	size_t kept = 0;
	list_names(&folders, &all);
	free_folders(&folders);
	if (all.n)
		qsort(all.at, all.n, sizeof *all.at, by_name);
	for (size_t i = 0; i < all.n; i++)
		if (kept && !strcmp(all.at[kept - 1], all.at[i]))
			mem_free(all.at[i]);
		else
			all.at[kept++] = all.at[i];
	*names = all.at;
	return kept;
}

static bool is_standard_input(const char *word)
{
	return !strcmp(word, "-");
}

enum rulesheet_fault rulesheet_find(const char *word, struct text *path, struct text *error)
{
	struct stat st;
	bool input = is_standard_input(word), there = input || !stat(word, &st);
	bool kept_out = !there && errno != ENOENT && errno != ENOTDIR; /* it may be there, but we cannot see it */
	bool folder = there && !input && S_ISDIR(st.st_mode), name = *word && !strchr(word, '/');
	enum rulesheet_fault fault = RULESHEET_FOUND;
	struct folders folders = find_folders();
	bool installed = (!there || folder) && !kept_out && name && find_by_name(&folders, word, path);
	if (!installed) {
		vec_clear(path);
		text_puts(path, word);
	}
	if (!installed && !there && !kept_out) {
		text_printf(error, "there is no file and no rulesheet `%.200s`", word);
		suggest(&folders, word, error);
		fault = RULESHEET_MISSING;
	}
	free_folders(&folders);
	return fault;
}

/* Is it the file or the machine that is at fault? */
static enum rulesheet_fault blame(const char *path)
{
	struct stat st;
	if (stat(path, &st))
		return errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG || errno == ELOOP ? RULESHEET_MISSING
		                                                                                      : RULESHEET_UNREADABLE;
	return S_ISDIR(st.st_mode) || !access(path, R_OK) ? RULESHEET_MISSING : RULESHEET_UNREADABLE;
}

enum rulesheet_fault rulesheet_read(const char *word, struct rulesheet *r, struct text *error)
{
	enum rulesheet_fault fault = rulesheet_find(word, &r->path, error);
	if (fault)
		return fault;
	const char *path = is_standard_input(word) ? "/dev/stdin" : text_str(&r->path);
	return text_read_file(&r->source, path, GDL_MAX_TEXT, error) ? RULESHEET_FOUND : blame(path);
}

void rulesheet_free(struct rulesheet *r)
{
	text_free(&r->path);
	text_free(&r->source);
}

void rulesheet_name(const char *path, struct text *name)
{
	const char *slash = strrchr(path, '/'), *from = slash ? slash + 1 : path, *dot = strrchr(from, '.');
	if (is_standard_input(path))
		text_puts(name, "standard input");
	else
		text_add(name, from, dot && dot > from ? (size_t)(dot - from) : strlen(from));
}

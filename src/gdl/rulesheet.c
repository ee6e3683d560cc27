/* Looks for rulesheets in the folders where games are installed, and reads them. A name is looked for as it is, then
 * without regard to case and to what stands between its words, then by other names of common games. */
#include "gdl/rulesheet.h"

#include "base/nearest.h"
#include "gdl/gdl.h"

#include <ctype.h>
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

static bool is_rulesheet(const char *name, const char **dot)
{
	*dot = strrchr(name, '.');
	return *dot && *dot != name && (!strcmp(*dot, ".kif") || !strcmp(*dot, ".gdl"));
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void list_names(const struct folders *f, struct rulesheet_names *names)
{
	for (size_t i = 0; i < f->n; i++) {
		DIR *d = opendir(text_str(&f->all[i]));
		const char *dot;
		for (struct dirent *e; d && (e = readdir(d));)
			if (is_rulesheet(e->d_name, &dot))
				vec_push(names, text_copy(e->d_name, (size_t)(dot - e->d_name)));
		if (d)
			closedir(d);
	}
	if (names->n > 1)
		qsort(names->at, names->n, sizeof *names->at, compare_names);
	size_t kept = 0;
	for (size_t i = 0; i < names->n; i++)
		if (kept && !strcmp(names->at[kept - 1], names->at[i]))
			mem_free(names->at[i]);
		else
			names->at[kept++] = names->at[i];
	names->n = kept;
}

void rulesheet_list(struct rulesheet_names *names)
{
	struct folders folders = find_folders();
	list_names(&folders, names);
	free_folders(&folders);
}

void rulesheet_names_free(struct rulesheet_names *names)
{
	for (size_t i = 0; i < names->n; i++)
		mem_free(names->at[i]);
	vec_free(names);
}

/* Letters and digits, in lower case. */
static void fold(const char *name, struct text *to)
{
	to->n = 0;
	text_add(to, "", 0);
	for (; *name; name++)
		if (isalnum((unsigned char)*name) || (unsigned char)*name >= 0x80)
			text_putc(to, (char)tolower((unsigned char)*name));
}

bool rulesheet_same_name(const char *a, const char *b)
{
	struct text x = {0}, y = {0};
	fold(a, &x);
	fold(b, &y);
	bool same = x.n && !strcmp(text_str(&x), text_str(&y));
	text_free(&x);
	text_free(&y);
	return same;
}

const char *rulesheet_other_name(size_t i, const char **name)
{
	static const char *const others[][2] = {
#define N(other, name) {other, name},
#include "gdl/other_names.inc"
#undef N
	};
	if (i >= sizeof others / sizeof *others)
		return NULL;
	*name = others[i][1];
	return others[i][0];
}

/* The name that is meant by another spelling or by a common other name; NULL: none. */
static const char *meant(const struct rulesheet_names *names, const char *game)
{
	const char *name;
	for (size_t i = 0; i < names->n; i++)
		if (rulesheet_same_name(game, names->at[i]))
			return names->at[i];
	for (size_t i = 0; rulesheet_other_name(i, &name); i++)
		if (rulesheet_same_name(game, rulesheet_other_name(i, &name)))
			return name;
	return NULL;
}

static bool find_meant(const struct folders *f, const char *game, struct text *path)
{
	struct rulesheet_names names = {0};
	list_names(f, &names);
	const char *name = meant(&names, game);
	bool found = name && find_by_name(f, name, path);
	rulesheet_names_free(&names);
	return found;
}

/* The nearest name of all rulesheets in the folders, for the message. */
static void suggest(const struct folders *f, const char *game, struct text *error)
{
	struct rulesheet_names names = {0};
	list_names(f, &names);
	vec_push(&names, NULL);
	const char *near = nearest_word(game, (const char *const *)names.at);
	if (near)
		text_printf(error, " (did you mean %s?)", near);
	else if (names.n > 1)
		text_puts(error, "; `macaw games` lists what there is");
	rulesheet_names_free(&names);
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
	bool installed = (!there || folder) && !kept_out && name &&
	                 (find_by_name(&folders, word, path) || find_meant(&folders, word, path));
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

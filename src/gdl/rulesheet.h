/* Rulesheets by name: a file, `-` for standard input, or the name of an installed game, looked for in
 * $MACAW_GAMES, in games/ of the current folder, in games/ beside the folder of the running program, and where
 * `make install` puts them. Case, underscores and hyphens of a name do not matter; common other names are known. */
#ifndef GDL_RULESHEET_H
#define GDL_RULESHEET_H

#include "base/text.h"

#include <stdbool.h>

enum rulesheet_fault {
	RULESHEET_FOUND,
	RULESHEET_MISSING,   /* no such file or name, or no text file */
	RULESHEET_UNREADABLE /* it is there, but the machine does not let us read it */
};

struct rulesheet {
	struct text path;   /* where it was found */
	struct text source; /* the whole text */
};

/* Only looks; `path` is set also on failure, to the word itself. The message suggests the nearest name for a typo. */
enum rulesheet_fault rulesheet_find(const char *word, struct text *path, struct text *error);
/* Finds and reads. */
enum rulesheet_fault rulesheet_read(const char *word, struct rulesheet *r, struct text *error);
void rulesheet_free(struct rulesheet *r);

struct rulesheet_names {
	char **at;
	size_t n, cap;
};
/* The names of all installed games, sorted. */
void rulesheet_list(struct rulesheet_names *names);
void rulesheet_names_free(struct rulesheet_names *names);
/* Other names by which games are known, one after another: *name is that of the game. NULL: no more. */
const char *rulesheet_other_name(size_t i, const char **name);
bool rulesheet_same_name(const char *a, const char *b); /* but for case and what stands between words */

/* The name of the game in a path: the file without folder and ending. */
void rulesheet_name(const char *path, struct text *name);

#endif

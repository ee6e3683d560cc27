/* Rulesheets by name: a file, `-` for standard input, or the name of an installed game, looked for in
 * $MACAW_GAMES, in games/ of the current folder, in games/ beside the folder of the running program, and where
 * `make install` puts them. */
#ifndef GDL_RULESHEET_H
#define GDL_RULESHEET_H

#include "base/text.h"

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

/* The names of all rulesheets in those folders, sorted, each once; texts and list for mem_free(). Returns how many. */
size_t rulesheet_names(char ***names);

/* The name of the game in a path: the file without folder and ending. */
void rulesheet_name(const char *path, struct text *name);

#endif

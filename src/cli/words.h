/* A list of words given with commas on a command line. */
#ifndef CLI_WORDS_H
#define CLI_WORDS_H

#include "show/terminal.h"

struct words {
	char *copy;
	VEC(const char *) list;
};

/* Empty words are left out. */
void words_split(struct words *w, const char *text);
void words_free(struct words *w);

#endif

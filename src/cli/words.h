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
void words_of(struct words *w, const struct opt_list *texts); /* of all of them */
void words_free(struct words *w);

/* Where to listen: `19147` is 127.0.0.1:19147, anything else as it is. */
const char *listen_address(const char *word, char *room, size_t size);

#endif

/* Subcommands of a program: declared once, with an option table; help for a terminal and the manual page come from it.
 */
#ifndef SHOW_COMMAND_H
#define SHOW_COMMAND_H

#include "base/opt.h"

/* A subcommand. `run` gets the filled struct and the remaining words. */
struct command {
	const char *name;
	const char *arguments; /* "GAME TRACE…" for the usage line */
	const char *summary;   /* one line */
	const char *details;   /* paragraphs for --help and the manual, may be NULL */
	const char *example;   /* a line, or several, as they are typed */
	const struct opt *options;
	size_t size; /* of the option struct */
	int (*run)(void *options, int count, char **words);
};

void command_help(const struct command *c, struct text *out); /* for a terminal */
void command_paragraphs(const char *s, struct text *out); /* text of a help, which indented lines are not wrapped in */
void command_manual(const struct command *const *all, size_t n, struct text *out); /* man(7) text */

#endif

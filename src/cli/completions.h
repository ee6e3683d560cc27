/* Completion of command lines by shells, out of the tables of options. */
#ifndef CLI_COMPLETIONS_H
#define CLI_COMPLETIONS_H

#include "show/command.h"

enum completions { COMPLETIONS_NONE, COMPLETIONS_BASH, COMPLETIONS_ZSH, COMPLETIONS_FISH };

/* A script for the shell: commands, their options, the words that options take, names of games, files. */
void completions_print(enum completions shell, const struct command *const *all, size_t n, struct text *out);

#endif

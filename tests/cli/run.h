/* Runs the program under test and keeps what it said. */
#ifndef TESTS_CLI_RUN_H
#define TESTS_CLI_RUN_H

#include "base/text.h"

struct run {
	int status; /* exit status, or -1 when it was killed by a signal */
	struct text out, err;
};

/* The words after the program's name, ended by NULL. */
struct run run_macaw(const char *first, ...) __attribute__((sentinel));
struct run run_words(const char *program, char *const *argv);
void run_free(struct run *r);

#endif

/* One way from the word GAME on a command line to a game. Diagnostics go to stderr, in colour on a terminal; so
 * does a line that shows how far building has come. */
#ifndef CLI_LOAD_H
#define CLI_LOAD_H

#include "macaw/game.h"
#include "show/terminal.h"

/* The options that every command with a game shares: a field of this type in
 * its option struct, and LOAD_OPTIONS (or only the bounds) in its table. */
struct load_options {
	int engine; /* enum macaw_engine */
	double timeout;
	int64_t memory; /* MB */
};

#define LOAD_BOUNDS(type, field) \
	{"timeout",  0, \
	 OPT_REAL,   offsetof(type, field.timeout), \
	 "SEC",      "seconds to build the circuit at most (0: no limit)", \
	 .real = 60, .min = 0, \
	 .max = 1e9}, \
	{ \
		"memory", 0, OPT_INT, offsetof(type, field.memory), "MB", "memory limit (0: half of the machine's memory)", \
			.min = 0, .max = 1e9 \
	}

#define LOAD_OPTIONS(type, field) \
	{"engine", \
	 0, \
	 OPT_CHOICE, \
	 offsetof(type, field.engine), \
	 "NAME", \
	 "what runs the rules; auto: the circuit, or the interpreter where no circuit fits the limits", \
	 .choices = "auto|circuit|interpreter"}, \
		LOAD_BOUNDS(type, field)

/* NULL after a message, with the exit status in *status. */
macaw_game *load_word(const char *command, const char *word, const struct load_options *o, int *status);
/* The rules alone, without errors. `what`: which diagnostics are shown. */
macaw_rules *load_rules(const char *word, enum macaw_report what, int *status);

/* Diagnostics on stderr, `max` at most. */
void load_report(const macaw_rules *r, enum macaw_report what, size_t max);

int load_status(const macaw_error *e);        /* the exit status that an error calls for */
const char *load_engine(const macaw_game *g); /* "circuit" or "interpreter" */

#endif

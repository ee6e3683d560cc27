/* One way from the word GAME on a command line to a game that can be played. */
#ifndef CLI_LOAD_GAME_H
#define CLI_LOAD_GAME_H

#include "base/opt.h"
#include "game/game.h"

/* The options that every command with a game shares: a field of this type in
 * its option struct, and LOAD_OPTIONS (or only the bounds) in its table. */
struct load_options {
	int engine; /* enum game_engine */
	double timeout;
	int64_t memory;
};

#define LOAD_BOUNDS(type, field) \
	{"timeout",  0, \
	 OPT_REAL,   offsetof(type, field.timeout), \
	 "SEC",      "longest time to build the circuit (0: none)", \
	 .real = 60, .min = 0, \
	 .max = 1e9}, \
	{ \
		"memory", 0, OPT_INT, offsetof(type, field.memory), "MB", "memory to work in (0: half of the machine's)", \
			.min = 0, .max = 1e9 \
	}

#define LOAD_OPTIONS(type, field) \
	{"engine", \
	 0, \
	 OPT_CHOICE, \
	 offsetof(type, field.engine), \
	 "NAME", \
	 "what runs the rules; auto: the interpreter where no circuit fits the bounds", \
	 .choices = "auto|circuit|interpreter"}, \
		LOAD_BOUNDS(type, field)

struct loaded {
	struct text name; /* of the file, without folder and ending */
	struct gdl_rules *rules;
	struct game *game;
	double seconds; /* from text to ready */
};

/* Returns 0, or the exit status after a message on stderr. */
int load_game(const char *command, const char *word, const struct load_options *o, struct loaded *l);
void load_game_free(struct loaded *l);

const char *load_engine_name(const struct game *g);

#endif

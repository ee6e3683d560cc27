/* From the word GAME on a command line to the inside of a game; see cli/load.h for the public one. */
#ifndef CLI_LOAD_GAME_H
#define CLI_LOAD_GAME_H

#include "cli/load.h"
#include "game/game.h"

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

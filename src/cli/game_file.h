/* GAME on a command line: a file, `-` for standard input, or the name of a
 * rulesheet. Names are looked for in $MACAW_GAMES, in games/ here, in games/
 * beside the program's folder, and where `make install` puts them. */
#ifndef CLI_GAME_FILE_H
#define CLI_GAME_FILE_H

#include "gdl/gdl.h"

struct game_file {
	struct text path;   /* where it was found */
	struct text source; /* the whole text */
};

/* Finds and reads. Returns 0, or an exit status with a message in `error` that
 * suggests the nearest name for a typo. */
int game_file_read(const char *game, struct game_file *f, struct text *error);
void game_file_free(struct game_file *f);

/* Finds, reads and checks; what is wrong is told on stderr (warnings only when
 * asked for). Returns NULL with an exit status in *status when the game cannot be
 * played. */
struct gdl_rules *game_file_rules(const char *game, bool warnings, int *status);

/* Diagnostics on stderr, in colour on a terminal. */
void game_file_tell(const struct game_file *f, struct diags *d);

#endif

/* The matches that `macaw manage` plays: one game and its players per match. */
#ifndef CLI_SCHEDULE_H
#define CLI_SCHEDULE_H

#include "show/terminal.h"

struct fixture {
	VEC(const char *) words; /* the game first */
};

struct schedule {
	struct text source; /* that words lie in */
	VEC(struct fixture) all;
};

/* One line `GAME PLAYER…` per match; `#` begins a comment. Returns 0, or the exit status after a message. */
int schedule_read(struct schedule *s, const char *path);
/* The same players for each of a list of games with commas. */
void schedule_games(struct schedule *s, const char *games, char *const *players, size_t count);
void schedule_free(struct schedule *s);

#endif

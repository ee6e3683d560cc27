/* A player that is asked about positions instead of playing: it follows the moves of a match, in a game with hidden
 * information by what its role sees. */
#ifndef CLI_ANALYST_H
#define CLI_ANALYST_H

#include "macaw/player.h"
#include "macaw/worker.h"
#include "show/terminal.h"

struct analyst {
	macaw_game *game;
	macaw_worker *worker;
	macaw_player *player;
	uint32_t role, step;
	uint64_t *position;
	macaw_error error; /* why the last call returned false */
};

/* `start`: where the match begins; NULL: in the initial position. False: an unknown player, or a start in the middle of
 * a game with hidden information. */
bool analyst_open(struct analyst *a, macaw_game *g, uint32_t role, const char *player, uint64_t seed,
                  const uint64_t *start);
void analyst_close(struct analyst *a); /* also when it could not be opened */
/* The match goes on by this joint move. */
bool analyst_follow(struct analyst *a, const uint32_t *joint);
/* Has the role a choice here? */
bool analyst_chooses(struct analyst *a);
bool analyst_think(struct analyst *a, const macaw_budget *b, macaw_thought *out);

/* The 95% interval of a value that is known from so many visits, as if each had been won or lost; within what is
 * proved. */
void analyst_interval(const macaw_move_value *v, double *low, double *high);

#endif

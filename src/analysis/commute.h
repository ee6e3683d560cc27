/* Do the moves of a puzzle commute? Then plans are sets of moves, and one order of
 * each is enough.
 *
 * Proved for all states at once: where b and then a can be played and the game goes
 * on, a and then b can be played too and lead to the same state. The last move of a
 * play is left out, so that moves which end the game do no harm. Hence the moves of
 * a play but the last may be sorted (adjacent ones change places; every play in
 * between is one of the game). */
#ifndef ANALYSIS_COMMUTE_H
#define ANALYSIS_COMMUTE_H

#include "circuit/circuit.h"
#include "game/game.h"

enum commute { COMMUTE_NO, COMMUTE_YES, COMMUTE_STRICTLY /* and no move is made twice in turn */ };

/* `c`: without blocks. `observable`: one byte per fluent, the others may differ. */
enum commute commute_prove(const struct circuit *c, const uint8_t *observable, const struct limit *limit);
/* The same for the live fluents of a game with a circuit, kept with it (facts.h); COMMUTE_NO also when out of time. */
enum commute commute_of(struct game *g, const struct limit *limit);

#endif

/* Players of playouts who see one move ahead: who can win at once does, and who need not
 * lose at once does not ("decisive moves": Teytaud and Teytaud 2010). It is no search but
 * a change of the circuit: what ends the game after a move is composed from the rules of
 * the end and those of the next state, and folded; then moves are legal only as long as
 * there is no better kind. */
#ifndef GAME_ALERT_H
#define GAME_ALERT_H

#include "game/circuit.h"

struct alert_job {
	const struct circuit *rules; /* of any state */
	const uint8_t *moves;        /* known of them in this phase; the open ones are all one role's */
	const lit_t *best, *worst;   /* goals of that role in `rules` with its most and its least */
	uint32_t best_count, worst_count;
};

/* `c`: the rules specialised to a phase of the game in which one role has a choice. Its
 * `legal` become those of an alert player; its other outputs stay. False: nothing to be
 * seen, or it cannot be told from the circuit; it is as it was, but for gates that nothing
 * needs. */
bool alert_add(struct circuit *c, const struct alert_job *j);

#endif

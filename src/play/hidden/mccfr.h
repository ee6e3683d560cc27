/* Monte Carlo counterfactual regret minimisation (Lanctot, Waugh, Zinkevich and
 * Bowling 2009) from the start of the game, for games with hidden information.
 *
 * A role knows its own moves and percepts, so an information set is its view (see
 * belief.h). Where the tree of all histories fits MCCFR_HISTORIES it is written down,
 * and an iteration looks at all moves of the role that learns and at one drawn move
 * of everybody else (external sampling; in the smallest trees all moves of chance);
 * later iterations count more, in proportion
 * to their number (Brown and Sandholm 2019). In larger games an iteration is one match
 * against oneself (outcome sampling). The average strategy approaches an equilibrium
 * in two-player zero-sum games whose information sets are visited often. Where it has
 * not been, a move is drawn at random. */
#ifndef PLAY_HIDDEN_MCCFR_H
#define PLAY_HIDDEN_MCCFR_H

#include "play/hidden/belief.h"

#define MCCFR_HISTORIES 60000

struct mccfr;
struct mccfr *mccfr_new(struct seat *s);
void mccfr_free(struct mccfr *c);
void mccfr_run(struct mccfr *c, struct seat *s, const struct budget *b);
/* Follows the match by what `t` reports and draws from the average strategy. */
uint32_t mccfr_move(struct mccfr *c, struct seat *s, const struct turn *t);
/* Probabilities of the moves of the turn that mccfr_move() answered last. False: never been there. */
bool mccfr_values(const struct mccfr *c, const struct turn *t, struct move_value *out);

/* The average strategy of a view with this number of moves; false: never been there. */
bool mccfr_policy(const struct mccfr *c, uint64_t view, uint32_t actions, double *p);

/* ---- when the whole tree is written down ------------------------------------------- */

bool mccfr_whole(const struct mccfr *c);
/* The best that a role can expect, in points, while the others keep to their average
 * strategies; and its value when all do. */
double mccfr_best_response(struct mccfr *c, uint32_t role);
double mccfr_value(struct mccfr *c, uint32_t role);
/* With one role and chance a best response is the solution: the role plays it from
 * now on. The value in points. */
double mccfr_solve(struct mccfr *c, uint32_t role);

#endif

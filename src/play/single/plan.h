/* Plans for games with a single role and no chance: the best way to an end that was
 * found so far, by the solver of puzzles where there is a circuit and a clock, else by
 * searching the graph of states, and by playouts. */
#ifndef PLAY_SINGLE_PLAN_H
#define PLAY_SINGLE_PLAN_H

#include "play/player.h"

struct plan;
/* Parts of the time: for solving (the rest is for playouts), and before that for plans by final states. */
struct plan_shares {
	double solver, final;
};
struct plan *plan_new(struct seat *s, const struct plan_shares *shares); /* NULL: the usual ones */
void plan_free(struct plan *p);
/* Looks for a better plan from a state. */
void plan_run(struct plan *p, struct seat *s, const uint64_t *state, const struct budget *b);
/* The plan passes here and cannot be improved. */
bool plan_knows(const struct plan *p, struct seat *s, const uint64_t *state);
/* The next move of the plan. False: there is none from here, or it ends in nothing. */
bool plan_move(struct plan *p, struct seat *s, const uint64_t *state, uint32_t *move);
/* The rest of the plan from a state as moves, with the score it reaches and whether no other reaches
 * more. False: it does not pass here. */
bool plan_rest(struct plan *p, const uint64_t *state, struct move_line *out, int *value, bool *final);

#endif

/* Principal variation search for games of two roles who move in turn and see everything (Marsland and Campbell 1982:
 * the first move of a state is searched with an open window, the others only asked whether they are better), by
 * iterative deepening on a learnt evaluation, with a table of states, late move reductions, killers and history. A
 * state whose evaluation is so far outside the window that a search would hardly bring it back is not searched
 * (ProbCut, Buro 1995, with the evaluation itself as the shallow search); how far that is, is measured by depth while
 * searching.
 *
 * The value of a state is that of a game of opposed interests: half of the difference of the two scores. */
#ifndef PLAY_ALPHABETA_PVS_H
#define PLAY_ALPHABETA_PVS_H

#include "base/tuning.h"
#include "play/learn/evaluation.h"
#include "play/player.h"

/* clang-format off: one row each */
#define PVS_TUNING(T, ...) \
	T(INT, table, "pvs-table", 128, 1, 1e5, "alpha-beta: MB for its table of states", __VA_ARGS__) \
	T(INT, depth, "pvs-depth", 199, 2, 199, "alpha-beta: deepest horizon", __VA_ARGS__) \
	T(REAL, reduce, "reduce", 0.5, 0, 4, \
	  "alpha-beta: late moves are searched less deep, by this times the logarithms of depth and number", __VA_ARGS__) \
	T(INT, reduce_from, "reduce-from", 3, 1, 1e6, "alpha-beta: moves of a state that are never reduced", __VA_ARGS__) \
	T(REAL, certain, "certain", 1.5, 0, 100, \
	  "alpha-beta: states whose evaluation is outside the window by so many standard deviations of its error are not " \
	  "searched (0: all are)", \
	  __VA_ARGS__) \
	T(REAL, window, "window", 0.04, 0.001, 1, "alpha-beta: first window around the value of the last depth", \
	  __VA_ARGS__)
struct pvs_tuning {
	PVS_TUNING(TUNING_FIELD)
};
/* clang-format on */

struct pvs;

/* On so many threads (0: one per processor), which share the table; one where budgets are counted. NULL: not for this
 * game. */
struct pvs *pvs_new(struct seat *s, const struct pvs_tuning *tune, uint32_t threads);
void pvs_free(struct pvs *q); /* NULL is nothing */
/* By this evaluation, which must last. What the table knows is forgotten. */
void pvs_judge(struct pvs *q, const struct evaluation *e);

struct pvs_result {
	uint32_t move; /* GAME_NONE: nothing was found in time */
	double value;  /* for the role to move, 0..100 */
	bool proved;   /* that it wins or loses */
	uint32_t depth;
};
/* The best move of the role whose turn it is. A budget by count is one of positions made. */
struct pvs_result pvs_run(struct pvs *q, struct seat *s, const uint64_t *state, const struct budget *b);
/* The same for another position than the one in which the move is to be made: no move is held ready, and what
 * pvs_values() says is still of the other one. */
struct pvs_result pvs_look(struct pvs *q, struct seat *s, const uint64_t *state, const struct budget *b);

/* After pvs_run(), with the same state: see player_values() and player_line(). */
bool pvs_values(const struct pvs *q, const struct turn *t, struct move_value *out);
void pvs_line(struct pvs *q, struct seat *s, const struct turn *t, uint32_t move, struct move_line *out);

#endif

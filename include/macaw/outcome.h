/* Games of two roles who move in turn, without chance or hidden information, solved: what each role can be sure of,
 * whatever the other one does, and the moves that keep it.
 *
 *     macaw_outcome *o = macaw_outcome_new(g, 0, &error);
 *     if (macaw_outcome_solve(o, macaw_position_initial(g), (macaw_limit){.seconds = 60}))
 *         printf("%d\n", macaw_outcome_bounds(o, macaw_position_initial(g), role).low);
 *     macaw_outcome_free(o);
 *
 * Where the scores of both roles always add up to the same, what they can be sure of does too: the game is won, drawn
 * or lost. Else the other role is taken for an enemy who looks only at the harm it does. One thread at a time. */
#ifndef MACAW_OUTCOME_H
#define MACAW_OUTCOME_H

#include "macaw/position.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct macaw_outcome macaw_outcome;

/* With so much memory, in bytes, for what is known of positions (0: 512 MB). NULL: the game cannot be solved in this
 * way, and the error says why (MACAW_INPUT). */
MACAW_API macaw_outcome *macaw_outcome_new(macaw_game *g, size_t memory, macaw_error *e);
MACAW_API void macaw_outcome_free(macaw_outcome *o);
MACAW_API const macaw_error *macaw_outcome_error(
	const macaw_outcome *o); /* why the last call returned false; none: the limit */

/* Works on a position until it is solved (true) or the limit is reached. What is known stays: call it again to go on.
 */
MACAW_API bool macaw_outcome_solve(macaw_outcome *o, const uint64_t *position, macaw_limit limit);
/* More work brings nothing: after a solve that returned false because positions come back on their own path. */
MACAW_API bool macaw_outcome_in_vain(const macaw_outcome *o);

/* What is proved of a role's score. */
typedef struct macaw_score_bounds {
	int low;  /* it is sure of that */
	int high; /* it cannot be sure of more */
} macaw_score_bounds;
MACAW_API macaw_score_bounds macaw_outcome_bounds(macaw_outcome *o, const uint64_t *position, uint32_t role);
/* The move of the role whose turn it is that keeps what it is sure of: the shortest win, or the longest loss, as far as
 * known. False: the position is not solved within the limit, is an end, or is not the role's. */
MACAW_API bool macaw_outcome_move(macaw_outcome *o, const uint64_t *position, uint32_t role, macaw_limit limit,
                                  uint32_t *move);

MACAW_API bool macaw_outcome_constant_sum(const macaw_outcome *o, int *sum); /* of the scores of both, proved */
MACAW_API uint64_t macaw_outcome_positions(const macaw_outcome *o);          /* made so far */

#ifdef __cplusplus
}
#endif

#endif

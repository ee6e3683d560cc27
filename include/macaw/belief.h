/* What a role may think of the position in a game with hidden information: weighted positions that nothing it has seen
 * excludes. Chance and the other roles are taken to draw uniformly from their moves; the weights are then true
 * probabilities.
 *
 *     macaw_belief *b = macaw_belief_new(g, role, seed, &error);
 *     macaw_belief_observe(b, own_move, percepts, count, legal, legal_count, (macaw_limit){0});
 *     for (size_t i = 0; i < macaw_belief_count(b); i++)
 *         … macaw_belief_position(b, i), macaw_belief_weight(b, i) …
 *
 * All positions are kept while they are not too many; then a sample. A belief belongs to one thread at a time. */
#ifndef MACAW_BELIEF_H
#define MACAW_BELIEF_H

#include "macaw/position.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct macaw_belief macaw_belief;

/* Holds the initial position. NULL: no such role, the role of chance, or out of memory. */
MACAW_API macaw_belief *macaw_belief_new(macaw_game *g, uint32_t role, uint64_t seed, macaw_error *e);
MACAW_API void macaw_belief_free(macaw_belief *b);
MACAW_API const macaw_error *macaw_belief_error(const macaw_belief *b); /* why the last call returned false */

/* One step: the move made in the role's name, what the role sees, and which moves it now has (none: the end). False: no
 * position is left that agrees, or the limit came first (the next step tries again); or see macaw_belief_error. */
MACAW_API bool macaw_belief_observe(macaw_belief *b, uint32_t own_move, const uint32_t *percepts, size_t percept_count,
                                    const uint32_t *legal, size_t legal_count, macaw_limit limit);

MACAW_API size_t macaw_belief_count(const macaw_belief *b);
MACAW_API bool macaw_belief_exact(const macaw_belief *b); /* all positions that are possible, not a sample */
/* Position i, which lasts until the next step; NULL: there is none. */
MACAW_API const uint64_t *macaw_belief_position(const macaw_belief *b, size_t i);
MACAW_API double macaw_belief_weight(const macaw_belief *b, size_t i); /* they sum to 1 */

#ifdef __cplusplus
}
#endif

#endif

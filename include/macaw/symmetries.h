/* Symmetries of a game: permutations of its fluents, moves, roles and percepts under which the rules stay what they are.
 *
 * Points are numbered: fluents first, then moves, roles, percepts. Every generator was tried on random positions before
 * it was believed. */
#ifndef MACAW_SYMMETRIES_H
#define MACAW_SYMMETRIES_H

#include "macaw/position.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct macaw_symmetries macaw_symmetries;

/* Which symmetries count: those that keep every role and the initial position; those that keep every role; all. */
enum macaw_scope { MACAW_KEEP_START, MACAW_KEEP_ROLES, MACAW_ANY_SYMMETRY };

/* A game that is too large, or one of the interpreter, has the trivial group and says why. */
MACAW_API macaw_symmetries *macaw_symmetries_find(macaw_game *g, macaw_limit limit, macaw_error *e);
MACAW_API void macaw_symmetries_free(macaw_symmetries *s);
MACAW_API const char *macaw_symmetries_skipped(const macaw_symmetries *s); /* why nothing was looked for; NULL: it was */

/* The order of the group is mantissa * 10 ^ exponent. */
MACAW_API void macaw_symmetries_order(const macaw_symmetries *s, double *mantissa, int *exponent);
MACAW_API size_t macaw_symmetries_generators(const macaw_symmetries *s);
/* The last `sampled` generators are proved for legal moves, successors and percepts, but only sampled for terminal and goals. */
MACAW_API size_t macaw_symmetries_sampled(const macaw_symmetries *s);
MACAW_API size_t macaw_symmetries_elements(const macaw_symmetries *s, enum macaw_scope scope); /* written out */
MACAW_API bool macaw_symmetries_all(const macaw_symmetries *s); /* the elements are the whole group */

MACAW_API uint32_t macaw_symmetries_points(const macaw_symmetries *s);
MACAW_API uint32_t macaw_symmetries_first(const macaw_symmetries *s, uint32_t *move, uint32_t *role, uint32_t *percept); /* 0 */
/* Generator i as images of all points; lasts as long as `s`. */
MACAW_API const uint32_t *macaw_symmetries_generator(const macaw_symmetries *s, size_t i);
/* By point: the smallest point of its orbit. `orbit` has room for all points. */
MACAW_API void macaw_symmetries_orbits(const macaw_symmetries *s, uint32_t *orbit);

/* The image of a position. */
MACAW_API void macaw_symmetries_apply(const macaw_symmetries *s, const uint32_t *image, const uint64_t *p, uint64_t *to);
/* An equivalent position, the same for all positions that symmetries of this scope lead to. Returns the permutation that
 * leads there. May be called from any thread. */
MACAW_API const uint32_t *macaw_symmetries_canonical(const macaw_symmetries *s, const uint64_t *p, enum macaw_scope scope,
                                                     uint64_t *to);
/* By move: the smallest move of its orbit under the symmetries of this position. */
MACAW_API void macaw_symmetries_moves(const macaw_symmetries *s, const uint64_t *p, uint32_t *orbit);

#ifdef __cplusplus
}
#endif

#endif

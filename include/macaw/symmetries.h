/* Symmetries of a game: permutations of its fluents, moves, roles and percepts under which the rules stay what they
 * are.
 *
 * Nothing is said about the initial position, so a symmetry may swap the players and the right to move; those that
 * leave a position as it is are its stabiliser. Every generator was tried on random positions before it was believed.
 *
 * Found symmetries never change; any number of threads may ask for them, unless a function says otherwise. */
#ifndef MACAW_SYMMETRIES_H
#define MACAW_SYMMETRIES_H

#include "macaw/position.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct macaw_symmetries macaw_symmetries;

/* A game that is too large, or one of the interpreter, has the trivial group and says why. NULL: out of memory. */
MACAW_API macaw_symmetries *macaw_symmetries_find(macaw_game *g, macaw_limit limit, macaw_error *e);
/* Those of the rounds from one position on: permutations that leave the position and every role as they are, and under
 * which all that can follow stays what it is, while the rules as a whole may not have them. Their group is the one of
 * macaw_symmetries_order; elements are not written out, and there is no stabiliser to ask for. A game that is too
 * large, or one of the interpreter, has the trivial group and says why. NULL: out of memory. */
MACAW_API macaw_symmetries *macaw_symmetries_round(macaw_game *g, const uint64_t *p, macaw_limit limit, macaw_error *e);
MACAW_API void macaw_symmetries_free(macaw_symmetries *s);
MACAW_API const char *macaw_symmetries_skipped(
	const macaw_symmetries *s); /* why nothing was looked for; NULL: it was */

/* Points are numbered: fluents first, then moves, roles, percepts. A permutation is an array of the images of all. */
typedef struct macaw_points {
	uint32_t move, role, percept; /* the first of each kind; fluents begin at 0 */
	uint32_t count;
} macaw_points;
MACAW_API macaw_points macaw_symmetries_points(const macaw_symmetries *s);

/* The order of the group is mantissa * 10 ^ exponent. */
MACAW_API void macaw_symmetries_order(const macaw_symmetries *s, double *mantissa, int *exponent);
/* Such an order with all digits, or as 4.034e26. NULL: out of memory. */
MACAW_API char *macaw_symmetries_order_text(double mantissa, int exponent);
MACAW_API size_t macaw_symmetries_generators(const macaw_symmetries *s);
/* Generator i as images of all points; lasts as long as `s`. */
MACAW_API const uint32_t *macaw_symmetries_generator(const macaw_symmetries *s, size_t i);
/* The last `sampled` generators are proved for legal moves, successors and percepts, but only sampled for the end and
 * goals. */
MACAW_API size_t macaw_symmetries_sampled(const macaw_symmetries *s);
MACAW_API size_t
macaw_symmetries_refuted(const macaw_symmetries *s); /* generators that failed on a position and were dropped */

typedef struct macaw_symmetries_stats {
	uint32_t vertices; /* of the graph whose automorphisms they are */
	size_t edges;
	double seconds, cpu_seconds;
	uint32_t open_fluents, open_moves; /* of a round: what can still change, what can become legal; else 0 */
} macaw_symmetries_stats;
MACAW_API macaw_symmetries_stats macaw_symmetries_statistics(const macaw_symmetries *s);

/* Which symmetries count: those that keep every role and the initial position; those that keep every role; all. */
enum macaw_scope { MACAW_KEEP_START, MACAW_KEEP_ROLES, MACAW_ANY_SYMMETRY };
MACAW_API size_t macaw_symmetries_elements(const macaw_symmetries *s,
                                           enum macaw_scope scope); /* written out, at most 1,024 */
MACAW_API bool macaw_symmetries_all(const macaw_symmetries *s);     /* the elements are the whole group */

/* The image of a position. `to` must not be `p`. */
MACAW_API void macaw_symmetries_apply(const macaw_symmetries *s, const uint32_t *image, const uint64_t *p,
                                      uint64_t *to);
/* An equivalent position, the same for all positions that elements of this scope lead to; fluents that influence
 * nothing are left out of it. Returns the permutation that leads there, which lasts as long as `s`. NULL: no such
 * scope. */
MACAW_API const uint32_t *macaw_symmetries_canonical(const macaw_symmetries *s, const uint64_t *p,
                                                     enum macaw_scope scope, uint64_t *to);
/* By move: the smallest move of its orbit under the elements that leave this position as it is: quick, and complete
 * where macaw_symmetries_all. False: out of memory. */
MACAW_API bool macaw_symmetries_moves(const macaw_symmetries *s, const uint64_t *p, uint32_t *orbit);

/* All symmetries that leave a position as it is. */
typedef struct macaw_stabiliser {
	size_t generators;
	const uint32_t *images; /* generator i: from images[i * points.count] on */
	double mantissa;        /* order */
	int exponent;
} macaw_stabiliser;
/* NULL: nothing is known, because nothing was looked for, or time ran out. */
MACAW_API macaw_stabiliser *macaw_symmetries_stabiliser(const macaw_symmetries *s, const uint64_t *p, macaw_limit limit,
                                                        macaw_error *e);
MACAW_API void macaw_stabiliser_free(macaw_stabiliser *group);

/* By point: the smallest point of its orbit under a stabiliser, or with NULL under all symmetries. */
MACAW_API void macaw_symmetries_orbits(const macaw_symmetries *s, const macaw_stabiliser *group, uint32_t *orbit);

#ifdef __cplusplus
}
#endif

#endif

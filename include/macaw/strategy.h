/* Mixed strategies of small games with hidden information: by counterfactual regret minimisation, for every situation
 * that a role can tell apart from others (its information sets), and how far they are from an equilibrium.
 *
 *     macaw_strategy *s = macaw_strategy_new(g, seed, &error);
 *     macaw_strategy_improve(s, &(macaw_budget){.playouts = 10000});
 *     for (size_t i = 0; i < macaw_strategy_sets(s); i++)
 *         puts(macaw_strategy_set_at(s, i).knows);
 *     macaw_strategy_free(s); */
#ifndef MACAW_STRATEGY_H
#define MACAW_STRATEGY_H

#include "macaw/player.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct macaw_strategy macaw_strategy;

/* NULL: nothing is hidden, there is no circuit, or there are more than some 60,000 histories (MACAW_INPUT). */
MACAW_API macaw_strategy *macaw_strategy_new(macaw_game *g, uint64_t seed, macaw_error *e);
MACAW_API void macaw_strategy_free(macaw_strategy *s);
/* Goes on learning: by the clock, or so many iterations. False: out of memory. */
MACAW_API bool macaw_strategy_improve(macaw_strategy *s, const macaw_budget *b);
MACAW_API uint64_t macaw_strategy_iterations(const macaw_strategy *s);

/* What a role gets, in points, when all keep to their strategies; and the most it could get against those of the
 * others. The differences tend to zero in games of two players whose points add up to a constant. */
MACAW_API double macaw_strategy_value(macaw_strategy *s, uint32_t role);
MACAW_API double macaw_strategy_best_response(macaw_strategy *s, uint32_t role);

typedef struct macaw_information_set {
	uint32_t role;
	const char *knows; /* what it has seen and done so far; "" at the start */
	const uint32_t *moves;
	const double *shares; /* of the moves: probabilities */
	uint32_t count;       /* of moves, two at least */
	double reach;         /* how likely it comes to this when all keep to their strategies */
} macaw_information_set;

/* Role by role, earlier ones first; arrays last until the strategy is improved. */
MACAW_API size_t macaw_strategy_sets(const macaw_strategy *s);
MACAW_API macaw_information_set macaw_strategy_set_at(const macaw_strategy *s, size_t i); /* all-zero: no such set */

#ifdef __cplusplus
}
#endif

#endif

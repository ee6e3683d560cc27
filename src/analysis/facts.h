/* Proved facts about a game, found when first asked for and kept with it: later
 * callers, another player say, do not pay again. They are freed with the game and never
 * change, so that all threads may read them.
 *
 * Facts of one kind are found by one thread, the others wait. Who has no time to wait, or
 * for whom the time was not enough, goes without; the next one tries again when it has
 * much more time than was spent in vain. */
#ifndef ANALYSIS_FACTS_H
#define ANALYSIS_FACTS_H

#include "game/game.h"

struct facts_kind {
	/* NULL: not found in time. That there is nothing to be found is a fact too, and not NULL. */
	void *(*find)(struct game *g, const struct limit *limit);
	void (*free)(void *fact);
};

/* NULL: not found in time. Belongs to the game. The kind must be static. */
const void *facts_get(struct game *g, const struct facts_kind *kind, const struct limit *limit);

#endif

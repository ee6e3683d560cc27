/* From the numbers of a game to the terms of an explainer. */
#ifndef EXPLAIN_POSITION_H
#define EXPLAIN_POSITION_H

#include "explain/explainer.h"
#include "game/game.h"

/* The position that is asked about from now on, with a joint move or NULL. */
void explainer_set_position(struct explainer *x, const struct game *g, const uint64_t *state, const uint32_t *moves);

#endif

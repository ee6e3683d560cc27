/* Clocks that only make it later: fluents that go their way whatever is done, that
 * nothing asks for but the end, and whose end is worth the least there is. Between two
 * situations that differ in nothing else, the earlier one is worth no less: what can be
 * done later can be done now. All of this is read off the circuit, not off names. */
#ifndef PLAY_SINGLE_LATENESS_H
#define PLAY_SINGLE_LATENESS_H

#include "game/game.h"

/* The fluents as bits of a state. False: no such clock was found for the role. */
bool lateness_find(const struct game *g, uint32_t role, uint64_t *mask);

#endif

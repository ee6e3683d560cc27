/* Moves shown to a person at the terminal, and what the person types. */
#ifndef CLI_PERSON_H
#define CLI_PERSON_H

#include "game/game.h"

void person_moves(const struct game *g, const uint32_t *legal, uint32_t legal_count);

/* A number, a move, or the beginning of only one. GAME_NONE: told why not. */
uint32_t person_understand(const struct game *g, const uint32_t *legal, uint32_t legal_count, const char *line);

#endif

/* Playing the factors of a game (analysis/factors.h), each by a player of its own: the search of one factor is not
 * multiplied by the moves of the others. */
#ifndef PLAY_FACTORED_H
#define PLAY_FACTORED_H

#include "play/player.h"

struct factored;

/* Players of this kind, with the options of the seat. NULL: the game is one, or that is not known within the limit. */
struct factored *factored_new(struct seat *s, const struct player_kind *kind, const struct limit *limit);
void factored_free(struct factored *f); /* NULL is nothing */

void factored_start(struct factored *f, struct seat *s, const struct budget *b);
/* In the factor where the role has its moves. GAME_NONE: they are not in one factor. */
uint32_t factored_move(struct factored *f, struct seat *s, const struct turn *t, const struct budget *b);
void factored_ponder(struct factored *f, struct seat *s, const struct turn *t, const struct budget *b);
bool factored_values(struct factored *f, const struct turn *t, struct move_value *out);

#endif

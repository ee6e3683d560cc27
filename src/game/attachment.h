/* A place on the game for what other rooms find out about it: kept with the game, seen
 * by all threads, freed with it. The game does not look inside. */
#ifndef GAME_ATTACHMENT_H
#define GAME_ATTACHMENT_H

#include "game/game.h"

/* The first member of whatever is attached. */
struct attachment {
	void (*free)(struct attachment *self);
};

struct attachment *game_attachment(const struct game *g); /* NULL: none so far */
/* Attaches it, unless another thread was quicker: then it is freed. Returns the one that is attached. */
struct attachment *game_attach(struct game *g, struct attachment *a);

#endif

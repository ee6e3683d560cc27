/* The attachment of a game, published once by compare-and-swap: of two threads that attach at the same time the first
 * wins, and the second one's is freed. */
#include "game/attachment.h"

struct attachment *game_attachment(const struct game *g)
{
	return atomic_load_explicit(&g->attachment, memory_order_acquire);
}

struct attachment *game_attach(struct game *g, struct attachment *a)
{
	struct attachment *first = NULL;
	if (atomic_compare_exchange_strong(&g->attachment, &first, a))
		return a;
	a->free(a);
	return first;
}

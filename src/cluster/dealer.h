/* Work in pieces that rank 0 deals to the others: one piece at a time for each hand of a rank. A piece whose rank is
 * lost is dealt to another. */
#ifndef CLUSTER_DEALER_H
#define CLUSTER_DEALER_H

#include "base/thread.h" /* of those who wait in dealer_play() */
#include "cluster/cluster.h"

struct dealer;

/* Rank 0: `hands` pieces at a time for each of the others. `goes_on`: asked several times a second; false ends waiting.
 */
struct dealer *dealer_open(struct cluster *c, uint32_t hands, bool (*goes_on)(void *context), void *context);
void dealer_close(struct dealer *d);
uint32_t dealer_hands(const struct dealer *d); /* of all ranks together: as many threads may wait in dealer_play() */
/* Has a piece done, and waits for it; from any thread. The answer is in memory of malloc. NULL: broken off, or with a
 * message: no rank is left, or the piece was lost with its rank again and again. */
char *dealer_play(struct dealer *d, const char *piece, struct text *error);

struct dealer_rank {
	uint64_t done;
	bool lost;
};
struct dealer_rank dealer_rank(struct dealer *d, uint32_t rank);

/* The other ranks: does pieces until rank 0 ends, with so many threads. `work` gives an answer in memory of malloc, or
 * NULL: broken off. */
void dealer_serve(struct cluster *c, uint32_t hands, char *(*work)(void *context, const char *piece), void *context);

#endif

/* The ranks of one computation and the letters between them. Rank 0 is the one the user sees: it has the results, and
 * it knows who is there.
 *
 * A thread of each rank carries the letters, whatever the others compute; sending never waits. Every rank lets rank 0
 * hear from it twice a second, and rank 0 all others once a second. Whoever has been silent for as long as `patience`
 * is lost: dead, stopped or cut off, it does not matter which. It stays lost, what it sends later is thrown away, and a
 * rank that has lost rank 0 ends.
 *
 * Letters are of kinds: numbers that the parts of this room choose from LINK_FIRST_KIND on. */
#ifndef CLUSTER_LINK_H
#define CLUSTER_LINK_H

#include "cluster/wire.h"

enum { LINK_FIRST_KIND = 16, LINK_ANYBODY = -1 };

struct link;

struct link *link_open(double patience, struct text *error); /* NULL with a message */
uint32_t link_rank(const struct link *l);
uint32_t link_ranks(const struct link *l);
double link_patience(const struct link *l);

/* Copies the bytes. From any thread. Nothing is sent to a rank that is lost. */
void link_send(struct link *l, uint32_t to, uint32_t kind, const void *bytes, size_t size);
/* Letters to the rank that have not left: whoever sends what can be left out does so only where this is small. */
uint32_t link_waiting(struct link *l, uint32_t to);
/* The oldest letter of a kind, from this rank or from anybody. Waits for it as long as `seconds`; false: none has come,
 * or (where there is nobody left whom it could come from) none will. From any thread. */
bool link_take(struct link *l, uint32_t kind, int from, double seconds, struct letter *out);

/* Lost, or at the end of its command. Of others than rank 0 only rank 0 knows. */
bool link_gone(struct link *l, uint32_t rank);
uint32_t link_gone_count(struct link *l);

/* What this rank has sent; without the signs of life. */
struct link_traffic {
	uint64_t letters, bytes;
	double seconds; /* since it was opened */
};
struct link_traffic link_traffic(struct link *l);

/* The last letters of this rank are on their way, but for those of the end: whoever waits for others stops waiting. */
void link_farewell(struct link *l);
/* The end: waits until all ranks that are not lost have come here. True: all have ended in order; false: some rank is
 * lost, and this process must end by _exit(), since MPI cannot be left without them. */
bool link_close(struct link *l);

#endif

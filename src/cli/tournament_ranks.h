/* A tournament on several ranks: rank 0 has the results and deals the matches, the others play them. */
#ifndef CLI_TOURNAMENT_RANKS_H
#define CLI_TOURNAMENT_RANKS_H

#include "cluster/cluster.h"
#include "macaw/tournament.h"
#include "show/terminal.h"

struct tournament_ranks;

/* Rank 0: matches are played by the others from now on, t->jobs (0: one) at a time by each. NULL: there are no others.
 * t->stop must be set. */
struct tournament_ranks *tournament_ranks_open(struct cluster *c, macaw_tournament *t);
/* "rank 1: 12, rank 2: 9 (lost)"; where there are many, in fewer words. */
void tournament_ranks_note(struct tournament_ranks *r, struct text *out);
void tournament_ranks_close(struct tournament_ranks *r); /* says who has played how much, on stderr */

/* The other ranks: plays what rank 0 deals. Returns the exit status. */
int tournament_ranks_serve(struct cluster *c, macaw_tournament *t);

#endif

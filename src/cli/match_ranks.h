/* A match on several ranks: rank 0 plays it, and the others search with its players. */
#ifndef CLI_MATCH_RANKS_H
#define CLI_MATCH_RANKS_H

#include "cluster/cluster.h"
#include "macaw/match.h"
#include "show/terminal.h"

struct match_ranks;

/* "A,B,…" as seats, of which those that can have company have it. */
struct match_ranks *match_ranks_open(struct cluster *c, macaw_game *g, const char *players, uint64_t seed);
const macaw_seat *match_ranks_seats(const struct match_ranks *m, size_t *count);
void match_ranks_close(struct match_ranks *m);

/* The other ranks. Returns the exit status. */
int match_ranks_assist(struct cluster *c, macaw_game *g, const char *players, uint64_t seed);

#endif

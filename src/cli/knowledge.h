/* What a role knows in a game with hidden information: all positions that agree with its own moves, what it has seen
 * and which moves it had, as long as they are not too many to be listed. */
#ifndef CLI_KNOWLEDGE_H
#define CLI_KNOWLEDGE_H

#include "macaw/worker.h"

struct knowledge;

struct knowledge *knowledge_new(macaw_game *g, uint32_t role);
void knowledge_free(struct knowledge *k);

/* The match goes on from `position` by `joint`, of which the role learns no more than it sees. */
void knowledge_step(struct knowledge *k, const uint64_t *position, const uint32_t *joint);

/* How many positions are possible; 0: not known, there were too many. */
size_t knowledge_count(const struct knowledge *k);
const uint64_t *knowledge_certain(const struct knowledge *k);  /* fluents that hold in all of them */
const uint64_t *knowledge_possible(const struct knowledge *k); /* and in some */

#endif

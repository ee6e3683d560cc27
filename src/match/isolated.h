/* A player in a process of its own: whatever it does to its memory, and however long
 * it takes, the match goes on.
 *
 * The process is a fork, so the game is there already; questions and answers go
 * through a socket, the move held ready and the call to stop through a shared page.
 * Games of the interpreter number their fluents as they meet them, each process for
 * itself, and cannot be spoken of in numbers: they are refused. */
#ifndef MATCH_ISOLATED_H
#define MATCH_ISOLATED_H

#include "match/referee.h"

struct isolated;

/* NULL with a message: as of player_make(), or no process could be had. */
struct isolated *isolated_start(struct game *g, uint32_t role, const char *word, uint64_t seed, struct text *error);
struct contestant contestant_in(struct isolated *p);
const struct counters *isolated_counters(const struct isolated *p); /* after its last answer */
int isolated_id(const struct isolated *p);
/* Ends it, by force when it is still thinking. */
void isolated_free(struct isolated *p);

#endif

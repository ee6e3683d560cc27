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

struct process;

/* NULL with a message: as of player_make(), or no process could be had. */
struct process *process_start(struct game *g, uint32_t role, const char *word, uint64_t seed, struct text *error);
struct contestant contestant_in(struct process *p);
const struct counters *process_counters(const struct process *p); /* after its last answer */
int process_id(const struct process *p);
/* Ends it, by force when it is still thinking. */
void process_free(struct process *p);

#endif

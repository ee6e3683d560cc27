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

/* Somebody else than a built-in player, made in the process. It holds no move ready: when it is late it is late. */
struct isolated_maker {
	const char *name;
	bool (*make)(void *context, struct contestant *who, struct text *error); /* false with a message: it cannot play */
	void *context;
	double patience; /* see struct contestant */
};
struct isolated *isolated_start_by(struct game *g, const struct isolated_maker *how, struct text *error);
struct contestant contestant_in(struct isolated *p);
int isolated_id(const struct isolated *p);
/* Ends it, by force when it is still thinking. */
void isolated_free(struct isolated *p);

#endif

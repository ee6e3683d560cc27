/* Who plays which role: players made from a list of words. */
#ifndef MATCH_SEATS_H
#define MATCH_SEATS_H

#include "match/isolated.h"

struct seats {
	struct game *game;
	char **names;               /* by role: the word, or "chance" for `random` */
	struct player **players;    /* by role; NULL for `random`, and all of them when they are isolated */
	struct isolated **isolated; /* by role; NULL likewise */
	struct contestant *by_role;
};

/* Empty seats, to be filled by seats_take() or seats_give(). */
void seats_open(struct seats *s, struct game *g);
bool seats_take(struct seats *s, uint32_t role, const char *word, bool isolated, uint64_t seed, struct text *error);
void seats_give(struct seats *s, uint32_t role, const char *name, struct contestant who);
/* Somebody who is no built-in player: true with *who when the word is the name of one. */
struct seats_others {
	bool (*find)(void *context, const char *word, uint32_t role, struct contestant *who);
	void *context;
};
/* "A,B,…": a word for each role but `random`, in the order of the rules; isolated: each in
 * a process of its own. False with a message: a wrong number of words, an unknown name
 * or option, or a game that a player cannot play. */
bool seats_make(struct seats *s, struct game *g, const char *list, bool isolated, uint64_t seed, struct text *error);
/* The same, and `others` are asked for each word first. */
bool seats_make_among(struct seats *s, struct game *g, const char *list, bool isolated, uint64_t seed,
                      const struct seats_others *others, struct text *error);
void seats_free(struct seats *s);
const struct counters *seats_counters(const struct seats *s, uint32_t role); /* NULL: `random`, or somebody else */

void seats_put_wanted(const struct game *g, struct text *out); /* "the game is for 2 players (x, o)" */

#endif

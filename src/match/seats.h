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
	bool published; /* somebody sat down as seats_published() has it */
};

/* Empty seats, to be filled by seats_take() or seats_give(). */
void seats_open(struct seats *s, struct game *g);
bool seats_take(struct seats *s, uint32_t role, const char *word, bool isolated, uint64_t seed, struct text *error);
void seats_give(struct seats *s, uint32_t role, const char *name, struct contestant who);
/* Somebody else in a process of its own; false with a message. */
bool seats_by(struct seats *s, uint32_t role, const struct isolated_maker *how, struct text *error);

/* Somebody who is no built-in player. */
enum seats_found { SEATS_UNKNOWN, SEATS_FOUND, SEATS_FAILED };
struct seats_others {
	/* UNKNOWN: the word names nobody of them; FOUND: they have sat down, by seats_give() or seats_by(); FAILED with a
	 * message: they cannot play. NULL: there are none. */
	enum seats_found (*find)(void *context, struct seats *s, uint32_t role, const char *word, uint64_t seed,
	                         struct text *error);
	void *context;
};

struct seats_how {
	bool isolated;  /* built-in players in processes of their own */
	bool published; /* see below */
	uint64_t seed;
	const struct seats_others *others; /* asked first */
};
bool seats_word(struct seats *s, uint32_t role, const char *word, const struct seats_how *how, struct text *error);

/* The word of a player as the published programs were: all of them on the same reasoner, which is the circuit for
 * whoever would use another one, and with one simulation from a leaf, so that equal budgets in playouts are equal
 * numbers of simulations. Options that the word names itself stay. */
void seats_published(const char *word, struct text *out);

/* "A,B,…": a word for each role but `random`, in the order of the rules; isolated: each in
 * a process of its own. False with a message: a wrong number of words, an unknown name
 * or option, or a game that a player cannot play. */
bool seats_make(struct seats *s, struct game *g, const char *list, bool isolated, uint64_t seed, struct text *error);
void seats_free(struct seats *s);
const struct counters *seats_counters(const struct seats *s, uint32_t role); /* NULL: not known */

void seats_put_wanted(const struct game *g, struct text *out); /* "the game is for 2 players (x, o)" */

#endif

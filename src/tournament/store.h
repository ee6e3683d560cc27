/* Results of a tournament in an SQLite file. A match is written in one transaction
 * when it is over, so a program that is killed loses at most the matches under way,
 * and no match is stored twice: (game, clock, round, seating) is unique. */
#ifndef TOURNAMENT_STORE_H
#define TOURNAMENT_STORE_H

#include "base/text.h"

#include <stdbool.h>

struct store;

struct store_score {
	const char *role, *player;
	int score; /* -1: none */
	int late, illegal, moves;
};

struct store_match {
	const char *game, *seating; /* seating: players by role, joined by commas */
	double clock;               /* seconds; or playouts, below zero */
	int64_t round, seed, steps;
	double seconds;
	const char *moves; /* joint moves in prefix form; NULL: not known */
	const struct store_score *scores;
	uint32_t count;
	int64_t id;    /* set by store_each(), */
	bool recorded; /* as is this: its moves were written down */
};

/* NULL with a message. `create`: make it when it is not there. */
struct store *store_open(const char *path, bool create, struct text *error);
void store_close(struct store *s);

bool store_at_fault(const struct store *s); /* something failed because of the file or the disk */

/* Sets a value, or holds it against the one that is there. False: they differ (the
 * old one in `error`), or the disk is at fault. */
bool store_setting(struct store *s, const char *key, const char *value, struct text *error);
bool store_has(struct store *s, const struct store_match *m);
bool store_add(struct store *s, const struct store_match *m, struct text *error);
/* Between these two all reading sees the same matches, whatever other processes add. */
bool store_freeze(struct store *s, struct text *error);
void store_thaw(struct store *s);
/* All matches in the order they were written; strings last for the call. */
bool store_each(struct store *s, void (*each)(void *context, const struct store_match *m), void *context,
                struct text *error);

/* The joint moves of a match. False: they were not written down. */
bool store_moves(struct store *s, int64_t id, struct text *moves);

#endif

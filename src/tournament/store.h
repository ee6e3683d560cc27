/* Results of a tournament in an SQLite file. A match is written in one transaction
 * when it is over, so a program that is killed loses at most the matches under way,
 * and no match is stored twice: (game, clock, round, seating) is unique. */
#ifndef TOURNAMENT_STORE_H
#define TOURNAMENT_STORE_H

#include "base/text.h"

#include <stdbool.h>

struct store;

#define STORE_SEATS 64 /* of a match, at most */

/* What a player did in a match: sums, as in its counters. */
#define STORE_WORK(W) \
	W(choices) \
	W(playouts) \
	W(nodes) \
	W(rounds) \
	W(by_network) \
	W(by_circuit) \
	W(by_list)

struct store_work {
#define W(name) int64_t name;
	STORE_WORK(W)
#undef W
	double thought; /* seconds */
};

struct store_score {
	const char *role, *player;
	int score; /* -1: none */
	int late, illegal, moves;
	struct store_work work;
};

/* One call of a program that plays into the file. */
struct store_run {
	const char *began;            /* date and time, UTC; set by store_run_of() */
	const char *version, *source; /* of the program; source: its commit, "" where it is not known */
	const char *host, *command;   /* command may be NULL */
};

struct store_match {
	const char *game, *seating; /* seating: players by role, joined by commas */
	double clock;               /* seconds; or playouts, below zero */
	int64_t round, seed, steps;
	double seconds;
	const char *moves; /* joint moves in prefix form; NULL: not known */
	const struct store_score *scores;
	uint32_t count;
	/* set by store_each(): */
	int64_t id, run;   /* run: which call played it; 0: not known */
	bool recorded;     /* its moves were written down */
	const char *ended; /* date and time, UTC */
	const char *version;
};

/* NULL with a message. `create`: make it when it is not there. */
struct store *store_open(const char *path, bool create, struct text *error);
void store_close(struct store *s);

bool store_at_fault(const struct store *s); /* something failed because of the file or the disk */

/* Sets a value, or holds it against the one that is there. False: they differ (the
 * old one in `error`), or the disk is at fault. */
bool store_setting(struct store *s, const char *key, const char *value, struct text *error);
bool store_put_setting(struct store *s, const char *key, const char *value,
                       struct text *error); /* whatever was there */
/* The value of a setting; false: there is none. */
bool store_read_setting(struct store *s, const char *key, struct text *value);
/* From now on matches belong to this call; `began` is the present. */
bool store_begin(struct store *s, const struct store_run *run, struct text *error);
/* False: no such call. Strings last until the next question. */
bool store_run_of(struct store *s, int64_t id, struct store_run *run);
/* Keeps the rules of a game, or holds them against those that are there. */
bool store_rules(struct store *s, const char *game, const char *rules, struct text *error);
bool store_read_rules(struct store *s, const char *game, struct text *rules);

bool store_has(struct store *s, const struct store_match *m);
/* The scores of a match by seat (-1: none) and its seconds; false: it is not there. */
bool store_find(struct store *s, const struct store_match *m, int *scores, uint32_t count, double *seconds);
bool store_add(struct store *s, const struct store_match *m, struct text *error);
/* Between these two all reading sees the same matches, whatever other processes add. */
bool store_freeze(struct store *s, struct text *error);
void store_thaw(struct store *s);
/* All matches in the order they were written; strings last for the call. */
bool store_each(struct store *s, void (*each)(void *context, const struct store_match *m), void *context,
                struct text *error);

/* The joint moves of a match. False: they were not written down. */
bool store_moves(struct store *s, int64_t id, struct text *moves);
/* In such a text, where the term that begins at `at` ends: a word, or a list in brackets. */
const char *store_term_end(const char *at);

#endif

/* Tournaments: every pairing of players in every game, roles swapped, seeds paired,
 * matches side by side, results in a store as they come. */
#ifndef TOURNAMENT_TOURNAMENT_H
#define TOURNAMENT_TOURNAMENT_H

#include "base/progress.h"
#include "match/seats.h"
#include "play/player.h"
#include "tournament/store.h"

struct tournament_game {
	const char *name;
	struct game *game;
};

/* One match to be played. */
struct tournament_order {
	uint32_t game;              /* of the tournament's games */
	const char *const *players; /* words by seat: the roles without `random`, in order */
	uint32_t seats;
	double clock; /* seconds; below zero: playouts */
	uint64_t round, seed;
};

/* How it went; the arrays are there, with a place for each seat. */
struct tournament_outcome {
	uint64_t steps;
	int *goals; /* GOAL_NONE where there is none */
	uint64_t *late, *illegal;
	struct text moves; /* joint moves: ((mark 1 1) noop) (noop (mark 2 2)) */
};

struct tournament {
	const struct tournament_game *games;
	size_t game_count;
	const char *const *players;
	size_t player_count;
	/* Contestants that are no built-in players, made for one match of a game and dropped after it. Called by all jobs.
	 */
	void *(*others_open)(void *context, struct game *g); /* may be NULL; the context of the functions below */
	bool (*others_find)(void *opened, const char *word, uint32_t role, struct contestant *who);
	void (*others_close)(void *opened);
	void *others;
	/* Plays a match somewhere else, for the thread of one job. False: broken off, or with a message: it cannot be
	 * played. NULL: here. */
	bool (*play_elsewhere)(void *context, const struct tournament_order *order, struct tournament_outcome *out,
	                       struct text *error);
	void *elsewhere;
	const double *clocks; /* seconds; one stage for each */
	size_t clock_count;
	double start;
	uint64_t playouts; /* instead of clocks; 0: by the clock */
	uint64_t rounds, seed;
	uint32_t jobs; /* matches side by side */
	uint32_t max_steps;
	bool isolated;       /* players in processes of their own */
	bool processor_time; /* clocks count processor time; needs processes when there are several jobs, which it makes */
	bool sprt;           /* two players: stop when their difference is known */
	double elo0, elo1;
	progress_report *progress; /* called by the thread that called tournament_run(); may be NULL */
	void *context;
	atomic_bool *stop; /* may be NULL */
	const char *records; /* the folder for a record of each match; NULL: none are written */
	struct store *store;
};

struct tournament_end {
	uint64_t planned, before, played; /* matches: in all, found in the store, played now */
	bool stopped;
	double llr; /* of the test */
	bool decided;
};

/* False with a message: a player cannot play, or the store failed. What was played
 * is in the store either way. */
bool tournament_run(const struct tournament *t, struct tournament_end *end, struct text *error);

/* Plays one match here, without a store; its record is written where the tournament wants one. Returns as
 * play_elsewhere() does. */
bool tournament_play(const struct tournament *t, const struct tournament_order *order, struct tournament_outcome *out,
                     struct text *error);

#endif

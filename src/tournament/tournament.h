/* Tournaments: matches of an agenda, side by side, with results in a store as they come. */
#ifndef TOURNAMENT_TOURNAMENT_H
#define TOURNAMENT_TOURNAMENT_H

#include "base/progress.h"
#include "match/seats.h"
#include "play/player.h"
#include "tournament/agenda.h"

struct tournament_game {
	const char *name;
	struct game *game;
	uint64_t matches; /* Swiss system: of each player */
	double weight;
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
	struct counters *work;
	struct text moves; /* joint moves: ((mark 1 1) noop) (noop (mark 2 2)) */
};

/* Contestants that are no built-in players, made for one match of a game and dropped after it. Called by all jobs. */
struct tournament_others {
	void *(*open)(void *context, struct game *g, double clock); /* NULL: there are none; the context of what follows */
	enum seats_found (*find)(void *opened, struct seats *s, uint32_t role, const char *word, uint64_t seed,
	                         struct text *error);
	void (*close)(void *opened, const struct match *m); /* m NULL: it was not played */
	void *context;
};

struct tournament {
	const struct tournament_game *games;
	size_t game_count;
	const char *const *players;
	size_t player_count;
	struct tournament_others others;
	/* Plays a match somewhere else, for the thread of one job. False: broken off, or with a message: it cannot be
	 * played. NULL: here. */
	bool (*play_elsewhere)(void *context, const struct tournament_order *order, struct tournament_outcome *out,
	                       struct text *error);
	void *elsewhere;
	enum agenda_format format;
	const double *clocks; /* seconds; one stage for each */
	size_t clock_count;
	double start, grace;
	uint64_t playouts; /* instead of clocks; 0: by the clock */
	uint64_t rounds, seed;
	uint32_t jobs; /* matches side by side */
	uint32_t max_steps;
	bool isolated;       /* players in processes of their own */
	bool processor_time; /* clocks count processor time; needs processes when there are several jobs, which it makes */
	bool published;      /* as seats_published() has it */
	double until;        /* see struct plan, */
	bool sprt;
	double elo0, elo1;
	uint32_t final, wins;
	const bool *exclusive;
	double seconds;            /* after which no match is begun any more; cells get equal parts of it. 0: no bound */
	progress_report *progress; /* called by the thread that called tournament_run(); may be NULL */
	void *context;
	atomic_bool *stop;   /* may be NULL */
	const char *records; /* the folder for a record of each match; NULL: none are written */
	struct store *store;
};

struct tournament_end {
	uint64_t planned;        /* matches in all; 0: that depends on results to come */
	uint64_t before, played; /* found in the store, played now */
	bool stopped, out_of_time;
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

/* The state of a tournament, counted from its store: who scored what, against whom,
 * in which game, round and stage. */
#ifndef TOURNAMENT_STANDING_H
#define TOURNAMENT_STANDING_H

#include "tournament/ratings.h"
#include "tournament/store.h"

/* Scores added up. */
struct tally {
	double n, sum, squares;
};

struct standing_player {
	char *name;
	struct tally scores;
	double wins, draws, losses; /* against each of the others, seat by seat */
	int64_t late, illegal, moves;
	double elo, elo_error, skill;
	struct store_work work;
};

/* A game at a clock with two players, or one twice where it plays alone. */
struct standing_cell {
	uint32_t game, players[2];
	double clock;
	struct tally points, scores[2]; /* points: 1, 0.5 or 0 of the first for each match; scores: of their seats */
	double wins, draws, losses;     /* of the first */
	double seconds;
	int64_t late, illegal;
	struct store_work work[2];
};

struct name_list {
	char **at;
	size_t n, cap;
};

struct standing {
	VEC(struct standing_player) players;
	struct name_list games, roles; /* roles: "game role" */
	VEC(double) clocks;
	uint64_t matches, rounds;
	VEC(struct rating_seat) seats;
	VEC(struct standing_cell) cells;
	struct name_list listed; /* players in the order they were named: the first of a cell comes first here */
	/* tables with a row for each player */
	double *points;       /* by opponent */
	struct tally *versus; /* by opponent */
	struct tally *by_game, *by_clock, *by_round;
	double *ease; /* by role, Elo points */
};

bool standing_make(struct standing *s, struct store *store, struct text *error);
void standing_free(struct standing *s);

struct interval standing_interval(const struct standing_cell *c); /* 95%, of the share, or of the mean score alone */

double tally_mean(const struct tally *t); /* NAN: nothing was added */

/* Pictures, each a whole SVG file. */
void standing_plot_cross(const struct standing *s, struct text *out);  /* mean scores as a heat map */
void standing_plot_rounds(const struct standing *s, struct text *out); /* mean score over rounds */
void standing_plot_clocks(const struct standing *s, struct text *out); /* mean score against the clock */

#endif

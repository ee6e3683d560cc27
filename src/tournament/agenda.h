/* What is played next: round robin, gauntlet, Swiss system, knock-out.
 *
 * An agenda depends on its plan and on the results that it is told, and on nothing else. So going on with a tournament
 * is the same as beginning it: a fixture whose result is known already is told instead of played. Fixtures are taken
 * one after another and may be played side by side. */
#ifndef TOURNAMENT_AGENDA_H
#define TOURNAMENT_AGENDA_H

#include "tournament/store.h"

#include <stddef.h>
#include <stdint.h>

enum agenda_format { FORMAT_ROUND_ROBIN, FORMAT_GAUNTLET, FORMAT_SWISS, FORMAT_KNOCKOUT, FORMATS };
extern const char *const agenda_formats[]; /* their names */

struct plan_game {
	const char *name;
	uint32_t seats;   /* at most STORE_SEATS */
	uint64_t matches; /* that each player has in it; Swiss system only */
	double weight;    /* of its scores; Swiss system only */
};

struct plan {
	enum agenda_format format;
	const struct plan_game *games;
	size_t game_count;
	uint32_t players;
	const double *clocks; /* one stage for each; one only, unless every pairing is played */
	size_t clock_count;
	uint64_t rounds, seed;
	/* Where every pairing is played. A cell is a game at a clock with two players in it (or one, in a game for one). */
	double until; /* a cell ends at this half-width of its 95% interval, in points of 100; 0: never */
	bool sprt;    /* a test whether the first of two is ahead: of each cell with `until`, else of all together */
	double elo0, elo1;
	bool even;             /* cells get equal time, not equal rounds */
	const bool *exclusive; /* by player: it plays one match at a time; NULL: nobody minds */
	/* knock-out */
	uint32_t final; /* Swiss system: so many of the best play on; 0: none */
	uint32_t wins;  /* that decide a duel; one more in the final */
};

struct fixture {
	uint32_t game;
	double clock;
	uint64_t round, seed;
	uint32_t seats, players[STORE_SEATS]; /* by seat */
	uint32_t of;                          /* the agenda's own */
};

#define KNOCKOUT_ROUND ((uint64_t)1 << 20) /* rounds in the file from here on are matches of duels */

enum agenda_next { AGENDA_PLAY, AGENDA_WAIT, AGENDA_OVER };

struct agenda;
/* NULL with a message: the plan makes no sense. It must last. */
struct agenda *agenda_new(const struct plan *p, struct text *error);
void agenda_free(struct agenda *s);

/* WAIT: for the result of a fixture that was taken. */
enum agenda_next agenda_take(struct agenda *s, struct fixture *f);
void agenda_tell(struct agenda *s, const struct fixture *f, const int *scores, double seconds);

uint64_t agenda_planned(const struct agenda *s); /* matches in all; 0: depends on the results */
/* The test of all together: its log likelihood ratio; true: it is decided. */
bool agenda_decided(const struct agenda *s, double *llr);

/* ---- Swiss system and knock-out: where it stands ---- */

/* Weighted points of a player in a game, or in all of them (game_count). A match that one had to sit out counts as the
 * mean of one's own in that game, 50 where there is none. */
double agenda_points(const struct agenda *s, uint32_t player, size_t game);
uint64_t agenda_matches(const struct agenda *s, uint32_t player); /* of the Swiss system */
void agenda_swiss_order(const struct agenda *s, uint32_t *order); /* all players, best first */

struct duel {
	uint32_t round;      /* 0: the first of the knock-out */
	bool third;          /* about the third place */
	uint32_t players[2]; /* the better seed first */
	uint32_t wins[2], need;
	double points[2];
	uint32_t played, winner; /* winner: 0 or 1; 2: not yet */
	bool open;               /* a match is being played */
};
size_t agenda_duels(const struct agenda *s);
const struct duel *agenda_duel(const struct agenda *s, size_t i);

/* Final ranks, best first; false: not over, or there are none (where every pairing is played). */
bool agenda_ranks(const struct agenda *s, uint32_t *order);

#endif

/* Tournaments: every pairing of players in every game, roles swapped, seeds paired. In the library `macaw-full`.
 *
 *     macaw_tournament t = {.games = games, .game_count = 2, .players = (const char *[]){"macaw", "uct"}, .player_count = 2};
 *     macaw_tournament_end end;
 *     macaw_tournament_run(&t, "results.db", &end, &error);
 *     macaw_standings *s = macaw_standings_read("results.db", &error);
 *     puts(macaw_standings_player(s, 0).name);
 *
 * Results go to an SQLite file as they come. The plan depends on nothing but the options, and the file says which
 * matches have been played: after an interrupt, a kill or with more rounds, games, players or clocks the same call goes on. */
#ifndef MACAW_TOURNAMENT_H
#define MACAW_TOURNAMENT_H

#include "macaw/match.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct macaw_tournament {
	macaw_game *const *games; /* with names that differ */
	size_t game_count;
	const char *const *players; /* words or names of `own` that differ, none of them NULL */
	size_t player_count;
	/* Seats by functions, known by their names (without commas), which must differ from every word. With several jobs they
	 * are called by several matches at once. */
	const macaw_seat *own;
	size_t own_count;
	const double *clocks; /* seconds per move, one stage each; none: 0.1 */
	size_t clock_count;
	double start;      /* seconds before the first move */
	uint64_t playouts; /* per move, instead of clocks */
	uint64_t rounds;   /* how often every pairing is played; 0: 10 */
	uint64_t seed;
	uint32_t jobs;      /* matches side by side; 0: one per processor */
	uint32_t max_steps; /* of a match; 0: 1,000 */
	bool isolated;      /* players in processes of their own; circuit only */
	bool processor_time; /* clocks count processor time; with several jobs players are isolated then */
	/* Two players: a sequential test that stops once the first is known to be elo1, or no more than elo0, Elo points ahead. */
	bool sequential;
	double elo0, elo1;
	const char *records; /* a folder: the record of each match is written there, for `macaw replay`; NULL: none */
	/* When not NULL, matches are played elsewhere: gets the order of a match as text, returns what macaw_tournament_play()
	 * made of it there, in memory of malloc; or `!` and a message: it cannot be played, which ends the tournament; or NULL:
	 * broken off. Called by the threads of all jobs. */
	char *(*elsewhere)(void *context, const char *order);
	void *elsewhere_context;
	macaw_stop *stop;
	macaw_progress *progress; /* matches done, of how many; NULL: none */
	void *context;
} macaw_tournament;

typedef struct macaw_tournament_end {
	uint64_t planned, before, played; /* matches: in all, found in the file, played now */
	bool stopped;
	double likelihood; /* sequential test: log likelihood ratio, */
	double bound;      /* and the bound at which it is decided */
	bool decided;
} macaw_tournament_end;

/* False: too few players for a game, or one named twice (MACAW_USAGE), a player cannot play (MACAW_INPUT), the file cannot be written (MACAW_MACHINE), or it was begun with another seed,
 * start clock, kind of clock or number of playouts (MACAW_USAGE). What was played is in the file either way. `end` may be NULL. */
MACAW_API bool macaw_tournament_run(const macaw_tournament *t, const char *file, macaw_tournament_end *end, macaw_error *e);

/* Plays one match of a tournament that another process holds, with the same games and options; its answer is for
 * `elsewhere` there, also where it says that the match cannot be played. NULL: broken off by t->stop (MACAW_OK), no order
 * of such a tournament (MACAW_INPUT), or out of memory. */
MACAW_API char *macaw_tournament_play(const macaw_tournament *t, const char *order, macaw_error *e);

/* ---- standings ---- */

typedef struct macaw_standings macaw_standings;

/* As the file says at this moment; somebody may go on playing into it. */
MACAW_API macaw_standings *macaw_standings_read(const char *file, macaw_error *e);
MACAW_API void macaw_standings_free(macaw_standings *s);

MACAW_API uint64_t macaw_standings_matches(const macaw_standings *s);
MACAW_API uint64_t macaw_standings_rounds(const macaw_standings *s);
MACAW_API size_t macaw_standings_players(const macaw_standings *s);
MACAW_API size_t macaw_standings_games(const macaw_standings *s);
MACAW_API size_t macaw_standings_roles(const macaw_standings *s); /* of all games */
MACAW_API size_t macaw_standings_clocks(const macaw_standings *s);

typedef struct macaw_standing {
	const char *name; /* NULL: no such player */
	double matches;   /* seats taken */
	double score, score_low, score_high; /* mean of 0 to 100 with its 95% interval */
	double wins, draws, losses;          /* against each of the others, seat by seat */
	double share, share_low, share_high; /* of points, a draw being half, with Wilson's interval; NAN: met nobody */
	double elo, elo_error;               /* by Bradley and Terry; half the 95% interval */
	double skill;                        /* Agon: in Elo points, apart from the ease of roles */
	int64_t late, illegal, moves;
} macaw_standing;

/* Best mean score first. */
MACAW_API macaw_standing macaw_standings_player(const macaw_standings *s, size_t player);
MACAW_API const char *macaw_standings_game(const macaw_standings *s, size_t game);
MACAW_API const char *macaw_standings_role(const macaw_standings *s, size_t role); /* "game role" */
MACAW_API double macaw_standings_ease(const macaw_standings *s, size_t role);      /* in Elo points */
MACAW_API double macaw_standings_clock(const macaw_standings *s, size_t clock);    /* seconds; below 0: playouts */

/* Mean scores; NAN: never met, never played. */
MACAW_API double macaw_standings_versus(const macaw_standings *s, size_t player, size_t opponent);
MACAW_API double macaw_standings_by_game(const macaw_standings *s, size_t player, size_t game);
MACAW_API double macaw_standings_by_clock(const macaw_standings *s, size_t player, size_t clock);

/* Pictures, each a whole SVG file: scores against each other as a heat map; over rounds; against the clock. */
enum macaw_plot { MACAW_PLOT_CROSS, MACAW_PLOT_ROUNDS, MACAW_PLOT_CLOCKS };
MACAW_API char *macaw_standings_plot(const macaw_standings *s, enum macaw_plot plot);

#ifdef __cplusplus
}
#endif

#endif

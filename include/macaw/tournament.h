/* Tournaments: every pairing of players in every game, roles swapped, seeds paired; or a Swiss system, or a knock-out.
 * In the library `macaw-full`.
 *
 *     macaw_tournament t = {.games = games, .game_count = 2, .players = (const char *[]){"macaw", "uct"}, .player_count
 * = 2}; macaw_tournament_end end; macaw_tournament_run(&t, "results.db", &end, &error); macaw_standings *s =
 * macaw_standings_read("results.db", &error); puts(macaw_standings_player(s, 0).name);
 *
 * Results go to an SQLite file as they come. The plan depends on nothing but the options, and the file says which
 * matches have been played: after an interrupt, a kill or with more rounds, games, players or clocks the same call goes
 * on. */
#ifndef MACAW_TOURNAMENT_H
#define MACAW_TOURNAMENT_H

#include "macaw/match.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Who meets whom: everybody everybody; the first everybody else; whoever has done about as well so far, with scores
 * weighted by game; or duels, where the loser is out. */
enum macaw_format { MACAW_ROUND_ROBIN, MACAW_GAUNTLET, MACAW_SWISS, MACAW_KNOCKOUT };

typedef struct macaw_tournament {
	macaw_game *const *games; /* with names that differ */
	size_t game_count;
	/* Words, paths of shared libraries (see macaw/player.h), gcl:HOST:PORT for players of the competition network, or
	 * names of `own`; they differ, and none is NULL. Players of the network play one match at a time and need a start
	 * clock: 5 seconds, unless there is one. With playouts they have the first clock, but at least a second. */
	const char *const *players;
	size_t player_count;
	/* Seats by functions, known by their names (without commas), which must differ from every word. With several jobs
	 * they are called by several matches at once. */
	const macaw_seat *own;
	size_t own_count;
	const double *clocks; /* seconds per move, one stage each; none: 0.1 */
	size_t clock_count;
	double start;      /* seconds before the first move */
	uint64_t playouts; /* per move, instead of clocks */
	uint64_t rounds;   /* how often every pairing is played; 0: 10 */
	uint64_t seed;
	uint32_t jobs;       /* matches side by side; 0: one per processor */
	uint32_t max_steps;  /* of a match; 0: 1,000 */
	bool isolated;       /* players in processes of their own; circuit only */
	bool processor_time; /* clocks count processor time; with several jobs players are isolated then */
	enum macaw_setting setting;
	/* Two players: a sequential test that stops once the first is known to be elo1, or no more than elo0, Elo points
	 * ahead. */
	bool sequential;
	double elo0, elo1;
	/* A cell, that is a game at a clock with a pair of players, ends once the 95% interval of its share is so many
	 * points of 100 to either side (in a game for one: that of the mean score). `rounds` is the bound then, 0: 100,000;
	 * and the sequential test is one for each cell, of any number of players: whichever is first. 0: not used. */
	double until;
	double seconds; /* after which no match is begun any more; cells get equal parts of the time. 0: no bound */
	enum macaw_format format;
	/* Swiss system: matches of each player and the weight of a score, by game. NULL: `rounds`, and 1. A match that a
	 * player has to sit out counts as its own mean in that game. */
	const uint64_t *matches;
	const double *weights;
	uint32_t final;      /* Swiss system: so many of the best play a knock-out for the ranks; 0: none */
	uint32_t wins;       /* knock-out: that decide a duel, one more in the final; 0: 3 */
	const char *command; /* kept with the matches; may be NULL */
	const char *records; /* a folder: the record of each match is written there, for `macaw replay`; NULL: none */
	/* When not NULL, matches are played elsewhere: gets the order of a match as text, returns what
	 * macaw_tournament_play() made of it there, in memory of malloc; or `!` and a message: it cannot be played, which
	 * ends the tournament; or NULL: broken off. Called by the threads of all jobs. */
	char *(*elsewhere)(void *context, const char *order);
	void *elsewhere_context;
	macaw_stop *stop;
	macaw_progress *progress; /* matches done, of how many; NULL: none */
	void *context;
} macaw_tournament;

typedef struct macaw_tournament_end {
	uint64_t planned, before,
		played; /* matches: in all (0: that depends on results to come), found in the file, played now */
	bool stopped;
	bool out_of_time;  /* of `seconds` */
	double likelihood; /* sequential test: log likelihood ratio, */
	double bound;      /* and the bound at which it is decided */
	bool decided;
} macaw_tournament_end;

/* False: too few players for a game, or one named twice (MACAW_USAGE), a player cannot play (MACAW_INPUT), the file
 * cannot be written (MACAW_MACHINE), or it was begun with another seed, start clock, kind of clock, number of playouts,
 * setting, format or rules (MACAW_USAGE). What was played is in the file either way. `end` may be NULL. */
MACAW_API bool macaw_tournament_run(const macaw_tournament *t, const char *file, macaw_tournament_end *end,
                                    macaw_error *e);

/* Plays one match of a tournament that another process holds, with the same games and options; its answer is for
 * `elsewhere` there, also where it says that the match cannot be played. NULL: broken off by t->stop (MACAW_OK), no
 * order of such a tournament (MACAW_INPUT), or out of memory. */
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

/* What players did, as far as they say: sums over matches, and moves are those that had an alternative. Of mac-ucb and
 * its kin: who solved the rounds, and how many of them came from the head of a list, as published, not down a tree. */
typedef struct macaw_work {
	int64_t moves, playouts, nodes, rounds, by_network, by_circuit, by_list;
	double seconds;
} macaw_work;

typedef struct macaw_standing {
	const char *name;                    /* NULL: no such player */
	double matches;                      /* seats taken */
	double score, score_low, score_high; /* mean of 0 to 100 with its 95% interval */
	double wins, draws, losses;          /* against each of the others, seat by seat */
	double share, share_low, share_high; /* of points, a draw being half, with Wilson's interval; NAN: met nobody */
	double elo, elo_error;               /* by Bradley and Terry; half the 95% interval */
	double skill;                        /* Agon: in Elo points, apart from the ease of roles */
	int64_t late, illegal, moves;
	macaw_work work;
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

/* What the file was begun with: `setting`, `format`, `playouts`, `clock-of`, `start`, `seed`; and of the last call
 * `until`. NULL: it does not say. */
MACAW_API const char *macaw_standings_setting(const macaw_standings *s, const char *key);

/* ---- cells: a game at a clock with two players, or one ---- */

typedef struct macaw_pairing {
	const char *game, *first, *second;   /* second NULL: a game for one; game NULL: no such cell */
	double clock;                        /* seconds; below 0: playouts */
	double matches, wins, draws, losses; /* of the first, match by match; with more than two roles by mean scores */
	double share, share_low, share_high; /* of the first, with Wilson's interval; NAN alone */
	double half_width; /* of the 95% interval, in points of 100: of the share, or of the mean score alone */
	double likelihood; /* of the sequential test; NAN: there is none */
	double scores[2];  /* means */
	double seconds;    /* of all its matches */
	int64_t late, illegal;
	macaw_work work[2];
} macaw_pairing;
MACAW_API size_t macaw_standings_cells(const macaw_standings *s);
MACAW_API macaw_pairing macaw_standings_cell(const macaw_standings *s, size_t cell);

/* ---- Swiss system and knock-out: as far as they have come ---- */

typedef struct macaw_swiss_row {
	const char *player; /* NULL: no such row */
	double points;      /* weighted */
	uint64_t matches;
} macaw_swiss_row;
MACAW_API size_t macaw_standings_swiss(const macaw_standings *s); /* rows; 0: no such tournament */
MACAW_API macaw_swiss_row macaw_standings_swiss_row(const macaw_standings *s, size_t row); /* best first */
MACAW_API size_t macaw_standings_swiss_games(const macaw_standings *s); /* in the order in which they are played */
MACAW_API const char *macaw_standings_swiss_game(const macaw_standings *s, size_t game);
MACAW_API double macaw_standings_swiss_points(const macaw_standings *s, size_t row, size_t game);

typedef struct macaw_duel {
	uint32_t round;         /* 0: the first */
	bool third;             /* about the third place */
	const char *players[2]; /* the better seed first; NULL: no such duel */
	uint32_t wins[2], played;
	int winner; /* 0 or 1; below 0: not yet */
} macaw_duel;
MACAW_API size_t macaw_standings_duels(const macaw_standings *s);
MACAW_API macaw_duel macaw_standings_duel(const macaw_standings *s, size_t duel);
MACAW_API const char *macaw_standings_rank(const macaw_standings *s,
                                           size_t rank); /* 0: the winner; NULL: not known (yet) */

/* Pictures, each a whole SVG file: scores against each other as a heat map; over rounds; against the clock. */
enum macaw_plot { MACAW_PLOT_CROSS, MACAW_PLOT_ROUNDS, MACAW_PLOT_CLOCKS };
MACAW_API char *macaw_standings_plot(const macaw_standings *s, enum macaw_plot plot);

/* ---- matches in the file ---- */

typedef struct macaw_results macaw_results;

/* As the file says at this moment. */
MACAW_API macaw_results *macaw_results_read(const char *file, macaw_error *e);
MACAW_API void macaw_results_free(macaw_results *r);

typedef struct macaw_result {
	int64_t match;              /* its number, from 1; 0: no such match */
	const char *game, *seating; /* seating: players by role, parted by commas */
	double clock;               /* seconds; below 0: playouts */
	int64_t round, seed, steps;
	double seconds;
	uint32_t seats;
	const int *scores; /* by seat; below 0: none */
	bool recorded;     /* its moves are there */
	/* "" where it was not written down */
	const char *ended;   /* date and time, UTC */
	const char *version; /* of the program, */
	const char *source;  /* the commit it was made from, */
	const char *host, *command;
} macaw_result;
MACAW_API size_t macaw_results_count(const macaw_results *r);
MACAW_API macaw_result macaw_results_at(const macaw_results *r, size_t i); /* in the order they were played */
/* A match as a record, for macaw_record_parse. NULL: there is no such match, or its moves or the rules of its game are
 * not in the file (MACAW_INPUT). */
MACAW_API char *macaw_results_record(const macaw_results *r, int64_t match, macaw_error *e);

#ifdef __cplusplus
}
#endif

#endif

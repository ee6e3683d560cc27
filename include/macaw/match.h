/* Matches: a referee over players.
 *
 *     macaw_seat seats[] = {{.word = "macaw"}, {.word = "uct:c=0.6"}};
 *     macaw_match *m = macaw_match_play(g, seats, 2, &(macaw_match_options){.clock = 1}, &error);
 *     printf("%d\n", macaw_match_goal(m, 0));
 *
 * The referee keeps the position and the clocks, asks the players, replaces what is late or illegal by a random legal
 * move, plays for `random`, and writes everything down. */
#ifndef MACAW_MATCH_H
#define MACAW_MATCH_H

#include "macaw/player.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct macaw_match macaw_match;

/* Who plays a role: a player by its word (also the path of a shared library, see macaw/player.h), or one of your own by
 * functions. These are called from a thread of the
 * seat's own and should return before the budget is over; whoever does not is late, and is asked to stop by b->stop.
 * The match waits for them to return before it ends. Texts are copied. */
typedef struct macaw_seat {
	const char *word; /* NULL: by the functions */
	const char *name; /* of your own player, for records; NULL: "own" */
	void *self;
	void (*start)(void *self, macaw_game *g, uint32_t role,
	              const macaw_budget *b); /* may be NULL; only with a start clock */
	/* A number of turn->legal, or MACAW_NONE, which counts as late; `why` (room bytes) may be filled with one line. */
	uint32_t (*move)(void *self, const macaw_turn *turn, const macaw_budget *b, char *why, size_t room);
} macaw_seat;

/* What players that are named by a word use. As shipped: each its own fastest means. As published: all of them reason
 * by the same means, the circuit, and simulate once from a leaf; with a budget in playouts they differ in nothing but
 * how they search. Options in the word stay. */
enum macaw_setting { MACAW_SHIPPED, MACAW_PUBLISHED };

typedef struct macaw_match_options {
	double start, clock; /* seconds before the first move, and per move; clock 0 with playouts 0: 1 second */
	uint64_t playouts;   /* per move, instead of clocks */
	double grace;        /* how much later than the clock an answer may arrive */
	bool together;       /* players think at the same time in steps where several have a choice */
	bool isolated;       /* players named by a word run in processes of their own; circuit only */
	/* The clocks of players named by a word count processor time, of all threads, instead of time that passes: results
	 * do not depend on what else the machine does. Without `isolated` everything that this process does meanwhile
	 * counts. */
	bool processor_time;
	enum macaw_setting setting;
	uint64_t seed;
	uint32_t max_steps; /* 0: no bound */
	/* Where the match begins. In this position; NULL: the initial one, and none other in a game with hidden
	 * information. Then after these joint moves, one number per role; they count as steps of the match. Where
	 * information is hidden, seats by functions are asked for these steps too, so that they see what there was to see;
	 * their answers do not count. */
	const uint64_t *position;
	const uint32_t *made;
	uint32_t made_steps;
	macaw_stop *stop; /* gives the match up */
	/* After every step that is played and before the first, when not NULL; by the thread that called. It may ask the
	 * match anything. */
	void (*watch)(void *context, const macaw_match *m);
	void *context;
} macaw_match_options;

/* One seat per role except `random`, in the order of the rules. NULL: a wrong number of seats, an unknown player, one
 * that cannot play this game, or a position in a game with hidden information. */
MACAW_API macaw_match *macaw_match_play(macaw_game *g, const macaw_seat *seats, size_t count,
                                        const macaw_match_options *o, macaw_error *e);
/* "A,B,…" as seats: words separated by commas. */
MACAW_API macaw_match *macaw_match_words(macaw_game *g, const char *words, const macaw_match_options *o,
                                         macaw_error *e);
MACAW_API void macaw_match_free(macaw_match *m);

MACAW_API macaw_game *macaw_match_game(const macaw_match *m);
MACAW_API uint32_t macaw_match_steps(const macaw_match *m); /* joint moves made so far */
/* Before step `step`; macaw_match_steps(m): now. */
MACAW_API const uint64_t *macaw_match_position(const macaw_match *m, uint32_t step);
MACAW_API const char *macaw_match_player(const macaw_match *m, uint32_t role); /* the word, the name, or "chance" */
MACAW_API int macaw_match_goal(const macaw_match *m, uint32_t role); /* at the end; MACAW_NO_GOAL (-1): none */

enum macaw_fault { MACAW_FINE, MACAW_LATE, MACAW_ILLEGAL };
typedef struct macaw_made {
	uint32_t move;
	double seconds; /* that the answer took */
	enum macaw_fault fault;
	const char *why; /* NULL: nothing was said */
} macaw_made;
MACAW_API macaw_made macaw_match_made(const macaw_match *m, uint32_t step, uint32_t role);

enum macaw_ending {
	MACAW_UNDER_WAY,
	MACAW_TERMINAL,
	MACAW_STUCK,  /* a role had no legal move */
	MACAW_CUT,    /* max_steps, or stopped */
	MACAW_TROUBLE /* the rules could not be run; see macaw_match_trouble */
};
MACAW_API enum macaw_ending macaw_match_ending(const macaw_match *m);
MACAW_API const char *macaw_match_trouble(const macaw_match *m);
MACAW_API uint64_t macaw_match_late(const macaw_match *m, uint32_t role);
MACAW_API uint64_t macaw_match_illegal(const macaw_match *m, uint32_t role);
MACAW_API macaw_counters macaw_match_counters(const macaw_match *m, uint32_t role);

/* A match that was played elsewhere, to be asked and written down like any other: `players` by role, `made` with one
 * entry per role, step by step; texts are copied. NULL: a move is not legal (MACAW_INPUT), or out of memory. */
MACAW_API macaw_match *macaw_match_of(macaw_game *g, const char *const *players, const macaw_made *made, uint32_t steps,
                                      macaw_error *e);

/* The match as one JSON object; whole: with rules and positions, enough for `macaw replay` anywhere. */
MACAW_API char *macaw_match_record(const macaw_match *m, bool whole);

#ifdef __cplusplus
}
#endif

#endif

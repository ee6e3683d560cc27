/* The referee of a match: keeps the state and the clocks, asks the contestants,
 * replaces what is late or illegal by a random legal move, plays for `random`, and
 * writes everything down. */
#ifndef MATCH_REFEREE_H
#define MATCH_REFEREE_H

#include "play/player.h"

/* Somebody who answers for a role: a player in this process, or one far away. Both
 * calls are made from a thread of the contestant's own and should return before the
 * budget's limit; one that does not is late, and is asked to stop through it. */
struct contestant {
	void *self;
	void (*start)(void *self, const struct budget *b); /* may be NULL */
	uint32_t (*move)(void *self, const struct turn *t, const struct budget *b, struct text *why);
	/* The best move known while move() works, from any thread; GAME_NONE: none. May be NULL. */
	uint32_t (*ready)(void *self);
	/* Holds a legal move ready before move() is called: its thread may have to wait for a
	 * processor. May be NULL. */
	void (*prepare)(void *self, uint32_t legal);
	/* Called in addition to the budget's stop when time is up, from any thread; may be NULL. */
	void (*stop)(void *self);
	/* Makes a call that will not return do so, at the end of a match; NULL: it is waited for. */
	void (*abandon)(void *self);
	const struct counters *work; /* what it has done, up to its last answer; NULL: not known */
	double
		patience; /* seconds on the wall after which it is late where playouts are counted and no clock runs; 0: none */
	clockid_t
		processor; /* processor time of the process that thinks; CLOCK_OF_WALL: not known, so time that passes counts */
};

/* In the place of a move: none came. Counts as late. */
#define CONTESTANT_SILENT (GAME_NONE - 1)

struct match;

struct referee_options {
	double start, clock; /* seconds; both unused with playouts */
	double grace;        /* how much later than the clock an answer may arrive */
	bool together;       /* all roles are asked at the same time */
	bool processor_time; /* clocks count processor time, where contestants have a clock of it: roles one after the
	                        other, one match per process */
	uint64_t playouts;   /* per move, instead of clocks; 0: by the clock */
	uint64_t seed;
	uint32_t max_steps;
	/* Where the match begins: in this state (NULL: the initial one; none other in a game with hidden information, where
	 * players begin with what they saw), after these joint moves, one number per role. Where the state is hidden the
	 * contestants are asked for these steps too, so that they see what there was to see; their answers do not count. */
	const uint64_t *state;
	const uint32_t *made;
	uint32_t made_steps;
	atomic_bool *stop; /* gives the match up; may be NULL */
	/* After every step and before the first, when not NULL. */
	void (*watch)(void *context, const struct match *m);
	void *context;
};

enum move_fault { MOVE_FINE, MOVE_LATE, MOVE_ILLEGAL };

struct move_record {
	uint32_t move;  /* that was made */
	double seconds; /* that the answer took, on the clock that counted */
	uint8_t fault;
	char *why; /* NULL: nothing was said */
};

struct match {
	struct game *game;
	uint32_t steps;
	VEC(struct move_record) moves; /* one per role and step */
	VEC(uint64_t) states;          /* before each step, and the last */
	int *goals;                    /* at the end; GOAL_NONE where there is none */
	uint64_t *late, *illegal;      /* by role */
	bool terminal, stuck, cut;     /* how it ended; cut: max_steps or stop */
	const char *trouble;           /* the rules could not be run; or NULL */
};

/* `by_role` has a contestant for each role; that of `random` is not asked. */
void referee_play(struct match *m, struct game *g, const struct contestant *by_role, const struct referee_options *o);
void match_free(struct match *m);

/* A player of play/ as a contestant. */
struct contestant contestant_of(struct player *p);

#endif

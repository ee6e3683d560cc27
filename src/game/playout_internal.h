/* Private to this room: playouts of jobs and of streams, many at a time in lanes or one at a time. */
#ifndef GAME_PLAYOUT_INTERNAL_H
#define GAME_PLAYOUT_INTERNAL_H

#include "game/engine_internal.h"

#define MAX_WORDS 8 /* 512 lanes */

typedef uint64_t mask_t[MAX_WORDS] __attribute__((aligned(64)));

struct log {
	VEC(uint32_t) moves;
};

/* Which of the moves first, first + 1, ... 64 lanes have made: by lane, one bit per move. */
struct made {
	uint32_t first;
	uint64_t lanes[64];
};

struct lane_table;

/* Where lanes get playouts from, and who is to know that they are over. */
struct lane_feed {
	/* `fresh` holds lanes that are free. Drops those for which there is nothing to play in the phase of this step,
	 * and notes in t->start what the others play. */
	void (*deal)(struct lane_table *t, uint64_t *fresh);
	/* The playouts of these lanes are over or given up, and counted. NULL: nobody wants to know. */
	void (*ended)(struct lane_table *t, const uint64_t *lanes);
	uint32_t played_words; /* `played` is called for lanes of the first words only */
	void *context;
};

/* All lanes play at once, a step at a time, each from the start that it was dealt. */
struct lane_table {
	const struct game *g;
	const struct circuit_engine *e;
	const struct decisive_rollouts *decisive; /* NULL: nobody is */
	const struct playout_job *job;
	const struct lane_kernel *kernel;
	const struct lane_feed *feed;
	struct playout_share *share;
	struct playout_result *r;
	uint64_t *slots;
	struct chooser chooser;
	mask_t playing, done; /* lanes at play; finished, waiting for their goals */
	uint64_t began[MAX_WORDS * 64];
	uint64_t number[MAX_WORDS * 64]; /* which playout of a job */
	uint32_t start[MAX_WORDS * 64];  /* which of the job's starts */
	struct log *logs;                /* by lane, when moves are reported */
	uint64_t *played;                /* by move, when they are counted: lanes that have made it */
	uint32_t played_words;           /* of a row of `played`: the lanes that are counted */
	VEC(struct made) made;           /* scratch of hand_over_played() */
	uint32_t *list;
	uint64_t launched;
	uint64_t step, harvest_at; /* now, and when goals are next worth evaluating */
	uint32_t period, phase;    /* of the rotation; phase of step 0 */
	uint32_t deal_every;       /* steps: new playouts can be had when it divides `step` */
	uint32_t max_steps;
	uint32_t facts;               /* fluents that hold in a state, about */
	uint64_t bound_at;            /* no playout is too long before this step */
	uint64_t *live;               /* the fluents that a judge is shown, as bits of a state */
	uint64_t *states;             /* of 64 lanes, for a judge */
	uint64_t *nothing;            /* a state in which no fluent holds */
	int (*goals)[MAX_WORDS * 64]; /* by role and lane, when results are wanted lane by lane */
	int *row;                     /* by role: goals of one lane, for callbacks */
	double *values;               /* by role: what a judge says */
};

#define EACH_LANE(t, lane, mask) \
	for (uint32_t w_ = 0; w_ < (t)->kernel->words; w_++) \
		for (uint64_t bits_ = (mask)[w_], lane = 0; bits_ && (lane = w_ * 64 + (uint64_t)__builtin_ctzll(bits_), 1); \
		     bits_ &= bits_ - 1)

/* In phase 0 of a rotation of one phase, the program for any state; the caller may set `period`, `phase` and
 * `deal_every` before the first round. */
struct lane_table *lane_table_new(struct playout_share *s, uint32_t lanes, const struct lane_feed *feed);
void lane_table_free(struct lane_table *t);
/* Goals where it is time for them, new playouts, and one step of all lanes. */
void lane_table_round(struct lane_table *t);
void lane_table_harvest(struct lane_table *t);    /* the goals of all playouts that are over */
void lane_table_stop(struct lane_table *t);       /* gives up those that are not */
bool lane_table_idle(const struct lane_table *t); /* nothing at play, and nothing to be harvested */
/* Rounds between two looks at the clock: about 50,000 operations. */
uint32_t lane_table_patience(const struct lane_table *t);

/* Does this state look like one of phase k? */
bool circuit_fits_phase(const struct circuit_engine *e, uint32_t k, const uint64_t *state);

/* One playout at a time, for the interpreter. */
struct single {
	struct playout_share *share;
	struct worker *w;
	struct rng rng;
	uint64_t *state;
	uint32_t *moves; /* by role */
	struct log log;  /* when moves are reported */
};

void single_init(struct single *p, struct playout_share *s);
void single_free(struct single *p);
bool single_playout(struct single *p, size_t start); /* false: the limit was reached, or the interpreter gave up */

#endif

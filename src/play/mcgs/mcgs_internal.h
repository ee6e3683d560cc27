/* Inside the graph search: how nodes are laid out in memory, and who does what.
 *
 * memory.c   blocks, the table of states, what goes when memory is short
 * vertex.c   nodes made, opened, and their bounds
 * walk.c     down the graph: choosing arms, making and opening leaves
 * backup.c   up again
 * moves.c    statistics of moves over playouts
 * mcgs.c     threads, rounds and the clock
 * answer.c   what is known at the root
 * share.c    what searches in other processes know
 *
 * Threads share nodes without locks. Numbers that change (visits, means, bounds, children) are
 * atomics with relaxed order: an update that is lost to another thread's costs a little accuracy
 * and nothing else, and every bound that is ever written is true. A block is written before its
 * number is published with release order. */
#ifndef PLAY_MCGS_INTERNAL_H
#define PLAY_MCGS_INTERNAL_H

#include "base/rng.h"
#include "base/thread.h"
#include "base/vec.h"
#include "game/playout_stream.h"
#include "play/mcgs/mcgs.h"
#include "play/proof/matrix_game.h"

#include <assert.h>
#include <stdatomic.h>

/* ---- blocks ------------------------------------------------------------------------------- */

#define UNIT 16u           /* bytes; blocks are numbered in units, so that 32 bits suffice for 64 GB */
#define CHUNK_UNITS 65536u /* blocks do not cross chunks */
#define CHUNK_BYTES ((size_t)CHUNK_UNITS * UNIT)
#define NONE 0u            /* no block */
#define CLAIMED UINT32_MAX /* somebody is making it */

#define RELAXED memory_order_relaxed

enum vertex_flags {
	VERTEX_TERMINAL = 1,
	VERTEX_SOLVED = 2,    /* all bounds meet */
	VERTEX_EXPANDED = 4,  /* all children are made, or somebody makes them */
	VERTEX_CLAIMED = 8,   /* somebody opens it */
	VERTEX_IN_FLIGHT = 16 /* playouts from it are under way */
};

struct vertex {
	_Atomic uint32_t visits;
	_Atomic uint32_t arms;     /* block; NONE: not opened yet */
	_Atomic uint32_t amaf;     /* block: struct amaf by move; NONE: none yet */
	uint32_t forward;          /* while memory is collected: where it has gone */
	_Atomic uint32_t met;      /* the expansion that made it a child last: see twins */
	_Atomic uint16_t distance; /* steps to the end on the way that proves the value */
	_Atomic uint16_t mover;    /* a role with a choice that is not `random`; else `random` or 0 */
	_Atomic uint16_t movers;   /* how many such */
	_Atomic uint8_t flags;
	uint64_t state[]; /* then by role: value, low, high */
};

/* Arms of all roles, role r: start[r] .. start[r+1]. In memory: start, visits, mean, move, child,
 * regret and policy where several roles choose, pending. */
struct arms {
	const uint32_t *start;
	_Atomic uint32_t *visits;
	_Atomic float *mean; /* of the role's scores, in 0..1; ARM_NEW: not known; ARM_SHUT: not to be chosen any more */
	uint32_t *move;
	_Atomic uint32_t *child;        /* by joint index */
	_Atomic float *regret, *policy; /* NULL where one role chooses */
	_Atomic uint16_t *pending;
	uint32_t joint; /* number of joint moves; 0: too many, their children are not kept */
};

#define ARM_NEW (-1.0f)
#define ARM_SHUT (-1e9f)

/* All moves as first: the playouts below a node that contain a move, at any later step. */
struct amaf {
	_Atomic float visits, mean;
};

/* ---- the graph ------------------------------------------------------------------------------ */

struct walker;

struct mcgs {
	struct mcgs_options o;
	struct game *g;
	uint32_t roles, words;
	size_t vertex_bytes;
	/* memory.c */
	uint8_t *_Atomic *chunks;
	uint32_t chunk_most; /* by the memory limit */
	_Atomic uint32_t chunk_count;
	struct thread_mutex growing;     /* held while a chunk is added */
	_Atomic uint64_t *table;         /* hash tag and block number; 0: free */
	uint64_t table_mask, table_most; /* slots less one: now, and at most */
	_Atomic uint64_t entries;
	atomic_bool full;    /* no memory left: threads pause */
	atomic_bool crowded; /* the table of states is to grow: threads pause */
	bool by_clock;       /* the last search was: collecting is to be short */
	bool narrow;         /* it is full until the next root: leaves are not added to the graph any more */
	uint32_t root, last_root;
	atomic_bool opposed;    /* two roles whose scores have always added up to 100 so far: what one has, the
	                         * other has not, which makes their bounds much tighter */
	atomic_bool stale;      /* it was believed and is not so: bounds drawn from it are worthless */
	atomic_bool done;       /* nothing more to learn at the root, or the budget is spent */
	_Atomic uint32_t stamp; /* of expansions */
	_Atomic float spread;   /* standard deviation of what leaves are worth */
	struct walker *walkers;
	uint32_t walker_count;
	bool amaf; /* kept and used */
	double amaf_spread, amaf_common;
	const struct evaluation *evaluation; /* see mcgs_judge() */
	float evaluation_weight;
	struct mcgs_times times;
	struct sharing *sharing; /* NULL: alone */
};

/* Of a walk down the graph. */
struct path_step {
	uint32_t node, arm; /* the arm of the mover; where several choose: where the arms of all roles begin in `chosen` */
};

/* A walk whose leaf is being made or played from. */
struct flight {
	VEC(struct path_step) steps;
	VEC(uint32_t) chosen;
	uint32_t leaf;  /* NONE: it is to be made, from the last step */
	uint32_t index; /* which child of it */
	uint32_t row;   /* of the pass that made it */
	bool open;      /* the leaf is to be opened */
	bool stale;     /* bounds on the path are out of date */
};

/* A child to be made. */
struct wish {
	uint32_t node, index;
	uint32_t flight; /* whose leaf it is; NONE32: nobody's */
};

#define NONE32 UINT32_MAX

struct move_stat {
	float visits, sum;
};

/* One thread of the search. */
struct walker {
	struct mcgs *t;
	struct seat *s; /* of the thread that asks, for the ready move; NULL: another thread */
	struct worker *worker;
	struct rng rng;
	struct playout_stream *stream;
	const struct budget *budget;
	uint32_t at, end; /* the units that are left of the chunk it takes blocks from */
	VEC(struct flight) flights;
	VEC(uint32_t) idle;   /* flights without use */
	VEC(uint32_t) made;   /* flights of this round */
	VEC(uint32_t) wanted; /* nodes whose children are to be made */
	VEC(struct wish) wishes;
	VEC(uint64_t) from, next, legal;
	VEC(uint32_t) moves, list, arms;
	VEC(uint8_t) terminal;
	VEC(int) goals;
	VEC(float) score;
	VEC(float) judged;  /* by flight and role: what the evaluation says of its leaf */
	VEC(float) verdict; /* scratch of evaluations */
	VEC(double) matrix; /* bounds of children, and strategies */
	struct matrix_room room;
	double *value;
	float *low, *high;
	uint32_t *start, *joint;
	/* moves.c */
	struct move_stat *by_move; /* over all recent playouts; NULL: none */
	uint8_t *move_bias;        /* see struct playout_job */
	float *prior;              /* by move: how much better than the role's others; NULL: none */
	uint32_t *stamp;           /* by move */
	uint32_t stamp_now;
	const int *goals_now;              /* of the playout that is learnt from */
	uint32_t each;                     /* playouts per leaf */
	double tree_seconds, play_seconds; /* lately */
	uint32_t lanes;                    /* playouts that its stream holds at most */
	double expanded, expanded_useful;  /* nodes whose children were all made lately; of these, to some use */
	uint64_t nodes, hits, proven, rounds;
	uint64_t playouts, spent;    /* of this search; what counts against a budget in playouts */
	double square, mean, weight; /* of leaves lately */
	struct mcgs_times times;
};

void mcgs_check(const struct mcgs *t); /* asserts what is said above, between searches (base/check.h) */

static inline void *block_at(const struct mcgs *t, uint32_t block)
{
	assert(block != NONE && block != CLAIMED);
	return atomic_load_explicit(&t->chunks[block / CHUNK_UNITS], RELAXED) + (size_t)(block % CHUNK_UNITS) * UNIT;
}

static inline struct vertex *vertex_at(const struct mcgs *t, uint32_t block)
{
	assert(block != NONE && block != CLAIMED);
	return block_at(t, block);
}

/* An index has to be read by name: gcc 12 reads an atomic number between brackets as a plain one. */
static inline uint32_t vertex_mover(const struct vertex *n)
{
	return atomic_load_explicit(&n->mover, memory_order_relaxed);
}

static inline _Atomic float *vertex_value(const struct mcgs *t, const struct vertex *n)
{
	assert(n->mover < t->roles && n->movers <= t->roles);
	return unconst(n->state + t->words);
}

static inline _Atomic float *vertex_low(const struct mcgs *t, const struct vertex *n)
{
	assert(n->mover < t->roles && n->movers <= t->roles);
	return vertex_value(t, n) + t->roles;
}

static inline _Atomic float *vertex_high(const struct mcgs *t, const struct vertex *n)
{
	assert(n->mover < t->roles && n->movers <= t->roles);
	return vertex_value(t, n) + 2 * t->roles;
}

static inline float get(const _Atomic float *x)
{
	return atomic_load_explicit(x, RELAXED);
}

static inline void put(_Atomic float *x, float to)
{
	atomic_store_explicit(x, to, RELAXED);
}

static inline float within(float x, float low, float high)
{
	return x < low ? low : x > high ? high : x;
}

static inline uint8_t vertex_flags(const struct vertex *n)
{
	return atomic_load_explicit(&n->flags, RELAXED);
}

/* memory.c ------------------------------------------------------------------------------------- */

void memory_init(struct mcgs *t);
void memory_free(struct mcgs *t);
/* A zeroed block; NONE: there is no memory left, and t->full is set. */
uint32_t block_new(struct mcgs *t, struct walker *w, size_t bytes);
/* The node of a state; NONE: there is none. */
uint32_t states_find(const struct mcgs *t, uint64_t hash, const uint64_t *state);
/* Enters a node; returns it, or one of the same state that another thread has entered; NONE: the table has no room. */
uint32_t states_enter(struct mcgs *t, uint64_t hash, uint32_t node);
void memory_grow_table(struct mcgs *t); /* while no thread walks */
/* Makes room, while no thread walks: what cannot be reached from the root goes, then what was visited least. */
void memory_collect(struct mcgs *t);
void memory_clear(struct mcgs *t);
size_t memory_bytes(const struct mcgs *t);
bool memory_tight(const struct mcgs *t); /* worth collecting before a new search */

/* vertex.c --------------------------------------------------------------------------------------- */

/* The arms of an opened node. */
bool vertex_arms(const struct mcgs *t, const struct vertex *n, struct arms *out); /* false: not opened */
size_t arms_bytes(const struct mcgs *t, const uint32_t *start, uint32_t joint, bool several);
void arms_at(const struct mcgs *t, uint32_t block, bool several, struct arms *out);

static inline uint32_t arm_count(const struct arms *a, uint32_t role)
{
	return a->start[role + 1] - a->start[role];
}

/* One role has a choice, and nothing else decides: its arms are the joint moves. The draws of chance count as such. */
static inline bool is_single(const struct vertex *n, const struct arms *a)
{
	return a->joint == arm_count(a, n->mover);
}

/* Joint moves are numbered with the last role's arm running fastest. */
uint32_t joint_index(const struct mcgs *t, const struct arms *a, const uint32_t *chosen);
void joint_arms(const struct mcgs *t, const struct arms *a, uint32_t index, uint32_t *chosen);

/* The node of a state, made when there is none; NONE: no memory. `like`: a new one takes its first value from there. */
uint32_t vertex_find(struct mcgs *t, struct walker *w, const uint64_t *state, bool terminal, const int *goals,
                     const struct vertex *like);
/* Its arms, from the legal moves as bits, or (row NULL) by looking at the state. False: no memory. */
bool vertex_open(struct mcgs *t, struct walker *w, uint32_t n, const uint64_t *row);
/* Draws the bounds of a node from those of its children, and shuts arms that are settled. True: they have changed. */
bool vertex_bound(struct mcgs *t, struct walker *w, struct vertex *n);
/* The evaluation of a state, by role in 0..1. */
void vertex_judge(struct mcgs *t, const uint64_t *state, float *out);
/* Shuts arms of the mover that lead where others lead. False: there are none. */
bool vertex_twins(struct mcgs *t, struct vertex *n);
void vertex_doubt(struct mcgs *t);
/* The child that a role's arm leads to when nobody else has a choice; NONE: none such, or not made. */
uint32_t vertex_sole_child(const struct arms *a, uint32_t role, uint32_t arm);

#define MOST_JOINT 65536u /* joint moves of a node whose children are kept */

/* walk.c ----------------------------------------------------------------------------------------- */

/* From the root to a leaf; the flight has virtual losses on its way. False: nothing came of it. */
bool walk_down(struct mcgs *t, struct walker *w, uint32_t flight);
/* Makes and opens the leaves of this round's flights, and the children that are wanted. */
void walk_open(struct mcgs *t, struct walker *w);
void flight_pending(struct mcgs *t, const struct flight *f, int by);
uint32_t flight_new(struct walker *w);
void flight_end(struct walker *w, uint32_t flight);

/* backup.c --------------------------------------------------------------------------------------- */

/* What a flight has brought, for all nodes on its way: value by role in 0..1; NULL: nothing. Ends the flight. */
void back_up(struct mcgs *t, struct walker *w, uint32_t flight, const double *value);

/* moves.c ---------------------------------------------------------------------------------------- */

void moves_init(struct mcgs *t, struct walker *w);
void moves_free(struct walker *w);
void moves_played(void *walker, uint32_t tag, const uint32_t *moves, uint32_t count, const int *goals);
void moves_fade(struct mcgs *t, struct walker *w);
void moves_learn(struct mcgs *t, struct walker *w); /* preferences from what was counted */
void moves_trust(struct mcgs *t);                   /* are the statistics of nodes of use? */

/* share.c ---------------------------------------------------------------------------------------- */

/* Tells the neighbours what is new and takes what they tell; by the thread that asks. Nothing for a search alone. */
void share_now(struct mcgs *t, struct walker *w);
void share_sometimes(struct mcgs *t,
                     struct walker *w); /* several times a second, and when the root's bounds have changed */
void share_free(struct mcgs *t);

/* answer.c --------------------------------------------------------------------------------------- */

uint32_t best_arm(const struct mcgs *t, const struct vertex *n, const struct arms *a, uint32_t role);

#endif

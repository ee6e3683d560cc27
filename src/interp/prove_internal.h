/* The inside of the interpreter: modes, plans and tables.
 *
 * A *mode* is a predicate together with what its caller knows of the arguments:
 * every leaf of them is bound, free, or of no interest, and a term of which only
 * a part is bound is opened, so that `true(cell(1,?y,?z))` has the shape
 * cell(bound, free, free). All answers are ground, so which variables are bound
 * at which place of a rule is known beforehand: a rule is compiled once per mode
 * into a *plan*, a list of steps over registers, without unification at run time.
 *
 * A *goal* is a mode with values for its bound leaves; its table holds a row of
 * values of the free leaves for every answer. Tables live as long as what they
 * depend on: the rules, the state, or the moves.
 *
 *     mode.c         modes
 *     plan.c         rules to plans, for a mode
 *     lookup.c       facts by mode
 *     prove.c        plans to tables
 *     interpreter.c  the questions */
#ifndef INTERP_PROVE_INTERNAL_H
#define INTERP_PROVE_INTERNAL_H

#include "interp/interpreter.h"

/* A shape is a list of words in prefix order; LEAF_APPLY is followed by the
 * name and the number of arguments. */
enum leaf { LEAF_BOUND, LEAF_FREE, LEAF_ANY, LEAF_APPLY };

#define SHAPE_MAX_LEAVES 256
#define SHAPE_MAX_WORDS (4 * SHAPE_MAX_LEAVES)
#define SHAPE_MAX_DEPTH 4

enum life { LIFE_RULES, LIFE_STATE, LIFE_MOVES, LIFE_COUNT };

enum source { FROM_STATE, FROM_MOVES, FROM_FACTS, FROM_RULES };

/* The facts of a mode by the values of its bound leaves. A row is the number of
 * the next one of its group, then the free leaves. */
struct lookup {
	uint64_t stamp; /* version of the facts it was made from; 0: never */
	struct table index;
	VEC(struct group { uint32_t key, first, last; }) groups;
	VEC(uint32_t) words;
	VEC(uint32_t) direct; /* group by term when the key is a single one; instead of the index */
	uint32_t rows;
};

struct mode {
	uint32_t pred;
	uint32_t shape, words; /* in->shapes */
	uint32_t bound, free;  /* leaves */
	enum source source;
	enum life life;
	bool planned;
	uint32_t plans, plan_count;
	struct lookup facts; /* also used by FROM_RULES: a predicate may have both */
};

enum step_kind {
	STEP_SAME,     /* a and b are one term */
	STEP_DISTINCT, /* or are not */
	STEP_OPEN,     /* a is name/argc; its arguments go to registers from `out` on */
	STEP_MAKE,     /* register `out` becomes name/argc of `list` */
	STEP_FIND,     /* likewise, but fail when there is no such term yet */
	STEP_TRUE,     /* a is in the state */
	STEP_NOT_TRUE,
	STEP_SCAN, /* each row of the facts of `mode` */
	STEP_NOT_SCAN,
	STEP_CALL, /* each row of the goal of `mode` */
	STEP_NOT_CALL,
	STEP_ANSWER
};

/* Operands are registers, or terms with this bit. */
#define OPERAND_TERM (UINT32_C(1) << 31)

/* When a step fails at first sight, no choice made since `culprit` had a hand in
 * it; when a choice is exhausted, `back` is the one before it. Both are steps of
 * the same plan, or STEP_NONE. */
#define STEP_NONE UINT32_MAX

struct step {
	enum step_kind kind;
	bool inside; /* a call within the component */
	uint32_t a, b;
	uint32_t name, argc, list; /* in->operands */
	uint32_t mode;
	uint32_t out, cursor; /* cursor: two registers, where we are and in which goal */
	uint32_t back, culprit;
};

struct plan {
	uint32_t first, count; /* in->steps; jumps are relative to first */
	uint32_t registers;
};

enum goal_status { GOAL_NEW, GOAL_OPEN, GOAL_DONE };

struct goal {
	uint32_t mode;
	uint32_t key, rows, count, room; /* store->words */
	uint32_t set, mask;              /* hash set of rows once there are many; mask 0: none */
	uint32_t waiting;                /* consumers that have read all rows; while open */
	uint32_t place;                  /* in in->open, while open */
	enum goal_status status;
};

struct store {
	VEC(struct goal) goals;
	VEC(uint32_t) words;
	struct table index;
};

/* A rule that waits for further answers of a goal of its own component. */
struct consumer {
	uint32_t next;        /* waiting for the same goal */
	uint32_t owner, goal; /* whose rule, whose answers */
	uint32_t plan, step, saved, cursor;
	enum life owner_life, life;
};

struct work {
	bool resume;
	enum life life;
	uint32_t id; /* consumer or goal */
};

struct interpreter {
	struct datalog dl;
	struct terms *terms;
	uint32_t *component; /* by predicate, over rule bodies only */
	bool *recursive;
	enum life *life;
	/* By predicate: facts of the rulesheet, and all that holds of a predicate
	 * that depends on nothing but the rules and is small enough to be listed. */
	struct extension {
		VEC(term_t) cells;
		uint32_t n;
		bool whole; /* nothing else holds */
	} * extensions;
	uint32_t p_true, p_does;

	VEC(struct mode) modes;
	VEC(uint32_t) shapes;
	struct table mode_index;
	VEC(struct plan) plans;
	VEC(struct step) steps;
	VEC(uint32_t) operands;

	term_list roles, state, moves;
	VEC(uint64_t) stamp; /* by term: the state it was last seen in */
	uint64_t age[LIFE_COUNT];
	uint64_t clock; /* gives ages */

	struct store stores[LIFE_COUNT];
	VEC(uint32_t) registers;
	uint32_t buffer[SHAPE_MAX_LEAVES];
	VEC(struct work) agenda;
	VEC(struct consumer) consumers;
	VEC(uint32_t) saved;
	VEC(struct work) open; /* goals of the components at work */
	size_t open_here;      /* where those of the innermost one begin */
	uint32_t states;
	uint32_t depth;
	uint32_t ticks;
	uint64_t budget; /* ticks left; 0: no bound */
	struct limit limit;
	size_t memory; /* bytes, about; 0: no other bound than those of the stores */
	const char *trouble;
};

/* Keys and rows are short: a loop beats memcmp and memcpy. */
static inline bool same_words(const uint32_t *a, const uint32_t *b, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (a[i] != b[i])
			return false;
	return true;
}

static inline void copy_words(uint32_t *to, const uint32_t *from, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		to[i] = from[i];
}

static inline bool rule_is_fact(const struct rule *r)
{
	return !r->count && !r->head.vars;
}

/* mode.c */
uint32_t mode_get(struct interpreter *in, uint32_t pred, const uint32_t *shape, uint32_t words);
void mode_forget_plans(struct interpreter *in);
void mode_forget_all(struct interpreter *in);

/* plan.c */
void mode_plan(struct interpreter *in, uint32_t mode);

/* lookup.c */
void lookup_refresh(struct interpreter *in, uint32_t mode);
uint32_t lookup_first(struct interpreter *in, uint32_t mode, const uint32_t *key); /* row, or UINT32_MAX */

/* prove.c */
/* Adds the rows of a goal, one after another; a goal without free leaves that
 * holds adds a single word. */
void prove(struct interpreter *in, uint32_t mode, const term_t *key, term_list *rows);
/* false: it took more than `budget` steps, or cannot be listed at all. */
bool prove_whole(struct interpreter *in, uint32_t pred, uint64_t *budget);
void prove_spend(struct interpreter *in, uint64_t steps);  /* of the budget, when there is one */
void prove_look_at_limits(struct interpreter *in);         /* of time and memory: gives up when they are reached */
void prove_forget(struct interpreter *in, enum life from); /* tables of this life and shorter ones */

#endif

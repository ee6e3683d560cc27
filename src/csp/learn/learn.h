/* Clause learning over domains (lazy clause generation: Ohrimenko, Stuckey and Codish 2009).
 *
 * Atoms say something about one variable: x >= i, x <= i, x != i, x = i, in value indices. Every change of a domain is
 * an event on a trail, with the constraint or clause that made it; the events are
 *
 *     LOW    the least index became `value`, from `old`
 *     HIGH   the greatest index became `value`, from `old`
 *     HOLE   the index `value`, between the two, is gone
 *
 * A failure is explained backwards along the trail until one event of the last level is left (the first unique
 * implication point); what was collected until then, negated, is a new clause. Why a constraint made a change is asked
 * only then: its kind's `explain` answers with atoms that were true before the event, or learn_explain_all names the
 * whole state of the scope. Clauses watch two of their atoms. */
#ifndef CSP_LEARN_LEARN_H
#define CSP_LEARN_LEARN_H

#include "csp/csp_internal.h"

#include <assert.h>

enum atom_op { ATOM_GE, ATOM_LE, ATOM_NE, ATOM_EQ };

struct atom {
	uint32_t x_op; /* variable * 4 + op */
	uint32_t i;
};

static inline struct atom atom(uint32_t x, enum atom_op op, uint32_t i)
{
	return (struct atom){x << 2 | op, i};
}

static inline uint32_t atom_var(struct atom a)
{
	return a.x_op >> 2;
}

static inline enum atom_op atom_op(struct atom a)
{
	return (enum atom_op)(a.x_op & 3);
}

enum event_kind { EVENT_LOW, EVENT_HIGH, EVENT_HOLE };
enum cause_kind { CAUSE_DECISION, CAUSE_CONSTRAINT, CAUSE_CLAUSE, CAUSE_HOLES };

struct event {
	uint32_t x, value, old, level;
	uint32_t before; /* the last event of this kind on x, or CSP_NONE; not of holes */
	uint32_t cause;  /* number of the constraint or place of the clause */
	uint8_t kind, cause_kind;
};

#define LEARN_NOW UINT32_MAX /* as a time: behind all events */

#define CLAUSE_ATOMS ((UINT32_C(1) << 30) - 1) /* the most */

struct clause { /* in `pool`: this, then its atoms */
	uint32_t count : 30, kept : 1, dead : 1;
	uint32_t levels; /* different ones when it was learned */
	float activity;
	struct atom atoms[];
};

struct watcher {
	uint32_t clause;
	struct atom other; /* true: the clause need not be looked at */
};

typedef VEC(struct watcher) watchers;
typedef VEC(struct atom) atoms;

struct learn {
	VEC(struct event) events;
	VEC(uint32_t) levels;           /* events before each level */
	VEC(struct atom) decisions;     /* of each level */
	uint32_t *low, *high;           /* per variable: bounds as the events have them */
	uint32_t *root_low, *root_high; /* as they are at level 0 */
	uint32_t *last_low, *last_high; /* last event of the kind, or CSP_NONE */
	uint64_t *holes;                /* per variable `words` words from hole_at: bit set: the index is no hole */
	uint32_t *hole_at, *hole_event; /* hole_event: per literal */
	VEC(uint32_t) pool;
	VEC(uint32_t) learned;    /* places of clauses that may be forgotten */
	watchers *watch;          /* per variable * 4 + op of the atom that is watched */
	uint32_t head;            /* events before it have been shown to the clauses */
	uint32_t conflict_clause; /* CSP_NONE: a constraint failed */
	uint32_t cause_clause;    /* at work now, or CSP_NONE */
	struct atom *mark;        /* per event: what is needed of it */
	uint8_t *marked;
	size_t mark_room;
	atoms clause, reasons; /* being learned; of the event at hand */
	double *activity;      /* per variable */
	double bump, clause_bump;
	uint32_t *heap, *heap_at; /* variables, the most active first; CSP_NONE: not there */
	uint32_t heap_n;
	uint32_t goal;   /* the variable that is the objective, decided last; CSP_NONE: there is none */
	uint32_t *phase; /* index last taken, or CSP_NONE */
	bool *asleep;    /* constraints that are clauses here, */
	bool taken;      /* once it has been looked which are */
};

/* ---- trail.c: events ---- */
void learn_start(struct csp *n);
void learn_stop(struct csp *n);
void learn_push(struct csp *n, struct atom decision);
void learn_pop(struct csp *n, uint32_t level);
/* Bounds of x before the event numbered `time`. */
uint32_t learn_low(const struct csp *n, uint32_t x, uint32_t time);
uint32_t learn_high(const struct csp *n, uint32_t x, uint32_t time);
bool learn_has(const struct csp *n, uint32_t x, uint32_t i, uint32_t time);
/* The event that made it true; CSP_NONE: it always was. */
uint32_t learn_event(const struct csp *n, struct atom a);
struct atom learn_negation(struct atom a);
struct atom learn_plain(const struct csp *n, struct atom a); /* bounds instead of != and = at the ends of the domain */
enum expr_truth learn_truth(const struct csp *n, struct atom a);

/* ---- reasons, for `explain` ---- */
/* A change is to be explained by what was true before `time`; x CSP_NONE: the failure. */
struct question {
	struct atom what;
	bool failure;
	uint32_t time;
	uint32_t old; /* of LOW and HIGH: the bound before; the values between were lost now */
};
void reason_add(struct csp *n, struct atom a);
void reason_low(struct csp *n, uint32_t x, uint32_t time); /* x is at least what it was then */
void reason_high(struct csp *n, uint32_t x, uint32_t time);
void reason_domain(struct csp *n, uint32_t x, uint32_t time);           /* all that was gone then */
void reason_gone(struct csp *n, uint32_t x, uint32_t i, uint32_t time); /* the index was */
void reason_fixed(struct csp *n, uint32_t x, uint32_t time);            /* it had its only value */
/* The value is at least (at most) so much: as little as needs to be said. It was so then. */
void reason_at_least(struct csp *n, uint32_t x, int64_t value, uint32_t time);
void reason_at_most(struct csp *n, uint32_t x, int64_t value, uint32_t time);
bool reason_lacks(struct csp *n, uint32_t x, int64_t value, uint32_t time); /* false: x had the value */
/* A change value by value: `why` gives the reasons for one that was lost now. False: it cannot, or there are many. */
typedef bool reason_value(struct csp *n, const struct con *c, uint32_t x, int64_t value, uint32_t time);
bool reason_values(struct csp *n, const struct con *c, const struct question *q, reason_value *why);
void learn_explain_all(struct csp *n, const struct con *c, const struct question *q);

/* ---- clauses.c ---- */
uint32_t learn_add_clause(struct csp *n, const struct atom *a, uint32_t count, bool kept,
                          uint32_t levels);        /* its place */
bool learn_assert(struct csp *n, uint32_t clause); /* its first atom must hold */
void learn_forget(struct csp *n);                  /* the less useful half of what was learned */
void learn_bump_clause(struct csp *n, uint32_t clause);
static inline struct clause *clause_at(const struct learn *l, uint32_t place)
{
	assert(place < l->pool.n);
	return (struct clause *)(l->pool.at + place);
}

/* ---- analyse.c ---- */
/* The clause in l->clause, the atom that must hold first; returns the level to go back to. CSP_NONE: there is no
 * solution. The failure is that of l->conflict_clause or n->culprit, or the one in l->reasons (given). */
uint32_t learn_analyse(struct csp *n, bool given, uint32_t *levels);

/* ---- order.c ---- */
void learn_order_start(struct csp *n, const uint32_t *branch, uint32_t count);
void learn_bump(struct csp *n, uint32_t x);
void learn_decay(struct csp *n, const struct csp_tuning *tune);
void learn_order_put(struct csp *n, uint32_t x); /* it is open again */
uint32_t learn_order_next(struct csp *n);        /* the most active open variable, or CSP_NONE */

#endif

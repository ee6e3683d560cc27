/* The inside of a network, for the files of this room only.
 *
 * All that search must undo sits in one array of words, `state`; a piece of it
 * is saved on one trail the first time it changes at a level:
 *
 *     variable x     state[at]      size of the domain
 *                    state[at+1..]  the domain, bit i = value index i
 *     or, many values: state[at+1], state[at+2] its first and last value index; those between are there, too
 *     table, small   state[st..]    the valid tuples, one bit each
 *     table, large   state[st]      number of live words, then the words, ...
 *
 *     trail          ... | w0 w1 .. wk-1 | at<<16 | k | ...     (read from the end)
 *
 * stamp[i] is the moment word i was last saved. Every push starts a new moment,
 * never used before, so "saved already at this level" is one comparison; going
 * back to an older level at worst saves a word twice, which is harmless.
 *
 * changed[c] has bit p set when variable p of c's scope changed since c last ran
 * (positions from 63 on share bit 63); c waits in a queue iff changed[c] != 0. */
#ifndef CSP_CSP_INTERNAL_H
#define CSP_CSP_INTERNAL_H

#include "base/arena.h"
#include "base/bits.h"
#include "base/sym.h"
#include "base/vec.h"
#include "csp/inspect.h"

#include <assert.h>

struct var {
	uint32_t at;    /* in state */
	uint32_t words; /* of the domain */
	uint32_t count; /* values when created */
	uint32_t vals;  /* integers in `numbers`, or CSP_NONE: base, base+1, ... */
	int32_t base;
	uint32_t lit;          /* number of its first (variable, value) pair */
	uint32_t occ, occ_end; /* its constraints in `occ` */
	sym_t name;
	bool symbolic, hidden;
	bool wide; /* an interval */
};

/* Who propagates a constraint; chosen by csp_prepare. The forms of tables are here
 * one by one because the propagation loop runs them itself. */
enum prop {
	PROP_UNSET,
	PROP_UNARY,
	PROP_BINARY,
	PROP_CT1,
	PROP_CT2,
	PROP_CT3,
	PROP_CT4,
	PROP_CT,
	PROP_STR2,
	PROP_NEGATIVE,
	PROP_CHECK,
	PROP_OWN /* the function of its kind */
};

struct con {
	uint8_t kind, prop;
	bool idempotent; /* one run reaches its own fixpoint */
	bool implied;    /* added by a consistency algorithm: not written, not checked */
	bool objective;
	bool costly;  /* runs after the cheap ones */
	bool defines; /* a hidden variable, which has a value whatever the others are */
	uint32_t arity, scope;
	uint32_t relation; /* what it is as a table, or is propagated as; CSP_NONE: no table */
	uint32_t state;    /* its words in `state` */
	void *record;      /* what its kind holds besides the scope: see csp/globals; in `records` */
};

/* A relation over value indices. Rows are kept sorted and distinct. */
struct relation {
	uint32_t arity;
	uint32_t rows;
	bool positive, any; /* any: some cell is CSP_CELL_ANY */
	uint32_t *cells;    /* rows*arity, CSP_CELL_ANY for `*` */
	uint32_t *counts;   /* values at each position */
	uint32_t *first;    /* number of the first (position, value) pair */
	uint32_t pairs;
	uint32_t words;  /* of a tuple set, padded for the small forms */
	uint64_t *with;  /* pair -> tuples that allow it */
	uint64_t *exact; /* pair -> tuples that name it; == with when no `*` */
	/* binary form: row of supports of each value, both directions */
	uint64_t *row[2];
	uint32_t row_words[2];
	uint32_t worst[2];     /* supports that a value of side i lacks at most on the other side */
	uint32_t *unsupported; /* scratch of STR2: epoch marks per pair */
};

struct node { /* of an expression */
	uint16_t op;
	uint16_t depth; /* of the tree below it */
	uint32_t count;
	uint32_t args;     /* in `args` */
	uint32_t position; /* of a variable in the scope */
	int64_t value;     /* constant, or variable */
};

struct occ {
	uint32_t con;
	uint32_t pos; /* bit of `changed` */
};

struct level {
	uint32_t trail, fixed;
	uint64_t now;
};

struct queue {
	uint32_t *at;
	uint32_t head, tail, mask;
};

/* The constraint that bounds a linear objective by others (search/relaxation.c). */
struct relaxation {
	uint32_t con;         /* CSP_NONE: there is none */
	int64_t scale, right; /* its bound is scale * (what the objective may still be) + right */
	bool on;              /* false: some constraint that it may follow from sleeps */
};

struct nogoods;
struct deps;
struct learn;
struct share;

struct csp {
	VEC(struct var) vars;
	VEC(struct con) cons;
	VEC(uint32_t) scopes;
	VEC(uint32_t) origins; /* per constraint: first part of what it is a part of; those past the end are whole */
	VEC(int32_t) numbers;
	struct arena records;
	VEC(struct relation) relations;
	VEC(struct node) nodes;
	VEC(uint32_t) args;
	struct symbols names, symbols;
	uint32_t literals;

	VEC(uint64_t) state;
	uint64_t *stamp;
	uint64_t now, clock;
	VEC(uint64_t) trail;
	VEC(struct level) levels;
	uint32_t *fixed; /* variables with one value, in the order they got it */
	uint32_t fixed_n;

	struct occ *occ;
	uint64_t *changed;
	struct queue cheap, costly;
	uint64_t *waiting;                /* one bit per constraint, instead of the queues (csp_in_order) */
	uint32_t waiting_n, waiting_from; /* bits set; no word before this one has any */
	uint32_t running;                 /* not woken by its own changes; CSP_NONE: all are woken */
	uint32_t cause;                   /* the constraint at work, for explanations */
	uint32_t guard;                   /* variable + 1 that it also depends on (reified.c); 0: none */
	uint32_t culprit;                 /* constraint of the last failure, or CSP_NONE */
	double *weight;
	double weight_step, weight_decay; /* what a failure adds, which grows where older ones are to count less */
	uint32_t *open;                   /* unfixed variables of each constraint, when counting */
	bool counting;
	bool *asleep;      /* constraints that are not propagated (csp_sleep) */
	bool dead;         /* inconsistent at the root */
	uint32_t prepared; /* constraints indexed so far */
	uint32_t fresh;    /* constraints from here on never ran at the root */
	bool ready;
	bool copy; /* shares what is only read with another network (net_copy) */
	enum csp_table_method table_method;
	enum csp_alldiff_method alldiff_method;
	uint32_t energy_tasks; /* cumulative: of at most so many tasks the energy is looked at */
	uint32_t **memo;       /* per constraint: residues and the like, not undone */
	uint64_t *scratch;
	size_t scratch_words;
	struct nogoods *nogoods;
	struct deps *deps;
	struct learn *learn;

	bool any_wide; /* some variable's domain is an interval */
	bool has_objective, maximise, objective_expr;
	uint32_t objective; /* the constraint that bounds it, CSP_NONE: no bound yet */
	uint32_t objective_root;
	VEC(uint32_t) objective_scope;
	VEC(int64_t) objective_coeffs;
	struct relaxation relaxation;

	uint64_t propagations, checks, removals;
	uint64_t effort;           /* of clause learning, in about as many propagations */
	const struct limit *limit; /* of the solve at work, for long preprocessing */
	bool stopped;
	bool (*run)(struct csp *); /* the propagation loop for this processor */
	struct text error;
};

/* ---- domains ---- */
static inline uint64_t *dom(const struct csp *n, const struct var *v)
{
	assert(v->at + v->words < n->state.n);
	return n->state.at + v->at + 1;
}

static inline uint32_t dom_size(const struct csp *n, uint32_t x)
{
	assert(x < n->vars.n);
	return (uint32_t)n->state.at[n->vars.at[x].at];
}

static inline bool dom_has(const struct csp *n, uint32_t x, uint32_t i)
{
	assert(x < n->vars.n);
	assert(i < n->vars.at[x].count);
	const struct var *v = &n->vars.at[x];
	if (__builtin_expect(v->wide, 0))
		return i >= dom(n, v)[0] && i <= dom(n, v)[1];
	return bits_has(dom(n, v), i);
}

static inline uint32_t dom_first(const struct csp *n, uint32_t x)
{
	assert(x < n->vars.n);
	const struct var *v = &n->vars.at[x];
	const uint64_t *d = dom(n, v);
	uint32_t w = 0;
	if (__builtin_expect(v->wide, 0))
		return (uint32_t)d[0];
	while (!d[w])
		w++;
	return w * 64 + (uint32_t)__builtin_ctzll(d[w]);
}

static inline uint32_t dom_last(const struct csp *n, uint32_t x)
{
	assert(x < n->vars.n);
	const struct var *v = &n->vars.at[x];
	const uint64_t *d = dom(n, v);
	uint32_t w = v->words - 1;
	if (__builtin_expect(v->wide, 0))
		return (uint32_t)d[1];
	while (!d[w])
		w--;
	return w * 64 + 63 - (uint32_t)__builtin_clzll(d[w]);
}

static inline int32_t var_value(const struct csp *n, const struct var *v, uint32_t i)
{
	assert(v->at + v->words < n->state.n);
	return v->vals == CSP_NONE ? v->base + (int32_t)i : n->numbers.at[v->vals + i];
}

static inline int32_t dom_min(const struct csp *n, uint32_t x)
{
	assert(x < n->vars.n);
	return var_value(n, &n->vars.at[x], dom_first(n, x));
}

static inline int32_t dom_max(const struct csp *n, uint32_t x)
{
	assert(x < n->vars.n);
	return var_value(n, &n->vars.at[x], dom_last(n, x));
}

#define DOM_EACH(i, n, x) BITS_EACH (i, dom((n), &(n)->vars.at[x]), (n)->vars.at[x].count)

/* ---- the trail ---- */
static inline void state_save(struct csp *n, uint32_t at, uint32_t k)
{
	if (n->stamp[at] == n->now)
		return;
	n->stamp[at] = n->now;
	if (__builtin_expect(n->trail.n + k + 1 > n->trail.cap, 0))
		vec_reserve(&n->trail, n->trail.n + k + 1);
	uint64_t *t = n->trail.at + n->trail.n;
	for (uint32_t i = 0; i < k; i++)
		t[i] = n->state.at[at + i];
	t[k] = (uint64_t)at << 16 | k;
	n->trail.n += k + 1;
}

/* ---- waking constraints ---- */
static inline void queue_put(struct queue *q, uint32_t c)
{
	q->at[q->tail++ & q->mask] = c;
}

static inline void con_wake(struct csp *n, uint32_t c, uint64_t bit)
{
	assert(c < n->cons.n);
	uint64_t old = n->changed[c];
	n->changed[c] = old | bit;
	if (old)
		return;
	if (n->waiting) {
		n->waiting[c / 64] |= UINT64_C(1) << c % 64;
		n->waiting_n++;
		if (c / 64 < n->waiting_from)
			n->waiting_from = c / 64;
	} else {
		queue_put(n->cons.at[c].costly ? &n->costly : &n->cheap, c);
	}
}

/* The constraint to run next, or CSP_NONE. */
static inline uint32_t con_next(struct csp *n)
{
	if (n->waiting) {
		if (!n->waiting_n)
			return CSP_NONE;
		while (!n->waiting[n->waiting_from])
			n->waiting_from++;
		uint64_t *w = &n->waiting[n->waiting_from];
		uint32_t c = n->waiting_from * 64 + (uint32_t)__builtin_ctzll(*w);
		*w &= *w - 1;
		n->waiting_n--;
		return c;
	}
	struct queue *q = n->cheap.head != n->cheap.tail ? &n->cheap : &n->costly;
	return q->head == q->tail ? CSP_NONE : q->at[q->head++ & q->mask];
}

void csp_explain(struct csp *n, uint32_t x);
void csp_learn_changed(struct csp *n, uint32_t x);
bool csp_learn_clauses(struct csp *n);
void csp_nogood_fixed(struct csp *n, uint32_t x);
void csp_notify_fixed(struct csp *n, uint32_t x);

/* The domain of x has shrunk (and is not empty). */
static inline void var_changed(struct csp *n, uint32_t x)
{
	assert(x < n->vars.n);
	const struct var *v = &n->vars.at[x];
	uint32_t running = n->running;
	for (const struct occ *o = n->occ + v->occ, *end = n->occ + v->occ_end; o < end; o++)
		if (o->con != running)
			con_wake(n, o->con, UINT64_C(1) << o->pos);
	if (n->state.at[v->at] == 1)
		csp_notify_fixed(n, x);
	if (__builtin_expect(n->deps != NULL, 0))
		csp_explain(n, x);
	if (__builtin_expect(n->learn != NULL, 0))
		csp_learn_changed(n, x);
}

/* Hot form for domains of one word: replace it by a smaller one. */
static inline bool dom_shrink1(struct csp *n, uint32_t x, uint64_t now)
{
	assert(x < n->vars.n);
	const struct var *v = &n->vars.at[x];
	if (!now)
		return false;
	state_save(n, v->at, 2);
	uint64_t *s = n->state.at + v->at;
	uint32_t k = (uint32_t)__builtin_popcountll(now);
	n->removals += s[0] - k;
	s[0] = k;
	s[1] = now;
	var_changed(n, x);
	return true;
}

/* General forms; each wakes the constraints once. False: the domain would be empty. */
bool dom_drop(struct csp *n, uint32_t x, uint32_t i);
bool dom_fix(struct csp *n, uint32_t x, uint32_t i);
bool dom_keep(struct csp *n, uint32_t x, const uint64_t *mask); /* AND */
bool dom_at_least(struct csp *n, uint32_t x, int64_t value);
bool dom_at_most(struct csp *n, uint32_t x, int64_t value);
static inline bool dom_drop_value(struct csp *n, uint32_t x, int64_t value)
{
	assert(x < n->vars.n);
	uint32_t i = csp_index(n, x, value);
	return i == CSP_NONE || dom_drop(n, x, i);
}

static inline const uint32_t *con_scope(const struct csp *n, const struct con *c)
{
	assert(c->scope + c->arity <= n->scopes.n);
	return n->scopes.at + c->scope;
}

static inline uint64_t *net_scratch(struct csp *n, size_t words)
{
	if (n->scratch_words < words) {
		n->scratch = mem_resize(n->scratch, words, sizeof *n->scratch);
		n->scratch_words = words;
	}
	return n->scratch;
}

/* ---- propagators: false on failure ---- */
bool csp_run_plain(struct csp *n);
bool csp_run_avx2(struct csp *n);
bool csp_prop_ct(struct csp *n, uint32_t c, uint64_t changed);
bool csp_prop_str2(struct csp *n, uint32_t c, uint64_t changed);
bool csp_prop_negative(struct csp *n, uint32_t c);
bool csp_prop_check(struct csp *n, uint32_t c);
bool csp_prop_nogoods(struct csp *n);

/* Long preprocessing asks this now and then. */
static inline bool net_stopped(struct csp *n)
{
	if (n->limit && !n->stopped)
		n->stopped = limit_reached(n->limit);
	return n->stopped;
}

/* ---- what must hold of all this after propagation (check.c; base/check.h) ---- */
void net_check(struct csp *n);

/* ---- building ---- */
void net_index(struct csp *n);       /* make ready, without propagating */
void net_push(struct csp *n);        /* a level, whatever waits in the queue */
struct csp *net_copy(struct csp *n); /* for another thread: see copy.c; freed by csp_free, before the original */
void net_free_copy(struct csp *n);
uint32_t net_refuse(struct csp *n, const char *format, ...) __attribute__((format(printf, 2, 3)));
uint32_t net_add(struct csp *n, enum csp_kind kind, const uint32_t *scope, size_t arity, const void *record);
bool net_scope_ok(struct csp *n, const uint32_t *scope, size_t arity);
bool net_wide_ok(struct csp *n, enum csp_kind kind, const uint32_t *scope,
                 size_t arity);                    /* can the kind do with intervals? */
uint32_t net_words(struct csp *n, uint32_t words); /* fresh zeroed state words; returns their place */
uint32_t relation_make(struct csp *n, const uint32_t *counts, uint32_t arity, uint32_t *cells, size_t rows,
                       bool positive);
void relation_free(struct relation *t);
size_t relation_memory(const struct csp *n, uint32_t c); /* numbers in its memo; 0: it has none as a table */
enum prop relation_attach(struct csp *n, uint32_t c);    /* choose the form, build masks, reserve state */
bool relation_holds(const struct relation *t, const uint32_t *at);
bool relation_has_row(const struct relation *t, const uint32_t *cells); /* exactly this row */
enum expr_truth { EXPR_FALSE, EXPR_TRUE, EXPR_OPEN };
enum expr_truth expr_truth(struct csp *n, uint32_t root);                                /* in the present domains */
bool expr_can_hold(struct csp *n, uint32_t root, uint32_t x, int64_t low, int64_t high); /* with x in low..high */
bool expr_total(struct csp *n, uint32_t root); /* defined for all values of the domains */
bool expr_safe(struct csp *n, uint32_t root);  /* no overflow for any values of the domains */
bool con_holds(struct csp *n, uint32_t c, const uint32_t *at);
void sum_set_bound(struct csp *n, uint32_t c, int64_t k);
void *sum_copy(struct csp *to, const struct con *c); /* its record, in another network */
/* What a sum says about its scope. False: the constraint is none. */
struct linear {
	const int64_t *coeffs;
	enum csp_relation relation;
	int64_t k;
};
bool sum_linear(const struct con *c, struct linear *out);
/* allDifferent without exceptions is a set of binary constraints: two equal values
 * are a conflict long before the constraint is complete. */
bool con_is_clique(const struct con *c);

/* ---- nogoods and explanations (nogood.c, explain.c) ---- */
void nogoods_start(struct csp *n);
void nogoods_stop(struct csp *n);
bool nogoods_add(struct csp *n, const uint32_t *lits, uint32_t count);
const uint32_t *nogoods_of_cause(const struct csp *n, uint32_t cause, uint32_t *count);
uint32_t nogoods_var(const struct csp *n, uint32_t lit);
size_t nogoods_count(const struct csp *n);
void deps_start(struct csp *n);
void deps_stop(struct csp *n);

/* ---- searches behind csp_solve ---- */
struct search {
	struct csp *n;
	const struct csp_options *o;
	struct csp_stats *s;
	uint32_t base; /* level it started on */
	const uint32_t *branch;
	uint32_t branch_n;
	int32_t *values; /* one per variable: the solution shown */
	struct rng rng;
	bool stop;          /* a limit or the caller said so */
	uint32_t last;      /* last conflict's variable */
	uint32_t *class_of; /* value symmetry */
	uint64_t next_poll;
	uint64_t pause; /* after so many propagations of the network another search has its turn; 0: never */
	bool paused;
	bool (*leaf)(struct search *s); /* instead of showing a solution; false: stop */
	void *hook;
	bool keep;
	bool first;          /* a solution ends the turn */
	struct share *share; /* with searches on other threads; NULL: there are none */
	int64_t bound;       /* of theirs that the network has */
	uint64_t counted;    /* nodes that they know of */
};
bool search_dispatch(struct search *s); /* by its algorithm; true: space exhausted */
bool search_mac(struct search *s);      /* true: space exhausted */
bool search_learn(struct search *s);
bool search_auto(struct search *s);
bool search_lns(struct search *s);
bool search_portfolio(struct search *s);
uint64_t search_luby(uint64_t i); /* 1 1 2 1 1 2 4 ... */
bool search_backtrack(struct search *s);
bool search_components(struct search *s);
bool search_tree(struct search *s);
bool search_cutset(struct search *s);
bool search_decomposition(struct search *s);
/* Which open variables share a constraint: one row of `words` words of bits per variable. The caller frees it. */
uint64_t *search_neighbours(const struct csp *n, uint32_t words);
bool search_min_conflicts(struct search *s);
bool search_show(struct search *s);        /* the current state is a solution; false: stop */
bool search_show_values(struct search *s); /* s->values is one */
bool search_limit(struct search *s);       /* polls; true: stop */
bool search_incumbent(struct search *s);   /* s->values is the best solution so far; false: there is none */
/* ---- threads (portfolio.c): of searches with a share only ---- */
void share_poll(struct search *s);      /* the others' bound */
void share_count(struct search *s);     /* its own nodes */
void share_offer(struct search *s);     /* s->values is a solution, perhaps of use */
bool share_incumbent(struct search *s); /* the best solution of all, into s->values; false: there is none */
/* What to try next: x is the value at index i, or among those up to it, or from it on. */
struct choice {
	uint32_t x, i; /* x CSP_NONE: all is decided */
	enum { CHOICE_IS, CHOICE_AT_MOST, CHOICE_AT_LEAST } op;
};
struct choice order_choose(struct search *s);
void order_blame(struct csp *n, uint32_t c); /* the constraint has failed: it is heavier */
uint32_t order_value(struct search *s, uint32_t x, enum csp_value_order values);
bool choice_make(struct csp *n, struct choice c);   /* false: the domain would be empty */
bool choice_refute(struct csp *n, struct choice c); /* the opposite */
#define CSP_NO_BOUND ((int64_t)1 << 60)             /* a bound that bounds nothing */
void objective_tighten(struct csp *n, int64_t value);
void objective_wake(struct csp *n); /* lets its bound be propagated, if it has one */
/* ---- energy of tasks (globals/cumulative.c) ---- */
void cumulative_start(struct csp *n, uint32_t most_tasks); /* of a search: as if none had been before */
/* ---- a bound from all linear constraints together (relaxation.c) ---- */
void relaxation_start(struct csp *n);               /* of a search: can it be used? */
bool relaxation_add(struct csp *n, uint64_t steps); /* at the root, once; false: it would say nothing new */
void relaxation_tighten(struct csp *n, int64_t value);
bool objective_value(struct csp *n, const int32_t *values, int64_t *out);

#endif

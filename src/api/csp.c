/* Constraint networks: the public face of src/csp. */
#include "api/csp_handle.h"

#include "csp/judge/judge.h"
#include "csp/xcsp3/load.h"
#include "scsp/xcsp3_type.h"

#include <stdlib.h>

/* ---- the same numbers inside and outside ---- */

#define SAME(outside, inside) _Static_assert((int)(outside) == (int)(inside), "the public numbers are those of csp.h")
/* Kinds that are added to the end of the list need no public number at once. */
SAME(MACAW_CSP_TABLE, CSP_TABLE);
SAME(MACAW_CSP_SUM, CSP_SUM);
SAME(MACAW_CSP_CHANNEL, CSP_CHANNEL);
SAME(MACAW_CSP_MINIMUM, CSP_MINIMUM);
SAME(MACAW_CSP_REIFIED, CSP_REIFIED_KIND);
#define X(id, name, least, most) SAME(MACAW_CSP_OP_##id, CSP_OP_##id);
CSP_OPERATORS(X)
#undef X
#define X(id, name, help) SAME(MACAW_CSP_##id, CSP_ALG_##id);
CSP_ALGORITHMS(X)
#undef X
#define X(id, name, help) SAME(MACAW_CSP_CONSISTENCY_##id, CSP_LEVEL_##id + 1);
CSP_LEVELS(X)
#undef X
#define X(id, name, help) SAME(MACAW_CSP_ORDER_##id, CSP_ORDER_##id + 1);
CSP_ORDERS(X)
#undef X
#define X(id, name, help) SAME(MACAW_CSP_VALUE_##id, CSP_VALUE_##id);
CSP_VALUES(X)
#undef X
SAME(MACAW_CSP_EQ, CSP_EQ);
SAME(MACAW_CSP_NE, CSP_NE);
SAME(MACAW_CSP_LT, CSP_LT);
SAME(MACAW_CSP_LE, CSP_LE);
SAME(MACAW_CSP_GE, CSP_GE);
SAME(MACAW_CSP_GT, CSP_GT);
SAME(MACAW_CSP_OPTIMUM, CSP_OPTIMUM);
SAME(MACAW_CSP_UNSAT, CSP_UNSAT);
SAME(MACAW_CSP_STOPPED, CSP_STOPPED);
SAME(MACAW_CSP_RESTART_GEOMETRIC, CSP_RESTART_GEOMETRIC);
SAME(MACAW_CSP_TABLE_STR2, CSP_TABLE_STR2);
SAME(MACAW_CSP_ALLDIFF_SIMPLE, CSP_ALLDIFF_SIMPLE);
SAME(MACAW_NONE, CSP_NONE);
SAME(MACAW_CSP_ANY, CSP_ANY);
SAME(MACAW_CSP_MAX_DOMAIN, CSP_MAX_BITS);

#define X(id, name, help) {name, help},
static const struct named algorithms[] = {CSP_ALGORITHMS(X)};
static const struct named levels[] = {{"default", "ac"}, CSP_LEVELS(X)};
static const struct named orders[] = {{"default", "dom/wdeg"}, CSP_ORDERS(X)};
static const struct named value_orders[] = {CSP_VALUES(X)};
#undef X
#define X(id, name, least, most) {name, NULL},
static const struct named operators[] = {CSP_OPERATORS(X)};
#undef X

const char *macaw_csp_kind_name(enum macaw_csp_kind k)
{
	return (unsigned)k < CSP_KIND_COUNT ? csp_kind_name((enum csp_kind)k) : NULL;
}

const char *macaw_csp_operator_name(enum macaw_csp_operator o)
{
	return PICK(operators, o, name);
}

const char *macaw_csp_algorithm_name(enum macaw_csp_algorithm a)
{
	return PICK(algorithms, a, name);
}

const char *macaw_csp_algorithm_help(enum macaw_csp_algorithm a)
{
	return PICK(algorithms, a, help);
}

const char *macaw_csp_consistency_name(enum macaw_csp_consistency c)
{
	return PICK(levels, c, name);
}

const char *macaw_csp_consistency_help(enum macaw_csp_consistency c)
{
	return PICK(levels, c, help);
}

const char *macaw_csp_order_name(enum macaw_csp_order o)
{
	return PICK(orders, o, name);
}

const char *macaw_csp_order_help(enum macaw_csp_order o)
{
	return PICK(orders, o, help);
}

const char *macaw_csp_value_order_name(enum macaw_csp_value_order v)
{
	return PICK(value_orders, v, name);
}

const char *macaw_csp_value_order_help(enum macaw_csp_value_order v)
{
	return PICK(value_orders, v, help);
}

/* ---- handles ---- */

macaw_csp *api_csp_wrap(struct csp *n, struct handle *owner, macaw_error *e)
{
	macaw_csp *w = calloc(1, sizeof *w);
	if (!w || !handle_open(&w->own, e)) {
		free(w);
		api_fail(e, MACAW_MEMORY, "out of memory");
		return NULL;
	}
	w->n = n;
	w->in = owner ? owner : &w->own;
	return w;
}

void api_csp_give(macaw_csp *n, struct handle *owner)
{
	n->in = owner;
}

void api_csp_drop(macaw_csp *n)
{
	if (!n)
		return;
	n->own.broken |= n->in->broken; /* what it was made of goes with its owner */
	handle_close(&n->own);
	free(n);
}

macaw_csp *macaw_csp_new(macaw_error *e)
{
	macaw_csp *n = api_csp_wrap(NULL, NULL, e);
	if (!n)
		return NULL;
	GUARD(n->in, e, (api_csp_drop(n), NULL), n->n = csp_new());
	return n;
}

void macaw_csp_free(macaw_csp *n)
{
	if (!n)
		return;
	if (!n->in->broken)
		csp_free(n->n);
	api_csp_drop(n);
}

const macaw_error *macaw_csp_error(const macaw_csp *n)
{
	return &n->error;
}

/* What a builder made; when it refused, the network says why. */
static uint32_t built(macaw_csp *n, uint32_t id)
{
	if (id == CSP_NONE)
		api_fail(&n->error, MACAW_USAGE, "%s", *csp_error(n->n) ? csp_error(n->n) : "there is no such expression");
	return id;
}

#define BUILD(n, ...) \
	uint32_t made; \
	GUARD((n)->in, &(n)->error, MACAW_NONE, made = __VA_ARGS__); \
	return built(n, made)

/* Refuses a relation that there is not. */
#define RELATED(n, r) \
	do { \
		if ((unsigned)(r) > MACAW_CSP_EQ) { \
			api_fail(&(n)->error, MACAW_USAGE, "there is no relation with this number"); \
			return MACAW_NONE; \
		} \
	} while (0)

/* A question that allocates nothing. */
#define ASK(n, missing, ...) return (n)->in->broken ? (missing) : (__VA_ARGS__)

/* A change that cannot fail but for memory. */
#define CHANGE(n, ...) GUARD((n)->in, &(n)->error, , __VA_ARGS__)

/* One that says no where the network does. */
#define TRY(n, ...) \
	bool ok; \
	GUARD((n)->in, &(n)->error, false, ok = __VA_ARGS__); \
	return ok

/* ---- variables ---- */

uint32_t macaw_csp_var_range(macaw_csp *n, const char *name, int32_t low, int32_t high)
{
	if ((int64_t)high - low >=
	    MACAW_CSP_MAX_DOMAIN) { /* intervals are for the reader of XCSP3, which knows where they fit */
		api_fail(&n->error, MACAW_USAGE, "variable %s has %lld values; %d is the limit", name ? name : "",
		         (long long)high - low + 1, MACAW_CSP_MAX_DOMAIN);
		return MACAW_NONE;
	}
	BUILD(n, csp_var_range(n->n, name ? name : "", low, high));
}

uint32_t macaw_csp_var_values(macaw_csp *n, const char *name, const int32_t *values, size_t count)
{
	BUILD(n, csp_var_values(n->n, name ? name : "", values, count));
}

uint32_t macaw_csp_var_symbols(macaw_csp *n, const char *name, const char *const *symbols, size_t count)
{
	BUILD(n, csp_var_symbols(n->n, name ? name : "", symbols, count));
}

uint32_t macaw_csp_variables(const macaw_csp *n)
{
	ASK(n, 0, csp_variables(n->n));
}

const char *macaw_csp_name(const macaw_csp *n, uint32_t x)
{
	ASK(n, "", csp_name(n->n, x));
}

uint32_t macaw_csp_find(const macaw_csp *n, const char *name)
{
	ASK(n, MACAW_NONE, csp_find(n->n, name ? name : ""));
}

uint32_t macaw_csp_count(const macaw_csp *n, uint32_t x)
{
	ASK(n, 0, csp_count(n->n, x));
}

int32_t macaw_csp_value(const macaw_csp *n, uint32_t x, uint32_t at)
{
	ASK(n, 0, csp_value(n->n, x, at));
}

uint32_t macaw_csp_index(const macaw_csp *n, uint32_t x, int64_t value)
{
	ASK(n, MACAW_NONE, csp_index(n->n, x, value));
}

uint32_t macaw_csp_symbol(macaw_csp *n, const char *symbol)
{
	BUILD(n, csp_symbol(n->n, symbol ? symbol : ""));
}

uint32_t macaw_csp_symbols(const macaw_csp *n)
{
	ASK(n, 0, csp_symbols(n->n));
}

const char *macaw_csp_symbol_text(const macaw_csp *n, int32_t value)
{
	ASK(n, "?", csp_symbol_text(n->n, value));
}

bool macaw_csp_symbolic(const macaw_csp *n, uint32_t x)
{
	ASK(n, false, csp_symbolic(n->n, x));
}

void macaw_csp_hide(macaw_csp *n, uint32_t x)
{
	CHANGE(n, if (x < csp_variables(n->n)) csp_hide(n->n, x));
}

bool macaw_csp_hidden(const macaw_csp *n, uint32_t x)
{
	ASK(n, false, csp_hidden(n->n, x));
}

/* ---- constraints ---- */

uint32_t macaw_csp_add_table(macaw_csp *n, const uint32_t *scope, size_t arity, const int32_t *tuples, size_t rows,
                             bool positive)
{
	BUILD(n, csp_add_table(n->n, scope, arity, tuples, rows, positive));
}

uint32_t macaw_csp_add_table_like(macaw_csp *n, const uint32_t *scope, uint32_t like)
{
	BUILD(n, csp_add_table_like(n->n, scope, like));
}

uint32_t macaw_csp_add_intension(macaw_csp *n, uint32_t expression)
{
	BUILD(n, csp_add_intension(n->n, expression));
}

uint32_t macaw_csp_add_alldiff(macaw_csp *n, const uint32_t *scope, size_t arity, const int32_t *except,
                               size_t excepted)
{
	BUILD(n, csp_add_alldiff(n->n, scope, arity, except, excepted));
}

uint32_t macaw_csp_add_sum(macaw_csp *n, const uint32_t *scope, const int64_t *coefficients, size_t arity,
                           enum macaw_csp_relation r, int64_t k)
{
	RELATED(n, r);
	BUILD(n, csp_add_sum(n->n, scope, coefficients, arity, (enum csp_relation)r, k));
}

uint32_t macaw_csp_add_element(macaw_csp *n, const uint32_t *list, size_t count, int32_t start, uint32_t index,
                               uint32_t value)
{
	BUILD(n, csp_add_element(n->n, list, count, start, index, value));
}

uint32_t macaw_csp_add_count(macaw_csp *n, const uint32_t *list, size_t count, const int32_t *values,
                             size_t value_count, enum macaw_csp_relation r, int64_t k, uint32_t kx)
{
	RELATED(n, r);
	BUILD(n, csp_add_count(n->n, list, count, values, value_count, (enum csp_relation)r, k, kx));
}

uint32_t macaw_csp_add_ordered(macaw_csp *n, const uint32_t *list, size_t count, const int64_t *lengths,
                               enum macaw_csp_relation r)
{
	RELATED(n, r);
	BUILD(n, csp_add_ordered(n->n, list, count, lengths, (enum csp_relation)r));
}

uint32_t macaw_csp_add_lex(macaw_csp *n, const uint32_t *a, const uint32_t *b, size_t count, enum macaw_csp_relation r)
{
	RELATED(n, r);
	BUILD(n, csp_add_lex(n->n, a, b, count, (enum csp_relation)r));
}

uint32_t macaw_csp_add_instantiation(macaw_csp *n, const uint32_t *list, size_t count, const int32_t *values)
{
	BUILD(n, csp_add_instantiation(n->n, list, count, values));
}

uint32_t macaw_csp_add_channel(macaw_csp *n, const uint32_t *a, size_t a_count, int32_t a_start, const uint32_t *b,
                               size_t b_count, int32_t b_start)
{
	BUILD(n, csp_add_channel(n->n, a, a_count, a_start, b, b_count, b_start));
}

uint32_t macaw_csp_add_no_overlap(macaw_csp *n, const uint32_t *origins, const int64_t *lengths, size_t count)
{
	BUILD(n, csp_add_no_overlap(n->n, origins, lengths, count));
}

uint32_t macaw_csp_add_extremum(macaw_csp *n, bool maximum, const uint32_t *list, size_t count, uint32_t value)
{
	BUILD(n, csp_add_extremum(n->n, maximum, list, count, value));
}

uint32_t macaw_csp_expr_const(macaw_csp *n, int64_t value)
{
	BUILD(n, csp_expr_const(n->n, value));
}

uint32_t macaw_csp_expr_var(macaw_csp *n, uint32_t x)
{
	BUILD(n, csp_expr_var(n->n, x));
}

uint32_t macaw_csp_expr(macaw_csp *n, enum macaw_csp_operator op, const uint32_t *arguments, size_t count)
{
	BUILD(n, csp_expr(n->n, (enum csp_operator)op, arguments, count));
}

bool macaw_csp_objective_sum(macaw_csp *n, const uint32_t *scope, const int64_t *coefficients, size_t arity,
                             bool maximise)
{
	bool ok;
	GUARD(n->in, &n->error, false, ok = csp_objective_sum(n->n, scope, coefficients, arity, maximise));
	return ok || (built(n, CSP_NONE), false);
}

bool macaw_csp_objective_expr(macaw_csp *n, uint32_t expression, bool maximise)
{
	bool ok;
	GUARD(n->in, &n->error, false, ok = csp_objective_expr(n->n, expression, maximise));
	return ok || (built(n, CSP_NONE), false);
}

bool macaw_csp_has_objective(const macaw_csp *n)
{
	ASK(n, false, csp_has_objective(n->n));
}

bool macaw_csp_maximises(const macaw_csp *n)
{
	ASK(n, false, csp_maximises(n->n));
}

void macaw_csp_forget_objective(macaw_csp *n)
{
	CHANGE(n, csp_forget_objective(n->n));
}

uint32_t macaw_csp_constraints(const macaw_csp *n)
{
	ASK(n, 0, csp_constraints(n->n));
}

enum macaw_csp_kind macaw_csp_kind(const macaw_csp *n, uint32_t c)
{
	ASK(n, MACAW_CSP_TABLE, (enum macaw_csp_kind)csp_kind(n->n, c));
}

uint32_t macaw_csp_arity(const macaw_csp *n, uint32_t c)
{
	ASK(n, 0, csp_arity(n->n, c));
}

const uint32_t *macaw_csp_scope(const macaw_csp *n, uint32_t c)
{
	ASK(n, NULL, csp_scope(n->n, c));
}

uint32_t macaw_csp_rows(const macaw_csp *n, uint32_t c)
{
	ASK(n, 0, csp_rows(n->n, c));
}

bool macaw_csp_check_at(macaw_csp *n, uint32_t c, const uint32_t *at)
{
	TRY(n, csp_check_at(n->n, c, at));
}

bool macaw_csp_check(macaw_csp *n, const int32_t *values)
{
	TRY(n, csp_check_values(n->n, values));
}

uint32_t macaw_csp_degree(macaw_csp *n, uint32_t x)
{
	uint32_t degree;
	GUARD(n->in, &n->error, 0, degree = csp_degree(n->n, x));
	return degree;
}

uint32_t macaw_csp_constraint_of(macaw_csp *n, uint32_t x, uint32_t k)
{
	uint32_t c;
	GUARD(n->in, &n->error, MACAW_NONE, c = csp_constraint_of(n->n, x, k));
	return c;
}

/* ---- domains, levels, propagation ---- */

bool macaw_csp_prepare(macaw_csp *n)
{
	TRY(n, csp_prepare(n->n));
}

uint32_t macaw_csp_level(const macaw_csp *n)
{
	ASK(n, 0, csp_level(n->n));
}

void macaw_csp_push(macaw_csp *n)
{
	CHANGE(n, csp_push(n->n));
}

void macaw_csp_pop(macaw_csp *n, uint32_t to_level)
{
	CHANGE(n, csp_pop(n->n, to_level));
}

uint32_t macaw_csp_size(const macaw_csp *n, uint32_t x)
{
	ASK(n, 0, csp_size(n->n, x));
}

bool macaw_csp_has_at(const macaw_csp *n, uint32_t x, uint32_t at)
{
	ASK(n, false, csp_has_at(n->n, x, at));
}

uint32_t macaw_csp_next_at(const macaw_csp *n, uint32_t x, uint32_t from)
{
	ASK(n, MACAW_NONE, csp_next_at(n->n, x, from));
}

int32_t macaw_csp_min(const macaw_csp *n, uint32_t x)
{
	ASK(n, 0, csp_min(n->n, x));
}

int32_t macaw_csp_max(const macaw_csp *n, uint32_t x)
{
	ASK(n, 0, csp_max(n->n, x));
}

bool macaw_csp_assign_at(macaw_csp *n, uint32_t x, uint32_t at)
{
	TRY(n, csp_assign_at(n->n, x, at));
}

bool macaw_csp_forbid_at(macaw_csp *n, uint32_t x, uint32_t at)
{
	TRY(n, csp_forbid_at(n->n, x, at));
}

bool macaw_csp_assign(macaw_csp *n, uint32_t x, int64_t value)
{
	TRY(n, csp_assign(n->n, x, value));
}

bool macaw_csp_forbid(macaw_csp *n, uint32_t x, int64_t value)
{
	TRY(n, csp_forbid(n->n, x, value));
}

bool macaw_csp_propagate(macaw_csp *n)
{
	TRY(n, csp_propagate(n->n));
}

uint64_t macaw_csp_propagations(const macaw_csp *n)
{
	ASK(n, 0, csp_propagations(n->n));
}

void macaw_csp_in_order(macaw_csp *n)
{
	CHANGE(n, csp_in_order(n->n));
}

void macaw_csp_sleep(macaw_csp *n, uint32_t c)
{
	CHANGE(n, csp_sleep(n->n, c));
}

void macaw_csp_wake(macaw_csp *n, uint32_t c)
{
	CHANGE(n, csp_wake(n->n, c));
}

/* ---- search ---- */

void macaw_csp_methods(macaw_csp *n, enum macaw_csp_table_method t, enum macaw_csp_alldiff_method a)
{
	CHANGE(n, csp_methods(n->n, (enum csp_table_method)t, (enum csp_alldiff_method)a));
}

void api_csp_stats(const struct csp_stats *from, macaw_csp_stats *to)
{
#define X(name) to->name = from->name;
	CSP_COUNTERS(X)
#undef X
	to->seconds = from->seconds;
	to->complete = from->complete;
	to->has_best = from->has_best;
	to->best = from->best;
	to->refused = from->refused;
}

static const struct counter counters[] = {
#define X(name) {#name, offsetof(macaw_csp_stats, name)},
	CSP_COUNTERS(X)
#undef X
};

const char *macaw_csp_counter_name(size_t i)
{
	return PICK(counters, i, name);
}

uint64_t macaw_csp_counter(const macaw_csp_stats *s, size_t i)
{
	return PICK_COUNTER(counters, s, i);
}

struct solution_report { /* of solutions, from the inside to the outside */
	macaw_csp *n;
	const macaw_csp_options *o;
	struct csp_phase *phases;
};

static bool report_solution(void *user, const struct csp *n, const int32_t *values)
{
	struct solution_report *t = user;
	bool more = t->o->solution(t->o->context, t->n, values);
	if (t->n->in->broken) /* a question about the network ran out of memory: the search does, too */
		mem_fail();
	return more;
}

static void report_progress(void *user, const struct csp_stats *so_far)
{
	const struct solution_report *t = user;
	macaw_csp_stats outside;
	api_csp_stats(so_far, &outside);
	t->o->progress(t->o->context, &outside);
}

static bool ask_bound(void *user, int64_t *value)
{
	struct solution_report *t = user;
	return t->o->bound(t->o->context, value);
}

/* ---- numbers that steer the searches ---- */

static const struct opt tunings[] = {CSP_TUNING(TUNING_ROW, struct csp_tuning, ){0}};

bool macaw_csp_tuning_at(size_t i, macaw_csp_tuning *out)
{
	if (i + 1 >= sizeof tunings / sizeof *tunings)
		return false;
	const struct opt *o = &tunings[i];
	bool whole = o->kind == OPT_INT;
	*out = (macaw_csp_tuning){o->name, o->help, whole ? (double)o->whole : o->real, o->min, o->max, whole};
	return true;
}

static bool read_tuning(const char *words, struct csp_tuning *into, struct text *error)
{
	struct text all = {0};
	bool good = true;
	opt_defaults(tunings, into);
	text_puts(&all, words ? words : "");
	for (char *at = all.at, *next; good && at && *at; at = next) {
		next = at + strcspn(at, ":");
		if (*next)
			*next++ = 0;
		char *equals = strchr(at, '=');
		if (equals)
			*equals = 0;
		good = opt_set(tunings, into, at, equals ? equals + 1 : NULL, error);
	}
	text_free(&all);
	return good;
}

static bool check_tuning(const char *words, macaw_error *e)
{
	struct csp_tuning unused;
	struct text error = {0};
	bool good = read_tuning(words, &unused, &error);
	if (!good)
		api_fail_text(e, MACAW_USAGE, &error);
	text_free(&error);
	return good;
}

bool macaw_csp_tuning_check(const char *words, macaw_error *e)
{
	struct handle own = {0};
	bool good = false;
	api_clear(e);
	if (!handle_open(&own, e))
		return false;
	GUARD(&own, e, (handle_close(&own), false), good = check_tuning(words, e));
	handle_close(&own);
	return good;
}

static struct csp_options inside_options(const macaw_csp_options *o, struct solution_report *t)
{
	struct csp_options c = csp_defaults;
	c.algorithm = (enum csp_algorithm)o->algorithm;
	c.values = (enum csp_value_order)o->values;
	c.restarts = (enum csp_restarts)o->restarts;
	if (o->consistency)
		c.consistency = (enum csp_consistency)(o->consistency - 1);
	if (o->order)
		c.order = (enum csp_order)(o->order - 1);
	if (o->k)
		c.k = o->k;
	if (o->restart_unit)
		c.restart_unit = o->restart_unit;
	c.nogoods = o->nogoods;
	c.last_conflict = o->last_conflict;
	c.value_symmetry = o->value_symmetry;
	c.keep_weights = o->keep_weights;
	c.max_solutions = o->all ? 0 : o->max_solutions ? o->max_solutions : 1;
	c.max_nodes = o->max_nodes;
	c.limit = api_limit(o->limit);
	c.seed = o->seed;
	c.threads = o->threads;
	c.branch = o->branch;
	c.branch_count = o->branch_count;
	c.free = o->free;
	read_tuning(o->tuning, &c.tune, NULL); /* it was looked at before */
	c.phases = t->phases;
	c.phase_count = t->phases ? o->phase_count : 0;
	c.best_only = !o->any;
	c.bound = o->bound ? ask_bound : NULL;
	c.solution = o->solution ? report_solution : NULL;
	c.progress = o->progress ? report_progress : NULL;
	c.user = t;
	return c;
}

static const char *bad_options(const macaw_csp *n, const macaw_csp_options *o)
{
	bool known = macaw_csp_algorithm_name(o->algorithm) && macaw_csp_consistency_name(o->consistency) &&
	             macaw_csp_order_name(o->order) && macaw_csp_value_order_name(o->values) &&
	             (unsigned)o->restarts <= MACAW_CSP_RESTART_GEOMETRIC;
	if (!known)
		return "an option has a number that means nothing";
	for (size_t i = 0; i < o->phase_count; i++) {
		const macaw_csp_phase *p = &o->phases[i];
		if (!macaw_csp_order_name(p->order) || !macaw_csp_value_order_name(p->values))
			return "a phase has a number that means nothing";
		for (size_t k = 0; k < p->count; k++)
			if (p->variables[k] >= csp_variables(n->n))
				return "one of the variables of a phase is not there";
	}
	for (size_t i = 0; o->branch && i < o->branch_count; i++)
		if (o->branch[i] >= csp_variables(n->n))
			return "one of the variables to decide is not there";
	return NULL;
}

static void convert_phases(const macaw_csp_options *o, struct solution_report *t)
{
	t->phases = o->phase_count ? mem_alloc(o->phase_count, sizeof *t->phases) : NULL;
	for (size_t i = 0; i < o->phase_count; i++) {
		const macaw_csp_phase *p = &o->phases[i];
		t->phases[i] = (struct csp_phase){.vars = p->variables,
		                                  .count = p->count,
		                                  .order = p->order ? (enum csp_order)(p->order - 1) : csp_defaults.order,
		                                  .values = (enum csp_value_order)p->values};
	}
}

static enum csp_status solve_inside(macaw_csp *n, const macaw_csp_options *o, struct csp_stats *s)
{
	struct solution_report t = {.n = n, .o = o};
	convert_phases(o, &t);
	struct csp_options c = inside_options(o, &t);
	enum csp_status status = csp_solve(n->n, &c, s);
	mem_free(t.phases);
	return status;
}

enum macaw_csp_status macaw_csp_solve(macaw_csp *n, const macaw_csp_options *o, macaw_csp_stats *s)
{
	static const macaw_csp_options defaults;
	o = o ? o : &defaults;
	struct csp_stats inside = {0};
	enum csp_status status = CSP_UNKNOWN;
	if (s)
		*s = (macaw_csp_stats){0};
	if (!handle_usable(n->in, &n->error))
		return MACAW_CSP_UNKNOWN;
	inside.refused = bad_options(n, o);
	bool tuned = false;
	if (!inside.refused)
		GUARD(n->in, &n->error, MACAW_CSP_UNKNOWN, tuned = check_tuning(o->tuning, &n->error));
	if (!inside.refused && !tuned) {
		if (s)
			s->refused = n->error.text;
		return MACAW_CSP_UNKNOWN;
	}
	if (!inside.refused)
		GUARD(n->in, &n->error, MACAW_CSP_UNKNOWN, status = solve_inside(n, o, &inside));
	if (inside.refused)
		api_fail(&n->error, MACAW_USAGE, "%s", inside.refused);
	if (s)
		api_csp_stats(&inside, s);
	return (enum macaw_csp_status)status;
}

enum macaw_csp_outcome macaw_csp_enforce(macaw_csp *n, enum macaw_csp_consistency level, uint32_t k, macaw_csp_stats *s)
{
	struct csp_stats inside = {0};
	enum csp_outcome out = CSP_STOPPED;
	enum csp_consistency wanted = level ? (enum csp_consistency)(level - 1) : csp_defaults.consistency;
	if (!macaw_csp_consistency_name(level)) {
		api_fail(&n->error, MACAW_USAGE, "there is no consistency with this number");
		return MACAW_CSP_STOPPED;
	}
	GUARD(n->in, &n->error, MACAW_CSP_STOPPED, out = csp_enforce(n->n, wanted, k ? k : csp_defaults.k, &inside));
	if (s)
		api_csp_stats(&inside, s);
	return (enum macaw_csp_outcome)out;
}

/* ---- symmetries ---- */

uint32_t macaw_csp_value_classes(macaw_csp *n, uint32_t *class_of)
{
	uint32_t classes;
	GUARD(n->in, &n->error, 0, classes = csp_value_classes(n->n, class_of));
	return classes;
}

struct symmetry_handle {
	macaw_csp_symmetry outside; /* first: this is what the caller holds */
	macaw_csp *n;
	struct csp_symmetry inside;
};

static void show_symmetry(struct symmetry_handle *h)
{
	const struct csp_symmetry *s = &h->inside;
	h->outside = (macaw_csp_symmetry){.generators = s->generators,
	                                  .literals = s->literals,
	                                  .images = s->images.at,
	                                  .mantissa = s->mantissa,
	                                  .exponent = s->exponent,
	                                  .vertices = s->vertices,
	                                  .held = s->held,
	                                  .edges = s->edges,
	                                  .skipped = s->skipped,
	                                  .seconds = s->seconds,
	                                  .values = s->values,
	                                  .by_values = s->by_values,
	                                  .posted = s->posted,
	                                  .all = s->all};
}

static struct symmetry_handle *find_symmetry(macaw_csp *n, const struct limit *limit)
{
	struct symmetry_handle *h = NEW(struct symmetry_handle);
	h->n = n;
	csp_symmetry_find(n->n, limit, &h->inside);
	show_symmetry(h);
	return h;
}

macaw_csp_symmetry *macaw_csp_symmetry_find(macaw_csp *n, macaw_limit limit)
{
	struct limit l = api_limit(limit);
	struct symmetry_handle *h;
	GUARD(n->in, &n->error, NULL, h = find_symmetry(n, &l));
	return &h->outside;
}

bool macaw_csp_symmetry_break(macaw_csp *n, macaw_csp_symmetry *s)
{
	struct symmetry_handle *h = (struct symmetry_handle *)s;
	GUARD(n->in, &n->error, false, csp_symmetry_break(n->n, &h->inside));
	show_symmetry(h);
	return true;
}

void macaw_csp_symmetry_free(macaw_csp_symmetry *s)
{
	struct symmetry_handle *h = (struct symmetry_handle *)s;
	if (!h || h->n->in->broken)
		return;
	csp_symmetry_free(&h->inside);
	mem_free(h);
}

/* ---- XCSP3 ---- */

enum macaw_xcsp3_type macaw_xcsp3_type_of_file(const char *path)
{
	return (enum macaw_xcsp3_type)xcsp3_type_of_file(path ? path : "");
}

enum macaw_xcsp3_type macaw_xcsp3_type_of(const char *xml, size_t length)
{
	return (enum macaw_xcsp3_type)xcsp3_type_of(xml, length);
}
SAME(MACAW_XCSP3_CSP, XCSP3_CSP);
SAME(MACAW_XCSP3_SCSP, XCSP3_SCSP);
SAME(MACAW_XCSP3_QCSP, XCSP3_QCSP);

void api_fail_source(macaw_error *e, const char *name, const struct csp_source_error *at)
{
	if (at->column)
		api_fail(e, MACAW_INPUT, "%s:%u:%u: error: %s", name, at->line, at->column, at->message);
	else if (at->line)
		api_fail(e, MACAW_INPUT, "%s:%u: error: %s", name, at->line, at->message);
	else
		api_fail(e, MACAW_INPUT, "%s: error: %s", name, at->message);
}

bool api_read_network(const char *path, struct text *t, macaw_error *e)
{
	struct csp_source_error at;
	bool there = xcsp3_load(path, t, &at);
	if (!there)
		api_fail_source(e, path, &at);
	return there;
}

char *macaw_xcsp3_read(const char *path, size_t *length, macaw_error *e)
{
	struct text t = {0};
	struct handle h;
	bool there;
	*length = 0;
	if (!handle_open(&h, e))
		return NULL;
	GUARD(&h, e, (handle_close(&h), NULL), there = api_read_network(path ? path : "", &t, e));
	*length = there ? t.n : 0;
	char *out = there ? api_give(&t) : NULL;
	handle_close(&h);
	return out;
}

/* ---- the judge ---- */

struct macaw_judge {
	struct handle own;
	struct judge *k;
	int64_t *values;
	char message[300];
};

macaw_judge *macaw_judge_new(const char *xml, size_t length, macaw_error *e)
{
	macaw_judge *j = calloc(1, sizeof *j);
	if (!j || !handle_open(&j->own, e)) {
		free(j);
		api_fail(e, MACAW_MEMORY, "out of memory");
		return NULL;
	}
	GUARD(&j->own, e, (macaw_judge_free(j), NULL), j->k = judge_new(xml, length, j->message, sizeof j->message));
	if (!j->k) {
		api_fail(e, MACAW_INPUT, "%s", j->message[0] ? j->message : "no XCSP3 instance");
		macaw_judge_free(j);
		return NULL;
	}
	return j;
}

void macaw_judge_free(macaw_judge *j)
{
	if (!j)
		return;
	if (j->k && !j->own.broken)
		judge_free(j->k);
	mem_free(j->own.broken ? NULL : j->values);
	handle_close(&j->own);
	free(j);
}

/* The values in the order of the judge's own variables. */
static const char *judged(macaw_judge *j, const struct csp *n, const int32_t *values)
{
	size_t count = judge_variables(j->k);
	if (!j->values)
		j->values = mem_alloc(count + 1, sizeof *j->values);
	for (size_t x = 0; x < count; x++) {
		uint32_t y = csp_find(n, judge_name(j->k, x));
		if (y == CSP_NONE)
			return "a variable of the instance is missing";
		j->values[x] = judge_symbolic(j->k, x) ? judge_symbol(j->k, csp_symbol_text(n, values[y])) : values[y];
	}
	return judge_solution(j->k, j->values);
}

bool macaw_judge_solution(macaw_judge *j, macaw_csp *n, const int32_t *values, const int64_t *cost, macaw_error *e)
{
	const char *fault = NULL;
	int64_t is = 0;
	bool has = true;
	GUARD(&j->own, e, false, fault = judged(j, n->n, values);
	      has = !fault && cost && judge_objective(j->k, j->values, &is));
	if (fault)
		api_fail(e, MACAW_INPUT, "%s", fault);
	else if (cost && (!has || is != *cost))
		api_fail(e, MACAW_INPUT, "the objective is %lld, not %lld", (long long)is, (long long)*cost);
	return !fault && (!cost || (has && is == *cost));
}

bool macaw_csp_cost(macaw_csp *n, const int32_t *values, int64_t *cost)
{
	bool has;
	GUARD(n->in, &n->error, false, has = csp_cost(n->n, values, cost));
	return has;
}

/* The network that was read, in a handle; on failure the error is filled and all is freed. */
static macaw_csp *finish_reading(macaw_csp *n, const char *name, const struct csp_source_error *at, macaw_error *e)
{
	if (n->n)
		return n;
	api_fail_source(e, name, at);
	api_csp_drop(n);
	return NULL;
}

macaw_csp *macaw_csp_load(const char *path, macaw_error *e)
{
	struct csp_source_error at = {0};
	macaw_csp *n = api_csp_wrap(NULL, NULL, e);
	path = path ? path : "";
	if (!n)
		return NULL;
	GUARD(n->in, e, (api_csp_drop(n), NULL), n->n = csp_read_xml_file(path, &at));
	return finish_reading(n, path, &at, e);
}

macaw_csp *macaw_csp_parse(const char *xml, size_t length, const char *name, macaw_error *e)
{
	struct csp_source_error at = {0};
	macaw_csp *n = api_csp_wrap(NULL, NULL, e);
	if (!n)
		return NULL;
	GUARD(n->in, e, (api_csp_drop(n), NULL), n->n = csp_read_xml(xml, length, &at));
	return finish_reading(n, name ? name : "network", &at, e);
}

char *macaw_csp_write(macaw_csp *n)
{
	struct text t = {0};
	GUARD(n->in, &n->error, NULL, csp_write_xml(n->n, &t));
	return api_give(&t);
}

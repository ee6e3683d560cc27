/* Constraint networks: the public face of src/csp. */
#include "api/csp_handle.h"

/* ---- the same numbers inside and outside ---- */

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

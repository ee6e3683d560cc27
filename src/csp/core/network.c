/* A network's variables, constraints, index and state. See csp_internal.h for the picture. */
#include "base/check.h"
#include "csp/globals/globals_internal.h"

#include "base/processor.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct csp *csp_new(void)
{
	struct csp *n = NEW(struct csp);
	n->objective = n->relaxation.con = n->objective_root = n->running = n->cause = n->culprit = CSP_NONE;
	n->now = n->clock = 1;
	n->weight_step = n->weight_decay = 1;
	n->energy_tasks = (uint32_t)csp_defaults.tune.edge_finding;
	n->run = processor_vectors() ? csp_run_avx2 : csp_run_plain;
	return n;
}

void csp_plain(struct csp *n)
{
	n->run = csp_run_plain;
}

void csp_free(struct csp *n)
{
	if (!n)
		return;
	nogoods_stop(n);
	deps_stop(n);
	if (n->copy) {
		net_free_copy(n);
		return;
	}
	for (size_t i = 0; i < n->relations.n; i++)
		relation_free(&n->relations.at[i]);
	for (size_t i = 0; n->memo && i < n->prepared; i++)
		mem_free(n->memo[i]);
	vec_free(&n->vars);
	vec_free(&n->cons);
	vec_free(&n->scopes);
	vec_free(&n->origins);
	vec_free(&n->numbers);
	arena_free(&n->records);
	vec_free(&n->relations);
	vec_free(&n->nodes);
	vec_free(&n->args);
	vec_free(&n->state);
	vec_free(&n->trail);
	vec_free(&n->levels);
	vec_free(&n->objective_scope);
	vec_free(&n->objective_coeffs);
	sym_free(&n->names);
	sym_free(&n->symbols);
	mem_free(n->stamp);
	mem_free(n->fixed);
	mem_free(n->occ);
	mem_free(n->changed);
	mem_free(n->cheap.at);
	mem_free(n->costly.at);
	mem_free(n->waiting);
	mem_free(n->weight);
	mem_free(n->open);
	mem_free(n->asleep);
	mem_free(n->memo);
	mem_free(n->scratch);
	text_free(&n->error);
	mem_free(n);
}

uint32_t net_refuse(struct csp *n, const char *format, ...)
{
	char line[256];
	va_list list;
	va_start(list, format);
	vsnprintf(line, sizeof line, format, list);
	va_end(list);
	text_free(&n->error);
	text_puts(&n->error, line);
	return CSP_NONE;
}

const char *csp_error(const struct csp *n)
{
	return text_str(&n->error);
}

void csp_methods(struct csp *n, enum csp_table_method t, enum csp_alldiff_method a)
{
	n->table_method = t;
	n->alldiff_method = a;
}

/* ---- variables ---- */

#define MAX_VALUES (UINT32_C(1) << 30) /* values of all variables */

uint32_t net_words(struct csp *n, uint32_t words)
{
	uint32_t at = narrow32(n->state.n);
	size_t before = n->state.cap;
	vec_extend(&n->state, words);
	memset(n->state.at + at, 0, (size_t)words * sizeof(uint64_t));
	if (n->state.cap != before) {
		n->stamp = mem_resize(n->stamp, n->state.cap, sizeof *n->stamp);
		memset(n->stamp + before, 0, (n->state.cap - before) * sizeof(uint64_t));
	}
	return at;
}

static uint32_t add_var(struct csp *n, const char *name, size_t count, bool wide)
{
	if (n->levels.n)
		return net_refuse(n, "variable %s: the network is in use", name);
	if (!count)
		return net_refuse(n, "variable %s has an empty domain", name);
	if (count > CSP_MAX_DOMAIN)
		return net_refuse(n, "variable %s has %zu values; %u is the limit", name, count, CSP_MAX_DOMAIN);
	if (sym_find(&n->names, name, strlen(name)) != SYM_NONE)
		return net_refuse(n, "variable %s is declared twice", name);
	if (!wide && n->literals + count > MAX_VALUES)
		return net_refuse(n, "variable %s: too many values in all", name);
	uint32_t words = wide ? 2 : (uint32_t)BITS_WORDS(count);
	struct var v = {.words = words, .count = (uint32_t)count, .vals = CSP_NONE, .lit = n->literals, .wide = wide};
	v.name = sym_put(&n->names, name, strlen(name));
	v.at = net_words(n, words + 1);
	n->state.at[v.at] = count;
	if (wide) {
		n->any_wide = true;
		n->state.at[v.at + 2] = count - 1; /* and the first is 0 */
	}
	for (uint32_t w = 0; !wide && w < words; w++)
		n->state.at[v.at + 1 + w] = w + 1 < words || count % 64 == 0 ? ~UINT64_C(0) : (UINT64_C(1) << count % 64) - 1;
	n->literals += wide ? 0 : (uint32_t)count; /* intervals have no literals */
	n->ready = false;
	vec_push(&n->vars, v);
	return narrow32(n->vars.n) - 1;
}

uint32_t csp_var_range(struct csp *n, const char *name, int32_t low, int32_t high)
{
	size_t count = low > high ? 0 : (size_t)((int64_t)high - low + 1);
	uint32_t x = add_var(n, name, count, count > CSP_MAX_BITS);
	if (x != CSP_NONE)
		n->vars.at[x].base = low;
	return x;
}

uint32_t csp_var_interval(struct csp *n, const char *name, int32_t low, int32_t high)
{
	uint32_t x = add_var(n, name, low > high ? 0 : (size_t)((int64_t)high - low + 1), true);
	if (x != CSP_NONE)
		n->vars.at[x].base = low;
	return x;
}

static int by_number(const void *a, const void *b)
{
	int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
	return (x > y) - (x < y);
}

uint32_t csp_var_values(struct csp *n, const char *name, const int32_t *values, size_t count)
{
	int32_t *sorted = mem_alloc(count + 1, sizeof *sorted);
	if (count)
		memcpy(sorted, values, count * sizeof *sorted);
	qsort(sorted, count, sizeof *sorted, by_number);
	size_t k = 0;
	for (size_t i = 0; i < count; i++)
		if (!k || sorted[k - 1] != sorted[i])
			sorted[k++] = sorted[i];
	uint32_t x;
	if (k && (int64_t)sorted[k - 1] - sorted[0] + 1 == (int64_t)k) {
		x = csp_var_range(n, name, sorted[0], sorted[k - 1]);
	} else if ((x = add_var(n, name, k, false)) != CSP_NONE) {
		n->vars.at[x].vals = narrow32(n->numbers.n);
		for (size_t i = 0; i < k; i++)
			vec_push(&n->numbers, sorted[i]);
	}
	mem_free(sorted);
	return x;
}

uint32_t csp_symbol(struct csp *n, const char *symbol)
{
	return sym_put(&n->symbols, symbol, strlen(symbol));
}

uint32_t csp_symbols(const struct csp *n)
{
	return narrow32(n->symbols.all.n);
}

const char *csp_symbol_text(const struct csp *n, int32_t value)
{
	return value >= 0 && (size_t)value < n->symbols.all.n ? sym_text(&n->symbols, (sym_t)value) : "?";
}

uint32_t csp_var_symbols(struct csp *n, const char *name, const char *const *symbols, size_t count)
{
	int32_t *values = mem_alloc(count + 1, sizeof *values);
	for (size_t i = 0; i < count; i++)
		values[i] = (int32_t)csp_symbol(n, symbols[i] ? symbols[i] : "");
	uint32_t x = csp_var_values(n, name, values, count);
	if (x != CSP_NONE)
		n->vars.at[x].symbolic = true;
	mem_free(values);
	return x;
}

uint32_t csp_variables(const struct csp *n)
{
	return narrow32(n->vars.n);
}

const char *csp_name(const struct csp *n, uint32_t x)
{
	assert(x < n->vars.n);
	return sym_text(&n->names, n->vars.at[x].name);
}

uint32_t csp_find(const struct csp *n, const char *name)
{
	/* names are numbered like the variables */
	sym_t id = sym_find(&n->names, name, strlen(name));
	return id == SYM_NONE ? CSP_NONE : id;
}

uint32_t csp_count(const struct csp *n, uint32_t x)
{
	assert(x < n->vars.n);
	return n->vars.at[x].count;
}

int32_t csp_value(const struct csp *n, uint32_t x, uint32_t at)
{
	assert(x < n->vars.n);
	assert(at < n->vars.at[x].count);
	return var_value(n, &n->vars.at[x], at);
}

uint32_t csp_index(const struct csp *n, uint32_t x, int64_t value)
{
	assert(x < n->vars.n);
	const struct var *v = &n->vars.at[x];
	if (v->vals == CSP_NONE)
		return value >= v->base && value < (int64_t)v->base + v->count ? (uint32_t)(value - v->base) : CSP_NONE;
	const int32_t *a = n->numbers.at + v->vals;
	uint32_t low = 0, high = v->count;
	while (low < high) {
		uint32_t mid = (low + high) / 2;
		if (a[mid] < value)
			low = mid + 1;
		else
			high = mid;
	}
	return low < v->count && a[low] == value ? low : CSP_NONE;
}

bool csp_wide(const struct csp *n, uint32_t x)
{
	assert(x < n->vars.n);
	return n->vars.at[x].wide;
}

bool csp_symbolic(const struct csp *n, uint32_t x)
{
	assert(x < n->vars.n);
	return n->vars.at[x].symbolic;
}

void csp_hide(struct csp *n, uint32_t x)
{
	assert(x < n->vars.n);
	n->vars.at[x].hidden = true;
}

bool csp_hidden(const struct csp *n, uint32_t x)
{
	assert(x < n->vars.n);
	return n->vars.at[x].hidden;
}

/* ---- constraints ---- */

bool net_scope_ok(struct csp *n, const uint32_t *scope, size_t arity)
{
	if (n->levels.n) {
		net_refuse(n, "constraints are added at level 0 only");
		return false;
	}
	if (!arity || arity > 1u << 24) {
		net_refuse(n, "a constraint over %zu variables", arity);
		return false;
	}
	for (size_t i = 0; i < arity; i++)
		if (scope[i] >= n->vars.n) {
			net_refuse(n, "no variable number %u", scope[i]);
			return false;
		}
	return true;
}

bool net_wide_ok(struct csp *n, enum csp_kind kind, const uint32_t *scope, size_t arity)
{
	bool bounds = kind == CSP_INTENSION || kind == CSP_SUM || kind == CSP_ORDERED || kind == CSP_LEX ||
	              kind == CSP_INSTANTIATION || kind == CSP_NO_OVERLAP || kind == CSP_MAXIMUM || kind == CSP_MINIMUM ||
	              kind == CSP_CUMULATIVE || kind == CSP_REIFIED_KIND;
	for (size_t i = 0; n->any_wide && !bounds && i < arity; i++)
		if (n->vars.at[scope[i]].wide) {
			net_refuse(n, "%s with %s, which has %u values and is kept as an interval; %d values are the limit there",
			           csp_kind_name(kind), csp_name(n, scope[i]), n->vars.at[scope[i]].count, CSP_MAX_BITS);
			return false;
		}
	return true;
}

uint32_t net_add(struct csp *n, enum csp_kind kind, const uint32_t *scope, size_t arity, const void *record)
{
	if (!net_wide_ok(n, kind, scope, arity))
		return CSP_NONE;
	struct con c = {.kind = (uint8_t)kind, .arity = (uint32_t)arity, .record = unconst(record), .relation = CSP_NONE};
	c.scope = narrow32(n->scopes.n);
	for (size_t i = 0; i < arity; i++)
		vec_push(&n->scopes, scope[i]);
	vec_push(&n->cons, c);
	n->ready = false;
	return narrow32(n->cons.n) - 1;
}

uint32_t csp_constraints(const struct csp *n)
{
	return narrow32(n->cons.n);
}

void csp_drop_constraints(struct csp *n, uint32_t from)
{
	if (from >= n->cons.n || from < n->prepared)
		return;
	n->cons.n = from;
	if (n->origins.n > from)
		n->origins.n = from;
}

void csp_same_origin(struct csp *n, uint32_t from)
{
	if (from + 1 >= n->cons.n)
		return;
	while (n->origins.n < n->cons.n) {
		uint32_t c = narrow32(n->origins.n);
		vec_push(&n->origins, c);
	}
	for (uint32_t c = from; c < n->cons.n; c++)
		n->origins.at[c] = from;
}

uint32_t csp_origin(const struct csp *n, uint32_t c)
{
	assert(c < n->cons.n);
	return c < n->origins.n ? n->origins.at[c] : c;
}

enum csp_kind csp_kind(const struct csp *n, uint32_t c)
{
	return n->cons.at[c].kind;
}

uint32_t csp_arity(const struct csp *n, uint32_t c)
{
	assert(c < n->cons.n);
	return n->cons.at[c].arity;
}

const uint32_t *csp_scope(const struct csp *n, uint32_t c)
{
	assert(c < n->cons.n);
	return con_scope(n, &n->cons.at[c]);
}

uint32_t csp_degree(struct csp *n, uint32_t x)
{
	assert(x < n->vars.n);
	net_index(n);
	return n->vars.at[x].occ_end - n->vars.at[x].occ;
}

uint32_t csp_constraint_of(struct csp *n, uint32_t x, uint32_t k)
{
	assert(x < n->vars.n);
	return n->occ[n->vars.at[x].occ + k].con;
}

/* ---- preparing ---- */

/* Which constraints mention a variable: one flat array, variable by variable.
 * A variable that a scope names twice is listed twice. */
static void index_occurrences(struct csp *n)
{
	uint32_t *count = NEW_ARRAY(uint32_t, n->vars.n + 1);
	for (size_t i = 0; i < n->cons.n; i++) {
		const struct con *c = &n->cons.at[i];
		for (uint32_t p = 0; p < c->arity; p++)
			count[con_scope(n, c)[p]]++;
	}
	uint32_t at = 0;
	for (size_t x = 0; x < n->vars.n; x++) {
		n->vars.at[x].occ = n->vars.at[x].occ_end = at;
		at += count[x];
	}
	n->occ = mem_resize(n->occ, (size_t)at + 1, sizeof *n->occ);
	for (size_t i = 0; i < n->cons.n; i++) {
		const struct con *c = &n->cons.at[i];
		for (uint32_t p = 0; p < c->arity; p++)
			n->occ[n->vars.at[con_scope(n, c)[p]].occ_end++] = (struct occ){(uint32_t)i, p < 63 ? p : 63};
	}
	mem_free(count);
}

static enum prop choose(struct csp *n, uint32_t c)
{
	assert(c < n->cons.n);
	const struct kind *k = csp_kinds[n->cons.at[c].kind];
	return k->attach ? k->attach(n, c) : PROP_OWN;
}

static void grow_queue(struct queue *q, size_t want)
{
	size_t size = 16;
	while (size < want + 1)
		size *= 2;
	q->at = mem_resize(q->at, size, sizeof *q->at);
	q->mask = (uint32_t)size - 1;
	q->head = q->tail = 0;
}

static void clear_queue(struct csp *n, struct queue *q)
{
	while (q->head != q->tail)
		n->changed[q->at[q->head++ & q->mask]] = 0;
}

static bool is_waiting(const struct csp *n)
{
	return n->waiting_n || n->cheap.head != n->cheap.tail || n->costly.head != n->costly.tail;
}

static void clear_queues(struct csp *n)
{
	while (n->waiting_n)
		n->changed[con_next(n)] = 0;
	clear_queue(n, &n->cheap);
	clear_queue(n, &n->costly);
}

static void make_room(struct csp *n)
{
	size_t cons = n->cons.n;
	if (is_waiting(n))
		n->fresh = 0; /* the queues are emptied below: let all run again */
	n->changed = mem_resize(n->changed, cons + 1, sizeof *n->changed);
	n->weight = mem_resize(n->weight, cons + 1, sizeof *n->weight);
	n->open = mem_resize(n->open, cons + 1, sizeof *n->open);
	n->asleep = mem_resize(n->asleep, cons + 1, sizeof *n->asleep);
	memset(n->asleep, 0, (cons + 1) * sizeof *n->asleep);
	n->memo = mem_resize(n->memo, cons + 1, sizeof *n->memo);
	n->fixed = mem_resize(n->fixed, n->vars.n + 1, sizeof *n->fixed);
	memset(n->changed, 0, (cons + 1) * sizeof(uint64_t));
	for (size_t i = n->prepared; i < cons; i++) {
		n->weight[i] = 1;
		n->memo[i] = NULL;
	}
	if (n->waiting) {
		n->waiting = mem_resize(n->waiting, BITS_WORDS(cons + 1), sizeof *n->waiting);
		memset(n->waiting, 0, BITS_WORDS(cons + 1) * sizeof(uint64_t));
		n->waiting_n = n->waiting_from = 0;
	}
	grow_queue(&n->cheap, cons);
	grow_queue(&n->costly, cons);
}

static void wake_fresh(struct csp *n)
{
	for (uint32_t c = n->fresh; c < n->prepared; c++)
		con_wake(n, c, ~UINT64_C(0));
}

/* Index what is new and wake it. */
void net_index(struct csp *n)
{
	if (n->ready)
		return;
	make_room(n);
	index_occurrences(n);
	uint32_t from = n->prepared;
	n->prepared = narrow32(n->cons.n);
	for (uint32_t c = from; c < n->prepared; c++) {
		enum prop p = choose(n, c);
		n->cons.at[c].prop = (uint8_t)p;
		n->cons.at[c].idempotent = p >= PROP_BINARY && p <= PROP_STR2;
	}
	n->ready = true;
	n->fixed_n = 0;
	for (uint32_t x = 0; x < n->vars.n; x++)
		if (dom_size(n, x) == 1)
			n->fixed[n->fixed_n++] = x;
	wake_fresh(n);
}

bool csp_prepare(struct csp *n)
{
	net_index(n);
	return n->levels.n ? !n->dead : csp_propagate(n);
}

void csp_in_order(struct csp *n)
{
	if (n->waiting || n->ready)
		return;
	n->waiting = NEW_ARRAY(uint64_t, 1);
}

/* ---- sleep ---- */

/* changed[c] != 0 while c is in no queue: con_wake takes it for queued and
 * adds a bit at most, so sleep costs the propagation loop nothing. */
static void unqueue(struct csp *n, uint32_t c)
{
	assert(c < n->cons.n);
	if (n->waiting) {
		n->waiting[c / 64] &= ~(UINT64_C(1) << c % 64);
		n->waiting_n--;
		return;
	}
	struct queue *q = n->cons.at[c].costly ? &n->costly : &n->cheap;
	uint32_t to = q->head;
	for (uint32_t i = q->head; i != q->tail; i++)
		if (q->at[i & q->mask] != c)
			q->at[to++ & q->mask] = q->at[i & q->mask];
	q->tail = to;
}

void csp_sleep(struct csp *n, uint32_t c)
{
	assert(c < n->cons.n);
	net_index(n);
	if (n->changed[c] && !n->asleep[c])
		unqueue(n, c);
	n->changed[c] = 1;
	n->asleep[c] = true;
}

void csp_wake(struct csp *n, uint32_t c)
{
	assert(c < n->cons.n);
	net_index(n);
	if (n->changed[c] && !n->asleep[c]) /* waiting already, for fewer changes */
		unqueue(n, c);
	n->changed[c] = 0;
	n->asleep[c] = false;
	con_wake(n, c, ~UINT64_C(0));
}

/* ---- levels ---- */

uint32_t csp_level(const struct csp *n)
{
	return narrow32(n->levels.n);
}

void net_push(struct csp *n)
{
	vec_push(&n->levels, (struct level){narrow32(n->trail.n), n->fixed_n, n->now});
	n->now = ++n->clock;
}

void csp_push(struct csp *n)
{
	if (!n->levels.n) /* what the root implies must not be undone by a pop */
		csp_prepare(n);
	net_push(n);
}

static void unfix(struct csp *n, uint32_t down_to)
{
	if (n->counting)
		for (uint32_t i = down_to; i < n->fixed_n; i++) {
			const struct var *v = &n->vars.at[n->fixed[i]];
			for (uint32_t o = v->occ; o < v->occ_end; o++)
				n->open[n->occ[o].con]++;
		}
	n->fixed_n = down_to;
}

void csp_pop(struct csp *n, uint32_t to_level)
{
	if (to_level >= n->levels.n)
		return;
	clear_queues(n);
	struct level l = n->levels.at[to_level];
	n->levels.n = to_level;
	uint64_t *state = n->state.at, *trail = n->trail.at;
	size_t top = n->trail.n;
	while (top > l.trail) {
		uint64_t head = trail[--top];
		uint32_t k = (uint32_t)(head & 0xffff);
		uint64_t *to = state + (head >> 16);
		top -= k;
		for (uint32_t i = 0; i < k; i++)
			to[i] = trail[top + i];
	}
	n->trail.n = top;
	n->now = l.now;
	unfix(n, l.fixed);
	if (!to_level)
		wake_fresh(n); /* none, unless the root was never propagated */
}

void csp_notify_fixed(struct csp *n, uint32_t x)
{
	assert(x < n->vars.n);
	if (!n->ready)
		return;
	n->fixed[n->fixed_n++] = x;
	if (n->counting) {
		const struct var *v = &n->vars.at[x];
		for (uint32_t o = v->occ; o < v->occ_end; o++)
			n->open[n->occ[o].con]--;
	}
	if (n->nogoods)
		csp_nogood_fixed(n, x);
}

/* ---- propagation ---- */

uint64_t csp_propagations(const struct csp *n)
{
	return n->propagations;
}

bool csp_propagate(struct csp *n)
{
	net_index(n);
	if (n->dead)
		return false;
	bool ok = n->run(n);
	if (!ok)
		clear_queues(n);
	if (!n->levels.n) {
		n->dead = !ok;
		n->fresh = n->prepared;
	}
	if (ok)
		CHECK(net_check(n));
	return ok;
}

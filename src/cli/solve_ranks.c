/* Embarrassingly parallel search (Régin, Rezgui and Malapert 2013): rank 0 fixes the first few variables in all ways
 * that propagation allows, about thirty for each of the other ranks, and deals these parts. A part is the values of
 * those variables; parts exclude one another and are all there is, so numbers of solutions add up. The cost of the best
 * solution goes to all as soon as it is known. */
#include "cli/solve_ranks.h"

#include "cluster/dealer.h"
#include "cluster/kinds.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS_PER_RANK = 30, MOST_PARTS = 1 << 20, MOST_VALUES = 1 << 12 };

/* ---- parts ---------------------------------------------------------------------------------------- */

struct parts {
	macaw_csp *n;
	uint32_t *order; /* variables to fix, smallest domain first */
	uint32_t count, depth;
	VEC(char *) list; /* "x=i x=i …": value number i */
	struct text now;
};

static int64_t rank_of(const macaw_csp *n, uint32_t x)
{
	return (int64_t)macaw_csp_size(n, x) << 32 | x;
}

/* Those with a choice that is not too large; what is hidden follows from others. */
static void order_variables(struct parts *p)
{
	uint32_t all = macaw_csp_variables(p->n);
	p->order = NEW_ARRAY(uint32_t, all + 1);
	for (uint32_t x = 0; x < all; x++) {
		uint32_t size = macaw_csp_size(p->n, x), i = p->count;
		if (macaw_csp_hidden(p->n, x) || size < 2 || size > MOST_VALUES)
			continue;
		p->count++;
		for (; i && rank_of(p->n, p->order[i - 1]) > rank_of(p->n, x); i--)
			p->order[i] = p->order[i - 1];
		p->order[i] = x;
	}
}

static void forget_parts(struct parts *p)
{
	for (size_t i = 0; i < p->list.n; i++)
		mem_free(p->list.at[i]);
	vec_clear(&p->list);
}

/* All ways to fix the first `depth` variables that propagation does not refute. */
static void split(struct parts *p, uint32_t at)
{
	macaw_csp *n = p->n;
	if (at == p->depth) {
		vec_push(&p->list, text_copy(text_str(&p->now), p->now.n));
		return;
	}
	uint32_t x = p->order[at], level = macaw_csp_level(n);
	size_t before = p->now.n;
	for (uint32_t i = macaw_csp_next_at(n, x, 0); i != MACAW_NONE && p->list.n < MOST_PARTS;) {
		text_printf(&p->now, "%u=%u ", x, i);
		macaw_csp_push(n);
		if (macaw_csp_assign_at(n, x, i) && macaw_csp_propagate(n))
			split(p, at + 1);
		macaw_csp_pop(n, level);
		p->now.n = before;
		i = macaw_csp_next_at(n, x, i + 1);
	}
}

static void make_parts(struct parts *p, uint32_t wanted)
{
	if (macaw_csp_prepare(p->n)) {
		order_variables(p);
		do {
			forget_parts(p);
			p->depth++;
			split(p, 0);
		} while (p->depth < p->count && p->list.n && p->list.n < wanted);
	}
	if (p->list.n >= MOST_PARTS) { /* too many to know all: one that is everything */
		forget_parts(p);
		vec_push(&p->list, text_copy("", 0));
	}
}

static void parts_free(struct parts *p)
{
	forget_parts(p);
	vec_free(&p->list);
	mem_free(p->order);
	text_free(&p->now);
}

/* ---- answers -------------------------------------------------------------------------------------- */

/* Numbers of a search in a row, and then its solutions, a line each. */
#define COUNTED(X) \
	X(solutions) \
	X(nodes) X(backtracks) X(propagations) X(checks) X(removals) X(restarts) X(nogoods) X(backjumps) X(steps) X(parts)

static void print_stats(const macaw_csp_stats *s, struct text *out)
{
	text_printf(out, "%d", s->complete);
#define X(name) text_printf(out, " %" PRIu64, s->name);
	COUNTED(X)
#undef X
	text_printf(out, " %" PRIu64 " %" PRIu64, s->depth, s->width);
}

static const char *add_stats(macaw_csp_stats *s, const char *at)
{
	char *end;
	s->complete &= strtol(at, &end, 10) != 0;
#define X(name) s->name += strtoull(end, &end, 10);
	COUNTED(X)
#undef X
	uint64_t depth = strtoull(end, &end, 10), width = strtoull(end, &end, 10);
	s->depth = depth > s->depth ? depth : s->depth;
	s->width = width > s->width ? width : s->width;
	return end + (*end == '\n');
}

/* ---- rank 0 ---------------------------------------------------------------------------------------- */

struct deal {
	struct cluster *c;
	struct dealer *dealer;
	macaw_csp *n;
	double until; /* on clock_now(): no part is dealt any more; 0: no limit */
	const macaw_csp_options *o;
	macaw_csp_stats *st;
	struct parts parts;
	size_t next;
	struct thread_mutex lock; /* of what follows and of the network */
	uint64_t shown;
	bool enough, lost;
	int32_t *values;
	struct text error;
};

static bool optimises(const struct deal *d)
{
	return macaw_csp_has_objective(d->n) && !d->o->any;
}

static void tell_all(struct deal *d, const void *bytes, size_t size)
{
	for (uint32_t r = 1; r < cluster_ranks(d->c); r++)
		link_send(cluster_link(d->c), r, KIND_BOUND, bytes, size);
}

static bool is_better(const struct deal *d, int64_t cost)
{
	return !d->st->has_best || (macaw_csp_maximises(d->n) ? cost > d->st->best : cost < d->st->best);
}

/* One of another rank's solutions. */
static void take_solution(struct deal *d)
{
	int64_t cost = 0;
	if (optimises(d) && macaw_csp_cost(d->n, d->values, &cost)) {
		if (!is_better(d, cost))
			return;
		d->st->has_best = true;
		d->st->best = cost;
		tell_all(d, &cost, sizeof cost);
	}
	d->shown++;
	bool more = !d->o->solution || d->o->solution(d->o->context, d->n, d->values);
	uint64_t most = d->o->max_solutions ? d->o->max_solutions : 1;
	d->enough = !more || (!optimises(d) && !d->o->all && d->shown >= most);
}

static void take_answer(struct deal *d, const char *answer)
{
	const char *at = add_stats(d->st, answer);
	char *end = unconst(at);
	while (*at && !d->enough) {
		for (uint32_t x = 0; x < macaw_csp_variables(d->n); x++)
			d->values[x] = (int32_t)strtol(end, &end, 10);
		at = end + (*end == '\n');
		take_solution(d);
	}
	if (d->enough)
		tell_all(d, "", 0);
}

static bool goes_on(void *context)
{
	const struct deal *d = context;
	return !macaw_stopped(d->o->limit.stop);
}

static void deal_some(void *context)
{
	struct deal *d = context;
	for (;;) {
		thread_lock(&d->lock);
		bool over = d->enough || d->lost || !goes_on(d) || (d->until > 0 && clock_now() > d->until);
		size_t i = over ? d->parts.list.n : d->next++;
		thread_unlock(&d->lock);
		if (i >= d->parts.list.n)
			return;
		struct text error = {0};
		char *answer = dealer_play(d->dealer, d->parts.list.at[i], &error);
		thread_lock(&d->lock);
		if (answer)
			take_answer(d, answer);
		else
			d->st->complete = false;
		if (error.n && !d->error.n)
			text_puts(&d->error, error.at);
		d->lost |= error.n;
		thread_unlock(&d->lock);
		text_free(&error);
		free(answer);
	}
}

static enum macaw_csp_status verdict(const struct deal *d)
{
	bool done = d->st->complete && !d->enough;
	d->st->complete = done;
	if (!d->st->solutions)
		return done ? MACAW_CSP_UNSAT : MACAW_CSP_UNKNOWN;
	return done && optimises(d) ? MACAW_CSP_OPTIMUM : MACAW_CSP_SAT;
}

static enum macaw_csp_status lead(struct cluster *c, macaw_csp *n, const macaw_csp_options *o, macaw_csp_stats *st)
{
	double began = clock_now();
	struct deal d = {.c = c, .n = n, .o = o, .st = st, .parts = {.n = n}};
	*st = (macaw_csp_stats){.complete = true};
	d.until = o->limit.seconds > 0 ? began + o->limit.seconds : 0;
	d.values = NEW_ARRAY(int32_t, macaw_csp_variables(n) + 1);
	d.dealer = dealer_open(c, 1, goes_on, &d);
	thread_mutex_init(&d.lock);
	make_parts(&d.parts, PARTS_PER_RANK * dealer_hands(d.dealer));
	threads_run(dealer_hands(d.dealer), deal_some, &d, 0);
	if (d.next < d.parts.list.n)
		st->complete = false;
	if (!o->all && !optimises(&d)) /* others may have found more than were wanted */
		st->solutions = d.shown;
	if (d.error.n)
		fprintf(stderr, "macaw solve: --mpi: %s\n", d.error.at);
	enum macaw_csp_status status = verdict(&d);
	st->seconds = clock_now() - began;
	thread_mutex_free(&d.lock);
	dealer_close(d.dealer);
	parts_free(&d.parts);
	mem_free(d.values);
	text_free(&d.error);
	return status;
}

/* ---- the other ranks -------------------------------------------------------------------------------- */

struct solver {
	struct cluster *c;
	macaw_csp *n;
	macaw_csp_options o;
	struct text found;
	bool listed;
	double until; /* on clock_now(); 0: no limit */
	struct thread listener;
	struct thread_mutex lock; /* of what follows */
	bool bounded;
	int64_t best;
	macaw_stop enough;
};

/* Whatever the search does: rank 0 has a better solution, or enough of them. */
static void hear(struct solver *s, const struct text *bytes)
{
	int64_t cost;
	if (bytes->n != sizeof cost) {
		macaw_stop_now(&s->enough);
		return;
	}
	memcpy(&cost, bytes->at, sizeof cost);
	thread_lock(&s->lock);
	if (!s->bounded || (macaw_csp_maximises(s->n) ? cost > s->best : cost < s->best))
		s->best = cost;
	s->bounded = true;
	thread_unlock(&s->lock);
}

static void listen(void *context)
{
	struct solver *s = context;
	struct letter l;
	while (link_take(cluster_link(s->c), KIND_BOUND, 0, 1e9, &l)) {
		hear(s, &l.bytes);
		text_free(&l.bytes);
	}
	macaw_stop_now(&s->enough); /* rank 0 has ended */
}

static bool ask_bound(void *context, int64_t *value)
{
	struct solver *s = context;
	thread_lock(&s->lock);
	bool bounded = s->bounded;
	*value = s->best;
	thread_unlock(&s->lock);
	return bounded;
}

/* Of ever better ones the last is enough. */
static bool note_solution(void *context, macaw_csp *n, const int32_t *values)
{
	struct solver *s = context;
	if (macaw_csp_has_objective(n) && !s->o.any)
		vec_clear(&s->found);
	for (uint32_t x = 0; x < macaw_csp_variables(n); x++)
		text_printf(&s->found, "%s%d", x ? " " : "", values[x]);
	text_putc(&s->found, '\n');
	return true;
}

/* False: propagation refutes it after all, as with a bound. */
static bool enter_part(macaw_csp *n, const char *part)
{
	unsigned x, i;
	int length = 0;
	for (; sscanf(part, "%u=%u %n", &x, &i, &length) == 2; part += length)
		if (x >= macaw_csp_variables(n) || !macaw_csp_assign_at(n, x, i) || !macaw_csp_propagate(n))
			return false;
	return true;
}

static char *solve_part(void *context, const char *part)
{
	struct solver *s = context;
	macaw_csp_stats st = {.complete = true};
	struct text out = {0};
	uint32_t level = macaw_csp_level(s->n);
	double left = s->until - clock_now();
	vec_clear(&s->found);
	s->o.limit.seconds = s->until > 0 ? (left > 1e-6 ? left : 1e-6) : 0;
	macaw_csp_push(s->n);
	if (enter_part(s->n, part))
		macaw_csp_solve(s->n, &s->o, &st);
	macaw_csp_pop(s->n, level);
	if (macaw_csp_error(s->n)->status)
		return NULL;
	print_stats(&st, &out);
	text_putc(&out, '\n');
	text_add(&out, s->found.at, s->listed ? s->found.n : 0);
	char *answer = strdup(text_str(&out));
	text_free(&out);
	return answer;
}

static enum macaw_csp_status follow(struct cluster *c, macaw_csp *n, const macaw_csp_options *o, macaw_csp_stats *st)
{
	struct solver s = {.c = c, .n = n, .o = *o, .listed = o->solution || (macaw_csp_has_objective(n) && !o->any)};
	macaw_csp_options once = *o;
	once.max_nodes = 1; /* at the root: whatever the search adds to the network for good */
	once.solution = NULL;
	s.o.bound = ask_bound;
	s.o.solution = s.listed ? note_solution : NULL;
	s.o.context = &s;
	s.o.limit.stop = &s.enough;
	if (macaw_csp_has_objective(n) && !o->any)
		macaw_csp_solve(n, &once, st);
	s.until = o->limit.seconds > 0 ? clock_now() + o->limit.seconds : 0;
	thread_mutex_init(&s.lock);
	if (thread_start(&s.listener, listen, &s)) {
		dealer_serve(c, 1, solve_part, &s);
		thread_join(&s.listener);
	}
	thread_mutex_free(&s.lock);
	text_free(&s.found);
	return macaw_csp_error(n)->status ? MACAW_CSP_UNKNOWN : MACAW_CSP_SAT;
}

enum macaw_csp_status solve_ranks(struct cluster *c, macaw_csp *n, const macaw_csp_options *o, macaw_csp_stats *st)
{
	if (cluster_ranks(c) < 2)
		return macaw_csp_solve(n, o, st);
	return cluster_leads(c) ? lead(c, n, o, st) : follow(c, n, o, st);
}

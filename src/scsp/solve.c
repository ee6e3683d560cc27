/* Solution policies. The first decisions are a plain depth-first search; below
 * the first draw a subtree has several best answers (one player's gain is
 * another's loss), so each call there returns a list of subtrees with their
 * expected worths: all of them, or only those that no other dominates.
 *
 * `need` travels down: what a subtree must be worth for the whole to reach the
 * thresholds even if all other draws turn out as well as possible. */
#include "scsp/feasible.h"

#include "base/check.h"

#include <string.h>

const struct scsp_options scsp_defaults = {0};

struct entry {
	uint32_t node;
	double v[SCSP_MAX_PLAYERS];
};
typedef VEC(struct entry) entries;

struct work {
	struct scsp *s;
	const struct scsp_options *o;
	struct scsp_result *r;
	struct forward p;
	int32_t *values;
	double need[SCSP_MAX_PLAYERS]; /* of the whole */
	double best;
	uint64_t polls;
	bool stop, filled; /* filled: as many policies as were asked for */
};

static uint32_t new_node(struct work *w, uint32_t x, uint32_t arcs)
{
	assert(x < w->s->vars);
	struct scsp_forest *f = &w->r->forest;
	vec_push(&f->nodes, (struct scsp_node){x, narrow32(f->arcs.n), arcs});
	return narrow32(f->nodes.n) - 1;
}

static uint32_t decision(struct work *w, uint32_t x, uint32_t at, uint32_t child)
{
	assert(x < w->s->vars);
	assert(at < csp_count(w->s->hard, x));
	uint32_t node = new_node(w, x, 1);
	vec_push(&w->r->forest.arcs, (struct scsp_arc){at, child});
	return node;
}

static bool out_of_time(struct work *w)
{
	if ((++w->polls & 127) == 0 && limit_reached(&w->o->limit))
		w->stop = true;
	return w->stop || w->filled;
}

/* ---- one step down ---- */

static bool hopeful(struct work *w, const double *need)
{
	bool any = false;
	for (uint32_t p = 0; p < w->s->players; p++)
		any = any || need[p] > SCSP_EPSILON;
	double bound = any ? forward_bound(&w->p, CSP_NONE) : 1;
	for (uint32_t p = 0; any && p < w->s->players; p++)
		if (bound * w->p.most[p] < need[p] - SCSP_EPSILON)
			return false;
	return true;
}

/* The next value of a decision. */
static uint32_t next_value(const struct work *w, uint32_t x, uint32_t from)
{
	assert(x < w->s->vars);
	return w->o->method == SCSP_SFC ? forward_next(&w->p, x, from) : csp_next_at(w->s->hard, x, from);
}

/* Sets x; true: worth going on. leave() must follow in either case. */
static bool enter(struct work *w, uint32_t x, uint32_t at, const double *need)
{
	assert(x < w->s->vars);
	assert(at < csp_count(w->s->hard, x));
	w->r->nodes++;
	if (w->o->method == SCSP_BRUTE) {
		w->p.now[x] = at;
		return true;
	}
	if (w->o->method == SCSP_MAC)
		csp_push(w->s->hard);
	bool ok = w->o->method == SCSP_SFC || (csp_assign_at(w->s->hard, x, at) && csp_propagate(w->s->hard));
	ok = forward_set(&w->p, x, at) && ok;
	ok = ok && (w->o->method == SCSP_SFC || forward_draws_intact(&w->p)) && hopeful(w, need);
	w->r->pruned += !ok;
	return ok;
}

static void leave(struct work *w, uint32_t x)
{
	assert(x < w->s->vars);
	if (w->o->method == SCSP_BRUTE)
		return;
	forward_unset(&w->p, x);
	if (w->o->method == SCSP_MAC)
		csp_pop(w->s->hard, csp_level(w->s->hard) - 1);
}

/* ---- lists of subtrees ---- */

static bool reaches(const struct work *w, const double *v, const double *need)
{
	for (uint32_t p = 0; p < w->s->players; p++)
		if (v[p] < need[p] - SCSP_EPSILON)
			return false;
	return true;
}

static bool dominates(const struct work *w, const double *a, const double *b)
{
	for (uint32_t p = 0; p < w->s->players; p++)
		if (a[p] < b[p])
			return false;
	return true;
}

/* True when the list already has something at least as good (unless all are wanted). */
static bool beaten(const struct work *w, entries *list, const double *v)
{
	if (w->o->aim == SCSP_ALL)
		return false;
	size_t kept = 0;
	for (size_t i = 0; i < list->n; i++)
		if (dominates(w, list->at[i].v, v))
			return true;
	for (size_t i = 0; i < list->n; i++)
		if (!dominates(w, v, list->at[i].v))
			list->at[kept++] = list->at[i];
	list->n = kept;
	return false;
}

static void subtrees(struct work *w, uint32_t place, const double *need, entries *out);

static void leaf(struct work *w, const double *need, entries *out)
{
	struct scsp *s = w->s;
	struct entry e = {.node = SCSP_LEAF};
	if (w->o->method == SCSP_BRUTE) {
		for (uint32_t x = 0; x < s->vars; x++)
			w->values[x] = csp_value(s->hard, x, w->p.now[x]);
		if (!csp_check_values(s->hard, w->values))
			return;
	}
	scsp_worth_at(s, w->p.now, e.v);
	if (reaches(w, e.v, need))
		vec_push(out, e);
}

static void decisions(struct work *w, uint32_t place, const double *need, entries *out)
{
	assert(place <= w->s->vars);
	uint32_t x = w->s->order[place];
	entries below = {0};
	for (uint32_t at = next_value(w, x, 0); at != CSP_NONE && !out_of_time(w); at = next_value(w, x, at + 1)) {
		vec_clear(&below);
		if (enter(w, x, at, need))
			subtrees(w, place + 1, need, &below);
		leave(w, x);
		for (size_t i = 0; i < below.n; i++) {
			struct entry e = below.at[i];
			if (beaten(w, out, e.v))
				continue;
			e.node = decision(w, x, at, e.node);
			vec_push(out, e);
		}
	}
	vec_free(&below);
}

/* Partial choices of one subtree per value of a draw: sums so far, and the children. */
struct mix {
	entries sums;
	VEC(uint32_t) kids;
};

static void mix_free(struct mix *m)
{
	vec_free(&m->sums);
	vec_free(&m->kids);
}

/* Every sum so far with every subtree of the next value. */
static void multiply(struct work *w, struct mix *m, const entries *below, double q, uint32_t width, const double *need)
{
	assert(q >= 0 && q <= 1 + SCSP_EPSILON);
	struct mix next = {0};
	for (size_t i = 0; i < m->sums.n; i++)
		for (size_t j = 0; j < below->n && !out_of_time(w); j++) {
			struct entry e = m->sums.at[i];
			for (uint32_t p = 0; p < w->s->players; p++)
				e.v[p] += q * below->at[j].v[p];
			if (!reaches(w, e.v, need))
				continue;
			if (w->o->aim != SCSP_ALL) {
				bool worse = false;
				for (size_t o = 0; o < next.sums.n && !worse; o++)
					worse = dominates(w, next.sums.at[o].v, e.v);
				if (worse)
					continue;
			}
			e.node = narrow32(next.kids.n);
			for (uint32_t d = 0; d < width; d++)
				vec_push(&next.kids, m->kids.at[m->sums.at[i].node + d]);
			vec_push(&next.kids, below->at[j].node);
			vec_push(&next.sums, e);
		}
	mix_free(m);
	*m = next;
}

/* The probabilities of y's values, and how much of them can count: none where a value is not good, and no more than
 * what is left of the other draws. */
struct outlook {
	double *q;
	double later, others;
};

static struct outlook look_ahead(struct work *w, uint32_t y)
{
	assert(y < w->s->vars && w->s->draws[y].kind != DRAW_NONE);
	uint32_t count = csp_count(w->s->hard, y);
	struct outlook l = {.q = NEW_ARRAY(double, count), .others = 1};
	if (w->o->method != SCSP_BRUTE)
		l.others = forward_bound(&w->p, y);
	for (uint32_t at = 0; at < count; at++) {
		l.q[at] = scsp_probability_at(w->s, y, at, w->p.now);
		if (forward_good(&w->p, y, at) || w->o->method == SCSP_BRUTE)
			l.later += l.q[at];
	}
	return l;
}

/* What all values after this one can be worth to player p. */
static double at_most_later(const struct work *w, const struct outlook *l, uint32_t p)
{
	assert(p < w->s->players);
	return (l->later > 0 ? l->later : 0) * l->others * w->p.most[p];
}

/* One node of draw y for each choice of subtrees. */
static void write_draw(struct work *w, uint32_t y, const struct mix *m, const double *q, uint32_t width, entries *out)
{
	assert(y < w->s->vars && w->s->draws[y].kind != DRAW_NONE);
	for (size_t i = 0; i < m->sums.n && width && !w->stop; i++) {
		struct entry e = m->sums.at[i];
		if (beaten(w, out, e.v))
			continue;
		const uint32_t *kid = m->kids.at + e.node;
		e.node = new_node(w, y, width);
		for (uint32_t at = 0; at < csp_count(w->s->hard, y); at++)
			if (q[at] > 0)
				vec_push(&w->r->forest.arcs, (struct scsp_arc){at, *kid++});
		vec_push(out, e);
	}
}

static void draws(struct work *w, uint32_t place, const double *need, entries *out)
{
	assert(place <= w->s->vars);
	struct scsp *s = w->s;
	uint32_t y = s->order[place], width = 0, count = csp_count(s->hard, y);
	double target[SCSP_MAX_PLAYERS];
	struct outlook l = look_ahead(w, y);
	struct mix m = {0};
	entries below = {0};
	vec_push(&m.sums, (struct entry){0});
	for (uint32_t at = 0; at < count && m.sums.n && !out_of_time(w); at++) {
		if (!(l.q[at] > 0))
			continue;
		if (forward_good(&w->p, y, at) || w->o->method == SCSP_BRUTE)
			l.later -= l.q[at];
		for (uint32_t p = 0; p < s->players; p++) {
			double most = 0;
			for (size_t i = 0; i < m.sums.n; i++)
				most = m.sums.at[i].v[p] > most ? m.sums.at[i].v[p] : most;
			target[p] = (need[p] - most - at_most_later(w, &l, p)) / l.q[at];
		}
		vec_clear(&below);
		if (enter(w, y, at, target))
			subtrees(w, place + 1, target, &below);
		leave(w, y);
		for (uint32_t p = 0; p < s->players; p++)
			target[p] = need[p] - at_most_later(w, &l, p);
		multiply(w, &m, &below, l.q[at], width++, target);
	}
	write_draw(w, y, &m, l.q, width, out);
	mem_free(l.q);
	vec_free(&below);
	mix_free(&m);
}

static void subtrees(struct work *w, uint32_t place, const double *need, entries *out)
{
	assert(place <= w->s->vars);
	if (place == w->s->vars)
		leaf(w, need, out);
	else if (scsp_stochastic(w->s, w->s->order[place]))
		draws(w, place, need, out);
	else
		decisions(w, place, need, out);
}

/* ---- the first decisions ---- */

static double worst_off(const struct work *w, const double *v)
{
	double least = v[0];
	for (uint32_t p = 1; p < w->s->players; p++)
		least = v[p] < least ? v[p] : least;
	return least;
}

/* A policy is found: the decisions above it are those now set. */
static void emit(struct work *w, uint32_t place, const struct entry *e)
{
	assert(place <= w->s->vars);
	struct scsp_forest *f = &w->r->forest;
	uint32_t root = e->node;
	while (place--)
		root = decision(w, w->s->order[place], w->p.now[w->s->order[place]], root);
	if (w->o->aim != SCSP_ALL) {
		vec_clear(&f->policies);
		vec_clear(&f->expected);
	}
	vec_push(&f->policies, (struct scsp_policy){root, narrow32(f->expected.n)});
	for (uint32_t p = 0; p < w->s->players; p++)
		vec_push(&f->expected, e->v[p]);
	w->r->policies++;
	if (w->o->aim == SCSP_ANY || (w->o->aim == SCSP_ALL && w->o->max_policies && f->policies.n >= w->o->max_policies))
		w->filled = true;
	if (w->o->aim != SCSP_BEST)
		return;
	/* raise every threshold to the least reward, and a little more: equal ones do not count */
	double least = worst_off(w, e->v) + 4 * SCSP_EPSILON;
	w->r->raises++;
	for (uint32_t p = 0; p < w->s->players; p++)
		w->need[p] = least > w->need[p] ? least : w->need[p];
}

static void emit_all(struct work *w, uint32_t place, const entries *found)
{
	assert(place <= w->s->vars);
	for (size_t i = 0; i < found->n && !w->filled; i++)
		if (reaches(w, found->at[i].v, w->need)) /* the thresholds may have been raised meanwhile */
			emit(w, place, &found->at[i]);
}

static void first(struct work *w, uint32_t place)
{
	assert(place <= w->s->vars);
	struct scsp *s = w->s;
	if (place == s->vars || scsp_stochastic(s, s->order[place])) {
		entries found = {0};
		subtrees(w, place, w->need, &found);
		emit_all(w, place, &found);
		vec_free(&found);
		return;
	}
	uint32_t x = s->order[place];
	for (uint32_t at = next_value(w, x, 0); at != CSP_NONE && !out_of_time(w); at = next_value(w, x, at + 1)) {
		if (enter(w, x, at, w->need))
			first(w, place + 1);
		leave(w, x);
	}
}

/* ---- one stage: split, MAC, merge ---- */

struct merge {
	struct work *w;
	const struct scsp_feasible *f;
	const struct feasible_rows *rows;
	struct table index; /* value indices of a row -> row */
	uint32_t *after;    /* the draws below a row, built once when `determined` */
	bool determined;    /* a row fixes all draws below it */
	uint32_t decisions; /* variables before the first draw */
};

#define NOT_BUILT (UINT32_MAX - 1)
#define NO_DRAW (UINT32_MAX - 2) /* a draw without any legal value: no policy goes on from there */

/* All draws from `place` on, no decisions among them. */
static uint32_t fan(struct work *w, uint32_t place)
{
	assert(place <= w->s->vars);
	struct scsp *s = w->s;
	if (place == s->vars)
		return SCSP_LEAF;
	uint32_t y = s->order[place], count = csp_count(s->hard, y), width = 0;
	uint32_t *kid = NEW_ARRAY(uint32_t, count);
	bool whole = true;
	for (uint32_t at = 0; at < count; at++) {
		if (!(scsp_probability_at(s, y, at, w->p.now) > 0))
			continue;
		w->p.now[y] = at;
		kid[at] = fan(w, place + 1);
		whole = whole && kid[at] != NO_DRAW;
		width++;
	}
	uint32_t node = whole && width ? new_node(w, y, width) : NO_DRAW;
	for (uint32_t at = 0; at < count && node != NO_DRAW; at++)
		if (scsp_probability_at(s, y, at, w->p.now) > 0)
			vec_push(&w->r->forest.arcs, (struct scsp_arc){at, kid[at]});
	mem_free(kid);
	return node;
}

static bool merged(void *user, const struct csp *n, const int32_t *values)
{
	struct merge *m = user;
	struct work *w = m->w;
	struct scsp *s = w->s;
	uint32_t key[64], it = 0, row;
	size_t width = m->f->scope.n;
	for (uint32_t i = 0; i < m->decisions; i++)
		w->p.now[s->order[i]] = csp_index(n, s->order[i], values[s->order[i]]);
	for (size_t j = 0; j < width; j++)
		key[j] = w->p.now[m->f->scope.at[j]];
	uint64_t h = hash_words(key, width);
	for (table_start(&m->index, h, &it); (row = table_next(&m->index, h, &it)) != TABLE_NONE;)
		if (!width || !memcmp(m->rows->cells.at + row * width, key, width * 4))
			break;
	if (row == TABLE_NONE)
		return true;
	struct entry e = {0};
	for (uint32_t p = 0; p < s->players; p++)
		e.v[p] = m->rows->expected.at[row * s->players + p];
	if (!reaches(w, e.v, w->need))
		return true;
	if (!m->determined || m->after[row] == NOT_BUILT)
		m->after[row] = fan(w, m->decisions);
	if (m->after[row] == NO_DRAW)
		return true;
	e.node = m->after[row];
	emit(w, m->decisions, &e);
	return !w->filled && !out_of_time(w);
}

/* The draws must be last and the hard constraints must not mention them; then
 * the policies are the solutions of the hard part that satisfy c_f. */
static bool splits(struct scsp *s, uint32_t *decisions)
{
	uint32_t i = 0;
	while (i < s->vars && !scsp_stochastic(s, s->order[i]))
		i++;
	*decisions = i;
	for (; i < s->vars; i++)
		if (!scsp_stochastic(s, s->order[i]))
			return false;
	for (uint32_t c = 0; c < csp_constraints(s->hard); c++)
		for (uint32_t j = 0; j < csp_arity(s->hard, c); j++)
			if (scsp_stochastic(s, csp_scope(s->hard, c)[j]))
				return false;
	return true;
}

/* Do the probabilities of all draws depend on variables of c_f and other draws only? */
static bool rows_determine_draws(const struct scsp *s, const struct scsp_feasible *f)
{
	for (uint32_t y = 0; y < s->vars; y++)
		for (size_t i = 0; i < s->draws[y].parents.n; i++) {
			uint32_t x = s->draws[y].parents.at[i];
			bool in = scsp_stochastic(s, x);
			for (size_t j = 0; j < f->scope.n && !in; j++)
				in = f->scope.at[j] == x;
			if (!in)
				return false;
		}
	return true;
}

static bool solve_split(struct work *w)
{
	struct scsp *s = w->s;
	struct scsp_feasible f;
	struct feasible_rows rows;
	struct merge m = {.w = w, .f = &f, .rows = &rows};
	if (!splits(s, &m.decisions) || s->vars == m.decisions)
		return false;
	bool ok = feasible_rows(s, w->need, &f, &rows, &w->o->limit) && f.scope.n <= 64;
	if (ok) {
		w->r->rows = f.rows;
		w->r->nodes += f.nodes;
		w->r->pruned += f.pruned;
		m.determined = rows_determine_draws(s, &f);
		m.after = mem_alloc(f.rows + 1, sizeof *m.after);
		for (size_t i = 0; i < f.rows; i++) {
			m.after[i] = NOT_BUILT;
			table_add(&m.index, hash_words(rows.cells.at + i * f.scope.n, f.scope.n), (uint32_t)i);
		}
		/* c_f goes into a copy of the hard part: it belongs to this theta and this state only */
		struct scsp_removed removed[SCSP_PASS_COUNT];
		bool bound = f.scope.n && f.rows;
		struct csp *part = bound ? scsp_simplify(s->hard, 0, removed) : NULL;
		if (part && csp_add_table(part, f.scope.at, f.scope.n, f.tuples.at, f.rows, true) == CSP_NONE) {
			csp_free(part);
			part = NULL;
		}
		struct csp_options c = csp_defaults;
		struct csp_stats st;
		c.max_solutions = 0;
		c.limit = w->o->limit;
		c.branch = s->order;
		c.branch_count = m.decisions;
		c.order = CSP_ORDER_DOM_DEG;
		c.solution = merged;
		c.user = &m;
		if (f.rows)
			csp_solve(part ? part : s->hard, &c, &st);
		w->r->nodes += f.rows ? st.nodes : 0;
		w->stop = w->stop || (f.rows && !st.complete && !w->filled);
		csp_free(part);
		mem_free(m.after);
	}
	table_free(&m.index);
	scsp_feasible_free(&f);
	feasible_rows_free(&rows);
	return ok;
}

enum csp_status scsp_solve(struct scsp *s, const struct scsp_options *o, struct scsp_result *r)
{
	double start = clock_now();
	CHECK(scsp_check_problem(s));
	struct work w = {.s = s, .o = o, .r = r};
	*r = (struct scsp_result){0};
	w.values = NEW_ARRAY(int32_t, s->vars + 1);
	memcpy(w.need, s->theta, sizeof w.need);
	uint32_t level = csp_level(s->hard);
	bool alive = o->method == SCSP_BRUTE || csp_prepare(s->hard);
	forward_start(&w.p, s, o->method == SCSP_SFC);
	if (alive && !(o->method == SCSP_MAC && solve_split(&w)))
		first(&w, 0);
	csp_pop(s->hard, level);
	forward_free(&w.p);
	mem_free(w.values);
	r->seconds = clock_now() - start;
	r->complete = !w.stop && !w.filled;
	if (r->forest.policies.n)
		return o->aim == SCSP_BEST && r->complete ? CSP_OPTIMUM : CSP_SAT;
	return w.stop ? CSP_UNKNOWN : CSP_UNSAT;
}

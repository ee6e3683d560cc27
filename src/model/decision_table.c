/* A cone of the circuit as a decision table (decision_table.h): questions, classes of values, then the tree. */
#include "model/decision_table.h"

#include "base/bits.h"

#include <string.h>

#define MULTI (UINT32_MAX - 1) /* depends on more than one variable */
#define CONE_MOST 600          /* gate inputs of a cone that is looked at */

enum { KNOWN_NO, KNOWN_YES, UNKNOWN };

/* A node of the cone. Unary ones carry the set of values that make them true. */
struct cell {
	uint32_t node, support;
	uint32_t set;   /* unary nodes only: index into scratch->sets */
	uint32_t view;  /* of a unary node that a MULTI gate (or the outcome) asks */
	uint32_t truth; /* unary nodes only: index into scratch->truth, one byte per class */
	uint32_t in, n; /* MULTI gates only: literals of local numbers, in scratch->in */
	bool is_and;
};

struct decision_scratch {
	uint32_t *local; /* by node: number in the cone + 1 */
	VEC(uint32_t) nodes;
	VEC(struct cell) cells;
	VEC(uint64_t) sets;
	VEC(uint8_t) truth;
	VEC(uint32_t) in, out, gates, asked;
	VEC(uint8_t) value, relevant;
	VEC(uint32_t) assigned, score;
	VEC(uint32_t) view_of; /* by variable: view + 1 */
	uint64_t work;
	const struct decision_job *job;
	bool failed;
};

/* ---- the cone ------------------------------------------------------------------------ */

static void visit(struct decision_table *t, uint32_t node)
{
	struct decision_scratch *s = t->s;
	if (s->local[node])
		return;
	s->local[node] = 1;
	vec_push(&s->nodes, node);
}

static bool is_leaf(const struct decision_table *t, uint32_t node)
{
	return t->leaf[node].var != DECISION_NONE || t->c->gates.at[node].kind == GATE_FALSE;
}

/* The roots are opened even when they are leaves themselves elsewhere. */
static bool collect(struct decision_table *t, const struct decision_job *job)
{
	struct decision_scratch *s = t->s;
	size_t inputs = 0;
	vec_clear(&s->nodes);
	for (uint32_t i = 0; i < job->outs; i++)
		visit(t, job->out[i] / 2);
	for (size_t k = 0; k < s->nodes.n && inputs <= CONE_MOST; k++) {
		const struct gate *g = &t->c->gates.at[s->nodes.at[k]];
		if (is_leaf(t, s->nodes.at[k]))
			continue;
		inputs += g->n;
		for (uint32_t i = 0; i < g->n; i++)
			visit(t, t->c->inputs.at[g->in + i] / 2);
	}
	if (inputs <= CONE_MOST)
		sort_numbers(s->nodes.at, s->nodes.n);
	return inputs <= CONE_MOST;
}

static uint64_t *set_of(struct decision_scratch *s, const struct cell *c)
{
	return s->sets.at + c->set;
}

static uint32_t new_set(struct decision_scratch *s, size_t words)
{
	uint32_t at = (uint32_t)s->sets.n;
	vec_extend(&s->sets, words);
	memset(s->sets.at + at, 0, words * 8);
	return at;
}

/* Of a gate with unary or constant inputs only. */
static void unary_gate(struct decision_table *t, struct cell *c, const struct gate *g)
{
	struct decision_scratch *s = t->s;
	size_t words = c->support == DECISION_NONE ? 1 : BITS_WORDS(t->count[c->support]);
	c->set = new_set(s, words);
	uint64_t *to = s->sets.at + c->set;
	bool is_and = g->kind == GATE_AND;
	memset(to, is_and ? 0xff : 0, words * 8);
	for (uint32_t i = 0; i < g->n; i++) {
		lit_t l = t->c->inputs.at[g->in + i];
		const struct cell *x = &s->cells.at[s->local[l / 2] - 1];
		const uint64_t *from = set_of(s, x);
		uint64_t flip = 0 - (uint64_t)(l & 1);
		for (size_t w = 0; w < words; w++) {
			uint64_t v = (x->support == DECISION_NONE ? from[0] : from[w]) ^ flip;
			to[w] = is_and ? to[w] & v : to[w] | v;
		}
	}
}

static void make_cell(struct decision_table *t, uint32_t node)
{
	struct decision_scratch *s = t->s;
	const struct gate *g = &t->c->gates.at[node];
	struct cell c = {.node = node, .support = DECISION_NONE, .view = DECISION_NONE};
	if (is_leaf(t, node)) {
		c.support = t->leaf[node].var;
		if (c.support == DECISION_NONE) { /* false */
			c.set = new_set(s, 1);
		} else {
			c.set = new_set(s, BITS_WORDS(t->count[c.support]));
			bits_add(s->sets.at + c.set, t->leaf[node].at);
		}
	} else {
		for (uint32_t i = 0; i < g->n && c.support != MULTI; i++) {
			uint32_t x = s->cells.at[s->local[t->c->inputs.at[g->in + i] / 2] - 1].support;
			if (x != DECISION_NONE && x != c.support)
				c.support = c.support == DECISION_NONE ? x : MULTI;
		}
		if (c.support != MULTI)
			unary_gate(t, &c, g);
	}
	vec_push(&s->cells, c);
	s->local[node] = (uint32_t)s->cells.n;
}

/* A MULTI gate or the outcome asks a unary node. */
static uint32_t ask(struct decision_table *t, lit_t l)
{
	struct decision_scratch *s = t->s;
	uint32_t k = s->local[l / 2] - 1;
	struct cell *c = &s->cells.at[k];
	if (c->support != MULTI && c->view == DECISION_NONE) {
		c->view = 0; /* numbered later */
		vec_push(&s->asked, k);
	}
	return k * 2 + (l & 1);
}

static void make_cone(struct decision_table *t, const struct decision_job *job)
{
	struct decision_scratch *s = t->s;
	vec_clear(&s->cells);
	vec_clear(&s->sets);
	vec_clear(&s->in);
	vec_clear(&s->out);
	vec_clear(&s->gates);
	vec_clear(&s->asked);
	vec_clear(&s->truth);
	for (size_t i = 0; i < s->nodes.n; i++)
		make_cell(t, s->nodes.at[i]);
	for (uint32_t i = 0; i < job->outs; i++)
		vec_push(&s->out, ask(t, job->out[i]));
	for (uint32_t k = 0; k < s->cells.n; k++) {
		const struct gate *g = &t->c->gates.at[s->cells.at[k].node];
		if (s->cells.at[k].support != MULTI)
			continue;
		s->cells.at[k].in = (uint32_t)s->in.n;
		s->cells.at[k].n = g->n;
		s->cells.at[k].is_and = g->kind == GATE_AND;
		for (uint32_t i = 0; i < g->n; i++)
			vec_push(&s->in, ask(t, t->c->inputs.at[g->in + i]));
		vec_push(&s->gates, k);
	}
}

/* ---- views ------------------------------------------------------------------------------ */

static struct decision_view *view_of(struct decision_table *t, uint32_t var)
{
	struct decision_scratch *s = t->s;
	while (s->view_of.n <= var)
		vec_push(&s->view_of, 0);
	if (!s->view_of.at[var]) {
		struct decision_view v = {.var = var, .classes = 1, .class_of = NEW_ARRAY(uint32_t, t->count[var])};
		vec_push(&t->views, v);
		s->view_of.at[var] = (uint32_t)t->views.n;
	}
	return &t->views.at[s->view_of.at[var] - 1];
}

/* A class whose values a set separates becomes two classes. */
static void split(struct decision_view *v, uint32_t count, const uint64_t *set)
{
	uint32_t *first = mem_alloc(v->classes * 2, sizeof *first), classes = 0;
	memset(first, 0xff, v->classes * 2 * sizeof *first);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t *to = &first[v->class_of[i] * 2 + bits_has(set, i)];
		if (*to == UINT32_MAX)
			*to = classes++;
		v->class_of[i] = *to;
	}
	v->classes = classes;
	mem_free(first);
}

static void make_views(struct decision_table *t)
{
	struct decision_scratch *s = t->s;
	for (size_t i = 0; i < s->asked.n; i++) {
		struct cell *c = &s->cells.at[s->asked.at[i]];
		if (c->support != DECISION_NONE)
			split(view_of(t, c->support), t->count[c->support], set_of(s, c));
	}
	for (size_t i = 0; i < s->asked.n; i++) {
		struct cell *c = &s->cells.at[s->asked.at[i]];
		if (c->support == DECISION_NONE)
			continue;
		const struct decision_view *v = view_of(t, c->support);
		c->view = (uint32_t)(v - t->views.at);
		c->truth = (uint32_t)s->truth.n;
		vec_extend(&s->truth, v->classes);
		for (uint32_t k = 0; k < t->count[c->support]; k++)
			s->truth.at[c->truth + v->class_of[k]] = bits_has(set_of(s, c), k);
	}
	vec_clear(&s->assigned);
	vec_clear(&s->score);
	for (size_t i = 0; i < t->views.n; i++) {
		s->view_of.at[t->views.at[i].var] = 0;
		vec_push(&s->assigned, DECISION_ANY);
		vec_push(&s->score, 0);
	}
	vec_clear(&s->value);
	vec_clear(&s->relevant);
	vec_extend(&s->value, s->cells.n);
	vec_extend(&s->relevant, s->cells.n);
}

/* ---- the decision tree ----------------------------------------------------------------------------- */

static uint8_t value_of(const struct decision_scratch *s, uint32_t l)
{
	uint8_t v = s->value.at[l / 2];
	return v == UNKNOWN ? v : (uint8_t)(v ^ (l & 1));
}

static void evaluate(struct decision_table *t)
{
	struct decision_scratch *s = t->s;
	for (size_t i = 0; i < s->asked.n; i++) {
		const struct cell *c = &s->cells.at[s->asked.at[i]];
		uint8_t *v = &s->value.at[s->asked.at[i]];
		if (c->support == DECISION_NONE)
			*v = set_of(s, c)[0] & 1;
		else
			*v = s->assigned.at[c->view] == DECISION_ANY ? UNKNOWN : s->truth.at[c->truth + s->assigned.at[c->view]];
	}
	for (size_t i = 0; i < s->gates.n; i++) {
		const struct cell *c = &s->cells.at[s->gates.at[i]];
		uint8_t decides = c->is_and ? KNOWN_NO : KNOWN_YES, v = c->is_and ? KNOWN_YES : KNOWN_NO;
		for (uint32_t k = 0; k < c->n && v != decides; k++) {
			uint8_t x = value_of(s, s->in.at[c->in + k]);
			if (x == decides || x == UNKNOWN)
				v = x;
		}
		s->value.at[s->gates.at[i]] = v;
	}
	s->work += s->in.n + s->asked.n + 1;
}

/* The outcome, or DECISION_NONE while it is open. */
static uint32_t outcome(const struct decision_scratch *s)
{
	const struct decision_job *job = s->job;
	uint32_t yes = 0, open = 0, first = 0, last_open = 0;
	for (uint32_t i = 0; i < job->outs; i++) {
		uint8_t v = value_of(s, s->out.at[i]);
		if (v == KNOWN_YES && !yes++)
			first = i;
		if (v == UNKNOWN) {
			open++;
			last_open = i;
		}
	}
	if (yes > 1 && !job->one)
		return job->outs;
	if (yes && (job->one || !open))
		return first;
	if (!yes && !open)
		return job->outs;
	if (!yes && open == 1 && job->exact)
		return last_open;
	return DECISION_NONE;
}

/* Which view the open part asks most; preferred variables before others. */
static uint32_t choose(struct decision_table *t)
{
	struct decision_scratch *s = t->s;
	uint32_t best = DECISION_NONE;
	memset(s->relevant.at, 0, s->cells.n);
	memset(s->score.at, 0, t->views.n * sizeof *s->score.at);
	for (size_t i = 0; i < s->out.n; i++) {
		uint32_t k = s->out.at[i] / 2;
		s->relevant.at[k] = 1;
		if (s->value.at[k] == UNKNOWN && s->cells.at[k].support != MULTI)
			s->score.at[s->cells.at[k].view]++;
	}
	for (size_t i = s->gates.n; i-- > 0;) {
		const struct cell *c = &s->cells.at[s->gates.at[i]];
		if (!s->relevant.at[s->gates.at[i]] || s->value.at[s->gates.at[i]] != UNKNOWN)
			continue;
		for (uint32_t k = 0; k < c->n; k++) {
			uint32_t x = s->in.at[c->in + k] / 2;
			s->relevant.at[x] = 1;
			if (s->value.at[x] == UNKNOWN && s->cells.at[x].support != MULTI)
				s->score.at[s->cells.at[x].view] += c->n > 8 ? 1 : 9 - c->n;
		}
	}
	for (uint32_t v = 0; v < t->views.n; v++) {
		if (!s->score.at[v])
			continue;
		uint8_t p = t->prefer[t->views.at[v].var];
		if (best == DECISION_NONE || p > t->prefer[t->views.at[best].var] ||
		    (p == t->prefer[t->views.at[best].var] && s->score.at[v] > s->score.at[best]))
			best = v;
	}
	s->work += s->in.n + 1;
	return best;
}

static void put_row(struct decision_table *t, uint32_t result)
{
	for (size_t v = 0; v < t->views.n; v++)
		vec_push(&t->cells, t->s->assigned.at[v]);
	vec_push(&t->cells, result);
	t->rows++;
}

/* The classes of a view have led to one row each and to the same outcome. */
static void join_rows(struct decision_table *t, uint32_t view, uint32_t from)
{
	size_t width = t->views.n + 1;
	uint32_t n = t->views.at[view].classes;
	if (t->rows != from + n)
		return;
	uint32_t *first = t->cells.at + from * width;
	for (uint32_t i = 1; i < n; i++) {
		const uint32_t *row = first + i * width;
		for (size_t k = 0; k < width; k++)
			if (k != view && row[k] != first[k])
				return;
	}
	first[view] = DECISION_ANY;
	t->rows = from + 1;
	t->cells.n = t->rows * width;
}

static void grow(struct decision_table *t)
{
	struct decision_scratch *s = t->s;
	evaluate(t);
	uint32_t result = outcome(s);
	if (result != DECISION_NONE) {
		if (result < s->job->outs || !s->job->only_true)
			put_row(t, result);
		s->failed = t->rows > s->job->max_rows;
		return;
	}
	uint32_t view = choose(t), from = t->rows;
	for (uint32_t k = 0; k < t->views.at[view].classes && !s->failed; k++) {
		s->assigned.at[view] = k;
		grow(t);
		s->failed |= s->work > s->job->max_work;
	}
	s->assigned.at[view] = DECISION_ANY;
	if (!s->failed)
		join_rows(t, view, from);
}

/* Views that no row looks at leave the table. */
static void drop_unused(struct decision_table *t)
{
	size_t width = t->views.n + 1, kept = 0;
	uint32_t *keep = NEW_ARRAY(uint32_t, width);
	for (size_t v = 0; v < t->views.n; v++) {
		bool used = false;
		for (uint32_t r = 0; r < t->rows && !used; r++)
			used = t->cells.at[r * width + v] != DECISION_ANY;
		if (used) {
			keep[kept] = (uint32_t)v;
			struct decision_view x = t->views.at[v];
			t->views.at[kept++] = x;
		} else {
			mem_free(t->views.at[v].class_of);
		}
	}
	keep[kept] = (uint32_t)width - 1;
	t->views.n = kept;
	for (uint32_t r = 0; r < t->rows; r++)
		for (size_t k = 0; k <= kept; k++)
			t->cells.at[r * (kept + 1) + k] = t->cells.at[r * width + keep[k]];
	t->cells.n = t->rows * (kept + 1);
	mem_free(keep);
}

void decision_clear(struct decision_table *t)
{
	for (size_t i = 0; i < t->views.n; i++)
		mem_free(t->views.at[i].class_of);
	vec_clear(&t->views);
	vec_clear(&t->cells);
	t->rows = 0;
}

bool decision_make(struct decision_table *t, const struct decision_job *job)
{
	if (!t->s) {
		t->s = NEW(struct decision_scratch);
		t->s->local = NEW_ARRAY(uint32_t, t->c->gates.n);
	}
	struct decision_scratch *s = t->s;
	decision_clear(t);
	s->job = job;
	s->work = 0;
	s->failed = !collect(t, job);
	if (!s->failed) {
		make_cone(t, job);
		make_views(t);
		grow(t);
	}
	for (size_t i = 0; i < s->nodes.n; i++)
		s->local[s->nodes.at[i]] = 0;
	if (s->failed)
		decision_clear(t);
	else
		drop_unused(t);
	return !s->failed;
}

void decision_free(struct decision_table *t)
{
	decision_clear(t);
	vec_free(&t->views);
	vec_free(&t->cells);
	if (!t->s)
		return;
	mem_free(t->s->local);
	vec_free(&t->s->nodes);
	vec_free(&t->s->cells);
	vec_free(&t->s->sets);
	vec_free(&t->s->truth);
	vec_free(&t->s->in);
	vec_free(&t->s->out);
	vec_free(&t->s->gates);
	vec_free(&t->s->asked);
	vec_free(&t->s->value);
	vec_free(&t->s->relevant);
	vec_free(&t->s->assigned);
	vec_free(&t->s->score);
	vec_free(&t->s->view_of);
	mem_free(t->s);
	t->s = NULL;
}

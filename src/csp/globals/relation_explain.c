/* Why a table took a value away: every tuple that would support it has lost a value elsewhere. Of the lost ones the
 * earliest is named, and once named it stands for all the tuples that it is part of. */
#include "csp/globals/globals_internal.h"
#include "csp/learn/learn.h"

#include <assert.h>

#define MANY_ROWS 8192 /* the whole scope is said in less time */
#define STILL_THERE UINT32_MAX

struct answer {
	struct csp *n;
	const struct relation *t;
	const uint32_t *scope;
	uint32_t at;        /* position that is asked about; CSP_NONE: why it fails */
	uint32_t from, end; /* value indices that are asked about */
	uint32_t time;
	uint32_t *since; /* per pair of position and value: the event that took it */
	uint8_t *named;  /* per pair: as a reason */
};

/* The event that took the index from x; 0: it was never there. */
static uint32_t taken(const struct csp *n, uint32_t x, uint32_t i, uint32_t time)
{
	if (learn_has(n, x, i, time))
		return STILL_THERE;
	uint32_t low = learn_low(n, x, time), high = learn_high(n, x, time);
	uint32_t e = low > i    ? learn_event(n, atom(x, ATOM_GE, i + 1))
	             : high < i ? learn_event(n, atom(x, ATOM_LE, i - 1))
	                        : learn_event(n, atom(x, ATOM_NE, i));
	return e == CSP_NONE ? 0 : e;
}

static void name(struct answer *a, uint32_t p, uint32_t i)
{
	assert(p < a->t->arity && i < a->t->counts[p]);
	uint8_t *named = &a->named[a->t->first[p] + i];
	assert(a->since[a->t->first[p] + i] != STILL_THERE);
	if (!*named)
		reason_gone(a->n, a->scope[p], i, a->time);
	*named = 1;
}

/* Is the tuple one that would support a value that is asked about? */
static bool concerns(const struct answer *a, const uint32_t *row)
{
	if (a->at == CSP_NONE || row[a->at] == CSP_CELL_ANY)
		return true;
	uint32_t i = row[a->at];
	return i >= a->from && i < a->end && a->since[a->t->first[a->at] + i] == STILL_THERE;
}

static bool explain_row(struct answer *a, const uint32_t *row)
{
	uint32_t best = CSP_NONE, earliest = STILL_THERE;
	for (uint32_t p = 0; p < a->t->arity; p++) {
		if (p == a->at || row[p] == CSP_CELL_ANY)
			continue;
		uint32_t pair = a->t->first[p] + row[p];
		if (a->named[pair])
			return true;
		if (a->since[pair] < earliest) {
			earliest = a->since[pair];
			best = p;
		}
	}
	if (best == CSP_NONE)
		return false;
	name(a, best, row[best]);
	return true;
}

static bool explain_rows(struct answer *a)
{
	const struct relation *t = a->t;
	for (size_t r = 0; r < t->rows; r++)
		if (concerns(a, t->cells + r * t->arity) && !explain_row(a, t->cells + r * t->arity))
			return false;
	return true;
}

/* Two variables: the partners of a value. */
static bool explain_partners(struct answer *a, uint32_t p, uint32_t i)
{
	const struct relation *t = a->t;
	const uint64_t *row = t->row[p] + (size_t)i * t->row_words[p];
	BITS_EACH (j, row, t->counts[!p]) {
		if (a->since[t->first[!p] + j] == STILL_THERE)
			return false;
		name(a, !p, (uint32_t)j);
	}
	return true;
}

static bool explain_pairs(struct answer *a)
{
	uint32_t p = a->at == CSP_NONE ? 0 : a->at;
	uint32_t from = a->at == CSP_NONE ? 0 : a->from, end = a->at == CSP_NONE ? a->t->counts[0] : a->end;
	assert(a->t->arity == 2 && end <= a->t->counts[p]);
	for (uint32_t i = from; i < end; i++) {
		if (a->since[a->t->first[p] + i] != STILL_THERE)
			name(a, p, i);
		else if (!explain_partners(a, p, i))
			return false;
	}
	return true;
}

/* The values that are asked about; those that were gone before speak for themselves. */
static void ask(struct answer *a, const struct question *q)
{
	assert(a->at < a->t->arity);
	enum atom_op op = atom_op(q->what);
	uint32_t i = q->what.i;
	a->from = op == ATOM_GE ? q->old : op == ATOM_LE ? i + 1 : i;
	a->end = op == ATOM_GE ? i : op == ATOM_LE ? q->old + 1 : i + 1;
	assert(a->from < a->end && a->end <= a->t->counts[a->at]);
	if (op != ATOM_NE)
		reason_add(a->n, atom(a->scope[a->at], op, q->old));
	for (i = a->from; i < a->end; i++)
		if (a->since[a->t->first[a->at] + i] != STILL_THERE)
			name(a, a->at, i);
}

bool relation_explain(struct csp *n, const struct con *c, const struct question *q)
{
	const struct relation *t = &n->relations.at[c->relation];
	bool pairs = c->prop == PROP_BINARY;
	if (c->prop < PROP_BINARY || c->prop > PROP_STR2 || (!pairs && (!t->positive || t->rows > MANY_ROWS)))
		return false;
	assert(t->arity == c->arity);
	struct answer a = {.n = n, .t = t, .scope = con_scope(n, c), .at = CSP_NONE, .time = q->time};
	for (uint32_t p = 0; p < t->arity && !q->failure; p++)
		if (a.scope[p] == atom_var(q->what))
			a.at = p;
	a.since = mem_alloc(t->pairs + 1, sizeof *a.since);
	a.named = NEW_ARRAY(uint8_t, t->pairs + 1);
	for (uint32_t p = 0; p < t->arity; p++)
		for (uint32_t i = 0; i < t->counts[p]; i++)
			a.since[t->first[p] + i] = taken(n, a.scope[p], i, q->time);
	if (!q->failure)
		ask(&a, q);
	bool known = pairs ? explain_pairs(&a) : explain_rows(&a);
	n->effort += 1 + t->pairs / 64 + (pairs ? 0 : t->rows / 64);
	mem_free(a.since);
	mem_free(a.named);
	return known;
}

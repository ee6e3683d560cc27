/* Equality of rulesheets up to the names of variables. The two have symbol tables
 * of their own, so names are compared as text; variables are paired up within a
 * clause, one to one. */
#include "gdl/gdl.h"

#include <string.h>

struct pairing {
	const struct gdl_rules *a, *b;
	struct pair {
		uint32_t clause; /* + 1: where it was made */
		sym_t other;
	} * to_b, *to_a;
	uint32_t clause;
};

static bool same_name(const struct pairing *p, sym_t x, sym_t y)
{
	const struct sym_entry *s = &p->a->symbols.all.at[x], *t = &p->b->symbols.all.at[y];
	return s->length == t->length && !memcmp(s->text, t->text, s->length);
}

static bool pair_up(struct pairing *p, sym_t x, sym_t y)
{
	struct pair *there = &p->to_b[x], *back = &p->to_a[y];
	bool old = there->clause == p->clause;
	if (old != (back->clause == p->clause))
		return false;
	if (old)
		return there->other == y && back->other == x;
	*there = (struct pair){p->clause, y};
	*back = (struct pair){p->clause, x};
	return true;
}

static bool same_node(struct pairing *p, node_t m, node_t n)
{
	const struct gdl_node *x = &p->a->nodes.at[m], *y = &p->b->nodes.at[n];
	if (x->variable != y->variable || x->argc != y->argc)
		return false;
	if (!(x->variable ? pair_up(p, x->name, y->name) : same_name(p, x->name, y->name)))
		return false;
	for (uint32_t i = 0; i < x->argc; i++)
		if (!same_node(p, gdl_arg(p->a, m, i), gdl_arg(p->b, n, i)))
			return false;
	return true;
}

static bool same_clause(struct pairing *p, const struct gdl_clause *c, const struct gdl_clause *d)
{
	if (c->count != d->count || !same_node(p, c->head, d->head))
		return false;
	for (uint32_t i = 0; i < c->count; i++)
		if (!same_node(p, p->a->kids.at[c->body + i], p->b->kids.at[d->body + i]))
			return false;
	return true;
}

bool gdl_equal(const struct gdl_rules *a, const struct gdl_rules *b)
{
	bool same = a->clauses.n == b->clauses.n;
	struct pairing p = {.a = a, .b = b};
	p.to_b = NEW_ARRAY(struct pair, a->symbols.all.n);
	p.to_a = NEW_ARRAY(struct pair, b->symbols.all.n);
	for (size_t i = 0; i < a->clauses.n && same; i++) {
		p.clause = (uint32_t)i + 1;
		same = same_clause(&p, &a->clauses.at[i], &b->clauses.at[i]);
	}
	mem_free(p.to_b);
	mem_free(p.to_a);
	return same;
}

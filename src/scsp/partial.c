/* Partial assignments: which constraints are violated or cannot hold any more, and how likely the others are. */
#include "scsp/partial.h"

void partial_start(struct partial *p, struct scsp *s)
{
	p->s = s;
	p->now = NEW_ARRAY(uint32_t, s->vars + 1);
	p->set = NEW_ARRAY(bool, s->vars + 1);
	scsp_most_worth(s, p->most);
}

void partial_free(struct partial *p)
{
	mem_free(p->now);
	mem_free(p->set);
}

/* Variables of c not yet set: their number, and one of them with its first place in the scope. */
static uint32_t unset(const struct partial *p, const struct csp *n, uint32_t c, uint32_t *which)
{
	uint32_t k = 0;
	for (uint32_t j = 0; j < csp_arity(n, c); j++) {
		uint32_t x = csp_scope(n, c)[j];
		if (p->set[x] || (k && x == *which))
			continue;
		*which = x;
		k++;
	}
	return k;
}

static bool holds(const struct partial *p, struct csp *n, uint32_t c)
{
	uint32_t at[64], k = csp_arity(n, c), *a = k <= 64 ? at : mem_alloc(k, sizeof *a);
	for (uint32_t j = 0; j < k; j++)
		a[j] = p->now[csp_scope(n, c)[j]];
	bool ok = csp_check_at(n, c, a);
	if (a != at)
		mem_free(a);
	return ok;
}

bool partial_hard(struct partial *p, uint32_t x)
{
	struct csp *n = p->s->hard;
	for (uint32_t i = 0, degree = csp_degree(n, x); i < degree; i++) {
		uint32_t c = csp_constraint_of(n, x, i), z = CSP_NONE, open = unset(p, n, c, &z);
		if (open > 1)
			continue;
		bool ok = !open && holds(p, n, c);
		for (uint32_t v = 0; open && !ok && v < csp_count(n, z); v++) {
			p->now[z] = v;
			ok = csp_has_at(n, z, v) && holds(p, n, c);
		}
		if (!ok)
			return false;
	}
	return true;
}

double partial_chance(struct partial *p, uint32_t x)
{
	struct csp *n = p->s->chance;
	double bound = 1;
	for (uint32_t i = 0, degree = csp_degree(n, x); i < degree && bound > 0; i++) {
		uint32_t c = csp_constraint_of(n, x, i), z = CSP_NONE, open = unset(p, n, c, &z);
		const struct draw *d = open == 1 ? &p->s->draws[z] : NULL;
		double mass = 0;
		if (open > 1 || (d && d->kind == DRAW_TABLE && d->parents.n) || (d && d->kind == DRAW_LEGAL))
			continue;
		if (!open)
			mass = holds(p, n, c);
		for (uint32_t v = 0; open && v < csp_count(n, z) && mass < 1; v++) {
			p->now[z] = v;
			if (d->kind == DRAW_NONE)
				mass = csp_has_at(p->s->hard, z, v) && holds(p, n, c); /* one value is enough */
			else if (d->p.at[v].value > 0 && holds(p, n, c))
				mass += d->p.at[v].value;
		}
		if (mass < bound)
			bound = mass;
	}
	return bound;
}

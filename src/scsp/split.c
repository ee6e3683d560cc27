/* See split.h. */
#include "scsp/split.h"

#include "csp/inspect.h"
#include "scsp/scsp_internal.h"

#include <assert.h>

#define MOST_TUPLES 4000000.0

static bool is_drawn(const struct scsp *s, const struct csp *n, uint32_t c)
{
	assert(c < csp_constraints(n));
	for (uint32_t j = 0; j < csp_arity(n, c); j++)
		if (scsp_stochastic(s, csp_scope(n, c)[j]))
			return true;
	return false;
}

static void copy_table(const struct csp *from, uint32_t c, const struct csp_table *t, struct csp *to)
{
	assert(c < csp_constraints(from));
	const uint32_t *scope = csp_scope(from, c);
	int32_t *tuples = mem_alloc((size_t)t->rows * t->arity + 1, sizeof *tuples);
	for (size_t i = 0; i < (size_t)t->rows * t->arity; i++)
		tuples[i] = t->cells[i] == CSP_CELL_ANY ? CSP_ANY : csp_value(from, scope[i % t->arity], t->cells[i]);
	csp_add_table(to, scope, t->arity, tuples, t->rows, t->positive);
	mem_free(tuples);
}

/* Any other kind: what it allows of all combinations of values. */
static bool copy_by_checks(struct csp *from, uint32_t c, struct csp *to)
{
	assert(c < csp_constraints(from));
	const uint32_t *scope = csp_scope(from, c);
	uint32_t arity = csp_arity(from, c), *at = NEW_ARRAY(uint32_t, arity), j = 0;
	VEC(int32_t) tuples = {0};
	size_t rows = 0;
	double size = 1;
	for (uint32_t k = 0; k < arity; k++)
		size *= csp_count(from, scope[k]);
	while (size <= MOST_TUPLES) {
		if (csp_check_at(from, c, at)) {
			for (uint32_t k = 0; k < arity; k++)
				vec_push(&tuples, csp_value(from, scope[k], at[k]));
			rows++;
		}
		for (j = arity; j > 0 && ++at[j - 1] == csp_count(from, scope[j - 1]); j--)
			at[j - 1] = 0;
		if (!j)
			break;
	}
	if (size <= MOST_TUPLES)
		csp_add_table(to, scope, arity, tuples.at, rows, true);
	vec_free(&tuples);
	mem_free(at);
	return size <= MOST_TUPLES;
}

/* The constraints that have a stochastic variable, or those that have none. */
static bool copy_constraints(const struct scsp *s, struct csp *from, bool drawn, struct csp *to, uint32_t *count)
{
	bool ok = true;
	for (uint32_t c = 0; c < csp_constraints(from) && ok; c++) {
		if (is_drawn(s, from, c) != drawn)
			continue;
		struct csp_table t = csp_table(from, c);
		if (t.arity)
			copy_table(from, c, &t, to);
		else
			ok = copy_by_checks(from, c, to);
		++*count;
	}
	return ok;
}

struct csp *scsp_hard_part(struct scsp *s)
{
	struct csp *out = scsp_copy_variables(s->hard);
	uint32_t count = 0;
	if (copy_constraints(s, s->hard, false, out, &count) && copy_constraints(s, s->chance, false, out, &count))
		return out;
	csp_free(out);
	return NULL;
}

static bool copy_draw(const struct scsp *s, uint32_t y, struct scsp *to)
{
	assert(y < s->vars);
	const struct draw *d = &s->draws[y];
	if (d->kind == DRAW_LEGAL)
		return scsp_draw_legal(to, y, d->parents.at);
	if (!d->parents.n)
		return scsp_draw(to, y, d->p.at);
	size_t rows = d->given.n / d->parents.n;
	int32_t *given = mem_alloc(d->given.n + 1, sizeof *given);
	for (size_t i = 0; i < d->given.n; i++)
		given[i] = csp_value(s->hard, d->parents.at[i % d->parents.n], d->given.at[i]);
	bool ok = scsp_draw_given(to, y, d->parents.at, d->parents.n, given, rows, d->p.at);
	mem_free(given);
	return ok;
}

/* Do utilities depend on a draw? Then they are no matter of the chance part alone. */
static bool drawn_utilities(const struct scsp *s)
{
	for (size_t i = 0; i < s->softs.n; i++)
		for (size_t j = 0; j < s->softs.at[i].scope.n; j++)
			if (scsp_stochastic(s, s->softs.at[i].scope.at[j]))
				return true;
	return false;
}

struct scsp *scsp_chance_part(struct scsp *s, struct text *error)
{
	uint32_t hard = 0, chance = 0;
	if (drawn_utilities(s)) {
		text_puts(error, "utilities depend on a draw");
		return NULL;
	}
	struct scsp *out = scsp_new(scsp_copy_variables(s->hard), 1);
	bool ok = scsp_order(out, s->order, s->vars);
	for (uint32_t x = 0; x < s->vars && ok; x++)
		if (scsp_stochastic(s, x))
			ok = copy_draw(s, x, out);
	ok = ok && copy_constraints(s, s->hard, true, scsp_chance(out), &hard) &&
	     copy_constraints(s, s->chance, true, scsp_chance(out), &chance);
	if (!ok)
		text_puts(error, "a constraint is too large");
	else if (hard && chance)
		text_puts(error, "draws have hard constraints and others");
	if (!ok || (hard && chance)) {
		scsp_free(out);
		return NULL;
	}
	scsp_threshold(out, 0, hard ? 1 : s->theta[0]);
	return out;
}

bool scsp_add_feasibility(struct csp *hard, struct scsp *chance, struct scsp_feasible *f, const struct limit *l)
{
	if (!scsp_feasibility(chance, f, l))
		return false;
	if (f->scope.n)
		csp_add_table(hard, f->scope.at, f->scope.n, f->tuples.at, f->rows, true);
	return true;
}

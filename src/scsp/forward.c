/* Forward checking: domains filtered by constraints with one open variable, and the probability they leave. */
#include "scsp/forward.h"

#include <assert.h>

/* Conditional tables up to this size are searched for the likeliest row; larger ones count as certain. */
#define MOST_ROWS 256

static bool alive(const struct forward *f, uint32_t x, uint32_t at)
{
	assert(x < f->s->vars);
	assert(at < csp_count(f->s->hard, x));
	return csp_has_at(f->s->hard, x, at) && !(f->filters_hard && f->out[FORWARD_HARD][f->first[x] + at]);
}

uint32_t forward_next(const struct forward *f, uint32_t x, uint32_t from)
{
	assert(x < f->s->vars);
	uint32_t at = csp_next_at(f->s->hard, x, from);
	while (at != CSP_NONE && f->filters_hard && f->out[FORWARD_HARD][f->first[x] + at])
		at = csp_next_at(f->s->hard, x, at + 1);
	return at;
}

/* ---- filtering ---- */

/* Variables of c not yet set: their number, and one of them. */
static uint32_t open_variables(const struct forward *f, const struct csp *n, uint32_t c, uint32_t *which)
{
	assert(c < csp_constraints(n));
	uint32_t k = 0;
	for (uint32_t j = 0; j < csp_arity(n, c) && k < 2; j++) {
		uint32_t x = csp_scope(n, c)[j];
		if (f->set[x] || (k && x == *which))
			continue;
		*which = x;
		k++;
	}
	return k;
}

static bool holds(const struct forward *f, struct csp *n, uint32_t c)
{
	assert(c < csp_constraints(n));
	uint32_t at[64], k = csp_arity(n, c), *a = k <= 64 ? at : mem_alloc(k, sizeof *a);
	for (uint32_t j = 0; j < k; j++)
		a[j] = f->now[csp_scope(n, c)[j]];
	bool ok = csp_check_at(n, c, a);
	if (a != at)
		mem_free(a);
	return ok;
}

static void take_out(struct forward *f, enum forward_domain d, uint32_t x, uint32_t at)
{
	assert(x < f->s->vars);
	assert(at < csp_count(f->s->hard, x));
	assert(d < FORWARD_DOMAINS);
	size_t value = f->first[x] + at;
	f->out[d][value] = true;
	f->left[d][x]--;
	vec_push(&f->trail, value * FORWARD_DOMAINS + d);
}

/* Constraint c of one of the two networks, if it has one open variable. */
static void filter(struct forward *f, enum forward_domain d, uint32_t c)
{
	assert(d < FORWARD_DOMAINS);
	struct csp *n = d == FORWARD_HARD ? f->s->hard : f->s->chance;
	uint32_t z = CSP_NONE;
	if (open_variables(f, n, c, &z) != 1)
		return;
	for (uint32_t at = csp_next_at(f->s->hard, z, 0); at != CSP_NONE; at = csp_next_at(f->s->hard, z, at + 1)) {
		f->now[z] = at;
		if (!f->out[d][f->first[z] + at] && !holds(f, n, c))
			take_out(f, d, z, at);
	}
}

/* Probability of a value of an open draw, or -1 as long as a parent is open. */
static double known_probability(const struct forward *f, uint32_t y, uint32_t at)
{
	assert(y < f->s->vars && f->s->draws[y].kind != DRAW_NONE);
	assert(at < csp_count(f->s->hard, y));
	const struct draw *d = &f->s->draws[y];
	bool known = true;
	for (size_t i = 0; i < d->parents.n; i++)
		known = known && f->set[d->parents.at[i]];
	return known ? scsp_probability_at(f->s, y, at, f->now) : -1;
}

static bool draw_intact(const struct forward *f, uint32_t y)
{
	assert(y < f->s->vars && f->s->draws[y].kind != DRAW_NONE);
	for (uint32_t at = 0; at < csp_count(f->s->hard, y); at++)
		if (!alive(f, y, at) && known_probability(f, y, at) > 0)
			return false;
	return true;
}

bool forward_draws_intact(const struct forward *f)
{
	for (size_t i = 0; i < f->bound_draws.n; i++) {
		uint32_t y = f->bound_draws.at[i];
		if (!f->set[y] && csp_size(f->s->hard, y) < csp_count(f->s->hard, y) && !draw_intact(f, y))
			return false;
	}
	return true;
}

/* What a filter of the hard part left of the open variables of x's constraints. */
static bool neighbours_live(const struct forward *f, uint32_t x)
{
	assert(x < f->s->vars);
	struct csp *n = f->s->hard;
	for (uint32_t i = 0, degree = csp_degree(n, x); i < degree; i++) {
		uint32_t c = csp_constraint_of(n, x, i), z = CSP_NONE;
		if (open_variables(f, n, c, &z) == 1 &&
		    (!f->left[FORWARD_HARD][z] || (scsp_stochastic(f->s, z) && !draw_intact(f, z))))
			return false;
	}
	return true;
}

bool forward_set(struct forward *f, uint32_t x, uint32_t at)
{
	assert(x < f->s->vars);
	assert(at < csp_count(f->s->hard, x));
	struct csp *hard = f->s->hard, *chance = f->s->chance;
	vec_push(&f->marks, f->trail.n);
	f->violated += !forward_good(f, x, at);
	bool ok = f->hard_at_start && (!f->filters_hard || alive(f, x, at));
	f->now[x] = at;
	f->set[x] = true;
	for (uint32_t i = 0, degree = csp_degree(chance, x); i < degree && !f->violated; i++)
		filter(f, FORWARD_GOOD, csp_constraint_of(chance, x, i));
	if (!f->filters_hard)
		return ok;
	for (uint32_t i = 0, degree = csp_degree(hard, x); i < degree && ok; i++)
		filter(f, FORWARD_HARD, csp_constraint_of(hard, x, i));
	return ok && neighbours_live(f, x);
}

void forward_unset(struct forward *f, uint32_t x)
{
	assert(x < f->s->vars);
	size_t mark = f->marks.at[f->marks.n - 1];
	while (f->trail.n > mark) {
		size_t one = f->trail.at[--f->trail.n], value = one / FORWARD_DOMAINS, d = one % FORWARD_DOMAINS;
		f->out[d][value] = false;
		f->left[d][f->owner.at[value]]++;
	}
	f->marks.n--;
	f->set[x] = false;
	f->violated -= !forward_good(f, x, f->now[x]);
}

/* ---- how likely ---- */

/* Probability of the good values of draw y in one row of its table. */
static double row_mass(const struct forward *f, uint32_t y, size_t row)
{
	assert(y < f->s->vars && f->s->draws[y].kind != DRAW_NONE);
	assert(row * csp_count(f->s->hard, y) < f->s->draws[y].p.n);
	const struct draw *d = &f->s->draws[y];
	uint32_t values = csp_count(f->s->hard, y);
	double mass = 0;
	for (uint32_t at = 0; at < values; at++)
		if (forward_good(f, y, at))
			mass += d->p.at[row * values + at].value;
	return mass;
}

/* The same for the likeliest row that agrees with the parents set. */
static double table_mass(const struct forward *f, uint32_t y)
{
	assert(y < f->s->vars && f->s->draws[y].kind != DRAW_NONE);
	const struct draw *d = &f->s->draws[y];
	size_t parents = d->parents.n, rows = parents ? d->given.n / parents : 1;
	double most = 0;
	if (rows > MOST_ROWS)
		return f->left[FORWARD_GOOD][y] ? 1 : 0;
	for (size_t r = 0; r < rows; r++) {
		bool agrees = true;
		for (size_t j = 0; j < parents && agrees; j++) {
			uint32_t x = d->parents.at[j], at = d->given.at[r * parents + j];
			agrees = f->set[x] ? f->now[x] == at : forward_good(f, x, at);
		}
		double mass = agrees ? row_mass(f, y, r) : 0;
		most = mass > most ? mass : most;
	}
	return most;
}

static double draw_mass(const struct forward *f, uint32_t y)
{
	assert(y < f->s->vars && f->s->draws[y].kind != DRAW_NONE);
	const struct draw *d = &f->s->draws[y];
	bool known = true;
	if (f->left[FORWARD_GOOD][y] == csp_count(f->s->hard, y))
		return 1;
	if (d->kind == DRAW_TABLE)
		return table_mass(f, y);
	for (size_t i = 0; i < d->parents.n; i++)
		known = known && f->set[d->parents.at[i]];
	if (!known)
		return f->left[FORWARD_GOOD][y] ? 1 : 0;
	double mass = 0;
	for (uint32_t at = 0; at < csp_count(f->s->hard, y); at++)
		if (forward_good(f, y, at))
			mass += scsp_probability_at(f->s, y, at, f->now);
	return mass;
}

/* Has an open decision a value that is both good and left by the hard part? */
static bool decidable(const struct forward *f, uint32_t x)
{
	assert(x < f->s->vars);
	uint32_t at = forward_next(f, x, 0);
	while (at != CSP_NONE && !forward_good(f, x, at))
		at = forward_next(f, x, at + 1);
	return at != CSP_NONE;
}

double forward_bound(const struct forward *f, uint32_t without)
{
	double bound = f->violated ? 0 : 1;
	for (size_t i = 0; i < f->exposed.n && bound > 0; i++) {
		uint32_t x = f->exposed.at[i];
		if (f->set[x] || x == without)
			continue;
		if (scsp_stochastic(f->s, x))
			bound *= draw_mass(f, x);
		else if (!decidable(f, x))
			bound = 0;
	}
	return bound < 1 ? bound : 1; /* sums of probabilities may be a little off */
}

/* ---- beginning and end ---- */

static void lay_out(struct forward *f)
{
	struct scsp *s = f->s;
	size_t values = 0;
	f->first = NEW_ARRAY(size_t, s->vars + 1);
	for (int d = 0; d < FORWARD_DOMAINS; d++)
		f->left[d] = NEW_ARRAY(uint32_t, s->vars + 1);
	for (uint32_t x = 0; x < s->vars; x++) {
		f->first[x] = values;
		for (uint32_t i = 0; i < csp_count(s->hard, x); i++)
			vec_push(&f->owner, x);
		values += csp_count(s->hard, x);
		f->left[FORWARD_HARD][x] = csp_size(s->hard, x);
		f->left[FORWARD_GOOD][x] = csp_count(s->hard, x);
		if (csp_degree(s->chance, x))
			vec_push(&f->exposed, x);
		if (scsp_stochastic(s, x) && csp_degree(s->hard, x))
			vec_push(&f->bound_draws, x);
	}
	for (int d = 0; d < FORWARD_DOMAINS; d++)
		f->out[d] = NEW_ARRAY(bool, values + 1);
}

void forward_start(struct forward *f, struct scsp *s, bool filters_hard)
{
	*f = (struct forward){.s = s, .filters_hard = filters_hard, .hard_at_start = true};
	f->now = NEW_ARRAY(uint32_t, s->vars + 1);
	f->set = NEW_ARRAY(bool, s->vars + 1);
	scsp_most_worth(s, f->most);
	lay_out(f);
	for (uint32_t c = 0; c < csp_constraints(s->chance); c++)
		filter(f, FORWARD_GOOD, c);
	for (uint32_t c = 0; filters_hard && c < csp_constraints(s->hard); c++)
		filter(f, FORWARD_HARD, c);
	for (uint32_t x = 0; filters_hard && x < s->vars; x++)
		f->hard_at_start =
			f->hard_at_start && f->left[FORWARD_HARD][x] && (!scsp_stochastic(s, x) || draw_intact(f, x));
}

void forward_free(struct forward *f)
{
	mem_free(f->now);
	mem_free(f->set);
	mem_free(f->first);
	for (int d = 0; d < FORWARD_DOMAINS; d++) {
		mem_free(f->out[d]);
		mem_free(f->left[d]);
	}
	vec_free(&f->trail);
	vec_free(&f->marks);
	vec_free(&f->owner);
	vec_free(&f->exposed);
	vec_free(&f->bound_draws);
}

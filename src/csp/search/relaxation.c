/* A bound for linear objectives: the Lagrangian relaxation of the linear constraints (Everett 1963; Held and Karp
 * 1971).
 *
 * Minimised is c x, where the rows say s (a x - k) <= 0, with s = 1 or -1. With multipliers m >= 0 of the rows (of any
 * sign where a row is an equation), every solution that is better than the bound B, that is D c x <= D (B - 1), has
 *
 *     D c x + sum of m s (a x)  <=  D (B - 1) + sum of m s k
 *
 * which is one more linear constraint, implied by the others: a sum, which propagates and explains itself as any other.
 * What it removes are the values that the reduced costs D c + m s a exclude. The multipliers are those that make the
 * left side's least value, a lower bound of the objective, as large as possible at the root; a few hundred steps along
 * subgradients find them nearly. All is in whole numbers once they are rounded, so that rounding costs some strength
 * but never a solution.
 *
 * An objective that is one variable v stands for the longest linear row that ties v to others. */
#include "csp/csp_internal.h"

#include <assert.h>
#include <math.h>

#define MOST_TERMS 20000            /* of all rows together */
#define FIRST_SCALE 1024            /* D, smaller where the numbers are large */
#define ROOM ((double)(1ull << 58)) /* for all that is added up */
#define FADE 0.97                   /* of the steps from one to the next */

struct row {
	const uint32_t *scope;
	const int64_t *coeffs;
	uint32_t arity;
	int64_t k;
	int sign;      /* of the side that must not be positive */
	bool equation; /* multipliers of both signs */
	bool fixed;    /* the multiplier is not sought: the row replaces the objective's variable */
	double unit;   /* a multiplier of the size that is to be expected */
	double width;  /* how far the row's left side can move */
	double slope, multiplier, best;
	int64_t whole; /* the multiplier at last */
};

struct column {
	uint32_t x;
	double cost, low, high;
	double reduced;
	int64_t whole;
};

struct relax {
	struct csp *n;
	VEC(struct row) rows;
	VEC(struct column) columns;
	uint32_t *column_of; /* per variable; CSP_NONE */
	double most;         /* the best bound so far */
	int64_t scale;
};

static struct column *column(struct relax *r, uint32_t x)
{
	assert(x < r->n->vars.n);
	if (r->column_of[x] == CSP_NONE) {
		r->column_of[x] = narrow32(r->columns.n);
		vec_push(&r->columns, (struct column){.x = x, .low = dom_min(r->n, x), .high = dom_max(r->n, x)});
	}
	return &r->columns.at[r->column_of[x]];
}

/* ---- the rows ---- */

/* As a row whose sign * (coeffs * x - k) must not be positive; false: it is none. */
static bool read_row(const struct csp *n, uint32_t c, struct row *row)
{
	assert(c < n->cons.n);
	const struct con *k = &n->cons.at[c];
	struct linear l;
	if (k->implied || !sum_linear(k, &l) || l.relation == CSP_NE)
		return false;
	bool at_least = l.relation == CSP_GE || l.relation == CSP_GT;
	*row = (struct row){.scope = con_scope(n, k), .coeffs = l.coeffs, .arity = k->arity, .k = l.k};
	row->k += (l.relation == CSP_GT) - (l.relation == CSP_LT);
	row->sign = at_least ? -1 : 1;
	row->equation = l.relation == CSP_EQ;
	return true;
}

/* The factor with which the row takes v out of the objective, 1 or -1 times its cost; 0: it does not. */
static int64_t replaces(const struct row *row, uint32_t v, int64_t cost)
{
	int64_t own = 0;
	for (uint32_t p = 0; p < row->arity; p++)
		own += row->scope[p] == v ? row->sign * row->coeffs[p] : 0;
	if (own != 1 && own != -1)
		return 0;
	return row->equation || (cost > 0) != (own > 0) ? -cost * own : 0;
}

/* Puts the longest row about the variable v in its place. */
static void replace_variable(struct relax *r, uint32_t v, int64_t cost)
{
	struct row row, longest = {0};
	for (uint32_t c = 0; c < r->n->cons.n; c++)
		if (read_row(r->n, c, &row) && row.arity > longest.arity && replaces(&row, v, cost))
			longest = row;
	if (longest.arity < 3)
		return;
	longest.fixed = true;
	longest.multiplier = (double)replaces(&longest, v, cost);
	vec_push(&r->rows, longest);
	for (uint32_t p = 0; p < longest.arity; p++)
		column(r, longest.scope[p])->cost += longest.multiplier * longest.sign * (double)longest.coeffs[p];
}

/* What the row has to do with the objective; false: nothing. */
static bool measure(struct relax *r, struct row *row)
{
	double costs = 0;
	for (uint32_t p = 0; p < row->arity; p++) {
		if (r->column_of[row->scope[p]] != CSP_NONE) {
			const struct column *c = column(r, row->scope[p]);
			costs += fabs(c->cost) * (c->high - c->low);
		}
		double wide = (double)dom_max(r->n, row->scope[p]) - dom_min(r->n, row->scope[p]);
		row->width += fabs((double)row->coeffs[p]) * wide;
	}
	row->unit = row->width > 0 ? costs / row->width : 0;
	return row->unit > 0;
}

/* All others that share a variable with the objective. False: there are none, or too many. */
static bool take_rows(struct relax *r)
{
	size_t terms = 0, own = r->rows.n;
	struct row row;
	for (uint32_t c = 0; c < r->n->cons.n; c++) {
		if (!read_row(r->n, c, &row) || (own && row.coeffs == r->rows.at[0].coeffs) || !measure(r, &row))
			continue;
		vec_push(&r->rows, row);
		terms += row.arity;
		if (terms > MOST_TERMS)
			return false;
	}
	for (size_t i = own; i < r->rows.n; i++)
		for (uint32_t p = 0; p < r->rows.at[i].arity; p++)
			column(r, r->rows.at[i].scope[p]);
	return r->rows.n > own;
}

/* ---- the multipliers ---- */

/* The bound for the present multipliers, and how it changes with each. */
static double relaxed(struct relax *r)
{
	double bound = 0;
	for (size_t j = 0; j < r->columns.n; j++)
		r->columns.at[j].reduced = r->columns.at[j].cost;
	for (size_t i = 0; i < r->rows.n; i++) {
		const struct row *row = &r->rows.at[i];
		double m = row->multiplier * row->sign;
		bound -= m * (double)row->k;
		for (uint32_t p = 0; !row->fixed && m != 0 && p < row->arity; p++)
			column(r, row->scope[p])->reduced += m * (double)row->coeffs[p];
	}
	for (size_t j = 0; j < r->columns.n; j++) {
		const struct column *c = &r->columns.at[j];
		bound += c->reduced * (c->reduced > 0 ? c->low : c->high);
	}
	for (size_t i = 0; i < r->rows.n; i++) {
		struct row *row = &r->rows.at[i];
		row->slope = -(double)row->k;
		for (uint32_t p = 0; p < row->arity; p++) {
			const struct column *c = column(r, row->scope[p]);
			row->slope += (double)row->coeffs[p] * (c->reduced > 0 ? c->low : c->high);
		}
		row->slope *= row->sign;
	}
	return bound;
}

/* The way along which the bound grows, where it can be gone; the steepest part has length 1. */
static double steepest(const struct relax *r)
{
	double most = 0;
	for (size_t i = 0; i < r->rows.n; i++) {
		const struct row *row = &r->rows.at[i];
		bool stuck = row->fixed || (!row->equation && row->multiplier <= 0 && row->slope < 0);
		if (!stuck)
			most = fmax(most, fabs(row->slope) / row->width);
	}
	return most;
}

static void seek(struct relax *r, uint64_t steps)
{
	double length = 1;
	r->most = -INFINITY;
	for (uint64_t step = 0; step < steps; step++, length *= FADE) {
		double bound = relaxed(r), most = steepest(r);
		for (size_t i = 0; i < r->rows.n && bound > r->most; i++)
			r->rows.at[i].best = r->rows.at[i].multiplier;
		r->most = fmax(r->most, bound);
		if (most <= 0)
			return;
		for (size_t i = 0; i < r->rows.n; i++) {
			struct row *row = &r->rows.at[i];
			if (row->fixed)
				continue;
			row->multiplier += length * row->unit * row->slope / (row->width * most);
			if (!row->equation && row->multiplier < 0)
				row->multiplier = 0;
		}
	}
}

/* ---- whole numbers ---- */

/* The largest number that x can stand for, in the domain it was made with. */
static double span(const struct csp *n, uint32_t x)
{
	const struct var *v = &n->vars.at[x];
	return fmax(fabs((double)var_value(n, v, 0)), fabs((double)var_value(n, v, v->count - 1)));
}

/* How large the numbers may become, as a sum over all terms. */
static double largest(const struct relax *r, double scale)
{
	double sum = 0;
	for (size_t j = 0; j < r->columns.n; j++)
		sum += scale * fabs(r->columns.at[j].cost) * span(r->n, r->columns.at[j].x);
	for (size_t i = 0; i < r->rows.n; i++) {
		const struct row *row = &r->rows.at[i];
		double m = fabs(row->best) * scale + 1;
		sum += m * fabs((double)row->k);
		for (uint32_t p = 0; p < row->arity; p++)
			sum += m * fabs((double)row->coeffs[p]) * fmax(span(r->n, row->scope[p]), 1);
	}
	return sum;
}

/* Rounds the multipliers and adds the rows to the objective, in `whole` of the columns. Returns the right side. */
static int64_t add_up(struct relax *r)
{
	int64_t right = 0;
	for (size_t i = 0; i < r->rows.n; i++) {
		struct row *row = &r->rows.at[i];
		double m = row->best * (double)r->scale;
		row->whole = (int64_t)round(m) * row->sign;
		right += row->whole * row->k;
		for (uint32_t p = 0; p < row->arity; p++)
			column(r, row->scope[p])->whole += row->whole * row->coeffs[p];
	}
	return right;
}

static int64_t least_value(const struct csp *n, uint32_t x, int64_t factor)
{
	return factor * (factor > 0 ? dom_min(n, x) : dom_max(n, x));
}

/* The constraint, if it bounds the objective better than its own terms do. */
static void post(struct relax *r, int sign)
{
	struct csp *n = r->n;
	VEC(uint32_t) scope = {0};
	VEC(int64_t) coeffs = {0};
	int64_t plain = 0, right, bound;
	for (size_t i = 0; i < n->objective_scope.n; i++) {
		int64_t c = sign * n->objective_coeffs.at[i];
		column(r, n->objective_scope.at[i])->whole += r->scale * c;
		plain += r->scale * least_value(n, n->objective_scope.at[i], c);
	}
	right = add_up(r);
	bound = -right;
	for (size_t j = 0; j < r->columns.n; j++) {
		const struct column *c = &r->columns.at[j];
		bound += least_value(n, c->x, c->whole);
		if (!c->whole)
			continue;
		vec_push(&scope, c->x);
		vec_push(&coeffs, c->whole);
	}
	if (bound > plain && scope.n) {
		uint32_t c = csp_add_sum(n, scope.at, coeffs.at, scope.n, CSP_LE, CSP_NO_BOUND);
		assert(c != CSP_NONE);
		n->cons.at[c].objective = n->cons.at[c].implied = true;
		n->relaxation = (struct relaxation){.con = c, .scale = r->scale, .right = right, .on = true};
	}
	vec_free(&scope);
	vec_free(&coeffs);
}

bool relaxation_add(struct csp *n, uint64_t steps)
{
	assert(!n->levels.n);
	struct relax r = {.n = n, .scale = FIRST_SCALE};
	int sign = n->maximise ? -1 : 1;
	if (n->relaxation.con != CSP_NONE || !n->relaxation.on || n->objective_expr || !steps)
		return false;
	r.column_of = mem_alloc(n->vars.n, sizeof *r.column_of);
	for (uint32_t x = 0; x < n->vars.n; x++)
		r.column_of[x] = CSP_NONE;
	for (size_t i = 0; i < n->objective_scope.n; i++)
		column(&r, n->objective_scope.at[i])->cost += sign * (double)n->objective_coeffs.at[i];
	if (n->objective_scope.n == 1)
		replace_variable(&r, n->objective_scope.at[0], sign * n->objective_coeffs.at[0]);
	if (take_rows(&r)) {
		seek(&r, steps);
		while (r.scale > 1 && largest(&r, (double)r.scale) > ROOM)
			r.scale /= 2;
		if (largest(&r, (double)r.scale) <= ROOM)
			post(&r, sign);
	}
	vec_free(&r.rows);
	vec_free(&r.columns);
	mem_free(r.column_of);
	return n->relaxation.con != CSP_NONE;
}

void relaxation_tighten(struct csp *n, int64_t value)
{
	const struct relaxation *r = &n->relaxation;
	if (r->con == CSP_NONE)
		return;
	int64_t better = (n->maximise ? -value : value) - 1, right;
	bool none = !r->on || value <= -CSP_NO_BOUND || value >= CSP_NO_BOUND;
	if (none || __builtin_mul_overflow(r->scale, better, &right) || __builtin_add_overflow(right, r->right, &right) ||
	    right > CSP_NO_BOUND)
		right = CSP_NO_BOUND;
	sum_set_bound(n, r->con, right < -CSP_NO_BOUND ? -CSP_NO_BOUND : right);
}

void relaxation_start(struct csp *n)
{
	n->relaxation.on = true;
	for (uint32_t c = 0; c < n->prepared; c++)
		if (n->asleep[c])
			n->relaxation.on = false;
}

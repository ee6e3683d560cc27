/* Building a stochastic network: draws, soft constraints, thresholds, order. */
#include "scsp/scsp_internal.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct csp *scsp_copy_variables(const struct csp *n)
{
	struct csp *m = csp_new();
	VEC(int32_t) v = {0};
	VEC(const char *) names = {0};
	for (uint32_t i = 0; i < csp_symbols(n); i++)
		csp_symbol(m, csp_symbol_text(n, (int32_t)i)); /* equal numbers for equal symbols */
	for (uint32_t x = 0; x < csp_variables(n); x++) {
		vec_clear(&v);
		vec_clear(&names);
		for (uint32_t i = 0; i < csp_count(n, x); i++) {
			vec_push(&v, csp_value(n, x, i));
			if (csp_symbolic(n, x))
				vec_push(&names, csp_symbol_text(n, csp_value(n, x, i)));
		}
		if (csp_symbolic(n, x))
			csp_var_symbols(m, csp_name(n, x), names.at, names.n);
		else
			csp_var_values(m, csp_name(n, x), v.at, v.n);
		if (csp_hidden(n, x))
			csp_hide(m, x);
	}
	vec_free(&v);
	vec_free(&names);
	return m;
}

struct scsp *scsp_new(struct csp *hard, uint32_t players)
{
	struct scsp *s = NEW(struct scsp);
	s->hard = hard;
	/* chance constraints are only ever checked, never propagated: their failure is a loss, not a contradiction */
	s->chance = scsp_copy_variables(hard);
	s->vars = csp_variables(hard);
	s->players = players < 1 ? 1 : players > SCSP_MAX_PLAYERS ? SCSP_MAX_PLAYERS : players;
	s->draws = NEW_ARRAY(struct draw, s->vars + 1);
	s->order = NEW_ARRAY(uint32_t, s->vars + 1);
	s->place = NEW_ARRAY(uint32_t, s->vars + 1);
	for (uint32_t x = 0; x < s->vars; x++)
		s->order[x] = s->place[x] = x;
	return s;
}

static void clear_draw(struct draw *d)
{
	vec_free(&d->parents);
	vec_free(&d->given);
	vec_free(&d->p);
	table_free(&d->index);
	*d = (struct draw){0};
}

void scsp_free(struct scsp *s)
{
	if (!s)
		return;
	for (uint32_t x = 0; x < s->vars; x++)
		clear_draw(&s->draws[x]);
	for (size_t i = 0; i < s->softs.n; i++) {
		struct soft *f = &s->softs.at[i];
		vec_free(&f->scope);
		vec_free(&f->cells);
		vec_free(&f->utilities);
		vec_free(&f->most);
		table_free(&f->index);
	}
	vec_free(&s->softs);
	mem_free(s->draws);
	mem_free(s->order);
	mem_free(s->place);
	csp_free(s->hard);
	csp_free(s->chance);
	text_free(&s->error);
	mem_free(s);
}

static bool refuse(struct scsp *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool refuse(struct scsp *s, const char *format, ...)
{
	char line[240];
	va_list list;
	va_start(list, format);
	vsnprintf(line, sizeof line, format, list);
	va_end(list);
	s->error.n = 0;
	text_puts(&s->error, line);
	return false;
}

const char *scsp_error(const struct scsp *s)
{
	return text_str(&s->error);
}

struct csp *scsp_hard(struct scsp *s)
{
	return s->hard;
}

struct csp *scsp_chance(struct scsp *s)
{
	return s->chance;
}

uint32_t scsp_players(const struct scsp *s)
{
	return s->players;
}

/* ---- probabilities ---- */

struct scsp_p scsp_ratio(int64_t num, int64_t den)
{
	return (struct scsp_p){(double)num / (double)den, num, den};
}

struct scsp_p scsp_decimal(double value)
{
	return (struct scsp_p){value, 0, 0};
}

/* The shortest that reads back as the same number. */
static void put_decimal(double value, struct text *out)
{
	char line[40];
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(line, sizeof line, "%.*g", digits, value);
		if (strtod(line, NULL) == value)
			break;
	}
	text_puts(out, line);
}

void scsp_p_text(struct scsp_p p, struct text *out)
{
	if (!p.den)
		put_decimal(p.value, out);
	else if (p.den == 1)
		text_printf(out, "%lld", (long long)p.num);
	else
		text_printf(out, "%lld/%lld", (long long)p.num, (long long)p.den);
}

static bool sums_to_one(struct scsp *s, uint32_t y, const struct scsp_p *p)
{
	double sum = 0;
	for (uint32_t i = 0; i < csp_count(s->hard, y); i++) {
		if (!(p[i].value >= 0) || p[i].value > 1 + SCSP_EPSILON)
			return refuse(s, "%s: the probability %g is not between 0 and 1", csp_name(s->hard, y), p[i].value);
		sum += p[i].value;
	}
	if (fabs(sum - 1) > SCSP_EPSILON)
		return refuse(s, "%s: the probabilities sum to %.10g, not to 1", csp_name(s->hard, y), sum);
	return true;
}

static bool good_draw(struct scsp *s, uint32_t y)
{
	if (y >= s->vars)
		return refuse(s, "no variable number %u", y);
	return true;
}

bool scsp_draw(struct scsp *s, uint32_t y, const struct scsp_p *p)
{
	if (!good_draw(s, y) || !sums_to_one(s, y, p))
		return false;
	struct draw *d = &s->draws[y];
	clear_draw(d);
	d->kind = DRAW_TABLE;
	for (uint32_t i = 0; i < csp_count(s->hard, y); i++)
		vec_push(&d->p, p[i]);
	return true;
}

/* Parents decide before y is drawn; a draw that depends on itself, directly or
 * through others, would not be one. */
static bool before_all(struct scsp *s, uint32_t y, const uint32_t *parents, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (parents[i] >= s->vars)
			return refuse(s, "no variable number %u", parents[i]);
		if (s->place[parents[i]] >= s->place[y])
			return refuse(s, "%s depends on %s, which does not come before it", csp_name(s->hard, y),
			              csp_name(s->hard, parents[i]));
	}
	return true;
}

static uint32_t find_row(const struct table *t, const uint32_t *rows, size_t width, const uint32_t *wanted)
{
	uint64_t h = hash_words(wanted, width);
	uint32_t it = 0, id;
	for (table_start(t, h, &it); (id = table_next(t, h, &it)) != TABLE_NONE;)
		if (!memcmp(rows + id * width, wanted, width * 4))
			return id;
	return TABLE_NONE;
}

bool scsp_draw_given(struct scsp *s, uint32_t y, const uint32_t *parents, size_t parent_count, const int32_t *given,
                     size_t rows, const struct scsp_p *p)
{
	if (!parent_count)
		return rows == 1 ? scsp_draw(s, y, p) : refuse(s, "a table without parents has one row");
	if (!good_draw(s, y) || !before_all(s, y, parents, parent_count))
		return false;
	uint32_t values = csp_count(s->hard, y);
	double all = 1;
	struct draw d = {.kind = DRAW_TABLE};
	bool ok = true;
	for (size_t j = 0; j < parent_count; j++) {
		vec_push(&d.parents, parents[j]);
		all *= csp_count(s->hard, parents[j]);
	}
	for (size_t r = 0; ok && r < rows; r++) {
		size_t at = d.given.n;
		for (size_t j = 0; ok && j < parent_count; j++) {
			uint32_t i = csp_index(s->hard, parents[j], given[r * parent_count + j]);
			if (i == CSP_NONE)
				ok = refuse(s, "%s has no value %d", csp_name(s->hard, parents[j]), given[r * parent_count + j]);
			vec_push(&d.given, i);
		}
		if (ok && find_row(&d.index, d.given.at, parent_count, d.given.at + at) != TABLE_NONE)
			ok = refuse(s, "%s: two rows for the same values of its parents", csp_name(s->hard, y));
		ok = ok && sums_to_one(s, y, p + r * values);
		if (ok)
			table_add(&d.index, hash_words(d.given.at + at, parent_count), (uint32_t)r);
	}
	if (ok && (double)rows != all)
		ok = refuse(s, "%s: %zu rows for %.0f combinations of its parents", csp_name(s->hard, y), rows, all);
	for (size_t i = 0; ok && i < rows * values; i++)
		vec_push(&d.p, p[i]);
	clear_draw(ok ? &s->draws[y] : &d);
	if (ok)
		s->draws[y] = d;
	return ok;
}

bool scsp_draw_legal(struct scsp *s, uint32_t y, const uint32_t *legal)
{
	if (!good_draw(s, y) || !before_all(s, y, legal, csp_count(s->hard, y)))
		return false;
	struct draw *d = &s->draws[y];
	clear_draw(d);
	d->kind = DRAW_LEGAL;
	for (uint32_t i = 0; i < csp_count(s->hard, y); i++)
		vec_push(&d->parents, legal[i]);
	return true;
}

double scsp_probability_at(const struct scsp *s, uint32_t y, uint32_t at, const uint32_t *now)
{
	assert(y < s->vars);
	const struct draw *d = &s->draws[y];
	uint32_t values = csp_count(s->hard, y);
	if (d->kind == DRAW_LEGAL) {
		uint32_t legal = 0;
		for (uint32_t i = 0; i < values; i++)
			legal += csp_value(s->hard, d->parents.at[i], now[d->parents.at[i]]) == 1;
		bool it = csp_value(s->hard, d->parents.at[at], now[d->parents.at[at]]) == 1;
		return it ? 1.0 / legal : 0;
	}
	uint32_t row = 0;
	if (d->parents.n) {
		uint32_t wanted[64], *w = d->parents.n <= 64 ? wanted : mem_alloc(d->parents.n, sizeof *w);
		for (size_t j = 0; j < d->parents.n; j++)
			w[j] = now[d->parents.at[j]];
		row = find_row(&d->index, d->given.at, d->parents.n, w);
		if (w != wanted)
			mem_free(w);
	}
	return d->p.at[(size_t)row * values + at].value;
}

static void indices(const struct scsp *s, const int32_t *values, uint32_t *now)
{
	for (uint32_t x = 0; x < s->vars; x++)
		now[x] = csp_index(s->hard, x, values[x]);
}

double scsp_probability(const struct scsp *s, uint32_t y, uint32_t at, const int32_t *values)
{
	assert(y < s->vars);
	uint32_t *now = mem_alloc(s->vars + 1, sizeof *now);
	indices(s, values, now);
	double p = scsp_probability_at(s, y, at, now);
	mem_free(now);
	return p;
}

/* ---- order, soft constraints, thresholds ---- */

bool scsp_order(struct scsp *s, const uint32_t *vars, size_t count)
{
	if (count != s->vars)
		return refuse(s, "the order names %zu of %u variables", count, s->vars);
	uint32_t *place = mem_alloc(s->vars + 1, sizeof *place);
	memset(place, 0xff, (s->vars + 1) * sizeof *place);
	for (uint32_t i = 0; i < s->vars; i++) {
		if (vars[i] >= s->vars || place[vars[i]] != UINT32_MAX) {
			mem_free(place);
			return refuse(s, "the order names a variable twice");
		}
		place[vars[i]] = i;
	}
	mem_free(s->place);
	s->place = place;
	memcpy(s->order, vars, count * sizeof *vars);
	for (uint32_t y = 0; y < s->vars; y++)
		if (s->draws[y].kind && !before_all(s, y, s->draws[y].parents.at, s->draws[y].parents.n))
			return false;
	return true;
}

bool scsp_soft(struct scsp *s, const uint32_t *scope, size_t arity, const int32_t *tuples, size_t rows,
               const double *utilities)
{
	struct soft f = {0};
	for (size_t j = 0; j < arity; j++)
		if (scope[j] >= s->vars)
			return refuse(s, "no variable number %u", scope[j]);
	for (size_t j = 0; j < arity; j++)
		vec_push(&f.scope, scope[j]);
	bool ok = arity > 0 || refuse(s, "a soft constraint without variables");
	for (uint32_t p = 0; p < s->players; p++)
		vec_push(&f.most, 0);
	for (size_t r = 0; ok && r < rows; r++) {
		for (size_t j = 0; ok && j < arity; j++) {
			uint32_t i = csp_index(s->hard, scope[j], tuples[r * arity + j]);
			if (i == CSP_NONE)
				ok = refuse(s, "%s has no value %d", csp_name(s->hard, scope[j]), tuples[r * arity + j]);
			vec_push(&f.cells, i);
		}
		if (ok && find_row(&f.index, f.cells.at, arity, f.cells.at + r * arity) != TABLE_NONE)
			ok = refuse(s, "a soft constraint gives one tuple two utilities");
		for (uint32_t p = 0; ok && p < s->players; p++) {
			double u = utilities[r * s->players + p];
			if (!(u >= 0 && u <= 1))
				ok = refuse(s, "the utility %g is not between 0 and 1", u);
			vec_push(&f.utilities, u);
			if (u > f.most.at[p])
				f.most.at[p] = u;
		}
		if (ok)
			table_add(&f.index, hash_words(f.cells.at + r * arity, arity), (uint32_t)r);
	}
	if (ok) {
		vec_push(&s->softs, f);
		return true;
	}
	vec_free(&f.scope);
	vec_free(&f.cells);
	vec_free(&f.utilities);
	vec_free(&f.most);
	table_free(&f.index);
	return false;
}

bool scsp_threshold(struct scsp *s, uint32_t player, double theta)
{
	return scsp_threshold_as(s, player, scsp_decimal(theta));
}

bool scsp_threshold_as(struct scsp *s, uint32_t player, struct scsp_p theta)
{
	if (player >= s->players)
		return refuse(s, "there is no player number %u", player);
	if (!(theta.value >= 0 && theta.value <= 1))
		return refuse(s, "the threshold %g is not between 0 and 1", theta.value);
	s->theta[player] = theta.value;
	s->theta_as[player] = theta;
	return true;
}

bool scsp_stochastic(const struct scsp *s, uint32_t x)
{
	return s->draws[x].kind != DRAW_NONE;
}

double scsp_theta(const struct scsp *s, uint32_t player)
{
	return s->theta[player];
}

uint32_t scsp_stages(const struct scsp *s)
{
	uint32_t stages = 0;
	for (uint32_t i = 0; i < s->vars; i++)
		stages += scsp_stochastic(s, s->order[i]) && (i + 1 == s->vars || !scsp_stochastic(s, s->order[i + 1]));
	return stages ? stages : 1;
}

const uint32_t *scsp_sequence(const struct scsp *s)
{
	return s->order;
}

uint32_t scsp_softs(const struct scsp *s)
{
	return narrow32(s->softs.n);
}

/* ---- the worth of a leaf ---- */

static bool chance_holds(struct scsp *s, const uint32_t *now)
{
	uint32_t at[64];
	for (uint32_t c = 0; c < csp_constraints(s->chance); c++) {
		uint32_t k = csp_arity(s->chance, c), *a = k <= 64 ? at : mem_alloc(k, sizeof *a);
		for (uint32_t j = 0; j < k; j++)
			a[j] = now[csp_scope(s->chance, c)[j]];
		bool ok = csp_check_at(s->chance, c, a);
		if (a != at)
			mem_free(a);
		if (!ok)
			return false;
	}
	return true;
}

void scsp_worth_at(struct scsp *s, const uint32_t *now, double *out)
{
	bool holds = chance_holds(s, now);
	for (uint32_t p = 0; p < s->players; p++)
		out[p] = holds && !s->softs.n ? 1 : 0;
	for (size_t i = 0; holds && i < s->softs.n; i++) {
		const struct soft *f = &s->softs.at[i];
		uint32_t at[64], *a = f->scope.n <= 64 ? at : mem_alloc(f->scope.n, sizeof *a);
		for (size_t j = 0; j < f->scope.n; j++)
			a[j] = now[f->scope.at[j]];
		uint32_t row = find_row(&f->index, f->cells.at, f->scope.n, a);
		if (a != at)
			mem_free(a);
		for (uint32_t p = 0; row != TABLE_NONE && p < s->players; p++)
			out[p] += f->utilities.at[(size_t)row * s->players + p];
	}
}

void scsp_worth(struct scsp *s, const int32_t *values, double *out)
{
	uint32_t *now = mem_alloc(s->vars + 1, sizeof *now);
	indices(s, values, now);
	scsp_worth_at(s, now, out);
	mem_free(now);
}

void scsp_most_worth(const struct scsp *s, double *out)
{
	for (uint32_t p = 0; p < s->players; p++) {
		out[p] = s->softs.n ? 0 : 1;
		for (size_t i = 0; i < s->softs.n; i++)
			out[p] += s->softs.at[i].most.at[p];
	}
}

bool scsp_is_solution(const struct scsp *s, const double *expected)
{
	for (uint32_t p = 0; p < s->players; p++)
		if (expected[p] < s->theta[p] - SCSP_EPSILON)
			return false;
	return true;
}

static void check_draw(const struct scsp *s, uint32_t y)
{
	const struct draw *d = &s->draws[y];
	uint32_t values = csp_count(s->hard, y);
	for (size_t i = 0; i < d->parents.n; i++)
		assert(d->parents.at[i] < s->vars && s->place[d->parents.at[i]] < s->place[y]);
	if (d->kind != DRAW_TABLE) {
		assert(d->kind == DRAW_NONE ? !d->parents.n : d->parents.n == values);
		return;
	}
	assert(d->p.n && d->p.n % values == 0);
	assert(d->given.n == (d->parents.n ? d->p.n / values * d->parents.n : 0));
	for (size_t row = 0; row < d->p.n; row += values) {
		double sum = 0;
		for (uint32_t i = 0; i < values; i++) {
			assert(d->p.at[row + i].value >= 0);
			sum += d->p.at[row + i].value;
		}
		assert(fabs(sum - 1) <= SCSP_EPSILON);
	}
}

void scsp_check_problem(const struct scsp *s)
{
	assert(csp_variables(s->hard) == s->vars && csp_variables(s->chance) == s->vars);
	assert(s->players && s->players <= SCSP_MAX_PLAYERS);
	for (uint32_t i = 0; i < s->vars; i++) {
		assert(s->order[i] < s->vars && s->place[s->order[i]] == i);
		check_draw(s, i);
	}
	for (size_t i = 0; i < s->softs.n; i++) {
		const struct soft *q = &s->softs.at[i];
		assert(q->scope.n && q->cells.n % q->scope.n == 0);
		assert(q->utilities.n == q->cells.n / q->scope.n * s->players && q->most.n == s->players);
	}
}

/* The split of a one-stage problem (section 4.2 of Koriche et al.): the
 * chance part alone, solved by forward checking, says which assignments of the
 * decisions it depends on reach the thresholds. They become a hard constraint. */
#include "scsp/feasible.h"

#include <assert.h>

void scsp_feasible_free(struct scsp_feasible *f)
{
	vec_free(&f->scope);
	vec_free(&f->tuples);
}

struct chance_part {
	struct forward p;
	struct scsp_feasible *f;
	struct feasible_rows *rows;
	const struct limit *limit;
	uint64_t polls;
	bool *decided, *drawn; /* variables the chance part depends on */
	VEC(uint32_t) draws;
	double need[SCSP_MAX_PLAYERS];
	bool stop;
};

static void depend(struct chance_part *k, uint32_t x)
{
	assert(x < k->p.s->vars);
	const struct scsp *s = k->p.s;
	if (!scsp_stochastic(s, x)) {
		k->decided[x] = true;
		return;
	}
	if (k->drawn[x])
		return;
	k->drawn[x] = true;
	for (size_t i = 0; i < s->draws[x].parents.n; i++)
		depend(k, s->draws[x].parents.at[i]);
}

/* Which variables the worth depends on; false when a decision comes after a draw. */
static bool collect(struct chance_part *k)
{
	struct scsp *s = k->p.s;
	for (uint32_t c = 0; c < csp_constraints(s->chance); c++)
		for (uint32_t j = 0; j < csp_arity(s->chance, c); j++)
			depend(k, csp_scope(s->chance, c)[j]);
	for (size_t i = 0; i < s->softs.n; i++)
		for (size_t j = 0; j < s->softs.at[i].scope.n; j++)
			depend(k, s->softs.at[i].scope.at[j]);
	bool after = false;
	double size = 1;
	for (uint32_t i = 0; i < s->vars; i++) {
		uint32_t x = s->order[i];
		after = after || scsp_stochastic(s, x);
		if (k->decided[x]) {
			if (after)
				return false;
			vec_push(&k->f->scope, x);
			size *= csp_size(s->hard, x);
		}
		if (k->drawn[x])
			vec_push(&k->draws, x);
		assert(k->draws.n + k->f->scope.n <= s->vars);
	}
	return size <= 1e8;
}

static void expect(struct chance_part *k, size_t i, double weight, double *sum)
{
	assert(weight >= 0 && weight <= 1 + SCSP_EPSILON);
	struct scsp *s = k->p.s;
	if (i == k->draws.n) {
		double worth[SCSP_MAX_PLAYERS];
		scsp_worth_at(s, k->p.now, worth);
		for (uint32_t p = 0; p < s->players; p++)
			sum[p] += weight * worth[p];
		return;
	}
	uint32_t y = k->draws.at[i];
	assert(y < s->vars && scsp_stochastic(s, y));
	for (uint32_t v = 0; v < csp_count(s->hard, y); v++) {
		double q = scsp_probability_at(s, y, v, k->p.now);
		k->p.now[y] = v;
		if (q > 0)
			expect(k, i + 1, weight * q, sum);
	}
}

static void keep_row(struct chance_part *k)
{
	struct scsp *s = k->p.s;
	double sum[SCSP_MAX_PLAYERS] = {0};
	expect(k, 0, 1, sum);
	for (uint32_t p = 0; p < s->players; p++)
		if (sum[p] < k->need[p] - SCSP_EPSILON)
			return;
	for (size_t j = 0; j < k->f->scope.n; j++) {
		uint32_t x = k->f->scope.at[j];
		vec_push(&k->f->tuples, csp_value(s->hard, x, k->p.now[x]));
		vec_push(&k->rows->cells, k->p.now[x]);
	}
	for (uint32_t p = 0; p < s->players; p++)
		vec_push(&k->rows->expected, sum[p]);
	k->f->rows++;
	assert(k->rows->cells.n == k->f->rows * k->f->scope.n);
}

static void decide(struct chance_part *k, size_t i)
{
	struct scsp *s = k->p.s;
	if ((++k->polls & 255) == 0 && limit_reached(k->limit))
		k->stop = true;
	if (k->stop)
		return;
	assert(i <= k->f->scope.n);
	if (i == k->f->scope.n) {
		keep_row(k);
		return;
	}
	uint32_t x = k->f->scope.at[i];
	for (uint32_t v = csp_next_at(s->hard, x, 0); v != CSP_NONE; v = csp_next_at(s->hard, x, v + 1)) {
		k->f->nodes++;
		forward_set(&k->p, x, v);
		double bound = forward_bound(&k->p, CSP_NONE);
		bool reachable = true;
		for (uint32_t p = 0; p < s->players; p++)
			reachable = reachable && bound * k->p.most[p] >= k->need[p] - SCSP_EPSILON;
		if (reachable)
			decide(k, i + 1);
		else
			k->f->pruned++;
		forward_unset(&k->p, x);
	}
}

bool feasible_rows(struct scsp *s, const double *need, struct scsp_feasible *f, struct feasible_rows *rows,
                   const struct limit *l)
{
	struct chance_part k = {.f = f, .rows = rows, .limit = l};
	forward_start(&k.p, s, false);
	k.decided = NEW_ARRAY(bool, s->vars + 1);
	k.drawn = NEW_ARRAY(bool, s->vars + 1);
	*f = (struct scsp_feasible){0};
	*rows = (struct feasible_rows){0};
	for (uint32_t p = 0; p < s->players; p++)
		k.need[p] = need[p];
	bool ok = scsp_stages(s) == 1 && csp_prepare(s->hard) && collect(&k);
	if (ok)
		decide(&k, 0);
	forward_free(&k.p);
	mem_free(k.decided);
	mem_free(k.drawn);
	vec_free(&k.draws);
	return ok && !k.stop;
}

bool scsp_feasibility(struct scsp *s, struct scsp_feasible *f, const struct limit *l)
{
	struct feasible_rows rows;
	bool ok = feasible_rows(s, s->theta, f, &rows, l);
	feasible_rows_free(&rows);
	return ok;
}

void feasible_rows_free(struct feasible_rows *rows)
{
	vec_free(&rows->cells);
	vec_free(&rows->expected);
}

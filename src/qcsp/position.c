/* A position in a quantified sequence. Constraints that mention a later
 * quantified variable sleep; when its last one is set a constraint wakes. What
 * is awake is propagated, and whether a value is really possible is settled by a
 * solution: the last one found, repaired where it no longer fits, or a search. */
#include "qcsp/qcsp_internal.h"

#include <string.h>

static void sort_constraints(struct position *p)
{
	struct qcsp *q = p->q;
	uint32_t cons = csp_constraints(p->n), m = (uint32_t)q->sequence.n;
	p->first = NEW_ARRAY(uint32_t, m + 3);
	p->by_depth = mem_alloc(cons + 1, sizeof *p->by_depth);
	uint32_t *depth = qcsp_depths(q, NULL);
	for (uint32_t c = 0; c < cons; c++)
		p->first[depth[c] + 2]++;
	for (uint32_t d = 2; d < m + 3; d++)
		p->first[d] += p->first[d - 1];
	for (uint32_t c = 0; c < cons; c++)
		p->by_depth[p->first[depth[c] + 1]++] = c;
	mem_free(depth);
}

/* Do all constraints awake hold for the witness? Only those with a free variable need a look. */
static bool witness_holds(struct position *p)
{
	struct csp *n = p->n;
	uint32_t at[64];
	for (uint32_t i = 0; i < p->first[p->depth + 1]; i++) {
		uint32_t c = p->by_depth[i], arity = csp_arity(n, c), *a = arity <= 64 ? at : mem_alloc(arity, sizeof *a);
		const uint32_t *scope = csp_scope(n, c);
		bool open = false;
		for (uint32_t j = 0; j < arity; j++) {
			a[j] = p->witness[scope[j]];
			open = open || csp_size(n, scope[j]) > 1;
		}
		bool ok = !open || csp_check_at(n, c, a);
		if (a != at)
			mem_free(a);
		if (!ok)
			return false;
	}
	return true;
}

static bool keep(void *user, const struct csp *n, const int32_t *values)
{
	struct position *p = user;
	memcpy(p->found, values, csp_variables(n) * sizeof *values);
	return false;
}

static bool possible(struct position *p)
{
	struct csp *n = p->n;
	bool fixed = true;
	for (size_t i = 0; i < p->state.n; i++) {
		uint32_t x = p->state.at[i];
		if (csp_size(n, x) > 1)
			fixed = false;
		if (!csp_has_at(n, x, p->witness[x]))
			p->witness[x] = csp_next_at(n, x, 0);
	}
	for (uint32_t i = 0; i < p->depth; i++)
		p->witness[p->q->sequence.at[i]] = csp_next_at(n, p->q->sequence.at[i], 0);
	if (fixed || witness_holds(p))
		return true;
	struct csp_options o = csp_defaults;
	struct csp_stats st;
	o.solution = keep;
	o.user = p;
	o.branch = p->state.at;
	o.branch_count = p->state.n;
	p->searches++;
	/* most questions are easy, but the smallest values may be a bad guess: a few quick runs with random ones first */
	o.values = CSP_VALUE_RANDOM;
	o.max_nodes = 2 * p->state.n + 20;
	enum csp_status status = CSP_UNKNOWN;
	for (o.seed = 1; o.seed <= 8 && status == CSP_UNKNOWN; o.seed++)
		status = csp_solve(n, &o, &st);
	if (status == CSP_UNKNOWN) {
		o.max_nodes = 0;
		o.restarts = CSP_RESTART_LUBY;
		status = csp_solve(n, &o, &st);
	}
	if (status != CSP_SAT)
		return false;
	for (size_t i = 0; i < p->state.n; i++)
		p->witness[p->state.at[i]] = csp_index(n, p->state.at[i], p->found[p->state.at[i]]);
	return true;
}

bool position_start(struct position *p, struct qcsp *q)
{
	*p = (struct position){.q = q, .n = q->n, .base = csp_level(q->n)};
	sort_constraints(p);
	for (uint32_t x = 0; x < csp_variables(p->n); x++)
		if (q->place[x] == CSP_NONE)
			vec_push(&p->state, x);
	p->witness = NEW_ARRAY(uint32_t, csp_variables(p->n) + 1);
	p->found = NEW_ARRAY(int32_t, csp_variables(p->n) + 1);
	for (uint32_t i = p->first[1]; i < csp_constraints(p->n); i++)
		csp_sleep(p->n, p->by_depth[i]);
	return csp_propagate(p->n) && possible(p);
}

bool position_set(struct position *p, uint32_t at)
{
	uint32_t x = p->q->sequence.at[p->depth++];
	csp_push(p->n);
	if (!csp_assign_at(p->n, x, at))
		return false;
	for (uint32_t i = p->first[p->depth]; i < p->first[p->depth + 1]; i++)
		csp_wake(p->n, p->by_depth[i]);
	return csp_propagate(p->n) && (!p->q->strategic || possible(p));
}

void position_undo(struct position *p)
{
	csp_pop(p->n, csp_level(p->n) - 1);
	for (uint32_t i = p->first[p->depth]; i < p->first[p->depth + 1]; i++)
		csp_sleep(p->n, p->by_depth[i]);
	p->depth--;
}

void position_free(struct position *p)
{
	while (p->depth)
		position_undo(p);
	for (uint32_t i = p->first[1]; i < csp_constraints(p->n); i++)
		csp_wake(p->n, p->by_depth[i]);
	mem_free(p->by_depth);
	mem_free(p->first);
	mem_free(p->witness);
	mem_free(p->found);
	vec_free(&p->state);
}

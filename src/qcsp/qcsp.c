/* Quantified problems: building, choosing a solver, and the definition itself as
 * a solver (brute), which checks complete assignments and does nothing else. */
#include "qcsp/qcsp_internal.h"

#include <string.h>

const struct qcsp_options qcsp_defaults = {.strategy = true};

struct qcsp *qcsp_new(struct csp *n, bool strategic)
{
	struct qcsp *q = NEW(struct qcsp);
	q->n = n;
	q->strategic = strategic;
	q->place = mem_alloc(csp_variables(n) + 1, sizeof *q->place);
	memset(q->place, 0xff, (csp_variables(n) + 1) * sizeof *q->place);
	return q;
}

void qcsp_free(struct qcsp *q)
{
	if (!q)
		return;
	csp_free(q->n);
	vec_free(&q->sequence);
	vec_free(&q->forall);
	mem_free(q->place);
	mem_free(q);
}

struct csp *qcsp_network(struct qcsp *q)
{
	return q->n;
}

bool qcsp_strategic(const struct qcsp *q)
{
	return q->strategic;
}

bool qcsp_quantify(struct qcsp *q, uint32_t x, bool forall)
{
	if (x >= csp_variables(q->n) || q->place[x] != CSP_NONE)
		return false;
	q->place[x] = narrow32(q->sequence.n);
	vec_push(&q->sequence, x);
	vec_push(&q->forall, forall);
	return true;
}

uint32_t qcsp_length(const struct qcsp *q)
{
	return narrow32(q->sequence.n);
}

uint32_t qcsp_variable(const struct qcsp *q, uint32_t i)
{
	return q->sequence.at[i];
}

bool qcsp_forall(const struct qcsp *q, uint32_t i)
{
	return q->forall.at[i];
}

bool qcsp_limit(struct search_state *s)
{
	if (s->o->max_nodes && s->r->nodes >= s->o->max_nodes)
		s->stop = true;
	if ((++s->polls & 255) == 0 && limit_reached(&s->o->limit))
		s->stop = true;
	return s->stop;
}

/* ---- when a constraint takes part ---- */

uint32_t qcsp_own_depth(const struct qcsp *q, uint32_t c)
{
	uint32_t depth = 0;
	for (uint32_t j = 0; q->strategic && j < csp_arity(q->n, c); j++) {
		uint32_t at = q->place[csp_scope(q->n, c)[j]];
		if (at != CSP_NONE && at + 1 > depth)
			depth = at + 1;
	}
	return depth;
}

uint32_t *qcsp_depths(const struct qcsp *q, bool *late)
{
	uint32_t count = csp_constraints(q->n), *depth = mem_alloc(count + 1, sizeof *depth);
	bool any = false;
	for (uint32_t c = 0; c < count; c++) { /* the first part of each gathers the most */
		uint32_t first = csp_origin(q->n, c), own = qcsp_own_depth(q, c);
		depth[c] = own;
		if (own > depth[first])
			depth[first] = own;
	}
	for (uint32_t c = 0; c < count; c++) {
		depth[c] = depth[csp_origin(q->n, c)];
		any = any || depth[c] > qcsp_own_depth(q, c);
	}
	if (late)
		*late = any;
	return depth;
}

/* ---- the definition ---- */

struct brute {
	struct search_state *s;
	struct qcsp *q;
	struct csp *n;
	uint32_t *now, *depth;
	VEC(uint32_t) state;
};

/* All constraints whose quantified variables are among the first `depth`. */
static bool holds(struct brute *b, uint32_t depth)
{
	for (uint32_t c = 0; c < csp_constraints(b->n); c++) {
		uint32_t arity = csp_arity(b->n, c), *at = mem_alloc(arity, sizeof *at);
		bool applies = b->depth[c] <= depth;
		for (uint32_t j = 0; j < arity; j++)
			at[j] = b->now[csp_scope(b->n, c)[j]];
		bool ok = !applies || csp_check_at(b->n, c, at);
		mem_free(at);
		if (!ok)
			return false;
	}
	return true;
}

static bool solvable(struct brute *b, size_t i, uint32_t depth)
{
	if (qcsp_limit(b->s))
		return false;
	if (i == b->state.n)
		return holds(b, depth);
	uint32_t x = b->state.at[i];
	for (b->now[x] = 0; b->now[x] < csp_count(b->n, x); b->now[x]++)
		if (solvable(b, i + 1, depth))
			return true;
	return false;
}

static bool brute_win(struct brute *b, uint32_t depth)
{
	b->s->r->nodes++;
	if (qcsp_limit(b->s))
		return false;
	if (depth == b->q->sequence.n)
		return b->q->strategic || solvable(b, 0, depth);
	uint32_t x = b->q->sequence.at[depth];
	bool forall = b->q->forall.at[depth];
	for (uint32_t at = 0; at < csp_count(b->n, x); at++) {
		b->now[x] = at;
		if (b->q->strategic && !solvable(b, 0, depth + 1))
			continue;
		b->now[x] = at;
		if (brute_win(b, depth + 1) != forall)
			return !forall;
	}
	return forall;
}

bool qcsp_brute(struct search_state *s)
{
	struct brute b = {.s = s, .q = s->q, .n = s->q->n, .now = NEW_ARRAY(uint32_t, csp_variables(s->q->n) + 1)};
	b.depth = qcsp_depths(b.q, NULL);
	for (uint32_t x = 0; x < csp_variables(b.n); x++)
		if (b.q->place[x] == CSP_NONE)
			vec_push(&b.state, x);
	bool won = (b.q->sequence.n || solvable(&b, 0, 0)) && brute_win(&b, 0);
	mem_free(b.now);
	mem_free(b.depth);
	vec_free(&b.state);
	return won;
}

/* ---- solving ---- */

enum csp_status qcsp_solve(struct qcsp *q, const struct qcsp_options *o, struct qcsp_result *r)
{
	double start = clock_now();
	*r = (struct qcsp_result){.strategy.root = QCSP_DONE};
	struct search_state s = {.q = q, .o = o, .r = r};
	bool answer = false, done = false;
	if (o->method == QCSP_BRUTE) {
		r->method = "brute";
		answer = qcsp_brute(&s);
		done = true;
	}
	if (!done && (o->method == QCSP_AUTO || o->method == QCSP_POSITIONAL)) {
		r->method = "positional";
		done = qcsp_positional(&s, &answer);
	}
	if (!done && o->method != QCSP_POSITIONAL) {
		qcsp_result_free(r);
		*r = (struct qcsp_result){.strategy.root = QCSP_DONE, .method = "general"};
		answer = qcsp_general(&s);
		done = true;
	}
	r->known = done && !s.stop;
	r->answer = r->known && answer;
	r->has_strategy = r->answer && o->strategy && o->method != QCSP_BRUTE;
	if (!r->has_strategy)
		qcsp_result_free(r);
	r->seconds = clock_now() - start;
	return !r->known ? CSP_UNKNOWN : r->answer ? CSP_SAT : CSP_UNSAT;
}

void qcsp_result_free(struct qcsp_result *r)
{
	vec_free(&r->strategy.nodes);
	vec_free(&r->strategy.arcs);
}

/* Up the graph: what playouts and ends are worth to the nodes on the way. */
#include "play/mcgs/mcgs_internal.h"

#include <assert.h>
#include <string.h>

/* A running mean; the number of visits counts the new one. */
static void add_to_mean(_Atomic float *mean, float value, float visits)
{
	float m = get(mean);
	if (m >= 0)
		put(mean, m + (value - m) / visits);
	else if (m > ARM_SHUT)
		put(mean, value);
}

static uint32_t count_visit(_Atomic uint32_t *visits)
{
	return atomic_fetch_add_explicit(visits, 1, RELAXED) + 1;
}

/* The child knows more than the arm does: other ways may lead there too (Childs, Brodeur and Kocsis 2008). */
static void visit_single(struct mcgs *t, const struct vertex *n, const struct arms *a, uint32_t arm,
                         const double *value)
{
	assert(n->mover < t->roles && n->movers <= t->roles);
	assert(a->start[t->roles]);
	assert(arm < a->start[t->roles]);
	uint32_t i = a->start[vertex_mover(n)] + arm, c = vertex_sole_child(a, n->mover, arm);
	float visits = (float)count_visit(&a->visits[i]);
	if (c == NONE || !vertex_at(t, c)->visits)
		add_to_mean(&a->mean[i], (float)value[vertex_mover(n)], visits);
	else if (get(&a->mean[i]) > ARM_SHUT)
		put(&a->mean[i], get(&vertex_value(t, vertex_at(t, c))[vertex_mover(n)]));
}

static void visit_joint(struct mcgs *t, const struct arms *a, const uint32_t *chosen, const double *value)
{
	assert(a->start[t->roles]);
	for (uint32_t r = 0; r < t->roles; r++) {
		uint32_t i = a->start[r] + chosen[r];
		float visits = (float)count_visit(&a->visits[i]);
		add_to_mean(&a->mean[i], (float)value[r], visits);
	}
}

/* What another arm would have brought, as far as is known. */
static double other_value(const struct mcgs *t, uint32_t child, uint32_t role, double value)
{
	assert(role < t->roles);
	if (child == NONE || child == CLAIMED)
		return value;
	const struct vertex *n = vertex_at(t, child);
	return n->visits || vertex_flags(n) & VERTEX_SOLVED ? (double)get(&vertex_value(t, n)[role]) : value;
}

static void learn_regret(struct mcgs *t, struct walker *w, const struct arms *a, const uint32_t *chosen,
                         const double *value)
{
	assert(a->start[t->roles]);
	uint32_t *arms = w->joint;
	memcpy(arms, chosen, t->roles * sizeof *arms);
	for (uint32_t r = 0; r < t->roles; r++) {
		if (r == t->g->random || arm_count(a, r) == 1 || !a->joint)
			continue;
		for (uint32_t i = 0; i < arm_count(a, r); i++) {
			arms[r] = i;
			double x = i == chosen[r] ? value[r] : other_value(t, a->child[joint_index(t, a, arms)], r, value[r]);
			_Atomic float *regret = &a->regret[a->start[r] + i];
			put(regret, get(regret) + (float)(x - value[r]));
		}
		arms[r] = chosen[r];
	}
}

/* Arms that are shut were tried, not chosen: the value of a node is that of the others. */
static void forget_shut(struct mcgs *t, struct vertex *n, const struct arms *a)
{
	assert(n->mover < t->roles && n->movers <= t->roles);
	assert(a->start[t->roles]);
	uint32_t r = n->mover, first = a->start[r];
	if (n->movers != 1 || !is_single(n, a))
		return;
	for (uint32_t q = 0; q < t->roles; q++) {
		double sum = 0, total = 0;
		for (uint32_t i = 0; i < a->joint; i++) {
			uint32_t c = vertex_sole_child(a, r, i);
			if (c == NONE || get(&a->mean[first + i]) <= ARM_SHUT)
				continue;
			double visits = a->visits[first + i];
			sum += visits * (double)get(&vertex_value(t, vertex_at(t, c))[q]);
			total += visits;
		}
		if (total > 0)
			put(&vertex_value(t, n)[q], (float)(sum / total));
	}
}

/* A worse move than the proved one was only tried, not chosen. */
static void clamp_value(struct mcgs *t, const struct vertex *n, double *value)
{
	assert(n->mover < t->roles && n->movers <= t->roles);
	for (uint32_t r = 0; r < t->roles; r++) {
		double low = (double)get(&vertex_low(t, n)[r]), high = (double)get(&vertex_high(t, n)[r]);
		value[r] = value[r] < low ? low : value[r] > high ? high : value[r];
	}
}

/* The mean keeps within what is proved, also where most of it was collected before the proof. */
static void visit_vertex(struct mcgs *t, struct vertex *n, const double *value)
{
	assert(n->mover < t->roles && n->movers <= t->roles);
	float visits = (float)count_visit(&n->visits);
	for (uint32_t r = 0; r < t->roles; r++) {
		_Atomic float *mean = &vertex_value(t, n)[r];
		float low = get(&vertex_low(t, n)[r]), high = get(&vertex_high(t, n)[r]), m = (float)value[r];
		if (visits > 1)
			m = get(mean) + (m - get(mean)) / visits;
		put(mean, within(m, low, high));
	}
}

static void visit_leaf(struct mcgs *t, const struct flight *f, const double *value)
{
	if (f->leaf == NONE)
		return;
	struct vertex *n = vertex_at(t, f->leaf);
	if (vertex_flags(n) & VERTEX_SOLVED)
		count_visit(&n->visits);
	else
		visit_vertex(t, n, value);
	atomic_fetch_and_explicit(&n->flags, (uint8_t)~VERTEX_IN_FLIGHT, RELAXED);
}

void back_up(struct mcgs *t, struct walker *w, uint32_t flight, const double *leaf_value)
{
	assert(flight < w->flights.n);
	struct flight *f = &w->flights.at[flight];
	struct arms a;
	double *value = w->value;
	flight_pending(t, f, -1);
	if (leaf_value) {
		memcpy(value, leaf_value, t->roles * sizeof *value);
		visit_leaf(t, f, value);
	} else if (f->leaf != NONE) {
		atomic_fetch_and_explicit(&vertex_at(t, f->leaf)->flags, (uint8_t)~VERTEX_IN_FLIGHT, RELAXED);
	}
	bool changed = f->leaf != NONE && vertex_flags(vertex_at(t, f->leaf)) & VERTEX_SOLVED;
	for (size_t i = f->steps.n; i-- && (leaf_value || changed || f->stale);) {
		const struct path_step *p = &f->steps.at[i];
		struct vertex *n = vertex_at(t, p->node);
		vertex_arms(t, n, &a);
		bool single = is_single(n, &a);
		if (leaf_value) {
			if (single)
				visit_single(t, n, &a, p->arm, value);
			else
				visit_joint(t, &a, f->chosen.at + p->arm, value);
		}
		if (changed || f->stale) {
			changed = vertex_bound(t, w, n);
			if (changed && !(vertex_flags(n) & VERTEX_SOLVED))
				forget_shut(t, n, &a);
		}
		if (!leaf_value)
			continue;
		if (!single && t->o.mixed == MIXED_TREE && n->movers > 1) /* by what the joint move is worth, not the node */
			learn_regret(t, w, &a, f->chosen.at + p->arm, value);
		clamp_value(t, n, value);
		if (vertex_flags(n) & VERTEX_SOLVED)
			count_visit(&n->visits);
		else
			visit_vertex(t, n, value);
	}
	flight_end(w, flight);
}

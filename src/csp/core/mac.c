/* MAC: decide x = v, propagate; on failure go back and propagate x != v.
 * One loop serves plain search, conflict-directed backjumping, nogood learning,
 * restarts with nogoods and branch and bound.
 *
 * Two stacks: `up` holds the decisions x = v, one per level; `no` the refutations
 * x != v with the level they were made on, for nogoods at restarts. */
#include "csp/core/explain.h"

#include <assert.h>
#include <string.h>

struct decision {
	struct choice choice;
	size_t deps;
};

struct refutation {
	uint32_t depth, lit;
};

struct mac {
	struct search *s;
	struct csp *n;
	uint32_t root; /* level of depth 0 */
	VEC(struct decision) up;
	VEC(struct refutation) no;
	bool jump, learn, restart;
	uint64_t failures_left, restarts;
	uint64_t *set; /* scratch: a set of levels */
	uint64_t *used;
};

uint64_t search_luby(uint64_t i)
{
	assert(i);
	uint64_t k = 1;
	while ((UINT64_C(1) << k) - 1 < i)
		k++;
	return (UINT64_C(1) << k) - 1 == i ? UINT64_C(1) << (k - 1) : search_luby(i - (UINT64_C(1) << (k - 1)) + 1);
}

static void next_run(struct mac *m)
{
	const struct csp_options *o = m->s->o;
	double unit = o->restart_unit ? o->restart_unit : 100;
	m->restarts++;
	if (o->restarts == CSP_RESTART_LUBY) {
		m->failures_left = (uint64_t)unit * search_luby(m->restarts);
	} else {
		for (uint64_t i = 1; i < m->restarts && unit < 1e15; i++)
			unit *= o->tune.restart_growth;
		m->failures_left = (uint64_t)unit;
	}
}

static void set_decision(struct mac *m, const uint64_t *levels)
{
	memcpy(m->n->deps->decision, levels, m->n->deps->words * sizeof(uint64_t));
}

/* Its number as an assignment; CSP_NONE: it is none, but part of an interval. */
static uint32_t literal_of(const struct csp *n, struct choice c)
{
	assert(c.x < n->vars.n && c.i < n->vars.at[c.x].count);
	return c.op == CHOICE_IS && !n->vars.at[c.x].wide ? n->vars.at[c.x].lit + c.i : CSP_NONE;
}

static bool decide(struct mac *m, struct choice c)
{
	assert(c.x < m->s->n->vars.n);
	struct csp *n = m->n;
	vec_push(&m->up, (struct decision){c, m->jump ? n->deps->trail.n : 0});
	assert(dom_size(n, c.x) > 1);
	net_push(n);
	assert(csp_level(n) == m->root + m->up.n);
	m->s->s->nodes++;
	if (m->up.n > m->s->s->depth)
		m->s->s->depth = m->up.n;
	if (m->jump) {
		memset(m->set, 0, n->deps->words * sizeof(uint64_t));
		bits_add(m->set, m->up.n);
		set_decision(m, m->set);
	}
	return choice_make(n, c) && csp_propagate(n);
}

static void blame(struct mac *m)
{
	struct csp *n = m->n;
	m->s->s->backtracks++;
	if (n->culprit < n->cons.n)
		order_blame(n, n->culprit);
	if (m->up.n)
		m->s->last = m->up.at[m->up.n - 1].choice.x;
}

/* The deepest decision that has a part in the conflict; 0: none has. */
static uint32_t jump_target(struct mac *m)
{
	if (!m->jump)
		return narrow32(m->up.n);
	const uint64_t *c = m->n->deps->conflict;
	for (uint32_t d = narrow32(m->up.n); d; d--)
		if (bits_has(c, d))
			return d;
	return 0;
}

/* Keep the decisions of a conflict as a nogood, deepest first. */
static void keep_conflict(struct mac *m)
{
	struct csp *n = m->n;
	if (nogoods_count(n) >= (size_t)m->s->o->tune.nogoods_most)
		return;
	VEC(uint32_t) lits = {0};
	bool whole = true;
	for (uint32_t d = narrow32(m->up.n); d; d--)
		if (bits_has(n->deps->conflict, d)) {
			uint32_t lit = literal_of(n, m->up.at[d - 1].choice);
			whole = whole && lit != CSP_NONE;
			vec_push(&lits, lit);
		}
	if (whole && lits.n > 1) /* a single one is refuted at the root anyway */
		nogoods_add(n, lits.at, narrow32(lits.n));
	vec_free(&lits);
}

static void leave(struct mac *m, uint32_t depth)
{
	assert(depth <= m->up.n);
	csp_pop(m->n, m->root + depth);
	if (m->jump && m->up.n > depth)
		deps_undo(m->n, m->up.at[depth].deps);
	m->up.n = depth;
	while (m->no.n && vec_last(&m->no).depth > depth)
		m->no.n--;
}

static bool refute_choice(struct mac *m, struct choice c)
{
	assert(c.x < m->s->n->vars.n);
	vec_push(&m->no, (struct refutation){narrow32(m->up.n), literal_of(m->n, c)});
	return choice_refute(m->n, c);
}

/* With interchangeable values, an unused value stands for all unused ones of
 * its class (dynamic symmetry breaking as in GE-trees, Roney-Dougal et al. 2004). */
static bool refute_class(struct mac *m, struct choice c)
{
	assert(c.x < m->s->n->vars.n);
	struct csp *n = m->n;
	uint32_t x = c.x, i = c.i;
	uint32_t count = n->vars.at[x].count;
	assert(count == n->vars.at[0].count);
	memset(m->used, 0, BITS_WORDS(count) * sizeof(uint64_t));
	for (uint32_t k = 0; k < n->fixed_n; k++)
		bits_add(m->used, dom_first(n, n->fixed[k]));
	if (!bits_has(m->used, i))
		for (uint32_t j = 0; j < count; j++)
			if (j != i && m->s->class_of[j] == m->s->class_of[i] && !bits_has(m->used, j) &&
			    !refute_choice(m, (struct choice){x, j, CHOICE_IS}))
				return false;
	return refute_choice(m, c);
}

/* Go back to the decision to blame and refute it; again when that fails too.
 * False: nothing is left to refute. */
static bool back(struct mac *m)
{
	struct csp *n = m->n;
	for (;;) {
		uint32_t target = jump_target(m);
		if (!target)
			return false;
		m->s->s->backjumps += m->up.n - target;
		struct decision d = m->up.at[target - 1];
		if (m->jump) {
			bits_drop(n->deps->conflict, target);
			memcpy(m->set, n->deps->conflict, n->deps->words * sizeof(uint64_t));
		}
		leave(m, target - 1);
		m->s->s->nodes++;
		if (m->jump)
			set_decision(m, m->set);
		n->culprit = CSP_NONE;
		bool ok = m->s->class_of ? refute_class(m, d.choice) : refute_choice(m, d.choice);
		uint32_t failed = ok ? CSP_NONE : d.choice.x;
		if (ok)
			objective_wake(n);
		if (ok && csp_propagate(n))
			return true;
		if (m->jump)
			deps_conflict(n, n->culprit, failed);
		if (m->learn)
			keep_conflict(m);
		blame(m);
		if (m->failures_left)
			m->failures_left--;
		if (search_limit(m->s))
			return false;
	}
}

/* Every refutation x != v under decisions d1..dk says: not d1..dk and x = v.
 * Those of depth 0 stay in force, for a restart goes back to depth 0 only. */
static bool restart(struct mac *m)
{
	struct csp *n = m->n;
	VEC(uint32_t) lits = {0};
	bool ok = true;
	uint32_t depth = narrow32(m->up.n);
	uint32_t *path = NEW_ARRAY(uint32_t, depth + 1);
	for (uint32_t d = 0; d < depth; d++)
		path[d] = literal_of(n, m->up.at[d].choice);
	size_t count = m->no.n;
	struct refutation *no = mem_alloc(count + 1, sizeof *no);
	memcpy(no, m->no.at, count * sizeof *no);
	leave(m, 0);
	if (n->nogoods)
		for (size_t i = 0; i < count && ok; i++) {
			if (!no[i].depth)
				continue;
			assert(no[i].depth <= depth);
			bool whole = no[i].lit != CSP_NONE;
			vec_clear(&lits);
			vec_push(&lits, no[i].lit);
			for (uint32_t d = no[i].depth; d--;) {
				vec_push(&lits, path[d]);
				whole = whole && path[d] != CSP_NONE;
			}
			ok = !whole || nogoods_add(n, lits.at, narrow32(lits.n));
		}
	vec_free(&lits);
	mem_free(path);
	mem_free(no);
	m->s->s->restarts++;
	next_run(m);
	return ok && csp_propagate(n);
}

static void solution_conflict(struct mac *m)
{
	if (!m->jump)
		return;
	memset(m->n->deps->conflict, 0, m->n->deps->words * sizeof(uint64_t));
	for (uint32_t d = 1; d <= m->up.n; d++)
		bits_add(m->n->deps->conflict, d);
}

/* True: the space is exhausted. */
static bool run(struct mac *m)
{
	struct search *s = m->s;
	s->s->nodes++;
	bool ok = csp_propagate(m->n);
	for (;;) {
		if (!ok) {
			if (m->jump)
				deps_conflict(m->n, m->n->culprit, CSP_NONE);
			if (m->learn)
				keep_conflict(m);
			blame(m);
			if (m->restart && m->failures_left)
				m->failures_left--;
			if (search_limit(s))
				return false;
			ok = back(m);
			if (!ok)
				return !s->stop;
			continue;
		}
		if (m->restart && !m->failures_left && m->up.n) {
			if (!restart(m))
				return true;
			continue;
		}
		if (search_limit(s))
			return false;
		struct choice c = order_choose(s);
		if (c.x != CSP_NONE) {
			ok = decide(m, c);
			continue;
		}
		if (!search_show(s))
			return false;
		solution_conflict(m);
		if (!back(m))
			return !s->stop;
	}
}

bool search_mac(struct search *s)
{
	assert(s->n->levels.n >= s->base);
	struct mac m = {.s = s, .n = s->n};
	const struct csp_options *o = s->o;
	m.learn = o->algorithm == CSP_ALG_LEARN;
	m.jump = m.learn || o->algorithm == CSP_ALG_MAC_CBJ;
	m.restart = o->restarts != CSP_RESTART_NONE;
	net_push(s->n);
	m.root = csp_level(s->n);
	if (m.learn || (m.restart && (o->nogoods || o->max_solutions != 1)))
		nogoods_start(s->n);
	if (m.jump)
		deps_start(s->n);
	m.set = NEW_ARRAY(uint64_t, BITS_WORDS(s->n->vars.n + 2));
	m.used = NEW_ARRAY(uint64_t, BITS_WORDS(s->n->vars.n ? s->n->vars.at[0].count : 1));
	if (m.restart)
		next_run(&m);
	bool done = run(&m);
	assert(csp_level(s->n) >= m.root);
	s->s->nogoods += nogoods_count(s->n);
	csp_pop(s->n, m.root - 1);
	nogoods_stop(s->n);
	deps_stop(s->n);
	vec_free(&m.up);
	vec_free(&m.no);
	mem_free(m.set);
	mem_free(m.used);
	return done;
}

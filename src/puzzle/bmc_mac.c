/* The network of a round (model.h), one stage after another, searched by MAC.
 *
 * Stage t + 1 has the variables `after` of stage t for its state and copies of all
 * the others; its tables share the tuples of the template. Depth T asks: stages
 * before T are not terminal, stage T is, with a score above the best so far. Actions
 * are decided in the order of time, everything else follows by propagation, which
 * also carries what the last stage wants back through the stages.
 *
 * A state from which the search has come back in vain is a nogood: an assignment of
 * the variables of one stage, together with the rounds that were left. It is kept
 * for all stages and all greater depths: at depth T every smaller depth has been
 * refuted, so "not in r rounds" means "not in r or fewer". It stays true when
 * the score that is asked for rises. */
#include "puzzle/puzzle.h"

#include "base/hash.h"
#include "model/model.h"

#include <string.h>

#define STAGES_MOST 1000
#define VARIABLES_MOST 400000
#define NOGOOD_BYTES ((size_t)512 << 20)

struct nogood_at {
	size_t key; /* mac->keys */
	uint32_t rounds;
};

struct mac {
	struct game *g;
	const struct puzzle_options *o;
	struct puzzle_result *r;
	struct model *m;
	struct csp *net;
	uint32_t variables, constraints; /* of the template */
	uint32_t groups;
	VEC(uint32_t *) stages; /* by stage and variable of the template: its variable */
	VEC(uint32_t) keys;
	VEC(struct nogood_at) nogoods;
	struct table index;
	uint32_t *key; /* scratch */
	uint64_t nodes;
};

static bool out_of_time(struct mac *m)
{
	m->nodes++;
	if (!m->r->why && limit_reached(&m->o->limit))
		m->r->why = "out of time";
	return m->r->why != NULL;
}

static uint32_t copy_variable(struct mac *m, uint32_t x, uint32_t stage)
{
	struct text name = {0};
	VEC(int32_t) values = {0};
	text_printf(&name, "%s.%u", csp_name(m->net, x), stage);
	for (uint32_t i = 0; i < csp_count(m->net, x); i++)
		vec_push(&values, csp_value(m->net, x, i));
	uint32_t y = csp_var_values(m->net, text_str(&name), values.at, values.n);
	text_free(&name);
	vec_free(&values);
	return y;
}

/* The stage after the last one; false: it cannot be said, or is too large. */
static bool put_stage(struct mac *m)
{
	uint32_t t = (uint32_t)m->stages.n, *map = mem_alloc(m->variables + 1, 4), scope[64];
	bool ok = (uint64_t)t * m->variables < VARIABLES_MOST && t < STAGES_MOST;
	for (uint32_t x = 0; x < m->variables; x++)
		map[x] = t ? CSP_NONE : x;
	for (uint32_t i = 0; i < m->groups && t; i++)
		map[model_now(m->m, i)] = m->stages.at[t - 1][model_after(m->m, i)];
	vec_push(&m->stages, map);
	for (uint32_t x = 0; x < m->variables && ok; x++)
		if (map[x] == CSP_NONE)
			map[x] = copy_variable(m, x, t);
	for (uint32_t c = 0; c < m->constraints && t && ok; c++) {
		uint32_t n = csp_arity(m->net, c);
		ok = csp_kind(m->net, c) == CSP_TABLE && n <= 64;
		for (uint32_t i = 0; i < n && ok; i++)
			scope[i] = map[csp_scope(m->net, c)[i]];
		ok = ok && csp_add_table_like(m->net, scope, c) != CSP_NONE;
	}
	return ok;
}

/* ---- nogoods ---------------------------------------------------------------------- */

/* The state of a stage as value indices; false: not all of it is decided. */
static bool read_key(struct mac *m, uint32_t t)
{
	for (uint32_t i = 0; i < m->groups; i++) {
		uint32_t x = m->stages.at[t][model_now(m->m, i)];
		if (csp_size(m->net, x) != 1)
			return false;
		m->key[i] = csp_next_at(m->net, x, 0);
	}
	return true;
}

static struct nogood_at *find_nogood(struct mac *m, uint64_t h)
{
	uint32_t it, id;
	for (table_start(&m->index, h, &it); (id = table_next(&m->index, h, &it)) != TABLE_NONE;)
		if (!memcmp(m->keys.at + m->nogoods.at[id].key, m->key, m->groups * 4))
			return &m->nogoods.at[id];
	return NULL;
}

static void keep_nogood(struct mac *m, uint32_t t, uint32_t rounds)
{
	if (!read_key(m, t) || m->keys.n * 4 > NOGOOD_BYTES)
		return;
	uint64_t h = hash_words(m->key, m->groups);
	struct nogood_at *known = find_nogood(m, h);
	if (known) {
		known->rounds = rounds > known->rounds ? rounds : known->rounds;
		return;
	}
	table_add(&m->index, h, (uint32_t)m->nogoods.n);
	vec_push(&m->nogoods, (struct nogood_at){m->keys.n, rounds});
	vec_extend(&m->keys, m->groups);
	memcpy(m->keys.at + m->keys.n - m->groups, m->key, m->groups * 4);
}

static bool is_nogood(struct mac *m, uint32_t t, uint32_t rounds)
{
	if (!read_key(m, t))
		return false;
	struct nogood_at *k = find_nogood(m, hash_words(m->key, m->groups));
	return k && k->rounds >= rounds;
}

/* ---- the search ---------------------------------------------------------------------- */

static bool found(struct mac *m, uint32_t depth)
{
	VEC(uint32_t) plan = {0};
	for (uint32_t t = 0; t < depth; t++)
		vec_push(&plan, model_move_of(m->m, 0, csp_next_at(m->net, m->stages.at[t][model_action(m->m, 0)], 0)));
	bool better = puzzle_reached(m->o, m->r, puzzle_play(m->g, m->o->start, plan.at, plan.n));
	if (better) {
		vec_clear(&m->r->plan);
		for (size_t i = 0; i < plan.n; i++)
			vec_push(&m->r->plan, plan.at[i]);
	}
	vec_free(&plan);
	return better;
}

/* True: a plan was found. False with r->why: stopped. */
static bool descend(struct mac *m, uint32_t t, uint32_t depth)
{
	if (t == depth)
		return found(m, depth);
	if (out_of_time(m) || is_nogood(m, t, depth - t))
		return false;
	uint32_t x = m->stages.at[t][model_action(m->m, 0)], level = csp_level(m->net);
	for (uint32_t i = csp_next_at(m->net, x, 0); i != CSP_NONE; i = csp_next_at(m->net, x, i + 1)) {
		csp_push(m->net);
		bool ok = csp_assign_at(m->net, x, i) && csp_propagate(m->net) && descend(m, t + 1, depth);
		csp_pop(m->net, level);
		if (ok)
			return true;
		if (m->r->why)
			return false;
	}
	keep_nogood(m, t, depth - t);
	return false;
}

static bool inject(struct mac *m)
{
	for (uint32_t i = 0; i < m->groups; i++) {
		uint32_t at = model_value_in(m->m, i, puzzle_start(m->g, m->o));
		if (at == CSP_NONE || !csp_assign_at(m->net, model_now(m->m, i), at))
			return false;
	}
	return csp_propagate(m->net);
}

/* Can a play go on for this number of rounds, as far as propagation sees? */
static bool goes_on(struct mac *m, uint32_t depth)
{
	bool ok = inject(m);
	for (uint32_t t = 0; t < depth && ok; t++)
		ok = csp_assign(m->net, m->stages.at[t][model_terminal(m->m)], 0) && csp_propagate(m->net);
	return ok;
}

static bool ends_better(struct mac *m, uint32_t depth)
{
	uint32_t score = m->stages.at[depth][model_score(m->m, 0)];
	int floor = m->o->floor ? atomic_load(m->o->floor) : GOAL_NONE;
	floor = floor > m->r->best ? floor : m->r->best;
	bool ok = csp_assign(m->net, m->stages.at[depth][model_terminal(m->m)], 1);
	for (uint32_t i = 0; i < csp_count(m->net, score) && ok; i++)
		if (csp_value(m->net, score, i) <= floor && csp_has_at(m->net, score, i))
			ok = csp_forbid_at(m->net, score, i);
	return ok && csp_propagate(m->net);
}

/* True: go deeper. */
static bool search_depth(struct mac *m, uint32_t depth)
{
	bool more = true, again = true;
	while (more && again && !m->r->why && m->r->best < 100) {
		csp_push(m->net);
		more = goes_on(m, depth);
		again = more && ends_better(m, depth) && descend(m, 0, depth);
		csp_pop(m->net, 0);
	}
	return more;
}

static void deepen(struct mac *m)
{
	for (uint32_t depth = 0; !m->r->why && m->r->best < 100; depth++) {
		if (!put_stage(m)) {
			m->r->why = "too large to be unrolled further";
			break;
		}
		if (!csp_prepare(m->net) || !search_depth(m, depth)) { /* no play is longer */
			int floor = m->o->floor ? atomic_load(m->o->floor) : GOAL_NONE;
			m->r->bound = floor > m->r->best ? floor : m->r->best;
			break;
		}
		m->r->depth = depth;
		if (m->o->progress)
			progress_step(m->o->progress, depth, 0, m->r->by);
	}
}

void puzzle_bmc_mac(struct game *g, const struct puzzle_options *o, struct puzzle_result *r)
{
	double start = clock_now();
	struct model_options mo = {.limit = o->limit, .memory = (size_t)256 << 20};
	struct text error = {0};
	struct mac m = {.g = g, .o = o, .r = r};
	*r = (struct puzzle_result){.best = GOAL_NONE, .bound = 100, .by = "unrolled MAC"};
	m.m = model_make(g, &mo, &error);
	text_free(&error);
	if (!m.m) {
		r->why = "no network of a round within the limits";
		return;
	}
	m.net = model_csp(m.m);
	m.variables = csp_variables(m.net);
	m.constraints = csp_constraints(m.net);
	m.groups = model_groups(m.m);
	m.key = mem_alloc(m.groups + 1, 4);
	deepen(&m);
	r->proved = r->best >= r->bound || r->best == 100;
	r->why = r->proved ? NULL : r->why;
	r->expanded = m.nodes;
	r->states = m.nogoods.n;
	r->seconds = clock_now() - start;
	for (size_t i = 0; i < m.stages.n; i++)
		mem_free(m.stages.at[i]);
	vec_free(&m.stages);
	vec_free(&m.keys);
	vec_free(&m.nogoods);
	table_free(&m.index);
	mem_free(m.key);
	model_free(m.m);
}

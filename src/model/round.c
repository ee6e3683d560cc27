/* Rounds: a state is injected, the solutions are the legal joint moves with their
 * successors. */
#include "model/model_internal.h"

#include "base/bits.h"
#include "game/rules_view.h"
#include "model/delta.h"

#include <string.h>

static uint32_t most(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

struct csp *model_csp(struct model *m)
{
	model_wake_goals(m);
	return m->net;
}

uint32_t model_terminal(const struct model *m)
{
	return m->terminal;
}
uint32_t model_action(const struct model *m, uint32_t role)
{
	return m->action[role];
}
uint32_t model_score(const struct model *m, uint32_t role)
{
	return m->score[role];
}
uint32_t model_groups(const struct model *m)
{
	return (uint32_t)m->groups->all.n;
}
uint32_t model_now(const struct model *m, uint32_t group)
{
	return m->now[group];
}
uint32_t model_after(const struct model *m, uint32_t group)
{
	return m->after[group];
}

uint32_t model_chance_legal(const struct model *m, uint32_t at)
{
	return at < m->chance_legal.n ? m->chance_legal.at[at] : CSP_NONE;
}

uint32_t model_move_of(const struct model *m, uint32_t role, uint32_t at)
{
	return m->move_of[m->game->first_move[role] + at];
}

/* The rulesheet as the papers count it: a relation for each symbol of fluents (now and next), the actions and the score
 * of each role, terminal, and each predicate that depends on the state; rules that speak of these. */
static void count_relations(const struct model *m, struct model_stats *s)
{
	const struct ground *g = game_rules_view(m->game)->ground;
	const struct gdl_rules *rules = m->game->rules;
	uint32_t *instances = NEW_ARRAY(uint32_t, g->datalog.preds.n),
			 *fluents = NEW_ARRAY(uint32_t, rules->symbols.all.n + 1);
	bool *counted = NEW_ARRAY(bool, rules->clauses.n + 1);
	uint32_t given = (uint32_t)(g->fluents.n + g->moves.n), roles = m->game->roles;
	for (size_t i = 0; i < g->clause.n; i++)
		counted[g->clause.at[i]] = true;
	for (size_t i = 0; i < rules->clauses.n; i++)
		s->rules += counted[i];
	for (atom_t a = given; a < g->atoms; a++)
		instances[g->names.at[a].pred]++;
	for (size_t f = 0; f < g->fluents.n; f++)
		fluents[g->datalog.terms.all.at[g->fluents.at[f]].name]++;
	s->relations = 1 + 2 * roles - (m->game->random < roles);
	for (uint32_t r = 0; r < roles; r++)
		s->max_relation = most(s->max_relation, m->game->first_move[r + 1] - m->game->first_move[r]);
	for (size_t i = 0; i < rules->symbols.all.n; i++) {
		s->relations += fluents[i] ? 2 : 0;
		s->max_relation = most(s->max_relation, fluents[i]);
	}
	for (size_t p = 0; p < g->datalog.preds.n; p++) {
		if (!instances[p] || g->datalog.preds.at[p].made || g->datalog.preds.at[p].name < GDL_KEYWORD_COUNT)
			continue;
		s->relations++;
		s->max_relation = most(s->max_relation, instances[p]);
	}
	mem_free(instances);
	mem_free(fluents);
	mem_free(counted);
}

struct model_stats model_stats(const struct model *m)
{
	struct model_stats s = {.variables = csp_variables(m->net),
	                        .constraints = csp_constraints(m->net),
	                        .auxiliary = m->auxiliary,
	                        .tuples = m->rows,
	                        .seconds = m->seconds,
	                        .cpu_seconds = m->cpu_seconds,
	                        .proof_seconds = m->groups->effort.seconds,
	                        .queries = m->groups->effort.queries};
	for (uint32_t x = 0; x < s.variables; x++)
		if (csp_count(m->net, x) > s.max_domain)
			s.max_domain = csp_count(m->net, x);
	for (size_t i = 0; i < m->groups->all.n; i++)
		*(m->groups->all.at[i].n > 1 ? &s.groups : &s.booleans) += 1;
	for (uint32_t f = 0; f < m->game->fluents; f++)
		s.constants += m->groups->known[f] != OPEN;
	count_relations(m, &s);
	return s;
}

uint32_t model_value_in(const struct model *m, uint32_t group, const uint64_t *state)
{
	struct group g = m->groups->all.at[group];
	uint32_t at = CSP_NONE;
	for (uint32_t i = 0; i < g.n; i++) {
		uint32_t f = m->groups->members.at[g.first + i];
		if (!bits_has(state, f))
			continue;
		if (at != CSP_NONE)
			return CSP_NONE;
		at = m->at[f];
	}
	return at == CSP_NONE ? m->none[group] : at;
}

/* ---- sleeping goals ------------------------------------------------------------- */

/* Backwards: a table defines the last variable of its scope, and was written after
 * those of the variables it asks. */
void model_find_goal_only(struct model *m)
{
	if (m->goal_only.n)
		return;
	bool *asked = NEW_ARRAY(bool, csp_variables(m->net) + 1);
	for (uint32_t c = csp_constraints(m->net); c-- > 0;) {
		const uint32_t *scope = csp_scope(m->net, c);
		uint32_t arity = csp_arity(m->net, c);
		if (c >= m->goal_first && c < m->goal_end && !asked[scope[arity - 1]]) {
			vec_push(&m->goal_only, c);
			continue;
		}
		for (uint32_t p = 0; p < arity; p++)
			asked[scope[p]] = true;
	}
	mem_free(asked);
}

void model_sleep_goals(struct model *m)
{
	if (m->goals_asleep)
		return;
	model_find_goal_only(m);
	for (size_t i = 0; i < m->goal_only.n; i++)
		csp_sleep(m->net, m->goal_only.at[i]);
	m->goals_asleep = true;
}

void model_wake_goals(struct model *m)
{
	for (size_t i = 0; m->goals_asleep && i < m->goal_only.n; i++)
		csp_wake(m->net, m->goal_only.at[i]);
	m->goals_asleep = false;
}

/* ---- injection ---------------------------------------------------------------------- */

static bool inject(struct model *m, const uint64_t *state)
{
	m->injected = csp_level(m->net);
	csp_push(m->net);
	bool ok = true;
	for (uint32_t i = 0; i < m->groups->all.n && ok; i++) {
		uint32_t at = model_value_in(m, i, state);
		ok = at != CSP_NONE && csp_assign_at(m->net, m->now[i], at);
	}
	ok = ok && csp_propagate(m->net);
	if (!ok)
		model_release(m);
	return ok;
}

bool model_inject(struct model *m, const uint64_t *state)
{
	model_wake_goals(m);
	return inject(m, state);
}

void model_release(struct model *m)
{
	csp_pop(m->net, m->injected);
}

/* ---- forward checking ------------------------------------------------------------------ */

static bool is_action(const struct model *m, uint32_t x)
{
	for (uint32_t r = 0; r < m->game->roles; r++)
		if (m->action[r] == x)
			return true;
	return false;
}

static void place(struct model *m, bool *placed, uint32_t x)
{
	if (!placed[x])
		vec_push(&m->order, x);
	placed[x] = true;
}

/* The state, what follows from it, the actions, the rest. A table defines the last
 * variable of its scope, and was written after those of the variables it asks. */
static void find_order(struct model *m)
{
	bool *placed = NEW_ARRAY(bool, csp_variables(m->net) + 1), *late = NEW_ARRAY(bool, csp_variables(m->net) + 1);
	for (size_t i = 0; i < m->view_vars.n; i++)
		late[m->view_vars.at[i].var] = is_action(m, m->view_vars.at[i].of);
	for (size_t i = 0; i < m->groups->all.n; i++) {
		late[m->after[i]] = true;
		place(m, placed, m->now[i]);
	}
	for (int pass = 0; pass < 2; pass++) {
		for (uint32_t c = 0; c < csp_constraints(m->net); c++) {
			uint32_t x = csp_scope(m->net, c)[csp_arity(m->net, c) - 1];
			if (pass || (x < m->first_effect && !late[x] && !is_action(m, x)))
				place(m, placed, x);
		}
		for (uint32_t r = 0; r < m->game->roles; r++)
			place(m, placed, m->action[r]);
	}
	for (uint32_t x = 0; x < csp_variables(m->net); x++)
		place(m, placed, x);
	mem_free(placed);
	mem_free(late);
}

/* ---- solutions -------------------------------------------------------------------------- */

void model_keep_seen(const struct model *m, struct model_round *r, bool (*holds)(const void *context, uint32_t x),
                     const void *context)
{
	const uint32_t *first = game_rules_view(m->game)->first_percept;
	for (uint32_t role = 0; role < m->game->roles && m->percepts.n; role++) {
		uint64_t h = game_seen_hash(NULL, 0);
		for (uint32_t i = first[role]; i < first[role + 1]; i++)
			if (m->percepts.at[i] == PERCEPT_ALWAYS ||
			    (m->percepts.at[i] != CSP_NONE && holds(context, m->percepts.at[i])))
				h ^= game_seen_hash(&i, 1);
		vec_push(&r->seen, h);
	}
}

uint32_t model_percept(const struct model *m, uint32_t percept)
{
	uint32_t x = percept < m->percepts.n ? m->percepts.at[percept] : CSP_NONE;
	return x == PERCEPT_ALWAYS ? CSP_NONE : x;
}

static bool is_one(const void *context, uint32_t x)
{
	return csp_min(context, x) == 1;
}

/* The solution at hand: every variable that matters has one value left. */
static void keep_solution(struct model *m, struct model_round *r)
{
	uint32_t words = m->game->words;
	for (uint32_t i = 0; i < m->game->roles; i++)
		vec_push(&r->moves, model_move_of(m, i, csp_next_at(m->net, m->action[i], 0)));
	vec_extend(&r->next, words);
	uint64_t *next = r->next.at + r->next.n - words;
	memcpy(next, m->always, words * 8);
	for (uint32_t i = 0; i < m->groups->all.n; i++) {
		uint32_t f = m->fluent_at[i][csp_next_at(m->net, m->after[i], 0)];
		if (f != GROUP_NONE)
			bits_add(next, f);
	}
	model_keep_seen(m, r, is_one, m->net);
	r->count++;
}

/* MAC: the roles in turn, every value of an action, arc consistency after each.
 * The rest follows: it is a function of the state and the actions. */
static void enumerate(struct model *m, uint32_t role, struct model_round *r)
{
	while (role < m->game->roles && csp_size(m->net, m->action[role]) == 1)
		role++;
	if (role == m->game->roles) {
		keep_solution(m, r);
		return;
	}
	uint32_t level = csp_level(m->net), x = m->action[role];
	for (uint32_t at = csp_next_at(m->net, x, 0); at != CSP_NONE; at = csp_next_at(m->net, x, at + 1)) {
		r->nodes++;
		csp_push(m->net);
		if (csp_assign_at(m->net, x, at) && csp_propagate(m->net))
			enumerate(m, role + 1, r);
		csp_pop(m->net, level);
	}
}

/* Is the network arc consistent with the action fixed like that? */
static bool is_singleton(struct model *m, uint32_t x, uint32_t at)
{
	uint32_t level = csp_level(m->net);
	csp_push(m->net);
	bool ok = csp_assign_at(m->net, x, at) && csp_propagate(m->net);
	csp_pop(m->net, level);
	return ok;
}

uint32_t model_singletons(struct model *m, uint64_t work)
{
	uint32_t removed = 0;
	uint64_t before = csp_propagations(m->net);
	for (bool again = true; again;) {
		again = false;
		for (uint32_t r = 0; r < m->game->roles; r++)
			for (uint32_t x = m->action[r], at = csp_next_at(m->net, x, 0); at != CSP_NONE;
			     at = csp_next_at(m->net, x, at + 1)) {
				if (work && csp_propagations(m->net) - before > work)
					return removed;
				if (is_singleton(m, x, at))
					continue;
				removed++;
				again = true;
				if (!csp_forbid_at(m->net, x, at) || !csp_propagate(m->net))
					return removed;
			}
	}
	return removed;
}

struct gather {
	struct model *m;
	struct model_round *r;
};

static bool gather(void *user, const struct csp *n, const int32_t *values)
{
	struct gather *g = user;
	(void)n;
	(void)values; /* forward checking fixes the domains too */
	keep_solution(g->m, g->r);
	return true;
}

static bool forward_check(struct model *m, struct model_round *r)
{
	struct gather g = {m, r};
	struct csp_options o = csp_defaults;
	struct csp_stats s;
	if (!m->order.n)
		find_order(m);
	o.algorithm = CSP_ALG_FC;
	o.order = CSP_ORDER_LEX;
	o.consistency = CSP_LEVEL_NODE;
	o.max_solutions = 0;
	o.solution = gather;
	o.user = &g;
	o.branch = m->order.at;
	o.branch_count = m->order.n;
	csp_solve(m->net, &o, &s);
	r->nodes += s.nodes;
	return s.complete;
}

static void read_goals(struct model *m, struct model_round *r)
{
	if (r->terminal && m->goals_asleep) {
		model_wake_goals(m);
		csp_propagate(m->net);
	}
	for (uint32_t i = 0; i < m->game->roles; i++)
		r->goals[i] = r->terminal ? csp_min(m->net, m->score[i]) : GOAL_NONE;
}

static bool has_delta(struct model *m)
{
	if (!m->delta_tried)
		m->delta = delta_make(m);
	m->delta_tried = true;
	return m->delta;
}

static bool solve_by_delta(struct model *m, const uint64_t *state, struct model_round *r)
{
	uint64_t before = delta_runs(m->delta);
	if (!delta_inject(m->delta, state))
		return false;
	r->terminal = delta_terminal(m->delta);
	for (uint32_t i = 0; i < m->game->roles; i++)
		r->goals[i] = GOAL_NONE;
	if (r->terminal)
		delta_goals(m->delta, r->goals);
	else
		delta_enumerate(m->delta, r);
	r->propagations += delta_runs(m->delta) - before;
	return true;
}

bool model_solve(struct model *m, enum model_method method, const uint64_t *state, struct model_round *r)
{
	uint64_t before = csp_propagations(m->net);
	bool complete = true;
	r->count = 0;
	vec_clear(&r->moves);
	vec_clear(&r->next);
	vec_clear(&r->seen);
	if (!r->goals)
		r->goals = NEW_ARRAY(int, m->game->roles + 1);
	if (method == MODEL_MAC && has_delta(m))
		return solve_by_delta(m, state, r);
	if (method != MODEL_FC)
		model_sleep_goals(m);
	else
		model_wake_goals(m);
	if (!inject(m, state))
		return false;
	r->terminal = csp_min(m->net, m->terminal) == 1;
	read_goals(m, r);
	if (!r->terminal && method == MODEL_MAC_SAC)
		r->removed += model_singletons(m, 0);
	if (!r->terminal && method != MODEL_FC)
		enumerate(m, 0, r);
	else if (!r->terminal)
		complete = forward_check(m, r);
	model_release(m);
	r->propagations += csp_propagations(m->net) - before;
	return complete;
}

void model_round_free(struct model_round *r)
{
	mem_free(r->goals);
	vec_free(&r->moves);
	vec_free(&r->next);
	vec_free(&r->seen);
	*r = (struct model_round){0};
}

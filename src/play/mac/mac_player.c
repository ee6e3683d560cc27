/* The player on top of mac_search.c: when the network is built, and when the circuit has to stand in for it. */
#include "play/mac/mac_player.h"

#include "play/mac/symmetry_table.h"
#include "scsp/scsp.h"

#include <string.h>

struct mac {
	const struct mac_options *o;
	enum model_method method;
	struct mac_search *search;
	struct model *model;
	struct text trouble; /* why there is no network */
	bool tried;
	double clock;                     /* seconds of the last search */
	double round, slowest;            /* seconds MAC takes for one; the player's own method at worst */
	struct symmetry_table *symmetric; /* mac-ucb-sym only, once looked for */
	struct mac_belief *beliefs;       /* where the state is hidden, once asked for */
	bool asked;
};

void *mac_player_make(struct seat *s, enum model_method method)
{
	struct mac *m = NEW(struct mac);
	m->o = s->options;
	m->method = method;
	m->search = mac_search_new(s, m->o);
	return m;
}

/* The part of what is left of the clock that symmetries may take. */
static struct limit symmetry_limit(const struct mac *m, const struct budget *b)
{
	struct limit limit = b->limit;
	if (limit.deadline > 0)
		limit.deadline -= (1 - m->o->symmetry) * limit_left(&limit);
	else
		limit.deadline = limit_now(&limit) + 10;
	return limit;
}

/* Symmetries of the rules, once, before the first root. */
static void find_symmetries(struct mac *m, struct seat *s, const struct budget *b)
{
	struct limit limit = symmetry_limit(m, b);
	if (m->o->symmetry <= 0 || m->symmetric)
		return;
	m->symmetric = symmetry_table_new(s->game, &limit);
	if (symmetry_table_useful(m->symmetric))
		mac_search_symmetry(m->search, m->symmetric, symmetry_table_canonical);
	if (m->o->rounds)
		mac_search_rounds(m->search, symmetry_table_rounds(m->symmetric));
}

static double time_round(struct mac *m, enum model_method method, const uint64_t *state, struct model_round *r)
{
	double began = clock_thread();
	model_solve(m->model, method, state, r);
	return clock_thread() - began;
}

/* How long a round takes, over the states of a random match. */
static void measure(struct mac *m, struct seat *s)
{
	enum { STATES = 16 };
	struct game *g = s->game;
	struct model_round r = {0};
	struct rng rng = rng_seed(1);
	uint64_t *state = mem_alloc(g->words + 1, sizeof *state);
	uint32_t *moves = NEW_ARRAY(uint32_t, g->roles), count = 0;
	memcpy(state, g->initial, g->words * sizeof *state);
	time_round(m, MODEL_MAC, state, &r); /* the first one prepares what the others use */
	double began = clock_thread();
	while (count < STATES && clock_thread() - began < 0.2) {
		struct view v = game_look(s->worker, state);
		if (v.terminal || !game_random_move(g, &v, &rng, moves))
			break;
		double mac = time_round(m, MODEL_MAC, state, &r);
		double own = m->method == MODEL_MAC ? mac : time_round(m, m->method, state, &r);
		m->round += mac;
		m->slowest = own > m->slowest ? own : m->slowest;
		game_next(s->worker, state, moves, state);
		count++;
	}
	m->round /= count ? count : 1;
	model_round_free(&r);
	mem_free(moves);
	mem_free(state);
}

/* Forward checking takes no large networks: then there is none for this player. */
static void drop_refused(struct mac *m, struct seat *s)
{
	struct model_round r = {0};
	if (m->model && m->method == MODEL_FC && !model_solve(m->model, MODEL_FC, s->game->initial, &r)) {
		text_printf(&m->trouble, "FC refuses one of %u variables", model_stats(m->model).variables);
		model_free(m->model);
		m->model = NULL;
	}
	model_round_free(&r);
}

/* Once, within a share of the clock. */
static void build(struct mac *m, struct seat *s, const struct budget *b, double share)
{
	if (m->tried || !m->o->network)
		return;
	struct limit limit = b->limit;
	m->tried = true;
	if (limit.deadline > 0)
		limit.deadline -= (1 - share) * limit_left(&limit);
	else
		limit.deadline = limit_now(&limit) + 60;
	m->model = model_make(s->game,
	                      &(struct model_options){.translation = (enum model_translation)m->o->translation,
	                                              .sees = s->game->hidden,
	                                              .memory = (size_t)m->o->tree.memory << 20,
	                                              .passes = m->o->simplify ? (1u << SCSP_PASS_COUNT) - 1 : 0,
	                                              .limit = limit},
	                      &m->trouble);
	drop_refused(m, s);
	if (!m->model)
		return;
	s->count.sac += model_removed(m->model)[SCSP_PASS_SAC].values;
	measure(m, s);
}

/* The network where a move has time for enough rounds, and for the slowest several times
 * over. MAC's speed decides for both players, so that they differ in the propagation
 * alone. */
static bool choose_solver(struct mac *m, const struct budget *b)
{
	double left = limit_left(&b->limit);
	bool enough = m->o->solve * left >= (double)m->o->least * m->round && left > 5 * m->slowest;
	bool network = m->model && (b->limit.deadline <= 0 || enough);
	mac_search_solver(m->search, network ? m->model : NULL, m->method);
	return network;
}

void mac_player_start(void *self, struct seat *s, const struct budget *b)
{
	struct mac *m = self;
	if (s->game->random == s->role)
		return;
	find_symmetries(m, s, b);
	build(m, s, b, 0.9);
	choose_solver(m, b);
	mac_search_root(m->search, s, s->game->initial);
	mac_search_run(m->search, s, b);
}

static void explain_number(struct seat *s, uint64_t count, const char *what)
{
	if (count)
		text_printf(&s->why, ", %llu %s", (unsigned long long)count, what);
}

/* Who solved the rounds of this move, what was left out, and how the clock was shared. */
static void explain(const struct mac *m, struct seat *s, bool network, const struct counters *before,
                    const struct budget *b)
{
	const char *method = m->method == MODEL_FC ? "FC" : "MAC";
	const struct counters *now = &s->count;
	uint64_t solved = now->by_network - before->by_network;
	text_printf(&s->why, ", %llu rounds solved by %s",
	            (unsigned long long)(network ? solved : now->by_circuit - before->by_circuit),
	            network ? method : "the circuit");
	if (network)
		explain_number(s, now->by_circuit - before->by_circuit, "by the circuit");
	explain_number(s, now->feasible - before->feasible, "feasibility tuples");
	explain_number(s, now->sac - before->sac, "values removed by SAC");
	explain_number(s, now->pruned_theta - before->pruned_theta, "solutions below the threshold");
	explain_number(s, now->pruned_confidence - before->pruned_confidence, "below it with confidence");
	if (!b->playouts && m->clock > 0)
		text_printf(&s->why, ", %.0f%% of the clock for solving",
		            100 * (now->solve_seconds - before->solve_seconds) / m->clock);
	if (network || !m->o->network)
		return;
	if (m->model)
		text_printf(&s->why, " (MAC takes %.2f ms for one, %s up to %.2f)", 1e3 * m->round, method, 1e3 * m->slowest);
	else
		text_printf(&s->why, " (no network: %s)", m->trouble.n ? text_str(&m->trouble) : "not built in time");
}

/* The symmetries of the rules, and of the rounds of this move. */
static void explain_symmetry(const struct mac *m, struct seat *s, const struct counters *before, const struct budget *b)
{
	const struct symmetry *y = symmetry_table_of(m->symmetric);
	const struct counters *now = &s->count;
	if (y->skipped)
		text_printf(&s->why, ", no symmetries (%s)", y->skipped);
	else
		text_printf(&s->why, ", %zu symmetries of the rules", y->scope[SYMMETRY_HOME]);
	explain_number(s, now->symmetries - before->symmetries, "of rounds");
	explain_number(s, now->detected - before->detected, "rounds searched for them");
	explain_number(s, now->merged - before->merged, "states like others");
	explain_number(s, now->nogoods - before->nogoods, "nogoods");
	if (!b->playouts && m->clock > 0 && now->detected > before->detected)
		text_printf(&s->why, ", %.0f%% of the clock for symmetries",
		            100 * (now->symmetry_seconds - before->symmetry_seconds) / m->clock);
}

uint32_t mac_player_move(void *self, struct seat *s, const struct turn *t, const struct budget *b)
{
	struct mac *m = self;
	struct counters before = s->count;
	if (t->legal_count == 1)
		return t->legal[0];
	find_symmetries(m, s, b);
	build(m, s, b, 0.3);
	bool network = choose_solver(m, b);
	mac_search_root(m->search, s, t->state);
	if (m->symmetric)
		symmetry_table_root(m->symmetric, t->state);
	m->clock = limit_now(&b->limit);
	mac_search_run(m->search, s, b);
	m->clock = limit_now(&b->limit) - m->clock;
	uint32_t chosen = mac_search_choose(m->search, s);
	explain(m, s, network, &before, b);
	if (m->symmetric)
		explain_symmetry(m, s, &before, b);
	return chosen;
}

uint32_t mac_player_believe(void *self, struct seat *s, const struct turn *t, const struct belief *belief,
                            const struct budget *b, double *share)
{
	struct mac *m = self;
	if (!m->asked && m->o->common)
		m->beliefs = mac_belief_new(s, m->o);
	m->asked = true;
	if (!m->beliefs) {
		text_puts(&s->why, m->o->common ? "a vote since the roles may see different things" : "");
		return GAME_NONE;
	}
	find_symmetries(m, s, b);
	if (m->symmetric && !symmetry_table_of(m->symmetric)->skipped)
		mac_belief_symmetry(m->beliefs, symmetry_table_of(m->symmetric));
	build(m, s, b, 0.3);
	mac_belief_solver(m->beliefs, choose_solver(m, b) ? m->model : NULL, m->method);
	uint32_t move = mac_belief_move(m->beliefs, s, t, belief, b, share);
	if (move == GAME_NONE)
		text_puts(&s->why, "a vote since somebody has a secret");
	return move;
}

bool mac_player_values(void *self, struct seat *s, const struct turn *t, struct move_value *out)
{
	return mac_search_values(((struct mac *)self)->search, s, t, out);
}

void mac_player_line(void *self, struct seat *s, const struct turn *t, uint32_t move, struct move_line *out)
{
	mac_search_line(((struct mac *)self)->search, s, t, move, out);
}

void mac_player_free(void *self)
{
	struct mac *m = self;
	mac_search_free(m->search);
	mac_belief_free(m->beliefs);
	symmetry_table_free(m->symmetric);
	if (m->model)
		model_free(m->model);
	text_free(&m->trouble);
	mem_free(m);
}

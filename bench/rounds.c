/* What symmetries save in one game: rounds GAME.kif PLAYOUTS POSITIONS STATES. One line of JSON.
 *
 * By budget: mac-ucb and mac-ucb-sym search the same positions of a random match with the same number of playouts; the
 * nodes that each has stored. By depth: all states from the start on, level by level, as long as a level has at most
 * STATES of them: as they are, one for all that symmetries of the rules lead to, and one for all that these and the
 * symmetries of rounds lead to. */
#include "common.h"
#include "play/mac/mac_internal.h"
#include "play/mac/symmetry_table.h"
#include "play/player.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sums {
	uint64_t plain, symmetric;
	struct counters count;
	uint32_t positions;
};

/* A whole move of a player in a state, and what it counted. */
static struct counters ask(struct game *g, uint32_t role, const char *who, const uint64_t *state, const struct view *v,
                           uint64_t playouts)
{
	const struct player_kind *kind = player_find(who, strlen(who));
	_Atomic uint32_t ready = GAME_NONE;
	void *options = mem_zalloc(1, kind->options_size + 1);
	opt_defaults(kind->options, options);
	struct seat s = {
		.game = g, .role = role, .worker = worker_new(g), .rng = rng_seed(1), .options = options, .ready = &ready};
	void *self = kind->make(&s);
	struct turn t = {
		.state = state, .legal = v->legal + v->start[role], .legal_count = v->start[role + 1] - v->start[role]};
	kind->move(self, &s, &t, &(struct budget){.playouts = playouts});
	kind->free(self);
	worker_free(s.worker);
	text_free(&s.why);
	mem_free(options);
	return s.count;
}

static uint32_t mover_of(const struct game *g, const struct view *v)
{
	for (uint32_t r = 0; r < g->roles; r++)
		if (r != g->random && v->start[r + 1] - v->start[r] > 1)
			return r;
	return g->roles;
}

static void by_budget(struct game *g, uint64_t playouts, uint32_t positions, struct sums *sums)
{
	struct worker *w = worker_new(g), *other = worker_new(g);
	struct rng rng = rng_seed(7);
	uint64_t *state = mem_alloc(g->words + 1, sizeof *state);
	uint32_t *joint = mem_alloc(g->roles + 1, sizeof *joint);
	memcpy(state, g->initial, g->words * sizeof *state);
	while (sums->positions < positions) {
		struct view v = game_look(w, state);
		uint32_t role = v.terminal ? g->roles : mover_of(g, &v);
		if (role < g->roles) {
			sums->plain += ask(g, role, "mac-ucb", state, &v, playouts).nodes;
			struct counters c = ask(g, role, "mac-ucb-sym", state, &v, playouts);
			sums->symmetric += c.nodes;
			sums->count.detected += c.detected;
			sums->count.skipped += c.skipped;
			sums->count.constrained += c.constrained;
			sums->count.nogoods += c.nogoods;
			sums->count.symmetries += c.symmetries;
			sums->count.merged += c.merged;
			sums->positions++;
		}
		if (v.terminal || !game_random_move(g, &v, &rng, joint))
			break;
		game_next(other, state, joint, state);
	}
	mem_free(state);
	mem_free(joint);
	worker_free(w);
	worker_free(other);
}

/* ---- by depth ----------------------------------------------------------------------------------- */

enum way { PLAIN, RULES, ROUNDS, WAYS };

struct levels {
	uint64_t states[WAYS];
	uint32_t depth;
	bool complete;
};

/* A tree that is opened level by level; which of its nodes is reached, not how often. */
static uint64_t expand(struct game *g, enum way way, struct symmetry_table *x, uint64_t most, uint32_t *depth,
                       bool *complete)
{
	struct mac_options o = {.tree = {.c = 0.2, .leaves = 1, .playouts = 1, .threads = 1, .memory = 1024},
	                        .symmetry = 1,
	                        .rounds = true,
	                        .tune = MAC_TUNING_STANDARD};
	struct seat s = {.game = g, .worker = worker_new(g), .rng = rng_seed(1), .options = &o};
	struct mac_search *k = mac_search_new(&s, &o);
	struct budget endless = {.playouts = UINT32_MAX};
	VEC(uint32_t) level = {0}, next = {0};
	VEC(bool) met = {0};
	uint64_t states = 1;
	uint32_t at = 0;
	if (way != PLAIN && symmetry_table_useful(x))
		mac_search_symmetry(k, x, symmetry_table_canonical);
	if (way == ROUNDS)
		mac_search_rounds(k, symmetry_table_rounds(x));
	mac_search_root(k, &s, g->initial);
	k->budget = &endless;
	vec_push(&level, k->tree->root);
	*complete = false;
	for (; level.n && at < *depth && level.n <= most; at++) {
		vec_clear(&next);
		for (size_t i = 0; i < level.n; i++) {
			uint32_t id = level.at[i];
			k->symmetry.fruitless = 0;
			k->symmetry.visits = 0;
			if (!k->tree->nodes.at[id].start)
				mac_solve_round(k, &s, id);
			const struct node *n = &k->tree->nodes.at[id];
			for (uint32_t j = 0; n->child && j < n->joint; j++) {
				uint32_t c = n->child[j] == NODE_NONE ? NODE_NONE : node_stands(k->tree, n->child[j]);
				while (c != NODE_NONE && met.n <= c)
					vec_push(&met, false);
				if (c == NODE_NONE || met.at[c])
					continue;
				met.at[c] = true;
				states++;
				vec_push(&next, c);
			}
		}
		vec_clear(&level);
		for (size_t i = 0; i < next.n; i++)
			if (!k->tree->nodes.at[next.at[i]].terminal)
				vec_push(&level, next.at[i]);
	}
	*complete = !level.n;
	*depth = at;
	k->budget = NULL;
	vec_free(&level);
	vec_free(&next);
	vec_free(&met);
	mac_search_free(k);
	worker_free(s.worker);
	return states;
}

static void by_depth(struct game *g, uint64_t most, struct levels *l)
{
	struct symmetry_table *x = symmetry_table_new(g, &(struct limit){0});
	l->depth = UINT32_MAX;
	for (enum way way = PLAIN; way < WAYS; way++) {
		bool complete;
		uint32_t depth = l->depth;
		l->states[way] = expand(g, way, x, way == PLAIN ? most : UINT64_MAX, &depth, &complete);
		if (way == PLAIN) {
			l->depth = depth;
			l->complete = complete;
		}
	}
	symmetry_table_free(x);
}

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100 * (1 - (double)part / (double)whole) : 0;
}

int main(int count, char **words)
{
	if (count != 5) {
		fprintf(stderr, "usage: bench-rounds GAME.kif PLAYOUTS POSITIONS STATES\n");
		return 2;
	}
	struct bench_game b = bench_load(words[1]);
	struct sums sums = {0};
	struct levels l = {0};
	by_budget(b.game, strtoull(words[2], NULL, 10), (uint32_t)atoi(words[3]), &sums);
	by_depth(b.game, strtoull(words[4], NULL, 10), &l);
	double rounds = sums.count.detected ? (double)sums.count.detected : 1;
	printf("{\"positions\":%u,\"nogoods\":%.2f,\"symmetries\":%.2f,\"rounds\":%llu,\"left_out\":%llu,\"shared\":%llu,"
	       "\"nodes\":%llu,\"nodes_sym\":%llu,\"ame_budget\":%.2f,\"depth\":%u,\"complete\":%s,\"states\":%llu,"
	       "\"states_rules\":%llu,\"states_sym\":%llu,\"left_by_rules\":%.2f,\"ame_depth\":%.2f}\n",
	       sums.positions, (double)sums.count.constrained / rounds, (double)sums.count.symmetries / rounds,
	       (unsigned long long)sums.count.detected, (unsigned long long)sums.count.skipped,
	       (unsigned long long)sums.count.merged, (unsigned long long)sums.plain, (unsigned long long)sums.symmetric,
	       percent(sums.symmetric, sums.plain), l.depth, l.complete ? "true" : "false",
	       (unsigned long long)l.states[PLAIN], (unsigned long long)l.states[RULES],
	       (unsigned long long)l.states[ROUNDS], percent(l.states[RULES], l.states[PLAIN]),
	       percent(l.states[ROUNDS], l.states[PLAIN]));
	bench_unload(&b);
	return 0;
}

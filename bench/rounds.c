/* What symmetries save in one game: rounds GAME.kif PLAYOUTS POSITIONS STATES CHILDREN. One line of JSON.
 *
 * By budget: mac-ucb and mac-ucb-sym search the same positions of a random match with the same number of playouts; the
 * nodes that each has stored, and the nodes that a tree would have, in which states are not found again. By depth: all
 * states from the start on, level by level, as long as a level has at most STATES of them: once for each way to them,
 * as they are, one for all that symmetries of the rules lead to, and one for all that these and the symmetries of
 * rounds lead to. The last one takes long; without it, there are levels of up to CHILDREN nodes of the
 * tree. */
#include "common.h"
#include "play/mac/mac_internal.h"
#include "play/mac/symmetry_table.h"
#include "play/player.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of all positions together. */
struct sums {
	uint64_t plain, symmetric; /* nodes stored */
	uint64_t made;             /* children of the rounds that mac-ucb-sym solved: what a tree would store for them */
	uint64_t below;            /* joint moves of these rounds that are expected to be worth less than the threshold */
	struct counters count;
	uint32_t positions;
};

/* The joint moves of all solved rounds, and those that the paper calls nogoods: their expected utility is below the
 * threshold for somebody who has a choice. */
static void count_joint_moves(const struct mac_search *k, struct sums *sums)
{
	const struct tree *t = k->tree;
	for (size_t i = 0; i < t->nodes.n; i++) {
		const struct node *n = &t->nodes.at[i];
		if (!n->start || !n->child || !n->expanded)
			continue;
		sums->made += n->joint;
		for (uint32_t j = 0; j < n->joint; j++) {
			const struct node *c = n->child[j] == NODE_NONE ? NULL : &t->nodes.at[node_stands(t, n->child[j])];
			double least = 1;
			for (uint32_t r = 0; c && (c->visits > 0 || c->solved) && r < t->g->roles; r++)
				if (r != t->g->random && arm_count(n, r) > 1)
					least = fmin(least, mac_value(c, r));
			sums->below += least < k->theta;
		}
	}
}

/* One move of a player in a state by so many playouts; the table of symmetries is NULL for mac-ucb. */
static void search(struct game *g, uint32_t role, struct symmetry_table *x, const uint64_t *state, uint64_t playouts,
                   struct sums *sums)
{
	const char *who = x ? "mac-ucb-sym" : "mac-ucb";
	const struct player_kind *kind = player_find(who, strlen(who));
	_Atomic uint32_t ready = GAME_NONE;
	struct mac_options *o = mem_zalloc(1, kind->options_size + 1);
	opt_defaults(kind->options, o);
	struct seat s = {
		.game = g, .role = role, .worker = worker_new(g), .rng = rng_seed(1), .options = o, .ready = &ready};
	struct mac_search *k = mac_search_new(&s, o);
	if (x && symmetry_table_useful(x))
		mac_search_symmetry(k, x, symmetry_table_canonical);
	if (x)
		mac_search_rounds(k, symmetry_table_rounds(x));
	mac_search_root(k, &s, state);
	mac_search_run(k, &s, &(struct budget){.playouts = playouts});
	if (x) {
		sums->symmetric += s.count.nodes;
		sums->count.detected += s.count.detected;
		sums->count.skipped += s.count.skipped;
		sums->count.constrained += s.count.constrained;
		sums->count.symmetries += s.count.symmetries;
		sums->count.merged += s.count.merged;
		sums->made++;
		count_joint_moves(k, sums);
	} else {
		sums->plain += s.count.nodes;
	}
	mac_search_free(k);
	worker_free(s.worker);
	text_free(&s.why);
	mem_free(o);
}

static uint32_t mover_of(const struct game *g, const struct view *v)
{
	for (uint32_t r = 0; r < g->roles; r++)
		if (r != g->random && v->start[r + 1] - v->start[r] > 1)
			return r;
	return g->roles;
}

static void by_budget(struct game *g, struct symmetry_table *x, uint64_t playouts, uint32_t positions,
                      struct sums *sums)
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
			search(g, role, NULL, state, playouts, sums);
			search(g, role, x, state, playouts, sums);
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
	uint64_t most;   /* states of a level that is opened */
	double children; /* that the next level of the tree may be expected to have */
	double tree;     /* nodes where every way to a state has one */
	uint64_t states[WAYS];
	uint32_t depth;
	bool complete;
};

/* Nodes of a tree of this depth: a state counts as often as there are ways to it. */
static double count_ways(const struct tree *t, uint32_t depth)
{
	double total = 1, *here = NEW_ARRAY(double, t->nodes.n), *next = NEW_ARRAY(double, t->nodes.n);
	here[t->root] = 1;
	for (uint32_t at = 0; at < depth; at++) {
		memset(next, 0, t->nodes.n * sizeof *next);
		for (size_t i = 0; i < t->nodes.n; i++) {
			const struct node *n = &t->nodes.at[i];
			for (uint32_t j = 0; here[i] > 0 && n->child && j < n->joint; j++)
				if (n->child[j] != NODE_NONE)
					next[n->child[j]] += here[i];
		}
		for (size_t i = 0; i < t->nodes.n; i++)
			total += next[i];
		double *last = here;
		here = next;
		next = last;
	}
	mem_free(here);
	mem_free(next);
	return total;
}

/* A tree that is opened level by level; which of its nodes is reached, not how often. The first way finds the depth. */
static uint64_t expand(struct game *g, enum way way, struct symmetry_table *x, struct levels *l)
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
	double branching = 1;
	if (way != PLAIN && symmetry_table_useful(x))
		mac_search_symmetry(k, x, symmetry_table_canonical);
	if (way == ROUNDS)
		mac_search_rounds(k, symmetry_table_rounds(x));
	mac_search_root(k, &s, g->initial);
	k->budget = &endless;
	vec_push(&level, k->tree->root);
	for (; level.n && at < l->depth; at++) {
		double made = 0;
		if (way == PLAIN) {
			double ways = count_ways(k->tree, at), last = ways - l->tree;
			if (level.n > l->most || last * branching > l->children)
				break;
			l->tree = ways;
		}
		vec_clear(&next);
		for (size_t i = 0; i < level.n; i++) {
			uint32_t id = level.at[i];
			k->symmetry.fruitless = 0;
			k->symmetry.visits = 0;
			if (!k->tree->nodes.at[id].start)
				mac_solve_round(k, &s, id);
			const struct node *n = &k->tree->nodes.at[id];
			made += n->child ? n->joint : 0;
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
		branching = made / (double)level.n;
		vec_clear(&level);
		for (size_t i = 0; i < next.n; i++)
			if (!k->tree->nodes.at[next.at[i]].terminal)
				vec_push(&level, next.at[i]);
	}
	if (way == PLAIN) {
		l->complete = !level.n;
		l->depth = at;
		l->tree = count_ways(k->tree, at);
	}
	k->budget = NULL;
	vec_free(&level);
	vec_free(&next);
	vec_free(&met);
	mac_search_free(k);
	worker_free(s.worker);
	return states;
}

static void by_depth(struct game *g, struct symmetry_table *x, enum way last, struct levels *l)
{
	l->depth = UINT32_MAX;
	for (enum way way = PLAIN; way <= last; way++)
		l->states[way] = expand(g, way, x, l);
}

static double percent(double part, double whole)
{
	return whole > 0 ? 100 * (1 - part / whole) : 0;
}

int main(int count, char **words)
{
	if (count != 6) {
		fprintf(stderr, "usage: bench-rounds GAME.kif PLAYOUTS POSITIONS STATES CHILDREN\n");
		return 2;
	}
	struct bench_game b = bench_load(words[1]);
	struct sums sums = {0};
	struct levels l = {.most = strtoull(words[4], NULL, 10), .children = HUGE_VAL};
	struct levels deep = {.most = UINT64_MAX, .children = atof(words[5])};
	struct symmetry_table *x = symmetry_table_new(b.game, &(struct limit){0});
	by_budget(b.game, x, strtoull(words[2], NULL, 10), (uint32_t)atoi(words[3]), &sums);
	by_depth(b.game, x, ROUNDS, &l);
	by_depth(b.game, x, RULES, &deep);
	symmetry_table_free(x);
	double rounds = sums.count.detected ? (double)sums.count.detected : 1;
	printf("{\"positions\":%u,\"nogoods\":%.2f,\"below\":%.0f,\"joint\":%.0f,\"symmetries\":%.2f,\"rounds\":%llu,"
	       "\"left_out\":%llu,\"shared\":%llu,\"nodes\":%llu,\"nodes_sym\":%llu,\"ame_budget\":%.2f,"
	       "\"ame_budget_tree\":%.2f,",
	       sums.positions, (double)sums.count.constrained / rounds,
	       (double)sums.below / (sums.positions ? sums.positions : 1),
	       (double)sums.made / (sums.positions ? sums.positions : 1), (double)sums.count.symmetries / rounds,
	       (unsigned long long)sums.count.detected, (unsigned long long)sums.count.skipped,
	       (unsigned long long)sums.count.merged, (unsigned long long)sums.plain, (unsigned long long)sums.symmetric,
	       percent((double)sums.symmetric, (double)sums.plain), percent((double)sums.symmetric, (double)sums.made));
	double plain = (double)l.states[PLAIN], rules = (double)l.states[RULES], all = (double)l.states[ROUNDS];
	printf("\"depth\":%u,\"complete\":%s,\"states\":%.0f,\"states_rules\":%.0f,\"states_sym\":%.0f,"
	       "\"left_by_rules\":%.2f,\"ame_depth\":%.2f,",
	       l.depth, l.complete ? "true" : "false", plain, rules, all, percent(rules, plain), percent(all, plain));
	plain = (double)deep.states[PLAIN];
	rules = (double)deep.states[RULES];
	printf("\"tree_depth\":%u,\"tree\":%.0f,\"tree_states\":%.0f,\"tree_rules\":%.0f,\"ame_tree\":%.2f}\n", deep.depth,
	       deep.tree, plain, rules, percent(rules, deep.tree));
	bench_unload(&b);
	return 0;
}

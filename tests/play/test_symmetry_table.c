/* Symmetric states share nodes: the values are the same, the tree is smaller. */
#include "make_game.h"

#include "play/mac/mac_internal.h"
#include "play/mac/symmetry_table.h"

#include <math.h>

struct searched {
	struct tree_value value;
	uint64_t nodes;
	uint32_t move;
};

static const struct mac_options plain = {
	.tree = {.c = 0.3, .leaves = 8, .playouts = 8, .threads = 1, .memory = 256, .mild = 0.8, .expand = 1},
	.tune = MAC_TUNING_STANDARD};

/* A search from a state, by the circuit, with symmetries or without. */
static struct searched search(struct game *g, uint32_t role, const uint64_t *state, struct symmetry_table *x,
                              uint64_t playouts)
{
	_Atomic uint32_t ready = GAME_NONE;
	struct seat s = {
		.game = g, .role = role, .worker = worker_new(g), .rng = rng_seed(1), .options = &plain, .ready = &ready};
	struct mac_search *k = mac_search_new(&s, &plain);
	struct searched r;
	if (x)
		mac_search_symmetry(k, x, symmetry_table_canonical);
	mac_search_root(k, &s, state);
	mac_search_run(k, &s, &(struct budget){.playouts = playouts});
	r.value = mac_search_value(k, role);
	r.move = mac_search_choose(k, &s);
	r.nodes = s.count.nodes;
	mac_search_free(k);
	worker_free(s.worker);
	text_free(&s.why);
	return r;
}

static void after(struct game *g, const uint64_t *state, const char *a, const char *b, uint64_t *to)
{
	struct worker *w = worker_new(g);
	uint32_t joint[2] = {game_find_move(g, 0, a), game_find_move(g, 1, b)};
	assert_true(joint[0] != GAME_NONE && joint[1] != GAME_NONE);
	game_next(w, state, joint, to);
	worker_free(w);
}

/* The example of the article: 2x2, x stands at (1,1), o is to mark against a random x. */
static void the_worked_example(void **state)
{
	(void)state;
	static const char *const marks[] = {"(mark 1 2)", "(mark 2 1)", "(mark 2 2)"};
	static const double utility[] = {25, 25, 0}; /* of 100 */
	struct made m = load_game_named("tictactoe_2x2");
	struct game *g = m.game;
	struct symmetry_table *x = symmetry_table_new(g, &(struct limit){0});
	uint64_t next[3], own[3], twin[1];
	assert_true(g->words == 1 && symmetry_table_useful(x));
	for (int i = 0; i < 3; i++) {
		after(g, g->initial, marks[i], "noop", &next[i]);
		symmetry_table_canonical(x, &next[i], &own[i], twin);
		struct searched r = search(g, 0, &next[i], x, 2000);
		assert_true(fabs(r.value.low - utility[i]) < 1e-5 && fabs(r.value.high - utility[i]) < 1e-5);
	}
	assert_true(own[0] == own[1] && own[0] != own[2]);
	struct searched with = search(g, 0, g->initial, x, 2000), without = search(g, 0, g->initial, NULL, 2000);
	assert_true(fabs(with.value.low - 25) < 1e-5 && fabs(without.value.low - 25) < 1e-5);
	assert_true(with.nodes < without.nodes);
	assert_true(with.move != game_find_move(g, 0, marks[2]));
	symmetry_table_free(x);
	free_made(&m);
}

static void same_values_smaller_trees(void **state)
{
	(void)state;
	static const struct {
		const char *game;
		double value, ratio;
	} all[] = {{"tictactoe", 50, 0.4}, {"connect_3x3_3", -1, 0.8}, {"connect_3x3_2", -1, 0.95}};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		struct made m = load_game_named(all[i].game);
		struct symmetry_table *x = symmetry_table_new(m.game, &(struct limit){0});
		struct searched with = search(m.game, 0, m.game->initial, x, 400000);
		struct searched without = search(m.game, 0, m.game->initial, NULL, 400000);
		printf("%s: %llu nodes, %llu with symmetries\n", all[i].game, (unsigned long long)without.nodes,
		       (unsigned long long)with.nodes);
		assert_true(with.value.low == with.value.high && without.value.low == without.value.high);
		assert_true(with.value.low == without.value.low);
		if (all[i].value >= 0)
			assert_true(fabs(with.value.low - all[i].value) < 1e-6);
		assert_true((double)with.nodes < all[i].ratio * (double)without.nodes);
		symmetry_table_free(x);
		free_made(&m);
	}
}

/* A search of mac-ucb-sym with symmetries of rounds, and what it leaves behind. */
struct rounds_search {
	struct seat s;
	struct symmetry_table *x;
	struct mac_search *k;
	struct mac_options o;
	_Atomic uint32_t ready;
};

static void search_rounds(struct rounds_search *r, struct game *g, uint32_t role, const uint64_t *state,
                          uint64_t playouts)
{
	r->o = plain;
	r->o.theta = r->o.confidence = r->o.rounds = true;
	r->o.symmetry = 0.25;
	r->o.draws = 0.5;
	r->s = (struct seat){
		.game = g, .role = role, .worker = worker_new(g), .rng = rng_seed(1), .options = &r->o, .ready = &r->ready};
	r->x = symmetry_table_new(g, &(struct limit){0});
	r->k = mac_search_new(&r->s, &r->o);
	mac_search_rounds(r->k, symmetry_table_rounds(r->x));
	mac_search_root(r->k, &r->s, state);
	mac_search_run(r->k, &r->s, &(struct budget){.playouts = playouts});
}

static void end_search(struct rounds_search *r)
{
	mac_search_free(r->k);
	symmetry_table_free(r->x);
	worker_free(r->s.worker);
	text_free(&r->s.why);
}

/* By the symmetries of rounds alone: of the sixteen pieces of Quarto that may be given first, one is searched. */
static void rounds_share_successors(void **state)
{
	(void)state;
	struct made m = load_game_named("quarto");
	struct rounds_search r;
	search_rounds(&r, m.game, 0, m.game->initial, 4000);
	const struct tree *t = r.k->tree;
	const struct node *n = &t->nodes.at[t->root];
	assert_int_equal(n->joint, 16);
	for (uint32_t i = 1; i < n->joint; i++)
		assert_int_equal(n->child[i], n->child[0]);
	assert_true(r.s.count.detected > 0 && r.s.count.symmetries >= 12287 && r.s.count.merged >= 15);
	/* whoever stands for another has its value */
	for (uint32_t i = 0; i < t->nodes.n; i++) {
		uint32_t by = node_stands(t, i);
		for (uint32_t q = 0; q < 2; q++)
			assert_true(t->nodes.at[by].low[q] >= t->nodes.at[i].low[q] &&
			            t->nodes.at[by].high[q] <= t->nodes.at[i].high[q]);
	}
	end_search(&r);
	free_made(&m);
}

/* The exact values are those of a search without symmetries, whatever the symmetries of rounds save. */
static void rounds_keep_values(void **state)
{
	(void)state;
	static const char *const games[] = {"tictactoe",     "connect_3x3_3", "connect_3x3_2",
	                                    "connect_4x4_3", "nim",           "tictactoe_2x2"};
	for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
		struct made m = load_game_named(games[i]);
		struct rounds_search r;
		search_rounds(&r, m.game, 0, m.game->initial, 400000);
		struct tree_value with = mac_search_value(r.k, 0);
		struct searched without = search(m.game, 0, m.game->initial, NULL, 400000);
		printf("%s: %llu nodes, %llu with symmetries of rounds, %llu shared\n", games[i],
		       (unsigned long long)without.nodes, (unsigned long long)r.s.count.nodes,
		       (unsigned long long)r.s.count.merged);
		assert_true(with.low == with.high && without.value.low == without.value.high);
		assert_float_equal(with.low, without.value.low, 1e-4);
		end_search(&r);
		free_made(&m);
	}
}

/* x in the corner, and o must take the centre: all else loses. These moves are nogoods while the threshold is above
 * what they are worth, and constraints of the round. */
static void losing_moves_are_nogoods(void **state)
{
	(void)state;
	struct made m = load_game_named("tictactoe");
	struct game *g = m.game;
	struct rounds_search r;
	uint64_t *at = mem_alloc(g->words, 8);
	uint32_t joint[2 * 16], centre = game_find_move(g, 1, "(mark 2 2)"), noop = game_find_move(g, 0, "noop");
	after(g, g->initial, "(mark 1 1)", "noop", at);
	search_rounds(&r, g, 1, at, 400000);
	struct mac_search *k = r.k;
	k->theta = 0.5;
	k->nogoods.look_at.at[k->tree->root] = 0;
	mac_nogoods_look(k, &r.s, k->tree->root);
	assert_int_equal(mac_nogoods_of(k, k->tree->root, joint, 3), 3);
	assert_int_equal(mac_nogoods_of(k, k->tree->root, joint, 16), 7);
	for (int i = 0; i < 7; i++)
		assert_true(joint[2 * i] == noop && joint[2 * i + 1] != centre);
	/* the diagonal through the corner is left, with the nogoods in the network: they are all moves but one */
	struct symmetry *y = round_symmetry(symmetry_table_rounds(r.x), r.s.worker, at,
	                                    &(struct round_options){.nogoods = joint, .nogood_count = 7});
	assert_true(y->mantissa == 2);
	symmetry_free(y);
	/* one nogood off the diagonal leaves nothing */
	uint32_t one[2] = {noop, game_find_move(g, 1, "(mark 1 2)")};
	y = round_symmetry(symmetry_table_rounds(r.x), r.s.worker, at,
	                   &(struct round_options){.nogoods = one, .nogood_count = 1});
	assert_true(y->mantissa == 1 && !y->generators);
	symmetry_free(y);
	k->theta = 0; /* it falls */
	assert_int_equal(mac_nogoods_of(k, k->tree->root, joint, 16), 0);
	mac_nogoods_drop(k);
	k->theta = 0.5;
	assert_int_equal(mac_nogoods_of(k, k->tree->root, joint, 16), 0);
	mem_free(at);
	end_search(&r);
	free_made(&m);
}

/* A nogood goes to the symmetric state, by the symmetry. */
static void nogoods_are_carried(void **state)
{
	(void)state;
	struct made m = load_game_named("tictactoe");
	struct game *g = m.game;
	struct rounds_search r;
	search_rounds(&r, g, 0, g->initial, 2000);
	struct mac_search *k = r.k;
	/* two corners next to each other, and the mirror image that exchanges them */
	uint64_t *at = mem_alloc(2 * g->words, 8);
	uint32_t node[2], *mirror = mem_alloc(g->moves, 4);
	static const char *const corners[] = {"(mark 1 1)", "(mark 1 3)"};
	for (int i = 0; i < 2; i++) {
		after(g, g->initial, corners[i], "noop", at + (uint32_t)i * g->words);
		node[i] = node_find_exact(k->tree, &r.s, at + (uint32_t)i * g->words, false, NULL);
		node_open(k->tree, &r.s, node[i]);
	}
	for (uint32_t q = 0; q < 2; q++)
		for (int row = 1; row <= 3; row++)
			for (int column = 1; column <= 3; column++) {
				char here[32], there[32];
				snprintf(here, sizeof here, "(mark %d %d)", row, column);
				snprintf(there, sizeof there, "(mark %d %d)", row, 4 - column);
				mirror[game_find_move(g, q, here)] = game_find_move(g, q, there);
			}
	for (uint32_t q = 0; q < 2; q++)
		mirror[game_find_move(g, q, "noop")] = game_find_move(g, q, "noop");
	k->theta = 0.5;
	struct node *n = &k->tree->nodes.at[node[0]];
	uint32_t arm = 0, told[2];
	while (n->arms[n->start[1] + arm].move != game_find_move(g, 1, "(mark 2 1)"))
		arm++;
	mac_nogoods_keep(k, &r.s, node[0], arm, 0.25f);
	mac_nogoods_carry(k, &r.s, node[0], node[1], mirror);
	assert_int_equal(mac_nogoods_of(k, node[1], told, 1), 1);
	assert_int_equal(told[1], game_find_move(g, 1, "(mark 2 3)"));
	mem_free(at);
	mem_free(mirror);
	end_search(&r);
	free_made(&m);
}

/* Detection keeps to its share, of the work where playouts are counted. */
static void detection_keeps_to_its_share(void **state)
{
	(void)state;
	static const char *const games[] = {"connect_four", "hex", "skirmish"};
	for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
		struct made m = load_game_named(games[i]);
		struct rounds_search r;
		search_rounds(&r, m.game, 0, m.game->initial, 500);
		double most = 0.25 * 160 * (500 + 500 / 8.0 + 64);
		printf("%s: %.0f edges in %llu rounds, %llu left out\n", games[i], r.k->symmetry.edges,
		       (unsigned long long)r.s.count.detected, (unsigned long long)r.s.count.skipped);
		/* the first round may cost more: it is not known before */
		assert_true(r.k->symmetry.edges <= most || r.s.count.detected + (r.s.count.skipped > 0) <= 2);
		end_search(&r);
		free_made(&m);
	}
}

/* The twin has the roles in each other's places, and is a twin of the twin. */
static void twins(void **state)
{
	(void)state;
	struct made m = load_game_named("connect_four_simultaneous");
	struct game *g = m.game;
	struct symmetry_table *x = symmetry_table_new(g, &(struct limit){0});
	struct worker *w = worker_new(g);
	struct rng rng = rng_seed(4);
	uint64_t *at = mem_alloc(5 * g->words, 8);
	uint32_t joint[2];
	memcpy(at, g->initial, g->words * 8);
	for (int i = 0; i < 40; i++) {
		uint64_t *own = at + g->words, *twin = own + g->words, *back = twin + g->words, *again = back + g->words;
		const uint32_t *roles = symmetry_table_canonical(x, at, own, twin);
		assert_true(roles && roles[0] == 1 && roles[1] == 0);
		int goals[2];
		struct view v = game_look(w, own);
		memcpy(goals, v.goals, sizeof goals);
		v = game_look(w, twin);
		assert_true(v.goals[roles[0]] == goals[0] && v.goals[roles[1]] == goals[1]);
		symmetry_table_canonical(x, twin, back, again);
		assert_memory_equal(back, twin, g->words * 8);
		assert_memory_equal(again, own, g->words * 8);
		v = game_look(w, at);
		if (v.terminal || !game_random_move(g, &v, &rng, joint))
			memcpy(at, g->initial, g->words * 8);
		else
			game_next(w, at, joint, at);
	}
	mem_free(at);
	worker_free(w);
	symmetry_table_free(x);
	free_made(&m);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(the_worked_example),           cmocka_unit_test(same_values_smaller_trees),
		cmocka_unit_test(rounds_share_successors),      cmocka_unit_test(rounds_keep_values),
		cmocka_unit_test(losing_moves_are_nogoods),     cmocka_unit_test(nogoods_are_carried),
		cmocka_unit_test(detection_keeps_to_its_share), cmocka_unit_test(twins),
	};
	return RUN(cases);
}

/* Symmetric states share nodes: the values are the same, the tree is smaller. */
#include "make_game.h"

#include "play/mac/mac_search.h"
#include "play/mac/symmetry_table.h"

#include <math.h>

struct searched {
	struct tree_value value;
	uint64_t nodes;
	uint32_t move;
};

static const struct mac_options plain = {.tree = {.c = 0.3, .leaves = 8, .playouts = 8, .threads = 1, .memory = 256,
						  .mild = 0.8, .expand = 1}};

/* A search from a state, by the circuit, with symmetries or without. */
static struct searched search(struct game *g, uint32_t role, const uint64_t *state, struct symmetry_table *x, uint64_t playouts)
{
	_Atomic uint32_t ready = GAME_NONE;
	struct seat s = {.game = g, .role = role, .worker = worker_new(g), .rng = rng_seed(1), .options = &plain,
			 .ready = &ready};
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

/* More symmetries than can be written out: the states after equivalent moves are stored. */
static void large_groups(void **state)
{
	(void)state;
	struct made m = load_game_named("quarto");
	struct game *g = m.game;
	struct symmetry_table *x = symmetry_table_new(g, &(struct limit){0});
	struct worker *w = worker_new(g);
	assert_false(symmetry_table_of(x)->all);
	struct view v = game_look(w, g->initial);
	uint32_t choices = (v.start[1] - v.start[0]) * (v.start[2] - v.start[1]), mover = v.start[1] - v.start[0] > 1 ? 0 : 1;
	uint32_t first = v.legal[v.start[mover]], last = v.legal[v.start[mover + 1] - 1], other = v.legal[v.start[!mover]];
	assert_int_equal(symmetry_table_round(x, w, g->initial, NULL, 0, &(struct limit){0}), choices - 1);
	uint64_t *at = mem_alloc(5 * g->words, 8), *own[2] = {at + g->words, at + 2 * g->words};
	for (int i = 0; i < 2; i++) {
		uint32_t joint[2];
		joint[mover] = i ? last : first;
		joint[!mover] = other;
		game_next(w, g->initial, joint, at);
		symmetry_table_canonical(x, at, own[i], at + 3 * g->words);
	}
	assert_memory_equal(own[0], own[1], g->words * 8);
	mem_free(at);
	worker_free(w);
	symmetry_table_free(x);
	free_made(&m);
}

/* x in the corner, and o must take the centre: all else loses, and is told so. */
static void losing_moves_are_nogoods(void **state)
{
	(void)state;
	struct made m = load_game_named("tictactoe");
	struct game *g = m.game;
	_Atomic uint32_t ready = GAME_NONE;
	struct seat s = {.game = g, .role = 1, .worker = worker_new(g), .rng = rng_seed(1), .options = &plain, .ready = &ready};
	struct mac_search *k = mac_search_new(&s, &plain);
	uint64_t *at = mem_alloc(g->words, 8);
	uint32_t joint[2 * 16], centre = game_find_move(g, 1, "(mark 2 2)"), noop = game_find_move(g, 0, "noop");
	after(g, g->initial, "(mark 1 1)", "noop", at);
	mac_search_root(k, &s, at);
	assert_int_equal(mac_search_nogoods(k, &s, joint, 16), 0); /* nothing is known yet */
	mac_search_run(k, &s, &(struct budget){.playouts = 400000});
	assert_int_equal(mac_search_nogoods(k, &s, joint, 3), 3);
	assert_int_equal(mac_search_nogoods(k, &s, joint, 16), 7);
	for (int i = 0; i < 7; i++)
		assert_true(joint[2 * i] == noop && joint[2 * i + 1] != centre);
	mac_search_free(k);
	worker_free(s.worker);
	text_free(&s.why);
	mem_free(at);
	free_made(&m);
}

/* A piece of Quarto that is not worth it has no equal left; all of them are equal again. */
static void rounds_respect_nogoods(void **state)
{
	(void)state;
	struct made m = load_game_named("quarto");
	struct game *g = m.game;
	struct symmetry_table *x = symmetry_table_new(g, &(struct limit){0});
	struct worker *w = worker_new(g);
	struct view v = game_look(w, g->initial);
	uint32_t mover = v.start[1] - v.start[0] > 1 ? 0 : 1, count = v.start[mover + 1] - v.start[mover];
	uint32_t *joint = mem_alloc(2 * (size_t)count, sizeof *joint);
	for (uint32_t i = 0; i < count; i++) {
		joint[2 * i + mover] = v.legal[v.start[mover] + i];
		joint[2 * i + !mover] = v.legal[v.start[!mover]];
	}
	assert_int_equal(symmetry_table_round(x, w, g->initial, joint, count, &(struct limit){0}), count - 1);
	/* one kept apart: pieces that differ from it in 1, 2, 3 or 4 properties stay equal among themselves */
	assert_int_equal(symmetry_table_round(x, w, g->initial, joint, 1, &(struct limit){0}), count - 5);
	mem_free(joint);
	worker_free(w);
	symmetry_table_free(x);
	free_made(&m);
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
		cmocka_unit_test(the_worked_example),
		cmocka_unit_test(same_values_smaller_trees),
		cmocka_unit_test(large_groups),
		cmocka_unit_test(losing_moves_are_nogoods),
		cmocka_unit_test(rounds_respect_nogoods),
		cmocka_unit_test(twins),
	};
	return RUN(cases);
}

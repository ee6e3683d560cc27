/* Symmetries of games: known groups, canonical states, orbits, nogoods, the microstructure
 * complement. Generators, other words and the clock: test_symmetry_corpus.c. */
#include "../play/make_game.h"

#include "base/bits.h"
#include "base/rng.h"
#include "graph/automorphism.h"
#include "model/model_internal.h"
#include "symmetry/symmetry.h"

#include <math.h>

static double order_of(const struct symmetry *s)
{
	return s->mantissa * pow(10, s->exponent);
}

static double start_order(const struct symmetry *s)
{
	struct symmetry_group group;
	assert_true(symmetry_stabiliser(s, s->game->initial, NULL, 0, NULL, &group));
	double order = group.mantissa * pow(10, group.exponent);
	symmetry_group_free(&group);
	return order;
}

static const struct known {
	const char *game;
	double rules, start;
} known[] = {
	{"tictactoe", 16, 8},
	{"tictactoe_2x2", 2, 2},
	{"connect_four", 4, 2},
	{"breakthrough_6x6", 4, 2},
	{"rock_paper_scissors", 6, 6},
	{"monty_hall", 6, 6},
	{"lights_out_3x3", 8, 8},
	{"matching_pennies", 2, 2},
	{"nim", 2, 1},
	{"quarto", 24576, 12288},
	{"pentago", 16, 8},
	{"guess_dice", 720, 720},
	{"latent_tictactoe", 8, 8},
	{"kuhn_poker", 1, 1},
};

static void known_groups(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		struct made m = load_game_named(known[i].game);
		struct symmetry *s = symmetry_find(m.game, &(struct symmetry_options){0});
		assert_null(s->skipped);
		if (fabs(order_of(s) - known[i].rules) > 0.1 || fabs(start_order(s) - known[i].start) > 0.1)
			fail_msg("%s: %g and %g", known[i].game, order_of(s), start_order(s));
		if (s->all)
			assert_int_equal(s->element_count, (int)known[i].rules);
		else
			assert_true(s->element_count <= SYMMETRY_ELEMENTS && s->element_count > 1);
		symmetry_free(s);
		free_made(&m);
	}
}

/* ---- the check --------------------------------------------------------------------------- */

/* A state some steps into a random match. */
static void random_state(struct game *g, struct worker *w, struct rng *rng, uint32_t steps, uint64_t *state)
{
	uint32_t *moves = mem_alloc(g->roles + 1, sizeof *moves);
	memcpy(state, g->initial, g->words * sizeof *state);
	for (uint32_t i = 0; i < steps; i++) {
		struct view v = game_look(w, state);
		if (v.terminal || !game_random_move(g, &v, rng, moves))
			break;
		game_next(w, state, moves, state);
	}
	mem_free(moves);
}

/* A permutation that is none: the check must see it. */
static void checking_can_fail(void **state)
{
	(void)state;
	struct made m = load_game_named("tictactoe");
	struct symmetry *s = symmetry_find(m.game, &(struct symmetry_options){0});
	struct worker *w = worker_new(m.game);
	uint32_t *image = mem_alloc(s->points, sizeof *image);
	for (uint32_t p = 0; p < s->points; p++)
		image[p] = p;
	uint32_t a = game_find_fluent(m.game, "(cell 1 1 b)"), b = game_find_fluent(m.game, "(cell 2 2 b)");
	assert_true(symmetry_check(s, w, image, m.game->initial, 100, 1));
	image[a] = b;
	image[b] = a;
	assert_false(symmetry_check(s, w, image, m.game->initial, 100, 1));
	mem_free(image);
	worker_free(w);
	symmetry_free(s);
	free_made(&m);
}

/* ---- canonical states --------------------------------------------------------------------- */

static void canonical_states(void **state)
{
	(void)state;
	static const char *const games[] = {"tictactoe", "connect_four", "pentago", "quarto", "phantom_tictactoe"};
	for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
		struct made m = load_game_named(games[i]);
		struct symmetry *s = symmetry_find(m.game, &(struct symmetry_options){0});
		struct worker *w = worker_new(m.game);
		struct rng rng = rng_seed(3);
		uint32_t words = m.game->words;
		uint64_t at[4][64];
		assert_true(words <= 64 && s->scope[SYMMETRY_HOME] > 1);
		if (s->all) /* what is written out of a larger group need not swap roles */
			assert_true(s->element_count > s->scope[SYMMETRY_STEADY]);
		for (int round = 0; round < 20; round++) {
			random_state(m.game, w, &rng, rng_below(&rng, 8), at[0]);
			for (int scope = 0; scope < SYMMETRY_SCOPES; scope++) {
				const uint32_t *by = symmetry_canonical(s, at[0], (enum symmetry_scope)scope, at[1]);
				symmetry_apply(s, by, at[0], at[2]);
				for (uint32_t k = 0; k < words; k++)
					assert_true((at[2][k] & s->matters[k]) == at[1][k]);
				assert_true(symmetry_check(s, w, by, at[0], 4, 1));
				if (scope != SYMMETRY_ANY)
					for (uint32_t p = s->first_role; p < s->first_percept; p++)
						assert_int_equal(by[p], p);
				size_t e = rng_below(&rng, (uint32_t)s->scope[scope]);
				symmetry_apply(s, s->elements.at + e * s->points, at[0], at[2]);
				symmetry_canonical(s, at[2], (enum symmetry_scope)scope, at[3]);
				assert_memory_equal(at[1], at[3], words * 8);
			}
		}
		/* below a root: only what leaves the root as it is */
		uint16_t fixing[SYMMETRY_ELEMENTS];
		random_state(m.game, w, &rng, 1, at[0]);
		size_t count = symmetry_fixing(s, at[0], SYMMETRY_HOME, at[1], fixing);
		assert_true(count >= 1 && count <= s->scope[SYMMETRY_HOME] && s->scope[SYMMETRY_HOME] % count == 0);
		for (size_t k = 0; k < count; k++) {
			const uint32_t *e = s->elements.at + fixing[k] * (size_t)s->points;
			symmetry_apply(s, e, at[0], at[1]);
			assert_true(symmetry_same(s, at[0], at[1]));
			random_state(m.game, w, &rng, 3, at[1]);
			symmetry_canonical_among(s, at[1], fixing, count, at[2]);
			symmetry_apply(s, e, at[1], at[3]);
			symmetry_canonical_among(s, at[3], fixing, count, at[1]);
			assert_memory_equal(at[1], at[2], words * 8);
		}
		worker_free(w);
		symmetry_free(s);
		free_made(&m);
	}
}

/* Of 1600 symmetries of the torus one leaves the start as it is: it must be among those that
 * are written out. */
static void what_keeps_the_start_comes_first(void **state)
{
	(void)state;
	struct made m = load_game_named("amazons_torus_10x10");
	struct symmetry *s = symmetry_find(m.game, &(struct symmetry_options){0});
	assert_false(s->all);
	assert_int_equal(s->scope[SYMMETRY_HOME], 2);
	uint64_t *to = mem_alloc(m.game->words, sizeof *to);
	symmetry_apply(s, s->elements.at + s->points, m.game->initial, to);
	assert_true(symmetry_same(s, to, m.game->initial));
	mem_free(to);
	symmetry_free(s);
	free_made(&m);
}

/* Corners, edges and the centre; one mark in a corner leaves the reflection through it. */
static void orbits_of_moves(void **state)
{
	(void)state;
	struct made m = load_game_named("tictactoe");
	struct game *g = m.game;
	struct symmetry *s = symmetry_find(g, &(struct symmetry_options){0});
	struct worker *w = worker_new(g);
	uint32_t *orbit = mem_alloc(g->moves, sizeof *orbit), *slow = mem_alloc(s->points, sizeof *slow);
	uint64_t *at = mem_alloc(g->words, 8);
	memcpy(at, g->initial, g->words * 8);
	for (int marks = 0; marks < 2; marks++) {
		struct symmetry_group group;
		struct view v = game_look(w, at);
		uint32_t classes = 0, mover = (uint32_t)marks;
		symmetry_move_orbits(s, at, orbit);
		assert_true(symmetry_stabiliser(s, at, NULL, 0, NULL, &group));
		symmetry_orbits(s->points, group.images.at, group.generators, slow);
		for (uint32_t i = v.start[mover]; i < v.start[mover + 1]; i++) {
			classes += orbit[v.legal[i]] == v.legal[i];
			assert_int_equal(slow[s->first_move + v.legal[i]], s->first_move + orbit[v.legal[i]]);
		}
		assert_int_equal(classes, marks ? 5 : 3);
		assert_int_equal((int)group.mantissa, marks ? 2 : 8);
		symmetry_group_free(&group);
		uint32_t joint[2] = {game_find_move(g, 0, "(mark 1 1)"), game_find_move(g, 1, "noop")};
		game_next(w, at, joint, at);
	}
	mem_free(orbit);
	mem_free(slow);
	mem_free(at);
	worker_free(w);
	symmetry_free(s);
	free_made(&m);
}

/* A joint move that is worse than others, told as a nogood, is no longer their equal. */
static void nogoods_keep_moves_apart(void **state)
{
	(void)state;
	struct made m = load_game_named("tictactoe");
	struct symmetry *s = symmetry_find(m.game, &(struct symmetry_options){0});
	struct symmetry_group group;
	uint32_t nogood[2] = {game_find_move(m.game, 0, "(mark 1 1)"), game_find_move(m.game, 1, "noop")};
	assert_true(symmetry_stabiliser(s, m.game->initial, nogood, 1, NULL, &group));
	assert_int_equal((int)group.mantissa, 2);
	symmetry_group_free(&group);
	symmetry_free(s);
	free_made(&m);
}

static bool among(const uint32_t *joints, size_t count, const uint32_t *joint)
{
	for (size_t i = 0; i < count; i++)
		if (joints[2 * i] == joint[0] && joints[2 * i + 1] == joint[1])
			return true;
	return false;
}

static bool maps_into(const struct symmetry *s, const uint32_t *image, const uint32_t *joints, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint32_t to[2];
		for (uint32_t r = 0; r < 2; r++)
			to[image[s->first_role + r] - s->first_role] = image[s->first_move + joints[2 * i + r]] - s->first_move;
		if (!among(joints, count, to))
			return false;
	}
	return true;
}

/* Any nogoods: generators map them to nogoods; the group is no larger than without, and where
 * all elements are written out, it is those of them that map nogoods to nogoods. */
static void stabilisers_map_nogoods_to_nogoods(void **state)
{
	(void)state;
	static const char *const games[] = {"tictactoe", "quarto", "connect_four_simultaneous"};
	struct rng rng = rng_seed(5);
	size_t smaller = 0, kept = 0;
	for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
		struct made m = load_game_named(games[i]);
		struct game *g = m.game;
		struct symmetry *s = symmetry_find(g, &(struct symmetry_options){0});
		struct worker *w = worker_new(g);
		struct symmetry_group plain, group;
		uint32_t joints[2 * 8];
		assert_true(symmetry_stabiliser(s, g->initial, NULL, 0, NULL, &plain));
		for (uint32_t round = 0; round < 24; round++) {
			struct view v = game_look(w, g->initial);
			size_t count = 0, want = 1 + round % 8, exact = 0;
			for (int tries = 0; count < want && tries < 100; tries++) {
				assert_true(game_random_move(g, &v, &rng, joints + 2 * count));
				count += !among(joints, count, joints + 2 * count);
			}
			assert_true(symmetry_stabiliser(s, g->initial, joints, count, NULL, &group));
			for (size_t k = 0; k < group.generators; k++)
				assert_true(maps_into(s, group.images.at + k * s->points, joints, count));
			double order = group.mantissa * pow(10, group.exponent), most = plain.mantissa * pow(10, plain.exponent);
			assert_true(order <= most);
			smaller += order < most;
			kept += order > 1;
			for (size_t e = 0; s->all && e < s->element_count; e++) {
				const uint32_t *image = s->elements.at + e * s->points;
				SCRATCH(uint64_t, to, g->words);
				symmetry_apply(s, image, g->initial, to);
				exact += symmetry_same(s, to, g->initial) && maps_into(s, image, joints, count);
			}
			if (s->all)
				assert_true(fabs(order - (double)exact) < 0.5);
			symmetry_group_free(&group);
		}
		symmetry_group_free(&plain);
		worker_free(w);
		symmetry_free(s);
		free_made(&m);
	}
	assert_true(smaller > 20 && kept > 10);
}

/* ---- the microstructure complement ------------------------------------------------------------
 *
 * Literals (variable, value) and forbidden tuples, as in the papers, from the tables of the
 * network. Literals of now and after are tied, values of terminal and of scores have
 * colours of their own, actions and scores belong to a role. */

struct micro {
	struct model *m;
	struct coloured_graph g;
	uint32_t *literal; /* by variable: vertex of its first value */
};

enum { M_LITERAL, M_ROLE, M_RANDOM, M_TUPLE, M_NOW, M_AFTER, M_ACTION, M_TERMINAL = 10, M_SCORE = 100 };

static void forbidden_tuples(struct micro *x, const struct kept_table *k)
{
	struct csp *n = model_csp(x->m);
	const uint32_t *scope = x->m->kept_scopes.at + k->scope;
	const int32_t *rows = x->m->kept_tuples.at + k->tuples;
	uint32_t at[64] = {0}, i = 0;
	assert_true(k->arity <= 64);
	while (i < k->arity) {
		bool allowed = false;
		for (size_t r = 0; r < k->rows && !allowed; r++) {
			allowed = true;
			for (uint32_t p = 0; p < k->arity && allowed; p++) {
				int32_t v = rows[r * k->arity + p];
				allowed = v == CSP_ANY || v == csp_value(n, scope[p], at[p]);
			}
		}
		if (!allowed) {
			uint32_t v = graph_vertex(&x->g, M_TUPLE);
			for (uint32_t p = 0; p < k->arity; p++)
				graph_edge(&x->g, v, x->literal[scope[p]] + at[p]);
		}
		for (i = 0; i < k->arity && ++at[i] == csp_count(n, scope[i]); i++)
			at[i] = 0;
	}
}

static void paint(struct micro *x, uint32_t var, uint32_t colour, bool by_value)
{
	for (uint32_t i = 0; i < csp_count(model_csp(x->m), var); i++)
		x->g.colour.at[x->literal[var] + i] =
			by_value ? colour + (uint32_t)(csp_value(model_csp(x->m), var, i) + 1) : colour;
}

static void make_micro(struct micro *x)
{
	struct csp *n = model_csp(x->m);
	struct game *g = x->m->game;
	uint32_t vars = csp_variables(n);
	x->literal = mem_alloc(vars + 1, sizeof *x->literal);
	for (uint32_t v = 0; v < vars; v++) {
		x->literal[v] = (uint32_t)x->g.colour.n;
		for (uint32_t i = 0; i < csp_count(n, v); i++)
			graph_vertex(&x->g, M_LITERAL);
	}
	uint32_t roles = (uint32_t)x->g.colour.n;
	for (uint32_t r = 0; r < g->roles; r++)
		graph_vertex(&x->g, r == g->random ? M_RANDOM : M_ROLE);
	for (uint32_t v = 0; v < vars; v++)
		for (uint32_t i = 0; i < csp_count(n, v); i++)
			for (uint32_t k = 0; k < i; k++) {
				uint32_t t = graph_vertex(&x->g, M_TUPLE);
				graph_edge(&x->g, t, x->literal[v] + i);
				graph_edge(&x->g, t, x->literal[v] + k);
			}
	for (size_t i = 0; i < x->m->kept.n; i++)
		forbidden_tuples(x, &x->m->kept.at[i]);
	paint(x, model_terminal(x->m), M_TERMINAL, true);
	for (uint32_t r = 0; r < g->roles; r++) {
		uint32_t action = model_action(x->m, r), score = model_score(x->m, r);
		paint(x, action, M_ACTION, false);
		for (uint32_t i = 0; i < csp_count(n, action); i++)
			graph_edge(&x->g, roles + r, x->literal[action] + i);
		if (score == CSP_NONE)
			continue;
		paint(x, score, M_SCORE, true);
		for (uint32_t i = 0; i < csp_count(n, score); i++)
			graph_edge(&x->g, roles + r, x->literal[score] + i);
	}
	for (uint32_t i = 0; i < model_groups(x->m); i++) {
		uint32_t now = model_now(x->m, i), after = model_after(x->m, i);
		paint(x, now, M_NOW, false);
		paint(x, after, M_AFTER, false);
		for (uint32_t k = 0; k < csp_count(n, now); k++)
			graph_edge(&x->g, x->literal[now] + k, x->literal[after] + k);
	}
}

/* Our points as literals of the network; UINT32_MAX: a constant. */
static uint32_t literal_of(const struct micro *x, const struct symmetry *s, uint32_t p)
{
	const struct model *m = x->m;
	if (p < s->first_move) {
		uint32_t group = m->groups->group_of[p];
		return group == GROUP_NONE ? UINT32_MAX : x->literal[m->now[group]] + m->at[p];
	}
	uint32_t move = p - s->first_move;
	return x->literal[m->action[game_role_of(s->game, move)]] + m->move_at[move];
}

/* Whatever the microstructure shows is found. The tables may show less: where a relation was
 * split over auxiliary variables, one role's part may be split otherwise than another's. */
static void the_microstructure_has_the_same_group(void **state)
{
	(void)state;
	static const char *const games[] = {"matching_pennies",    "tictactoe_2x2", "prisoners_dilemma",
	                                    "rock_paper_scissors", "nim",           "connect_2x2_2"};
	enum { SAME = 4 }; /* of these the orders are equal */
	for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
		struct made made = load_game_named(games[i]);
		struct text error = {0};
		struct micro x = {.m = model_make(made.game, &(struct model_options){0}, &error)};
		assert_non_null(x.m);
		make_micro(&x);
		struct symmetry *s = symmetry_find(made.game, &(struct symmetry_options){0});
		uint32_t literals =
			x.literal[csp_variables(model_csp(x.m)) - 1] + csp_count(model_csp(x.m), csp_variables(model_csp(x.m)) - 1);
		struct automorphisms a;
		assert_true(automorphisms_find(&a, &x.g, literals, AUTOMORPHISM_AUTO, NULL));
		printf("%s: %zu literals and tuples, %u vertices here; %g and %g\n", games[i], x.g.colour.n, s->vertices,
		       a.mantissa * pow(10, a.exponent), order_of(s));
		/* orbits of moves and fluents are the same */
		uint32_t *theirs = mem_alloc(literals, 4), *ours = mem_alloc(s->points, 4);
		symmetry_orbits(literals, a.images.at, a.count, theirs);
		symmetry_orbits(s->points, s->images.at, s->generators, ours);
		for (uint32_t p = 0; p < s->first_role; p++)
			for (uint32_t q = 0; q < p; q++) {
				uint32_t lp = literal_of(&x, s, p), lq = literal_of(&x, s, q);
				if (lp != UINT32_MAX && lq != UINT32_MAX && theirs[lp] == theirs[lq] && ours[p] != ours[q])
					fail_msg("%s: points %u and %u are not in one orbit", games[i], p, q);
			}
		double order = a.mantissa * pow(10, a.exponent);
		assert_true(fabs(fmod(order_of(s), order)) < 0.1);
		if (i < SAME)
			assert_float_equal(order, order_of(s), 0.1);
		mem_free(theirs);
		mem_free(ours);
		automorphisms_free(&a);
		coloured_graph_free(&x.g);
		mem_free(x.literal);
		model_free(x.m);
		symmetry_free(s);
		free_made(&made);
		text_free(&error);
	}
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(known_groups),
		cmocka_unit_test(checking_can_fail),
		cmocka_unit_test(canonical_states),
		cmocka_unit_test(what_keeps_the_start_comes_first),
		cmocka_unit_test(orbits_of_moves),
		cmocka_unit_test(nogoods_keep_moves_apart),
		cmocka_unit_test(stabilisers_map_nogoods_to_nogoods),
		cmocka_unit_test(the_microstructure_has_the_same_group),
	};
	return RUN(cases);
}

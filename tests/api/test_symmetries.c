/* Symmetries through the public face: known groups, images and canonical positions, orbits, stabilisers. */
#include "test.h"

#include <macaw/symmetries.h>
#include <macaw/worker.h>

#include <string.h>

enum { MOST_WORDS = 16, MOST_POINTS = 4000 };

static void tictactoe_has_sixteen(void **state)
{
	macaw_error e;
	macaw_game *g = macaw_game_load("tictactoe", NULL, &e);
	macaw_symmetries *s = macaw_symmetries_find(g, (macaw_limit){.seconds = 10}, &e);
	double mantissa;
	int exponent;
	assert_non_null(s);
	assert_null(macaw_symmetries_skipped(s));
	macaw_symmetries_order(s, &mantissa, &exponent);
	assert_true(mantissa == 16 && exponent == 0); /* eight of the board, times swapping the players */
	char *text = macaw_symmetries_order_text(mantissa, exponent);
	assert_string_equal(text, "16");
	macaw_free(text);
	assert_true(macaw_symmetries_all(s));
	assert_int_equal(macaw_symmetries_elements(s, MACAW_ANY_SYMMETRY), 16);
	assert_int_equal(macaw_symmetries_elements(s, MACAW_KEEP_ROLES), 8);
	assert_int_equal(macaw_symmetries_elements(s, MACAW_KEEP_START), 8);
	assert_int_equal(macaw_symmetries_elements(s, 9), 0);
	assert_int_equal(macaw_symmetries_refuted(s), 0);
	assert_int_equal(macaw_symmetries_sampled(s), 0);
	assert_true(macaw_symmetries_statistics(s).vertices > 10 && macaw_symmetries_statistics(s).edges > 10);
	macaw_points points = macaw_symmetries_points(s);
	assert_int_equal(points.move, macaw_game_fluents(g));
	assert_int_equal(points.role - points.move, macaw_game_moves(g));
	assert_int_equal(points.percept - points.role, 2);
	assert_int_equal(points.count, points.percept);
	assert_true(macaw_symmetries_generators(s) >= 2);
	for (size_t i = 0; i < macaw_symmetries_generators(s); i++) { /* permutations */
		bool met[MOST_POINTS] = {0};
		const uint32_t *image = macaw_symmetries_generator(s, i);
		for (uint32_t p = 0; p < points.count; p++) {
			assert_true(image[p] < points.count && !met[image[p]]);
			met[image[p]] = true;
		}
	}
	assert_null(macaw_symmetries_generator(s, 99));
	macaw_symmetries_free(s);
	macaw_symmetries_free(NULL);
	macaw_game_free(g);
}

static void orbits_and_stabilisers(void **state)
{
	macaw_error e;
	macaw_game *g = macaw_game_load("tictactoe", NULL, &e);
	macaw_symmetries *s = macaw_symmetries_find(g, (macaw_limit){0}, &e);
	macaw_worker *w = macaw_worker_new(g, &e);
	macaw_points points = macaw_symmetries_points(s);
	uint32_t orbit[MOST_POINTS], quick[MOST_POINTS], moves[2];
	uint64_t p[MOST_WORDS], seed = 1;
	macaw_view v;
	memcpy(p, macaw_position_initial(g), macaw_position_words(g) * sizeof *p);
	/* 3 kinds of squares at the start; in the middle after a corner: 5 */
	for (int marks = 0; marks < 2; marks++) {
		macaw_stabiliser *group = macaw_symmetries_stabiliser(s, p, (macaw_limit){0}, &e);
		assert_non_null(group);
		assert_int_equal((int)group->mantissa, marks ? 2 : 8);
		macaw_symmetries_orbits(s, group, orbit);
		assert_true(macaw_symmetries_moves(s, p, quick));
		assert_true(macaw_look(w, p, &v));
		int classes = 0;
		for (uint32_t k = v.start[marks]; k < v.start[marks + 1]; k++) {
			assert_int_equal(orbit[points.move + v.legal[k]], points.move + quick[v.legal[k]]);
			classes += quick[v.legal[k]] == v.legal[k];
		}
		assert_int_equal(classes, marks ? 5 : 3);
		macaw_stabiliser_free(group);
		assert_true(macaw_random_moves(g, &v, &seed, moves));
		moves[0] = macaw_game_find_move(g, 0, "(mark 1 1)");
		if (!marks)
			macaw_next(w, p, moves, p);
	}
	macaw_stabiliser_free(NULL);
	macaw_symmetries_orbits(s, NULL, orbit); /* of all: the roles are one orbit */
	assert_int_equal(orbit[points.role], orbit[points.role + 1]);
	macaw_worker_free(w);
	macaw_symmetries_free(s);
	macaw_game_free(g);
}

/* A position and its image have the same canonical form, and what is legal there goes the same way. */
static void canonical_positions(void **state)
{
	static const enum macaw_scope scopes[] = {MACAW_KEEP_START, MACAW_KEEP_ROLES, MACAW_ANY_SYMMETRY};
	macaw_error e;
	macaw_game *g = macaw_game_load("tictactoe", NULL, &e);
	macaw_symmetries *s = macaw_symmetries_find(g, (macaw_limit){0}, &e);
	macaw_worker *w = macaw_worker_new(g, &e);
	size_t bytes = macaw_position_words(g) * sizeof(uint64_t);
	uint64_t p[MOST_WORDS], to[MOST_WORDS], image[MOST_WORDS], again[MOST_WORDS], moved[MOST_WORDS], seed = 3;
	uint32_t moves[2];
	macaw_view v;
	memcpy(p, macaw_position_initial(g), bytes);
	for (int step = 0; step < 200; step++) {
		for (size_t k = 0; k < 3; k++) {
			const uint32_t *by = macaw_symmetries_canonical(s, p, scopes[k], to);
			macaw_symmetries_apply(s, by, p, moved);
			assert_memory_equal(moved, to, bytes);
			for (size_t i = 0; i < macaw_symmetries_generators(s); i++) {
				macaw_symmetries_apply(s, macaw_symmetries_generator(s, i), p, image);
				macaw_symmetries_canonical(s, image, MACAW_ANY_SYMMETRY, again);
				macaw_symmetries_canonical(s, p, MACAW_ANY_SYMMETRY, to);
				assert_memory_equal(again, to, bytes);
			}
		}
		assert_true(macaw_look(w, p, &v));
		if (v.terminal || !macaw_random_moves(g, &v, &seed, moves))
			memcpy(p, macaw_position_initial(g), bytes);
		else
			macaw_next(w, p, moves, p);
	}
	macaw_worker_free(w);
	macaw_symmetries_free(s);
	macaw_game_free(g);
}

static void the_interpreter_has_none(void **state)
{
	macaw_error e;
	macaw_game *g = macaw_game_load("tictactoe", &(macaw_game_options){.engine = MACAW_ENGINE_INTERPRETER}, &e);
	macaw_symmetries *s = macaw_symmetries_find(g, (macaw_limit){0}, &e);
	double mantissa;
	int exponent;
	assert_non_null(macaw_symmetries_skipped(s));
	macaw_symmetries_order(s, &mantissa, &exponent);
	assert_true(mantissa == 1 && macaw_symmetries_generators(s) == 0);
	assert_null(macaw_symmetries_stabiliser(s, macaw_position_initial(g), (macaw_limit){0}, &e));
	assert_string_equal(e.text, macaw_symmetries_skipped(s));
	macaw_symmetries_free(s);
	macaw_game_free(g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tictactoe_has_sixteen),
		cmocka_unit_test(orbits_and_stabilisers),
		cmocka_unit_test(canonical_positions),
		cmocka_unit_test(the_interpreter_has_none),
	};
	return RUN(tests);
}

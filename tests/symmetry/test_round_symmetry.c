/* Symmetries of rounds: groups that are known by hand, what is certain from a state on, generators against the
 * solutions of the constraint network, nogoods. Values and the search: tests/play/test_symmetry_table.c. */
#include "../play/make_game.h"

#include "base/bits.h"
#include "base/rng.h"
#include "model/model.h"
#include "symmetry/round.h"
#include "symmetry/symmetry_internal.h"

#include <math.h>
#include <stdlib.h>

struct ground_of {
	struct made m;
	struct game *g;
	struct rounds *x;
	struct worker *w;
	uint64_t *at;
};

static struct ground_of begin_named(const char *name)
{
	struct ground_of b = {.m = load_game_named(name)};
	b.g = b.m.game;
	b.x = rounds_new(b.g, 0, NULL);
	assert_non_null(b.x);
	b.w = worker_new(b.g);
	b.at = mem_alloc(b.g->words + 1, 8);
	memcpy(b.at, b.g->initial, b.g->words * 8);
	return b;
}

static void end(struct ground_of *b)
{
	mem_free(b->at);
	rounds_free(b->x);
	worker_free(b->w);
	free_made(&b->m);
}

/* Both move: a word for each role. */
static void play(struct ground_of *b, const char *first, const char *second)
{
	uint32_t joint[2] = {game_find_move(b->g, 0, first), game_find_move(b->g, 1, second)};
	assert_true(joint[0] != GAME_NONE && joint[1] != GAME_NONE);
	game_next(b->w, b->at, joint, b->at);
}

static double order_with(struct ground_of *b, const uint32_t *nogoods, size_t count)
{
	struct symmetry *s =
		round_symmetry(b->x, b->w, b->at, &(struct round_options){.nogoods = nogoods, .nogood_count = count});
	assert_null(s->skipped);
	assert_int_equal(s->refuted, 0);
	double order = s->mantissa * pow(10, s->exponent);
	symmetry_free(s);
	return order;
}

static double order(struct ground_of *b)
{
	return order_with(b, NULL, 0);
}

static void known_groups(void **state)
{
	(void)state;
	static const struct {
		const char *game;
		double order;
	} known[] = {{"tictactoe", 8}, {"tictactoe_2x2", 2}, {"quarto", 12288}, {"connect_four", 2},
	             {"pentago", 8},   {"guess_dice", 720},  {"chess", 1}};
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		struct ground_of b = begin_named(known[i].game);
		if (fabs(order(&b) - known[i].order) > 0.5)
			fail_msg("%s: %g", known[i].game, order(&b));
		end(&b);
	}
}

/* o has the centre and x all that can still be done in the corners of the last row: the rules have no symmetry that
 * leaves the state, the lines that are not blocked have one. */
static void blocked_lines_do_not_count(void **state)
{
	(void)state;
	struct ground_of b = begin_named("tictactoe");
	play(&b, "(mark 1 1)", "noop");
	play(&b, "noop", "(mark 2 2)");
	play(&b, "(mark 3 3)", "noop");
	assert_true(order(&b) == 4); /* both diagonals, and half a turn */
	play(&b, "noop", "(mark 1 2)");
	play(&b, "(mark 3 2)", "noop");
	/* open: 1 3, 2 1, 2 3, 3 1; lines: the first column and the last row for x by 2 1 and 3 1, the last column for x by
	 * 1 3 and 2 3, the middle row and the other diagonal for o */
	struct round_future f = rounds_future(b.x, b.at);
	assert_int_equal(f.moves, 2 * (4 + 1)); /* marks and a noop for each */
	assert_true(order(&b) == 1);
	play(&b, "noop", "(mark 3 1)");
	play(&b, "(mark 1 3)", "noop");
	/* 2 1 and 2 3: the last column for x, the middle row for o; what is in the other lines is certain */
	f = rounds_future(b.x, b.at);
	assert_int_equal(f.moves, 2 * (2 + 1));
	assert_int_equal(f.fluents, 2 * 3 + 2);
	/* in random matches */
	struct rng rng = rng_seed(2);
	uint32_t joint[2], found = 0;
	struct symmetry *rules = symmetry_find(b.g, &(struct symmetry_options){0});
	for (int match = 0; match < 40; match++) {
		memcpy(b.at, b.g->initial, b.g->words * 8);
		for (struct view v = game_look(b.w, b.at); !v.terminal && game_random_move(b.g, &v, &rng, joint);
		     v = game_look(b.w, b.at)) {
			struct symmetry_group group;
			game_next(b.w, b.at, joint, b.at);
			assert_true(symmetry_stabiliser(rules, b.at, NULL, 0, NULL, &group));
			found += order(&b) > group.mantissa;
			symmetry_group_free(&group);
		}
	}
	printf("%u states with more symmetries than the rules have there\n", found);
	assert_true(found > 0);
	symmetry_free(rules);
	end(&b);
}

/* Every state that follows has what is certain, and so have its images. */
static void what_is_certain_stays(void **state)
{
	(void)state;
	static const char *const games[] = {"tictactoe", "connect_four", "hex",    "skirmish",
	                                    "kaseklau",  "war",          "wumpus", "pacman"};
	struct rng rng = rng_seed(5);
	for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
		struct ground_of b = begin_named(games[i]);
		uint32_t joint[8], words = b.g->words, open = UINT32_MAX;
		uint64_t *certain = NEW_ARRAY(uint64_t, 3 * (size_t)words), *held = certain + words, *image = held + words;
		for (int step = 0; step < 40; step++) {
			for (uint32_t w = 0; w < words; w++)
				assert_true(((b.at[w] ^ held[w]) & certain[w]) == 0);
			struct round_future f = rounds_future(b.x, b.at);
			assert_true(f.fluents <= open);
			open = f.fluents;
			struct symmetry *s = round_symmetry(b.x, b.w, b.at, &(struct round_options){.elements = true});
			memcpy(held, b.at, words * 8);
			symmetry_canonical(s, b.at, SYMMETRY_HOME, image);
			for (uint32_t w = 0; w < words; w++) {
				certain[w] = s->matters[w] & ~s->graph->matters[w];
				assert_true(((image[w] ^ held[w]) & certain[w]) == 0);
			}
			symmetry_free(s);
			struct view v = game_look(b.w, b.at);
			if (v.terminal || !game_random_move(b.g, &v, &rng, joint))
				break;
			game_next(b.w, b.at, joint, b.at);
		}
		mem_free(certain);
		end(&b);
	}
}

static void set(struct ground_of *b, const char *fluent)
{
	uint32_t f = game_find_fluent(b->g, fluent);
	assert_true(f != GAME_NONE);
	bits_add(b->at, f);
}

/* Yahtzee where nothing but five equal dice is left to score: one face is as good as another. With `chance` open as
 * well, in which the sum of the dice counts, the faces differ. */
static void equal_dice(void **state)
{
	(void)state;
	struct ground_of b = begin_named("yahtzee");
	static const char *const always[] = {"(turn alice)",   "(falling 5)",         "(rolls_left 2)",
	                                     "(tens alice 0)", "(tens bob 0)",        "(units alice 0)",
	                                     "(units bob 0)",  "(upper_sum alice 0)", "(upper_sum bob 0)"};
	memset(b.at, 0, b.g->words * 8);
	for (size_t i = 0; i < sizeof always / sizeof *always; i++)
		set(&b, always[i]);
	for (int face = 1; face <= 6; face++) {
		char word[32];
		snprintf(word, sizeof word, "(dice %d 0)", face);
		set(&b, word);
	}
	set(&b, "(open alice yahtzee)");
	set(&b, "(open bob yahtzee)");
	printf("faces that are alike: %g\n", order(&b));
	assert_true(order(&b) == 720);
	set(&b, "(open alice chance)");
	assert_true(order(&b) == 1);
	end(&b);
}

/* ---- solutions --------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b, void *bytes)
{
	return memcmp(a, b, *(size_t *)bytes);
}

/* The solutions of a round as rows of moves and a state, sorted; under a permutation, or as they are. */
static char *rows_of(const struct symmetry *s, const struct model_round *r, const uint32_t *image, size_t *bytes)
{
	const struct game *g = s->game;
	*bytes = g->roles * 4 + g->words * 8;
	char *rows = mem_alloc(r->count * *bytes + 8, 1);
	uint64_t *next = mem_alloc(g->words + 1, 8);
	for (size_t i = 0; i < r->count; i++) {
		for (uint32_t q = 0; q < g->roles; q++) {
			uint32_t m = r->moves.at[i * g->roles + q], to = image ? image[s->first_move + m] - s->first_move : m;
			memcpy(rows + i * *bytes + q * 4, &to, 4);
		}
		memcpy(next, r->next.at + i * g->words, g->words * 8);
		if (image)
			symmetry_apply(s, image, r->next.at + i * g->words, next);
		for (uint32_t w = 0; w < g->words; w++)
			next[w] &= s->matters[w];
		memcpy(rows + i * *bytes + g->roles * 4, next, g->words * 8);
	}
	mem_free(next);
	qsort_r(rows, r->count, *bytes, compare, bytes);
	return rows;
}

/* Every generator maps the solutions of the round's network, as MAC finds them, to its solutions. */
static void generators_map_solutions(void **state)
{
	(void)state;
	static const char *const games[] = {
		"tictactoe", "tictactoe_2x2", "quarto",     "connect_four", "dots_and_boxes_suicide",
		"kaseklau",  "monty_hall",    "mastermind", "nim"};
	size_t tried = 0;
	for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
		struct ground_of b = begin_named(games[i]);
		struct text error = {0};
		struct model *m = model_make(b.g, &(struct model_options){0}, &error);
		assert_non_null(m);
		struct model_round r = {0};
		struct rng rng = rng_seed(i);
		uint32_t joint[4];
		for (int step = 0; step < 24; step++) {
			struct view v = game_look(b.w, b.at);
			if (v.terminal)
				break;
			struct symmetry *s = round_symmetry(b.x, b.w, b.at, &(struct round_options){0});
			assert_int_equal(s->refuted, 0);
			assert_true(model_solve(m, MODEL_MAC, b.at, &r));
			size_t bytes;
			char *plain = rows_of(s, &r, NULL, &bytes);
			for (size_t k = 0; k < s->generators; k++) {
				char *there = rows_of(s, &r, symmetry_generator(s, k), &bytes);
				assert_memory_equal(plain, there, r.count * bytes);
				mem_free(there);
				tried++;
			}
			mem_free(plain);
			symmetry_free(s);
			v = game_look(b.w, b.at);
			if (!game_random_move(b.g, &v, &rng, joint))
				break;
			game_next(b.w, b.at, joint, b.at);
		}
		model_round_free(&r);
		model_free(m);
		text_free(&error);
		end(&b);
	}
	printf("%zu generators\n", tried);
	assert_true(tried > 50);
}

/* A corner that is not worth it has no equal but itself; all four are equal again. */
static void nogoods_are_constraints(void **state)
{
	(void)state;
	static const char *const corners[] = {"(mark 1 1)", "(mark 1 3)", "(mark 3 1)", "(mark 3 3)"};
	struct ground_of b = begin_named("tictactoe");
	uint32_t joint[8];
	for (int i = 0; i < 4; i++) {
		joint[2 * i] = game_find_move(b.g, 0, corners[i]);
		joint[2 * i + 1] = game_find_move(b.g, 1, "noop");
	}
	assert_true(order_with(&b, joint, 1) == 2);
	assert_true(order_with(&b, joint, 2) == 2);
	assert_true(order_with(&b, joint, 3) == 2);
	assert_true(order_with(&b, joint, 4) == 8);
	end(&b);
}

/* A limit that is over, and a graph that is too large: nothing is found, and it is said why. */
static void limits(void **state)
{
	(void)state;
	struct ground_of b = begin_named("connect_four");
	struct symmetry *s = round_symmetry(b.x, b.w, b.at, &(struct round_options){.max_edges = 100});
	assert_string_equal(s->skipped, "the round is too large");
	assert_int_equal(s->generators, 0);
	symmetry_free(s);
	s = round_symmetry(b.x, b.w, b.at, &(struct round_options){.limit = limit_seconds(-1)});
	assert_string_equal(s->skipped, "out of time");
	symmetry_free(s);
	assert_null(rounds_new(b.g, 10, NULL));
	end(&b);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(known_groups),
		cmocka_unit_test(blocked_lines_do_not_count),
		cmocka_unit_test(what_is_certain_stays),
		cmocka_unit_test(equal_dice),
		cmocka_unit_test(generators_map_solutions),
		cmocka_unit_test(nogoods_are_constraints),
		cmocka_unit_test(limits),
	};
	return RUN(cases);
}

/* Questions about positions: singly, in batches, by two threads, and wrongly asked. */
#include "games.h"

#include <pthread.h>

static const char *const names[] = {"tictactoe",      "connect_four", "breakthrough_6x6", "nim",
                                    "kuhn_poker",     "monty_hall",   "hanoi_3",          "majorities",
                                    "lights_out_3x3", "skirmish"};

enum { POSITIONS = 150, STEPS = 12 };

/* Random positions with a random joint move each; how many there are. */
struct sample {
	uint64_t *positions;
	uint32_t *moves;
	size_t count;
};

static struct sample sample_of(macaw_worker *w, size_t most)
{
	macaw_game *g = macaw_worker_game(w);
	size_t words = macaw_position_words(g), roles = macaw_game_roles(g);
	struct sample s = {calloc(most * words, sizeof(uint64_t)), calloc(most * roles, sizeof(uint32_t)), 0};
	uint64_t *p = copy_of(g, macaw_position_initial(g)), seed = 17;
	for (int step = 0, walks = 0; s.count < most && walks < 1000; step++) {
		memcpy(s.positions + s.count * words, p, words * sizeof *p);
		if (random_step(w, p, s.moves + s.count * roles, &seed)) {
			s.count++;
		} else {
			memcpy(p, macaw_position_initial(g), words * sizeof *p);
			walks++;
		}
	}
	free(p);
	return s;
}

struct answers {
	uint64_t *next, *legal, *seen;
	uint8_t *terminal;
	int *goals;
};

static struct answers answers_for(const macaw_game *g, size_t count)
{
	size_t roles = macaw_game_roles(g);
	return (struct answers){calloc(count * macaw_position_words(g), 8), calloc(count * macaw_legal_words(g), 8),
	                        calloc(count * roles, 8), calloc(count, 1), calloc(count * roles, sizeof(int))};
}

static void free_answers(struct answers *a)
{
	free(a->next);
	free(a->legal);
	free(a->seen);
	free(a->terminal);
	free(a->goals);
}

/* Position i of the answers against what is said of it singly. */
static void compare(macaw_worker *w, const struct answers *a, size_t i, const uint64_t *position)
{
	macaw_game *g = macaw_worker_game(w);
	uint32_t roles = macaw_game_roles(g), listed = 0, set = 0;
	size_t words = macaw_legal_words(g);
	const uint64_t *legal = a->legal + i * words;
	macaw_view v;
	assert_true(macaw_look(w, position, &v));
	assert_int_equal(a->terminal[i], v.terminal);
	assert_memory_equal(a->goals + i * roles, v.goals, roles * sizeof(int));
	for (uint32_t k = 0; k < v.start[roles]; k++, listed++)
		assert_true(legal[v.legal[k] / 64] >> v.legal[k] % 64 & 1);
	for (size_t k = 0; k < words; k++)
		set += (uint32_t)__builtin_popcountll(legal[k]);
	assert_int_equal(listed, set);
	for (uint32_t r = 0; r < roles; r++)
		for (uint32_t k = v.start[r]; k < v.start[r + 1]; k++) {
			assert_int_equal(macaw_game_role_of(g, v.legal[k]), r);
			assert_true(k == v.start[r] || v.legal[k - 1] < v.legal[k]);
		}
}

static void compare_all(const char *name, enum macaw_engine engine, size_t most)
{
	macaw_game *g = game_with(name, engine);
	macaw_worker *w = macaw_worker_new(g, NULL), *single = macaw_worker_new(g, NULL);
	struct sample s = sample_of(w, most);
	struct answers a = answers_for(g, s.count), b = answers_for(g, s.count);
	size_t words = macaw_position_words(g), roles = macaw_game_roles(g);
	macaw_batch there = {
		.positions = s.positions, .count = s.count, .terminal = a.terminal, .goals = a.goals, .legal = a.legal};
	macaw_batch after = {.positions = s.positions,
	                     .moves = s.moves,
	                     .count = s.count,
	                     .next = b.next,
	                     .terminal = b.terminal,
	                     .goals = b.goals,
	                     .legal = b.legal,
	                     .seen = b.seen};
	assert_true(macaw_look_many(w, &there));
	assert_true(macaw_look_many(w, &after));
	uint64_t *next = copy_of(g, macaw_position_initial(g));
	for (size_t i = 0; i < s.count; i++) {
		compare(single, &a, i, s.positions + i * words);
		assert_true(macaw_next(single, s.positions + i * words, s.moves + i * roles, next));
		assert_true(macaw_position_equal(g, next, b.next + i * words));
		compare(single, &b, i, next);
	}
	free(next);
	free_answers(&a);
	free_answers(&b);
	free(s.positions);
	free(s.moves);
	macaw_worker_free(w);
	macaw_worker_free(single);
	macaw_game_free(g);
}

static void many_are_as_one(void **state)
{
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		compare_all(names[i], MACAW_ENGINE_CIRCUIT, test_sample() ? 70 : POSITIONS);
		compare_all(names[i], MACAW_ENGINE_INTERPRETER, STEPS);
	}
}

static void percepts_are_listed_and_hashed(void **state)
{
	macaw_game *g = game_with("kuhn_poker", MACAW_ENGINE_CIRCUIT);
	macaw_worker *w = macaw_worker_new(g, NULL);
	struct sample s = sample_of(w, 40);
	size_t words = macaw_position_words(g), roles = macaw_game_roles(g), seen_ones = 0;
	uint64_t *seen = calloc(s.count * roles, sizeof *seen);
	assert_true(
		macaw_look_many(w, &(macaw_batch){.positions = s.positions, .moves = s.moves, .count = s.count, .seen = seen}));
	for (size_t i = 0; i < s.count; i++) {
		macaw_seen p;
		assert_true(macaw_sees(w, s.positions + i * words, s.moves + i * roles, &p));
		for (uint32_t r = 0; r < roles; r++) {
			assert_int_equal(p.start[r] == p.start[r + 1], seen[i * roles + r] == 0);
			seen_ones += p.start[r + 1] - p.start[r];
			for (uint32_t k = p.start[r]; k < p.start[r + 1]; k++)
				assert_non_null(macaw_game_percept(g, p.percepts[k]));
		}
	}
	assert_true(seen_ones > 0);
	free(seen);
	free(s.positions);
	free(s.moves);
	macaw_worker_free(w);
	macaw_game_free(g);
}

static void wrong_questions(void **state)
{
	macaw_game *g = game_with("tictactoe", MACAW_ENGINE_CIRCUIT);
	macaw_worker *w = macaw_worker_new(g, NULL);
	assert_ptr_equal(macaw_worker_game(w), g);
	uint64_t next[64], seen[2];
	const uint64_t *p = macaw_position_initial(g);
	assert_false(macaw_look_many(w, &(macaw_batch){.positions = p, .count = 1, .next = next}));
	assert_int_equal(macaw_worker_error(w)->status, MACAW_USAGE);
	assert_false(macaw_look_many(w, &(macaw_batch){.positions = p, .count = 1, .seen = seen}));
	assert_true(macaw_look_many(w, &(macaw_batch){0}));
	assert_int_equal(macaw_worker_error(w)->status, MACAW_OK);
	macaw_worker_free(w);
	macaw_worker_free(NULL);
	macaw_game_free(g);
}

/* A counter that the interpreter has to run through for ever. */
static void a_question_that_takes_too_long(void **state)
{
	static const char rules[] =
		"(role a) (init s) (num z) (<= (num (s ?x)) (num ?x)) (<= (legal a go) (num ?x)) (<= (next s) (true s))"
		"(<= terminal (not (true s))) (goal a 50)";
	macaw_error error;
	macaw_rules *r = macaw_rules_parse(rules, strlen(rules), "endless", &error);
	if (macaw_rules_errors(r)) { /* the check sees it coming */
		macaw_rules_free(r);
		return;
	}
	macaw_game *g = macaw_game_make(r, &(macaw_game_options){.engine = MACAW_ENGINE_INTERPRETER}, &error);
	macaw_worker *w = macaw_worker_new(g, NULL);
	macaw_worker_limit(w, (macaw_limit){.seconds = 0.05});
	macaw_view v;
	assert_false(macaw_look(w, macaw_position_initial(g), &v));
	assert_int_equal(macaw_worker_error(w)->status, MACAW_INPUT);
	macaw_worker_free(w);
	macaw_game_free(g);
}

static void a_stopped_worker_says_so(void **state)
{
	macaw_game *g = game_with("chess", MACAW_ENGINE_INTERPRETER);
	macaw_worker *w = macaw_worker_new(g, NULL);
	macaw_stop stop = {0};
	macaw_view v;
	macaw_worker_limit(w, (macaw_limit){.stop = &stop});
	macaw_stop_now(&stop);
	assert_false(macaw_look(w, macaw_position_initial(g), &v));
	assert_true(*macaw_worker_error(w)->text);
	macaw_stop_clear(&stop);
	assert_true(macaw_look(w, macaw_position_initial(g), &v));
	assert_string_equal(macaw_worker_error(w)->text, "");
	macaw_worker_free(w);
	macaw_game_free(g);
}

/* ---- two threads ---- */

struct walker {
	macaw_game *game;
	uint64_t seed, hash; /* of all positions met */
	const char *wrong;
};

static void *walk(void *context)
{
	struct walker *x = context;
	macaw_worker *w = macaw_worker_new(x->game, NULL);
	size_t bytes = macaw_position_words(x->game) * sizeof(uint64_t);
	uint64_t *p = malloc(bytes);
	uint32_t moves[8];
	for (int game = 0; game < 5; game++) {
		memcpy(p, macaw_position_initial(x->game), bytes);
		for (;;) {
			macaw_view v;
			if (!macaw_look(w, p, &v) || v.terminal || !macaw_random_moves(x->game, &v, &x->seed, moves))
				break;
			if (macaw_game_find_move(x->game, 0, macaw_game_move(x->game, moves[0])) != moves[0])
				x->wrong = "a move is not found by its text";
			macaw_next(w, p, moves, p);
			x->hash = x->hash * 31 + macaw_position_hash(x->game, p);
		}
	}
	free(p);
	macaw_worker_free(w);
	return NULL;
}

static void walk_twice(const char *name, enum macaw_engine engine)
{
	struct walker x[2], alone;
	pthread_t threads[2];
	macaw_game *g = game_with(name, engine);
	for (int i = 0; i < 2; i++) {
		x[i] = (struct walker){.game = g, .seed = 3};
		assert_int_equal(pthread_create(&threads[i], NULL, walk, &x[i]), 0);
	}
	for (int i = 0; i < 2; i++) {
		pthread_join(threads[i], NULL);
		assert_null(x[i].wrong);
	}
	alone = (struct walker){.game = g, .seed = 3};
	walk(&alone);
	if (engine == MACAW_ENGINE_CIRCUIT) { /* the interpreter's numbers depend on who meets what first */
		assert_int_equal(x[0].hash, alone.hash);
		assert_int_equal(x[1].hash, alone.hash);
	}
	macaw_game_free(g);
}

static void two_threads_on_one_game(void **state)
{
	walk_twice("connect_four", MACAW_ENGINE_CIRCUIT);
	walk_twice("connect_4x4_3", MACAW_ENGINE_INTERPRETER);
	walk_twice("kuhn_poker", MACAW_ENGINE_INTERPRETER);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(many_are_as_one),          cmocka_unit_test(percepts_are_listed_and_hashed),
		cmocka_unit_test(wrong_questions),          cmocka_unit_test(a_question_that_takes_too_long),
		cmocka_unit_test(a_stopped_worker_says_so), cmocka_unit_test(two_threads_on_one_game),
	};
	return RUN(cases);
}

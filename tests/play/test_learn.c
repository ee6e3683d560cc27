/* Evaluations: a known function of the fluents is learnt, batches agree with single states, counted work can be
 * repeated, values stay in bounds, and games that cannot be learnt are refused. */
#include "test.h"

#include "base/bits.h"
#include "base/rng.h"
#include "play/learn/evaluation.h"

#include <math.h>
#include <string.h>

/* Nine coins are turned up or not, one after another, at random; most of them up: a wins. */
#define COINS \
	"(role a) (role b) (role random)\n" \
	"(init (at 1))\n" \
	"(legal a noop) (legal b noop)\n" \
	"(<= (legal random (show ?x)) (true (at ?n)) (side ?x))\n" \
	"(side up) (side down)\n" \
	"(succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8) (succ 8 9) (succ 9 10)\n" \
	"(<= (next (coin ?n ?x)) (does random (show ?x)) (true (at ?n)))\n" \
	"(<= (next (coin ?n ?x)) (true (coin ?n ?x)))\n" \
	"(<= (next (at ?m)) (true (at ?n)) (succ ?n ?m))\n" \
	"(<= terminal (true (at 10)))\n" \
	"(<= (ups 1 1) (true (coin 1 up)))\n" \
	"(<= (ups 1 0) (true (coin 1 down)))\n" \
	"(plus 0 1) (plus 1 2) (plus 2 3) (plus 3 4) (plus 4 5) (plus 5 6) (plus 6 7) (plus 7 8) (plus 8 9)\n" \
	"(<= (ups ?m ?k) (succ ?n ?m) (ups ?n ?k) (true (coin ?m down)))\n" \
	"(<= (ups ?m ?l) (succ ?n ?m) (ups ?n ?k) (plus ?k ?l) (true (coin ?m up)))\n" \
	"(many 5) (many 6) (many 7) (many 8) (many 9)\n" \
	"(<= most (ups 9 ?k) (many ?k))\n" \
	"(<= (goal a 100) most) (<= (goal a 0) (not most))\n" \
	"(<= (goal b 0) most) (<= (goal b 100) (not most))\n" \
	"(goal random 0)\n"

/* Three players draw a card each, high or low; scores are in the middle, and not opposed. */
#define CARDS \
	"(role a) (role b) (role c) (role random)\n" \
	"(init (step 1))\n" \
	"(legal a noop) (legal b noop) (legal c noop)\n" \
	"(<= (legal random (deal ?x)) (true (step ?n)) (card ?x))\n" \
	"(card low) (card high) (who 1 a) (who 2 b) (who 3 c) (who 4 none) (who 5 none)\n" \
	"(after 1 2) (after 2 3) (after 3 4) (after 4 5) (after 5 6)\n" \
	"(<= (next (has ?p ?x)) (true (step ?n)) (who ?n ?p) (does random (deal ?x)))\n" \
	"(<= (next (has ?p ?x)) (true (has ?p ?x)))\n" \
	"(<= (next (step ?m)) (true (step ?n)) (after ?n ?m))\n" \
	"(<= terminal (true (step 6)))\n" \
	"(<= (goal ?p 70) (role ?p) (true (has ?p high))) (<= (goal ?p 30) (role ?p) (true (has ?p low)))\n" \
	"(<= (goal ?p 0) (role ?p) (not (true (has ?p high))) (not (true (has ?p low))))\n"

/* Two players fill twelve cells, two each in turn; whoever has the first cell wins. */
#define FILL \
	"(role a) (role b) (init (turn 1)) (then 1 2) (then 2 3) (then 3 4) (then 4 1)\n" \
	"(whose 1 a) (whose 2 a) (whose 3 b) (whose 4 b)\n" \
	"(cell 1) (cell 2) (cell 3) (cell 4) (cell 5) (cell 6) (cell 7) (cell 8) (cell 9) (cell 10) (cell 11) (cell 12)\n" \
	"(<= (legal ?r (fill ?c)) (true (turn ?t)) (whose ?t ?r) (cell ?c) (not (full ?c)))\n" \
	"(<= (legal ?r noop) (role ?r) (true (turn ?t)) (not (whose ?t ?r)))\n" \
	"(<= (full ?c) (true (has ?c ?r))) (<= open (cell ?c) (not (full ?c))) (<= terminal (not open))\n" \
	"(<= (next (has ?c ?r)) (does ?r (fill ?c))) (<= (next (has ?c ?r)) (true (has ?c ?r)))\n" \
	"(<= (next (turn ?u)) (true (turn ?t)) (then ?t ?u))\n" \
	"(<= (goal ?r 100) (true (has 1 ?r))) (<= (goal ?r 0) (role ?r) (not (true (has 1 ?r))))\n"

struct made {
	struct gdl_rules *rules;
	struct game *game;
};

static struct made make_game(const char *source, enum game_engine engine)
{
	struct diags d = {0};
	struct text error = {0};
	struct made m;
	m.rules = gdl_read(source, strlen(source), &d);
	gdl_check(m.rules, &d);
	if (d.errors)
		fail_msg("%s", d.all.at[0].message);
	m.game = game_make(m.rules, &(struct game_options){.engine = engine}, &error);
	if (!m.game)
		fail_msg("%s", text_str(&error));
	diag_free(&d);
	text_free(&error);
	return m;
}

static void free_made(struct made *m)
{
	game_free(m->game);
	gdl_free(m->rules);
}

/* The state in which these coins were shown: 'u', 'd'. */
static void show_coins(const struct game *g, const char *coins, uint64_t *state)
{
	char word[32];
	memset(state, 0, g->words * sizeof *state);
	for (int i = 0; coins[i]; i++) {
		snprintf(word, sizeof word, "(coin %d %s)", i + 1, coins[i] == 'u' ? "up" : "down");
		bits_add(state, game_find_fluent(g, word));
	}
	snprintf(word, sizeof word, "(at %d)", (int)strlen(coins) + 1);
	bits_add(state, game_find_fluent(g, word));
}

static void coins_are_counted(void **state)
{
	(void)state;
	struct made m = make_game(COINS, ENGINE_CIRCUIT);
	struct evaluation *e = evaluation_learn(m.game, &(struct evaluation_options){.seed = 3, .playouts = 16384});
	uint64_t s[4];
	assert_non_null(e);
	assert_true(m.game->words <= 4);
	/* the chance of 5 of 9, by Pascal's triangle */
	static const struct {
		const char *coins;
		double value;
	} known[] = {{"uu", 99.0 / 128},   {"dd", 29.0 / 128},   {"uudd", 0.5},      {"uuu", 57.0 / 64},
	             {"ududu", 11.0 / 16}, {"uduud", 11.0 / 16}, {"ddduu", 5.0 / 16}};
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		float v[3];
		show_coins(m.game, known[i].coins, s);
		evaluation_batch(e, s, 1, v);
		assert_true(fabs((double)v[0] - known[i].value) < 0.08);
		assert_true(fabsf(v[0] + v[1] - 1) < 1e-5f && v[2] == 0);
	}
	assert_true(evaluation_worth(e) > 20);
	assert_true(evaluation_skill(e) > 0.3 && evaluation_skill(e) < 1);
	evaluation_free(e);
	free_made(&m);
}

static void scores_in_the_middle_are_learnt(void **state)
{
	(void)state;
	struct made m = make_game(CARDS, ENGINE_CIRCUIT);
	struct evaluation *e = evaluation_learn(m.game, &(struct evaluation_options){.seed = 3, .playouts = 8192});
	uint64_t s[4] = {0};
	float v[4];
	assert_non_null(e);
	bits_add(s, game_find_fluent(m.game, "(has a high)"));
	bits_add(s, game_find_fluent(m.game, "(has b low)"));
	bits_add(s, game_find_fluent(m.game, "(step 3)"));
	evaluation_batch(e, s, 1, v);
	assert_true(fabsf(v[0] - 0.7f) < 0.05f);
	assert_true(fabsf(v[1] - 0.3f) < 0.05f);
	assert_true(fabsf(v[2] - 0.5f) < 0.05f);
	assert_true(v[3] == 0);
	evaluation_free(e);
	free_made(&m);
}

static struct made breakthrough(void)
{
	struct text path = {0}, text = {0}, error = {0};
	text_printf(&path, "%s/breakthrough_6x6.kif", getenv("MACAW_GAMES"));
	assert_true(text_read_file(&text, text_str(&path), (size_t)1 << 20, &error));
	struct made m = make_game(text_str(&text), ENGINE_CIRCUIT);
	text_free(&path);
	text_free(&text);
	return m;
}

#define STATES 200

/* States of a few random matches. */
static uint64_t *some_states(struct game *g)
{
	uint64_t *states = NEW_ARRAY(uint64_t, (size_t)STATES * g->words);
	uint32_t *joint = NEW_ARRAY(uint32_t, g->roles);
	struct worker *w = worker_new(g);
	struct rng rng = rng_seed(1);
	const uint64_t *now = g->initial;
	for (uint32_t i = 0; i < STATES; i++) {
		uint64_t *next = states + (size_t)i * g->words;
		struct view v = game_look(w, now);
		if (v.terminal || !game_random_move(g, &v, &rng, joint))
			memcpy(next, g->initial, g->words * sizeof *next);
		else
			game_next(w, now, joint, next);
		now = next;
	}
	worker_free(w);
	mem_free(joint);
	return states;
}

static void batches_are_single_states(void **state)
{
	(void)state;
	struct made m = breakthrough();
	struct game *g = m.game;
	uint64_t *states = some_states(g);
	float all[STATES * 2], one[2];
	for (int kind = 0; kind < 3; kind++) {
		struct evaluation *e = evaluation_learn(
			g, &(struct evaluation_options){.seed = 3, .playouts = 4096, .plain = kind == 1, .self_play = kind == 2});
		assert_non_null(e);
		evaluation_batch(e, states, STATES, all);
		for (uint32_t i = 0; i < STATES; i++) {
			evaluation_batch(e, states + (size_t)i * g->words, 1, one);
			assert_memory_equal(one, all + (size_t)i * 2, sizeof one);
			assert_true(one[0] >= 0 && one[0] <= 1 && one[1] >= 0 && one[1] <= 1);
			for (uint32_t q = 0; q < 2; q++)
				assert_true(fabs(evaluation_score(e, states + (size_t)i * g->words, q) - 1 - 98 * (double)one[q]) <
				            1e-3);
		}
		evaluation_free(e);
	}
	mem_free(states);
	free_made(&m);
}

static void counted_work_is_the_same_again(void **state)
{
	(void)state;
	struct made m = breakthrough();
	uint64_t *states = some_states(m.game);
	uint32_t moves[] = {0, 1, 2, 3, 4, 5, 6, 7};
	float values[2][STATES * 2], logits[2][8];
	for (int i = 0; i < 2; i++) {
		struct evaluation *e = evaluation_learn(m.game, &(struct evaluation_options){.seed = 9, .playouts = 4096});
		evaluation_batch(e, states, STATES, values[i]);
		move_prior(e, 0, moves, 8, logits[i]);
		evaluation_free(e);
	}
	assert_memory_equal(values[0], values[1], sizeof *values);
	assert_memory_equal(logits[0], logits[1], sizeof *logits);
	mem_free(states);
	free_made(&m);
}

/* What a search says counts more and more, and values never leave their bounds. */
static void learning_goes_on(void **state)
{
	(void)state;
	struct made m = breakthrough();
	struct game *g = m.game;
	uint64_t *states = some_states(g);
	struct evaluation *e = evaluation_learn(g, &(struct evaluation_options){.seed = 9, .playouts = 4096});
	float before[STATES * 2], after[STATES * 2], values[STATES * 2];
	for (uint32_t i = 0; i < STATES; i++) {
		values[2 * i] = 0.95f;
		values[2 * i + 1] = 0.05f;
	}
	evaluation_batch(e, states, STATES, before);
	for (int i = 0; i < 200; i++)
		evaluation_learn_more(e, states, values, NULL, STATES);
	evaluation_batch(e, states, STATES, after);
	double far = 0, near = 0;
	for (uint32_t i = 0; i < STATES * 2; i++) {
		far += fabs((double)(before[i] - values[i]));
		near += fabs((double)(after[i] - values[i]));
		assert_true(after[i] >= 0 && after[i] <= 1);
	}
	assert_true(near < 0.5 * far);
	mem_free(states);
	evaluation_free(e);
	free_made(&m);
}

/* Going forward and taking is better than other moves: the prior knows more than nothing. */
static void moves_are_compared(void **state)
{
	(void)state;
	struct made m = breakthrough();
	struct evaluation *e = evaluation_learn(m.game, &(struct evaluation_options){.seed = 9, .playouts = 8192});
	assert_true(move_prior_skill(e) > 0.2 && move_prior_skill(e) <= 1);
	evaluation_free(e);
	free_made(&m);
}

/* By itself it learns more, and the same again. */
static void matches_against_itself_teach(void **state)
{
	(void)state;
	struct made m = breakthrough();
	struct game *g = m.game;
	uint64_t *states = some_states(g);
	float values[3][STATES * 2];
	for (int i = 0; i < 3; i++) {
		struct evaluation_options o = {.seed = 9, .playouts = 2048, .self_play = i < 2};
		struct evaluation *e = evaluation_learn(g, &o);
		assert_true(i == 2 || evaluation_facts(e).matches > 50);
		evaluation_batch(e, states, STATES, values[i]);
		for (uint32_t k = 0; k < STATES * 2; k++)
			assert_true(values[i][k] >= 0 && values[i][k] <= 1);
		evaluation_free(e);
	}
	assert_memory_equal(values[0], values[1], sizeof *values);
	assert_memory_not_equal(values[0], values[2], sizeof *values);
	mem_free(states);
	free_made(&m);
}

static void what_cannot_be_learnt_is_refused(void **state)
{
	(void)state;
	struct made m = make_game(COINS, ENGINE_INTERPRETER);
	assert_null(evaluation_learn(m.game, &(struct evaluation_options){.playouts = 1000}));
	free_made(&m);
	m = make_game(COINS, ENGINE_CIRCUIT);
	atomic_bool stop = true;
	assert_null(evaluation_learn(m.game, &(struct evaluation_options){.playouts = 1000, .limit = {.stop = &stop}}));
	assert_null(evaluation_learn(m.game, &(struct evaluation_options){.playouts = 3}));
	free_made(&m);
	/* all is over after one step: there is nothing to foretell */
	m = make_game("(role a) (init x) (legal a go) (<= (next y) (does a go)) (<= terminal (true y)) (goal a 100)",
	              ENGINE_CIRCUIT);
	assert_null(evaluation_learn(m.game, &(struct evaluation_options){.playouts = 1000}));
	free_made(&m);
}

/* As many weights as there can be: four kinds of turns, three phases. */
/* Three coins; an even number of them up: a wins. No sum of weights of single coins says anything about it. */
#define PARITY \
	"(role a) (role b) (role random) (init (at 1)) (legal a noop) (legal b noop)\n" \
	"(<= (legal random (show ?x)) (side ?x)) (side up) (side down)\n" \
	"(succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (turned yes no) (turned no yes)\n" \
	"(<= (next (coin ?n ?x)) (does random (show ?x)) (true (at ?n)) (distinct ?n 4))\n" \
	"(<= (next (coin ?n ?x)) (true (coin ?n ?x)))\n" \
	"(<= (next (at ?m)) (true (at ?n)) (succ ?n ?m)) (<= terminal (true (at 5)))\n" \
	"(ups 0 yes) (before 0 1) (before 1 2) (before 2 3)\n" \
	"(<= (ups ?n ?e) (before ?m ?n) (ups ?m ?e) (true (coin ?n down)))\n" \
	"(<= (ups ?n ?e) (before ?m ?n) (ups ?m ?d) (turned ?d ?e) (true (coin ?n up)))\n" \
	"(<= (goal a 100) (ups 3 yes)) (<= (goal a 0) (not (ups 3 yes)))\n" \
	"(<= (goal b 0) (ups 3 yes)) (<= (goal b 100) (not (ups 3 yes))) (goal random 0)\n"

/* The mean error of the values of all eight states with three coins. */
static double parity_missed(struct game *g, int64_t neurons)
{
	struct evaluation_tuning tune = {EVALUATION_TUNING(TUNING_STANDARD)};
	tune.neurons = neurons;
	tune.pairs = 0;
	struct evaluation *e = evaluation_learn(
		g, &(struct evaluation_options){.seed = 4, .playouts = 16384, .self_play = true, .tune = &tune});
	assert_non_null(e);
	uint64_t s[4];
	double missed = 0;
	assert_true(g->words <= 4);
	for (int i = 0; i < 8; i++) {
		char coins[] = {i & 1 ? 'u' : 'd', i & 2 ? 'u' : 'd', i & 4 ? 'u' : 'd', 0};
		float v[3];
		show_coins(g, coins, s);
		evaluation_batch(e, s, 1, v);
		missed += fabs((double)v[0] - !(__builtin_popcount((unsigned)i) % 2)) / 8;
	}
	evaluation_free(e);
	return missed;
}

static void neurons_learn_what_weights_cannot(void **state)
{
	(void)state;
	struct made m = make_game(PARITY, ENGINE_CIRCUIT);
	double with = parity_missed(m.game, 32), without = parity_missed(m.game, 0);
	if (with > 0.1 || without < 0.4)
		fail_msg("missed %.3f with neurons, %.3f without", with, without);
	free_made(&m);
}

static void every_turn_and_phase_has_weights(void **state)
{
	(void)state;
	struct made m = make_game(FILL, ENGINE_CIRCUIT);
	for (int self = 0; self < 2; self++) {
		struct evaluation *e =
			evaluation_learn(m.game, &(struct evaluation_options){.seed = 1, .playouts = 4096, .self_play = self});
		assert_non_null(e);
		assert_int_equal(evaluation_facts(e).movers, 4);
		assert_int_equal(evaluation_facts(e).phases, 3);
		double score[2];
		uint64_t *after = mem_alloc(m.game->words, sizeof *after);
		for (int b = 0; b < 2; b++) {
			memcpy(after, m.game->initial, m.game->words * sizeof *after);
			bits_add(after, game_find_fluent(m.game, b ? "(has 1 b)" : "(has 1 a)"));
			score[b] = evaluation_score(e, after, 1);
		}
		assert_true(score[1] > score[0] + 20);
		mem_free(after);
		evaluation_free(e);
	}
	free_made(&m);
}

/* A game with hidden information has states like any other. */
static void hidden_games_are_learnt_by_their_states(void **state)
{
	(void)state;
	struct made m = make_game(COINS "(<= (sees a up) (does random (show up)))", ENGINE_CIRCUIT);
	struct evaluation *e = evaluation_learn(m.game, &(struct evaluation_options){.seed = 1, .playouts = 4096});
	assert_true(m.game->hidden);
	assert_non_null(e);
	assert_true(evaluation_score(e, m.game->initial, 0) > 30 && evaluation_score(e, m.game->initial, 0) < 70);
	evaluation_free(e);
	free_made(&m);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(coins_are_counted),
		cmocka_unit_test(scores_in_the_middle_are_learnt),
		cmocka_unit_test(batches_are_single_states),
		cmocka_unit_test(counted_work_is_the_same_again),
		cmocka_unit_test(learning_goes_on),
		cmocka_unit_test(moves_are_compared),
		cmocka_unit_test(matches_against_itself_teach),
		cmocka_unit_test(neurons_learn_what_weights_cannot),
		cmocka_unit_test(every_turn_and_phase_has_weights),
		cmocka_unit_test(what_cannot_be_learnt_is_refused),
		cmocka_unit_test(hidden_games_are_learnt_by_their_states),
	};
	return RUN(cases);
}

/* What the strong players are built from: max^n against brute force, the moves counted
 * inside playouts against those reported one by one, and proofs in the tree whose leaves
 * are made many at a time. */
#include "make_game.h"

#include "base/hash.h"

#include "base/bits.h"
#include "play/alphabeta/maxn.h"
#include "play/learn/evaluation.h"
#include "play/mcts/tree.h"

#include <math.h>

/* Three in turn take one or two from a pile. Who takes the last one gets 100, and the
 * next in turn 40 when the last two were taken at once, else the one before. */
#define PILE \
	"(role a) (role b) (role c) (init (pile 9)) (init (turn a))\n" \
	"(<= (legal ?r (take 1)) (true (turn ?r)) (not (true (pile 0))))\n" \
	"(<= (legal ?r (take 2)) (true (turn ?r)) (true (pile ?n)) (less 1 ?n))\n" \
	"(<= (legal ?r noop) (role ?r) (not (true (turn ?r))))\n" \
	"(<= (next (turn ?s)) (true (turn ?r)) (after ?r ?s))\n" \
	"(<= (next (pile ?m)) (true (pile ?n)) (true (turn ?r)) (does ?r (take 1)) (succ ?m ?n))\n" \
	"(<= (next (pile ?m)) (true (pile ?n)) (true (turn ?r)) (does ?r (take 2)) (succ ?m ?k) (succ ?k ?n))\n" \
	"(<= (next (by ?x)) (does ?r (take ?x)))\n" \
	"(<= terminal (true (pile 0)))\n" \
	"(<= (second ?s) (true (turn ?s)) (true (by 2)))\n" \
	"(<= (second ?s) (true (turn ?r)) (after ?r ?s) (true (by 1)))\n" \
	"(<= (goal ?r 100) (true (turn ?s)) (after ?r ?s))\n" \
	"(<= (goal ?r 40) (second ?r)) (<= (goal ?r 0) (role ?r) (not (second ?r)) (true (turn ?s)) (not (after ?r " \
	"?s)))\n" \
	"(after a b) (after b c) (after c a) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)\n" \
	"(succ 6 7) (succ 7 8) (succ 8 9) (less 1 2) (less 1 3) (less 1 4) (less 1 5) (less 1 6) (less 1 7)\n" \
	"(less 1 8) (less 1 9)\n"

static struct seat sit(struct game *g, uint32_t role)
{
	return (struct seat){.game = g, .role = role, .worker = worker_new(g), .rng = rng_seed(3)};
}

static void leave(struct seat *s)
{
	worker_free(s->worker);
	text_free(&s->why);
}

/* Everybody for itself, by hand: one role moves at a time, of equal moves the first. */
static void brute_force(struct game *g, struct worker *w, const uint64_t *state, double *values)
{
	struct view v = game_look(w, state);
	uint32_t joint[8], legal[64], mover = 0, count;
	uint64_t next[8];
	double one[8], best = -1;
	assert_true(g->words <= 8 && g->roles <= 8);
	if (v.terminal) {
		for (uint32_t r = 0; r < g->roles; r++)
			values[r] = v.goals[r];
		return;
	}
	for (uint32_t r = 0; r < g->roles; r++) {
		joint[r] = v.legal[v.start[r]];
		mover = v.start[r + 1] - v.start[r] > 1 ? r : mover;
	}
	count = v.start[mover + 1] - v.start[mover];
	memcpy(legal, v.legal + v.start[mover], count * sizeof *legal);
	for (uint32_t a = 0; a < count; a++) {
		joint[mover] = legal[a];
		game_next(w, state, joint, next);
		brute_force(g, w, next, one);
		if (one[mover] > best) {
			best = one[mover];
			memcpy(values, one, g->roles * sizeof *one);
		}
	}
}

static void maxn_agrees_with_brute_force(void **state)
{
	struct made m = make_game(PILE);
	struct search_options o = {.depth = 100, .playouts = 4, .estimate = ESTIMATE_MIDDLE, .prune = true, .order = true};
	struct budget b = {.playouts = 1000000};
	struct rng rng = rng_seed(9);
	bool differs = false;
	for (int round = 0; round < 40; round++) {
		uint64_t now[8];
		struct worker *w = worker_new(m.game);
		memcpy(now, m.game->initial, m.game->words * sizeof *now);
		for (uint32_t steps = rng_below(&rng, 6); steps; steps--) {
			uint32_t joint[3];
			struct view v = game_look(w, now);
			if (v.terminal || !game_random_move(m.game, &v, &rng, joint))
				break;
			game_next(w, now, joint, now);
		}
		double right[3], found[3];
		brute_force(m.game, w, now, right);
		for (uint32_t role = 0; role < 3 && !game_look(w, now).terminal; role++) {
			struct seat s = sit(m.game, role);
			struct search_result r = maxn_run(&s, &o, NULL, now, &b, found, NULL);
			assert_true(r.exact);
			assert_memory_equal(found, right, sizeof right);
			struct search *paranoid = search_new(&s, &o);
			struct search_result p = search_run(paranoid, &s, now, &b);
			assert_true(p.exact && p.value <= r.value);
			differs |= p.value < r.value;
			search_free(paranoid);
			leave(&s);
		}
		worker_free(w);
	}
	assert_true(differs);
	free_made(&m);
}

struct heard {
	struct game *g;
	VEC(uint32_t) words; /* a playout: start, number of moves, the moves, the goals */
};

static void hear(void *context, size_t start, const uint32_t *moves, uint32_t count, const int *goals)
{
	struct heard *h = context;
	vec_push(&h->words, (uint32_t)start);
	vec_push(&h->words, count);
	for (uint32_t i = 0; i < count; i++)
		vec_push(&h->words, moves[i]);
	for (uint32_t r = 0; r < h->g->roles; r++)
		vec_push(&h->words, (uint32_t)goals[r]);
}

static void hear_steps(void *context, size_t start, const uint32_t *moves, uint32_t steps, const int *goals)
{
	struct heard *h = context;
	bool *made = NEW_ARRAY(bool, h->g->moves + 1);
	struct text name = {0};
	uint32_t count = 0, *list = NEW_ARRAY(uint32_t, h->g->moves + 1);
	for (uint32_t i = 0; i < steps * h->g->roles; i++)
		made[moves[i]] = true;
	for (uint32_t i = 0; i < h->g->moves; i++) {
		name.n = 0;
		game_print_move(h->g, i, &name);
		if (made[i] && strcmp(text_str(&name), "noop") != 0)
			list[count++] = i;
	}
	hear(context, start, list, count, goals);
	text_free(&name);
	mem_free(made);
	mem_free(list);
}

static uint64_t sum_of_playouts(const struct heard *h)
{
	uint64_t sum = 0;
	for (size_t i = 0, n; i < h->words.n; i += n) {
		n = 2 + h->words.at[i + 1] + h->g->roles;
		sum += hash_words(h->words.at + i, n);
	}
	return sum;
}

/* The playouts of a seed are the same, whichever way they are told, as long as no lane plays twice; `noop` is nobody's
 * choice where turns alternate. */
static void moves_are_counted_inside_playouts(void **state)
{
	struct made m = load_game_named("connect_4x4_3");
	struct game *g = m.game;
	struct worker *w = worker_new(g);
	struct rng rng = rng_seed(2);
	struct heard one = {.g = g}, two = {.g = g};
	VEC(uint64_t) starts = {0};
	for (int i = 0; i < 100; i++) { /* states after two moves */
		uint64_t now[8];
		uint32_t joint[2];
		memcpy(now, g->initial, g->words * sizeof *now);
		for (int k = 0; k < 2; k++) {
			struct view v = game_look(w, now);
			assert_true(game_random_move(g, &v, &rng, joint));
			game_next(w, now, joint, now);
		}
		vec_extend(&starts, g->words);
		memcpy(starts.at + starts.n - g->words, now, g->words * sizeof *now);
	}
	struct playout_job job = {.starts = starts.at, .start_count = 100, .playouts = 500, .seed = 4};
	struct playout_result r;
	job.context = &one;
	job.played = hear;
	game_playouts(g, &job, &r);
	playout_result_free(&r);
	job.context = &two;
	job.played = NULL;
	job.report = hear_steps;
	game_playouts(g, &job, &r);
	assert_int_equal(r.playouts, 500);
	playout_result_free(&r);
	size_t n = 0;
	for (size_t i = 0; i < one.words.n; n++)
		i += 2 + one.words.at[i + 1] + g->roles;
	assert_int_equal(n, 500);
	assert_int_equal(one.words.n, two.words.n);
	assert_true(sum_of_playouts(&one) == sum_of_playouts(&two)); /* in any order */
	vec_free(&one.words);
	vec_free(&two.words);
	vec_free(&starts);
	worker_free(w);
	free_made(&m);
}

/* Who wins these is known from three independent searches; the tree must prove it. */
static void wide_trees_prove_values(void **state)
{
	static const struct {
		const char *game;
		double value;
	} known[] = {{"connect_4x4_3", 100}, {"connect_3x3_3", 50}, {"tictactoe", 50}};
	for (size_t i = 0; i < 3; i++)
		for (int bias = 0; bias < 2; bias++) {
			struct made m = load_game_named(known[i].game);
			struct seat s = sit(m.game, 0);
			struct tree_options o = {.c = 0.3,
			                         .leaves = 64,
			                         .playouts = 1,
			                         .threads = 1,
			                         .memory = 256,
			                         .solve = true,
			                         .expand = 8,
			                         .bias = bias * 0.002,
			                         .ref = 50,
			                         .mild = 0.5,
			                         .tune = {TREE_TUNING(TUNING_STANDARD)}};
			struct tree *t = tree_new(&s, &o);
			tree_root(t, &s, m.game->initial);
			tree_run(t, &s, &(struct budget){.playouts = 1500000});
			struct tree_value v = tree_value(t, 0);
			assert_true(v.low >= known[i].value && v.high <= known[i].value);
			tree_free(t);
			leave(&s);
			free_made(&m);
		}
}

/* ---- evaluation --------------------------------------------------------------- */

/* Both walk in turn by one or two; who comes to 12 first wins. */
#define RACE \
	"(role a) (role b) (init (at a 0)) (init (at b 0)) (init (turn a)) (other a b) (other b a)" \
	"(<= (legal ?r (go 1)) (true (turn ?r))) (<= (legal ?r (go 2)) (true (turn ?r)))" \
	"(<= (legal ?r noop) (role ?r) (not (true (turn ?r))))" \
	"(<= (next (turn ?s)) (true (turn ?r)) (other ?r ?s))" \
	"(<= (next (at ?r ?y)) (does ?r (go 1)) (true (at ?r ?x)) (succ ?x ?y))" \
	"(<= (next (at ?r ?z)) (does ?r (go 2)) (true (at ?r ?x)) (succ ?x ?y) (succ ?y ?z))" \
	"(<= (next (at ?r ?x)) (does ?r noop) (true (at ?r ?x)))" \
	"(<= (home ?r) (true (at ?r 12))) (<= (home ?r) (true (at ?r 13)))" \
	"(<= terminal (home ?r)) (<= (goal ?r 100) (home ?r)) (<= (goal ?r 0) (role ?r) (not (home ?r)))" \
	"(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8) (succ 8 9)" \
	"(succ 9 10) (succ 10 11) (succ 11 12) (succ 12 13)"

static void put(struct game *g, uint64_t *state, const char *a, const char *b)
{
	const char *facts[] = {a, b, "(turn a)"};
	memset(state, 0, g->words * sizeof *state);
	for (int i = 0; i < 3; i++) {
		uint32_t f = game_find_fluent(g, facts[i]);
		assert_int_not_equal(f, GAME_NONE);
		bits_add(state, f);
	}
}

static void a_race_is_foretold(void **state)
{
	(void)state;
	struct made m = make_game(RACE);
	struct game *g = m.game;
	struct evaluation *e = evaluation_learn(g, &(struct evaluation_options){.seed = 5, .playouts = 8192});
	uint64_t *s = NEW_ARRAY(uint64_t, g->words);
	assert_non_null(e);
	assert_true(evaluation_skill(e) > 0.2 && evaluation_skill(e) < 1);
	double last = 101;
	static const char *const behind[] = {"(at b 2)", "(at b 5)", "(at b 7)", "(at b 10)"};
	for (int i = 0; i < 4; i++) { /* the further the other one is, the worse */
		put(g, s, "(at a 6)", behind[i]);
		double x = evaluation_score(e, s, 0);
		assert_true(x < last);
		assert_true(x + evaluation_score(e, s, 1) > 90 && x + evaluation_score(e, s, 1) < 110);
		assert_true(i || x > 75);
		last = x;
	}
	assert_true(last < 25);
	/* by count it is the same again */
	struct evaluation *again = evaluation_learn(g, &(struct evaluation_options){.seed = 5, .playouts = 8192});
	assert_true(evaluation_score(again, s, 0) == evaluation_score(e, s, 0));
	evaluation_free(again);
	evaluation_free(e);
	mem_free(s);
	free_made(&m);
}

struct judged {
	const struct game *g;
	uint32_t times, steps;
};

/* After n steps of the race the places add up to n at least and 2n at most. */
static void check_judged(void *context, size_t start, const uint64_t *state, double *values)
{
	struct judged *j = context;
	struct text t = {0};
	unsigned sum = 0, x;
	char who;
	assert_int_equal(start, 0);
	BITS_EACH (f, state, j->g->fluents) {
		t.n = 0;
		game_print_fluent(j->g, (uint32_t)f, &t);
		if (sscanf(text_str(&t), "(at %c %u)", &who, &x) == 2)
			sum += x;
	}
	assert_true(sum >= j->steps && sum <= 2 * j->steps);
	text_free(&t);
	j->times++;
	values[0] = 25.5;
	values[1] = 74.5;
}

static void cut_playouts_are_judged(void **state)
{
	(void)state;
	struct made m = make_game(RACE);
	struct game *g = m.game;
	static const uint32_t cuts[] = {0, 1, 5, 13, 40};
	for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
		struct judged j = {g, 0, cuts[i]};
		struct playout_result r;
		game_playouts(
			g, &(struct playout_job){.playouts = 1000, .seed = 2, .judge = check_judged, .cut = cuts[i], .context = &j},
			&r);
		assert_int_equal(r.playouts, 1000);
		assert_int_equal(r.counts[0], 1000);
		assert_true(r.longest <= cuts[i]);
		/* nobody is home in less than 11 steps; everybody is in 24 */
		if (cuts[i] < 11)
			assert_int_equal(j.times, 1000);
		if (cuts[i] == 13)
			assert_true(j.times > 0 && j.times < 1000);
		if (cuts[i] == 40)
			assert_int_equal(j.times, 0);
		assert_true(fabs(r.sum[0] - 25.5 * j.times - 100.0 * (double)r.wins[0]) < 1e-6);
		assert_true(fabs(r.sum[0] + r.sum[1] - 100000) < 1e-6);
		playout_result_free(&r);
	}
	free_made(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(maxn_agrees_with_brute_force), cmocka_unit_test(moves_are_counted_inside_playouts),
		cmocka_unit_test(wide_trees_prove_values),      cmocka_unit_test(a_race_is_foretold),
		cmocka_unit_test(cut_playouts_are_judged),
	};
	return RUN(tests);
}

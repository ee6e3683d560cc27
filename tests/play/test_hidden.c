/* Hidden information: beliefs against brute force, strategies against an exact best
 * response, and views that keep what they must. */
#include "make_game.h"

#include "match/referee.h"
#include "play/belief.h"
#include "play/mccfr.h"
#include "play/player.h"

#include <math.h>

/* ---- a random match as one role lives it ------------------------------------------------------ */

struct life {
	struct game *g;
	struct worker *w;
	uint32_t role, steps;
	VEC(uint32_t) own;       /* moves */
	VEC(uint64_t) seen;      /* hashes of percepts */
	VEC(uint32_t) percepts, percept_start;
	VEC(uint64_t) states; /* the truth */
	VEC(uint32_t) legal, legal_start;
};

static void note_legal(struct life *x, const struct view *v)
{
	vec_push(&x->legal_start, (uint32_t)x->legal.n);
	for (uint32_t i = v->start[x->role]; i < v->start[x->role + 1]; i++)
		vec_push(&x->legal, v->legal[i]);
}

/* Steps of random play, fewer when the match ends before. */
static struct life live(struct game *g, uint32_t role, uint32_t steps, uint64_t seed)
{
	struct life x = {.g = g, .w = worker_new(g), .role = role};
	struct rng rng = rng_seed(seed);
	uint32_t joint[g->roles];
	uint64_t state[g->words];
	memcpy(state, g->initial, sizeof state);
	for (;; x.steps++) {
		struct view v = game_look(x.w, state);
		if (v.terminal || !game_random_move(g, &v, &rng, joint))
			break;
		note_legal(&x, &v);
		for (uint32_t i = 0; i < g->words; i++)
			vec_push(&x.states, state[i]);
		if (x.steps == steps)
			break;
		struct percepts p = game_sees(x.w, state, joint);
		vec_push(&x.own, joint[role]);
		vec_push(&x.seen, game_seen_hash(p.seen + p.start[role], p.start[role + 1] - p.start[role]));
		vec_push(&x.percept_start, (uint32_t)x.percepts.n);
		for (uint32_t i = p.start[role]; i < p.start[role + 1]; i++)
			vec_push(&x.percepts, p.seen[i]);
		game_next(x.w, state, joint, state);
	}
	vec_push(&x.percept_start, (uint32_t)x.percepts.n);
	vec_push(&x.legal_start, (uint32_t)x.legal.n);
	x.steps = (uint32_t)(x.states.n / g->words) - 1;
	return x;
}

static struct turn turn_of(const struct life *x, uint32_t step)
{
	struct turn t = {.step = step, .own_last = GAME_NONE, .legal = x->legal.at + x->legal_start.at[step]};
	t.legal_count = x->legal_start.at[step + 1] - x->legal_start.at[step];
	if (step) {
		t.own_last = x->own.at[step - 1];
		t.seen = x->percepts.at + x->percept_start.at[step - 1];
		t.seen_count = x->percept_start.at[step] - x->percept_start.at[step - 1];
	}
	return t;
}

static void free_life(struct life *x)
{
	worker_free(x->w);
	vec_free(&x->own);
	vec_free(&x->seen);
	vec_free(&x->percepts);
	vec_free(&x->percept_start);
	vec_free(&x->states);
	vec_free(&x->legal);
	vec_free(&x->legal_start);
}

static struct belief *tell_all(const struct life *x, struct rng *rng, const struct belief_options *o)
{
	struct belief *b = belief_new(x->g, x->role, o);
	for (uint32_t step = 0; step <= x->steps; step++) {
		struct turn t = turn_of(x, step);
		assert_true(belief_tell(b, x->w, rng, &t, NULL));
	}
	return b;
}

/* ---- brute force: all histories, one by one ------------------------------------------------------ */

struct posterior {
	VEC(uint64_t) states;
	VEC(double) p;
	double total;
};

static size_t find_state(const struct posterior *q, const uint64_t *state, uint32_t words)
{
	for (size_t i = 0; i < q->p.n; i++)
		if (!memcmp(q->states.at + i * words, state, words * sizeof *state))
			return i;
	return SIZE_MAX;
}

static void brute(const struct life *x, const uint64_t *state, uint32_t step, double p, struct posterior *q)
{
	struct game *g = x->g;
	struct worker *w = worker_new(g);
	struct view v = game_look(w, state);
	uint32_t roles = g->roles, n = v.start[roles], legal[n + 1], start[roles + 1], joint[roles];
	uint64_t next[g->words], all = 1;
	memcpy(legal, v.legal, n * sizeof *legal);
	memcpy(start, v.start, sizeof start);
	bool same = !v.terminal && start[x->role + 1] - start[x->role] == turn_of(x, step).legal_count &&
	            !memcmp(legal + start[x->role], turn_of(x, step).legal, turn_of(x, step).legal_count * sizeof *legal);
	if (same && step == x->steps) {
		size_t at = find_state(q, state, g->words);
		q->total += p;
		if (at != SIZE_MAX) {
			q->p.at[at] += p;
		} else {
			vec_push(&q->p, p);
			for (uint32_t i = 0; i < g->words; i++)
				vec_push(&q->states, state[i]);
		}
	} else if (same) {
		for (uint32_t r = 0; r < roles; r++)
			all *= r == x->role ? 1 : start[r + 1] - start[r];
		for (uint64_t i = 0; i < all; i++) {
			uint64_t rest = i;
			for (uint32_t r = 0; r < roles; r++) {
				uint32_t k = start[r + 1] - start[r];
				joint[r] = r == x->role ? x->own.at[step] : legal[start[r] + rest % k];
				rest /= r == x->role ? 1 : k;
			}
			struct percepts seen = game_sees(w, state, joint);
			if (game_seen_hash(seen.seen + seen.start[x->role], seen.start[x->role + 1] - seen.start[x->role]) !=
			    x->seen.at[step])
				continue;
			game_next(w, state, joint, next);
			brute(x, next, step + 1, p / (double)all, q);
		}
	}
	worker_free(w);
}

static struct posterior posterior_of(const struct life *x)
{
	struct posterior q = {0};
	brute(x, x->g->initial, 0, 1, &q);
	for (size_t i = 0; i < q.p.n; i++)
		q.p.at[i] /= q.total;
	return q;
}

static void free_posterior(struct posterior *q)
{
	vec_free(&q->states);
	vec_free(&q->p);
}

static void exact_is_exact(const char *name, uint32_t role, uint32_t steps, uint64_t seed, bool views)
{
	struct made m = load_game_named(name);
	struct life x = live(m.game, role, steps, seed);
	struct posterior q = posterior_of(&x);
	struct rng rng = rng_seed(1);
	struct belief *b = tell_all(&x, &rng, &(struct belief_options){.views = views});
	double *sum = NEW_ARRAY(double, q.p.n);
	assert_true(belief_exact(b));
	for (size_t i = 0; i < belief_count(b); i++) {
		size_t at = find_state(&q, belief_state(b, i), m.game->words);
		assert_true(at != SIZE_MAX);
		sum[at] += belief_weight(b, i);
	}
	for (size_t i = 0; i < q.p.n; i++)
		assert_float_equal(sum[i], q.p.at[i], 1e-9);
	if (!views)
		assert_int_equal(belief_count(b), q.p.n);
	mem_free(sum);
	belief_free(b);
	free_posterior(&q);
	free_life(&x);
	free_made(&m);
}

static void exact_beliefs(void **state)
{
	(void)state;
	exact_is_exact("monty_hall", 0, 3, 1, false);
	exact_is_exact("kuhn_poker", 0, 2, 2, true);
	exact_is_exact("kuhn_poker", 1, 2, 3, false);
	for (uint64_t seed = 1; seed <= 4; seed++) {
		exact_is_exact("phantom_tictactoe", 0, 4, seed, false);
		exact_is_exact("phantom_tictactoe", 1, 4, seed, true);
	}
	exact_is_exact("vacuum_cleaner", 0, 3, 1, false);
}

/* The normal quantile above which a chi-squared value of k degrees lies (Wilson and
 * Hilferty 1931). */
static double surprise(double chi, double k)
{
	return (cbrt(chi / k) - (1 - 2 / (9 * k))) / sqrt(2 / (9 * k));
}

/* Independent crowds, one draw from each, against the true distribution. */
static void sampled_is_fair(struct game *g, uint32_t role, uint32_t steps, uint64_t seed, uint32_t draws)
{
	struct life x = live(g, role, steps, seed);
	struct posterior q = posterior_of(&x);
	double *count = NEW_ARRAY(double, q.p.n), chi = 0;
	struct rng rng = rng_seed(seed + 100);
	for (uint32_t i = 0; i < draws; i++) {
		struct belief *b = tell_all(&x, &rng, &(struct belief_options){.pairs = 1, .samples = 100});
		assert_false(belief_exact(b));
		if (i % 2)
			belief_renew(b, x.w, &rng, NULL);
		size_t at = find_state(&q, belief_state(b, belief_draw(b, &rng)), g->words);
		assert_true(at != SIZE_MAX);
		count[at]++;
		belief_free(b);
	}
	for (size_t i = 0; i < q.p.n; i++)
		chi += (count[i] - draws * q.p.at[i]) * (count[i] - draws * q.p.at[i]) / (draws * q.p.at[i]);
	if (q.p.n > 1 && surprise(chi, (double)q.p.n - 1) > 3.5)
		fail_msg("chi-squared %.1f of %zu states", chi, q.p.n);
	mem_free(count);
	free_posterior(&q);
	free_life(&x);
}

/* Four chance moves of three values, then two checks that few histories survive: the
 * first says whether a and b are equal, the second which of c and d is larger; and the
 * number of moves open to chance depends on what it did before, so that histories
 * differ in weight. */
#define CHECKS \
	"(role p) (role random) (init (step 0)) (val 1) (val 2) (val 3)\n" \
	"(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)\n" \
	"(<= (legal p noop))\n" \
	"(<= (legal random (pick ?s ?v)) (true (step ?s)) (early ?s) (val ?v) (not (closed ?s ?v)))\n" \
	"(<= (closed 2 3) (true (took 1 1))) (<= (closed 2 2) (true (took 1 1)))\n" \
	"(<= (legal random noop) (true (step ?s)) (not (early ?s))) (early 0) (early 1) (early 2) (early 3)\n" \
	"(<= (next (step ?t)) (true (step ?s)) (succ ?s ?t))\n" \
	"(<= (next (took ?s ?v)) (does random (pick ?s ?v))) (<= (next (took ?s ?v)) (true (took ?s ?v)))\n" \
	"(<= (sees p equal) (true (step 4)) (true (took 0 ?v)) (true (took 1 ?v)))\n" \
	"(<= (sees p larger) (true (step 4)) (true (took 2 ?v)) (true (took 3 ?u)) (more ?v ?u))\n" \
	"(more 2 1) (more 3 1) (more 3 2) (<= terminal (true (step 6))) (goal p 0) (goal random 0)\n"

static void fair_samples(void **state)
{
	(void)state;
	struct made m = load_game_named("phantom_tictactoe");
	sampled_is_fair(m.game, 0, 4, 2, 600);
	sampled_is_fair(m.game, 1, 4, 3, 600);
	free_made(&m);
	m = load_game_named("kuhn_poker");
	sampled_is_fair(m.game, 0, 1, 1, 1000);
	free_made(&m);
	m = make_game(CHECKS);
	for (uint64_t seed = 1; seed <= 4; seed++)
		sampled_is_fair(m.game, 0, 5, seed, 1000);
	free_made(&m);
}

/* A code of eight digits of which nothing is told before the end, and then half of it:
 * no history grown blindly survives, and the belief must not be empty all the same. */
#define SECRET \
	"(role p) (role random) (init (step 0)) (val 0) (val 1) (val 2) (val 3) (val 4) (val 5) (val 6) (val 7)\n" \
	"(val 8) (val 9) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8)\n" \
	"(succ 8 9) (succ 9 10) (<= (legal p noop)) (<= early (true (step ?s)) (succ ?s ?t) (succ ?t ?u) (succ ?u ?v))\n" \
	"(<= (legal random (pick ?s ?v)) (true (step ?s)) early (val ?v)) (<= (legal random noop) (not early))\n" \
	"(<= (next (step ?t)) (true (step ?s)) (succ ?s ?t))\n" \
	"(<= (next (took ?s ?v)) (does random (pick ?s ?v))) (<= (next (took ?s ?v)) (true (took ?s ?v)))\n" \
	"(<= (sees p (digit ?s ?v)) (true (step 8)) (true (took ?s ?v)) (told ?s)) (told 0) (told 2) (told 4) (told 6)\n" \
	"(<= terminal (true (step 10))) (goal p 0) (goal random 0)\n"

static void never_empty(void **state)
{
	(void)state;
	struct made m = make_game(SECRET);
	struct life x = live(m.game, 0, 9, 1);
	assert_int_equal(x.steps, 9);
	struct rng rng = rng_seed(1);
	struct belief *b = tell_all(&x, &rng, &(struct belief_options){.pairs = 1000, .samples = 200});
	assert_false(belief_exact(b));
	assert_true(belief_count(b) > 0);
	/* every one of them shows the digits that were told */
	for (size_t i = 0; i < belief_count(b); i++) {
		struct text name = {0};
		for (uint32_t k = 0; k < x.percepts.n; k++) {
			name.n = 0;
			game_print_percept(m.game, x.percepts.at[k], &name);
			char *digits = strstr(text_str(&name), "digit");
			assert_non_null(digits);
			struct text fluent = {0};
			text_printf(&fluent, "(took %.3s)", digits + strlen("digit") + 1);
			uint32_t f = game_find_fluent(m.game, text_str(&fluent));
			assert_int_not_equal(f, GAME_NONE);
			assert_true(belief_state(b, i)[f / 64] >> (f % 64) & 1);
			text_free(&fluent);
		}
		text_free(&name);
	}
	belief_free(b);
	free_life(&x);
	free_made(&m);
}

/* Whole random matches, sampled from the first turn on: never empty, and a state in
 * hand always gives the moves that one has. */
static void lasts_whole_matches(void **state)
{
	(void)state;
	const char *names[] = {"phantom_tictactoe", "latent_tictactoe", "wumpus", "mastermind"};
	for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
		struct made m = load_game_named(names[k]);
		struct life x = live(m.game, 0, 40, k + 5);
		struct rng rng = rng_seed(k);
		struct belief *b = tell_all(&x, &rng, &(struct belief_options){.pairs = 300, .samples = 50, .views = true});
		for (size_t i = 0; i < belief_count(b); i++) {
			struct view v = game_look(x.w, belief_state(b, i));
			struct turn t = turn_of(&x, x.steps);
			assert_false(v.terminal);
			assert_int_equal(v.start[1] - v.start[0], t.legal_count);
			assert_memory_equal(v.legal + v.start[0], t.legal, t.legal_count * sizeof *t.legal);
		}
		belief_free(b);
		free_life(&x);
		free_made(&m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exact_beliefs),
		cmocka_unit_test(fair_samples),
		cmocka_unit_test(never_empty),
		cmocka_unit_test(lasts_whole_matches),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

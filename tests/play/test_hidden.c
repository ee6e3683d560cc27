/* Hidden information: beliefs against brute force, strategies against an exact best
 * response, and views that keep what they must. */
#include "make_game.h"

#include "base/hash.h"
#include "match/referee.h"
#include "play/hidden/belief.h"
#include "play/hidden/mccfr.h"
#include "play/player.h"

#include <math.h>

/* ---- a random match as one role lives it ------------------------------------------------------ */

struct life {
	struct game *g;
	struct worker *w;
	uint32_t role, steps;
	VEC(uint32_t) own;  /* moves */
	VEC(uint64_t) seen; /* hashes of percepts */
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
	SCRATCH(uint32_t, joint, g->roles);
	SCRATCH(uint64_t, state, g->words);
	memcpy(state, g->initial, g->words * sizeof *state);
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
		assert_true(belief_observe(b, x->w, rng, &t, NULL));
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
	uint32_t roles = g->roles, n = v.start[roles];
	SCRATCH(uint32_t, legal, n + 1);
	SCRATCH(uint32_t, start, roles + 1);
	SCRATCH(uint32_t, joint, roles);
	uint64_t all = 1;
	SCRATCH(uint64_t, next, g->words);
	memcpy(legal, v.legal, n * sizeof *legal);
	memcpy(start, v.start, (roles + 1) * sizeof *start);
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

/* ---- strategies --------------------------------------------------------------------------------- */

/* Expected score of `role` when the roles follow `p`, by walking every history. */
struct profile {
	struct game *g;
	const struct mccfr *average;
	uint32_t pure;               /* this role plays a pure strategy instead, */
	VEC(uint64_t) views;         /* an action for each of its views, */
	VEC(uint32_t) action, count; /* found on the way */
};

static uint32_t pure_action(struct profile *f, uint64_t view, uint32_t count)
{
	for (size_t i = 0; i < f->views.n; i++)
		if (f->views.at[i] == view)
			return f->action.at[i];
	vec_push(&f->views, view);
	vec_push(&f->action, 0);
	vec_push(&f->count, count);
	return 0;
}

static double expect(struct profile *f, uint32_t role, const uint64_t *state, const uint64_t *views)
{
	struct game *g = f->g;
	struct worker *w = worker_new(g);
	struct view v = game_look(w, state);
	uint32_t roles = g->roles, n = v.start[roles];
	SCRATCH(uint32_t, start, roles + 1);
	SCRATCH(uint32_t, legal, n + 1);
	SCRATCH(uint32_t, joint, roles);
	double value = v.goals[role];
	SCRATCH(double, p, n + 1); /* beside `legal` */
	if (!v.terminal) {
		uint64_t all = 1;
		SCRATCH(uint64_t, next, g->words);
		SCRATCH(uint64_t, after, roles);
		memcpy(start, v.start, (roles + 1) * sizeof *start);
		memcpy(legal, v.legal, n * sizeof *legal);
		value = 0;
		for (uint32_t r = 0; r < roles; r++) {
			uint32_t k = start[r + 1] - start[r];
			all *= k;
			for (uint32_t a = 0; a < k; a++)
				p[start[r] + a] = 1.0 / k;
			if (k > 1 && r == f->pure) {
				uint32_t taken = pure_action(f, views[r], k);
				for (uint32_t a = 0; a < k; a++)
					p[start[r] + a] = a == taken;
			} else if (k > 1 && r != g->random) {
				mccfr_policy(f->average, views[r], k, p + start[r]);
			}
		}
		for (uint64_t j = 0; j < all; j++) {
			uint64_t rest = j;
			double q = 1;
			for (uint32_t r = 0; r < roles; r++) {
				uint32_t k = start[r + 1] - start[r];
				joint[r] = legal[start[r] + rest % k];
				q *= p[start[r] + rest % k];
				rest /= k;
			}
			if (q <= 0)
				continue;
			struct percepts seen = game_sees(w, state, joint);
			for (uint32_t r = 0; r < roles; r++)
				after[r] = view_after(views[r], joint[r],
				                      game_seen_hash(seen.seen + seen.start[r], seen.start[r + 1] - seen.start[r]));
			game_next(w, state, joint, next);
			value += q * expect(f, role, next, after);
		}
	}
	worker_free(w);
	return value;
}

static double expect_from_start(struct profile *f, uint32_t role)
{
	SCRATCH(uint64_t, views, f->g->roles);
	for (uint32_t r = 0; r < f->g->roles; r++)
		views[r] = view_start(r);
	return expect(f, role, f->g->initial, views);
}

/* The best of all pure strategies of a role, tried one after the other. */
static double brute_best_response(struct game *g, const struct mccfr *c, uint32_t role)
{
	struct profile f = {.g = g, .average = c, .pure = role};
	double best = -1;
	for (;;) {
		double x = expect_from_start(&f, role);
		best = x > best ? x : best;
		size_t i = 0;
		for (; i < f.action.n && ++f.action.at[i] == f.count.at[i]; i++)
			f.action.at[i] = 0;
		if (i == f.action.n)
			break;
	}
	vec_free(&f.views);
	vec_free(&f.action);
	vec_free(&f.count);
	return best;
}

static void kuhn_is_nearly_solved(void **state)
{
	(void)state;
	struct made m = load_game_named("kuhn_poker");
	struct seat s = {.game = m.game, .worker = worker_new(m.game), .rng = rng_seed(5)};
	struct mccfr *c = mccfr_new(&s);
	assert_true(mccfr_whole(c));
	mccfr_run(c, &s, &(struct budget){.playouts = 100000});
	double alice = brute_best_response(m.game, c, 0), bob = brute_best_response(m.game, c, 1);
	/* a coin is worth 25 points, 50 points are none */
	double exploitability = (alice + bob - 100) / 25 / 2, value = (mccfr_value(c, 0) - 50) / 25;
	struct profile f = {.g = m.game, .average = c, .pure = GAME_NONE};
	print_message("Kuhn poker after 100000 iterations: exploitability %.5f, value %.5f\n", exploitability, value);
	assert_true(exploitability >= 0 && exploitability < 0.005);
	assert_float_equal(value, -1.0 / 18, 0.002);
	assert_float_equal(mccfr_value(c, 0), expect_from_start(&f, 0), 1e-9);
	assert_float_equal(mccfr_best_response(c, 0), alice, 1e-9);
	assert_float_equal(mccfr_best_response(c, 1), bob, 1e-9);
	mccfr_free(c);
	worker_free(s.worker);
	text_free(&s.why);
	free_made(&m);
}

/* ---- the value of information -------------------------------------------------------------------- */

/* A coin lies under one of two cups. Guess at once, or look first, which costs a fifth
 * of the prize; then guess. Looking is worth 80, guessing 50. */
#define LOOK \
	"(role p) (role random) (init (phase hide)) (cup left) (cup right)\n" \
	"(<= (legal random (hide ?c)) (true (phase hide)) (cup ?c)) (<= (legal random noop) (not (true (phase hide))))\n" \
	"(<= (legal p noop) (true (phase hide))) (<= (legal p look) (true (phase first)))\n" \
	"(<= (legal p (guess ?c)) (true (phase first)) (cup ?c)) (<= (legal p (guess ?c)) (true (phase second)) (cup " \
	"?c))\n" \
	"(<= (next (phase first)) (true (phase hide))) (<= (next (phase second)) (does p look))\n" \
	"(<= (next (coin ?c)) (does random (hide ?c))) (<= (next (coin ?c)) (true (coin ?c)))\n" \
	"(<= (next looked) (does p look)) (<= (next looked) (true looked))\n" \
	"(<= (next (phase done)) (does p (guess ?c))) (<= (next right) (does p (guess ?c)) (true (coin ?c)))\n" \
	"(<= (sees p (under ?c)) (does p look) (true (coin ?c))) (<= terminal (true (phase done)))\n" \
	"(<= (goal p 100) (true right) (not (true looked))) (<= (goal p 80) (true right) (true looked))\n" \
	"(<= (goal p 0) (not (true right))) (goal random 0)\n"

/* The mean score over matches under the referee. */
static double mean_score(struct game *g, const char *player, uint32_t matches, uint64_t playouts)
{
	double sum = 0;
	for (uint32_t i = 0; i < matches; i++) {
		struct contestant by_role[8] = {0};
		struct player *players[8] = {0};
		struct text error = {0};
		struct match m;
		for (uint32_t r = 0; r < g->roles; r++)
			if (r != g->random) {
				players[r] = player_make(g, r, player, i * 7 + r, &error);
				assert_non_null(players[r]);
				by_role[r] = contestant_of(players[r]);
			}
		referee_play(&m, g, by_role, &(struct referee_options){.playouts = playouts, .seed = i + 1, .max_steps = 1000});
		assert_true(m.terminal);
		for (uint32_t r = 0; r < g->roles; r++) {
			assert_true(r == g->random || (!m.illegal[r] && !m.late[r]));
			sum += r == (g->random == 0) ? m.goals[r] : 0;
			player_free(players[r]);
		}
		match_free(&m);
		text_free(&error);
	}
	return sum / matches;
}

static void looking_pays(void **state)
{
	(void)state;
	struct made m = make_game(LOOK);
	const char *who[] = {"ismcts", "macaw", "cfr"};
	for (size_t i = 0; i < 3; i++) /* 80 in every match; cfr may still be unsure now and then */
		assert_true(mean_score(m.game, who[i], 30, 3000) >= (i < 2 ? 79.9 : 74));
	free_made(&m);
}

static void monty_hall_switches(void **state)
{
	(void)state;
	struct made m = load_game_named("monty_hall");
	const char *who[] = {"ismcts", "macaw", "cfr", "uct"};
	for (size_t i = 0; i < sizeof who / sizeof *who; i++) {
		double mean = mean_score(m.game, who[i], 300, 500);
		if (mean < 56 || mean > 77) /* four standard deviations, and staying gives 33 */
			fail_msg("%s: %.1f", who[i], mean);
	}
	free_made(&m);
}

/* Every player finishes a match of a game that hides something. */
static void everybody_plays(void **state)
{
	(void)state;
	struct made m = load_game_named("phantom_tictactoe");
	for (size_t i = 0; player_kinds[i]; i++)
		mean_score(m.game, player_kinds[i]->name, 1, 100);
	free_made(&m);
}

/* ---- views ---------------------------------------------------------------------------------------- */

struct spy {
	struct game *g;
	uint32_t role, turns;
};

static uint32_t spy_moves(void *self, const struct turn *t, const struct budget *b, struct text *why)
{
	struct spy *x = self;
	(void)b;
	(void)why;
	assert_null(t->state);
	assert_null(t->last);
	for (uint32_t i = 0; i < t->legal_count; i++)
		assert_int_equal(game_role_of(x->g, t->legal[i]), x->role);
	assert_true(t->step ? game_role_of(x->g, t->own_last) == x->role : t->own_last == GAME_NONE);
	x->turns++;
	return t->legal[0];
}

/* The referee gives no state to anybody, and keeps the truth in the record. */
static void nothing_leaks(void **state)
{
	(void)state;
	const char *names[] = {"kuhn_poker", "phantom_tictactoe", "war", "monty_hall"};
	for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
		struct made made = load_game_named(names[k]);
		struct game *g = made.game;
		struct spy spies[3];
		struct contestant by_role[3];
		struct match m;
		for (uint32_t r = 0; r < g->roles; r++) {
			spies[r] = (struct spy){g, r, 0};
			by_role[r] = (struct contestant){.self = &spies[r], .move = spy_moves};
		}
		referee_play(&m, g, by_role, &(struct referee_options){.playouts = 1, .seed = 3, .max_steps = 1000});
		assert_true(m.terminal);
		assert_int_equal(m.states.n, (m.steps + 1) * g->words);
		assert_int_equal(m.moves.n, m.steps * g->roles);
		for (uint32_t r = 0; r < g->roles; r++)
			assert_int_equal(spies[r].turns, r == g->random ? 0 : m.steps);
		match_free(&m);
		free_made(&made);
	}
}

/* Two worlds that look the same to a role get the same moves from it: what it does
 * cannot depend on what it does not know. */
static void same_view_same_move(void **state)
{
	(void)state;
	struct made m = load_game_named("kuhn_poker");
	const char *who[] = {"ismcts", "macaw", "uct", "cfr"};
	for (size_t i = 0; i < sizeof who / sizeof *who; i++)
		for (uint64_t seed = 1; seed < 4; seed++) {
			struct life x = live(m.game, 0, 1, seed);
			uint32_t moves[2];
			for (int twice = 0; twice < 2; twice++) {
				struct text error = {0};
				struct player *p = player_make(m.game, 0, who[i], 9, &error);
				for (uint32_t step = 0; step <= x.steps; step++) {
					struct turn t = turn_of(&x, step);
					moves[twice] = player_move(p, &t, &(struct budget){.playouts = 300}).move;
				}
				player_free(p);
				text_free(&error);
			}
			assert_int_equal(moves[0], moves[1]);
			free_life(&x);
		}
	free_made(&m);
}

/* ---- other worlds, the same view ------------------------------------------------------------------- */

/* What a role knew when it moved, the truth, and what it did. */
struct deed {
	uint64_t view, truth;
	uint32_t role, step, move;
};

typedef VEC(struct deed) deed_list;

static void note_deeds(struct game *g, struct worker *w, const struct match *m, deed_list *to)
{
	uint64_t views[8] = {0};
	for (uint32_t step = 0; step < m->steps; step++) {
		const uint64_t *at = m->states.at + (size_t)step * g->words;
		uint32_t joint[8];
		for (uint32_t r = 0; r < g->roles; r++)
			joint[r] = m->moves.at[(size_t)step * g->roles + r].move;
		struct percepts p = game_sees(w, at, joint);
		for (uint32_t r = 0; r < g->roles; r++) {
			if (r == g->random)
				continue;
			struct deed d = {views[r], game_hash(g, at), r, step, joint[r]};
			vec_push(to, d);
			uint64_t seen = game_seen_hash(p.seen + p.start[r], p.start[r + 1] - p.start[r]);
			views[r] = hash_join(hash_join(views[r], joint[r]), seen);
		}
	}
}

/* Whole matches under the referee in which chance does this and that: whenever a role knows
 * the same it does the same, whatever the truth is. The players have the same seed in all of
 * them and think as long. */
static void other_worlds_do_not_show(void **state)
{
	(void)state;
	static const char *const names[] = {"kuhn_poker", "monty_hall"};
	for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
		struct made made = load_game_named(names[k]);
		struct game *g = made.game;
		struct worker *w = worker_new(g);
		for (size_t i = 0; player_kinds[i]; i++) {
			deed_list deeds = {0};
			size_t other_truths = 0;
			for (uint64_t seed = 1; seed <= 10; seed++) {
				struct contestant by_role[8] = {0};
				struct player *players[8] = {0};
				struct text error = {0};
				struct match m;
				for (uint32_t r = 0; r < g->roles; r++)
					if (r != g->random) {
						players[r] = player_make(g, r, player_kinds[i]->name, 9, &error);
						assert_non_null(players[r]);
						by_role[r] = contestant_of(players[r]);
					}
				referee_play(&m, g, by_role,
				             &(struct referee_options){.playouts = 100, .seed = seed, .max_steps = 100});
				note_deeds(g, w, &m, &deeds);
				for (uint32_t r = 0; r < g->roles; r++)
					player_free(players[r]);
				match_free(&m);
				text_free(&error);
			}
			for (size_t a = 0; a < deeds.n; a++)
				for (size_t b = 0; b < a; b++) {
					const struct deed *x = &deeds.at[a], *y = &deeds.at[b];
					if (x->role != y->role || x->step != y->step || x->view != y->view)
						continue;
					other_truths += x->truth != y->truth;
					if (x->move != y->move)
						fail_msg("%s in %s: role %u moves by more than it knows", player_kinds[i]->name, names[k],
						         x->role);
				}
			assert_true(other_truths > 5);
			vec_free(&deeds);
		}
		worker_free(w);
		free_made(&made);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exact_beliefs),
		cmocka_unit_test(fair_samples),
		cmocka_unit_test(never_empty),
		cmocka_unit_test(lasts_whole_matches),
		cmocka_unit_test(kuhn_is_nearly_solved),
		cmocka_unit_test(looking_pays),
		cmocka_unit_test(monty_hall_switches),
		cmocka_unit_test(everybody_plays),
		cmocka_unit_test(nothing_leaks),
		cmocka_unit_test(same_view_same_move),
		cmocka_unit_test(other_worlds_do_not_show),
	};
	return RUN(tests);
}

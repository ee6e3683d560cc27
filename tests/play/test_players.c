/* Players: values against brute force, games that must not be lost, budgets kept,
 * the same seed the same move. */
#include "make_game.h"
#include "work.h"

#include "play/alphabeta/search.h"
#include "play/hidden/mccfr.h"
#include "play/mcts/tree.h"
#include "play/player.h"
#include "play/single/plan.h"

/* ---- brute force ----------------------------------------------------------------------------- */

/* The value for `me`: own best, the others' worst, the mean over chance, computed
 * from single states with nothing clever. */
static double brute(struct game *g, uint32_t me, const uint64_t *state)
{
	struct worker *w = worker_new(g);
	struct view v = game_look(w, state);
	double best = -1;
	if (v.terminal) {
		best = v.goals[me];
		worker_free(w);
		return best;
	}
	uint32_t roles = g->roles;
	SCRATCH(uint32_t, count, roles);
	SCRATCH(uint32_t, moves, roles);
	uint64_t joint = 1;
	SCRATCH(uint64_t, next, g->words);
	memset(count, 0, roles * sizeof *count);
	for (uint32_t r = 0; r < roles; r++)
		joint *= count[r] = v.start[r + 1] - v.start[r];
	double(*low)[64] = mem_alloc(count[me], sizeof *low);
	uint32_t others = (uint32_t)(joint / count[me]);
	assert_true(others <= 64);
	for (uint32_t a = 0; a < count[me]; a++)
		for (uint32_t i = 0; i < others; i++) {
			uint32_t rest = i;
			for (uint32_t r = 0; r < roles; r++) {
				uint32_t k = a;
				if (r != me) {
					k = rest % count[r];
					rest /= count[r];
				}
				moves[r] = v.legal[v.start[r] + k];
			}
			game_next(w, state, moves, next);
			low[a][i] = brute(g, me, next);
			v = game_look(w, state);
		}
	bool chance = g->random < roles && count[g->random] > 1;
	for (uint32_t a = 0; a < count[me]; a++) {
		double x = chance ? 0 : 1e9;
		for (uint32_t i = 0; i < others; i++)
			x = chance ? x + low[a][i] / others : low[a][i] < x ? low[a][i] : x;
		best = x > best ? x : best;
	}
	mem_free(low);
	worker_free(w);
	return best;
}

static struct seat new_seat(struct game *g, uint32_t role)
{
	static _Atomic uint32_t ready;
	return (struct seat){.game = g, .role = role, .worker = worker_new(g), .rng = rng_seed(7), .ready = &ready};
}

static void free_seat(struct seat *s)
{
	worker_free(s->worker);
	text_free(&s->why);
}

static void values_are_exact(const char *text, uint32_t role, bool prune)
{
	struct made m = make_game(text);
	struct seat s = new_seat(m.game, role);
	struct search_options o = {.depth = 100, .table = 1, .playouts = 8, .prune = prune, .order = prune};
	struct search *q = search_new(&s, &o);
	struct budget b = {.playouts = 10000000};
	struct search_result r = search_run(q, &s, m.game->initial, &b);
	assert_true(r.exact);
	assert_float_equal(r.value, brute(m.game, role, m.game->initial), 1e-3);
	search_free(q);
	free_seat(&s);
	free_made(&m);
}

static void searches_find_the_value_of_chance(void **state)
{
	for (int prune = 0; prune < 2; prune++) {
		values_are_exact(THROWS, 0, prune);
		values_are_exact(COINS, 0, prune);
		values_are_exact(COINS, 1, prune);
	}
}

static void trees_prove_the_value_of_chance(void **state)
{
	static const char *const games[] = {THROWS, COINS};
	for (int i = 0; i < 2; i++) {
		struct made m = make_game(games[i]);
		struct seat s = new_seat(m.game, 0);
		struct tree_options o = {
			.c = 0.5, .leaves = 4, .playouts = 4, .threads = 1, .memory = 64, .solve = true, .spread = true};
		struct tree *t = tree_new(&s, &o);
		tree_root(t, &s, m.game->initial);
		tree_run(t, &s, &(struct budget){.playouts = 2000000});
		struct tree_value v = tree_value(t, 0);
		double exact = brute(m.game, 0, m.game->initial);
		assert_float_equal(v.low, exact, 0.01);
		assert_float_equal(v.high, exact, 0.01);
		tree_free(t);
		free_seat(&s);
		free_made(&m);
	}
}

/* ---- matches without a referee ----------------------------------------------------------------- */

/* Plays to the end; returns the goals of the first role. A player for each role. */
static int play_out(struct game *g, const char *const *words, uint64_t seed, const struct budget *b,
                    struct text *moves_made)
{
	struct worker *w = worker_new(g);
	SCRATCH(struct player *, p, g->roles);
	struct text error = {0};
	SCRATCH(uint64_t, state, g->words);
	struct rng rng = rng_seed(seed);
	memcpy(state, g->initial, g->words * sizeof *state);
	for (uint32_t r = 0; r < g->roles; r++) {
		p[r] = r == g->random ? NULL : player_make(g, r, words[r], seed * 10 + r, &error);
		if (r != g->random && !p[r])
			fail_msg("%s", text_str(&error));
	}
	int result = -1;
	for (uint32_t step = 0;; step++) {
		struct view v = game_look(w, state);
		if (v.terminal) {
			result = v.goals[0];
			break;
		}
		uint32_t count = v.start[g->roles];
		SCRATCH(uint32_t, moves, g->roles);
		SCRATCH(uint32_t, legal, count);
		SCRATCH(uint32_t, start, g->roles + 1);
		memcpy(legal, v.legal, count * sizeof *legal);
		memcpy(start, v.start, (g->roles + 1) * sizeof *start);
		for (uint32_t r = 0; r < g->roles; r++) {
			struct turn t = {.step = step,
			                 .state = state,
			                 .legal = legal + start[r],
			                 .legal_count = start[r + 1] - start[r],
			                 .own_last = GAME_NONE};
			struct budget now = *b;
			if (!b->playouts)
				now.limit = work_seconds(b->limit.deadline);
			moves[r] = p[r] ? player_move(p[r], &t, &now).move : legal[start[r] + rng_below(&rng, t.legal_count)];
			bool found = false;
			for (uint32_t i = 0; i < t.legal_count; i++)
				found |= t.legal[i] == moves[r];
			assert_true(found);
			if (moves_made)
				game_print_move(g, moves[r], moves_made);
		}
		game_next(w, state, moves, state);
	}
	for (uint32_t r = 0; r < g->roles; r++)
		player_free(p[r]);
	worker_free(w);
	text_free(&error);
	return result;
}

static void nobody_beats_them_at_tictactoe(void **state)
{
	static const char *const strong[] = {"uct", "alphabeta", "minimax", "macaw", "expectiminimax"};
	static const char *const others[] = {"random", "mc", "ucb", "grave", "uct", "alphabeta", "macaw"};
	struct made m = load_game_named("tictactoe");
	struct budget b = {.playouts = 24000};
	for (size_t i = 0; i < 5; i++)
		for (size_t k = 0; k < 7; k += test_sample() ? 3 : 1)
			for (uint64_t seed = 1; seed <= (k || test_sample() ? 2 : 6); seed++) {
				const char *first[] = {strong[i], others[k]}, *second[] = {others[k], strong[i]};
				if (play_out(m.game, first, seed, &b, NULL) < 50 || play_out(m.game, second, seed, &b, NULL) > 50)
					fail_msg("%s lost to %s with seed %d", strong[i], others[k], (int)seed);
			}
	free_made(&m);
}

static void equal_seeds_make_equal_moves(void **state)
{
	struct made m = load_game_named("connect_4x4_3"), coins = make_game(COINS);
	struct budget b = {.playouts = 500};
	for (size_t i = 0; player_kinds[i]; i++)
		for (int k = 0; k < 2; k++) {
			const char *words[] = {player_kinds[i]->name, player_kinds[i]->name, ""};
			struct text one = {0}, two = {0};
			play_out(k ? coins.game : m.game, words, 5, &b, &one);
			play_out(k ? coins.game : m.game, words, 5, &b, &two);
			assert_string_equal(text_str(&one), text_str(&two));
			text_free(&one);
			text_free(&two);
		}
	free_made(&m);
	free_made(&coins);
}

/* The margin is for people who load the machine; here it must only be of the right size. */
static void clocks_are_kept(void **state)
{
	static const char *const games[] = {"breakthrough", "eight_puzzle", "connect_four_simultaneous"};
	for (size_t g = 0; g < 3; g++) {
		struct made m = load_game_named(games[g]);
		struct worker *w = worker_new(m.game);
		struct text error = {0};
		for (size_t i = 0; player_kinds[i]; i++) {
			struct player *p = player_make(m.game, 0, player_kinds[i]->name, 1, &error);
			assert_non_null(p);
			struct view v = game_look(w, m.game->initial);
			struct turn t = {
				.state = m.game->initial, .legal = v.legal, .legal_count = v.start[1], .own_last = GAME_NONE};
			double began = work_done();
			clockid_t clock = g ? CLOCK_OF_PROCESS : CLOCK_OF_WALL; /* less work, if anything, by that on the wall */
			player_start(p, &(struct budget){.limit = limit_seconds_of(clock, 0.05)});
			uint32_t move = player_move(p, &t, &(struct budget){.limit = limit_seconds_of(clock, 0.1)}).move;
			if (work_done() - began > (test_sample() ? 5 : 1.5))
				fail_msg("%s took %.3f s for 0.15 s in %s", player_kinds[i]->name, work_done() - began, games[g]);
			assert_int_equal(game_role_of(m.game, move), 0);
			player_free(p);
		}
		text_free(&error);
		worker_free(w);
		free_made(&m);
	}
}

/* ---- particular players --------------------------------------------------------------------------- */

static void puzzles_are_planned(void **state)
{
	static const char *const games[] = {"hanoi_3", "lights_out_3x3", "buttons_and_lights_3"};
	for (size_t i = 0; i < 3; i++) {
		struct made m = load_game_named(games[i]);
		const char *words[] = {"macaw"};
		assert_int_equal(play_out(m.game, words, 1, &(struct budget){.playouts = 20000}, NULL), 100);
		free_made(&m);
	}
}

/* By the clock, a puzzle of marks is planned to its end before the first move. */
static void grids_are_filled(void **state)
{
	struct made m = load_game_named("sudoku");
	struct seat s = new_seat(m.game, 0);
	struct plan *p = plan_new(&s, NULL);
	struct budget b = {.limit = work_seconds(100)};
	uint32_t move;
	plan_run(p, &s, m.game->initial, &b);
	assert_true(plan_knows(p, &s, m.game->initial));
	assert_true(plan_move(p, &s, m.game->initial, &move));
	assert_non_null(strstr(text_str(&s.why), "a plan of 52 steps to 100, the best there is"));
	plan_free(p);
	free_seat(&s);
	free_made(&m);
}

/* A lock of twelve dials, four ways each; a wrong one ends the game with 10. Random
 * walks see the first few dials only, and must not be believed about the rest. */
static void locks_are_opened(void **state)
{
	struct text rules = {0};
	text_puts(&rules, "(role r) (init (dial 0)) (way 0) (way 1) (way 2) (way 3) (<= (legal r (turn ?w)) (way ?w))\n"
	                  "(<= terminal (true (dial 12))) (<= terminal stuck) (<= (goal r 100) (true (dial 12)))\n"
	                  "(<= stuck (not (true (dial 12))) (not some)) (<= (goal r 10) stuck) (<= (goal r 0) some (not "
	                  "(true (dial 12))))\n");
	for (int i = 0; i < 12; i++)
		text_printf(&rules, "(<= (next (dial %d)) (true (dial %d)) (does r (turn %d))) (<= some (true (dial %d)))\n",
		            i + 1, i, i * 7 % 4, i);
	struct made m = make_game(text_str(&rules));
	const char *words[] = {"macaw"};
	assert_int_equal(play_out(m.game, words, 1, &(struct budget){.playouts = 20000}, NULL), 100);
	free_made(&m);
	text_free(&rules);
}

/* Matching pennies with stakes that make 1/3 and 2/3 the equilibrium. */
static void mixed_strategies_are_found(void **state)
{
	static const char *const players[] = {"cfr:batch=1:leaves=1", "macaw", "macaw:mixed=tree"};
	struct made m = make_game(
		"(role a) (role b) (init s) (<= (legal ?r h) (role ?r)) (<= (legal ?r t) (role ?r))\n"
		"(<= (next (end ?x ?y)) (does a ?x) (does b ?y)) (<= terminal (true (end ?x ?y)))\n"
		"(<= (goal a 100) (true (end h h))) (<= (goal a 50) (true (end t t))) (<= (goal a 0) (true (end h t)))\n"
		"(<= (goal a 0) (true (end t h))) (<= (goal b 0) (true (end h h))) (<= (goal b 50) (true (end t t)))\n"
		"(<= (goal b 100) (true (end h t))) (<= (goal b 100) (true (end t h)))\n");
	struct worker *w = worker_new(m.game);
	struct text error = {0};
	uint32_t h = game_find_move(m.game, 0, "h");
	int n = test_sample() ? 60 : 300, each = 30; /* making some players takes long */
	int off = test_sample() ? 14 : 40;           /* four standard deviations, or nearly five */
	for (size_t k = 0; k < sizeof players / sizeof *players; k++) {
		int heads = 0;
		for (int i = 0; i < n / each; i++) {
			struct player *p = player_make(m.game, 0, players[k], (uint64_t)i, &error);
			struct view v = game_look(w, m.game->initial);
			struct turn t = {
				.state = m.game->initial, .legal = v.legal, .legal_count = v.start[1], .own_last = GAME_NONE};
			for (int j = 0; j < each; j++)
				heads += player_move(p, &t, &(struct budget){.playouts = 2000}).move == h;
			player_free(p);
		}
		assert_in_range(heads, n / 3 - off, n / 3 + off);
	}
	worker_free(w);
	free_made(&m);
}

/* Where the state is hidden, information sets are met. */
static void hidden_games_are_learnt(void **state)
{
	struct made m = load_game_named("kuhn_poker");
	assert_true(m.game->hidden);
	struct seat s = new_seat(m.game, m.game->random == 0);
	struct mccfr *c = mccfr_new(&s);
	mccfr_run(c, &s, &(struct budget){.playouts = 1000});
	assert_true(s.count.nodes > 5);
	mccfr_free(c);
	free_seat(&s);
	free_made(&m);
}

static void options_are_checked(void **state)
{
	struct made m = make_game(COINS);
	struct text error = {0};
	static const struct {
		const char *word, *message;
	} bad[] = {{"uxt", "did you mean 'uct'"},
	           {"uct:cc=1", "cc"},
	           {"uct:leaves=0", "leaves"},
	           {"random:x=1", "no options"},
	           {"random:time=2", "time must be"}};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		error.n = 0;
		assert_null(player_make(m.game, 0, bad[i].word, 1, &error));
		if (!strstr(text_str(&error), bad[i].message))
			fail_msg("%s: %s", bad[i].word, text_str(&error));
	}
	struct player *p = player_make(m.game, 0, "uct:c=0.9:leaves=3:solve=no", 1, &error);
	assert_non_null(p);
	assert_int_equal(player_ready(p), GAME_NONE);
	player_free(p);
	text_free(&error);
	free_made(&m);
}

/* A player with a handicap makes a quarter of the playouts, and stops after a quarter of the clock. */
static void handicaps_are_kept(void **state)
{
	(void)state;
	struct made m = make_game(COINS);
	struct text error = {0};
	uint64_t playouts[2];
	double seconds[2];
	for (int i = 0; i < 2; i++) {
		struct player *p = player_make(m.game, 0, i ? "mc:time=0.25" : "mc", 1, &error);
		struct worker *w = worker_new(m.game);
		struct view v = game_look(w, m.game->initial);
		uint32_t legal[16], count = v.start[1] - v.start[0];
		assert_true(p && count > 1 && count <= 16);
		memcpy(legal, v.legal, count * sizeof *legal);
		struct turn t = {.state = m.game->initial, .legal = legal, .legal_count = count, .own_last = GAME_NONE};
		player_move(p, &t, &(struct budget){.playouts = 40000});
		playouts[i] = player_counters(p)->playouts;
		double before = player_counters(p)->seconds;
		player_move(p, &t, &(struct budget){.limit = limit_seconds_of(CLOCK_OF_PROCESS, 0.4)});
		seconds[i] = player_counters(p)->seconds - before;
		worker_free(w);
		player_free(p);
	}
	assert_true(playouts[1] >= 9000 && playouts[1] <= 12000 && playouts[0] >= 38000);
	assert_true(seconds[1] < 0.2 && seconds[1] < 0.5 * seconds[0]);
	text_free(&error);
	free_made(&m);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(searches_find_the_value_of_chance),
		cmocka_unit_test(trees_prove_the_value_of_chance),
		cmocka_unit_test(nobody_beats_them_at_tictactoe),
		cmocka_unit_test(equal_seeds_make_equal_moves),
		cmocka_unit_test(clocks_are_kept),
		cmocka_unit_test(puzzles_are_planned),
		cmocka_unit_test(grids_are_filled),
		cmocka_unit_test(locks_are_opened),
		cmocka_unit_test(mixed_strategies_are_found),
		cmocka_unit_test(hidden_games_are_learnt),
		cmocka_unit_test(options_are_checked),
		cmocka_unit_test(handicaps_are_kept),
	};
	return RUN(cases);
}

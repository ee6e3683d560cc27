/* The graph search: bounds against brute force, whatever becomes of its memory and however many
 * threads share it. */
#include "make_game.h"
#include "work.h"

#include "play/mcgs/mcgs.h"

#include <math.h>

/* The score that a role can force, everybody else against it, chance by its mean; for two roles that share 100. */
static double force(struct worker *w, struct game *g, uint32_t role, const uint64_t *state, uint32_t depth)
{
	struct view v = game_look(w, state);
	if (v.terminal)
		return v.goals[role];
	uint32_t moves[8], chooser = 0, count, first;
	for (uint32_t r = 0; r < g->roles; r++)
		if (v.start[r + 1] - v.start[r] > 1)
			chooser = r;
	for (uint32_t r = 0; r < g->roles; r++)
		moves[r] = v.legal[v.start[r]];
	first = v.start[chooser];
	count = v.start[chooser + 1] - first;
	uint32_t *choices = memcpy(mem_alloc(count, sizeof *choices), v.legal + first, count * sizeof *choices);
	uint64_t *next = mem_alloc(g->words + 1, sizeof *next);
	double best = chooser == role ? -1 : 101, sum = 0;
	for (uint32_t i = 0; i < count; i++) {
		moves[chooser] = choices[i];
		game_next(w, state, moves, next);
		double x = force(w, g, role, next, depth + 1);
		best = chooser == role ? (x > best ? x : best) : (x < best ? x : best);
		sum += x;
	}
	mem_free(choices);
	mem_free(next);
	return chooser == g->random ? sum / count : best;
}

static struct seat new_seat(struct game *g, uint32_t role)
{
	struct seat s = {.game = g, .role = role, .worker = worker_new(g), .rng = rng_seed(5)};
	return s;
}

static void free_seat(struct seat *s)
{
	worker_free(s->worker);
	text_free(&s->why);
}

static struct mcgs_options options(void)
{
	static const struct opt table[] = {MCGS_OPTIONS, MCGS_TUNING(TUNING_ROW, struct mcgs_options, tune.){0}};
	struct mcgs_options o = {0};
	opt_defaults(table, &o);
	o.threads = 1;
	o.memory = 64;
	return o;
}

/* A state after some random moves; false: the game ended before. */
static bool wander(struct seat *s, uint32_t plies, uint64_t *state)
{
	struct game *g = s->game;
	uint32_t moves[8];
	memcpy(state, g->initial, g->words * sizeof *state);
	for (uint32_t i = 0; i < plies; i++) {
		struct view v = game_look(s->worker, state);
		if (v.terminal || !game_random_move(g, &v, &s->rng, moves))
			return false;
		game_next(s->worker, state, moves, state);
	}
	return !game_look(s->worker, state).terminal;
}

static void check_bounds(struct made *m, const struct mcgs_options *o, uint32_t plies, uint64_t playouts, bool settled)
{
	struct game *g = m->game;
	struct seat s = new_seat(g, 0);
	uint64_t *state = mem_alloc(g->words + 1, sizeof *state);
	for (uint32_t i = 0; i < (test_sample() ? 4 : 12); i++) {
		if (!wander(&s, plies, state))
			continue;
		struct mcgs *t = mcgs_new(&s, o);
		struct budget b = {.playouts = o->threads > 1 ? 0 : playouts};
		if (o->threads > 1)
			b.limit = work_seconds(0.05);
		mcgs_root(t, &s, state);
		mcgs_run(t, &s, &b);
		struct mcgs_value v = mcgs_value(t, 0);
		double exact = force(s.worker, g, 0, state, 0);
		assert_true(v.low <= exact + 0.01 && exact <= v.high + 0.01);
		if (settled)
			assert_true(fabs(v.low - exact) < 0.01 && fabs(v.high - exact) < 0.01);
		mcgs_free(t);
	}
	mem_free(state);
	free_seat(&s);
}

static void small_games_are_solved(void **context)
{
	(void)context;
	struct made game = load_game_named("tictactoe"), coins = make_game(COINS);
	struct mcgs_options o = options();
	check_bounds(&game, &o, 3, 1000000, true);
	check_bounds(&coins, &o, 0, 1000000, true);
	free_made(&game);
	free_made(&coins);
}

static void bounds_hold_at_any_time(void **context)
{
	(void)context;
	struct made game = load_game_named("tictactoe"), coins = make_game(COINS);
	struct mcgs_options o = options();
	for (uint64_t playouts = 16; playouts < 5000; playouts *= 4) {
		check_bounds(&game, &o, 2, playouts, false);
		check_bounds(&coins, &o, 0, playouts, false);
	}
	free_made(&game);
	free_made(&coins);
}

static void threads_prove_the_same(void **context)
{
	(void)context;
	struct made game = load_game_named("tictactoe"), coins = make_game(COINS);
	struct mcgs_options o = options();
	o.threads = 4;
	check_bounds(&game, &o, 3, 0, false);
	check_bounds(&coins, &o, 0, 0, false);
	free_made(&game);
	free_made(&coins);
}

/* Full at every move: what cannot be reached goes, then what was visited little. */
static void little_memory_is_enough(void **context)
{
	(void)context;
	struct made m = load_game_named("connect_four");
	struct seat s = new_seat(m.game, 0);
	struct mcgs_options o = options();
	o.memory = 4;
	struct mcgs *t = mcgs_new(&s, &o);
	uint64_t *state = mem_alloc(m.game->words + 1, sizeof *state);
	uint32_t moves[2];
	memcpy(state, m.game->initial, m.game->words * sizeof *state);
	for (uint32_t i = 0; i < 6; i++) {
		mcgs_root(t, &s, state);
		double before = mcgs_value(t, 0).visits;
		mcgs_run(t, &s, &(struct budget){.playouts = 100000});
		assert_true(mcgs_value(t, 0).visits > before + 20000);
		assert_true(mcgs_bytes(t) < (size_t)6 << 20);
		assert_true(mcgs_choose(t, &s) != GAME_NONE);
		struct view v = game_look(s.worker, state);
		assert_true(game_random_move(m.game, &v, &s.rng, moves));
		game_next(s.worker, state, moves, state);
	}
	assert_true(mcgs_times(t).collections > 2);
	mcgs_free(t);
	mem_free(state);
	free_seat(&s);
	free_made(&m);
}

/* Before memory is collected at a new root, the best move known there is held ready; with a clock it takes no longer
 * than a part of a second, and what was visited most is kept. */
static void a_move_is_ready_while_memory_is_collected(void **context)
{
	(void)context;
	struct made m = load_game_named("connect_four");
	struct seat s = new_seat(m.game, 0);
	struct mcgs_options o = options();
	_Atomic uint32_t ready = GAME_NONE;
	o.memory = 8;
	struct mcgs *t = mcgs_new(&s, &o);
	uint64_t *state = mem_alloc(m.game->words + 1, sizeof *state);
	uint32_t moves[2];
	memcpy(state, m.game->initial, m.game->words * sizeof *state);
	mcgs_root(t, &s, state);
	mcgs_run(t, &s, &(struct budget){.playouts = 200000});
	mcgs_run(t, &s, &(struct budget){.limit = limit_seconds_of(CLOCK_OF_PROCESS, 0.02)});
	struct view v = game_look(s.worker, state);
	assert_true(game_random_move(m.game, &v, &s.rng, moves));
	moves[0] = mcgs_choose(t, &s);
	game_next(s.worker, state, moves, state);
	s.role = 1;
	s.ready = &ready;
	mcgs_root(t, &s, state);
	assert_int_equal(mcgs_times(t).collections, 1);
	assert_true(mcgs_times(t).collecting < 2); /* a sanitizer's */
	assert_int_equal(ready, mcgs_choose(t, &s));
	assert_true(mcgs_value(t, 1).visits > 100);
	s.ready = NULL;
	mcgs_free(t);
	mem_free(state);
	free_seat(&s);
	free_made(&m);
}

/* Visits of the states after `plies` more moves, all of them. */
static double visits_below(struct mcgs *t, struct seat *s, const uint64_t *state, uint32_t plies)
{
	struct game *g = s->game;
	if (!plies || game_look(s->worker, state).terminal) {
		mcgs_root(t, s, state);
		return mcgs_value(t, 0).visits;
	}
	uint64_t *next = mem_alloc(g->words + 1, sizeof *next);
	double sum = 0;
	uint32_t legal[64], first[3];
	struct view v = game_look(s->worker, state);
	for (uint32_t r = 0; r < 3; r++)
		first[r] = v.start[r];
	assert_true(first[2] <= 64);
	memcpy(legal, v.legal, first[2] * sizeof *legal);
	for (uint32_t i = first[0]; i < first[1]; i++)
		for (uint32_t k = first[1]; k < first[2]; k++) {
			game_next(s->worker, state, (uint32_t[]){legal[i], legal[k]}, next);
			sum += visits_below(t, s, next, plies - 1);
		}
	mem_free(next);
	return sum;
}

/* Small at first; when it grows, no state is lost. */
static void the_table_grows_with_the_graph(void **context)
{
	(void)context;
	struct made m = load_game_named("connect_four");
	struct seat s = new_seat(m.game, 0);
	struct mcgs_options o = options();
	o.memory = 256;
	o.threads = 2;
	struct mcgs *t = mcgs_new(&s, &o);
	assert_true(mcgs_bytes(t) < (size_t)1 << 20);
	mcgs_root(t, &s, m.game->initial);
	mcgs_run(t, &s, &(struct budget){.playouts = 500000});
	mcgs_run(t, &s, &(struct budget){.limit = limit_seconds(0.05)}); /* both threads */
	double visits = mcgs_value(t, 0).visits;
	assert_true(visits > 100000);
	/* a state's first visit goes no further; states that are reached in two ways count twice */
	assert_true(visits_below(t, &s, m.game->initial, 1) >= visits - 7);
	assert_true(visits_below(t, &s, m.game->initial, 2) >= visits - 7 - 49);
	mcgs_free(t);
	free_seat(&s);
	free_made(&m);
}

/* No end and no two ways to a state are near the start of hex. */
static void children_are_made_late_where_they_show_nothing(void **context)
{
	(void)context;
	struct made m = load_game_named("hex");
	struct seat s = new_seat(m.game, 0);
	struct mcgs_options o = options();
	uint64_t states[2];
	for (uint32_t i = 0; i < 2; i++) {
		if (i)
			o.tune.expand_useful = 0;
		s.count.nodes = 0;
		struct mcgs *t = mcgs_new(&s, &o);
		mcgs_root(t, &s, m.game->initial);
		mcgs_run(t, &s, &(struct budget){.playouts = 40000});
		states[i] = s.count.nodes;
		mcgs_free(t);
	}
	assert_true(2 * states[0] < states[1]);
	free_seat(&s);
	free_made(&m);
}

/* Visits of the root's moves but for the most visited one. */
static double visits_beside_the_best(struct made *m, double growth)
{
	struct seat s = new_seat(m->game, 0);
	struct mcgs_options o = options();
	o.tune.growth = growth;
	struct mcgs *t = mcgs_new(&s, &o);
	mcgs_root(t, &s, m->game->initial);
	mcgs_run(t, &s, &(struct budget){.playouts = 80000});
	struct view v = game_look(s.worker, m->game->initial);
	uint32_t count = v.start[1], legal[16];
	assert_true(count <= 16);
	memcpy(legal, v.legal, count * sizeof *legal);
	struct move_value *values = NEW_ARRAY(struct move_value, count);
	struct turn turn = {.state = m->game->initial, .legal = legal, .legal_count = count};
	assert_true(mcgs_values(t, &s, &turn, values));
	double sum = 0, most = 0;
	for (uint32_t i = 0; i < count; i++) {
		sum += values[i].visits;
		most = fmax(most, values[i].visits);
	}
	mem_free(values);
	mcgs_free(t);
	free_seat(&s);
	return sum - most;
}

static void exploration_grows_with_the_visits(void **context)
{
	(void)context;
	struct made m = load_game_named("connect_four");
	double by_logarithm = visits_beside_the_best(&m, 0), by_power = visits_beside_the_best(&m, 0.5);
	print_message("%.0f and %.0f visits\n", by_logarithm, by_power);
	assert_true(by_power > 1.5 * by_logarithm);
	free_made(&m);
}

/* The next root knows what was found below the last one. */
static void what_was_found_lasts(void **context)
{
	(void)context;
	struct made m = load_game_named("connect_four");
	struct game *g = m.game;
	struct seat s = new_seat(g, 0);
	struct mcgs_options o = options();
	struct mcgs *t = mcgs_new(&s, &o);
	uint64_t *state = mem_alloc(g->words + 1, sizeof *state);
	uint32_t moves[2];
	memcpy(state, g->initial, g->words * sizeof *state);
	mcgs_root(t, &s, state);
	mcgs_run(t, &s, &(struct budget){.playouts = 40000});
	double before = mcgs_value(t, 0).visits;
	moves[0] = mcgs_choose(t, &s);
	struct view v = game_look(s.worker, state);
	moves[1] = v.legal[v.start[1]];
	game_next(s.worker, state, moves, state);
	mcgs_root(t, &s, state);
	assert_true(mcgs_value(t, 0).visits > before / 8);
	mcgs_free(t);
	mem_free(state);
	free_seat(&s);
	free_made(&m);
}

static void roles_without_end(void **context)
{
	(void)context;
	static const char *const names[] = {"chinese_checkers_3", "rock_paper_scissors", "blocker", "yahtzee",
	                                    "backgammon"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		char path[256];
		snprintf(path, sizeof path, "%s/games/%s.kif", getenv("MACAW_SOURCE") ? getenv("MACAW_SOURCE") : ".", names[i]);
		FILE *f = fopen(path, "r");
		if (!f)
			continue;
		fclose(f);
		struct made m = load_game_named(names[i]);
		struct seat s = new_seat(m.game, m.game->random == 0);
		struct mcgs_options o = options();
		if (!m.game->hidden) {
			struct mcgs *t = mcgs_new(&s, &o);
			mcgs_root(t, &s, m.game->initial);
			mcgs_run(t, &s, &(struct budget){.playouts = 3000});
			struct mcgs_value v = mcgs_value(t, s.role);
			assert_true(v.low <= v.high && v.mean >= 0 && v.mean <= 100);
			assert_true(mcgs_choose(t, &s) != GAME_NONE);
			mcgs_free(t);
		}
		free_seat(&s);
		free_made(&m);
	}
}

/* One round in which both choose; what that brings is a matrix. */
static void matrix_rules(struct text *rules, const int *score, uint32_t rows, uint32_t columns)
{
	text_printf(rules, "(role a) (role b) (init begin) (<= terminal (true (end ?x ?y)))\n"
	                   "(<= (next (end ?x ?y)) (does a ?x) (does b ?y))\n");
	for (uint32_t i = 0; i < rows; i++)
		text_printf(rules, "(legal a r%u)\n", i);
	for (uint32_t i = 0; i < columns; i++)
		text_printf(rules, "(legal b c%u)\n", i);
	for (uint32_t i = 0; i < rows * columns; i++)
		text_printf(rules, "(<= (goal a %d) (true (end r%u c%u))) (<= (goal b %d) (true (end r%u c%u)))\n", score[i],
		            i / columns, i % columns, 100 - score[i], i / columns, i % columns);
}

/* The probabilities with which a role chooses, in the order of its moves in the rules. */
static void strategy_of(struct made *m, uint32_t role, int mixed, uint32_t count, double *share)
{
	struct seat s = new_seat(m->game, role);
	struct mcgs_options o = options();
	o.mixed = mixed;
	o.tune.tail = 0;
	struct mcgs *t = mcgs_new(&s, &o);
	struct view v = game_look(s.worker, m->game->initial);
	uint32_t legal[8];
	memcpy(legal, v.legal + v.start[role], count * sizeof *legal);
	struct turn turn = {.state = m->game->initial, .legal = legal, .legal_count = count, .own_last = GAME_NONE};
	struct move_value value[8] = {0};
	mcgs_root(t, &s, m->game->initial);
	mcgs_run(t, &s, &(struct budget){.playouts = 20000});
	assert_true(mcgs_values(t, &s, &turn, value));
	double total = 0;
	for (uint32_t i = 0; i < count; i++) {
		char name[16];
		snprintf(name, sizeof name, "%c%u", role ? 'c' : 'r', i);
		for (uint32_t k = 0; k < count; k++)
			if (legal[k] == game_find_move(m->game, role, name))
				share[i] = value[k].share;
		total += share[i];
	}
	assert_true(fabs(total - 1) < 1e-6);
	mcgs_free(t);
	free_seat(&s);
}

/* What both could gain together by knowing the other's strategy: 0 in an equilibrium. */
static double gap(const int *score, uint32_t rows, uint32_t columns, const double *p, const double *q)
{
	double best = -1, worst = 101;
	for (uint32_t i = 0; i < rows; i++) {
		double x = 0;
		for (uint32_t k = 0; k < columns; k++)
			x += q[k] * score[i * columns + k];
		best = fmax(best, x);
	}
	for (uint32_t k = 0; k < columns; k++) {
		double x = 0;
		for (uint32_t i = 0; i < rows; i++)
			x += p[i] * score[i * columns + k];
		worst = fmin(worst, x);
	}
	return best - worst;
}

static void mixed_strategies_are_nearly_an_equilibrium(void **context)
{
	(void)context;
	struct rng rng = rng_seed(7);
	for (uint32_t n = 0; n < 30; n++) {
		uint32_t rows = 2 + rng_below(&rng, 4), columns = 2 + rng_below(&rng, 4);
		int score[25];
		for (uint32_t i = 0; i < rows * columns; i++)
			score[i] = (int)rng_below(&rng, 101);
		struct text rules = {0};
		matrix_rules(&rules, score, rows, columns);
		struct made m = make_game(rules.at);
		double p[8] = {0}, q[8] = {0};
		strategy_of(&m, 0, MIXED_ROOT, rows, p);
		strategy_of(&m, 1, MIXED_ROOT, columns, q);
		assert_true(gap(score, rows, columns, p, q) < 1.5);
		strategy_of(&m, 0, MIXED_TREE, rows, p);
		strategy_of(&m, 1, MIXED_TREE, columns, q);
		assert_true(gap(score, rows, columns, p, q) < 15);
		free_made(&m);
		text_free(&rules);
	}
}

/* With more joint moves than the tree keeps children for. */
static void the_best_of_many_joint_moves_is_found(void **context)
{
	(void)context;
	struct text rules = {0};
	text_puts(&rules, "(role a) (role b) (init begun) (<= (legal ?r (name ?n)) (role ?r) (number ?n) (true begun))\n"
	                  "(<= (next (named ?r ?n)) (does ?r (name ?n))) (<= terminal (true (named a ?n)))\n"
	                  "(<= (goal a 100) (true (named a 7))) (<= (goal b 0) (true (named a 7)))\n"
	                  "(<= (goal a 0) (not (true (named a 7)))) (<= (goal b 100) (not (true (named a 7))))\n");
	for (uint32_t i = 0; i < 300; i++)
		text_printf(&rules, "(number %u) ", i);
	struct made m = make_game(text_str(&rules));
	for (int mixed = MIXED_NONE; mixed <= MIXED_TREE; mixed++) {
		struct seat s = new_seat(m.game, 0);
		struct mcgs_options o = options();
		o.mixed = mixed;
		struct mcgs *t = mcgs_new(&s, &o);
		mcgs_root(t, &s, m.game->initial);
		mcgs_run(t, &s, &(struct budget){.playouts = 20000});
		uint32_t move = mcgs_choose(t, &s);
		assert_true(move != GAME_NONE);
		if (mixed != MIXED_TREE) /* regrets are of children */
			assert_int_equal(move, game_find_move(m.game, 0, "(name 7)"));
		mcgs_free(t);
		free_seat(&s);
	}
	free_made(&m);
	text_free(&rules);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(small_games_are_solved),
		cmocka_unit_test(bounds_hold_at_any_time),
		cmocka_unit_test(threads_prove_the_same),
		cmocka_unit_test(little_memory_is_enough),
		cmocka_unit_test(a_move_is_ready_while_memory_is_collected),
		cmocka_unit_test(the_table_grows_with_the_graph),
		cmocka_unit_test(children_are_made_late_where_they_show_nothing),
		cmocka_unit_test(exploration_grows_with_the_visits),
		cmocka_unit_test(what_was_found_lasts),
		cmocka_unit_test(roles_without_end),
		cmocka_unit_test(mixed_strategies_are_nearly_an_equilibrium),
		cmocka_unit_test(the_best_of_many_joint_moves_is_found),
	};
	return RUN(tests);
}

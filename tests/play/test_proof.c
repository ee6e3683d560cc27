/* Proofs: every bound against plain minimax over all positions, on small games of the folder games/ and on random games
 * over graphs with cycles; with large and tiny tables, with budgets that cut the work anywhere. */
#include "minimax.h"

#include "play/proof/proof.h"

/* ---- games without cycles -------------------------------------------------------------------------------- */

static void holds(struct proof_bounds b, int value)
{
	if (value < b.low || value > b.high)
		fail_msg("proved %d..%d, but the value is %d", b.low, b.high, value);
}

/* Bounds and the best move of a position, and bounds of all positions after it. */
static void check_position(struct memo *m, struct proof *p, struct seat *s, const uint64_t *state, bool whole)
{
	int value = minimax(m, state);
	struct proof_bounds b = proof_bounds(p, state), after;
	if (m->full)
		return;
	holds(b, value);
	if (whole && !proof_solved(b))
		fail_msg("not solved: %d..%d, value %d", b.low, b.high, value);
	struct view v = game_look(m->w, state);
	uint32_t count[2] = {v.start[1] - v.start[0], v.start[2] - v.start[1]}, chosen = GAME_NONE;
	uint32_t mover = count[1 - m->role] == 1 ? m->role : 1 - m->role, first = v.start[mover], joint[2];
	uint32_t *legal = mem_alloc(v.start[2], sizeof *legal);
	uint64_t *next = mem_alloc(m->words, sizeof *next);
	memcpy(legal, v.legal, v.start[2] * sizeof *legal);
	joint[1 - mover] = legal[v.start[1 - mover]];
	bool best = proof_best(p, s, state, mover, &chosen, &after), met = false;
	holds(after, value);
	assert_true(best || !whole);
	assert_false(mover == m->role ? proof_best(p, s, state, 1 - mover, &joint[mover], &after) : false);
	for (uint32_t i = 0; i < count[mover]; i++) {
		joint[mover] = legal[first + i];
		game_next(m->w, state, joint, next);
		int x = minimax(m, next);
		holds(proof_bounds(p, next), x);
		met |= joint[mover] == chosen;
		if (best && joint[mover] == chosen)
			assert_int_equal(x, value);
	}
	assert_true(met || !best);
	mem_free(legal);
	mem_free(next);
}

/* One table for many roots; budgets that are soon spent, then one that is not. */
static void check_game(const char *name, uint32_t role, size_t bytes, uint32_t from, uint32_t to, uint32_t positions)
{
	struct made made = load_game_named(name);
	struct seat s = new_seat(made.game, role);
	struct proof *p = proof_new(&s, bytes);
	struct memo m;
	assert_non_null(p);
	memo_make(&m, made.game, role);
	uint64_t *state = mem_alloc(m.words, sizeof *state);
	uint32_t checked = 0;
	for (uint32_t i = 0, tries = 0; i < positions && !m.full && tries < 100 * positions; tries++) {
		if (!walk(&s, from + rng_below(&s.rng, to - from + 1), state))
			continue;
		proof_run(p, &s, state, &(struct budget){.playouts = 1 + rng_below(&s.rng, 2000)});
		check_position(&m, p, &s, state, false);
		if (i % 4 == 0) {
			proof_run(p, &s, state, &(struct budget){.playouts = 20000000});
			check_position(&m, p, &s, state, true);
		}
		checked += !m.full;
		i++;
	}
	print_message("%s: %u positions, %u states\n", name, checked, m.count);
	assert_true(checked >= positions / 8);
	assert_true(proof_counters(p).proofs > 0);
	mem_free(state);
	memo_free(&m);
	proof_free(p);
	free_seat(&s);
	free_made(&made);
}

static void proofs_agree_with_minimax(void **state)
{
	static const struct {
		const char *name;
		uint32_t from, to, positions;
	} games[] = {
		{"tictactoe", 0, 8, 400},       {"nim", 0, 6, 200},
		{"nim_misere", 0, 6, 200},      {"chomp", 0, 6, 200},
		{"connect_3x3_3", 0, 6, 200},   {"connect_4x4_3", 4, 10, 300},
		{"connect_5x5_4", 15, 22, 300}, {"connect_5x5_3", 12, 20, 200},
		{"quarto", 24, 28, 60},         {"pentago", 65, 70, 100},
		{"othello", 54, 58, 100},       {"dots_and_boxes", 53, 58, 200},
	};
	for (size_t i = 0; i < sizeof games / sizeof *games; i++)
		for (uint32_t role = 0; role < 2; role++) {
			uint32_t positions = test_sample() ? games[i].positions / 10 + 8 : games[i].positions;
			check_game(games[i].name, role, role ? 4096 : (size_t)16 << 20, games[i].from, games[i].to, positions);
		}
}

/* ---- random games over graphs: whoever is at a node goes along an edge; there are cycles -------------------- */

#define PLACES 14

struct graph {
	bool edge[PLACES][PLACES], sink[PLACES];
	int pay[PLACES][2];
};

static void random_graph(struct graph *g, struct rng *rng)
{
	*g = (struct graph){0};
	uint32_t degree = 1 + rng_below(rng, 3);
	for (uint32_t x = 0; x < PLACES; x++) {
		g->sink[x] = x > PLACES / 2 && rng_below(rng, 2);
		for (uint32_t r = 0; r < 2; r++)
			g->pay[x][r] = (int)rng_below(rng, 5) * 25;
		g->pay[0][0] = g->pay[0][1] = 100; /* so that the rules name a goal of 100 */
		g->edge[x][(x + 1) % PLACES] = true;
		for (uint32_t k = 0; k < degree; k++)
			g->edge[x][rng_below(rng, PLACES)] = true;
	}
}

static void print_graph(const struct graph *g, struct text *t)
{
	text_puts(t, "(role a) (role b) (init (at n0)) (init (control a)) (other a b) (other b a)\n"
	             "(<= (legal ?r (go ?y)) (true (control ?r)) (true (at ?x)) (edge ?x ?y))\n"
	             "(<= (legal ?r noop) (role ?r) (not (true (control ?r))))\n"
	             "(<= (next (at ?y)) (does ?r (go ?y)))\n"
	             "(<= (next (control ?s)) (true (control ?r)) (other ?r ?s))\n"
	             "(<= terminal (true (at ?x)) (sink ?x)) (<= (goal ?r ?v) (true (at ?x)) (pay ?x ?r ?v))\n");
	for (uint32_t x = 0; x < PLACES; x++) {
		for (uint32_t y = 0; y < PLACES; y++)
			if (g->edge[x][y])
				text_printf(t, "(edge n%u n%u) ", x, y);
		text_printf(t, "(pay n%u a %d) (pay n%u b %d) (reached n%u)", x, g->pay[x][0], x, g->pay[x][1], x);
		text_puts(t, g->sink[x] ? "(sink " : "(inner ");
		text_printf(t, "n%u)\n", x);
	}
}

/* Where one side can force an end with at least `value` (or, the other side, with less): the least fixpoint. */
static void attract(const struct graph *g, uint32_t role, int value, bool less, bool in[PLACES][2])
{
	memset(in, 0, sizeof(bool[PLACES][2]));
	for (bool more = true; more;) {
		more = false;
		for (uint32_t x = 0; x < PLACES; x++)
			for (uint32_t turn = 0; turn < 2; turn++) {
				bool any = false, all = true, choose = (turn == role) != less;
				for (uint32_t y = 0; y < PLACES; y++)
					if (g->edge[x][y]) {
						any |= in[y][1 - turn];
						all &= in[y][1 - turn];
					}
				bool now = g->sink[x] ? (g->pay[x][role] < value) == less : choose ? any : all;
				more |= now && !in[x][turn];
				in[x][turn] |= now;
			}
	}
}

static void state_of(const struct game *g, uint32_t place, uint32_t turn, uint64_t *state)
{
	char word[32];
	memset(state, 0, g->words * sizeof *state);
	snprintf(word, sizeof word, "(at n%u)", place);
	uint32_t at = game_find_fluent(g, word), control = game_find_fluent(g, turn ? "(control b)" : "(control a)");
	if (at == GAME_NONE || control == GAME_NONE)
		return;
	state[at / 64] |= UINT64_C(1) << at % 64;
	state[control / 64] |= UINT64_C(1) << control % 64;
}

/* What is proved of every position, after work on some. Counts the questions about `root` that have an answer, and
 * those that were answered. */
static void check_graph(const struct graph *graph, const struct proof *p, const struct game *g, uint32_t role,
                        uint32_t root, uint32_t *open, uint32_t *answered)
{
	for (int v = 25; v <= 100; v += 25) {
		bool sure[PLACES][2], never[PLACES][2];
		attract(graph, role, v, false, sure);
		attract(graph, role, v, true, never);
		for (uint32_t i = 0; i < 2 * PLACES; i++) {
			uint64_t state;
			state_of(g, i / 2, i % 2, &state);
			struct proof_bounds b = proof_bounds(p, &state);
			bool low = sure[i / 2][i % 2], high = never[i / 2][i % 2];
			assert_true(b.low < v || low);
			assert_true(b.high >= v || high);
			*open += i == root && (low || high);
			*answered += i == root && (b.low >= v || b.high < v);
		}
	}
}

static void check_random_game(uint64_t seed, uint32_t *open, uint32_t *answered)
{
	struct rng rng = rng_seed(seed);
	struct graph graph;
	struct text t = {0};
	random_graph(&graph, &rng);
	print_graph(&graph, &t);
	struct made made = make_game(text_str(&t));
	struct seat s = new_seat(made.game, seed & 1);
	struct proof *p = proof_new(&s, seed & 2 ? 4096 : 1 << 20);
	uint32_t none = 0;
	uint64_t state;
	assert_non_null(p);
	assert_int_equal(made.game->words, 1);
	for (uint32_t k = 0; k < 12; k++) {
		uint32_t root = rng_below(&rng, 2 * PLACES);
		state_of(made.game, root / 2, root % 2, &state);
		if (!state || graph.sink[root / 2])
			continue;
		proof_run(p, &s, &state, &(struct budget){.playouts = 1 + rng_below(&rng, 60)});
		check_graph(&graph, p, made.game, s.role, root, &none, &none);
		proof_run(p, &s, &state, &(struct budget){.playouts = 20000});
		check_graph(&graph, p, made.game, s.role, root, open, answered);
	}
	proof_free(p);
	free_seat(&s);
	free_made(&made);
	text_free(&t);
}

static void proofs_hold_where_play_can_return(void **state)
{
	uint32_t open = 0, answered = 0;
	for (uint64_t seed = 0; seed < (test_sample() ? 60 : 400); seed++)
		check_random_game(seed, &open, &answered);
	print_message("%u of %u answers found\n", answered, open);
	assert_true(open > 1000 && answered > open * 9 / 10);
}

/* ---- which games ---------------------------------------------------------------------------------------------- */

static bool is_taken(struct made made)
{
	struct seat s = new_seat(made.game, 0);
	struct proof *p = proof_new(&s, 1 << 16);
	bool taken = p;
	proof_free(p);
	free_seat(&s);
	free_made(&made);
	return taken;
}

static void other_games_are_refused(void **state)
{
	assert_true(is_taken(load_game_named("tictactoe")));
	assert_false(is_taken(load_game_named("rock_paper_scissors")));
	assert_false(is_taken(load_game_named("connect_four_simultaneous")));
	assert_false(is_taken(load_game_named("hanoi_3")));
	assert_false(is_taken(load_game_named("kuhn_poker")));
	assert_false(is_taken(make_game(COINS)));
}

/* ---- playing by proofs --------------------------------------------------------------------------------------- */

/* Whoever is lost is mated in no more steps than the proof promised; the winner's moves never give the win away. */
static void a_win_is_played_to_its_end(void **state)
{
	struct made made = load_game_named("connect_5x5_4");
	struct seat s = new_seat(made.game, 0);
	struct proof *p = proof_new(&s, 16 << 20);
	uint64_t now[4];
	uint32_t won = 0;
	assert_true(made.game->words <= 4);
	for (uint32_t i = 0; i < 40; i++) {
		struct proof_bounds b = {0, 100};
		if (!walk(&s, 12, now))
			continue;
		proof_run(p, &s, now, &(struct budget){.playouts = 1000000});
		if (proof_bounds(p, now).low < 100)
			continue;
		for (struct view v; v = game_look(s.worker, now), !v.terminal;) {
			uint32_t joint[2];
			game_random_move(made.game, &v, &s.rng, joint);
			if (v.start[1] - v.start[0] > 1) {
				proof_run(p, &s, now, &(struct budget){.playouts = 1000000});
				assert_true(proof_best(p, &s, now, 0, &joint[0], &b));
				assert_int_equal(b.low, 100);
			}
			game_next(s.worker, now, joint, now);
		}
		assert_int_equal(game_look(s.worker, now).goals[0], 100);
		won++;
	}
	assert_true(won > 3);
	proof_free(p);
	free_seat(&s);
	free_made(&made);
}

/* ---- wide games -------------------------------------------------------------------------------------------------- */

/* 900 moves in every position, of 18,000 that a role has altogether. */
static void print_wide(struct text *t)
{
	text_puts(t, "(role a) (role b) (init (at k1)) (init (control a)) (other a b) (other b a) (n 0)\n"
	             "(<= (legal ?r (mark ?x ?y ?k)) (true (control ?r)) (true (at ?k)) (n ?x) (n ?y))\n"
	             "(<= (legal ?r noop) (role ?r) (not (true (control ?r))))\n"
	             "(<= (next (at ?l)) (true (at ?k)) (after ?k ?l))\n"
	             "(<= (next (marked ?x ?y)) (does ?r (mark ?x ?y ?k)))\n"
	             "(<= (next (control ?s)) (true (control ?r)) (other ?r ?s))\n"
	             "(<= terminal (true (at k20))) (<= (goal a 100) (true (marked ?x ?x)))\n"
	             "(<= (goal a 0) (true (marked ?x ?y)) (distinct ?x ?y))\n"
	             "(<= (goal b 100) (true (marked ?x ?y)) (distinct ?x ?y)) (<= (goal b 0) (true (marked ?x ?x)))\n");
	for (uint32_t i = 1; i < 30; i++)
		text_printf(t, "(n %u) ", i);
	for (uint32_t k = 1; k < 20; k++)
		text_printf(t, "(after k%u k%u) ", k, k + 1);
}

/* One pass of the circuit can take longer than there is time, and the children of all children much longer. */
static void wide_games_take_no_longer_than_they_may(void **state)
{
	struct text t = {0};
	print_wide(&t);
	struct made made = make_game(text_str(&t));
	struct seat s = new_seat(made.game, 0);
	struct proof *p = proof_new(&s, 16 << 20);
	struct proof_bounds b;
	uint32_t move;
	assert_non_null(p);
	proof_run(p, &s, made.game->initial, &(struct budget){.limit = limit_seconds_of(CLOCK_OF_PROCESS, 0.001)});
	assert_int_equal(proof_counters(p).nodes, 0);
	proof_run(p, &s, made.game->initial, &(struct budget){.playouts = 2000});
	uint64_t before = proof_counters(p).nodes;
	assert_in_range(before, 900, 5000);
	assert_false(proof_best(p, &s, made.game->initial, 0, &move, &b));
	assert_in_range(proof_counters(p).nodes - before, 0, 900);
	proof_free(p);
	free_seat(&s);
	free_made(&made);
	text_free(&t);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(proofs_agree_with_minimax),
		cmocka_unit_test(proofs_hold_where_play_can_return),
		cmocka_unit_test(other_games_are_refused),
		cmocka_unit_test(a_win_is_played_to_its_end),
		cmocka_unit_test(wide_games_take_no_longer_than_they_may),
	};
	return RUN(cases);
}

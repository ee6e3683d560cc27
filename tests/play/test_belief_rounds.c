/* Rounds over common beliefs: expected utilities against brute force over random games, known games, and where the
 * players vote instead. */
#include "make_game.h"

#include "play/mac/mac_belief.h"

#include <math.h>

/* ---- random games with shared percepts --------------------------------------------------------------
 *
 * Layers of states. In each of them somebody decides, chance draws, and a table says what comes next and what both
 * roles see; decisions are seen as well. Goals are random and add up to 100. */
enum { LAYERS = 3, STATES = 4, DECISIONS = 2, DRAWS = 3, SIGHTS = 3 };

struct tables {
	uint32_t next[LAYERS][STATES][DECISIONS][DRAWS], sight[LAYERS][STATES][DECISIONS][DRAWS], goal[STATES];
	bool two; /* the second role decides in the second layer */
};

static void draw_tables(struct tables *t, uint64_t seed)
{
	struct rng rng = rng_seed(seed);
	t->two = seed % 2;
	for (uint32_t l = 0; l < LAYERS; l++)
		for (uint32_t s = 0; s < STATES; s++)
			for (uint32_t a = 0; a < DECISIONS; a++)
				for (uint32_t d = 0; d < DRAWS; d++) {
					t->next[l][s][a][d] = rng_below(&rng, STATES);
					t->sight[l][s][a][d] = rng_below(&rng, SIGHTS);
				}
	for (uint32_t s = 0; s < STATES; s++)
		t->goal[s] = rng_below(&rng, 101);
}

static void write_rules(const struct tables *t, struct text *out)
{
	text_puts(out, "(role me) (role you) (role random) (init (at 0 0))\n");
	for (uint32_t l = 0; l < LAYERS; l++) {
		const char *who = t->two && l == 1 ? "you" : "me", *other = t->two && l == 1 ? "me" : "you";
		for (uint32_t a = 0; a < DECISIONS; a++)
			text_printf(out, "(<= (legal %s (take %u)) (layer %u))\n", who, a, l);
		text_printf(out, "(<= (legal %s noop) (layer %u))\n", other, l);
		for (uint32_t d = 0; d < DRAWS; d++)
			text_printf(out, "(<= (legal random (draw %u)) (layer %u))\n", d, l);
		for (uint32_t s = 0; s < STATES; s++)
			for (uint32_t a = 0; a < DECISIONS; a++)
				for (uint32_t d = 0; d < DRAWS; d++)
					text_printf(out, "(table %u %u %u %u %u %u)\n", l, s, a, d, t->next[l][s][a][d],
					            t->sight[l][s][a][d]);
	}
	text_puts(out, "(succ 0 1) (succ 1 2) (succ 2 3)\n"
	               "(<= (layer ?l) (true (at ?l ?s)))\n"
	               "(<= (taken ?a) (does me (take ?a))) (<= (taken ?a) (does you (take ?a)))\n"
	               "(<= (next (at ?m ?t)) (true (at ?l ?s)) (succ ?l ?m) (taken ?a) (does random (draw ?d)) (table ?l "
	               "?s ?a ?d ?t ?o))\n"
	               "(player me) (player you)\n"
	               "(<= (sees ?p (sight ?o)) (player ?p) (true (at ?l ?s)) (taken ?a) (does random (draw ?d)) (table "
	               "?l ?s ?a ?d ?t ?o))\n"
	               "(<= (sees ?p (took ?a)) (player ?p) (taken ?a))\n"
	               "(<= terminal (layer 3)) (goal random 0)\n");
	for (uint32_t s = 0; s < STATES; s++)
		text_printf(out, "(<= (goal me %u) (true (at 3 %u))) (<= (goal you %u) (true (at 3 %u)))\n", t->goal[s], s,
		            100 - t->goal[s], s);
}

/* The value for `me`, by the tables: the weights of the states that agree with what was seen, not normalised. */
static double brute(const struct tables *t, uint32_t layer, const double *weight)
{
	double best = 0;
	if (layer == LAYERS) {
		for (uint32_t s = 0; s < STATES; s++)
			best += weight[s] * t->goal[s];
		return best;
	}
	bool least = t->two && layer == 1;
	for (uint32_t a = 0; a < DECISIONS; a++) {
		double sum = 0;
		for (uint32_t o = 0; o < SIGHTS; o++) {
			double after[STATES] = {0};
			for (uint32_t s = 0; s < STATES; s++)
				for (uint32_t d = 0; d < DRAWS; d++)
					if (t->sight[layer][s][a][d] == o)
						after[t->next[layer][s][a][d]] += weight[s] / DRAWS;
			sum += brute(t, layer + 1, after);
		}
		best = !a || (least ? sum < best : sum > best) ? sum : best;
	}
	return best;
}

static struct mac_options options(void)
{
	return (struct mac_options){
		.tree = {.c = 0.2, .memory = 64}, .common = true, .beliefs = 512, .tune = MAC_TUNING_STANDARD};
}

/* The value of the first belief, exhausted. */
static double value_of(struct game *g, const struct symmetry *y, uint64_t *nodes)
{
	struct mac_options o = options();
	_Atomic uint32_t ready = GAME_NONE;
	struct seat s = {.game = g, .worker = worker_new(g), .rng = rng_seed(1), .options = &o, .ready = &ready};
	struct mac_belief *x = mac_belief_new(&s, &o);
	struct belief *b = belief_new(g, 0, &(struct belief_options){0});
	assert_non_null(x);
	mac_belief_symmetry(x, y);
	struct view v = game_look(s.worker, g->initial);
	uint32_t legal[8], count = v.start[1] - v.start[0];
	assert_true(count <= 8);
	memcpy(legal, v.legal, count * sizeof *legal);
	double share[8] = {0};
	struct turn t = {.legal = legal, .legal_count = count, .own_last = GAME_NONE};
	assert_true(belief_observe(b, s.worker, &s.rng, &t, NULL));
	uint32_t move = mac_belief_move(x, &s, &t, b, &(struct budget){.playouts = 1000000}, share);
	assert_true(move != GAME_NONE);
	bool exact;
	double value = mac_belief_value(x, 0, &exact);
	assert_true(exact);
	*nodes = s.count.nodes;
	mac_belief_free(x);
	belief_free(b);
	worker_free(s.worker);
	text_free(&s.why);
	return 100 * value;
}

static void random_games(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 200; seed++) {
		struct tables t;
		struct text rules = {0};
		draw_tables(&t, seed);
		write_rules(&t, &rules);
		struct made m = make_game(text_str(&rules));
		uint64_t nodes;
		double found = value_of(m.game, NULL, &nodes), right = brute(&t, 0, (double[STATES]){1});
		if (fabs(found - right) > 1e-6)
			fail_msg("seed %llu: %g, by brute force %g", (unsigned long long)seed, found, right);
		free_made(&m);
		text_free(&rules);
	}
}

/* Symmetric beliefs share a node, and the value stays. */
static void symmetric_beliefs(void **state)
{
	(void)state;
	static const struct {
		const char *game;
		double value;
	} known[] = {{"monty_hall", 200 / 3.0}, {"guess_dice", 100 / 6.0}};
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		struct made m = load_game_named(known[i].game);
		struct symmetry *y = symmetry_find(m.game, &(struct symmetry_options){0});
		uint64_t plain, less;
		assert_float_equal(value_of(m.game, NULL, &plain), known[i].value, 1e-4);
		assert_float_equal(value_of(m.game, y, &less), known[i].value, 1e-4);
		printf("%s: %llu beliefs, %llu with symmetries\n", known[i].game, (unsigned long long)plain,
		       (unsigned long long)less);
		assert_true(less <= plain);
		symmetry_free(y);
		free_made(&m);
	}
}

/* A prize behind one of two doors, two steps apart; walking into a wall and opening the wrong door change nothing
 * that can be seen. Both doors take five steps: with fewer, one of them has to be chosen. */
static void doors(void **state)
{
	(void)state;
	for (uint32_t horizon = 4; horizon <= 8; horizon++) {
		struct text rules = {0};
		text_puts(&rules, "(role me) (role random) (init (at 2)) (init (clock 0)) (init hiding)\n"
		                  "(succ 1 2) (succ 2 3) (door 1) (door 3)\n"
		                  "(<= (legal random (hide ?d)) (true hiding) (door ?d))\n"
		                  "(<= (legal random noop) (not (true hiding))) (<= (legal me noop) (true hiding))\n"
		                  "(<= (legal me left) (not (true hiding))) (<= (legal me right) (not (true hiding)))\n"
		                  "(<= (legal me open) (not (true hiding)))\n"
		                  "(<= (next (prize ?d)) (does random (hide ?d))) (<= (next (prize ?d)) (true (prize ?d)))\n"
		                  "(<= (to ?y) (does me left) (true (at ?x)) (succ ?y ?x))\n"
		                  "(<= (to ?y) (does me right) (true (at ?x)) (succ ?x ?y))\n"
		                  "(<= moving (to ?y)) (<= (next (at ?y)) (to ?y))\n"
		                  "(<= (next (at ?x)) (true (at ?x)) (not moving))\n"
		                  "(<= (next won) (does me open) (true (at ?x)) (true (prize ?x)))\n"
		                  "(<= (next (clock ?m)) (true (clock ?n)) (tick ?n ?m))\n"
		                  "(<= (sees me bump) (does me left) (true (at 1)))\n"
		                  "(<= terminal (true won)) (goal random 0)\n"
		                  "(<= (goal me 100) (true won)) (<= (goal me 0) (not (true won)))\n");
		for (uint32_t i = 0; i <= horizon; i++)
			text_printf(&rules, "(tick %u %u)\n", i, i + 1);
		text_printf(&rules, "(<= terminal (true (clock %u)))\n", horizon + 1); /* hiding takes the first step */
		struct made m = make_game(text_str(&rules));
		uint64_t nodes;
		assert_float_equal(value_of(m.game, NULL, &nodes), horizon >= 5 ? 100 : 50, 1e-4);
		free_made(&m);
		text_free(&rules);
	}
}

/* What the player says of its first choice in a game. */
static void reason_in(struct made m, const char *game, const char *who, const char *expected)
{
	struct game *g = m.game;
	struct text error = {0};
	struct player *p = player_make(g, 0, who, 3, &error);
	struct worker *w = worker_new(g);
	struct rng rng = rng_seed(6);
	uint64_t *at = mem_alloc(g->words + 1, 8);
	uint32_t joint[8], legal[512], seen[64];
	struct turn t = {.own_last = GAME_NONE, .legal = legal, .seen = NULL};
	memcpy(at, g->initial, g->words * 8);
	for (bool done = false; !done; t.step++) {
		struct view v = game_look(w, at);
		assert_false(v.terminal);
		t.legal_count = v.start[1] - v.start[0];
		memcpy(legal, v.legal + v.start[0], t.legal_count * sizeof *legal);
		assert_true(game_random_move(g, &v, &rng, joint));
		struct choice c = player_move(p, &t, &(struct budget){.playouts = 100});
		joint[0] = c.move;
		done = t.legal_count > 1;
		if (done && !strstr(c.why, expected))
			fail_msg("%s in %s: %s", who, game, c.why);
		struct percepts s = game_sees(w, at, joint);
		t.seen_count = s.start[1] - s.start[0];
		for (uint32_t i = 0; i < t.seen_count; i++)
			seen[i] = s.seen[s.start[0] + i];
		t.seen = seen;
		t.own_last = joint[0];
		game_next(w, at, joint, at);
	}
	player_free(p);
	mem_free(at);
	worker_free(w);
	text_free(&error);
	free_made(&m);
}

static void first_reason(const char *game, const char *who, const char *expected)
{
	reason_in(load_game_named(game), game, who, expected);
}

/* One role takes something that the other does not see, and has to guess. */
static void unseen_decisions(void **state)
{
	(void)state;
	static const char rules[] =
		"(role me) (role you) (init (step 1)) (thing 1) (thing 2)\n"
		"(<= (legal me (take ?a)) (true (step 1)) (thing ?a)) (<= (legal you noop) (true (step 1)))\n"
		"(<= (legal you (guess ?a)) (true (step 2)) (thing ?a)) (<= (legal me noop) (true (step 2)))\n"
		"(<= (next (step 2)) (true (step 1))) (<= (next (step 3)) (true (step 2)))\n"
		"(<= (next (taken ?a)) (does me (take ?a))) (<= (next (taken ?a)) (true (taken ?a)))\n"
		"(<= (next right) (does you (guess ?a)) (true (taken ?a)))\n"
		"(player me) (player you)\n"
		"(<= (sees ?p (guessed ?a)) (player ?p) (does you (guess ?a)))\n"
		"(<= terminal (true (step 3)))\n"
		"(<= (goal you 100) (true right)) (<= (goal you 0) (not (true right)))\n";
	struct text same = {0}, rival = {0};
	text_printf(&same, "%s(<= (goal me 100) (true right)) (<= (goal me 0) (not (true right)))\n", rules);
	text_printf(&rival, "%s(<= (goal me 0) (true right)) (<= (goal me 100) (not (true right)))\n", rules);
	reason_in(make_game(text_str(&same)), "same interest", "mac-ucb", "as if all knew all decisions");
	reason_in(make_game(text_str(&rival)), "rivals", "mac-ucb", "a vote since somebody has a secret");
	text_free(&same);
	text_free(&rival);
}

/* Within the fragment rounds are over beliefs; outside, the players say that they vote, and why. */
static void who_votes(void **state)
{
	(void)state;
	static const char *const who[] = {"mac-ucb", "mac-ucb-sym", "fc-ucb"};
	for (size_t i = 0; i < sizeof who / sizeof *who; i++) {
		first_reason("monty_hall", who[i], "rounds over common beliefs");
		first_reason("war", who[i], "rounds over common beliefs");
		first_reason("kuhn_poker", who[i], "a vote since the roles may see different things");
		first_reason("phantom_tictactoe", who[i], "votes of");
	}
	first_reason("monty_hall", "mac-ucb:common=false", "votes of");
	first_reason("monty_hall", "uct", "votes of");
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(random_games),     cmocka_unit_test(symmetric_beliefs), cmocka_unit_test(doors),
		cmocka_unit_test(unseen_decisions), cmocka_unit_test(who_votes),
	};
	return RUN(cases);
}

/* mac-ucb and fc-ucb: values of small games with chance against brute force, the same tree
 * whoever solves the rounds, equal seeds equal moves, tic-tac-toe never lost. */
#include "make_game.h"

#include "play/mac/mac_internal.h"

/* ---- small games of chance ------------------------------------------------------------------- */

/* Three doors: the car is put behind one, a door is chosen, one with nothing behind it is
 * opened, and the choice may be changed. All can be seen to be fair only on average: the
 * place of the car is drawn after the first choice, the opened door with it. */
#define DOORS \
	"(role p) (role random) (door 1) (door 2) (door 3) (init (step 0))\n" \
	"(<= (legal p (choose ?d)) (true (step 0)) (door ?d)) (<= (legal p noop) (true (step 1)))\n" \
	"(<= (legal p keep) (true (step 2))) (<= (legal p change) (true (step 2)))\n" \
	"(<= (legal p noop) (true (step 3)))\n" \
	"(<= (legal random noop) (true (step 0))) (<= (legal random noop) (true (step 2)))\n" \
	"(<= (legal random (open ?d)) (true (step 1)) (door ?d) (not (true (chosen ?d))))\n" \
	"(<= (legal random (car ?d)) (true (step 3)) (door ?d) (not (true (opened ?d))))\n" \
	"(<= (next (chosen ?d)) (does p (choose ?d))) (<= (next (chosen ?d)) (true (chosen ?d)) (not (does p change)))\n" \
	"(<= (next (chosen ?e)) (does p change) (true (chosen ?d)) (door ?e) (distinct ?d ?e) (not (true (opened ?e))))\n" \
	"(<= (next (opened ?d)) (does random (open ?d))) (<= (next (opened ?d)) (true (opened ?d)))\n" \
	"(<= (next (car ?d)) (does random (car ?d))) (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))\n" \
	"(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (<= terminal (true (step 4)))\n" \
	"(<= (goal p 100) (true (car ?d)) (true (chosen ?d))) (<= (goal p 0) (true (car ?d)) (not (true (chosen ?d))))\n"

/* Two roles race to three points with a die of three faces, of which one loses the turn's
 * points: throw or keep; at most six turns. */
#define RACE \
	"(role a) (role b) (role random) (init (turn a)) (init (has a 0)) (init (has b 0)) (init (pot 0)) (init (left " \
	"7))\n" \
	"(<= (legal ?r throw) (true (turn ?r))) (<= (legal ?r hold) (true (turn ?r)))\n" \
	"(<= (legal a noop) (not (true (turn a)))) (<= (legal b noop) (not (true (turn b))))\n" \
	"(<= (legal random (face ?f)) (die ?f)) (die 0) (die 1) (die 2)\n" \
	"(<= (next (turn ?r)) (does ?r throw) (not (does random (face 0))))\n" \
	"(<= (next (turn ?o)) (does ?r throw) (does random (face 0)) (other ?r ?o)) (<= (next (turn ?o)) (does ?r hold) " \
	"(other ?r ?o))\n" \
	"(<= (next (pot 0)) (does random (face 0))) (<= (next (pot 0)) (does ?r hold))\n" \
	"(<= (next (pot ?q)) (does ?r throw) (does random (face ?f)) (distinct ?f 0) (true (pot ?p)) (plus ?p ?f ?q))\n" \
	"(<= (next (has ?r ?n)) (true (has ?r ?n)) (not (does ?r hold)))\n" \
	"(<= (next (has ?r ?m)) (true (has ?r ?n)) (does ?r hold) (true (pot ?p)) (plus ?n ?p ?m))\n" \
	"(<= (next (left ?m)) (true (left ?n)) (succ ?m ?n)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) " \
	"(succ 5 6) (succ 6 7)\n" \
	"(other a b) (other b a) (<= terminal (true (left 0))) (<= terminal (true (has ?r 3)))\n" \
	"(<= (goal ?r 100) (true (has ?r ?n)) (other ?r ?o) (true (has ?o ?m)) (more ?n ?m))\n" \
	"(<= (goal ?r 0) (true (has ?r ?n)) (other ?r ?o) (true (has ?o ?m)) (more ?m ?n))\n" \
	"(<= (goal ?r 50) (true (has ?r ?n)) (other ?r ?o) (true (has ?o ?n)))\n" \
	"(more 1 0) (more 2 0) (more 3 0) (more 2 1) (more 3 1) (more 3 2)\n" \
	"(plus 0 0 0) (plus 0 1 1) (plus 0 2 2) (plus 0 3 3) (plus 1 0 1) (plus 1 1 2) (plus 1 2 3) (plus 1 3 3)\n" \
	"(plus 2 0 2) (plus 2 1 3) (plus 2 2 3) (plus 2 3 3) (plus 3 0 3) (plus 3 1 3) (plus 3 2 3) (plus 3 3 3)\n"

/* Two roles together pick from two trees with two fruits before the raven has come twice; a
 * die shows a tree (the raven's when it is empty), the raven, or a basket: any fruit. */
#define ORCHARD \
	"(role a) (role b) (role random) (init (tree 1 2)) (init (tree 2 2)) (init (raven 0)) (init (turn a)) (init " \
	"roll)\n" \
	"(<= (legal random (show ?f)) (true roll) (face ?f)) (<= (legal random noop) (not (true roll)))\n" \
	"(face 1) (face 2) (face raven) (face basket)\n" \
	"(<= (legal ?r noop) (role ?r) (distinct ?r random) (not (picks ?r)))\n" \
	"(<= (picks ?r) (true (turn ?r)) (true basket))\n" \
	"(<= (legal ?r (pick ?t)) (picks ?r) (true (tree ?t ?n)))\n" \
	"(<= (next roll) (true basket)) (<= (next roll) (does random (show ?f)) (distinct ?f basket))\n" \
	"(<= (next basket) (does random (show basket)))\n" \
	"(<= (next (turn ?r)) (true (turn ?r)) (does random (show basket)))\n" \
	"(<= (next (turn ?o)) (true (turn ?r)) (not (does random (show basket))) (other ?r ?o)) (other a b) (other b a)\n" \
	"(<= (less ?t) (does ?r (pick ?t))) (<= (less ?t) (does random (show ?t)) (true (tree ?t ?n)))\n" \
	"(<= (next (tree ?t ?n)) (true (tree ?t ?n)) (not (less ?t)))\n" \
	"(<= (next (tree ?t ?m)) (true (tree ?t ?n)) (less ?t) (succ ?m ?n) (distinct ?m 0))\n" \
	"(<= (next (raven ?m)) (true (raven ?n)) comes (succ ?n ?m))\n" \
	"(<= comes (does random (show raven))) (<= comes (does random (show ?t)) (number ?t) (not (full ?t)))\n" \
	"(number 1) (number 2) (<= (full ?t) (true (tree ?t ?n)))\n" \
	"(<= (next (raven ?n)) (true (raven ?n)) (not comes)) (succ 0 1) (succ 1 2)\n" \
	"(<= fruit (true (tree ?t ?n))) (<= terminal (not fruit)) (<= terminal (true (raven 2)))\n" \
	"(<= (goal ?r 100) (role ?r) (not fruit)) (<= (goal ?r 0) (role ?r) fruit)\n"

/* The value of a state for `me`: whoever has a choice takes what is best for itself, the mean over
 * chance; from single states of the circuit with nothing clever. At most one role and
 * chance choose. States come back, so values are kept. */
struct kept {
	uint64_t *states;
	double *values; /* roles a state */
	size_t count, cap;
};

static void brute(struct game *g, struct worker *w, struct kept *kept, const uint64_t *state, double *value, int depth)
{
	uint32_t roles = g->roles, words = g->words;
	for (size_t i = 0; i < kept->count; i++)
		if (!memcmp(kept->states + i * words, state, words * sizeof *state)) {
			memcpy(value, kept->values + i * roles, roles * sizeof *value);
			return;
		}
	assert_true(depth < 100);
	struct view v = game_look(w, state);
	if (v.terminal) {
		for (uint32_t r = 0; r < roles; r++)
			value[r] = v.goals[r];
		return;
	}
	uint32_t mover = roles, draws = 1;
	SCRATCH(uint32_t, legal, v.start[roles]);
	SCRATCH(uint32_t, count, roles);
	SCRATCH(uint32_t, first, roles);
	SCRATCH(uint32_t, moves, roles);
	SCRATCH(uint64_t, next, words);
	memcpy(legal, v.legal, v.start[roles] * sizeof *legal);
	for (uint32_t r = 0; r < roles; r++) {
		first[r] = v.start[r];
		count[r] = v.start[r + 1] - v.start[r];
		moves[r] = legal[first[r]];
		if (r == g->random)
			draws = count[r];
		else if (count[r] > 1) {
			assert_int_equal(mover, roles);
			mover = r;
		}
	}
	SCRATCH(double, best, roles);
	SCRATCH(double, mean, roles);
	SCRATCH(double, x, roles);
	for (uint32_t a = 0; a < (mover < roles ? count[mover] : 1); a++) {
		memset(mean, 0, roles * sizeof *mean);
		for (uint32_t d = 0; d < draws; d++) {
			if (mover < roles)
				moves[mover] = legal[first[mover] + a];
			if (g->random < roles)
				moves[g->random] = legal[first[g->random] + d];
			game_next(w, state, moves, next);
			brute(g, w, kept, next, x, depth + 1);
			for (uint32_t r = 0; r < roles; r++)
				mean[r] += x[r] / draws;
		}
		if (!a || mean[mover] > best[mover])
			memcpy(best, mean, roles * sizeof *best);
	}
	if (kept->count == kept->cap) {
		kept->cap = kept->cap ? 2 * kept->cap : 64;
		kept->states = mem_resize(kept->states, kept->cap * words, sizeof *kept->states);
		kept->values = mem_resize(kept->values, kept->cap * roles, sizeof *kept->values);
	}
	memcpy(kept->states + kept->count * words, state, words * sizeof *state);
	memcpy(kept->values + kept->count++ * roles, best, roles * sizeof *best);
	memcpy(value, best, roles * sizeof *best);
}

static const struct mac_options plain = {
	.tree = {.c = 0.3, .leaves = 8, .playouts = 8, .threads = 1, .memory = 64, .mild = 0.8, .expand = 1},
	.network = true,
	.tune = MAC_TUNING_STANDARD};

/* Who solves, and how: the last three are what the papers have, on both translations, in both searches. */
enum { BY_MAC, BY_FC, BY_CIRCUIT, AS_PUBLISHED, BY_LIST, BY_RULES, WAYS };

static struct mac_options options_of(int by)
{
	struct mac_options o = plain;
	o.split = o.theta = o.confidence = by >= AS_PUBLISHED;
	o.draws = 0.5;
	o.search = by == BY_LIST ? MAC_LIST : MAC_TREE;
	return o;
}

static struct model *model_of(struct game *g, int by)
{
	struct text error = {0};
	struct model_options o = {.translation = by == BY_RULES ? MODEL_RULES : MODEL_GATES,
	                          .passes = by >= AS_PUBLISHED ? 15 : 0};
	struct model *m = by == BY_CIRCUIT ? NULL : model_make(g, &o, &error);
	if (by != BY_CIRCUIT && !m)
		fail_msg("%s", text_str(&error));
	text_free(&error);
	return m;
}

static struct tree_value search_value(struct game *g, uint32_t role, int by, uint64_t playouts)
{
	struct seat s = {.game = g, .role = role, .worker = worker_new(g), .rng = rng_seed(7)};
	struct model *m = model_of(g, by);
	struct mac_options o = options_of(by);
	struct mac_search *k = mac_search_new(&s, &o);
	mac_search_solver(k, m, by == BY_FC ? MODEL_FC : by == BY_RULES ? MODEL_MAC_SAC : MODEL_MAC);
	mac_search_root(k, &s, g->initial);
	mac_search_run(k, &s, &(struct budget){.playouts = playouts});
	struct tree_value v = mac_search_value(k, role);
	mac_search_free(k);
	if (m)
		model_free(m);
	worker_free(s.worker);
	text_free(&s.why);
	return v;
}

static void chance_is_solved_exactly(void **state)
{
	static const char *const games[] = {THROWS, COINS, DOORS, RACE, ORCHARD};
	for (size_t i = 0; i < 5; i++) {
		struct made m = make_game(games[i]);
		struct worker *w = worker_new(m.game);
		struct kept kept = {0};
		SCRATCH(double, value, m.game->roles);
		brute(m.game, w, &kept, m.game->initial, value, 0);
		assert_true(kept.count > 5);
		for (uint32_t r = 0; r < m.game->roles; r++) {
			if (r == m.game->random)
				continue;
			for (int by = BY_MAC; by < WAYS; by++) {
				struct tree_value v = search_value(m.game, r, by, 3000000);
				if (v.high - v.low > 0.01 || v.low - value[r] > 0.01 || value[r] - v.low > 0.01)
					fail_msg("game %zu, role %u, solver %d: %.4f..%.4f and not %.4f", i, r, by, v.low, v.high,
					         value[r]);
			}
		}
		worker_free(w);
		mem_free(kept.states);
		mem_free(kept.values);
		free_made(&m);
	}
}

/* Well before anything is proved, all that is believed is the same whoever solves. */
static void solvers_make_the_same_tree(void **state)
{
	static const char *const games[] = {"connect_four", "kaseklau", "breakthrough_6x6"};
	for (size_t i = 0; i < (test_sample() ? 2 : 3); i++) {
		struct made m = load_game_named(games[i]);
		struct tree_value mac = search_value(m.game, 0, BY_MAC, 4000), fc = search_value(m.game, 0, BY_FC, 4000),
						  circuit = search_value(m.game, 0, BY_CIRCUIT, 4000);
		assert_true(mac.visits >= 400);
		assert_true(mac.mean > 0 && mac.mean < 100);
		assert_float_equal(mac.mean, fc.mean, 0);
		assert_float_equal(mac.mean, circuit.mean, 0);
		assert_float_equal(mac.visits, fc.visits, 0);
		assert_float_equal(mac.visits, circuit.visits, 0);
		free_made(&m);
	}
}

/* ---- matches ---------------------------------------------------------------------------------- */

static int play_out(struct game *g, const char *const *words, uint64_t seed, const struct budget *b, struct text *made)
{
	struct worker *w = worker_new(g);
	SCRATCH(struct player *, p, g->roles);
	struct text error = {0};
	SCRATCH(uint64_t, state, g->words);
	int result = -1;
	memcpy(state, g->initial, g->words * sizeof *state);
	for (uint32_t r = 0; r < g->roles; r++)
		if (!(p[r] = player_make(g, r, r == g->random ? "random" : words[r], seed * 10 + r, &error)))
			fail_msg("%s", text_str(&error));
	for (uint32_t step = 0; result < 0; step++) {
		struct view v = game_look(w, state);
		SCRATCH(uint32_t, legal, v.start[g->roles] + 1);
		SCRATCH(uint32_t, moves, g->roles);
		SCRATCH(uint32_t, start, g->roles + 1);
		if (v.terminal) {
			result = v.goals[0];
			break;
		}
		memcpy(legal, v.legal, v.start[g->roles] * sizeof *legal);
		memcpy(start, v.start, (g->roles + 1) * sizeof *start);
		for (uint32_t r = 0; r < g->roles; r++) {
			struct turn t = {.step = step,
			                 .state = state,
			                 .legal = legal + start[r],
			                 .legal_count = start[r + 1] - start[r],
			                 .own_last = GAME_NONE};
			struct choice c = player_move(p[r], &t, b);
			bool found = false;
			for (uint32_t i = 0; i < t.legal_count; i++)
				found |= t.legal[i] == c.move;
			assert_true(found);
			assert_null(strstr(c.why, "no legal move")); /* by itself, not because player.c helped */
			moves[r] = c.move;
			if (made)
				game_print_move(g, c.move, made);
		}
		game_next(w, state, moves, state);
	}
	for (uint32_t r = 0; r < g->roles; r++)
		player_free(p[r]);
	worker_free(w);
	text_free(&error);
	return result;
}

static void tictactoe_is_never_lost(void **state)
{
	static const char *const ours[] = {"mac-ucb", "fc-ucb"}, *const others[] = {"random", "uct", "ucb", "mac-ucb"};
	struct made m = load_game_named("tictactoe");
	struct budget b = {.playouts = 6000};
	for (size_t i = 0; i < 2; i++)
		for (size_t k = 0; k < 4; k += test_sample() ? 3 : 1)
			for (uint64_t seed = 1; seed <= (test_sample() ? 1 : 4); seed++) {
				const char *first[] = {ours[i], others[k]}, *second[] = {others[k], ours[i]};
				if (play_out(m.game, first, seed, &b, NULL) < 50 || play_out(m.game, second, seed, &b, NULL) > 50)
					fail_msg("%s lost to %s with seed %d", ours[i], others[k], (int)seed);
			}
	free_made(&m);
}

/* Games of all kinds: alternating, simultaneous, with chance, with one role, with three. */
static void seeds_decide_everything(void **state)
{
	static const char *const games[] = {"connect_4x4_3", "connect_four_simultaneous", "kaseklau", "hanoi_3",
	                                    "rock_paper_scissors"};
	struct budget b = {.playouts = 300};
	for (size_t i = 0; i < 5; i += test_sample() ? 4 : 1) {
		struct made m = load_game_named(games[i]);
		const char *mac[] = {"mac-ucb", "mac-ucb", "mac-ucb"}, *fc[] = {"fc-ucb", "fc-ucb", "fc-ucb"},
				   *circuit[] = {"mac-ucb:network=no", "mac-ucb:network=no", "mac-ucb:network=no"};
		struct text one = {0}, two = {0}, three = {0}, four = {0};
		play_out(m.game, mac, 5, &b, &one);
		play_out(m.game, mac, 5, &b, &two);
		play_out(m.game, fc, 5, &b, &three);
		play_out(m.game, circuit, 5, &b, &four);
		assert_string_equal(text_str(&one), text_str(&two));
		assert_string_equal(text_str(&one), text_str(&three));
		assert_string_equal(text_str(&one), text_str(&four));
		text_free(&one);
		text_free(&two);
		text_free(&three);
		text_free(&four);
		free_made(&m);
	}
}

/* The explanation tells who solved the rounds; the counters, how many. */
static void the_solver_is_told(void **state)
{
	struct made m = load_game_named("connect_four");
	struct worker *w = worker_new(m.game);
	static const struct {
		const char *word, *who;
	} cases[] = {{"mac-ucb", "by MAC"}, {"fc-ucb", "by FC"}, {"mac-ucb:network=no", "by the circuit"}};
	for (size_t i = 0; i < 3; i++) {
		struct text error = {0};
		struct player *p = player_make(m.game, 0, cases[i].word, 1, &error);
		struct view v = game_look(w, m.game->initial);
		struct turn t = {.state = m.game->initial, .legal = v.legal, .legal_count = v.start[1], .own_last = GAME_NONE};
		struct choice c = player_move(p, &t, &(struct budget){.playouts = 2000});
		if (!strstr(c.why, cases[i].who))
			fail_msg("%s: %s", cases[i].word, c.why);
		const struct counters *n = player_counters(p);
		assert_true(n->rounds > 5 && n->playouts >= 1500 && n->solve_seconds > 0 && n->playout_seconds > 0);
		player_free(p);
		text_free(&error);
	}
	worker_free(w);
	free_made(&m);
}

/* A network that is too large for forward checking: the circuit solves the rounds, and the reason is told. */
static void a_refused_network_is_told(void **state)
{
	if (test_sample())
		return; /* it takes seconds to build such a network */
	struct made m = load_game_named("hex");
	struct worker *w = worker_new(m.game);
	struct text error = {0};
	struct player *p = player_make(m.game, 0, "fc-ucb", 1, &error);
	struct view v = game_look(w, m.game->initial);
	struct turn t = {.state = m.game->initial, .legal = v.legal, .legal_count = v.start[1], .own_last = GAME_NONE};
	struct choice c = player_move(p, &t, &(struct budget){.playouts = 200});
	if (!strstr(c.why, "by the circuit (no network: FC refuses one of "))
		fail_msg("%s", c.why);
	assert_true(player_counters(p)->by_circuit > 0 && !player_counters(p)->by_network);
	player_free(p);
	text_free(&error);
	worker_free(w);
	free_made(&m);
}

/* Matching Pennies, from the rulesheet to the move: rounds of the network alone, a draw in the second one, two roles
 * who choose at once. Whoever is second to know the other's penny puts down the same side. */
static void matching_pennies(void **state)
{
	static const char *const words[] = {"mac-ucb", "mac-ucb:search=list", "mac-ucb:translation=rules",
	                                    "mac-ucb:sac=yes", "fc-ucb"};
	struct made m = load_game_named("matching_pennies_cooperative");
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		struct text error = {0};
		struct worker *w = worker_new(m.game);
		struct player *p = player_make(m.game, 0, words[i], 1, &error);
		struct view v = game_look(w, m.game->initial);
		struct turn t = {.state = m.game->initial, .legal = v.legal, .legal_count = v.start[1], .own_last = GAME_NONE};
		struct choice c = player_move(p, &t, &(struct budget){.playouts = 2000});
		const struct counters *n = player_counters(p);
		assert_true(turn_allows(&t, c.move));
		assert_true(n->by_network == n->rounds && n->rounds >= 2 && !n->by_circuit);
		if (n->feasible < n->rounds / 2 || !strstr(c.why, "feasibility tuples"))
			fail_msg("%s: %s", words[i], c.why);
		player_free(p);
		worker_free(w);
		text_free(&error);
	}
	free_made(&m);
}

/* Solving has the share of the clock that was asked for. */
static void shares_are_kept(void **state)
{
	static const double shares[] = {0.1, 0.5, 0.9}, seconds[] = {2.4, 0.8, 0.8}; /* a first round is slow */
	struct made m = load_game_named("connect_four");
	struct worker *w = worker_new(m.game);
	for (size_t i = 0; i < 3; i++) {
		struct text error = {0}, word = {0};
		text_printf(&word, "mac-ucb:solve=%.1f:ahead=1", shares[i]);
		struct player *p = player_make(m.game, 0, text_str(&word), 1, &error);
		struct view v = game_look(w, m.game->initial);
		struct turn t = {.state = m.game->initial, .legal = v.legal, .legal_count = v.start[1], .own_last = GAME_NONE};
		player_start(p, &(struct budget){.playouts = 10});
		double before = player_counters(p)->solve_seconds, share = -1;
		struct choice c = player_move(p, &t, &(struct budget){.limit = limit_seconds_of(CLOCK_OF_PROCESS, seconds[i])});
		const char *at = strstr(c.why, "% of the clock for solving");
		while (at && at > c.why && at[-1] >= '0' && at[-1] <= '9')
			at--;
		share = at ? atof(at) / 100 : -1;
		assert_true(player_counters(p)->solve_seconds > before);
		if (share < shares[i] - 0.03 || share > shares[i] + 0.03)
			fail_msg("%.1f was asked for: %s", shares[i], c.why);
		player_free(p);
		text_free(&error);
		text_free(&word);
	}
	worker_free(w);
	free_made(&m);
}

/* By the clock only rounds are solved that walks have led to; with `ahead`, others too. */
static void rounds_are_solved_where_walks_lead(void **state)
{
	struct made m = load_game_named("connect_four");
	for (int ahead = 0; ahead < 2; ahead++) {
		struct seat s = {.game = m.game, .worker = worker_new(m.game), .rng = rng_seed(7)};
		struct mac_options o = plain;
		o.solve = 0.5;
		o.ahead = ahead ? 0.4 : 0;
		struct mac_search *k = mac_search_new(&s, &o);
		struct budget b = {.limit = limit_seconds_of(CLOCK_OF_PROCESS, 0.3)};
		size_t unvisited = 0;
		mac_search_root(k, &s, m.game->initial);
		mac_search_run(k, &s, &b);
		for (uint32_t i = 0; i < k->tree->nodes.n; i++)
			unvisited += i != k->tree->root && k->tree->nodes.at[i].start && k->tree->nodes.at[i].visits < 1;
		assert_int_equal(unvisited > 0, ahead);
		mac_search_free(k);
		worker_free(s.worker);
		text_free(&s.why);
	}
	free_made(&m);
}

/* ---- symmetry ---------------------------------------------------------------------------------- */

/* The doors of DOORS are alike as long as none is touched: a symmetry for this test, by
 * sorting what is known of the doors. */
struct doors {
	struct game *g;
	uint64_t asked;
};

static const uint32_t *sort_doors(void *context, const uint64_t *state, uint64_t *into, uint64_t *twin)
{
	static const char *const what[] = {"chosen", "opened", "car"};
	struct doors *d = context;
	uint32_t bit[3][3], key[3] = {0}, order[3] = {0, 1, 2};
	d->asked++;
	memcpy(into, state, d->g->words * sizeof *state);
	for (uint32_t i = 0; i < 3; i++)
		for (uint32_t k = 0; k < 3; k++) {
			char text[32];
			snprintf(text, sizeof text, "(%s %u)", what[k], i + 1);
			bit[i][k] = game_find_fluent(d->g, text);
			bool has = state[bit[i][k] / 64] >> bit[i][k] % 64 & 1;
			key[i] |= (uint32_t)has << k;
			into[bit[i][k] / 64] &= ~(UINT64_C(1) << bit[i][k] % 64);
		}
	for (uint32_t i = 0; i < 3; i++)
		for (uint32_t j = i + 1; j < 3; j++)
			if (key[order[j]] > key[order[i]]) {
				uint32_t t = order[i];
				order[i] = order[j];
				order[j] = t;
			}
	for (uint32_t i = 0; i < 3; i++)
		for (uint32_t k = 0; k < 3; k++)
			if (key[order[i]] >> k & 1)
				into[bit[i][k] / 64] |= UINT64_C(1) << bit[i][k] % 64;
	return NULL;
}

static void symmetric_states_share_a_node(void **state)
{
	struct made m = make_game(DOORS);
	uint64_t nodes[2];
	for (int with = 0; with < 2; with++) {
		struct doors doors = {m.game, 0};
		struct seat s = {.game = m.game, .worker = worker_new(m.game), .rng = rng_seed(7)};
		struct mac_search *k = mac_search_new(&s, &plain);
		if (with)
			mac_search_symmetry(k, &doors, sort_doors);
		mac_search_root(k, &s, m.game->initial);
		mac_search_run(k, &s, &(struct budget){.playouts = 1000000});
		struct tree_value v = mac_search_value(k, 0);
		assert_float_equal(v.low, 50, 0.01); /* drawn after the opening, both doors are alike */
		assert_float_equal(v.high, 50, 0.01);
		nodes[with] = s.count.nodes;
		assert_true(!with || doors.asked > 0);
		mac_search_free(k);
		worker_free(s.worker);
		text_free(&s.why);
	}
	assert_true(nodes[1] * 2 < nodes[0]);
	free_made(&m);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(chance_is_solved_exactly),  cmocka_unit_test(solvers_make_the_same_tree),
		cmocka_unit_test(tictactoe_is_never_lost),   cmocka_unit_test(seeds_decide_everything),
		cmocka_unit_test(matching_pennies),          cmocka_unit_test(shares_are_kept),
		cmocka_unit_test(the_solver_is_told),        cmocka_unit_test(symmetric_states_share_a_node),
		cmocka_unit_test(a_refused_network_is_told), cmocka_unit_test(rounds_are_solved_where_walks_lead),
	};
	return RUN(cases);
}

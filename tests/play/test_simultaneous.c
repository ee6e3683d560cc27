/* Exact values where roles choose at once: matrix games against closed forms and against what their own strategies are
 * sure of; positions against backward induction over all that follows, with matrix games solved by regret matching. */
#include "minimax.h"
#include "work.h"

#include "play/mcgs/mcgs.h"
#include "play/proof/matrix_game.h"
#include "play/proof/simultaneous.h"

#include <math.h>

/* ---- matrix games ------------------------------------------------------------------------------------------- */

/* Both strategies are probabilities, and sure of the bounds that were returned; these meet. */
static double check_matrix(struct matrix_room *room, const double *a, uint32_t rows, uint32_t columns)
{
	double x[80], y[80], sum[2] = {0}, least = HUGE_VAL, most = -HUGE_VAL;
	struct matrix_value v = matrix_game_solve(room, &(struct matrix_game){a, rows, columns}, x, y);
	for (uint32_t i = 0; i < rows; i++) {
		double paid = 0;
		assert_true(x[i] >= 0);
		sum[0] += x[i];
		for (uint32_t j = 0; j < columns; j++)
			paid += y[j] * a[i * columns + j];
		most = fmax(most, paid);
	}
	for (uint32_t j = 0; j < columns; j++) {
		double paid = 0;
		assert_true(y[j] >= 0);
		sum[1] += y[j];
		for (uint32_t i = 0; i < rows; i++)
			paid += x[i] * a[i * columns + j];
		least = fmin(least, paid);
	}
	assert_true(fabs(sum[0] - 1) < 1e-9 && fabs(sum[1] - 1) < 1e-9);
	assert_true(fabs(least - v.low) < 1e-9 && fabs(most - v.high) < 1e-9);
	if (rows <= MATRIX_GAME_MOST && columns <= MATRIX_GAME_MOST && v.high - v.low > 1e-8)
		fail_msg("%u rows, %u columns: %.12f..%.12f", rows, columns, v.low, v.high);
	return v.low;
}

static double two_by_two(const double *a)
{
	double low = fmax(fmin(a[0], a[1]), fmin(a[2], a[3])), high = fmin(fmax(a[0], a[2]), fmax(a[1], a[3]));
	return low >= high ? low : (a[0] * a[3] - a[1] * a[2]) / (a[0] + a[3] - a[1] - a[2]);
}

static void two_by_two_has_a_closed_form(void **state)
{
	struct matrix_room room = {0};
	struct rng rng = rng_seed(3);
	for (uint32_t i = 0; i < 20000; i++) {
		double a[4];
		for (uint32_t k = 0; k < 4; k++)
			a[k] = i % 2 ? 100 * rng_unit(&rng) : rng_below(&rng, 4) * 25;
		assert_true(fabs(check_matrix(&room, a, 2, 2) - two_by_two(a)) < 1e-9);
	}
	matrix_room_free(&room);
}

/* Real numbers, few values with many ties, lines twice, one line below another, all the same. */
static void strategies_show_the_value(void **state)
{
	struct matrix_room room = {0};
	struct rng rng = rng_seed(4);
	double *a = mem_alloc(70 * 70, sizeof *a);
	for (uint32_t i = 0; i < (test_sample() ? 200 : 3000); i++) {
		uint32_t most = i % 100 == 99 ? 70 : 16;
		uint32_t rows = 1 + rng_below(&rng, most), columns = 1 + rng_below(&rng, most), kind = i % 5;
		for (uint32_t k = 0; k < rows * columns; k++)
			a[k] = kind == 0   ? 100 * rng_unit(&rng)
			       : kind == 1 ? rng_below(&rng, 2) * 100.0
			                   : rng_below(&rng, 5) * 25.0;
		for (uint32_t k = columns; kind == 2 && k < rows * columns; k++)
			a[k] = rng_below(&rng, 2) ? a[k - columns] : a[k];
		for (uint32_t k = columns; kind == 3 && k < 2 * columns && rows > 1; k++)
			a[k] = a[k - columns] - 1;
		for (uint32_t k = 0; kind == 4 && k < rows * columns && i % 2; k++)
			a[k] = 37;
		double v = check_matrix(&room, a, rows, columns);
		assert_true(kind != 4 || !(i % 2) || v == 37);
	}
	mem_free(a);
	matrix_room_free(&room);
}

/* ---- backward induction ----------------------------------------------------------------------------------------- */

#define ORACLE (1u << 16)
#define SIDE 24

struct oracle {
	struct game *g;
	struct worker *w;
	uint64_t *states;
	double *low, *high; /* low below 0: empty */
	uint32_t count;
	bool full;
};

static void oracle_make(struct oracle *o, struct game *g)
{
	*o = (struct oracle){.g = g, .w = worker_new(g)};
	o->states = mem_alloc((size_t)ORACLE * g->words, sizeof *o->states);
	o->low = mem_alloc(ORACLE, sizeof *o->low);
	o->high = mem_alloc(ORACLE, sizeof *o->high);
	for (uint32_t i = 0; i < ORACLE; i++)
		o->low[i] = -1;
}

static void oracle_free(struct oracle *o)
{
	worker_free(o->w);
	mem_free(o->states);
	mem_free(o->low);
	mem_free(o->high);
}

static uint32_t oracle_place(const struct oracle *o, const uint64_t *state)
{
	size_t words = o->g->words;
	uint32_t i = (uint32_t)game_hash(o->g, state) & (ORACLE - 1);
	while (o->low[i] >= 0 && memcmp(o->states + i * words, state, words * sizeof *state) != 0)
		i = (i + 1) & (ORACLE - 1);
	return i;
}

static void match(double *regret, double *now, double *mean, uint32_t n, double weight)
{
	double total = 0;
	for (uint32_t i = 0; i < n; i++)
		total += regret[i] = fmax(regret[i], 0);
	for (uint32_t i = 0; i < n; i++) {
		now[i] = total > 0 ? regret[i] / total : 1.0 / n;
		mean[i] += weight * now[i];
	}
}

/* What an average strategy of the row is sure of, and what one of the column does not exceed, both in the matrix. */
static void regret_matching(const double *a, uint32_t rows, uint32_t columns, double *low, double *high)
{
	double rx[SIDE] = {0}, ry[SIDE] = {0}, x[SIDE], y[SIDE], mx[SIDE] = {0}, my[SIDE] = {0};
	for (uint32_t t = 1, next = 64; t <= 20000; t++) {
		double ux[SIDE] = {0}, uy[SIDE] = {0}, v = 0;
		match(rx, x, mx, rows, t);
		match(ry, y, my, columns, t);
		for (uint32_t i = 0; i < rows; i++)
			for (uint32_t j = 0; j < columns; j++) {
				ux[i] += y[j] * a[i * columns + j];
				uy[j] += x[i] * a[i * columns + j];
			}
		for (uint32_t i = 0; i < rows; i++)
			v += x[i] * ux[i];
		for (uint32_t i = 0; i < rows; i++)
			rx[i] += ux[i] - v;
		for (uint32_t j = 0; j < columns; j++)
			ry[j] += v - uy[j];
		if (t < next)
			continue;
		next *= 2;
		double weight = t * (t + 1.0) / 2, l = HUGE_VAL, h = -HUGE_VAL;
		for (uint32_t j = 0; j < columns; j++) {
			double sum = 0;
			for (uint32_t i = 0; i < rows; i++)
				sum += mx[i] * a[i * columns + j] / weight;
			l = fmin(l, sum);
		}
		for (uint32_t i = 0; i < rows; i++) {
			double sum = 0;
			for (uint32_t j = 0; j < columns; j++)
				sum += my[j] * a[i * columns + j] / weight;
			h = fmax(h, sum);
		}
		*low = fmax(*low, l);
		*high = fmin(*high, h);
		if (*high - *low < 0.01)
			return;
	}
}

static void oracle_matrix(const double *a, uint32_t rows, uint32_t columns, double *low, double *high)
{
	*low = -HUGE_VAL;
	*high = HUGE_VAL;
	for (uint32_t i = 0; i < rows; i++) {
		double least = HUGE_VAL;
		for (uint32_t j = 0; j < columns; j++)
			least = fmin(least, a[i * columns + j]);
		*low = fmax(*low, least);
	}
	for (uint32_t j = 0; j < columns; j++) {
		double most = -HUGE_VAL;
		for (uint32_t i = 0; i < rows; i++)
			most = fmax(most, a[i * columns + j]);
		*high = fmin(*high, most);
	}
	if (*low < *high)
		regret_matching(a, rows, columns, low, high);
}

static void oracle_value(struct oracle *o, const uint64_t *state, double *low, double *high);

static void oracle_children(struct oracle *o, const struct view *v, const uint64_t *state, double *low, double *high)
{
	uint32_t rows = v->start[1], columns = v->start[2] - v->start[1], joint[2], legal[2 * SIDE];
	double l[SIDE * SIDE], h[SIDE * SIDE], other;
	assert_true(rows <= SIDE && columns <= SIDE);
	SCRATCH(uint64_t, next, o->g->words);
	memcpy(legal, v->legal, v->start[2] * sizeof *legal);
	for (uint32_t k = 0; k < rows * columns && !o->full; k++) {
		joint[0] = legal[k / columns];
		joint[1] = legal[rows + k % columns];
		game_next(o->w, state, joint, next);
		oracle_value(o, next, &l[k], &h[k]);
	}
	if (o->full)
		return;
	oracle_matrix(l, rows, columns, low, &other);
	oracle_matrix(h, rows, columns, &other, high);
}

static void oracle_value(struct oracle *o, const uint64_t *state, double *low, double *high)
{
	uint32_t at = oracle_place(o, state);
	if (o->low[at] < 0) {
		struct view v = game_look(o->w, state);
		o->full |= o->count > ORACLE / 2;
		*low = *high = v.goals[0];
		if (!v.terminal)
			oracle_children(o, &v, state, low, high);
		if (o->full)
			return;
		at = oracle_place(o, state);
		memcpy(o->states + (size_t)at * o->g->words, state, o->g->words * sizeof *state);
		o->low[at] = *low;
		o->high[at] = *high;
		o->count++;
	}
	*low = o->low[at];
	*high = o->high[at];
}

/* ---- positions ------------------------------------------------------------------------------------------------------
 */

static struct made load_shared(const char *name)
{
	struct text path = {0}, text = {0}, error = {0};
	const char *corpus = getenv("MACAW_CORPUS"), *root = getenv("MACAW_SOURCE");
	text_printf(&path, "%s%s/%s.kif", corpus ? corpus : root ? root : ".", corpus ? "" : "/../shared/games", name);
	struct made m = {0};
	if (text_read_file(&text, text_str(&path), (size_t)1 << 20, &error))
		m = make_game(text_str(&text));
	text_free(&path);
	text_free(&text);
	text_free(&error);
	return m;
}

static void holds(struct simultaneous_bounds b, double low, double high, bool whole)
{
	if (b.low > high + 1e-3 || b.high < low - 1e-3)
		fail_msg("bounds %f..%f, but the value is in %f..%f", b.low, b.high, low, high);
	if (whole && !simultaneous_solved(b))
		fail_msg("not solved: %f..%f, value in %f..%f", b.low, b.high, low, high);
}

/* What a strategy of a role is sure of, by the oracle. */
static void check_strategy(struct oracle *o, struct simultaneous *q, struct seat *s, const uint64_t *state,
                           uint32_t role, double value)
{
	struct view v = game_look(o->w, state);
	uint32_t count[2] = {v.start[1], v.start[2] - v.start[1]}, legal[2 * SIDE], joint[2];
	double share[SIDE], low, high, total = 0;
	struct simultaneous_bounds b;
	memcpy(legal, v.legal, v.start[2] * sizeof *legal);
	assert_true(simultaneous_strategy(q, s, state, role, share, &b));
	SCRATCH(uint64_t, next, o->g->words);
	for (uint32_t j = 0; j < count[1 - role]; j++) {
		double sum = 0;
		for (uint32_t i = 0; i < count[role]; i++) {
			joint[role] = legal[(role ? count[0] : 0) + i];
			joint[1 - role] = legal[(role ? 0 : count[0]) + j];
			game_next(o->w, state, joint, next);
			oracle_value(o, next, &low, &high);
			sum += share[i] * (role ? low : high);
		}
		assert_true(role ? sum <= value + 0.1 : sum >= value - 0.1);
	}
	for (uint32_t i = 0; i < count[role]; i++) {
		assert_true(share[i] >= 0);
		total += share[i];
	}
	assert_true(fabs(total - 1) < 1e-9);
}

/* One table for many roots; budgets that are soon spent, then one that is not. */
static uint32_t check_game(struct made *made, size_t bytes, uint32_t from, uint32_t to, uint32_t positions)
{
	struct seat s = new_seat(made->game, 1);
	struct simultaneous *q = simultaneous_new(&s, bytes);
	struct oracle o;
	uint32_t mixed = 0, checked = 0;
	double low, high;
	assert_non_null(q);
	oracle_make(&o, made->game);
	SCRATCH(uint64_t, state, made->game->words);
	for (uint32_t tries = 0; checked < positions && tries < 20 * positions && !o.full; tries++) {
		if (!walk(&s, from + rng_below(&s.rng, to - from + 1), state))
			continue;
		oracle_value(&o, state, &low, &high);
		if (o.full)
			break;
		simultaneous_run(q, &s, state, &(struct budget){.playouts = 1 + rng_below(&s.rng, 2000)});
		holds(simultaneous_bounds(q, state), low, high, false);
		simultaneous_run(q, &s, state, &(struct budget){.playouts = 20000000});
		struct simultaneous_bounds b = simultaneous_bounds(q, state);
		holds(b, low, high, true);
		for (uint32_t role = 0; role < 2; role++)
			check_strategy(&o, q, &s, state, role, b.low);
		mixed += fabs(b.low - round(b.low)) > 1e-3;
		checked++;
	}
	assert_true(checked >= positions / 2 && simultaneous_fits(q));
	oracle_free(&o);
	simultaneous_free(q);
	free_seat(&s);
	return mixed;
}

/* First a bet, on which the stakes of the pennies depend. */
#define BET \
	"(role a) (role b) (init (at bet)) (side heads) (side tails) (choice low) (choice high)\n" \
	"(<= (legal ?r (bet ?c)) (role ?r) (choice ?c) (true (at bet)))\n" \
	"(<= (legal ?r (turn ?s)) (role ?r) (side ?s) (true (at (pennies ?x ?y))))\n" \
	"(<= (next (at (pennies ?x ?y))) (does a (bet ?x)) (does b (bet ?y)))\n" \
	"(<= (next (at (end ?x ?y same))) (true (at (pennies ?x ?y))) (does a (turn ?s)) (does b (turn ?s)))\n" \
	"(<= (next (at (end ?x ?y other))) (true (at (pennies ?x ?y))) (does a (turn ?s)) (does b (turn ?t)) " \
	"(distinct ?s ?t))\n" \
	"(<= terminal (true (at (end ?x ?y ?z))))\n" \
	"(<= (goal a ?v) (true (at (end ?x ?y ?z))) (pay ?x ?y ?z ?v ?w))\n" \
	"(<= (goal b ?w) (true (at (end ?x ?y ?z))) (pay ?x ?y ?z ?v ?w))\n" \
	"(pay low low same 100 0) (pay low low other 20 80) (pay low high same 40 60) (pay low high other 0 100)\n" \
	"(pay high low same 30 70) (pay high low other 10 90) (pay high high same 100 0) (pay high high other 0 100)\n"

/* The pennies are worth 60, 20, 20 and 50; by the closed form that is 260/7 in all. */
static void a_game_in_two_stages(void **state)
{
	struct made m = make_game(BET);
	struct seat s = new_seat(m.game, 0);
	struct simultaneous *q = simultaneous_new(&s, 1 << 20);
	simultaneous_run(q, &s, m.game->initial, &(struct budget){.playouts = 100000});
	struct simultaneous_bounds b = simultaneous_bounds(q, m.game->initial);
	double share[2], stage[4] = {60, 20, 20, 50};
	assert_true(fabs(two_by_two(stage) - 260.0 / 7) < 1e-9);
	assert_true(b.low <= 260.0 / 7 && b.high >= 260.0 / 7 && simultaneous_solved(b));
	assert_true(simultaneous_strategy(q, &s, m.game->initial, 0, share, &b));
	assert_true(fabs(share[0] + share[1] - 1) < 1e-9 && fabs(fmin(share[0], share[1]) - 3.0 / 7) < 1e-4);
	simultaneous_free(q);
	free_seat(&s);
	check_game(&m, 4096, 0, 1, 4);
	free_made(&m);
}

/* Both moves of `a` are worth 50 against the best reply; one of them gains by a mistake. */
#define MISTAKES \
	"(role a) (role b) (init now) (<= (legal a ?m) (mine ?m) (true now)) (<= (legal b ?m) (yours ?m) (true now))\n" \
	"(mine safe) (mine even) (mine bold) (yours right) (yours wrong)\n" \
	"(<= (next (paid ?v ?w)) (does a ?x) (does b ?y) (pay ?x ?y ?v ?w)) (<= terminal (true (paid ?v ?w)))\n" \
	"(<= (goal a ?v) (true (paid ?v ?w))) (<= (goal b ?w) (true (paid ?v ?w)))\n" \
	"(pay safe right 50 50) (pay safe wrong 50 50) (pay even right 50 50) (pay even wrong 100 0)\n" \
	"(pay bold right 40 60) (pay bold wrong 100 0)\n"

static void optimal_strategies_gain_by_mistakes(void **state)
{
	struct made m = make_game(MISTAKES);
	struct seat s = new_seat(m.game, 0);
	struct simultaneous *q = simultaneous_new(&s, 1 << 20);
	struct simultaneous_bounds b;
	struct view v = game_look(s.worker, m.game->initial);
	double share[3];
	uint32_t even = game_find_move(m.game, 0, "even"), at = 0;
	while (v.legal[at] != even)
		at++;
	simultaneous_run(q, &s, m.game->initial, &(struct budget){.playouts = 1000});
	assert_true(simultaneous_strategy(q, &s, m.game->initial, 0, share, &b));
	assert_true(b.low >= 50 - 1e-6 && b.high <= 50 + 1e-6);
	assert_true(share[at] > 1 - 1e-9);
	simultaneous_free(q);
	free_seat(&s);
	free_made(&m);
}

static void values_agree_with_backward_induction(void **state)
{
	static const struct {
		const char *name;
		uint32_t from, to, positions;
	} games[] = {{"matching_pennies", 0, 0, 1}, {"rock_paper_scissors", 0, 0, 1}, {"tictactoe", 2, 7, 20}};
	for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
		struct made m = load_game_named(games[i].name);
		check_game(&m, i % 2 ? 4096 : 1 << 22, games[i].from, games[i].to, games[i].positions);
		free_made(&m);
	}
}

static void ends_of_blocker(void **state)
{
	struct made m = load_shared("blocker");
	if (!m.game)
		SKIP("there is no ../shared/games/blocker.kif");
	assert_true(check_game(&m, 1 << 22, 5, 6, test_sample() ? 20 : 40) > 0);
	check_game(&m, 4096, 6, 7, 10); /* a table that keeps next to nothing */
	free_made(&m);
}

static void ends_of_bidding_tictactoe(void **state)
{
	struct made m = load_shared("biddingTicTacToe");
	if (!m.game)
		SKIP("there is no ../shared/games/biddingTicTacToe.kif");
	check_game(&m, 1 << 22, 8, 14, test_sample() ? 2 : 10);
	free_made(&m);
}

/* ---- graphs with cycles: both choose a side, and the two sides say where the token goes ---------------------------
 */

#define PLACES 10

struct graph {
	uint32_t go[PLACES][2][2];
	int pay[PLACES]; /* below 0: not an end */
};

static void print_graph(const struct graph *g, struct text *t)
{
	text_puts(t, "(role a) (role b) (init (at n0)) (side l) (side r)\n"
	             "(<= (legal ?r (go ?s)) (role ?r) (side ?s))\n"
	             "(<= (next (at ?y)) (true (at ?x)) (does a (go ?s)) (does b (go ?t)) (edge ?x ?s ?t ?y))\n"
	             "(<= terminal (true (at ?x)) (pay ?x ?v ?w))\n"
	             "(<= (goal a ?v) (true (at ?x)) (pay ?x ?v ?w)) (<= (goal b ?w) (true (at ?x)) (pay ?x ?v ?w))\n");
	for (uint32_t x = 0; x < PLACES; x++) {
		if (g->pay[x] >= 0)
			text_printf(t, "(pay n%u %d %d)\n", x, g->pay[x], 100 - g->pay[x]);
		for (uint32_t k = 0; k < 4 && g->pay[x] < 0; k++)
			text_printf(t, "(edge n%u %s %s n%u)\n", x, k / 2 ? "r" : "l", k % 2 ? "r" : "l", g->go[x][k / 2][k % 2]);
	}
}

/* The value of the token at the beginning where play that does not end counts as `never`: nearly, from its side. */
static double iterate(const struct graph *g, double never)
{
	double v[PLACES], a[4];
	for (uint32_t x = 0; x < PLACES; x++)
		v[x] = g->pay[x] >= 0 ? g->pay[x] : never;
	for (uint32_t i = 0; i < 3000; i++)
		for (uint32_t x = 0; x < PLACES; x++) {
			for (uint32_t k = 0; k < 4; k++)
				a[k] = v[g->go[x][k / 2][k % 2]];
			v[x] = g->pay[x] >= 0 ? v[x] : two_by_two(a);
		}
	return v[0];
}

static void bounds_hold_where_play_can_return(void **state)
{
	struct rng rng = rng_seed(11);
	uint32_t solved = 0, open = 0;
	for (uint32_t i = 0; i < (test_sample() ? 10 : 60); i++) {
		struct graph g;
		for (uint32_t x = 0; x < PLACES; x++) {
			g.pay[x] = x >= PLACES / 2 ? (int)rng_below(&rng, 5) * 25 : -1;
			for (uint32_t k = 0; k < 4; k++)
				g.go[x][k / 2][k % 2] = rng_below(&rng, PLACES);
		}
		g.pay[PLACES - 1] = 100;
		g.pay[PLACES - 2] = 0;
		struct text text = {0};
		print_graph(&g, &text);
		struct made m = make_game(text_str(&text));
		struct seat s = new_seat(m.game, 0);
		struct simultaneous *q = simultaneous_new(&s, 1 << 20);
		struct simultaneous_bounds extremes = simultaneous_bounds(q, m.game->initial); /* of ends that can be met */
		simultaneous_run(q, &s, m.game->initial, &(struct budget){.playouts = 20000});
		struct simultaneous_bounds b = simultaneous_bounds(q, m.game->initial);
		double low = iterate(&g, extremes.low), high = iterate(&g, extremes.high);
		if (b.low > low + 1e-3 || b.high < high - 1e-3)
			fail_msg("%f..%f, but the value is %f or %f", b.low, b.high, low, high);
		solved += simultaneous_solved(b);
		open += !simultaneous_solved(b);
		simultaneous_free(q);
		free_seat(&s);
		free_made(&m);
		text_free(&text);
	}
	print_message("%u solved, %u open\n", solved, open);
	assert_true(solved && open);
}

/* ---- budgets, and games that are refused ------------------------------------------------------------------------- */

static void counted_budgets_are_deterministic(void **state)
{
	struct made m = load_game_named("connect_four_simultaneous");
	struct simultaneous_counters c[2];
	for (uint32_t i = 0; i < 2; i++) {
		struct seat s = new_seat(m.game, 0);
		struct simultaneous *q = simultaneous_new(&s, 1 << 20);
		simultaneous_run(q, &s, m.game->initial, &(struct budget){.playouts = 20000});
		c[i] = simultaneous_counters(q);
		assert_true(c[i].nodes >= 20000 && c[i].nodes < 20000 + 4096);
		simultaneous_free(q);
		free_seat(&s);
	}
	assert_memory_equal(&c[0], &c[1], sizeof *c);
	free_made(&m);
}

static void the_clock_is_looked_at(void **state)
{
	struct made m = load_game_named("connect_four_simultaneous");
	struct seat s = new_seat(m.game, 0);
	struct simultaneous *q = simultaneous_new(&s, 1 << 20);
	struct budget b = {.limit = work_seconds(0.05)};
	simultaneous_run(q, &s, m.game->initial, &b);
	assert_true(limit_reached(&b.limit) && simultaneous_counters(q).nodes > 0);
	uint64_t made = simultaneous_counters(q).nodes;
	atomic_bool stop = true;
	simultaneous_run(q, &s, m.game->initial, &(struct budget){.limit.stop = &stop});
	assert_true(simultaneous_counters(q).nodes <= made + 64); /* those after the root */
	simultaneous_free(q);
	free_seat(&s);
	free_made(&m);
}

/* Pennies where both may lose. */
#define WASTE \
	"(role a) (role b) (init open) (<= (legal ?r (turn heads)) (role ?r)) (<= (legal ?r (turn tails)) (role ?r))\n" \
	"(<= (next (coin ?r ?s)) (does ?r (turn ?s))) (<= terminal (not (true open)))\n" \
	"(<= same (true (coin a ?s)) (true (coin b ?s))) (<= (goal a 100) same) (<= (goal a 0) (not same))\n" \
	"(<= (goal b 0) (true (coin a heads))) (<= (goal b 100) (true (coin a tails)))\n"

static void other_games_are_refused(void **state)
{
	struct made waste = make_game(WASTE), coins = make_game(COINS), throws = make_game(THROWS);
	struct made *none[] = {&coins, &throws};
	for (size_t i = 0; i < 2; i++) {
		struct seat s = new_seat(none[i]->game, 0);
		assert_null(simultaneous_new(&s, 1 << 20));
		free_seat(&s);
	}
	struct seat s = new_seat(waste.game, 0);
	struct simultaneous *q = simultaneous_new(&s, 1 << 20);
	double share[2];
	struct simultaneous_bounds b;
	assert_true(q && simultaneous_fits(q));
	for (uint32_t i = 0; i < 2; i++) {
		simultaneous_run(q, &s, waste.game->initial, &(struct budget){.playouts = 1000});
		assert_false(simultaneous_fits(q));
		b = simultaneous_bounds(q, waste.game->initial);
		assert_true(b.low == 0 && b.high == 100);
		assert_false(simultaneous_strategy(q, &s, waste.game->initial, 0, share, &b));
	}
	simultaneous_free(q);
	free_seat(&s);
	free_made(&waste);
	free_made(&coins);
	free_made(&throws);
}

/* ---- the graph search and the player ------------------------------------------------------------------------------
 */

/* Without the matrix game of a node, its bounds would stay those of pure strategies. */
static void the_graph_search_solves_matrices(void **state)
{
	static const struct opt table[] = {MCGS_OPTIONS, MCGS_TUNING(TUNING_ROW, struct mcgs_options, tune.){0}};
	struct made m = make_game(BET);
	struct mcgs_options o = {0};
	opt_defaults(table, &o);
	o.threads = 1;
	o.memory = 16;
	struct seat s = new_seat(m.game, 1);
	struct mcgs *t = mcgs_new(&s, &o);
	mcgs_root(t, &s, m.game->initial);
	mcgs_run(t, &s, &(struct budget){.playouts = 20000});
	struct mcgs_value a = mcgs_value(t, 0), b = mcgs_value(t, 1);
	assert_true(fabs(a.low - 260.0 / 7) < 0.01 && fabs(a.high - 260.0 / 7) < 0.01);
	assert_true(fabs(b.low - 440.0 / 7) < 0.01 && fabs(b.high - 440.0 / 7) < 0.01);
	uint32_t first = 0, draws = 2000;
	for (uint32_t i = 0; i < draws; i++)
		first += mcgs_choose(t, &s) == m.game->first_move[1];
	double share = first / (double)draws;
	assert_true(fabs(fmin(share, 1 - share) - 3.0 / 7) < 0.05);
	mcgs_free(t);
	free_seat(&s);
	free_made(&m);
}

static void the_player_draws_from_the_solution(void **state)
{
	struct made m = load_game_named("rock_paper_scissors");
	struct game *g = m.game;
	struct worker *w = worker_new(g);
	struct text error = {0};
	uint32_t met[3] = {0};
	for (uint32_t i = 0; i < 60; i++) {
		struct player *p = player_make(g, i % 2, "macaw:learn=0:decisive=none:memory=16:proof-memory=1", i, &error);
		struct view v = game_look(w, g->initial);
		struct turn t = {.state = g->initial,
		                 .legal = v.legal + v.start[i % 2],
		                 .legal_count = v.start[i % 2 + 1] - v.start[i % 2],
		                 .own_last = GAME_NONE};
		struct choice c = player_move(p, &t, &(struct budget){.playouts = 200});
		struct move_value values[3];
		assert_non_null(strstr(c.why, "solved: 50.0 by a mixed strategy"));
		assert_true(player_values(p, &t, values));
		for (uint32_t k = 0; k < 3; k++) {
			assert_true(fabs(values[k].share - 1.0 / 3) < 1e-6 && fabs(values[k].value - 50) < 1e-3);
			met[k] += t.legal[k] == c.move;
		}
		player_free(p);
	}
	assert_true(met[0] > 5 && met[1] > 5 && met[2] > 5);
	worker_free(w);
	text_free(&error);
	free_made(&m);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(two_by_two_has_a_closed_form),
		cmocka_unit_test(strategies_show_the_value),
		cmocka_unit_test(a_game_in_two_stages),
		cmocka_unit_test(optimal_strategies_gain_by_mistakes),
		cmocka_unit_test(values_agree_with_backward_induction),
		cmocka_unit_test(ends_of_blocker),
		cmocka_unit_test(ends_of_bidding_tictactoe),
		cmocka_unit_test(bounds_hold_where_play_can_return),
		cmocka_unit_test(counted_budgets_are_deterministic),
		cmocka_unit_test(the_clock_is_looked_at),
		cmocka_unit_test(other_games_are_refused),
		cmocka_unit_test(the_graph_search_solves_matrices),
		cmocka_unit_test(the_player_draws_from_the_solution),
	};
	return RUN(cases);
}

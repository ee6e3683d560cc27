/* Small random games of one role: what every search calls proved is held
 * against an exhaustive walk over all states, and bounds must be true ones. */
#include "../game/play.h"
#include "work.h"

#include "game/rules_view.h"
#include "puzzle/puzzle.h"

enum { PROPS = 5, MOVES = 4, STATES_MOST = 4000 };

struct maker {
	struct rng rng;
	struct text out;
	bool clock, clock_rules; /* rules other than the end may ask for the clock */
	uint32_t horizon;
};

static bool chance(struct maker *m, uint32_t percent)
{
	return rng_below(&m->rng, 100) < percent;
}

static void put_literal(struct maker *m, bool may_ask_clock)
{
	bool no = chance(m, 40);
	text_puts(&m->out, no ? " (not " : " ");
	if (may_ask_clock && m->clock && chance(m, 25))
		text_printf(&m->out, "(true (step %u))", rng_below(&m->rng, m->horizon + 1));
	else
		text_printf(&m->out, "(true p%u)", rng_below(&m->rng, PROPS));
	text_puts(&m->out, no ? ")" : "");
}

static void put_literals(struct maker *m, uint32_t n, bool may_ask_clock)
{
	while (n--)
		put_literal(m, may_ask_clock);
}

/* Marks that stay, so that moves often commute; or whatever comes. */
static void put_effects(struct maker *m)
{
	bool marks = chance(m, 40);
	for (uint32_t p = 0; p < PROPS; p++) {
		if (marks) {
			text_printf(&m->out, "(<= (next p%u) (true p%u))", p, p);
			text_printf(&m->out, "(<= (next p%u) (does r m%u)", p, p % MOVES);
			put_literals(m, chance(m, 15), m->clock_rules);
			text_puts(&m->out, ")\n");
			continue;
		}
		for (uint32_t k = 1 + rng_below(&m->rng, 2); k; k--) {
			text_printf(&m->out, "(<= (next p%u)", p);
			if (chance(m, 60))
				text_printf(&m->out, chance(m, 30) ? " (not (does r m%u))" : " (does r m%u)",
				            rng_below(&m->rng, MOVES));
			put_literals(m, rng_below(&m->rng, 3), m->clock_rules);
			text_printf(&m->out, " (true p%u))\n", rng_below(&m->rng, PROPS));
		}
	}
	for (uint32_t k = 0; k < MOVES; k++) {
		text_printf(&m->out, "(<= (legal r m%u)", k);
		put_literals(m, rng_below(&m->rng, 3), m->clock_rules);
		text_puts(&m->out, marks ? "" : " (role r)");
		if (marks)
			text_printf(&m->out, " (not (true p%u))", k);
		text_puts(&m->out, ")\n");
	}
}

static void put_clock(struct maker *m)
{
	bool stops = chance(m, 80);
	text_puts(&m->out, "(init (step 0))");
	for (uint32_t k = 0; k < m->horizon; k++)
		text_printf(&m->out, "(<= (next (step %u)) (true (step %u)))", k + 1, k);
	if (stops)
		text_printf(&m->out, "(<= terminal (true (step %u)))\n", m->horizon);
	else
		text_printf(&m->out, "(<= (next (step %u)) (true (step %u)))\n", m->horizon, m->horizon);
}

static const char *put_game(struct maker *m, uint64_t seed)
{
	static const int values[] = {100, 90, 60, 30};
	m->rng = rng_seed(seed);
	m->out.n = 0;
	m->horizon = 2 + rng_below(&m->rng, 5);
	m->clock = chance(m, 70);
	m->clock_rules = chance(m, 30);
	bool clock_goals = chance(m, 40);
	text_puts(&m->out, "(role r) (init always)(<= (next always) (true always))\n");
	for (uint32_t p = 0; p < PROPS; p++)
		if (chance(m, 40))
			text_printf(&m->out, "(init p%u)", p);
	if (m->clock)
		put_clock(m);
	put_effects(m);
	for (uint32_t k = rng_below(&m->rng, 2) + !m->clock; k; k--) {
		text_puts(&m->out, "(<= terminal");
		put_literals(m, 2 + rng_below(&m->rng, 2), m->clock_rules);
		text_puts(&m->out, ")\n");
	}
	/* The first condition that holds counts, so that there is one goal. */
	for (uint32_t i = 0; i < 4; i++) {
		text_printf(&m->out, "(<= g%u", i);
		put_literals(m, 2 + rng_below(&m->rng, 2), clock_goals);
		text_printf(&m->out, ")(<= (goal r %d) g%u", values[i], i);
		for (uint32_t k = 0; k < i; k++)
			text_printf(&m->out, " (not g%u)", k);
		text_puts(&m->out, ")\n");
	}
	text_puts(&m->out, "(<= (goal r 0) (not g0) (not g1) (not g2) (not g3))\n");
	return text_str(&m->out);
}

/* Of all states that can be reached from this one, the best end. */
static int walk_all(struct play *p, const uint64_t *start)
{
	VEC(uint64_t) all = {0};
	size_t words = p->g->words, count = 1;
	int best = GOAL_NONE;
	uint64_t *next = mem_alloc(words + 1, 8);
	vec_extend(&all, words);
	memcpy(all.at, start, words * 8);
	for (size_t i = 0; i < count; i++) {
		struct view v = game_look(p->w, all.at + i * words);
		uint32_t moves[MOVES], n = 0;
		if (v.terminal) {
			best = v.goals[0] > best ? v.goals[0] : best;
			continue;
		}
		for (uint32_t k = v.start[0]; k < v.start[1]; k++)
			moves[n++] = v.legal[k];
		for (uint32_t k = 0; k < n; k++) {
			game_next(p->w, all.at + i * words, &moves[k], next);
			size_t known = 0;
			while (known < count && memcmp(all.at + known * words, next, words * 8))
				known++;
			if (known < count)
				continue;
			assert_true(++count < STATES_MOST);
			vec_extend(&all, words);
			memcpy(all.at + known * words, next, words * 8);
		}
	}
	vec_free(&all);
	mem_free(next);
	return best;
}

static void check(struct play *p, const uint64_t *start, struct puzzle_result *r, int best, const char *text, bool must)
{
	if (r->proved ? r->best != best : r->best > best || (must && r->bound == r->best))
		fail_msg("%s: %d (%s), but the best is %d\n%s", r->by, r->best, r->proved ? "proved" : "not proved", best,
		         text);
	if (r->bound < best)
		fail_msg("%s: at most %d, but the best is %d\n%s", r->by, r->bound, best, text);
	if (must && !r->proved)
		fail_msg("%s: no proof, %s; the best is %d\n%s", r->by, r->why, best, text);
	if (r->best != GOAL_NONE && puzzle_play(p->g, start, r->plan.at, r->plan.n) != r->best)
		fail_msg("%s: its plan is wrong\n%s", r->by, text);
	puzzle_free(r);
}

static void every_search(struct play *p, const uint64_t *start, const char *text, uint32_t *proved)
{
	int best = walk_all(p, start);
	struct puzzle_result r;
	for (int order = SPACE_BREADTH; order <= SPACE_UNTIMED; order++) {
		struct puzzle_options o = {.start = start, .limit = work_seconds(order == SPACE_BEAM ? 0.001 : 10)};
		puzzle_state_space(p->g, &o, (enum space_order)order, &r);
		check(p, start, &r, best, text, order == SPACE_BREADTH || order == SPACE_DEPTH);
	}
	struct puzzle_options o = {.start = start, .limit = work_seconds(0.02)};
	puzzle_bmc_sat(p->g, &o, &r);
	*proved += r.proved;
	check(p, start, &r, best, text, false);
	o.limit = (struct limit){0};
	puzzle_final_state(p->g, &o, &r);
	check(p, start, &r, best, text, false);
	o.limit = work_seconds(0.02);
	puzzle_bmc_mac(p->g, &o, &r);
	*proved += r.proved;
	check(p, start, &r, best, text, false);
}

/* From the beginning, and from two states on the way. */
static void try_game(uint64_t seed, struct maker *m, uint32_t *proved)
{
	const char *text = put_game(m, seed);
	struct play p = play_make(text, ENGINE_CIRCUIT, true);
	struct rng rng = rng_seed(seed);
	uint64_t *at = mem_alloc(p.g->words + 1, 8);
	uint32_t move, later = 0;
	memcpy(at, p.g->initial, p.g->words * 8);
	every_search(&p, at, text, proved);
	for (int i = 0; i < 2; i++) {
		struct view v = game_look(p.w, at);
		if (v.terminal || !game_random_move(p.g, &v, &rng, &move))
			break;
		game_next(p.w, at, &move, at);
		every_search(&p, at, text, &later);
	}
	mem_free(at);
	play_free(&p);
}

static void random_games(void **state)
{
	(void)state;
	struct maker m = {0};
	uint32_t proved = 0;
	const char *more = getenv("MACAW_RANDOM_PUZZLES");
	uint64_t games = more ? strtoull(more, NULL, 10) : test_sample() ? 12 : 100;
	for (uint64_t seed = 1; seed <= games; seed++)
		try_game(seed, &m, &proved);
	assert_true(proved > games / 4); /* of two a game, in a moment each */
	text_free(&m.out);
}

int main(void)
{
	const struct CMUnitTest cases[] = {cmocka_unit_test(random_games)};
	return RUN(cases);
}

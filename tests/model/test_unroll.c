/* Rounds unrolled into one network: its solutions are the plays, counted by walking
 * the tree with the circuit; and the best policy is worth what expectimax says. */
#include "../game/play.h"

#include "model/model.h"
#include "scsp/scsp.h"

/* ---- brute force ------------------------------------------------------------------ */

struct decision_table {
	struct game *g;
	struct worker *w;
	uint64_t plays;
};

static double below(struct decision_table *t, const uint64_t *state, uint32_t rounds, uint32_t role);

/* The moves of one role after the other; chance averages, the one player maximises. */
static double roles_in_turn(struct decision_table *t, const uint64_t *state, uint32_t rounds, uint32_t role,
                            uint32_t *moves)
{
	struct game *g = t->g;
	if (role == g->roles) {
		uint64_t *next = NEW_ARRAY(uint64_t, g->words + 1);
		game_next(t->w, state, moves, next);
		double v = below(t, next, rounds - 1, 0);
		mem_free(next);
		return v;
	}
	/* the player decides before chance draws, whatever the order of the roles */
	uint32_t r = g->random == 0 ? (role == g->roles - 1 ? 0 : role + 1) : role;
	struct view v = game_look(t->w, state);
	uint32_t n = v.start[r + 1] - v.start[r], *legal = mem_alloc(n + 1, sizeof *legal);
	memcpy(legal, v.legal + v.start[r], n * sizeof *legal);
	double best = 0, sum = 0;
	for (uint32_t i = 0; i < n; i++) {
		moves[r] = legal[i];
		double x = roles_in_turn(t, state, rounds, role + 1, moves);
		best = x > best ? x : best;
		sum += x / n;
	}
	mem_free(legal);
	return r == g->random ? sum : best;
}

static double below(struct decision_table *t, const uint64_t *state, uint32_t rounds, uint32_t role)
{
	struct view v = game_look(t->w, state);
	if (v.terminal || !rounds) {
		uint32_t player = t->g->random == 0 ? 1 : 0;
		t->plays++;
		return v.terminal && v.goals[player] > 0 ? v.goals[player] / 100.0 : 0;
	}
	uint32_t *moves = NEW_ARRAY(uint32_t, t->g->roles + 1);
	double x = roles_in_turn(t, state, rounds, role, moves);
	mem_free(moves);
	return x;
}

/* ---- the network ------------------------------------------------------------------- */

static void check(const char *name, uint32_t rounds, bool value)
{
	struct play p = play_named(name);
	struct decision_table t = {.g = p.g, .w = p.w};
	struct text error = {0};
	struct model_options mo = {.keep = true};
	struct model *m = model_make(p.g, &mo, &error);
	assert_non_null(m);
	struct scsp *s = model_unroll(m, p.g->initial, rounds, &error);
	if (!s)
		fail_msg("%s: %s", name, text_str(&error));
	double wanted = below(&t, p.g->initial, rounds, 0);
	struct csp_options o = csp_defaults;
	struct csp_stats st;
	o.max_solutions = 0;
	o.order = CSP_ORDER_LEX;
	csp_solve(scsp_hard(s), &o, &st);
	printf("%s, %u rounds: %lu plays, %u variables\n", name, rounds, (unsigned long)t.plays,
	       csp_variables(scsp_hard(s)));
	assert_true(st.complete);
	assert_int_equal(st.solutions, t.plays);
	if (value) {
		struct scsp_options so = scsp_defaults;
		struct scsp_result r;
		so.aim = SCSP_BEST;
		assert_true(scsp_solve(s, &so, &r) != CSP_UNSAT && r.forest.policies.n);
		double got = r.forest.expected.at[r.forest.policies.at[r.forest.policies.n - 1].values];
		if (got < wanted - 1e-9 || got > wanted + 1e-9)
			fail_msg("%s: worth %g, not %g", name, got, wanted);
		scsp_result_free(&r);
	}
	scsp_free(s);
	model_free(m);
	text_free(&error);
	play_free(&p);
}

static void plays(void **state)
{
	(void)state;
	check("matching_pennies", 1, false);
	check("matching_pennies", 3, false);
	check("tictactoe_2x2", 1, false);
	check("tictactoe_2x2", 5, false);
	check("connect_2x2_2", 4, false);
	check("tictactoe", 3, false);
}

static void worth(void **state)
{
	(void)state;
	check("monty_hall", 2, true);
	check("monty_hall", 4, true);
}

/* What is unrolled can be written and read again. */
static void written(void **state)
{
	(void)state;
	struct play p = play_named("monty_hall");
	struct text error = {0}, xml = {0};
	struct csp_source_error e = {0};
	struct model_options mo = {.keep = true};
	struct model *m = model_make(p.g, &mo, &error);
	struct scsp *s = model_unroll(m, p.g->initial, 3, &error);
	assert_non_null(s);
	assert_int_equal(scsp_stages(s), 3);
	scsp_write_xml(s, &xml);
	struct scsp *again = scsp_read_xml(xml.at, xml.n, &e);
	if (!again)
		fail_msg("line %u: %s", e.line, e.message);
	assert_int_equal(csp_variables(scsp_hard(again)), csp_variables(scsp_hard(s)));
	assert_int_equal(scsp_stages(again), 3);
	scsp_free(again);
	scsp_free(s);
	model_free(m);
	text_free(&xml);
	text_free(&error);
	play_free(&p);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(plays),
		cmocka_unit_test(worth),
		cmocka_unit_test(written),
	};
	return RUN(cases);
}

/* Constraint networks, puzzles and symmetries that run out of memory at every place (faults.h). */
#include "test.h"

#include "faults.h"
#include "macaw/macaw.h"

#include <string.h>

/* ---- plain ---- */

static const char colours[] =
	"<instance format=\"XCSP3\" type=\"CSP\">\n<variables>\n<array id=\"x\" size=\"[4]\"> 0..2 "
	"</array>\n</variables>\n<constraints>\n"
	"<group>\n<intension> ne(%0,%1) </intension>\n<args> x[0] x[1] </args>\n<args> x[1] x[2] </args>\n<args> x[2] x[3] "
	"</args>\n</group>\n"
	"<extension>\n<list> x[0] x[3] </list>\n<supports> (0,1)(1,*) </supports>\n</extension>\n"
	"<sum>\n<list> x[] </list>\n<condition> (le,6) </condition>\n</sum>\n</constraints>\n</instance>\n";

static bool use_csp(macaw_csp *n, macaw_error *e)
{
	macaw_csp_symmetry *y = macaw_csp_symmetry_find(n, (macaw_limit){0});
	bool done = y && macaw_csp_symmetry_break(n, y);
	for (int a = 0; done && a <= MACAW_CSP_LEARN; a++) {
		macaw_csp_solve(n, &(macaw_csp_options){.algorithm = a, .all = true}, NULL);
		done = macaw_csp_error(n)->status == MACAW_OK;
	}
	char *xml = done ? macaw_csp_write(n) : NULL;
	macaw_removed removed[MACAW_PASSES];
	macaw_csp *m = xml ? macaw_csp_simplify(n, (1u << MACAW_PASSES) - 1, removed, e) : NULL;
	if (!m && !e->status)
		*e = *macaw_csp_error(n);
	macaw_csp_free(m);
	macaw_free(xml);
	macaw_csp_symmetry_free(y);
	return m;
}

static bool plain(macaw_error *e)
{
	macaw_csp *n = macaw_csp_parse(colours, strlen(colours), NULL, e);
	bool done = n && use_csp(n, e);
	macaw_csp_free(n);
	return done;
}

static void plain_networks(void **state)
{
	every_allocation(plain, 40);
}

static const char many_forms[] =
	"<instance format=\"XCSP3\" type=\"COP\">\n<variables>\n<array id=\"x\" size=\"[3]\"> 0..2 </array>\n<var "
	"id=\"b\"> 0 1 </var>\n</variables>\n"
	"<constraints>\n<regular> <list> x[] </list> <transitions> (s,0,s)(s,1..2,t)(t,{0,2},s) </transitions> <start> s "
	"</start> <final> s t </final> "
	"</regular>\n<circuit reifiedBy=\"b\"> x[] </circuit>\n<cumulative> <origins> x[] </origins> <lengths> 1 1 1 "
	"</lengths> <heights> 1 b 2 </heights> "
	"<condition> (le,2) </condition> </cumulative>\n<nValues> <list> x[] add(x[0],1) </list> <condition> "
	"(notin,{1,5..6}) </condition> </nValues>\n"
	"<slide> <list> x[] </list> <intension> ne(%0,add(%1,1)) </intension> </slide>\n</constraints>\n"
	"<objectives> <maximize type=\"maximum\"> <list> x[] </list> </maximize> </objectives>\n</instance>\n";

struct judged {
	macaw_judge *judge;
	macaw_error *error;
	bool good;
};

static bool judge_it(void *context, macaw_csp *n, const int32_t *values)
{
	struct judged *j = context;
	return j->good = macaw_judge_solution(j->judge, n, values, NULL, j->error);
}

static bool forms(macaw_error *e)
{
	macaw_csp *n = macaw_csp_parse(many_forms, strlen(many_forms), NULL, e);
	struct judged j = {.judge = n ? macaw_judge_new(many_forms, strlen(many_forms), e) : NULL, .error = e};
	if (j.judge) {
		macaw_csp_solve(n, &(macaw_csp_options){.solution = judge_it, .context = &j}, NULL);
		if (!e->status && macaw_csp_error(n)->status)
			*e = *macaw_csp_error(n);
	}
	bool done = j.judge && j.good && !e->status;
	macaw_judge_free(j.judge);
	macaw_csp_free(n);
	return done;
}

static void all_forms(void **state)
{
	every_allocation(forms, 40);
}

/* ---- stochastic ---- */

static bool use_scsp(macaw_scsp *s, macaw_error *e)
{
	double expected[MACAW_SCSP_PLAYERS];
	char *text = NULL, *xml = NULL;
	bool done = true;
	for (int m = 0; done && macaw_scsp_method_name(m); m++) {
		macaw_scsp_result *r = macaw_scsp_solve(s, &(macaw_scsp_options){.method = m, .aim = MACAW_SCSP_BEST}, e);
		done = r && macaw_scsp_policies(r) && macaw_scsp_check(r, 0, expected, NULL, e);
		text = done ? macaw_scsp_print(r, 0) : NULL;
		if (done && !text)
			*e = *macaw_scsp_error(s);
		done = text;
		macaw_free(text);
		macaw_scsp_result_free(r);
	}
	xml = done ? macaw_scsp_write(s) : NULL;
	if (done && !xml)
		*e = *macaw_scsp_error(s);
	macaw_free(xml);
	return xml;
}

static bool stochastic(macaw_error *e)
{
	static const macaw_probability p[] = {{1, 4, 0}, {3, 4, 0}};
	macaw_csp *n = macaw_csp_new(e);
	uint32_t x = n ? macaw_csp_var_range(n, "x", 0, 1) : MACAW_NONE,
			 y = n ? macaw_csp_var_range(n, "y", 0, 1) : MACAW_NONE;
	if (n && y == MACAW_NONE)
		*e = *macaw_csp_error(n);
	if (y == MACAW_NONE) {
		macaw_csp_free(n);
		return false;
	}
	macaw_scsp *s = macaw_scsp_new(n, 1, e);
	bool done = s && macaw_scsp_draw(s, y, p) &&
	            macaw_scsp_soft(s, (uint32_t[]){x, y}, 2, (int32_t[]){0, 0, 1, 1}, 2, (double[]){1, 1});
	if (s && !done)
		*e = *macaw_scsp_error(s);
	macaw_scsp_feasible *f = done ? macaw_scsp_feasibility(s, (macaw_limit){0}, e) : NULL;
	macaw_scsp_feasible_free(f);
	done = f && use_scsp(s, e);
	macaw_scsp_free(s);
	return done;
}

static const char coin[] =
	"<instance format=\"XCSP3\" type=\"SCSP\">\n<variables>\n<var id=\"x\" type=\"symbolic\"> heads tails </var>\n"
	"<var id=\"y\" type=\"symbolic stochastic\"> heads:1/2 tails:1/2 </var>\n</variables>\n<constraints>\n"
	"<extension class=\"chance\">\n<list> x y </list>\n<supports> (heads,heads)(tails,tails) "
	"</supports>\n</extension>\n</constraints>\n"
	"<thresholds> 0.5 </thresholds>\n</instance>\n";

static bool stochastic_document(macaw_error *e)
{
	macaw_scsp *s = macaw_scsp_parse(coin, strlen(coin), NULL, e);
	bool done = s && use_scsp(s, e);
	macaw_scsp_free(s);
	return done;
}

static void stochastic_problems(void **state)
{
	every_allocation(stochastic, 40);
	every_allocation(stochastic_document, 40);
}

/* ---- quantified ---- */

static bool use_qcsp(macaw_qcsp *q, macaw_error *e)
{
	macaw_qcsp_result *r = macaw_qcsp_solve(q, NULL, e);
	bool done = r && macaw_qcsp_status(r) == MACAW_CSP_SAT && macaw_qcsp_verify(r, 100, NULL, NULL, e);
	char *text = done ? macaw_qcsp_print(r, 2) : NULL, *xml = text ? macaw_qcsp_write(q) : NULL;
	macaw_qcsp *back = xml ? macaw_qcsp_parse(xml, strlen(xml), NULL, e) : NULL;
	if (done && !xml)
		e->status = MACAW_MEMORY; /* these have no other reason to fail */
	done = back;
	macaw_qcsp_free(back);
	macaw_free(text);
	macaw_free(xml);
	macaw_qcsp_result_free(r);
	return done;
}

static bool connect(macaw_error *e)
{
	macaw_qcsp *q = macaw_qcsp_connect(3, 2, false, e);
	bool done = q && use_qcsp(q, e);
	macaw_qcsp_free(q);
	return done;
}

static bool plainly_quantified(macaw_error *e)
{
	macaw_csp *n = macaw_csp_new(e);
	uint32_t x = n ? macaw_csp_var_range(n, "x", 0, 3) : MACAW_NONE,
			 y = n ? macaw_csp_var_range(n, "y", 0, 3) : MACAW_NONE;
	bool built = y != MACAW_NONE &&
	             macaw_csp_add_sum(n, (uint32_t[]){x, y}, (int64_t[]){1, 1}, 2, MACAW_CSP_LE, 3) != MACAW_NONE;
	if (!built) {
		if (n)
			*e = *macaw_csp_error(n);
		macaw_csp_free(n);
		return false;
	}
	macaw_qcsp *q = macaw_qcsp_new(n, false, e);
	bool done = q && macaw_qcsp_quantify(q, x, false) && macaw_qcsp_quantify(q, y, true);
	if (q && !done)
		e->status = MACAW_MEMORY;
	done = done && use_qcsp(q, e);
	macaw_qcsp_free(q);
	return done;
}

static void quantified_problems(void **state)
{
	every_allocation(connect, 40);
	every_allocation(plainly_quantified, 40);
}

/* ---- of games ---- */

static const char rules[] = "(role random) (role you) (init start)\n"
							"(<= (legal random (roll 1)) (true start)) (<= (legal random (roll 2)) (true start)) (<= "
							"(legal random noop) (not (true start)))\n"
							"(<= (legal you (guess 1)) (true start)) (<= (legal you (guess 2)) (true start)) (<= "
							"(legal you noop) (not (true start)))\n"
							"(<= (next right) (does random (roll ?x)) (does you (guess ?x)))\n"
							"(<= (next wrong) (does random (roll ?x)) (does you (guess ?y)) (distinct ?x ?y))\n"
							"(<= terminal (true right)) (<= terminal (true wrong))\n"
							"(<= (goal you 100) (true right)) (<= (goal you 0) (not (true right))) (goal random 0)\n";

static bool use_network(macaw_network *n, const uint64_t *start, macaw_error *e)
{
	macaw_round round;
	bool done =
		macaw_network_solve(n, MACAW_ROUND_MAC, start, &round) && macaw_network_solve(n, MACAW_ROUND_FC, start, &round);
	if (!done)
		*e = *macaw_network_error(n);
	char *text = done ? macaw_network_print(n, e) : NULL;
	macaw_scsp *s = text ? macaw_network_unroll(n, start, 2, e) : NULL;
	done = s && use_scsp(s, e);
	macaw_scsp_free(s);
	s = done ? macaw_network_scsp(n, start, e) : NULL;
	done = s;
	macaw_scsp_free(s);
	macaw_free(text);
	return done;
}

static bool game_network(macaw_error *e)
{
	macaw_game *g = macaw_game_parse(rules, strlen(rules), NULL, e);
	macaw_network *n = g ? macaw_network_make(g, &(macaw_network_options){.keep = true}, e) : NULL;
	bool done = n && use_network(n, macaw_position_initial(g), e);
	macaw_network_free(n);
	macaw_game_free(g);
	return done;
}

static bool game_symmetries(macaw_error *e)
{
	macaw_game *g = macaw_game_parse(rules, strlen(rules), NULL, e);
	macaw_symmetries *s = g ? macaw_symmetries_find(g, (macaw_limit){0}, e) : NULL;
	uint32_t orbit[200];
	macaw_stabiliser *group = s ? macaw_symmetries_stabiliser(s, macaw_position_initial(g), (macaw_limit){0}, e) : NULL;
	bool done = group && macaw_symmetries_moves(s, macaw_position_initial(g), orbit);
	char *text = done ? macaw_symmetries_order_text(group->mantissa, group->exponent) : NULL;
	if (group && !text)
		e->status = MACAW_MEMORY;
	done = text;
	macaw_free(text);
	macaw_stabiliser_free(group);
	macaw_symmetries_free(s);
	macaw_game_free(g);
	return done;
}

static const char lamps[] = "(role you) (lamp a) (lamp b) (init (step 0)) (succ 0 1) (succ 1 2)\n"
							"(<= (legal you (light ?l)) (lamp ?l)) (<= (next (on ?l)) (does you (light ?l))) (<= (next "
							"(on ?l)) (true (on ?l)))\n"
							"(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n)) (<= terminal (true (step 2)))\n"
							"(<= (goal you 90) (true (on a)) (true (on b))) (<= (goal you 10) (not (true (on a)))) (<= "
							"(goal you 10) (not (true (on b))) (true (on a)))\n";

static bool puzzle(macaw_error *e, enum macaw_puzzle_method method)
{
	macaw_game *g = macaw_game_parse(lamps, strlen(lamps), NULL, e);
	macaw_plan *p = g ? macaw_puzzle_solve(g, &(macaw_puzzle_options){.method = method}, e) : NULL;
	bool done = p;
	macaw_plan_free(p);
	macaw_game_free(g);
	return done;
}

static bool puzzle_space(macaw_error *e)
{
	return puzzle(e, MACAW_PUZZLE_SPACE);
}

static bool puzzle_mac(macaw_error *e)
{
	return puzzle(e, MACAW_PUZZLE_MAC);
}

static void networks_of_games(void **state)
{
	every_allocation(game_network, 40);
}

static void symmetries_of_games(void **state)
{
	every_allocation(game_symmetries, 40);
}

static void puzzles(void **state)
{
	every_allocation(puzzle_space, 40);
	every_allocation(puzzle_mac, 40);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(plain_networks),
		cmocka_unit_test(all_forms),
		cmocka_unit_test(stochastic_problems),
		cmocka_unit_test(quantified_problems),
		cmocka_unit_test(networks_of_games),
		cmocka_unit_test(symmetries_of_games),
		cmocka_unit_test(puzzles),
	};
	return RUN(cases);
}

/* Fluent groups: what is found, whatever the names and the order of arguments. */
#include "../game/play.h"

#include "analysis/mutex_groups.h"
#include "base/bits.h"

#define BOARD(CELL, TURN, OFF, ON, LEGAL) \
	"(role r) (role s)" \
	"(at a) (at b) (at c)" \
	"(<= (init " CELL( \
		"?x", OFF) ") (at ?x)) (init (" TURN " r))" \
				   "(<= (legal ?p (" LEGAL " ?x)) (true (" TURN " ?p)) (true " CELL( \
					   "?x", OFF) "))" \
								  "(<= (legal ?p wait) (role ?p) (not (true (" TURN " ?p))))" \
								  "(<= (next " CELL( \
									  "?x", ON) ") (does ?p (" LEGAL " ?x)))" \
												"(<= (next " CELL("?x", "?v") ") (true " CELL( \
													"?x", "?v") ") (not (hit ?x)))" \
																"(<= (hit ?x) (does ?p (" LEGAL " ?x)))" \
																"(<= (next (" TURN " s)) (true (" TURN \
																" r))) (<= (next (" TURN " r)) (true (" TURN " s)))" \
																"(<= terminal (not open)) (<= open (true " CELL( \
																	"?x", OFF) "))" \
																			   "(goal r 100) (goal s 0)"

#define PLAIN(x, v) "(cell " x " " v ")"
#define SCRAMBLED(x, v) "(qz " v " " x ")"

static const char plain[] = BOARD(PLAIN, "control", "off", "on", "mark");
static const char scrambled[] = BOARD(SCRAMBLED, "kk", "w7", "w3", "zz");

/* Sizes of the groups, sorted, as text. */
static void shape_of(const char *rules, struct text *out)
{
	struct play p = play_make(rules, ENGINE_CIRCUIT, true);
	struct mutex_groups g;
	struct limit none = {0};
	uint32_t sizes[64][2] = {{0}};
	mutex_groups_find(&g, p.g, &none);
	for (size_t i = 0; i < g.all.n; i++)
		sizes[g.all.at[i].n < 64 ? g.all.at[i].n : 63][g.all.at[i].exact]++;
	for (int n = 0; n < 64; n++)
		for (int e = 0; e < 2; e++)
			if (sizes[n][e])
				text_printf(out, "%u of %d%s;", sizes[n][e], n, e ? " exactly" : "");
	mutex_groups_free(&g);
	play_free(&p);
}

static void names_do_not_matter(void **state)
{
	(void)state;
	struct text a = {0}, b = {0};
	shape_of(plain, &a);
	shape_of(scrambled, &b);
	assert_string_equal(text_str(&a), "4 of 2 exactly;");
	assert_string_equal(text_str(&b), text_str(&a));
	text_free(&a);
	text_free(&b);
}

/* A set that looks exclusive on short walks but is not: both hold after a move that
 * random play hardly ever makes. It must not be believed. */
static void looks_are_not_enough(void **state)
{
	(void)state;
	struct text t = {0}, shape = {0};
	text_puts(&t, "(role r) (init (n 0)) (init (f a))");
	for (int i = 0; i < 40; i++)
		text_printf(&t, "(succ %d %d)", i, i + 1);
	text_puts(&t, "(<= (legal r up) (true (n ?x))) (<= (legal r down) (true (n ?x)))"
	              "(<= (next (n ?y)) (does r up) (true (n ?x)) (succ ?x ?y))"
	              "(<= (next (n 0)) (does r down))"
	              "(<= (next (f a)) (true (f a))) (<= (next (f b)) (true (n 39)) (does r up))"
	              "(<= terminal (true (n 40))) (goal r 100)");
	shape_of(text_str(&t), &shape);
	/* n is one of 41; of f, `a` is constant and `b` stands alone */
	assert_string_equal(text_str(&shape), "1 of 1;1 of 41 exactly;");
	text_free(&t);
	text_free(&shape);
}

/* Proved facts hold on walks that the proof never saw. */
static void groups_hold(void **state)
{
	(void)state;
	struct play p = play_make(plain, ENGINE_CIRCUIT, true);
	struct mutex_groups g;
	struct limit none = {0};
	struct rng rng = rng_seed(99);
	uint32_t moves[2];
	mutex_groups_find(&g, p.g, &none);
	for (int i = 0; i < 500; i++) {
		for (size_t k = 0; k < g.all.n; k++) {
			uint32_t count = 0;
			for (uint32_t j = 0; j < g.all.at[k].n; j++)
				count += bits_has(p.state, g.members.at[g.all.at[k].first + j]);
			assert_true(g.all.at[k].exact ? count == 1 : count <= 1);
		}
		struct view v = game_look(p.w, p.state);
		if (v.terminal || !game_random_move(p.g, &v, &rng, moves))
			memcpy(p.state, p.g->initial, p.g->words * 8);
		else
			game_next(p.w, p.state, moves, p.state);
	}
	mutex_groups_free(&g);
	play_free(&p);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(names_do_not_matter),
		cmocka_unit_test(looks_are_not_enough),
		cmocka_unit_test(groups_hold),
	};
	return RUN(cases);
}

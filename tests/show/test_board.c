/* Boards as data: which squares there are, what stands on them, and what is left over. */
#include "test.h"

#include "show/board.h"

#include <string.h>

static struct gdl_rules *rules;

static struct game *make(const char *text)
{
	struct diags d = {0};
	struct text error = {0};
	rules = gdl_read(text, strlen(text), &d);
	assert_int_equal(d.errors, 0);
	struct game *g = game_make(rules, &(struct game_options){0}, &error);
	assert_non_null(g);
	diag_free(&d);
	return g;
}

static void set(struct game *g, uint64_t *state, const char *fluent)
{
	uint32_t f = game_find_fluent(g, fluent);
	assert_int_not_equal(f, GAME_NONE);
	state[f / 64] |= UINT64_C(1) << (f % 64);
}

/* A board of 2 x 3 with a blank, whose corner (2 3) no fluent names. */
static const char small[] =
	"(role p) (col 1) (col 2) (line a) (line b) (line c)\n"
	"(square 1 a) (square 1 b) (square 1 c) (square 2 a) (square 2 b)\n"
	"(what x) (what blank)\n"
	"(<= (base (at ?x ?y ?w)) (square ?x ?y) (what ?w)) (base (turn p))\n"
	"(<= (init (at ?x ?y blank)) (square ?x ?y)) (init (turn p))\n"
	"(<= (input p (mark ?x ?y)) (square ?x ?y))\n"
	"(<= (legal p (mark ?x ?y)) (true (at ?x ?y blank)))\n"
	"(<= (next (at ?x ?y x)) (does p (mark ?x ?y)))\n"
	"(<= (next (at ?x ?y ?w)) (true (at ?x ?y ?w)) (not (does p (mark ?x ?y))))\n"
	"(next (turn p)) (<= terminal (true (at 1 a x))) (goal p 100)\n";

static void squares_and_rest(void **state)
{
	struct game *g = make(small);
	struct board *b = board_make(g);
	uint64_t s[4] = {0};
	assert_true(g->words <= 4);
	assert_int_equal(board_look(b, g->initial), 1);
	const struct board_grid *grid = board_grid(b, 0);
	assert_string_equal(grid->name, "at");
	/* letters go to the right, numbers up */
	assert_int_equal(grid->columns, 3);
	assert_int_equal(grid->rows, 2);
	assert_string_equal(grid->column_names[2], "c");
	assert_string_equal(grid->row_names[1], "2");
	assert_string_equal(grid->cells[0], "");
	assert_null(grid->cells[5]);
	assert_int_equal(grid->fluents[0], game_find_fluent(g, "(at 1 a blank)"));

	set(g, s, "(at 1 b x)");
	set(g, s, "(at 2 a x)");
	set(g, s, "(at 2 a blank)");
	set(g, s, "(turn p)");
	board_look(b, s);
	grid = board_grid(b, 0);
	assert_string_equal(grid->cells[1], "x");
	assert_string_equal(grid->cells[3], "*");
	assert_int_equal(grid->fluents[3], GAME_NONE);
	size_t rest;
	board_rest(b, &rest);
	assert_int_equal(rest, 3); /* two on one square, and the turn */

	struct text t = {0};
	board_draw(b, s, &t);
	assert_non_null(strstr(t.at, "    2  * .  \n    1  . x .\n       a b c\n"));
	text_free(&t);
	board_free(b);
	game_free(g);
	gdl_free(rules);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(squares_and_rest),
	};
	return RUN(cases);
}

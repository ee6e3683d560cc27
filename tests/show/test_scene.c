/* Scenes of small games whose pictures are known by heart: squares, several boards, strips, rings, graphs, lines,
 * pieces on squares, beliefs, moves, the last move. */
#include "test.h"

#include "show/scene.h"
#include "show/view_file.h"

#include <string.h>

struct drawn {
	struct gdl_rules *rules;
	struct game *g;
	struct study *study;
	struct scene *scene;
	struct view_file *view;
};

static struct drawn study_text_of(const char *text, const char *view)
{
	struct drawn d = {0};
	struct diags diags = {0};
	struct text error = {0};
	d.rules = gdl_read(text, strlen(text), &diags);
	assert_int_equal(diags.errors, 0);
	d.g = game_make(d.rules, &(struct game_options){0}, &error);
	assert_non_null(d.g);
	if (view) {
		d.view = view_file_read(view, strlen(view), &error);
		assert_string_equal(text_str(&error), "");
	}
	d.study = study_make(d.g, d.view);
	d.scene = scene_make(d.study);
	diag_free(&diags);
	text_free(&error);
	return d;
}

static void put_away(struct drawn *d)
{
	scene_free(d->scene);
	study_free(d->study);
	view_file_free(d->view);
	game_free(d->g);
	gdl_free(d->rules);
}

static void set(const struct drawn *d, uint64_t *state, const char *fluent)
{
	uint32_t f = game_find_fluent(d->g, fluent);
	assert_int_not_equal(f, GAME_NONE);
	state[f / 64] |= UINT64_C(1) << (f % 64);
}

static void expect_text(const struct drawn *d, const struct look *look, const char *text)
{
	struct text t = {0};
	scene_look(d->scene, look);
	scene_text(d->scene, &(struct text_style){.width = 60}, &t);
	assert_string_equal(text_str(&t), text);
	text_free(&t);
}

/* A board of 2 x 3 with a blank, whose corner (2 c) no fluent names. */
static const char small[] = "(role p) (col 1) (col 2) (line a) (line b) (line c)\n"
							"(square 1 a) (square 1 b) (square 1 c) (square 2 a) (square 2 b)\n"
							"(what x) (what blank)\n"
							"(<= (base (at ?x ?y ?w)) (square ?x ?y) (what ?w)) (base (turn p))\n"
							"(<= (init (at ?x ?y blank)) (square ?x ?y)) (init (turn p))\n"
							"(<= (input p (mark ?x ?y)) (square ?x ?y))\n"
							"(<= (legal p (mark ?x ?y)) (true (at ?x ?y blank)))\n"
							"(<= (next (at ?x ?y x)) (does p (mark ?x ?y)))\n"
							"(<= (next (at ?x ?y ?w)) (true (at ?x ?y ?w)) (not (does p (mark ?x ?y))))\n"
							"(next (turn p)) (<= terminal (true (at 1 a x))) (goal p 100)\n";

static void squares_letters_across(void **state)
{
	struct drawn d = study_text_of(small, NULL);
	uint64_t s[4] = {0};
	set(&d, s, "(at 1 b x)");
	set(&d, s, "(at 2 a x)");
	set(&d, s, "(at 2 b blank)");
	set(&d, s, "(turn p)");
	expect_text(&d, &(struct look){.position = s}, "  at\n    2  x .\n    1  . x .\n       a b c\n    turn: p\n");
	put_away(&d);
}

/* Rules that keep what is there and let one role change one thing; enough to be looked at. */
#define STILL "(role p) (<= (next ?f) (true ?f)) (legal p stay) (<= terminal (true never)) (goal p 0)\n"

static void several_boards_side_by_side(void **state)
{
	struct drawn d = study_text_of(
		STILL "(line 1) (line 2) (board left) (board right)\n"
			  "(<= (init (cell ?b ?x ?y e)) (board ?b) (line ?x) (line ?y) (distinct ?b right))\n"
			  "(<= (init (cell right ?x 1 e)) (line ?x)) (init (cell right 1 2 o)) (init (cell right 2 2 e))\n",
		NULL);
	expect_text(&d, &(struct look){.position = d.g->initial},
	            "  cell left     cell right\n"
	            "    2  . .        2  o .\n"
	            "    1  . .        1  . .\n"
	            "       1 2           1 2\n");
	assert_int_equal(d.scene->boards.n, 2);
	assert_string_equal(d.scene->boards.at[1].part_name, "right");
	put_away(&d);
}

static void what_is_only_said_to_be_there(void **state)
{
	struct drawn d =
		study_text_of(STILL "(init (piece 1 1)) (init (piece 2 1)) (init (piece 1 2)) (init (piece 3 2))\n"
	                        "(init (dog 1 1)) (init (score p 12)) (<= barks (true (dog ?x ?y)) (true (piece ?x ?y)))\n",
	                  NULL);
	expect_text(&d, &(struct look){.position = d.g->initial},
	            "  piece\n"
	            "    2  p   p\n"
	            "    1  p p\n"
	            "       1 2 3\n"
	            "    p piece\n"
	            "    dog at 1,1\n"
	            "    score: p 12\n");
	put_away(&d);
}

/* (walker p 1 1) always stands where something else is, but it is p's: it is seen, and what is below is listed. */
static void what_is_a_roles_is_seen(void **state)
{
	struct drawn d = study_text_of(STILL "(init (tile 1 1 wood)) (init (tile 2 1 wood)) (init (tile 1 2 wood))\n"
	                                     "(init (tile 2 2 stone)) (init (walker p 2 2))\n"
	                                     "(<= stands (true (walker ?r ?x ?y)) (true (tile ?x ?y ?what)))\n",
	                               NULL);
	expect_text(&d, &(struct look){.position = d.g->initial},
	            "  tile\n"
	            "    2  . p\n"
	            "    1  . .\n"
	            "       1 2\n"
	            "    p walker p\n"
	            "    stone at 2,2\n");
	put_away(&d);
}

static void strips_rings_and_piles(void **state)
{
	static const char ring[] = STILL "(init (pit 1 3)) (init (pit 2 0)) (init (pit 3 11)) (init (pit 4 1))\n"
									 "(around 1 2) (around 2 3) (around 3 4) (around 4 1)\n";
	struct drawn d = study_text_of(ring, NULL);
	expect_text(&d, &(struct look){.position = d.g->initial},
	            "  pit\n"
	            "      4  3\n"
	            "      1 11\n"
	            "      3  .\n"
	            "      1  2\n");
	put_away(&d);
	d = study_text_of(STILL "(init (pit 1 3)) (init (pit 2 0)) (init (pit 3 11))\n", NULL);
	expect_text(&d, &(struct look){.position = d.g->initial}, "  pit\n      3  . 11\n      1  2  3\n");
	put_away(&d);
	d = study_text_of(STILL "(init (on 1 left)) (init (on 2 left)) (init (on 3 right)) (peg left) (peg right)\n", NULL);
	expect_text(&d, &(struct look){.position = d.g->initial}, "  on\n         1\n         2     3\n      left right\n");
	put_away(&d);
}

static void six_neighbours_make_hexagons(void **state)
{
	struct drawn d = study_text_of(
		STILL "(succ 1 2) (succ 2 3) (i 1) (i 2) (i 3) (<= (init (cell ?x ?y e)) (i ?x) (i ?y) (distinct ?x ?y))\n"
			  "(init (cell 1 1 red)) (init (cell 2 2 e)) (init (cell 3 3 e))\n"
			  "(<= (near ?x ?y ?z ?y) (succ ?x ?z) (i ?y)) (<= (near ?x ?y ?x ?z) (succ ?y ?z) (i ?x))\n"
			  "(<= (near ?x ?y ?z ?w) (succ ?x ?z) (succ ?w ?y))\n",
		NULL);
	expect_text(&d, &(struct look){.position = d.g->initial},
	            "  cell\n"
	            "    3    . . .\n"
	            "    2   . . .\n"
	            "    1  r . .\n"
	            "      1 2 3\n"
	            "    r red\n");
	assert_int_equal(d.study->layouts.at[0].kind, BOARD_HEX);
	put_away(&d);
}

static void ways_make_a_graph(void **state)
{
	struct drawn d =
		study_text_of(STILL "(way a b) (way b a) (way b c) (way c b) (way b d) (way d b) (way d a) (way a d)\n"
	                        "(init (at a red)) (init (at b none)) (init (at c none)) (init (at d blue))\n",
	                  NULL);
	expect_text(&d, &(struct look){.position = d.g->initial}, "  at\n    a:r  b:.  c:.  d:b\n    r red   b blue\n");
	assert_int_equal(d.study->layouts.at[0].kind, BOARD_GRAPH);
	assert_int_equal(d.study->layouts.at[0].ties.n, 4);
	put_away(&d);
}

/* Edges between the dots of a square, one of them drawn; the move that draws another is from dot to dot. */
static void lines_between_neighbours(void **state)
{
	struct drawn d = study_text_of(
		"(role p) (edge h 1 1) (edge h 1 2) (edge h 2 1) (edge h 2 2) (edge h 1 3) (edge h 2 3)\n"
		"(edge v 1 1) (edge v 2 1) (edge v 3 1) (edge v 1 2) (edge v 2 2) (edge v 3 2)\n"
		"(<= (base (drawn ?k ?x ?y)) (edge ?k ?x ?y)) (<= (input p (draw ?k ?x ?y)) (edge ?k ?x ?y))\n"
		"(init (drawn h 1 2)) (<= (legal p (draw ?k ?x ?y)) (edge ?k ?x ?y) (not (true (drawn ?k ?x ?y))))\n"
		"(<= (next (drawn ?k ?x ?y)) (does p (draw ?k ?x ?y))) (<= (next ?f) (true ?f))\n"
		"(<= terminal (true (drawn v 1 1))) (goal p 0)\n",
		NULL);
	uint32_t move = game_find_move(d.g, 0, "(draw v 3 2)");
	expect_text(&d, &(struct look){.position = d.g->initial, .moves = &move, .move_count = 1},
	            "  drawn\n"
	            "    3  +   +   +\n"
	            "\n"
	            "    2  +---+   +\n"
	            "\n"
	            "    1  +   +   +\n"
	            "       1   2   3\n");
	assert_int_equal(d.scene->moves.at[0].from, 5);
	assert_int_equal(d.scene->moves.at[0].to, 8);
	put_away(&d);
}

/* Men that move over a board of three by three, white below although the rules name the rows first. */
static const char men[] =
	"(role white) (role black) (i 1) (i 2) (i 3) (succ 1 2) (succ 2 3)\n"
	"(what white_man) (what black_man) (what empty) (owner white white_man) (owner black black_man)\n"
	"(<= (base (cell ?r ?c ?w)) (i ?r) (i ?c) (what ?w)) (<= (base (turn ?p)) (role ?p)) (<= (base (tired ?r ?c)) (i "
	"?r) (i ?c))\n"
	"(<= (init (cell 1 ?c black_man)) (i ?c)) (<= (init (cell 2 ?c empty)) (i ?c)) (<= (init (cell 3 ?c white_man)) (i "
	"?c))\n"
	"(init (turn white)) (<= (input ?p (go ?r ?c ?s ?c)) (role ?p) (i ?c) (i ?r) (i ?s)) (<= (input ?p wait) (role "
	"?p))\n"
	"(<= (legal ?p (go ?r ?c ?s ?c)) (true (turn ?p)) (owner ?p ?m) (true (cell ?r ?c ?m)) (true (cell ?s ?c empty)))\n"
	"(<= (legal ?p wait) (role ?p) (not (true (turn ?p))))\n"
	"(<= (next (cell ?s ?c ?m)) (does ?p (go ?r ?c ?s ?c)) (true (cell ?r ?c ?m)))\n"
	"(<= (next (tired ?s ?c)) (does ?p (go ?r ?c ?s ?c)))\n"
	"(<= (next (cell ?r ?c empty)) (does ?p (go ?r ?c ?s ?c)))\n"
	"(<= (next (cell ?r ?c ?m)) (true (cell ?r ?c ?m)) (not (touched ?r ?c)))\n"
	"(<= (touched ?r ?c) (does ?p (go ?r ?c ?s ?c))) (<= (touched ?s ?c) (does ?p (go ?r ?c ?s ?c)))\n"
	"(<= (next (turn black)) (true (turn white))) (<= (next (turn white)) (true (turn black)))\n"
	"(<= terminal (true (cell 1 1 white_man))) (<= (goal ?p 50) (role ?p))\n";

static void the_first_player_sits_below(void **state)
{
	struct drawn d = study_text_of(men, NULL);
	struct worker *w = worker_new(d.g);
	uint32_t joint[2] = {game_find_move(d.g, 0, "(go 3 1 2 1)"), game_find_move(d.g, 1, "wait")};
	uint64_t next[8];
	assert_true(d.g->words <= 8);
	expect_text(&d, &(struct look){.position = d.g->initial, .moves = joint, .move_count = 2},
	            "  cell\n    1  b b b\n    2  . . .\n    3  w w w\n       1 2 3\n    turn: white\n");
	/* from the lower left cell to the one above; the other is on no board */
	assert_int_equal(d.scene->moves.at[0].from, 0);
	assert_int_equal(d.scene->moves.at[0].to, 3);
	assert_int_equal(d.scene->moves.at[1].board, SCENE_NONE);
	game_next(w, d.g->initial, joint, next);
	expect_text(&d, &(struct look){.position = next, .before = d.g->initial, .last = joint},
	            "  cell\n    1  b b b\n    2 [w]. .\n    3 [.]w w\n       1 2 3\n    tired at 1,2\n    turn: black\n");
	assert_true(d.study->layouts.at[0].checkered);
	worker_free(w);
	put_away(&d);
}

static void beliefs_show_what_is_not_known(void **state)
{
	struct drawn d = study_text_of(small, NULL);
	uint64_t sure[4] = {0}, possible[4] = {0};
	set(&d, sure, "(at 1 a x)");
	memcpy(possible, sure, sizeof sure);
	set(&d, possible, "(at 1 b x)");
	set(&d, possible, "(at 1 b blank)");
	set(&d, possible, "(turn p)");
	expect_text(&d, &(struct look){.position = sure, .possible = possible},
	            "  at\n    2  . .\n    1  x ? .\n       a b c\n    turn: p?\n");
	put_away(&d);
}

static void views_improve_and_are_checked(void **state)
{
	static const char *const wrong[] = {"[]",
	                                    "{\"board\": {}}",
	                                    "{\"hide\": 3}",
	                                    "{\"boards\": {\"at\": {\"kind\": \"round\"}}}",
	                                    "{\"pieces\": {\"x\": {\"colour\": \"red\"}}}",
	                                    "{\"boards\": {\"at\": {\"fold\": 0}}}",
	                                    "{\"hide\": [\"a\",]}",
	                                    "{\"pieces\": {\"x\": {\"plain\": \"\"}}}",
	                                    "{} {}",
	                                    "{\"hide\": [\"a",
	                                    ""};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct text error = {0};
		assert_null(view_file_read(wrong[i], strlen(wrong[i]), &error));
		assert_memory_equal(text_str(&error), "line 1: ", 8);
		text_free(&error);
	}
	struct drawn d =
		study_text_of(small, "{\"boards\": {\"at\": {\"swap\": true, \"flip\": [\"rows\"]}}, \"hide\": [\"turn\"],\n"
	                         " \"pieces\": {\"x\": {\"plain\": \"#\", \"meaning\": \"block\"}}}");
	uint64_t s[4] = {0};
	set(&d, s, "(at 1 b x)");
	set(&d, s, "(turn p)");
	expect_text(&d, &(struct look){.position = s}, "  at\n    a  . .\n    b  # .\n    c  .\n       1 2\n    # x\n");
	put_away(&d);
}

/* Pairs of numbers that are only there at times are listed, unless a view knows better. */
static void views_make_strips(void **state)
{
	static const char rules[] = "(role p) (legal p go) (init (step 1)) (<= (next (step 2)) (true (step 1)))\n"
								"(<= (next (runner 1 1)) (true (step 1))) (<= (next (runner 2 2)) (true (step 1)))\n"
								"(<= (next (runner 3 3)) (true (step 2))) (<= (next (step 3)) (true (step 2)))\n"
								"(<= terminal (true (step 3))) (goal p 0)\n";
	struct drawn plain = study_text_of(rules, NULL),
				 d = study_text_of(rules, "{\"boards\": {\"runner\": {\"kind\": \"strip\"}}}");
	uint64_t s[4] = {0}, same[4] = {0};
	set(&plain, s, "(runner 1 1)");
	set(&plain, s, "(runner 2 2)");
	set(&d, same, "(runner 1 1)");
	set(&d, same, "(runner 2 2)");
	expect_text(&plain, &(struct look){.position = s}, "    (runner 1 1) (runner 2 2)\n");
	expect_text(&d, &(struct look){.position = same}, "  runner\n     1 2 .\n     1 2 3\n");
	put_away(&plain);
	put_away(&d);
}

static void pieces_by_their_names(void **state)
{
	static const struct {
		const char *name, *meaning, *glyph;
	} known[] = {
		{"white_knight", "white knight", "♘"},
		{"bq", "black queen", "♛"},
		{"x", "cross", "X"},
		{"red", "disc red", "●"},
		{"black_man", "black man", "●"},
		{"7", "number 7", "7"},
		{"north", "arrow up", "↑"},
		{"q", "letter q", "q"},
		{"whitePawn", "white pawn", "♙"},
		{"gizmo", "word gizmo", ""},
		{"12", "number 12", ""},
	};
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		struct piece p = {0};
		piece_from_name(&p, known[i].name);
		assert_string_equal(p.meaning, known[i].meaning);
		assert_string_equal(p.glyph, known[i].glyph);
		assert_int_equal(strlen(p.colour), 7);
	}
	assert_string_equal(piece_colour("red_king"), piece_colour("red"));
	assert_true(natural_order("r9", "r10") < 0 && natural_order("a", "b") < 0 && natural_order("007", "7") == 0);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(squares_letters_across),
		cmocka_unit_test(several_boards_side_by_side),
		cmocka_unit_test(what_is_only_said_to_be_there),
		cmocka_unit_test(strips_rings_and_piles),
		cmocka_unit_test(six_neighbours_make_hexagons),
		cmocka_unit_test(ways_make_a_graph),
		cmocka_unit_test(lines_between_neighbours),
		cmocka_unit_test(the_first_player_sits_below),
		cmocka_unit_test(beliefs_show_what_is_not_known),
		cmocka_unit_test(views_improve_and_are_checked),
		cmocka_unit_test(pieces_by_their_names),
		cmocka_unit_test(what_is_a_roles_is_seen),
		cmocka_unit_test(views_make_strips),
	};
	return RUN(cases);
}

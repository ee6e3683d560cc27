/* Scenes of small games whose pictures are known by heart: squares, several boards, strips, rings, graphs, lines, pieces on
 * squares, beliefs, moves, the last move. */
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

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(squares_letters_across),
	};
	return RUN(cases);
}

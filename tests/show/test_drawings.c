/* Every game of games/ at three positions: something is drawn, it fits the terminal, every fluent is in exactly one
 * place, moves go to cells that exist, and the same comes out each time; also when all words of the rules are replaced.
 * And random rules, which look like nothing. */
#include "test.h"

#include "../game/random_rules.h"
#include "base/bits.h"
#include "base/utf8.h"
#include "gdl/kif_lexer.h"
#include "show/scene.h"
#include "show/view_file.h"

#include <dirent.h>
#include <jansson.h>
#include <string.h>

struct drawn {
	struct gdl_rules *rules;
	struct view_file *view;
	struct game *g;
	struct study *study;
	struct scene *scene;
	struct worker *worker;
};

static bool open_rules(struct drawn *d, const struct text *rules, const struct text *view)
{
	struct diags diags = {0};
	struct text error = {0};
	*d = (struct drawn){.rules = gdl_read(text_str(rules), rules->n, &diags)};
	d->g = diags.errors ? NULL : game_make(d->rules, &(struct game_options){0}, &error);
	if (view && view->n)
		d->view = view_file_read(view->at, view->n, &error);
	if (error.n)
		print_error("%s\n", error.at);
	bool made = d->g && !error.n;
	diag_free(&diags);
	text_free(&error);
	if (made) {
		d->study = study_make(d->g, d->view);
		d->scene = scene_make(d->study);
		d->worker = worker_new(d->g);
	}
	return made;
}

static void put_away(struct drawn *d)
{
	worker_free(d->worker);
	scene_free(d->scene);
	study_free(d->study);
	view_file_free(d->view);
	if (d->g)
		game_free(d->g);
	gdl_free(d->rules);
}

/* ---- matches ---- */

struct match {
	VEC(uint64_t) states;
	VEC(uint32_t) moves;
	size_t steps;
};

static struct match play(struct drawn *d, uint64_t seed, size_t most)
{
	struct match m = {0};
	struct rng rng = rng_seed(seed);
	size_t words = d->g->words, roles = d->g->roles;
	vec_set(&m.states, d->g->initial, words);
	for (; m.steps < most; m.steps++) {
		struct view v = game_look(d->worker, m.states.at + m.steps * words);
		vec_extend(&m.moves, roles);
		if (v.terminal || !game_random_move(d->g, &v, &rng, m.moves.at + m.steps * roles))
			break;
		vec_extend(&m.states, words);
		game_next(d->worker, m.states.at + m.steps * words, m.moves.at + m.steps * roles,
		          m.states.at + (m.steps + 1) * words);
	}
	return m;
}

static void match_free(struct match *m)
{
	vec_free(&m->states);
	vec_free(&m->moves);
}

/* ---- what must hold ---- */

static void expect_width(const char *game, const char *text, uint32_t width)
{
	for (const char *line = text; *line;) {
		size_t n = strcspn(line, "\n");
		uint32_t columns = 0;
		for (size_t i = 0; i < n; i++)
			if (line[i] == '\033')
				while (line[i] != 'm')
					i++;
			else
				columns += !utf8_continues(line[i]);
		if (columns > width)
			fail_msg("%s: %u columns, not %u: %.*s", game, columns, width, (int)n, line);
		line += n + (line[n] == '\n');
	}
}

static void count_pieces(const struct scene *c, uint32_t first, uint32_t count, uint32_t empty, uint8_t *seen)
{
	for (uint32_t i = 0; i < count; i++)
		seen[c->pieces.at[first + i].fluent]++;
	if (empty != SCENE_NONE)
		seen[empty]++;
}

static void expect_all_once(const char *game, const struct drawn *d, const uint64_t *state)
{
	const struct scene *c = d->scene;
	uint8_t *seen = NEW_ARRAY(uint8_t, d->g->fluents + 1);
	for (size_t i = 0; i < c->cells.n; i++)
		count_pieces(c, c->cells.at[i].first, c->cells.at[i].count, c->cells.at[i].empty, seen);
	for (size_t i = 0; i < c->links.n; i++)
		count_pieces(c, c->links.at[i].first, c->links.at[i].count, c->links.at[i].empty, seen);
	for (size_t i = 0; i < c->facts.n; i++)
		seen[c->facts.at[i].value.fluent]++;
	for (uint32_t i = 0; i < d->study->parts.n; i++) {
		const struct parts *p = &d->study->parts.at[i];
		bool hidden = p->family != UINT32_MAX && d->study->families.at[p->family].shape == SHAPE_HIDDEN;
		if (seen[i] != (bits_has(state, i) && !hidden)) {
			struct text t = {0};
			game_print_fluent(d->g, i, &t);
			fail_msg("%s: %s is drawn %d times", game, text_str(&t), seen[i]);
		}
	}
	mem_free(seen);
}

static void expect_moves_on_cells(const char *game, const struct scene *c)
{
	for (size_t i = 0; i < c->moves.n; i++) {
		const struct scene_move *m = &c->moves.at[i];
		if (m->board == SCENE_NONE)
			continue;
		const struct scene_board *b = &c->boards.at[m->board];
		uint32_t cells = b->columns * b->rows;
		if (m->to >= cells || !c->cells.at[b->cells + m->to].exists ||
		    (m->from != SCENE_NONE && (m->from >= cells || !c->cells.at[b->cells + m->from].exists)))
			fail_msg("%s: move %u goes to no cell", game, m->move);
	}
}

static void expect_json(const char *game, const struct scene *c, const struct look *look)
{
	struct text t = {0};
	scene_json(c, look, &t);
	json_error_t why;
	json_t *j = json_loadb(t.at, t.n, 0, &why);
	if (!j)
		fail_msg("%s: %s", game, why.text);
	assert_int_equal(json_array_size(json_object_get(j, "boards")), c->boards.n);
	assert_int_equal(json_array_size(json_object_get(j, "facts")), c->facts.n);
	assert_int_equal(json_array_size(json_object_get(j, "moves")), c->moves.n);
	json_decref(j);
	text_free(&t);
}

/* Draws in every style; the text of 80 columns is added to `out`. */
static void look_at(const char *game, struct drawn *d, const struct look *look, struct text *out)
{
	static const uint32_t widths[] = {60, 80, 120};
	scene_look(d->scene, look);
	expect_all_once(game, d, look->position);
	expect_moves_on_cells(game, d->scene);
	for (int style = 0; style < 4; style++)
		for (size_t i = 0; i < 3; i++) {
			struct text t = {0};
			scene_text(d->scene, &(struct text_style){.width = widths[i], .unicode = style & 1, .colour = style & 2},
			           &t);
			expect_width(game, text_str(&t), widths[i]);
			if (!style && widths[i] == 80)
				text_puts(out, text_str(&t));
			text_free(&t);
		}
	expect_json(game, d->scene, look);
}

static void look_three_times(const char *game, struct drawn *d, struct text *out)
{
	struct match m = play(d, 3, 200);
	size_t words = d->g->words, roles = d->g->roles;
	for (size_t k = 0; k < 3; k++) {
		size_t step = m.steps * k / 3;
		const uint64_t *state = m.states.at + step * words;
		struct view v = game_look(d->worker, state);
		struct look look = {.position = state,
		                    .before = step ? state - words : NULL,
		                    .last = step ? m.moves.at + (step - 1) * roles : NULL,
		                    .moves = v.legal,
		                    .move_count = v.start[roles]};
		size_t before = out->n;
		look_at(game, d, &look, out);
		if (out->n == before)
			fail_msg("%s: nothing is drawn at step %zu", game, step);
	}
	match_free(&m);
}

/* ---- the games ---- */

static const char *folder(void)
{
	const char *s = getenv("MACAW_GAMES");
	return s ? s : "games";
}

static void each_game(void (*visit)(const char *name, const struct text *rules, const struct text *view))
{
	struct dirent **names;
	int n = scandir(folder(), &names, NULL, alphasort), seen = 0;
	assert_true(n > 0);
	for (int i = 0; i < n; i++) {
		size_t length = strlen(names[i]->d_name);
		if (length > 4 && !strcmp(names[i]->d_name + length - 4, ".kif") && (!test_sample() || i % 8 == 0)) {
			struct text path = {0}, rules = {0}, view = {0};
			text_printf(&path, "%s/%s", folder(), names[i]->d_name);
			assert_true(text_read_file(&rules, path.at, (size_t)1 << 24, NULL));
			path.n -= 4;
			text_puts(&path, ".view.json");
			text_read_file(&view, path.at, (size_t)1 << 20, NULL);
			visit(names[i]->d_name, &rules, &view);
			seen++;
			text_free(&path);
			text_free(&rules);
			text_free(&view);
		}
		free(names[i]);
	}
	free(names);
	assert_true(seen > 5);
}

static void draw_twice(const char *name, const struct text *rules, const struct text *view)
{
	struct text first = {0}, second = {0};
	for (int i = 0; i < 2; i++) {
		struct drawn d;
		assert_true(open_rules(&d, rules, view));
		look_three_times(name, &d, i ? &second : &first);
		put_away(&d);
	}
	assert_string_equal(text_str(&first), text_str(&second));
	text_free(&first);
	text_free(&second);
}

static void every_game_is_drawn(void **state)
{
	each_game(draw_twice);
}

/* ---- other words ---- */

static bool is_keyword(const char *word, size_t n)
{
	static const char *const words[] = {"role", "init",     "true",     "does",   "next",  "legal",
	                                    "goal", "terminal", "sees",     "base",   "input", "not",
	                                    "or",   "and",      "distinct", "random", "<="};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strlen(words[i]) == n && !strncmp(word, words[i], n))
			return true;
	return *word == '?' || *word == '(' || *word == ')';
}

/* Every word but the language's own becomes another one; equal words stay equal. */
static void scramble(const struct text *rules, struct text *out)
{
	size_t at = 0, from, to;
	while (kif_token(rules->at, rules->n, &at, &from, &to))
		if (is_keyword(rules->at + from, to - from))
			text_printf(out, " %.*s", (int)(to - from), rules->at + from);
		else
			text_printf(out, " w%08x", (unsigned)hash_bytes(rules->at + from, to - from));
}

/* How many cells the boards have in all, and of which kinds they are. */
static size_t forms_of(const struct study *s, uint32_t kinds[4])
{
	size_t cells = 0;
	for (size_t i = 0; i < s->layouts.n; i++) {
		kinds[s->layouts.at[i].kind]++;
		for (size_t k = 0; k < s->layouts.at[i].exists.n; k++)
			cells += s->layouts.at[i].exists.at[k];
	}
	return cells;
}

static uint32_t scrambled_games, kept_games;

static void draw_scrambled(const char *name, const struct text *rules, const struct text *view)
{
	struct text other = {0}, out = {0};
	struct drawn a, b;
	uint32_t kinds[4] = {0}, again[4] = {0};
	scramble(rules, &other);
	assert_true(open_rules(&a, rules, NULL));
	assert_true(open_rules(&b, &other, NULL));
	look_three_times(name, &b, &out);
	scrambled_games++;
	bool same = forms_of(a.study, kinds) == forms_of(b.study, again) && !memcmp(kinds, again, sizeof kinds);
	kept_games += same;
	if (!same)
		printf("other words, another picture: %s\n", name);
	put_away(&a);
	put_away(&b);
	text_free(&other);
	text_free(&out);
}

static void boards_do_not_hang_on_words(void **state)
{
	each_game(draw_scrambled);
	printf("%u of %u games keep their boards\n", kept_games, scrambled_games);
	assert_int_equal(kept_games, scrambled_games);
}

/* ---- random rules ---- */

static void random_rules_are_drawn(void **state)
{
	uint32_t drawn = 0;
	for (uint64_t seed = 0; seed < (test_sample() ? 100 : 1000); seed++) {
		struct text rules = {0}, out = {0};
		struct drawn d;
		char name[32];
		random_rules(&rules, seed);
		snprintf(name, sizeof name, "seed %d", (int)seed);
		if (open_rules(&d, &rules, NULL)) {
			struct match m = play(&d, seed, 20);
			for (size_t k = 0; k <= m.steps; k += 1 + m.steps / 3)
				look_at(name, &d, &(struct look){.position = m.states.at + k * d.g->words}, &out);
			match_free(&m);
			drawn++;
		}
		put_away(&d);
		text_free(&rules);
		text_free(&out);
	}
	assert_true(drawn > 50);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(every_game_is_drawn),
		cmocka_unit_test(boards_do_not_hang_on_words),
		cmocka_unit_test(random_rules_are_drawn),
	};
	return RUN(cases);
}

/* What makes a board: a function symbol with three or more arguments, two of which
 * are coordinates and the others say what stands there. Which is which is not in
 * the name but in how the fluents behave: the coordinates are the pair of arguments
 * that, in the initial state, never has two contents at once, and whose values
 * fill (at least a third of) a rectangle. Of several such pairs the one that fills
 * its rectangle best in the initial state wins, then one of numbers, then the one
 * that comes first.
 *
 * The first coordinate goes to the right, the second up, unless only the second
 * one is made of letters (a1, b2: letters go to the right). */
#include "show/board_internal.h"

#include "base/bits.h"
#include "gdl/kif_lexer.h"

#include <stdlib.h>
#include <string.h>

enum { MIN_SIDE = 2, MAX_SIDE = 40, MIN_ARGS = 3 };

/* ---- reading fluents --------------------------------------------------------------- */

static void add_once(sym_list *list, sym_t s)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->at[i] == s)
			return;
	vec_push(list, s);
}

static uint32_t family_of(struct board *b, sym_t name, int argc)
{
	for (uint32_t i = 0; i < b->families.n; i++)
		if (b->families.at[i].name == name && b->families.at[i].argc == argc)
			return i;
	struct family f = {.name = name, .argc = argc};
	vec_push(&b->families, f);
	return (uint32_t)b->families.n - 1;
}

/* "(cell 1 2 x)" in prefix form, single spaces. */
static struct parts split(struct board *b, const char *text)
{
	struct parts p = {.family = UINT32_MAX};
	sym_t word[MAX_ARGS + 2];
	size_t length = strlen(text);
	int n = 0;
	if (*text != '(')
		return p;
	for (size_t at = 1; at < length && text[at] != ')' && n < MAX_ARGS + 2; n++) {
		size_t end = kif_term_end(text, length, at);
		word[n] = sym_put(&b->symbols, text + at, end - at);
		at = end + (text[end] == ' ');
	}
	if (n < MIN_ARGS + 1 || n > MAX_ARGS + 1)
		return p;
	p.family = family_of(b, word[0], n - 1);
	memcpy(p.args, word + 1, (size_t)(n - 1) * sizeof *word);
	return p;
}

static void join_content(struct board *b, struct parts *p)
{
	const struct family *f = &b->families.at[p->family];
	struct text t = {0};
	for (int k = 0; k < f->argc; k++)
		if (k != f->x && k != f->y)
			text_printf(&t, "%s%s", t.n ? " " : "", sym_text(&b->symbols, p->args[k]));
	p->content = sym_put(&b->symbols, text_str(&t), t.n);
	text_free(&t);
}

static void learn(struct board *b, uint32_t fluent)
{
	while (b->known.n <= fluent) {
		vec_push(&b->known, 0);
		vec_push(&b->parts, (struct parts){.family = UINT32_MAX});
	}
	if (!b->known.at[fluent]) {
		struct text t = {0};
		game_print_fluent(b->g, fluent, &t);
		struct parts p = split(b, text_str(&t));
		text_free(&t);
		b->known.at[fluent] = 1;
		for (int k = 0; p.family != UINT32_MAX && k < b->families.at[p.family].argc; k++)
			add_once(&b->families.at[p.family].argument[k], p.args[k]);
		if (p.family != UINT32_MAX && b->families.at[p.family].board)
			join_content(b, &p);
		b->parts.at[fluent] = p;
	}
}

/* ---- recognising boards --------------------------------------------------------------- */

static bool all_digits(const char *s)
{
	return *s && !s[strspn(s, "0123456789")];
}

/* Numbers by value, then words by length and letters. */
static int by_coordinate(const void *a, const void *b, void *symbols)
{
	const char *x = sym_text(symbols, *(const sym_t *)a), *y = sym_text(symbols, *(const sym_t *)b);
	bool nx = all_digits(x), ny = all_digits(y);
	if (nx && ny)
		return atol(x) < atol(y) ? -1 : atol(x) > atol(y);
	if (nx != ny)
		return nx ? -1 : 1;
	size_t lx = strlen(x), ly = strlen(y);
	return lx != ly ? (lx < ly ? -1 : 1) : strcmp(x, y);
}

static int by_pair(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

/* Distinct pairs of arguments (u, v) among the fluents of a family; with a state,
 * only those that hold in it. *count: how many fluents there were. */
static size_t distinct_pairs(const struct board *b, uint32_t family, int u, int v, const uint64_t *state, size_t *count)
{
	VEC(uint64_t) pairs = {0};
	for (size_t i = 0; i < b->parts.n; i++)
		if (b->parts.at[i].family == family && (!state || bits_has(state, i)))
			vec_push(&pairs, (uint64_t)b->parts.at[i].args[u] << 32 | b->parts.at[i].args[v]);
	*count = pairs.n;
	if (pairs.n > 1)
		qsort(pairs.at, pairs.n, sizeof *pairs.at, by_pair);
	size_t n = pairs.n > 0;
	for (size_t i = 1; i < pairs.n; i++)
		n += pairs.at[i] != pairs.at[i - 1];
	vec_free(&pairs);
	return n;
}

static bool all_numbers(const struct board *b, const sym_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		if (!all_digits(sym_text(&b->symbols, list->at[i])))
			return false;
	return true;
}

static bool is_side(const struct family *f, int k)
{
	return f->argument[k].n >= MIN_SIDE && f->argument[k].n <= MAX_SIDE;
}

static void judge(struct board *b, uint32_t family)
{
	struct family *f = &b->families.at[family];
	double best = -1;
	size_t count;
	for (int u = 0; u < f->argc; u++)
		for (int v = u + 1; v < f->argc; v++) {
			if (!is_side(f, u) || !is_side(f, v))
				continue;
			double area = (double)(f->argument[u].n * f->argument[v].n);
			size_t now = distinct_pairs(b, family, u, v, b->g->initial, &count);
			if (now != count || (!now && f->argc > MIN_ARGS))
				continue;
			double squares = (double)distinct_pairs(b, family, u, v, NULL, &count);
			double score = (double)now / area;
			if (all_numbers(b, &f->argument[u]) && all_numbers(b, &f->argument[v]))
				score += 1e-3;
			if (squares * 3 < area || score <= best)
				continue;
			best = score;
			f->board = true;
			f->x = u;
			f->y = v;
		}
	if (!f->board)
		return;
	const char *x = sym_text(&b->symbols, f->argument[f->x].at[0]), *y = sym_text(&b->symbols, f->argument[f->y].at[0]);
	if (all_digits(x) && !all_digits(y)) {
		int swap = f->x;
		f->x = f->y;
		f->y = swap;
	}
	for (size_t i = 0; i < b->parts.n; i++)
		if (b->parts.at[i].family == family)
			join_content(b, &b->parts.at[i]);
}

struct board *board_make(const struct game *g)
{
	struct board *b = NEW(struct board);
	b->g = g;
	b->lower = SYM_NONE;
	if (g->circuit)
		for (uint32_t i = 0; i < g->fluents; i++)
			learn(b, i);
	else
		BITS_EACH (i, g->initial, g->fluents)
			learn(b, (uint32_t)i);
	for (uint32_t i = 0; i < b->families.n; i++) {
		judge(b, i);
		if (b->families.at[i].board)
			vec_push(&b->grids, (struct grid){.family = i});
	}
	return b;
}


static void grid_free(struct grid *g)
{
	vec_free(&g->column_names);
	vec_free(&g->row_names);
	vec_free(&g->cells);
	vec_free(&g->fluents);
	vec_free(&g->counts);
	vec_free(&g->contents);
}

void board_free(struct board *b)
{
	if (!b)
		return;
	for (size_t i = 0; i < b->families.n; i++)
		for (int k = 0; k < MAX_ARGS; k++)
			vec_free(&b->families.at[i].argument[k]);
	for (size_t i = 0; i < b->grids.n; i++)
		grid_free(&b->grids.at[i]);
	vec_free(&b->families);
	vec_free(&b->grids);
	vec_free(&b->rest);
	vec_free(&b->parts);
	vec_free(&b->known);
	vec_free(&b->pieces);
	sym_free(&b->symbols);
	mem_free(b);
}

/* ---- a position on the boards ------------------------------------------------------------ */

bool board_is_blank(const struct board *b, const char *content)
{
	static const char *const words[] = {"b", "blank", "empty", "e", "none", "free", "clear"};
	/* `b` is black where there is a white. */
	bool white = sym_find(&b->symbols, "w", 1) != SYM_NONE || sym_find(&b->symbols, "white", 5) != SYM_NONE;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (!strcmp(content, words[i]))
			return i || !white;
	return false;
}

static uint32_t index_of(const sym_list *list, sym_t s)
{
	uint32_t i = 0;
	while (list->at[i] != s)
		i++;
	return i;
}

size_t board_cell(const struct board *b, const struct grid *g, const struct parts *p)
{
	const struct family *f = &b->families.at[g->family];
	const sym_list *xs = &f->argument[f->x], *ys = &f->argument[f->y];
	return (size_t)index_of(ys, p->args[f->y]) * xs->n + index_of(xs, p->args[f->x]);
}

/* The grid without anything on it: names of its sides, and which squares there are. */
static void lay_out(struct board *b, struct grid *g)
{
	struct family *f = &b->families.at[g->family];
	sym_list *xs = &f->argument[f->x], *ys = &f->argument[f->y];
	qsort_r(xs->at, xs->n, sizeof *xs->at, by_coordinate, &b->symbols);
	qsort_r(ys->at, ys->n, sizeof *ys->at, by_coordinate, &b->symbols);
	size_t area = xs->n * ys->n;
	vec_clear(&g->column_names);
	vec_clear(&g->row_names);
	for (size_t i = 0; i < xs->n; i++)
		vec_push(&g->column_names, sym_text(&b->symbols, xs->at[i]));
	for (size_t i = 0; i < ys->n; i++)
		vec_push(&g->row_names, sym_text(&b->symbols, ys->at[i]));
	vec_clear(&g->cells);
	vec_clear(&g->fluents);
	vec_clear(&g->counts);
	vec_clear(&g->contents);
	for (size_t i = 0; i < area; i++) {
		vec_push(&g->cells, NULL);
		vec_push(&g->fluents, GAME_NONE);
		vec_push(&g->counts, 0);
		vec_push(&g->contents, SYM_NONE);
	}
	for (size_t i = 0; i < b->parts.n; i++)
		if (b->parts.at[i].family == g->family)
			g->cells.at[board_cell(b, g, &b->parts.at[i])] = "";
	g->seen = (struct board_grid){
		.name = sym_text(&b->symbols, f->name),
		.columns = (uint32_t)xs->n,
		.rows = (uint32_t)ys->n,
		.column_names = g->column_names.at,
		.row_names = g->row_names.at,
		.cells = g->cells.at,
		.fluents = g->fluents.at,
	};
}

void board_lay_out(struct board *b)
{
	for (size_t i = 0; i < b->grids.n; i++)
		lay_out(b, &b->grids.at[i]);
}

static struct grid *grid_of(struct board *b, uint32_t fluent)
{
	for (size_t i = 0; i < b->grids.n; i++)
		if (b->grids.at[i].family == b->parts.at[fluent].family)
			return &b->grids.at[i];
	return NULL;
}

static void put(struct board *b, struct grid *g, uint32_t fluent)
{
	size_t cell = board_cell(b, g, &b->parts.at[fluent]);
	const char *content = sym_text(&b->symbols, b->parts.at[fluent].content);
	bool alone = !g->counts.at[cell]++;
	g->cells.at[cell] = !alone ? "*" : board_is_blank(b, content) ? "" : content;
	g->fluents.at[cell] = alone ? fluent : GAME_NONE;
	g->contents.at[cell] = alone ? b->parts.at[fluent].content : SYM_NONE;
}

uint32_t board_look(struct board *b, const uint64_t *state)
{
	BITS_EACH (i, state, b->g->fluents)
		learn(b, (uint32_t)i);
	board_lay_out(b);
	BITS_EACH (i, state, b->g->fluents) {
		struct grid *g = grid_of(b, (uint32_t)i);
		if (g)
			put(b, g, (uint32_t)i);
	}
	vec_clear(&b->rest);
	BITS_EACH (i, state, b->g->fluents) {
		struct grid *g = grid_of(b, (uint32_t)i);
		if (!g || g->counts.at[board_cell(b, g, &b->parts.at[i])] > 1)
			vec_push(&b->rest, (uint32_t)i);
	}
	return (uint32_t)b->grids.n;
}

const struct board_grid *board_grid(const struct board *b, uint32_t i)
{
	return &b->grids.at[i].seen;
}

const uint32_t *board_rest(const struct board *b, size_t *count)
{
	*count = b->rest.n;
	return b->rest.at;
}

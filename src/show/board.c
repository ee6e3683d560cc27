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
#include "show/board.h"

#include "base/bits.h"
#include "base/sym.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MIN_SIDE = 2, MAX_SIDE = 40, MIN_ARGS = 3, MAX_ARGS = 5 };

typedef VEC(sym_t) sym_list;
typedef VEC(uint32_t) class_list;

struct family {
	sym_t name;
	int argc;
	sym_list argument[MAX_ARGS]; /* values of each, as met */
	bool board;
	int x, y; /* which arguments are coordinates */
};

struct piece {
	sym_t content;
	char mark[8];
};

/* A fluent in parts: f(a, b, c), or something else. */
struct parts {
	uint32_t family; /* UINT32_MAX: no candidate */
	sym_t args[MAX_ARGS];
	sym_t content; /* on a board: what is no coordinate, as one text */
};

struct board {
	const struct game *g;
	struct symbols symbols;
	VEC(struct family) families;
	VEC(struct parts) parts; /* by fluent */
	VEC(uint8_t) known;      /* by fluent: parts are there */
	VEC(struct piece) pieces;
	sym_t lower; /* whose pieces have small letters; SYM_NONE: not met */
};

/* ---- reading fluents --------------------------------------------------------------- */

/* The end of a term that starts at s. */
static const char *term_end(const char *s)
{
	int depth = 0;
	for (; *s; s++) {
		if (*s == '(')
			depth++;
		else if (*s == ')' && depth-- <= 1)
			return depth < 0 ? s : s + 1;
		else if (*s == ' ' && !depth)
			return s;
	}
	return s;
}

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
	int n = 0;
	if (*text != '(')
		return p;
	for (const char *s = text + 1; *s && *s != ')' && n < MAX_ARGS + 2; n++) {
		const char *end = term_end(s);
		word[n] = sym_put(&b->symbols, s, (size_t)(end - s));
		s = end + (*end == ' ');
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
	for (uint32_t i = 0; i < b->families.n; i++)
		judge(b, i);
	return b;
}

void board_free(struct board *b)
{
	if (!b)
		return;
	for (size_t i = 0; i < b->families.n; i++)
		for (int k = 0; k < MAX_ARGS; k++)
			vec_free(&b->families.at[i].argument[k]);
	vec_free(&b->families);
	vec_free(&b->parts);
	vec_free(&b->known);
	vec_free(&b->pieces);
	sym_free(&b->symbols);
	mem_free(b);
}

/* ---- marks ------------------------------------------------------------------------------ */

static bool mark_taken(const struct board *b, const char *mark)
{
	for (size_t i = 0; i < b->pieces.n; i++)
		if (!strcmp(b->pieces.at[i].mark, mark))
			return true;
	return false;
}

static bool is_blank(const char *s)
{
	static const char *const words[] = {"b", "blank", "empty", "e", "none", "free", "clear"};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (!strcmp(s, words[i]))
			return true;
	return false;
}

/* `b` is black where there is a white. */
static bool has_white(const struct board *b)
{
	return sym_find(&b->symbols, "w", 1) != SYM_NONE || sym_find(&b->symbols, "white", 5) != SYM_NONE;
}

/* Pieces of two words, colour and kind: the kind gives the letter, the colour its
 * case, as chess players write it. False when the letter is taken. */
static bool mark_by_kind(struct board *b, const char *name, char mark[8])
{
	size_t n = strcspn(name, " _");
	if (!name[n] || !name[n + 1])
		return false;
	const char *kind = name + n + 1;
	sym_t owner = sym_put(&b->symbols, name, n);
	bool white = n == 5 && !strncmp(name, "white", n), black = n == 5 && !strncmp(name, "black", n);
	if (b->lower == SYM_NONE && !white)
		b->lower = owner;
	int c = !strcmp(kind, "knight") ? 'n' : tolower((unsigned char)*kind);
	snprintf(mark, 8, "%c", black || owner == b->lower ? c : toupper(c));
	return c < 128 && isalnum(c) && !mark_taken(b, mark);
}

/* One character: the name itself, one of its letters, else any letter. */
static void choose_mark(struct board *b, const char *name, char mark[8])
{
	size_t n = strlen(name);
	strcpy(mark, ".");
	if (is_blank(name) && !(n == 1 && *name == 'b' && has_white(b)) && !mark_taken(b, mark))
		return;
	if (mark_by_kind(b, name, mark))
		return;
	for (size_t i = 0; i < n; i++)
		for (int up = 0; up < 2; up++) {
			unsigned char c = (unsigned char)name[i];
			snprintf(mark, 8, "%c", up ? toupper(c) : c);
			if (c < 128 && isalnum(c) && !mark_taken(b, mark))
				return;
		}
	for (char c = '!'; c < 127; c++) {
		snprintf(mark, 8, "%c", c);
		if (c != '.' && c != '*' && !mark_taken(b, mark))
			return;
	}
	strcpy(mark, "?");
}

static const char *mark_of(struct board *b, sym_t content)
{
	for (size_t i = 0; i < b->pieces.n; i++)
		if (b->pieces.at[i].content == content)
			return b->pieces.at[i].mark;
	struct piece p = {.content = content};
	choose_mark(b, sym_text(&b->symbols, content), p.mark);
	vec_push(&b->pieces, p);
	return vec_last(&b->pieces).mark;
}

/* ---- drawing ------------------------------------------------------------------------------ */

static int widest(const struct board *b, const sym_list *list)
{
	size_t w = 1;
	for (size_t i = 0; i < list->n; i++)
		if (strlen(sym_text(&b->symbols, list->at[i])) > w)
			w = strlen(sym_text(&b->symbols, list->at[i]));
	return (int)(w > 12 ? 12 : w);
}

/* How many things stand at (x, y) now, and the last of them. *any: the square is
 * one that some fluent tells about. */
static int at_square(const struct board *b, uint32_t family, const uint64_t *state, sym_t x, sym_t y, bool *any,
                     sym_t *content)
{
	const struct family *f = &b->families.at[family];
	int found = 0;
	*any = false;
	for (size_t i = 0; i < b->parts.n; i++) {
		const struct parts *p = &b->parts.at[i];
		if (p->family != family || p->args[f->x] != x || p->args[f->y] != y)
			continue;
		*any = true;
		if (bits_has(state, i)) {
			*content = p->content;
			found++;
		}
	}
	return found;
}

static void draw_legend(struct board *b, const sym_list *seen, struct text *out)
{
	bool first = true;
	for (size_t i = 0; i < seen->n; i++) {
		const char *mark = mark_of(b, seen->at[i]), *name = sym_text(&b->symbols, seen->at[i]);
		if (!strcmp(mark, name))
			continue;
		text_printf(out, "%s%s %s", first ? "    " : ", ", mark, name);
		first = false;
	}
	if (!first)
		text_putc(out, '\n');
}

/* The letter of a square's class; classes are met in the order of drawing. */
static const char *class_mark(const struct board *b, uint32_t family, const uint32_t *label, class_list *met, sym_t x,
                              sym_t y)
{
	static const char marks[][2] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m",
	                                "n", "o", "p", "q", "r", "s", "t", "u", "v", "w", "x", "y", "z",
	                                "A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L", "M",
	                                "N", "O", "P", "Q", "R", "S", "T", "U", "V", "W", "X", "Y", "Z"};
	const struct family *f = &b->families.at[family];
	uint32_t least = UINT32_MAX, k = 0;
	for (size_t i = 0; i < b->parts.n; i++) {
		const struct parts *p = &b->parts.at[i];
		if (p->family == family && p->args[f->x] == x && p->args[f->y] == y && label[i] < least)
			least = label[i];
	}
	if (least == UINT32_MAX)
		return " ";
	while (k < met->n && met->at[k] != least)
		k++;
	if (k == met->n)
		vec_push(met, least);
	return k < sizeof marks / sizeof *marks ? marks[k] : "+";
}

/* A state, or classes of squares (label not NULL). */
static void draw_family(struct board *b, uint32_t family, const uint64_t *state, const uint32_t *label, struct text *out)
{
	struct family *f = &b->families.at[family];
	sym_list *xs = &f->argument[f->x], *ys = &f->argument[f->y], seen = {0};
	class_list met = {0};
	qsort_r(xs->at, xs->n, sizeof *xs->at, by_coordinate, &b->symbols);
	qsort_r(ys->at, ys->n, sizeof *ys->at, by_coordinate, &b->symbols);
	int left = widest(b, ys), cell = widest(b, xs);
	cell = cell > 3 ? 3 : cell;
	text_printf(out, "  %s\n", sym_text(&b->symbols, f->name));
	for (size_t j = ys->n; j-- > 0;) {
		text_printf(out, "    %*.*s ", left, left, sym_text(&b->symbols, ys->at[j]));
		for (size_t i = 0; i < xs->n; i++) {
			bool any;
			sym_t c = SYM_NONE;
			if (label) {
				text_printf(out, " %*s", cell, class_mark(b, family, label, &met, xs->at[i], ys->at[j]));
				continue;
			}
			int n = at_square(b, family, state, xs->at[i], ys->at[j], &any, &c);
			text_printf(out, " %*s", cell, n > 1 ? "*" : n ? mark_of(b, c) : any ? "." : " ");
			if (n == 1)
				add_once(&seen, c);
		}
		text_putc(out, '\n');
	}
	text_printf(out, "    %*s ", left, "");
	for (size_t i = 0; i < xs->n; i++)
		text_printf(out, " %*.*s", cell, cell, sym_text(&b->symbols, xs->at[i]));
	text_putc(out, '\n');
	draw_legend(b, &seen, out);
	vec_free(&seen);
	vec_free(&met);
}

bool board_draw_classes(struct board *b, const uint32_t *label, struct text *out)
{
	bool any = false;
	for (uint32_t k = 0; k < b->families.n; k++)
		if (b->families.at[k].board) {
			draw_family(b, k, NULL, label, out);
			any = true;
		}
	return any;
}

/* Is it on a board, and alone on its square? Others are listed below the board. */
static bool is_drawn(const struct board *b, uint32_t fluent, const uint64_t *state)
{
	const struct parts *p = &b->parts.at[fluent];
	bool any;
	sym_t c;
	if (p->family == UINT32_MAX || !b->families.at[p->family].board)
		return false;
	const struct family *f = &b->families.at[p->family];
	return at_square(b, p->family, state, p->args[f->x], p->args[f->y], &any, &c) == 1;
}

void board_draw(struct board *b, const uint64_t *state, struct text *out)
{
	BITS_EACH (i, state, b->g->fluents)
		learn(b, (uint32_t)i);
	for (uint32_t k = 0; k < b->families.n; k++)
		if (b->families.at[k].board)
			draw_family(b, k, state, NULL, out);
	size_t column = 0;
	BITS_EACH (i, state, b->g->fluents) {
		if (is_drawn(b, (uint32_t)i, state))
			continue;
		struct text t = {0};
		game_print_fluent(b->g, (uint32_t)i, &t);
		if (column && column + t.n + 1 > 100) {
			text_putc(out, '\n');
			column = 0;
		}
		text_puts(out, column ? " " : "    ");
		text_puts(out, text_str(&t));
		column += t.n + (column ? 1 : 4);
		text_free(&t);
	}
	if (column)
		text_putc(out, '\n');
}

/* A scene for a terminal: the boards, then legend, counters, hands and the rest, wrapped at words. */
#include "show/scene_text_internal.h"

#include <ctype.h>
#include <stdlib.h>

/* ---- words ----------------------------------------------------------------------------------- */

void prose_end(struct prose *w)
{
	if (w->column)
		text_putc(w->out, '\n');
	w->column = 0;
}

static void put_word(struct prose *w, const char *word, size_t n, int gap)
{
	int columns = utf8_columns(word, n);
	if (w->column && w->column + gap + columns > w->width)
		prose_end(w);
	for (int i = w->column ? gap : w->indent; i > 0; i--)
		text_putc(w->out, ' ');
	w->column += (w->column ? gap : w->indent) + columns;
	text_add(w->out, word, n);
}

void prose_item(struct prose *w, const char *item, int gap)
{
	if (columns_of(item) + w->indent <= w->width) {
		put_word(w, item, strlen(item), gap);
		return;
	}
	for (bool first = true; *item; first = false) {
		size_t n = strcspn(item, " ");
		put_word(w, item, n, first ? gap : 1);
		item += n + (item[n] == ' ');
	}
}

/* ---- legend ----------------------------------------------------------------------------------- */

static bool is_figure(const char *meaning)
{
	return !strncmp(meaning, "white ", 6) || !strncmp(meaning, "black ", 6);
}

/* A mark that says as much as the name. */
static bool is_clear(const struct painter *p, uint32_t piece)
{
	const struct piece *k = &p->c->study->pieces.at[piece];
	const char *mark = painter_mark(p, piece), *name = sym_text(&p->c->study->symbols, k->name);
	bool glyph = mark == k->glyph && k->natural;
	return glyph || !strcasecmp(mark, name) ||
	       (k->natural && (is_figure(k->meaning) || !strncmp(k->meaning, "pile", 4)));
}

static void draw_legend(struct painter *p, struct text *out)
{
	struct prose w = {.out = out, .width = (int)p->style->width, .indent = TEXT_INDENT};
	for (uint32_t i = 0; i < p->shown.n; i++) {
		struct text item = {0};
		if (!p->shown.at[i] || is_clear(p, i))
			continue;
		text_printf(&item, "%s %s", painter_mark(p, i),
		            sym_text(&p->c->study->symbols, p->c->study->pieces.at[i].name));
		prose_item(&w, text_str(&item), 3);
		text_free(&item);
	}
	prose_end(&w);
}

/* Pieces that another one covers, or that are said of another one: which, and where. */
static void draw_hidden(const struct painter *p, struct text *out)
{
	const struct scene *c = p->c;
	struct prose w = {.out = out, .width = (int)p->style->width, .indent = TEXT_INDENT};
	struct text *items = NEW_ARRAY(struct text, c->study->pieces.n + 1);
	for (size_t k = 0; k < c->boards.n; k++) {
		const struct scene_board *b = &c->boards.at[k];
		for (uint32_t i = 0; i < b->columns * b->rows && scene_layout(c, b)->kind != BOARD_STRIP; i++) {
			const struct scene_cell *x = &c->cells.at[b->cells + i];
			const struct scene_piece *top = painter_top(c, x);
			for (uint32_t n = 0; n < x->count && !x->unknown; n++) {
				const struct scene_piece *piece = &c->pieces.at[x->first + n];
				struct text *item = &items[piece->piece];
				if (piece == top)
					continue;
				const char *column = b->column_names[i % b->columns], *row = b->row_names[i / b->columns];
				bool chess = isalpha((unsigned char)*column) && !column[1] && isdigit((unsigned char)*row);
				text_printf(item, item->n ? " " : "%s at ", scene_name(c, piece));
				text_printf(item, "%s%s%s", column, chess || !*row ? "" : ",", row);
			}
		}
	}
	for (size_t i = 0; i < c->study->pieces.n; i++) {
		if (items[i].n)
			prose_item(&w, items[i].at, 3);
		text_free(&items[i]);
	}
	mem_free(items);
	prose_end(&w);
}

/* ---- facts ------------------------------------------------------------------------------------ */

/* Facts of one name in one item: "captured: south 4, north 0"; what a role holds is an item of its own. */
static size_t put_fact(const struct painter *p, struct prose *w, size_t i)
{
	const struct scene *c = p->c;
	const struct scene_fact *first = &c->facts.at[i];
	struct text item = {0};
	bool rest = first->kind == FACT_REST, hand = first->kind == FACT_HAND;
	if (!rest)
		text_printf(&item, "%s", first->name);
	if (hand && first->role != UINT32_MAX)
		text_printf(&item, " %s", sym_text(&c->study->symbols, c->study->roles.at[first->role]));
	text_puts(&item, rest ? "" : ":");
	for (; i < c->facts.n; i++) {
		const struct scene_fact *f = &c->facts.at[i];
		if (f != first &&
		    (rest || f->kind != first->kind || strcmp(f->name, first->name) != 0 || (hand && f->role != first->role)))
			break;
		text_puts(&item, f != first ? ", " : rest ? "" : " ");
		if (f->role != UINT32_MAX && f->kind != FACT_TURN && !hand)
			text_printf(&item, "%s ", sym_text(&c->study->symbols, c->study->roles.at[f->role]));
		text_printf(&item, "%s%s", scene_name(c, &f->value), f->value.sure ? "" : "?");
	}
	if (hand)
		prose_end(w);
	prose_item(w, text_str(&item), rest ? 1 : 3);
	if (hand)
		prose_end(w);
	text_free(&item);
	return i;
}

static void draw_facts(const struct painter *p, struct text *out)
{
	struct prose w = {.out = out, .width = (int)p->style->width, .indent = TEXT_INDENT};
	for (size_t i = 0; i < p->c->facts.n;) {
		if (i && (p->c->facts.at[i].kind == FACT_REST) != (p->c->facts.at[i - 1].kind == FACT_REST))
			prose_end(&w);
		i = put_fact(p, &w, i);
	}
	prose_end(&w);
}

void scene_text(const struct scene *c, const struct text_style *style, struct text *out)
{
	struct painter p = painter_make(c, style, NULL);
	painter_boards(&p, out);
	draw_legend(&p, out);
	draw_hidden(&p, out);
	draw_facts(&p, out);
	painter_free(&p);
}

/* ---- classes of cells --------------------------------------------------------------------------- */

bool scene_classes(struct scene *c, const uint32_t *label, struct text *out)
{
	const struct study *s = c->study;
	const struct text_style style = {.width = 80};
	uint64_t *nothing = NEW_ARRAY(uint64_t, s->g->words);
	scene_look(c, &(struct look){.position = nothing});
	mem_free(nothing);
	uint32_t *class = mem_alloc(c->cells.n + 1, sizeof *class);
	memset(class, 0xff, c->cells.n * sizeof *class);
	for (uint32_t i = 0; i < s->parts.n; i++) {
		uint32_t cell = s->parts.at[i].family != UINT32_MAX ? scene_cell_of(c, i) : SCENE_NONE;
		if (cell != SCENE_NONE && label[i] < class[cell])
			class[cell] = label[i];
	}
	/* letters in the order in which cells are met, from the top */
	VEC(uint32_t) met = {0};
	for (size_t k = 0; k < c->boards.n; k++) {
		const struct scene_board *b = &c->boards.at[k];
		for (uint32_t row = b->rows; row-- > 0;)
			for (uint32_t i = 0; i < b->columns; i++) {
				uint32_t *at = &class[b->cells + row * b->columns + i], n = 0;
				while (*at != UINT32_MAX && n < met.n && met.at[n] != *at)
					n++;
				if (*at != UINT32_MAX && n == met.n)
					vec_push(&met, *at);
				*at = *at == UINT32_MAX ? *at : n;
			}
	}
	struct painter p = painter_make(c, &style, class);
	painter_boards(&p, out);
	painter_free(&p);
	vec_free(&met);
	mem_free(class);
	return c->boards.n > 0;
}

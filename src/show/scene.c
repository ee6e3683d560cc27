/* Putting a position on the boards that the study found. */
#include "show/scene.h"

#include "base/bits.h"
#include "show/study_internal.h"

#include <stdlib.h>
#include <string.h>

struct scene *scene_make(struct study *s)
{
	struct scene *c = NEW(struct scene);
	c->study = s;
	return c;
}

void scene_free(struct scene *c)
{
	if (!c)
		return;
	vec_free(&c->boards);
	vec_free(&c->cells);
	vec_free(&c->links);
	vec_free(&c->pieces);
	vec_free(&c->facts);
	vec_free(&c->moves);
	vec_free(&c->rest);
	vec_free(&c->names);
	vec_free(&c->first_board);
	mem_free(c);
}

/* ---- empty boards --------------------------------------------------------------------------- */

static void add_board(struct scene *c, uint32_t layout, uint32_t part)
{
	const struct study *s = c->study;
	const struct layout *l = &s->layouts.at[layout];
	uint32_t n = layout_cells(l);
	struct scene_board b = {.layout = layout,
	                        .part = part,
	                        .name = study_text(s, s->families.at[l->leader].name),
	                        .part_name = l->parts.n ? study_text(s, l->parts.at[part]) : "",
	                        .columns = (uint32_t)l->axis[0].n,
	                        .rows = l->axis[1].n ? (uint32_t)l->axis[1].n : 1,
	                        .cells = (uint32_t)c->cells.n,
	                        .links = (uint32_t)c->links.n,
	                        .link_count = (uint32_t)l->ties.n};
	for (uint32_t i = 0; i < n; i++)
		vec_push(&c->cells, (struct scene_cell){.exists = l->exists.at[part * n + i], .empty = SCENE_NONE});
	for (size_t i = 0; i < l->ties.n; i++)
		vec_push(&c->links, (struct scene_link){.tie = l->ties.at[i], .empty = SCENE_NONE});
	vec_push(&c->boards, b);
}

/* Names are one array, so pointers into it are set when it has stopped growing. */
static void name_axes(struct scene *c)
{
	const struct study *s = c->study;
	vec_clear(&c->names);
	for (size_t i = 0; i < s->layouts.n; i++)
		for (int k = 0; k < 2; k++) {
			for (size_t v = 0; v < s->layouts.at[i].axis[k].n; v++)
				vec_push(&c->names, study_text(s, s->layouts.at[i].axis[k].at[v]));
			if (!s->layouts.at[i].axis[k].n)
				vec_push(&c->names, "");
		}
	size_t at = 0;
	for (size_t i = 0, b = 0; i < s->layouts.n; i++) {
		size_t columns = s->layouts.at[i].axis[0].n, rows = s->layouts.at[i].axis[1].n ? s->layouts.at[i].axis[1].n : 1;
		for (; b < c->boards.n && c->boards.at[b].layout == i; b++) {
			c->boards.at[b].column_names = c->names.at + at;
			c->boards.at[b].row_names = c->names.at + at + columns;
		}
		at += columns + rows;
	}
}

static void set_up(struct scene *c)
{
	const struct study *s = c->study;
	vec_clear(&c->boards);
	vec_clear(&c->cells);
	vec_clear(&c->links);
	vec_clear(&c->pieces);
	vec_clear(&c->facts);
	vec_clear(&c->moves);
	vec_clear(&c->rest);
	vec_clear(&c->first_board);
	for (uint32_t i = 0; i < s->layouts.n; i++) {
		vec_push(&c->first_board, (uint32_t)c->boards.n);
		for (uint32_t part = 0; part < (s->layouts.at[i].parts.n ? s->layouts.at[i].parts.n : 1); part++)
			add_board(c, i, part);
	}
	name_axes(c);
}

/* ---- where things are ------------------------------------------------------------------------ */

/* A fluent in its place: a cell, or a link, numbered behind the cells. */
struct entry {
	uint32_t slot, depth, fluent;
	bool sure;
	const struct scene *scene;
};

/* The slot of a fluent; SCENE_NONE: it is on no board. */
static uint32_t slot_of(const struct scene *c, const struct parts *p)
{
	const struct study *s = c->study;
	const struct family *f = &s->families.at[p->family];
	uint32_t part, cell;
	if ((f->shape != SHAPE_BOARD && f->shape != SHAPE_LINKS) || !study_cell(s, f, p, f->axis, &part, &cell))
		return SCENE_NONE;
	const struct scene_board *b = &c->boards.at[c->first_board.at[f->layout] + (f->shape == SHAPE_BOARD ? part : 0)];
	if (f->shape == SHAPE_BOARD)
		return b->cells + cell;
	uint32_t end = study_link_end(s, f, p, cell);
	for (uint32_t i = 0; i < b->link_count; i++) {
		struct tie t = c->links.at[b->links + i].tie;
		if (t.from == cell && t.to == end)
			return (uint32_t)c->cells.n + b->links + i;
	}
	return SCENE_NONE;
}

uint32_t scene_cell_of(const struct scene *c, uint32_t fluent)
{
	uint32_t slot = slot_of(c, &c->study->parts.at[fluent]);
	return slot < c->cells.n ? slot : SCENE_NONE;
}

/* Badges lie lowest, then what all squares say, then what there is much of; what a board of things is named after is
 * seen. */
static uint32_t depth_of(const struct study *s, const struct family *f)
{
	bool leads = &s->families.at[s->layouts.at[f->layout].leader] == f;
	uint32_t mask = 1u << f->axis[0] | (f->axis[1] >= 0 ? 1u << f->axis[1] : 0) | (f->part >= 0 ? 1u << f->part : 0);
	bool squares = leads && f->content && family_is_total(f, mask);
	return f->badge ? 0 : squares ? 1 : leads ? UINT32_MAX : UINT32_MAX - 1 - (f->most < UINT32_MAX / 2 ? f->most : 0);
}

static const char *name_of(const struct scene *c, uint32_t fluent)
{
	const struct study *s = c->study;
	return study_text(s, s->pieces.at[s->parts.at[fluent].piece].name);
}

static int by_slot(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	if (x->slot != y->slot)
		return x->slot < y->slot ? -1 : 1;
	if (x->depth != y->depth)
		return x->depth < y->depth ? -1 : 1;
	/* in piles the largest lies lowest */
	int order = natural_order(name_of(y->scene, y->fluent), name_of(x->scene, x->fluent));
	return order ? order : x->fluent < y->fluent ? -1 : x->fluent > y->fluent;
}

static void add_fact(struct scene *c, uint32_t fluent, bool sure)
{
	static const enum fact_kind kinds[] = {
		[SHAPE_TURN] = FACT_TURN, [SHAPE_COUNTER] = FACT_COUNTER, [SHAPE_DICE] = FACT_DICE, [SHAPE_HAND] = FACT_HAND,
		[SHAPE_REST] = FACT_REST, [SHAPE_BOARD] = FACT_REST,      [SHAPE_LINKS] = FACT_REST};
	const struct study *s = c->study;
	const struct parts *p = &s->parts.at[fluent];
	const struct family *f = &s->families.at[p->family];
	if (f->shape == SHAPE_HIDDEN)
		return;
	struct scene_fact fact = {.kind = kinds[f->shape],
	                          .name = study_text(s, f->name),
	                          .role = f->owner >= 0 ? study_role(s, p->args[f->owner]) : UINT32_MAX,
	                          .value = {.piece = p->piece, .fluent = fluent, .sure = sure}};
	vec_push(&c->facts, fact);
}

static int by_fact(const void *a, const void *b, void *context)
{
	const struct scene_fact *x = a, *y = b;
	const struct scene *c = context;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	int order = natural_order(x->name, y->name);
	if (order)
		return order;
	if (x->role != y->role)
		return x->role < y->role ? -1 : 1;
	order = natural_order(name_of(c, x->value.fluent), name_of(c, y->value.fluent));
	return order ? order : x->value.fluent < y->value.fluent ? -1 : x->value.fluent > y->value.fluent;
}

static void put_in_cell(struct scene *c, const struct entry *e)
{
	const struct study *s = c->study;
	const struct parts *p = &s->parts.at[e->fluent];
	bool blank = s->pieces.at[p->piece].blank, is_cell = e->slot < c->cells.n;
	struct scene_cell *cell = is_cell ? &c->cells.at[e->slot] : NULL;
	struct scene_link *link = is_cell ? NULL : &c->links.at[e->slot - c->cells.n];
	uint32_t *empty = cell ? &cell->empty : &link->empty, *first = cell ? &cell->first : &link->first,
			 *count = cell ? &cell->count : &link->count;
	if (!e->sure)
		*(cell ? &cell->unknown : &link->unknown) = true;
	if (cell)
		cell->said++;
	if (blank && *empty == SCENE_NONE) {
		*empty = e->sure ? e->fluent : *empty;
		return;
	}
	if (!*count)
		*first = (uint32_t)c->pieces.n;
	++*count;
	vec_push(&c->pieces, (struct scene_piece){p->piece, e->fluent, e->sure, s->families.at[p->family].badge});
}

static void put_everything(struct scene *c, const struct look *look)
{
	struct study *s = c->study;
	VEC(struct entry) entries = {0};
	const uint64_t *all = look->possible ? look->possible : look->position;
	for (uint32_t i = 0; i < s->parts.n; i++) {
		const struct parts *p = &s->parts.at[i];
		bool sure = bits_has(look->position, i);
		if (p->family == NO_FAMILY || (!sure && !bits_has(all, i)))
			continue;
		uint32_t slot = slot_of(c, p);
		if (slot == SCENE_NONE) {
			add_fact(c, i, sure);
			if (sure && s->families.at[p->family].shape != SHAPE_HIDDEN)
				vec_push(&c->rest, i);
		} else {
			vec_push(&entries, (struct entry){slot, depth_of(s, &s->families.at[p->family]), i, sure, c});
		}
	}
	if (entries.n > 1)
		qsort(entries.at, entries.n, sizeof *entries.at, by_slot);
	for (size_t i = 0; i < entries.n; i++)
		put_in_cell(c, &entries.at[i]);
	vec_free(&entries);
	if (c->facts.n > 1)
		qsort_r(c->facts.at, c->facts.n, sizeof *c->facts.at, by_fact, c);
}

/* ---- moves ----------------------------------------------------------------------------------- */

/* Where a piece falls: the lowest empty cell of a column, or its highest cell. */
static uint32_t landing(const struct scene *c, const struct scene_board *b, uint32_t column)
{
	uint32_t top = SCENE_NONE;
	for (uint32_t row = 0; row < b->rows; row++) {
		const struct scene_cell *cell = &c->cells.at[b->cells + row * b->columns + column];
		if (!cell->exists)
			continue;
		top = row * b->columns + column;
		if (!cell->count)
			break;
	}
	return top;
}

static bool is_place(const struct family *m, int k)
{
	return k == m->axis[0] || k == m->axis[1] || k == m->to[0] || k == m->to[1] || k == m->part;
}

/* Do moves of another name go to the same boards? Then the name matters. */
static bool has_rival(const struct study *s, const struct family *m)
{
	for (size_t i = 0; i < s->move_families.n; i++) {
		const struct family *o = &s->move_families.at[i];
		if (o != m && o->layout == m->layout && m->layout != UINT32_MAX)
			return true;
	}
	return false;
}

static sym_t menu_of(struct study *s, const struct family *m, const struct parts *p)
{
	struct text t = {0};
	if (m->layout == UINT32_MAX || has_rival(s, m))
		text_puts(&t, study_text(s, m->name));
	for (int k = 0; k < m->argc; k++)
		if (m->layout == UINT32_MAX || !is_place(m, k))
			text_printf(&t, "%s%s", t.n ? " " : "", study_text(s, p->args[k]));
	sym_t menu = sym_put(&s->symbols, text_str(&t), t.n);
	text_free(&t);
	return menu;
}

static struct scene_move place_move(struct scene *c, uint32_t move)
{
	struct study *s = c->study;
	const struct parts *p = &s->move_parts.at[move];
	const struct family *m = &s->move_families.at[p->family];
	struct scene_move at = {
		.move = move, .board = SCENE_NONE, .from = SCENE_NONE, .to = SCENE_NONE, .menu = menu_of(s, m, p)};
	uint32_t part, other, cell, to;
	if (m->layout == UINT32_MAX || !study_cell(s, m, p, m->axis, &part, &cell))
		return at;
	if (m->part < 0 && s->layouts.at[m->layout].parts.n) /* a board for each role: the mover's */
		part = study_index(&s->layouts.at[m->layout].parts, s->roles.at[game_role_of(s->g, move)]);
	if (part == UINT32_MAX)
		return at;
	uint32_t board = c->first_board.at[m->layout] + (m->shape == SHAPE_BOARD ? part : 0);
	const struct scene_board *b = &c->boards.at[board];
	if (m->column) {
		at.to = landing(c, b, cell % b->columns);
	} else if (m->shape == SHAPE_LINKS) {
		at.from = cell;
		at.to = study_link_end(s, m, p, cell);
	} else if (m->to[0] >= 0 && study_cell(s, m, p, m->to, &other, &to)) {
		at.from = cell;
		at.to = to;
	} else {
		at.to = cell;
	}
	at.board = at.to == SCENE_NONE ? SCENE_NONE : board;
	return at;
}

/* ---- the last move --------------------------------------------------------------------------- */

static void mark_slot(struct scene *c, uint32_t slot)
{
	if (slot < c->cells.n)
		c->cells.at[slot].last = true;
	else if (slot != SCENE_NONE)
		c->links.at[slot - c->cells.n].last = true;
}

static void mark_last(struct scene *c, const struct look *look)
{
	const struct study *s = c->study;
	for (size_t i = 0; i < s->parts.n && look->before; i++)
		if (s->parts.at[i].family != NO_FAMILY && bits_has(look->before, i) != bits_has(look->position, i))
			mark_slot(c, slot_of(c, &s->parts.at[i]));
	for (uint32_t r = 0; r < s->g->roles && look->last; r++) {
		struct scene_move m = place_move(c, look->last[r]);
		const struct family *f = &s->move_families.at[s->move_parts.at[look->last[r]].family];
		if (m.board == SCENE_NONE || f->column || f->shape == SHAPE_LINKS)
			continue; /* what changed says it better */
		mark_slot(c, c->boards.at[m.board].cells + m.to);
		if (m.from != SCENE_NONE)
			mark_slot(c, c->boards.at[m.board].cells + m.from);
	}
}

void scene_look(struct scene *c, const struct look *look)
{
	struct study *s = c->study;
	BITS_EACH (i, look->position, s->g->fluents)
		study_fluent(s, (uint32_t)i);
	if (look->possible)
		BITS_EACH (i, look->possible, s->g->fluents)
			study_fluent(s, (uint32_t)i);
	if (look->before)
		BITS_EACH (i, look->before, s->g->fluents)
			study_fluent(s, (uint32_t)i);
	for (uint32_t r = 0; r < s->g->roles && look->last; r++)
		study_move(s, look->last[r]);
	for (size_t i = 0; i < look->move_count; i++)
		study_move(s, look->moves[i]);
	study_settle(s);
	set_up(c);
	put_everything(c, look);
	mark_last(c, look);
	for (size_t i = 0; i < look->move_count; i++)
		vec_push(&c->moves, place_move(c, look->moves[i]));
}

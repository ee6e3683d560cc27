/* A position, or what a role believes of it, as a picture: boards with cells, pieces and links, facts beside them, and
 * the cells that moves are made on. Data only; scene_json.c and scene_text.c write it down. */
#ifndef SHOW_SCENE_H
#define SHOW_SCENE_H

#include "show/study.h"

#define SCENE_NONE UINT32_MAX

/* See macaw_sight in include/macaw/drawing.h. */
struct look {
	const uint64_t *position, *possible, *before;
	const uint32_t *last, *moves;
	size_t move_count;
};

struct scene_piece {
	uint32_t piece; /* of the study */
	uint32_t fluent;
	bool sure;
	bool badge;
};

struct scene_cell {
	bool exists, last, unknown;
	uint32_t empty;        /* the fluent that says nothing is here */
	uint32_t said;         /* fluents that say something of it */
	uint32_t first, count; /* of scene->pieces */
};

struct scene_link {
	struct tie tie;
	bool last, unknown;
	uint32_t empty, first, count;
};

struct scene_board {
	uint32_t layout, part;
	const char *name, *part_name; /* "": the only one */
	uint32_t columns, rows;
	const char *const *column_names, *const *row_names;
	uint32_t cells, links, link_count; /* the first of scene->cells and scene->links */
};

enum fact_kind { FACT_TURN, FACT_COUNTER, FACT_DICE, FACT_HAND, FACT_REST };

struct scene_fact {
	enum fact_kind kind;
	const char *name;
	uint32_t role;
	struct scene_piece value;
};

struct scene_move {
	uint32_t move, board, from, to; /* cells of the board */
	sym_t menu;
};

struct scene {
	struct study *study;
	VEC(struct scene_board) boards;
	VEC(struct scene_cell) cells;
	VEC(struct scene_link) links;
	VEC(struct scene_piece) pieces;
	VEC(struct scene_fact) facts;
	VEC(struct scene_move) moves;
	VEC(uint32_t) rest; /* fluents on no board, ascending */
	VEC(const char *) names;
	VEC(uint32_t) first_board; /* by layout */
};

struct scene *scene_make(struct study *s); /* not owned */
void scene_free(struct scene *c);
void scene_look(struct scene *c, const struct look *look);

/* The cell of scene->cells that a fluent speaks of; SCENE_NONE: it is on no cell. */
uint32_t scene_cell_of(const struct scene *c, uint32_t fluent);

static inline const struct layout *scene_layout(const struct scene *c, const struct scene_board *b)
{
	return &c->study->layouts.at[b->layout];
}

static inline const struct piece *scene_kind(const struct scene *c, const struct scene_piece *p)
{
	return &c->study->pieces.at[p->piece];
}

static inline const char *scene_name(const struct scene *c, const struct scene_piece *p)
{
	return sym_text(&c->study->symbols, scene_kind(c, p)->name);
}

void scene_json(const struct scene *c, const struct look *look, struct text *out);

struct text_style {
	uint32_t width;
	bool colour, unicode;
};
void scene_text(const struct scene *c, const struct text_style *style, struct text *out);
/* Cells with one letter each: the same where the smallest number that label[] gives the fluents of a cell is the same.
 * False: there is no board. */
bool scene_classes(struct scene *c, const uint32_t *label, struct text *out);

#endif

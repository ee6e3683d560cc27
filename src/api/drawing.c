/* Positions as pictures, for others: the scenes of show/scene.h in a handle. */
#include "macaw/drawing.h"
#include "api/api_internal.h"
#include "show/scene.h"
#include "show/view_file.h"

#include <stdlib.h>
#include <unistd.h>

enum { MOST_VIEW = 1 << 20 };

struct macaw_drawing {
	struct handle handle;
	struct view_file *view;
	struct study *study;
	struct scene *scene;
	uint32_t boards;         /* of the last look */
	VEC(macaw_piece) pieces; /* of the scene, in its order */
	VEC(const char *) cells; /* what stands on them, by cell of the scene */
	VEC(uint32_t) fluents;
};

/* ---- making ---- */

/* games/x.kif -> games/x.view.json. False: the text is no name of a file. */
static bool view_path(const char *file, struct text *path)
{
	const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file, *dot = strrchr(name, '.');
	text_add(path, file, dot && dot > name ? (size_t)(dot - file) : strlen(file));
	text_puts(path, ".view.json");
	return *name;
}

/* A message, or "": there is no view file, or it was read. */
static void make(macaw_drawing *d, const macaw_game *g, struct text *error)
{
	struct text path = {0}, text = {0}, why = {0};
	if (view_path(macaw_rules_file(macaw_game_rules(g)), &path) && !access(path.at, F_OK)) {
		if (text_read_file(&text, path.at, MOST_VIEW, error))
			d->view = view_file_read(text_str(&text), text.n, &why);
		if (why.n)
			text_printf(error, "%s: %s", path.at, why.at);
	}
	text_free(&path);
	text_free(&text);
	text_free(&why);
	if (error->n)
		return;
	d->study = study_make(api_game(g), d->view);
	d->scene = scene_make(d->study);
}

macaw_drawing *macaw_drawing_new(macaw_game *g, macaw_error *e)
{
	api_clear(e);
	macaw_drawing *d = calloc(1, sizeof *d);
	if (!d || !handle_open(&d->handle, e)) {
		api_fail(e, MACAW_MEMORY, "out of memory");
		free(d);
		return NULL;
	}
	bool made;
	struct text error = {0};
	MEM_TRY(made, d->handle.scope, make(d, g, &error));
	if (made && d->scene)
		return d;
	if (made)
		api_fail_text(e, MACAW_INPUT, &error);
	else
		handle_break(&d->handle, e);
	if (made)
		text_free(&error);
	macaw_drawing_free(d);
	return NULL;
}

void macaw_drawing_free(macaw_drawing *d)
{
	if (!d)
		return;
	if (!d->handle.broken) {
		scene_free(d->scene);
		study_free(d->study);
		view_file_free(d->view);
		vec_free(&d->pieces);
		vec_free(&d->cells);
		vec_free(&d->fluents);
	}
	handle_close(&d->handle);
	free(d);
}

/* ---- looking ---- */

static struct look inside(const macaw_sight *l)
{
	return (struct look){.position = l->position,
	                     .possible = l->possible,
	                     .before = l->before,
	                     .last = l->last,
	                     .moves = l->moves,
	                     .move_count = l->moves ? l->move_count : 0};
}

static macaw_piece piece_of(const macaw_drawing *d, const struct scene_piece *p)
{
	const struct piece *k = scene_kind(d->scene, p);
	return (macaw_piece){.name = scene_name(d->scene, p),
	                     .meaning = k->meaning,
	                     .glyph = k->glyph,
	                     .plain = k->plain,
	                     .colour = k->colour,
	                     .owner = k->owner,
	                     .fluent = p->fluent,
	                     .sure = p->sure};
}

/* The arrays that the public face promises beside the scene's own. */
static void describe(macaw_drawing *d)
{
	const struct scene *c = d->scene;
	vec_clear(&d->pieces);
	vec_clear(&d->cells);
	vec_clear(&d->fluents);
	for (size_t i = 0; i < c->pieces.n; i++)
		vec_push(&d->pieces, piece_of(d, &c->pieces.at[i]));
	for (size_t i = 0; i < c->cells.n; i++) {
		const struct scene_cell *x = &c->cells.at[i];
		uint32_t one = x->count == 1 ? c->pieces.at[x->first].fluent : x->empty;
		vec_push(&d->cells, !x->exists ? NULL : !x->count ? "" : x->count > 1 ? "*" : d->pieces.at[x->first].name);
		vec_push(&d->fluents, x->said == 1 ? one : MACAW_NONE);
	}
	d->boards = (uint32_t)c->boards.n;
}

static void see(macaw_drawing *d, const macaw_sight *look)
{
	struct look l = inside(look);
	scene_look(d->scene, &l);
	describe(d);
}

uint32_t macaw_drawing_see(macaw_drawing *d, const macaw_sight *look)
{
	d->boards = 0;
	GUARD(&d->handle, NULL, MACAW_NONE, see(d, look));
	return d->boards;
}

uint32_t macaw_drawing_look(macaw_drawing *d, const uint64_t *position)
{
	return macaw_drawing_see(d, &(macaw_sight){.position = position});
}

/* ---- what was seen ---- */

macaw_board macaw_drawing_board(macaw_drawing *d, uint32_t board)
{
	static const enum macaw_board_kind kinds[] = {[BOARD_GRID] = MACAW_BOARD_GRID,
	                                              [BOARD_HEX] = MACAW_BOARD_HEX,
	                                              [BOARD_STRIP] = MACAW_BOARD_STRIP,
	                                              [BOARD_GRAPH] = MACAW_BOARD_GRAPH};
	if (board >= d->boards)
		return (macaw_board){0};
	const struct scene_board *b = &d->scene->boards.at[board];
	const struct layout *l = scene_layout(d->scene, b);
	return (macaw_board){.name = b->name,
	                     .columns = b->columns,
	                     .rows = b->rows,
	                     .column_names = b->column_names,
	                     .row_names = b->row_names,
	                     .cells = d->cells.at + b->cells,
	                     .fluents = d->fluents.at + b->cells,
	                     .kind = kinds[l->kind],
	                     .part = b->part_name,
	                     .checkered = l->checkered,
	                     .links = b->link_count};
}

macaw_cell macaw_drawing_cell(macaw_drawing *d, uint32_t board, uint32_t cell)
{
	if (board >= d->boards || cell >= layout_cells(scene_layout(d->scene, &d->scene->boards.at[board])))
		return (macaw_cell){0};
	const struct scene_board *b = &d->scene->boards.at[board];
	const struct scene_cell *x = &d->scene->cells.at[b->cells + cell];
	return (macaw_cell){.exists = x->exists,
	                    .last = x->last,
	                    .unknown = x->unknown,
	                    .empty = x->empty,
	                    .pieces = x->count,
	                    .piece = x->count ? d->pieces.at + x->first : NULL,
	                    .x = scene_layout(d->scene, b)->x.at[cell],
	                    .y = scene_layout(d->scene, b)->y.at[cell]};
}

macaw_link macaw_drawing_link(macaw_drawing *d, uint32_t board, uint32_t link)
{
	if (board >= d->boards || link >= d->scene->boards.at[board].link_count)
		return (macaw_link){0};
	const struct scene_link *x = &d->scene->links.at[d->scene->boards.at[board].links + link];
	return (macaw_link){.from = x->tie.from,
	                    .to = x->tie.to,
	                    .last = x->last,
	                    .unknown = x->unknown,
	                    .empty = x->empty,
	                    .pieces = x->count,
	                    .piece = x->count ? d->pieces.at + x->first : NULL};
}

uint32_t macaw_drawing_facts(macaw_drawing *d)
{
	return d->handle.broken ? 0 : (uint32_t)d->scene->facts.n;
}

macaw_fact macaw_drawing_fact(macaw_drawing *d, uint32_t fact)
{
	static const enum macaw_fact_kind kinds[] = {[FACT_TURN] = MACAW_FACT_TURN,
	                                             [FACT_COUNTER] = MACAW_FACT_COUNTER,
	                                             [FACT_DICE] = MACAW_FACT_DICE,
	                                             [FACT_HAND] = MACAW_FACT_HAND,
	                                             [FACT_REST] = MACAW_FACT_REST};
	if (fact >= macaw_drawing_facts(d))
		return (macaw_fact){0};
	const struct scene_fact *f = &d->scene->facts.at[fact];
	return (macaw_fact){.kind = kinds[f->kind], .name = f->name, .role = f->role, .piece = piece_of(d, &f->value)};
}

const uint32_t *macaw_drawing_rest(macaw_drawing *d, size_t *count)
{
	size_t n = d->handle.broken ? 0 : d->scene->rest.n;
	if (count)
		*count = n;
	return n ? d->scene->rest.at : NULL;
}

macaw_move_place macaw_drawing_move(macaw_drawing *d, size_t i)
{
	if (d->handle.broken || i >= d->scene->moves.n)
		return (macaw_move_place){MACAW_NONE, MACAW_NONE, MACAW_NONE, MACAW_NONE, ""};
	const struct scene_move *m = &d->scene->moves.at[i];
	return (macaw_move_place){m->move, m->board, m->from, m->to, sym_text(&d->study->symbols, m->menu)};
}

/* ---- the whole ---- */

static void write_json(macaw_drawing *d, const macaw_sight *look, struct text *out)
{
	struct look l = inside(look);
	see(d, look);
	scene_json(d->scene, &l, out);
}

char *macaw_drawing_json(macaw_drawing *d, const macaw_sight *look)
{
	struct text t = {0};
	GUARD(&d->handle, NULL, NULL, write_json(d, look, &t));
	return api_give(&t);
}

static void write_text(macaw_drawing *d, const macaw_sight *look, const macaw_text_options *o, struct text *out)
{
	struct text_style style = {
		.width = o && o->width ? o->width : 80, .colour = o && o->colour, .unicode = o && o->unicode};
	see(d, look);
	scene_text(d->scene, &style, out);
}

char *macaw_drawing_print(macaw_drawing *d, const macaw_sight *look, const macaw_text_options *o)
{
	struct text t = {0};
	GUARD(&d->handle, NULL, NULL, write_text(d, look, o, &t));
	return api_give(&t);
}

char *macaw_drawing_text(macaw_drawing *d, const uint64_t *position)
{
	return macaw_drawing_print(d, &(macaw_sight){.position = position}, NULL);
}

static bool write_classes(macaw_drawing *d, const uint32_t *label, struct text *out)
{
	bool any = scene_classes(d->scene, label, out);
	describe(d);
	return any;
}

char *macaw_drawing_classes(macaw_drawing *d, const uint32_t *label)
{
	struct text t = {0};
	bool any;
	GUARD(&d->handle, NULL, NULL, any = write_classes(d, label, &t));
	char *text = any ? api_give(&t) : NULL;
	text_free(&t);
	return text;
}

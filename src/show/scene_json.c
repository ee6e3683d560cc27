/* A scene as JSON; docs/boards.md has the schema. */
#include "base/json.h"
#include "show/scene.h"

static void write_piece(struct json_writer *w, const struct scene *c, const char *key, const struct scene_piece *p)
{
	const struct piece *k = scene_kind(c, p);
	struct text fluent = {0};
	game_print_fluent(c->study->g, p->fluent, &fluent);
	jsonw_object(w, key);
	jsonw_text(w, "name", scene_name(c, p));
	jsonw_text(w, "meaning", k->meaning);
	jsonw_text(w, "glyph", k->glyph);
	jsonw_text(w, "plain", k->plain);
	jsonw_text(w, "colour", k->colour);
	if (k->owner != UINT32_MAX)
		jsonw_uint(w, "owner", k->owner);
	jsonw_text(w, "fluent", text_str(&fluent));
	if (!p->sure)
		jsonw_bool(w, "sure", false);
	jsonw_end(w);
	text_free(&fluent);
}

static void write_pieces(struct json_writer *w, const struct scene *c, uint32_t first, uint32_t count)
{
	jsonw_array(w, "pieces");
	for (uint32_t i = 0; i < count; i++)
		write_piece(w, c, NULL, &c->pieces.at[first + i]);
	jsonw_end(w);
}

static void write_at(struct json_writer *w, const char *key, const struct scene_board *b, uint32_t cell)
{
	jsonw_array(w, key);
	jsonw_uint(w, NULL, cell % b->columns);
	jsonw_uint(w, NULL, cell / b->columns);
	jsonw_end(w);
}

static void write_flags(struct json_writer *w, bool last, bool unknown)
{
	if (last)
		jsonw_bool(w, "last", true);
	if (unknown)
		jsonw_bool(w, "unknown", true);
}

static void write_names(struct json_writer *w, const char *key, const char *const *names, uint32_t n)
{
	jsonw_array(w, key);
	for (uint32_t i = 0; i < n; i++)
		jsonw_text(w, NULL, names[i]);
	jsonw_end(w);
}

static void write_cells(struct json_writer *w, const struct scene *c, const struct scene_board *b)
{
	const struct layout *l = scene_layout(c, b);
	jsonw_array(w, "cells");
	for (uint32_t i = 0; i < b->columns * b->rows; i++) {
		const struct scene_cell *cell = &c->cells.at[b->cells + i];
		if (!cell->exists)
			continue;
		jsonw_object(w, NULL);
		write_at(w, "at", b, i);
		jsonw_real(w, "x", l->x.at[i]);
		jsonw_real(w, "y", l->y.at[i]);
		write_pieces(w, c, cell->first, cell->count);
		write_flags(w, cell->last, cell->unknown);
		jsonw_end(w);
	}
	jsonw_end(w);
}

static void write_links(struct json_writer *w, const struct scene *c, const struct scene_board *b)
{
	jsonw_array(w, "links");
	for (uint32_t i = 0; i < b->link_count; i++) {
		const struct scene_link *link = &c->links.at[b->links + i];
		jsonw_object(w, NULL);
		write_at(w, "from", b, link->tie.from);
		write_at(w, "to", b, link->tie.to);
		write_pieces(w, c, link->first, link->count);
		write_flags(w, link->last, link->unknown);
		jsonw_end(w);
	}
	jsonw_end(w);
}

static void write_board(struct json_writer *w, const struct scene *c, const struct scene_board *b)
{
	static const char *const kinds[] = {"grid", "hex", "strip", "graph"};
	const struct layout *l = scene_layout(c, b);
	struct text id = {0};
	text_printf(&id, "%s%s%s", b->name, *b->part_name ? " " : "", b->part_name);
	jsonw_object(w, NULL);
	jsonw_text(w, "id", text_str(&id));
	jsonw_text(w, "name", b->name);
	jsonw_text(w, "part", b->part_name);
	jsonw_text(w, "kind", kinds[l->kind]);
	jsonw_bool(w, "checkered", l->checkered);
	write_names(w, "columns", b->column_names, b->columns);
	write_names(w, "rows", b->row_names, b->rows);
	write_cells(w, c, b);
	write_links(w, c, b);
	jsonw_end(w);
	text_free(&id);
}

static void write_facts(struct json_writer *w, const struct scene *c)
{
	static const char *const kinds[] = {"turn", "counter", "dice", "hand", "rest"};
	jsonw_array(w, "facts");
	for (size_t i = 0; i < c->facts.n; i++) {
		const struct scene_fact *f = &c->facts.at[i];
		jsonw_object(w, NULL);
		jsonw_text(w, "kind", kinds[f->kind]);
		jsonw_text(w, "name", f->name);
		if (f->role != UINT32_MAX)
			jsonw_uint(w, "role", f->role);
		write_piece(w, c, "value", &f->value);
		jsonw_end(w);
	}
	jsonw_end(w);
}

static void write_move_text(struct json_writer *w, const struct scene *c, uint32_t move)
{
	struct text t = {0};
	game_print_move(c->study->g, move, &t);
	jsonw_text(w, "text", text_str(&t));
	text_free(&t);
}

static void write_moves(struct json_writer *w, const struct scene *c)
{
	jsonw_array(w, "moves");
	for (size_t i = 0; i < c->moves.n; i++) {
		const struct scene_move *m = &c->moves.at[i];
		jsonw_object(w, NULL);
		jsonw_uint(w, "move", m->move);
		jsonw_uint(w, "role", game_role_of(c->study->g, m->move));
		write_move_text(w, c, m->move);
		if (m->board != SCENE_NONE) {
			const struct scene_board *b = &c->boards.at[m->board];
			jsonw_uint(w, "board", m->board);
			if (m->from != SCENE_NONE)
				write_at(w, "from", b, m->from);
			write_at(w, "to", b, m->to);
		}
		jsonw_text(w, "menu", sym_text(&c->study->symbols, m->menu));
		jsonw_end(w);
	}
	jsonw_end(w);
}

static void write_last(struct json_writer *w, const struct scene *c, const struct look *look)
{
	jsonw_array(w, "last");
	for (uint32_t r = 0; r < c->study->g->roles && look->last; r++) {
		jsonw_object(w, NULL);
		jsonw_uint(w, "role", r);
		jsonw_uint(w, "move", look->last[r]);
		write_move_text(w, c, look->last[r]);
		jsonw_end(w);
	}
	jsonw_end(w);
}

void scene_json(const struct scene *c, const struct look *look, struct text *out)
{
	struct json_writer w = {.out = out};
	jsonw_object(&w, NULL);
	jsonw_array(&w, "roles");
	for (size_t r = 0; r < c->study->roles.n; r++)
		jsonw_text(&w, NULL, sym_text(&c->study->symbols, c->study->roles.at[r]));
	jsonw_end(&w);
	jsonw_array(&w, "boards");
	for (size_t i = 0; i < c->boards.n; i++)
		write_board(&w, c, &c->boards.at[i]);
	jsonw_end(&w);
	write_facts(&w, c);
	write_moves(&w, c);
	write_last(&w, c, look);
	jsonw_end(&w);
}

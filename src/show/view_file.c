/* Reading view files: every member is known and of the right kind, or the file is refused. */
#include "show/view_file.h"

#include "base/json_read.h"
#include "base/nearest.h"
#include "base/utf8.h"

#include <stdio.h>
#include <string.h>

struct view_file {
	struct arena arena;
	const struct json *root;
};

/* ---- checks --------------------------------------------------------------------------------- */

static const struct member {
	const char *name;
	enum json_type type;
} of_file[] = {{"boards", JSON_IS_OBJECT}, {"pieces", JSON_IS_OBJECT}, {"hide", JSON_IS_ARRAY}},
  of_board[] = {{"kind", JSON_IS_TEXT},   {"swap", JSON_IS_BOOL},      {"flip", JSON_IS_ARRAY},
                {"fold", JSON_IS_NUMBER}, {"checkered", JSON_IS_BOOL}, {"split", JSON_IS_BOOL}},
  of_piece[] = {{"meaning", JSON_IS_TEXT}, {"glyph", JSON_IS_TEXT}, {"plain", JSON_IS_TEXT}, {"colour", JSON_IS_TEXT}};

static const char *const type_names[] = {"null", "true or false", "a number", "a text", "an array", "an object"};

static bool refuse(struct text *error, const struct json *j, const char *what)
{
	text_printf(error, "line %u: %s", j->line, what);
	return false;
}

static bool knows(const struct json *object, const struct member *known, size_t n, struct text *error)
{
	if (object->type != JSON_IS_OBJECT)
		return refuse(error, object, "an object is expected");
	for (const struct json *m = object->first; m; m = m->next) {
		size_t i = 0;
		while (i < n && strcmp(known[i].name, m->key) != 0)
			i++;
		if (i == n) {
			text_printf(error, "line %u: there is no `%s` here; known are", m->line, m->key);
			for (i = 0; i < n; i++)
				text_printf(error, "%s `%s`", i ? "," : "", known[i].name);
			return false;
		}
		if (m->type != known[i].type) {
			text_printf(error, "line %u: `%s` must be %s", m->line, m->key, type_names[known[i].type]);
			return false;
		}
	}
	return true;
}

static bool is_colour(const char *s)
{
	return *s == '#' && strlen(s) == 7 && strspn(s + 1, "0123456789abcdefABCDEF") == 6;
}

static bool check_piece(const struct json *p, struct text *error)
{
	if (!knows(p, of_piece, sizeof of_piece / sizeof *of_piece, error))
		return false;
	const struct json *m = json_member(p, "colour");
	if (m && !is_colour(m->text))
		return refuse(error, m, "`colour` must be like \"#c04020\"");
	m = json_member(p, "glyph");
	if (m && (utf8_columns(m->text, strlen(m->text)) > 3 || strlen(m->text) > 12))
		return refuse(error, m, "`glyph` has more than three characters");
	m = json_member(p, "plain");
	if (m && (!*m->text || strlen(m->text) > 3))
		return refuse(error, m, "`plain` must be one to three characters");
	m = json_member(p, "meaning");
	if (m && strlen(m->text) >= sizeof((struct piece *)0)->meaning)
		return refuse(error, m, "`meaning` is too long");
	return true;
}

static const char *const kinds[] = {
	[BOARD_GRID] = "grid", [BOARD_HEX] = "hex", [BOARD_STRIP] = "strip", [BOARD_GRAPH] = "graph"};

static bool check_board(const struct json *b, struct text *error)
{
	if (!knows(b, of_board, sizeof of_board / sizeof *of_board, error))
		return false;
	const struct json *m = json_member(b, "kind");
	if (m && strcmp(m->text, kinds[BOARD_GRID]) != 0 && strcmp(m->text, kinds[BOARD_HEX]) != 0 &&
	    strcmp(m->text, kinds[BOARD_STRIP]) != 0)
		return refuse(error, m, "`kind` is \"grid\", \"hex\" or \"strip\"");
	m = json_member(b, "fold");
	if (m && !(m->number >= 1 && m->number <= STUDY_STRIP))
		return refuse(error, m, "`fold` is the number of cells in the lower row, from 1 on");
	m = json_member(b, "flip");
	for (const struct json *k = m ? m->first : NULL; k; k = k->next)
		if (k->type != JSON_IS_TEXT || (strcmp(k->text, "rows") != 0 && strcmp(k->text, "columns") != 0))
			return refuse(error, k, "`flip` lists \"rows\", \"columns\" or both");
	return true;
}

static bool check(const struct json *root, struct text *error)
{
	if (!knows(root, of_file, sizeof of_file / sizeof *of_file, error))
		return false;
	const struct json *m = json_member(root, "boards");
	for (const struct json *b = m ? m->first : NULL; b; b = b->next)
		if (!check_board(b, error))
			return false;
	m = json_member(root, "pieces");
	for (const struct json *p = m ? m->first : NULL; p; p = p->next)
		if (!check_piece(p, error))
			return false;
	m = json_member(root, "hide");
	for (const struct json *h = m ? m->first : NULL; h; h = h->next)
		if (h->type != JSON_IS_TEXT)
			return refuse(error, h, "`hide` lists names of relations");
	return true;
}

struct view_file *view_file_read(const char *text, size_t length, struct text *error)
{
	struct view_file *v = NEW(struct view_file);
	v->root = json_read(&v->arena, text, length, error);
	if (v->root && check(v->root, error))
		return v;
	view_file_free(v);
	return NULL;
}

void view_file_free(struct view_file *v)
{
	if (v)
		arena_free(&v->arena);
	mem_free(v);
}

/* ---- questions ------------------------------------------------------------------------------ */

bool view_file_hides(const struct view_file *v, const char *relation)
{
	const struct json *hide = json_member(v->root, "hide");
	for (const struct json *h = hide ? hide->first : NULL; h; h = h->next)
		if (!strcmp(h->text, relation))
			return true;
	return false;
}

void view_file_piece(const struct view_file *v, const char *name, struct piece *p)
{
	const struct json *mine = json_member(json_member(v->root, "pieces"), name), *m;
	if ((m = json_member(mine, "meaning"))) {
		snprintf(p->meaning, sizeof p->meaning, "%s", m->text);
		p->natural = true;
	}
	if ((m = json_member(mine, "glyph")))
		snprintf(p->glyph, sizeof p->glyph, "%s", m->text);
	if ((m = json_member(mine, "plain")))
		snprintf(p->plain, sizeof p->plain, "%s", m->text);
	if ((m = json_member(mine, "colour")))
		snprintf(p->colour, sizeof p->colour, "%s", m->text);
}

static const struct json *board(const struct view_file *v, const char *relation)
{
	return json_member(json_member(v->root, "boards"), relation);
}

bool view_file_swaps(const struct view_file *v, const char *relation)
{
	const struct json *m = json_member(board(v, relation), "swap");
	return m && m->yes;
}

bool view_file_splits(const struct view_file *v, const char *relation)
{
	const struct json *m = json_member(board(v, relation), "split");
	return m && m->yes;
}

bool view_file_wants_strip(const struct view_file *v, const char *relation)
{
	const struct json *m = json_member(board(v, relation), "kind");
	return m && !strcmp(m->text, kinds[BOARD_STRIP]);
}

void view_file_orient(const struct view_file *v, const char *relation, struct layout *l)
{
	const struct json *flip = json_member(board(v, relation), "flip");
	for (const struct json *f = flip ? flip->first : NULL; f; f = f->next) {
		bool *axis = &l->reversed[!strcmp(f->text, "rows")];
		*axis = !*axis;
	}
}

void view_file_layout(const struct view_file *v, const char *relation, struct layout *l)
{
	const struct json *mine = board(v, relation), *m;
	if ((m = json_member(mine, "kind")) && l->axis[1].n) {
		l->slant = l->slant ? l->slant : 1;
		l->kind = !strcmp(m->text, "hex") ? BOARD_HEX : BOARD_GRID;
	}
	if ((m = json_member(mine, "fold")) && !l->axis[1].n && m->number < (double)l->axis[0].n)
		l->fold = (uint32_t)m->number;
	if ((m = json_member(mine, "checkered")))
		l->checkered = m->yes;
}

/* NAME.view.json: what rules cannot say about looks. docs/boards.md describes the file; in short:
 *
 *     {"boards": {"cell": {"kind": "hex", "swap": true, "flip": ["rows"], "fold": 12, "checkered": false}},
 *      "pieces": {"wp": {"meaning": "white pawn", "glyph": "♙", "plain": "P", "colour": "#ffffff"}},
 *      "hide": ["ply"]} */
#ifndef SHOW_VIEW_FILE_H
#define SHOW_VIEW_FILE_H

#include "base/text.h"
#include "show/study.h"

struct view_file;

/* NULL with a message that names the line. */
struct view_file *view_file_read(const char *text, size_t length, struct text *error);
void view_file_free(struct view_file *v);

bool view_file_hides(const struct view_file *v, const char *relation);
void view_file_piece(const struct view_file *v, const char *name, struct piece *p);
/* What it says about the axes of a board, before they are laid out; and about its form, afterwards. */
bool view_file_splits(const struct view_file *v, const char *relation);      /* a strip for each role */
bool view_file_wants_strip(const struct view_file *v, const char *relation); /* though it does not look like one */
bool view_file_swaps(const struct view_file *v, const char *relation);
void view_file_orient(const struct view_file *v, const char *relation, struct layout *l);
void view_file_layout(const struct view_file *v, const char *relation, struct layout *l);

#endif

/* What the two files that write scenes as text share. */
#ifndef SHOW_SCENE_TEXT_INTERNAL_H
#define SHOW_SCENE_TEXT_INTERNAL_H

#include "base/utf8.h"
#include "show/scene.h"

#include <string.h>

enum { TEXT_INDENT = 4 };

struct painter {
	const struct scene *c;
	const struct text_style *style;
	const uint32_t *classes; /* by cell of the scene: a class instead of what is there; NULL: pieces */
	VEC(uint8_t) shown;      /* by piece of the study: it was drawn by a mark */
	VEC(uint8_t) shared;     /* by piece: its glyph is another's too */
};

static inline int columns_of(const char *s)
{
	return utf8_columns(s, strlen(s));
}

struct painter painter_make(const struct scene *c, const struct text_style *style, const uint32_t *classes);
void painter_free(struct painter *p);
const char *painter_mark(const struct painter *p, uint32_t piece);
/* The piece that is seen: the highest that is no badge; NULL: there is none. */
const struct scene_piece *painter_top(const struct scene *c, const struct scene_cell *cell);
void painter_boards(struct painter *p, struct text *out);

/* Text that is wrapped at blanks, from one indentation on. */
struct prose {
	struct text *out;
	int width, column, indent;
};

/* An item of a list: kept together where it fits into a line, else wrapped at its blanks. */
void prose_item(struct prose *w, const char *item, int gap);
void prose_end(struct prose *w);

#endif

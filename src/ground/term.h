/* Ground terms, each stored once: equal terms, equal numbers. */
#ifndef GROUND_TERM_H
#define GROUND_TERM_H

#include "base/hash.h"
#include "base/sym.h"
#include "base/text.h"
#include "base/vec.h"

typedef uint32_t term_t;
#define TERM_NONE UINT32_MAX

struct terms {
	VEC(struct term { sym_t name; uint32_t argc, args; }) all;
	VEC(term_t) kids;
	struct table index;
};

term_t term_put(struct terms *t, sym_t name, uint32_t argc, const term_t *args);
term_t term_find(const struct terms *t, sym_t name, uint32_t argc, const term_t *args); /* TERM_NONE: never seen */
void term_print(const struct terms *t, const struct symbols *s, term_t id, struct text *out); /* KIF */
void term_free(struct terms *t);

static inline const term_t *term_args(const struct terms *t, term_t id)
{
	return t->kids.at + t->all.at[id].args;
}

#endif

/* Ground terms, each stored once: equal terms, equal numbers, and the parts of a term come before it. Rules can build
 * terms that grow from step to step, so nothing here recurses, and every term knows its depth and its size as text. */
#ifndef GROUND_TERM_H
#define GROUND_TERM_H

#include "base/hash.h"
#include "base/sym.h"
#include "base/text.h"
#include "base/vec.h"
#include "gdl/gdl.h"

#include <assert.h>

typedef uint32_t term_t;
#define TERM_NONE UINT32_MAX

/* Bounds on the terms of a game: nested functions, and symbols when it is written out. Whoever makes a term beyond them
 * gives up (term_is_large()): such a term could not be written down. */
#define TERM_MAX_DEPTH 10000
#define TERM_MAX_SIZE (1u << 20)
#define TERM_TOO_LARGE "a term of the rules grows beyond bound"

struct terms {
	VEC(struct term {
		sym_t name;
		uint32_t argc, args, depth, size;
	}) all;
	VEC(term_t) kids;
	struct table index;
};

term_t term_put(struct terms *t, sym_t name, uint32_t argc, const term_t *args);
term_t term_find(const struct terms *t, sym_t name, uint32_t argc, const term_t *args); /* TERM_NONE: never seen */
void term_print(const struct terms *t, const struct symbols *s, term_t id, struct text *out); /* KIF */
void term_free(struct terms *t);

/* The term that a node of other rules stands for, its names looked up among `names`. Adds it, or only finds it.
 * TERM_NONE: it has a variable, a name that is not there, more than `most` arguments, or is not known. */
term_t term_of_node(struct terms *t, const struct symbols *names, const struct gdl_rules *from, node_t node,
                    uint32_t most, bool add);

/* Copies of terms from one store to another, remembered. All-zero is empty. */
struct term_copies {
	VEC(term_t) copy; /* by term of the one; TERM_NONE: not yet */
	VEC(term_t) open;
	VEC(term_t) args;
};
term_t term_copy(struct term_copies *c, const struct terms *from, term_t id, struct terms *to);
void term_copies_free(struct term_copies *c);

static inline bool term_is_large(const struct terms *t, term_t id)
{
	assert(id < t->all.n);
	return t->all.at[id].depth > TERM_MAX_DEPTH || t->all.at[id].size > TERM_MAX_SIZE;
}

static inline const term_t *term_args(const struct terms *t, term_t id)
{
	assert(id < t->all.n);
	return t->kids.at + t->all.at[id].args;
}

#endif

/* Terms in one array, found by a hash of name and arguments; walks over them keep their own stacks. */
#include "ground/term.h"

#include <assert.h>
#include <string.h>

static uint64_t hash_term(sym_t name, uint32_t argc, const term_t *args)
{
	return hash_join(hash_words(args, argc), name);
}

static term_t find(const struct terms *t, uint64_t h, sym_t name, uint32_t argc, const term_t *args)
{
	uint32_t it, id;
	for (table_start(&t->index, h, &it); (id = table_next(&t->index, h, &it)) != TABLE_NONE;) {
		const struct term *x = &t->all.at[id];
		if (x->name == name && x->argc == argc && (!argc || !memcmp(term_args(t, id), args, argc * sizeof *args)))
			return id;
	}
	return TERM_NONE;
}

term_t term_find(const struct terms *t, sym_t name, uint32_t argc, const term_t *args)
{
	return find(t, hash_term(name, argc, args), name, argc, args);
}

/* Depth and size stay far below the largest numbers: arguments are below the bounds, or one step above. */
static struct term measure(const struct terms *t, sym_t name, uint32_t argc, const term_t *args)
{
	struct term x = {name, argc, narrow32(t->kids.n), 1, 1};
	for (uint32_t i = 0; i < argc; i++) {
		const struct term *y = &t->all.at[args[i]];
		x.depth = y->depth >= x.depth ? y->depth + 1 : x.depth;
		x.size = y->size > UINT32_MAX - x.size ? UINT32_MAX : x.size + y->size;
	}
	return x;
}

/* The steps that can lack memory come first: a term is added as a whole or not at all. */
term_t term_put(struct terms *t, sym_t name, uint32_t argc, const term_t *args)
{
	uint64_t h = hash_term(name, argc, args);
	term_t id = find(t, h, name, argc, args);
	if (id != TERM_NONE)
		return id;
	id = (term_t)t->all.n;
	vec_reserve(&t->all, t->all.n + 1);
	vec_reserve(&t->kids, t->kids.n + argc);
	table_add(&t->index, h, id);
	vec_push(&t->all, measure(t, name, argc, args));
	for (uint32_t i = 0; i < argc; i++)
		vec_push(&t->kids, args[i]);
	return id;
}

/* A term on the way, and how many of its arguments are done. */
struct open_term {
	term_t term;
	uint32_t done;
};

void term_print(const struct terms *t, const struct symbols *s, term_t id, struct text *out)
{
	assert(id < t->all.n);
	VEC(struct open_term) open = {0};
	for (term_t at = id;;) {
		const struct term *x = &t->all.at[at];
		if (x->argc)
			text_putc(out, '(');
		text_puts(out, sym_text(s, x->name));
		if (x->argc)
			vec_push(&open, ((struct open_term){at, 0}));
		while (open.n && vec_last(&open).done == t->all.at[vec_last(&open).term].argc) {
			text_putc(out, ')');
			open.n--;
		}
		if (!open.n)
			break;
		struct open_term *p = &vec_last(&open);
		text_putc(out, ' ');
		at = term_args(t, p->term)[p->done++];
	}
	vec_free(&open);
}

/* ---- from other places ---------------------------------------------------------------------------------------- */

/* A node on the way, its name here, and where the terms of its arguments begin. */
struct node_place {
	node_t node;
	sym_t name;
	uint32_t done;
	size_t args;
};

static sym_t name_here(const struct symbols *names, const struct gdl_rules *from, const struct gdl_node *x)
{
	const struct sym_entry *e = &from->symbols.all.at[x->name];
	return x->variable ? SYM_NONE : sym_find(names, e->text, e->length);
}

struct node_walk {
	VEC(struct node_place) open;
	VEC(term_t) args;
};

/* Closes the innermost node, whose arguments are all there. */
static term_t close_node(struct node_walk *w, struct terms *t, bool add)
{
	struct node_place p = vec_pop(&w->open);
	uint32_t argc = (uint32_t)(w->args.n - p.args);
	const term_t *args = w->args.at ? w->args.at + p.args : NULL;
	term_t made = add ? term_put(t, p.name, argc, args) : term_find(t, p.name, argc, args);
	w->args.n = p.args;
	vec_push(&w->args, made);
	return made;
}

term_t term_of_node(struct terms *t, const struct symbols *names, const struct gdl_rules *from, node_t node,
                    uint32_t most, bool add)
{
	struct node_walk w = {0};
	term_t made = TERM_NONE;
	for (bool fine = true; fine;) {
		const struct gdl_node *x = &from->nodes.at[node];
		sym_t name = name_here(names, from, x);
		made = TERM_NONE;
		if (name == SYM_NONE || x->argc > most)
			break;
		vec_push(&w.open, ((struct node_place){node, name, 0, w.args.n}));
		while (fine && w.open.n && vec_last(&w.open).done == from->nodes.at[vec_last(&w.open).node].argc)
			fine = (made = close_node(&w, t, add)) != TERM_NONE;
		if (!w.open.n)
			break;
		struct node_place *p = &vec_last(&w.open);
		if (fine)
			node = gdl_arg(from, p->node, p->done++);
	}
	vec_free(&w.open);
	vec_free(&w.args);
	return made;
}

static term_t copied(const struct term_copies *c, term_t id)
{
	return id < c->copy.n ? c->copy.at[id] : TERM_NONE;
}

/* Puts the arguments that have no copy yet on top; false: all have one, and they are in c->args. */
static bool open_arguments(struct term_copies *c, const struct terms *from, term_t id)
{
	assert(id < from->all.n);
	size_t before = c->open.n;
	vec_clear(&c->args);
	for (uint32_t i = 0; i < from->all.at[id].argc; i++) {
		term_t arg = term_args(from, id)[i];
		if (copied(c, arg) == TERM_NONE)
			vec_push(&c->open, arg);
		vec_push(&c->args, copied(c, arg));
	}
	return c->open.n > before;
}

term_t term_copy(struct term_copies *c, const struct terms *from, term_t id, struct terms *to)
{
	assert(id < from->all.n);
	if (copied(c, id) != TERM_NONE)
		return copied(c, id);
	vec_clear(&c->open);
	vec_push(&c->open, id);
	while (c->open.n) {
		term_t at = vec_last(&c->open);
		if (copied(c, at) == TERM_NONE) {
			if (open_arguments(c, from, at))
				continue;
			while (c->copy.n <= at)
				vec_push(&c->copy, TERM_NONE);
			c->copy.at[at] = term_put(to, from->all.at[at].name, from->all.at[at].argc, c->args.at);
		}
		c->open.n--;
	}
	return c->copy.at[id];
}

void term_copies_free(struct term_copies *c)
{
	vec_free(&c->copy);
	vec_free(&c->open);
	vec_free(&c->args);
}

void term_free(struct terms *t)
{
	vec_free(&t->all);
	vec_free(&t->kids);
	table_free(&t->index);
}

/* Terms in one array, found by a hash of name and arguments. */
#include "ground/term.h"

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

term_t term_put(struct terms *t, sym_t name, uint32_t argc, const term_t *args)
{
	uint64_t h = hash_term(name, argc, args);
	term_t id = find(t, h, name, argc, args);
	if (id != TERM_NONE)
		return id;
	id = (term_t)t->all.n;
	struct term x = {name, argc, (uint32_t)t->kids.n};
	vec_push(&t->all, x);
	for (uint32_t i = 0; i < argc; i++)
		vec_push(&t->kids, args[i]);
	table_add(&t->index, h, id);
	return id;
}

void term_print(const struct terms *t, const struct symbols *s, term_t id, struct text *out)
{
	const struct term *x = &t->all.at[id];
	if (x->argc)
		text_putc(out, '(');
	text_puts(out, sym_text(s, x->name));
	for (uint32_t i = 0; i < x->argc; i++) {
		text_putc(out, ' ');
		term_print(t, s, term_args(t, id)[i], out);
	}
	if (x->argc)
		text_putc(out, ')');
}

void term_free(struct terms *t)
{
	vec_free(&t->all);
	vec_free(&t->kids);
	table_free(&t->index);
}

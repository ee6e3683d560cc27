/* Facts by the values of their bound leaves.
 *
 * A mode of `true`, of `does` or of a listed predicate is a hash of groups: the
 * facts that agree on the bound leaves. It is made when it is first asked in a
 * state, and made anew when what it was made from has changed. */
#include "interp/prove_internal.h"

#define NONE UINT32_MAX

struct sorted_leaves {
	uint32_t keys[SHAPE_MAX_LEAVES], frees[SHAPE_MAX_LEAVES];
	uint32_t key_count, free_count;
};

static bool sort_leaves(const struct terms *terms, const uint32_t **shape, term_t t, struct sorted_leaves *out)
{
	switch ((enum leaf) * (*shape)++) {
	case LEAF_BOUND: out->keys[out->key_count++] = t; return true;
	case LEAF_FREE: out->frees[out->free_count++] = t; return true;
	case LEAF_ANY: return true;
	case LEAF_APPLY: break;
	}
	sym_t name = *(*shape)++;
	uint32_t argc = *(*shape)++;
	const struct term *x = &terms->all.at[t];
	if (x->name != name || x->argc != argc)
		return false;
	for (uint32_t i = 0; i < argc; i++)
		if (!sort_leaves(terms, shape, term_args(terms, t)[i], out))
			return false;
	return true;
}

static uint64_t hash_key(const uint32_t *key, uint32_t bound)
{
	return bound > 1 ? hash_words(key, bound) : 0;
}

static const struct group *find_group(const struct lookup *f, const uint32_t *key, uint32_t bound, uint64_t h)
{
	uint32_t it, id;
	if (!bound)
		return f->groups.n ? f->groups.at : NULL;
	if (bound == 1) {
		id = *key < f->direct.n ? f->direct.at[*key] : NONE;
		return id == NONE ? NULL : &f->groups.at[id];
	}
	for (table_start(&f->index, h, &it); (id = table_next(&f->index, h, &it)) != TABLE_NONE;)
		if (same_words(f->words.at + f->groups.at[id].key, key, bound))
			return &f->groups.at[id];
	return NULL;
}

static void index_group(struct lookup *f, const uint32_t *key, uint32_t bound, uint64_t h, uint32_t id)
{
	if (bound > 1)
		table_add(&f->index, h, id);
	if (bound != 1)
		return;
	while (f->direct.n <= *key)
		vec_push(&f->direct, NONE);
	f->direct.at[*key] = id;
}

static void clear_lookup(struct lookup *f, uint32_t bound)
{
	for (size_t i = 0; bound == 1 && i < f->groups.n; i++)
		f->direct.at[f->words.at[f->groups.at[i].key]] = NONE;
	vec_clear(&f->groups);
	vec_clear(&f->words);
	table_clear(&f->index);
	f->rows = 0;
}

static void add_fact(struct interpreter *in, struct mode *m, const term_t *args, uint32_t argc)
{
	struct lookup *f = &m->facts;
	struct sorted_leaves s; /* large: only the counts need a beginning */
	s.key_count = s.free_count = 0;
	const uint32_t *shape = in->shapes.at + m->shape;
	for (uint32_t i = 0; i < argc; i++)
		if (!sort_leaves(in->terms, &shape, args[i], &s))
			return;
	uint64_t h = hash_key(s.keys, s.key_count);
	const struct group *found = find_group(f, s.keys, s.key_count, h);
	if (found && !m->free)
		return;
	uint32_t id = found ? (uint32_t)(found - f->groups.at) : narrow32(f->groups.n);
	if (!found) {
		struct group g = {narrow32(f->words.n), NONE, NONE};
		for (uint32_t i = 0; i < s.key_count; i++)
			vec_push(&f->words, s.keys[i]);
		vec_push(&f->groups, g);
		index_group(f, s.keys, s.key_count, h, id);
	}
	struct group *g = &f->groups.at[id];
	uint32_t row = narrow32(f->words.n);
	if (g->last == NONE)
		g->first = row;
	else
		f->words.at[g->last] = row;
	g->last = row;
	f->rows++;
	vec_push(&f->words, NONE);
	for (uint32_t i = 0; i < s.free_count; i++)
		vec_push(&f->words, s.frees[i]);
}

void lookup_refresh(struct interpreter *in, uint32_t mode)
{
	struct mode *m = &in->modes.at[mode];
	struct lookup *f = &m->facts;
	uint64_t age = in->age[m->source == FROM_STATE ? LIFE_STATE : m->source == FROM_MOVES ? LIFE_MOVES : LIFE_RULES];
	if (f->stamp == age)
		return;
	f->stamp = age;
	clear_lookup(f, m->bound);
	if (m->source == FROM_STATE) {
		for (size_t i = 0; i < in->state.n; i++)
			add_fact(in, m, &in->state.at[i], 1);
	} else if (m->source == FROM_MOVES) {
		for (size_t i = 0; i < in->moves.n; i++) {
			term_t pair[2] = {in->roles.at[i], in->moves.at[i]};
			add_fact(in, m, pair, 2);
		}
	} else {
		uint32_t argc = in->dl.preds.at[m->pred].argc;
		const struct extension *e = &in->extensions[m->pred];
		for (uint32_t i = 0; i < e->n; i++)
			add_fact(in, m, e->cells.at + (size_t)i * argc, argc);
	}
}

uint32_t lookup_first(struct interpreter *in, uint32_t mode, const uint32_t *key)
{
	lookup_refresh(in, mode);
	const struct mode *m = &in->modes.at[mode];
	const struct group *g = find_group(&m->facts, key, m->bound, hash_key(key, m->bound));
	return g ? g->first : NONE;
}

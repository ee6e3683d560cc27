/* Modes (see prove_internal.h), each stored once: interned by predicate and shape of the arguments. */
#include "interp/prove_internal.h"

#include <string.h>

uint32_t mode_get(struct interpreter *in, uint32_t pred, const uint32_t *shape, uint32_t words)
{
	uint64_t h = hash_join(hash_words(shape, words), pred);
	uint32_t it, id;
	for (table_start(&in->mode_index, h, &it); (id = table_next(&in->mode_index, h, &it)) != TABLE_NONE;) {
		const struct mode *m = &in->modes.at[id];
		if (m->pred == pred && m->words == words &&
		    (!words || !memcmp(in->shapes.at + m->shape, shape, words * sizeof *shape)))
			return id;
	}
	struct mode m = {.pred = pred, .shape = narrow32(in->shapes.n), .words = words, .life = in->life[pred]};
	for (uint32_t i = 0; i < words; i++) {
		vec_push(&in->shapes, shape[i]);
		m.bound += shape[i] == LEAF_BOUND;
		m.free += shape[i] == LEAF_FREE;
		if (shape[i] == LEAF_APPLY) {
			vec_push(&in->shapes, shape[i + 1]);
			vec_push(&in->shapes, shape[i + 2]);
			i += 2;
		}
	}
	m.source = in->extensions[pred].whole ? FROM_FACTS : FROM_RULES;
	if (pred == in->p_true || pred == in->p_does)
		m.source = pred == in->p_true ? FROM_STATE : FROM_MOVES;
	vec_push(&in->modes, m);
	id = narrow32(in->modes.n) - 1;
	table_add(&in->mode_index, h, id);
	return id;
}

void mode_forget_plans(struct interpreter *in)
{
	for (size_t i = 0; i < in->modes.n; i++)
		in->modes.at[i].planned = false;
	vec_clear(&in->plans);
	vec_clear(&in->steps);
	vec_clear(&in->operands);
}

void mode_forget_all(struct interpreter *in)
{
	mode_forget_plans(in);
	for (size_t i = 0; i < in->modes.n; i++) {
		table_free(&in->modes.at[i].facts.index);
		vec_free(&in->modes.at[i].facts.groups);
		vec_free(&in->modes.at[i].facts.words);
		vec_free(&in->modes.at[i].facts.direct);
	}
	vec_clear(&in->modes);
	vec_clear(&in->shapes);
	table_clear(&in->mode_index);
}

/* Monte Carlo tree search over information sets (Cowling, Powley and Whitehouse 2012). */
#include "play/hidden/infosets.h"

#include <assert.h>

struct ismcts_options {
	struct infosets_options search;
};

static const struct opt options[] = {INFOSETS_OPTIONS(struct ismcts_options, search), {0}};

static void *make(struct seat *s)
{
	return infosets_new(s, &((const struct ismcts_options *)s->options)->search);
}

static uint32_t move(void *self, struct seat *s, const struct turn *t, const struct budget *b)
{
	assert(t->legal_count && t->legal);
	infosets_observe(self, s, t, b);
	if (t->legal_count == 1)
		return t->legal[0];
	infosets_run(self, s, t, b);
	return infosets_choose(self, s, t);
}

static bool values(void *self, struct seat *s, const struct turn *t, struct move_value *out)
{
	assert(t->legal_count && t->legal);
	return infosets_values(self, t, out);
}

static void release(void *self)
{
	infosets_free(self);
}

const struct player_kind player_ismcts = {
	.name = "ismcts",
	.what = "tree search over information sets",
	.details = "States are drawn from the belief; choices depend only on what the role will know by then, so it pays "
			   "for a percept when that is worth the cost.",
	.options = options,
	.options_size = sizeof(struct ismcts_options),
	.hidden = true,
	.make = make,
	.move = move,
	.free = release,
	.values = values,
};

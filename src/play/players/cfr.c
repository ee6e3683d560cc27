/* Regret matching: in the tree where several roles choose at once (Lanctot, Lisý and
 * Winands 2014), and over information sets where the state is hidden. */
#include "play/hidden/mccfr.h"
#include "play/mcts/tree.h"

#include <assert.h>

static const struct opt options[] = {TREE_OPTIONS(0.2, 8, 64), {0}};

struct cfr {
	struct tree *tree;   /* the state is known, */
	struct mccfr *mccfr; /* or it is not */
};

static void *make(struct seat *s)
{
	struct cfr *c = NEW(struct cfr);
	struct tree_options o = *(const struct tree_options *)s->options;
	o.regret = o.solve = true;
	if (s->game->hidden)
		c->mccfr = mccfr_new(s);
	else
		c->tree = tree_new(s, &o);
	return c;
}

static void start(void *self, struct seat *s, const struct budget *b)
{
	struct cfr *c = self;
	if (c->mccfr)
		mccfr_run(c->mccfr, s, b);
	else
		tree_start(c->tree, s, b);
}

static uint32_t move(void *self, struct seat *s, const struct turn *t, const struct budget *b)
{
	assert(t->legal_count && t->legal);
	struct cfr *c = self;
	if (c->tree)
		return tree_move(c->tree, s, t, b);
	if (t->legal_count > 1)
		mccfr_run(c->mccfr, s, b);
	return mccfr_move(c->mccfr, s, t);
}

static bool values(void *self, struct seat *s, const struct turn *t, struct move_value *out)
{
	assert(t->legal_count && t->legal);
	struct cfr *c = self;
	return c->tree ? tree_values(c->tree, s, t, out) : mccfr_values(c->mccfr, t, out);
}

static void line(void *self, struct seat *s, const struct turn *t, uint32_t move, struct move_line *out)
{
	assert(t->legal_count && t->legal);
	struct cfr *c = self;
	if (c->tree)
		tree_line(c->tree, s, t, move, out);
}

static void release(void *self)
{
	struct cfr *c = self;
	if (c->tree)
		tree_free(c->tree);
	if (c->mccfr)
		mccfr_free(c->mccfr);
	mem_free(c);
}

const struct player_kind player_cfr = {
	.name = "cfr",
	.what = "regret matching for simultaneous moves and hidden information",
	.details =
		"Its moves are drawn from a mixed strategy. In games with hidden information it learns by playing against "
		"itself from the start of the game, so in large ones it plays nearly at random.",
	.options = options,
	.options_size = sizeof(struct tree_options),
	.hidden = true,
	.make = make,
	.start = start,
	.move = move,
	.free = release,
	.values = values,
	.line = line,
};

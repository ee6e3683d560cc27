/* Principal variation search on an evaluation that is learnt in the start clock. */
#include "play/alphabeta/pvs.h"

#include <assert.h>

struct pvs_options {
	bool self_play;
	struct pvs_tuning tune;
	struct evaluation_tuning learn;
};

/* clang-format off: one row per line */
#define AT(f) offsetof(struct pvs_options, f)
static const struct opt options[] = {
	{"self-play", 0, OPT_FLAG, AT(self_play), NULL, "learn from matches against itself, too", .whole = 1},
	PVS_TUNING(TUNING_ROW, struct pvs_options, tune.) EVALUATION_TUNING(TUNING_ROW, struct pvs_options, learn.){0}};
/* clang-format on */

struct player_pvs {
	struct pvs *search;
	struct evaluation *evaluation;
};

static void *make(struct seat *s)
{
	const struct pvs_options *o = s->options;
	struct player_pvs *p = NEW(struct player_pvs);
	p->search = pvs_new(s, &o->tune);
	return p;
}

static void start(void *self, struct seat *s, const struct budget *b)
{
	const struct pvs_options *o = s->options;
	struct player_pvs *p = self;
	if (!p->search || p->evaluation)
		return;
	p->evaluation = evaluation_learn(s->game, &(struct evaluation_options){.seed = rng_next(&s->rng),
	                                                                       .playouts = b->playouts,
	                                                                       .limit = b->limit,
	                                                                       .tune = &o->learn,
	                                                                       .self_play = o->self_play});
	pvs_judge(p->search, p->evaluation);
}

static uint32_t move(void *self, struct seat *s, const struct turn *t, const struct budget *b)
{
	struct player_pvs *p = self;
	assert(t->legal_count && t->legal);
	if (!p->search || t->legal_count == 1)
		return t->legal[0];
	struct pvs_result r = pvs_run(p->search, s, t->state, b);
	text_printf(&s->why, "%s %.1f at depth %u, %llu nodes", r.proved ? "proved" : "value", r.value, r.depth,
	            (unsigned long long)s->count.nodes);
	return r.move == GAME_NONE ? t->legal[0] : r.move;
}

static bool values(void *self, struct seat *s, const struct turn *t, struct move_value *out)
{
	struct player_pvs *p = self;
	return p->search && pvs_values(p->search, t, out);
}

static void line(void *self, struct seat *s, const struct turn *t, uint32_t move, struct move_line *out)
{
	struct player_pvs *p = self;
	if (p->search)
		pvs_line(p->search, s, t, move, out);
}

static void release(void *self)
{
	struct player_pvs *p = self;
	pvs_free(p->search);
	evaluation_free(p->evaluation);
	mem_free(p);
}

const struct player_kind player_pvs = {
	.name = "pvs",
	.what = "principal variation search on a learnt evaluation",
	.options = options,
	.options_size = sizeof(struct pvs_options),
	.make = make,
	.start = start,
	.move = move,
	.free = release,
	.values = values,
	.line = line,
};

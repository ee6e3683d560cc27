/* Playouts for a search, in rounds: all leaves that were pushed are played together. */
#include "game/playout_stream.h"

#include "base/rng.h"

#include <string.h>

#define ROUND 512 /* playouts that fill the lanes */

struct stream_leaf {
	uint32_t tag, playouts, done;
};

struct playout_stream {
	struct game *g;
	struct playout_stream_options o;
	struct rng rng;
	VEC(struct stream_leaf) leaves, over;
	VEC(uint64_t) states;
	VEC(double) sum; /* by leaf that is over, and role */
	size_t taken;
	uint64_t waiting, playouts, steps;
	const struct stream_leaf *playing; /* the leaves of the round */
};

struct playout_stream *playout_stream_new(struct game *g, const struct playout_stream_options *o)
{
	struct playout_stream *s = NEW(struct playout_stream);
	s->g = g;
	s->o = *o;
	s->rng = rng_seed(o->seed);
	return s;
}

void playout_stream_free(struct playout_stream *s)
{
	if (!s)
		return;
	vec_free(&s->leaves);
	vec_free(&s->over);
	vec_free(&s->states);
	vec_free(&s->sum);
	mem_free(s);
}

uint32_t playout_stream_room(const struct playout_stream *s)
{
	return s->waiting < ROUND ? (uint32_t)(ROUND - s->waiting) : 0;
}

void playout_stream_push(struct playout_stream *s, const uint64_t *state, uint32_t playouts, uint32_t tag)
{
	struct stream_leaf leaf = {tag, playouts, 0};
	vec_push(&s->leaves, leaf);
	vec_extend(&s->states, s->g->words);
	memcpy(s->states.at + s->states.n - s->g->words, state, s->g->words * sizeof *state);
	s->waiting += playouts;
}

static void note_played(void *context, size_t start, const uint32_t *moves, uint32_t count, const int *goals)
{
	struct playout_stream *s = context;
	s->o.played(s->o.context, s->playing[start].tag, moves, count, goals);
}

static void note_judged(void *context, size_t start, const uint64_t *state, double *values)
{
	struct playout_stream *s = context;
	s->o.judge(s->o.context, s->playing[start].tag, state, values);
}

/* Leaf `i` is over, with these sums by role; NULL: nothing was played. */
static void finish(struct playout_stream *s, size_t i, const double *sum, uint32_t done)
{
	struct stream_leaf leaf = s->leaves.at[i];
	leaf.done = done;
	vec_push(&s->over, leaf);
	for (uint32_t r = 0; r < s->g->roles; r++)
		vec_push(&s->sum, sum ? sum[r] : 0);
}

static void forget_leaves(struct playout_stream *s)
{
	vec_clear(&s->leaves);
	vec_clear(&s->states);
	s->waiting = 0;
}

void playout_stream_run(struct playout_stream *s, uint32_t room, const struct limit *limit)
{
	size_t n = s->leaves.n;
	if (!n || playout_stream_room(s) >= room)
		return;
	struct playout_result r;
	struct playout_job job = {.starts = s->states.at,
	                          .start_count = n,
	                          .playouts = s->waiting,
	                          .limit = limit ? *limit : (struct limit){0},
	                          .seed = rng_next(&s->rng),
	                          .max_steps = s->o.max_steps,
	                          .played = s->o.played ? note_played : NULL,
	                          .played_every = 8,
	                          .judge = s->o.judge ? note_judged : NULL,
	                          .cut = s->o.cut,
	                          .move_bias = s->o.move_bias,
	                          .policy = s->o.policy,
	                          .context = s};
	s->playing = s->leaves.at;
	game_playouts(s->g, &job, &r);
	for (size_t i = 0; i < n; i++)
		finish(s, i, r.sum + i * s->g->roles, (uint32_t)r.counts[i]);
	s->playouts += r.playouts;
	s->steps += r.steps;
	playout_result_free(&r);
	forget_leaves(s);
}

void playout_stream_stop(struct playout_stream *s)
{
	for (size_t i = 0; i < s->leaves.n; i++)
		finish(s, i, NULL, 0);
	forget_leaves(s);
}

bool playout_stream_take(struct playout_stream *s, struct playout_stream_result *out)
{
	if (s->taken == s->over.n) {
		vec_clear(&s->over);
		vec_clear(&s->sum);
		s->taken = 0;
		return false;
	}
	const struct stream_leaf *leaf = &s->over.at[s->taken];
	*out = (struct playout_stream_result){leaf->tag, leaf->done, s->sum.at + s->taken * s->g->roles};
	s->taken++;
	return true;
}

uint64_t playout_stream_playouts(const struct playout_stream *s)
{
	return s->playouts;
}

uint64_t playout_stream_steps(const struct playout_stream *s)
{
	return s->steps;
}

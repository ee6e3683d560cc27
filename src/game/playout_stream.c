/* Playouts for a search: leaves wait in queues, one for each phase of the rotation, and lanes take them from there. */
#include "game/playout_stream.h"

#include "game/playout_internal.h"

#include <assert.h>
#include <string.h>

#define SINGLE_ROOM 16 /* playouts that the interpreter, which plays one at a time, has room for */
#define NO_LEAF UINT32_MAX

struct stream_leaf {
	uint32_t tag;
	uint32_t waiting; /* playouts that no lane has taken so far */
	uint32_t left;    /* playouts that are not over; 0: the leaf is over, or its place is free */
	uint32_t next;    /* in its list */
};

/* A list of leaves, linked by `next`. */
struct leaf_list {
	uint32_t first, last;
};

struct playout_stream {
	struct playout_stream_options o;
	/* Lanes see the stream as a job whose starts are the places of the leaves. */
	struct playout_job job;
	struct playout_share share;
	struct thread_mutex turn;
	struct lane_feed feed, general_feed;
	struct lane_table *lanes;   /* NULL: the interpreter plays, one at a time */
	struct lane_table *general; /* for states that fit no phase; made for the first one */
	struct single single;
	/* Places of leaves. States and results of leaf i stand in the job's starts and the share's result. */
	struct stream_leaf *leaves;
	uint64_t *states;
	size_t places;
	struct leaf_list free, over;
	struct leaf_list *queues; /* by phase; the last one for states that fit none */
	uint32_t period, handed;  /* handed: the leaf that was taken last; its place is free at the next call */
	uint64_t in_flight;       /* playouts that were pushed and are not over */
	uint64_t seed;
};

/* ---- lists ---------------------------------------------------------------------------- */

static void append(struct playout_stream *s, struct leaf_list *l, uint32_t leaf)
{
	assert(leaf < s->places);
	s->leaves[leaf].next = NO_LEAF;
	if (l->first == NO_LEAF)
		l->first = leaf;
	else
		s->leaves[l->last].next = leaf;
	l->last = leaf;
}

static void drop_first(struct playout_stream *s, struct leaf_list *l)
{
	assert(l->first < s->places);
	l->first = s->leaves[l->first].next;
}

static void clear(struct leaf_list *l)
{
	*l = (struct leaf_list){NO_LEAF, NO_LEAF};
}

/* Twice as many places. */
static void grow(struct playout_stream *s)
{
	const struct game *g = s->share.g;
	size_t old = s->places, n = old ? 2 * old : 1024;
	s->leaves = mem_resize(s->leaves, n, sizeof *s->leaves);
	s->states = mem_resize(s->states, n * g->words, sizeof *s->states);
	s->share.result.sum = mem_resize(s->share.result.sum, n * g->roles, sizeof(double));
	s->share.result.counts = mem_resize(s->share.result.counts, n, sizeof(uint64_t));
	s->places = s->job.start_count = n;
	s->job.starts = s->states;
	for (size_t i = old; i < n; i++) {
		s->leaves[i] = (struct stream_leaf){0};
		append(s, &s->free, (uint32_t)i);
	}
}

/* The leaf that was handed out may go. */
static void release_handed(struct playout_stream *s)
{
	if (s->handed != NO_LEAF)
		append(s, &s->free, s->handed);
	s->handed = NO_LEAF;
}

/* ---- between leaves and lanes ----------------------------------------------------------- */

static void deal_from(struct playout_stream *s, struct leaf_list *queue, struct lane_table *t, uint64_t *fresh)
{
	EACH_LANE (t, lane, fresh) {
		uint32_t leaf = queue->first;
		if (leaf == NO_LEAF) {
			fresh[lane / 64] &= ~(UINT64_C(1) << lane % 64);
			continue;
		}
		t->start[lane] = leaf;
		assert(s->leaves[leaf].waiting && s->leaves[leaf].waiting <= s->leaves[leaf].left);
		if (!--s->leaves[leaf].waiting)
			drop_first(s, queue);
	}
}

static void deal_leaves(struct lane_table *t, uint64_t *fresh)
{
	struct playout_stream *s = t->feed->context;
	deal_from(s, &s->queues[t->step % s->period], t, fresh);
}

static void deal_general(struct lane_table *t, uint64_t *fresh)
{
	struct playout_stream *s = t->feed->context;
	deal_from(s, &s->queues[s->period], t, fresh);
}

static void end_playout(struct playout_stream *s, uint32_t leaf)
{
	assert(leaf < s->places);
	assert(s->in_flight && s->leaves[leaf].left);
	s->in_flight--;
	if (!--s->leaves[leaf].left)
		append(s, &s->over, leaf);
}

static void end_lanes(struct lane_table *t, const uint64_t *lanes)
{
	struct playout_stream *s = t->feed->context;
	EACH_LANE (t, lane, lanes)
		end_playout(s, t->start[lane]);
}

static void note_played(void *context, size_t leaf, const uint32_t *moves, uint32_t count, const int *goals)
{
	struct playout_stream *s = context;
	s->o.played(s->o.context, s->leaves[leaf].tag, moves, count, goals);
}

static void note_judged(void *context, size_t leaf, const uint64_t *state, double *values)
{
	struct playout_stream *s = context;
	s->o.judge(s->o.context, s->leaves[leaf].tag, state, values);
}

/* ---- making one ------------------------------------------------------------------------- */

static void make_lanes(struct playout_stream *s)
{
	const struct circuit_engine *e = s->share.g->circuit;
	s->feed = (struct lane_feed){deal_leaves, end_lanes, 1, s};
	s->general_feed = (struct lane_feed){deal_general, end_lanes, 1, s};
	s->period = e->phases.period;
	s->share.seed = rng_split(&s->seed);
	s->lanes = lane_table_new(&s->share, e->width, &s->feed);
	s->lanes->period = s->period;
}

struct playout_stream *playout_stream_new(struct game *g, const struct playout_stream_options *o)
{
	struct playout_stream *s = mem_align(1, sizeof *s);
	s->o = *o;
	s->seed = o->seed;
	s->period = 1;
	s->handed = NO_LEAF;
	s->turn = (struct thread_mutex)THREAD_TURN;
	s->job = (struct playout_job){.max_steps = o->max_steps,
	                              .played = o->played ? note_played : NULL,
	                              .judge = o->judge ? note_judged : NULL,
	                              .cut = o->cut,
	                              .move_bias = o->move_bias,
	                              .policy = o->policy,
	                              .context = s};
	s->share = (struct playout_share){.g = g, .job = &s->job, .turn = &s->turn, .seed = o->seed};
	clear(&s->free);
	clear(&s->over);
	grow(s);
	if (g->engine == ENGINE_CIRCUIT)
		make_lanes(s);
	else
		single_init(&s->single, &s->share);
	s->queues = mem_alloc(s->period + 1, sizeof *s->queues);
	for (uint32_t k = 0; k <= s->period; k++)
		clear(&s->queues[k]);
	return s;
}

void playout_stream_free(struct playout_stream *s)
{
	if (!s)
		return;
	if (s->lanes)
		lane_table_free(s->lanes);
	else
		single_free(&s->single);
	lane_table_free(s->general);
	playout_result_free(&s->share.result);
	thread_mutex_free(&s->turn);
	mem_free(s->queues);
	mem_free(s->leaves);
	mem_free(s->states);
	mem_free(s);
}

/* ---- use ---------------------------------------------------------------------------------- */

uint32_t playout_stream_room(const struct playout_stream *s)
{
	uint32_t lanes = s->lanes ? s->lanes->kernel->lanes : SINGLE_ROOM;
	return s->in_flight < lanes ? (uint32_t)(lanes - s->in_flight) : 0;
}

/* The queue for this state. */
static uint32_t queue_of(const struct playout_stream *s, const uint64_t *state)
{
	uint32_t k = 0;
	while (s->period > 1 && k < s->period && !circuit_fits_phase(s->share.g->circuit, k, state))
		k++;
	return k;
}

void playout_stream_push(struct playout_stream *s, const uint64_t *state, uint32_t playouts, uint32_t tag)
{
	const struct game *g = s->share.g;
	release_handed(s);
	if (s->free.first == NO_LEAF)
		grow(s);
	uint32_t leaf = s->free.first;
	drop_first(s, &s->free);
	memcpy(s->states + leaf * (size_t)g->words, state, g->words * sizeof *state);
	for (uint32_t r = 0; r < g->roles; r++)
		s->share.result.sum[leaf * (size_t)g->roles + r] = 0;
	s->share.result.counts[leaf] = 0;
	assert(!s->leaves[leaf].left);
	s->leaves[leaf] = (struct stream_leaf){tag, playouts, playouts, NO_LEAF};
	append(s, playouts ? &s->queues[queue_of(s, state)] : &s->over, leaf);
	s->in_flight += playouts;
}

/* One round of the lanes that have something to do. */
static void run_round(struct playout_stream *s)
{
	bool strays = s->period > 1 && s->queues[s->period].first != NO_LEAF;
	if (strays && !s->general) {
		s->share.seed = rng_split(&s->seed);
		s->general = lane_table_new(&s->share, s->lanes->kernel->lanes, &s->general_feed);
	}
	if (s->general && (strays || !lane_table_idle(s->general)))
		lane_table_round(s->general);
	lane_table_round(s->lanes);
}

static void run_lanes(struct playout_stream *s, uint32_t room, const struct limit *limit)
{
	uint32_t every = lane_table_patience(s->lanes), round = 0;
	while (s->in_flight && playout_stream_room(s) < room) {
		run_round(s);
		if (limit && ++round % every == 0 && limit_reached(limit))
			return;
	}
}

/* False: the limit was reached. Trouble of the interpreter ends a playout without a result. */
static bool run_single(struct playout_stream *s)
{
	uint32_t leaf = s->queues[0].first;
	assert(leaf < s->places);
	bool over = single_playout(&s->single, leaf);
	if (!over && limit_reached(&s->job.limit))
		return false;
	if (!--s->leaves[leaf].waiting)
		drop_first(s, &s->queues[0]);
	end_playout(s, leaf);
	return true;
}

void playout_stream_run(struct playout_stream *s, uint32_t room, const struct limit *limit)
{
	release_handed(s);
	if (s->lanes) {
		run_lanes(s, room, limit);
		return;
	}
	s->job.limit = limit ? *limit : (struct limit){0};
	worker_limit(s->single.w, s->job.limit);
	while (s->in_flight && playout_stream_room(s) < room && run_single(s))
		;
}

void playout_stream_stop(struct playout_stream *s)
{
	release_handed(s);
	if (s->lanes)
		lane_table_stop(s->lanes);
	if (s->general)
		lane_table_stop(s->general);
	for (uint32_t k = 0; k <= s->period; k++)
		for (struct leaf_list *q = &s->queues[k]; q->first != NO_LEAF;) {
			uint32_t leaf = q->first;
			drop_first(s, q);
			assert(s->in_flight >= s->leaves[leaf].waiting);
			s->in_flight -= s->leaves[leaf].waiting;
			s->leaves[leaf].left = s->leaves[leaf].waiting = 0;
			append(s, &s->over, leaf);
		}
	assert(!s->in_flight);
}

bool playout_stream_take(struct playout_stream *s, struct playout_stream_result *out)
{
	release_handed(s);
	uint32_t leaf = s->over.first;
	if (leaf == NO_LEAF)
		return false;
	drop_first(s, &s->over);
	assert(!s->leaves[leaf].left);
	s->handed = leaf;
	*out = (struct playout_stream_result){s->leaves[leaf].tag, (uint32_t)s->share.result.counts[leaf],
	                                      s->share.result.sum + leaf * (size_t)s->share.g->roles};
	return true;
}

uint64_t playout_stream_playouts(const struct playout_stream *s)
{
	return s->share.result.playouts;
}

uint64_t playout_stream_steps(const struct playout_stream *s)
{
	return s->share.result.steps;
}

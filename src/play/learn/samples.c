/* Samples for learning: random playouts stop at regular steps to show their states, and
 * the scores at their end are what all of these came to. One walk in HELD is kept apart,
 * with all its samples, to measure with. */
#include "play/learn/evaluation_internal.h"

#include <assert.h>

#define MOST_SAMPLES ((size_t)3 << 20)
#define MOST_BYTES ((size_t)128 << 20)
#define MOST_STEPS 5000
#define PROBE 256   /* playouts that show how long and how slow they are */
#define COUNTED 512 /* walks of a batch when counted */
#define SLICE 0.04  /* seconds that a batch of walks should take */
#define FEW_STOPS 6 /* samples per walk, at least */
#define MANY_STOPS 16
#define STEPS_APART 10 /* between two samples of a long walk */
#define HELD 8

typedef VEC(uint32_t) number_list;

/* Walks of a batch. */
struct walks {
	struct gathering *c;
	number_list under_way; /* walks that have not ended */
	VEC(uint64_t) states;  /* where these are */
	number_list next_way;  /* those that a stretch has not ended, and where they are */
	VEC(uint64_t) next;
	VEC(uint64_t) seen; /* states of samples so far */
	number_list seen_walk;
	VEC(uint8_t) seen_stage;
	float *outcome; /* by walk and role; below 0: not known */
};

static void collect(void *context, size_t start, const uint64_t *state, double *values)
{
	struct walks *k = context;
	uint32_t words = k->c->g->words;
	assert(start < k->under_way.n);
	vec_extend(&k->next, words);
	memcpy(k->next.at + k->next.n - words, state, words * sizeof *state);
	vec_push(&k->next_way, k->under_way.at[start]);
	memset(values, 0, k->c->g->roles * sizeof *values);
}

/* One stretch of the walks that are under way: `steps` long (0: to the end). */
static void stretch(struct walks *k, uint32_t steps)
{
	uint32_t roles = k->c->g->roles;
	struct playout_result r;
	vec_clear(&k->next);
	vec_clear(&k->next_way);
	game_playouts(k->c->g,
	              &(struct playout_job){.starts = k->states.at,
	                                    .start_count = k->under_way.n,
	                                    .playouts = k->under_way.n,
	                                    .limit = k->c->pace->limit,
	                                    .seed = rng_next(&k->c->rng),
	                                    .max_steps = MOST_STEPS,
	                                    .judge = steps ? collect : NULL,
	                                    .cut = steps,
	                                    .context = k},
	              &r);
	assert(k->next_way.n <= k->under_way.n);
	for (size_t i = 0; i < k->under_way.n; i++)
		for (uint32_t q = 0; q < roles && r.counts[i]; q++)
			k->outcome[k->under_way.at[i] * roles + q] = (float)(r.sum[i * roles + q] / 100);
	for (size_t i = 0; i < k->next_way.n; i++)
		k->outcome[k->next_way.at[i] * roles] = -1;
	playout_result_free(&r);
	vec_set(&k->under_way, k->next_way.at, k->next_way.n);
	vec_set(&k->states, k->next.at, k->next.n);
	assert(k->states.n == k->under_way.n * k->c->g->words);
}

static void look(struct walks *k, uint32_t stage)
{
	assert(stage <= UINT8_MAX);
	for (size_t i = 0; i < k->under_way.n; i++) {
		vec_push(&k->seen_walk, k->under_way.at[i]);
		vec_push(&k->seen_stage, (uint8_t)stage);
	}
	vec_extend(&k->seen, k->states.n);
	if (k->states.n)
		memcpy(k->seen.at + k->seen.n - k->states.n, k->states.at, k->states.n * sizeof *k->states.at);
}

static void keep(struct samples *s, const uint64_t *state, const float *scores, uint8_t stage)
{
	vec_extend(&s->states, s->words);
	memcpy(s->states.at + s->states.n - s->words, state, s->words * sizeof *state);
	vec_extend(&s->scores, s->roles);
	memcpy(s->scores.at + s->scores.n - s->roles, scores, s->roles * sizeof *scores);
	vec_push(&s->stage, stage);
	s->n++;
	assert(s->states.n == s->n * s->words && s->scores.n == s->n * s->roles);
}

/* Walks whose states are looked at after `offset` steps and then every `spacing`. */
static void walk(struct walks *k, uint32_t offset, uint32_t spacing, uint32_t stops, uint32_t count)
{
	struct gathering *c = k->c;
	uint32_t words = c->g->words, roles = c->g->roles;
	assert(stops && spacing);
	vec_clear(&k->under_way);
	vec_clear(&k->states);
	vec_clear(&k->seen);
	vec_clear(&k->seen_walk);
	vec_clear(&k->seen_stage);
	for (uint32_t i = 0; i < count; i++) {
		vec_push(&k->under_way, i);
		vec_extend(&k->states, words);
		memcpy(k->states.at + k->states.n - words, c->from, words * sizeof *c->from);
		k->outcome[i * roles] = -1;
	}
	for (uint32_t i = 0; i < stops && k->under_way.n; i++) {
		stretch(k, i ? spacing : offset);
		look(k, i);
	}
	if (k->under_way.n)
		stretch(k, 0);
	assert(k->seen.n == k->seen_walk.n * words);
	for (size_t i = 0; i < k->seen_walk.n; i++) {
		uint32_t w = k->seen_walk.at[i];
		if (k->outcome[w * roles] >= 0)
			keep(w % HELD ? &c->train : &c->held, k->seen.at + i * words, k->outcome + (size_t)w * roles,
			     k->seen_stage.at[i]);
	}
	c->played += count;
}

/* How long a playout is, in the mean; 0: out of time. A second of processor time has room for `rate`. */
static double probe(struct gathering *c, double *rate)
{
	struct playout_result r;
	double began = clock_thread();
	uint64_t few = c->walks && c->walks < PROBE ? c->walks : PROBE;
	game_playouts(c->g,
	              &(struct playout_job){.starts = c->from,
	                                    .playouts = few,
	                                    .limit = c->pace->limit,
	                                    .seed = rng_next(&c->rng),
	                                    .max_steps = MOST_STEPS},
	              &r);
	double length = r.playouts ? (double)r.steps / (double)r.playouts : 0;
	*rate = (double)r.playouts / fmax(clock_thread() - began, 1e-6);
	playout_result_free(&r);
	return length;
}

static uint32_t stops_of(double length)
{
	double stops = length / STEPS_APART;
	return (uint32_t)fmin(fmax(stops, FEW_STOPS), MANY_STOPS);
}

/* Offsets are spread evenly, by the golden section. */
void samples_gather(struct gathering *c)
{
	uint32_t words = c->g->words, roles = c->g->roles;
	size_t most = MOST_BYTES / (words * sizeof(uint64_t) + roles * sizeof(float));
	double rate, length = probe(c, &rate), at = 0;
	c->length = length;
	uint32_t stops = stops_of(length), spacing = 1 + (uint32_t)(length / stops);
	uint32_t batch = c->walks ? COUNTED : (uint32_t)fmin(fmax(rate * SLICE, 64), 8192);
	struct walks k = {.c = c, .outcome = mem_alloc((size_t)batch * roles, sizeof(float))};
	most = most < MOST_SAMPLES ? most : MOST_SAMPLES;
	c->train.words = c->held.words = words;
	c->train.roles = c->held.roles = roles;
	while (length > 0 && (!c->walks || c->played < c->walks) && c->train.n < most && pace_used(c->pace) < c->until) {
		uint64_t left = c->walks ? c->walks - c->played : batch;
		at += 0.6180339887;
		at -= floor(at);
		walk(&k, 1 + (uint32_t)(at * spacing), spacing, stops, left < batch ? (uint32_t)left : batch);
	}
	vec_free(&k.under_way);
	vec_free(&k.states);
	vec_free(&k.next_way);
	vec_free(&k.next);
	vec_free(&k.seen);
	vec_free(&k.seen_walk);
	vec_free(&k.seen_stage);
	mem_free(k.outcome);
}

void samples_free(struct samples *s)
{
	vec_free(&s->states);
	vec_free(&s->scores);
	vec_free(&s->stage);
}

double pace_used(const struct pace *p)
{
	if (limit_reached(&p->limit))
		return 1;
	if (p->seconds <= 0)
		return 0;
	double used = ((p->processor ? clock_thread() : clock_now()) - p->began) / p->seconds;
	return used < 1 ? used : 1;
}

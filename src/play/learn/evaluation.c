/* Learning an evaluation from the first playout to the measure of its worth, and using it. */
#include "play/learn/evaluation_internal.h"

#include "base/vectors.h"
#include "game/rules_view.h"

#include <assert.h>

#define LEAST_SAMPLES 64
#define MOST_COUNTED 65536  /* playouts, when they are counted */
#define RATE_MORE 0.02f     /* of learning from a search */
#define REMEMBERED 1000.0f  /* squares of steps, where learning goes on */
#define STEPS (1u << 20)    /* of each of the two fits, about, when counted */
#define MEASURED 16         /* playouts from each state that the worth is measured by */
#define MEASURED_AT_ONCE 32 /* states */
#define MOST_MEASURED 2048
#define MOST_JUDGED 65536 /* samples that the skill is measured by */
#define MOST_WORTH 1e4
#define TABLE_BYTES ((size_t)2 << 20) /* of the weights by byte of the state */

/* Shares of the time (but for the last: of the part for playouts) at which parts of the work end. */
#define UNTIL_GATHERED 0.36
#define UNTIL_MEASURED 0.44
#define UNTIL_FIT 0.56
#define UNTIL_PAIRS 0.66
#define UNTIL_PAIRS_FIT 0.94
#define UNTIL_SELF_PLAYED 0.96

static const struct evaluation_tuning standard = {EVALUATION_TUNING(TUNING_STANDARD)};

/* Who is evaluated, and whether two players always share the same sum. */
static void find_players(struct evaluation *e, const struct game *g, const struct samples *s)
{
	for (uint32_t r = 0; r < g->roles && e->players < MOST_PLAYERS; r++)
		if (r != g->random)
			e->player[e->players++] = r;
	e->opposed = e->players == 2;
	for (size_t i = 0; i < s->n && e->opposed; i++) {
		const float *x = s->scores.at + i * s->roles;
		e->opposed = fabsf(x[e->player[0]] + x[e->player[1]] - 1) < 1e-4f;
	}
	e->outputs = e->opposed ? 1 : e->players;
}

static void begin_weights(struct evaluation *e)
{
	e->width = e->fluents + 1 + (uint32_t)e->groups.n;
	size_t n = (size_t)e->outputs * (e->contexts + 1) * e->width;
	e->w = NEW_ARRAY(float, n);
	e->squares = mem_alloc(n, sizeof *e->squares);
	for (size_t i = 0; i < n; i++)
		e->squares[i] = 1;
	e->doubt = NEW_ARRAY(float, e->fluents + 1);
	e->context_doubt = (float)(e->contexts * e->tune.strict);
	for (uint32_t f = 0; f < e->fluents; f++)
		e->doubt[f] = doubt_of(e, e->tune.spread, (double)e->frequency[f] * (double)e->samples);
	e->doubt[e->fluents] = doubt_of(e, e->tune.group_spread, (double)e->samples);
	for (uint32_t m = 0; m < e->movers; m++)
		pairs_begin(e, &e->pairs[m]);
}

/* ---- tables for evaluation ---------------------------------------------------------- */

static void fold_context(struct evaluation *e, uint32_t context, uint32_t output)
{
	assert(context < MOST_MOVERS * MOST_PHASES);
	assert(output < e->outputs);
	const float *all = e->w + (size_t)output * (e->contexts + 1) * e->width,
				*own = all + (size_t)(context + 1) * e->width;
	float *to = e->flat + (size_t)context * (e->fluents + 1) * e->outputs + output;
	uint32_t groups = e->fluents + 1;
	to[(size_t)e->fluents * e->outputs] = all[e->fluents] + own[e->fluents];
	for (size_t k = 0; k < e->groups.n; k++)
		to[(size_t)e->fluents * e->outputs] -=
			(all[groups + k] + own[groups + k]) * e->groups.at[k].mean * e->groups.at[k].scale;
	for (uint32_t f = 0; f < e->fluents; f++) {
		float sum = all[f] + own[f];
		for (uint32_t i = e->first_group[f]; i < e->first_group[f + 1]; i++) {
			uint32_t k = e->group_list.at[i];
			sum += (all[groups + k] + own[groups + k]) * e->groups.at[k].scale;
		}
		to[(size_t)f * e->outputs] = bits_has(e->live, f) ? sum : 0;
	}
}

/* Sums for all values of each byte of a state. */
static void fold_bytes(struct evaluation *e, uint32_t context)
{
	assert(context < MOST_MOVERS * MOST_PHASES);
	const float *flat = e->flat + (size_t)context * (e->fluents + 1) * e->outputs;
	float *to = e->bytes + (size_t)context * e->byte_count * 256 * e->outputs;
	for (uint32_t i = 0; i < e->byte_count; i++, to += 256 * e->outputs)
		for (uint32_t v = 1; v < 256; v++)
			for (uint32_t o = 0; o < e->outputs; o++) {
				uint32_t f = i * 8 + (uint32_t)__builtin_ctz(v);
				float w = f < e->fluents ? flat[(size_t)f * e->outputs + o] : 0;
				to[v * e->outputs + o] = to[(v & (v - 1)) * e->outputs + o] + w;
			}
}

void evaluation_fold(struct evaluation *e)
{
	e->byte_count = (e->fluents + 7) / 8;
	size_t table = (size_t)e->contexts * e->byte_count * 256 * e->outputs * sizeof *e->bytes;
	if (!e->flat) {
		e->flat = NEW_ARRAY(float, (size_t)e->contexts *(e->fluents + 1) * e->outputs);
		if (table <= TABLE_BYTES && (double)e->byte_count < 1.5 * e->set)
			e->bytes = mem_zalloc(table, 1);
	}
	neurons_fold(e);
	for (uint32_t c = 0; c < e->contexts; c++) {
		for (uint32_t o = 0; o < e->outputs; o++)
			fold_context(e, c, o);
		if (e->bytes)
			fold_bytes(e, c);
	}
	for (uint32_t m = 0; m < e->movers; m++)
		for (uint32_t i = 0; i < e->pairs[m].n; i++)
			for (uint32_t o = 0; o < e->outputs; o++)
				e->pairs[m].flat[(size_t)i * e->outputs + o] = e->pairs[m].w[(size_t)o * e->pairs[m].n + i];
}

/* The sums before the logistic function. Always inlined with the number of outputs known, where it is 1. `sums` are
 * those of neurons, of the state `before` (NULL: of none). */
static inline __attribute__((always_inline)) void sum_state(const struct evaluation *e, const uint64_t *before,
                                                            const uint64_t *state, int32_t *sums, uint32_t outputs,
                                                            float *sum)
{
	uint32_t mover = mover_of(e, state), context = context_of(e, state, mover);
	const float *flat = e->flat + (size_t)context * (e->fluents + 1) * outputs;
	for (uint32_t o = 0; o < outputs; o++)
		sum[o] = flat[(size_t)e->fluents * outputs + o];
	if (e->bytes) {
		const float *at = e->bytes + (size_t)context * e->byte_count * 256 * outputs;
		for (uint32_t i = 0; i < e->byte_count; i++, at += 256 * outputs)
			for (uint32_t o = 0, v = (uint32_t)(state[i / 8] >> i % 8 * 8 & 255); o < outputs; o++)
				sum[o] += at[v * outputs + o];
	} else
		for (uint32_t i = 0; i < e->words; i++)
			for (uint64_t set = state[i] & e->live[i]; set; set &= set - 1)
				for (uint32_t o = 0, f = i * 64 + (uint32_t)__builtin_ctzll(set); o < outputs; o++)
					sum[o] += flat[(size_t)f * outputs + o];
	if (e->pairs[mover].n)
		pairs_sum(&e->pairs[mover], state, e->words, outputs, sum);
	if (e->neurons.count) {
		neurons_follow(e, before, state, sums);
		for (uint32_t o = 0; o < outputs; o++)
			sum[o] += neurons_say(e, mover, o, sums);
	}
}

/* Static: the function that chooses between the two would be seen from outside. */
VECTOR_CLONES static void evaluate_states(const struct evaluation *e, const uint64_t *states, size_t n, float *out)
{
	int32_t sums[MOST_NEURONS];
	const uint64_t *before = NULL; /* neighbours are mostly children of one state: they differ little */
	for (size_t i = 0; i < n; i++, before = states, states += e->words, out += e->roles) {
		float sum[MOST_PLAYERS];
		if (e->opposed) {
			sum_state(e, before, states, sums, 1, sum);
			if (e->roles > 2)
				memset(out, 0, e->roles * sizeof *out);
			out[e->player[0]] = logistic(sum[0]);
			out[e->player[1]] = 1 - out[e->player[0]];
			continue;
		}
		sum_state(e, before, states, sums, e->outputs, sum);
		memset(out, 0, e->roles * sizeof *out);
		for (uint32_t o = 0; o < e->outputs; o++)
			out[e->player[o]] = logistic(sum[o]);
	}
}

void evaluation_batch(const struct evaluation *e, const uint64_t *states, size_t n, float *out)
{
	evaluate_states(e, states, n, out);
}

double evaluation_score(const struct evaluation *e, const uint64_t *state, uint32_t role)
{
	assert(role < e->roles);
	float sum[MOST_PLAYERS];
	int32_t sums[MOST_NEURONS];
	sum_state(e, NULL, state, sums, e->outputs, sum);
	for (uint32_t o = 0; o < e->outputs; o++)
		if (e->player[o] == role)
			return 1 + 98 * (double)logistic(sum[o]);
	return e->opposed && role == e->player[1] ? 1 + 98 * (double)logistic(-sum[0]) : 50;
}

/* ---- how good it is ------------------------------------------------------------------ */

/* States with the mean of some playouts from each, by role, and the variance of that mean. */
struct measured {
	uint32_t roles;
	size_t n;
	VEC(uint64_t) states;
	VEC(float) mean, variance;
};

static void measure_some(struct measured *m, struct game *g, const uint64_t *states, size_t n, struct rng *rng,
                         const struct limit *limit)
{
	struct playout_result r;
	game_playouts(g,
	              &(struct playout_job){.starts = states,
	                                    .start_count = n,
	                                    .playouts = n * MEASURED,
	                                    .limit = *limit,
	                                    .seed = rng_next(rng),
	                                    .max_steps = 5000},
	              &r);
	for (size_t i = 0; i < n; i++) {
		double k = (double)r.counts[i];
		if (k < 2)
			continue;
		for (uint32_t q = 0; q < g->roles; q++) {
			double sum = r.sum[i * g->roles + q] / 100, squares = r.squares[i * g->roles + q] / 1e4;
			vec_push(&m->mean, (float)(sum / k));
			vec_push(&m->variance, (float)((squares - sum * sum / k) / (k - 1) / k));
		}
		vec_extend(&m->states, g->words);
		memcpy(m->states.at + m->states.n - g->words, states + i * g->words, g->words * sizeof *states);
		m->n++;
	}
	playout_result_free(&r);
}

/* By count: one playout here for four learnt from. */
static void measure(struct measured *m, struct gathering *c)
{
	const struct samples *s = &c->held;
	size_t most = c->walks ? c->walks / (4 * MEASURED) : MOST_MEASURED;
	most = most < MEASURED_AT_ONCE ? MEASURED_AT_ONCE : most;
	most = most < MOST_MEASURED ? most : MOST_MEASURED;
	most = most < s->n ? most : s->n;
	uint64_t *states = mem_alloc(MEASURED_AT_ONCE * s->words, sizeof *states);
	m->roles = c->g->roles;
	for (size_t i = 0; i < most && (!i || pace_used(c->pace) < UNTIL_MEASURED * c->share);) {
		size_t n = 0;
		for (; n < MEASURED_AT_ONCE && i < most; n++, i++)
			memcpy(states + n * s->words, s->states.at + rng_below(&c->rng, (uint32_t)s->n) * s->words,
			       s->words * sizeof *states);
		measure_some(m, c->g, states, n, &c->rng, &c->pace->limit);
	}
	mem_free(states);
}

/* Playouts that are worth as much. With k playouts a state's expected score is known, beside the mean of all states, as
 * well as the evaluation knows it when k * spread / (k * spread + noise) is the share of the spread explained: spread
 * among expected scores, noise of one playout. With few states the benefit of the doubt is not given: what is left
 * unexplained counts with its standard error. */
static double worth_of(const struct evaluation *e, const struct measured *m, uint32_t role, const float *forecast)
{
	assert(role < e->roles);
	double n = (double)m->n, mean = 0, noise = 0, spread = 0, left = 0, squares = 0;
	for (size_t i = 0; i < m->n; i++) {
		mean += (double)m->mean.at[i * m->roles + role] / n;
		noise += (double)m->variance.at[i * m->roles + role] / n;
	}
	for (size_t i = 0; i < m->n; i++) {
		double x = (double)m->mean.at[i * m->roles + role], miss = x - (double)forecast[i * e->roles + role];
		spread += (x - mean) * (x - mean) / (n - 1);
		left += miss * miss / n;
		squares += miss * miss * miss * miss / n;
	}
	spread -= noise;
	left += sqrt(fmax(squares - left * left, 0) / n) - noise;
	if (spread <= 1e-9 || left >= spread)
		return 0;
	left = fmax(left, 1e-9);
	return fmin((spread - left) / left * noise * MEASURED / spread, MOST_WORTH);
}

/* On the first n samples. */
static double skill_of(const struct samples *s, size_t n, uint32_t role, const float *forecast)
{
	assert(n <= s->n);
	assert(role < s->roles);
	double mean = 0, spread = 0, left = 0;
	for (size_t i = 0; i < n; i++)
		mean += (double)s->scores.at[i * s->roles + role] / (double)n;
	for (size_t i = 0; i < n; i++) {
		double x = (double)s->scores.at[i * s->roles + role], miss = x - (double)forecast[i * s->roles + role];
		spread += (x - mean) * (x - mean);
		left += miss * miss;
	}
	return spread > 0 ? 1 - left / spread : 0;
}

static void judge(struct evaluation *e, const struct samples *held, const struct measured *m)
{
	size_t n = held->n < MOST_JUDGED ? held->n : MOST_JUDGED, most = n > m->n ? n : m->n;
	float *forecast = mem_alloc(most * e->roles + 1, sizeof *forecast);
	e->skill = 1;
	e->worth = MOST_WORTH;
	evaluation_batch(e, held->states.at, n, forecast);
	for (uint32_t i = 0; i < e->players; i++)
		e->skill = fmin(e->skill, skill_of(held, n, e->player[i], forecast));
	evaluation_batch(e, m->states.at, m->n, forecast);
	for (uint32_t i = 0; i < e->players; i++)
		e->worth = fmin(e->worth, m->n > 1 ? worth_of(e, m, e->player[i], forecast) : 0);
	mem_free(forecast);
}

double evaluation_worth(const struct evaluation *e)
{
	return e->worth;
}

double evaluation_skill(const struct evaluation *e)
{
	return e->skill;
}

/* ---- learning ------------------------------------------------------------------------ */

static struct pace pace_of(const struct evaluation_options *o)
{
	struct pace p = {.limit = o->limit, .processor = o->seconds > 0};
	p.began = p.processor ? clock_thread() : clock_now();
	p.seconds = p.processor ? o->seconds : o->limit.deadline > 0 && !o->playouts ? limit_left(&o->limit) : 0;
	return p;
}

/* Steps of learning become larger again: better play is another matter. */
static void forget(struct evaluation *e)
{
	size_t n = (size_t)e->outputs * (e->contexts + 1) * e->width;
	for (size_t i = 0; i < n; i++)
		e->squares[i] = fminf(e->squares[i], REMEMBERED);
	for (uint32_t m = 0; m < e->movers; m++)
		for (size_t i = 0; i < (size_t)e->pairs[m].n * e->outputs; i++)
			e->pairs[m].squares[i] = fminf(e->pairs[m].squares[i], REMEMBERED);
}

static struct evaluation *learn(struct gathering *c, const struct measured *m, const struct evaluation_options *o)
{
	struct evaluation *e = NEW(struct evaluation);
	*e = (struct evaluation){.g = c->g, .fluents = c->g->fluents, .words = c->g->words, .roles = c->g->roles};
	e->tune = o->tune ? *o->tune : standard;
	e->playouts = c->played;
	e->length = c->length;
	e->samples = c->train.n;
	e->together = fmax(1, e->tune.together * (double)c->train.n / (double)c->played);
	find_players(e, c->g, &c->train);
	features_find(e, &c->train, o->plain);
	begin_weights(e);
	struct fit f = {.rate = e->tune.rate,
	                .until = (o->plain ? UNTIL_PAIRS_FIT : UNTIL_FIT) * c->share,
	                .epochs = (uint32_t)e->tune.epochs};
	if (c->walks)
		f.epochs = (uint32_t)fmin(fmax(STEPS / (double)c->train.n, 1), f.epochs);
	fit_samples(e, &c->train, &c->held, c->pace, &f);
	if (!o->plain) {
		pairs_find(e, &c->train, c->pace, UNTIL_PAIRS * c->share);
		f.until = UNTIL_PAIRS_FIT * c->share;
		fit_samples(e, &c->train, &c->held, c->pace, &f);
	}
	evaluation_fold(e);
	judge(e, &c->held, m);
	forget(e);
	if (o->self_play) {
		struct self_play_plan plan = {(uint32_t)(c->length / 4), UNTIL_SELF_PLAYED,
		                              c->walks ? 1 + c->walks / 16 : UINT64_MAX};
		self_play(e, c->g, c->from, &plan, &c->rng, c->pace);
	}
	prior_learn(e, c->g, &c->held, &c->rng, c->pace);
	return e;
}

struct evaluation *evaluation_learn(struct game *g, const struct evaluation_options *o)
{
	if (g->engine != ENGINE_CIRCUIT || limit_reached(&o->limit))
		return NULL;
	struct pace pace = pace_of(o);
	struct gathering c = {.g = g, .from = o->from ? o->from : g->initial, .rng = rng_seed(o->seed), .pace = &pace};
	struct measured m = {0};
	struct evaluation *e = NULL;
	c.walks = o->playouts && o->playouts < MOST_COUNTED ? o->playouts : pace.seconds > 0 ? 0 : MOST_COUNTED;
	c.share = o->self_play ? 1 - (o->tune ? o->tune : &standard)->self_share : 1;
	c.until = UNTIL_GATHERED * c.share;
	samples_gather(&c);
	if (c.train.n > LEAST_SAMPLES && c.held.n > 1) {
		measure(&m, &c);
		e = learn(&c, &m, o);
	}
	samples_free(&c.train);
	samples_free(&c.held);
	vec_free(&m.states);
	vec_free(&m.mean);
	vec_free(&m.variance);
	return e;
}

void evaluation_learn_more(struct evaluation *e, const uint64_t *states, const float *values, const float *weights,
                           size_t n)
{
	struct pupil *p = pupil_new(e);
	for (size_t i = 0; i < n; i++) {
		pupil_look(p, states + i * e->words);
		pupil_learn(p, values + i * e->roles, weights ? weights[i] : 1, RATE_MORE);
	}
	pupil_free(p);
	evaluation_fold(e);
}

void evaluation_free(struct evaluation *e)
{
	if (!e)
		return;
	features_free(e);
	for (uint32_t m = 0; m < e->movers; m++)
		pairs_free(&e->pairs[m]);
	neurons_free(&e->neurons);
	mem_free(e->w);
	mem_free(e->squares);
	mem_free(e->doubt);
	mem_free(e->flat);
	mem_free(e->bytes);
	mem_free(e->prior);
	mem_free(e);
}

/* The sampled belief: a crowd of histories. See belief.h for the idea.
 *
 * A line is a history from the last exact layer (or from where the window begins) to
 * now, one row per step, and beside each row the share of the moves tried there that
 * agreed with the percepts. The product of the shares is the weight of a line; the
 * expected weight with which a history turns up is its true probability, also when
 * only some of the moves were tried, because these were drawn at random. */
#include "play/hidden/belief_internal.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define TRIED 32                        /* joint moves of a step, when there are more */
#define WINDOW_BYTES ((size_t)96 << 20) /* of all lines */
#define SEEDS 24                        /* histories that the search looks for */
#define SOWN 50000                      /* grown anew before it begins */
#define MOST_DEAD 1000000               /* dead ends remembered */

struct crowd {
	uint32_t n;      /* lines */
	uint32_t window; /* most rows of a line */
	uint32_t rows;   /* present length of every line; the first row is where it begins */
	uint32_t first;  /* step of the first row */
	size_t line;     /* words per line */
	uint64_t *lines, *other;
	double *share, *other_share; /* `window` per line */
	double *weight;
	bool *alive;
	uint32_t *found; /* agreeing moves, in a step */
	uint64_t *next;  /* the one chosen, one row per line */
	bool empty;
};

struct crowd *crowd_new(struct belief *b)
{
	struct crowd *c = NEW(struct crowd);
	size_t row = b->stride * sizeof(uint64_t);
	c->n = b->o.samples;
	assert(c->n);
	size_t fit = WINDOW_BYTES / 2 / (row * c->n);
	c->window = fit < 3 ? 3 : fit > 64 ? 64 : (uint32_t)fit;
	c->line = (size_t)c->window * b->stride;
	c->lines = mem_alloc(c->n * c->line, sizeof *c->lines);
	c->other = mem_alloc(c->n * c->line, sizeof *c->other);
	c->share = NEW_ARRAY(double, (size_t)c->n * c->window);
	c->other_share = NEW_ARRAY(double, (size_t)c->n * c->window);
	c->weight = NEW_ARRAY(double, c->n);
	c->alive = NEW_ARRAY(bool, c->n);
	c->found = NEW_ARRAY(uint32_t, c->n);
	c->next = mem_alloc(c->n * (size_t)b->stride, sizeof *c->next);
	c->first = b->base;
	c->rows = 1;
	c->empty = true;
	return c;
}

void crowd_free(struct crowd *c)
{
	mem_free(c->lines);
	mem_free(c->other);
	mem_free(c->share);
	mem_free(c->other_share);
	mem_free(c->weight);
	mem_free(c->alive);
	mem_free(c->found);
	mem_free(c->next);
	mem_free(c);
}

static uint64_t *row_at(const struct belief *b, uint64_t *lines, size_t line, uint32_t row)
{
	assert(line < b->crowd->n && row < b->crowd->window);
	return lines + line * b->crowd->line + (size_t)row * b->stride;
}

/* ---- growing ---------------------------------------------------------------------------------- */

struct growth {
	struct belief *b;
	struct rng *rng;
};

/* Keeps one of the rows found, each with the same probability. */
static void keep_one(void *context, uint32_t from, const uint64_t *row, double p)
{
	struct growth *x = context;
	struct crowd *c = x->b->crowd;
	(void)p;
	if (!rng_below(x->rng, ++c->found[from]))
		memcpy(c->next + (size_t)from * x->b->stride, row, x->b->stride * sizeof *row);
}

static uint64_t random_joint(const struct belief *b, struct rng *rng)
{
	uint64_t joint = 0;
	for (uint32_t r = b->g->roles; r--;) {
		uint32_t n = b->first.at[r + 1] - b->first.at[r];
		joint = joint * n + rng_below(rng, n);
	}
	return joint;
}

/* All living lines of `lines` from row to row + 1; dead ones stay dead. False: the
 * limit came. */
static bool grow(struct belief *b, struct worker *w, struct rng *rng, const struct limit *l, uint64_t *lines,
                 double *share, uint32_t row)
{
	struct crowd *c = b->crowd;
	assert(c->first + row < b->observed.n);
	const struct observation *t = &b->observed.at[c->first + row];
	struct growth x = {b, rng};
	memset(c->found, 0, c->n * sizeof *c->found);
	double *tried = NEW_ARRAY(double, c->n);
	bool fine = true;
	for (uint32_t i = 0; i < c->n && fine; i++) {
		if (!c->alive[i])
			continue;
		const uint64_t *at = row_at(b, lines, i, row);
		double joint = belief_list(b, at, t);
		tried[i] = joint < TRIED ? joint : TRIED;
		for (uint32_t k = 0; k < (uint32_t)tried[i]; k++)
			belief_put(b, at, i, joint <= TRIED ? k : random_joint(b, rng), 1);
		if (b->pass.from.n >= BELIEF_PASS) {
			belief_run(b, w, t, keep_one, &x);
			fine = !limit_reached(l);
		}
	}
	belief_run(b, w, t, keep_one, &x);
	for (uint32_t i = 0; i < c->n; i++)
		if (c->alive[i] && (c->alive[i] = fine && c->found[i])) {
			assert(c->found[i] <= tried[i]);
			memcpy(row_at(b, lines, i, row + 1), c->next + (size_t)i * b->stride, b->stride * sizeof *c->next);
			share[(size_t)i * c->window + row + 1] = c->found[i] / tried[i];
		}
	mem_free(tried);
	return fine;
}

/* ---- weights ------------------------------------------------------------------------------------ */

static void copy_line(struct belief *b, uint64_t *to, double *to_share, size_t i, const uint64_t *from,
                      const double *from_share, size_t j)
{
	struct crowd *c = b->crowd;
	assert(c->rows <= c->window);
	memcpy(to + i * c->line, from + j * c->line, (size_t)c->rows * b->stride * sizeof *to);
	memcpy(to_share + i * c->window, from_share + j * c->window, c->rows * sizeof *to_share);
}

/* Systematic resampling: every line as often as its weight says. */
static void resample(struct belief *b, struct rng *rng, double total)
{
	struct crowd *c = b->crowd;
	assert(total > 0);
	double at = rng_unit(rng), sum = 0;
	size_t k = 0;
	for (uint32_t j = 0; j < c->n && k < c->n; j++) {
		sum += c->weight[j] / total * c->n;
		for (; k < c->n && (double)k + at < sum; k++)
			copy_line(b, c->other, c->other_share, k, c->lines, c->share, j);
	}
	assert(k);
	for (; k < c->n; k++) /* by rounding */
		copy_line(b, c->other, c->other_share, k, c->other, c->other_share, k - 1);
	uint64_t *lines = c->lines;
	double *share = c->share;
	c->lines = c->other;
	c->share = c->other_share;
	c->other = lines;
	c->other_share = share;
	for (uint32_t i = 0; i < c->n; i++)
		c->weight[i] = 1;
}

/* Goes back to `row` and grows every line anew; takes the new one with the
 * probability min(1, new weight / old weight). All weights are equal before. */
static void regrow(struct belief *b, struct worker *w, struct rng *rng, const struct limit *l, uint32_t row)
{
	struct crowd *c = b->crowd;
	assert(row < c->rows);
	for (uint32_t i = 0; i < c->n; i++) {
		copy_line(b, c->other, c->other_share, i, c->lines, c->share, i);
		c->alive[i] = true;
		if (!row && c->first == b->base)
			memcpy(row_at(b, c->other, i, 0), b->start.rows.at + layer_draw(&b->start, rng) * b->stride,
			       b->stride * sizeof *c->other);
	}
	for (uint32_t k = row; k + 1 < c->rows; k++)
		if (!grow(b, w, rng, l, c->other, c->other_share, k))
			return;
	for (uint32_t i = 0; i < c->n; i++) {
		double old = 0, new = 0;
		if (!c->alive[i])
			continue;
		for (uint32_t k = row + 1; k < c->rows; k++) {
			old += log(c->share[(size_t)i * c->window + k]);
			new += log(c->other_share[(size_t)i * c->window + k]);
		}
		if (new >= old || rng_unit(rng) < exp(new - old))
			copy_line(b, c->lines, c->share, i, c->other, c->other_share, i);
	}
}

/* Steps back of different lengths: short ones are often accepted, long ones go far. */
static void stir(struct belief *b, struct worker *w, struct rng *rng, const struct limit *l, uint32_t times)
{
	struct crowd *c = b->crowd;
	for (uint32_t i = 0; i < times && !limit_reached(l); i++) {
		uint32_t back = 1 + rng_below(rng, i % 3 == 0 ? 2 : i % 3 == 1 ? 6 : c->rows);
		regrow(b, w, rng, l, c->rows - 1 > back ? c->rows - 1 - back : 0);
	}
}

static void show(struct belief *b)
{
	struct crowd *c = b->crowd;
	vec_clear(&b->layer.rows);
	vec_clear(&b->layer.weight);
	for (uint32_t i = 0; i < c->n && !c->empty; i++) {
		if (c->weight[i] <= 0)
			continue;
		vec_push(&b->layer.weight, c->weight[i]);
		vec_extend(&b->layer.rows, b->stride);
		memcpy(b->layer.rows.at + b->layer.rows.n - b->stride, row_at(b, c->lines, i, c->rows - 1),
		       b->stride * sizeof(uint64_t));
	}
	layer_finish(&b->layer);
	assert(c->empty || b->layer.weight.n);
}

/* ---- the search ------------------------------------------------------------------------------------ */

/* A step of the history in hand: the moves come in the order first, first + stride,
 * ... modulo their number, so each comes once. */
struct level {
	double joint, done;
	uint64_t at, stride;
	VEC(uint64_t) rows; /* successors that agree, not tried yet */
	uint32_t agreed, tried;
};

struct quest {
	struct belief *b;
	struct rng *rng;
	VEC(struct level) levels;
	VEC(uint64_t) way; /* rows from the start on */
	struct table dead;
	uint32_t dead_count;
};

static uint64_t key_of(const struct belief *b, const uint64_t *row, size_t depth)
{
	return hash_join(hash_bytes(row, b->words * sizeof *row), depth);
}

static bool is_dead(const struct quest *q, uint64_t key)
{
	uint32_t it = 0;
	table_start(&q->dead, key, &it);
	return table_next(&q->dead, key, &it) != TABLE_NONE;
}

static void add_row(void *context, uint32_t from, const uint64_t *row, double p)
{
	struct quest *q = context;
	assert(q->levels.n);
	struct level *v = &vec_last(&q->levels);
	(void)from;
	(void)p;
	v->agreed++;
	if (is_dead(q, key_of(q->b, row, q->levels.n)))
		return;
	vec_extend(&v->rows, q->b->stride);
	memcpy(v->rows.at + v->rows.n - q->b->stride, row, q->b->stride * sizeof *row);
}

static uint64_t common(uint64_t a, uint64_t b)
{
	return b ? common(b, a % b) : a;
}

static void open_level(struct quest *q)
{
	struct belief *b = q->b;
	assert(b->base + q->levels.n < b->observed.n);
	assert(q->way.n == (q->levels.n + 1) * b->stride);
	struct level v = {0};
	v.joint = belief_list(b, q->way.at + q->way.n - b->stride, &b->observed.at[b->base + q->levels.n]);
	uint64_t n = (uint64_t)v.joint;
	v.at = n ? rng_next(q->rng) % n : 0;
	v.stride = n ? rng_next(q->rng) % n : 0;
	while (n > 1 && common(v.stride, n) != 1)
		v.stride = (v.stride + 1) % n;
	vec_push(&q->levels, v);
}

/* Some more successors of the last level. */
static void more(struct quest *q, struct worker *w)
{
	struct belief *b = q->b;
	struct level *v = &vec_last(&q->levels);
	size_t depth = q->levels.n - 1;
	const struct observation *t = &b->observed.at[b->base + depth];
	const uint64_t *row = q->way.at + depth * b->stride;
	belief_list(b, row, t);
	for (uint32_t k = 0; k < 256 && v->done < v->joint; k++, v->done++) {
		belief_put(b, row, 0, v->at, 1);
		v->at = (v->at + v->stride) % (uint64_t)v->joint;
		v->tried++;
	}
	belief_run(b, w, t, add_row, q);
}

static void close_level(struct quest *q)
{
	assert(q->levels.n && q->way.n >= q->levels.n * q->b->stride);
	vec_free(&vec_last(&q->levels).rows);
	q->levels.n--;
	q->way.n -= q->b->stride;
}

/* Completes q->way, which holds a beginning, to a history of the whole view; gives up
 * after this many passes, for a wrong turn near the beginning takes long to leave. */
static bool complete(struct quest *q, struct worker *w, const struct limit *l, uint64_t passes)
{
	struct belief *b = q->b;
	size_t depth = b->observed.n - b->base;
	open_level(q);
	while (q->levels.n && !limit_reached(l) && !worker_trouble(w) && passes) {
		struct level *v = &vec_last(&q->levels);
		for (; !v->rows.n && v->done < v->joint && !limit_reached(l) && passes; passes--)
			more(q, w);
		if (!v->rows.n && v->done < v->joint)
			break;
		if (!v->rows.n) {
			if (v->done >= v->joint && q->dead_count++ < MOST_DEAD)
				table_add(&q->dead, key_of(b, q->way.at + (q->levels.n - 1) * b->stride, q->levels.n - 1), 0);
			close_level(q);
			continue;
		}
		/* one at random, taken out of the list */
		size_t n = v->rows.n / b->stride, i = rng_below(q->rng, (uint32_t)n);
		vec_extend(&q->way, b->stride);
		memcpy(q->way.at + q->way.n - b->stride, v->rows.at + i * b->stride, b->stride * sizeof *q->way.at);
		memmove(v->rows.at + i * b->stride, v->rows.at + (n - 1) * b->stride, b->stride * sizeof *q->way.at);
		v->rows.n -= b->stride;
		assert(q->levels.n <= depth);
		if (q->levels.n == depth)
			return true;
		if (!is_dead(q, key_of(b, q->way.at + q->way.n - b->stride, q->levels.n)))
			open_level(q);
		else
			q->way.n -= b->stride;
	}
	return false;
}

/* The way found as line i. */
static void note(struct quest *q, uint32_t i)
{
	struct belief *b = q->b;
	struct crowd *c = b->crowd;
	uint32_t skip = c->first - b->base;
	assert(i < c->n && q->way.n == (size_t)(skip + c->rows) * b->stride);
	c->weight[i] = 1;
	for (uint32_t k = 0; k < c->rows; k++) {
		double share = 1;
		if (skip + k)
			share = (double)q->levels.at[skip + k - 1].agreed / q->levels.at[skip + k - 1].tried;
		assert(share > 0 && share <= 1);
		memcpy(row_at(b, c->lines, i, k), q->way.at + (size_t)(skip + k) * b->stride, b->stride * sizeof *q->way.at);
		c->share[(size_t)i * c->window + k] = share;
		c->weight[i] *= share;
	}
}

/* Histories by search, from beginnings drawn from the exact layer, with more patience
 * each time; what has been found dead stays so. Ends when there are enough, or when
 * every beginning is dead. */
static bool search(struct belief *b, struct worker *w, struct rng *rng, const struct limit *l)
{
	struct crowd *c = b->crowd;
	struct quest q = {.b = b, .rng = rng};
	uint32_t found = 0, seeds = SEEDS < c->n ? SEEDS : c->n, barren = 0;
	size_t starts = b->start.weight.n, dead = 0;
	uint64_t patience = 64;
	memset(c->weight, 0, c->n * sizeof *c->weight);
	while (found < seeds && barren < (found ? SEEDS : UINT32_MAX) && dead < starts && !limit_reached(l)) {
		size_t i = layer_draw(&b->start, rng);
		for (size_t k = 0; barren >= SEEDS && k < starts && is_dead(&q, key_of(b, b->start.rows.at + i * b->stride, 0));
		     k++)
			i = (i + 1) % starts; /* late, and with no luck: one after the other */
		const uint64_t *row = b->start.rows.at + i * b->stride;
		bool was_dead = is_dead(&q, key_of(b, row, 0));
		vec_clear(&q.way);
		vec_extend(&q.way, b->stride);
		memcpy(q.way.at, row, b->stride * sizeof *row);
		if (!was_dead && complete(&q, w, l, patience)) {
			note(&q, found++);
			barren = 0;
		} else {
			barren++;
			patience++;
		}
		while (q.levels.n)
			close_level(&q);
		dead += !was_dead && is_dead(&q, key_of(b, row, 0));
		if (worker_trouble(w))
			break;
	}
	vec_free(&q.levels);
	vec_free(&q.way);
	table_free(&q.dead);
	return found;
}

/* Histories grown anew from the beginning, many times: cheaper than the search where
 * one in some ten thousand lives. The ways that reach the end become lines. */
static uint32_t sow(struct belief *b, struct worker *w, struct rng *rng, const struct limit *l)
{
	struct crowd *c = b->crowd;
	uint32_t found = 0;
	if (c->first != b->base)
		return 0;
	memset(c->weight, 0, c->n * sizeof *c->weight);
	for (uint32_t round = 0; round * c->n < SOWN && found < SEEDS && found < c->n && !limit_reached(l); round++) {
		uint32_t living = c->n;
		for (uint32_t i = 0; i < c->n; i++) {
			c->alive[i] = true;
			memcpy(row_at(b, c->other, i, 0), b->start.rows.at + layer_draw(&b->start, rng) * b->stride,
			       b->stride * sizeof *c->other);
			c->other_share[(size_t)i * c->window] = 1;
		}
		for (uint32_t k = 0; k + 1 < c->rows && living; k++) {
			grow(b, w, rng, l, c->other, c->other_share, k);
			living = 0;
			for (uint32_t i = 0; i < c->n; i++)
				living += c->alive[i];
		}
		for (uint32_t i = 0; i < c->n && found < c->n; i++) {
			if (!c->alive[i])
				continue;
			copy_line(b, c->lines, c->share, found, c->other, c->other_share, i);
			c->weight[found] = 1;
			for (uint32_t k = 1; k < c->rows; k++)
				c->weight[found] *= c->share[(size_t)found * c->window + k];
			found++;
		}
	}
	return found;
}

/* ---- a turn ---------------------------------------------------------------------------------------- */

/* The window is full: the oldest row goes. */
static void slide(struct belief *b)
{
	struct crowd *c = b->crowd;
	assert(c->rows > 1);
	for (uint32_t i = 0; i < c->n; i++) {
		uint64_t *line = row_at(b, c->lines, i, 0);
		double *share = c->share + (size_t)i * c->window;
		memmove(line, line + b->stride, (size_t)(c->rows - 1) * b->stride * sizeof *line);
		memmove(share, share + 1, (c->rows - 1) * sizeof *share);
	}
	c->rows--;
	c->first++;
}

static void begin_lines(struct belief *b, struct rng *rng)
{
	struct crowd *c = b->crowd;
	for (uint32_t i = 0; i < c->n; i++) {
		memcpy(row_at(b, c->lines, i, 0), b->start.rows.at + layer_draw(&b->start, rng) * b->stride,
		       b->stride * sizeof *c->lines);
		c->share[(size_t)i * c->window] = c->weight[i] = 1;
	}
	c->empty = false;
}

/* Sum of the weights, and how many lines of equal weight they are worth. */
static double weigh(const struct crowd *c, double *worth)
{
	double sum = 0, squares = 0;
	for (uint32_t i = 0; i < c->n; i++) {
		assert(c->weight[i] >= 0);
		sum += c->weight[i];
		squares += c->weight[i] * c->weight[i];
	}
	*worth = squares > 0 ? sum * sum / squares : 0;
	return sum;
}

bool crowd_extend(struct belief *b, struct worker *w, struct rng *rng, const struct limit *l)
{
	struct crowd *c = b->crowd;
	double worth, total;
	bool searched = false;
	if (c->empty && b->observed.n == b->base + 1)
		begin_lines(b, rng);
	if (c->rows == c->window)
		slide(b);
	if (!c->empty) {
		for (uint32_t i = 0; i < c->n; i++)
			c->alive[i] = c->weight[i] > 0;
		grow(b, w, rng, l, c->lines, c->share, c->rows - 1);
	}
	for (uint32_t i = 0; i < c->n; i++)
		c->weight[i] = c->alive[i] && !c->empty ? c->weight[i] * c->share[(size_t)i * c->window + c->rows] : 0;
	c->rows++;
	assert(c->rows <= c->window && c->first + c->rows == b->observed.n + 1);
	total = weigh(c, &worth);
	if (total <= 0) {
		searched = true;
		c->empty = !sow(b, w, rng, l) && !search(b, w, rng, l);
		total = weigh(c, &worth);
	}
	if (!c->empty && (searched || worth < 0.5 * c->n)) {
		resample(b, rng, total);
		stir(b, w, rng, l, searched || worth < 0.1 * c->n ? 6 : 3);
	}
	show(b);
	return !c->empty;
}

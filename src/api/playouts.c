/* Random playouts for others. */
#include "macaw/playouts.h"
#include "api/api_internal.h"
#include "base/stats.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_THREADS = 1024 };

struct macaw_playout_result {
	struct handle handle;
	uint32_t roles;
	size_t starts;
	struct playout_result result;
};

void macaw_playout_result_free(macaw_playout_result *r)
{
	if (!r)
		return;
	if (!r->handle.broken)
		playout_result_free(&r->result);
	handle_close(&r->handle);
	free(r);
}

static macaw_playout_result *give_up(macaw_playout_result *r)
{
	macaw_playout_result_free(r);
	return NULL;
}

/* NULL: the job makes sense. */
static const char *fault_of(const macaw_playout_job *job)
{
	if (!job->playouts && job->limit.seconds <= 0 && !job->limit.stop)
		return "playouts without number, time or a flag that stops them";
	if (job->start_count > 1 && !job->starts)
		return "several starts, but no positions";
	if (job->threads > MOST_THREADS)
		return "more than 1024 threads";
	if (job->shares ? job->share >= job->shares : job->share)
		return "no such share of the work";
	return NULL;
}

static void play(macaw_playout_result *r, struct game *g, const macaw_playout_job *job)
{
	struct playout_job inside = {.starts = job->starts,
	                             .start_count = job->starts ? job->start_count : 0,
	                             .playouts = job->playouts,
	                             .limit = api_limit(job->limit),
	                             .threads = job->threads,
	                             .share = job->share,
	                             .shares = job->shares,
	                             .seed = job->seed,
	                             .max_steps = job->max_steps,
	                             .report = job->report,
	                             .progress = job->progress,
	                             .context = job->context,
	                             .policy = job->decisive ? PLAYOUT_DECISIVE : PLAYOUT_UNIFORM};
	game_playouts(g, &inside, &r->result);
}

macaw_playout_result *macaw_playouts(macaw_game *g, const macaw_playout_job *job, macaw_error *e)
{
	static const macaw_playout_job empty = {0};
	const char *fault = fault_of(job ? job : &empty);
	api_clear(e);
	if (fault) {
		api_fail(e, MACAW_USAGE, "%s", fault);
		return NULL;
	}
	macaw_playout_result *r = calloc(1, sizeof *r);
	if (!r || !handle_open(&r->handle, e)) {
		api_fail(e, MACAW_MEMORY, "out of memory");
		free(r);
		return NULL;
	}
	r->roles = api_game(g)->roles;
	r->starts = job->start_count ? job->start_count : 1;
	GUARD(&r->handle, e, give_up(r), play(r, api_game(g), job));
	return r;
}

const char *macaw_playout_trouble(const macaw_playout_result *r)
{
	return r->result.trouble;
}

/* ---- between processes ---- */

/* Packed: this, then the arrays of a playout_result in the order of each_array(). */
struct packed {
	uint64_t roles, starts, cells;
	uint64_t playouts, unfinished, stuck, undefined, steps, shortest, longest;
	double seconds;
};

static void each_array(struct playout_result *x, const struct packed *p,
                       void (*visit)(void *context, void *array, size_t bytes), void *context)
{
	size_t seats = p->starts * p->roles;
	visit(context, x->sum, seats * sizeof *x->sum);
	visit(context, x->squares, seats * sizeof *x->squares);
	visit(context, x->wins, seats * sizeof *x->wins);
	visit(context, x->counts, p->starts * sizeof *x->counts);
	visit(context, x->values, p->roles * 101 * sizeof *x->values);
	visit(context, x->lengths, p->cells * sizeof *x->lengths);
}

static void write_array(void *context, void *array, size_t bytes)
{
	text_add(context, array, bytes);
}

static void read_array(void *context, void *array, size_t bytes)
{
	const char **at = context;
	memcpy(array, *at, bytes);
	*at += bytes;
}

static void measure_array(void *context, void *array, size_t bytes)
{
	(void)array;
	*(size_t *)context += bytes;
}

static void pack(const macaw_playout_result *r, struct text *out)
{
	struct playout_result x = r->result;
	struct packed p = {r->roles,    r->starts, x.length_cells, x.playouts, x.unfinished, x.stuck,
	                   x.undefined, x.steps,   x.shortest,     x.longest,  x.seconds};
	text_add(out, (const char *)&p, sizeof p);
	each_array(&x, &p, write_array, out);
}

char *macaw_playout_pack(const macaw_playout_result *r, size_t *size)
{
	struct text out = {0};
	GUARD(lasting(&r->handle), NULL, NULL, pack(r, &out));
	*size = out.n;
	return api_give(&out);
}

static void unpack_and_add(macaw_playout_result *r, const struct packed *p, const char *arrays)
{
	struct playout_result *into = &r->result, from = {.playouts = p->playouts,
	                                                  .unfinished = p->unfinished,
	                                                  .stuck = p->stuck,
	                                                  .undefined = p->undefined,
	                                                  .steps = p->steps,
	                                                  .shortest = p->playouts ? (uint32_t)p->shortest : UINT32_MAX,
	                                                  .longest = (uint32_t)p->longest};
	size_t seats = p->starts * p->roles;
	from.sum = NEW_ARRAY(double, seats + 1);
	from.squares = NEW_ARRAY(double, seats + 1);
	from.wins = NEW_ARRAY(uint64_t, seats + 1);
	from.counts = NEW_ARRAY(uint64_t, p->starts + 1);
	from.values = NEW_ARRAY(uint64_t, p->roles * 101 + 1);
	from.lengths = NEW_ARRAY(uint64_t, p->cells + 1);
	each_array(&from, p, read_array, &arrays);
	into->shortest = into->playouts ? into->shortest : from.shortest;
	playout_result_add(into, &from, r->roles, r->starts);
	into->shortest = into->playouts ? into->shortest : 0;
	into->seconds = into->seconds > p->seconds ? into->seconds : p->seconds;
	playout_result_free(&from);
}

bool macaw_playout_add(macaw_playout_result *r, const void *bytes, size_t size)
{
	struct packed p;
	struct playout_result none = {0};
	size_t wanted = sizeof p;
	if (size < sizeof p)
		return false;
	memcpy(&p, bytes, sizeof p);
	if (p.roles != r->roles || p.starts != r->starts || p.cells != r->result.length_cells)
		return false;
	each_array(&none, &p, measure_array, &wanted);
	if (wanted != size)
		return false;
	GUARD(&r->handle, NULL, false, unpack_and_add(r, &p, (const char *)bytes + sizeof p));
	return true;
}

macaw_playout_totals macaw_playout_sum(const macaw_playout_result *r)
{
	const struct playout_result *x = &r->result;
	return (macaw_playout_totals){.playouts = x->playouts,
	                              .unfinished = x->unfinished,
	                              .stuck = x->stuck,
	                              .undefined = x->undefined,
	                              .steps = x->steps,
	                              .shortest = x->shortest,
	                              .longest = x->longest,
	                              .seconds = x->seconds};
}

macaw_score macaw_playout_score(const macaw_playout_result *r, size_t start, uint32_t role)
{
	if (start >= r->starts || role >= r->roles)
		return (macaw_score){.mean = NAN, .deviation = NAN, .low = 0, .high = 100};
	const struct playout_result *x = &r->result;
	size_t i = start * r->roles + role;
	double n = (double)x->counts[start];
	struct interval interval = stats_mean(x->sum[i], x->squares[i], n);
	return (macaw_score){.playouts = x->counts[start],
	                     .mean = n > 0 ? x->sum[i] / n : NAN,
	                     .deviation = sqrt(stats_variance(x->sum[i], x->squares[i], n)),
	                     .low = fmax(0, interval.low),
	                     .high = fmin(100, interval.high),
	                     .wins = x->wins[i]};
}

uint64_t macaw_playout_values(const macaw_playout_result *r, uint32_t role, int value)
{
	return role < r->roles && value >= 0 && value <= 100 ? r->result.values[role * 101 + (uint32_t)value] : 0;
}

const uint64_t *macaw_playout_lengths(const macaw_playout_result *r, size_t *cells)
{
	if (cells)
		*cells = r->result.length_cells;
	return r->result.lengths;
}

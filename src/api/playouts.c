/* Random playouts for others. */
#include "api/api_internal.h"
#include "base/stats.h"
#include "macaw/playouts.h"

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
	return NULL;
}

static void play(macaw_playout_result *r, struct game *g, const macaw_playout_job *job)
{
	struct playout_job inside = {.starts = job->starts,
	                             .start_count = job->starts ? job->start_count : 0,
	                             .playouts = job->playouts,
	                             .limit = api_limit(job->limit),
	                             .threads = job->threads,
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

/* Games of two roles, solved: the public face of src/play/proof/outcome.h. */
#include "macaw/outcome.h"

#include "api/api_internal.h"
#include "play/proof/outcome.h"

#include <stdlib.h>

#define MEMORY ((size_t)512 << 20)
#define LEAST_MEMORY ((size_t)1 << 20)
#define SUM_SECONDS 5 /* for the proof that scores add up to a constant */

struct macaw_outcome {
	struct handle handle;
	macaw_error error;
	struct game *game;
	struct worker *worker;
	struct outcome *inside;
	int sum; /* below 0: not known to be constant */
};

static void free_inside(macaw_outcome *o)
{
	outcome_free(o->inside);
	if (o->worker)
		worker_free(o->worker);
}

void macaw_outcome_free(macaw_outcome *o)
{
	if (!o)
		return;
	if (!o->handle.broken)
		free_inside(o);
	handle_close(&o->handle);
	free(o);
}

static macaw_outcome *give_up(macaw_outcome *o)
{
	macaw_outcome_free(o);
	return NULL;
}

static void make(macaw_outcome *o, int sum, size_t memory, macaw_error *e)
{
	o->worker = worker_new(o->game);
	const char *refusal = outcome_refusal(o->game, o->worker);
	if (refusal)
		api_fail(e, MACAW_INPUT, "it cannot be solved: %s", refusal);
	else
		o->inside = outcome_new(o->game, sum, memory);
}

static bool find_sum(macaw_game *g, int *sum, macaw_error *e)
{
	macaw_game_fragment f;
	bool two = macaw_game_roles(g) == 2;
	*sum = -1;
	if (two && !macaw_game_fragment_of(g, (macaw_limit){.seconds = SUM_SECONDS}, &f, e))
		return false;
	if (two && f.constant_sum == MACAW_PROVED_YES)
		*sum = f.sum;
	return true;
}

macaw_outcome *macaw_outcome_new(macaw_game *g, size_t memory, macaw_error *e)
{
	int sum;
	api_clear(e);
	if (!find_sum(g, &sum, e))
		return NULL;
	macaw_outcome *o = calloc(1, sizeof *o);
	if (!o || !handle_open(&o->handle, e)) {
		api_fail(e, MACAW_MEMORY, "out of memory");
		free(o);
		return NULL;
	}
	o->game = api_game(g);
	o->sum = sum;
	memory = memory ? memory : MEMORY;
	memory = memory > LEAST_MEMORY ? memory : LEAST_MEMORY;
	GUARD(&o->handle, e, give_up(o), make(o, sum, memory, e));
	return o->inside ? o : give_up(o);
}

const macaw_error *macaw_outcome_error(const macaw_outcome *o)
{
	return &o->error;
}

bool macaw_outcome_solve(macaw_outcome *o, const uint64_t *position, macaw_limit limit)
{
	struct limit l = api_limit(limit);
	bool solved = false;
	api_clear(&o->error);
	GUARD(&o->handle, &o->error, false, solved = outcome_run(o->inside, position, &l));
	return solved;
}

bool macaw_outcome_in_vain(const macaw_outcome *o)
{
	return !o->handle.broken && outcome_in_vain(o->inside);
}

macaw_score_bounds macaw_outcome_bounds(macaw_outcome *o, const uint64_t *position, uint32_t role)
{
	macaw_score_bounds unknown = {0, 100};
	struct proof_bounds b = {0, 100};
	api_clear(&o->error);
	if (role >= 2)
		return unknown;
	GUARD(&o->handle, &o->error, unknown, b = outcome_bounds(o->inside, position, role));
	return (macaw_score_bounds){b.low, b.high};
}

bool macaw_outcome_move(macaw_outcome *o, const uint64_t *position, uint32_t role, macaw_limit limit, uint32_t *move)
{
	struct limit l = api_limit(limit);
	bool found = false;
	api_clear(&o->error);
	if (role >= 2) {
		api_fail(&o->error, MACAW_USAGE, "there is no role %u", role);
		return false;
	}
	GUARD(&o->handle, &o->error, false, found = outcome_move(o->inside, position, role, &l, move));
	return found;
}

bool macaw_outcome_constant_sum(const macaw_outcome *o, int *sum)
{
	if (o->sum >= 0)
		*sum = o->sum;
	return o->sum >= 0;
}

uint64_t macaw_outcome_positions(const macaw_outcome *o)
{
	return o->handle.broken ? 0 : outcome_positions(o->inside);
}

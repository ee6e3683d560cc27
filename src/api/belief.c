/* Beliefs for others. */
#include "macaw/belief.h"
#include "api/api_internal.h"
#include "play/hidden/belief.h"

#include <stdlib.h>

struct macaw_belief {
	struct handle handle;
	macaw_error error;
	macaw_game *game;
	struct belief *belief;
	struct worker *worker;
	struct rng rng;
	uint32_t role, step;
};

static void make(macaw_belief *b)
{
	b->worker = worker_new(api_game(b->game));
	b->belief = belief_new(api_game(b->game), b->role, &(struct belief_options){0});
	belief_observe(b->belief, b->worker, &b->rng, &(struct turn){.own_last = GAME_NONE}, NULL);
}

void macaw_belief_free(macaw_belief *b)
{
	if (!b)
		return;
	if (!b->handle.broken) {
		belief_free(b->belief);
		worker_free(b->worker);
	}
	handle_close(&b->handle);
	free(b);
}

static macaw_belief *give_up(macaw_belief *b)
{
	macaw_belief_free(b);
	return NULL;
}

macaw_belief *macaw_belief_new(macaw_game *g, uint32_t role, uint64_t seed, macaw_error *e)
{
	api_clear(e);
	if (role >= macaw_game_roles(g) || role == macaw_game_random(g)) {
		api_fail(e, MACAW_USAGE, "there is no role %u for a belief", role);
		return NULL;
	}
	macaw_belief *b = calloc(1, sizeof *b);
	if (!b || !handle_open(&b->handle, e)) {
		api_fail(e, MACAW_MEMORY, "out of memory");
		free(b);
		return NULL;
	}
	b->game = g;
	b->role = role;
	b->rng = rng_seed(seed);
	GUARD(&b->handle, e, give_up(b), make(b));
	return b;
}

const macaw_error *macaw_belief_error(const macaw_belief *b)
{
	return &b->error;
}

bool macaw_belief_observe(macaw_belief *b, uint32_t own_move, const uint32_t *percepts, size_t percept_count,
                          const uint32_t *legal, size_t legal_count, macaw_limit limit)
{
	static const uint32_t nothing;
	bool left = false;
	struct limit l = api_limit(limit);
	struct turn t = {.step = b->step + 1,
	                 .legal = legal_count ? legal : &nothing,
	                 .legal_count = (uint32_t)legal_count,
	                 .own_last = own_move,
	                 .seen = percept_count ? percepts : &nothing,
	                 .seen_count = (uint32_t)percept_count};
	api_clear(&b->error);
	GUARD(&b->handle, &b->error, false, left = belief_observe(b->belief, b->worker, &b->rng, &t, &l));
	b->step++;
	if (!left)
		api_fail(&b->error, MACAW_INPUT, "no position was found that agrees with everything seen so far");
	return left;
}

size_t macaw_belief_count(const macaw_belief *b)
{
	return b->handle.broken ? 0 : belief_count(b->belief);
}

bool macaw_belief_exact(const macaw_belief *b)
{
	return !b->handle.broken && belief_exact(b->belief);
}

const uint64_t *macaw_belief_position(const macaw_belief *b, size_t i)
{
	return i < macaw_belief_count(b) ? belief_state(b->belief, i) : NULL;
}

double macaw_belief_weight(const macaw_belief *b, size_t i)
{
	return i < macaw_belief_count(b) ? belief_weight(b->belief, i) : 0;
}

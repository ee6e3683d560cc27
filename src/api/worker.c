/* Questions about positions for others: one by one, or many in one pass. */
#include "macaw/worker.h"
#include "api/api_internal.h"
#include "base/rng.h"

#include <stdlib.h>

_Static_assert(MACAW_NO_GOAL == GOAL_NONE, "goals are handed on as they are");
_Static_assert(MACAW_NONE == GAME_NONE, "numbers are handed on as they are");

struct macaw_worker {
	struct handle handle;
	macaw_game *game;
	struct worker *worker;
	macaw_limit limit;
	macaw_error error;
};

void macaw_worker_free(macaw_worker *w)
{
	if (!w)
		return;
	if (!w->handle.broken)
		worker_free(w->worker);
	handle_close(&w->handle);
	free(w);
}

static macaw_worker *give_up(macaw_worker *w)
{
	macaw_worker_free(w);
	return NULL;
}

macaw_worker *macaw_worker_new(macaw_game *g, macaw_error *e)
{
	macaw_worker *w = calloc(1, sizeof *w);
	if (!w || !handle_open(&w->handle, e)) {
		api_fail(e, MACAW_MEMORY, "out of memory");
		free(w);
		return NULL;
	}
	w->game = g;
	GUARD(&w->handle, e, give_up(w), w->worker = worker_new(api_game(g)));
	return w;
}

macaw_game *macaw_worker_game(const macaw_worker *w)
{
	return w->game;
}

const macaw_error *macaw_worker_error(const macaw_worker *w)
{
	return &w->error;
}

void macaw_worker_limit(macaw_worker *w, macaw_limit limit)
{
	w->limit = limit;
	worker_limit(w->worker, api_limit(limit));
}

/* Every question has the time of the limit for itself. */
static void begin(macaw_worker *w)
{
	if (w->limit.seconds > 0)
		worker_limit(w->worker, api_limit(w->limit));
}

static bool end(macaw_worker *w)
{
	const char *trouble = worker_trouble(w->worker);
	if (trouble)
		api_fail(&w->error, MACAW_INPUT, "%s", trouble);
	return !trouble;
}

/* ---- one position ---- */

static void look(macaw_worker *w, const uint64_t *position, macaw_view *view)
{
	begin(w);
	struct view v = game_look(w->worker, position);
	*view = (macaw_view){.terminal = v.terminal, .legal = v.legal, .start = v.start, .goals = v.goals};
}

bool macaw_look(macaw_worker *w, const uint64_t *position, macaw_view *view)
{
	GUARD(&w->handle, &w->error, false, look(w, position, view));
	return end(w);
}

static void next_of(macaw_worker *w, const uint64_t *position, const uint32_t *moves, uint64_t *next)
{
	begin(w);
	game_next(w->worker, position, moves, next);
}

bool macaw_next(macaw_worker *w, const uint64_t *position, const uint32_t *moves, uint64_t *next)
{
	GUARD(&w->handle, &w->error, false, next_of(w, position, moves, next));
	return end(w);
}

static void sees(macaw_worker *w, const uint64_t *position, const uint32_t *moves, macaw_seen *seen)
{
	begin(w);
	struct percepts p = game_sees(w->worker, position, moves);
	*seen = (macaw_seen){.percepts = p.seen, .start = p.start};
}

bool macaw_sees(macaw_worker *w, const uint64_t *position, const uint32_t *moves, macaw_seen *seen)
{
	GUARD(&w->handle, &w->error, false, sees(w, position, moves, seen));
	return end(w);
}

bool macaw_random_moves(const macaw_game *g, const macaw_view *view, uint64_t *seed, uint32_t *moves)
{
	struct rng rng = rng_seed(rng_split(seed));
	struct view v = {.legal = view->legal, .start = view->start};
	return game_random_move(api_game(g), &v, &rng, moves);
}

/* ---- many positions ---- */

size_t macaw_legal_words(const macaw_game *g)
{
	return game_legal_words(api_game(g));
}

static void look_many(macaw_worker *w, const macaw_batch *b)
{
	struct expansion e = {.states = b->positions,
	                      .moves = b->moves,
	                      .count = b->count,
	                      .next = b->next,
	                      .terminal = b->terminal,
	                      .goals = b->goals,
	                      .legal = b->legal,
	                      .seen = b->seen};
	begin(w);
	game_expand(w->worker, &e);
}

bool macaw_look_many(macaw_worker *w, const macaw_batch *b)
{
	if (!b->moves && (b->next || b->seen)) {
		api_fail(&w->error, MACAW_USAGE, "successors and percepts need moves");
		return false;
	}
	GUARD(&w->handle, &w->error, false, look_many(w, b));
	return end(w);
}

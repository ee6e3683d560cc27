/* Games of one role, solved: the public face of src/puzzle. */
#include "macaw/puzzle.h"
#include "api/api_internal.h"
#include "puzzle/puzzle.h"

#include <stdlib.h>

#define X(id, name) \
	_Static_assert((int)MACAW_PUZZLE_##id == (int)PUZZLE_##id, "the public numbers are those of puzzle.h");
PUZZLE_METHODS(X)
#undef X

#define X(id, name) name,
static const char *const names[] = {PUZZLE_METHODS(X)};
#undef X

const char *macaw_puzzle_method_name(enum macaw_puzzle_method m)
{
	return (size_t)m < sizeof names / sizeof *names ? names[m] : NULL;
}

struct plan_handle {
	macaw_plan outside; /* first: this is what the caller holds */
	struct handle handle;
	struct puzzle_result inside;
};

static void show(struct plan_handle *h)
{
	const struct puzzle_result *r = &h->inside;
	h->outside = (macaw_plan){.best = r->best,
	                          .bound = r->bound,
	                          .proved = r->proved,
	                          .moves = r->plan.at,
	                          .steps = r->plan.n,
	                          .states = r->states,
	                          .expanded = r->expanded,
	                          .depth = r->depth,
	                          .seconds = r->seconds,
	                          .why = r->why,
	                          .by = r->by,
	                          .bound_by = r->bound_by};
}

macaw_plan *macaw_puzzle_solve(macaw_game *g, const macaw_puzzle_options *o, macaw_error *e)
{
	static const macaw_puzzle_options defaults;
	struct plan_handle *h;
	bool ok;
	o = o ? o : &defaults;
	api_clear(e);
	if (!macaw_puzzle_method_name(o->method)) {
		api_fail(e, MACAW_USAGE, "there is no method with this number");
		return NULL;
	}
	h = calloc(1, sizeof *h);
	if (!h || !handle_open(&h->handle, e)) {
		free(h);
		api_fail(e, MACAW_MEMORY, "out of memory");
		return NULL;
	}
	struct progress progress = progress_to("solving", o->progress, o->context);
	struct puzzle_options inside = {.limit = api_limit(o->limit),
	                                .memory = o->memory,
	                                .method = (enum puzzle_method)o->method,
	                                .progress = &progress};
	GUARD(&h->handle, e, (macaw_plan_free(&h->outside), NULL), ok = puzzle_solve(api_game(g), &inside, &h->inside));
	if (ok) {
		show(h);
		return &h->outside;
	}
	api_fail(e, MACAW_INPUT, "only games of one role with a circuit can be solved");
	macaw_plan_free(&h->outside);
	return NULL;
}

void macaw_plan_free(macaw_plan *p)
{
	struct plan_handle *h = (struct plan_handle *)p;
	if (!h)
		return;
	if (!h->handle.broken)
		puzzle_free(&h->inside);
	handle_close(&h->handle);
	free(h);
}

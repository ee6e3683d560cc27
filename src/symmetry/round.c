/* The network of the rounds from a state on, its graph and its group. */
#include "symmetry/round.h"

#include "base/bits.h"
#include "base/hash.h"
#include "symmetry/elements.h"
#include "symmetry/future.h"
#include "symmetry/symmetry_internal.h"

#include <string.h>

#define CHECKED_MOVES 4 /* joint moves of the state that a generator is tried on */

struct rounds {
	struct game *game;
	struct circuit base;
	struct future future;
	uint8_t *fluents, *moves; /* by the last look */
};

struct rounds *rounds_new(struct game *g, size_t max_edges, const struct limit *limit)
{
	struct circuit base;
	if (g->engine != ENGINE_CIRCUIT || !symmetry_graph_circuit(g, max_edges ? max_edges : SYMMETRY_EDGES, limit, &base))
		return NULL;
	struct rounds *x = NEW(struct rounds);
	x->game = g;
	x->base = base;
	future_begin(&x->future, &x->base);
	x->fluents = NEW_ARRAY(uint8_t, g->fluents + 1);
	x->moves = NEW_ARRAY(uint8_t, g->moves + 1);
	return x;
}

void rounds_free(struct rounds *x)
{
	if (!x)
		return;
	future_free(&x->future);
	circuit_free(&x->base);
	mem_free(x->fluents);
	mem_free(x->moves);
	mem_free(x);
}

struct round_future rounds_future(struct rounds *x, const uint64_t *state)
{
	const struct game *g = x->game;
	struct round_future f = {.hash = 1};
	future_look(&x->future, state, x->fluents, x->moves);
	for (uint32_t i = 0; i < g->fluents; i++) {
		f.fluents += x->fluents[i] == OPEN;
		f.hash = hash_join(f.hash, x->fluents[i]);
	}
	for (uint32_t i = 0; i < g->moves; i++) {
		f.moves += x->moves[i] == OPEN;
		f.hash = hash_join(f.hash, x->moves[i]);
	}
	return f;
}

/* What is certain stays in a state that stands for others: the rules ask for it. */
static void keep_certain(struct symmetry *s, const struct rounds *x)
{
	memcpy(s->matters, s->graph->matters, s->game->words * sizeof *s->matters);
	for (uint32_t i = 0; i < s->game->fluents; i++)
		if (x->fluents[i] != OPEN)
			bits_add(s->matters, i);
}

static void take_generators(struct symmetry *s, struct worker *w, const struct automorphisms *a)
{
	for (size_t i = 0; i < a->count; i++) {
		const uint32_t *image = a->images.at + i * s->points;
		if (!symmetry_check(s, w, image, s->home, CHECKED_MOVES, i)) {
			s->refuted++;
			continue;
		}
		vec_extend(&s->images, s->points);
		memcpy(s->images.at + s->generators++ * s->points, image, s->points * sizeof *image);
	}
	s->mantissa = a->mantissa;
	s->exponent = a->exponent;
}

static const char *look(struct symmetry *s, struct rounds *x, struct worker *w, const struct round_options *o)
{
	struct automorphisms a;
	size_t max_edges = o->max_edges ? o->max_edges : SYMMETRY_EDGES;
	rounds_future(x, s->home);
	s->graph = symmetry_graph_rounds(x->game, &x->base, x->fluents, x->moves, max_edges, &o->limit);
	if (!s->graph)
		return limit_reached(&o->limit) ? "out of time" : "the round is too large";
	s->vertices = (uint32_t)s->graph->graph.colour.n;
	s->edges = s->graph->graph.ends.n / 2;
	keep_certain(s, x);
	if (limit_reached(&o->limit) ||
	    !symmetry_graph_stabiliser(s, s->home, o->nogoods, o->nogood_count, true, &o->limit, &a))
		return "out of time";
	take_generators(s, w, &a);
	automorphisms_free(&a);
	return NULL;
}

struct symmetry *round_skipped(struct game *g, const struct limit *limit)
{
	struct symmetry *s = symmetry_trivial_new(g, g->initial);
	s->skipped = g->engine != ENGINE_CIRCUIT ? "the rules do not ground"
	             : limit_reached(limit)      ? "out of time"
	                                         : "the program is too large";
	return s;
}

struct symmetry *round_symmetry(struct rounds *x, struct worker *w, const uint64_t *state,
                                const struct round_options *o)
{
	double began = clock_now(), worked = clock_thread();
	struct symmetry *s = symmetry_trivial_new(x->game, NULL);
	s->own_home = mem_alloc(x->game->words + 1, sizeof *state);
	memcpy(s->own_home, state, x->game->words * sizeof *state);
	s->home = s->own_home;
	s->skipped = look(s, x, w, o);
	if (o->elements) {
		symmetry_elements_write(s, s->images.at, s->generators, &o->limit);
		symmetry_elements_places(s);
	}
	s->seconds = clock_now() - began;
	s->processor = clock_thread() - worked;
	return s;
}

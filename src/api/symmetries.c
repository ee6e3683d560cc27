/* Symmetries of games: the public face of src/symmetry. */
#include "macaw/symmetries.h"
#include "api/api_internal.h"
#include "graph/automorphism.h"
#include "symmetry/round.h"

#include <stdlib.h>

_Static_assert((int)MACAW_KEEP_START == (int)SYMMETRY_HOME && (int)MACAW_KEEP_ROLES == (int)SYMMETRY_STEADY &&
                   (int)MACAW_ANY_SYMMETRY == (int)SYMMETRY_ANY,
               "the public numbers are those of symmetry.h");

struct macaw_symmetries {
	struct handle handle;
	struct symmetry *s;
	struct round_future open; /* of a round */
};

static macaw_symmetries *new_symmetries(macaw_error *e)
{
	macaw_symmetries *s = calloc(1, sizeof *s);
	if (s && handle_open(&s->handle, e))
		return s;
	free(s);
	api_fail(e, MACAW_MEMORY, "out of memory");
	return NULL;
}

macaw_symmetries *macaw_symmetries_find(macaw_game *g, macaw_limit limit, macaw_error *e)
{
	macaw_symmetries *s = new_symmetries(e);
	struct symmetry_options o = {.limit = api_limit(limit)};
	if (!s)
		return NULL;
	GUARD(&s->handle, e, (macaw_symmetries_free(s), NULL), s->s = symmetry_find(api_game(g), &o));
	return s;
}

static void find_round(macaw_symmetries *s, struct game *g, const uint64_t *p, const struct limit *limit)
{
	struct rounds *rounds = rounds_new(g, 0, limit);
	struct worker *w = worker_new(g);
	if (rounds)
		s->open = rounds_future(rounds, p);
	s->s = rounds ? round_symmetry(rounds, w, p, &(struct round_options){.limit = *limit}) : round_skipped(g, limit);
	worker_free(w);
	rounds_free(rounds);
}

macaw_symmetries *macaw_symmetries_round(macaw_game *g, const uint64_t *p, macaw_limit limit, macaw_error *e)
{
	macaw_symmetries *s = new_symmetries(e);
	struct limit inside = api_limit(limit);
	if (!s)
		return NULL;
	GUARD(&s->handle, e, (macaw_symmetries_free(s), NULL), find_round(s, api_game(g), p, &inside));
	return s;
}

void macaw_symmetries_free(macaw_symmetries *s)
{
	if (!s)
		return;
	if (!s->handle.broken)
		symmetry_free(s->s);
	handle_close(&s->handle);
	free(s);
}

const char *macaw_symmetries_skipped(const macaw_symmetries *s)
{
	return s->s->skipped;
}

macaw_points macaw_symmetries_points(const macaw_symmetries *s)
{
	return (macaw_points){s->s->first_move, s->s->first_role, s->s->first_percept, s->s->points};
}

void macaw_symmetries_order(const macaw_symmetries *s, double *mantissa, int *exponent)
{
	*mantissa = s->s->mantissa;
	*exponent = s->s->exponent;
}

char *macaw_symmetries_order_text(double mantissa, int exponent)
{
	struct handle h = {0};
	struct text t = {0};
	if (!handle_open(&h, NULL))
		return NULL;
	GUARD(&h, NULL, (handle_close(&h), NULL), automorphisms_print_order(&t, mantissa, exponent));
	char *out = api_give(&t);
	handle_close(&h);
	return out;
}

size_t macaw_symmetries_generators(const macaw_symmetries *s)
{
	return s->s->generators;
}

const uint32_t *macaw_symmetries_generator(const macaw_symmetries *s, size_t i)
{
	return i < s->s->generators ? symmetry_generator(s->s, i) : NULL;
}

size_t macaw_symmetries_sampled(const macaw_symmetries *s)
{
	return s->s->tested;
}

size_t macaw_symmetries_refuted(const macaw_symmetries *s)
{
	return s->s->refuted;
}

macaw_symmetries_stats macaw_symmetries_statistics(const macaw_symmetries *s)
{
	return (macaw_symmetries_stats){s->s->vertices,  s->s->edges,     s->s->seconds,
	                                s->s->processor, s->open.fluents, s->open.moves};
}

size_t macaw_symmetries_elements(const macaw_symmetries *s, enum macaw_scope scope)
{
	return (unsigned)scope < SYMMETRY_SCOPES ? s->s->scope[scope] : 0;
}

bool macaw_symmetries_all(const macaw_symmetries *s)
{
	return s->s->all;
}

void macaw_symmetries_apply(const macaw_symmetries *s, const uint32_t *image, const uint64_t *p, uint64_t *to)
{
	symmetry_apply(s->s, image, p, to);
}

const uint32_t *macaw_symmetries_canonical(const macaw_symmetries *s, const uint64_t *p, enum macaw_scope scope,
                                           uint64_t *to)
{
	return (unsigned)scope < SYMMETRY_SCOPES ? symmetry_canonical(s->s, p, (enum symmetry_scope)scope, to) : NULL;
}

/* Questions need memory of their own for a moment: not that of the symmetries, which other threads may use. */
bool macaw_symmetries_moves(const macaw_symmetries *s, const uint64_t *p, uint32_t *orbit)
{
	struct handle h = {0};
	if (!handle_open(&h, NULL))
		return false;
	GUARD(&h, NULL, (handle_close(&h), false), symmetry_move_orbits(s->s, p, orbit));
	handle_close(&h);
	return true;
}

struct stabiliser_handle {
	macaw_stabiliser outside; /* first: this is what the caller holds */
	struct handle handle;
	struct symmetry_group inside;
};

macaw_stabiliser *macaw_symmetries_stabiliser(const macaw_symmetries *s, const uint64_t *p, macaw_limit limit,
                                              macaw_error *e)
{
	struct stabiliser_handle *h = calloc(1, sizeof *h);
	struct limit l = api_limit(limit);
	bool known;
	if (!h || !handle_open(&h->handle, e)) {
		free(h);
		api_fail(e, MACAW_MEMORY, "out of memory");
		return NULL;
	}
	GUARD(&h->handle, e, (macaw_stabiliser_free(&h->outside), NULL),
	      known = !s->s->skipped && symmetry_stabiliser(s->s, p, NULL, 0, &l, &h->inside));
	h->outside = (macaw_stabiliser){h->inside.generators, h->inside.images.at, h->inside.mantissa, h->inside.exponent};
	if (known)
		return &h->outside;
	api_fail(e, MACAW_INPUT, "%s", s->s->skipped ? s->s->skipped : "out of time");
	macaw_stabiliser_free(&h->outside);
	return NULL;
}

void macaw_stabiliser_free(macaw_stabiliser *group)
{
	struct stabiliser_handle *h = (struct stabiliser_handle *)group;
	if (!h)
		return;
	if (!h->handle.broken)
		symmetry_group_free(&h->inside);
	handle_close(&h->handle);
	free(h);
}

void macaw_symmetries_orbits(const macaw_symmetries *s, const macaw_stabiliser *group, uint32_t *orbit)
{
	const struct symmetry *y = s->s;
	symmetry_orbits(y->points, group ? group->images : y->images.at, group ? group->generators : y->generators, orbit);
}

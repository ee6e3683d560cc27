/* The symmetries of a game: automorphisms of its graph, their group, stabilisers and orbits. */
#include "symmetry/symmetry.h"

#include "analysis/sample_states.h"
#include "base/bits.h"
#include "base/rng.h"
#include "game/rules_view.h"
#include "symmetry/elements.h"
#include "symmetry/symmetry_internal.h"

#include <math.h>
#include <string.h>

/* ---- permutations of states ---------------------------------------------------------- */

void symmetry_apply(const struct symmetry *s, const uint32_t *image, const uint64_t *state, uint64_t *to)
{
	memset(to, 0, s->game->words * sizeof *to);
	for (uint32_t w = 0; w < s->game->words; w++)
		for (uint64_t x = state[w]; x; x &= x - 1)
			bits_add(to, image[w * 64 + (uint32_t)__builtin_ctzll(x)]);
}

bool symmetry_same(const struct symmetry *s, const uint64_t *a, const uint64_t *b)
{
	for (uint32_t w = 0; w < s->game->words; w++)
		if ((a[w] ^ b[w]) & s->matters[w])
			return false;
	return true;
}

/* ---- trying them on states -------------------------------------------------------------- */

#define LEAST_CHECKS 4
#define CHECK_SECONDS 0.25

bool symmetry_try(const struct symmetry *s, uint32_t *images, size_t *count, uint32_t checks, const struct limit *limit)
{
	struct game *g = s->game;
	struct worker *w = worker_new(g);
	struct rng rng = rng_seed(1);
	uint64_t *state = mem_alloc(g->words + 1, sizeof *state);
	uint32_t *moves = mem_alloc(g->roles + 1, sizeof *moves);
	bool *bad = NEW_ARRAY(bool, *count + 1);
	memcpy(state, s->home, g->words * sizeof *state);
	double began = clock_now();
	uint32_t t = 0;
	bool late = false;
	for (; t < checks && !late; t++) {
		if (t >= LEAST_CHECKS && clock_now() - began > CHECK_SECONDS)
			break;
		for (size_t i = 0; i < *count && !(late = limit_reached(limit)); i++)
			if (!bad[i])
				bad[i] = !symmetry_check(s, w, images + i * s->points, state, 4, t);
		struct view v = game_look(w, state);
		if (v.terminal || !game_random_move(g, &v, &rng, moves))
			memcpy(state, s->home, g->words * sizeof *state);
		else
			game_next(w, state, moves, state);
	}
	size_t kept = 0;
	for (size_t i = 0; i < *count; i++)
		if (!bad[i])
			memmove(images + kept++ * s->points, images + i * s->points, s->points * sizeof *images);
	*count = kept;
	mem_free(state);
	mem_free(moves);
	mem_free(bad);
	worker_free(w);
	return !late || t >= 2;
}

/* ---- orbits ---------------------------------------------------------------------------- */

static uint32_t root(uint32_t *up, uint32_t p)
{
	while (up[p] != p)
		p = up[p] = up[up[p]];
	return p;
}

static void join_points(uint32_t *up, const uint32_t *image, uint32_t from, uint32_t to)
{
	for (uint32_t p = from; p < to; p++) {
		uint32_t a = root(up, p - from), b = root(up, image[p] - from);
		if (a < b)
			up[b] = a;
		else
			up[a] = b;
	}
}

void symmetry_orbits(uint32_t points, const uint32_t *images, size_t generators, uint32_t *orbit)
{
	for (uint32_t p = 0; p < points; p++)
		orbit[p] = p;
	for (size_t i = 0; i < generators; i++)
		join_points(orbit, images + i * points, 0, points);
	for (uint32_t p = 0; p < points; p++)
		orbit[p] = root(orbit, p);
}

void symmetry_move_orbits(const struct symmetry *s, const uint64_t *state, uint32_t *orbit)
{
	uint32_t moves = s->game->moves, words = s->game->words;
	uint64_t *image = mem_alloc(words + 1, sizeof *image);
	for (uint32_t m = 0; m < moves; m++)
		orbit[m] = m;
	for (size_t i = 1; i < s->element_count; i++) {
		const uint32_t *e = s->elements.at + i * s->points;
		symmetry_apply(s, e, state, image);
		if (symmetry_same(s, image, state))
			join_points(orbit, e, s->first_move, s->first_move + moves);
	}
	for (uint32_t m = 0; m < moves; m++)
		orbit[m] = root(orbit, m);
	mem_free(image);
}

/* ---- candidates ----------------------------------------------------------------------- */

/* The loose group must be small: permutations that move few things, of which such groups
 * have many, hardly show in random states even where they are wrong. */
#define CANDIDATES 64
#define LOOSE_EDGES ((size_t)1 << 19)

#define WITH_MOVES 32 /* states in which moves are tried too: what the graph says of these is certain */

static bool holds_everywhere(const struct symmetry *s, struct worker *w, const uint32_t *image,
                             const struct sample_states *states, const struct limit *limit)
{
	for (size_t i = 0; i < states->count; i++)
		if (limit_reached(limit) ||
		    !symmetry_check(s, w, image, states->at.at + i * s->game->words, i < WITH_MOVES ? 2 : 0, i))
			return false;
	return true;
}

/* Takes on what the loose graph has more and no state refutes. */
static void try_candidates(struct symmetry *s, const struct limit *limit)
{
	struct symmetry_graph *loose =
		s->edges <= LOOSE_EDGES ? symmetry_graph_make(s->game, LOOSE_EDGES, true, limit) : NULL;
	struct automorphisms a;
	struct closure c = {0};
	if (!loose)
		return;
	bool same = !memcmp(loose->matters, s->matters, s->game->words * sizeof *s->matters);
	bool ok = same && automorphisms_find(&a, &loose->graph, s->points, AUTOMORPHISM_FEW, limit);
	symmetry_graph_free(loose);
	if (!ok)
		return;
	size_t *all = NEW_ARRAY(size_t, a.count + 1);
	for (size_t i = 0; i < a.count; i++)
		all[i] = i;
	size_t count = closure_make(&c, a.images.at, s->points, all, a.count, CANDIDATES, limit) ? c.count : 0;
	struct worker *w = worker_new(s->game);
	struct sample_states states = {0};
	if (count > s->element_count && !sample_states_make(&states, s->game, limit))
		count = 0;
	for (size_t i = 0; i < count && s->all && !limit_reached(limit); i++) {
		const uint32_t *e = c.at.at + i * s->points;
		if (symmetry_elements_has(s, e) || !holds_everywhere(s, w, e, &states, limit))
			continue;
		vec_extend(&s->images, s->points);
		memcpy(s->images.at + s->generators++ * s->points, e, s->points * sizeof *e);
		s->tested++;
		symmetry_elements_write(s, s->images.at, s->generators, NULL);
	}
	vec_free(&states.at);
	worker_free(w);
	mem_free(all);
	closure_free(&c);
	automorphisms_free(&a);
}

/* ---- stabilisers ------------------------------------------------------------------------ */

static bool is_nogood(const uint32_t *nogoods, size_t count, uint32_t roles, const uint32_t *joint)
{
	for (size_t i = 0; i < count; i++)
		if (!memcmp(nogoods + i * roles, joint, roles * sizeof *joint))
			return true;
	return false;
}

static bool keeps_nogoods(const struct symmetry *s, const uint32_t *e, const uint32_t *nogoods, size_t count,
                          uint32_t *joint)
{
	uint32_t roles = s->game->roles;
	for (size_t i = 0; i < count; i++) {
		for (uint32_t r = 0; r < roles; r++)
			joint[e[s->first_role + r] - s->first_role] = e[s->first_move + nogoods[i * roles + r]] - s->first_move;
		if (!is_nogood(nogoods, count, roles, joint))
			return false;
	}
	return true;
}

/* By looking at all elements; all but the identity are the generators. */
static void stabiliser_by_elements(const struct symmetry *s, const uint64_t *state, const uint32_t *nogoods,
                                   size_t count, struct symmetry_group *group)
{
	uint64_t *image = mem_alloc(s->game->words + 1, sizeof *image);
	uint32_t *joint = mem_alloc(s->game->roles, sizeof *joint);
	for (size_t i = 1; i < s->element_count; i++) {
		const uint32_t *e = s->elements.at + i * s->points;
		symmetry_apply(s, e, state, image);
		if (!symmetry_same(s, image, state) || !keeps_nogoods(s, e, nogoods, count, joint))
			continue;
		vec_extend(&group->images, s->points);
		memcpy(group->images.at + group->generators++ * s->points, e, s->points * sizeof *e);
	}
	group->mantissa = (double)group->generators + 1;
	mem_free(image);
	mem_free(joint);
}

bool symmetry_graph_stabiliser(const struct symmetry *s, const uint64_t *state, const uint32_t *nogoods, size_t count,
                               bool steady, const struct limit *limit, struct automorphisms *a)
{
	const struct coloured_graph *from = &s->graph->graph;
	struct coloured_graph g = {0};
	uint32_t colours = s->graph->colours, roles = s->game->roles;
	vec_extend(&g.colour, from->colour.n);
	memcpy(g.colour.at, from->colour.at, from->colour.n * sizeof *g.colour.at);
	if (from->ends.n) {
		vec_extend(&g.ends, from->ends.n);
		memcpy(g.ends.at, from->ends.at, from->ends.n * sizeof *g.ends.at);
	}
	BITS_EACH (f, state, s->game->fluents)
		if (bits_has(s->graph->matters, f))
			g.colour.at[f] = colours;
	for (uint32_t r = 0; r < roles && steady; r++)
		g.colour.at[s->first_role + r] = colours + 2 + r;
	for (size_t i = 0; i < count; i++) {
		uint32_t v = graph_vertex(&g, colours + 1);
		for (uint32_t r = 0; r < roles; r++)
			graph_edge(&g, v, s->first_move + nogoods[i * roles + r]);
	}
	bool ok = automorphisms_on(a, &g, s->points, limit);
	coloured_graph_free(&g);
	return ok;
}

bool symmetry_stabiliser(const struct symmetry *s, const uint64_t *state, const uint32_t *nogoods, size_t count,
                         const struct limit *limit, struct symmetry_group *group)
{
	struct automorphisms a;
	*group = (struct symmetry_group){.mantissa = 1};
	if (!s->graph || symmetry_trivial(s))
		return s->graph != NULL;
	if (s->all) {
		stabiliser_by_elements(s, state, nogoods, count, group);
		return true;
	}
	if (!symmetry_graph_stabiliser(s, state, nogoods, count, false, limit, &a))
		return false;
	group->generators = a.count;
	group->mantissa = a.mantissa;
	group->exponent = a.exponent;
	if (a.count) {
		vec_extend(&group->images, a.images.n);
		memcpy(group->images.at, a.images.at, a.images.n * sizeof *a.images.at);
	}
	automorphisms_free(&a);
	return true;
}

void symmetry_group_free(struct symmetry_group *group)
{
	vec_free(&group->images);
}

/* ---- all -------------------------------------------------------------------------------- */

#define LITERALS_PER_SECOND 5e5 /* of the ground program, at least */

static const char *detect(struct symmetry *s, const struct symmetry_options *o)
{
	struct automorphisms a;
	if (s->game->engine != ENGINE_CIRCUIT)
		return "the rules do not ground";
	/* building the graph does not look at the clock */
	if ((double)game_rules_view(s->game)->ground->body.n > LITERALS_PER_SECOND * limit_left(&o->limit))
		return "there is no time for a program of that size";
	s->graph = symmetry_graph_make(s->game, o->max_edges ? o->max_edges : SYMMETRY_EDGES, false, &o->limit);
	if (!s->graph)
		return limit_reached(&o->limit) ? "out of time" : "the ground program is too large";
	s->vertices = (uint32_t)s->graph->graph.colour.n;
	s->edges = s->graph->graph.ends.n / 2;
	memcpy(s->matters, s->graph->matters, s->game->words * sizeof *s->matters);
	if (limit_reached(&o->limit) || !automorphisms_on(&a, &s->graph->graph, s->points, &o->limit))
		return "out of time";
	s->generators = a.count;
	s->mantissa = a.mantissa;
	s->exponent = a.exponent;
	size_t found = a.count;
	if (found) {
		vec_extend(&s->images, a.images.n);
		memcpy(s->images.at, a.images.at, a.images.n * sizeof *a.images.at);
	}
	automorphisms_free(&a);
	if (!symmetry_try(s, s->images.at, &s->generators, o->checks ? o->checks : SYMMETRY_CHECKS, &o->limit))
		return "out of time";
	s->refuted = found - s->generators;
	return NULL;
}

static bool moves_fluents(const struct symmetry *s, const uint32_t *image)
{
	for (uint32_t f = 0; f < s->first_move; f++)
		if (image[f] != f)
			return true;
	return false;
}

void symmetry_write(struct symmetry *s, const struct limit *limit)
{
	struct automorphisms a = {0};
	bool large = s->generators && s->mantissa * pow(10, s->exponent) > (double)symmetry_elements_room(s);
	if (large && symmetry_graph_stabiliser(s, s->home, NULL, 0, true, limit, &a)) {
		size_t kept = 0;
		for (size_t i = 0; i < a.count; i++)
			if (moves_fluents(s, a.images.at + i * s->points))
				memmove(a.images.at + kept++ * s->points, a.images.at + i * s->points, s->points * sizeof *a.images.at);
		a.count = kept && symmetry_try(s, a.images.at, &kept, LEAST_CHECKS, limit) ? kept : 0;
	}
	size_t words = a.count * s->points;
	VEC(uint32_t) images = {0};
	vec_extend(&images, words + s->generators * s->points);
	if (words)
		memcpy(images.at, a.images.at, words * sizeof *images.at);
	if (s->generators)
		memcpy(images.at + words, s->images.at, s->generators * s->points * sizeof *images.at);
	symmetry_elements_write(s, images.at, a.count + s->generators, limit);
	vec_free(&images);
	automorphisms_free(&a);
}

struct symmetry *symmetry_trivial_new(struct game *g, const uint64_t *home)
{
	struct symmetry *s = NEW(struct symmetry);
	s->game = g;
	s->home = home;
	s->mantissa = 1;
	s->first_move = g->fluents;
	s->first_role = g->fluents + g->moves;
	s->first_percept = s->first_role + g->roles;
	s->points = s->first_percept + g->percepts;
	s->matters = mem_alloc(g->words + 1, sizeof *s->matters);
	memset(s->matters, 0xff, g->words * sizeof *s->matters);
	return s;
}

struct symmetry *symmetry_find(struct game *g, const struct symmetry_options *o)
{
	double began = clock_now(), worked = clock_thread();
	struct symmetry *s = symmetry_trivial_new(g, g->initial);
	s->skipped = detect(s, o);
	if (s->skipped) {
		s->generators = 0;
		s->mantissa = 1;
		s->exponent = 0;
	}
	symmetry_write(s, &o->limit);
	if (s->all && !s->skipped && !limit_reached(&o->limit))
		try_candidates(s, &o->limit);
	if (s->refuted || s->tested) {
		s->mantissa = (double)s->element_count;
		s->exponent = 0;
	}
	symmetry_elements_places(s);
	s->seconds = clock_now() - began;
	s->processor = clock_thread() - worked;
	return s;
}

void symmetry_free(struct symmetry *s)
{
	if (!s)
		return;
	symmetry_graph_free(s->graph);
	vec_free(&s->images);
	vec_free(&s->elements);
	symmetry_elements_free(s);
	mem_free(s->matters);
	mem_free(s->own_home);
	mem_free(s);
}

#include "model/symmetry.h"

#include "base/bits.h"
#include "base/hash.h"
#include "base/rng.h"
#include "game/engine.h"
#include "model/sample.h"
#include "model/symgraph.h"

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

/* Tries all generators along random games; drops those that fail. These are automorphisms,
 * so a few states are enough to see that the graph says what the rules say. */
static bool try_generators(struct symmetry *s, uint32_t checks, const struct limit *limit)
{
	struct game *g = s->game;
	struct worker *w = worker_new(g);
	struct rng rng = rng_seed(1);
	uint64_t *state = mem_alloc(g->words + 1, sizeof *state);
	uint32_t *moves = mem_alloc(g->roles + 1, sizeof *moves);
	bool *bad = NEW_ARRAY(bool, s->generators + 1);
	memcpy(state, g->initial, g->words * sizeof *state);
	double began = clock_now();
	uint32_t t = 0;
	bool late = false;
	for (; t < checks && !late; t++) {
		if (t >= LEAST_CHECKS && clock_now() - began > CHECK_SECONDS)
			break;
		for (size_t i = 0; i < s->generators && !(late = limit_reached(limit)); i++)
			if (!bad[i])
				bad[i] = !symmetry_check(s, w, symmetry_generator(s, i), state, 4, t);
		struct view v = game_look(w, state);
		if (v.terminal || !game_random_move(g, &v, &rng, moves))
			memcpy(state, g->initial, g->words * sizeof *state);
		else
			game_next(w, state, moves, state);
	}
	if (late && t < 2)
		memset(bad, true, s->generators); /* not even one state was seen to the end */
	size_t kept = 0;
	for (size_t i = 0; i < s->generators; i++)
		if (!bad[i])
			memmove(s->images.at + kept++ * s->points, symmetry_generator(s, i), s->points * sizeof *s->images.at);
	s->refuted = late && t < 2 ? 0 : s->generators - kept;
	s->generators = kept;
	mem_free(state);
	mem_free(moves);
	mem_free(bad);
	worker_free(w);
	return !late || t >= 2;
}

/* ---- elements ------------------------------------------------------------------------- */

#define MOST_FAILURES 4 /* generators whose products were too many */
#define ELEMENT_WORDS ((size_t)4 << 20) /* in all elements together */

struct closure {
	uint32_t points;
	VEC(uint32_t) at; /* elements */
	size_t count;
	struct table index;
};

static bool closure_add(struct closure *c, const uint32_t *e)
{
	uint64_t h = hash_words(e, c->points);
	uint32_t it, id;
	for (table_start(&c->index, h, &it); (id = table_next(&c->index, h, &it)) != TABLE_NONE;)
		if (!memcmp(c->at.at + (size_t)id * c->points, e, c->points * sizeof *e))
			return false;
	vec_extend(&c->at, c->points);
	memcpy(c->at.at + c->count * c->points, e, c->points * sizeof *e);
	table_add(&c->index, h, (uint32_t)c->count++);
	return true;
}

/* All products of the generators, breadth first; false: more than `most`. */
static bool close_under(const uint32_t *images, uint32_t points, const size_t *chosen, size_t n, size_t most,
			struct closure *c)
{
	uint32_t *e = mem_alloc(points + 1, sizeof *e);
	*c = (struct closure){.points = points};
	for (uint32_t p = 0; p < points; p++)
		e[p] = p;
	closure_add(c, e);
	for (size_t i = 0; i < c->count && c->count <= most; i++)
		for (size_t k = 0; k < n && c->count <= most; k++) {
			const uint32_t *g = images + chosen[k] * points;
			for (uint32_t p = 0; p < points; p++)
				e[p] = g[c->at.at[i * points + p]];
			closure_add(c, e);
		}
	mem_free(e);
	table_free(&c->index);
	return c->count <= most;
}

static bool is_steady(const struct symmetry *s, const uint32_t *image)
{
	for (uint32_t p = s->first_role; p < s->first_percept; p++)
		if (image[p] != p)
			return false;
	return true;
}

static enum symmetry_scope scope_of(const struct symmetry *s, const uint32_t *image, uint64_t *scratch)
{
	if (!is_steady(s, image))
		return SYMMETRY_ANY;
	symmetry_apply(s, image, s->game->initial, scratch);
	return symmetry_same(s, scratch, s->game->initial) ? SYMMETRY_HOME : SYMMETRY_STEADY;
}

static void take_elements(struct symmetry *s, const struct closure *c)
{
	uint64_t *scratch = mem_alloc(s->game->words + 1, sizeof *scratch);
	vec_clear(&s->elements);
	s->element_count = 0;
	for (int scope = SYMMETRY_HOME; scope < SYMMETRY_SCOPES; scope++) {
		for (size_t i = 0; i < c->count; i++) {
			const uint32_t *e = c->at.at + i * c->points;
			if (scope_of(s, e, scratch) != (enum symmetry_scope)scope)
				continue;
			vec_extend(&s->elements, s->points);
			memcpy(s->elements.at + s->element_count++ * s->points, e, s->points * sizeof *e);
		}
		s->scope[scope] = s->element_count;
	}
	mem_free(scratch);
}

static bool is_element(const struct symmetry *s, const uint32_t *e)
{
	for (size_t i = 0; i < s->element_count; i++)
		if (!memcmp(s->elements.at + i * s->points, e, s->points * sizeof *e))
			return true;
	return false;
}

/* Generators are added one by one as long as what they generate can be written out; so
 * the elements are a group, and canonical forms are canonical under it. */
static void write_elements(struct symmetry *s, const struct limit *limit)
{
	size_t most = ELEMENT_WORDS / (s->points + 1), n = 0, failures = 0;
	size_t *chosen = NEW_ARRAY(size_t, s->generators + 1);
	struct closure c;
	most = most > SYMMETRY_ELEMENTS ? SYMMETRY_ELEMENTS : most < 1 ? 1 : most;
	close_under(NULL, s->points, NULL, 0, most, &c);
	take_elements(s, &c);
	vec_free(&c.at);
	s->all = true;
	for (size_t k = 0; k < s->generators; k++) {
		if (is_element(s, symmetry_generator(s, k)))
			continue;
		/* one more at least doubles the group */
		bool fits = failures < MOST_FAILURES && 2 * s->element_count <= most && !limit_reached(limit);
		chosen[n] = k;
		if (fits && close_under(s->images.at, s->points, chosen, n + 1, most, &c)) {
			n++;
			take_elements(s, &c);
		} else {
			failures++;
			s->all = false;
		}
		if (fits)
			vec_free(&c.at);
	}
	mem_free(chosen);
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

/* ---- canonical states -------------------------------------------------------------------
 *
 * Of all images the one that has the first fluent that any of them has, then, of those
 * that are left, the next, and so on: after a few fluents few elements are left. Orbits
 * of which the state has nothing, or all, look alike in every image and are passed over. */

static void free_places(struct symmetry *s)
{
	mem_free(s->place);
	mem_free(s->orbit_of);
	mem_free(s->orbit_size);
	mem_free(s->orbit_at);
	mem_free(s->came_from);
}

/* Fluents that elements move, orbit by orbit. */
static void list_places(struct symmetry *s, const uint32_t *root_of)
{
	uint32_t fluents = s->game->fluents, *size = NEW_ARRAY(uint32_t, fluents + 1);
	uint32_t *at = NEW_ARRAY(uint32_t, fluents + 1); /* by orbit: its next free place */
	for (uint32_t f = 0; f < fluents; f++)
		size[root_of[f]]++;
	/* a root is the smallest of its orbit and comes first */
	for (uint32_t f = 0; f < fluents; f++)
		if (root_of[f] == f && size[f] > 1) {
			at[s->orbits] = s->places;
			s->places += size[f];
			s->orbit_at[f] = s->orbits;
			s->orbit_size[s->orbits++] = size[f];
		}
	for (uint32_t f = 0; f < fluents; f++) {
		if (size[root_of[f]] < 2) {
			s->orbit_at[f] = s->orbits;
			continue;
		}
		uint32_t orbit = s->orbit_at[f] = s->orbit_at[root_of[f]];
		s->orbit_of[at[orbit]] = orbit;
		s->place[at[orbit]++] = f;
	}
	mem_free(size);
	mem_free(at);
}

static void make_places(struct symmetry *s)
{
	uint32_t fluents = s->game->fluents, *scratch = NEW_ARRAY(uint32_t, s->points + 1);
	s->place = NEW_ARRAY(uint32_t, fluents + 1);
	s->orbit_of = NEW_ARRAY(uint32_t, fluents + 1);
	s->orbit_size = NEW_ARRAY(uint32_t, fluents + 1);
	s->orbit_at = NEW_ARRAY(uint32_t, fluents + 1);
	symmetry_orbits(s->points, s->elements.at, s->element_count, scratch);
	list_places(s, scratch);
	s->came_from = mem_alloc((size_t)s->places * s->element_count + 1, sizeof *s->came_from);
	for (size_t e = 0; e < s->element_count; e++) {
		const uint32_t *image = s->elements.at + e * s->points;
		for (uint32_t f = 0; f < fluents; f++)
			scratch[image[f]] = f; /* the way back */
		for (uint32_t i = 0; i < s->places; i++)
			s->came_from[i * s->element_count + e] = scratch[s->place[i]];
	}
	mem_free(scratch);
}

/* Of the elements left those whose image has this place, if some have it and some do not. */
static size_t sift(const uint32_t *came_from, const uint64_t *state, uint16_t *left, size_t n)
{
	size_t kept = 0;
	for (size_t i = 0; i < n; i++) {
		uint16_t e = left[i];
		left[i] = left[kept];
		left[kept] = e;
		kept += bits_has(state, came_from[e]);
	}
	return kept ? kept : n;
}

const uint32_t *symmetry_canonical(const struct symmetry *s, const uint64_t *state, enum symmetry_scope scope,
				   uint64_t *to)
{
	uint32_t words = s->game->words, counts[s->orbits + 1];
	uint64_t own[words + 1];
	uint16_t left[SYMMETRY_ELEMENTS];
	size_t n = s->scope[scope];
	memset(counts, 0, sizeof counts);
	for (uint32_t w = 0; w < words; w++) {
		own[w] = state[w] & s->matters[w];
		for (uint64_t x = own[w]; x && n > 1; x &= x - 1)
			counts[s->orbit_at[w * 64 + (uint32_t)__builtin_ctzll(x)]]++;
	}
	for (size_t i = 0; i < n; i++)
		left[i] = (uint16_t)i;
	for (uint32_t i = 0; i < s->places && n > 1; i++) {
		uint32_t have = counts[s->orbit_of[i]];
		if (have && have < s->orbit_size[s->orbit_of[i]])
			n = sift(s->came_from + (size_t)i * s->element_count, own, left, n);
	}
	const uint32_t *image = s->elements.at + (size_t)left[0] * s->points;
	symmetry_apply(s, image, own, to);
	return image;
}

/* ---- groups from graphs ------------------------------------------------------------------ */

/* ---- candidates ----------------------------------------------------------------------- */

/* The loose group must be small: permutations that move few things, of which such groups
 * have many, hardly show in random states even where they are wrong. */
#define CANDIDATES 64
#define LOOSE_EDGES ((size_t)1 << 19)

static bool holds_everywhere(const struct symmetry *s, struct worker *w, const uint32_t *image,
			     const struct sample *states, const struct limit *limit)
{
	for (size_t i = 0; i < states->count; i++)
		if (limit_reached(limit) || !symmetry_check(s, w, image, states->at.at + i * s->game->words, 2, i))
			return false;
	return true;
}

/* Takes on what the loose graph has more and no state refutes. */
static void try_candidates(struct symmetry *s, const struct limit *limit)
{
	struct symgraph *loose = s->edges <= LOOSE_EDGES ? symgraph_make(s->game, LOOSE_EDGES, true) : NULL;
	struct automorphisms a;
	struct closure c = {0};
	if (!loose)
		return;
	bool same = !memcmp(loose->matters, s->matters, s->game->words * sizeof *s->matters);
	bool ok = same && automorphisms_find(&a, &loose->graph, s->points, AUTOMORPHISM_AUTO, limit);
	symgraph_free(loose);
	if (!ok)
		return;
	size_t *all = NEW_ARRAY(size_t, a.count + 1);
	for (size_t i = 0; i < a.count; i++)
		all[i] = i;
	size_t count = close_under(a.images.at, s->points, all, a.count, CANDIDATES, &c) ? c.count : 0;
	struct worker *w = worker_new(s->game);
	struct sample states = {0};
	if (count > s->element_count)
		sample_make(&states, s->game);
	for (size_t i = 0; i < count && s->all && !limit_reached(limit); i++) {
		const uint32_t *e = c.at.at + i * s->points;
		if (is_element(s, e) || !holds_everywhere(s, w, e, &states, limit))
			continue;
		vec_extend(&s->images, s->points);
		memcpy(s->images.at + s->generators++ * s->points, e, s->points * sizeof *e);
		s->tested++;
		write_elements(s, NULL);
	}
	vec_free(&states.at);
	worker_free(w);
	mem_free(all);
	vec_free(&c.at);
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

static bool keeps_nogoods(const struct symmetry *s, const uint32_t *e, const uint32_t *nogoods, size_t count)
{
	uint32_t roles = s->game->roles, joint[roles];
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
	for (size_t i = 1; i < s->element_count; i++) {
		const uint32_t *e = s->elements.at + i * s->points;
		symmetry_apply(s, e, state, image);
		if (!symmetry_same(s, image, state) || !keeps_nogoods(s, e, nogoods, count))
			continue;
		vec_extend(&group->images, s->points);
		memcpy(group->images.at + group->generators++ * s->points, e, s->points * sizeof *e);
	}
	group->mantissa = (double)group->generators + 1;
	mem_free(image);
}

bool symmetry_stabiliser(const struct symmetry *s, const uint64_t *state, const uint32_t *nogoods, size_t count,
			 const struct limit *limit, struct symmetry_group *group)
{
	struct automorphisms a;
	struct coloured_graph g = {0};
	*group = (struct symmetry_group){.mantissa = 1};
	if (!s->graph || symmetry_trivial(s))
		return s->graph != NULL;
	if (s->all) {
		stabiliser_by_elements(s, state, nogoods, count, group);
		return true;
	}
	uint32_t colours = s->graph->colours, roles = s->game->roles;
	for (size_t v = 0; v < s->graph->graph.colour.n; v++)
		vec_push(&g.colour, s->graph->graph.colour.at[v]);
	for (size_t i = 0; i < s->graph->graph.ends.n; i++)
		vec_push(&g.ends, s->graph->graph.ends.at[i]);
	/* fluents that hold get colours of their own; nogoods are vertices joined to their moves */
	BITS_EACH (f, state, s->game->fluents)
		if (bits_has(s->matters, f))
			g.colour.at[f] = colours;
	for (size_t i = 0; i < count; i++) {
		uint32_t v = graph_vertex(&g, colours + 1);
		for (uint32_t r = 0; r < roles; r++)
			graph_edge(&g, v, s->first_move + nogoods[i * roles + r]);
	}
	bool ok = automorphisms_on(&a, &g, s->points, limit);
	coloured_graph_free(&g);
	if (!ok)
		return false;
	group->generators = a.count;
	group->mantissa = a.mantissa;
	group->exponent = a.exponent;
	for (size_t i = 0; i < a.images.n; i++)
		vec_push(&group->images, a.images.at[i]);
	automorphisms_free(&a);
	return true;
}

void symmetry_group_free(struct symmetry_group *group)
{
	vec_free(&group->images);
}

/* ---- all -------------------------------------------------------------------------------- */

#define LITERALS_A_SECOND 5e5 /* of the ground program, at least */

static const char *detect(struct symmetry *s, const struct symmetry_options *o)
{
	struct automorphisms a;
	if (s->game->engine != ENGINE_CIRCUIT)
		return "the rules do not ground";
	/* building the graph does not look at the clock */
	if ((double)s->game->circuit->ground->body.n > LITERALS_A_SECOND * limit_left(&o->limit))
		return "there is no time for a program of that size";
	s->graph = symgraph_make(s->game, o->max_edges ? o->max_edges : SYMMETRY_EDGES, false);
	if (!s->graph)
		return "the ground program is too large";
	s->vertices = (uint32_t)s->graph->graph.colour.n;
	s->edges = s->graph->graph.ends.n / 2;
	memcpy(s->matters, s->graph->matters, s->game->words * sizeof *s->matters);
	if (limit_reached(&o->limit) || !automorphisms_on(&a, &s->graph->graph, s->points, &o->limit))
		return "out of time";
	s->generators = a.count;
	s->mantissa = a.mantissa;
	s->exponent = a.exponent;
	for (size_t i = 0; i < a.images.n; i++)
		vec_push(&s->images, a.images.at[i]);
	automorphisms_free(&a);
	return try_generators(s, o->checks ? o->checks : SYMMETRY_CHECKS, &o->limit) ? NULL : "out of time";
}

struct symmetry *symmetry_find(struct game *g, const struct symmetry_options *o)
{
	struct symmetry *s = NEW(struct symmetry);
	double began = clock_now(), worked = clock_thread();
	s->game = g;
	s->mantissa = 1;
	s->first_move = g->fluents;
	s->first_role = g->fluents + g->moves;
	s->first_percept = s->first_role + g->roles;
	s->points = s->first_percept + g->percepts;
	s->matters = mem_alloc(g->words + 1, sizeof *s->matters);
	memset(s->matters, 0xff, g->words * sizeof *s->matters);
	s->skipped = detect(s, o);
	if (s->skipped) {
		s->generators = 0;
		s->mantissa = 1;
		s->exponent = 0;
	}
	write_elements(s, &o->limit);
	if (s->all && !s->skipped && !limit_reached(&o->limit))
		try_candidates(s, &o->limit);
	if (s->refuted || s->tested) {
		s->mantissa = (double)s->element_count;
		s->exponent = 0;
	}
	make_places(s);
	s->seconds = clock_now() - began;
	s->processor = clock_thread() - worked;
	return s;
}

void symmetry_free(struct symmetry *s)
{
	if (!s)
		return;
	symgraph_free(s->graph);
	vec_free(&s->images);
	vec_free(&s->elements);
	free_places(s);
	mem_free(s->matters);
	mem_free(s);
}

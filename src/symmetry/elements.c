/* As many elements of a group are written out as there is room for: all, or those of a
 * subgroup. With them a state has a canonical image, the same for all its images. */
#include "symmetry/elements.h"

#include "base/bits.h"

#include <string.h>

#define MOST_FAILURES 4                 /* generators whose products were too many */
#define ELEMENT_WORDS ((size_t)4 << 20) /* in all elements together */

size_t symmetry_elements_room(const struct symmetry *s)
{
	size_t room = ELEMENT_WORDS / (s->points + 1);
	return room > SYMMETRY_ELEMENTS ? SYMMETRY_ELEMENTS : room < 1 ? 1 : room;
}

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

bool closure_make(struct closure *c, const uint32_t *images, uint32_t points, const size_t *chosen, size_t n,
                  size_t most, const struct limit *limit)
{
	uint32_t *e = mem_alloc(points + 1, sizeof *e);
	bool late = false;
	*c = (struct closure){.points = points};
	for (uint32_t p = 0; p < points; p++)
		e[p] = p;
	closure_add(c, e);
	for (size_t i = 0; n && i < c->count && c->count <= most && !(late = limit_reached(limit)); i++)
		for (size_t k = 0; k < n && c->count <= most; k++) {
			const uint32_t *g = images + chosen[k] * points;
			for (uint32_t p = 0; p < points; p++)
				e[p] = g[c->at.at[i * points + p]];
			closure_add(c, e);
		}
	mem_free(e);
	table_free(&c->index);
	return c->count <= most && !late;
}

void closure_free(struct closure *c)
{
	vec_free(&c->at);
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
	symmetry_apply(s, image, s->home, scratch);
	return symmetry_same(s, scratch, s->home) ? SYMMETRY_HOME : SYMMETRY_STEADY;
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

bool symmetry_elements_has(const struct symmetry *s, const uint32_t *e)
{
	for (size_t i = 0; i < s->element_count; i++)
		if (!memcmp(s->elements.at + i * s->points, e, s->points * sizeof *e))
			return true;
	return false;
}

/* Generators are added one by one as long as what they generate can be written out; so
 * the elements are a group, and canonical forms are canonical under it. */
void symmetry_elements_write(struct symmetry *s, const uint32_t *images, size_t generators, const struct limit *limit)
{
	size_t most = symmetry_elements_room(s), n = 0, failures = 0;
	size_t *chosen = NEW_ARRAY(size_t, generators + 1);
	struct closure c;
	closure_make(&c, NULL, s->points, NULL, 0, most, NULL);
	take_elements(s, &c);
	closure_free(&c);
	s->all = true;
	for (size_t k = 0; k < generators; k++) {
		if (symmetry_elements_has(s, images + k * s->points))
			continue;
		/* one more at least doubles the group */
		bool fits = failures < MOST_FAILURES && 2 * s->element_count <= most && !limit_reached(limit);
		chosen[n] = k;
		if (fits && closure_make(&c, images, s->points, chosen, n + 1, most, limit)) {
			n++;
			take_elements(s, &c);
		} else {
			failures++;
			s->all = false;
		}
		if (fits)
			closure_free(&c);
	}
	mem_free(chosen);
}

/* ---- canonical states -------------------------------------------------------------------
 *
 * Of all images the one that has the first fluent that any of them has, then, of those
 * that are left, the next, and so on: after a few fluents few elements are left. Orbits
 * of which the state has nothing, or all, look alike in every image and are passed over. */

void symmetry_elements_free(struct symmetry *s)
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

void symmetry_elements_places(struct symmetry *s)
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

/* Orbits beyond these are not passed over; a question must not allocate. */
#define COUNTED_ORBITS 1024

/* Among the n elements that are left, the identity first; the list is scratch. */
static const uint32_t *canonical(const struct symmetry *s, const uint64_t *state, uint16_t *left, size_t n,
                                 uint64_t *to)
{
	uint32_t words = s->game->words, counts[COUNTED_ORBITS];
	memset(counts, 0, (s->orbits < COUNTED_ORBITS ? s->orbits : COUNTED_ORBITS) * sizeof *counts);
	for (uint32_t w = 0; w < words; w++)
		for (uint64_t x = state[w] & s->matters[w]; x && n > 1; x &= x - 1) {
			uint32_t orbit = s->orbit_at[w * 64 + (uint32_t)__builtin_ctzll(x)];
			if (orbit < s->orbits && orbit < COUNTED_ORBITS)
				counts[orbit]++;
		}
	for (uint32_t i = 0; i < s->places && n > 1; i++) {
		uint32_t orbit = s->orbit_of[i];
		if (orbit >= COUNTED_ORBITS || (counts[orbit] && counts[orbit] < s->orbit_size[orbit]))
			n = sift(s->came_from + (size_t)i * s->element_count, state, left, n);
	}
	const uint32_t *image = s->elements.at + (size_t)left[0] * s->points;
	symmetry_apply(s, image, state, to);
	for (uint32_t w = 0; w < words; w++)
		to[w] &= s->matters[w]; /* what does not matter stays, so its image is what does not */
	return image;
}

const uint32_t *symmetry_canonical(const struct symmetry *s, const uint64_t *state, enum symmetry_scope scope,
                                   uint64_t *to)
{
	uint16_t left[SYMMETRY_ELEMENTS];
	size_t n = s->scope[scope];
	left[0] = 0; /* the identity */
	for (size_t i = 1; i < n; i++)
		left[i] = (uint16_t)i;
	return canonical(s, state, left, n, to);
}

const uint32_t *symmetry_canonical_among(const struct symmetry *s, const uint64_t *state, const uint16_t *elements,
                                         size_t count, uint64_t *to)
{
	uint16_t left[SYMMETRY_ELEMENTS];
	assert(count && count <= SYMMETRY_ELEMENTS && !elements[0]);
	memcpy(left, elements, count * sizeof *left);
	return canonical(s, state, left, count, to);
}

size_t symmetry_fixing(const struct symmetry *s, const uint64_t *state, enum symmetry_scope scope, uint64_t *scratch,
                       uint16_t *elements)
{
	size_t n = 0;
	elements[n++] = 0;
	for (size_t e = 1; e < s->scope[scope]; e++) {
		symmetry_apply(s, s->elements.at + e * s->points, state, scratch);
		if (symmetry_same(s, scratch, state))
			elements[n++] = (uint16_t)e;
	}
	return n;
}

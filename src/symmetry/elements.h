/* Inside of the room: elements of a group of symmetries written out. */
#ifndef SYMMETRY_ELEMENTS_H
#define SYMMETRY_ELEMENTS_H

#include "base/hash.h"
#include "symmetry/symmetry.h"

struct closure {
	uint32_t points;
	VEC(uint32_t) at; /* elements */
	size_t count;
	struct table index;
};

/* All products of the chosen generators, breadth first; false: more than `most`, or out of
 * time. To be freed in any case. */
bool closure_make(struct closure *c, const uint32_t *images, uint32_t points, const size_t *chosen, size_t n,
                  size_t most, const struct limit *limit);
void closure_free(struct closure *c);

size_t symmetry_elements_room(const struct symmetry *s); /* how many can be written out */
/* Fills elements, scope and all. Generators that come first are taken first. */
void symmetry_elements_write(struct symmetry *s, const uint32_t *images, size_t generators, const struct limit *limit);
bool symmetry_elements_has(const struct symmetry *s, const uint32_t *e);
void symmetry_elements_places(struct symmetry *s); /* what canonical states need, when the elements are there */
void symmetry_elements_free(struct symmetry *s);

#endif

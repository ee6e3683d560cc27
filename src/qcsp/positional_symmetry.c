/* Symmetries of a positional form: permutations of the cells that keep the order
 * and the terms of each group. Images are assigned cell by cell; a cell fits when
 * it is in as many terms as its image, alone and together with each cell before. */
#include "qcsp/positional.h"

#include <string.h>

struct sym {
	struct pos_form *f;
	uint8_t *together; /* [group][u][v]: terms with both */
	uint8_t map[POS_CELLS];
	uint64_t used, steps;
};

static uint8_t both(const struct sym *s, uint32_t g, uint32_t u, uint32_t v)
{
	return s->together[(g * POS_CELLS + u) * POS_CELLS + v];
}

static bool fits(const struct sym *s, uint32_t u, uint32_t to)
{
	const struct pos_form *f = s->f;
	for (uint32_t v = 0; v <= u; v++) {
		uint32_t w = v == u ? to : s->map[v];
		for (uint32_t g = 0; g < f->groups; g++)
			if (both(s, g, u, v) != both(s, g, to, w))
				return false;
		if ((f->before[u] >> v & 1) != (f->before[to] >> w & 1) || (f->before[v] >> u & 1) != (f->before[w] >> to & 1))
			return false;
	}
	return true;
}

static uint64_t mapped(const uint8_t *map, uint64_t cells)
{
	uint64_t out = 0;
	for (; cells; cells &= cells - 1)
		out |= UINT64_C(1) << map[__builtin_ctzll(cells)];
	return out;
}

static bool keeps_terms(const struct sym *s)
{
	const struct pos_form *f = s->f;
	for (size_t i = 0; i < f->terms.n; i++) {
		uint64_t to = mapped(s->map, f->terms.at[i].cells);
		bool found = false;
		for (size_t j = 0; j < f->terms.n && !found; j++)
			found = f->terms.at[j].cells == to && f->terms.at[j].group == f->terms.at[i].group;
		if (!found)
			return false;
	}
	return true;
}

static void assign(struct sym *s, uint32_t u)
{
	struct pos_form *f = s->f;
	if (f->symmetries == 8 || ++s->steps > 200000)
		return;
	if (u == f->cells) {
		if (keeps_terms(s))
			memcpy(f->image[f->symmetries++], s->map, f->cells);
		return;
	}
	for (uint32_t d = 0; d < f->cells; d++) {
		uint32_t to = (u + d) % f->cells; /* the identity comes first */
		if (s->used >> to & 1 || !fits(s, u, to))
			continue;
		s->map[u] = (uint8_t)to;
		s->used |= UINT64_C(1) << to;
		assign(s, u + 1);
		s->used &= ~(UINT64_C(1) << to);
	}
}

void pos_symmetries(struct pos_form *f)
{
	struct sym s = {.f = f, .together = NEW_ARRAY(uint8_t, POS_GROUPS * POS_CELLS * POS_CELLS)};
	for (size_t i = 0; i < f->terms.n; i++)
		for (uint64_t a = f->terms.at[i].cells; a; a &= a - 1)
			for (uint64_t b = f->terms.at[i].cells; b; b &= b - 1)
				s.together[((size_t)f->terms.at[i].group * POS_CELLS + (size_t)__builtin_ctzll(a)) * POS_CELLS +
				           (size_t)__builtin_ctzll(b)]++;
	assign(&s, 0);
	mem_free(s.together);
}

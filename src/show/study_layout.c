/* How boards lie: which way their axes go, which squares there are, and where hexagons, rings and graphs have their
 * cells. */
#include "base/bits.h"
#include "show/study_internal.h"
#include "show/view_file.h"

#include <math.h>
#include <string.h>

uint32_t layout_cells(const struct layout *l)
{
	return (uint32_t)(l->axis[0].n * (l->axis[1].n ? l->axis[1].n : 1));
}

bool study_cell(const struct study *s, const struct family *f, const struct parts *p, const int axis[2], uint32_t *part,
                uint32_t *cell)
{
	const struct layout *l = &s->layouts.at[f->layout];
	uint32_t column = study_index(&l->axis[0], p->args[axis[0]]);
	uint32_t row = axis[1] >= 0 ? study_index(&l->axis[1], p->args[axis[1]]) : 0;
	*part = f->part >= 0 && l->parts.n ? study_index(&l->parts, p->args[f->part]) : 0;
	*cell = row * (uint32_t)l->axis[0].n + column;
	return column != UINT32_MAX && row != UINT32_MAX && *part != UINT32_MAX;
}

/* ---- squares ----------------------------------------------------------------------------- */

static void reverse(sym_list *values)
{
	for (size_t i = 0; i < values->n / 2; i++) {
		sym_t v = values->at[i];
		values->at[i] = values->at[values->n - 1 - i];
		values->at[values->n - 1 - i] = v;
	}
}

static void add_values(sym_list *into, const sym_list *from)
{
	for (size_t i = 0; i < from->n; i++)
		if (study_index(into, from->at[i]) == UINT32_MAX)
			vec_push(into, from->at[i]);
}

static void gather(struct study *s, uint32_t layout)
{
	struct layout *l = &s->layouts.at[layout];
	bool ring = false, across = false;
	vec_clear(&l->axis[0]);
	vec_clear(&l->axis[1]);
	vec_clear(&l->parts);
	for (size_t i = 0; i < s->families.n; i++) {
		const struct family *f = &s->families.at[i];
		if (!family_is_on(f, layout))
			continue;
		for (int k = 0; k < 2; k++)
			if (f->axis[k] >= 0)
				add_values(&l->axis[k], &f->values[f->axis[k]]);
		if (f->part >= 0 && f->shape == SHAPE_BOARD)
			add_values(&l->parts, &f->values[f->part]);
	}
	study_order(s, &l->axis[0], &ring);
	study_order(s, &l->axis[1], &across);
	if (l->kind == BOARD_STRIP && ring)
		l->fold = (uint32_t)(l->axis[0].n + 1) / 2;
	study_order(s, &l->parts, &across);
	for (int k = 0; k < 2; k++)
		if (l->reversed[k])
			reverse(&l->axis[k]);
}

/* The neighbour that a link leads to: the next by the order of the values. */
uint32_t study_link_end(const struct study *s, const struct family *f, const struct parts *p, uint32_t cell)
{
	const struct layout *l = &s->layouts.at[f->layout];
	bool first = p->args[f->part] == f->values[f->part].at[0];
	int k = first == f->horizontal_first ? 0 : 1;
	uint32_t step = k ? (uint32_t)l->axis[0].n : 1;
	return l->reversed[k] ? cell - step : cell + step;
}

static void add_tie(struct layout *l, uint32_t from, uint32_t to)
{
	for (size_t i = 0; i < l->ties.n; i++)
		if (l->ties.at[i].from == from && l->ties.at[i].to == to)
			return;
	vec_push(&l->ties, (struct tie){from, to});
}

static void mark_cells(struct study *s, uint32_t layout)
{
	struct layout *l = &s->layouts.at[layout];
	uint32_t part, cell, cells = layout_cells(l), parts = l->parts.n ? (uint32_t)l->parts.n : 1;
	vec_clear(&l->exists);
	vec_clear(&l->ties);
	for (uint32_t i = 0; i < cells * parts; i++)
		vec_push(&l->exists, 0);
	for (size_t i = 0; i < s->families.n; i++) {
		const struct family *f = &s->families.at[i];
		for (size_t k = 0; k < f->members.n && family_is_on(f, layout); k++) {
			const struct parts *p = &s->parts.at[f->members.at[k]];
			if (!study_cell(s, f, p, f->axis, &part, &cell))
				continue;
			l->exists.at[part * cells + cell] = 1;
			if (f->shape == SHAPE_LINKS) {
				add_tie(l, cell, study_link_end(s, f, p, cell));
				l->exists.at[study_link_end(s, f, p, cell)] = 1;
			}
		}
	}
	for (uint32_t i = 0; i < cells && l->kind == BOARD_STRIP; i++)
		l->exists.at[i] = 1;
}

/* ---- hexagons ------------------------------------------------------------------------------ */

enum { EAST = 1, NORTH = 2, UPHILL = 4, DOWNHILL = 8, OTHER = 16 };

static int direction(int dx, int dy)
{
	if (!dy && (dx == 1 || dx == -1))
		return EAST;
	if (!dx && (dy == 1 || dy == -1))
		return NORTH;
	if (dx == dy && (dx == 1 || dx == -1))
		return UPHILL;
	return dx == -dy && (dx == 1 || dx == -1) ? DOWNHILL : OTHER;
}

/* The directions in which columns i .. i + 3 of a relation lead from square to square. */
static int directions(const struct layout *l, const struct relation_of_rules *r, uint32_t i, bool swapped)
{
	const sym_list *u = &l->axis[swapped], *v = &l->axis[!swapped];
	int found = 0;
	for (uint32_t k = 0; k < r->rows; k++) {
		const sym_t *row = r->cells.at + (size_t)k * r->argc + i;
		uint32_t a = study_index(u, row[0]), b = study_index(v, row[1]), c = study_index(u, row[2]),
				 d = study_index(v, row[3]);
		if (a == UINT32_MAX || b == UINT32_MAX || c == UINT32_MAX || d == UINT32_MAX)
			return OTHER;
		int dx = (int)c - (int)a, dy = (int)d - (int)b;
		found |= direction(swapped ? dy : dx, swapped ? dx : dy);
	}
	return found;
}

/* (place a b c) over exactly the squares, with ranks that add up to the same everywhere, on a board that is no
 * rectangle. */
static bool has_third_axis(const struct layout *l, const struct relation_of_rules *r, const sym_list *third)
{
	uint32_t sum = UINT32_MAX, squares = 0, cells = layout_cells(l);
	for (uint32_t i = 0; i < cells; i++)
		squares += l->exists.at[i];
	if (r->argc != 3 || r->rows < squares || squares == cells)
		return false;
	for (uint32_t k = 0; k < r->rows; k++) {
		const sym_t *row = r->cells.at + (size_t)k * 3;
		uint32_t a = study_index(&l->axis[0], row[0]), b = study_index(&l->axis[1], row[1]),
				 c = study_index(third, row[2]);
		if (a == UINT32_MAX || b == UINT32_MAX || c == UINT32_MAX)
			return false;
		sum = sum == UINT32_MAX ? a + b + c : sum;
		if (sum != a + b + c)
			return false;
	}
	return true;
}

static void find_hexagons(struct study *s, struct layout *l)
{
	const struct family *lead = &s->families.at[l->leader];
	bool swapped = lead->axis[0] > lead->axis[1], ring;
	for (size_t i = 0; i < s->statics.n; i++) {
		const struct relation_of_rules *r = &s->statics.at[i];
		for (uint32_t k = 0; k + 4 <= r->argc; k++) {
			int found = directions(l, r, k, swapped);
			if (found == (EAST | NORTH | UPHILL) || found == (EAST | NORTH | DOWNHILL)) {
				l->kind = BOARD_HEX;
				l->slant = found & UPHILL ? -1 : 1;
				return;
			}
		}
		sym_list third = {0};
		for (uint32_t k = 0; k < r->rows && r->argc == 3; k++)
			if (study_index(&third, r->cells.at[k * 3 + 2]) == UINT32_MAX)
				vec_push(&third, r->cells.at[k * 3 + 2]);
		study_order(s, &third, &ring);
		if (!l->reversed[0] && !l->reversed[1] && has_third_axis(l, r, &third)) {
			l->kind = BOARD_HEX;
			l->slant = 1;
		}
		vec_free(&third);
	}
}

/* ---- graphs --------------------------------------------------------------------------------- */

static bool has_row(const struct relation_of_rules *r, sym_t a, sym_t b)
{
	for (uint32_t k = 0; k < r->rows; k++)
		if (r->cells.at[k * 2] == a && r->cells.at[k * 2 + 1] == b)
			return true;
	return false;
}

/* Symmetric ties of a static relation over the places of a strip; a graph when it joins all and is more than a chain.
 */
static bool find_ties(struct layout *l, const struct relation_of_rules *r)
{
	uint32_t n = (uint32_t)l->axis[0].n, most = 0;
	uint32_t *degree = NEW_ARRAY(uint32_t, n);
	bool inside = r->argc == 2;
	vec_clear(&l->ties);
	for (uint32_t k = 0; k < r->rows && inside; k++) {
		uint32_t a = study_index(&l->axis[0], r->cells.at[k * 2]), b = study_index(&l->axis[0], r->cells.at[k * 2 + 1]);
		inside = a != UINT32_MAX && b != UINT32_MAX && has_row(r, r->cells.at[k * 2 + 1], r->cells.at[k * 2]);
		size_t before = l->ties.n;
		if (inside && a != b)
			add_tie(l, a < b ? a : b, a < b ? b : a);
		if (l->ties.n > before)
			degree[a]++, degree[b]++;
	}
	bool all = inside && l->ties.n >= n - 1 && l->ties.n <= (size_t)n * 3;
	for (uint32_t i = 0; i < n; i++) {
		most = degree[i] > most ? degree[i] : most;
		all &= degree[i] > 0;
	}
	mem_free(degree);
	if (all && most > 2)
		return true;
	vec_clear(&l->ties);
	return false;
}

/* Places push each other away and ties pull them together, from a circle (Fruchterman and Reingold 1991). */
static void lay_graph(struct layout *l)
{
	size_t n = l->axis[0].n;
	double *dx = NEW_ARRAY(double, n), *dy = NEW_ARRAY(double, n);
	for (size_t i = 0; i < n; i++) {
		l->x.at[i] = cos(6.283185307 * (double)i / (double)n) * sqrt((double)n);
		l->y.at[i] = sin(6.283185307 * (double)i / (double)n) * sqrt((double)n);
	}
	for (int round = 0; round < 200; round++) {
		memset(dx, 0, n * sizeof *dx);
		memset(dy, 0, n * sizeof *dy);
		for (size_t i = 0; i < n; i++)
			for (size_t k = 0; k < n; k++) {
				double x = l->x.at[i] - l->x.at[k], y = l->y.at[i] - l->y.at[k], d = x * x + y * y + 1e-9;
				dx[i] += x / d * 2.2;
				dy[i] += y / d * 2.2;
			}
		for (size_t i = 0; i < l->ties.n; i++) {
			struct tie t = l->ties.at[i];
			double x = l->x.at[t.from] - l->x.at[t.to], y = l->y.at[t.from] - l->y.at[t.to], d = sqrt(x * x + y * y);
			dx[t.from] -= x * d / 1.5, dy[t.from] -= y * d / 1.5;
			dx[t.to] += x * d / 1.5, dy[t.to] += y * d / 1.5;
		}
		double heat = 0.5 * (1 - round / 200.0);
		for (size_t i = 0; i < n; i++) {
			double d = sqrt(dx[i] * dx[i] + dy[i] * dy[i]) + 1e-9, step = d < heat ? d : heat;
			l->x.at[i] += dx[i] / d * step;
			l->y.at[i] += dy[i] / d * step;
		}
	}
	mem_free(dx);
	mem_free(dy);
}

/* ---- where cells are ------------------------------------------------------------------------ */

static void place_cells(struct layout *l)
{
	size_t columns = l->axis[0].n;
	uint32_t n = layout_cells(l);
	vec_clear(&l->x);
	vec_clear(&l->y);
	for (uint32_t i = 0; i < n; i++) {
		double column = (double)(i % columns), row = (double)(i / columns);
		if (l->kind == BOARD_HEX) {
			column += l->slant * row / 2;
			row *= 0.8660254;
		}
		if (l->fold && i >= l->fold) {                            /* back along the upper row */
			column = (double)l->fold - 1 - (double)(i - l->fold); /* may lie left of the first: a bar */
			row = 1;
		}
		vec_push(&l->x, column);
		vec_push(&l->y, row);
	}
	if (l->kind == BOARD_GRAPH)
		lay_graph(l);
	double left = INFINITY, low = INFINITY;
	for (uint32_t i = 0; i < n; i++) {
		left = fmin(left, l->x.at[i]);
		low = fmin(low, l->y.at[i]);
	}
	for (uint32_t i = 0; i < n; i++) {
		l->x.at[i] -= left;
		l->y.at[i] -= low;
	}
}

/* ---- which way up ---------------------------------------------------------------------------- */

/* Where the pieces of the first role that has any, and those of all others, stand in the beginning. */
struct homes {
	double first[2], others[2];
	uint32_t role, first_count, others_count;
};

static struct homes find_homes(const struct study *s, uint32_t layout)
{
	const struct layout *l = &s->layouts.at[layout];
	struct homes h = {.role = UINT32_MAX};
	BITS_EACH (i, s->g->initial, s->parts.n)
		if (s->parts.at[i].piece != UINT32_MAX && family_is_on(&s->families.at[s->parts.at[i].family], layout)) {
			uint32_t owner = s->pieces.at[s->parts.at[i].piece].owner;
			h.role = owner < h.role ? owner : h.role;
		}
	BITS_EACH (i, s->g->initial, s->parts.n) {
		const struct parts *p = &s->parts.at[i];
		uint32_t part, cell, owner = p->piece != UINT32_MAX ? s->pieces.at[p->piece].owner : UINT32_MAX;
		const struct family *f = p->family != NO_FAMILY ? &s->families.at[p->family] : NULL;
		if (!f || owner == UINT32_MAX || !family_is_on(f, layout) || !study_cell(s, f, p, f->axis, &part, &cell))
			continue;
		double *sum = owner == h.role ? h.first : h.others;
		sum[0] += cell % (uint32_t)l->axis[0].n;
		sum[1] += cell / (uint32_t)l->axis[0].n;
		h.first_count += owner == h.role;
		h.others_count += owner != h.role;
	}
	for (int k = 0; k < 2 && h.first_count && h.others_count; k++) {
		h.first[k] /= h.first_count;
		h.others[k] /= h.others_count;
	}
	return h;
}

static void swap_axes(struct study *s, uint32_t layout)
{
	for (size_t i = 0; i < s->families.n; i++) {
		struct family *f = &s->families.at[i];
		if (family_is_on(f, layout)) {
			int u = f->axis[0];
			f->axis[0] = f->axis[1];
			f->axis[1] = u;
			f->horizontal_first = !f->horizontal_first;
		}
	}
}

/* Moves with one coordinate, (drop column), name the axis that lies across: 0 or 1; -1: there are none. */
static int dropped_axis(const struct study *s, uint32_t layout)
{
	for (uint32_t m = 0; m < s->move_families.n; m++) {
		int found = -1, places = 0;
		for (int a = 0; a < s->move_families.at[m].argc; a++)
			for (uint32_t i = 0; i < s->families.n; i++)
				for (int k = 0; k < 2 && family_is_on(&s->families.at[i], layout); k++)
					if (study_shares(s, i, s->families.at[i].axis[k], m + (uint32_t)s->families.n, a)) {
						found = places && found != k ? 2 : k;
						places++;
					}
		if (found == 0 || found == 1)
			return found;
	}
	return -1;
}

static bool are_numbers(const struct study *s, const struct layout *l, int k)
{
	return study_numbers(s, &l->axis[k]);
}

static void orient(struct study *s, uint32_t layout)
{
	struct layout *l = &s->layouts.at[layout];
	l->oriented = true;
	if (!l->axis[1].n)
		return;
	struct homes h = find_homes(s, layout);
	bool both = h.first_count && h.others_count;
	double across = both ? fabs(h.first[0] - h.others[0]) / (double)l->axis[0].n : 0;
	double up = both ? fabs(h.first[1] - h.others[1]) / (double)l->axis[1].n : 0;
	bool swap;
	if (are_numbers(s, l, 0) != are_numbers(s, l, 1))
		swap = are_numbers(s, l, 0);
	else if (fabs(across - up) > 0.2)
		swap = across > up;
	else
		swap = dropped_axis(s, layout) == 1;
	if (s->view)
		swap ^= view_file_swaps(s->view, study_text(s, s->families.at[l->leader].name));
	if (swap) {
		double t = h.first[0];
		h.first[0] = h.first[1], h.first[1] = t;
		t = h.others[0];
		h.others[0] = h.others[1], h.others[1] = t;
		swap_axes(s, layout);
	}
	l->reversed[1] = both && fmax(across, up) > 0.2 && h.first[1] > h.others[1];
	if (s->view)
		view_file_orient(s->view, study_text(s, s->families.at[l->leader].name), l);
	gather(s, layout);
	mark_cells(s, layout);
}

/* Does a family only ever speak of squares on which a piece of the leader's stands? Its squares by sample. What is a
 * role's, such as (jumper red 4 1) on a platform, is a thing of its own. */
static bool is_badge(const struct study *s, const struct family *f)
{
	const struct layout *l = &s->layouts.at[f->layout];
	const struct family *lead = &s->families.at[l->leader];
	uint32_t part, cell, n = layout_cells(l), parts = l->parts.n ? (uint32_t)l->parts.n : 1;
	if (f == lead || lead->shape != SHAPE_BOARD || !lead->content || f->axis[1] < 0 || f->owner >= 0)
		return false;
	uint8_t *taken = NEW_ARRAY(uint8_t, n * parts);
	bool always = true;
	for (size_t k = 0; k < s->begins.n && always && f->most; k++) {
		const uint64_t *state = s->samples.at + k * s->g->words;
		memset(taken, 0, n * parts);
		for (size_t i = 0; i < lead->members.n; i++) {
			const struct parts *p = &s->parts.at[lead->members.at[i]];
			if (bits_has(state, lead->members.at[i]) && study_cell(s, lead, p, lead->axis, &part, &cell))
				taken[part * n + cell] |= !s->pieces.at[p->piece].blank;
		}
		for (size_t i = 0; i < f->members.n && always; i++)
			if (bits_has(state, f->members.at[i]) &&
			    study_cell(s, f, &s->parts.at[f->members.at[i]], f->axis, &part, &cell))
				always = taken[part * n + cell];
	}
	mem_free(taken);
	return always;
}

static void find_badges(struct study *s)
{
	for (size_t i = 0; i < s->families.n; i++)
		if (s->families.at[i].shape == SHAPE_BOARD && s->layouts.at[s->families.at[i].layout].kind != BOARD_STRIP)
			s->families.at[i].badge = is_badge(s, &s->families.at[i]);
}

void study_lay_out(struct study *s)
{
	for (uint32_t i = 0; i < s->layouts.n; i++) {
		gather(s, i);
		mark_cells(s, i);
	}
	study_pieces(s);
	find_badges(s);
	for (uint32_t i = 0; i < s->layouts.n; i++) {
		struct layout *l = &s->layouts.at[i];
		if (!l->oriented)
			orient(s, i);
		if (l->kind == BOARD_GRID)
			find_hexagons(s, l);
		for (size_t k = 0; k < s->statics.n && l->kind == BOARD_STRIP && !l->piles && !l->fold; k++)
			if (find_ties(l, &s->statics.at[k]))
				l->kind = BOARD_GRAPH;
		if (s->view)
			view_file_layout(s->view, study_text(s, s->families.at[l->leader].name), l);
		place_cells(l);
	}
}

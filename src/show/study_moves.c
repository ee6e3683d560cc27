/* Which arguments of moves name cells: one cell, two, a line between neighbours, or a whole column. */
#include "show/study_internal.h"

/* Every square that arguments a and b of these moves name is on the board. */
static bool names_squares(const struct study *s, const struct family *m, int a, int b, const struct layout *l)
{
	uint32_t columns = (uint32_t)l->axis[0].n;
	for (size_t i = 0; i < m->members.n; i++) {
		const struct parts *p = &s->move_parts.at[m->members.at[i]];
		uint32_t x = study_index(&l->axis[0], p->args[a]), y = b >= 0 ? study_index(&l->axis[1], p->args[b]) : 0;
		if (x == UINT32_MAX || y == UINT32_MAX || !l->exists.at[y * columns + x])
			return false;
	}
	return m->members.n > 0;
}

/* Does a rule bind the argument to this axis of the layout? */
static bool is_bound(const struct study *s, uint32_t move_family, int arg, uint32_t layout, int axis)
{
	for (uint32_t i = 0; i < s->families.n; i++)
		if (family_is_on(&s->families.at[i], layout) && s->families.at[i].axis[axis] >= 0 &&
		    study_shares(s, i, s->families.at[i].axis[axis], move_family + (uint32_t)s->families.n, arg))
			return true;
	return false;
}

/* The first argument, or pair of arguments, from `from` on that names cells; pairs in the order in which fluents have
 * them. `bound`: rules use them for the same things as the axes. */
static bool next_square(const struct study *s, uint32_t move_family, const struct family *m, uint32_t layout, int from,
                        bool bound, int axis[2])
{
	const struct layout *l = &s->layouts.at[layout];
	const struct family *lead = &s->families.at[l->leader];
	bool grid = l->axis[1].n, swapped = grid && lead->axis[0] > lead->axis[1];
	for (int a = from; a + grid < m->argc; a++) {
		int u = swapped ? a + 1 : a, v = !grid ? -1 : swapped ? a : a + 1;
		if (!names_squares(s, m, u, v, l) || (bound && !is_bound(s, move_family, u, layout, 0)) ||
		    (bound && grid && !is_bound(s, move_family, v, layout, 1)))
			continue;
		axis[0] = u;
		axis[1] = v;
		return true;
	}
	return false;
}

static bool parts_are_roles(const struct study *s, const struct layout *l)
{
	for (size_t i = 0; i < l->parts.n; i++)
		if (study_role(s, l->parts.at[i]) == UINT32_MAX)
			return false;
	return true;
}

static int part_argument(const struct family *m, const struct layout *l)
{
	for (int k = 0; k < m->argc && l->parts.n; k++) {
		bool all = k != m->axis[0] && k != m->axis[1] && k != m->to[0] && k != m->to[1];
		for (size_t i = 0; i < m->values[k].n && all; i++)
			all = study_index(&l->parts, m->values[k].at[i]) != UINT32_MAX;
		if (all)
			return k;
	}
	return -1;
}

static bool names_cells(const struct study *s, uint32_t move_family, uint32_t layout, struct family *m)
{
	const struct layout *l = &s->layouts.at[layout];
	bool bound = next_square(s, move_family, m, layout, 0, true, m->axis);
	if (!bound && !next_square(s, move_family, m, layout, 0, false, m->axis))
		return false;
	/* on strips any number would do: then it must be all of them */
	if (!l->axis[1].n && !bound && study_numbers(s, &l->axis[0]) && m->values[m->axis[0]].n < l->axis[0].n)
		return false;
	int last = m->axis[0] > m->axis[1] ? m->axis[0] : m->axis[1];
	if (!next_square(s, move_family, m, layout, last + 1, !l->axis[1].n, m->to))
		m->to[0] = m->to[1] = -1;
	m->part = part_argument(m, l);
	return m->part >= 0 || parts_are_roles(s, l);
}

/* (drop 3): a whole column. */
static bool names_line(const struct study *s, uint32_t move_family, uint32_t layout, struct family *m)
{
	const struct layout *l = &s->layouts.at[layout];
	for (int a = 0; a < m->argc && l->axis[1].n; a++) {
		bool all = is_bound(s, move_family, a, layout, 0) && !is_bound(s, move_family, a, layout, 1);
		for (size_t i = 0; i < m->values[a].n && all; i++)
			all = study_index(&l->axis[0], m->values[a].at[i]) != UINT32_MAX;
		if (!all)
			continue;
		m->axis[0] = a;
		m->axis[1] = m->to[0] = m->to[1] = -1;
		m->column = true;
		m->part = part_argument(m, l);
		if (!l->parts.n || m->part >= 0)
			return true;
	}
	return false;
}

/* (draw across 3 4): a link, by the same three arguments as the fluent. */
static bool names_links(const struct study *s, struct family *m)
{
	for (uint32_t i = 0; i < s->families.n; i++) {
		const struct family *f = &s->families.at[i];
		if (f->shape != SHAPE_LINKS || m->argc < 3)
			continue;
		const struct layout *l = &s->layouts.at[f->layout];
		int a = f->part < f->axis[0] && f->part < f->axis[1] ? 0 : 2, first = a ? 0 : 1;
		bool swapped = f->axis[0] > f->axis[1];
		m->axis[0] = first + swapped;
		m->axis[1] = first + !swapped;
		bool all = names_squares(s, m, m->axis[0], m->axis[1], l);
		for (size_t k = 0; k < m->values[a].n && all; k++)
			all = study_index(&f->values[f->part], m->values[a].at[k]) != UINT32_MAX;
		if (all) {
			m->layout = f->layout;
			m->shape = SHAPE_LINKS;
			m->part = a;
			m->horizontal_first = f->horizontal_first == (m->values[a].at[0] == f->values[f->part].at[0]);
			return true;
		}
	}
	return false;
}

static bool changes(const struct study *s, uint32_t move_family, uint32_t layout)
{
	for (size_t i = 0; i < s->effects.n; i++)
		if ((uint32_t)s->effects.at[i] == move_family && family_is_on(&s->families.at[s->effects.at[i] >> 32], layout))
			return true;
	return false;
}

static void place_move_family(const struct study *s, uint32_t i, struct family *m)
{
	m->layout = UINT32_MAX;
	m->shape = SHAPE_REST;
	m->part = -1;
	m->column = false;
	if (m->argc <= 0 || names_links(s, m))
		return;
	/* boards before strips, and among strips those that the moves change */
	for (int pass = 0; pass < 3; pass++)
		for (uint32_t layout = 0; layout < s->layouts.n; layout++)
			if ((s->layouts.at[layout].axis[1].n == 0) == (pass > 0) && (pass != 1 || changes(s, i, layout)) &&
			    names_cells(s, i, layout, m)) {
				m->layout = layout;
				m->shape = SHAPE_BOARD;
				return;
			}
	for (uint32_t layout = 0; layout < s->layouts.n; layout++)
		if (names_line(s, i, layout, m)) {
			m->layout = layout;
			m->shape = SHAPE_BOARD;
			return;
		}
}

void study_place_moves(struct study *s)
{
	for (uint32_t i = 0; i < s->move_families.n; i++) {
		struct family *m = &s->move_families.at[i];
		place_move_family(s, i, m);
		if (m->shape == SHAPE_BOARD && m->to[0] >= 0 && s->layouts.at[m->layout].kind == BOARD_GRID)
			s->layouts.at[m->layout].checkered = true;
	}
}

/* What kind of thing each family of fluents is. In this order:
 *
 * 1. squares: (cell x y what). Two arguments, with perhaps others that tell several boards apart, determine the rest,
 * and most of these squares say something from the start;
 * 2. what is on the same squares: (at piece x y), (visited x y), whatever its name;
 * 3. boards of which only such things are known, and lines between neighbours;
 * 4. strips: (seeds pit n), (on 3): one argument determines the rest, or says that something is there;
 * 5. what belongs to roles, counters, dice; and what is left. */
#include "show/study_internal.h"
#include "show/view_file.h"

#include "base/bits.h"

#include <string.h>

static bool is_role_argument(const struct study *s, const struct family *f, int k)
{
	for (size_t i = 0; i < f->values[k].n; i++)
		if (study_role(s, f->values[k].at[i]) == UINT32_MAX)
			return false;
	return f->values[k].n > 0;
}

static int role_argument(const struct study *s, const struct family *f)
{
	for (int k = 0; k < f->argc; k++)
		if (is_role_argument(s, f, k))
			return k;
	return -1;
}

static bool is_side(const struct study *s, const struct family *f, int k)
{
	return f->values[k].n >= 2 && f->values[k].n <= STUDY_SIDE && !is_role_argument(s, f, k);
}

/* Fluents of a family that differ in these arguments. */
static size_t combinations(const struct study *s, const struct family *f, uint32_t mask)
{
	struct table seen = {0};
	size_t n = 0;
	for (size_t i = 0; i < f->members.n; i++) {
		const struct parts *p = &s->parts.at[f->members.at[i]];
		uint64_t h = mask;
		uint32_t it;
		for (int k = 0; k < f->argc; k++)
			if (mask >> k & 1)
				h = hash_join(h, p->args[k]);
		table_start(&seen, h, &it);
		uint32_t id;
		while ((id = table_next(&seen, h, &it)) != TABLE_NONE) {
			const struct parts *q = &s->parts.at[f->members.at[id]];
			bool same = true;
			for (int k = 0; k < f->argc; k++)
				same &= !(mask >> k & 1) || p->args[k] == q->args[k];
			if (same)
				break;
		}
		if (id == TABLE_NONE) {
			table_add(&seen, h, (uint32_t)i);
			n++;
		}
	}
	table_free(&seen);
	return n;
}

static void merge_values(sym_list *into, const sym_list *from)
{
	for (size_t i = 0; i < from->n; i++)
		if (study_index(into, from->at[i]) == UINT32_MAX)
			vec_push(into, from->at[i]);
}

static bool is_subset(const sym_list *a, const sym_list *b)
{
	for (size_t i = 0; i < a->n; i++)
		if (study_index(b, a->at[i]) == UINT32_MAX)
			return false;
	return true;
}

/* Puts a family on a board: its arguments u and v (-1: a strip) are the axes. */
static void put_on(struct study *s, uint32_t family, uint32_t layout, int u, int v, int part)
{
	struct family *f = &s->families.at[family];
	struct layout *l = &s->layouts.at[layout];
	f->shape = SHAPE_BOARD;
	f->layout = layout;
	f->axis[0] = u;
	f->axis[1] = v;
	f->part = part;
	merge_values(&l->axis[0], &f->values[u]);
	if (v >= 0)
		merge_values(&l->axis[1], &f->values[v]);
	if (part >= 0)
		merge_values(&l->parts, &f->values[part]);
}

static uint32_t new_layout(struct study *s, uint32_t leader, enum board_kind kind)
{
	vec_push(&s->layouts, (struct layout){.kind = kind, .leader = leader});
	return (uint32_t)s->layouts.n - 1;
}

/* ---- 1. squares ------------------------------------------------------------------------- */

struct squares {
	int u, v, part;
	double score;
};

static void try_squares(const struct study *s, const struct family *f, int u, int v, int part, struct squares *best)
{
	uint32_t mask = 1u << u | 1u << v | (part >= 0 ? 1u << part : 0);
	if (part == u || part == v || (part >= 0 && f->values[part].n > STUDY_PARTS) || !family_has_key(f, mask) ||
	    __builtin_popcount(mask) == f->argc)
		return;
	double area = (double)combinations(s, f, mask), sides = (double)(f->values[u].n * f->values[v].n);
	double score = f->first / area;
	if (score < 0.25 || area * 3 < sides)
		return;
	score += study_is_ordered(s, &f->values[u]) && study_is_ordered(s, &f->values[v]) ? 0.01 : 0;
	score -= part >= 0 ? 0.1 : 0;
	if (score > best->score)
		*best = (struct squares){u, v, part, score};
}

static void find_squares(struct study *s, uint32_t family)
{
	struct family *f = &s->families.at[family];
	struct squares best = {.part = -1};
	for (int u = 0; u < f->argc; u++)
		for (int v = u + 1; v < f->argc; v++)
			for (int part = -1; part < f->argc && is_side(s, f, u) && is_side(s, f, v); part++)
				try_squares(s, f, u, v, part, &best);
	if (best.score > 0)
		put_on(s, family, new_layout(s, family, BOARD_GRID), best.u, best.v, best.part);
}

/* ---- 2. things on known squares ---------------------------------------------------------- */

/* A table of values, (fruits apple 10), not a place: every value of one argument always has exactly one of the other.
 */
static bool is_table(const struct family *f, int u, int v)
{
	uint32_t others = (1u << f->argc) - 1;
	bool down = family_is_total(f, others & ~(1u << v)) && family_has_key(f, others & ~(1u << v));
	bool across = family_is_total(f, others & ~(1u << u)) && family_has_key(f, others & ~(1u << u));
	return f->most > 1 && (down || across);
}

static bool shares_axes(const struct study *s, uint32_t family, int u, int v, uint32_t layout)
{
	for (uint32_t i = 0; i < s->families.n; i++) {
		const struct family *o = &s->families.at[i];
		if (i != family && o->shape == SHAPE_BOARD && o->layout == layout &&
		    study_shares(s, family, u, i, o->axis[0]) && (v < 0 || study_shares(s, family, v, i, o->axis[1])))
			return true;
	}
	return false;
}

/* Every square the family names is one of the layout's. */
static bool fits(const struct family *f, int u, int v, const struct layout *l)
{
	return is_subset(&f->values[u], &l->axis[0]) && is_subset(&f->values[v], &l->axis[1]);
}

static void find_things(struct study *s, uint32_t family)
{
	struct family *f = &s->families.at[family];
	for (uint32_t layout = 0; layout < s->layouts.n; layout++) {
		const struct layout *l = &s->layouts.at[layout];
		for (int u = 0; u < f->argc && l->axis[1].n; u++)
			for (int v = u + 1; v < f->argc; v++) {
				if (is_role_argument(s, f, u) || is_role_argument(s, f, v) || is_table(f, u, v) || !fits(f, u, v, l))
					continue;
				int part = -1;
				for (int k = 0; k < f->argc && l->parts.n; k++)
					if (k != u && k != v && is_subset(&f->values[k], &l->parts))
						part = k;
				bool both = shares_axes(s, family, u, v, layout);
				if ((l->parts.n && part < 0) || (f->thrown && !both) || (f->values[u].n + f->values[v].n < 4 && !both))
					continue;
				put_on(s, family, layout, u, v, part);
				return;
			}
	}
}

/* ---- 3. boards of things, and lines between neighbours ---------------------------------- */

/* Do these arguments say where something is, on a board that no family of squares has shown? */
static bool is_place(const struct study *s, const struct family *f, int u, int v)
{
	uint32_t all = (1u << f->argc) - 1, without_u = all & ~(1u << u), without_v = all & ~(1u << v);
	size_t area = f->values[u].n * f->values[v].n;
	if (!f->most || !is_side(s, f, u) || !is_side(s, f, v) || is_table(f, u, v) || f->thrown ||
	    combinations(s, f, 1u << u | 1u << v) * 3 < area)
		return false;
	if (!study_is_ordered(s, &f->values[u]) || !study_is_ordered(s, &f->values[v]))
		return false;
	/* one at a time is a piece that walks; many must fill both sides: not (height column n) */
	uint32_t rest = all & ~(1u << u | 1u << v);
	return family_has_key(f, rest) || (!family_has_key(f, without_u) && !family_has_key(f, without_v));
}

static void find_place(struct study *s, uint32_t family, double *best, int *u, int *v)
{
	const struct family *f = &s->families.at[family];
	for (int i = 0; i < f->argc; i++)
		for (int k = i + 1; k < f->argc; k++) {
			double area = (double)combinations(s, f, 1u << i | 1u << k);
			if (area > *best && is_place(s, f, i, k)) {
				*best = area;
				*u = i;
				*v = k;
			}
		}
}

/* The family with the most squares begins a board; others that fit join it. */
static bool begin_board_of_things(struct study *s)
{
	double best = 3;
	int u = -1, v = -1;
	uint32_t chosen = NO_FAMILY;
	for (uint32_t i = 0; i < s->families.n; i++) {
		double before = best;
		if (s->families.at[i].shape == SHAPE_REST && s->families.at[i].argc >= 2)
			find_place(s, i, &best, &u, &v);
		if (best > before)
			chosen = i;
	}
	if (chosen != NO_FAMILY)
		put_on(s, chosen, new_layout(s, chosen, BOARD_GRID), u, v, -1);
	return chosen != NO_FAMILY;
}

/* The squares that a value of `part` names, by rank of u and v in their orders. */
struct lattice {
	sym_list u, v;
	VEC(uint8_t) has[2];
};

static bool is_full(const struct lattice *l, int value, size_t columns, size_t rows)
{
	for (size_t j = 0; j < l->v.n; j++)
		for (size_t i = 0; i < l->u.n; i++)
			if (l->has[value].at[j * l->u.n + i] != (i < columns && j < rows))
				return false;
	return true;
}

/* One value joins each place with the next in its row, the other with the next in its column: then the first leaves the
 * last column out, and the other the last row. */
static bool is_lattice(struct study *s, const struct family *f, int u, int v, int part, bool *first)
{
	struct lattice l = {0};
	bool ring, found = false;
	merge_values(&l.u, &f->values[u]);
	merge_values(&l.v, &f->values[v]);
	study_order(s, &l.u, &ring);
	study_order(s, &l.v, &ring);
	for (int k = 0; k < 2; k++)
		for (size_t i = 0; i < l.u.n * l.v.n; i++)
			vec_push(&l.has[k], 0);
	for (size_t i = 0; i < f->members.n; i++) {
		const struct parts *p = &s->parts.at[f->members.at[i]];
		size_t cell = study_index(&l.v, p->args[v]) * l.u.n + study_index(&l.u, p->args[u]);
		l.has[study_index(&f->values[part], p->args[part])].at[cell] = 1;
	}
	for (int k = 0; k < 2 && !found; k++)
		if (is_full(&l, k, l.u.n - 1, l.v.n) && is_full(&l, !k, l.u.n, l.v.n - 1)) {
			*first = !k;
			found = true;
		}
	vec_free(&l.u);
	vec_free(&l.v);
	vec_free(&l.has[0]);
	vec_free(&l.has[1]);
	return found;
}

static bool find_lattice(struct study *s, uint32_t family)
{
	for (int part = 0; part < s->families.at[family].argc; part++)
		for (int u = 0; u < s->families.at[family].argc; u++)
			for (int v = u + 1; v < s->families.at[family].argc; v++) {
				struct family *f = &s->families.at[family];
				bool first;
				if (part == u || part == v || f->values[part].n != 2 || !is_side(s, f, u) || !is_side(s, f, v) ||
				    is_role_argument(s, f, part) || !is_lattice(s, f, u, v, part, &first))
					continue;
				uint32_t layout = 0;
				while (layout < s->layouts.n && (!s->layouts.at[layout].axis[1].n || s->layouts.at[layout].parts.n ||
				                                 !fits(f, u, v, &s->layouts.at[layout])))
					layout++;
				if (layout == s->layouts.n)
					new_layout(s, family, BOARD_GRID);
				put_on(s, family, layout, u, v, -1);
				f->shape = SHAPE_LINKS;
				f->part = part;
				f->horizontal_first = first;
				return true;
			}
	return false;
}

/* ---- 4. strips ---------------------------------------------------------------------------- */

/* (seeds pit n), (men owner point n), (code place colour): the argument that determines the others. */
static void find_strip(struct study *s, uint32_t family)
{
	struct family *f = &s->families.at[family];
	int role = role_argument(s, f), best = -1;
	uint32_t owner = role >= 0 ? 1u << role : 0;
	for (int k = 0; k < f->argc; k++) {
		bool better = best < 0 || family_is_total(f, 1u << k | owner) > family_is_total(f, 1u << best | owner);
		if (k != role && f->values[k].n >= 2 && f->values[k].n <= STUDY_STRIP && family_has_key(f, 1u << k | owner) &&
		    better)
			best = k;
	}
	if (best < 0 || f->most < 2 || f->argc < 2 + (role >= 0) || f->argc > 3)
		return;
	if (role >= 0 && !family_is_total(f, 1u << best | owner))
		return;
	int other = 0;
	while (other == best || other == role)
		other++;
	bool same = is_subset(&f->values[best], &f->values[other]) || is_subset(&f->values[other], &f->values[best]);
	bool total = family_is_total(f, 1u << best | owner);
	bool wanted = s->view && view_file_wants_strip(s->view, study_text(s, f->name));
	if (!wanted && !total && (same || (f->thrown && study_numbers(s, &f->values[other]))))
		return; /* (lies_on 24 21), (die 2 6): no table, and no place */
	/* (on disc peg): few places for many things, which lie one on the other */
	bool piles = role < 0 && total && f->values[other].n <= f->values[best].n && study_is_ranked(s, &f->values[best]) &&
	             !study_is_ranked(s, &f->values[other]);
	uint32_t layout = new_layout(s, family, BOARD_STRIP);
	s->layouts.at[layout].piles = piles;
	bool split = role >= 0 && s->view && view_file_splits(s->view, study_text(s, f->name));
	put_on(s, family, layout, piles ? other : best, -1, split ? role : -1);
}

/* (on 3): something is there; others that say so of the same values join, as do those that walk over them. */
static bool joins_strip(const struct study *s, uint32_t family, uint32_t layout)
{
	const struct family *f = &s->families.at[family];
	const struct layout *l = &s->layouts.at[layout];
	const struct family *lead = &s->families.at[l->leader];
	return f->argc == 1 && !l->axis[1].n && lead->argc == 1 && shares_axes(s, family, 0, -1, layout) &&
	       (is_subset(&f->values[0], &l->axis[0]) || is_subset(&l->axis[0], &f->values[0]));
}

static bool is_unary(const struct study *s, const struct family *f)
{
	return f->shape == SHAPE_REST && f->argc == 1 && f->values[0].n >= 2 && f->values[0].n <= STUDY_STRIP &&
	       !is_role_argument(s, f, 0);
}

static bool has_companion(const struct study *s, uint32_t family)
{
	for (uint32_t i = 0; i < s->families.n; i++) {
		const struct family *o = &s->families.at[i], *f = &s->families.at[family];
		if (i != family && is_unary(s, o) && !family_is_total(f, 0) && !family_is_total(o, 0) &&
		    study_shares(s, family, 0, i, 0) && is_subset(&o->values[0], &f->values[0]))
			return true;
	}
	return false;
}

/* (press 2) may make (on 2): places that moves name one by one, whether or not several were ever on. */
static bool is_pressed(const struct study *s, uint32_t family)
{
	const struct family *f = &s->families.at[family];
	for (uint32_t i = 0; i < s->move_families.n; i++) {
		const struct family *m = &s->move_families.at[i];
		if (m->argc == 1 && m->values[0].n == f->values[0].n && is_subset(&m->values[0], &f->values[0]) &&
		    study_shares(s, family, 0, i + (uint32_t)s->families.n, 0))
			return !f->thrown && !family_is_total(f, 0) && study_is_ordered(s, &f->values[0]);
	}
	return false;
}

static void find_presence(struct study *s)
{
	/* several at once, or several families of the same places */
	for (uint32_t i = 0; i < s->families.n; i++)
		if (is_unary(s, &s->families.at[i]) &&
		    (s->families.at[i].most > 1 || has_companion(s, i) || is_pressed(s, i))) {
			uint32_t layout = 0;
			while (layout < s->layouts.n && !joins_strip(s, i, layout))
				layout++;
			if (layout == s->layouts.n)
				new_layout(s, i, BOARD_STRIP);
			put_on(s, i, layout, 0, -1, -1);
		}
	for (uint32_t i = 0; i < s->families.n; i++)
		for (uint32_t layout = 0; layout < s->layouts.n && is_unary(s, &s->families.at[i]); layout++)
			if (joins_strip(s, i, layout))
				put_on(s, i, layout, 0, -1, -1);
}

/* ---- 5. beside the boards ------------------------------------------------------------------ */

static void find_fact(const struct study *s, struct family *f)
{
	int role = role_argument(s, f);
	if (f->argc <= 0)
		return;
	if (f->argc == 1)
		f->shape = role == 0 ? SHAPE_TURN : f->thrown ? SHAPE_DICE : f->most > 1 ? SHAPE_REST : SHAPE_COUNTER;
	else if (role >= 0)
		f->shape = family_has_key(f, 1u << role) ? SHAPE_COUNTER : SHAPE_HAND;
	else if (f->thrown)
		f->shape = SHAPE_DICE;
	else if (f->most <= 1)
		f->shape = SHAPE_COUNTER;
	f->owner = role;
}

/* ---- all --------------------------------------------------------------------------------- */

static void finish(struct study *s)
{
	for (size_t i = 0; i < s->families.n; i++) {
		struct family *f = &s->families.at[i];
		if (f->shape != SHAPE_BOARD && f->shape != SHAPE_LINKS)
			continue;
		for (int k = 0; k < f->argc; k++)
			if (k != f->axis[0] && k != f->axis[1] && k != f->part) {
				f->content = true;
				if (is_role_argument(s, f, k) && f->owner < 0)
					f->owner = k;
			}
	}
}

void study_decide(struct study *s)
{
	for (uint32_t i = 0; i < s->families.n && s->view; i++)
		if (view_file_hides(s->view, study_text(s, s->families.at[i].name)))
			s->families.at[i].shape = SHAPE_HIDDEN;
	for (uint32_t i = 0; i < s->families.n; i++)
		if (s->families.at[i].shape == SHAPE_REST && s->families.at[i].argc >= 3)
			find_squares(s, i);
	for (uint32_t i = 0; i < s->families.n; i++)
		if (s->families.at[i].shape == SHAPE_REST && s->families.at[i].argc >= 3)
			find_lattice(s, i);
	do
		for (uint32_t i = 0; i < s->families.n; i++)
			if (s->families.at[i].shape == SHAPE_REST && s->families.at[i].argc >= 2)
				find_things(s, i);
	while (begin_board_of_things(s));
	for (uint32_t i = 0; i < s->families.n; i++)
		if (s->families.at[i].shape == SHAPE_REST && s->families.at[i].argc >= 2)
			find_strip(s, i);
	find_presence(s);
	for (uint32_t i = 0; i < s->families.n; i++)
		if (s->families.at[i].shape == SHAPE_REST)
			find_fact(s, &s->families.at[i]);
	finish(s);
}

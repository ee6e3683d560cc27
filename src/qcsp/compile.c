/* The same problem in a form that propagates fast.
 *
 * A constraint that distinguishes few classes of values ("all odd") is much smaller over *class variables*: hidden
 * state variables that say which class the value of a variable is in, one per variable and partition, tied to it by a
 * table of pairs. Large conjunctions and disjunctions over state variables get a hidden Boolean for each part. All of
 * this follows from the variables of the problem, and a new constraint mentions the quantified variables of the old one
 * itself, so it takes part at the same time.
 *
 * The work is done on a copy, made by writing the problem and reading it again. */
#include "qcsp/compile.h"

#include <stdio.h>
#include <string.h>

#define MOST_TUPLES 8192 /* of one new table; what is smaller as it stands is a table already */

#define SHAPE_MOST_TUPLES 4096

struct partition {
	uint32_t x, position, class_variable; /* position: one that has this partition, in classes.at */
};

struct compiler {
	struct compiled *to;
	struct csp *n;
	const struct classes *k;
	VEC(struct partition) known;
	uint32_t hidden; /* variables so far, for names */
	VEC(uint32_t) scope;
	VEC(int32_t) tuples;
};

/* ---- variables ---- */

static uint32_t hidden_variable(struct compiler *m, uint32_t values)
{
	char name[32];
	do
		snprintf(name, sizeof name, "hidden[%u]", m->hidden++);
	while (csp_find(m->n, name) != CSP_NONE);
	uint32_t x = csp_var_range(m->n, name, 0, (int32_t)values - 1);
	if (x != CSP_NONE)
		csp_hide(m->n, x);
	return x;
}

static uint32_t class_count(const struct compiler *m, uint32_t c, uint32_t p)
{
	uint32_t most = 0, x = csp_scope(m->n, c)[p];
	for (uint32_t i = 0; i < csp_count(m->n, x); i++)
		most = classes_of(m->k, c, p)[i] > most ? classes_of(m->k, c, p)[i] : most;
	return most + 1;
}

/* The variable whose values are the classes at position p of c. */
static uint32_t class_variable(struct compiler *m, uint32_t c, uint32_t p)
{
	uint32_t x = csp_scope(m->n, c)[p], count = csp_count(m->n, x), classes = class_count(m, c, p);
	const uint32_t *of = classes_of(m->k, c, p);
	if (m->to->q->place[x] != CSP_NONE || classes == count)
		return x;
	for (size_t i = 0; i < m->known.n; i++)
		if (m->known.at[i].x == x && !memcmp(m->k->of + m->known.at[i].position, of, count * sizeof *of))
			return m->known.at[i].class_variable;
	uint32_t b = hidden_variable(m, classes);
	vec_clear(&m->tuples);
	for (uint32_t i = 0; i < count; i++) {
		vec_push(&m->tuples, csp_value(m->n, x, i));
		vec_push(&m->tuples, (int32_t)of[i]);
	}
	csp_add_table(m->n, (uint32_t[]){x, b}, 2, m->tuples.at, count, true);
	vec_push(&m->known, (struct partition){x, m->k->at[m->k->start[c] + p], b});
	return b;
}

/* ---- small parts become tables ---- */

/* The values that stand for the classes at position p: of a class variable one per class, else all. */
static uint32_t representatives(const struct compiler *m, uint32_t c, uint32_t p, uint32_t *out)
{
	uint32_t x = csp_scope(m->n, c)[p], count = 0, seen = 0;
	bool all = m->to->q->place[x] != CSP_NONE || class_count(m, c, p) == csp_count(m->n, x);
	for (uint32_t i = 0; i < csp_count(m->n, x); i++)
		if (all || classes_of(m->k, c, p)[i] == seen) { /* classes are numbered as they come */
			if (out)
				out[count] = i;
			count++;
			seen++;
		}
	return count;
}

static void mark_positions(const struct csp *n, uint32_t e, bool *in)
{
	const struct csp_node d = csp_expr_node(n, e);
	if (d.op == CSP_OP_VAR)
		in[d.position] = true;
	for (uint32_t i = 0; i < d.count; i++)
		mark_positions(n, d.args[i], in);
}

/* Adds the table of expression e of constraint c over its class variables; with truth != CSP_NONE that variable says
 * whether e holds, else e must hold. False: too large, or e has no value somewhere. */
static bool tabulate(struct compiler *m, uint32_t c, uint32_t e, uint32_t truth)
{
	struct csp *n = m->n;
	uint32_t arity = csp_arity(n, c), width = 0;
	bool *in = NEW_ARRAY(bool, arity);
	uint32_t *at = NEW_ARRAY(uint32_t, arity), *size = NEW_ARRAY(uint32_t, arity);
	uint32_t **values = NEW_ARRAY(uint32_t *, arity);
	int64_t *now = NEW_ARRAY(int64_t, arity);
	VEC(int32_t) rows = {0};
	double all = 1;
	mark_positions(n, e, in);
	vec_clear(&m->scope);
	for (uint32_t p = 0; p < arity; p++)
		if (in[p])
			all *= size[p] = representatives(m, c, p, NULL);
	bool ok = all <= MOST_TUPLES;
	for (uint32_t p = 0; p < arity && ok; p++) {
		if (!in[p])
			continue;
		uint32_t b = class_variable(m, c, p);
		vec_push(&m->scope, b);
		values[p] = NEW_ARRAY(uint32_t, size[p]);
		representatives(m, c, p, values[p]);
	}
	for (bool more = ok; more && ok;) {
		int64_t holds = 0;
		for (uint32_t p = 0; p < arity; p++)
			if (in[p])
				now[p] = csp_value(n, csp_scope(n, c)[p], values[p][at[p]]);
		ok = csp_expr_eval(n, e, now, &holds);
		if (truth != CSP_NONE || holds) {
			width = 0;
			for (uint32_t p = 0; p < arity; p++)
				if (in[p]) {
					uint32_t b = m->scope.at[width++];
					vec_push(&rows, b == csp_scope(n, c)[p] ? (int32_t)now[p] : (int32_t)at[p]);
				}
			if (truth != CSP_NONE)
				vec_push(&rows, holds != 0);
		}
		more = false;
		for (uint32_t p = arity; p-- && !more;)
			if (in[p]) {
				more = ++at[p] < size[p];
				at[p] = more ? at[p] : 0;
			}
	}
	if (truth != CSP_NONE)
		vec_push(&m->scope, truth);
	if (ok)
		ok = csp_add_table(n, m->scope.at, m->scope.n, rows.at, m->scope.n ? rows.n / m->scope.n : 0, true) != CSP_NONE;
	for (uint32_t p = 0; p < arity; p++)
		mem_free(values[p]);
	mem_free(values);
	mem_free(in);
	mem_free(at);
	mem_free(size);
	mem_free(now);
	vec_free(&rows);
	return ok;
}

/* ---- large ones are taken apart ---- */

/* all = 1: t is the conjunction of the parts; all = 0: the disjunction. */
static bool combine(struct compiler *m, const uint32_t *parts, uint32_t count, uint32_t t, int32_t all)
{
	VEC(uint32_t) scope = {0};
	VEC(int32_t) rows = {0};
	for (uint32_t i = 0; i < count; i++)
		vec_push(&scope, parts[i]);
	vec_push(&scope, t);
	for (uint32_t i = 0; i <= count; i++) { /* row i: part i decides alone; the last one: none does */
		for (uint32_t j = 0; j < count; j++)
			vec_push(&rows, i == count ? all : j == i ? 1 - all : CSP_ANY);
		vec_push(&rows, i == count ? all : 1 - all);
	}
	bool ok = csp_add_table(m->n, scope.at, scope.n, rows.at, count + 1, true) != CSP_NONE;
	vec_free(&scope);
	vec_free(&rows);
	return ok;
}

/* A hidden 0/1 variable that says whether e holds, or CSP_NONE. */
static uint32_t truth_of(struct compiler *m, uint32_t c, uint32_t e)
{
	uint32_t t = hidden_variable(m, 2);
	if (t == CSP_NONE || tabulate(m, c, e, t))
		return t;
	enum csp_operator op = csp_expr_node(m->n, e).op;
	uint32_t count = csp_expr_node(m->n, e).count, *parts = NEW_ARRAY(uint32_t, count + 1);
	bool ok = op == CSP_OP_AND || op == CSP_OP_OR;
	for (uint32_t i = 0; i < count && ok; i++) {
		parts[i] = truth_of(m, c, csp_expr_node(m->n, e).args[i]);
		ok = parts[i] != CSP_NONE;
	}
	ok = ok && combine(m, parts, count, t, op == CSP_OP_AND);
	mem_free(parts);
	return ok ? t : CSP_NONE;
}

static bool state_only(const struct compiler *m, uint32_t c)
{
	for (uint32_t p = 0; p < csp_arity(m->n, c); p++)
		if (m->to->q->place[csp_scope(m->n, c)[p]] != CSP_NONE)
			return false;
	return true;
}

static bool large(const struct compiler *m, uint32_t c)
{
	double all = 1;
	for (uint32_t p = 0; p < csp_arity(m->n, c); p++)
		all *= csp_count(m->n, csp_scope(m->n, c)[p]);
	return all > MOST_TUPLES && csp_arity(m->n, c) > 2;
}

static bool replace(struct compiler *m, uint32_t c)
{
	uint32_t root = csp_root(m->n, c);
	if (tabulate(m, c, root, CSP_NONE))
		return true;
	uint32_t t = state_only(m, c) ? truth_of(m, c, root) : CSP_NONE;
	return t != CSP_NONE && csp_add_table(m->n, &t, 1, (int32_t[]){1}, 1, true) != CSP_NONE;
}

/* ---- small constraints by classes ---- */

static void make_shape(struct compiled *d, uint32_t c)
{
	struct csp *n = d->q->n;
	const struct classes *k = &d->classes;
	struct shape *s = &d->shapes[c];
	uint32_t arity = csp_arity(n, c), *first[SHAPE_MOST_ARITY] = {0}, cls[SHAPE_MOST_ARITY] = {0}, at[SHAPE_MOST_ARITY];
	double all = 1;
	if (arity > SHAPE_MOST_ARITY)
		return;
	s->sizes = NEW_ARRAY(uint32_t, arity + 1);
	for (uint32_t p = 0; p < arity; p++) {
		uint32_t x = csp_scope(n, c)[p];
		first[p] = NEW_ARRAY(uint32_t, csp_count(n, x) + 1);
		for (uint32_t i = csp_count(n, x); i--;) {
			uint32_t m = classes_of(k, c, p)[i];
			first[p][m] = i;
			s->sizes[p] = m + 1 > s->sizes[p] ? m + 1 : s->sizes[p];
		}
		all *= s->sizes[p] <= 64 ? s->sizes[p] : SHAPE_MOST_TUPLES + 1;
	}
	bool small = all <= SHAPE_MOST_TUPLES;
	s->tuples = small ? (size_t)all : 0;
	s->truth = NEW_ARRAY(uint8_t, s->tuples + 1);
	for (size_t i = 0; i < s->tuples; i++) {
		for (uint32_t p = 0; p < arity; p++)
			at[p] = first[p][cls[p]];
		s->truth[i] = csp_check_at(n, c, at);
		uint32_t p = arity;
		while (p-- && ++cls[p] == s->sizes[p])
			cls[p] = 0;
	}
	for (uint32_t p = 0; p < arity; p++)
		mem_free(first[p]);
	if (!small) {
		mem_free(s->sizes);
		s->sizes = NULL;
	}
}

/* For all values left to the other positions: does some value left at position `free` fit (free = arity: must all fit)?
 */
static bool always_from(const struct shape *s, uint32_t arity, uint32_t free, const uint64_t *left, uint32_t p,
                        size_t at)
{
	if (p == arity) {
		if (free == arity)
			return s->truth[at];
		size_t step = 1;
		for (uint32_t k = free + 1; k < arity; k++)
			step *= s->sizes[k];
		for (uint64_t m = left[free]; m; m &= m - 1)
			if (s->truth[at + step * (size_t)__builtin_ctzll(m)])
				return true;
		return false;
	}
	if (p == free)
		return always_from(s, arity, free, left, p + 1, at * s->sizes[p]);
	for (uint64_t m = left[p]; m; m &= m - 1)
		if (!always_from(s, arity, free, left, p + 1, at * s->sizes[p] + (size_t)__builtin_ctzll(m)))
			return false;
	return true;
}

bool shape_always(const struct shape *s, uint32_t arity, uint32_t free, const uint64_t *left)
{
	return always_from(s, arity, free, left, 0, 0);
}

static bool divides(const struct csp *n, uint32_t e)
{
	const struct csp_node d = csp_expr_node(n, e);
	bool any = d.op == CSP_OP_DIV || d.op == CSP_OP_MOD || d.op == CSP_OP_POW;
	for (uint32_t i = 0; i < d.count && !any; i++)
		any = divides(n, d.args[i]);
	return any;
}

/* ---- large ones that cannot fail ---- */

/* The only position below e; CSP_NONE: there is none, or several. */
static uint32_t only_position(const struct csp *n, uint32_t e, bool *several)
{
	const struct csp_node d = csp_expr_node(n, e);
	uint32_t only = d.op == CSP_OP_VAR ? d.position : CSP_NONE;
	for (uint32_t i = 0; i < d.count && !*several; i++) {
		uint32_t p = only_position(n, d.args[i], several);
		*several = *several || (p != CSP_NONE && only != CSP_NONE && p != only);
		only = p != CSP_NONE ? p : only;
	}
	return *several ? CSP_NONE : only;
}

/* Values of the variable at position p that make e false. */
static uint64_t failures(struct csp *n, uint32_t c, uint32_t e, uint32_t p)
{
	uint32_t x = csp_scope(n, c)[p];
	int64_t *values = NEW_ARRAY(int64_t, csp_arity(n, c)), out;
	uint64_t bad = 0;
	for (uint32_t i = 0; i < csp_count(n, x); i++) {
		values[p] = csp_value(n, x, i);
		if (!csp_expr_eval(n, e, values, &out) || !out)
			bad |= UINT64_C(1) << i;
	}
	mem_free(values);
	return bad;
}

static void take_apart(struct compiled *d, uint32_t c, uint32_t e, uint32_t into)
{
	struct csp *n = d->q->n;
	enum csp_operator op = csp_expr_node(n, e).op;
	bool several = false;
	uint32_t p = only_position(n, e, &several), x = p != CSP_NONE ? csp_scope(n, c)[p] : CSP_NONE;
	if (x != CSP_NONE && csp_count(n, x) <= 64) {
		d->parts.at[into] = (struct part){.kind = PART_VALUES, .x = x, .bad = failures(n, c, e, p)};
	} else if (op == CSP_OP_AND || op == CSP_OP_OR) {
		uint32_t first = narrow32(d->parts.n), count = csp_expr_node(n, e).count;
		d->parts.at[into] =
			(struct part){.kind = op == CSP_OP_AND ? PART_AND : PART_OR, .first = first, .count = count};
		for (uint32_t i = 0; i < count; i++)
			vec_push(&d->parts, (struct part){0});
		for (uint32_t i = 0; i < count; i++)
			take_apart(d, c, csp_expr_node(n, e).args[i], first + i);
	} else {
		d->parts.at[into] = (struct part){.kind = PART_OTHER, .x = d->defined[c] ? e : CSP_NONE};
	}
}

static bool cannot_fail(const struct compiled *d, const struct part *t)
{
	struct csp *n = d->q->n;
	switch (t->kind) {
	case PART_VALUES:
		for (uint64_t bad = t->bad; bad; bad &= bad - 1)
			if (csp_has_at(n, t->x, (uint32_t)__builtin_ctzll(bad)))
				return false;
		return true;
	case PART_OTHER: return t->x != CSP_NONE && csp_expr_bounds(n, t->x).low >= 1;
	default:
		for (uint32_t i = 0; i < t->count; i++)
			if (cannot_fail(d, &d->parts.at[t->first + i]) != (t->kind == PART_AND))
				return t->kind == PART_OR;
		return t->kind == PART_AND;
	}
}

bool compiled_cannot_fail(const struct compiled *d, uint32_t c)
{
	return d->part_of[c] != CSP_NONE && cannot_fail(d, &d->parts.at[d->part_of[c]]);
}

/* ---- the copy ---- */

static bool same_problem(const struct csp *a, const struct csp *b)
{
	bool same = csp_variables(a) == csp_variables(b) && csp_constraints(a) == csp_constraints(b);
	for (uint32_t x = 0; same && x < csp_variables(a); x++)
		same = !strcmp(csp_name(a, x), csp_name(b, x)) && csp_count(a, x) == csp_count(b, x);
	for (uint32_t c = 0; same && c < csp_constraints(a); c++)
		same = csp_kind(a, c) == csp_kind(b, c) && csp_arity(a, c) == csp_arity(b, c) &&
		       !memcmp(csp_scope(a, c), csp_scope(b, c), csp_arity(a, c) * sizeof(uint32_t)) && csp_origin(a, c) == c;
	return same;
}

/* NULL: what is read is not what was written, as when constraints have parts; or it cannot be changed. */
static struct qcsp *copy_of(struct qcsp *q)
{
	struct text t = {0};
	struct csp_source_error e;
	qcsp_write_xml(q, &t);
	struct qcsp *copy = qcsp_read_xml(t.at, t.n, &e);
	text_free(&t);
	if (copy && !same_problem(q->n, copy->n)) {
		qcsp_free(copy);
		copy = NULL;
	}
	return copy;
}

/* What was taken from domains by hand. */
static void copy_domains(const struct csp *from, struct csp *to)
{
	for (uint32_t x = 0; x < csp_variables(from); x++)
		for (uint32_t i = 0; csp_size(from, x) < csp_count(from, x) && i < csp_count(from, x); i++)
			if (!csp_has_at(from, x, i))
				csp_forbid_at(to, x, i);
}

void compiled_make(struct compiled *d, struct qcsp *q, const bool *ignored)
{
	struct qcsp *copy = copy_of(q);
	*d = (struct compiled){.q = copy ? copy : q,
	                       .own = copy,
	                       .vars = csp_variables(q->n),
	                       .cons = csp_constraints(q->n),
	                       .ignored = ignored};
	classes_build(&d->classes, d->q->n);
	d->replaced = NEW_ARRAY(bool, d->cons + 1);
	d->shapes = NEW_ARRAY(struct shape, d->cons + 1);
	d->defined = NEW_ARRAY(bool, d->cons + 1);
	d->part_of = NEW_ARRAY(uint32_t, d->cons + 1);
	for (uint32_t c = 0; c < d->cons; c++) {
		make_shape(d, c);
		d->part_of[c] = CSP_NONE;
		if (csp_kind(d->q->n, c) != CSP_INTENSION || d->shapes[c].sizes)
			continue;
		d->defined[c] = !divides(d->q->n, csp_root(d->q->n, c));
		d->part_of[c] = narrow32(d->parts.n);
		vec_push(&d->parts, (struct part){0});
		take_apart(d, c, csp_root(d->q->n, c), d->part_of[c]);
	}
	if (!copy)
		return;
	struct compiler m = {.to = d, .n = copy->n, .k = &d->classes};
	for (uint32_t c = 0; c < d->cons; c++)
		d->replaced[c] =
			csp_kind(m.n, c) == CSP_INTENSION && !(ignored && ignored[c]) && large(&m, c) && replace(&m, c);
	vec_free(&m.known);
	vec_free(&m.scope);
	vec_free(&m.tuples);
	copy->place = mem_resize(copy->place, csp_variables(copy->n) + 1, sizeof *copy->place);
	for (uint32_t x = d->vars; x <= csp_variables(copy->n); x++)
		copy->place[x] = CSP_NONE;
	copy_domains(q->n, copy->n);
}

void compiled_free(struct compiled *d)
{
	for (uint32_t c = 0; c < d->cons; c++) {
		mem_free(d->shapes[c].sizes);
		mem_free(d->shapes[c].truth);
	}
	mem_free(d->shapes);
	mem_free(d->defined);
	mem_free(d->part_of);
	vec_free(&d->parts);
	classes_free(&d->classes);
	mem_free(d->replaced);
	if (d->own)
		qcsp_free(d->q);
}

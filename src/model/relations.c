/* The translation of the papers (004, section 4.1 and Table 4): variables stand for the relations of the rulesheet,
 * tables for its rules.
 *
 * A relation whose ground instances exclude one another is one variable with the instances as its domain. Others are
 * split at one argument, which the rest determine (this is what eliminating functions comes to: F(t1, ..., tk, Z) has
 * one Z), and where that cannot be proved every instance is a Boolean. Of a rule, the instances that define a variable
 * become one table: its outcome is the variable itself, or, where several rules define that, a variable of the rule,
 * and one more table says that the relation is what its rules say, and nothing else (the completion of the program).
 *
 * Predicates that grounding introduced are no relations: tables look through them. So they do through recursion, which
 * is written out as gates: a rule may not support itself. */
#include "model/model_internal.h"

#include "circuit/unroll_loops.h"
#include "game/rules_view.h"

#include <stdlib.h>
#include <string.h>

#define MOST_PAIRS 20000 /* of rule bodies to be compared for one variable */

/* A rule's part in an instance of a relation: it holds when this literal does. */
struct part {
	uint32_t clause;
	lit_t when;
};

struct relations {
	uint32_t *relation_of; /* by gate: 1 + relation; 0: none */
	VEC(struct relation_var {
		uint32_t first, n;
		bool defined;
	}) all; /* members[first .. first + n) */
	VEC(atom_t) members;
	uint32_t *part_of; /* by atom: parts[part_of[a] .. part_of[a + 1]) */
	VEC(struct part) parts;
	uint32_t gates; /* of the circuit before gates of rules were added */
	uint8_t *seen;  /* by gate: scratch of a walk down */
};

/* ---- the parts: gates for the bodies of rules ------------------------------------------- */

static lit_t body_literal(const struct model *m, uint32_t l)
{
	lit_t a = m->c.atoms.at[l / 2];
	return a == LIT_NONE ? LIT_NONE : a ^ (l & 1);
}

/* Wide gates become trees of narrower ones, as in the rest of the circuit. */
static lit_t narrow_gate(struct model *m, enum gate_kind kind, lit_t *l, uint32_t n)
{
	while (n > UNROLL_WIDEST) {
		uint32_t k = 0;
		for (uint32_t i = 0; i < n; i += UNROLL_WIDEST)
			l[k++] = circuit_gate(&m->c, kind, l + i, n - i < UNROLL_WIDEST ? n - i : UNROLL_WIDEST);
		n = k;
	}
	return circuit_gate(&m->c, kind, l, n);
}

/* The conjunction of a rule's body; LIT_NONE: it needs an atom that was folded away. */
static lit_t body(struct model *m, const struct ground *g, uint32_t rule)
{
	VEC(lit_t) in = {0};
	bool missing = false, never = false;
	for (uint32_t k = g->rule.at[rule]; k < g->rule.at[rule + 1]; k++) {
		lit_t l = body_literal(m, g->body.at[k]);
		missing |= l == LIT_NONE;
		never |= l == LIT_FALSE;
		if (l != LIT_NONE)
			vec_push(&in, l);
	}
	lit_t out = never ? LIT_FALSE : missing ? LIT_NONE : narrow_gate(m, GATE_AND, in.at, (uint32_t)in.n);
	vec_free(&in);
	return out;
}

static int by_clause(const void *a, const void *b)
{
	const struct part *x = a, *y = b;
	return x->clause != y->clause ? (x->clause > y->clause) - (x->clause < y->clause)
	                              : (x->when > y->when) - (x->when < y->when);
}

/* The parts of an atom: one for each clause, the disjunction of its instances. */
static void find_parts(struct model *m, const struct ground *g, atom_t a)
{
	struct relations *x = m->relations;
	VEC(struct part) found = {0};
	VEC(lit_t) in = {0};
	bool missing = false;
	for (uint32_t i = g->first.at[a]; i < g->first.at[a + 1]; i++) {
		struct part p = {g->clause.at[i], body(m, g, i)};
		missing |= p.when == LIT_NONE;
		if (p.when != LIT_FALSE)
			vec_push(&found, p);
	}
	if (missing) { /* part of a rule was folded away: there is only the atom as a whole */
		struct part p = {UINT32_MAX, LIT_NONE};
		vec_push(&x->parts, p);
	}
	if (found.n && !missing)
		qsort(found.at, found.n, sizeof *found.at, by_clause);
	for (size_t i = 0; i < found.n && !missing;) {
		struct part p = found.at[i];
		vec_clear(&in);
		for (; i < found.n && found.at[i].clause == p.clause; i++)
			vec_push(&in, found.at[i].when);
		p.when = narrow_gate(m, GATE_OR, in.at, (uint32_t)in.n);
		if (p.when != LIT_FALSE)
			vec_push(&x->parts, p);
	}
	vec_free(&found);
	vec_free(&in);
}

/* ---- which atoms are relations -------------------------------------------------------------- */

static bool keyword(const struct ground *g, atom_t a)
{
	return g->datalog.preds.at[g->names.at[a].pred].name < GDL_KEYWORD_COUNT;
}

/* Has the atom a gate of its own, which no recursion needs? */
static bool is_relation(const struct model *m, const struct circuit *folded, const struct ground *g, atom_t a)
{
	lit_t l = m->c.atoms.at[a], before = folded->atoms.at[a];
	uint32_t inputs = 1 + m->c.fluents + m->c.moves;
	return a >= g->fluents.n + g->moves.n && l != LIT_NONE && !(l & 1) && l / 2 >= inputs &&
	       !g->datalog.preds.at[g->names.at[a].pred].made && !keyword(g, a) && before != LIT_NONE &&
	       folded->gates.at[before / 2].kind != GATE_LOOP;
}

/* Two literals that are never true together: values of one variable, or a literal and its negation. */
static bool exclude(const struct model *m, lit_t a, lit_t b)
{
	uint32_t x = a / 2, y = b / 2, fluents = m->c.fluents, moves = m->c.moves;
	if (a == (b ^ 1))
		return true;
	if ((a | b) & 1 || x == y || !x || !y)
		return false;
	if (x <= fluents && y <= fluents)
		return m->groups->group_of[x - 1] != GROUP_NONE && m->groups->group_of[x - 1] == m->groups->group_of[y - 1];
	if (x <= fluents || y <= fluents || x > fluents + moves || y > fluents + moves)
		return false;
	return game_role_of(m->game, x - 1 - fluents) == game_role_of(m->game, y - 1 - fluents);
}

/* The literals that hold whenever l does, one level deep. */
static uint32_t implied(const struct model *m, const lit_t *l, const lit_t **out)
{
	const struct gate *g = &m->c.gates.at[*l / 2];
	if (*l & 1 || g->kind != GATE_AND) {
		*out = l;
		return 1;
	}
	*out = m->c.inputs.at + g->in;
	return g->n;
}

static bool exclude_bodies(const struct model *m, lit_t a, lit_t b)
{
	const lit_t *x, *y;
	uint32_t n = implied(m, &a, &x), k = implied(m, &b, &y);
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t j = 0; j < k; j++)
			if (exclude(m, x[i], y[j]))
				return true;
	return false;
}

/* The alternatives of an atom: the inputs of its gate if that is a disjunction. */
static uint32_t alternatives(const struct model *m, const lit_t *l, const lit_t **out)
{
	const struct gate *g = &m->c.gates.at[*l / 2];
	if (*l & 1 || g->kind != GATE_OR) {
		*out = l;
		return 1;
	}
	*out = m->c.inputs.at + g->in;
	return g->n;
}

static bool exclude_atoms(const struct model *m, atom_t a, atom_t b, uint32_t *pairs)
{
	const lit_t *x, *y;
	lit_t la = m->c.atoms.at[a], lb = m->c.atoms.at[b];
	uint32_t n = alternatives(m, &la, &x), k = alternatives(m, &lb, &y);
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t j = 0; j < k; j++)
			if (++*pairs > MOST_PAIRS || !exclude_bodies(m, x[i], y[j]))
				return false;
	return true;
}

static bool exclude_all(const struct model *m, const atom_t *atoms, size_t n)
{
	uint32_t pairs = 0;
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++)
			if (!exclude_atoms(m, atoms[i], atoms[j], &pairs))
				return false;
	return true;
}

/* ---- variables out of relations ------------------------------------------------------------- */

struct sorting {
	const struct ground *g;
	uint32_t free; /* the argument that is not compared; UINT32_MAX: none is */
};

/* By predicate and by all arguments but the free one. */
static int compare_atoms(const struct sorting *s, atom_t a, atom_t b)
{
	struct ground_name x = s->g->names.at[a], y = s->g->names.at[b];
	if (x.pred != y.pred)
		return x.pred < y.pred ? -1 : 1;
	for (uint32_t k = 0; k < s->g->datalog.preds.at[x.pred].argc; k++) {
		term_t p = s->g->name_args.at[x.args + k], q = s->g->name_args.at[y.args + k];
		if (k != s->free && p != q)
			return p < q ? -1 : 1;
	}
	return 0;
}

static void merge_sort(const struct sorting *s, atom_t *a, atom_t *scratch, size_t n)
{
	if (n < 2)
		return;
	size_t half = n / 2, i = 0, j = half, k = 0;
	merge_sort(s, a, scratch, half);
	merge_sort(s, a + half, scratch, n - half);
	while (i < half || j < n)
		scratch[k++] = j == n || (i < half && compare_atoms(s, a[i], a[j]) <= 0) ? a[i++] : a[j++];
	memcpy(a, scratch, n * sizeof *a);
}

static void add_variable(struct model *m, const atom_t *atoms, size_t n)
{
	struct relations *x = m->relations;
	struct relation_var v = {(uint32_t)x->members.n, (uint32_t)n, false};
	for (size_t i = 0; i < n; i++) {
		vec_push(&x->members, atoms[i]);
		x->relation_of[m->c.atoms.at[atoms[i]] / 2] = (uint32_t)x->all.n + 1;
	}
	vec_push(&x->all, v);
}

/* Sorted by what one argument depends on: does every run exclude itself? */
static bool splits(struct model *m, const struct sorting *s, const atom_t *atoms, size_t n, bool add)
{
	bool found = false;
	for (size_t i = 0, j; i < n; i = j) {
		for (j = i + 1; j < n && !compare_atoms(s, atoms[i], atoms[j]);)
			j++;
		found |= j - i > 1;
		if (add)
			add_variable(m, atoms + i, j - i);
		else if (j - i > 1 && !exclude_all(m, atoms + i, j - i))
			return false;
	}
	return found || add;
}

/* The instances of one relation: as one variable, by one argument, or each on its own. */
static void share_out(struct model *m, const struct ground *g, atom_t *atoms, size_t n)
{
	uint32_t argc = g->datalog.preds.at[g->names.at[atoms[0]].pred].argc;
	atom_t *scratch = NEW_ARRAY(atom_t, n);
	struct sorting s = {g, argc};
	bool done = n > 1 && exclude_all(m, atoms, n);
	if (done)
		add_variable(m, atoms, n);
	while (!done && s.free-- > 0) { /* the last argument first: it is the value most often */
		merge_sort(&s, atoms, scratch, n);
		done = splits(m, &s, atoms, n, false);
		if (done)
			splits(m, &s, atoms, n, true);
	}
	for (size_t i = 0; i < n && !done; i++)
		add_variable(m, atoms + i, 1);
	mem_free(scratch);
}

void relations_make(struct model *m, const struct circuit *folded)
{
	const struct ground *g = game_rules_view(m->game)->ground;
	struct relations *x = m->relations = NEW(struct relations);
	struct sorting s = {g, UINT32_MAX};
	VEC(atom_t) atoms = {0};
	x->gates = (uint32_t)m->c.gates.n;
	x->relation_of = NEW_ARRAY(uint32_t, m->c.gates.n);
	for (atom_t a = 0; a < m->c.atoms.n; a++)
		if (is_relation(m, folded, g, a) && !x->relation_of[m->c.atoms.at[a] / 2]) {
			x->relation_of[m->c.atoms.at[a] / 2] = 1;
			vec_push(&atoms, a);
		}
	atom_t *scratch = NEW_ARRAY(atom_t, atoms.n + 1);
	merge_sort(&s, atoms.at, scratch, atoms.n);
	mem_free(scratch);
	for (size_t i = 0, j; i < atoms.n; i = j) {
		for (j = i + 1; j < atoms.n && g->names.at[atoms.at[i]].pred == g->names.at[atoms.at[j]].pred;)
			j++;
		share_out(m, g, atoms.at + i, j - i);
	}
	vec_free(&atoms);
	x->part_of = NEW_ARRAY(uint32_t, m->c.atoms.n + 1);
	for (atom_t a = 0; a < m->c.atoms.n; a++) {
		x->part_of[a] = (uint32_t)x->parts.n;
		if (m->c.atoms.at[a] != LIT_NONE &&
		    (x->gates <= m->c.atoms.at[a] / 2 || keyword(g, a) || x->relation_of[m->c.atoms.at[a] / 2]))
			find_parts(m, g, a);
	}
	x->part_of[m->c.atoms.n] = (uint32_t)x->parts.n;
	x->relation_of = mem_resize(x->relation_of, m->c.gates.n, sizeof *x->relation_of);
	for (size_t i = x->gates; i < m->c.gates.n; i++)
		x->relation_of[i] = 0;
	x->seen = NEW_ARRAY(uint8_t, m->c.gates.n);
}

void relations_free(struct relations *x)
{
	if (!x)
		return;
	mem_free(x->relation_of);
	mem_free(x->part_of);
	mem_free(x->seen);
	vec_free(&x->all);
	vec_free(&x->members);
	vec_free(&x->parts);
	mem_free(x);
}

/* ---- one table for each rule ------------------------------------------------------------------ */

/* The rules of some atoms, each once, ascending; none where some are not to be had rule by rule. */
static size_t clauses_of(const struct relations *x, const atom_t *atoms, uint32_t n, uint32_t **out)
{
	VEC(uint32_t) found = {0};
	for (uint32_t i = 0; i < n; i++) {
		if (atoms[i] == ATOM_NONE)
			continue;
		for (uint32_t k = x->part_of[atoms[i]]; k < x->part_of[atoms[i] + 1]; k++)
			vec_push(&found, x->parts.at[k].clause);
	}
	if (found.n)
		sort_numbers(found.at, found.n);
	size_t kept = 0;
	for (size_t i = 0; i < found.n; i++)
		if (!kept || found.at[kept - 1] != found.at[i])
			found.at[kept++] = found.at[i];
	*out = found.at;
	return kept && found.at[kept - 1] == UINT32_MAX ? 0 : kept;
}

static lit_t part_by(const struct relations *x, atom_t a, uint32_t clause)
{
	for (uint32_t k = x->part_of[a]; k < x->part_of[a + 1]; k++)
		if (x->parts.at[k].clause == clause)
			return x->parts.at[k].when;
	return LIT_FALSE;
}

/* The variable of one rule for a head: which instance it derives, 0: none. `which`: by value from 1 on, the atom's
 * place. */
static uint32_t rule_variable(struct model *m, const char *head, uint32_t number, uint32_t clause,
                              const struct rule_head *h, uint32_t *which, uint32_t *count)
{
	struct text name = {0};
	VEC(lit_t) lits = {0};
	VEC(uint32_t) at = {0};
	*count = 0;
	m->clause = clause;
	for (uint32_t i = 0; i < h->n; i++) {
		lit_t l = h->atoms[i] == ATOM_NONE ? LIT_FALSE : part_by(m->relations, h->atoms[i], clause);
		if (l == LIT_FALSE)
			continue;
		which[++*count] = i;
		vec_push(&lits, l);
		vec_push(&at, *count);
	}
	vec_push(&at, 0);
	text_printf(&name, "%s by rule %u", head, number);
	name_tidy(&name);
	name_unique(m, &name);
	uint32_t x = csp_var_range(m->net, text_str(&name), 0, (int32_t)*count);
	csp_hide(m->net, x);
	network_register(m, x, 0);
	m->auxiliary++;
	text_free(&name);
	struct decision_job job = {
		.out = lits.at, .outs = *count, .one = true, .max_rows = m->tuples, .max_work = RULE_WORK};
	if (!m->failed && !network_function(m, &job, x, at.at, CSP_NONE, 0))
		network_large_function(m, &job, x, at.at, CSP_NONE, 0);
	vec_free(&lits);
	vec_free(&at);
	return x;
}

/* "x is what its rules derive": the first rule that derives anything decides; where none does, x is h->none. */
static void union_of(struct model *m, const struct rule_head *h, uint32_t x, const uint32_t *rules,
                     uint32_t *const *which, const uint32_t *counts, size_t n)
{
	bool guarded = h->guard != CSP_NONE;
	size_t arity = n + 1 + guarded, rows = 0;
	VEC(uint32_t) scope = {0};
	VEC(int32_t) tuples = {0};
	if (guarded) {
		vec_push(&scope, h->guard);
		vec_extend(&tuples, arity);
		for (size_t k = 0; k < arity; k++)
			tuples.at[k] = CSP_ANY;
		tuples.at[0] = 0;
		tuples.at[arity - 1] = csp_value(m->net, x, h->otherwise);
		rows++;
	}
	for (size_t k = 0; k < n; k++)
		vec_push(&scope, rules[k]);
	vec_push(&scope, x);
	for (size_t k = 0; k <= n; k++)
		for (uint32_t v = 1; v <= (k < n ? counts[k] : 1); v++) {
			vec_extend(&tuples, arity);
			int32_t *row = tuples.at + rows++ * arity;
			if (guarded)
				*row++ = 1;
			for (size_t j = 0; j < n; j++)
				row[j] = j < k ? 0 : j == k ? (int32_t)v : CSP_ANY;
			uint32_t at = k < n ? h->at[which[k][v]] : h->none;
			row[n] = at == CSP_NONE ? CSP_ANY : csp_value(m->net, x, at);
		}
	network_table(m, scope.at, arity, tuples.at, rows);
	vec_free(&scope);
	vec_free(&tuples);
}

bool relations_head(struct model *m, const struct rule_head *h, uint32_t x, const char *name)
{
	uint32_t *clauses = NULL;
	size_t n = m->relations ? clauses_of(m->relations, h->atoms, h->n, &clauses) : 0;
	if (n < 2 || n > RULES_MOST) {
		if (n == 1)
			m->clause = clauses[0];
		mem_free(clauses);
		return false;
	}
	uint32_t *rules = NEW_ARRAY(uint32_t, n), *counts = NEW_ARRAY(uint32_t, n), **which = NEW_ARRAY(uint32_t *, n);
	for (size_t k = 0; k < n; k++) {
		which[k] = NEW_ARRAY(uint32_t, h->n + 1);
		if (!m->failed)
			rules[k] = rule_variable(m, name, (uint32_t)k + 1, clauses[k], h, which[k], &counts[k]);
	}
	if (!m->failed)
		union_of(m, h, x, rules, which, counts, n);
	for (size_t k = 0; k < n; k++)
		mem_free(which[k]);
	mem_free(which);
	mem_free(rules);
	mem_free(counts);
	mem_free(clauses);
	return true;
}

/* ---- on demand ---------------------------------------------------------------------------------- */

/* The variable of a relation: a Boolean, or its instances (in the order of the members) after `none`. */
static uint32_t relation_variable(struct model *m, const atom_t *atoms, uint32_t n, struct text *name)
{
	const struct ground *g = game_rules_view(m->game)->ground;
	if (n == 1) {
		ground_print_atom(g, atoms[0], name);
	} else { /* its arguments that all members share */
		struct ground_name first = g->names.at[atoms[0]];
		text_puts(name, sym_text(&g->datalog.source->symbols, g->datalog.preds.at[first.pred].name));
		for (uint32_t k = 0; k < g->datalog.preds.at[first.pred].argc; k++) {
			bool same = true;
			for (uint32_t i = 1; i < n; i++)
				same &= g->name_args.at[g->names.at[atoms[i]].args + k] == g->name_args.at[first.args + k];
			if (!same)
				continue;
			text_putc(name, ' ');
			term_print(&g->datalog.terms, &g->datalog.source->symbols, g->name_args.at[first.args + k], name);
		}
	}
	name_tidy(name);
	name_unique(m, name);
	uint32_t x = csp_var_range(m->net, text_str(name), 0, (int32_t)n);
	csp_hide(m->net, x);
	network_register(m, x, 0);
	m->auxiliary++;
	return x;
}

static void define_relation(struct model *m, struct relation_var *v)
{
	const atom_t *atoms = m->relations->members.at + v->first;
	struct text name = {0};
	VEC(uint32_t) at = {0};
	VEC(lit_t) lits = {0};
	uint32_t n = v->n;
	v->defined = true;
	for (uint32_t i = 0; i < n; i++) {
		vec_push(&at, i + 1);
		vec_push(&lits, m->c.atoms.at[atoms[i]]);
	}
	vec_push(&at, 0);
	relations_below(m, lits.at, n);
	uint32_t x = relation_variable(m, atoms, n, &name);
	struct rule_head h = {atoms, at.at, n, 0, CSP_NONE, 0};
	struct decision_job job = {.out = lits.at, .outs = n, .one = true, .max_rows = m->tuples, .max_work = RULE_WORK};
	if (!m->failed && !relations_head(m, &h, x, text_str(&name)) && !network_function(m, &job, x, at.at, CSP_NONE, 0))
		network_large_function(m, &job, x, at.at, CSP_NONE, 0);
	for (uint32_t i = 0; i < n; i++)
		m->leaf[lits.at[i] / 2] = (struct leaf){x, i + 1};
	text_free(&name);
	vec_free(&at);
	vec_free(&lits);
}

/* Gates have larger numbers than what they are made of, so relations are defined from below. */
void relations_below(struct model *m, const lit_t *lits, uint32_t n)
{
	struct relations *x = m->relations;
	VEC(uint32_t) stack = {0}, seen = {0}, found = {0};
	for (uint32_t i = 0; i < n; i++)
		vec_push(&stack, lits[i] / 2);
	while (stack.n) {
		uint32_t node = stack.at[--stack.n];
		if (x->seen[node] || m->leaf[node].var != DECISION_NONE)
			continue;
		x->seen[node] = 1;
		vec_push(&seen, node);
		if (x->relation_of[node] && !x->all.at[x->relation_of[node] - 1].defined)
			vec_push(&found, node);
		const struct gate *g = &m->c.gates.at[node];
		for (uint32_t k = 0; (g->kind == GATE_AND || g->kind == GATE_OR) && k < g->n; k++)
			vec_push(&stack, m->c.inputs.at[g->in + k] / 2);
	}
	for (size_t i = 0; i < seen.n; i++)
		x->seen[seen.at[i]] = 0;
	if (found.n)
		sort_numbers(found.at, found.n);
	for (size_t i = 0; i < found.n && !m->failed; i++) {
		struct relation_var *v = &x->all.at[x->relation_of[found.at[i]] - 1];
		if (!v->defined)
			define_relation(m, v);
	}
	vec_free(&stack);
	vec_free(&seen);
	vec_free(&found);
}

/* The driver: Datalog, evaluation, and the numbering of what came out. */
#include "ground/ground.h"

#include "ground/evaluate.h"

#include <stdlib.h>
#include <string.h>



/* While atoms are renumbered: old atom -> new atom. */
struct numbering {
	struct ground *g;
	struct datalog_eval *e;
	atom_t *new_number;
};

/* Roles are in the order of their relation. */
static uint32_t role_of(const struct numbering *n, term_t t)
{
	uint32_t r = relation_find(&n->e->relations[n->e->p_role], &t);
	return r == TABLE_NONE ? (uint32_t)n->g->roles.n : r;
}

static int by_role(const void *a, const void *b)
{
	const struct ground_output *x = a, *y = b;
	if (x->role != y->role)
		return x->role < y->role ? -1 : 1;
	return x->atom < y->atom ? -1 : x->atom > y->atom;
}

/* Rows (role, term) of a relation as outputs sorted by role; .atom is the old
 * number for now. Rows of strangers (no role of the game) are left out. */
static void collect(const struct numbering *n, uint32_t pred, struct ground_outputs *out)
{
	const struct relation *r = &n->e->relations[pred];
	for (uint32_t i = 0; i < r->n; i++) {
		struct ground_output o = {role_of(n, relation_row(r, i)[0]), relation_row(r, i)[1], r->atoms.at[i]};
		if (o.role < n->g->roles.n)
			vec_push(out, o);
	}
	if (out->n)
		qsort(out->at, out->n, sizeof *out->at, by_role);
	uint32_t k = 0;
	for (uint32_t role = 0; role <= n->g->roles.n; role++) {
		while (k < out->n && out->at[k].role < role)
			k++;
		vec_push(&out->start, k);
	}
}

static void find_roles(struct ground *g, const struct datalog_eval *e)
{
	const struct relation *r = &e->relations[e->p_role];
	for (uint32_t i = 0; i < r->n; i++)
		vec_push(&g->roles, relation_row(r, i)[0]);
	g->random = (uint32_t)g->roles.n;
	for (uint32_t i = 0; i < g->roles.n; i++)
		if (g->datalog.terms.all.at[g->roles.at[i]].name == GDL_RANDOM)
			g->random = i;
}

static void name_atoms(struct numbering *n)
{
	struct ground *g = n->g;
	vec_extend(&g->names, g->atoms);
	for (uint32_t p = 0; p < g->datalog.preds.n; p++) {
		const struct relation *r = &n->e->relations[p];
		for (uint32_t i = 0; i < r->atoms.n; i++) {
			g->names.at[n->new_number[r->atoms.at[i]]] = (struct ground_name){p, (uint32_t)g->name_args.n};
			for (uint32_t k = 0; k < r->argc; k++)
				vec_push(&g->name_args, relation_row(r, i)[k]);
		}
	}
}

/* Fluents first, then moves, then the rest in the order of discovery. */
static void number_atoms(struct numbering *n)
{
	struct ground *g = n->g;
	struct datalog_eval *e = n->e;
	const struct relation *fluents = &e->relations[e->p_true], *does = &e->relations[e->p_does];
	n->new_number = mem_alloc(e->atoms, sizeof *n->new_number);
	memset(n->new_number, 0xff, e->atoms * sizeof *n->new_number);
	for (uint32_t i = 0; i < fluents->n; i++) {
		n->new_number[fluents->atoms.at[i]] = g->atoms++;
		vec_push(&g->fluents, relation_row(fluents, i)[0]);
	}
	collect(n, e->p_does, &g->moves);
	for (size_t i = 0; i < g->moves.n; i++)
		n->new_number[g->moves.at[i].atom] = g->atoms++;
	for (uint32_t i = 0; i < does->n; i++) /* moves of names that are no roles: they get a number but never hold */
		if (n->new_number[does->atoms.at[i]] == ATOM_NONE)
			n->new_number[does->atoms.at[i]] = g->atoms++;
	for (uint32_t a = 0; a < e->atoms; a++)
		if (n->new_number[a] == ATOM_NONE)
			n->new_number[a] = g->atoms++;
}

static atom_t find_atom(const struct numbering *n, uint32_t pred, const term_t *row)
{
	const struct relation *r = &n->e->relations[pred];
	uint32_t tuple = relation_find(r, row);
	return tuple == TABLE_NONE ? ATOM_NONE : n->new_number[r->atoms.at[tuple]];
}

static void connect_outputs(struct numbering *n)
{
	struct ground *g = n->g;
	struct datalog_eval *e = n->e;
	for (size_t i = 0; i < g->moves.n; i++) {
		term_t row[2] = {g->roles.at[g->moves.at[i].role], g->moves.at[i].term};
		g->moves.at[i].atom = find_atom(n, e->p_legal, row);
	}
	collect(n, datalog_find_pred(&g->datalog, GDL_GOAL, 2), &g->goals);
	collect(n, datalog_find_pred(&g->datalog, GDL_SEES, 2), &g->percepts);
	for (size_t i = 0; i < g->goals.n; i++)
		g->goals.at[i].atom = n->new_number[g->goals.at[i].atom];
	for (size_t i = 0; i < g->percepts.n; i++)
		g->percepts.at[i].atom = n->new_number[g->percepts.at[i].atom];
	uint32_t p_sees = datalog_find_pred(&g->datalog, GDL_SEES, 2);
	g->hidden = g->datalog.preds.at[p_sees].rules > 0;
	g->terminal = find_atom(n, datalog_find_pred(&g->datalog, GDL_TERMINAL, 0), NULL);
	vec_extend(&g->initial, BITS_WORDS(g->fluents.n) + 1);
	memset(g->initial.at, 0, g->initial.n * sizeof *g->initial.at);
	for (uint32_t i = 0; i < g->fluents.n; i++) {
		vec_push(&g->next, find_atom(n, e->p_next, &g->fluents.at[i]));
		if (relation_find(&e->relations[e->p_init], &g->fluents.at[i]) != TABLE_NONE)
			bits_add(g->initial.at, i);
	}
}

/* The literal of an instance in new numbers: ATOM_NONE when it always holds. */
static uint32_t new_literal(const struct numbering *n, uint32_t l)
{
	if (!(l & 1))
		return n->new_number[l / 2] * 2;
	struct mention m = n->e->mention_list.at[l / 2];
	atom_t a = find_atom(n, m.pred, relation_row(&n->e->mentions[m.pred], m.tuple));
	return a == ATOM_NONE ? ATOM_NONE : a * 2 + 1;
}

/* Instances, met in the order of evaluation, sorted by head (counting sort). */
static void sort_rules(struct numbering *n)
{
	struct ground *g = n->g;
	const uint32_t *in = n->e->instances.at;
	size_t size = n->e->instances.n, count = n->e->instance_count;
	vec_extend(&g->first, g->atoms + 1);
	memset(g->first.at, 0, g->first.n * sizeof *g->first.at);
	for (size_t i = 0; i < size; i += 3 + in[i + 1])
		g->first.at[n->new_number[in[i]] + 1]++;
	for (uint32_t a = 0; a < g->atoms; a++)
		g->first.at[a + 1] += g->first.at[a];
	uint32_t *fill = mem_alloc(g->atoms + 1, sizeof *fill);
	size_t *where = mem_alloc(count + 1, sizeof *where);
	memcpy(fill, g->first.at, (g->atoms + 1) * sizeof *fill);
	for (size_t i = 0; i < size; i += 3 + in[i + 1])
		where[fill[n->new_number[in[i]]]++] = i;
	vec_reserve(&g->rule, count + 1);
	vec_reserve(&g->clause, count + 1);
	vec_reserve(&g->body, size - 3 * count + 1);
	for (size_t k = 0; k < count; k++) {
		vec_push(&g->rule, (uint32_t)g->body.n);
		vec_push(&g->clause, in[where[k] + 2]);
		for (uint32_t j = 0; j < in[where[k] + 1]; j++) {
			uint32_t l = new_literal(n, in[where[k] + 3 + j]);
			if (l != ATOM_NONE)
				vec_push(&g->body, l);
		}
	}
	vec_push(&g->rule, (uint32_t)g->body.n);
	mem_free(fill);
	mem_free(where);
}

/* Which fluents and moves are there although `base` and `input` do not name them. */
static void mark_strays(struct ground *g, const struct datalog_eval *e)
{
	const struct relation *base = &e->relations[e->p_base], *input = &e->relations[e->p_input];
	for (size_t i = 0; i < g->fluents.n; i++)
		vec_push(&g->strays, base->n && relation_find(base, &g->fluents.at[i]) == TABLE_NONE);
	for (size_t i = 0; i < g->moves.n; i++) {
		term_t row[2] = {g->roles.at[g->moves.at[i].role], g->moves.at[i].term};
		vec_push(&g->strays, input->n && relation_find(input, row) == TABLE_NONE);
	}
}

struct ground *ground_make(struct gdl_rules *source, const struct ground_options *o, struct text *error)
{
	double started = clock_now();
	struct ground *g = NEW(struct ground);
	struct datalog_eval e;
	if (!datalog_make(&g->datalog, source, true, &o->limit, error)) {
		ground_free(g);
		return NULL;
	}
	size_t max = o->max_instances ? o->max_instances : GROUND_INSTANCES;
	struct progress progress = progress_to("grounding", o->progress, o->context);
	if (!datalog_eval_run(&e, &g->datalog, max, o->limit, !o->undeclared, progress)) {
		text_puts(error, e.stopped);
		datalog_eval_free(&e);
		ground_free(g);
		return NULL;
	}
	if (e.relations[e.p_role].n > GROUND_MAX_ROLES) {
		text_printf(error, GROUND_MANY_ROLES, (size_t)e.relations[e.p_role].n, GROUND_MAX_ROLES);
		datalog_eval_free(&e);
		ground_free(g);
		return NULL;
	}
	struct numbering n = {.g = g, .e = &e};
	find_roles(g, &e);
	number_atoms(&n);
	name_atoms(&n);
	connect_outputs(&n);
	sort_rules(&n);
	mark_strays(g, &e);
	g->instances = e.instance_count;
	g->outside = e.outside;
	mem_free(n.new_number);
	datalog_eval_free(&e);
	g->seconds = clock_now() - started;
	return g;
}

void ground_free(struct ground *g)
{
	if (!g)
		return;
	datalog_free(&g->datalog);
	vec_free(&g->roles);
	vec_free(&g->fluents);
	vec_free(&g->moves);
	vec_free(&g->goals);
	vec_free(&g->percepts);
	vec_free(&g->moves.start);
	vec_free(&g->goals.start);
	vec_free(&g->percepts.start);
	vec_free(&g->next);
	vec_free(&g->initial);
	vec_free(&g->strays);
	vec_free(&g->first);
	vec_free(&g->rule);
	vec_free(&g->body);
	vec_free(&g->clause);
	vec_free(&g->names);
	vec_free(&g->name_args);
	mem_free(g);
}

void ground_print_atom(const struct ground *g, atom_t a, struct text *out)
{
	const struct symbols *s = &g->datalog.source->symbols;
	struct ground_name n = g->names.at[a];
	const struct predicate *p = &g->datalog.preds.at[n.pred];
	if (p->argc)
		text_putc(out, '(');
	text_puts(out, sym_text(s, p->name));
	for (uint32_t i = 0; i < p->argc; i++) {
		text_putc(out, ' ');
		term_print(&g->datalog.terms, s, g->name_args.at[n.args + i], out);
	}
	if (p->argc)
		text_putc(out, ')');
}

void ground_print(const struct ground *g, struct text *out)
{
	BITS_EACH(f, g->initial.at, g->fluents.n) {
		text_puts(out, "(init ");
		term_print(&g->datalog.terms, &g->datalog.source->symbols, g->fluents.at[f], out);
		text_puts(out, ")\n");
	}
	for (atom_t a = 0; a < g->atoms; a++)
		for (uint32_t i = g->first.at[a]; i < g->first.at[a + 1]; i++) {
			text_puts(out, "(<= ");
			ground_print_atom(g, a, out);
			for (uint32_t k = g->rule.at[i]; k < g->rule.at[i + 1]; k++) {
				text_puts(out, g->body.at[k] & 1 ? " (not " : " ");
				ground_print_atom(g, g->body.at[k] / 2, out);
				text_puts(out, g->body.at[k] & 1 ? ")" : "");
			}
			text_puts(out, ")\n");
		}
}

/* Derivations, found from the statement down. A relation that is not recursive needs only one instance of one of its
 * clauses. In a recursive one the first instance may lead back to where it came from: there all instances of all
 * statements that are met are listed, and then taken up from those that rest on nothing, as a propositional program is
 * evaluated (Dowling and Gallier 1984), so that the one that comes first rests on statements of less height. */
#include "explain/derivation.h"

#include "explain/explainer_internal.h"

#include <stdlib.h>

#define MAX_INSTANCES 2000000

uint32_t derivation_of(const struct derivation *p, term_t statement)
{
	uint64_t h = hash_mix(statement);
	uint32_t it, id;
	for (table_start(&p->index, h, &it); (id = table_next(&p->index, h, &it)) != TABLE_NONE;)
		if (p->steps.at[id].statement == statement)
			return id;
	return TABLE_NONE;
}

term_t derivation_literal(struct explainer *x, const struct derivation *p, const struct derived *s, uint32_t literal)
{
	return match_instance(x, literal / 2, p->values.at ? p->values.at + s->values : NULL);
}

void derivation_free(struct derivation *p)
{
	vec_free(&p->steps);
	vec_free(&p->values);
	vec_free(&p->literals);
	table_free(&p->index);
}

static void add_step(struct derivation *p, struct derived s)
{
	table_add(&p->index, hash_mix(s.statement), narrow32(p->steps.n));
	vec_push(&p->steps, s);
}

/* By place: conditions were taken in the order of their choices. */
static int by_place(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return (x > y) - (x < y);
}

/* Nodes of a clause are numbered as they end in the text, so conditions are in order by number. */
static struct derived instance_step(struct derivation *p, struct explainer *x, const struct matching *m,
                                    term_t statement)
{
	struct derived s = {.statement = statement,
	                    .source = DERIVED_RULE,
	                    .clause = m->clause,
	                    .values = narrow32(p->values.n),
	                    .variables = x->clauses[m->clause].variables,
	                    .literals = narrow32(p->literals.n),
	                    .count = narrow32(m->literals.n)};
	for (uint32_t i = 0; i < s.variables; i++)
		vec_push(&p->values, m->values[i]);
	for (uint32_t i = 0; i < s.count; i++)
		vec_push(&p->literals, m->literals.at[i]);
	if (s.count > 1)
		qsort(p->literals.at + s.literals, s.count, sizeof *p->literals.at, by_place);
	return s;
}

/* ---- recursive statements ---------------------------------------------------------------- */

/* All instances of the statements of one component, and who waits for whom. */
struct support {
	struct explainer *x;
	uint32_t component;
	struct derivation found; /* steps: instances, several per statement */
	VEC(term_t) statements;  /* met so far, in the order of being met */
	struct table index;      /* of statements */
	VEC(uint32_t) waiting;   /* by instance: conditions of the component without a derivation yet */
	VEC(struct need { uint32_t instance, next; }) needs;
	VEC(uint32_t) needed_by; /* by statement: first of its needs; UINT32_MAX: none */
	VEC(uint32_t) chosen;    /* by statement: instance; UINT32_MAX: none yet */
	term_t at;
};

static uint32_t put_statement(struct support *s, term_t t)
{
	uint64_t h = hash_mix(t);
	uint32_t it, id;
	for (table_start(&s->index, h, &it); (id = table_next(&s->index, h, &it)) != TABLE_NONE;)
		if (s->statements.at[id] == t)
			return id;
	id = narrow32(s->statements.n);
	table_add(&s->index, h, id);
	vec_push(&s->statements, t);
	vec_push(&s->needed_by, UINT32_MAX);
	vec_push(&s->chosen, UINT32_MAX);
	return id;
}

static bool is_inside(const struct explainer *x, uint32_t literal, uint32_t component)
{
	const struct gdl_node *n = &x->rules->nodes.at[literal / 2];
	if (literal & 1 || n->name == GDL_DISTINCT)
		return false;
	uint32_t r = explainer_relation(x, n->name, n->argc);
	return r != TABLE_NONE && x->relations.at[r].recursive && x->relations.at[r].component == component;
}

static bool add_support(struct explainer *x, struct matching *m, void *context)
{
	struct support *s = context;
	uint32_t instance = narrow32(s->found.steps.n), inside = 0;
	struct derived step = instance_step(&s->found, x, m, s->at);
	vec_push(&s->found.steps, step);
	for (uint32_t i = 0; i < step.count; i++) {
		uint32_t literal = s->found.literals.at[step.literals + i];
		if (!is_inside(x, literal, s->component))
			continue;
		uint32_t id = put_statement(s, derivation_literal(x, &s->found, &step, literal));
		vec_push(&s->needs, ((struct need){instance, s->needed_by.at[id]}));
		s->needed_by.at[id] = narrow32(s->needs.n) - 1;
		inside++;
	}
	vec_push(&s->waiting, inside);
	if (instance >= MAX_INSTANCES)
		x->trouble = "the derivation has too many cases";
	return !x->trouble;
}

static void match_all(struct explainer *x, struct matching *m, term_t statement)
{
	const struct term t = x->terms->all.at[statement];
	uint32_t r = explainer_relation(x, t.name, t.argc);
	const struct relation_entry e = r == TABLE_NONE ? (struct relation_entry){0} : x->relations.at[r];
	for (uint32_t i = 0; i < e.count; i++)
		if (!match_clause(x, m, x->by_relation.at[e.first + i], statement))
			return;
}

static void list_support(struct support *s)
{
	struct matching m = {.found = add_support, .context = s};
	for (size_t i = 0; i < s->statements.n && !explainer_trouble(s->x); i++) {
		s->at = s->statements.at[i];
		match_all(s->x, &m, s->at);
	}
	matching_free(&m);
}

/* Instances that wait for nothing give their statement a derivation, which others may have waited for. */
static void choose_support(struct support *s)
{
	VEC(uint32_t) ready = {0};
	for (uint32_t i = 0; i < s->found.steps.n; i++)
		if (!s->waiting.at[i])
			vec_push(&ready, i);
	for (size_t i = 0; i < ready.n; i++) {
		uint32_t id = put_statement(s, s->found.steps.at[ready.at[i]].statement);
		if (s->chosen.at[id] != UINT32_MAX)
			continue;
		s->chosen.at[id] = ready.at[i];
		for (uint32_t k = s->needed_by.at[id]; k != UINT32_MAX; k = s->needs.at[k].next)
			if (!--s->waiting.at[s->needs.at[k].instance])
				vec_push(&ready, s->needs.at[k].instance);
	}
	vec_free(&ready);
}

static void free_support(struct support *s)
{
	derivation_free(&s->found);
	vec_free(&s->statements);
	table_free(&s->index);
	vec_free(&s->waiting);
	vec_free(&s->needs);
	vec_free(&s->needed_by);
	vec_free(&s->chosen);
}

/* Adds the steps of this statement and of those of its component that it rests on. */
static void take_chosen(struct support *s, struct derivation *p)
{
	VEC(uint32_t) open = {0};
	vec_push(&open, 0);
	while (open.n) {
		uint32_t id = vec_pop(&open), from = s->chosen.at[id];
		if (from == UINT32_MAX || derivation_of(p, s->statements.at[id]) != TABLE_NONE)
			continue;
		struct derived step = s->found.steps.at[from];
		const term_t *values = s->found.values.at + step.values;
		const uint32_t *literals = s->found.literals.at + step.literals;
		for (uint32_t i = 0; i < step.count; i++)
			if (is_inside(s->x, literals[i], s->component))
				vec_push(&open, put_statement(s, derivation_literal(s->x, &s->found, &step, literals[i])));
		step.values = narrow32(p->values.n);
		step.literals = narrow32(p->literals.n);
		for (uint32_t i = 0; i < step.variables; i++)
			vec_push(&p->values, values[i]);
		for (uint32_t i = 0; i < step.count; i++)
			vec_push(&p->literals, literals[i]);
		add_step(p, step);
	}
	vec_free(&open);
}

static void add_recursive(struct explainer *x, term_t statement, uint32_t component, struct derivation *p)
{
	struct support s = {.x = x, .component = component};
	put_statement(&s, statement);
	list_support(&s);
	if (!explainer_trouble(x)) {
		choose_support(&s);
		take_chosen(&s, p);
	}
	free_support(&s);
}

/* ---- all statements ------------------------------------------------------------------------ */

static bool take_first(struct explainer *x, struct matching *m, void *context)
{
	struct derivation *p = context;
	const struct gdl_clause *c = &x->rules->clauses.at[m->clause];
	add_step(p, instance_step(p, x, m, match_instance(x, c->head, m->values)));
	return false;
}

static void add_statement(struct explainer *x, term_t statement, struct derivation *p)
{
	const struct term t = x->terms->all.at[statement];
	bool fluent = t.name == GDL_TRUE && t.argc == 1, move = t.name == GDL_DOES && t.argc == 2;
	if (fluent || move) {
		if (explainer_holds(x, statement))
			add_step(p, (struct derived){.statement = statement, .source = fluent ? DERIVED_FLUENT : DERIVED_MOVE});
		return;
	}
	uint32_t r = explainer_relation(x, t.name, t.argc);
	if (r == TABLE_NONE)
		return;
	if (x->relations.at[r].recursive) {
		add_recursive(x, statement, x->relations.at[r].component, p);
		return;
	}
	struct matching m = {.found = take_first, .context = p};
	match_all(x, &m, statement);
	matching_free(&m);
}

bool derivation_find(struct explainer *x, term_t statement, struct derivation *p)
{
	x->work = EXPLAIN_WORK;
	if (!explainer_holds(x, statement))
		return false;
	add_statement(x, statement, p);
	for (size_t i = 0; i < p->steps.n && !explainer_trouble(x); i++) {
		for (uint32_t k = 0; k < p->steps.at[i].count; k++) {
			uint32_t literal = p->literals.at[p->steps.at[i].literals + k];
			if (literal & 1 || x->rules->nodes.at[literal / 2].name == GDL_DISTINCT)
				continue;
			term_t t = derivation_literal(x, p, &p->steps.at[i], literal);
			if (derivation_of(p, t) == TABLE_NONE)
				add_statement(x, t, p);
			if (derivation_of(p, t) == TABLE_NONE && !explainer_trouble(x))
				x->trouble = "the interpreter answered what the rules do not give";
		}
	}
	return p->steps.n > 0 && !explainer_trouble(x);
}

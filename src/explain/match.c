/* Instances of a clause whose conditions hold: a search over the conditions, as they stand in the text, `or` by its
 * branches. To find an instance, the condition with the fewest choices is taken next; to say where a clause fails, they
 * are taken in the order of the text, and the longest beginning that can be met is kept. A condition with `not` or
 * `distinct` waits until its variables have values. */
#include "explain/explainer_internal.h"

#include <string.h>

#define MAX_CONDITIONS 2000 /* of one clause; the search is as deep as they are many */

/* ---- terms --------------------------------------------------------------------------- */

static bool is_gap(const struct explainer *x, term_t t)
{
	return x->terms->all.at[t].name & GAP_BIT;
}

bool match_terms(const struct explainer *x, term_t a, term_t b)
{
	if (a == b || is_gap(x, a) || is_gap(x, b))
		return true;
	const struct term *s = &x->terms->all.at[a], *t = &x->terms->all.at[b];
	if (s->name != t->name || s->argc != t->argc)
		return false;
	for (uint32_t i = 0; i < s->argc; i++)
		if (!match_terms(x, term_args(x->terms, a)[i], term_args(x->terms, b)[i]))
			return false;
	return true;
}

bool match_shape(const struct explainer *x, node_t n, term_t statement)
{
	const struct gdl_node *node = &x->rules->nodes.at[n];
	if (node->variable || is_gap(x, statement))
		return true;
	const struct term *s = &x->terms->all.at[statement];
	if (s->name != node->name || s->argc != node->argc)
		return false;
	for (uint32_t i = 0; i < node->argc; i++)
		if (!match_shape(x, gdl_arg(x->rules, n, i), term_args(x->terms, statement)[i]))
			return false;
	return true;
}

term_t match_instance(struct explainer *x, node_t n, const term_t *values)
{
	const struct gdl_node *node = &x->rules->nodes.at[n];
	if (node->variable) {
		term_t v = values[x->variable_of[n]];
		return v != TERM_NONE ? v : term_put(x->terms, GAP_BIT | node->name, 0, NULL);
	}
	term_t args[DATALOG_MAX_ARGS];
	for (uint32_t i = 0; i < node->argc; i++)
		args[i] = match_instance(x, gdl_arg(x->rules, n, i), values);
	return term_put(x->terms, node->name, node->argc, args);
}

/* Makes the node equal to the term by giving values to variables. Where the term has gaps, variables stay free. */
static bool bind_to(struct explainer *x, struct matching *m, node_t n, term_t t)
{
	const struct gdl_node *node = &x->rules->nodes.at[n];
	if (node->variable) {
		uint32_t v = x->variable_of[n];
		if (m->values[v] != TERM_NONE)
			return match_terms(x, m->values[v], t);
		if (explainer_has_gaps(x, t))
			return true;
		m->values[v] = t;
		vec_push(&m->trail, v);
		return true;
	}
	if (is_gap(x, t))
		return true;
	const struct term s = x->terms->all.at[t];
	if (s.name != node->name || s.argc != node->argc)
		return false;
	for (uint32_t i = 0; i < s.argc; i++)
		if (!bind_to(x, m, gdl_arg(x->rules, n, i), term_args(x->terms, t)[i]))
			return false;
	return true;
}

static void undo(struct matching *m, size_t trail)
{
	while (m->trail.n > trail)
		m->values[vec_pop(&m->trail)] = TERM_NONE;
}

static uint32_t free_variables(const struct explainer *x, const struct matching *m, node_t n)
{
	const struct gdl_node *node = &x->rules->nodes.at[n];
	if (node->variable)
		return m->values[x->variable_of[n]] == TERM_NONE;
	uint32_t sum = 0;
	for (uint32_t i = 0; i < node->argc; i++)
		sum += free_variables(x, m, gdl_arg(x->rules, n, i));
	return sum;
}

/* ---- conditions ------------------------------------------------------------------------- */

static bool search(struct explainer *x, struct matching *m, size_t level);

static bool is_name(const struct explainer *x, node_t n, enum gdl_keyword k)
{
	return x->rules->nodes.at[n].name == (sym_t)k;
}

/* How late a condition should be taken; UINT32_MAX: not before some variable gets a value. */
static uint32_t lateness(const struct explainer *x, const struct matching *m, node_t n)
{
	const struct gdl_node *node = &x->rules->nodes.at[n];
	if (node->name == GDL_OR || node->name == GDL_AND)
		return node->name == GDL_AND ? 0 : 1000;
	uint32_t free = free_variables(x, m, n);
	if (node->name == GDL_NOT || node->name == GDL_DISTINCT)
		return free ? UINT32_MAX : 0;
	bool asked = node->name != GDL_TRUE && node->name != GDL_DOES;
	return free ? 2 * free + asked : 0;
}

static size_t choose(const struct explainer *x, const struct matching *m, size_t level)
{
	size_t best = SIZE_MAX;
	uint32_t least = UINT32_MAX;
	for (size_t i = level; i < m->pending.n; i++) {
		uint32_t late = lateness(x, m, m->pending.at[i]);
		if (late < least) {
			best = i;
			least = late;
			if (m->in_order)
				break;
		}
	}
	return best;
}

static void failed(struct matching *m, node_t n)
{
	if (!m->in_order || (m->failing != UINT32_MAX && m->literals.n <= m->best))
		return;
	m->best = narrow32(m->literals.n);
	m->failing = n;
	vec_set(&m->best_values, m->values, m->best_values.n);
	vec_set(&m->best_literals, m->literals.at, m->literals.n);
}

/* A level of its own with what is left once pending[which] is replaced by these conditions. */
static bool go_on(struct explainer *x, struct matching *m, size_t level, size_t which, const node_t *instead,
                  uint32_t count)
{
	size_t end = m->pending.n;
	vec_reserve(&m->pending, 2 * end - level + count);
	for (size_t i = level; i < end; i++) {
		if (i != which)
			vec_push(&m->pending, m->pending.at[i]);
		for (uint32_t k = 0; i == which && k < count; k++)
			vec_push(&m->pending, instead[k]);
	}
	bool more = search(x, m, end);
	m->pending.n = end;
	return more;
}

static bool met(struct explainer *x, struct matching *m, size_t level, size_t which, uint32_t literal)
{
	vec_push(&m->literals, literal);
	bool more = go_on(x, m, level, which, NULL, 0);
	m->literals.n--;
	return more;
}

static bool search_or(struct explainer *x, struct matching *m, size_t level, size_t which)
{
	node_t n = m->pending.at[which];
	failed(m, n); /* unless a branch gets further */
	bool more = true;
	for (uint32_t i = 0; more && i < x->rules->nodes.at[n].argc; i++) {
		node_t branch = gdl_arg(x->rules, n, i);
		more = go_on(x, m, level, which, &branch, 1);
	}
	return more;
}

static bool search_test(struct explainer *x, struct matching *m, size_t level, size_t which)
{
	node_t n = m->pending.at[which];
	bool negated = is_name(x, n, GDL_NOT), fine;
	if (negated)
		fine = !explainer_holds(x, match_instance(x, gdl_arg(x->rules, n, 0), m->values));
	else
		fine = match_instance(x, gdl_arg(x->rules, n, 0), m->values) !=
		       match_instance(x, gdl_arg(x->rules, n, 1), m->values);
	if (!fine) {
		failed(m, n);
		return true;
	}
	return met(x, m, level, which, negated ? gdl_arg(x->rules, n, 0) * 2 + 1 : n * 2);
}

static bool search_atom(struct explainer *x, struct matching *m, size_t level, size_t which)
{
	node_t n = m->pending.at[which];
	term_list answers = {0};
	bool more = true, any = false;
	explainer_instances(x, match_instance(x, n, m->values), &answers);
	for (size_t i = 0; more && i < answers.n; i++) {
		size_t trail = m->trail.n;
		if (bind_to(x, m, n, answers.at[i])) {
			any = true;
			more = met(x, m, level, which, n * 2);
		}
		undo(m, trail);
	}
	if (!any)
		failed(m, n);
	vec_free(&answers);
	return more;
}

static bool search(struct explainer *x, struct matching *m, size_t level)
{
	if (!explainer_spend(x, 1 + m->pending.n - level))
		return false;
	if (m->pending.n == level) {
		m->failing = UINT32_MAX;
		return m->found && m->found(x, m, m->context);
	}
	size_t which = choose(x, m, level);
	if (which == SIZE_MAX) /* only conditions that wait are left: the question left gaps that nothing fills */
		return true;
	node_t n = m->pending.at[which];
	if (is_name(x, n, GDL_OR))
		return search_or(x, m, level, which);
	if (is_name(x, n, GDL_AND))
		return go_on(x, m, level, which, x->rules->kids.at + x->rules->nodes.at[n].args, x->rules->nodes.at[n].argc);
	if (is_name(x, n, GDL_NOT) || is_name(x, n, GDL_DISTINCT))
		return search_test(x, m, level, which);
	return search_atom(x, m, level, which);
}

/* ---- clauses ------------------------------------------------------------------------------ */

bool match_clause(struct explainer *x, struct matching *m, uint32_t clause, term_t head)
{
	const struct gdl_clause *c = &x->rules->clauses.at[clause];
	uint32_t variables = x->clauses[clause].variables;
	m->clause = clause;
	m->values = mem_resize(m->values, variables + 1, sizeof *m->values);
	memset(m->values, 0xff, (variables + 1) * sizeof *m->values);
	vec_clear(&m->trail);
	vec_clear(&m->literals);
	vec_clear(&m->best_values);
	vec_extend(&m->best_values, variables);
	if (variables)
		memset(m->best_values.at, 0xff, variables * sizeof *m->best_values.at);
	vec_clear(&m->best_literals);
	m->best = 0;
	m->failing = UINT32_MAX;
	vec_set(&m->pending, x->rules->kids.at + c->body, c->count);
	if (c->count > MAX_CONDITIONS) {
		x->trouble = "a rule has too many conditions to be explained";
		return false;
	}
	return !bind_to(x, m, c->head, head) || search(x, m, 0);
}

void matching_free(struct matching *m)
{
	mem_free(m->values);
	vec_free(&m->trail);
	vec_free(&m->pending);
	vec_free(&m->literals);
	vec_free(&m->best_values);
	vec_free(&m->best_literals);
}

/* Rules prepared for explanations: clauses by relation, variables numbered, recursion found; statements read and
 * printed; what holds in the position at hand. */
#include "explain/explainer_internal.h"

#include "base/nearest.h"
#include "graph/scc.h"

#include <string.h>

#define ASKED (UINT32_C(1) << 30) /* in the name of a gap: a variable of the question, x->asked_names */

/* ---- preparation ------------------------------------------------------------------- */

uint32_t explainer_relation(const struct explainer *x, sym_t name, uint32_t argc)
{
	uint64_t h = hash_join(hash_mix(name), argc);
	uint32_t it, id;
	for (table_start(&x->relation_index, h, &it); (id = table_next(&x->relation_index, h, &it)) != TABLE_NONE;)
		if (x->relations.at[id].name == name && x->relations.at[id].argc == argc)
			return id;
	return TABLE_NONE;
}

static uint32_t put_relation(struct explainer *x, sym_t name, uint32_t argc)
{
	uint32_t id = explainer_relation(x, name, argc);
	if (id != TABLE_NONE)
		return id;
	id = narrow32(x->relations.n);
	vec_push(&x->relations, ((struct relation_entry){.name = name, .argc = argc}));
	table_add(&x->relation_index, hash_join(hash_mix(name), argc), id);
	return id;
}

static void number_variables(struct explainer *x, struct clause_entry *c, node_t n)
{
	const struct gdl_node *node = &x->rules->nodes.at[n];
	if (node->variable) {
		uint32_t v = 0;
		while (v < c->variables && x->variable_names.at[c->first_name + v] != node->name)
			v++;
		if (v == c->variables) {
			vec_push(&x->variable_names, node->name);
			c->variables++;
		}
		x->variable_of[n] = v;
	}
	for (uint32_t i = 0; i < node->argc; i++)
		number_variables(x, c, gdl_arg(x->rules, n, i));
}

static void list_clauses(struct explainer *x)
{
	const struct gdl_rules *r = x->rules;
	for (uint32_t i = 0; i < r->clauses.n; i++) {
		const struct gdl_clause *c = &r->clauses.at[i];
		const struct gdl_node *head = &r->nodes.at[c->head];
		struct clause_entry *e = &x->clauses[i];
		e->relation = put_relation(x, head->name, head->argc);
		e->first_name = narrow32(x->variable_names.n);
		x->relations.at[e->relation].count++;
		number_variables(x, e, c->head);
		for (uint32_t k = 0; k < c->count; k++)
			number_variables(x, e, r->kids.at[c->body + k]);
	}
	uint32_t sum = 0;
	for (size_t i = 0; i < x->relations.n; i++) {
		x->relations.at[i].first = sum;
		sum += x->relations.at[i].count;
		x->relations.at[i].count = 0;
	}
	vec_extend(&x->by_relation, sum);
	for (uint32_t i = 0; i < r->clauses.n; i++) {
		struct relation_entry *e = &x->relations.at[x->clauses[i].relation];
		x->by_relation.at[e->first + e->count++] = i;
	}
}

struct edge_list {
	VEC(uint32_t) to;
};

/* Relations that a condition asks for. */
static void add_edges(const struct explainer *x, node_t n, struct edge_list *edges)
{
	const struct gdl_node *node = &x->rules->nodes.at[n];
	if (node->name == GDL_NOT || node->name == GDL_OR || node->name == GDL_AND) {
		for (uint32_t i = 0; i < node->argc; i++)
			add_edges(x, gdl_arg(x->rules, n, i), edges);
		return;
	}
	uint32_t to = explainer_relation(x, node->name, node->argc);
	if (to != TABLE_NONE)
		vec_push(&edges->to, to);
}

static void find_recursion(struct explainer *x)
{
	uint32_t n = narrow32(x->relations.n);
	struct edge_list edges = {0};
	uint32_t *start = NEW_ARRAY(uint32_t, n + 1), *component = NEW_ARRAY(uint32_t, n + 1);
	for (uint32_t i = 0; i < n; i++) {
		start[i] = narrow32(edges.to.n);
		const struct relation_entry *e = &x->relations.at[i];
		for (uint32_t k = 0; k < e->count; k++) {
			const struct gdl_clause *c = &x->rules->clauses.at[x->by_relation.at[e->first + k]];
			for (uint32_t j = 0; j < c->count; j++)
				add_edges(x, x->rules->kids.at[c->body + j], &edges);
		}
	}
	start[n] = narrow32(edges.to.n);
	vec_reserve(&edges.to, 1);
	graph_components(n, start, edges.to.at, 0, component);
	for (uint32_t i = 0; i < n; i++) {
		x->relations.at[i].component = component[i];
		for (uint32_t k = start[i]; k < start[i + 1]; k++)
			x->relations.at[i].recursive |= component[i] == component[edges.to.at[k]];
	}
	vec_free(&edges.to);
	mem_free(start);
	mem_free(component);
}

struct explainer *explainer_make(struct gdl_rules *rules, struct limit limit, size_t memory, struct text *error)
{
	struct explainer *x = NEW(struct explainer);
	x->rules = rules;
	x->in = interpreter_make(rules, limit, memory, error);
	if (!x->in) {
		mem_free(x);
		return NULL;
	}
	x->terms = interpreter_terms(x->in);
	x->clauses = NEW_ARRAY(struct clause_entry, rules->clauses.n + 1);
	x->variable_of = NEW_ARRAY(uint32_t, rules->nodes.n + 1);
	x->domains = gdl_domains_make(rules);
	list_clauses(x);
	find_recursion(x);
	interpreter_roles(x->in, &x->roles);
	return x;
}

void explainer_free(struct explainer *x)
{
	if (!x)
		return;
	interpreter_free(x->in);
	gdl_domains_free(x->domains);
	vec_free(&x->relations);
	table_free(&x->relation_index);
	vec_free(&x->by_relation);
	mem_free(x->clauses);
	vec_free(&x->variable_names);
	mem_free(x->variable_of);
	vec_free(&x->roles);
	vec_free(&x->state);
	vec_free(&x->moves);
	vec_free(&x->in_state);
	sym_free(&x->asked_names);
	mem_free(x);
}

struct terms *explainer_terms(struct explainer *x)
{
	return x->terms;
}

const term_t *explainer_roles(struct explainer *x, size_t *count)
{
	*count = x->roles.n;
	return x->roles.at;
}

/* ---- the position --------------------------------------------------------------------- */

void explainer_set(struct explainer *x, const term_t *state, size_t count, const term_t *moves)
{
	x->trouble = NULL;
	x->work = EXPLAIN_WORK;
	for (size_t i = 0; i < x->state.n; i++)
		x->in_state.at[x->state.at[i] / 64] = 0;
	vec_set(&x->state, state, count);
	vec_set(&x->moves, moves, x->roles.n);
	for (size_t i = 0; i < count; i++) {
		while (x->in_state.n <= state[i] / 64)
			vec_push(&x->in_state, 0);
		x->in_state.at[state[i] / 64] |= UINT64_C(1) << state[i] % 64;
	}
	interpreter_set(x->in, x->state.at, x->state.n, moves ? x->moves.at : NULL);
}

const char *explainer_trouble(const struct explainer *x)
{
	return x->trouble ? x->trouble : interpreter_trouble(x->in);
}

bool explainer_spend(struct explainer *x, uint64_t work)
{
	if (x->work < work)
		x->trouble = "the search for an explanation became too large";
	else
		x->work -= work;
	return !explainer_trouble(x);
}

static bool is_move_made(const struct explainer *x, term_t statement)
{
	const term_t *args = term_args(x->terms, statement);
	for (size_t i = 0; i < x->moves.n; i++)
		if (args[0] == x->roles.at[i] && args[1] == x->moves.at[i])
			return true;
	return false;
}

bool explainer_holds(struct explainer *x, term_t statement)
{
	const struct term s = x->terms->all.at[statement];
	if (s.name == GDL_TRUE && s.argc == 1) {
		term_t f = term_args(x->terms, statement)[0];
		return f / 64 < x->in_state.n && (x->in_state.at[f / 64] >> f % 64 & 1);
	}
	if (s.name == GDL_DOES && s.argc == 2)
		return is_move_made(x, statement);
	term_list rows = {0};
	interpreter_ask(x->in, s.name, s.argc, term_args(x->terms, statement), &rows);
	bool holds = rows.n > 0;
	vec_free(&rows);
	return holds;
}

/* ---- statements ------------------------------------------------------------------------- */

static bool is_gap(const struct explainer *x, term_t t)
{
	return x->terms->all.at[t].name & GAP_BIT;
}

bool explainer_has_gaps(const struct explainer *x, term_t t)
{
	if (is_gap(x, t))
		return true;
	for (uint32_t i = 0; i < x->terms->all.at[t].argc; i++)
		if (explainer_has_gaps(x, term_args(x->terms, t)[i]))
			return true;
	return false;
}

void explainer_print(const struct explainer *x, term_t t, struct text *out)
{
	const struct term *s = &x->terms->all.at[t];
	if (is_gap(x, t)) {
		sym_t name = s->name & ~(GAP_BIT | ASKED);
		const char *text = sym_text(s->name & ASKED ? &x->asked_names : &x->rules->symbols, name);
		text_printf(out, "?%s", strchr(text, '.') ? "_" : text);
		return;
	}
	if (s->argc)
		text_putc(out, '(');
	text_puts(out, sym_text(&x->rules->symbols, s->name));
	for (uint32_t i = 0; i < s->argc; i++) {
		text_putc(out, ' ');
		explainer_print(x, term_args(x->terms, t)[i], out);
	}
	if (s->argc)
		text_putc(out, ')');
}

static void suggest_name(const struct explainer *x, const char *name, struct text *error)
{
	VEC(const char *) names = {0};
	bool *is_name = NEW_ARRAY(bool, x->rules->symbols.all.n + 1); /* not only a variable's */
	for (size_t i = 0; i < x->rules->nodes.n; i++)
		is_name[x->rules->nodes.at[i].name] |= !x->rules->nodes.at[i].variable;
	for (size_t i = 0; i < x->rules->symbols.all.n; i++)
		if (is_name[i])
			vec_push(&names, x->rules->symbols.all.at[i].text);
	vec_push(&names, NULL);
	mem_free(is_name);
	const char *near = nearest_word(name, names.at);
	text_printf(error, "`%.60s` is no name in these rules", name);
	if (near)
		text_printf(error, " (did you mean %.60s?)", near);
	vec_free(&names);
}

static term_t from_node(struct explainer *x, const struct gdl_rules *from, node_t n, struct text *error)
{
	const struct gdl_node *node = &from->nodes.at[n];
	const struct sym_entry *e = &from->symbols.all.at[node->name];
	if (node->variable)
		return term_put(x->terms, GAP_BIT | ASKED | sym_put(&x->asked_names, e->text, e->length), 0, NULL);
	sym_t name = sym_find(&x->rules->symbols, e->text, e->length);
	if (name == SYM_NONE || node->argc > DATALOG_MAX_ARGS) {
		if (name == SYM_NONE)
			suggest_name(x, e->text, error);
		else
			text_puts(error, "too many arguments");
		return TERM_NONE;
	}
	term_t args[DATALOG_MAX_ARGS];
	for (uint32_t i = 0; i < node->argc; i++)
		if ((args[i] = from_node(x, from, gdl_arg(from, n, i), error)) == TERM_NONE)
			return TERM_NONE;
	return term_put(x->terms, name, node->argc, args);
}

term_t explainer_read(struct explainer *x, const char *text, struct text *error)
{
	struct gdl_rules *r = gdl_empty(x->rules->form);
	node_t n;
	term_t out = TERM_NONE;
	if (gdl_read_term(r, text, strlen(text), &n, error)) {
		sym_t name = r->nodes.at[n].name;
		if (r->nodes.at[n].variable || name == GDL_NOT || name == GDL_OR || name == GDL_AND || name == GDL_DISTINCT)
			text_puts(
				error,
				"a question is about one statement, such as (legal x (mark 1 1)), terminal or (true (control x))");
		else
			out = from_node(x, r, n, error);
	}
	gdl_free(r);
	return out;
}

/* Equal gaps stand for equal terms: values are kept by pairs of gap and term. */
static bool fill_gaps(const struct explainer *x, term_t pattern, term_t with, term_list *pairs)
{
	if (pattern == with)
		return true;
	if (is_gap(x, pattern)) {
		for (size_t i = 0; i < pairs->n; i += 2)
			if (pairs->at[i] == pattern)
				return pairs->at[i + 1] == with;
		vec_push(pairs, pattern);
		vec_push(pairs, with);
		return true;
	}
	const struct term *a = &x->terms->all.at[pattern], *b = &x->terms->all.at[with];
	if (a->name != b->name || a->argc != b->argc)
		return false;
	for (uint32_t i = 0; i < a->argc; i++)
		if (!fill_gaps(x, term_args(x->terms, pattern)[i], term_args(x->terms, with)[i], pairs))
			return false;
	return true;
}

static void add_instance(struct explainer *x, term_t pattern, const term_t *args, term_list *out)
{
	const struct term s = x->terms->all.at[pattern];
	term_list pairs = {0};
	term_t t = term_put(x->terms, s.name, s.argc, args);
	if (fill_gaps(x, pattern, t, &pairs))
		vec_push(out, t);
	vec_free(&pairs);
}

static void ask_instances(struct explainer *x, term_t statement, term_list *out)
{
	const struct term s = x->terms->all.at[statement];
	term_t args[DATALOG_MAX_ARGS], known[DATALOG_MAX_ARGS];
	uint32_t free = 0;
	term_list rows = {0};
	for (uint32_t i = 0; i < s.argc; i++) {
		term_t a = term_args(x->terms, statement)[i];
		known[i] = explainer_has_gaps(x, a) ? TERM_NONE : a;
		free += known[i] == TERM_NONE;
	}
	interpreter_ask(x->in, s.name, s.argc, known, &rows);
	for (size_t row = 0; row < rows.n; row += free ? free : rows.n) {
		for (uint32_t i = 0, k = 0; i < s.argc; i++)
			args[i] = known[i] == TERM_NONE ? rows.at[row + k++] : known[i];
		add_instance(x, statement, args, out);
	}
	vec_free(&rows);
}

void explainer_instances(struct explainer *x, term_t statement, term_list *out)
{
	const struct term s = x->terms->all.at[statement];
	if (s.name == GDL_TRUE && s.argc == 1) {
		for (size_t i = 0; i < x->state.n; i++)
			add_instance(x, statement, &x->state.at[i], out);
	} else if (s.name == GDL_DOES && s.argc == 2) {
		for (size_t i = 0; i < x->moves.n; i++)
			add_instance(x, statement, (term_t[]){x->roles.at[i], x->moves.at[i]}, out);
	} else {
		ask_instances(x, statement, out);
	}
}

/* The checks of the GDL and GDL-II definitions (Love, Hinrichs, Haley, Schkufza
 * and Genesereth 2008; Thielscher 2010), first part: every clause for itself,
 * that is which names may stand where and with how many arguments. On the way
 * all relations and their uses are listed for the other parts:
 *
 *     vocabulary.c   what is missing, unused, misspelt
 *     depend.c       what depends on what, and how
 *     safety.c       where variables get their values
 *     meaning.c      what can never hold, and what looks misspelt
 *
 * Formulas are never multiplied out; every part works on the tree as written,
 * in time linear in it. Recursion is as deep as the text, which the reader has
 * bounded by GDL_MAX_DEPTH. */
#include "gdl/check.h"

#include <stdarg.h>
#include <string.h>

static const struct {
	const char *name;
	int arity;
} keywords[] = {
#define K(id, text, arity) {text, arity},
	GDL_KEYWORDS(K)
#undef K
};

struct diag *check_error(struct checker *c, node_t at, const char *code, const char *format, ...)
{
	va_list ap;
	va_start(ap, format);
	struct diag *g = diag_addv(c->d, DIAG_ERROR, c->r->nodes.at[at].at, code, format, ap);
	va_end(ap);
	return g;
}

struct diag *check_warning(struct checker *c, node_t at, const char *code, const char *format, ...)
{
	va_list ap;
	va_start(ap, format);
	struct diag *g = diag_addv(c->d, DIAG_WARNING, c->r->nodes.at[at].at, code, format, ap);
	va_end(ap);
	return g;
}

void check_also(struct checker *c, struct diag *g, node_t at, const char *message)
{
	if (!g || at == NO_NODE)
		return;
	g->also = c->r->nodes.at[at].at;
	g->also_message = message;
}

/* --- relations ------------------------------------------------------------ */

static uint64_t pred_hash(sym_t name, uint32_t arity)
{
	return hash_join(hash_mix(name + 1), arity);
}

uint32_t check_find_pred(const struct checker *c, sym_t name, uint32_t arity)
{
	uint64_t h = pred_hash(name, arity);
	uint32_t it, id;
	for (table_start(&c->pred_index, h, &it); (id = table_next(&c->pred_index, h, &it)) != TABLE_NONE;)
		if (c->preds.at[id].name == name && c->preds.at[id].arity == arity)
			return id;
	return TABLE_NONE;
}

static uint32_t put_pred(struct checker *c, sym_t name, uint32_t arity)
{
	uint32_t id = check_find_pred(c, name, arity);
	if (id != TABLE_NONE)
		return id;
	id = narrow32(c->preds.n);
	vec_push(&c->preds, (struct check_pred){.name = name, .arity = arity, .defined = NO_NODE, .used = NO_NODE});
	table_add(&c->pred_index, pred_hash(name, arity), id);
	return id;
}

const char *check_pred_text(struct checker *c, uint32_t pred)
{
	const struct check_pred *p = &c->preds.at[pred];
	return diag_text(c->d, "%s/%u", gdl_quote_name(c->r, p->name, false, c->d), p->arity);
}

/* --- terms ----------------------------------------------------------------- */

static const char *plural(uint32_t n)
{
	return n == 1 ? "" : "s";
}

static void note_name(struct checker *c, node_t n)
{
	sym_t name = c->r->nodes.at[n].name;
	if (c->name_at[name] == NO_NODE)
		c->name_at[name] = n;
}

static void note_function(struct checker *c, node_t n)
{
	const struct gdl_node *node = &c->r->nodes.at[n];
	node_t first = c->function_at[node->name];
	if (first == NO_NODE) {
		c->function_at[node->name] = n;
		return;
	}
	uint32_t before = c->r->nodes.at[first].argc;
	if (before == node->argc || c->arity_reported[node->name])
		return;
	c->arity_reported[node->name] = true;
	struct diag *g =
		check_warning(c, n, "two-arities", "%s has %u argument%s here and %u elsewhere: these are two functions",
	                  gdl_quote_name(c->r, node->name, false, c->d), node->argc, plural(node->argc), before);
	check_also(c, g, first, "the other one");
}

static void check_term(struct checker *c, node_t n)
{
	const struct gdl_node node = c->r->nodes.at[n];
	if (node.variable)
		return;
	note_name(c, n);
	if (node.name < GDL_RANDOM) {
		struct diag *g =
			check_error(c, n, "keyword-in-term", "the keyword `%s` stands inside a term", keywords[node.name].name);
		if (g)
			g->help = "keywords name relations and connectives only; a `)` in the wrong place, or choose another name";
	}
	if (node.argc)
		note_function(c, n);
	for (uint32_t i = 0; i < node.argc; i++)
		check_term(c, gdl_arg(c->r, n, i));
}

static void check_terms(struct checker *c, node_t n)
{
	for (uint32_t i = 0; i < c->r->nodes.at[n].argc; i++)
		check_term(c, gdl_arg(c->r, n, i));
}

/* --- atoms and formulas ----------------------------------------------------- */

static bool check_keyword_arity(struct checker *c, node_t n)
{
	const struct gdl_node *node = &c->r->nodes.at[n];
	if (node->name >= GDL_RANDOM || keywords[node->name].arity < 0 ||
	    (uint32_t)keywords[node->name].arity == node->argc)
		return true;
	int arity = keywords[node->name].arity;
	check_error(c, n, "keyword-arity", "`%s` takes %d argument%s, here it has %u", keywords[node->name].name, arity,
	            plural((uint32_t)arity), node->argc);
	return false;
}

static void check_atom(struct checker *c, node_t n, bool negative)
{
	const struct gdl_node *node = &c->r->nodes.at[n];
	note_name(c, n);
	check_keyword_arity(c, n);
	if (node->name == GDL_SEES)
		check_warning(c, n, "sees-in-body", "`sees` in a body: other programs may allow it only in heads");
	if (node->name == GDL_INIT || node->name == GDL_NEXT) {
		struct diag *g = check_error(c, n, "keyword-in-body", "`%s` may stand only in the head of a rule",
		                             keywords[node->name].name);
		if (g)
			g->help = "the current state is asked with `true`";
	}
	uint32_t pred = put_pred(c, node->name, node->argc);
	if (c->preds.at[pred].used == NO_NODE && c->head_pred[c->clause] != pred)
		c->preds.at[pred].used = n;
	c->use_pred[n] = pred;
	vec_push(&c->uses, (struct check_use){c->clause, pred, n, negative});
	check_terms(c, n);
}

static void check_negation(struct checker *c, node_t n)
{
	if (!check_keyword_arity(c, n))
		return;
	node_t inner = gdl_arg(c->r, n, 0);
	const struct gdl_node *node = &c->r->nodes.at[inner];
	const char *help = NULL, *what = NULL;
	if (node->variable)
		what = "a variable", help = "name a relation, as in (not (p ?x))";
	else if (node->name == GDL_OR)
		what = "`or`", help = "write (not a) (not b) instead of (not (or a b))";
	else if (node->name == GDL_AND)
		what = "`and`", help = "write (or (not a) (not b)) instead of (not (and a b))";
	else if (node->name == GDL_NOT)
		what = "another `not`", help = "write a instead of (not (not a))";
	else if (node->name == GDL_DISTINCT)
		what = "`distinct`", help = "use one variable in both places instead of (not (distinct ?x ?y))";
	if (!what) {
		check_atom(c, inner, true);
		return;
	}
	struct diag *g = check_error(c, n, "bad-negation", "`not` stands around %s; only an atom can be negated", what);
	if (g)
		g->help = help;
}

static void check_formula(struct checker *c, node_t n)
{
	const struct gdl_node node = c->r->nodes.at[n];
	if (node.variable) {
		check_error(c, n, "variable-as-condition", "the variable %s stands where a condition should be",
		            gdl_quote(c->r, n, c->d));
	} else if (node.name == GDL_NOT) {
		check_negation(c, n);
	} else if (node.name == GDL_DISTINCT) {
		check_keyword_arity(c, n);
		check_terms(c, n);
	} else if (node.name == GDL_OR || node.name == GDL_AND) {
		if (!node.argc)
			check_error(c, n, "empty-connective", "`%s` has nothing to connect", keywords[node.name].name);
		else if (node.name == GDL_AND && c->r->form == GDL_KIF)
			check_warning(c, n, "and", "GDL has no `and`; it is read as a conjunction, other programs may not");
		for (uint32_t i = 0; i < node.argc; i++)
			check_formula(c, gdl_arg(c->r, n, i));
	} else {
		check_atom(c, n, false);
	}
}

/* --- heads ------------------------------------------------------------------ */

static bool is_ground(const struct gdl_rules *r, node_t n)
{
	if (r->nodes.at[n].variable)
		return false;
	for (uint32_t i = 0; i < r->nodes.at[n].argc; i++)
		if (!is_ground(r, gdl_arg(r, n, i)))
			return false;
	return true;
}

static void check_goal_value(struct checker *c, node_t n)
{
	const struct gdl_node *node = &c->r->nodes.at[n];
	if (node->variable)
		return;
	const char *s = sym_text(&c->r->symbols, node->name);
	int value = 0;
	bool number = !node->argc && *s;
	for (; number && *s; s++) {
		number = *s >= '0' && *s <= '9' && value <= 100;
		value = value * 10 + (*s - '0');
	}
	if (!number || value > 100)
		check_error(c, n, "goal-value", "a goal value is an integer from 0 to 100, not %s", gdl_quote(c->r, n, c->d));
}

static void check_role(struct checker *c, const struct gdl_clause *clause)
{
	node_t role = gdl_arg(c->r, clause->head, 0);
	if (clause->count)
		check_error(c, clause->head, "role-rule", "roles are facts; they cannot be given by a rule");
	else if (!is_ground(c->r, role))
		check_error(c, role, "role-rule", "a role is a name without variables");
}

static void check_head(struct checker *c, const struct gdl_clause *clause)
{
	node_t head = clause->head;
	const struct gdl_node node = c->r->nodes.at[head];
	note_name(c, head);
	switch (node.name) {
	case GDL_NOT:
	case GDL_OR:
	case GDL_AND:
	case GDL_DISTINCT:
		check_error(c, head, "bad-head", "`%s` cannot be the head of a rule", keywords[node.name].name);
		return;
	case GDL_TRUE:
	case GDL_DOES: {
		struct diag *g =
			check_error(c, head, "bad-head", "`%s` may stand only in the body of a rule", keywords[node.name].name);
		if (g)
			g->help = node.name == GDL_TRUE ? "use `init` for the first state and `next` for the following ones"
			                                : "moves are made possible with `legal`";
		break;
	}
	}
	if (!check_keyword_arity(c, head))
		return;
	check_terms(c, head);
	if (node.name == GDL_GOAL)
		check_goal_value(c, gdl_arg(c->r, head, 1));
	else if (node.name == GDL_ROLE)
		check_role(c, clause);
}

static void check_clause(struct checker *c, const struct gdl_clause *clause)
{
	const struct gdl_node *head = &c->r->nodes.at[clause->head];
	if (head->variable) {
		check_error(c, clause->head, "bad-head", "the head of a rule is a variable");
		c->head_pred[c->clause] = put_pred(c, GDL_AND, 0);
	} else {
		uint32_t pred = c->head_pred[c->clause] = put_pred(c, head->name, head->argc);
		if (c->preds.at[pred].defined == NO_NODE)
			c->preds.at[pred].defined = clause->head;
		c->preds.at[pred].rule |= clause->count > 0;
		check_head(c, clause);
	}
	for (uint32_t i = 0; i < clause->count; i++)
		check_formula(c, c->r->kids.at[clause->body + i]);
}

/* Clauses of a rulesheet whose meaning is looked at: what nobody writes by hand takes too long. */
#define MOST_MEANT 5000

void gdl_check(const struct gdl_rules *r, struct diags *d)
{
	struct checker c = {.r = r, .d = d, .whole = !r->partial && r->clauses.n};
	size_t symbols = r->symbols.all.n;
	c.head_pred = NEW_ARRAY(uint32_t, r->clauses.n + 1);
	c.use_pred = NEW_ARRAY(uint32_t, r->nodes.n + 1);
	c.name_at = mem_alloc(symbols, sizeof(node_t));
	c.function_at = mem_alloc(symbols, sizeof(node_t));
	c.arity_reported = NEW_ARRAY(bool, symbols);
	memset(c.name_at, 0xff, symbols * sizeof(node_t));
	memset(c.function_at, 0xff, symbols * sizeof(node_t));
	for (size_t i = 0; i < r->clauses.n; i++) {
		c.clause = (uint32_t)i;
		check_clause(&c, &r->clauses.at[i]);
	}
	check_vocabulary(&c);
	check_dependencies(&c);
	check_variables(&c);
	if (r->clauses.n <= MOST_MEANT)
		check_meaning(&c);
	vec_free(&c.preds);
	vec_free(&c.uses);
	table_free(&c.pred_index);
	mem_free(c.head_pred);
	mem_free(c.use_pred);
	mem_free(c.name_at);
	mem_free(c.function_at);
	mem_free(c.arity_reported);
}

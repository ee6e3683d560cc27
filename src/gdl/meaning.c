/* What breaks no rule of the language and is still hardly ever meant: conditions that can never hold because nothing
 * makes the fluent true, gives the move or has this name in this place; `base` and `input` that leave something out;
 * names and variables that occur once and look like others; arithmetic. */
#include "base/nearest.h"
#include "gdl/check.h"
#include "gdl/domains.h"

#include <ctype.h>
#include <string.h>

#define MAX_LISTED 6     /* names of a domain in a message */
#define MAX_NEAR 200     /* names that are looked through for a near one */
#define MIN_NAME 4       /* letters: shorter names are near to too many others */
#define MAX_VARIABLES 64 /* of a rule that are compared */

enum { ARITHMETIC = -1, SINGLE = -2, GROWTH = -3 }; /* in the place of a place */

struct meaning {
	struct checker *c;
	struct gdl_domains *d;
	struct table reported; /* places with a name, as hashes: each is reported once */
	VEC(uint64_t) keys;
};

static bool report_once(struct meaning *m, int64_t place, sym_t name, uint32_t argc)
{
	uint64_t key = hash_join(hash_join(hash_mix((uint64_t)place), name), argc);
	uint32_t it, id;
	for (table_start(&m->reported, key, &it); (id = table_next(&m->reported, key, &it)) != TABLE_NONE;)
		if (m->keys.at[id] == key)
			return false;
	table_add(&m->reported, key, narrow32(m->keys.n));
	vec_push(&m->keys, key);
	return true;
}

/* ---- domains ------------------------------------------------------------------------------- */

static const char *quoted(struct meaning *m, sym_t name)
{
	return gdl_quote_name(m->c->r, name, false, m->c->d);
}

/* "alice, bob" */
static const char *list_names(struct meaning *m, uint32_t place)
{
	struct text t = {0};
	size_t n = gdl_domain_size(m->d, place);
	for (size_t i = 0; i < n && i < MAX_LISTED; i++)
		text_printf(&t, "%s%s", i ? ", " : "", quoted(m, gdl_domain_name(m->d, place, i, NULL)));
	if (n > MAX_LISTED)
		text_printf(&t, ", … (%zu in all)", n);
	const char *out = diag_text(m->c->d, "%s", text_str(&t));
	text_free(&t);
	return out;
}

static const char *near_name(struct meaning *m, uint32_t place, sym_t name, uint32_t argc)
{
	const char *list[MAX_NEAR + 1];
	size_t n = 0;
	uint32_t arity;
	sym_t s;
	for (size_t i = 0; n < MAX_NEAR && (s = gdl_domain_name(m->d, place, i, &arity)) != SYM_NONE; i++)
		if (arity == argc && s != name)
			list[n++] = sym_text(&m->c->r->symbols, s);
	list[n] = NULL;
	return nearest_word(sym_text(&m->c->r->symbols, name), list);
}

static void suggest(struct meaning *m, struct diag *g, uint32_t place, sym_t name, uint32_t argc, const char *only)
{
	if (!g)
		return;
	const char *near = near_name(m, place, name, argc);
	if (near)
		g->help = diag_text(m->c->d, "did you mean `%.60s`?", near);
	else if (only && gdl_domain_size(m->d, place))
		g->help = diag_text(m->c->d, "%s %s", only, list_names(m, place));
}

/* ---- conditions that never hold ---------------------------------------------------------------- */

/* "the fluent cell", "`does`" */
static const char *in_words(struct meaning *m, enum gdl_realm realm, sym_t owner)
{
	if (owner < GDL_RANDOM)
		return diag_text(m->c->d, "`%s`", sym_text(&m->c->r->symbols, owner));
	return diag_text(m->c->d, "the %s %s",
	                 realm == REALM_FLUENT ? "fluent"
	                 : realm == REALM_MOVE ? "move"
	                                       : "relation",
	                 quoted(m, owner));
}

/* A name in a condition that nothing puts there. An empty domain has been reported where it comes from. */
static void check_argument(struct meaning *m, node_t n, enum gdl_realm realm, uint32_t place, sym_t owner)
{
	const struct gdl_node node = m->c->r->nodes.at[n];
	if (node.variable || place == GDL_NO_PLACE)
		return;
	if (gdl_domain_size(m->d, place) && !gdl_domain_has(m->d, place, node.name, node.argc)) {
		if (!report_once(m, place, node.name, node.argc))
			return;
		report_once(m, SINGLE, node.name, 0);
		struct diag *g = check_warning(m->c, n, "never-here", "%s never stands in this place of %s",
		                               gdl_quote(m->c->r, n, m->c->d), in_words(m, realm, owner));
		suggest(m, g, place, node.name, node.argc, "what stands there:");
		return;
	}
	for (uint32_t i = 0; i < node.argc; i++)
		check_argument(m, gdl_arg(m->c->r, n, i), realm, gdl_domain_place(m->d, realm, node.name, node.argc, i),
		               node.name);
}

/* What stands in `true` or `does`. */
static void check_root(struct meaning *m, node_t n, enum gdl_realm realm)
{
	const struct gdl_node node = m->c->r->nodes.at[n];
	uint32_t root = gdl_domain_place(m->d, realm, SYM_NONE, 0, 0);
	if (node.variable)
		return;
	if (gdl_domain_has(m->d, root, node.name, node.argc)) {
		for (uint32_t i = 0; i < node.argc; i++)
			check_argument(m, gdl_arg(m->c->r, n, i), realm, gdl_domain_place(m->d, realm, node.name, node.argc, i),
			               node.name);
		return;
	}
	if (!report_once(m, root, node.name, node.argc))
		return;
	struct diag *g;
	if (realm == REALM_FLUENT)
		g = check_warning(m->c, n, "never-true", "%s is never true: no `init` and no `next` gives it",
		                  quoted(m, node.name));
	else
		g = check_warning(m->c, n, "no-such-move", "%s is never done: no `legal` gives such a move",
		                  quoted(m, node.name));
	suggest(m, g, root, node.name, node.argc, NULL);
}

static void check_condition(struct meaning *m, node_t n)
{
	const struct gdl_rules *r = m->c->r;
	const struct gdl_node node = r->nodes.at[n];
	if (node.name == GDL_DISTINCT)
		return;
	for (uint32_t i = 0; i < node.argc; i++) {
		node_t arg = gdl_arg(r, n, i);
		enum gdl_realm realm = gdl_realm_of(r, n, i);
		if (node.name == GDL_NOT || node.name == GDL_OR || node.name == GDL_AND)
			check_condition(m, arg);
		else if (realm == REALM_FLUENT || realm == REALM_MOVE)
			check_root(m, arg, realm);
		else if (realm == REALM_RELATION)
			check_argument(m, arg, realm, gdl_argument_place(m->d, n, i), node.name);
	}
}

/* ---- declarations ---------------------------------------------------------------------------------- */

/* A name in a head of `init`, `next` or `legal` that `base` or `input` do not have in this place. */
static void check_declared(struct meaning *m, node_t n, enum gdl_realm realm, uint32_t place, sym_t head)
{
	const struct gdl_node node = m->c->r->nodes.at[n];
	bool base = realm == REALM_BASE;
	if (node.variable || place == GDL_NO_PLACE)
		return;
	if (!gdl_domain_has(m->d, place, node.name, node.argc)) {
		if (report_once(m, place, node.name, node.argc)) {
			struct diag *g = check_warning(m->c, n, base ? "not-in-base" : "not-in-input",
			                               "`%s` gives %s here, `%s` leaves it out", sym_text(&m->c->r->symbols, head),
			                               gdl_quote(m->c->r, n, m->c->d), base ? "base" : "input");
			suggest(m, g, place, node.name, node.argc, base ? "`base` has:" : "`input` has:");
		}
		return;
	}
	for (uint32_t i = 0; i < node.argc; i++)
		check_declared(m, gdl_arg(m->c->r, n, i), realm, gdl_domain_place(m->d, realm, node.name, node.argc, i), head);
}

static void check_head(struct meaning *m, node_t head)
{
	const struct gdl_rules *r = m->c->r;
	sym_t name = r->nodes.at[head].name;
	bool legal = name == GDL_LEGAL;
	if (name != GDL_INIT && name != GDL_NEXT && !legal)
		return;
	enum gdl_realm realm = legal ? REALM_INPUT : REALM_BASE;
	uint32_t root = gdl_domain_place(m->d, realm, SYM_NONE, 0, 0);
	if (gdl_domain_size(m->d, root)) /* there are declarations */
		check_declared(m, gdl_arg(r, head, legal), realm, root, name);
}

/* ---- arithmetic ------------------------------------------------------------------------------------- */

static bool is_sign(const char *s)
{
	static const char *const signs[] = {"+", "-", "*", "/", "<", ">", "=", ">=", "=<", "==", "!=", "%", "mod"};
	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
		if (!strcmp(s, signs[i]))
			return true;
	return false;
}

/* `(- ?n 1)` is a term like any other: it has no value. */
static void check_arithmetic(struct meaning *m, node_t n, bool term)
{
	const struct gdl_rules *r = m->c->r;
	const struct gdl_node node = r->nodes.at[n];
	if (node.variable)
		return;
	bool connective = node.name == GDL_NOT || node.name == GDL_OR || node.name == GDL_AND;
	if (term && node.argc == 2 && is_sign(sym_text(&r->symbols, node.name)) &&
	    report_once(m, ARITHMETIC, node.name, 2)) {
		struct diag *g = check_warning(m->c, n, "arithmetic", "%s is a term like any other: GDL does not compute",
		                               gdl_quote(r, n, m->c->d));
		if (g)
			g->help = "state the facts, such as (succ 1 2), and ask for them";
	}
	for (uint32_t i = 0; i < node.argc; i++)
		check_arithmetic(m, gdl_arg(r, n, i), !connective);
}

/* ---- terms that grow ---------------------------------------------------------------------------------- */

static bool contains(const struct gdl_rules *r, node_t n, sym_t variable)
{
	const struct gdl_node *x = &r->nodes.at[n];
	for (uint32_t i = 0; i < x->argc; i++)
		if (contains(r, gdl_arg(r, n, i), variable))
			return true;
	return x->variable && x->name == variable;
}

/* (next (pile (s ?n))) where (true (pile ?n)): every step adds to the term. */
static void check_growth(struct meaning *m, const struct gdl_clause *c)
{
	const struct gdl_rules *r = m->c->r;
	if (!gdl_is(r, c->head, GDL_NEXT))
		return;
	node_t made = gdl_arg(r, c->head, 0);
	const struct gdl_node *x = &r->nodes.at[made];
	for (uint32_t k = 0; k < c->count && !x->variable; k++) {
		node_t n = r->kids.at[c->body + k];
		const struct gdl_node *y = gdl_is(r, n, GDL_TRUE) ? &r->nodes.at[gdl_arg(r, n, 0)] : NULL;
		if (!y || y->variable || y->name != x->name || y->argc != x->argc)
			continue;
		for (uint32_t i = 0; i < x->argc; i++) {
			node_t to = r->kids.at[x->args + i];
			const struct gdl_node *from = &r->nodes.at[r->kids.at[y->args + i]];
			if (!from->variable || !r->nodes.at[to].argc || !contains(r, to, from->name) ||
			    !report_once(m, GROWTH, x->name, i))
				continue;
			struct diag *g =
				check_warning(m->c, to, "growing-term", "%s grows with every step; there may be no end of states",
			                  gdl_quote(r, to, m->c->d));
			if (g)
				g->help = "count with facts, such as (succ 1 2), up to where it is needed";
		}
	}
}

/* ---- names that occur once ---------------------------------------------------------------------------- */

static bool is_plain_word(const char *s)
{
	size_t letters = 0;
	for (; *s; s++) {
		if (isdigit((unsigned char)*s))
			return false;
		letters += isalpha((unsigned char)*s) != 0;
	}
	return letters >= MIN_NAME;
}

static void count_names(const struct gdl_rules *r, node_t n, uint32_t *count, node_t *where)
{
	const struct gdl_node *node = &r->nodes.at[n];
	if (!node->variable) {
		count[node->name]++;
		where[node->name] = n;
	}
	for (uint32_t i = 0; i < node->argc; i++)
		count_names(r, gdl_arg(r, n, i), count, where);
}

/* One letter too many, too few or another one, or two neighbours swapped; but not `king` and `kings`, which are two
 * words. */
static bool is_slip(const char *a, const char *b)
{
	size_t n = strlen(a), k = strlen(b), same = 0;
	while (a[same] && a[same] == b[same])
		same++;
	const char *x = a + same, *y = b + same;
	if (!*x || !*y || (n > k ? n - k : k - n) > 1)
		return false;
	if (n != k)
		return !strcmp(n > k ? x + 1 : x, n > k ? y : y + 1);
	return !strcmp(x + 1, y + 1) || (x[0] == y[1] && x[1] == y[0] && !strcmp(x + 2, y + 2));
}

static void check_single_names(struct meaning *m)
{
	const struct gdl_rules *r = m->c->r;
	size_t n = r->symbols.all.n;
	uint32_t *count = NEW_ARRAY(uint32_t, n);
	node_t *where = NEW_ARRAY(node_t, n);
	for (size_t i = 0; i < r->clauses.n; i++) {
		count_names(r, r->clauses.at[i].head, count, where);
		for (uint32_t k = 0; k < r->clauses.at[i].count; k++)
			count_names(r, r->kids.at[r->clauses.at[i].body + k], count, where);
	}
	uint64_t work = 0;
	for (sym_t s = GDL_KEYWORD_COUNT; s < n && work < 1000000; s++) {
		const char *name = sym_text(&r->symbols, s);
		if (count[s] != 1 || r->nodes.at[where[s]].argc || !is_plain_word(name))
			continue;
		for (sym_t t = GDL_KEYWORD_COUNT; t < n; t++, work++) {
			const char *other = sym_text(&r->symbols, t);
			if (count[t] < 2 || !is_plain_word(other) || !is_slip(name, other))
				continue;
			if (!report_once(m, SINGLE, s, 0))
				break;
			struct diag *g = check_warning(m->c, where[s], "single-name", "%s occurs only here", quoted(m, s));
			if (g)
				g->help = diag_text(m->c->d, "did you mean `%.60s`?", other);
			break;
		}
	}
	mem_free(count);
	mem_free(where);
}

/* ---- variables that occur once --------------------------------------------------------------------------- */

struct variable_list {
	VEC(struct variable_use {
		sym_t name;
		uint32_t count;
		node_t node;
	}) all;
};

static void count_variables(const struct gdl_rules *r, node_t n, struct variable_list *v)
{
	const struct gdl_node *node = &r->nodes.at[n];
	if (node->variable) {
		size_t i = 0;
		while (i < v->all.n && v->all.at[i].name != node->name)
			i++;
		if (i == v->all.n && i < MAX_VARIABLES)
			vec_push(&v->all, ((struct variable_use){node->name, 0, n}));
		if (i < v->all.n)
			v->all.at[i].count++;
	}
	for (uint32_t i = 0; i < node->argc; i++)
		count_variables(r, gdl_arg(r, n, i), v);
}

/* One that occurs once is common; one that occurs once and nearly has the name of another is a slip. */
static void check_single_variables(struct meaning *m, const struct gdl_clause *c)
{
	const struct gdl_rules *r = m->c->r;
	struct variable_list v = {0};
	count_variables(r, c->head, &v);
	for (uint32_t i = 0; i < c->count; i++)
		count_variables(r, r->kids.at[c->body + i], &v);
	for (size_t i = 0; i < v.all.n; i++) {
		const char *name = sym_text(&r->symbols, v.all.at[i].name);
		if (v.all.at[i].count != 1 || !is_plain_word(name))
			continue;
		for (size_t k = 0; k < v.all.n; k++) {
			const char *other = sym_text(&r->symbols, v.all.at[k].name);
			if (v.all.at[k].count < 2 || !is_plain_word(other) || !is_slip(name, other))
				continue;
			struct diag *g =
				check_warning(m->c, v.all.at[i].node, "single-variable",
			                  "the variable %s occurs only once in this rule", gdl_quote(r, v.all.at[i].node, m->c->d));
			if (g)
				g->help = diag_text(m->c->d, "did you mean %s?", gdl_quote(r, v.all.at[k].node, m->c->d));
			break;
		}
	}
	vec_free(&v.all);
}

void check_meaning(struct checker *c)
{
	const struct gdl_rules *r = c->r;
	if (!c->whole || c->d->errors)
		return;
	struct meaning m = {.c = c, .d = gdl_domains_make(r)};
	for (size_t i = 0; i < r->clauses.n; i++) {
		const struct gdl_clause *clause = &r->clauses.at[i];
		check_arithmetic(&m, clause->head, false);
		check_growth(&m, clause);
		if (clause->count)
			check_single_variables(&m, clause);
		if (m.d)
			check_head(&m, clause->head);
		for (uint32_t k = 0; k < clause->count; k++) {
			node_t n = r->kids.at[clause->body + k];
			check_arithmetic(&m, n, false);
			if (m.d)
				check_condition(&m, n);
		}
	}
	if (m.d)
		check_first_moves(c, m.d);
	check_single_names(&m);
	gdl_domains_free(m.d);
	table_free(&m.reported);
	vec_free(&m.keys);
}

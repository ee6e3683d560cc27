/* Roles that cannot move in the first state, because every rule that could give them a move asks for a fluent that no
 * `init` gives. Mostly it is the role that waits: all roles move at the same time, and it needs a move that does
 * nothing. A fluent that nothing makes true and that nearly has the name of another is taken for that one here: so
 * this slip is not hidden by the other. */
#include "base/nearest.h"
#include "gdl/check.h"
#include "gdl/domains.h"

#include <string.h>

#define MAX_NEAR 200 /* names that are looked through for a near one */
#define MAX_WORK 10000000

struct first_moves {
	const struct gdl_rules *r;
	const struct gdl_domains *d;
	VEC(node_t) first;    /* what `init` gives */
	sym_t variable, role; /* of the clause at hand: the variable of its head that stands for the role; SYM_NONE: none */
	uint64_t work;
};

/* The name that was meant. */
static sym_t meant(const struct first_moves *f, sym_t name, uint32_t argc)
{
	uint32_t root = gdl_domain_place(f->d, REALM_FLUENT, SYM_NONE, 0, 0), arity;
	const char *list[MAX_NEAR + 1];
	size_t n = 0;
	sym_t s;
	if (gdl_domain_has(f->d, root, name, argc))
		return name;
	for (size_t i = 0; n < MAX_NEAR && (s = gdl_domain_name(f->d, root, i, &arity)) != SYM_NONE; i++)
		if (arity == argc)
			list[n++] = sym_text(&f->r->symbols, s);
	list[n] = NULL;
	const char *near = nearest_word(sym_text(&f->r->symbols, name), list);
	return near ? sym_find(&f->r->symbols, near, strlen(near)) : name;
}

static bool may_be(struct first_moves *f, node_t asked, node_t given)
{
	const struct gdl_node *a = &f->r->nodes.at[asked], *b = &f->r->nodes.at[given];
	f->work++;
	if (b->variable)
		return true;
	if (a->variable)
		return a->name != f->variable || (b->name == f->role && !b->argc);
	if (a->name != b->name || a->argc != b->argc)
		return false;
	for (uint32_t i = 0; i < a->argc; i++)
		if (!may_be(f, gdl_arg(f->r, asked, i), gdl_arg(f->r, given, i)))
			return false;
	return true;
}

static bool may_be_first(struct first_moves *f, node_t fluent)
{
	const struct gdl_node *a = &f->r->nodes.at[fluent];
	if (a->variable)
		return true;
	sym_t name = meant(f, a->name, a->argc);
	for (size_t i = 0; i < f->first.n; i++) {
		const struct gdl_node *b = &f->r->nodes.at[f->first.at[i]];
		bool fits = b->variable || (b->name == name && b->argc == a->argc);
		for (uint32_t k = 0; fits && !b->variable && k < a->argc; k++)
			fits = may_be(f, gdl_arg(f->r, fluent, k), gdl_arg(f->r, f->first.at[i], k));
		if (fits)
			return true;
	}
	return false;
}

static bool may_give(struct first_moves *f, const struct gdl_clause *c)
{
	const struct gdl_node *who = &f->r->nodes.at[gdl_arg(f->r, c->head, 0)];
	if (!who->variable && (who->name != f->role || who->argc))
		return false;
	f->variable = who->variable ? who->name : SYM_NONE;
	for (uint32_t i = 0; i < c->count; i++) {
		node_t n = f->r->kids.at[c->body + i];
		if (gdl_is(f->r, n, GDL_TRUE) && !may_be_first(f, gdl_arg(f->r, n, 0)))
			return false;
	}
	return true;
}

/* Has the role a rule at all? Without one there is another warning. */
static bool may_move(struct first_moves *f, node_t *last)
{
	const struct gdl_rules *r = f->r;
	bool any = false;
	for (size_t i = 0; i < r->clauses.n; i++) {
		const struct gdl_clause *c = &r->clauses.at[i];
		if (!gdl_is(r, c->head, GDL_LEGAL))
			continue;
		if (may_give(f, c))
			return true;
		const struct gdl_node *who = &r->nodes.at[gdl_arg(r, c->head, 0)];
		if (who->variable || who->name == f->role) {
			any = true;
			*last = c->head;
		}
	}
	return !any;
}

void check_first_moves(struct checker *c, const struct gdl_domains *d)
{
	const struct gdl_rules *r = c->r;
	struct first_moves f = {.r = r, .d = d};
	for (size_t i = 0; i < r->clauses.n; i++)
		if (gdl_is(r, r->clauses.at[i].head, GDL_INIT))
			vec_push(&f.first, gdl_arg(r, r->clauses.at[i].head, 0));
	for (size_t i = 0; i < r->clauses.n && f.first.n && f.work < MAX_WORK; i++) {
		node_t head = r->clauses.at[i].head, rule = NO_NODE;
		if (!gdl_is(r, head, GDL_ROLE))
			continue;
		f.role = r->nodes.at[gdl_arg(r, head, 0)].name;
		if (may_move(&f, &rule))
			continue;
		struct diag *g = check_warning(c, head, "no-first-move", "the role %s has no legal move in the first state",
		                               gdl_quote_name(r, f.role, false, c->d));
		if (g)
			g->help =
				"all roles move at the same time: one that waits needs a move that does nothing, often called noop";
		check_also(c, g, rule, "this rule, and any other for it, asks for a fluent that `init` does not give");
	}
	vec_free(&f.first);
}

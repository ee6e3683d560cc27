/* `alleq`, which papers use as if it were part of GDL: alleq(X, Y, Z) holds when all its arguments are the same. Where
 * a rulesheet asks for it and does not define it, it gets the facts (alleq a a a), one for every name that stands in an
 * argument somewhere: so it binds its variables like any relation, and everything that reads rules understands it. */
#include "gdl/reader_internal.h"

#include <string.h>

static void add_fact(struct reader *in, sym_t alleq, sym_t name, uint32_t argc, struct range at)
{
	size_t first = in->items.n;
	for (uint32_t i = 0; i < argc; i++) {
		node_t word = reader_node(in, false, name, in->items.n, at);
		vec_push(&in->items, word);
	}
	node_t fact = reader_node(in, false, alleq, first, at);
	vec_push(&in->items, fact);
	reader_clause(in, first, at);
}

/* Names without arguments that stand in an argument. The parts of `not` and the like are conditions. */
static void add_facts(struct reader *in, sym_t alleq, uint32_t argc, struct range at)
{
	struct gdl_rules *r = in->rules;
	uint8_t *seen = NEW_ARRAY(uint8_t, r->symbols.all.n);
	for (node_t n = 0, end = (node_t)r->nodes.n; n < end; n++) {
		const struct gdl_node node = r->nodes.at[n];
		bool connective = node.name == GDL_NOT || node.name == GDL_OR || node.name == GDL_AND;
		for (uint32_t i = 0; i < node.argc && !node.variable && !connective && !in->stop; i++) {
			const struct gdl_node word = r->nodes.at[gdl_arg(r, n, i)]; /* a copy: the list grows */
			if (word.variable || word.argc || word.name < GDL_RANDOM || seen[word.name])
				continue;
			seen[word.name] = 1;
			add_fact(in, alleq, word.name, argc, at);
		}
	}
	mem_free(seen);
}

void reader_alleq(struct reader *in)
{
	struct gdl_rules *r = in->rules;
	sym_t alleq = sym_find(&r->symbols, "alleq", strlen("alleq"));
	node_t end = (node_t)r->nodes.n;
	uint32_t most = 0;
	for (node_t n = 0; alleq != SYM_NONE && n < end; n++)
		if (r->nodes.at[n].name == alleq && r->nodes.at[n].argc > most)
			most = r->nodes.at[n].argc;
	if (!most)
		return;
	uint8_t *known = NEW_ARRAY(uint8_t, (size_t)most + 1); /* by number of arguments */
	for (size_t i = 0; i < r->clauses.n; i++) {
		const struct gdl_node *head = &r->nodes.at[r->clauses.at[i].head];
		if (head->name == alleq && !head->variable)
			known[head->argc] = 1;
	}
	for (node_t n = 0; n < end && !in->stop; n++) {
		const struct gdl_node node = r->nodes.at[n];
		if (node.variable || node.name != alleq || !node.argc || known[node.argc])
			continue;
		known[node.argc] = 1;
		diag_add(in->d, DIAG_WARNING, node.at, "alleq",
		         "GDL has no `alleq`; it is read as: these are all the same name. Other programs may not know it");
		add_facts(in, alleq, node.argc, node.at);
	}
	mem_free(known);
}

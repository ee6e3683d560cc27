/* The inside of this room: clauses prepared for matching, and the matcher.
 *
 *     explainer.c   rules prepared, statements read and printed, what holds
 *     match.c       instances of a clause whose conditions hold; the longest beginning of one that does
 *     derivation.c  derivations
 *     failure.c     clauses that came nearest
 *     explanation.c both as a list of steps with texts */
#ifndef EXPLAIN_EXPLAINER_INTERNAL_H
#define EXPLAIN_EXPLAINER_INTERNAL_H

#include "explain/explainer.h"
#include "gdl/domains.h"

/* A gap in a statement is a term whose name is that of a variable with this bit. */
#define GAP_BIT (UINT32_C(1) << 31)

/* A relation: a name with a number of arguments. */
struct relation_entry {
	sym_t name;
	uint32_t argc;
	uint32_t first, count; /* x->by_relation: its clauses */
	uint32_t component;    /* of relations that depend on one another */
	bool recursive;
};

/* What is gathered of a clause once. */
struct clause_entry {
	uint32_t variables;  /* how many */
	uint32_t first_name; /* x->variable_names */
	uint32_t relation;
};

struct explainer {
	struct gdl_rules *rules;
	struct interpreter *in;
	struct terms *terms; /* of the interpreter */
	struct gdl_domains *domains;
	VEC(struct relation_entry) relations;
	struct table relation_index;
	VEC(uint32_t) by_relation;
	struct clause_entry *clauses; /* by clause */
	VEC(sym_t) variable_names;
	uint32_t *variable_of; /* by node: number of a variable within its clause */
	term_list roles, state, moves;
	VEC(uint64_t) in_state;     /* by term, one bit */
	struct symbols asked_names; /* variables of questions */
	const char *trouble;
	uint64_t work; /* left until the search is given up */
};

#define EXPLAIN_WORK ((uint64_t)20000000) /* steps of matching for one question */

uint32_t explainer_relation(const struct explainer *x, sym_t name, uint32_t argc); /* TABLE_NONE: it has no clauses */
void explainer_fluents(const struct explainer *x, const term_t **at, size_t *n);
bool explainer_holds(struct explainer *x, term_t statement); /* without gaps */
bool explainer_spend(struct explainer *x, uint64_t work);    /* false: too much */

/* ---- match.c ---- */

/* Values of the variables of a clause; TERM_NONE: none yet. */
struct matching {
	uint32_t clause;
	term_t *values;
	VEC(uint32_t) trail;    /* variables in the order of binding */
	VEC(uint32_t) pending;  /* conditions left, level upon level */
	VEC(uint32_t) literals; /* conditions met: node * 2 + negated; of an `or` the branch taken */
	/* Longest beginning that was met, when it is wanted: conditions are then taken in the order of the text. */
	bool in_order;
	uint32_t best, failing; /* conditions met; the node * 2 + negated that was not (UINT32_MAX: nothing failed) */
	VEC(term_t) best_values;
	VEC(uint32_t) best_literals;
	/* Called for every complete instance; false ends the search. */
	bool (*found)(struct explainer *x, struct matching *m, void *context);
	void *context;
};

/* All instances of a clause with this head, perhaps with gaps. False: the search was ended by found(), or given up. */
bool match_clause(struct explainer *x, struct matching *m, uint32_t clause, term_t head);
void matching_free(struct matching *m);

/* Could the node, with its variables free, be this statement? */
bool match_shape(const struct explainer *x, node_t n, term_t statement);
/* Could two statements with gaps be the same? */
bool match_terms(const struct explainer *x, term_t a, term_t b);
/* The node with these values of the variables of its clause; what has none becomes a gap. */
term_t match_instance(struct explainer *x, node_t n, const term_t *values);

#endif

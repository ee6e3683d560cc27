/* What the parts of the checker share. Internal to this room. */
#ifndef GDL_CHECK_H
#define GDL_CHECK_H

#include "gdl/reader_internal.h"

#define NO_NODE UINT32_MAX

/* A relation: a name with a number of arguments. */
struct check_pred {
	sym_t name;
	uint32_t arity;
	node_t defined;           /* first head, or NO_NODE */
	bool rule;                /* one of its clauses has a body */
	node_t used;              /* first place in a body of another relation, or NO_NODE */
	uint32_t uses, use_count; /* checker->uses[...] in its rules, once sorted */
	uint32_t part;            /* strongly connected component of the dependencies */
	bool cyclic;              /* that component has a cycle */
};

/* An atom in a body. */
struct check_use {
	uint32_t clause, pred;
	node_t node;
	bool negative;
};

struct checker {
	const struct gdl_rules *r;
	struct diags *d;
	VEC(struct check_pred) preds;
	struct table pred_index;
	VEC(struct check_use) uses;
	uint32_t *head_pred;  /* by clause */
	uint32_t *use_pred;   /* by node; only of atoms in bodies */
	node_t *name_at;      /* by symbol: first place as a name of anything */
	node_t *function_at;  /* by symbol: first place with arguments in a term */
	bool *arity_reported; /* by symbol */
	uint32_t clause;
	bool whole; /* no clause is missing: absence can be judged */
};

struct diag *check_error(struct checker *c, node_t at, const char *code, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
struct diag *check_warning(struct checker *c, node_t at, const char *code, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
void check_also(struct checker *c, struct diag *g, node_t at, const char *message);

uint32_t check_find_pred(const struct checker *c, sym_t name, uint32_t arity); /* TABLE_NONE: unknown */

/* "name/arity" for messages. */
const char *check_pred_text(struct checker *c, uint32_t pred);

static inline bool gdl_is(const struct gdl_rules *r, node_t n, enum gdl_keyword k)
{
	return !r->nodes.at[n].variable && r->nodes.at[n].name == (sym_t)k;
}

void check_vocabulary(struct checker *c);   /* spelling, unused and missing relations, roles, goals */
void check_dependencies(struct checker *c); /* cycles, negation, does and true; fills .part, .cyclic */
void check_meaning(struct checker *c);      /* what can never hold; names and variables that look misspelt */
struct gdl_domains;
void check_first_moves(struct checker *c, const struct gdl_domains *d); /* roles that cannot move in the first state */
void check_variables(struct checker *c); /* safety; the recursion restriction when the cycles are known */

#endif

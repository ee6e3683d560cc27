/* Rules: from text to a checked list with source positions, and back to text.
 *
 * A rulesheet is a list of clauses, each a head and a list of body formulas.
 * Heads, bodies and terms are nodes of one kind: a variable, or a name applied
 * to arguments (none for a constant or a proposition; `(terminal)` and
 * `terminal` are the same node). `not`, `or`, `and`, `distinct` are names like
 * any other, with fixed numbers, so that a formula is a node too.
 *
 *     (<= (next (cell ?x)) (true (cell ?x)) (not (p ?x)))
 *
 *     clause.head -> next -> cell -> ?x
 *     clause.body -> [ true -> cell -> ?x ,  not -> p -> ?x ]
 *
 * `(<= a)` and the fact `a` are the same clause. In bodies `and` never occurs at
 * the top: it is spliced into the list by the reader. */
#ifndef GDL_GDL_H
#define GDL_GDL_H

#include "base/diag.h"
#include "base/sym.h"
#include "base/vec.h"

#include <stdbool.h>

/* name as written in rules, arity (-1: any), what it is */
#define GDL_KEYWORDS(K) \
	K(ROLE, "role", 1) \
	K(INIT, "init", 1) \
	K(TRUE, "true", 1) \
	K(DOES, "does", 2) \
	K(NEXT, "next", 1) \
	K(LEGAL, "legal", 2) \
	K(GOAL, "goal", 2) \
	K(TERMINAL, "terminal", 0) \
	K(SEES, "sees", 2) \
	K(BASE, "base", 1) \
	K(INPUT, "input", 2) \
	K(NOT, "not", 1) \
	K(OR, "or", -1) \
	K(AND, "and", -1) \
	K(DISTINCT, "distinct", 2) \
	K(RANDOM, "random", 0)

/* Symbols 0.. of every rulesheet, in this order. Keywords are read in any case
 * and kept in lower case; `random` is only a name, special as a role. */
enum gdl_keyword {
#define K(id, text, arity) GDL_##id,
	GDL_KEYWORDS(K)
#undef K
		GDL_KEYWORD_COUNT
};

typedef uint32_t node_t; /* index into rules->nodes */

struct gdl_node {
	bool variable;
	sym_t name; /* variables without the `?` */
	uint32_t argc;
	uint32_t args; /* rules->kids[args .. args + argc) */
	struct range at;
};

struct gdl_clause {
	node_t head;
	uint32_t body, count; /* rules->kids[body .. body + count) */
	struct range at;
};

enum gdl_form { GDL_KIF, GDL_INFIX };

struct gdl_rules {
	struct symbols symbols;
	VEC(struct gdl_node) nodes;
	VEC(node_t) kids;
	VEC(struct gdl_clause) clauses;
	enum gdl_form form; /* of the text it was read from */
	bool partial;       /* some clauses could not be read */
};

static inline node_t gdl_arg(const struct gdl_rules *r, node_t n, uint32_t i)
{
	return r->kids.at[r->nodes.at[n].args + i];
}

/* Largest text that is read, deepest nesting, longest symbol: beyond them a
 * diagnostic, never a crash. */
#define GDL_MAX_TEXT ((size_t)256 << 20)
#define GDL_MAX_DEPTH 1000
#define GDL_MAX_SYMBOL 4096
#define GDL_MAX_NODES (1 << 23)

/* Reads either form, recognised by the text. Always returns rules (perhaps
 * empty); errors are in `d`. The text may hold any bytes. */
struct gdl_rules *gdl_read(const char *text, size_t length, struct diags *d);

/* The rules of the GDL and GDL-II definitions; see docs/gdl.md for the list. When
 * some clauses could not be read, only what can be said about the others. */
void gdl_check(const struct gdl_rules *r, struct diags *d);

void gdl_free(struct gdl_rules *r);

/* Printing: one node, or the whole rulesheet with each clause on lines of its own. */
void gdl_print_node(const struct gdl_rules *r, node_t n, enum gdl_form form, struct text *out);
void gdl_print(const struct gdl_rules *r, enum gdl_form form, struct text *out);

/* Rules without a clause: a place to read terms into that leaves other rules as they are. */
struct gdl_rules *gdl_empty(enum gdl_form form);

/* One term in either form (a move typed by a person, an argument of a message);
 * its symbols are interned in `r`. Returns false with a message in `error`. */
bool gdl_read_term(struct gdl_rules *r, const char *text, size_t length, node_t *out, struct text *error);

/* Equal up to the names of variables within each clause. */
bool gdl_equal(const struct gdl_rules *a, const struct gdl_rules *b);

#endif

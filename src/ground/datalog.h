/* Rules as Datalog: conjunctive bodies over predicates, terms with variables.
 *
 * This is the inside of the room: what rewrite.c makes of the rulesheet, what
 * evaluate.c evaluates bottom-up, and what the interpreter (src/interp) proves
 * top-down. Variables of a rule are numbered from 0. */
#ifndef GROUND_DATALOG_H
#define GROUND_DATALOG_H

#include "base/bits.h"
#include "base/clock.h"
#include "gdl/gdl.h"
#include "ground/term.h"

#include <stdbool.h>

typedef uint32_t pat_t;

enum pat_kind { PAT_VARIABLE, PAT_TERM, PAT_APPLY };

struct pattern {
	enum pat_kind kind;
	uint32_t what; /* variable number, term_t, or sym_t applied to arguments */
	uint32_t argc, args;
};

enum literal_kind { LITERAL_YES, LITERAL_NO, LITERAL_DISTINCT };

struct literal {
	enum literal_kind kind;
	uint32_t pred;       /* not for DISTINCT */
	uint32_t argc, args; /* dl->kids */
	uint64_t vars;
};

struct rule {
	struct literal head;
	uint32_t body, count; /* dl->literals */
	uint32_t vars;        /* how many */
	uint32_t clause;      /* where it comes from */
};

struct predicate {
	sym_t name;
	uint32_t argc;
	bool dynamic;               /* depends on the state or on the moves */
	bool needed;                /* something we want depends on it */
	bool made;                  /* introduced by rewriting */
	uint32_t component;         /* strongly connected component; smaller ones come first */
	uint32_t first_rule, rules; /* into dl->by_head */
};

struct datalog {
	struct gdl_rules *source; /* not owned */
	struct terms terms;
	VEC(struct pattern) patterns;
	VEC(pat_t) kids;
	VEC(struct literal) literals;
	VEC(struct rule) rules;
	VEC(struct predicate) preds;
	VEC(uint32_t) by_head; /* rules sorted by predicate of the head */
	struct table pred_index;
	uint32_t components;
};

/* Most arguments, most variables in one rule, most conjunctions one clause may become, most literals in all of them. */
#define DATALOG_MAX_ARGS 64
#define DATALOG_MAX_VARS 64
#define DATALOG_MAX_CUBES 4096
#define DATALOG_MAX_LITERALS (1u << 21)

#define DATALOG_LATE "out of time while reading the rules"

/* Reads the clauses. `project`: split bodies over fresh predicates so that no
 * rule joins more variables than it must (for grounding). Returns false with a
 * message when a clause is too large, or when the limit (may be NULL) is reached. */
bool datalog_make(struct datalog *dl, struct gdl_rules *source, bool project, const struct limit *limit,
                  struct text *error);
void datalog_free(struct datalog *dl);

uint32_t datalog_pred(struct datalog *dl, sym_t name, uint32_t argc);
uint32_t datalog_find_pred(const struct datalog *dl, sym_t name, uint32_t argc); /* TABLE_NONE: unknown */

/* The rules that mention a predicate in their bodies: rules[start[p] .. start[p + 1]). */
struct datalog_uses {
	VEC(uint32_t) start, rules;
};
void datalog_uses_make(struct datalog_uses *u, const struct datalog *dl);
void datalog_uses_free(struct datalog_uses *u);

void datalog_print_rule(const struct datalog *dl, const struct rule *r, struct text *out);

#endif

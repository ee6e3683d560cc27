/* Derivations: why a statement holds. Every statement that is used has one step; a step is an instance of a clause,
 * whose conditions are other steps, or a fluent of the position, or a move. No step rests on itself. Of several
 * derivations of a recursive statement, one of the least height is taken. */
#ifndef EXPLAIN_DERIVATION_H
#define EXPLAIN_DERIVATION_H

#include "explain/explainer.h"

enum derived_source { DERIVED_RULE, DERIVED_FLUENT, DERIVED_MOVE };

struct derived {
	term_t statement;
	enum derived_source source;
	uint32_t clause;            /* of DERIVED_RULE */
	uint32_t values, variables; /* derivation->values: of its variables, in the order in which the clause names them */
	uint32_t literals,
		count; /* derivation->literals: node * 2 + negated, in the order of the text; of an `or` one branch */
};

struct derivation {
	VEC(struct derived) steps; /* the first is what was asked */
	VEC(term_t) values;
	VEC(uint32_t) literals;
	struct table index; /* of steps, by statement */
};

/* A statement without gaps. False: it does not hold (it is empty), or see explainer_trouble(). */
bool derivation_find(struct explainer *x, term_t statement, struct derivation *p);
void derivation_free(struct derivation *p);

uint32_t derivation_of(const struct derivation *p, term_t statement); /* TABLE_NONE: none */
/* A condition of a step without its `not`: what a literal says there. */
term_t derivation_literal(struct explainer *x, const struct derivation *p, const struct derived *s, uint32_t literal);

#endif

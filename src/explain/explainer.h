/* Why something holds in a position, and why not: derivations over the rules as they are written.
 *
 * An explainer asks the interpreter what holds, and finds out by which instances of which clauses. Statements
 * are terms of explainer_terms(): the relation is the name, (legal x (mark 1 1)) a term like any other.
 * A statement may have gaps: variables of the question, or of a rule whose instance is not complete.
 *
 * An explainer belongs to one thread. */
#ifndef EXPLAIN_EXPLAINER_H
#define EXPLAIN_EXPLAINER_H

#include "base/clock.h"
#include "interp/interpreter.h"

struct explainer;

/* NULL with a message: the rules are too large for the interpreter. `rules` are only read, and must live longer. */
struct explainer *explainer_make(struct gdl_rules *rules, struct limit limit, size_t memory, struct text *error);
void explainer_free(struct explainer *x);
struct terms *explainer_terms(struct explainer *x);

/* The position: fluents as terms. `moves`: by role, or NULL. Asked about from now on. */
void explainer_set(struct explainer *x, const term_t *state, size_t count, const term_t *moves);
/* The roles in the order of the moves. */
const term_t *explainer_roles(struct explainer *x, size_t *count);
/* Why the interpreter gave up since the last explainer_set(), or the search became too large; NULL: all is well. */
const char *explainer_trouble(const struct explainer *x);

/* ---- statements ---- */

/* A statement in either form: "(legal x (mark 1 ?y))". TERM_NONE with a message: it cannot be read, or has a name that
 * the rules do not have. */
term_t explainer_read(struct explainer *x, const char *text, struct text *error);
bool explainer_has_gaps(const struct explainer *x, term_t statement);
void explainer_print(const struct explainer *x, term_t statement, struct text *out);
/* All instances of a statement that hold, added to the list; of one without gaps, itself or none. */
void explainer_instances(struct explainer *x, term_t statement, term_list *out);

#endif

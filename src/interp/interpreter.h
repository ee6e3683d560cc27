/* The interpreter: rules proved on demand, for one state at a time.
 *
 * Top-down with tabling: a goal is proved once per state and binding of its
 * arguments, its answers are kept; recursive goals are repeated until no new
 * answer comes. Nothing is instantiated that the question does not ask for, so
 * rules that will not ground can still be played. It is also the oracle that the
 * circuit is tested against, and shares nothing with it but the rules.
 *
 * An interpreter belongs to one thread; make one for each. Terms are those of
 * interpreter_terms(); a state is a list of fluent terms without order or twins. */
#ifndef INTERP_INTERPRETER_H
#define INTERP_INTERPRETER_H

#include "base/clock.h"
#include "ground/datalog.h"

typedef VEC(term_t) term_list;

struct interpreter;

/* NULL with a message: the rules are too large, or the limit was reached; it holds from then on, until another one is
 * set. `memory`: bytes that tables and terms may take, about; 0: a fixed bound. */
struct interpreter *interpreter_make(struct gdl_rules *rules, struct limit limit, size_t memory, struct text *error);
void interpreter_free(struct interpreter *in);
struct terms *interpreter_terms(struct interpreter *in);

/* In the order of the rulesheet's role facts. */
void interpreter_roles(struct interpreter *in, term_list *out);
void interpreter_initial(struct interpreter *in, term_list *out);

/* The state that the questions below are about; moves[i] is role i's move, or
 * `moves` is NULL while none is known. Forgets the answers kept for the last one. */
void interpreter_set(struct interpreter *in, const term_t *state, size_t count, const term_t *moves);

bool interpreter_terminal(struct interpreter *in);
void interpreter_legal(struct interpreter *in, uint32_t role, term_list *out);
/* All values that hold, as terms; the caller decides what two of them mean. */
void interpreter_goal(struct interpreter *in, uint32_t role, term_list *out);
void interpreter_next(struct interpreter *in, term_list *out);                /* needs moves */
void interpreter_sees(struct interpreter *in, uint32_t role, term_list *out); /* needs moves */

/* Any relation of the rules but `true` and `does`: a row of values for the arguments that are TERM_NONE, for each way
 * in which it holds; one arbitrary word where none is. */
void interpreter_ask(struct interpreter *in, sym_t name, uint32_t argc, const term_t *args, term_list *rows);

/* Proofs that grow beyond any bound (deep recursion, endless function terms,
 * the limit reached) end with no answers and this message; NULL: all is well. */
const char *interpreter_trouble(const struct interpreter *in);
void interpreter_limit(struct interpreter *in, struct limit limit);

#endif

/* Quantified constraint problems: strategic (Bessiere and Verger, "Strategic
 * Constraint Satisfaction Problems", 2006) and plain.
 *
 *     struct qcsp *q = qcsp_new(n, true);  // strategic; takes the network over
 *     qcsp_quantify(q, p1, false);         // there is a p1
 *     qcsp_quantify(q, p2, true);          // such that for all p2 still possible ...
 *     qcsp_solve(q, &qcsp_defaults, &r);
 *
 * Variables that are not quantified are state variables.
 *
 * Strategic: a value of the next quantified variable is *possible* when the
 * constraints over state variables and quantified variables up to this one have
 * a solution with it; a constraint that mentions a later quantified variable
 * takes no part in that test. An existential variable without a possible value
 * is a failure, a universal one without any is a success, and so is the end of
 * the sequence (where, by then, all constraints have a solution).
 *
 * Plain: a universal variable must be able to take every value of its domain;
 * state variables are existential and come last. */
#ifndef QCSP_QCSP_H
#define QCSP_QCSP_H

#include "csp/csp.h"

struct qcsp;

struct qcsp *qcsp_new(struct csp *n, bool strategic);
void qcsp_free(struct qcsp *q);
struct csp *qcsp_network(struct qcsp *q);
bool qcsp_strategic(const struct qcsp *q);
bool qcsp_quantify(struct qcsp *q, uint32_t x, bool forall); /* next in the sequence; false: quantified already */
uint32_t qcsp_length(const struct qcsp *q);
uint32_t qcsp_variable(const struct qcsp *q, uint32_t i);
bool qcsp_forall(const struct qcsp *q, uint32_t i);

#define QCSP_METHODS(X) \
	X(AUTO, "auto", "positional where the network allows it, else general") \
	X(GENERAL, "general", "propagation, cache of restricted networks, values by history") \
	X(POSITIONAL, "positional", "players who take cells in turn: threats, symmetry, cache") \
	X(BRUTE, "brute", "the definition, nothing else")
enum qcsp_method {
#define X(id, name, help) QCSP_##id,
	QCSP_METHODS(X)
#undef X
		QCSP_METHOD_COUNT
};
struct qcsp_options {
	enum qcsp_method method;
	bool strategy;      /* keep a winning strategy */
	uint64_t max_nodes; /* 0: no limit */
	size_t cache_bytes; /* 0: a default */
	struct limit limit;
};
extern const struct qcsp_options qcsp_defaults;

/* A winning strategy: a graph whose node i says what to do about one quantified
 * variable. Existential: one arc. Universal: one arc per possible value. Below
 * QCSP_ANY every possible existential value wins; at QCSP_DONE nothing is left. */
#define QCSP_ANY (UINT32_MAX - 1)
#define QCSP_DONE UINT32_MAX
struct qcsp_arc {
	uint32_t at, child; /* value index; node, QCSP_ANY or QCSP_DONE */
};
struct qcsp_node {
	uint32_t arc, arcs;
};
struct qcsp_strategy {
	VEC(struct qcsp_node) nodes;
	VEC(struct qcsp_arc) arcs;
	uint32_t root;
};

#define QCSP_COUNTERS(X) \
	X(nodes) X(pruned) X(cache_hits) X(cache_states) X(consistency_searches) X(symmetries) X(skeleton_nodes)
struct qcsp_result {
	bool answer; /* meaningful when known */
	bool known, has_strategy;
	const char *method;
	const char *refused; /* why the method asked for does not apply */
#define X(name) uint64_t name;
	QCSP_COUNTERS(X)
#undef X
	double seconds;
	struct qcsp_strategy strategy;
};
/* CSP_SAT, CSP_UNSAT, or CSP_UNKNOWN when a limit was reached. */
enum csp_status qcsp_solve(struct qcsp *q, const struct qcsp_options *o, struct qcsp_result *r);
void qcsp_result_free(struct qcsp_result *r);

/* The independent checker: follows the strategy through every possible universal
 * value by the definition alone. Below QCSP_ANY it tries all plays while at most
 * `budget` positions have been looked at, then random ones. NULL: it wins. */
struct qcsp_verdict {
	const char *fault;
	uint64_t positions;
	bool sampled; /* some part was too large to try all plays */
};
struct qcsp_verdict qcsp_verify(struct qcsp *q, const struct qcsp_strategy *s, uint64_t budget);
void qcsp_print(struct qcsp *q, const struct qcsp_strategy *s, uint32_t depth, struct text *out); /* the first moves */

/* ---- models of the paper's section 5; NULL: no such size ---- */
struct qcsp *qcsp_tokens(uint32_t k);
/* The same game as a plain quantified problem (section 3): what must hold of a turn provided that player 2 has kept to
 * the rules; LITERAL: as in the paper, where player 1 wins by breaking them; or all in one constraint (Nightingale). */
enum qcsp_encoding { QCSP_CONDITIONAL, QCSP_CONDITIONAL_LITERAL, QCSP_ONE_CONSTRAINT };
struct qcsp *qcsp_tokens_plain(uint32_t k, enum qcsp_encoding e);
/* A robot in a corridor of `length`: it waits, steps (1) or jumps (2); on slopes, the odd places, it may come one
 * short. Is there a plan that has it at the end after so many moves? */
struct qcsp *qcsp_robot(uint32_t length, uint32_t moves);
/* The reduction of Theorem 1: a strategic problem with the answer of a plain one. NULL: q is not plain. */
struct qcsp *qcsp_strategic_form(struct qcsp *q);
struct qcsp *qcsp_tictactoe(uint32_t model, bool literal);             /* 1 or 2; literal: without "0 if not marked" */
struct qcsp *qcsp_connect(uint32_t size, uint32_t line, bool literal); /* literal: ranks end at the number of cells */

/* ---- XCSP3, type QCSP ---- */
struct qcsp *qcsp_read_xml(const char *data, size_t length, struct csp_source_error *e);
void qcsp_write_xml(struct qcsp *q, struct text *out);

#endif

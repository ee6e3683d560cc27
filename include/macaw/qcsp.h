/* Quantified constraint problems: strategic (Bessiere and Verger, "Strategic Constraint Satisfaction Problems", 2006)
 * and plain.
 *
 *     macaw_qcsp *q = macaw_qcsp_new(n, true, &error);  strategic; takes the network over
 *     macaw_qcsp_quantify(q, p1, false);                there is a p1
 *     macaw_qcsp_quantify(q, p2, true);                 such that for all p2 still possible …
 *     macaw_qcsp_result *r = macaw_qcsp_solve(q, NULL, &error);
 *
 * Variables that are not quantified are state variables.
 *
 * Strategic: a value of the next quantified variable is possible when the constraints over state variables and
 * quantified variables up to this one have a solution with it; a constraint that mentions a later quantified variable
 * takes no part in that test. An existential variable without a possible value is a failure, a universal one without
 * any is a success, and so is the end of the sequence.
 *
 * Plain: a universal variable must be able to take every value of its domain; state variables are existential and come
 * last.
 *
 * A problem belongs to one thread at a time, together with its network and results. Free results before it. */
#ifndef MACAW_QCSP_H
#define MACAW_QCSP_H

#include "macaw/csp.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct macaw_qcsp macaw_qcsp;

/* Takes the network over, also on failure: it belongs to the problem then and is freed with it. */
MACAW_API macaw_qcsp *macaw_qcsp_new(macaw_csp *n, bool strategic, macaw_error *e);
MACAW_API void macaw_qcsp_free(macaw_qcsp *q);
MACAW_API macaw_csp *macaw_qcsp_network(macaw_qcsp *q);
MACAW_API bool macaw_qcsp_strategic(const macaw_qcsp *q);
MACAW_API bool macaw_qcsp_quantify(
	macaw_qcsp *q, uint32_t x,
	bool forall); /* next in the sequence; false: no such variable, or it is quantified already */
MACAW_API uint32_t macaw_qcsp_length(const macaw_qcsp *q); /* of the sequence */
MACAW_API uint32_t macaw_qcsp_variable(const macaw_qcsp *q, uint32_t i);
MACAW_API bool macaw_qcsp_forall(const macaw_qcsp *q, uint32_t i);

enum macaw_qcsp_method {
	MACAW_QCSP_AUTO,       /* positional where the network allows it, else general */
	MACAW_QCSP_GENERAL,    /* propagation, cache of restricted networks, values by history */
	MACAW_QCSP_POSITIONAL, /* players who take cells in turn: threats, symmetry, cache */
	MACAW_QCSP_BRUTE       /* the definition, nothing else; gives no strategy */
};
MACAW_API const char *macaw_qcsp_method_name(enum macaw_qcsp_method m); /* NULL: there is none with this number */
MACAW_API const char *macaw_qcsp_method_help(enum macaw_qcsp_method m);

typedef struct macaw_qcsp_options {
	enum macaw_qcsp_method method;
	bool no_strategy;   /* the answer is enough */
	uint64_t max_nodes; /* 0: no bound */
	size_t cache;       /* bytes; 0: a default */
	macaw_limit limit;
} macaw_qcsp_options;

typedef struct macaw_qcsp_result macaw_qcsp_result;

/* NULL: out of memory. */
MACAW_API macaw_qcsp_result *macaw_qcsp_solve(macaw_qcsp *q, const macaw_qcsp_options *o, macaw_error *e);
MACAW_API void macaw_qcsp_result_free(macaw_qcsp_result *r);
/* SAT: there is a winning strategy. UNSAT: there is none. UNKNOWN: a bound was reached, or the method does not apply.
 */
MACAW_API enum macaw_csp_status macaw_qcsp_status(const macaw_qcsp_result *r);

typedef struct macaw_qcsp_stats {
	uint64_t nodes, pruned, cache_hits, cache_states, consistency_searches, symmetries, skeleton_nodes;
	double seconds;
	const char *method;  /* that gave the answer */
	const char *refused; /* why the method asked for does not apply; NULL: it does */
} macaw_qcsp_stats;
MACAW_API macaw_qcsp_stats macaw_qcsp_statistics(const macaw_qcsp_result *r);
MACAW_API const char *macaw_qcsp_counter_name(size_t i); /* the counters in a row; NULL: past the last */
MACAW_API uint64_t macaw_qcsp_counter(const macaw_qcsp_stats *s, size_t i);

/* A winning strategy: a graph whose node of depth i says what to do about the i-th quantified variable. Existential:
 * one arc. Universal: one arc per possible value. Numbers of nodes and arcs must be right. */
#define MACAW_QCSP_ANY (UINT32_MAX - 1) /* in place of a node: below it every possible existential value wins */
#define MACAW_QCSP_DONE UINT32_MAX      /* in place of a node: nothing is left */
typedef struct macaw_qcsp_arc {
	uint32_t at;    /* value index */
	uint32_t child; /* node, MACAW_QCSP_ANY or MACAW_QCSP_DONE */
} macaw_qcsp_arc;
MACAW_API bool macaw_qcsp_has_strategy(const macaw_qcsp_result *r);
MACAW_API size_t macaw_qcsp_nodes(const macaw_qcsp_result *r); /* of the strategy */
MACAW_API uint32_t macaw_qcsp_root(const macaw_qcsp_result *r);
MACAW_API uint32_t macaw_qcsp_arcs(const macaw_qcsp_result *r, uint32_t node);
MACAW_API macaw_qcsp_arc macaw_qcsp_arc_of(const macaw_qcsp_result *r, uint32_t node, uint32_t arc);
/* Its first `depth` moves, for people. NULL: out of memory, or there is no strategy. */
MACAW_API char *macaw_qcsp_print(const macaw_qcsp_result *r, uint32_t depth);

/* The independent checker: follows the strategy through every possible universal value by the definition alone. Below
 * MACAW_QCSP_ANY it tries all plays while at most `budget` positions have been looked at, then random ones. False: it
 * does not win, and the error says why. The numbers may be NULL. */
MACAW_API bool macaw_qcsp_verify(const macaw_qcsp_result *r, uint64_t budget, uint64_t *positions, bool *sampled,
                                 macaw_error *e);

/* ---- models of section 5 of the paper; NULL: there is none of this size ---- */

MACAW_API macaw_qcsp *macaw_qcsp_tokens(uint32_t tokens, macaw_error *e);
/* The same game as a plain quantified problem, as in section 3: with conditional constraints (LITERAL: as printed,
 * where the first player wins by breaking the rules), or all in one constraint. */
enum macaw_qcsp_encoding { MACAW_QCSP_CONDITIONAL, MACAW_QCSP_CONDITIONAL_LITERAL, MACAW_QCSP_ONE_CONSTRAINT };
MACAW_API macaw_qcsp *macaw_qcsp_tokens_plain(uint32_t tokens, enum macaw_qcsp_encoding encoding, macaw_error *e);
/* A robot in a corridor that must be at its end after so many moves; where a move leads on a slope is observed, not
 * chosen. */
MACAW_API macaw_qcsp *macaw_qcsp_robot(uint32_t length, uint32_t moves, macaw_error *e);
/* The reduction of Theorem 1: a strategic problem with the answer of a plain one, which stays as it is. */
MACAW_API macaw_qcsp *macaw_qcsp_strategic_form(macaw_qcsp *plain, macaw_error *e);
/* Model 1 or 2; literal: without "0 if not marked". */
MACAW_API macaw_qcsp *macaw_qcsp_tictactoe(uint32_t model, bool literal, macaw_error *e);
/* A size x size board, `line` in a row; literal: ranks end at the number of cells. */
MACAW_API macaw_qcsp *macaw_qcsp_connect(uint32_t size, uint32_t line, bool literal, macaw_error *e);

/* ---- XCSP3, type QCSP ---- */

/* NULL: the error is "FILE:LINE: error: MESSAGE", without the line where there is none. */
MACAW_API macaw_qcsp *macaw_qcsp_load(const char *path, macaw_error *e);
/* From text; `name` stands for the file in messages (NULL: "network"). */
MACAW_API macaw_qcsp *macaw_qcsp_parse(const char *xml, size_t length, const char *name, macaw_error *e);
MACAW_API char *macaw_qcsp_write(macaw_qcsp *q); /* NULL: out of memory */

#ifdef __cplusplus
}
#endif

#endif

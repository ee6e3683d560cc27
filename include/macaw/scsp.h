/* Stochastic constraint problems for one or several players: some variables are decided, some are drawn at random; a
 * policy is a tree that decides the former for every draw of the latter.
 *
 *     macaw_csp *n = macaw_csp_new(&error);          variables, then the hard constraints
 *     …
 *     macaw_scsp *s = macaw_scsp_new(n, 1, &error);  one player; takes n over
 *     macaw_scsp_draw(s, y, p);                      P(y = its i-th value) = p[i]
 *     macaw_csp_add_table(macaw_scsp_chance(s), …);  constraints that may fail with some probability
 *     macaw_scsp_result *r = macaw_scsp_solve(s, NULL, &error);
 *
 * Two networks over the same variables, with the same numbers:
 *   hard    every leaf of positive probability must satisfy these
 *   chance  a leaf that violates one of these is worth nothing
 * The worth of a leaf to player p is 0 if it violates a chance constraint, else the sum of p's utilities in the soft
 * constraints, or 1 when there are none (the satisfaction of Walsh's stochastic CSP). A policy is feasible when it
 * violates no hard constraint, and a solution when the expected worth reaches the threshold of every player.
 *
 * Variables are decided in the order of their numbers unless macaw_scsp_order says otherwise. Blocks of decisions and
 * draws alternate; each pair is a stage. Decisions after the last draw follow from it.
 *
 * A problem belongs to one thread at a time, together with its networks and results. Free results before it. For many
 * nearly equal problems build one; then macaw_csp_push and macaw_csp_assign on macaw_scsp_hard(s), macaw_scsp_solve
 * (which works on top of the current level and leaves it as it was), macaw_csp_pop. */
#ifndef MACAW_SCSP_H
#define MACAW_SCSP_H

#include "macaw/csp.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct macaw_scsp macaw_scsp;

#define MACAW_SCSP_PLAYERS 16 /* at most */

/* Takes `hard` over, also on failure: it belongs to the problem then and is freed with it. No variables may be added to
 * it any more. */
MACAW_API macaw_scsp *macaw_scsp_new(macaw_csp *hard, uint32_t players, macaw_error *e);
MACAW_API void macaw_scsp_free(macaw_scsp *s);
/* Why the last call on this problem that returned false did so. */
MACAW_API const macaw_error *macaw_scsp_error(const macaw_scsp *s);
MACAW_API macaw_csp *macaw_scsp_hard(macaw_scsp *s);
MACAW_API macaw_csp *macaw_scsp_chance(macaw_scsp *s);
MACAW_API uint32_t macaw_scsp_players(const macaw_scsp *s);

/* A probability as it is written: num / den, or where den is 0 the decimal number `value`. */
typedef struct macaw_probability {
	int64_t num, den;
	double value;
} macaw_probability;

/* Builders; false: refused. The probabilities of a draw lie in [0, 1] and sum to 1. */
MACAW_API bool macaw_scsp_order(macaw_scsp *s, const uint32_t *variables, size_t count); /* all variables, each once */
MACAW_API bool macaw_scsp_draw(macaw_scsp *s, uint32_t y, const macaw_probability *p);
/* Conditional table: row r holds when parents[j] has the integer given[r * parent_count + j]. The parents come before
 * y, each of their combinations has one row, and p holds rows * macaw_csp_count(y) probabilities. */
MACAW_API bool macaw_scsp_draw_given(macaw_scsp *s, uint32_t y, const uint32_t *parents, size_t parent_count,
                                     const int32_t *given, size_t rows, const macaw_probability *p);
/* Uniform over the values of y whose Boolean is 1: legal[i] is the variable that belongs to the i-th value. */
MACAW_API bool macaw_scsp_draw_legal(macaw_scsp *s, uint32_t y, const uint32_t *legal);
/* `utilities`: rows * players numbers in [0, 1]; tuples that are not listed are worth 0. */
MACAW_API bool macaw_scsp_soft(macaw_scsp *s, const uint32_t *scope, size_t arity, const int32_t *tuples, size_t rows,
                               const double *utilities);
MACAW_API bool macaw_scsp_threshold(macaw_scsp *s, uint32_t player, double theta);

/* ---- what is in it ---- */

MACAW_API bool macaw_scsp_stochastic(const macaw_scsp *s, uint32_t x);
MACAW_API double macaw_scsp_theta(const macaw_scsp *s, uint32_t player);
MACAW_API uint32_t macaw_scsp_stages(const macaw_scsp *s);
MACAW_API const uint32_t *macaw_scsp_sequence(const macaw_scsp *s); /* all variables in their order */
MACAW_API uint32_t macaw_scsp_softs(const macaw_scsp *s);
/* P(y = its i-th value | values), where `values` has one integer per variable. 0: y is not drawn. */
MACAW_API double macaw_scsp_probability(macaw_scsp *s, uint32_t y, uint32_t at, const int32_t *values);
/* The worth of a leaf to each player. */
MACAW_API bool macaw_scsp_worth(macaw_scsp *s, const int32_t *values, double *worth);
/* Do expected worths reach every threshold, up to rounding? */
MACAW_API bool macaw_scsp_is_solution(const macaw_scsp *s, const double *expected);

/* ---- solving ---- */

enum macaw_scsp_method {
	MACAW_SCSP_MAC,  /* the hard part by MAC, with the feasibility constraint of the chance part; stage by stage */
	MACAW_SCSP_SFC,  /* stochastic forward checking */
	MACAW_SCSP_BRUTE /* all policies, checks at the leaves only */
};
MACAW_API const char *macaw_scsp_method_name(enum macaw_scsp_method m); /* NULL: there is none with this number */
MACAW_API const char *macaw_scsp_method_help(enum macaw_scsp_method m);

enum macaw_scsp_aim {
	MACAW_SCSP_ANY_SOLUTION, /* one */
	MACAW_SCSP_ALL_SOLUTIONS,
	MACAW_SCSP_BEST /* the policy whose worst-off player gets most */
};
typedef struct macaw_scsp_options {
	enum macaw_scsp_method method;
	enum macaw_scsp_aim aim;
	uint64_t max_policies; /* with ALL_SOLUTIONS; 0: no bound */
	macaw_limit limit;
} macaw_scsp_options;

typedef struct macaw_scsp_result macaw_scsp_result;

/* NULL: out of memory. That there is no solution is a result. */
MACAW_API macaw_scsp_result *macaw_scsp_solve(macaw_scsp *s, const macaw_scsp_options *o, macaw_error *e);
MACAW_API void macaw_scsp_result_free(macaw_scsp_result *r);
MACAW_API enum macaw_csp_status macaw_scsp_status(const macaw_scsp_result *r); /* OPTIMUM: the best, and proved to be */

typedef struct macaw_scsp_stats {
	uint64_t policies, nodes, pruned;
	uint64_t raises; /* of the threshold, with BEST */
	uint64_t rows;   /* of the feasibility constraint */
	double seconds;
	bool complete; /* there are no more solutions than those found */
} macaw_scsp_stats;
MACAW_API macaw_scsp_stats macaw_scsp_statistics(const macaw_scsp_result *r);
MACAW_API const char *macaw_scsp_counter_name(size_t i); /* the counters in a row; NULL: past the last */
MACAW_API uint64_t macaw_scsp_counter(const macaw_scsp_stats *s, size_t i);

/* Policies. Each is a tree of nodes, which are numbers; policies may share subtrees. A decision has one arc, a draw one
 * per value of positive probability. Numbers of policies, nodes and arcs must be right. */
#define MACAW_SCSP_LEAF UINT32_MAX /* in place of a node: nothing is left to decide */
typedef struct macaw_scsp_node {
	uint32_t variable, arcs;
} macaw_scsp_node;
typedef struct macaw_scsp_arc {
	uint32_t at;    /* value index */
	uint32_t child; /* node or MACAW_SCSP_LEAF */
} macaw_scsp_arc;
MACAW_API size_t macaw_scsp_policies(const macaw_scsp_result *r);
MACAW_API const double *macaw_scsp_expected(const macaw_scsp_result *r,
                                            size_t policy); /* worth by player; lasts as long as r */
MACAW_API uint32_t macaw_scsp_root(const macaw_scsp_result *r, size_t policy);
MACAW_API macaw_scsp_node macaw_scsp_node_of(const macaw_scsp_result *r, uint32_t node);
MACAW_API macaw_scsp_arc macaw_scsp_arc_of(const macaw_scsp_result *r, uint32_t node, uint32_t arc);
/* Indented, for people. NULL: out of memory. */
MACAW_API char *macaw_scsp_print(const macaw_scsp_result *r, size_t policy);
/* Walks a policy by the definition alone: the right variables in the right order, all draws covered, hard constraints
 * at the leaves. `expected` (room for all players) gets the worths, *bound (may be NULL) a bound on their rounding
 * error. False: not feasible, and the error says why. */
MACAW_API bool macaw_scsp_check(const macaw_scsp_result *r, size_t policy, double *expected, double *bound,
                                macaw_error *e);

/* The feasibility constraint of a problem with one stage: the decisions that its draws depend on (through chance
 * constraints, soft constraints and tables), and the tuples of them that reach the thresholds. */
typedef struct macaw_scsp_feasible {
	const uint32_t *scope;
	size_t arity;
	const int32_t *tuples; /* rows * arity */
	size_t rows;
	uint64_t nodes, pruned;
} macaw_scsp_feasible;
/* NULL: more than one stage, or out of time. */
MACAW_API macaw_scsp_feasible *macaw_scsp_feasibility(macaw_scsp *s, macaw_limit limit, macaw_error *e);
MACAW_API void macaw_scsp_feasible_free(macaw_scsp_feasible *f);

/* ---- preprocessing ---- */

enum macaw_pass {
	MACAW_PASS_MERGE,     /* constraints of equal scope become one */
	MACAW_PASS_UNARY,     /* unary constraints become domains */
	MACAW_PASS_UNIVERSAL, /* variables that a constraint does not depend on leave its scope */
	MACAW_PASS_SAC,       /* values without singleton arc consistency are removed */
	MACAW_PASSES
};
MACAW_API const char *macaw_pass_name(enum macaw_pass p); /* NULL: there is none with this number */
MACAW_API const char *macaw_pass_help(enum macaw_pass p);

typedef struct macaw_removed { /* by one pass */
	uint32_t constraints;
	uint32_t scopes; /* variables from scopes of constraints */
	uint32_t values; /* from domains */
	uint64_t tuples;
	bool inconsistent;
	double seconds;
} macaw_removed;
/* A new network of the constraints at the current level, domains included; variables keep their numbers, names and
 * values. `passes` has bit 1 << p for pass p; `removed` room for MACAW_PASSES, or is NULL. NULL: a constraint is too
 * large to be rewritten. Free the new network before `n`. */
MACAW_API macaw_csp *macaw_csp_simplify(macaw_csp *n, unsigned passes, macaw_removed *removed, macaw_error *e);

/* ---- XCSP3, type SCSP ---- */

/* NULL: the error is "FILE:LINE: error: MESSAGE", without the line where there is none. */
MACAW_API macaw_scsp *macaw_scsp_load(const char *path, macaw_error *e);
/* From text; `name` stands for the file in messages (NULL: "network"). */
MACAW_API macaw_scsp *macaw_scsp_parse(const char *xml, size_t length, const char *name, macaw_error *e);
MACAW_API char *macaw_scsp_write(macaw_scsp *s); /* NULL: out of memory */

#ifdef __cplusplus
}
#endif

#endif

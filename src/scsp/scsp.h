/* Stochastic constraint problems <V, Y, D, C, P, theta> for k players, as in
 * "General Game Playing with Stochastic CSP" (Koriche, Lagrue, Piette, Tabary):
 * some variables are decided, some are drawn; a policy is a tree that decides
 * the former for every draw of the latter.
 *
 *     struct csp *n = csp_new();           // variables, then the hard constraints
 *     ...
 *     struct scsp *s = scsp_new(n, 1);     // one player; takes n over
 *     scsp_draw(s, y, p);                  // P(y = its i-th value) = p[i]
 *     csp_add_table(scsp_chance(s), ...);  // constraints that may fail with some probability
 *     struct scsp_result r;
 *     scsp_solve(s, &scsp_defaults, &r);
 *
 * Two networks over the same variables, with the same numbers:
 *   hard    every leaf of positive probability must satisfy these
 *   chance  a leaf that violates one of these is worth nothing
 * The worth of a leaf to player p is 0 if it violates a chance constraint, else
 * the sum of p's utilities in the soft constraints, or 1 when there are none
 * (the satisfaction of Walsh's stochastic CSP). A policy is feasible when it
 * violates no hard constraint, and a solution when the expected worth reaches the
 * threshold of every player.
 *
 * The order of V is the order of the variables unless scsp_order says otherwise.
 * Blocks of decisions and draws alternate; each pair is a stage. Decisions after
 * the last draw follow from it (the fluents of the next round, for example).
 *
 * A template for many nearly equal rounds: build once, then csp_push and
 * csp_assign on scsp_hard(s), scsp_solve (it works on top of the current level
 * and leaves it as it was), csp_pop. */
#ifndef SCSP_SCSP_H
#define SCSP_SCSP_H

#include "csp/csp.h"

#define SCSP_LEAF UINT32_MAX
#define SCSP_MAX_PLAYERS 16

struct scsp;

struct scsp *scsp_new(struct csp *hard, uint32_t players); /* no more variables are added to `hard` then */
void scsp_free(struct scsp *s);
const char *scsp_error(const struct scsp *s); /* why the last builder refused */
struct csp *scsp_hard(struct scsp *s);
struct csp *scsp_chance(struct scsp *s);
uint32_t scsp_players(const struct scsp *s);

/* A probability as it was written; den = 0 stands for a decimal in `value`. */
struct scsp_p {
	double value;
	int64_t num, den;
};
struct scsp_p scsp_ratio(int64_t num, int64_t den);
struct scsp_p scsp_decimal(double value);
void scsp_p_text(struct scsp_p p, struct text *out);

/* Builders; false: refused. Probabilities lie in [0, 1] and sum to 1. */
bool scsp_order(struct scsp *s, const uint32_t *vars, size_t count); /* all variables, each once */
bool scsp_draw(struct scsp *s, uint32_t y, const struct scsp_p *p);
/* Conditional table: row r holds when parents[j] has the integer given[r*parent_count+j]; the parents come before y
 * and each of their combinations has a row. p holds rows * csp_count(y) probabilities. */
bool scsp_draw_given(struct scsp *s, uint32_t y, const uint32_t *parents, size_t parent_count, const int32_t *given,
                     size_t rows, const struct scsp_p *p);
/* Uniform over the values of y whose Boolean is 1: legal[i] belongs to the i-th value. */
bool scsp_draw_legal(struct scsp *s, uint32_t y, const uint32_t *legal);
/* utilities: rows * players numbers in [0, 1]; other tuples are worth 0. */
bool scsp_soft(struct scsp *s, const uint32_t *scope, size_t arity, const int32_t *tuples, size_t rows,
               const double *utilities);
bool scsp_threshold(struct scsp *s, uint32_t player, double theta);
bool scsp_threshold_as(struct scsp *s, uint32_t player, struct scsp_p theta); /* to be written as it is given */

/* ---- what is in it ---- */
bool scsp_stochastic(const struct scsp *s, uint32_t x);
double scsp_theta(const struct scsp *s, uint32_t player);
uint32_t scsp_stages(const struct scsp *s);
const uint32_t *scsp_sequence(const struct scsp *s); /* V */
uint32_t scsp_softs(const struct scsp *s);
/* P(y = its i-th value | values), where values has one integer per variable. */
double scsp_probability(const struct scsp *s, uint32_t y, uint32_t at, const int32_t *values);
/* The worth of a leaf to each player. */
void scsp_worth(struct scsp *s, const int32_t *values, double *out);

/* ---- policies: trees with shared subtrees, any number of them in one forest ---- */
struct scsp_arc {
	uint32_t at;    /* index of the value */
	uint32_t child; /* node or SCSP_LEAF */
};
struct scsp_node {
	uint32_t var, arc, arcs; /* a decision has one arc, a draw one per value of positive probability */
};
struct scsp_policy {
	uint32_t root;
	uint32_t values; /* where its expected worths start in `expected` */
};
struct scsp_forest {
	VEC(struct scsp_node) nodes;
	VEC(struct scsp_arc) arcs;
	VEC(struct scsp_policy) policies;
	VEC(double) expected;
};
void scsp_forest_free(struct scsp_forest *f);
void scsp_print(struct scsp *s, const struct scsp_forest *f, uint32_t root, struct text *out); /* indented tree */

/* Walks one policy by the definition alone: right variables in the right order,
 * all draws covered, hard constraints at the leaves. Expected worth per player in
 * `out`, the bound on its rounding error in *error. NULL when feasible, else why not. */
const char *scsp_check(struct scsp *s, const struct scsp_forest *f, uint32_t root, double *out, double *error);
bool scsp_is_solution(const struct scsp *s, const double *expected); /* reaches every threshold, up to rounding */

/* ---- solving ---- */
#define SCSP_METHODS(X) \
	X(MAC, "mac", "hard part by MAC with the feasibility constraint of the chance part; stage by stage") \
	X(SFC, "sfc", "stochastic forward checking") \
	X(BRUTE, "brute", "all policies, checks at the leaves only")
enum scsp_method {
#define X(id, name, help) SCSP_##id,
	SCSP_METHODS(X)
#undef X
		SCSP_METHOD_COUNT
};
enum scsp_aim {
	SCSP_ANY,  /* one solution */
	SCSP_ALL,  /* every solution policy */
	SCSP_BEST, /* the policy whose worst-off player gets most: theta is raised until nothing is left */
};
struct scsp_options {
	enum scsp_method method;
	enum scsp_aim aim;
	uint64_t max_policies; /* SCSP_ALL only; 0: no limit */
	struct limit limit;
};
extern const struct scsp_options scsp_defaults; /* MAC, any */

#define SCSP_COUNTERS(X) X(policies) X(nodes) X(pruned) X(raises) X(rows)
struct scsp_result {
	struct scsp_forest forest;
#define X(name) uint64_t name;
	SCSP_COUNTERS(X) /* rows: tuples of the feasibility constraint; raises: of theta */
#undef X
	double seconds;
	bool complete;
};
enum csp_status scsp_solve(struct scsp *s, const struct scsp_options *o, struct scsp_result *r);
void scsp_result_free(struct scsp_result *r);

/* The split of a one-stage problem: the decision variables its draws depend on
 * (through chance constraints, soft constraints and tables), and the tuples of
 * them that reach the thresholds: the feasibility constraint c_f. */
struct scsp_feasible {
	VEC(uint32_t) scope;
	VEC(int32_t) tuples;
	size_t rows;
	uint64_t nodes, pruned;
};
bool scsp_feasibility(struct scsp *s, struct scsp_feasible *f,
                      const struct limit *l); /* false: not one-stage, or out of time */
void scsp_feasible_free(struct scsp_feasible *f);

/* ---- preprocessing: named passes ---- */
#define SCSP_PASSES(X) \
	X(MERGE, "merge", "constraints of equal scope become one") \
	X(UNARY, "unary", "unary constraints become domains") \
	X(UNIVERSAL, "universal", "variables that a constraint does not depend on leave its scope") \
	X(SAC, "sac", "values without singleton arc consistency are removed")
enum scsp_pass {
#define X(id, name, help) SCSP_PASS_##id,
	SCSP_PASSES(X)
#undef X
		SCSP_PASS_COUNT
};
struct scsp_removed {
	uint32_t constraints, scopes, values; /* what a pass removed: constraints, variables of scopes, values of domains */
	uint64_t tuples;
	bool inconsistent;
	double seconds;
};
/* A new network of the hard constraints at the current level (domains and all); variables keep their numbers, names and
 * values. Constraints that are no tables and too large to become tables pass through unchanged in effect: NULL is
 * returned when one cannot be rewritten (see csp_error of n). */
struct csp *scsp_simplify(struct csp *n, unsigned passes, struct scsp_removed removed[SCSP_PASS_COUNT]);

/* ---- XCSP3, type SCSP ---- */
struct scsp *scsp_read_xml(const char *data, size_t length, struct csp_source_error *e);
void scsp_write_xml(struct scsp *s, struct text *out);

#endif

/* Finite-domain constraint networks: build, propagate, search.
 *
 *     struct csp *n = csp_new();
 *     uint32_t x = csp_var_range(n, "x", 0, 9), y = csp_var_range(n, "y", 0, 9);
 *     csp_add_sum(n, (uint32_t[]){x, y}, (int64_t[]){1, 1}, 2, CSP_EQ, 7);
 *     struct csp_options o = csp_defaults;
 *     struct csp_stats s;
 *     csp_solve(n, &o, &s);
 *     csp_free(n);
 *
 * Ownership: the network owns all it holds; arrays given to builders are copied.
 * Variables, values and constraints are 32-bit numbers. A variable's values are
 * numbered 0..count-1 in the order of their integers ("value index"); functions
 * ending in _at take indices, the others the integers themselves.
 * Builders return CSP_NONE when they refuse; csp_error() says why.
 *
 * The network is also a state machine: csp_push opens a level, csp_assign and
 * csp_forbid restrict domains, csp_propagate reaches the fixpoint, csp_pop goes
 * back in time proportional to what changed. To solve thousands of nearly
 * equal networks, build one template, push, inject the state, call csp_solve
 * (which works on top of the current level) and pop. */
#ifndef CSP_CSP_H
#define CSP_CSP_H

#include "base/clock.h"
#include "base/rng.h"
#include "base/text.h"
#include "base/tuning.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CSP_NONE UINT32_MAX
#define CSP_ANY INT32_MIN                  /* the wildcard `*` in a tuple */
#define CSP_MAX_BITS (1 << 24)             /* values of one variable, kept one by one */
#define CSP_MAX_DOMAIN (UINT32_C(1) << 31) /* values of one variable; beyond CSP_MAX_BITS it is an interval */

struct csp;

struct csp *csp_new(void);
void csp_free(struct csp *n);
const char *csp_error(const struct csp *n); /* why the last builder refused; "" when none did */

/* ---- variables ---- */
uint32_t csp_var_range(struct csp *n, const char *name, int32_t low, int32_t high);
/* Kept as an interval, however few values it has (see csp_wide). */
uint32_t csp_var_interval(struct csp *n, const char *name, int32_t low, int32_t high);
uint32_t csp_var_values(struct csp *n, const char *name, const int32_t *values, size_t count); /* any order */
uint32_t csp_var_symbols(struct csp *n, const char *name, const char *const *symbols, size_t count);
uint32_t csp_variables(const struct csp *n);
const char *csp_name(const struct csp *n, uint32_t x);
uint32_t csp_find(const struct csp *n, const char *name);           /* CSP_NONE: unknown */
uint32_t csp_count(const struct csp *n, uint32_t x);                /* values when created */
int32_t csp_value(const struct csp *n, uint32_t x, uint32_t at);    /* integer of an index */
uint32_t csp_index(const struct csp *n, uint32_t x, int64_t value); /* CSP_NONE: not a value of x */
uint32_t csp_symbol(struct csp *n, const char *symbol);             /* the integer that stands for a symbol */
uint32_t csp_symbols(const struct csp *n);                          /* how many there are; numbered from 0 on */
const char *csp_symbol_text(const struct csp *n, int32_t value);
bool csp_symbolic(const struct csp *n, uint32_t x);
/* Is its domain kept as an interval? Then only constraints that reason by bounds take it, and only MAC searches. */
bool csp_wide(const struct csp *n, uint32_t x);
void csp_hide(struct csp *n, uint32_t x); /* auxiliary: follows from the others, not shown */
bool csp_hidden(const struct csp *n, uint32_t x);

/* ---- constraints: kinds and builders ---- */
/* One number per row of the list of constraint kinds. */
enum csp_kind {
#define X(id, name, functions) CSP_##id,
#include "csp/globals/list.inc"
#undef X
	CSP_KIND_COUNT
};

enum csp_relation { CSP_LT, CSP_LE, CSP_GE, CSP_GT, CSP_NE, CSP_EQ };

/* Operators of expression trees. Division truncates like C's; what is undefined
 * (division by zero) makes the nearest comparison around it false. */
/* clang-format off: one row each */
#define CSP_OPERATORS(X) \
	X(CONST, "", 0, 0) \
	X(VAR, "", 0, 0) \
	X(NEG, "neg", 1, 1) \
	X(ABS, "abs", 1, 1) \
	X(SQR, "sqr", 1, 1) \
	X(ADD, "add", 2, 0) \
	X(SUB, "sub", 2, 2) \
	X(MUL, "mul", 2, 0) \
	X(DIV, "div", 2, 2) \
	X(MOD, "mod", 2, 2) \
	X(POW, "pow", 2, 2) \
	X(DIST, "dist", 2, 2) \
	X(MIN, "min", 1, 0) \
	X(MAX, "max", 1, 0) \
	X(LT, "lt", 2, 2) \
	X(LE, "le", 2, 2) \
	X(GE, "ge", 2, 2) \
	X(GT, "gt", 2, 2) \
	X(NE, "ne", 2, 2) \
	X(EQ, "eq", 2, 0) \
	X(NOT, "not", 1, 1) \
	X(AND, "and", 1, 0) \
	X(OR, "or", 1, 0) \
	X(XOR, "xor", 2, 0) \
	X(IFF, "iff", 2, 0) \
	X(IMP, "imp", 2, 2) \
	X(IF, "if", 3, 3) \
	X(SET, "set", 0, 0) \
	X(IN, "in", 2, 2) \
	X(NOTIN, "notin", 2, 2)
/* clang-format on */
enum csp_operator {
#define X(id, name, least, most) CSP_OP_##id,
	CSP_OPERATORS(X)
#undef X
		CSP_OP_COUNT
};

uint32_t csp_expr_const(struct csp *n, int64_t value);
uint32_t csp_expr_var(struct csp *n, uint32_t x);
uint32_t csp_expr(struct csp *n, enum csp_operator op, const uint32_t *args, size_t count);

/* `tuples` holds rows*arity integers, CSP_ANY for `*`. Negative: forbidden rows. */
uint32_t csp_add_table(struct csp *n, const uint32_t *scope, size_t arity, const int32_t *tuples, size_t rows,
                       bool positive);
/* The same relation as constraint `like` on other variables with equal values; costs no second copy. */
uint32_t csp_add_table_like(struct csp *n, const uint32_t *scope, uint32_t like);
uint32_t csp_add_intension(struct csp *n, uint32_t expr);
uint32_t csp_add_alldiff(struct csp *n, const uint32_t *scope, size_t arity, const int32_t *except, size_t excepted);
uint32_t csp_add_sum(struct csp *n, const uint32_t *scope, const int64_t *coeffs, size_t arity, enum csp_relation r,
                     int64_t k);
/* list[index - start] = value */
uint32_t csp_add_element(struct csp *n, const uint32_t *list, size_t count, int32_t start, uint32_t index,
                         uint32_t value);
/* |{i : list[i] in values}| r k, where k is a number, or the variable kx unless CSP_NONE */
uint32_t csp_add_count(struct csp *n, const uint32_t *list, size_t count, const int32_t *values, size_t value_count,
                       enum csp_relation r, int64_t k, uint32_t kx);
/* list[i] + lengths[i] r list[i+1]; lengths may be NULL; r is LT, LE, GE or GT */
uint32_t csp_add_ordered(struct csp *n, const uint32_t *list, size_t count, const int64_t *lengths,
                         enum csp_relation r);
uint32_t csp_add_lex(struct csp *n, const uint32_t *a, const uint32_t *b, size_t count, enum csp_relation r);
uint32_t csp_add_instantiation(struct csp *n, const uint32_t *list, size_t count, const int32_t *values);
/* a[i] = j iff b[j] = i, indices counted from the starts; a == b for one list */
uint32_t csp_add_channel(struct csp *n, const uint32_t *a, size_t na, int32_t start_a, const uint32_t *b, size_t nb,
                         int32_t start_b);
/* Tasks on one machine: for all i<j, o[i]+l[i] <= o[j] or o[j]+l[j] <= o[i]; tasks of length 0 are free. */
uint32_t csp_add_no_overlap(struct csp *n, const uint32_t *origins, const int64_t *lengths, size_t count);
/* value = max(list), min(list) */
uint32_t csp_add_extremum(struct csp *n, bool maximum, const uint32_t *list, size_t count, uint32_t value);

/* A path from node 0 through one arc per layer; the value of variable `layer` chooses among the arcs that leave a node.
 */
struct csp_arc {
	uint32_t layer, from, to;
	int32_t value;
};
uint32_t csp_add_mdd(struct csp *n, const uint32_t *scope, size_t arity, const struct csp_arc *arcs, size_t count);
/* list[i] = j: node j follows node i, counted from the start; one circuit, the other nodes follow themselves */
uint32_t csp_add_circuit(struct csp *n, const uint32_t *list, size_t count, int32_t start);
/* number = how many different values the list has, without those excepted */
uint32_t csp_add_nvalues(struct csp *n, const uint32_t *list, size_t count, const int32_t *except, size_t excepted,
                         uint32_t number);
/* At no time do the heights of the tasks that run exceed the limit; lengths and heights must not be negative. */
uint32_t csp_add_cumulative(struct csp *n, const uint32_t *origins, const uint32_t *lengths, const uint32_t *heights,
                            size_t count, uint32_t limit);
/* Makes constraint c, not used so far, depend on the 0/1 variable b: b iff c, b implies c, c implies b. */
enum csp_reification { CSP_REIFIED, CSP_REIFIED_FROM, CSP_REIFIED_TO };
uint32_t csp_reify(struct csp *n, uint32_t c, uint32_t b, enum csp_reification mode);
/* Constraints from this one on are parts of one, split by whoever posted them. */
void csp_same_origin(struct csp *n, uint32_t from);
uint32_t csp_origin(const struct csp *n, uint32_t c); /* its first part; itself when it is not split */

/* One objective at most; a plain variable is a sum of one. */
bool csp_objective_sum(struct csp *n, const uint32_t *scope, const int64_t *coeffs, size_t arity, bool maximise);
bool csp_objective_expr(struct csp *n, uint32_t expr, bool maximise);
bool csp_has_objective(const struct csp *n);
bool csp_maximises(const struct csp *n);
bool csp_cost(struct csp *n, const int32_t *values, int64_t *cost); /* one integer per variable; false: it has none */
void csp_forget_objective(struct csp *n);

uint32_t csp_constraints(const struct csp *n);
void csp_drop_constraints(struct csp *n,
                          uint32_t from); /* those from this number on; before the network is first used */
enum csp_kind csp_kind(const struct csp *n, uint32_t c);
const char *csp_kind_name(enum csp_kind k);
uint32_t csp_arity(const struct csp *n, uint32_t c);
uint32_t csp_rows(const struct csp *n, uint32_t c); /* of a table; 0: it is none */
const uint32_t *csp_scope(const struct csp *n, uint32_t c);
/* Does the constraint hold for these value indices of its scope? */
bool csp_check_at(struct csp *n, uint32_t c, const uint32_t *at);
bool csp_check_values(struct csp *n, const int32_t *values); /* all constraints, one integer per variable */

/* Constraints of x, and its degree. */
uint32_t csp_degree(struct csp *n, uint32_t x);
uint32_t csp_constraint_of(struct csp *n, uint32_t x, uint32_t k);

/* ---- the state: domains, levels, propagation ---- */
bool csp_prepare(struct csp *n); /* index, propagate at the root; false: inconsistent. Implied by what needs it. */
uint32_t csp_level(const struct csp *n);
void csp_push(struct csp *n);
void csp_pop(struct csp *n, uint32_t to_level);
uint32_t csp_size(const struct csp *n, uint32_t x);
bool csp_has_at(const struct csp *n, uint32_t x, uint32_t at);
uint32_t csp_next_at(const struct csp *n, uint32_t x,
                     uint32_t from); /* first index >= from in the domain, or CSP_NONE */
int32_t csp_min(const struct csp *n, uint32_t x);
int32_t csp_max(const struct csp *n, uint32_t x);
/* false: the domain would become empty; pop (or give up) then. */
bool csp_assign_at(struct csp *n, uint32_t x, uint32_t at);
bool csp_forbid_at(struct csp *n, uint32_t x, uint32_t at);
bool csp_assign(struct csp *n, uint32_t x, int64_t value);
bool csp_forbid(struct csp *n, uint32_t x, int64_t value);
uint64_t csp_propagations(const struct csp *n); /* runs of constraints so far */
bool csp_propagate(struct csp *n);              /* generalised arc consistency where the propagators reach it */
/* Constraints run lowest number first, not in the order they were woken: right where each is written after those it
 * follows from. Before the network is used. */
void csp_in_order(struct csp *n);
/* A constraint asleep is not propagated and not notified of changes until it is woken.
 * Popping does not change who sleeps. */
void csp_sleep(struct csp *n, uint32_t c);
void csp_wake(struct csp *n, uint32_t c);

/* ---- local consistency ---- */
#define CSP_LEVELS(X) \
	X(NONE, "none", "nothing before the search") \
	X(NODE, "node", "unary constraints") \
	X(AC3, "ac3", "arc consistency by the textbook algorithm, generalised to n-ary constraints") \
	X(AC, "ac", "generalised arc consistency by the queue of propagators") \
	X(SAC, "sac", "singleton arc consistency") \
	X(PATH, "path", "strong path consistency (binary part)") \
	X(K, "k", "strong k-consistency (small networks; -k)")
enum csp_consistency {
#define X(id, name, help) CSP_LEVEL_##id,
	CSP_LEVELS(X)
#undef X
		CSP_LEVEL_COUNT
};
enum csp_outcome { CSP_CONSISTENT, CSP_INCONSISTENT, CSP_TOO_LARGE, CSP_STOPPED };
struct csp_stats;
/* At level 0, path and k add implied constraints to the network. */
enum csp_outcome csp_enforce(struct csp *n, enum csp_consistency level, uint32_t k, struct csp_stats *s);

/* ---- search ---- */
#define CSP_ALGORITHMS(X) \
	X(MAC, "mac", "maintain arc consistency, two-way branching") \
	X(BT, "bt", "chronological backtracking, checks only") \
	X(FC, "fc", "forward checking") \
	X(CBJ, "cbj", "conflict-directed backjumping on checks") \
	X(FC_CBJ, "fc-cbj", "forward checking with conflict-directed backjumping") \
	X(MAC_CBJ, "mac-cbj", "MAC with conflict-directed backjumping") \
	X(LEARN, "learn", "mac-cbj that keeps each conflict as a nogood") \
	X(COMPONENTS, "components", "connected components solved apart by MAC") \
	X(TREE, "tree", "directional arc consistency on a tree of binary constraints") \
	X(CUTSET, "cutset", "cycle cutset conditioning, then trees") \
	X(DECOMPOSITION, "decomposition", "tree decomposition by min-fill") \
	X(MIN_CONFLICTS, "min-conflicts", "local search with constraint weighting") \
	X(LCG, "lcg", "clause learning: explained propagation, activity, restarts") \
	X(AUTO, "auto", "mac, lcg and, with an objective, lns by turns; mac alone for all solutions") \
	X(LNS, "lns", "large neighbourhoods of the best solution, by mac; the first solution as auto")
enum csp_algorithm {
#define X(id, name, help) CSP_ALG_##id,
	CSP_ALGORITHMS(X)
#undef X
		CSP_ALG_COUNT
};
#define CSP_ORDERS(X) \
	X(LEX, "lex", "as declared") \
	X(DOM, "mrv", "minimum remaining values") \
	X(DEG, "deg", "largest degree") \
	X(DOM_DEG, "dom/ddeg", "domain over dynamic degree") \
	X(DOM_WDEG, "dom/wdeg", "domain over weighted degree") \
	X(LARGE_DOM, "most-values", "most remaining values") \
	X(SMALLEST, "smallest", "smallest least value") \
	X(LARGEST, "largest", "largest greatest value") \
	X(REGRET, "regret", "largest difference between the two least values")
enum csp_order {
#define X(id, name, help) CSP_ORDER_##id,
	CSP_ORDERS(X)
#undef X
		CSP_ORDER_COUNT
};
#define CSP_VALUES(X) \
	X(MIN, "min", "smallest first") \
	X(MAX, "max", "largest first") \
	X(LCV, "lcv", "least constraining value") \
	X(RANDOM, "random", "drawn uniformly") \
	X(MEDIAN, "median", "the one in the middle") \
	X(SPLIT, "split", "the lower half, then the upper") \
	X(REVERSE_SPLIT, "reverse-split", "the upper half, then the lower")
enum csp_value_order {
#define X(id, name, help) CSP_VALUE_##id,
	CSP_VALUES(X)
#undef X
		CSP_VALUE_COUNT
};
enum csp_restarts { CSP_RESTART_NONE, CSP_RESTART_LUBY, CSP_RESTART_GEOMETRIC };
enum csp_table_method { CSP_TABLE_AUTO, CSP_TABLE_CT, CSP_TABLE_STR2 };
enum csp_alldiff_method { CSP_ALLDIFF_REGIN, CSP_ALLDIFF_SIMPLE };

/* How tables and allDifferent are propagated: choose before the first push. */
void csp_methods(struct csp *n, enum csp_table_method t, enum csp_alldiff_method a);
void csp_plain(struct csp *n); /* propagate by the loop for any processor, as if this one had no vectors */

/* Decide these variables in this way before others are looked at. */
struct csp_phase {
	const uint32_t *vars;
	size_t count;
	enum csp_order order;
	enum csp_value_order values;
};

/* clang-format off: one row each */
#define CSP_TUNING(T, ...) \
	T(REAL, restart_growth, "restart-growth", 1.5, 1, 100, "factor from run to run of geometric restarts", \
	  __VA_ARGS__) \
	T(INT, nogoods_most, "nogoods-most", 100000, 0, 1e8, "learn: conflicts that are kept as nogoods, at most", \
	  __VA_ARGS__) \
	T(INT, relaxation, "relaxation", 300, 0, 1e6, \
	  "steps towards the best bound of a linear objective by all linear constraints; 0: no such bound", __VA_ARGS__) \
	T(INT, edge_finding, "edge-finding", 300, 0, 100000, \
	  "tasks of a cumulative constraint whose energy is looked at, at most; 0: only time-tables", __VA_ARGS__) \
	T(REAL, weight_decay, "weight-decay", 1, 0.5, 1, \
	  "dom/wdeg: factor of the weights of constraints after each failure; 1: all failures count alike", __VA_ARGS__) \
	T(REAL, activity_decay, "activity-decay", 0.95, 0.01, 1, \
	  "lcg: factor of the activity of variables after each failure", __VA_ARGS__) \
	T(REAL, clause_decay, "clause-decay", 0.999, 0.01, 1, "lcg: factor of the activity of clauses after each failure", \
	  __VA_ARGS__) \
	T(INT, clauses, "clauses", 4000, 1, 1e8, \
	  "lcg: learned clauses before half of them are forgotten for the first time", __VA_ARGS__) \
	T(REAL, clauses_growth, "clauses-growth", 0.1, 0, 10, "lcg: how much more are kept after that, as a share", \
	  __VA_ARGS__) \
	T(INT, turn, "turn", 30, 20, 1e9, "auto: propagations of the first turn, times the square of the restart unit", \
	  __VA_ARGS__) \
	T(REAL, turn_growth, "turn-growth", 2, 1, 100, "auto: factor from turn to turn", __VA_ARGS__) \
	T(REAL, weight_kept, "weight-kept", 0.5, 0, 1, "auto: share of the weights of constraints kept from turn to turn", \
	  __VA_ARGS__) \
	T(REAL, lns_turn, "lns-turn", 0.25, 0.05, 100, \
	  "auto: length of the turns of large neighbourhoods, as a share of the others", __VA_ARGS__) \
	T(REAL, lns_first, "lns-first", 0.1, 1e-6, 1, "lns: share of the variables that is free at first", __VA_ARGS__) \
	T(REAL, lns_grow, "lns-grow", 1.15, 1, 100, "lns: factor of that share where nothing better was there", \
	  __VA_ARGS__) \
	T(REAL, lns_shrink, "lns-shrink", 0.93, 0.01, 1, \
	  "lns: factor of that share where the search did not come to its end", __VA_ARGS__) \
	T(REAL, lns_last, "lns-last", 0.5, 1e-6, 0.99, "auto: that share once all variables would be free", __VA_ARGS__) \
	T(INT, lns_work, "lns-work", 40, 1, 1e9, "lns: propagations for a neighbourhood at least, times the restart unit", \
	  __VA_ARGS__) \
	T(INT, lns_scope, "lns-scope", 30, 2, 1e9, "lns: variables of a constraint that neighbourhoods go along, at most", \
	  __VA_ARGS__)
struct csp_tuning {
	CSP_TUNING(TUNING_FIELD)
};
/* clang-format on */

struct csp_options {
	enum csp_algorithm algorithm;
	enum csp_consistency consistency;
	uint32_t k; /* of k-consistency */
	enum csp_order order;
	enum csp_value_order values;
	enum csp_restarts restarts;
	uint32_t restart_unit; /* failures of the shortest run; the turns of auto grow with its square */
	bool nogoods;          /* from restarts */
	bool last_conflict;
	bool value_symmetry;               /* one solution per class of interchangeable values */
	bool keep_weights;                 /* of dom/wdeg, from the last solve */
	uint64_t max_solutions, max_nodes; /* 0: no limit */
	struct limit limit;
	uint64_t seed;
	const uint32_t *branch;         /* decide these variables only (NULL: all), */
	size_t branch_count;            /* the rest must follow by propagation or be irrelevant */
	const struct csp_phase *phases; /* one after the other; what is open then is decided as `order` and `values` say */
	size_t phase_count;
	struct csp_tuning tune;
	bool free;        /* clause learning: every other run pays no heed to the phases */
	bool best_only;   /* with an objective: branch and bound */
	uint32_t threads; /* more than one: searches of several kinds at once (CSP_ALG_AUTO), one solution or the best */
	/* Asked now and then, with best_only: true: only what is better than *value is wanted. It may become better and
	 * better, never worse. May be NULL. */
	bool (*bound)(void *user, int64_t *value);
	/* Called at each solution (one integer per variable); false stops. May be NULL. */
	bool (*solution)(void *user, const struct csp *n, const int32_t *values);
	/* Called now and then with what has been counted so far. May be NULL. */
	void (*progress)(void *user, const struct csp_stats *so_far);
	void *user;
};
extern const struct csp_options csp_defaults; /* MAC, AC, dom/wdeg, smallest value, one solution */

/* clang-format off: one row each */
#define CSP_COUNTERS(X) \
	X(solutions) \
	X(nodes) \
	X(backtracks) \
	X(propagations) \
	X(checks) \
	X(removals) \
	X(restarts) \
	X(nogoods) \
	X(backjumps) \
	X(steps) \
	X(depth) \
	X(parts) \
	X(width)
/* clang-format on */
struct csp_stats {
#define X(name) uint64_t name;
	CSP_COUNTERS(X)
#undef X
	double seconds;
	bool complete; /* the whole space was searched */
	bool has_best;
	int64_t best;        /* value of the objective in the last solution */
	const char *refused; /* why the algorithm does not apply, or NULL */
};

enum csp_status { CSP_UNKNOWN, CSP_SAT, CSP_UNSAT, CSP_OPTIMUM };
enum csp_status csp_solve(struct csp *n, const struct csp_options *o, struct csp_stats *s);

/* Classes of interchangeable values; class_of gets one number per value index of
 * variable 0. Returns the number of classes, 0 when the domains differ. */
uint32_t csp_value_classes(struct csp *n, uint32_t *class_of);

/* Symmetries: permutations of the literals (variable, value) that map solutions to
 * solutions and keep the objective. Literals are numbered variable by variable, value
 * index by value index, from 0 on. Found after propagation at the root, at level 0. */
struct csp_symmetry {
	size_t generators;
	uint32_t literals;
	VEC(uint32_t) images; /* generator i maps literal l to images[i * literals + l] */
	double mantissa;      /* order of the group: mantissa * 10 ^ exponent */
	int exponent;
	uint32_t vertices, held; /* held: constraints that were too large; their variables stay in place */
	size_t edges;
	const char *skipped; /* why nothing was looked for, or NULL */
	double seconds;
	/* filled by csp_symmetry_break */
	double values;  /* permutations of interchangeable values */
	bool by_values; /* it left all to the search's value_symmetry, which breaks more */
	size_t posted;  /* elements whose lex-leader constraint was added */
	bool all;       /* one solution of each orbit is left, no other */
};
void csp_symmetry_find(struct csp *n, const struct limit *limit, struct csp_symmetry *s);
/* Adds constraints (and hidden variables that follow from the others, so searches by MAC
 * need not branch on them) that keep at least one solution of each orbit, or leaves that
 * to csp_options.value_symmetry, to be set either way. For good: the network is another one. */
void csp_symmetry_break(struct csp *n, struct csp_symmetry *s);
void csp_symmetry_free(struct csp_symmetry *s);

/* ---- XCSP3 ---- */
struct csp_source_error {
	uint32_t line, column; /* 0: unknown */
	char message[240];
};
/* NULL and `e` filled when the document is at fault. `data` need not end in NUL. */
struct csp *csp_read_xml(const char *data, size_t length, struct csp_source_error *e);
struct csp *csp_read_xml_file(const char *path, struct csp_source_error *e);
void csp_write_xml(struct csp *n, struct text *out);

#endif

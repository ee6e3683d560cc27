/* Finite-domain constraint networks: build, propagate, search.
 *
 *     macaw_csp *n = macaw_csp_new(&error);
 *     uint32_t x = macaw_csp_var_range(n, "x", 0, 9), y = macaw_csp_var_range(n, "y", 0, 9);
 *     macaw_csp_add_sum(n, (uint32_t[]){x, y}, (int64_t[]){1, 1}, 2, MACAW_CSP_EQ, 7);
 *     if (macaw_csp_solve(n, &(macaw_csp_options){.solution = print}, NULL) == MACAW_CSP_SAT)
 *         …
 *     macaw_csp_free(n);
 *
 * Variables, values and constraints are numbers from 0 on. The values of a variable are numbered in the order of their
 * integers ("value index"); functions that end in _at take indices, the others the integers themselves. Symbols
 * ("red") are integers, too: macaw_csp_symbol_text gives the text back.
 *
 * The network owns all it holds; arrays that builders are given are copied. Builders return MACAW_NONE or false when
 * they refuse, and macaw_csp_error says why. A network belongs to one thread at a time; different networks have nothing
 * in common. Numbers of variables, values, constraints, expressions and relations that are not there are refused by
 * builders and as `branch`; elsewhere they must be right, for nothing is checked where a search could call it.
 *
 * A network is also a state machine: macaw_csp_push opens a level, macaw_csp_assign and macaw_csp_forbid restrict
 * domains, macaw_csp_propagate reaches the fixpoint, macaw_csp_pop goes back in time proportional to what changed.
 * Whoever solves thousands of nearly equal networks builds one, pushes, sets what differs, calls macaw_csp_solve (which
 * works on top of the current level and returns to it) and pops. Constraints are added at level 0, variables before
 * anything else. */
#ifndef MACAW_CSP_H
#define MACAW_CSP_H

#include "macaw/common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct macaw_csp macaw_csp;

#define MACAW_CSP_ANY INT32_MIN        /* the wildcard `*` in a tuple */
#define MACAW_CSP_MAX_DOMAIN (1 << 24) /* values of one variable */

MACAW_API macaw_csp *macaw_csp_new(macaw_error *e);
/* Not for networks that belong to another object: what macaw_scsp_hard, macaw_qcsp_network and macaw_network_csp
 * return. */
MACAW_API void macaw_csp_free(macaw_csp *n);
/* Why the last call on this network that failed did so; lasts until the next one. */
MACAW_API const macaw_error *macaw_csp_error(const macaw_csp *n);

/* ---- variables ---- */

MACAW_API uint32_t macaw_csp_var_range(macaw_csp *n, const char *name, int32_t low, int32_t high);
MACAW_API uint32_t macaw_csp_var_values(macaw_csp *n, const char *name, const int32_t *values,
                                        size_t count); /* in any order */
MACAW_API uint32_t macaw_csp_var_symbols(macaw_csp *n, const char *name, const char *const *symbols, size_t count);
MACAW_API uint32_t macaw_csp_variables(const macaw_csp *n);
MACAW_API const char *macaw_csp_name(const macaw_csp *n, uint32_t x);
MACAW_API uint32_t macaw_csp_find(const macaw_csp *n, const char *name); /* MACAW_NONE: there is no such variable */
MACAW_API uint32_t macaw_csp_count(const macaw_csp *n, uint32_t x);      /* values it was made with */
MACAW_API int32_t macaw_csp_value(const macaw_csp *n, uint32_t x, uint32_t at);    /* the integer of an index */
MACAW_API uint32_t macaw_csp_index(const macaw_csp *n, uint32_t x, int64_t value); /* MACAW_NONE: no value of x */
MACAW_API uint32_t macaw_csp_symbol(macaw_csp *n, const char *symbol); /* its integer; a new one where it was unknown */
MACAW_API uint32_t macaw_csp_symbols(const macaw_csp *n);              /* how many are known; they are 0, 1, … */
MACAW_API const char *macaw_csp_symbol_text(const macaw_csp *n, int32_t value); /* "?": no symbol */
MACAW_API bool macaw_csp_symbolic(const macaw_csp *n, uint32_t x);
MACAW_API void macaw_csp_hide(macaw_csp *n, uint32_t x); /* auxiliary: follows from the others, not shown */
MACAW_API bool macaw_csp_hidden(const macaw_csp *n, uint32_t x);

/* ---- constraints ---- */

/* Kinds that are newer than this header have larger numbers; macaw_csp_kind_name knows them. */
enum macaw_csp_kind {
	MACAW_CSP_TABLE,
	MACAW_CSP_INTENSION,
	MACAW_CSP_ALLDIFF,
	MACAW_CSP_SUM,
	MACAW_CSP_ELEMENT,
	MACAW_CSP_COUNT,
	MACAW_CSP_ORDERED,
	MACAW_CSP_LEX,
	MACAW_CSP_INSTANTIATION,
	MACAW_CSP_CHANNEL,
	MACAW_CSP_NO_OVERLAP,
	MACAW_CSP_MAXIMUM,
	MACAW_CSP_MINIMUM,
	MACAW_CSP_MDD,
	MACAW_CSP_CIRCUIT,
	MACAW_CSP_NVALUES,
	MACAW_CSP_CUMULATIVE,
	MACAW_CSP_REIFIED
};
enum macaw_csp_relation { MACAW_CSP_LT, MACAW_CSP_LE, MACAW_CSP_GE, MACAW_CSP_GT, MACAW_CSP_NE, MACAW_CSP_EQ };

/* `tuples` holds rows * arity integers, MACAW_CSP_ANY for `*`. Not positive: forbidden rows. */
MACAW_API uint32_t macaw_csp_add_table(macaw_csp *n, const uint32_t *scope, size_t arity, const int32_t *tuples,
                                       size_t rows, bool positive);
/* The relation of constraint `like` on other variables with equal values; takes no second copy. */
MACAW_API uint32_t macaw_csp_add_table_like(macaw_csp *n, const uint32_t *scope, uint32_t like);
MACAW_API uint32_t macaw_csp_add_intension(macaw_csp *n, uint32_t expression);
/* All different, except for values in `except`. */
MACAW_API uint32_t macaw_csp_add_alldiff(macaw_csp *n, const uint32_t *scope, size_t arity, const int32_t *except,
                                         size_t excepted);
/* coefficients * scope r k */
MACAW_API uint32_t macaw_csp_add_sum(macaw_csp *n, const uint32_t *scope, const int64_t *coefficients, size_t arity,
                                     enum macaw_csp_relation r, int64_t k);
/* list[index - start] = value */
MACAW_API uint32_t macaw_csp_add_element(macaw_csp *n, const uint32_t *list, size_t count, int32_t start,
                                         uint32_t index, uint32_t value);
/* |{i : list[i] in values}| r k, where k is a number, or the variable kx unless that is MACAW_NONE */
MACAW_API uint32_t macaw_csp_add_count(macaw_csp *n, const uint32_t *list, size_t count, const int32_t *values,
                                       size_t value_count, enum macaw_csp_relation r, int64_t k, uint32_t kx);
/* list[i] + lengths[i] r list[i + 1]; lengths may be NULL; r is LT, LE, GE or GT */
MACAW_API uint32_t macaw_csp_add_ordered(macaw_csp *n, const uint32_t *list, size_t count, const int64_t *lengths,
                                         enum macaw_csp_relation r);
MACAW_API uint32_t macaw_csp_add_lex(macaw_csp *n, const uint32_t *a, const uint32_t *b, size_t count,
                                     enum macaw_csp_relation r);
MACAW_API uint32_t macaw_csp_add_instantiation(macaw_csp *n, const uint32_t *list, size_t count, const int32_t *values);
/* a[i] = j iff b[j] = i, indices counted from the starts; a == b for one list */
MACAW_API uint32_t macaw_csp_add_channel(macaw_csp *n, const uint32_t *a, size_t a_count, int32_t a_start,
                                         const uint32_t *b, size_t b_count, int32_t b_start);
/* Tasks on one machine: for all i < j, o[i] + l[i] <= o[j] or o[j] + l[j] <= o[i]; tasks of length 0 are free. */
MACAW_API uint32_t macaw_csp_add_no_overlap(macaw_csp *n, const uint32_t *origins, const int64_t *lengths,
                                            size_t count);
/* value = max(list) or min(list) */
MACAW_API uint32_t macaw_csp_add_extremum(macaw_csp *n, bool maximum, const uint32_t *list, size_t count,
                                          uint32_t value);

/* Expressions are trees of numbers, at most 10,000 deep. Division truncates like C's; what is undefined (division by
 * zero) makes the nearest comparison around it false. CONST and VAR are made by the functions below. */
enum macaw_csp_operator {
	MACAW_CSP_OP_CONST,
	MACAW_CSP_OP_VAR,
	MACAW_CSP_OP_NEG,
	MACAW_CSP_OP_ABS,
	MACAW_CSP_OP_SQR,
	MACAW_CSP_OP_ADD,
	MACAW_CSP_OP_SUB,
	MACAW_CSP_OP_MUL,
	MACAW_CSP_OP_DIV,
	MACAW_CSP_OP_MOD,
	MACAW_CSP_OP_POW,
	MACAW_CSP_OP_DIST, /* |a - b| */
	MACAW_CSP_OP_MIN,
	MACAW_CSP_OP_MAX,
	MACAW_CSP_OP_LT,
	MACAW_CSP_OP_LE,
	MACAW_CSP_OP_GE,
	MACAW_CSP_OP_GT,
	MACAW_CSP_OP_NE,
	MACAW_CSP_OP_EQ,
	MACAW_CSP_OP_NOT,
	MACAW_CSP_OP_AND,
	MACAW_CSP_OP_OR,
	MACAW_CSP_OP_XOR,
	MACAW_CSP_OP_IFF,
	MACAW_CSP_OP_IMP,
	MACAW_CSP_OP_IF,  /* condition, then, else */
	MACAW_CSP_OP_SET, /* of constants; the second argument of IN and NOTIN */
	MACAW_CSP_OP_IN,
	MACAW_CSP_OP_NOTIN
};
MACAW_API uint32_t macaw_csp_expr_const(macaw_csp *n, int64_t value);
MACAW_API uint32_t macaw_csp_expr_var(macaw_csp *n, uint32_t x);
MACAW_API uint32_t macaw_csp_expr(macaw_csp *n, enum macaw_csp_operator op, const uint32_t *arguments, size_t count);

/* One objective at most; a plain variable is a sum of one. */
MACAW_API bool macaw_csp_objective_sum(macaw_csp *n, const uint32_t *scope, const int64_t *coefficients, size_t arity,
                                       bool maximise);
MACAW_API bool macaw_csp_objective_expr(macaw_csp *n, uint32_t expression, bool maximise);
MACAW_API bool macaw_csp_has_objective(const macaw_csp *n);
MACAW_API bool macaw_csp_maximises(const macaw_csp *n);
MACAW_API void macaw_csp_forget_objective(macaw_csp *n);

MACAW_API uint32_t macaw_csp_constraints(const macaw_csp *n);
MACAW_API enum macaw_csp_kind macaw_csp_kind(const macaw_csp *n, uint32_t c);
MACAW_API uint32_t macaw_csp_arity(const macaw_csp *n, uint32_t c);
MACAW_API const uint32_t *macaw_csp_scope(const macaw_csp *n, uint32_t c); /* lasts until the network is changed */
MACAW_API uint32_t macaw_csp_rows(const macaw_csp *n, uint32_t c);         /* of a table; 0: it is none */
/* Does the constraint hold for these value indices of its scope? */
MACAW_API bool macaw_csp_check_at(macaw_csp *n, uint32_t c, const uint32_t *at);
/* Do all hold for these integers, one per variable? */
MACAW_API bool macaw_csp_check(macaw_csp *n, const int32_t *values);
/* Constraints of x: how many, and the k-th. */
MACAW_API uint32_t macaw_csp_degree(macaw_csp *n, uint32_t x);
MACAW_API uint32_t macaw_csp_constraint_of(macaw_csp *n, uint32_t x, uint32_t k);

/* ---- domains, levels, propagation ---- */

/* Propagates at the root; false: inconsistent. What needs it does it by itself. */
MACAW_API bool macaw_csp_prepare(macaw_csp *n);
MACAW_API uint32_t macaw_csp_level(const macaw_csp *n);
MACAW_API void macaw_csp_push(macaw_csp *n);
MACAW_API void macaw_csp_pop(macaw_csp *n, uint32_t to_level);     /* nothing where that is no level below */
MACAW_API uint32_t macaw_csp_size(const macaw_csp *n, uint32_t x); /* values left */
MACAW_API bool macaw_csp_has_at(const macaw_csp *n, uint32_t x, uint32_t at);
MACAW_API uint32_t macaw_csp_next_at(const macaw_csp *n, uint32_t x,
                                     uint32_t from); /* first index left from there on, or MACAW_NONE */
MACAW_API int32_t macaw_csp_min(const macaw_csp *n, uint32_t x);
MACAW_API int32_t macaw_csp_max(const macaw_csp *n, uint32_t x);
/* False: the domain would become empty; pop (or give up) then. */
MACAW_API bool macaw_csp_assign_at(macaw_csp *n, uint32_t x, uint32_t at);
MACAW_API bool macaw_csp_forbid_at(macaw_csp *n, uint32_t x, uint32_t at);
MACAW_API bool macaw_csp_assign(macaw_csp *n, uint32_t x, int64_t value);
MACAW_API bool macaw_csp_forbid(macaw_csp *n, uint32_t x, int64_t value);
/* Generalised arc consistency, where the propagators reach it. False: inconsistent. */
MACAW_API bool macaw_csp_propagate(macaw_csp *n);
MACAW_API uint64_t macaw_csp_propagations(const macaw_csp *n); /* runs of constraints so far */
/* From now on constraints run lowest number first, not in the order they were woken: right where each is written after
 * those it follows from. Before the network is used. */
MACAW_API void macaw_csp_in_order(macaw_csp *n);
/* A constraint asleep is not propagated until it is woken; popping does not change who sleeps. */
MACAW_API void macaw_csp_sleep(macaw_csp *n, uint32_t c);
MACAW_API void macaw_csp_wake(macaw_csp *n, uint32_t c);

/* ---- search ---- */

enum macaw_csp_algorithm {
	MACAW_CSP_MAC,
	MACAW_CSP_BT,
	MACAW_CSP_FC,
	MACAW_CSP_CBJ,
	MACAW_CSP_FC_CBJ,
	MACAW_CSP_MAC_CBJ,
	MACAW_CSP_LEARN,
	MACAW_CSP_COMPONENTS,
	MACAW_CSP_TREE,
	MACAW_CSP_CUTSET,
	MACAW_CSP_DECOMPOSITION,
	MACAW_CSP_MIN_CONFLICTS,
	MACAW_CSP_LCG,
	MACAW_CSP_AUTO,
	MACAW_CSP_LNS
};
enum macaw_csp_consistency {                                /* before the search */
	                         MACAW_CSP_CONSISTENCY_DEFAULT, /* AC */
	                         MACAW_CSP_CONSISTENCY_NONE,
	                         MACAW_CSP_CONSISTENCY_NODE,
	                         MACAW_CSP_CONSISTENCY_AC3,
	                         MACAW_CSP_CONSISTENCY_AC,
	                         MACAW_CSP_CONSISTENCY_SAC,
	                         MACAW_CSP_CONSISTENCY_PATH,
	                         MACAW_CSP_CONSISTENCY_K
};
enum macaw_csp_order {                          /* which variable next */
	                   MACAW_CSP_ORDER_DEFAULT, /* DOM_WDEG */
	                   MACAW_CSP_ORDER_LEX,
	                   MACAW_CSP_ORDER_DOM,
	                   MACAW_CSP_ORDER_DEG,
	                   MACAW_CSP_ORDER_DOM_DEG,
	                   MACAW_CSP_ORDER_DOM_WDEG,
	                   MACAW_CSP_ORDER_LARGE_DOM, /* this one and those below: for MAC */
	                   MACAW_CSP_ORDER_SMALLEST,
	                   MACAW_CSP_ORDER_LARGEST,
	                   MACAW_CSP_ORDER_REGRET
};
enum macaw_csp_value_order {
	MACAW_CSP_VALUE_MIN,
	MACAW_CSP_VALUE_MAX,
	MACAW_CSP_VALUE_LCV,
	MACAW_CSP_VALUE_RANDOM,
	MACAW_CSP_VALUE_MEDIAN, /* this one and those below: for MAC */
	MACAW_CSP_VALUE_SPLIT,
	MACAW_CSP_VALUE_REVERSE_SPLIT
};
enum macaw_csp_restarts { MACAW_CSP_RESTART_NONE, MACAW_CSP_RESTART_LUBY, MACAW_CSP_RESTART_GEOMETRIC };
enum macaw_csp_table_method { MACAW_CSP_TABLE_AUTO, MACAW_CSP_TABLE_CT, MACAW_CSP_TABLE_STR2 };
enum macaw_csp_alldiff_method { MACAW_CSP_ALLDIFF_REGIN, MACAW_CSP_ALLDIFF_SIMPLE };

/* What the numbers of an enumeration are called, from 0 on; NULL: there is none with this number. */
MACAW_API const char *macaw_csp_kind_name(enum macaw_csp_kind k);         /* as XCSP3 calls it: "allDifferent" */
MACAW_API const char *macaw_csp_operator_name(enum macaw_csp_operator o); /* "add"; "" for CONST and VAR */
MACAW_API const char *macaw_csp_algorithm_name(enum macaw_csp_algorithm a);
MACAW_API const char *macaw_csp_algorithm_help(enum macaw_csp_algorithm a);     /* one line */
MACAW_API const char *macaw_csp_consistency_name(enum macaw_csp_consistency c); /* "default" for 0 */
MACAW_API const char *macaw_csp_consistency_help(enum macaw_csp_consistency c);
MACAW_API const char *macaw_csp_order_name(enum macaw_csp_order o); /* "default" for 0 */
MACAW_API const char *macaw_csp_order_help(enum macaw_csp_order o);
MACAW_API const char *macaw_csp_value_order_name(enum macaw_csp_value_order v);
MACAW_API const char *macaw_csp_value_order_help(enum macaw_csp_value_order v);

/* How tables and allDifferent are propagated: choose before the first push. */
MACAW_API void macaw_csp_methods(macaw_csp *n, enum macaw_csp_table_method t, enum macaw_csp_alldiff_method a);

/* Decide these variables in this way before others are looked at. */
typedef struct macaw_csp_phase {
	const uint32_t *variables;
	size_t count;
	enum macaw_csp_order order;
	enum macaw_csp_value_order values;
} macaw_csp_phase;

/* Numbers that steer the searches, in order; false: no more. */
typedef struct macaw_csp_tuning {
	const char *name, *help;
	double standard, min, max; /* the default, and the bounds */
	bool whole;                /* a whole number */
} macaw_csp_tuning;
MACAW_API bool macaw_csp_tuning_at(size_t i, macaw_csp_tuning *out);
/* Is "name=value:name=value…" well-formed? False: MACAW_USAGE, with the nearest name or the bounds in the text. */
MACAW_API bool macaw_csp_tuning_check(const char *words, macaw_error *e);

struct macaw_csp_stats;
typedef struct macaw_csp_options {
	enum macaw_csp_algorithm algorithm;
	enum macaw_csp_consistency consistency;
	uint32_t k; /* of MACAW_CSP_CONSISTENCY_K; 0: 3 */
	enum macaw_csp_order order;
	enum macaw_csp_value_order values;
	enum macaw_csp_restarts restarts;
	uint32_t restart_unit;  /* failures of the shortest run; 0: 100 */
	bool nogoods;           /* keep them at restarts */
	bool last_conflict;     /* decide the variable of the last conflict first */
	bool value_symmetry;    /* one solution per class of interchangeable values */
	bool keep_weights;      /* of DOM_WDEG, from the last call */
	bool all;               /* all solutions, not one */
	uint64_t max_solutions; /* stop after this many; 0: one. Not with `all`. */
	uint64_t max_nodes;     /* 0: no bound */
	macaw_limit limit;
	uint64_t seed;
	const uint32_t *branch; /* decide these variables only (NULL: all); the rest must follow or be irrelevant */
	size_t branch_count;
	const macaw_csp_phase *phases; /* one after the other; what is open then is decided as `order` and `values` say */
	size_t phase_count;
	bool free; /* clause learning: every other run pays no heed to the phases */
	bool any;  /* with an objective: solutions of any worth, not ever better ones up to the best */
	/* With an objective, asked now and then: true: only what is better than *value is wanted. May become better and
	 * better, never worse, as by searches elsewhere. May be NULL. */
	bool (*bound)(void *context, int64_t *value);
	/* Called at each solution with one integer per variable; false stops the search. May be NULL. It may ask the
	 * network anything, but must not change it. */
	bool (*solution)(void *context, macaw_csp *n, const int32_t *values);
	void *context;
	/* Called now and then with what has been counted so far. May be NULL. */
	void (*progress)(void *context, const struct macaw_csp_stats *so_far);
	/* More than one: searches of several kinds at once, with AUTO only, for one solution or the best. */
	uint32_t threads;
	const char *tuning; /* "lns-first=0.2:turn=50", see macaw_csp_tuning_at; NULL: the defaults */
} macaw_csp_options;

typedef struct macaw_csp_stats {
	uint64_t solutions, nodes, backtracks, propagations, checks, removals, restarts, nogoods, backjumps, steps, depth,
		parts, width;
	double seconds;
	bool complete; /* the whole space was searched */
	bool has_best;
	int64_t best;        /* value of the objective in the last solution */
	const char *refused; /* why the algorithm does not apply; NULL: it does */
} macaw_csp_stats;
/* The counters in a row: name (NULL: past the last) and number. */
MACAW_API const char *macaw_csp_counter_name(size_t i);
MACAW_API uint64_t macaw_csp_counter(const macaw_csp_stats *s, size_t i);

enum macaw_csp_status { MACAW_CSP_UNKNOWN, MACAW_CSP_SAT, MACAW_CSP_UNSAT, MACAW_CSP_OPTIMUM };

/* `o` NULL: one solution by MAC. `s` may be NULL. UNKNOWN: a limit was reached, or the algorithm does not apply
 * (stats.refused and macaw_csp_error say why). */
MACAW_API enum macaw_csp_status macaw_csp_solve(macaw_csp *n, const macaw_csp_options *o, macaw_csp_stats *s);

enum macaw_csp_outcome { MACAW_CSP_CONSISTENT, MACAW_CSP_INCONSISTENT, MACAW_CSP_TOO_LARGE, MACAW_CSP_STOPPED };
/* Local consistency without a search. At level 0, PATH and K add implied constraints. `k` 0: 3. `s` may be NULL. */
MACAW_API enum macaw_csp_outcome macaw_csp_enforce(macaw_csp *n, enum macaw_csp_consistency level, uint32_t k,
                                                   macaw_csp_stats *s);

/* ---- symmetries ---- */

/* Classes of interchangeable values: class_of gets one number per value index of variable 0. Returns the number of
 * classes; 0: the domains differ. */
MACAW_API uint32_t macaw_csp_value_classes(macaw_csp *n, uint32_t *class_of);

/* Permutations of the literals (variable, value) that map solutions to solutions and keep the objective. Literals are
 * numbered variable by variable, value index by value index, from 0 on. */
typedef struct macaw_csp_symmetry {
	size_t generators;
	uint32_t literals;
	const uint32_t *images; /* generator i maps literal l to images[i * literals + l] */
	double mantissa;        /* the order of the group is mantissa * 10 ^ exponent */
	int exponent;
	uint32_t vertices, held; /* held: constraints that were too large; their variables stay in place */
	size_t edges;
	const char *skipped; /* why nothing was looked for; NULL: it was */
	double seconds;
	/* set by macaw_csp_symmetry_break */
	double values;  /* permutations of interchangeable values */
	bool by_values; /* it left all to the search's value_symmetry, which breaks more */
	size_t posted;  /* elements whose lex-leader constraint was added */
	bool all;       /* one solution of each orbit is left, no other */
} macaw_csp_symmetry;

/* Found after propagation at the root, at level 0. NULL: out of memory. Free it before the network. */
MACAW_API macaw_csp_symmetry *macaw_csp_symmetry_find(macaw_csp *n, macaw_limit limit);
/* Adds constraints (and hidden variables that follow from the others: search with `branch` naming only those that were
 * there before) that keep at least one solution of each orbit, or leaves that to macaw_csp_options.value_symmetry, to
 * be set either way. For good: the network is another one then. False: out of memory. */
MACAW_API bool macaw_csp_symmetry_break(macaw_csp *n, macaw_csp_symmetry *s);
MACAW_API void macaw_csp_symmetry_free(macaw_csp_symmetry *s);

/* ---- XCSP3 ---- */

/* What a file holds, by the root element of the document; anything that cannot be recognised is MACAW_XCSP3_CSP, whose
 * reader then says what is wrong. */
enum macaw_xcsp3_type { MACAW_XCSP3_CSP, MACAW_XCSP3_SCSP, MACAW_XCSP3_QCSP };
MACAW_API enum macaw_xcsp3_type macaw_xcsp3_type_of_file(const char *path);
MACAW_API enum macaw_xcsp3_type macaw_xcsp3_type_of(const char *xml, size_t length);

/* NULL: the error is "FILE:LINE: error: MESSAGE", without the line where there is none. */
MACAW_API macaw_csp *macaw_csp_load(const char *path, macaw_error *e);
/* From text; `name` stands for the file in messages (NULL: "network"). */
MACAW_API macaw_csp *macaw_csp_parse(const char *xml, size_t length, const char *name, macaw_error *e);
/* The text of a file, or of standard input ("-"); what gzip, xz or lzma packed is unpacked. NULL: it cannot be read. */
MACAW_API char *macaw_xcsp3_read(const char *path, size_t *length, macaw_error *e);

/* ---- FlatZinc ---- */

/* A model in FlatZinc, the language in which MiniZinc hands models to solvers: a network, and what the file says about
 * its search and its output. Integers, Booleans and constant sets; set variables and floats are refused. */
typedef struct macaw_flatzinc macaw_flatzinc;
MACAW_API bool macaw_flatzinc_recognise(const char *text, size_t length); /* by the first item; XML is not */
/* NULL: the error is "FILE:LINE:COLUMN: error: MESSAGE". `name` stands for the file (NULL: "model"). */
MACAW_API macaw_flatzinc *macaw_flatzinc_parse(const char *text, size_t length, const char *name, macaw_error *e);
MACAW_API void macaw_flatzinc_free(macaw_flatzinc *f);          /* with its network */
MACAW_API macaw_csp *macaw_flatzinc_network(macaw_flatzinc *f); /* not to be freed by itself */
/* Sets the phases and the restarts that the file asks for; they last as long as the model. */
MACAW_API void macaw_flatzinc_search(const macaw_flatzinc *f, macaw_csp_options *o);
/* A solution as MiniZinc reads it, or as a JSON object. For macaw_free(); NULL: out of memory. */
MACAW_API char *macaw_flatzinc_solution(macaw_flatzinc *f, const int32_t *values, bool json);
/* The constraints that are read, i = 0, 1, ...: the name, or NULL when there are no more; `arguments` (may be NULL)
 * gets a letter for each: i integer, b Boolean, k constant, S constant set; capitals I, B, K, L (Boolean constants) are
 * arrays. */
MACAW_API const char *macaw_flatzinc_constraint(size_t i, const char **arguments);

/* A judge of solutions that reads the instance for itself and shares nothing with the solver. */
typedef struct macaw_judge macaw_judge;
MACAW_API macaw_judge *macaw_judge_new(const char *xml, size_t length, macaw_error *e);
MACAW_API void macaw_judge_free(macaw_judge *j);
/* Do the values satisfy all constraints, and is this the cost (NULL: there is none, or it does not matter)? False: the
 * error says what is wrong. */
MACAW_API bool macaw_judge_solution(macaw_judge *j, macaw_csp *n, const int32_t *values, const int64_t *cost,
                                    macaw_error *e);
/* The objective's value. False: there is no objective. */
MACAW_API bool macaw_csp_cost(macaw_csp *n, const int32_t *values, int64_t *cost);

/* The network as XCSP3. NULL: out of memory. */
MACAW_API char *macaw_csp_write(macaw_csp *n);

#ifdef __cplusplus
}
#endif

#endif

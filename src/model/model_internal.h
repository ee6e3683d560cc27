/* Private to this room: the network under construction. */
#ifndef MODEL_MODEL_INTERNAL_H
#define MODEL_MODEL_INTERNAL_H

#include "analysis/mutex_groups.h"
#include "model/decision_table.h"
#include "model/model.h"
#include "scsp/scsp.h"

/* What a table is for: it gives its last variable a value, alone or together with other tables of that variable; it
 * says which values of its first variable, an action or a view of one, are legal; it takes values from a domain. */
enum table_shape { TABLE_FUNCTION, TABLE_PAIR, TABLE_LEGAL, TABLE_DOMAIN };

#define PERCEPT_ALWAYS (CSP_NONE - 1)

struct delta;

struct model {
	struct game *game;
	struct csp *net;
	struct circuit c;                  /* without blocks */
	const struct mutex_groups *groups; /* the game has them */
	uint32_t terminal;
	uint32_t *action, *score;   /* by role */
	uint32_t *now, *after;      /* by group */
	uint32_t *at;               /* by fluent: value index in its group's variable */
	uint32_t *none;             /* by group: value index of `none` (Boolean: of 0); CSP_NONE */
	uint32_t **fluent_at;       /* by group and value index: fluent, or GROUP_NONE */
	uint32_t *move_at;          /* by move: value index in its action */
	uint32_t *move_of;          /* first_move[r] + value index: move */
	VEC(uint32_t) chance_legal; /* by value index of chance's action */
	VEC(uint32_t) percepts;     /* by percept: its variable, PERCEPT_ALWAYS, or CSP_NONE: never seen */

	/* building */
	struct decision_table decisions;
	struct leaf *leaf;     /* by node */
	uint32_t *atom;        /* by node: 1 + (atom of the rules * 2 + negated); 0: none */
	struct leaf *negative; /* by node: its negation, when that has a variable of its own */
	VEC(uint32_t) count;   /* by variable */
	VEC(uint8_t) prefer;
	struct table views, names;
	VEC(struct view_var {
		uint32_t var, of, classes, map;
		bool flip;
	}) view_vars;
	VEC(uint32_t) view_maps;
	VEC(char *) used_names;
	uint32_t tuples;
	uint64_t rows, cells, max_cells, keep_cells;
	uint32_t auxiliary;
	uint32_t first_effect; /* variables from here on (and `after`) follow from the actions */
	struct limit limit;
	struct text *error;
	struct range *where;
	bool failed;
	const char *relation;        /* being written, for messages */
	uint32_t clause;             /* the rule of it, or CSP_NONE */
	struct relations *relations; /* of the translation by rules; NULL: by gates */
	double seconds, cpu_seconds;
	enum table_shape shape; /* of the table to be written */
	VEC(uint8_t) shapes;    /* by constraint */
	VEC(struct pair_none {
		uint32_t var, at;
	}) pair_nones;       /* of variables defined in pairs: their value where no pair holds, or CSP_NONE */
	struct delta *delta; /* rounds by what has changed */
	bool delta_tried;
	struct scsp_removed removed[SCSP_PASS_COUNT]; /* from the template */
	bool simplified;
	VEC(uint32_t) order;           /* for forward checking: a variable after those it follows from */
	uint32_t injected;             /* level before the injection */
	uint32_t goal_first, goal_end; /* the constraints written for the goals */
	VEC(uint32_t) goal_only;       /* those of them that nothing else asks */
	bool goals_asleep;
	uint64_t *always; /* the fluents that always hold */
	/* The tables as they were written: all of them until the network is complete, then those of networks of keep_cells,
	 * for model_print and model_unroll. */
	VEC(struct kept_table {
		const char *relation;
		uint32_t scope, arity;
		size_t tuples, rows;
		uint8_t shape;
		bool dead;
	}) kept;
	VEC(uint32_t) kept_scopes;
	VEC(int32_t) kept_tuples;
};

/* names.c: identifiers for people, unique in the network. */
void name_tidy(struct text *t);
void name_unique(struct model *m, struct text *t);
void name_group(struct model *m, uint32_t group, struct text *name, struct text *values);
/* A gate, after the atom of the rules that it stands for, or by its kind and number. */
void name_gate(struct model *m, lit_t l, struct text *t);
void name_move(struct model *m, uint32_t move, struct text *t);

/* network.c: variables, gates and tables. */
void network_fail(struct model *m, const char *why);
void network_blame(struct model *m,
                   atom_t a); /* messages from here on name the rules of this atom; ATOM_NONE: no rule */
uint32_t network_boolean(struct model *m, const char *prefix); /* an auxiliary variable */
/* A variable's numbers: register after creating it. */
void network_register(struct model *m, uint32_t x, uint8_t prefer);
void network_table(struct model *m, const uint32_t *scope, size_t arity, const int32_t *tuples, size_t rows);
/* The variable and value that make a literal true (gates get their variable here). */
struct leaf network_leaf(struct model *m, lit_t l);
/* Tries to write "x = outcome" as one table; value[i]: index for outcome i, CSP_NONE: any value.
 * `guard`: the rows hold only where this variable is 1 (CSP_NONE: always). */
bool network_function(struct model *m, const struct decision_job *job, uint32_t x, const uint32_t *value,
                      uint32_t guard, uint32_t otherwise);
/* The same where one table would be too large: each literal gets its variable first. */
void network_large_function(struct model *m, struct decision_job *job, uint32_t x, const uint32_t *value,
                            uint32_t guard, uint32_t otherwise);
/* The class of a variable's value, as a variable. */
uint32_t network_view(struct model *m, const struct decision_view *v, bool *flip);
/* Rows of the last decision table over variables and value indices: CSP_ANY or integers of values. */
struct cubes {
	VEC(uint32_t) scope;
	VEC(int32_t) cells; /* scope.n + 1 per row; the last is the outcome */
	size_t rows;
};
void network_cubes(struct model *m, struct cubes *c);
void cubes_free(struct cubes *c);

/* round.c: scores matter in terminal states only: until then their constraints may sleep. */
void model_sleep_goals(struct model *m);
void model_wake_goals(struct model *m);

void model_find_goal_only(struct model *m);
/* Removes values of actions that are not singleton arc consistent; returns their number. */
uint32_t model_singletons(struct model *m, uint64_t work); /* work: tables that may run for it; 0: no bound */

/* simplify.c: the tables that were written, before they are constraints; then the domains. */
void simplify_tables(struct model *m, unsigned passes);
void simplify_domains(struct model *m, unsigned passes);

/* stochastic.c: does the variable follow from the draw? Goals as soft constraints. */
struct scsp;
uint32_t model_players(const struct model *m); /* without chance */
bool model_follows(const struct model *m, uint32_t x);
bool model_put_goals(const struct model *m, struct scsp *s, uint32_t terminal, const uint32_t *scores);

/* relations.c: the translation by rules. */
#define RULE_WORK 60000 /* gate inputs to evaluate for the table of a rule */
#define RULES_MOST 48   /* rules of one variable that have a table each */
/* Which atoms are values of which variables, and the bodies of rules as gates; `folded`: the circuit before recursion
 * was written out. */
void relations_make(struct model *m, const struct circuit *folded);
void relations_free(struct relations *x);
/* Variables for all relations in the cones of the literals. */
void relations_below(struct model *m, const lit_t *lits, uint32_t n);
/* A variable that has the value at[i] where a rule derives atoms[i] (ATOM_NONE: never), none where no rule does. */
struct rule_head {
	const atom_t *atoms;
	const uint32_t *at;        /* value indices */
	uint32_t n, none;          /* none: value index, or CSP_NONE: any value */
	uint32_t guard, otherwise; /* as for network_function */
};
/* Writes a table for each rule of x. False: it has only one, or another translation is wanted. */
bool relations_head(struct model *m, const struct rule_head *h, uint32_t x, const char *name);

/* encode.c */
void rules_terminal(struct model *m);
void rules_scores(struct model *m);
void rules_legal(struct model *m);
void rules_next(struct model *m);
void rules_sees(struct model *m);

/* round.c: what the roles see in a solution; `holds` says whether a percept's variable is 1. */
void model_keep_seen(const struct model *m, struct model_round *r, bool (*holds)(const void *context, uint32_t x),
                     const void *context);

#endif

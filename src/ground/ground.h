/* Grounding: from rules with variables to a finite Boolean program.
 *
 * Atoms are numbered; the first `fluents` are the fluents (atom i is true(f_i)),
 * the next `moves` are the moves (does). Every other atom is defined by rules: it
 * holds when the body of one of its rules holds. Atoms without a rule that are
 * neither fluent nor move do not occur. Moves are sorted by role. */
#ifndef GROUND_GROUND_H
#define GROUND_GROUND_H

#include "base/clock.h"
#include "base/progress.h"
#include "gdl/gdl.h"
#include "ground/datalog.h"
#include "ground/term.h"

typedef uint32_t atom_t;
#define ATOM_NONE UINT32_MAX

#define GROUND_INSTANCES ((size_t)6 << 20) /* default bound */

#define GROUND_MAX_ROLES 1000 /* more are not meant to play */
#define GROUND_MANY_ROLES "there are %zu roles; at most %d can play"

struct ground_options {
	struct limit limit;   /* of time */
	size_t max_instances; /* rule instances and facts together; 0: the default */
	bool undeclared;      /* keep fluents and moves that `base` and `input` do not name */
	progress_report *progress; /* NULL: none */
	void *context;
};

struct ground_output {
	uint32_t role;
	term_t term; /* move, percept, or goal value */
	atom_t atom; /* ATOM_NONE: never holds (of a move that is never legal) */
};

/* Outputs sorted by role: those of role r are at[start.at[r] .. start.at[r+1]). */
struct ground_outputs {
	struct ground_output *at;
	size_t n, cap;
	VEC(uint32_t) start;
};

struct ground {
	struct datalog datalog; /* owns the terms */
	VEC(term_t) roles;
	uint32_t random; /* the role named `random`, or the number of roles */
	bool hidden;     /* has `sees` */
	VEC(term_t) fluents;
	struct ground_outputs moves, goals, percepts; /* .atom: legal, goal, sees */
	VEC(atom_t) next;     /* by fluent; ATOM_NONE: never again */
	VEC(uint64_t) initial; /* one bit per fluent */
	VEC(uint8_t) strays;   /* by fluent, then by move: not named by `base` or `input` */
	atom_t terminal;
	uint32_t atoms;
	/* rule i of atom a: literals body[rule[i] .. rule[i+1]), i in [first[a], first[a+1]);
	 * a literal is atom * 2 + negated */
	VEC(uint32_t) first, rule, body;
	VEC(uint32_t) clause; /* by rule: of the rulesheet, where it comes from */
	/* name of an atom, for people: predicate and arguments */
	VEC(struct ground_name { uint32_t pred, args; }) names;
	VEC(term_t) name_args;
	double seconds;
	size_t instances, outside; /* outside: rule instances that lead out of base or input */
};

/* Returns NULL with a message when it would not fit the bounds (the caller then
 * interprets the rules instead). `source` must outlive the result; symbols may
 * be added to it. */
struct ground *ground_make(struct gdl_rules *source, const struct ground_options *o, struct text *error);
void ground_free(struct ground *g);

void ground_print_atom(const struct ground *g, atom_t a, struct text *out);
void ground_print(const struct ground *g, struct text *out);

#endif

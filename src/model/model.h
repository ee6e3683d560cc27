/* The stochastic constraint network of one round of a game (the µSCSP of "General
 * Game Playing with Stochastic CSP", Koriche, Lagrue, Piette, Tabary).
 *
 * Variables: `terminal`, a score and an action for each role (chance's action is
 * the stochastic one), the fluent groups now and after the round, and auxiliaries
 * that follow from these. The template is built once; a state is injected by
 * fixing the variables of now. The solutions of a round are then exactly the legal
 * joint moves with their successor states.
 *
 * The network is about states that can be reached: groups are proved for these. */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include "csp/csp.h"
#include "game/game.h"

#define MODEL_TUPLES 200 /* of a table, before auxiliary variables help */

/* Two ways from rules to tables. */
#define MODEL_TRANSLATIONS(X) \
	X(GATES, "gates", "tables of gates of the circuit, as large as they may be") \
	X(RULES, "rules", "a variable for each relation of the rulesheet, a table for each rule")
enum model_translation {
#define X(id, name, help) MODEL_##id,
	MODEL_TRANSLATIONS(X)
#undef X
		MODEL_TRANSLATION_COUNT
};

struct model_options {
	enum model_translation translation;
	uint32_t tuples;     /* most rows of a table; 0: MODEL_TUPLES */
	size_t memory;       /* bytes the network may take; 0: 1 GB */
	bool keep;           /* the tables of large networks too, for model_unroll */
	struct limit limit;  /* for the building */
	bool sees;           /* percepts too: a variable for each, which follows from the state and the actions */
	unsigned passes;     /* bits of enum scsp_pass: how the template is simplified, once; then it cannot be unrolled */
	struct range *where; /* if not NULL: gets the place of the rule that does not translate, where one is to blame */
};

struct model;

/* NULL with a message that names the relation when the network does not fit, or
 * when the game has no circuit. */
struct model *model_make(struct game *g, const struct model_options *o, struct text *error);
void model_free(struct model *m);

struct model_stats {
	uint32_t variables, auxiliary, max_domain, constraints;
	uint64_t tuples;
	uint32_t groups, booleans, constants;       /* of fluents */
	double seconds, cpu_seconds, proof_seconds; /* cpu: of this thread, whatever else the machine does */
	uint64_t queries;
	/* of the rulesheet: relations (fluents count twice, now and next), the most instances of one, rules */
	uint32_t relations, max_relation, rules;
};
struct model_stats model_stats(const struct model *m);

struct scsp_removed;
const struct scsp_removed *model_removed(const struct model *m); /* by pass: what it removed from the template */

struct csp *model_csp(struct model *m);

/* Variables of the network. */
uint32_t model_terminal(const struct model *m);
uint32_t model_action(const struct model *m, uint32_t role);
uint32_t model_score(const struct model *m, uint32_t role);
uint32_t model_groups(const struct model *m);
uint32_t model_now(const struct model *m, uint32_t group);
uint32_t model_after(const struct model *m, uint32_t group);
/* The value index of a group in a state; CSP_NONE: not a state that can be reached. */
uint32_t model_value_in(const struct model *m, uint32_t group, const uint64_t *state);
/* The Boolean of a percept; CSP_NONE: the network has none, or it is always or never seen. */
uint32_t model_percept(const struct model *m, uint32_t percept);
/* The Boolean of chance's i-th value: it is legal. CSP_NONE: no such role. */
uint32_t model_chance_legal(const struct model *m, uint32_t at);
uint32_t model_move_of(const struct model *m, uint32_t role, uint32_t at); /* move of a value of an action */

/* The stochastic network: chance's table, soft goals, the order of a round. It takes
 * the constraints over; the model itself can solve no more rounds. `state`: injected
 * (NULL: the template). NULL with a message when it cannot be said. */
struct scsp;
struct scsp *model_scsp(struct model *m, const uint64_t *state, struct text *error);
/* The rounds from a state on, `stages` of them, in one network: the T-stage SCSP. A game
 * that ends earlier stays as it is. Goals count at the end of the last round. Needs the tables
 * (struct model_options.keep, unless the network is small). */
struct scsp *model_unroll(struct model *m, const uint64_t *state, uint32_t stages, struct text *error);

/* ---- a round --------------------------------------------------------------------- */

/* Opens a level and fixes the variables of now; false: the state breaks a group
 * or the network, and the level is closed again. */
bool model_inject(struct model *m, const uint64_t *state);
void model_release(struct model *m);

/* Maintained arc consistency that starts from the last round (delta.h), forward checking, and the former by the general
 * solver, from nothing each time; MODEL_MAC_SAC: with singleton arc consistency of the actions first, which leaves
 * exactly the legal moves. */
enum model_method { MODEL_MAC, MODEL_FC, MODEL_MAC_ANEW, MODEL_MAC_SAC };

/* Joint moves with their successors: count of them, moves: `roles` per solution, next: `words`. */
struct model_round {
	bool terminal;
	int *goals; /* by role, of a terminal state; GOAL_NONE else */
	size_t count;
	VEC(uint32_t) moves;
	VEC(uint64_t) next;
	VEC(uint64_t) seen; /* `roles` per solution, if the network has percepts: game_seen_hash() of what each role sees */
	uint64_t nodes, propagations, removed; /* removed: values, by singleton arc consistency */
};
bool model_solve(struct model *m, enum model_method method, const uint64_t *state, struct model_round *r);
void model_round_free(struct model_round *r);

/* ---- reading it ------------------------------------------------------------------ */
#define MODEL_PRINT_CELLS 100000
/* Variables and tables, for people; false: the network is larger than that. */
bool model_print(struct model *m, struct text *out);

#endif

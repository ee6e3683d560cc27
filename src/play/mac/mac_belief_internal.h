/* Inside the search over common beliefs: mac_belief_round.c finds beliefs again and solves their rounds, mac_belief.c
 * chooses, evaluates and backs up. */
#ifndef PLAY_MAC_MAC_BELIEF_INTERNAL_H
#define PLAY_MAC_MAC_BELIEF_INTERNAL_H

#include "base/arena.h"
#include "play/mac/mac_belief.h"

#define BELIEF_NONE UINT32_MAX

/* What may be seen after a decision. */
struct outcome {
	double p;
	uint32_t node; /* BELIEF_NONE: the end */
	double *goals; /* then, by role, expected */
};

struct decision {
	struct outcome *at;
	uint32_t count;
	bool exhausted; /* known to be */
	bool idle;      /* of one role: nothing changes but the number of steps */
	double visits;
	double *last; /* by role: expected utility after the last visit */
};

struct belief_arm {
	uint32_t move;
	uint32_t pending; /* walks that are under way */
	double visits, sum;
	float later, later_sum; /* playouts in which the move was made later on: all moves as first */
};

struct belief_node {
	uint64_t *states;
	double *weight, *sum, *value; /* by state; by role: of evaluations; exact, once solved */
	uint32_t count, size;         /* states; before they were thinned out */
	uint32_t *start, joint;       /* arms by role; decisions */
	struct belief_arm *arms;
	struct decision *decisions; /* by joint decision, `at` NULL: not solved yet; NULL: the node is not open */
	double visits;
	uint32_t movers, mover, pending;
	bool solved;
	bool forced; /* nobody has a choice */
};

struct step {
	uint32_t node, joint;
};

/* A walk whose leaf waits for playouts, together with those of other walks: the circuit plays 64 at a time. */
struct belief_walk {
	size_t first, steps;   /* in the path */
	uint32_t leaf;         /* BELIEF_NONE: it came to an end */
	uint32_t start, drawn; /* states to play from */
};

struct mac_belief {
	const struct mac_options *o;
	struct game *g;
	struct arena arena;
	VEC(struct belief_node) nodes;
	struct table table; /* by content */
	VEC(uint64_t) keys;
	struct table told; /* what a role did and saw at a node: the joint decision */
	VEC(struct {
		uint64_t key;
		uint32_t joint;
	}) ways;
	const struct symmetry *symmetry;
	struct model *model; /* with percepts; NULL: the circuit solves the rounds */
	enum model_method method;
	struct model_round round;
	struct clairvoyant_bound *bound;
	bool secret;   /* a role's moves depend on what the others cannot know: no common belief */
	bool rivals;   /* some end is worth more to one role than to another */
	bool assumed;  /* that all know all decisions, though what is seen does not tell */
	uint32_t root; /* of the last search */
	/* scratch */
	VEC(uint64_t) states, next, legal, seen, image;
	VEC(uint32_t) moves, arms;
	VEC(double) p;
	VEC(uint8_t) terminal;
	VEC(int) goals;
	VEC(struct seen_class {
		uint64_t key;
		uint32_t first;
	}) classes;
	VEC(struct step) path;
	VEC(struct belief_walk) walks;
	VEC(uint64_t) starts, played;
	VEC(uint64_t) lasting; /* the fluents that do not count steps */
	VEC(uint32_t) walk_of; /* by start */
};

/* The node of a belief, or of a symmetric one unless it must be `exact`; made when there is none. */
uint32_t mac_belief_node(struct mac_belief *x, struct seat *s, const uint64_t *states, const double *weight,
                         uint32_t count, bool exact);
/* Lists the moves of the roles: the same in all states, or somebody knows more than the others. */
void mac_belief_open(struct mac_belief *x, struct seat *s, uint32_t id);
/* An end is worth more to one role than to another. */
bool mac_belief_rivals(const struct mac_belief *x, const int *goals);
/* The arm of each role in a joint decision. */
void mac_belief_arms(const struct mac_belief *x, const struct belief_node *n, uint32_t joint, uint32_t *arms);
/* A belief that is too large for its table is thinned out, evenly by weight. */
void mac_belief_thin_out(struct mac_belief *x, struct seat *s, struct belief_node *n);
/* The conditional table of a joint decision: from each state and draw to what is seen and to the next belief. */
void mac_belief_solve(struct mac_belief *x, struct seat *s, uint32_t id, uint32_t joint);

#endif

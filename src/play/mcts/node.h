/* Inside the tree search: nodes, arms and how they are laid out. node.c makes
 * nodes and keeps the bounds, round.h says who does the rest. */
#ifndef PLAY_MCTS_NODE_H
#define PLAY_MCTS_NODE_H

#include "play/mcts/tree.h"

#include "base/arena.h"
#include "base/hash.h"

#include <assert.h>

#define NODE_NONE UINT32_MAX

/* A move of a role at a node. Sums are of that role's scores, in 0..1. */
struct arm {
	uint32_t move;
	float pending; /* walks under way: virtual losses */
	double visits, sum;
	float low, high; /* proved of the move where no other role has a choice, the mean over draws */
	float regret, policy;
	bool twin;       /* it leads where an arm before it leads: never chosen */
	bool infeasible; /* below a threshold (mac_chance.c): not chosen while others can show something */
};

/* All moves as first: the playouts below a node that contain a move, at any later step. */
struct amaf {
	float visits, sum;
};

struct node {
	uint64_t *state;
	float *low, *high; /* by role, 0..1 */
	double *sum;       /* by role, of all evaluations */
	double visits;
	struct arm *arms;  /* role r: arms[start[r] .. start[r+1]) */
	uint32_t *start;   /* NULL: not opened yet */
	struct amaf *amaf; /* by move; NULL: none yet */
	double amaf_visits;
	uint32_t *child;   /* by joint index (see joint_index); NULL: they are too many */
	uint32_t joint;    /* number of joint moves; UINT32_MAX: too many to number */
	uint32_t distance; /* steps to the end on the way that proves the value */
	uint16_t movers;   /* roles with a choice, not counting `random` */
	uint16_t mover;    /* one of them */
	uint32_t met;      /* the number of the arms that led here last: see node_twins */
	uint32_t same;     /* 1 + the node that stands for this one and has its value; 0: itself */
	bool terminal, solved, expanded;
};

/* Of a walk down the tree. */
struct path_step {
	uint32_t node;
	uint32_t first_arm; /* into the numbers chosen: an arm for each role */
};

/* Arrays by role, one for each function that needs them: they are called millions of times. */
struct tree_scratch {
	uint32_t *open, *leaf, *regret, *bound; /* arms */
	uint32_t *start;                        /* of the moves; roles + 1 */
	double *value, *part;                   /* of a leaf; of one of its children */
	float *low, *high;
	VEC(float) worst; /* by arm */
};

struct tree {
	struct tree_options o;
	struct game *g;
	struct arena arena;
	struct table table;
	VEC(struct node) nodes;
	uint32_t root;
	bool opposed; /* two roles whose scores have always added up to 100 so far: what one has, the
	               * other has not, which makes their bounds much tighter */
	bool stale;   /* it was believed and is not so: bounds drawn from it are worthless */
	/* scratch for making children */
	VEC(uint64_t) from, next, legal;
	VEC(uint32_t) moves, which;
	VEC(uint8_t) terminal;
	VEC(int) goals;
	struct round *round;
	struct tree_scratch scratch;
	/* States that are equal by a symmetry share a node: writes the one that stands for all of
	 * them. Where another one is equal to it but for the roles' places, that one too, and
	 * returns which place each role takes there: proved values are taken over from it.
	 * NULL: there is none such. */
	const uint32_t *(*canonical)(void *context, const uint64_t *state, uint64_t *own, uint64_t *twin);
	void *canonical_context;
	VEC(uint64_t) canon;
	/* Opens a node that a walk has met, with all its children, or leaves it a leaf (false);
	 * `last`: the step that led there, NULL at the root. NULL: the circuit opens leaves as
	 * they are met. */
	bool (*solver)(void *context, struct seat *s, uint32_t node, const struct path_step *last);
	void *solver_context;
	uint32_t lanes;          /* playouts of a pass to fill, by the clock */
	uint64_t each;           /* playouts per leaf at least, by the clock */
	double walking, playing; /* seconds, lately */
	double round_seconds;    /* recent seconds per round on the clock; 0: none yet */
	bool slow;               /* rounds took long and were made narrow */
};

/* The node of a state, made when there is none. */
uint32_t node_find(struct tree *t, struct seat *s, const uint64_t *state, bool terminal, const int *goals);
/* The same without regard to symmetry: for the root, whose own moves are asked for. */
uint32_t node_find_exact(struct tree *t, struct seat *s, const uint64_t *state, bool terminal, const int *goals);
/* The node that stands for a node: states found to be symmetric share what is known of one of them. */
uint32_t node_stands(const struct tree *t, uint32_t id);
/* From now on `other` stands for the node: what is proved of either is known of both. */
void node_share(struct tree *t, uint32_t id, uint32_t other);
/* What the legal moves are, when that is known already; as in a struct view. */
void node_moves(struct tree *t, uint32_t n, const uint32_t *legal, const uint32_t *start);
/* An end, with these scores. */
void node_settle(struct tree *t, struct seat *s, struct node *n, const int *goals);
/* Looks at the legal moves; a state in which some role has none counts as an end. */
void node_open(struct tree *t, struct seat *s, uint32_t n);
/* The same with the legal moves already known, as bits. */
void node_open_row(struct tree *t, struct seat *s, uint32_t n, const uint64_t *legal, const int *goals);
/* All children when they are not too many. */
#define NODE_EXPAND 256
void node_expand(struct tree *t, struct seat *s, uint32_t n);
/* All children of an opened node; `next`: their states by joint index, NULL: by the
 * circuit. The caller sees to it that they are not too many. */
void node_children(struct tree *t, struct seat *s, uint32_t n, const uint64_t *next);
/* Finds the arms of the mover of an expanded node that lead where others lead, whatever is drawn. */
void node_twins(struct tree *t, uint32_t n);
/* The scores of the two roles do not add up to 100 after all. */
void node_doubt(struct tree *t);
/* The child of a joint move, given as an arm number for each role. */
uint32_t node_child(struct tree *t, struct seat *s, uint32_t n, const uint32_t *arms);
/* Draws the bounds of a node from those of its children. True: they have changed. */
bool node_bound(struct tree *t, struct seat *s, uint32_t n);
/* The child that a role's arm leads to when nobody else has a choice, or NODE_NONE. */
uint32_t node_sole_child(const struct tree *t, const struct node *n, uint32_t role, uint32_t arm);

/* Virtual losses on the arms that a walk has chosen. */
void node_pending(struct tree *t, const struct path_step *steps, uint32_t count, const uint32_t *chosen, float by);

/* tree.c: bytes held. */
size_t tree_bytes(const struct tree *t);
/* choose.c: the arm to play at a node, counted over all roles. The most visited of
 * those that are open, as the search has gone there again and again; or the best of those
 * that are proved, when that is worth as much. */
uint32_t node_best_arm(const struct tree *t, const struct node *n, uint32_t role);

static inline uint32_t arm_count(const struct node *n, uint32_t role)
{
	return n->start[role + 1] - n->start[role];
}

static inline bool arm_proved(const struct arm *a)
{
	return a->high - a->low < 1e-5f;
}

/* Joint moves are numbered with the last role's arm running fastest. */
static inline uint32_t joint_index(const struct tree *t, const struct node *n, const uint32_t *arms)
{
	assert(n->mover < t->g->roles && n->movers <= t->g->roles);
	uint32_t i = 0;
	for (uint32_t r = 0; r < t->g->roles; r++)
		i = i * arm_count(n, r) + arms[r];
	return i;
}

static inline void joint_arms(const struct tree *t, const struct node *n, uint32_t index, uint32_t *arms)
{
	assert(n->mover < t->g->roles && n->movers <= t->g->roles);
	for (uint32_t r = t->g->roles; r--;) {
		arms[r] = index % arm_count(n, r);
		index /= arm_count(n, r);
	}
}

#endif

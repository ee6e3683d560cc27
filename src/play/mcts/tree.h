/* Monte Carlo tree search, the common part of uct, grave, cfr and the mac-ucb family.
 *
 * Nodes are states, found again through a table of hashes, so the tree is a graph
 * and lasts from move to move. Every role has its own arms at a node (decoupled
 * UCB where several roles choose at once; the role `random` draws uniformly).
 * Statistics stand on the arms, so a node reached by several ways counts in each
 * as often as it was reached that way.
 *
 * One round walks down several times with virtual losses, opens the leaves (all
 * children in one pass of the circuit), plays a batch of playouts from all of them
 * together, and backs up means. Beside the means every node carries proven bounds
 * of each role's score (score-bounded search, Cazenave and Saffidine 2010); they
 * meet when a subtree is solved. */
#ifndef PLAY_MCTS_TREE_H
#define PLAY_MCTS_TREE_H

#include "base/tuning.h"
#include "play/player.h"

/* For players that keep all-moves-as-first statistics. */
/* clang-format off: one row each */
#define TREE_TUNING(T, ...) \
	T(INT, amaf_every, "amaf-every", 4, 1, 4096, "playouts of a leaf of which one is looked at move by move", \
	  __VA_ARGS__) \
	T(REAL, amaf_share, "amaf-share", 0.1, 0, 1, \
	  "share of the differences between moves that such statistics must show", __VA_ARGS__)
struct tree_tuning {
	TREE_TUNING(TUNING_FIELD)
};
/* clang-format on */

struct tree_options {
	double c;                /* exploration, for scores in 0..1 */
	int64_t leaves;          /* per round */
	int64_t playouts;        /* per leaf (dealt among its children when `spread`) */
	int64_t threads;         /* of the playouts */
	int64_t memory;          /* MB for the tree */
	bool spread;             /* play from every child of a new leaf instead of the leaf */
	bool solve;              /* use the bounds */
	bool regret;             /* regret matching where several roles choose at once */
	double bias;             /* of all-moves-as-first statistics; 0: none are kept */
	double ref;              /* visits below which an ancestor's are used (GRAVE) */
	double mild;             /* 0: walks under way count as losses; 1: only as visits (Liu and others 2020) */
	int64_t expand;          /* visits after which all children of a node are made in one pass, ends found */
	struct tree_tuning tune; /* where there is a bias */
};

/* Rows of an option table for the fields of a struct tree_options. */
/* clang-format off: one row per line */
#define TREE_AT(f) offsetof(struct tree_options, f)
#define TREE_OPTIONS(c_, leaves_, playouts_) \
	{ \
		"c",        'c',      OPT_REAL,  TREE_AT(c), "X", "exploration constant, for scores in 0..1", \
		.real = c_, .min = 0, .max = 100}, \
		{"leaves",         0,        OPT_INT,    TREE_AT(leaves), "N", "walks down the tree per round", \
	     .whole = leaves_, .min = 1, .max = 4096}, \
		{"batch", \
	     0, \
	     OPT_INT, \
	     TREE_AT(playouts), \
	     "N", \
	     "playouts per leaf (by the clock: at least as many as fill a pass)", \
	     .whole = playouts_, \
	     .min = 1, \
	     .max = 1e6}, \
		{"threads", 0, OPT_INT, TREE_AT(threads), "N", "threads for the playouts", .whole = 1, .min = 1, .max = 256}, \
	{ \
		"memory", 0, OPT_INT, TREE_AT(memory), "MB", "memory limit of the tree in MB", .whole = 256, .min = 1, \
																					   .max = 1e6 \
	}

/* More such rows, for players that play from many leaves with few playouts each. */
#define TREE_OPTIONS_WIDE \
	{"mild",      0,        OPT_REAL, TREE_AT(mild), "X", "walks under way count as losses (0) or only as visits (1)", \
	 .real = 0.8, .min = 0, .max = 1}, \
	{ \
		"expand", 0, OPT_INT, TREE_AT(expand), "N", "visits after which all children of a node are made in one pass", \
			.whole = 8, .min = 0, .max = 1e9 \
	}
/* clang-format on */

struct tree;
struct tree *tree_new(struct seat *s, const struct tree_options *o);
void tree_free(struct tree *t);

/* Makes `state` the root: found again, or new. */
void tree_root(struct tree *t, struct seat *s, const uint64_t *state);
/* Rounds until the budget is spent or the root's value is proved. */
void tree_run(struct tree *t, struct seat *s, const struct budget *b);
/* The move to make at the root, with the reason in s->why. */
uint32_t tree_choose(struct tree *t, struct seat *s);

/* What is known about the role's score at the root, in 0..100. */
struct tree_value {
	double mean, low, high;
	double visits;
};
struct tree_value tree_value(const struct tree *t, uint32_t role);

/* Hooks of a player for analysis: from the arms of the root, and along the best ones. */
bool tree_values(void *tree, struct seat *s, const struct turn *turn, struct move_value *out);
bool tree_children(void *tree, struct seat *s, const struct turn *turn, uint32_t node, struct tree_children *out);
void tree_line(void *tree, struct seat *s, const struct turn *turn, uint32_t move, struct move_line *out);

/* The whole of tree_root, tree_run and tree_choose, for players that are no more
 * than that. */
uint32_t tree_move(void *tree, struct seat *s, const struct turn *t, const struct budget *b);
void *tree_make(struct seat *s);
void tree_release(void *tree);
void tree_start(void *tree, struct seat *s, const struct budget *b);

#endif

/* Inside the tree search: one round of it, from the walks down to what is backed up.
 * walk.c walks and opens leaves, tree.c plays from them, backup.c backs up. */
#ifndef PLAY_MCTS_ROUND_H
#define PLAY_MCTS_ROUND_H

#include "play/mcts/node.h"

/* A walk from the root to a leaf, and what was found there. */
struct walk {
	uint32_t first_step, steps; /* into round.steps */
	uint32_t leaf;
	uint32_t first_start, starts; /* into round.starts; none: the leaf's value is known */
	uint32_t group;               /* leaves with the same role to move are played together */
	bool spread;                  /* the starts are the leaf's children */
	bool stale_bounds;            /* bounds on the path are out of date */
	bool closed;                  /* the leaf is still to be made, or opened */
};

/* A playout's moves, for the walk that it belongs to. */
struct record {
	uint32_t walk, first, count; /* into round.played */
	uint32_t goals;              /* into round.goals */
};

struct round {
	VEC(struct walk) walks;
	VEC(struct path_step) steps;
	VEC(uint32_t) chosen; /* arm numbers, one per role and step */
	VEC(uint64_t) starts, batch;
	VEC(uint32_t) batch_of; /* start number in the batch -> in the round */
	VEC(double) value;      /* by start and role, 0..1 */
	VEC(double) count;      /* playouts by start */
	VEC(uint32_t) walk_of;  /* start -> walk */
	VEC(uint32_t) wanted;   /* nodes whose children are to be made */
	/* all moves as first */
	VEC(struct record) records;
	VEC(uint32_t) played;
	VEC(float) goals;      /* by role, 0..1 */
	bool amaf;             /* kept and used */
	double spread, common; /* of means at roots, and what the statistics had of it */
};

/* From the root to a leaf, with a virtual loss on the way. False: nothing more can be
 * learnt below the root. */
bool round_walk(struct tree *t, struct seat *s);
/* Makes and opens the leaves of all walks, and the children that are wanted, in one pass. */
void round_open(struct tree *t, struct seat *s);
/* Virtual losses on the way of a walk. */
void round_pending(struct tree *t, const struct walk *w, float by);
/* What a walk has brought, for all nodes on its way; its virtual losses go. */
void round_back_up(struct tree *t, struct seat *s, size_t walk);
/* move_stats.c: what the playouts of all walks say of moves, whenever they were made. */
void round_learn_moves(struct tree *t);
/* After a search: goes on with that only where it says something. */
void round_trust_amaf(struct tree *t);

#endif

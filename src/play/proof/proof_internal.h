/* What the files of the proof search share: positions in the making, and the table. */
#ifndef PLAY_PROOF_PROOF_INTERNAL_H
#define PLAY_PROOF_PROOF_INTERNAL_H

#include "play/proof/proof.h"

/* Proof numbers have 24 bits. NEVER in both: nothing can be proved from here, on this path. */
#define NEVER 0xffffffu
#define LARGEST (NEVER - 1)
#define CHECK_BITS ((UINT64_C(1) << 56) - 1) /* of what a position is told apart by */

#define NO_NODE UINT32_MAX

/* What is proved of a position: bounds of the score, and after how many steps at most the proof of each has come to
 * ends of the game. */
struct proved {
	uint8_t low, high, far_low, far_high;
};

struct node {
	uint64_t key, check; /* where in the table, and what must stand there */
	uint32_t pn, dn;     /* how much is needed to prove and to disprove the question, by estimate */
	uint32_t first;      /* its children in the stack; NO_NODE: not made */
	uint32_t count;      /* of them */
	struct proved is;
	bool max;     /* the role of the seat is to move */
	bool fresh;   /* pn and dn are guesses from the position itself */
	bool stopped; /* no proof can go on from here: both roles choose, or one cannot move, or there are too many moves */
};

/* ---- the table -------------------------------------------------------------------------------- */

/* Three of them fill a line of the cache. */
struct proof_entry {
	uint64_t check : 56, low : 8;
	uint64_t high : 8, pn : 24, dn : 24, ask : 8; /* pn and dn are about the question `ask` */
	uint16_t best;                                /* index of the move that proves the mover's bound */
	uint8_t far_low, far_high;
	uint8_t work : 6, age : 2; /* twice the logarithm of the visits below; at the last store */
} __attribute__((packed));

#define BUCKET 3

struct proof_bucket {
	struct proof_entry entries[BUCKET];
	uint8_t unused;
};

struct proof_table {
	void *memory;
	struct proof_bucket *buckets; /* in it, at a line of the cache */
	uint64_t mask;
	uint8_t age;
};

void proof_table_make(struct proof_table *t, size_t bytes);
void proof_table_free(struct proof_table *t);
struct proof_entry *proof_table_find(const struct proof_table *t, uint64_t key, uint64_t check); /* NULL: not there */
/* The place for a new entry: an empty one, or that of the least work. */
struct proof_entry *proof_table_place(struct proof_table *t, uint64_t key);

/* ---- the stack: positions on the path, their children and grandchildren, as a stack --------------- */

struct node_stack {
	struct game *game;
	uint32_t role, words, legal_words;
	uint32_t top, capacity;
	struct node *nodes;
	uint64_t *states, *legal; /* by node */
	uint64_t *live;           /* the fluents that matter, as a mask of states */
	/* the pairs of one pass: */
	uint64_t *from;
	uint32_t *moves;
	uint8_t *terminal;
	int *goals;
	uint64_t made;
	double per_word; /* seconds of a large pass, by word of its rows: states and legal moves */
};

#define PASS 1024 /* pairs at most; a position with more moves is left alone */

void stack_make(struct node_stack *a, struct seat *s, size_t bytes);
void stack_free(struct node_stack *a);
void stack_root(struct node_stack *a, struct seat *s, const uint64_t *state); /* node 0; the rest is dropped */
/* Words of the rows of so many nodes. */
size_t stack_words(const struct node_stack *a, size_t nodes);
/* The children of these nodes in one pass. False: there is no room. */
bool stack_expand(struct node_stack *a, struct seat *s, const uint32_t *parents, uint32_t count);
/* The k-th move of the role that is to move there. */
uint32_t stack_move(const struct node_stack *a, uint32_t node, uint32_t k);
void stack_hash(const struct node_stack *a, const uint64_t *state, uint64_t *key, uint64_t *check);

/* ---- the search ---------------------------------------------------------------------------------------- */

#define DEEPEST 512 /* steps of a path */
#define NO_BEST UINT16_MAX

struct proof {
	struct node_stack stack;
	struct proof_table table;
	int values[101]; /* the goals of the role, ascending */
	uint32_t value_count;
	uint64_t path[DEEPEST]; /* checks of the nodes that are being visited */
	uint32_t depth;
	uint8_t ask; /* the question: at least this? */
	const struct budget *budget;
	uint64_t made_limit, slice_end, first_slice;
	bool out, spent; /* of the slice; of the budget */
	uint64_t visits, proofs;
	uint64_t root; /* key of the last one */
	uint32_t parents[PASS];
};

/* What is proved of a node; NULL: nothing was stored. */
const struct proof_entry *proof_recall(const struct proof *p, struct node *n);
/* What follows for a node from what is proved of its children. Returns the index of the best one. */
uint32_t proof_bounds_of_children(const struct node_stack *a, const struct node *n, struct proved *out);
void proof_tighten(struct proved *to, struct proved by);
/* Works on the question `ask` about node 0 until it is settled, or cannot be, or p->out. */
void proof_search(struct proof *p, struct seat *s);

#endif

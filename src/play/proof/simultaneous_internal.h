/* What the files of the solver for simultaneous moves share. */
#ifndef PLAY_PROOF_SIMULTANEOUS_INTERNAL_H
#define PLAY_PROOF_SIMULTANEOUS_INTERNAL_H

#include "play/proof/matrix_game.h"
#include "play/proof/simultaneous.h"

#define DEEPEST 250 /* steps of a path */

/* The questions: does the first role get all that can be had, does it get no more than the least, what does it get? */
enum ask { ASK_MOST, ASK_LEAST, ASK_VALUE, ASKS };

struct question {
	enum ask ask;
	/* ASK_VALUE: whether less than this, or more, does not matter; how far bounds may be apart that count as one */
	double low, high, apart;
};

/* ---- the table -------------------------------------------------------------------------------- */

/* Bounds are kept in parts of a point that hold whole points exactly; others are rounded to the safe side. */
#define PARTS (1u << 25)

struct value_entry {
	uint64_t check;     /* 0: empty */
	uint32_t low, high; /* in PARTS */
	uint8_t vain[ASKS]; /* by question: steps that were looked ahead without an answer */
	uint8_t work : 6, age : 2;
} __attribute__((packed));

#define VALUE_BUCKET 3

struct value_bucket {
	struct value_entry entries[VALUE_BUCKET]; /* 20 bytes each */
	uint32_t unused;
};

struct value_table {
	void *memory;
	struct value_bucket *buckets; /* in it, at a line of the cache */
	uint64_t mask;
	uint8_t age;
};

void value_table_make(struct value_table *t, size_t bytes);
void value_table_free(struct value_table *t);
struct value_entry *value_table_find(const struct value_table *t, uint64_t key, uint64_t check); /* NULL: not there */
struct value_entry *value_table_place(struct value_table *t, uint64_t key); /* for a new one: empty, or of least work */

/* ---- positions: those on the path with all that come after them, as a stack ------------------------------ */

#define MOST_JOINT 4096 /* joint moves of a position; one with more is left alone */

/* By position, one after another; those after one position are the rows and columns of a matrix. */
struct positions {
	uint64_t *state, *legal, *key, *check;
	double *low, *high;
	uint8_t *shut; /* nothing more is found out about it, this time */
	uint32_t top, capacity;
};

/* A position whose joint moves were made. */
struct spot {
	uint32_t at, first;     /* it, and the first one after it */
	uint32_t rows, columns; /* moves of the roles */
	uint32_t moves;         /* where they stand, those of the second role after those of the first */
};

struct simultaneous {
	struct game *game;
	uint32_t words, legal_words;
	uint64_t *live;     /* the fluents that matter, as a mask of states */
	double least, most; /* goals */
	struct positions p;
	struct value_table table;
	VEC(uint32_t) moves; /* of the positions on the path */
	uint32_t *history;   /* by move: how often it settled a question */
	struct matrix_room room;
	double *low_row, *low_column, *high_row, *high_column; /* strategies for the two matrices of a spot */
	double *other;                                         /* a matrix with some numbers replaced */
	/* of a pass: */
	uint32_t *joint;
	uint8_t *terminal;
	int *goals;
	const struct budget *budget;
	uint64_t made_limit, next_poll; /* positions made: the most, and at which the clock is looked at */
	bool spent, misfit;
	struct simultaneous_counters count;
};

/* Makes the positions after one. False: there are none, or too many, or no room. */
bool spot_open(struct simultaneous *q, struct seat *s, uint32_t at, struct spot *n);
void spot_close(struct simultaneous *q, const struct spot *n);
/* One position at the bottom of the stack. False: it is an end. */
bool positions_root(struct simultaneous *q, struct seat *s, const uint64_t *state);
/* What the table says of a position, taken over. */
struct value_entry *recall(struct simultaneous *q, uint32_t at);
/* Bounds that are not further apart are as good as one number. Positions after one must be known better than it by more
 * than its bounds are off by rounding and by the simplex method: then it is known where they are. */
#define SOLVED 1e-3
#define CLOSER 3e-6 /* by step */
/* What the matrices of lower and of upper bounds say about a spot; strategies go to low_row, low_column and so on. */
double spot_low(struct simultaneous *q, const struct spot *n);
double spot_high(struct simultaneous *q, const struct spot *n);
/* Searches the bottom of the stack, which is open. */
void search_root(struct simultaneous *q, struct seat *s, const struct spot *n);

#endif

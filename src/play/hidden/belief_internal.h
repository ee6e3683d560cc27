/* Inside of the belief: rows, and the step that makes rows from rows.
 *
 * A row is a state, the legal moves there as bits, and the view of each role (when
 * views are kept). Two rows are the same when all their words are. */
#ifndef PLAY_HIDDEN_BELIEF_INTERNAL_H
#define PLAY_HIDDEN_BELIEF_INTERNAL_H

#include "base/bits.h"
#include "play/hidden/belief.h"

/* What the role observed at the end of a step. */
struct observation {
	uint32_t move;  /* one's own; GAME_NONE: not known */
	uint64_t seen;  /* hash; only with a known move */
	uint64_t legal; /* hash of the moves one has now; 0: not known */
};

struct layer {
	VEC(uint64_t) rows;
	VEC(double) weight, sum; /* sum: of the weights up to and with this one */
};

typedef void found_fn(void *context, uint32_t from, const uint64_t *row, double p);

/* Pairs of a row and a joint move, gathered for a pass. */
struct pass {
	VEC(uint64_t) states, next, legal, seen;
	VEC(uint32_t) moves, from;
	VEC(double) p;
	VEC(uint8_t) terminal;
	uint64_t *row;
};

struct crowd;

struct belief {
	struct game *g;
	uint32_t role;
	bool begun;
	struct belief_options o;
	uint32_t words, legal_words, stride; /* of a row */
	VEC(struct observation) observed;
	uint64_t own;        /* key of one's own view */
	struct layer layer;  /* now */
	uint32_t base;       /* step of the last exact layer */
	struct layer start;  /* that layer, once sampling */
	struct crowd *crowd; /* NULL: exact */
	struct pass pass;
	struct table table;
	VEC(uint32_t) legal, first; /* of one row, by role */
};

static inline const uint64_t *row_legal(const struct belief *b, const uint64_t *row)
{
	return row + b->words;
}

static inline uint64_t *row_views(const struct belief *b, uint64_t *row)
{
	return row + b->words + b->legal_words;
}

/* The moves of a row into b->legal and b->first, one's own cut down to what was
 * observed. The number of joint moves; 0: some role has none. */
double belief_list(struct belief *b, const uint64_t *row, const struct observation *t);
/* Puts the joint move with this number down for the next pass. */
void belief_put(struct belief *b, const uint64_t *row, uint32_t from, uint64_t joint, double p);
/* Runs the pairs that were put down, and hands over the rows that agree with what
 * was observed. */
void belief_run(struct belief *b, struct worker *w, const struct observation *t, found_fn *found, void *context);
#define BELIEF_PASS 4096 /* pairs put down before a run */

void layer_finish(struct layer *l); /* weights to sum 1, and the sums */
size_t layer_draw(const struct layer *l, struct rng *rng);
void layer_free(struct layer *l);

struct crowd *crowd_new(struct belief *b);
void crowd_free(struct crowd *c);
/* From step `observed.n - 1` on; the layer of now is filled. False: empty. */
bool crowd_extend(struct belief *b, struct worker *w, struct rng *rng, const struct limit *l);

#endif

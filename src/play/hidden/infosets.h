/* Monte Carlo tree search over information sets (multiple-observer ISMCTS: Cowling,
 * Powley and Whitehouse 2012), for games with hidden information.
 *
 * Every walk starts from a state drawn from the belief. A node belongs to a role and
 * to what that role knows there: its view, and the moves it has. All states that look
 * alike to the role share the node, so a choice can depend on what will have been
 * seen by then and on nothing else; this is why a percept has a value here. Other
 * roles choose in nodes of their own, for themselves, by what they know.
 *
 * Where all roles know the same, what they know is a belief, and nodes belong to beliefs
 * (public_belief.h): this is a search of the stochastic game over beliefs. As soon as a walk
 * meets a secret, nodes belong to views again.
 *
 * Walks go in step, many in one pass of the circuit, and a batch of playouts follows
 * from where each of them met something new. */
#ifndef PLAY_HIDDEN_INFOSETS_H
#define PLAY_HIDDEN_INFOSETS_H

#include "play/hidden/belief.h"

struct infosets_options {
	double c;           /* exploration, for scores in 0..1 */
	int64_t walks;      /* per round */
	int64_t batch;      /* playouts per walk */
	int64_t memory;     /* MB */
	int64_t samples;    /* in the belief, where it is not exact */
	bool merge;         /* equal beliefs are one, where nobody has a secret: public_belief.h */
	double clairvoyant; /* one role: weight of the clairvoyant bound against playouts */
};

/* Rows of an option table for a struct infosets_options in `field`. */
/* clang-format off: one row per line */
#define INFOSETS_OPTIONS(type, field) \
	{"c",         'c',      OPT_REAL,  offsetof(type, field.c), "X", "exploration constant, for scores in 0..1", \
	 .real = 0.4, .min = 0, .max = 100}, \
		{"walks",     0,        OPT_INT,    offsetof(type, field.walks), "N", "walks down the tree per round", \
	     .whole = 64, .min = 1, .max = 4096}, \
		{"batch", 0, OPT_INT, offsetof(type, field.batch), "N", "playouts per walk", .whole = 4, .min = 1, .max = 1e6}, \
		{"memory",     0,        OPT_INT,   offsetof(type, field.memory), "MB", "memory limit of the tree in MB", \
	     .whole = 256, .min = 1, .max = 1e6}, \
		{"clairvoyant", 0, \
	     OPT_REAL,      offsetof(type, field.clairvoyant), \
	     "SHARE",       "one role: weight of the clairvoyant bound against playouts", \
	     .real = 0.95,  .min = 0, \
	     .max = 1}, \
		{"merge",   0, \
	     OPT_FLAG,  offsetof(type, field.merge), \
	     NULL,      "merge nodes with equal beliefs where all roles see the same", \
	     .whole = 1}, \
	{ \
		"samples", 0, OPT_INT, offsetof(type, field.samples), "N", "number of histories in a sampled belief", \
			.whole = BELIEF_SAMPLES, .min = 1, .max = 1e6 \
	}
/* clang-format on */

struct infosets;
struct infosets *infosets_new(struct seat *s, const struct infosets_options *o);
void infosets_free(struct infosets *x);
/* Takes in what the turn brought; must be called at every turn. False: the belief is empty. */
bool infosets_observe(struct infosets *x, struct seat *s, const struct turn *t, const struct budget *b);
void infosets_run(struct infosets *x, struct seat *s, const struct turn *t, const struct budget *b);
/* The move visited most, with the reason in s->why; GAME_NONE: nothing was learnt. */
uint32_t infosets_choose(struct infosets *x, struct seat *s, const struct turn *t);
/* What is known of the moves of the turn that was searched last. False: nothing. */
bool infosets_values(const struct infosets *x, const struct turn *t, struct move_value *out);

#endif

/* Monte Carlo graph search: the search of the default player.
 *
 * Nodes are states, found again through a table, so that ways that meet share what is known
 * below. Every role has its own arms at a node and chooses by UCB, where several choose at
 * once as enum mixed says, even draws for the role `random`. Beside its means a node
 * carries proved bounds of each role's score (Cazenave and Saffidine 2010).
 *
 * Each thread walks down several times with virtual losses, makes and opens the leaves in one
 * pass of the circuit, and hands them to a stream of playouts; what comes back is backed up
 * while other leaves are still played. Threads share the graph without locks. Its memory is
 * bounded: when it is full, what cannot be reached any more goes, then what was visited least. */
#ifndef PLAY_MCGS_MCGS_H
#define PLAY_MCGS_MCGS_H

#include "base/tuning.h"
#include "play/player.h"

/* clang-format off: one row each */
#define MCGS_TUNING(T, ...) \
	T(INT, counted_batch, "counted-batch", 4, 1, 4096, "playouts per leaf where playouts are counted and batch is 0", \
	  __VA_ARGS__) \
	T(INT, most_batch, "most-batch", 8, 1, 4096, "playouts per leaf at most, where they are balanced by cost", \
	  __VA_ARGS__) \
	T(INT, fill, "fill", 8, 1, 4096, "playouts per leaf at most, where lanes would be idle", __VA_ARGS__) \
	T(INT, young, "young", 8, 1, 1e6, "walks under way in a young tree; it has one more for two visits", __VA_ARGS__) \
	T(REAL, growth, "growth", 0.25, 0, 1, \
	  "exploration grows with this power of the visits of a node (0: with the root of their logarithm)", __VA_ARGS__) \
	T(REAL, first_spread, "first-spread", 0.3, 0.001, 1, "standard deviation of leaves until it is measured", \
	  __VA_ARGS__) \
	T(INT, spread_memory, "spread-memory", 4000, 1, 1e9, "leaves over which their standard deviation is measured", \
	  __VA_ARGS__) \
	T(INT, expand_most, "expand-most", 256, 0, 65536, "joint moves of a node whose children are all made, at most", \
	  __VA_ARGS__) \
	T(INT, expand_late, "expand-late", 64, 0, 1e9, \
	  "visits after which they are made where that has seldom been of use", __VA_ARGS__) \
	T(REAL, expand_useful, "expand-useful", 0.05, 0, 1, \
	  "share of such nodes with an end or two ways to one state below which it is seldom of use", __VA_ARGS__) \
	T(INT, habit_every, "habit-every", 16, 1, 1e9, "rounds after which the preferences of playouts are drawn anew", \
	  __VA_ARGS__) \
	T(INT, habit_most, "habit-most", 3, 0, 8, "how often a move can be halved by its habit", __VA_ARGS__) \
	T(REAL, habit_least, "habit-least", 0.03, 0, 1, \
	  "part of the score by which a move must do worse to be halved by its habit, at least", __VA_ARGS__) \
	T(REAL, habit_kept, "habit-kept", 0.5, 0, 1, \
	  "share of the statistics of moves that is kept from search to search", __VA_ARGS__) \
	T(INT, amaf_nodes, "amaf-nodes", 3, 1, 2000, "nodes of a walk that learn from the moves of one playout", \
	  __VA_ARGS__) \
	T(REAL, amaf_share, "amaf-share", 0.1, 0, 1, \
	  "share of the differences between moves that such statistics must show", __VA_ARGS__) \
	T(REAL, tail, "tail", 0.15, 0, 1, \
	  "mixed strategies: moves with less than this share of the best one's chance are not played", __VA_ARGS__) \
	T(REAL, kept, "kept", 0.3, 0.01, 1, "share of the memory that is kept at most when it is full", __VA_ARGS__) \
	T(REAL, share_every, "share-every", 0.2, 0.001, 1e6, "seconds between two letters to searches on other machines", \
	  __VA_ARGS__) \
	T(INT, share_visits, "share-visits", 16, 1, 1e9, "visits of a node that such letters tell of, at least", \
	  __VA_ARGS__)
struct mcgs_tuning {
	MCGS_TUNING(TUNING_FIELD)
};
/* clang-format on */

/* Where several roles choose at once, each walks by its own UCB (decoupled: Finnsson and Björnsson 2008) or by regret
 * matching, and the move is the most visited one or drawn from a mixed strategy. */
enum mixed {
	MIXED_NONE, /* UCB, the most visited one */
	MIXED_ROOT, /* UCB, drawn from an equilibrium of what the joint moves of the root are worth, if that is constant sum
	             */
	MIXED_TREE  /* regret matching, drawn from its average strategy */
};

struct mcgs_options {
	double c;        /* exploration, in standard deviations of what leaves are worth */
	int64_t batch;   /* playouts per leaf; 0: as many as cost about what finding the leaf costs */
	int64_t threads; /* that search; 0: one for each processor */
	int64_t memory;  /* MB; 0: a quarter of what is free */
	int64_t expand;  /* visits after which all children of a node are made in one pass, ends found */
	double mild;     /* 0: walks under way count as losses; 1: only as visits (Liu and others 2020) */
	int mixed;       /* enum mixed: where several roles choose at once */
	double bias;     /* of all-moves-as-first statistics (Gelly and Silver 2011); 0: none are kept */
	double ref;      /* visits below which an ancestor's are used (GRAVE: Cazenave 2015) */
	/* In playouts: standard deviations by which a move must do worse to be chosen half as often; 0: off. */
	double habit;
	double prior; /* visits that the statistics of a move over all playouts count for at a new arm; 0: none */
	int policy;   /* enum playout_policy: what the players of playouts see */
	struct mcgs_tuning tune;
};

/* Rows of an option table for the fields of a struct mcgs_options. */
/* clang-format off: one row per line */
#define MCGS_AT(f) offsetof(struct mcgs_options, f)
#define MCGS_OPTIONS \
	{"c",       'c',      OPT_REAL,  MCGS_AT(c), "X", "exploration, in standard deviations of the values of leaves", \
	 .real = 1, .min = 0, .max = 100}, \
		{"batch",    0,        OPT_INT,    MCGS_AT(batch), "N", "playouts per leaf (0: balanced by cost)", \
	     .whole = 0, .min = 0, .max = 4096}, \
		{"threads", 0, OPT_INT, MCGS_AT(threads), "N", "threads that search", .whole = 1, .min = 0, .max = 256}, \
		{"memory",        0,        OPT_INT, \
	     MCGS_AT(memory), "MB",     "memory limit of the tree in MB (0: a quarter of what is free)", \
	     .whole = 0,      .min = 0, .max = 1e6}, \
		{"expand",        0,        OPT_INT, \
	     MCGS_AT(expand), "N",      "visits after which all children of a node are made in one pass", \
	     .whole = 4,      .min = 0, .max = 1e9}, \
		{"mild",        0,        OPT_REAL, \
	     MCGS_AT(mild), "X",      "walks under way count as losses (0) or only as visits (1)", \
	     .real = 0.8,   .min = 0, .max = 1}, \
		{"mixed", \
	     0, \
	     OPT_CHOICE, \
	     MCGS_AT(mixed), \
	     "WHERE", \
	     "where several roles choose at once: mixed strategies nowhere, for the move to make, or in the whole tree", \
	     .whole = MIXED_ROOT, \
	     .choices = "none|root|tree"}, \
		{"bias",        0,        OPT_REAL, \
	     MCGS_AT(bias), "X",      "bias of the all-moves-as-first statistics (0: not used)", \
	     .real = 0.3,   .min = 0, .max = 1e3}, \
		{"ref",       0,        OPT_REAL,  MCGS_AT(ref), "N", "visits a node needs for statistics of its own", \
	     .real = 200, .min = 1, .max = 1e9}, \
		{"habit", \
	     0, \
	     OPT_REAL, \
	     MCGS_AT(habit), \
	     "X", \
	     "move bias: in playouts, a move that did worse by X standard deviations is chosen half as often (0: off)", \
	     .real = 0.5, \
	     .min = 0, \
	     .max = 100}, \
	{ \
		"prior", 0, OPT_REAL, MCGS_AT(prior), "N", \
			"visits that the statistics of a move over all playouts count for at a new arm", .real = 0, .min = 0, \
																							 .max = 1e6 \
	}
/* clang-format on */

struct mcgs;
struct evaluation;
struct mcgs *mcgs_new(struct seat *s, const struct mcgs_options *o);
void mcgs_free(struct mcgs *t);

/* From now on an evaluation says what leaves are worth beside the playouts, with this weight (0..1), and what arms may
 * be worth that were not tried. It must last; NULL: playouts alone. */
void mcgs_judge(struct mcgs *t, const struct evaluation *e, double weight);
/* What was proved elsewhere of a role's score (0..1) in a state that the search knows. */
void mcgs_prove(struct mcgs *t, const uint64_t *state, uint32_t role, double low, double high);
void mcgs_conclude(struct mcgs *t); /* for the root, from what was proved of its children */
/* Two roles do not always share 100 points: what was proved so far is forgotten with the next root. */
void mcgs_doubt(struct mcgs *t);

/* From now on the search shares what it learns near the root with others (play/company.h); `c` must last. */
struct company;
void mcgs_accompany(struct mcgs *t, const struct company *c);
void mcgs_tell(struct mcgs *t); /* what is new, at once */

/* Makes `state` the root: found again, or new. */
void mcgs_root(struct mcgs *t, struct seat *s, const uint64_t *state);
/* Searches until the budget is spent or the root's value is proved. */
void mcgs_run(struct mcgs *t, struct seat *s, const struct budget *b);
/* The move to make at the root, with the reason in s->why. */
uint32_t mcgs_choose(struct mcgs *t, struct seat *s);

/* What is known about the role's score at the root, in 0..100. */
struct mcgs_value {
	double mean, low, high;
	double visits;
};
struct mcgs_value mcgs_value(const struct mcgs *t, uint32_t role);

/* Hooks of a player for analysis: from the arms of the root, and along the best ones. */
bool mcgs_values(struct mcgs *t, struct seat *s, const struct turn *turn, struct move_value *out);
void mcgs_line(struct mcgs *t, struct seat *s, const struct turn *turn, uint32_t move, struct move_line *out);
bool mcgs_children(struct mcgs *t, struct seat *s, const struct turn *turn, uint32_t node, struct tree_children *out);

/* Seconds of the threads by what they did, over all searches so far. */
struct mcgs_times {
	double walk, open, play, back;
	uint64_t walks, steps, collisions, collections;
	double collecting; /* seconds */
};
struct mcgs_times mcgs_times(const struct mcgs *t);
size_t mcgs_bytes(const struct mcgs *t); /* of memory that it holds */

#endif

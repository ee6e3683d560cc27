/* The search of mac-ucb and fc-ucb ("General Game Playing with Stochastic CSP", Koriche,
 * Lagrue, Piette, Tabary): rounds are solved one at a time, the most promising first, and
 * playouts show which these are.
 *
 * A state is a µSCSP to be solved: its solutions, all of them, are the arms of a bandit
 * and lead to the next µSCSPs. Those that wait are the leaves of the tree of tree.h. The next
 * one is where upper confidence bounds lead from the root down, or, as Algorithm 3 of the
 * papers is written, the head of a list (mac_list.c). */
#ifndef PLAY_MAC_MAC_SEARCH_H
#define PLAY_MAC_MAC_SEARCH_H

#include "model/model.h"
#include "play/mcts/tree.h"

/* clang-format off: one row each */
#define MAC_TUNING(T, ...) \
	T(INT, wide, "wide", 2048, 1, 1e6, "solutions of a round that is stored, at most", __VA_ARGS__) \
	T(INT, first_check, "first-check", 32, 1, 1e9, \
	  "visits of a round before its solutions are tested against the threshold", __VA_ARGS__) \
	T(INT, belief_playouts, "belief-playouts", 4, 1, 4096, "hidden states: playouts from a belief", __VA_ARGS__) \
	T(REAL, clairvoyant, "clairvoyant", 0.95, 0, 1, \
	  "hidden states, one role: weight of the clairvoyant bound against playouts", __VA_ARGS__)
/* Of symmetries of rounds, in mac-ucb-sym. */
#define MAC_SYMMETRY_TUNING(T, ...) \
	T(INT, first_look, "first-look", 32, 1, 1e9, \
	  "visits of a round before its joint moves are compared with the threshold", __VA_ARGS__) \
	T(INT, fruitless, "fruitless", 6, 1, 1e9, "rounds without symmetries before half as much is spent on them", \
	  __VA_ARGS__) \
	T(REAL, least_symmetry, "least-symmetry", 0.0625, 0, 1, \
	  "part of the share for symmetries that is left while none are found", __VA_ARGS__) \
	T(INT, symmetry_joint, "symmetry-joint", 4096, 2, 1e6, \
	  "joint moves of a round that is searched for symmetries, at most", __VA_ARGS__) \
	T(INT, symmetry_edges, "symmetry-edges", 1048576, 1, 1e9, "edges of the graph of a round below the root, at most", \
	  __VA_ARGS__)
struct mac_tuning {
	MAC_TUNING(TUNING_FIELD)
	MAC_SYMMETRY_TUNING(TUNING_FIELD)
};
#define MAC_TUNING_STANDARD \
	{ \
		MAC_TUNING(TUNING_STANDARD) MAC_SYMMETRY_TUNING(TUNING_STANDARD) \
	}
/* Rows of an option table for a struct mac_options; none needs a comma behind. */
#define MAC_TUNING_ROWS \
	TREE_TUNING(TUNING_ROW, struct mac_options, tree.tune.) \
	MAC_TUNING(TUNING_ROW, struct mac_options, tune.)
/* clang-format on */

struct mac_options {
	struct tree_options tree; /* first: TREE_OPTIONS counts from here. `expand`: a round with fewer visits waits */
	double solve;             /* share of the clock for solving */
	double ahead;             /* share of the clock for rounds that no walk has asked for yet */
	double symmetry;          /* share of the clock for symmetries, of mac-ucb-sym */
	bool rounds;              /* symmetries of rounds too, not of the rules only */
	int64_t least;            /* rounds that MAC should solve in a move, or the circuit does it */
	bool network;
	int translation; /* enum model_translation */
	int search;      /* down a tree, or from the head of a list, as Algorithm 3 has it */
	bool simplify, split, sac, theta, confidence;
	bool common;     /* where the state is hidden: rounds over common beliefs (mac_belief.h) */
	int64_t beliefs; /* states of a belief there */
	double draws;    /* share of the draws that must not be below the threshold */
	struct mac_tuning tune;
};
enum mac_way { MAC_TREE, MAC_LIST };

struct mac_search;
struct mac_search *mac_search_new(struct seat *s, const struct mac_options *o);
void mac_search_free(struct mac_search *k);

/* Who solves the rounds from now on; NULL: the circuit. In either case, the same budget in
 * playouts and the same seed make the same tree. */
void mac_search_solver(struct mac_search *k, struct model *m, enum model_method method);
/* Symmetric states share what is known of them: see node.h. Set before the first root. */
void mac_search_symmetry(struct mac_search *k, void *context,
                         const uint32_t *(*canonical)(void *, const uint64_t *, uint64_t *, uint64_t *));
/* Symmetries of rounds are looked for, in the share `symmetry` of the clock; NULL: not any more. */
struct rounds;
void mac_search_rounds(struct mac_search *k, struct rounds *rounds);

void mac_search_root(struct mac_search *k, struct seat *s, const uint64_t *state);
void mac_search_run(struct mac_search *k, struct seat *s, const struct budget *b);
uint32_t mac_search_choose(struct mac_search *k, struct seat *s); /* the reason goes to s->why */
bool mac_search_values(struct mac_search *k, struct seat *s, const struct turn *t, struct move_value *out);
void mac_search_line(struct mac_search *k, struct seat *s, const struct turn *t, uint32_t move, struct move_line *out);
struct tree_value mac_search_value(const struct mac_search *k, uint32_t role);

#endif

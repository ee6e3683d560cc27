/* Inside the search of mac-ucb, after Algorithm 3 of "WoodStock" (Koriche and others): mac_search.c solves rounds
 * (lines 3 and 15), mac_chance.c has their chance part (lines 4 to 14) and what thresholds and confidence take from it,
 * mac_list.c the list of problems that wait (lines 1, 2, 16 to 26). Of mac-ucb-sym ("Programmation par contraintes
 * stochastiques pour le General Game Playing avec informations incomplètes"): mac_nogoods.c keeps joint moves below the
 * threshold, mac_symmetry.c looks for symmetries of solved rounds. */
#ifndef PLAY_MAC_MAC_INTERNAL_H
#define PLAY_MAC_MAC_INTERNAL_H

#include "play/mac/mac_search.h"
#include "play/mcts/round.h"
#include "symmetry/round.h"

/* Joint moves below the threshold, by node. */
struct mac_nogoods {
	VEC(struct nogood {
		uint32_t node, joint;
		uint32_t before; /* 1 + another one of the node; 0: none */
		float upper;     /* what the one who moves has, with confidence */
	}) all;
	VEC(uint32_t) last; /* by node: 1 + one of them; 0: none */
	VEC(float) look_at; /* by node: visits at which its joint moves are compared again */
};

/* What the symmetries of rounds have cost. */
struct mac_round_work {
	VEC(bool) looked;          /* by node */
	double spent, edges;       /* in this run: seconds; edges of graphs */
	double usual, usual_edges; /* of one round, lately */
	double visits;             /* that a round needs at present */
	uint64_t playouts;         /* when the run began */
	uint32_t fruitless;        /* rounds since symmetries were last found */
};

struct mac_search {
	struct mac_options o;
	struct tree *tree;
	struct model *model;
	enum model_method method;
	struct model_round round;
	const struct budget *budget; /* of the run that is under way */
	double began, solving;       /* seconds: when it began, for solving since then */
	double now;                  /* at the last look at the clock */
	uint32_t looks;              /* at `now` since then */
	double due;                  /* visits after which a leaf is solved, by the clock */
	double solving_ahead;        /* the part of it for rounds that no walk has asked for */
	double theta;                /* what every role has at least by the best policy known */
	VEC(uint64_t) next;          /* scratch */
	VEC(uint32_t) legal, first, arms;
	/* the list of problems that wait: a heap, the most promising first */
	VEC(struct waiting_round {
		double value;
		uint32_t node;
	}) list;
	VEC(struct way_up {
		uint32_t node, joint;
	}) up; /* by node: what it was first reached from; NODE_NONE: not by the list */
	/* the chance part */
	struct table solved; /* chance parts by their shape */
	VEC(struct chance_shape {
		uint32_t decisions, draws;
		bool feasible;
	}) shapes;
	VEC(float) check_at;                                   /* by node: visits at which its solutions are tested again */
	VEC(struct left_out { uint32_t node, arm; }) left_out; /* solutions taken out of feasibility constraints */
	/* of mac-ucb-sym */
	struct rounds *rounds; /* NULL: no symmetries of rounds are looked for */
	struct mac_nogoods nogoods;
	struct mac_round_work symmetry;
};

/* What a role can expect at a node, in 0..1, within what is proved. */
double mac_value(const struct node *n, uint32_t role);

/* mac_search.c: solves the round of a node by whoever does that now, and counts it; the caller counts the time, from
 * `began` on the clock of mac_seconds(). */
void mac_solve_round(struct mac_search *k, struct seat *s, uint32_t id);
void mac_set_threshold(struct mac_search *k); /* by what is known at the root now */
void mac_count_solving(struct mac_search *k, struct seat *s, double began);
double mac_seconds(const struct mac_search *k);
bool mac_has_time(struct mac_search *k, double spent, double share); /* was no more than that spent yet? */

/* mac_chance.c */
/* Lines 4 to 14: the chance part of the round at hand, by stochastic forward checking. False: no decision is feasible.
 */
bool mac_chance_part(struct mac_search *k, struct seat *s);
/* Takes solutions of a solved round out of its feasibility constraint: those that are exhausted and below the
 * threshold, and those of which too many draws are below it even with confidence. */
void mac_chance_prune(struct mac_search *k, struct seat *s, uint32_t id);
void mac_chance_restore(struct mac_search *k); /* puts all of them back: the threshold is another one */

/* mac_nogoods.c */
void mac_nogoods_look(struct mac_search *k, struct seat *s,
                      uint32_t id);          /* of a solved round, where it is time for that */
void mac_nogoods_drop(struct mac_search *k); /* those that the threshold has fallen below */
void mac_nogoods_forget(struct mac_search *k);
void mac_nogoods_keep(struct mac_search *k, struct seat *s, uint32_t node, uint32_t joint, float upper);
/* To a symmetric state, where each move of the game has the number move_to[move]. */
void mac_nogoods_carry(struct mac_search *k, struct seat *s, uint32_t from, uint32_t to, const uint32_t *move_to);
/* At most `most` of a node, a move for each role; returns their number. */
size_t mac_nogoods_of(const struct mac_search *k, uint32_t id, uint32_t *joint, size_t most);

/* mac_symmetry.c */
void mac_symmetry_begin(struct mac_search *k, const struct seat *s); /* a run */
void mac_symmetry_look(struct mac_search *k, struct seat *s,
                       uint32_t id); /* of a solved round, if it is worth it and has not been done */
void mac_symmetry_forget(struct mac_search *k);

/* mac_list.c */
void mac_list_add_children(struct mac_search *k, uint32_t id); /* they wait to be solved */
/* Solves problems from the head of the list until that has had its share of the clock, or solving on the whole. */
void mac_list_solve_ahead(struct mac_search *k, struct seat *s);
/* Algorithm 3 as it is written: the head of the list is solved, every solution is played from, and waits in turn. */
void mac_list_run(struct mac_search *k, struct seat *s, const struct budget *b);
uint32_t mac_list_choose(struct mac_search *k, struct seat *s); /* the best expected utility */

#endif

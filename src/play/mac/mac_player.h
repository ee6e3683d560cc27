/* MAC-UCB, FC-UCB and MAC-UCB-SYM: one player that differs in how rounds are solved, and in its options. */
#ifndef PLAY_MAC_MAC_PLAYER_H
#define PLAY_MAC_MAC_PLAYER_H

#include "play/mac/mac_belief.h"

void *mac_player_make(struct seat *s, enum model_method method); /* s->options: a struct mac_options */
void mac_player_start(void *self, struct seat *s, const struct budget *b);
uint32_t mac_player_move(void *self, struct seat *s, const struct turn *t, const struct budget *b);
void mac_player_free(void *self);
bool mac_player_values(void *self, struct seat *s, const struct turn *t, struct move_value *out);
uint32_t mac_player_believe(void *self, struct seat *s, const struct turn *t, const struct belief *belief,
                            const struct budget *b, double *share);
void mac_player_line(void *self, struct seat *s, const struct turn *t, uint32_t move, struct move_line *out);

#define MAC_DETAILS \
	"Rounds are solved best first: the chance part by stochastic forward checking, the hard part with the " \
	"feasibility " \
	"constraint that comes of it. Every solution is the arm of a bandit, playouts estimate it; exhausted subtrees " \
	"have exact values. Where the network does not fit, the circuit solves the rounds."

/* Rows of an option table for the fields of a struct mac_options. */
/* clang-format off: one row per line */
#define MAC_AT(f) offsetof(struct mac_options, f)
#define MAC_OPTIONS \
	TREE_OPTIONS(0.2, 32, 1), {"mild",      0, \
	                           OPT_REAL,    MAC_AT(tree.mild), \
	                           "X",         "walks under way count as losses (0) or only as visits (1)", \
	                           .real = 0.8, .min = 0, \
	                           .max = 1}, \
		{"expand",   0,        OPT_INT,   MAC_AT(tree.expand), "N", "visits of a round before it is solved", \
	     .whole = 1, .min = 0, .max = 1e9}, \
		{"bias",    0, \
	     OPT_REAL,  MAC_AT(tree.bias), \
	     "X",       "bias of the all-moves-as-first statistics (0: not used)", \
	     .real = 0, .min = 0, \
	     .max = 1e3}, \
		{"ref",      0,        OPT_REAL,  MAC_AT(tree.ref), "N", "visits a node needs for statistics of its own", \
	     .real = 50, .min = 0, .max = 1e9}, \
		{"ahead",       0,        OPT_REAL, \
	     MAC_AT(ahead), "SHARE",  "share of the clock for solving rounds that no walk has asked for yet", \
	     .real = 0,     .min = 0, .max = 1}, \
		{"least",       0,        OPT_INT, \
	     MAC_AT(least), "N",      "rounds per move that MAC must be able to solve; below that, the circuit solves them", \
	     .whole = 200,  .min = 0, .max = 1e9}, \
		{"network", 0, OPT_FLAG, MAC_AT(network), NULL, "solve with the constraint network, not with the circuit", \
	     .whole = 1}, \
		{"translation",           0,     OPT_CHOICE, \
	     MAC_AT(translation),     "WAY", "tables of the network: gates of the circuit, or rules of the rulesheet", \
	     .choices = "gates|rules"}, \
		{"simplify", 0, OPT_FLAG, MAC_AT(simplify), NULL, "simplify the network once: merge, unary, universal, sac", \
	     .whole = 1}, \
		{"search", \
	     0, \
	     OPT_CHOICE, \
	     MAC_AT(search), \
	     "WAY", \
	     "next round: down a tree by UCB1, or the head of a list (Algorithm 3 as published)", \
	     .choices = "tree|list"}, \
		{"split",   0, OPT_FLAG, MAC_AT(split), NULL, "solve the chance part apart, by stochastic forward checking", \
	     .whole = 1}, \
		{"theta", 0, OPT_FLAG, MAC_AT(theta), NULL, "leave out exhausted solutions below the threshold", .whole = 1}, \
		{"confidence",       0,    OPT_FLAG, \
	     MAC_AT(confidence), NULL, "leave out solutions with too many draws below the threshold, with confidence", \
	     .whole = 1}, \
		{"common",       0,    OPT_FLAG, \
	     MAC_AT(common), NULL, "hidden states: rounds over common beliefs where all roles see the same, not a vote", \
	     .whole = 1}, \
		{"beliefs",    0,        OPT_INT,   MAC_AT(beliefs), "N", "states of a belief in such a round, at most", \
	     .whole = 512, .min = 1, .max = 1e6}, \
	{ \
		"draws", 0, OPT_REAL, MAC_AT(draws), "SHARE", "share of the draws that must not be below it", \
			.real = 0.5, .min = 0, .max = 1 \
	}
/* clang-format on */

#endif

/* A game as a constraint network: one round in variables and tables (the µSCSP of "General Game Playing with Stochastic
 * CSP", Koriche, Lagrue, Piette, Tabary).
 *
 *     macaw_network *n = macaw_network_make(g, NULL, &error);
 *     macaw_round round;
 *     if (macaw_network_solve(n, MACAW_ROUND_MAC, macaw_position_initial(g), &round))
 *         printf("%zu joint moves\n", round.count);
 *     macaw_network_free(n);
 *
 * Variables: `terminal`, a score and an action for each role (the action of chance is the stochastic one), the groups
 * of fluents now and after the round, and auxiliaries that follow from these. The network is built once; a position is
 * put in by fixing the variables of now. The solutions of a round are then exactly the legal joint moves with their
 * successors. It is about positions that can be reached: groups of fluents that exclude one another are proved for
 * these.
 *
 * A network belongs to one thread at a time and holds on to the game. */
#ifndef MACAW_NETWORK_H
#define MACAW_NETWORK_H

#include "macaw/position.h"
#include "macaw/scsp.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct macaw_network macaw_network;

#define MACAW_NETWORK_TUPLES 200 /* of a table, before auxiliary variables help */

/* Two ways from rules to tables: of the gates of the circuit, as large as they may be; or as published: a variable for
 * each relation of the rulesheet, a table for each rule. */
enum macaw_translation { MACAW_TRANSLATION_GATES, MACAW_TRANSLATION_RULES };

typedef struct macaw_network_options {
	uint32_t tuples;   /* most rows of a table; 0: MACAW_NETWORK_TUPLES */
	size_t memory;     /* bytes the network may take; 0: 1 GB */
	bool keep;         /* the tables of large networks, too, for macaw_network_unroll */
	macaw_limit limit; /* for building it */
	enum macaw_translation translation;
	/* Bits of the passes of scsp.h: simplify the template once; it cannot be unrolled or printed then. */
	unsigned passes;
	bool percepts; /* a Boolean for each percept, with the tables of `sees`: it follows from position and actions */
} macaw_network_options;

/* NULL: the game has no circuit, or the network does not fit its bounds; the error names the relation, and
 * the rule with its line where one is to blame. */
MACAW_API macaw_network *macaw_network_make(macaw_game *g, const macaw_network_options *o, macaw_error *e);
MACAW_API void macaw_network_free(macaw_network *n);
MACAW_API macaw_game *macaw_network_game(const macaw_network *n);
/* Why the last call on this network that returned false did so. */
MACAW_API const macaw_error *macaw_network_error(const macaw_network *n);

typedef struct macaw_network_stats {
	uint32_t variables, auxiliary, max_domain, constraints;
	uint64_t tuples;
	uint32_t groups, booleans, constants; /* of fluents */
	double seconds, cpu_seconds, proof_seconds;
	uint64_t queries; /* proofs */
	uint32_t relations, max_relation,
		rules;         /* of the rulesheet: fluents count twice, now and next; the most instances of one */
	uint32_t percepts; /* that have a variable */
} macaw_network_stats;
MACAW_API macaw_network_stats macaw_network_statistics(const macaw_network *n);

/* What a pass removed from the template. */
MACAW_API macaw_removed macaw_network_removed(const macaw_network *n, unsigned pass);

/* ---- a round ---- */

/* Maintained arc consistency that starts from the last round, forward checking, and the former from nothing each time.
 */
enum macaw_round_method { MACAW_ROUND_MAC, MACAW_ROUND_FC, MACAW_ROUND_MAC_ANEW };

/* Arrays belong to the network and last until its next round. */
typedef struct macaw_round {
	bool terminal;
	const int *goals;      /* by role, of a terminal position; else MACAW_NO_GOAL (-1) */
	size_t count;          /* joint moves */
	const uint32_t *moves; /* one per role, joint move by joint move */
	const uint64_t *next;  /* successors, position by position */
	uint64_t nodes, propagations;
} macaw_round;
/* False: the position breaks a group of fluents, or the network is too large for FC. */
MACAW_API bool macaw_network_solve(macaw_network *n, enum macaw_round_method method, const uint64_t *position,
                                   macaw_round *round);

/* The same by hand: opens a level of macaw_network_csp and fixes the variables of now; false: the position breaks a
 * group or the network, and the level is closed again. macaw_network_release closes it. */
MACAW_API bool macaw_network_inject(macaw_network *n, const uint64_t *position);
MACAW_API void macaw_network_release(macaw_network *n);

/* The constraints themselves; belongs to the network. NULL: macaw_network_scsp has taken them. */
MACAW_API macaw_csp *macaw_network_csp(macaw_network *n);
/* Its variables; MACAW_NONE: no such role or group. */
MACAW_API uint32_t macaw_network_terminal(const macaw_network *n);
MACAW_API uint32_t macaw_network_action(const macaw_network *n, uint32_t role);
MACAW_API uint32_t macaw_network_score(const macaw_network *n, uint32_t role);
MACAW_API uint32_t macaw_network_groups(const macaw_network *n);
MACAW_API uint32_t macaw_network_now(const macaw_network *n, uint32_t group);
MACAW_API uint32_t macaw_network_after(const macaw_network *n, uint32_t group);
/* The Boolean that says whether value index `at` of chance's action is legal; MACAW_NONE: there is none. */
MACAW_API uint32_t macaw_network_chance_legal(const macaw_network *n, uint32_t at);
/* The move that value index `at` of a role's action stands for; MACAW_NONE: there is none. */
MACAW_API uint32_t macaw_network_move(const macaw_network *n, uint32_t role, uint32_t at);

/* ---- as a stochastic problem, and for people ---- */

/* Chance's table, soft goals, the order of a round. Takes the constraints over, also on failure: the network can
 * only report its numbers then. `position`: put in (NULL: none). Free the problem before the network: they share
 * memory, and a problem that ran out of it takes the network with it. So with macaw_network_unroll. */
MACAW_API macaw_scsp *macaw_network_scsp(macaw_network *n, const uint64_t *position, macaw_error *e);
/* Rounds from a position (not NULL) on, `stages` of them, in one problem. A game that ends earlier stays as it is;
 * goals count at the end of the last round. Needs the tables (macaw_network_options.keep, unless the network is small).
 */
MACAW_API macaw_scsp *macaw_network_unroll(macaw_network *n, const uint64_t *position, uint32_t stages, macaw_error *e);
/* Variables and tables, for people. NULL: too large for that. */
MACAW_API char *macaw_network_print(macaw_network *n, macaw_error *e);

#ifdef __cplusplus
}
#endif

#endif

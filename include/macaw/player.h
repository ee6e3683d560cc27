/* Players: made by the word the command line takes (`uct`, `uct:c=0.6`), for one role of one game.
 *
 *     macaw_player *p = macaw_player_new(g, role, "macaw", seed, &error);
 *     macaw_thought t;
 *     macaw_player_think(p, &(macaw_budget){.seconds = 1}, &t);
 *     puts(macaw_game_move(g, t.move));
 *     macaw_player_inform(p, joint_move);
 *
 * A player follows a match by itself: it begins in the initial position, and is informed of each joint move
 * (or, in a game with hidden information, of what its role sees). macaw_player_set puts it anywhere else. */
#ifndef MACAW_PLAYER_H
#define MACAW_PLAYER_H

#include "macaw/position.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct macaw_player macaw_player;

/* The kinds of players, in the order `macaw players` shows them; false: no more. */
typedef struct macaw_player_kind {
	const char *name, *summary, *details; /* details may be NULL */
	bool hidden; /* plays by what its role knows; the others vote over samples where the state is hidden */
} macaw_player_kind;
MACAW_API bool macaw_player_kind_at(size_t i, macaw_player_kind *out);

/* Options of a kind, in order; false: no more. */
typedef struct macaw_player_option {
	const char *name, *metavar, *help; /* metavar NULL: yes or no */
	char standard[32];                 /* the default as text */
	const char *choices;               /* "a|b|c", or NULL */
	double min, max;                   /* both 0: no bounds */
	bool tuning;                       /* steers the search: for sweeps rather than for everyday use */
} macaw_player_option;
MACAW_API bool macaw_player_option_at(size_t kind, size_t i, macaw_player_option *out);

/* NULL: an unknown name or option (MACAW_USAGE; the error suggests the nearest), no such role, or the role of chance.
 */
MACAW_API macaw_player *macaw_player_new(macaw_game *g, uint32_t role, const char *word, uint64_t seed, macaw_error *e);
MACAW_API void macaw_player_free(macaw_player *p);
MACAW_API const macaw_error *macaw_player_error(const macaw_player *p); /* why the last call returned false */

/* How much thinking is allowed. By the clock, the move is there before `seconds` are over: a player stops `margin`
 * seconds earlier. By count, about this number of playouts (nodes, for players that search without playouts): equal
 * seeds then give equal moves. */
typedef struct macaw_budget {
	double seconds;      /* 0 with playouts 0: one second */
	uint64_t playouts;   /* 0: by the clock */
	double margin;       /* seconds; 0: a fifth of the clock, 0.01 to 0.5 seconds; below 0: none */
	macaw_stop *stop;    /* NULL: nobody stops it */
	bool processor_time; /* the seconds are processor time of this process, of all its threads */
} macaw_budget;

/* Before the first move: prepares as long as it is useful, at most the whole budget. May be left out. */
MACAW_API bool macaw_player_start(macaw_player *p, const macaw_budget *b);
/* Thinks about the position while others choose and the role has one move only, so that the next answer is a better
 * one; ends with the budget or when it is stopped. Players that have no use for it return at once. */
MACAW_API bool macaw_player_ponder(macaw_player *p, const macaw_budget *b);

#define MACAW_ONLY_MOVE "the only move" /* the reason where there is no choice */

/* What is known of a move; how much depends on the player. */
typedef struct macaw_move_value {
	uint32_t move;
	double value;     /* expected score of the role, 0 to 100; below 0: not known */
	double low, high; /* proved bounds of it; 0 and 100 where nothing is */
	uint64_t visits;  /* playouts or positions spent on it; 0: not known */
	double share;     /* probability of being played; below 0: not known */
} macaw_move_value;

typedef struct macaw_thought {
	uint32_t move;
	const char *why; /* one line */
	double value;    /* of the move, as above */
	bool proved;     /* no other move is better, for certain */
	/* Of all legal moves of the role, best first: by share where the move is drawn; else the chosen one, then by value
	 * less what few visits leave uncertain. NULL: this player keeps none. */
	const macaw_move_value *values;
	uint32_t value_count;
	/* Expected course: joint moves, one number per role, beginning with this one; NULL: not known. */
	const uint32_t *line;
	uint32_t line_steps;
} macaw_thought;

/* Chooses a move. Arrays and texts of the thought belong to the player and last until its next call. False: the
 * position is terminal, the role has no move, or see macaw_player_error. */
MACAW_API bool macaw_player_think(macaw_player *p, const macaw_budget *b, macaw_thought *out);
/* The search tree of the last thought, as far as it was visited most: nodes after their parents, the first for the
 * position itself. False: this player keeps no tree, or the position has changed since. */
typedef struct macaw_tree_node {
	uint32_t parent;       /* of the first: 0, itself */
	const uint32_t *moves; /* the joint move that led to it, one number per role; NULL for the first */
	double value;          /* expected score of the player's role, 0 to 100; below 0: not known */
	double low, high;      /* proved bounds of it */
	uint64_t visits;
} macaw_tree_node;
typedef struct macaw_search_tree {
	const macaw_tree_node *nodes;
	uint32_t count;
} macaw_search_tree;
MACAW_API bool macaw_player_tree(macaw_player *p, uint32_t most, macaw_search_tree *out);
/* The best move at this moment, while macaw_player_think works: from any thread. Between thoughts the last move;
 * MACAW_NONE before the first. */
MACAW_API uint32_t macaw_player_ready(const macaw_player *p);

/* The match goes on by this joint move (one number per role). False: one of them is not legal (nothing has changed),
 * or see macaw_player_error. Not in games with hidden information. */
MACAW_API bool macaw_player_inform(macaw_player *p, const uint32_t *moves);
/* Hidden information: the move made in the player's name, what its role sees, and which moves it now has (none: the
 * end). False: one of these is no move of the role, or no percept. Not in other games. */
MACAW_API bool macaw_player_inform_seen(macaw_player *p, uint32_t own_move, const uint32_t *percepts,
                                        size_t percept_count, const uint32_t *legal, size_t legal_count);
/* Goes to another position, as after `step` moves; forgets what led to the old one. Not in games with hidden
 * information. */
MACAW_API bool macaw_player_set(macaw_player *p, const uint64_t *position, uint32_t step);

/* ---- several processes that search the same position ---- */

/* Searches in other processes, and how a player's search speaks with them; they share what they learn near the root
 * several times a second. All functions are called by the thread that thinks, and none may wait. */
typedef struct macaw_company {
	void *context;
	uint32_t neighbours; /* whom this search speaks with. The searches and their neighbours form a tree: no circles */
	/* Others are asked to search this position for so many seconds at most (0: until `end`), until another one begins
	 * or `end`. NULL for a player who was asked itself. */
	void (*begin)(void *context, const uint64_t *position, double seconds);
	void (*end)(void *context);
	/* What is new for a neighbour; without bytes: could it be sent now? False: no, and it need not be. */
	bool (*send)(void *context, uint32_t neighbour, const void *bytes, size_t size);
	/* The next that has come; the bytes last until the next call. False: none. */
	bool (*receive)(void *context, uint32_t *neighbour, const void **bytes, size_t *size);
} macaw_company;
/* False: this player thinks alone in this game. Copied. */
MACAW_API bool macaw_player_accompany(macaw_player *p, const macaw_company *c);
/* Searches a position of the game for another process that has asked, as long as the budget allows. */
MACAW_API bool macaw_player_assist(macaw_player *p, const uint64_t *position, const macaw_budget *b);

/* What a player has done since it was made. */
typedef struct macaw_counters {
	uint64_t moves, choices, playouts, nodes, hits, proven, rounds, nogoods;
	double seconds, playout_seconds, solve_seconds, symmetry_seconds;
	/* of mac-ucb and its kin: who solved the rounds, and what was left out */
	uint64_t by_network, by_circuit, by_list, feasible, sac, pruned_theta, pruned_confidence;
	/* of mac-ucb-sym: rounds searched for symmetries and rounds left out, nogoods that were constraints in these,
	 * automorphisms found, states that share the node of a symmetric one */
	uint64_t detected, skipped, constrained, symmetries, merged;
} macaw_counters;
MACAW_API macaw_counters macaw_player_counters(const macaw_player *p);

/* ---- players from outside ---- */

/* What somebody who is to move may know. Arrays last for the call. */
typedef struct macaw_turn {
	macaw_game *game;
	uint32_t role, step;      /* step 0: the first move */
	const uint64_t *position; /* NULL in a game with hidden information */
	const uint32_t *last;     /* the joint move that led here; NULL at step 0 and when hidden */
	const uint32_t *legal;    /* one's own moves, at least one */
	uint32_t legal_count;
	uint32_t own_last;    /* the move that was made in one's name; MACAW_NONE at step 0 */
	const uint32_t *seen; /* percepts of one's role; NULL at step 0 */
	uint32_t seen_count;
} macaw_turn;

/* A player in a shared library. The library defines one object,
 *
 *     MACAW_PLUGIN = {.version = MACAW_PLUGIN_VERSION, .make = make, .move = move};
 *
 * and its path is a word like that of a built-in player: `./mine.so`, or `./mine.so:depth=3` with options of its own
 * after the colon. A path has a slash or ends in .so, and neither commas nor colons in it. Every seat is a process of
 * its own (so the game needs a circuit): whoever crashes or never returns loses moves, not the match. The functions of
 * this library are there for it; it need not be linked with them. See examples/plugin.c. */
typedef struct macaw_plugin {
	uint32_t version; /* MACAW_PLUGIN_VERSION, as the header had it */
	/* For one role of one match; NULL: it cannot play, and `why` (room bytes) says so. May be NULL: then `self` is. */
	void *(*make)(macaw_game *g, uint32_t role, const char *options, uint64_t seed, char *why, size_t room);
	/* Before the first move, only with a start clock; may be NULL. */
	void (*start)(void *self, macaw_game *g, uint32_t role, const macaw_budget *b);
	/* A number of turn->legal before the budget is over; MACAW_NONE counts as late. `why` may be filled with one line.
	 */
	uint32_t (*move)(void *self, const macaw_turn *turn, const macaw_budget *b, char *why, size_t room);
	void (*count)(void *self, macaw_counters *out); /* what it has done so far, after each move; may be NULL */
} macaw_plugin;

#define MACAW_PLUGIN_VERSION 1
#define MACAW_PLUGIN_SYMBOL "macaw_plugin_player" /* the object's name */
#ifdef __cplusplus
#define MACAW_PLUGIN extern "C" __attribute__((visibility("default"))) const macaw_plugin macaw_plugin_player
#else
#define MACAW_PLUGIN __attribute__((visibility("default"))) const macaw_plugin macaw_plugin_player
#endif

#ifdef __cplusplus
}
#endif

#endif

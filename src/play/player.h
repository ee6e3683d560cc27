/* Players: who is to move gets the position and a budget and returns a move.
 *
 * A player is named by a word of the form `name` or `name:option=value:…`, is made
 * for one role of one game, and keeps what it has learnt from move to move. The
 * caller keeps the state of the match; a player is given the present state, or, in
 * a game with hidden information, only what its role may know. */
#ifndef PLAY_PLAYER_H
#define PLAY_PLAYER_H

#include "base/opt.h"
#include "game/game.h"

/* How much thinking is allowed. By the clock: the move must be out before the
 * limit's deadline; players stop a margin earlier by themselves. By count: about
 * this number of playouts, or of nodes for players that search without playouts; then
 * equal seeds give equal moves. */
struct budget {
	struct limit limit;
	uint64_t playouts; /* 0: by the clock */
	double margin;     /* seconds before the deadline at which to stop; 0: see default_margin(); below 0: none */
};

struct turn {
	uint32_t step;         /* 0: the first move */
	const uint64_t *state; /* now; NULL in a game with hidden information */
	const uint32_t *last;  /* the joint move that led here; NULL at step 0 and when hidden */
	const uint32_t *legal; /* one's own moves, at least one */
	uint32_t legal_count;
	uint32_t own_last;    /* the move that was made in one's name; GAME_NONE at step 0 */
	const uint32_t *seen; /* percepts of one's role; NULL at step 0 */
	uint32_t seen_count;
};

static inline bool turn_allows(const struct turn *t, uint32_t move)
{
	for (uint32_t i = 0; i < t->legal_count; i++)
		if (t->legal[i] == move)
			return true;
	return false;
}

/* What a player has done, in all and not only for its last move. */
#define PLAY_COUNTERS(C) \
	C(moves, "moves chosen") \
	C(choices, "of these, moves that had an alternative") \
	C(playouts, "playouts run") \
	C(nodes, "positions searched or stored") \
	C(hits, "positions found again in a table") \
	C(proven, "positions whose value was proved") \
	C(rounds, "batches, iterations or depths completed; rounds solved") \
	C(nogoods, "joint moves found below the threshold") \
	C(constrained, "of these, in rounds that were searched for symmetries: constraints of the round") \
	C(detected, "rounds that were searched for symmetries") \
	C(skipped, "rounds that were not: too large, or no time") \
	C(symmetries, "automorphisms found in them") \
	C(merged, "states that share the node of a symmetric one, by the symmetries of a round") \
	C(by_network, "rounds that the constraint network solved") \
	C(by_circuit, "rounds that the circuit solved") \
	C(by_list, "of all these, rounds that came from the head of a list, not down a tree") \
	C(feasible, "tuples of feasibility constraints") \
	C(sac, "values that singleton arc consistency removed") \
	C(pruned_theta, "solutions left out because they are exhausted and below the threshold") \
	C(pruned_confidence, "solutions left out because too many draws are below the threshold, with confidence")

struct counters {
#define C(name, what) uint64_t name;
	PLAY_COUNTERS(C)
#undef C
	/* thinking; the parts of it in playouts, in solving rounds and in looking for their symmetries */
	double seconds, playout_seconds, solve_seconds, symmetry_seconds;
};

struct choice {
	uint32_t move;
	const char *why; /* one line; lasts until the player's next move */
};

/* What is known of a legal move after player_move(); how much depends on the kind of player. */
struct move_value {
	uint32_t move;
	double value;     /* expected score of the role, 0..100; below 0: not known */
	double low, high; /* proved bounds of it; 0 and 100 where nothing is */
	double visits;    /* playouts or positions spent on it; 0: not known */
	double share;     /* probability of being played; below 0: not known */
};

/* Joint moves one after another, one number per role. */
struct move_line {
	uint32_t *at;
	size_t n, cap;
};

/* Nodes of a search tree, each after its parent; the first is the position that was asked about. */
struct tree_node {
	uint32_t parent;         /* of the first: itself */
	double value, low, high; /* of the player's role, as in a struct move_value */
	double visits;
};
struct search_tree {
	VEC(struct tree_node) nodes;
	VEC(uint32_t) moves; /* by node: the joint move that led to it, one number per role; of the first GAME_NONE */
};
void search_tree_free(struct search_tree *t);

/* What a player knows of the positions after one. */
#define TREE_ROOT UINT32_MAX
struct tree_children {
	VEC(struct tree_node) nodes; /* their parents do not matter */
	VEC(uint32_t) ids, moves;    /* what the player calls them; joint moves */
};

#define PLAY_LINE_STEPS 64 /* no line is longer */

#define PLAY_ONLY_MOVE "the only move" /* the reason where there is no choice */

struct player;
struct player_kind;
struct belief;

/* NULL with a message (unknown name or option, or a game it cannot play). */
struct player *player_make(struct game *g, uint32_t role, const char *word, uint64_t seed, struct text *error);
struct player *player_make_kind(const struct player_kind *kind, struct game *g, uint32_t role, const char *options,
                                uint64_t seed, struct text *error);
/* Says that there is no player of that name, and which one may be meant. */
void player_unknown(const char *name, size_t length, struct text *error);
void player_start(struct player *p, const struct budget *b); /* before the first move; may use all of it */
struct choice player_move(struct player *p, const struct turn *t, const struct budget *b);
/* After player_move(), with the same turn and the move that was made, or in a turn with one move only: thinks on about
 * what may follow, until the limit is reached; what it learns is there at the next move. Does nothing for players that
 * have no use for it. */
void player_ponder(struct player *p, const struct turn *t, uint32_t move, const struct budget *b);
/* After player_move(), with the same turn: what is known of t->legal[i] into out[i]. False: this
 * player keeps nothing; then only the moves are filled in. */
bool player_values(struct player *p, const struct turn *t, struct move_value *out);
/* Likewise: the course that is expected, beginning with `move`, which it chose. Empty: not known. */
void player_line(struct player *p, const struct turn *t, uint32_t move, struct move_line *out);
/* From now on the player's search keeps company with others, see play/company.h; `c` must last. False: this player
 * thinks alone. */
struct company;
bool player_accompany(struct player *p, const struct company *c);
/* For a player whom another one asks for company: searches a state of its game until the limit is reached. */
void player_assist(struct player *p, const uint64_t *state, const struct budget *b);
/* Likewise: the `most` nodes of its search tree that were visited most. False: this player keeps no tree. */
bool player_tree(struct player *p, const struct turn *t, uint32_t most, struct search_tree *out);
/* The best move known at this moment, for another thread while player_move() works;
 * between moves the last one made; GAME_NONE before the first. */
uint32_t player_ready(const struct player *p);
/* Holds a move ready until player_move() has a better one. */
void player_prepare(struct player *p, uint32_t legal);
/* Keeps the ready move there instead, where another process may look for it. */
void player_publish(struct player *p, _Atomic uint32_t *where);
const struct counters *player_counters(const struct player *p);
void player_free(struct player *p);

/* ---- for the files that hold a player each -------------------------------------- */

#include "base/rng.h"

/* What every player has; `options` is its filled option struct. */
struct seat {
	struct game *game;
	uint32_t role;
	struct worker *worker;
	struct rng rng;
	const void *options;
	struct counters count;
	struct text why;
	_Atomic uint32_t *ready; /* see seat_ready() */
};

/* For another thread to take when time is up: the best move so far. */
static inline void seat_ready(struct seat *s, uint32_t move)
{
	if (s->ready) /* a search on its own has nobody waiting */
		*s->ready = move;
}

struct player_kind {
	const char *name, *what;   /* one line */
	const char *details;       /* a few more, may be NULL */
	const struct opt *options; /* may be NULL */
	size_t options_size;
	bool hidden; /* plays by what its role sees; the others, where the state is hidden, vote over samples:
	                determinised.h */
	/* Where the state is hidden and the kind would vote: searches over beliefs itself. GAME_NONE: not this game, or
	 * somebody has a secret; then it votes. share: by legal move, what speaks for it. */
	uint32_t (*believe)(void *self, struct seat *s, const struct turn *t, const struct belief *belief,
	                    const struct budget *b, double *share);
	/* any may be NULL, except move */
	void *(*make)(struct seat *s);
	void (*start)(void *self, struct seat *s, const struct budget *b);
	uint32_t (*move)(void *self, struct seat *s, const struct turn *t, const struct budget *b);
	void (*free)(void *self);
	/* See player_ponder(). */
	void (*ponder)(void *self, struct seat *s, const struct turn *t, uint32_t move, const struct budget *b);
	/* See player_accompany() and player_assist(). False: not in this game. */
	bool (*accompany)(void *self, struct seat *s, const struct company *c);
	void (*assist)(void *self, struct seat *s, const uint64_t *state, const struct budget *b);
	/* For analysis, after move() with the same turn, where there was a choice. `out` holds "not known"
	 * for every legal move; false: nothing is. */
	bool (*values)(void *self, struct seat *s, const struct turn *t, struct move_value *out);
	/* Appends joint moves to `out`, the first with `move`. */
	void (*line)(void *self, struct seat *s, const struct turn *t, uint32_t move, struct move_line *out);
	/* Appends the visited children of a node, TREE_ROOT or one of the ids appended before. False: there is no tree of
	 * this turn. */
	bool (*children)(void *self, struct seat *s, const struct turn *t, uint32_t node, struct tree_children *out);
};

/* The players: one file in players/ for each, and one line in players/list.inc. */
#define P(name) extern const struct player_kind player_##name;
#include "play/players/list.inc"

#undef P

extern const struct player_kind *const player_kinds[];                  /* ended by NULL */
extern const struct opt player_common_options[];                        /* of every kind, beside its own */
const struct player_kind *player_find(const char *name, size_t length); /* NULL: none */

#endif

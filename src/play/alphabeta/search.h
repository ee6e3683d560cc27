/* Depth-first search by iterative deepening, the common part of minimax,
 * expectiminimax and alphabeta, and the endgame solver of macaw.
 *
 * The value of a state for one role: the role's best move, against the worst that
 * the others can do together once they know it (with more than two roles: the
 * paranoid assumption; with simultaneous moves: pessimistic), averaged over the
 * moves of `random`. At the horizon stands an estimate, from batches of playouts or
 * the middle of the scale. A value is exact when no estimate went into it. */
#ifndef PLAY_ALPHABETA_SEARCH_H
#define PLAY_ALPHABETA_SEARCH_H

#include "play/learn/evaluation.h"
#include "play/player.h"

enum search_chance { CHANCE_EXPECT, CHANCE_WORST };
enum search_multi { MULTI_PARANOID, MULTI_MAXN };
enum search_estimate { ESTIMATE_PLAYOUTS, ESTIMATE_LEARNT, ESTIMATE_MIDDLE };

#define SEARCH_DEEPEST 1000 /* horizon by default: none, for most games */

struct search_options {
	int64_t depth;    /* deepest horizon */
	int64_t table;    /* MB of remembered states; 0: none */
	int64_t playouts; /* of an estimate */
	int chance, estimate;
	int multi;                      /* more than two roles: all others are one enemy, or each wants its own (maxn.h) */
	bool prune;                     /* alpha-beta windows */
	bool order;                     /* killer and history ordering */
	int64_t quiet;                  /* extra depth for positions that are not quiet */
	int64_t forward;                /* look at no more than this many moves below the root (0: all) */
	struct evaluation_tuning learn; /* of the learnt estimate */
};

/* Rows of an option table for the fields of a struct search_options. */
/* clang-format off: one row per line */
#define SEARCH_AT(f) offsetof(struct search_options, f)
#define SEARCH_OPTIONS(chance_, estimate_) \
	{ \
		"depth",  'd',         OPT_INT, SEARCH_AT(depth), "N", "deepest horizon", .whole = SEARCH_DEEPEST, \
		.min = 1, .max = 10000}, \
		{"table",     0,        OPT_INT,   SEARCH_AT(table), "MB", "size of the transposition table in MB (0: none)", \
	     .whole = 32, .min = 0, .max = 1e5}, \
		{"batch",     0,        OPT_INT,   SEARCH_AT(playouts), "N", "playouts per estimate at the horizon", \
	     .whole = 16, .min = 1, .max = 1e6}, \
		{"chance", \
	     0, \
	     OPT_CHOICE, \
	     SEARCH_AT(chance), \
	     "HOW", \
	     "value of a chance node: the mean (expect) or the worst case (worst)", \
	     .whole = chance_, \
	     .choices = "expect|worst"}, \
	{ \
		"estimate", 0, OPT_CHOICE, SEARCH_AT(estimate), "HOW", \
			"estimate at the horizon: by playouts, a learnt evaluation (learnt), or half of the scale (middle)", \
			.whole = estimate_, .choices = "playouts|learnt|middle" \
	}
/* clang-format on */

/* What the last finished depth found of a move of the role at the root. */
struct root_value {
	uint32_t move;
	double value;
	bool exact;
	bool bound; /* pruned: the move is worth no more than that */
};

struct root_values {
	struct root_value *at;
	size_t n, cap;
};

struct search;
struct search *search_new(struct seat *s, const struct search_options *o);
void search_free(struct search *q);

struct search_result {
	uint32_t move; /* GAME_NONE: nothing was found in time */
	double value;  /* for the role, 0..100 */
	bool exact;
	bool sound;     /* exact, and the others had nothing better than to play against us */
	uint32_t depth; /* of the last horizon completed */
};

/* Deepens until the value is exact, the budget is spent or the depth is reached. */
struct search_result search_run(struct search *q, struct seat *s, const uint64_t *state, const struct budget *b);

uint32_t search_move(void *search, struct seat *s, const struct turn *t, const struct budget *b);
void *search_make(struct seat *s); /* with the seat's options, for players that are no more */
void search_release(void *search);
void search_start(void *search, struct seat *s, const struct budget *b);
bool search_values(void *search, struct seat *s, const struct turn *t, struct move_value *out);
/* Along the best moves in the table, as far as one role at a time has a choice. */
void search_line(void *search, struct seat *s, const struct turn *t, uint32_t move, struct move_line *out);

#endif

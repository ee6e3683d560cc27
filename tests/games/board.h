/* A game of games/ on the board: moves are made by name, and what comes of them
 * is asked for by name. A name that the game does not know fails the test. */
#ifndef TESTS_GAMES_BOARD_H
#define TESTS_GAMES_BOARD_H

#include "test.h"

#include "game/game.h"

struct board {
	const char *name;
	struct gdl_rules *rules;
	struct game *game;
	struct worker *worker;
	uint64_t *state;
	uint32_t *moves;  /* the last joint move, by role */
	uint64_t *before; /* the state it was made in */
};

struct board board_open(const char *name);
void board_close(struct board *t);
void board_reset(struct board *t); /* back to the beginning */

/* Makes joint moves, one after another, ended by NULL. Each is a list of moves,
 * "role: move" or just "move", separated by "&"; a move without a role belongs to
 * the one role for which it is legal, or to all of them. Roles without a move must
 * have exactly one legal. "-" stands for nothing to say. */
void board_play(struct board *t, ...) __attribute__((sentinel));

bool board_holds(struct board *t, const char *fluent);
bool board_legal(struct board *t, const char *role, const char *move);
uint32_t board_choices(struct board *t, const char *role); /* how many legal moves */
bool board_terminal(struct board *t);
int board_goal(struct board *t, const char *role);

/* Of the last joint move. */
bool board_saw(struct board *t, const char *role, const char *percept);
uint32_t board_percepts(struct board *t, const char *role);

/* Sequences of `depth` joint moves; one that ends earlier is not counted. */
uint64_t board_perft(struct board *t, uint32_t depth);

#define assert_holds(t, f) \
	do { \
		if (!board_holds(t, f)) \
			fail_msg("%s: %s does not hold", (t)->name, f); \
	} while (0)

#endif

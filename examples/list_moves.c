/* Lists the roles and moves of a game's first position and plays one move: a first look at the library.
 *
 *     cc list_moves.c $(pkg-config --cflags --libs macaw) -o list_moves
 *     ./list_moves tictactoe
 *
 * GAME is a file with rules in GDL, or the name of a game that came with Macaw. */
#include <macaw/position.h>
#include <macaw/worker.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whatever can go wrong is said in a macaw_error; its status is also fit to end a program with. */
static int fail(const char *what, const macaw_error *error)
{
	fprintf(stderr, "%s: %s\n", what, error->text);
	return (int)error->status;
}

static void list(const macaw_game *game, const macaw_view *view)
{
	for (uint32_t role = 0; role < macaw_game_roles(game); role++) {
		printf("%s may play\n", macaw_game_role(game, role));
		for (uint32_t i = view->start[role]; i < view->start[role + 1]; i++)
			printf("    %s\n", macaw_game_move(game, view->legal[i]));
	}
}

/* The first legal move of every role: moves are made by all roles together, and a role that has nothing to do
 * makes a move that says so, like `noop`. False: a role cannot move. */
static bool first_moves(const macaw_game *game, const macaw_view *view, uint32_t *moves)
{
	for (uint32_t role = 0; role < macaw_game_roles(game); role++) {
		if (view->start[role] == view->start[role + 1])
			return false;
		moves[role] = view->legal[view->start[role]];
		printf("%s plays %s\n", macaw_game_role(game, role), macaw_game_move(game, moves[role]));
	}
	return true;
}

/* Lists the moves there, plays the first ones and shows what holds afterwards; `moves` has room for one per role. */
static int list_and_play(macaw_game *game, macaw_worker *worker, uint64_t *position, uint32_t *moves)
{
	macaw_view view;
	if (!macaw_look(worker, position, &view))
		return fail("no answer", macaw_worker_error(worker));
	list(game, &view);
	if (view.terminal || !first_moves(game, &view, moves)) {
		printf("the game is over before it begins\n");
		return MACAW_OK;
	}
	if (!macaw_next(worker, position, moves, position))
		return fail("no answer", macaw_worker_error(worker));
	char *text = macaw_position_text(game, position);
	printf("then holds: %s\n", text ? text : "");
	macaw_free(text); /* a `char *` is yours, a `const char *` the game's */
	return MACAW_OK;
}

static int show(macaw_game *game)
{
	macaw_error error;
	macaw_worker *worker = macaw_worker_new(game, &error); /* scratch memory: one worker per thread */
	if (!worker)
		return fail("no worker", &error);

	/* A position is an array of words that belongs to you; a copy is a memcpy. */
	size_t bytes = macaw_position_words(game) * sizeof(uint64_t);
	uint64_t *position = malloc(bytes);
	uint32_t *moves = calloc(macaw_game_roles(game), sizeof *moves);
	int status = MACAW_MEMORY;
	if (position && moves) {
		memcpy(position, macaw_position_initial(game), bytes);
		status = list_and_play(game, worker, position, moves);
	}
	free(moves);
	free(position);
	macaw_worker_free(worker);
	return status;
}

int main(int count, char **words)
{
	if (count != 2) {
		fprintf(stderr, "usage: %s GAME\n\nLists the moves of the first position and plays one; try tictactoe.\n",
		        words[0]);
		return MACAW_USAGE;
	}
	macaw_error error;
	macaw_game *game = macaw_game_load(words[1], NULL, &error); /* NULL: the default options */
	if (!game)
		return fail(words[1], &error);
	int status = show(game);
	macaw_game_free(game);
	return status;
}

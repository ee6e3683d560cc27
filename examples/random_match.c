/* A random match, position by position: random_match [GAME]. */
#include <macaw/worker.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Plays from *p to the end. False: a role has no move, or the interpreter gave up. */
static bool play(macaw_worker *w, uint64_t *p, uint64_t seed)
{
	macaw_game *g = macaw_worker_game(w);
	uint32_t roles = macaw_game_roles(g), *moves = malloc(roles * sizeof *moves);
	macaw_view v;
	bool going = macaw_look(w, p, &v);
	while (going && !v.terminal) {
		going = macaw_random_moves(g, &v, &seed, moves);
		for (uint32_t r = 0; r < roles && going; r++)
			printf("%s%s", macaw_game_move(g, moves[r]), r + 1 < roles ? " " : "\n");
		going = going && macaw_next(w, p, moves, p) && macaw_look(w, p, &v);
	}
	for (uint32_t r = 0; r < roles && going; r++)
		printf("%s: %d\n", macaw_game_role(g, r), v.goals[r]);
	free(moves);
	return going;
}

int main(int argc, char **argv)
{
	macaw_error error = {0};
	macaw_game *g = macaw_game_load(argc > 1 ? argv[1] : "tictactoe", NULL, &error);
	macaw_worker *w = g ? macaw_worker_new(g, &error) : NULL;
	bool done = false;
	if (w) {
		size_t bytes = macaw_position_words(g) * sizeof(uint64_t);
		uint64_t *p = malloc(bytes);
		memcpy(p, macaw_position_initial(g), bytes);
		done = play(w, p, 1);
		free(p);
		macaw_worker_free(w);
	}
	if (error.status)
		fprintf(stderr, "%s\n", error.text);
	macaw_game_free(g);
	return done ? 0 : 1;
}

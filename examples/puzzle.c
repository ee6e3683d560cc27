/* A game of one role, solved: puzzle [GAME]. */
#include <macaw/puzzle.h>

#include <stdio.h>

int main(int argc, char **argv)
{
	macaw_error error = {0};
	macaw_game *g = macaw_game_load(argc > 1 ? argv[1] : "buttons_and_lights_3", NULL, &error);
	macaw_plan *p = g ? macaw_puzzle_solve(g, &(macaw_puzzle_options){.limit.seconds = 10}, &error) : NULL;
	if (p) {
		printf("%d of at most %d%s\n", p->best, p->bound, p->proved ? ", proved" : "");
		for (size_t i = 0; i < p->steps; i++)
			printf("%s\n", macaw_game_move(g, p->moves[i]));
	} else {
		fprintf(stderr, "%s\n", error.text);
	}
	bool proved = p && p->proved;
	macaw_plan_free(p);
	macaw_game_free(g);
	return proved ? 0 : 1;
}

/* A game of two roles, solved: who_wins [GAME]. */
#include <macaw/outcome.h>

#include <stdio.h>

int main(int argc, char **argv)
{
	macaw_error error = {0};
	macaw_game *g = macaw_game_load(argc > 1 ? argv[1] : "tictactoe", NULL, &error);
	macaw_outcome *o = g ? macaw_outcome_new(g, 0, &error) : NULL;
	bool solved = o && macaw_outcome_solve(o, macaw_position_initial(g), (macaw_limit){.seconds = 60});
	for (uint32_t role = 0; o && role < 2; role++) {
		macaw_score_bounds b = macaw_outcome_bounds(o, macaw_position_initial(g), role);
		printf("%s is sure of %d, and of no more than %d\n", macaw_game_role(g, role), b.low, b.high);
	}
	if (!o)
		fprintf(stderr, "%s\n", error.text);
	macaw_outcome_free(o);
	macaw_game_free(g);
	return solved ? 0 : 1;
}

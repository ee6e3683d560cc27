/* A game as a constraint network: game_network [GAME]. Its legal joint moves are the solutions of one round. */
#include <macaw/network.h>

#include <stdio.h>

int main(int argc, char **argv)
{
	macaw_error error = {0};
	macaw_game *g = macaw_game_load(argc > 1 ? argv[1] : "tictactoe", NULL, &error);
	macaw_network *n = g ? macaw_network_make(g, NULL, &error) : NULL;
	macaw_round round;
	if (!n || !macaw_network_solve(n, MACAW_ROUND_MAC, macaw_position_initial(g), &round)) {
		fprintf(stderr, "%s\n", n ? macaw_network_error(n)->text : error.text);
		return 1;
	}
	macaw_network_stats s = macaw_network_statistics(n);
	printf("%u variables, %u constraints, %llu tuples\n", s.variables, s.constraints, (unsigned long long)s.tuples);
	for (size_t i = 0; i < round.count; i++)
		for (uint32_t r = 0; r < macaw_game_roles(g); r++)
			printf("%s%s", macaw_game_move(g, round.moves[i * macaw_game_roles(g) + r]),
			       r + 1 < macaw_game_roles(g) ? " " : "\n");
	macaw_network_free(n);
	macaw_game_free(g);
	return 0;
}

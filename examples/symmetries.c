/* Moves that are equivalent at the start: symmetries [GAME]. */
#include <macaw/symmetries.h>
#include <macaw/worker.h>

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	macaw_error error = {0};
	macaw_game *g = macaw_game_load(argc > 1 ? argv[1] : "tictactoe", NULL, &error);
	macaw_symmetries *s = g ? macaw_symmetries_find(g, (macaw_limit){.seconds = 10}, &error) : NULL;
	macaw_worker *w = s ? macaw_worker_new(g, &error) : NULL;
	macaw_view v;
	if (!w || !macaw_look(w, macaw_position_initial(g), &v)) {
		fprintf(stderr, "%s\n", error.text);
		return 1;
	}
	uint32_t *orbit = malloc(macaw_game_moves(g) * sizeof *orbit);
	macaw_symmetries_moves(s, macaw_position_initial(g), orbit);
	printf("%zu generators\n", macaw_symmetries_generators(s));
	for (uint32_t i = 0; i < v.start[macaw_game_roles(g)]; i++)
		printf("%s like %s\n", macaw_game_move(g, v.legal[i]), macaw_game_move(g, orbit[v.legal[i]]));
	free(orbit);
	macaw_worker_free(w);
	macaw_symmetries_free(s);
	macaw_game_free(g);
	return 0;
}

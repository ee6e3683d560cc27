/* symmetries [GAME]: what can be exchanged in a game without changing it, and which first moves are the same by that.
 */
#include <macaw/symmetries.h>
#include <macaw/worker.h>

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	macaw_error error;
	macaw_game *g = macaw_game_load(argc > 1 ? argv[1] : "tictactoe", NULL, &error);
	macaw_symmetries *s = g ? macaw_symmetries_find(g, (macaw_limit){.seconds = 10}, &error) : NULL;
	macaw_worker *w = s ? macaw_worker_new(g, &error) : NULL;
	uint32_t *orbit = g ? malloc(macaw_game_moves(g) * sizeof *orbit) : NULL;
	if (!w || !orbit) {
		fprintf(stderr, "%s\n", error.text);
		return 1;
	}
	double mantissa;
	int exponent;
	macaw_symmetries_order(s, &mantissa, &exponent);
	char *order = macaw_symmetries_order_text(mantissa, exponent);
	printf("%s symmetries\n", order);
	macaw_free(order);

	/* moves with the same number in orbit[] are equivalent at the start */
	const uint64_t *start = macaw_position_initial(g);
	macaw_view view;
	macaw_symmetries_moves(s, start, orbit);
	macaw_look(w, start, &view);
	for (uint32_t i = view.start[0]; i < view.start[1]; i++) {
		uint32_t move = view.legal[i];
		if (orbit[move] == move)
			printf("%s\n", macaw_game_move(g, move));
		else
			printf("%s is like %s\n", macaw_game_move(g, move), macaw_game_move(g, orbit[move]));
	}
	free(orbit);
	macaw_worker_free(w);
	macaw_symmetries_free(s);
	macaw_game_free(g);
	return 0;
}

/* The shortest use of the library: who wins tic-tac-toe at random? */
#include <macaw/macaw.h>

#include <stdio.h>

int main(void)
{
	macaw_error error;
	macaw_game *g = macaw_game_load("tictactoe", NULL, &error);
	macaw_playout_result *r = macaw_playouts(g, &(macaw_playout_job){.playouts = 100000}, &error);
	printf("x scores %.1f of 100\n", macaw_playout_score(r, 0, 0).mean);
	macaw_playout_result_free(r);
	macaw_game_free(g);
}

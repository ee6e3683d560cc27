/* Random playouts: playouts [GAME]. Shows the scores, and a flag that ends the job early. */
#include <macaw/playouts.h>

#include <stdio.h>

int main(int argc, char **argv)
{
	macaw_error error = {0};
	macaw_game *g = macaw_game_load(argc > 1 ? argv[1] : "tictactoe", NULL, &error);
	if (!g) {
		fprintf(stderr, "%s\n", error.text);
		return error.status;
	}
	macaw_stop stop = {0}; /* macaw_stop_now(&stop), from any thread, ends the job early */
	macaw_playout_job job = {.playouts = 10000, .threads = 2, .seed = 1, .limit = {.seconds = 10, .stop = &stop}};
	macaw_playout_result *r = macaw_playouts(g, &job, &error);
	if (r) {
		macaw_playout_totals t = macaw_playout_sum(r);
		printf("%llu playouts of %u to %u steps\n", (unsigned long long)t.playouts, t.shortest, t.longest);
		for (uint32_t role = 0; role < macaw_game_roles(g); role++) {
			macaw_score s = macaw_playout_score(r, 0, role);
			printf("%s: %.2f (%.2f to %.2f)\n", macaw_game_role(g, role), s.mean, s.low, s.high);
		}
		macaw_playout_result_free(r);
	}
	macaw_game_free(g);
	return r ? 0 : error.status;
}

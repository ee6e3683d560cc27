/* Steps of 10,000 positions in one call, and playouts, from C: what bench/python holds the Python module against.
 *
 *     bench-batch GAME SECONDS */
#include <macaw/macaw.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define POSITIONS 10000

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Positions of random matches with the joint moves made there. */
static void walk(macaw_game *g, macaw_worker *w, uint64_t *positions, uint32_t *moves)
{
	size_t words = macaw_position_words(g);
	uint32_t roles = macaw_game_roles(g);
	uint64_t seed = 1;
	const uint64_t *at = macaw_position_initial(g);
	for (size_t i = 0; i < POSITIONS; i++) {
		macaw_view view;
		if (!macaw_look(w, at, &view))
			exit(1);
		if (view.terminal) {
			at = macaw_position_initial(g);
			macaw_look(w, at, &view);
		}
		memcpy(positions + i * words, at, words * sizeof *at);
		macaw_random_moves(g, &view, &seed, moves + i * roles);
		if (i + 1 < POSITIONS)
			macaw_next(w, at, moves + i * roles, positions + (i + 1) * words);
		at = positions + (i + 1) * words;
	}
}

int main(int argc, char **argv)
{
	macaw_error error;
	double seconds = argc > 2 ? atof(argv[2]) : 1;
	macaw_game *g = argc > 1 ? macaw_game_load(argv[1], NULL, &error) : NULL;
	macaw_worker *w = g ? macaw_worker_new(g, &error) : NULL;
	if (!w)
		return 1;
	size_t words = macaw_position_words(g);
	uint64_t *positions = malloc((POSITIONS + 1) * words * sizeof *positions);
	uint64_t *next = malloc(POSITIONS * words * sizeof *next);
	uint32_t *moves = malloc((size_t)POSITIONS * macaw_game_roles(g) * sizeof *moves);
	if (!positions || !next || !moves)
		return 4;
	walk(g, w, positions, moves);
	macaw_batch batch = {.positions = positions, .moves = moves, .count = POSITIONS, .next = next};
	macaw_look_many(w, &batch);
	double began = now(), took = 0;
	long passes = 0;
	for (; took < seconds; took = now() - began, passes++)
		macaw_look_many(w, &batch);
	printf("step %.4f\n", 1e3 * took / (double)passes);
	began = now();
	macaw_playout_result *r = macaw_playouts(g, &(macaw_playout_job){.limit.seconds = seconds, .seed = 1}, &error);
	printf("playouts %.0f\n", (double)macaw_playout_sum(r).playouts / (now() - began));
	macaw_playout_result_free(r);
	free(positions);
	free(next);
	free(moves);
	macaw_worker_free(w);
	macaw_game_free(g);
	return 0;
}

/* Exact values of simultaneous moves in time: bench-simultaneous STEPS POSITIONS SECONDS MB GAME.kif... Random matches
 * give positions after so many steps, and the solver has so many seconds of the processor for each, with an empty
 * table. Printed for each position: the bounds of the first role's score, how long they took, positions made, and so
 * on. */
#include "play/proof/simultaneous.h"

#include "common.h"

#include <stdio.h>

static void measure(struct seat *s, const uint64_t *state, double seconds, size_t bytes)
{
	struct simultaneous *q = simultaneous_new(s, bytes);
	if (!q) {
		puts("not for this solver");
		return;
	}
	double began = clock_thread();
	simultaneous_run(q, s, state, &(struct budget){.limit = limit_seconds_of(CLOCK_OF_PROCESS, seconds)});
	struct simultaneous_bounds b = simultaneous_bounds(q, state);
	struct simultaneous_counters c = simultaneous_counters(q);
	printf("%10.6f..%10.6f %8.3f s, %llu positions, %llu visits, %llu matrices, %llu solved%s\n", b.low, b.high,
	       clock_thread() - began, (unsigned long long)c.nodes, (unsigned long long)c.visits,
	       (unsigned long long)c.matrices, (unsigned long long)c.solved,
	       simultaneous_fits(q) ? "" : ", scores do not add up to 100");
	fflush(stdout);
	simultaneous_free(q);
}

int main(int count, char **words)
{
	if (count < 6) {
		fprintf(stderr, "usage: bench-simultaneous STEPS POSITIONS SECONDS MB GAME.kif...\n");
		return 2;
	}
	for (int i = 5; i < count; i++) {
		struct bench_game g = bench_load(words[i]);
		struct seat s = {.game = g.game, .worker = worker_new(g.game), .rng = rng_seed(1)};
		uint64_t *state = mem_alloc(g.game->words, sizeof *state);
		puts(words[i]);
		if (g.game->roles == 2)
			for (int k = 0; k < atoi(words[2]); k++)
				if (bench_walk(&s, (uint32_t)atoi(words[1]), state))
					measure(&s, state, atof(words[3]), (size_t)atoi(words[4]) << 20);
		mem_free(state);
		worker_free(s.worker);
		bench_unload(&g);
	}
	return 0;
}

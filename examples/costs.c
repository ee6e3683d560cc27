/* Bytes of a game, of a position and of a worker: costs [GAME…]. A worker is measured by the memory limit that it fits.
 */
#include <macaw/worker.h>

#include <stdio.h>

static bool fits(macaw_game *g)
{
	const uint64_t *start = macaw_position_initial(g);
	macaw_worker *w = macaw_worker_new(g, NULL);
	uint8_t terminal;
	macaw_view v;
	bool done = w && macaw_look(w, start, &v) &&
	            macaw_look_many(w, &(macaw_batch){.positions = start, .count = 1, .terminal = &terminal});
	macaw_worker_free(w);
	return done;
}

/* The smallest limit under which a worker can be made and asked. */
static size_t worker_bytes(macaw_game *g)
{
	size_t low = 0, high = (size_t)1 << 32;
	while (low + 64 < high) {
		size_t middle = low + (high - low) / 2;
		macaw_memory_limit(middle);
		*(fits(g) ? &high : &low) = middle;
	}
	macaw_memory_limit(0);
	return high;
}

int main(int argc, char **argv)
{
	static const char *const standard[] = {"tictactoe", "connect_four", "chess"};
	printf("%-16s %10s %10s %10s\n", "", "game", "position", "worker");
	for (int i = 0; i < (argc > 1 ? argc - 1 : 3); i++) {
		macaw_error error;
		macaw_game *g = macaw_game_load(argc > 1 ? argv[i + 1] : standard[i], NULL, &error);
		if (!g) {
			fprintf(stderr, "%s\n", error.text);
			return error.status;
		}
		printf("%-16s %10zu %10zu %10zu\n", macaw_game_name(g), macaw_game_information(g).memory,
		       macaw_position_words(g) * sizeof(uint64_t), worker_bytes(g));
		macaw_game_free(g);
	}
	return 0;
}

/* How good is each first move? Random playouts from all positions that one move leads to, on all threads.
 *
 *     cc playouts.c $(pkg-config --cflags --libs macaw) -o playouts
 *     ./playouts tictactoe 100000 2
 *
 * The positions go to the library together: it plays hundreds of games at once in the bits of machine words. */
#include <macaw/playouts.h>
#include <macaw/worker.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The moves of the first role that has a choice, and the positions after them. */
struct choice {
	uint32_t role, count;
	uint32_t *moves;
	uint64_t *positions; /* one after another */
};

static void *need(void *memory)
{
	if (!memory) {
		fprintf(stderr, "out of memory\n");
		exit(MACAW_MEMORY);
	}
	return memory;
}

/* The other roles play their first legal move. False: nobody has a choice in the first position. */
static bool find_choice(macaw_game *game, macaw_worker *worker, struct choice *choice)
{
	uint32_t roles = macaw_game_roles(game);
	size_t words = macaw_position_words(game);
	const uint64_t *initial = macaw_position_initial(game);
	macaw_view view;
	if (!macaw_look(worker, initial, &view) || view.terminal)
		return false;
	while (choice->role < roles && view.start[choice->role + 1] - view.start[choice->role] < 2)
		choice->role++;
	if (choice->role == roles)
		return false;
	uint32_t first = view.start[choice->role];
	choice->count = view.start[choice->role + 1] - first;
	choice->moves = need(calloc(choice->count, sizeof *choice->moves));
	memcpy(choice->moves, view.legal + first, choice->count * sizeof *choice->moves);

	/* Successors of many positions in one pass: here of the same position, with a joint move each. */
	uint64_t *copies = need(calloc(choice->count * words, sizeof *copies));
	uint32_t *joint = need(calloc((size_t)choice->count * roles, sizeof *joint));
	choice->positions = need(calloc(choice->count * words, sizeof *choice->positions));
	for (uint32_t i = 0; i < choice->count; i++) {
		memcpy(copies + i * words, initial, words * sizeof *copies);
		for (uint32_t r = 0; r < roles; r++)
			joint[i * roles + r] = r == choice->role ? choice->moves[i] : view.legal[view.start[r]];
	}
	macaw_batch batch = {.positions = copies, .moves = joint, .count = choice->count, .next = choice->positions};
	bool done = macaw_look_many(worker, &batch);
	free(copies);
	free(joint);
	return done;
}

static void print_table(const macaw_game *game, const struct choice *choice, const macaw_playout_result *result)
{
	macaw_playout_totals sum = macaw_playout_sum(result);
	printf("%llu playouts in %.2f s\n\n", (unsigned long long)sum.playouts, sum.seconds);
	printf("%-30s %8s   %s\n", macaw_game_role(game, choice->role), "mean", "95% interval");
	for (uint32_t i = 0; i < choice->count; i++) {
		macaw_score s = macaw_playout_score(result, i, choice->role);
		printf("%-30s %8.2f   %.2f to %.2f\n", macaw_game_move(game, choice->moves[i]), s.mean, s.low, s.high);
	}
}

static int play(macaw_game *game, const struct choice *choice, uint64_t playouts, uint32_t threads)
{
	macaw_error error;
	macaw_playout_job job = {.starts = choice->positions,
	                         .start_count = choice->count,
	                         .playouts = playouts, /* dealt to the starts in turn */
	                         .threads = threads,
	                         .seed = 1};
	macaw_playout_result *result = macaw_playouts(game, &job, &error);
	if (!result) {
		fprintf(stderr, "%s\n", error.text);
		return (int)error.status;
	}
	print_table(game, choice, result);
	macaw_playout_result_free(result);
	return MACAW_OK;
}

int main(int count, char **words)
{
	long long playouts = count > 2 ? atoll(words[2]) : 100000;
	int threads = count > 3 ? atoi(words[3]) : 1;
	if (count < 2 || count > 4 || playouts < 1 || threads < 1) {
		fprintf(stderr,
		        "usage: %s GAME [PLAYOUTS [THREADS]]\n\nPlays at random after each first move; try connect_four.\n",
		        words[0]);
		return MACAW_USAGE;
	}
	macaw_error error;
	macaw_game *game = macaw_game_load(words[1], NULL, &error);
	macaw_worker *worker = game ? macaw_worker_new(game, &error) : NULL;
	if (!worker) {
		fprintf(stderr, "%s: %s\n", words[1], error.text);
		macaw_game_free(game);
		return (int)error.status;
	}
	struct choice choice = {0};
	int status = MACAW_OK;
	if (find_choice(game, worker, &choice))
		status = play(game, &choice, (uint64_t)playouts, (uint32_t)threads);
	else
		printf("nobody has a choice in the first position of %s\n", macaw_game_name(game));
	free(choice.moves);
	free(choice.positions);
	macaw_worker_free(worker);
	macaw_game_free(game);
	return status;
}

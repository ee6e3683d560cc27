/* All successors of a position in one pass: many_positions [GAME]. */
#include <macaw/worker.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Every joint move of the view in which the first role that has a choice tries all its moves and the
 * others make their first one. Returns how many there are. */
static size_t list_moves(uint32_t roles, const macaw_view *v, uint32_t **moves)
{
	uint32_t chooser = 0;
	while (chooser + 1 < roles && v->start[chooser + 1] - v->start[chooser] < 2)
		chooser++;
	size_t count = v->start[chooser + 1] - v->start[chooser];
	*moves = malloc(count * roles * sizeof **moves);
	for (size_t i = 0; i < count; i++)
		for (uint32_t r = 0; r < roles; r++)
			(*moves)[i * roles + r] = v->legal[v->start[r] + (r == chooser ? i : 0)];
	return count;
}

int main(int argc, char **argv)
{
	macaw_error error = {0};
	macaw_game *g = macaw_game_load(argc > 1 ? argv[1] : "connect_four", NULL, &error);
	macaw_worker *w = g ? macaw_worker_new(g, &error) : NULL;
	macaw_view v;
	if (!w || !macaw_look(w, macaw_position_initial(g), &v)) {
		fprintf(stderr, "%s\n", w ? macaw_worker_error(w)->text : error.text);
		return 1;
	}
	size_t words = macaw_position_words(g), legal_words = macaw_legal_words(g);
	uint32_t *moves;
	size_t n = list_moves(macaw_game_roles(g), &v, &moves);
	uint64_t *from = malloc(n * words * sizeof *from), *next = malloc(n * words * sizeof *next);
	uint64_t *legal = malloc(n * legal_words * sizeof *legal);
	uint8_t *terminal = malloc(n);
	for (size_t i = 0; i < n; i++)
		memcpy(from + i * words, macaw_position_initial(g), words * sizeof *from);

	macaw_batch batch = {
		.positions = from, .moves = moves, .count = n, .next = next, .terminal = terminal, .legal = legal};
	bool done = macaw_look_many(w, &batch);
	for (size_t i = 0; i < n && done; i++) {
		unsigned choices = 0;
		for (size_t k = 0; k < legal_words; k++)
			choices += (unsigned)__builtin_popcountll(legal[i * legal_words + k]);
		printf("%016llx: %s, %u legal moves\n", (unsigned long long)macaw_position_hash(g, next + i * words),
		       terminal[i] ? "terminal" : "goes on", choices);
	}
	free(moves);
	free(from);
	free(next);
	free(legal);
	free(terminal);
	macaw_worker_free(w);
	macaw_game_free(g);
	return done ? 0 : 1;
}

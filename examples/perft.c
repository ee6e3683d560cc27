/* perft [GAME [DEPTH]]: how many sequences of joint moves there are, depth by depth; the usual test of a move
 * generator.
 *
 * Walks through all of them, one position at a time: simple, and slow beside `macaw perft`, which looks at many
 * positions in one pass and counts equal ones once. */
#include <macaw/worker.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct perft {
	macaw_game *game;
	macaw_worker *worker;
	uint32_t roles;
	size_t words;
};

/* The next joint move, like an odometer: at[r] is a place in the moves of role r. False: that was the last one. */
static bool turn(uint32_t *at, const uint32_t *start, uint32_t roles)
{
	for (uint32_t r = 0; r < roles; r++) {
		if (++at[r] < start[r + 1])
			return true;
		at[r] = start[r];
	}
	return false;
}

/* A worker keeps its answer only until the next question, so what is needed of the view is copied. */
static unsigned long long count(struct perft *p, const uint64_t *position, int depth)
{
	macaw_view v;
	if (depth == 0)
		return 1;
	if (!macaw_look(p->worker, position, &v) || v.terminal)
		return 0;
	uint32_t roles = p->roles, total = v.start[roles];
	uint32_t *legal = malloc((total + 3 * roles + 1) * sizeof *legal), *start = legal + total, *at = start + roles + 1,
			 *moves = at + roles;
	uint64_t *next = malloc(p->words * sizeof *next);
	unsigned long long sum = 0;
	bool more = legal && next;
	if (more) {
		memcpy(legal, v.legal, total * sizeof *legal);
		memcpy(start, v.start, (roles + 1) * sizeof *start);
		memcpy(at, v.start, roles * sizeof *at);
	}
	for (uint32_t r = 0; r < roles && more; r++)
		more = start[r] < start[r + 1]; /* a role without moves: nothing follows */
	while (more) {
		for (uint32_t r = 0; r < roles; r++)
			moves[r] = legal[at[r]];
		macaw_next(p->worker, position, moves, next);
		sum += count(p, next, depth - 1);
		more = turn(at, start, roles);
	}
	free(legal);
	free(next);
	return sum;
}

int main(int argc, char **argv)
{
	macaw_error error;
	int depth = argc > 2 ? atoi(argv[2]) : 5;
	macaw_game *g = macaw_game_load(argc > 1 ? argv[1] : "tictactoe", NULL, &error);
	macaw_worker *w = g ? macaw_worker_new(g, &error) : NULL;
	if (!w) {
		fprintf(stderr, "%s\n", error.text);
		return 1;
	}
	struct perft p = {g, w, macaw_game_roles(g), macaw_position_words(g)};
	for (int d = 0; d <= depth; d++)
		printf("%2d %llu\n", d, count(&p, macaw_position_initial(g), d));
	macaw_worker_free(w);
	macaw_game_free(g);
	return 0;
}

/* A player of one's own against one of the library: own_player [GAME]. It looks one move ahead. */
#include <macaw/match.h>
#include <macaw/worker.h>

#include <stdio.h>
#include <stdlib.h>

/* A move that wins at once where the others have no choice; else any. */
static uint32_t move(void *self, const macaw_turn *t, const macaw_budget *b, char *why, size_t room)
{
	macaw_worker *w = self;
	uint32_t roles = macaw_game_roles(t->game), best = t->legal[0];
	uint64_t *next = malloc(macaw_position_words(t->game) * sizeof *next);
	uint32_t *moves = malloc(roles * sizeof *moves);
	macaw_view v;
	(void)b;
	for (uint32_t i = 0; i < t->legal_count && t->position && macaw_look(w, t->position, &v); i++) {
		for (uint32_t r = 0; r < roles; r++)
			moves[r] = v.legal[v.start[r]];
		moves[t->role] = t->legal[i];
		if (macaw_next(w, t->position, moves, next) && macaw_look(w, next, &v) && v.terminal && v.goals[t->role] == 100)
			best = t->legal[i];
	}
	snprintf(why, room, "looked at %u moves", t->legal_count);
	free(moves);
	free(next);
	return best;
}

int main(int argc, char **argv)
{
	macaw_error error = {0};
	macaw_game *g = macaw_game_load(argc > 1 ? argv[1] : "tictactoe", NULL, &error);
	macaw_worker *w = g ? macaw_worker_new(g, &error) : NULL;
	macaw_seat seats[] = {{.name = "greedy", .self = w, .move = move}, {.word = "uct"}};
	macaw_match_options o = {.playouts = 1000, .seed = 1};
	macaw_match *m = w ? macaw_match_play(g, seats, 2, &o, &error) : NULL;
	if (m)
		for (uint32_t r = 0; r < macaw_game_roles(g); r++)
			printf("%s (%s): %d after %u steps\n", macaw_game_role(g, r), macaw_match_player(m, r),
			       macaw_match_goal(m, r), macaw_match_steps(m));
	else
		fprintf(stderr, "%s\n", error.text);
	macaw_match_free(m);
	macaw_worker_free(w);
	macaw_game_free(g);
	return m ? 0 : 1;
}

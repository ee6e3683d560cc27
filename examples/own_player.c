/* A player of one's own in a match against one of the library: looks one step ahead by playouts.
 *
 *     cc own_player.c $(pkg-config --cflags --libs macaw) -o own_player
 *     ./own_player breakthrough_6x6 uct */
#include <macaw/match.h>
#include <macaw/playouts.h>
#include <macaw/worker.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct greedy {
	macaw_worker *worker;
	uint64_t seed;
};

/* One position after each of our moves, the others' moves drawn at random. NULL: out of memory. */
static uint64_t *positions_after(struct greedy *me, const macaw_turn *t)
{
	size_t words = macaw_position_words(t->game);
	uint64_t *all = malloc(t->legal_count * words * sizeof *all);
	uint32_t *moves = malloc(macaw_game_roles(t->game) * sizeof *moves);
	macaw_view view;
	bool fine = all && moves;
	for (uint32_t i = 0; i < t->legal_count && fine; i++) {
		fine = macaw_look(me->worker, t->position, &view) && macaw_random_moves(t->game, &view, &me->seed, moves);
		if (!fine)
			break;
		moves[t->role] = t->legal[i];
		fine = macaw_next(me->worker, t->position, moves, all + i * words);
	}
	free(moves);
	if (fine)
		return all;
	free(all);
	return NULL;
}

/* The move whose playouts have the best mean score. */
static uint32_t greedy_move(void *self, const macaw_turn *t, const macaw_budget *b, char *why, size_t room)
{
	struct greedy *me = self;
	double seconds = b->seconds > 0 ? 0.5 * b->seconds : 0.1;
	uint32_t best = 0;
	if (t->legal_count == 1 || !t->position)
		return t->legal[0];
	uint64_t *starts = positions_after(me, t);
	macaw_playout_job job = {.starts = starts,
	                         .start_count = t->legal_count,
	                         .limit = {.seconds = seconds, .stop = b->stop},
	                         .seed = ++me->seed};
	macaw_playout_result *r = starts ? macaw_playouts(t->game, &job, NULL) : NULL;
	for (uint32_t i = 1; r && i < t->legal_count; i++)
		if (macaw_playout_score(r, i, t->role).mean > macaw_playout_score(r, best, t->role).mean)
			best = i;
	if (r)
		snprintf(why, room, "%.1f on the average of %llu playouts", macaw_playout_score(r, best, t->role).mean,
		         (unsigned long long)macaw_playout_score(r, best, t->role).playouts);
	macaw_playout_result_free(r);
	free(starts);
	return t->legal[best];
}

static int play(macaw_game *g, const char *opponent, macaw_error *e)
{
	struct greedy me = {.worker = macaw_worker_new(g, e), .seed = 1};
	if (!me.worker)
		return e->status;
	macaw_seat seats[] = {{.name = "greedy", .self = &me, .move = greedy_move}, {.word = opponent}};
	macaw_match *m = macaw_match_play(g, seats, 2, &(macaw_match_options){.clock = 0.05, .seed = 1}, e);
	if (m) {
		macaw_made first = macaw_match_made(m, 0, 0);
		printf("%u steps; the first was %s (%s)\n", macaw_match_steps(m), macaw_game_move(g, first.move),
		       first.why ? first.why : "");
		printf("greedy %d, %s %d; late %llu times\n", macaw_match_goal(m, 0), opponent, macaw_match_goal(m, 1),
		       (unsigned long long)macaw_match_late(m, 0));
	}
	macaw_match_free(m);
	macaw_worker_free(me.worker);
	return e->status;
}

int main(int count, char **words)
{
	macaw_error error;
	if (count != 3) {
		fprintf(stderr, "usage: own_player GAME OPPONENT\n");
		return MACAW_USAGE;
	}
	macaw_game *g = macaw_game_load(words[1], NULL, &error);
	int status = error.status;
	if (g)
		status = play(g, words[2], &error);
	if (status)
		fprintf(stderr, "%s\n", error.text);
	macaw_game_free(g);
	return status;
}

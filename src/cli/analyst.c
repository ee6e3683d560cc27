/* Follows a match and thinks. */
#include "cli/analyst.h"

#include <math.h>
#include <string.h>

static bool fail(struct analyst *a, const macaw_error *e)
{
	a->error = *e;
	return false;
}

bool analyst_open(struct analyst *a, macaw_game *g, uint32_t role, const char *player, uint64_t seed,
                  const uint64_t *start)
{
	size_t words = macaw_position_words(g);
	*a = (struct analyst){.game = g, .role = role, .position = NEW_ARRAY(uint64_t, words + 1)};
	memcpy(a->position, start ? start : macaw_position_initial(g), words * sizeof *a->position);
	a->worker = macaw_worker_new(g, &a->error);
	a->player = a->worker ? macaw_player_new(g, role, player, seed, &a->error) : NULL;
	if (!a->player)
		return false;
	if (start && !macaw_player_set(a->player, start, 0))
		return fail(a, macaw_player_error(a->player));
	return true;
}

void analyst_close(struct analyst *a)
{
	macaw_player_free(a->player);
	macaw_worker_free(a->worker);
	mem_free(a->position);
}

static bool follow_hidden(struct analyst *a, const uint32_t *joint, const uint64_t *next)
{
	macaw_seen seen;
	macaw_view view;
	VEC(uint32_t) percepts = {0};
	if (!macaw_sees(a->worker, a->position, joint, &seen))
		return fail(a, macaw_worker_error(a->worker));
	vec_set(&percepts, seen.percepts + seen.start[a->role], seen.start[a->role + 1] - seen.start[a->role]);
	bool fine = macaw_look(a->worker, next, &view);
	if (!fine)
		a->error = *macaw_worker_error(a->worker);
	size_t legal = fine && !view.terminal ? view.start[a->role + 1] - view.start[a->role] : 0;
	if (fine && !macaw_player_inform_seen(a->player, joint[a->role], percepts.at, percepts.n,
	                                      view.legal + view.start[a->role], legal))
		fine = fail(a, macaw_player_error(a->player));
	vec_free(&percepts);
	return fine;
}

bool analyst_follow(struct analyst *a, const uint32_t *joint)
{
	size_t words = macaw_position_words(a->game);
	uint64_t *next = NEW_ARRAY(uint64_t, words + 1);
	bool fine = macaw_next(a->worker, a->position, joint, next);
	if (!fine)
		a->error = *macaw_worker_error(a->worker);
	else if (macaw_game_hidden(a->game))
		fine = follow_hidden(a, joint, next);
	else if (!macaw_player_inform(a->player, joint))
		fine = fail(a, macaw_player_error(a->player));
	memcpy(a->position, next, words * sizeof *next);
	a->step++;
	mem_free(next);
	return fine;
}

bool analyst_chooses(struct analyst *a)
{
	macaw_view v;
	return macaw_look(a->worker, a->position, &v) && !v.terminal && v.start[a->role + 1] - v.start[a->role] > 1;
}

bool analyst_think(struct analyst *a, const macaw_budget *b, macaw_thought *out)
{
	return macaw_player_think(a->player, b, out) || fail(a, macaw_player_error(a->player));
}

void analyst_interval(const macaw_move_value *v, double *low, double *high)
{
	double half = v->visits ? 1.96 * sqrt(v->value * (100 - v->value) / (double)v->visits) : 100;
	*low = fmax(v->low, fmax(0, v->value - half));
	*high = fmin(v->high, fmin(100, v->value + half));
}

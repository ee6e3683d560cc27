/* The matches of trial.h. */
#include "play/trial.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define MOST_STEPS 1000

struct trial_match {
	struct seat seats[2]; /* one for each role */
	uint64_t *state;
	uint32_t moves[2];
};

/* The seat of the role that chooses; -1: it is over; where nobody has a choice, any. */
static int whose_turn(const struct view *v)
{
	uint32_t n[2] = {v->start[1] - v->start[0], v->start[2] - v->start[1]};
	return v->terminal || !n[0] || !n[1] ? -1 : n[1] > 1;
}

/* Random moves from the start; false: they led to the end. */
static bool open_match(struct trial_match *b, struct seat *s, uint32_t random_moves)
{
	uint32_t n = random_moves ? 1 + rng_below(&s->rng, random_moves) : 0;
	memcpy(b->state, s->game->initial, s->game->words * sizeof *b->state);
	for (uint32_t i = 0; i < n; i++) {
		struct view v = game_look(s->worker, b->state);
		if (whose_turn(&v) < 0 || !game_random_move(s->game, &v, &s->rng, b->moves))
			return false;
		game_next(s->worker, b->state, b->moves, b->state);
	}
	struct view v = game_look(s->worker, b->state);
	return whose_turn(&v) >= 0;
}

static uint32_t ask(const struct contender *c, struct seat *seat, const uint64_t *state, const struct trial_plan *plan)
{
	struct budget b = {.limit = limit_seconds_of(plan->limit->clock, plan->per_move * c->factor)};
	b.limit.within = plan->limit;
	b.limit.stop = plan->limit->stop;
	seat->why.n = 0;
	return c->move(c->self, seat, state, &b);
}

/* The points of the one who plays role 0; below 0: not finished. */
static double play_match(struct trial_match *b, struct seat *s, const struct contender *const by_role[2],
                         const struct trial_plan *plan)
{
	for (uint32_t step = 0; step < MOST_STEPS && !limit_reached(plan->limit); step++) {
		struct view v = game_look(s->worker, b->state);
		int turn = whose_turn(&v);
		if (turn < 0) {
			int a = v.goals[0], c = v.goals[1];
			return !v.terminal ? -1 : a > c ? 1 : a < c ? 0 : 0.5;
		}
		bool choice = v.start[turn + 1] - v.start[turn] > 1;
		if (!game_random_move(s->game, &v, &s->rng, b->moves))
			return -1;
		uint32_t move = choice ? ask(by_role[turn], &b->seats[turn], b->state, plan) : GAME_NONE;
		if (move != GAME_NONE)
			b->moves[turn] = move;
		game_next(s->worker, b->state, b->moves, b->state);
	}
	return -1;
}

struct trial_result trial_run(struct seat *s, const struct contender contenders[2], const struct trial_plan *plan)
{
	struct game *g = s->game;
	assert(g->roles == 2 && g->random >= g->roles && plan->per_move > 0);
	assert(contenders[0].factor > 0 && contenders[1].factor > 0);
	struct trial_result r = {0};
	struct trial_match b = {.state = mem_alloc(g->words + 1, sizeof *b.state)};
	uint64_t *first = mem_alloc(g->words + 1, sizeof *first);
	for (uint32_t i = 0; i < 2; i++)
		b.seats[i] = (struct seat){
			.game = g, .role = i, .worker = s->worker, .options = s->options, .rng = rng_seed(rng_next(&s->rng))};
	for (uint32_t n = 0; n < plan->most && fabs(r.points[0] - r.points[1]) < plan->lead; n++) {
		if (limit_reached(plan->limit))
			break;
		if (!open_match(&b, s, plan->random_moves))
			continue;
		memcpy(first, b.state, g->words * sizeof *first);
		for (uint32_t swap = 0; swap < 2; swap++) {
			const struct contender *by_role[2] = {&contenders[swap], &contenders[1 - swap]};
			memcpy(b.state, first, g->words * sizeof *first);
			double points = play_match(&b, s, by_role, plan);
			if (points < 0)
				break;
			r.points[swap] += points;
			r.points[1 - swap] += 1 - points;
			r.matches++;
		}
	}
	for (uint32_t i = 0; i < 2; i++)
		text_free(&b.seats[i].why);
	mem_free(b.state);
	mem_free(first);
	return r;
}

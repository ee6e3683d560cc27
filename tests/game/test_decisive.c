/* Decisive players of playouts: the first move of each against trying all moves. */
#include "play.h"

#include "games.h"

#include "game/engine_internal.h"

#define PLAYOUTS 512

struct firsts {
	const struct game *g;
	uint32_t role;
	uint32_t *times; /* by move */
	uint32_t steps;
};

static void note_first(void *context, size_t start, const uint32_t *moves, uint32_t steps, const int *goals)
{
	struct firsts *f = context;
	(void)start;
	(void)goals;
	assert_true(steps > 0);
	f->times[moves[f->role]]++;
}

static void extremes(const struct game *g, uint32_t role, int *most, int *least)
{
	const uint32_t *start = g->circuit->ground->goals.start.at;
	*most = 0;
	*least = 100;
	for (uint32_t i = start[role]; i < start[role + 1]; i++) {
		int v = g->circuit->goal_value[i];
		*most = v > *most ? v : *most;
		*least = v != GOAL_NONE && v < *least ? v : *least;
	}
}

/* 2: the move wins at once; 0: it loses at once; 1: neither. */
static int kind_of(struct play *p, uint32_t role, const uint32_t *joint)
{
	SCRATCH(uint64_t, next, p->g->words + 1);
	int most, least;
	extremes(p->g, role, &most, &least);
	game_next(p->w, p->state, joint, next);
	struct view v = game_look(p->w, next);
	return !v.terminal ? 1 : v.goals[role] == most ? 2 : v.goals[role] == least ? 0 : 1;
}

/* Moves that are made first by decisive players, against those that ought to be. */
static bool check_state(struct play *p, const struct view *v, uint64_t seed)
{
	uint32_t roles = p->g->roles, mover = GAME_NONE;
	SCRATCH(uint32_t, joint, roles + 1);
	VEC(uint32_t) legal = {0};
	for (uint32_t r = 0; r < roles; r++) {
		joint[r] = v->legal[v->start[r]];
		if (v->start[r + 1] - v->start[r] > 1)
			mover = r;
	}
	if (mover == GAME_NONE)
		return false;
	for (uint32_t i = v->start[mover]; i < v->start[mover + 1]; i++)
		vec_push(&legal, v->legal[i]);
	int best = 0;
	SCRATCH(int, kind, legal.n);
	for (size_t i = 0; i < legal.n; i++) {
		joint[mover] = legal.at[i];
		kind[i] = kind_of(p, mover, joint);
		best = kind[i] > best ? kind[i] : best;
	}
	struct firsts f = {.g = p->g, .role = mover, .times = NEW_ARRAY(uint32_t, p->g->moves + 1)};
	struct playout_result r;
	game_playouts(p->g,
	              &(struct playout_job){.starts = p->state,
	                                    .start_count = 1,
	                                    .playouts = PLAYOUTS,
	                                    .seed = seed,
	                                    .report = note_first,
	                                    .context = &f,
	                                    .policy = PLAYOUT_DECISIVE},
	              &r);
	playout_result_free(&r);
	size_t candidates = 0;
	bool mixed = false;
	for (size_t i = 0; i < legal.n; i++) {
		candidates += kind[i] == best;
		mixed |= kind[i] != best;
	}
	for (size_t i = 0; i < legal.n; i++) {
		if (kind[i] != best)
			assert_int_equal(f.times[legal.at[i]], 0);
		else if (candidates < 16) /* none is left out: by chance that is rarer than once in 10^14 */
			assert_int_not_equal(f.times[legal.at[i]], 0);
	}
	mem_free(f.times);
	vec_free(&legal);
	return mixed;
}

static void check_game(struct play p, uint32_t walks, uint32_t wanted)
{
	struct rng rng = rng_seed(7);
	uint32_t mixed = 0;
	SCRATCH(uint32_t, joint, p.g->roles + 1);
	assert_non_null(circuit_decisive(p.g->circuit, PLAYOUT_DECISIVE));
	for (uint32_t i = 0; i < walks; i++) {
		play_restart(&p);
		for (;;) {
			struct view v = game_look(p.w, p.state);
			if (v.terminal || !game_random_move(p.g, &v, &rng, joint))
				break;
			mixed += check_state(&p, &v, rng_next(&rng));
			game_next(p.w, p.state, joint, p.state);
		}
	}
	assert_true(mixed >= wanted);
	play_free(&p);
}

static void take_the_last(void **state)
{
	(void)state;
	check_game(play_make(TAKE, ENGINE_CIRCUIT, false), 20, 10);
}

static void games_of_the_library(void **state)
{
	(void)state;
	static const char *const names[] = {"connect_four", "breakthrough_suicide", "knightthrough", "pentago", "quarto"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		check_game(play_named(names[i]), 4, 4);
}

/* Recursion in the rules of the end: players are as they were. */
static void recursion_is_left_alone(void **state)
{
	(void)state;
	struct play p = play_make(JOIN, ENGINE_CIRCUIT, false);
	assert_null(circuit_decisive(p.g->circuit, PLAYOUT_DECISIVE));
	assert_null(circuit_decisive(p.g->circuit, PLAYOUT_ANTI_DECISIVE));
	play_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(take_the_last),
		cmocka_unit_test(games_of_the_library),
		cmocka_unit_test(recursion_is_left_alone),
	};
	return RUN(tests);
}

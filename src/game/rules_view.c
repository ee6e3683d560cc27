/* The read-only view of what the rules became (rules_view.h), put together once. */
#include "game/engine_internal.h"

/* Operations per step of a playout; the mean over the phases where roles move in turn. */
static uint32_t operations(const struct circuit_engine *e)
{
	size_t sum = 0, phases = e->rollout_count > 1 ? e->rollout_count - 1 : 1;
	for (size_t i = 0; i < phases; i++)
		sum += e->rollouts[e->rollout_count > 1 ? i + 1 : 0].program.operations;
	return (uint32_t)((sum + phases / 2) / phases);
}

void rules_view_make(struct circuit_engine *e)
{
	e->view = (struct rules_view){
		.circuit = &e->circuit,
		.ground = e->ground,
		.phases = &e->phases,
		.initial = e->ground->initial.at,
		.first_move = e->ground->moves.start.at,
		.first_goal = e->ground->goals.start.at,
		.first_percept = e->ground->percepts.start.at,
		.goal_value = e->goal_value,
		.live = e->live,
		.live_count = e->live_count,
		.constants = e->folded,
		.operations = operations(e),
		.slots = e->slots,
	};
}

const struct rules_view *game_rules_view(const struct game *g)
{
	return g->circuit ? &g->circuit->view : NULL;
}

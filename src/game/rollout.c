/* The programs that playouts run: a step from any state, and one for each phase of the rotation. */
#include "game/circuit_internal.h"

#include "circuit/extract_pairs.h"

#include <assert.h>

/* Which moves are open in this phase (known: NULL for any state), role by role. */
static void place_moves(struct rollout *r, const struct ground *ground, const uint8_t *known, uint32_t *slot_of)
{
	uint32_t roles = narrow32(ground->roles.n), n = 0;
	r->moves = NEW_ARRAY(uint32_t, ground->moves.n + 1);
	r->first = NEW_ARRAY(uint32_t, roles + 1);
	r->fixed = NEW_ARRAY(uint32_t, roles + 1);
	for (uint32_t role = 0; role < roles; role++) {
		r->first[role] = n;
		r->fixed[role] = GAME_NONE;
		for (uint32_t m = ground->moves.start.at[role]; m < ground->moves.start.at[role + 1]; m++) {
			slot_of[m] = r->base + n;
			if (!known || known[m] == OPEN)
				r->moves[n++] = m;
			else if (known[m] == YES)
				r->fixed[role] = m;
		}
	}
	assert(n <= ground->moves.n);
	r->first[roles] = n;
}

uint32_t rollout_make(const struct circuit_engine *e, struct rollout *r, const struct circuit *c, const uint8_t *known)
{
	output_list first = {0}, second = {0};
	uint32_t *slot_of = NEW_ARRAY(uint32_t, c->moves + 1);
	r->base = c->fluents;
	place_moves(r, e->ground, known, slot_of);
	r->terminal = r->base + r->first[e->ground->roles.n];
	r->next = r->terminal + 1;
	add_outputs(&first, &c->terminal, 1, r->terminal);
	for (uint32_t i = 0; i < r->first[e->ground->roles.n]; i++)
		add_outputs(&first, &c->legal.at[r->moves[i]], 1, r->base + i);
	for (uint32_t i = 0; i < e->live_count; i++)
		add_outputs(&second, &c->next.at[e->live[i]], 1, r->next + i);
	struct program_plan plan = {r->next + e->live_count, slot_of, first.at, second.at, first.n, second.n};
	program_make(&r->program, c, &plan);
	vec_free(&first);
	vec_free(&second);
	mem_free(slot_of);
	return r->program.slots;
}

void rollouts_make(struct circuit_engine *e)
{
	const struct circuit *c = &e->circuit;
	uint32_t period = e->phases.period;
	e->rollout_count = period > 1 ? period + 1 : 1;
	assert(period);
	e->rollouts = NEW_ARRAY(struct rollout, e->rollout_count);
	e->slots = rollout_make(e, &e->rollouts[0], c, NULL);
	for (uint32_t k = 0; k + 1 < e->rollout_count; k++) {
		struct circuit phase;
		const uint8_t *moves = e->phases.moves + (size_t)k * c->moves;
		circuit_specialise(&phase, c, e->phases.fluents + (size_t)k * c->fluents, moves);
		circuit_extract_pairs(&phase);
		e->slots = larger(e->slots, rollout_make(e, &e->rollouts[1 + k], &phase, moves));
		circuit_free(&phase);
	}
}

void rollout_free(struct rollout *r)
{
	program_free(&r->program);
	native_free(&r->native);
	mem_free(r->moves);
	mem_free(r->first);
	mem_free(r->fixed);
}

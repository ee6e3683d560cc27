/* Strategies for others: the public face of the regret minimisation. */
#include "macaw/strategy.h"

#include "api/api_internal.h"
#include "api/player_internal.h"
#include "play/hidden/strategy.h"

#include <stdlib.h>

struct macaw_strategy {
	struct handle handle;
	struct strategy s;
	uint32_t roles;
};

void macaw_strategy_free(macaw_strategy *s)
{
	if (!s)
		return;
	if (!s->handle.broken)
		strategy_free(&s->s);
	handle_close(&s->handle);
	free(s);
}

static macaw_strategy *give_up(macaw_strategy *s)
{
	macaw_strategy_free(s);
	return NULL;
}

static bool make(macaw_strategy *s, macaw_game *g, uint64_t seed, macaw_error *e)
{
	struct text error = {0};
	bool made = strategy_make(&s->s, api_game(g), seed, &error);
	if (!made)
		api_fail_text(e, MACAW_INPUT, &error);
	text_free(&error);
	return made;
}

macaw_strategy *macaw_strategy_new(macaw_game *g, uint64_t seed, macaw_error *e)
{
	api_clear(e);
	macaw_strategy *s = calloc(1, sizeof *s);
	bool made = false;
	if (!s || !handle_open(&s->handle, e)) {
		api_fail(e, MACAW_MEMORY, "out of memory");
		free(s);
		return NULL;
	}
	s->roles = macaw_game_roles(g);
	GUARD(&s->handle, e, give_up(s), made = make(s, g, seed, e));
	return made ? s : give_up(s);
}

bool macaw_strategy_improve(macaw_strategy *s, const macaw_budget *b)
{
	struct budget inside = api_budget(b);
	GUARD(&s->handle, NULL, false, strategy_improve(&s->s, &inside));
	return true;
}

uint64_t macaw_strategy_iterations(const macaw_strategy *s)
{
	return s->s.iterations;
}

double macaw_strategy_value(macaw_strategy *s, uint32_t role)
{
	double value = 0;
	GUARD(&s->handle, NULL, 0, value = role < s->roles ? mccfr_value(s->s.mccfr, role) : 0);
	return value;
}

double macaw_strategy_best_response(macaw_strategy *s, uint32_t role)
{
	double value = 0;
	GUARD(&s->handle, NULL, 0, value = role < s->roles ? mccfr_best_response(s->s.mccfr, role) : 0);
	return value;
}

size_t macaw_strategy_sets(const macaw_strategy *s)
{
	return s->s.sets.n;
}

macaw_information_set macaw_strategy_set_at(const macaw_strategy *s, size_t i)
{
	if (i >= s->s.sets.n)
		return (macaw_information_set){0};
	const struct strategy_set *x = &s->s.sets.at[i];
	return (macaw_information_set){x->role, x->knows, x->moves, x->shares, x->count, x->reach};
}

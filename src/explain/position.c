/* A position of a game as terms. */
#include "explain/position.h"

#include "base/bits.h"

void explainer_set_position(struct explainer *x, const struct game *g, const uint64_t *state, const uint32_t *moves)
{
	term_list fluents = {0}, made = {0};
	struct text name = {0}, error = {0};
	BITS_EACH (f, state, g->fluents) {
		vec_clear(&name);
		game_print_fluent(g, (uint32_t)f, &name);
		term_t t = name.n ? explainer_read(x, text_str(&name), &error) : TERM_NONE;
		if (t != TERM_NONE)
			vec_push(&fluents, t);
	}
	for (uint32_t r = 0; moves && r < g->roles; r++) {
		vec_clear(&name);
		game_print_move(g, moves[r], &name);
		vec_push(&made, explainer_read(x, text_str(&name), &error));
	}
	explainer_set(x, fluents.at, fluents.n, moves ? made.at : NULL);
	vec_free(&fluents);
	vec_free(&made);
	text_free(&name);
	text_free(&error);
}

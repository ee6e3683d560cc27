/* What the tests of the public face share: games by their name, and a walk over random positions. */
#ifndef TESTS_API_GAMES_H
#define TESTS_API_GAMES_H

#include "test.h"

#include "macaw/worker.h"

#include <string.h>

static inline macaw_game *game_with(const char *name, enum macaw_engine engine)
{
	macaw_error error;
	macaw_game *g = macaw_game_load(name, &(macaw_game_options){.engine = engine}, &error);
	if (!g)
		fail_msg("%s: %s", name, error.text);
	assert_int_equal(error.status, MACAW_OK);
	assert_string_equal(error.text, "");
	return g;
}

static inline uint64_t *copy_of(const macaw_game *g, const uint64_t *p)
{
	size_t bytes = macaw_position_words(g) * sizeof *p;
	uint64_t *copy = malloc(bytes);
	assert_non_null(copy);
	memcpy(copy, p, bytes);
	return copy;
}

/* Plays a random move; false: the position is an end, or nobody can move. */
static inline bool random_step(macaw_worker *w, uint64_t *p, uint32_t *moves, uint64_t *seed)
{
	macaw_view v;
	assert_true(macaw_look(w, p, &v));
	if (v.terminal || !macaw_random_moves(macaw_worker_game(w), &v, seed, moves))
		return false;
	assert_true(macaw_next(w, p, moves, p));
	return true;
}

#endif

/* Playouts for a search: lanes that live as long as the search does.
 *
 * Leaves are pushed as the search finds them, each with a number of playouts and a tag
 * of the caller's. A lane whose playout has ended takes the next one at once; a leaf is
 * handed back when all its playouts are over, in any order. Nothing is allocated once the
 * stream has grown to its size. A stream belongs to one thread. */
#ifndef GAME_PLAYOUT_STREAM_H
#define GAME_PLAYOUT_STREAM_H

#include "game/game.h"

struct playout_stream_options {
	uint64_t seed;
	uint32_t max_steps; /* longer playouts are given up; 0: PLAYOUT_MAX_STEPS */
	enum playout_policy policy;
	/* Circuit only, by move, when not NULL: as in struct playout_job. The caller may change its contents between
	 * two calls of playout_stream_run(). */
	const uint8_t *move_bias;
	/* Circuit only, when not NULL: called for a sample of the playouts, about one in eight: the tag of the leaf, the
	 * set of moves ascending by number without those that were the only possible one at their step, and the goals. */
	void (*played)(void *context, uint32_t tag, const uint32_t *moves, uint32_t count, const int *goals);
	/* Circuit only, when not NULL: as in struct playout_job, after `cut` steps. */
	void (*judge)(void *context, uint32_t tag, const uint64_t *state, double *values);
	uint32_t cut;
	void *context;
};

/* A leaf whose playouts are over. */
struct playout_stream_result {
	uint32_t tag;
	uint32_t playouts; /* that came to an end; fewer than were asked for when some were given up */
	const double *sum; /* by role, of scores from 0 to 100; lasts until the next call */
};

struct playout_stream *playout_stream_new(struct game *g, const struct playout_stream_options *o);
void playout_stream_free(struct playout_stream *s);

/* Playouts that could be pushed now without having to wait for a lane. */
uint32_t playout_stream_room(const struct playout_stream *s);
/* The state is copied. Any number may be pushed, beyond the room too. */
void playout_stream_push(struct playout_stream *s, const uint64_t *state, uint32_t playouts, uint32_t tag);
/* Plays until there is room for `room` playouts, nothing is left to play, or the limit is reached. */
void playout_stream_run(struct playout_stream *s, uint32_t room, const struct limit *limit);
/* The next leaf whose playouts are over; false: there is none now. */
bool playout_stream_take(struct playout_stream *s, struct playout_stream_result *out);
/* Gives up all that is under way: these leaves come back by playout_stream_take() with the playouts they had so far. */
void playout_stream_stop(struct playout_stream *s);
/* Playouts and steps of finished playouts so far. */
uint64_t playout_stream_playouts(const struct playout_stream *s);
uint64_t playout_stream_steps(const struct playout_stream *s);

#endif

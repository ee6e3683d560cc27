/* A worker: the scratch memory of one thread. It answers questions about positions: one by one, or
 * many in one pass, which is what the engine is best at (hundreds of positions cost about as much as one).
 *
 * Arrays in answers belong to the worker and last until its next question. */
#ifndef MACAW_WORKER_H
#define MACAW_WORKER_H

#include "macaw/position.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct macaw_worker macaw_worker;

MACAW_API macaw_worker *macaw_worker_new(macaw_game *g, macaw_error *e);
MACAW_API void macaw_worker_free(macaw_worker *w);
MACAW_API macaw_game *macaw_worker_game(const macaw_worker *w);
/* Why the last call that returned false did so. */
MACAW_API const macaw_error *macaw_worker_error(const macaw_worker *w);
/* Interpreter only: how long each question may take. */
MACAW_API void macaw_worker_limit(macaw_worker *w, macaw_limit limit);

#define MACAW_NO_GOAL (-1) /* the rules give no value, or several */

typedef struct macaw_view {
	bool terminal;
	const uint32_t *legal; /* moves of role r: legal[start[r]] … legal[start[r + 1] - 1], ascending */
	const uint32_t *start;
	const int *goals; /* by role, 0 to 100 or MACAW_NO_GOAL */
} macaw_view;

/* What can be said of a position. False: the interpreter gave up; see macaw_worker_error. */
MACAW_API bool macaw_look(macaw_worker *w, const uint64_t *position, macaw_view *view);

/* The position after a joint move: one move number per role, legal there (not checked). `next` may be `position`. */
MACAW_API bool macaw_next(macaw_worker *w, const uint64_t *position, const uint32_t *moves, uint64_t *next);

typedef struct macaw_seen {
	const uint32_t *percepts; /* of role r: percepts[start[r]] … percepts[start[r + 1] - 1], ascending */
	const uint32_t *start;
} macaw_seen;

/* What the roles see as the result of a joint move. */
MACAW_API bool macaw_sees(macaw_worker *w, const uint64_t *position, const uint32_t *moves, macaw_seen *seen);

/* A uniform random joint move for a view; *seed (any number) is advanced. False: some role has no move. */
MACAW_API bool macaw_random_moves(const macaw_game *g, const macaw_view *view, uint64_t *seed, uint32_t *moves);

/* ---- many positions in one pass ---- */

/* `count` positions one after another, or with `moves` (one joint move per position) their successors.
 * Outputs are by position, arrays of the caller; any may be NULL. */
typedef struct macaw_batch {
	const uint64_t *positions;
	const uint32_t *moves; /* NULL: the positions themselves are looked at */
	size_t count;
	uint64_t *next;    /* successors; needs moves */
	uint8_t *terminal; /* of the successors, or of the positions when moves is NULL; so are the rest */
	int *goals;        /* roles numbers per position */
	uint64_t *legal;   /* one bit per move, macaw_legal_words(g) words per position */
	uint64_t *seen;    /* needs moves: a hash of what each role sees, roles numbers per position */
} macaw_batch;

MACAW_API size_t macaw_legal_words(const macaw_game *g);
/* False: next or seen without moves, or the interpreter gave up; see macaw_worker_error. */
MACAW_API bool macaw_look_many(macaw_worker *w, const macaw_batch *b);

#ifdef __cplusplus
}
#endif

#endif

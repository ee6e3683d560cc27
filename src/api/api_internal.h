/* What the files of the public face share: the guard around every call that may allocate, and errors.
 *
 * Every object of the library has a `struct handle`, and comes from calloc itself. What a call on it
 * allocates belongs to the handle's memory; when memory runs out, the call is abandoned, the handle is
 * broken and can only be freed.
 *
 *     bool macaw_next(macaw_worker *w, …)
 *     {
 *         GUARD(&w->handle, &w->error, false, game_next(w->worker, position, moves, next));
 *         return true;
 *     }
 *
 *
 *     void macaw_worker_free(macaw_worker *w)
 *     {
 *         if (!w->handle.broken)
 *             worker_free(w->worker);
 *         handle_close(&w->handle);
 *         free(w);
 *     }
 *
 * The body of a GUARD must not return, break out or jump; local variables that it changes are undefined after a
 * failure. On failure GUARD returns `failed` from the function. What a call on one object adds to another that
 * lives longer (a fact kept with the game) must be allocated in the other's scope: mem_scope_enter(). */
#ifndef API_API_INTERNAL_H
#define API_API_INTERNAL_H

#include "base/clock.h"
#include "base/mem.h"
#include "base/text.h"
#include "game/game.h"
#include "macaw/game.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

struct handle {
	struct mem_scope *scope; /* what calls on the object have allocated */
	atomic_bool broken;      /* a call ran out of memory; a game's may do so on any thread */
};

/* Fills an error; a NULL one is nothing. */
void api_fail(macaw_error *e, enum macaw_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));
void api_fail_text(macaw_error *e, enum macaw_status status, const struct text *message);
void api_clear(macaw_error *e);             /* all is well */
int api_fit(const char *text, size_t room); /* bytes of the text that fit, in whole characters: for %.*s */

bool handle_open(struct handle *h, macaw_error *e); /* a new, all-zero handle; false: out of memory */
/* After what was in it was freed. Of a broken one nothing may be freed before: its memory goes as a whole. */
void handle_close(struct handle *h);
bool handle_usable(struct handle *h, macaw_error *e); /* false: broken, and the error says so */
void handle_break(struct handle *h, macaw_error *e);  /* out of memory */

/* The handle of an object that a question leaves as it was, but for the memory of the answer. */
static inline struct handle *lasting(const struct handle *h)
{
	return unconst(h);
}

#define GUARD(h, error, failed, ...) \
	do { \
		bool done_; \
		if (!handle_usable(h, error)) \
			return failed; \
		MEM_TRY(done_, (h)->scope, __VA_ARGS__); \
		if (!done_) { \
			handle_break(h, error); \
			return failed; \
		} \
	} while (0)

/* From the public face to the inside. */
struct limit api_limit(macaw_limit l);
char *api_give(struct text *t); /* the text as a `char *` of the caller's, for macaw_free(); NULL: out of memory */

/* The inside of handles, for the other files of this room. */
struct game *api_game(const macaw_game *g);
struct handle *api_game_handle(const macaw_game *g); /* for calls that may add to the game */
struct gdl_rules *api_rules(const macaw_rules *r);
double api_rules_seconds(const macaw_rules *r); /* to read and check */

#endif

/* What the files of the public face share: the guard around every call that may allocate, and errors.
 *
 * Every object of the library is a handle that begins with a `struct handle`. What a call on it
 * allocates belongs to the handle's memory; when memory runs out, the call is abandoned, the handle is
 * broken and can only be freed.
 *
 *     bool macaw_next(macaw_worker *w, …)
 *     {
 *         GUARD(&w->handle, &w->error, false, game_next(w->worker, position, moves, next));
 *         return true;
 *     }
 *
 * The body of a GUARD must not return, break out or jump. On failure GUARD returns `failed` from the function. */
#ifndef API_API_INTERNAL_H
#define API_API_INTERNAL_H

#include "base/clock.h"
#include "base/text.h"
#include "game/game.h"
#include "macaw/game.h"

#include <stdio.h>
#include <string.h>

struct handle {
	bool broken;
};

/* Fills an error; a NULL one is nothing. */
void api_fail(macaw_error *e, enum macaw_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));
void api_fail_text(macaw_error *e, enum macaw_status status, const struct text *message);
void api_clear(macaw_error *e); /* all is well */

bool handle_open(struct handle *h, macaw_error *e); /* a new, all-zero handle; false: out of memory */
void handle_close(struct handle *h);                /* after everything in it was freed, or when it is broken */
bool handle_usable(const struct handle *h, macaw_error *e); /* false: broken, and the error says so */

#define GUARD(h, error, failed, ...) \
	do { \
		if (!handle_usable(h, error)) \
			return failed; \
		__VA_ARGS__; \
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

/* A position as JSON, for whoever may see it. */
#ifndef WEB_VIEW_H
#define WEB_VIEW_H

#include "macaw/belief.h"
#include "web/games.h"

struct view_ask {
	struct web_game *game;
	struct tools *tools;
	const uint64_t *position; /* where the match is: also asked for moves and goals when it is not shown */
	uint32_t step;
	const uint64_t *before; /* the position before the last joint move, and that move; NULL: none, or they are hidden */
	const uint32_t *last;
	/* What a role may see, not the position itself. */
	bool hidden;
	uint32_t role;        /* whose moves are shown then; MACAW_NONE: nobody's, and nothing of the position */
	macaw_belief *belief; /* its belief; NULL: there is none, and nothing of the position is shown */
};

/* An object; "trouble" in it where the rules could not be run. */
void view_write(struct json_writer *w, const char *key, const struct view_ask *a);
void view_put_move(struct json_writer *w, const macaw_game *g, uint32_t move); /* {"id","text"} */
void view_put_joint(struct json_writer *w, const char *key, const macaw_game *g,
                    const uint32_t *joint); /* texts by role */

#endif

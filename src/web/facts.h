/* What is said of a game before anybody plays it: who plays, what is hidden, how long it takes. */
#ifndef WEB_FACTS_H
#define WEB_FACTS_H

#include "web/games.h"

/* A playout that came to a position where a role has no move. */
struct stuck {
	uint32_t role;   /* MACAW_NONE: none was found */
	uint32_t *moves; /* joint moves, one number per role */
	uint32_t steps;
	uint64_t *position;
};

/* Writes an object. `playouts` 0: without what they tell. `stuck` may be NULL; else one is looked for where playouts
 * met it. */
void facts_write(struct json_writer *w, const char *key, struct web_game *g, struct tools *t, uint64_t playouts,
                 struct stuck *stuck);
void stuck_free(struct stuck *s);

#endif

/* What a player thinks of a position, as a table of all moves. */
#ifndef WEB_THOUGHTS_H
#define WEB_THOUGHTS_H

#include "macaw/player.h"
#include "web/place.h"

struct thinker {
	struct web_game *game; /* not held */
	macaw_player *player;
	uint32_t role;
	uint32_t *orbit; /* by move: symmetric moves have the same number; NULL: not known */
};

/* Fills the members of an object. `seconds`: since it began; `fresh`: the player began anew for this table. */
struct table_about {
	double seconds;
	bool fresh;
	bool brief;    /* without the line */
	uint32_t tree; /* nodes of the search tree at most; 0: none */
};
void table_write(struct json_writer *w, const struct thinker *t, const macaw_thought *thought,
                 const struct table_about *a);
uint64_t table_visits(const macaw_thought *thought);

#endif

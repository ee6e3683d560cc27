/* Where in a game: joint moves made from its start, or from a position given as text. */
#ifndef WEB_PLACE_H
#define WEB_PLACE_H

#include "macaw/player.h"
#include "web/games.h"
#include "web/request.h"
#include "web/view.h"

#define PLACE_STEPS 4000 /* most joint moves of a course */

struct place {
	struct web_game *game;
	struct tools *tools;
	uint32_t roles;
	size_t words;
	VEC(uint64_t) positions; /* steps + 1 of them */
	VEC(uint32_t) moves;     /* `roles` numbers per step */
	uint32_t steps;
	bool set; /* it began elsewhere than at the start */
};

/* By `game`, `moves` and `position` of the body. False: the request has failed. */
bool place_read(struct place *p, struct request *q);
/* At the start of a game that is held already: takes the hold over. False likewise. */
bool place_open(struct place *p, struct web_game *g, struct request *q);
void place_close(struct place *p);

/* Makes joint moves, texts or numbers by role, or objects {role: move}. False: the request has failed. */
bool place_play(struct place *p, const json_t *joints, struct request *q);
/* One joint move by numbers, known to be legal. False: the rules could not be run. */
bool place_step(struct place *p, const uint32_t *joint);

const uint64_t *place_now(const struct place *p);
const uint64_t *place_at(const struct place *p, uint32_t step);
void place_view(struct json_writer *w, const char *key, const struct place *p,
                uint32_t step); /* everything, nothing hidden */

/* The number of a legal move, by text or number; MACAW_NONE: it is not legal. */
uint32_t place_find_move(const macaw_game *g, const macaw_view *v, uint32_t role, const json_t *word);
/* Looks at the present position; false: the request has failed. */
bool place_look(const struct place *p, macaw_view *v, struct request *q);
/* A role that can move there: `asker`, or when that is MACAW_NONE `role` of the body, or when that is absent the first
 * role with a choice, or with a move. MACAW_NONE: the request has failed. */
uint32_t place_role(const struct place *p, uint32_t asker, struct request *q);

/* What a role observes of one step: its own move, what it sees, which moves it has afterwards. */
struct observation {
	uint32_t own_move;
	VEC(uint32_t) percepts, legal;
};
/* In the place of what was there. False: the rules could not be run. */
bool place_observe(const struct place *p, uint32_t step, uint32_t role, struct observation *out);
void observation_free(struct observation *o);

/* Puts a new player where the course is; in a game with hidden information by what its role has observed. False: it
 * cannot be there, see macaw_player_error. */
bool place_follow(const struct place *p, macaw_player *player, uint32_t role);

/* A role by its name; MACAW_NONE: the request has failed. */
uint32_t role_read(const macaw_game *g, const char *name, struct request *q);
void request_put_order(struct request *q, const macaw_symmetries *s); /* of the group of symmetries, as a text */
/* "legal: a, b, …", as far as it is short. */
void list_legal(const macaw_game *g, const macaw_view *v, uint32_t role, struct text *out);

#endif

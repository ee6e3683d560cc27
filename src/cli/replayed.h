/* A recorded match, made again from its moves: every position and joint move of it. */
#ifndef CLI_REPLAYED_H
#define CLI_REPLAYED_H

#include "macaw/record.h"
#include "show/terminal.h"

struct replayed {
	macaw_record *record;
	macaw_game *game;        /* of the record */
	uint32_t steps;          /* that could be made */
	VEC(uint64_t) positions; /* steps + 1 of them */
	VEC(uint32_t) moves;     /* joint moves, one number per role */
	VEC(char *) why;         /* reasons, likewise; NULL: none was given */
	macaw_error error; /* why not all could be made, or what else differs from the rules; MACAW_OK: nothing does */
};

/* Takes the record over, makes all its moves and holds the end against the rules. */
void replayed_make(struct replayed *p, macaw_record *record);
void replayed_free(struct replayed *p);

const uint64_t *replayed_position(const struct replayed *p, uint32_t step); /* after `step` joint moves */
const uint32_t *replayed_joint(const struct replayed *p, uint32_t step);    /* from there */
const char *replayed_why(const struct replayed *p, uint32_t step, uint32_t role);

#endif

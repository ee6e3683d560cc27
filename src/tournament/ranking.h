/* A Swiss tournament or a knock-out as the store has it: its plan is written down there when it begins, and the results
 * in the store tell how far it has come. */
#ifndef TOURNAMENT_RANKING_H
#define TOURNAMENT_RANKING_H

#include "tournament/agenda.h"

/* Writes the plan down, or holds it against the one that is there. False with a message: it is another one. */
bool ranking_keep(struct store *store, const struct plan *p, const char *const *players, struct text *error);

struct ranking {
	struct plan plan;
	struct plan_game *games;
	char **players;
	double clock;
	struct agenda *agenda; /* NULL: the store holds another kind of tournament */
	uint32_t *swiss;       /* order of the players; NULL: no Swiss system */
	uint32_t *ranks;       /* of the end; NULL: it is not over */
};
bool ranking_read(struct ranking *r, struct store *store, struct text *error);
void ranking_free(struct ranking *r);

#endif

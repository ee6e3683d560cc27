/* Records of matches as matches that are over. */
#ifndef WEB_RECORDS_H
#define WEB_RECORDS_H

#include "web/matches.h"

/* Answers with a match: the joint moves are made in the game, which is held and given back. `players`: by role, may be
 * NULL. */
void records_tell(struct request *q, struct web_game *g, const json_t *moves, const char *const *players,
                  const json_t *goals);

#endif

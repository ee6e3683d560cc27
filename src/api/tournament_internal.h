/* What the files about tournaments share. */
#ifndef API_TOURNAMENT_INTERNAL_H
#define API_TOURNAMENT_INTERNAL_H

#include "api/api_internal.h"
#include "macaw/tournament.h"
#include "tournament/tournament.h"

/* Without a name SQLite would make a file that nobody finds again. */
bool api_is_named(const char *file, macaw_error *e);

/* ---- players that are not built in: the caller's own, shared libraries, and on the network ---- */

struct outside;
/* Looks at the players of a tournament. NULL: one of them cannot play. */
struct outside *outside_open(const macaw_tournament *t, macaw_error *e);
void outside_close(struct outside *o); /* NULL is nothing */
struct tournament_others outside_others(struct outside *o);
bool outside_has_network(const struct outside *o);
const bool *outside_exclusive(const struct outside *o); /* by player: one match at a time */

#define OUTSIDE_START 5.0 /* seconds before the first move, where somebody on the network needs some */
#define OUTSIDE_GRACE 1.0 /* seconds that an answer may be on its way */

#endif

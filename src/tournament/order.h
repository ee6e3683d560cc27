/* One match of a tournament as a text that can be sent to wherever it is played, and what comes back. */
#ifndef TOURNAMENT_ORDER_H
#define TOURNAMENT_ORDER_H

#include "tournament/tournament.h"

void order_print(const struct tournament *t, const struct tournament_order *o, struct text *out);
/* The words of the players lie in `text`, which is cut into pieces; `players` is freed by the caller. False: it is no
 * order of this tournament. */
bool order_read(const struct tournament *t, char *text, struct tournament_order *o, const char ***players);

void outcome_print(const struct tournament_outcome *o, uint32_t seats, struct text *out);
bool outcome_read(const char *text, uint32_t seats, struct tournament_outcome *o);

#endif

/* Budgets and counters of players between the public face and the inside. */
#ifndef API_PLAYER_INTERNAL_H
#define API_PLAYER_INTERNAL_H

#include "macaw/player.h"
#include "play/company.h"
#include "play/player.h"

struct budget api_budget(const macaw_budget *b); /* NULL: one second */
struct company api_company(const macaw_company *c);
macaw_counters api_counters(const struct counters *c);
struct counters api_counters_inside(const macaw_counters *c);

#endif

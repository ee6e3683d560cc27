/* Constraint networks that pages look at: of a round of a game, or from XCSP3. */
#ifndef WEB_NETWORKS_H
#define WEB_NETWORKS_H

#include "macaw/network.h"
#include "web/games.h"
#include "web/request.h"

#define NETWORKS_MOST 8

struct networks;
struct networks *networks_open(void);
void networks_close(struct networks *all);

/* A network in use by one thread. */
struct web_network {
	char id[24];
	char *name;
	struct web_game *game; /* NULL: from a file */
	macaw_network *round;  /* of the game; NULL likewise */
	macaw_csp *csp;
	bool injected; /* a position was put in */
};

void network_put_value(struct json_writer *w, const char *key, const macaw_csp *n, uint32_t x, uint32_t at);
/* Starts the search step by step (network_search.c). Takes the network over; gives it back by networks_give(). */
void network_solve(struct request *q, struct web_network *n);
void networks_give(struct networks *all, struct web_network *n);

#endif

/* The parts of `macaw network`. Messages go to stderr. */
#ifndef CLI_NETWORK_H
#define CLI_NETWORK_H

#include "macaw/network.h"

/* Passes by name, "merge,sac"; false after a message. */
bool network_passes(const char *list, unsigned *passes);
/* `passes`: what they leave of the round in the position is printed, too. */
void network_print_stats(macaw_network *n, const uint64_t *position, unsigned passes, bool json);
/* False after a message: there was no memory for it. */
bool network_print_speed(macaw_network *n, double seconds, bool json);

#endif

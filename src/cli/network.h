/* The parts of `macaw network`. Messages go to stderr. */
#ifndef CLI_NETWORK_H
#define CLI_NETWORK_H

#include "model/model.h"

/* The state of a file with a list of fluents in either form. NULL after a message. */
uint64_t *network_state_file(struct game *g, const char *path);

/* Passes by name, "merge,sac"; false after a message. */
bool network_passes(const char *list, unsigned *passes);
/* `passes`: what they leave of the round in the state is printed too. */
void network_print_stats(struct model *m, const char *name, const uint64_t *state, unsigned passes, bool json);
void network_print_speed(struct model *m, const char *name, double seconds, bool json);

#endif

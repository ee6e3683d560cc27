/* A person at this terminal as a seat of a match with clocks. Several persons take turns. */
#ifndef CLI_TERMINAL_SEAT_H
#define CLI_TERMINAL_SEAT_H

#include "macaw/match.h"

#include <pthread.h>

struct terminal_seat;

struct line;
struct draw_options;

/* `turn` makes the persons of a match take turns at the terminal, which is read by `line`. NULL with an error: out of
 * memory. */
struct terminal_seat *terminal_seat_new(macaw_game *g, uint32_t role, pthread_mutex_t *turn, struct line *line,
                                        const struct draw_options *draw, macaw_error *e);
void terminal_seat_free(struct terminal_seat *s);
macaw_seat terminal_seat(struct terminal_seat *s); /* for the match; its name is "human" */

#endif

/* What a player writes down of a match, for a post-mortem: every message with its answer,
 * the moves as far as they were told, and how it ended. A JSON file at the end. */
#ifndef NET_PLAYER_SESSION_RECORD_H
#define NET_PLAYER_SESSION_RECORD_H

#include "net/player/tracker.h"
#include "net/protocol/message.h"

#include <jansson.h>
#include <time.h>

struct diary {
	const char *folder; /* NULL: nothing is written down */
	double began;       /* on clock_now() */
	time_t date;
	bool all_told; /* every joint move so far */
	json_t *messages, *moves;
};

void diary_open(struct diary *d, const char *folder, double began);
void diary_message(struct diary *d, const struct message *m, double arrived, const char *reply, int status,
                   const char *why);
void diary_step(struct diary *d, const struct game *g, const struct known_now *now);

/* How it ended; what is not known is NULL. */
struct diary_end {
	const struct message *start;
	const char *player, *why;
	const struct gdl_rules *rules;
	const struct game *game;
	const struct known_now *now;
};

void diary_write(struct diary *d, const struct diary_end *e);
void diary_close(struct diary *d);

#endif

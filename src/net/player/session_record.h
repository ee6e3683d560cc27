/* What a player writes down of a match, for a post-mortem: every message with its answer,
 * the moves as far as they were told, and how it ended. A JSON file at the end. */
#ifndef NET_PLAYER_SESSION_RECORD_H
#define NET_PLAYER_SESSION_RECORD_H

#include "net/player/tracker.h"
#include "net/protocol/message.h"

#include <jansson.h>
#include <time.h>

struct session_record {
	const char *folder; /* NULL: nothing is written down */
	double began;       /* on clock_now() */
	time_t date;
	bool all_told; /* every joint move so far */
	json_t *messages, *moves;
};

void session_record_open(struct session_record *d, const char *folder, double began);
void session_record_message(struct session_record *d, const struct message *m, double arrived, const char *reply, int status,
                   const char *why);
void session_record_step(struct session_record *d, const struct game *g, const struct tracker_now *now);

/* How it ended; what is not known is NULL. */
struct session_record_end {
	const struct message *start;
	const char *player, *why;
	const struct gdl_rules *rules;
	const struct game *game;
	const struct tracker_now *now;
};

void session_record_write(struct session_record *d, const struct session_record_end *e);
void session_record_close(struct session_record *d);

#endif

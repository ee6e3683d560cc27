/* What a player writes down of a match, to be read afterwards: every message with its answer, the moves as far as
 * messages named them, and how it ended. One JSON file, written at the end. */
#ifndef NET_PLAYER_SESSION_RECORD_H
#define NET_PLAYER_SESSION_RECORD_H

#include "net/player/tracker.h"
#include "net/protocol/message.h"

#include <time.h>

#define SESSION_RECORD_MAX ((size_t)32 << 20) /* bytes of messages and of moves; what comes later is left out */

struct session_record {
	const char *folder; /* NULL: nothing is written down */
	double began;       /* on clock_now() */
	time_t date;
	bool incomplete;             /* not every joint move so far was named, or there is no room */
	struct text messages, moves; /* items of JSON arrays, written so far */
};

void session_record_open(struct session_record *r, const char *folder, double began);
void session_record_message(struct session_record *r, const struct message *m, double arrived, const char *reply,
                            int status, const char *why);
void session_record_step(struct session_record *r, const struct game *g, const struct tracker_now *now);

/* How it ended; what is not known is NULL. */
struct session_record_end {
	const struct message *start;
	const char *player, *why;
	const struct gdl_rules *rules;
	const struct game *game;
	const struct tracker_now *now;
};

void session_record_write(struct session_record *r, const struct session_record_end *e);
void session_record_close(struct session_record *r);

#endif

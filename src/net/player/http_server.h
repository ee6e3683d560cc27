/* The player's side of HTTP: requests, whether libmicrohttpd reads them or the door does,
 * and their answers. A request that is held is answered later, once, from any thread. */
#ifndef NET_PLAYER_HTTP_SERVER_H
#define NET_PLAYER_HTTP_SERVER_H

#include "base/text.h"
#include "net/player/access_log.h"

struct front;
struct request;

struct front_options {
	int listener; /* a socket, not blocking */
	size_t max_body;
	struct journal *journal;
	void *context;
	/* Both must not wait. A message is answered at once, or held: then true is returned,
	 * and the request may be gone already. */
	bool (*message)(void *context, struct request *q, const char *body, size_t length);
	void (*status)(void *context, struct text *json);
};

struct front *front_open(const struct front_options *o); /* NULL: no thread to be had */
void front_lock(struct front *f);                        /* nobody comes in any more */
void front_close(struct front *f);                       /* after front_lock(); nothing is held */
void front_watch(struct front *f, double now); /* to be called often: turns away who does not get on */

/* From when an answer is due to when it is out: the longest lately, forgotten slowly. */
double front_delay(const struct front *f);
void front_delayed(struct front *f, double seconds); /* so late was one who looks at the clock */

struct front_figures {
	unsigned long long errors, late;
};
struct front_figures front_figures(const struct front *f);

double request_arrived(const struct request *q);              /* on clock_now() */
void request_name(struct request *q, const char *verb, const char *match); /* for the journal */
/* At once; `why` is for the journal. */
void request_say(struct request *q, int status, const char *reply, const char *why);
void request_refuse(struct request *q, int status, const char *why);
/* Later: an answer more than `clock` seconds after the arrival is late. */
void request_hold(struct request *q, double clock);
void request_answer(void *request, int status, const char *reply, const char *why);

/* Where the system allows it, this thread runs before those that think. */
void front_be_punctual(void);

#endif

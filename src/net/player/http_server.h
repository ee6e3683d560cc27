/* The player's side of HTTP: requests, whether libmicrohttpd reads them or the listener does,
 * and their answers. A request that is held is answered later, once, from any thread. */
#ifndef NET_PLAYER_HTTP_SERVER_H
#define NET_PLAYER_HTTP_SERVER_H

#include "base/text.h"
#include "net/player/access_log.h"

struct http_server;
struct request;

struct http_server_options {
	int listener; /* a socket, not blocking */
	size_t max_body;
	size_t waiting; /* answers that may be waited for at the same time */
	struct access_log *log;
	void *context;
	/* Both must not wait. A message is answered at once, or held: then true is returned,
	 * and the request may be gone already. */
	bool (*message)(void *context, struct request *q, const char *body, size_t length);
	void (*status)(void *context, struct text *json);
};

struct http_server *http_server_open(const struct http_server_options *o); /* NULL: no thread could be started */
void http_server_shut(struct http_server *h);                              /* no more connections are taken */
void http_server_close(struct http_server *h); /* after http_server_shut(); nothing is held */
void http_server_watch(struct http_server *h,
                       double now); /* to be called often: closes connections that are too slow */

/* From when an answer is due to when it is out: the longest lately, forgotten slowly. */
double http_server_delay(const struct http_server *h);
void http_server_delayed(struct http_server *h, double seconds); /* somebody who waits for the clock was late by this */

struct http_server_figures {
	unsigned long long errors, late;
};
struct http_server_figures http_server_figures(const struct http_server *h);

double request_arrived(const struct request *q);                           /* on clock_now() */
void request_name(struct request *q, const char *verb, const char *match); /* for the access log */
/* At once; `why` is for the access log. */
void request_say(struct request *q, int status, const char *reply, const char *why);
void request_refuse(struct request *q, int status, const char *why);
/* Later: an answer more than `clock` seconds after the arrival is late. */
void request_hold(struct request *q, double clock);
void request_answer(void *request, int status, const char *reply, const char *why);

/* Where the system allows it, this thread runs before those that think. */
void http_server_be_punctual(void);

#endif

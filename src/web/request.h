/* One request to the interface of the page, and its answer. */
#ifndef WEB_REQUEST_H
#define WEB_REQUEST_H

#include "base/json.h"
#include "macaw/rules.h"

#include <jansson.h>
#include <microhttpd.h>

#define REQUEST_PARTS 6

struct web;

struct request {
	struct web *web;
	struct MHD_Connection *connection;
	const char *method;
	char *path;                /* taken apart: */
	char *part[REQUEST_PARTS]; /* words between the slashes behind /api/, decoded */
	size_t parts;
	bool host;       /* has the token */
	const char *key; /* of a match; NULL: none */
	json_t *body;    /* an object; empty where nothing was sent */
	/* the answer */
	int status;
	bool failed;
	struct text reply;
	struct json_writer w;          /* inside the object that is the reply */
	struct MHD_Response *response; /* instead of it: a stream, a file */
};

bool request_is(const struct request *q, const char *method);
const char *request_parameter(const struct request *q, const char *name); /* of the address; NULL: none */
uint64_t request_whole(const struct request *q, const char *name, uint64_t standard);

/* ---- the answer ---- */

/* The first failure counts; what was written before is dropped. */
void request_fail(struct request *q, int status, const char *code, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
void request_fail_help(struct request *q, int status, const char *code, const char *message, const char *help);
/* As the library says: whose fault it is gives the status; `code` where it is the input's. */
void request_fail_as(struct request *q, const macaw_error *e, const char *code);
/* The envelope of errors as members of the object that is being written: code, message. */
void request_put_error(struct json_writer *w, const char *key, const char *code, const char *message);
void request_put_place(struct json_writer *w, const macaw_place *at); /* members: line, column, … */
/* The library's word for what went wrong. */
const char *request_code(const macaw_error *e, const char *code);

/* ---- the body ---- */

/* Each fails the request when the member is there and is not what it should be. */
const char *body_text(struct request *q, const char *key, const char *standard); /* standard: when it is not there */
const char *body_needs(struct request *q, const char *key);                      /* "" after a failure */
double body_real(struct request *q, const char *key, double min, double max, double standard);
uint64_t body_whole(struct request *q, const char *key, uint64_t max, uint64_t standard);
bool body_flag(struct request *q, const char *key, bool standard);
json_t *body_list(struct request *q, const char *key); /* NULL: not there */

#endif

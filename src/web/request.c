/* Reading what a page asks for, and saying what is wrong with it. */
#include "web/request.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool request_is(const struct request *q, const char *method)
{
	return !strcmp(q->method, method);
}

const char *request_parameter(const struct request *q, const char *name)
{
	return MHD_lookup_connection_value(q->connection, MHD_GET_ARGUMENT_KIND, name);
}

uint64_t request_whole(const struct request *q, const char *name, uint64_t standard)
{
	const char *text = request_parameter(q, name);
	return text && *text >= '0' && *text <= '9' ? strtoull(text, NULL, 10) : standard;
}

/* ---- the answer ---- */

void request_put_error(struct json_writer *w, const char *key, const char *code, const char *message)
{
	jsonw_object(w, key);
	jsonw_text(w, "code", code);
	jsonw_text(w, "message", message);
	jsonw_end(w);
}

void request_fail_help(struct request *q, int status, const char *code, const char *message, const char *help)
{
	if (q->failed)
		return;
	q->failed = true;
	q->status = status;
	vec_clear(&q->reply);
	q->w = (struct json_writer){.out = &q->reply};
	jsonw_object(&q->w, NULL);
	jsonw_object(&q->w, "error");
	jsonw_text(&q->w, "code", code);
	jsonw_text(&q->w, "message", message);
	if (help)
		jsonw_text(&q->w, "help", help);
	jsonw_end(&q->w);
}

void request_fail(struct request *q, int status, const char *code, const char *format, ...)
{
	char message[1200];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(message, sizeof message, format, arguments);
	va_end(arguments);
	request_fail_help(q, status, code, message, NULL);
}

const char *request_code(const macaw_error *e, const char *code)
{
	return e->status == MACAW_MEMORY ? "out-of-memory" : e->status == MACAW_MACHINE ? "cannot" : code;
}

void request_fail_as(struct request *q, const macaw_error *e, const char *code)
{
	bool cannot = !strcmp(code, "cannot") || e->status == MACAW_MACHINE;
	int status = e->status == MACAW_MEMORY ? 503 : cannot ? 422 : !strcmp(code, "not-found") ? 404 : 400;
	request_fail_help(q, status, request_code(e, code), e->text, NULL);
}

/* ---- the body ---- */

static void complain(struct request *q, const char *key, const char *want)
{
	request_fail(q, 400, "bad-request", "`%s` must be %s", key, want);
}

const char *body_text(struct request *q, const char *key, const char *standard)
{
	const json_t *v = json_object_get(q->body, key);
	if (!v || json_is_null(v))
		return standard;
	if (!json_is_string(v) || strlen(json_string_value(v)) != json_string_length(v)) {
		complain(q, key, "a text");
		return standard;
	}
	return json_string_value(v);
}

const char *body_needs(struct request *q, const char *key)
{
	const char *text = body_text(q, key, NULL);
	if (!text)
		request_fail(q, 400, "bad-request", "`%s` is missing", key);
	return text ? text : "";
}

double body_real(struct request *q, const char *key, double min, double max, double standard)
{
	const json_t *v = json_object_get(q->body, key);
	if (!v || json_is_null(v))
		return standard;
	double x = json_number_value(v);
	if (json_is_number(v) && x >= min && x <= max)
		return x;
	char want[80];
	snprintf(want, sizeof want, "a number from %g to %g", min, max);
	complain(q, key, want);
	return standard;
}

uint64_t body_whole(struct request *q, const char *key, uint64_t max, uint64_t standard)
{
	double x = body_real(q, key, 0, (double)max, (double)standard);
	if (x != floor(x))
		complain(q, key, "a whole number");
	return (uint64_t)x;
}

bool body_flag(struct request *q, const char *key, bool standard)
{
	const json_t *v = json_object_get(q->body, key);
	if (!v || json_is_null(v))
		return standard;
	if (!json_is_boolean(v))
		complain(q, key, "true or false");
	return json_is_true(v);
}

json_t *body_list(struct request *q, const char *key)
{
	json_t *v = json_object_get(q->body, key);
	if (!v || json_is_null(v))
		return NULL;
	if (json_is_array(v))
		return v;
	complain(q, key, "a list");
	return NULL;
}

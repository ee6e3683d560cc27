/* Results as one JSON object on stdout. */
#ifndef CLI_JSON_OUT_H
#define CLI_JSON_OUT_H

#include "base/diag.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* JSON has neither infinity nor "not a number": null. */
static inline json_t *json_number(double x)
{
	return isfinite(x) ? json_real(x) : json_null();
}

/* Names of files may hold bytes that are no UTF-8: each becomes a question mark.
 * (In rulesheets such bytes are errors.) */
static inline json_t *json_text(const char *s)
{
	json_t *whole = json_string(s);
	if (whole)
		return whole;
	struct text t = {0};
	for (size_t left = strlen(s), n; left; s += n, left -= n) {
		n = diag_character(s, left);
		text_add(&t, n ? s : "?", n ? n : 1);
		n = n ? n : 1;
	}
	whole = json_string(text_str(&t));
	text_free(&t);
	return whole;
}

/* Prints and frees it. */
static inline void json_finish(json_t *object)
{
	json_dumpf(object, stdout, JSON_COMPACT | JSON_REAL_PRECISION(10));
	putchar('\n');
	json_decref(object);
}

#endif

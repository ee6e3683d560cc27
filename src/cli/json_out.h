/* Results as one JSON object on stdout. */
#ifndef CLI_JSON_OUT_H
#define CLI_JSON_OUT_H

#include "base/json_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* JSON has neither infinity nor "not a number": null. */
static inline json_t *json_number(double x)
{
	return isfinite(x) ? json_real(x) : json_null();
}

/* Prints and frees it. */
static inline void json_finish(json_t *object)
{
	json_dumpf(object, stdout, JSON_COMPACT | JSON_REAL_PRECISION(10));
	putchar('\n');
	json_decref(object);
}

#endif

/* Texts of any bytes as JSON strings: file names, and what comes from the network. */
#ifndef BASE_JSON_TEXT_H
#define BASE_JSON_TEXT_H

#include "base/text.h"
#include "base/utf8.h"

#include <jansson.h>
#include <string.h>

/* JSON holds UTF-8 only: every byte that is none becomes a question mark. */
static inline json_t *json_bytes(const char *s, size_t n)
{
	json_t *whole = json_stringn(s, n);
	if (whole)
		return whole;
	struct text t = {0};
	for (size_t length; n; s += length, n -= length) {
		length = utf8_length(s, n);
		text_add(&t, length ? s : "?", length ? length : 1);
		length = length ? length : 1;
	}
	whole = json_stringn(text_str(&t), t.n);
	text_free(&t);
	return whole;
}

static inline json_t *json_text(const char *s)
{
	return json_bytes(s, strlen(s));
}

#endif

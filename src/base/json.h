/* JSON written piece by piece: the one writer of the house.
 *
 *     struct json_writer w = {.out = &text};
 *     jsonw_object(&w, NULL);
 *     jsonw_text(&w, "game", "tictactoe");
 *     jsonw_array(&w, "goals");
 *     jsonw_int(&w, NULL, 100);
 *     jsonw_end(&w);
 *     jsonw_end(&w);                  {"game":"tictactoe","goals":[100]}
 *
 * `key` is the member's name inside an object and NULL elsewhere. Strings may hold any bytes: what is
 * not UTF-8 becomes a question mark. Numbers that are not finite become null. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

enum { JSON_MAX_DEPTH = 64 };

struct json_writer {
	struct text *out;
	bool filled[JSON_MAX_DEPTH + 1]; /* by depth: something was written there */
	bool array[JSON_MAX_DEPTH + 1];
	int depth;
	bool lines; /* each value on a line of its own, indented by depth: for files that people read */
};

void jsonw_object(struct json_writer *w, const char *key); /* until jsonw_end */
void jsonw_array(struct json_writer *w, const char *key);
void jsonw_end(struct json_writer *w);
void jsonw_text(struct json_writer *w, const char *key, const char *s); /* s NULL: null */
void jsonw_textn(struct json_writer *w, const char *key, const char *s, size_t n);
void jsonw_int(struct json_writer *w, const char *key, int64_t x);
void jsonw_uint(struct json_writer *w, const char *key, uint64_t x);
void jsonw_real(struct json_writer *w, const char *key, double x); /* ten significant digits */
void jsonw_bool(struct json_writer *w, const char *key, bool x);
void jsonw_null(struct json_writer *w, const char *key);
void jsonw_raw(struct json_writer *w, const char *key, const char *json); /* JSON that is there already */

void json_quote(struct text *out, const char *s, size_t n); /* a string in quotes */

#endif

/* JSON read into a tree, for small files of settings: the libraries that compute have no other reader. (Records and
 * messages, which are large and many, are read by jansson.)
 *
 *     const struct json *j = json_read(&arena, text, length, &error);
 *     for (const struct json *m = j->first; m; m = m->next) use(m->key, m);
 */
#ifndef BASE_JSON_READ_H
#define BASE_JSON_READ_H

#include "base/arena.h"
#include "base/text.h"

#include <stdbool.h>

enum json_type { JSON_IS_NULL, JSON_IS_BOOL, JSON_IS_NUMBER, JSON_IS_TEXT, JSON_IS_ARRAY, JSON_IS_OBJECT };

struct json {
	enum json_type type;
	const char *key;  /* in an object; else NULL */
	const char *text; /* of JSON_IS_TEXT */
	double number;
	bool yes;
	uint32_t line;
	struct json *first, *next; /* members or elements, in their order */
};

/* NULL with a message that names the line ("line 3: …"). The tree lies in the arena. */
const struct json *json_read(struct arena *a, const char *text, size_t length, struct text *error);
const struct json *json_member(const struct json *object, const char *key); /* NULL: none, or no object */

#endif

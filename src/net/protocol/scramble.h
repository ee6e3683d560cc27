/* Other words in the place of the names of a game, so that no name means anything.
 * Keywords and numbers stay. */
#ifndef NET_PROTOCOL_SCRAMBLE_H
#define NET_PROTOCOL_SCRAMBLE_H

#include "base/text.h"

struct scramble;

/* A word for every name of the rules; rules NULL: names stay as they are. */
struct scramble *scramble_new(const char *rules, size_t length, uint64_t seed);
void scramble_free(struct scramble *s);

/* A term or rules, there and back; names that were not in the rules stay. */
void scramble_put(const struct scramble *s, const char *text, size_t length, struct text *out);
void scramble_undo(const struct scramble *s, const char *text, size_t length, struct text *out);

#endif

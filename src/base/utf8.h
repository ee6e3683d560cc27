/* UTF-8: how long a character is, and how wide a text. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of the well-formed character at `s` (1 to 4), or 0 when it is none. */
static inline size_t utf8_length(const char *s, size_t left)
{
	const unsigned char *u = (const unsigned char *)s;
	if (!left)
		return 0;
	size_t n = u[0] < 0x80 ? 1 : u[0] < 0xc2 ? 0 : u[0] < 0xe0 ? 2 : u[0] < 0xf0 ? 3 : u[0] < 0xf5 ? 4 : 0;
	if (!n || n > left)
		return 0;
	for (size_t i = 1; i < n; i++)
		if ((u[i] & 0xc0) != 0x80)
			return 0;
	if ((u[0] == 0xe0 && u[1] < 0xa0) || (u[0] == 0xed && u[1] > 0x9f) || (u[0] == 0xf0 && u[1] < 0x90) ||
	    (u[0] == 0xf4 && u[1] > 0x8f))
		return 0;
	return n;
}

/* A byte inside a character, not its first. */
static inline bool utf8_continues(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* Characters of n bytes: the columns they take on a terminal, as far as no wide ones are among them. */
static inline int utf8_columns(const char *s, size_t n)
{
	int count = 0;
	for (size_t i = 0; i < n; i++)
		count += !utf8_continues(s[i]);
	return count;
}

#endif

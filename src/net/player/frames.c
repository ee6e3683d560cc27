/* Frames in texts: added at the end, taken off at the beginning. */
#include "net/player/frames.h"

#include <string.h>

/* After the text: every text ends with a NUL, and the next head is aligned. */
static size_t padding(const struct frame *f)
{
	return -f->length % sizeof(double) + sizeof(double);
}

void frame_add(struct text *out, struct frame f, const char *text, size_t length, const char *second)
{
	f.length = length + (second ? strlen(second) + 1 : 0);
	text_add(out, (const char *)&f, sizeof f);
	text_add(out, text, length);
	if (second)
		text_add(out, "", 1);
	if (second)
		text_add(out, second, strlen(second));
	text_add(out, (char[2 * sizeof(double)]){0}, padding(&f));
}

static size_t whole(const struct frame *f)
{
	return sizeof *f + f->length + padding(f);
}

const struct frame *frame_first(const struct text *in, const char **text)
{
	const struct frame *f = (const void *)in->at;
	if (in->n < sizeof *f || in->n < whole(f))
		return NULL;
	*text = in->at + sizeof *f;
	return f;
}

void frame_drop(struct text *in)
{
	size_t n = whole((const void *)in->at);
	memmove(in->at, in->at + n, in->n - n);
	in->n -= n;
}

const char *frame_second(const struct frame *f, const char *text)
{
	size_t n = strnlen(text, f->length);
	return n < f->length ? text + n + 1 : "";
}

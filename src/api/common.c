/* Errors, limits, memory and version: what all parts of the public face share. */
#include "api/api_internal.h"
#include "base/utf8.h"
#include "base/version.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>

void api_clear(macaw_error *e)
{
	if (e) {
		e->status = MACAW_OK;
		e->text[0] = 0;
	}
}

int api_fit(const char *text, size_t room)
{
	size_t n = strnlen(text, room);
	if (n == room)
		while (n && utf8_continues(text[n]))
			n--;
	return (int)n;
}

/* What did not fit ends before the first character that is not there as a whole; no text ends in a newline. */
static void trim(char *text, bool cut)
{
	size_t n = strlen(text), last = n;
	while (cut && last && utf8_continues(text[last - 1]))
		last--;
	if (cut && last && !utf8_length(text + last - 1, n - last + 1))
		n = last - 1;
	while (n && text[n - 1] == '\n')
		n--;
	text[n] = 0;
}

void api_fail(macaw_error *e, enum macaw_status status, const char *format, ...)
{
	if (!e)
		return;
	va_list ap;
	va_start(ap, format);
	e->status = status;
	int wanted = vsnprintf(e->text, sizeof e->text, format, ap);
	va_end(ap);
	trim(e->text, wanted < 0 || (size_t)wanted >= sizeof e->text);
}

void api_fail_text(macaw_error *e, enum macaw_status status, const struct text *message)
{
	api_fail(e, status, "%s", text_str(message));
}

/* ---- handles ---- */

static atomic_size_t bytes_per_object; /* the one setting of the process */

void macaw_memory_limit(size_t bytes)
{
	atomic_store(&bytes_per_object, bytes);
}

bool handle_open(struct handle *h, macaw_error *e)
{
	api_clear(e);
	h->broken = false;
	h->scope = mem_scope_new();
	if (!h->scope)
		api_fail(e, MACAW_MEMORY, "out of memory");
	else
		mem_scope_limit(h->scope, atomic_load(&bytes_per_object));
	return h->scope;
}

void handle_close(struct handle *h)
{
	if (h->broken)
		mem_scope_free(h->scope);
	else
		mem_scope_release(h->scope);
	h->scope = NULL;
}

bool handle_usable(struct handle *h, macaw_error *e)
{
	if (h->broken)
		api_fail(e, MACAW_MEMORY, "out of memory in an earlier call: this object can only be freed");
	else
		api_clear(e);
	return !h->broken;
}

void handle_break(struct handle *h, macaw_error *e)
{
	h->broken = true;
	api_fail(e, MACAW_MEMORY, "out of memory");
}

/* ---- limits and texts ---- */

/* The flag is one byte that is read and written as a whole: an atomic_bool in the inside. */
_Static_assert(sizeof(macaw_stop) == sizeof(atomic_bool), "a stop flag is an atomic_bool");

void macaw_stop_now(macaw_stop *s)
{
	if (s)
		__atomic_store_n(&s->flag, 1, __ATOMIC_SEQ_CST);
}

void macaw_stop_clear(macaw_stop *s)
{
	if (s)
		__atomic_store_n(&s->flag, 0, __ATOMIC_SEQ_CST);
}

bool macaw_stopped(const macaw_stop *s)
{
	return s && __atomic_load_n(&s->flag, __ATOMIC_SEQ_CST);
}

struct limit api_limit(macaw_limit l)
{
	struct limit inside = l.seconds > 0 ? limit_seconds(l.seconds) : (struct limit){0};
	inside.stop = (atomic_bool *)l.stop;
	return inside;
}

char *api_give(struct text *t)
{
	char *copy = malloc(t->n + 1);
	if (copy)
		memcpy(copy, text_str(t), t->n + 1);
	text_free(t);
	return copy;
}

void macaw_free(void *text)
{
	free(text);
}

const char *macaw_version(void)
{
	return MACAW_VERSION;
}

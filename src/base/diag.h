/* Diagnostics with source positions: collected, sorted, printed once.
 *
 *     tictactoe.kif:12:9: error: variable ?y is used in the head but nowhere bound
 *        12 | (<= (next (cell ?x ?y x))
 *           |                    ^~
 *           = note: ... / help: ...
 */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include "base/arena.h"
#include "base/text.h"

#include <stdarg.h>
#include <stdbool.h>

/* Bytes [from, to) of a source text. */
struct range {
	uint32_t from, to;
};

enum severity { DIAG_ERROR, DIAG_WARNING };

struct diag {
	enum severity severity;
	struct range at;
	const char *code;    /* short stable name, e.g. "unsafe-variable" */
	const char *message; /* one line */
	const char *help;    /* suggestion or NULL */
	struct range also;   /* a second place, when .also.to > 0 */
	const char *also_message;
};

struct diags {
	struct arena text;
	VEC(struct diag) all;
	size_t errors, warnings;
	size_t max; /* further ones are counted but not kept, warnings before errors; 0: 1000 */
	size_t kept_warnings;
};

/* Returns the new entry so that help and a second place can be added, or NULL
 * when the list is full. */
struct diag *diag_add(struct diags *d, enum severity s, struct range at, const char *code, const char *format, ...)
	__attribute__((format(printf, 5, 6)));
struct diag *diag_addv(struct diags *d, enum severity s, struct range at, const char *code, const char *format,
                       va_list ap);
const char *diag_text(struct diags *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
void diag_sort(struct diags *d);          /* by position, then severity */
void diag_drop_warnings(struct diags *d); /* keeps the errors */
void diag_free(struct diags *d);

/* 1-based line and column (in characters, not bytes) of a byte offset. */
struct place {
	uint32_t line, column;
};
struct place diag_place(const char *source, size_t length, uint32_t offset);
/* The places of all diagnostics in one sweep, four each: at.from, at.to, also.from, also.to. */
void diag_places(const struct diags *d, const char *source, size_t length, struct place *places);

/* All of them as text for people (colour: ANSI escapes). */
void diag_print(const struct diags *d, const char *file, const char *source, size_t length, bool colour,
                struct text *out);

#endif

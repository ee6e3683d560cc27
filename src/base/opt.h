/* Options declared once, as a table: parsing, range checks, help text and the
 * manual page (show/command.h) all come from it.
 *
 *     struct simulate_options { double seconds; int64_t threads; bool json; };
 *     #define FIELD(f) offsetof(struct simulate_options, f)
 *     static const struct opt table[] = {
 *         {"time", 't', OPT_REAL, FIELD(seconds), "SEC", "play for this long", .real = 1, .min = 0, .max = 1e6},
 *         {"threads", 0, OPT_INT, FIELD(threads), "N", "worker threads", .whole = 1, .min = 1, .max = 256},
 *         {"json", 0, OPT_FLAG, FIELD(json), NULL, "print one JSON object"},
 *         {0}};
 *
 * Values land at their offset in a struct of the caller's, defaults first. */
#ifndef BASE_OPT_H
#define BASE_OPT_H

#include "base/text.h"

#include <stdbool.h>

enum opt_kind {
	OPT_FLAG,   /* bool: --json, --no-json */
	OPT_INT,    /* int64_t */
	OPT_REAL,   /* double */
	OPT_TEXT,   /* const char *, pointing into argv or the default */
	OPT_CHOICE, /* int: index into .choices ("a|b|c") */
	OPT_LIST    /* struct opt_list: each time it is given adds one */
};

enum { OPT_LIST_MAX = 64 };

struct opt_list {
	const char *at[OPT_LIST_MAX]; /* pointing into argv */
	size_t n;
};

struct opt {
	const char *name; /* long name, without dashes; NULL ends the table */
	char letter;      /* short name or 0 */
	enum opt_kind kind;
	size_t offset;
	const char *metavar; /* in help; NULL for flags */
	const char *help;    /* one line, no full stop */
	int64_t whole;       /* default of OPT_INT, OPT_CHOICE, OPT_FLAG */
	double real;         /* default of OPT_REAL */
	const char *words;   /* default of OPT_TEXT, may be NULL */
	const char *choices; /* OPT_CHOICE */
	double min, max;     /* of numbers; both 0: no bounds */
	bool tuning;         /* steers a search, and is listed apart: base/tuning.h */
};

void opt_defaults(const struct opt *table, void *into);

/* Sets defaults, then reads argv[1..]. Words that are not options are moved to
 * the front of argv[1..] and counted. Understands --name value, --name=value,
 * -x value, -xvalue, joined flags, `--`. Returns the count, or -1 with a
 * one-line message in `error` that suggests the nearest name for a typo. */
int opt_parse(const struct opt *table, void *into, int argc, char **argv, struct text *error);

/* One option from text ("name=value"), for players' parameters and the like. */
bool opt_set(const struct opt *table, void *into, const char *name, const char *value, struct text *error);

/* The help line of an option with what else is in the table: choices and default. */
void opt_describe(const struct opt *o, struct text *out);

#endif

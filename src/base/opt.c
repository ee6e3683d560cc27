/* One table, three uses here: defaults, the command line, single settings from
 * text (help and the manual page are made of it in show/command.c). An option is found by name, its
 * value is read by the one function `store`, and everything else goes through
 * these two, so that `--threads 4`, `-j4` and "threads=4" cannot disagree.
 *
 * An option whose .help is NULL works but is shown nowhere. */
#include "base/opt.h"

#include "base/nearest.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_MAX = 64 };

/* --- defaults and values --- */

void opt_defaults(const struct opt *table, void *into)
{
	for (const struct opt *o = table; o && o->name; o++) {
		void *at = (char *)into + o->offset;
		switch (o->kind) {
		case OPT_FLAG: *(bool *)at = o->whole != 0; break;
		case OPT_INT: *(int64_t *)at = o->whole; break;
		case OPT_REAL: *(double *)at = o->real; break;
		case OPT_TEXT: *(const char **)at = o->words; break;
		case OPT_CHOICE: *(int *)at = (int)o->whole; break;
		case OPT_LIST: ((struct opt_list *)at)->n = 0; break;
		}
	}
}

static bool in_bounds(const struct opt *o, double x)
{
	return (o->min == 0 && o->max == 0) || (x >= o->min && x <= o->max);
}

static bool out_of_bounds(const struct opt *o, const char *value, struct text *error)
{
	text_printf(error, "--%s must be between %.15g and %.15g, not %s", o->name, o->min, o->max, value);
	return false;
}

/* Position of `value` among "a|b|c", or -1. */
static int choice_index(const char *choices, const char *value)
{
	size_t length = strlen(value);
	int i = 0;
	for (const char *c = choices; *c; i++) {
		size_t n = strcspn(c, "|");
		if (n == length && !strncmp(c, value, n))
			return i;
		c += n + (c[n] == '|');
	}
	return -1;
}

static void put_choices(const char *choices, struct text *out)
{
	for (const char *c = choices; *c; c++)
		*c == '|' ? text_puts(out, ", ") : text_putc(out, *c);
}

static bool store_flag(const struct opt *o, bool *at, const char *value, struct text *error)
{
	int i = value ? choice_index("no|yes|false|true|off|on|0|1", value) : 1;
	if (i < 0) {
		text_printf(error, "--%s is yes or no, not '%s'", o->name, value);
		return false;
	}
	*at = i & 1;
	return true;
}

static bool store_int(const struct opt *o, int64_t *at, const char *value, struct text *error)
{
	char *end;
	errno = 0;
	long long x = strtoll(value, &end, 10);
	if (end == value || *end) {
		text_printf(error, "--%s needs a whole number, not '%s'", o->name, value);
		return false;
	}
	if (errno == ERANGE) {
		text_printf(error, "--%s: %s is too large a number", o->name, value);
		return false;
	}
	if (!in_bounds(o, (double)x))
		return out_of_bounds(o, value, error);
	*at = x;
	return true;
}

static bool store_real(const struct opt *o, double *at, const char *value, struct text *error)
{
	char *end;
	double x = strtod(value, &end);
	if (end == value || *end || !isfinite(x)) {
		text_printf(error, "--%s needs a number, not '%s'", o->name, value);
		return false;
	}
	if (!in_bounds(o, x))
		return out_of_bounds(o, value, error);
	*at = x;
	return true;
}

static bool store_choice(const struct opt *o, int *at, const char *value, struct text *error)
{
	int i = choice_index(o->choices, value);
	if (i < 0) {
		text_printf(error, "--%s is one of ", o->name);
		put_choices(o->choices, error);
		text_printf(error, "; not '%s'", value);
		return false;
	}
	*at = i;
	return true;
}

static bool store_one_more(const struct opt *o, struct opt_list *list, const char *value, struct text *error)
{
	if (list->n < OPT_LIST_MAX) {
		list->at[list->n++] = value;
		return true;
	}
	text_printf(error, "--%s is given more than %d times", o->name, OPT_LIST_MAX);
	return false;
}

/* `value` is NULL only for flags. */
static bool store(const struct opt *o, void *into, const char *value, struct text *error)
{
	void *at = (char *)into + o->offset;
	switch (o->kind) {
	case OPT_FLAG: return store_flag(o, at, value, error);
	case OPT_INT: return store_int(o, at, value, error);
	case OPT_REAL: return store_real(o, at, value, error);
	case OPT_TEXT: *(const char **)at = value; return true;
	case OPT_CHOICE: return store_choice(o, at, value, error);
	case OPT_LIST: return store_one_more(o, at, value, error);
	}
	return false;
}

/* --- finding an option --- */

static const struct opt *find_name(const struct opt *table, const char *name, size_t length)
{
	for (const struct opt *o = table; o && o->name; o++)
		if (strlen(o->name) == length && !strncmp(o->name, name, length))
			return o;
	return NULL;
}

static const struct opt *find_letter(const struct opt *table, char letter)
{
	for (const struct opt *o = table; o && o->name; o++)
		if (o->letter == letter)
			return o;
	return NULL;
}

static void unknown(const struct opt *table, const char *name, size_t length, const char *dashes, struct text *error)
{
	char word[WORD_MAX];
	const char *names[128];
	size_t n = 0, keep = length < WORD_MAX - 1 ? length : WORD_MAX - 1;
	memcpy(word, name, keep);
	word[keep] = 0;
	for (const struct opt *o = table; o && o->name && n < 127; o++)
		if (o->help)
			names[n++] = o->name;
	names[n] = NULL;
	const char *near = nearest_word(word, names);
	text_printf(error, "unknown option %s%s", dashes, word);
	if (near)
		text_printf(error, " (did you mean %s%s?)", dashes, near);
}

bool opt_set(const struct opt *table, void *into, const char *name, const char *value, struct text *error)
{
	const struct opt *o = find_name(table, name, strlen(name));
	if (!o) {
		unknown(table, name, strlen(name), "", error);
		return false;
	}
	if (!value && o->kind != OPT_FLAG) {
		text_printf(error, "%s needs a value", name);
		return false;
	}
	size_t before = error ? error->n : 0;
	bool good = store(o, into, value, error);
	if (!good && error->n > before + 2 && !strncmp(error->at + before, "--", 2)) { /* it was written without dashes */
		memmove(error->at + before, error->at + before + 2, error->n - before - 1);
		error->n -= 2;
	}
	return good;
}

/* --- the command line --- */

struct reader {
	const struct opt *table;
	void *into;
	int argc, next; /* argv[next] is unread */
	char **argv;
	struct text *error;
};

static bool store_next(struct reader *r, const struct opt *o)
{
	if (r->next >= r->argc) {
		text_printf(r->error, "--%s needs a value (%s)", o->name, o->metavar ? o->metavar : "VALUE");
		return false;
	}
	return store(o, r->into, r->argv[r->next++], r->error);
}

/* `word` follows the two dashes. */
static bool read_long(struct reader *r, const char *word)
{
	size_t length = strcspn(word, "=");
	const char *value = word[length] ? word + length + 1 : NULL;
	const struct opt *o = find_name(r->table, word, length);
	if (!o && !value && !strncmp(word, "no-", 3)) {
		o = find_name(r->table, word + 3, length - 3);
		if (o && o->kind == OPT_FLAG)
			return store(o, r->into, "no", r->error);
		o = NULL;
	}
	if (!o) {
		unknown(r->table, word, length, "--", r->error);
		return false;
	}
	return value || o->kind == OPT_FLAG ? store(o, r->into, value, r->error) : store_next(r, o);
}

/* `word` follows the single dash: joined flags, the last may take a value. */
static bool read_short(struct reader *r, const char *word)
{
	for (; *word; word++) {
		const struct opt *o = find_letter(r->table, *word);
		if (!o) {
			text_printf(r->error, "unknown option -%c", *word);
			return false;
		}
		if (o->kind != OPT_FLAG)
			return word[1] ? store(o, r->into, word + 1, r->error) : store_next(r, o);
		if (!store(o, r->into, NULL, r->error))
			return false;
	}
	return true;
}

int opt_parse(const struct opt *table, void *into, int argc, char **argv, struct text *error)
{
	struct reader r = {table, into, argc, 1, argv, error};
	int words = 0;
	opt_defaults(table, into);
	while (r.next < argc) {
		char *word = argv[r.next++];
		if (!strcmp(word, "--"))
			break;
		bool ok = true;
		if (word[0] != '-' || !word[1]) /* a lone dash is a word: standard input */
			argv[++words] = word;
		else
			ok = word[1] == '-' ? read_long(&r, word + 2) : read_short(&r, word + 1);
		if (!ok)
			return -1;
	}
	while (r.next < argc)
		argv[++words] = argv[r.next++];
	return words;
}

/* The help line with what else is in the table: choices, default, bounds. */
void opt_describe(const struct opt *o, struct text *out)
{
	text_puts(out, o->help);
	if (o->kind == OPT_CHOICE) {
		text_puts(out, ": ");
		put_choices(o->choices, out);
		const char *c = o->choices;
		for (int64_t i = 0; i < o->whole && *c; i++)
			c += strcspn(c, "|") + 1;
		text_printf(out, " (default %.*s)", (int)strcspn(c, "|"), c);
	}
	/* A default outside of the bounds means that the command decides. */
	if ((o->kind == OPT_INT || o->kind == OPT_REAL) && !o->whole && o->real == 0 && strstr(o->help, "(0: "))
		return; /* it says what that means */
	if (o->kind == OPT_INT && in_bounds(o, (double)o->whole))
		text_printf(out, " (default %" PRId64 ")", o->whole);
	if (o->kind == OPT_REAL && in_bounds(o, o->real))
		text_printf(out, " (default %.15g)", o->real);
	if (o->kind == OPT_TEXT && o->words)
		text_printf(out, " (default %s)", o->words);
	if (o->kind == OPT_FLAG && o->whole)
		text_printf(out, " (default yes; --no-%s)", o->name);
}

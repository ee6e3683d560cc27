/* Compares moves with what was typed in a plain form: lower case, words parted by one blank. */
#include "cli/move_text.h"

#include <ctype.h>
#include <string.h>

static bool is_gap(char c)
{
	return isspace((unsigned char)c) || strchr("(),", c);
}

/* "(Mark 1 2)" and "mark(1,2)" are "mark 1 2". */
static void plain(const char *from, struct text *to)
{
	to->n = 0;
	text_add(to, "", 0);
	for (; *from; from++)
		if (!is_gap(*from))
			text_putc(to, (char)tolower((unsigned char)*from));
		else if (to->n && to->at[to->n - 1] != ' ')
			text_putc(to, ' ');
	while (to->n && to->at[to->n - 1] == ' ')
		to->at[--to->n] = 0;
}

/* Letters and digits only: "e2-e4" and "e 2 e 4" are "e2e4". */
static void compact(const char *from, struct text *to)
{
	to->n = 0;
	text_add(to, "", 0);
	for (; *from; from++)
		if (isalnum((unsigned char)*from) || (unsigned char)*from >= 0x80)
			text_putc(to, *from);
}

/* What is typed, and a move it is held against. */
struct reading {
	struct text typed, typed_compact, move, part;
};

typedef bool fits_how(struct reading *r);

static bool is_whole(struct reading *r)
{
	return !strcmp(text_str(&r->move), text_str(&r->typed));
}

/* All arguments, or the last ones. */
static bool is_arguments(struct reading *r)
{
	for (const char *at = strchr(text_str(&r->move), ' '); at; at = strchr(at + 1, ' '))
		if (!strcmp(at + 1, text_str(&r->typed)))
			return true;
	return false;
}

static bool is_joined_arguments(struct reading *r)
{
	for (const char *at = strchr(text_str(&r->move), ' '); at; at = strchr(at + 1, ' ')) {
		compact(at + 1, &r->part);
		if (!strcmp(text_str(&r->part), text_str(&r->typed_compact)))
			return true;
	}
	return false;
}

static bool begins(const struct text *whole, const struct text *with)
{
	return !strncmp(text_str(whole), text_str(with), with->n);
}

static bool is_beginning(struct reading *r)
{
	return begins(&r->move, &r->typed);
}

static bool begins_arguments(struct reading *r)
{
	const char *arguments = strchr(text_str(&r->move), ' ');
	compact(arguments ? arguments : "", &r->part);
	return begins(&r->part, &r->typed_compact);
}

bool move_text_find(const char *const *moves, uint32_t count, const char *text, struct move_fits *fits)
{
	static fits_how *const readings[] = {is_whole, is_arguments, is_joined_arguments, is_beginning, begins_arguments};
	struct reading r = {0};
	vec_clear(fits);
	plain(text, &r.typed);
	compact(text_str(&r.typed), &r.typed_compact);
	size_t k = 0;
	for (; k < sizeof readings / sizeof *readings && !fits->n && r.typed_compact.n; k++)
		for (uint32_t i = 0; i < count; i++) {
			plain(moves[i], &r.move);
			if (readings[k](&r))
				vec_push(fits, i);
		}
	text_free(&r.typed);
	text_free(&r.typed_compact);
	text_free(&r.move);
	text_free(&r.part);
	return fits->n && k <= 2;
}

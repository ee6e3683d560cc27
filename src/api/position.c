/* Positions for others: compared, hashed, written and read. */
#include "macaw/position.h"
#include "api/api_internal.h"
#include "base/bits.h"

#include <stdlib.h>

size_t macaw_position_words(const macaw_game *g)
{
	return api_game(g)->words;
}

const uint64_t *macaw_position_initial(const macaw_game *g)
{
	return api_game(g)->initial;
}

bool macaw_position_equal(const macaw_game *g, const uint64_t *a, const uint64_t *b)
{
	return !memcmp(a, b, api_game(g)->words * sizeof *a);
}

uint64_t macaw_position_hash(const macaw_game *g, const uint64_t *p)
{
	return game_hash(api_game(g), p);
}

/* ---- text ---- */

static char *write_text(const struct game *g, const uint64_t *p)
{
	struct text out = {0};
	BITS_EACH (f, p, g->fluents) {
		text_puts(&out, out.n ? " " : "");
		game_print_fluent(g, (uint32_t)f, &out);
	}
	return api_give(&out);
}

char *macaw_position_text(const macaw_game *g, const uint64_t *p)
{
	char *out = NULL;
	GUARD(api_game_handle(g), NULL, NULL, out = write_text(api_game(g), p));
	return out;
}

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Where the term at `at` ends: at the bracket that closes it, or at a blank outside of brackets. */
static const char *term_end(const char *at)
{
	size_t depth = 0;
	for (; *at && !(is_blank(*at) && !depth); at++)
		if (*at == '(')
			depth++;
		else if (*at == ')' && (!depth || !--depth))
			return at + 1;
	return at;
}

/* Adds the fluents of a text; false: the error names the one that is not of this game. */
static bool read_text(const struct game *g, const char *text, uint64_t *p, macaw_error *e)
{
	struct text word = {0};
	bool ok = true;
	while (is_blank(*text))
		text++;
	while (ok && *text) {
		const char *end = term_end(text);
		vec_clear(&word);
		text_add(&word, text, (size_t)(end - text));
		uint32_t f = game_find_fluent(g, text_str(&word));
		ok = f != GAME_NONE;
		if (ok)
			bits_add(p, f);
		else
			api_fail(e, MACAW_INPUT, "`%.*s` is no fluent of this game", api_fit(text_str(&word), 200),
			         text_str(&word));
		for (text = end; is_blank(*text); text++)
			;
	}
	text_free(&word);
	return ok;
}

bool macaw_position_parse(const macaw_game *g, const char *text, uint64_t *p, macaw_error *e)
{
	bool ok = false;
	api_clear(e);
	memset(p, 0, api_game(g)->words * sizeof *p);
	GUARD(api_game_handle(g), e, false, ok = read_text(api_game(g), text ? text : "", p, e));
	return ok;
}

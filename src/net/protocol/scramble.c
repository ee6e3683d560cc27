/* Two symbol tables of equal length: the names of the rules and the words they are sent as. */
#include "net/protocol/scramble.h"

#include "base/rng.h"
#include "base/sym.h"
#include "gdl/gdl.h"
#include "net/protocol/kif.h"

#include <string.h>
#include <strings.h>

/* Symbol i of `names` is sent as symbol i of `words`. */
struct scramble {
	struct symbols names, words;
};

static bool stays(const char *s, size_t n)
{
	static const char *const fixed[] = {
#define K(id, text, arity) text,
		GDL_KEYWORDS(K)
#undef K
			"<=",
		"(", ")", "nil", NULL};
	if (n && strspn(s, "0123456789") >= n)
		return true;
	for (size_t i = 0; fixed[i]; i++)
		if (strlen(fixed[i]) == n && !strncasecmp(fixed[i], s, n))
			return true;
	return false;
}

/* Syllables, so that people can still distinguish the words. */
static void make_word(struct rng *rng, bool variable, char *word)
{
	if (variable)
		*word++ = '?';
	for (int i = 0; i < 4; i++) {
		*word++ = "bdfgklmnprstvz"[rng_below(rng, 14)];
		*word++ = "aeiou"[rng_below(rng, 5)];
	}
	*word = 0;
}

struct scramble *scramble_new(const char *rules, size_t length, uint64_t seed)
{
	struct scramble *s = NEW(struct scramble);
	struct rng rng = rng_seed(seed);
	size_t at = 0, from, to;
	while (rules && kif_token(rules, length, &at, &from, &to)) {
		char word[16];
		if (stays(rules + from, to - from) || sym_find(&s->names, rules + from, to - from) != SYM_NONE)
			continue;
		do
			make_word(&rng, rules[from] == '?', word);
		while (sym_find(&s->words, word, strlen(word)) != SYM_NONE);
		sym_put(&s->names, rules + from, to - from);
		sym_put(&s->words, word, strlen(word));
	}
	return s;
}

void scramble_free(struct scramble *s)
{
	if (!s)
		return;
	sym_free(&s->names);
	sym_free(&s->words);
	mem_free(s);
}

static void replace(const struct symbols *from_words, const struct symbols *to_words, const char *text, size_t length,
                    struct text *out)
{
	size_t at = 0, from, to, end = 0;
	while (kif_token(text, length, &at, &from, &to)) {
		sym_t id = stays(text + from, to - from) ? SYM_NONE : sym_find(from_words, text + from, to - from);
		if (from > end || (end && text[from] != ')' && text[end - 1] != '('))
			text_putc(out, ' ');
		if (id == SYM_NONE)
			text_add(out, text + from, to - from);
		else
			text_puts(out, sym_text(to_words, id));
		end = to;
	}
}

void scramble_put(const struct scramble *s, const char *text, size_t length, struct text *out)
{
	replace(&s->names, &s->words, text, length, out);
}

void scramble_undo(const struct scramble *s, const char *text, size_t length, struct text *out)
{
	replace(&s->words, &s->names, text, length, out);
}

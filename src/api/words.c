/* The words of rules for others; found when they are first asked for. */
#include "gdl/words.h"
#include "api/api_internal.h"
#include "api/rules_internal.h"
#include "base/diag.h"
#include "base/utf8.h"

#include <stdlib.h>

struct rule_words {
	struct gdl_words all;
	struct gdl_domains *domains; /* NULL: the rules are too large */
	struct place *places;        /* two per word: where it begins and ends */
};

void rule_words_free(struct rule_words *w)
{
	if (!w)
		return;
	vec_free(&w->all);
	gdl_domains_free(w->domains);
	mem_free(w->places);
	mem_free(w);
}

/* Words stand one behind another, so one sweep finds the places of all. */
static void find_places(struct rule_words *w, const char *source, size_t length)
{
	struct place now = {1, 1};
	size_t next = 0; /* begin or end of a word */
	w->places = NEW_ARRAY(struct place, 2 * w->all.n + 1);
	for (size_t i = 0; i <= length && next < 2 * w->all.n; i++) {
		for (; next < 2 * w->all.n; next++) {
			struct range at = w->all.at[next / 2].at;
			if ((next % 2 ? at.to : at.from) > i)
				break;
			w->places[next] = now;
		}
		if (i < length && (source[i] == '\n' || (source[i] == '\r' && (i + 1 == length || source[i + 1] != '\n'))))
			now = (struct place){now.line + 1, 1};
		else if (i + 1 < length)
			now.column += !utf8_continues(source[i + 1]);
		else
			now.column++;
	}
}

static struct rule_words *find_words(const macaw_rules *r)
{
	struct rule_words *w = NEW(struct rule_words);
	size_t n;
	const char *source = macaw_rules_source(r, &n);
	gdl_words_find(api_rules(r), source, n, &w->all);
	w->domains = gdl_domains_make(api_rules(r));
	find_places(w, source, n);
	return w;
}

/* NULL: out of memory. */
static struct rule_words *words_of(const macaw_rules *r)
{
	macaw_rules *own = unconst(r); /* the words are part of them, only later */
	struct rule_words **slot = api_rules_words(own);
	if (!*slot)
		GUARD(api_rules_handle(own), NULL, NULL, *slot = find_words(r));
	return *slot;
}

size_t macaw_rules_words(const macaw_rules *r)
{
	const struct rule_words *w = words_of(r);
	return w ? w->all.n : 0;
}

macaw_word macaw_rules_word(const macaw_rules *r, size_t i)
{
	const struct rule_words *w = words_of(r);
	if (!w || i >= w->all.n)
		return (macaw_word){0};
	const struct gdl_word *x = &w->all.at[i];
	struct range rule = api_rules(r)->clauses.at[x->clause].at;
	return (macaw_word){.kind = (enum macaw_word_kind)x->kind,
	                    .text = sym_text(&api_rules(r)->symbols, x->name),
	                    .arity = x->arity,
	                    .rule = x->clause,
	                    .rule_from = rule.from,
	                    .rule_to = rule.to,
	                    .defines = x->defines,
	                    .at = {w->places[2 * i].line, w->places[2 * i].column, w->places[2 * i + 1].line,
	                           w->places[2 * i + 1].column, x->at.from, x->at.to}};
}

size_t macaw_rules_word_at(const macaw_rules *r, size_t offset)
{
	const struct rule_words *w = words_of(r);
	size_t low = 0, high = w ? w->all.n : 0;
	while (low < high) { /* the first that ends at or after it */
		size_t middle = (low + high) / 2;
		if (w->all.at[middle].at.to < offset)
			low = middle + 1;
		else
			high = middle;
	}
	if (!w || low == w->all.n || w->all.at[low].at.from > offset)
		return SIZE_MAX;
	bool next = low + 1 < w->all.n && w->all.at[low + 1].at.from == offset; /* rather the one that begins there */
	return next ? low + 1 : low;
}

bool macaw_rules_same(const macaw_rules *r, size_t a, size_t b)
{
	const struct rule_words *w = words_of(r);
	if (!w || a >= w->all.n || b >= w->all.n)
		return false;
	const struct gdl_word *x = &w->all.at[a], *y = &w->all.at[b];
	return x->kind == y->kind && x->name == y->name &&
	       (x->kind == WORD_VARIABLE ? x->clause == y->clause : x->arity == y->arity);
}

static char *list_values(const macaw_rules *r, const struct rule_words *w, const struct gdl_word *x, size_t max)
{
	struct text out = {0};
	uint32_t place = GDL_NO_PLACE;
	if (w->domains && (x->kind == WORD_TERM || x->kind == WORD_VARIABLE) &&
	    (x->realm != REALM_RELATION || x->place_name != SYM_NONE))
		place = gdl_domain_place(w->domains, x->realm, x->place_name, x->place_argc, x->place_arg);
	for (size_t i = 0; place != GDL_NO_PLACE && i < max && i < gdl_domain_size(w->domains, place); i++)
		text_printf(&out, "%s%s", i ? " " : "",
		            sym_text(&api_rules(r)->symbols, gdl_domain_name(w->domains, place, i, NULL)));
	return api_give(&out);
}

char *macaw_rules_values(const macaw_rules *r, size_t word, size_t max)
{
	const struct rule_words *w = words_of(r);
	char *out = NULL;
	if (!w || word >= w->all.n)
		return NULL;
	GUARD(api_rules_handle(r), NULL, NULL, out = list_values(r, w, &w->all.at[word], max));
	return out;
}

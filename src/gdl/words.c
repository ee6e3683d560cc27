/* Words by a walk over the nodes. */
#include "gdl/words.h"

#include "gdl/kif_lexer.h"

#include <stdlib.h>

struct word_walk {
	const struct gdl_rules *r;
	const char *text;
	size_t length;
	struct gdl_words *out;
	uint32_t clause;
};

/* Where the name of a node stands. */
static struct range name_range(const struct word_walk *w, node_t n)
{
	const struct gdl_node *x = &w->r->nodes.at[n];
	size_t from = x->at.from, to = x->at.to, next = from + 1;
	if (w->r->form == GDL_KIF) {
		if (w->text[from] == '(')
			kif_token(w->text, x->at.to, &next, &from, &to);
	} else if (x->argc) {
		bool quoted = w->text[from] == '\'';
		for (to = from + quoted; to < x->at.to && w->text[to] != (quoted ? '\'' : '('); to++)
			to += quoted && w->text[to] == '\\';
		to += quoted && to < x->at.to;
	}
	return (struct range){(uint32_t)from, (uint32_t)to};
}

/* Signs of the infix form (`~`, `|`) are no words. */
static bool is_word(const struct word_walk *w, node_t n, struct range at)
{
	const struct gdl_node *x = &w->r->nodes.at[n];
	const struct sym_entry *e = &w->r->symbols.all.at[x->name];
	if (w->r->form == GDL_KIF || x->variable || x->name >= GDL_KEYWORD_COUNT)
		return at.to > at.from;
	return at.to - at.from == e->length;
}

static void add(struct word_walk *w, node_t n, struct gdl_word word)
{
	const struct gdl_node *x = &w->r->nodes.at[n];
	word.name = x->name;
	word.arity = x->argc;
	word.clause = w->clause;
	word.at = name_range(w, n);
	if (x->variable)
		word.kind = WORD_VARIABLE;
	if (is_word(w, n, word.at))
		vec_push(w->out, word);
}

static void walk_term(struct word_walk *w, node_t n, struct gdl_word word)
{
	const struct gdl_node x = w->r->nodes.at[n];
	word.kind = WORD_TERM;
	add(w, n, word);
	for (uint32_t i = 0; i < x.argc; i++)
		walk_term(w, gdl_arg(w->r, n, i),
		          (struct gdl_word){.realm = word.realm, .place_name = x.name, .place_argc = x.argc, .place_arg = i});
}

/* A head or a condition. */
static void walk_atom(struct word_walk *w, node_t n, bool head)
{
	const struct gdl_node x = w->r->nodes.at[n];
	bool keyword = x.name < GDL_RANDOM;
	add(w, n,
	    (struct gdl_word){
			.kind = keyword ? WORD_KEYWORD : WORD_RELATION, .defines = head && !keyword, .place_name = SYM_NONE});
	for (uint32_t i = 0; i < x.argc; i++) {
		node_t arg = gdl_arg(w->r, n, i);
		if (x.name == GDL_NOT || x.name == GDL_OR || x.name == GDL_AND) {
			walk_atom(w, arg, false);
			continue;
		}
		enum gdl_realm realm = gdl_realm_of(w->r, n, i);
		bool root = realm != REALM_RELATION;
		struct gdl_word word = {
			.realm = realm, .place_name = root ? SYM_NONE : x.name, .defines = head && (root || x.name == GDL_ROLE)};
		if (!root) {
			word.place_argc = x.argc;
			word.place_arg = i;
		}
		walk_term(w, arg, word);
	}
}

static int by_place(const void *a, const void *b)
{
	const struct gdl_word *x = a, *y = b;
	return (x->at.from > y->at.from) - (x->at.from < y->at.from);
}

void gdl_words_find(const struct gdl_rules *r, const char *text, size_t length, struct gdl_words *out)
{
	struct word_walk w = {r, text, length, out, 0};
	for (size_t i = 0; i < r->clauses.n; i++) {
		w.clause = (uint32_t)i;
		walk_atom(&w, r->clauses.at[i].head, true);
		for (uint32_t k = 0; k < r->clauses.at[i].count; k++)
			walk_atom(&w, r->kids.at[r->clauses.at[i].body + k], false);
	}
	if (out->n > 1)
		qsort(out->at, out->n, sizeof *out->at, by_place);
}

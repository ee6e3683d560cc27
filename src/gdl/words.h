/* The words of a rulesheet in the order of the text, with what they are: for editors. */
#ifndef GDL_WORDS_H
#define GDL_WORDS_H

#include "gdl/domains.h"

enum gdl_word_kind { WORD_KEYWORD, WORD_RELATION, WORD_TERM, WORD_VARIABLE };

struct gdl_word {
	enum gdl_word_kind kind;
	sym_t name;
	uint32_t arity, clause;
	bool defines;
	struct range at;
	/* the argument it is, for gdl_domain_place(); place_name SYM_NONE with REALM_RELATION: none */
	enum gdl_realm realm;
	sym_t place_name;
	uint32_t place_argc, place_arg;
};

struct gdl_words {
	struct gdl_word *at;
	size_t n, cap;
};

void gdl_words_find(const struct gdl_rules *r, const char *text, size_t length, struct gdl_words *out);

#endif

/* Words of the prefix form, for everybody who reads it: rules, messages from the network, printed terms.
 * Nested lists are read to a depth of GDL_MAX_DEPTH at most (see gdl.h). */
#ifndef GDL_KIF_LEXER_H
#define GDL_KIF_LEXER_H

#include <stdbool.h>
#include <stddef.h>

/* Control characters among them: who minds those looks for them. */
static inline bool kif_is_blank(char c)
{
	return (unsigned char)c <= ' ' || c == 0x7f;
}

static inline bool kif_ends_word(char c)
{
	return kif_is_blank(c) || c == '(' || c == ')' || c == ';';
}

/* Where the line of a comment ends. */
static inline size_t kif_comment_end(const char *text, size_t length, size_t at)
{
	while (at < length && text[at] != '\n' && text[at] != '\r')
		at++;
	return at;
}

/* The next word or bracket from *at on, past blanks and comments: text[*from] … text[*to - 1]. False at the end. */
static inline bool kif_token(const char *text, size_t length, size_t *at, size_t *from, size_t *to)
{
	size_t i = *at;
	while (i < length && (kif_is_blank(text[i]) || text[i] == ';'))
		i = text[i] == ';' ? kif_comment_end(text, length, i) : i + 1;
	*from = i;
	if (i == length)
		return false;
	if (text[i] == '(' || text[i] == ')')
		i++;
	else
		while (i < length && !kif_ends_word(text[i]))
			i++;
	*to = *at = i;
	return true;
}

/* Where the term that begins at `at` ends: after one word or one whole list; at a `)` that closes nothing. */
static inline size_t kif_term_end(const char *text, size_t length, size_t at)
{
	size_t depth = 0, from, to;
	while (kif_token(text, length, &at, &from, &to)) {
		if (text[from] == '(')
			depth++;
		else if (text[from] == ')' && !depth)
			return from;
		else if (text[from] == ')')
			depth--;
		if (!depth)
			return to;
	}
	return length;
}

#endif

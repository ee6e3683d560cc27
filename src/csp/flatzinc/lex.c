/* FlatZinc: words, numbers and signs, each with its place. */
#include "csp/flatzinc/flatzinc_internal.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>

#define MOST ((int64_t)1 << 60) /* so that differences of two numbers never overflow */

_Noreturn void fz_fail(struct fzn *f, struct place at, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	vsnprintf(f->e->message, sizeof f->e->message, format, list);
	va_end(list);
	f->e->line = at.line;
	f->e->column = at.column;
	longjmp(f->fail, 1);
}

static void step(struct lexer *l)
{
	if (*l->at == '\n') {
		l->here.line++;
		l->here.column = 0;
	}
	l->here.column++;
	l->at++;
}

static bool in_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static void skip_blanks(struct lexer *l)
{
	while (l->at < l->end) {
		if (*l->at == '%')
			while (l->at < l->end && *l->at != '\n')
				step(l);
		else if (isspace((unsigned char)*l->at))
			step(l);
		else
			return;
	}
}

static char peek(const struct lexer *l, size_t ahead)
{
	return ahead < (size_t)(l->end - l->at) ? l->at[ahead] : '\0';
}

static int digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = (char)tolower((unsigned char)c);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

/* Digits of a base; false: more than 64 bits. */
static bool read_digits(struct lexer *l, int base, bool negative)
{
	bool fits = true;
	l->number = 0;
	while (l->at < l->end && digit(*l->at) < base) {
		int d = digit(*l->at);
		fits = fits && !__builtin_mul_overflow(l->number, base, &l->number) &&
		       !__builtin_add_overflow(l->number, negative ? -d : d, &l->number);
		step(l);
	}
	return fits;
}

/* The rest of a float: its value is of no use here. */
static bool skip_fraction(struct lexer *l)
{
	bool fraction = peek(l, 0) == '.' && isdigit((unsigned char)peek(l, 1));
	if (fraction)
		for (step(l); isdigit((unsigned char)peek(l, 0));)
			step(l);
	if (tolower((unsigned char)peek(l, 0)) != 'e')
		return fraction;
	bool sign = peek(l, 1) == '-' || peek(l, 1) == '+';
	if (!isdigit((unsigned char)peek(l, 1 + sign)))
		return fraction;
	for (step(l), sign ? step(l) : (void)0; isdigit((unsigned char)peek(l, 0));)
		step(l);
	return true;
}

static void read_number(struct fzn *f)
{
	struct lexer *l = &f->lex;
	bool negative = *l->at == '-', fits;
	if (negative || *l->at == '+')
		step(l);
	int base = 10;
	if (peek(l, 0) == '0' && (peek(l, 1) == 'x' || peek(l, 1) == 'o'))
		base = peek(l, 1) == 'x' ? 16 : 8;
	if (base != 10 && digit(peek(l, 2)) < base) {
		step(l);
		step(l);
	} else {
		base = 10;
	}
	fits = read_digits(l, base, negative);
	l->token = base == 10 && skip_fraction(l) ? TOKEN_FLOAT : TOKEN_INT;
	if (l->token == TOKEN_INT && (!fits || l->number > MOST || l->number < -MOST))
		fz_fail(f, l->where, "a number beyond 2^60");
}

static void read_string(struct fzn *f)
{
	struct lexer *l = &f->lex;
	step(l);
	l->text = l->at;
	while (l->at < l->end && *l->at != '"' && *l->at != '\n')
		step(l);
	if (peek(l, 0) != '"')
		fz_fail(f, l->where, "a string without its end");
	l->length = (size_t)(l->at - l->text);
	step(l);
	l->token = TOKEN_STRING;
}

static bool pair(struct lexer *l, const char *both, enum token t)
{
	if (peek(l, 0) != both[0] || peek(l, 1) != both[1])
		return false;
	step(l);
	step(l);
	l->token = t;
	return true;
}

void fz_next(struct fzn *f)
{
	struct lexer *l = &f->lex;
	skip_blanks(l);
	l->where = l->here;
	l->text = l->at;
	if (l->at >= l->end) {
		l->token = TOKEN_END;
	} else if (isalpha((unsigned char)*l->at) || *l->at == '_') {
		l->token = TOKEN_WORD;
		while (l->at < l->end && in_word(*l->at))
			step(l);
	} else if (isdigit((unsigned char)*l->at) ||
	           ((*l->at == '-' || *l->at == '+') && isdigit((unsigned char)peek(l, 1)))) {
		read_number(f);
	} else if (*l->at == '"') {
		read_string(f);
		return;
	} else if (!pair(l, "..", TOKEN_DOTS) && !pair(l, "::", TOKEN_COLONS)) {
		l->token = TOKEN_SIGN;
		l->number = *l->at;
		step(l);
	}
	l->length = (size_t)(l->at - l->text);
}

bool fz_is(const struct fzn *f, const char *word)
{
	const struct lexer *l = &f->lex;
	return l->token == TOKEN_WORD && l->length == strlen(word) && !memcmp(l->text, word, l->length);
}

bool fz_sign(const struct fzn *f, char c)
{
	return f->lex.token == TOKEN_SIGN && f->lex.number == c;
}

const char *fz_seen(struct fzn *f)
{
	const struct lexer *l = &f->lex;
	struct text shown = {0};
	if (l->token == TOKEN_END)
		return "the end of the file";
	text_putc(&shown, '"');
	char *word = arena_text(&f->text, l->text, l->length < 40 ? l->length : 40);
	text_plain(&shown, word, 40);
	text_putc(&shown, '"');
	const char *out = arena_text(&f->text, shown.at, shown.n);
	text_free(&shown);
	return out;
}

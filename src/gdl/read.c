/* From text to rules: recognises which of the two forms it is, and builds what both share.
 *
 * Reading never fails as a whole: what can be understood becomes clauses, the
 * rest becomes diagnostics. All work is one pass, so time and memory are linear in the text and bounded by the
 * limits of gdl.h; so is the depth of what recurses on terms, as readers refuse deeper ones. */
#include "base/utf8.h"
#include "gdl/reader_internal.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>

#define MAX_FAULTS 100

struct diag *reader_fault(struct reader *in, struct range at, const char *code, const char *format, ...)
{
	va_list ap;
	va_start(ap, format);
	struct diag *g = diag_addv(in->d, DIAG_ERROR, at, code, format, ap);
	va_end(ap);
	in->rules->partial = true;
	if (++in->faults == MAX_FAULTS) {
		in->stop = true;
		g = diag_add(in->d, DIAG_ERROR, at, "too-many-errors", "reading stops here after %d syntax errors", MAX_FAULTS);
		if (g)
			g->help = "is this a rulesheet?";
	}
	return g;
}

/* --- names ---------------------------------------------------------------- */

/* Keywords are recognised in upper and lower case; they are symbols 0.. of every rulesheet. */
static sym_t find_keyword(const struct symbols *s, const char *text, size_t length)
{
	char small[9];
	if (length >= sizeof small)
		return SYM_NONE;
	for (size_t i = 0; i < length; i++)
		small[i] = (char)(text[i] >= 'A' && text[i] <= 'Z' ? text[i] + 32 : text[i]);
	sym_t id = sym_find(s, small, length);
	return id < GDL_KEYWORD_COUNT ? id : SYM_NONE;
}

static sym_t clean_name(struct reader *in, struct range at, const char *s, size_t length)
{
	struct text clean = {0};
	bool bad = false;
	for (size_t i = 0; i < length;) {
		size_t n = utf8_length(s + i, length - i);
		if (!n) {
			text_putc(&clean, '?');
			bad = true;
			i++;
			continue;
		}
		text_add(&clean, s + i, n);
		i += n;
	}
	if (bad)
		reader_fault(in, at, "bad-utf8", "a name with bytes that are no UTF-8 text");
	sym_t id = sym_put(&in->rules->symbols, text_str(&clean), clean.n);
	text_free(&clean);
	return id;
}

sym_t reader_name(struct reader *in, struct range at, bool variable, const char *s, size_t length)
{
	if (length > GDL_MAX_SYMBOL) {
		reader_fault(in, at, "too-long", "a name of %zu bytes; at most %d are read", length, GDL_MAX_SYMBOL);
		length = 16;
	}
	bool upper = false, high = false;
	for (size_t i = 0; i < length; i++) {
		upper |= s[i] >= 'A' && s[i] <= 'Z';
		high |= (unsigned char)s[i] >= 0x80;
	}
	if (high)
		return clean_name(in, at, s, length);
	sym_t id = upper && !variable ? find_keyword(&in->rules->symbols, s, length) : SYM_NONE;
	return id != SYM_NONE ? id : sym_put(&in->rules->symbols, s, length);
}

/* --- building ------------------------------------------------------------- */

static uint32_t take_items(struct reader *in, size_t first)
{
	struct gdl_rules *r = in->rules;
	uint32_t at = narrow32(r->kids.n);
	size_t count = in->items.n - first;
	vec_extend(&r->kids, count);
	if (count)
		memcpy(r->kids.at + at, in->items.at + first, count * sizeof(node_t));
	in->items.n = first;
	return at;
}

node_t reader_node(struct reader *in, bool variable, sym_t name, size_t first, struct range at)
{
	struct gdl_rules *r = in->rules;
	if (r->nodes.n == GDL_MAX_NODES && !in->stop) {
		reader_fault(in, at, "too-large", "more than %d names; reading stops here", GDL_MAX_NODES);
		in->stop = true;
	}
	struct gdl_node n = {.variable = variable, .name = name, .at = at};
	n.argc = (uint32_t)(in->items.n - first);
	n.args = take_items(in, first);
	vec_push(&r->nodes, n);
	return (node_t)(r->nodes.n - 1);
}

/* Adds a body formula to the kids, `and` opened up. */
static void splice(struct reader *in, node_t n)
{
	struct gdl_rules *r = in->rules;
	const struct gdl_node node = r->nodes.at[n];
	if (node.variable || node.name != GDL_AND) {
		vec_push(&r->kids, n);
		return;
	}
	if (r->form == GDL_KIF)
		diag_add(in->d, DIAG_WARNING, node.at, "and",
		         "GDL has no `and`; it is read as a conjunction, other programs may not");
	for (uint32_t i = 0; i < node.argc; i++)
		splice(in, r->kids.at[node.args + i]);
}

void reader_clause(struct reader *in, size_t first, struct range at)
{
	struct gdl_rules *r = in->rules;
	struct gdl_clause c = {.head = in->items.at[first], .body = narrow32(r->kids.n), .at = at};
	for (size_t i = first + 1; i < in->items.n; i++)
		splice(in, in->items.at[i]);
	c.count = (uint32_t)(r->kids.n - c.body);
	in->items.n = first;
	vec_push(&r->clauses, c);
}

/* --- the two forms -------------------------------------------------------- */

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static size_t skip_blanks(const char *s, size_t n, size_t i)
{
	while (i < n) {
		if (is_blank(s[i])) {
			i++;
		} else if (s[i] == ';' || s[i] == '%') {
			while (i < n && s[i] != '\n' && s[i] != '\r')
				i++;
		} else {
			break;
		}
	}
	return i;
}

/* The first word decides. In prefix form nearly everything begins with `(`; in
 * infix form a name comes first, and `(`, `.`, `,` or an arrow follows it. */
static enum gdl_form guess_form(const char *s, size_t n)
{
	size_t i = skip_blanks(s, n, 0), start = i;
	if (i == n || s[i] == '(' || s[i] == ')' || s[i] == '?')
		return GDL_KIF;
	if (s[i] == '\'' || s[i] == '~' || (s[i] == '/' && i + 1 < n && s[i + 1] == '*'))
		return GDL_INFIX;
	while (i < n && (isalnum((unsigned char)s[i]) || s[i] == '_' || s[i] == '-' || (unsigned char)s[i] >= 0x80))
		i++;
	if (i == start)
		return GDL_KIF;
	if (i < n && (s[i] == '(' || (s[i] == '.' && (i + 1 == n || is_blank(s[i + 1])))))
		return GDL_INFIX;
	i = skip_blanks(s, n, i);
	static const char *const signs[] = {":-", "<=", "<-", "\xe2\x86\x90", "\xe2\x87\x90", ",", "&"};
	for (size_t k = 0; k < sizeof signs / sizeof *signs; k++)
		if (n - i >= strlen(signs[k]) && !memcmp(s + i, signs[k], strlen(signs[k])))
			return GDL_INFIX;
	return GDL_KIF;
}

static void put_keywords(struct symbols *s)
{
#define K(id, text, arity) sym_put(s, text, sizeof text - 1);
	GDL_KEYWORDS(K)
#undef K
}

struct gdl_rules *gdl_empty(enum gdl_form form)
{
	struct gdl_rules *r = NEW(struct gdl_rules);
	put_keywords(&r->symbols);
	r->form = form;
	return r;
}

struct gdl_rules *gdl_read(const char *text, size_t length, struct diags *d)
{
	struct gdl_rules *r = gdl_empty(GDL_KIF);
	if (length > GDL_MAX_TEXT) {
		diag_add(d, DIAG_ERROR, (struct range){0, 1}, "too-large", "a text of more than %zu MB", GDL_MAX_TEXT >> 20);
		r->partial = true;
		return r;
	}
	struct reader in = {.rules = r, .d = d, .text = text, .length = (uint32_t)length};
	if (length >= 3 && !memcmp(text, "\xef\xbb\xbf", 3))
		in.pos = 3; /* byte order mark */
	r->form = guess_form(text + in.pos, length - in.pos);
	if (r->form == GDL_KIF)
		reader_kif(&in);
	else
		reader_infix(&in);
	reader_alleq(&in);
	if (!r->clauses.n && !in.faults)
		diag_add(d, DIAG_ERROR, (struct range){0, 0}, "no-rules", "there are no rules here");
	vec_free(&in.items);
	vec_free(&in.open);
	return r;
}

/* A single word is taken as the rulesheet would write it: `Mark` is a name in
 * prefix form and a variable in infix form. */
static bool is_prefix_term(const struct gdl_rules *r, const char *s, size_t n)
{
	if (!n || s[0] == '(' || s[0] == '?')
		return true;
	return r->form == GDL_KIF && s[0] != '\'' && !memchr(s, '(', n);
}

bool gdl_read_term(struct gdl_rules *r, const char *text, size_t length, node_t *out, struct text *error)
{
	struct diags d = {0};
	bool partial = r->partial; /* says nothing about terms */
	size_t limit = (size_t)1 << 20, start = skip_blanks(text, length, 0);
	struct reader in = {.rules = r, .d = &d, .text = text, .length = (uint32_t)(length < limit ? length : limit)};
	bool ok = length < limit;
	if (!ok)
		text_puts(error, "too long for a term");
	else if (is_prefix_term(r, text + start, length - start))
		ok = reader_kif_term(&in, out);
	else
		ok = reader_infix_term(&in, out);
	if (d.all.n) {
		text_puts(error, d.all.at[0].message);
		ok = false;
	}
	r->partial = partial;
	diag_free(&d);
	vec_free(&in.items);
	vec_free(&in.open);
	return ok;
}

void gdl_free(struct gdl_rules *r)
{
	if (!r)
		return;
	sym_free(&r->symbols);
	vec_free(&r->nodes);
	vec_free(&r->kids);
	vec_free(&r->clauses);
	mem_free(r);
}

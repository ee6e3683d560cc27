/* Lays out clause by clause. Names are written as they stand in the source; what stands between them is ours. Comments
 * wait in a list and are written before the first thing that stands behind them: on the line at hand when they stood
 * behind something, else on a line of their own. A bracket that closes never comes after a comment, which would swallow
 * it. */
#include "gdl/format.h"

#include "base/utf8.h"
#include "gdl/format_comments.h"
#include "gdl/kif_lexer.h"

#include <string.h>
#include <strings.h>

struct layout {
	const struct gdl_rules *r;
	const char *source;
	size_t length;
	uint32_t width, indent;
	struct text *out;
	struct format_comments comments;
	size_t next;  /* comment */
	bool comment; /* the line at hand ends in a comment */
	size_t line;  /* where it begins in `out` */
};

/* ---- lines ----------------------------------------------------------------------------- */

static uint32_t columns_of(const char *s, size_t n)
{
	uint32_t column = 0;
	for (size_t i = 0; i < n; i++)
		column = s[i] == '\t' ? (column / FORMAT_TAB + 1) * FORMAT_TAB : column + !utf8_continues(s[i]);
	return column;
}

static uint32_t column(const struct layout *l)
{
	return columns_of(text_str(l->out) + l->line, l->out->n - l->line);
}

static void new_line(struct layout *l, uint32_t depth)
{
	text_putc(l->out, '\n');
	l->line = l->out->n;
	l->comment = false;
	for (uint32_t i = 0; i < depth; i++)
		for (uint32_t k = 0; k < (l->indent ? l->indent : 1); k++)
			text_putc(l->out, l->indent ? ' ' : '\t');
}

static bool is_empty_line(const struct layout *l)
{
	for (size_t i = l->line; i < l->out->n; i++)
		if (l->out->at[i] != '\t' && l->out->at[i] != ' ')
			return false;
	return true;
}

/* Columns before a place of the source on its line. */
static uint32_t source_column(const struct layout *l, uint32_t at)
{
	uint32_t from = at;
	while (from && l->source[from - 1] != '\n' && l->source[from - 1] != '\r')
		from--;
	return columns_of(l->source + from, at - from);
}

/* ---- comments ----------------------------------------------------------------------------- */

static void put_comment(struct layout *l, const struct format_comment *c)
{
	for (uint32_t i = c->from; i < c->to; i++)
		if (l->source[i] == '\r') {
			if (i + 1 == c->to || l->source[i + 1] != '\n')
				text_putc(l->out, '\n');
		} else {
			text_putc(l->out, l->source[i]);
		}
	const char *last = strrchr(text_str(l->out), '\n');
	if (last && (size_t)(last + 1 - l->out->at) > l->line)
		l->line = (size_t)(last + 1 - l->out->at);
	l->comment = true;
}

/* Where it stood, if that is further right: columns of comments stay. */
static void put_behind(struct layout *l, const struct format_comment *c)
{
	uint32_t to = source_column(l, c->from), at = column(l);
	for (uint32_t i = at; i < (at + 1 < to ? to : at + 1); i++)
		text_putc(l->out, ' ');
	put_comment(l, c);
}

static bool has_comments(const struct layout *l, uint32_t before)
{
	return l->next < l->comments.n && l->comments.at[l->next].from < before;
}

/* Those that stand before a place. True: the next thing needs a new line. */
static bool put_comments(struct layout *l, uint32_t before, uint32_t depth)
{
	for (; has_comments(l, before); l->next++) {
		const struct format_comment *c = &l->comments.at[l->next];
		if (c->behind && !l->comment && !is_empty_line(l)) {
			put_behind(l, c);
			continue;
		}
		if (!is_empty_line(l))
			new_line(l, depth);
		put_comment(l, c);
	}
	return l->comment;
}

/* ---- names ----------------------------------------------------------------------------------- */

static struct range range_of(const struct layout *l, node_t n)
{
	return l->r->nodes.at[n].at;
}

static bool is_list(const struct layout *l, node_t n)
{
	return l->r->form == GDL_KIF && l->source[range_of(l, n).from] == '(';
}

static bool starts_with(const struct layout *l, uint32_t at, const char *word)
{
	size_t n = strlen(word);
	return at + n <= l->length && !strncasecmp(l->source + at, word, n);
}

/* The name of a node as it stands in the source. */
static void put_name(const struct layout *l, node_t n, struct text *out)
{
	struct range at = range_of(l, n);
	size_t from = at.from, to = at.to;
	if (is_list(l, n)) {
		size_t next = from + 1;
		kif_token(l->source, at.to, &next, &from, &to);
	} else if (l->r->nodes.at[n].argc) {
		bool quoted = l->source[from] == '\'';
		for (to = from + quoted; quoted ? l->source[to] != '\'' : l->source[to] != '('; to++)
			to += quoted && l->source[to] == '\\';
		to += quoted;
	}
	text_add(out, l->source + from, to - from);
}

/* ---- nodes on one line -------------------------------------------------------------------------- */

/* Connectives and `distinct` of the infix form are written as they were: as signs or as names. */
static bool is_sign(const struct layout *l, node_t n)
{
	const struct gdl_node *x = &l->r->nodes.at[n];
	static const struct {
		enum gdl_keyword k;
		const char *word;
	} words[] = {{GDL_OR, "or("}, {GDL_AND, "and("}, {GDL_NOT, "not("}, {GDL_DISTINCT, "distinct("}};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (!x->variable && x->name == (sym_t)words[i].k && x->argc)
			return l->r->form == GDL_INFIX && !starts_with(l, x->at.from, words[i].word);
	return false;
}

static void put_flat(const struct layout *l, node_t n, struct text *out);

static void put_signs(const struct layout *l, node_t n, struct text *out)
{
	const struct gdl_node *x = &l->r->nodes.at[n];
	if (x->name == GDL_NOT) {
		text_putc(out, '~');
		put_flat(l, gdl_arg(l->r, n, 0), out);
		return;
	}
	bool group = x->name != GDL_DISTINCT;
	if (group)
		text_putc(out, '(');
	for (uint32_t i = 0; i < x->argc; i++) {
		text_puts(out, !i ? "" : x->name == GDL_OR ? " | " : x->name == GDL_AND ? " & " : " != ");
		put_flat(l, gdl_arg(l->r, n, i), out);
	}
	if (group)
		text_putc(out, ')');
}

static void put_flat(const struct layout *l, node_t n, struct text *out)
{
	const struct gdl_node *x = &l->r->nodes.at[n];
	bool kif = l->r->form == GDL_KIF, list = x->argc || is_list(l, n);
	if (is_sign(l, n)) {
		put_signs(l, n, out);
		return;
	}
	if (kif && list)
		text_putc(out, '(');
	put_name(l, n, out);
	if (!kif && list)
		text_putc(out, '(');
	for (uint32_t i = 0; i < x->argc; i++) {
		text_puts(out, kif ? " " : i ? ", " : "");
		put_flat(l, gdl_arg(l->r, n, i), out);
	}
	if (list)
		text_putc(out, ')');
}

/* ---- nodes in several lines ------------------------------------------------------------------------ */

/* Does it fit the line, with `more` columns behind it? */
static bool fits(const struct layout *l, node_t n, uint32_t more)
{
	struct text flat = {0};
	put_flat(l, n, &flat);
	bool fine = column(l) + columns_of(text_str(&flat), flat.n) + more <= l->width;
	text_free(&flat);
	return fine;
}

static bool has_comments_in(const struct layout *l, struct range at)
{
	for (size_t i = l->next; i < l->comments.n && l->comments.at[i].from < at.to; i++)
		if (l->comments.at[i].from > at.from)
			return true;
	return false;
}

/* A node, broken at its arguments where it must be. Only lists of the prefix form and alternatives are. */
static void put_node(struct layout *l, node_t n, uint32_t depth, uint32_t more)
{
	const struct gdl_node x = l->r->nodes.at[n];
	bool kif = l->r->form == GDL_KIF, alternatives = is_sign(l, n) && x.name != GDL_NOT && x.name != GDL_DISTINCT;
	if (!x.argc || !(kif || alternatives) || (fits(l, n, more) && !has_comments_in(l, x.at))) {
		put_flat(l, n, l->out);
		return;
	}
	text_putc(l->out, '(');
	if (kif)
		put_name(l, n, l->out);
	for (uint32_t i = 0; i < x.argc; i++) {
		node_t arg = gdl_arg(l->r, n, i);
		bool first = !i || (kif && i == 1 && x.name != GDL_OR && x.name != GDL_AND); /* stays with its name */
		if (put_comments(l, range_of(l, arg).from, depth + 1) || !first || (i && !fits(l, arg, more + 1)))
			new_line(l, depth + 1);
		else if (kif)
			text_putc(l->out, ' ');
		put_node(l, arg, depth + 1, more + 1);
		if (!kif && i + 1 < x.argc)
			text_puts(l->out, x.name == GDL_OR ? " |" : " &");
	}
	text_putc(l->out, ')');
}

/* ---- clauses ------------------------------------------------------------------------------------------ */

static bool spans_lines(const struct layout *l, struct range at)
{
	for (uint32_t i = at.from; i < at.to; i++)
		if (l->source[i] == '\n' || l->source[i] == '\r')
			return true;
	return false;
}

/* The clause on one line. */
static void put_clause_flat(const struct layout *l, const struct gdl_clause *c, struct text *out)
{
	bool kif = l->r->form == GDL_KIF;
	if (c->count && kif)
		text_puts(out, "(<= ");
	put_flat(l, c->head, out);
	if (c->count && !kif)
		text_puts(out, " :- ");
	for (uint32_t i = 0; i < c->count; i++) {
		text_puts(out, kif ? " " : i ? " & " : "");
		put_flat(l, l->r->kids.at[c->body + i], out);
	}
	text_puts(out, !kif ? "." : c->count ? ")" : "");
}

/* Did a condition stand on the line of the one before it? */
static bool is_beside(const struct layout *l, node_t before, node_t n)
{
	return range_of(l, n).from >= range_of(l, before).to &&
	       !spans_lines(l, (struct range){range_of(l, before).to, range_of(l, n).from});
}

static void put_clause_broken(struct layout *l, const struct gdl_clause *c)
{
	bool kif = l->r->form == GDL_KIF;
	text_puts(l->out, c->count && kif ? "(<= " : "");
	if (put_comments(l, range_of(l, c->head).from, 1))
		new_line(l, 1);
	put_node(l, c->head, 1, c->count ? 3 : 1);
	if (!kif && c->count)
		text_puts(l->out, " :-");
	for (uint32_t i = 0; i < c->count; i++) {
		node_t n = l->r->kids.at[c->body + i];
		bool last = i + 1 == c->count;
		bool commented = put_comments(l, range_of(l, n).from, 1),
			 together = i && is_beside(l, l->r->kids.at[c->body + i - 1], n);
		if (!commented && together && column(l) + 1 < l->width && fits(l, n, 3))
			text_putc(l->out, ' ');
		else
			new_line(l, 1);
		put_node(l, n, 1, last || kif ? 1 : 2);
		text_puts(l->out, kif || last ? "" : " &");
	}
	text_puts(l->out, !kif ? "." : c->count ? ")" : "");
}

/* Blank lines before a place of the source. */
static bool blank_line_before(const struct layout *l, uint32_t from, uint32_t at)
{
	uint32_t lines = 0;
	for (uint32_t i = from; i < at; i++)
		lines += l->source[i] == '\n' || (l->source[i] == '\r' && (i + 1 == l->length || l->source[i + 1] != '\n'));
	return lines > 1;
}

/* Comments on the top level, up to a place; `end` is where the last thing ended. */
static uint32_t put_top_comments(struct layout *l, uint32_t end, uint32_t before)
{
	for (; has_comments(l, before); l->next++) {
		const struct format_comment *c = &l->comments.at[l->next];
		/* what stood inside the clause before it, behind its last condition, comes after it */
		bool blank = c->from > end && blank_line_before(l, end, c->from);
		if (c->behind && l->out->n && !l->comment && !blank && !is_empty_line(l)) {
			put_behind(l, c);
		} else {
			if (l->out->n)
				new_line(l, 0);
			if (l->out->n && blank)
				new_line(l, 0);
			put_comment(l, c);
		}
		end = c->to > end ? c->to : end;
	}
	return end;
}

static void put_clause(struct layout *l, const struct gdl_clause *c, uint32_t end, bool joined)
{
	struct text flat = {0};
	put_clause_flat(l, c, &flat);
	uint32_t columns = columns_of(text_str(&flat), flat.n);
	bool broken = has_comments_in(l, c->at) || columns > l->width || (c->count && spans_lines(l, c->at));
	bool same_line = joined && !broken && !l->comment && column(l) + 1 + columns <= l->width;
	if (same_line) {
		text_putc(l->out, ' ');
	} else if (l->out->n) {
		new_line(l, 0);
		if (blank_line_before(l, end, c->at.from))
			new_line(l, 0);
	}
	if (broken)
		put_clause_broken(l, c);
	else
		text_add(l->out, text_str(&flat), flat.n);
	text_free(&flat);
}

static void put_all(struct layout *l)
{
	uint32_t end = 0;
	bool broken = false; /* the clause before has several lines */
	for (size_t i = 0; i < l->r->clauses.n; i++) {
		const struct gdl_clause *c = &l->r->clauses.at[i];
		end = put_top_comments(l, end, c->at.from);
		bool joined = i && !broken && !spans_lines(l, (struct range){end, c->at.from});
		size_t before = l->out->n;
		put_clause(l, c, end, joined);
		broken = memchr(l->out->at + before + (l->out->at[before] == '\n'), '\n', l->out->n - before - 1) &&
		         spans_lines(l, c->at);
		end = c->at.to;
	}
	put_top_comments(l, end, (uint32_t)l->length);
	if (l->out->n)
		text_putc(l->out, '\n');
}

/* ---- the whole ------------------------------------------------------------------------------------------ */

static bool reads_back(const struct gdl_rules *r, const struct format_comments *comments, const struct text *t)
{
	struct diags d = {0};
	struct format_comments again = {0};
	struct gdl_rules *back = gdl_read(text_str(t), t->n, &d);
	format_find_comments(back->form, text_str(t), t->n, &again);
	bool same = !d.errors && gdl_equal(r, back) && again.n == comments->n;
	vec_free(&again);
	gdl_free(back);
	diag_free(&d);
	return same;
}

bool gdl_format(const struct gdl_rules *r, const char *text, size_t length, const struct format_options *o,
                struct text *out)
{
	struct text laid = {0};
	struct layout l = {.r = r,
	                   .source = text,
	                   .length = length,
	                   .width = o->width ? o->width : FORMAT_WIDTH,
	                   .indent = o->indent,
	                   .out = &laid};
	format_find_comments(r->form, text, length, &l.comments);
	put_all(&l);
	bool same = reads_back(r, &l.comments, &laid);
	if (same)
		text_add(out, text_str(&laid), laid.n);
	vec_free(&l.comments);
	text_free(&laid);
	return same;
}

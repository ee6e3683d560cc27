/* Infix form, as the papers write rules:
 *
 *     next(cell(X,Y,P)) :- does(P, mark(X,Y)) & ~true(cell(X,Y,Z)).
 *
 * Capital letters begin variables, `_` is a variable of its own each time, names
 * of another shape are quoted ('Mark', '+'). `,` and `&` join conditions, `|`
 * separates alternatives, `~` or not(...) negates, X != Y means distinct(X,Y).
 * A clause ends with `.`; the full stop may be left out when the next clause
 * begins on a new line that is not indented deeper than this one.
 *
 * No recursion: what is open waits on a stack of frames, and the finished parts
 * on in->items.
 *
 *     frame    opened by   its items are
 *     CALL     name(       arguments, each alternatives of joined conditions
 *     GROUP    (           one formula; `,` joins here
 *     NEGATE   ~           the next primary
 *     UNEQUAL  != after x  x and the next primary
 *
 * `arg` is the first item of the current argument, `part` that of its current
 * alternative. */
#include "base/utf8.h"
#include "gdl/reader_internal.h"

#include <stdio.h>
#include <string.h>

enum token_kind { END, NAME, VARIABLE, OPEN, CLOSE, COMMA, AMP, BAR, TILDE, ARROW, DOT, NOT_EQUAL, ODD };

struct token {
	enum token_kind kind;
	struct range at;
	sym_t name;
	bool fresh;      /* first on its line */
	uint32_t column; /* bytes from the start of the line */
};

enum frame_kind { CALL, GROUP, NEGATE, UNEQUAL };

struct frame {
	enum frame_kind kind;
	uint32_t from;
	sym_t name;
	uint32_t first, arg, part;
};

struct infix {
	struct reader *in;
	struct token now;
	uint32_t line; /* offset of the current line */
	bool fresh;
	VEC(struct frame) frames;
};

/* --- tokens -------------------------------------------------------------------- */

static bool is_ascii_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool is_word(char c)
{
	return is_ascii_word(c) || (unsigned char)c >= 0x80;
}

static bool starts(const struct reader *in, const char *s)
{
	size_t n = strlen(s);
	return in->length - in->pos >= n && !memcmp(in->text + in->pos, s, n);
}

static void skip_line(struct reader *in)
{
	while (in->pos < in->length && in->text[in->pos] != '\n' && in->text[in->pos] != '\r')
		in->pos++;
}

static void skip_comment(struct infix *p)
{
	struct reader *in = p->in;
	uint32_t from = in->pos;
	for (in->pos += 2; in->pos < in->length && !starts(in, "*/"); in->pos++)
		if (in->text[in->pos] == '\n')
			p->line = in->pos + 1, p->fresh = true;
	if (in->pos >= in->length)
		reader_fault(in, (struct range){from, from + 2}, "unterminated-comment", "this comment is never closed");
	else
		in->pos += 2;
}

static void skip(struct infix *p)
{
	struct reader *in = p->in;
	while (in->pos < in->length) {
		char c = in->text[in->pos];
		if (c == '\n' || c == '\r') {
			p->line = ++in->pos;
			p->fresh = true;
		} else if (c == ' ' || c == '\t' || c == '\v' || c == '\f') {
			in->pos++;
		} else if (c == '%') {
			skip_line(in);
		} else if (starts(in, "/*")) {
			skip_comment(p);
		} else {
			break;
		}
	}
}

/* A quoted name must be one that prefix form can write too. */
static sym_t read_quoted(struct reader *in, struct range *at)
{
	struct text name = {0};
	bool bad = false, closed = false;
	uint32_t from = in->pos++;
	while (in->pos < in->length && in->text[in->pos] != '\n') {
		char c = in->text[in->pos++];
		if (c == '\'') {
			closed = true;
			break;
		}
		if (c == '\\' && in->pos < in->length && in->text[in->pos] != '\n')
			c = in->text[in->pos++];
		bad |= (unsigned char)c <= ' ' || c == '(' || c == ')' || c == ';' || c == 0x7f;
		text_putc(&name, c);
	}
	*at = (struct range){from, in->pos};
	bad |= !name.n || text_str(&name)[0] == '?' || !strcmp(text_str(&name), "<=");
	if (!closed)
		reader_fault(in, (struct range){from, from + 1}, "bad-name", "this quote is never closed");
	else if (bad)
		reader_fault(in, *at, "bad-name",
		             "a name may not be empty, be `<=`, begin with `?`, or hold blanks, `(`, `)` or `;`");
	sym_t id = bad || !closed ? reader_name(in, *at, false, "bad", 3) : reader_name(in, *at, false, name.at, name.n);
	text_free(&name);
	return id;
}

static enum token_kind read_word(struct reader *in, struct token *t)
{
	uint32_t from = in->pos;
	while (in->pos < in->length &&
	       (is_word(in->text[in->pos]) ||
	        (in->text[in->pos] == '-' && in->pos + 1 < in->length && is_word(in->text[in->pos + 1]))))
		in->pos++;
	t->at = (struct range){from, in->pos};
	char c = in->text[from];
	if (c == '_' && in->pos == from + 1) {
		char name[24];
		int n = snprintf(name, sizeof name, "_.%u", ++in->nameless);
		t->name = sym_put(&in->rules->symbols, name, (size_t)n);
		return VARIABLE;
	}
	bool variable = c == '_' || (c >= 'A' && c <= 'Z');
	t->name = reader_name(in, t->at, variable, in->text + from, in->pos - from);
	return variable ? VARIABLE : NAME;
}

static enum token_kind read_sign(struct reader *in)
{
	static const struct {
		const char *text;
		enum token_kind kind;
	} signs[] = {{":-", ARROW},
	             {"<=", ARROW},
	             {"<-", ARROW},
	             {"\xe2\x86\x90", ARROW},
	             {"\xe2\x87\x90", ARROW},
	             {"(", OPEN},
	             {")", CLOSE},
	             {",", COMMA},
	             {"&", AMP},
	             {"\xe2\x88\xa7", AMP},
	             {"|", BAR},
	             {"\xe2\x88\xa8", BAR},
	             {"~", TILDE},
	             {"\xc2\xac", TILDE},
	             {"\\+", TILDE},
	             {"!=", NOT_EQUAL},
	             {"\\=", NOT_EQUAL},
	             {"\xe2\x89\xa0", NOT_EQUAL},
	             {".", DOT}};
	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
		if (in->text[in->pos] == signs[i].text[0] && starts(in, signs[i].text)) {
			in->pos += (uint32_t)strlen(signs[i].text);
			return signs[i].kind;
		}
	return ODD;
}

static void advance(struct infix *p)
{
	struct reader *in = p->in;
	skip(p);
	struct token t = {.fresh = p->fresh, .column = in->pos - p->line, .at = {in->pos, in->pos}};
	p->fresh = false;
	if (in->pos >= in->length || in->stop) {
		t.kind = END;
	} else if (in->text[in->pos] == '\'') {
		t.kind = NAME;
		t.name = read_quoted(in, &t.at);
	} else if (is_ascii_word(in->text[in->pos])) {
		t.kind = read_word(in, &t);
	} else {
		t.kind = read_sign(in);
		if (t.kind == ODD && is_word(in->text[in->pos])) {
			t.kind = read_word(in, &t);
		} else if (t.kind == ODD) {
			size_t n = utf8_length(in->text + in->pos, in->length - in->pos);
			in->pos += n ? (uint32_t)n : 1;
		}
		t.at.to = in->pos;
	}
	p->now = t;
}

/* --- building ---------------------------------------------------------------------- */

static struct range span_from(const struct reader *in, size_t first)
{
	const struct gdl_node *a = &in->rules->nodes.at[in->items.at[first]],
						  *b = &in->rules->nodes.at[vec_last(&in->items)];
	return (struct range){a->at.from, b->at.to};
}

/* Joins items[first..] under a connective, unless there is one only. */
static void join(struct reader *in, enum gdl_keyword k, size_t first)
{
	if (in->items.n - first < 2)
		return;
	node_t n = reader_node(in, false, (sym_t)k, first, span_from(in, first));
	vec_push(&in->items, n);
}

static bool push_frame(struct infix *p, enum frame_kind kind, uint32_t from, sym_t name)
{
	struct reader *in = p->in;
	if (p->frames.n == GDL_MAX_DEPTH) {
		reader_fault(in, (struct range){from, from + 1}, "too-deep", "nested deeper than %d; reading stops here",
		             GDL_MAX_DEPTH);
		in->stop = true;
		return false;
	}
	uint32_t at = narrow32(in->items.n);
	vec_push(&p->frames, (struct frame){kind, from, name, at, at, at});
	return true;
}

/* The end of an argument or of a whole formula. */
static void end_alternatives(struct reader *in, struct frame *f)
{
	join(in, GDL_AND, f->part);
	join(in, GDL_OR, f->arg);
	f->arg = f->part = narrow32(in->items.n);
}

/* A primary is complete on top of the items: prefixes and != before it take it. */
static void complete(struct infix *p, size_t base)
{
	struct reader *in = p->in;
	while (p->frames.n > base) {
		struct frame f = vec_last(&p->frames);
		if (p->now.kind == NOT_EQUAL && f.kind != UNEQUAL)
			return;
		if (f.kind != NEGATE && f.kind != UNEQUAL)
			return;
		size_t first = f.kind == NEGATE ? in->items.n - 1 : in->items.n - 2;
		struct range at = span_from(in, first);
		if (f.kind == NEGATE)
			at.from = f.from;
		p->frames.n--;
		node_t n = reader_node(in, false, f.kind == NEGATE ? GDL_NOT : GDL_DISTINCT, first, at);
		vec_push(&in->items, n);
	}
}

static void close_frame(struct infix *p, uint32_t to)
{
	struct reader *in = p->in;
	struct frame f = vec_pop(&p->frames);
	end_alternatives(in, &f);
	if (f.kind == GROUP)
		return;
	node_t n = reader_node(in, false, f.name, f.first, (struct range){f.from, to});
	vec_push(&in->items, n);
}

/* --- one formula ----------------------------------------------------------------------- */

/* `not true(p)`: the word was read as a condition of its own. */
static bool after_not(const struct infix *p)
{
	const struct reader *in = p->in;
	const struct gdl_node *last = in->items.n ? &in->rules->nodes.at[vec_last(&in->items)] : NULL;
	return last && !last->variable && last->name == GDL_NOT && !last->argc;
}

static bool wrong(struct infix *p, const char *message)
{
	struct diag *g = reader_fault(p->in, p->now.at, "syntax", "%s", message);
	char c = p->now.kind == ODD ? p->in->text[p->now.at.from] : 0;
	if (g && c == ';')
		g->help = "comments begin with `%`, alternatives are separated by `|`";
	else if (g && c && strchr("<>=+-*/", c))
		g->help = "GDL does not compute or compare; state the facts, such as succ(1, 2), and ask for them";
	else if (g && after_not(p))
		g->help = "write `~` before what is negated, or `not(...)`";
	return false;
}

/* What may come where a condition or term should begin. True: go on here. */
static bool read_operand(struct infix *p, size_t base, bool *done)
{
	struct reader *in = p->in;
	struct token t = p->now;
	*done = false;
	switch (t.kind) {
	case TILDE: advance(p); return push_frame(p, NEGATE, t.at.from, 0);
	case OPEN: advance(p); return push_frame(p, GROUP, t.at.from, 0);
	case NAME:
	case VARIABLE:
		advance(p);
		if (p->now.kind == OPEN && p->now.at.from == t.at.to) {
			if (t.kind == VARIABLE) {
				reader_fault(in, t.at, "bad-name", "a variable cannot have arguments");
				if (in->stop)
					return false;
			}
			advance(p);
			if (!push_frame(p, CALL, t.at.from, t.name))
				return false;
			if (p->now.kind != CLOSE)
				return true;
			close_frame(p, p->now.at.to);
			advance(p);
		} else {
			node_t n = reader_node(in, t.kind == VARIABLE, t.name, in->items.n, t.at);
			vec_push(&in->items, n);
		}
		complete(p, base);
		*done = true;
		return true;
	default:
		return wrong(p, p->frames.n > base ? "a condition or term should stand here" : "a condition should stand here");
	}
}

/* After an operand. `rest` is the frame below all others. Sets *more when another
 * operand must follow, *end when the formula is over. */
static bool read_operator(struct infix *p, size_t base, struct frame *rest, uint32_t column, bool *more, bool *end)
{
	struct reader *in = p->in;
	struct frame *f = p->frames.n > base ? &vec_last(&p->frames) : rest;
	*more = true;
	switch (p->now.kind) {
	case NOT_EQUAL:
		if (!push_frame(p, UNEQUAL, p->now.at.from, 0))
			return false;
		advance(p);
		return true;
	case COMMA:
		if (f != rest && f->kind == CALL)
			end_alternatives(in, f);
		advance(p);
		return true;
	case AMP: advance(p); return true;
	case BAR:
		join(in, GDL_AND, f->part);
		f->part = narrow32(in->items.n);
		advance(p);
		return true;
	case CLOSE:
		if (f == rest) {
			reader_fault(in, p->now.at, "surplus-paren", "this `)` closes nothing");
			return false;
		}
		close_frame(p, p->now.at.to);
		advance(p);
		complete(p, base);
		*more = false;
		return true;
	default: break;
	}
	bool begins = p->now.kind == NAME || p->now.kind == VARIABLE || p->now.kind == TILDE || p->now.kind == OPEN;
	if (f != rest) {
		if (p->now.kind == END || (p->now.fresh && begins && p->now.column <= column) || p->now.kind == DOT ||
		    p->now.kind == ARROW) {
			reader_fault(in, (struct range){f->from, f->from + 1}, "unterminated-list", "the `(` here is never closed");
			return false;
		}
		return wrong(p, "`,` or `)` is missing before this");
	}
	*end = p->now.kind == END || p->now.kind == DOT || p->now.kind == ARROW ||
	       (p->now.fresh && begins && p->now.column <= column);
	return *end ? true : wrong(p, begins ? "`,` or `.` is missing before this" : "this does not belong here");
}

/* Reads alternatives of joined conditions up to `.`, an arrow or a new clause.
 * Leaves the conditions, or one `or`, on the items from `first`. */
static bool read_formula(struct infix *p, uint32_t column)
{
	size_t base = p->frames.n;
	uint32_t at = narrow32(p->in->items.n);
	struct frame rest = {GROUP, p->now.at.from, 0, at, at, at};
	bool end = false, more = true, done;
	while (!end) {
		if (more) {
			if (!read_operand(p, base, &done))
				return false;
			more = !done;
			continue;
		}
		if (!read_operator(p, base, &rest, column, &more, &end))
			return false;
	}
	if (rest.part != rest.arg)
		end_alternatives(p->in, &rest);
	return true;
}

/* --- clauses --------------------------------------------------------------------------- */

/* Past the clause that could not be read. */
static void recover(struct infix *p, uint32_t column)
{
	while (p->now.kind != END && p->now.kind != DOT) {
		advance(p);
		if (p->now.fresh && p->now.column <= column && (p->now.kind == NAME || p->now.kind == VARIABLE))
			return;
	}
	if (p->now.kind == DOT)
		advance(p);
}

static bool read_clause(struct infix *p, uint32_t column)
{
	struct reader *in = p->in;
	uint32_t from = p->now.at.from;
	if (!read_formula(p, column))
		return false;
	if (in->items.n != 1) {
		reader_fault(in, span_from(in, 0), "bad-head",
		             "the head of a rule is one atom; `.` or an arrow is missing before `,`");
		return false;
	}
	if (p->now.kind == ARROW) {
		advance(p);
		if (p->now.kind != DOT && p->now.kind != END && !read_formula(p, column))
			return false;
		if (p->now.kind == ARROW)
			return wrong(p, "a second arrow in one rule; `.` is missing before its head");
	}
	uint32_t to = p->now.kind == DOT ? p->now.at.to : in->rules->nodes.at[vec_last(&in->items)].at.to;
	reader_clause(in, 0, (struct range){from, to});
	if (p->now.kind == DOT)
		advance(p);
	return true;
}

void reader_infix(struct reader *in)
{
	struct infix p = {.in = in, .fresh = true, .line = in->pos};
	advance(&p);
	while (p.now.kind != END && !in->stop) {
		uint32_t column = p.now.column, at = p.now.at.from;
		if (!read_clause(&p, column)) {
			p.frames.n = 0;
			in->items.n = 0;
			if (p.now.at.from == at && p.now.kind != DOT)
				advance(&p);
			recover(&p, column);
		}
	}
	vec_free(&p.frames);
}

bool reader_infix_term(struct reader *in, node_t *out)
{
	struct infix p = {.in = in, .fresh = true};
	size_t first = in->items.n;
	advance(&p);
	bool ok = read_formula(&p, 0);
	if (ok && (p.now.kind != END || in->items.n != first + 1)) {
		reader_fault(in, p.now.at, "bad-term", "this is more than one term");
		ok = false;
	}
	if (ok)
		*out = vec_last(&in->items);
	vec_free(&p.frames);
	return ok && !in->faults;
}

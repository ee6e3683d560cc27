/* Prefix form: lists of names, `?x` for variables, `;` to the end of the line.
 *
 * One loop over the text. Open lists wait on a stack with the number of items
 * that were there when they began; a `)` turns the items above into one node.
 * The depth is bounded, so is the stack. */
#include "gdl/kif_lexer.h"
#include "gdl/reader_internal.h"

/* Past blanks and comments; bytes that are no text are reported, a run at once. */
static void skip(struct reader *in)
{
	while (in->pos < in->length) {
		unsigned char c = (unsigned char)in->text[in->pos];
		if (c == ' ' || (c >= '\t' && c <= '\r')) {
			in->pos++;
		} else if (c == ';') {
			in->pos = (uint32_t)kif_comment_end(in->text, in->length, in->pos);
		} else if (c < ' ' || c == 0x7f) {
			uint32_t from = in->pos++;
			while (in->pos < in->length && (unsigned char)in->text[in->pos] == c)
				in->pos++;
			reader_fault(in, (struct range){from, in->pos}, "bad-byte", "a byte 0x%02x does not belong in rules", c);
			if (in->stop)
				return;
		} else {
			return;
		}
	}
}

static bool is_arrow(const struct reader *in, node_t n)
{
	const struct gdl_node *node = &in->rules->nodes.at[n];
	return !node->variable && !node->argc && node->at.to - node->at.from == 2 && in->text[node->at.from] == '<' &&
	       in->text[node->at.from + 1] == '=';
}

/* `(p)` is `p` as a node, but `((p) x)` is no application of p. */
static bool is_list(const struct reader *in, node_t n)
{
	return in->text[in->rules->nodes.at[n].at.from] == '(';
}

static void read_name(struct reader *in)
{
	uint32_t from = in->pos;
	while (in->pos < in->length && !kif_ends_word(in->text[in->pos]))
		in->pos++;
	struct range at = {from, in->pos};
	bool variable = in->text[from] == '?';
	if (variable && at.to - at.from == 1) {
		struct diag *g = reader_fault(in, at, "bad-variable", "a variable without a name");
		if (g)
			g->help = "write a name right after the question mark, as in ?x";
	}
	sym_t name = reader_name(in, at, variable, in->text + from + variable, at.to - at.from - variable);
	node_t n = reader_node(in, variable, name, in->items.n, at);
	vec_push(&in->items, n);
	if (in->open.n)
		return;
	if (is_arrow(in, n)) {
		reader_fault(in, at, "bad-rule", "`<=` stands only at the beginning of a list");
		in->items.n = 0;
	} else {
		reader_clause(in, in->items.n - 1, at);
	}
}

/* The end of a list inside another: a name and its arguments. */
static void close_inner(struct reader *in, struct reader_list list, struct range at)
{
	size_t first = list.items;
	if (in->items.n == first) {
		reader_fault(in, at, "empty-list", "an empty list means nothing");
		node_t n = reader_node(in, false, reader_name(in, at, false, "()", 2), first, at);
		vec_push(&in->items, n);
		vec_last(&in->open).odd = true;
		return;
	}
	node_t name = in->items.at[first];
	struct gdl_node head = in->rules->nodes.at[name];
	if ((head.variable || is_list(in, name)) && !list.odd) {
		reader_fault(in, head.at, "bad-name", "a list begins with a name, not with a %s",
		             head.variable ? "variable" : "list");
		list.odd = true;
	}
	node_t n = reader_node(in, false, head.name, first + 1, at);
	in->items.n = first;
	vec_push(&in->items, n);
	vec_last(&in->open).odd |= list.odd;
}

/* The end of a list that stands on its own: a fact or a rule. */
static void close_outer(struct reader *in, struct reader_list list, struct range at)
{
	size_t first = list.items;
	if (in->items.n == first) {
		reader_fault(in, at, "empty-list", "an empty list means nothing");
		return;
	}
	if (is_arrow(in, in->items.at[first])) {
		if (in->items.n == first + 1)
			reader_fault(in, at, "bad-rule", "a rule without a head");
		else if (!list.odd)
			reader_clause(in, first + 1, at);
		in->items.n = first;
		return;
	}
	vec_push(&in->open, (struct reader_list){.items = list.items});
	close_inner(in, list, at);
	list = vec_pop(&in->open);
	if (!list.odd)
		reader_clause(in, first, at);
	in->items.n = first;
}

/* `(<=` inside a list: a `)` was forgotten. The lists before it are given up
 * and the new rule is read as such. */
static void restart_at_rule(struct reader *in)
{
	struct reader_list list = vec_last(&in->open);
	struct diag *g = reader_fault(in, (struct range){list.from, list.from + 3}, "rule-in-list",
	                              "a rule begins here inside another list");
	if (g) {
		g->help = "a `)` is missing before it";
		g->also = (struct range){in->open.at[0].from, in->open.at[0].from + 1};
		g->also_message = "this list is still open";
	}
	in->items.at[0] = vec_last(&in->items);
	in->items.n = 1;
	in->open.n = 0;
	vec_push(&in->open, (struct reader_list){.from = list.from});
}

static void open_list(struct reader *in)
{
	if (in->open.n == GDL_MAX_DEPTH) {
		struct diag *g = reader_fault(in, (struct range){in->pos, in->pos + 1}, "too-deep",
		                              "lists nested deeper than %d; reading stops here", GDL_MAX_DEPTH);
		if (g) {
			g->also = (struct range){in->open.at[0].from, in->open.at[0].from + 1};
			g->also_message = "the outermost list begins here";
		}
		in->stop = true;
		return;
	}
	vec_push(&in->open, (struct reader_list){.from = in->pos++, .items = narrow32(in->items.n)});
}

static void close_list(struct reader *in)
{
	uint32_t at = in->pos++;
	if (!in->open.n) {
		bool partial = in->rules->partial; /* nothing is lost by it */
		struct diag *g = reader_fault(in, (struct range){at, in->pos}, "surplus-paren", "this `)` closes nothing");
		in->rules->partial = partial || in->stop;
		if (g && in->rules->clauses.n) {
			g->also = vec_last(&in->rules->clauses).at;
			g->also_message = "the rule before it is complete already";
		}
		return;
	}
	struct reader_list list = vec_pop(&in->open);
	struct range range = {list.from, in->pos};
	if (in->open.n)
		close_inner(in, list, range);
	else
		close_outer(in, list, range);
}

static void step(struct reader *in)
{
	char c = in->text[in->pos];
	if (c == '(') {
		open_list(in);
	} else if (c == ')') {
		close_list(in);
	} else {
		read_name(in);
		if (in->open.n && is_arrow(in, vec_last(&in->items))) {
			bool first = in->items.n == vec_last(&in->open).items + 1;
			if (first && in->open.n > 1)
				restart_at_rule(in);
			else if (!first)
				reader_fault(in, in->rules->nodes.at[vec_last(&in->items)].at, "bad-rule",
				             "`<=` stands only at the beginning of a rule");
		}
	}
}

static void report_unterminated(struct reader *in)
{
	uint32_t from = vec_last(&in->open).from;
	struct diag *g = reader_fault(in, (struct range){from, from + 1}, "unterminated-list", "this list is never closed");
	if (g && in->open.n > 1) {
		g->help = diag_text(in->d, "%zu `)` are missing before the end of the text", in->open.n);
		g->also = (struct range){in->open.at[0].from, in->open.at[0].from + 1};
		g->also_message = "the rule begins here";
	} else if (g) {
		g->help = "a `)` is missing before the end of the text";
	}
}

void reader_kif(struct reader *in)
{
	for (skip(in); in->pos < in->length && !in->stop; skip(in))
		step(in);
	if (in->open.n && !in->stop)
		report_unterminated(in);
}

bool reader_kif_term(struct reader *in, node_t *out)
{
	/* An open list around the term keeps it from becoming a clause. */
	vec_push(&in->open, (struct reader_list){0});
	for (skip(in); in->pos < in->length && !in->stop; skip(in)) {
		if (in->items.n && in->open.n == 1) {
			reader_fault(in, (struct range){in->pos, in->pos + 1}, "bad-term", "something follows the term");
			return false;
		}
		if (in->text[in->pos] == ')' && in->open.n == 1) {
			reader_fault(in, (struct range){in->pos, in->pos + 1}, "surplus-paren", "a `)` that closes nothing");
			return false;
		}
		step(in);
	}
	if (in->open.n != 1 || in->items.n != 1) {
		if (!in->faults)
			reader_fault(in, (struct range){0, 1}, "bad-term", in->items.n ? "a `)` is missing" : "a term is missing");
		return false;
	}
	*out = in->items.at[0];
	return !in->faults;
}

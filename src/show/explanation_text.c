/* A line per step: the branches of the tree, the statement, and in a column of its own what there is to say about it.
 * Where both do not fit the width, the words go on in the lines below. */
#include "show/explanation_text.h"

#include "base/utf8.h"

#include <string.h>

#define MAX_COLUMN 44 /* where the second column begins at most */
#define MIN_WORDS 24  /* columns that it needs */

struct drawing {
	const struct explanation *e;
	const char *file, *source;
	size_t length;
	uint32_t width;
	bool *last; /* by step: no other one of the same parent follows */
	struct text *out;
};

/* ---- the words ---------------------------------------------------------------------- */

static void put_place(const struct drawing *d, struct range at, struct text *t)
{
	struct place p = diag_place(d->source, d->length, at.from);
	if (d->file)
		text_printf(t, "%s:%u", d->file, p.line);
	else
		text_printf(t, "line %u", p.line);
}

static void put_line(const struct drawing *d, struct range at, struct text *t)
{
	text_printf(t, "line %u", diag_place(d->source, d->length, at.from).line);
}

static void put_failure(const struct drawing *d, const struct explanation_step *s, struct text *t)
{
	if (s->reason == REASON_RULE_FAILS) {
		text_puts(t, "could come from ");
		put_place(d, s->rule, t);
		if (s->conditions > 1)
			text_printf(t, " (%u of %u conditions hold), but:", s->met, s->conditions);
		else
			text_puts(t, ", but:");
		return;
	}
	text_puts(t, s->condition.to ? "fails in " : "does not hold");
	if (s->condition.to)
		put_line(d, s->condition, t);
	if (s->note)
		text_printf(t, ": %s", s->note);
}

static void put_words(const struct drawing *d, const struct explanation_step *s, struct text *t)
{
	switch (s->reason) {
	case REASON_RULE: text_puts(t, "by "), put_place(d, s->rule, t); break;
	case REASON_FACT: text_puts(t, "fact "), put_place(d, s->rule, t); break;
	case REASON_FLUENT: text_puts(t, "in the position"); break;
	case REASON_MOVE: text_puts(t, "a move made"); break;
	case REASON_DISTINCT: text_puts(t, "they differ"); break;
	case REASON_ABSENCE: text_puts(t, s->note ? s->note : "nothing gives it"); break;
	case REASON_ABOVE: text_puts(t, "as above"); break;
	case REASON_FAILS:
	case REASON_RULE_FAILS: put_failure(d, s, t); break;
	case REASON_LEFT_OUT: text_puts(t, s->note); break;
	}
}

/* ---- the tree ------------------------------------------------------------------------- */

static void find_last(struct drawing *d)
{
	size_t n = d->e->steps.n;
	bool *seen = NEW_ARRAY(bool, n + 1); /* by parent */
	for (size_t i = n; i-- > 0;) {
		uint32_t p = d->e->steps.at[i].parent;
		d->last[i] = p == UINT32_MAX || !seen[p];
		if (p != UINT32_MAX)
			seen[p] = true;
	}
	mem_free(seen);
}

/* The branches left of a step, or of the lines that go on with it. */
static void put_branches(const struct drawing *d, uint32_t step, bool first, struct text *t)
{
	VEC(uint32_t) way = {0};
	for (uint32_t i = step; d->e->steps.at[i].parent != UINT32_MAX; i = d->e->steps.at[i].parent)
		vec_push(&way, i);
	for (size_t i = way.n; i-- > 0;) {
		bool own = i == 0 && first;
		text_puts(t, own ? (d->last[way.at[i]] ? "└─ " : "├─ ") : d->last[way.at[i]] ? "   " : "│  ");
	}
	vec_free(&way);
}

static int columns(const struct text *t)
{
	return utf8_columns(text_str(t), t->n);
}

static void pad(struct text *t, int from, int to)
{
	for (int i = from; i < to; i++)
		text_putc(t, ' ');
}

/* Words from `column` on, further lines below with the branches of the step. */
static void put_wrapped(const struct drawing *d, uint32_t step, const char *words, int at, int column)
{
	while (*words) {
		size_t n = strcspn(words, " ");
		int width = utf8_columns(words, n);
		if (d->width && at > column && at + 1 + width > (int)d->width) {
			struct text rest = {0};
			put_branches(d, step, false, &rest);
			text_putc(d->out, '\n');
			text_puts(d->out, text_str(&rest));
			pad(d->out, columns(&rest), column);
			at = column > columns(&rest) ? column : columns(&rest);
			column = at;
			text_free(&rest);
		} else if (at > column) {
			text_putc(d->out, ' ');
			at++;
		}
		text_add(d->out, words, n);
		at += width;
		words += n;
		words += *words == ' ';
	}
}

static void put_step(const struct drawing *d, uint32_t step, int column)
{
	struct text left = {0}, words = {0};
	put_branches(d, step, true, &left);
	text_puts(&left, d->e->steps.at[step].statement);
	put_words(d, &d->e->steps.at[step], &words);
	int at = columns(&left);
	text_puts(d->out, text_str(&left));
	if (at + 2 <= column) {
		pad(d->out, at, column);
		at = column;
	} else {
		text_puts(d->out, "  ");
		at += 2;
	}
	put_wrapped(d, step, text_str(&words), at, d->width && at + MIN_WORDS > (int)d->width ? column : at);
	text_putc(d->out, '\n');
	text_free(&left);
	text_free(&words);
}

void explanation_print(const struct explanation *e, const char *file, const char *source, size_t length, uint32_t width,
                       struct text *out)
{
	struct drawing d = {e, file, source, length, width, NEW_ARRAY(bool, e->steps.n + 1), out};
	int column = 0, most = width && width < MAX_COLUMN + MIN_WORDS ? (int)width - MIN_WORDS : MAX_COLUMN;
	find_last(&d);
	for (uint32_t i = 0; i < e->steps.n; i++) {
		const struct explanation_step *s = &e->steps.at[i];
		int at = 3 * (int)s->depth + utf8_columns(s->statement, strlen(s->statement)) + 2;
		column = at > column && at <= most ? at : column;
	}
	for (uint32_t i = 0; i < e->steps.n; i++)
		put_step(&d, i, column);
	mem_free(d.last);
}

/* XCSP3 out: the plain part is written by the network itself; the rest is put around it. */
#include "scsp/scsp_internal.h"
#include "qcsp/qcsp_internal.h"

#include <string.h>

/* What csp_write_xml wrote between <element> and </element>. */
static void between(const char *xml, const char *open, const char *close, struct text *out)
{
	const char *from = strstr(xml, open), *to = from ? strstr(from, close) : NULL;
	if (from && to)
		text_add(out, from + strlen(open), (size_t)(to - from) - strlen(open));
}

static void put_names(struct csp *n, const uint32_t *x, size_t count, struct text *out)
{
	for (size_t i = 0; i < count; i++)
		text_printf(out, "%s%s ", *csp_name(n, x[i]) == '_' ? "aux" : "", csp_name(n, x[i])); /* as csp_write_xml does */
}

/* ---- stochastic ---- */

static void put_value(struct csp *n, uint32_t x, uint32_t at, struct text *out)
{
	if (csp_symbolic(n, x))
		text_puts(out, csp_symbol_text(n, csp_value(n, x, at)));
	else
		text_printf(out, "%d", csp_value(n, x, at));
}

/* Can the declaration carry the probabilities? Members of arrays cannot. */
static bool in_declaration(const struct scsp *s, uint32_t y)
{
	const struct draw *d = &s->draws[y];
	return d->kind == DRAW_TABLE && !d->parents.n && !strchr(csp_name(s->hard, y), '[');
}

static void put_declaration(struct scsp *s, uint32_t y, struct text *out)
{
	text_printf(out, "<var id=\"%s\" type=\"%sstochastic\"> ", csp_name(s->hard, y), csp_symbolic(s->hard, y) ? "symbolic " : "");
	for (uint32_t i = 0; i < csp_count(s->hard, y); i++) {
		put_value(s->hard, y, i, out);
		text_putc(out, ':');
		scsp_p_text(s->draws[y].p.at[i], out);
		text_putc(out, ' ');
	}
	text_puts(out, "</var>\n");
}

/* Line by line, because each variable and each constraint is one. */
static void put_variables(struct scsp *s, const char *lines, struct text *out)
{
	for (const char *end; *lines; lines = end) {
		size_t length = strcspn(lines, "\n");
		end = lines + length + (lines[length] == '\n');
		uint32_t y = CSP_NONE;
		if (!strncmp(lines, "<var id=\"", 9)) {
			char name[256];
			size_t k = strcspn(lines + 9, "\"");
			if (k < sizeof name) {
				memcpy(name, lines + 9, k);
				name[k] = 0;
				y = csp_find(s->hard, name);
			}
		}
		if (y != CSP_NONE && in_declaration(s, y))
			put_declaration(s, y, out);
		else
			text_add(out, lines, (size_t)(end - lines));
	}
}

/* Each line's element gets a class; in the hard part only where the default would be chance. */
static void put_classed(struct scsp *s, struct csp *n, const char *lines, const char *class, struct text *out)
{
	uint32_t c = 0;
	for (const char *end; *lines; lines = end) {
		size_t length = strcspn(lines, "\n"), name = strcspn(lines, " >");
		end = lines + length + (lines[length] == '\n');
		if (*lines != '<') {
			text_add(out, lines, (size_t)(end - lines));
			continue;
		}
		bool drawn = false;
		for (uint32_t j = 0; c < csp_constraints(n) && j < csp_arity(n, c); j++)
			drawn = drawn || scsp_stochastic(s, csp_scope(n, c)[j]);
		c++;
		text_add(out, lines, name);
		if (drawn == !strcmp(class, "hard"))
			text_printf(out, " class=\"%s\"", class);
		text_add(out, lines + name, (size_t)(end - lines) - name);
	}
}

static void put_softs(struct scsp *s, struct text *out)
{
	for (size_t i = 0; i < s->softs.n; i++) {
		const struct soft *f = &s->softs.at[i];
		text_puts(out, "<soft><list> ");
		put_names(s->hard, f->scope.at, f->scope.n, out);
		text_puts(out, "</list><tuples> ");
		for (size_t r = 0; r < f->cells.n; r += f->scope.n) {
			for (size_t j = 0; j < f->scope.n; j++) {
				text_putc(out, j ? ',' : '(');
				put_value(s->hard, f->scope.at[j], f->cells.at[r + j], out);
			}
			text_putc(out, ')');
		}
		text_puts(out, " </tuples><utilities> ");
		for (size_t k = 0; k < f->utilities.n; k++)
			text_printf(out, "%.17g ", f->utilities.at[k]);
		text_puts(out, "</utilities></soft>\n");
	}
}

static void put_stages(struct scsp *s, struct text *out)
{
	text_puts(out, "<stages>\n");
	for (uint32_t i = 0; i < s->vars;) {
		bool draw = scsp_stochastic(s, s->order[i]);
		const char *element = draw ? "stochastic" : "decision";
		text_printf(out, "<%s> ", element);
		for (; i < s->vars && scsp_stochastic(s, s->order[i]) == draw; i++)
			put_names(s->hard, &s->order[i], 1, out);
		text_printf(out, "</%s>\n", element);
	}
	text_puts(out, "</stages>\n");
}

static void put_conditional(struct scsp *s, uint32_t y, struct text *out)
{
	const struct draw *d = &s->draws[y];
	uint32_t count = csp_count(s->hard, y);
	text_printf(out, "<%s for=\"%s\">", d->kind == DRAW_LEGAL ? "legal" : "conditional", csp_name(s->hard, y));
	if (d->parents.n) {
		text_puts(out, "<list> ");
		put_names(s->hard, d->parents.at, d->parents.n, out);
		text_puts(out, "</list>");
	}
	for (size_t r = 0; d->kind == DRAW_TABLE && r * count < d->p.n; r++) {
		text_puts(out, "\n<row> ");
		for (size_t j = 0; j < d->parents.n; j++) {
			text_putc(out, j ? ',' : '(');
			put_value(s->hard, d->parents.at[j], d->given.at[r * d->parents.n + j], out);
		}
		text_puts(out, d->parents.n ? "): " : "");
		for (uint32_t i = 0; i < count; i++) {
			scsp_p_text(d->p.at[r * count + i], out);
			text_putc(out, ' ');
		}
		text_puts(out, "</row>");
	}
	text_printf(out, "</%s>\n", d->kind == DRAW_LEGAL ? "legal" : "conditional");
}

void scsp_write_xml(struct scsp *s, struct text *out)
{
	struct text hard = {0}, chance = {0}, piece = {0};
	csp_write_xml(s->hard, &hard);
	csp_write_xml(s->chance, &chance);
	text_puts(out, "<instance format=\"XCSP3\" type=\"SCSP\">\n<variables>\n");
	between(text_str(&hard), "<variables>\n", "</variables>", &piece);
	put_variables(s, text_str(&piece), out);
	text_puts(out, "</variables>\n<constraints>\n");
	piece.n = 0;
	text_puts(&piece, "");
	between(text_str(&hard), "<constraints>\n", "</constraints>", &piece);
	put_classed(s, s->hard, piece.n ? text_str(&piece) : "", "hard", out);
	piece.n = 0;
	between(text_str(&chance), "<constraints>\n", "</constraints>", &piece);
	put_classed(s, s->chance, piece.n ? text_str(&piece) : "", "chance", out);
	put_softs(s, out);
	text_puts(out, "</constraints>\n");
	put_stages(s, out);
	bool any = false;
	for (uint32_t y = 0; y < s->vars; y++)
		if (scsp_stochastic(s, y) && !in_declaration(s, y)) {
			text_puts(out, any ? "" : "<probabilities>\n");
			put_conditional(s, y, out);
			any = true;
		}
	text_puts(out, any ? "</probabilities>\n" : "");
	text_puts(out, "<thresholds> ");
	for (uint32_t p = 0; p < s->players; p++)
		text_printf(out, "%.17g ", s->theta[p]);
	text_puts(out, "</thresholds>\n</instance>\n");
	text_free(&hard);
	text_free(&chance);
	text_free(&piece);
}

/* ---- quantified ---- */

void qcsp_write_xml(struct qcsp *q, struct text *out)
{
	struct text plain = {0};
	csp_write_xml(q->n, &plain);
	const char *body = strstr(text_str(&plain), "<variables>"), *end = strstr(text_str(&plain), "</instance>");
	text_printf(out, "<instance format=\"XCSP3\" type=\"QCSP\" semantics=\"%s\">\n", q->strategic ? "strategic" : "plain");
	text_add(out, body, (size_t)(end - body));
	text_puts(out, "<quantification>\n");
	for (size_t i = 0; i < q->sequence.n;) {
		bool forall = q->forall.at[i];
		const char *element = forall ? "forall" : "exists";
		text_printf(out, "<%s> ", element);
		for (; i < q->sequence.n && q->forall.at[i] == forall; i++)
			put_names(q->n, &q->sequence.at[i], 1, out);
		text_printf(out, "</%s>\n", element);
	}
	text_puts(out, "</quantification>\n</instance>\n");
	text_free(&plain);
}

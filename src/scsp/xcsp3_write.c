/* Writes stochastic problems (XCSP3, type SCSP): variables, constraints and objectives are written by the network's
 * own writer; the rest is put around them. */
#include "csp/xcsp3.h"
#include "scsp/scsp_internal.h"

#include <assert.h>

static void put_value_at(const struct csp *n, uint32_t x, uint32_t at, struct text *out)
{
	assert(x < csp_variables(n));
	csp_xml_value(n, x, csp_value(n, x, at), out);
}

struct declared {
	struct scsp *s;
	bool *done; /* by variable: the declaration carries the probabilities */
};

/* Declarations carry the probabilities of draws that depend on nothing. Members of arrays are not asked for here. */
static bool declare(void *user, uint32_t y, struct text *out)
{
	struct declared *d = user;
	const struct csp *n = d->s->hard;
	const struct draw *draw = &d->s->draws[y];
	if (draw->kind != DRAW_TABLE || draw->parents.n)
		return false;
	text_puts(out, "<var id=\"");
	csp_xml_name(n, y, out);
	text_printf(out, "\" type=\"%sstochastic\"> ", csp_symbolic(n, y) ? "symbolic " : "");
	for (uint32_t i = 0; i < csp_count(n, y); i++) {
		put_value_at(n, y, i, out);
		text_putc(out, ':');
		scsp_p_text(draw->p.at[i], out);
		text_putc(out, ' ');
	}
	text_puts(out, "</var>\n");
	d->done[y] = true;
	return true;
}

/* A constraint has a class only where the default would be the other one: chance, when it mentions a draw. */
static void put_constraints(const struct scsp *s, const struct csp *n, bool hard, struct text *out)
{
	for (uint32_t c = 0; c < csp_constraints(n); c++) {
		bool drawn = false;
		for (uint32_t j = 0; j < csp_arity(n, c); j++)
			drawn = drawn || scsp_stochastic(s, csp_scope(n, c)[j]);
		if (!csp_implied(n, c))
			csp_xml_constraint(n, c, drawn != hard ? "" : hard ? " class=\"hard\"" : " class=\"chance\"", out);
	}
}

static void put_softs(struct scsp *s, struct text *out)
{
	for (size_t i = 0; i < s->softs.n; i++) {
		const struct soft *f = &s->softs.at[i];
		text_puts(out, "<soft><list> ");
		csp_xml_names(s->hard, f->scope.at, f->scope.n, out);
		text_puts(out, "</list><tuples> ");
		for (size_t r = 0; r < f->cells.n; r += f->scope.n) {
			for (size_t j = 0; j < f->scope.n; j++) {
				text_putc(out, j ? ',' : '(');
				put_value_at(s->hard, f->scope.at[j], f->cells.at[r + j], out);
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
			csp_xml_names(s->hard, &s->order[i], 1, out);
		text_printf(out, "</%s>\n", element);
	}
	text_puts(out, "</stages>\n");
}

static void put_conditional(struct scsp *s, uint32_t y, struct text *out)
{
	assert(y < s->vars);
	const struct draw *d = &s->draws[y];
	uint32_t count = csp_count(s->hard, y);
	text_printf(out, "<%s for=\"", d->kind == DRAW_LEGAL ? "legal" : "conditional");
	csp_xml_name(s->hard, y, out);
	text_puts(out, "\">");
	if (d->parents.n) {
		text_puts(out, "<list> ");
		csp_xml_names(s->hard, d->parents.at, d->parents.n, out);
		text_puts(out, "</list>");
	}
	for (size_t r = 0; d->kind == DRAW_TABLE && r * count < d->p.n; r++) {
		text_puts(out, "\n<row> ");
		for (size_t j = 0; j < d->parents.n; j++) {
			text_putc(out, j ? ',' : '(');
			put_value_at(s->hard, d->parents.at[j], d->given.at[r * d->parents.n + j], out);
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

static void put_probabilities(struct scsp *s, const bool *done, struct text *out)
{
	bool any = false;
	for (uint32_t y = 0; y < s->vars; y++)
		if (scsp_stochastic(s, y) && !done[y]) {
			text_puts(out, any ? "" : "<probabilities>\n");
			put_conditional(s, y, out);
			any = true;
		}
	text_puts(out, any ? "</probabilities>\n" : "");
}

void scsp_write_xml(struct scsp *s, struct text *out)
{
	struct declared d = {s, NEW_ARRAY(bool, s->vars + 1)};
	text_puts(out, "<instance format=\"XCSP3\" type=\"SCSP\">\n<variables>\n");
	csp_xml_variables(s->hard, declare, &d, out);
	text_puts(out, "</variables>\n<constraints>\n");
	put_constraints(s, s->hard, true, out);
	put_constraints(s, s->chance, false, out);
	put_softs(s, out);
	text_puts(out, "</constraints>\n");
	put_stages(s, out);
	put_probabilities(s, d.done, out);
	text_puts(out, "<thresholds> ");
	for (uint32_t p = 0; p < s->players; p++) {
		scsp_p_text(s->theta_as[p], out);
		text_putc(out, ' ');
	}
	text_puts(out, "</thresholds>\n</instance>\n");
	mem_free(d.done);
}

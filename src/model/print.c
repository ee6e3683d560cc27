/* The network as the papers' figures show it: domains, then one table per constraint. */
#include "model/model_internal.h"

#include <string.h>

static void put_value(const struct model *m, uint32_t x, int32_t v, struct text *out)
{
	if (v == CSP_ANY)
		text_putc(out, '*');
	else if (csp_symbolic(m->net, x))
		text_puts(out, csp_symbol_text(m->net, v));
	else
		text_printf(out, "%d", v);
}

static bool chance(const struct model *m, uint32_t x)
{
	return m->game->random < m->game->roles && x == m->action[m->game->random];
}

static void print_domains(const struct model *m, struct text *out)
{
	text_puts(out, "variables\n");
	for (uint32_t x = 0; x < csp_variables(m->net); x++) {
		text_printf(out, "  %s {", csp_name(m->net, x));
		for (uint32_t i = 0; i < csp_count(m->net, x); i++) {
			text_puts(out, i ? ", " : "");
			put_value(m, x, csp_value(m->net, x, i), out);
		}
		text_printf(out, "}%s%s\n", chance(m, x) ? " stochastic" : "", csp_hidden(m->net, x) ? " auxiliary" : "");
	}
}

static void put_padded(struct text *out, struct text *cell, size_t width, bool last)
{
	text_puts(out, text_str(cell));
	for (size_t i = cell->n; i < width && !last; i++)
		text_putc(out, ' ');
	text_puts(out, last ? "\n" : "  ");
	vec_clear(cell);
	if (cell->at)
		cell->at[0] = 0;
}

static void print_table(const struct model *m, const struct kept_table *k, struct text *out)
{
	const uint32_t *scope = m->kept_scopes.at + k->scope;
	const int32_t *tuples = m->kept_tuples.at + k->tuples;
	size_t *width = NEW_ARRAY(size_t, k->arity + 1);
	struct text cell = {0};
	text_printf(out, "\n%s\n", k->relation);
	for (uint32_t p = 0; p < k->arity; p++) {
		width[p] = strlen(csp_name(m->net, scope[p]));
		for (size_t r = 0; r < k->rows; r++) {
			cell.n = 0;
			put_value(m, scope[p], tuples[r * k->arity + p], &cell);
			width[p] = cell.n > width[p] ? cell.n : width[p];
		}
	}
	cell.n = 0;
	for (uint32_t p = 0; p < k->arity; p++) {
		text_puts(out, p ? "" : "  ");
		text_puts(&cell, csp_name(m->net, scope[p]));
		put_padded(out, &cell, width[p], p + 1 == k->arity);
	}
	for (size_t r = 0; r < k->rows; r++)
		for (uint32_t p = 0; p < k->arity; p++) {
			text_puts(out, p ? "" : "  ");
			put_value(m, scope[p], tuples[r * k->arity + p], &cell);
			put_padded(out, &cell, width[p], p + 1 == k->arity);
		}
	text_free(&cell);
	mem_free(width);
}

bool model_print(struct model *m, struct text *out)
{
	if (m->cells > MODEL_PRINT_CELLS || !m->kept.n)
		return false;
	print_domains(m, out);
	for (size_t i = 0; i < m->kept.n; i++)
		print_table(m, &m->kept.at[i], out);
	if (m->chance_legal.n)
		text_printf(out, "\nchance\n  %s is uniform over the values whose legal_ variable is 1\n",
		            csp_name(m->net, m->action[m->game->random]));
	text_puts(out, "\nsoft\n");
	for (uint32_t r = 0; r < m->game->roles; r++)
		text_printf(out, "  %s / 100 when terminal is 1, else 0\n", csp_name(m->net, m->score[r]));
	return true;
}

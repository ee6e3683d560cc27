/* Rules as text. */
#include "gdl/reader.h"

void gdl_print_node(const struct gdl_rules *r, node_t n, enum gdl_form form, struct text *out)
{
	const struct gdl_node *node = &r->nodes.at[n];
	if (node->argc)
		text_putc(out, '(');
	if (node->variable)
		text_putc(out, '?');
	text_puts(out, sym_text(&r->symbols, node->name));
	for (uint32_t i = 0; i < node->argc; i++) {
		text_putc(out, ' ');
		gdl_print_node(r, r->kids.at[node->args + i], form, out);
	}
	if (node->argc)
		text_putc(out, ')');
}

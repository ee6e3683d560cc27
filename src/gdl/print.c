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

/* --- for messages ----------------------------------------------------------- */

#define QUOTE_MAX 60

static const char *cut(struct text *t, struct diags *d)
{
	size_t n = t->n;
	if (n > QUOTE_MAX) {
		n = QUOTE_MAX;
		while (n && ((unsigned char)t->at[n] & 0xc0) == 0x80)
			n--;
	}
	const char *out = diag_text(d, "%.*s%s", (int)n, text_str(t), n < t->n ? "..." : "");
	text_free(t);
	return out;
}

const char *gdl_quote(const struct gdl_rules *r, node_t n, struct diags *d)
{
	struct text t = {0};
	gdl_print_node(r, n, r->form, &t);
	return cut(&t, d);
}

const char *gdl_quote_name(const struct gdl_rules *r, sym_t name, bool variable, struct diags *d)
{
	struct text t = {0};
	if (variable && r->form == GDL_KIF)
		text_putc(&t, '?');
	text_puts(&t, sym_text(&r->symbols, name));
	return cut(&t, d);
}

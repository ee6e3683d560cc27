/* Rules as text, in both forms. What is printed reads back as the same rules; so
 * in infix form names that would read as something else are quoted, and the
 * variables of a clause get names that begin with a capital letter and stay
 * different from one another. */
#include "gdl/reader_internal.h"

#include <string.h>

/* The variables of the clause at hand and what they are called. */
struct printer {
	const struct gdl_rules *r;
	struct text *out;
	enum gdl_form form;
	struct table index; /* symbol -> position in vars */
	VEC(struct named { sym_t variable, name; }) vars;
	struct symbols names; /* those taken */
};

/* --- names in infix form ---------------------------------------------------------- */

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static void name_variable(struct printer *p, sym_t variable)
{
	struct text t = {0};
	const char *s = sym_text(&p->r->symbols, variable);
	if (s[0] >= 'a' && s[0] <= 'z')
		text_putc(&t, (char)(s[0] - 32)), s++;
	else if (!(s[0] >= 'A' && s[0] <= 'Z') && s[0] != '_')
		text_putc(&t, 'V');
	for (; *s; s++)
		text_putc(&t, is_word(*s) ? *s : '_');
	if (t.n == 1 && t.at[0] == '_')
		text_putc(&t, '_');
	size_t stem = t.n;
	for (size_t i = p->vars.n; sym_find(&p->names, t.at, t.n) != SYM_NONE; i++) {
		t.n = stem;
		text_printf(&t, "_%zu", i);
	}
	struct named v = {variable, sym_put(&p->names, t.at, t.n)};
	table_add(&p->index, hash_mix(variable), narrow32(p->vars.n));
	vec_push(&p->vars, v);
	text_free(&t);
}

static const char *variable_name(const struct printer *p, sym_t variable)
{
	uint32_t it, id;
	uint64_t h = hash_mix(variable);
	for (table_start(&p->index, h, &it); (id = table_next(&p->index, h, &it)) != TABLE_NONE;)
		if (p->vars.at[id].variable == variable)
			return sym_text(&p->names, p->vars.at[id].name);
	return NULL;
}

static void name_variables(struct printer *p, node_t n)
{
	const struct gdl_node *node = &p->r->nodes.at[n];
	if (node->variable && !variable_name(p, node->name))
		name_variable(p, node->name);
	for (uint32_t i = 0; i < node->argc; i++)
		name_variables(p, gdl_arg(p->r, n, i));
}

static void forget_variables(struct printer *p)
{
	if (!p->vars.n)
		return;
	table_free(&p->index);
	sym_free(&p->names);
	memset(&p->names, 0, sizeof p->names);
	vec_free(&p->vars);
}

static void put_name(struct printer *p, sym_t name)
{
	const char *s = sym_text(&p->r->symbols, name);
	bool plain = (s[0] >= 'a' && s[0] <= 'z') || (s[0] >= '0' && s[0] <= '9');
	for (const char *c = s; *c && plain; c++)
		plain = is_word(*c);
	if (plain) {
		text_puts(p->out, s);
		return;
	}
	text_putc(p->out, '\'');
	for (; *s; s++) {
		if (*s == '\'' || *s == '\\')
			text_putc(p->out, '\\');
		text_putc(p->out, *s);
	}
	text_putc(p->out, '\'');
}

/* --- nodes -------------------------------------------------------------------------- */

static void put_kif(const struct gdl_rules *r, node_t n, struct text *out)
{
	const struct gdl_node *node = &r->nodes.at[n];
	if (node->argc)
		text_putc(out, '(');
	if (node->variable)
		text_putc(out, '?');
	text_puts(out, sym_text(&r->symbols, node->name));
	for (uint32_t i = 0; i < node->argc; i++) {
		text_putc(out, ' ');
		put_kif(r, gdl_arg(r, n, i), out);
	}
	if (node->argc)
		text_putc(out, ')');
}

static void put_infix(struct printer *p, node_t n)
{
	const struct gdl_node *node = &p->r->nodes.at[n];
	if (node->variable) {
		text_puts(p->out, variable_name(p, node->name));
		return;
	}
	if (node->name == GDL_NOT && node->argc == 1) {
		text_putc(p->out, '~');
		put_infix(p, gdl_arg(p->r, n, 0));
		return;
	}
	put_name(p, node->name);
	for (uint32_t i = 0; i < node->argc; i++) {
		text_puts(p->out, i ? ", " : "(");
		put_infix(p, gdl_arg(p->r, n, i));
	}
	if (node->argc)
		text_putc(p->out, ')');
}

static void put_node(struct printer *p, node_t n)
{
	if (p->form == GDL_KIF)
		put_kif(p->r, n, p->out);
	else
		put_infix(p, n);
}

void gdl_print_node(const struct gdl_rules *r, node_t n, enum gdl_form form, struct text *out)
{
	struct printer p = {.r = r, .out = out, .form = form};
	if (form == GDL_INFIX)
		name_variables(&p, n);
	put_node(&p, n);
	forget_variables(&p);
}

/* --- clauses ------------------------------------------------------------------------- */

static void put_rule(struct printer *p, const struct gdl_clause *c)
{
	bool kif = p->form == GDL_KIF;
	if (kif)
		text_puts(p->out, "(<= ");
	put_node(p, c->head);
	if (!kif)
		text_puts(p->out, " :-");
	for (uint32_t i = 0; i < c->count; i++) {
		text_puts(p->out, kif ? "\n    " : i ? " &\n    " : "\n    ");
		put_node(p, p->r->kids.at[c->body + i]);
	}
	text_puts(p->out, kif ? ")\n" : ".\n");
}

static void put_fact(struct printer *p, const struct gdl_clause *c)
{
	/* Alone on the top level `(p)` cannot be taken for infix form. */
	const struct gdl_node *head = &p->r->nodes.at[c->head];
	bool bare = p->form == GDL_KIF && !head->argc && !head->variable;
	if (bare)
		text_putc(p->out, '(');
	put_node(p, c->head);
	text_puts(p->out, bare ? ")\n" : p->form == GDL_KIF ? "\n" : ".\n");
}

void gdl_print(const struct gdl_rules *r, enum gdl_form form, struct text *out)
{
	struct printer p = {.r = r, .out = out, .form = form};
	for (size_t i = 0; i < r->clauses.n; i++) {
		const struct gdl_clause *c = &r->clauses.at[i];
		/* A blank line where another relation begins. */
		if (i && r->nodes.at[c->head].name != r->nodes.at[c[-1].head].name)
			text_putc(out, '\n');
		if (form == GDL_INFIX) {
			name_variables(&p, c->head);
			for (uint32_t k = 0; k < c->count; k++)
				name_variables(&p, r->kids.at[c->body + k]);
		}
		if (c->count)
			put_rule(&p, c);
		else
			put_fact(&p, c);
		forget_variables(&p);
	}
}

/* --- for messages ------------------------------------------------------------------- */

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
	if (r->nodes.at[n].variable)
		return gdl_quote_name(r, r->nodes.at[n].name, true, d);
	gdl_print_node(r, n, r->form, &t);
	return cut(&t, d);
}

const char *gdl_quote_name(const struct gdl_rules *r, sym_t name, bool variable, struct diags *d)
{
	struct text t = {0};
	if (variable && r->form == GDL_KIF)
		text_putc(&t, '?');
	const char *s = sym_text(&r->symbols, name);
	text_puts(&t, variable && s[0] == '_' && s[1] == '.' ? "_" : s); /* a nameless one */
	return cut(&t, d);
}

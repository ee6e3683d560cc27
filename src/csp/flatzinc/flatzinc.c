/* FlatZinc: from text to a network, and from values to text. */
#include "csp/flatzinc/flatzinc_internal.h"

#include <assert.h>

bool fzn_recognise(const char *data, size_t length)
{
	static const char *const starts[] = {
		"var ",  "array", "predicate ", "constraint ", "solve ",    "int:",   "bool:",  "set of", "include ",
		"int :", "float", "set ",       "enum ",       "function ", "output", "bool :", "par "};
	size_t i = 0;
	while (i < length) { /* comments and blanks before the first item */
		if (data[i] == '%')
			while (i < length && data[i] != '\n')
				i++;
		else if (!strchr(" \t\r\n", data[i]) || !data[i])
			break;
		else
			i++;
	}
	for (size_t k = 0; k < sizeof starts / sizeof *starts; k++)
		if (length - i >= strlen(starts[k]) && !memcmp(data + i, starts[k], strlen(starts[k])))
			return true;
	return false;
}

static void read_model(struct fzn *f)
{
	fz_parse(f);
	fz_simplify(f);
	fz_declare(f);
	fz_post_all(f);
	fz_search(f);
	if (!csp_variables(f->n))
		fz_constant(f, 0); /* a network has a variable */
}

struct fzn *fzn_read(const char *data, size_t length, struct csp_source_error *e)
{
	struct fzn *f = NEW(struct fzn);
	*e = (struct csp_source_error){0};
	f->n = csp_new();
	f->e = e;
	f->lex = (struct lexer){.at = data, .end = data + length, .here = {1, 1}};
	if (setjmp(f->fail)) {
		fzn_free(f);
		return NULL;
	}
	read_model(f);
	f->e = NULL;
	return f;
}

void fzn_free(struct fzn *f)
{
	if (!f)
		return;
	csp_free(f->n);
	arena_free(&f->text);
	sym_free(&f->names);
	table_free(&f->constants);
	vec_free(&f->stack);
	vec_free(&f->named);
	vec_free(&f->vars);
	vec_free(&f->constraints);
	vec_free(&f->outputs);
	vec_free(&f->phases);
	vec_free(&f->constant_vars);
	vec_free(&f->xs);
	vec_free(&f->ys);
	vec_free(&f->ints);
	vec_free(&f->cells);
	vec_free(&f->arcs);
	mem_free(f);
}

struct csp *fzn_network(struct fzn *f)
{
	return f->n;
}

const struct csp_phase *fzn_phases(const struct fzn *f, size_t *count)
{
	*count = f->phases.n;
	return f->phases.at;
}

enum csp_restarts fzn_restarts(const struct fzn *f, uint32_t *unit)
{
	*unit = f->restart_unit;
	return f->restarts;
}

/* ---- solutions ---- */

static uint32_t root(const struct fzn *f, uint32_t v)
{
	assert(v < f->vars.n);
	while (f->vars.at[v].same != v)
		v = f->vars.at[v].same;
	return v;
}

static void print_one(const struct fzn *f, const struct fz_expr *e, bool boolean, const int32_t *values,
                      struct text *out)
{
	int64_t v = e->tag == FZ_VAR ? values[f->vars.at[root(f, (uint32_t)e->number)].x] : e->number;
	if (boolean)
		text_puts(out, v ? "true" : "false");
	else
		text_printf(out, "%lld", (long long)v);
}

static void print_list(const struct fzn *f, const struct fz_output *o, const int32_t *values, struct text *out)
{
	text_putc(out, '[');
	for (size_t i = 0; i < o->value->count; i++) {
		if (i)
			text_puts(out, ", ");
		print_one(f, &o->value->items[i], o->boolean, values, out);
	}
	text_putc(out, ']');
}

static void print_sets(const struct fz_output *o, struct text *out)
{
	text_printf(out, "array%zud(", o->sets->count);
	for (size_t i = 0; i < o->sets->count; i++) {
		const struct fz_expr *s = &o->sets->items[i];
		if (s->count)
			text_printf(out, "%lld..%lld, ", (long long)s->ranges[0].low, (long long)s->ranges[0].high);
		else
			text_puts(out, "{}, ");
	}
}

void fzn_print(const struct fzn *f, const int32_t *values, bool json, struct text *out)
{
	if (json)
		text_putc(out, '{');
	for (size_t i = 0; i < f->outputs.n; i++) {
		const struct fz_output *o = &f->outputs.at[i];
		if (json)
			text_printf(out, "%s\"%s\":", i ? "," : "", o->name);
		else
			text_printf(out, "%s = ", o->name);
		if (o->sets && !json)
			print_sets(o, out);
		if (o->sets)
			print_list(f, o, values, out);
		else
			print_one(f, o->value, o->boolean, values, out);
		if (!json)
			text_puts(out, o->sets ? ");\n" : ";\n");
	}
	if (json)
		text_putc(out, '}');
}

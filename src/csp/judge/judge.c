/* The judge: the document, its variables, groups and blocks, the objective. */
#include "csp/judge/judge_internal.h"

#include <assert.h>
#include <libxml/parser.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void judge_fail(struct judge *k, const xmlNode *e, const char *format, ...)
{
	va_list list;
	int n = snprintf(k->message, k->room, "line %ld: ", e ? xmlGetLineNo(unconst(e)) : 0L);
	va_start(list, format);
	if (n >= 0 && (size_t)n < k->room)
		vsnprintf(k->message + n, k->room - (size_t)n, format, list);
	va_end(list);
	longjmp(k->out, 1);
}

/* ---- elements ---- */

bool judge_is(const xmlNode *e, const char *name)
{
	return e->type == XML_ELEMENT_NODE && !strcmp((const char *)e->name, name);
}

xmlNode *judge_child(const xmlNode *e, const char *name, int nth)
{
	for (xmlNode *c = e->children; c; c = c->next)
		if (judge_is(c, name) && !nth--)
			return c;
	return NULL;
}

static const char *keep(struct judge *k, const char *s)
{
	return arena_text(&k->scratch, s, strlen(s));
}

static void free_text(void *s)
{
	xmlFree(s);
}

/* A string of the parser's, which goes; NULL is "". */
static const char *keep_xml(struct judge *k, xmlChar *s)
{
	if (!s)
		return "";
	struct mem_resource *owned = mem_own(free_text, s);
	const char *out = keep(k, (const char *)s);
	mem_disown(owned);
	xmlFree(s);
	return out;
}

/* %0, %1, ..., %... of a template */
static const char *put_arguments(struct judge *k, const char *s)
{
	struct text t = {0};
	while (*s) {
		if (*s != '%') {
			text_putc(&t, *s++);
		} else if (s[1] == '.') {
			for (size_t i = k->named; i < k->args.n; i++) {
				text_puts(&t, k->args.at[i]);
				text_putc(&t, ' ');
			}
			s += 4;
		} else {
			char *end;
			size_t i = strtoul(s + 1, &end, 10);
			text_puts(&t, i < k->args.n ? k->args.at[i] : "?");
			s = end;
		}
	}
	const char *out = keep(k, text_str(&t));
	text_free(&t);
	return out;
}

const char *judge_text(struct judge *k, const xmlNode *e)
{
	const char *out = keep_xml(k, xmlNodeGetContent(e));
	return k->args.n && strchr(out, '%') ? put_arguments(k, out) : out;
}

const char *judge_attr(struct judge *k, const xmlNode *e, const char *name)
{
	const char *out = keep_xml(k, xmlGetProp(unconst(e), (const xmlChar *)name));
	return k->args.n && strchr(out, '%') ? put_arguments(k, out) : out;
}

int64_t judge_number(struct judge *k, const xmlNode *e, const char *name, int64_t otherwise)
{
	const char *s = judge_attr(k, e, name);
	return *s ? strtoll(s, NULL, 10) : otherwise;
}

/* ---- variables ---- */

static void add_domain(struct judge *k, const char *s, bool symbolic, struct domain *d)
{
	const char *word;
	while ((word = judge_word(k, &s))) {
		const char *dots = strstr(word, "..");
		int64_t low = symbolic ? judge_symbol(k, word) : strtoll(word, NULL, 10);
		int64_t high = !symbolic && dots ? strtoll(dots + 2, NULL, 10) : low;
		vec_push(&d->pairs, low);
		vec_push(&d->pairs, high);
	}
}

static void copy_domain(const struct domain *from, struct domain *to)
{
	for (size_t i = 0; i < from->pairs.n; i++)
		vec_push(&to->pairs, from->pairs.at[i]);
}

/* The domain that an element describes, by its text or by naming another variable. */
static struct variable described(struct judge *k, const xmlNode *e, const xmlNode *domain)
{
	const char *as = judge_attr(k, e, "as");
	struct variable v = {.symbolic = strstr(judge_attr(k, e, "type"), "symbolic") != NULL};
	if (!*as) {
		add_domain(k, judge_text(k, domain), v.symbolic, &v.d);
		return v;
	}
	size_t x = judge_find(k, as);
	sym_t a = sym_find(&k->arrays, as, strlen(as));
	if (x == SIZE_MAX && a != SYM_NONE)
		x = k->cells.at[k->shape.at[a].first];
	if (x == SIZE_MAX)
		judge_fail(k, e, "as=\"%s\"", as);
	v.symbolic = k->vars.at[x].symbolic;
	copy_domain(&k->vars.at[x].d, &v.d);
	return v;
}

static void add_variable(struct judge *k, const char *name, struct variable v)
{
	sym_put(&k->names, name, strlen(name));
	vec_push(&k->vars, v);
}

static size_t cells_of(const struct array *a)
{
	size_t n = 1;
	for (uint32_t d = 0; d < a->dims; d++)
		n *= (size_t)a->size[d];
	return n;
}

static void bracketed(const char *s, int64_t *out, uint32_t *count)
{
	*count = 0;
	for (s = strchr(s, '['); s && *count < 8; s = strchr(s + 1, '['))
		out[(*count)++] = strtoll(s + 1, NULL, 10);
}

static void cell_name(const struct array *a, const char *id, size_t at, struct text *t)
{
	int64_t index[8];
	for (uint32_t d = a->dims; d--; at /= (size_t)a->size[d])
		index[d] = (int64_t)(at % (size_t)a->size[d]) + a->start[d];
	text_puts(t, id);
	for (uint32_t d = 0; d < a->dims; d++)
		text_printf(t, "[%lld]", (long long)index[d]);
}

static void add_cell(struct judge *k, const struct array *a, const char *id, size_t at, const struct variable *like)
{
	struct text t = {0};
	struct variable v = {.symbolic = like->symbolic};
	cell_name(a, id, at, &t);
	copy_domain(&like->d, &v.d);
	k->cells.at[a->first + at] = k->vars.n;
	add_variable(k, text_str(&t), v);
	text_free(&t);
}

/* Does a word such as x[1..2][] name the cell? */
static bool names_cell(const struct array *a, const char *word, size_t at)
{
	int64_t index[8];
	for (uint32_t d = a->dims; d--; at /= (size_t)a->size[d])
		index[d] = (int64_t)(at % (size_t)a->size[d]) + a->start[d];
	const char *s = strchr(word, '[');
	for (uint32_t d = 0; s && d < a->dims; d++, s = strchr(s + 1, '[')) {
		const char *end = strchr(s, ']'), *dots = strstr(s, "..");
		if (s[1] == ']')
			continue;
		int64_t low = strtoll(s + 1, NULL, 10), high = dots && dots < end ? strtoll(dots + 2, NULL, 10) : low;
		if (index[d] < low || index[d] > high)
			return false;
	}
	return true;
}

static const xmlNode *domain_of_cell(struct judge *k, const xmlNode *e, const struct array *a, size_t at)
{
	const xmlNode *others = NULL, *c;
	for (int i = 0; (c = judge_child(e, "domain", i)); i++) {
		const char *s = judge_attr(k, c, "for"), *word;
		if (!strcmp(s, "others"))
			others = c;
		while ((word = judge_word(k, &s)))
			if (strcmp(word, "others") && names_cell(a, word, at))
				return c;
	}
	return others;
}

static void add_array(struct judge *k, const xmlNode *e, const char *id)
{
	struct array a = {.first = k->cells.n};
	uint32_t starts;
	bracketed(judge_attr(k, e, "size"), a.size, &a.dims);
	bracketed(judge_attr(k, e, "startIndex"), a.start, &starts);
	const char *plain = judge_attr(k, e, "startIndex");
	for (uint32_t d = 0; !starts && *plain && d < a.dims; d++) { /* one number per dimension, without brackets */
		char *end;
		a.start[d] = strtoll(plain, &end, 10);
		plain = *end ? end + 1 : end;
	}
	sym_put(&k->arrays, id, strlen(id));
	vec_push(&k->shape, a);
	for (size_t i = 0; i < cells_of(&a); i++)
		vec_push(&k->cells, SIZE_MAX);
	bool mixed = judge_child(e, "domain", 0) != NULL;
	for (size_t i = 0; i < cells_of(&a); i++) {
		const xmlNode *d = mixed ? domain_of_cell(k, e, &a, i) : e;
		if (!d)
			continue;
		struct variable v = described(k, e, d);
		add_cell(k, &a, id, i, &v);
		vec_free(&v.d.pairs);
	}
}

static void read_variables(struct judge *k, const xmlNode *root)
{
	const xmlNode *all = judge_child(root, "variables", 0);
	for (const xmlNode *e = all ? all->children : NULL; e; e = e->next) {
		if (e->type != XML_ELEMENT_NODE)
			continue;
		const char *id = judge_attr(k, e, "id");
		if (judge_is(e, "array"))
			add_array(k, e, id);
		else
			add_variable(k, id, described(k, e, e));
	}
}

/* ---- the instance ---- */

static void release(struct judge *k)
{
	for (size_t i = 0; i < k->vars.n; i++)
		vec_free(&k->vars.at[i].d.pairs);
	vec_free(&k->vars);
	mem_disown(k->owned);
	vec_free(&k->shape);
	vec_free(&k->cells);
	vec_free(&k->args);
	sym_free(&k->names);
	sym_free(&k->arrays);
	sym_free(&k->symbols);
	arena_free(&k->scratch);
	xmlFreeDoc(k->doc);
	mem_free(k);
}

void judge_free(struct judge *k)
{
	if (k)
		release(k);
}

static void free_document(void *doc)
{
	xmlFreeDoc(doc);
}

struct judge *judge_new(const char *data, size_t length, char *message, size_t room)
{
	struct judge *k = NEW(struct judge);
	k->message = message;
	k->room = room;
	if (room)
		message[0] = 0;
	int flags = XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_NOBLANKS;
	k->doc = length <= INT32_MAX
	             ? xmlReadMemory(data, (int)length, NULL, NULL, flags | (length > 8u << 20 ? XML_PARSE_HUGE : 0))
	             : NULL;
	k->owned = k->doc ? mem_own(free_document, k->doc) : NULL;
	if (!k->doc || setjmp(k->out)) {
		release(k);
		return NULL;
	}
	read_variables(k, xmlDocGetRootElement(k->doc));
	return k;
}

size_t judge_variables(const struct judge *k)
{
	return k->vars.n;
}

const char *judge_name(const struct judge *k, size_t x)
{
	assert(x < k->vars.n);
	return sym_text(&k->names, (sym_t)x);
}

size_t judge_find(const struct judge *k, const char *name)
{
	sym_t x = sym_find(&k->names, name, strlen(name));
	return x == SYM_NONE ? SIZE_MAX : x;
}

size_t judge_size(const struct judge *k, size_t x)
{
	assert(x < k->vars.n);
	size_t n = 0;
	const struct domain *d = &k->vars.at[x].d;
	for (size_t i = 0; i < d->pairs.n; i += 2)
		n += (size_t)(d->pairs.at[i + 1] - d->pairs.at[i] + 1);
	return n;
}

int64_t judge_value(const struct judge *k, size_t x, size_t i)
{
	assert(x < k->vars.n);
	const struct domain *d = &k->vars.at[x].d;
	size_t p = 0;
	while (i > (size_t)(d->pairs.at[p + 1] - d->pairs.at[p])) {
		i -= (size_t)(d->pairs.at[p + 1] - d->pairs.at[p]) + 1;
		p += 2;
	}
	return d->pairs.at[p] + (int64_t)i;
}

int64_t judge_symbol(struct judge *k, const char *symbol)
{
	return sym_put(&k->symbols, symbol, strlen(symbol));
}

bool judge_symbolic(const struct judge *k, size_t x)
{
	assert(x < k->vars.n);
	return k->vars.at[x].symbolic;
}

/* ---- groups, slides, blocks ---- */

static void count_named(const char *s, size_t *named)
{
	for (s = strchr(s, '%'); s; s = strchr(s + 1, '%'))
		if (s[1] != '.') {
			size_t i = strtoul(s + 1, NULL, 10) + 1;
			*named = i > *named ? i : *named;
		}
}

static size_t named_in(struct judge *k, const xmlNode *e)
{
	size_t named = 0;
	count_named(keep_xml(k, xmlNodeGetContent(e)), &named);
	for (const xmlAttr *a = e->properties; a; a = a->next)
		count_named(judge_attr(k, e, (const char *)a->name), &named);
	return named;
}

/* Names of all variables that a word stands for, or the word itself. */
static void add_arguments(struct judge *k, const char *word)
{
	const char *open = strchr(word, '[');
	sym_t a = open && !strchr(word, '(') ? sym_find(&k->arrays, word, (size_t)(open - word)) : SYM_NONE;
	if (a == SYM_NONE) {
		vec_push(&k->args, unconst(word));
		return;
	}
	const struct array *shape = &k->shape.at[a];
	for (size_t i = 0; i < cells_of(shape); i++)
		if (k->cells.at[shape->first + i] != SIZE_MAX && names_cell(shape, word, i))
			vec_push(&k->args, unconst(judge_name(k, k->cells.at[shape->first + i])));
}

static const xmlNode *violated_in_group(struct judge *k, const xmlNode *e)
{
	const xmlNode *pattern = NULL, *bad = NULL;
	for (const xmlNode *c = e->children; c && !bad; c = c->next) {
		if (c->type != XML_ELEMENT_NODE)
			continue;
		if (!pattern) {
			pattern = c;
			continue;
		}
		const char *s = judge_text(k, c), *word;
		size_t named = named_in(k, pattern);
		vec_clear(&k->args);
		while ((word = judge_word(k, &s)))
			add_arguments(k, word);
		k->named = named;
		bad = judge_constraint(k, pattern) ? NULL : c;
		vec_clear(&k->args);
	}
	return bad;
}

struct slid {
	VEC(char *) of;
	size_t offset, collect, at;
};

static const xmlNode *slide_over(struct judge *k, const xmlNode *pattern, struct slid *l, size_t lists, bool circular)
{
	bool last = false;
	while (!last && (circular || l[0].at + l[0].collect <= l[0].of.n)) {
		last = l[0].at + l[0].offset >= l[0].of.n;
		vec_clear(&k->args);
		for (size_t i = 0; i < lists; i++) {
			for (size_t j = 0; j < l[i].collect; j++)
				vec_push(&k->args, l[i].of.at[(l[i].at + j) % l[i].of.n]);
			l[i].at += l[i].offset;
		}
		bool ok = judge_constraint(k, pattern);
		vec_clear(&k->args);
		if (!ok)
			return pattern;
	}
	return NULL;
}

static const xmlNode *violated_in_slide(struct judge *k, const xmlNode *e)
{
	struct slid l[8] = {0};
	size_t lists = 0;
	const xmlNode *pattern = NULL;
	for (const xmlNode *c = e->children; c; c = c->next) {
		if (judge_is(c, "list") && lists < 8) {
			const char *s = judge_text(k, c), *word;
			while ((word = judge_word(k, &s)))
				add_arguments(k, word);
			for (size_t i = 0; i < k->args.n; i++)
				vec_push(&l[lists].of, k->args.at[i]);
			vec_clear(&k->args);
			l[lists].offset = (size_t)judge_number(k, c, "offset", 1);
			l[lists++].collect = (size_t)judge_number(k, c, "collect", 0);
		} else if (c->type == XML_ELEMENT_NODE) {
			pattern = c;
		}
	}
	for (size_t i = 0; i < lists; i++)
		if (!l[i].collect)
			l[i].collect = lists == 1 ? named_in(k, pattern) : 1;
	const xmlNode *bad = slide_over(k, pattern, l, lists, !strcmp(judge_attr(k, e, "circular"), "true"));
	for (size_t i = 0; i < lists; i++)
		vec_free(&l[i].of);
	return bad;
}

/* The first constraint that does not hold, or NULL. */
static const xmlNode *violated(struct judge *k, const xmlNode *list)
{
	const xmlNode *bad = NULL;
	for (const xmlNode *e = list ? list->children : NULL; e && !bad; e = e->next) {
		if (e->type != XML_ELEMENT_NODE)
			continue;
		if (judge_is(e, "block"))
			bad = violated(k, e);
		else if (judge_is(e, "group"))
			bad = violated_in_group(k, e);
		else if (judge_is(e, "slide"))
			bad = violated_in_slide(k, e);
		else
			bad = judge_constraint(k, e) ? NULL : e;
		arena_free(&k->scratch);
		k->scratch = (struct arena){0};
	}
	return bad;
}

static bool in_domain(const struct domain *d, int64_t v)
{
	for (size_t i = 0; i < d->pairs.n; i += 2)
		if (v >= d->pairs.at[i] && v <= d->pairs.at[i + 1])
			return true;
	return false;
}

const char *judge_solution(struct judge *k, const int64_t *values)
{
	k->now = values;
	k->message = k->said;
	k->room = sizeof k->said;
	if (setjmp(k->out)) {
		vec_clear(&k->args);
		return k->said;
	}
	for (size_t x = 0; x < k->vars.n; x++)
		if (!in_domain(&k->vars.at[x].d, values[x])) {
			snprintf(k->said, sizeof k->said, "%s has a value outside of its domain", judge_name(k, x));
			return k->said;
		}
	const xmlNode *bad = violated(k, judge_child(xmlDocGetRootElement(k->doc), "constraints", 0));
	if (!bad)
		return NULL;
	snprintf(k->said, sizeof k->said, "line %ld: the constraint %s is violated", xmlGetLineNo(unconst(bad)),
	         (const char *)(judge_is(bad, "args") ? bad->parent->name : bad->name));
	return k->said;
}

/* ---- the objective ---- */

static int64_t fold(struct judge *k, const char *type, const numbers *v)
{
	int64_t out = v->n ? v->at[0] : 0, different = 0;
	for (size_t i = 0; i < v->n; i++) {
		bool seen = false;
		for (size_t j = 0; j < i; j++)
			seen = seen || v->at[j] == v->at[i];
		different += !seen;
		if (!i)
			continue;
		if (!strcmp(type, "sum"))
			out += v->at[i];
		else if (!strcmp(type, "product"))
			out *= v->at[i];
		else if (!strcmp(type, "minimum"))
			out = v->at[i] < out ? v->at[i] : out;
		else if (!strcmp(type, "maximum"))
			out = v->at[i] > out ? v->at[i] : out;
		else if (strcmp(type, "nValues"))
			judge_fail(k, NULL, "an objective of type %s", type);
	}
	return !strcmp(type, "nValues") ? different : out;
}

static struct maybe objective_of(struct judge *k, const xmlNode *e)
{
	const char *type = judge_attr(k, e, "type");
	const xmlNode *list = judge_child(e, "list", 0), *coeffs = judge_child(e, "coeffs", 0);
	if (!*type || !strcmp(type, "expression"))
		return judge_eval(k, judge_text(k, e));
	numbers v = {0}, c = {0};
	k->undefined = false;
	judge_list(k, judge_text(k, list ? list : e), &v);
	if (coeffs)
		judge_list(k, judge_text(k, coeffs), &c);
	for (size_t i = 0; i < v.n && i < c.n; i++)
		v.at[i] *= c.at[i];
	struct maybe out = {!k->undefined, fold(k, type, &v)};
	vec_free(&v);
	vec_free(&c);
	return out;
}

bool judge_objective(struct judge *k, const int64_t *values, int64_t *cost)
{
	const xmlNode *all = judge_child(xmlDocGetRootElement(k->doc), "objectives", 0);
	k->now = values;
	k->message = k->said;
	k->room = sizeof k->said;
	if (!all || setjmp(k->out))
		return false;
	for (const xmlNode *e = all->children; e; e = e->next)
		if (e->type == XML_ELEMENT_NODE) {
			struct maybe v = objective_of(k, e);
			*cost = v.v;
			return v.is;
		}
	return false;
}

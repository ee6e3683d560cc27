/* XCSP3: which children and attributes an element can have. Anything else is refused, with the nearest word that is
 * known: what a reader skips without a word makes its answers wrong. */
#include "base/nearest.h"
#include "csp/xcsp3/xcsp3_internal.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

static const struct row {
	const char *element, *attributes, *children;
} rows[] = {
#define X(element, attributes, children) {element, attributes, children},
#include "csp/xcsp3/grammar.inc"
#undef X
};
#define ROWS (sizeof rows / sizeof *rows)
#define FIRST_CONSTRAINT 6

#define COMMON "id class note reifiedBy hreifiedFrom hreifiedTo"
#define MAX_WORDS 48

static const struct row *row_of(const char *element)
{
	for (size_t i = 0; i < ROWS; i++)
		if (!strcmp(rows[i].element, element))
			return &rows[i];
	return NULL;
}

const char *x_grammar(size_t i, const char **attributes, const char **children)
{
	if (i + FIRST_CONSTRAINT >= ROWS)
		return NULL;
	*attributes = rows[i + FIRST_CONSTRAINT].attributes;
	*children = rows[i + FIRST_CONSTRAINT].children;
	return rows[i + FIRST_CONSTRAINT].element;
}

/* ---- words of a list; blanks inside parentheses do not part ---- */

static size_t word_length(const char *s)
{
	size_t n = 0;
	for (int depth = 0; s[n] && (depth || s[n] != ' '); n++)
		depth += (s[n] == '(') - (s[n] == ')');
	return n;
}

/* The word of the list with this name, which ends before any of *(= ; NULL: it is not there. */
static const char *find_word(const char *list, const char *name)
{
	size_t n = strlen(name);
	for (; *list; list += word_length(list), list += *list == ' ')
		if (!strncmp(list, name, n) && (!list[n] || strchr(" *(=)", list[n])))
			return list;
	return NULL;
}

/* The names of two lists, for suggestions. */
static const char *const *names_of(struct xcsp *r, const char *first, const char *second)
{
	const char **out = arena_alloc(&r->text, (MAX_WORDS + 1) * sizeof *out);
	size_t n = 0;
	for (int k = 0; k < 2; k++)
		for (const char *s = k ? second : first; *s && n < MAX_WORDS; s += word_length(s), s += *s == ' ') {
			size_t length = strcspn(s, " *(=)");
			if (length && isalpha((unsigned char)*s))
				out[n++] = arena_text(&r->text, s, length);
		}
	out[n] = NULL;
	return out;
}

_Noreturn static void unknown(struct xcsp *r, const char *what, const char *name, const char *where,
                              const char *const *known)
{
	const char *near = nearest_word(name, known);
	bool element = *what == '<';
	if (near)
		x_fail(r, "%s%.40s%s of %s is not known; did you mean %s%s%s?", what, name, element ? ">" : "\"", where, what,
		       near, element ? ">" : "\"");
	x_fail(r, "%s%.40s%s of %s is not known", what, name, element ? ">" : "\"", where);
}

void x_no_constraint(struct xcsp *r, const char *name)
{
	const char *known[ROWS + 2];
	size_t n = 0;
	for (size_t i = FIRST_CONSTRAINT - 2; i < ROWS; i++)
		known[n++] = rows[i].element;
	known[n++] = "block";
	known[n] = NULL;
	const char *near = nearest_word(name, known);
	if (near)
		x_fail(r, "the constraint %.60s is not supported; did you mean %s?", name, near);
	x_fail(r, "the constraint %.60s is not supported", name);
}

/* ---- attributes ---- */

/* `values`: behind the equals sign, parted by slashes, up to a blank or a parenthesis. */
static bool can_have(const char *values, const char *value)
{
	size_t n = strlen(value);
	for (;;) {
		size_t length = strcspn(values, "/ )");
		if (length == n && !strncmp(values, value, n))
			return true;
		if (values[length] != '/')
			return false;
		values += length + 1;
	}
}

static void check_attribute(struct xcsp *r, xmlNode *e, const xmlAttr *a, const char *allowed, const char *common)
{
	assert(e->type == XML_ELEMENT_NODE);
	const char *name = (const char *)a->name, *word = find_word(allowed, name);
	if (!word && !find_word(common, name))
		unknown(r, "attribute \"", name, (const char *)e->name, names_of(r, allowed, common));
	size_t n = strlen(name);
	if (!word || word[n] != '=')
		return;
	const char *value = x_attr(r, e, name);
	if (!can_have(word + n + 1, value))
		x_fail(r, "%s of %s is \"%.40s\"; it can be %.*s", name, (const char *)e->name, value,
		       (int)strcspn(word + n + 1, " )"), word + n + 1);
}

void x_know_attributes(struct xcsp *r, xmlNode *e, const char *allowed, const char *common)
{
	assert(e->type == XML_ELEMENT_NODE);
	x_at(r, e);
	for (const xmlAttr *a = e->properties; a; a = a->next)
		check_attribute(r, e, a, allowed, common);
}

/* ---- children ---- */

static bool is_blank(const char *s)
{
	return !s[strspn(s, " \t\r\n")];
}

/* Text is the content of elements without children. */
static void check_text(struct xcsp *r, xmlNode *e, bool text)
{
	assert(e->type == XML_ELEMENT_NODE);
	bool children = false;
	const char *said = NULL;
	for (xmlNode *k = e->children; k; k = k->next) {
		children = children || k->type == XML_ELEMENT_NODE;
		if ((k->type == XML_TEXT_NODE || k->type == XML_CDATA_SECTION_NODE) && k->content &&
		    !is_blank((const char *)k->content))
			said = (const char *)k->content;
		if (k->type == XML_ENTITY_REF_NODE)
			x_fail(r, "entities are not accepted");
	}
	if (!said || (text && !children))
		return;
	said += strspn(said, " \t\r\n");
	x_fail(r, "text beside the elements of %s: \"%.20s\"", (const char *)e->name, said);
}

static void check_leaf(struct xcsp *r, xmlNode *k, const char *word)
{
	const char *open = word + strcspn(word, " (*");
	if (*open == '*')
		open++;
	const char *attributes = *open == '(' ? arena_text(&r->text, open + 1, word_length(open) - 2) : "";
	x_know_attributes(r, k, attributes, "note class");
	check_text(r, k, true);
	X_EACH(inner, k)
	x_fail(r, "<%.40s> in <%s>", (const char *)inner->name, (const char *)k->name);
}

/* Children have the names in the list, or are constraints (@), and are repeated only where that is said. */
static void check_names(struct xcsp *r, xmlNode *e, const char *children)
{
	assert(e->type == XML_ELEMENT_NODE);
	check_text(r, e, strchr(children, '.') != NULL);
	X_EACH(k, e)
	{
		const char *name = (const char *)k->name, *word = find_word(children, name);
		x_at(r, k);
		if (!word && strchr(children, '@'))
			continue; /* a constraint, read as such */
		if (!word)
			unknown(r, "<", name, (const char *)e->name, names_of(r, children, ""));
		if (word[strlen(name)] != '*')
			for (xmlNode *other = k->prev; other; other = other->prev)
				if (x_is(other, name))
					x_fail(r, "a second <%s> in %s", name, (const char *)e->name);
	}
	x_at(r, e);
}

void x_know_parts(struct xcsp *r, xmlNode *e, const char *attributes, const char *children)
{
	assert(e->type == XML_ELEMENT_NODE);
	x_know_attributes(r, e, attributes, "");
	check_names(r, e, children);
}

void x_know(struct xcsp *r, xmlNode *e)
{
	assert(e->type == XML_ELEMENT_NODE);
	const struct row *row = row_of((const char *)e->name);
	if (!row)
		x_no_constraint(r, (const char *)e->name);
	bool constraint = row - rows >= FIRST_CONSTRAINT;
	x_know_attributes(r, e, row->attributes, constraint ? COMMON : "id class note");
	check_names(r, e, row->children);
	X_EACH(k, e)
	{
		const char *word = find_word(row->children, (const char *)k->name);
		if (word)
			check_leaf(r, k, word);
	}
	x_at(r, e);
}

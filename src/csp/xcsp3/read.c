/* XCSP3: the document, streamed. One constraint (or group, or variable) at a
 * time is in memory as a tree; the rest of the document is not. */
#include "base/nearest.h"
#include "csp/xcsp3/load.h"
#include "csp/xcsp3/xcsp3_internal.h"

#include <libxml/parser.h>
#include <libxml/xmlreader.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static void keep_first_error(void *user, xmlErrorPtr error)
{
	struct csp_source_error *e = user;
	if (e->message[0] || error->level < XML_ERR_ERROR)
		return;
	e->line = (uint32_t)error->line;
	snprintf(e->message, sizeof e->message, "%s", error->message ? error->message : "bad XML");
	e->message[strcspn(e->message, "\n")] = 0;
}

enum part { PART_NONE, PART_VARIABLES, PART_CONSTRAINTS, PART_OBJECTIVES, PART_ANNOTATIONS, PARTS };
static const char *const part_names[] = {"", "variables", "constraints", "objectives", "annotations", NULL};

/* Where the reader of a document stands. */
struct place {
	enum part part;
	bool seen[PARTS];
	bool optimise, decide; /* what the type of the instance says */
	uint32_t line;         /* of <instance> */
};

static void check_instance(struct xcsp *r, xmlTextReader *x, struct place *p)
{
	static const char known[] = "format type note class id";
	xmlNode *e = xmlTextReaderCurrentNode(x);
	p->line = r->line;
	if (!x_is(e, "instance"))
		x_fail(r, "the document is a <%.60s>, not an <instance>", (const char *)e->name);
	const char *format = x_attr(r, e, "format"), *type = x_attr(r, e, "type");
	if (!format || strcmp(format, "XCSP3"))
		x_fail(r, "not an XCSP3 instance (format=\"XCSP3\" is missing)");
	p->decide = type && !strcmp(type, "CSP");
	p->optimise = type && !strcmp(type, "COP");
	if (type && !p->decide && !p->optimise)
		x_fail(r, "instances of type %.40s are not supported", type);
	x_know_attributes(r, e, known, "");
}

static enum part part_named(struct xcsp *r, const char *name)
{
	for (int i = 1; i < PARTS; i++)
		if (!strcmp(name, part_names[i]))
			return (enum part)i;
	const char *near = nearest_word(name, part_names + 1);
	if (near)
		x_fail(r, "<%.60s> in <instance> is not known; did you mean <%s>?", name, near);
	x_fail(r, "<%.60s> in <instance> is not known", name);
}

static void enter_part(struct xcsp *r, xmlTextReader *x, struct place *p, const char *name)
{
	p->part = part_named(r, name);
	if (p->seen[p->part])
		x_fail(r, "a second <%s>", name);
	if (p->part == PART_OBJECTIVES && p->decide)
		x_fail(r, "<objectives> in an instance of type CSP; the type of optimisation is COP");
	p->seen[p->part] = true;
	x_know_attributes(r, xmlTextReaderCurrentNode(x), "", "note class");
}

/* An element inside a part: read its tree. False: go on inside it (block). */
static bool read_item(struct xcsp *r, xmlTextReader *x, enum part part, const char *name)
{
	if (part == PART_CONSTRAINTS && !strcmp(name, "block")) {
		x_know_attributes(r, xmlTextReaderCurrentNode(x), "", "id note class");
		return false;
	}
	xmlNode *e = xmlTextReaderExpand(x);
	if (!e)
		x_fail(r, "cannot read <%.60s>", name);
	if (part == PART_VARIABLES) {
		if (strcmp(name, "var") && strcmp(name, "array"))
			x_fail(r, "<%.60s> among the variables is not supported", name);
		x_variable(r, e);
	} else if (part == PART_CONSTRAINTS) {
		x_constraint(r, e);
	} else if (part == PART_OBJECTIVES) {
		x_objective(r, e);
	}
	x_leave(r);
	return true;
}

/* True: what is inside has been read. */
static bool read_element(struct xcsp *r, xmlTextReader *x, struct place *p)
{
	const char *name = (const char *)xmlTextReaderConstName(x);
	int depth = xmlTextReaderDepth(x);
	if (depth == 0)
		check_instance(r, x, p);
	else if (depth == 1)
		enter_part(r, x, p, name);
	else
		return read_item(r, x, p->part, name);
	return depth == 1 && p->part == PART_ANNOTATIONS; /* hints for other solvers */
}

static void refuse_text(struct xcsp *r, xmlTextReader *x)
{
	const char *s = (const char *)xmlTextReaderConstValue(x);
	s += s ? strspn(s, " \t\r\n") : 0;
	if (s && *s)
		x_fail(r, "text between the elements: \"%.20s\"", s);
}

static void read_document(struct xcsp *r, xmlTextReader *x)
{
	struct place *p = arena_alloc(&r->keep, sizeof *p);
	*p = (struct place){0};
	int more = xmlTextReaderRead(x);
	while (more == 1) {
		int type = xmlTextReaderNodeType(x);
		r->line = (uint32_t)xmlGetLineNo(xmlTextReaderCurrentNode(x));
		if (type == XML_READER_TYPE_DOCUMENT_TYPE)
			x_fail(r, "document type declarations are not accepted");
		if (type == XML_READER_TYPE_TEXT || type == XML_READER_TYPE_CDATA)
			refuse_text(r, x);
		bool next = type == XML_READER_TYPE_ELEMENT && read_element(r, x, p);
		more = next ? xmlTextReaderNext(x) : xmlTextReaderRead(x);
	}
	if (more < 0 || r->e->message[0])
		x_fail(r, "bad XML");
	r->line = p->line;
	if (!r->n->vars.n)
		x_fail(r, "no variables");
	if (p->optimise && !r->n->has_objective)
		x_fail(r, "an instance of type COP without objective");
}

void x_free(struct xcsp *r)
{
	x_leave(r);
	vec_free(&r->leaving);
	arena_free(&r->keep);
	for (size_t i = 0; i < r->owned.n; i++)
		mem_free(r->owned.at[i]);
	vec_free(&r->owned);
	vec_free(&r->arrays);
	vec_free(&r->cell);
	vec_free(&r->vars);
	vec_free(&r->more);
	vec_free(&r->ints);
	vec_free(&r->tuples);
	sym_free(&r->array_names);
	csp_free(r->n);
	mem_free(r);
}

struct xcsp *x_new(struct csp_source_error *e)
{
	struct xcsp *r = NEW(struct xcsp);
	r->e = e;
	r->n = csp_new();
	return r;
}

jmp_buf *x_way_out(struct xcsp *r)
{
	return &r->fail;
}

struct csp *x_network(struct xcsp *r)
{
	return r->n;
}

xmlNode *x_root(struct xcsp *r, xmlDoc *doc, const char *type)
{
	xmlNode *root = xmlDocGetRootElement(doc);
	x_at(r, root);
	const char *format = x_attr(r, root, "format"), *is = x_attr(r, root, "type");
	if (!x_is(root, "instance") || !format || strcmp(format, "XCSP3"))
		x_fail(r, "not an XCSP3 instance (format=\"XCSP3\" is missing)");
	if (!is || strcmp(is, type))
		x_fail(r, "instances of type %.20s are not supported", is ? is : "(none)");
	return root;
}

xmlNode *x_part(struct xcsp *r, xmlNode *root, const char *name, bool needed)
{
	xmlNode *e = x_child(root, name);
	if (!e && needed) {
		x_at(r, root);
		x_fail(r, "<%s> is missing", name);
	}
	if (e)
		x_at(r, e);
	return e;
}

struct csp *x_take_network(struct xcsp *r)
{
	struct csp *n = r->n;
	r->n = NULL;
	return n;
}

struct arena *x_arena(struct xcsp *r)
{
	return &r->text;
}

static void release(void *reader)
{
	xmlFreeTextReader(reader);
}

static struct csp *read_all(xmlTextReader *x, struct csp_source_error *e)
{
	struct mem_resource *owned = mem_own(release, x);
	*e = (struct csp_source_error){0};
	struct xcsp *r = x_new(e);
	xmlTextReaderSetStructuredErrorHandler(x, keep_first_error, e);
	if (setjmp(r->fail)) {
		csp_free(r->n);
		r->n = NULL;
	} else {
		read_document(r, x);
	}
	struct csp *n = r->n;
	r->n = NULL;
	x_free(r);
	mem_disown(owned);
	xmlFreeTextReader(x);
	return n;
}

/* Large text nodes need the parser's limits off. */
#define LARGE (8u << 20)

static int parser_flags(size_t length)
{
	return XML_PARSE_NONET | XML_PARSE_BIG_LINES | (length > LARGE ? XML_PARSE_HUGE : 0);
}

static void say(struct csp_source_error *e, uint32_t line, const char *message)
{
	if (e->message[0])
		return;
	e->line = line;
	snprintf(e->message, sizeof e->message, "%s", message);
}

/* ---- what comes before the root: no document type, whose entities can grow without end ---- */

struct scan {
	const char *at, *end;
	uint32_t line;
};

static bool looking_at(const struct scan *s, const char *word)
{
	size_t n = strlen(word);
	return (size_t)(s->end - s->at) >= n && !memcmp(s->at, word, n);
}

static void skip_to(struct scan *s, const char *word)
{
	for (; s->at < s->end && !looking_at(s, word); s->at++)
		s->line += *s->at == '\n';
	s->at += s->at < s->end ? strlen(word) : 0;
}

/* Only encodings in which markup looks as it does in ASCII. */
static bool plain_encoding(const char *from, const char *to)
{
	static const char *const known[] = {"UTF-8", "US-ASCII", "ASCII", "ISO-8859-", "WINDOWS-125"};
	for (const char *p = from; to - p > 8; p++)
		if (!memcmp(p, "encoding", 8)) {
			for (p += 8; p < to && *p != '"' && *p != '\''; p++)
				;
			for (size_t i = 0; i < sizeof known / sizeof *known; i++)
				if (to - p > 1 + (ptrdiff_t)strlen(known[i]) && !strncasecmp(p + 1, known[i], strlen(known[i])))
					return true;
			return false;
		}
	return true;
}

bool x_prologue(const char *data, size_t length, struct csp_source_error *e)
{
	struct scan s = {data, data + length, 1};
	if (looking_at(&s, "\xef\xbb\xbf"))
		s.at += 3;
	for (;;) {
		for (; s.at < s.end && strchr(" \t\r\n", *s.at) && *s.at; s.at++)
			s.line += *s.at == '\n';
		const char *from = s.at;
		if (s.at == s.end) {
			say(e, 0, "an empty document");
			return false;
		}
		if (looking_at(&s, "<?")) {
			bool declares = looking_at(&s, "<?xml");
			skip_to(&s, "?>");
			if (declares && !plain_encoding(from, s.at)) {
				say(e, 1, "an encoding that is not supported; UTF-8 is");
				return false;
			}
		} else if (looking_at(&s, "<!--")) {
			skip_to(&s, "-->");
		} else {
			break;
		}
	}
	if (*s.at != '<' || looking_at(&s, "<!")) {
		say(e, s.line,
		    *s.at == '<' ? "document type declarations are not accepted" : xcsp3_foreign(s.at, (size_t)(s.end - s.at)));
		return false;
	}
	return true;
}

xmlDoc *x_parse(const char *data, size_t length, struct csp_source_error *e)
{
	*e = (struct csp_source_error){0};
	if (length > INT32_MAX) {
		say(e, 0, "more than 2 gigabytes");
		return NULL;
	}
	if (!x_prologue(data, length, e))
		return NULL;
	xmlSetStructuredErrorFunc(e, keep_first_error);
	xmlDoc *doc = xmlReadMemory(data, (int)length, NULL, NULL, parser_flags(length));
	xmlSetStructuredErrorFunc(NULL, NULL);
	if (doc && !e->message[0] && !doc->intSubset && xmlDocGetRootElement(doc))
		return doc;
	say(e, 0, "bad XML");
	if (doc)
		xmlFreeDoc(doc);
	return NULL;
}

struct csp *csp_read_xml(const char *data, size_t length, struct csp_source_error *e)
{
	*e = (struct csp_source_error){0};
	if (length > INT32_MAX) {
		say(e, 0, "more than 2 gigabytes");
		return NULL;
	}
	if (!x_prologue(data, length, e))
		return NULL;
	xmlTextReader *x = xmlReaderForMemory(data, (int)length, NULL, NULL, parser_flags(length));
	if (!x) {
		say(e, 0, "bad XML");
		return NULL;
	}
	return read_all(x, e);
}

struct csp *csp_read_xml_file(const char *path, struct csp_source_error *e)
{
	struct text t = {0};
	*e = (struct csp_source_error){0};
	struct csp *n = xcsp3_load(path, &t, e) ? csp_read_xml(text_str(&t), t.n, e) : NULL;
	text_free(&t);
	return n;
}

/* XCSP3: the document, streamed. One constraint (or group, or variable) at a
 * time is in memory as a tree; the rest of the document is not. */
#include "csp/xcsp3/xcsp3_internal.h"

#include <libxml/parser.h>
#include <libxml/xmlreader.h>
#include <stdio.h>
#include <string.h>

static void keep_first_error(void *user, xmlErrorPtr error)
{
	struct csp_source_error *e = user;
	if (e->message[0] || error->level < XML_ERR_ERROR)
		return;
	e->line = (uint32_t)error->line;
	snprintf(e->message, sizeof e->message, "%s", error->message ? error->message : "bad XML");
	e->message[strcspn(e->message, "\n")] = 0;
}

enum part { PART_NONE, PART_VARIABLES, PART_CONSTRAINTS, PART_OBJECTIVES, PART_OTHER };

static void check_instance(struct xcsp *r, xmlTextReader *x)
{
	xmlChar *format = xmlTextReaderGetAttribute(x, (const xmlChar *)"format");
	xmlChar *type = xmlTextReaderGetAttribute(x, (const xmlChar *)"type");
	bool good_format = format && !strcmp((char *)format, "XCSP3");
	bool good_type = !type || !strcmp((char *)type, "CSP") || !strcmp((char *)type, "COP");
	char shown[40];
	snprintf(shown, sizeof shown, "%s", type ? (char *)type : "");
	xmlFree(format);
	xmlFree(type);
	if (!good_format)
		x_fail(r, "not an XCSP3 instance (format=\"XCSP3\" is missing)");
	if (!good_type)
		x_fail(r, "instances of type %s are not supported", shown);
}

static enum part part_named(const char *name)
{
	static const char *const names[] = {"", "variables", "constraints", "objectives"};
	for (int i = 1; i < 4; i++)
		if (!strcmp(name, names[i]))
			return (enum part)i;
	return PART_OTHER;
}

/* An element inside a part: read its tree. False: go on inside it (block). */
static bool read_item(struct xcsp *r, xmlTextReader *x, enum part part, const char *name)
{
	if (part == PART_CONSTRAINTS && !strcmp(name, "block"))
		return false;
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
	arena_free(&r->text);
	r->text = (struct arena){0};
	return true;
}

static void read_document(struct xcsp *r, xmlTextReader *x)
{
	enum part part = PART_NONE;
	bool seen = false;
	int more = xmlTextReaderRead(x);
	while (more == 1) {
		int type = xmlTextReaderNodeType(x), depth = xmlTextReaderDepth(x);
		r->line = (uint32_t)xmlTextReaderGetParserLineNumber(x);
		if (type == XML_READER_TYPE_DOCUMENT_TYPE)
			x_fail(r, "document type declarations are not accepted");
		bool next = false;
		if (type == XML_READER_TYPE_ELEMENT) {
			const char *name = (const char *)xmlTextReaderConstName(x);
			if (depth == 0) {
				if (strcmp(name, "instance"))
					x_fail(r, "the document is a <%.60s>, not an <instance>", name);
				check_instance(r, x);
				seen = true;
			} else if (depth == 1) {
				part = part_named(name);
				next = part == PART_OTHER; /* annotations and the like */
			} else {
				next = read_item(r, x, part, name);
			}
		}
		more = next ? xmlTextReaderNext(x) : xmlTextReaderRead(x);
	}
	if (more < 0 || r->e->message[0])
		x_fail(r, "bad XML");
	if (!seen || !r->n->vars.n)
		x_fail(r, "no variables");
}

void x_free(struct xcsp *r)
{
	for (size_t i = 0; i < r->owned.n; i++)
		mem_free(r->owned.at[i]);
	vec_free(&r->owned);
	vec_free(&r->arrays);
	vec_free(&r->cell);
	vec_free(&r->vars);
	vec_free(&r->more);
	vec_free(&r->ints);
	vec_free(&r->tuples);
	arena_free(&r->text);
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

/* Large text nodes need the parser's limits off; small documents keep them, for
 * they guard against entities that grow without end. */
#define LARGE (8u << 20)

static int parser_flags(size_t length)
{
	return XML_PARSE_NONET | XML_PARSE_BIG_LINES | (length > LARGE ? XML_PARSE_HUGE : 0);
}

static void say(struct csp_source_error *e, const char *message)
{
	if (!e->message[0])
		snprintf(e->message, sizeof e->message, "%s", message);
}

xmlDoc *x_parse(const char *data, size_t length, struct csp_source_error *e)
{
	*e = (struct csp_source_error){0};
	if (length > INT32_MAX) {
		say(e, "more than 2 gigabytes");
		return NULL;
	}
	xmlSetStructuredErrorFunc(e, keep_first_error);
	xmlDoc *doc = xmlReadMemory(data, (int)length, NULL, NULL, parser_flags(length));
	xmlSetStructuredErrorFunc(NULL, NULL);
	if (doc && !e->message[0] && !doc->intSubset && xmlDocGetRootElement(doc))
		return doc;
	say(e, doc && doc->intSubset ? "document type declarations are not accepted" : "bad XML");
	if (doc)
		xmlFreeDoc(doc);
	return NULL;
}

struct csp *csp_read_xml(const char *data, size_t length, struct csp_source_error *e)
{
	*e = (struct csp_source_error){0};
	if (length > INT32_MAX) {
		say(e, "more than 2 gigabytes; read it from a file");
		return NULL;
	}
	xmlTextReader *x = length ? xmlReaderForMemory(data, (int)length, NULL, NULL, parser_flags(length)) : NULL;
	if (!x) {
		say(e, "an empty document");
		return NULL;
	}
	return read_all(x, e);
}

static long file_size(const char *path)
{
	FILE *f = fopen(path, "rb");
	if (!f || (getc(f) == EOF && ferror(f)) || fseek(f, 0, SEEK_END)) { /* a folder opens, but libxml would complain */
		if (f)
			fclose(f);
		return -1;
	}
	long size = ftell(f);
	fclose(f);
	return size;
}

struct csp *csp_read_xml_file(const char *path, struct csp_source_error *e)
{
	*e = (struct csp_source_error){0};
	long size = file_size(path);
	xmlTextReader *x = size < 0 ? NULL : xmlReaderForFile(path, NULL, parser_flags((size_t)size));
	if (!x) {
		say(e, "cannot be read");
		return NULL;
	}
	return read_all(x, e);
}

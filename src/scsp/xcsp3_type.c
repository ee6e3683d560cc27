/* The type of an XCSP3 document, from its root element alone. */
#include "scsp/xcsp3_type.h"

#include "csp/xcsp3.h"
#include "csp/xcsp3/load.h"

#include <libxml/xmlreader.h>
#include <stdint.h>
#include <string.h>

static void ignore(void *user, xmlErrorPtr error)
{
	(void)user;
	(void)error; /* the reader of the document will report it */
}

static enum xcsp3_type type_named(const char *type)
{
	return !strcmp(type, "SCSP") ? XCSP3_SCSP : !strcmp(type, "QCSP") ? XCSP3_QCSP : XCSP3_CSP;
}

static enum xcsp3_type read_type(xmlTextReader *x)
{
	enum xcsp3_type found = XCSP3_CSP;
	if (!x)
		return found;
	xmlTextReaderSetStructuredErrorHandler(x, ignore, NULL);
	while (xmlTextReaderRead(x) == 1)
		if (xmlTextReaderNodeType(x) == XML_READER_TYPE_ELEMENT) {
			xmlChar *type = xmlTextReaderGetAttribute(x, (const xmlChar *)"type");
			if (type && !strcmp((const char *)xmlTextReaderConstName(x), "instance"))
				found = type_named((const char *)type);
			xmlFree(type);
			break;
		}
	xmlFreeTextReader(x);
	return found;
}

enum xcsp3_type xcsp3_type_of(const char *data, size_t length)
{
	struct csp_source_error ignored = {0};
	if (!length || length > INT32_MAX || !x_prologue(data, length, &ignored))
		return XCSP3_CSP;
	return read_type(xmlReaderForMemory(data, (int)length, NULL, NULL, XML_PARSE_NONET));
}

enum xcsp3_type xcsp3_type_of_file(const char *path)
{
	struct csp_source_error ignored;
	struct text t = {0};
	enum xcsp3_type type = xcsp3_load(path, &t, &ignored) ? xcsp3_type_of(text_str(&t), t.n) : XCSP3_CSP;
	text_free(&t);
	return type;
}

/* Quantified problems as XCSP3 (type QCSP), in and out. Variables and constraints are read and written by the reader
 * and the writer of plain networks; here is the sequence of quantifiers. See docs/xcsp3.md for the format. */
#include "csp/xcsp3.h"
#include "qcsp/qcsp_internal.h"

#include <string.h>

/* ---- reading ---- */

static void release(void *doc)
{
	xmlFreeDoc(doc);
}

static void read_plain(struct xcsp *r, xmlNode *list, bool variables);

/* What is in a block of the class "parts" stands for one constraint. */
static void read_block(struct xcsp *r, xmlNode *e)
{
	x_know_parts(r, e, "id class note", "@");
	const char *class = x_attr(r, e, "class");
	bool parts = class && !strcmp(class, "parts");
	uint32_t from = csp_constraints(x_network(r));
	read_plain(r, e, false);
	if (parts)
		csp_same_origin(x_network(r), from);
}

static void read_plain(struct xcsp *r, xmlNode *list, bool variables)
{
	X_EACH(e, list)
	{
		x_at(r, e);
		if (!variables && x_is(e, "block"))
			read_block(r, e);
		else if (!variables)
			x_constraint(r, e);
		else if (x_is(e, "var") || x_is(e, "array"))
			x_variable(r, e);
		else
			x_fail(r, "<%.60s> among the variables is not supported", (const char *)e->name);
	}
}

static struct qcsp *read_quantified(struct xcsp *r, xmlDoc *doc, struct qcsp **owner)
{
	xmlNode *root = x_root(r, doc, "QCSP");
	x_know_parts(r, root, "format type semantics id class note", "variables constraints quantification annotations");
	const char *semantics = x_attr(r, root, "semantics");
	if (semantics && strcmp(semantics, "strategic") && strcmp(semantics, "plain"))
		x_fail(r, "semantics=\"%.40s\" is neither strategic nor plain", semantics);
	bool strategic = semantics && !strcmp(semantics, "strategic");
	read_plain(r, x_part(r, root, "variables", true), true);
	if (!csp_variables(x_network(r)))
		x_fail(r, "no variables");
	xmlNode *constraints = x_part(r, root, "constraints", false);
	if (constraints)
		read_plain(r, constraints, false);
	xmlNode *sequence = x_part(r, root, "quantification", true);
	x_refuse_wide(r);
	x_know_parts(r, sequence, "note class", "@");
	struct qcsp *q = *owner = qcsp_new(x_network(r), strategic);
	X_EACH(e, sequence)
	{
		x_at(r, e);
		bool forall = x_is(e, "forall");
		if (!forall && !x_is(e, "exists"))
			x_fail(r, "unknown quantifier <%.40s>; there are <exists> and <forall>", (const char *)e->name);
		size_t count;
		uint32_t *list = x_references(r, x_text(r, e), &count);
		for (size_t i = 0; i < count; i++)
			if (!qcsp_quantify(q, list[i], forall))
				x_fail(r, "%s is quantified twice", csp_name(x_network(r), list[i]));
	}
	return q;
}

struct qcsp *qcsp_read_xml(const char *data, size_t length, struct csp_source_error *e)
{
	xmlDoc *doc = x_parse(data, length, e);
	if (!doc)
		return NULL;
	struct mem_resource *owned = mem_own(release, doc);
	struct xcsp *r = x_new(e);
	struct qcsp **q = NEW(struct qcsp *);
	if (!setjmp(*x_way_out(r))) {
		read_quantified(r, doc, q);
		x_take_network(r);
	} else if (*q) {
		x_take_network(r);
		qcsp_free(*q);
		*q = NULL;
	}
	struct qcsp *out = *q;
	mem_free(q);
	x_free(r);
	mem_disown(owned);
	xmlFreeDoc(doc);
	return out;
}

/* ---- writing ---- */

static bool next_is_part(const struct csp *n, uint32_t c)
{
	return c + 1 < csp_constraints(n) && csp_origin(n, c + 1) == csp_origin(n, c);
}

/* Parts of one constraint stand in a block of their own. */
static void write_constraints(const struct csp *n, struct text *out)
{
	for (uint32_t c = 0; c < csp_constraints(n); c++) {
		bool part = next_is_part(n, c) || csp_origin(n, c) != c;
		if (part && csp_origin(n, c) == c)
			text_puts(out, "<block class=\"parts\">\n");
		if (!csp_implied(n, c))
			csp_xml_constraint(n, c, "", out);
		if (part && !next_is_part(n, c))
			text_puts(out, "</block>\n");
	}
}

void qcsp_write_xml(struct qcsp *q, struct text *out)
{
	struct csp *n = qcsp_network(q);
	text_printf(out, "<instance format=\"XCSP3\" type=\"QCSP\" semantics=\"%s\">\n<variables>\n",
	            qcsp_strategic(q) ? "strategic" : "plain");
	csp_xml_variables(n, NULL, NULL, out);
	text_puts(out, "</variables>\n<constraints>\n");
	write_constraints(n, out);
	text_puts(out, "</constraints>\n");
	text_puts(out, "<quantification>\n");
	for (uint32_t i = 0; i < qcsp_length(q);) {
		bool forall = qcsp_forall(q, i);
		const char *element = forall ? "forall" : "exists";
		text_printf(out, "<%s> ", element);
		for (; i < qcsp_length(q) && qcsp_forall(q, i) == forall; i++)
			csp_xml_names(n, (uint32_t[]){qcsp_variable(q, i)}, 1, out);
		text_printf(out, "</%s>\n", element);
	}
	text_puts(out, "</quantification>\n</instance>\n");
}

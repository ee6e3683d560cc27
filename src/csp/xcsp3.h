/* XCSP3 piece by piece, for documents that hold a network and more around it:
 * the stochastic and the quantified frameworks. Plain networks need only
 * csp_read_xml and csp_write_xml of csp.h. */
#ifndef CSP_XCSP3_H
#define CSP_XCSP3_H

#include "base/arena.h"
#include "csp/csp.h"

#include <libxml/tree.h>
#include <setjmp.h>

/* ---- reading ----
 *
 * A reader holds a network that grows by the elements it is given. The one way out
 * of a faulty document is x_fail, which jumps to where setjmp(*x_way_out(r)) was
 * called; x_free then frees all the reader has, its network included unless that
 * was taken. */
struct xcsp;

/* Does it begin with comments and a root element, without document type? Else `e` says what there is. */
bool x_prologue(const char *data, size_t length, struct csp_source_error *e);
/* The document, or NULL and `e` filled. Document type declarations are refused. */
xmlDoc *x_parse(const char *data, size_t length, struct csp_source_error *e);
struct xcsp *x_new(struct csp_source_error *e);
void x_free(struct xcsp *r);
jmp_buf *x_way_out(struct xcsp *r);
struct csp *x_network(struct xcsp *r);
struct csp *x_take_network(struct xcsp *r); /* it is the caller's from now on */
struct arena *x_arena(struct xcsp *r);      /* what lives as long as the element being read */

uint32_t x_line(const struct xcsp *r); /* that faults are reported at */
void x_at_line(struct xcsp *r, uint32_t line);
void x_at(struct xcsp *r, const xmlNode *e);
/* Ends the reading with "line: message", unless the XML parser found a fault first. */
_Noreturn void x_fail(struct xcsp *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

const char *x_attr(struct xcsp *r, xmlNode *e, const char *name); /* NULL: absent */
const char *x_text(struct xcsp *r, xmlNode *e);                   /* content, group arguments put in */
xmlNode *x_child(xmlNode *e, const char *name);                   /* NULL: none */
bool x_is(const xmlNode *e, const char *name);
#define X_EACH(k, parent) \
	for (xmlNode *k = (parent)->children; k; k = k->next) \
		if (k->type == XML_ELEMENT_NODE)

xmlNode *x_root(struct xcsp *r, xmlDoc *doc, const char *type); /* <instance> of XCSP3 of this type */
xmlNode *x_part(struct xcsp *r, xmlNode *root, const char *name,
                bool needed); /* a child of the root; NULL: there is none */

/* The constraints i = 0, 1, ... that are read: name (NULL: no more), attributes and children in the words of
 * grammar.inc. */
const char *x_grammar(size_t i, const char **attributes, const char **children);

/* Refuses attributes, children (in the words of grammar.inc) and text that an element does not have. */
void x_know_parts(struct xcsp *r, xmlNode *e, const char *attributes, const char *children);

void x_refuse_wide(struct xcsp *r); /* variables whose domains are intervals */

/* Lexical pieces; each advances *s. */
void x_space(const char **s);
bool x_int(const char **s, int64_t *v);
const char *x_token(struct xcsp *r, const char **s); /* up to white space outside parentheses; NULL at the end */

typedef VEC(uint32_t) xlist;
void x_variable(struct xcsp *r, xmlNode *e);        /* <var> or <array> */
void x_constraint(struct xcsp *r, xmlNode *e);      /* also <group> and what is in it */
const xlist *x_list(struct xcsp *r, const char *s); /* variables, ranges of arrays, numbers, expressions */
uint32_t *x_references(struct xcsp *r, const char *s, size_t *count); /* the same, variables only; lives in x_arena */
int64_t x_value(struct xcsp *r, const char *token, uint32_t x);       /* a number or a symbol (of x, unless CSP_NONE) */

/* ---- writing ---- */

void csp_xml_name(const struct csp *n, uint32_t x, struct text *out);
void csp_xml_names(const struct csp *n, const uint32_t *x, size_t count, struct text *out); /* a blank after each */
void csp_xml_value(const struct csp *n, uint32_t x, int64_t value, struct text *out); /* a number, or a symbol of x */

/* All variables, those named like x[1][2] as arrays. `declare`, if there is one, is asked for each that is
 * in no array: true says that it wrote the declaration itself. */
void csp_xml_variables(const struct csp *n, bool (*declare)(void *user, uint32_t x, struct text *out), void *user,
                       struct text *out);
bool csp_implied(const struct csp *n, uint32_t c); /* added by a consistency algorithm: not to be written */
/* One constraint; attributes: "", or such as ` class="hard"`. */
void csp_xml_constraint(const struct csp *n, uint32_t c, const char *attributes, struct text *out);
void csp_xml_objective(const struct csp *n, struct text *out); /* nothing when there is none */

#endif

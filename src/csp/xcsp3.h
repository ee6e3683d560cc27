/* XCSP3 piece by piece, for documents that hold a network and more around it:
 * the stochastic and the quantified frameworks. Plain networks need only
 * csp_read_xml and csp_write_xml of csp.h. */
#ifndef CSP_XCSP3_H
#define CSP_XCSP3_H

#include "csp/csp.h"

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

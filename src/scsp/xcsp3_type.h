/* What kind of problem an XCSP3 document holds. */
#ifndef SCSP_XCSP3_TYPE_H
#define SCSP_XCSP3_TYPE_H

#include <stddef.h>

enum xcsp3_type { XCSP3_CSP, XCSP3_SCSP, XCSP3_QCSP };

/* By the type attribute of the root element; the rest is not read. What is no XCSP3 counts as XCSP3_CSP. */
enum xcsp3_type xcsp3_type_of(const char *data, size_t length);
enum xcsp3_type xcsp3_type_of_file(const char *path);

#endif

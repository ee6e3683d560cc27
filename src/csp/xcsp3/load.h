/* The bytes of an instance: from a file or standard input, unpacked where they are packed. */
#ifndef CSP_XCSP3_LOAD_H
#define CSP_XCSP3_LOAD_H

#include "base/text.h"
#include "csp/csp.h"

/* path "-": standard input. Files packed by gzip, xz or lzma are unpacked, whatever they are called. False: `e` is
 * filled. */
bool xcsp3_load(const char *path, struct text *out, struct csp_source_error *e);

/* What a document that is no XML seems to be, as a message. */
const char *xcsp3_foreign(const char *data, size_t length);

#endif

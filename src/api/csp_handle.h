/* The handle of a constraint network, for the objects that networks belong to. */
#ifndef API_CSP_HANDLE_H
#define API_CSP_HANDLE_H

#include "api/api_internal.h"
#include "csp/csp.h"
#include "macaw/csp.h"

struct macaw_csp {
	struct handle own;
	struct handle *in; /* `own`, or the handle of the object it belongs to: they break together */
	struct csp *n;
	macaw_error error;
};

/* A new handle around a network; `owner` NULL: it belongs to the caller. NULL: out of memory. */
macaw_csp *api_csp_wrap(struct csp *n, struct handle *owner, macaw_error *e);
/* From now on it belongs to `owner`, whose part in it is freed by api_csp_drop. */
void api_csp_give(macaw_csp *n, struct handle *owner);
/* Frees the handle of a network that belongs to another object; the network itself was freed, or its owner is broken.
 */
void api_csp_drop(macaw_csp *n);

/* "NAME:LINE: error: MESSAGE", as compilers write it. */
void api_fail_source(macaw_error *e, const char *name, const struct csp_source_error *at);
/* The whole of a file with a network; false: the error says why not. */
bool api_read_network(const char *path, struct text *t, macaw_error *e);

void api_csp_stats(const struct csp_stats *from, macaw_csp_stats *to);

/* One enumeration has the same numbers inside and outside. */
#define SAME(outside, inside) _Static_assert((int)(outside) == (int)(inside), "the public numbers are those inside")

/* A change that cannot fail but for memory. */
#define CHANGE(n, ...) GUARD((n)->in, &(n)->error, , __VA_ARGS__)

/* Names and helps of an enumeration, and counters of a struct of statistics, by number. */
struct named {
	const char *name, *help;
};

struct counter {
	const char *name;
	size_t offset; /* of a uint64_t */
};

#define PICK(list, i, part) ((size_t)(i) < sizeof(list) / sizeof *(list) ? (list)[i].part : NULL)
#define PICK_COUNTER(list, stats, i) \
	((size_t)(i) < sizeof(list) / sizeof *(list) ? *(const uint64_t *)((const char *)(stats) + (list)[i].offset) : 0)

#endif

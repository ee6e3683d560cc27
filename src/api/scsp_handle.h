/* The handle of a stochastic problem, for those who make one. */
#ifndef API_SCSP_HANDLE_H
#define API_SCSP_HANDLE_H

#include "api/csp_handle.h"
#include "macaw/scsp.h"
#include "scsp/scsp.h"

struct macaw_scsp {
	struct handle handle;
	struct handle *made_by; /* whose memory holds the problem, where that is another object's; else NULL */
	struct scsp *s;
	macaw_csp *hard, *chance;
	macaw_error error;
};

/* An empty handle, to be filled by api_scsp_fill. NULL: out of memory. */
macaw_scsp *api_scsp_open(macaw_error *e);
/* Puts the problem into its handle. NULL (it was not made, or out of memory): everything is freed, `why` goes to the
 * error unless it is empty. */
macaw_scsp *api_scsp_fill(macaw_scsp *h, struct scsp *s, const char *why, macaw_error *e);

#endif

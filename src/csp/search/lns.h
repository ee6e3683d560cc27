/* Large neighbourhood search by turns; see lns.c. */
#ifndef CSP_SEARCH_LNS_H
#define CSP_SEARCH_LNS_H

#include "csp/csp_internal.h"

struct lns;

struct lns *lns_new(struct search *s);
void lns_free(struct lns *l); /* NULL is nothing */
/* Tries neighbourhoods of the best solution until it has propagated so often (0: until all is searched). False: it was
 * not the end of its turn that stopped it; *done: there is nothing better. */
bool lns_turn(struct lns *l, uint64_t length, bool *done);

#endif

/* The kinds of letters. */
#ifndef CLUSTER_KINDS_H
#define CLUSTER_KINDS_H

#include "cluster/link.h"

enum {
	KIND_STATUS = LINK_FIRST_KIND, /* of rank 0: its exit status */
	KIND_TRAFFIC,                  /* to rank 0, at the end */
	KIND_NUMBERS,                  /* to rank 0: terms; from it: sums; empty: a rank is lost */
	KIND_GIVE_UP,                  /* from rank 0: a rank is lost that cannot be done without */
	KIND_RECORDS,                  /* of an exchange, of levels with even and odd numbers; empty: no more of them */
	KIND_RECORDS_ODD,
	KIND_RESULT,       /* to rank 0: of a share of the work */
	KIND_BOUND,        /* from rank 0: the cost of the best solution; empty: enough */
	KIND_MATCH,        /* from rank 0: a match to assist in, see host.c */
	KIND_SEARCH,       /* from rank 0: what to search, see company.c */
	KIND_SHARED = 256, /* between neighbours: what a seat's search has learnt */
	KIND_PIECE = 1024, /* from rank 0: work for a hand; hands are numbered */
	KIND_ANSWER = 2048 /* to rank 0, from a hand */
};

#endif

/* Networks of constraints that 'macaw bench' solves, the same on every machine. */
#ifndef CLI_BENCH_NETWORKS_H
#define CLI_BENCH_NETWORKS_H

#include "macaw/csp.h"

macaw_csp *bench_network(const char *name); /* NULL: out of memory, or no such network */

#endif

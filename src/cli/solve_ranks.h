/* A network solved by several ranks, each in parts of it that exclude one another. */
#ifndef CLI_SOLVE_RANKS_H
#define CLI_SOLVE_RANKS_H

#include "cluster/cluster.h"
#include "macaw/csp.h"
#include "show/terminal.h"

/* As macaw_csp_solve(), called by all ranks; the solutions and the counters are those of all of them, at rank 0. */
enum macaw_csp_status solve_ranks(struct cluster *c, macaw_csp *n, const macaw_csp_options *o, macaw_csp_stats *st);

#endif

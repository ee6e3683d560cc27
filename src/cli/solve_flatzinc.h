/* `macaw solve` for models in FlatZinc. */
#ifndef CLI_SOLVE_FLATZINC_H
#define CLI_SOLVE_FLATZINC_H

#include "macaw/csp.h"

/* By the name (.fzn, .mzn), else by what is in it. */
bool solve_is_flatzinc(const char *file, const char *text, size_t length);
/* The lines behind the solutions. */
void solve_flatzinc_end(macaw_csp *n, const macaw_csp_stats *s, enum macaw_csp_status status, bool count,
                        bool statistics);

#endif

/* The rows of the feasibility constraint, with what each is worth. */
#ifndef SCSP_FEASIBLE_H
#define SCSP_FEASIBLE_H

#include "scsp/forward.h"

struct feasible_rows {
	VEC(uint32_t) cells;  /* value indices, row by row */
	VEC(double) expected; /* one per player, row by row */
};
bool feasible_rows(struct scsp *s, const double *need, struct scsp_feasible *f, struct feasible_rows *rows,
                   const struct limit *l);
void feasible_rows_free(struct feasible_rows *rows);

#endif

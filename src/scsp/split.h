/* A one-stage problem in two parts (section 4.2.1 of "WoodStock", Koriche and others): Algorithm 1 (partie_dure) and
 * Algorithm 2 (partie_chance). With the feasible policies of the chance part as one more constraint, the solutions of
 * the hard part are those of the whole. Variables keep their numbers in both. */
#ifndef SCSP_SPLIT_H
#define SCSP_SPLIT_H

#include "scsp/scsp.h"

/* Algorithm 1: the constraints without a stochastic variable in their scope. NULL: one is too large for a table. */
struct csp *scsp_hard_part(struct scsp *s);
/* Algorithm 2: the constraints with one, with the tables of the draws and the thresholds. What was hard becomes a
 * chance constraint that every draw must satisfy (threshold 1), as the paper has it. NULL with a message: the problem
 * has constraints of both kinds on its draws, or utilities that depend on them. */
struct scsp *scsp_chance_part(struct scsp *s, struct text *error);
/* Lines 5 to 14 of Algorithm 3: solves the chance part by forward checking and adds the feasibility constraint c_f to
 * the hard part. Its tuples are in *f. False: the chance part was not solved within the limit. */
bool scsp_add_feasibility(struct csp *hard, struct scsp *chance, struct scsp_feasible *f, const struct limit *l);

#endif

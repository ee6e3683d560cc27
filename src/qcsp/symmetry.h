/* Symmetries of a quantified network: permutations of literals (variable, value)
 * that leave every quantified variable in its place and map constraints onto
 * constraints. They act on *items*: literals, and the classes of values at each
 * position of each constraint. */
#ifndef QCSP_SYMMETRY_H
#define QCSP_SYMMETRY_H

#include "qcsp/qcsp_internal.h"

#define QCSP_SYMMETRY_MOST 16

struct qcsp_symmetry {
	uint32_t items;
	uint32_t *literal; /* first item of a variable's values */
	uint32_t *class;   /* first item of the classes at a position: [classes.start[c] + p] */
	uint32_t count;    /* at least 1: the identity comes first */
	uint32_t *image[QCSP_SYMMETRY_MOST];
};

void qcsp_symmetry_build(struct qcsp_symmetry *s, struct qcsp *q, const struct classes *k, bool identity); /* identity: look for no other */
void qcsp_symmetry_free(struct qcsp_symmetry *s);

#endif

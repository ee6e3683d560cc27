/* Symmetries of a quantified network: permutations of literals (variable, value)
 * that leave every quantified variable in its place and map constraints onto
 * constraints. They act on the items of restricted networks. */
#ifndef QCSP_SYMMETRY_H
#define QCSP_SYMMETRY_H

#include "qcsp/restrict.h"

#define QCSP_SYMMETRY_MOST 16

struct qcsp_symmetry {
	uint32_t count; /* at least 1: the identity comes first */
	uint32_t *image[QCSP_SYMMETRY_MOST];
};

/* only_identity: look for no other. */
void qcsp_symmetry_make(struct qcsp_symmetry *s, const struct restriction *r, bool only_identity,
                        const struct limit *limit);
void qcsp_symmetry_free(struct qcsp_symmetry *s);

#endif

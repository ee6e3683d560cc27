/* The positional form of a strategic network: two sides take cells in turn.
 *
 * Recognised from the constraints, whatever the names:
 *   moves      quantified P_0, P_1, ... each bound to state variables X_v by
 *              P_i = v <-> X_v = t_i, with t_0 < t_1 < ..., one X_v per value;
 *   order      X_u < X_v: cell v can be taken only after cell u;
 *   flags      F_l is a function of who took a few cells;
 *   top        the remaining constraints depend only on which values occur among
 *              the flags, and on trailing existential variables.
 * Values of X_v above all t_i mean "not taken yet". There must be enough of them
 * that cells not taken can be thought of as taken by either side in any pattern;
 * then a move is possible iff the cell is free, all cells before it are taken,
 * and some pattern of the rest satisfies the top constraints.
 *
 * The existential player is side 0. A *group* is a value of the flags that
 * matters; [F_l = k] must mean "one side holds all cells of l", a *term*. */
#ifndef QCSP_POSITIONAL_H
#define QCSP_POSITIONAL_H

#include "qcsp/qcsp_internal.h"

#define POS_CELLS 64
#define POS_GROUPS 3

/* Whether a group has a complete term, may still get one, or cannot. */
enum { POS_OPEN, POS_HAS, POS_NEVER };
enum pos_status {
	POS_PLAY,       /* go on */
	POS_WON,        /* every possible play from here succeeds */
	POS_LOST,       /* none does */
	POS_IMPOSSIBLE, /* no solution: the move was not possible */
	POS_UNPROVED    /* cannot be decided in this form */
};

struct pos_form {
	uint32_t cells, groups;
	uint32_t *cell_of;          /* [move * cells + value index] -> cell */
	uint64_t before[POS_CELLS]; /* cells that must be taken earlier, directly */
	uint8_t side[POS_CELLS];    /* who makes move i: 0 existential, 1 universal */
	uint8_t group_side[POS_GROUPS];
	VEC(struct pos_term {
		uint64_t cells;
		uint8_t group;
	}) terms;
	uint8_t status[27];          /* by the states of the groups, in base 3, group 0 first */
	bool final[1 << POS_GROUPS]; /* success at the end, by the set of groups with a term */
	uint32_t symmetries;
	uint8_t image[8][POS_CELLS]; /* symmetries; the first is the identity */
};

/* NULL: recognised; else why not. */
const char *pos_recognise(struct qcsp *q, struct pos_form *f);
void pos_free(struct pos_form *f);
void pos_symmetries(struct pos_form *f);

#endif

/* The inside of a stochastic network, for the files of this room only. */
#ifndef SCSP_SCSP_INTERNAL_H
#define SCSP_SCSP_INTERNAL_H

#include "base/hash.h"
#include "base/vec.h"
#include "scsp/scsp.h"

enum draw_kind { DRAW_NONE, DRAW_TABLE, DRAW_LEGAL };

struct draw { /* of a stochastic variable */
	enum draw_kind kind;
	VEC(uint32_t) parents; /* or the Booleans of DRAW_LEGAL, one per value */
	VEC(uint32_t) given;   /* rows of parents' value indices */
	VEC(struct scsp_p) p;  /* rows * values; one row when there are no parents */
	struct table index;    /* hash of the indices of a row -> row */
};

struct soft {
	VEC(uint32_t) scope;
	VEC(uint32_t) cells;   /* value indices, row by row */
	VEC(double) utilities; /* rows * players */
	VEC(double) most;      /* per player */
	struct table index;
};

struct scsp {
	struct csp *hard, *chance;
	uint32_t vars, players;
	struct draw *draws; /* one per variable */
	VEC(struct soft) softs;
	uint32_t *order, *place; /* V, and the position of a variable in it */
	double theta[SCSP_MAX_PLAYERS];
	struct scsp_p theta_as[SCSP_MAX_PLAYERS]; /* the same as it was given */
	struct text error;
};

struct csp *scsp_copy_variables(const struct csp *n); /* a new network with the same variables, no constraints */

/* What two expected worths may differ by and still count as equal. */
#define SCSP_EPSILON 1e-9

/* Probability and worth over value indices instead of integers. */
double scsp_probability_at(const struct scsp *s, uint32_t y, uint32_t at, const uint32_t *now);
void scsp_worth_at(struct scsp *s, const uint32_t *now, double *out);
void scsp_most_worth(const struct scsp *s, double *out); /* no leaf is worth more */

/* Asserts that draws are distributions over what comes before them, and V an order (base/check.h). */
void scsp_check_problem(const struct scsp *s);

#endif

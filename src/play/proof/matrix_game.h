/* Matrix games: two choose at once, one a row and the other a column, and the number there is what the second pays the
 * first. Its value and optimal mixed strategies, by the simplex method (Dantzig 1951).
 *
 * Whatever a strategy is, the worst that can happen to it is a true bound of the value. The bounds returned are those
 * of the strategies returned, and do not rest on the arithmetic that found them. */
#ifndef PLAY_PROOF_MATRIX_GAME_H
#define PLAY_PROOF_MATRIX_GAME_H

#include "base/vec.h"

#include <stdbool.h>

#define MATRIX_GAME_MOST 64 /* rows, and columns: no pivoting beyond, pure strategies only */

struct matrix_game {
	const double *at; /* by row */
	uint32_t rows, columns;
};

/* Of the value: what the row's strategy is sure of, and what the column's does not exceed, but for the rounding of
 * a sum of products. */
struct matrix_value {
	double low, high;
};

/* Memory for any number of games, all zero to begin with. */
struct matrix_room {
	VEC(double) tableau;
	VEC(uint32_t) labels;
};
void matrix_room_free(struct matrix_room *m);

/* The best pure strategies; the bounds meet where there is a saddle point. */
struct matrix_value matrix_game_pure(const struct matrix_game *g, uint32_t *row, uint32_t *column);
/* Strategies by row and by column: probabilities. */
struct matrix_value matrix_game_solve(struct matrix_room *m, const struct matrix_game *g, double *row, double *column);

#endif

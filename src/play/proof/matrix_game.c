/* The simplex method for matrix games. With all numbers above 0, the column's problem is: the largest sum of weights,
 * none below 0, such that no row is paid more than 1. Weights of 0 are a solution to begin with, the value is 1 over
 * the sum, and the prices of the rows are the row's strategy. */
#include "play/proof/matrix_game.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define TINY 1e-11     /* numbers of the tableau below this count as 0 */
#define MOST_PIVOTS 32 /* times the rows and columns */
#define FINE 1e-9      /* of what pure strategies leave open: bounds that are not further apart are good enough */

/* Numbers that differ by next to nothing make rounding matter. Where the bounds stay apart, all are rounded to parts of
 * their range, first fine and then coarser ones, and what the strategies are sure of is still found in the numbers as
 * they are. 0: not rounded. */
static const double grids[] = {0, 0x1p26, 0x1p20};
#define TRIES (sizeof grids / sizeof *grids)

void matrix_room_free(struct matrix_room *m)
{
	vec_free(&m->tableau);
	vec_free(&m->labels);
}

struct matrix_value matrix_game_pure(const struct matrix_game *g, uint32_t *row, uint32_t *column)
{
	assert(g->rows && g->columns);
	struct matrix_value v = {-HUGE_VAL, HUGE_VAL};
	for (uint32_t i = 0; i < g->rows; i++) {
		const double *at = g->at + (size_t)i * g->columns;
		double least = at[0];
		for (uint32_t j = 1; j < g->columns; j++)
			least = at[j] < least ? at[j] : least;
		if (least > v.low) {
			v.low = least;
			*row = i;
		}
	}
	for (uint32_t j = 0; j < g->columns; j++) {
		double most = g->at[j];
		for (uint32_t i = 1; i < g->rows; i++) {
			double x = g->at[(size_t)i * g->columns + j];
			most = x > most ? x : most;
		}
		if (most < v.high) {
			v.high = most;
			*column = j;
		}
	}
	return v;
}

/* ---- the tableau ------------------------------------------------------------------------------------------------ */

/* Rows and columns of the game, then one more of each: what a column would add, and what is left of a row's 1. Labels
 * say what stands where: the columns of the game are 0.., its rows follow; first those of the tableau's columns. */
struct tableau {
	double *at;
	uint32_t *label;
	uint32_t rows, columns, width;
};

static void fill(struct tableau *t, const struct matrix_game *g, double grid)
{
	double least = g->at[0], most = g->at[0];
	for (size_t k = 1; k < (size_t)g->rows * g->columns; k++) {
		least = g->at[k] < least ? g->at[k] : least;
		most = g->at[k] > most ? g->at[k] : most;
	}
	double scale = most > least ? 1 / (most - least) : 0;
	for (uint32_t i = 0; i < g->rows; i++) {
		double *to = t->at + (size_t)i * t->width;
		for (uint32_t j = 0; j < g->columns; j++) {
			double x = scale * (g->at[(size_t)i * g->columns + j] - least);
			to[j] = 1 + (grid > 0 ? nearbyint(x * grid) / grid : x);
		}
		to[g->columns] = 1;
	}
	for (uint32_t j = 0; j < g->columns; j++)
		t->at[(size_t)g->rows * t->width + j] = -1;
	t->at[(size_t)g->rows * t->width + g->columns] = 0;
	for (uint32_t k = 0; k < g->rows + g->columns; k++)
		t->label[k] = k;
}

/* The column that gains most; after many pivots the one with the first label, which cannot go round in circles (Bland
 * 1977). */
static uint32_t entering(const struct tableau *t, bool first)
{
	const double *gain = t->at + (size_t)t->rows * t->width;
	uint32_t best = t->columns;
	for (uint32_t j = 0; j < t->columns; j++)
		if (gain[j] < -TINY && (best == t->columns || (first ? t->label[j] < t->label[best] : gain[j] < gain[best])))
			best = j;
	return best;
}

/* The row that is used up first, of several the one with the first label. */
static uint32_t leaving(const struct tableau *t, uint32_t column)
{
	uint32_t best = t->rows;
	double least = HUGE_VAL;
	for (uint32_t i = 0; i < t->rows; i++) {
		double x = t->at[(size_t)i * t->width + column];
		if (x <= TINY)
			continue;
		double ratio = t->at[(size_t)i * t->width + t->columns] / x;
		if (ratio < least || (ratio <= least && t->label[t->columns + i] < t->label[t->columns + best])) {
			least = ratio;
			best = i;
		}
	}
	return best;
}

static void pivot(struct tableau *t, uint32_t row, uint32_t column)
{
	assert(row < t->rows && column < t->columns);
	double *from = t->at + (size_t)row * t->width, one = 1 / from[column];
	for (uint32_t j = 0; j < t->width; j++)
		from[j] *= one;
	from[column] = one;
	for (uint32_t i = 0; i <= t->rows; i++) {
		double *to = t->at + (size_t)i * t->width, x = to[column];
		if (i == row || x == 0)
			continue;
		to[column] = 0;
		for (uint32_t j = 0; j < t->width; j++)
			to[j] -= x * from[j];
	}
	uint32_t label = t->label[column];
	t->label[column] = t->label[t->columns + row];
	t->label[t->columns + row] = label;
}

static void normalise(double *share, uint32_t n)
{
	assert(n);
	double sum = 0;
	for (uint32_t i = 0; i < n; i++) {
		share[i] = share[i] > 0 ? share[i] : 0;
		sum += share[i];
	}
	for (uint32_t i = 0; i < n; i++)
		share[i] = sum > 0 ? share[i] / sum : 1.0 / n;
}

static void read_strategies(const struct tableau *t, double *row, double *column)
{
	assert(t->width == t->columns + 1);
	memset(row, 0, t->rows * sizeof *row);
	memset(column, 0, t->columns * sizeof *column);
	for (uint32_t j = 0; j < t->columns; j++)
		if (t->label[j] >= t->columns)
			row[t->label[j] - t->columns] = t->at[(size_t)t->rows * t->width + j];
	for (uint32_t i = 0; i < t->rows; i++)
		if (t->label[t->columns + i] < t->columns)
			column[t->label[t->columns + i]] = t->at[(size_t)i * t->width + t->columns];
	normalise(row, t->rows);
	normalise(column, t->columns);
}

/* ---- what strategies are sure of -----------------------------------------------------------------------------------
 */

static double sure_of_row(const struct matrix_game *g, const double *row, double *paid)
{
	double least = HUGE_VAL;
	memset(paid, 0, g->columns * sizeof *paid);
	for (uint32_t i = 0; i < g->rows; i++)
		for (uint32_t j = 0; row[i] > 0 && j < g->columns; j++)
			paid[j] += row[i] * g->at[(size_t)i * g->columns + j];
	for (uint32_t j = 0; j < g->columns; j++)
		least = paid[j] < least ? paid[j] : least;
	return least;
}

static double sure_of_column(const struct matrix_game *g, const double *column)
{
	double most = -HUGE_VAL;
	for (uint32_t i = 0; i < g->rows; i++) {
		double sum = 0;
		for (uint32_t j = 0; j < g->columns; j++)
			sum += column[j] * g->at[(size_t)i * g->columns + j];
		most = sum > most ? sum : most;
	}
	return most;
}

static void only(double *share, uint32_t n, uint32_t which)
{
	assert(which < n);
	memset(share, 0, n * sizeof *share);
	share[which] = 1;
}

/* Keeps the strategies of the tableau that are sure of more than the best so far. */
static void keep_better(const struct matrix_game *g, const struct tableau *t, double *scratch, struct matrix_value *v,
                        double *row, double *column)
{
	double *new_row = scratch, *new_column = scratch + g->rows, *paid = new_column + g->columns;
	read_strategies(t, new_row, new_column);
	double low = sure_of_row(g, new_row, paid), high = sure_of_column(g, new_column);
	if (low > v->low) {
		v->low = low;
		memcpy(row, new_row, g->rows * sizeof *row);
	}
	if (high < v->high) {
		v->high = high;
		memcpy(column, new_column, g->columns * sizeof *column);
	}
}

struct matrix_value matrix_game_solve(struct matrix_room *m, const struct matrix_game *g, double *row, double *column)
{
	uint32_t best_row = 0, best_column = 0, lines = g->rows + g->columns;
	struct matrix_value v = matrix_game_pure(g, &best_row, &best_column);
	size_t cells = (size_t)(g->rows + 1) * (g->columns + 1);
	only(row, g->rows, best_row);
	only(column, g->columns, best_column);
	if (v.low >= v.high || g->rows > MATRIX_GAME_MOST || g->columns > MATRIX_GAME_MOST)
		return v;
	vec_reserve(&m->tableau, cells + lines + g->columns);
	vec_reserve(&m->labels, lines);
	struct tableau t = {m->tableau.at, m->labels.at, g->rows, g->columns, g->columns + 1};
	double range = v.high - v.low;
	for (uint32_t try = 0; try < TRIES && v.high - v.low > FINE * range; try++) {
		fill(&t, g, grids[try]);
		for (uint32_t i = 0, in, out; i < MOST_PIVOTS * lines; i++) {
			if ((in = entering(&t, i > 4 * lines)) == t.columns || (out = leaving(&t, in)) == t.rows)
				break;
			pivot(&t, out, in);
		}
		keep_better(g, &t, m->tableau.at + cells, &v, row, column);
	}
	assert(v.low <= v.high + 1e-6 * (1 + fabs(v.high)));
	return v;
}

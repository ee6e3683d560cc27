/* The models of section 5 of Bessiere and Verger (2006), as generators.
 *
 * Two places follow the text of the paper rather than its formulas, unless `literal`:
 *
 * - Connect-4. The paper gives a cell the domain 1..k*k. Under Definition 2 the
 *   last empty cells then have their rank before anybody plays there, and a line
 *   still to come counts as made: on the 2x2 board no value of P3 is possible and
 *   the first player "loses". Here ranks go on beyond k*k; such a rank means "not
 *   filled yet". Once all cells are filled the two models agree.
 * - Tic-tac-toe. The text says that a cell not marked has value 0, the formulas do
 *   not; with the formulas alone a cell that nobody marked may count for player 1
 *   at the end, and model 1 is won by stopping at once. */
#include "qcsp/qcsp_internal.h"

#include <stdio.h>

static uint32_t var(struct csp *n, const char *name, int i, int j, int low, int high)
{
	char text[40];
	if (j < 0)
		snprintf(text, sizeof text, "%s[%d]", name, i);
	else
		snprintf(text, sizeof text, "%s[%d][%d]", name, i, j);
	return csp_var_range(n, text, low, high);
}

static uint32_t op(struct csp *n, enum csp_operator o, uint32_t a, uint32_t b)
{
	return csp_expr(n, o, (uint32_t[]){a, b}, 2);
}

static uint32_t is(struct csp *n, uint32_t x, int64_t v)
{
	return op(n, CSP_OP_EQ, csp_expr_var(n, x), csp_expr_const(n, v));
}

static uint32_t isnt(struct csp *n, uint32_t x, int64_t v)
{
	return op(n, CSP_OP_NE, csp_expr_var(n, x), csp_expr_const(n, v));
}

/* ---- tokens: k tokens 1..k; player 2 wins when the sum of player 1's is a multiple of 3 ---- */

struct qcsp *qcsp_tokens(uint32_t k)
{
	if (k < 1 || k > 30)
		return NULL;
	struct csp *n = csp_new();
	for (uint32_t i = 0; i < k; i++)
		var(n, "x", (int)i, -1, 1, (int)k);
	for (uint32_t i = 0; i < k; i++)
		for (uint32_t j = i + 1; j < k; j++)
			csp_add_intension(n, op(n, CSP_OP_NE, csp_expr_var(n, i), csp_expr_var(n, j)));
	uint32_t terms[32], count = 0;
	for (uint32_t i = 0; i < k; i += 2) {
		terms[count++] = csp_expr_var(n, i);
		uint32_t sum = count == 1 ? terms[0] : csp_expr(n, CSP_OP_ADD, terms, count);
		csp_add_intension(n, op(n, CSP_OP_NE, op(n, CSP_OP_MOD, sum, csp_expr_const(n, 3)), csp_expr_const(n, 0)));
	}
	struct qcsp *q = qcsp_new(n, true);
	for (uint32_t i = 0; i < k; i++)
		qcsp_quantify(q, i, i % 2);
	return q;
}

/* ---- what the two board games share ---- */

/* Not both a 1 and a 2 among the flags. */
static void not_both(struct csp *n, const uint32_t *flags, uint32_t count)
{
	uint32_t *no = NEW_ARRAY(uint32_t, count), side[2];
	for (int v = 1; v <= 2; v++) {
		for (uint32_t i = 0; i < count; i++)
			no[i] = isnt(n, flags[i], v);
		side[v - 1] = count > 1 ? csp_expr(n, CSP_OP_AND, no, count) : no[0];
	}
	csp_add_intension(n, csp_expr(n, CSP_OP_OR, side, 2));
	mem_free(no);
}

/* max(flags) = f and f = 1 */
static void first_player_wins(struct csp *n, const uint32_t *flags, uint32_t count, uint32_t f)
{
	csp_add_extremum(n, true, flags, count, f);
	csp_add_intension(n, is(n, f, 1));
}

/* ---- tic-tac-toe ---- */

static const uint8_t lines3[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};

/* (X = Y = Z = k) <-> (G = k) for k = 1, 2 */
static void full(struct csp *n, uint32_t x, uint32_t y, uint32_t z, uint32_t g)
{
	int32_t tuples[27 * 4];
	size_t rows = 0;
	for (int a = 0; a < 3; a++)
		for (int b = 0; b < 3; b++)
			for (int c = 0; c < 3; c++) {
				int32_t *t = tuples + 4 * rows++;
				t[0] = a, t[1] = b, t[2] = c, t[3] = a == b && b == c ? a : 0;
			}
	csp_add_table(n, (uint32_t[]){x, y, z, g}, 4, tuples, rows, true);
}

static void stopping(struct csp *n, const uint32_t *p, const uint32_t *stop)
{
	for (int i = 0; i < 4; i++) { /* Stop_1, Stop_3, ...; P counts from 0 */
		csp_add_intension(n, op(n, CSP_OP_IFF, is(n, stop[i], 1), is(n, p[2 * i + 1], 0)));
		csp_add_intension(n, op(n, CSP_OP_IFF, is(n, stop[i], 1), is(n, p[2 * i + 2], 0)));
		if (i < 3)
			csp_add_intension(n, op(n, CSP_OP_IMP, is(n, stop[i], 1), is(n, stop[i + 1], 1)));
	}
}

/* x is 0, or one of the nine moves marked cell v. */
static void marked(struct csp *n, uint32_t x, const uint32_t *p, int32_t v)
{
	uint32_t scope[10] = {x};
	int32_t tuples[100];
	for (int i = 0; i < 100; i++)
		tuples[i] = i % 11 ? CSP_ANY : i ? v : 0; /* row i decides position i */
	for (int i = 0; i < 9; i++)
		scope[i + 1] = p[i];
	csp_add_table(n, scope, 10, tuples, 10, true);
}

struct qcsp *qcsp_tictactoe(uint32_t model, bool literal)
{
	if (model != 1 && model != 2)
		return NULL;
	struct csp *n = csp_new();
	uint32_t x[9], f[8], p[9], stop[4], won;
	for (int i = 0; i < 9; i++)
		x[i] = var(n, "x", i / 3, i % 3, 0, 2);
	for (int i = 0; i < 8; i++)
		f[i] = var(n, "f", i, -1, 0, 2);
	for (int i = 0; i < 9; i++) /* the cell, row by row from 1; 0: the game is over */
		p[i] = var(n, "p", i, -1, model == 1 ? 0 : 1, 9);
	for (int i = 0; model == 1 && i < 4; i++)
		stop[i] = var(n, "stop", i, -1, 0, 1);
	won = csp_var_range(n, "won", 0, 2);
	for (int i = 0; i < 9; i++)
		for (int v = 0; v < 9; v++)
			csp_add_intension(n, op(n, CSP_OP_IMP, is(n, p[i], v + 1), is(n, x[v], i % 2 + 1)));
	for (int v = 0; !literal && v < 9; v++)
		marked(n, x[v], p, v + 1);
	for (int i = 0; i < 8; i++)
		full(n, x[lines3[i][0]], x[lines3[i][1]], x[lines3[i][2]], f[i]);
	if (model == 1)
		stopping(n, p, stop);
	else
		not_both(n, f, 8);
	first_player_wins(n, f, 8, won);
	struct qcsp *q = qcsp_new(n, true);
	for (int i = 0; i < 9; i++) {
		qcsp_quantify(q, p[i], i % 2);
		if (model == 1 && i % 2 == 0 && i < 8)
			qcsp_quantify(q, stop[i / 2], false);
	}
	qcsp_quantify(q, won, false);
	return q;
}

/* ---- Connect-4 on a k x k board, c in line ---- */

/* All odd: g = 1; all even: g = 2; else g = 0. */
static void line_of(struct csp *n, const uint32_t *cells, uint32_t c, uint32_t g)
{
	uint32_t odd[8], even[8];
	for (uint32_t i = 0; i < c; i++) {
		uint32_t parity = op(n, CSP_OP_MOD, csp_expr_var(n, cells[i]), csp_expr_const(n, 2));
		odd[i] = op(n, CSP_OP_EQ, parity, csp_expr_const(n, 1));
		even[i] = op(n, CSP_OP_EQ, parity, csp_expr_const(n, 0));
	}
	uint32_t second = csp_expr(n, CSP_OP_IF, (uint32_t[]){csp_expr(n, CSP_OP_AND, even, c), csp_expr_const(n, 2), csp_expr_const(n, 0)}, 3);
	uint32_t value = csp_expr(n, CSP_OP_IF, (uint32_t[]){csp_expr(n, CSP_OP_AND, odd, c), csp_expr_const(n, 1), second}, 3);
	csp_add_intension(n, op(n, CSP_OP_EQ, csp_expr_var(n, g), value));
}

struct qcsp *qcsp_connect(uint32_t size, uint32_t line, bool literal)
{
	static const int way[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
	if (size < 1 || size > 20 || line < 2 || line > 8 || line > size)
		return NULL;
	struct csp *n = csp_new();
	int k = (int)size, c = (int)line, cells = k * k, ranks = literal ? cells : cells + 2 * k;
	uint32_t *x = NEW_ARRAY(uint32_t, (size_t)cells), *p = NEW_ARRAY(uint32_t, (size_t)cells);
	VEC(uint32_t) in_line = {0};
	VEC(uint32_t) flags = {0};
	for (int v = 0; v < cells; v++)
		x[v] = var(n, "x", v / k, v % k, 1, ranks);
	for (int d = 0; d < 4; d++)
		for (int v = 0; v < cells; v++) {
			int i = v / k + way[d][0] * (c - 1), j = v % k + way[d][1] * (c - 1);
			if (i >= k || j < 0 || j >= k)
				continue;
			for (int s = 0; s < c; s++)
				vec_push(&in_line, x[v + s * (way[d][0] * k + way[d][1])]);
			uint32_t flag = var(n, "f", (int)flags.n, -1, 0, 2);
			vec_push(&flags, flag);
		}
	for (int i = 0; i < cells; i++) /* the cell filled at turn i, row by row from 1, the lowest row first */
		p[i] = var(n, "p", i, -1, 1, cells);
	uint32_t won = csp_var_range(n, "won", 0, 2);
	for (int i = 0; i < cells; i++)
		for (int v = 0; v < cells; v++)
			csp_add_intension(n, op(n, CSP_OP_IFF, is(n, p[i], v + 1), is(n, x[v], i + 1)));
	for (int v = 0; v + k < cells; v++)
		csp_add_intension(n, op(n, CSP_OP_GT, csp_expr_var(n, x[v + k]), csp_expr_var(n, x[v])));
	for (uint32_t l = 0; l < flags.n; l++)
		line_of(n, in_line.at + l * line, line, flags.at[l]);
	not_both(n, flags.at, (uint32_t)flags.n);
	first_player_wins(n, flags.at, (uint32_t)flags.n, won);
	struct qcsp *q = qcsp_new(n, true);
	for (int i = 0; i < cells; i++)
		qcsp_quantify(q, p[i], i % 2);
	qcsp_quantify(q, won, false);
	mem_free(x);
	mem_free(p);
	vec_free(&in_line);
	vec_free(&flags);
	return q;
}

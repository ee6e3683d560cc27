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

/* All of the first `count` of these are different from x. */
static uint32_t differs(struct csp *n, uint32_t x, uint32_t count)
{
	uint32_t parts[32];
	for (uint32_t i = 0; i < count; i++)
		parts[i] = op(n, CSP_OP_NE, csp_expr_var(n, i), csp_expr_var(n, x));
	return count == 1 ? parts[0] : csp_expr(n, CSP_OP_AND, parts, count);
}

/* The tokens of player 1 up to turn x do not sum to a multiple of three. */
static uint32_t no_multiple(struct csp *n, uint32_t x)
{
	uint32_t terms[32], count = 0;
	for (uint32_t i = 0; i <= x; i += 2)
		terms[count++] = csp_expr_var(n, i);
	uint32_t sum = count == 1 ? terms[0] : csp_expr(n, CSP_OP_ADD, terms, count);
	return op(n, CSP_OP_NE, op(n, CSP_OP_MOD, sum, csp_expr_const(n, 3)), csp_expr_const(n, 0));
}

/* Turn x of player 1 is as it should be. */
static uint32_t good_turn(struct csp *n, uint32_t x)
{
	return x ? op(n, CSP_OP_AND, differs(n, x, x), no_multiple(n, x)) : no_multiple(n, x);
}

/* What must hold of turn x, provided that player 2 has kept to the rules before it. */
static uint32_t conditional(struct csp *n, uint32_t x, bool literal)
{
	uint32_t kept[32], count = 0;
	for (uint32_t i = 1; i <= x; i++)
		if (literal || i % 2)
			kept[count++] = differs(n, i, i);
	uint32_t then = literal ? no_multiple(n, x) : good_turn(n, x);
	return count ? op(n, CSP_OP_IMP, count == 1 ? kept[0] : csp_expr(n, CSP_OP_AND, kept, count), then) : then;
}

/* Player 1 wins from turn x on: all turns in one expression. */
static uint32_t wins_from(struct csp *n, uint32_t x, uint32_t k)
{
	uint32_t now = x % 2 ? csp_expr(n, CSP_OP_NOT, (uint32_t[]){differs(n, x, x)}, 1) : good_turn(n, x);
	return x + 1 == k ? (x % 2 ? csp_expr_const(n, 1) : now)
	                  : op(n, x % 2 ? CSP_OP_OR : CSP_OP_AND, now, wins_from(n, x + 1, k));
}

struct qcsp *qcsp_tokens_plain(uint32_t k, enum qcsp_encoding e)
{
	if (k < 1 || k > 30)
		return NULL;
	struct csp *n = csp_new();
	for (uint32_t i = 0; i < k; i++)
		var(n, "x", (int)i, -1, 1, (int)k);
	if (e == QCSP_ONE_CONSTRAINT)
		csp_add_intension(n, wins_from(n, 0, k));
	for (uint32_t i = 0; e != QCSP_ONE_CONSTRAINT && i < k; i += 2)
		csp_add_intension(n, conditional(n, i, e == QCSP_CONDITIONAL_LITERAL));
	struct qcsp *q = qcsp_new(n, false);
	for (uint32_t i = 0; i < k; i++)
		qcsp_quantify(q, i, i % 2);
	return q;
}

/* ---- a robot in a corridor, after the TWIG example: actions are chosen, where they lead is observed ---- */

/* Can the action lead from one place to another? Odd places are slopes. Place k + 1 is the ditch behind the end. */
static bool leads(int k, int from, int action, int to)
{
	int wanted = from + action, least = from % 2 && action ? wanted - 1 : wanted;
	wanted = wanted > k + 1 ? k + 1 : wanted;
	least = least > k + 1 ? k + 1 : least;
	return from == k + 1 ? to == from : to >= least && to <= wanted;
}

struct qcsp *qcsp_robot(uint32_t length, uint32_t moves)
{
	if (length < 1 || length > 60 || moves < 1 || moves > 60)
		return NULL;
	struct csp *n = csp_new();
	int k = (int)length, m = (int)moves;
	VEC(int32_t) tuples = {0};
	VEC(uint32_t) sequence = {0};
	uint32_t before = csp_var_range(n, "start", 0, 0);
	for (int i = 0; i < m; i++) { /* 0: wait, 1: step, 2: jump */
		uint32_t action = var(n, "action", i, -1, 0, 2), place = var(n, "place", i, -1, 0, k + 1);
		vec_push(&sequence, action);
		vec_push(&sequence, place);
		vec_clear(&tuples);
		for (int from = 0; from <= (i ? k + 1 : 0); from++)
			for (int a = 0; a < 3; a++)
				for (int to = 0; to <= k + 1; to++)
					if (leads(k, from, a, to)) {
						vec_push(&tuples, from);
						vec_push(&tuples, a);
						vec_push(&tuples, to);
					}
		csp_add_table(n, (uint32_t[]){before, action, place}, 3, tuples.at, tuples.n / 3, true);
		before = place;
	}
	uint32_t there = csp_var_range(n, "there", 0, 1);
	csp_add_intension(n, op(n, CSP_OP_IFF, is(n, there, 1), is(n, before, k)));
	csp_add_intension(n, is(n, there, 1));
	struct qcsp *q = qcsp_new(n, true);
	for (size_t i = 0; i < sequence.n; i++)
		qcsp_quantify(q, sequence.at[i], i % 2);
	qcsp_quantify(q, there, false);
	vec_free(&tuples);
	vec_free(&sequence);
	return q;
}

/* ---- the reduction of Theorem 1 ---- */

static void copy_variable(struct csp *n, uint32_t x)
{
	VEC(int32_t) values = {0};
	VEC(const char *) names = {0};
	struct text name = {0};
	text_printf(&name, "copy_%s", csp_name(n, x));
	for (uint32_t i = 0; i < csp_count(n, x); i++) {
		vec_push(&values, csp_value(n, x, i));
		if (csp_symbolic(n, x))
			vec_push(&names, csp_symbol_text(n, csp_value(n, x, i)));
	}
	uint32_t y = csp_symbolic(n, x) ? csp_var_symbols(n, text_str(&name), names.at, names.n)
	                                : csp_var_values(n, text_str(&name), values.at, values.n);
	VEC(int32_t) pairs = {0};
	for (size_t i = 0; i < values.n; i++) {
		vec_push(&pairs, values.at[i]);
		vec_push(&pairs, values.at[i]);
	}
	csp_add_table(n, (uint32_t[]){y, x}, 2, pairs.at, values.n, true);
	vec_free(&pairs);
	vec_free(&values);
	vec_free(&names);
	text_free(&name);
}

struct qcsp *qcsp_strategic_form(struct qcsp *q)
{
	struct text t = {0};
	struct csp_source_error e;
	qcsp_write_xml(q, &t);
	struct qcsp *plain = qcsp_read_xml(t.at, t.n, &e);
	text_free(&t);
	if (!plain || plain->strategic) {
		qcsp_free(plain);
		return NULL;
	}
	struct csp *n = plain->n;
	uint32_t vars = csp_variables(n);
	for (size_t i = 0; i < plain->sequence.n; i++)
		copy_variable(n, plain->sequence.at[i]);
	struct qcsp *out = qcsp_new(n, true);
	for (uint32_t i = 0; i < plain->sequence.n; i++)
		qcsp_quantify(out, vars + i, plain->forall.at[i]);
	for (uint32_t i = 0; i < plain->sequence.n; i++)
		qcsp_quantify(out, plain->sequence.at[i], false);
	for (uint32_t x = 0; x < vars; x++) /* refused where it has its place already */
		qcsp_quantify(out, x, false);
	plain->n = NULL;
	qcsp_free(plain);
	return out;
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

static const uint8_t lines3[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6},
                                     {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};

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
	uint32_t second = csp_expr(
		n, CSP_OP_IF, (uint32_t[]){csp_expr(n, CSP_OP_AND, even, c), csp_expr_const(n, 2), csp_expr_const(n, 0)}, 3);
	uint32_t value =
		csp_expr(n, CSP_OP_IF, (uint32_t[]){csp_expr(n, CSP_OP_AND, odd, c), csp_expr_const(n, 1), second}, 3);
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
	not_both(n, flags.at, narrow32(flags.n));
	first_player_wins(n, flags.at, narrow32(flags.n), won);
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

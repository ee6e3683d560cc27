/* Strategic and plain quantified networks: the models of the paper, agreement
 * with the definition on random networks, and strategies that hold up. */
#include "test.h"

#include "qcsp/qcsp.h"

#include <string.h>

static enum csp_status solve(struct qcsp *q, enum qcsp_method m, struct qcsp_result *r)
{
	struct qcsp_options o = qcsp_defaults;
	o.method = m;
	return qcsp_solve(q, &o, r);
}

/* Table 1: size, line, variables, constraints, does the first player win. */
static const struct row {
	uint32_t k, c, variables, constraints;
	bool wins;
} rows[] = {
	{2, 2, 15, 27, true},    {3, 2, 39, 110, true},  {5, 2, 123, 720, true}, {6, 2, 183, 1439, true},
	{7, 2, 255, 2602, true}, {3, 3, 27, 98, false},  {4, 3, 57, 295, true},  {5, 3, 99, 696, true},
	{6, 3, 153, 1409, true}, {4, 4, 43, 281, false}, {5, 4, 79, 676, false}, {6, 4, 127, 1383, false},
};

static void connect(void **state)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct qcsp *q = qcsp_connect(rows[i].k, rows[i].c, false);
		struct qcsp_result r;
		assert_int_equal(csp_variables(qcsp_network(q)), rows[i].variables);
		assert_int_equal(csp_constraints(qcsp_network(q)), rows[i].constraints);
		if (rows[i].c == 4 && rows[i].k > (test_sample() ? 4 : 5)) {
			qcsp_free(q);
			continue;
		}
		assert_int_equal(solve(q, QCSP_AUTO, &r), rows[i].wins ? CSP_SAT : CSP_UNSAT);
		assert_string_equal(r.method, "positional");
		if (r.has_strategy && rows[i].k <= 3) {
			struct qcsp_verdict v = qcsp_verify(q, &r.strategy, 10000);
			assert_null(v.fault);
			assert_false(v.sampled);
		}
		qcsp_result_free(&r);
		qcsp_free(q);
	}
}

/* The two solvers agree, and the letter of the paper says no for the 2x2 board. */
static void connect_general(void **state)
{
	struct qcsp_result r;
	for (int literal = 0; literal < 2; literal++) {
		struct qcsp *q = qcsp_connect(2, 2, literal);
		assert_int_equal(solve(q, QCSP_GENERAL, &r), literal ? CSP_UNSAT : CSP_SAT);
		qcsp_result_free(&r);
		qcsp_free(q);
	}
	struct qcsp *q = qcsp_connect(2, 2, true);
	assert_int_equal(solve(q, QCSP_BRUTE, &r), CSP_UNSAT);
	qcsp_free(q);
	q = qcsp_connect(3, 3, false);
	assert_int_equal(solve(q, QCSP_GENERAL, &r), CSP_UNSAT);
	qcsp_free(q);
	if (!test_sample()) {
		q = qcsp_connect(4, 3, false);
		assert_int_equal(solve(q, QCSP_GENERAL, &r), CSP_SAT);
		assert_int_equal(r.symmetries, 1); /* left and right */
		assert_true(r.skeleton_nodes > 0);
		assert_true(r.nodes < 4000); /* 16,855 without the skeleton and the symmetry */
		assert_null(qcsp_verify(q, &r.strategy, 20000).fault);
		qcsp_result_free(&r);
		qcsp_free(q);
	}
	q = qcsp_connect(2, 2, true);
	assert_int_equal(solve(q, QCSP_POSITIONAL, &r), CSP_UNKNOWN);
	assert_non_null(r.refused);
	qcsp_free(q);
}

static void tictactoe(void **state)
{
	for (uint32_t model = 1; model <= 2; model++)
		for (int literal = 0; literal < 2; literal++) {
			struct qcsp *q = qcsp_tictactoe(model, literal);
			struct qcsp_result r;
			assert_int_equal(solve(q, QCSP_AUTO, &r), model == 1 && literal ? CSP_SAT : CSP_UNSAT);
			if (r.has_strategy)
				assert_null(qcsp_verify(q, &r.strategy, 100000).fault);
			qcsp_result_free(&r);
			qcsp_free(q);
		}
	assert_null(qcsp_tictactoe(3, false));
}

/* Player 1 avoids multiples of three, by a search of ten lines. */
static bool tokens_won(uint32_t taken, uint32_t k, uint32_t sum, bool second)
{
	bool any = false;
	for (uint32_t v = 1; v <= k; v++) {
		if (taken >> v & 1)
			continue;
		any = true;
		bool won = second ? tokens_won(taken | 1u << v, k, sum, false)
		                  : (sum + v) % 3 && tokens_won(taken | 1u << v, k, sum + v, true);
		if (won != second)
			return !second;
	}
	return !any || second;
}

static void tokens(void **state)
{
	for (uint32_t k = 1; k <= 8; k++) {
		struct qcsp *q = qcsp_tokens(k);
		struct qcsp_result r;
		assert_int_equal(solve(q, QCSP_AUTO, &r), tokens_won(0, k, 0, false) ? CSP_SAT : CSP_UNSAT);
		if (r.has_strategy)
			assert_null(qcsp_verify(q, &r.strategy, 100000).fault);
		qcsp_result_free(&r);
		qcsp_free(q);
	}
}

/* The plain encodings of the same game have the same answers; as printed, player 1 wins by taking a token twice. */
static void plain_tokens(void **state)
{
	struct qcsp_result r;
	for (uint32_t k = 1; k <= 5; k++)
		for (int e = 0; e < 3; e++) {
			struct qcsp *q = qcsp_tokens_plain(k, (enum qcsp_encoding)e);
			bool won = tokens_won(0, k, 0, false) || (e == QCSP_CONDITIONAL_LITERAL && k > 2);
			assert_int_equal(solve(q, QCSP_GENERAL, &r), won ? CSP_SAT : CSP_UNSAT);
			qcsp_result_free(&r);
			assert_int_equal(solve(q, QCSP_BRUTE, &r), won ? CSP_SAT : CSP_UNSAT);
			qcsp_free(q);
		}
	assert_null(qcsp_tokens_plain(31, QCSP_CONDITIONAL));
}

/* Is the robot sure to be at place k after m moves from here? By the rule in words. */
static bool arrives(int k, int at, int m)
{
	if (!m)
		return at == k;
	if (at > k)
		return false;
	for (int length = 0; length < 3; length++) {
		bool sure = arrives(k, at + length, m - 1);
		if (at % 2 && length) /* a slope: maybe one short */
			sure = sure && arrives(k, at + length - 1, m - 1);
		if (sure)
			return true;
	}
	return false;
}

static void robot(void **state)
{
	int yes = 0;
	for (int k = 1; k <= 6; k++)
		for (int m = 1; m <= 5; m++) {
			struct qcsp *q = qcsp_robot((uint32_t)k, (uint32_t)m);
			struct qcsp_result r;
			assert_int_equal(solve(q, QCSP_AUTO, &r), arrives(k, 0, m) ? CSP_SAT : CSP_UNSAT);
			yes += r.answer;
			if (r.has_strategy)
				assert_null(qcsp_verify(q, &r.strategy, 100000).fault);
			qcsp_result_free(&r);
			qcsp_free(q);
		}
	assert_in_range(yes, 5, 25);
}

/* A limit ends every method, and the answer is unknown then. */
static void limits(void **state)
{
	atomic_bool stop = true;
	for (int m = 0; m < QCSP_METHOD_COUNT; m++) {
		struct qcsp *q =
			m == QCSP_GENERAL ? qcsp_tokens(12) : qcsp_connect(m == QCSP_BRUTE ? 3 : 5, m == QCSP_BRUTE ? 2 : 4, false);
		struct qcsp_options o = qcsp_defaults;
		struct qcsp_result r;
		o.method = (enum qcsp_method)m;
		o.limit.stop = &stop;
		assert_int_equal(qcsp_solve(q, &o, &r), CSP_UNKNOWN);
		assert_false(r.known);
		qcsp_result_free(&r);
		qcsp_free(q);
	}
}

/* ---- random networks ---- */

static struct qcsp *random_network(struct rng *g, bool strategic)
{
	struct csp *n = csp_new();
	uint32_t vars = 2 + rng_below(g, 5);
	for (uint32_t x = 0; x < vars; x++)
		csp_var_range(n, (char[]){'v', (char)('0' + x), 0}, 0, (int32_t)(1 + rng_below(g, 2)));
	for (uint32_t c = 1 + rng_below(g, vars); c--;) {
		uint32_t arity = 1 + rng_below(g, vars < 3 ? vars : 3), scope[3], at[3] = {0};
		int32_t tuples[81];
		size_t rows_ = 0;
		for (uint32_t j = 0; j < arity; j++)
			for (bool again = true; again;) {
				scope[j] = rng_below(g, vars);
				again = false;
				for (uint32_t i = 0; i < j; i++)
					again = again || scope[i] == scope[j];
			}
		double density = 0.5 + rng_unit(g) / 2;
		for (bool more = true; more;) {
			if (rng_unit(g) < density) {
				for (uint32_t j = 0; j < arity; j++)
					tuples[rows_ * arity + j] = (int32_t)at[j];
				rows_++;
			}
			uint32_t j = arity;
			while (j-- && ++at[j] == csp_count(n, scope[j]))
				at[j] = 0;
			more = j != UINT32_MAX;
		}
		csp_add_table(n, scope, arity, tuples, rows_, true);
	}
	struct qcsp *q = qcsp_new(n, strategic);
	for (uint32_t x = 0; x < vars; x++)
		if (rng_below(g, 4))
			assert_true(qcsp_quantify(q, x, rng_below(g, 2)));
	return q;
}

static void agreement(struct rng *g, bool strategic, int rounds)
{
	int won = 0;
	for (int i = 0; i < rounds; i++) {
		struct qcsp *q = random_network(g, strategic);
		struct qcsp_result r, brute;
		enum csp_status expected = solve(q, QCSP_BRUTE, &brute);
		assert_int_equal(solve(q, QCSP_GENERAL, &r), expected);
		won += expected == CSP_SAT;
		if (expected == CSP_SAT) {
			struct qcsp_verdict v = qcsp_verify(q, &r.strategy, 100000);
			if (v.fault)
				print_error("network %d: %s\n", i, v.fault);
			assert_null(v.fault);
		}
		qcsp_result_free(&r);
		qcsp_free(q);
	}
	assert_in_range(won, rounds / 20, rounds * 19 / 20);
}

static void random_strategic(void **state)
{
	struct rng g = rng_seed(11);
	agreement(&g, true, test_sample() ? 500 : 8000);
}

/* Theorem 1. */
static void reduction(void **state)
{
	struct rng g = rng_seed(14);
	for (int i = 0; i < (test_sample() ? 100 : 1500); i++) {
		struct qcsp *q = random_network(&g, false), *s = qcsp_strategic_form(q);
		struct qcsp_result a, b;
		assert_non_null(s);
		assert_true(qcsp_strategic(s));
		enum csp_status expected = solve(q, QCSP_GENERAL, &a);
		assert_int_equal(solve(s, QCSP_GENERAL, &b), expected);
		assert_null(qcsp_strategic_form(s));
		qcsp_result_free(&a);
		qcsp_result_free(&b);
		qcsp_free(q);
		qcsp_free(s);
	}
}

static void random_plain(void **state)
{
	struct rng g = rng_seed(12);
	agreement(&g, false, test_sample() ? 500 : 8000);
}

/* A wrong strategy is found out. */
static void false_strategy(void **state)
{
	struct qcsp *q = qcsp_tokens(8);
	struct qcsp_result r;
	assert_int_equal(solve(q, QCSP_AUTO, &r), CSP_SAT);
	assert_null(qcsp_verify(q, &r.strategy, 1000).fault);
	assert_true(r.strategy.arcs.n > 2);
	int caught = 0;
	for (size_t i = 0; i < r.strategy.arcs.n; i++) {
		uint32_t old = r.strategy.arcs.at[i].at;
		r.strategy.arcs.at[i].at = (old + 1) % 8;
		caught += qcsp_verify(q, &r.strategy, 1000).fault != NULL;
		r.strategy.arcs.at[i].at = old;
	}
	assert_true(caught > 0);
	struct text t = {0};
	qcsp_print(q, &r.strategy, 10, &t);
	assert_non_null(strstr(text_str(&t), "x[0]="));
	text_free(&t);
	qcsp_result_free(&r);
	qcsp_free(q);
}

/* Random positional networks: cells, some order, lines of either side; both solvers must agree. */
static struct qcsp *random_positional(struct rng *g)
{
	struct csp *n = csp_new();
	uint32_t cells = 3 + rng_below(g, 2), x[5], p[5], f[8], flags = 1 + rng_below(g, 4);
	for (uint32_t v = 0; v < cells; v++)
		x[v] = csp_var_range(n, (char[]){'x', (char)('0' + v), 0}, 1, (int32_t)(cells + 2 * cells));
	for (uint32_t v = 0; v < cells; v++)
		p[v] = csp_var_range(n, (char[]){'p', (char)('0' + v), 0}, 1, (int32_t)cells);
	for (uint32_t l = 0; l < flags; l++)
		f[l] = csp_var_range(n, (char[]){'f', (char)('0' + l), 0}, 0, 2);
	uint32_t won = csp_var_range(n, "won", 0, 2);
#define OP(o, a, b) csp_expr(n, CSP_OP_##o, (uint32_t[]){a, b}, 2)
#define V(y) csp_expr_var(n, y)
#define K(k) csp_expr_const(n, (int64_t)(k))
	for (uint32_t i = 0; i < cells; i++)
		for (uint32_t v = 0; v < cells; v++)
			csp_add_intension(n, OP(IFF, OP(EQ, V(p[i]), K(v + 1)), OP(EQ, V(x[v]), K(i + 1))));
	for (uint32_t v = 1; v < cells; v++)
		if (rng_below(g, 2))
			csp_add_intension(n, OP(LT, V(x[rng_below(g, v)]), V(x[v])));
	for (uint32_t l = 0; l < flags; l++) {
		uint32_t size = 2 + rng_below(g, cells - 1), odd[5], even[5], at = rng_below(g, cells);
		for (uint32_t i = 0; i < size; i++) {
			uint32_t parity = OP(MOD, V(x[(at + i) % cells]), K(2));
			odd[i] = OP(EQ, parity, K(1));
			even[i] = OP(EQ, parity, K(0));
		}
		uint32_t b = csp_expr(n, CSP_OP_IF, (uint32_t[]){csp_expr(n, CSP_OP_AND, even, size), K(2), K(0)}, 3);
		uint32_t a = csp_expr(n, CSP_OP_IF, (uint32_t[]){csp_expr(n, CSP_OP_AND, odd, size), K(1), b}, 3);
		csp_add_intension(n, OP(EQ, V(f[l]), a));
	}
	uint32_t no[2][8], side[2];
	for (uint32_t k = 0; k < 2; k++) {
		for (uint32_t l = 0; l < flags; l++)
			no[k][l] = OP(NE, V(f[l]), K(k + 1));
		side[k] = csp_expr(n, CSP_OP_AND, no[k], flags);
	}
	if (rng_below(g, 3))
		csp_add_intension(n, OP(OR, side[0], side[1]));
	csp_add_extremum(n, true, f, flags, won);
	csp_add_intension(n, OP(EQ, V(won), K(rng_below(g, 3))));
	struct qcsp *q = qcsp_new(n, true);
	bool second = rng_below(g, 2);
	for (uint32_t i = 0; i < cells; i++)
		qcsp_quantify(q, p[i], (i % 2) != second);
	qcsp_quantify(q, won, false);
	return q;
}

static void positional(void **state)
{
	struct rng g = rng_seed(13);
	int used = 0, won = 0, skeletons = 0, rounds = test_sample() ? 30 : 300;
	for (int i = 0; i < rounds; i++) {
		struct qcsp *q = random_positional(&g);
		struct qcsp_result a, b;
		enum csp_status fast = solve(q, QCSP_POSITIONAL, &a);
		if (fast != CSP_UNKNOWN) {
			assert_int_equal(solve(q, QCSP_GENERAL, &b), fast);
			skeletons += b.skeleton_nodes > 0;
			if (fast == CSP_SAT)
				assert_null(qcsp_verify(q, &a.strategy, 5000).fault);
			if (fast == CSP_SAT)
				assert_null(qcsp_verify(q, &b.strategy, 5000).fault);
			qcsp_result_free(&b);
			used++;
			won += fast == CSP_SAT;
		}
		qcsp_result_free(&a);
		qcsp_free(q);
	}
	assert_true(used > rounds / 4);
	assert_in_range(won, 1, used - 1);
	assert_true(skeletons > rounds / 20);
}

/* Each row is one constraint twice: read in parts with hidden variables, or split, and as one expression. */
static const char *const twins[][2] = {
	{"<maximum> <list> a b </list> <condition> (ge,%d) </condition> </maximum>",
     "<intension> ge(max(a,b),%d) </intension>"},
	{"<minimum> <list> a b c </list> <condition> (ne,%d) </condition> </minimum>",
     "<intension> ne(min(a,b,c),%d) </intension>"},
	{"<sum> <list> a b </list> <condition> (in,{%d,4}) </condition> </sum>",
     "<intension> in(add(a,b),set(%d,4)) </intension>"},
	{"<sum> <list> b c </list> <condition> (in,%d..7) </condition> </sum>",
     "<intension> and(ge(add(b,c),%d),le(add(b,c),7)) </intension>"},
	{"<count> <list> a b </list> <values> 1 </values> <condition> (in,{%d,7}) </condition> </count>",
     "<intension> in(add(eq(a,1),eq(b,1)),set(%d,7)) </intension>"},
	{"<allDifferent> mul(b,0) mul(a,%d) </allDifferent>", "<intension> ne(mul(b,0),mul(a,%d)) </intension>"},
	{"<allEqual> a b c </allEqual>", "<intension> and(eq(a,b),eq(b,c)) </intension>"},
	{"<lex> <list> a </list> <list> b </list> <list> c </list> <operator> le </operator> </lex>",
     "<intension> and(le(a,b),le(b,c)) </intension>"},
	{"<nValues> <list> a c </list> <condition> (gt,%d) </condition> </nValues>",
     "<intension> gt(add(1,ne(a,c)),%d) </intension>"},
	{"<element> <list> a b </list> <value> %d </value> </element>", "<intension> or(eq(a,%d),eq(b,%1$d)) </intension>"},
};

static struct qcsp *twin(struct rng g, const char *form, int v, struct text *t)
{
	static const char names[] = "abc";
	t->n = 0;
	text_puts(t, "<instance format=\"XCSP3\" type=\"QCSP\" semantics=\"strategic\">\n<variables>\n");
	for (int i = 0; i < 3; i++)
		text_printf(t, "<var id=\"%c\"> 0..%d </var>\n", names[i], 1 + (int)rng_below(&g, 2));
	text_puts(t, "<var id=\"s\"> 0..1 </var>\n</variables>\n<constraints>\n");
	text_printf(t, form, v);
	if (rng_below(&g, 2))
		text_puts(t, "\n<intension> ne(a,add(b,s)) </intension>");
	text_puts(t, "\n</constraints>\n<quantification>\n");
	uint32_t first = rng_below(&g, 3), step = 1 + rng_below(&g, 2);
	for (uint32_t i = 0; i < 3; i++) {
		const char *quantifier = rng_below(&g, 2) ? "forall" : "exists";
		text_printf(t, "<%s> %c </%s>\n", quantifier, names[(first + i * step) % 3], quantifier);
	}
	text_puts(t, "</quantification>\n</instance>\n");
	struct csp_source_error e;
	struct qcsp *q = qcsp_read_xml(text_str(t), t->n, &e);
	if (!q)
		fail_msg("%s\n%s", text_str(t), e.message);
	return q;
}

static enum csp_status verdict(struct qcsp *q, enum qcsp_method m)
{
	struct qcsp_result r;
	enum csp_status s = solve(q, m, &r);
	qcsp_result_free(&r);
	return s;
}

/* Equal constraints have equal verdicts, however the reader splits them. */
static void parts(void **state)
{
	struct text t = {0}, again = {0};
	struct rng g = rng_seed(23);
	for (int i = 0; i < (test_sample() ? 100 : 1000); i++) {
		int v = (int)rng_below(&g, 5), pair = i % (int)(sizeof twins / sizeof *twins);
		struct rng same = rng_seed((uint64_t)i);
		struct qcsp *whole = twin(same, twins[pair][1], v, &t), *split = twin(same, twins[pair][0], v, &t);
		enum csp_status right = verdict(whole, QCSP_BRUTE);
		enum csp_status is[3] = {verdict(split, QCSP_BRUTE), verdict(split, QCSP_GENERAL), verdict(split, QCSP_AUTO)};
		for (int k = 0; k < 3; k++)
			if (is[k] != right)
				fail_msg("%s\nmethod %d: %d, not %d", text_str(&t), k, is[k], right);
		again.n = 0;
		qcsp_write_xml(split, &again);
		struct csp_source_error e;
		struct qcsp *copy = qcsp_read_xml(text_str(&again), again.n, &e);
		assert_non_null(copy);
		assert_int_equal(verdict(copy, QCSP_GENERAL), right);
		qcsp_free(copy);
		qcsp_free(whole);
		qcsp_free(split);
	}
	text_free(&t);
	text_free(&again);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(tokens),          cmocka_unit_test(plain_tokens),   cmocka_unit_test(robot),
		cmocka_unit_test(limits),          cmocka_unit_test(reduction),      cmocka_unit_test(random_strategic),
		cmocka_unit_test(random_plain),    cmocka_unit_test(false_strategy), cmocka_unit_test(parts),
		cmocka_unit_test(positional),      cmocka_unit_test(tictactoe),      cmocka_unit_test(connect),
		cmocka_unit_test(connect_general),
	};
	return RUN(cases);
}

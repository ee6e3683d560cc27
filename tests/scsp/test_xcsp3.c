/* Stochastic and quantified XCSP3: what is written reads back the same, and what
 * is wrong is refused with its line. */
#include "test.h"

#include "qcsp/qcsp.h"
#include "scsp/scsp.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define HEAD "<instance format=\"XCSP3\" type=\"SCSP\">\n<variables>\n<var id=\"x\"> 0..1 </var>\n"
#define TAIL "</instance>\n"

struct refusal {
	const char *document, *says;
	uint32_t line;
};

static const struct refusal stochastic_faults[] = {
	{HEAD "<var id=\"y\" type=\"stochastic\"> 0:-1/2 1:3/2 </var>\n</variables>" TAIL, "not between 0 and 1", 4},
	{HEAD "<var id=\"y\" type=\"stochastic\"> 0:1/2 1:1/3 </var>\n</variables>" TAIL, "sum to", 4},
	{HEAD "<var id=\"y\" type=\"stochastic\"> 0 1:1 </var>\n</variables>" TAIL, "no probability", 4},
	{HEAD "<var id=\"y\" type=\"stochastic\"> 0:1/0 1:1 </var>\n</variables>" TAIL, "bad fraction", 4},
	{HEAD "<var id=\"y\" type=\"stochastic\"> 0:one 1:0 </var>\n</variables>" TAIL, "number is expected", 4},
	{HEAD "<var id=\"y\" type=\"stochastic\"> 0:1/2 0:1/2 </var>\n</variables>" TAIL, "two probabilities", 4},
	{HEAD "<array id=\"y\" size=\"[2]\" type=\"stochastic\"> 0:1 </array>\n</variables>" TAIL,
     "array cannot be stochastic", 4},
	{HEAD "<var id=\"y\" type=\"stochastic\"> 0:1/2 1:1/2 </var>\n</variables>\n<stages>\n<decision> x y "
          "</decision>\n</stages>" TAIL,
     "y is in a <decision> block", 7},
	{HEAD "<var id=\"y\" type=\"stochastic\"> 0:1 </var>\n</variables>\n<stages>\n<chance> y </chance>\n</stages>" TAIL,
     "neither <decision> nor <stochastic>", 7},
	{HEAD "<var id=\"y\" type=\"stochastic\"> 0:1 </var>\n</variables>\n<stages>\n<decision> x x "
          "</decision><stochastic> y </stochastic>\n</stages>" TAIL,
     "the order names", 6},
	{HEAD "<var id=\"y\"> 0..1 </var>\n<var id=\"z\"> 0..1 </var>\n</variables>\n<probabilities>\n"
          "<conditional for=\"y\"><list> z </list><row> (0): 1 0 </row><row> (1): 0 1 </row></conditional>\n"
          "<conditional for=\"z\"><list> y </list><row> (0): 1 0 </row><row> (1): 0 1 "
          "</row></conditional>\n</probabilities>" TAIL,
     "does not come before it", 8},
	{HEAD "<var id=\"y\"> 0..1 </var>\n</variables>\n<probabilities>\n<conditional for=\"y\"><list> x </list>\n<row> "
          "(0): 1 0 </row></conditional>\n</probabilities>" TAIL,
     "1 rows for 2 combinations", 7},
	{HEAD "<var id=\"y\"> 0..1 </var>\n</variables>\n<probabilities>\n<conditional for=\"y\">\n<row> 1 "
          "</row></conditional>\n</probabilities>" TAIL,
     "1 probabilities for the 2 values", 8},
	{HEAD
     "<var id=\"y\"> 0..1 </var>\n</variables>\n<probabilities>\n<legal for=\"y\"> x </legal>\n</probabilities>" TAIL,
     "one Boolean per value", 7},
	{HEAD "</variables>\n<thresholds> 1.5 </thresholds>\n" TAIL, "the threshold 1.5", 5},
	{HEAD "</variables>\n<constraints>\n<soft><list> x </list><tuples> 0 1 </tuples><utilities> 1 "
          "</utilities></soft>\n</constraints>" TAIL,
     "1 utilities for 2 tuples", 6},
	{HEAD "</variables>\n<constraints>\n<soft><list> x </list></soft>\n</constraints>" TAIL, "<soft> needs", 6},
	{HEAD "</variables>\n<constraints>\n<intension> eq(x,q) </intension>\n</constraints>" TAIL, "q", 6},
	{"<instance format=\"XCSP3\" type=\"SCSP\">\n" TAIL, "<variables> is missing", 1},
	{"<instance format=\"XCSP3\" type=\"SCOP\">\n" TAIL, "not supported", 1},
	{"<instance", "", 1},
	{"", "", 0},
};

static void stochastic_refusals(void **state)
{
	for (size_t i = 0; i < sizeof stochastic_faults / sizeof *stochastic_faults; i++) {
		const struct refusal *f = &stochastic_faults[i];
		struct csp_source_error e;
		struct scsp *s = scsp_read_xml(f->document, strlen(f->document), &e);
		if (s || !strstr(e.message, f->says) || e.line != f->line)
			print_error("document %zu: line %u: %s\n", i, e.line, e.message);
		assert_null(s);
		assert_non_null(strstr(e.message, f->says));
		assert_int_equal(e.line, f->line);
	}
}

#define QHEAD "<instance format=\"XCSP3\" type=\"QCSP\">\n<variables>\n<var id=\"x\"> 0..1 </var>\n</variables>\n"

static const struct refusal quantified_faults[] = {
	{QHEAD "<quantification>\n<most> x </most>\n</quantification>" TAIL, "unknown quantifier <most>", 6},
	{QHEAD "<quantification>\n<exists> x </exists>\n<forall> x </forall>\n</quantification>" TAIL, "quantified twice",
     7},
	{QHEAD "<quantification>\n<exists> y </exists>\n</quantification>" TAIL, "y", 6},
	{QHEAD "<quantification>\n<exists> 3 </exists>\n</quantification>" TAIL, "no variable", 6},
	{QHEAD TAIL, "<quantification> is missing", 1},
	{"<instance format=\"XCSP3\" type=\"QCSP\" semantics=\"lazy\">\n" TAIL, "neither strategic nor plain", 1},
	{"<instance format=\"XCSP3\" type=\"QCSP+\">\n" TAIL, "not supported", 1},
};

static void quantified_refusals(void **state)
{
	for (size_t i = 0; i < sizeof quantified_faults / sizeof *quantified_faults; i++) {
		const struct refusal *f = &quantified_faults[i];
		struct csp_source_error e;
		struct qcsp *q = qcsp_read_xml(f->document, strlen(f->document), &e);
		if (q || !strstr(e.message, f->says) || e.line != f->line)
			print_error("document %zu: line %u: %s\n", i, e.line, e.message);
		assert_null(q);
		assert_non_null(strstr(e.message, f->says));
		assert_int_equal(e.line, f->line);
	}
}

static struct scsp *example(const char *name)
{
	struct text t = {0}, path = {0};
	struct csp_source_error e;
	const char *root = getenv("MACAW_SOURCE");
	text_printf(&path, "%s/examples/scsp/%s", root ? root : ".", name);
	assert_true(text_read_file(&t, text_str(&path), 1 << 20, NULL));
	struct scsp *s = scsp_read_xml(t.at, t.n, &e);
	assert_non_null(s);
	text_free(&t);
	text_free(&path);
	return s;
}

/* Both ways: the same policies with the same worths. */
static void stochastic_round_trip(void **state)
{
	static const char *const names[] = {"two-stages.xml", "matching-pennies.xml", "loaded.xml", "split.xml"};
	static const double best[] = {1, 0.5, 0.625, 1};
	for (size_t i = 0; i < 4; i++) {
		struct scsp *s = example(names[i]);
		for (int round = 0; round < 3; round++) {
			struct scsp_options o = {.method = (enum scsp_method)round, .aim = SCSP_BEST};
			struct scsp_result r;
			assert_int_equal(scsp_solve(s, &o, &r), CSP_OPTIMUM);
			assert_true(fabs(r.forest.expected.at[0] - best[i]) < 1e-9);
			scsp_result_free(&r);
			struct text t = {0}, again = {0};
			struct csp_source_error e;
			scsp_write_xml(s, &t);
			struct scsp *copy = scsp_read_xml(t.at, t.n, &e);
			assert_non_null(copy);
			scsp_write_xml(copy, &again);
			assert_string_equal(text_str(&t), text_str(&again));
			text_free(&t);
			text_free(&again);
			scsp_free(s);
			s = copy;
		}
		scsp_free(s);
	}
}

/* The split of a one-stage problem, from its file: the tuples that reach the threshold, then the one policy. */
static void split_file(void **state)
{
	struct scsp *s = example("split.xml");
	struct scsp_feasible f;
	assert_true(scsp_feasibility(s, &f, NULL));
	assert_int_equal(f.rows, 2);
	assert_memory_equal(f.tuples.at, ((int32_t[]){2, 1, 2, 2}), 16);
	scsp_feasible_free(&f);
	for (int m = 0; m < SCSP_METHOD_COUNT; m++) {
		struct scsp_options o = {.method = (enum scsp_method)m, .aim = SCSP_ALL};
		struct scsp_result r;
		assert_int_equal(scsp_solve(s, &o, &r), CSP_SAT);
		assert_int_equal(r.forest.policies.n, 1);
		assert_int_equal(r.forest.nodes.at[r.forest.policies.at[0].root].var, 0);
		scsp_result_free(&r);
	}
	scsp_free(s);
}

static void quantified_round_trip(void **state)
{
	for (int i = 0; i < 5; i++) {
		struct qcsp *q = i < 2   ? qcsp_tictactoe((uint32_t)i + 1, false)
		                 : i < 4 ? qcsp_connect((uint32_t)i, 2, false)
		                         : qcsp_tokens(5);
		struct text t = {0}, again = {0};
		struct csp_source_error e;
		struct qcsp_result a, b;
		qcsp_write_xml(q, &t);
		struct qcsp *copy = qcsp_read_xml(t.at, t.n, &e);
		assert_non_null(copy);
		assert_true(qcsp_strategic(copy));
		assert_int_equal(csp_constraints(qcsp_network(q)), csp_constraints(qcsp_network(copy)));
		qcsp_write_xml(copy, &again);
		assert_string_equal(text_str(&t), text_str(&again));
		assert_int_equal(qcsp_solve(q, &qcsp_defaults, &a), qcsp_solve(copy, &qcsp_defaults, &b));
		assert_string_equal(a.method, b.method);
		qcsp_result_free(&a);
		qcsp_result_free(&b);
		text_free(&t);
		text_free(&again);
		qcsp_free(q);
		qcsp_free(copy);
	}
}

/* ---- what is easily lost on the way ---- */

static struct scsp *read_back(struct scsp *s, struct text *written)
{
	struct csp_source_error e;
	scsp_write_xml(s, written);
	struct scsp *copy = scsp_read_xml(written->at, written->n, &e);
	if (!copy)
		print_error("line %u: %s\n%s", e.line, e.message, written->at);
	assert_non_null(copy);
	return copy;
}

/* Frees s; returns what was written, which the copy writes too. */
static struct text round_trip(struct scsp *s)
{
	struct text t = {0}, again = {0};
	struct scsp *copy = read_back(s, &t);
	scsp_write_xml(copy, &again);
	assert_string_equal(text_str(&t), text_str(&again));
	text_free(&again);
	scsp_free(copy);
	scsp_free(s);
	return t;
}

static void fair(struct scsp *s, uint32_t y)
{
	struct scsp_p p[8];
	for (uint32_t i = 0; i < csp_count(scsp_hard(s), y); i++)
		p[i] = scsp_ratio(1, csp_count(scsp_hard(s), y));
	assert_true(scsp_draw(s, y, p));
}

static void long_names_keep_their_draws(void **state)
{
	char name[301];
	memset(name, 'n', 300);
	name[300] = 0;
	struct csp *n = csp_new();
	csp_var_range(n, "x", 0, 2);
	uint32_t y = csp_var_range(n, name, 0, 2);
	struct scsp *s = scsp_new(n, 1);
	fair(s, y);
	struct text t = {0};
	struct scsp *copy = read_back(s, &t);
	assert_true(scsp_stochastic(copy, y));
	assert_string_equal(csp_name(scsp_hard(copy), y), name);
	assert_non_null(strstr(t.at, " 0:1/3 1:1/3 2:1/3 "));
	scsp_free(copy);
	text_free(&t);
	t = round_trip(s);
	text_free(&t);
}

static void question_marks_are_symbols(void **state)
{
	static const char *const symbols[] = {"a", "?", "b", "c?"};
	struct csp *n = csp_new();
	uint32_t x = csp_var_symbols(n, "x", symbols, 4), y = csp_var_symbols(n, "y", symbols, 4);
	uint32_t args[2] = {csp_expr_var(n, x), csp_expr_const(n, csp_symbol(n, "?"))};
	csp_add_intension(n, csp_expr(n, CSP_OP_NE, args, 2));
	csp_add_table(n, &x, 1, (int32_t[]){0, 1, 3}, 3, true);
	struct scsp *s = scsp_new(n, 1);
	assert_int_equal(csp_symbols(scsp_chance(s)), 4);
	assert_string_equal(csp_symbol_text(scsp_chance(s), 2), "b");
	fair(s, y);
	csp_add_table(scsp_chance(s), (uint32_t[]){x, y}, 2, (int32_t[]){0, 1, 3, 2}, 2, true);
	scsp_soft(s, (uint32_t[]){x, y}, 2, (int32_t[]){1, 1}, 1, (double[]){0.5});
	struct text t = round_trip(s);
	assert_non_null(strstr(t.at, "?:1/4"));
	assert_non_null(strstr(t.at, "ne(x,?)"));
	assert_non_null(strstr(t.at, "(a,?)(c?,b)"));
	text_free(&t);
}

static void arrays_of_draws_keep_them(void **state)
{
	struct csp *n = csp_new();
	uint32_t x = csp_var_range(n, "x", 0, 1), y[3];
	char name[8];
	for (uint32_t i = 0; i < 3; i++) {
		snprintf(name, sizeof name, "y[%u]", i);
		y[i] = csp_var_range(n, name, 0, i < 2 ? 1 : 2);
	}
	struct scsp *s = scsp_new(n, 1);
	fair(s, y[0]);
	assert_true(scsp_draw(s, y[2], (struct scsp_p[]){scsp_decimal(0.1), scsp_decimal(0.2), scsp_decimal(0.7)}));
	struct scsp_p p[4] = {scsp_ratio(1, 3), scsp_ratio(2, 3), scsp_ratio(1, 1), scsp_ratio(0, 1)};
	assert_true(scsp_draw_given(s, y[1], &x, 1, (int32_t[]){0, 1}, 2, p));
	struct text t = round_trip(s);
	assert_non_null(strstr(t.at, "<row> (0): 1/3 2/3 </row>"));
	assert_non_null(strstr(t.at, "<row> 0.1 0.2 0.7 </row>"));
	text_free(&t);
}

static void thresholds_stay_fractions(void **state)
{
	struct csp *n = csp_new();
	csp_var_range(n, "x", 0, 1);
	struct scsp *s = scsp_new(n, 3);
	assert_true(scsp_threshold_as(s, 0, scsp_ratio(1, 3)));
	assert_true(scsp_threshold(s, 1, 0.1));
	assert_false(scsp_threshold_as(s, 2, scsp_ratio(4, 3)));
	assert_true(fabs(scsp_theta(s, 0) - 1.0 / 3) < 1e-15);
	struct text t = round_trip(s);
	assert_non_null(strstr(t.at, "<thresholds> 1/3 0.1 0 </thresholds>"));
	text_free(&t);
}

/* One constraint of a kind over x[0], ..., x[5] (values 0 to 5). */
static uint32_t add_one(struct csp *n, enum csp_kind k, const uint32_t *x)
{
	static const int64_t ones[6] = {1, 2, 1, 3, 1, 1};
	switch (k) {
	case CSP_TABLE: return csp_add_table(n, x, 2, (int32_t[]){0, 1, CSP_ANY, 2}, 2, true);
	case CSP_INTENSION: {
		uint32_t args[2] = {csp_expr_var(n, x[0]), csp_expr_var(n, x[1])};
		return csp_add_intension(n, csp_expr(n, CSP_OP_LE, args, 2));
	}
	case CSP_ALLDIFF: return csp_add_alldiff(n, x, 4, (int32_t[]){0}, 1);
	case CSP_SUM: return csp_add_sum(n, x, ones, 4, CSP_GE, 5);
	case CSP_ELEMENT: return csp_add_element(n, x, 4, -1, x[4], x[5]);
	case CSP_COUNT: return csp_add_count(n, x, 5, (int32_t[]){1, 3}, 2, CSP_LE, 0, x[5]);
	case CSP_ORDERED: return csp_add_ordered(n, x, 3, ones, CSP_LE);
	case CSP_LEX: return csp_add_lex(n, x, x + 3, 3, CSP_LT);
	case CSP_INSTANTIATION: return csp_add_instantiation(n, x, 2, (int32_t[]){4, 5});
	case CSP_CHANNEL: return csp_add_channel(n, x, 2, 0, x + 2, 3, 1);
	case CSP_NO_OVERLAP: return csp_add_no_overlap(n, x, ones, 3);
	case CSP_MAXIMUM: return csp_add_extremum(n, true, x, 4, x[5]);
	case CSP_MINIMUM: return csp_add_extremum(n, false, x, 4, x[5]);
	case CSP_MDD:
		return csp_add_mdd(n, x, 2, (struct csp_arc[]){{0, 0, 1, 2}, {0, 0, 2, 3}, {1, 1, 3, 0}, {1, 2, 3, 5}}, 4);
	case CSP_CIRCUIT: return csp_add_circuit(n, x, 4, 1);
	case CSP_NVALUES: return csp_add_nvalues(n, x, 4, (int32_t[]){0}, 1, x[5]);
	case CSP_CUMULATIVE: return csp_add_cumulative(n, x, x + 2, x + 3, 2, x[5]);
	case CSP_REIFIED_KIND: {
		uint32_t b = csp_find(n, "b");
		return csp_reify(n, csp_add_sum(n, x, ones, 4, CSP_GE, 5), b == CSP_NONE ? csp_var_range(n, "b", 0, 1) : b,
		                 CSP_REIFIED);
	}
	default: break; /* a new kind has no case here yet */
	}
	return CSP_NONE;
}

static void every_kind_is_read_back(void **state)
{
	for (enum csp_kind k = 0; k < CSP_KIND_COUNT; k++) {
		struct csp *n = csp_new();
		uint32_t x[7];
		char name[8];
		for (uint32_t i = 0; i < 7; i++) {
			snprintf(name, sizeof name, "x%u", i);
			x[i] = csp_var_range(n, name, 0, 5);
		}
		assert_int_not_equal(add_one(n, k, x), CSP_NONE);     /* hard, without draws */
		assert_int_not_equal(add_one(n, k, x + 1), CSP_NONE); /* hard, with one */
		struct scsp *s = scsp_new(n, 1);
		fair(s, x[6]);
		add_one(scsp_chance(s), k, x);
		add_one(scsp_chance(s), k, x + 1);
		struct text t = {0};
		struct scsp *copy = read_back(s, &t);
		for (uint32_t c = 0; c < 2; c++) {
			assert_int_equal(csp_kind(scsp_hard(copy), c), k);
			assert_int_equal(csp_kind(scsp_chance(copy), c), k);
		}
		assert_int_equal(csp_constraints(scsp_hard(copy)), 2);
		assert_int_equal(csp_variables(scsp_hard(copy)), 7 + (k == CSP_REIFIED_KIND));
		scsp_free(copy);
		text_free(&t);
		t = round_trip(s);
		text_free(&t);
	}
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(stochastic_refusals),        cmocka_unit_test(quantified_refusals),
		cmocka_unit_test(stochastic_round_trip),      cmocka_unit_test(split_file),
		cmocka_unit_test(quantified_round_trip),      cmocka_unit_test(long_names_keep_their_draws),
		cmocka_unit_test(question_marks_are_symbols), cmocka_unit_test(arrays_of_draws_keep_them),
		cmocka_unit_test(thresholds_stay_fractions),  cmocka_unit_test(every_kind_is_read_back),
	};
	return RUN(cases);
}

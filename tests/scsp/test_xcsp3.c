/* Stochastic and quantified XCSP3: what is written reads back the same, and what
 * is wrong is refused with its line. */
#include "test.h"

#include "qcsp/qcsp.h"
#include "scsp/scsp.h"

#include <math.h>
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
    {HEAD "<array id=\"y\" size=\"[2]\" type=\"stochastic\"> 0:1 </array>\n</variables>" TAIL, "array cannot be stochastic", 4},
    {HEAD "<var id=\"y\" type=\"stochastic\"> 0:1/2 1:1/2 </var>\n</variables>\n<stages>\n<decision> x y </decision>\n</stages>" TAIL,
     "y is in a <decision> block", 7},
    {HEAD "<var id=\"y\" type=\"stochastic\"> 0:1 </var>\n</variables>\n<stages>\n<chance> y </chance>\n</stages>" TAIL,
     "neither <decision> nor <stochastic>", 7},
    {HEAD "<var id=\"y\" type=\"stochastic\"> 0:1 </var>\n</variables>\n<stages>\n<decision> x x </decision><stochastic> y </stochastic>\n</stages>" TAIL,
     "the order names", 6},
    {HEAD "<var id=\"y\"> 0..1 </var>\n<var id=\"z\"> 0..1 </var>\n</variables>\n<probabilities>\n"
          "<conditional for=\"y\"><list> z </list><row> (0): 1 0 </row><row> (1): 0 1 </row></conditional>\n"
          "<conditional for=\"z\"><list> y </list><row> (0): 1 0 </row><row> (1): 0 1 </row></conditional>\n</probabilities>" TAIL,
     "does not come before it", 8},
    {HEAD "<var id=\"y\"> 0..1 </var>\n</variables>\n<probabilities>\n<conditional for=\"y\"><list> x </list>\n<row> (0): 1 0 </row></conditional>\n</probabilities>" TAIL,
     "1 rows for 2 combinations", 7},
    {HEAD "<var id=\"y\"> 0..1 </var>\n</variables>\n<probabilities>\n<conditional for=\"y\">\n<row> 1 </row></conditional>\n</probabilities>" TAIL,
     "1 probabilities for the 2 values", 8},
    {HEAD "<var id=\"y\"> 0..1 </var>\n</variables>\n<probabilities>\n<legal for=\"y\"> x </legal>\n</probabilities>" TAIL, "one Boolean a value", 7},
    {HEAD "</variables>\n<thresholds> 1.5 </thresholds>\n" TAIL, "the threshold 1.5", 5},
    {HEAD "</variables>\n<constraints>\n<soft><list> x </list><tuples> 0 1 </tuples><utilities> 1 </utilities></soft>\n</constraints>" TAIL,
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
    {QHEAD "<quantification>\n<exists> x </exists>\n<forall> x </forall>\n</quantification>" TAIL, "quantified twice", 7},
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
	assert_null(text_read_file(&t, text_str(&path), 1 << 20));
	struct scsp *s = scsp_read_xml(t.at, t.n, &e);
	assert_non_null(s);
	text_free(&t);
	text_free(&path);
	return s;
}

/* Both ways: the same policies with the same worths. */
static void stochastic_round_trip(void **state)
{
	static const char *const names[] = {"two-stages.xml", "matching-pennies.xml", "loaded.xml"};
	static const double best[] = {1, 0.5, 0.625};
	for (size_t i = 0; i < 3; i++) {
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

static void quantified_round_trip(void **state)
{
	for (int i = 0; i < 5; i++) {
		struct qcsp *q = i < 2 ? qcsp_tictactoe((uint32_t)i + 1, false) : i < 4 ? qcsp_connect((uint32_t)i, 2, false) : qcsp_tokens(5);
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

int main(void)
{
	const struct CMUnitTest cases[] = {
	    cmocka_unit_test(stochastic_refusals), cmocka_unit_test(quantified_refusals),
	    cmocka_unit_test(stochastic_round_trip), cmocka_unit_test(quantified_round_trip),
	};
	return RUN(cases);
}

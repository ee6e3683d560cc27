/* The examples with their known counts by every algorithm that applies, the
 * network as a state machine, and documents that must be refused. */
#include "test.h"

#include "csp/csp.h"

#include <string.h>

/* ---- examples ---- */

static struct csp *example(const char *name)
{
	char path[512];
	struct csp_source_error e;
	const char *root = getenv("MACAW_SOURCE");
	snprintf(path, sizeof path, "%s/examples/csp/%s.xml", root ? root : ".", name);
	struct csp *n = csp_read_xml_file(path, &e);
	if (!n)
		fail_msg("%s:%u: %s", path, e.line, e.message);
	return n;
}

static const struct {
	const char *name;
	uint64_t solutions;
} examples[] = {
	{"australia", 18},      {"queens8", 92},     {"send_more_money", 1}, {"cross_roads_danger", 1},
	{"base_ball_games", 1}, {"two_two_four", 7}, {"sudoku", 1},
};

static void test_examples(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
		for (int a = 0; a < CSP_ALG_COUNT; a++)
			for (int level = CSP_LEVEL_AC; level <= CSP_LEVEL_SAC; level++) {
				struct csp_options o = csp_defaults;
				struct csp_stats s;
				bool hard = !strcmp(examples[i].name, "cross_roads_danger");
				if (a == CSP_ALG_MIN_CONFLICTS || (hard && a != CSP_ALG_MAC && level != CSP_LEVEL_AC) ||
				    (a == CSP_ALG_DECOMPOSITION && (hard || !strcmp(examples[i].name, "queens8"))))
					continue; /* these would take long and show nothing new */
				struct csp *n = example(examples[i].name);
				o.algorithm = (enum csp_algorithm)a;
				o.consistency = (enum csp_consistency)level;
				o.max_solutions = 0;
				o.order = CSP_ORDER_DOM;
				csp_solve(n, &o, &s);
				if (!s.refused && s.solutions != examples[i].solutions)
					fail_msg("%s by algorithm %d: %llu", examples[i].name, a, (unsigned long long)s.solutions);
				csp_free(n);
			}
}

static void test_car(void **state)
{
	(void)state;
	struct csp *n = example("car_assembly");
	struct csp_options o = csp_defaults;
	struct csp_stats s;
	assert_int_equal(csp_solve(n, &o, &s), CSP_OPTIMUM);
	assert_int_equal(s.best, 24);
	csp_free(n);
}

static void test_symmetry(void **state)
{
	(void)state;
	struct csp *n = example("australia");
	struct csp_options o = csp_defaults;
	struct csp_stats s;
	uint32_t classes[3];
	o.max_solutions = 0;
	o.value_symmetry = true;
	assert_int_equal(csp_value_classes(n, classes), 1);
	csp_solve(n, &o, &s);
	assert_int_equal(s.solutions, 3); /* 18 / 3! */
	csp_free(n);
}

static void test_structure(void **state)
{
	(void)state;
	struct csp *n = example("australia");
	struct csp_options o = csp_defaults;
	struct csp_stats s;
	o.max_solutions = 0;
	o.algorithm = CSP_ALG_COMPONENTS;
	csp_solve(n, &o, &s);
	assert_int_equal(s.parts, 2); /* Tasmania apart */
	o.algorithm = CSP_ALG_CUTSET;
	csp_solve(n, &o, &s);
	assert_int_equal(s.width, 1); /* South Australia cuts all cycles */
	assert_int_equal(s.solutions, 18);
	o.algorithm = CSP_ALG_DECOMPOSITION;
	csp_solve(n, &o, &s);
	assert_int_equal(s.width, 2);
	assert_int_equal(s.solutions, 18);
	o.algorithm = CSP_ALG_TREE;
	csp_solve(n, &o, &s);
	assert_non_null(s.refused);
	csp_free(n);
}

/* Two colours: arc consistency sees nothing, path consistency the contradiction. */
static void test_two_colours(void **state)
{
	(void)state;
	for (int level = CSP_LEVEL_AC; level <= CSP_LEVEL_K; level++) {
		struct csp *n = example("australia");
		for (uint32_t x = 0; x < csp_variables(n); x++)
			assert_true(csp_forbid_at(n, x, 2));
		enum csp_outcome r = csp_enforce(n, (enum csp_consistency)level, 3, NULL);
		assert_int_equal(r, level == CSP_LEVEL_AC ? CSP_CONSISTENT : CSP_INCONSISTENT);
		csp_free(n);
	}
}

static void test_min_conflicts(void **state)
{
	(void)state;
	struct csp *n = example("queens8");
	struct csp_options o = csp_defaults;
	struct csp_stats s;
	o.algorithm = CSP_ALG_MIN_CONFLICTS;
	o.seed = 3;
	assert_int_equal(csp_solve(n, &o, &s), CSP_SAT);
	assert_false(s.complete);
	csp_free(n);
}

/* ---- limits and reproducibility ---- */

static void test_limits(void **state)
{
	(void)state;
	struct csp *n = example("queens8");
	struct csp_options o = csp_defaults;
	struct csp_stats s, again;
	o.max_solutions = 5;
	assert_int_equal(csp_solve(n, &o, &s), CSP_SAT);
	assert_int_equal(s.solutions, 5);
	o.max_solutions = 0;
	o.max_nodes = 10;
	csp_solve(n, &o, &s);
	assert_false(s.complete);
	assert_true(s.nodes <= 12);
	o.max_nodes = 0;
	o.values = CSP_VALUE_RANDOM;
	o.seed = 42;
	csp_solve(n, &o, &s);
	csp_solve(n, &o, &again);
	assert_int_equal(s.nodes, again.nodes);
	csp_free(n);
}

/* Options that an algorithm cannot honour are refused; time ends preprocessing too. */
static void test_misfits(void **state)
{
	(void)state;
	struct csp *n = example("queens8");
	struct csp_stats s;
	struct csp_options o = csp_defaults;
	o.algorithm = CSP_ALG_FC;
	o.value_symmetry = true;
	assert_int_equal(csp_solve(n, &o, &s), CSP_UNKNOWN);
	assert_non_null(s.refused);
	o.value_symmetry = false;
	o.restarts = CSP_RESTART_LUBY;
	csp_solve(n, &o, &s);
	assert_non_null(s.refused);
	o = csp_defaults;
	o.nogoods = true;
	csp_solve(n, &o, &s);
	assert_non_null(s.refused);
	for (int level = CSP_LEVEL_SAC; level <= CSP_LEVEL_K; level++) {
		o = csp_defaults;
		o.consistency = (enum csp_consistency)level;
		o.limit.deadline = 1e-9; /* long ago */
		assert_int_equal(csp_solve(n, &o, &s), CSP_UNKNOWN);
		assert_null(s.refused);
		assert_false(s.complete);
	}
	csp_free(n);
}

/* ---- the state machine ---- */

static uint64_t sizes(const struct csp *n)
{
	uint64_t h = 0;
	for (uint32_t x = 0; x < csp_variables(n); x++)
		h = h * 31 + csp_size(n, x);
	return h;
}

/* One template, many injected states: each answer is that of a fresh network,
 * and the template comes back untouched. */
static void test_template(void **state)
{
	(void)state;
	struct csp *n = example("queens8");
	assert_true(csp_prepare(n));
	uint64_t before = sizes(n);
	struct csp_options o = csp_defaults;
	o.max_solutions = 0;
	uint64_t total = 0;
	for (int32_t v = 1; v <= 8; v++) {
		struct csp_stats s;
		csp_push(n);
		assert_true(csp_assign(n, 0, v));
		if (csp_propagate(n)) {
			csp_solve(n, &o, &s);
			assert_int_equal(csp_level(n), 1);
			total += s.solutions;
		}
		csp_pop(n, 0);
		assert_int_equal(sizes(n), before);
	}
	assert_int_equal(total, 92);
	csp_push(n);
	assert_true(csp_assign(n, 0, 1));
	assert_false(csp_assign(n, 0, 2));
	csp_pop(n, 0);
	assert_true(csp_propagate(n));
	csp_free(n);
}

/* Facts and constraints may alternate at the root. */
static void test_root(void **state)
{
	(void)state;
	struct csp *n = csp_new();
	uint32_t x[3];
	for (int i = 0; i < 3; i++)
		x[i] = csp_var_range(n, (char[]){'x', (char)('0' + i), 0}, 0, 5);
	csp_add_ordered(n, (uint32_t[]){x[0], x[1]}, 2, NULL, CSP_LT);
	assert_true(csp_propagate(n));
	assert_true(csp_assign(n, x[0], 3));
	csp_add_ordered(n, (uint32_t[]){x[1], x[2]}, 2, NULL, CSP_LT); /* before the first has seen x0 = 3 */
	assert_true(csp_propagate(n));
	assert_int_equal(csp_min(n, x[1]), 4);
	assert_int_equal(csp_min(n, x[2]), 5);
	assert_false(csp_assign(n, x[2], 9));
	assert_false(csp_propagate(n));
	csp_free(n);
}

/* ---- what must be refused, with its line ---- */

#define DOC(vars, cons) \
	"<instance format=\"XCSP3\" type=\"CSP\">\n<variables>\n" vars "\n</variables>\n<constraints>\n" cons \
	"\n</constraints>\n</instance>\n"
#define XY "<array id=\"x\" size=\"[3]\"> 0..4 </array>"

static const struct {
	const char *text, *says;
	uint32_t line;
} bad[] = {
	{"", "empty", 0},
	{"nonsense", "", 1},
	{"<instance>", "", 1},
	{"<other/>", "not an <instance>", 1},
	{"<instance format=\"XCSP3\" type=\"QCSP\"></instance>", "type QCSP", 1},
	{"<instance format=\"XCSP2\"></instance>", "XCSP3", 1},
	{"<!DOCTYPE a [<!ENTITY b \"c\">]><instance format=\"XCSP3\"/>", "document type", 1},
	{DOC("", ""), "no variables", 0},
	{DOC("<var id=\"x\"> </var>", ""), "empty domain", 3},
	{DOC("<var id=\"x\"> 5..1 </var>", ""), "empty domain", 3},
	{DOC("<var id=\"x\"> 0..99999999999 </var>", ""), "out of range", 3},
	{DOC("<var id=\"x\"> -2000000000..2000000000 </var>", ""), "limit", 3},
	{DOC("<var id=\"x\"> 0..2000000000 </var>",
         "<count> <list> x </list> <values> 1 </values> <condition> (eq,1) </condition> </count>"),
     "2000000001 values", 6},
	{DOC("<array id=\"x\" size=\"[999999999]\"> 0 1 </array>", ""), "array", 3},
	{DOC("<var id=\"x\"> 1 </var><var id=\"x\"> 1 </var>", ""), "twice", 3},
	{DOC("<var> 1 </var>", ""), "id", 3},
	{DOC("<var id=\"x\" type=\"real\"> 1 </var>", ""), "type real", 3},
	{DOC(XY, "<stretch> x[] </stretch>"), "stretch is not supported", 6},
	{DOC(XY, "<allDiferent> x[] </allDiferent>"), "did you mean allDifferent?", 6},
	{DOC(XY, "<sum><list> x[] </list>\n<coef> 1 2 3 </coef><condition> (le,3) </condition></sum>"),
     "did you mean <coeffs>?", 7},
	{DOC(XY, "<sum><list> x[] </list><list> x[] </list><condition> (le,3) </condition></sum>"), "a second <list>", 6},
	{DOC(XY, "<count><list> x[] </list><values> 1 </values><value> 2 </value><condition> (le,3) </condition></count>"),
     "<value> of count", 6},
	{DOC(XY, "<allDifferent type=\"soft\"> x[] </allDifferent>"), "attribute \"type\"", 6},
	{DOC(XY, "<allDifferent> x[] <except> 0 </except> </allDifferent>"), "text beside", 6},
	{DOC(XY, "<allEqual> <list> x[] </list> <excpt> 0 </excpt> </allEqual>"), "did you mean <except>?", 6},
	{DOC(XY, "<element> <list> x[] </list> <index rank=\"second\"> x[0] </index> <value> 1 </value> </element>"),
     "any/first/last", 6},
	{DOC(XY, "<element> <list> </list> <index> x[0] </index> <condition> (ne,3) </condition> </element>"),
     "no variable", 6},
	{DOC(XY, "<group><allDifferent> %... </allDifferent></group>"), "without <args>", 6},
	{DOC(XY, "<group><intension> eq(%0,1) </intension><args> x[0] x[1] </args></group>"), "2 arguments", 6},
	{DOC(XY, "<allDifferent> x[] </allDifferent>\nstray\n<allEqual> x[] </allEqual>"), "text between", 0},
	{DOC(XY, "<block><allDifferent> x[] </allDifferent> stray </block>"), "text between", 0},
	{DOC(XY, "<sum><list> x[] </list><condition> (le,3) (ge,1) </condition></sum>"), "condition", 6},
	{DOC(XY, "<sum><list> x[] </list><condition> (in,{1;2}) </condition></sum>"), "", 6},
	{DOC("<array id=\"x\" size=\"[3]\" startIndex=\"2147483647\"> 0 1 </array>", ""), "startIndex", 3},
	{DOC("<array id=\"x\" size=\"[3]\" sise=\"4\"> 0 1 </array>", ""), "did you mean", 3},
	{"<instance format=\"XCSP3\" type=\"CSP\">\n<variables>" XY "</variables>\n<constriants/></instance>",
     "did you mean <constraints>?", 3},
	{"<instance format=\"XCSP3\" type=\"CSP\">\n<variables>" XY "</variables>\n<constraints/><constraints/></instance>",
     "a second", 3},
	{"<instance format=\"XCSP3\" type=\"COP\">\n<variables>" XY
     "</variables>\n<objective><minimize> x[0] </minimize></objective></instance>",
     "did you mean <objectives>?", 3},
	{"<instance format=\"XCSP3\" type=\"COP\">\n<variables>" XY "</variables>\n<constraints/></instance>",
     "without objective", 1},
	{"<instance format=\"XCSP3\" type=\"CSP\">\n<variables>" XY
     "</variables>\n<objectives><minimize> x[0] </minimize></objectives></instance>",
     "type CSP", 3},
	{"\n\n<instance format=\"XCSP3\"\n type=\"CSPP\">\n\n</instance>", "type CSPP", 4},
	{"p cnf 2 1\n1 2 0\n", "p cnf", 1},
	{"var 1..3: x;\nsolve satisfy;\n", "MiniZinc", 1},
	{"<?xml version=\"1.0\" encoding=\"UTF-7\"?><instance format=\"XCSP3\"/>", "encoding", 1},
	{"<!-- long -->\n<!DOCTYPE a [<!ENTITY % b \"c\">]>\n<instance format=\"XCSP3\"/>", "document type", 2},
	{DOC(XY, "<intension> eq(x[0],y) </intension>"), "unknown variable y", 6},
	{DOC(XY, "<intension> eq(x[0],x[7]) </intension>"), "unknown variable", 6},
	{DOC(XY, "<intension> frob(x[0],1) </intension>"), "operator frob", 6},
	{DOC(XY, "<intension> eq(x[0] </intension>"), "missing", 6},
	{DOC(XY, "<intension> eq(x[0],1)) </intension>"), "unexpected", 6},
	{DOC(XY, "<intension> eq(x[0]) </intension>"), "arguments", 6},
	{DOC(XY, "<intension> eq(pow(add(x[0],9),x[1]),mul(1000000000000,mul(1000000000000,x[1]))) </intension>"),
     "overflow", 6},
	{DOC(XY, "<allDifferent> x[9] </allDifferent>"), "outside", 6},
	{DOC(XY, "<allDifferent> z[] </allDifferent>"), "unknown", 6},
	{DOC(XY, "<allDifferent> x[][] </allDifferent>"), "dimensions", 6},
	{DOC(XY, "<extension><list> x[0] x[1] </list><supports> (1,2)(3) </supports></extension>"), "length", 6},
	{DOC(XY, "<extension><list> x[0] x[1] </list><supports> (1,a) </supports></extension>"), "no number", 6},
	{DOC(XY, "<extension><list> x[0] x[1] </list></extension>"), "supports", 6},
	{DOC(XY, "<sum><list> x[] </list><coeffs> 1 2 </coeffs><condition> (le,3) </condition></sum>"), "coefficients", 6},
	{DOC(XY, "<sum><list> x[] </list><condition> le 3 </condition></sum>"), "condition", 6},
	{DOC(XY, "<sum><list> x[] </list></sum>"), "condition", 6},
	{DOC(XY, "<group><intension> eq(%0,%3) </intension><args> x[0] 1 </args></group>"), "argument", 6},
	{DOC(XY, "<group></group>"), "empty group", 6},
	{DOC(XY, "<ordered><list> x[] </list><operator> ne </operator></ordered>"), "lt, le", 6},
	{DOC(XY, "<noOverlap><origins> (x[0],x[1]) </origins><lengths> (1,1,1) </lengths></noOverlap>"), "dimensions", 6},
	{DOC(XY, "<intension reifiedBy=\"x[0]\"> eq(x[1],1) </intension>"), "no 0/1 variable", 6},
	{"<instance format=\"XCSP3\" type=\"COP\"><variables>" XY
     "</variables><constraints/><objectives><minimize type=\"median\"> x[] </minimize></objectives></instance>",
     "median", 1},
};

static void test_bad_documents(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct csp_source_error e;
		struct csp *n = csp_read_xml(bad[i].text, strlen(bad[i].text), &e);
		if (n || !e.message[0] || !strstr(e.message, bad[i].says) || (bad[i].line && e.line != bad[i].line))
			fail_msg("%s\ngave line %u: %s", bad[i].text, e.line, n ? "accepted" : e.message);
	}
}

static void test_refused_builds(void **state)
{
	(void)state;
	struct csp *n = csp_new();
	assert_int_equal(csp_var_range(n, "x", 3, 2), CSP_NONE);
	assert_non_null(strstr(csp_error(n), "empty"));
	uint32_t x = csp_var_range(n, "x", 0, INT32_C(1000000));
	assert_int_equal(csp_var_range(n, "x", 0, 1), CSP_NONE);
	int64_t huge = INT64_C(1) << 60;
	assert_int_equal(csp_add_sum(n, &x, &huge, 1, CSP_LE, 0), CSP_NONE);
	assert_non_null(strstr(csp_error(n), "overflow"));
	assert_int_equal(csp_add_table(n, (uint32_t[]){7}, 1, NULL, 0, true), CSP_NONE);
	csp_push(n);
	assert_int_equal(csp_add_alldiff(n, &x, 1, NULL, 0), CSP_NONE);
	csp_pop(n, 0);
	csp_free(n);
}

/* Forms of the format that small random networks do not use. */
static void test_forms(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		uint64_t solutions;
	} good[] = {
		{DOC(XY, "<block><allEqual> x[] </allEqual></block>"), 5},
		{DOC(XY, "<extension><list> x[0] x[1] x[2] </list><supports> (1,*,2) (0 , 1, *)</supports></extension>"), 10},
		{DOC(XY, "<extension><list> x[1] </list><conflicts> 0..2 </conflicts></extension>"), 50},
		{DOC(XY, "<sum><list> x[0..1] </list><condition> (in,2..3) </condition></sum>"), 35},
		{DOC(XY, "<sum><list> x[0..1] </list><condition> (in,{1,8}) </condition></sum>"), 15},
		{DOC(XY, "<sum><list> x[0..1] </list><condition> (eq,x[2]) </condition></sum>"), 15},
		{DOC(XY, "<count><list> x[] </list><values> 1 </values><condition> (in,2..3) </condition></count>"), 13},
		{DOC(XY, "<cardinality><list> x[] </list><values> 0 1 </values><occurs> 1 2 </occurs></cardinality>"), 3},
		{DOC(XY, "<maximum><list> x[] </list><condition> (le,1) </condition></maximum>"), 8},
		{DOC(XY, "<minimum><list> x[0] x[1] </list><condition> (eq,x[2]) </condition></minimum>"), 25},
		{DOC(XY, "<element><list> 3 1 4 1 0 </list><index> x[0] </index><value> x[1] </value></element>"), 25},
		{DOC(XY, "<element><list> 3 1 4 1 0 </list><index> x[0] </index><condition> (gt,1) </condition></element>"),
	     50},
		{DOC(XY, "<noOverlap><origins> x[0] x[1] </origins><lengths> x[2] 2 </lengths></noOverlap>"), 69},
		{DOC(XY, "<channel> x[] </channel>"), 4},
		{DOC("<array id=\"b\" size=\"[3]\"> 0 1 </array><var id=\"v\"> 0..2 </var>",
	         "<channel><list> b[] </list><value> v </value></channel>"),
	     3},
		{DOC("<array id=\"x\" size=\"[2][2]\"><domain for=\"x[0][]\"> 1 2 </domain><domain for=\"others\"> 3 "
	         "</domain></array>",
	         "<allDifferent><list> x[][] </list><except> 3 </except></allDifferent>"),
	     2},
		{DOC("<array id=\"x\" size=\"[3]\" startIndex=\"1\"> 0..4 </array>", "<allDifferent> x[1..3] </allDifferent>"),
	     60},
		{DOC("<var id=\"a\" type=\"symbolic\"> red green </var><var id=\"b\" as=\"a\"/>",
	         "<extension><list> a b </list><supports> (red,*)(green,green) </supports></extension>"),
	     3},
		{DOC("<var id=\"a\" type=\"symbolic\"> red green </var>", "<intension> eq(a,red) </intension>"), 1},
		{DOC(XY, "<intension> in(x[0],set(1,3)) </intension><instantiation><list> x[1..2] </list><values> 1x2 "
	             "</values></instantiation>"),
	     2},
		{DOC(XY, "<lex><list> x[0] x[1] </list><list> x[1] x[2] </list><operator> lt </operator></lex>"), 0},
	};
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		struct csp_source_error e;
		struct csp *n = csp_read_xml(good[i].text, strlen(good[i].text), &e);
		if (!n)
			fail_msg("%s\nline %u: %s", good[i].text, e.line, e.message);
		uint64_t counts[2];
		for (int a = 0; a < 2; a++) {
			struct csp_options o = csp_defaults;
			struct csp_stats s;
			o.max_solutions = 0;
			o.algorithm = a ? CSP_ALG_BT : CSP_ALG_MAC;
			o.consistency = a ? CSP_LEVEL_NONE : CSP_LEVEL_AC;
			csp_solve(n, &o, &s);
			counts[a] = s.solutions;
		}
		if (counts[0] != counts[1] || (good[i].solutions && counts[0] != good[i].solutions))
			fail_msg("%s\n%llu and %llu solutions", good[i].text, (unsigned long long)counts[0],
			         (unsigned long long)counts[1]);
		csp_free(n);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_examples),  cmocka_unit_test(test_car),           cmocka_unit_test(test_symmetry),
		cmocka_unit_test(test_structure), cmocka_unit_test(test_two_colours),   cmocka_unit_test(test_min_conflicts),
		cmocka_unit_test(test_limits),    cmocka_unit_test(test_misfits),       cmocka_unit_test(test_template),
		cmocka_unit_test(test_root),      cmocka_unit_test(test_bad_documents), cmocka_unit_test(test_refused_builds),
		cmocka_unit_test(test_forms),
	};
	return RUN(tests);
}

/* Any bytes as XCSP3: reading must end well and say why it refuses; what was
 * read must print and read back; small networks must solve within a few nodes. */
#include "csp/csp.h"

#include "fuzz/mutate.h"

static bool small(const struct csp *n)
{
	uint64_t values = 0;
	for (uint32_t x = 0; x < csp_variables(n); x++)
		values += csp_count(n, x);
	return values < 2000 && csp_constraints(n) < 100;
}

static bool check(void *user, const struct csp *n, const int32_t *values)
{
	(void)n;
	MUST(csp_check_values(user, values));
	return true;
}

static void solve(struct csp *n)
{
	struct csp_options o = csp_defaults;
	struct csp_stats s;
	o.max_nodes = 200;
	o.max_solutions = 3;
	o.solution = check;
	o.user = n;
	csp_solve(n, &o, &s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct csp_source_error e;
	struct csp *n = csp_read_xml((const char *)data, size, &e);
	MUST(n || e.message[0]);
	if (n && small(n)) {
		struct text t = {0};
		csp_write_xml(n, &t);
		struct csp *back = csp_read_xml(t.at, t.n, &e);
		MUST(back);
		MUST(csp_variables(back) >= csp_variables(n));
		csp_free(back);
		text_free(&t);
		solve(n);
	}
	csp_free(n);
	return 0;
}

#ifndef MACAW_LIBFUZZER
int main(int argc, char **argv)
{
	static const char *const seeds[] = {
		"<instance format=\"XCSP3\" type=\"COP\"><variables><array id=\"x\" size=\"[4]\"> 0..5 </array><var id=\"c\" "
		"type=\"symbolic\"> red blue </var>"
		"</variables><constraints><allDifferent> x[] </allDifferent><group><intension> lt(%0,add(%1,1)) "
		"</intension><args> x[0] x[1] </args></group>"
		"<extension><list> x[0] x[2] </list><supports> (0,*)(1,2) </supports></extension><sum><list> x[] "
		"</list><coeffs> 1 2 3 4 </coeffs>"
		"<condition> (in,3..20) </condition></sum><intension> eq(c,red) </intension></constraints>"
		"<objectives><minimize type=\"sum\"> x[] </minimize></objectives></instance>",
		"<instance format=\"XCSP3\" type=\"CSP\"><variables><array id=\"y\" size=\"[2][2]\"> 0 2 4..6 "
		"</array></variables><constraints><block>"
		"<element><list> y[][0] 3 </list><index> y[0][1] </index><value> y[1][1] </value></element><count><list> y[][] "
		"</list><values> 2 4 </values>"
		"<condition> (le,y[0][0]) </condition></count><lex><list> y[0][] </list><list> y[1][] </list><operator> le "
		"</operator></lex>"
		"<noOverlap><origins> y[][0] </origins><lengths> 1 y[0][1] </lengths></noOverlap><maximum><list> y[][] "
		"</list><condition> (ge,5) </condition>"
		"</maximum><channel> y[0][] </channel><ordered><list> y[][1] </list><operator> lt "
		"</operator></ordered></block></constraints></instance>",
		"<instance format=\"XCSP3\" type=\"CSP\"><variables><array id=\"x\" size=\"[3]\"> 0..2 </array><var id=\"b\"> "
		"0 1 </var></variables>"
		"<constraints><regular><list> x[] </list><transitions> (a,0,a)(a,1..2,b)(b,{0,2},a) </transitions><start> a "
		"</start><final> b </final></regular>"
		"<circuit reifiedBy=\"b\"> x[] </circuit><cumulative><origins> x[] </origins><lengths> 1 2 1 "
		"</lengths><heights> 1 b 2 </heights><condition> (le,2) "
		"</condition></cumulative><nValues><list> x[] </list><except> 0 </except><condition> (notin,{1,3..4}) "
		"</condition></nValues><slide><list> x[] "
		"</list><intension> ne(%0,%1) </intension></slide></constraints></instance>",
		"<instance format=\"XCSP3\" type=\"CSP\"><variables><array id=\"x\" size=\"[3]\"> 0..2 </array><var id=\"w\"> "
		"0..2000000000 </var></variables>"
		"<constraints><binPacking><list> x[] </list><sizes> 1 2 1 </sizes><limits> 2 3 w "
		"</limits></binPacking><flow><list> x[] </list><balance> 1 0 -1 "
		"</balance><arcs> (0,1)(1,2)(0,2) </arcs></flow><element><matrix> (0,1)(2,x[0]) </matrix><index> x[1] x[2] "
		"</index><value> x[0] </value></element>"
		"<precedence> x[] </precedence><mdd><list> x[0] x[1] </list><transitions> (r,0,m)(m,1,t) "
		"</transitions></mdd><cardinality><list> x[] </list>"
		"<values> 0 x[1] </values><occurs> 1 0..2 </occurs></cardinality><minimumArg><list rank=\"first\"> x[] "
		"</list><condition> (eq,w) </condition>"
		"</minimumArg><instantiation><list> x[] </list><values> * 1 * "
		"</values></instantiation></constraints></instance>",
		NULL};
	static const char *const words[] = {"<list>",
	                                    "</list>",
	                                    "<extension>",
	                                    "<supports>",
	                                    "(1,2)",
	                                    "*",
	                                    "..",
	                                    "x[]",
	                                    "y[][0]",
	                                    "%0",
	                                    "%...",
	                                    "<condition> (eq,",
	                                    "<args>",
	                                    "99999999999",
	                                    "-1",
	                                    "add(",
	                                    "if(",
	                                    "set(",
	                                    "as=\"x\"",
	                                    "<block>",
	                                    "<instantiation>",
	                                    "startIndex=\"1\"",
	                                    "&amp;",
	                                    "<![CDATA[",
	                                    NULL};
	return mutate_main(argc, argv, seeds, words, "fuzz_xcsp-failed");
}
#endif

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

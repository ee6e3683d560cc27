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
	return mutate_main(argc, argv, words, "fuzz_xcsp-failed");
}
#endif

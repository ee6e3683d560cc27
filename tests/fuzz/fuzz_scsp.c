/* Any bytes as a stochastic or a quantified network: reading must end well and say
 * why it refuses, and what was read must print and read back. */
#include "qcsp/qcsp.h"
#include "scsp/scsp.h"

#include "fuzz/mutate.h"

static void as_stochastic(const char *data, size_t size)
{
	struct csp_source_error e;
	struct scsp *s = scsp_read_xml(data, size, &e);
	MUST(s || e.message[0]);
	if (s && size < 4000) {
		struct text t = {0};
		scsp_write_xml(s, &t);
		struct scsp *back = scsp_read_xml(t.at, t.n, &e);
		MUST(back);
		scsp_free(back);
		text_free(&t);
	}
	scsp_free(s);
}

static void as_quantified(const char *data, size_t size)
{
	struct csp_source_error e;
	struct qcsp *q = qcsp_read_xml(data, size, &e);
	MUST(q || e.message[0]);
	if (q && size < 4000) {
		struct text t = {0};
		qcsp_write_xml(q, &t);
		struct qcsp *back = qcsp_read_xml(t.at, t.n, &e);
		MUST(back);
		qcsp_free(back);
		text_free(&t);
	}
	qcsp_free(q);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	as_stochastic((const char *)data, size);
	as_quantified((const char *)data, size);
	return 0;
}

#ifndef MACAW_LIBFUZZER
int main(int argc, char **argv)
{
	static const char *const words[] = {"<exists>",
	                                    "</forall>",
	                                    "<forall>",
	                                    "<decision>",
	                                    "<stochastic>",
	                                    ":1/3",
	                                    ":0.5",
	                                    "type=\"stochastic\"",
	                                    "<thresholds>",
	                                    "x[]",
	                                    "semantics=\"plain\"",
	                                    "1..4:1/4",
	                                    "99999999999",
	                                    "-1",
	                                    "/0",
	                                    "<stages>",
	                                    "<quantification>",
	                                    NULL};
	return mutate_main(argc, argv, words, "fuzz_scsp-failed");
}
#endif

/* macaw solve for stochastic and quantified networks: the same lines as for plain
 * ones (s, v, d, c), with a policy or a strategy in the place of an instantiation. */
#include "cli/solve_scsp.h"

#include "cli/commands.h"
#include "cli/output.h"
#include "macaw/qcsp.h"
#include "macaw/scsp.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { AUTO, MAC, SFC, BRUTE, GENERAL, POSITIONAL };

static const char *status_name(enum macaw_csp_status s)
{
	static const char *const names[] = {"UNKNOWN", "SATISFIABLE", "UNSATISFIABLE", "OPTIMUM FOUND"};
	return names[s];
}

static int exit_status(const macaw_error *e)
{
	return e->status == MACAW_MEMORY ? EXIT_MACHINE : EXIT_INPUT;
}

/* Lines of a text, each behind "v "; frees it. */
static void put_lines(char *text)
{
	for (const char *s = text ? text : ""; *s; s += strcspn(s, "\n"), s += *s == '\n')
		printf("v %.*s\n", (int)strcspn(s, "\n"), s);
	macaw_free(text);
}

static int write_text(const char *path, char *xml)
{
	int status = output_file("solve", path, xml);
	macaw_free(xml);
	return status;
}

/* ---- stochastic ---- */

static void print_stochastic(macaw_scsp *s, const struct scsp_request *q, const macaw_scsp_result *r)
{
	macaw_scsp_stats st = macaw_scsp_statistics(r);
	printf("s %s\n", status_name(macaw_scsp_status(r)));
	for (size_t i = 0; i < macaw_scsp_policies(r) && i < (size_t)q->flags.show && !q->count; i++) {
		put_lines(macaw_scsp_print(r, i));
		printf("v expected");
		for (uint32_t p = 0; p < macaw_scsp_players(s); p++)
			printf(" %.10g", macaw_scsp_expected(r, i)[p]);
		printf("\n");
	}
	printf("d FOUND POLICIES %zu\nd COMPLETE EXPLORATION %s\n", macaw_scsp_policies(r), st.complete ? "yes" : "no");
	printf("d STAGES %u\n", macaw_scsp_stages(s));
	for (size_t i = 0; macaw_scsp_counter_name(i); i++)
		if (macaw_scsp_counter(&st, i))
			printf("c %s %" PRIu64 "\n", macaw_scsp_counter_name(i), macaw_scsp_counter(&st, i));
	printf("c seconds %.6f\n", st.seconds);
	if (q->check && macaw_scsp_policies(r))
		printf("d VERIFIED %zu policies\n", macaw_scsp_policies(r));
}

/* All digits: what is read back is the same number. */
static void json_exact(struct json_writer *w, double x)
{
	char digits[40];
	snprintf(digits, sizeof digits, "%.17g", x);
	jsonw_raw(w, NULL, digits);
}

/* Each policy as its lines. */
static void json_policies(struct json_writer *w, const struct scsp_request *q, const macaw_scsp_result *r)
{
	jsonw_array(w, "policies");
	for (size_t i = 0; i < macaw_scsp_policies(r) && i < (size_t)q->flags.show && !q->count; i++) {
		char *text = macaw_scsp_print(r, i);
		jsonw_array(w, NULL);
		for (char *s = text; s && *s;) {
			size_t n = strcspn(s, "\n");
			bool more = s[n] != 0;
			s[n] = 0;
			jsonw_text(w, NULL, s);
			s += n + more;
		}
		jsonw_end(w);
		macaw_free(text);
	}
	jsonw_end(w);
}

static void json_stochastic(macaw_scsp *s, const struct scsp_request *q, const macaw_scsp_result *r)
{
	macaw_scsp_stats st = macaw_scsp_statistics(r);
	struct text t = {0};
	struct json_writer w = {.out = &t};
	jsonw_object(&w, NULL);
	jsonw_text(&w, "file", q->file);
	jsonw_text(&w, "type", "SCSP");
	jsonw_text(&w, "status", status_name(macaw_scsp_status(r)));
	jsonw_bool(&w, "complete", st.complete);
	jsonw_uint(&w, "found", macaw_scsp_policies(r));
	jsonw_uint(&w, "stages", macaw_scsp_stages(s));
	for (size_t i = 0; macaw_scsp_counter_name(i); i++)
		if (strcmp(macaw_scsp_counter_name(i), "policies") != 0) /* these are `found`, and follow as such */
			jsonw_uint(&w, macaw_scsp_counter_name(i), macaw_scsp_counter(&st, i));
	jsonw_array(&w, "expected");
	for (size_t i = 0; i < macaw_scsp_policies(r); i++) {
		jsonw_array(&w, NULL);
		for (uint32_t p = 0; p < macaw_scsp_players(s); p++)
			json_exact(&w, macaw_scsp_expected(r, i)[p]);
		jsonw_end(&w);
	}
	jsonw_end(&w);
	json_policies(&w, q, r);
	if (q->check)
		jsonw_text(&w, "verified", "yes");
	output_seconds(&w, "seconds", st.seconds);
	jsonw_end(&w);
	output_line(&t);
}

/* Every policy by the definition alone; the exit status, after a message unless 0. */
static int check_policies(macaw_scsp *s, const struct scsp_request *q, const macaw_scsp_result *r)
{
	double expected[MACAW_SCSP_PLAYERS];
	macaw_error error;
	for (size_t i = 0; i < macaw_scsp_policies(r); i++) {
		bool feasible = macaw_scsp_check(r, i, expected, NULL, &error);
		if (feasible && macaw_scsp_is_solution(s, expected))
			continue;
		fprintf(stderr, "macaw solve: %s: a policy is wrong: %s\n", q->file,
		        feasible ? "below the threshold" : error.text);
		return EXIT_MACHINE;
	}
	return EXIT_DONE;
}

static macaw_scsp_options stochastic_options(const struct scsp_request *q)
{
	int method = q->flags.method;
	return (macaw_scsp_options){.method = method == SFC     ? MACAW_SCSP_SFC
	                                      : method == BRUTE ? MACAW_SCSP_BRUTE
	                                                        : MACAW_SCSP_MAC,
	                            .aim = q->all || q->policies > 1 ? MACAW_SCSP_ALL_SOLUTIONS
	                                   : q->flags.best           ? MACAW_SCSP_BEST
	                                                             : MACAW_SCSP_ANY_SOLUTION,
	                            .max_policies = q->all ? 0 : q->policies,
	                            .limit.seconds = q->time};
}

static int solve_stochastic(macaw_scsp *s, const struct scsp_request *q)
{
	if (q->write)
		return write_text(q->write, macaw_scsp_write(s));
	if (q->flags.method == GENERAL || q->flags.method == POSITIONAL) {
		fprintf(stderr, "macaw solve: %s: a stochastic network; --method is mac, sfc or brute\n", q->file);
		return EXIT_USAGE;
	}
	macaw_scsp_options o = stochastic_options(q);
	macaw_error error;
	macaw_scsp_result *r = macaw_scsp_solve(s, &o, &error);
	if (!r) {
		fprintf(stderr, "macaw solve: %s: %s\n", q->file, error.text);
		return exit_status(&error);
	}
	int result = q->check ? check_policies(s, q, r) : EXIT_DONE;
	if (!result && q->json)
		json_stochastic(s, q, r);
	else if (!result)
		print_stochastic(s, q, r);
	macaw_scsp_result_free(r);
	return result;
}

/* ---- quantified ---- */

struct verdict {
	uint64_t positions;
	bool sampled;
};

static void print_quantified(const struct scsp_request *q, const macaw_qcsp_result *r, const struct verdict *v)
{
	macaw_qcsp_stats st = macaw_qcsp_statistics(r);
	bool strategy = macaw_qcsp_has_strategy(r);
	printf("s %s\n", status_name(macaw_qcsp_status(r)));
	if (strategy && q->flags.show)
		put_lines(macaw_qcsp_print(r, (uint32_t)q->flags.show));
	printf("d METHOD %s\n", st.method);
	if (strategy)
		printf("d STRATEGY NODES %zu\n", macaw_qcsp_nodes(r));
	for (size_t i = 0; macaw_qcsp_counter_name(i); i++)
		if (macaw_qcsp_counter(&st, i))
			printf("c %s %" PRIu64 "\n", macaw_qcsp_counter_name(i), macaw_qcsp_counter(&st, i));
	printf("c seconds %.6f\n", st.seconds);
	if (q->check && strategy)
		printf("d VERIFIED %s (%" PRIu64 " positions)\n", v->sampled ? "in part" : "yes", v->positions);
}

static void json_quantified(const struct scsp_request *q, const macaw_qcsp_result *r, const struct verdict *v)
{
	macaw_qcsp_stats st = macaw_qcsp_statistics(r);
	struct text t = {0};
	struct json_writer w = {.out = &t};
	jsonw_object(&w, NULL);
	jsonw_text(&w, "file", q->file);
	jsonw_text(&w, "type", "QCSP");
	jsonw_text(&w, "status", status_name(macaw_qcsp_status(r)));
	jsonw_bool(&w, "complete", macaw_qcsp_status(r) != MACAW_CSP_UNKNOWN);
	jsonw_text(&w, "method", st.method);
	for (size_t i = 0; macaw_qcsp_counter_name(i); i++)
		jsonw_uint(&w, macaw_qcsp_counter_name(i), macaw_qcsp_counter(&st, i));
	if (macaw_qcsp_has_strategy(r))
		jsonw_uint(&w, "strategy_nodes", macaw_qcsp_nodes(r));
	if (macaw_qcsp_has_strategy(r) && q->check)
		jsonw_text(&w, "verified", v->sampled ? "in part" : "yes");
	output_seconds(&w, "seconds", st.seconds);
	jsonw_end(&w);
	output_line(&t);
}

#define BUDGET 20000 /* positions that --check looks at before it takes samples */

static int show_quantified(const struct scsp_request *q, const macaw_qcsp_result *r)
{
	struct verdict v = {0};
	macaw_error error;
	const char *refused = macaw_qcsp_statistics(r).refused;
	if (refused && q->flags.method == POSITIONAL) {
		fprintf(stderr, "macaw solve: %s: no positional form: %s\n", q->file, refused);
		return EXIT_INPUT;
	}
	if (q->check && macaw_qcsp_has_strategy(r) && !macaw_qcsp_verify(r, BUDGET, &v.positions, &v.sampled, &error)) {
		fprintf(stderr, "macaw solve: %s: the strategy is wrong: %s\n", q->file, error.text);
		return EXIT_MACHINE;
	}
	if (q->json)
		json_quantified(q, r, &v);
	else
		print_quantified(q, r, &v);
	return EXIT_DONE;
}

static int solve_quantified(macaw_qcsp *p, const struct scsp_request *q)
{
	int method = q->flags.method;
	if (q->write)
		return write_text(q->write, macaw_qcsp_write(p));
	if (method == MAC || method == SFC) {
		fprintf(stderr, "macaw solve: %s: a quantified network; --method is auto, general, positional or brute\n",
		        q->file);
		return EXIT_USAGE;
	}
	macaw_qcsp_options o = {.method = method == BRUTE        ? MACAW_QCSP_BRUTE
	                                  : method == GENERAL    ? MACAW_QCSP_GENERAL
	                                  : method == POSITIONAL ? MACAW_QCSP_POSITIONAL
	                                                         : MACAW_QCSP_AUTO,
	                        .max_nodes = q->nodes,
	                        .limit.seconds = q->time};
	macaw_error error;
	macaw_qcsp_result *r = macaw_qcsp_solve(p, &o, &error);
	if (!r) {
		fprintf(stderr, "macaw solve: %s: %s\n", q->file, error.text);
		return exit_status(&error);
	}
	int result = show_quantified(q, r);
	macaw_qcsp_result_free(r);
	return result;
}

/* ---- both ---- */

static int fault(const macaw_error *e)
{
	fprintf(stderr, "%s\n", e->text);
	return exit_status(e);
}

int solve_scsp(const struct scsp_request *q)
{
	macaw_error error;
	int result;
	if (q->stochastic) {
		macaw_scsp *s = macaw_scsp_parse(q->xml, q->length, q->file, &error);
		result = s ? solve_stochastic(s, q) : fault(&error);
		macaw_scsp_free(s);
	} else {
		macaw_qcsp *p = macaw_qcsp_parse(q->xml, q->length, q->file, &error);
		result = p ? solve_quantified(p, q) : fault(&error);
		macaw_qcsp_free(p);
	}
	return result;
}

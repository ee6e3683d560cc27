/* macaw solve for stochastic and quantified networks: the same lines as for plain
 * ones (s, v, d, c), with a policy or a strategy in the place of an instantiation. */
#include "cli/solve_scsp.h"
#include "cli/commands.h"
#include "qcsp/qcsp.h"
#include "scsp/scsp.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { AUTO, MAC, SFC, BRUTE, GENERAL, POSITIONAL };

/* The type attribute of <instance>, without reading the rest. */
static bool has_type(const char *text, const char *type)
{
	const char *tag = strstr(text, "<instance"), *end = tag ? strchr(tag, '>') : NULL, *at = tag;
	char wanted[2][16];
	snprintf(wanted[0], sizeof *wanted, "\"%s\"", type);
	snprintf(wanted[1], sizeof *wanted, "'%s'", type);
	while (at && (at = strstr(at, "type")) && at < end) {
		at += 4;
		at += strspn(at, " \t\r\n");
		if (*at++ != '=')
			continue;
		at += strspn(at, " \t\r\n");
		return !strncmp(at, wanted[0], strlen(wanted[0])) || !strncmp(at, wanted[1], strlen(wanted[1]));
	}
	return false;
}

static int fault(const struct scsp_request *r, const struct csp_source_error *e)
{
	if (e->line)
		fprintf(stderr, "%s:%u: error: %s\n", r->file, e->line, e->message);
	else
		fprintf(stderr, "%s: error: %s\n", r->file, e->message);
	return EXIT_INPUT;
}

static int write_text(const char *path, struct text *t)
{
	FILE *f = !strcmp(path, "-") ? stdout : fopen(path, "wb");
	bool ok = f && fwrite(t->at, 1, t->n, f) == t->n;
	if (f && f != stdout)
		ok = fclose(f) == 0 && ok;
	text_free(t);
	if (!ok)
		fprintf(stderr, "macaw solve: cannot write %s\n", path);
	return ok ? EXIT_DONE : EXIT_MACHINE;
}

static const char *status_name(enum csp_status s)
{
	static const char *const names[] = {"UNKNOWN", "SATISFIABLE", "UNSATISFIABLE", "OPTIMUM FOUND"};
	return names[s];
}

/* Lines of a text, each behind "v ". */
static void put_lines(const char *s)
{
	for (; *s; s += strcspn(s, "\n"), s += *s == '\n')
		printf("v %.*s\n", (int)strcspn(s, "\n"), s);
}

/* ---- stochastic ---- */

static void print_stochastic(struct scsp *s, const struct scsp_request *r, enum csp_status status, const struct scsp_result *found)
{
	const struct scsp_forest *f = &found->forest;
	printf("s %s\n", status_name(status));
	for (size_t i = 0; i < f->policies.n && i < (size_t)r->flags.show; i++) {
		struct text t = {0};
		scsp_print(s, f, f->policies.at[i].root, &t);
		put_lines(text_str(&t));
		text_free(&t);
		printf("v expected");
		for (uint32_t p = 0; p < scsp_players(s); p++)
			printf(" %.10g", f->expected.at[f->policies.at[i].values + p]);
		printf("\n");
	}
	printf("d FOUND POLICIES %zu\nd COMPLETE EXPLORATION %s\n", f->policies.n, found->complete ? "yes" : "no");
	printf("d STAGES %u\n", scsp_stages(s));
#define X(name) \
	if (found->name) \
		printf("c " #name " %" PRIu64 "\n", found->name);
	SCSP_COUNTERS(X)
#undef X
	printf("c seconds %.6f\n", found->seconds);
}

static void json_stochastic(struct scsp *s, const struct scsp_request *r, enum csp_status status, const struct scsp_result *found)
{
	struct text t = {0};
	text_puts(&t, "{\"file\":");
	text_json(&t, r->file);
	text_printf(&t, ",\"type\":\"SCSP\",\"status\":\"%s\",\"complete\":%s,\"found\":%zu,\"stages\":%u", status_name(status),
	            found->complete ? "true" : "false", found->forest.policies.n, scsp_stages(s));
#define X(name) text_printf(&t, ",\"" #name "\":%" PRIu64, found->name);
	SCSP_COUNTERS(X)
#undef X
	text_puts(&t, ",\"expected\":[");
	for (size_t i = 0; i < found->forest.policies.n; i++) {
		text_puts(&t, i ? ",[" : "[");
		for (uint32_t p = 0; p < scsp_players(s); p++)
			text_printf(&t, "%s%.17g", p ? "," : "", found->forest.expected.at[found->forest.policies.at[i].values + p]);
		text_puts(&t, "]");
	}
	text_printf(&t, "],\"seconds\":%.6f}\n", found->seconds);
	fputs(text_str(&t), stdout);
	text_free(&t);
}

static int solve_stochastic(struct scsp *s, const struct scsp_request *r)
{
	if (r->write) {
		struct text t = {0};
		scsp_write_xml(s, &t);
		return write_text(r->write, &t);
	}
	if (r->flags.method == GENERAL || r->flags.method == POSITIONAL) {
		fprintf(stderr, "macaw solve: %s: a stochastic network; --method is mac, sfc or brute\n", r->file);
		return EXIT_USAGE;
	}
	struct scsp_options o = scsp_defaults;
	struct scsp_result found;
	o.method = r->flags.method == SFC ? SCSP_SFC : r->flags.method == BRUTE ? SCSP_BRUTE : SCSP_MAC;
	o.aim = r->all || r->policies > 1 ? SCSP_ALL : r->flags.best ? SCSP_BEST : SCSP_ANY;
	o.max_policies = r->all ? 0 : r->policies;
	if (r->time > 0)
		o.limit = limit_seconds(r->time);
	enum csp_status status = scsp_solve(s, &o, &found);
	int result = EXIT_DONE;
	for (size_t i = 0; r->check && i < found.forest.policies.n && !result; i++) {
		double v[SCSP_MAX_PLAYERS];
		const char *why = scsp_check(s, &found.forest, found.forest.policies.at[i].root, v, NULL);
		if (why || !scsp_is_solution(s, v)) {
			fprintf(stderr, "macaw solve: %s: a policy is wrong: %s\n", r->file, why ? why : "below the threshold");
			result = EXIT_MACHINE;
		}
	}
	if (!result && r->json)
		json_stochastic(s, r, status, &found);
	else if (!result)
		print_stochastic(s, r, status, &found);
	scsp_result_free(&found);
	return result;
}

/* ---- quantified ---- */

static void print_quantified(struct qcsp *q, const struct scsp_request *r, enum csp_status status, const struct qcsp_result *found)
{
	printf("s %s\n", status_name(status));
	if (found->has_strategy && r->flags.show) {
		struct text t = {0};
		qcsp_print(q, &found->strategy, (uint32_t)r->flags.show, &t);
		put_lines(text_str(&t));
		text_free(&t);
	}
	printf("d METHOD %s\n", found->method);
	if (found->has_strategy)
		printf("d STRATEGY NODES %zu\n", found->strategy.nodes.n);
#define X(name) \
	if (found->name) \
		printf("c " #name " %" PRIu64 "\n", found->name);
	QCSP_COUNTERS(X)
#undef X
	printf("c seconds %.6f\n", found->seconds);
}

static void json_quantified(const struct scsp_request *r, enum csp_status status, const struct qcsp_result *found, const struct qcsp_verdict *v)
{
	struct text t = {0};
	text_puts(&t, "{\"file\":");
	text_json(&t, r->file);
	text_printf(&t, ",\"type\":\"QCSP\",\"status\":\"%s\",\"complete\":%s,\"method\":\"%s\"", status_name(status),
	            found->known ? "true" : "false", found->method);
#define X(name) text_printf(&t, ",\"" #name "\":%" PRIu64, found->name);
	QCSP_COUNTERS(X)
#undef X
	if (found->has_strategy)
		text_printf(&t, ",\"strategy_nodes\":%zu", found->strategy.nodes.n);
	if (found->has_strategy && r->check)
		text_printf(&t, ",\"verified\":\"%s\"", v->sampled ? "in part" : "yes");
	text_printf(&t, ",\"seconds\":%.6f}\n", found->seconds);
	fputs(text_str(&t), stdout);
	text_free(&t);
}

static int solve_quantified(struct qcsp *q, const struct scsp_request *r)
{
	if (r->write) {
		struct text t = {0};
		qcsp_write_xml(q, &t);
		return write_text(r->write, &t);
	}
	if (r->flags.method == MAC || r->flags.method == SFC) {
		fprintf(stderr, "macaw solve: %s: a quantified network; --method is auto, general, positional or brute\n", r->file);
		return EXIT_USAGE;
	}
	struct qcsp_options o = qcsp_defaults;
	struct qcsp_result found;
	struct qcsp_verdict v = {0};
	o.method = r->flags.method == BRUTE ? QCSP_BRUTE : r->flags.method == GENERAL ? QCSP_GENERAL
	           : r->flags.method == POSITIONAL ? QCSP_POSITIONAL : QCSP_AUTO;
	o.max_nodes = r->nodes;
	if (r->time > 0)
		o.limit = limit_seconds(r->time);
	enum csp_status status = qcsp_solve(q, &o, &found);
	int result = EXIT_DONE;
	if (found.refused && r->flags.method == POSITIONAL) {
		fprintf(stderr, "macaw solve: %s: no positional form: %s\n", r->file, found.refused);
		result = EXIT_INPUT;
	}
	if (!result && r->check && found.has_strategy) {
		v = qcsp_verify(q, &found.strategy, 20000);
		if (v.fault) {
			fprintf(stderr, "macaw solve: %s: the strategy is wrong: %s\n", r->file, v.fault);
			result = EXIT_MACHINE;
		}
	}
	if (!result && r->json) {
		json_quantified(r, status, &found, &v);
	} else if (!result) {
		print_quantified(q, r, status, &found);
		if (r->check && found.has_strategy)
			printf("d VERIFIED %s (%" PRIu64 " positions)\n", v.sampled ? "in part" : "yes", v.positions);
	}
	qcsp_result_free(&found);
	return result;
}

/* What begins like an instance of these types; anything else is left to the plain reader. */
static void peek(const char *path, bool *stochastic, bool *quantified)
{
	char start[8192];
	FILE *f = fopen(path, "rb");
	size_t n = f ? fread(start, 1, sizeof start - 1, f) : 0;
	if (f)
		fclose(f);
	start[n] = 0;
	*stochastic = has_type(start, "SCSP");
	*quantified = has_type(start, "QCSP");
}

int solve_scsp(const struct scsp_request *r)
{
	struct text t = {0};
	bool stochastic, quantified;
	peek(r->file, &stochastic, &quantified);
	if (!stochastic && !quantified)
		return -1;
	const char *why = text_read_file(&t, r->file, (size_t)1 << 31);
	if (why) {
		fprintf(stderr, "macaw solve: %s\n", why);
		text_free(&t);
		return EXIT_INPUT;
	}
	int result = -1;
	struct csp_source_error e;
	if (stochastic) {
		struct scsp *s = scsp_read_xml(t.at, t.n, &e);
		result = s ? solve_stochastic(s, r) : fault(r, &e);
		scsp_free(s);
	} else if (quantified) {
		struct qcsp *q = qcsp_read_xml(t.at, t.n, &e);
		result = q ? solve_quantified(q, r) : fault(r, &e);
		qcsp_free(q);
	}
	text_free(&t);
	return result;
}

/* Constraint networks as XCSP3, and the judge of their solutions. */
#include "api/csp_handle.h"

#include "csp/judge/judge.h"
#include "csp/xcsp3/load.h"
#include "scsp/xcsp3_type.h"

#include <stdlib.h>

/* ---- XCSP3 ---- */

enum macaw_xcsp3_type macaw_xcsp3_type_of_file(const char *path)
{
	return (enum macaw_xcsp3_type)xcsp3_type_of_file(path ? path : "");
}

enum macaw_xcsp3_type macaw_xcsp3_type_of(const char *xml, size_t length)
{
	return (enum macaw_xcsp3_type)xcsp3_type_of(xml, length);
}
SAME(MACAW_XCSP3_CSP, XCSP3_CSP);
SAME(MACAW_XCSP3_SCSP, XCSP3_SCSP);
SAME(MACAW_XCSP3_QCSP, XCSP3_QCSP);

void api_fail_source(macaw_error *e, const char *name, const struct csp_source_error *at)
{
	if (at->column)
		api_fail(e, MACAW_INPUT, "%s:%u:%u: error: %s", name, at->line, at->column, at->message);
	else if (at->line)
		api_fail(e, MACAW_INPUT, "%s:%u: error: %s", name, at->line, at->message);
	else
		api_fail(e, MACAW_INPUT, "%s: error: %s", name, at->message);
}

bool api_read_network(const char *path, struct text *t, macaw_error *e)
{
	struct csp_source_error at;
	bool there = xcsp3_load(path, t, &at);
	if (!there)
		api_fail_source(e, path, &at);
	return there;
}

char *macaw_xcsp3_read(const char *path, size_t *length, macaw_error *e)
{
	struct text t = {0};
	struct handle h;
	bool there;
	*length = 0;
	if (!handle_open(&h, e))
		return NULL;
	GUARD(&h, e, (handle_close(&h), NULL), there = api_read_network(path ? path : "", &t, e));
	*length = there ? t.n : 0;
	char *out = there ? api_give(&t) : NULL;
	handle_close(&h);
	return out;
}

/* ---- the judge ---- */

struct macaw_judge {
	struct handle own;
	struct judge *k;
	int64_t *values;
	char message[300];
};

macaw_judge *macaw_judge_new(const char *xml, size_t length, macaw_error *e)
{
	macaw_judge *j = calloc(1, sizeof *j);
	if (!j || !handle_open(&j->own, e)) {
		free(j);
		api_fail(e, MACAW_MEMORY, "out of memory");
		return NULL;
	}
	GUARD(&j->own, e, (macaw_judge_free(j), NULL), j->k = judge_new(xml, length, j->message, sizeof j->message));
	if (!j->k) {
		api_fail(e, MACAW_INPUT, "%s", j->message[0] ? j->message : "no XCSP3 instance");
		macaw_judge_free(j);
		return NULL;
	}
	return j;
}

void macaw_judge_free(macaw_judge *j)
{
	if (!j)
		return;
	if (j->k && !j->own.broken)
		judge_free(j->k);
	mem_free(j->own.broken ? NULL : j->values);
	handle_close(&j->own);
	free(j);
}

/* The values in the order of the judge's own variables. */
static const char *judged(macaw_judge *j, const struct csp *n, const int32_t *values)
{
	size_t count = judge_variables(j->k);
	if (!j->values)
		j->values = mem_alloc(count + 1, sizeof *j->values);
	for (size_t x = 0; x < count; x++) {
		uint32_t y = csp_find(n, judge_name(j->k, x));
		if (y == CSP_NONE)
			return "a variable of the instance is missing";
		j->values[x] = judge_symbolic(j->k, x) ? judge_symbol(j->k, csp_symbol_text(n, values[y])) : values[y];
	}
	return judge_solution(j->k, j->values);
}

bool macaw_judge_solution(macaw_judge *j, macaw_csp *n, const int32_t *values, const int64_t *cost, macaw_error *e)
{
	const char *fault = NULL;
	int64_t is = 0;
	bool has = true;
	GUARD(&j->own, e, false, fault = judged(j, n->n, values);
	      has = !fault && cost && judge_objective(j->k, j->values, &is));
	if (fault)
		api_fail(e, MACAW_INPUT, "%s", fault);
	else if (cost && (!has || is != *cost))
		api_fail(e, MACAW_INPUT, "the objective is %lld, not %lld", (long long)is, (long long)*cost);
	return !fault && (!cost || (has && is == *cost));
}

bool macaw_csp_cost(macaw_csp *n, const int32_t *values, int64_t *cost)
{
	bool has;
	GUARD(n->in, &n->error, false, has = csp_cost(n->n, values, cost));
	return has;
}

/* The network that was read, in a handle; on failure the error is filled and all is freed. */
static macaw_csp *finish_reading(macaw_csp *n, const char *name, const struct csp_source_error *at, macaw_error *e)
{
	if (n->n)
		return n;
	api_fail_source(e, name, at);
	api_csp_drop(n);
	return NULL;
}

macaw_csp *macaw_csp_load(const char *path, macaw_error *e)
{
	struct csp_source_error at = {0};
	macaw_csp *n = api_csp_wrap(NULL, NULL, e);
	path = path ? path : "";
	if (!n)
		return NULL;
	GUARD(n->in, e, (api_csp_drop(n), NULL), n->n = csp_read_xml_file(path, &at));
	return finish_reading(n, path, &at, e);
}

macaw_csp *macaw_csp_parse(const char *xml, size_t length, const char *name, macaw_error *e)
{
	struct csp_source_error at = {0};
	macaw_csp *n = api_csp_wrap(NULL, NULL, e);
	if (!n)
		return NULL;
	GUARD(n->in, e, (api_csp_drop(n), NULL), n->n = csp_read_xml(xml, length, &at));
	return finish_reading(n, name ? name : "network", &at, e);
}

char *macaw_csp_write(macaw_csp *n)
{
	struct text t = {0};
	GUARD(n->in, &n->error, NULL, csp_write_xml(n->n, &t));
	return api_give(&t);
}

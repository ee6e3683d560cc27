/* Quantified constraint problems: the public face of src/qcsp. */
#include "macaw/qcsp.h"
#include "api/csp_handle.h"
#include "qcsp/qcsp.h"

#include <stdlib.h>

#define X(id, name, help) SAME((int)MACAW_QCSP_##id, (int)QCSP_##id);
QCSP_METHODS(X)
#undef X
SAME(MACAW_QCSP_DONE, QCSP_DONE);
SAME(MACAW_QCSP_ANY, QCSP_ANY);

#define X(id, name, help) {name, help},
static const struct named methods[] = {QCSP_METHODS(X)};
#undef X

const char *macaw_qcsp_method_name(enum macaw_qcsp_method m)
{
	return (unsigned)m < QCSP_METHOD_COUNT ? methods[m].name : NULL;
}

const char *macaw_qcsp_method_help(enum macaw_qcsp_method m)
{
	return (unsigned)m < QCSP_METHOD_COUNT ? methods[m].help : NULL;
}

/* ---- handles ---- */

struct macaw_qcsp {
	struct handle handle;
	struct qcsp *q;
	macaw_csp *network;
	macaw_error error;
};

static macaw_qcsp *open_handle(macaw_error *e)
{
	macaw_qcsp *q = calloc(1, sizeof *q);
	if (q && handle_open(&q->handle, e))
		return q;
	free(q);
	api_fail(e, MACAW_MEMORY, "out of memory");
	return NULL;
}

/* Puts the problem into its handle. NULL: it was not made, or out of memory; everything is freed. */
static macaw_qcsp *fill(macaw_qcsp *h, struct qcsp *q, macaw_error *e)
{
	h->q = q;
	if (q && !h->network)
		h->network = api_csp_wrap(qcsp_network(q), &h->handle, e);
	if (q && h->network)
		return h;
	macaw_qcsp_free(h);
	return NULL;
}

macaw_qcsp *macaw_qcsp_new(macaw_csp *n, bool strategic, macaw_error *e)
{
	if (!n) {
		api_fail(e, MACAW_USAGE, "there is no network");
		return NULL;
	}
	macaw_qcsp *q = open_handle(e);
	struct qcsp *inside;
	if (!q || !handle_usable(n->in, e)) {
		macaw_csp_free(n);
		macaw_qcsp_free(q);
		return NULL;
	}
	api_csp_give(n, &q->handle);
	q->network = n;
	GUARD(&q->handle, e, (macaw_qcsp_free(q), NULL), inside = qcsp_new(n->n, strategic));
	return fill(q, inside, e);
}

void macaw_qcsp_free(macaw_qcsp *q)
{
	if (!q)
		return;
	if (!q->handle.broken)
		qcsp_free(q->q);
	api_csp_drop(q->network);
	handle_close(&q->handle);
	free(q);
}

/* A question that allocates nothing. */
#define ASK(q, missing, ...) return (q)->handle.broken ? (missing) : (__VA_ARGS__)

macaw_csp *macaw_qcsp_network(macaw_qcsp *q)
{
	return q->network;
}

bool macaw_qcsp_strategic(const macaw_qcsp *q)
{
	ASK(q, false, qcsp_strategic(q->q));
}

bool macaw_qcsp_quantify(macaw_qcsp *q, uint32_t x, bool forall)
{
	bool ok;
	GUARD(&q->handle, &q->error, false, ok = qcsp_quantify(q->q, x, forall));
	return ok;
}

uint32_t macaw_qcsp_length(const macaw_qcsp *q)
{
	ASK(q, 0, qcsp_length(q->q));
}

uint32_t macaw_qcsp_variable(const macaw_qcsp *q, uint32_t i)
{
	ASK(q, MACAW_NONE, i < qcsp_length(q->q) ? qcsp_variable(q->q, i) : MACAW_NONE);
}

bool macaw_qcsp_forall(const macaw_qcsp *q, uint32_t i)
{
	ASK(q, false, i < qcsp_length(q->q) && qcsp_forall(q->q, i));
}

/* ---- solving ---- */

struct macaw_qcsp_result {
	macaw_qcsp *of;
	enum csp_status status;
	struct qcsp_result inside;
};

static macaw_qcsp_result *solve(macaw_qcsp *q, const struct qcsp_options *o)
{
	macaw_qcsp_result *r = NEW(macaw_qcsp_result);
	r->of = q;
	r->status = qcsp_solve(q->q, o, &r->inside);
	return r;
}

macaw_qcsp_result *macaw_qcsp_solve(macaw_qcsp *q, const macaw_qcsp_options *o, macaw_error *e)
{
	struct qcsp_options inside = qcsp_defaults;
	macaw_qcsp_result *r;
	api_clear(e);
	if (o) {
		if (!macaw_qcsp_method_name(o->method)) {
			api_fail(e, MACAW_USAGE, "there is no method with this number");
			return NULL;
		}
		inside.method = (enum qcsp_method)o->method;
		inside.strategy = !o->no_strategy;
		inside.max_nodes = o->max_nodes;
		inside.cache_bytes = o->cache;
		inside.limit = api_limit(o->limit);
	}
	GUARD(&q->handle, e, NULL, r = solve(q, &inside));
	return r;
}

void macaw_qcsp_result_free(macaw_qcsp_result *r)
{
	if (!r || r->of->handle.broken)
		return;
	qcsp_result_free(&r->inside);
	mem_free(r);
}

enum macaw_csp_status macaw_qcsp_status(const macaw_qcsp_result *r)
{
	return (enum macaw_csp_status)r->status;
}

macaw_qcsp_stats macaw_qcsp_statistics(const macaw_qcsp_result *r)
{
	macaw_qcsp_stats s = {.seconds = r->inside.seconds, .method = r->inside.method, .refused = r->inside.refused};
#define X(name) s.name = r->inside.name;
	QCSP_COUNTERS(X)
#undef X
	return s;
}

static const struct counter counters[] = {
#define X(name) {#name, offsetof(macaw_qcsp_stats, name)},
	QCSP_COUNTERS(X)
#undef X
};

const char *macaw_qcsp_counter_name(size_t i)
{
	return PICK(counters, i, name);
}

uint64_t macaw_qcsp_counter(const macaw_qcsp_stats *s, size_t i)
{
	return PICK_COUNTER(counters, s, i);
}

/* ---- strategies ---- */

bool macaw_qcsp_has_strategy(const macaw_qcsp_result *r)
{
	return r->inside.has_strategy;
}

size_t macaw_qcsp_nodes(const macaw_qcsp_result *r)
{
	return r->inside.strategy.nodes.n;
}

uint32_t macaw_qcsp_root(const macaw_qcsp_result *r)
{
	return r->inside.strategy.root;
}

uint32_t macaw_qcsp_arcs(const macaw_qcsp_result *r, uint32_t node)
{
	return node < r->inside.strategy.nodes.n ? r->inside.strategy.nodes.at[node].arcs : 0;
}

macaw_qcsp_arc macaw_qcsp_arc_of(const macaw_qcsp_result *r, uint32_t node, uint32_t arc)
{
	const struct qcsp_strategy *s = &r->inside.strategy;
	const struct qcsp_arc *a = &s->arcs.at[s->nodes.at[node].arc + arc];
	return (macaw_qcsp_arc){a->at, a->child};
}

char *macaw_qcsp_print(const macaw_qcsp_result *r, uint32_t depth)
{
	macaw_qcsp *q = r->of;
	struct text t = {0};
	if (!r->inside.has_strategy)
		return NULL;
	GUARD(&q->handle, &q->error, NULL, qcsp_print(q->q, &r->inside.strategy, depth, &t));
	return api_give(&t);
}

bool macaw_qcsp_verify(const macaw_qcsp_result *r, uint64_t budget, uint64_t *positions, bool *sampled, macaw_error *e)
{
	macaw_qcsp *q = r->of;
	struct qcsp_verdict v = {.fault = "there is no strategy"};
	api_clear(e);
	if (r->inside.has_strategy)
		GUARD(&q->handle, e, false, v = qcsp_verify(q->q, &r->inside.strategy, budget));
	if (positions)
		*positions = v.positions;
	if (sampled)
		*sampled = v.sampled;
	if (v.fault)
		api_fail(e, MACAW_INPUT, "%s", v.fault);
	return !v.fault;
}

/* ---- models ---- */

static macaw_qcsp *finish_model(macaw_qcsp *q, struct qcsp *inside, macaw_error *e)
{
	if (!inside)
		api_fail(e, MACAW_USAGE, "there is no model of this size");
	return fill(q, inside, e);
}

macaw_qcsp *macaw_qcsp_tokens(uint32_t tokens, macaw_error *e)
{
	macaw_qcsp *q = open_handle(e);
	struct qcsp *inside;
	if (!q)
		return NULL;
	GUARD(&q->handle, e, (macaw_qcsp_free(q), NULL), inside = qcsp_tokens(tokens));
	return finish_model(q, inside, e);
}

macaw_qcsp *macaw_qcsp_tokens_plain(uint32_t tokens, enum macaw_qcsp_encoding encoding, macaw_error *e)
{
	macaw_qcsp *q = open_handle(e);
	struct qcsp *inside;
	if (!q)
		return NULL;
	GUARD(&q->handle, e, (macaw_qcsp_free(q), NULL), inside = qcsp_tokens_plain(tokens, (enum qcsp_encoding)encoding));
	return finish_model(q, inside, e);
}

macaw_qcsp *macaw_qcsp_robot(uint32_t length, uint32_t moves, macaw_error *e)
{
	macaw_qcsp *q = open_handle(e);
	struct qcsp *inside;
	if (!q)
		return NULL;
	GUARD(&q->handle, e, (macaw_qcsp_free(q), NULL), inside = qcsp_robot(length, moves));
	return finish_model(q, inside, e);
}

macaw_qcsp *macaw_qcsp_strategic_form(macaw_qcsp *plain, macaw_error *e)
{
	macaw_qcsp *q = open_handle(e);
	struct qcsp *inside;
	if (!q)
		return NULL;
	GUARD(&q->handle, e, (macaw_qcsp_free(q), NULL), inside = qcsp_strategic_form(plain->q));
	if (!inside)
		api_fail(e, MACAW_USAGE, "only a problem with plain semantics can be reduced");
	return fill(q, inside, e);
}

macaw_qcsp *macaw_qcsp_tictactoe(uint32_t model, bool literal, macaw_error *e)
{
	macaw_qcsp *q = open_handle(e);
	struct qcsp *inside;
	if (!q)
		return NULL;
	GUARD(&q->handle, e, (macaw_qcsp_free(q), NULL), inside = qcsp_tictactoe(model, literal));
	return finish_model(q, inside, e);
}

macaw_qcsp *macaw_qcsp_connect(uint32_t size, uint32_t line, bool literal, macaw_error *e)
{
	macaw_qcsp *q = open_handle(e);
	struct qcsp *inside;
	if (!q)
		return NULL;
	GUARD(&q->handle, e, (macaw_qcsp_free(q), NULL), inside = qcsp_connect(size, line, literal));
	return finish_model(q, inside, e);
}

/* ---- XCSP3 ---- */

static struct qcsp *read_problem(const char *xml, size_t length, const char *name, macaw_error *e)
{
	struct csp_source_error at = {0};
	struct qcsp *q = qcsp_read_xml(xml, length, &at);
	if (!q)
		api_fail_source(e, name, &at);
	return q;
}

static struct qcsp *load_problem(const char *path, macaw_error *e)
{
	struct text t = {0};
	struct qcsp *q = api_read_network(path, &t, e) ? read_problem(t.at, t.n, path, e) : NULL;
	text_free(&t);
	return q;
}

macaw_qcsp *macaw_qcsp_load(const char *path, macaw_error *e)
{
	macaw_qcsp *q = open_handle(e);
	struct qcsp *inside;
	if (!q)
		return NULL;
	GUARD(&q->handle, e, (macaw_qcsp_free(q), NULL), inside = load_problem(path ? path : "", e));
	return fill(q, inside, e);
}

macaw_qcsp *macaw_qcsp_parse(const char *xml, size_t length, const char *name, macaw_error *e)
{
	macaw_qcsp *q = open_handle(e);
	struct qcsp *inside;
	if (!q)
		return NULL;
	GUARD(&q->handle, e, (macaw_qcsp_free(q), NULL), inside = read_problem(xml, length, name ? name : "network", e));
	return fill(q, inside, e);
}

char *macaw_qcsp_write(macaw_qcsp *q)
{
	struct text t = {0};
	GUARD(&q->handle, &q->error, NULL, qcsp_write_xml(q->q, &t));
	return api_give(&t);
}

/* Stochastic constraint problems: the public face of src/scsp. */
#include "api/scsp_handle.h"

#include <stdlib.h>

#define X(id, name, help) SAME(MACAW_SCSP_##id, SCSP_##id);
SCSP_METHODS(X)
#undef X
#define X(id, name, help) SAME(MACAW_PASS_##id, SCSP_PASS_##id);
SCSP_PASSES(X)
#undef X
SAME(MACAW_PASSES, SCSP_PASS_COUNT);
SAME(MACAW_SCSP_BEST, SCSP_BEST);
SAME(MACAW_SCSP_ALL_SOLUTIONS, SCSP_ALL);
SAME(MACAW_SCSP_ANY_SOLUTION, SCSP_ANY);
SAME(MACAW_SCSP_LEAF, SCSP_LEAF);
SAME(MACAW_SCSP_PLAYERS, SCSP_MAX_PLAYERS);

#define X(id, name, help) {name, help},
static const struct named methods[] = {SCSP_METHODS(X)}, passes_known[] = {SCSP_PASSES(X)};
#undef X

const char *macaw_scsp_method_name(enum macaw_scsp_method m)
{
	return (unsigned)m < SCSP_METHOD_COUNT ? methods[m].name : NULL;
}

const char *macaw_scsp_method_help(enum macaw_scsp_method m)
{
	return (unsigned)m < SCSP_METHOD_COUNT ? methods[m].help : NULL;
}

const char *macaw_pass_name(enum macaw_pass p)
{
	return (unsigned)p < SCSP_PASS_COUNT ? passes_known[p].name : NULL;
}

const char *macaw_pass_help(enum macaw_pass p)
{
	return (unsigned)p < SCSP_PASS_COUNT ? passes_known[p].help : NULL;
}

/* ---- handles ---- */

macaw_scsp *api_scsp_open(macaw_error *e)
{
	macaw_scsp *s = calloc(1, sizeof *s);
	if (s && handle_open(&s->handle, e))
		return s;
	free(s);
	api_fail(e, MACAW_MEMORY, "out of memory");
	return NULL;
}

macaw_scsp *api_scsp_fill(macaw_scsp *h, struct scsp *s, const char *why, macaw_error *e)
{
	h->s = s;
	if (!s) {
		if (*why)
			api_fail(e, MACAW_INPUT, "%s", why);
		macaw_scsp_free(h);
		return NULL;
	}
	if (!h->hard)
		h->hard = api_csp_wrap(scsp_hard(s), &h->handle, e);
	h->chance = api_csp_wrap(scsp_chance(s), &h->handle, e);
	if (h->hard && h->chance)
		return h;
	macaw_scsp_free(h);
	return NULL;
}

macaw_scsp *macaw_scsp_new(macaw_csp *hard, uint32_t players, macaw_error *e)
{
	if (!hard) {
		api_fail(e, MACAW_USAGE, "there is no network");
		return NULL;
	}
	macaw_scsp *s = api_scsp_open(e);
	struct scsp *inside = NULL;
	if (!s || !handle_usable(hard->in, e)) {
		macaw_csp_free(hard);
		macaw_scsp_free(s);
		return NULL;
	}
	api_csp_give(hard, &s->handle);
	s->hard = hard;
	if (!players || players > SCSP_MAX_PLAYERS) {
		csp_free(hard->n);
		api_fail(e, MACAW_USAGE, "a stochastic problem has 1 to %d players", SCSP_MAX_PLAYERS);
		macaw_scsp_free(s);
		return NULL;
	}
	GUARD(&s->handle, e, (macaw_scsp_free(s), NULL), inside = scsp_new(hard->n, players));
	return api_scsp_fill(s, inside, "", e);
}

void macaw_scsp_free(macaw_scsp *s)
{
	if (!s)
		return;
	if (!s->handle.broken)
		scsp_free(s->s);
	else if (s->made_by)
		s->made_by->broken = true;
	api_csp_drop(s->hard);
	api_csp_drop(s->chance);
	handle_close(&s->handle);
	free(s);
}

const macaw_error *macaw_scsp_error(const macaw_scsp *s)
{
	return &s->error;
}

macaw_csp *macaw_scsp_hard(macaw_scsp *s)
{
	return s->hard;
}

macaw_csp *macaw_scsp_chance(macaw_scsp *s)
{
	return s->chance;
}

/* A question that allocates nothing. */
#define ASK(s, missing, ...) return (s)->handle.broken ? (missing) : (__VA_ARGS__)

/* A builder that may refuse. */
#define BUILD(s, ...) \
	bool ok; \
	GUARD(&(s)->handle, &(s)->error, false, ok = __VA_ARGS__); \
	if (!ok) \
		api_fail(&(s)->error, MACAW_USAGE, "%s", scsp_error((s)->s)); \
	return ok

uint32_t macaw_scsp_players(const macaw_scsp *s)
{
	ASK(s, 0, scsp_players(s->s));
}

bool macaw_scsp_order(macaw_scsp *s, const uint32_t *variables, size_t count)
{
	BUILD(s, scsp_order(s->s, variables, count));
}

/* Probabilities of one or several rows of y as the inside has them; NULL: no such variable. */
static struct scsp_p *ratios(const struct scsp *s, uint32_t y, size_t rows, const macaw_probability *p)
{
	const struct csp *n = scsp_hard(unconst(s));
	if (y >= csp_variables(n))
		return NULL;
	size_t count = rows * csp_count(n, y);
	struct scsp_p *out = mem_alloc(count + 1, sizeof *out);
	for (size_t i = 0; i < count; i++)
		out[i] = p[i].den ? scsp_ratio(p[i].num, p[i].den) : scsp_decimal(p[i].value);
	return out;
}

static bool draw(struct scsp *s, uint32_t y, const macaw_probability *p)
{
	struct scsp_p *own = ratios(s, y, 1, p);
	bool ok = scsp_draw(s, y, own);
	mem_free(own);
	return ok;
}

bool macaw_scsp_draw(macaw_scsp *s, uint32_t y, const macaw_probability *p)
{
	BUILD(s, draw(s->s, y, p));
}

static bool draw_given(struct scsp *s, uint32_t y, const uint32_t *parents, size_t parent_count, const int32_t *given,
                       size_t rows, const macaw_probability *p)
{
	struct scsp_p *own = ratios(s, y, rows, p);
	bool ok = scsp_draw_given(s, y, parents, parent_count, given, rows, own);
	mem_free(own);
	return ok;
}

bool macaw_scsp_draw_given(macaw_scsp *s, uint32_t y, const uint32_t *parents, size_t parent_count,
                           const int32_t *given, size_t rows, const macaw_probability *p)
{
	BUILD(s, draw_given(s->s, y, parents, parent_count, given, rows, p));
}

bool macaw_scsp_draw_legal(macaw_scsp *s, uint32_t y, const uint32_t *legal)
{
	BUILD(s, scsp_draw_legal(s->s, y, legal));
}

bool macaw_scsp_soft(macaw_scsp *s, const uint32_t *scope, size_t arity, const int32_t *tuples, size_t rows,
                     const double *utilities)
{
	BUILD(s, scsp_soft(s->s, scope, arity, tuples, rows, utilities));
}

bool macaw_scsp_threshold(macaw_scsp *s, uint32_t player, double theta)
{
	BUILD(s, scsp_threshold(s->s, player, theta));
}

bool macaw_scsp_stochastic(const macaw_scsp *s, uint32_t x)
{
	ASK(s, false, x < csp_variables(scsp_hard(s->s)) && scsp_stochastic(s->s, x));
}

double macaw_scsp_theta(const macaw_scsp *s, uint32_t player)
{
	ASK(s, 0, player < scsp_players(s->s) ? scsp_theta(s->s, player) : 0);
}

uint32_t macaw_scsp_stages(const macaw_scsp *s)
{
	ASK(s, 0, scsp_stages(s->s));
}

const uint32_t *macaw_scsp_sequence(const macaw_scsp *s)
{
	ASK(s, NULL, scsp_sequence(s->s));
}

uint32_t macaw_scsp_softs(const macaw_scsp *s)
{
	ASK(s, 0, scsp_softs(s->s));
}

double macaw_scsp_probability(macaw_scsp *s, uint32_t y, uint32_t at, const int32_t *values)
{
	double p;
	GUARD(&s->handle, &s->error, 0, p = macaw_scsp_stochastic(s, y) ? scsp_probability(s->s, y, at, values) : 0);
	return p;
}

bool macaw_scsp_worth(macaw_scsp *s, const int32_t *values, double *worth)
{
	GUARD(&s->handle, &s->error, false, scsp_worth(s->s, values, worth));
	return true;
}

bool macaw_scsp_is_solution(const macaw_scsp *s, const double *expected)
{
	ASK(s, false, scsp_is_solution(s->s, expected));
}

/* ---- solving ---- */

struct macaw_scsp_result {
	macaw_scsp *of;
	enum csp_status status;
	struct scsp_result inside;
};

static macaw_scsp_result *solve(macaw_scsp *s, const struct scsp_options *o)
{
	macaw_scsp_result *r = NEW(macaw_scsp_result);
	r->of = s;
	r->status = scsp_solve(s->s, o, &r->inside);
	return r;
}

macaw_scsp_result *macaw_scsp_solve(macaw_scsp *s, const macaw_scsp_options *o, macaw_error *e)
{
	struct scsp_options inside = scsp_defaults;
	macaw_scsp_result *r;
	api_clear(e);
	if (o) {
		if (!macaw_scsp_method_name(o->method) || (unsigned)o->aim > SCSP_BEST) {
			api_fail(e, MACAW_USAGE, "an option has a number that means nothing");
			return NULL;
		}
		inside.method = (enum scsp_method)o->method;
		inside.aim = (enum scsp_aim)o->aim;
		inside.max_policies = o->max_policies;
		inside.limit = api_limit(o->limit);
	}
	GUARD(&s->handle, e, NULL, r = solve(s, &inside));
	return r;
}

void macaw_scsp_result_free(macaw_scsp_result *r)
{
	if (!r || r->of->handle.broken)
		return;
	scsp_result_free(&r->inside);
	mem_free(r);
}

enum macaw_csp_status macaw_scsp_status(const macaw_scsp_result *r)
{
	return (enum macaw_csp_status)r->status;
}

macaw_scsp_stats macaw_scsp_statistics(const macaw_scsp_result *r)
{
	macaw_scsp_stats s = {.seconds = r->inside.seconds, .complete = r->inside.complete};
#define X(name) s.name = r->inside.name;
	SCSP_COUNTERS(X)
#undef X
	return s;
}

static const struct counter counters[] = {
#define X(name) {#name, offsetof(macaw_scsp_stats, name)},
	SCSP_COUNTERS(X)
#undef X
};

const char *macaw_scsp_counter_name(size_t i)
{
	return PICK(counters, i, name);
}

uint64_t macaw_scsp_counter(const macaw_scsp_stats *s, size_t i)
{
	return PICK_COUNTER(counters, s, i);
}

size_t macaw_scsp_policies(const macaw_scsp_result *r)
{
	return r->inside.forest.policies.n;
}

const double *macaw_scsp_expected(const macaw_scsp_result *r, size_t policy)
{
	const struct scsp_forest *f = &r->inside.forest;
	return f->expected.at + f->policies.at[policy].values;
}

uint32_t macaw_scsp_root(const macaw_scsp_result *r, size_t policy)
{
	return r->inside.forest.policies.at[policy].root;
}

macaw_scsp_node macaw_scsp_node_of(const macaw_scsp_result *r, uint32_t node)
{
	const struct scsp_node *d = &r->inside.forest.nodes.at[node];
	return (macaw_scsp_node){d->var, d->arcs};
}

macaw_scsp_arc macaw_scsp_arc_of(const macaw_scsp_result *r, uint32_t node, uint32_t arc)
{
	const struct scsp_forest *f = &r->inside.forest;
	const struct scsp_arc *a = &f->arcs.at[f->nodes.at[node].arc + arc];
	return (macaw_scsp_arc){a->at, a->child};
}

char *macaw_scsp_print(const macaw_scsp_result *r, size_t policy)
{
	struct text t = {0};
	macaw_scsp *s = r->of;
	GUARD(&s->handle, &s->error, NULL, scsp_print(s->s, &r->inside.forest, macaw_scsp_root(r, policy), &t));
	return api_give(&t);
}

bool macaw_scsp_check(const macaw_scsp_result *r, size_t policy, double *expected, double *bound, macaw_error *e)
{
	macaw_scsp *s = r->of;
	const char *why;
	api_clear(e);
	GUARD(&s->handle, e, false, why = scsp_check(s->s, &r->inside.forest, macaw_scsp_root(r, policy), expected, bound));
	if (why)
		api_fail(e, MACAW_INPUT, "%s", why);
	return !why;
}

/* ---- the feasibility constraint ---- */

struct feasible_handle {
	macaw_scsp_feasible outside; /* first: this is what the caller holds */
	macaw_scsp *of;
	struct scsp_feasible inside;
};

static struct feasible_handle *feasibility(macaw_scsp *s, const struct limit *limit)
{
	struct feasible_handle *h = NEW(struct feasible_handle);
	struct scsp_feasible *f = &h->inside;
	h->of = s;
	bool ok = scsp_feasibility(s->s, f, limit);
	h->outside = (macaw_scsp_feasible){f->scope.at, f->scope.n, f->tuples.at, f->rows, f->nodes, f->pruned};
	if (ok)
		return h;
	macaw_scsp_feasible_free(&h->outside);
	return NULL;
}

macaw_scsp_feasible *macaw_scsp_feasibility(macaw_scsp *s, macaw_limit limit, macaw_error *e)
{
	struct limit l = api_limit(limit);
	struct feasible_handle *h;
	api_clear(e);
	GUARD(&s->handle, e, NULL, h = feasibility(s, &l));
	if (!h)
		api_fail(e, MACAW_USAGE, "not a problem with one stage, or out of time");
	return h ? &h->outside : NULL;
}

void macaw_scsp_feasible_free(macaw_scsp_feasible *f)
{
	struct feasible_handle *h = (struct feasible_handle *)f;
	if (!h || h->of->handle.broken)
		return;
	scsp_feasible_free(&h->inside);
	mem_free(h);
}

/* ---- preprocessing ---- */

macaw_csp *macaw_csp_simplify(macaw_csp *n, unsigned passes, macaw_removed *removed, macaw_error *e)
{
	struct scsp_removed inside[SCSP_PASS_COUNT];
	macaw_csp *out =
		api_csp_wrap(NULL, n->in, e); /* reading the old one may make it index itself: one memory for both */
	if (!out)
		return NULL;
	GUARD(n->in, e, (api_csp_drop(out), NULL), out->n = scsp_simplify(n->n, passes, inside));
	for (int i = 0; removed && i < SCSP_PASS_COUNT; i++)
		removed[i] = (macaw_removed){.constraints = inside[i].constraints,
		                             .scopes = inside[i].scopes,
		                             .values = inside[i].values,
		                             .tuples = inside[i].tuples,
		                             .inconsistent = inside[i].inconsistent,
		                             .seconds = inside[i].seconds};
	if (out->n)
		return out;
	api_fail(e, MACAW_INPUT, "a constraint is too large to become a table");
	api_csp_drop(out);
	return NULL;
}

/* ---- XCSP3 ---- */

static struct scsp *read_problem(const char *xml, size_t length, const char *name, macaw_error *e)
{
	struct csp_source_error at = {0};
	struct scsp *s = scsp_read_xml(xml, length, &at);
	if (!s)
		api_fail_source(e, name, &at);
	return s;
}

static struct scsp *load_problem(const char *path, macaw_error *e)
{
	struct text t = {0};
	struct scsp *s = api_read_network(path, &t, e) ? read_problem(t.at, t.n, path, e) : NULL;
	text_free(&t);
	return s;
}

macaw_scsp *macaw_scsp_load(const char *path, macaw_error *e)
{
	macaw_scsp *s = api_scsp_open(e);
	struct scsp *inside;
	if (!s)
		return NULL;
	GUARD(&s->handle, e, (macaw_scsp_free(s), NULL), inside = load_problem(path ? path : "", e));
	return api_scsp_fill(s, inside, "", e);
}

macaw_scsp *macaw_scsp_parse(const char *xml, size_t length, const char *name, macaw_error *e)
{
	macaw_scsp *s = api_scsp_open(e);
	struct scsp *inside;
	if (!s)
		return NULL;
	GUARD(&s->handle, e, (macaw_scsp_free(s), NULL), inside = read_problem(xml, length, name ? name : "network", e));
	return api_scsp_fill(s, inside, "", e);
}

char *macaw_scsp_write(macaw_scsp *s)
{
	struct text t = {0};
	GUARD(&s->handle, &s->error, NULL, scsp_write_xml(s->s, &t));
	return api_give(&t);
}

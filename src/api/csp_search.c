/* Searches, consistencies and symmetries of constraint networks. */
#include "api/csp_handle.h"

#include <stdlib.h>

/* ---- search ---- */

void macaw_csp_methods(macaw_csp *n, enum macaw_csp_table_method t, enum macaw_csp_alldiff_method a)
{
	CHANGE(n, csp_methods(n->n, (enum csp_table_method)t, (enum csp_alldiff_method)a));
}

void api_csp_stats(const struct csp_stats *from, macaw_csp_stats *to)
{
#define X(name) to->name = from->name;
	CSP_COUNTERS(X)
#undef X
	to->seconds = from->seconds;
	to->complete = from->complete;
	to->has_best = from->has_best;
	to->best = from->best;
	to->refused = from->refused;
}

static const struct counter counters[] = {
#define X(name) {#name, offsetof(macaw_csp_stats, name)},
	CSP_COUNTERS(X)
#undef X
};

const char *macaw_csp_counter_name(size_t i)
{
	return PICK(counters, i, name);
}

uint64_t macaw_csp_counter(const macaw_csp_stats *s, size_t i)
{
	return PICK_COUNTER(counters, s, i);
}

struct solution_report { /* of solutions, from the inside to the outside */
	macaw_csp *n;
	const macaw_csp_options *o;
	struct csp_phase *phases;
};

static bool report_solution(void *user, const struct csp *n, const int32_t *values)
{
	struct solution_report *t = user;
	bool more = t->o->solution(t->o->context, t->n, values);
	if (t->n->in->broken) /* a question about the network ran out of memory: the search does, too */
		mem_fail();
	return more;
}

static void report_progress(void *user, const struct csp_stats *so_far)
{
	const struct solution_report *t = user;
	macaw_csp_stats outside;
	api_csp_stats(so_far, &outside);
	t->o->progress(t->o->context, &outside);
}

static bool ask_bound(void *user, int64_t *value)
{
	struct solution_report *t = user;
	return t->o->bound(t->o->context, value);
}

/* ---- numbers that steer the searches ---- */

static const struct opt tunings[] = {CSP_TUNING(TUNING_ROW, struct csp_tuning, ){0}};

bool macaw_csp_tuning_at(size_t i, macaw_csp_tuning *out)
{
	if (i + 1 >= sizeof tunings / sizeof *tunings)
		return false;
	const struct opt *o = &tunings[i];
	bool whole = o->kind == OPT_INT;
	*out = (macaw_csp_tuning){o->name, o->help, whole ? (double)o->whole : o->real, o->min, o->max, whole};
	return true;
}

static bool read_tuning(const char *words, struct csp_tuning *into, struct text *error)
{
	struct text all = {0};
	bool good = true;
	opt_defaults(tunings, into);
	text_puts(&all, words ? words : "");
	for (char *at = all.at, *next; good && at && *at; at = next) {
		next = at + strcspn(at, ":");
		if (*next)
			*next++ = 0;
		char *equals = strchr(at, '=');
		if (equals)
			*equals = 0;
		good = opt_set(tunings, into, at, equals ? equals + 1 : NULL, error);
	}
	text_free(&all);
	return good;
}

static bool check_tuning(const char *words, macaw_error *e)
{
	struct csp_tuning unused;
	struct text error = {0};
	bool good = read_tuning(words, &unused, &error);
	if (!good)
		api_fail_text(e, MACAW_USAGE, &error);
	text_free(&error);
	return good;
}

bool macaw_csp_tuning_check(const char *words, macaw_error *e)
{
	struct handle own = {0};
	bool good = false;
	api_clear(e);
	if (!handle_open(&own, e))
		return false;
	GUARD(&own, e, (handle_close(&own), false), good = check_tuning(words, e));
	handle_close(&own);
	return good;
}

static struct csp_options inside_options(const macaw_csp_options *o, struct solution_report *t)
{
	struct csp_options c = csp_defaults;
	c.algorithm = (enum csp_algorithm)o->algorithm;
	c.values = (enum csp_value_order)o->values;
	c.restarts = (enum csp_restarts)o->restarts;
	if (o->consistency)
		c.consistency = (enum csp_consistency)(o->consistency - 1);
	if (o->order)
		c.order = (enum csp_order)(o->order - 1);
	if (o->k)
		c.k = o->k;
	if (o->restart_unit)
		c.restart_unit = o->restart_unit;
	c.nogoods = o->nogoods;
	c.last_conflict = o->last_conflict;
	c.value_symmetry = o->value_symmetry;
	c.keep_weights = o->keep_weights;
	c.max_solutions = o->all ? 0 : o->max_solutions ? o->max_solutions : 1;
	c.max_nodes = o->max_nodes;
	c.limit = api_limit(o->limit);
	c.seed = o->seed;
	c.threads = o->threads;
	c.branch = o->branch;
	c.branch_count = o->branch_count;
	c.free = o->free;
	read_tuning(o->tuning, &c.tune, NULL); /* it was looked at before */
	c.phases = t->phases;
	c.phase_count = t->phases ? o->phase_count : 0;
	c.best_only = !o->any;
	c.bound = o->bound ? ask_bound : NULL;
	c.solution = o->solution ? report_solution : NULL;
	c.progress = o->progress ? report_progress : NULL;
	c.user = t;
	return c;
}

static const char *bad_options(const macaw_csp *n, const macaw_csp_options *o)
{
	bool known = macaw_csp_algorithm_name(o->algorithm) && macaw_csp_consistency_name(o->consistency) &&
	             macaw_csp_order_name(o->order) && macaw_csp_value_order_name(o->values) &&
	             (unsigned)o->restarts <= MACAW_CSP_RESTART_GEOMETRIC;
	if (!known)
		return "an option has a number that means nothing";
	for (size_t i = 0; i < o->phase_count; i++) {
		const macaw_csp_phase *p = &o->phases[i];
		if (!macaw_csp_order_name(p->order) || !macaw_csp_value_order_name(p->values))
			return "a phase has a number that means nothing";
		for (size_t k = 0; k < p->count; k++)
			if (p->variables[k] >= csp_variables(n->n))
				return "one of the variables of a phase is not there";
	}
	for (size_t i = 0; o->branch && i < o->branch_count; i++)
		if (o->branch[i] >= csp_variables(n->n))
			return "one of the variables to decide is not there";
	return NULL;
}

static void convert_phases(const macaw_csp_options *o, struct solution_report *t)
{
	t->phases = o->phase_count ? mem_alloc(o->phase_count, sizeof *t->phases) : NULL;
	for (size_t i = 0; i < o->phase_count; i++) {
		const macaw_csp_phase *p = &o->phases[i];
		t->phases[i] = (struct csp_phase){.vars = p->variables,
		                                  .count = p->count,
		                                  .order = p->order ? (enum csp_order)(p->order - 1) : csp_defaults.order,
		                                  .values = (enum csp_value_order)p->values};
	}
}

static enum csp_status solve_inside(macaw_csp *n, const macaw_csp_options *o, struct csp_stats *s)
{
	struct solution_report t = {.n = n, .o = o};
	convert_phases(o, &t);
	struct csp_options c = inside_options(o, &t);
	enum csp_status status = csp_solve(n->n, &c, s);
	mem_free(t.phases);
	return status;
}

enum macaw_csp_status macaw_csp_solve(macaw_csp *n, const macaw_csp_options *o, macaw_csp_stats *s)
{
	static const macaw_csp_options defaults;
	o = o ? o : &defaults;
	struct csp_stats inside = {0};
	enum csp_status status = CSP_UNKNOWN;
	if (s)
		*s = (macaw_csp_stats){0};
	if (!handle_usable(n->in, &n->error))
		return MACAW_CSP_UNKNOWN;
	inside.refused = bad_options(n, o);
	bool tuned = false;
	if (!inside.refused)
		GUARD(n->in, &n->error, MACAW_CSP_UNKNOWN, tuned = check_tuning(o->tuning, &n->error));
	if (!inside.refused && !tuned) {
		if (s)
			s->refused = n->error.text;
		return MACAW_CSP_UNKNOWN;
	}
	if (!inside.refused)
		GUARD(n->in, &n->error, MACAW_CSP_UNKNOWN, status = solve_inside(n, o, &inside));
	if (inside.refused)
		api_fail(&n->error, MACAW_USAGE, "%s", inside.refused);
	if (s)
		api_csp_stats(&inside, s);
	return (enum macaw_csp_status)status;
}

enum macaw_csp_outcome macaw_csp_enforce(macaw_csp *n, enum macaw_csp_consistency level, uint32_t k, macaw_csp_stats *s)
{
	struct csp_stats inside = {0};
	enum csp_outcome out = CSP_STOPPED;
	enum csp_consistency wanted = level ? (enum csp_consistency)(level - 1) : csp_defaults.consistency;
	if (!macaw_csp_consistency_name(level)) {
		api_fail(&n->error, MACAW_USAGE, "there is no consistency with this number");
		return MACAW_CSP_STOPPED;
	}
	GUARD(n->in, &n->error, MACAW_CSP_STOPPED, out = csp_enforce(n->n, wanted, k ? k : csp_defaults.k, &inside));
	if (s)
		api_csp_stats(&inside, s);
	return (enum macaw_csp_outcome)out;
}

/* ---- symmetries ---- */

uint32_t macaw_csp_value_classes(macaw_csp *n, uint32_t *class_of)
{
	uint32_t classes;
	GUARD(n->in, &n->error, 0, classes = csp_value_classes(n->n, class_of));
	return classes;
}

struct symmetry_handle {
	macaw_csp_symmetry outside; /* first: this is what the caller holds */
	macaw_csp *n;
	struct csp_symmetry inside;
};

static void show_symmetry(struct symmetry_handle *h)
{
	const struct csp_symmetry *s = &h->inside;
	h->outside = (macaw_csp_symmetry){.generators = s->generators,
	                                  .literals = s->literals,
	                                  .images = s->images.at,
	                                  .mantissa = s->mantissa,
	                                  .exponent = s->exponent,
	                                  .vertices = s->vertices,
	                                  .held = s->held,
	                                  .edges = s->edges,
	                                  .skipped = s->skipped,
	                                  .seconds = s->seconds,
	                                  .values = s->values,
	                                  .by_values = s->by_values,
	                                  .posted = s->posted,
	                                  .all = s->all};
}

static struct symmetry_handle *find_symmetry(macaw_csp *n, const struct limit *limit)
{
	struct symmetry_handle *h = NEW(struct symmetry_handle);
	h->n = n;
	csp_symmetry_find(n->n, limit, &h->inside);
	show_symmetry(h);
	return h;
}

macaw_csp_symmetry *macaw_csp_symmetry_find(macaw_csp *n, macaw_limit limit)
{
	struct limit l = api_limit(limit);
	struct symmetry_handle *h;
	GUARD(n->in, &n->error, NULL, h = find_symmetry(n, &l));
	return &h->outside;
}

bool macaw_csp_symmetry_break(macaw_csp *n, macaw_csp_symmetry *s)
{
	struct symmetry_handle *h = (struct symmetry_handle *)s;
	GUARD(n->in, &n->error, false, csp_symmetry_break(n->n, &h->inside));
	show_symmetry(h);
	return true;
}

void macaw_csp_symmetry_free(macaw_csp_symmetry *s)
{
	struct symmetry_handle *h = (struct symmetry_handle *)s;
	if (!h || h->n->in->broken)
		return;
	csp_symmetry_free(&h->inside);
	mem_free(h);
}

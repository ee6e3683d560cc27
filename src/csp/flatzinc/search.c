/* FlatZinc: what the solve item says about the search. Annotations that are not known are hints, and hints can be
 * ignored; those that are known are checked. */
#include "csp/flatzinc/flatzinc_internal.h"

static const struct {
	const char *name;
	enum csp_order order;
} orders[] = {
	{"input_order", CSP_ORDER_LEX},      {"first_fail", CSP_ORDER_DOM},    {"anti_first_fail", CSP_ORDER_LARGE_DOM},
	{"smallest", CSP_ORDER_SMALLEST},    {"largest", CSP_ORDER_LARGEST},   {"occurrence", CSP_ORDER_DEG},
	{"most_constrained", CSP_ORDER_DOM}, {"max_regret", CSP_ORDER_REGRET}, {"dom_w_deg", CSP_ORDER_DOM_WDEG},
	{"impact", CSP_ORDER_DOM_WDEG},      {"activity", CSP_ORDER_DOM_WDEG},
};

static const struct {
	const char *name;
	enum csp_value_order values;
} choices[] = {
	{"indomain_min", CSP_VALUE_MIN},        {"indomain", CSP_VALUE_MIN},
	{"indomain_max", CSP_VALUE_MAX},        {"indomain_median", CSP_VALUE_MEDIAN},
	{"indomain_middle", CSP_VALUE_MEDIAN},  {"indomain_random", CSP_VALUE_RANDOM},
	{"indomain_split", CSP_VALUE_SPLIT},    {"indomain_split_random", CSP_VALUE_SPLIT},
	{"indomain_interval", CSP_VALUE_SPLIT}, {"indomain_reverse_split", CSP_VALUE_REVERSE_SPLIT},
};

static bool named(const struct fz_expr *e, const char *name)
{
	return e->tag == FZ_CALL && !strcmp(e->text, name);
}

static void add_phase(struct fzn *f, const struct fz_expr *e)
{
	struct csp_phase p = {.order = CSP_ORDER_DOM_WDEG, .values = CSP_VALUE_MIN};
	const struct fz_expr *list = &e->items[0];
	if (e->count < 3 || list->tag != FZ_ARRAY)
		fz_fail(f, e->where, "%s takes an array of variables, a choice of variable, a choice of value and a strategy",
		        e->text);
	for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
		if (named(&e->items[1], orders[i].name))
			p.order = orders[i].order;
	for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
		if (named(&e->items[2], choices[i].name))
			p.values = choices[i].values;
	uint32_t *vars = arena_alloc(&f->text, (list->count + 1) * sizeof *vars);
	for (size_t i = 0; i < list->count; i++)
		if (list->items[i].tag == FZ_VAR)
			vars[p.count++] = fz_variable(f, &list->items[i]);
	p.vars = vars;
	if (p.count)
		vec_push(&f->phases, p);
}

static uint32_t restart_scale(const struct fz_expr *e, size_t i)
{
	return i < e->count && e->items[i].tag == FZ_INT && e->items[i].number > 0 && e->items[i].number < 1000000000
	           ? (uint32_t)e->items[i].number
	           : 100;
}

static void read_hint(struct fzn *f, const struct fz_expr *e)
{
	if (named(e, "int_search") || named(e, "bool_search")) {
		add_phase(f, e);
	} else if (named(e, "seq_search") && e->count == 1 && e->items[0].tag == FZ_ARRAY) {
		for (size_t i = 0; i < e->items[0].count; i++)
			read_hint(f, &e->items[0].items[i]);
	} else if (named(e, "restart_luby") || named(e, "restart_constant") || named(e, "restart_linear")) {
		f->restarts = CSP_RESTART_LUBY;
		f->restart_unit = restart_scale(e, 0);
	} else if (named(e, "restart_geometric")) {
		f->restarts = CSP_RESTART_GEOMETRIC;
		f->restart_unit = restart_scale(e, 1);
	}
}

void fz_search(struct fzn *f)
{
	for (size_t i = 0; i < f->hint_count; i++)
		read_hint(f, &f->hints[i]);
	if (f->solving) {
		uint32_t x = fz_variable(f, &f->goal);
		int64_t one = 1;
		csp_objective_sum(f->n, &x, &one, 1, f->solving > 0);
	}
}

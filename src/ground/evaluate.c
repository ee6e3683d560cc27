/* Bottom-up evaluation: relations, indexes over them, and plans that join the literals of a rule. */
#include "ground/evaluate.h"

#include <assert.h>
#include <string.h>

/* An index finds the facts that agree with a literal on its bound places. Facts
 * whose function symbols do not fit the literal are left out. Different keys
 * with one hash share a chain; candidates are matched in full anyway. */
struct index {
	struct literal shape;
	uint64_t bound; /* variables known at look-up */
	struct table table;
	VEC(struct chain { uint32_t first, last; }) chains;
	VEC(struct link { uint32_t tuple, next; }) links;
	struct text key; /* the shape as text, to find a twin */
};

/* A static relation larger than this is not meant to be written out: rules ask it
 * about a few rows, which the interpreter finds without all the others. */
#define STATIC_FACTS 1000000

enum step_kind { STEP_SCAN, STEP_LOOKUP, STEP_ABSENT, STEP_MENTION, STEP_DISTINCT };

struct step {
	enum step_kind kind;
	uint32_t literal; /* position in the body */
	uint32_t index;   /* of STEP_SCAN */
	uint64_t fresh;   /* variables that it binds */
	bool before;      /* only facts strictly older than the trigger */
};

struct plan {
	uint32_t rule;
	uint32_t trigger; /* literal, or TABLE_NONE */
	VEC(struct step) steps;
	struct plan *next; /* same trigger predicate */
};

struct run {
	struct datalog_eval *e;
	const struct plan *plan;
	const struct rule *rule;
	term_t value[DATALOG_MAX_VARS];
	uint32_t found[256]; /* by literal: atom or mention of dynamic ones */
	uint32_t trigger_pred, trigger_tuple;
};

static bool over(struct datalog_eval *e)
{
	size_t work = e->instance_count + e->fact_count;
	if (work > e->max) {
		e->stopped = "the ground program would be too large";
	} else if ((++e->ticks & 4095) == 0) {
		progress_step(&e->progress, (double)work, 0, NULL);
		if (limit_reached(&e->limit))
			e->stopped = "out of time while grounding";
	}
	return e->stopped != NULL;
}

/* ---- relations ------------------------------------------------------------ */

static uint32_t find_row(const struct relation *r, uint64_t h, const term_t *args)
{
	uint32_t it, id;
	for (table_start(&r->index, h, &it); (id = table_next(&r->index, h, &it)) != TABLE_NONE;)
		if (!r->argc || !memcmp(relation_row(r, id), args, r->argc * sizeof *args))
			return id;
	return TABLE_NONE;
}

uint32_t relation_find(const struct relation *r, const term_t *args)
{
	return find_row(r, hash_words(args, r->argc), args);
}

/* The number of the row; *fresh: it was added now. */
static uint32_t relation_put(struct relation *r, const term_t *args, bool *fresh)
{
	uint64_t h = hash_words(args, r->argc);
	uint32_t id = find_row(r, h, args);
	*fresh = id == TABLE_NONE;
	if (!*fresh)
		return id;
	id = r->n++;
	for (uint32_t i = 0; i < r->argc; i++)
		vec_push(&r->cells, args[i]);
	table_add(&r->index, h, id);
	return id;
}

static void relation_free(struct relation *r)
{
	vec_free(&r->cells);
	vec_free(&r->atoms);
	vec_free(&r->indexes);
	table_free(&r->index);
}

/* ---- matching ------------------------------------------------------------- */

static bool match(struct run *run, pat_t p, term_t t)
{
	assert(p < run->e->dl->patterns.n);
	assert(t < run->e->dl->terms.all.n);
	const struct datalog *dl = run->e->dl;
	const struct pattern *x = &dl->patterns.at[p];
	switch (x->kind) {
	case PAT_VARIABLE:
		if (run->value[x->what] == TERM_NONE)
			run->value[x->what] = t;
		return run->value[x->what] == t;
	case PAT_TERM: return x->what == t;
	case PAT_APPLY: break;
	}
	const struct term *y = &dl->terms.all.at[t];
	if (y->name != x->what || y->argc != x->argc)
		return false;
	for (uint32_t i = 0; i < x->argc; i++)
		if (!match(run, dl->kids.at[x->args + i], dl->terms.kids.at[y->args + i]))
			return false;
	return true;
}

static bool match_row(struct run *run, const struct literal *l, const struct relation *r, uint32_t tuple)
{
	assert(l->args + l->argc <= run->e->dl->kids.n);
	assert(tuple < r->n);
	for (uint32_t i = 0; i < l->argc; i++)
		if (!match(run, run->e->dl->kids.at[l->args + i], relation_row(r, tuple)[i]))
			return false;
	return true;
}

static term_t build(struct run *run, pat_t p)
{
	assert(p < run->e->dl->patterns.n);
	struct datalog *dl = run->e->dl;
	const struct pattern x = dl->patterns.at[p];
	if (x.kind == PAT_VARIABLE)
		return run->value[x.what];
	if (x.kind == PAT_TERM)
		return x.what;
	term_t args[DATALOG_MAX_ARGS];
	for (uint32_t i = 0; i < x.argc; i++)
		args[i] = build(run, dl->kids.at[x.args + i]);
	term_t made = term_put(&dl->terms, x.what, x.argc, args);
	if (term_is_large(&dl->terms, made))
		run->e->stopped = TERM_TOO_LARGE;
	return made;
}

static void build_row(struct run *run, const struct literal *l, term_t *row)
{
	assert(l->args + l->argc <= run->e->dl->kids.n);
	for (uint32_t i = 0; i < l->argc; i++)
		row[i] = build(run, run->e->dl->kids.at[l->args + i]);
}

/* ---- indexes -------------------------------------------------------------- */

/* Hash of the places of a fact that the literal has bound; false: does not fit. */
static bool key_of_term(const struct datalog *dl, pat_t p, uint64_t bound, term_t t, uint64_t *h)
{
	assert(p < dl->patterns.n);
	assert(t < dl->terms.all.n);
	const struct pattern *x = &dl->patterns.at[p];
	if (x->kind == PAT_VARIABLE) {
		if (bound >> x->what & 1)
			*h = hash_join(*h, t);
		return true;
	}
	if (x->kind == PAT_TERM)
		return x->what == t;
	const struct term *y = &dl->terms.all.at[t];
	if (y->name != x->what || y->argc != x->argc)
		return false;
	for (uint32_t i = 0; i < x->argc; i++)
		if (!key_of_term(dl, dl->kids.at[x->args + i], bound, dl->terms.kids.at[y->args + i], h))
			return false;
	return true;
}

static void key_of_values(const struct run *run, pat_t p, uint64_t bound, uint64_t *h)
{
	assert(p < run->e->dl->patterns.n);
	const struct datalog *dl = run->e->dl;
	const struct pattern *x = &dl->patterns.at[p];
	if (x->kind == PAT_VARIABLE && (bound >> x->what & 1))
		*h = hash_join(*h, run->value[x->what]);
	else if (x->kind == PAT_APPLY)
		for (uint32_t i = 0; i < x->argc; i++)
			key_of_values(run, dl->kids.at[x->args + i], bound, h);
}

static void index_add(const struct datalog_eval *e, struct index *x, uint32_t tuple)
{
	const term_t *row = relation_row(&e->relations[x->shape.pred], tuple);
	uint64_t h = 0;
	for (uint32_t i = 0; i < x->shape.argc; i++)
		if (!key_of_term(e->dl, e->dl->kids.at[x->shape.args + i], x->bound, row[i], &h))
			return;
	uint32_t it, chain, at = narrow32(x->links.n);
	table_start(&x->table, h, &it);
	chain = table_next(&x->table, h, &it);
	struct link l = {tuple, TABLE_NONE};
	vec_push(&x->links, l);
	if (chain == TABLE_NONE) {
		struct chain c = {at, at};
		table_add(&x->table, h, narrow32(x->chains.n));
		vec_push(&x->chains, c);
	} else {
		x->links.at[x->chains.at[chain].last].next = at;
		x->chains.at[chain].last = at;
	}
}

static void shape_text(const struct datalog *dl, pat_t p, uint64_t bound, struct text *out)
{
	assert(p < dl->patterns.n);
	const struct pattern *x = &dl->patterns.at[p];
	if (x->kind == PAT_VARIABLE) {
		text_puts(out, bound >> x->what & 1 ? " b" : " f");
	} else {
		text_printf(out, x->kind == PAT_TERM ? " t%u" : " a%u(", x->what);
		for (uint32_t i = 0; i < x->argc; i++)
			shape_text(dl, dl->kids.at[x->args + i], bound, out);
		text_putc(out, ')');
	}
}

static uint32_t index_for(struct datalog_eval *e, const struct literal *l, uint64_t bound)
{
	assert(l->pred < e->dl->preds.n && e->relations[l->pred].argc == l->argc);
	struct relation *r = &e->relations[l->pred];
	struct text key = {0};
	text_puts(&key, "");
	for (uint32_t i = 0; i < l->argc; i++)
		shape_text(e->dl, e->dl->kids.at[l->args + i], bound, &key);
	for (size_t i = 0; i < r->indexes.n; i++) {
		const struct index *x = e->indexes.at[r->indexes.at[i]];
		if (x->key.n == key.n && !memcmp(x->key.at, key.at, key.n)) {
			text_free(&key);
			return r->indexes.at[i];
		}
	}
	struct index *x = NEW(struct index);
	*x = (struct index){.shape = *l, .bound = bound, .key = key};
	uint32_t id = narrow32(e->indexes.n);
	vec_push(&e->indexes, x);
	vec_push(&r->indexes, id);
	for (uint32_t t = 0; t < r->n && !over(e); t++)
		index_add(e, x, t);
	return id;
}

/* ---- plans ---------------------------------------------------------------- */

static void count_places(const struct datalog *dl, pat_t p, uint64_t bound, double *known, double *open)
{
	assert(p < dl->patterns.n);
	const struct pattern *x = &dl->patterns.at[p];
	if (x->kind == PAT_VARIABLE)
		*(bound >> x->what & 1 ? known : open) += 1;
	else if (x->kind == PAT_TERM)
		*known += 1;
	else
		for (uint32_t i = 0; i < x->argc; i++)
			count_places(dl, dl->kids.at[x->args + i], bound, known, open);
}

/* How many facts are to be expected when `bound` is known. */
static double fan_out(const struct datalog_eval *e, const struct literal *l, uint64_t bound, uint32_t component)
{
	assert(l->pred < e->dl->preds.n);
	const struct relation *r = &e->relations[l->pred];
	double size = e->dl->preds.at[l->pred].component == component && r->n < 500 ? 500 : r->n + 1;
	double known = 0, open = 0;
	for (uint32_t i = 0; i < l->argc; i++)
		count_places(e->dl, e->dl->kids.at[l->args + i], bound, &known, &open);
	return open == 0 ? 0.5 : __builtin_pow(size, open / (known + open));
}

static struct plan *make_plan(struct datalog_eval *e, uint32_t rule, uint32_t trigger)
{
	assert(rule < e->dl->rules.n);
	const struct datalog *dl = e->dl;
	const struct rule *r = &dl->rules.at[rule];
	uint32_t component = dl->preds.at[r->head.pred].component;
	struct plan *plan = NEW(struct plan);
	*plan = (struct plan){.rule = rule, .trigger = trigger};
	uint64_t bound = trigger == TABLE_NONE ? 0 : dl->literals.at[r->body + trigger].vars;
	bool done[256] = {0};
	if (trigger != TABLE_NONE)
		done[trigger] = true;
	for (uint32_t left = r->count - (trigger != TABLE_NONE); left; left--) {
		uint32_t best = TABLE_NONE;
		double cost = 1e300;
		for (uint32_t k = 0; k < r->count; k++) {
			const struct literal *l = &dl->literals.at[r->body + k];
			bool known = !(l->vars & ~bound);
			double c = known ? (l->kind == LITERAL_YES ? 0.4 : 0) : fan_out(e, l, bound, component);
			if (!done[k] && (known || l->kind == LITERAL_YES) && c < cost) {
				best = k;
				cost = c;
			}
		}
		if (best == TABLE_NONE) { /* an unsafe rule; the checker rejects it before */
			e->stopped = "a variable is nowhere bound";
			return plan;
		}
		const struct literal *l = &dl->literals.at[r->body + best];
		struct step s = {.literal = best, .fresh = l->vars & ~bound};
		s.before = trigger != TABLE_NONE && best < trigger;
		if (l->kind == LITERAL_DISTINCT)
			s.kind = STEP_DISTINCT;
		else if (l->kind == LITERAL_NO)
			s.kind = dl->preds.at[l->pred].dynamic ? STEP_MENTION : STEP_ABSENT;
		else if (!s.fresh)
			s.kind = STEP_LOOKUP;
		else
			s.index = index_for(e, l, bound);
		vec_push(&plan->steps, s);
		done[best] = true;
		bound |= l->vars;
	}
	if (r->head.vars & ~bound)
		e->stopped = "a variable is nowhere bound";
	return plan;
}

static void free_plan(struct plan *p)
{
	vec_free(&p->steps);
	mem_free(p);
}

/* ---- facts ---------------------------------------------------------------- */

static uint32_t add_fact(struct datalog_eval *e, uint32_t pred, const term_t *row)
{
	assert(pred < e->dl->preds.n);
	bool fresh;
	struct relation *r = &e->relations[pred];
	uint32_t tuple = relation_put(r, row, &fresh);
	if (!fresh)
		return tuple;
	e->fact_count++;
	if (e->dl->preds.at[pred].dynamic)
		vec_push(&r->atoms, e->atoms++);
	else if (r->n > STATIC_FACTS)
		e->stopped = "a relation has too many facts";
	for (size_t i = 0; i < r->indexes.n; i++)
		index_add(e, e->indexes.at[r->indexes.at[i]], tuple);
	struct agenda_item item = {pred, tuple};
	vec_push(&e->agenda, item);
	return tuple;
}

/* Is this fluent or move declared, in a rulesheet that declares them? */
static bool declared(const struct datalog_eval *e, uint32_t declaration, const term_t *row)
{
	assert(declaration < e->dl->preds.n);
	const struct relation *r = &e->relations[declaration];
	return !e->declared || !r->n || relation_find(r, row) != TABLE_NONE;
}

static bool same_component(const struct datalog_eval *e, uint32_t p, uint32_t q)
{
	assert(p < e->dl->preds.n && q < e->dl->preds.n);
	return e->dl->preds.at[p].component == e->dl->preds.at[q].component;
}

/* What has been derived for `from` before the component of `to` starts. */
static void pass_on(struct datalog_eval *e, uint32_t from, uint32_t to, uint32_t component)
{
	assert(from < e->dl->preds.n && to < e->dl->preds.n);
	assert(e->relations[from].argc <= 2 && e->relations[from].argc == e->relations[to].argc);
	term_t row[2];
	if (e->dl->preds.at[to].component == component)
		for (uint32_t i = 0; i < e->relations[from].n; i++) {
			memcpy(row, relation_row(&e->relations[from], i), e->relations[from].argc * sizeof *row);
			add_fact(e, to, row);
		}
}

static void emit(struct run *run)
{
	struct datalog_eval *e = run->e;
	const struct rule *r = run->rule;
	term_t row[DATALOG_MAX_ARGS];
	build_row(run, &r->head, row);
	if ((r->head.pred == e->p_next && !declared(e, e->p_base, row)) ||
	    (r->head.pred == e->p_legal && !declared(e, e->p_input, row))) {
		e->outside++;
		return;
	}
	if (r->head.pred == e->p_legal && relation_find(&e->relations[e->p_role], row) == TABLE_NONE)
		return; /* a move of somebody who does not play */
	uint32_t tuple = add_fact(e, r->head.pred, row);
	if (r->head.pred == e->p_next && same_component(e, e->p_next, e->p_true))
		add_fact(e, e->p_true, row);
	else if (r->head.pred == e->p_legal && same_component(e, e->p_legal, e->p_does))
		add_fact(e, e->p_does, row);
	if (!e->dl->preds.at[r->head.pred].dynamic)
		return;
	size_t start = e->instances.n;
	vec_push(&e->instances, e->relations[r->head.pred].atoms.at[tuple]);
	vec_push(&e->instances, 0);
	vec_push(&e->instances, r->clause);
	for (uint32_t k = 0; k < r->count; k++)
		if (run->found[k] != TABLE_NONE)
			vec_push(&e->instances, run->found[k]);
	e->instances.at[start + 1] = (uint32_t)(e->instances.n - start - 3);
	e->instance_count++;
}

/* ---- joining -------------------------------------------------------------- */

/* Facts of `pred` that a step may see. */
static uint32_t visible(const struct run *run, const struct step *s, uint32_t pred)
{
	assert(pred < run->e->dl->preds.n);
	if (pred == run->trigger_pred)
		return run->trigger_tuple + !s->before;
	return run->e->relations[pred].ready;
}

static void note(struct run *run, uint32_t literal, uint32_t pred, uint32_t tuple)
{
	assert(pred < run->e->dl->preds.n);
	assert(literal < run->rule->count);
	if (run->e->dl->preds.at[pred].dynamic)
		run->found[literal] = run->e->relations[pred].atoms.at[tuple] * 2;
}

static void go_on(struct run *run, size_t at);

static void scan(struct run *run, const struct step *s, const struct literal *l, size_t at)
{
	assert(l->args + l->argc <= run->e->dl->kids.n);
	assert(at <= run->plan->steps.n);
	struct datalog_eval *e = run->e;
	const struct index *x = e->indexes.at[s->index];
	uint64_t h = 0;
	for (uint32_t i = 0; i < l->argc; i++)
		key_of_values(run, e->dl->kids.at[l->args + i], l->vars & ~s->fresh, &h);
	uint32_t it, chain, limit = visible(run, s, l->pred);
	table_start(&x->table, h, &it);
	chain = table_next(&x->table, h, &it);
	if (chain == TABLE_NONE)
		return;
	for (uint32_t link = x->chains.at[chain].first; link != TABLE_NONE && !e->stopped; link = x->links.at[link].next) {
		uint32_t tuple = x->links.at[link].tuple;
		if (tuple >= limit || over(e))
			break;
		for (uint64_t f = s->fresh; f; f &= f - 1)
			run->value[__builtin_ctzll(f)] = TERM_NONE;
		if (match_row(run, l, &e->relations[l->pred], tuple)) {
			note(run, s->literal, l->pred, tuple);
			go_on(run, at + 1);
		}
	}
}

static void mention(struct run *run, const struct step *s, const struct literal *l)
{
	assert(l->args + l->argc <= run->e->dl->kids.n);
	struct datalog_eval *e = run->e;
	term_t row[DATALOG_MAX_ARGS];
	bool fresh;
	build_row(run, l, row);
	struct relation *r = &e->mentions[l->pred];
	uint32_t tuple = relation_put(r, row, &fresh);
	if (fresh) {
		struct mention m = {l->pred, tuple};
		vec_push(&r->atoms, narrow32(e->mention_list.n));
		vec_push(&e->mention_list, m);
	}
	run->found[s->literal] = r->atoms.at[tuple] * 2 + 1;
}

static void go_on(struct run *run, size_t at)
{
	assert(at <= run->plan->steps.n);
	struct datalog_eval *e = run->e;
	if (at == run->plan->steps.n) {
		emit(run);
		return;
	}
	const struct step *s = &run->plan->steps.at[at];
	const struct literal *l = &e->dl->literals.at[run->rule->body + s->literal];
	term_t row[DATALOG_MAX_ARGS];
	uint32_t tuple;
	switch (s->kind) {
	case STEP_SCAN: scan(run, s, l, at); return;
	case STEP_LOOKUP:
		build_row(run, l, row);
		tuple = relation_find(&e->relations[l->pred], row);
		if (tuple == TABLE_NONE || tuple >= visible(run, s, l->pred))
			return;
		note(run, s->literal, l->pred, tuple);
		break;
	case STEP_ABSENT:
		build_row(run, l, row);
		if (relation_find(&e->relations[l->pred], row) != TABLE_NONE)
			return;
		break;
	case STEP_MENTION: mention(run, s, l); break;
	case STEP_DISTINCT:
		build_row(run, l, row);
		if (row[0] == row[1])
			return;
		break;
	}
	go_on(run, at + 1);
}

static void run_plan(struct datalog_eval *e, const struct plan *plan, uint32_t pred, uint32_t tuple)
{
	assert(plan->trigger == TABLE_NONE || tuple < e->relations[pred].n);
	const struct rule *r = &e->dl->rules.at[plan->rule];
	struct run run = {.e = e, .plan = plan, .rule = r, .trigger_pred = pred, .trigger_tuple = tuple};
	memset(run.value, 0xff, r->vars * sizeof *run.value);
	memset(run.found, 0xff, r->count * sizeof *run.found);
	if (plan->trigger != TABLE_NONE) {
		const struct literal *l = &e->dl->literals.at[r->body + plan->trigger];
		if (!match_row(&run, l, &e->relations[pred], tuple))
			return;
		note(&run, plan->trigger, pred, tuple);
	}
	go_on(&run, 0);
}

/* ---- components ----------------------------------------------------------- */

/* Rules whose body holds literals of the component wait for facts; the others
 * are joined at once. `waiting` is by predicate. */
static void start_rules(struct datalog_eval *e, uint32_t pred, struct plan **waiting)
{
	assert(pred < e->dl->preds.n);
	struct datalog *dl = e->dl;
	const struct predicate *p = &dl->preds.at[pred];
	for (uint32_t i = 0; i < p->rules && !e->stopped; i++) {
		uint32_t rule = dl->by_head.at[p->first_rule + i];
		const struct rule *r = &dl->rules.at[rule];
		bool waits = false;
		if (r->count > 255) {
			e->stopped = "a rule is too long";
			return;
		}
		for (uint32_t k = 0; k < r->count && !e->stopped; k++) {
			const struct literal *l = &dl->literals.at[r->body + k];
			if (l->kind != LITERAL_YES || dl->preds.at[l->pred].component != p->component)
				continue;
			struct plan *plan = make_plan(e, rule, k);
			plan->next = waiting[l->pred];
			waiting[l->pred] = plan;
			waits = true;
		}
		if (waits || e->stopped)
			continue;
		struct plan *plan = make_plan(e, rule, TABLE_NONE);
		if (!e->stopped)
			run_plan(e, plan, TABLE_NONE, 0);
		free_plan(plan);
	}
}

static void drain(struct datalog_eval *e, struct plan **waiting)
{
	while (e->agenda_head < e->agenda.n && !e->stopped && !over(e)) {
		struct agenda_item item = e->agenda.at[e->agenda_head++];
		e->relations[item.pred].ready = item.tuple + 1;
		for (const struct plan *p = waiting[item.pred]; p && !e->stopped; p = p->next)
			run_plan(e, p, item.pred, item.tuple);
	}
	if (e->agenda_head == e->agenda.n)
		e->agenda.n = e->agenda_head = 0;
}

static bool wanted(const struct datalog *dl, uint32_t p, uint32_t component)
{
	assert(p < dl->preds.n);
	return dl->preds.at[p].component == component && dl->preds.at[p].needed;
}

bool datalog_eval_run(struct datalog_eval *e, struct datalog *dl, size_t max, struct limit limit, bool declared,
                      struct progress progress)
{
	size_t n = dl->preds.n;
	*e = (struct datalog_eval){.dl = dl, .max = max, .limit = limit, .declared = declared, .progress = progress};
	e->relations = NEW_ARRAY(struct relation, n);
	e->mentions = NEW_ARRAY(struct relation, n);
	for (uint32_t p = 0; p < n; p++)
		e->relations[p].argc = e->mentions[p].argc = dl->preds.at[p].argc;
	e->p_true = datalog_find_pred(dl, GDL_TRUE, 1);
	e->p_next = datalog_find_pred(dl, GDL_NEXT, 1);
	e->p_init = datalog_find_pred(dl, GDL_INIT, 1);
	e->p_does = datalog_find_pred(dl, GDL_DOES, 2);
	e->p_legal = datalog_find_pred(dl, GDL_LEGAL, 2);
	e->p_base = datalog_find_pred(dl, GDL_BASE, 1);
	e->p_input = datalog_find_pred(dl, GDL_INPUT, 2);
	e->p_role = datalog_find_pred(dl, GDL_ROLE, 1);
	struct plan **waiting = NEW_ARRAY(struct plan *, n);
	VEC(uint32_t) order = {0}, start = {0};
	for (uint32_t c = 0; c <= dl->components; c++)
		vec_push(&start, 0);
	for (uint32_t p = 0; p < n; p++)
		start.at[dl->preds.at[p].component]++;
	uint32_t total = 0;
	for (uint32_t c = 0; c <= dl->components; c++) {
		uint32_t count = start.at[c];
		start.at[c] = total;
		total += count;
	}
	vec_extend(&order, n);
	for (uint32_t p = 0; p < n; p++)
		order.at[start.at[dl->preds.at[p].component]++] = p;
	/* now start[c] is the end of component c */
	for (uint32_t c = 0; c < dl->components && !e->stopped; c++) {
		uint32_t from = c ? start.at[c - 1] : 0;
		for (uint32_t i = from; i < start.at[c] && !e->stopped; i++)
			if (wanted(dl, order.at[i], c))
				start_rules(e, order.at[i], waiting);
		pass_on(e, e->p_init, e->p_true, c);
		pass_on(e, e->p_next, e->p_true, c);
		pass_on(e, e->p_legal, e->p_does, c);
		drain(e, waiting);
		for (uint32_t i = from; i < start.at[c]; i++)
			for (struct plan *p = waiting[order.at[i]], *q; p; p = q) {
				q = p->next;
				free_plan(p);
			}
	}
	vec_free(&order);
	vec_free(&start);
	mem_free(waiting);
	progress_end(&e->progress);
	return !e->stopped;
}

void datalog_eval_free(struct datalog_eval *e)
{
	for (size_t p = 0; p < e->dl->preds.n; p++) {
		relation_free(&e->relations[p]);
		relation_free(&e->mentions[p]);
	}
	mem_free(e->relations);
	mem_free(e->mentions);
	for (size_t i = 0; i < e->indexes.n; i++) {
		struct index *x = e->indexes.at[i];
		table_free(&x->table);
		vec_free(&x->chains);
		vec_free(&x->links);
		text_free(&x->key);
		mem_free(x);
	}
	vec_free(&e->indexes);
	vec_free(&e->mention_list);
	vec_free(&e->agenda);
	vec_free(&e->instances);
}

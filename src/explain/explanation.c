/* From derivations and failures to steps with texts and notes. */
#include "explain/explanation.h"

#include "base/nearest.h"
#include "explain/derivation.h"
#include "explain/explainer_internal.h"
#include "explain/failure.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MAX_NESTED 3   /* failures within failures */
#define MAX_SIMILAR 3  /* fluents that hold instead */
#define MAX_BRANCHES 4 /* of an `or` that fails */
#define MAX_NEAR 200   /* names that are looked through for a near one */

struct teller {
	struct explainer *x;
	struct explanation *out;
	struct explanation_bounds bounds;
	bool full; /* something was left out */
};

/* ---- texts --------------------------------------------------------------------------- */

static const char *keep(struct explanation *e, struct text *t)
{
	const char *s = arena_text(&e->texts, text_str(t), t->n);
	text_free(t);
	return s;
}

static const char *say(struct explanation *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
static const char *say(struct explanation *e, const char *format, ...)
{
	char line[1000];
	va_list ap;
	va_start(ap, format);
	int n = vsnprintf(line, sizeof line, format, ap);
	va_end(ap);
	return arena_text(&e->texts, line, n < 0 ? 0 : (size_t)n < sizeof line ? (size_t)n : sizeof line - 1);
}

static const char *text_of(struct teller *t, term_t statement, bool negated)
{
	struct text out = {0};
	if (negated)
		text_puts(&out, "(not ");
	explainer_print(t->x, statement, &out);
	if (negated)
		text_putc(&out, ')');
	return keep(t->out, &out);
}

/* Room for another step; the last one says that there were more. UINT32_MAX: no room. */
static uint32_t add(struct teller *t, struct explanation_step s)
{
	struct explanation *e = t->out;
	if (t->full)
		return UINT32_MAX;
	if (e->steps.n + 1 >= t->bounds.steps) {
		t->full = true;
		s = (struct explanation_step){
			.reason = REASON_LEFT_OUT, .depth = s.depth, .parent = s.parent, .statement = "…"};
		s.note = "there are more steps";
	}
	vec_push(&e->steps, s);
	return t->full ? UINT32_MAX : narrow32(e->steps.n) - 1;
}

static struct range node_range(const struct teller *t, node_t n)
{
	return t->x->rules->nodes.at[n].at;
}

/* ---- what holds --------------------------------------------------------------------------- */

/* A step of the derivation, or a leaf, that is still to be told. */
struct open_step {
	uint32_t step;           /* TABLE_NONE: a leaf */
	uint32_t literal, owner; /* the condition it is, and of which step; owner TABLE_NONE: of none */
	uint32_t depth, parent;
};

struct open_list {
	VEC(struct open_step) all;
};

static struct explanation_step leaf(struct teller *t, const struct derivation *p, const struct open_step *o)
{
	bool negated = o->literal & 1;
	term_t s = derivation_literal(t->x, p, &p->steps.at[o->owner], o->literal);
	struct explanation_step out = {.reason = negated ? REASON_ABSENCE : REASON_DISTINCT,
	                               .statement = text_of(t, s, negated)};
	const struct term *a = &t->x->terms->all.at[s];
	if (negated && a->name != GDL_TRUE && a->name != GDL_DOES &&
	    explainer_relation(t->x, a->name, a->argc) == TABLE_NONE)
		out.note = "no rule gives it at all";
	return out;
}

static struct explanation_step inner(struct teller *t, const struct derivation *p, uint32_t step)
{
	static const enum reason reasons[] = {
		[DERIVED_RULE] = REASON_RULE, [DERIVED_FLUENT] = REASON_FLUENT, [DERIVED_MOVE] = REASON_MOVE};
	const struct derived *s = &p->steps.at[step];
	struct explanation_step out = {.reason = reasons[s->source], .statement = text_of(t, s->statement, false)};
	if (s->source != DERIVED_RULE)
		return out;
	const struct gdl_clause *c = &t->x->rules->clauses.at[s->clause];
	if (!c->count)
		out.reason = REASON_FACT;
	out.rule = c->at;
	return out;
}

static void open_conditions(struct teller *t, const struct derivation *p, const struct open_step *o, uint32_t told,
                            struct open_list *open)
{
	const struct derived *s = &p->steps.at[o->step];
	for (uint32_t i = s->count; i-- > 0;) {
		uint32_t literal = p->literals.at[s->literals + i], step = TABLE_NONE;
		if (!(literal & 1) && t->x->rules->nodes.at[literal / 2].name != GDL_DISTINCT)
			step = derivation_of(p, derivation_literal(t->x, p, s, literal));
		vec_push(&open->all, ((struct open_step){step, literal, o->step, o->depth + 1, told}));
	}
}

static void tell_derivation(struct teller *t, const struct derivation *p, uint32_t depth, uint32_t parent)
{
	uint32_t *told = mem_alloc(p->steps.n + 1, sizeof *told);
	struct open_list open = {0};
	memset(told, 0xff, p->steps.n * sizeof *told);
	vec_push(&open.all, ((struct open_step){0, 0, TABLE_NONE, depth, parent}));
	while (open.all.n && !t->full) {
		struct open_step o = vec_pop(&open.all);
		struct explanation_step s = o.step == TABLE_NONE ? leaf(t, p, &o) : inner(t, p, o.step);
		s.depth = o.depth;
		s.parent = o.parent;
		if (o.owner != TABLE_NONE)
			s.condition = node_range(t, o.literal / 2);
		bool again = s.reason == REASON_RULE && told[o.step] != UINT32_MAX;
		if (again) {
			s.reason = REASON_ABOVE;
			s.same = told[o.step];
		}
		uint32_t at = add(t, s);
		if (o.step == TABLE_NONE || again || at == UINT32_MAX)
			continue;
		told[o.step] = at;
		open_conditions(t, p, &o, at, &open);
	}
	vec_free(&open.all);
	mem_free(told);
}

static void tell_why(struct teller *t, term_t statement, uint32_t depth, uint32_t parent)
{
	struct derivation p = {0};
	if (derivation_find(t->x, statement, &p))
		tell_derivation(t, &p, depth, parent);
	derivation_free(&p);
}

/* ---- notes on what does not hold -------------------------------------------------------------- */

static const char *near_element(struct teller *t, uint32_t place, sym_t name, uint32_t argc)
{
	const char *list[MAX_NEAR + 1];
	size_t n = 0;
	uint32_t arity;
	sym_t s;
	for (size_t i = 0; n < MAX_NEAR && (s = gdl_domain_name(t->x->domains, place, i, &arity)) != SYM_NONE; i++)
		if (arity == argc)
			list[n++] = sym_text(&t->x->rules->symbols, s);
	list[n] = NULL;
	return nearest_word(sym_text(&t->x->rules->symbols, name), list);
}

/* The first name in a term that can never stand in its place; NULL: none. */
static const char *never_there(struct teller *t, term_t s, enum gdl_realm realm, uint32_t place)
{
	const struct term a = t->x->terms->all.at[s];
	if (a.name & GAP_BIT || place == GDL_NO_PLACE)
		return NULL;
	if (!gdl_domain_has(t->x->domains, place, a.name, a.argc)) {
		const char *near = near_element(t, place, a.name, a.argc), *name = sym_text(&t->x->rules->symbols, a.name);
		return say(t->out, near ? "`%.80s` never stands there; did you mean `%.80s`?" : "`%.80s` never stands there",
		           name, near);
	}
	for (uint32_t i = 0; i < a.argc; i++) {
		const char *found = never_there(t, term_args(t->x->terms, s)[i], realm,
		                                gdl_domain_place(t->x->domains, realm, a.name, a.argc, i));
		if (found)
			return found;
	}
	return NULL;
}

/* How far two fluents of one name are from each other: the last argument is mostly what the others are about. */
static uint32_t differences(const struct explainer *x, term_t a, term_t b)
{
	uint32_t sum = 0, n = x->terms->all.at[a].argc;
	for (uint32_t i = 0; i < n; i++)
		if (!match_terms(x, term_args(x->terms, a)[i], term_args(x->terms, b)[i]))
			sum += n - i;
	return sum;
}

/* Fluents of the same name that hold instead: those that differ least. */
static const char *instead(struct teller *t, term_t fluent)
{
	const struct explainer *x = t->x;
	const struct term a = x->terms->all.at[fluent];
	struct text out = {0};
	uint32_t least = UINT32_MAX, shown = 0;
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < x->state.n; i++) {
			const struct term *b = &x->terms->all.at[x->state.at[i]];
			if (b->name != a.name || b->argc != a.argc)
				continue;
			uint32_t d = differences(x, fluent, x->state.at[i]);
			if (!pass)
				least = d < least ? d : least;
			if (!pass || d != least || ++shown > MAX_SIMILAR)
				continue;
			text_puts(&out, shown == 1 ? "what holds now: " : " ");
			explainer_print(x, x->state.at[i], &out);
		}
	if (shown > MAX_SIMILAR)
		text_printf(&out, " and %u more", shown - MAX_SIMILAR);
	if (!shown)
		text_printf(&out, "no fluent `%s` holds now", sym_text(&x->rules->symbols, a.name));
	return keep(t->out, &out);
}

static const char *note_fluent(struct teller *t, term_t fluent)
{
	const struct term a = t->x->terms->all.at[fluent];
	if (a.name & GAP_BIT)
		return "no fluent holds now";
	if (t->x->domains) {
		uint32_t root = gdl_domain_place(t->x->domains, REALM_FLUENT, SYM_NONE, 0, 0);
		if (!gdl_domain_has(t->x->domains, root, a.name, a.argc)) {
			const char *near = near_element(t, root, a.name, a.argc), *name = sym_text(&t->x->rules->symbols, a.name);
			return say(t->out, near ? "`%.80s` is never true; did you mean `%.80s`?" : "`%.80s` is never true", name,
			           near);
		}
		const char *never = never_there(t, fluent, REALM_FLUENT, root);
		if (never)
			return never;
	}
	return instead(t, fluent);
}

static const char *note_move(struct teller *t, term_t statement)
{
	const struct explainer *x = t->x;
	struct text out = {0};
	if (!x->moves.n)
		return "no joint move is given";
	term_t role = term_args(x->terms, statement)[0];
	for (size_t i = 0; i < x->moves.n; i++)
		if (match_terms(x, role, x->roles.at[i])) {
			text_puts(&out, out.n ? ", " : "");
			explainer_print(x, x->roles.at[i], &out);
			text_puts(&out, " does ");
			explainer_print(x, x->moves.at[i], &out);
		}
	if (!out.n)
		text_puts(&out, "that is no role");
	return keep(t->out, &out);
}

static const char *note_relation(struct teller *t, term_t statement)
{
	const struct explainer *x = t->x;
	const struct term a = x->terms->all.at[statement];
	const char *list[MAX_NEAR + 1], *name = sym_text(&x->rules->symbols, a.name);
	size_t n = 0;
	for (size_t i = 0; i < x->relations.n && n < MAX_NEAR; i++)
		if (x->relations.at[i].argc == a.argc && x->relations.at[i].name != a.name)
			list[n++] = sym_text(&x->rules->symbols, x->relations.at[i].name);
	list[n] = NULL;
	const char *near = nearest_word(name, list);
	if (near)
		return say(t->out, "no rule gives `%.80s` with %u arguments; did you mean `%.80s`?", name, a.argc, near);
	return say(t->out, "no rule gives `%.80s` with %u arguments", name, a.argc);
}

/* What there is to say at once about a statement that does not hold; NULL: its rules have to be told. */
static const char *note(struct teller *t, term_t statement)
{
	const struct term a = t->x->terms->all.at[statement];
	if (a.name == GDL_TRUE && a.argc == 1)
		return note_fluent(t, term_args(t->x->terms, statement)[0]);
	if (a.name == GDL_DOES && a.argc == 2)
		return note_move(t, statement);
	uint32_t r = explainer_relation(t->x, a.name, a.argc);
	if (r == TABLE_NONE)
		return note_relation(t, statement);
	const struct relation_entry *e = &t->x->relations.at[r];
	bool fits = false;
	for (uint32_t i = 0; i < e->count && !fits; i++)
		fits = match_shape(t->x, t->x->rules->clauses.at[t->x->by_relation.at[e->first + i]].head, statement);
	if (fits)
		return NULL;
	for (uint32_t i = 0; t->x->domains && i < a.argc; i++) {
		enum gdl_realm realm = gdl_realm_of_name(a.name, i);
		uint32_t place = realm == REALM_RELATION ? gdl_domain_place(t->x->domains, realm, a.name, a.argc, i)
		                                         : gdl_domain_place(t->x->domains, realm, SYM_NONE, 0, 0);
		const char *never = never_there(t, term_args(t->x->terms, statement)[i], realm, place);
		if (never)
			return never;
	}
	return "no rule or fact has such a head";
}

/* ---- what does not hold ---------------------------------------------------------------------- */

static void tell_why_not(struct teller *t, term_t statement, uint32_t depth, uint32_t parent, uint32_t nested);

/* A condition that fails, with the values of the rule it stands in. */
static void tell_condition(struct teller *t, const struct failures *f, const struct failure *one, node_t n,
                           uint32_t depth, uint32_t parent, uint32_t nested)
{
	struct explainer *x = t->x;
	const struct gdl_node node = x->rules->nodes.at[n];
	term_t whole = failure_instance(x, f, one, n);
	struct explanation_step s = {.reason = REASON_FAILS,
	                             .depth = depth,
	                             .parent = parent,
	                             .statement = text_of(t, whole, false),
	                             .condition = node.at};
	if (node.name == GDL_NOT) {
		term_t inside = failure_instance(x, f, one, gdl_arg(x->rules, n, 0));
		s.note = "what is negated holds";
		uint32_t at = add(t, s);
		const struct term *a = &x->terms->all.at[inside];
		if (at != UINT32_MAX && a->name != GDL_TRUE && a->name != GDL_DOES)
			tell_why(t, inside, depth + 1, at);
	} else if (node.name == GDL_DISTINCT) {
		s.note = "both are the same";
		add(t, s);
	} else if (node.name == GDL_OR) {
		s.note = "none of its branches holds";
		uint32_t at = add(t, s);
		for (uint32_t i = 0; i < node.argc && i < MAX_BRANCHES && at != UINT32_MAX; i++)
			tell_condition(t, f, one, gdl_arg(x->rules, n, i), depth + 1, at, nested);
	} else if (node.name == GDL_AND) {
		s.note = "not all of them hold";
		add(t, s);
	} else {
		s.note = note(t, whole);
		uint32_t at = add(t, s);
		if (!s.note && at != UINT32_MAX && nested < MAX_NESTED)
			tell_why_not(t, whole, depth + 1, at, nested + 1);
	}
}

static void tell_why_not(struct teller *t, term_t statement, uint32_t depth, uint32_t parent, uint32_t nested)
{
	struct explainer *x = t->x;
	struct failures f = {0};
	uint32_t most = nested ? 1 : t->bounds.rules;
	failures_find(x, statement, &f);
	for (uint32_t i = 0; i < f.all.n && i < most; i++) {
		const struct failure *one = &f.all.at[i];
		const struct gdl_clause *c = &x->rules->clauses.at[one->clause];
		struct explanation_step s = {.reason = REASON_RULE_FAILS,
		                             .depth = depth,
		                             .parent = parent,
		                             .statement = text_of(t, failure_instance(x, &f, one, c->head), false),
		                             .rule = c->at,
		                             .met = one->met,
		                             .conditions = one->conditions};
		uint32_t at = add(t, s);
		if (at != UINT32_MAX)
			tell_condition(t, &f, one, one->failing, depth + 1, at, nested);
	}
	if (f.all.n > most) {
		const char *more =
			say(t->out, "%zu more rule%s could have given it", f.all.n - most, f.all.n - most == 1 ? "" : "s");
		add(t, (struct explanation_step){
				   .reason = REASON_LEFT_OUT, .depth = depth, .parent = parent, .statement = "…", .note = more});
	}
	failures_free(&f);
}

/* ---- the whole ---------------------------------------------------------------------------------- */

bool explanation_make(struct explainer *x, term_t statement, struct explanation_bounds b, struct explanation *out)
{
	struct teller t = {.x = x, .out = out, .bounds = b};
	term_list instances = {0};
	x->work = EXPLAIN_WORK;
	explainer_instances(x, statement, &instances);
	out->instances = instances.n;
	out->holds = instances.n > 0;
	term_t about = instances.n ? instances.at[0] : statement;
	out->statement = text_of(&t, about, false);
	vec_free(&instances);
	if (explainer_trouble(x))
		return false;
	if (out->holds) {
		tell_why(&t, about, 0, UINT32_MAX);
		return !explainer_trouble(x);
	}
	struct explanation_step s = {
		.reason = REASON_FAILS, .parent = UINT32_MAX, .statement = out->statement, .note = note(&t, statement)};
	uint32_t at = add(&t, s);
	if (!s.note)
		tell_why_not(&t, statement, 1, at, 0);
	return !explainer_trouble(x);
}

void explanation_free(struct explanation *e)
{
	vec_free(&e->steps);
	arena_free(&e->texts);
}

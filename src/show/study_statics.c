/* What holds in every position: the tuples of all static relations, the orders among values that they tell, and the
 * variables that rules share between fluents and moves. */
#include "ground/evaluate.h"
#include "show/study_internal.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_FACTS = 200000, MOST_COLUMNS = 8, MOST_ROWS = 20000 };

/* ---- relations ---------------------------------------------------------------------------- */

static sym_t copy_term(struct study *s, const struct datalog *dl, term_t t, struct text *scratch)
{
	vec_clear(scratch);
	term_print(&dl->terms, &dl->source->symbols, t, scratch);
	return sym_put(&s->symbols, text_str(scratch), scratch->n);
}

static void keep_relation(struct study *s, const struct datalog *dl, uint32_t pred, const struct relation *from)
{
	const struct predicate *p = &dl->preds.at[pred];
	if (p->dynamic || p->made || p->argc < 2 || p->argc > MOST_COLUMNS || !from->n || from->n > MOST_ROWS)
		return;
	const char *name = sym_text(&dl->source->symbols, p->name);
	struct relation_of_rules r = {.argc = p->argc, .rows = from->n};
	struct text t = {0};
	r.name = sym_put(&s->symbols, name, strlen(name));
	for (uint32_t i = 0; i < from->n; i++)
		for (uint32_t k = 0; k < p->argc; k++)
			vec_push(&r.cells, copy_term(s, dl, relation_row(from, i)[k], &t));
	text_free(&t);
	vec_push(&s->statics, r);
}

static void keep_derived(struct study *s, const struct datalog *dl)
{
	for (uint32_t p = 0; p < dl->preds.n; p++) {
		const struct predicate *at = &dl->preds.at[p];
		const char *name = sym_text(&dl->source->symbols, at->name);
		if (at->dynamic && !at->made && at->name >= GDL_KEYWORD_COUNT)
			vec_push(&s->derived, (struct predicate_of_rules){sym_put(&s->symbols, name, strlen(name)), at->argc});
	}
}

static bool is_wanted(const struct predicate *p)
{
	return !p->dynamic && p->name != GDL_INIT && p->name != GDL_BASE && p->name != GDL_INPUT;
}

static void evaluate(struct study *s, struct gdl_rules *copy)
{
	struct datalog dl;
	struct datalog_eval e;
	struct text error = {0};
	struct limit limit = {0};
	if (datalog_make(&dl, copy, false, &limit, &error)) {
		keep_derived(s, &dl);
		for (size_t p = 0; p < dl.preds.n; p++)
			dl.preds.at[p].needed = is_wanted(&dl.preds.at[p]);
		if (datalog_eval_run(&e, &dl, MOST_FACTS, limit, false, (struct progress){0}))
			for (uint32_t p = 0; p < dl.preds.n; p++)
				keep_relation(s, &dl, p, &e.relations[p]);
		datalog_eval_free(&e);
	}
	datalog_free(&dl);
	text_free(&error);
}

/* On a copy of the rules: evaluation adds symbols, and the game is shared by threads. */
void study_statics(struct study *s)
{
	struct text t = {0};
	struct diags d = {0};
	gdl_print(s->g->rules, GDL_KIF, &t);
	struct gdl_rules *copy = gdl_read(text_str(&t), t.n, &d);
	if (!d.errors)
		evaluate(s, copy);
	gdl_free(copy);
	diag_free(&d);
	text_free(&t);
}

/* ---- order -------------------------------------------------------------------------------- */

static bool is_number(const char *s)
{
	s += *s == '-';
	return *s && strlen(s) < 10 && !s[strspn(s, "0123456789")];
}

bool study_numbers(const struct study *s, const sym_list *values)
{
	for (size_t i = 0; i < values->n; i++)
		if (!is_number(study_text(s, values->at[i])))
			return false;
	return values->n > 0;
}

static int by_number(const void *a, const void *b, void *symbols)
{
	int x = atoi(sym_text(symbols, *(const sym_t *)a)), y = atoi(sym_text(symbols, *(const sym_t *)b));
	return x < y ? -1 : x > y;
}

static int by_name(const void *a, const void *b, void *symbols)
{
	return natural_order(sym_text(symbols, *(const sym_t *)a), sym_text(symbols, *(const sym_t *)b));
}

/* a, b, c; or r1, r2, r10: the same letters before a number. */
static bool is_lettered(const struct study *s, const sym_list *values)
{
	size_t same = 0;
	bool single = true, numbered = true;
	for (size_t i = 0; i < values->n; i++) {
		const char *v = study_text(s, values->at[i]), *first = study_text(s, values->at[0]);
		size_t prefix = strcspn(v, "0123456789");
		same = i ? same : prefix;
		single &= !v[1];
		numbered &= prefix == same && !strncmp(v, first, prefix) && is_number(v + prefix);
	}
	return values->n > 1 && (single || numbered);
}

/* The successor of each value by one relation; false: some has two, or two have the same. */
static bool successors(const struct relation_of_rules *r, const sym_list *values, uint32_t *next, uint32_t *edges)
{
	uint32_t n = (uint32_t)values->n;
	bool *reached = NEW_ARRAY(bool, n);
	bool single = true;
	*edges = 0;
	for (uint32_t i = 0; i < n; i++)
		next[i] = UINT32_MAX;
	for (uint32_t k = 0; k < r->rows && single; k++) {
		uint32_t a = study_index(values, r->cells.at[k * 2]), b = study_index(values, r->cells.at[k * 2 + 1]);
		if (a == UINT32_MAX || b == UINT32_MAX)
			continue;
		single = a != b && next[a] == UINT32_MAX && !reached[b];
		next[a] = b;
		reached[b] = true;
		++*edges;
	}
	mem_free(reached);
	return single;
}

/* Where the chain starts, or UINT32_MAX: it is no single chain over all values. A ring starts at the value named first.
 */
static uint32_t chain_start(const uint32_t *next, uint32_t n, uint32_t edges, bool *ring)
{
	if (edges + 1 < n || edges > n)
		return UINT32_MAX;
	*ring = edges == n;
	uint32_t start = 0; /* values come as the rules name them */
	for (uint32_t i = 0; i < n && !*ring; i++) {
		bool reached = false;
		for (uint32_t k = 0; k < n; k++)
			reached |= next[k] == i;
		if (!reached)
			start = i;
	}
	uint32_t length = 1;
	for (uint32_t i = next[start]; i != UINT32_MAX && i != start && length <= n; i = next[i])
		length++;
	return length == n ? start : UINT32_MAX;
}

static bool order_by(const struct relation_of_rules *r, sym_list *values, bool *ring)
{
	uint32_t n = (uint32_t)values->n, edges;
	uint32_t *next = NEW_ARRAY(uint32_t, n);
	uint32_t start = UINT32_MAX;
	if (successors(r, values, next, &edges))
		start = chain_start(next, n, edges, ring);
	if (start != UINT32_MAX) {
		sym_list sorted = {0};
		for (uint32_t i = start; sorted.n < n; i = next[i])
			vec_push(&sorted, values->at[i]);
		memcpy(values->at, sorted.at, n * sizeof *sorted.at);
		vec_free(&sorted);
	}
	mem_free(next);
	return start != UINT32_MAX;
}

/* (smaller a b) for every pair: who has more behind it comes first. */
static bool order_by_all_pairs(const struct relation_of_rules *r, sym_list *values)
{
	uint32_t n = (uint32_t)values->n, pairs = 0;
	uint32_t *behind = NEW_ARRAY(uint32_t, n);
	sym_list sorted = {0};
	for (uint32_t k = 0; k < r->rows; k++) {
		uint32_t a = study_index(values, r->cells.at[k * 2]), b = study_index(values, r->cells.at[k * 2 + 1]);
		if (a != UINT32_MAX && b != UINT32_MAX) {
			behind[a]++;
			pairs++;
		}
	}
	for (uint32_t rank = n; rank-- > 0 && pairs == n * (n - 1) / 2;)
		for (uint32_t i = 0; i < n; i++)
			if (behind[i] == rank)
				vec_push(&sorted, values->at[i]);
	/* each number behind once: then no pair goes both ways, and none is missing */
	bool total = sorted.n == n;
	for (uint32_t i = 0; i < n && total; i++)
		total = behind[study_index(values, sorted.at[i])] == n - 1 - i;
	if (total)
		memcpy(values->at, sorted.at, n * sizeof *sorted.at);
	vec_free(&sorted);
	mem_free(behind);
	return total;
}

/* Along a static relation. */
static bool order_by_rules(const struct study *s, sym_list *values, bool *ring)
{
	*ring = false;
	for (size_t i = 0; i < s->statics.n; i++)
		if (values->n > 2 && s->statics.at[i].argc == 2 && order_by(&s->statics.at[i], values, ring))
			return true;
	*ring = false;
	for (size_t i = 0; i < s->statics.n; i++)
		if (values->n > 2 && s->statics.at[i].argc == 2 && order_by_all_pairs(&s->statics.at[i], values))
			return true;
	return false;
}

/* Numbers know their order themselves; all that a relation may add is that they form a ring. */
static bool is_ring(const struct study *s, const sym_list *values)
{
	sym_list copy = {0};
	bool ring = false;
	vec_set(&copy, values->at, values->n);
	for (size_t i = 0; i < s->statics.n && !ring && values->n > 2; i++)
		ring = s->statics.at[i].argc == 2 && order_by(&s->statics.at[i], &copy, &ring) && ring;
	vec_free(&copy);
	return ring;
}

/* As the rules name them first. */
static int by_appearance(const void *a, const void *b, void *context)
{
	const struct study *s = context;
	const struct symbols *rules = &s->g->rules->symbols;
	const struct sym_entry *p = &s->symbols.all.at[*(const sym_t *)a], *q = &s->symbols.all.at[*(const sym_t *)b];
	sym_t x = sym_find(rules, p->text, p->length), y = sym_find(rules, q->text, q->length);
	return x != y ? (x < y ? -1 : 1) : strcmp(p->text, q->text);
}

void study_order(const struct study *s, sym_list *values, bool *ring)
{
	*ring = false;
	if (values->n < 2)
		return;
	qsort_r(values->at, values->n, sizeof *values->at, by_appearance, unconst(s));
	if (study_numbers(s, values)) {
		qsort_r(values->at, values->n, sizeof *values->at, by_number, unconst(&s->symbols));
		*ring = is_ring(s, values);
	} else if (!order_by_rules(s, values, ring) && is_lettered(s, values)) {
		qsort_r(values->at, values->n, sizeof *values->at, by_name, unconst(&s->symbols));
	}
}

bool study_is_ranked(const struct study *s, const sym_list *values)
{
	sym_list copy = {0};
	bool ring;
	vec_set(&copy, values->at, values->n);
	bool ranked = study_numbers(s, values) || order_by_rules(s, &copy, &ring);
	vec_free(&copy);
	return ranked;
}

bool study_is_ordered(const struct study *s, const sym_list *values)
{
	return is_lettered(s, values) || study_is_ranked(s, values);
}

/* ---- variables ---------------------------------------------------------------------------- */

/* Places of one clause at which a variable stands: in a fluent, in a move, or in a predicate that depends on the
 * position (numbered behind the fluents and moves), which hands on what its rules say. */
struct places {
	struct study *s;
	const struct gdl_rules *r;
	VEC(struct standing {
		sym_t variable;
		uint32_t family;
		int arg;
		bool does_random, next;
	}) at;
};

/* The form of a term, as in study.c: its words, with _ for whatever is no function, or for all inside. */
static void form_of(const struct gdl_rules *r, node_t n, bool outer, bool deep, struct text *form)
{
	const struct gdl_node *node = &r->nodes.at[n];
	if (node->variable || (!outer && (!node->argc || !deep))) {
		text_putc(form, '_');
		return;
	}
	text_printf(form, "%s(", sym_text(&r->symbols, node->name));
	for (uint32_t i = 0; i < node->argc; i++)
		form_of(r, gdl_arg(r, n, i), false, deep, form);
	if (node->argc)
		text_putc(form, ')');
}

/* What is the same of all variables of a term. */
struct origin {
	uint32_t family;
	bool deep, random, next;
};

static void note_variables(struct places *p, node_t n, const struct origin *from, int *arg)
{
	const struct gdl_node *node = &p->r->nodes.at[n];
	bool inside = !node->variable && node->argc && from->deep;
	if (node->variable && *arg < STUDY_ARGS)
		vec_push(&p->at, (struct standing){node->name, from->family, *arg, from->random, from->next});
	if (!inside)
		++*arg;
	for (uint32_t i = 0; i < node->argc && inside; i++)
		note_variables(p, gdl_arg(p->r, n, i), from, arg);
}

static uint32_t family_with_form(const struct study *s, const family_list *all, const struct text *form)
{
	sym_t f = sym_find(&s->symbols, text_str(form), form->n);
	for (uint32_t i = 0; i < all->n && f != SYM_NONE; i++)
		if (all->at[i].form == f)
			return i;
	return NO_FAMILY;
}

static void note_term(struct places *p, node_t term, bool move, bool random, bool next)
{
	const family_list *all = move ? &p->s->move_families : &p->s->families;
	for (int deep = 1; deep >= 0; deep--) {
		struct text form = {0};
		form_of(p->r, term, true, deep, &form);
		uint32_t family = family_with_form(p->s, all, &form);
		text_free(&form);
		if (family == NO_FAMILY)
			continue;
		struct origin from = {move ? family + (uint32_t)p->s->families.n : family, deep, random, next};
		int arg = 0;
		for (uint32_t i = 0; i < p->r->nodes.at[term].argc; i++)
			note_variables(p, gdl_arg(p->r, term, i), &from, &arg);
		return;
	}
}

static uint32_t first_derived(const struct study *s)
{
	return (uint32_t)(s->families.n + s->move_families.n);
}

static void note_derived(struct places *p, node_t n)
{
	const struct gdl_node *node = &p->r->nodes.at[n];
	const struct sym_entry *name = &p->r->symbols.all.at[node->name];
	sym_t mine = sym_find(&p->s->symbols, name->text, name->length);
	for (uint32_t i = 0; i < p->s->derived.n && node->argc; i++)
		if (p->s->derived.at[i].name == mine && p->s->derived.at[i].argc == node->argc)
			for (uint32_t k = 0; k < node->argc && k < STUDY_ARGS; k++) {
				const struct gdl_node *arg = &p->r->nodes.at[gdl_arg(p->r, n, k)];
				if (arg->variable)
					vec_push(&p->at, (struct standing){arg->name, first_derived(p->s) + i, (int)k, false, false});
			}
}

static void note_formula(struct places *p, node_t n)
{
	const struct gdl_node *node = &p->r->nodes.at[n];
	if (node->variable)
		return;
	bool fluent = node->name == GDL_TRUE || node->name == GDL_NEXT || node->name == GDL_INIT || node->name == GDL_BASE;
	bool move = node->name == GDL_DOES || node->name == GDL_LEGAL || node->name == GDL_INPUT;
	if (fluent && node->argc == 1)
		note_term(p, gdl_arg(p->r, n, 0), false, false, node->name == GDL_NEXT);
	else if (move && node->argc == 2)
		note_term(p, gdl_arg(p->r, n, 1), true,
		          node->name == GDL_DOES && p->r->nodes.at[gdl_arg(p->r, n, 0)].name == GDL_RANDOM, false);
	else if (node->name == GDL_NOT || node->name == GDL_OR || node->name == GDL_AND)
		for (uint32_t i = 0; i < node->argc; i++)
			note_formula(p, gdl_arg(p->r, n, i));
	else
		note_derived(p, n);
}

static uint64_t pair_of(uint32_t family, int arg, uint32_t other, int other_arg)
{
	uint64_t a = (uint64_t)family * STUDY_ARGS + (uint64_t)arg, b = (uint64_t)other * STUDY_ARGS + (uint64_t)other_arg;
	return a < b ? a << 32 | b : b << 32 | a;
}

static void note_pairs(struct places *p)
{
	for (size_t i = 0; i < p->at.n; i++)
		for (size_t k = 0; k < p->at.n; k++) {
			const struct standing *a = &p->at.at[i], *b = &p->at.at[k];
			if (i == k || a->variable != b->variable)
				continue;
			if (i < k && (a->family != b->family || a->arg != b->arg))
				vec_push(&p->s->shared, pair_of(a->family, a->arg, b->family, b->arg));
			if (a->next && b->does_random)
				p->s->families.at[a->family].thrown = true;
			if (a->next && b->family >= p->s->families.n && b->family < first_derived(p->s))
				vec_push(&p->s->effects, (uint64_t)a->family << 32 | (b->family - (uint32_t)p->s->families.n));
		}
}

static int by_pair(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

static void sort_pairs(struct study *s)
{
	size_t n = 0;
	if (s->shared.n > 1)
		qsort(s->shared.at, s->shared.n, sizeof *s->shared.at, by_pair);
	for (size_t i = 0; i < s->shared.n; i++)
		if (!i || s->shared.at[i] != s->shared.at[i - 1])
			s->shared.at[n++] = s->shared.at[i];
	s->shared.n = n;
}

static uint32_t root_of(uint32_t *parent, uint32_t i)
{
	while (parent[i] != i)
		i = parent[i] = parent[parent[i]];
	return i;
}

/* What a derived predicate joins: all places that share a variable with it, or with one that it shares a variable with.
 */
static void join_through_predicates(struct study *s)
{
	uint32_t first = first_derived(s) * STUDY_ARGS, n = (uint32_t)s->derived.n * STUDY_ARGS;
	uint32_t *parent = NEW_ARRAY(uint32_t, n + 1);
	size_t direct = s->shared.n;
	VEC(struct joined { uint32_t root, place; }) joined = {0};
	for (uint32_t i = 0; i < n; i++)
		parent[i] = i;
	for (size_t i = 0; i < direct; i++) {
		uint32_t a = (uint32_t)(s->shared.at[i] >> 32), b = (uint32_t)s->shared.at[i];
		if (a >= first && b >= first)
			parent[root_of(parent, a - first)] = root_of(parent, b - first);
	}
	for (size_t i = 0; i < direct; i++) {
		uint32_t a = (uint32_t)(s->shared.at[i] >> 32), b = (uint32_t)s->shared.at[i];
		if (a < first && b >= first)
			vec_push(&joined, (struct joined){root_of(parent, b - first), a});
	}
	for (size_t i = 0; i < joined.n && joined.n < 5000; i++)
		for (size_t k = 0; k < i; k++)
			if (joined.at[i].root == joined.at[k].root && joined.at[i].place != joined.at[k].place) {
				uint64_t a = joined.at[i].place, b = joined.at[k].place;
				vec_push(&s->shared, a < b ? a << 32 | b : b << 32 | a);
			}
	vec_free(&joined);
	mem_free(parent);
	sort_pairs(s);
}

void study_rules(struct study *s)
{
	const struct gdl_rules *r = s->g->rules;
	struct places p = {.s = s, .r = r};
	for (size_t i = 0; i < r->clauses.n; i++) {
		vec_clear(&p.at);
		note_formula(&p, r->clauses.at[i].head);
		for (uint32_t k = 0; k < r->clauses.at[i].count; k++)
			note_formula(&p, r->kids.at[r->clauses.at[i].body + k]);
		note_pairs(&p);
	}
	vec_free(&p.at);
	sort_pairs(s);
	join_through_predicates(s);
}

bool study_shares(const struct study *s, uint32_t family, int arg, uint32_t other, int other_arg)
{
	uint64_t key = pair_of(family, arg, other, other_arg);
	return s->shared.n && bsearch(&key, s->shared.at, s->shared.n, sizeof key, by_pair);
}

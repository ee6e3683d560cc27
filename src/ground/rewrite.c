/* From clauses to Datalog rules.
 *
 * 1. Bodies are brought into disjunctive form: one rule per disjunct.
 * 2. Predicates are marked dynamic (they depend on the state or the moves) and
 *    needed (something we ask for depends on them).
 * 3. Static relations that tie several fluents together are unfolded. Then
 *    projection: a variable that does not stand in the head is eliminated
 *    together with the literals it stands in,
 *
 *        next(cell(m,n,o)) :- true(cell(m,n,o)), does(r, mark(x,y)), far(x,y,m,n)
 *
 *    becomes $1(x,y) :- does(r, mark(x,y)).  $2(m,n) :- $1(x,y), far(x,y,m,n).
 *            next(cell(m,n,o)) :- true(cell(m,n,o)), $2(m,n).
 *
 *    as in bucket elimination (Dechter 1999): the number of ground instances is
 *    exponential in the largest bucket and no longer in the number of variables
 *    of the clause. It is what keeps Hex and its like small.
 * 4. Strongly connected components give the order of evaluation. For grounding,
 *    `true` depends on `next` and `init`, and `does` on `legal`. */
#include "graph/scc.h"
#include "ground/datalog.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

struct rewriter {
	struct datalog *dl;
	struct text *error;
	VEC(sym_t) names; /* of the variables of the clause at hand */
	struct table made_index;
	VEC(struct made {
		uint32_t pred;
		char *key;
	}) made;
	unsigned last_name;
	const struct limit *limit;
	size_t literals, ticks; /* in the cubes of the clause at hand; of the limit */
	bool late;
	bool too_wide; /* a term with too many arguments, or too large, was met */
};

/* ---- predicates ---------------------------------------------------------- */

uint32_t datalog_find_pred(const struct datalog *dl, sym_t name, uint32_t argc)
{
	uint64_t h = hash_join(name, argc);
	uint32_t it, id;
	for (table_start(&dl->pred_index, h, &it); (id = table_next(&dl->pred_index, h, &it)) != TABLE_NONE;)
		if (dl->preds.at[id].name == name && dl->preds.at[id].argc == argc)
			return id;
	return TABLE_NONE;
}

uint32_t datalog_pred(struct datalog *dl, sym_t name, uint32_t argc)
{
	uint32_t id = datalog_find_pred(dl, name, argc);
	if (id != TABLE_NONE)
		return id;
	id = narrow32(dl->preds.n);
	struct predicate p = {.name = name, .argc = argc};
	vec_push(&dl->preds, p);
	table_add(&dl->pred_index, hash_join(name, argc), id);
	return id;
}

/* ---- clauses to conjunctions --------------------------------------------- */

/* A conjunction of literals: node * 2 + negated. */
struct cube {
	VEC(node_t) nodes;
};

struct cube_list {
	VEC(struct cube) cubes;
};

static void cubes_free(struct cube_list *c)
{
	for (size_t i = 0; i < c->cubes.n; i++)
		vec_free(&c->cubes.at[i].nodes);
	vec_free(&c->cubes);
}

static void cube_append(struct rewriter *w, struct cube *to, const struct cube *from)
{
	for (size_t k = 0; k < from->nodes.n; k++)
		vec_push(&to->nodes, from->nodes.at[k]);
	w->literals += from->nodes.n;
}

static bool cubes_fit(struct rewriter *w, size_t count)
{
	if (!(++w->ticks & 1023) && limit_reached(w->limit))
		w->late = true;
	return !w->late && count <= DATALOG_MAX_CUBES && w->literals <= DATALOG_MAX_LITERALS;
}

/* Every one with every one of `by`; with a single one in place, so that long conjunctions take linear time. */
static bool cubes_multiply(struct rewriter *w, struct cube_list *into, const struct cube_list *by)
{
	size_t n = into->cubes.n, m = by->cubes.n;
	if (!cubes_fit(w, n * m))
		return false;
	if (m == 1) {
		for (size_t i = 0; i < n; i++)
			cube_append(w, &into->cubes.at[i], &by->cubes.at[0]);
		return true;
	}
	struct cube_list product = {0};
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < m; j++) {
			struct cube c = {0};
			cube_append(w, &c, &into->cubes.at[i]);
			cube_append(w, &c, &by->cubes.at[j]);
			vec_push(&product.cubes, c);
		}
	cubes_free(into);
	*into = product;
	return true;
}

/* Takes what is in `from`. */
static bool cubes_add(struct rewriter *w, struct cube_list *into, struct cube_list *from)
{
	for (size_t i = 0; i < from->cubes.n; i++)
		vec_push(&into->cubes, from->cubes.at[i]);
	vec_clear(&from->cubes);
	return cubes_fit(w, into->cubes.n);
}

static bool expand(struct rewriter *w, node_t n, bool negated, struct cube_list *out);

/* All of a list of formulas (`every`) or any of them. */
static bool expand_list(struct rewriter *w, const node_t *list, uint32_t count, bool negated, bool every,
                        struct cube_list *out)
{
	bool fine = true;
	*out = (struct cube_list){0};
	if (every)
		vec_push(&out->cubes, ((struct cube){0})); /* one empty cube: true */
	for (uint32_t i = 0; fine && i < count; i++) {
		struct cube_list one;
		fine = expand(w, list[i], negated, &one) && (every ? cubes_multiply(w, out, &one) : cubes_add(w, out, &one));
		cubes_free(&one);
	}
	return fine;
}

static bool expand(struct rewriter *w, node_t n, bool negated, struct cube_list *out)
{
	const struct gdl_rules *src = w->dl->source;
	const struct gdl_node *x = &src->nodes.at[n];
	const node_t *kids = src->kids.at + x->args;
	if (!x->variable && x->name == GDL_NOT && x->argc == 1)
		return expand(w, kids[0], !negated, out);
	if (!x->variable && (x->name == GDL_OR || x->name == GDL_AND))
		return expand_list(w, kids, x->argc, negated, (x->name == GDL_AND) != negated, out);
	struct cube c = {0};
	vec_push(&c.nodes, n * 2 + negated);
	*out = (struct cube_list){0};
	vec_push(&out->cubes, c);
	return true;
}

/* ---- nodes to patterns --------------------------------------------------- */

static uint32_t variable_number(struct rewriter *w, sym_t name)
{
	for (size_t i = 0; i < w->names.n; i++)
		if (w->names.at[i] == name)
			return (uint32_t)i;
	vec_push(&w->names, name);
	return narrow32(w->names.n) - 1;
}

static pat_t add_pattern(struct datalog *dl, struct pattern p)
{
	vec_push(&dl->patterns, p);
	return (pat_t)dl->patterns.n - 1;
}

static pat_t make_pattern(struct rewriter *w, node_t n, uint64_t *vars)
{
	struct datalog *dl = w->dl;
	const struct gdl_node x = dl->source->nodes.at[n];
	if (x.variable) {
		uint32_t v = variable_number(w, x.name);
		*vars |= UINT64_C(1) << (v & 63);
		return add_pattern(dl, (struct pattern){PAT_VARIABLE, v, 0, 0});
	}
	VEC(pat_t) args = {0};
	bool ground = true;
	w->too_wide |= x.argc > DATALOG_MAX_ARGS;
	for (uint32_t i = 0; i < x.argc; i++) {
		pat_t a = make_pattern(w, gdl_arg(dl->source, n, i), vars);
		ground &= dl->patterns.at[a].kind == PAT_TERM;
		vec_push(&args, a);
	}
	struct pattern p = {PAT_APPLY, x.name, x.argc, narrow32(dl->kids.n)};
	if (ground) {
		VEC(term_t) terms = {0};
		for (uint32_t i = 0; i < x.argc; i++)
			vec_push(&terms, dl->patterns.at[args.at[i]].what);
		p = (struct pattern){PAT_TERM, term_put(&dl->terms, x.name, x.argc, terms.at), 0, 0};
		vec_free(&terms);
		w->too_wide |= term_is_large(&dl->terms, p.what);
	} else {
		for (uint32_t i = 0; i < x.argc; i++)
			vec_push(&dl->kids, args.at[i]);
	}
	vec_free(&args);
	return add_pattern(dl, p);
}

static struct literal make_literal(struct rewriter *w, node_t n, bool negated)
{
	struct datalog *dl = w->dl;
	const struct gdl_node x = dl->source->nodes.at[n];
	struct literal l = {.kind = negated ? LITERAL_NO : LITERAL_YES, .argc = x.argc};
	VEC(pat_t) args = {0};
	w->too_wide |= x.argc > DATALOG_MAX_ARGS;
	for (uint32_t i = 0; i < x.argc; i++)
		vec_push(&args, make_pattern(w, gdl_arg(dl->source, n, i), &l.vars));
	l.args = narrow32(dl->kids.n);
	for (uint32_t i = 0; i < x.argc; i++)
		vec_push(&dl->kids, args.at[i]);
	vec_free(&args);
	if (x.name == GDL_DISTINCT && x.argc == 2)
		l.kind = LITERAL_DISTINCT;
	else
		l.pred = datalog_pred(dl, x.name, x.argc);
	return l;
}

static bool make_rules(struct rewriter *w, uint32_t clause)
{
	struct datalog *dl = w->dl;
	const struct gdl_clause c = dl->source->clauses.at[clause];
	struct cube_list cubes;
	w->literals = 0;
	bool fine = expand_list(w, dl->source->kids.at + c.body, c.count, false, true, &cubes);
	for (size_t i = 0; fine && i < cubes.cubes.n; i++) {
		const struct cube *cube = &cubes.cubes.at[i];
		struct rule r = {.clause = clause};
		vec_clear(&w->names);
		r.head = make_literal(w, c.head, false);
		VEC(struct literal) body = {0};
		for (size_t k = 0; fine && k < cube->nodes.n; k++) {
			struct literal l = make_literal(w, cube->nodes.at[k] / 2, cube->nodes.at[k] & 1);
			/* the checker has reported negated ones */
			fine = (l.kind != LITERAL_DISTINCT || !(cube->nodes.at[k] & 1)) && cubes_fit(w, 0);
			vec_push(&body, l);
		}
		r.body = narrow32(dl->literals.n);
		r.count = narrow32(body.n);
		r.vars = narrow32(w->names.n);
		fine = fine && r.vars <= DATALOG_MAX_VARS && !w->too_wide;
		for (size_t k = 0; k < body.n; k++)
			vec_push(&dl->literals, body.at[k]);
		vec_free(&body);
		vec_push(&dl->rules, r);
	}
	cubes_free(&cubes);
	if (!fine && w->late)
		text_puts(w->error, DATALOG_LATE);
	else if (!fine)
		text_printf(w->error, "a rule of `%s` is too large to expand",
		            sym_text(&dl->source->symbols, dl->source->nodes.at[c.head].name));
	return fine;
}

/* ---- what is dynamic, what is needed ------------------------------------- */

static bool marked(const struct datalog *dl, const struct literal *l)
{
	assert(l->args + l->argc <= dl->kids.n);
	return l->kind != LITERAL_DISTINCT && dl->preds.at[l->pred].dynamic;
}

void datalog_uses_make(struct datalog_uses *u, const struct datalog *dl)
{
	*u = (struct datalog_uses){0};
	vec_extend(&u->start, dl->preds.n + 2);
	memset(u->start.at, 0, u->start.n * sizeof *u->start.at);
	for (int pass = 0; pass < 2; pass++) {
		for (uint32_t i = 0; i < dl->rules.n; i++)
			for (uint32_t k = 0; k < dl->rules.at[i].count; k++) {
				const struct literal *l = &dl->literals.at[dl->rules.at[i].body + k];
				if (l->kind == LITERAL_DISTINCT)
					continue;
				if (pass)
					u->rules.at[u->start.at[l->pred + 1]++] = i;
				else
					u->start.at[l->pred + 2]++;
			}
		if (pass)
			break;
		for (size_t p = 2; p < u->start.n; p++)
			u->start.at[p] += u->start.at[p - 1];
		vec_extend(&u->rules, vec_last(&u->start));
	}
}

void datalog_uses_free(struct datalog_uses *u)
{
	vec_free(&u->start);
	vec_free(&u->rules);
}

typedef VEC(uint32_t) pred_list;

static void mark(struct datalog *dl, uint32_t p, bool needed, pred_list *open)
{
	assert(p < dl->preds.n);
	bool *mark = needed ? &dl->preds.at[p].needed : &dl->preds.at[p].dynamic;
	if (!*mark)
		vec_push(open, p);
	*mark = true;
}

/* From bodies to heads. */
static void mark_dynamic(struct datalog *dl)
{
	static const sym_t roots[][2] = {{GDL_TRUE, 1}, {GDL_DOES, 2},     {GDL_NEXT, 1}, {GDL_LEGAL, 2},
	                                 {GDL_GOAL, 2}, {GDL_TERMINAL, 0}, {GDL_SEES, 2}};
	struct datalog_uses uses;
	pred_list open = {0};
	for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
		mark(dl, datalog_pred(dl, roots[i][0], roots[i][1]), false, &open);
	datalog_uses_make(&uses, dl);
	while (open.n) {
		uint32_t p = vec_pop(&open);
		for (uint32_t i = uses.start.at[p]; i < uses.start.at[p + 1]; i++)
			mark(dl, dl->rules.at[uses.rules.at[i]].head.pred, false, &open);
	}
	datalog_uses_free(&uses);
	vec_free(&open);
}

static void sort_by_head(struct datalog *dl);

/* From heads to bodies. */
static void mark_needed(struct datalog *dl)
{
	static const sym_t roots[][2] = {{GDL_ROLE, 1}, {GDL_INIT, 1},  {GDL_TRUE, 1}, {GDL_DOES, 2},
	                                 {GDL_NEXT, 1}, {GDL_LEGAL, 2}, {GDL_GOAL, 2}, {GDL_TERMINAL, 0},
	                                 {GDL_SEES, 2}, {GDL_BASE, 1},  {GDL_INPUT, 2}};
	pred_list open = {0};
	for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
		mark(dl, datalog_pred(dl, roots[i][0], roots[i][1]), true, &open);
	sort_by_head(dl);
	while (open.n) {
		const struct predicate p = dl->preds.at[vec_pop(&open)];
		for (uint32_t i = 0; i < p.rules; i++) {
			const struct rule *r = &dl->rules.at[dl->by_head.at[p.first_rule + i]];
			for (uint32_t k = 0; k < r->count; k++)
				if (dl->literals.at[r->body + k].kind != LITERAL_DISTINCT)
					mark(dl, dl->literals.at[r->body + k].pred, true, &open);
		}
	}
	vec_free(&open);
}

/* ---- unfolding ----------------------------------------------------------------
 *
 * A static relation that ties many fluents together, like set(p1,p2,p3,p4) "four
 * pieces with something in common", hides the variable that they meet in. With its
 * only rule put in its place, projection can take the fluents one at a time. */

#define TIED 3        /* dynamic literals; fewer are joined well enough as they are */
#define UNFOLD_MAX 60 /* literals of a rule */

static pat_t substitute(struct datalog *dl, pat_t p, const pat_t *value)
{
	assert(p < dl->patterns.n);
	const struct pattern x = dl->patterns.at[p];
	if (x.kind == PAT_VARIABLE)
		return value[x.what];
	if (x.kind == PAT_TERM)
		return p;
	VEC(pat_t) args = {0};
	for (uint32_t i = 0; i < x.argc; i++)
		vec_push(&args, substitute(dl, dl->kids.at[x.args + i], value));
	struct pattern y = {PAT_APPLY, x.what, x.argc, narrow32(dl->kids.n)};
	for (uint32_t i = 0; i < x.argc; i++)
		vec_push(&dl->kids, args.at[i]);
	vec_free(&args);
	return add_pattern(dl, y);
}

static uint64_t pattern_vars(const struct datalog *dl, pat_t p)
{
	assert(p < dl->patterns.n);
	const struct pattern *x = &dl->patterns.at[p];
	uint64_t vars = x->kind == PAT_VARIABLE ? UINT64_C(1) << x->what : 0;
	for (uint32_t i = 0; x->kind == PAT_APPLY && i < x->argc; i++)
		vars |= pattern_vars(dl, dl->kids.at[x->args + i]);
	return vars;
}

/* The only rule of a static predicate, when it has variables of its own and a head
 * of different variables; NULL otherwise. */
static const struct rule *only_rule(const struct datalog *dl, uint32_t pred)
{
	assert(pred < dl->preds.n);
	if (dl->preds.at[pred].rules != 1)
		return NULL;
	const struct rule *only = &dl->rules.at[dl->by_head.at[dl->preds.at[pred].first_rule]];
	if (only->vars <= only->head.argc || __builtin_popcountll(only->head.vars) != (int)only->head.argc)
		return NULL;
	for (uint32_t i = 0; i < only->head.argc; i++)
		if (dl->patterns.at[dl->kids.at[only->head.args + i]].kind != PAT_VARIABLE)
			return NULL;
	for (uint32_t k = 0; k < only->count; k++)
		if (dl->literals.at[only->body + k].pred == pred)
			return NULL;
	return only;
}

static uint32_t tied_literals(const struct datalog *dl, const struct rule *r, const struct literal *l)
{
	assert(r->body + r->count <= dl->literals.n);
	assert(l->args + l->argc <= dl->kids.n);
	uint32_t n = 0;
	for (uint32_t k = 0; k < r->count; k++) {
		const struct literal *x = &dl->literals.at[r->body + k];
		n += x->kind == LITERAL_YES && marked(dl, x) && (x->vars & l->vars);
	}
	return n;
}

/* Puts `by` in the place of literal `at` of rule i. */
static void unfold_literal(struct datalog *dl, size_t i, uint32_t at, const struct rule *by)
{
	assert(i < dl->rules.n && at < dl->rules.at[i].count);
	struct rule r = dl->rules.at[i], unfolded = r, inner = *by;
	const struct literal call = dl->literals.at[r.body + at];
	pat_t value[DATALOG_MAX_VARS];
	uint64_t bound = 0;
	for (uint32_t k = 0; k < inner.head.argc; k++) {
		uint32_t v = dl->patterns.at[dl->kids.at[inner.head.args + k]].what;
		value[v] = dl->kids.at[call.args + k];
		bound |= UINT64_C(1) << v;
	}
	for (uint32_t v = 0; v < inner.vars; v++)
		if (!(bound >> v & 1))
			value[v] = add_pattern(dl, (struct pattern){PAT_VARIABLE, unfolded.vars++, 0, 0});
	unfolded.body = narrow32(dl->literals.n);
	unfolded.count = r.count - 1 + inner.count;
	for (uint32_t k = 0; k < r.count; k++)
		if (k != at) {
			struct literal l = dl->literals.at[r.body + k];
			vec_push(&dl->literals, l);
		}
	for (uint32_t k = 0; k < inner.count; k++) {
		struct literal l = dl->literals.at[inner.body + k];
		VEC(pat_t) args = {0};
		for (uint32_t m = 0; m < l.argc; m++)
			vec_push(&args, substitute(dl, dl->kids.at[l.args + m], value));
		l.args = narrow32(dl->kids.n);
		l.vars = 0;
		for (uint32_t m = 0; m < l.argc; m++) {
			vec_push(&dl->kids, args.at[m]);
			l.vars |= pattern_vars(dl, args.at[m]);
		}
		vec_free(&args);
		vec_push(&dl->literals, l);
	}
	dl->rules.at[i] = unfolded;
}

static void unfold(struct datalog *dl)
{
	for (size_t i = 0; i < dl->rules.n; i++)
		for (uint32_t k = 0; k < dl->rules.at[i].count && dl->rules.at[i].count < UNFOLD_MAX; k++) {
			const struct rule *r = &dl->rules.at[i], *by;
			const struct literal *l = &dl->literals.at[r->body + k];
			if (!dl->preds.at[r->head.pred].dynamic || l->kind != LITERAL_YES || marked(dl, l) ||
			    tied_literals(dl, r, l) < TIED || !(by = only_rule(dl, l->pred)) ||
			    r->vars + by->vars > DATALOG_MAX_VARS || r->count + by->count > UNFOLD_MAX)
				continue;
			unfold_literal(dl, i, k, by);
			k = UINT32_MAX; /* from the start again */
		}
}

/* ---- projection ---------------------------------------------------------- */

/* A bucket: the literals of a body that hold a variable, and their variables. */
struct bucket {
	uint64_t members; /* one bit per literal */
	uint64_t vars, keep;
};

static bool make_bucket(const struct datalog *dl, const struct rule *r, uint32_t v, struct bucket *b)
{
	assert(r->body + r->count <= dl->literals.n);
	assert(v < r->vars && v < DATALOG_MAX_VARS);
	uint64_t bound = 0, outside = r->head.vars, all = r->head.vars;
	bool dynamic = false;
	*b = (struct bucket){0};
	for (uint32_t k = 0; k < r->count; k++) {
		const struct literal *l = &dl->literals.at[r->body + k];
		all |= l->vars;
		if (!(l->vars >> v & 1)) {
			outside |= l->vars;
			continue;
		}
		b->members |= UINT64_C(1) << k;
		b->vars |= l->vars;
		dynamic |= marked(dl, l);
		if (l->kind == LITERAL_YES)
			bound |= l->vars;
	}
	b->keep = b->vars & outside;
	return dynamic && !(b->vars & ~bound) && b->vars != all;
}

static void add_variable(struct datalog *dl, struct literal *l, uint32_t v)
{
	assert(l->args + l->argc <= dl->kids.n);
	vec_push(&dl->kids, add_pattern(dl, (struct pattern){PAT_VARIABLE, v, 0, 0}));
	l->argc++;
	l->vars |= UINT64_C(1) << v;
}

static void print_pattern(const struct datalog *dl, pat_t p, struct text *out)
{
	assert(p < dl->patterns.n);
	const struct pattern *x = &dl->patterns.at[p];
	if (x->kind == PAT_VARIABLE) {
		text_printf(out, "?%u", x->what);
	} else if (x->kind == PAT_TERM) {
		term_print(&dl->terms, &dl->source->symbols, x->what, out);
	} else {
		text_printf(out, "(%s", sym_text(&dl->source->symbols, x->what));
		for (uint32_t i = 0; i < x->argc; i++) {
			text_putc(out, ' ');
			print_pattern(dl, dl->kids.at[x->args + i], out);
		}
		text_putc(out, ')');
	}
}

static void print_literal(const struct datalog *dl, const struct literal *l, struct text *out)
{
	assert(l->args + l->argc <= dl->kids.n);
	text_puts(out, l->kind == LITERAL_NO ? " (not (" : " (");
	text_puts(out,
	          l->kind == LITERAL_DISTINCT ? "distinct" : sym_text(&dl->source->symbols, dl->preds.at[l->pred].name));
	for (uint32_t i = 0; i < l->argc; i++) {
		text_putc(out, ' ');
		print_pattern(dl, dl->kids.at[l->args + i], out);
	}
	text_puts(out, l->kind == LITERAL_NO ? "))" : ")");
}

void datalog_print_rule(const struct datalog *dl, const struct rule *r, struct text *out)
{
	assert(r->body + r->count <= dl->literals.n);
	text_puts(out, "(<=");
	print_literal(dl, &r->head, out);
	for (uint32_t k = 0; k < r->count; k++)
		print_literal(dl, &dl->literals.at[r->body + k], out);
	text_puts(out, ")\n");
}

/* A predicate for this body, the same one for the same text. */
static uint32_t made_predicate(struct rewriter *w, const struct rule *r, struct literal *head)
{
	assert(r->vars <= DATALOG_MAX_VARS);
	struct datalog *dl = w->dl;
	struct text key = {0};
	for (uint32_t i = 0; i < head->argc; i++)
		print_pattern(dl, dl->kids.at[head->args + i], &key);
	for (uint32_t k = 0; k < r->count; k++)
		print_literal(dl, &dl->literals.at[r->body + k], &key);
	uint64_t h = hash_bytes(key.at, key.n);
	uint32_t it, id;
	for (table_start(&w->made_index, h, &it); (id = table_next(&w->made_index, h, &it)) != TABLE_NONE;)
		if (!strcmp(w->made.at[id].key, key.at)) {
			text_free(&key);
			head->pred = w->made.at[id].pred;
			return TABLE_NONE;
		}
	char name[24];
	int length;
	do /* a name that no rule uses */
		length = snprintf(name, sizeof name, "$%u", ++w->last_name);
	while (sym_find(&dl->source->symbols, name, (size_t)length) != SYM_NONE);
	head->pred = datalog_pred(dl, sym_put(&dl->source->symbols, name, (size_t)length), head->argc);
	dl->preds.at[head->pred].made = dl->preds.at[head->pred].dynamic = dl->preds.at[head->pred].needed = true;
	table_add(&w->made_index, h, narrow32(w->made.n));
	struct made m = {head->pred, key.at};
	vec_push(&w->made, m);
	return head->pred;
}

/* Takes the bucket out of rule `at` into a rule of its own. */
static void split(struct rewriter *w, size_t at, const struct bucket *b)
{
	struct datalog *dl = w->dl;
	struct rule r = dl->rules.at[at], made = {.clause = r.clause, .vars = r.vars};
	struct literal head = {.kind = LITERAL_YES, .args = narrow32(dl->kids.n)};
	for (uint32_t v = 0; v < r.vars; v++)
		if (b->keep >> v & 1)
			add_variable(dl, &head, v);
	made.body = narrow32(dl->literals.n);
	for (uint32_t k = 0; k < r.count; k++) {
		struct literal l = dl->literals.at[r.body + k];
		/* Static conditions over the same variables come along: they only narrow. */
		if ((b->members >> k & 1) || (!marked(dl, &l) && l.vars && !(l.vars & ~b->vars))) {
			vec_push(&dl->literals, l);
			made.count++;
		}
	}
	made.head = head;
	bool fresh = made_predicate(w, &made, &head) != TABLE_NONE;
	made.head = head;
	struct rule rest = r;
	rest.body = narrow32(dl->literals.n);
	rest.count = 0;
	for (uint32_t k = 0; k < r.count; k++)
		if (!(b->members >> k & 1)) {
			struct literal l = dl->literals.at[r.body + k];
			vec_push(&dl->literals, l);
			rest.count++;
		}
	vec_push(&dl->literals, head);
	rest.count++;
	dl->rules.at[at] = rest;
	if (fresh)
		vec_push(&dl->rules, made);
}

static void project(struct rewriter *w)
{
	struct datalog *dl = w->dl;
	for (size_t i = 0; i < dl->rules.n; i++) {
		const struct predicate *head = &dl->preds.at[dl->rules.at[i].head.pred];
		if (!head->dynamic || !head->needed)
			continue;
		for (;;) {
			const struct rule *r = &dl->rules.at[i];
			struct bucket best = {0}, b;
			int smallest = 65;
			if (r->count > 64)
				break;
			for (uint32_t v = 0; v < r->vars; v++) {
				if ((r->head.vars >> v & 1) || !make_bucket(dl, r, v, &b))
					continue;
				int size = __builtin_popcountll(b.vars);
				if (size < smallest) {
					smallest = size;
					best = b;
				}
			}
			if (smallest > 64)
				break;
			split(w, i, &best);
		}
	}
}

/* ---- order ---------------------------------------------------------------- */

static void sort_by_head(struct datalog *dl)
{
	VEC(uint32_t) next = {0};
	for (size_t p = 0; p < dl->preds.n; p++)
		dl->preds.at[p].rules = 0;
	for (size_t i = 0; i < dl->rules.n; i++)
		dl->preds.at[dl->rules.at[i].head.pred].rules++;
	uint32_t total = 0;
	for (size_t p = 0; p < dl->preds.n; p++) {
		dl->preds.at[p].first_rule = total;
		vec_push(&next, total);
		total += dl->preds.at[p].rules;
	}
	vec_clear(&dl->by_head);
	vec_extend(&dl->by_head, total);
	for (size_t i = 0; i < dl->rules.n; i++)
		dl->by_head.at[next.at[dl->rules.at[i].head.pred]++] = (uint32_t)i;
	vec_free(&next);
}

struct edge_list {
	VEC(uint32_t) edges, start;
};

static void add_link(const struct datalog *dl, uint32_t p, sym_t from, uint32_t argc, sym_t to, struct edge_list *out)
{
	assert(p < dl->preds.n);
	if (dl->preds.at[p].name == from && dl->preds.at[p].argc == argc && datalog_find_pred(dl, to, argc) != TABLE_NONE)
		vec_push(&out->edges, datalog_find_pred(dl, to, argc));
}

static void find_components(struct datalog *dl)
{
	struct edge_list g = {0};
	uint32_t n = narrow32(dl->preds.n);
	for (uint32_t p = 0; p < n; p++) {
		vec_push(&g.start, narrow32(g.edges.n));
		add_link(dl, p, GDL_TRUE, 1, GDL_NEXT, &g);
		add_link(dl, p, GDL_TRUE, 1, GDL_INIT, &g);
		add_link(dl, p, GDL_TRUE, 1, GDL_BASE, &g);
		add_link(dl, p, GDL_DOES, 2, GDL_LEGAL, &g);
		add_link(dl, p, GDL_DOES, 2, GDL_INPUT, &g);
		/* moves of those who do not play are dropped, so who plays comes first */
		if (p == datalog_find_pred(dl, GDL_LEGAL, 2) && datalog_find_pred(dl, GDL_ROLE, 1) != TABLE_NONE)
			vec_push(&g.edges, datalog_find_pred(dl, GDL_ROLE, 1));
		for (uint32_t i = 0; i < dl->preds.at[p].rules; i++) {
			const struct rule *r = &dl->rules.at[dl->by_head.at[dl->preds.at[p].first_rule + i]];
			for (uint32_t k = 0; k < r->count; k++)
				if (dl->literals.at[r->body + k].kind != LITERAL_DISTINCT)
					vec_push(&g.edges, dl->literals.at[r->body + k].pred);
		}
	}
	vec_push(&g.start, narrow32(g.edges.n));
	uint32_t *component = NEW_ARRAY(uint32_t, n);
	dl->components = graph_components(n, g.start.at, g.edges.at, 0, component);
	for (uint32_t p = 0; p < n; p++)
		dl->preds.at[p].component = component[p];
	mem_free(component);
	vec_free(&g.edges);
	vec_free(&g.start);
}

bool datalog_make(struct datalog *dl, struct gdl_rules *source, bool projecting, const struct limit *limit,
                  struct text *error)
{
	bool fine = true;
	*dl = (struct datalog){.source = source};
	struct rewriter w = {.dl = dl, .error = error, .limit = limit};
	for (uint32_t i = 0; fine && i < source->clauses.n; i++)
		fine = make_rules(&w, i);
	w.late = fine && limit_reached(limit);
	if (w.late)
		text_puts(error, DATALOG_LATE);
	fine &= !w.late;
	if (fine) {
		mark_dynamic(dl);
		mark_needed(dl);
		if (projecting) {
			unfold(dl);
			project(&w);
		}
		sort_by_head(dl);
		find_components(dl);
	}
	vec_free(&w.names);
	for (size_t i = 0; i < w.made.n; i++)
		mem_free(w.made.at[i].key);
	vec_free(&w.made);
	table_free(&w.made_index);
	return fine;
}

void datalog_free(struct datalog *dl)
{
	term_free(&dl->terms);
	vec_free(&dl->patterns);
	vec_free(&dl->kids);
	vec_free(&dl->literals);
	vec_free(&dl->rules);
	vec_free(&dl->preds);
	vec_free(&dl->by_head);
	table_free(&dl->pred_index);
}

/* The questions of a game (legal, next, sees, terminal, goal) put to the prover: which tables outlive a state, which
 * predicates are listed beforehand, and when plans are made anew. */
#include "interp/prove_internal.h"

#include "graph/scc.h"

#include <string.h>

/* Tables that depend on the rules alone are kept for ever, up to this size: a
 * relation over ten numbers may be asked for millions of combinations. */
#define KEPT_WORDS ((size_t)1 << 24)

/* Steps spent beforehand on listing a predicate, and on all of them. */
#define LIST_EACH 50000
#define LIST_TOTAL 300000

/* Plans count on the state they are made in. The first one of a match is often
 * unlike the others (an empty board), so after some states they are made anew. */
#define REPLAN_AFTER 20

/* ---- what is known before the first question --------------------------------- */

static void find_lives(struct interpreter *in)
{
	struct datalog *dl = &in->dl;
	in->life = NEW_ARRAY(enum life, dl->preds.n);
	in->life[in->p_true] = LIFE_STATE;
	in->life[in->p_does] = LIFE_MOVES;
	struct datalog_uses uses;
	VEC(uint32_t) open = {0};
	datalog_uses_make(&uses, dl);
	vec_push(&open, in->p_true);
	vec_push(&open, in->p_does);
	while (open.n) {
		uint32_t p = vec_pop(&open);
		for (uint32_t i = uses.start.at[p]; i < uses.start.at[p + 1]; i++) {
			uint32_t head = dl->rules.at[uses.rules.at[i]].head.pred;
			if (in->life[head] < in->life[p]) {
				in->life[head] = in->life[p];
				vec_push(&open, head);
			}
		}
	}
	datalog_uses_free(&uses);
	vec_free(&open);
}

static void find_recursion(struct interpreter *in)
{
	struct datalog *dl = &in->dl;
	uint32_t n = narrow32(dl->preds.n);
	VEC(uint32_t) start = {0}, edges = {0};
	for (uint32_t p = 0; p < n; p++) {
		vec_push(&start, narrow32(edges.n));
		for (uint32_t i = 0; p != in->p_true && p != in->p_does && i < dl->preds.at[p].rules; i++) {
			const struct rule *r = &dl->rules.at[dl->by_head.at[dl->preds.at[p].first_rule + i]];
			for (uint32_t k = 0; k < r->count; k++)
				if (dl->literals.at[r->body + k].kind != LITERAL_DISTINCT)
					vec_push(&edges, dl->literals.at[r->body + k].pred);
		}
	}
	vec_push(&start, narrow32(edges.n));
	vec_reserve(&edges, 1);
	in->component = NEW_ARRAY(uint32_t, n);
	in->recursive = NEW_ARRAY(bool, n);
	graph_components(n, start.at, edges.at, 0, in->component);
	for (uint32_t p = 0; p < n; p++)
		for (uint32_t e = start.at[p]; e < start.at[p + 1]; e++)
			in->recursive[p] |= in->component[p] == in->component[edges.at[e]];
	vec_free(&start);
	vec_free(&edges);
}

/* Is the fact at the end of the extension there already? */
static bool is_twin(const struct extension *e, struct table *seen, uint32_t pred, uint32_t argc)
{
	const term_t *last = e->cells.at + (size_t)e->n * argc;
	uint64_t h = hash_join(hash_words(last, argc), pred);
	uint32_t it, id;
	for (table_start(seen, h, &it); (id = table_next(seen, h, &it)) != TABLE_NONE;)
		if (id < e->n && (!argc || !memcmp(e->cells.at + (size_t)id * argc, last, argc * sizeof *last)))
			return true;
	table_add(seen, h, e->n);
	return false;
}

static void find_facts(struct interpreter *in)
{
	struct datalog *dl = &in->dl;
	struct table seen = {0};
	in->extensions = NEW_ARRAY(struct extension, dl->preds.n);
	for (uint32_t p = 0; p < dl->preds.n; p++) {
		struct extension *e = &in->extensions[p];
		uint32_t argc = dl->preds.at[p].argc;
		e->whole = true;
		table_clear(&seen);
		for (uint32_t i = 0; i < dl->preds.at[p].rules; i++) {
			const struct rule *r = &dl->rules.at[dl->by_head.at[dl->preds.at[p].first_rule + i]];
			e->whole &= rule_is_fact(r);
			if (!rule_is_fact(r))
				continue;
			for (uint32_t k = 0; k < argc; k++)
				vec_push(&e->cells, dl->patterns.at[dl->kids.at[r->head.args + k]].what);
			if (is_twin(e, &seen, p, argc))
				e->cells.n -= argc;
			else
				e->n++;
		}
	}
	table_free(&seen);
}

/* Marks what the questions of a match lead to. */
static void mark_asked(const struct interpreter *in, bool *asked)
{
	static const sym_t roots[][2] = {{GDL_NEXT, 1}, {GDL_LEGAL, 2}, {GDL_GOAL, 2}, {GDL_TERMINAL, 0}, {GDL_SEES, 2}};
	const struct datalog *dl = &in->dl;
	VEC(uint32_t) stack = {0};
	for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
		vec_push(&stack, datalog_find_pred(dl, roots[i][0], roots[i][1]));
	while (stack.n) {
		uint32_t p = vec_pop(&stack);
		if (asked[p])
			continue;
		asked[p] = true;
		for (uint32_t i = 0; i < dl->preds.at[p].rules; i++) {
			const struct rule *r = &dl->rules.at[dl->by_head.at[dl->preds.at[p].first_rule + i]];
			for (uint32_t k = 0; k < r->count; k++)
				if (dl->literals.at[r->body + k].kind != LITERAL_DISTINCT)
					vec_push(&stack, dl->literals.at[r->body + k].pred);
		}
	}
	vec_free(&stack);
}

/* Lists the predicates that depend on the rules alone, as far as that is cheap:
 * then they are looked up, and the sizes of their tables guide the plans. */
static void list_static(struct interpreter *in)
{
	uint32_t n = narrow32(in->dl.preds.n), components = 0;
	bool *asked = NEW_ARRAY(bool, n);
	uint64_t total = LIST_TOTAL;
	VEC(uint32_t) order = {0};
	mark_asked(in, asked);
	for (uint32_t p = 0; p < n; p++)
		components = in->component[p] >= components ? in->component[p] + 1 : components;
	/* A component comes after all that it leads to. */
	uint32_t *first = NEW_ARRAY(uint32_t, components + 1);
	for (uint32_t p = 0; p < n; p++)
		first[in->component[p] + 1]++;
	for (uint32_t c = 0; c < components; c++)
		first[c + 1] += first[c];
	vec_extend(&order, n);
	for (uint32_t p = 0; p < n; p++)
		order.at[first[in->component[p]]++] = p;
	for (uint32_t i = 0; i < n && total && !limit_reached(&in->limit); i++) {
		uint32_t p = order.at[i];
		if (in->life[p] != LIFE_RULES || in->extensions[p].whole || !asked[p])
			continue;
		uint64_t given = total < LIST_EACH ? total : LIST_EACH, left = given;
		prove_whole(in, p, &left);
		total -= given - left;
		prove_forget(in, LIFE_RULES);
		mode_forget_all(in);
	}
	mem_free(first);
	mem_free(asked);
	vec_free(&order);
}

/* Bound arguments first, free ones behind them. */
static void question(struct interpreter *in, sym_t name, uint32_t bound, uint32_t free, const term_t *key,
                     term_list *out)
{
	uint32_t shape[2], words = 0;
	for (uint32_t i = 0; i < bound; i++)
		shape[words++] = LEAF_BOUND;
	for (uint32_t i = 0; i < free; i++)
		shape[words++] = LEAF_FREE;
	prove(in, mode_get(in, datalog_find_pred(&in->dl, name, words), shape, words), key, out);
}

struct interpreter *interpreter_make(struct gdl_rules *rules, struct limit limit, size_t memory, struct text *error)
{
	struct interpreter *in = NEW(struct interpreter);
	in->limit = limit;
	in->memory = memory;
	if (!datalog_make(&in->dl, rules, false, &limit, error)) {
		interpreter_free(in);
		return NULL;
	}
	in->terms = &in->dl.terms;
	in->p_true = datalog_find_pred(&in->dl, GDL_TRUE, 1);
	in->p_does = datalog_find_pred(&in->dl, GDL_DOES, 2);
	for (int l = 0; l < LIFE_COUNT; l++)
		in->age[l] = ++in->clock;
	find_lives(in);
	find_recursion(in);
	find_facts(in);
	list_static(in);
	question(in, GDL_ROLE, 0, 1, NULL, &in->roles);
	if (!in->trouble)
		return in;
	text_puts(error, in->trouble);
	interpreter_free(in);
	return NULL;
}

void interpreter_free(struct interpreter *in)
{
	if (!in)
		return;
	mode_forget_all(in);
	for (int l = 0; l < LIFE_COUNT; l++) {
		vec_free(&in->stores[l].goals);
		vec_free(&in->stores[l].words);
		table_free(&in->stores[l].index);
	}
	mem_free(in->component);
	mem_free(in->recursive);
	mem_free(in->life);
	for (size_t p = 0; in->extensions && p < in->dl.preds.n; p++)
		vec_free(&in->extensions[p].cells);
	mem_free(in->extensions);
	vec_free(&in->modes);
	vec_free(&in->shapes);
	table_free(&in->mode_index);
	vec_free(&in->plans);
	vec_free(&in->steps);
	vec_free(&in->operands);
	vec_free(&in->roles);
	vec_free(&in->state);
	vec_free(&in->moves);
	vec_free(&in->stamp);
	vec_free(&in->registers);
	vec_free(&in->agenda);
	vec_free(&in->consumers);
	vec_free(&in->saved);
	vec_free(&in->open);
	datalog_free(&in->dl);
	mem_free(in);
}

struct terms *interpreter_terms(struct interpreter *in)
{
	return in->terms;
}

/* ---- the state and the moves --------------------------------------------------- */

static bool same_state(const struct interpreter *in, const term_t *state, size_t count)
{
	if (count != in->state.n)
		return false;
	for (size_t i = 0; i < count; i++)
		if (state[i] >= in->stamp.n || in->stamp.at[state[i]] != in->age[LIFE_STATE])
			return false;
	return true;
}

static void set_state(struct interpreter *in, const term_t *state, size_t count)
{
	vec_clear(&in->state);
	in->age[LIFE_STATE] = ++in->clock;
	for (size_t i = 0; i < count; i++) {
		size_t old = in->stamp.n;
		if (state[i] >= old) {
			vec_extend(&in->stamp, in->terms->all.n - old);
			memset(in->stamp.at + old, 0, (in->stamp.n - old) * sizeof *in->stamp.at);
		}
		in->stamp.at[state[i]] = in->age[LIFE_STATE];
		vec_push(&in->state, state[i]);
	}
}

void interpreter_set(struct interpreter *in, const term_t *state, size_t count, const term_t *moves)
{
	bool same = same_state(in, state, count);
	bool full = in->stores[LIFE_RULES].words.n > KEPT_WORDS || in->stores[LIFE_RULES].goals.n > KEPT_WORDS / 16;
	in->trouble = NULL;
	if (!same)
		set_state(in, state, count);
	size_t wanted = moves ? in->roles.n : 0;
	if (!same || wanted != in->moves.n || (wanted && memcmp(moves, in->moves.at, wanted * sizeof *moves))) {
		in->age[LIFE_MOVES] = ++in->clock;
		vec_clear(&in->moves);
		for (size_t i = 0; i < wanted; i++)
			vec_push(&in->moves, moves[i]);
		prove_forget(in, same ? LIFE_MOVES : LIFE_STATE);
	}
	if (full)
		prove_forget(in, LIFE_RULES);
	if (!same && ++in->states == REPLAN_AFTER)
		mode_forget_plans(in);
}

/* ---- questions -------------------------------------------------------------------- */

void interpreter_roles(struct interpreter *in, term_list *out)
{
	vec_clear(out);
	for (size_t i = 0; i < in->roles.n; i++)
		vec_push(out, in->roles.at[i]);
}

static void answer(struct interpreter *in, sym_t name, uint32_t bound, uint32_t role, term_list *out)
{
	vec_clear(out);
	question(in, name, bound, 1, bound ? &in->roles.at[role] : NULL, out);
}

void interpreter_initial(struct interpreter *in, term_list *out)
{
	answer(in, GDL_INIT, 0, 0, out);
}

bool interpreter_terminal(struct interpreter *in)
{
	term_list out = {0};
	question(in, GDL_TERMINAL, 0, 0, NULL, &out);
	bool yes = out.n > 0;
	vec_free(&out);
	return yes;
}

void interpreter_legal(struct interpreter *in, uint32_t role, term_list *out)
{
	answer(in, GDL_LEGAL, 1, role, out);
}

void interpreter_goal(struct interpreter *in, uint32_t role, term_list *out)
{
	answer(in, GDL_GOAL, 1, role, out);
}

void interpreter_next(struct interpreter *in, term_list *out)
{
	answer(in, GDL_NEXT, 0, 0, out);
}

void interpreter_sees(struct interpreter *in, uint32_t role, term_list *out)
{
	answer(in, GDL_SEES, 1, role, out);
}

void interpreter_ask(struct interpreter *in, sym_t name, uint32_t argc, const term_t *args, term_list *rows)
{
	uint32_t shape[DATALOG_MAX_ARGS], bound = 0, pred = datalog_find_pred(&in->dl, name, argc);
	term_t key[DATALOG_MAX_ARGS];
	vec_clear(rows);
	if (pred == TABLE_NONE || argc > DATALOG_MAX_ARGS)
		return;
	for (uint32_t i = 0; i < argc; i++) {
		shape[i] = args[i] == TERM_NONE ? LEAF_FREE : LEAF_BOUND;
		if (args[i] != TERM_NONE)
			key[bound++] = args[i];
	}
	prove(in, mode_get(in, pred, shape, argc), key, rows);
}

const char *interpreter_trouble(const struct interpreter *in)
{
	return in->trouble;
}

void interpreter_limit(struct interpreter *in, struct limit limit)
{
	in->limit = limit;
}

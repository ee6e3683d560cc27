/* The questions of a game, put to the prover. */
#include "game/prove.h"

#include "base/graph.h"

#include <string.h>

/* Tables that depend on the rules alone are kept for ever, up to this size: a
 * relation over ten numbers may be asked for millions of combinations. */
#define KEPT_WORDS ((size_t)1 << 24)

/* ---- what is known before the first question --------------------------------- */

static void find_lives(struct interpreter *in)
{
	struct datalog *dl = &in->dl;
	in->life = NEW_ARRAY(enum life, dl->preds.n);
	in->life[in->p_true] = LIFE_STATE;
	in->life[in->p_does] = LIFE_MOVES;
	for (bool again = true; again;) {
		again = false;
		for (size_t i = 0; i < dl->rules.n; i++) {
			const struct rule *r = &dl->rules.at[i];
			for (uint32_t k = 0; k < r->count; k++) {
				const struct literal *l = &dl->literals.at[r->body + k];
				if (l->kind != LITERAL_DISTINCT && in->life[l->pred] > in->life[r->head.pred]) {
					in->life[r->head.pred] = in->life[l->pred];
					again = true;
				}
			}
		}
	}
}

static void find_recursion(struct interpreter *in)
{
	struct datalog *dl = &in->dl;
	uint32_t n = (uint32_t)dl->preds.n;
	VEC(uint32_t) start = {0}, edges = {0};
	for (uint32_t p = 0; p < n; p++) {
		vec_push(&start, (uint32_t)edges.n);
		for (uint32_t i = 0; p != in->p_true && p != in->p_does && i < dl->preds.at[p].rules; i++) {
			const struct rule *r = &dl->rules.at[dl->by_head.at[dl->preds.at[p].first_rule + i]];
			for (uint32_t k = 0; k < r->count; k++)
				if (dl->literals.at[r->body + k].kind != LITERAL_DISTINCT)
					vec_push(&edges, dl->literals.at[r->body + k].pred);
		}
	}
	vec_push(&start, (uint32_t)edges.n);
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

static bool same_args(const struct datalog *dl, const struct literal *a, const struct literal *b)
{
	for (uint32_t i = 0; i < a->argc; i++)
		if (dl->patterns.at[dl->kids.at[a->args + i]].what != dl->patterns.at[dl->kids.at[b->args + i]].what)
			return false;
	return a->pred == b->pred;
}

static bool is_twin(const struct datalog *dl, struct table *seen, uint32_t rule)
{
	const struct literal *head = &dl->rules.at[rule].head;
	uint64_t h = head->pred;
	for (uint32_t i = 0; i < head->argc; i++)
		h = hash_join(h, dl->patterns.at[dl->kids.at[head->args + i]].what);
	uint32_t it, id;
	for (table_start(seen, h, &it); (id = table_next(seen, h, &it)) != TABLE_NONE;)
		if (same_args(dl, &dl->rules.at[id].head, head))
			return true;
	table_add(seen, h, rule);
	return false;
}

static void find_facts(struct interpreter *in)
{
	struct datalog *dl = &in->dl;
	struct table seen = {0};
	in->first_fact = NEW_ARRAY(uint32_t, dl->preds.n + 1);
	in->only_facts = NEW_ARRAY(bool, dl->preds.n);
	for (uint32_t p = 0; p < dl->preds.n; p++) {
		in->first_fact[p] = (uint32_t)in->facts.n;
		in->only_facts[p] = true;
		for (uint32_t i = 0; i < dl->preds.at[p].rules; i++) {
			uint32_t rule = dl->by_head.at[dl->preds.at[p].first_rule + i];
			if (!rule_is_fact(&dl->rules.at[rule]))
				in->only_facts[p] = false;
			else if (!is_twin(dl, &seen, rule))
				vec_push(&in->facts, rule);
		}
	}
	in->first_fact[dl->preds.n] = (uint32_t)in->facts.n;
	table_free(&seen);
}

/* Bound arguments first, free ones behind them. */
static void question(struct interpreter *in, sym_t name, uint32_t bound, uint32_t free, const term_t *key, term_list *out)
{
	uint32_t shape[2], words = 0;
	for (uint32_t i = 0; i < bound; i++)
		shape[words++] = LEAF_BOUND;
	for (uint32_t i = 0; i < free; i++)
		shape[words++] = LEAF_FREE;
	prove(in, mode_get(in, datalog_find_pred(&in->dl, name, words), shape, words), key, out);
}

struct interpreter *interpreter_make(struct gdl_rules *rules, struct text *error)
{
	struct interpreter *in = NEW(struct interpreter);
	if (!datalog_make(&in->dl, rules, false, error)) {
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
	question(in, GDL_ROLE, 0, 1, NULL, &in->roles);
	return in;
}

void interpreter_free(struct interpreter *in)
{
	if (!in)
		return;
	for (size_t i = 0; i < in->modes.n; i++) {
		table_free(&in->modes.at[i].facts.index);
		vec_free(&in->modes.at[i].facts.groups);
		vec_free(&in->modes.at[i].facts.words);
	}
	for (int l = 0; l < LIFE_COUNT; l++) {
		vec_free(&in->stores[l].goals);
		vec_free(&in->stores[l].words);
		table_free(&in->stores[l].index);
	}
	mem_free(in->component);
	mem_free(in->recursive);
	mem_free(in->life);
	mem_free(in->first_fact);
	mem_free(in->only_facts);
	vec_free(&in->facts);
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
	bool full = in->stores[LIFE_RULES].words.n > KEPT_WORDS;
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

const char *interpreter_trouble(const struct interpreter *in)
{
	return in->trouble;
}

void interpreter_limit(struct interpreter *in, struct limit limit)
{
	in->limit = limit;
}

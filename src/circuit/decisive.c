/* Decisive players: what comes of each move, and the moves that are left when the better kind is taken. */
#include "circuit/decisive_internal.h"

#define NEEDS_STEPS 2000 /* looking for an implication; gates are met once for each way to them */

/* Is the literal one of those that `l` is an OR of? */
static bool is_part(const struct circuit *c, lit_t l, lit_t wanted, uint32_t *steps)
{
	const struct gate *g = &c->gates.at[l / 2];
	if (l == wanted)
		return true;
	if (g->kind != GATE_OR || l & 1)
		return false;
	for (uint32_t k = 0; k < g->n && *steps; k++) {
		--*steps;
		if (is_part(c, c->inputs.at[g->in + k], wanted, steps))
			return true;
	}
	return false;
}

/* Rules often say that a goal needs what ends the game: then the end need not be asked for. */
static bool needs(const struct circuit *c, lit_t goal, lit_t end, uint32_t *steps)
{
	const struct gate *g = &c->gates.at[goal / 2];
	if (is_part(c, end, goal, steps))
		return true;
	if (goal & 1 || (g->kind != GATE_AND && g->kind != GATE_OR))
		return false;
	bool all = g->n > 0;
	for (uint32_t k = 0; k < g->n; k++) {
		if (!*steps)
			return false;
		--*steps;
		bool one = needs(c, c->inputs.at[g->in + k], end, steps);
		if (one && g->kind == GATE_AND)
			return true;
		all &= one;
	}
	return all;
}

static lit_t one_of(struct composer *a, const lit_t *goals, uint32_t n)
{
	vec_clear(&a->in);
	for (uint32_t i = 0; i < n; i++)
		vec_push(&a->in, compose_value(&a->end, goals[i]));
	return circuit_gate(a->c, GATE_OR, a->in.at, narrow32(a->in.n));
}

/* ---- sums of products -------------------------------------------------------------------- */

#define MOST_CUBES 200

struct cubes {
	VEC(lit_t) lits;
	VEC(uint32_t) ends;
};

static void cubes_free(struct cubes *x)
{
	vec_free(&x->lits);
	vec_free(&x->ends);
}

/* Is it an OR (sum) or an AND that was made on the way? Gates of the rules stay what they are, they are shared anyway.
 */
static bool made_gate(const struct composer *a, lit_t l, bool sum)
{
	const struct gate *g = &a->c->gates.at[l / 2];
	return l / 2 >= a->size && g->kind == (sum == !(l & 1) ? GATE_OR : GATE_AND);
}

/* Adds the literals of a product. */
static void expand_product(const struct composer *a, lit_t l, struct cubes *to)
{
	const struct gate *g = &a->c->gates.at[l / 2];
	if (made_gate(a, l, false))
		for (uint32_t k = 0; k < g->n; k++)
			expand_product(a, a->c->inputs.at[g->in + k] ^ (l & 1), to);
	else
		vec_push(&to->lits, l);
}

/* Adds the products of a sum. */
static void expand_sum(const struct composer *a, lit_t l, struct cubes *to)
{
	const struct gate *g = &a->c->gates.at[l / 2];
	if (made_gate(a, l, true)) {
		for (uint32_t k = 0; k < g->n && to->ends.n <= MOST_CUBES; k++)
			expand_sum(a, a->c->inputs.at[g->in + k] ^ (l & 1), to);
	} else {
		expand_product(a, l, to);
		vec_push(&to->ends, narrow32(to->lits.n));
	}
}

/* The same, with what its products have in common taken out. */
static lit_t factored(const struct composer *a, lit_t l)
{
	struct cubes x = {0};
	expand_sum(a, l, &x);
	lit_t sum = x.ends.n <= MOST_CUBES ? circuit_sum(a->c, x.lits.at, x.ends.at, narrow32(x.ends.n)) : l;
	cubes_free(&x);
	return sum;
}

/* The move ends the game in this way. */
static lit_t at_end(struct composer *a, lit_t l)
{
	lit_t pair[2] = {l, compose_value(&a->end, a->end.c->terminal)};
	uint32_t steps = NEEDS_STEPS;
	return needs(a->c, l, pair[1], &steps) ? l : compose_gate(a, GATE_AND, pair, 2);
}

/* The move ends the game, with one of these goals. A goal may be a sum, and some of its alternatives none of the end:
 * rules often give values to states on the way. */
static lit_t ends_with(struct composer *a, const lit_t *goals, uint32_t n)
{
	lit_t ends = LIT_FALSE;
	for (uint32_t i = 0; i < n; i++) {
		lit_t l = compose_value(&a->end, goals[i]);
		const struct gate *g = &a->c->gates.at[l / 2];
		uint32_t in = g->in, count = is_list(g, l, GATE_OR) && g->n <= NARROW ? g->n : 0;
		if (!count)
			ends = both(a->c, GATE_OR, ends, at_end(a, l));
		for (uint32_t k = 0; k < count; k++)
			ends = both(a->c, GATE_OR, ends, at_end(a, a->c->inputs.at[in + k] ^ (l & 1)));
	}
	return ends;
}

static lit_t wins(struct composer *a)
{
	lit_t win = ends_with(a, a->j->best, a->j->best_count);
	return both(a->c, GATE_AND, win, one_of(a, a->j->shared, a->j->shared_count) ^ 1);
}

/* The alternatives of the end that are no part of the win or the loss. */
static void other_ends(struct composer *a, lit_t end, lit_t win, lit_t loss, uint32_t *steps)
{
	const struct gate *g = &a->c->gates.at[end / 2];
	if (is_part(a->c, win, end, steps) || is_part(a->c, loss, end, steps))
		return;
	if (g->kind != GATE_OR || end & 1 || *steps < g->n) {
		vec_push(&a->in, end);
		return;
	}
	*steps -= g->n;
	for (uint32_t k = 0; k < g->n; k++)
		other_ends(a, a->c->inputs.at[g->in + k], win, loss, steps);
}

/* The others can win after the move. That it does not end the game itself need only be said of the ends that are
 * neither wins nor losses, since those are kinds of their own. */
static lit_t threatened_after(struct composer *a, lit_t win, lit_t loss)
{
	lit_t threat = compose_value(&a->threat, a->threatened);
	uint32_t steps = NEEDS_STEPS;
	if (threat == LIT_FALSE)
		return threat;
	vec_clear(&a->in);
	other_ends(a, compose_value(&a->end, a->end.c->terminal), win, loss, &steps);
	lit_t over = circuit_gate(a->c, GATE_OR, a->in.at, narrow32(a->in.n));
	return both(a->c, GATE_AND, threat, over ^ 1);
}

/* Nobody else has a choice when the move is legal; or others are taken to do nothing. */
static lit_t alone(struct composer *a, uint32_t move)
{
	const struct decisive_job *j = a->j;
	lit_t choice = LIT_FALSE;
	if (compose_simultaneous(a) || compose_alone(a, move))
		return LIT_TRUE;
	for (uint32_t r = 0; r < j->roles; r++)
		if (j->role_moves[r] != j->first_move)
			choice = both(a->c, GATE_OR, choice, compose_choice(a, r));
	return choice ^ 1;
}

static bool open_move(const struct decisive_job *j, uint32_t m)
{
	return !j->moves || j->moves[m] == OPEN;
}

/* By move: nobody else has a choice, and what comes of it. What is said of threats does not count for moves that win or
 * lose. */
struct outcomes {
	lit_t *alone, *wins, *loses, *threats;
};

/* One of the role's moves is legal and seen to be good. */
static lit_t some_move(struct composer *a, const struct outcomes *o, const lit_t *good)
{
	const struct decisive_job *j = a->j;
	VEC(lit_t) any = {0};
	for (uint32_t m = j->first_move; m < j->end_move; m++) {
		lit_t all[3] = {j->legal[m], o->alone[m], good[m]};
		if (open_move(j, m))
			vec_push(&any, circuit_gate(a->c, GATE_AND, all, 3));
	}
	lit_t some = circuit_gate(a->c, GATE_OR, any.at, narrow32(any.n));
	vec_free(&any);
	return some;
}

/* A winning move if there is one; else one that does not lose, if there is one, and of these one without a threat, if
 * there is one; else any. */
static void restrict_legal(struct composer *a, const struct outcomes *o)
{
	struct circuit *c = a->c;
	const struct decisive_job *j = a->j;
	lit_t *good = NEW_ARRAY(lit_t, c->moves + 1), won = some_move(a, o, o->wins);
	for (uint32_t m = j->first_move; m < j->end_move; m++)
		good[m] = o->loses[m] ^ 1;
	lit_t fair = some_move(a, o, good);
	for (uint32_t m = j->first_move; m < j->end_move; m++)
		good[m] = both(c, GATE_AND, o->loses[m] ^ 1, o->threats[m] ^ 1);
	lit_t safe = some_move(a, o, good);
	for (uint32_t m = j->first_move; m < j->end_move; m++) {
		if (!open_move(j, m))
			continue;
		lit_t calm = both(c, GATE_AND, won ^ 1, both(c, GATE_AND, o->threats[m], safe) ^ 1);
		lit_t not_bad = both(c, GATE_AND, o->loses[m], fair) ^ 1;
		lit_t all[3] = {j->legal[m], not_bad, both(c, GATE_OR, o->wins[m], calm)};
		c->legal.at[m] = circuit_gate(c, GATE_AND, all, 3);
	}
	mem_free(good);
}

lit_t decisive_threat(struct circuit *c, const struct decisive_job *j)
{
	struct composer a;
	VEC(lit_t) any = {0};
	lit_t threat = LIT_NONE;
	bool small = compose_begin(&a, c, j);
	for (uint32_t m = j->first_move; m < j->end_move && small; m++) {
		if (!open_move(j, m))
			continue;
		small = compose_move(&a, m);
		lit_t all[3] = {j->legal[m], factored(&a, wins(&a)), LIT_TRUE};
		if (all[1] != LIT_FALSE)
			all[2] = alone(&a, m);
		vec_push(&any, circuit_gate(c, GATE_AND, all, 3));
	}
	if (small)
		threat = circuit_gate(c, GATE_OR, any.at, narrow32(any.n));
	vec_free(&any);
	compose_end(&a);
	return threat;
}

enum decisive_kind decisive_add(struct circuit *c, const struct decisive_job *j)
{
	struct composer a;
	lit_t *of = NEW_ARRAY(lit_t, 4 * (size_t)c->moves + 1);
	struct outcomes o = {of, of + c->moves, of + 2 * (size_t)c->moves, of + 3 * (size_t)c->moves};
	bool some = false, small = compose_begin(&a, c, j);
	for (uint32_t m = j->first_move; m < j->end_move && small; m++) {
		if (!open_move(j, m))
			continue;
		small = compose_move(&a, m);
		lit_t win = wins(&a);
		o.alone[m] = alone(&a, m);
		o.wins[m] = factored(&a, win);
		o.loses[m] = ends_with(&a, j->worst, j->worst_count);
		o.threats[m] = a.threat.c ? threatened_after(&a, win, o.loses[m]) : LIT_FALSE;
		some |= o.wins[m] != LIT_FALSE || o.loses[m] != LIT_FALSE || o.threats[m] != LIT_FALSE;
	}
	if (some && small)
		restrict_legal(&a, &o);
	compose_end(&a);
	mem_free(of);
	return !small ? DECISIVE_UNKNOWN : some ? DECISIVE_MADE : DECISIVE_NONE;
}

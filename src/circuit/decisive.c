/* The composition of decisive.h. All moves of the role are first taken to be not made; for
 * each move in turn, what differs when it is made is then found gate by gate, first in the
 * rules of the next state, then in those of the end and in the threat. That the present state
 * is no end is used too: what would have made it one does not hold. */
#include "circuit/decisive.h"

#include "circuit/cone.h"
#include "circuit/exclusive.h"

typedef VEC(uint32_t) node_list;

/* A part of a circuit with its values as literals of the circuit that grows: with no move
 * made, and with the present one. */
struct part {
	const struct circuit *c;
	node_list nodes; /* gates and inputs that are asked for, ascending */
	struct cone asked;
	lit_t *idle, *now;
	uint8_t *changed;
	/* How it changed, where that is known: GROWS, now = idle + by; SHRINKS, now = idle . not by. */
	uint8_t *way;
	lit_t *by;
};

enum { NO_WAY, GROWS, SHRINKS };

struct decisive {
	struct circuit *c;
	uint32_t size; /* gates when we began */
	uint8_t *false_now; /* by literal below 2 * size */
	struct part next, end, threat;
	struct circuit narrow; /* the circuit of `threat` */
	lit_t threatened;
	VEC(lit_t) in;
	const struct decisive_job *j;
	size_t work; /* gates looked at */
};

#define MOST_GATES(n) (16 * (n) + 20000) /* with those made on the way, from n */
#define MOST_WORK ((size_t)50 << 20)

/* False: there is recursion in it. */
static bool ask(struct part *p, lit_t l)
{
	cone_add(&p->asked, l);
	return !p->asked.loops;
}

static void part_begin(struct part *p, const struct circuit *c)
{
	size_t n = c->gates.n;
	p->c = c;
	cone_begin(&p->asked, c);
	p->changed = mem_zalloc(n, 1);
	p->idle = NEW_ARRAY(lit_t, n);
	p->now = NEW_ARRAY(lit_t, n);
	p->way = NEW_ARRAY(uint8_t, n);
	p->by = NEW_ARRAY(lit_t, n);
}

static void part_list(struct part *p, uint32_t size)
{
	for (uint32_t i = 1; i < size; i++)
		if (p->asked.in[i])
			vec_push(&p->nodes, i);
}

static void part_end(struct part *p)
{
	vec_free(&p->nodes);
	cone_free(&p->asked);
	mem_free(p->changed);
	mem_free(p->idle);
	mem_free(p->now);
	mem_free(p->way);
	mem_free(p->by);
}

/* The alternatives of an end, none of which holds as long as we play. */
static void note_false(struct decisive *a, lit_t l)
{
	const struct gate *g = &a->c->gates.at[l / 2];
	a->false_now[l] = 1;
	if (g->kind == ((l & 1) ? GATE_AND : GATE_OR))
		for (uint32_t k = 0; k < g->n; k++)
			note_false(a, a->c->inputs.at[g->in + k] ^ (l & 1));
}

static lit_t known(const struct decisive *a, lit_t l)
{
	if (l / 2 >= a->size)
		return l;
	return a->false_now[l] ? LIT_FALSE : a->false_now[l ^ 1] ? LIT_TRUE : l;
}

static lit_t value(const struct part *p, lit_t l)
{
	return (p->changed[l / 2] ? p->now : p->idle)[l / 2] ^ (l & 1);
}

#define NARROW 12     /* inputs of gates that are simplified */
#define MOST_FACTS 24 /* that follow from them and are looked at */

/* What holds when some literals do. */
struct fact_list {
	lit_t at[MOST_FACTS];
	uint32_t n;
};

static bool is_list(const struct gate *g, lit_t l, enum gate_kind kind)
{
	return g->kind == (l & 1 ? (kind == GATE_AND ? GATE_OR : GATE_AND) : kind);
}

static void note_facts(const struct circuit *c, lit_t l, struct fact_list *facts)
{
	const struct gate *g = &c->gates.at[l / 2];
	if (facts->n < MOST_FACTS)
		facts->at[facts->n++] = l;
	if (is_list(g, l, GATE_AND) && g->n <= NARROW)
		for (uint32_t k = 0; k < g->n; k++)
			note_facts(c, c->inputs.at[g->in + k] ^ (l & 1), facts);
}

/* Are they two fluents of one group? */
static bool rivals(const struct decisive *a, lit_t x, lit_t y)
{
	const uint32_t *group = a->j->group;
	uint32_t f = x / 2 - 1, g = y / 2 - 1;
	if (x & 1 || y & 1 || f == g || f >= a->c->fluents || g >= a->c->fluents) /* the constant wraps around */
		return false;
	return group[f] != EXCLUSIVE_NONE && group[f] == group[g];
}

static bool exclude(const struct decisive *a, lit_t x, lit_t y)
{
	return x == (y ^ 1) || rivals(a, x, y);
}

static bool agree(const struct decisive *a, const struct fact_list *x, const struct fact_list *y)
{
	for (uint32_t i = 0; i < x->n; i++)
		for (uint32_t k = 0; k < y->n; k++)
			if (exclude(a, x->at[i], y->at[k]))
				return false;
	return true;
}

static bool follows(const struct decisive *a, lit_t l, const struct fact_list *facts)
{
	for (uint32_t i = 0; i < facts->n; i++)
		if (exclude(a, facts->at[i], l ^ 1))
			return true;
	return false;
}

/* Need not be said beside a rival of the fluent that it denies. */
static bool idle_denial(const struct decisive *a, lit_t l, const struct fact_list *facts)
{
	for (uint32_t i = 0; i < facts->n; i++)
		if (rivals(a, facts->at[i], l ^ 1))
			return true;
	return false;
}

/* A sum beside facts: alternatives that contradict them go, when only one is left; else the sum may be needed elsewhere
 * as it is. */
static lit_t simpler_sum(struct decisive *a, lit_t l, const struct fact_list *facts)
{
	const struct gate *g = &a->c->gates.at[l / 2];
	lit_t left[NARROW];
	uint32_t n = 0;
	for (uint32_t k = 0; k < g->n; k++) {
		lit_t x = a->c->inputs.at[g->in + k] ^ (l & 1);
		struct fact_list own = {.n = 0};
		if (follows(a, x, facts))
			return LIT_TRUE;
		note_facts(a->c, x, &own);
		if (agree(a, &own, facts))
			left[n++] = x;
	}
	return n > 1 ? l : n ? left[0] : LIT_FALSE;
}

/* Simplifies an AND by what its inputs say of one another. False: they contradict. */
static bool simplify(struct decisive *a, lit_t *in, uint32_t n)
{
	struct fact_list facts = {.n = 0};
	if (n > NARROW)
		return true;
	for (uint32_t k = 0; k < n; k++)
		note_facts(a->c, in[k], &facts);
	for (uint32_t k = 0; k < n; k++) {
		const struct gate *g = &a->c->gates.at[in[k] / 2];
		if (is_list(g, in[k], GATE_OR) && g->n <= NARROW)
			in[k] = simpler_sum(a, in[k], &facts);
		else if (idle_denial(a, in[k], &facts))
			in[k] = LIT_TRUE;
	}
	return agree(a, &facts, &facts);
}

static lit_t simple_gate(struct decisive *a, enum gate_kind kind, lit_t *in, uint32_t n)
{
	lit_t negate = kind == GATE_OR;
	for (uint32_t k = 0; k < n; k++)
		in[k] ^= negate;
	if (!simplify(a, in, n))
		return LIT_FALSE ^ negate;
	for (uint32_t k = 0; k < n; k++)
		in[k] ^= negate;
	return known(a, circuit_gate(a->c, kind, in, n));
}

static lit_t gate_value(struct decisive *a, const struct part *p, uint32_t i)
{
	const struct gate *g = &p->c->gates.at[i];
	vec_clear(&a->in);
	for (uint32_t k = 0; k < g->n; k++)
		vec_push(&a->in, value(p, p->c->inputs.at[g->in + k]));
	return simple_gate(a, g->kind, a->in.at, (uint32_t)a->in.n);
}

static bool inputs_changed(const struct part *p, uint32_t i)
{
	const struct gate *g = &p->c->gates.at[i];
	for (uint32_t k = 0; k < g->n; k++)
		if (p->changed[p->c->inputs.at[g->in + k] / 2])
			return true;
	return false;
}

/* A role without a choice makes its one legal move. */
static lit_t input_value(struct decisive *a, const struct part *p, uint32_t i, uint32_t move)
{
	uint32_t m = i - 1 - p->c->fluents;
	if (p != &a->next) /* a fluent there is what the rules of the next state make of it */
		return i <= p->c->fluents ? known(a, value(&a->next, a->c->next.at[i - 1])) : LIT_FALSE;
	if (i <= p->c->fluents)
		return known(a, i * 2);
	if (m >= a->j->first_move && m < a->j->end_move)
		return i == move ? LIT_TRUE : LIT_FALSE;
	return a->j->legal[m];
}

/* Values with no move made, for a start. */
static void evaluate_idle(struct decisive *a, struct part *p)
{
	for (size_t k = 0; k < p->nodes.n; k++) {
		uint32_t i = p->nodes.at[k], inputs = 1 + p->c->fluents + p->c->moves;
		p->idle[i] = i < inputs ? input_value(a, p, i, 0) : gate_value(a, p, i);
	}
	a->work += p->nodes.n;
}

static lit_t both(struct circuit *c, enum gate_kind kind, lit_t x, lit_t y)
{
	lit_t pair[2] = {x, y};
	return circuit_gate(c, kind, pair, 2);
}

static uint8_t way_of(const struct part *p, lit_t l)
{
	uint8_t way = p->way[l / 2];
	return l & 1 && way ? GROWS + SHRINKS - way : way;
}

/* The way of all inputs that changed, when there is one way. */
static uint8_t common_way(const struct part *p, const struct gate *g)
{
	uint8_t way = NO_WAY;
	for (uint32_t k = 0; k < g->n; k++) {
		lit_t l = p->c->inputs.at[g->in + k];
		if (!p->changed[l / 2])
			continue;
		if (!way_of(p, l) || (way && way_of(p, l) != way))
			return NO_WAY;
		way = way_of(p, l);
	}
	return way;
}

#define MOST_CHANGED 6 /* inputs of one gate */

/* An AND grows where one of its inputs grows and the others are there; an OR by whatever its inputs grow by; the other
 * two cases are the same with everything negated. */
static void find_way(struct decisive *a, struct part *p, uint32_t i)
{
	const struct gate *g = &p->c->gates.at[i];
	const lit_t *in = p->c->inputs.at + g->in;
	uint8_t way = common_way(p, g);
	bool sum = (g->kind == GATE_OR) == (way == GROWS);
	lit_t by = LIT_FALSE;
	uint32_t changed = 0;
	for (uint32_t k = 0; k < g->n && way; k++) {
		if (!p->changed[in[k] / 2])
			continue;
		vec_clear(&a->in);
		vec_push(&a->in, p->by[in[k] / 2]);
		for (uint32_t o = 0; o < g->n && !sum; o++)
			if (o != k)
				vec_push(&a->in, value(p, in[o]) ^ (way == SHRINKS));
		by = both(a->c, GATE_OR, by, simple_gate(a, GATE_AND, a->in.at, (uint32_t)a->in.n));
		if (++changed > MOST_CHANGED && !sum)
			way = NO_WAY;
	}
	p->way[i] = way;
	p->by[i] = by;
}

/* The value of a fluent or a move when this move is made, and how it came to it. */
static lit_t changed_input(struct decisive *a, struct part *p, uint32_t i, uint32_t move)
{
	bool fluent = i <= p->c->fluents;
	lit_t from = fluent ? a->c->next.at[i - 1] : LIT_FALSE;
	p->way[i] = fluent && p != &a->next ? way_of(&a->next, from) : !fluent && i == move ? GROWS : NO_WAY;
	p->by[i] = fluent && p != &a->next ? a->next.by[from / 2] : LIT_TRUE;
	return input_value(a, p, i, move);
}

/* Sees the way from the values: one is the other and something more. */
static void compare(struct decisive *a, struct part *p, uint32_t i, lit_t now)
{
	const struct gate *g = &a->c->gates.at[now / 2];
	lit_t before = p->idle[i] ^ (now & 1);
	bool there = false;
	if (g->kind != GATE_AND && g->kind != GATE_OR)
		return;
	vec_clear(&a->in);
	for (uint32_t k = 0; k < g->n; k++) {
		lit_t l = a->c->inputs.at[g->in + k];
		there |= l == before;
		if (l != before)
			vec_push(&a->in, l);
	}
	if (!there)
		return;
	p->way[i] = (g->kind == GATE_OR) == !(now & 1) ? GROWS : SHRINKS;
	p->by[i] = circuit_gate(a->c, g->kind, a->in.at, (uint32_t)a->in.n) ^ (g->kind == GATE_AND);
}

/* Of what never held, only what it grew by is left. */
static lit_t changed_gate(struct decisive *a, struct part *p, uint32_t i)
{
	if (p == &a->threat)
		return gate_value(a, p, i);
	find_way(a, p, i);
	if (p->way[i] == GROWS && p->idle[i] == LIT_FALSE)
		return known(a, p->by[i]);
	if (p->way[i] == SHRINKS && p->idle[i] == LIT_TRUE)
		return known(a, p->by[i] ^ 1);
	lit_t now = gate_value(a, p, i);
	if (!p->way[i])
		compare(a, p, i, now);
	return now;
}

/* What differs when this move is made. */
static void evaluate_move(struct decisive *a, struct part *p, uint32_t move)
{
	for (size_t k = 0; k < p->nodes.n; k++) {
		uint32_t i = p->nodes.at[k], inputs = 1 + p->c->fluents + p->c->moves;
		p->changed[i] = 0;
		if (i >= inputs && !inputs_changed(p, i))
			continue;
		p->now[i] = i < inputs ? changed_input(a, p, i, move) : changed_gate(a, p, i);
		p->changed[i] = p->now[i] != p->idle[i];
	}
	a->work += p->nodes.n;
}

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

static lit_t one_of(struct decisive *a, const lit_t *goals, uint32_t n)
{
	vec_clear(&a->in);
	for (uint32_t i = 0; i < n; i++)
		vec_push(&a->in, value(&a->end, goals[i]));
	return circuit_gate(a->c, GATE_OR, a->in.at, (uint32_t)a->in.n);
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

/* Is it an OR (sum) or an AND that was made on the way? Gates of the rules stay what they are, they are shared anyway. */
static bool made_gate(const struct decisive *a, lit_t l, bool sum)
{
	const struct gate *g = &a->c->gates.at[l / 2];
	return l / 2 >= a->size && g->kind == (sum == !(l & 1) ? GATE_OR : GATE_AND);
}

/* Adds the literals of a product. */
static void expand_product(const struct decisive *a, lit_t l, struct cubes *to)
{
	const struct gate *g = &a->c->gates.at[l / 2];
	if (made_gate(a, l, false))
		for (uint32_t k = 0; k < g->n; k++)
			expand_product(a, a->c->inputs.at[g->in + k] ^ (l & 1), to);
	else
		vec_push(&to->lits, l);
}

/* Adds the products of a sum. */
static void expand_sum(const struct decisive *a, lit_t l, struct cubes *to)
{
	const struct gate *g = &a->c->gates.at[l / 2];
	if (made_gate(a, l, true)) {
		for (uint32_t k = 0; k < g->n && to->ends.n <= MOST_CUBES; k++)
			expand_sum(a, a->c->inputs.at[g->in + k] ^ (l & 1), to);
	} else {
		expand_product(a, l, to);
		vec_push(&to->ends, (uint32_t)to->lits.n);
	}
}

/* The same, with what its products have in common taken out. */
static lit_t factored(const struct decisive *a, lit_t l)
{
	struct cubes x = {0};
	expand_sum(a, l, &x);
	lit_t sum = x.ends.n <= MOST_CUBES ? circuit_sum(a->c, x.lits.at, x.ends.at, (uint32_t)x.ends.n) : l;
	cubes_free(&x);
	return sum;
}

/* The move ends the game in this way. */
static lit_t at_end(struct decisive *a, lit_t l)
{
	lit_t pair[2] = {l, value(&a->end, a->end.c->terminal)};
	uint32_t steps = NEEDS_STEPS;
	return needs(a->c, l, pair[1], &steps) ? l : simple_gate(a, GATE_AND, pair, 2);
}

/* The move ends the game, with one of these goals. A goal may be a sum, and some of its alternatives none of the end:
 * rules often give values to states on the way. */
static lit_t ends_with(struct decisive *a, const lit_t *goals, uint32_t n)
{
	lit_t ends = LIT_FALSE;
	for (uint32_t i = 0; i < n; i++) {
		lit_t l = value(&a->end, goals[i]);
		const struct gate *g = &a->c->gates.at[l / 2];
		uint32_t in = g->in, count = is_list(g, l, GATE_OR) && g->n <= NARROW ? g->n : 0;
		if (!count)
			ends = both(a->c, GATE_OR, ends, at_end(a, l));
		for (uint32_t k = 0; k < count; k++)
			ends = both(a->c, GATE_OR, ends, at_end(a, a->c->inputs.at[in + k] ^ (l & 1)));
	}
	return ends;
}

static lit_t wins_with(struct decisive *a)
{
	lit_t win = ends_with(a, a->j->best, a->j->best_count);
	return factored(a, both(a->c, GATE_AND, win, one_of(a, a->j->shared, a->j->shared_count) ^ 1));
}

/* The alternatives of the end that are no part of the win or the loss. */
static void other_ends(struct decisive *a, lit_t end, lit_t win, lit_t loss, uint32_t *steps)
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
static lit_t threatened_after(struct decisive *a, lit_t win, lit_t loss)
{
	lit_t threat = value(&a->threat, a->threatened);
	uint32_t steps = NEEDS_STEPS;
	if (threat == LIT_FALSE)
		return threat;
	vec_clear(&a->in);
	other_ends(a, value(&a->end, a->end.c->terminal), win, loss, &steps);
	lit_t over = circuit_gate(a->c, GATE_OR, a->in.at, (uint32_t)a->in.n);
	return both(a->c, GATE_AND, threat, over ^ 1);
}

/* Nobody else has a choice: of each role's moves no two are legal. */
static lit_t alone(struct circuit *c, const struct decisive_job *j)
{
	lit_t two = LIT_FALSE;
	for (uint32_t r = 0; r < j->roles; r++) {
		lit_t any = LIT_FALSE;
		for (uint32_t m = j->role_moves[r]; m < j->role_moves[r + 1] && j->role_moves[r] != j->first_move; m++) {
			two = both(c, GATE_OR, two, both(c, GATE_AND, any, j->legal[m]));
			any = both(c, GATE_OR, any, j->legal[m]);
		}
	}
	return two ^ 1;
}

static bool open_move(const struct decisive_job *j, uint32_t m)
{
	return !j->moves || j->moves[m] == OPEN;
}

/* By move: what comes of it. What is said of threats does not count for moves that win or lose. */
struct outcomes {
	lit_t *wins, *loses, *threats;
};

/* One of the role's moves is legal and neither of these. */
static lit_t some_without(struct circuit *c, const struct decisive_job *j, const lit_t *one, const lit_t *other)
{
	VEC(lit_t) any = {0};
	for (uint32_t m = j->first_move; m < j->end_move; m++) {
		lit_t all[3] = {j->legal[m], one[m] ^ 1, other[m] ^ 1};
		if (open_move(j, m))
			vec_push(&any, circuit_gate(c, GATE_AND, all, 3));
	}
	lit_t some = circuit_gate(c, GATE_OR, any.at, (uint32_t)any.n);
	vec_free(&any);
	return some;
}

static lit_t some_win(struct circuit *c, const struct decisive_job *j, const lit_t *wins)
{
	VEC(lit_t) any = {0};
	for (uint32_t m = j->first_move; m < j->end_move; m++)
		if (open_move(j, m))
			vec_push(&any, both(c, GATE_AND, j->legal[m], wins[m]));
	lit_t some = circuit_gate(c, GATE_OR, any.at, (uint32_t)any.n);
	vec_free(&any);
	return some;
}

/* A winning move if there is one; else one that does not lose, if there is one, and of these one without a threat, if
 * there is one; else any. */
static void restrict_legal(struct circuit *c, const struct decisive_job *j, const struct outcomes *o)
{
	lit_t seen = alone(c, j);
	lit_t won = both(c, GATE_AND, seen, some_win(c, j, o->wins));
	lit_t fair = both(c, GATE_AND, seen, some_without(c, j, o->loses, o->loses));
	lit_t safe = both(c, GATE_AND, seen, some_without(c, j, o->loses, o->threats));
	for (uint32_t m = j->first_move; m < j->end_move; m++) {
		if (!open_move(j, m))
			continue;
		lit_t calm = both(c, GATE_AND, won ^ 1, both(c, GATE_AND, o->threats[m], safe) ^ 1);
		lit_t not_bad = both(c, GATE_AND, o->loses[m], fair) ^ 1;
		lit_t all[3] = {j->legal[m], not_bad, both(c, GATE_OR, o->wins[m], calm)};
		c->legal.at[m] = circuit_gate(c, GATE_AND, all, 3);
	}
}

/* ---- beginning and end ------------------------------------------------------------------- */

static lit_t tree(struct circuit *c, enum gate_kind kind, lit_t *l, uint32_t n)
{
	return n <= 2 ? circuit_gate(c, kind, l, n) : both(c, kind, tree(c, kind, l, n / 2), tree(c, kind, l + n / 2, n - n / 2));
}

/* The cone of the threat with narrow gates: where few inputs of a wide gate change, most of its tree stays and
 * is shared. */
static void narrow_threat(struct decisive *a, const struct cone *x)
{
	const struct circuit *c = a->j->after;
	lit_t *map = NEW_ARRAY(lit_t, c->gates.n + 1);
	circuit_begin(&a->narrow, c->fluents, c->moves);
	for (uint32_t i = 0; i < c->gates.n; i++) {
		const struct gate *g = &c->gates.at[i];
		map[i] = i * 2;
		if (i < 1 + c->fluents + c->moves || !x->in[i])
			continue;
		vec_clear(&a->in);
		for (uint32_t k = 0; k < g->n; k++)
			vec_push(&a->in, map[c->inputs.at[g->in + k] / 2] ^ (c->inputs.at[g->in + k] & 1));
		map[i] = tree(&a->narrow, g->kind, a->in.at, (uint32_t)a->in.n);
	}
	a->threatened = map[a->j->threat / 2] ^ (a->j->threat & 1);
	mem_free(map);
}

/* False: there is recursion in it. */
static bool begin_threat(struct decisive *a)
{
	struct cone x;
	if (!a->j->after)
		return true;
	cone_begin(&x, a->j->after);
	cone_add(&x, a->j->threat);
	bool plain = !x.loops;
	if (plain) {
		narrow_threat(a, &x);
		part_begin(&a->threat, &a->narrow);
		ask(&a->threat, a->threatened);
	}
	cone_free(&x);
	return plain;
}

static bool ask_all(struct decisive *a, const struct decisive_job *j)
{
	bool plain = begin_threat(a) && ask(&a->end, j->rules->terminal);
	for (uint32_t i = 0; i < j->best_count && plain; i++)
		plain = ask(&a->end, j->best[i]);
	for (uint32_t i = 0; i < j->worst_count && plain; i++)
		plain = ask(&a->end, j->worst[i]);
	for (uint32_t i = 0; i < j->shared_count && plain; i++)
		plain = ask(&a->end, j->shared[i]);
	for (uint32_t f = 0; f < a->c->fluents && plain; f++) {
		uint32_t node = circuit_fluent(a->c, f);
		if (a->end.asked.in[node] || (a->threat.c && a->threat.asked.in[node]))
			plain = ask(&a->next, a->c->next.at[f]);
	}
	return plain;
}

/* False: there is recursion in what is asked for. */
static bool compose_begin(struct decisive *a, struct circuit *c, const struct decisive_job *j)
{
	*a = (struct decisive){.c = c, .size = (uint32_t)c->gates.n, .j = j};
	part_begin(&a->next, c);
	part_begin(&a->end, j->rules);
	a->false_now = mem_zalloc(2 * (size_t)a->size, 1);
	note_false(a, c->terminal);
	a->false_now[LIT_FALSE] = 1;
	if (!ask_all(a, j))
		return false;
	part_list(&a->next, a->size);
	part_list(&a->end, (uint32_t)j->rules->gates.n);
	evaluate_idle(a, &a->next);
	evaluate_idle(a, &a->end);
	if (a->threat.c) {
		part_list(&a->threat, (uint32_t)a->narrow.gates.n);
		evaluate_idle(a, &a->threat);
	}
	return true;
}

/* What is so after the move; false: that takes too many gates or too long. */
static bool compose_move(struct decisive *a, uint32_t m)
{
	evaluate_move(a, &a->next, circuit_move(a->c, m));
	evaluate_move(a, &a->end, 0);
	if (a->threat.c)
		evaluate_move(a, &a->threat, 0);
	return a->c->gates.n < MOST_GATES((size_t)a->size) && a->work < MOST_WORK;
}

static void compose_end(struct decisive *a)
{
	part_end(&a->next);
	part_end(&a->end);
	part_end(&a->threat);
	circuit_free(&a->narrow);
	vec_free(&a->in);
	mem_free(a->false_now);
}

lit_t decisive_threat(struct circuit *c, const struct decisive_job *j)
{
	struct decisive a;
	VEC(lit_t) any = {0};
	lit_t threat = LIT_NONE;
	bool small = compose_begin(&a, c, j);
	for (uint32_t m = j->first_move; m < j->end_move && small; m++) {
		if (!open_move(j, m))
			continue;
		small = compose_move(&a, m);
		vec_push(&any, both(c, GATE_AND, j->legal[m], wins_with(&a)));
	}
	if (small)
		threat = both(c, GATE_AND, circuit_gate(c, GATE_OR, any.at, (uint32_t)any.n), alone(c, j));
	vec_free(&any);
	compose_end(&a);
	return threat;
}

enum decisive_kind decisive_add(struct circuit *c, const struct decisive_job *j)
{
	struct decisive a;
	lit_t *of = NEW_ARRAY(lit_t, 3 * (size_t)c->moves + 1);
	struct outcomes o = {of, of + c->moves, of + 2 * (size_t)c->moves};
	bool some = false, small = compose_begin(&a, c, j);
	for (uint32_t m = j->first_move; m < j->end_move && small; m++) {
		if (!open_move(j, m))
			continue;
		small = compose_move(&a, m);
		o.wins[m] = wins_with(&a);
		o.loses[m] = ends_with(&a, j->worst, j->worst_count);
		o.threats[m] = a.threat.c ? threatened_after(&a, o.wins[m], o.loses[m]) : LIT_FALSE;
		some |= o.wins[m] != LIT_FALSE || o.loses[m] != LIT_FALSE || o.threats[m] != LIT_FALSE;
	}
	if (some && small)
		restrict_legal(c, j, &o);
	compose_end(&a);
	mem_free(of);
	return !small ? DECISIVE_UNKNOWN : some ? DECISIVE_MADE : DECISIVE_NONE;
}

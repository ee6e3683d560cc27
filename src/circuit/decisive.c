/* The composition of decisive.h. All moves of the role are first taken to be not made; for
 * each move in turn, what differs when it is made is then found gate by gate, first in the
 * rules of the next state, then in those of the end. That the present state is no end is
 * used too: what would have made it one does not hold. */
#include "circuit/decisive.h"

#include "circuit/cone.h"

typedef VEC(uint32_t) node_list;

/* A part of a circuit with its values as literals of the circuit that grows: with no move
 * made, and with the present one. */
struct part {
	const struct circuit *c;
	node_list nodes; /* gates and inputs that are asked for, ascending */
	struct cone asked;
	lit_t *idle, *now;
	uint8_t *changed;
};

struct decisive {
	struct circuit *c;
	uint32_t size; /* gates when we began */
	uint8_t *false_now; /* by literal below 2 * size */
	struct part next, end;
	VEC(lit_t) in;
	const struct decisive_job *j;
};

#define MOST_GATES(n) (8 * (n) + 5000) /* with those made on the way, from n */

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

static lit_t gate_value(struct decisive *a, const struct part *p, uint32_t i)
{
	const struct gate *g = &p->c->gates.at[i];
	vec_clear(&a->in);
	for (uint32_t k = 0; k < g->n; k++)
		vec_push(&a->in, value(p, p->c->inputs.at[g->in + k]));
	return known(a, circuit_gate(a->c, g->kind, a->in.at, (uint32_t)a->in.n));
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
	if (p == &a->end) /* a fluent there is what the rules of the next state make of it */
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
}

/* What differs when this move is made. */
static void evaluate_move(struct decisive *a, struct part *p, uint32_t move)
{
	for (size_t k = 0; k < p->nodes.n; k++) {
		uint32_t i = p->nodes.at[k], inputs = 1 + p->c->fluents + p->c->moves;
		p->changed[i] = 0;
		if (i >= inputs && !inputs_changed(p, i))
			continue;
		p->now[i] = i < inputs ? input_value(a, p, i, move) : gate_value(a, p, i);
		p->changed[i] = p->now[i] != p->idle[i];
	}
}

static lit_t both(struct circuit *c, enum gate_kind kind, lit_t x, lit_t y)
{
	lit_t pair[2] = {x, y};
	return circuit_gate(c, kind, pair, 2);
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

/* The move ends the game, with one of these goals. */
static lit_t ends_with(struct decisive *a, const lit_t *goals, uint32_t n)
{
	vec_clear(&a->in);
	for (uint32_t i = 0; i < n; i++)
		vec_push(&a->in, value(&a->end, goals[i]));
	lit_t some = circuit_gate(a->c, GATE_OR, a->in.at, (uint32_t)a->in.n);
	lit_t end = value(&a->end, a->end.c->terminal);
	uint32_t steps = NEEDS_STEPS;
	return needs(a->c, some, end, &steps) ? some : known(a, both(a->c, GATE_AND, some, end));
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

/* A winning move if there is one; else one that does not lose, if there is one; else any. */
static void restrict_legal(struct circuit *c, const struct decisive_job *j, const lit_t *wins, const lit_t *loses)
{
	VEC(lit_t) winning = {0}, fair = {0};
	for (uint32_t m = j->first_move; m < j->end_move; m++) {
		if (!open_move(j, m))
			continue;
		vec_push(&winning, both(c, GATE_AND, c->legal.at[m], wins[m]));
		vec_push(&fair, both(c, GATE_AND, c->legal.at[m], loses[m] ^ 1));
	}
	lit_t seen = alone(c, j);
	lit_t won = both(c, GATE_AND, seen, circuit_gate(c, GATE_OR, winning.at, (uint32_t)winning.n));
	lit_t fairly = both(c, GATE_AND, seen, circuit_gate(c, GATE_OR, fair.at, (uint32_t)fair.n));
	for (uint32_t m = j->first_move; m < j->end_move; m++) {
		if (!open_move(j, m))
			continue;
		lit_t good = both(c, GATE_OR, wins[m], won ^ 1);
		lit_t not_bad = loses[m] == LIT_FALSE ? LIT_TRUE : both(c, GATE_OR, loses[m] ^ 1, fairly ^ 1);
		lit_t all[3] = {c->legal.at[m], good, not_bad};
		c->legal.at[m] = circuit_gate(c, GATE_AND, all, 3);
	}
	vec_free(&winning);
	vec_free(&fair);
}

static bool ask_all(struct decisive *a, const struct decisive_job *j)
{
	bool plain = ask(&a->end, j->rules->terminal);
	for (uint32_t i = 0; i < j->best_count && plain; i++)
		plain = ask(&a->end, j->best[i]);
	for (uint32_t i = 0; i < j->worst_count && plain; i++)
		plain = ask(&a->end, j->worst[i]);
	for (uint32_t f = 0; f < a->c->fluents && plain; f++)
		if (a->end.asked.in[circuit_fluent(a->c, f)])
			plain = ask(&a->next, a->c->next.at[f]);
	return plain;
}

bool decisive_add(struct circuit *c, const struct decisive_job *j)
{
	struct decisive a = {.c = c, .size = (uint32_t)c->gates.n, .j = j};
	lit_t *wins = NEW_ARRAY(lit_t, c->moves + 1), *loses = NEW_ARRAY(lit_t, c->moves + 1);
	bool some = false, small = true;
	part_begin(&a.next, c);
	part_begin(&a.end, j->rules);
	a.false_now = mem_zalloc(2 * (size_t)a.size, 1);
	note_false(&a, c->terminal);
	a.false_now[LIT_FALSE] = 1;
	if (ask_all(&a, j)) {
		part_list(&a.next, a.size);
		part_list(&a.end, (uint32_t)j->rules->gates.n);
		evaluate_idle(&a, &a.next);
		evaluate_idle(&a, &a.end);
		for (uint32_t m = j->first_move; m < j->end_move && small; m++) {
			if (!open_move(j, m))
				continue;
			evaluate_move(&a, &a.next, circuit_move(c, m));
			evaluate_move(&a, &a.end, 0);
			wins[m] = ends_with(&a, j->best, j->best_count);
			loses[m] = ends_with(&a, j->worst, j->worst_count);
			some |= wins[m] != LIT_FALSE || loses[m] != LIT_FALSE;
			small = c->gates.n < MOST_GATES((size_t)a.size);
		}
	}
	if (some && small)
		restrict_legal(c, j, wins, loses);
	part_end(&a.next);
	part_end(&a.end);
	vec_free(&a.in);
	mem_free(a.false_now);
	mem_free(wins);
	mem_free(loses);
	return some && small;
}

/* Two members of a group are taken to hold after a step, with all groups as they should be before it:
 * whatever follows is written down until it contradicts itself. Groups that are not handed on are
 * dropped, until those left prove one another. */
#include "circuit/exclusive.h"

#include "base/bits.h"

#include <string.h>

#define LARGEST_GROUP 24
#define MOST_STEPS ((size_t)4 << 20) /* literals looked at, in all */
#define PAIR_STEPS 20000             /* and for one pair */
#define DEEPEST 3                    /* cases of cases */

struct prover {
	const struct circuit *c;
	const struct ground *g;
	uint32_t *group;        /* by fluent */
	uint32_t *role_of;      /* by move */
	uint8_t *held;          /* by literal */
	uint32_t *holder;       /* by group: the fluent that holds */
	uint32_t *done;         /* by role: the move */
	VEC(lit_t) trail, open; /* open: of these literals one alternative holds */
	size_t steps, bound;
};

/* ---- proofs ------------------------------------------------------------------------------ */

static const struct gate *gate_of(const struct prover *p, lit_t l)
{
	return &p->c->gates.at[l / 2];
}

/* The entry that only one fluent of a group or one move of a role can have; NULL: it has none. */
static uint32_t *place_of(const struct prover *p, lit_t l)
{
	const struct gate *g = gate_of(p, l);
	if (l & 1)
		return NULL;
	if (g->kind == GATE_MOVE)
		return &p->done[p->role_of[l / 2 - circuit_move(p->c, 0)]];
	if (g->kind != GATE_FLUENT || p->group[l / 2 - 1] == EXCLUSIVE_NONE)
		return NULL;
	return &p->holder[p->group[l / 2 - 1]];
}

/* Is it an AND, or the negation of an OR? */
static bool is_product(const struct gate *g, lit_t l)
{
	return g->kind == (l & 1 ? GATE_OR : GATE_AND);
}

static bool denied(const struct prover *p, lit_t l)
{
	const uint32_t *place = place_of(p, l);
	return l == LIT_FALSE || p->held[l ^ 1] || (place && *place != EXCLUSIVE_NONE && *place != l / 2);
}

/* Can it be seen at once that it does not hold? */
static bool contradicts(struct prover *p, lit_t l)
{
	const struct gate *g = gate_of(p, l);
	if (denied(p, l))
		return true;
	if (g->kind == GATE_MOVE && !(l & 1))
		return contradicts(p, p->c->legal.at[l / 2 - circuit_move(p->c, 0)]);
	for (uint32_t k = 0; is_product(g, l) && k < g->n; k++) {
		p->steps++;
		if (denied(p, p->c->inputs.at[g->in + k] ^ (l & 1)))
			return true;
	}
	return false;
}

/* False: it contradicts what holds. */
static bool hold(struct prover *p, lit_t l)
{
	const struct gate *g = gate_of(p, l);
	uint32_t *place = place_of(p, l);
	if (denied(p, l))
		return false;
	if (l == LIT_TRUE || p->held[l])
		return true;
	p->held[l] = 1;
	p->steps++;
	vec_push(&p->trail, l);
	if (place)
		*place = l / 2;
	if (g->kind == GATE_MOVE && !(l & 1))
		return hold(p, p->c->legal.at[l / 2 - circuit_move(p->c, 0)]);
	if (g->kind == GATE_AND || g->kind == GATE_OR) {
		bool product = is_product(g, l), holds = true;
		if (!product)
			vec_push(&p->open, l);
		for (uint32_t k = 0; product && holds && k < g->n; k++)
			holds = hold(p, p->c->inputs.at[g->in + k] ^ (l & 1));
		return holds;
	}
	return true;
}

static void undo(struct prover *p, size_t trail, size_t open)
{
	while (p->trail.n > trail) {
		lit_t l = vec_pop(&p->trail);
		uint32_t *place = place_of(p, l);
		p->held[l] = 0;
		if (place)
			*place = EXCLUSIVE_NONE;
	}
	p->open.n = open;
}

/* How many alternatives are left; 1 + the widest when one of them holds already. */
static uint32_t alternatives(struct prover *p, lit_t l, lit_t *last)
{
	const struct gate *g = gate_of(p, l);
	uint32_t left = 0;
	for (uint32_t k = 0; k < g->n; k++) {
		lit_t x = p->c->inputs.at[g->in + k] ^ (l & 1);
		p->steps++;
		if (x == LIT_TRUE || p->held[x])
			return UINT32_MAX;
		if (contradicts(p, x))
			continue;
		*last = x;
		left++;
	}
	return left;
}

/* Holds what is the only alternative left, again and again. False: a contradiction. `fewest`: of what stays open, what
 * has the fewest alternatives; LIT_NONE: nothing does. */
static bool settle(struct prover *p, lit_t *fewest)
{
	for (bool more = true; more;) {
		uint32_t least = UINT32_MAX;
		more = false;
		*fewest = LIT_NONE;
		for (size_t i = 0; i < p->open.n && p->steps < p->bound; i++) {
			lit_t only = LIT_FALSE;
			uint32_t n = alternatives(p, p->open.at[i], &only);
			if (!n || (n == 1 && !hold(p, only)))
				return false;
			more |= n == 1;
			if (n < least && n > 1) {
				least = n;
				*fewest = p->open.at[i];
			}
		}
	}
	return true;
}

/* Does what holds contradict itself? */
static bool refuted(struct prover *p, int depth)
{
	lit_t split;
	if (!settle(p, &split))
		return true;
	if (split == LIT_NONE || !depth)
		return false;
	const struct gate *g = gate_of(p, split);
	bool all = p->steps < p->bound;
	for (uint32_t k = 0; k < g->n && all; k++) {
		size_t trail = p->trail.n, open = p->open.n;
		all = !hold(p, p->c->inputs.at[g->in + k] ^ (split & 1)) || refuted(p, depth - 1);
		undo(p, trail, open);
	}
	return all && p->steps < p->bound;
}

static bool never_both(struct prover *p, uint32_t f, uint32_t g)
{
	p->bound = p->steps + PAIR_STEPS < MOST_STEPS ? p->steps + PAIR_STEPS : MOST_STEPS;
	bool proved = !hold(p, p->c->next.at[f]) || !hold(p, p->c->next.at[g]) || refuted(p, DEEPEST);
	undo(p, 0, 0);
	return proved && p->steps < p->bound;
}

/* ---- candidates -------------------------------------------------------------------------- */

/* Fluents with the same symbol and arguments, but for argument `but` of at most `most`. */
static bool alike(const struct ground *g, uint32_t x, uint32_t y, uint32_t but, uint32_t most)
{
	const struct terms *t = &g->datalog.terms;
	const struct term *a = &t->all.at[g->fluents.at[x]], *b = &t->all.at[g->fluents.at[y]];
	if (a->name != b->name || a->argc != b->argc || but >= a->argc || a->argc > most)
		return false;
	for (uint32_t i = 0; i < a->argc; i++)
		if (i != but && t->kids.at[a->args + i] != t->kids.at[b->args + i])
			return false;
	return true;
}

static void drop(struct prover *p, uint32_t group)
{
	for (uint32_t f = 0; f < p->c->fluents; f++)
		if (p->group[f] == group)
			p->group[f] = EXCLUSIVE_NONE;
}

/* Puts fluents without a group into groups, which are numbered by their first member. */
static void propose(struct prover *p, uint32_t but, uint32_t most)
{
	for (uint32_t f = 0; f < p->c->fluents; f++) {
		uint32_t n = 1, now = bits_has(p->g->initial.at, f);
		if (p->group[f] != EXCLUSIVE_NONE)
			continue;
		for (uint32_t o = f + 1; o < p->c->fluents; o++)
			if (p->group[o] == EXCLUSIVE_NONE && alike(p->g, f, o, but, most)) {
				p->group[o] = p->group[f] = f;
				n++;
				now += bits_has(p->g->initial.at, o);
			}
		if (n > LARGEST_GROUP || now > 1)
			drop(p, f);
	}
}

static bool handed_on(struct prover *p, uint32_t group)
{
	for (uint32_t f = group; f < p->c->fluents; f++)
		for (uint32_t o = f + 1; o < p->c->fluents && p->group[f] == group; o++)
			if (p->group[o] == group && !never_both(p, f, o))
				return false;
	return true;
}

static void sieve(struct prover *p)
{
	for (bool more = true; more;) {
		more = false;
		for (uint32_t f = 0; f < p->c->fluents; f++)
			if (p->group[f] == f && !handed_on(p, f)) {
				drop(p, f);
				more = true;
			}
	}
}

#define MOST_ARGUMENTS 5

uint32_t *exclusive_find(const struct circuit *c, const struct ground *g)
{
	struct prover p = {.c = c, .g = g};
	p.group = mem_alloc(c->fluents + 1, sizeof *p.group);
	p.holder = mem_alloc(c->fluents + 1, sizeof *p.holder);
	p.done = mem_alloc(g->roles.n + 1, sizeof *p.done);
	p.role_of = mem_alloc(c->moves + 1, sizeof *p.role_of);
	p.held = NEW_ARRAY(uint8_t, 2 * c->gates.n);
	memset(p.group, 0xff, (c->fluents + 1) * sizeof *p.group);
	memset(p.holder, 0xff, (c->fluents + 1) * sizeof *p.holder);
	memset(p.done, 0xff, (g->roles.n + 1) * sizeof *p.done);
	for (uint32_t r = 0; r < g->roles.n; r++)
		for (uint32_t m = g->moves.start.at[r]; m < g->moves.start.at[r + 1]; m++)
			p.role_of[m] = r;
	propose(&p, 0, 1); /* whose turn it is: the others need this */
	sieve(&p);
	for (uint32_t but = MOST_ARGUMENTS; but-- > 0;) {
		propose(&p, but, MOST_ARGUMENTS);
		sieve(&p);
	}
	mem_free(p.holder);
	mem_free(p.done);
	mem_free(p.role_of);
	mem_free(p.held);
	vec_free(&p.trail);
	vec_free(&p.open);
	return p.group;
}

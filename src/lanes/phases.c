/* Constants and rotations: random walks propose them, induction over the circuit proves them. */
#include "lanes/phases.h"

#include "lanes/lanes.h"

#include <string.h>

#define RESIDUES 120      /* steps are distinguished modulo this; the periods below divide it */
#define WALK_WORK 6000000 /* gate inputs to evaluate while walking */

static const uint32_t periods[] = {2, 3, 4, 5, 6, 8};
#define PERIODS (sizeof periods / sizeof *periods)

struct finder {
	const struct circuit *c;
	const uint32_t *first_move;
	uint32_t roles;
	const uint64_t *initial;
	uint8_t *seen;       /* residue * fluents + f: 1 seen false, 2 seen true */
	uint8_t *seen_legal; /* by move, when asked for */
};

/* ---- walking: 64 random games, straight on the gates -------------------------------- */

static uint64_t value64(const uint64_t *v, lit_t l)
{
	return v[l / 2] ^ (0 - (uint64_t)(l & 1));
}

static void gates64(const struct circuit *c, uint64_t *v)
{
	for (uint32_t i = 1 + c->fluents + c->moves; i < c->gates.n; i++) {
		const struct gate *g = &c->gates.at[i];
		const lit_t *in = c->inputs.at + g->in;
		if (g->kind == GATE_LOOP)
			continue;
		uint64_t x = g->kind == GATE_AND ? ~UINT64_C(0) : 0;
		for (uint32_t k = 0; k < g->n; k++)
			x = g->kind == GATE_AND ? x & value64(v, in[k]) : x | value64(v, in[k]);
		v[i] = x;
	}
}

/* With fixpoint blocks: all over again until none of them grows. */
static void evaluate64(const struct circuit *c, uint64_t *v)
{
	for (size_t k = 0; k < c->members.n; k++)
		v[c->members.at[k].node] = 0;
	for (bool changed = true; changed;) {
		changed = false;
		gates64(c, v);
		for (size_t k = 0; k < c->members.n; k++) {
			uint64_t more = value64(v, c->members.at[k].definition) & ~v[c->members.at[k].node];
			v[c->members.at[k].node] |= more;
			changed |= more != 0;
		}
	}
}

static void restart64(const struct finder *f, uint64_t *v)
{
	for (uint32_t i = 0; i < f->c->fluents; i++)
		v[circuit_fluent(f->c, i)] = bits_has(f->initial, i) ? ~UINT64_C(0) : 0;
}

static void note64(struct finder *f, const uint64_t *v, uint64_t alive, uint32_t step)
{
	uint8_t *seen = f->seen + (size_t)(step % RESIDUES) * f->c->fluents;
	for (uint32_t i = 0; i < f->c->fluents; i++) {
		uint64_t x = v[circuit_fluent(f->c, i)];
		seen[i] |= (uint8_t)((alive & ~x ? 1 : 0) | (alive & x ? 2 : 0));
	}
}

/* One step of the lanes alive; returns those alive afterwards. */
static uint64_t step64(const struct finder *f, struct chooser *chooser, uint64_t *v, uint64_t *next, uint64_t alive)
{
	const struct circuit *c = f->c;
	uint64_t *moves = v + circuit_move(c, 0), has;
	memset(moves, 0, c->moves * sizeof *moves);
	evaluate64(c, v);
	alive &= ~value64(v, c->terminal);
	for (uint32_t m = 0; m < c->moves; m++) {
		next[m] = value64(v, c->legal.at[m]);
		if (f->seen_legal && (next[m] & alive))
			f->seen_legal[m] = 1;
	}
	memcpy(moves, next, c->moves * sizeof *moves);
	for (uint32_t r = 0; r < f->roles; r++) {
		uint32_t count = f->first_move[r + 1] - f->first_move[r];
		has = 0;
		if (count)
			lanes_kernel(64, true)->choose(chooser, moves + f->first_move[r], count, &has);
		alive &= has;
	}
	evaluate64(c, v);
	for (uint32_t i = 0; i < c->fluents; i++)
		next[i] = value64(v, c->next.at[i]);
	memcpy(v + circuit_fluent(c, 0), next, c->fluents * sizeof *next);
	return alive;
}

static void walk(struct finder *f)
{
	const struct circuit *c = f->c;
	uint64_t alive = ~UINT64_C(0);
	uint64_t *v = NEW_ARRAY(uint64_t, c->gates.n);
	uint64_t *next = NEW_ARRAY(uint64_t, (c->fluents > c->moves ? c->fluents : c->moves) + 1);
	uint32_t steps = (uint32_t)(WALK_WORK / (2 * c->inputs.n + 10 * c->moves + 1000)), most = 0;
	struct chooser chooser;
	for (uint32_t r = 0; r < f->roles; r++)
		if (f->first_move[r + 1] - f->first_move[r] > most)
			most = f->first_move[r + 1] - f->first_move[r];
	chooser_init(&chooser, lanes_kernel(64, true), most ? most : 1, 1);
	steps = steps < 6 ? 6 : steps > 600 ? 600 : steps;
	restart64(f, v);
	for (uint32_t t = 0; t < steps; t++) {
		if (!alive && t % RESIDUES == 0) {
			restart64(f, v);
			alive = ~UINT64_C(0);
		}
		if (!alive)
			continue;
		note64(f, v, alive, t);
		alive = step64(f, &chooser, v, next, alive);
	}
	chooser_free(&chooser);
	mem_free(v);
	mem_free(next);
}

/* ---- induction -------------------------------------------------------------------------
 *
 * Three-valued evaluation, all phases of all periods side by side: every phase is
 * a bit, and a node keeps two words, the phases in which it can be false and those
 * in which it can be true. What is proposed may turn out wrong, so values only
 * ever widen, and only what depends on a widened node is evaluated again. */

struct can {
	uint64_t no, yes;
};

struct induction {
	const struct finder *f;
	struct can *node;
	uint32_t *start, *users; /* users of node i: gates users[start[i] .. start[i+1]) */
	uint64_t *dirty;         /* one bit per gate */
	bool *stale;             /* by role: the legality of some move has changed */
	uint32_t *role_of;       /* by node that is a legality: role + 1; roles + 1 when it is so for several */
};

static struct can can_of(const struct induction *x, lit_t l)
{
	struct can c = x->node[l / 2];
	return l & 1 ? (struct can){c.yes, c.no} : c;
}

/* The bits of all periods: period p has bits [first, first + p). */
static uint32_t first_bit(size_t period)
{
	uint32_t bit = 1; /* bit 0 is the single phase of period 1 */
	for (size_t i = 0; i < period; i++)
		bit += periods[i];
	return bit;
}

/* Every phase becomes the one after it. */
static uint64_t advance_phases(uint64_t x)
{
	uint64_t y = x & 1;
	for (size_t i = 0; i < PERIODS; i++) {
		uint64_t mask = (UINT64_C(1) << periods[i]) - 1, group = x >> first_bit(i) & mask;
		y |= ((group << 1 | group >> (periods[i] - 1)) & mask) << first_bit(i);
	}
	return y;
}

static void widen(struct induction *x, uint32_t node, struct can by)
{
	struct can *c = &x->node[node];
	if (!(by.no & ~c->no) && !(by.yes & ~c->yes))
		return;
	c->no |= by.no;
	c->yes |= by.yes;
	for (uint32_t k = x->start[node]; k < x->start[node + 1]; k++)
		bits_add(x->dirty, x->users[k]);
	if (x->role_of[node] > x->f->roles)
		memset(x->stale, true, x->f->roles);
	else if (x->role_of[node])
		x->stale[x->role_of[node] - 1] = true;
}

static struct can gate_can(const struct induction *x, const struct gate *g)
{
	const lit_t *in = x->f->c->inputs.at + g->in;
	struct can c = g->kind == GATE_AND ? (struct can){0, ~UINT64_C(0)} : (struct can){~UINT64_C(0), 0};
	for (uint32_t k = 0; k < g->n; k++) {
		struct can y = can_of(x, in[k]);
		if (g->kind == GATE_AND)
			c = (struct can){c.no | y.no, c.yes & y.yes};
		else
			c = (struct can){c.no & y.no, c.yes | y.yes};
	}
	return c;
}

static void settle_gates(struct induction *x)
{
	const struct circuit *c = x->f->c;
	for (size_t w = 0; w < BITS_WORDS(c->gates.n); w++)
		while (x->dirty[w]) {
			uint32_t i = (uint32_t)(w * 64 + (size_t)__builtin_ctzll(x->dirty[w]));
			bits_drop(x->dirty, i);
			widen(x, i, gate_can(x, &c->gates.at[i]));
		}
}

/* A move can be done when it can be legal; it must be when it is legal for sure
 * and no other one can be. */
static void settle_role(struct induction *x, uint32_t r)
{
	const struct finder *f = x->f;
	uint64_t one = 0, two = 0;
	x->stale[r] = false;
	for (uint32_t m = f->first_move[r]; m < f->first_move[r + 1]; m++) {
		uint64_t can = can_of(x, f->c->legal.at[m]).yes;
		two |= one & can;
		one |= can;
	}
	for (uint32_t m = f->first_move[r]; m < f->first_move[r + 1]; m++) {
		struct can legal = can_of(x, f->c->legal.at[m]);
		uint64_t must = ~two & legal.yes & ~legal.no;
		widen(x, circuit_move(f->c, m), (struct can){~must, legal.yes});
	}
}

static bool settle_fluents(struct induction *x)
{
	const struct circuit *c = x->f->c;
	bool changed = false;
	for (uint32_t i = 0; i < c->fluents; i++) {
		struct can next = can_of(x, c->next.at[i]), *now = &x->node[circuit_fluent(c, i)], before = *now;
		widen(x, circuit_fluent(c, i), (struct can){advance_phases(next.no), advance_phases(next.yes)});
		changed |= before.no != now->no || before.yes != now->yes;
	}
	return changed;
}

/* What the walks have seen, and the initial state. */
static struct can proposed(const struct finder *f, uint32_t fluent)
{
	uint32_t n = f->c->fluents;
	struct can c = {0, 0};
	for (uint32_t r = 0; r < RESIDUES; r++) {
		uint64_t phases = 1;
		for (size_t i = 0; i < PERIODS; i++)
			phases |= UINT64_C(1) << (first_bit(i) + r % periods[i]);
		uint8_t seen = f->seen[(size_t)r * n + fluent];
		c.no |= seen & 1 ? phases : 0;
		c.yes |= seen & 2 ? phases : 0;
	}
	uint64_t nothing = ~(c.no | c.yes); /* phases never walked: anything */
	return (struct can){c.no | nothing, c.yes | nothing};
}

static void find_users(struct induction *x)
{
	const struct circuit *c = x->f->c;
	x->start = NEW_ARRAY(uint32_t, c->gates.n + 2);
	x->users = NEW_ARRAY(uint32_t, c->inputs.n + 1);
	for (int fill = 0; fill < 2; fill++) {
		for (uint32_t i = 0; i < c->gates.n; i++) {
			const struct gate *g = &c->gates.at[i];
			if (g->kind != GATE_AND && g->kind != GATE_OR)
				continue;
			for (uint32_t k = 0; k < g->n; k++) {
				uint32_t in = c->inputs.at[g->in + k] / 2;
				if (fill)
					x->users[x->start[in + 1]++] = i;
				else
					x->start[in + 2]++;
			}
		}
		if (!fill)
			for (size_t i = 1; i <= c->gates.n + 1; i++)
				x->start[i] += x->start[i - 1];
	}
}

static void induce(struct induction *x, const struct finder *f)
{
	const struct circuit *c = f->c;
	*x = (struct induction){.f = f, .node = NEW_ARRAY(struct can, c->gates.n)};
	x->dirty = NEW_ARRAY(uint64_t, BITS_WORDS(c->gates.n) + 1);
	x->stale = NEW_ARRAY(bool, f->roles + 1);
	x->role_of = NEW_ARRAY(uint32_t, c->gates.n);
	find_users(x);
	for (uint32_t r = 0; r < f->roles; r++) {
		x->stale[r] = true;
		for (uint32_t m = f->first_move[r]; m < f->first_move[r + 1]; m++) {
			uint32_t *role = &x->role_of[c->legal.at[m] / 2];
			*role = *role && *role != r + 1 ? f->roles + 1 : r + 1;
		}
	}
	x->node[0] = (struct can){~UINT64_C(0), 0};
	for (uint32_t i = 0; i < c->fluents; i++)
		x->node[circuit_fluent(c, i)] = proposed(f, i);
	for (uint32_t i = 1 + c->fluents + c->moves; i < c->gates.n; i++)
		if (c->gates.at[i].kind == GATE_LOOP) /* a fixpoint is not evaluated: anything */
			x->node[i] = (struct can){~UINT64_C(0), ~UINT64_C(0)};
		else
			bits_add(x->dirty, i);
	do {
		settle_gates(x);
		for (uint32_t r = 0; r < f->roles; r++)
			if (x->stale[r])
				settle_role(x, r);
		settle_gates(x);
	} while (settle_fluents(x));
}

static void induction_free(struct induction *x)
{
	mem_free(x->node);
	mem_free(x->start);
	mem_free(x->users);
	mem_free(x->dirty);
	mem_free(x->stale);
	mem_free(x->role_of);
}

static uint8_t known_at(const struct induction *x, uint32_t node, uint32_t bit)
{
	bool no = x->node[node].no >> bit & 1, yes = x->node[node].yes >> bit & 1;
	return no && yes ? OPEN : yes ? YES : NO;
}

/* The result for phases [bit, bit + period). */
static struct phases read_phases(const struct induction *x, uint32_t bit, uint32_t period)
{
	const struct circuit *c = x->f->c;
	struct phases p = {.period = period};
	p.fluents = NEW_ARRAY(uint8_t, (size_t)period * c->fluents + 1);
	p.moves = NEW_ARRAY(uint8_t, (size_t)period * c->moves + 1);
	for (uint32_t k = 0; k < period; k++) {
		for (uint32_t i = 0; i < c->fluents; i++)
			p.fluents[(size_t)k * c->fluents + i] = known_at(x, circuit_fluent(c, i), bit + k);
		for (uint32_t m = 0; m < c->moves; m++)
			p.moves[(size_t)k * c->moves + m] = known_at(x, circuit_move(c, m), bit + k);
	}
	return p;
}

void phases_free(struct phases *p)
{
	mem_free(p->fluents);
	mem_free(p->moves);
	*p = (struct phases){0};
}

/* Moves that are open in an average phase: what a step has to choose from. */
static double open_moves(const struct circuit *c, const struct phases *p)
{
	double open = 0;
	for (size_t i = 0; i < (size_t)p->period * c->moves; i++)
		open += p->moves[i] == OPEN;
	return open / p->period;
}

static void find_rotation(const struct induction *x, struct phases *best)
{
	double least = open_moves(x->f->c, best);
	for (size_t i = 0; i < PERIODS; i++) {
		struct phases p = read_phases(x, first_bit(i), periods[i]);
		double open = open_moves(x->f->c, &p);
		if (open < 0.85 * least) {
			least = open;
			phases_free(best);
			*best = p;
		} else {
			phases_free(&p);
		}
	}
}

uint32_t phases_find(struct phases *p, struct circuit *c, const uint32_t *first_move, uint32_t roles,
                     const uint64_t *initial)
{
	struct finder f = {.c = c, .first_move = first_move, .roles = roles, .initial = initial};
	struct induction x;
	uint32_t constants = 0;
	f.seen = NEW_ARRAY(uint8_t, (size_t)RESIDUES * c->fluents + 1);
	walk(&f);
	induce(&x, &f);
	*p = read_phases(&x, 0, 1);
	uint8_t *known = mem_alloc(c->fluents + 1, 1);
	memcpy(known, p->fluents, c->fluents);
	find_rotation(&x, p);
	induction_free(&x);
	struct circuit folded;
	circuit_specialise(&folded, c, known, NULL);
	circuit_free(c);
	*c = folded;
	for (uint32_t i = 0; i < c->fluents; i++)
		constants += known[i] != OPEN;
	mem_free(known);
	mem_free(f.seen);
	return constants;
}

bool phases_reach(const struct circuit *c, const uint32_t *first_move, uint32_t roles, const uint64_t *initial,
                  const uint8_t *strays)
{
	struct finder f = {.c = c, .first_move = first_move, .roles = roles, .initial = initial};
	bool reached = false;
	f.seen = NEW_ARRAY(uint8_t, (size_t)RESIDUES * c->fluents + 1);
	f.seen_legal = NEW_ARRAY(uint8_t, c->moves + 1);
	walk(&f);
	for (uint32_t i = 0; i < c->fluents && !reached; i++)
		for (uint32_t r = 0; strays[i] && r < RESIDUES; r++)
			reached |= (f.seen[(size_t)r * c->fluents + i] & 2) != 0;
	for (uint32_t m = 0; m < c->moves && !reached; m++)
		reached = strays[c->fluents + m] && f.seen_legal[m];
	mem_free(f.seen);
	mem_free(f.seen_legal);
	return reached;
}

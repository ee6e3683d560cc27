#include "game/phases.h"

#include "game/lanes.h"

#include <string.h>

#define RESIDUES 120 /* steps are told apart modulo this; the periods below divide it */
#define WALK_WORK 6000000 /* gate inputs to evaluate while walking */

static const uint32_t periods[] = {2, 3, 4, 5, 6, 8};

struct finder {
	const struct circuit *c;
	const uint32_t *first_move;
	uint32_t roles;
	const uint64_t *initial;
	uint8_t *seen; /* residue * fluents + f: 1 seen false, 2 seen true */
	uint32_t walked;
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
	for (uint32_t m = 0; m < c->moves; m++)
		next[m] = value64(v, c->legal.at[m]);
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

/* ---- induction ------------------------------------------------------------------------- */

static void propose(const struct finder *f, struct phases *p)
{
	uint32_t n = f->c->fluents;
	for (uint32_t k = 0; k < p->period; k++)
		for (uint32_t i = 0; i < n; i++) {
			uint8_t seen = 0;
			for (uint32_t r = k; r < RESIDUES; r += p->period)
				seen |= f->seen[(size_t)r * n + i];
			/* never seen at all: too little walked to say anything */
			p->fluents[(size_t)k * n + i] = seen == 1 ? NO : seen == 2 ? YES : OPEN;
		}
}

/* Drops what one phase does not hand on to the next, until all is handed on. */
static void refine(const struct finder *f, struct phases *p)
{
	const struct circuit *c = f->c;
	uint32_t n = c->fluents;
	uint8_t *next = NEW_ARRAY(uint8_t, n + 1);
	for (uint32_t i = 0; i < n; i++)
		if (p->fluents[i] != OPEN && p->fluents[i] != (bits_has(f->initial, i) ? YES : NO))
			p->fluents[i] = OPEN;
	for (uint32_t settled = 0, k = 0; settled < p->period; k = (k + 1) % p->period) {
		uint8_t *after = p->fluents + (size_t)((k + 1) % p->period) * n;
		bool changed = false;
		circuit_known(c, f->first_move, f->roles, p->fluents + (size_t)k * n, p->moves + (size_t)k * c->moves, next);
		for (uint32_t i = 0; i < n; i++)
			if (after[i] != OPEN && next[i] != after[i]) {
				after[i] = OPEN;
				changed = true;
			}
		settled = changed ? 0 : settled + 1;
	}
	mem_free(next);
}

static struct phases phases_new(const struct circuit *c, uint32_t period)
{
	struct phases p = {.period = period};
	p.fluents = NEW_ARRAY(uint8_t, (size_t)period * c->fluents + 1);
	p.moves = NEW_ARRAY(uint8_t, (size_t)period * c->moves + 1);
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

static void find_rotation(struct finder *f, struct phases *best)
{
	double least = open_moves(f->c, best);
	for (size_t i = 0; i < sizeof periods / sizeof *periods; i++) {
		struct phases p = phases_new(f->c, periods[i]);
		propose(f, &p);
		refine(f, &p);
		double open = open_moves(f->c, &p);
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
	uint32_t constants = 0;
	f.seen = NEW_ARRAY(uint8_t, (size_t)RESIDUES * c->fluents + 1);
	walk(&f);
	*p = phases_new(c, 1);
	propose(&f, p);
	refine(&f, p);
	struct circuit folded;
	circuit_specialise(&folded, c, p->fluents, NULL);
	circuit_free(c);
	*c = folded;
	for (uint32_t i = 0; i < c->fluents; i++)
		constants += p->fluents[i] != OPEN;
	find_rotation(&f, p);
	mem_free(f.seen);
	return constants;
}

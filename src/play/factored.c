/* One seat for each factor: states, moves and budgets as they are there. */
#include "play/factored.h"

#include "analysis/factors.h"

#include <assert.h>
#include <string.h>

struct part {
	const struct factor *factor;
	struct seat seat;
	void *self; /* the player */
	uint64_t *state;
	uint32_t *legal;
};

struct factored {
	const struct player_kind *kind;
	const struct factors *factors;
	struct part *parts;
};

struct factored *factored_new(struct seat *s, const struct player_kind *kind, const struct limit *limit)
{
	const struct factors *x = factors_of(s->game, limit);
	if (!x)
		return NULL;
	assert(x->count > 1 && s->role < s->game->roles);
	struct factored *f = NEW(struct factored);
	*f = (struct factored){.kind = kind, .factors = x, .parts = NEW_ARRAY(struct part, x->count)};
	for (uint32_t i = 0; i < x->count; i++) {
		struct part *p = &f->parts[i];
		p->factor = &x->at[i];
		p->state = mem_alloc(p->factor->game->words + 1, sizeof *p->state);
		p->legal = mem_alloc(p->factor->game->moves + 1, sizeof *p->legal);
		p->seat = (struct seat){.game = p->factor->game,
		                        .role = s->role,
		                        .worker = worker_new(p->factor->game),
		                        .rng = rng_seed(rng_next(&s->rng)),
		                        .options = s->options};
		p->self = kind->make(&p->seat);
	}
	return f;
}

void factored_free(struct factored *f)
{
	if (!f)
		return;
	for (uint32_t i = 0; i < f->factors->count; i++) {
		struct part *p = &f->parts[i];
		f->kind->free(p->self);
		worker_free(p->seat.worker);
		text_free(&p->seat.why);
		mem_free(p->state);
		mem_free(p->legal);
	}
	mem_free(f->parts);
	mem_free(f);
}

/* The first of so many equal parts of what is left. */
static struct budget part_of(const struct budget *b, uint32_t parts)
{
	struct budget part = *b;
	if (b->playouts)
		part.playouts = 1 + b->playouts / parts;
	if (b->limit.deadline > 0)
		part.limit.deadline -= limit_left(&b->limit) * (1 - 1.0 / parts);
	return part;
}

/* What the players of the factors have done is what this one has. */
static void count_up(struct factored *f, struct seat *s)
{
	s->count.playouts = s->count.nodes = s->count.hits = s->count.proven = s->count.rounds = 0;
	for (uint32_t i = 0; i < f->factors->count; i++) {
		const struct counters *c = &f->parts[i].seat.count;
		s->count.playouts += c->playouts;
		s->count.nodes += c->nodes;
		s->count.hits += c->hits;
		s->count.proven += c->proven;
		s->count.rounds += c->rounds;
	}
}

void factored_start(struct factored *f, struct seat *s, const struct budget *b)
{
	uint32_t count = f->factors->count;
	for (uint32_t i = 0; i < count; i++) {
		struct budget part = part_of(b, count - i);
		f->kind->start(f->parts[i].self, &f->parts[i].seat, &part);
	}
	count_up(f, s);
}

/* The turn as it is in a factor; the own moves there, or to pass. */
static struct turn turn_of(struct part *p, const struct turn *t)
{
	factor_state(p->factor, t->state, p->state);
	struct view v = game_look(p->seat.worker, p->state);
	uint32_t first = v.start[p->seat.role], n = v.start[p->seat.role + 1] - first;
	memcpy(p->legal, v.legal + first, n * sizeof *p->legal);
	return (struct turn){
		.step = t->step, .state = p->state, .legal = p->legal, .legal_count = n, .own_last = GAME_NONE};
}

static uint32_t think(struct factored *f, struct part *p, const struct turn *t, const struct budget *b)
{
	p->seat.why.n = 0;
	uint32_t move = f->kind->move(p->self, &p->seat, t, b);
	return move == GAME_NONE ? move : p->factor->move[move];
}

#define FIRST_OF 5 /* parts of the clock: after the first one there is a move for whoever cannot wait */

uint32_t factored_move(struct factored *f, struct seat *s, const struct turn *t, const struct budget *b)
{
	assert(t->legal_count && t->state);
	uint32_t k = factors_of_moves(f->factors, t->legal, t->legal_count);
	if (k == GAME_NONE)
		return GAME_NONE;
	struct part *p = &f->parts[k];
	struct turn turn = turn_of(p, t);
	struct budget part = part_of(b, FIRST_OF);
	uint32_t move = GAME_NONE;
	if (!b->playouts)
		move = think(f, p, &turn, &part);
	if (turn_allows(t, move))
		seat_ready(s, move);
	if (t->legal_count > 1 || b->playouts)
		move = think(f, p, &turn, b);
	text_printf(&s->why, "game %u of %u: %s", k + 1, f->factors->count, text_str(&p->seat.why));
	count_up(f, s);
	return move;
}

/* Where somebody else moves now, in the factors in turn. */
void factored_ponder(struct factored *f, struct seat *s, const struct turn *t, const struct budget *b)
{
	uint32_t own = factors_of_moves(f->factors, t->legal, t->legal_count), left = f->factors->count;
	for (uint32_t i = 0; i < f->factors->count; i++, left--) {
		struct turn turn = turn_of(&f->parts[i], t);
		if (i == own || turn.legal_count != 1)
			continue;
		struct budget part = part_of(b, own == GAME_NONE || own < i ? left : left - 1);
		f->kind->ponder(f->parts[i].self, &f->parts[i].seat, &turn, turn.legal[0], &part);
	}
	count_up(f, s);
}

bool factored_values(struct factored *f, const struct turn *t, struct move_value *out)
{
	uint32_t k = factors_of_moves(f->factors, t->legal, t->legal_count);
	if (k == GAME_NONE)
		return false;
	struct part *p = &f->parts[k];
	struct turn turn = turn_of(p, t);
	struct move_value *values = NEW_ARRAY(struct move_value, turn.legal_count + 1);
	for (uint32_t i = 0; i < turn.legal_count; i++)
		values[i] = (struct move_value){.move = turn.legal[i], .value = -1, .high = 100, .share = -1};
	bool known = f->kind->values(p->self, &p->seat, &turn, values);
	for (uint32_t i = 0; known && i < t->legal_count; i++)
		for (uint32_t n = 0; n < turn.legal_count; n++)
			if (p->factor->move[turn.legal[n]] == t->legal[i]) {
				out[i] = values[n];
				out[i].move = t->legal[i];
				out[i].low = 0; /* a bound of the factor is none of the whole: another one may end first */
				out[i].high = 100;
			}
	mem_free(values);
	return known;
}

/* Votes over states drawn from the belief: the budget is divided among the states, one vote each. */
#include "play/hidden/determinised.h"

#include "play/hidden/belief.h"

#include <assert.h>
#include <string.h>

#define VOTES 24      /* states asked about */
#define SECONDS 0.003 /* per vote, at least */
#define PLAYOUTS 64   /* and at least this many playouts, when these are counted */

struct determinised {
	const struct player_kind *kind;
	struct belief *belief;
	VEC(double) votes; /* of the last move, by legal move */
	struct text note;  /* what the kind says of beliefs */
};

struct determinised *determinised_new(const struct player_kind *kind, struct seat *s)
{
	assert(s->role < s->game->roles);
	struct determinised *d = NEW(struct determinised);
	d->kind = kind;
	d->belief = belief_new(s->game, s->role, &(struct belief_options){0});
	return d;
}

void determinised_free(struct determinised *d)
{
	belief_free(d->belief);
	vec_free(&d->votes);
	text_free(&d->note);
	mem_free(d);
}

/* How many states the budget allows. */
static uint32_t count_votes(const struct belief *k, const struct budget *b)
{
	uint64_t n = VOTES;
	if (b->playouts && b->playouts / PLAYOUTS < n)
		n = b->playouts / PLAYOUTS + 1;
	if (!b->playouts && b->limit.deadline > 0 && limit_left(&b->limit) / SECONDS < (double)n)
		n = (uint64_t)(limit_left(&b->limit) / SECONDS) + 1;
	return (uint32_t)(belief_count(k) < n ? belief_count(k) : n);
}

/* What the player does in state i. */
static uint32_t ask(struct determinised *d, void *self, struct seat *s, const struct turn *t, const struct budget *b,
                    size_t i, uint32_t left)
{
	assert(t->legal_count && t->legal);
	struct turn turn = *t;
	struct budget part = *b;
	uint64_t *state = mem_alloc(s->game->words + 1, sizeof *state);
	memcpy(state, belief_state(d->belief, i), s->game->words * sizeof *state);
	turn.state = state;
	if (b->limit.deadline > 0)
		part.limit.deadline = limit_now(&b->limit) + limit_left(&b->limit) / left;
	worker_limit(s->worker, part.limit);
	s->why.n = 0;
	uint32_t move = d->kind->move(self, s, &turn, &part);
	mem_free(state);
	return move;
}

uint32_t determinised_move(struct determinised *d, void *self, struct seat *s, const struct turn *t,
                           const struct budget *b)
{
	assert(s->role < s->game->roles);
	assert(t->legal_count && t->legal);
	vec_clear(&d->votes);
	if (!belief_observe(d->belief, s->worker, &s->rng, t, &b->limit) || t->legal_count == 1) {
		text_puts(&s->why, belief_count(d->belief) ? "" : "no state agrees with what was seen");
		return t->legal_count == 1 ? t->legal[0] : GAME_NONE;
	}
	vec_extend(&d->votes, t->legal_count);
	double *votes = memset(d->votes.at, 0, t->legal_count * sizeof *votes), given = 0;
	uint32_t believed = d->kind->believe ? d->kind->believe(self, s, t, d->belief, b, votes) : GAME_NONE;
	if (believed != GAME_NONE)
		return believed;
	d->note.n = 0;
	text_puts(&d->note, text_str(&s->why)); /* why it votes */
	uint32_t n = count_votes(d->belief, b), best = rng_below(&s->rng, t->legal_count);
	bool all = n == belief_count(d->belief);
	struct budget part = {b->limit, b->playouts ? (b->playouts + n - 1) / n : 0};
	for (uint32_t k = 0; k < n && !limit_reached(&b->limit); k++) {
		size_t i = all ? k : belief_draw(d->belief, &s->rng);
		double weight = all ? belief_weight(d->belief, i) : 1.0 / n;
		uint32_t move = ask(d, self, s, t, &part, i, n - k);
		given += weight;
		for (uint32_t a = 0; a < t->legal_count; a++)
			if (t->legal[a] == move) {
				votes[a] += weight;
				best = votes[a] > votes[best] ? a : best;
			}
		seat_ready(s, t->legal[best]);
	}
	s->why.n = 0;
	text_printf(&s->why, "%.0f%% of the votes of %u states, %zu %s", given > 0 ? 100 * votes[best] / given : 0, n,
	            belief_count(d->belief), belief_exact(d->belief) ? "possible" : "histories sampled");
	if (d->note.n)
		text_printf(&s->why, ", %s", text_str(&d->note));
	return t->legal[best];
}

bool determinised_values(const struct determinised *d, const struct turn *t, struct move_value *out)
{
	double given = 0;
	for (size_t i = 0; i < d->votes.n; i++)
		given += d->votes.at[i];
	if (d->votes.n != t->legal_count || given <= 0)
		return false;
	for (uint32_t i = 0; i < t->legal_count; i++)
		out[i].share = d->votes.at[i] / given;
	return true;
}

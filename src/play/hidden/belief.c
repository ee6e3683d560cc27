/* The exact belief, and the step that the exact and the sampled one have in common. */
#include "play/hidden/belief_internal.h"

#include <assert.h>
#include <string.h>

#define MOST_BYTES ((size_t)64 << 20) /* of an exact layer */

void layer_free(struct layer *l)
{
	vec_free(&l->rows);
	vec_free(&l->weight);
	vec_free(&l->sum);
}

void layer_finish(struct layer *l)
{
	double total = 0, sum = 0;
	for (size_t i = 0; i < l->weight.n; i++)
		total += l->weight.at[i];
	vec_clear(&l->sum);
	for (size_t i = 0; i < l->weight.n; i++) {
		l->weight.at[i] /= total > 0 ? total : 1;
		sum += l->weight.at[i];
		vec_push(&l->sum, sum);
	}
	assert(!l->weight.n || !(total > 0) || (sum > 1 - 1e-6 && sum < 1 + 1e-6));
}

size_t layer_draw(const struct layer *l, struct rng *rng)
{
	double at = rng_unit(rng) * l->sum.at[l->sum.n - 1];
	size_t low = 0, high = l->sum.n - 1;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (l->sum.at[middle] > at)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* ---- a step --------------------------------------------------------------------------------- */

static uint64_t legal_hash(const struct belief *b, const uint64_t *legal)
{
	const struct game *g = b->g;
	size_t from = g->interpreter ? 0 : g->first_move[b->role],
		   to = g->interpreter ? g->moves : g->first_move[b->role + 1];
	uint64_t h = 1;
	for (size_t m = bits_next(legal, to, from); m < to; m = bits_next(legal, to, m + 1))
		if (!g->interpreter || game_role_of(g, (uint32_t)m) == b->role)
			h ^= hash_mix(m + 1);
	return h;
}

double belief_list(struct belief *b, const uint64_t *row, const struct observation *t)
{
	struct game *g = b->g;
	double joint = 1;
	vec_clear(&b->legal);
	vec_clear(&b->first);
	for (uint32_t r = 0; r < g->roles; r++) {
		size_t from = g->interpreter ? 0 : g->first_move[r], to = g->interpreter ? g->moves : g->first_move[r + 1];
		vec_push(&b->first, (uint32_t)b->legal.n);
		for (size_t m = bits_next(row_legal(b, row), to, from); m < to; m = bits_next(row_legal(b, row), to, m + 1))
			if ((!g->interpreter || game_role_of(g, (uint32_t)m) == r) &&
			    (r != b->role || t->move == GAME_NONE || t->move == m))
				vec_push(&b->legal, (uint32_t)m);
		joint *= (double)(b->legal.n - b->first.at[r]);
	}
	vec_push(&b->first, (uint32_t)b->legal.n);
	return joint;
}

void belief_put(struct belief *b, const uint64_t *row, uint32_t from, uint64_t joint, double p)
{
	assert(p >= 0 && p <= 1);
	struct pass *k = &b->pass;
	vec_extend(&k->states, b->words);
	memcpy(k->states.at + k->states.n - b->words, row, b->words * sizeof *row);
	for (uint32_t r = 0; r < b->g->roles; r++) {
		uint32_t n = b->first.at[r + 1] - b->first.at[r];
		vec_push(&k->moves, b->legal.at[b->first.at[r] + joint % n]);
		joint /= n;
	}
	vec_push(&k->from, from);
	vec_push(&k->p, p);
	/* what the views were goes on in `next` until the run */
	vec_extend(&k->next, b->stride);
	memcpy(k->next.at + k->next.n - b->stride, row, b->stride * sizeof *row);
}

static bool agrees(const struct belief *b, const struct observation *t, size_t i, const uint64_t *legal)
{
	const struct pass *k = &b->pass;
	return !k->terminal.at[i] && (t->move == GAME_NONE || k->seen.at[i * b->g->roles + b->role] == t->seen) &&
	       (!t->legal || legal_hash(b, legal) == t->legal);
}

void belief_run(struct belief *b, struct worker *w, const struct observation *t, found_fn *found, void *context)
{
	struct pass *k = &b->pass;
	size_t n = k->from.n;
	uint32_t roles = b->g->roles;
	vec_clear(&k->legal);
	vec_clear(&k->seen);
	vec_clear(&k->terminal);
	vec_extend(&k->legal, n * b->legal_words);
	vec_extend(&k->seen, n * roles);
	vec_extend(&k->terminal, n);
	uint64_t *next = mem_alloc(n + 1, b->words * sizeof *next);
	if (n)
		game_expand(w, &(struct expansion){.states = k->states.at,
		                                   .moves = k->moves.at,
		                                   .count = n,
		                                   .next = next,
		                                   .terminal = k->terminal.at,
		                                   .legal = k->legal.at,
		                                   .seen = k->seen.at});
	for (size_t i = 0; i < n; i++) {
		uint64_t *row = k->next.at + i * b->stride;
		if (!agrees(b, t, i, k->legal.at + i * b->legal_words))
			continue;
		memcpy(row, next + i * b->words, b->words * sizeof *row);
		memcpy(row + b->words, k->legal.at + i * b->legal_words, b->legal_words * sizeof *row);
		for (uint32_t r = 0; r < roles && b->o.views; r++) /* chance knows nothing */
			row_views(b, row)[r] = r == b->g->random ? 0
			                                         : view_after(row_views(b, row)[r], k->moves.at[i * roles + r],
			                                                      k->seen.at[i * roles + r]);
		found(context, k->from.at[i], row, k->p.at[i]);
	}
	mem_free(next);
	vec_clear(&k->states);
	vec_clear(&k->moves);
	vec_clear(&k->from);
	vec_clear(&k->p);
	vec_clear(&k->next);
}

/* ---- exact -------------------------------------------------------------------------------------- */

struct gathering {
	struct belief *b;
	struct layer next;
};

/* Adds a row, or its weight where an equal one is stored. */
static void gather(void *context, uint32_t from, const uint64_t *row, double p)
{
	struct gathering *x = context;
	struct belief *b = x->b;
	size_t bytes = b->stride * sizeof *row;
	uint64_t h = hash_bytes(row, bytes);
	uint32_t it = 0, id;
	for (table_start(&b->table, h, &it); (id = table_next(&b->table, h, &it)) != TABLE_NONE;)
		if (!memcmp(x->next.rows.at + (size_t)id * b->stride, row, bytes)) {
			x->next.weight.at[id] += p * b->layer.weight.at[from];
			return;
		}
	table_add(&b->table, h, (uint32_t)x->next.weight.n);
	vec_push(&x->next.weight, p * b->layer.weight.at[from]);
	vec_extend(&x->next.rows, b->stride);
	memcpy(x->next.rows.at + x->next.rows.n - b->stride, row, bytes);
}

/* True: the successors of the layer fit the bound. */
static bool fits(struct belief *b, const struct observation *t)
{
	double pairs = 0;
	for (size_t i = 0; i < b->layer.weight.n && pairs <= (double)b->o.pairs; i++)
		pairs += belief_list(b, b->layer.rows.at + i * b->stride, t);
	return pairs <= (double)b->o.pairs;
}

static void step_exactly(struct belief *b, struct worker *w, const struct observation *t)
{
	struct gathering x = {.b = b};
	table_clear(&b->table);
	for (size_t i = 0; i < b->layer.weight.n; i++) {
		const uint64_t *row = b->layer.rows.at + i * b->stride;
		uint64_t joint = (uint64_t)belief_list(b, row, t);
		for (uint64_t j = 0; j < joint; j++) {
			belief_put(b, row, (uint32_t)i, j, 1 / (double)joint);
			if (b->pass.from.n >= BELIEF_PASS)
				belief_run(b, w, t, gather, &x);
		}
	}
	belief_run(b, w, t, gather, &x);
	layer_finish(&x.next);
	layer_free(&b->layer);
	b->layer = x.next;
}

/* ---- the belief ------------------------------------------------------------------------------------ */

struct belief *belief_new(struct game *g, uint32_t role, const struct belief_options *o)
{
	assert(role < g->roles);
	struct belief *b = NEW(struct belief);
	b->g = g;
	b->role = role;
	b->o = *o;
	b->words = g->words;
	b->legal_words = game_legal_words(g);
	b->stride = b->words + b->legal_words + (o->views ? g->roles : 0);
	b->o.samples = o->samples ? o->samples : g->interpreter ? 64 : BELIEF_SAMPLES;
	b->o.pairs = o->pairs ? o->pairs : g->interpreter ? 500 : BELIEF_PAIRS;
	size_t most = MOST_BYTES / (b->stride * sizeof(uint64_t)) + 1;
	b->o.pairs = b->o.pairs > most ? most : b->o.pairs;
	b->o.samples = b->o.samples > most ? (uint32_t)most : b->o.samples;
	return b;
}

void belief_free(struct belief *b)
{
	if (!b)
		return;
	struct pass *k = &b->pass;
	if (b->crowd)
		crowd_free(b->crowd);
	layer_free(&b->layer);
	layer_free(&b->start);
	vec_free(&b->observed);
	vec_free(&k->states);
	vec_free(&k->next);
	vec_free(&k->legal);
	vec_free(&k->seen);
	vec_free(&k->moves);
	vec_free(&k->from);
	vec_free(&k->p);
	vec_free(&k->terminal);
	table_free(&b->table);
	vec_free(&b->legal);
	vec_free(&b->first);
	mem_free(b);
}

static void begin(struct belief *b, struct worker *w)
{
	if (b->crowd)
		crowd_free(b->crowd);
	b->crowd = NULL;
	b->begun = true;
	vec_clear(&b->observed);
	b->own = view_start(b->role);
	layer_free(&b->start);
	layer_free(&b->layer);
	vec_extend(&b->layer.rows, b->stride);
	uint64_t *row = b->layer.rows.at;
	memset(row, 0, b->stride * sizeof *row);
	memcpy(row, b->g->initial, b->words * sizeof *row);
	struct view v = game_look(w, b->g->initial);
	for (uint32_t i = 0; i < v.start[b->g->roles]; i++)
		bits_add(row + b->words, v.legal[i]);
	for (uint32_t r = 0; r < b->g->roles && b->o.views; r++)
		row_views(b, row)[r] = view_start(r);
	vec_push(&b->layer.weight, 1);
	layer_finish(&b->layer);
}

/* One step further, with the last observation. */
static bool advance(struct belief *b, struct worker *w, struct rng *rng, const struct limit *l)
{
	const struct observation *t = &vec_last(&b->observed);
	if (!b->crowd && fits(b, t)) {
		step_exactly(b, w, t);
		return b->layer.weight.n;
	}
	if (!b->crowd) {
		b->base = (uint32_t)b->observed.n - 1;
		b->start = b->layer;
		b->layer = (struct layer){0};
		b->crowd = crowd_new(b);
	}
	return crowd_extend(b, w, rng, l);
}

/* Nothing is hidden: the state is the belief, and what everybody knows. */
static void know(struct belief *b, struct worker *w, const uint64_t *state)
{
	begin(b, w);
	uint64_t *row = b->layer.rows.at;
	memset(row, 0, b->stride * sizeof *row);
	memcpy(row, state, b->words * sizeof *row);
	struct view v = game_look(w, state);
	for (uint32_t i = 0; i < v.start[b->g->roles]; i++)
		bits_add(row + b->words, v.legal[i]);
	for (uint32_t r = 0; r < b->g->roles && b->o.views; r++)
		row_views(b, row)[r] = view_open(b->g, r, state);
	b->own = view_open(b->g, b->role, state);
}

bool belief_observe(struct belief *b, struct worker *w, struct rng *rng, const struct turn *t, const struct limit *l)
{
	if (t->state) {
		know(b, w, t->state);
		return true;
	}
	if (!t->step || !b->begun || t->step < b->observed.n)
		begin(b, w);
	struct observation unknown = {.move = GAME_NONE},
					   last = {t->own_last, game_seen_hash(t->seen, t->seen_count),
	                           t->legal_count ? view_moves(t->legal, t->legal_count) : 0};
	bool found = true;
	while (b->observed.n < t->step) {
		bool now = b->observed.n + 1 == t->step;
		vec_push(&b->observed, now ? last : unknown);
		b->own = view_after(b->own, now ? last.move : GAME_NONE, now ? last.seen : 0);
		found = advance(b, w, rng, l);
	}
	return found && b->layer.weight.n;
}

size_t belief_count(const struct belief *b)
{
	return b->layer.weight.n;
}

bool belief_exact(const struct belief *b)
{
	return !b->crowd;
}

const uint64_t *belief_state(const struct belief *b, size_t i)
{
	assert(i < b->layer.weight.n);
	return b->layer.rows.at + i * b->stride;
}

const uint64_t *belief_legal(const struct belief *b, size_t i)
{
	assert(i < b->layer.weight.n);
	return row_legal(b, belief_state(b, i));
}

double belief_weight(const struct belief *b, size_t i)
{
	assert(i < b->layer.weight.n);
	return b->layer.weight.at[i];
}

uint64_t belief_view(const struct belief *b, size_t i, uint32_t role)
{
	assert(i < b->layer.weight.n);
	assert(role < b->g->roles);
	return b->layer.rows.at[i * b->stride + b->words + b->legal_words + role];
}

uint64_t belief_own_view(const struct belief *b)
{
	return b->own;
}

size_t belief_draw(const struct belief *b, struct rng *rng)
{
	return layer_draw(&b->layer, rng);
}

/* The search of pvs.h. search() is the heart: all children of a state come from one pass of the circuit, with their
 * moves; ends have their value at once, and the evaluation of the others orders them, or is their value at the
 * horizon. */
#include "play/alphabeta/pvs.h"

#include "base/bits.h"
#include "play/proof/proof.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define WIN 10000     /* less the steps to it; draws are 0 */
#define ESTIMATE 9500 /* greatest estimate */
#define PLIES 200     /* deepest; WIN - 2 * PLIES > ESTIMATE */
#define WIDEST 4096   /* moves of a state; more: it is estimated */
#define HISTORY 8192  /* largest amount of it */
#define LOGS 64

enum bound { BOUND_NONE, BOUND_LOW, BOUND_HIGH, BOUND_EXACT };

struct entry {
	uint64_t key;
	int16_t value; /* a win or a loss: as seen from the state */
	uint8_t depth, bound;
	uint32_t best;
};

/* The state of one depth of the search, and its children. */
struct ply {
	uint32_t count, cap;
	uint32_t mover;
	uint64_t *from, *next, *legal;
	uint32_t *moves; /* joint */
	uint8_t *terminal;
	int *goals;
	float *scores;
	int32_t *value, *rank; /* for the mover: ends and estimates; the order in which they are searched */
	uint32_t killers[2];
};

struct pvs {
	struct pvs_tuning tune;
	struct game *g;
	uint32_t legal_words;
	const struct evaluation *evaluation;
	struct entry *table;
	uint64_t mask;
	int32_t *history; /* by move */
	struct ply plies[PLIES];
	uint8_t reductions[LOGS][LOGS];
	struct worker *worker;
	const struct budget *budget;
	uint64_t nodes; /* made in this search */
	bool out;       /* of time */
	/* the root: moves in the order of their values, and what is known of these */
	VEC(struct pvs_root {
		uint32_t move;
		int32_t value;
		bool bound; /* it is worth no more */
	}) roots;
};

struct pvs *pvs_new(struct seat *s, const struct pvs_tuning *tune)
{
	struct game *g = s->game;
	if (g->engine != ENGINE_CIRCUIT || g->hidden || g->roles != 2 || g->random < g->roles ||
	    !proof_in_turn(g, s->worker))
		return NULL;
	struct pvs *q = NEW(struct pvs);
	q->tune = *tune;
	q->g = g;
	q->legal_words = game_legal_words(g);
	size_t n = 1024;
	while (n * 2 * sizeof(struct entry) <= (size_t)tune->table << 20)
		n *= 2;
	q->table = NEW_ARRAY(struct entry, n);
	q->mask = n - 1;
	q->history = NEW_ARRAY(int32_t, g->moves + 1);
	for (uint32_t d = 1; d < LOGS; d++)
		for (uint32_t k = 1; k < LOGS; k++)
			q->reductions[d][k] = (uint8_t)(tune->reduce * log(d) * log(k));
	return q;
}

void pvs_free(struct pvs *q)
{
	if (!q)
		return;
	for (uint32_t i = 0; i < PLIES; i++) {
		struct ply *p = &q->plies[i];
		mem_free(p->from);
		mem_free(p->next);
		mem_free(p->legal);
		mem_free(p->moves);
		mem_free(p->terminal);
		mem_free(p->goals);
		mem_free(p->scores);
		mem_free(p->value);
		mem_free(p->rank);
	}
	mem_free(q->table);
	mem_free(q->history);
	vec_free(&q->roots);
	mem_free(q);
}

void pvs_judge(struct pvs *q, const struct evaluation *e)
{
	q->evaluation = e;
	memset(q->table, 0, (q->mask + 1) * sizeof *q->table);
}

/* ---- the children of a state --------------------------------------------------------------------- */

static void reserve(struct pvs *q, struct ply *p, uint32_t count)
{
	if (count <= p->cap)
		return;
	size_t cap = 2 * (size_t)count, words = q->g->words, roles = q->g->roles;
	p->from = mem_resize(p->from, cap * words, sizeof *p->from);
	p->next = mem_resize(p->next, cap * words, sizeof *p->next);
	p->legal = mem_resize(p->legal, cap * q->legal_words, sizeof *p->legal);
	p->moves = mem_resize(p->moves, cap * roles, sizeof *p->moves);
	p->terminal = mem_resize(p->terminal, cap, sizeof *p->terminal);
	p->goals = mem_resize(p->goals, cap * roles, sizeof *p->goals);
	p->scores = mem_resize(p->scores, cap * roles, sizeof *p->scores);
	p->value = mem_resize(p->value, cap, sizeof *p->value);
	p->rank = mem_resize(p->rank, cap, sizeof *p->rank);
	p->cap = (uint32_t)cap;
}

/* Who moves: 0 or 1; where nobody has a choice, 0. GAME_NONE: both have one, or somebody has no move. */
static uint32_t turn_of(const struct pvs *q, const uint64_t *legal, uint32_t *first, uint32_t *count)
{
	uint32_t n[2];
	for (uint32_t r = 0; r < 2; r++) {
		uint32_t to = q->g->first_move[r + 1];
		size_t m = bits_next(legal, to, q->g->first_move[r]);
		first[r] = (uint32_t)m;
		for (n[r] = 0; m < to; m = bits_next(legal, to, m + 1))
			n[r]++;
	}
	uint32_t mover = n[1] > 1;
	*count = n[mover];
	return !n[0] || !n[1] || (n[0] > 1 && n[1] > 1) || *count > WIDEST ? GAME_NONE : mover;
}

static int32_t utility(double own, double other)
{
	return (int32_t)(WIN * (own - other));
}

/* Ends have their value, from the mover's point of view, the others -WIN - 1 for now. */
static void make_children(struct pvs *q, struct seat *s, struct ply *p, const uint64_t *state, const uint64_t *legal,
                          const uint32_t *first, uint32_t ply, bool deeper)
{
	uint32_t words = q->g->words, to = q->g->first_move[p->mover + 1], i = 0;
	for (size_t m = first[p->mover]; m < to; m = bits_next(legal, to, m + 1), i++) {
		memcpy(p->from + (size_t)i * words, state, words * sizeof *state);
		p->moves[2 * i + p->mover] = (uint32_t)m;
		p->moves[2 * i + 1 - p->mover] = first[1 - p->mover];
	}
	assert(i == p->count);
	game_expand(s->worker, &(struct expansion){.states = p->from,
	                                           .moves = p->moves,
	                                           .count = p->count,
	                                           .next = p->next,
	                                           .terminal = p->terminal,
	                                           .goals = p->goals,
	                                           .goals_of_ends = true,
	                                           .legal = deeper ? p->legal : NULL});
	for (i = 0; i < p->count; i++) {
		p->value[i] = -WIN - 1;
		if (!p->terminal[i])
			continue;
		int own = p->goals[2 * i + p->mover], other = p->goals[2 * i + 1 - p->mover];
		int32_t v = utility((own < 0 ? 0 : own) / 100.0, (other < 0 ? 0 : other) / 100.0);
		p->value[i] = v >= WIN ? WIN - (int32_t)ply - 1 : v <= -WIN ? -WIN + (int32_t)ply + 1 : v;
	}
	q->nodes += p->count;
	s->count.nodes += p->count;
}

static int32_t clamp(int32_t v)
{
	return v > ESTIMATE ? ESTIMATE : v < -ESTIMATE ? -ESTIMATE : v;
}

/* The evaluation of the children that are no ends. */
static void estimate_children(struct pvs *q, struct ply *p)
{
	if (q->evaluation)
		evaluation_batch(q->evaluation, p->next, p->count, p->scores);
	for (uint32_t i = 0; i < p->count; i++)
		if (!p->terminal[i])
			p->value[i] =
				q->evaluation
					? clamp(utility((double)p->scores[2 * i + p->mover], (double)p->scores[2 * i + 1 - p->mover]))
					: 0;
}

static int32_t estimate_state(struct pvs *q, const uint64_t *state, uint32_t role)
{
	float scores[2];
	if (!q->evaluation)
		return 0;
	evaluation_batch(q->evaluation, state, 1, scores);
	return clamp(utility((double)scores[role], (double)scores[1 - role]));
}

/* ---- the table ------------------------------------------------------------------------------------ */

static int32_t from_root(int32_t v, uint32_t ply)
{
	return v > ESTIMATE ? v - (int32_t)ply : v < -ESTIMATE ? v + (int32_t)ply : v;
}

static int32_t from_state(int32_t v, uint32_t ply)
{
	return v > ESTIMATE ? v + (int32_t)ply : v < -ESTIMATE ? v - (int32_t)ply : v;
}

static struct entry *look_up(const struct pvs *q, uint64_t key)
{
	struct entry *e = &q->table[key & q->mask & ~UINT64_C(1)];
	return e[0].key == key || (e[1].key != key && e[0].depth <= e[1].depth) ? &e[0] : &e[1];
}

/* Does the table answer? Wins and losses hold at any depth. */
static bool known(const struct entry *e, uint32_t depth, uint32_t ply, int32_t alpha, int32_t beta, int32_t *value)
{
	int32_t v = from_root(e->value, ply);
	bool proof = (v > ESTIMATE && e->bound != BOUND_HIGH) || (v < -ESTIMATE && e->bound != BOUND_LOW);
	if (e->depth < depth && !proof)
		return false;
	*value = v;
	return e->bound == BOUND_EXACT || (e->bound == BOUND_LOW && v >= beta) || (e->bound == BOUND_HIGH && v <= alpha);
}

static void remember(struct pvs *q, uint64_t key, uint32_t depth, uint32_t ply, int32_t v, int32_t alpha, int32_t beta,
                     uint32_t best)
{
	struct entry *two = &q->table[key & q->mask & ~UINT64_C(1)], *e;
	/* the first of two is for the deepest, the second for the latest */
	e = two[0].key == key || two[0].depth <= depth ? &two[0] : &two[1];
	if (e == &two[0] && e->key != key && e->bound)
		two[1] = two[0];
	enum bound b = v >= beta ? BOUND_LOW : v <= alpha ? BOUND_HIGH : BOUND_EXACT;
	*e = (struct entry){key, (int16_t)from_state(v, ply), (uint8_t)depth, (uint8_t)b, best};
}

/* ---- order ------------------------------------------------------------------------------------------- */

static void rank_children(const struct pvs *q, struct ply *p, uint32_t best)
{
	for (uint32_t i = 0; i < p->count; i++) {
		uint32_t m = p->moves[2 * i + p->mover];
		p->rank[i] = m == best            ? INT32_MAX
		             : m == p->killers[0] ? p->value[i] + q->history[m] / 8 + 1000
		             : m == p->killers[1] ? p->value[i] + q->history[m] / 8 + 700
		                                  : p->value[i] + q->history[m] / 8;
	}
}

/* The child of the highest rank that was not yet taken. */
static uint32_t take(struct ply *p)
{
	uint32_t k = 0;
	for (uint32_t i = 1; i < p->count; i++)
		k = p->rank[i] > p->rank[k] ? i : k;
	p->rank[k] = INT32_MIN;
	return k;
}

/* History with gravity: the more a move has, the less it gains. */
static void reward(struct pvs *q, uint32_t move, int32_t gain)
{
	int32_t *h = &q->history[move];
	gain = gain > HISTORY / 2 ? HISTORY / 2 : gain < -HISTORY / 2 ? -HISTORY / 2 : gain;
	*h += gain - *h * (gain < 0 ? -gain : gain) / HISTORY;
}

/* ---- the search --------------------------------------------------------------------------------------- */

static bool spent(struct pvs *q)
{
	q->out = q->out || (q->budget->playouts && q->nodes >= q->budget->playouts) || limit_reached(&q->budget->limit);
	return q->out;
}

static int32_t search(struct pvs *q, struct seat *s, const uint64_t *state, const uint64_t *legal, uint32_t side,
                      uint32_t depth, uint32_t ply, int32_t alpha, int32_t beta);

/* A child that is no end, for the mover: the first with the whole window, the others are asked whether they are better;
 * late ones at first less deep. */
static int32_t search_child(struct pvs *q, struct seat *s, struct ply *p, uint32_t i, uint32_t number, uint32_t depth,
                            uint32_t ply, int32_t alpha, int32_t beta)
{
	const uint64_t *state = p->next + (size_t)i * q->g->words, *legal = p->legal + (size_t)i * q->legal_words;
	uint32_t other = 1 - p->mover, less = 0;
	if (!number)
		return -search(q, s, state, legal, other, depth, ply, -beta, -alpha);
	if (depth >= 2 && number >= q->tune.reduce_from)
		less = q->reductions[depth < LOGS ? depth : LOGS - 1][number < LOGS ? number : LOGS - 1];
	less = less < depth ? less : depth - 1;
	int32_t v = -search(q, s, state, legal, other, depth - less, ply, -alpha - 1, -alpha);
	if (less && v > alpha)
		v = -search(q, s, state, legal, other, depth, ply, -alpha - 1, -alpha);
	if (v > alpha && v < beta)
		v = -search(q, s, state, legal, other, depth, ply, -beta, -alpha);
	return v;
}

static void note_root(struct pvs *q, uint32_t move, int32_t value, bool bound)
{
	struct pvs_root r = {move, value, bound};
	vec_push(&q->roots, r);
}

/* The children one after another. */
static int32_t search_children(struct pvs *q, struct seat *s, struct ply *p, uint32_t depth, uint32_t ply,
                               int32_t alpha, int32_t beta, uint32_t *best)
{
	int32_t high = -WIN - 1, from = alpha;
	for (uint32_t n = 0; n < p->count && high < beta; n++) {
		uint32_t i = take(p), move = p->moves[2 * i + p->mover];
		int32_t v = p->terminal[i] ? p->value[i] : search_child(q, s, p, i, n, depth, ply + 1, from, beta);
		if (q->out)
			break;
		if (!ply)
			note_root(q, move, v, v <= from && !p->terminal[i]);
		if (v > high) {
			high = v;
			*best = v > alpha || *best == GAME_NONE ? move : *best;
		}
		from = high > from ? high : from;
		if (high < beta && n < 64)
			reward(q, move, -(int32_t)depth);
	}
	if (high >= beta && !q->out) {
		reward(q, *best, (int32_t)(depth * depth));
		if (p->killers[0] != *best) {
			p->killers[1] = p->killers[0];
			p->killers[0] = *best;
		}
	}
	return high;
}

/* The value of a state for the role whose turn it is. */
static int32_t search_mover(struct pvs *q, struct seat *s, const uint64_t *state, const uint64_t *legal,
                            const uint32_t *first, uint32_t depth, uint32_t ply, int32_t alpha, int32_t beta)
{
	struct ply *p = &q->plies[ply];
	uint64_t key = game_hash(q->g, state);
	const struct entry *e = look_up(q, key);
	uint32_t best = e->key == key && e->bound ? e->best : GAME_NONE;
	int32_t v;
	if (best != GAME_NONE && ply && known(e, depth, ply, alpha, beta, &v)) {
		s->count.hits++;
		return v;
	}
	if (spent(q))
		return 0;
	bool deeper = depth > 1 || p->count == 1; /* where there is no choice the horizon moves on */
	make_children(q, s, p, state, legal, first, ply, deeper);
	uint32_t top = 0;
	for (uint32_t i = 1; i < p->count; i++)
		top = p->value[i] > p->value[top] ? i : top;
	if (p->value[top] < beta || !p->terminal[top]) {
		estimate_children(q, p);
		if (deeper) {
			rank_children(q, p, best);
			v = search_children(q, s, p, p->count == 1 ? depth : depth - 1, ply, alpha, beta, &best);
			if (q->out)
				return v;
		} else {
			for (uint32_t i = 0; i < p->count; i++)
				top = p->value[i] > p->value[top] ? i : top;
			v = p->value[top];
			best = p->moves[2 * top + p->mover];
		}
	} else {
		v = p->value[top];
		best = p->moves[2 * top + p->mover];
	}
	remember(q, key, depth, ply, v, alpha, beta, best);
	return v;
}

/* The value of a state for `side`. */
static int32_t search(struct pvs *q, struct seat *s, const uint64_t *state, const uint64_t *legal, uint32_t side,
                      uint32_t depth, uint32_t ply, int32_t alpha, int32_t beta)
{
	assert(alpha < beta && depth);
	uint32_t first[2], count, mover = turn_of(q, legal, first, &count);
	if (mover == GAME_NONE || ply >= PLIES)
		return estimate_state(q, state, side);
	struct ply *p = &q->plies[ply];
	p->mover = mover;
	p->count = count;
	reserve(q, p, count);
	return mover == side ? search_mover(q, s, state, legal, first, depth, ply, alpha, beta)
	                     : -search_mover(q, s, state, legal, first, depth, ply, -beta, -alpha);
}

/* One depth, with a window around the last value that opens where the value is not in it. False: out of time. */
static bool search_root(struct pvs *q, struct seat *s, const uint64_t *state, const uint64_t *legal, uint32_t role,
                        uint32_t depth, int32_t *value)
{
	int32_t width = (int32_t)(2 * WIN * q->tune.window), alpha = -WIN - 1, beta = WIN + 1;
	if (depth > 3) {
		alpha = *value - width > -ESTIMATE ? *value - width : alpha;
		beta = *value + width < ESTIMATE ? *value + width : beta;
	}
	for (;;) {
		q->roots.n = 0;
		int32_t v = search(q, s, state, legal, role, depth, 0, alpha, beta);
		if (q->out)
			return false;
		*value = v;
		if (v > alpha && v < beta)
			return true;
		alpha = v <= alpha ? -WIN - 1 : alpha;
		beta = v >= beta ? WIN + 1 : beta;
	}
}

static uint32_t best_root(const struct pvs *q)
{
	size_t k = 0;
	for (size_t i = 1; i < q->roots.n; i++)
		if (!q->roots.at[i].bound && q->roots.at[i].value > q->roots.at[k].value)
			k = i;
	return q->roots.n ? q->roots.at[k].move : GAME_NONE;
}

struct pvs_result pvs_run(struct pvs *q, struct seat *s, const uint64_t *state, const struct budget *b)
{
	struct pvs_result r = {.move = GAME_NONE, .value = 50};
	uint64_t *legal = NEW_ARRAY(uint64_t, q->legal_words);
	uint32_t first[2], count, mover;
	int32_t value = 0;
	game_expand(s->worker, &(struct expansion){.states = state, .count = 1, .legal = legal});
	mover = turn_of(q, legal, first, &count);
	q->budget = b;
	q->out = false;
	q->nodes = 0;
	for (uint32_t i = 0; i < PLIES; i++)
		q->plies[i].killers[0] = q->plies[i].killers[1] = GAME_NONE;
	for (uint32_t d = 2; mover != GAME_NONE && d <= q->tune.depth;
	     d++) { /* a depth of 1 would not note what it found */
		bool done = search_root(q, s, state, legal, mover, d, &value);
		uint32_t move = best_root(q);
		if (move != GAME_NONE) { /* of a depth that was broken off, too: the best of the last one came first */
			r.move = move;
			if (mover == s->role)
				seat_ready(s, move);
		}
		if (!done)
			break;
		r.depth = d;
		r.value = 50 + 50.0 * value / WIN;
		s->count.rounds++;
		if ((r.proved = value > ESTIMATE || value < -ESTIMATE))
			break;
	}
	r.value = r.proved ? (value > 0 ? 100 : 0) : r.value;
	mem_free(legal);
	return r;
}

/* ---- analysis --------------------------------------------------------------------------------- */

bool pvs_values(const struct pvs *q, const struct turn *t, struct move_value *out)
{
	for (uint32_t i = 0; i < t->legal_count; i++)
		for (size_t k = 0; k < q->roots.n; k++) {
			const struct pvs_root *r = &q->roots.at[k];
			if (r->move != t->legal[i])
				continue;
			if (r->value < -ESTIMATE)
				out[i].value = out[i].high = 0;
			else if (!r->bound)
				out[i].value = r->value > ESTIMATE ? 100 : 50 + 50.0 * r->value / WIN;
			if (r->value > ESTIMATE && !r->bound)
				out[i].low = 100;
		}
	return q->roots.n;
}

void pvs_line(struct pvs *q, struct seat *s, const struct turn *t, uint32_t move, struct move_line *out)
{
	size_t words = q->g->words;
	uint64_t *state = memcpy(mem_alloc(words + 1, sizeof *state), t->state, words * sizeof *state);
	uint32_t joint[2];
	for (uint32_t step = 0; step < PLAY_LINE_STEPS; step++) {
		struct view v = game_look(s->worker, state);
		uint32_t n[2] = {v.start[1] - v.start[0], v.start[2] - v.start[1]};
		if (v.terminal || !n[0] || !n[1] || (n[0] > 1 && n[1] > 1))
			break;
		uint32_t mover = n[1] > 1;
		uint64_t key = game_hash(q->g, state);
		const struct entry *e = look_up(q, key);
		uint32_t next = !step ? move : e->key == key && e->bound ? e->best : GAME_NONE;
		bool found = false;
		for (uint32_t i = v.start[mover]; i < v.start[mover + 1]; i++)
			found |= v.legal[i] == next;
		if (!found && n[mover] > 1)
			break;
		joint[mover] = found ? next : v.legal[v.start[mover]];
		joint[1 - mover] = v.legal[v.start[1 - mover]];
		vec_push(out, joint[0]);
		vec_push(out, joint[1]);
		game_next(s->worker, state, joint, state);
	}
	mem_free(state);
}

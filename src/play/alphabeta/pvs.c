/* The search of pvs.h. search() is the heart: all children of a state come from one pass of the circuit, with their
 * moves; ends have their value at once, and the evaluation of the others orders them, or is their value at the
 * horizon. */
#include "play/alphabeta/pvs.h"

#include "base/bits.h"
#include "base/thread.h"
#include "play/proof/proof.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define WIN 10000            /* less the steps to it; draws are 0 */
#define ESTIMATE 9500        /* greatest estimate */
#define PLIES 200            /* deepest; WIN - 2 * PLIES > ESTIMATE */
#define WIDEST 4096          /* moves of a state; more: it is estimated */
#define HISTORY 8192         /* largest amount of it */
#define LOGS 64              /* depths and numbers of moves that have a reduction of their own */
#define BLAMED 64            /* moves of a state whose history a better one lowers, at most */
#define FORECASTS 8          /* depths that the evaluation can stand for: 1 to this */
#define FORECAST_LEAST 40    /* states that must have been measured, for each depth */
#define FORECAST_MEMORY 2000 /* so many of the last are counted */
#define FORECAST_EARLY 25    /* nodes searched for one that measures, until there are as many as must be */
#define FORECAST_LATER 200   /* and then */
#define FIRST_KILLER 1000
#define SECOND_KILLER 700

enum bound { BOUND_NONE, BOUND_LOW, BOUND_HIGH, BOUND_EXACT };

/* What the table knows of a state. */
struct entry {
	int16_t value; /* a win or a loss: as seen from the state */
	uint8_t depth, bound;
	uint32_t best;
};

/* As it lies in the table, for any number of threads: one that was half written has another key. */
struct slot {
	_Atomic uint64_t key, entry; /* the key of the state, mixed with the entry */
};

/* The state of one depth of the search, and its children. */
struct ply {
	uint32_t count, cap;
	uint32_t mover;
	uint64_t *next, *legal;
	uint32_t *moves; /* joint */
	uint8_t *terminal;
	int *goals;
	float *scores;
	int32_t *value, *rank; /* for the mover: ends and estimates; the order in which they are searched */
	uint32_t killers[2];
};

/* How well the evaluation of a state foretells its value by a search of some depth: ProbCut (Buro 1995), a line through
 * values that were measured while searching. */
struct forecast {
	double n, x, y, xx, xy, yy;  /* sums, of late */
	double slope, offset, error; /* standard deviation */
	uint64_t nodes;              /* of this search, for measuring */
	uint32_t turn;
};

/* One thread. */
struct searcher {
	struct pvs *q;
	struct worker *worker;
	struct seat *seat; /* of the one whose result counts; NULL: of the others, who help to fill the table */
	int32_t *history;  /* by move */
	struct ply plies[PLIES];
	uint64_t nodes, hits; /* of this search */
	bool out;             /* of time */
	bool measuring;
	struct forecast forecasts[FORECASTS + 1]; /* by depth */
	/* the root: moves in the order in which they were searched */
	VEC(struct pvs_root {
		uint32_t move;
		int32_t value;
		bool bound; /* it is worth no more */
	}) roots;
};

struct pvs {
	struct pvs_tuning tune;
	struct game *g;
	uint32_t legal_words;
	const struct evaluation *evaluation;
	struct slot *table;
	uint64_t mask;
	bool used; /* the table */
	uint8_t reductions[LOGS][LOGS];
	struct searcher *searchers; /* the last is the one of the seat */
	uint32_t threads;
	/* the search under way */
	const struct budget *budget;
	const uint64_t *state, *legal;
	atomic_bool done;
	bool aside; /* not of the position in which a move is to be made */
	struct pvs_result result;
};

struct pvs *pvs_new(struct seat *s, const struct pvs_tuning *tune, uint32_t threads)
{
	struct game *g = s->game;
	if (g->engine != ENGINE_CIRCUIT || g->hidden || g->roles != 2 || g->random < g->roles ||
	    !proof_in_turn(g, s->worker))
		return NULL;
	struct pvs *q = NEW(struct pvs);
	q->tune = *tune;
	q->g = g;
	q->legal_words = game_legal_words(g);
	q->threads = threads ? threads : thread_processors();
	size_t n = 1024;
	while (n * 2 * sizeof(struct slot) <= (size_t)tune->table << 20)
		n *= 2;
	q->table = NEW_ARRAY(struct slot, n);
	q->mask = n - 1;
	for (uint32_t d = 1; d < LOGS; d++)
		for (uint32_t k = 1; k < LOGS; k++)
			q->reductions[d][k] = (uint8_t)(tune->reduce * log(d) * log(k));
	q->searchers = NEW_ARRAY(struct searcher, q->threads);
	for (uint32_t i = 0; i < q->threads; i++) {
		struct searcher *x = &q->searchers[i];
		x->q = q;
		x->worker = worker_new(g);
		x->history = NEW_ARRAY(int32_t, g->moves + 1);
	}
	return q;
}

static void free_searcher(struct searcher *x)
{
	for (uint32_t i = 0; i < PLIES; i++) {
		struct ply *p = &x->plies[i];
		mem_free(p->next);
		mem_free(p->legal);
		mem_free(p->moves);
		mem_free(p->terminal);
		mem_free(p->goals);
		mem_free(p->scores);
		mem_free(p->value);
		mem_free(p->rank);
	}
	worker_free(x->worker);
	mem_free(x->history);
	vec_free(&x->roots);
}

void pvs_free(struct pvs *q)
{
	if (!q)
		return;
	for (uint32_t i = 0; i < q->threads; i++)
		free_searcher(&q->searchers[i]);
	mem_free(q->searchers);
	mem_free(q->table);
	mem_free(q);
}

void pvs_judge(struct pvs *q, const struct evaluation *e)
{
	for (uint64_t i = 0; i <= q->mask && q->used; i++)
		q->table[i].key = q->table[i].entry = 0;
	for (uint32_t i = 0; i < q->threads; i++)
		memset(q->searchers[i].forecasts, 0, sizeof q->searchers[i].forecasts);
	q->evaluation = e;
	q->used = false;
}

/* ---- the children of a state --------------------------------------------------------------------- */

static void reserve(const struct pvs *q, struct ply *p, uint32_t count)
{
	if (count <= p->cap)
		return;
	size_t cap = 2 * (size_t)count, words = q->g->words, roles = q->g->roles;
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
static void make_children(struct searcher *x, struct ply *p, const uint64_t *state, const uint64_t *legal,
                          const uint32_t *first, uint32_t ply, bool deeper)
{
	const struct pvs *q = x->q;
	uint32_t to = q->g->first_move[p->mover + 1], i = 0;
	for (size_t m = first[p->mover]; m < to; m = bits_next(legal, to, m + 1), i++) {
		p->moves[2 * i + p->mover] = (uint32_t)m;
		p->moves[2 * i + 1 - p->mover] = first[1 - p->mover];
	}
	assert(i == p->count);
	game_expand(x->worker, &(struct expansion){.states = state,
	                                           .one_state = true,
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
	x->nodes += p->count;
}

static int32_t clamp(int32_t v)
{
	return v > ESTIMATE ? ESTIMATE : v < -ESTIMATE ? -ESTIMATE : v;
}

/* The evaluation of the children that are no ends. */
static void estimate_children(const struct pvs *q, struct ply *p)
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

static int32_t estimate_state(const struct pvs *q, const uint64_t *state, uint32_t role)
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

static uint64_t packed(struct entry e)
{
	return (uint64_t)e.best << 32 | (uint64_t)(uint16_t)e.value << 16 | (uint64_t)e.depth << 8 | e.bound;
}

static struct entry unpacked(uint64_t x)
{
	return (struct entry){(int16_t)(x >> 16 & 0xffff), (uint8_t)(x >> 8 & 0xff), (uint8_t)(x & 0xff),
	                      (uint32_t)(x >> 32)};
}

/* Two slots that a state can lie in. */
static struct slot *slots_of(const struct pvs *q, uint64_t key)
{
	return &q->table[key & q->mask & ~UINT64_C(1)];
}

static bool read_slot(const struct slot *at, uint64_t key, struct entry *e)
{
	uint64_t mixed = atomic_load_explicit(&at->key, memory_order_relaxed),
			 entry = atomic_load_explicit(&at->entry, memory_order_relaxed);
	*e = unpacked(entry);
	return (mixed ^ entry) == key && e->bound;
}

static void write_slot(struct slot *at, uint64_t key, struct entry e)
{
	uint64_t entry = packed(e);
	atomic_store_explicit(&at->key, key ^ entry, memory_order_relaxed);
	atomic_store_explicit(&at->entry, entry, memory_order_relaxed);
}

static bool look_up(const struct pvs *q, uint64_t key, struct entry *e)
{
	const struct slot *two = slots_of(q, key);
	return read_slot(&two[0], key, e) || read_slot(&two[1], key, e);
}

/* Does the table answer? Wins and losses hold at any depth. */
static bool known(const struct entry *e, uint32_t depth, uint32_t ply, int32_t alpha, int32_t beta, int32_t *value)
{
	assert(alpha < beta && ply < PLIES);
	int32_t v = from_root(e->value, ply);
	bool proof = (v > ESTIMATE && e->bound != BOUND_HIGH) || (v < -ESTIMATE && e->bound != BOUND_LOW);
	if (e->depth < depth && !proof)
		return false;
	*value = v;
	return e->bound == BOUND_EXACT || (e->bound == BOUND_LOW && v >= beta) || (e->bound == BOUND_HIGH && v <= alpha);
}

/* The first of two slots is for the deepest, the second for the latest. */
static void remember(struct pvs *q, uint64_t key, uint32_t depth, uint32_t ply, int32_t v, int32_t alpha, int32_t beta,
                     uint32_t best)
{
	struct slot *two = slots_of(q, key);
	struct entry first;
	assert(depth && depth < PLIES + 1 && ply < PLIES && best < q->g->moves);
	enum bound b = v >= beta ? BOUND_LOW : v <= alpha ? BOUND_HIGH : BOUND_EXACT;
	bool same = read_slot(&two[0], key, &first), deep = same || first.depth <= depth;
	if (deep && !same && first.bound) {
		uint64_t mixed = atomic_load_explicit(&two[0].key, memory_order_relaxed);
		write_slot(&two[1], mixed ^ packed(first), first);
	}
	write_slot(&two[!deep], key, (struct entry){(int16_t)from_state(v, ply), (uint8_t)depth, (uint8_t)b, best});
}

/* ---- order ------------------------------------------------------------------------------------------- */

static void rank_children(const struct searcher *x, struct ply *p, uint32_t best)
{
	for (uint32_t i = 0; i < p->count; i++) {
		uint32_t m = p->moves[2 * i + p->mover];
		p->rank[i] = m == best            ? INT32_MAX
		             : m == p->killers[0] ? p->value[i] + x->history[m] / 8 + FIRST_KILLER
		             : m == p->killers[1] ? p->value[i] + x->history[m] / 8 + SECOND_KILLER
		                                  : p->value[i] + x->history[m] / 8;
	}
}

/* The child of the highest rank that was not yet taken. */
static uint32_t take(struct ply *p)
{
	assert(p->count);
	uint32_t k = 0;
	for (uint32_t i = 1; i < p->count; i++)
		k = p->rank[i] > p->rank[k] ? i : k;
	assert(p->rank[k] != INT32_MIN);
	p->rank[k] = INT32_MIN;
	return k;
}

/* History with gravity: the more a move has, the less it gains. */
static void reward(struct searcher *x, uint32_t move, int32_t gain)
{
	int32_t *h = &x->history[move];
	gain = gain > HISTORY / 2 ? HISTORY / 2 : gain < -HISTORY / 2 ? -HISTORY / 2 : gain;
	*h += gain - *h * (gain < 0 ? -gain : gain) / HISTORY;
	assert(*h <= HISTORY && *h >= -HISTORY);
}

/* ---- the search --------------------------------------------------------------------------------------- */

static bool spent(struct searcher *x)
{
	struct pvs *q = x->q;
	x->out = x->out || atomic_load_explicit(&q->done, memory_order_relaxed) ||
	         (q->budget->playouts && x->nodes >= q->budget->playouts) || limit_reached(&q->budget->limit);
	return x->out;
}

static int32_t search(struct searcher *x, const uint64_t *state, const uint64_t *legal, uint32_t side, uint32_t depth,
                      uint32_t ply, int32_t alpha, int32_t beta);

/* A state that was measured: its evaluation, and its value by a search. */
static void forecast_note(struct forecast *f, double x, double y)
{
	double kept = f->n < FORECAST_MEMORY ? 1 : 1 - 1.0 / FORECAST_MEMORY;
	f->n = f->n * kept + 1;
	f->x = f->x * kept + x;
	f->y = f->y * kept + y;
	f->xx = f->xx * kept + x * x;
	f->xy = f->xy * kept + x * y;
	f->yy = f->yy * kept + y * y;
	double mx = f->x / f->n, my = f->y / f->n, vx = f->xx / f->n - mx * mx, vy = f->yy / f->n - my * my,
		   cov = f->xy / f->n - mx * my;
	f->slope = vx > 0 ? cov / vx : 0;
	f->offset = my - f->slope * mx;
	f->error = sqrt(fmax(0, vy - f->slope * cov));
}

/* Is the value of a search of this depth, which is asked for by a window, almost certainly outside of it? */
static bool foreseen(const struct searcher *x, uint32_t depth, int32_t estimate, int32_t alpha, int32_t beta,
                     int32_t *value)
{
	assert(depth && depth <= FORECASTS && alpha < beta);
	const struct forecast *f = &x->forecasts[depth];
	if (f->n < FORECAST_LEAST)
		return false;
	double v = f->slope * estimate + f->offset, margin = x->q->tune.certain * f->error;
	*value = clamp((int32_t)v);
	return (v + margin <= alpha && *value <= alpha) || (v - margin >= beta && *value >= beta);
}

/* Now and then the value of a child is searched for with an open window. */
static void measure(struct searcher *x, const struct ply *p, uint32_t i, uint32_t depth, uint32_t ply)
{
	const struct pvs *q = x->q;
	struct forecast *f = &x->forecasts[depth];
	uint32_t every = f->n < FORECAST_LEAST ? FORECAST_EARLY : FORECAST_LATER;
	if (x->measuring || f->nodes * every > x->nodes || f->turn++ % 16)
		return;
	uint64_t before = x->nodes;
	x->measuring = true;
	int32_t v = -search(x, p->next + (size_t)i * q->g->words, p->legal + (size_t)i * q->legal_words, 1 - p->mover,
	                    depth, ply, -WIN - 1, WIN + 1);
	x->measuring = false;
	f->nodes += x->nodes - before;
	if (!x->out)
		forecast_note(f, p->value[i], clamp(v));
}

/* A child that is no end, for the mover: the first with the whole window, the others are asked whether they are better;
 * late ones at first less deep. */
static int32_t search_child(struct searcher *x, struct ply *p, uint32_t i, uint32_t number, uint32_t depth,
                            uint32_t ply, int32_t alpha, int32_t beta)
{
	const struct pvs *q = x->q;
	const uint64_t *state = p->next + (size_t)i * q->g->words, *legal = p->legal + (size_t)i * q->legal_words;
	uint32_t other = 1 - p->mover, less = 0;
	int32_t v;
	if (q->evaluation && q->tune.certain > 0 && ply > 1 && depth <= FORECASTS) {
		bool open = beta > alpha + 1; /* there the first is searched, and a better one must be */
		measure(x, p, i, depth, ply);
		if ((number || !open) && foreseen(x, depth, p->value[i], alpha, open ? WIN : beta, &v))
			return v;
	}
	if (!number)
		return -search(x, state, legal, other, depth, ply, -beta, -alpha);
	if (depth >= 2 && number >= q->tune.reduce_from)
		less = q->reductions[depth < LOGS ? depth : LOGS - 1][number < LOGS ? number : LOGS - 1];
	less = less < depth ? less : depth - 1;
	v = -search(x, state, legal, other, depth - less, ply, -alpha - 1, -alpha);
	if (less && v > alpha)
		v = -search(x, state, legal, other, depth, ply, -alpha - 1, -alpha);
	if (v > alpha && v < beta)
		v = -search(x, state, legal, other, depth, ply, -beta, -alpha);
	return v;
}

/* The children one after another. */
static int32_t search_children(struct searcher *x, struct ply *p, uint32_t depth, uint32_t ply, int32_t alpha,
                               int32_t beta, uint32_t *best)
{
	int32_t high = -WIN - 1, from = alpha;
	for (uint32_t n = 0; n < p->count && high < beta; n++) {
		uint32_t i = take(p), move = p->moves[2 * i + p->mover];
		int32_t v = p->terminal[i] ? p->value[i] : search_child(x, p, i, n, depth, ply + 1, from, beta);
		if (x->out)
			break;
		if (!ply) {
			struct pvs_root root = {move, v, v <= from && !p->terminal[i]};
			vec_push(&x->roots, root);
		}
		if (v > high) {
			high = v;
			*best = v > alpha || *best == GAME_NONE ? move : *best;
		}
		from = high > from ? high : from;
		if (high < beta && n < BLAMED)
			reward(x, move, -(int32_t)depth);
	}
	if (high >= beta && !x->out) {
		reward(x, *best, (int32_t)(depth * depth));
		if (p->killers[0] != *best) {
			p->killers[1] = p->killers[0];
			p->killers[0] = *best;
		}
	}
	return high;
}

/* Of the children that are ends or, at the horizon, of all. */
static uint32_t highest(const struct ply *p)
{
	uint32_t top = 0;
	for (uint32_t i = 1; i < p->count; i++)
		top = p->value[i] > p->value[top] ? i : top;
	return top;
}

/* The value of a state for the role whose turn it is. */
static int32_t search_mover(struct searcher *x, const uint64_t *state, const uint64_t *legal, const uint32_t *first,
                            uint32_t depth, uint32_t ply, int32_t alpha, int32_t beta)
{
	struct pvs *q = x->q;
	struct ply *p = &x->plies[ply];
	struct entry e;
	uint64_t key = game_hash(q->g, state);
	uint32_t best = GAME_NONE;
	int32_t v;
	if (look_up(q, key, &e)) {
		best = e.best;
		if (ply && known(&e, depth, ply, alpha, beta, &v)) {
			x->hits++;
			return v;
		}
	}
	if (spent(x))
		return 0;
	bool deeper = depth > 1 || p->count == 1; /* where there is no choice the horizon moves on */
	make_children(x, p, state, legal, first, ply, deeper);
	uint32_t top = highest(p);
	bool cut = p->terminal[top] && p->value[top] >= beta;
	if (!cut)
		estimate_children(q, p);
	if (!cut && deeper) {
		rank_children(x, p, best);
		v = search_children(x, p, p->count == 1 ? depth : depth - 1, ply, alpha, beta, &best);
		if (x->out)
			return v;
	} else {
		top = cut ? top : highest(p);
		v = p->value[top];
		best = p->moves[2 * top + p->mover];
	}
	remember(q, key, depth, ply, v, alpha, beta, best);
	return v;
}

/* The value of a state for `side`. */
static int32_t search(struct searcher *x, const uint64_t *state, const uint64_t *legal, uint32_t side, uint32_t depth,
                      uint32_t ply, int32_t alpha, int32_t beta)
{
	assert(alpha < beta && depth);
	uint32_t first[2], count, mover = turn_of(x->q, legal, first, &count);
	if (mover == GAME_NONE || ply >= PLIES)
		return estimate_state(x->q, state, side);
	struct ply *p = &x->plies[ply];
	p->mover = mover;
	p->count = count;
	reserve(x->q, p, count);
	return mover == side ? search_mover(x, state, legal, first, depth, ply, alpha, beta)
	                     : -search_mover(x, state, legal, first, depth, ply, -beta, -alpha);
}

/* One depth, with a window around the last value that opens where the value is not in it. False: out of time. */
static bool search_root(struct searcher *x, uint32_t role, uint32_t depth, int32_t *value)
{
	int32_t width = (int32_t)(2 * WIN * x->q->tune.window), alpha = -WIN - 1, beta = WIN + 1;
	if (depth > 3) {
		alpha = *value - width > -ESTIMATE ? *value - width : alpha;
		beta = *value + width < ESTIMATE ? *value + width : beta;
	}
	for (;;) {
		x->roots.n = 0;
		int32_t v = search(x, x->q->state, x->q->legal, role, depth, 0, alpha, beta);
		if (x->out)
			return false;
		*value = v;
		if (v > alpha && v < beta)
			return true;
		alpha = v <= alpha ? -WIN - 1 : alpha;
		beta = v >= beta ? WIN + 1 : beta;
	}
}

static uint32_t best_root(const struct searcher *x)
{
	size_t k = 0;
	for (size_t i = 1; i < x->roots.n; i++)
		if (!x->roots.at[i].bound && x->roots.at[i].value > x->roots.at[k].value)
			k = i;
	return x->roots.n ? x->roots.at[k].move : GAME_NONE;
}

/* A move found at the root; of a depth that was broken off, too: the best of the last one came first. */
static void note_move(struct searcher *x, uint32_t mover)
{
	uint32_t move = best_root(x);
	if (move == GAME_NONE || !x->seat)
		return;
	x->q->result.move = move;
	if (mover == x->seat->role && !x->q->aside)
		seat_ready(x->seat, move);
}

static bool decided(int32_t value)
{
	return value > ESTIMATE || value < -ESTIMATE;
}

/* Deepens; a depth of 1 would not note what it found. Every second of the other threads is one step ahead. */
static void deepen(void *searcher)
{
	struct searcher *x = searcher;
	struct pvs *q = x->q;
	uint32_t first[2], count, mover = turn_of(q, q->legal, first, &count);
	int32_t value = 0;
	x->out = false;
	x->nodes = x->hits = 0;
	for (uint32_t i = 0; i <= FORECASTS; i++)
		x->forecasts[i].nodes = 0;
	for (uint32_t i = 0; i < PLIES; i++)
		x->plies[i].killers[0] = x->plies[i].killers[1] = GAME_NONE;
	for (uint32_t d = x->seat || (x - q->searchers) % 2 ? 2u : 3u; mover != GAME_NONE && d <= q->tune.depth; d++) {
		bool finished = search_root(x, mover, d, &value);
		note_move(x, mover);
		if (!finished)
			break;
		if (x->seat) {
			q->result.depth = d;
			q->result.value = decided(value) ? (value > 0 ? 100 : 0) : 50 + 50.0 * value / WIN;
			q->result.proved = decided(value);
			x->seat->count.rounds++;
		}
		if (decided(value))
			break;
	}
	if (x->seat)
		q->done = true;
}

struct pvs_result pvs_run(struct pvs *q, struct seat *s, const uint64_t *state, const struct budget *b)
{
	uint64_t *legal = NEW_ARRAY(uint64_t, q->legal_words);
	uint32_t threads = b->playouts ? 1 : q->threads;
	game_expand(s->worker, &(struct expansion){.states = state, .count = 1, .legal = legal});
	q->result = (struct pvs_result){.move = GAME_NONE, .value = 50};
	q->state = state;
	q->legal = legal;
	q->budget = b;
	q->done = false;
	q->used = true;
	q->searchers[q->threads - 1].seat = s;
	threads_run(threads, deepen, q->searchers + q->threads - threads, sizeof *q->searchers);
	for (uint32_t i = q->threads - threads; i < q->threads; i++) {
		s->count.nodes += q->searchers[i].nodes;
		s->count.hits += q->searchers[i].hits;
	}
	mem_free(legal);
	return q->result;
}

struct pvs_result pvs_look(struct pvs *q, struct seat *s, const uint64_t *state, const struct budget *b)
{
	struct searcher *x = &q->searchers[q->threads - 1];
	size_t count = x->roots.n;
	struct pvs_root *kept = mem_alloc(count + 1, sizeof *kept);
	if (count)
		memcpy(kept, x->roots.at, count * sizeof *kept);
	q->aside = true;
	struct pvs_result r = pvs_run(q, s, state, b);
	q->aside = false;
	vec_set(&x->roots, kept, count);
	mem_free(kept);
	return r;
}

/* ---- analysis --------------------------------------------------------------------------------- */

bool pvs_values(const struct pvs *q, const struct turn *t, struct move_value *out)
{
	const struct searcher *x = &q->searchers[q->threads - 1];
	for (uint32_t i = 0; i < t->legal_count; i++)
		for (size_t k = 0; k < x->roots.n; k++) {
			const struct pvs_root *r = &x->roots.at[k];
			if (r->move != t->legal[i])
				continue;
			if (r->value < -ESTIMATE)
				out[i].value = out[i].high = 0;
			else if (!r->bound)
				out[i].value = r->value > ESTIMATE ? 100 : 50 + 50.0 * r->value / WIN;
			if (r->value > ESTIMATE && !r->bound)
				out[i].low = 100;
		}
	return x->roots.n;
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
		struct entry e;
		uint32_t next = !step ? move : look_up(q, game_hash(q->g, state), &e) ? e.best : GAME_NONE;
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

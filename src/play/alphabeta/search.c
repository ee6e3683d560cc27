/* The search of search.h. visit() is the heart: all children of a state come from
 * one pass of the circuit, those that are ends have their value at once, and at the
 * horizon the others are estimated in one batch. */
#include "play/alphabeta/search.h"

#include "play/alphabeta/maxn.h"
#include "play/learn/evaluation.h"

#include <assert.h>
#include <string.h>

#define WIDEST 16384 /* joint moves of a state; more: it is estimated */

enum bound { BOUND_EXACT, BOUND_LOW, BOUND_HIGH };

struct entry {
	uint64_t key;
	float value;
	uint16_t depth; /* DEPTH_ALL: no horizon below */
	uint8_t bound, used;
	uint32_t best; /* own or their move */
};

#define DEPTH_ALL UINT16_MAX
#define PLIES 256 /* with killers */

struct value {
	double v;
	bool exact;
};

struct search {
	struct search_options o;
	struct game *g;
	struct entry *table;
	uint64_t mask;
	uint32_t *history; /* by move */
	uint32_t killers[PLIES][2];
	struct evaluation *evaluation;
	const struct budget *budget;
	uint64_t nodes, spent;
	int64_t beyond;                   /* extra depths of the way under way, at most o.quiet */
	uint64_t few;                     /* states that may still be visited before it is out; UINT64_MAX: any number */
	bool out;                         /* of time */
	bool joint;                       /* several roles had a choice at once */
	bool common;                      /* the scores of an end do not add up to 100 */
	struct root_values roots, trying; /* of the last finished depth, and of the one under way */
	struct search_result last;
};

/* The moves of one state, and its children. */
struct fan {
	uint32_t own, theirs, chance; /* numbers of choices; their product is the number of children */
	uint32_t *order;              /* own moves, or theirs when we have none, as visited */
	uint32_t *moves;              /* joint, by child */
	uint64_t *next;
	uint8_t *terminal;
	int *goals;
	double *value; /* ends and estimates; below zero: to be visited */
	bool *exact;
	uint32_t count;
	uint32_t mover; /* whose moves history and killers are about */
};

struct search *search_new(struct seat *s, const struct search_options *o)
{
	assert(s->role < s->game->roles);
	struct search *q = NEW(struct search);
	q->o = *o;
	q->g = s->game;
	if (o->table) {
		size_t n = 1024;
		while (n * 2 * sizeof(struct entry) <= (size_t)o->table << 20)
			n *= 2;
		q->table = NEW_ARRAY(struct entry, n);
		q->mask = n - 1;
	}
	if (s->game->engine == ENGINE_CIRCUIT && o->order)
		q->history = NEW_ARRAY(uint32_t, s->game->moves + 1);
	return q;
}

void search_free(struct search *q)
{
	evaluation_free(q->evaluation);
	mem_free(q->table);
	mem_free(q->history);
	vec_free(&q->roots);
	vec_free(&q->trying);
	mem_free(q);
}

static bool spent(struct search *q)
{
	if (!q->out && (q->budget->playouts ? q->spent >= q->budget->playouts : false))
		q->out = true;
	if (q->few != UINT64_MAX && !q->few--)
		q->out = true;
	if (!q->out && limit_reached(&q->budget->limit))
		q->out = true;
	return q->out;
}

/* ---- the fan of a state ---------------------------------------------------------------------- */

static double score(const struct search *q, int goal)
{
	return goal == GOAL_NONE ? 0 : goal;
}

/* Two roles (not counting `random`) with opposed interests. */
static bool opposed(const struct search *q, const int *goals)
{
	int sum = 0, count = 0;
	for (uint32_t r = 0; r < q->g->roles; r++)
		if (r != q->g->random) {
			sum += goals[r];
			count++;
		}
	return count == 2 && sum == 100;
}

static uint32_t count_of(const struct view *v, uint32_t role)
{
	return v->start[role + 1] - v->start[role];
}

/* Children are numbered own choice first, then the others' joint choice, then the
 * choice of `random`, which runs fastest. False: too many, or none. */
static bool fan_open(struct search *q, struct seat *s, const struct view *v, struct fan *f)
{
	uint32_t roles = q->g->roles, me = s->role, random = q->g->random;
	uint64_t theirs = 1, own = count_of(v, me), chance = random < roles ? count_of(v, random) : 1;
	f->mover = me;
	for (uint32_t r = 0; r < roles; r++)
		if (r != me && r != random) {
			theirs *= count_of(v, r);
			theirs = theirs > WIDEST ? WIDEST + 1 : theirs;
			if (own == 1 && count_of(v, r) > 1)
				f->mover = r;
		}
	if (q->o.chance == CHANCE_WORST) {
		theirs *= chance;
		chance = 1;
	}
	uint64_t count = own * theirs * chance;
	if (!count || count > WIDEST)
		return false;
	f->own = (uint32_t)own;
	f->theirs = (uint32_t)theirs;
	f->chance = (uint32_t)chance;
	f->count = (uint32_t)count;
	f->moves = mem_alloc(count * roles, sizeof *f->moves);
	for (uint32_t i = 0; i < f->count; i++) {
		uint32_t rest = i, *joint = f->moves + (size_t)i * roles;
		if (random < roles && random != me) {
			joint[random] = v->legal[v->start[random] + rest % count_of(v, random)];
			rest /= count_of(v, random);
		}
		for (uint32_t r = 0; r < roles; r++)
			if (r != me && r != random) {
				joint[r] = v->legal[v->start[r] + rest % count_of(v, r)];
				rest /= count_of(v, r);
			}
		joint[me] = v->legal[v->start[me] + rest];
	}
	return true;
}

static void fan_expand(struct search *q, struct seat *s, const uint64_t *state, struct fan *f)
{
	uint32_t words = q->g->words, roles = q->g->roles;
	f->next = mem_alloc((size_t)f->count * words + 1, sizeof *f->next);
	f->terminal = mem_alloc(f->count, 1);
	f->goals = mem_alloc((size_t)f->count * roles, sizeof *f->goals);
	f->value = mem_alloc(f->count, sizeof *f->value);
	f->exact = NEW_ARRAY(bool, f->count);
	game_expand(s->worker, &(struct expansion){.states = state,
	                                           .one_state = true,
	                                           .moves = f->moves,
	                                           .count = f->count,
	                                           .next = f->next,
	                                           .terminal = f->terminal,
	                                           .goals = f->goals});
	q->joint |= f->own > 1 && f->theirs > 1;
	for (uint32_t i = 0; i < f->count; i++) {
		f->exact[i] = f->terminal[i];
		q->common |= f->terminal[i] && !opposed(q, f->goals + (size_t)i * roles);
		f->value[i] = f->terminal[i] ? score(q, f->goals[(size_t)i * roles + s->role]) : -1;
	}
	q->nodes += f->count;
	q->spent += f->count;
	s->count.nodes += f->count;
}

static void fan_free(struct fan *f)
{
	mem_free(f->order);
	mem_free(f->moves);
	mem_free(f->next);
	mem_free(f->terminal);
	mem_free(f->goals);
	mem_free(f->value);
	mem_free(f->exact);
}

/* ---- estimates ----------------------------------------------------------------------------------- */

/* Means of playouts from `count` states, for the role. */
static void estimate_by_playouts(struct search *q, struct seat *s, const uint64_t *states, uint32_t count, double *out)
{
	struct playout_result r;
	game_playouts(q->g,
	              &(struct playout_job){.starts = states,
	                                    .start_count = count,
	                                    .playouts = (uint64_t)q->o.playouts * count,
	                                    .limit = q->budget->limit,
	                                    .seed = rng_next(&s->rng),
	                                    .max_steps = 5000},
	              &r);
	for (uint32_t i = 0; i < count; i++)
		out[i] = r.counts[i] ? r.sum[i * q->g->roles + s->role] / (double)r.counts[i] : 50;
	q->spent += r.playouts;
	s->count.playouts += r.playouts;
	s->count.playout_seconds += r.seconds;
	playout_result_free(&r);
}

static void estimate(struct search *q, struct seat *s, const uint64_t *states, uint32_t count, double *out)
{
	if (q->o.estimate == ESTIMATE_PLAYOUTS) {
		estimate_by_playouts(q, s, states, count, out);
		return;
	}
	for (uint32_t i = 0; i < count; i++)
		out[i] = q->evaluation ? evaluation_score(q->evaluation, states + (size_t)i * q->g->words, s->role) : 50;
}

/* All children that are no ends, in one batch. */
static void fan_estimate(struct search *q, struct seat *s, struct fan *f)
{
	uint32_t words = q->g->words, n = 0;
	uint64_t *states = mem_alloc((size_t)f->count * words + 1, sizeof *states);
	double *values = mem_alloc(f->count, sizeof *values);
	for (uint32_t i = 0; i < f->count; i++)
		if (!f->terminal[i])
			memcpy(states + (size_t)n++ * words, f->next + (size_t)i * words, words * sizeof *states);
	if (n)
		estimate(q, s, states, n, values);
	n = 0;
	for (uint32_t i = 0; i < f->count; i++)
		if (!f->terminal[i])
			f->value[i] = values[n++];
	mem_free(values);
	mem_free(states);
}

/* ---- order ------------------------------------------------------------------------------------------ */

static uint64_t rank(const struct search *q, uint32_t move, uint32_t best, uint32_t ply)
{
	assert(move < q->g->moves);
	if (move == best)
		return UINT64_MAX;
	uint64_t x = q->history ? q->history[move] : 0;
	if (q->o.order && ply < PLIES)
		x +=
			(q->killers[ply][0] == move ? UINT64_C(2) << 33 : 0) + (q->killers[ply][1] == move ? UINT64_C(1) << 33 : 0);
	return x;
}

/* The choices of the side to move (we, else they), best guesses first. */
static void fan_order(struct search *q, struct fan *f, uint32_t best, uint32_t ply)
{
	uint32_t n = f->own > 1 ? f->own : f->theirs, step = f->own > 1 ? f->theirs * f->chance : f->chance;
	uint64_t *ranks = mem_alloc(n, sizeof *ranks);
	f->order = mem_alloc(n, sizeof *f->order);
	for (uint32_t i = 0; i < n; i++) {
		uint64_t x = rank(q, f->moves[(size_t)i * step * q->g->roles + f->mover], best, ply);
		uint32_t j = i;
		for (; j && ranks[j - 1] < x; j--) {
			ranks[j] = ranks[j - 1];
			f->order[j] = f->order[j - 1];
		}
		ranks[j] = x;
		f->order[j] = i;
	}
	mem_free(ranks);
}

static void credit(struct search *q, uint32_t move, uint32_t depth, uint32_t ply)
{
	assert(move < q->g->moves);
	if (q->history && q->history[move] < 1u << 30)
		q->history[move] += depth < 1000 ? depth * depth : 1;
	if (ply < PLIES && q->killers[ply][0] != move) {
		q->killers[ply][1] = q->killers[ply][0];
		q->killers[ply][0] = move;
	}
}

/* ---- the table ---------------------------------------------------------------------------------------- */

static struct entry *look_up(struct search *q, uint64_t key)
{
	return q->table ? &q->table[key & q->mask] : NULL;
}

static bool known(struct seat *s, const struct entry *e, uint64_t key, uint32_t depth, double alpha, double beta,
                  struct value *out)
{
	assert(alpha <= beta);
	if (!e || !e->used || e->key != key || e->depth < depth)
		return false;
	if ((e->bound == BOUND_LOW && e->value < beta) || (e->bound == BOUND_HIGH && e->value > alpha))
		return false;
	*out = (struct value){e->value, e->depth == DEPTH_ALL};
	s->count.hits++;
	return true;
}

static void remember(struct entry *e, uint64_t key, uint32_t depth, struct value x, double alpha, double beta,
                     uint32_t best)
{
	assert(alpha <= beta);
	if (!e || (e->used && e->key != key && e->depth == DEPTH_ALL && !x.exact && depth < 4))
		return;
	enum bound b = x.v <= alpha ? BOUND_HIGH : x.v >= beta ? BOUND_LOW : BOUND_EXACT;
	*e = (struct entry){key, (float)x.v, x.exact ? DEPTH_ALL : (uint16_t)depth, (uint8_t)b, 1, best};
}

/* ---- the search --------------------------------------------------------------------------------------- */

static struct value visit(struct search *q, struct seat *s, const uint64_t *state, uint32_t depth, uint32_t ply,
                          double alpha, double beta, uint32_t *best);

static struct value child(struct search *q, struct seat *s, struct fan *f, uint32_t i, uint32_t depth, uint32_t ply,
                          double alpha, double beta)
{
	assert(alpha <= beta);
	assert(i < f->count);
	if (f->value[i] >= 0)
		return (struct value){f->value[i], f->exact[i]};
	return visit(q, s, f->next + (size_t)i * q->g->words, depth - 1, ply + 1, alpha, beta, NULL);
}

/* The mean over the moves of `random` from child `i` on; windows do not pass it. */
static struct value average(struct search *q, struct seat *s, struct fan *f, uint32_t i, uint32_t depth, uint32_t ply,
                            double alpha, double beta)
{
	assert(alpha <= beta);
	assert(i < f->count);
	if (f->chance == 1)
		return child(q, s, f, i, depth, ply, alpha, beta);
	struct value sum = {0, true};
	for (uint32_t c = 0; c < f->chance && !q->out; c++) {
		struct value x = child(q, s, f, i + c, depth, ply, -1, 101);
		sum.v += x.v;
		sum.exact &= x.exact;
	}
	sum.v /= f->chance;
	return sum;
}

/* The worst that the others can do after our choice `a`. */
static struct value worst(struct search *q, struct seat *s, struct fan *f, uint32_t a, uint32_t depth, uint32_t ply,
                          double alpha, double beta, uint32_t *best)
{
	assert(alpha <= beta);
	struct value low = {1e9, true};
	bool exact = true;
	uint32_t last = f->own == 1 && q->o.forward && ply && f->theirs > q->o.forward ? (uint32_t)q->o.forward : f->theirs;
	for (uint32_t k = 0; k < last && !q->out; k++) {
		uint32_t b = f->own == 1 && f->order ? f->order[k] : k, i = (a * f->theirs + b) * f->chance;
		struct value x = average(q, s, f, i, depth, ply, alpha, low.v < beta ? low.v : beta);
		exact &= x.exact;
		if (x.v < low.v) {
			low = x;
			if (f->own == 1)
				*best = f->moves[(size_t)i * q->g->roles + f->mover];
		}
		if (q->o.prune && low.v <= alpha)
			break;
	}
	/* a value at the bottom of the scale needs no other */
	low.exact = (low.exact && low.v <= 0) || (exact && last == f->theirs);
	return low;
}

static void note_root(struct search *q, uint32_t move, struct value x, bool bound)
{
	assert(move < q->g->moves);
	struct root_value v = {move, x.v, x.exact, bound};
	vec_push(&q->trying, v);
}

/* The depth under way is finished: what it found counts. */
static void keep_roots(struct search *q)
{
	struct root_values old = q->roots;
	q->roots = q->trying;
	q->trying = old;
}

static struct value visit_fan(struct search *q, struct seat *s, struct fan *f, uint32_t depth, uint32_t ply,
                              double alpha, double beta, uint32_t *best)
{
	assert(alpha <= beta);
	struct value high = {-1, true};
	bool exact = true;
	uint32_t last = f->own > 1 && q->o.forward && ply && f->own > q->o.forward ? (uint32_t)q->o.forward : f->own;
	for (uint32_t k = 0; k < last && !q->out; k++) {
		uint32_t a = f->own > 1 ? f->order[k] : k,
				 first = f->moves[(size_t)a * f->theirs * f->chance * q->g->roles + f->mover];
		double from = q->o.prune && high.v > alpha ? high.v : alpha;
		struct value x = worst(q, s, f, a, depth, ply, from, beta, best);
		if (q->out)
			break;
		exact &= x.exact;
		if (!ply && f->own > 1)
			note_root(q, first, x, q->o.prune && x.v <= from);
		if (x.v > high.v) {
			high = x;
			if (f->own > 1)
				*best = first;
		}
		if (q->o.prune && high.v >= beta)
			break;
	}
	high.exact = (high.exact && high.v >= 100) || (exact && last == f->own);
	return high;
}

/* A position is restless when the role's estimates after the moves lie far apart:
 * then the horizon moves on. */
static bool restless(const struct fan *f)
{
	double low = 1e9, high = -1;
	for (uint32_t i = 0; i < f->count; i++) {
		low = f->value[i] < low ? f->value[i] : low;
		high = f->value[i] > high ? f->value[i] : high;
	}
	return high - low > 40;
}

/* The exact score of a state that has no children, or an estimate. */
static struct value visit_leaf(struct search *q, struct seat *s, const struct view *v, const uint64_t *state)
{
	struct value x = {50, false};
	bool stuck = false;
	for (uint32_t r = 0; r < q->g->roles; r++)
		stuck |= !count_of(v, r);
	if (v->terminal || stuck)
		return (struct value){score(q, v->goals[s->role]), true};
	estimate(q, s, state, 1, &x.v);
	return x;
}

/* The value of a state; within (alpha, beta) when pruning. best: see fan.mover. */
static struct value visit(struct search *q, struct seat *s, const uint64_t *state, uint32_t depth, uint32_t ply,
                          double alpha, double beta, uint32_t *best)
{
	assert(alpha <= beta);
	uint64_t key = game_hash(q->g, state);
	struct entry *e = look_up(q, key);
	uint32_t mine = e && e->used && e->key == key ? e->best : GAME_NONE, chosen = mine;
	struct value x;
	if (!best && known(s, e, key, depth, alpha, beta, &x))
		return x;
	if (spent(q))
		return (struct value){50, false};
	struct view v = game_look(s->worker, state);
	struct fan f = {0};
	if (v.terminal || !fan_open(q, s, &v, &f))
		return visit_leaf(q, s, &v, state);
	fan_expand(q, s, state, &f);
	bool beyond = false;
	if (depth <= 1) {
		fan_estimate(q, s, &f);
		beyond = q->beyond < q->o.quiet && restless(&f);
		for (uint32_t i = 0; i < f.count && beyond; i++)
			f.value[i] = f.terminal[i] ? f.value[i] : -1;
	}
	fan_order(q, &f, mine, ply);
	q->beyond += beyond;
	x = visit_fan(q, s, &f, depth + beyond, ply, alpha, beta, &chosen);
	q->beyond -= beyond;
	fan_free(&f);
	if (q->out) {
		if (best && chosen != GAME_NONE)
			*best = chosen;
		return x;
	}
	if (q->o.order && x.v >= beta && chosen != GAME_NONE)
		credit(q, chosen, depth, ply);
	remember(e, key, depth, x, alpha, beta, chosen);
	s->count.proven += x.exact;
	if (best)
		*best = chosen;
	return x;
}

#define FEW_STATES 8192

/* Where few states are left all of them are visited at once, with no estimate on the way. What
 * a futile attempt has found out remains in the table. */
static bool solve_few(struct search *q, struct seat *s, const uint64_t *state, struct search_result *r)
{
	struct budget half = *q->budget;
	const struct budget *whole = q->budget;
	if (!q->table || q->o.forward || q->o.depth < SEARCH_DEEPEST || whole->playouts || whole->limit.deadline <= 0)
		return false;
	half.limit.deadline -= limit_left(&half.limit) / 2;
	q->budget = &half;
	q->few = FEW_STATES;
	uint32_t best = GAME_NONE;
	q->trying.n = 0;
	struct value x = visit(q, s, state, (uint32_t)q->o.depth, 0, -1, 101, &best);
	bool solved = !q->out && x.exact && best != GAME_NONE;
	if (solved) {
		*r = (struct search_result){.move = best, .value = x.v, .exact = true};
		keep_roots(q);
	}
	q->budget = whole;
	q->few = UINT64_MAX;
	q->out = false;
	return solved;
}

/* The search but for more than two roles that are selfish. */
static struct search_result deepen(struct search *q, struct seat *s, const uint64_t *state)
{
	struct search_result r = {.move = GAME_NONE, .value = 50};
	q->spent = 0;
	q->out = false;
	q->few = UINT64_MAX;
	bool solved = q->o.estimate != ESTIMATE_MIDDLE && solve_few(q, s, state, &r);
	for (uint32_t d = 1; !solved && d <= (uint64_t)q->o.depth; d++) {
		uint32_t best = r.move;
		q->trying.n = 0;
		struct value x = visit(q, s, state, d, 0, -1, 101, &best);
		if (best != GAME_NONE && (!q->out || r.move == GAME_NONE || x.v > r.value)) {
			r.move = best;
			seat_ready(s, best);
		}
		if (q->out)
			break;
		keep_roots(q);
		r.value = x.v;
		r.depth = d;
		s->count.rounds++;
		if ((r.exact = x.exact))
			break;
	}
	r.sound = r.exact && !q->joint && !q->common;
	return r;
}

struct search_result search_run(struct search *q, struct seat *s, const uint64_t *state, const struct budget *b)
{
	assert(s->role < s->game->roles);
	q->budget = b;
	q->roots.n = 0;
	if (q->o.multi == MULTI_MAXN && game_players(q->g) > 2)
		q->last = maxn_run(s, &q->o, q->evaluation, state, b, NULL, &q->roots);
	else
		q->last = deepen(q, s, state);
	return q->last;
}

void *search_make(struct seat *s)
{
	assert(s->role < s->game->roles);
	return search_new(s, s->options);
}

void search_release(void *search)
{
	search_free(search);
}

void search_start(void *search, struct seat *s, const struct budget *b)
{
	assert(s->role < s->game->roles);
	struct search *q = search;
	if (q->o.estimate != ESTIMATE_LEARNT || q->evaluation)
		return;
	struct evaluation_options o = {
		.seed = rng_next(&s->rng), .playouts = b->playouts, .limit = b->limit, .tune = &q->o.learn};
	q->evaluation = evaluation_learn(q->g, &o);
}

uint32_t search_move(void *search, struct seat *s, const struct turn *t, const struct budget *b)
{
	assert(s->role < s->game->roles);
	assert(t->legal_count && t->legal);
	struct search *q = search;
	if (t->legal_count == 1)
		return t->legal[0];
	if (q->o.estimate == ESTIMATE_LEARNT && !q->evaluation) {
		struct budget half = *b;
		if (b->limit.deadline > 0)
			half.limit.deadline -= limit_left(&b->limit) / 2;
		search_start(q, s, &half);
	}
	struct search_result r = search_run(q, s, t->state, b);
	text_printf(&s->why, "%s %.1f at ", r.exact ? "exact value" : "value", r.value);
	if (r.depth)
		text_printf(&s->why, "depth %u", r.depth);
	else
		text_puts(&s->why, "the end of all ways");
	text_printf(&s->why, ", %llu nodes", (unsigned long long)s->count.nodes);
	return r.move;
}

/* ---- analysis --------------------------------------------------------------------------------- */

/* An exact value is what the role can be sure of; it is no upper bound where the others may want
 * something else, or where chance was counted as an enemy. */
static void value_of(const struct search *q, const struct root_value *v, bool tight, struct move_value *out)
{
	if (!v->bound)
		out->value = v->value;
	if (!v->bound && v->exact && q->o.multi != MULTI_MAXN)
		out->low = v->value;
	if (v->exact && tight)
		out->high = v->value;
}

bool search_values(void *search, struct seat *s, const struct turn *t, struct move_value *out)
{
	assert(s->role < s->game->roles);
	assert(t->legal_count && t->legal);
	const struct search *q = search;
	bool tight = !q->joint && !q->common && (q->o.chance == CHANCE_EXPECT || q->g->random == q->g->roles) &&
	             game_players(q->g) <= 2;
	for (uint32_t i = 0; i < t->legal_count; i++) {
		for (size_t k = 0; k < q->roots.n; k++)
			if (q->roots.at[k].move == t->legal[i])
				value_of(q, &q->roots.at[k], tight, &out[i]);
		if (q->last.sound && tight && out[i].high > q->last.value)
			out[i].high = q->last.value;
	}
	return q->roots.n;
}

/* The joint move that the table expects; the first step has its own. False: it is not known. */
static bool expect(struct search *q, const struct view *v, const uint64_t *state, uint32_t *joint)
{
	uint32_t mover = GAME_NONE;
	for (uint32_t r = 0; r < q->g->roles; r++) {
		joint[r] = v->legal[v->start[r]];
		if (count_of(v, r) < 1 || (count_of(v, r) > 1 && mover != GAME_NONE))
			return false;
		if (count_of(v, r) > 1)
			mover = r;
	}
	if (mover == GAME_NONE)
		return true;
	uint64_t key = game_hash(q->g, state);
	const struct entry *e = look_up(q, key);
	if (!e || !e->used || e->key != key)
		return false;
	joint[mover] = e->best;
	for (uint32_t i = v->start[mover]; i < v->start[mover + 1]; i++)
		if (v->legal[i] == e->best)
			return true;
	return false;
}

void search_line(void *search, struct seat *s, const struct turn *t, uint32_t move, struct move_line *out)
{
	assert(s->role < s->game->roles);
	assert(t->legal_count && t->legal);
	struct search *q = search;
	size_t words = q->g->words;
	uint32_t roles = q->g->roles, *joint = NEW_ARRAY(uint32_t, roles);
	uint64_t *state = memcpy(mem_alloc(words + 1, sizeof *state), t->state, words * sizeof *state);
	for (uint32_t step = 0; step < PLAY_LINE_STEPS; step++) {
		struct view v = game_look(s->worker, state);
		if (v.terminal || !expect(q, &v, state, joint))
			break;
		if (!step)
			joint[s->role] = move;
		for (uint32_t r = 0; r < roles; r++)
			vec_push(out, joint[r]);
		game_next(s->worker, state, joint, state);
	}
	mem_free(state);
	mem_free(joint);
}

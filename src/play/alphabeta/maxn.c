/* The search of maxn.h: all children of a state come from one pass of the circuit, and
 * at the horizon they are estimated in one batch. */
#include "play/alphabeta/maxn.h"

#include "play/learn/evaluation.h"

#include <assert.h>
#include <string.h>

#define WIDEST 16384 /* joint moves of a state; more: it is estimated */

struct maxn {
	struct game *g;
	struct seat *s;
	const struct search_options *o;
	const struct evaluation *e;
	const struct budget *b;
	uint32_t *turn; /* roles in the order in which they choose */
	double *folded; /* by place in `turn` and role: scratch of fold() */
	uint64_t spent;
	bool out; /* of time */
	struct root_values *roots;
};

/* The children of a state, numbered with the choice of the first role in `turn` running
 * slowest, and their values by role. */
struct spread {
	uint32_t *counts; /* choices, by place in `turn` */
	uint32_t count;
	uint32_t *moves;
	uint64_t *next;
	double *values;
	bool exact;
};

static bool spent(struct maxn *q)
{
	q->out |= q->b->playouts ? q->spent >= q->b->playouts : limit_reached(&q->b->limit);
	return q->out;
}

static void score(const struct maxn *q, const int *goals, double *values)
{
	for (uint32_t r = 0; r < q->g->roles; r++)
		values[r] = goals[r] == GOAL_NONE ? 0 : goals[r];
}

/* Estimates for `count` states, by state and role. */
static void estimate(struct maxn *q, const uint64_t *states, uint32_t count, double *out)
{
	uint32_t roles = q->g->roles;
	for (uint32_t i = 0; i < count * roles; i++)
		out[i] = q->e ? evaluation_score(q->e, states + (size_t)(i / roles) * q->g->words, i % roles) : 50;
	if (q->o->estimate != ESTIMATE_PLAYOUTS || !count)
		return;
	struct playout_result r;
	game_playouts(q->g,
	              &(struct playout_job){.starts = states,
	                                    .start_count = count,
	                                    .playouts = (uint64_t)q->o->playouts * count,
	                                    .limit = q->b->limit,
	                                    .seed = rng_next(&q->s->rng),
	                                    .max_steps = 5000},
	              &r);
	for (uint32_t i = 0; i < count * roles; i++)
		if (r.counts[i / roles])
			out[i] = r.sum[i] / (double)r.counts[i / roles];
	q->spent += r.playouts;
	q->s->count.playouts += r.playouts;
	q->s->count.playout_seconds += r.seconds;
	playout_result_free(&r);
}

/* Lists the joint moves. False: too many, or none. */
static bool spread_open(struct maxn *q, const struct view *v, struct spread *f)
{
	uint32_t roles = q->g->roles;
	uint64_t count = 1;
	for (uint32_t k = 0; k < roles && count <= WIDEST; k++)
		count *= v->start[q->turn[k] + 1] - v->start[q->turn[k]];
	if (!count || count > WIDEST)
		return false;
	f->count = (uint32_t)count;
	f->counts = NEW_ARRAY(uint32_t, roles);
	f->moves = NEW_ARRAY(uint32_t, count * roles);
	for (uint32_t k = 0; k < roles; k++)
		f->counts[k] = v->start[q->turn[k] + 1] - v->start[q->turn[k]];
	for (uint32_t i = 0; i < f->count; i++)
		for (uint32_t k = roles, rest = i; k--; rest /= f->counts[k])
			f->moves[(size_t)i * roles + q->turn[k]] = v->legal[v->start[q->turn[k]] + rest % f->counts[k]];
	return true;
}

static void spread_free(struct spread *f)
{
	mem_free(f->counts);
	mem_free(f->moves);
	mem_free(f->next);
	mem_free(f->values);
}

static bool visit(struct maxn *q, const uint64_t *state, uint32_t depth, double *values, uint32_t *best);

/* Values of the children: ends, estimates at the horizon, else by search. */
static void spread_values(struct maxn *q, const uint64_t *state, struct spread *f, uint32_t depth)
{
	uint32_t roles = q->g->roles, words = q->g->words, waiting = 0;
	assert(depth);
	uint64_t *open = NEW_ARRAY(uint64_t, (size_t)f->count * words + 1);
	uint8_t *terminal = NEW_ARRAY(uint8_t, f->count);
	int *goals = NEW_ARRAY(int, (size_t)f->count *roles);
	f->next = NEW_ARRAY(uint64_t, (size_t)f->count * words + 1);
	f->values = NEW_ARRAY(double, (size_t)f->count *roles);
	game_expand(q->s->worker, &(struct expansion){.states = state,
	                                              .one_state = true,
	                                              .moves = f->moves,
	                                              .count = f->count,
	                                              .next = f->next,
	                                              .terminal = terminal,
	                                              .goals = goals});
	q->spent += f->count;
	q->s->count.nodes += f->count;
	f->exact = true;
	for (uint32_t i = 0; i < f->count; i++) {
		double *value = f->values + (size_t)i * roles;
		const uint64_t *next = f->next + (size_t)i * words;
		if (terminal[i])
			score(q, goals + (size_t)i * roles, value);
		else if (depth > 1)
			f->exact &= !q->out && visit(q, next, depth - 1, value, NULL);
		else /* together, below */
			memcpy(open + (size_t)waiting++ * words, next, words * sizeof *next);
	}
	if (waiting) {
		double *estimates = NEW_ARRAY(double, (size_t)waiting *roles);
		estimate(q, open, waiting, estimates);
		f->exact = false;
		for (uint32_t i = 0, j = 0; i < f->count; i++)
			if (!terminal[i])
				memcpy(f->values + (size_t)i * roles, estimates + (size_t)j++ * roles, roles * sizeof *estimates);
		mem_free(estimates);
	}
	mem_free(open);
	mem_free(terminal);
	mem_free(goals);
}

/* What comes of children [first, ...) when the roles from place k on choose; the child
 * it leads to (any, below chance). */
static uint32_t fold(const struct maxn *q, const struct spread *f, uint32_t k, uint32_t first, double *values)
{
	uint32_t roles = q->g->roles, step = 1, chosen = first;
	assert(k <= roles && (k < roles || first < f->count));
	if (k == roles) {
		memcpy(values, f->values + (size_t)first * roles, roles * sizeof *values);
		return first;
	}
	for (uint32_t j = k + 1; j < roles; j++)
		step *= f->counts[j];
	bool chance = q->turn[k] == q->g->random;
	double *one = q->folded + (size_t)k * roles;
	for (uint32_t a = 0; a < f->counts[k]; a++) {
		uint32_t to = fold(q, f, k + 1, first + a * step, one);
		for (uint32_t r = 0; r < roles && chance; r++)
			values[r] = (a ? values[r] : 0) + one[r] / f->counts[k];
		if (!chance && (!a || one[q->turn[k]] > values[q->turn[k]])) {
			memcpy(values, one, roles * sizeof *one);
			chosen = to;
		}
	}
	return chosen;
}

/* At the root, where our own choice comes first. */
static void note_roots(struct maxn *q, const struct spread *f)
{
	uint32_t roles = q->g->roles, step = f->count / f->counts[0];
	if (!q->roots || q->out || q->turn[0] != q->s->role)
		return;
	double *values = NEW_ARRAY(double, roles);
	q->roots->n = 0;
	for (uint32_t a = 0; a < f->counts[0]; a++) {
		fold(q, f, 1, a * step, values);
		struct root_value v = {f->moves[(size_t)a * step * roles + q->s->role], values[q->s->role], f->exact, false};
		vec_push(q->roots, v);
	}
	mem_free(values);
}

/* True: the values are exact. best: our move. */
static bool visit(struct maxn *q, const uint64_t *state, uint32_t depth, double *values, uint32_t *best)
{
	struct view v = game_look(q->s->worker, state);
	struct spread f = {0};
	bool stuck = false;
	for (uint32_t r = 0; r < q->g->roles; r++)
		stuck |= v.start[r] == v.start[r + 1];
	if (v.terminal || stuck) {
		score(q, v.goals, values);
		return true;
	}
	if (spent(q) || !spread_open(q, &v, &f)) {
		estimate(q, state, 1, values);
		return false;
	}
	spread_values(q, state, &f, depth);
	uint32_t chosen = fold(q, &f, 0, 0, values);
	assert(chosen < f.count);
	if (best)
		note_roots(q, &f);
	if (best)
		*best = f.moves[(size_t)chosen * q->g->roles + q->s->role];
	bool exact = f.exact && !q->out;
	spread_free(&f);
	q->s->count.proven += exact;
	return exact;
}

/* Our own role, the others, `random`. */
static void set_turn(struct maxn *q)
{
	uint32_t n = 0, own = q->s->role, random = q->g->random;
	if (own != random)
		q->turn[n++] = own;
	for (uint32_t r = 0; r < q->g->roles; r++)
		if (r != own && r != random)
			q->turn[n++] = r;
	assert(n == q->g->roles - (random < q->g->roles));
	if (random < q->g->roles)
		q->turn[n] = random;
}

struct search_result maxn_run(struct seat *s, const struct search_options *o, const struct evaluation *e,
                              const uint64_t *state, const struct budget *b, double *values, struct root_values *roots)
{
	assert(s->role < s->game->roles);
	uint32_t roles = s->game->roles;
	struct maxn q = {.g = s->game, .s = s, .o = o, .e = e, .b = b, .roots = roots};
	struct search_result r = {.move = GAME_NONE, .value = 50};
	double *found = NEW_ARRAY(double, roles);
	q.turn = NEW_ARRAY(uint32_t, roles);
	q.folded = NEW_ARRAY(double, (size_t)roles *roles);
	set_turn(&q);
	for (uint32_t d = 1; d <= (uint64_t)o->depth && !r.exact; d++) {
		uint32_t best = GAME_NONE;
		bool exact = visit(&q, state, d, found, &best);
		if (q.out && r.move != GAME_NONE)
			break;
		r = (struct search_result){.move = best, .value = found[s->role], .exact = exact, .depth = d};
		if (best != GAME_NONE)
			seat_ready(s, best);
		if (values)
			memcpy(values, found, roles * sizeof *found);
		s->count.rounds++;
		if (q.out)
			break;
	}
	mem_free(q.folded);
	mem_free(q.turn);
	mem_free(found);
	return r;
}

/* Playouts by the million.
 *
 * circuit_playouts() keeps all lanes busy: each plays its own game from its own
 * start, a finished one waits with its state frozen until goals are evaluated for
 * several at once, then takes the next playout. The rest of the file shares the
 * work among threads, and plays one state at a time for the interpreter. */
#include "base/bits.h"
#include "game/engine_internal.h"

#include <math.h>
#include <string.h>

/* ---- results ----------------------------------------------------------------------- */

#define LENGTH_CELLS 4096

static void result_init(struct playout_result *r, uint32_t roles, size_t starts)
{
	*r = (struct playout_result){.shortest = UINT32_MAX, .length_cells = LENGTH_CELLS};
	r->sum = NEW_ARRAY(double, starts * roles + 1);
	r->squares = NEW_ARRAY(double, starts * roles + 1);
	r->wins = NEW_ARRAY(uint64_t, starts * roles + 1);
	r->counts = NEW_ARRAY(uint64_t, starts);
	r->values = NEW_ARRAY(uint64_t, (size_t)roles * 101 + 1);
	r->lengths = NEW_ARRAY(uint64_t, LENGTH_CELLS);
}

void playout_result_free(struct playout_result *r)
{
	mem_free(r->sum);
	mem_free(r->squares);
	mem_free(r->wins);
	mem_free(r->counts);
	mem_free(r->values);
	mem_free(r->lengths);
}

static void result_add(struct playout_result *into, const struct playout_result *from, uint32_t roles, size_t starts)
{
	into->playouts += from->playouts;
	into->unfinished += from->unfinished;
	into->stuck += from->stuck;
	into->undefined += from->undefined;
	into->steps += from->steps;
	into->trouble = into->trouble ? into->trouble : from->trouble;
	if (from->shortest < into->shortest)
		into->shortest = from->shortest;
	if (from->longest > into->longest)
		into->longest = from->longest;
	for (size_t i = 0; i < starts * roles; i++) {
		into->sum[i] += from->sum[i];
		into->squares[i] += from->squares[i];
		into->wins[i] += from->wins[i];
	}
	for (size_t i = 0; i < starts; i++)
		into->counts[i] += from->counts[i];
	for (size_t i = 0; i < (size_t)roles * 101; i++)
		into->values[i] += from->values[i];
	for (size_t i = 0; i < LENGTH_CELLS; i++)
		into->lengths[i] += from->lengths[i];
}

static void result_length(struct playout_result *r, uint32_t steps)
{
	r->playouts++;
	r->steps += steps;
	r->lengths[steps < LENGTH_CELLS ? steps : LENGTH_CELLS - 1]++;
	r->shortest = steps < r->shortest ? steps : r->shortest;
	r->longest = steps > r->longest ? steps : r->longest;
}

static void result_score(struct playout_result *r, uint32_t roles, size_t start, uint32_t role, int value, uint64_t times)
{
	size_t i = start * roles + role;
	r->sum[i] += (double)times * value;
	r->squares[i] += (double)times * value * value;
	r->wins[i] += value == 100 ? times : 0;
	r->values[role * 101 + (uint32_t)value] += times;
}

/* Hands a playout to the job's `report` or `played`, one thread at a time. */
static void result_report(const struct playout_share *s, size_t start, const uint32_t *moves, uint32_t steps,
                          const int *goals)
{
	thread_lock(s->turn);
	s->job->report(s->job->context, start, moves, steps, goals);
	thread_unlock(s->turn);
}

static void result_played(const struct playout_share *s, size_t start, const uint32_t *moves, uint32_t count,
                          const int *goals)
{
	thread_lock(s->turn);
	s->job->played(s->job->context, start, moves, count, goals);
	thread_unlock(s->turn);
}

/* Says how far the whole job has come, taking the other threads for as far as this one. */
static void report_progress(const struct playout_share *s)
{
	if (s->progress) {
		uint32_t threads = s->job->threads ? s->job->threads : 1;
		progress_step(s->progress, (double)s->result.playouts * threads, (double)s->job->playouts, NULL);
	}
}

/* ---- lanes ------------------------------------------------------------------------- */

#define MAX_WORDS 8 /* 512 lanes */

typedef uint64_t mask_t[MAX_WORDS] __attribute__((aligned(64)));

struct log {
	VEC(uint32_t) moves;
};

/* A move that a lane has made. */
struct made {
	uint32_t move, lane;
};

struct lane_table {
	const struct game *g;
	const struct circuit_engine *e;
	const struct decisive_rollouts *decisive; /* NULL: nobody is */
	const struct playout_job *job;
	const struct lane_kernel *kernel;
	struct playout_share *share;
	struct playout_result *r;
	uint64_t *slots;
	struct chooser chooser;
	mask_t playing, done; /* lanes at play; finished, waiting for their goals */
	uint64_t began[MAX_WORDS * 64];
	uint64_t number[MAX_WORDS * 64]; /* which playout */
	struct log *logs;                /* by lane, when moves are reported */
	uint64_t *played;                /* by move, when they are counted: lanes that have made it */
	VEC(struct made) made;           /* scratch of hand_over_played() */
	VEC(uint32_t) list;
	uint64_t launched;
	uint64_t step, harvested; /* now, and when goals were last evaluated */
	uint32_t period, phase;   /* of the rotation; phase of step 0, where playouts start */
	uint32_t max_steps;
	uint64_t bound_at; /* no playout is too long before this step */
	uint64_t *live;    /* the fluents that a judge is shown, as bits of a state */
	int *row;          /* by role: goals of one lane, for callbacks */
	double *values;    /* by role: what a judge says */
};

#define EACH_LANE(t, lane, mask) \
	for (uint32_t w_ = 0; w_ < (t)->kernel->words; w_++) \
		for (uint64_t bits_ = (mask)[w_], lane = 0; bits_ && (lane = w_ * 64 + (uint64_t)__builtin_ctzll(bits_), 1); \
		     bits_ &= bits_ - 1)

static bool none(const struct lane_table *t, const uint64_t *mask)
{
	uint64_t any = 0;
	for (uint32_t w = 0; w < t->kernel->words; w++)
		any |= mask[w];
	return !any;
}

static uint64_t *slot(const struct lane_table *t, uint32_t i)
{
	return t->slots + (size_t)i * t->kernel->words;
}

static size_t start_of(const struct lane_table *t, uint64_t lane)
{
	return t->job->start_count > 1 ? (size_t)((t->share->first + t->number[lane]) % t->job->start_count) : 0;
}

/* One part of a program, as machine code where there is some for this width. */
static void run(const struct lane_table *t, const struct program *p, const struct native *n, bool second)
{
	const uint32_t *middle = p->code.at + p->second;
	if (n->code && t->kernel->lanes == t->e->width)
		(second ? n->second : n->first)(t->slots);
	else
		t->kernel->run(second ? middle : p->code.at, second ? p->code.at + p->code.n : middle, t->slots);
}

/* The program of this step. */
static const struct rollout *rollout_now(const struct lane_table *t)
{
	uint32_t i = t->period == 1 ? 0 : 1 + (uint32_t)((t->phase + t->step) % t->period);
	return t->decisive && t->decisive->rollouts[i].moves ? &t->decisive->rollouts[i] : &t->e->rollouts[i];
}

/* Lanes with different starts: 64 lanes by 64 fluents at a time, turned over. */
static void refill_starts(struct lane_table *t, const uint64_t *fresh)
{
	uint32_t words = t->kernel->words;
	for (uint32_t w = 0; w < words; w++) {
		const uint64_t *state[64];
		if (!fresh[w])
			continue;
		for (uint32_t i = 0; i < 64; i++)
			state[i] = fresh[w] >> i & 1 ? t->job->starts + start_of(t, w * 64 + i) * t->g->words : NULL;
		for (uint32_t k = 0; k < t->g->words; k++) {
			uint64_t square[64], *to = t->slots + (size_t)k * 64 * words + w;
			for (uint32_t i = 0; i < 64; i++)
				square[i] = state[i] ? state[i][k] : 0;
			circuit_transpose(square);
			for (uint32_t i = 0; i < 64 && k * 64 + i < t->g->fluents; i++, to += words)
				*to = (*to & ~fresh[w]) | square[i];
		}
	}
}

/* New playouts for the lanes that are neither playing nor waiting. */
static void launch(struct lane_table *t)
{
	mask_t fresh = {0};
	if (t->launched == t->share->count)
		return;
	for (uint32_t w = 0; w < t->kernel->words; w++)
		fresh[w] = ~(t->playing[w] | t->done[w]);
	if (none(t, fresh))
		return;
	EACH_LANE(t, lane, fresh) {
		if (t->launched == t->share->count) {
			fresh[lane / 64] &= ~(UINT64_C(1) << lane % 64);
			continue;
		}
		t->number[lane] = t->launched++;
		t->began[lane] = t->step;
		if (t->logs)
			vec_clear(&t->logs[lane].moves);
	}
	if (t->job->start_count > 1)
		refill_starts(t, fresh);
	else
		t->kernel->refill(t->slots, t->g->fluents, t->job->starts ? t->job->starts : t->g->initial, fresh);
	for (uint32_t w = 0; w < t->kernel->words; w++)
		t->playing[w] |= fresh[w];
}

/* Goals of one role: which lanes have exactly one value, and the sums. */
static void score_role(struct lane_table *t, uint32_t role, int (*goals)[MAX_WORDS * 64])
{
	const struct ground_outputs *o = &t->e->ground->goals;
	mask_t ones = {0}, twos = {0}, valid;
	for (uint32_t i = o->start.at[role]; i < o->start.at[role + 1]; i++)
		for (uint32_t w = 0; w < t->kernel->words; w++) {
			uint64_t x = slot(t, t->e->goals_out + i)[w];
			twos[w] |= ones[w] & x;
			ones[w] |= x;
		}
	for (uint32_t w = 0; w < t->kernel->words; w++)
		valid[w] = t->done[w] & ones[w] & ~twos[w];
	for (uint32_t i = o->start.at[role]; i < o->start.at[role + 1]; i++) {
		const uint64_t *x = slot(t, t->e->goals_out + i);
		int value = t->e->goal_value[i];
		if (value == GOAL_NONE) {
			for (uint32_t w = 0; w < t->kernel->words; w++)
				valid[w] &= ~x[w];
			continue;
		}
		if (t->job->start_count <= 1 && !t->logs && !t->played) {
			result_score(t->r, t->g->roles, 0, role, value, t->kernel->count(x, valid));
			continue;
		}
		mask_t here;
		for (uint32_t w = 0; w < t->kernel->words; w++)
			here[w] = x[w] & valid[w];
		EACH_LANE(t, lane, here) {
			result_score(t->r, t->g->roles, start_of(t, lane), role, value, 1);
			goals[role][lane] = value;
		}
	}
	t->r->undefined += t->kernel->count(t->done, t->done) - t->kernel->count(t->done, valid);
}

/* Most rows hold nothing of the few lanes that end together: one look at the whole row. */
static bool any_common(const uint64_t *a, const uint64_t *b, uint32_t words)
{
	uint64_t any = 0;
	if (words == MAX_WORDS)
		for (uint32_t w = 0; w < MAX_WORDS; w++)
			any |= a[w] & b[w];
	else
		for (uint32_t w = 0; w < words; w++)
			any |= a[w] & b[w];
	return any;
}

/* One in played_every playouts of each start. */
static bool wants_played(const struct lane_table *t, uint64_t lane)
{
	uint64_t starts = t->job->start_count ? t->job->start_count : 1;
	return t->job->played_every <= 1 || t->number[lane] / starts % t->job->played_every == 0;
}

/* The goals of one lane, by role. */
static const int *goals_of(const struct lane_table *t, uint64_t lane, int (*goals)[MAX_WORDS * 64])
{
	for (uint32_t r = 0; r < t->g->roles; r++)
		t->row[r] = goals[r][lane];
	return t->row;
}

/* Hands over which moves these lanes have made, and forgets them. */
static void hand_over_played(struct lane_table *t, const uint64_t *lanes, int (*goals)[MAX_WORDS * 64])
{
	uint32_t words = t->kernel->words, end[MAX_WORDS * 64] = {0}, total = 0;
	mask_t asked = {0};
	EACH_LANE(t, lane, lanes)
		if (wants_played(t, lane))
			bits_add(asked, lane);
	vec_clear(&t->made);
	for (uint32_t m = 0; m < t->g->moves; m++) {
		uint64_t *row = t->played + (size_t)m * words;
		if (any_common(row, asked, words))
			for (uint32_t w = 0; w < words; w++)
				for (uint64_t here = row[w] & asked[w]; here; here &= here - 1) {
					struct made made = {m, w * 64 + (uint32_t)__builtin_ctzll(here)};
					vec_push(&t->made, made);
					end[made.lane]++;
				}
		for (uint32_t w = 0; w < words; w++)
			row[w] &= ~lanes[w];
	}
	for (uint32_t lane = 0; lane < words * 64; lane++) { /* where the lane's list begins */
		uint32_t n = end[lane];
		end[lane] = total;
		total += n;
	}
	vec_reserve(&t->list, (size_t)total + 1);
	for (size_t i = 0; i < t->made.n; i++)
		t->list.at[end[t->made.at[i].lane]++] = t->made.at[i].move;
	uint32_t from = 0;
	EACH_LANE(t, lane, asked) {
		result_played(t->share, start_of(t, lane), t->list.at + from, end[lane] - from, goals_of(t, lane, goals));
		from = end[lane];
	}
}

/* The lanes' results move by move, in the form that was asked for. */
static void hand_over(struct lane_table *t, const uint64_t *lanes, int (*goals)[MAX_WORDS * 64])
{
	if (t->played)
		hand_over_played(t, lanes, goals);
	else if (t->logs)
		EACH_LANE(t, lane, lanes) {
			uint32_t steps = (uint32_t)(t->logs[lane].moves.n / t->g->roles);
			result_report(t->share, start_of(t, lane), t->logs[lane].moves.at, steps, goals_of(t, lane, goals));
		}
}

static void harvest(struct lane_table *t)
{
	if (none(t, t->done))
		return;
	int(*goals)[MAX_WORDS * 64] = NULL;
	if (t->logs || t->played || t->job->start_count > 1) {
		goals = mem_alloc(t->g->roles + 1, sizeof *goals);
		memset(goals, 0xff, (t->g->roles + 1) * sizeof *goals); /* GOAL_NONE */
	}
	run(t, &t->e->goals, &t->e->goals_native, false);
	for (uint32_t r = 0; r < t->g->roles; r++)
		score_role(t, r, goals);
	if (t->job->start_count <= 1)
		t->r->counts[0] += t->kernel->count(t->done, t->done);
	else
		EACH_LANE(t, lane, t->done)
			t->r->counts[start_of(t, lane)]++;
	hand_over(t, t->done, goals);
	mem_free(goals);
	memset(t->done, 0, sizeof t->done);
	t->harvested = t->step;
}

static double step_cost(const struct lane_table *t)
{
	const struct rollout *r = rollout_now(t);
	return (double)r->program.operands + 10.0 * r->first[t->g->roles] + 40;
}

/* Goals cost g and a step costs s: evaluating goals every k steps costs g/k per step,
 * and leaves about k/2 of a playout's n steps unused: best at k = sqrt(2 n g / s). */
static bool harvest_due(const struct lane_table *t)
{
	if (none(t, t->done))
		return false;
	if (none(t, t->playing))
		return true;
	double n = t->r->playouts ? (double)t->r->steps / (double)t->r->playouts : 10;
	double g = (double)t->e->goals.operands + 40 + (t->played ? 4.0 * t->g->moves : 0), s = step_cost(t);
	double k = sqrt(2 * n * g / s);
	return (double)(t->step - t->harvested) >= k && t->step % t->period == 0;
}

static void log_moves(struct lane_table *t, const struct rollout *o)
{
	for (uint32_t r = 0; r < t->g->roles; r++) {
		if (o->fixed[r] != GAME_NONE)
			EACH_LANE(t, lane, t->playing)
				vec_push(&t->logs[lane].moves, o->fixed[r]);
		for (uint32_t i = o->first[r]; i < o->first[r + 1]; i++) {
			const uint64_t *x = slot(t, o->base + i);
			mask_t here;
			for (uint32_t w = 0; w < t->kernel->words; w++)
				here[w] = x[w] & t->playing[w];
			EACH_LANE(t, lane, here)
				vec_push(&t->logs[lane].moves, o->moves[i]);
		}
	}
}

/* Which moves are made in which lanes, steps taken together. */
static void note_moves(struct lane_table *t, const struct rollout *o)
{
	uint32_t words = t->kernel->words;
	for (uint32_t i = o->first[0]; i < o->first[t->g->roles]; i++) {
		const uint64_t *x = slot(t, o->base + i);
		uint64_t *to = t->played + (size_t)o->moves[i] * words;
		for (uint32_t w = 0; w < words; w++)
			to[w] |= x[w] & t->playing[w];
	}
}

/* Every role chooses; `all` becomes the lanes in which each of them could. */
static void choose_moves(struct lane_table *t, const struct rollout *o, uint64_t *all)
{
	mask_t has;
	memset(all, 0xff, sizeof(mask_t));
	for (uint32_t r = 0; r < t->g->roles; r++) {
		uint32_t count = o->first[r + 1] - o->first[r];
		if (o->fixed[r] != GAME_NONE)
			continue;
		memset(has, 0, sizeof has);
		if (count > 1 && t->job->move_bias)
			t->kernel->filter_by_bias(&t->chooser, slot(t, o->base + o->first[r]), count, o->moves + o->first[r],
			                t->job->move_bias);
		if (count)
			t->kernel->choose(&t->chooser, slot(t, o->base + o->first[r]), count, has);
		for (uint32_t w = 0; w < t->kernel->words; w++)
			all[w] &= has[w];
	}
}

/* The states of 64 lanes, one after another. */
static void read_states(const struct lane_table *t, uint32_t w, uint64_t *states)
{
	for (uint32_t k = 0; k < t->g->words; k++) {
		uint64_t square[64];
		for (uint32_t i = 0; i < 64; i++)
			square[i] = bits_has(t->live, k * 64 + i) ? slot(t, k * 64 + i)[w] : 0;
		circuit_transpose(square);
		for (uint32_t i = 0; i < 64; i++)
			states[(size_t)i * t->g->words + k] = square[i];
	}
}

/* Stops the lanes that have gone as far as wanted: the judge says what they are worth. */
static void judge_lanes(struct lane_table *t)
{
	uint32_t roles = t->g->roles, words = t->g->words;
	uint64_t next = t->step + t->job->cut;
	mask_t late = {0};
	EACH_LANE(t, lane, t->playing) {
		uint64_t end = t->began[lane] + t->job->cut;
		if (t->step >= end)
			bits_add(late, lane);
		else
			next = end < next ? end : next;
	}
	t->bound_at = next;
	if (none(t, late))
		return;
	int(*goals)[MAX_WORDS * 64] = mem_alloc(roles + 1, sizeof *goals);
	uint64_t *states = mem_alloc((size_t)64 * words + 1, sizeof *states);
	double *values = t->values;
	for (uint32_t w = 0; w < t->kernel->words; w++) {
		if (late[w])
			read_states(t, w, states);
		for (uint64_t bits = late[w]; bits; bits &= bits - 1) {
			uint32_t i = (uint32_t)__builtin_ctzll(bits), lane = w * 64 + i;
			size_t start = start_of(t, lane);
			t->job->judge(t->job->context, start, states + (size_t)i * words, values);
			result_length(t->r, (uint32_t)(t->step - t->began[lane]));
			t->r->counts[start]++;
			for (uint32_t r = 0; r < roles; r++) {
				t->r->sum[start * roles + r] += values[r];
				t->r->squares[start * roles + r] += values[r] * values[r];
				goals[r][lane] = (int)(values[r] + 0.5);
			}
		}
		t->playing[w] &= ~late[w];
	}
	hand_over(t, late, goals);
	mem_free(states);
	mem_free(goals);
}

/* One step of all lanes at play. */
static void play_step(struct lane_table *t)
{
	const struct rollout *o = rollout_now(t);
	mask_t all;
	run(t, &o->program, &o->native, false);
	choose_moves(t, o, all);
	const uint64_t *terminal = slot(t, o->terminal);
	for (uint32_t w = 0; w < t->kernel->words; w++) {
		uint64_t ended = t->playing[w] & (terminal[w] | ~all[w]);
		for (uint64_t b = ended & ~terminal[w]; b; b &= b - 1)
			t->r->stuck++;
		for (uint64_t b = ended; b; b &= b - 1) {
			result_length(t->r, (uint32_t)(t->step - t->began[w * 64 + (uint32_t)__builtin_ctzll(b)]));
		}
		t->playing[w] &= ~ended;
		t->done[w] |= ended;
	}
	if (t->job->judge && t->step >= t->bound_at)
		judge_lanes(t);
	if (t->played)
		note_moves(t, o);
	else if (t->logs)
		log_moves(t, o);
	if (none(t, t->playing))
		return;
	run(t, &o->program, &o->native, true);
	t->kernel->advance(t->slots, t->e->live, t->e->live_count, slot(t, o->next), t->playing);
	t->step++;
}

/* Gives up playouts that have gone on for too long, and finds out when the next
 * one could be. */
static void bound_steps(struct lane_table *t)
{
	t->bound_at = t->step + t->max_steps + 1;
	EACH_LANE(t, lane, t->playing) {
		/* it may end after max_steps, and that is noticed one step later */
		uint64_t end = t->began[lane] + t->max_steps + 1;
		if (t->step >= end) {
			bits_drop(t->playing, lane);
			for (uint32_t m = 0; t->played && m < t->g->moves; m++)
				bits_drop(t->played + (size_t)m * t->kernel->words, lane);
			t->r->unfinished++;
		} else if (end < t->bound_at) {
			t->bound_at = end;
		}
	}
}

static void play_all(struct lane_table *t)
{
	/* a look at the clock about every 50,000 operations; rounds are counted and not
	 * steps, which jump over the end of a rotation */
	uint32_t every = 1 + (uint32_t)(50000 / step_cost(t)), round = 0;
	for (;;) {
		if (harvest_due(t))
			harvest(t);
		if (t->step % t->period == 0)
			launch(t);
		if (none(t, t->playing)) {
			/* nothing to do until the rotation comes round to where playouts start */
			if (t->step % t->period == 0 && none(t, t->done))
				return;
			t->step += t->period - t->step % t->period;
			continue;
		}
		play_step(t);
		if (++round % every == 0) {
			report_progress(t->share);
			if (limit_reached(&t->job->limit)) {
				harvest(t);
				return;
			}
		}
		if (t->step >= t->bound_at && !t->job->judge)
			bound_steps(t);
	}
}

/* Does this state look like one of phase k? */
static bool fits_phase(const struct circuit_engine *e, uint32_t k, const uint64_t *state)
{
	const uint8_t *known = e->phases.fluents + (size_t)k * e->circuit.fluents;
	for (uint32_t f = 0; f < e->circuit.fluents; f++)
		if (known[f] != OPEN && known[f] != (bits_has(state, f) ? YES : NO))
			return false;
	return true;
}

/* All starts must be of one phase for the rotation to be used. */
static void find_phase(struct lane_table *t)
{
	const struct playout_job *job = t->job;
	t->period = 1;
	for (uint32_t k = 0; k < t->e->phases.period && t->e->phases.period > 1; k++) {
		size_t i = 0, count = job->start_count ? job->start_count : 1;
		while (i < count && fits_phase(t->e, k, job->starts ? job->starts + i * t->g->words : t->g->initial))
			i++;
		if (i == count) {
			t->period = t->e->phases.period;
			t->phase = k;
			return;
		}
	}
}

static struct lane_table *lane_table_new(struct playout_share *s)
{
	const struct circuit_engine *e = s->g->circuit;
	const struct playout_job *job = s->job;
	struct lane_table *t = mem_align(1, sizeof *t);
	t->g = s->g;
	t->e = e;
	t->job = job;
	t->share = s;
	t->r = &s->result;
	t->kernel = lanes_kernel(s->count <= 64 ? 64 : s->count <= 256 ? 256 : e->width, e->plain);
	find_phase(t);
	t->decisive = circuit_decisive(s->g->circuit, job->policy);
	t->slots = mem_align((size_t)(t->decisive ? t->decisive->slots : e->slots) + 1, t->kernel->words * sizeof *t->slots);
	t->max_steps = job->max_steps ? job->max_steps : PLAYOUT_MAX_STEPS;
	t->bound_at = job->judge ? job->cut : (uint64_t)t->max_steps + 1;
	t->row = NEW_ARRAY(int, s->g->roles);
	t->values = NEW_ARRAY(double, s->g->roles);
	if (job->judge)
		t->live = NEW_ARRAY(uint64_t, s->g->words);
	for (uint32_t i = 0; job->judge && i < e->live_count; i++)
		bits_add(t->live, e->live[i]);
	chooser_init(&t->chooser, t->kernel, e->most_moves, s->seed);
	if (job->played)
		t->played = NEW_ARRAY(uint64_t, ((size_t)s->g->moves + 1) * t->kernel->words);
	if (job->report)
		t->logs = NEW_ARRAY(struct log, t->kernel->lanes);
	return t;
}

static void lane_table_free(struct lane_table *t)
{
	for (uint32_t i = 0; t->logs && i < t->kernel->lanes; i++)
		vec_free(&t->logs[i].moves);
	mem_free(t->logs);
	mem_free(t->played);
	mem_free(t->live);
	mem_free(t->row);
	mem_free(t->values);
	vec_free(&t->made);
	vec_free(&t->list);
	chooser_free(&t->chooser);
	mem_free(t->slots);
	mem_free(t);
}

void circuit_playouts(struct playout_share *s)
{
	struct lane_table *t = lane_table_new(s);
	play_all(t);
	lane_table_free(t);
}

/* ---- one state at a time -------------------------------------------------------------- */

struct single {
	struct playout_share *share;
	struct worker *w;
	struct rng rng;
	uint64_t *state;
	uint32_t *moves; /* by role */
	struct log log;  /* when moves are reported */
};

static void single_end(struct single *p, size_t start, uint32_t steps, const struct view *v)
{
	struct playout_share *s = p->share;
	s->result.stuck += !v->terminal;
	result_length(&s->result, steps);
	s->result.counts[start]++;
	for (uint32_t r = 0; r < s->g->roles; r++)
		if (v->goals[r] == GOAL_NONE)
			s->result.undefined++;
		else
			result_score(&s->result, s->g->roles, start, r, v->goals[r], 1);
	if (s->job->report)
		result_report(s, start, p->log.moves.at, steps, v->goals);
}

static void single_playout(struct single *p, uint64_t number)
{
	struct playout_share *s = p->share;
	const struct game *g = s->g;
	const struct playout_job *job = s->job;
	size_t start = job->start_count > 1 ? (size_t)((s->first + number) % job->start_count) : 0;
	uint32_t most = job->max_steps ? job->max_steps : PLAYOUT_MAX_STEPS;
	memcpy(p->state, job->starts ? job->starts + start * g->words : g->initial, g->words * sizeof *p->state);
	vec_clear(&p->log.moves);
	for (uint32_t steps = 0;; steps++) {
		struct view v = game_look(p->w, p->state);
		bool ended = v.terminal || !game_random_move(g, &v, &p->rng, p->moves);
		if (limit_reached(&job->limit) || worker_trouble(p->w))
			return;
		if (ended) {
			single_end(p, start, steps, &v);
			return;
		}
		if (steps == most) {
			s->result.unfinished++;
			return;
		}
		for (uint32_t r = 0; job->report && r < g->roles; r++)
			vec_push(&p->log.moves, p->moves[r]);
		game_next(p->w, p->state, p->moves, p->state);
	}
}

static void single_playouts(struct playout_share *s)
{
	struct single p = {.share = s, .w = worker_new(s->g), .rng = rng_seed(s->seed)};
	p.state = NEW_ARRAY(uint64_t, s->g->words);
	p.moves = NEW_ARRAY(uint32_t, s->g->roles);
	worker_limit(p.w, s->job->limit);
	for (uint64_t i = 0; i < s->count && !limit_reached(&s->job->limit) && !worker_trouble(p.w); i++) {
		single_playout(&p, i);
		report_progress(s);
	}
	s->result.trouble = limit_reached(&s->job->limit) ? NULL : worker_trouble(p.w);
	vec_free(&p.log.moves);
	mem_free(p.state);
	mem_free(p.moves);
	worker_free(p.w);
}

/* ---- threads ----------------------------------------------------------------------------- */

static void play_share(void *context)
{
	struct playout_share *s = context;
	if (s->g->engine == ENGINE_CIRCUIT)
		circuit_playouts(s);
	else
		single_playouts(s);
}

double game_decisive(struct game *g, enum playout_policy policy)
{
	const struct decisive_rollouts *a = g->engine == ENGINE_CIRCUIT ? circuit_decisive(g->circuit, policy) : NULL;
	return a ? a->cost : 0;
}

void game_playouts(struct game *g, const struct playout_job *job, struct playout_result *r)
{
	uint32_t threads = job->threads ? job->threads : 1;
	size_t starts = job->start_count ? job->start_count : 1;
	double began = clock_now();
	struct playout_share *shares = mem_align(threads, sizeof *shares);
	struct thread_mutex turn = THREAD_TURN;
	struct progress progress = progress_to("playouts", job->progress, job->context);
	uint64_t seed = job->seed, dealt = 0;
	for (uint32_t i = 0; i < threads; i++) {
		struct playout_share *s = &shares[i];
		*s = (struct playout_share){.g = g, .job = job, .turn = &turn, .first = dealt, .seed = rng_split(&seed)};
		s->progress = i + 1 == threads ? &progress : NULL; /* the last share is this thread's own */
		s->count = job->playouts ? job->playouts / threads + (i < job->playouts % threads) : UINT64_MAX;
		dealt += job->playouts ? s->count : 0;
		result_init(&s->result, g->roles, starts);
	}
	threads_run(threads, play_share, shares, sizeof *shares);
	result_init(r, g->roles, starts);
	for (uint32_t i = 0; i < threads; i++) {
		result_add(r, &shares[i].result, g->roles, starts);
		playout_result_free(&shares[i].result);
	}
	if (!r->playouts)
		r->shortest = 0;
	r->seconds = clock_now() - began;
	thread_mutex_free(&turn);
	mem_free(shares);
}

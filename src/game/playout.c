/* Playouts by the million.
 *
 * A lane table keeps all lanes busy: each plays its own game from its own start, a
 * finished one waits with its state frozen until goals are evaluated for several at
 * once, then takes the next playout of those that feed the table: a job here, a
 * stream in playout_stream.c. The rest of the file shares the work of a job among
 * threads, and plays one state at a time for the interpreter. */
#include "game/playout_internal.h"

#include "base/bits.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ---- results ----------------------------------------------------------------------- */

#define LENGTH_CELLS 4096

static void result_init(struct playout_result *r, uint32_t roles, size_t starts)
{
	*r = (struct playout_result){.shortest = UINT32_MAX, .length_cells = LENGTH_CELLS};
	r->sum = NEW_ARRAY(double, starts *roles + 1);
	r->squares = NEW_ARRAY(double, starts *roles + 1);
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

void playout_result_add(struct playout_result *into, const struct playout_result *from, uint32_t roles, size_t starts)
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
	if (r->lengths)
		r->lengths[steps < LENGTH_CELLS ? steps : LENGTH_CELLS - 1]++;
	r->shortest = steps < r->shortest ? steps : r->shortest;
	r->longest = steps > r->longest ? steps : r->longest;
}

static void result_score(struct playout_result *r, uint32_t roles, size_t start, uint32_t role, int value,
                         uint64_t times)
{
	assert(role < roles);
	assert(value >= GOAL_NONE && value <= 100);
	size_t i = start * roles + role;
	r->sum[i] += (double)times * value;
	if (!r->squares) /* a stream wants no more */
		return;
	r->squares[i] += (double)times * value * value;
	r->wins[i] += value == 100 ? times : 0;
	r->values[role * 101 + (uint32_t)value] += times;
}

/* Hands a playout to the job's `report` or `played`, one thread at a time. */
static void result_report(const struct playout_share *s, size_t start, const uint32_t *moves, uint32_t steps,
                          const int *goals)
{
	assert(start < s->job->start_count || !s->job->start_count);
	thread_lock(s->turn);
	s->job->report(s->job->context, start, moves, steps, goals);
	thread_unlock(s->turn);
}

static void result_played(const struct playout_share *s, size_t start, const uint32_t *moves, uint32_t count,
                          const int *goals)
{
	assert(start < s->job->start_count || !s->job->start_count);
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

#define SQUARE_COST 120 /* of turning 64 lanes by 64 fluents over, in fluents set one at a time */

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

/* 64 lanes by 64 fluents at a time, turned over; the slots hold nothing in these lanes. */
static void load_square(struct lane_table *t, uint32_t w, uint64_t fresh)
{
	assert(w < t->kernel->words);
	const uint64_t *state[64];
	uint32_t words = t->kernel->words;
	for (uint32_t i = 0; i < 64; i++)
		state[i] = fresh >> i & 1 ? t->job->starts + t->start[w * 64 + i] * t->g->words : NULL;
	for (uint32_t k = 0; k < t->g->words; k++) {
		uint64_t square[64], *to = t->slots + (size_t)k * 64 * words + w;
		for (uint32_t i = 0; i < 64; i++)
			square[i] = state[i] ? state[i][k] : 0;
		lanes_transpose(square);
		for (uint32_t i = 0; i < 64 && k * 64 + i < t->g->fluents; i++, to += words)
			*to |= square[i];
	}
}

/* One state for some lanes of word w, fluent by fluent; the slots hold nothing in these lanes. */
static void load_state(struct lane_table *t, uint32_t w, uint64_t lanes, const uint64_t *state)
{
	assert(w < t->kernel->words);
	uint32_t words = t->kernel->words;
	for (uint32_t k = 0; k < t->g->words; k++) {
		uint64_t *to = t->slots + (size_t)k * 64 * words + w;
		for (uint64_t bits = state[k]; bits; bits &= bits - 1)
			to[(size_t)__builtin_ctzll(bits) * words] |= lanes;
	}
}

/* Lanes of one word with different starts. Neighbours with the same start are taken together. */
static void load_word(struct lane_table *t, uint32_t w, uint64_t fresh)
{
	assert(w < t->kernel->words);
	uint64_t group[64];
	uint32_t groups = 0, last = UINT32_MAX;
	for (uint64_t bits = fresh; bits; bits &= bits - 1) {
		uint32_t start = t->start[w * 64 + (uint32_t)__builtin_ctzll(bits)];
		if (!groups || start != last)
			group[groups++] = 0;
		group[groups - 1] |= bits & -bits;
		last = start;
	}
	if (groups * t->facts > t->g->words * SQUARE_COST) {
		load_square(t, w, fresh);
		return;
	}
	for (uint32_t i = 0; i < groups; i++)
		load_state(t, w, group[i],
		           t->job->starts + t->start[w * 64 + (uint32_t)__builtin_ctzll(group[i])] * t->g->words);
}

static void load_starts(struct lane_table *t, const uint64_t *fresh)
{
	if (t->job->start_count <= 1) {
		t->kernel->refill(t->slots, t->g->fluents, t->job->starts ? t->job->starts : t->g->initial, fresh);
		return;
	}
	t->kernel->refill(t->slots, t->g->fluents, t->nothing, fresh);
	for (uint32_t w = 0; w < t->kernel->words; w++)
		if (fresh[w])
			load_word(t, w, fresh[w]);
}

/* New playouts for the lanes that are neither playing nor waiting. */
static void launch(struct lane_table *t)
{
	mask_t fresh = {0};
	for (uint32_t w = 0; w < t->kernel->words; w++)
		fresh[w] = ~(t->playing[w] | t->done[w]);
	if (none(t, fresh))
		return;
	t->feed->deal(t, fresh);
	if (none(t, fresh))
		return;
	EACH_LANE (t, lane, fresh) {
		t->began[lane] = t->step;
		if (t->logs)
			vec_clear(&t->logs[lane].moves);
	}
	load_starts(t, fresh);
	for (uint32_t w = 0; w < t->kernel->words; w++)
		t->playing[w] |= fresh[w];
}

/* Goals of one role: which lanes have exactly one value, and the sums. */
static void score_role(struct lane_table *t, uint32_t role)
{
	assert(role < t->g->roles);
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
		if (!t->goals) {
			result_score(t->r, t->g->roles, 0, role, value, t->kernel->count(x, valid));
			continue;
		}
		/* nobody looks at a zero of a stream, but for those that show their moves */
		uint32_t words = value || t->r->squares ? t->kernel->words : t->played_words;
		mask_t here = {0};
		for (uint32_t w = 0; w < words; w++)
			here[w] = x[w] & valid[w];
		EACH_LANE (t, lane, here) {
			result_score(t->r, t->g->roles, t->start[lane], role, value, 1);
			t->goals[role][lane] = value;
		}
	}
	t->r->undefined += t->kernel->count(t->done, t->done) - t->kernel->count(t->done, valid);
}

/* One in played_every playouts of each start. */
static bool wants_played(const struct lane_table *t, uint64_t lane)
{
	assert(lane < t->kernel->lanes);
	uint64_t starts = t->job->start_count ? t->job->start_count : 1;
	return t->job->played_every <= 1 || t->number[lane] / starts % t->job->played_every == 0;
}

/* The goals of one lane, by role. */
static const int *goals_of(const struct lane_table *t, uint64_t lane)
{
	assert(lane < t->kernel->lanes);
	for (uint32_t r = 0; r < t->g->roles; r++)
		t->row[r] = t->goals[r][lane];
	return t->row;
}

/* The rows of 64 moves in the lanes of word w, turned over and added to `made` when there is anything in the lanes
 * asked for; forgets those of `ended`. */
static void collect_made(struct lane_table *t, uint32_t from, uint32_t w, uint64_t ended, uint64_t asked)
{
	assert(w < t->kernel->words);
	struct made made = {.first = from};
	uint32_t words = t->played_words, n = t->g->moves - from < 64 ? t->g->moves - from : 64;
	uint64_t *row = t->played + (size_t)from * words + w, any = 0;
	for (uint32_t i = 0; i < n; i++, row += words) {
		made.lanes[i] = *row;
		any |= *row;
		*row &= ~ended;
	}
	if (any & asked) {
		lanes_transpose(made.lanes);
		vec_push(&t->made, made);
	}
}

/* Hands over which moves this lane of word w has made. */
static void hand_over_lane(struct lane_table *t, uint32_t w, uint32_t lane)
{
	assert(w < t->kernel->words);
	assert(lane < t->kernel->lanes);
	uint32_t n = 0;
	for (size_t k = 0; k < t->made.n; k++)
		for (uint64_t bits = t->made.at[k].lanes[lane]; bits; bits &= bits - 1)
			t->list[n++] = t->made.at[k].first + (uint32_t)__builtin_ctzll(bits);
	result_played(t->share, t->start[w * 64 + lane], t->list, n, goals_of(t, w * 64 + lane));
}

/* Hands over which moves these lanes have made, and forgets them. */
static void hand_over_played(struct lane_table *t, const uint64_t *lanes)
{
	for (uint32_t w = 0; w < t->played_words; w++) {
		uint64_t asked = 0;
		for (uint64_t bits = lanes[w]; bits; bits &= bits - 1)
			if (wants_played(t, w * 64 + (uint64_t)__builtin_ctzll(bits)))
				asked |= bits & -bits;
		vec_clear(&t->made);
		for (uint32_t m = 0; lanes[w] && m < t->g->moves; m += 64)
			collect_made(t, m, w, lanes[w], asked);
		for (; asked; asked &= asked - 1)
			hand_over_lane(t, w, (uint32_t)__builtin_ctzll(asked));
	}
}

/* The lanes' results move by move, in the form that was asked for. */
static void hand_over(struct lane_table *t, const uint64_t *lanes)
{
	if (t->played)
		hand_over_played(t, lanes);
	else if (t->logs)
		EACH_LANE (t, lane, lanes) {
			uint32_t steps = (uint32_t)(t->logs[lane].moves.n / t->g->roles);
			result_report(t->share, t->start[lane], t->logs[lane].moves.at, steps, goals_of(t, lane));
		}
}

static double step_cost(const struct lane_table *t)
{
	const struct rollout *r = rollout_now(t);
	return (double)r->program.operands + 10.0 * r->first[t->g->roles] + 40;
}

/* Goals cost g and a step costs s: evaluating goals every k steps costs g/k per step,
 * and leaves about k/2 of a playout's n steps unused: best at k = sqrt(2 n g / s). */
static void plan_harvest(struct lane_table *t)
{
	double n = t->r->playouts ? (double)t->r->steps / (double)t->r->playouts : 10;
	double g = (double)t->e->goals.operands + 40 + (double)t->played_words * t->g->moves;
	if (t->job->start_count > 1)
		g += t->g->fluents;
	t->harvest_at = t->step + (uint64_t)ceil(sqrt(2 * n * g / step_cost(t)));
}

void lane_table_harvest(struct lane_table *t)
{
	if (none(t, t->done))
		return;
	if (t->goals)
		memset(t->goals, 0xff, t->g->roles * sizeof *t->goals); /* GOAL_NONE */
	run(t, &t->e->goals, &t->e->goals_native, false);
	for (uint32_t r = 0; r < t->g->roles; r++)
		score_role(t, r);
	if (t->job->start_count <= 1)
		t->r->counts[0] += t->kernel->count(t->done, t->done);
	else
		EACH_LANE (t, lane, t->done)
			t->r->counts[t->start[lane]]++;
	hand_over(t, t->done);
	if (t->feed->ended)
		t->feed->ended(t, t->done);
	memset(t->done, 0, sizeof t->done);
	plan_harvest(t);
}

static bool harvest_due(const struct lane_table *t)
{
	if (none(t, t->done))
		return false;
	return (t->step >= t->harvest_at && t->step % t->deal_every == 0) || none(t, t->playing);
}

static void log_moves(struct lane_table *t, const struct rollout *o)
{
	assert(o->first[t->g->roles] <= t->g->moves);
	for (uint32_t r = 0; r < t->g->roles; r++) {
		if (o->fixed[r] != GAME_NONE)
			EACH_LANE (t, lane, t->playing)
				vec_push(&t->logs[lane].moves, o->fixed[r]);
		for (uint32_t i = o->first[r]; i < o->first[r + 1]; i++) {
			const uint64_t *x = slot(t, o->base + i);
			mask_t here;
			for (uint32_t w = 0; w < t->kernel->words; w++)
				here[w] = x[w] & t->playing[w];
			EACH_LANE (t, lane, here)
				vec_push(&t->logs[lane].moves, o->moves[i]);
		}
	}
}

/* Which moves are made in which lanes, steps taken together. */
static void note_moves(struct lane_table *t, const struct rollout *o)
{
	assert(o->first[t->g->roles] <= t->g->moves);
	uint32_t words = t->kernel->words, kept = t->played_words, n = o->first[t->g->roles];
	const uint32_t *moves = o->moves;
	const uint64_t *from = slot(t, o->base);
	for (uint32_t w = 0; w < kept; w++) {
		uint64_t *to = t->played + w, playing = t->playing[w];
		for (uint32_t i = 0; playing && i < n; i++)
			to[(size_t)moves[i] * kept] |= from[(size_t)i * words + w] & playing;
	}
}

/* Every role chooses; `all` becomes the lanes in which each of them could. */
static void choose_moves(struct lane_table *t, const struct rollout *o, uint64_t *all)
{
	assert(o->first[t->g->roles] <= t->g->moves);
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
	assert(w < t->kernel->words);
	for (uint32_t k = 0; k < t->g->words; k++) {
		uint64_t square[64];
		for (uint32_t i = 0; i < 64; i++)
			square[i] = bits_has(t->live, k * 64 + i) ? slot(t, k * 64 + i)[w] : 0;
		lanes_transpose(square);
		for (uint32_t i = 0; i < 64; i++)
			states[(size_t)i * t->g->words + k] = square[i];
	}
}

/* The judge says what the state of this lane is worth. */
static void judge_lane(struct lane_table *t, uint32_t lane, const uint64_t *state)
{
	assert(lane < t->kernel->lanes);
	size_t start = t->start[lane], roles = t->g->roles;
	t->job->judge(t->job->context, start, state, t->values);
	result_length(t->r, (uint32_t)(t->step - t->began[lane]));
	t->r->counts[start]++;
	for (uint32_t r = 0; r < roles; r++) {
		t->r->sum[start * roles + r] += t->values[r];
		if (t->r->squares)
			t->r->squares[start * roles + r] += t->values[r] * t->values[r];
		t->goals[r][lane] = (int)(t->values[r] + 0.5);
	}
}

/* Stops the lanes that have gone as far as wanted. */
static void judge_lanes(struct lane_table *t)
{
	uint64_t next = t->step + t->job->cut;
	mask_t late = {0};
	EACH_LANE (t, lane, t->playing) {
		uint64_t end = t->began[lane] + t->job->cut;
		if (t->step >= end)
			bits_add(late, lane);
		else
			next = end < next ? end : next;
	}
	t->bound_at = next;
	if (none(t, late))
		return;
	for (uint32_t w = 0; w < t->kernel->words; w++) {
		if (late[w])
			read_states(t, w, t->states);
		for (uint64_t bits = late[w]; bits; bits &= bits - 1) {
			uint32_t i = (uint32_t)__builtin_ctzll(bits);
			judge_lane(t, w * 64 + i, t->states + (size_t)i * t->g->words);
		}
		t->playing[w] &= ~late[w];
	}
	hand_over(t, late);
	if (t->feed->ended)
		t->feed->ended(t, late);
}

/* Of playouts that end now, in 64 lanes. */
static void count_lengths(struct lane_table *t, const uint64_t *began, uint64_t ended)
{
	if (t->r->lengths) {
		for (; ended; ended &= ended - 1)
			result_length(t->r, (uint32_t)(t->step - began[__builtin_ctzll(ended)]));
		return;
	}
	uint64_t playouts = 0, steps = 0; /* a stream wants no more than these */
	for (; ended; ended &= ended - 1, playouts++)
		steps += t->step - began[__builtin_ctzll(ended)];
	t->r->playouts += playouts;
	t->r->steps += steps;
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
		count_lengths(t, t->began + (size_t)w * 64, ended);
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

/* Gives up the playouts of these lanes. */
static void give_up(struct lane_table *t, const uint64_t *lanes)
{
	if (none(t, lanes))
		return;
	for (uint32_t w = 0; w < t->kernel->words; w++)
		t->playing[w] &= ~lanes[w];
	for (uint32_t m = 0; t->played && m < t->g->moves; m++)
		for (uint32_t w = 0; w < t->played_words; w++)
			t->played[(size_t)m * t->played_words + w] &= ~lanes[w];
	t->r->unfinished += t->kernel->count(lanes, lanes);
	if (t->feed->ended)
		t->feed->ended(t, lanes);
}

/* Gives up playouts that have gone on for too long, and finds out when the next
 * one could be. */
static void bound_steps(struct lane_table *t)
{
	mask_t late = {0};
	t->bound_at = t->step + t->max_steps + 1;
	EACH_LANE (t, lane, t->playing) {
		/* it may end after max_steps, and that is noticed one step later */
		uint64_t end = t->began[lane] + t->max_steps + 1;
		if (t->step >= end)
			bits_add(late, lane);
		else if (end < t->bound_at)
			t->bound_at = end;
	}
	give_up(t, late);
}

void lane_table_stop(struct lane_table *t)
{
	mask_t all;
	lane_table_harvest(t);
	memcpy(all, t->playing, sizeof all);
	give_up(t, all);
}

bool lane_table_idle(const struct lane_table *t)
{
	return none(t, t->playing) && none(t, t->done);
}

/* A lane plays, waits for its goals, or is free; what plays began before now, from a start that there is. */
static void check_lanes(const struct lane_table *t)
{
	for (uint32_t w = 0; w < t->kernel->words; w++)
		assert(!(t->playing[w] & t->done[w]));
	EACH_LANE (t, lane, t->playing) {
		assert(t->began[lane] <= t->step);
		assert(t->start[lane] < t->job->start_count || !t->start[lane]);
	}
	assert(t->phase < t->period && t->slots && t->deal_every);
}

void lane_table_round(struct lane_table *t)
{
	CHECK(check_lanes(t));
	if (harvest_due(t))
		lane_table_harvest(t);
	launch(t);
	if (none(t, t->playing)) {
		t->step++; /* nothing to do until the rotation comes round to where playouts start */
		return;
	}
	play_step(t);
	if (t->step >= t->bound_at && !t->job->judge)
		bound_steps(t);
}

uint32_t lane_table_patience(const struct lane_table *t)
{
	return 1 + (uint32_t)(50000 / step_cost(t));
}

bool circuit_fits_phase(const struct circuit_engine *e, uint32_t k, const uint64_t *state)
{
	assert(k < e->rollout_count);
	size_t words = BITS_WORDS(e->circuit.fluents);
	const uint64_t *known = e->phase_known + k * words, *holds = e->phase_holds + k * words;
	for (size_t i = 0; i < words; i++)
		if ((state[i] & known[i]) != holds[i])
			return false;
	return true;
}

/* What callbacks and judges need. */
static void prepare_callbacks(struct lane_table *t, uint32_t played_words)
{
	const struct playout_job *job = t->job;
	if (job->played || job->report || job->judge || job->start_count > 1)
		t->goals = mem_alloc(t->g->roles + 1, sizeof *t->goals);
	t->row = NEW_ARRAY(int, t->g->roles);
	t->values = NEW_ARRAY(double, t->g->roles);
	if (job->played) {
		t->played_words = played_words < t->kernel->words ? played_words : t->kernel->words;
		t->played = NEW_ARRAY(uint64_t, ((size_t)t->g->moves + 1) * t->played_words);
		t->list = NEW_ARRAY(uint32_t, t->g->moves);
	}
	if (job->report)
		t->logs = NEW_ARRAY(struct log, t->kernel->lanes);
	if (!job->judge)
		return;
	t->states = mem_alloc((size_t)64 * t->g->words + 1, sizeof *t->states);
	t->live = NEW_ARRAY(uint64_t, t->g->words);
	for (uint32_t i = 0; i < t->e->live_count; i++)
		bits_add(t->live, t->e->live[i]);
}

struct lane_table *lane_table_new(struct playout_share *s, uint32_t lanes, const struct lane_feed *feed)
{
	const struct circuit_engine *e = s->g->circuit;
	const struct playout_job *job = s->job;
	struct lane_table *t = mem_align(1, sizeof *t);
	t->g = s->g;
	t->e = e;
	t->job = job;
	t->share = s;
	t->r = &s->result;
	t->feed = feed;
	t->kernel = lanes_kernel(lanes, e->plain);
	t->period = t->deal_every = 1;
	t->decisive = circuit_decisive(s->g->circuit, job->policy);
	t->slots =
		mem_align((size_t)(t->decisive ? t->decisive->slots : e->slots) + 1, t->kernel->words * sizeof *t->slots);
	t->nothing = NEW_ARRAY(uint64_t, s->g->words);
	for (uint32_t i = 0; i < s->g->words; i++)
		t->facts += (uint32_t)__builtin_popcountll(s->g->initial[i]);
	t->max_steps = job->max_steps ? job->max_steps : PLAYOUT_MAX_STEPS;
	t->bound_at = job->judge ? job->cut : (uint64_t)t->max_steps + 1;
	chooser_init(&t->chooser, t->kernel, e->most_moves, s->seed);
	prepare_callbacks(t, feed->played_words);
	return t;
}

void lane_table_free(struct lane_table *t)
{
	if (!t)
		return;
	for (uint32_t i = 0; t->logs && i < t->kernel->lanes; i++)
		vec_free(&t->logs[i].moves);
	mem_free(t->logs);
	mem_free(t->played);
	mem_free(t->live);
	mem_free(t->states);
	mem_free(t->nothing);
	mem_free(t->goals);
	mem_free(t->row);
	mem_free(t->values);
	vec_free(&t->made);
	mem_free(t->list);
	chooser_free(&t->chooser);
	mem_free(t->slots);
	mem_free(t);
}

/* ---- a job on lanes ------------------------------------------------------------------- */

/* The next playouts by number, each start in turn; all start in the same phase. */
static void deal_numbers(struct lane_table *t, uint64_t *fresh)
{
	const struct playout_share *s = t->share;
	bool open = t->step % t->period == 0;
	EACH_LANE (t, lane, fresh) {
		if (!open || t->launched == s->count) {
			bits_drop(fresh, lane);
			continue;
		}
		t->number[lane] = t->launched++;
		t->start[lane] = s->job->start_count > 1 ? (uint32_t)((s->first + t->number[lane]) % s->job->start_count) : 0;
	}
}

/* All starts must be of one phase for the rotation to be used. */
static void find_phase(struct lane_table *t)
{
	const struct playout_job *job = t->job;
	for (uint32_t k = 0; k < t->e->phases.period && t->e->phases.period > 1; k++) {
		size_t i = 0, count = job->start_count ? job->start_count : 1;
		while (i < count && circuit_fits_phase(t->e, k, job->starts ? job->starts + i * t->g->words : t->g->initial))
			i++;
		if (i == count) {
			t->period = t->deal_every = t->e->phases.period;
			t->phase = k;
			return;
		}
	}
}

void circuit_playouts(struct playout_share *s)
{
	static const struct lane_feed numbers = {.deal = deal_numbers, .played_words = MAX_WORDS};
	uint32_t lanes = s->count <= 64 ? 64 : s->count <= 256 ? 256 : s->g->circuit->width;
	struct lane_table *t = lane_table_new(s, lanes, &numbers);
	find_phase(t);
	uint32_t every = lane_table_patience(t), round = 0;
	while (t->launched < s->count || !lane_table_idle(t)) {
		lane_table_round(t);
		if (++round % every)
			continue;
		report_progress(s);
		if (limit_reached(&s->job->limit)) {
			lane_table_harvest(t);
			break;
		}
	}
	lane_table_free(t);
}

/* ---- one state at a time -------------------------------------------------------------- */

static void single_end(struct single *p, size_t start, uint32_t steps, const struct view *v)
{
	assert(start < p->share->job->start_count || !p->share->job->start_count);
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

bool single_playout(struct single *p, size_t start)
{
	assert(start < p->share->job->start_count || !p->share->job->start_count);
	struct playout_share *s = p->share;
	const struct game *g = s->g;
	const struct playout_job *job = s->job;
	uint32_t most = job->max_steps ? job->max_steps : PLAYOUT_MAX_STEPS;
	memcpy(p->state, job->starts ? job->starts + start * g->words : g->initial, g->words * sizeof *p->state);
	vec_clear(&p->log.moves);
	for (uint32_t steps = 0;; steps++) {
		struct view v = game_look(p->w, p->state);
		bool ended = v.terminal || !game_random_move(g, &v, &p->rng, p->moves);
		if (limit_reached(&job->limit) || worker_trouble(p->w))
			return false;
		if (ended) {
			single_end(p, start, steps, &v);
			return true;
		}
		if (steps == most) {
			s->result.unfinished++;
			return true;
		}
		for (uint32_t r = 0; job->report && r < g->roles; r++)
			vec_push(&p->log.moves, p->moves[r]);
		game_next(p->w, p->state, p->moves, p->state);
	}
}

void single_init(struct single *p, struct playout_share *s)
{
	*p = (struct single){.share = s, .w = worker_new(s->g), .rng = rng_seed(s->seed)};
	p->state = NEW_ARRAY(uint64_t, s->g->words);
	p->moves = NEW_ARRAY(uint32_t, s->g->roles);
	worker_limit(p->w, s->job->limit);
}

void single_free(struct single *p)
{
	vec_free(&p->log.moves);
	mem_free(p->state);
	mem_free(p->moves);
	worker_free(p->w);
}

static void single_playouts(struct playout_share *s)
{
	struct single p;
	size_t starts = s->job->start_count ? s->job->start_count : 1;
	single_init(&p, s);
	for (uint64_t i = 0; i < s->count && !limit_reached(&s->job->limit) && !worker_trouble(p.w); i++) {
		single_playout(&p, (size_t)((s->first + i) % starts));
		report_progress(s);
	}
	s->result.trouble = limit_reached(&s->job->limit) ? NULL : worker_trouble(p.w);
	single_free(&p);
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
	uint64_t seed = job->seed, dealt = 0, all = (uint64_t)threads * (job->shares ? job->shares : 1);
	uint64_t first = (uint64_t)threads * job->share;
	for (uint64_t i = 0; i < first + threads; i++) {
		struct playout_share *s = &shares[i < first ? 0 : i - first];
		*s = (struct playout_share){.g = g, .job = job, .turn = &turn, .first = dealt, .seed = rng_split(&seed)};
		s->progress = i + 1 == first + threads ? &progress : NULL; /* the last share is this thread's own */
		s->count = job->playouts ? job->playouts / all + (i < job->playouts % all) : UINT64_MAX;
		dealt += job->playouts ? s->count : 0;
	}
	for (uint32_t i = 0; i < threads; i++)
		result_init(&shares[i].result, g->roles, starts);
	threads_run(threads, play_share, shares, sizeof *shares);
	result_init(r, g->roles, starts);
	for (uint32_t i = 0; i < threads; i++) {
		playout_result_add(r, &shares[i].result, g->roles, starts);
		playout_result_free(&shares[i].result);
	}
	if (!r->playouts)
		r->shortest = 0;
	r->seconds = clock_now() - began;
	thread_mutex_free(&turn);
	mem_free(shares);
}

/* Threads, rounds and the clock. See mcgs.h for the idea. */
#include "play/mcgs/mcgs_internal.h"

#include "base/check.h"
#include "base/hash.h"

#include <math.h>
#include <string.h>

#define MAX_STEPS 5000 /* of a playout */

/* ---- made and freed -------------------------------------------------------------------------- */

static void walker_init(struct mcgs *t, struct walker *w, struct seat *s, bool own)
{
	w->t = t;
	w->s = own ? s : NULL;
	w->worker = own ? s->worker : worker_new(t->g);
	w->rng = rng_seed(rng_next(&s->rng));
	w->value = NEW_ARRAY(double, t->roles);
	w->low = NEW_ARRAY(float, t->roles);
	w->high = NEW_ARRAY(float, t->roles);
	w->start = NEW_ARRAY(uint32_t, (size_t)t->roles + 1);
	w->joint = NEW_ARRAY(uint32_t, t->roles);
	w->each = t->o.batch ? (uint32_t)t->o.batch : (uint32_t)t->o.tune.counted_batch;
	moves_init(t, w);
	w->stream = playout_stream_new(
		t->g, &(struct playout_stream_options){.seed = rng_next(&w->rng),
	                                           .max_steps = MAX_STEPS,
	                                           .policy = (enum playout_policy)t->o.policy,
	                                           .move_bias = w->move_bias,
	                                           .played = w->by_move || w->stamp ? moves_played : NULL,
	                                           .context = w});
	w->lanes = playout_stream_room(w->stream);
}

static void walker_free(struct walker *w)
{
	playout_stream_free(w->stream);
	if (!w->s)
		worker_free(w->worker);
	for (size_t i = 0; i < w->flights.n; i++) {
		vec_free(&w->flights.at[i].steps);
		vec_free(&w->flights.at[i].chosen);
	}
	vec_free(&w->flights);
	vec_free(&w->idle);
	vec_free(&w->made);
	vec_free(&w->wanted);
	vec_free(&w->wishes);
	vec_free(&w->from);
	vec_free(&w->next);
	vec_free(&w->legal);
	vec_free(&w->moves);
	vec_free(&w->list);
	vec_free(&w->arms);
	vec_free(&w->terminal);
	vec_free(&w->goals);
	vec_free(&w->score);
	vec_free(&w->judged);
	vec_free(&w->verdict);
	vec_free(&w->matrix);
	matrix_room_free(&w->room);
	mem_free(w->value);
	mem_free(w->low);
	mem_free(w->high);
	mem_free(w->start);
	mem_free(w->joint);
	moves_free(w);
}

/* The walker of the thread that asks. */
static struct walker *own_walker(const struct mcgs *t)
{
	return &t->walkers[t->walker_count - 1];
}

struct mcgs *mcgs_new(struct seat *s, const struct mcgs_options *o)
{
	assert(s->role < s->game->roles);
	struct mcgs *t = NEW(struct mcgs);
	t->o = *o;
	t->g = s->game;
	t->roles = s->game->roles;
	t->words = s->game->words;
	t->vertex_bytes = sizeof(struct vertex) + t->words * sizeof(uint64_t) + 3 * t->roles * sizeof(float);
	t->opposed = game_players(t->g) == 2;
	t->spread = (float)o->tune.first_spread;
	memory_init(t);
	t->walker_count = o->threads ? (uint32_t)o->threads : thread_processors();
	t->walkers = mem_align(t->walker_count, sizeof *t->walkers);
	for (uint32_t i = 0; i < t->walker_count; i++)
		walker_init(t, &t->walkers[i], s, i + 1 == t->walker_count);
	return t;
}

void mcgs_free(struct mcgs *t)
{
	for (uint32_t i = 0; i < t->walker_count; i++)
		walker_free(&t->walkers[i]);
	mem_free(t->walkers);
	share_free(t);
	memory_free(t);
	mem_free(t);
}

/* ---- the root ------------------------------------------------------------------------------------ */

/* All children of the root, so that its arms are settled where they can be. */
static void expand_root(struct mcgs *t)
{
	struct walker *w = own_walker(t);
	struct vertex *n = vertex_at(t, t->root);
	struct arms a;
	if (!vertex_arms(t, n, &a) || !a.joint || a.joint > t->o.tune.expand_most || vertex_flags(n) & VERTEX_EXPANDED)
		return;
	n->flags |= VERTEX_EXPANDED;
	vec_clear(&w->made);
	vec_clear(&w->wanted);
	vec_push(&w->wanted, t->root);
	walk_open(t, w);
}

static bool find_root(struct mcgs *t, const uint64_t *state)
{
	struct walker *w = own_walker(t);
	t->root = vertex_find(t, w, state, false, NULL, NULL);
	return t->root != NONE && vertex_open(t, w, t->root, NULL);
}

/* The best move so far is held ready for when time is up. */
static void publish(struct mcgs *t, struct seat *s)
{
	const struct vertex *n = vertex_at(t, t->root);
	struct arms a;
	if (vertex_arms(t, n, &a))
		seat_ready(s, a.move[best_arm(t, n, &a, s->role)]);
}

void mcgs_root(struct mcgs *t, struct seat *s, const uint64_t *state)
{
	assert(s->role < s->game->roles);
	if (t->stale)
		memory_clear(t);
	t->stale = t->narrow = false;
	t->full = false;
	if (t->crowded)
		memory_grow_table(t);
	if (!find_root(t, state)) {
		memory_clear(t);
		t->full = false;
		find_root(t, state);
	}
	publish(t, s); /* what was found while pondering */
	if (memory_tight(t) && t->root != t->last_root)
		memory_collect(t);
	assert(t->root != NONE && t->table_mask <= t->table_most);
	t->last_root = t->root;
	expand_root(t);
	vertex_bound(t, own_walker(t), vertex_at(t, t->root));
}

void mcgs_judge(struct mcgs *t, const struct evaluation *e, double weight)
{
	t->evaluation = e;
	t->evaluation_weight = (float)weight;
}

static void narrow_bounds(struct mcgs *t, struct vertex *n, uint32_t role, float low, float high)
{
	assert(role < t->roles);
	assert(n->mover < t->roles && n->movers <= t->roles);
	assert(low <= high);
	if (low > get(&vertex_low(t, n)[role]))
		put(&vertex_low(t, n)[role], low);
	if (high < get(&vertex_high(t, n)[role]))
		put(&vertex_high(t, n)[role], high);
	put(&vertex_value(t, n)[role],
	    within(get(&vertex_value(t, n)[role]), get(&vertex_low(t, n)[role]), get(&vertex_high(t, n)[role])));
}

void mcgs_prove(struct mcgs *t, const uint64_t *state, uint32_t role, double low, double high)
{
	assert(role < t->roles);
	assert(low <= high && low >= 0 && high <= 100);
	uint32_t id = states_find(t, hash_mix(game_hash(t->g, state)), state);
	if (id == NONE)
		return;
	struct vertex *n = vertex_at(t, id);
	narrow_bounds(t, n, role, (float)low, (float)high);
	bool solved = t->opposed && low >= high;
	for (uint32_t r = 0; r < t->roles && t->opposed; r++)
		if (r != role && r != t->g->random)
			narrow_bounds(t, n, r, (float)(1 - high), (float)(1 - low));
	for (uint32_t r = 0; r < t->roles && solved; r++)
		put(&vertex_value(t, n)[r], get(&vertex_low(t, n)[r]));
	if (solved)
		n->flags |= VERTEX_SOLVED;
}

void mcgs_conclude(struct mcgs *t)
{
	if (t->root != NONE)
		vertex_bound(t, own_walker(t), vertex_at(t, t->root));
}

void mcgs_doubt(struct mcgs *t)
{
	vertex_doubt(t);
}

/* ---- playing ------------------------------------------------------------------------------------- */

/* Do two roles still share 100 points? And how much do leaves differ? */
static void observe(struct mcgs *t, struct walker *w, const double *value)
{
	double sum = 0, x = value[t->g->random == 0 && t->roles > 1];
	for (uint32_t r = 0; r < t->roles; r++)
		sum += r == t->g->random ? 0 : value[r];
	if (t->opposed && fabs(sum - 1) > 1e-3)
		vertex_doubt(t);
	w->weight = w->weight < (double)t->o.tune.spread_memory ? w->weight + 1 : w->weight;
	w->mean += (x - w->mean) / w->weight;
	w->square += (x * x - w->square) / w->weight;
}

static void take_results(struct mcgs *t, struct walker *w)
{
	struct playout_stream_result r;
	double *value = NEW_ARRAY(double, t->roles);
	while (playout_stream_take(w->stream, &r)) {
		const float *judged = t->evaluation ? w->judged.at + (size_t)r.tag * t->roles : NULL;
		for (uint32_t q = 0; q < t->roles && r.playouts; q++)
			value[q] = r.sum[q] / r.playouts / 100;
		for (uint32_t q = 0; judged && q < t->roles; q++)
			value[q] += (double)t->evaluation_weight * ((double)judged[q] - value[q]);
		if (r.playouts)
			observe(t, w, value);
		w->playouts += r.playouts;
		w->spent += r.playouts ? r.playouts : 1;
		back_up(t, w, r.tag, r.playouts ? value : NULL);
	}
	mem_free(value);
	double variance = w->square - w->mean * w->mean;
	if (w->weight >= 50)
		put(&t->spread, sqrtf((float)(variance > 0.0004 ? variance : 0.0004)));
}

static void judge_leaf(struct mcgs *t, struct walker *w, uint32_t flight)
{
	assert(flight < w->flights.n);
	const struct flight *f = &w->flights.at[flight];
	const uint64_t *state = f->leaf == NONE ? w->next.at + (size_t)f->row * t->words : vertex_at(t, f->leaf)->state;
	vec_reserve(&w->judged, w->flights.n * t->roles);
	vertex_judge(t, state, w->judged.at + (size_t)flight * t->roles);
}

/* A leaf whose value is known is backed up at once, the others are played from. */
static void launch(struct mcgs *t, struct walker *w, uint32_t flight, uint32_t playouts, double *value)
{
	assert(flight < w->flights.n);
	struct flight *f = &w->flights.at[flight];
	if (t->evaluation)
		judge_leaf(t, w, flight);
	if (f->leaf == NONE) { /* no memory for it, or too many like it */
		playout_stream_push(w->stream, w->next.at + (size_t)f->row * t->words, playouts, flight);
		return;
	}
	struct vertex *n = vertex_at(t, f->leaf);
	struct arms a;
	bool kept = vertex_arms(t, vertex_at(t, vec_last(&f->steps).node), &a) && a.joint;
	if (vertex_flags(n) & VERTEX_SOLVED || (n->visits && kept)) {
		for (uint32_t r = 0; r < t->roles; r++)
			value[r] = (double)get(&(vertex_flags(n) & VERTEX_SOLVED ? vertex_low(t, n) : vertex_value(t, n))[r]);
		w->spent += w->each;
		back_up(t, w, flight, value);
		return;
	}
	atomic_fetch_or_explicit(&n->flags, VERTEX_IN_FLIGHT, RELAXED);
	playout_stream_push(w->stream, n->state, playouts, flight);
}

/* ---- rounds -------------------------------------------------------------------------------------- */

static bool is_settled(const struct mcgs *t, const struct seat *s)
{
	const struct vertex *n = vertex_at(t, t->root);
	return vertex_flags(n) & VERTEX_SOLVED || get(&vertex_low(t, n)[s->role]) >= get(&vertex_high(t, n)[s->role]);
}

/* Few at first: virtual losses mislead a young tree. */
static uint32_t leaves_of_round(const struct mcgs *t, const struct walker *w)
{
	uint32_t room = playout_stream_room(w->stream), leaves = room / w->each;
	uint32_t flying = (uint32_t)(w->flights.n - w->idle.n), visits = vertex_at(t, t->root)->visits;
	uint32_t most = (uint32_t)t->o.tune.young + visits / 2;
	most = most > flying ? most - flying : 1;
	return leaves < most ? leaves : most;
}

static void walk_round(struct mcgs *t, struct walker *w)
{
	uint32_t leaves = leaves_of_round(t, w), missed = 0;
	vec_clear(&w->made);
	vec_clear(&w->wanted);
	while (w->made.n < leaves && missed < 4 + leaves / 4) {
		uint32_t f = flight_new(w);
		if (walk_down(t, w, f)) {
			vec_push(&w->made, f);
			w->times.walks++;
			w->times.steps += w->flights.at[f].steps.n;
		} else {
			flight_end(w, f);
			missed++;
		}
	}
}

/* Lanes that would stay idle cost as much as busy ones: a young tree has more playouts per leaf. */
static uint32_t playouts_of_round(const struct walker *w)
{
	uint32_t most = (uint32_t)w->t->o.tune.fill;
	uint32_t room = playout_stream_room(w->stream), each = w->made.n ? room / 2 / (uint32_t)w->made.n : 0;
	each = each > most ? most : each;
	return each > w->each && !w->budget->playouts ? each : w->each;
}

/* Finding leaves should cost about as much as playing from them. */
static void keep_balance(struct walker *w, double tree, double play)
{
	w->tree_seconds = 0.9 * w->tree_seconds + tree;
	w->play_seconds = 0.9 * w->play_seconds + play;
	if (w->tree_seconds > 1.5 * w->play_seconds && w->each < w->t->o.tune.most_batch) {
		w->each *= 2;
		w->play_seconds *= 2;
	} else if (w->tree_seconds < 0.4 * w->play_seconds && w->each > 1) {
		w->each /= 2;
		w->play_seconds /= 2;
	}
}

static void run_round(struct mcgs *t, struct walker *w, double *value)
{
	double t0 = clock_thread();
	walk_round(t, w);
	double t1 = clock_thread();
	walk_open(t, w);
	double t2 = clock_thread();
	uint32_t playouts = playouts_of_round(w);
	for (size_t i = 0; i < w->made.n; i++)
		launch(t, w, w->made.at[i], playouts, value);
	uint32_t room = playout_stream_room(w->stream), flying = w->lanes > room ? w->lanes - room : 0;
	playout_stream_run(w->stream, room + (flying + 3) / 4, &w->budget->limit);
	double t3 = clock_thread();
	take_results(t, w);
	if (++w->rounds % (uint64_t)t->o.tune.habit_every == 0)
		moves_learn(t, w);
	double t4 = clock_thread();
	w->times.walk += t1 - t0;
	w->times.open += t2 - t1;
	w->times.play += t3 - t2;
	w->times.back += t4 - t3;
	if (!w->budget->playouts && !t->o.batch)
		keep_balance(w, t4 - t3 + t2 - t0, t3 - t2);
}

/* Where nothing new is learnt round after round, all that can be is known. */
static bool is_idle(const struct walker *w, uint64_t walks, uint32_t *idle)
{
	*idle = w->times.walks == walks ? *idle + 1 : 0;
	return *idle > 1000;
}

static void work(void *walker)
{
	struct walker *w = walker;
	struct mcgs *t = w->t;
	double *value = NEW_ARRAY(double, t->roles);
	uint32_t idle = 0;
	while (!t->done && !t->full && !t->stale && !t->crowded) {
		uint64_t walks = w->times.walks;
		run_round(t, w, value);
		if (!w->s) /* the caller's thread decides when to end */
			continue;
		share_sometimes(t, w);
		publish(t, w->s);
		if (limit_reached(&w->budget->limit) || (w->budget->playouts && w->spent >= w->budget->playouts) ||
		    is_settled(t, w->s) || is_idle(w, walks, &idle))
			t->done = true;
	}
	playout_stream_stop(w->stream);
	take_results(t, w);
	mem_free(value);
}

/* ---- the clock ------------------------------------------------------------------------------------ */

static void count_up(struct mcgs *t, struct seat *s)
{
	for (uint32_t i = 0; i < t->walker_count; i++) {
		struct walker *w = &t->walkers[i];
		s->count.nodes += w->nodes;
		s->count.hits += w->hits;
		s->count.proven += w->proven;
		s->count.rounds += w->rounds;
		s->count.playouts += w->playouts;
		s->count.playout_seconds += w->times.play;
		t->times.walk += w->times.walk;
		t->times.open += w->times.open;
		t->times.play += w->times.play;
		t->times.back += w->times.back;
		t->times.walks += w->times.walks;
		t->times.steps += w->times.steps;
		t->times.collisions += w->times.collisions;
		w->times = (struct mcgs_times){0};
		w->nodes = w->hits = w->proven = w->rounds = 0;
	}
}

/* Bounds that rest on a belief found false: all that is below the root goes. */
static void begin_anew(struct mcgs *t, struct seat *s)
{
	size_t bytes = t->words * sizeof(uint64_t);
	uint64_t *state = mem_alloc(t->words + 1, sizeof *state);
	memcpy(state, vertex_at(t, t->root)->state, bytes);
	mcgs_root(t, s, state);
	mem_free(state);
}

/* Between two rounds of all threads. Where memory is full the graph grows no more, and the search goes on in it: making
 * room takes long where all can be reached, and waits for the next root. */
static void pause_threads(struct mcgs *t, struct seat *s)
{
	if (t->crowded)
		memory_grow_table(t);
	if (t->stale) {
		begin_anew(t, s);
	} else if (t->full) {
		t->narrow = true;
		t->full = false;
	}
}

void mcgs_tell(struct mcgs *t)
{
	share_now(t, own_walker(t));
}

void mcgs_run(struct mcgs *t, struct seat *s, const struct budget *b)
{
	assert(s->role < s->game->roles);
	uint32_t threads = b->playouts ? 1 : t->walker_count;
	t->done = is_settled(t, s);
	t->by_clock = !b->playouts;
	for (uint32_t i = 0; i < t->walker_count; i++) {
		t->walkers[i].budget = b;
		t->walkers[i].playouts = t->walkers[i].spent = 0;
		moves_fade(t, &t->walkers[i]);
	}
	while (!t->done) {
		threads_run(threads, work, t->walkers + t->walker_count - threads, sizeof *t->walkers);
		pause_threads(t, s);
	}
	mcgs_tell(t);
	count_up(t, s);
	moves_trust(t);
	CHECK(mcgs_check(t));
}

/* While no thread walks: every node of the table is a node, with bounds in order and values between them. */
void mcgs_check(const struct mcgs *t)
{
	for (uint64_t i = 0; i <= t->table_mask && !t->stale; i++) {
		uint32_t block = (uint32_t)atomic_load_explicit(&t->table[i], RELAXED);
		if (block == NONE)
			continue;
		assert(block / CHUNK_UNITS < t->chunk_count);
		const struct vertex *n = vertex_at(t, block);
		assert(n->mover < t->roles && n->movers <= t->roles);
		for (uint32_t r = 0; r < t->roles; r++) {
			float low = get(vertex_low(t, n) + r), high = get(vertex_high(t, n) + r);
			assert(low >= 0 && low <= high + 1e-5f && high <= 1);
		}
	}
}

struct mcgs_times mcgs_times(const struct mcgs *t)
{
	return t->times;
}

size_t mcgs_bytes(const struct mcgs *t)
{
	return memory_bytes(t);
}

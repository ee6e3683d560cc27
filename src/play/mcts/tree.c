/* Rounds by the clock, and playing from their leaves. See tree.h for the idea. */
#include "play/mcts/round.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define MAX_STEPS 5000 /* of a playout */
#define LANES 512      /* of the widest pass */
#define MOST_AMAF 8192 /* moves of a game for which nodes keep a table */

static void scratch_make(struct tree_scratch *x, uint32_t roles)
{
	x->open = NEW_ARRAY(uint32_t, roles);
	x->leaf = NEW_ARRAY(uint32_t, roles);
	x->regret = NEW_ARRAY(uint32_t, roles);
	x->bound = NEW_ARRAY(uint32_t, roles);
	x->start = NEW_ARRAY(uint32_t, (size_t)roles + 1);
	x->value = NEW_ARRAY(double, roles);
	x->part = NEW_ARRAY(double, roles);
	x->low = NEW_ARRAY(float, roles);
	x->high = NEW_ARRAY(float, roles);
}

static void scratch_free(struct tree_scratch *x)
{
	mem_free(x->open);
	mem_free(x->leaf);
	mem_free(x->regret);
	mem_free(x->bound);
	mem_free(x->start);
	mem_free(x->value);
	mem_free(x->part);
	mem_free(x->low);
	mem_free(x->high);
	vec_free(&x->worst);
}

struct tree *tree_new(struct seat *s, const struct tree_options *o)
{
	assert(s->role < s->game->roles);
	struct tree *t = NEW(struct tree);
	t->o = *o;
	t->g = s->game;
	t->root = NODE_NONE;
	scratch_make(&t->scratch, t->g->roles);
	t->each = 1;
	t->lanes = s->game->engine == ENGINE_CIRCUIT ? LANES : 0;
	t->opposed = game_players(t->g) == 2;
	t->round = NEW(struct round);
	t->round->spread = 0.001; /* optimistic prior */
	t->round->common = 0.0003;
	bool reported = s->game->engine == ENGINE_CIRCUIT && s->game->moves <= MOST_AMAF; /* the moves of playouts */
	t->round->amaf = o->bias > 0 && reported;
	return t;
}

static void clear(struct tree *t)
{
	arena_free(&t->arena);
	t->arena = (struct arena){0};
	table_clear(&t->table);
	vec_clear(&t->nodes);
	t->root = NODE_NONE;
}

void tree_free(struct tree *t)
{
	struct round *k = t->round;
	clear(t);
	table_free(&t->table);
	vec_free(&t->nodes);
	vec_free(&t->from);
	vec_free(&t->next);
	vec_free(&t->legal);
	vec_free(&t->moves);
	vec_free(&t->which);
	vec_free(&t->terminal);
	vec_free(&t->goals);
	vec_free(&t->canon);
	vec_free(&k->walks);
	vec_free(&k->steps);
	vec_free(&k->chosen);
	vec_free(&k->starts);
	vec_free(&k->batch);
	vec_free(&k->batch_of);
	vec_free(&k->value);
	vec_free(&k->count);
	vec_free(&k->records);
	vec_free(&k->played);
	vec_free(&k->goals);
	vec_free(&k->walk_of);
	vec_free(&k->wanted);
	mem_free(k);
	scratch_free(&t->scratch);
	mem_free(t);
}

size_t tree_bytes(const struct tree *t)
{
	return t->arena.total + t->nodes.cap * sizeof *t->nodes.at + (size_t)t->table.mask * 8;
}

void tree_root(struct tree *t, struct seat *s, const uint64_t *state)
{
	assert(s->role < s->game->roles);
	if (t->stale || tree_bytes(t) > (size_t)t->o.memory << 19) /* half full: begin anew */
		clear(t);
	t->stale = false;
	assert(t->root == NODE_NONE || t->root < t->nodes.n);
	t->root = node_find_exact(t, s, state, false, NULL);
	if (t->solver)
		return;
	node_open(t, s, t->root);
	node_expand(t, s, t->root);
}

/* ---- playing --------------------------------------------------------------------------------- */

/* The states to play from: the leaf, or its children that are no ends. */
static void add_starts(struct tree *t, struct walk *w, uint32_t number)
{
	struct round *k = t->round;
	const struct node *n = &t->nodes.at[w->leaf];
	uint32_t words = t->g->words;
	w->first_start = (uint32_t)(k->starts.n / (words ? words : 1));
	if (t->nodes.at[w->leaf].solved && t->o.solve)
		return;
	w->spread = t->o.spread && n->expanded;
	for (uint32_t i = 0; i < (w->spread ? n->joint : 1); i++) {
		const struct node *from = w->spread ? &t->nodes.at[n->child[i]] : n;
		if (from->terminal)
			continue;
		vec_extend(&k->starts, words);
		memcpy(k->starts.at + k->starts.n - words, from->state, words * sizeof *from->state);
		vec_push(&k->walk_of, number);
		w->starts++;
	}
	w->group = n->mover;
	if (!n->start && w->steps) { /* the role to move depends only on the role that moved before */
		n = &t->nodes.at[k->steps.at[w->first_step + w->steps - 1].node];
		w->group = n->movers || t->g->random == t->g->roles ? n->mover : t->g->random;
	}
}

/* All-moves-as-first: which moves a playout held, kept until values are backed up. */
static void note_played(void *context, size_t start, const uint32_t *moves, uint32_t count, const int *goals)
{
	struct tree *t = context;
	struct round *k = t->round;
	assert(start < k->batch_of.n && k->batch_of.at[start] < k->walk_of.n);
	struct record r = {k->walk_of.at[k->batch_of.at[start]], (uint32_t)k->played.n, count, (uint32_t)k->goals.n};
	vec_push(&k->records, r);
	vec_extend(&k->played, count);
	memcpy(k->played.at + r.first, moves, count * sizeof *moves);
	for (uint32_t q = 0; q < t->g->roles; q++)
		vec_push(&k->goals, goals[q] == GOAL_NONE ? 0 : (float)goals[q] / 100);
}

/* Playouts for each of `starts` by the clock: as many as fill a pass, since fewer cost
 * as much, and as many as cost what finding the leaf has cost. */
static uint64_t fill(const struct tree *t, uint64_t each, uint64_t starts)
{
	assert(starts);
	each = each < t->each ? t->each : each;
	return each * starts < t->lanes ? t->lanes / starts : each;
}

/* Walking and opening should not cost more than the playouts, nor much less. */
static void keep_balance(struct tree *t, double walking, double playing)
{
	t->walking = 0.8 * t->walking + walking;
	t->playing = 0.8 * t->playing + playing;
	if (t->walking > 1.5 * t->playing && t->each < 32) {
		t->each *= 2;
		t->playing *= 2;
	} else if (t->walking < 0.25 * t->playing && t->each > 1) {
		t->each /= 2;
		t->playing /= 2;
	}
}

/* The starts of a group; returns how many playouts each of them should have. */
static uint64_t gather_group(struct tree *t, uint32_t group)
{
	struct round *k = t->round;
	uint32_t words = t->g->words;
	uint64_t playouts = 0;
	vec_clear(&k->batch);
	vec_clear(&k->batch_of);
	for (size_t i = 0; i < k->walks.n; i++) {
		const struct walk *w = &k->walks.at[i];
		if (!w->starts || w->group != group)
			continue;
		uint64_t each = ((uint64_t)t->o.playouts + w->starts - 1) / w->starts;
		playouts = each > playouts ? each : playouts;
		for (uint32_t j = w->first_start; j < w->first_start + w->starts; j++) {
			vec_push(&k->batch_of, j);
			vec_extend(&k->batch, words);
			memcpy(k->batch.at + k->batch.n - words, k->starts.at + (size_t)j * words, words * sizeof *k->batch.at);
		}
	}
	assert(k->batch.n == k->batch_of.n * words);
	return playouts;
}

/* The means of the playouts, by start of the round; and do two roles still share 100 points? */
static void take_values(struct tree *t, const struct playout_result *r)
{
	struct round *k = t->round;
	uint32_t roles = t->g->roles;
	double sum = 0;
	assert(k->count.n == k->walk_of.n && k->value.n == k->walk_of.n * roles);
	for (size_t i = 0; i < k->batch_of.n * roles; i++)
		sum += i % roles == t->g->random ? 0 : r->sum[i];
	if (fabs(sum - 100 * (double)r->playouts) > 1e-3 * (double)r->playouts)
		node_doubt(t);
	for (size_t i = 0; i < k->batch_of.n; i++) {
		k->count.at[k->batch_of.at[i]] = (double)r->counts[i];
		for (uint32_t q = 0; q < roles; q++)
			k->value.at[(size_t)k->batch_of.at[i] * roles + q] =
				r->counts[i] ? r->sum[i * roles + q] / (double)r->counts[i] / 100 : 0;
	}
}

static void play_group(struct tree *t, struct seat *s, const struct budget *b, uint32_t group)
{
	struct round *k = t->round;
	struct playout_result r;
	uint64_t playouts = gather_group(t, group);
	if (!k->batch_of.n)
		return;
	if (!b->playouts)
		playouts = fill(t, playouts, k->batch_of.n);
	game_playouts(t->g,
	              &(struct playout_job){.starts = k->batch.at,
	                                    .start_count = k->batch_of.n,
	                                    .playouts = playouts * k->batch_of.n,
	                                    .limit = b->limit,
	                                    .threads = (uint32_t)t->o.threads,
	                                    .seed = rng_next(&s->rng),
	                                    .max_steps = MAX_STEPS,
	                                    .played = k->amaf ? note_played : NULL,
	                                    .played_every = (uint32_t)t->o.tune.amaf_every,
	                                    .context = t},
	              &r);
	take_values(t, &r);
	s->count.playouts += r.playouts;
	s->count.playout_seconds += r.seconds;
	playout_result_free(&r);
}

static void play_all(struct tree *t, struct seat *s, const struct budget *b)
{
	struct round *k = t->round;
	vec_clear(&k->value);
	vec_clear(&k->count);
	vec_extend(&k->count, k->walk_of.n);
	assert(k->starts.n == k->walk_of.n * t->g->words);
	vec_extend(&k->value, k->walk_of.n * t->g->roles);
	if (k->walk_of.n)
		memset(k->count.at, 0, k->count.n * sizeof *k->count.at);
	vec_clear(&k->records);
	vec_clear(&k->played);
	vec_clear(&k->goals);
	for (uint32_t r = 0; r < t->g->roles; r++)
		play_group(t, s, b, r);
}

/* ---- the clock ---------------------------------------------------------------------------------- */

/* Bounds that rest on a belief found false: all that is below the root goes. */
static void begin_anew(struct tree *t, struct seat *s)
{
	size_t bytes = t->g->words * sizeof(uint64_t);
	uint64_t *state = mem_alloc(t->g->words + 1, sizeof *state);
	assert(t->root < t->nodes.n);
	memcpy(state, t->nodes.at[t->root].state, bytes);
	tree_root(t, s, state);
	mem_free(state);
}

static bool finished(const struct tree *t, const struct seat *s)
{
	const struct node *n = &t->nodes.at[t->root];
	return n->terminal || (t->o.solve && (n->solved || n->low[s->role] >= n->high[s->role]));
}

static void publish(struct tree *t, struct seat *s)
{
	const struct node *n = &t->nodes.at[t->root];
	if (!n->start)
		return;
	seat_ready(s, n->arms[node_best_arm(t, n, s->role)].move);
}

#define NARROWEST 64 /* lanes of the narrowest pass of a circuit */

/* Many playouts from each leaf fill the lanes by themselves; with few, a round has about one leaf per lane. */
static bool is_wide(const struct tree *t)
{
	return t->o.playouts < NARROWEST;
}

/* A clock should hold at least some dozens of rounds. Where playouts are too slow for
 * that, rounds get narrower: for a circuit as wide as its narrowest pass, which costs
 * as much as a single playout; else a few playouts from one leaf. */
static void adjust_round(struct tree *t, double round, double clock)
{
	bool wide = t->lanes && is_wide(t);
	if (t->slow || round * (wide ? 4 : 30) < clock)
		return;
	if (wide) {
		t->slow = true;
		t->o.leaves = t->lanes = NARROWEST;
		return;
	}
	t->slow = true;
	t->o.leaves = 1;
	t->o.playouts = t->lanes ? NARROWEST : 4;
	t->o.spread &= t->lanes > 0;
	t->lanes = 0;
}

static void clear_round(struct round *k)
{
	vec_clear(&k->walks);
	vec_clear(&k->steps);
	vec_clear(&k->chosen);
	vec_clear(&k->starts);
	vec_clear(&k->walk_of);
	vec_clear(&k->wanted);
}

/* Few at first: virtual losses mislead a young tree. */
static uint64_t leaves_of_round(const struct tree *t, double clock)
{
	const struct node *root = &t->nodes.at[t->root];
	uint64_t leaves = (uint64_t)t->o.leaves, small = 1 + (uint64_t)root->visits / 4;
	if (is_wide(t)) {
		small = 8 + (uint64_t)root->visits / 4;
		/* and few where the clock holds few rounds: each should learn from those before */
		if (t->round_seconds > 0 && clock < 2 * t->round_seconds * (double)leaves)
			leaves = clock < 16 * t->round_seconds ? 8 : (uint64_t)(clock / t->round_seconds / 2);
	}
	assert(leaves && small);
	return leaves < small ? leaves : small;
}

/* Down to the leaves, and the states to play from. */
static void walk_round(struct tree *t, struct seat *s, uint64_t leaves)
{
	struct round *k = t->round;
	for (uint64_t i = 0; i < leaves && !finished(t, s); i++)
		if (!round_walk(t, s))
			break;
	round_open(t, s);
	for (size_t i = 0; i < k->walks.n; i++) {
		struct walk *w = &k->walks.at[i];
		if (t->o.spread && !t->nodes.at[w->leaf].terminal)
			node_expand(t, s, w->leaf);
		add_starts(t, w, (uint32_t)i);
	}
}

static void back_up_round(struct tree *t, struct seat *s)
{
	for (size_t i = 0; i < t->round->walks.n; i++)
		round_back_up(t, s, i);
	round_learn_moves(t);
}

/* By the clock: what a round costs, and how the next ones should be. Seconds are of this thread: waiting for a
 * processor must not count; `passed` are seconds on the clock of the limit. */
static void learn_durations(struct tree *t, double passed, double clock, double tree_seconds, double play_seconds,
                            double round)
{
	t->round_seconds += (t->round_seconds > 0 ? 0.1 : 1) * (passed - t->round_seconds);
	if (is_wide(t))
		keep_balance(t, tree_seconds, play_seconds);
	adjust_round(t, round, clock);
}

/* Returns the playouts that it counts for. */
static uint64_t run_round(struct tree *t, struct seat *s, const struct budget *b, double clock)
{
	uint64_t before = s->count.playouts;
	double solving = s->count.solve_seconds, start = limit_now(&b->limit), began = clock_thread();
	clear_round(t->round);
	walk_round(t, s, leaves_of_round(t, clock));
	double walked = clock_thread();
	play_all(t, s, b);
	double played = clock_thread();
	back_up_round(t, s);
	s->count.rounds += !t->solver; /* who counts its own */
	double now = clock_thread(), solved = s->count.solve_seconds - solving;
	if (!b->playouts)
		learn_durations(t, limit_now(&b->limit) - start, clock, now - played + walked - began - solved, played - walked,
		                now - began);
	return s->count.playouts - before + (s->count.playouts == before) * (uint64_t)t->o.playouts;
}

void tree_run(struct tree *t, struct seat *s, const struct budget *b)
{
	assert(s->role < s->game->roles);
	double clock = limit_left(&b->limit);
	uint64_t spent = 0;
	while (!limit_reached(&b->limit) && (!b->playouts || spent < b->playouts) && !finished(t, s) &&
	       tree_bytes(t) < (size_t)t->o.memory << 20) {
		spent += run_round(t, s, b, clock);
		if (t->stale)
			begin_anew(t, s);
		publish(t, s);
	}
	round_trust_amaf(t);
}

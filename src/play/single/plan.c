/* Searching for plans. By the clock, a game with a circuit is given to the solver of
 * puzzles (puzzle.h), from the present position on and for more than the plan at hand;
 * what is left of the time goes to playouts. Without a circuit, or with a counted budget
 * (equal seeds, equal plans), the graph of states is searched here, breadth first, then
 * depth first. Fluents that only count steps (step_counter.h) are left out of its
 * comparison of states: they would make every state new. A plan is made of real states
 * and ends; only the claim that it is the best possible is then dropped. */
#include "play/single/plan.h"

#include "analysis/step_counter.h"
#include "base/hash.h"
#include "puzzle/puzzle.h"

#include <assert.h>
#include <string.h>

#define MEMORY ((size_t)256 << 20)
#define PASS 128 /* states expanded together */
#define MOMENT 2 /* seconds */

struct graph_node {
	uint32_t parent, move;
};

struct plan {
	struct game *g;
	struct plan_shares shares;
	uint64_t *mask; /* fluents that distinguish states */
	bool masked;    /* not all of them */
	/* the plan: from these states make these moves */
	VEC(uint64_t) states;
	VEC(uint32_t) moves;
	int value; /* -1: none */
	bool final;
	uint32_t runs; /* of the solver */
	/* the graph */
	VEC(struct graph_node) nodes;
	VEC(uint64_t) at; /* states of the nodes */
	struct table table;
	/* scratch */
	VEC(uint64_t) from, next;
	VEC(uint32_t) tried, origin;
	VEC(uint8_t) terminal;
	VEC(int) goals;
	uint64_t *key;
	const uint64_t *here; /* where playouts start */
	struct seat *seat;
};

struct plan *plan_new(struct seat *s, const struct plan_shares *shares)
{
	assert(s->role < s->game->roles);
	struct plan *p = NEW(struct plan);
	p->g = s->game;
	p->shares = shares ? *shares : (struct plan_shares){.solver = 0.7, .final = 0.1};
	p->value = -1;
	p->seat = s;
	p->mask = NEW_ARRAY(uint64_t, s->game->words + 1);
	p->key = NEW_ARRAY(uint64_t, s->game->words + 1);
	p->masked = step_counter_fluents(s->game, p->mask);
	for (uint32_t i = 0; i < s->game->words; i++)
		p->mask[i] = ~p->mask[i];
	return p;
}

static void clear_graph(struct plan *p)
{
	vec_free(&p->nodes);
	vec_free(&p->at);
	table_free(&p->table);
	p->table = (struct table){0};
}

void plan_free(struct plan *p)
{
	clear_graph(p);
	vec_free(&p->states);
	vec_free(&p->moves);
	vec_free(&p->from);
	vec_free(&p->next);
	vec_free(&p->tried);
	vec_free(&p->origin);
	vec_free(&p->terminal);
	vec_free(&p->goals);
	mem_free(p->mask);
	mem_free(p->key);
	mem_free(p);
}

/* ---- keeping the best plan -------------------------------------------------------------------- */

/* Moves from `state` on, replayed to note the states passed. */
static void adopt(struct plan *p, struct seat *s, const uint64_t *state, const uint32_t *moves, size_t count, int value)
{
	assert(value >= 0 && value <= 100);
	uint32_t words = p->g->words;
	vec_clear(&p->states);
	vec_clear(&p->moves);
	vec_extend(&p->states, (count + 1) * words);
	memcpy(p->states.at, state, words * sizeof *state);
	for (size_t i = 0; i < count; i++) {
		vec_push(&p->moves, moves[i]);
		game_next(s->worker, p->states.at + i * words, &moves[i], p->states.at + (i + 1) * words);
	}
	p->value = value;
	p->final = value == 100;
}

static bool position(const struct plan *p, const uint64_t *state, size_t *at)
{
	uint32_t words = p->g->words;
	assert(!p->moves.n || p->states.n == (p->moves.n + 1) * words);
	for (size_t i = 0; i < p->moves.n; i++)
		if (!memcmp(p->states.at + i * words, state, words * sizeof *state)) {
			*at = i;
			return true;
		}
	return false;
}

bool plan_knows(const struct plan *p, struct seat *s, const uint64_t *state)
{
	assert(s->role < s->game->roles);
	size_t at;
	return p->final && position(p, state, &at);
}

bool plan_move(struct plan *p, struct seat *s, const uint64_t *state, uint32_t *move)
{
	assert(s->role < s->game->roles);
	size_t at;
	if (p->value <= 0 || !position(p, state, &at))
		return false;
	*move = p->moves.at[at];
	text_printf(&s->why, "a plan of %zu steps to %d%s", p->moves.n - at, p->value,
	            p->final ? ", the best there is" : "");
	return true;
}

bool plan_rest(struct plan *p, const uint64_t *state, struct move_line *out, int *value, bool *final)
{
	size_t at;
	if (p->value <= 0 || !position(p, state, &at))
		return false;
	*value = p->value;
	*final = p->final;
	for (; out && at < p->moves.n && out->n < PLAY_LINE_STEPS; at++)
		vec_push(out, p->moves.at[at]);
	return true;
}

/* ---- the graph ----------------------------------------------------------------------------------- */

/* False: stored already. */
static bool add_node(struct plan *p, const uint64_t *state, uint32_t parent, uint32_t move)
{
	uint32_t words = p->g->words, it = 0, id;
	for (uint32_t i = 0; i < words; i++)
		p->key[i] = state[i] & p->mask[i];
	uint64_t hash = hash_bytes(p->key, words * sizeof *p->key);
	for (table_start(&p->table, hash, &it); (id = table_next(&p->table, hash, &it)) != TABLE_NONE;) {
		bool same = true;
		for (uint32_t i = 0; i < words && same; i++)
			same = (p->at.at[(size_t)id * words + i] & p->mask[i]) == p->key[i];
		if (same)
			return false;
	}
	struct graph_node n = {parent, move};
	id = (uint32_t)p->nodes.n;
	vec_push(&p->nodes, n);
	vec_extend(&p->at, words);
	assert(p->at.n == p->nodes.n * words);
	memcpy(p->at.at + (size_t)id * words, state, words * sizeof *state);
	table_add(&p->table, hash, id);
	p->seat->count.nodes++;
	return true;
}

static void adopt_way(struct plan *p, struct seat *s, uint32_t node, uint32_t last, int value)
{
	assert(value >= 0 && value <= 100);
	VEC(uint32_t) way = {0};
	assert(node < p->nodes.n);
	uint64_t *start = NEW_ARRAY(uint64_t, p->g->words);
	vec_push(&way, last);
	for (uint32_t n = node; p->nodes.at[n].parent != GAME_NONE; n = p->nodes.at[n].parent)
		vec_push(&way, p->nodes.at[n].move);
	for (size_t i = 0, j = way.n - 1; i < j; i++, j--) {
		uint32_t x = way.at[i];
		way.at[i] = way.at[j];
		way.at[j] = x;
	}
	memcpy(start, p->at.at, p->g->words * sizeof *start);
	adopt(p, s, start, way.at, way.n, value);
	mem_free(start);
	vec_free(&way);
}

/* All moves from `count` nodes; new states join the graph. */
static void expand(struct plan *p, struct seat *s, const uint32_t *ids, size_t count)
{
	uint32_t words = p->g->words;
	vec_clear(&p->from);
	vec_clear(&p->tried);
	vec_clear(&p->origin);
	for (size_t i = 0; i < count; i++) {
		struct view v = game_look(s->worker, p->at.at + (size_t)ids[i] * words);
		for (uint32_t k = 0; k < v.start[1]; k++) {
			vec_extend(&p->from, words);
			memcpy(p->from.at + p->from.n - words, p->at.at + (size_t)ids[i] * words, words * sizeof *p->from.at);
			vec_push(&p->tried, v.legal[k]);
			vec_push(&p->origin, ids[i]);
		}
	}
	assert(p->from.n == p->tried.n * words && p->origin.n == p->tried.n);
	vec_reserve(&p->next, p->from.n);
	vec_reserve(&p->terminal, p->tried.n);
	vec_reserve(&p->goals, p->tried.n);
	game_expand(s->worker, &(struct expansion){.states = p->from.at,
	                                           .moves = p->tried.at,
	                                           .count = p->tried.n,
	                                           .next = p->next.at,
	                                           .terminal = p->terminal.at,
	                                           .goals = p->goals.at});
	for (size_t i = 0; i < p->tried.n; i++) {
		if (!p->terminal.at[i])
			add_node(p, p->next.at + i * words, p->origin.at[i], p->tried.at[i]);
		else if (p->goals.at[i] > p->value)
			adopt_way(p, s, p->origin.at[i], p->tried.at[i], p->goals.at[i]);
	}
}

/* Breadth first takes the oldest open nodes, depth first the newest. True: nothing
 * is left to expand. */
static bool search_graph(struct plan *p, struct seat *s, const uint64_t *state, const struct budget *b, bool deep)
{
	VEC(uint32_t) open = {0};
	size_t first = 0;
	uint64_t spent = 0;
	clear_graph(p);
	add_node(p, state, GAME_NONE, GAME_NONE);
	vec_push(&open, 0);
	while (first < open.n && p->value < 100 && !limit_reached(&b->limit) && (!b->playouts || spent < b->playouts) &&
	       (p->nodes.n * (p->g->words * 8 + 20)) < MEMORY) {
		uint32_t ids[PASS];
		size_t n = 0, most = deep ? 1 : PASS, before = p->nodes.n;
		while (n < most && first < open.n)
			ids[n++] = deep ? vec_pop(&open) : open.at[first++];
		expand(p, s, ids, n);
		for (size_t i = before; i < p->nodes.n; i++)
			vec_push(&open, (uint32_t)i);
		spent += p->tried.n + 1;
	}
	bool all = first >= open.n;
	vec_free(&open);
	return all;
}

/* ---- the ways to find one ------------------------------------------------------------------------ */

static struct budget part_of(const struct budget *b, double share)
{
	assert(share > 0 && share <= 1);
	struct budget part = *b;
	part.playouts = b->playouts ? 1 + (uint64_t)((double)b->playouts * share) : 0;
	if (b->limit.deadline > 0)
		part.limit.deadline -= limit_left(&b->limit) * (1 - share);
	return part;
}

/* What a search of the solver has found: a better plan, or the proof that there is none. */
static void take_result(struct plan *p, struct seat *s, const uint64_t *state, struct puzzle_result *r)
{
	s->count.nodes += r->states;
	s->count.solve_seconds += r->seconds;
	if (r->best > p->value && r->plan.n)
		adopt(p, s, state, r->plan.at, r->plan.n, r->best);
	p->final |= p->value >= 0 && r->bound <= p->value;
	s->count.proven += p->final;
	puzzle_free(r);
}

/* A share of what is left, and no more than some seconds: what takes longer is better left to all searches at once. */
static struct budget moment(const struct budget *b, double share)
{
	assert(share > 0 && share <= 1);
	struct budget part = part_of(b, share);
	double most = limit_now(&part.limit) + MOMENT;
	if (!part.limit.deadline || part.limit.deadline > most)
		part.limit.deadline = most;
	return part;
}

/* Most puzzles are small: all states in the order of their distance, or a long way into the depth. */
static void solve_small(struct plan *p, struct seat *s, const uint64_t *state, const struct budget *b,
                        struct puzzle_options o)
{
	struct puzzle_result r;
	o.limit = moment(b, 0.5).limit;
	bool counted = step_counter_of(p->g, &o.limit) != NULL;
	puzzle_state_space(p->g, &o, counted ? SPACE_UNTIMED : SPACE_BREADTH, &r);
	take_result(p, s, state, &r);
	struct budget part = moment(b, 0.5);
	if (!p->final)
		search_graph(p, s, state, &part, true);
	clear_graph(p);
}

/* Where marks are set and none is undone, the final state alone is a small problem. */
static void solve_final(struct plan *p, struct seat *s, const uint64_t *state, const struct budget *b,
                        struct puzzle_options o)
{
	struct puzzle_result r;
	o.limit = moment(b, p->shares.final).limit;
	puzzle_final_state(p->g, &o, &r);
	take_result(p, s, state, &r);
}

/* Every other time the solver has all the time: what took too long here will do so again one step further. */
static void solve(struct plan *p, struct seat *s, const uint64_t *state, const struct budget *b)
{
	struct puzzle_result r;
	atomic_int known;
	atomic_init(&known, p->value);
	struct puzzle_options o = {.start = state, .memory = MEMORY, .floor = &known};
	if (p->runs == 0)
		solve_final(p, s, state, b, o);
	if (!p->final && p->runs++ % 2 == 0) {
		atomic_store(&known, p->value);
		solve_small(p, s, state, b, o);
	}
	atomic_store(&known, p->value);
	o.limit = part_of(b, p->shares.solver).limit;
	if (!p->final && puzzle_solve(p->g, &o, &r))
		take_result(p, s, state, &r);
}

/* The graph, searched here. */
static void search(struct plan *p, struct seat *s, const uint64_t *state, const struct budget *b)
{
	struct budget part = part_of(b, 0.5);
	if (search_graph(p, s, state, &part, false) && !p->masked)
		p->final = p->value >= 0;
	part = part_of(b, 0.5);
	if (!p->final)
		search_graph(p, s, state, &part, true);
	clear_graph(p);
}

static void report(void *context, size_t start, const uint32_t *moves, uint32_t steps, const int *goals)
{
	struct plan *p = context;
	if (goals[0] > p->value && steps)
		adopt(p, p->seat, p->here, moves, steps, goals[0]);
}

static void play_out(struct plan *p, struct seat *s, const uint64_t *state, const struct budget *b)
{
	struct playout_result r;
	p->here = state;
	game_playouts(p->g,
	              &(struct playout_job){.starts = state,
	                                    .start_count = 1,
	                                    .playouts = b->playouts ? b->playouts / 4 + 1 : 0,
	                                    .limit = b->limit,
	                                    .seed = rng_next(&s->rng),
	                                    .max_steps = 5000,
	                                    .report = report,
	                                    .context = p},
	              &r);
	s->count.playouts += r.playouts;
	s->count.playout_seconds += r.seconds;
	playout_result_free(&r);
}

void plan_run(struct plan *p, struct seat *s, const uint64_t *state, const struct budget *b)
{
	assert(s->role < s->game->roles);
	size_t at;
	p->seat = s;
	if (!position(p, state, &at)) { /* off the way: what is known does not help */
		p->value = -1;
		p->final = false;
	}
	if (p->final)
		return;
	if (p->g->engine == ENGINE_CIRCUIT && !b->playouts)
		solve(p, s, state, b);
	else
		search(p, s, state, b);
	if (!p->final && !limit_reached(&b->limit))
		play_out(p, s, state, b);
}

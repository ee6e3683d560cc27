/* The state space of a puzzle: every state is met once, and expanded in batches. Breadth first, depth
 * first, and by beams, which keep the best of every layer. */
#include "puzzle/puzzle.h"

#include "analysis/step_counter.h"
#include "base/bits.h"
#include "base/rng.h"
#include "circuit/unroll_loops.h"
#include "game/rules_view.h"
#include "puzzle/goal_heuristic.h"
#include "puzzle/goal_states.h"

#include <stdlib.h>
#include <string.h>

#define BATCH 4096             /* children expanded at a time, at most */
#define BATCH_BYTES (2u << 20) /* for their states: large ones are expanded in smaller batches */
#define LATE_LOOKS 2000000     /* at ends, at later steps, when all states are known */
#define EARLY_LOOKS 2000       /* and after every layer */

/* A state met: which one it came from, and by which move. */
struct met {
	uint32_t parent, move;
};

struct space {
	struct game *g;
	struct worker *w;
	struct puzzle_result *r;
	const struct puzzle_options *o;
	uint64_t *mask;       /* fluents that distinguish states */
	VEC(uint64_t) states; /* masked */
	VEC(uint64_t) legal;  /* legal moves of the states, as game_expand gives them */
	VEC(struct met) met;
	struct table index;
	uint32_t words, legal_words, batch;
	uint32_t best; /* state of the best end */
	/* the batch */
	VEC(uint64_t) from;
	VEC(uint32_t) moves, parents;
	uint64_t *next, *next_legal;
	uint8_t *terminal;
	int *goals;
	/* the step counter, when states are compared without it; else NULL */
	const struct step_counter *counter;
	uint32_t first;                              /* the step at the start */
	int late;                                    /* the best goal, were the game to end, of states that go on */
	VEC(struct end { uint32_t id, step; }) ends; /* not by the counter */
	struct goal_heuristic *heuristic;            /* for beams; or NULL */
	struct goal_states *targets;                 /* the same */
	uint64_t *target;                            /* the one that they are heading for */
	struct circuit flat;
};

static const uint64_t *state_at(const struct space *p, uint32_t i)
{
	return p->states.at + (size_t)i * p->words;
}

/* The number of a state, new or stored; *fresh says which. */
static uint32_t meet(struct space *p, const uint64_t *state, uint32_t parent, uint32_t move, bool *fresh)
{
	uint64_t h = hash_bytes(state, p->words * 8);
	uint32_t it, id;
	*fresh = false;
	for (table_start(&p->index, h, &it); (id = table_next(&p->index, h, &it)) != TABLE_NONE;)
		if (!memcmp(state_at(p, id), state, p->words * 8))
			return id;
	id = (uint32_t)p->met.n;
	vec_extend(&p->states, p->words);
	memcpy(p->states.at + (size_t)id * p->words, state, p->words * 8);
	struct met m = {parent, move};
	vec_push(&p->met, m);
	table_add(&p->index, h, id);
	*fresh = true;
	return id;
}

/* An end with this goal; true when it cannot be bettered. */
static bool reached(struct space *p, uint32_t state, int goal)
{
	if (puzzle_reached(p->o, p->r, goal))
		p->best = state;
	return p->r->best == 100;
}

/* Expands what has been gathered; true: a best end was found. */
static bool flush(struct space *p)
{
	struct game *g = p->g;
	struct expansion e = {.states = p->from.at,
	                      .moves = p->moves.at,
	                      .count = p->parents.n,
	                      .next = p->next,
	                      .terminal = p->terminal,
	                      .goals = p->goals,
	                      .legal = p->next_legal};
	bool done = false;
	if (!e.count)
		return false;
	game_expand(p->w, &e);
	p->r->expanded += e.count;
	for (size_t i = 0; i < e.count && !done; i++) {
		uint64_t *s = p->next + i * p->words;
		bool fresh;
		for (uint32_t k = 0; k < p->words; k++)
			s[k] &= p->mask[k];
		uint32_t id = meet(p, s, p->parents.at[i], p->moves.at[i * g->roles], &fresh);
		if (!fresh)
			continue;
		vec_extend(&p->legal, p->legal_words);
		uint64_t *legal = p->legal.at + (size_t)id * p->legal_words;
		memcpy(legal, p->next_legal + i * p->legal_words, p->legal_words * 8);
		if (p->terminal[i]) {
			memset(legal, 0, p->legal_words * 8); /* an end has no children */
			done = reached(p, id, p->goals[i * g->roles]);
			if (p->counter && p->counter->goals)
				vec_push(&p->ends, (struct end){id, p->first + p->r->depth + 1});
		} else if (p->goals[i * g->roles] > p->late) {
			p->late = p->goals[i * g->roles];
		}
	}
	vec_clear(&p->from);
	vec_clear(&p->moves);
	vec_clear(&p->parents);
	return done;
}

static bool expand(struct space *p, uint32_t id)
{
	bool done = false;
	for (uint32_t m = 0; m < p->g->moves && !done; m++) {
		if (!bits_has(p->legal.at + (size_t)id * p->legal_words, m))
			continue;
		vec_extend(&p->from, p->words);
		memcpy(p->from.at + p->from.n - p->words, state_at(p, id), p->words * 8);
		for (uint32_t k = 0; k < p->words && p->counter; k++)
			p->from.at[p->from.n - p->words + k] |= step_counter_at(p->counter, p->first + p->r->depth)[k];
		vec_push(&p->moves, m);
		vec_push(&p->parents, id);
		if (p->parents.n == p->batch)
			done = flush(p);
	}
	return done;
}

static size_t bytes(const struct space *p)
{
	return p->met.n * ((p->words + p->legal_words) * 8 + sizeof(struct met) + 16);
}

static bool may_go_on(struct space *p)
{
	size_t memory = p->o->memory ? p->o->memory : (size_t)1 << 30;
	if (limit_reached(&p->o->limit))
		p->r->why = "out of time";
	else if (bytes(p) > memory || p->met.n > UINT32_MAX / 2)
		p->r->why = "out of memory";
	if (p->o->progress)
		progress_step(p->o->progress, (double)p->met.n, 0, p->r->by);
	return !p->r->why;
}

/* With a step counter, states were met at their first step only. What may the ends be worth at
 * later ones? 100: it takes too long to say. */
static int ends_later(struct space *p, uint64_t looks)
{
	int bound = p->r->best;
	uint64_t *s = mem_alloc(p->words + 1, 8);
	uint32_t last = p->counter->horizon != STEP_COUNTER_NEVER ? p->counter->horizon : p->counter->steps;
	if (p->ends.n * (uint64_t)last > looks)
		bound = 100;
	for (size_t i = 0; i < p->ends.n && bound < 100; i++)
		for (uint32_t t = p->ends.at[i].step + 1; t <= last && bound < 100; t++) {
			for (uint32_t k = 0; k < p->words; k++)
				s[k] = state_at(p, p->ends.at[i].id)[k] | step_counter_at(p->counter, t)[k];
			struct view v = game_look(p->w, s);
			bound = limit_reached(&p->o->limit) ? 100 : v.goals[0] > bound ? v.goals[0] : bound;
		}
	mem_free(s);
	return bound;
}

/* And when the counter itself ends the game? */
static int later_bound(struct space *p)
{
	int bound = ends_later(p, LATE_LOOKS), late = GOAL_NONE;
	if (p->counter->horizon != STEP_COUNTER_NEVER)
		late = p->counter->goals ? step_counter_top(p->counter, p->counter->horizon) : p->late;
	return late > bound ? late : bound;
}

/* All ends up to the next step are known: is none after it worth more, whatever the
 * states that were not met yet? */
static bool too_late_for_more(struct space *p)
{
	return p->counter && p->counter->goals && step_counter_top(p->counter, p->first + p->r->depth + 2) <= p->r->best &&
	       ends_later(p, EARLY_LOOKS) <= p->r->best;
}

static void search(struct space *p)
{
	uint32_t layer_end = 1;
	bool done = false;
	for (uint32_t id = 0; !done; id++) {
		if (id == layer_end) {
			done = flush(p);
			if (done || p->met.n == layer_end || too_late_for_more(p))
				break;
			layer_end = (uint32_t)p->met.n;
			p->r->depth++;
		}
		if ((id & 15) == 0 && !may_go_on(p))
			return;
		done = done || expand(p, id);
	}
	p->r->bound = done ? 100 : p->counter ? later_bound(p) : p->r->best;
	p->r->proved = p->r->best >= p->r->bound;
	p->r->why = p->r->proved ? NULL : "the clock matters";
}

/* The newest state first: no shortest plans, but an end soon. */
static void search_deep(struct space *p)
{
	VEC(uint32_t) stack = {0};
	bool done = false;
	vec_push(&stack, 0);
	for (uint64_t turn = 0; stack.n && !done && !p->r->why; turn++) {
		uint32_t id = vec_pop(&stack), from = (uint32_t)p->met.n;
		done = expand(p, id) || flush(p);
		for (uint32_t k = from; k < p->met.n; k++)
			vec_push(&stack, k);
		if ((turn & 15) == 0 && !may_go_on(p))
			break;
	}
	p->r->proved = !p->r->why;
	vec_free(&stack);
}

static void read_plan(struct space *p)
{
	vec_clear(&p->r->plan);
	for (uint32_t id = p->best; id; id = p->met.at[id].parent)
		vec_push(&p->r->plan, p->met.at[id].move);
	for (size_t i = 0; i < p->r->plan.n / 2; i++) {
		uint32_t t = p->r->plan.at[i];
		p->r->plan.at[i] = p->r->plan.at[p->r->plan.n - 1 - i];
		p->r->plan.at[p->r->plan.n - 1 - i] = t;
	}
}

/* The first state; its legal moves come from a look. */
static bool begin(struct space *p)
{
	struct game *g = p->g;
	bool fresh;
	uint64_t *s = mem_alloc(p->words + 1, 8);
	for (uint32_t k = 0; k < p->words; k++)
		s[k] = puzzle_start(g, p->o)[k] & p->mask[k];
	meet(p, s, 0, 0, &fresh);
	mem_free(s);
	vec_extend(&p->legal, p->legal_words);
	memset(p->legal.at, 0, p->legal_words * 8);
	struct view v = game_look(p->w, puzzle_start(g, p->o));
	if (v.terminal)
		return reached(p, 0, v.goals[0]);
	p->late = v.goals[0]; /* it may come again, when the counter ends the game */
	for (uint32_t k = v.start[0]; k < v.start[1]; k++)
		bits_add(p->legal.at, v.legal[k]);
	return false;
}

/* ---- beams ------------------------------------------------------------------------ */

enum taste { TASTE_TARGET, TASTE_GOAL, TASTE_BOTH, TASTE_FREE, TASTE_NARROW, TASTES };

struct graded {
	float grade;
	uint32_t id;
};

static int better_first(const void *a, const void *b)
{
	const struct graded *x = a, *y = b;
	if (x->grade != y->grade)
		return x->grade > y->grade ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

static float distance(const struct space *p, const uint64_t *state)
{
	uint32_t n = 0;
	for (uint32_t k = 0; k < p->words; k++)
		n += (uint32_t)__builtin_popcountll((state[k] ^ p->target[k]) & p->mask[k]);
	return (float)n;
}

/* By how near the target is, by how much of the goal holds, by how many moves there are (many: little is lost
 * yet; few: what is nearly lost first, after Warnsdorff 1823), or both. A little
 * noise breaks ties differently in every beam. */
static float grade(struct space *p, uint32_t id, enum taste taste, struct rng *rng)
{
	float free =
		(float)bits_count(p->legal.at + (size_t)id * p->legal_words, p->legal_words) / (float)(p->g->moves + 1);
	float noise = (float)rng_unit(rng) * 1e-3f;
	float near = p->heuristic && (taste == TASTE_GOAL || taste == TASTE_BOTH)
	                 ? goal_heuristic_of(p->heuristic, state_at(p, id))
	                 : 0;
	switch (taste) {
	case TASTE_TARGET: return noise - distance(p, state_at(p, id));
	case TASTE_GOAL: return near + noise;
	case TASTE_BOTH: return near + free + noise;
	case TASTE_FREE: return free + noise;
	default: return noise - free;
	}
}

static void forget(struct space *p)
{
	p->r->states += p->met.n;
	vec_clear(&p->states);
	vec_clear(&p->legal);
	vec_clear(&p->met);
	table_clear(&p->index);
}

/* Layer by layer, the best `width` of each; true: 100 was reached. */
static bool beam(struct space *p, size_t width, enum taste taste, struct rng *rng)
{
	VEC(struct graded) layer = {0};
	bool done = false;
	forget(p);
	vec_push(&layer, (struct graded){0, 0});
	done = begin(p);
	while (layer.n && !done && may_go_on(p)) {
		uint32_t from = (uint32_t)p->met.n;
		for (size_t i = 0; i < layer.n && i < width && !done; i++) {
			done = expand(p, layer.at[i].id);
			if ((i & 15) == 0 && !may_go_on(p))
				break;
		}
		done = done || flush(p);
		vec_clear(&layer);
		for (uint32_t id = from; id < p->met.n && !done && (id % 64 || may_go_on(p)); id++)
			if (bits_count(p->legal.at + (size_t)id * p->legal_words, p->legal_words))
				vec_push(&layer, (struct graded){grade(p, id, taste, rng), id});
		if (layer.n)
			qsort(layer.at, layer.n, sizeof *layer.at, better_first);
	}
	vec_free(&layer);
	return done;
}

/* Wider and wider, with every taste in turn. */
static void search_beam(struct space *p)
{
	struct rng rng = rng_seed(1);
	bool done = false;
	int best = GOAL_NONE;
	for (size_t width = 30; !done && !p->r->why; width *= 4)
		for (enum taste t = TASTE_TARGET; t < TASTES && !done && !p->r->why; t++) {
			if (t == TASTE_TARGET ? !p->targets || !goal_states_next(p->targets, p->target)
			                      : t <= TASTE_BOTH && !p->heuristic)
				continue;
			done = beam(p, width, t, &rng);
			if (p->r->best > best) { /* the states will be forgotten */
				best = p->r->best;
				read_plan(p);
			}
		}
}

/* What beams head for: the best goal, and the end with it. */
static void make_heuristic(struct space *p)
{
	const struct rules_view *e = game_rules_view(p->g);
	VEC(lit_t) want = {0};
	int top = GOAL_NONE;
	if (!unroll_loops(&p->flat, e->circuit, 500000, &p->o->limit))
		return;
	for (size_t i = 0; i < p->flat.goals.n; i++)
		top = e->goal_value[i] > top ? e->goal_value[i] : top;
	for (size_t i = 0; i < p->flat.goals.n; i++)
		if (e->goal_value[i] == top)
			vec_push(&want, p->flat.goals.at[i]);
	p->heuristic = goal_heuristic_new(&p->flat, want.at, (uint32_t)want.n);
	p->targets = goal_states_new(&p->flat, puzzle_start(p->g, p->o), want.at, (uint32_t)want.n, &p->o->limit);
	p->target = NEW_ARRAY(uint64_t, p->words + 1);
	vec_free(&want);
}

/* Which fluents distinguish states. */
static void make_mask(struct space *p, enum space_order order)
{
	const struct rules_view *rules = game_rules_view(p->g);
	p->mask = NEW_ARRAY(uint64_t, p->words + 1);
	for (uint32_t i = 0; i < rules->live_count; i++)
		bits_add(p->mask, rules->live[i]);
	if (order == SPACE_UNTIMED)
		p->counter = step_counter_of(p->g, &p->o->limit);
	p->first = p->counter ? step_counter_step(p->counter, puzzle_start(p->g, p->o)) : 0;
	if (p->first == STEP_COUNTER_NEVER)
		p->counter = NULL;
	for (uint32_t k = 0; k < p->words && p->counter; k++)
		p->mask[k] &= ~p->counter->mask[k];
}

void puzzle_state_space(struct game *g, const struct puzzle_options *o, enum space_order order, struct puzzle_result *r)
{
	static const char *const names[] = {"state space", "state space, depth first", "state space, beams",
	                                    "state space without the clock"};
	struct space p = {.g = g, .r = r, .o = o, .words = g->words};
	double start = clock_now();
	*r = (struct puzzle_result){.best = GOAL_NONE, .bound = 100, .by = names[order]};
	p.late = GOAL_NONE;
	make_mask(&p, order);
	p.legal_words = game_legal_words(g);
	p.batch = BATCH_BYTES / (g->words * 8 + 1);
	p.batch = p.batch > BATCH ? BATCH : p.batch < 256 ? 256 : p.batch;
	p.w = worker_new(g);
	p.next = NEW_ARRAY(uint64_t, (size_t)BATCH * g->words + 1);
	p.next_legal = NEW_ARRAY(uint64_t, (size_t)BATCH * p.legal_words + 1);
	p.terminal = NEW_ARRAY(uint8_t, BATCH);
	p.goals = NEW_ARRAY(int, BATCH);
	if (order == SPACE_BEAM) {
		make_heuristic(&p);
		search_beam(&p);
	} else if (begin(&p)) {
		r->proved = true;
	} else if (order == SPACE_DEPTH) {
		search_deep(&p);
	} else if (order == SPACE_UNTIMED && !p.counter) {
		r->why = "there is no clock";
	} else {
		search(&p);
	}
	if (r->best != GOAL_NONE && order != SPACE_BEAM)
		read_plan(&p);
	r->proved |= r->best == 100;
	if (r->proved)
		r->bound = r->best;
	r->states += p.met.n;
	if (order == SPACE_BEAM)
		circuit_free(&p.flat);
	goal_heuristic_free(p.heuristic);
	goal_states_free(p.targets);
	mem_free(p.target);
	vec_free(&p.ends);
	r->seconds = clock_now() - start;
	worker_free(p.w);
	mem_free(p.mask);
	mem_free(p.next);
	mem_free(p.next_legal);
	mem_free(p.terminal);
	mem_free(p.goals);
	vec_free(&p.states);
	vec_free(&p.legal);
	vec_free(&p.met);
	vec_free(&p.from);
	vec_free(&p.moves);
	vec_free(&p.parents);
	table_free(&p.index);
}

/* The searches side by side. The state space is searched in the caller's thread, the
 * unrolled rounds in another; the first to have the proof stops the other. */
#include "puzzle/puzzle.h"

#include "base/thread.h"

#include <string.h>
#include <time.h>

#define PLAYOUTS 200
#define LONGEST 1000 /* steps of a random play */
#define FINAL_SHARE 0.1
#define FINAL_MOST 2     /* seconds */
#define WITHOUT_LIMIT 60 /* seconds, for shares of the time */

int puzzle_play(struct game *g, const uint64_t *start, const uint32_t *plan, size_t n)
{
	struct worker *w = worker_new(g);
	uint64_t *s = mem_alloc(g->words + 1, 8);
	int goal = GOAL_NONE;
	bool ok = true;
	memcpy(s, start ? start : g->initial, g->words * 8);
	for (size_t i = 0; i < n && ok; i++) {
		struct view v = game_look(w, s);
		ok = false;
		for (uint32_t k = v.start[0]; k < v.start[1] && !v.terminal; k++)
			ok |= v.legal[k] == plan[i];
		if (ok)
			game_next(w, s, &plan[i], s);
	}
	struct view v = game_look(w, s);
	if (ok && v.terminal)
		goal = v.goals[0];
	worker_free(w);
	mem_free(s);
	return goal;
}

uint32_t puzzle_longest(struct game *g, const struct puzzle_options *o)
{
	struct playout_job job = {.starts = o->start,
	                          .playouts = PLAYOUTS,
	                          .limit = limit_seconds(0.3),
	                          .threads = 1,
	                          .seed = 1,
	                          .max_steps = LONGEST};
	struct playout_result r = {0};
	job.limit.within = &o->limit;
	game_playouts(g, &job, &r);
	uint32_t longest = r.playouts && r.longest ? r.longest : 16;
	playout_result_free(&r);
	return longest;
}

bool puzzle_reached(const struct puzzle_options *o, struct puzzle_result *r, int goal)
{
	if (goal <= r->best)
		return false;
	r->best = goal;
	if (o->floor) {
		int known = atomic_load(o->floor);
		while (known < goal && !atomic_compare_exchange_weak(o->floor, &known, goal))
			;
	}
	return true;
}

void puzzle_free(struct puzzle_result *r)
{
	vec_free(&r->plan);
}

/* The better plan and the lower bound of two results. */
static void join(struct puzzle_result *r, struct puzzle_result *other)
{
	const char *bound_by = other->bound < r->bound ? (other->bound_by ? other->bound_by : other->by) : r->bound_by;
	int bound = other->bound < r->bound ? other->bound : r->bound;
	if (!bound_by)
		bound_by = r->by;
	uint64_t states = r->states + other->states, expanded = r->expanded + other->expanded;
	const char *why = other->why ? other->why : r->why;
	if (other->best > r->best) {
		puzzle_free(r);
		*r = *other;
	} else {
		puzzle_free(other);
	}
	r->bound = bound;
	r->bound_by = bound_by;
	r->states = states;
	r->expanded = expanded;
	r->proved = r->best >= r->bound;
	if (r->best == 100)
		r->bound_by = r->by;
	r->why = r->proved ? NULL : why;
}

struct side {
	struct game *g;
	struct puzzle_options o;
	struct puzzle_result r;
	atomic_bool stop, done;
	atomic_int floor;
	struct thread thread;
};

static void give_up(void *side)
{
	struct side *s = side;
	atomic_store(&s->stop, true);
	atomic_store(&s->done, true);
}

/* Clause learning; MAC has a share of the time before it, for small networks. */
static void bmc_side(void *data)
{
	struct side *s = data;
	struct mem_cleanup no_memory;
	mem_cleanup_push(&no_memory, give_up, s);
	struct puzzle_options whole = s->o, part;
	whole.progress = NULL; /* the caller's thread shows it */
	part = whole;
	double left = limit_left(&s->o.limit);
	if (s->o.method == PUZZLE_MAC) {
		puzzle_bmc_mac(s->g, &whole, &s->r);
	} else if (s->o.method == PUZZLE_SAT) {
		puzzle_bmc_sat(s->g, &whole, &s->r);
	} else {
		struct puzzle_result other;
		part.limit.deadline = limit_now(&part.limit) + (left < WITHOUT_LIMIT ? left : WITHOUT_LIMIT) * 0.08;
		puzzle_bmc_mac(s->g, &part, &s->r);
		if (!s->r.proved && !limit_reached(&s->o.limit)) {
			puzzle_bmc_sat(s->g, &whole, &other);
			join(&s->r, &other);
		}
	}
	if (s->r.proved || s->r.bound <= atomic_load(&s->floor))
		atomic_store(&s->stop, true);
	atomic_store(&s->done, true);
	mem_cleanup_pop(&no_memory);
}

/* The other side, when this one gives up. */
static void stop_other(void *side)
{
	struct side *s = side;
	atomic_store(&s->stop, true);
	thread_join(&s->thread);
}

static void space_side(struct side *s, struct puzzle_result *r)
{
	/* Beams that are lucky need not be wide. Breadth first once more at the end, when all of
	 * the rest of the time is for it. */
	static const struct {
		enum space_order order;
		double share;
	} parts[] = {{SPACE_BEAM, 0.05}, {SPACE_UNTIMED, 0.3}, {SPACE_BREADTH, 0.05},
	             {SPACE_BEAM, 0.35}, {SPACE_DEPTH, 0.1},   {SPACE_BREADTH, 1}};
	double left = limit_left(&s->o.limit);
	left = left < 1e6 ? left : WITHOUT_LIMIT;
	for (size_t i = 0; i < sizeof parts / sizeof *parts && !r->proved && !limit_reached(&s->o.limit); i++) {
		struct puzzle_options part = s->o;
		struct puzzle_result other;
		if (i + 1 < sizeof parts / sizeof *parts)
			part.limit.deadline = limit_now(&part.limit) + left * parts[i].share;
		if (s->o.limit.deadline && part.limit.deadline > s->o.limit.deadline)
			part.limit.deadline = s->o.limit.deadline;
		puzzle_state_space(s->g, &part, parts[i].order, &other);
		join(r, &other);
		if (r->bound <= atomic_load(&s->floor))
			break;
	}
	if (r->proved || r->bound <= atomic_load(&s->floor))
		atomic_store(&s->stop, true);
}

/* The final state as one problem: a share of the time, unless it is asked for alone. */
static void final_part(struct side *s, struct puzzle_result *r)
{
	struct puzzle_options part = s->o;
	struct puzzle_result found;
	double left = limit_left(&s->o.limit);
	if (s->o.method == PUZZLE_AUTO)
		part.limit =
			limit_seconds_of(s->o.limit.clock, left < FINAL_MOST / FINAL_SHARE ? left * FINAL_SHARE : FINAL_MOST);
	part.limit.within = &s->o.limit;
	puzzle_final_state(s->g, &part, &found);
	join(r, &found);
}

static void wait_for(struct side *s)
{
	while (!atomic_load(&s->done)) {
		nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
		if (s->o.progress)
			progress_step(s->o.progress, 0, 0, "unrolled rounds");
	}
}

bool puzzle_solve(struct game *g, const struct puzzle_options *o, struct puzzle_result *r)
{
	double start = clock_now();
	struct side s = {.g = g, .o = *o};
	struct mem_cleanup no_memory;
	if (g->roles != 1 || g->engine != ENGINE_CIRCUIT)
		return false;
	*r = (struct puzzle_result){.best = GOAL_NONE, .bound = 100, .by = "nothing"};
	s.r = *r;
	atomic_init(&s.floor, o->floor ? atomic_load(o->floor) : GOAL_NONE);
	s.o.limit =
		(struct limit){.deadline = o->limit.deadline, .stop = &s.stop, .within = &o->limit, .clock = o->limit.clock};
	s.o.floor = &s.floor;
	bool both = o->method == PUZZLE_AUTO, space = both || o->method == PUZZLE_SPACE;
	bool rounds = both || o->method == PUZZLE_SAT || o->method == PUZZLE_MAC;
	if (both || o->method == PUZZLE_FINAL)
		final_part(&s, r);
	/* Most puzzles are small: no thread for what takes a moment. */
	if (space && !r->proved) {
		struct puzzle_options quick = s.o;
		double left = limit_left(&o->limit);
		quick.limit = limit_seconds_of(o->limit.clock, left < 2 ? left * 0.1 : 0.2);
		quick.limit.within = &o->limit;
		struct puzzle_result small;
		puzzle_state_space(g, &quick, SPACE_BREADTH, &small);
		join(r, &small);
	}
	bool thread = !r->proved && rounds && thread_start(&s.thread, bmc_side, &s);
	if (thread)
		mem_cleanup_push(&no_memory, stop_other, &s);
	if (!r->proved && space)
		space_side(&s, r);
	if (!r->proved && !thread && rounds)
		bmc_side(&s);
	if (thread) {
		wait_for(&s);
		mem_cleanup_pop(&no_memory);
		if (!thread_join(&s.thread))
			mem_fail();
	}
	join(r, &s.r);
	if (r->best != GOAL_NONE &&
	    puzzle_play(g, o->start, r->plan.at, r->plan.n) != r->best) { /* never, or a search is wrong */
		r->proved = false;
		r->best = GOAL_NONE;
		r->why = "a plan was found that the game does not accept";
		vec_clear(&r->plan);
	}
	r->seconds = clock_now() - start;
	return true;
}

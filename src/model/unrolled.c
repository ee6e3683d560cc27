/* The rounds of a puzzle, one after another, as clauses: a copy of the circuit a
 * step, fluents of a step being the `next` of the one before. The game may end at
 * any step; what is done afterwards is of no interest. */
#include "model/puzzle.h"

#include "base/bits.h"
#include "game/engine.h"
#include "model/acyclic.h"

#include <ccadical.h>
#include <string.h>

#define STEPS_MOST 1000
#define LITERALS_MOST 60000000 /* of all clauses: about a gigabyte */
#define PLAYOUTS 200

struct unrolled {
	const struct circuit *c;
	CCaDiCaL *sat;
	const struct limit *limit;
	uint32_t stride;      /* variables of a step */
	uint32_t steps;
	lit_t perfect;        /* goal 100 */
	int vars;             /* beyond those of the steps */
	VEC(int) ends, alive; /* by step: the game ends well; it has not ended before */
};

static int out_of_time(void *data)
{
	return limit_reached(data);
}

/* Fluents of a step are the literals `next` of the step before. */
static int lit_at(const struct unrolled *u, lit_t l, uint32_t step)
{
	uint32_t node = l / 2;
	int sign = l & 1 ? -1 : 1;
	return sign * (int)(step * u->stride + node + 1);
}

static void clause(struct unrolled *u, int n, const int *l)
{
	for (int i = 0; i < n; i++)
		ccadical_add(u->sat, l[i]);
	ccadical_add(u->sat, 0);
}

#define CLAUSE(u, ...) clause((u), sizeof((int[]){__VA_ARGS__}) / sizeof(int), (int[]){__VA_ARGS__})

static void put_gates(struct unrolled *u, uint32_t step)
{
	const struct circuit *c = u->c;
	CLAUSE(u, -lit_at(u, LIT_FALSE, step));
	for (uint32_t i = 1 + c->fluents + c->moves; i < c->gates.n; i++) {
		const struct gate *g = &c->gates.at[i];
		const lit_t *in = c->inputs.at + g->in;
		int sign = g->kind == GATE_AND ? 1 : -1, out = sign * lit_at(u, i * 2, step);
		for (uint32_t k = 0; k < g->n; k++)
			CLAUSE(u, -out, sign * lit_at(u, in[k], step));
		for (uint32_t k = 0; k < g->n; k++)
			ccadical_add(u->sat, -sign * lit_at(u, in[k], step));
		CLAUSE(u, out);
	}
}

/* Exactly one move, and a legal one while the game goes on. */
static void put_moves(struct unrolled *u, uint32_t step, int going)
{
	const struct circuit *c = u->c;
	int before = 0;
	for (uint32_t m = 0; m < c->moves; m++) {
		int x = lit_at(u, circuit_move(c, m) * 2, step), s = ++u->vars;
		CLAUSE(u, -going, -x, lit_at(u, c->legal.at[m], step));
		CLAUSE(u, -x, s);
		if (before) {
			CLAUSE(u, -before, s);
			CLAUSE(u, -x, -before);
		}
		before = s;
	}
	for (uint32_t m = 0; m < c->moves; m++)
		ccadical_add(u->sat, lit_at(u, circuit_move(c, m) * 2, step));
	CLAUSE(u, -going);
}

static void put_step(struct unrolled *u, uint32_t step)
{
	const struct circuit *c = u->c;
	int alive = ++u->vars, going = ++u->vars, end = ++u->vars, terminal = lit_at(u, c->terminal, step);
	put_gates(u, step);
	/* going <-> alive and not terminal; end -> alive, terminal, goal 100 */
	CLAUSE(u, -going, alive);
	CLAUSE(u, -going, -terminal);
	CLAUSE(u, going, -alive, terminal);
	CLAUSE(u, -end, alive);
	CLAUSE(u, -end, terminal);
	CLAUSE(u, -end, lit_at(u, u->perfect, step));
	put_moves(u, step, going);
	for (uint32_t f = 0; f < c->fluents; f++) {
		int now = lit_at(u, c->next.at[f], step), then = lit_at(u, circuit_fluent(c, f) * 2, step + 1);
		CLAUSE(u, -now, then);
		CLAUSE(u, now, -then);
	}
	if (!step)
		CLAUSE(u, alive);
	else { /* alive here means going on there: going was made right after alive */
		int was = u->alive.at[step - 1] + 1;
		CLAUSE(u, -alive, was);
		CLAUSE(u, alive, -was);
	}
	vec_push(&u->alive, alive);
	vec_push(&u->ends, end);
}

/* How long random plays are, to begin with. */
static uint32_t usual_length(struct game *g)
{
	struct playout_job job = {.playouts = PLAYOUTS, .limit = limit_seconds(0.3), .threads = 1, .seed = 1, .max_steps = STEPS_MOST};
	struct playout_result r = {0};
	game_playouts(g, &job, &r);
	uint32_t n = r.playouts ? r.longest : 16;
	playout_result_free(&r);
	return n ? n : 1;
}

static int ask(struct unrolled *u, struct game *g, uint32_t steps, int conflicts)
{
	u->sat = ccadical_init();
	ccadical_set_option(u->sat, "quiet", 1);
	ccadical_set_option(u->sat, "phase", 0); /* most moves are not made */
	ccadical_set_terminate(u->sat, (void *)u->limit, out_of_time);
	u->vars = (int)((steps + 2) * u->stride);
	vec_clear(&u->ends);
	vec_clear(&u->alive);
	for (uint32_t f = 0; f < g->fluents; f++) {
		int l = lit_at(u, circuit_fluent(u->c, f) * 2, 0);
		CLAUSE(u, bits_has(g->initial, f) ? l : -l);
	}
	for (uint32_t t = 0; t <= steps; t++)
		put_step(u, t);
	for (size_t t = 0; t < u->ends.n; t++)
		ccadical_add(u->sat, u->ends.at[t]);
	ccadical_add(u->sat, 0);
	u->steps = steps;
	ccadical_limit(u->sat, "conflicts", conflicts);
	return ccadical_solve(u->sat);
}

static void read_plan(const struct unrolled *u, struct puzzle_result *r)
{
	for (uint32_t t = 0; t < u->ends.n; t++) {
		if (ccadical_val(u->sat, u->ends.at[t]) > 0)
			break;
		for (uint32_t m = 0; m < u->c->moves; m++)
			if (ccadical_val(u->sat, lit_at(u, circuit_move(u->c, m) * 2, t)) > 0) {
				vec_push(&r->plan, m);
				break;
			}
	}
}

/* The plan is played before it is believed. */
static bool plays(struct game *g, const struct puzzle_result *r)
{
	struct worker *w = worker_new(g);
	uint64_t *s = mem_alloc(g->words + 1, 8);
	bool ok = true;
	memcpy(s, g->initial, g->words * 8);
	for (size_t i = 0; i < r->plan.n && ok; i++) {
		struct view v = game_look(w, s);
		ok = false;
		for (uint32_t k = v.start[0]; k < v.start[1] && !v.terminal; k++)
			ok |= v.legal[k] == r->plan.at[i];
		game_next(w, s, &r->plan.at[i], s);
	}
	struct view v = game_look(w, s);
	ok = ok && v.terminal && v.goals[0] == 100;
	worker_free(w);
	mem_free(s);
	return ok;
}

static bool find_perfect(const struct circuit_engine *e, const struct circuit *c, lit_t *l)
{
	for (size_t i = 0; i < e->ground->goals.n; i++)
		if (e->goal_value[i] == 100) {
			*l = c->goals.at[i];
			return true;
		}
	return false;
}

bool puzzle_unrolled(struct game *g, const struct puzzle_options *o, struct puzzle_result *r)
{
	double start = clock_now();
	struct circuit c;
	struct unrolled u = {.c = &c, .limit = &o->limit};
	*r = (struct puzzle_result){.best = GOAL_NONE, .by = "unrolled rounds"};
	if (!acyclic_make(&c, &g->circuit->circuit, 2000000))
		return false;
	u.stride = (uint32_t)c.gates.n;
	bool found = false, more = find_perfect(g->circuit, &c, &u.perfect);
	size_t step_size = 5 * c.inputs.n + 8 * c.moves + 4 * c.fluents;
	/* That a length is too short may be hard to show and is not needed: every length
	 * gets a few conflicts, then all of them more. */
	uint32_t usual = usual_length(g), shortest = usual;
	for (int conflicts = 3000; more && !found && !limit_reached(&o->limit); conflicts *= 4) {
		more = false;
		for (uint32_t steps = shortest; !found && !limit_reached(&o->limit); steps += steps / 5 + 1) {
			if (steps > STEPS_MOST || steps > 4 * usual + 8 || step_size * (steps + 1) > LITERALS_MOST)
				break;
			int answer = ask(&u, g, steps, conflicts);
			found = answer == 10;
			more |= answer == 0;
			if (answer == 20 && steps == shortest)
				shortest += steps / 5 + 1;
			if (found)
				read_plan(&u, r);
			ccadical_release(u.sat);
		}
	}
	if (found && plays(g, r)) {
		r->best = 100;
		r->proved = true;
		r->depth = (uint32_t)r->plan.n;
	} else {
		found = false;
	}
	r->seconds = clock_now() - start;
	vec_free(&u.ends);
	vec_free(&u.alive);
	circuit_free(&c);
	return found;
}

/* Making the circuit's engine: ground program, circuit, and the programs of one state; those of playouts are in
 * rollout.c and decisive_rollouts.c, those of lists of states in circuit_expand.c. */
#include "game/circuit_internal.h"

#include "circuit/extract_pairs.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void make_full(struct circuit_engine *e)
{
	const struct circuit *c = &e->circuit;
	assert(c->legal.n == c->moves && c->next.n == c->fluents);
	output_list first = {0}, second = {0};
	uint32_t slot = c->fluents + c->moves;
	e->full_terminal = slot++;
	e->full_goals = slot;
	slot += narrow32(c->goals.n);
	e->full_next = slot;
	slot += c->fluents;
	e->full_percepts = slot;
	slot += narrow32(c->percepts.n);
	add_outputs(&first, c->legal.at, c->legal.n, c->fluents);
	add_outputs(&first, &c->terminal, 1, e->full_terminal);
	add_outputs(&first, c->goals.at, c->goals.n, e->full_goals);
	add_outputs(&second, c->next.at, c->next.n, e->full_next);
	add_outputs(&second, c->percepts.at, c->percepts.n, e->full_percepts);
	struct program_plan plan = {slot, NULL, first.at, second.at, first.n, second.n};
	program_make(&e->full, c, &plan);
	vec_free(&first);
	vec_free(&second);
}

static void find_live(struct circuit_engine *e)
{
	const struct circuit *c = &e->circuit;
	uint8_t *matters = NEW_ARRAY(uint8_t, c->fluents + 1);
	circuit_observable(c, matters);
	e->live = NEW_ARRAY(uint32_t, c->fluents + 1);
	for (uint32_t f = 0; f < c->fluents; f++)
		if (matters[f])
			e->live[e->live_count++] = f;
	assert(e->live_count <= c->fluents);
	mem_free(matters);
}

/* What is known in each phase, as masks that states can be compared with. */
static void make_phase_masks(struct circuit_engine *e)
{
	uint32_t fluents = e->circuit.fluents;
	size_t words = BITS_WORDS(fluents);
	e->phase_known = NEW_ARRAY(uint64_t, e->phases.period * words + 1);
	e->phase_holds = NEW_ARRAY(uint64_t, e->phases.period * words + 1);
	for (uint32_t k = 0; k < e->phases.period; k++)
		for (uint32_t f = 0; f < fluents; f++) {
			uint8_t known = e->phases.fluents[(size_t)k * fluents + f];
			if (known != OPEN)
				bits_add(e->phase_known + k * words, f);
			if (known == YES)
				bits_add(e->phase_holds + k * words, f);
		}
}

static void make_goals(struct circuit_engine *e)
{
	const struct circuit *c = &e->circuit;
	output_list goals = {0};
	e->goals_out = c->fluents;
	add_outputs(&goals, c->goals.at, c->goals.n, e->goals_out);
	struct program_plan plan = {e->goals_out + narrow32(c->goals.n), NULL, goals.at, NULL, goals.n, 0};
	program_make(&e->goals, c, &plan);
	e->slots = larger(e->slots, e->goals.slots);
	vec_free(&goals);
}

/* As many lanes as keep the slots of a step in the second cache; and machine
 * code for that width, for the programs that playouts mostly run. */
static void make_native(struct circuit_engine *e)
{
	uint32_t from = e->rollout_count > 1 ? 1 : 0, slots = 0;
	for (uint32_t i = from; i < e->rollout_count; i++)
		if (e->rollouts[i].program.slots > slots)
			slots = e->rollouts[i].program.slots;
	e->width = (size_t)slots * 64 > (native_wide() ? (size_t)1 << 20 : (size_t)400 << 10) ? 256 : 512;
	if (e->plain)
		return;
	for (uint32_t i = from; i < e->rollout_count; i++)
		native_make(&e->rollouts[i].native, &e->rollouts[i].program, e->width / 64);
	native_make(&e->goals_native, &e->goals, e->width / 64);
}

int goal_value(const char *text)
{
	char *end;
	long v = strtol(text, &end, 10);
	return end != text && !*end && v >= 0 && v <= 100 ? (int)v : GOAL_NONE;
}

static void read_goals(struct circuit_engine *e)
{
	const struct ground *g = e->ground;
	struct text t = {0};
	e->goal_value = NEW_ARRAY(int, g->goals.n + 1);
	for (size_t i = 0; i < g->goals.n; i++) {
		t.n = 0;
		term_print(&g->datalog.terms, &g->datalog.source->symbols, g->goals.at[i].term, &t);
		e->goal_value[i] = goal_value(text_str(&t));
	}
	text_free(&t);
}

/* `base` and `input` keep out what only looks reachable, and are believed; but some
 * public rulesheets leave out what is really reached. Where rules lead out of the
 * declarations, random walks without them show whether that ever happens. */
static struct ground *make_ground(struct gdl_rules *rules, struct ground_options *o, struct text *error)
{
	struct ground *ground = ground_make(rules, o, error);
	if (!ground || !ground->outside)
		return ground;
	struct text ignored = {0};
	struct circuit c;
	struct ground_options open = *o;
	size_t more = 4 * ground->instances + 100000;
	open.undeclared = true;
	open.max_instances = more < o->max_instances ? more : o->max_instances;
	struct ground *all = ground_make(rules, &open, &ignored);
	text_free(&ignored);
	if (!all)
		return ground;
	circuit_make(&c, all);
	bool reached = phases_reach(&c, all->moves.start.at, narrow32(all->roles.n), all->initial.at, all->strays.at);
	circuit_free(&c);
	ground_free(reached ? ground : all);
	return reached ? all : ground;
}

static struct ground_options ground_bounds(const struct game_options *o)
{
	/* about 150 bytes per instance, counting everything built from it */
	size_t memory = o->memory ? o->memory : mem_physical() / 2, instances = memory / 150;
	if (!instances) /* which would mean the default */
		instances = 1;
	if (instances > GROUND_INSTANCES)
		instances = GROUND_INSTANCES;
	return (struct ground_options){
		.limit = o->limit, .progress = o->progress, .context = o->context, .max_instances = instances};
}

/* That making a circuit takes for each rule instance and each atom, about. */
#define SECONDS_PER_INSTANCE 1.2e-6 /* of processor time */

/* From the ground program to code; false: out of time. */
static bool make_programs(struct circuit_engine *e, const struct limit *limit, double share)
{
	const struct ground *ground = e->ground;
	if (limit_left(limit) * share < SECONDS_PER_INSTANCE * (double)(ground->instances + ground->atoms))
		return false; /* these steps do not look at the clock */
	circuit_make(&e->circuit, ground);
	if (limit_reached(limit))
		return false;
	e->folded =
		phases_find(&e->phases, &e->circuit, ground->moves.start.at, narrow32(ground->roles.n), ground->initial.at);
	circuit_extract_pairs(&e->circuit);
	if (limit_reached(limit))
		return false;
	make_full(e);
	make_phase_masks(e);
	if (limit_reached(limit))
		return false;
	find_live(e);
	rollouts_make(e);
	if (limit_reached(limit))
		return false;
	make_goals(e);
	make_native(e);
	return !limit_reached(limit);
}

static void make_zobrist(struct circuit_engine *e)
{
	uint64_t seed = 0x6d61636177; /* fixed: hashes are the same in every run */
	e->zobrist = NEW_ARRAY(uint64_t, e->circuit.fluents + 1);
	for (uint32_t f = 0; f < e->circuit.fluents; f++)
		e->zobrist[f] = rng_split(&seed);
}

struct circuit_engine *circuit_engine_make(struct gdl_rules *rules, const struct game_options *o, struct text *error)
{
	double began = clock_now(), worked = clock_thread();
	struct ground_options bounds = ground_bounds(o);
	struct ground *ground = make_ground(rules, &bounds, error);
	if (!ground)
		return NULL;
	struct circuit_engine *e = NEW(struct circuit_engine);
	e->ground = ground;
	e->plain = o->plain;
	e->scope = mem_scope_current();
	e->later_lock = (struct thread_mutex)THREAD_TURN; /* guards nothing that could be half changed */
	double share = (clock_thread() - worked) / (clock_now() - began + 1e-9); /* of a processor that this thread gets */
	if (!make_programs(e, &o->limit, share < 1 ? share : 1)) {
		text_puts(error, "out of time while building the circuit");
		circuit_engine_free(e);
		return NULL;
	}
	read_goals(e);
	make_zobrist(e);
	for (uint32_t r = 0; r < ground->roles.n; r++)
		e->most_moves = larger(e->most_moves, ground->moves.start.at[r + 1] - ground->moves.start.at[r]);
	rules_view_make(e);
	return e;
}

struct thread_mutex *circuit_engine_lock(struct circuit_engine *e)
{
	return &e->later_lock;
}

void circuit_engine_free(struct circuit_engine *e)
{
	if (!e)
		return;
	ground_free(e->ground);
	circuit_free(&e->circuit);
	program_free(&e->full);
	for (uint32_t i = 0; i < e->rollout_count; i++)
		rollout_free(&e->rollouts[i]);
	for (uint32_t i = 0; i < DECISIVE_POLICIES; i++)
		decisive_rollouts_free(e->decisive[i], e->rollout_count);
	mem_free(e->exclusive);
	expander_free(e->expander);
	thread_mutex_free(&e->later_lock);
	mem_free(e->rollouts);
	phases_free(&e->phases);
	mem_free(e->phase_known);
	mem_free(e->phase_holds);
	program_free(&e->goals);
	native_free(&e->goals_native);
	mem_free(e->goal_value);
	mem_free(e->live);
	mem_free(e->zobrist);
	mem_free(e);
}

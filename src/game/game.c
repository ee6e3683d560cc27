/* The interface of game.h: passes each question to the circuit or the interpreter, whichever runs the game, and finds
 * fluents, moves, percepts and roles by their names. */
#include "game/game.h"

#include "base/check.h"
#include "base/hash.h"
#include "base/rng.h"
#include "game/attachment.h"
#include "game/engine_internal.h"

#include <string.h>
#include <strings.h>

/* That the interpreter may take beyond the limit for building: of it, and in any case. */
#define REST_SHARE 0.07
#define REST_SECONDS 0.1

struct worker {
	struct game *g;
	struct circuit_worker *circuit;
	struct interpreter_worker *interpreter;
};

static void adopt_circuit(struct game *g, struct circuit_engine *e)
{
	const struct ground *ground = e->ground;
	g->engine = ENGINE_CIRCUIT;
	g->circuit = e;
	g->roles = narrow32(ground->roles.n);
	g->random = ground->random;
	g->hidden = ground->hidden;
	g->fluents = narrow32(ground->fluents.n);
	g->moves = narrow32(ground->moves.n);
	g->percepts = narrow32(ground->percepts.n);
	g->words = (uint32_t)BITS_WORDS(g->fluents ? g->fluents : 1);
	g->initial = NEW_ARRAY(uint64_t, g->words);
	memcpy(g->initial, ground->initial.at, g->words * sizeof *g->initial);
	g->first_move = NEW_ARRAY(uint32_t, g->roles + 1);
	memcpy(g->first_move, ground->moves.start.at, (g->roles + 1) * sizeof *g->first_move);
}

struct circuit_work {
	struct game *g;
	struct game_options o;
	struct circuit_engine *made;
};

static void try_circuit(void *context)
{
	struct circuit_work *w = context;
	w->made = circuit_engine_make(w->g->rules, &w->o, &w->g->why);
}

/* Within the limits of time and memory; false with a reason in g->why. */
static bool make_circuit(struct game *g, const struct game_options *o)
{
	struct circuit_work w = {.g = g, .o = *o};
	text_add(&g->why, "", 0); /* before the work, whose memory may be taken back */
	if (!mem_part(g->memory, try_circuit, &w)) {
		g->why.n = 0;
		text_puts(&g->why, "the circuit would not fit the memory limit");
	} else if (w.made) {
		adopt_circuit(g, w.made);
	}
	return g->circuit;
}

static void check_rollout(const struct game *g, const struct rollout *r)
{
	for (uint32_t i = 0; i < g->roles; i++) {
		assert(r->first[i] <= r->first[i + 1]);
		assert(r->fixed[i] == GAME_NONE || game_role_of(g, r->fixed[i]) == i);
		for (uint32_t k = r->first[i]; k < r->first[i + 1]; k++)
			assert(game_role_of(g, r->moves[k]) == i);
	}
	assert(r->program.slots <= g->circuit->slots && r->base + r->first[g->roles] <= r->program.fixed);
	assert(r->next + g->circuit->live_count <= r->program.fixed && r->terminal < r->program.fixed);
}

static void check_circuit(const struct game *g)
{
	const struct circuit_engine *e = g->circuit;
	assert(g->fluents == e->ground->fluents.n && g->moves == e->ground->moves.n);
	assert(!g->first_move[0] && g->first_move[g->roles] == g->moves);
	for (uint32_t r = 0; r < g->roles; r++)
		assert(g->first_move[r] <= g->first_move[r + 1] && g->first_move[r + 1] - g->first_move[r] <= e->most_moves);
	for (uint32_t i = 0; i < e->live_count; i++)
		assert(e->live[i] < g->fluents && (!i || e->live[i - 1] < e->live[i]));
	for (size_t i = 0; i < e->ground->goals.n; i++)
		assert(e->goal_value[i] >= GOAL_NONE && e->goal_value[i] <= 100);
	assert(e->rollout_count >= 1 && e->goals.slots <= e->slots);
	for (uint32_t i = 0; i < e->rollout_count; i++)
		check_rollout(g, &e->rollouts[i]);
}

/* What game.h says of it (base/check.h). */
static void check(const struct game *g)
{
	assert(g->roles && g->roles <= GROUND_MAX_ROLES && g->random <= g->roles);
	assert(!g->circuit != !g->interpreter);
	assert(g->engine == (g->circuit ? ENGINE_CIRCUIT : ENGINE_INTERPRETER));
	assert(g->words == BITS_WORDS(g->fluents ? g->fluents : 1));
	assert(bits_next(g->initial, (size_t)g->words * 64, g->fluents) == (size_t)g->words * 64);
	if (g->circuit)
		check_circuit(g);
}

struct game *game_make(struct gdl_rules *rules, const struct game_options *o, struct text *error)
{
	double began = limit_now(&o->limit);
	struct limit rest = o->limit;
	if (rest.deadline > 0)
		rest.deadline += REST_SHARE * (rest.deadline > began ? rest.deadline - began : 0) + REST_SECONDS;
	struct game *g = NEW(struct game);
	g->rules = rules;
	g->memory = o->memory ? o->memory : mem_physical() / 2;
	if (o->engine != ENGINE_INTERPRETER && !make_circuit(g, o)) {
		if (o->engine == ENGINE_CIRCUIT) {
			text_puts(error, text_str(&g->why));
			game_free(g);
			return NULL;
		}
	}
	if (!g->circuit) {
		g->engine = ENGINE_INTERPRETER;
		if (!interpreter_engine_make(g, rest, error)) {
			game_free(g);
			return NULL;
		}
	}
	if (!g->roles) {
		text_puts(error, "the rules name no role");
		game_free(g);
		return NULL;
	}
	g->seconds = clock_now() - began;
	CHECK(check(g));
	return g;
}

struct thread_mutex *game_lock(struct game *g)
{
	return g->circuit ? circuit_engine_lock(g->circuit) : interpreter_engine_lock(g->interpreter);
}

void game_free(struct game *g)
{
	if (!g)
		return;
	if (g->attachment)
		g->attachment->free(g->attachment);
	circuit_engine_free(g->circuit);
	interpreter_engine_free(g->interpreter);
	mem_free(g->first_move);
	mem_free(g->initial);
	text_free(&g->why);
	mem_free(g);
}

/* ---- names -------------------------------------------------------------------------- */

static void print(const struct game *g, enum name_kind kind, uint32_t i, struct text *out)
{
	if (g->interpreter) {
		interpreter_print(g->interpreter, kind, i, out);
		return;
	}
	const struct ground *x = g->circuit->ground;
	term_t t = kind == NAME_ROLE     ? x->roles.at[i]
	           : kind == NAME_FLUENT ? x->fluents.at[i]
	           : kind == NAME_MOVE   ? x->moves.at[i].term
	                                 : x->percepts.at[i].term;
	term_print(&x->datalog.terms, &g->rules->symbols, t, out);
}

void game_print_role(const struct game *g, uint32_t role, struct text *out)
{
	assert(role < g->roles);
	print(g, NAME_ROLE, role, out);
}

void game_print_fluent(const struct game *g, uint32_t fluent, struct text *out)
{
	assert(fluent < g->fluents);
	print(g, NAME_FLUENT, fluent, out);
}

void game_print_move(const struct game *g, uint32_t move, struct text *out)
{
	assert(move < g->moves);
	print(g, NAME_MOVE, move, out);
}

void game_print_percept(const struct game *g, uint32_t percept, struct text *out)
{
	assert(percept < g->percepts);
	print(g, NAME_PERCEPT, percept, out);
}

uint32_t game_role_of(const struct game *g, uint32_t move)
{
	assert(move < g->moves);
	if (g->interpreter)
		return interpreter_role_of(g->interpreter, move);
	uint32_t r = 0;
	while (move >= g->first_move[r + 1])
		r++;
	return r;
}

/* ---- numbers of texts ------------------------------------------------------------------ */

static uint32_t find_output(const struct ground_outputs *o, uint32_t role, term_t t)
{
	for (uint32_t i = o->start.at[role]; i < o->start.at[role + 1]; i++)
		if (o->at[i].term == t)
			return i;
	return GAME_NONE;
}

static uint32_t find_in_circuit(const struct game *g, enum name_kind kind, uint32_t role,
                                const struct gdl_rules *question, node_t n)
{
	assert(role < g->roles);
	struct ground *x = g->circuit->ground;
	term_t t = term_of_node(&x->datalog.terms, &g->rules->symbols, question, n, DATALOG_MAX_ARGS, false);
	if (t == TERM_NONE)
		return GAME_NONE;
	if (kind != NAME_FLUENT)
		return find_output(kind == NAME_MOVE ? &x->moves : &x->percepts, role, t);
	for (uint32_t i = 0; i < g->fluents; i++)
		if (x->fluents.at[i] == t)
			return i;
	return GAME_NONE;
}

/* The rules are shared by threads and stay as they are: the term is read into a place of its own. */
static uint32_t find(const struct game *g, enum name_kind kind, uint32_t role, const char *text)
{
	assert(role < g->roles);
	struct gdl_rules *question = gdl_empty(g->rules->form);
	struct text error = {0};
	node_t n;
	uint32_t found = GAME_NONE;
	if (gdl_read_term(question, text, strlen(text), &n, &error)) {
		if (g->circuit)
			found = find_in_circuit(g, kind, role, question, n);
		else
			found = interpreter_find(g->interpreter, kind, role, question, n);
	}
	text_free(&error);
	gdl_free(question);
	return found;
}

uint32_t game_find_fluent(const struct game *g, const char *text)
{
	return find(g, NAME_FLUENT, 0, text);
}

uint32_t game_find_move(const struct game *g, uint32_t role, const char *text)
{
	assert(role < g->roles);
	return find(g, NAME_MOVE, role, text);
}

uint32_t game_find_percept(const struct game *g, uint32_t role, const char *text)
{
	assert(role < g->roles);
	return find(g, NAME_PERCEPT, role, text);
}

uint32_t game_find_role(const struct game *g, const char *text)
{
	struct text name = {0};
	uint32_t r;
	for (r = 0; r < g->roles; r++) {
		name.n = 0;
		game_print_role(g, r, &name);
		if (!strcasecmp(text_str(&name), text))
			break;
	}
	text_free(&name);
	return r < g->roles ? r : GAME_NONE;
}

uint64_t game_hash(const struct game *g, const uint64_t *state)
{
	const uint64_t *zobrist = g->circuit ? g->circuit->zobrist : interpreter_zobrist(g->interpreter);
	uint64_t h = 0;
	BITS_EACH (f, state, g->fluents)
		h ^= zobrist[f];
	return h;
}

/* ---- workers --------------------------------------------------------------------------- */

struct worker *worker_new(struct game *g)
{
	struct worker *w = NEW(struct worker);
	w->g = g;
	if (g->circuit)
		w->circuit = circuit_worker_new(g);
	else
		w->interpreter = interpreter_worker_new(g);
	return w;
}

void worker_free(struct worker *w)
{
	if (!w)
		return;
	if (w->circuit)
		circuit_worker_free(w->circuit);
	if (w->interpreter)
		interpreter_worker_free(w->interpreter);
	mem_free(w);
}

const char *worker_trouble(const struct worker *w)
{
	return w->interpreter ? interpreter_worker_trouble(w->interpreter) : NULL;
}

void worker_limit(struct worker *w, struct limit limit)
{
	if (w->interpreter)
		interpreter_worker_limit(w->interpreter, limit);
}

struct view game_look(struct worker *w, const uint64_t *state)
{
	return w->circuit ? circuit_look(w->circuit, state) : interpreter_look(w->interpreter, state);
}

void game_next(struct worker *w, const uint64_t *state, const uint32_t *moves, uint64_t *next)
{
	if (w->circuit)
		circuit_next(w->circuit, state, moves, next);
	else
		interpreter_apply(w->interpreter, state, moves, next);
}

struct percepts game_sees(struct worker *w, const uint64_t *state, const uint32_t *moves)
{
	return w->circuit ? circuit_sees(w->circuit, state, moves) : interpreter_percepts(w->interpreter, state, moves);
}

uint64_t game_seen_hash(const uint32_t *seen, uint32_t n)
{
	uint64_t h = 0;
	for (uint32_t i = 0; i < n; i++)
		h ^= hash_mix(seen[i] + UINT64_C(1));
	return h;
}

bool game_random_move(const struct game *g, const struct view *v, struct rng *rng, uint32_t *moves)
{
	for (uint32_t r = 0; r < g->roles; r++) {
		uint32_t n = v->start[r + 1] - v->start[r];
		if (!n)
			return false;
		moves[r] = v->legal[v->start[r] + (n > 1 ? rng_below(rng, n) : 0)];
	}
	return true;
}

uint32_t game_legal_words(const struct game *g)
{
	return (uint32_t)BITS_WORDS(g->moves ? g->moves : 1);
}

/* Moves that are met on the way may get numbers that do not fit the row: they are left out there. */
static void write_view(const struct game *g, const struct view *v, const struct expansion *e, size_t i)
{
	uint32_t words = game_legal_words(g);
	if (e->terminal)
		e->terminal[i] = v->terminal;
	if (e->goals)
		memcpy(e->goals + i * g->roles, v->goals, g->roles * sizeof *v->goals);
	if (!e->legal)
		return;
	memset(e->legal + i * words, 0, words * sizeof *e->legal);
	for (uint32_t k = 0; k < v->start[g->roles]; k++)
		if (v->legal[k] < words * 64)
			bits_add(e->legal + i * words, v->legal[k]);
}

/* One pair after another, for the interpreter. */
static void expand_singly(struct worker *w, const struct expansion *e)
{
	const struct game *g = w->g;
	uint64_t *next = NEW_ARRAY(uint64_t, g->words);
	for (size_t i = 0; i < e->count; i++) {
		const uint64_t *state = e->states + (e->one_state ? 0 : i * g->words);
		const uint32_t *moves = e->moves ? e->moves + i * g->roles : NULL;
		if (e->seen && moves) {
			struct percepts p = game_sees(w, state, moves);
			for (uint32_t r = 0; r < g->roles; r++)
				e->seen[i * g->roles + r] = game_seen_hash(p.seen + p.start[r], p.start[r + 1] - p.start[r]);
		}
		if (moves)
			game_next(w, state, moves, next);
		if (e->next && moves)
			memcpy(e->next + i * g->words, next, g->words * sizeof *next);
		if (e->terminal || e->goals || e->legal) {
			struct view v = game_look(w, moves ? next : state);
			write_view(g, &v, e, i);
		}
	}
	mem_free(next);
}

void game_expand(struct worker *w, const struct expansion *e)
{
	if (w->circuit)
		circuit_expand(w->circuit, e);
	else
		expand_singly(w, e);
}

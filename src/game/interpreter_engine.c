/* The interpreter behind the interface of game.h.
 *
 * Every worker has an interpreter with terms of its own; what they share is the
 * numbering of fluents, moves and percepts as terms of the engine, kept behind a
 * lock and asked only when a worker meets a term for the first time. A term is
 * known by its structure, never by its text: texts can be exponentially long. */
#include "game/engine_internal.h"
#include "interp/interpreter.h"

#include <assert.h>
#include <string.h>

/* What has a number: a term, of a role where roles matter. */
struct numbers {
	VEC(struct numbered {
		uint32_t role;
		term_t term;
	}) all;
	struct table index;
};

struct interpreter_engine {
	struct gdl_rules *rules;
	struct thread_mutex lock;
	struct mem_scope *scope; /* that the engine was made in: where new names belong too */
	struct terms terms;
	VEC(uint64_t) hashes; /* by term: of names and structure, so that it is the same in every process */
	VEC(char *) roles;
	struct numbers numbers[4]; /* by name_kind */
	uint64_t *zobrist;         /* by fluent */
	atomic_bool full;          /* more fluents or moves than there are numbers */
	const char *_Atomic lost;  /* why a state could not be computed, the last time */
};

/* The last number is no fluent but says that the state could not be computed: so a position never looks like
 * one of the game when the interpreter gave up on the way to it. */
#define LOST (INTERPRETER_MAX_FLUENTS - 1)

/* ---- numbers and texts ---------------------------------------------------------------- */

static uint64_t number_hash(uint32_t role, term_t t)
{
	return hash_join(hash_mix(t), role);
}

/* SYM_NONE: it has none; the lock is held. */
static uint32_t find_number(const struct numbers *n, uint32_t role, term_t t)
{
	uint64_t h = number_hash(role, t);
	uint32_t it, id;
	for (table_start(&n->index, h, &it); (id = table_next(&n->index, h, &it)) != TABLE_NONE;)
		if (n->all.at[id].term == t && n->all.at[id].role == role)
			return id;
	return SYM_NONE;
}

/* Parts of terms come before them, so one pass is enough. */
static void hash_new_terms(struct interpreter_engine *e)
{
	for (term_t t = (term_t)e->hashes.n; t < e->terms.all.n; t++) {
		const struct term *x = &e->terms.all.at[t];
		const struct sym_entry *name = &e->rules->symbols.all.at[x->name];
		uint64_t h = hash_join(hash_bytes(name->text, name->length), x->argc);
		for (uint32_t i = 0; i < x->argc; i++)
			h = hash_join(h, e->hashes.at[term_args(&e->terms, t)[i]]);
		vec_push(&e->hashes, h);
	}
}

/* A new number, with the lock held; SYM_NONE: there are no more. */
static uint32_t new_number(struct interpreter_engine *e, enum name_kind kind, uint32_t role, term_t t)
{
	struct numbers *n = &e->numbers[kind];
	uint32_t id = narrow32(n->all.n);
	if (id >= LOST) {
		e->full = true;
		return SYM_NONE;
	}
	struct mem_scope *previous = mem_scope_enter(e->scope);
	hash_new_terms(e);
	vec_reserve(&n->all, n->all.n + 1);
	table_add(&n->index, number_hash(role, t), id); /* the last step that can fail */
	vec_push(&n->all, ((struct numbered){role, t}));
	if (kind == NAME_FLUENT)
		e->zobrist[id] = hash_mix(e->hashes.at[t]);
	mem_scope_leave(previous);
	assert(e->hashes.n == e->terms.all.n);
	return id;
}

static uint32_t number_of(struct interpreter_engine *e, enum name_kind kind, uint32_t role, term_t t)
{
	uint32_t id = find_number(&e->numbers[kind], role, t);
	return id == SYM_NONE ? new_number(e, kind, role, t) : id;
}

/* TERM_NONE: nothing with this number was met so far; the lock is held. */
static term_t term_of(const struct interpreter_engine *e, enum name_kind kind, uint32_t number)
{
	assert(kind <= NAME_PERCEPT && number < INTERPRETER_MAX_FLUENTS);
	return number < e->numbers[kind].all.n ? e->numbers[kind].all.at[number].term : TERM_NONE;
}

const uint64_t *interpreter_zobrist(const struct interpreter_engine *e)
{
	return e->zobrist;
}

void interpreter_print(const struct interpreter_engine *e, enum name_kind kind, uint32_t number, struct text *out)
{
	assert(kind <= NAME_PERCEPT && number < INTERPRETER_MAX_FLUENTS);
	struct interpreter_engine *locked = unconst(e);
	if (kind == NAME_ROLE) {
		text_puts(out, e->roles.at[number]);
		return;
	}
	thread_lock(&locked->lock);
	term_t t = term_of(e, kind, number);
	if (t != TERM_NONE)
		term_print(&e->terms, &e->rules->symbols, t, out);
	thread_unlock(&locked->lock);
}

uint32_t interpreter_role_of(const struct interpreter_engine *e, uint32_t move)
{
	struct interpreter_engine *locked = unconst(e);
	thread_lock(&locked->lock);
	uint32_t r = move < e->numbers[NAME_MOVE].all.n ? e->numbers[NAME_MOVE].all.at[move].role : GAME_NONE;
	thread_unlock(&locked->lock);
	return r;
}

/* A fluent may get its number here: no position that was met need contain it. */
uint32_t interpreter_find(struct interpreter_engine *e, enum name_kind kind, uint32_t role,
                          const struct gdl_rules *question, node_t node)
{
	bool add = kind == NAME_FLUENT;
	uint32_t id = SYM_NONE;
	thread_lock(&e->lock);
	term_t t = term_of_node(&e->terms, &e->rules->symbols, question, node, DATALOG_MAX_ARGS, add);
	if (t != TERM_NONE && !term_is_large(&e->terms, t))
		id = add ? number_of(e, kind, 0, t) : find_number(&e->numbers[kind], role, t);
	thread_unlock(&e->lock);
	return id == SYM_NONE ? GAME_NONE : id;
}

/* ---- workers --------------------------------------------------------------------------- */

struct interpreter_worker {
	struct game *g;
	struct interpreter_engine *e;
	struct interpreter *in;
	struct term_copies shared, own; /* terms of the interpreter as terms of the engine, and back */
	VEC(uint32_t) number;           /* of fluents, by term; SYM_NONE: not met */
	VEC(term_t) term[4];            /* by number; TERM_NONE: not met */
	const char *lost;               /* why the state at hand could not be computed; NULL: it was */
	struct limit limit;             /* of the caller */
	term_list list;
	VEC(term_t) state;
	term_t *joint; /* by role */
	struct role_list legal, seen;
	int *goals;
};

static uint32_t worker_number(struct interpreter_worker *w, enum name_kind kind, uint32_t role, term_t t)
{
	assert(role <= w->g->roles);
	bool cached = kind == NAME_FLUENT;
	if (cached && t < w->number.n && w->number.at[t] != SYM_NONE)
		return w->number.at[t];
	thread_lock(&w->e->lock);
	uint32_t id = number_of(w->e, kind, role, term_copy(&w->shared, interpreter_terms(w->in), t, &w->e->terms));
	thread_unlock(&w->e->lock);
	assert(id == SYM_NONE || id < LOST);
	if (cached && id != SYM_NONE) {
		while (w->number.n <= t)
			vec_push(&w->number, SYM_NONE);
		w->number.at[t] = id;
	}
	if (id != SYM_NONE) {
		while (w->term[kind].n <= id)
			vec_push(&w->term[kind], TERM_NONE);
		w->term[kind].at[id] = t;
	}
	return id;
}

/* TERM_NONE: a number that nobody has met. */
static term_t worker_term(struct interpreter_worker *w, enum name_kind kind, uint32_t number)
{
	assert(number < INTERPRETER_MAX_FLUENTS);
	if (number < w->term[kind].n && w->term[kind].at[number] != TERM_NONE)
		return w->term[kind].at[number];
	thread_lock(&w->e->lock);
	term_t t = term_of(w->e, kind, number);
	if (t != TERM_NONE)
		t = term_copy(&w->own, &w->e->terms, t, interpreter_terms(w->in));
	thread_unlock(&w->e->lock);
	while (w->term[kind].n <= number)
		vec_push(&w->term[kind], TERM_NONE);
	return w->term[kind].at[number] = t;
}

struct interpreter_worker *interpreter_worker_new(struct game *g)
{
	struct interpreter_worker *w = NEW(struct interpreter_worker);
	struct text error = {0};
	w->g = g;
	w->e = g->interpreter;
	/* without a lock, since it only reads the rules, and without a limit, since the engine's own was made within one */
	w->in = interpreter_make(g->rules, (struct limit){0}, g->memory, &error);
	text_free(&error);
	interpreter_worker_limit(w, (struct limit){0});
	w->goals = NEW_ARRAY(int, g->roles + 1);
	w->joint = NEW_ARRAY(term_t, g->roles + 1);
	return w;
}

void interpreter_worker_free(struct interpreter_worker *w)
{
	interpreter_free(w->in);
	term_copies_free(&w->shared);
	term_copies_free(&w->own);
	vec_free(&w->number);
	for (int k = 0; k < 4; k++)
		vec_free(&w->term[k]);
	vec_free(&w->list);
	vec_free(&w->state);
	vec_free(&w->legal.items);
	vec_free(&w->legal.start);
	vec_free(&w->seen.items);
	vec_free(&w->seen.start);
	mem_free(w->goals);
	mem_free(w->joint);
	mem_free(w);
}

const char *interpreter_worker_trouble(const struct interpreter_worker *w)
{
	if (w->e->full)
		return "more fluents or moves than the interpreter can number";
	return w->lost ? w->lost : interpreter_trouble(w->in);
}

void interpreter_worker_limit(struct interpreter_worker *w, struct limit limit)
{
	w->limit = limit;
	interpreter_limit(w->in, (struct limit){.within = &w->limit,
	                                        .stop = w->g->within.stop,
	                                        .deadline = w->g->within.deadline,
	                                        .clock = w->g->within.clock});
}

static void set_state(struct interpreter_worker *w, const uint64_t *state, const uint32_t *moves)
{
	vec_clear(&w->state);
	w->lost = bits_has(state, LOST) ? w->e->lost : NULL;
	BITS_EACH (f, state, LOST) {
		term_t t = worker_term(w, NAME_FLUENT, (uint32_t)f);
		if (t != TERM_NONE) /* a number that nobody has met is a fluent of no rule */
			vec_push(&w->state, t);
	}
	for (uint32_t r = 0; moves && r < w->g->roles; r++)
		w->joint[r] = worker_term(w, NAME_MOVE, moves[r]);
	interpreter_set(w->in, w->state.at, w->state.n, moves ? w->joint : NULL);
}

/* Numbers of the terms in w->list, added to `to` as one role's, ascending. */
static void add_role(struct interpreter_worker *w, struct role_list *to, enum name_kind kind, uint32_t role)
{
	assert(role <= w->g->roles);
	size_t from = to->items.n;
	vec_push(&to->start, (uint32_t)from);
	for (size_t i = 0; i < w->list.n; i++) {
		uint32_t id = worker_number(w, kind, role, w->list.at[i]);
		if (id != SYM_NONE)
			vec_push(&to->items, id);
	}
	sort_numbers(to->items.at + from, to->items.n - from);
}

struct view interpreter_look(struct interpreter_worker *w, const uint64_t *state)
{
	assert(w->g->words == BITS_WORDS(INTERPRETER_MAX_FLUENTS));
	set_state(w, state, NULL);
	vec_clear(&w->legal.items);
	vec_clear(&w->legal.start);
	bool terminal = interpreter_terminal(w->in);
	for (uint32_t r = 0; r < w->g->roles; r++) {
		vec_clear(&w->list);
		interpreter_goal(w->in, r, &w->list);
		w->goals[r] = GOAL_NONE;
		if (w->list.n == 1 && !interpreter_terms(w->in)->all.at[w->list.at[0]].argc)
			w->goals[r] =
				goal_value(sym_text(&w->e->rules->symbols, interpreter_terms(w->in)->all.at[w->list.at[0]].name));
		vec_clear(&w->list);
		interpreter_legal(w->in, r, &w->list);
		add_role(w, &w->legal, NAME_MOVE, r);
	}
	vec_push(&w->legal.start, narrow32(w->legal.items.n));
	assert(w->legal.start.n == w->g->roles + 1);
	return (struct view){terminal, w->legal.items.at, w->legal.start.at, w->goals};
}

static void to_state(struct interpreter_worker *w, uint64_t *state)
{
	memset(state, 0, w->g->words * sizeof *state);
	for (size_t i = 0; i < w->list.n; i++) {
		uint32_t id = worker_number(w, NAME_FLUENT, 0, w->list.at[i]);
		if (id != SYM_NONE)
			bits_add(state, id);
	}
	const char *trouble = interpreter_worker_trouble(w);
	if (trouble) {
		w->e->lost = trouble;
		bits_add(state, LOST);
	}
}

void interpreter_apply(struct interpreter_worker *w, const uint64_t *state, const uint32_t *moves, uint64_t *next)
{
	set_state(w, state, moves);
	vec_clear(&w->list);
	interpreter_next(w->in, &w->list);
	to_state(w, next);
}

struct percepts interpreter_percepts(struct interpreter_worker *w, const uint64_t *state, const uint32_t *moves)
{
	set_state(w, state, moves);
	vec_clear(&w->seen.items);
	vec_clear(&w->seen.start);
	for (uint32_t r = 0; r < w->g->roles; r++) {
		vec_clear(&w->list);
		interpreter_sees(w->in, r, &w->list);
		add_role(w, &w->seen, NAME_PERCEPT, r);
	}
	vec_push(&w->seen.start, narrow32(w->seen.items.n));
	assert(w->seen.start.n == w->g->roles + 1);
	return (struct percepts){w->seen.items.at, w->seen.start.at};
}

/* ---- the engine -------------------------------------------------------------------------- */

/* Begins the store of terms in the scope of the engine: it grows there, whoever adds to it. False: they are too many.
 */
static bool read_roles(struct game *g, struct interpreter_engine *e, struct interpreter *in, struct text *error)
{
	term_list roles = {0};
	interpreter_roles(in, &roles);
	term_put(&e->terms, GDL_RANDOM, 0, NULL);
	vec_reserve(&e->terms.kids, 1);
	g->roles = g->random = narrow32(roles.n);
	bool few = roles.n <= GROUND_MAX_ROLES;
	if (!few)
		text_printf(error, GROUND_MANY_ROLES, roles.n, GROUND_MAX_ROLES);
	for (uint32_t r = 0; few && r < roles.n; r++) {
		struct text t = {0};
		term_print(interpreter_terms(in), &g->rules->symbols, roles.at[r], &t);
		vec_push(&e->roles, t.at);
		if (interpreter_terms(in)->all.at[roles.at[r]].name == GDL_RANDOM)
			g->random = r;
	}
	vec_free(&roles);
	return few;
}

struct interpreter_engine *interpreter_engine_make(struct game *g, struct limit limit, struct text *error)
{
	struct interpreter *in = interpreter_make(g->rules, limit, g->memory, error);
	if (!in)
		return NULL;
	struct interpreter_engine *e = NEW(struct interpreter_engine);
	e->rules = g->rules;
	e->zobrist = NEW_ARRAY(uint64_t, INTERPRETER_MAX_FLUENTS);
	e->lock = (struct thread_mutex)THREAD_TURN; /* a number is added as a whole or not at all */
	e->scope = mem_scope_current();
	g->interpreter = e;
	bool few = read_roles(g, e, in, error);
	interpreter_free(in);
	if (!few)
		return NULL; /* what there is of it is the game's */
	for (size_t i = 0; i < g->rules->clauses.n; i++) {
		const struct gdl_node *head = &g->rules->nodes.at[g->rules->clauses.at[i].head];
		g->hidden |= head->name == GDL_SEES && head->argc == 2;
	}
	g->fluents = g->moves = g->percepts = INTERPRETER_MAX_FLUENTS;
	g->words = (uint32_t)BITS_WORDS(g->fluents);
	g->initial = NEW_ARRAY(uint64_t, g->words);
	struct interpreter_worker *w = interpreter_worker_new(g);
	interpreter_worker_limit(w, limit);
	interpreter_initial(w->in, &w->list);
	to_state(w, g->initial);
	const char *trouble = interpreter_worker_trouble(w);
	if (trouble)
		text_puts(error, trouble);
	interpreter_worker_free(w);
	if (trouble) {
		g->interpreter = NULL;
		interpreter_engine_free(e);
		return NULL;
	}
	return e;
}

struct thread_mutex *interpreter_engine_lock(struct interpreter_engine *e)
{
	return &e->lock;
}

void interpreter_engine_free(struct interpreter_engine *e)
{
	if (!e)
		return;
	for (size_t i = 0; i < e->roles.n; i++)
		mem_free(e->roles.at[i]);
	vec_free(&e->roles);
	for (int k = 0; k < 4; k++) {
		vec_free(&e->numbers[k].all);
		table_free(&e->numbers[k].index);
	}
	term_free(&e->terms);
	vec_free(&e->hashes);
	mem_free(e->zobrist);
	thread_mutex_free(&e->lock);
	mem_free(e);
}

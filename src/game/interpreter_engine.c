/* The interpreter behind the interface of game.h.
 *
 * Every worker has an interpreter with terms of its own; what they share is the
 * numbering of fluents, moves and percepts by their text, kept behind a lock and
 * asked only when a worker meets a term for the first time. */
#include "game/engine_internal.h"
#include "interp/interpreter.h"

#include <string.h>

struct interpreter_engine {
	struct gdl_rules *rules;
	struct thread_mutex lock;
	struct mem_scope *scope; /* that the engine was made in: where new names belong too */
	VEC(char *) roles;
	struct symbols names[4];  /* by name_kind; moves and percepts behind "role " */
	VEC(uint32_t) move_roles; /* by move */
	uint64_t *zobrist;        /* by fluent: a hash of its text, so that it is the same in every process */
	atomic_bool full;         /* more fluents or moves than there are numbers */
};

/* ---- numbers and texts ---------------------------------------------------------------- */

/* The key of a term: its text, behind the role's number where roles matter. */
static void key_text(enum name_kind kind, uint32_t role, const char *text, struct text *out)
{
	out->n = 0;
	if (kind == NAME_MOVE || kind == NAME_PERCEPT)
		text_printf(out, "%u ", role);
	text_puts(out, text);
}

/* A new number, with the lock held; SYM_NONE: there are no more. */
static uint32_t new_number(struct interpreter_engine *e, enum name_kind kind, uint32_t role, const struct text *key)
{
	if (e->names[kind].all.n >= INTERPRETER_MAX_FLUENTS) {
		e->full = true;
		return SYM_NONE;
	}
	struct mem_scope *previous = mem_scope_enter(e->scope);
	if (kind == NAME_MOVE)
		vec_reserve(&e->move_roles, e->move_roles.n + 1); /* first: sym_put is the last step that can fail */
	uint32_t id = sym_put(&e->names[kind], key->at, key->n);
	if (kind == NAME_MOVE)
		vec_push(&e->move_roles, role);
	if (kind == NAME_FLUENT)
		e->zobrist[id] = hash_mix(hash_bytes(key->at, key->n));
	mem_scope_leave(previous);
	return id;
}

static uint32_t number_of(struct interpreter_engine *e, enum name_kind kind, uint32_t role, const char *text)
{
	struct text key = {0};
	key_text(kind, role, text, &key);
	thread_lock(&e->lock);
	uint32_t id = sym_find(&e->names[kind], key.at, key.n);
	if (id == SYM_NONE)
		id = new_number(e, kind, role, &key);
	thread_unlock(&e->lock);
	text_free(&key);
	return id;
}

/* "" when nothing with this number was met so far. */
static const char *text_of(const struct interpreter_engine *e, enum name_kind kind, uint32_t number)
{
	if (kind == NAME_ROLE)
		return e->roles.at[number];
	struct interpreter_engine *locked = (struct interpreter_engine *)e;
	const char *t = NULL;
	thread_lock(&locked->lock);
	if (number < e->names[kind].all.n)
		t = sym_text(&e->names[kind], number); /* text never moves */
	thread_unlock(&locked->lock);
	return !t ? "" : kind == NAME_FLUENT ? t : strchr(t, ' ') + 1;
}

const uint64_t *interpreter_zobrist(const struct interpreter_engine *e)
{
	return e->zobrist;
}

void interpreter_print(const struct interpreter_engine *e, enum name_kind kind, uint32_t number, struct text *out)
{
	text_puts(out, text_of(e, kind, number));
}

uint32_t interpreter_role_of(const struct interpreter_engine *e, uint32_t move)
{
	struct interpreter_engine *locked = (struct interpreter_engine *)e;
	thread_lock(&locked->lock);
	uint32_t r = move < e->move_roles.n ? e->move_roles.at[move] : GAME_NONE;
	thread_unlock(&locked->lock);
	return r;
}

uint32_t interpreter_find(struct interpreter_engine *e, enum name_kind kind, uint32_t role,
                          const struct gdl_rules *question, node_t node)
{
	struct text text = {0}, key = {0};
	uint32_t id;
	gdl_print_node(question, node, GDL_KIF, &text);
	if (kind == NAME_FLUENT) { /* may get its number here: no position that was met need contain it */
		id = number_of(e, kind, role, text_str(&text));
	} else {
		key_text(kind, role, text_str(&text), &key);
		thread_lock(&e->lock);
		id = sym_find(&e->names[kind], key.at, key.n);
		thread_unlock(&e->lock);
	}
	text_free(&text);
	text_free(&key);
	return id == SYM_NONE ? GAME_NONE : id;
}

/* ---- workers --------------------------------------------------------------------------- */

struct interpreter_worker {
	struct game *g;
	struct interpreter_engine *e;
	struct interpreter *in;
	VEC(uint32_t) number[4]; /* by term, for fluents only; SYM_NONE: not met */
	VEC(term_t) term[4];     /* by number; TERM_NONE: not met */
	term_list list;
	VEC(term_t) state;
	term_t *joint; /* by role */
	struct role_list legal, seen;
	int *goals;
	struct text text;
};

static uint32_t worker_number(struct interpreter_worker *w, enum name_kind kind, uint32_t role, term_t t)
{
	bool cached = kind == NAME_FLUENT;
	if (cached && t < w->number[kind].n && w->number[kind].at[t] != SYM_NONE)
		return w->number[kind].at[t];
	w->text.n = 0;
	term_print(interpreter_terms(w->in), &w->e->rules->symbols, t, &w->text);
	uint32_t id = number_of(w->e, kind, role, text_str(&w->text));
	if (cached && id != SYM_NONE) {
		while (w->number[kind].n <= t)
			vec_push(&w->number[kind], SYM_NONE);
		w->number[kind].at[t] = id;
	}
	if (id != SYM_NONE) {
		while (w->term[kind].n <= id)
			vec_push(&w->term[kind], TERM_NONE);
		w->term[kind].at[id] = t;
	}
	return id;
}

/* The names in texts of the engine are symbols of the rules. */
static term_t build_term(struct interpreter_worker *w, const struct gdl_rules *read, node_t n)
{
	const struct gdl_node *x = &read->nodes.at[n];
	const struct sym_entry *name = &read->symbols.all.at[x->name];
	term_t args[DATALOG_MAX_ARGS];
	for (uint32_t i = 0; i < x->argc && i < DATALOG_MAX_ARGS; i++)
		args[i] = build_term(w, read, gdl_arg(read, n, i));
	return term_put(interpreter_terms(w->in), sym_find(&w->e->rules->symbols, name->text, name->length), x->argc, args);
}

/* A number that another worker met first is read back from its text. */
static term_t worker_term(struct interpreter_worker *w, enum name_kind kind, uint32_t number)
{
	if (number < w->term[kind].n && w->term[kind].at[number] != TERM_NONE)
		return w->term[kind].at[number];
	const char *text = text_of(w->e, kind, number);
	struct gdl_rules *read = gdl_empty(GDL_KIF);
	struct text error = {0};
	node_t n;
	term_t t = TERM_NONE;
	if (gdl_read_term(read, text, strlen(text), &n, &error))
		t = build_term(w, read, n);
	text_free(&error);
	gdl_free(read);
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
	w->in = interpreter_make(g->rules, &error); /* without a lock: it only reads the rules */
	text_free(&error);
	w->goals = NEW_ARRAY(int, g->roles + 1);
	w->joint = NEW_ARRAY(term_t, g->roles + 1);
	return w;
}

void interpreter_worker_free(struct interpreter_worker *w)
{
	interpreter_free(w->in);
	for (int k = 0; k < 4; k++) {
		vec_free(&w->number[k]);
		vec_free(&w->term[k]);
	}
	vec_free(&w->list);
	vec_free(&w->state);
	vec_free(&w->legal.items);
	vec_free(&w->legal.start);
	vec_free(&w->seen.items);
	vec_free(&w->seen.start);
	mem_free(w->goals);
	mem_free(w->joint);
	text_free(&w->text);
	mem_free(w);
}

const char *interpreter_worker_trouble(const struct interpreter_worker *w)
{
	return w->e->full ? "more fluents or moves than the interpreter can number" : interpreter_trouble(w->in);
}

void interpreter_worker_limit(struct interpreter_worker *w, struct limit limit)
{
	interpreter_limit(w->in, limit);
}

static void set_state(struct interpreter_worker *w, const uint64_t *state, const uint32_t *moves)
{
	vec_clear(&w->state);
	BITS_EACH(f, state, w->g->fluents) {
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
	set_state(w, state, NULL);
	vec_clear(&w->legal.items);
	vec_clear(&w->legal.start);
	bool terminal = interpreter_terminal(w->in);
	for (uint32_t r = 0; r < w->g->roles; r++) {
		vec_clear(&w->list);
		interpreter_goal(w->in, r, &w->list);
		w->goals[r] = GOAL_NONE;
		if (w->list.n == 1) {
			w->text.n = 0;
			term_print(interpreter_terms(w->in), &w->e->rules->symbols, w->list.at[0], &w->text);
			w->goals[r] = goal_value(text_str(&w->text));
		}
		vec_clear(&w->list);
		interpreter_legal(w->in, r, &w->list);
		add_role(w, &w->legal, NAME_MOVE, r);
	}
	vec_push(&w->legal.start, (uint32_t)w->legal.items.n);
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
	vec_push(&w->seen.start, (uint32_t)w->seen.items.n);
	return (struct percepts){w->seen.items.at, w->seen.start.at};
}

/* ---- the engine -------------------------------------------------------------------------- */

static void read_roles(struct game *g, struct interpreter_engine *e, struct interpreter *in)
{
	term_list roles = {0};
	interpreter_roles(in, &roles);
	g->roles = g->random = (uint32_t)roles.n;
	for (uint32_t r = 0; r < roles.n; r++) {
		struct text t = {0};
		term_print(interpreter_terms(in), &g->rules->symbols, roles.at[r], &t);
		vec_push(&e->roles, t.at);
		if (interpreter_terms(in)->all.at[roles.at[r]].name == GDL_RANDOM)
			g->random = r;
	}
	vec_free(&roles);
}

struct interpreter_engine *interpreter_engine_make(struct game *g, struct text *error)
{
	struct interpreter *in = interpreter_make(g->rules, error);
	if (!in)
		return NULL;
	struct interpreter_engine *e = NEW(struct interpreter_engine);
	e->rules = g->rules;
	e->zobrist = NEW_ARRAY(uint64_t, INTERPRETER_MAX_FLUENTS);
	e->lock = (struct thread_mutex)THREAD_TURN; /* a number is added as a whole or not at all */
	e->scope = mem_scope_current();
	g->interpreter = e;
	read_roles(g, e, in);
	interpreter_free(in);
	for (size_t i = 0; i < g->rules->clauses.n; i++) {
		const struct gdl_node *head = &g->rules->nodes.at[g->rules->clauses.at[i].head];
		g->hidden |= head->name == GDL_SEES && head->argc == 2;
	}
	g->fluents = g->moves = g->percepts = INTERPRETER_MAX_FLUENTS;
	g->words = (uint32_t)BITS_WORDS(g->fluents);
	g->initial = NEW_ARRAY(uint64_t, g->words);
	struct interpreter_worker *w = interpreter_worker_new(g);
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

void interpreter_engine_free(struct interpreter_engine *e)
{
	if (!e)
		return;
	for (size_t i = 0; i < e->roles.n; i++)
		mem_free(e->roles.at[i]);
	vec_free(&e->roles);
	for (int k = 0; k < 4; k++)
		sym_free(&e->names[k]);
	vec_free(&e->move_roles);
	mem_free(e->zobrist);
	thread_mutex_free(&e->lock);
	mem_free(e);
}

/* Games in tests: made from text, walked through, and two of them compared by what
 * they print. */
#ifndef TESTS_GAME_PLAY_H
#define TESTS_GAME_PLAY_H

#include "test.h"

#include "base/bits.h"
#include "base/rng.h"
#include "base/sym.h"
#include "base/text.h"
#include "game/game.h"

#include <stdlib.h>
#include <string.h>

struct play {
	struct gdl_rules *rules;
	struct game *g; /* NULL: could not be made */
	struct worker *w;
	uint64_t *state;
	struct text why;                     /* why not */
	VEC(sym_t) fluents, moves, percepts; /* their texts; SYM_NONE: not printed yet */
};

static inline struct play play_try(const char *text, size_t length, const struct game_options *o)
{
	struct play p = {0};
	struct diags d = {0};
	p.rules = gdl_read(text, length, &d);
	diag_free(&d);
	p.g = game_make(p.rules, o, &p.why);
	if (p.g) {
		p.w = worker_new(p.g);
		p.state = NEW_ARRAY(uint64_t, p.g->words);
		memcpy(p.state, p.g->initial, p.g->words * sizeof *p.state);
	}
	return p;
}

static inline struct play play_make(const char *text, enum game_engine engine, bool plain)
{
	struct game_options o = {.engine = engine, .plain = plain};
	struct play p = play_try(text, strlen(text), &o);
	if (!p.g)
		fail_msg("%s", text_str(&p.why));
	return p;
}

/* A rulesheet of games/. */
static inline struct play play_named(const char *name)
{
	char path[4096];
	struct text t = {0}, error = {0};
	const char *source = getenv("MACAW_SOURCE");
	snprintf(path, sizeof path, "%s/games/%s.kif", source ? source : ".", name);
	if (!text_read_file(&t, path, 1 << 20, &error))
		fail_msg("%s", error.at);
	struct play p = play_make(text_str(&t), ENGINE_CIRCUIT, true);
	text_free(&t);
	return p;
}

static inline void play_free(struct play *p)
{
	worker_free(p->w);
	game_free(p->g);
	gdl_free(p->rules);
	mem_free(p->state);
	text_free(&p->why);
	vec_free(&p->fluents);
	vec_free(&p->moves);
	vec_free(&p->percepts);
}

static inline void play_restart(struct play *p)
{
	memcpy(p->state, p->g->initial, p->g->words * sizeof *p->state);
}

/* ---- texts as numbers shared by two games ------------------------------------ */

typedef VEC(sym_t) sym_list;
typedef void print_name(const struct game *g, uint32_t number, struct text *out);

static inline sym_t play_name(const struct game *g, void *cache, uint32_t number, print_name *print, struct symbols *s)
{
	sym_list *c = cache;
	while (c->n <= number)
		vec_push(c, SYM_NONE);
	if (c->at[number] == SYM_NONE) {
		struct text t = {0};
		print(g, number, &t);
		c->at[number] = sym_put(s, t.at, t.n);
		text_free(&t);
	}
	return c->at[number];
}

static inline int play_by_number(const void *a, const void *b)
{
	sym_t x = *(const sym_t *)a, y = *(const sym_t *)b;
	return x < y ? -1 : x > y;
}

static inline void play_names(struct play *p, void *cache, const uint32_t *numbers, size_t n, print_name *print,
                              struct symbols *s, sym_list *out)
{
	vec_clear(out);
	for (size_t i = 0; i < n; i++)
		vec_push(out, play_name(p->g, cache, numbers[i], print, s));
	if (out->n)
		qsort(out->at, out->n, sizeof *out->at, play_by_number);
}

static inline void play_state_names(struct play *p, struct symbols *s, sym_list *out)
{
	VEC(uint32_t) numbers = {0};
	BITS_EACH (f, p->state, p->g->fluents)
		vec_push(&numbers, (uint32_t)f);
	play_names(p, &p->fluents, numbers.at, numbers.n, game_print_fluent, s, out);
	vec_free(&numbers);
}

static inline void play_explain(const char *side, const struct symbols *s, const sym_list *has, const sym_list *lacks)
{
	for (size_t i = 0; i < has->n; i++) {
		bool there = false;
		for (size_t k = 0; k < lacks->n; k++)
			there |= has->at[i] == lacks->at[k];
		if (!there)
			fprintf(stderr, "\tonly the %s: %s\n", side, sym_text(s, has->at[i]));
	}
}

struct pair {
	struct play a, b; /* the circuit, the interpreter */
	struct symbols names;
	sym_list x, y;
	const char *title, *text; /* shown when they differ */
	uint64_t steps;
};

static inline void pair_compare(struct pair *p, const char *what)
{
	if (p->x.n == p->y.n && (!p->x.n || !memcmp(p->x.at, p->y.at, p->x.n * sizeof *p->x.at)))
		return;
	play_explain("circuit", &p->names, &p->x, &p->y);
	play_explain("interpreter", &p->names, &p->y, &p->x);
	fail_msg("%s, step %lu: they differ about %s\n%s", p->title, (unsigned long)p->steps, what, p->text ? p->text : "");
}

static inline void pair_free(struct pair *p)
{
	play_free(&p->a);
	play_free(&p->b);
	sym_free(&p->names);
	vec_free(&p->x);
	vec_free(&p->y);
}

/* The interpreter's number of the circuit's move. */
static inline uint32_t pair_move(struct pair *p, const struct view *v, uint32_t role, uint32_t move)
{
	sym_t wanted = play_name(p->a.g, &p->a.moves, move, game_print_move, &p->names);
	for (uint32_t i = v->start[role]; i < v->start[role + 1]; i++)
		if (play_name(p->b.g, &p->b.moves, v->legal[i], game_print_move, &p->names) == wanted)
			return v->legal[i];
	return GAME_NONE;
}

/* Compares all that can be asked about the state; false: the interpreter gave up. */
static inline bool pair_look(struct pair *p, struct view *va, struct view *vb)
{
	*va = game_look(p->a.w, p->a.state);
	*vb = game_look(p->b.w, p->b.state);
	if (worker_trouble(p->b.w))
		return false;
	play_state_names(&p->a, &p->names, &p->x);
	play_state_names(&p->b, &p->names, &p->y);
	pair_compare(p, "the state");
	if (va->terminal != vb->terminal)
		fail_msg("%s, step %lu: terminal %d and %d\n%s", p->title, (unsigned long)p->steps, va->terminal, vb->terminal,
		         p->text ? p->text : "");
	for (uint32_t r = 0; r < p->a.g->roles; r++) {
		if (va->goals[r] != vb->goals[r])
			fail_msg("%s, step %lu: goals of role %u are %d and %d\n%s", p->title, (unsigned long)p->steps, r,
			         va->goals[r], vb->goals[r], p->text ? p->text : "");
		play_names(&p->a, &p->a.moves, va->legal + va->start[r], va->start[r + 1] - va->start[r], game_print_move,
		           &p->names, &p->x);
		play_names(&p->b, &p->b.moves, vb->legal + vb->start[r], vb->start[r + 1] - vb->start[r], game_print_move,
		           &p->names, &p->y);
		pair_compare(p, "legal moves");
	}
	return true;
}

static inline bool pair_sees(struct pair *p, const uint32_t *ma, const uint32_t *mb)
{
	if (!p->a.g->hidden)
		return true;
	struct percepts sa = game_sees(p->a.w, p->a.state, ma), sb = game_sees(p->b.w, p->b.state, mb);
	if (worker_trouble(p->b.w))
		return false;
	for (uint32_t r = 0; r < p->a.g->roles; r++) {
		play_names(&p->a, &p->a.percepts, sa.seen + sa.start[r], sa.start[r + 1] - sa.start[r], game_print_percept,
		           &p->names, &p->x);
		play_names(&p->b, &p->b.percepts, sb.seen + sb.start[r], sb.start[r + 1] - sb.start[r], game_print_percept,
		           &p->names, &p->y);
		pair_compare(p, "percepts");
	}
	return true;
}

/* One random walk of both; false: the interpreter gave up. */
static inline bool pair_walk(struct pair *p, struct rng *rng, uint32_t steps, struct limit limit)
{
	uint32_t roles = p->a.g->roles;
	SCRATCH(uint32_t, ma, roles + 1);
	SCRATCH(uint32_t, mb, roles + 1);
	assert_int_equal(roles, p->b.g->roles);
	assert_int_equal(p->a.g->hidden, p->b.g->hidden);
	play_restart(&p->a);
	play_restart(&p->b);
	for (uint32_t i = 0; i < steps; i++, p->steps++) {
		struct view va, vb;
		if (!pair_look(p, &va, &vb))
			return false;
		if (va.terminal || !game_random_move(p->a.g, &va, rng, ma) || limit_reached(&limit))
			return true;
		for (uint32_t r = 0; r < roles; r++) {
			mb[r] = pair_move(p, &vb, r, ma[r]);
			assert_int_not_equal(mb[r], GAME_NONE);
		}
		if (!pair_sees(p, ma, mb))
			return false;
		game_next(p->a.w, p->a.state, ma, p->a.state);
		game_next(p->b.w, p->b.state, mb, p->b.state);
	}
	return true;
}

#endif

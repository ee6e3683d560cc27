/* Which fluents and moves belong together (a union-find over the atoms of the ground program), a game for each factor,
 * and random matches that try whether the whole is what its factors are. */
#include "analysis/factors_internal.h"

#include "analysis/facts.h"
#include "base/bits.h"
#include "base/rng.h"
#include "game/rules_view.h"

#include <assert.h>
#include <string.h>

#define MATCHES 64
#define STEPS 1000     /* of a match */
#define MAY_DIFFER 20  /* one match of so many may end in another way than its factors say */
#define MUST_DECIDE 10 /* and one of so many must be decided by a factor */

/* ---- what belongs together ---------------------------------------------------------------------- */

static uint32_t root_of(struct factor_finder *x, uint32_t a)
{
	while (x->parent[a] != a)
		a = x->parent[a] = x->parent[x->parent[a]];
	return a;
}

static void unite(struct factor_finder *x, uint32_t a, uint32_t b)
{
	x->parent[root_of(x, a)] = root_of(x, b);
}

static bool rules_of_moved(const struct factor_finder *x, atom_t a)
{
	const struct ground *g = x->rules;
	for (uint32_t k = g->rule.at[g->first.at[a]]; k < g->rule.at[g->first.at[a + 1]]; k++)
		if (x->moved[g->body.at[k] / 2])
			return true;
	return false;
}

/* All that depends on a move: the rest evolves by itself. */
static void find_moved(struct factor_finder *x, const struct limit *limit)
{
	const struct ground *g = x->rules;
	memset(x->moved + x->fluents, 1, x->leaves - x->fluents);
	for (bool again = true; again && !limit_reached(limit);) {
		again = false;
		for (atom_t a = x->leaves; a < g->atoms; a++)
			if (!x->moved[a] && rules_of_moved(x, a))
				x->moved[a] = again = true;
		for (uint32_t f = 0; f < x->fluents; f++)
			if (!x->moved[f] && g->next.at[f] != ATOM_NONE && x->moved[g->next.at[f]])
				x->moved[f] = again = true;
	}
}

/* Connects an atom with what its rules ask for, and these with theirs. */
static void connect(struct factor_finder *x, atom_t from, atoms_t *open, uint8_t *seen)
{
	const struct ground *g = x->rules;
	vec_push(open, from);
	while (open->n) {
		atom_t a = vec_pop(open);
		if (seen[a] || !x->moved[a])
			continue;
		seen[a] = 1;
		for (uint32_t k = g->rule.at[g->first.at[a]]; k < g->rule.at[g->first.at[a + 1]]; k++) {
			atom_t b = g->body.at[k] / 2;
			if (!x->moved[b])
				continue;
			unite(x, a, b);
			vec_push(open, b);
		}
	}
}

static void find_components(struct factor_finder *x)
{
	const struct ground *g = x->rules;
	atoms_t open = {0};
	uint8_t *seen = mem_alloc(g->atoms, 1);
	memset(seen, 0, g->atoms);
	for (uint32_t a = 0; a < g->atoms; a++)
		x->parent[a] = a;
	for (uint32_t f = 0; f < x->fluents; f++)
		if (x->moved[f] && g->next.at[f] != ATOM_NONE) {
			unite(x, f, g->next.at[f]);
			connect(x, g->next.at[f], &open, seen);
		}
	/* a move that no fluent depends on is a pass wherever it is legal: it connects nothing */
	for (uint32_t m = 0; m < g->moves.n; m++)
		if (seen[x->fluents + m] && g->moves.at[m].atom != ATOM_NONE && x->moved[g->moves.at[m].atom]) {
			unite(x, x->fluents + m, g->moves.at[m].atom);
			connect(x, g->moves.at[m].atom, &open, seen);
		}
	vec_free(&open);
	mem_free(seen);
}

static bool has_one_rule(const struct factor_finder *x, atom_t a)
{
	return x->rules->first.at[a + 1] - x->rules->first.at[a] == 1;
}

/* What one rule of an end or a goal asks for at once belongs together: a line of four cells, say. An atom that has
 * several rules is a choice between them, and one between factors connects nothing. */
static void connect_rule(struct factor_finder *x, uint32_t rule, atoms_t *open)
{
	const struct ground *g = x->rules;
	uint32_t first = GAME_NONE;
	for (uint32_t k = g->rule.at[rule]; k < g->rule.at[rule + 1]; k++)
		vec_push(open, g->body.at[k] / 2);
	while (open->n) {
		atom_t a = vec_pop(open);
		if (!x->moved[a])
			continue;
		if (a >= x->leaves) {
			uint32_t only = g->first.at[a];
			for (uint32_t k = g->rule.at[only]; has_one_rule(x, a) && k < g->rule.at[only + 1]; k++)
				vec_push(open, g->body.at[k] / 2);
			continue;
		}
		if (first == GAME_NONE)
			first = a;
		unite(x, first, a);
	}
}

static void connect_ends(struct factor_finder *x)
{
	const struct ground *g = x->rules;
	atoms_t open = {0}, cone = {0};
	uint8_t *seen = NEW_ARRAY(uint8_t, g->atoms);
	for (uint32_t i = 0; i < g->goals.n; i++)
		vec_push(&cone, g->goals.at[i].atom);
	vec_push(&cone, g->terminal);
	while (cone.n) {
		atom_t a = vec_pop(&cone);
		if (a == ATOM_NONE || a < x->leaves || seen[a] || !x->moved[a])
			continue;
		seen[a] = 1;
		for (uint32_t i = g->first.at[a]; i < g->first.at[a + 1]; i++) {
			connect_rule(x, i, &open);
			for (uint32_t k = g->rule.at[i]; k < g->rule.at[i + 1]; k++)
				vec_push(&cone, g->body.at[k] / 2);
		}
	}
	vec_free(&open);
	vec_free(&cone);
	mem_free(seen);
}

/* A component with moves and fluents is a factor. */
static void number_factors(struct factor_finder *x)
{
	uint32_t *number = mem_alloc(x->rules->atoms, sizeof *number);
	uint8_t *with_move = NEW_ARRAY(uint8_t, x->rules->atoms);
	for (uint32_t a = 0; a < x->rules->atoms; a++)
		number[a] = GAME_NONE;
	for (uint32_t m = x->fluents; m < x->leaves; m++)
		with_move[root_of(x, m)] = 1;
	for (uint32_t f = 0; f < x->fluents; f++) {
		uint32_t root = root_of(x, f);
		if (x->moved[f] && with_move[root] && number[root] == GAME_NONE)
			number[root] = x->count++;
	}
	for (uint32_t a = 0; a < x->leaves; a++)
		x->factor[a] = x->moved[a] ? number[root_of(x, a)] : GAME_NONE;
	mem_free(number);
	mem_free(with_move);
}

/* ---- the games ------------------------------------------------------------------------------------ */

static void name_numbers(struct factor *f, const struct game *whole)
{
	struct text name = {0};
	f->fluent = mem_alloc(f->game->fluents + 1, sizeof *f->fluent);
	f->move = mem_alloc(f->game->moves + 1, sizeof *f->move);
	for (uint32_t i = 0; i < f->game->fluents; i++) {
		name.n = 0;
		game_print_fluent(f->game, i, &name);
		f->fluent[i] = game_find_fluent(whole, text_str(&name));
		assert(f->fluent[i] < whole->fluents);
	}
	for (uint32_t i = 0; i < f->game->moves; i++) {
		name.n = 0;
		game_print_move(f->game, i, &name);
		f->move[i] = game_find_move(whole, game_role_of(f->game, i), text_str(&name));
	}
	text_free(&name);
}

static bool make_factor(const struct factor_finder *x, uint32_t factor, const struct limit *limit, struct factor *out)
{
	struct text text = {0}, error = {0};
	struct diags d = {0};
	factor_write(x, factor, &text);
	out->rules = gdl_read(text_str(&text), text.n, &d);
	struct game_options o = {.engine = ENGINE_CIRCUIT};
	if (limit)
		o.limit = *limit;
	if (!d.errors)
		out->game = game_make(out->rules, &o, &error);
	if (out->game && out->game->engine == ENGINE_CIRCUIT)
		name_numbers(out, x->g);
	diag_free(&d);
	text_free(&text);
	text_free(&error);
	return out->move;
}

void factor_state(const struct factor *f, const uint64_t *whole, uint64_t *part)
{
	memset(part, 0, f->game->words * sizeof *part);
	for (uint32_t i = 0; i < f->game->fluents; i++)
		if (bits_has(whole, f->fluent[i]))
			bits_add(part, i);
}

uint32_t factors_of_moves(const struct factors *x, const uint32_t *moves, uint32_t count)
{
	uint32_t factor = GAME_NONE;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t f = x->of_move[moves[i]];
		if (f == GAME_NONE || (i && f != factor))
			return GAME_NONE;
		factor = f;
	}
	return factor;
}

/* ---- is the whole what its factors are? ----------------------------------------------------------- */

struct check {
	struct game *g;
	const struct factors *x;
	struct worker *worker, **workers; /* of the whole, of the factors */
	uint64_t *state, *part;
	uint32_t *moves;
	struct rng rng;
	uint32_t ends, agree, decided; /* matches that came to an end; as their factors say; by one of these */
};

static bool is_legal(const struct view *v, uint32_t role, uint32_t move)
{
	for (uint32_t i = v->start[role]; i < v->start[role + 1]; i++)
		if (v->legal[i] == move)
			return true;
	return false;
}

/* The moves of a role in a factor are those it has there in the whole. */
static bool same_moves(const struct factors *x, uint32_t factor, const struct view *whole, const struct view *part,
                       uint32_t role)
{
	const struct factor *f = &x->at[factor];
	uint32_t n = 0, has = part->start[role + 1] - part->start[role];
	for (uint32_t i = whole->start[role]; i < whole->start[role + 1]; i++)
		n += x->of_move[whole->legal[i]] == factor;
	if (!n)
		return has == 1 && f->move[part->legal[part->start[role]]] == GAME_NONE;
	bool same = n == has;
	for (uint32_t i = part->start[role]; i < part->start[role + 1]; i++)
		same &= is_legal(whole, role, f->move[part->legal[i]]);
	return same;
}

static bool is_shared_out(const struct game *g, const int *goals)
{
	bool all = true;
	for (uint32_t r = 0; r < g->roles; r++)
		all &= goals[r] == 100 / (int)game_players(g);
	return all;
}

/* Goals of the one factor that is decided against those of the whole. */
static void compare_ends(struct check *c, const struct view *whole, const int *decided, uint32_t decisions)
{
	if (decisions > 1)
		return;
	c->ends++;
	c->decided += decisions;
	c->agree +=
		decisions ? !memcmp(whole->goals, decided, c->g->roles * sizeof *decided) : is_shared_out(c->g, whole->goals);
}

/* A role that chooses has moves in one factor. */
static bool is_one_by_one(const struct factors *x, const struct view *v, uint32_t roles)
{
	for (uint32_t r = 0; r < roles; r++) {
		uint32_t n = v->start[r + 1] - v->start[r];
		if (n > 1 && factors_of_moves(x, v->legal + v->start[r], n) == GAME_NONE)
			return false;
	}
	return true;
}

/* False: a factor differs from the whole here. */
static bool compare_state(struct check *c, const struct view *whole)
{
	uint32_t decisions = 0;
	bool same = true;
	int *decided = NEW_ARRAY(int, c->g->roles);
	for (uint32_t k = 0; k < c->x->count && same; k++) {
		factor_state(&c->x->at[k], c->state, c->part);
		struct view part = game_look(c->workers[k], c->part);
		if (part.terminal && !is_shared_out(c->g, part.goals)) {
			decisions++;
			memcpy(decided, part.goals, c->g->roles * sizeof *decided);
		}
		for (uint32_t r = 0; r < c->g->roles && !whole->terminal; r++)
			same &= same_moves(c->x, k, whole, &part, r);
	}
	same &= whole->terminal || is_one_by_one(c->x, whole, c->g->roles);
	if (whole->terminal)
		compare_ends(c, whole, decided, decisions);
	else
		same &= !decisions;
	mem_free(decided);
	return same;
}

static bool compare_match(struct check *c)
{
	memcpy(c->state, c->g->initial, c->g->words * sizeof *c->state);
	for (uint32_t step = 0; step < STEPS; step++) {
		struct view v = game_look(c->worker, c->state);
		if (!compare_state(c, &v))
			return false;
		if (v.terminal)
			return true;
		if (!game_random_move(c->g, &v, &c->rng, c->moves))
			return false;
		game_next(c->worker, c->state, c->moves, c->state);
	}
	return true;
}

static bool is_whole(struct game *g, const struct factors *x, const struct limit *limit)
{
	struct check c = {.g = g,
	                  .x = x,
	                  .worker = worker_new(g),
	                  .workers = NEW_ARRAY(struct worker *, x->count),
	                  .state = mem_alloc(g->words + 1, sizeof *c.state),
	                  .part = mem_alloc(g->words + 1, sizeof *c.part),
	                  .moves = NEW_ARRAY(uint32_t, g->roles),
	                  .rng = rng_seed(1)};
	bool same = true;
	for (uint32_t k = 0; k < x->count; k++)
		c.workers[k] = worker_new(x->at[k].game);
	for (uint32_t i = 0; i < MATCHES && same; i++)
		same = !limit_reached(limit) && compare_match(&c);
	for (uint32_t k = 0; k < x->count; k++)
		worker_free(c.workers[k]);
	worker_free(c.worker);
	mem_free(c.workers);
	mem_free(c.state);
	mem_free(c.part);
	mem_free(c.moves);
	return same && 2 * c.ends >= MATCHES && (c.ends - c.agree) * MAY_DIFFER <= c.ends &&
	       c.decided * MUST_DECIDE >= c.ends;
}

/* ---- found once, kept with the game --------------------------------------------------------------- */

static void drop_factors(struct factors *x, uint32_t made)
{
	for (uint32_t i = 0; i < made; i++) {
		mem_free(x->at[i].fluent);
		mem_free(x->at[i].move);
		game_free(x->at[i].game);
		gdl_free(x->at[i].rules);
	}
	x->count = 0;
}

static void factors_free(void *fact)
{
	struct factors *x = fact;
	drop_factors(x, x->count);
	mem_free(x->at);
	mem_free(x->of_move);
	mem_free(x);
}

/* Games for several roles without chance: what a draw of chance means to a factor is another question. */
static bool is_candidate(const struct game *g)
{
	return g->engine == ENGINE_CIRCUIT && !g->hidden && g->random == g->roles && g->roles > 1;
}

/* Most games that fall apart, like a board whose cells only the goals connect, do so before anything is made. */
static bool begins_one_by_one(struct game *g, const struct factors *x)
{
	struct worker *w = worker_new(g);
	struct view v = game_look(w, g->initial);
	bool one = v.terminal || is_one_by_one(x, &v, g->roles);
	worker_free(w);
	return one;
}

static void make_factors(const struct factor_finder *f, struct game *g, const struct limit *limit, struct factors *x)
{
	x->at = NEW_ARRAY(struct factor, f->count);
	x->of_move = mem_alloc(g->moves + 1, sizeof *x->of_move);
	memcpy(x->of_move, f->factor + f->fluents, g->moves * sizeof *x->of_move);
	bool made = begins_one_by_one(g, x);
	if (!made)
		return;
	while (x->count < f->count && made)
		made = make_factor(f, x->count, limit, &x->at[x->count]) && ++x->count;
	if (made && is_whole(g, x, limit))
		return;
	drop_factors(x, made ? x->count : x->count + 1); /* the last one as far as it was made */
}

static void *find(struct game *g, const struct limit *limit)
{
	struct factors *x = NEW(struct factors);
	if (!is_candidate(g))
		return x;
	const struct ground *rules = game_rules_view(g)->ground;
	struct factor_finder f = {.g = g, .rules = rules, .fluents = (uint32_t)rules->fluents.n};
	f.leaves = f.fluents + (uint32_t)rules->moves.n;
	assert(f.fluents == g->fluents && f.leaves <= rules->atoms && rules->moves.n == g->moves);
	f.moved = NEW_ARRAY(uint8_t, rules->atoms);
	f.parent = mem_alloc(rules->atoms, sizeof *f.parent);
	f.factor = mem_alloc(f.leaves + 1, sizeof *f.factor);
	find_moved(&f, limit);
	if (!limit_reached(limit)) {
		find_components(&f);
		connect_ends(&f);
		number_factors(&f);
	}
	if (f.count > 1)
		make_factors(&f, g, limit, x);
	mem_free(f.moved);
	mem_free(f.parent);
	mem_free(f.factor);
	if (!x->count && limit_reached(limit)) {
		factors_free(x);
		return NULL;
	}
	return x;
}

const struct factors *factors_of(struct game *g, const struct limit *limit)
{
	static const struct facts_kind kind = {find, factors_free};
	const struct factors *x = facts_get(g, &kind, limit);
	return x && x->count ? x : NULL;
}

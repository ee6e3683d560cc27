/* Walks, playouts and nodes of the search over information sets. */
#include "play/hidden/infosets.h"

#include "base/arena.h"
#include "base/bits.h"
#include "play/hidden/clairvoyant_bound.h"
#include "play/hidden/public_belief.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define MOST_DEPTH 300
#define MOST_STEPS 5000 /* of a playout */
#define LANES 512       /* of the widest pass */

struct arm {
	uint32_t move;
	bool idle;     /* it only lets time pass: public_belief.h */
	float pending; /* walks under way */
	double visits, sum;
};

struct set {
	uint64_t key;
	uint32_t count;
	double visits;
	struct arm *arms;
};

/* A choice made on a walk. */
struct mark {
	uint32_t walk, set, arm, role;
};

struct infosets {
	struct game *g;
	uint32_t role;
	struct infosets_options o;
	struct belief *belief;
	struct clairvoyant_bound *bound;          /* NULL: not for this game */
	struct public_belief *public;             /* NULL: nodes belong to views */
	bool on_beliefs;                          /* at this turn: the belief is exact, and no secret was met */
	uint32_t step;                            /* of the match */
	struct public_belief_point root, *points; /* by walk */
	struct table table;
	VEC(struct set) sets;
	struct arena arena;
	/* per round: walks under way stand first */
	uint32_t *walk; /* number of the walk in each lane */
	uint64_t *states, *next, *legal, *seen, *views, *leaves;
	uint32_t *moves, *leaf_of, *mark_of; /* mark_of: by walk, its choice at this step */
	uint8_t *terminal;
	bool *fresh, *valued;
	int *goals;
	double *value; /* by walk and role, 0..1 */
	VEC(struct mark) marks;
	VEC(uint32_t) list;
};

struct infosets *infosets_new(struct seat *s, const struct infosets_options *o)
{
	assert(s->role < s->game->roles);
	struct infosets *x = NEW(struct infosets);
	struct game *g = x->g = s->game;
	size_t n = (size_t)o->walks, roles = g->roles;
	x->o = *o;
	x->role = s->role;
	x->belief = belief_new(g, s->role, &(struct belief_options){.samples = (uint32_t)o->samples, .views = true});
	if (game_players(g) == 1 && o->clairvoyant > 0)
		x->bound = clairvoyant_bound_new();
	x->public = o->merge && g->hidden ? public_belief_new(g, s->role) : NULL;
	x->points = NEW_ARRAY(struct public_belief_point, n);
	x->walk = NEW_ARRAY(uint32_t, n);
	x->states = NEW_ARRAY(uint64_t, n * g->words);
	x->next = NEW_ARRAY(uint64_t, n * g->words);
	x->leaves = NEW_ARRAY(uint64_t, n * g->words);
	x->legal = NEW_ARRAY(uint64_t, n * game_legal_words(g));
	x->seen = NEW_ARRAY(uint64_t, n * roles);
	x->views = NEW_ARRAY(uint64_t, n * roles);
	x->moves = NEW_ARRAY(uint32_t, n * roles);
	x->leaf_of = NEW_ARRAY(uint32_t, n);
	x->mark_of = NEW_ARRAY(uint32_t, n);
	x->terminal = NEW_ARRAY(uint8_t, n);
	x->fresh = NEW_ARRAY(bool, n);
	x->valued = NEW_ARRAY(bool, n);
	x->goals = NEW_ARRAY(int, n *roles);
	x->value = NEW_ARRAY(double, n *roles);
	return x;
}

void infosets_free(struct infosets *x)
{
	belief_free(x->belief);
	if (x->bound)
		clairvoyant_bound_free(x->bound);
	if (x->public)
		public_belief_free(x->public);
	mem_free(x->points);
	table_free(&x->table);
	vec_free(&x->sets);
	arena_free(&x->arena);
	mem_free(x->walk);
	mem_free(x->states);
	mem_free(x->next);
	mem_free(x->leaves);
	mem_free(x->legal);
	mem_free(x->seen);
	mem_free(x->views);
	mem_free(x->moves);
	mem_free(x->leaf_of);
	mem_free(x->mark_of);
	mem_free(x->terminal);
	mem_free(x->fresh);
	mem_free(x->valued);
	mem_free(x->goals);
	mem_free(x->value);
	vec_free(&x->marks);
	vec_free(&x->list);
	mem_free(x);
}

static void forget(struct infosets *x)
{
	arena_free(&x->arena);
	x->arena = (struct arena){0};
	table_clear(&x->table);
	vec_clear(&x->sets);
	if (x->public)
		public_belief_forget(x->public);
}

/* Where the walks of this turn begin. */
static void find_root(struct infosets *x, const struct turn *t)
{
	bool next = x->on_beliefs && t->step == x->step + 1, same = x->on_beliefs && t->step == x->step;
	x->step = t->step;
	x->on_beliefs = x->public && public_belief_holds(x->public) && belief_exact(x->belief) && belief_count(x->belief);
	if (x->on_beliefs) {
		uint64_t seen = game_seen_hash(t->seen, t->seen_count);
		uint64_t way = next ? public_belief_way(x->public, x->root.key, t->own_last, seen) : same ? x->root.key : 0;
		x->root = public_belief_at(x->public, x->belief, way);
	}
}

bool infosets_observe(struct infosets *x, struct seat *s, const struct turn *t, const struct budget *b)
{
	assert(s->role < s->game->roles);
	assert(t->legal_count && t->legal);
	size_t bytes = x->arena.total + x->sets.cap * sizeof *x->sets.at + (size_t)x->table.mask * 8;
	bytes += x->public ? public_belief_bytes(x->public) : 0;
	if (bytes > (size_t)x->o.memory << 19) /* half full: begin anew */
		forget(x);
	bool found = belief_observe(x->belief, s->worker, &s->rng, t, &b->limit);
	find_root(x, t);
	return found;
}

/* ---- nodes ------------------------------------------------------------------------------------- */

static uint32_t find_set(const struct infosets *x, uint64_t key, uint32_t count)
{
	uint32_t it = 0, id;
	for (table_start(&x->table, key, &it); (id = table_next(&x->table, key, &it)) != TABLE_NONE;)
		if (x->sets.at[id].key == key && x->sets.at[id].count == count)
			return id;
	return TABLE_NONE;
}

static uint32_t add_set(struct infosets *x, struct seat *s, uint64_t key, const uint32_t *moves, uint32_t count)
{
	struct set set = {.key = key, .count = count, .arms = arena_alloc(&x->arena, count * sizeof *set.arms)};
	for (uint32_t i = 0; i < count; i++)
		set.arms[i] = (struct arm){.move = moves[i]};
	table_add(&x->table, key, (uint32_t)x->sets.n);
	vec_push(&x->sets, set);
	s->count.nodes++;
	return (uint32_t)x->sets.n - 1;
}

static uint32_t choose_arm(const struct infosets *x, struct seat *s, const struct set *set)
{
	uint32_t best = rng_below(&s->rng, set->count);
	double total = 1, score = -1;
	for (uint32_t i = 0; i < set->count; i++)
		total += set->arms[i].visits + (double)set->arms[i].pending;
	for (uint32_t i = 0, a = best; i < set->count; i++, a = a + 1 == set->count ? 0 : a + 1) {
		double n = set->arms[a].visits + (double)set->arms[a].pending;
		double value = set->arms[a].idle ? -0.5 : n > 0 ? set->arms[a].sum / n + x->o.c * sqrt(log(total) / n) : 1e9;
		if (value > score) {
			score = value;
			best = a;
		}
	}
	return best;
}

/* ---- walks --------------------------------------------------------------------------------------- */

static void list_moves(struct infosets *x, const uint64_t *legal, uint32_t role)
{
	assert(role < x->g->roles);
	const struct game *g = x->g;
	size_t from = g->interpreter ? 0 : g->first_move[role], to = g->interpreter ? g->moves : g->first_move[role + 1];
	vec_clear(&x->list);
	for (size_t m = bits_next(legal, to, from); m < to; m = bits_next(legal, to, m + 1))
		if (!g->interpreter || game_role_of(g, (uint32_t)m) == role)
			vec_push(&x->list, (uint32_t)m);
}

/* The joint move of a lane. False: some role has none. */
static bool choose_moves(struct infosets *x, struct seat *s, uint32_t lane)
{
	assert(lane < (uint32_t)x->o.walks);
	uint32_t roles = x->g->roles, walk = x->walk[lane];
	x->mark_of[walk] = TABLE_NONE;
	for (uint32_t r = 0; r < roles; r++) {
		list_moves(x, x->legal + (size_t)lane * game_legal_words(x->g), r);
		uint32_t n = (uint32_t)x->list.n, at = 0;
		if (!n)
			return false;
		if (n > 1 && r == x->g->random) {
			at = rng_below(&s->rng, n);
		} else if (n > 1) {
			uint64_t key = hash_join(x->views[(size_t)walk * roles + r], view_moves(x->list.at, n));
			uint32_t set = find_set(x, key, n);
			if (set == TABLE_NONE) {
				set = add_set(x, s, key, x->list.at, n);
				x->fresh[walk] = true;
			}
			at = choose_arm(x, s, &x->sets.at[set]);
			x->sets.at[set].arms[at].pending++;
			x->mark_of[walk] = (uint32_t)x->marks.n;
			vec_push(&x->marks, (struct mark){walk, set, at, r});
		}
		x->moves[(size_t)lane * roles + r] = x->list.at[at];
	}
	return true;
}

static void note_value(struct infosets *x, uint32_t walk, const int *goals)
{
	assert(walk < (uint32_t)x->o.walks);
	uint32_t roles = x->g->roles;
	for (uint32_t r = 0; r < roles; r++)
		x->value[(size_t)walk * roles + r] = goals[r] == GOAL_NONE ? 0 : goals[r] / 100.0;
	x->valued[walk] = true;
}

/* The lane's walk goes on: it takes the place `to` in the next step. */
static void go_on(struct infosets *x, uint32_t lane, uint32_t to)
{
	assert(lane < (uint32_t)x->o.walks);
	size_t words = x->g->words, legal = game_legal_words(x->g);
	x->walk[to] = x->walk[lane];
	memmove(x->states + to * words, x->next + lane * words, words * sizeof *x->states);
	memmove(x->legal + to * legal, x->legal + lane * legal, legal * sizeof *x->legal);
}

static void draw_starts(struct infosets *x, struct seat *s, uint32_t n)
{
	const struct belief *b = x->belief;
	size_t words = x->g->words, legal = game_legal_words(x->g), roles = x->g->roles;
	for (uint32_t i = 0; i < n; i++) {
		size_t from = belief_draw(b, &s->rng);
		x->walk[i] = i;
		x->fresh[i] = x->valued[i] = false;
		memcpy(x->states + i * words, belief_state(b, from), words * sizeof *x->states);
		memcpy(x->legal + i * legal, belief_legal(b, from), legal * sizeof *x->legal);
		x->points[i] = x->root;
		for (uint32_t r = 0; r < roles; r++)
			x->views[i * roles + r] = x->on_beliefs  ? hash_join(x->root.key, r)
			                          : r == s->role ? belief_own_view(b)
			                                         : belief_view(b, from, r);
	}
}

/* What the roles know after the step of a lane. */
static void see(struct infosets *x, struct seat *s, uint32_t lane)
{
	assert(lane < (uint32_t)x->o.walks);
	size_t roles = x->g->roles, walk = x->walk[lane];
	const uint32_t *moves = x->moves + lane * roles;
	const uint64_t *seen = x->seen + lane * roles;
	if (x->on_beliefs) {
		x->points[walk] = public_belief_after(x->public, s->worker, x->points[walk], moves, seen[x->role]);
		if (x->points[walk].idle && x->mark_of[walk] != TABLE_NONE) {
			const struct mark *m = &x->marks.at[x->mark_of[walk]];
			x->sets.at[m->set].arms[m->arm].idle = true;
		}
	}
	for (uint32_t r = 0; r < roles; r++) {
		uint64_t *view = &x->views[walk * roles + r];
		*view = x->on_beliefs  ? hash_join(x->points[walk].key, r)
		        : x->g->hidden ? view_after(*view, moves[r], seen[r])
		                       : view_open(x->g, r, x->next + (size_t)lane * x->g->words);
	}
}

/* One step of the n walks under way; how many go on. Those that met something new
 * leave their state for the playouts. */
static uint32_t step(struct infosets *x, struct seat *s, uint32_t n, uint32_t *leaves, bool last)
{
	size_t words = x->g->words, roles = x->g->roles;
	uint32_t on = 0, able = 0;
	for (uint32_t i = 0; i < n; i++) {
		if (!choose_moves(x, s, i))
			continue; /* nobody can go on: such a walk teaches nothing */
		if (able != i) {
			x->walk[able] = x->walk[i];
			memcpy(x->states + able * words, x->states + i * words, words * sizeof *x->states);
			memcpy(x->moves + able * roles, x->moves + i * roles, roles * sizeof *x->moves);
		}
		able++;
	}
	game_expand(s->worker, &(struct expansion){.states = x->states,
	                                           .moves = x->moves,
	                                           .count = able,
	                                           .next = x->next,
	                                           .terminal = x->terminal,
	                                           .goals = x->goals,
	                                           .legal = x->legal,
	                                           .seen = x->seen});
	for (uint32_t i = 0; i < able; i++) {
		uint32_t walk = x->walk[i];
		if (x->terminal[i]) {
			note_value(x, walk, x->goals + i * roles);
		} else if (x->fresh[walk] || last) {
			x->leaf_of[*leaves] = walk;
			memcpy(x->leaves + (*leaves)++ * words, x->next + i * words, words * sizeof *x->leaves);
		} else {
			see(x, s, i);
			go_on(x, i, on++);
		}
	}
	return on;
}

static void play_out(struct infosets *x, struct seat *s, const struct budget *b, uint32_t leaves, uint64_t each)
{
	uint32_t roles = x->g->roles;
	struct playout_result r;
	if (!leaves)
		return;
	game_playouts(x->g,
	              &(struct playout_job){.starts = x->leaves,
	                                    .start_count = leaves,
	                                    .playouts = each * leaves,
	                                    .limit = b->limit,
	                                    .seed = rng_next(&s->rng),
	                                    .max_steps = MOST_STEPS},
	              &r);
	for (uint32_t i = 0; i < leaves; i++)
		for (uint32_t q = 0; q < roles && r.counts[i]; q++) {
			x->value[(size_t)x->leaf_of[i] * roles + q] = r.sum[(size_t)i * roles + q] / (double)r.counts[i] / 100;
			x->valued[x->leaf_of[i]] = true;
		}
	for (uint32_t i = 0; i < leaves && x->bound && !limit_reached(&b->limit); i++) {
		double ahead = clairvoyant_bound_of(x->bound, s, x->leaves + (size_t)i * x->g->words);
		double *value = &x->value[(size_t)x->leaf_of[i] * roles + s->role];
		if (ahead >= 0)
			*value += x->o.clairvoyant * (ahead - *value);
	}
	s->count.playouts += r.playouts;
	s->count.playout_seconds += r.seconds;
	playout_result_free(&r);
}

static void back_up(struct infosets *x)
{
	for (size_t i = 0; i < x->marks.n; i++) {
		const struct mark *m = &x->marks.at[i];
		struct set *set = &x->sets.at[m->set];
		struct arm *a = &set->arms[m->arm];
		a->pending--;
		if (!x->valued[m->walk])
			continue;
		a->visits++;
		a->sum += x->value[(size_t)m->walk * x->g->roles + m->role];
		set->visits++;
	}
	vec_clear(&x->marks);
}

/* Not idle before all, then by visits, then by mean. */
static bool better(const struct arm *a, const struct arm *b)
{
	if (a->idle != b->idle)
		return b->idle;
	return a->visits > b->visits || (a->visits >= b->visits && a->sum / a->visits > b->sum / b->visits);
}

/* The role's own moves now, in the order of the turn; NULL: never been here. */
static const struct arm *root_arms(const struct infosets *x, const struct turn *t)
{
	uint64_t own = x->on_beliefs ? hash_join(x->root.key, x->role) : belief_own_view(x->belief);
	uint64_t key = hash_join(own, view_moves(t->legal, t->legal_count));
	uint32_t id = find_set(x, key, t->legal_count);
	return id == TABLE_NONE ? NULL : x->sets.at[id].arms;
}

static const struct arm *best_arm(const struct infosets *x, const struct turn *t)
{
	const struct arm *arms = root_arms(x, t), *best = NULL;
	for (uint32_t i = 0; arms && i < t->legal_count; i++) {
		const struct arm *a = &arms[i];
		if (a->visits > 0 && (!best || better(a, best)))
			best = a;
	}
	return best;
}

void infosets_run(struct infosets *x, struct seat *s, const struct turn *t, const struct budget *b)
{
	assert(s->role < s->game->roles);
	assert(t->legal_count && t->legal);
	uint64_t each = (uint64_t)x->o.batch, spent = 0;
	uint32_t walks = (uint32_t)x->o.walks;
	if (!belief_count(x->belief))
		return;
	if (b->playouts) { /* few: rather many rounds than large ones */
		walks = walks > b->playouts / 32 ? (uint32_t)(b->playouts / 32) + 1 : walks;
		each = b->playouts < 4096 ? 1 : each;
	} else if (x->g->engine == ENGINE_CIRCUIT && each * walks < LANES) {
		each = LANES / walks;
	}
	while (!limit_reached(&b->limit) && (!b->playouts || spent < b->playouts) && !worker_trouble(s->worker)) {
		uint32_t n = walks, leaves = 0;
		draw_starts(x, s, n);
		for (uint32_t depth = 0; n && !limit_reached(&b->limit); depth++)
			n = step(x, s, n, &leaves, depth == MOST_DEPTH);
		play_out(x, s, b, leaves, each);
		back_up(x);
		spent += walks * each;
		s->count.rounds++;
		if (x->on_beliefs && !public_belief_holds(x->public)) { /* a secret: begin anew with views */
			forget(x);
			x->on_beliefs = false;
		}
		const struct arm *best = best_arm(x, t);
		if (best)
			seat_ready(s, best->move);
	}
}

uint32_t infosets_choose(struct infosets *x, struct seat *s, const struct turn *t)
{
	assert(s->role < s->game->roles);
	assert(t->legal_count && t->legal);
	const struct arm *best = best_arm(x, t);
	if (!best) {
		text_puts(&s->why, belief_count(x->belief) ? "no time to search" : "no state agrees with what was seen");
		return GAME_NONE;
	}
	text_printf(&s->why, "mean %.1f of %.0f walks, %zu %s", 100 * best->sum / best->visits, best->visits,
	            belief_count(x->belief), belief_exact(x->belief) ? "states possible" : "histories sampled");
	if (x->on_beliefs)
		text_printf(&s->why, ", %llu ways merged", (unsigned long long)public_belief_merged(x->public));
	return best->move;
}

bool infosets_values(const struct infosets *x, const struct turn *t, struct move_value *out)
{
	const struct arm *arms = root_arms(x, t);
	for (uint32_t i = 0; arms && i < t->legal_count; i++) {
		out[i].visits = arms[i].visits;
		out[i].value = arms[i].visits > 0 ? 100 * arms[i].sum / arms[i].visits : -1;
	}
	return arms;
}

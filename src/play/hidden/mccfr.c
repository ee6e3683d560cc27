/* Information sets and iterations; the tree of a small game is in mccfr_tree.c. */
#include "play/hidden/mccfr_internal.h"

#include <assert.h>
#include <string.h>

#define EXPLORE 0.4
#define MOST_STEPS 300
#define MOST_SETS 2000000

struct mccfr *mccfr_new(struct seat *s)
{
	assert(s->role < s->game->roles);
	struct mccfr *c = NEW(struct mccfr);
	c->g = s->game;
	c->state = NEW_ARRAY(uint64_t, s->game->words + 1);
	c->views = NEW_ARRAY(uint64_t, s->game->roles);
	c->moves = NEW_ARRAY(uint32_t, (size_t)s->game->roles + 1);
	mccfr_grow(c, s);
	return c;
}

void mccfr_free(struct mccfr *c)
{
	table_free(&c->table);
	vec_free(&c->sets);
	arena_free(&c->arena);
	vec_free(&c->way);
	vec_free(&c->sigma);
	vec_free(&c->nodes);
	vec_free(&c->set_of);
	vec_free(&c->count_of);
	vec_free(&c->goals);
	vec_free(&c->depth);
	mem_free(c->state);
	mem_free(c->views);
	mem_free(c->moves);
	vec_free(&c->stack);
	mem_free(c);
}

uint32_t mccfr_find(const struct mccfr *c, uint64_t view, uint32_t actions)
{
	assert(actions);
	uint32_t it = 0, id;
	for (table_start(&c->table, view, &it); (id = table_next(&c->table, view, &it)) != TABLE_NONE;)
		if (c->sets.at[id].view == view && c->sets.at[id].actions == actions)
			return id;
	return TABLE_NONE;
}

uint32_t mccfr_set(struct mccfr *c, struct seat *s, uint64_t view, uint32_t actions)
{
	assert(s->role < s->game->roles);
	assert(actions);
	uint32_t id = mccfr_find(c, view, actions);
	if (id != TABLE_NONE || c->sets.n >= MOST_SETS)
		return id;
	struct infoset set = {.view = view, .actions = actions, .best = TABLE_NONE};
	set.regret = arena_alloc(&c->arena, 2 * actions * sizeof *set.regret);
	memset(set.regret, 0, 2 * actions * sizeof *set.regret);
	set.policy = set.regret + actions;
	id = (uint32_t)c->sets.n;
	vec_push(&c->sets, set);
	table_add(&c->table, view, id);
	s->count.nodes++;
	return id;
}

/* Regret matching into c->sigma. */
static void match_regrets(struct mccfr *c, uint32_t set, uint32_t actions)
{
	assert(set < c->sets.n);
	assert(actions);
	double total = 0;
	vec_clear(&c->sigma);
	vec_extend(&c->sigma, actions);
	const double *regret = set == TABLE_NONE ? NULL : c->sets.at[set].regret;
	for (uint32_t a = 0; a < actions && regret; a++)
		total += regret[a] > 0 ? regret[a] : 0;
	for (uint32_t a = 0; a < actions; a++)
		c->sigma.at[a] = total <= 0 ? 1.0 / actions : regret[a] > 0 ? regret[a] / total : 0;
}

static uint32_t draw(struct seat *s, const double *p, uint32_t n, double explore)
{
	assert(n && explore >= 0 && explore <= 1);
	double at = rng_unit(&s->rng);
	for (uint32_t a = 0; a + 1 < n; a++)
		if ((at -= (1 - explore) * p[a] + explore / n) < 0)
			return a;
	return n - 1;
}

/* One role's choice. The learner explores and is noted; the others follow their
 * strategy and add it to their average. */
static uint32_t choose(struct mccfr *c, struct seat *s, uint32_t role, uint32_t learner, uint32_t actions,
                       double *sampled)
{
	assert(role < c->g->roles);
	assert(learner < c->g->roles);
	assert(actions);
	if (actions == 1)
		return 0;
	if (role == c->g->random)
		return rng_below(&s->rng, actions);
	uint32_t set = mccfr_set(c, s, c->views[role], actions);
	match_regrets(c, set, actions);
	uint32_t a = draw(s, c->sigma.at, actions, role == learner ? EXPLORE : 0);
	if (role == learner) {
		struct decision d = {set, a, c->sigma.at[a]};
		if (game_players(c->g) == 1 && set != TABLE_NONE) /* nobody else will */
			for (uint32_t i = 0; i < actions; i++)
				c->sets.at[set].policy[i] += c->sigma.at[i];
		*sampled *= (1 - EXPLORE) * d.sigma + EXPLORE / actions;
		if (set != TABLE_NONE)
			vec_push(&c->way, d);
	} else if (set != TABLE_NONE) {
		for (uint32_t i = 0; i < actions; i++)
			c->sets.at[set].policy[i] += c->sigma.at[i];
	}
	return a;
}

static void learn(struct mccfr *c, double weight)
{
	double tail = 1;
	for (size_t k = c->way.n; k--;) {
		const struct decision *d = &c->way.at[k];
		struct infoset *set = &c->sets.at[d->set];
		double here = tail * d->sigma;
		for (uint32_t a = 0; a < set->actions; a++)
			set->regret[a] += weight * (a == d->action ? tail - here : -here);
		tail = here;
	}
}

static void iterate(struct mccfr *c, struct seat *s, uint32_t learner)
{
	assert(learner < c->g->roles);
	struct game *g = c->g;
	uint32_t roles = g->roles, *moves = c->moves;
	double sampled = 1;
	memcpy(c->state, g->initial, g->words * sizeof *c->state);
	for (uint32_t r = 0; r < roles; r++)
		c->views[r] = view_start(r);
	vec_clear(&c->way);
	for (uint32_t step = 0; step < MOST_STEPS; step++) {
		struct view v = game_look(s->worker, c->state);
		bool stuck = worker_trouble(s->worker);
		for (uint32_t r = 0; r < roles; r++)
			stuck |= v.start[r] == v.start[r + 1];
		if (v.terminal || stuck) {
			if (v.goals[learner] != GOAL_NONE)
				learn(c, (v.goals[learner] - 50) / 50.0 / sampled);
			return;
		}
		for (uint32_t r = 0; r < roles; r++)
			moves[r] = v.legal[v.start[r] + choose(c, s, r, learner, v.start[r + 1] - v.start[r], &sampled)];
		struct percepts p = game_sees(s->worker, c->state, moves);
		for (uint32_t r = 0; r < roles; r++)
			c->views[r] =
				view_after(c->views[r], moves[r], game_seen_hash(p.seen + p.start[r], p.start[r + 1] - p.start[r]));
		game_next(s->worker, c->state, moves, c->state);
	}
}

void mccfr_run(struct mccfr *c, struct seat *s, const struct budget *b)
{
	assert(s->role < s->game->roles);
	uint32_t real = game_players(c->g);
	for (uint64_t i = 0; !limit_reached(&b->limit) && (!b->playouts || i < b->playouts) && !worker_trouble(s->worker);
	     i++) {
		uint32_t learner = (uint32_t)(c->iterations++ % real);
		learner += learner >= c->g->random;
		if (mccfr_whole(c))
			mccfr_traverse(c, s, learner);
		else
			iterate(c, s, learner);
		s->count.rounds++;
		s->count.playouts++;
	}
}

bool mccfr_policy(const struct mccfr *c, uint64_t view, uint32_t actions, double *p)
{
	assert(actions);
	uint32_t id = mccfr_find(c, view, actions);
	const struct infoset *set = id == TABLE_NONE ? NULL : &c->sets.at[id];
	double total = 0;
	for (uint32_t i = 0; set && i < actions; i++)
		total += set->policy[i];
	for (uint32_t i = 0; i < actions; i++)
		p[i] = set && set->best != TABLE_NONE ? i == set->best : total > 0 ? set->policy[i] / total : 1.0 / actions;
	return set && (total > 0 || set->best != TABLE_NONE);
}

/* Views are distinguished by turns: a turn that was missed is nowhere in the tree. A turn
 * may be asked about twice. */
static void follow(struct mccfr *c, struct seat *s, const struct turn *t)
{
	assert(t->legal_count && t->legal);
	if (!t->step)
		c->own = view_start(s->role);
	else if (t->step != c->step)
		c->own = view_after(c->own, t->own_last, game_seen_hash(t->seen, t->seen_count));
	c->step = t->step;
}

uint32_t mccfr_move(struct mccfr *c, struct seat *s, const struct turn *t)
{
	assert(s->role < s->game->roles);
	assert(t->legal_count && t->legal);
	follow(c, s, t);
	if (t->legal_count == 1)
		return t->legal[0];
	vec_clear(&c->sigma);
	vec_extend(&c->sigma, t->legal_count);
	bool known = mccfr_policy(c, c->own, t->legal_count, c->sigma.at);
	uint32_t a = draw(s, c->sigma.at, t->legal_count, 0);
	if (!known)
		text_puts(&s->why, "never been here: drawn at random");
	else
		text_printf(&s->why, "drawn with probability %.3f, %llu iterations", c->sigma.at[a],
		            (unsigned long long)c->iterations);
	return t->legal[a];
}

bool mccfr_values(const struct mccfr *c, const struct turn *t, struct move_value *out)
{
	double *p = NEW_ARRAY(double, t->legal_count);
	bool known = mccfr_policy(c, c->own, t->legal_count, p);
	for (uint32_t i = 0; known && i < t->legal_count; i++)
		out[i].share = p[i];
	mem_free(p);
	return known;
}

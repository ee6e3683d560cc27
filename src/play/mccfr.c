#include "play/mccfr.h"

#include "base/arena.h"
#include "base/hash.h"

#include <string.h>

#define EXPLORE 0.4
#define MOST_STEPS 300
#define MOST_SETS 2000000

struct infoset {
	uint64_t key;
	uint32_t actions;
	float *regret, *policy;
};

/* A choice of the role that learns, on the way of one iteration. */
struct decision {
	uint32_t set, action;
	double sigma; /* of the action taken, under the present strategy */
};

struct mccfr {
	struct game *g;
	struct table table;
	VEC(struct infoset) sets;
	struct arena arena;
	uint64_t *state;
	uint64_t *history; /* by role, in an iteration */
	uint64_t own;      /* in the match */
	VEC(struct decision) way;
	VEC(uint32_t) legal, start;
	VEC(double) sigma;
	uint64_t iterations;
};

struct mccfr *mccfr_new(struct seat *s)
{
	struct mccfr *c = NEW(struct mccfr);
	c->g = s->game;
	c->state = NEW_ARRAY(uint64_t, s->game->words);
	c->history = NEW_ARRAY(uint64_t, s->game->roles);
	return c;
}

void mccfr_free(struct mccfr *c)
{
	table_free(&c->table);
	vec_free(&c->sets);
	arena_free(&c->arena);
	vec_free(&c->way);
	vec_free(&c->legal);
	vec_free(&c->start);
	vec_free(&c->sigma);
	mem_free(c->state);
	mem_free(c->history);
	mem_free(c);
}

static uint64_t key_at_start(uint32_t role)
{
	return hash_mix(role + 1);
}

static uint64_t key_after(uint64_t key, uint32_t move, const uint32_t *seen, uint32_t n)
{
	key = hash_join(key, move);
	for (uint32_t i = 0; i < n; i++)
		key = hash_join(key, seen[i]);
	return hash_join(key, UINT64_C(1) << 40); /* the end of a step */
}

static uint32_t find_set(struct mccfr *c, struct seat *s, uint64_t key, uint32_t actions, bool make)
{
	uint32_t it = 0, id;
	for (table_start(&c->table, key, &it); (id = table_next(&c->table, key, &it)) != TABLE_NONE;)
		if (c->sets.at[id].key == key && c->sets.at[id].actions == actions)
			return id;
	if (!make || c->sets.n >= MOST_SETS)
		return TABLE_NONE;
	struct infoset set = {.key = key, .actions = actions};
	set.regret = arena_alloc(&c->arena, 2 * actions * sizeof *set.regret);
	memset(set.regret, 0, 2 * actions * sizeof *set.regret);
	set.policy = set.regret + actions;
	id = (uint32_t)c->sets.n;
	vec_push(&c->sets, set);
	table_add(&c->table, key, id);
	s->count.nodes++;
	return id;
}

/* Regret matching into c->sigma. */
static void match_regrets(struct mccfr *c, uint32_t set, uint32_t actions)
{
	double total = 0;
	vec_clear(&c->sigma);
	vec_extend(&c->sigma, actions);
	const float *regret = set == TABLE_NONE ? NULL : c->sets.at[set].regret;
	for (uint32_t a = 0; a < actions && regret; a++)
		total += regret[a] > 0 ? (double)regret[a] : 0;
	for (uint32_t a = 0; a < actions; a++)
		c->sigma.at[a] = total <= 0 ? 1.0 / actions : regret[a] > 0 ? (double)regret[a] / total : 0;
}

static uint32_t draw(struct seat *s, const double *p, uint32_t n, double explore)
{
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
	if (actions == 1)
		return 0;
	if (role == c->g->random)
		return rng_below(&s->rng, actions);
	uint32_t set = find_set(c, s, c->history[role], actions, true);
	match_regrets(c, set, actions);
	uint32_t a = draw(s, c->sigma.at, actions, role == learner ? EXPLORE : 0);
	if (role == learner) {
		struct decision d = {set, a, c->sigma.at[a]};
		*sampled *= (1 - EXPLORE) * d.sigma + EXPLORE / actions;
		if (set != TABLE_NONE)
			vec_push(&c->way, d);
	} else if (set != TABLE_NONE) {
		for (uint32_t i = 0; i < actions; i++)
			c->sets.at[set].policy[i] += (float)c->sigma.at[i];
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
			set->regret[a] += (float)(weight * (a == d->action ? tail - here : -here));
		tail = here;
	}
}

static void iterate(struct mccfr *c, struct seat *s, uint32_t learner)
{
	struct game *g = c->g;
	uint32_t roles = g->roles, moves[roles];
	double sampled = 1;
	memcpy(c->state, g->initial, g->words * sizeof *c->state);
	for (uint32_t r = 0; r < roles; r++)
		c->history[r] = key_at_start(r);
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
			c->history[r] = key_after(c->history[r], moves[r], p.seen + p.start[r], p.start[r + 1] - p.start[r]);
		game_next(s->worker, c->state, moves, c->state);
	}
}

void mccfr_run(struct mccfr *c, struct seat *s, const struct budget *b)
{
	for (uint64_t i = 0; !limit_reached(&b->limit) && (!b->playouts || i < b->playouts) && !worker_trouble(s->worker);
	     i++) {
		uint32_t learner = (uint32_t)(c->iterations++ % c->g->roles);
		if (learner == c->g->random)
			continue;
		iterate(c, s, learner);
		s->count.rounds++;
		s->count.playouts++;
	}
}

uint32_t mccfr_move(struct mccfr *c, struct seat *s, const struct turn *t)
{
	c->own = t->step ? key_after(c->own, t->own_last, t->seen, t->seen_count) : key_at_start(s->role);
	uint32_t set = t->legal_count > 1 ? find_set(c, s, c->own, t->legal_count, false) : TABLE_NONE, a = 0;
	if (t->legal_count == 1)
		return t->legal[0];
	if (set == TABLE_NONE) {
		a = rng_below(&s->rng, t->legal_count);
		text_puts(&s->why, "never been here: drawn at random");
	} else {
		const float *policy = c->sets.at[set].policy;
		double total = 0, at;
		for (uint32_t i = 0; i < t->legal_count; i++)
			total += (double)policy[i];
		at = rng_unit(&s->rng) * total;
		for (uint32_t i = 0; i < t->legal_count && total > 0; i++)
			if ((at -= (double)policy[i]) < 0) {
				a = i;
				break;
			}
		text_printf(&s->why, "drawn with probability %.3f, %llu iterations", total > 0 ? (double)policy[a] / total : 0,
		            (unsigned long long)c->iterations);
	}
	return t->legal[a];
}

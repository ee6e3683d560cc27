/* A permutation held against a state: are the images of what the rules say there what
 * they say in the image? */
#include "base/rng.h"
#include "symmetry/symmetry.h"

/* Are the images of role r's numbers exactly those of its image? They are
 * ascending. */
static bool same_list(const uint32_t *image, const uint32_t *a, const uint32_t *as, const uint32_t *b,
                      const uint32_t *bs, uint32_t r, uint32_t to)
{
	if (bs[to + 1] - bs[to] != as[r + 1] - as[r])
		return false;
	for (uint32_t i = as[r]; i < as[r + 1]; i++) {
		uint32_t low = bs[to], high = bs[to + 1];
		while (low < high) {
			uint32_t middle = low + (high - low) / 2;
			if (b[middle] < image[a[i]])
				low = middle + 1;
			else
				high = middle;
		}
		if (low == bs[to + 1] || b[low] != image[a[i]])
			return false;
	}
	return true;
}

struct seen {
	VEC(uint32_t) items, start;
	VEC(int) goals;
	bool terminal;
};

static void keep_view(struct seen *to, const struct view *v, uint32_t roles)
{
	vec_clear(&to->items);
	vec_clear(&to->start);
	vec_clear(&to->goals);
	to->terminal = v->terminal;
	for (uint32_t i = 0; i < v->start[roles]; i++)
		vec_push(&to->items, v->legal[i]);
	for (uint32_t r = 0; r <= roles; r++)
		vec_push(&to->start, v->start[r]);
	for (uint32_t r = 0; r < roles; r++)
		vec_push(&to->goals, v->goals[r]);
}

struct checker {
	const struct symmetry *s;
	struct worker *w;
	const uint32_t *image;
	const uint64_t *state;
	uint64_t *there, *next, *next_there, *mapped; /* states */
	uint32_t *moves, *moves_there;
	uint32_t *points; /* moves or percepts only: images as numbers of their own */
	struct seen before;
};

static bool check_view(struct checker *c)
{
	const struct symmetry *s = c->s;
	uint32_t roles = s->game->roles;
	struct view v = game_look(c->w, c->state);
	keep_view(&c->before, &v, roles);
	v = game_look(c->w, c->there);
	for (uint32_t i = 0; i < s->game->moves; i++)
		c->points[i] = c->image[s->first_move + i] - s->first_move;
	bool ok = v.terminal == c->before.terminal;
	for (uint32_t r = 0; r < roles && ok; r++) {
		uint32_t to = c->image[s->first_role + r] - s->first_role;
		ok = v.goals[to] == c->before.goals.at[r] &&
		     same_list(c->points, c->before.items.at, c->before.start.at, v.legal, v.start, r, to);
	}
	return ok;
}

static bool check_move(struct checker *c)
{
	const struct symmetry *s = c->s;
	const struct game *g = s->game;
	for (uint32_t r = 0; r < g->roles; r++)
		c->moves_there[c->image[s->first_role + r] - s->first_role] =
			c->image[s->first_move + c->moves[r]] - s->first_move;
	game_next(c->w, c->state, c->moves, c->next);
	game_next(c->w, c->there, c->moves_there, c->next_there);
	symmetry_apply(s, c->image, c->next, c->mapped);
	if (!symmetry_same(s, c->mapped, c->next_there))
		return false;
	if (!g->percepts)
		return true;
	struct percepts p = game_sees(c->w, c->state, c->moves);
	struct view as_view = {.legal = p.seen, .start = p.start, .goals = c->before.goals.at};
	struct seen first = {0};
	keep_view(&first, &as_view, g->roles);
	p = game_sees(c->w, c->there, c->moves_there);
	uint32_t *images = mem_alloc(g->percepts + 1, sizeof *images);
	for (uint32_t i = 0; i < g->percepts; i++)
		images[i] = c->image[s->first_percept + i] - s->first_percept;
	bool ok = true;
	for (uint32_t r = 0; r < g->roles && ok; r++)
		ok = same_list(images, first.items.at, first.start.at, p.seen, p.start, r,
		               c->image[s->first_role + r] - s->first_role);
	mem_free(images);
	vec_free(&first.items);
	vec_free(&first.start);
	vec_free(&first.goals);
	return ok;
}

/* The joint move number `at`, counted through; false when there are no more. */
static bool joint_move(struct checker *c, uint64_t at)
{
	const struct seen *v = &c->before;
	for (uint32_t r = 0; r < c->s->game->roles; r++) {
		uint32_t n = v->start.at[r + 1] - v->start.at[r];
		if (!n)
			return false;
		c->moves[r] = v->items.at[v->start.at[r] + at % n];
		at /= n;
	}
	return at == 0;
}

static bool random_joint(struct checker *c, struct rng *rng)
{
	const struct seen *v = &c->before;
	for (uint32_t r = 0; r < c->s->game->roles; r++) {
		uint32_t n = v->start.at[r + 1] - v->start.at[r];
		if (!n)
			return false;
		c->moves[r] = v->items.at[v->start.at[r] + rng_below(rng, n)];
	}
	return true;
}

bool symmetry_check(const struct symmetry *s, struct worker *w, const uint32_t *image, const uint64_t *state,
                    uint32_t samples, uint64_t seed)
{
	const struct game *g = s->game;
	struct checker c = {.s = s, .w = w, .image = image, .state = state};
	struct rng rng = rng_seed(seed);
	uint64_t *states = mem_alloc(4 * (size_t)g->words + 1, sizeof *states), joint = 1;
	c.there = states;
	c.next = states + g->words;
	c.next_there = states + 2 * g->words;
	c.mapped = states + 3 * g->words;
	c.moves = mem_alloc(2 * g->roles + 1, sizeof *c.moves);
	c.moves_there = c.moves + g->roles;
	c.points = mem_alloc(g->moves + 1, sizeof *c.points);
	symmetry_apply(s, image, state, c.there);
	bool ok = check_view(&c);
	if (ok && !c.before.terminal) {
		for (uint32_t r = 0; r < g->roles && joint <= samples; r++)
			joint *= c.before.start.at[r + 1] - c.before.start.at[r];
		for (uint64_t i = 0; i < (joint < samples ? joint : samples) && ok; i++)
			if (joint <= samples ? joint_move(&c, i) : random_joint(&c, &rng))
				ok = check_move(&c);
	}
	mem_free(states);
	mem_free(c.moves);
	mem_free(c.points);
	vec_free(&c.before.items);
	vec_free(&c.before.start);
	vec_free(&c.before.goals);
	return ok;
}

#include "model/symmetry.h"

#include "base/bits.h"
#include "base/hash.h"
#include "base/rng.h"
#include "model/symgraph.h"

#include <string.h>

/* ---- permutations of states ---------------------------------------------------------- */

void symmetry_apply(const struct symmetry *s, const uint32_t *image, const uint64_t *state, uint64_t *to)
{
	memset(to, 0, s->game->words * sizeof *to);
	for (uint32_t w = 0; w < s->game->words; w++)
		for (uint64_t x = state[w]; x; x &= x - 1)
			bits_add(to, image[w * 64 + (uint32_t)__builtin_ctzll(x)]);
}

static bool smaller(const uint64_t *a, const uint64_t *b, uint32_t words)
{
	for (uint32_t i = 0; i < words; i++)
		if (a[i] != b[i])
			return a[i] < b[i];
	return false;
}

const uint32_t *symmetry_canonical(const struct symmetry *s, const uint64_t *state, bool steady, uint64_t *to)
{
	uint32_t words = s->game->words;
	uint64_t few[2 * 16], *own = words > 16 ? mem_alloc(2 * words, sizeof *own) : few, *image = own + words;
	const uint32_t *best = s->elements.at;
	for (uint32_t w = 0; w < words; w++)
		own[w] = state[w] & s->matters[w];
	memcpy(to, own, words * sizeof *to);
	for (size_t i = 1; i < (steady ? s->steady : s->element_count); i++) {
		const uint32_t *e = s->elements.at + i * s->points;
		symmetry_apply(s, e, own, image);
		if (smaller(image, to, words)) {
			memcpy(to, image, words * sizeof *to);
			best = e;
		}
	}
	if (own != few)
		mem_free(own);
	return best;
}

/* ---- trying them on states -------------------------------------------------------------- */

static bool same_where_it_matters(const struct symmetry *s, const uint64_t *a, const uint64_t *b)
{
	for (uint32_t w = 0; w < s->game->words; w++)
		if ((a[w] ^ b[w]) & s->matters[w])
			return false;
	return true;
}

/* Are the images of role r's numbers exactly those of its image? */
static bool same_list(const uint32_t *image, const uint32_t *a, const uint32_t *as, const uint32_t *b,
		      const uint32_t *bs, uint32_t r, uint32_t to)
{
	uint32_t n = as[r + 1] - as[r];
	if (bs[to + 1] - bs[to] != n)
		return false;
	for (uint32_t i = as[r]; i < as[r + 1]; i++) {
		bool there = false;
		for (uint32_t k = bs[to]; k < bs[to + 1] && !there; k++)
			there = b[k] == image[a[i]];
		if (!there)
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
	uint32_t *points; /* of moves or percepts: images as numbers of their own */
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
	if (!same_where_it_matters(s, c->mapped, c->next_there))
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

/* Tries all generators along random games; drops those that fail. */
static void try_generators(struct symmetry *s, uint32_t checks, const struct limit *limit)
{
	struct game *g = s->game;
	struct worker *w = worker_new(g);
	struct rng rng = rng_seed(1);
	uint64_t *state = mem_alloc(g->words + 1, sizeof *state);
	uint32_t *moves = mem_alloc(g->roles + 1, sizeof *moves);
	bool *bad = NEW_ARRAY(bool, s->generators + 1);
	memcpy(state, g->initial, g->words * sizeof *state);
	for (uint32_t t = 0; t < checks && (t < 2 || !limit_reached(limit)); t++) {
		for (size_t i = 0; i < s->generators; i++)
			if (!bad[i])
				bad[i] = !symmetry_check(s, w, symmetry_generator(s, i), state, 4, t);
		struct view v = game_look(w, state);
		if (v.terminal || !game_random_move(g, &v, &rng, moves))
			memcpy(state, g->initial, g->words * sizeof *state);
		else
			game_next(w, state, moves, state);
	}
	size_t kept = 0;
	for (size_t i = 0; i < s->generators; i++)
		if (!bad[i])
			memmove(s->images.at + kept++ * s->points, symmetry_generator(s, i), s->points * sizeof *s->images.at);
	s->refuted = s->generators - kept;
	s->generators = kept;
	mem_free(state);
	mem_free(moves);
	mem_free(bad);
	worker_free(w);
}

/* ---- elements ------------------------------------------------------------------------- */

#define ELEMENT_WORDS ((size_t)4 << 20) /* in all elements together */

struct closure {
	uint32_t points;
	VEC(uint32_t) at; /* elements */
	size_t count;
	struct table index;
};

static bool closure_add(struct closure *c, const uint32_t *e)
{
	uint64_t h = hash_words(e, c->points);
	uint32_t it, id;
	for (table_start(&c->index, h, &it); (id = table_next(&c->index, h, &it)) != TABLE_NONE;)
		if (!memcmp(c->at.at + (size_t)id * c->points, e, c->points * sizeof *e))
			return false;
	vec_extend(&c->at, c->points);
	memcpy(c->at.at + c->count * c->points, e, c->points * sizeof *e);
	table_add(&c->index, h, (uint32_t)c->count++);
	return true;
}

/* All products of the generators, breadth first; false: more than `most`. */
static bool close_under(const struct symmetry *s, const size_t *chosen, size_t n, size_t most, struct closure *c)
{
	uint32_t *e = mem_alloc(s->points + 1, sizeof *e);
	*c = (struct closure){.points = s->points};
	for (uint32_t p = 0; p < s->points; p++)
		e[p] = p;
	closure_add(c, e);
	for (size_t i = 0; i < c->count && c->count <= most; i++)
		for (size_t k = 0; k < n && c->count <= most; k++) {
			const uint32_t *g = symmetry_generator(s, chosen[k]);
			for (uint32_t p = 0; p < s->points; p++)
				e[p] = g[c->at.at[i * s->points + p]];
			closure_add(c, e);
		}
	mem_free(e);
	table_free(&c->index);
	return c->count <= most;
}

static bool is_steady(const struct symmetry *s, const uint32_t *image)
{
	for (uint32_t p = s->first_role; p < s->first_percept; p++)
		if (image[p] != p)
			return false;
	return true;
}

static void take_elements(struct symmetry *s, const struct closure *c)
{
	vec_clear(&s->elements);
	s->element_count = s->steady = 0;
	for (int steady = 1; steady >= 0; steady--)
		for (size_t i = 0; i < c->count; i++) {
			const uint32_t *e = c->at.at + i * c->points;
			if (is_steady(s, e) != steady)
				continue;
			vec_extend(&s->elements, s->points);
			memcpy(s->elements.at + s->element_count++ * s->points, e, s->points * sizeof *e);
			s->steady += (size_t)steady;
		}
}

/* Generators are added one by one as long as what they generate can be written out; so
 * the elements are a group, and canonical forms are canonical under it. */
static void write_elements(struct symmetry *s)
{
	size_t most = ELEMENT_WORDS / (s->points + 1), n = 0;
	size_t *chosen = NEW_ARRAY(size_t, s->generators + 1);
	struct closure c;
	most = most > SYMMETRY_ELEMENTS ? SYMMETRY_ELEMENTS : most < 1 ? 1 : most;
	close_under(s, NULL, 0, most, &c);
	take_elements(s, &c);
	vec_free(&c.at);
	for (size_t k = 0; k < s->generators; k++) {
		chosen[n] = k;
		if (close_under(s, chosen, n + 1, most, &c)) {
			n++;
			take_elements(s, &c);
		}
		vec_free(&c.at);
	}
	s->all = n == s->generators;
	mem_free(chosen);
}

/* ---- orbits ---------------------------------------------------------------------------- */

static uint32_t root(uint32_t *up, uint32_t p)
{
	while (up[p] != p)
		p = up[p] = up[up[p]];
	return p;
}

static void join_points(uint32_t *up, const uint32_t *image, uint32_t from, uint32_t to)
{
	for (uint32_t p = from; p < to; p++) {
		uint32_t a = root(up, p - from), b = root(up, image[p] - from);
		if (a < b)
			up[b] = a;
		else
			up[a] = b;
	}
}

void symmetry_orbits(uint32_t points, const uint32_t *images, size_t generators, uint32_t *orbit)
{
	for (uint32_t p = 0; p < points; p++)
		orbit[p] = p;
	for (size_t i = 0; i < generators; i++)
		join_points(orbit, images + i * points, 0, points);
	for (uint32_t p = 0; p < points; p++)
		orbit[p] = root(orbit, p);
}

void symmetry_move_orbits(const struct symmetry *s, const uint64_t *state, uint32_t *orbit)
{
	uint32_t moves = s->game->moves, words = s->game->words;
	uint64_t *image = mem_alloc(words + 1, sizeof *image);
	for (uint32_t m = 0; m < moves; m++)
		orbit[m] = m;
	for (size_t i = 1; i < s->element_count; i++) {
		const uint32_t *e = s->elements.at + i * s->points;
		symmetry_apply(s, e, state, image);
		if (same_where_it_matters(s, image, state))
			join_points(orbit, e, s->first_move, s->first_move + moves);
	}
	for (uint32_t m = 0; m < moves; m++)
		orbit[m] = root(orbit, m);
	mem_free(image);
}

/* ---- groups from graphs ------------------------------------------------------------------ */

/* The group on the points; its order is that of the graph's group divided by what moves
 * no point at all. */
static bool find_group(const struct coloured_graph *graph, uint32_t points, const struct limit *limit,
		       struct automorphisms *a)
{
	if (!automorphisms_find(a, graph, points, AUTOMORPHISM_AUTO, limit))
		return false;
	if (!a->hidden)
		return true;
	struct coloured_graph fixed = {0};
	struct automorphisms kernel;
	for (size_t v = 0; v < graph->colour.n; v++)
		vec_push(&fixed.colour, v < points ? UINT32_MAX - (uint32_t)v : graph->colour.at[v]);
	fixed.ends.at = graph->ends.at;
	fixed.ends.n = graph->ends.n;
	bool ok = automorphisms_find(&kernel, &fixed, points, AUTOMORPHISM_AUTO, limit);
	vec_free(&fixed.colour);
	if (!ok) {
		automorphisms_free(a);
		return false;
	}
	a->mantissa /= kernel.mantissa;
	a->exponent -= kernel.exponent;
	automorphisms_free(&kernel);
	return true;
}

bool symmetry_stabiliser(const struct symmetry *s, const uint64_t *state, const uint32_t *nogoods, size_t count,
			 const struct limit *limit, struct symmetry_group *group)
{
	struct automorphisms a;
	struct coloured_graph g = {0};
	*group = (struct symmetry_group){.mantissa = 1};
	if (!s->graph || symmetry_trivial(s))
		return s->graph != NULL;
	uint32_t colours = s->graph->colours, roles = s->game->roles;
	for (size_t v = 0; v < s->graph->graph.colour.n; v++)
		vec_push(&g.colour, s->graph->graph.colour.at[v]);
	for (size_t i = 0; i < s->graph->graph.ends.n; i++)
		vec_push(&g.ends, s->graph->graph.ends.at[i]);
	/* fluents that hold get colours of their own; nogoods are vertices joined to their moves */
	BITS_EACH (f, state, s->game->fluents)
		if (bits_has(s->matters, f))
			g.colour.at[f] = colours;
	for (size_t i = 0; i < count; i++) {
		uint32_t v = graph_vertex(&g, colours + 1);
		for (uint32_t r = 0; r < roles; r++)
			graph_edge(&g, v, s->first_move + nogoods[i * roles + r]);
	}
	bool ok = find_group(&g, s->points, limit, &a);
	coloured_graph_free(&g);
	if (!ok)
		return false;
	group->generators = a.count;
	group->mantissa = a.mantissa;
	group->exponent = a.exponent;
	for (size_t i = 0; i < a.images.n; i++)
		vec_push(&group->images, a.images.at[i]);
	automorphisms_free(&a);
	return true;
}

void symmetry_group_free(struct symmetry_group *group)
{
	vec_free(&group->images);
}

/* ---- all -------------------------------------------------------------------------------- */

static const char *detect(struct symmetry *s, const struct symmetry_options *o)
{
	struct automorphisms a;
	if (s->game->engine != ENGINE_CIRCUIT)
		return "the rules do not ground";
	s->graph = symgraph_make(s->game, o->max_edges ? o->max_edges : SYMMETRY_EDGES);
	if (!s->graph)
		return "the ground program is too large";
	s->vertices = (uint32_t)s->graph->graph.colour.n;
	s->edges = s->graph->graph.ends.n / 2;
	memcpy(s->matters, s->graph->matters, s->game->words * sizeof *s->matters);
	if (limit_reached(&o->limit) || !find_group(&s->graph->graph, s->points, &o->limit, &a))
		return "out of time";
	s->generators = a.count;
	s->mantissa = a.mantissa;
	s->exponent = a.exponent;
	for (size_t i = 0; i < a.images.n; i++)
		vec_push(&s->images, a.images.at[i]);
	automorphisms_free(&a);
	try_generators(s, o->checks ? o->checks : SYMMETRY_CHECKS, &o->limit);
	return NULL;
}

struct symmetry *symmetry_find(struct game *g, const struct symmetry_options *o)
{
	struct symmetry *s = NEW(struct symmetry);
	double began = clock_now();
	s->game = g;
	s->mantissa = 1;
	s->first_move = g->fluents;
	s->first_role = g->fluents + g->moves;
	s->first_percept = s->first_role + g->roles;
	s->points = s->first_percept + g->percepts;
	s->matters = mem_alloc(g->words + 1, sizeof *s->matters);
	memset(s->matters, 0xff, g->words * sizeof *s->matters);
	s->skipped = detect(s, o);
	write_elements(s);
	if (s->refuted) {
		s->mantissa = (double)s->element_count;
		s->exponent = 0;
	}
	s->seconds = clock_now() - began;
	return s;
}

void symmetry_free(struct symmetry *s)
{
	if (!s)
		return;
	symgraph_free(s->graph);
	vec_free(&s->images);
	vec_free(&s->elements);
	mem_free(s->matters);
	mem_free(s);
}

/* A tree of beliefs: nodes are found again by their content, or by that of a symmetric belief. */
#include "play/mac/mac_belief.h"

#include "analysis/fragment.h"
#include "base/arena.h"
#include "base/bits.h"
#include "play/hidden/clairvoyant_bound.h"

#include <math.h>
#include <string.h>

#define NONE UINT32_MAX
#define MOST_DECISIONS 4096
#define MAX_DEPTH 512
#define MAX_STEPS 5000  /* of a playout */
#define SAMPLES 16      /* playouts from a belief */
#define CLAIRVOYANT 0.5 /* weight of the clairvoyant bound against playouts, in games of one role */
#define WAIT 0.001      /* more that an open arm must promise than an exhausted one has */
#define GRAIN 1048576.0 /* weights are compared to one part of this */

/* What may be seen after a decision. */
struct outcome {
	double p;
	uint32_t node; /* NONE: the end */
	double *goals; /* then, by role, expected */
};

struct decision {
	struct outcome *at;
	uint32_t count;
	bool solved;
};

struct belief_arm {
	uint32_t move;
	double visits, sum;
};

struct belief_node {
	uint64_t *states;
	double *weight, *sum, *value; /* by state; by role: of evaluations; exact, once solved */
	uint32_t count;
	uint32_t *start, joint; /* arms by role; decisions */
	struct belief_arm *arms;
	struct decision *decisions; /* by joint decision, `at` NULL: not solved yet; NULL: the node is not open */
	double visits;
	uint32_t movers, mover;
	bool solved;
};

struct step {
	uint32_t node, joint;
};

struct mac_belief {
	const struct mac_options *o;
	struct game *g;
	struct arena arena;
	VEC(struct belief_node) nodes;
	struct table table; /* by content */
	VEC(uint64_t) keys;
	struct table told; /* what a role did and saw at a node: the joint decision */
	VEC(struct {
		uint64_t key;
		uint32_t joint;
	}) ways;
	const struct symmetry *symmetry;
	struct clairvoyant_bound *bound;
	bool secret;
	uint32_t root; /* of the last search */
	/* scratch */
	VEC(uint64_t) states, next, legal, seen, image;
	VEC(uint32_t) moves, arms;
	VEC(double) p;
	VEC(uint8_t) terminal;
	VEC(int) goals;
	VEC(struct seen_class {
		uint64_t key;
		uint32_t first;
	}) classes;
	VEC(struct step) path;
};

struct mac_belief *mac_belief_new(struct seat *s, const struct mac_options *o)
{
	if (s->game->interpreter || !fragment_all_see_the_same(s->game))
		return NULL;
	struct mac_belief *x = NEW(struct mac_belief);
	x->o = o;
	x->g = s->game;
	if (game_players(x->g) == 1)
		x->bound = clairvoyant_bound_new();
	return x;
}

void mac_belief_free(struct mac_belief *x)
{
	if (!x)
		return;
	arena_free(&x->arena);
	vec_free(&x->nodes);
	table_free(&x->table);
	vec_free(&x->keys);
	table_free(&x->told);
	vec_free(&x->ways);
	if (x->bound)
		clairvoyant_bound_free(x->bound);
	vec_free(&x->states);
	vec_free(&x->next);
	vec_free(&x->legal);
	vec_free(&x->seen);
	vec_free(&x->image);
	vec_free(&x->moves);
	vec_free(&x->arms);
	vec_free(&x->p);
	vec_free(&x->terminal);
	vec_free(&x->goals);
	vec_free(&x->classes);
	vec_free(&x->path);
	mem_free(x);
}

void mac_belief_symmetry(struct mac_belief *x, const struct symmetry *symmetry)
{
	x->symmetry = symmetry;
}

static void forget(struct mac_belief *x)
{
	arena_free(&x->arena);
	x->arena = (struct arena){0};
	vec_clear(&x->nodes);
	vec_clear(&x->keys);
	vec_clear(&x->ways);
	table_clear(&x->table);
	table_clear(&x->told);
}

static void *room(struct mac_belief *x, size_t bytes)
{
	return memset(arena_alloc(&x->arena, bytes + 8), 0, bytes);
}

/* ---- nodes ------------------------------------------------------------------------------------------ */

/* The content of a belief as a number, whatever the order of its states; under an element of the group. */
static uint64_t content(struct mac_belief *x, const uint64_t *states, const double *weight, uint32_t count,
                        const uint32_t *element)
{
	uint32_t words = x->g->words;
	uint64_t h = count;
	vec_reserve(&x->image, words + 1);
	for (uint32_t i = 0; i < count; i++) {
		const uint64_t *state = states + (size_t)i * words;
		if (element) {
			symmetry_apply(x->symmetry, element, state, x->image.at);
			state = x->image.at;
		}
		h += hash_mix(hash_join(game_hash(x->g, state), (uint64_t)(weight[i] * GRAIN + 0.5)));
	}
	return hash_mix(h);
}

/* The smallest content among those of the symmetric beliefs. */
static uint64_t key_of(struct mac_belief *x, const uint64_t *states, const double *weight, uint32_t count, bool exact)
{
	uint64_t key = content(x, states, weight, count, NULL);
	if (exact)
		return key ^ 1;
	for (size_t e = 1; x->symmetry && e < x->symmetry->scope[SYMMETRY_HOME]; e++) {
		uint64_t other = content(x, states, weight, count, x->symmetry->elements.at + e * x->symmetry->points);
		key = other < key ? other : key;
	}
	return key & ~UINT64_C(1);
}

static uint32_t find_node(struct mac_belief *x, struct seat *s, const uint64_t *states, const double *weight,
                          uint32_t count, bool exact)
{
	uint64_t key = key_of(x, states, weight, count, exact);
	uint32_t it, id, roles = x->g->roles;
	for (table_start(&x->table, key, &it); (id = table_next(&x->table, key, &it)) != TABLE_NONE;)
		if (x->keys.at[id] == key && x->nodes.at[id].count == count) {
			s->count.hits++;
			return id;
		}
	struct belief_node n = {.count = count};
	n.states = arena_copy(&x->arena, states, (size_t)count * x->g->words * sizeof *states);
	n.weight = arena_copy(&x->arena, weight, count * sizeof *weight);
	n.sum = room(x, 2 * roles * sizeof *n.sum);
	n.value = n.sum + roles;
	table_add(&x->table, key, (uint32_t)x->nodes.n);
	vec_push(&x->keys, key);
	vec_push(&x->nodes, n);
	s->count.nodes++;
	return (uint32_t)x->nodes.n - 1;
}

/* The moves of the roles: the same in all states, or somebody knows more than the others. */
static void open_node(struct mac_belief *x, struct seat *s, uint32_t id)
{
	struct belief_node *n = &x->nodes.at[id];
	const struct game *g = x->g;
	uint32_t row = game_legal_words(g), roles = g->roles;
	vec_reserve(&x->legal, (size_t)n->count * row + 1);
	game_expand(s->worker, &(struct expansion){.states = n->states, .count = n->count, .legal = x->legal.at});
	n->start = room(x, (roles + 1) * sizeof *n->start);
	uint64_t joint = 1;
	vec_clear(&x->moves);
	for (uint32_t r = 0; r < roles; r++) {
		n->start[r] = (uint32_t)x->moves.n;
		for (uint32_t m = g->first_move[r]; r != g->random && m < g->first_move[r + 1]; m++) {
			bool has = bits_has(x->legal.at, m);
			for (uint32_t i = 1; i < n->count; i++)
				x->secret |= bits_has(x->legal.at + (size_t)i * row, m) != has;
			if (has)
				vec_push(&x->moves, m);
		}
		uint32_t count = (uint32_t)x->moves.n - n->start[r];
		if (r == g->random)
			continue;
		joint = count && joint <= MOST_DECISIONS ? joint * count : MOST_DECISIONS + 1;
		if (count > 1) {
			n->movers++;
			n->mover = r;
		}
	}
	n->start[roles] = (uint32_t)x->moves.n;
	x->secret |= joint > MOST_DECISIONS;
	if (x->secret)
		return;
	n->joint = (uint32_t)joint;
	n->arms = room(x, x->moves.n * sizeof *n->arms);
	for (size_t i = 0; i < x->moves.n; i++)
		n->arms[i].move = x->moves.at[i];
	n->decisions = room(x, joint * sizeof *n->decisions);
}

/* ---- rounds ---------------------------------------------------------------------------------------------- */

static uint32_t arms_of(const struct mac_belief *x, const struct belief_node *n, uint32_t joint, uint32_t *arms)
{
	for (uint32_t r = x->g->roles; r-- > 0;) {
		uint32_t count = n->start[r + 1] - n->start[r];
		arms[r] = count ? joint % count : 0;
		joint /= count ? count : 1;
	}
	return joint;
}

/* The rows of the table: every state with every draw, and their probabilities. */
static void list_pairs(struct mac_belief *x, struct seat *s, const struct belief_node *n, uint32_t joint)
{
	const struct game *g = x->g;
	uint32_t row = game_legal_words(g), words = g->words, roles = g->roles;
	vec_reserve(&x->legal, (size_t)n->count * row + 1);
	if (g->random < roles)
		game_expand(s->worker, &(struct expansion){.states = n->states, .count = n->count, .legal = x->legal.at});
	vec_reserve(&x->arms, roles);
	arms_of(x, n, joint, x->arms.at);
	vec_clear(&x->states);
	vec_clear(&x->moves);
	vec_clear(&x->p);
	for (uint32_t i = 0; i < n->count; i++) {
		uint32_t from = g->random < roles ? g->first_move[g->random] : 0,
				 to = g->random < roles ? g->first_move[g->random + 1] : 1;
		uint32_t draws = 0;
		for (uint32_t m = from; m < to; m++)
			draws += g->random == roles || bits_has(x->legal.at + (size_t)i * row, m);
		for (uint32_t m = from; m < to; m++) {
			if (g->random < roles && !bits_has(x->legal.at + (size_t)i * row, m))
				continue;
			vec_extend(&x->states, words);
			memcpy(x->states.at + x->states.n - words, n->states + (size_t)i * words, words * sizeof *n->states);
			for (uint32_t r = 0; r < roles; r++)
				vec_push(&x->moves, r == g->random ? m : n->arms[n->start[r] + x->arms.at[r]].move);
			vec_push(&x->p, n->weight[i] / draws);
		}
	}
}

/* A belief that is too large for its table is thinned out, evenly by weight. */
static void thin_out(struct mac_belief *x, struct seat *s, struct belief_node *n)
{
	uint32_t most = (uint32_t)x->o->beliefs, kept = 0, words = x->g->words;
	if (n->count <= most)
		return;
	double at = rng_unit(&s->rng) / most, sum = 0;
	for (uint32_t i = 0; i < n->count; i++) {
		sum += n->weight[i];
		double weight = 0;
		for (; at < sum && at < 1; at += 1.0 / most)
			weight += 1.0 / most;
		if (weight <= 0)
			continue;
		memmove(n->states + (size_t)kept * words, n->states + (size_t)i * words, words * sizeof *n->states);
		n->weight[kept++] = weight;
	}
	n->count = kept;
}

/* What each role did and saw must tell it what the others did. */
static void check_secrets(struct mac_belief *x, uint32_t id, uint32_t joint, const uint32_t *moves,
                          const uint64_t *seen)
{
	for (uint32_t r = 0; r < x->g->roles && game_players(x->g) > 1; r++) {
		if (r == x->g->random)
			continue;
		uint64_t key = hash_join(hash_join(hash_join(hash_mix(id + 1), r), moves[r]), seen[r]);
		uint32_t it, way;
		for (table_start(&x->told, key, &it); (way = table_next(&x->told, key, &it)) != TABLE_NONE;)
			if (x->ways.at[way].key == key)
				break;
		if (way != TABLE_NONE) {
			x->secret |= x->ways.at[way].joint != joint;
			continue;
		}
		table_add(&x->told, key, (uint32_t)x->ways.n);
		vec_extend(&x->ways, 1);
		x->ways.at[x->ways.n - 1].key = key;
		x->ways.at[x->ways.n - 1].joint = joint;
	}
}

static uint32_t someone(const struct game *g)
{
	return g->random == 0 ? 1 : 0;
}

/* Rows that look alike are one outcome: sorted into classes by what is seen and whether the game is over. */
static uint32_t classify(struct mac_belief *x, size_t rows, uint32_t *class_of)
{
	const struct game *g = x->g;
	uint32_t row = game_legal_words(g), who = someone(g);
	struct table index = {0};
	vec_clear(&x->classes);
	for (uint32_t i = 0; i < rows; i++) {
		uint64_t key = hash_join(x->seen.at[(size_t)i * g->roles + who], x->terminal.at[i]);
		for (uint32_t m = g->first_move[who]; !x->terminal.at[i] && m < g->first_move[who + 1]; m++)
			key += bits_has(x->legal.at + (size_t)i * row, m) ? hash_mix(m + 1) : 0;
		uint32_t it, c;
		for (table_start(&index, key, &it); (c = table_next(&index, key, &it)) != TABLE_NONE;)
			if (x->classes.at[c].key == key)
				break;
		if (c == TABLE_NONE) {
			struct seen_class fresh = {key, i};
			c = (uint32_t)x->classes.n;
			table_add(&index, key, c);
			vec_push(&x->classes, fresh);
		}
		class_of[i] = c;
	}
	table_free(&index);
	return (uint32_t)x->classes.n;
}

/* One belief: the states of a class, equal ones together, weights adding up to 1. */
static uint32_t gather_belief(struct mac_belief *x, struct seat *s, size_t rows, const uint32_t *class_of,
                              uint32_t class, double p)
{
	uint32_t words = x->g->words, count = 0;
	struct table index = {0};
	uint64_t *states = mem_alloc(rows * words + 1, sizeof *states);
	double *weight = mem_alloc(rows + 1, sizeof *weight);
	for (size_t i = 0; i < rows; i++) {
		if (class_of[i] != class)
			continue;
		const uint64_t *state = x->next.at + i * words;
		uint64_t h = hash_mix(game_hash(x->g, state));
		uint32_t it, at;
		for (table_start(&index, h, &it); (at = table_next(&index, h, &it)) != TABLE_NONE;)
			if (!memcmp(states + (size_t)at * words, state, words * sizeof *state))
				break;
		if (at == TABLE_NONE) {
			at = count++;
			memcpy(states + (size_t)at * words, state, words * sizeof *state);
			weight[at] = 0;
			table_add(&index, h, at);
		}
		weight[at] += x->p.at[i] / p;
	}
	uint32_t id = find_node(x, s, states, weight, count, false);
	table_free(&index);
	mem_free(states);
	mem_free(weight);
	return id;
}

/* The conditional table of a joint decision: from each state and draw to what is seen and to the next belief. */
static void solve_decision(struct mac_belief *x, struct seat *s, uint32_t id, uint32_t joint)
{
	const struct game *g = x->g;
	uint32_t roles = g->roles;
	thin_out(x, s, &x->nodes.at[id]);
	list_pairs(x, s, &x->nodes.at[id], joint);
	size_t rows = x->p.n;
	vec_reserve(&x->next, rows * g->words + 1);
	vec_reserve(&x->legal, rows * game_legal_words(g) + 1);
	vec_reserve(&x->seen, rows * roles + 1);
	vec_reserve(&x->terminal, rows + 1);
	vec_reserve(&x->goals, rows * roles + 1);
	game_expand(s->worker, &(struct expansion){.states = x->states.at,
	                                           .moves = x->moves.at,
	                                           .count = rows,
	                                           .next = x->next.at,
	                                           .terminal = x->terminal.at,
	                                           .goals = x->goals.at,
	                                           .legal = x->legal.at,
	                                           .seen = x->seen.at});
	for (size_t i = 0; i < rows && !x->secret; i++)
		check_secrets(x, id, joint, x->moves.at + i * roles, x->seen.at + i * roles);
	uint32_t *class_of = mem_alloc(rows + 1, sizeof *class_of), count = classify(x, rows, class_of);
	struct outcome *out = room(x, count * sizeof *out);
	for (size_t i = 0; i < rows; i++)
		out[class_of[i]].p += x->p.at[i];
	for (uint32_t c = 0; c < count && !x->secret; c++) {
		out[c].node = NONE;
		if (!x->terminal.at[x->classes.at[c].first]) {
			out[c].node = gather_belief(x, s, rows, class_of, c, out[c].p);
			continue;
		}
		out[c].goals = room(x, roles * sizeof *out[c].goals);
		for (size_t i = 0; i < rows; i++)
			for (uint32_t r = 0; class_of[i] == c && r < roles; r++)
				out[c].goals[r] += x->p.at[i] / out[c].p *
				                   (x->goals.at[i * roles + r] == GOAL_NONE ? 0 : x->goals.at[i * roles + r]) / 100.0;
	}
	mem_free(class_of);
	x->nodes.at[id].decisions[joint] = (struct decision){out, count, false};
	s->count.rounds++;
	s->count.by_circuit++;
}

/* ---- values --------------------------------------------------------------------------------------------- */

/* The expected utility of a decision to a role, over what may be seen; `all`: everything below is exhausted. */
static double utility(const struct mac_belief *x, const struct belief_node *n, const struct decision *d, uint32_t role,
                      bool *all)
{
	double sum = 0, unknown = n->visits > 0 ? n->sum[role] / n->visits : 0.5;
	*all = d->at != NULL;
	for (uint32_t i = 0; i < d->count; i++) {
		const struct belief_node *c = d->at[i].node == NONE ? NULL : &x->nodes.at[d->at[i].node];
		*all &= !c || c->solved;
		sum += d->at[i].p * (!c              ? d->at[i].goals[role]
		                     : c->solved     ? c->value[role]
		                     : c->visits > 0 ? c->sum[role] / c->visits
		                                     : unknown);
	}
	return d->at ? sum : unknown;
}

/* A belief whose decisions are all exhausted is worth what the one who decides makes of it. */
static void settle(struct mac_belief *x, struct seat *s, uint32_t id)
{
	struct belief_node *n = &x->nodes.at[id];
	uint32_t best = 0;
	double top = -1;
	bool all = true;
	if (n->solved || n->movers > 1)
		return;
	for (uint32_t j = 0; j < n->joint && all; j++) {
		double u = utility(x, n, &n->decisions[j], n->mover, &all);
		if (all)
			n->decisions[j].solved = true;
		if (u > top) {
			top = u;
			best = j;
		}
	}
	if (!all)
		return;
	for (uint32_t r = 0; r < x->g->roles; r++)
		n->value[r] = utility(x, n, &n->decisions[best], r, &all);
	n->solved = true;
	s->count.proven++;
}

static bool is_exhausted(const struct mac_belief *x, const struct decision *d)
{
	for (uint32_t i = 0; i < d->count; i++)
		if (d->at[i].node != NONE && !x->nodes.at[d->at[i].node].solved)
			return false;
	return d->at != NULL;
}

/* UCB1. Where one role decides, its arms are the decisions: exhausted ones are left out while others are open. */
static uint32_t choose_arm(struct mac_belief *x, struct seat *s, const struct belief_node *n, uint32_t role)
{
	uint32_t count = n->start[role + 1] - n->start[role], best = rng_below(&s->rng, count);
	double top = -1, width = x->o->tree.c * sqrt(log(n->visits + 1));
	bool open = false;
	for (uint32_t a = 0; a < count && n->movers == 1; a++)
		open |= !is_exhausted(x, &n->decisions[a]);
	for (uint32_t i = 0, a = best; i < count; i++, a = a + 1 == count ? 0 : a + 1) {
		const struct belief_arm *arm = &n->arms[n->start[role] + a];
		bool all = false;
		if (open && is_exhausted(x, &n->decisions[a]))
			continue; /* there is nothing to learn from it */
		double u = n->movers == 1    ? utility(x, n, &n->decisions[a], role, &all)
		           : arm->visits > 0 ? arm->sum / arm->visits
		                             : 0.5;
		u += all ? 0 : arm->visits > 0 ? width / sqrt(arm->visits) : 1 + width;
		if (u > top) {
			top = u;
			best = a;
		}
	}
	return best;
}

static uint32_t choose_joint(struct mac_belief *x, struct seat *s, const struct belief_node *n)
{
	uint32_t joint = 0;
	for (uint32_t r = 0; r < x->g->roles; r++) {
		uint32_t count = n->start[r + 1] - n->start[r];
		if (count)
			joint = joint * count + (count > 1 ? choose_arm(x, s, n, r) : 0);
	}
	return joint;
}

/* ---- the search --------------------------------------------------------------------------------------------- */

/* Playouts from states of a belief, and for one role what it could reach if it saw the state. */
static bool evaluate(struct mac_belief *x, struct seat *s, uint32_t id, const struct budget *b, double *value)
{
	const struct belief_node *n = &x->nodes.at[id];
	uint32_t words = x->g->words, roles = x->g->roles;
	double began = clock_thread(), at = rng_unit(&s->rng) / SAMPLES, sum = 0;
	uint32_t drawn = 0;
	vec_reserve(&x->next, (size_t)SAMPLES * words + 1);
	for (uint32_t i = 0; i < n->count && drawn < SAMPLES; i++)
		for (sum += n->weight[i]; at < sum && drawn < SAMPLES; at += 1.0 / SAMPLES)
			memcpy(x->next.at + (size_t)drawn++ * words, n->states + (size_t)i * words, words * sizeof *n->states);
	struct playout_job job = {.starts = x->next.at,
	                          .start_count = drawn,
	                          .playouts = drawn,
	                          .limit = b->limit,
	                          .threads = 1,
	                          .seed = rng_next(&s->rng),
	                          .max_steps = MAX_STEPS};
	struct playout_result r;
	game_playouts(x->g, &job, &r);
	for (uint32_t q = 0; q < roles; q++) {
		value[q] = 0;
		for (uint32_t i = 0; i < drawn; i++)
			value[q] += r.sum[(size_t)i * roles + q] / 100 / (double)(r.playouts ? r.playouts : 1);
	}
	bool any = r.playouts > 0;
	s->count.playouts += r.playouts;
	playout_result_free(&r);
	double bound = 0;
	for (uint32_t i = 0; i < drawn && x->bound && bound >= 0; i++) {
		double ahead = clairvoyant_bound_of(x->bound, s, x->next.at + (size_t)i * words);
		bound = ahead < 0 ? -1 : bound + ahead / drawn;
	}
	if (x->bound && bound >= 0)
		value[s->role] += CLAIRVOYANT * (bound - value[s->role]);
	s->count.playout_seconds += clock_thread() - began;
	return any;
}

/* What a decision is worth after a walk is its expected utility, and not only what this walk has found. */
static void back_up(struct mac_belief *x, struct seat *s)
{
	uint32_t roles = x->g->roles, arms[roles];
	for (size_t i = x->path.n; i-- > 0;) {
		struct belief_node *n = &x->nodes.at[x->path.at[i].node];
		arms_of(x, n, x->path.at[i].joint, arms);
		for (uint32_t r = 0; r < roles; r++) {
			bool all;
			double value = utility(x, n, &n->decisions[x->path.at[i].joint], r, &all);
			n->sum[r] += value;
			if (n->start[r + 1] == n->start[r])
				continue;
			n->arms[n->start[r] + arms[r]].visits++;
			n->arms[n->start[r] + arms[r]].sum += value;
		}
		n->visits++;
		settle(x, s, x->path.at[i].node);
	}
}

/* By their probabilities, of those that are not exhausted as long as there are such. */
static const struct outcome *draw(const struct mac_belief *x, struct seat *s, const struct decision *d)
{
	bool all = is_exhausted(x, d);
	double sum = 0, at = rng_unit(&s->rng);
	const struct outcome *last = d->at;
	for (int pass = 0; pass < 2; pass++)
		for (uint32_t i = 0; i < d->count; i++) {
			if (!all && (d->at[i].node == NONE || x->nodes.at[d->at[i].node].solved))
				continue;
			last = &d->at[i];
			if (!pass)
				sum += last->p;
			else if ((at -= last->p / sum) < 0)
				return last;
		}
	return last;
}

/* Down from the root to a belief that was not met before, or to an end. False: too late, or a secret. */
static bool walk(struct mac_belief *x, struct seat *s, uint32_t root, const struct budget *b)
{
	uint32_t id = root;
	double value[x->g->roles];
	vec_clear(&x->path);
	for (;;) {
		struct belief_node *n = &x->nodes.at[id];
		if (n->solved || (id != root && n->visits <= 0) || x->path.n >= MAX_DEPTH)
			break;
		if (!n->decisions)
			open_node(x, s, id);
		if (x->secret)
			return false;
		struct step step = {id, choose_joint(x, s, &x->nodes.at[id])};
		if (!x->nodes.at[id].decisions[step.joint].at)
			solve_decision(x, s, id, step.joint);
		if (x->secret)
			return false;
		vec_push(&x->path, step);
		const struct outcome *o = draw(x, s, &x->nodes.at[id].decisions[step.joint]);
		if (o->node == NONE) {
			back_up(x, s);
			return true;
		}
		id = o->node;
	}
	struct belief_node *n = &x->nodes.at[id];
	if (n->solved)
		memcpy(value, n->value, sizeof value);
	else if (!evaluate(x, s, id, b, value))
		return false;
	n = &x->nodes.at[id];
	n->visits++;
	for (uint32_t r = 0; r < x->g->roles; r++)
		n->sum[r] += value[r];
	back_up(x, s);
	return true;
}

static uint32_t find_root(struct mac_belief *x, struct seat *s, const struct belief *belief)
{
	size_t count = belief_count(belief);
	uint32_t words = x->g->words, id;
	uint64_t *states = mem_alloc(count * words + 1, sizeof *states);
	double *weight = mem_alloc(count + 1, sizeof *weight);
	for (size_t i = 0; i < count; i++) {
		memcpy(states + i * words, belief_state(belief, i), words * sizeof *states);
		weight[i] = belief_weight(belief, i);
	}
	id = find_node(x, s, states, weight, (uint32_t)count, true);
	mem_free(states);
	mem_free(weight);
	thin_out(x, s, &x->nodes.at[id]);
	return id;
}

/* What an arm of the root is worth, and whether that is exact. */
static double arm_value(const struct mac_belief *x, const struct belief_node *n, uint32_t role, uint32_t arm,
                        bool *exact)
{
	const struct belief_arm *a = &n->arms[n->start[role] + arm];
	*exact = false;
	return n->movers == 1 ? utility(x, n, &n->decisions[arm], role, exact) : a->visits > 0 ? a->sum / a->visits : 0;
}

/* The arm visited most of those that are open; or the best of those that are exhausted, when that is worth as much:
 * what is left for later may not come in time. */
static uint32_t best_arm(const struct mac_belief *x, const struct belief_node *n, uint32_t role)
{
	uint32_t count = n->start[role + 1] - n->start[role], open = NONE, sure = NONE;
	double most = -1, hoped = -1, known = -1;
	for (uint32_t a = 0; a < count; a++) {
		bool exact;
		double u = arm_value(x, n, role, a, &exact), visits = n->arms[n->start[role] + a].visits;
		if (exact && u > known) {
			known = u;
			sure = a;
		}
		if (!exact && visits > most) {
			most = visits;
			hoped = u;
			open = a;
		}
	}
	return open == NONE || (sure != NONE && known >= hoped - WAIT) ? sure : open;
}

uint32_t mac_belief_move(struct mac_belief *x, struct seat *s, const struct turn *t, const struct belief *belief,
                         const struct budget *b, double *share)
{
	uint64_t before = s->count.playouts, walks = 0;
	if (x->secret || !belief_count(belief))
		return GAME_NONE;
	if (x->arena.total > (size_t)x->o->tree.memory << 19)
		forget(x);
	uint32_t root = x->root = find_root(x, s, belief), states = x->nodes.at[root].count;
	while (!limit_reached(&b->limit) && !x->nodes.at[root].solved && x->arena.total < (size_t)x->o->tree.memory << 20 &&
	       (!b->playouts || (s->count.playouts - before < b->playouts && walks < b->playouts))) {
		if (!walk(x, s, root, b))
			break;
		walks++;
		if (walks % 16 == 0)
			seat_ready(s, x->nodes.at[root]
			                  .arms[x->nodes.at[root].start[s->role] + best_arm(x, &x->nodes.at[root], s->role)]
			                  .move);
	}
	const struct belief_node *n = &x->nodes.at[root];
	if (x->secret || !n->decisions)
		return GAME_NONE;
	uint32_t best = best_arm(x, n, s->role);
	bool exact;
	double value = arm_value(x, n, s->role, best, &exact);
	for (uint32_t i = 0; i < t->legal_count; i++)
		for (uint32_t a = n->start[s->role]; a < n->start[s->role + 1]; a++)
			if (n->arms[a].move == t->legal[i])
				share[i] = n->arms[a].visits + (a - n->start[s->role] == best);
	text_printf(&s->why, "%s %.1f by rounds over common beliefs, %u of %zu states%s, %zu beliefs, %llu playouts",
	            n->solved ? "expected" : "mean", 100 * value, states, belief_count(belief),
	            belief_exact(belief) ? "" : " (sampled)", x->nodes.n, (unsigned long long)s->count.playouts);
	return n->arms[n->start[s->role] + best].move;
}

double mac_belief_value(const struct mac_belief *x, uint32_t role, bool *exact)
{
	const struct belief_node *n = &x->nodes.at[x->root];
	*exact = n->solved;
	return n->solved ? n->value[role] : n->visits > 0 ? n->sum[role] / n->visits : 0.5;
}

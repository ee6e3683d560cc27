/* Walking to the head of the list, solving it, playing from its solutions, backing up.
 *
 * Beside the proven bounds (tree_node.c) a node has two estimates by role: the mean, in
 * which the mover's solutions weigh by the playouts spent on them, and the best,
 * the expected utility if everybody takes what looks best. Both are computed anew
 * from the children whenever one of them changes, so that chance is averaged exactly and
 * a state reached by several ways is up to date in all of them. Where several roles choose at once,
 * or the solutions are too many to be stored, sums over walks stand instead.
 *
 * Invariant: nothing in the tree depends on who solved a round, because arms are ordered
 * by move and children by joint move. */
#include "play/mac_inside.h"

#include <math.h>
#include <string.h>

#define MAX_DEPTH 500
#define MAX_STEPS 5000 /* of a playout */
#define LANES 512      /* of the widest pass */
#define WIDE 2048      /* solutions of a round to be stored */
#define LEAVES 16      /* played from together when nothing is solved */
#define YOUNG 256.0    /* playouts at the root for each walk of a batch */
#define PRIOR 8.0      /* playouts that a young estimate is drawn to its siblings by */

struct mac_search *mac_search_new(struct seat *s, const struct mac_options *o)
{
	struct mac_search *k = NEW(struct mac_search);
	k->o = *o;
	k->tree = tree_new(s, &(struct tree_options){.memory = o->memory, .threads = o->threads, .solve = true});
	k->lanes = s->game->engine == ENGINE_CIRCUIT ? LANES : 8;
	return k;
}

void mac_search_free(struct mac_search *k)
{
	tree_free(k->tree);
	model_round_free(&k->round);
	vec_free(&k->steps);
	vec_free(&k->chosen);
	vec_free(&k->walks);
	vec_free(&k->starts);
	vec_free(&k->groups);
	vec_free(&k->played);
	vec_free(&k->next);
	vec_free(&k->states);
	vec_free(&k->legal);
	vec_free(&k->first);
	vec_free(&k->members);
	mem_free(k);
}

void mac_search_solver(struct mac_search *k, struct model *m, enum model_method method)
{
	k->model = m;
	k->method = method;
}

void mac_search_symmetry(struct mac_search *k, void *context,
                         const uint32_t *(*canonical)(void *, const uint64_t *, uint64_t *, uint64_t *))
{
	k->tree->canonical = canonical;
	k->tree->canonical_context = context;
}

void mac_search_root(struct mac_search *k, struct seat *s, const uint64_t *state)
{
	tree_find_root(k->tree, s, state);
	k->theta = 0;
}

static void add_pending(struct mac_search *k, const struct walk *w, float by)
{
	if (w->steps)
		node_pending(k->tree, k->steps.at + w->first_step, w->steps, k->chosen.at, by);
}

/* Its children have become known by other ways, and its bounds are of before that. */
static void close_node(struct mac_search *k, struct seat *s, uint32_t id)
{
	node_bound(k->tree, s, id);
	mac_refresh(k, &k->tree->nodes.at[id]);
	k->tree->nodes.at[id].done = true;
}

/* From the root to a round that is not solved yet, or to the end of what can be learnt. */
static struct walk walk_down(struct mac_search *k, struct seat *s)
{
	struct tree *t = k->tree;
	struct walk w = {.first_step = (uint32_t)k->steps.n, .leaf = t->root};
	for (; w.steps < MAX_DEPTH; w.steps++) {
		struct node *n = &t->nodes.at[w.leaf];
		if (mac_known(n) || !n->start || n->queued)
			break;
		struct path_step step = {w.leaf, (uint32_t)k->chosen.n};
		vec_extend(&k->chosen, t->g->roles);
		if (!mac_choose(k, s, n, k->chosen.at + step.first_arm)) {
			k->chosen.n = step.first_arm;
			close_node(k, s, w.leaf);
			break;
		}
		vec_push(&k->steps, step);
		w.leaf = node_child(t, s, w.leaf, k->chosen.at + step.first_arm);
	}
	return w;
}

/* ---- solving ------------------------------------------------------------------------------ */

/* The moves of each role in the solutions, ascending, as in a view. False: the solutions
 * are not all combinations of these, so this is no round of a game. */
static bool read_moves(struct mac_search *k)
{
	const struct game *g = k->tree->g;
	const struct model_round *r = &k->round;
	uint64_t joint = 1;
	vec_clear(&k->legal);
	vec_clear(&k->first);
	for (uint32_t q = 0; q < g->roles; q++) {
		size_t from = k->legal.n;
		vec_push(&k->first, (uint32_t)from);
		for (size_t i = 0; i < r->count; i++) {
			uint32_t move = r->moves.at[i * g->roles + q];
			size_t at = k->legal.n;
			while (at > from && k->legal.at[at - 1] > move)
				at--;
			if (at > from && k->legal.at[at - 1] == move)
				continue;
			vec_push(&k->legal, move);
			memmove(k->legal.at + at + 1, k->legal.at + at, (k->legal.n - 1 - at) * sizeof move);
			k->legal.at[at] = move;
		}
		joint *= k->legal.n - from;
	}
	vec_push(&k->first, (uint32_t)k->legal.n);
	return r->count && joint == r->count;
}

static uint32_t place_of(const struct mac_search *k, uint32_t role, uint32_t move)
{
	uint32_t a = k->first.at[role], b = k->first.at[role + 1];
	while (b - a > 1) {
		uint32_t m = (a + b) / 2;
		if (k->legal.at[m] <= move)
			a = m;
		else
			b = m;
	}
	return a - k->first.at[role];
}

/* By the network. False: it has no answer for this state. */
static bool solve_round(struct mac_search *k, struct seat *s, uint32_t id)
{
	struct tree *t = k->tree;
	uint32_t roles = t->g->roles, words = t->g->words, arms[roles];
	struct model_round *r = &k->round;
	if (!model_solve(k->model, k->method, t->nodes.at[id].state, r))
		return false;
	if (r->terminal) {
		node_settle(t, s, &t->nodes.at[id], r->goals);
		return true;
	}
	if (!read_moves(k))
		return false;
	node_moves(t, id, k->legal.at, k->first.at);
	if (r->count > WIDE)
		return true;
	vec_reserve(&k->next, r->count * words + 1);
	for (size_t i = 0; i < r->count; i++) {
		for (uint32_t q = 0; q < roles; q++)
			arms[q] = place_of(k, q, r->moves.at[i * roles + q]);
		memcpy(k->next.at + (size_t)joint_index(t, &t->nodes.at[id], arms) * words, r->next.at + i * words,
		       words * sizeof *k->next.at);
	}
	node_children(t, s, id, k->next.at);
	return true;
}

static void add_start(struct mac_search *k, uint32_t id, uint32_t group)
{
	struct node *n = &k->tree->nodes.at[id];
	if (mac_known(n) || n->queued)
		return;
	n->queued = true;
	vec_push(&k->starts, id);
	vec_push(&k->groups, group);
}

static uint32_t group_of(const struct tree *t, uint32_t id)
{
	const struct node *n = &t->nodes.at[id];
	return n->movers ? n->mover : t->g->roles;
}

/* Solves the leaf of a walk; its children wait for playouts. */
static void solve_leaf(struct mac_search *k, struct seat *s, struct walk *w)
{
	struct tree *t = k->tree;
	double began = clock_now();
	if (!k->model || !solve_round(k, s, w->leaf)) {
		node_open(t, s, w->leaf);
		const struct node *n = &t->nodes.at[w->leaf];
		if (n->start && n->joint <= WIDE)
			node_children(t, s, w->leaf, NULL);
	}
	w->solved = true;
	s->count.rounds++;
	const struct node *n = &t->nodes.at[w->leaf];
	for (uint32_t i = 0; n->expanded && i < n->joint; i++)
		if (t->nodes.at[n->child[i]].visits <= 0)
			add_start(k, n->child[i], group_of(t, w->leaf));
	began = clock_now() - began;
	k->solving += began;
	s->count.solve_seconds += began;
}

/* ---- playing ------------------------------------------------------------------------------- */

static void take_result(struct mac_search *k, const struct playout_result *r)
{
	struct tree *t = k->tree;
	uint32_t roles = t->g->roles;
	double sum = 0;
	for (size_t i = 0; i < k->members.n * roles; i++)
		sum += i % roles == t->g->random ? 0 : r->sum[i];
	if (fabs(sum - 100 * (double)r->playouts) > 1e-3 * (double)r->playouts)
		node_doubt(t);
	for (size_t i = 0; i < k->members.n; i++) {
		struct node *n = &t->nodes.at[k->starts.at[k->members.at[i]]];
		double count = (double)r->counts[i];
		k->played.at[k->members.at[i]] = count;
		n->visits += count;
		for (uint32_t q = 0; q < roles && r->playouts; q++) {
			n->sum[q] += r->sum[i * roles + q] / 100;
			n->best[q] = (float)(n->sum[q] / (n->visits > 0 ? n->visits : 1));
		}
	}
}

static void play_group(struct mac_search *k, struct seat *s, const struct budget *b, uint32_t group, uint64_t width)
{
	struct tree *t = k->tree;
	uint32_t words = t->g->words;
	vec_clear(&k->members);
	vec_clear(&k->states);
	for (size_t i = 0; i < k->starts.n; i++) {
		if (k->groups.at[i] != group)
			continue;
		vec_push(&k->members, (uint32_t)i);
		vec_extend(&k->states, words);
		memcpy(k->states.at + k->states.n - words, t->nodes.at[k->starts.at[i]].state, words * sizeof *k->states.at);
	}
	if (!k->members.n)
		return;
	uint64_t each = width / k->members.n;
	struct playout_result r;
	game_playouts(t->g,
	              &(struct playout_job){.starts = k->states.at,
	                                    .start_count = k->members.n,
	                                    .playouts = (each ? each : 1) * k->members.n,
	                                    .limit = b->limit,
	                                    .threads = (uint32_t)k->o.threads,
	                                    .seed = rng_next(&s->rng),
	                                    .max_steps = MAX_STEPS},
	              &r);
	take_result(k, &r);
	s->count.playouts += r.playouts;
	s->count.playout_seconds += r.seconds;
	k->simulating += r.seconds;
	playout_result_free(&r);
}

static void play_all(struct mac_search *k, struct seat *s, const struct budget *b)
{
	vec_clear(&k->played);
	vec_extend(&k->played, k->starts.n);
	for (size_t i = 0; i < k->starts.n; i++)
		k->played.at[i] = 0;
	for (uint32_t group = 0; group <= k->tree->g->roles; group++)
		play_group(k, s, b, group, b->playouts ? (uint64_t)k->o.batch : k->lanes);
	for (size_t i = 0; i < k->starts.n; i++)
		k->tree->nodes.at[k->starts.at[i]].queued = false;
}

/* ---- backing up ------------------------------------------------------------------------------ */

/* A few playouts say little, and the best of many such means is too good: they are
 * drawn to the mean of all solutions of the round. */
static void draw_together(struct mac_search *k, const struct node *n)
{
	struct tree *t = k->tree;
	for (uint32_t r = 0; r < t->g->roles; r++) {
		double sum = 0, visits = 1e-9;
		for (uint32_t i = 0; i < n->joint; i++) {
			const struct node *c = &t->nodes.at[n->child[i]];
			sum += mac_known(c) || c->start ? 0 : c->sum[r];
			visits += mac_known(c) || c->start ? 0 : c->visits;
		}
		for (uint32_t i = 0; i < n->joint; i++) {
			struct node *c = &t->nodes.at[n->child[i]];
			if (!mac_known(c) && !c->start)
				c->best[r] = (float)((c->sum[r] + PRIOR * sum / visits) / (c->visits + PRIOR));
		}
	}
}

/* The first statistics of a solved round: as many playouts for each solution as its child has had. */
static double begin_arms(struct mac_search *k, struct node *n)
{
	const struct tree *t = k->tree;
	uint32_t roles = t->g->roles, arms[roles];
	double total = 0, count = 0, usual = 1;
	for (uint32_t i = 0; i < n->joint; i++)
		if (!mac_known(&t->nodes.at[n->child[i]])) {
			total += t->nodes.at[n->child[i]].visits;
			count++;
		}
	usual = count > 0 && total > count ? total / count : 1; /* for ends, which need no playouts */
	total = 0;
	for (uint32_t i = 0; i < n->joint; i++) {
		const struct node *c = &t->nodes.at[n->child[i]];
		double weight = mac_known(c) || c->visits > 4 * usual ? usual : c->visits;
		joint_arms(t, n, i, arms);
		total += weight;
		for (uint32_t r = 0; r < roles; r++) {
			struct arm *a = &n->arms[n->start[r] + arms[r]];
			a->visits += weight;
			a->sum += weight * mac_value(k, c, r);
			n->sum[r] += weight * mac_value(k, c, r);
		}
	}
	n->visits += total;
	return total;
}

static void back_up(struct mac_search *k, struct seat *s, const struct walk *w)
{
	struct tree *t = k->tree;
	struct node *leaf = &t->nodes.at[w->leaf];
	uint32_t roles = t->g->roles;
	double weight = w->weight;
	if (w->solved && leaf->expanded) {
		draw_together(k, leaf);
		weight = begin_arms(k, leaf);
		node_bound(t, s, w->leaf);
		if (!mac_sampled(leaf))
			mac_refresh(k, leaf);
	}
	for (uint32_t i = w->steps; i--;) {
		const struct path_step *p = &k->steps.at[w->first_step + i];
		struct node *n = &t->nodes.at[p->node];
		const uint32_t *arms = k->chosen.at + p->first_arm;
		const struct node *c = &t->nodes.at[i + 1 < w->steps ? k->steps.at[w->first_step + i + 1].node : w->leaf];
		node_bound(t, s, p->node);
		n->visits += weight;
		for (uint32_t r = 0; r < roles; r++) {
			struct arm *a = &n->arms[n->start[r] + arms[r]];
			a->visits += weight;
			a->sum += weight * mac_value(k, c, r);
			if (mac_sampled(n)) {
				n->sum[r] += weight * mac_value(k, c, r);
				n->best[r] = (float)(n->sum[r] / (n->visits > 0 ? n->visits : 1));
			}
		}
		if (!mac_sampled(n))
			mac_refresh(k, n);
	}
}

/* ---- the clock ---------------------------------------------------------------------------------- */

static bool finished(const struct mac_search *k, const struct seat *s)
{
	const struct node *n = &k->tree->nodes.at[k->tree->root];
	return mac_known(n) || n->low[s->role] >= n->high[s->role];
}

/* One batch: rounds are solved, or only more is learnt of those that wait. */
static void batch(struct mac_search *k, struct seat *s, const struct budget *b, bool solve)
{
	struct tree *t = k->tree;
	int64_t count = solve ? k->o.rounds : LEAVES, small = 1 + (int64_t)(t->nodes.at[t->root].visits / YOUNG);
	count = count < small ? count : small; /* walks under way mislead a young tree */
	float share = (float)k->lanes / (float)count;
	vec_clear(&k->walks);
	vec_clear(&k->steps);
	vec_clear(&k->chosen);
	vec_clear(&k->starts);
	vec_clear(&k->groups);
	for (int64_t i = 0; i < count && !finished(k, s) && !(i && limit_reached(&b->limit)); i++) {
		struct walk w = walk_down(k, s);
		const struct node *leaf = &t->nodes.at[w.leaf];
		if (leaf->queued)
			break; /* this batch knows nothing better */
		if (!mac_known(leaf) && !leaf->start && (w.leaf == t->root || (solve && leaf->visits > 0)))
			solve_leaf(k, s, &w);
		else
			add_start(k, w.leaf, w.steps ? group_of(t, k->steps.at[k->steps.n - 1].node) : t->g->roles);
		add_pending(k, &w, share);
		vec_push(&k->walks, w);
		if (solve && k->starts.n * 2 > k->lanes)
			break;
	}
	play_all(k, s, b);
	for (size_t i = 0; i < k->walks.n; i++) {
		struct walk *w = &k->walks.at[i];
		w->weight = mac_known(&t->nodes.at[w->leaf]) ? (double)share : 0;
		for (size_t j = 0; j < k->starts.n; j++)
			if (k->starts.at[j] == w->leaf)
				w->weight = k->played.at[j];
		add_pending(k, w, -share);
		back_up(k, s, w);
	}
}

static void begin_anew(struct mac_search *k, struct seat *s)
{
	struct tree *t = k->tree;
	uint64_t *state = mem_alloc(t->g->words + 1, sizeof *state);
	memcpy(state, t->nodes.at[t->root].state, t->g->words * sizeof *state);
	mac_search_root(k, s, state);
	mem_free(state);
}

void mac_search_run(struct mac_search *k, struct seat *s, const struct budget *b)
{
	struct tree *t = k->tree;
	double clock = limit_left(&b->limit);
	uint64_t spent = 0, before, turn = 0;
	k->solving = k->simulating = 0;
	while (!limit_reached(&b->limit) && (!b->playouts || spent < b->playouts) && !finished(k, s) &&
	       tree_bytes(t) < (size_t)k->o.memory << 20) {
		/* without a clock three batches of four solve */
		bool solve = b->playouts ? turn++ % 4 < 3 : k->solving <= k->o.solve * (k->solving + k->simulating);
		double began = clock_thread();
		before = s->count.playouts;
		batch(k, s, b, solve);
		spent += s->count.playouts > before ? s->count.playouts - before : (uint64_t)k->o.batch;
		if (t->stale)
			begin_anew(k, s);
		/* a clock should hold some dozens of batches */
		if (!b->playouts && k->lanes > MAC_NARROW && (clock_thread() - began) * 40 > clock)
			k->lanes = MAC_NARROW;
		k->theta = mac_least_reward(k);
		if (t->nodes.at[t->root].start)
			seat_ready(s, t->nodes.at[t->root].arms[t->nodes.at[t->root].start[s->role] + mac_best_arm(k, s->role)].move);
	}
}

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
#include "play/mac_search.h"

#include "play/tree_node.h"

#include <math.h>
#include <string.h>

#define MAX_DEPTH 500
#define MAX_STEPS 5000 /* of a playout */
#define LANES 512      /* of the widest pass */
#define NARROW 64      /* of the narrowest, which costs as much as a single playout */
#define WIDE 2048      /* solutions of a round to be stored */
#define LEAVES 16      /* played from together when nothing is solved */
#define PRIOR 2.0      /* playouts that a young estimate is drawn to its siblings by */

struct step {
	uint32_t node, first_arm; /* into `chosen`: an arm number for each role */
};

struct walk {
	uint32_t first_step, steps, leaf;
	bool solved; /* the leaf was a round and is solved now: its children are fresh */
	double weight;
};

struct mac_search {
	struct mac_options o;
	struct tree *tree;
	struct model *model;
	enum model_method method;
	struct model_round round;
	double theta;               /* what every role has in the best policy known */
	double solving, simulating; /* seconds of this move */
	uint32_t lanes;
	/* a batch */
	VEC(struct step) steps;
	VEC(uint32_t) chosen;
	VEC(struct walk) walks;
	VEC(uint32_t) starts, groups; /* nodes; those after the same role's move are played together */
	VEC(double) played;           /* playouts by start */
	/* scratch */
	VEC(uint64_t) next, states;
	VEC(uint32_t) legal, first, members;
};

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
                         const uint32_t *(*canonical)(void *, const uint64_t *, uint64_t *))
{
	k->tree->canonical = canonical;
	k->tree->canonical_context = context;
}

void mac_search_root(struct mac_search *k, struct seat *s, const uint64_t *state)
{
	tree_find_root(k->tree, s, state);
	k->theta = 0;
}

/* ---- values ----------------------------------------------------------------------------- */

static double within(const struct node *n, uint32_t role, double x)
{
	double low = (double)n->low[role], high = (double)n->high[role];
	return x < low ? low : x > high ? high : x;
}

static double mean_of(const struct node *n, uint32_t role)
{
	return within(n, role, n->visits > 0 ? n->sum[role] / n->visits : 0.5);
}

static double best_of(const struct node *n, uint32_t role)
{
	return within(n, role, (double)n->best[role]);
}

static double value_of(const struct mac_search *k, const struct node *n, uint32_t role)
{
	double mean = mean_of(n, role);
	return mean + k->o.minimax * (best_of(n, role) - mean);
}

static bool known(const struct node *n)
{
	return n->terminal || n->solved || n->done;
}

/* Sums over walks instead of values of children. */
static bool sampled(const struct node *n)
{
	return n->movers > 1 || !n->expanded;
}

/* The decisions and the draws of a round that one role decides at most. */
struct shape {
	uint32_t decisions, draws, decision_step, draw_step;
};

static struct shape shape_of(const struct tree *t, const struct node *n)
{
	struct shape h = {1, 1, 1, 1};
	if (n->movers)
		h.decisions = arm_count(n, n->mover);
	if (t->g->random < t->g->roles)
		h.draws = arm_count(n, t->g->random);
	if (n->movers && n->mover < t->g->random)
		h.decision_step = h.draws; /* the last role's arm runs fastest */
	else
		h.draw_step = h.decisions;
	return h;
}

static struct node *child_at(const struct tree *t, const struct node *n, struct shape h, uint32_t decision,
                             uint32_t draw)
{
	return &t->nodes.at[n->child[decision * h.decision_step + draw * h.draw_step]];
}

/* The estimates of a node from those of its children; and whether they are all known. */
static void refresh(struct mac_search *k, struct node *n)
{
	const struct tree *t = k->tree;
	struct shape h = shape_of(t, n);
	uint32_t roles = t->g->roles;
	double mean[roles], total = 0, top = -1;
	bool done = true;
	memset(mean, 0, sizeof mean);
	for (uint32_t a = 0; a < h.decisions; a++) {
		double weight = n->movers ? n->arms[n->start[n->mover] + a].visits : 1, best[roles];
		memset(best, 0, sizeof best);
		total += weight;
		for (uint32_t d = 0; d < h.draws; d++) {
			const struct node *c = child_at(t, n, h, a, d);
			done &= known(c);
			for (uint32_t r = 0; r < roles; r++) {
				mean[r] += weight * mean_of(c, r) / h.draws;
				best[r] += best_of(c, r) / h.draws;
			}
		}
		if (best[n->mover] <= top)
			continue;
		top = best[n->mover];
		for (uint32_t r = 0; r < roles; r++)
			n->best[r] = (float)best[r];
	}
	for (uint32_t r = 0; r < roles; r++)
		n->sum[r] = (total > 0 ? mean[r] / total : 0.5) * n->visits;
	n->done |= done;
}

/* ---- where to go ------------------------------------------------------------------------- */

/* What a decision of the mover is worth, over all draws. */
struct outlook {
	double value, high, upper; /* expected; proved; with confidence */
	bool known;
};

static struct outlook look_at(const struct mac_search *k, const struct node *n, struct shape h, uint32_t a,
                              double width)
{
	struct outlook o = {.known = true};
	for (uint32_t d = 0; d < h.draws; d++) {
		const struct node *c = child_at(k->tree, n, h, a, d);
		double x = value_of(k, c, n->mover), upper = c->solved ? x : x + width / sqrt(c->visits + 1);
		o.value += x / h.draws;
		o.high += (double)c->high[n->mover] / h.draws;
		o.upper += within(c, n->mover, upper) / h.draws;
		o.known &= known(c);
	}
	return o;
}

/* UCB1 (Auer, Cesa-Bianchi and Fischer 2002) over the solutions that are not exhausted and
 * may still be better than what is proved. Those that do not satisfy the feasibility
 * constraint (not worth theta over the draws, even with confidence) come last. */
static uint32_t decide(struct mac_search *k, const struct node *n, struct shape h)
{
	const struct arm *arms = n->arms + n->start[n->mover];
	uint32_t best = NODE_NONE;
	double total = 1, top = -1e9;
	for (uint32_t a = 0; a < h.decisions; a++)
		total += arms[a].visits + (double)arms[a].pending;
	double width = k->o.c * sqrt(log(total));
	for (uint32_t a = 0; a < h.decisions; a++) {
		struct outlook o = look_at(k, n, h, a, width);
		if (o.known || o.high <= (double)n->low[n->mover])
			continue;
		double visits = arms[a].visits + (double)arms[a].pending;
		double x = visits > 0 ? o.value * arms[a].visits / visits + width / sqrt(visits) : 10;
		x -= o.upper < k->theta ? 100 : 0;
		if (x > top) {
			top = x;
			best = a;
		}
	}
	return best;
}

/* The draw that has been looked at least. */
static uint32_t draw(struct mac_search *k, const struct node *n, struct shape h, uint32_t decision)
{
	const struct tree *t = k->tree;
	uint32_t best = NODE_NONE;
	double least = 0;
	for (uint32_t d = 0; d < h.draws; d++) {
		const struct node *c = child_at(t, n, h, decision, d);
		double visits = c->visits + (h.draws > 1 ? (double)n->arms[n->start[t->g->random] + d].pending : 0);
		if (known(c) || (best != NODE_NONE && visits >= least))
			continue;
		least = visits;
		best = d;
	}
	return best;
}

/* Each role for itself, where the sums stand at the arms. */
static uint32_t choose_alone(struct mac_search *k, const struct node *n, uint32_t role)
{
	const struct arm *arms = n->arms + n->start[role];
	uint32_t best = 0;
	double total = 1, top = -1e9, first = mean_of(n, role);
	for (uint32_t a = 0; a < arm_count(n, role); a++)
		total += arms[a].visits + (double)arms[a].pending;
	double width = k->o.c * sqrt(log(total));
	for (uint32_t a = 0; a < arm_count(n, role); a++) {
		double visits = arms[a].visits + (double)arms[a].pending;
		double x = visits > 0 ? arms[a].sum / visits + width / sqrt(visits) : first + width / sqrt(NARROW);
		if (x > top) {
			top = x;
			best = a;
		}
	}
	return best;
}

/* An arm for each role; false: there is nothing more to learn below. */
static bool choose(struct mac_search *k, struct seat *s, struct node *n, uint32_t *arms)
{
	const struct game *g = k->tree->g;
	memset(arms, 0, g->roles * sizeof *arms);
	if (sampled(n)) {
		for (uint32_t r = 0; r < g->roles; r++)
			arms[r] = arm_count(n, r) == 1 ? 0
			          : r == g->random     ? rng_below(&s->rng, arm_count(n, r))
			                               : choose_alone(k, n, r);
		return true;
	}
	struct shape h = shape_of(k->tree, n);
	uint32_t a = n->movers ? decide(k, n, h) : 0, d = a == NODE_NONE ? NODE_NONE : draw(k, n, h, a);
	if (d == NODE_NONE) {
		n->done = true;
		return false;
	}
	arms[n->mover] = n->movers ? a : 0;
	if (g->random < g->roles)
		arms[g->random] = d;
	return true;
}

static void add_pending(struct mac_search *k, const struct walk *w, float by)
{
	for (uint32_t i = 0; i < w->steps; i++) {
		const struct step *p = &k->steps.at[w->first_step + i];
		struct node *n = &k->tree->nodes.at[p->node];
		for (uint32_t r = 0; r < k->tree->g->roles; r++)
			n->arms[n->start[r] + k->chosen.at[p->first_arm + r]].pending += by;
	}
}

/* From the root to a round that is not solved yet, or to the end of what can be learnt. */
static struct walk walk_down(struct mac_search *k, struct seat *s)
{
	struct tree *t = k->tree;
	struct walk w = {.first_step = (uint32_t)k->steps.n, .leaf = t->root};
	for (; w.steps < MAX_DEPTH; w.steps++) {
		struct node *n = &t->nodes.at[w.leaf];
		if (known(n) || !n->start || n->queued)
			break;
		struct step step = {w.leaf, (uint32_t)k->chosen.n};
		vec_extend(&k->chosen, t->g->roles);
		if (!choose(k, s, n, k->chosen.at + step.first_arm)) {
			k->chosen.n = step.first_arm;
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
	if (known(n) || n->queued)
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
	double all[roles], sum = 0;
	for (uint32_t q = 0; q < roles; q++) {
		all[q] = 0;
		for (size_t i = 0; i < k->members.n; i++)
			all[q] += r->sum[i * roles + q];
		sum += q == t->g->random ? 0 : all[q];
	}
	if (fabs(sum - 100 * (double)r->playouts) > 1e-3 * (double)r->playouts)
		node_doubt(t);
	for (size_t i = 0; i < k->members.n; i++) {
		struct node *n = &t->nodes.at[k->starts.at[k->members.at[i]]];
		double count = (double)r->counts[i];
		k->played.at[k->members.at[i]] = count;
		n->visits += count;
		for (uint32_t q = 0; q < roles && r->playouts; q++) {
			n->sum[q] += r->sum[i * roles + q] / 100;
			n->best[q] = (float)((n->sum[q] + PRIOR * all[q] / 100 / (double)r->playouts) / (n->visits + PRIOR));
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

/* The first statistics of a solved round: as many playouts for each solution as its child has had. */
static double begin_arms(struct mac_search *k, struct node *n)
{
	const struct tree *t = k->tree;
	uint32_t roles = t->g->roles, arms[roles];
	double total = 0, count = 0, usual = 1;
	for (uint32_t i = 0; i < n->joint; i++)
		if (!known(&t->nodes.at[n->child[i]])) {
			total += t->nodes.at[n->child[i]].visits;
			count++;
		}
	usual = count > 0 && total > count ? total / count : 1; /* for ends, which need no playouts */
	total = 0;
	for (uint32_t i = 0; i < n->joint; i++) {
		const struct node *c = &t->nodes.at[n->child[i]];
		double weight = known(c) || c->visits > 4 * usual ? usual : c->visits;
		joint_arms(t, n, i, arms);
		total += weight;
		for (uint32_t r = 0; r < roles; r++) {
			struct arm *a = &n->arms[n->start[r] + arms[r]];
			a->visits += weight;
			a->sum += weight * value_of(k, c, r);
			n->sum[r] += weight * value_of(k, c, r);
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
		weight = begin_arms(k, leaf);
		node_bound(t, s, w->leaf);
		if (!sampled(leaf))
			refresh(k, leaf);
	}
	for (uint32_t i = w->steps; i--;) {
		const struct step *p = &k->steps.at[w->first_step + i];
		struct node *n = &t->nodes.at[p->node];
		const uint32_t *arms = k->chosen.at + p->first_arm;
		const struct node *c = &t->nodes.at[i + 1 < w->steps ? k->steps.at[w->first_step + i + 1].node : w->leaf];
		node_bound(t, s, p->node);
		n->visits += weight;
		for (uint32_t r = 0; r < roles; r++) {
			struct arm *a = &n->arms[n->start[r] + arms[r]];
			a->visits += weight;
			a->sum += weight * value_of(k, c, r);
			if (sampled(n)) {
				n->sum[r] += weight * value_of(k, c, r);
				n->best[r] = (float)(n->sum[r] / (n->visits > 0 ? n->visits : 1));
			}
		}
		if (!sampled(n))
			refresh(k, n);
	}
}

/* ---- the clock ---------------------------------------------------------------------------------- */

static bool finished(const struct mac_search *k, const struct seat *s)
{
	const struct node *n = &k->tree->nodes.at[k->tree->root];
	return known(n) || n->low[s->role] >= n->high[s->role];
}

/* One batch: rounds are solved, or only more is learnt of those that wait. */
static void batch(struct mac_search *k, struct seat *s, const struct budget *b, bool solve)
{
	struct tree *t = k->tree;
	int64_t count = solve ? k->o.rounds : LEAVES;
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
		if (!known(leaf) && !leaf->start && (w.leaf == t->root || (solve && leaf->visits > 0)))
			solve_leaf(k, s, &w);
		else
			add_start(k, w.leaf, w.steps ? group_of(t, k->steps.at[k->steps.n - 1].node) : t->g->roles);
		add_pending(k, &w, share);
		vec_push(&k->walks, w);
		if (solve && k->starts.n * 8 > k->lanes)
			break;
	}
	play_all(k, s, b);
	for (size_t i = 0; i < k->walks.n; i++) {
		struct walk *w = &k->walks.at[i];
		w->weight = known(&t->nodes.at[w->leaf]) ? (double)share : 0;
		for (size_t j = 0; j < k->starts.n; j++)
			if (k->starts.at[j] == w->leaf)
				w->weight = k->played.at[j];
		add_pending(k, w, -share);
		back_up(k, s, w);
	}
}

static double least_reward(const struct mac_search *k)
{
	const struct tree *t = k->tree;
	double least = 1;
	for (uint32_t r = 0; r < t->g->roles; r++)
		if (r != t->g->random && best_of(&t->nodes.at[t->root], r) < least)
			least = best_of(&t->nodes.at[t->root], r);
	return least;
}

/* Better to play decision a than b? Proved values first, then what is at least to be
 * expected. */
static double merit(const struct mac_search *k, const struct node *n, uint32_t a)
{
	const struct arm *arm = &n->arms[n->start[n->mover] + a];
	struct shape h = shape_of(k->tree, n);
	struct outlook o = look_at(k, n, h, a, 0);
	double low = 0, distance = 0;
	for (uint32_t d = 0; d < h.draws; d++) {
		const struct node *c = child_at(k->tree, n, h, a, d);
		low += (double)c->low[n->mover] / h.draws;
		distance += c->distance;
	}
	if (low >= o.high - 1e-6) { /* exact; of wins the nearest, of losses the farthest */
		distance /= 1e3 * h.draws + distance * 1e3;
		return low >= (double)n->high[n->mover] - 1e-6 && low > 0 ? 2 - distance : low + (low > 0 ? 0 : distance - 1);
	}
	return within(&(struct node){.low = (float[]){(float)low}, .high = (float[]){(float)o.high}}, 0,
	              o.value - 0.5 / sqrt(arm->visits + 1));
}

static uint32_t best_arm(const struct mac_search *k, uint32_t role)
{
	const struct node *n = &k->tree->nodes.at[k->tree->root];
	uint32_t best = 0;
	double top = -2;
	for (uint32_t a = 0; a < arm_count(n, role); a++) {
		double x = sampled(n)                           ? n->arms[n->start[role] + a].visits
		           : n->movers && n->mover == role ? merit(k, n, a)
		                                                : 0;
		if (x > top) {
			top = x;
			best = a;
		}
	}
	return best;
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
		/* without a clock two batches of three solve */
		bool solve = b->playouts ? turn++ % 3 < 2 : k->solving <= k->o.solve * (k->solving + k->simulating);
		double began = clock_thread();
		before = s->count.playouts;
		batch(k, s, b, solve);
		spent += s->count.playouts > before ? s->count.playouts - before : (uint64_t)k->o.batch;
		if (t->stale)
			begin_anew(k, s);
		/* a clock should hold some dozens of batches */
		if (!b->playouts && k->lanes > NARROW && (clock_thread() - began) * 40 > clock)
			k->lanes = NARROW;
		k->theta = least_reward(k);
		if (t->nodes.at[t->root].start)
			seat_ready(s, t->nodes.at[t->root].arms[t->nodes.at[t->root].start[s->role] + best_arm(k, s->role)].move);
	}
}

struct tree_value mac_search_value(const struct mac_search *k, uint32_t role)
{
	const struct node *n = &k->tree->nodes.at[k->tree->root];
	return (struct tree_value){.mean = 100 * value_of(k, n, role),
	                           .low = 100 * (double)n->low[role],
	                           .high = 100 * (double)n->high[role],
	                           .visits = n->visits};
}

uint32_t mac_search_choose(struct mac_search *k, struct seat *s)
{
	const struct tree *t = k->tree;
	const struct node *n = &t->nodes.at[t->root];
	if (!n->start)
		return GAME_NONE;
	uint32_t a = n->start[s->role] + best_arm(k, s->role);
	if (n->low[s->role] >= n->high[s->role])
		text_printf(&s->why, "proved: %.0f", 100 * (double)n->low[s->role]);
	else
		text_printf(&s->why, "expected %.1f, %.0f of %.0f playouts, threshold %.2f", 100 * value_of(k, n, s->role),
		            n->arms[a].visits, n->visits, k->theta);
	return n->arms[a].move;
}

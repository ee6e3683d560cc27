/* Walking the tree, playing from its leaves, backing up. See tree.h for the idea. */
#include "play/tree_node.h"

#include <math.h>
#include <string.h>

#define MAX_DEPTH 2000
#define MAX_STEPS 5000 /* of a playout */
#define LANES 512      /* of the widest pass */

/* A walk from the root to a leaf, and what was found there. */
struct walk {
	uint32_t first_step, steps; /* into round.steps */
	uint32_t leaf;
	uint32_t first_start, starts; /* into round.starts; none: the leaf's value is known */
	uint32_t group;               /* leaves with the same role to move are played together */
	bool spread;                  /* the starts are the leaf's children */
};

struct round {
	VEC(struct walk) walks;
	VEC(struct path_step) steps;
	VEC(uint32_t) chosen; /* arm numbers, `roles` a step */
	VEC(uint64_t) starts, batch;
	VEC(uint32_t) batch_of; /* start number in the batch -> in the round */
	VEC(double) value;      /* by start and role, 0..1 */
	VEC(double) count;      /* playouts by start */
	/* all moves as first: by walk and move */
	VEC(float) amaf_visits, amaf_sum;
	VEC(uint32_t) walk_of; /* start -> walk */
	uint32_t *stamp, stamp_now;
	bool amaf;
};

struct tree *tree_new(struct seat *s, const struct tree_options *o)
{
	struct tree *t = NEW(struct tree);
	t->o = *o;
	t->g = s->game;
	t->root = NODE_NONE;
	t->lanes = s->game->engine == ENGINE_CIRCUIT ? LANES : 0;
	t->opposed = t->g->roles - (t->g->random < t->g->roles) == 2;
	t->round = NEW(struct round);
	t->round->amaf = o->bias > 0 && s->game->engine == ENGINE_CIRCUIT;
	if (t->round->amaf)
		t->round->stamp = NEW_ARRAY(uint32_t, t->g->moves + 1);
	return t;
}

static void clear(struct tree *t)
{
	arena_free(&t->arena);
	t->arena = (struct arena){0};
	table_clear(&t->table);
	vec_clear(&t->nodes);
	t->root = NODE_NONE;
}

void tree_free(struct tree *t)
{
	struct round *k = t->round;
	clear(t);
	table_free(&t->table);
	vec_free(&t->nodes);
	vec_free(&t->from);
	vec_free(&t->next);
	vec_free(&t->moves);
	vec_free(&t->which);
	vec_free(&t->terminal);
	vec_free(&t->goals);
	vec_free(&t->canon);
	vec_free(&k->walks);
	vec_free(&k->steps);
	vec_free(&k->chosen);
	vec_free(&k->starts);
	vec_free(&k->batch);
	vec_free(&k->batch_of);
	vec_free(&k->value);
	vec_free(&k->count);
	vec_free(&k->amaf_visits);
	vec_free(&k->amaf_sum);
	vec_free(&k->walk_of);
	mem_free(k->stamp);
	mem_free(k);
	mem_free(t);
}

size_t tree_bytes(const struct tree *t)
{
	return t->arena.total + t->nodes.cap * sizeof *t->nodes.at + (size_t)t->table.mask * 8;
}

void tree_find_root(struct tree *t, struct seat *s, const uint64_t *state)
{
	if (t->stale || tree_bytes(t) > (size_t)t->o.memory << 19) /* half full: begin anew */
		clear(t);
	t->stale = false;
	t->root = node_find_exact(t, s, state, false, NULL);
}

void tree_root(struct tree *t, struct seat *s, const uint64_t *state)
{
	tree_find_root(t, s, state);
	node_open(t, s, t->root);
	node_expand(t, s, t->root);
}

/* ---- choosing an arm -------------------------------------------------------------------- */

/* Proved to be no better than what the role has already. */
static bool pruned(const struct tree *t, const struct node *n, uint32_t role, uint32_t arm)
{
	uint32_t c = t->o.solve ? node_sole_child(t, n, role, arm) : NODE_NONE;
	if (c == NODE_NONE)
		return false;
	float high = t->nodes.at[c].high[role];
	return high < n->low[role] || (high <= n->low[role] && n->low[role] < n->high[role]);
}

static const struct arm *amaf_arm(const struct node *from, uint32_t role, uint32_t move)
{
	uint32_t a = from->start[role], b = from->start[role + 1];
	while (a < b) {
		uint32_t m = (a + b) / 2;
		if (from->arms[m].move < move)
			a = m + 1;
		else
			b = m;
	}
	return a < from->start[role + 1] && from->arms[a].move == move ? &from->arms[a] : NULL;
}

/* The estimate of an arm: its mean with virtual losses counted, mixed with the
 * statistics of the same move later in playouts (Gelly and Silver 2011; the
 * ancestor's where the node is young: Cazenave 2015). */
static double estimate(const struct tree *t, const struct node *n, const struct node *reference, uint32_t role,
                       const struct arm *a, double first)
{
	double visits = a->visits + a->pending;
	double mean = visits > 0 ? a->sum / visits : first;
	if (!t->round->amaf)
		return mean;
	const struct arm *other = reference == n ? a : amaf_arm(reference, role, a->move);
	if (!other || other->amaf_visits <= 0)
		return mean;
	double k = other->amaf_visits, beta = k / (k + visits + t->o.bias * k * visits);
	return (1 - beta) * mean + beta * (double)other->amaf_sum / k;
}

static uint32_t choose_ucb(struct tree *t, struct seat *s, const struct node *n, const struct node *reference,
                           uint32_t role)
{
	const struct arm *arms = n->arms + n->start[role];
	uint32_t count = arm_count(n, role), best = rng_below(&s->rng, count);
	double total = 1, score = -1e9;
	for (uint32_t a = 0; a < count; a++)
		total += arms[a].visits + arms[a].pending;
	double width = t->o.c * sqrt(log(total)), first = n->visits > 0 ? n->sum[role] / n->visits : 0.5;
	for (uint32_t i = 0, a = best; i < count; i++, a = a + 1 == count ? 0 : a + 1) {
		if (pruned(t, n, role, a))
			continue;
		double visits = arms[a].visits + arms[a].pending, x;
		uint32_t c = t->o.solve ? node_sole_child(t, n, role, a) : NODE_NONE;
		x = c != NODE_NONE && t->nodes.at[c].solved ? (double)t->nodes.at[c].low[role]
		                                            : estimate(t, n, reference, role, &arms[a], first);
		if (t->o.minimax > 0 && (c = node_sole_child(t, n, role, a)) != NODE_NONE && t->nodes.at[c].visits > 0)
			x += t->o.minimax * ((double)t->nodes.at[c].best[role] - x);
		x += visits > 0 ? width / sqrt(visits) : width + 0.5 * t->o.c;
		if (x > score) {
			score = x;
			best = a;
		}
	}
	return best;
}

/* Regret matching (Hart and Mas-Colell 2000) with some exploration. */
static uint32_t choose_regret(struct seat *s, const struct node *n, uint32_t role)
{
	struct arm *arms = n->arms + n->start[role];
	uint32_t count = arm_count(n, role);
	double total = 0, gamma = 0.1;
	for (uint32_t a = 0; a < count; a++)
		total += arms[a].regret > 0 ? arms[a].regret : 0;
	double at = rng_unit(&s->rng);
	uint32_t chosen = count - 1;
	bool found = false;
	for (uint32_t a = 0; a < count; a++) {
		double p = total > 0 ? (arms[a].regret > 0 ? arms[a].regret / total : 0) : 1.0 / count;
		arms[a].policy += (float)p;
		at -= (1 - gamma) * p + gamma / count;
		if (at < 0 && !found) {
			chosen = a;
			found = true;
		}
	}
	return chosen;
}

static void choose_joint(struct tree *t, struct seat *s, const struct node *n, const struct node *reference,
                         uint32_t *arms)
{
	for (uint32_t r = 0; r < t->g->roles; r++) {
		uint32_t count = arm_count(n, r);
		if (count == 1)
			arms[r] = 0;
		else if (r == t->g->random)
			arms[r] = rng_below(&s->rng, count);
		else if (t->o.regret && n->movers > 1)
			arms[r] = choose_regret(s, n, r);
		else
			arms[r] = choose_ucb(t, s, n, reference, r);
	}
}

/* ---- walking down --------------------------------------------------------------------------- */

static uint32_t first_of_steps(struct round *k, uint32_t node, uint32_t roles)
{
	struct path_step step = {node, (uint32_t)k->chosen.n};
	vec_push(&k->steps, step);
	vec_extend(&k->chosen, roles);
	return step.first_arm;
}

static void add_pending(struct tree *t, struct walk *w, float by)
{
	struct round *k = t->round;
	for (uint32_t i = 0; i < w->steps; i++) {
		const struct path_step *p = &k->steps.at[w->first_step + i];
		struct node *n = &t->nodes.at[p->node];
		for (uint32_t r = 0; r < t->g->roles; r++)
			n->arms[n->start[r] + k->chosen.at[p->first_arm + r]].pending += by;
	}
}

/* The states to play from: the leaf, or its children that are no ends. */
static void add_starts(struct tree *t, struct walk *w)
{
	struct round *k = t->round;
	const struct node *n = &t->nodes.at[w->leaf];
	uint32_t words = t->g->words;
	w->first_start = (uint32_t)(k->starts.n / (words ? words : 1));
	if (t->nodes.at[w->leaf].solved && t->o.solve)
		return;
	w->spread = t->o.spread && n->expanded;
	for (uint32_t i = 0; i < (w->spread ? n->joint : 1); i++) {
		const struct node *from = w->spread ? &t->nodes.at[n->child[i]] : n;
		if (from->terminal)
			continue;
		vec_extend(&k->starts, words);
		memcpy(k->starts.at + k->starts.n - words, from->state, words * sizeof *from->state);
		vec_push(&k->walk_of, (uint32_t)k->walks.n);
		w->starts++;
	}
	w->group = n->mover;
}

/* False: nothing more can be learnt below the root. */
static bool walk_down(struct tree *t, struct seat *s)
{
	struct round *k = t->round;
	struct walk w = {.first_step = (uint32_t)k->steps.n};
	uint32_t id = t->root, reference = t->root;
	for (;;) {
		node_open(t, s, id);
		const struct node *n = &t->nodes.at[id];
		if (n->terminal || (n->solved && t->o.solve) || w.steps == MAX_DEPTH)
			break;
		/* fresh: nothing is known of its children yet */
		if (id != t->root && (t->o.spread && n->joint <= NODE_EXPAND ? !n->expanded : n->visits <= 0))
			break;
		node_expand(t, s, id);
		n = &t->nodes.at[id];
		if (n->visits >= t->o.ref)
			reference = id;
		uint32_t arms = first_of_steps(k, id, t->g->roles);
		choose_joint(t, s, n, &t->nodes.at[reference], k->chosen.at + arms);
		id = node_child(t, s, id, k->chosen.at + arms);
		w.steps++;
	}
	w.leaf = id;
	if (!t->nodes.at[id].terminal && t->o.spread)
		node_expand(t, s, id);
	add_starts(t, &w);
	add_pending(t, &w, 1);
	vec_push(&k->walks, w);
	return w.steps > 0;
}

/* ---- playing --------------------------------------------------------------------------------- */

/* All-moves-as-first: which moves a playout held, for the walk that it belongs to.
 * A move that comes twice counts once. */
static void report(void *context, size_t start, const uint32_t *moves, uint32_t steps, const int *goals)
{
	struct tree *t = context;
	struct round *k = t->round;
	uint32_t roles = t->g->roles, walk = k->walk_of.at[k->batch_of.at[start]];
	float *visits = k->amaf_visits.at + (size_t)walk * t->g->moves, *sum = k->amaf_sum.at + (size_t)walk * t->g->moves;
	k->stamp_now++;
	for (size_t i = 0; i < (size_t)steps * roles; i++) {
		uint32_t m = moves[i], role = (uint32_t)(i % roles);
		if (k->stamp[m] == k->stamp_now)
			continue;
		k->stamp[m] = k->stamp_now;
		visits[m] += 1;
		sum[m] += goals[role] == GOAL_NONE ? 0 : (float)goals[role] / 100;
	}
}

static void play_group(struct tree *t, struct seat *s, const struct budget *b, uint32_t group)
{
	struct round *k = t->round;
	uint32_t words = t->g->words, roles = t->g->roles;
	uint64_t playouts = 0;
	vec_clear(&k->batch);
	vec_clear(&k->batch_of);
	for (size_t i = 0; i < k->walks.n; i++) {
		const struct walk *w = &k->walks.at[i];
		if (!w->starts || w->group != group)
			continue;
		uint64_t each = ((uint64_t)t->o.playouts + w->starts - 1) / w->starts;
		playouts = each > playouts ? each : playouts;
		for (uint32_t j = w->first_start; j < w->first_start + w->starts; j++) {
			vec_push(&k->batch_of, j);
			vec_extend(&k->batch, words);
			memcpy(k->batch.at + k->batch.n - words, k->starts.at + (size_t)j * words, words * sizeof *k->batch.at);
		}
	}
	if (!k->batch_of.n)
		return;
	/* fewer than the lanes of a pass cost as much as a full one */
	if (!b->playouts && playouts * k->batch_of.n < t->lanes)
		playouts = t->lanes / k->batch_of.n;
	struct playout_result r;
	game_playouts(t->g,
	              &(struct playout_job){.starts = k->batch.at,
	                                    .start_count = k->batch_of.n,
	                                    .playouts = playouts * k->batch_of.n,
	                                    .limit = b->limit,
	                                    .threads = (uint32_t)t->o.threads,
	                                    .seed = rng_next(&s->rng),
	                                    .max_steps = MAX_STEPS,
	                                    .report = k->amaf ? report : NULL,
	                                    .context = t},
	              &r);
	double sum = 0;
	for (size_t i = 0; i < k->batch_of.n * roles; i++)
		sum += i % roles == t->g->random ? 0 : r.sum[i];
	if (fabs(sum - 100 * (double)r.playouts) > 1e-3 * (double)r.playouts)
		node_doubt(t);
	for (size_t i = 0; i < k->batch_of.n; i++) {
		k->count.at[k->batch_of.at[i]] = (double)r.counts[i];
		for (uint32_t q = 0; q < roles; q++)
			k->value.at[(size_t)k->batch_of.at[i] * roles + q] =
				r.counts[i] ? r.sum[i * roles + q] / (double)r.counts[i] / 100 : 0;
	}
	s->count.playouts += r.playouts;
	s->count.playout_seconds += r.seconds;
	playout_result_free(&r);
}

static void play_all(struct tree *t, struct seat *s, const struct budget *b)
{
	struct round *k = t->round;
	vec_clear(&k->value);
	vec_clear(&k->count);
	vec_extend(&k->count, k->walk_of.n);
	vec_extend(&k->value, k->walk_of.n * t->g->roles);
	if (k->walk_of.n)
		memset(k->count.at, 0, k->count.n * sizeof *k->count.at);
	if (k->amaf) {
		size_t cells = k->walks.n * t->g->moves;
		vec_reserve(&k->amaf_visits, cells);
		vec_reserve(&k->amaf_sum, cells);
		memset(k->amaf_visits.at, 0, cells * sizeof(float));
		memset(k->amaf_sum.at, 0, cells * sizeof(float));
	}
	for (uint32_t r = 0; r < t->g->roles; r++)
		play_group(t, s, b, r);
}

/* ---- backing up ------------------------------------------------------------------------------- */

/* The value of a walk's leaf, in `v`; and the first statistics of the leaf's arms
 * when its children were played from. False: too late, nothing was played. */
static bool leaf_value(struct tree *t, const struct walk *w, double *v)
{
	struct round *k = t->round;
	struct node *n = &t->nodes.at[w->leaf];
	uint32_t roles = t->g->roles, arms[roles], start = w->first_start;
	double weight = 0;
	memset(v, 0, roles * sizeof *v);
	if (n->solved && (t->o.solve || n->terminal)) {
		for (uint32_t r = 0; r < roles; r++)
			v[r] = (double)n->low[r];
		return true;
	}
	for (uint32_t i = 0; i < (w->spread ? n->joint : 1); i++) {
		struct node *from = w->spread ? &t->nodes.at[n->child[i]] : n;
		double x[roles];
		if (!from->terminal && k->count.at[start] <= 0) {
			start++;
			continue;
		}
		for (uint32_t r = 0; r < roles; r++)
			x[r] = from->terminal ? (double)from->low[r] : k->value.at[(size_t)start * roles + r];
		start += !from->terminal;
		weight++;
		for (uint32_t r = 0; r < roles; r++)
			v[r] += x[r];
		if (!w->spread)
			continue;
		if (from->visits <= 0 && !from->terminal)
			for (uint32_t r = 0; r < roles; r++)
				from->sum[r] += x[r];
		for (uint32_t r = 0; r < roles && from->visits <= 0; r++)
			from->best[r] = (float)x[r];
		from->visits += from->visits <= 0;
		joint_arms(t, n, i, arms);
		for (uint32_t r = 0; r < roles; r++) {
			struct arm *a = &n->arms[n->start[r] + arms[r]];
			double share = (double)arm_count(n, r) / n->joint;
			a->visits += share;
			a->sum += share * x[r];
		}
	}
	for (uint32_t r = 0; r < roles; r++)
		v[r] /= weight > 0 ? weight : 1;
	return weight > 0;
}

/* The evaluation that the mover's best child has; elsewhere the mean. */
static void take_best(struct tree *t, struct node *n)
{
	uint32_t roles = t->g->roles, chosen = NODE_NONE;
	if (n->solved)
		return;
	for (uint32_t a = 0; n->movers == 1 && a < arm_count(n, n->mover); a++) {
		uint32_t c = node_sole_child(t, n, n->mover, a);
		if (c != NODE_NONE && (t->nodes.at[c].visits > 0 || t->nodes.at[c].solved) &&
		    (chosen == NODE_NONE || t->nodes.at[c].best[n->mover] > t->nodes.at[chosen].best[n->mover]))
			chosen = c;
	}
	for (uint32_t r = 0; r < roles; r++)
		n->best[r] = chosen != NODE_NONE ? t->nodes.at[chosen].best[r] : (float)(n->sum[r] / n->visits);
}

static void learn_regret(struct tree *t, struct node *n, const uint32_t *chosen, const double *v)
{
	uint32_t roles = t->g->roles, arms[roles];
	memcpy(arms, chosen, sizeof arms);
	for (uint32_t r = 0; r < roles; r++) {
		if (r == t->g->random || arm_count(n, r) == 1 || !n->child)
			continue;
		for (uint32_t a = 0; a < arm_count(n, r); a++) {
			arms[r] = a;
			uint32_t c = n->child[joint_index(t, n, arms)];
			const struct node *to = c == NODE_NONE ? NULL : &t->nodes.at[c];
			double x = a == chosen[r] || !to ? v[r]
			           : to->solved          ? (double)to->low[r]
			           : to->visits > 0      ? to->sum[r] / to->visits
			                                 : v[r];
			n->arms[n->start[r] + a].regret += (float)(x - v[r]);
		}
		arms[r] = chosen[r];
	}
}

static void add_amaf(struct tree *t, struct node *n, const struct walk *w, size_t walk)
{
	struct round *k = t->round;
	const float *visits = k->amaf_visits.at + walk * t->g->moves, *sum = k->amaf_sum.at + walk * t->g->moves;
	float scale = 1 / (float)t->o.playouts; /* one walk counts as one visit */
	for (uint32_t i = 0; w->starts && i < n->start[t->g->roles]; i++) {
		n->arms[i].amaf_visits += visits[n->arms[i].move] * scale;
		n->arms[i].amaf_sum += sum[n->arms[i].move] * scale;
	}
}

/* A move of the walk itself counts for the nodes above it as one of a playout. */
static void add_amaf_step(struct tree *t, struct walk *w, uint32_t step, size_t walk, const double *v)
{
	struct round *k = t->round;
	const struct path_step *p = &k->steps.at[w->first_step + step];
	const struct node *n = &t->nodes.at[p->node];
	for (uint32_t r = 0; r < t->g->roles; r++) {
		size_t m = walk * t->g->moves + n->arms[n->start[r] + k->chosen.at[p->first_arm + r]].move;
		k->amaf_visits.at[m] += (float)t->o.playouts;
		k->amaf_sum.at[m] += (float)(v[r] * (double)t->o.playouts);
	}
}

static void back_up(struct tree *t, struct seat *s, size_t walk)
{
	struct round *k = t->round;
	struct walk *w = &k->walks.at[walk];
	uint32_t roles = t->g->roles;
	double v[roles];
	add_pending(t, w, -1);
	bool known = leaf_value(t, w, v);
	struct node *leaf = &t->nodes.at[w->leaf];
	if (known) {
		leaf->visits += 1;
		for (uint32_t r = 0; r < roles; r++)
			leaf->sum[r] += v[r];
		if (t->o.minimax > 0 && leaf->start)
			take_best(t, leaf);
		if (k->amaf && leaf->start)
			add_amaf(t, leaf, w, walk);
	}
	for (uint32_t i = w->steps; i--;) {
		const struct path_step *p = &k->steps.at[w->first_step + i];
		struct node *n = &t->nodes.at[p->node];
		if (t->o.solve)
			node_bound(t, s, p->node);
		if (!known)
			continue;
		/* a worse move than the proved one was only tried, not chosen */
		for (uint32_t r = 0; r < roles && t->o.solve; r++)
			v[r] = v[r] < (double)n->low[r] ? (double)n->low[r] : v[r] > (double)n->high[r] ? (double)n->high[r] : v[r];
		n->visits += 1;
		if (k->amaf) {
			add_amaf_step(t, w, i, walk, v);
			add_amaf(t, n, w, walk);
		}
		for (uint32_t r = 0; r < roles; r++) {
			struct arm *a = &n->arms[n->start[r] + k->chosen.at[p->first_arm + r]];
			a->visits += 1;
			a->sum += v[r];
			n->sum[r] += v[r];
		}
		if (t->o.minimax > 0)
			take_best(t, n);
		if (t->o.regret && n->movers > 1)
			learn_regret(t, n, k->chosen.at + p->first_arm, v);
	}
}

/* Bounds that rest on a belief found false: all that is below the root goes. */
static void begin_anew(struct tree *t, struct seat *s)
{
	size_t bytes = t->g->words * sizeof(uint64_t);
	uint64_t *state = mem_alloc(t->g->words + 1, sizeof *state);
	memcpy(state, t->nodes.at[t->root].state, bytes);
	tree_root(t, s, state);
	mem_free(state);
}

static bool finished(const struct tree *t, const struct seat *s)
{
	const struct node *n = &t->nodes.at[t->root];
	return n->terminal || (t->o.solve && (n->solved || n->low[s->role] >= n->high[s->role]));
}

static void publish(struct tree *t, struct seat *s)
{
	const struct node *n = &t->nodes.at[t->root];
	if (!n->start)
		return;
	uint32_t best = n->start[s->role];
	for (uint32_t i = best; i < n->start[s->role + 1]; i++)
		if (n->arms[i].visits > n->arms[best].visits)
			best = i;
	seat_ready(s, n->arms[best].move);
}

/* A clock should hold at least some dozens of rounds. Where playouts are too slow for
 * that, rounds get narrower: for a circuit as wide as its narrowest pass, which costs
 * as much as a single playout; else a few playouts from one leaf. */
static void keep_pace(struct tree *t, double round, double clock)
{
	if (t->slow || round * 30 < clock)
		return;
	t->slow = true;
	t->o.leaves = 1;
	t->o.playouts = t->lanes ? 64 : 4;
	t->o.spread &= t->lanes > 0;
	t->lanes = 0;
}

void tree_run(struct tree *t, struct seat *s, const struct budget *b)
{
	double clock = limit_left(&b->limit);
	struct round *k = t->round;
	uint64_t spent = 0, before;
	while (!limit_reached(&b->limit) && (!b->playouts || spent < b->playouts) && !finished(t, s) &&
	       tree_bytes(t) < (size_t)t->o.memory << 20) {
		vec_clear(&k->walks);
		vec_clear(&k->steps);
		vec_clear(&k->chosen);
		vec_clear(&k->starts);
		vec_clear(&k->walk_of);
		before = s->count.playouts;
		double began = clock_thread(); /* not the wall's: being kept waiting is no reason */
		uint64_t leaves = (uint64_t)t->o.leaves, small = 1 + (uint64_t)t->nodes.at[t->root].visits / 4;
		leaves = leaves < small ? leaves : small; /* few at first: virtual losses mislead a young tree */
		for (uint64_t i = 0; i < leaves && !finished(t, s); i++)
			if (!walk_down(t, s))
				break;
		play_all(t, s, b);
		for (size_t i = 0; i < k->walks.n; i++)
			back_up(t, s, i);
		spent += s->count.playouts - before + (s->count.playouts == before) * (uint64_t)t->o.playouts;
		s->count.rounds++;
		if (!b->playouts)
			keep_pace(t, clock_thread() - began, clock);
		if (t->stale)
			begin_anew(t, s);
		publish(t, s);
	}
}

/* Walking the tree, playing from its leaves, backing up. See tree.h for the idea. */
#include "play/tree_node.h"

#include <math.h>
#include <string.h>

#define MAX_DEPTH 2000
#define MAX_STEPS 5000 /* of a playout */
#define LANES 512      /* of the widest pass */
#define MOST_AMAF 8192 /* moves of a game for which nodes keep a table */
#define AMAF_EVERY 4   /* playouts of a leaf of which one is looked at move by move */

/* A walk from the root to a leaf, and what was found there. */
struct walk {
	uint32_t first_step, steps; /* into round.steps */
	uint32_t leaf;
	uint32_t first_start, starts; /* into round.starts; none: the leaf's value is known */
	uint32_t group;               /* leaves with the same role to move are played together */
	bool spread;                  /* the starts are the leaf's children */
	bool news;                    /* bounds on the way are out of date */
	bool closed;                  /* the leaf is still to be made, or opened */
};

/* A playout's moves, for the walk that it belongs to. */
struct record {
	uint32_t walk, first, count; /* into round.played */
	uint32_t goals;              /* into round.goals */
};

struct round {
	VEC(struct walk) walks;
	VEC(struct path_step) steps;
	VEC(uint32_t) chosen; /* arm numbers, `roles` a step */
	VEC(uint64_t) starts, batch;
	VEC(uint32_t) batch_of; /* start number in the batch -> in the round */
	VEC(double) value;      /* by start and role, 0..1 */
	VEC(double) count;      /* playouts by start */
	VEC(uint32_t) walk_of; /* start -> walk */
	VEC(uint32_t) wanted;  /* nodes whose children are to be made */
	/* all moves as first */
	VEC(struct record) records;
	VEC(uint32_t) played;
	VEC(float) goals; /* by role, 0..1 */
	bool amaf;
};

struct tree *tree_new(struct seat *s, const struct tree_options *o)
{
	struct tree *t = NEW(struct tree);
	t->o = *o;
	t->g = s->game;
	t->root = NODE_NONE;
	t->each = 1;
	t->lanes = s->game->engine == ENGINE_CIRCUIT ? LANES : 0;
	t->opposed = t->g->roles - (t->g->random < t->g->roles) == 2;
	t->round = NEW(struct round);
	t->round->amaf = o->bias > 0 && s->game->engine == ENGINE_CIRCUIT && s->game->moves <= MOST_AMAF;
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
	vec_free(&t->legal);
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
	vec_free(&k->records);
	vec_free(&k->played);
	vec_free(&k->goals);
	vec_free(&k->walk_of);
	vec_free(&k->wanted);
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
static bool pruned(const struct tree *t, const struct node *n, uint32_t role, const struct arm *a)
{
	return t->o.solve && (a->high < n->low[role] || (a->high <= n->low[role] && n->low[role] < n->high[role]));
}

/* The estimate of an arm: its mean with virtual losses counted, mixed with the
 * statistics of the same move later in playouts (Gelly and Silver 2011; the
 * ancestor's where the node is young: Cazenave 2015). */
static double estimate(const struct tree *t, const struct amaf *amaf, const struct arm *a, double first)
{
	double visits = a->visits + (double)a->pending;
	double lost = a->visits + (1 - t->o.mild) * (double)a->pending;
	double mean = lost > 0 ? a->sum / lost : first;
	if (!amaf || amaf[a->move].visits <= 0)
		return mean;
	double k = (double)amaf[a->move].visits, beta = k / (k + visits + t->o.bias * k * visits);
	return mean + beta * ((double)amaf[a->move].sum / k - mean);
}

static uint32_t choose_ucb(struct tree *t, struct seat *s, const struct node *n, const struct amaf *amaf, uint32_t role)
{
	const struct arm *arms = n->arms + n->start[role];
	uint32_t count = arm_count(n, role), best = rng_below(&s->rng, count);
	double total = 1, score = -1e9;
	for (uint32_t a = 0; a < count; a++)
		total += arms[a].visits + (double)arms[a].pending;
	double width = t->o.c * sqrt(log(total)), first = n->visits > 0 ? n->sum[role] / n->visits : 0.5;
	for (uint32_t i = 0, a = best; i < count; i++, a = a + 1 == count ? 0 : a + 1) {
		if (pruned(t, n, role, &arms[a]))
			continue;
		double visits = arms[a].visits + (double)arms[a].pending, x;
		uint32_t c;
		x = t->o.solve && arms[a].low >= arms[a].high ? (double)arms[a].low : estimate(t, amaf, &arms[a], first);
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

static void choose_joint(struct tree *t, struct seat *s, const struct node *n, const struct amaf *amaf, uint32_t *arms)
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
			arms[r] = choose_ucb(t, s, n, amaf, r);
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
static void add_starts(struct tree *t, struct walk *w, uint32_t number)
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
		vec_push(&k->walk_of, number);
		w->starts++;
	}
	w->group = n->mover;
}

/* Has the child's proof got further than its parent knows? */
static bool has_news(const struct tree *t, const struct node *n, const uint32_t *arms, uint32_t child)
{
	const struct arm *a = &n->arms[n->start[n->mover] + arms[n->mover]];
	const struct node *c = &t->nodes.at[child];
	return n->movers == 1 && n->joint == arm_count(n, n->mover) &&
	       (a->low < c->low[n->mover] || a->high > c->high[n->mover]);
}

/* The child that the arms lead to; NODE_NONE: it will be made together with others. */
static uint32_t walk_to(struct tree *t, struct seat *s, uint32_t id, const uint32_t *arms)
{
	const struct node *n = &t->nodes.at[id];
	if (!n->child || t->g->engine != ENGINE_CIRCUIT) {
		id = node_child(t, s, id, arms);
		node_open(t, s, id);
		return id;
	}
	return n->child[joint_index(t, n, arms)];
}

/* All children of a node: at once, or where playouts are from single leaves together with
 * the leaves of the round. */
static void want_children(struct tree *t, struct seat *s, uint32_t id)
{
	struct node *n = &t->nodes.at[id];
	if (t->o.spread || !t->o.expand || t->g->engine != ENGINE_CIRCUIT) {
		node_expand(t, s, id);
	} else if (n->joint <= NODE_EXPAND) {
		n->expanded = true;
		vec_push(&t->round->wanted, id);
	}
}

/* False: nothing more can be learnt below the root. */
static bool walk_down(struct tree *t, struct seat *s)
{
	struct round *k = t->round;
	struct walk w = {.first_step = (uint32_t)k->steps.n};
	uint32_t id = t->root;
	const struct amaf *amaf = NULL;
	for (;;) {
		const struct node *n = &t->nodes.at[id];
		if (n->terminal || (n->solved && t->o.solve) || w.steps == MAX_DEPTH)
			break;
		if (!n->start) {
			w.closed = true;
			break;
		}
		/* fresh: nothing is known of its children yet */
		if (id != t->root && (t->o.spread && n->joint <= NODE_EXPAND ? !n->expanded : n->visits <= 0))
			break;
		if (!n->expanded && n->visits >= (double)t->o.expand)
			want_children(t, s, id);
		n = &t->nodes.at[id];
		if (n->amaf && n->amaf_visits >= t->o.ref)
			amaf = n->amaf;
		uint32_t arms = first_of_steps(k, id, t->g->roles);
		choose_joint(t, s, n, amaf, k->chosen.at + arms);
		w.steps++;
		id = walk_to(t, s, id, k->chosen.at + arms);
		if (id == NODE_NONE) {
			w.closed = true;
			break;
		}
		w.news |= t->o.solve && has_news(t, &t->nodes.at[k->steps.at[k->steps.n - 1].node], k->chosen.at + arms, id);
	}
	w.leaf = id;
	add_pending(t, &w, 1);
	vec_push(&k->walks, w);
	return w.steps > 0;
}

static void add_pair(struct tree *t, const struct node *n, const uint32_t *arms)
{
	uint32_t words = t->g->words;
	vec_extend(&t->from, words);
	memcpy(t->from.at + t->from.n - words, n->state, words * sizeof *n->state);
	for (uint32_t r = 0; r < t->g->roles; r++)
		vec_push(&t->moves, n->arms[n->start[r] + arms[r]].move);
}

/* The successor number `pair` of the pass as a child of `id`. */
static uint32_t take_child(struct tree *t, struct seat *s, uint32_t id, uint32_t index, size_t pair)
{
	uint32_t c = node_find(t, s, t->next.at + pair * t->g->words, t->terminal.at[pair],
	                       t->goals.at + pair * t->g->roles);
	t->nodes.at[id].child[index] = c;
	return c;
}

/* Makes and opens the leaves of this round, each the successor of its walk's last step,
 * and makes the children that are wanted, all in one pass. */
static void open_leaves(struct tree *t, struct seat *s)
{
	struct round *k = t->round;
	uint32_t roles = t->g->roles, row = game_legal_words(t->g), arms[roles];
	size_t pair = 0;
	vec_clear(&t->moves);
	vec_clear(&t->from);
	for (size_t i = 0; i < k->walks.n; i++) {
		const struct walk *w = &k->walks.at[i];
		const struct path_step *p = &k->steps.at[w->first_step + w->steps - 1];
		if (w->closed)
			add_pair(t, &t->nodes.at[p->node], k->chosen.at + p->first_arm);
	}
	for (size_t i = 0; i < k->wanted.n; i++) {
		const struct node *n = &t->nodes.at[k->wanted.at[i]];
		for (uint32_t j = 0; j < n->joint; j++)
			if (n->child[j] == NODE_NONE) {
				joint_arms(t, n, j, arms);
				add_pair(t, n, arms);
			}
	}
	size_t count = t->moves.n / roles;
	if (!count)
		return;
	vec_reserve(&t->next, count * t->g->words);
	vec_reserve(&t->legal, count * row);
	vec_reserve(&t->terminal, count);
	vec_reserve(&t->goals, count * roles);
	game_expand(s->worker, &(struct expansion){.states = t->from.at,
	                                           .moves = t->moves.at,
	                                           .count = count,
	                                           .next = t->next.at,
	                                           .terminal = t->terminal.at,
	                                           .goals = t->goals.at,
	                                           .legal = t->legal.at});
	/* children first: leaves may be among them, and are then found again */
	for (size_t i = 0; i < k->walks.n; i++)
		pair += k->walks.at[i].closed;
	for (size_t i = 0; i < k->wanted.n; i++) {
		uint32_t id = k->wanted.at[i];
		for (uint32_t j = 0; j < t->nodes.at[id].joint; j++)
			if (t->nodes.at[id].child[j] == NODE_NONE)
				take_child(t, s, id, j, pair++);
		if (t->o.solve)
			node_bound(t, s, id);
	}
	pair = 0;
	for (size_t i = 0; i < k->walks.n; i++) {
		struct walk *w = &k->walks.at[i];
		const struct path_step *p = &k->steps.at[w->first_step + w->steps - 1];
		if (!w->closed)
			continue;
		uint32_t index = joint_index(t, &t->nodes.at[p->node], k->chosen.at + p->first_arm);
		w->leaf = take_child(t, s, p->node, index, pair);
		node_open_row(t, s, w->leaf, t->legal.at + pair * row, t->goals.at + pair * roles);
		pair++;
	}
}

/* ---- playing --------------------------------------------------------------------------------- */

/* All-moves-as-first: which moves a playout held, kept until values are backed up. */
static void note_played(void *context, size_t start, const uint32_t *moves, uint32_t count, const int *goals)
{
	struct tree *t = context;
	struct round *k = t->round;
	struct record r = {k->walk_of.at[k->batch_of.at[start]], (uint32_t)k->played.n, count, (uint32_t)k->goals.n};
	vec_push(&k->records, r);
	vec_extend(&k->played, count);
	memcpy(k->played.at + r.first, moves, count * sizeof *moves);
	for (uint32_t q = 0; q < t->g->roles; q++)
		vec_push(&k->goals, goals[q] == GOAL_NONE ? 0 : (float)goals[q] / 100);
}

/* Playouts for each of `starts` by the clock: as many as fill a pass, since fewer cost
 * as much, and as many as cost what finding the leaf has cost. */
static uint64_t fill(const struct tree *t, uint64_t each, uint64_t starts)
{
	each = each < t->each ? t->each : each;
	return each * starts < t->lanes ? t->lanes / starts : each;
}

/* Walking and opening should not cost more than the playouts, nor much less. */
static void keep_balance(struct tree *t, double walking, double playing)
{
	t->walking = 0.8 * t->walking + walking;
	t->playing = 0.8 * t->playing + playing;
	if (t->walking > 1.5 * t->playing && t->each < 32) {
		t->each *= 2;
		t->playing *= 2;
	} else if (t->walking < 0.25 * t->playing && t->each > 1) {
		t->each /= 2;
		t->playing /= 2;
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
	if (!b->playouts)
		playouts = fill(t, playouts, k->batch_of.n);
	struct playout_result r;
	game_playouts(t->g,
	              &(struct playout_job){.starts = k->batch.at,
	                                    .start_count = k->batch_of.n,
	                                    .playouts = playouts * k->batch_of.n,
	                                    .limit = b->limit,
	                                    .threads = (uint32_t)t->o.threads,
	                                    .seed = rng_next(&s->rng),
	                                    .max_steps = MAX_STEPS,
	                                    .played = k->amaf ? note_played : NULL,
	                                    .played_every = AMAF_EVERY,
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
	vec_clear(&k->records);
	vec_clear(&k->played);
	vec_clear(&k->goals);
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

static void count_amaf(struct amaf *a, float value)
{
	a->visits += 1;
	a->sum += value;
}

/* The moves of a playout, and of its walk from step `i` on, for the node at that step. */
static void add_record(struct tree *t, const struct record *r, const struct walk *w, uint32_t i)
{
	struct round *k = t->round;
	struct node *n = &t->nodes.at[k->steps.at[w->first_step + i].node];
	const float *goals = k->goals.at + r->goals;
	const uint32_t *m = k->played.at + r->first, *end = m + r->count;
	for (uint32_t q = 0; q < t->g->roles; q++)
		for (; m < end && *m < t->g->first_move[q + 1]; m++)
			count_amaf(&n->amaf[*m], goals[q]);
	for (; i < w->steps; i++) {
		const struct path_step *p = &k->steps.at[w->first_step + i];
		const struct node *at = &t->nodes.at[p->node];
		for (uint32_t q = 0; q < t->g->roles; q++)
			count_amaf(&n->amaf[at->arms[at->start[q] + k->chosen.at[p->first_arm + q]].move], goals[q]);
	}
	n->amaf_visits += 1;
}

/* Nodes begin to keep the statistics when they have been visited a few times: there are
 * few such, and the young ones use an ancestor's anyway. */
static void learn_amaf(struct tree *t)
{
	struct round *k = t->round;
	for (size_t j = 0; j < k->records.n; j++) {
		const struct record *r = &k->records.at[j];
		const struct walk *w = &k->walks.at[r->walk];
		for (uint32_t i = 0; i < w->steps; i++) {
			struct node *n = &t->nodes.at[k->steps.at[w->first_step + i].node];
			if (!n->amaf) {
				if (n->visits < t->o.ref && i)
					break;
				n->amaf = arena_alloc(&t->arena, t->g->moves * sizeof *n->amaf);
				memset(n->amaf, 0, t->g->moves * sizeof *n->amaf);
			}
			add_record(t, r, w, i);
		}
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
	}
	bool news = leaf->solved || leaf->expanded;
	for (uint32_t i = w->steps; i--;) {
		const struct path_step *p = &k->steps.at[w->first_step + i];
		struct node *n = &t->nodes.at[p->node];
		if (t->o.solve && (news || w->news))
			news = node_bound(t, s, p->node);
		if (!known)
			continue;
		/* a worse move than the proved one was only tried, not chosen */
		for (uint32_t r = 0; r < roles && t->o.solve; r++)
			v[r] = v[r] < (double)n->low[r] ? (double)n->low[r] : v[r] > (double)n->high[r] ? (double)n->high[r] : v[r];
		n->visits += 1;
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
	bool wide = t->lanes && t->o.playouts < 64; /* a leaf a lane or so */
	if (t->slow || round * (wide ? 4 : 30) < clock)
		return;
	if (wide) {
		t->slow = true;
		t->o.leaves = t->lanes = 64;
		return;
	}
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
		vec_clear(&k->wanted);
		before = s->count.playouts;
		double wall = clock_now();
		double began = clock_thread(); /* not the wall's: being kept waiting is no reason */
		const struct node *root = &t->nodes.at[t->root];
		uint64_t leaves = (uint64_t)t->o.leaves, small = 1 + (uint64_t)root->visits / 4;
		if (t->o.playouts < 64) {
			small = 8 + (uint64_t)root->visits / 4;
			/* and few where the clock holds few rounds: each should learn from those before */
			if (t->pace > 0 && clock < 2 * t->pace * (double)leaves)
				leaves = clock < 16 * t->pace ? 8 : (uint64_t)(clock / t->pace / 2);
		}
		leaves = leaves < small ? leaves : small; /* few at first: virtual losses mislead a young tree */
		for (uint64_t i = 0; i < leaves && !finished(t, s); i++)
			if (!walk_down(t, s))
				break;
		open_leaves(t, s);
		for (size_t i = 0; i < k->walks.n; i++) {
			struct walk *w = &k->walks.at[i];
			if (t->o.spread && !t->nodes.at[w->leaf].terminal)
				node_expand(t, s, w->leaf);
			add_starts(t, w, (uint32_t)i);
		}
		double middle = clock_thread();
		play_all(t, s, b);
		double played = clock_thread();
		for (size_t i = 0; i < k->walks.n; i++)
			back_up(t, s, i);
		learn_amaf(t);
		spent += s->count.playouts - before + (s->count.playouts == before) * (uint64_t)t->o.playouts;
		s->count.rounds++;
		if (!b->playouts)
			t->pace += (t->pace > 0 ? 0.1 : 1) * (clock_now() - wall - t->pace);
		if (!b->playouts && t->o.playouts < 64)
			keep_balance(t, clock_thread() - played + middle - began, played - middle);
		if (!b->playouts)
			keep_pace(t, clock_thread() - began, clock);
		if (t->stale)
			begin_anew(t, s);
		publish(t, s);
	}
}

/* Symmetries of rounds under the search of mac-ucb-sym: a solved round, with its nogoods as constraints, is searched
 * for symmetries; of its successors that are images of one another, one stands for all in the table of states.
 *
 * What this may cost is boxed: a share of the clock, or of the work where playouts are counted, less of it while
 * nothing is found. Rounds that are visited often come first. Rounds that are left out, because they are too large or
 * their share is used up, are counted. */
#include "play/mac/mac_internal.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define MOST_NOGOODS 1024       /* of a round that are put into its network */
#define EDGES_PER_PLAYOUT 160.0 /* that about as much time goes to: for budgets in playouts */
#define MOST_ORDER 1000000.0    /* that the counter of symmetries takes from one round */

void mac_symmetry_begin(struct mac_search *k, const struct seat *s)
{
	k->symmetry.spent = k->symmetry.edges = 0;
	k->symmetry.playouts = s->count.playouts;
	k->symmetry.visits = 1;
}

/* ---- what it may cost --------------------------------------------------------------------------- */

static bool is_affordable(const struct mac_search *k, const struct seat *s)
{
	const struct mac_round_work *y = &k->symmetry;
	const struct budget *b = k->budget;
	const struct mac_tuning *tune = &k->o.tune;
	double share = k->o.symmetry *
	               fmax(tune->least_symmetry, pow(0.5, (double)((uint64_t)y->fruitless / (uint64_t)tune->fruitless)));
	if (!b)
		return false;
	if (b->playouts)
		return y->edges + y->usual_edges <=
		       share * EDGES_PER_PLAYOUT * (double)(s->count.playouts - y->playouts + b->playouts / 8);
	double left = limit_left(&b->limit), gone = mac_seconds(k) - k->began;
	return y->spent + y->usual <= share * (gone + left / 8) && y->usual <= left / 4;
}

/* Counts what a round has cost; what the next one will is guessed from that. */
static void count_cost(struct mac_search *k, struct seat *s, double seconds, double edges)
{
	struct mac_round_work *y = &k->symmetry;
	y->spent += seconds;
	y->edges += edges;
	y->usual = y->usual > 0 ? 0.75 * y->usual + 0.25 * seconds : seconds;
	y->usual_edges = y->usual_edges > 0 ? 0.75 * y->usual_edges + 0.25 * edges : edges;
	s->count.symmetry_seconds += seconds;
}

/* ---- orbits of joint moves ------------------------------------------------------------------------ */

/* One way from the first joint move of an orbit to each of its others. */
struct orbits {
	const struct tree *t;
	const struct node *n;
	const struct symmetry *s;
	uint32_t *first;  /* by joint move */
	uint32_t *before; /* the joint move it was reached from */
	uint32_t *by;     /* the generator */
	uint32_t *place;  /* by move: its arm */
};

static uint32_t image_of(const struct orbits *o, uint32_t joint, size_t generator)
{
	const uint32_t *e = symmetry_generator(o->s, generator);
	uint32_t roles = o->t->g->roles, *arms = o->t->scratch.leaf;
	joint_arms(o->t, o->n, joint, arms);
	for (uint32_t r = 0; r < roles; r++) {
		uint32_t move = o->n->arms[o->n->start[r] + arms[r]].move;
		arms[r] = o->place[e[o->s->first_move + move] - o->s->first_move];
	}
	return joint_index(o->t, o->n, arms);
}

static void find_orbits(struct orbits *o)
{
	VEC(uint32_t) todo = {0};
	for (uint32_t i = 0; i < o->n->joint; i++)
		o->first[i] = NODE_NONE;
	for (uint32_t r = 0; r < o->t->g->roles; r++)
		for (uint32_t a = 0; a < arm_count(o->n, r); a++)
			o->place[o->n->arms[o->n->start[r] + a].move] = a;
	for (uint32_t i = 0; i < o->n->joint; i++) {
		if (o->first[i] != NODE_NONE)
			continue;
		o->first[i] = o->before[i] = i;
		vec_push(&todo, i);
		while (todo.n) {
			uint32_t j = vec_pop(&todo);
			for (size_t g = 0; g < o->s->generators; g++) {
				uint32_t to = image_of(o, j, g);
				assert(to < o->n->joint);
				if (o->first[to] != NODE_NONE)
					continue;
				o->first[to] = i;
				o->before[to] = j;
				o->by[to] = (uint32_t)g;
				vec_push(&todo, to);
			}
		}
	}
	vec_free(&todo);
}

/* Where the moves go that are played in the first state of an orbit, in that of another: generators one after another.
 * `back`: the other way round. */
static void moves_between(const struct orbits *o, uint32_t joint, uint32_t *back)
{
	assert(o->first[joint] <= joint);
	uint32_t moves = o->t->g->moves, first = o->s->first_move, *way = NEW_ARRAY(uint32_t, moves + 1);
	for (uint32_t m = 0; m < moves; m++)
		back[m] = m;
	for (uint32_t j = joint; j != o->first[joint]; j = o->before[j]) {
		const uint32_t *e = symmetry_generator(o->s, o->by[j]);
		for (uint32_t m = 0; m < moves; m++)
			way[e[first + m] - first] = m;
		for (uint32_t m = 0; m < moves; m++)
			back[m] = way[back[m]];
	}
	mem_free(way);
}

/* ---- sharing ----------------------------------------------------------------------------------------- */

/* Statistics of an arm that is not chosen any more go to the one that stands for it. */
static void join_arms(struct tree *t, uint32_t id)
{
	struct node *n = &t->nodes.at[id];
	if (n->movers != 1 || n->joint != arm_count(n, n->mover))
		return;
	struct arm *arms = n->arms + n->start[n->mover];
	for (uint32_t a = 0; a < n->joint; a++) {
		uint32_t b = 0;
		while (arms[a].twin && n->child[b] != n->child[a])
			b++;
		assert(b <= a);
		if (!arms[a].twin || a == b)
			continue;
		arms[b].visits += arms[a].visits;
		arms[b].sum += arms[a].sum;
		arms[a].visits = arms[a].sum = 0;
	}
}

/* The first state of each orbit stands for the others. Returns how many need not be searched any more. */
static size_t share_successors(struct mac_search *k, struct seat *s, uint32_t id, const struct orbits *o)
{
	struct tree *t = k->tree;
	uint32_t *child = t->nodes.at[id].child, *back = NULL;
	size_t shared = 0;
	for (uint32_t i = 0; i < o->n->joint; i++) {
		if (o->first[i] == i || child[i] == NODE_NONE || child[o->first[i]] == NODE_NONE)
			continue;
		uint32_t from = node_stands(t, child[i]), to = node_stands(t, child[o->first[i]]);
		assert(from < t->nodes.n && to < t->nodes.n);
		child[i] = to;
		if (from == to || t->nodes.at[from].terminal)
			continue;
		if (from < k->nogoods.last.n && k->nogoods.last.at[from]) {
			back = back ? back : NEW_ARRAY(uint32_t, t->g->moves + 1);
			moves_between(o, i, back);
			mac_nogoods_carry(k, s, from, to, back);
		}
		node_share(t, from, to);
		shared++;
	}
	mem_free(back);
	if (shared) {
		node_twins(t, id);
		join_arms(t, id);
		node_bound(t, s, id);
	}
	return shared;
}

static void use_group(struct mac_search *k, struct seat *s, uint32_t id, const struct symmetry *y)
{
	const struct tree *t = k->tree;
	const struct node *n = &t->nodes.at[id];
	struct orbits o = {.t = t, .n = n, .s = y};
	assert(n->joint > 1);
	o.first = NEW_ARRAY(uint32_t, 3 * (size_t)n->joint);
	o.before = o.first + n->joint;
	o.by = o.before + n->joint;
	o.place = NEW_ARRAY(uint32_t, t->g->moves + 1);
	find_orbits(&o);
	size_t shared = share_successors(k, s, id, &o);
	s->count.merged += shared;
	k->symmetry.fruitless = shared ? 0 : k->symmetry.fruitless + 1;
	mem_free(o.first);
	mem_free(o.place);
}

/* ---- a round ------------------------------------------------------------------------------------------- */

static bool has_choice(const struct mac_search *k, const struct node *n)
{
	return n->start && n->child && n->expanded && !n->solved && !n->terminal && n->joint > 1 &&
	       n->joint <= k->o.tune.symmetry_joint;
}

static void look(struct mac_search *k, struct seat *s, uint32_t id)
{
	assert(k->budget);
	uint32_t roles = k->tree->g->roles, *nogoods = mem_alloc((size_t)MOST_NOGOODS * roles, sizeof *nogoods);
	struct round_options o = {.nogoods = nogoods,
	                          .max_edges = id == k->tree->root ? 0 : (uint32_t)k->o.tune.symmetry_edges,
	                          .limit = k->budget->limit};
	double began = mac_seconds(k);
	o.nogood_count = mac_nogoods_of(k, id, nogoods, MOST_NOGOODS);
	if (o.limit.deadline > 0)
		o.limit.deadline -= (1 - k->o.symmetry) * limit_left(&o.limit);
	struct symmetry *y = round_symmetry(k->rounds, s->worker, k->tree->nodes.at[id].state, &o);
	if (y->skipped) {
		s->count.skipped++;
		k->symmetry.fruitless++;
	} else {
		s->count.detected++;
		s->count.constrained += o.nogood_count;
		s->count.symmetries += (uint64_t)fmin(y->mantissa * pow(10, y->exponent) - 1, MOST_ORDER);
		if (y->generators)
			use_group(k, s, id, y);
		else
			k->symmetry.fruitless++;
	}
	count_cost(k, s, mac_seconds(k) - began, (double)y->edges + 1);
	symmetry_free(y);
	mem_free(nogoods);
}

void mac_symmetry_look(struct mac_search *k, struct seat *s, uint32_t id)
{
	struct mac_round_work *y = &k->symmetry;
	if (!k->rounds || k->o.symmetry <= 0 || !has_choice(k, &k->tree->nodes.at[id]))
		return;
	while (y->looked.n <= id)
		vec_push(&y->looked, false);
	if (y->looked.at[id] || (id != k->tree->root && k->tree->nodes.at[id].visits < y->visits))
		return;
	if (!is_affordable(k, s)) {
		y->visits = fmin(2 * y->visits, 1e6); /* those that matter most have the share that will be free */
		s->count.skipped++;
		return;
	}
	y->visits = fmax(y->visits / 2, 1);
	y->looked.at[id] = true;
	look(k, s, id);
}

void mac_symmetry_forget(struct mac_search *k)
{
	vec_clear(&k->symmetry.looked);
}

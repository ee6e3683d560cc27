/* The list of µSCSPs that wait to be solved, the most promising first: a heap.
 *
 * Algorithm 3 takes the head, solves it, plays from each of its solutions, and puts them into the list by the upper
 * confidence bound of what that brought; `search=list` is this and nothing else. The search by default goes down a tree
 * to what should be solved next, and takes from the list only what is left of solving's share of the clock. */
#include "play/mac/mac_internal.h"

#include <math.h>
#include <string.h>

#define MAX_STEPS 5000 /* of a playout */

/* ---- the heap ----------------------------------------------------------------------------------- */

static void list_push(struct mac_search *k, uint32_t node, double value)
{
	struct waiting_round x = {value, node};
	vec_push(&k->list, x);
	size_t i = k->list.n - 1;
	for (; i && k->list.at[(i - 1) / 2].value < value; i = (i - 1) / 2)
		k->list.at[i] = k->list.at[(i - 1) / 2];
	k->list.at[i] = x;
}

/* NODE_NONE: nothing waits. */
static uint32_t list_pop(struct mac_search *k)
{
	if (!k->list.n)
		return NODE_NONE;
	uint32_t head = k->list.at[0].node;
	struct waiting_round x = k->list.at[--k->list.n];
	size_t i = 0;
	for (size_t child; (child = 2 * i + 1) < k->list.n; i = child) {
		child += child + 1 < k->list.n && k->list.at[child + 1].value > k->list.at[child].value;
		if (k->list.at[child].value <= x.value)
			break;
		k->list.at[i] = k->list.at[child];
	}
	k->list.at[i] = x;
	return head;
}

static bool waits(const struct node *n)
{
	return !n->start && !n->terminal && !n->solved;
}

/* ---- solving's share -------------------------------------------------------------------------------- */

/* What a problem promises that was not played from yet: what its parent has shown, the nearer the better. */
void mac_list_add_children(struct mac_search *k, uint32_t id)
{
	const struct node *n = &k->tree->nodes.at[id];
	if (!n->child)
		return;
	double value = n->visits + 1;
	for (uint32_t i = 0; i < n->joint; i++)
		if (n->child[i] != NODE_NONE && waits(&k->tree->nodes.at[n->child[i]]))
			list_push(k, n->child[i], value);
}

void mac_list_solve_share(struct mac_search *k, struct seat *s)
{
	const struct budget *b = k->budget;
	if (!b || b->playouts)
		return;
	while (k->solving < k->o.solve * (limit_now(&b->limit) - k->began) && !limit_reached(&b->limit) &&
	       tree_bytes(k->tree) < (size_t)k->o.tree.memory << 20) {
		uint32_t id = list_pop(k);
		if (id == NODE_NONE)
			return;
		if (id < k->tree->nodes.n && waits(&k->tree->nodes.at[id])) /* the tree may have begun anew */
			mac_solve_round(k, s, id);
	}
}

/* ---- Algorithm 3 --------------------------------------------------------------------------------------- */

static struct way_up *way_up(struct mac_search *k, uint32_t node)
{
	while (k->up.n <= node) {
		struct way_up none = {NODE_NONE, 0};
		vec_push(&k->up, none);
	}
	return &k->up.at[node];
}

/* What was found at a node, for all that led there. */
static void back_up(struct mac_search *k, struct seat *s, uint32_t id, const double *mean, double playouts)
{
	struct tree *t = k->tree;
	uint32_t roles = t->g->roles, steps = 0;
	for (uint32_t at = id;; steps++) {
		struct node *n = &t->nodes.at[at];
		n->visits += playouts;
		for (uint32_t r = 0; r < roles; r++)
			n->sum[r] += playouts * mean[r];
		struct way_up up = *way_up(k, at);
		if (at == t->root || up.node == NODE_NONE || steps > MAX_STEPS)
			return;
		n = &t->nodes.at[up.node];
		vec_reserve(&k->arms, roles);
		joint_arms(t, n, up.joint, k->arms.at);
		for (uint32_t r = 0; r < roles; r++) {
			struct arm *a = &n->arms[n->start[r] + k->arms.at[r]];
			a->visits += playouts;
			a->sum += playouts * mean[r];
		}
		node_bound(t, s, up.node);
		at = up.node;
	}
}

/* Line 22: plays from the problems [first, first + count) of k->legal and backs up; then they wait, by their upper
 * confidence bound (line 23). */
static void simulate(struct mac_search *k, struct seat *s, const uint32_t *ids, size_t count, const struct budget *b)
{
	struct tree *t = k->tree;
	uint32_t roles = t->g->roles, words = t->g->words;
	double *mean = NEW_ARRAY(double, roles), began = clock_thread();
	vec_reserve(&k->next, count * words + 1);
	for (size_t i = 0; i < count; i++)
		memcpy(k->next.at + i * words, t->nodes.at[ids[i]].state, words * sizeof *k->next.at);
	struct playout_job job = {.starts = k->next.at,
	                          .start_count = count,
	                          .playouts = count * (uint64_t)t->o.playouts,
	                          .limit = b->limit,
	                          .threads = (uint32_t)t->o.threads,
	                          .seed = rng_next(&s->rng),
	                          .max_steps = MAX_STEPS};
	struct playout_result r;
	game_playouts(t->g, &job, &r);
	s->count.playouts += r.playouts;
	s->count.playout_seconds += clock_thread() - began;
	for (size_t i = 0; i < count; i++) {
		if (!r.counts[i])
			continue;
		for (uint32_t q = 0; q < roles; q++)
			mean[q] = r.sum[i * roles + q] / (double)r.counts[i] / 100;
		back_up(k, s, ids[i], mean, (double)r.counts[i]);
	}
	double all = t->nodes.at[t->root].visits + 1;
	for (size_t i = 0; i < count; i++) {
		const struct node *n = &t->nodes.at[ids[i]];
		list_push(k, ids[i], mac_value(n, s->role) + sqrt(2 * log(all) / (n->visits + 1)));
	}
	playout_result_free(&r);
	mem_free(mean);
}

/* Lines 16 to 25: the solutions of a solved problem. */
static void add_solutions(struct mac_search *k, struct seat *s, uint32_t id, const struct budget *b)
{
	struct tree *t = k->tree;
	VEC(uint32_t) ids = {0};
	const struct node *n = &t->nodes.at[id];
	for (uint32_t i = 0; n->child && i < n->joint; i++) {
		uint32_t c = n->child[i];
		if (c == NODE_NONE)
			continue;
		struct way_up *up = way_up(k, c);
		if (up->node == NODE_NONE && c != t->root)
			*up = (struct way_up){id, i};
		if (waits(&t->nodes.at[c]))
			vec_push(&ids, c);
	}
	if (ids.n)
		simulate(k, s, ids.at, ids.n, b);
	for (uint32_t at = id; at != NODE_NONE; at = at == t->root ? NODE_NONE : way_up(k, at)->node)
		node_bound(t, s, at);
	vec_free(&ids);
}

/* All that waits below the root: problems solved before, in earlier moves, are not solved again. */
static void gather(struct mac_search *k)
{
	struct tree *t = k->tree;
	VEC(uint32_t) stack = {0};
	bool *seen = NEW_ARRAY(bool, t->nodes.n);
	vec_clear(&k->list);
	vec_clear(&k->up);
	vec_push(&stack, t->root);
	seen[t->root] = true;
	while (stack.n) {
		uint32_t id = stack.at[--stack.n];
		const struct node *n = &t->nodes.at[id];
		if (waits(n))
			list_push(k, id, mac_value(n, 0) + 1);
		for (uint32_t i = 0; n->child && i < n->joint; i++)
			if (n->child[i] != NODE_NONE && !seen[n->child[i]]) {
				seen[n->child[i]] = true;
				*way_up(k, n->child[i]) = (struct way_up){id, i};
				vec_push(&stack, n->child[i]);
			}
	}
	vec_free(&stack);
	mem_free(seen);
}

void mac_list_run(struct mac_search *k, struct seat *s, const struct budget *b)
{
	struct tree *t = k->tree;
	uint64_t before = s->count.playouts, rounds = 0;
	k->budget = b;
	k->began = limit_now(&b->limit);
	k->solving = 0;
	gather(k);
	while (!limit_reached(&b->limit) && tree_bytes(t) < (size_t)t->o.memory << 20 &&
	       !t->nodes.at[t->root].solved) { /* line 1 */
		if (b->playouts && (s->count.playouts - before >= b->playouts || ++rounds > b->playouts))
			break;
		uint32_t id = list_pop(k); /* line 2 */
		if (id == NODE_NONE)
			break;
		if (!waits(&t->nodes.at[id]))
			continue;
		mac_solve_round(k, s, id); /* lines 3 to 15 */
		add_solutions(k, s, id, b);
		if (t->nodes.at[t->root].start)
			seat_ready(s, mac_list_choose(k, s));
	}
	k->budget = NULL;
}

uint32_t mac_list_choose(struct mac_search *k, struct seat *s)
{
	const struct node *n = &k->tree->nodes.at[k->tree->root];
	uint32_t best = n->start[s->role];
	double top = -1;
	for (uint32_t i = n->start[s->role]; i < n->start[s->role + 1]; i++) {
		const struct arm *a = &n->arms[i];
		double x = a->visits > 0 ? a->sum / a->visits : 0;
		x = x < (double)a->low ? (double)a->low : x > (double)a->high ? (double)a->high : x;
		if (x > top) {
			top = x;
			best = i;
		}
	}
	return n->arms[best].move;
}

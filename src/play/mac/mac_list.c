/* The list of µSCSPs that wait to be solved, the most promising first: a heap.
 *
 * Algorithm 3 takes the head, solves it, plays from each of its solutions, and puts them into the list by the upper
 * confidence bound of what that brought; `search=list` is this and nothing else. The search by default goes down a tree
 * to what should be solved next, and takes nothing from the list but in the share `ahead` of the clock. */
#include "play/mac/mac_internal.h"

#include "base/check.h"

#include <math.h>
#include <string.h>

#define MAX_STEPS 5000    /* of a playout */
#define MOST_AT_ONCE 2048 /* problems that are played from together */

typedef VEC(uint32_t) id_list;

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

/* Of its first part only: it is looked at again and again. */
static void check_heap(const struct mac_search *k)
{
	for (size_t i = 1; i < k->list.n && i < 64; i++)
		assert(k->list.at[(i - 1) / 2].value >= k->list.at[i].value);
}

/* NODE_NONE: nothing waits. */
static uint32_t list_pop(struct mac_search *k)
{
	if (!k->list.n)
		return NODE_NONE;
	CHECK(check_heap(k));
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

void mac_list_solve_ahead(struct mac_search *k, struct seat *s)
{
	const struct budget *b = k->budget;
	if (!b || b->playouts || k->o.ahead <= 0 || !k->list.n || !mac_has_time(k, k->solving_ahead, k->o.ahead) ||
	    !mac_has_time(k, k->solving, k->o.solve))
		return;
	double start = mac_seconds(k), now = start;
	uint32_t id;
	while (k->solving_ahead + now - start < k->o.ahead * (now - k->began) &&
	       k->solving + now - start < k->o.solve * (now - k->began) && !limit_reached(&b->limit) &&
	       tree_bytes(k->tree) < (size_t)k->o.tree.memory << 20 && (id = list_pop(k)) != NODE_NONE) {
		if (id >= k->tree->nodes.n || !waits(&k->tree->nodes.at[id])) /* the tree may have begun anew */
			continue;
		mac_solve_round(k, s, id);
		now = mac_seconds(k);
	}
	mac_count_solving(k, s, start);
	k->solving_ahead += now - start;
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
static void back_up(struct mac_search *k, uint32_t id, const double *mean, double playouts)
{
	struct tree *t = k->tree;
	uint32_t roles = t->g->roles, steps = 0;
	assert(playouts > 0);
	for (uint32_t at = id;; steps++) {
		struct node *n = &t->nodes.at[at];
		n->visits += playouts;
		for (uint32_t r = 0; r < roles; r++)
			n->sum[r] += playouts * mean[r];
		struct way_up up = *way_up(k, at);
		if (at == t->root || up.node == NODE_NONE || steps > MAX_STEPS)
			return;
		n = &t->nodes.at[up.node];
		assert(up.node < t->nodes.n && up.joint < n->joint);
		vec_reserve(&k->arms, roles);
		joint_arms(t, n, up.joint, k->arms.at);
		for (uint32_t r = 0; r < roles; r++) {
			struct arm *a = &n->arms[n->start[r] + k->arms.at[r]];
			a->visits += playouts;
			a->sum += playouts * mean[r];
		}
		at = up.node;
	}
}

/* Line 22: plays from problems, and backs up what that brings. */
static void simulate(struct mac_search *k, struct seat *s, const uint32_t *ids, size_t count)
{
	assert(k->budget && count);
	struct tree *t = k->tree;
	uint32_t roles = t->g->roles, words = t->g->words;
	double *mean = NEW_ARRAY(double, roles), began = clock_thread();
	vec_reserve(&k->next, count * words + 1);
	for (size_t i = 0; i < count; i++)
		memcpy(k->next.at + i * words, t->nodes.at[ids[i]].state, words * sizeof *k->next.at);
	struct playout_job job = {.starts = k->next.at,
	                          .start_count = count,
	                          .playouts = count * (uint64_t)t->o.playouts,
	                          .limit = k->budget->limit,
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
		back_up(k, ids[i], mean, (double)r.counts[i]);
	}
	playout_result_free(&r);
	mem_free(mean);
}

/* Line 23: their places in the list are by upper confidence bounds. */
static void add_to_list(struct mac_search *k, const struct seat *s, const uint32_t *ids, size_t count)
{
	const struct tree *t = k->tree;
	double all = log(t->nodes.at[t->root].visits + 1);
	for (size_t i = 0; i < count; i++) {
		const struct node *n = &t->nodes.at[ids[i]];
		list_push(k, ids[i], mac_value(n, s->role) + sqrt(2 * all / (n->visits + 1)));
	}
}

/* Lines 16 to 21: the solutions of a solved problem are new problems. */
static void collect_solutions(struct mac_search *k, struct seat *s, uint32_t id, id_list *ids)
{
	struct tree *t = k->tree;
	const struct node *n = &t->nodes.at[id];
	for (uint32_t i = 0; n->child && i < n->joint; i++) {
		uint32_t c = n->child[i];
		struct way_up *up = c == NODE_NONE || c == t->root ? NULL : way_up(k, c);
		if (!up || up->node != NODE_NONE)
			continue; /* the root, or it waits already */
		*up = (struct way_up){id, i};
		if (waits(&t->nodes.at[c]))
			vec_push(ids, c);
	}
	for (uint32_t at = id; at != NODE_NONE && node_bound(t, s, at);)
		at = at == t->root ? NODE_NONE : way_up(k, at)->node;
}

/* All that waits below the root: problems solved before, in earlier moves, are not solved again. */
static void gather(struct mac_search *k, const struct seat *s)
{
	struct tree *t = k->tree;
	assert(t->root < t->nodes.n);
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
			list_push(k, id, mac_value(n, s->role) + sqrt(2 / (n->visits + 1)));
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

static bool is_over(const struct mac_search *k)
{
	const struct tree *t = k->tree;
	return limit_reached(&k->budget->limit) || tree_bytes(t) >= (size_t)t->o.memory << 20 ||
	       t->nodes.at[t->root].solved;
}

/* By the clock: has solving had its share of it? */
static bool had_share(const struct mac_search *k)
{
	return k->budget->playouts || k->solving >= k->o.solve * (limit_now(&k->budget->limit) - k->began);
}

/* One turn of the loop of Algorithm 3. By the clock, as many heads of the list are solved as solving has time for, then
 * their solutions are played from together, as often as is needed for the other share. False: nothing waits. */
static bool turn(struct mac_search *k, struct seat *s)
{
	struct tree *t = k->tree;
	id_list ids = {0};
	uint32_t id;
	do {
		while ((id = list_pop(k)) != NODE_NONE && !waits(&t->nodes.at[id])) /* line 2 */
			;
		if (id == NODE_NONE)
			break;
		double began = mac_seconds(k);
		mac_set_threshold(k);
		if (way_up(k, id)->node != NODE_NONE)
			mac_nogoods_look(k, s, way_up(k, id)->node);
		mac_solve_round(k, s, id); /* lines 3 to 15, and the symmetries of the round */
		collect_solutions(k, s, id, &ids);
		mac_count_solving(k, s, began);
	} while (!had_share(k) && ids.n < MOST_AT_ONCE && !is_over(k));
	bool any = ids.n || id != NODE_NONE;
	do {
		if (ids.n)
			simulate(k, s, ids.at, ids.n);
	} while (ids.n && !k->budget->playouts && had_share(k) && !is_over(k));
	add_to_list(k, s, ids.at, ids.n);
	vec_free(&ids);
	return any;
}

/* Nothing waits any more: every value is exact. A state that several ways lead to has told only one of them so far. */
static void settle(struct tree *t, struct seat *s)
{
	for (bool again = true; again && !t->nodes.at[t->root].solved;) {
		again = false;
		for (uint32_t id = (uint32_t)t->nodes.n; id-- > 0;)
			again |= t->nodes.at[id].start && node_bound(t, s, id);
	}
}

void mac_list_run(struct mac_search *k, struct seat *s, const struct budget *b)
{
	struct tree *t = k->tree;
	uint64_t before = s->count.playouts, turns = 0;
	k->budget = b;
	k->began = limit_now(&b->limit);
	k->solving = 0;
	gather(k, s);
	while (!is_over(k) && (!b->playouts || (s->count.playouts - before < b->playouts && turns++ < b->playouts)) &&
	       turn(k, s))
		if (t->nodes.at[t->root].start)
			seat_ready(s, mac_list_choose(k, s));
	if (!k->list.n)
		settle(t, s);
	k->budget = NULL;
}

uint32_t mac_list_choose(struct mac_search *k, struct seat *s)
{
	const struct node *n = &k->tree->nodes.at[k->tree->root];
	uint32_t best = n->start[s->role];
	assert(best < n->start[s->role + 1]);
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

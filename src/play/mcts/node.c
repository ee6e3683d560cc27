/* Nodes of the tree search: made once for each state, opened when first walked
 * into, with bounds that only ever narrow. */
#include "play/mcts/node.h"

#include "base/bits.h"

#include <assert.h>
#include <string.h>

void node_doubt(struct tree *t)
{
	t->stale |= t->opposed;
	t->opposed = false;
}

void node_settle(struct tree *t, struct seat *s, struct node *n, const int *goals)
{
	assert(s->role < s->game->roles);
	assert(n->mover < t->g->roles && n->movers <= t->g->roles);
	float sum = 0;
	n->terminal = n->solved = true;
	for (uint32_t r = 0; r < t->g->roles; r++) {
		n->low[r] = n->high[r] = goals[r] == GOAL_NONE ? 0 : (float)goals[r] / 100;
		sum += r == t->g->random ? 0 : n->low[r];
	}
	if (sum < 0.999f || sum > 1.001f)
		node_doubt(t);
	s->count.proven++;
}

/* TABLE_NONE: there is no such node. */
static uint32_t look_up(const struct tree *t, uint64_t hash, const uint64_t *state)
{
	uint32_t it = 0, id;
	for (table_start(&t->table, hash, &it); (id = table_next(&t->table, hash, &it)) != TABLE_NONE;)
		if (!memcmp(t->nodes.at[id].state, state, t->g->words * sizeof *state))
			return id;
	return TABLE_NONE;
}

uint32_t node_find_exact(struct tree *t, struct seat *s, const uint64_t *state, bool terminal, const int *goals)
{
	assert(s->role < s->game->roles);
	size_t bytes = t->g->words * sizeof *state, roles = t->g->roles;
	uint64_t hash = hash_mix(game_hash(t->g, state));
	uint32_t id = look_up(t, hash, state);
	if (id != TABLE_NONE) {
		s->count.hits++;
		return id;
	}
	id = (uint32_t)t->nodes.n;
	struct node n = {.state = arena_copy(&t->arena, state, bytes)};
	n.sum = arena_alloc(&t->arena, roles * (sizeof *n.sum + 2 * sizeof *n.low));
	n.low = (float *)(n.sum + roles);
	n.high = n.low + roles;
	for (size_t r = 0; r < roles; r++) {
		n.sum[r] = 0;
		n.low[r] = 0;
		n.high[r] = 1;
	}
	if (terminal)
		node_settle(t, s, &n, goals);
	vec_push(&t->nodes, n);
	table_add(&t->table, hash, id);
	s->count.nodes++;
	return id;
}

/* What is proved of the state that stands for this one, by the roles' places there. */
static void take_over(struct tree *t, struct node *n, const struct node *twin, const uint32_t *roles)
{
	assert(n->mover < t->g->roles && n->movers <= t->g->roles);
	for (uint32_t r = 0; r < t->g->roles; r++) {
		n->low[r] = twin->low[roles[r]];
		n->high[r] = twin->high[roles[r]];
	}
	n->solved = true;
	n->distance = twin->distance;
}

uint32_t node_stands(const struct tree *t, uint32_t id)
{
	while (t->nodes.at[id].same)
		id = t->nodes.at[id].same - 1;
	return id;
}

void node_share(struct tree *t, uint32_t id, uint32_t other)
{
	struct node *n = &t->nodes.at[id], *m = &t->nodes.at[other];
	for (uint32_t r = 0; r < t->g->roles; r++) {
		m->low[r] = n->low[r] > m->low[r] ? n->low[r] : m->low[r];
		m->high[r] = n->high[r] < m->high[r] ? n->high[r] : m->high[r];
	}
	if (n->solved && !m->solved) {
		m->solved = true;
		m->distance = n->distance;
	}
	n->same = other + 1;
}

uint32_t node_find(struct tree *t, struct seat *s, const uint64_t *state, bool terminal, const int *goals)
{
	assert(s->role < s->game->roles);
	if (!t->canonical || terminal)
		return node_stands(t, node_find_exact(t, s, state, terminal, goals));
	uint32_t words = t->g->words;
	vec_reserve(&t->canon, 2 * (size_t)words + 1);
	uint64_t *own = t->canon.at, *twin = own + words;
	const uint32_t *roles = t->canonical(t->canonical_context, state, own, twin);
	uint32_t id = node_stands(t, node_find_exact(t, s, own, false, goals));
	if (!roles || t->nodes.at[id].solved)
		return id;
	uint32_t other = look_up(t, hash_mix(game_hash(t->g, twin)), twin);
	if (other != TABLE_NONE && t->nodes.at[other].solved)
		take_over(t, &t->nodes.at[id], &t->nodes.at[other], roles);
	return id;
}

void node_moves(struct tree *t, uint32_t id, const uint32_t *legal, const uint32_t *start)
{
	assert(id < t->nodes.n);
	struct node *n = &t->nodes.at[id];
	uint32_t roles = t->g->roles;
	n->start = arena_copy(&t->arena, start, (roles + 1) * sizeof *start);
	n->arms = arena_alloc(&t->arena, start[roles] * sizeof *n->arms);
	memset(n->arms, 0, start[roles] * sizeof *n->arms);
	uint64_t joint = 1;
	for (uint32_t r = 0; r < roles; r++) {
		joint *= arm_count(n, r);
		joint = joint > UINT32_MAX ? UINT32_MAX : joint;
		if (r != t->g->random && arm_count(n, r) > 1) {
			n->movers++;
			n->mover = (uint16_t)r;
		}
	}
	for (uint32_t i = 0; i < start[roles]; i++) {
		n->arms[i].move = legal[i];
		n->arms[i].high = 1;
	}
	n->joint = (uint32_t)joint;
	if (joint <= 65536) {
		n->child = arena_alloc(&t->arena, joint * sizeof *n->child);
		memset(n->child, 0xff, joint * sizeof *n->child);
	}
}

void node_open(struct tree *t, struct seat *s, uint32_t id)
{
	assert(s->role < s->game->roles);
	assert(id < t->nodes.n);
	struct node *n = &t->nodes.at[id];
	uint32_t roles = t->g->roles;
	if (n->start || n->terminal)
		return;
	struct view v = game_look(s->worker, n->state);
	bool stuck = worker_trouble(s->worker);
	for (uint32_t r = 0; r < roles; r++)
		stuck |= v.start[r] == v.start[r + 1];
	if (v.terminal || stuck) {
		node_settle(t, s, n, v.goals);
		return;
	}
	node_moves(t, id, v.legal, v.start);
}

void node_open_row(struct tree *t, struct seat *s, uint32_t id, const uint64_t *row, const int *goals)
{
	assert(s->role < s->game->roles);
	assert(id < t->nodes.n);
	struct node *n = &t->nodes.at[id];
	const uint32_t *first = t->g->first_move;
	uint32_t roles = t->g->roles, *start = t->scratch.start;
	bool stuck = false;
	if (n->start || n->terminal)
		return;
	vec_clear(&t->moves);
	for (uint32_t r = 0; r < roles; r++) {
		start[r] = (uint32_t)t->moves.n;
		for (size_t m = bits_next(row, first[r + 1], first[r]); m < first[r + 1];
		     m = bits_next(row, first[r + 1], m + 1))
			vec_push(&t->moves, (uint32_t)m);
		stuck |= start[r] == t->moves.n;
	}
	start[roles] = (uint32_t)t->moves.n;
	if (stuck)
		node_settle(t, s, n, goals);
	else
		node_moves(t, id, t->moves.at, start);
}

/* Makes the children with the arm numbers in t->which; `next`: see node_children. */
static void make_children(struct tree *t, struct seat *s, uint32_t id, const uint64_t *next)
{
	assert(id < t->nodes.n);
	const struct node *n = &t->nodes.at[id];
	uint32_t roles = t->g->roles, words = t->g->words;
	size_t count = t->which.n / roles;
	vec_clear(&t->moves);
	vec_clear(&t->from);
	vec_reserve(&t->from, count * words);
	for (size_t i = 0; i < count; i++) {
		memcpy(t->from.at + i * words, n->state, words * sizeof *n->state);
		for (uint32_t r = 0; r < roles; r++)
			vec_push(&t->moves, n->arms[n->start[r] + t->which.at[i * roles + r]].move);
	}
	if (!next)
		vec_reserve(&t->next, count * words);
	vec_reserve(&t->terminal, count);
	vec_reserve(&t->goals, count * roles);
	game_expand(s->worker, &(struct expansion){.states = t->from.at,
	                                           .moves = t->moves.at,
	                                           .count = count,
	                                           .next = next ? NULL : t->next.at,
	                                           .terminal = t->terminal.at,
	                                           .goals = t->goals.at});
	for (size_t i = 0; i < count; i++) {
		uint32_t c =
			node_find(t, s, (next ? next : t->next.at) + i * words, t->terminal.at[i], t->goals.at + i * roles);
		n = &t->nodes.at[id];
		if (n->child)
			n->child[joint_index(t, n, t->which.at + i * roles)] = c;
		if (count == 1)
			t->which.at[0] = c; /* for node_child */
	}
}

/* The child of the mover's arm under a draw, nobody else having a choice. */
static uint32_t drawn_child(const struct tree *t, const struct node *n, uint32_t arm, uint32_t draw)
{
	assert(n->mover < t->g->roles && n->movers <= t->g->roles);
	uint32_t random = t->g->random, draws = random < t->g->roles ? arm_count(n, random) : 1;
	return n->child[n->mover < random ? arm * draws + draw : draw * arm_count(n, n->mover) + arm];
}

void node_twins(struct tree *t, uint32_t id)
{
	assert(id < t->nodes.n);
	struct node *n = &t->nodes.at[id];
	if (n->movers != 1 || !n->child)
		return;
	uint32_t count = arm_count(n, n->mover), draws = n->joint / count;
	struct arm *arms = n->arms + n->start[n->mover];
	for (uint32_t a = 0; a < count; a++) {
		/* the child remembers the last arm that led there; for any other node: it was no arm of this */
		struct node *c = &t->nodes.at[drawn_child(t, n, a, 0)];
		uint32_t other = c->met, draw = 0;
		while (other < a && draw < draws && drawn_child(t, n, other, draw) == drawn_child(t, n, a, draw))
			draw++;
		arms[a].twin = other < a && draw == draws;
		if (!arms[a].twin)
			c->met = a;
	}
}

void node_children(struct tree *t, struct seat *s, uint32_t id, const uint64_t *next)
{
	assert(s->role < s->game->roles);
	assert(id < t->nodes.n);
	const struct node *n = &t->nodes.at[id];
	vec_clear(&t->which);
	vec_extend(&t->which, (size_t)n->joint * t->g->roles);
	for (uint32_t i = 0; i < n->joint; i++)
		joint_arms(t, n, i, t->which.at + (size_t)i * t->g->roles);
	make_children(t, s, id, next);
	t->nodes.at[id].expanded = true;
	node_twins(t, id);
	node_bound(t, s, id);
}

void node_expand(struct tree *t, struct seat *s, uint32_t id)
{
	assert(s->role < s->game->roles);
	assert(id < t->nodes.n);
	const struct node *n = &t->nodes.at[id];
	if (!n->expanded && !n->terminal && n->joint <= NODE_EXPAND)
		node_children(t, s, id, NULL);
}

uint32_t node_child(struct tree *t, struct seat *s, uint32_t id, const uint32_t *arms)
{
	assert(s->role < s->game->roles);
	assert(id < t->nodes.n);
	const struct node *n = &t->nodes.at[id];
	if (n->child && n->child[joint_index(t, n, arms)] != NODE_NONE)
		return n->child[joint_index(t, n, arms)];
	vec_clear(&t->which);
	for (uint32_t r = 0; r < t->g->roles; r++)
		vec_push(&t->which, arms[r]);
	make_children(t, s, id, NULL);
	return t->which.at[0];
}

uint32_t node_sole_child(const struct tree *t, const struct node *n, uint32_t role, uint32_t arm)
{
	assert(role < t->g->roles);
	assert(n->mover < t->g->roles && n->movers <= t->g->roles);
	return n->child && n->joint == arm_count(n, role) ? n->child[arm] : NODE_NONE;
}

/* ---- bounds ------------------------------------------------------------------------- */

static float low_of(const struct tree *t, uint32_t c, uint32_t role)
{
	assert(role < t->g->roles);
	assert(c == NODE_NONE || c < t->nodes.n);
	return c == NODE_NONE ? 0 : t->nodes.at[c].low[role];
}

static float high_of(const struct tree *t, uint32_t c, uint32_t role)
{
	assert(role < t->g->roles);
	assert(c == NODE_NONE || c < t->nodes.n);
	return c == NODE_NONE ? 1 : t->nodes.at[c].high[role];
}

/* The mean of a bound over the moves of `random`, everybody else's being fixed. */
static float expected(const struct tree *t, const struct node *n, uint32_t *arms, uint32_t role,
                      float (*bound)(const struct tree *, uint32_t, uint32_t))
{
	assert(role < t->g->roles);
	assert(n->mover < t->g->roles && n->movers <= t->g->roles);
	uint32_t random = t->g->random;
	if (random == t->g->roles)
		return bound(t, n->child[joint_index(t, n, arms)], role);
	float sum = 0;
	uint32_t count = arm_count(n, random);
	for (arms[random] = 0; arms[random] < count; arms[random]++)
		sum += bound(t, n->child[joint_index(t, n, arms)], role);
	arms[random] = 0;
	return sum / (float)count;
}

/* One role chooses, or none: the others' scores lie between the extremes over the
 * moves that may still be its best. */
static void bound_single(struct tree *t, const struct node *n, float *low, float *high)
{
	assert(n->mover < t->g->roles && n->movers <= t->g->roles);
	uint32_t roles = t->g->roles, *arms = t->scratch.bound, r = n->mover, count = n->movers ? arm_count(n, r) : 1;
	memset(arms, 0, roles * sizeof *arms);
	low[r] = high[r] = 0;
	for (uint32_t a = 0; a < count; a++) {
		arms[r] = n->movers ? a : 0;
		float l = expected(t, n, arms, r, low_of), h = expected(t, n, arms, r, high_of);
		low[r] = l > low[r] ? l : low[r];
		high[r] = h > high[r] ? h : high[r];
		n->arms[n->start[r] + arms[r]].low = l;
		n->arms[n->start[r] + arms[r]].high = h;
	}
	for (uint32_t q = 0; q < roles; q++) {
		if (q == r)
			continue;
		if (t->opposed && n->movers && q != t->g->random) {
			low[q] = 1 - high[r];
			high[q] = 1 - low[r];
			continue;
		}
		low[q] = 1;
		high[q] = 0;
		for (uint32_t a = 0; a < count; a++) {
			arms[r] = n->movers ? a : 0;
			if (expected(t, n, arms, r, high_of) < low[r])
				continue;
			float l = expected(t, n, arms, q, low_of), h = expected(t, n, arms, q, high_of);
			low[q] = l < low[q] ? l : low[q];
			high[q] = h > high[q] ? h : high[q];
		}
	}
}

/* Several choose at once: what a role can force with one move of its own, and the
 * best that any joint move could bring. */
static void bound_joint(struct tree *t, const struct node *n, float *low, float *high)
{
	assert(n->mover < t->g->roles && n->movers <= t->g->roles);
	uint32_t roles = t->g->roles, *arms = t->scratch.bound;
	for (uint32_t q = 0; q < roles; q++) {
		vec_reserve(&t->scratch.worst, arm_count(n, q));
		float *worst = t->scratch.worst.at;
		for (uint32_t a = 0; a < arm_count(n, q); a++)
			worst[a] = 1;
		low[q] = high[q] = 0;
		for (uint32_t i = 0; i < n->joint; i++) {
			joint_arms(t, n, i, arms);
			if (t->g->random < roles && arms[t->g->random])
				continue; /* expected() runs over these */
			float l = expected(t, n, arms, q, low_of), h = expected(t, n, arms, q, high_of);
			worst[arms[q]] = l < worst[arms[q]] ? l : worst[arms[q]];
			high[q] = h > high[q] ? h : high[q];
		}
		for (uint32_t a = 0; a < arm_count(n, q); a++)
			low[q] = worst[a] > low[q] ? worst[a] : low[q];
	}
}

/* How far the end is on the way that proves what the mover has: the nearest way to
 * the best, to rank wins. */
static uint32_t distance(const struct tree *t, const struct node *n)
{
	assert(n->mover < t->g->roles && n->movers <= t->g->roles);
	uint32_t best = 0;
	for (uint32_t a = 0; n->movers == 1 && a < arm_count(n, n->mover); a++) {
		uint32_t c = node_sole_child(t, n, n->mover, a);
		if (c == NODE_NONE || t->nodes.at[c].low[n->mover] < n->low[n->mover])
			continue;
		uint32_t d = t->nodes.at[c].distance + 1;
		bool hopeless = n->high[n->mover] <= 0; /* then the longest way */
		if (!best || (hopeless ? d > best : d < best))
			best = d;
	}
	return best ? best : 1;
}

bool node_bound(struct tree *t, struct seat *s, uint32_t id)
{
	assert(s->role < s->game->roles);
	assert(id < t->nodes.n);
	struct node *n = &t->nodes.at[id];
	if (n->solved || !n->child || n->joint > 4096)
		return false;
	uint32_t roles = t->g->roles;
	float *low = t->scratch.low, *high = t->scratch.high;
	if (n->movers < 2)
		bound_single(t, n, low, high);
	else
		bound_joint(t, n, low, high);
	bool solved = true, changed = false;
	for (uint32_t r = 0; r < roles; r++) {
		if (r == t->g->random)
			continue; /* it wants nothing */
		changed |= low[r] > n->low[r] || high[r] < n->high[r];
		n->low[r] = low[r] > n->low[r] ? low[r] : n->low[r];
		n->high[r] = high[r] < n->high[r] ? high[r] : n->high[r];
		solved &= n->high[r] - n->low[r] < 1e-5f;
	}
	n->distance = distance(t, n);
	if (solved) {
		n->solved = true;
		s->count.proven++;
	}
	return changed || solved;
}

void node_pending(struct tree *t, const struct path_step *steps, uint32_t count, const uint32_t *chosen, float by)
{
	for (const struct path_step *p = steps; p < steps + count; p++) {
		struct node *n = &t->nodes.at[p->node];
		for (uint32_t r = 0; r < t->g->roles; r++)
			n->arms[n->start[r] + chosen[p->first_arm + r]].pending += by;
	}
}

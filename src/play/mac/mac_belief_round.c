/* Beliefs as nodes, found again by their content or by that of a symmetric belief, and the tables of their rounds. */
#include "play/mac/mac_belief_internal.h"

#include "base/bits.h"
#include "base/check.h"

#include <math.h>
#include <string.h>

#define NETWORK_STATES 16 /* of a belief whose rounds the network solves, one by one */
#define MOST_DECISIONS 4096
#define FEW 8           /* between roles, a round that is too large has so many times fewer rows than one may have */
#define GRAIN 1048576.0 /* weights are compared to one part of this */

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
	if (exact && x->symmetry)
		return key | 1; /* the node of a symmetric belief has other moves */
	for (size_t e = 1; x->symmetry && e < x->symmetry->scope[SYMMETRY_HOME]; e++) {
		uint64_t other = content(x, states, weight, count, x->symmetry->elements.at + e * x->symmetry->points);
		key = other < key ? other : key;
	}
	return key & ~UINT64_C(1);
}

static void check_weights(const double *weight, uint32_t count)
{
	double sum = 0;
	for (uint32_t i = 0; i < count; i++) {
		assert(weight[i] >= 0);
		sum += weight[i];
	}
	assert(fabs(sum - 1) < 1e-6);
}

uint32_t mac_belief_node(struct mac_belief *x, struct seat *s, const uint64_t *states, const double *weight,
                         uint32_t count, bool exact)
{
	CHECK(check_weights(weight, count));
	uint64_t key = key_of(x, states, weight, count, exact);
	uint32_t it, id, roles = x->g->roles;
	for (table_start(&x->table, key, &it); (id = table_next(&x->table, key, &it)) != TABLE_NONE;)
		if (x->keys.at[id] == key && x->nodes.at[id].size == count) {
			s->count.hits++;
			return id;
		}
	struct belief_node n = {.count = count, .size = count};
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

void mac_belief_open(struct mac_belief *x, struct seat *s, uint32_t id)
{
	struct belief_node *n = &x->nodes.at[id];
	const struct game *g = x->g;
	uint32_t row = game_legal_words(g), roles = g->roles;
	assert(!n->decisions && n->count);
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
		if (r == g->random) {
			for (uint32_t i = 0; i < n->count; i++) /* rules that leave chance without a move: not for this solver */
				x->secret |= bits_next(x->legal.at + (size_t)i * row, g->first_move[r + 1], g->first_move[r]) >=
				             g->first_move[r + 1];
			continue;
		}
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
	assert(joint && joint <= MOST_DECISIONS);
	n->joint = (uint32_t)joint;
	n->arms = room(x, x->moves.n * sizeof *n->arms);
	for (size_t i = 0; i < x->moves.n; i++)
		n->arms[i].move = x->moves.at[i];
	n->decisions = room(x, joint * sizeof *n->decisions);
}

/* ---- rounds ---------------------------------------------------------------------------------------------- */

void mac_belief_arms(const struct mac_belief *x, const struct belief_node *n, uint32_t joint, uint32_t *arms)
{
	assert(joint < n->joint);
	for (uint32_t r = x->g->roles; r-- > 0;) {
		uint32_t count = n->start[r + 1] - n->start[r];
		arms[r] = count ? joint % count : 0;
		joint /= count ? count : 1;
	}
	assert(!joint);
}

static void put_row(struct mac_belief *x, const struct belief_node *n, uint32_t state, uint32_t drawn, double p)
{
	const struct game *g = x->g;
	uint32_t words = g->words;
	vec_extend(&x->states, words);
	memcpy(x->states.at + x->states.n - words, n->states + (size_t)state * words, words * sizeof *n->states);
	for (uint32_t r = 0; r < g->roles; r++)
		vec_push(&x->moves, r == g->random ? drawn : n->arms[n->start[r] + x->arms.at[r]].move);
	vec_push(&x->p, p);
}

/* Rows of a round with so many pairs of a state and a draw. Between roles, walks are worth more than rare draws: large
 * rounds have few rows. */
static uint64_t count_rows(const struct mac_belief *x, uint32_t id, uint64_t pairs)
{
	uint64_t most = (uint64_t)x->o->beliefs, all = id == x->root ? most : most / 4;
	if (game_players(x->g) == 1)
		return pairs < most ? pairs : most;
	return pairs <= all ? pairs : most < FEW ? 1 : most / FEW;
}

/* The rows of the table: every state with every draw, and their probabilities; where that is too much, a part of them,
 * evenly by probability. */
static void list_pairs(struct mac_belief *x, struct seat *s, uint32_t id, uint32_t joint)
{
	const struct game *g = x->g;
	const struct belief_node *n = &x->nodes.at[id];
	uint32_t row = game_legal_words(g), roles = g->roles;
	uint32_t from = g->random < roles ? g->first_move[g->random] : 0,
			 to = g->random < roles ? g->first_move[g->random + 1] : 1;
	uint64_t pairs = 0;
	vec_reserve(&x->legal, (size_t)n->count * row + 1);
	if (g->random < roles)
		game_expand(s->worker, &(struct expansion){.states = n->states, .count = n->count, .legal = x->legal.at});
	vec_reserve(&x->arms, roles);
	mac_belief_arms(x, n, joint, x->arms.at);
	vec_clear(&x->states);
	vec_clear(&x->moves);
	vec_clear(&x->p);
	for (uint32_t i = 0; i < n->count; i++)
		for (uint32_t m = from; m < to; m++)
			pairs += g->random == roles || bits_has(x->legal.at + (size_t)i * row, m);
	double most = (double)count_rows(x, id, pairs), at = rng_unit(&s->rng) / most, sum = 0;
	bool part = most < (double)pairs;
	for (uint32_t i = 0; i < n->count; i++) {
		uint32_t draws = 0;
		for (uint32_t m = from; m < to; m++)
			draws += g->random == roles || bits_has(x->legal.at + (size_t)i * row, m);
		for (uint32_t m = from; m < to; m++) {
			if (g->random < roles && !bits_has(x->legal.at + (size_t)i * row, m))
				continue;
			double p = n->weight[i] / draws, taken = 0;
			for (sum += p; part && at < sum && at < 1; at += 1.0 / most)
				taken += 1.0 / most;
			if (!part || taken > 0)
				put_row(x, n, i, m, part ? taken : p);
		}
	}
	assert(x->p.n && x->p.n <= pairs);
}

void mac_belief_thin_out(struct mac_belief *x, struct seat *s, struct belief_node *n)
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
	assert(kept && kept <= n->count);
	n->count = kept;
}

/* What each role did and saw should tell it what the others did. Where all have the same interest it is assumed that
 * they know; between rivals that is a secret. */
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
			x->assumed |= x->ways.at[way].joint != joint;
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
	uint32_t id = mac_belief_node(x, s, states, weight, count, false);
	table_free(&index);
	mem_free(states);
	mem_free(weight);
	return id;
}

/* The content of a belief, but for fluents that count steps. */
static uint64_t lasting_content(struct mac_belief *x, const struct belief_node *n)
{
	uint32_t words = x->g->words;
	uint64_t h = n->count;
	vec_reserve(&x->image, words + 1);
	for (uint32_t i = 0; i < n->count; i++) {
		for (uint32_t w = 0; w < words; w++)
			x->image.at[w] = n->states[(size_t)i * words + w] & x->lasting.at[w];
		h += hash_mix(hash_join(game_hash(x->g, x->image.at), (uint64_t)(n->weight[i] * GRAIN + 0.5)));
	}
	return h;
}

/* Nothing was learnt and nothing has changed but the number of steps. */
static bool is_idle(struct mac_belief *x, uint32_t id, const struct outcome *out, uint32_t count)
{
	return x->lasting.n && count == 1 && out->node != BELIEF_NONE &&
	       x->nodes.at[out->node].count == x->nodes.at[id].count &&
	       lasting_content(x, &x->nodes.at[id]) == lasting_content(x, &x->nodes.at[out->node]);
}

bool mac_belief_rivals(const struct mac_belief *x, const int *goals)
{
	uint32_t who = someone(x->g);
	for (uint32_t r = 0; r < x->g->roles; r++)
		if (r != x->g->random && goals[r] != goals[who])
			return true;
	return false;
}

/* No role has more than one move in the state of a row. */
static bool nobody_chooses(const struct mac_belief *x, size_t row)
{
	const struct game *g = x->g;
	const uint64_t *legal = x->legal.at + row * game_legal_words(g);
	for (uint32_t r = 0; r < g->roles; r++) {
		size_t end = g->first_move[r + 1], first = bits_next(legal, end, g->first_move[r]);
		if (r != g->random && first < end && bits_next(legal, end, first + 1) < end)
			return false;
	}
	return true;
}

/* From the rows of a decision's table, with their successors and what is seen, to its outcomes. */
static void finish_decision(struct mac_belief *x, struct seat *s, uint32_t id, uint32_t joint)
{
	uint32_t roles = x->g->roles;
	size_t rows = x->p.n;
	for (size_t i = 0; i < rows && !x->assumed; i++)
		check_secrets(x, id, joint, x->moves.at + i * roles, x->seen.at + i * roles);
	uint32_t *class_of = mem_alloc(rows + 1, sizeof *class_of), count = classify(x, rows, class_of);
	struct outcome *out = room(x, count * sizeof *out);
	for (size_t i = 0; i < rows; i++)
		out[class_of[i]].p += x->p.at[i];
	for (uint32_t c = 0; c < count && !x->secret; c++) {
		out[c].node = BELIEF_NONE;
		if (!x->terminal.at[x->classes.at[c].first]) {
			out[c].node = gather_belief(x, s, rows, class_of, c, out[c].p);
			x->nodes.at[out[c].node].forced = nobody_chooses(x, x->classes.at[c].first);
			continue;
		}
		out[c].goals = room(x, roles * sizeof *out[c].goals);
		for (size_t i = 0; i < rows; i++)
			for (uint32_t r = 0; class_of[i] == c && r < roles; r++) {
				int goal = x->goals.at[i * roles + r];
				out[c].goals[r] += x->p.at[i] / out[c].p * (goal == GOAL_NONE ? 0 : goal) / 100.0;
			}
	}
	for (size_t i = 0; i < rows && !x->rivals; i++)
		x->rivals = x->terminal.at[i] && mac_belief_rivals(x, x->goals.at + i * roles);
	x->secret |= x->assumed && x->rivals;
	mem_free(class_of);
	x->nodes.at[id].decisions[joint] = (struct decision){
		.at = out, .count = count, .idle = is_idle(x, id, out, count), .last = room(x, roles * sizeof *out->goals)};
}

static void reserve_rows(struct mac_belief *x, size_t rows)
{
	vec_reserve(&x->next, rows * x->g->words + 1);
	vec_reserve(&x->legal, rows * game_legal_words(x->g) + 1);
	vec_reserve(&x->seen, rows * x->g->roles + 1);
	vec_reserve(&x->terminal, rows + 1);
	vec_reserve(&x->goals, rows * x->g->roles + 1);
}

/* By the circuit: one decision, all rows in one pass. */
static void solve_by_circuit(struct mac_belief *x, struct seat *s, uint32_t id, uint32_t joint)
{
	list_pairs(x, s, id, joint);
	reserve_rows(x, x->p.n);
	game_expand(s->worker, &(struct expansion){.states = x->states.at,
	                                           .moves = x->moves.at,
	                                           .count = x->p.n,
	                                           .next = x->next.at,
	                                           .terminal = x->terminal.at,
	                                           .goals = x->goals.at,
	                                           .legal = x->legal.at,
	                                           .seen = x->seen.at});
	finish_decision(x, s, id, joint);
	s->count.by_circuit++;
}

/* The number of the joint decision that a solution makes. */
static uint32_t decision_of(const struct mac_belief *x, const struct belief_node *n, const uint32_t *moves)
{
	uint32_t joint = 0;
	for (uint32_t r = 0; r < x->g->roles; r++) {
		uint32_t count = n->start[r + 1] - n->start[r], a = 0;
		while (a < count && n->arms[n->start[r] + a].move != moves[r])
			a++;
		joint = count ? joint * count + a : joint;
	}
	return joint;
}

/* The solutions of the rounds of all states, with the decision of each and the draws that go with it. */
struct solutions {
	VEC(uint32_t) decision, moves, draws;
	VEC(uint64_t) next, seen;
	VEC(double) p;
};

static void free_solutions(struct solutions *o)
{
	vec_free(&o->decision);
	vec_free(&o->moves);
	vec_free(&o->draws);
	vec_free(&o->next);
	vec_free(&o->seen);
	vec_free(&o->p);
}

/* False: the network has no answer for this state. */
static bool solve_state(struct mac_belief *x, const struct belief_node *n, uint32_t state, struct solutions *o)
{
	uint32_t roles = x->g->roles, words = x->g->words;
	struct model_round *r = &x->round;
	if (!model_solve(x->model, x->method, n->states + (size_t)state * words, r) || r->terminal ||
	    r->seen.n != r->count * roles)
		return false;
	size_t first = o->decision.n;
	vec_clear(&o->draws);
	for (uint32_t j = 0; j < n->joint; j++)
		vec_push(&o->draws, 0);
	for (size_t i = 0; i < r->count; i++) {
		uint32_t joint = decision_of(x, n, r->moves.at + i * roles);
		if (joint >= n->joint)
			return false;
		o->draws.at[joint]++;
		vec_push(&o->decision, joint);
		vec_push(&o->p, n->weight[state]);
		for (uint32_t q = 0; q < roles; q++) {
			vec_push(&o->moves, r->moves.at[i * roles + q]);
			vec_push(&o->seen, r->seen.at[i * roles + q]);
		}
		for (uint32_t w = 0; w < words; w++)
			vec_push(&o->next, r->next.at[i * words + w]);
	}
	for (size_t i = first; i < o->decision.n; i++)
		o->p.at[i] /= o->draws.at[o->decision.at[i]];
	return true;
}

static void take_rows(struct mac_belief *x, const struct solutions *o, uint32_t joint)
{
	uint32_t roles = x->g->roles, words = x->g->words;
	assert(o->p.n == o->decision.n && o->moves.n == o->decision.n * roles && o->next.n == o->decision.n * words);
	vec_clear(&x->p);
	vec_clear(&x->moves);
	reserve_rows(x, o->decision.n);
	for (size_t i = 0; i < o->decision.n; i++) {
		if (o->decision.at[i] != joint)
			continue;
		memcpy(x->next.at + x->p.n * words, o->next.at + i * words, words * sizeof *x->next.at);
		memcpy(x->seen.at + x->p.n * roles, o->seen.at + i * roles, roles * sizeof *x->seen.at);
		for (uint32_t q = 0; q < roles; q++)
			vec_push(&x->moves, o->moves.at[i * roles + q]);
		vec_push(&x->p, o->p.at[i]);
	}
}

/* By the network: all decisions of the round, by the solutions of each state. */
static bool solve_by_network(struct mac_belief *x, struct seat *s, uint32_t id)
{
	struct solutions o = {0};
	bool ok = true;
	uint32_t states = x->nodes.at[id].count, joint = x->nodes.at[id].joint;
	for (uint32_t i = 0; i < states && ok; i++)
		ok = solve_state(x, &x->nodes.at[id], i, &o);
	for (uint32_t j = 0; j < joint && ok && !x->secret; j++) {
		take_rows(x, &o, j);
		game_expand(s->worker, &(struct expansion){.states = x->next.at,
		                                           .count = x->p.n,
		                                           .terminal = x->terminal.at,
		                                           .goals = x->goals.at,
		                                           .legal = x->legal.at});
		finish_decision(x, s, id, j);
	}
	s->count.by_network += ok ? states : 0;
	free_solutions(&o);
	return ok;
}

void mac_belief_solve(struct mac_belief *x, struct seat *s, uint32_t id, uint32_t joint)
{
	double began = clock_thread();
	mac_belief_thin_out(x, s, &x->nodes.at[id]);
	if (!x->model || x->nodes.at[id].count > NETWORK_STATES || !solve_by_network(x, s, id))
		solve_by_circuit(x, s, id, joint);
	assert(x->secret || x->nodes.at[id].decisions[joint].at);
	s->count.rounds++;
	s->count.solve_seconds += clock_thread() - began;
}

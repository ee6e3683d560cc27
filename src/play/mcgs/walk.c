/* Down the graph: an arm for every role at each node, until something new is met; then all that is
 * new in one pass of the circuit. */
#include "base/vectors.h"
#include "play/mcgs/mcgs_internal.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define MAX_DEPTH 2000

/* ---- choosing an arm ---------------------------------------------------------------------------- */

/* Where the score is highest, beginning anywhere, so that ties are broken evenly. */
static uint32_t highest(struct walker *w, const float *score, uint32_t count)
{
	uint32_t from = rng_below(&w->rng, count), best = from;
	for (uint32_t i = from + 1; i < count; i++)
		best = score[i] > score[best] ? i : best;
	for (uint32_t i = 0; i < from; i++)
		best = score[i] > score[best] ? i : best;
	return best;
}

/* All arms are shut but the node is not solved, since other roles' scores are open: the best that is proved. */
static uint32_t choose_proved(struct mcgs *t, const struct vertex *n, const struct arms *a, uint32_t role)
{
	assert(role < t->roles);
	assert(n->mover < t->roles && n->movers <= t->roles);
	assert(a->start[t->roles]);
	uint32_t best = 0;
	float most = -1;
	for (uint32_t i = 0; i < arm_count(a, role); i++) {
		uint32_t c = vertex_sole_child(a, role, i);
		float low = c == NONE ? 0 : get(&vertex_low(t, vertex_at(t, c))[role]);
		if (low > most && (c == NONE || !(vertex_flags(vertex_at(t, c)) & VERTEX_SOLVED) || most < 0)) {
			most = low;
			best = i;
		}
	}
	return best;
}

/* Means mixed with the statistics of the same move later in playouts (Gelly and Silver 2011; the ancestor's where
 * the node is young: Cazenave 2015). */
static void mix_amaf(const struct mcgs *t, const struct arms *a, uint32_t first, uint32_t count,
                     const struct amaf *amaf, float *score)
{
	assert(a->start[t->roles]);
	float bias = (float)t->o.bias;
	for (uint32_t i = 0; i < count; i++) {
		const struct amaf *m = &amaf[a->move[first + i]];
		float k = get(&m->visits);
		if (k <= 0)
			continue;
		float n = (float)(atomic_load_explicit(&a->visits[first + i], RELAXED) +
		                  atomic_load_explicit(&a->pending[first + i], RELAXED));
		float beta = k / (k + n + bias * k * n);
		score[i] += beta * (get(&m->mean) - score[i]);
	}
}

/* New arms begin with what the move has been worth over all playouts. */
static void mix_prior(const struct mcgs *t, const struct walker *w, const struct arms *a, uint32_t first,
                      uint32_t count, float parent, float *score)
{
	assert(a->start[t->roles]);
	float weight = (float)t->o.prior;
	for (uint32_t i = 0; i < count; i++) {
		float n = (float)atomic_load_explicit(&a->visits[first + i], RELAXED);
		score[i] += weight / (weight + n) * (parent + w->prior[a->move[first + i]] - score[i]);
	}
}

/* What selection reads of the arms of a role. Other threads change these numbers meanwhile; they are read without
 * atomics, so that the compiler can use vectors: any mixture of old and new ones will do. */
struct arm_columns {
	const uint32_t *visits;
	const uint16_t *pending;
	const float *mean;
	uint32_t count;
};

#if defined(__clang__)
#define VECTORS __attribute__((no_sanitize("thread")))
#else
#define VECTORS VECTOR_CLONES __attribute__((optimize("O3"), no_sanitize("thread")))
#endif

/* Means, walks under way counted partly as losses; new arms begin with the value of the node. */
VECTORS static void estimate_arms(const struct arm_columns *a, float parent, float lost, float *restrict score)
{
	const uint32_t *visits = a->visits;
	const uint16_t *pending = a->pending;
	const float *mean = a->mean;
	for (uint32_t i = 0; i < a->count; i++) {
		float v = (float)(int32_t)visits[i], p = (float)(int32_t)pending[i];
		score[i] = (mean[i] < 0 ? parent : mean[i]) * (v + 1) / (v + 1 + lost * p);
	}
}

/* Arms that are shut are never chosen. */
VECTORS static void add_exploration(const struct arm_columns *a, float width, float *restrict score)
{
	const uint32_t *visits = a->visits;
	const uint16_t *pending = a->pending;
	const float *mean = a->mean;
	for (uint32_t i = 0; i < a->count; i++) {
		uint32_t n = visits[i] + pending[i];
		float x = score[i] + width / sqrtf(n ? (float)(int32_t)n : 0.5f);
		score[i] = mean[i] <= ARM_SHUT ? ARM_SHUT : x;
	}
}

#define GROWTH_FROM 1000 /* visits with which both kinds of growth are equal */

/* UCB1 has the root of the logarithm; a power of the visits is what a tree of bandits needs, whose values drift (Shah,
 * Xie and Xu 2020). */
static float exploration_growth(const struct mcgs *t, float visits)
{
	float power = (float)t->o.tune.growth, x = visits / GROWTH_FROM;
	if (power <= 0)
		return sqrtf(logf(visits));
	return sqrtf(logf(GROWTH_FROM)) * (power == 0.25f ? sqrtf(sqrtf(x)) : powf(x, power)); /* roots are exact */
}

/* An upper confidence bound, as UCB1 (Auer, Cesa-Bianchi and Fischer 2002) but for the growth of exploration, which is
 * in units of the spread of values. */
static uint32_t choose_ucb(struct mcgs *t, struct walker *w, const struct vertex *n, const struct arms *a,
                           const struct amaf *amaf, uint32_t role)
{
	assert(role < t->roles);
	assert(n->mover < t->roles && n->movers <= t->roles);
	assert(a->start[t->roles]);
	uint32_t first = a->start[role], count = arm_count(a, role);
	struct arm_columns columns = {unconst(a->visits + first), unconst(a->pending + first), unconst(a->mean + first),
	                              count};
	vec_reserve(&w->score, count);
	float *score = w->score.at, parent = get(&vertex_value(t, n)[role]), c = (float)t->o.c * get(&t->spread);
	float width = c * exploration_growth(t, (float)atomic_load_explicit(&n->visits, RELAXED) + 2);
	estimate_arms(&columns, parent, 1 - (float)t->o.mild, score);
	if (t->o.prior > 0 && w->prior)
		mix_prior(t, w, a, first, count, parent, score);
	if (amaf)
		mix_amaf(t, a, first, count, amaf, score);
	add_exploration(&columns, width, score);
	uint32_t best = highest(w, score, count);
	return score[best] <= ARM_SHUT ? choose_proved(t, n, a, role) : best;
}

/* Regret matching (Hart and Mas-Colell 2000) with some exploration. */
static uint32_t choose_regret(struct walker *w, const struct arms *a, uint32_t role)
{
	uint32_t first = a->start[role], count = arm_count(a, role), chosen = count - 1;
	double total = 0, gamma = 0.1;
	for (uint32_t i = first; i < first + count; i++)
		total += get(&a->regret[i]) > 0 ? (double)get(&a->regret[i]) : 0;
	double at = rng_unit(&w->rng);
	bool found = false;
	for (uint32_t i = 0; i < count; i++) {
		double regret = (double)get(&a->regret[first + i]),
			   p = total > 0 ? (regret > 0 ? regret / total : 0) : 1.0 / count;
		put(&a->policy[first + i], get(&a->policy[first + i]) + (float)p);
		at -= (1 - gamma) * p + gamma / count;
		if (at < 0 && !found) {
			chosen = i;
			found = true;
		}
	}
	return chosen;
}

/* Draws evenly, the least drawn first: every draw has its share soon. */
static uint32_t choose_draw(struct walker *w, const struct arms *a, uint32_t role)
{
	uint32_t first = a->start[role], count = arm_count(a, role), from = rng_below(&w->rng, count), best = from;
	uint32_t least = UINT32_MAX;
	for (uint32_t k = 0, i = from; k < count; k++, i = i + 1 == count ? 0 : i + 1) {
		uint32_t n = atomic_load_explicit(&a->visits[first + i], RELAXED) +
		             atomic_load_explicit(&a->pending[first + i], RELAXED);
		if (n < least) {
			least = n;
			best = i;
		}
	}
	return best;
}

static uint32_t choose_arm(struct mcgs *t, struct walker *w, const struct vertex *n, const struct arms *a,
                           const struct amaf *amaf, uint32_t role)
{
	assert(role < t->roles);
	assert(n->mover < t->roles && n->movers <= t->roles);
	assert(a->start[t->roles]);
	if (arm_count(a, role) == 1)
		return 0;
	if (role == t->g->random) /* beside players a draw must not depend on what they do */
		return n->movers ? rng_below(&w->rng, arm_count(a, role)) : choose_draw(w, a, role);
	if (t->o.mixed == MIXED_TREE && n->movers > 1)
		return choose_regret(w, a, role);
	return choose_ucb(t, w, n, a, amaf, role);
}

/* ---- flights ----------------------------------------------------------------------------------- */

uint32_t flight_new(struct walker *w)
{
	if (!w->idle.n) {
		struct flight none = {0};
		vec_push(&w->idle, (uint32_t)w->flights.n);
		vec_push(&w->flights, none);
	}
	uint32_t i = vec_pop(&w->idle);
	struct flight *f = &w->flights.at[i];
	vec_clear(&f->steps);
	vec_clear(&f->chosen);
	f->leaf = NONE;
	f->open = f->stale = false;
	return i;
}

void flight_end(struct walker *w, uint32_t flight)
{
	assert(flight < w->flights.n);
	vec_push(&w->idle, flight);
}

void flight_pending(struct mcgs *t, const struct flight *f, int by)
{
	struct arms a;
	for (size_t i = 0; i < f->steps.n; i++) {
		const struct path_step *p = &f->steps.at[i];
		const struct vertex *n = vertex_at(t, p->node);
		vertex_arms(t, n, &a);
		if (is_single(n, &a)) {
			atomic_fetch_add_explicit(&a.pending[a.start[vertex_mover(n)] + p->arm], (uint16_t)by, RELAXED);
			continue;
		}
		for (uint32_t r = 0; r < t->roles; r++)
			atomic_fetch_add_explicit(&a.pending[a.start[r] + f->chosen.at[p->arm + r]], (uint16_t)by, RELAXED);
	}
}

/* ---- walking ----------------------------------------------------------------------------------- */

/* Chooses for every role and notes it; returns the index of the child. */
static uint32_t take_step(struct mcgs *t, struct walker *w, struct flight *f, uint32_t id, const struct arms *a,
                          const struct amaf *amaf)
{
	assert(a->start[t->roles]);
	const struct vertex *n = vertex_at(t, id);
	struct path_step step = {id, 0};
	uint32_t index;
	if (is_single(n, a)) {
		step.arm = index = choose_arm(t, w, n, a, amaf, n->mover);
		atomic_fetch_add_explicit(&a->pending[a->start[vertex_mover(n)] + index], 1, RELAXED);
	} else {
		step.arm = (uint32_t)f->chosen.n;
		for (uint32_t r = 0; r < t->roles; r++) {
			uint32_t arm = choose_arm(t, w, n, a, amaf, r);
			vec_push(&f->chosen, arm);
			atomic_fetch_add_explicit(&a->pending[a->start[r] + arm], 1, RELAXED);
		}
		index = joint_index(t, a, f->chosen.at + step.arm);
	}
	vec_push(&f->steps, step);
	return index;
}

/* Where the children show no ends and no twins, a node has more visits before they are made. */
static int64_t expand_at(const struct mcgs *t, const struct walker *w)
{
	bool useful = t->evaluation || w->expanded_useful >= t->o.tune.expand_useful * w->expanded;
	return useful || t->o.expand > t->o.tune.expand_late ? t->o.expand : t->o.tune.expand_late;
}

static void want_children(struct mcgs *t, struct walker *w, struct flight *f, uint32_t id, const struct arms *a)
{
	assert(a->start[t->roles]);
	struct vertex *n = vertex_at(t, id);
	if (a->joint > t->o.tune.expand_most || !a->joint || t->narrow || vertex_flags(n) & VERTEX_EXPANDED ||
	    atomic_load_explicit(&n->visits, RELAXED) < expand_at(t, w))
		return;
	if (atomic_fetch_or_explicit(&n->flags, VERTEX_EXPANDED, RELAXED) & VERTEX_EXPANDED)
		return;
	vec_push(&w->wanted, id);
	f->stale = true;
}

/* Claims the child for this flight; false: it is there, or another has claimed it. */
static bool claim_child(const struct arms *a, uint32_t index, uint32_t *child)
{
	*child = atomic_load_explicit(&a->child[index], memory_order_acquire);
	if (*child != NONE)
		return false;
	return atomic_compare_exchange_strong_explicit(&a->child[index], child, CLAIMED, memory_order_acq_rel,
	                                               memory_order_acquire);
}

enum arrival { GO_ON, LEAF, COLLISION };

/* What is to be done at a node. */
static enum arrival arrive(struct mcgs *t, struct flight *f, uint32_t id)
{
	struct vertex *n = vertex_at(t, id);
	f->leaf = id;
	if (vertex_flags(n) & VERTEX_SOLVED) {
		f->stale = true;
		return LEAF;
	}
	if (atomic_load_explicit(&n->arms, memory_order_acquire) == NONE) {
		if (atomic_fetch_or_explicit(&n->flags, VERTEX_CLAIMED, RELAXED) & VERTEX_CLAIMED)
			return COLLISION;
		f->open = true;
		return LEAF;
	}
	if (id != t->root && !atomic_load_explicit(&n->visits, RELAXED) &&
	    !(atomic_fetch_or_explicit(&n->flags, VERTEX_IN_FLIGHT, RELAXED) & VERTEX_IN_FLIGHT))
		return LEAF;
	return f->steps.n < MAX_DEPTH ? GO_ON : COLLISION;
}

bool walk_down(struct mcgs *t, struct walker *w, uint32_t flight)
{
	assert(flight < w->flights.n);
	struct flight *f = &w->flights.at[flight];
	const struct amaf *amaf = NULL;
	uint32_t id = t->root;
	struct arms a;
	for (;;) {
		enum arrival at = arrive(t, f, id);
		if (at == COLLISION)
			break;
		if (at == LEAF)
			return f->steps.n > 0;
		const struct vertex *n = vertex_at(t, id);
		vertex_arms(t, n, &a);
		want_children(t, w, f, id, &a);
		uint32_t table = atomic_load_explicit(&n->amaf, memory_order_acquire);
		if (t->amaf && table != NONE)
			amaf = block_at(t, table);
		uint32_t index = take_step(t, w, f, id, &a, amaf), child;
		f->index = index;
		if (!a.joint || (t->narrow && a.child[index] == NONE) || claim_child(&a, index, &child)) {
			f->leaf = NONE;
			return true;
		}
		if (child == CLAIMED)
			break;
		id = child;
	}
	flight_pending(t, f, -1);
	w->times.collisions++;
	return false;
}

/* ---- all that is new --------------------------------------------------------------------------- */

static void chosen_arms(const struct mcgs *t, const struct vertex *n, const struct arms *a, const struct flight *f,
                        const struct path_step *p, uint32_t *chosen)
{
	assert(n->mover < t->roles && n->movers <= t->roles);
	assert(a->start[t->roles]);
	if (is_single(n, a)) {
		memset(chosen, 0, t->roles * sizeof *chosen);
		chosen[vertex_mover(n)] = p->arm;
	} else {
		memcpy(chosen, f->chosen.at + p->arm, t->roles * sizeof *chosen);
	}
}

static void add_pair(struct mcgs *t, struct walker *w, const struct vertex *n, const struct arms *a,
                     const uint32_t *chosen)
{
	assert(n->mover < t->roles && n->movers <= t->roles);
	assert(a->start[t->roles]);
	vec_extend(&w->from, t->words);
	memcpy(w->from.at + w->from.n - t->words, n->state, t->words * sizeof *n->state);
	for (uint32_t r = 0; r < t->roles; r++)
		vec_push(&w->moves, a->move[a->start[r] + chosen[r]]);
}

/* The leaves of the flights first, then the other children that are wanted. */
static void gather_wishes(struct mcgs *t, struct walker *w)
{
	struct arms a;
	vec_clear(&w->wishes);
	vec_clear(&w->from);
	vec_clear(&w->moves);
	for (size_t i = 0; i < w->made.n; i++) {
		const struct flight *f = &w->flights.at[w->made.at[i]];
		if (f->leaf != NONE)
			continue;
		const struct path_step *p = &f->steps.at[f->steps.n - 1];
		const struct vertex *n = vertex_at(t, p->node);
		struct wish wish = {p->node, f->index, w->made.at[i]};
		vertex_arms(t, n, &a);
		chosen_arms(t, n, &a, f, p, w->joint);
		add_pair(t, w, n, &a, w->joint);
		vec_push(&w->wishes, wish);
	}
	for (size_t i = 0; i < w->wanted.n; i++) {
		const struct vertex *n = vertex_at(t, w->wanted.at[i]);
		uint32_t child;
		vertex_arms(t, n, &a);
		for (uint32_t k = 0; k < a.joint; k++) {
			if (!claim_child(&a, k, &child))
				continue;
			struct wish wish = {w->wanted.at[i], k, NONE32};
			joint_arms(t, &a, k, w->joint);
			add_pair(t, w, n, &a, w->joint);
			vec_push(&w->wishes, wish);
		}
	}
}

static void reserve_answers(struct mcgs *t, struct walker *w, size_t count)
{
	vec_reserve(&w->next, count * t->words);
	vec_reserve(&w->legal, count * game_legal_words(t->g));
	vec_reserve(&w->terminal, count);
	vec_reserve(&w->goals, count * t->roles);
}

/* An arm that was not tried yet begins with the evaluation of its child. */
static void judge_arm(struct mcgs *t, struct walker *w, const struct vertex *n, const struct arms *a, uint32_t arm,
                      uint32_t child)
{
	assert(n->mover < t->roles && n->movers <= t->roles);
	assert(a->start[t->roles]);
	assert(arm < a->start[t->roles]);
	struct vertex *c = vertex_at(t, child);
	_Atomic float *mean = &a->mean[a->start[vertex_mover(n)] + arm];
	if (c->visits || vertex_flags(c) & VERTEX_SOLVED || get(mean) > ARM_NEW)
		return;
	vec_reserve(&w->verdict, t->roles);
	vertex_judge(t, c->state, w->verdict.at);
	put(mean, w->verdict.at[vertex_mover(n)]);
	for (uint32_t r = 0; r < t->roles; r++)
		put(&vertex_value(t, c)[r], w->verdict.at[r]);
}

/* The i-th successor of the pass. Leaves are opened at once, the circuit's by what it has shown already. */
static void take_wish(struct mcgs *t, struct walker *w, const struct wish *wish, size_t i)
{
	struct arms a;
	const struct vertex *n = vertex_at(t, wish->node);
	const int *goals = w->goals.at + i * t->roles;
	bool circuit = t->g->engine == ENGINE_CIRCUIT;
	uint32_t c = vertex_find(t, w, w->next.at + i * t->words, w->terminal.at[i], goals, n);
	vertex_arms(t, n, &a);
	if (c != NONE && wish->flight != NONE32 && circuit)
		vertex_open(t, w, c, w->legal.at + i * game_legal_words(t->g));
	if (a.joint)
		atomic_store_explicit(&a.child[wish->index], c, memory_order_release);
	if (t->evaluation && c != NONE && wish->flight == NONE32 && is_single(n, &a) && n->movers == 1)
		judge_arm(t, w, n, &a, wish->index, c);
	if (wish->flight == NONE32)
		return;
	struct flight *f = &w->flights.at[wish->flight];
	f->leaf = c;
	f->row = (uint32_t)i;
	f->open = c != NONE && !circuit && vertex_at(t, c)->arms == NONE;
}

#define EXPANSIONS_KEPT 1024

/* Was it worth making all children of the node? */
static void note_expansion(const struct mcgs *t, struct walker *w, const struct vertex *n, bool twins)
{
	struct arms a;
	bool solved = false;
	vertex_arms(t, n, &a);
	for (uint32_t i = 0; i < a.joint && !solved; i++) {
		uint32_t c = atomic_load_explicit(&a.child[i], memory_order_acquire);
		solved = c != NONE && c != CLAIMED && vertex_flags(vertex_at(t, c)) & VERTEX_SOLVED;
	}
	w->expanded++;
	w->expanded_useful += twins || solved;
	assert(w->expanded_useful <= w->expanded);
	if (w->expanded > EXPANSIONS_KEPT) {
		w->expanded /= 2;
		w->expanded_useful /= 2;
	}
}

static void make_wishes(struct mcgs *t, struct walker *w)
{
	size_t count = w->wishes.n;
	if (!count)
		return;
	reserve_answers(t, w, count);
	game_expand(w->worker, &(struct expansion){.states = w->from.at,
	                                           .moves = w->moves.at,
	                                           .count = count,
	                                           .next = w->next.at,
	                                           .terminal = w->terminal.at,
	                                           .goals = w->goals.at,
	                                           .goals_of_ends = true,
	                                           .legal = t->g->engine == ENGINE_CIRCUIT ? w->legal.at : NULL});
	for (size_t i = 0; i < count; i++)
		take_wish(t, w, &w->wishes.at[i], i);
	for (size_t i = 0; i < w->wanted.n; i++) {
		struct vertex *n = vertex_at(t, w->wanted.at[i]);
		bool twins = vertex_twins(t, n);
		note_expansion(t, w, n, twins);
		vertex_bound(t, w, n);
	}
}

/* Nodes that were made as somebody's children and are now walked into. */
static void open_closed(struct mcgs *t, struct walker *w)
{
	vec_clear(&w->from);
	vec_clear(&w->arms);
	for (size_t i = 0; i < w->made.n; i++) {
		const struct flight *f = &w->flights.at[w->made.at[i]];
		if (!f->open)
			continue;
		if (t->g->engine != ENGINE_CIRCUIT) {
			vertex_open(t, w, f->leaf, NULL);
			continue;
		}
		vec_push(&w->arms, f->leaf);
		vec_extend(&w->from, t->words);
		memcpy(w->from.at + w->from.n - t->words, vertex_at(t, f->leaf)->state, t->words * sizeof *w->from.at);
	}
	size_t count = w->arms.n;
	if (!count)
		return;
	reserve_answers(t, w, count);
	game_expand(w->worker, &(struct expansion){.states = w->from.at, .count = count, .legal = w->legal.at});
	for (size_t i = 0; i < count; i++)
		vertex_open(t, w, w->arms.at[i], w->legal.at + i * game_legal_words(t->g));
}

void walk_open(struct mcgs *t, struct walker *w)
{
	gather_wishes(t, w);
	make_wishes(t, w);
	open_closed(t, w);
	for (size_t i = 0; i < w->made.n; i++) {
		const struct flight *f = &w->flights.at[w->made.at[i]];
		if (f->open && f->leaf != NONE)
			atomic_fetch_and_explicit(&vertex_at(t, f->leaf)->flags, (uint8_t)~VERTEX_CLAIMED, RELAXED);
	}
}

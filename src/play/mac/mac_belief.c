/* The search over common beliefs: bandits over decisions, expected utilities, exact values. */
#include "play/mac/mac_belief_internal.h"

#include "analysis/fragment.h"
#include "analysis/step_counter.h"
#include "base/bits.h"
#include "ground/ground.h"
#include "play/hidden/clairvoyant_bound.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define MAX_DEPTH 512
#define MAX_STEPS 5000 /* of a playout */
#define FIRST 8        /* walks alone at first; after as many more, one more is under way at a time */
#define MANY 9         /* arms of a role for which moves of playouts are counted */
#define PRIOR 4        /* visits that these are worth */
#define ROOT 4         /* between roles, a root that is too large has so many times fewer states than it may have */
#define TOGETHER 32    /* walks that are under way together, at most */
#define LANES 512      /* of the widest pass: by the clock, at least as many playouts at a time */
#define WAIT 0.001     /* more that an open arm must promise than an exhausted one has */

struct mac_belief *mac_belief_new(struct seat *s, const struct mac_options *o)
{
	if (s->game->interpreter || !fragment_all_see_the_same(s->game))
		return NULL;
	struct mac_belief *x = NEW(struct mac_belief);
	x->o = o;
	x->g = s->game;
	if (game_players(x->g) == 1) {
		x->bound = clairvoyant_bound_new();
		for (uint32_t i = 0; i < x->g->words; i++)
			vec_push(&x->lasting, 0);
		if (!step_counter_fluents(x->g, x->lasting.at))
			vec_clear(&x->lasting);
		for (size_t i = 0; i < x->lasting.n; i++)
			x->lasting.at[i] = ~x->lasting.at[i];
	}
	return x;
}

void mac_belief_free(struct mac_belief *x)
{
	if (!x)
		return;
	arena_free(&x->arena);
	model_round_free(&x->round);
	vec_free(&x->nodes);
	table_free(&x->table);
	vec_free(&x->keys);
	table_free(&x->told);
	vec_free(&x->ways);
	if (x->bound)
		clairvoyant_bound_free(x->bound);
	vec_free(&x->states);
	vec_free(&x->next);
	vec_free(&x->legal);
	vec_free(&x->seen);
	vec_free(&x->image);
	vec_free(&x->moves);
	vec_free(&x->arms);
	vec_free(&x->p);
	vec_free(&x->terminal);
	vec_free(&x->goals);
	vec_free(&x->classes);
	vec_free(&x->path);
	vec_free(&x->walks);
	vec_free(&x->starts);
	vec_free(&x->played);
	vec_free(&x->lasting);
	vec_free(&x->walk_of);
	mem_free(x);
}

void mac_belief_symmetry(struct mac_belief *x, const struct symmetry *symmetry)
{
	x->symmetry = symmetry;
}

void mac_belief_solver(struct mac_belief *x, struct model *m, enum model_method method)
{
	x->model = m;
	x->method = method;
}

static void forget(struct mac_belief *x)
{
	arena_free(&x->arena);
	x->arena = (struct arena){0};
	vec_clear(&x->nodes);
	vec_clear(&x->keys);
	vec_clear(&x->ways);
	table_clear(&x->table);
	table_clear(&x->told);
}

/* ---- values --------------------------------------------------------------------------------------------- */

/* The expected utility of a decision to a role, over what may be seen: of what is known about that, so that a decision
 * is not worth as much as all others until everything that may be seen has been. `all`: everything below is exhausted.
 */
static double utility(const struct mac_belief *x, const struct belief_node *n, const struct decision *d, uint32_t role,
                      bool *all)
{
	assert(role < x->g->roles);
	double sum = 0, known = 0;
	*all = d->at != NULL;
	for (uint32_t i = 0; i < d->count; i++) {
		const struct belief_node *c = d->at[i].node == BELIEF_NONE ? NULL : &x->nodes.at[d->at[i].node];
		*all &= !c || c->solved;
		if (c && !c->solved && c->visits <= 0)
			continue;
		known += d->at[i].p;
		sum += d->at[i].p * (!c ? d->at[i].goals[role] : c->solved ? c->value[role] : c->sum[role] / c->visits);
	}
	return known > 0 ? sum / known : n->visits > 0 ? n->sum[role] / n->visits : 0.5;
}

/* A belief whose decisions are all exhausted is worth what the one who decides makes of it. */
static void settle(struct mac_belief *x, struct seat *s, uint32_t id)
{
	struct belief_node *n = &x->nodes.at[id];
	uint32_t best = 0;
	double top = -1;
	bool all = true;
	if (n->solved || n->movers > 1)
		return;
	assert(n->decisions && n->joint);
	for (uint32_t j = 0; j < n->joint && all; j++) {
		double u = utility(x, n, &n->decisions[j], n->mover, &all);
		if (u > top) {
			top = u;
			best = j;
		}
	}
	if (!all)
		return;
	for (uint32_t r = 0; r < x->g->roles; r++)
		n->value[r] = utility(x, n, &n->decisions[best], r, &all);
	n->solved = true;
	s->count.proven++;
}

static bool is_exhausted(const struct mac_belief *x, struct decision *d)
{
	for (uint32_t i = 0; i < d->count && !d->exhausted; i++)
		if (d->at[i].node != BELIEF_NONE && !x->nodes.at[d->at[i].node].solved)
			return false;
	return d->exhausted = d->at != NULL;
}

/* 2: there is something to learn from a decision; 1: only later on, when the same has been done as early as possible;
 * 0: nothing. */
static int interest(const struct mac_belief *x, struct decision *d)
{
	return is_exhausted(x, d) ? 0 : d->idle ? 1 : 2;
}

/* UCB1, where walks that are under way count as visits. Where one role decides, its arms are the decisions: exhausted
 * ones are left out while others are open. */
static uint32_t choose_arm(struct mac_belief *x, struct seat *s, const struct belief_node *n, uint32_t role)
{
	uint32_t count = n->start[role + 1] - n->start[role], best = rng_below(&s->rng, count);
	assert(count > 1 && (n->movers != 1 || n->joint == count));
	double top = -1, width = x->o->tree.c * sqrt(log(n->visits + n->pending + 1)),
		   mean = n->visits > 0 ? n->sum[role] / n->visits : 0.5;
	int most = 0;
	for (uint32_t a = 0; a < count && n->movers == 1 && most < 2; a++) {
		int here = interest(x, &n->decisions[a]);
		most = here > most ? here : most;
	}
	for (uint32_t i = 0, a = best; i < count; i++, a = a + 1 == count ? 0 : a + 1) {
		const struct belief_arm *arm = &n->arms[n->start[role] + a];
		double visits = arm->visits + arm->pending;
		bool all = false;
		if (most && interest(x, &n->decisions[a]) < most)
			continue;
		double u = n->movers == 1    ? utility(x, n, &n->decisions[a], role, &all)
		           : arm->visits > 0 ? arm->sum / arm->visits
		                             : mean;
		if (count >= MANY && arm->later > 0) { /* too many to try each before the best is tried again */
			double prior = (double)(arm->later_sum / arm->later);
			u = all ? u : (arm->visits * u + PRIOR * prior) / (arm->visits + PRIOR) + width / sqrt(visits + 1);
		} else {
			u += all ? 0 : visits > 0 ? width / sqrt(visits) : width + 0.5 * x->o->tree.c;
		}
		if (u > top) {
			top = u;
			best = a;
		}
	}
	return best;
}

static uint32_t choose_joint(struct mac_belief *x, struct seat *s, const struct belief_node *n)
{
	uint32_t joint = 0;
	for (uint32_t r = 0; r < x->g->roles; r++) {
		uint32_t count = n->start[r + 1] - n->start[r];
		if (count)
			joint = joint * count + (count > 1 ? choose_arm(x, s, n, r) : 0);
	}
	assert(joint < n->joint);
	return joint;
}

/* ---- the search --------------------------------------------------------------------------------------------- */

/* States of a leaf to play from, drawn by weight. */
static void draw_starts(struct mac_belief *x, struct seat *s, struct belief_walk *w)
{
	const struct belief_node *n = &x->nodes.at[w->leaf];
	uint32_t words = x->g->words, most = (uint32_t)x->o->tune.belief_playouts;
	double at = rng_unit(&s->rng) / most, sum = 0;
	w->start = (uint32_t)(x->starts.n / words);
	for (uint32_t i = 0; i < n->count && w->drawn < most; i++)
		for (sum += n->weight[i]; at < sum && w->drawn < most; at += 1.0 / most) {
			vec_extend(&x->starts, words);
			memcpy(x->starts.at + x->starts.n - words, n->states + (size_t)i * words, words * sizeof *n->states);
			vec_push(&x->walk_of, (uint32_t)x->walks.n);
			w->drawn++;
		}
	assert(w->drawn && w->drawn <= most);
}

/* For one role: what it could reach if it saw the state, on average; below 0: not known. */
static double clairvoyant(struct mac_belief *x, struct seat *s, const struct belief_walk *w)
{
	double bound = 0;
	for (uint32_t i = 0; i < w->drawn && bound >= 0; i++) {
		double ahead = clairvoyant_bound_of(x->bound, s, x->starts.at + (size_t)(w->start + i) * x->g->words);
		bound = ahead < 0 ? -1 : bound + ahead / w->drawn;
	}
	return bound;
}

/* The evaluation of a leaf, after the playouts of all: added to what is known of it. */
static void evaluate(struct mac_belief *x, struct seat *s, const struct belief_walk *w, const double *sums,
                     uint32_t each)
{
	struct belief_node *n = &x->nodes.at[w->leaf];
	uint32_t roles = x->g->roles;
	assert(w->drawn && each);
	double bound = x->bound ? clairvoyant(x, s, w) : -1;
	for (uint32_t q = 0; q < roles; q++) {
		double value = 0;
		for (uint32_t i = 0; i < w->drawn; i++)
			value += sums[(size_t)(w->start + i) * roles + q] / 100 / w->drawn / each;
		if (bound >= 0 && q == s->role)
			value += x->o->tune.clairvoyant * (bound - value);
		n->sum[q] += n->solved ? n->value[q] : value;
	}
	n->visits++;
}

/* What a decision is worth after a walk is its expected utility, and not only what this walk has found. Earlier visits
 * of the same decision are worth that too: the mean of a belief is that of its decisions by visits, as they are known
 * now.
 */
static void back_up(struct mac_belief *x, struct seat *s, const struct belief_walk *w)
{
	uint32_t roles = x->g->roles, arms[GROUND_MAX_ROLES];
	for (size_t i = w->first + w->steps; i-- > w->first;) {
		struct belief_node *n = &x->nodes.at[x->path.at[i].node];
		struct decision *d = &n->decisions[x->path.at[i].joint];
		mac_belief_arms(x, n, x->path.at[i].joint, arms);
		for (uint32_t r = 0; r < roles; r++) {
			bool all;
			double value = utility(x, n, d, r, &all), more = (d->visits + 1) * value - d->visits * d->last[r];
			d->last[r] = value;
			n->sum[r] += more;
			if (n->start[r + 1] == n->start[r])
				continue;
			n->arms[n->start[r] + arms[r]].visits++;
			n->arms[n->start[r] + arms[r]].sum += more;
		}
		d->visits++;
		n->visits++;
		assert(d->visits <= n->visits);
		settle(x, s, x->path.at[i].node);
	}
}

/* Marks the way of a walk as under way, by 1, or as not any more, by -1. */
static void count_pending(struct mac_belief *x, const struct belief_walk *w, int by)
{
	uint32_t arms[GROUND_MAX_ROLES];
	for (size_t i = w->first; i < w->first + w->steps; i++) {
		struct belief_node *n = &x->nodes.at[x->path.at[i].node];
		mac_belief_arms(x, n, x->path.at[i].joint, arms);
		assert(by > 0 || n->pending);
		n->pending += (uint32_t)by;
		for (uint32_t r = 0; r < x->g->roles; r++)
			if (n->start[r + 1] > n->start[r])
				n->arms[n->start[r] + arms[r]].pending += (uint32_t)by;
	}
}

/* By their probabilities, of those that are not exhausted as long as there are such. */
static const struct outcome *draw(const struct mac_belief *x, struct seat *s, struct decision *d)
{
	bool all = is_exhausted(x, d);
	double sum = 0, at = rng_unit(&s->rng);
	const struct outcome *last = d->at;
	for (int pass = 0; pass < 2; pass++)
		for (uint32_t i = 0; i < d->count; i++) {
			if (!all && (d->at[i].node == BELIEF_NONE || x->nodes.at[d->at[i].node].solved))
				continue;
			last = &d->at[i];
			if (!pass)
				sum += last->p;
			else if ((at -= last->p / sum) < 0)
				return last;
		}
	return last;
}

static bool is_news(const struct mac_belief *x, const struct belief_node *n)
{
	for (uint32_t j = 0; j < n->joint; j++)
		if (interest(x, &n->decisions[j]) == 2)
			return true;
	return false;
}

/* Down from the root to a belief that was not met before and in which somebody decides, or to an end. False: a secret.
 */
static bool walk(struct mac_belief *x, struct seat *s, uint32_t root)
{
	struct belief_walk w = {.first = x->path.n, .leaf = root};
	for (;;) {
		struct belief_node *n = &x->nodes.at[w.leaf];
		if (n->solved || (w.leaf != root && n->visits <= 0 && !n->forced) || w.steps >= MAX_DEPTH)
			break;
		if (!n->decisions)
			mac_belief_open(x, s, w.leaf);
		if (x->secret)
			return false;
		struct step step = {w.leaf, choose_joint(x, s, &x->nodes.at[w.leaf])};
		if (!x->nodes.at[w.leaf].decisions[step.joint].at)
			mac_belief_solve(x, s, w.leaf, step.joint);
		if (x->secret)
			return false;
		if (x->nodes.at[w.leaf].decisions[step.joint].idle && is_news(x, &x->nodes.at[w.leaf]))
			continue;
		vec_push(&x->path, step);
		w.steps++;
		w.leaf = draw(x, s, &x->nodes.at[w.leaf].decisions[step.joint])->node;
		if (w.leaf == BELIEF_NONE)
			break;
	}
	count_pending(x, &w, 1);
	if (w.leaf != BELIEF_NONE && !x->nodes.at[w.leaf].solved)
		draw_starts(x, s, &w);
	vec_push(&x->walks, w);
	return true;
}

static bool has_many(const struct mac_belief *x, const struct belief_walk *w)
{
	for (size_t i = w->first; i < w->first + w->steps; i++) {
		const struct belief_node *n = &x->nodes.at[x->path.at[i].node];
		for (uint32_t r = 0; r < x->g->roles; r++)
			if (n->start[r + 1] - n->start[r] >= MANY)
				return true;
	}
	return false;
}

/* A playout is over: where a role had many moves on the way to it, those that it made later count as if they had been
 * made at once. */
static void note_played(void *context, size_t start, const uint32_t *moves, uint32_t count, const int *goals)
{
	struct mac_belief *x = context;
	const struct belief_walk *w = &x->walks.at[x->walk_of.at[start]];
	for (uint32_t i = 0; i < count; i++)
		bits_add(x->played.at, moves[i]);
	for (size_t i = w->first; i < w->first + w->steps; i++) {
		const struct belief_node *n = &x->nodes.at[x->path.at[i].node];
		for (uint32_t r = 0; r < x->g->roles; r++)
			for (uint32_t a = n->start[r]; a < n->start[r + 1] && n->start[r + 1] - n->start[r] >= MANY; a++)
				if (bits_has(x->played.at, n->arms[a].move)) {
					n->arms[a].later++;
					n->arms[a].later_sum += goals[r] == GOAL_NONE ? 0 : (float)goals[r] / 100;
				}
	}
	for (uint32_t i = 0; i < count; i++)
		bits_drop(x->played.at, moves[i]);
}

/* Playouts from the leaves of all walks, in one job. False: too late. */
static bool play_out(struct mac_belief *x, struct seat *s, const struct budget *b)
{
	size_t count = x->starts.n / x->g->words;
	struct playout_result r = {0};
	double began = clock_thread();
	uint32_t each = count && !b->playouts && count < LANES ? (uint32_t)(LANES / count) : 1;
	bool done = true, many = false;
	for (size_t i = 0; i < x->walks.n && !many; i++)
		many = has_many(x, &x->walks.at[i]);
	while (x->played.n < game_legal_words(x->g))
		vec_push(&x->played, 0);
	if (count) {
		struct playout_job job = {.starts = x->starts.at,
		                          .start_count = count,
		                          .playouts = count * each,
		                          .limit = b->limit,
		                          .threads = 1,
		                          .seed = rng_next(&s->rng),
		                          .max_steps = MAX_STEPS,
		                          .played = many ? note_played : NULL,
		                          .context = x};
		game_playouts(x->g, &job, &r);
		done = r.playouts + r.unfinished + r.stuck >= count * each || !limit_reached(&b->limit);
		s->count.playouts += r.playouts;
	}
	for (size_t i = 0; i < x->walks.n && done; i++)
		if (x->walks.at[i].drawn)
			evaluate(x, s, &x->walks.at[i], r.sum, each);
		else if (x->walks.at[i].leaf != BELIEF_NONE)
			x->nodes.at[x->walks.at[i].leaf].visits++;
	for (size_t i = 0; i < count && !x->rivals; i++)
		for (uint32_t q = 0; q < x->g->roles; q++) {
			double other = r.sum[i * x->g->roles + (x->g->random == 0)];
			x->rivals |= q != x->g->random && fabs(r.sum[i * x->g->roles + q] - other) > 1e-9;
		}
	x->secret |= x->assumed && x->rivals;
	if (count)
		playout_result_free(&r);
	s->count.playout_seconds += clock_thread() - began;
	return done;
}

/* Some walks, the playouts from where they lead, and what follows for the beliefs on their ways. */
static bool walk_together(struct mac_belief *x, struct seat *s, uint32_t root, uint32_t count, const struct budget *b)
{
	vec_clear(&x->path);
	vec_clear(&x->walks);
	vec_clear(&x->starts);
	vec_clear(&x->walk_of);
	bool ok = true;
	for (uint32_t i = 0; i < count && ok; i++)
		ok = walk(x, s, root);
	ok = ok && play_out(x, s, b) && !x->secret;
	for (size_t i = 0; i < x->walks.n; i++)
		count_pending(x, &x->walks.at[i], -1);
	for (size_t i = 0; i < x->walks.n && ok; i++)
		back_up(x, s, &x->walks.at[i]);
	return ok;
}

/* A belief that is too large is thinned out, evenly by weight, before it becomes a node. */
static uint32_t find_root(struct mac_belief *x, struct seat *s, const struct belief *belief)
{
	size_t count = belief_count(belief), most = (size_t)x->o->beliefs, kept = 0;
	assert(count && count <= UINT32_MAX);
	if (count > most && game_players(x->g) > 1)
		most = (most + ROOT - 1) / ROOT;
	uint32_t words = x->g->words, id;
	size_t room = count < most ? count : most;
	uint64_t *states = mem_alloc(room * words + 1, sizeof *states);
	double *weight = mem_alloc(room + 1, sizeof *weight), at = rng_unit(&s->rng) / (double)most, sum = 0;
	for (size_t i = 0; i < count; i++) {
		double here = count > most ? 0 : belief_weight(belief, i);
		for (sum += belief_weight(belief, i); count > most && at < sum && at < 1; at += 1.0 / (double)most)
			here += 1.0 / (double)most;
		if (here <= 0)
			continue;
		memcpy(states + kept * words, belief_state(belief, i), words * sizeof *states);
		weight[kept++] = here;
	}
	assert(kept && kept <= room);
	id = mac_belief_node(x, s, states, weight, (uint32_t)kept, true);
	mem_free(states);
	mem_free(weight);
	return id;
}

/* What an arm of the root is worth, and whether that is exact. */
static double arm_value(const struct mac_belief *x, const struct belief_node *n, uint32_t role, uint32_t arm,
                        bool *exact)
{
	const struct belief_arm *a = &n->arms[n->start[role] + arm];
	*exact = false;
	return n->movers == 1 ? utility(x, n, &n->decisions[arm], role, exact) : a->visits > 0 ? a->sum / a->visits : 0;
}

/* The arm visited most of those that are open; or the best of those that are exhausted, when that is worth as much:
 * what is left for later may not come in time. */
static uint32_t best_arm(const struct mac_belief *x, const struct belief_node *n, uint32_t role)
{
	uint32_t count = n->start[role + 1] - n->start[role], open = BELIEF_NONE, sure = BELIEF_NONE;
	double most = -1, hoped = -1, known = -1;
	for (uint32_t a = 0; a < count; a++) {
		bool exact;
		double u = arm_value(x, n, role, a, &exact), visits = n->arms[n->start[role] + a].visits;
		if (exact && u > known) {
			known = u;
			sure = a;
		}
		if (!exact && visits > most) {
			most = visits;
			hoped = u;
			open = a;
		}
	}
	assert(open != BELIEF_NONE || sure != BELIEF_NONE);
	return open == BELIEF_NONE || (sure != BELIEF_NONE && known >= hoped - WAIT) ? sure : open;
}

uint32_t mac_belief_move(struct mac_belief *x, struct seat *s, const struct turn *t, const struct belief *belief,
                         const struct budget *b, double *share)
{
	uint64_t before = s->count.playouts, walks = 0;
	if (x->secret || !belief_count(belief))
		return GAME_NONE;
	if (x->arena.total > (size_t)x->o->tree.memory << 19)
		forget(x);
	uint32_t root = x->root = find_root(x, s, belief), states = x->nodes.at[root].count;
	uint32_t each = (uint32_t)x->o->tune.belief_playouts, most = TOGETHER;
	while (!limit_reached(&b->limit) && !x->nodes.at[root].solved && x->arena.total < (size_t)x->o->tree.memory << 20 &&
	       (!b->playouts || (s->count.playouts - before < b->playouts && walks < b->playouts))) {
		uint64_t together = 1 + walks / FIRST, used = s->count.playouts - before,
				 left = b->playouts ? (b->playouts - used + each - 1) / each : most;
		together = together > most ? most : together;
		together = together > left ? left : together;
		if (!walk_together(x, s, root, (uint32_t)together, b))
			break;
		walks += together;
		if (walks % 16 < together)
			seat_ready(s, x->nodes.at[root]
			                  .arms[x->nodes.at[root].start[s->role] + best_arm(x, &x->nodes.at[root], s->role)]
			                  .move);
	}
	const struct belief_node *n = &x->nodes.at[root];
	if (x->secret || !n->decisions)
		return GAME_NONE;
	uint32_t best = best_arm(x, n, s->role);
	assert(best < n->start[s->role + 1] - n->start[s->role]);
	bool exact;
	double value = arm_value(x, n, s->role, best, &exact);
	for (uint32_t i = 0; i < t->legal_count; i++)
		for (uint32_t a = n->start[s->role]; a < n->start[s->role + 1]; a++)
			if (n->arms[a].move == t->legal[i])
				share[i] = n->arms[a].visits + (a - n->start[s->role] == best);
	text_printf(&s->why, "%s %.1f by rounds over common beliefs, %u of %zu states%s, %zu beliefs, %llu playouts",
	            n->solved ? "expected" : "mean", 100 * value, states, belief_count(belief),
	            belief_exact(belief) ? "" : " (sampled)", x->nodes.n, (unsigned long long)s->count.playouts);
	if (x->assumed)
		text_puts(&s->why, ", as if all knew all decisions");
	return n->arms[n->start[s->role] + best].move;
}

double mac_belief_value(const struct mac_belief *x, uint32_t role, bool *exact)
{
	assert(x->root < x->nodes.n && role < x->g->roles);
	const struct belief_node *n = &x->nodes.at[x->root];
	*exact = n->solved;
	return n->solved ? n->value[role] : n->visits > 0 ? n->sum[role] / n->visits : 0.5;
}

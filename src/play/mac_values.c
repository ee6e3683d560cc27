/* What nodes are worth and where the most promising round is. See mac_search.c for the
 * estimates. */
#include "play/mac_inside.h"

#include <math.h>
#include <string.h>

/* ---- values ----------------------------------------------------------------------------- */

double mac_within(const struct node *n, uint32_t role, double x)
{
	double low = (double)n->low[role], high = (double)n->high[role];
	return x < low ? low : x > high ? high : x;
}

static double mean_of(const struct node *n, uint32_t role)
{
	return mac_within(n, role, n->visits > 0 ? n->sum[role] / n->visits : 0.5);
}

double mac_best(const struct node *n, uint32_t role)
{
	return mac_within(n, role, (double)n->best[role]);
}

double mac_value(const struct mac_search *k, const struct node *n, uint32_t role)
{
	double mean = mean_of(n, role);
	return mean + k->o.minimax * (mac_best(n, role) - mean);
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

void mac_refresh(struct mac_search *k, struct node *n)
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
			done &= mac_known(c);
			for (uint32_t r = 0; r < roles; r++) {
				mean[r] += weight * mean_of(c, r) / h.draws;
				best[r] += mac_best(c, r) / h.draws;
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
		double x = mac_value(k, c, n->mover), upper = c->solved ? x : x + width / sqrt(c->visits + 1);
		o.value += x / h.draws;
		o.high += (double)c->high[n->mover] / h.draws;
		o.upper += mac_within(c, n->mover, upper) / h.draws;
		o.known &= mac_known(c);
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
		if (mac_known(c) || (best != NODE_NONE && visits >= least))
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
		double x = visits > 0 ? arms[a].sum / visits + width / sqrt(visits) : first + width / sqrt(MAC_NARROW);
		if (x > top) {
			top = x;
			best = a;
		}
	}
	return best;
}

bool mac_choose(struct mac_search *k, struct seat *s, struct node *n, uint32_t *arms)
{
	const struct game *g = k->tree->g;
	memset(arms, 0, g->roles * sizeof *arms);
	if (mac_sampled(n)) {
		for (uint32_t r = 0; r < g->roles; r++)
			arms[r] = arm_count(n, r) == 1 ? 0
			          : r == g->random     ? rng_below(&s->rng, arm_count(n, r))
			                               : choose_alone(k, n, r);
		return true;
	}
	struct shape h = shape_of(k->tree, n);
	uint32_t a = n->movers ? decide(k, n, h) : 0, d = a == NODE_NONE ? NODE_NONE : draw(k, n, h, a);
	if (d == NODE_NONE)
		return false;
	arms[n->mover] = n->movers ? a : 0;
	if (g->random < g->roles)
		arms[g->random] = d;
	return true;
}

/* ---- the answer ------------------------------------------------------------------------- */

double mac_least_reward(const struct mac_search *k)
{
	const struct tree *t = k->tree;
	double least = 1;
	for (uint32_t r = 0; r < t->g->roles; r++)
		if (r != t->g->random && mac_best(&t->nodes.at[t->root], r) < least)
			least = mac_best(&t->nodes.at[t->root], r);
	return least;
}

/* How good it is to play a decision whose value is proved: of wins the nearest, of losses
 * the farthest; negative: not proved. */
static double proved(const struct mac_search *k, const struct node *n, uint32_t a)
{
	struct shape h = shape_of(k->tree, n);
	double low = 0, high = 0, distance = 0;
	for (uint32_t d = 0; d < h.draws; d++) {
		const struct node *c = child_at(k->tree, n, h, a, d);
		low += (double)c->low[n->mover] / h.draws;
		high += (double)c->high[n->mover] / h.draws;
		distance += (double)c->distance / h.draws;
	}
	if (low < high - 1e-6)
		return -1;
	distance = 1e-4 * distance / (1 + distance);
	return low > 0 ? low + 1e-4 - distance : distance;
}

/* Of the decisions that are not proved the one with most playouts, as UCB1 has gone there
 * again and again; a proved one when it is worth as much. */
static uint32_t best_decision(const struct mac_search *k, const struct node *n)
{
	const struct arm *arms = n->arms + n->start[n->mover];
	uint32_t open = NODE_NONE, sure = NODE_NONE;
	double top = -1;
	for (uint32_t a = 0; a < arm_count(n, n->mover); a++) {
		double x = proved(k, n, a);
		if (x > top) {
			top = x;
			sure = a;
		}
		if (x < 0 && (open == NODE_NONE || arms[a].visits > arms[open].visits))
			open = a;
	}
	if (open == NODE_NONE || sure == NODE_NONE)
		return open == NODE_NONE ? sure : open;
	return look_at(k, n, shape_of(k->tree, n), open, 0).value > top ? open : sure;
}

uint32_t mac_best_arm(const struct mac_search *k, uint32_t role)
{
	const struct node *n = &k->tree->nodes.at[k->tree->root];
	uint32_t best = 0;
	if (!mac_sampled(n))
		return n->movers && n->mover == role ? best_decision(k, n) : 0;
	for (uint32_t a = 0; a < arm_count(n, role); a++)
		if (n->arms[n->start[role] + a].visits > n->arms[n->start[role] + best].visits)
			best = a;
	return best;
}

struct tree_value mac_search_value(const struct mac_search *k, uint32_t role)
{
	const struct node *n = &k->tree->nodes.at[k->tree->root];
	return (struct tree_value){.mean = 100 * mac_value(k, n, role),
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
	uint32_t a = n->start[s->role] + mac_best_arm(k, s->role);
	if (n->low[s->role] >= n->high[s->role])
		text_printf(&s->why, "proved: %.0f", 100 * (double)n->low[s->role]);
	else
		text_printf(&s->why, "expected %.1f, %.0f of %.0f playouts, threshold %.2f", 100 * mac_value(k, n, s->role),
		            n->arms[a].visits, n->visits, k->theta);
	return n->arms[a].move;
}

/* Exact values where roles choose at once: from root to root, and what the table answers afterwards. */
#include "play/proof/simultaneous.h"

#include "play/proof/position_hash.h"
#include "play/proof/simultaneous_internal.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define MOST_STACK ((size_t)64 << 20)

bool simultaneous_fits(const struct simultaneous *q)
{
	return !q->misfit;
}

bool simultaneous_solved(struct simultaneous_bounds b)
{
	return b.high - b.low < SOLVED;
}

struct simultaneous_bounds simultaneous_bounds(const struct simultaneous *q, const uint64_t *state)
{
	assert(q->least < q->most);
	uint64_t key, check;
	position_hash(q->live, q->words, state, &key, &check);
	const struct value_entry *e = q->misfit ? NULL : value_table_find(&q->table, key, check);
	return e ? (struct simultaneous_bounds){fmax(q->least, (double)e->low / PARTS),
	                                        fmin(q->most, (double)e->high / PARTS)}
	         : (struct simultaneous_bounds){q->least, q->most};
}

/* The root is searched even where its value is known, so that the table has what its strategies need. */
void simultaneous_run(struct simultaneous *q, struct seat *s, const uint64_t *state, const struct budget *b)
{
	struct simultaneous_counters before = q->count;
	struct spot n;
	assert(s->game == q->game);
	q->budget = b;
	q->made_limit = b->playouts ? q->count.nodes + b->playouts : UINT64_MAX;
	q->next_poll = 0;
	q->spent = q->misfit;
	if (q->misfit || !positions_root(q, s, state) || !spot_open(q, s, 0, &n))
		return;
	q->table.age++;
	search_root(q, s, &n);
	s->count.nodes += q->count.nodes - before.nodes;
	s->count.proven += q->count.solved - before.solved;
}

#define MISTAKE 1e-4 /* what the other role's mistakes count for beside its best play */

/* What a role is sure of with one of its moves against one of the other's, and what it may have there. */
static struct simultaneous_bounds cell(const struct simultaneous *q, const struct spot *n, uint32_t role, uint32_t own,
                                       uint32_t other)
{
	uint32_t at = n->first + (role ? other * n->columns + own : own * n->columns + other);
	double low = q->p.low[at], high = q->p.high[at];
	return role ? (struct simultaneous_bounds){100 - high, 100 - low} : (struct simultaneous_bounds){low, high};
}

/* What a strategy is sure of. */
static double worst(const struct simultaneous *q, const struct spot *n, uint32_t role, const double *share)
{
	uint32_t own = role ? n->columns : n->rows, other = role ? n->rows : n->columns;
	double least = 100;
	for (uint32_t k = 0; k < other; k++) {
		double sum = 0;
		for (uint32_t i = 0; i < own; i++)
			sum += share[i] * cell(q, n, role, i, k).low;
		least = fmin(least, sum);
	}
	return least;
}

/* Of several optimal strategies, one that gains most where the other role makes any of its moves by mistake (as in
 * perfect equilibria, Selten 1975). */
static void gain_by_mistakes(struct simultaneous *q, const struct spot *n, uint32_t role, double *share)
{
	uint32_t own = role ? n->columns : n->rows, other = role ? n->rows : n->columns;
	if (own > MATRIX_GAME_MOST || other > MATRIX_GAME_MOST)
		return;
	double *a = NEW_ARRAY(double, (size_t)own *other + own + other), *refined = a + (size_t)own * other;
	for (uint32_t i = 0; i < own; i++) {
		double mean = 0;
		for (uint32_t k = 0; k < other; k++) {
			struct simultaneous_bounds b = cell(q, n, role, i, k);
			mean += (b.low + b.high) / 2 / other;
		}
		for (uint32_t k = 0; k < other; k++)
			a[(size_t)i * other + k] = cell(q, n, role, i, k).low + MISTAKE * mean;
	}
	matrix_game_solve(&q->room, &(struct matrix_game){a, own, other}, refined, refined + own);
	if (worst(q, n, role, refined) >= worst(q, n, role, share) - 100 * MISTAKE)
		memcpy(share, refined, own * sizeof *share);
	mem_free(a);
}

bool simultaneous_strategy(struct simultaneous *q, struct seat *s, const uint64_t *state, uint32_t role, double *share,
                           struct simultaneous_bounds *b)
{
	assert(role < 2);
	struct spot n;
	*b = (struct simultaneous_bounds){q->least, q->most};
	if (q->misfit || !positions_root(q, s, state) || !spot_open(q, s, 0, &n))
		return false;
	*b = (struct simultaneous_bounds){spot_low(q, &n), spot_high(q, &n)};
	if (q->misfit || !simultaneous_solved(*b))
		return false;
	if (role)
		memcpy(share, q->high_column, n.columns * sizeof *share);
	else
		memcpy(share, q->low_row, n.rows * sizeof *share);
	gain_by_mistakes(q, &n, role, share);
	return true;
}

void simultaneous_after(struct simultaneous *q, struct seat *s, const uint64_t *state,
                        void (*report)(void *context, const uint64_t *state, struct simultaneous_bounds b),
                        void *context)
{
	struct spot n;
	if (q->misfit || !positions_root(q, s, state) || !spot_open(q, s, 0, &n) || q->misfit)
		return;
	for (uint32_t at = n.first; at < q->p.top; at++)
		if (q->p.low[at] > q->least || q->p.high[at] < q->most)
			report(context, q->p.state + (size_t)at * q->words,
			       (struct simultaneous_bounds){q->p.low[at], q->p.high[at]});
}

struct simultaneous_counters simultaneous_counters(const struct simultaneous *q)
{
	return q->count;
}

/* ---- beginning and end ------------------------------------------------------------------------------------------ */

/* The goals that the first role can have: those of its own rules whose rest to 100 the other one can have. */
static void find_extremes(struct simultaneous *q)
{
	const struct rules_view *rules = game_rules_view(q->game);
	bool other[101] = {0};
	q->least = 100;
	q->most = 0;
	for (uint32_t i = rules->first_goal[1]; i < rules->first_goal[2]; i++)
		if (rules->goal_value[i] != GOAL_NONE)
			other[rules->goal_value[i]] = true;
	for (uint32_t i = rules->first_goal[0]; i < rules->first_goal[1]; i++) {
		int v = rules->goal_value[i];
		if (v == GOAL_NONE || !other[100 - v])
			continue;
		q->least = fmin(q->least, v);
		q->most = fmax(q->most, v);
	}
}

static void make_positions(struct simultaneous *q, size_t bytes)
{
	size_t each = (q->words + q->legal_words + 2) * sizeof(uint64_t) + 2 * sizeof(double) + 1, n = bytes / each;
	n = n < 4 * MOST_JOINT ? 4 * MOST_JOINT : n > 1 << 20 ? 1 << 20 : n;
	q->p.capacity = (uint32_t)n;
	q->p.state = mem_alloc(n * q->words, sizeof *q->p.state);
	q->p.legal = mem_alloc(n * q->legal_words, sizeof *q->p.legal);
	q->p.key = mem_alloc(n, sizeof *q->p.key);
	q->p.check = mem_alloc(n, sizeof *q->p.check);
	q->p.low = mem_alloc(n, sizeof *q->p.low);
	q->p.high = mem_alloc(n, sizeof *q->p.high);
	q->p.shut = mem_alloc(n, sizeof *q->p.shut);
}

struct simultaneous *simultaneous_new(struct seat *s, size_t bytes)
{
	assert(s->role < s->game->roles);
	const struct game *g = s->game;
	if (g->roles != 2 || g->random < g->roles || g->hidden || !game_rules_view(g))
		return NULL;
	struct simultaneous *q = NEW(struct simultaneous);
	q->game = s->game;
	q->words = g->words;
	q->legal_words = game_legal_words(g);
	find_extremes(q);
	if (q->least >= q->most) {
		mem_free(q);
		return NULL;
	}
	q->live = position_live(g);
	size_t stack = bytes / 4 < MOST_STACK ? bytes / 4 : MOST_STACK;
	make_positions(q, stack);
	value_table_make(&q->table, bytes - stack);
	q->history = NEW_ARRAY(uint32_t, g->moves);
	q->low_row = NEW_ARRAY(double, 5 * MOST_JOINT);
	q->low_column = q->low_row + MOST_JOINT;
	q->high_row = q->low_column + MOST_JOINT;
	q->high_column = q->high_row + MOST_JOINT;
	q->other = q->high_column + MOST_JOINT;
	q->joint = NEW_ARRAY(uint32_t, 2 * MOST_JOINT);
	q->terminal = NEW_ARRAY(uint8_t, MOST_JOINT);
	q->goals = NEW_ARRAY(int, 2 * MOST_JOINT);
	return q;
}

void simultaneous_free(struct simultaneous *q)
{
	if (!q)
		return;
	mem_free(q->p.state);
	mem_free(q->p.legal);
	mem_free(q->p.key);
	mem_free(q->p.check);
	mem_free(q->p.low);
	mem_free(q->p.high);
	mem_free(q->p.shut);
	value_table_free(&q->table);
	matrix_room_free(&q->room);
	vec_free(&q->moves);
	mem_free(q->live);
	mem_free(q->history);
	mem_free(q->low_row);
	mem_free(q->joint);
	mem_free(q->terminal);
	mem_free(q->goals);
	mem_free(q);
}

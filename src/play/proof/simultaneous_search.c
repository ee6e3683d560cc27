/* The search of the solver for simultaneous moves: which positions are looked at, and in which order. */
#include "play/proof/simultaneous_internal.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static void search(struct simultaneous *q, struct seat *s, uint32_t at, const struct question *ask, uint32_t depth);

static bool is_answered(const struct simultaneous *q, uint32_t at, const struct question *ask)
{
	assert(at < q->p.top);
	double low = q->p.low[at], high = q->p.high[at];
	switch (ask->ask) {
	case ASK_MOST: return low >= q->most || high < q->most;
	case ASK_LEAST: return high <= q->least || low > q->least;
	default: return high - low < ask->apart || low >= ask->high || high <= ask->low;
	}
}

static void tighten(struct simultaneous *q, uint32_t at, double low, double high)
{
	q->p.low[at] = fmax(q->p.low[at], low);
	q->p.high[at] = fmin(q->p.high[at], high);
	assert(q->p.low[at] <= q->p.high[at] + SOLVED);
}

/* What pure strategies are sure of. */
static void tighten_pure(struct simultaneous *q, const struct spot *n)
{
	uint32_t row, column;
	double low = matrix_game_pure(&(struct matrix_game){q->p.low + n->first, n->rows, n->columns}, &row, &column).low;
	double high =
		matrix_game_pure(&(struct matrix_game){q->p.high + n->first, n->rows, n->columns}, &row, &column).high;
	tighten(q, n->at, low, high);
}

/* Looks at one of the positions after a spot. */
static void look(struct simultaneous *q, struct seat *s, uint32_t at, const struct question *ask, uint32_t depth)
{
	assert(depth && at < q->p.top);
	search(q, s, at, ask, depth - 1);
	q->p.shut[at] = !is_answered(q, at, ask);
}

static void reward(struct simultaneous *q, uint32_t move)
{
	assert(move < q->game->moves);
	if (++q->history[move] < 1u << 30)
		return;
	for (uint32_t m = 0; m < q->game->moves; m++)
		q->history[m] /= 2;
}

/* ---- all or nothing: one role needs a move that is good against every reply ----------------------------------------
 */

/* Lines are the moves of the role that asks: rows for ASK_MOST, columns for ASK_LEAST. */
struct lines {
	uint32_t count, replies, line_step, reply_step; /* from position to position */
	const uint32_t *line_move, *reply_move;
};

static struct lines lines_of(const struct simultaneous *q, const struct spot *n, enum ask ask)
{
	const uint32_t *row = q->moves.at + n->moves, *column = row + n->rows;
	return ask == ASK_MOST ? (struct lines){n->rows, n->columns, n->columns, 1, row, column}
	                       : (struct lines){n->columns, n->rows, 1, n->columns, column, row};
}

static bool is_yes(const struct simultaneous *q, uint32_t at, enum ask ask)
{
	return ask == ASK_MOST ? q->p.low[at] >= q->most : q->p.high[at] <= q->least;
}

static bool is_no(const struct simultaneous *q, uint32_t at, enum ask ask)
{
	return ask == ASK_MOST ? q->p.high[at] < q->most : q->p.low[at] > q->least;
}

struct line_state {
	bool refuted, proved, open, shut; /* open: a reply can be looked at; shut: one cannot, and is not known */
	uint32_t reply;                   /* which one to look at */
};

static struct line_state look_along(const struct simultaneous *q, const struct spot *n, const struct lines *l,
                                    uint32_t line, enum ask ask)
{
	assert(line < l->count && l->count * l->replies == n->rows * n->columns);
	struct line_state is = {.proved = true};
	for (uint32_t j = 0; j < l->replies && !is.refuted; j++) {
		uint32_t at = n->first + line * l->line_step + j * l->reply_step;
		if (is_yes(q, at, ask))
			continue;
		is.proved = false;
		is.refuted = is_no(q, at, ask);
		is.shut |= q->p.shut[at];
		if (!q->p.shut[at] && (!is.open || q->history[l->reply_move[j]] > q->history[l->reply_move[is.reply]])) {
			is.open = true;
			is.reply = j;
		}
	}
	return is;
}

/* The line to look at: the likeliest of those that can be proved; else one that can be refuted, if that is so of all.
 * False: there is nothing to do. */
static bool choose_line(const struct simultaneous *q, const struct spot *n, const struct lines *l, enum ask ask,
                        uint32_t *line, uint32_t *reply)
{
	bool provable = false, refutable = false, stuck = false;
	for (uint32_t i = 0; i < l->count; i++) {
		struct line_state is = look_along(q, n, l, i, ask);
		if (is.proved)
			return false;
		if (is.refuted)
			continue;
		stuck |= !is.open;
		bool better = !is.shut ? !provable || q->history[l->line_move[i]] > q->history[l->line_move[*line]]
		                       : !provable && !refutable && is.open;
		if (better) {
			*line = i;
			*reply = is.reply;
		}
		provable |= !is.shut;
		refutable |= is.shut && is.open;
	}
	return provable || (refutable && !stuck);
}

static bool all_refuted(const struct simultaneous *q, const struct spot *n, const struct lines *l, enum ask ask)
{
	for (uint32_t i = 0; i < l->count; i++)
		if (!look_along(q, n, l, i, ask).refuted)
			return false;
	return true;
}

/* Where every move has a reply that refutes it, some mixture of these replies refutes them all. */
static void settle_extreme(struct simultaneous *q, struct seat *s, const struct spot *n, enum ask ask, uint32_t depth)
{
	struct question same = {.ask = ask};
	if (is_answered(q, n->at, &same))
		return;
	struct lines l = lines_of(q, n, ask);
	uint32_t line = 0, reply = 0;
	while (!q->spent && !is_answered(q, n->at, &same) && choose_line(q, n, &l, ask, &line, &reply)) {
		uint32_t at = n->first + line * l.line_step + reply * l.reply_step;
		look(q, s, at, &same, depth);
		l = lines_of(q, n, ask); /* the list of moves may have grown and moved */
		if (is_no(q, at, ask))
			reward(q, l.reply_move[reply]);
		else if (is_yes(q, at, ask) && look_along(q, n, &l, line, ask).proved)
			reward(q, l.line_move[line]);
	}
	memset(q->p.shut + n->first, false, (size_t)n->rows * n->columns);
	tighten_pure(q, n);
	if (is_answered(q, n->at, &same) || !all_refuted(q, n, &l, ask))
		return;
	if (ask == ASK_MOST)
		tighten(q, n->at, q->least, spot_high(q, n));
	else
		tighten(q, n->at, spot_low(q, n), q->most);
}

/* ---- the value -------------------------------------------------------------------------------------------------- */

/* Only one role chooses: of what can be better for it than what is sure, what promises most. */
static bool choose_single(const struct simultaneous *q, const struct spot *n, const struct question *ask,
                          uint32_t *best, struct question *next)
{
	assert(n->columns == 1 || n->rows == 1);
	bool max = n->columns == 1, found = false;
	const uint32_t *move = q->moves.at + n->moves + (max ? 0 : n->rows);
	next->low = max ? fmax(ask->low, q->p.low[n->at]) : ask->low;
	next->high = max ? ask->high : fmin(ask->high, q->p.high[n->at]);
	double most = 0;
	for (uint32_t k = 0; k < n->rows * n->columns; k++) {
		uint32_t at = n->first + k;
		double promise = max ? q->p.high[at] : -q->p.low[at];
		bool better =
			!found || promise > most || (promise >= most && q->history[move[k]] > q->history[move[*best - n->first]]);
		if (q->p.shut[at] || is_answered(q, at, next) || !better)
			continue;
		found = true;
		most = promise;
		*best = at;
	}
	return found;
}

/* The likeliest meeting of the row's strategy for the upper bounds with the column's for the lower ones: where all
 * these are known the bounds meet. */
static bool meet(const struct simultaneous *q, const struct spot *n, double apart, uint32_t *best)
{
	assert(apart > 0);
	const double *row = q->high_row, *column = q->low_column;
	double most = 0;
	for (uint32_t i = 0; i < n->rows; i++)
		for (uint32_t j = 0; row[i] > 0 && j < n->columns; j++) {
			uint32_t at = n->first + i * n->columns + j;
			double gap = q->p.high[at] - q->p.low[at], x = row[i] * column[j] * gap;
			if (x > most && gap >= apart && !q->p.shut[at]) {
				most = x;
				*best = at;
			}
		}
	return most > 0;
}

/* Where some positions stay unknown this time: can one of the bounds get better without them? `kept` is the bound of
 * positions that stays, and unknown ones have it in the other matrix too. */
static bool choose_beside(struct simultaneous *q, const struct spot *n, const double *kept, const double *moved,
                          double *row, double *column)
{
	bool any = false;
	for (uint32_t k = 0; k < n->rows * n->columns; k++) {
		any |= q->p.shut[n->first + k];
		q->other[k] = q->p.shut[n->first + k] ? kept[n->first + k] : moved[n->first + k];
	}
	if (any)
		matrix_game_solve(&q->room, &(struct matrix_game){q->other, n->rows, n->columns}, row, column);
	return any;
}

/* The strategies are those of the last spot_low() and spot_high(). */
static bool choose_meeting(struct simultaneous *q, const struct spot *n, double apart, uint32_t *best)
{
	if (meet(q, n, apart, best))
		return true;
	if (choose_beside(q, n, q->p.low, q->p.high, q->high_row, q->high_column) && meet(q, n, apart, best))
		return true;
	spot_high(q, n);
	return choose_beside(q, n, q->p.high, q->p.low, q->low_row, q->low_column) && meet(q, n, apart, best);
}

static void settle_value(struct simultaneous *q, struct seat *s, const struct spot *n, const struct question *ask,
                         uint32_t depth)
{
	bool single = n->rows == 1 || n->columns == 1;
	uint32_t at = 0;
	for (;;) {
		tighten(q, n->at, spot_low(q, n), spot_high(q, n));
		if (q->spent || is_answered(q, n->at, ask))
			return;
		struct question next = {ASK_VALUE, q->least, q->most, ask->apart - CLOSER};
		if (!(single ? choose_single(q, n, ask, &at, &next) : choose_meeting(q, n, next.apart, &at)))
			return;
		double low = q->p.low[at], high = q->p.high[at];
		recall(q, at); /* another way may have led there */
		if (q->p.low[at] > low || q->p.high[at] < high)
			continue;
		look(q, s, at, &next, depth);
	}
}

/* ---- down ---------------------------------------------------------------------------------------------------------
 */

#define POLL 512 /* positions made between two looks at the clock */

static bool spent(struct simultaneous *q)
{
	if (q->count.nodes >= q->made_limit)
		q->spent = true;
	if (q->count.nodes < q->next_poll)
		return q->spent;
	q->next_poll = q->count.nodes + POLL;
	q->spent |= limit_reached(&q->budget->limit);
	return q->spent;
}

static uint8_t work_of(uint64_t made)
{
	uint8_t n = 0;
	for (; made > 1 && n < 62; made /= 2)
		n = (uint8_t)(n + 2);
	return n;
}

/* What was found out about a position; how deep it was searched, where there was no answer. */
static void store(struct simultaneous *q, uint32_t at, const struct question *ask, uint32_t depth, uint64_t made)
{
	double low = q->p.low[at], high = q->p.high[at];
	assert(low >= q->least && high <= q->most);
	struct value_entry *e = value_table_find(&q->table, q->p.key[at], q->p.check[at]);
	if (!e) {
		e = value_table_place(&q->table, q->p.key[at]);
		*e = (struct value_entry){.check = q->p.check[at], .high = 100 * PARTS};
	}
	bool was = (double)(e->high - e->low) < SOLVED * PARTS;
	e->low = (uint32_t)(low * PARTS);
	e->high = (uint32_t)ceil(high * PARTS);
	q->count.solved += !was && high - low < SOLVED;
	if (!q->spent && !is_answered(q, at, ask) && e->vain[ask->ask] < depth)
		e->vain[ask->ask] = (uint8_t)depth;
	if (work_of(made) > e->work)
		e->work = work_of(made) & 63u;
	e->age = q->table.age & 3u;
}

static void settle(struct simultaneous *q, struct seat *s, const struct spot *n, const struct question *ask,
                   uint32_t depth)
{
	assert(n->first + n->rows * n->columns == q->p.top);
	uint64_t made = q->count.nodes;
	tighten_pure(q, n);
	if (ask->ask != ASK_VALUE) {
		settle_extreme(q, s, n, ask->ask, depth);
	} else {
		if (n->rows > 1 && n->columns > 1) {
			settle_extreme(q, s, n, ASK_MOST, depth);
			settle_extreme(q, s, n, ASK_LEAST, depth);
		}
		settle_value(q, s, n, ask, depth);
	}
	if (!q->misfit)
		store(q, n->at, ask, depth, q->count.nodes - made);
}

/* Not deeper than `depth` steps. */
static void search(struct simultaneous *q, struct seat *s, uint32_t at, const struct question *ask, uint32_t depth)
{
	assert(depth <= DEEPEST);
	struct spot n;
	if (is_answered(q, at, ask) || !q->p.check[at])
		return;
	struct value_entry *e = recall(q, at);
	if (is_answered(q, at, ask))
		return;
	if (!depth || (e && e->vain[ask->ask] >= depth))
		return;
	if (spent(q) || !spot_open(q, s, at, &n))
		return;
	settle(q, s, &n, ask, depth);
	spot_close(q, &n);
}

void search_root(struct simultaneous *q, struct seat *s, const struct spot *n)
{
	assert(!n->at && n->first == 1);
	assert(DEEPEST * CLOSER < SOLVED); /* all the way down a path */
	settle(q, s, n, &(struct question){ASK_VALUE, q->least, q->most, SOLVED}, DEEPEST);
}

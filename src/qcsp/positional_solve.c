/* Solving a positional form: depth-first, two answers.
 *
 * A term is live while the other side has none of its cells; `left` are its cells
 * not yet taken. The key of a position is the sum of a hash of every live term's
 * (group, left), plus one of the cells taken: the restricted network, so that
 * cells that no longer matter to any term do not distinguish positions. There is a
 * key for each symmetry, kept up to date move by move; the smallest one counts.
 *
 *     need[side][v]   live terms of that side that lack only cell v
 *     wins[side]      the cells v with need[side][v] > 0
 *
 * Taking a cell of wins[side] decides the play in most states of the groups
 * (`decides`); then a cell after which the other side can do so is no move at all. */
#include "qcsp/positional.h"

struct slot {
	uint64_t key;
	uint8_t answer; /* 0: free, 1: lost, 2: won */
	uint8_t best;
	uint16_t work; /* log2 of the nodes below */
};

struct pos {
	struct search_state *s;
	struct pos_form *f;
	uint32_t terms, moves;
	uint64_t taken, all;
	uint64_t *left; /* [symmetry][term] */
	uint8_t *dead;  /* cells of the other side in a term */
	uint32_t live[POS_GROUPS], has[POS_GROUPS];
	uint64_t wins[2];
	uint8_t need[2][POS_CELLS];
	uint64_t key[8], cell_hash[POS_CELLS];
	uint16_t *of[POS_CELLS];   /* terms of a cell, ended by 0xffff */
	uint64_t after[POS_CELLS]; /* cells that wait for this one */
	bool decides[27][POS_GROUPS];
	uint32_t history[2][POS_CELLS];
	struct slot *slots;
	uint64_t mask;
	bool unproved;
};

/* ---- moves ---- */

static inline uint64_t term_hash(uint32_t group, uint64_t left)
{
	return hash_mix(left * 0x9e3779b97f4a7c15u + group + 1);
}

static inline void add_term(struct pos *p, uint32_t t, uint64_t sign)
{
	uint32_t g = p->f->terms.at[t].group;
	for (uint32_t i = 0; i < p->f->symmetries; i++) {
		uint64_t h = term_hash(g, p->left[i * p->terms + t]);
		p->key[i] += (h ^ sign) - sign;
	}
}

/* A live term that lacks one cell: that cell wins. */
static inline void count_need(struct pos *p, uint32_t t, int by)
{
	uint64_t left = p->left[t];
	if (!left || left & (left - 1))
		return;
	uint32_t v = (uint32_t)__builtin_ctzll(left);
	int side = p->f->group_side[p->f->terms.at[t].group];
	p->need[side][v] = (uint8_t)(p->need[side][v] + by);
	if (p->need[side][v])
		p->wins[side] |= left;
	else
		p->wins[side] &= ~left;
}

static inline void flip(struct pos *p, uint32_t t, uint32_t v)
{
	for (uint32_t i = 0; i < p->f->symmetries; i++)
		p->left[i * p->terms + t] ^= UINT64_C(1) << p->f->image[i][v];
}

#define ADD 0
#define DROP (~UINT64_C(0))

static void take(struct pos *p, uint32_t v, int side)
{
	for (const uint16_t *t = p->of[v]; *t != 0xffff; t++) {
		uint32_t g = p->f->terms.at[*t].group;
		if (p->f->group_side[g] != side) {
			if (p->dead[*t]++)
				continue;
			add_term(p, *t, DROP);
			count_need(p, *t, -1);
			p->live[g]--;
		} else if (!p->dead[*t]) {
			add_term(p, *t, DROP);
			count_need(p, *t, -1);
			flip(p, *t, v);
			add_term(p, *t, ADD);
			count_need(p, *t, 1);
			p->has[g] += !p->left[*t];
		}
	}
	p->taken |= UINT64_C(1) << v;
	p->moves++;
	for (uint32_t i = 0; i < p->f->symmetries; i++)
		p->key[i] += p->cell_hash[p->f->image[i][v]];
}

static void untake(struct pos *p, uint32_t v, int side)
{
	for (uint32_t i = 0; i < p->f->symmetries; i++)
		p->key[i] -= p->cell_hash[p->f->image[i][v]];
	p->moves--;
	p->taken &= ~(UINT64_C(1) << v);
	for (const uint16_t *t = p->of[v]; *t != 0xffff; t++) {
		uint32_t g = p->f->terms.at[*t].group;
		if (p->f->group_side[g] != side) {
			if (--p->dead[*t])
				continue;
			p->live[g]++;
			count_need(p, *t, 1);
			add_term(p, *t, ADD);
		} else if (!p->dead[*t]) {
			p->has[g] -= !p->left[*t];
			count_need(p, *t, -1);
			add_term(p, *t, DROP);
			flip(p, *t, v);
			count_need(p, *t, 1);
			add_term(p, *t, ADD);
		}
	}
}

static uint32_t group_state(const struct pos *p)
{
	uint32_t state = 0;
	for (uint32_t g = p->f->groups; g--;)
		state = state * 3 + (p->has[g] ? POS_HAS : p->live[g] ? POS_OPEN : POS_NEVER);
	return state;
}

static uint64_t available(const struct pos *p)
{
	uint64_t out = 0;
	for (uint64_t free = p->all & ~p->taken; free; free &= free - 1) {
		uint32_t v = (uint32_t)__builtin_ctzll(free);
		if (!(p->f->before[v] & ~p->taken))
			out |= UINT64_C(1) << v;
	}
	return out;
}

/* Cells that taking v opens. */
static uint64_t opened(const struct pos *p, uint32_t v)
{
	uint64_t out = 0, then = p->taken | UINT64_C(1) << v;
	for (uint64_t w = p->after[v] & ~p->taken; w; w &= w - 1)
		if (!(p->f->before[__builtin_ctzll(w)] & ~then))
			out |= w & -w;
	return out;
}

/* ---- the cache ---- */

static uint64_t position_key(const struct pos *p)
{
	uint64_t key = p->key[0];
	for (uint32_t i = 1; i < p->f->symmetries; i++)
		key = p->key[i] < key ? p->key[i] : key;
	return key;
}

static struct slot *find_slot(struct pos *p, uint64_t key)
{
	struct slot *b = &p->slots[hash_mix(key) & p->mask & ~UINT64_C(1)];
	for (int i = 0; i < 2; i++)
		if (b[i].answer && b[i].key == key)
			return &b[i];
	return NULL;
}

static void store(struct pos *p, uint64_t key, bool won, uint32_t best, uint64_t nodes)
{
	struct slot *b = &p->slots[hash_mix(key) & p->mask & ~UINT64_C(1)];
	uint16_t work = (uint16_t)(64 - __builtin_clzll(nodes | 1));
	if (p->s->stop)
		return;
	/* the first of two slots keeps the position that took more work, the second the newer one */
	int i = !b[0].answer || b[0].work <= work ? 0 : 1;
	if (!i && b[0].answer)
		b[1] = b[0];
	p->s->r->cache_states += !b[i].answer;
	b[i] = (struct slot){.key = key, .answer = won ? 2 : 1, .best = (uint8_t)best, .work = work};
}

/* ---- the search ---- */

/* Terms through v, the nearer to completion the more. */
static uint32_t promise(const struct pos *p, uint32_t v, int side)
{
	uint32_t score = 0;
	for (const uint16_t *t = p->of[v]; *t != 0xffff; t++) {
		if (p->dead[*t])
			continue;
		uint32_t missing = (uint32_t)__builtin_popcountll(p->left[*t]);
		uint32_t worth = missing < 8 ? 1u << (2 * (8 - missing)) : 1;
		score += p->f->group_side[p->f->terms.at[*t].group] == side ? worth + worth / 2 : worth;
	}
	return score;
}

static uint32_t ordered(const struct pos *p, uint64_t moves, int side, uint32_t first, uint8_t *list)
{
	uint64_t score[POS_CELLS];
	uint32_t count = 0;
	for (; moves; moves &= moves - 1) {
		uint32_t v = (uint32_t)__builtin_ctzll(moves), k = count++;
		uint64_t s = v == first ? UINT64_MAX : ((uint64_t)promise(p, v, side) << 16) + p->history[side][v];
		for (; k && score[k - 1] < s; k--) {
			score[k] = score[k - 1];
			list[k] = list[k - 1];
		}
		score[k] = s;
		list[k] = (uint8_t)v;
	}
	return count;
}

/* Does completing a term of this side decide, whichever group it belongs to? */
static bool threatens(const struct pos *p, uint32_t state, int side)
{
	for (uint32_t g = 0; g < p->f->groups; g++)
		if (p->f->group_side[g] == side && p->live[g] && !p->decides[state][g])
			return false;
	return p->wins[side] != 0;
}

/* The moves worth trying; *answer when the position is decided by threats: 1 for side, -1 against. */
static uint64_t candidates(const struct pos *p, uint32_t state, int side, uint64_t open, int *answer)
{
	uint64_t moves = open;
	*answer = 0;
	if (threatens(p, state, side) && p->wins[side] & open)
		return *answer = 1, p->wins[side] & open;
	if (!threatens(p, state, !side))
		return moves;
	uint64_t must = p->wins[!side] & open;
	if (must & (must - 1))
		return *answer = -1, 0;
	if (must)
		moves = must;
	for (uint64_t m = moves; m; m &= m - 1)
		if (opened(p, (uint32_t)__builtin_ctzll(m)) & p->wins[!side])
			moves &= ~(m & -m);
	if (!moves && open)
		*answer = -1;
	return moves;
}

static bool win(struct pos *p);

/* After v: 1 won, 0 lost, -1 the move was not possible. */
static int try_move(struct pos *p, uint32_t v, int side)
{
	take(p, v, side);
	int result;
	switch ((enum pos_status)p->f->status[group_state(p)]) {
	case POS_WON: result = 1; break;
	case POS_LOST: result = 0; break;
	case POS_IMPOSSIBLE: result = -1; break;
	case POS_UNPROVED:
		p->unproved = p->s->stop = true;
		result = 0;
		break;
	default: result = win(p);
	}
	untake(p, v, side);
	return result;
}

static bool finished(const struct pos *p)
{
	uint32_t present = 0;
	for (uint32_t g = 0; g < p->f->groups && g < POS_GROUPS; g++)
		present |= (uint32_t)(p->has[g] != 0) << g;
	return p->f->final[present];
}

static bool win(struct pos *p)
{
	uint64_t before = p->s->r->nodes++;
	if (qcsp_limit(p->s))
		return false;
	if (p->taken == p->all)
		return finished(p);
	int side = p->f->side[p->moves], answer;
	uint64_t moves = candidates(p, group_state(p), side, available(p), &answer);
	if (answer) {
		p->s->r->pruned++;
		return (answer > 0) == (side == 0);
	}
	uint64_t key = position_key(p);
	const struct slot *found = find_slot(p, key);
	if (found) {
		p->s->r->cache_hits++;
		return found->answer == 2;
	}
	uint8_t list[POS_CELLS];
	uint32_t count = ordered(p, moves, side, POS_CELLS, list), best = POS_CELLS;
	bool won = side == 1; /* only the side to move can be without a move */
	for (uint32_t i = 0; i < count && !p->s->stop; i++) {
		int r = try_move(p, list[i], side);
		if (r < 0 || r == (side == 1))
			continue;
		won = r;
		best = list[i];
		p->history[side][best] += 1 + p->f->cells - p->moves;
		if (p->history[side][best] > 60000)
			for (uint32_t v = 0; v < p->f->cells; v++)
				p->history[side][v] /= 2;
		break;
	}
	store(p, key, won, best, p->s->r->nodes - before);
	return won;
}

/* ---- the strategy ---- */

struct strategy_writer {
	struct pos *p;
	struct table index; /* key of the position itself, without symmetry */
	VEC(struct written {
		uint64_t taken[2];
		uint32_t node;
	}) written;
	uint64_t sides[2];
};

static uint32_t value_index(const struct pos_form *f, uint32_t move, uint32_t cell)
{
	uint32_t at = 0;
	while (f->cell_of[move * f->cells + at] != cell)
		at++;
	return at;
}

static uint32_t write_strategy(struct strategy_writer *t);

static uint32_t write_after(struct strategy_writer *t, uint32_t v, int side)
{
	struct pos *p = t->p;
	take(p, v, side);
	t->sides[side] |= UINT64_C(1) << v;
	enum pos_status status = p->f->status[group_state(p)];
	uint32_t node = status == POS_WON ? QCSP_ANY : write_strategy(t);
	t->sides[side] &= ~(UINT64_C(1) << v);
	untake(p, v, side);
	return node;
}

/* The position is won; write down how. */
static uint32_t write_strategy(struct strategy_writer *t)
{
	struct pos *p = t->p;
	struct qcsp_strategy *s = &p->s->r->strategy;
	if (p->taken == p->all)
		return QCSP_ANY;
	uint64_t h = hash_join(t->sides[0], t->sides[1]);
	uint32_t it = 0, id;
	for (table_start(&t->index, h, &it); (id = table_next(&t->index, h, &it)) != TABLE_NONE;)
		if (t->written.at[id].taken[0] == t->sides[0] && t->written.at[id].taken[1] == t->sides[1])
			return t->written.at[id].node;
	int side = p->f->side[p->moves];
	struct qcsp_arc arcs[POS_CELLS];
	uint32_t count = 0, move = p->moves;
	for (uint64_t open = available(p); open && !p->s->stop; open &= open - 1) {
		uint32_t v = (uint32_t)__builtin_ctzll(open);
		if (side == 0) {
			int answer;
			uint64_t only = candidates(p, group_state(p), side, available(p), &answer);
			if (!(only >> v & 1) || try_move(p, v, side) != 1)
				continue;
		} else {
			take(p, v, side);
			bool impossible = p->f->status[group_state(p)] == POS_IMPOSSIBLE;
			untake(p, v, side);
			if (impossible)
				continue;
		}
		uint32_t child = write_after(t, v, side);
		arcs[count++] = (struct qcsp_arc){value_index(p->f, move, v), child};
		if (side == 0)
			break;
	}
	vec_push(&s->nodes, (struct qcsp_node){narrow32(s->arcs.n), count});
	for (uint32_t i = 0; i < count; i++)
		vec_push(&s->arcs, arcs[i]);
	table_add(&t->index, h, narrow32(t->written.n));
	vec_push(&t->written, (struct written){{t->sides[0], t->sides[1]}, narrow32(s->nodes.n) - 1});
	return narrow32(s->nodes.n) - 1;
}

/* ---- setting up ---- */

/* Completing a term of group g in this state decides for its side, also when the same move ends the hopes of other
 * groups. */
static bool decides(const struct pos_form *f, uint32_t state, uint32_t g)
{
	uint32_t power = 1, wanted = f->group_side[g] == 0 ? POS_WON : POS_LOST, open = 0, base = 0;
	for (uint32_t k = 0, r = state; k < f->groups; k++, r /= 3, power *= 3) {
		base += (k == g ? POS_HAS : r % 3) * power;
		open |= (uint32_t)(k != g && r % 3 == POS_OPEN) << k;
	}
	for (uint32_t sub = open;; sub = (sub - 1) & open) {
		uint32_t then = base;
		power = 1;
		for (uint32_t k = 0; k < f->groups; k++, power *= 3)
			then += (sub >> k & 1) * (POS_NEVER - POS_OPEN) * power;
		if (f->status[then] != wanted)
			return false;
		if (!sub)
			return true;
	}
}

static void start(struct pos *p)
{
	struct pos_form *f = p->f;
	uint64_t seed = 1;
	p->terms = narrow32(f->terms.n);
	p->all = f->cells == 64 ? ~UINT64_C(0) : (UINT64_C(1) << f->cells) - 1;
	p->left = NEW_ARRAY(uint64_t, (size_t)f->symmetries * p->terms + 1);
	p->dead = NEW_ARRAY(uint8_t, p->terms + 1);
	for (uint32_t v = 0; v < f->cells; v++) {
		uint32_t k = 0;
		p->cell_hash[v] = hash_mix(seed += 0x632be59bd9b4e019u);
		p->of[v] = NEW_ARRAY(uint16_t, p->terms + 1);
		for (uint32_t t = 0; t < p->terms; t++)
			if (f->terms.at[t].cells >> v & 1)
				p->of[v][k++] = (uint16_t)t;
		p->of[v][k] = 0xffff;
		for (uint32_t w = 0; w < f->cells; w++)
			if (f->before[w] >> v & 1)
				p->after[v] |= UINT64_C(1) << w;
	}
	for (uint32_t t = 0; t < p->terms; t++) {
		for (uint32_t i = 0; i < f->symmetries; i++)
			for (uint64_t c = f->terms.at[t].cells; c; c &= c - 1)
				p->left[i * p->terms + t] |= UINT64_C(1) << f->image[i][__builtin_ctzll(c)];
		p->live[f->terms.at[t].group]++;
		add_term(p, t, ADD);
		count_need(p, t, 1);
	}
	for (uint32_t state = 0; state < 27; state++)
		for (uint32_t g = 0; g < f->groups; g++)
			p->decides[state][g] = decides(f, state, g);
	size_t bytes = p->s->o->cache_bytes ? p->s->o->cache_bytes : (size_t)512 << 20, slots = 1024;
	while (slots * 2 * sizeof *p->slots <= bytes && (f->cells > 20 || slots < (size_t)1 << 20))
		slots *= 2;
	p->slots = NEW_ARRAY(struct slot, slots);
	p->mask = slots - 1;
}

static void stop(struct pos *p)
{
	mem_free(p->left);
	mem_free(p->dead);
	mem_free(p->slots);
	for (uint32_t v = 0; v < p->f->cells; v++)
		mem_free(p->of[v]);
}

bool qcsp_positional(struct search_state *s, bool *answer)
{
	struct pos_form f;
	s->r->refused = pos_recognise(s->q, &f);
	if (s->r->refused || f.terms.n >= 0xffff) {
		pos_free(&f);
		return false;
	}
	struct pos *p = NEW(struct pos);
	p->s = s;
	p->f = &f;
	start(p);
	s->r->symmetries = f.symmetries - 1;
	*answer = win(p);
	if (*answer && s->o->strategy && !s->stop) {
		struct strategy_writer t = {.p = p};
		s->r->strategy.root = write_strategy(&t);
		table_free(&t.index);
		vec_free(&t.written);
	}
	bool proved = !p->unproved;
	if (!proved) {
		s->stop = false;
		s->r->refused = "whether moves are possible depends on more than the groups";
	}
	stop(p);
	mem_free(p);
	pos_free(&f);
	return proved;
}

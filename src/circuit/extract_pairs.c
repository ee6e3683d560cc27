/* Common pairs of literals become gates: counted once, then kept up to date while rows shrink. */
#include "circuit/extract_pairs.h"

/* A pair in n gates saves n operands and costs two, a result and its place. */
#define WORTH_IT 4

#define MOST_PAIRS ((size_t)3 << 20) /* counted at the start; beyond, only narrower gates take part */

#define MOST_WORK ((size_t)100 << 20)

typedef VEC(lit_t) lit_list;

/* While at work, gates are lists in a pool of their own; gate i of the circuit is
 * row i, made ones follow. Rows only shrink. */
struct row {
	uint32_t at, n;
	enum gate_kind kind;
};

struct pair {
	lit_t a, b;
	uint32_t count;
};

struct sharer {
	struct circuit *c;
	VEC(struct row) rows;
	VEC(lit_t) pool;
	enum gate_kind kind; /* at work */
	uint32_t widest;     /* rows wider than this take no part */
	size_t pair_count;   /* in all rows that take part */
	size_t work;         /* places looked at; sharing is a luxury and ends at MOST_WORK */
	VEC(struct pair) pairs;
	struct table index;
	VEC(uint32_t) *buckets; /* by count: pairs that had it at some time */
	uint32_t bucket_count;
	VEC(struct where { uint32_t row, next; }) where;
	VEC(struct places { uint32_t first, count; }) places; /* by literal: rows that hold or held it */
};

#define NONE UINT32_MAX

/* ---- pairs and their counts -------------------------------------------------------------- */

static uint64_t pair_hash(lit_t a, lit_t b)
{
	return hash_mix((uint64_t)a << 32 | b);
}

static struct pair *find_pair(struct sharer *s, lit_t a, lit_t b, bool make)
{
	if (a > b) {
		lit_t t = a;
		a = b;
		b = t;
	}
	uint64_t h = pair_hash(a, b);
	uint32_t it, id;
	for (table_start(&s->index, h, &it); (id = table_next(&s->index, h, &it)) != TABLE_NONE;)
		if (s->pairs.at[id].a == a && s->pairs.at[id].b == b)
			return &s->pairs.at[id];
	if (!make)
		return NULL;
	table_add(&s->index, h, narrow32(s->pairs.n));
	struct pair p = {a, b, 0};
	vec_push(&s->pairs, p);
	return &vec_last(&s->pairs);
}

static void queue_pair(struct sharer *s, const struct pair *p)
{
	uint32_t count = p->count < s->bucket_count ? p->count : s->bucket_count - 1;
	if (count >= WORTH_IT)
		vec_push(&s->buckets[count], (uint32_t)(p - s->pairs.at));
}

static void count_pair(struct sharer *s, lit_t a, lit_t b, int by)
{
	struct pair *p = find_pair(s, a, b, by > 0);
	if (!p)
		return;
	p->count += (uint32_t)by;
	if (by > 0)
		queue_pair(s, p);
}

static void note_place(struct sharer *s, lit_t l, uint32_t row)
{
	while (s->places.n <= l) {
		struct places none = {NONE, 0};
		vec_push(&s->places, none);
	}
	struct places *p = &s->places.at[l];
	struct where w = {row, p->first};
	p->first = narrow32(s->where.n);
	p->count++;
	vec_push(&s->where, w);
}

/* Where to look for rows that hold both: the shorter of two lists. */
static uint32_t first_of(const struct sharer *s, lit_t a, lit_t b)
{
	const struct places *p = &s->places.at[a], *q = &s->places.at[b];
	return p->count < q->count ? p->first : q->first;
}

static bool takes_part(const struct sharer *s, const struct row *r)
{
	return r->kind == s->kind && r->n >= 2 && r->n <= s->widest;
}

/* Most pairs are too rare to matter. A sketch (one saturating counter for all pairs
 * with the same hash) shows which may be frequent; only those are stored. */
static void count_all(struct sharer *s)
{
	size_t size = 4096;
	while (size < 2 * s->pair_count)
		size *= 2;
	uint8_t *sketch = NEW_ARRAY(uint8_t, size);
	for (int storing = 0; storing < 2; storing++)
		for (uint32_t i = 0; i < s->rows.n; i++) {
			const struct row r = s->rows.at[i];
			if (!takes_part(s, &r))
				continue;
			const lit_t *l = s->pool.at + r.at;
			for (uint32_t k = 0; k < r.n; k++) {
				if (storing)
					note_place(s, l[k], i);
				for (uint32_t m = 0; m < k; m++) {
					uint8_t *c = &sketch[pair_hash(l[m] < l[k] ? l[m] : l[k], l[m] < l[k] ? l[k] : l[m]) & (size - 1)];
					if (storing && *c >= WORTH_IT)
						find_pair(s, l[m], l[k], true)->count++;
					else if (!storing && *c < 255)
						++*c;
				}
			}
		}
	for (size_t i = 0; i < s->pairs.n; i++)
		queue_pair(s, &s->pairs.at[i]);
	mem_free(sketch);
}

/* The widest gates that can take part without too many pairs. */
static uint32_t find_widest(struct sharer *s)
{
	for (uint32_t widest = 256; widest > 2; widest /= 2) {
		size_t pairs = 0;
		for (size_t i = 0; i < s->rows.n; i++)
			if (s->rows.at[i].kind == s->kind && s->rows.at[i].n <= widest)
				pairs += (size_t)s->rows.at[i].n * s->rows.at[i].n / 2;
		s->pair_count = pairs;
		if (pairs <= MOST_PAIRS)
			return widest;
	}
	return 2;
}

/* ---- extraction ---------------------------------------------------------------------------- */

static uint32_t place_in(struct sharer *s, const struct row *r, lit_t l)
{
	s->work += r->n;
	for (uint32_t k = 0; k < r->n; k++)
		if (s->pool.at[r->at + k] == l)
			return k;
	return NONE;
}

/* A row that is just this pair, or a new one. */
static uint32_t pair_row(struct sharer *s, lit_t a, lit_t b)
{
	for (uint32_t w = first_of(s, a, b); w != NONE; w = s->where.at[w].next) {
		const struct row *r = &s->rows.at[s->where.at[w].row];
		if (r->n == 2 && place_in(s, r, a) != NONE && place_in(s, r, b) != NONE)
			return s->where.at[w].row;
	}
	struct row r = {narrow32(s->pool.n), 2, s->kind};
	vec_push(&s->pool, a);
	vec_push(&s->pool, b);
	vec_push(&s->rows, r);
	return narrow32(s->rows.n) - 1;
}

static void replace_in(struct sharer *s, uint32_t row, lit_t a, lit_t b, lit_t p)
{
	struct row *r = &s->rows.at[row];
	uint32_t i = place_in(s, r, a), k = place_in(s, r, b);
	if (i == NONE || k == NONE || r->n < 3)
		return;
	lit_t *l = s->pool.at + r->at;
	if (i > k) {
		uint32_t t = i;
		i = k;
		k = t;
	}
	l[i] = p;
	l[k] = l[--r->n];
	for (uint32_t m = 0; m < r->n; m++) {
		lit_t x = l[m];
		if (x == p)
			continue;
		count_pair(s, a, x, -1);
		count_pair(s, b, x, -1);
		count_pair(s, p, x, 1);
	}
	count_pair(s, a, b, -1);
	note_place(s, p, row);
}

static void extract(struct sharer *s, lit_t a, lit_t b)
{
	uint32_t made = pair_row(s, a, b);
	for (uint32_t w = first_of(s, a, b); w != NONE; w = s->where.at[w].next)
		if (s->where.at[w].row != made)
			replace_in(s, s->where.at[w].row, a, b, made * 2);
	struct pair *p = find_pair(s, a, b, false);
	p->count = 0;
}

static void share_kind(struct sharer *s, enum gate_kind kind)
{
	s->kind = kind;
	s->widest = find_widest(s);
	vec_clear(&s->pairs);
	vec_clear(&s->where);
	for (uint32_t i = 0; i < s->bucket_count; i++)
		vec_clear(&s->buckets[i]);
	s->work = 0;
	vec_clear(&s->places);
	table_clear(&s->index);
	count_all(s);
	for (uint32_t count = s->bucket_count; count-- > WORTH_IT && s->work < MOST_WORK;)
		while (s->buckets[count].n && s->work < MOST_WORK) {
			struct pair p = s->pairs.at[vec_pop(&s->buckets[count])];
			uint32_t now = p.count < s->bucket_count ? p.count : s->bucket_count - 1;
			if (now == count)
				extract(s, p.a, p.b);
			else if (now > count) /* it grew meanwhile and waits in a higher bucket */
				count = s->bucket_count - 1;
		}
}

/* ---- back to a circuit ------------------------------------------------------------------------ */

struct builder {
	struct sharer *s;
	struct circuit d;
	lit_t *map; /* by row */
	uint8_t *done;
	VEC(uint32_t) stack;
	lit_list in;
};

static lit_t map_lit(const struct builder *b, lit_t l)
{
	return b->map[l / 2] ^ (l & 1);
}

static void build_row(struct builder *b, uint32_t row)
{
	vec_push(&b->stack, row);
	while (b->stack.n) {
		uint32_t i = vec_last(&b->stack);
		const struct row *r = &b->s->rows.at[i];
		const lit_t *l = b->s->pool.at + r->at;
		if (b->done[i] == 2) {
			b->stack.n--;
			continue;
		}
		if (b->done[i] == 0) {
			b->done[i] = 1;
			for (uint32_t k = 0; k < r->n; k++)
				if (!b->done[l[k] / 2])
					vec_push(&b->stack, l[k] / 2);
			continue;
		}
		b->stack.n--;
		vec_clear(&b->in);
		for (uint32_t k = 0; k < r->n; k++)
			vec_push(&b->in, map_lit(b, l[k]));
		b->map[i] = circuit_gate(&b->d, r->kind, b->in.at, narrow32(b->in.n));
		b->done[i] = 2;
	}
}

static void build_outputs(struct builder *b, const void *from, void *to)
{
	const lit_list *x = from;
	lit_list *y = to;
	for (size_t i = 0; i < x->n; i++) {
		build_row(b, x->at[i] / 2);
		vec_push(y, map_lit(b, x->at[i]));
	}
}

static void rebuild(struct sharer *s)
{
	struct circuit *c = s->c;
	struct builder b = {.s = s};
	b.map = NEW_ARRAY(lit_t, s->rows.n);
	b.done = NEW_ARRAY(uint8_t, s->rows.n);
	circuit_begin(&b.d, c->fluents, c->moves);
	for (uint32_t i = 0; i < c->gates.n; i++)
		if (c->gates.at[i].kind < GATE_AND) {
			b.map[i] = i * 2;
			b.done[i] = 2;
		} else if (c->gates.at[i].kind == GATE_LOOP) {
			b.map[i] = circuit_loop_node(&b.d, c->gates.at[i].n);
			b.done[i] = 2;
		}
	build_outputs(&b, &c->legal, &b.d.legal);
	build_outputs(&b, &c->next, &b.d.next);
	build_outputs(&b, &c->goals, &b.d.goals);
	build_outputs(&b, &c->percepts, &b.d.percepts);
	build_row(&b, c->terminal / 2);
	b.d.terminal = map_lit(&b, c->terminal);
	for (size_t k = 0, block = 0; block + 1 < c->loops.n; block++) {
		for (; k < c->loops.at[block + 1]; k++) {
			build_row(&b, c->members.at[k].definition / 2);
			struct loop_member m = {b.map[c->members.at[k].node] / 2, map_lit(&b, c->members.at[k].definition)};
			vec_push(&b.d.members, m);
		}
		vec_push(&b.d.loops, narrow32(b.d.members.n));
	}
	for (size_t a = 0; a < c->atoms.n; a++) {
		lit_t l = c->atoms.at[a];
		vec_push(&b.d.atoms, l != LIT_NONE && b.done[l / 2] == 2 ? map_lit(&b, l) : LIT_NONE);
	}
	circuit_free(c);
	*c = b.d;
	mem_free(b.map);
	mem_free(b.done);
	vec_free(&b.stack);
	vec_free(&b.in);
}

void circuit_extract_pairs(struct circuit *c)
{
	if (!c->inputs.n) /* no gate has anything to share */
		return;
	struct sharer s = {.c = c, .bucket_count = 1024};
	s.buckets = mem_zalloc(s.bucket_count, sizeof *s.buckets);
	for (size_t i = 0; i < c->gates.n; i++) {
		const struct gate *g = &c->gates.at[i];
		bool list = g->kind == GATE_AND || g->kind == GATE_OR;
		struct row r = {narrow32(s.pool.n), list ? g->n : 0, g->kind};
		for (uint32_t k = 0; k < r.n; k++)
			vec_push(&s.pool, c->inputs.at[g->in + k]);
		vec_push(&s.rows, r);
	}
	share_kind(&s, GATE_OR);
	share_kind(&s, GATE_AND);
	rebuild(&s);
	for (uint32_t i = 0; i < s.bucket_count; i++)
		vec_free(&s.buckets[i]);
	mem_free(s.buckets);
	vec_free(&s.rows);
	vec_free(&s.pool);
	vec_free(&s.pairs);
	vec_free(&s.where);
	vec_free(&s.places);
	table_free(&s.index);
}

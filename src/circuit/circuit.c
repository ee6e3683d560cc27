/* Makes gates from the ground program, each stored once; marks what is needed; folds constants. */
#include "circuit/circuit.h"

#include "base/check.h"
#include "circuit/cone.h"
#include "graph/scc.h"

#include <string.h>

/* ---- gates, each once ----------------------------------------------------- */

static uint32_t add_node(struct circuit *c, enum gate_kind kind, uint32_t n, uint32_t in)
{
	struct gate g = {kind, n, in};
	vec_push(&c->gates, g);
	return narrow32(c->gates.n) - 1;
}

/* Sorts, drops twins and neutral elements. Returns the number left, or
 * UINT32_MAX when the whole is the dominating constant. */
static uint32_t normalise(lit_t *l, uint32_t n, lit_t neutral)
{
	uint32_t k = 0;
	if (n == 2) {
		if (l[0] > l[1]) {
			lit_t t = l[0];
			l[0] = l[1];
			l[1] = t;
		}
	} else if (n > 2) {
		sort_numbers(l, n);
	}
	for (uint32_t i = 0; i < n; i++) {
		if (l[i] == (neutral ^ 1) || (k && l[k - 1] == (l[i] ^ 1)))
			return UINT32_MAX;
		if (l[i] != neutral && (!k || l[k - 1] != l[i]))
			l[k++] = l[i];
	}
	return k;
}

lit_t circuit_gate(struct circuit *c, enum gate_kind kind, lit_t *l, uint32_t n)
{
	lit_t neutral = kind == GATE_AND ? LIT_TRUE : LIT_FALSE;
	n = normalise(l, n, neutral);
	if (n == UINT32_MAX)
		return neutral ^ 1;
	if (n == 0)
		return neutral;
	if (n == 1)
		return l[0];
	uint64_t h = hash_join(hash_words(l, n), kind);
	uint32_t it, id;
	for (table_start(&c->index, h, &it); (id = table_next(&c->index, h, &it)) != TABLE_NONE;) {
		const struct gate *g = &c->gates.at[id];
		if (g->kind == kind && g->n == n && !memcmp(c->inputs.at + g->in, l, n * sizeof *l))
			return id * 2;
	}
	uint32_t in = narrow32(c->inputs.n);
	for (uint32_t i = 0; i < n; i++)
		vec_push(&c->inputs, l[i]);
	id = add_node(c, kind, n, in);
	table_add(&c->index, h, id);
	return id * 2;
}

lit_t circuit_loop_node(struct circuit *c, uint32_t block)
{
	return add_node(c, GATE_LOOP, block, 0) * 2;
}

void circuit_begin(struct circuit *c, uint32_t fluents, uint32_t moves)
{
	*c = (struct circuit){.fluents = fluents, .moves = moves};
	vec_reserve(&c->gates, 1 + fluents + moves);
	add_node(c, GATE_FALSE, 0, 0);
	for (uint32_t i = 0; i < fluents; i++)
		add_node(c, GATE_FLUENT, 0, 0);
	for (uint32_t i = 0; i < moves; i++)
		add_node(c, GATE_MOVE, 0, 0);
	vec_push(&c->loops, 0);
}

/* ---- what must hold of it --------------------------------------------------- */

__attribute__((unused)) static uint32_t find_gate(const struct circuit *c, const struct gate *g)
{
	const lit_t *in = c->inputs.at + g->in;
	uint64_t h = hash_join(hash_words(in, g->n), g->kind);
	uint32_t it, id;
	for (table_start(&c->index, h, &it); (id = table_next(&c->index, h, &it)) != TABLE_NONE;)
		if (c->gates.at[id].kind == g->kind && c->gates.at[id].n == g->n &&
		    !memcmp(c->inputs.at + c->gates.at[id].in, in, g->n * sizeof *in))
			break;
	return id;
}

static void check_gate(const struct circuit *c, uint32_t node)
{
	const struct gate *g = &c->gates.at[node];
	bool given = node <= c->fluents + c->moves;
	assert(given == (g->kind <= GATE_MOVE));
	assert(!given || g->kind == (!node ? GATE_FALSE : node <= c->fluents ? GATE_FLUENT : GATE_MOVE));
	if (g->kind == GATE_LOOP)
		assert(g->n + 1 < c->loops.n);
	if (g->kind != GATE_AND && g->kind != GATE_OR)
		return;
	assert(g->n >= 2 && g->in + g->n <= c->inputs.n);
	for (uint32_t k = 0; k < g->n; k++) {
		lit_t l = c->inputs.at[g->in + k];
		assert(l / 2 < node); /* so there is no circle */
		assert(!k || c->inputs.at[g->in + k - 1] / 2 < l / 2);
	}
	assert(find_gate(c, g) == node); /* the first of its kind is the only one */
}

static void check_outputs(const struct circuit *c, const lit_t *l, size_t n)
{
	for (size_t i = 0; i < n; i++)
		assert(l[i] / 2 < c->gates.n || l[i] == LIT_NONE);
}

void circuit_check(const struct circuit *c)
{
	for (uint32_t node = 0; node < c->gates.n; node++)
		check_gate(c, node);
	assert(!c->loops.at[0] && vec_last(&c->loops) == c->members.n);
	for (size_t b = 0; b + 1 < c->loops.n; b++)
		for (uint32_t k = c->loops.at[b]; k < c->loops.at[b + 1]; k++) {
			assert(c->gates.at[c->members.at[k].node].kind == GATE_LOOP && c->gates.at[c->members.at[k].node].n == b);
			assert(c->members.at[k].definition / 2 < c->gates.n);
		}
	assert(c->next.n == c->fluents && c->legal.n == c->moves);
	check_outputs(c, c->next.at, c->next.n);
	check_outputs(c, c->legal.at, c->legal.n);
	check_outputs(c, c->goals.at, c->goals.n);
	check_outputs(c, c->percepts.at, c->percepts.n);
	check_outputs(c, &c->terminal, 1);
}

/* ---- sums of products, factored -------------------------------------------
 *
 * An atom with rules a.b + a.c + d becomes a.(b + c) + d: the most frequent
 * literal is taken out, again and again. Fewer gates, and often a gate that
 * other atoms have too. */
struct cube {
	uint32_t at, n; /* sums->lits */
};

struct sums {
	struct circuit *c;
	VEC(lit_t) lits;
	VEC(struct cube) cubes;
	uint32_t *count; /* by literal, zero between uses */
	size_t count_size;
	VEC(lit_t) seen;
	bool plain; /* no factoring */
};

#define FACTOR_LIMIT 4096 /* cubes; larger sums are left flat */

static lit_t most_frequent(struct sums *s, size_t from, size_t to)
{
	lit_t best = LIT_FALSE;
	uint32_t most = 1;
	vec_clear(&s->seen);
	for (size_t i = from; i < to; i++)
		for (uint32_t k = 0; k < s->cubes.at[i].n; k++) {
			lit_t l = s->lits.at[s->cubes.at[i].at + k];
			if (!s->count[l]++)
				vec_push(&s->seen, l);
			if (s->count[l] > most || (s->count[l] == most && most > 1 && l < best)) {
				most = s->count[l];
				best = l;
			}
		}
	for (size_t i = 0; i < s->seen.n; i++)
		s->count[s->seen.at[i]] = 0;
	return best;
}

static lit_t flat_cube(struct sums *s, struct cube q)
{
	return circuit_gate(s->c, GATE_AND, s->lits.at + q.at, q.n);
}

/* The sum of cubes [from, end of list); takes them off the list. */
static lit_t factor(struct sums *s, size_t from)
{
	VEC(lit_t) terms = {0};
	while (s->cubes.n > from) {
		size_t count = s->cubes.n - from;
		lit_t l = count == 1 || count > FACTOR_LIMIT || s->plain ? LIT_FALSE : most_frequent(s, from, s->cubes.n);
		if (l == LIT_FALSE) {
			while (s->cubes.n > from)
				vec_push(&terms, flat_cube(s, vec_pop(&s->cubes)));
			break;
		}
		/* cubes without l to the front; those with it, less it, behind */
		size_t keep = from, end = s->cubes.n;
		VEC(struct cube) with = {0};
		for (size_t i = from; i < end; i++) {
			struct cube q = s->cubes.at[i];
			lit_t *at = s->lits.at + q.at;
			uint32_t k = 0;
			while (k < q.n && at[k] != l)
				k++;
			if (k < q.n) {
				at[k] = at[--q.n];
				vec_push(&with, q);
			} else {
				s->cubes.at[keep++] = q;
			}
		}
		s->cubes.n = keep;
		for (size_t i = 0; i < with.n; i++)
			vec_push(&s->cubes, with.at[i]);
		vec_free(&with);
		lit_t pair[2] = {l, factor(s, keep)};
		vec_push(&terms, circuit_gate(s->c, GATE_AND, pair, 2));
	}
	lit_t sum = circuit_gate(s->c, GATE_OR, terms.at, narrow32(terms.n));
	vec_free(&terms);
	return sum;
}

/* ---- from the ground program ---------------------------------------------- */

struct maker {
	const struct ground *g;
	struct sums sums;
	lit_t *value; /* by atom */
};

/* Puts the body of a rule on the list; false: it can never hold, or supports
 * its own head. */
static bool push_cube(struct maker *m, uint32_t rule, atom_t head)
{
	const struct ground *g = m->g;
	struct sums *s = &m->sums;
	struct cube q = {narrow32(s->lits.n), 0};
	for (uint32_t k = g->rule.at[rule]; k < g->rule.at[rule + 1]; k++) {
		uint32_t l = g->body.at[k];
		if (l == head * 2)
			return false;
		vec_push(&s->lits, m->value[l / 2] ^ (l & 1));
	}
	q.n = normalise(s->lits.at + q.at, (uint32_t)(s->lits.n - q.at), LIT_TRUE);
	if (q.n == UINT32_MAX)
		return false;
	s->lits.n = q.at + q.n;
	vec_push(&s->cubes, q);
	return true;
}

/* Makes room to count the literals that there are now. */
static void reserve_counts(struct sums *s)
{
	size_t nodes = s->c->gates.n * 2;
	if (nodes <= s->count_size)
		return;
	s->count = mem_resize(s->count, nodes * 2, sizeof *s->count);
	memset(s->count + s->count_size, 0, (nodes * 2 - s->count_size) * sizeof *s->count);
	s->count_size = nodes * 2;
}

static void sums_free(struct sums *s)
{
	mem_free(s->count);
	vec_free(&s->lits);
	vec_free(&s->cubes);
	vec_free(&s->seen);
}

lit_t circuit_sum(struct circuit *c, const lit_t *l, const uint32_t *ends, uint32_t n)
{
	struct sums s = {.c = c};
	bool always = false;
	for (uint32_t i = 0, k = 0; i < n && !always; i++) {
		struct cube q = {narrow32(s.lits.n), 0};
		for (; k < ends[i]; k++)
			vec_push(&s.lits, l[k]);
		q.n = normalise(s.lits.at + q.at, (uint32_t)(s.lits.n - q.at), LIT_TRUE);
		always = !q.n;
		if (q.n != UINT32_MAX)
			vec_push(&s.cubes, q);
	}
	reserve_counts(&s);
	lit_t sum = always ? LIT_TRUE : factor(&s, 0);
	sums_free(&s);
	return sum;
}

static lit_t define(struct maker *m, atom_t a)
{
	struct sums *s = &m->sums;
	vec_clear(&s->lits);
	vec_clear(&s->cubes);
	for (uint32_t i = m->g->first.at[a]; i < m->g->first.at[a + 1]; i++) {
		size_t size = s->lits.n;
		if (!push_cube(m, i, a))
			s->lits.n = size;
		else if (!vec_last(&s->cubes).n)
			return LIT_TRUE;
	}
	reserve_counts(s);
	return factor(s, 0);
}

static void define_loop(struct maker *m, const atom_t *atoms, uint32_t count)
{
	struct circuit *c = m->sums.c;
	uint32_t block = narrow32(c->loops.n) - 1;
	for (uint32_t i = 0; i < count; i++)
		m->value[atoms[i]] = circuit_loop_node(c, block);
	for (uint32_t i = 0; i < count; i++) {
		struct loop_member x = {m->value[atoms[i]] / 2, define(m, atoms[i])};
		vec_push(&c->members, x);
	}
	vec_push(&c->loops, narrow32(c->members.n));
}

static void define_all(struct maker *m)
{
	const struct ground *g = m->g;
	uint32_t *start = mem_alloc(g->atoms + 1, sizeof *start);
	uint32_t *component = mem_alloc(g->atoms + 1, sizeof *component);
	for (uint32_t a = 0; a <= g->atoms; a++)
		start[a] = g->rule.at[g->first.at[a]];
	uint32_t count = graph_components(g->atoms, start, g->body.at, 1, component);
	/* atoms sorted by component, start[] reused */
	uint32_t *order = mem_alloc(g->atoms + 1, sizeof *order), *at = mem_zalloc(count + 2, sizeof *at);
	for (uint32_t a = 0; a < g->atoms; a++)
		at[component[a] + 2]++;
	for (uint32_t i = 0; i < count; i++)
		at[i + 2] += at[i + 1];
	for (uint32_t a = 0; a < g->atoms; a++)
		order[at[component[a] + 1]++] = a;
	uint32_t given = (uint32_t)(g->fluents.n + g->moves.n);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t n = at[i + 1] - at[i];
		atom_t a = order[at[i]];
		if (n > 1)
			define_loop(m, order + at[i], n);
		else if (a >= given)
			m->value[a] = define(m, a);
	}
	mem_free(start);
	mem_free(component);
	mem_free(order);
	mem_free(at);
}

static lit_t value_of(const struct maker *m, atom_t a)
{
	return a == ATOM_NONE ? LIT_FALSE : m->value[a];
}

static void make(struct circuit *c, const struct ground *g, bool plain)
{
	uint32_t fluents = narrow32(g->fluents.n), moves = narrow32(g->moves.n);
	struct maker m = {.g = g, .sums = {.c = c, .plain = plain}};
	circuit_begin(c, fluents, moves);
	m.value = NEW_ARRAY(lit_t, g->atoms + 1);
	for (uint32_t i = 0; i < fluents + moves; i++)
		m.value[i] = (1 + i) * 2;
	define_all(&m);
	for (uint32_t i = 0; i < fluents; i++)
		vec_push(&c->next, value_of(&m, g->next.at[i]));
	for (size_t i = 0; i < moves; i++)
		vec_push(&c->legal, value_of(&m, g->moves.at[i].atom));
	for (size_t i = 0; i < g->goals.n; i++)
		vec_push(&c->goals, value_of(&m, g->goals.at[i].atom));
	for (size_t i = 0; i < g->percepts.n; i++)
		vec_push(&c->percepts, value_of(&m, g->percepts.at[i].atom));
	c->terminal = value_of(&m, g->terminal);
	for (uint32_t a = 0; a < g->atoms; a++)
		vec_push(&c->atoms, m.value[a]);
	mem_free(m.value);
	sums_free(&m.sums);
	CHECK(circuit_check(c));
}

void circuit_make(struct circuit *c, const struct ground *g)
{
	make(c, g, false);
}

void circuit_make_plain(struct circuit *c, const struct ground *g)
{
	make(c, g, true);
}

void circuit_free(struct circuit *c)
{
	vec_free(&c->gates);
	vec_free(&c->inputs);
	table_free(&c->index);
	vec_free(&c->loops);
	vec_free(&c->members);
	vec_free(&c->next);
	vec_free(&c->legal);
	vec_free(&c->goals);
	vec_free(&c->percepts);
	vec_free(&c->atoms);
}

/* ---- constants --------------------------------------------------------------- */

static lit_t mapped(const lit_t *map, lit_t l)
{
	return map[l / 2] ^ (l & 1);
}

typedef VEC(lit_t) lit_list;

static void map_list(const lit_t *map, const void *from, void *to)
{
	const lit_list *a = from;
	lit_list *b = to;
	vec_clear(b);
	for (size_t i = 0; i < a->n; i++)
		vec_push(b, mapped(map, a->at[i]));
}

void circuit_specialise(struct circuit *d, const struct circuit *c, const uint8_t *fluents, const uint8_t *moves)
{
	struct cone need;
	lit_t *map = NEW_ARRAY(lit_t, c->gates.n);
	VEC(lit_t) in = {0};
	cone_begin(&need, c);
	cone_add_outputs(&need);
	circuit_begin(d, c->fluents, c->moves);
	for (uint32_t i = 1; i < 1 + c->fluents + c->moves; i++) {
		uint8_t known = i <= c->fluents ? fluents[i - 1] : moves ? moves[i - 1 - c->fluents] : OPEN;
		map[i] = known == OPEN ? i * 2 : known == YES ? LIT_TRUE : LIT_FALSE;
	}
	for (uint32_t i = 1 + c->fluents + c->moves; i < c->gates.n; i++) {
		const struct gate *g = &c->gates.at[i];
		if (!need.in[i])
			continue;
		if (g->kind == GATE_LOOP) {
			map[i] = circuit_loop_node(d, g->n);
			continue;
		}
		vec_clear(&in);
		for (uint32_t k = 0; k < g->n; k++)
			vec_push(&in, mapped(map, c->inputs.at[g->in + k]));
		map[i] = circuit_gate(d, g->kind, in.at, narrow32(in.n));
	}
	/* A block is needed as a whole or not at all; numbers of blocks stay. */
	for (size_t b = 0; b + 1 < c->loops.n; b++) {
		for (uint32_t k = c->loops.at[b]; k < c->loops.at[b + 1]; k++) {
			struct loop_member x = c->members.at[k];
			if (!need.in[x.node])
				continue;
			x = (struct loop_member){map[x.node] / 2, mapped(map, x.definition)};
			vec_push(&d->members, x);
		}
		vec_push(&d->loops, narrow32(d->members.n));
	}
	map_list(map, &c->next, &d->next);
	map_list(map, &c->legal, &d->legal);
	map_list(map, &c->goals, &d->goals);
	map_list(map, &c->percepts, &d->percepts);
	d->terminal = mapped(map, c->terminal);
	for (size_t a = 0; a < c->atoms.n; a++)
		vec_push(&d->atoms,
		         c->atoms.at[a] != LIT_NONE && need.in[c->atoms.at[a] / 2] ? mapped(map, c->atoms.at[a]) : LIT_NONE);
	cone_free(&need);
	mem_free(map);
	vec_free(&in);
}

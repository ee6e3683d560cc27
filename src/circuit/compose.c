/* Composition: all moves of the role are first taken to be not made; for each move in turn, what differs when
 * it is made is then found gate by gate, first in the rules of the next state, then in those of the end and in the
 * threat. That the present state is no end is used too: what would have made it one does not hold. */
#include "circuit/decisive_internal.h"

#include "circuit/exclusive.h"

#define MOST_GATES(n) (16 * (n) + 20000) /* with those made on the way, from n */
#define MOST_WORK ((size_t)14 << 20)

enum { NO_WAY, GROWS, SHRINKS };

/* False: there is recursion in it. */
static bool ask(struct part *p, lit_t l)
{
	cone_add(&p->asked, l);
	return !p->asked.loops;
}

static void part_begin(struct part *p, const struct circuit *c)
{
	size_t n = c->gates.n;
	p->c = c;
	cone_begin(&p->asked, c);
	p->changed = mem_zalloc(n, 1);
	p->idle = NEW_ARRAY(lit_t, n);
	p->now = NEW_ARRAY(lit_t, n);
	p->way = NEW_ARRAY(uint8_t, n);
	p->by = NEW_ARRAY(lit_t, n);
}

static void part_list(struct part *p, uint32_t size)
{
	for (uint32_t i = 1; i < size; i++)
		if (p->asked.in[i])
			vec_push(&p->nodes, i);
}

static void part_end(struct part *p)
{
	vec_free(&p->nodes);
	cone_free(&p->asked);
	mem_free(p->changed);
	mem_free(p->idle);
	mem_free(p->now);
	mem_free(p->way);
	mem_free(p->by);
}

/* The alternatives of an end, none of which holds as long as we play. */
static void note_false(struct composer *a, lit_t l)
{
	const struct gate *g = &a->c->gates.at[l / 2];
	a->false_now[l] = 1;
	if (g->kind == ((l & 1) ? GATE_AND : GATE_OR))
		for (uint32_t k = 0; k < g->n; k++)
			note_false(a, a->c->inputs.at[g->in + k] ^ (l & 1));
}

static lit_t known(const struct composer *a, lit_t l)
{
	if (l / 2 >= a->size)
		return l;
	return a->false_now[l] ? LIT_FALSE : a->false_now[l ^ 1] ? LIT_TRUE : l;
}

#define MOST_FACTS 24 /* that follow from them and are looked at */

/* What holds when some literals do. */
struct fact_list {
	lit_t at[MOST_FACTS];
	uint32_t n;
};

static void note_facts(const struct circuit *c, lit_t l, struct fact_list *facts)
{
	const struct gate *g = &c->gates.at[l / 2];
	if (facts->n < MOST_FACTS)
		facts->at[facts->n++] = l;
	if (is_list(g, l, GATE_AND) && g->n <= NARROW)
		for (uint32_t k = 0; k < g->n; k++)
			note_facts(c, c->inputs.at[g->in + k] ^ (l & 1), facts);
}

/* Are they two fluents of one group? */
static bool rivals(const struct composer *a, lit_t x, lit_t y)
{
	const uint32_t *group = a->j->group;
	uint32_t f = x / 2 - 1, g = y / 2 - 1;
	if (x & 1 || y & 1 || f == g || f >= a->c->fluents || g >= a->c->fluents) /* the constant wraps around */
		return false;
	return group[f] != EXCLUSIVE_NONE && group[f] == group[g];
}

static bool exclude(const struct composer *a, lit_t x, lit_t y)
{
	return x == (y ^ 1) || rivals(a, x, y);
}

static bool agree(const struct composer *a, const struct fact_list *x, const struct fact_list *y)
{
	for (uint32_t i = 0; i < x->n; i++)
		for (uint32_t k = 0; k < y->n; k++)
			if (exclude(a, x->at[i], y->at[k]))
				return false;
	return true;
}

static bool agree_literals(const struct composer *a, lit_t x, lit_t y)
{
	struct fact_list of_x = {.n = 0}, of_y = {.n = 0};
	note_facts(a->c, x, &of_x);
	note_facts(a->c, y, &of_y);
	return agree(a, &of_x, &of_y);
}

bool compose_agree(const struct composer *a, lit_t x, lit_t y)
{
	const struct gate *g = &a->c->gates.at[y / 2];
	if (!is_list(g, y, GATE_OR) || g->n > NARROW)
		return agree_literals(a, x, y);
	for (uint32_t k = 0; k < g->n; k++)
		if (agree_literals(a, x, a->c->inputs.at[g->in + k] ^ (y & 1)))
			return true;
	return false;
}

static bool follows(const struct composer *a, lit_t l, const struct fact_list *facts)
{
	for (uint32_t i = 0; i < facts->n; i++)
		if (exclude(a, facts->at[i], l ^ 1))
			return true;
	return false;
}

/* Need not be said beside a rival of the fluent that it denies. */
static bool idle_denial(const struct composer *a, lit_t l, const struct fact_list *facts)
{
	for (uint32_t i = 0; i < facts->n; i++)
		if (rivals(a, facts->at[i], l ^ 1))
			return true;
	return false;
}

/* A sum beside facts: alternatives that contradict them go, when only one is left; else the sum may be needed elsewhere
 * as it is. */
static lit_t simpler_sum(struct composer *a, lit_t l, const struct fact_list *facts)
{
	const struct gate *g = &a->c->gates.at[l / 2];
	lit_t left[NARROW];
	uint32_t n = 0;
	for (uint32_t k = 0; k < g->n; k++) {
		lit_t x = a->c->inputs.at[g->in + k] ^ (l & 1);
		struct fact_list own = {.n = 0};
		if (follows(a, x, facts))
			return LIT_TRUE;
		note_facts(a->c, x, &own);
		if (agree(a, &own, facts))
			left[n++] = x;
	}
	return n > 1 ? l : n ? left[0] : LIT_FALSE;
}

/* Simplifies an AND by what its inputs say of one another. False: they contradict. */
static bool simplify(struct composer *a, lit_t *in, uint32_t n)
{
	struct fact_list facts = {.n = 0};
	if (n > NARROW)
		return true;
	for (uint32_t k = 0; k < n; k++)
		note_facts(a->c, in[k], &facts);
	for (uint32_t k = 0; k < n; k++) {
		const struct gate *g = &a->c->gates.at[in[k] / 2];
		if (is_list(g, in[k], GATE_OR) && g->n <= NARROW)
			in[k] = simpler_sum(a, in[k], &facts);
		else if (idle_denial(a, in[k], &facts))
			in[k] = LIT_TRUE;
	}
	return agree(a, &facts, &facts);
}

lit_t compose_gate(struct composer *a, enum gate_kind kind, lit_t *in, uint32_t n)
{
	lit_t negate = kind == GATE_OR;
	for (uint32_t k = 0; k < n; k++)
		in[k] ^= negate;
	if (!simplify(a, in, n))
		return LIT_FALSE ^ negate;
	for (uint32_t k = 0; k < n; k++)
		in[k] ^= negate;
	return known(a, circuit_gate(a->c, kind, in, n));
}

static lit_t gate_value(struct composer *a, const struct part *p, uint32_t i)
{
	const struct gate *g = &p->c->gates.at[i];
	vec_clear(&a->in);
	for (uint32_t k = 0; k < g->n; k++)
		vec_push(&a->in, compose_value(p, p->c->inputs.at[g->in + k]));
	return compose_gate(a, g->kind, a->in.at, narrow32(a->in.n));
}

static bool inputs_changed(const struct part *p, uint32_t i)
{
	const struct gate *g = &p->c->gates.at[i];
	for (uint32_t k = 0; k < g->n; k++)
		if (p->changed[p->c->inputs.at[g->in + k] / 2])
			return true;
	return false;
}

static uint32_t role_of(const struct composer *a, uint32_t move)
{
	uint32_t r = 0;
	while (move >= a->j->role_moves[r + 1])
		r++;
	return r;
}

/* A role without a choice makes its one legal move. */
static lit_t other_move(struct composer *a, uint32_t m)
{
	lit_t legal = a->j->legal[m];
	return a->choice ? both(a->c, GATE_AND, legal, a->choice[role_of(a, m)] ^ 1) : legal;
}

static lit_t input_value(struct composer *a, const struct part *p, uint32_t i, uint32_t move)
{
	uint32_t m = i - 1 - p->c->fluents;
	if (p != &a->next) /* a fluent there is what the rules of the next state make of it */
		return i <= p->c->fluents ? known(a, compose_value(&a->next, a->c->next.at[i - 1])) : LIT_FALSE;
	if (i <= p->c->fluents)
		return known(a, i * 2);
	if (m >= a->j->first_move && m < a->j->end_move)
		return i == move ? LIT_TRUE : LIT_FALSE;
	return other_move(a, m);
}

/* Values with no move made, for a start. */
static void evaluate_idle(struct composer *a, struct part *p)
{
	for (size_t k = 0; k < p->nodes.n; k++) {
		uint32_t i = p->nodes.at[k], inputs = 1 + p->c->fluents + p->c->moves;
		p->idle[i] = i < inputs ? input_value(a, p, i, 0) : gate_value(a, p, i);
	}
	*a->j->work += p->nodes.n;
}

static uint8_t way_of(const struct part *p, lit_t l)
{
	uint8_t way = p->way[l / 2];
	return l & 1 && way ? GROWS + SHRINKS - way : way;
}

/* The way of all inputs that changed, when there is one way. */
static uint8_t common_way(const struct part *p, const struct gate *g)
{
	uint8_t way = NO_WAY;
	for (uint32_t k = 0; k < g->n; k++) {
		lit_t l = p->c->inputs.at[g->in + k];
		if (!p->changed[l / 2])
			continue;
		if (!way_of(p, l) || (way && way_of(p, l) != way))
			return NO_WAY;
		way = way_of(p, l);
	}
	return way;
}

#define MOST_CHANGED 6 /* inputs of one gate */

/* An AND grows where one of its inputs grows and the others are there; an OR by whatever its inputs grow by; the other
 * two cases are the same with everything negated. */
static void find_way(struct composer *a, struct part *p, uint32_t i)
{
	const struct gate g = p->c->gates.at[i]; /* the circuit may be the one that grows */
	uint8_t way = common_way(p, &g);
	bool sum = (g.kind == GATE_OR) == (way == GROWS);
	lit_t by = LIT_FALSE;
	uint32_t changed = 0;
	for (uint32_t k = g.in; k < g.in + g.n && way; k++) {
		lit_t l = p->c->inputs.at[k];
		if (!p->changed[l / 2])
			continue;
		vec_clear(&a->in);
		vec_push(&a->in, p->by[l / 2]);
		for (uint32_t o = g.in; o < g.in + g.n && !sum; o++)
			if (o != k)
				vec_push(&a->in, compose_value(p, p->c->inputs.at[o]) ^ (way == SHRINKS));
		by = both(a->c, GATE_OR, by, compose_gate(a, GATE_AND, a->in.at, narrow32(a->in.n)));
		if (++changed > MOST_CHANGED && !sum)
			way = NO_WAY;
	}
	p->way[i] = way;
	p->by[i] = by;
}

/* The value of a fluent or a move when this move is made, and how it came to it. */
static lit_t changed_input(struct composer *a, struct part *p, uint32_t i, uint32_t move)
{
	bool fluent = i <= p->c->fluents;
	lit_t from = fluent ? a->c->next.at[i - 1] : LIT_FALSE;
	p->way[i] = fluent && p != &a->next ? way_of(&a->next, from) : !fluent && i == move ? GROWS : NO_WAY;
	p->by[i] = fluent && p != &a->next ? a->next.by[from / 2] : LIT_TRUE;
	return input_value(a, p, i, move);
}

/* Sees the way from the values: one is the other and something more. */
static void compare(struct composer *a, struct part *p, uint32_t i, lit_t now)
{
	const struct gate *g = &a->c->gates.at[now / 2];
	lit_t before = p->idle[i] ^ (now & 1);
	bool there = false;
	if (g->kind != GATE_AND && g->kind != GATE_OR)
		return;
	vec_clear(&a->in);
	for (uint32_t k = 0; k < g->n; k++) {
		lit_t l = a->c->inputs.at[g->in + k];
		there |= l == before;
		if (l != before)
			vec_push(&a->in, l);
	}
	if (!there)
		return;
	enum gate_kind kind = g->kind;
	p->way[i] = (kind == GATE_OR) == !(now & 1) ? GROWS : SHRINKS;
	p->by[i] = circuit_gate(a->c, kind, a->in.at, narrow32(a->in.n)) ^ (kind == GATE_AND);
}

/* Of what never held, only what it grew by is left. */
static lit_t changed_gate(struct composer *a, struct part *p, uint32_t i)
{
	if (p == &a->threat)
		return gate_value(a, p, i);
	find_way(a, p, i);
	if (p->way[i] == GROWS && p->idle[i] == LIT_FALSE)
		return known(a, p->by[i]);
	if (p->way[i] == SHRINKS && p->idle[i] == LIT_TRUE)
		return known(a, p->by[i] ^ 1);
	lit_t now = gate_value(a, p, i);
	if (!p->way[i])
		compare(a, p, i, now);
	return now;
}

/* What differs when this move is made. */
static void evaluate_move(struct composer *a, struct part *p, uint32_t move)
{
	for (size_t k = 0; k < p->nodes.n; k++) {
		uint32_t i = p->nodes.at[k], inputs = 1 + p->c->fluents + p->c->moves;
		p->changed[i] = 0;
		if (i >= inputs && !inputs_changed(p, i))
			continue;
		p->now[i] = i < inputs ? changed_input(a, p, i, move) : changed_gate(a, p, i);
		p->changed[i] = p->now[i] != p->idle[i];
	}
	*a->j->work += p->nodes.n;
}

/* ---- beginning and end ------------------------------------------------------------------- */

static lit_t tree(struct circuit *c, enum gate_kind kind, lit_t *l, uint32_t n)
{
	return n <= 2 ? circuit_gate(c, kind, l, n)
	              : both(c, kind, tree(c, kind, l, n / 2), tree(c, kind, l + n / 2, n - n / 2));
}

/* The cone of the threat with narrow gates: where few inputs of a wide gate change, most of its tree stays and
 * is shared. */
static void narrow_threat(struct composer *a, const struct cone *x)
{
	const struct circuit *c = a->j->after;
	lit_t *map = NEW_ARRAY(lit_t, c->gates.n + 1);
	circuit_begin(&a->narrow, c->fluents, c->moves);
	for (uint32_t i = 0; i < c->gates.n; i++) {
		const struct gate *g = &c->gates.at[i];
		map[i] = i * 2;
		if (i < 1 + c->fluents + c->moves || !x->in[i])
			continue;
		vec_clear(&a->in);
		for (uint32_t k = 0; k < g->n; k++)
			vec_push(&a->in, map[c->inputs.at[g->in + k] / 2] ^ (c->inputs.at[g->in + k] & 1));
		map[i] = tree(&a->narrow, g->kind, a->in.at, narrow32(a->in.n));
	}
	a->threatened = map[a->j->threat / 2] ^ (a->j->threat & 1);
	mem_free(map);
}

/* False: there is recursion in it. */
static bool begin_threat(struct composer *a)
{
	struct cone x;
	if (!a->j->after)
		return true;
	cone_begin(&x, a->j->after);
	cone_add(&x, a->j->threat);
	bool plain = !x.loops;
	if (plain) {
		narrow_threat(a, &x);
		part_begin(&a->threat, &a->narrow);
		ask(&a->threat, a->threatened);
	}
	cone_free(&x);
	return plain;
}

static bool ask_all(struct composer *a, const struct decisive_job *j)
{
	bool plain = begin_threat(a) && ask(&a->end, j->rules->terminal);
	for (uint32_t i = 0; i < j->best_count && plain; i++)
		plain = ask(&a->end, j->best[i]);
	for (uint32_t i = 0; i < j->worst_count && plain; i++)
		plain = ask(&a->end, j->worst[i]);
	for (uint32_t i = 0; i < j->shared_count && plain; i++)
		plain = ask(&a->end, j->shared[i]);
	for (uint32_t f = 0; f < a->c->fluents && plain; f++) {
		uint32_t node = circuit_fluent(a->c, f);
		if (a->end.asked.in[node] || (a->threat.c && a->threat.asked.in[node]))
			plain = ask(&a->next, a->c->next.at[f]);
	}
	return plain;
}

/* Moves of a role that may be legal when this one of another role is, two at most. */
static uint32_t open_beside(const struct composer *a, uint32_t move, uint32_t role)
{
	const struct decisive_job *j = a->j;
	uint32_t open = 0;
	for (uint32_t m = j->role_moves[role]; m < j->role_moves[role + 1] && open < 2; m++)
		open += j->legal[m] != LIT_FALSE && compose_agree(a, j->legal[move], j->legal[m]);
	return open;
}

bool compose_alone(const struct composer *a, uint32_t move)
{
	for (uint32_t r = 0; r < a->j->roles; r++)
		if (a->j->role_moves[r] != a->j->first_move && open_beside(a, move, r) > 1)
			return false;
	return true;
}

lit_t compose_choice(struct composer *a, uint32_t role)
{
	const struct decisive_job *j = a->j;
	lit_t any = LIT_FALSE, two = LIT_FALSE;
	for (uint32_t m = j->role_moves[role]; m < j->role_moves[role + 1]; m++) {
		two = both(a->c, GATE_OR, two, both(a->c, GATE_AND, any, j->legal[m]));
		any = both(a->c, GATE_OR, any, j->legal[m]);
	}
	return two;
}

/* In a rotation it is known whose turn it is: who can choose beside this role's moves does so at the same time. */
static void find_choices(struct composer *a)
{
	const struct decisive_job *j = a->j;
	bool beside = false;
	for (uint32_t m = j->first_move; m < j->end_move && j->moves; m++)
		beside |= j->moves[m] == OPEN && !compose_alone(a, m);
	if (!beside)
		return;
	a->choice = NEW_ARRAY(lit_t, j->roles);
	for (uint32_t r = 0; r < j->roles; r++)
		a->choice[r] = j->role_moves[r] == j->first_move ? LIT_FALSE : compose_choice(a, r);
}

bool compose_begin(struct composer *a, struct circuit *c, const struct decisive_job *j)
{
	*a = (struct composer){.c = c, .size = narrow32(c->gates.n), .j = j};
	part_begin(&a->next, c);
	part_begin(&a->end, j->rules);
	a->false_now = mem_zalloc(2 * (size_t)a->size, 1);
	note_false(a, c->terminal);
	a->false_now[LIT_FALSE] = 1;
	if (!ask_all(a, j))
		return false;
	find_choices(a);
	part_list(&a->next, a->size);
	part_list(&a->end, narrow32(j->rules->gates.n));
	evaluate_idle(a, &a->next);
	evaluate_idle(a, &a->end);
	if (a->threat.c) {
		part_list(&a->threat, narrow32(a->narrow.gates.n));
		evaluate_idle(a, &a->threat);
	}
	return true;
}

bool compose_move(struct composer *a, uint32_t m)
{
	size_t before = a->c->gates.n;
	evaluate_move(a, &a->next, circuit_move(a->c, m));
	evaluate_move(a, &a->end, 0);
	if (a->threat.c)
		evaluate_move(a, &a->threat, 0);
	*a->j->work += 16 * (a->c->gates.n - before); /* making one takes longer */
	return a->c->gates.n < MOST_GATES((size_t)a->size) && *a->j->work < MOST_WORK;
}

void compose_end(struct composer *a)
{
	part_end(&a->next);
	part_end(&a->end);
	part_end(&a->threat);
	circuit_free(&a->narrow);
	vec_free(&a->in);
	mem_free(a->false_now);
	mem_free(a->choice);
}

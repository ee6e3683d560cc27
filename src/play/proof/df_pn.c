/* The search of proof.h. visit() is the heart: the children of a node are in hand when it is called, made by the pass
 * of its parent; it makes their children, in one pass, so that every child that is new gets numbers which rest on a
 * look at all its moves. Then it goes to the child that promises to settle the question with the least work, until its
 * own numbers exceed the thresholds it was given. */
#include "play/proof/proof_internal.h"

#include <assert.h>

#define CHEAP 1e-3 /* seconds of a pass that is made without a look at the clock */
#define AHEAD 64   /* pairs that a pass costs little more for than for one */

/* ---- numbers ------------------------------------------------------------------------------------- */

/* Bounds that answer the question leave nothing to estimate. */
static bool settle(const struct proof *p, struct node *n)
{
	assert(n->is.low <= n->is.high && n->is.high <= 100);
	bool yes = n->is.low >= p->ask, no = n->is.high < p->ask;
	if (yes || no) {
		n->pn = yes ? 0 : NEVER;
		n->dn = yes ? NEVER : 0;
		n->fresh = false;
	}
	return yes || no;
}

static bool settled(const struct node *n)
{
	return !n->pn || !n->dn;
}

/* Never to be chosen again on this path. */
static bool dead(const struct node *n)
{
	return n->pn == NEVER && n->dn == NEVER;
}

static uint32_t sum(uint32_t a, uint32_t b)
{
	return a == NEVER || b == NEVER ? NEVER : a + b > LARGEST ? LARGEST : a + b;
}

const struct proof_entry *proof_recall(const struct proof *p, struct node *n)
{
	assert(n->is.low <= n->is.high && n->is.high <= 100);
	const struct proof_entry *e = n->count && !n->stopped ? proof_table_find(&p->table, n->key, n->check) : NULL;
	if (e)
		n->is = (struct proved){e->low, e->high, e->far_low, e->far_high};
	return e;
}

/* To refute all these moves, by a guess. The first of very many often shows how to deal with the rest. */
static uint32_t effort(uint32_t moves)
{
	return moves <= 16 ? moves : 16 + (moves - 16) / 8;
}

/* What the table says of a node, or a guess: who has many moves is hard to refute. */
static void number(struct proof *p, struct node *n)
{
	assert(n->is.low <= n->is.high && n->is.high <= 100);
	if (settle(p, n))
		return;
	const struct proof_entry *e = proof_recall(p, n);
	if (settle(p, n))
		return;
	bool known = e && e->ask == p->ask;
	n->fresh = !known && !n->stopped;
	n->pn = n->stopped ? NEVER : known ? e->pn : n->max ? 1 : effort(n->count);
	n->dn = n->stopped ? NEVER : known ? e->dn : n->max ? effort(n->count) : 1;
}

static void number_children(struct proof *p, const struct node *n)
{
	assert(n->is.low <= n->is.high && n->is.high <= 100);
	struct node *children = p->stack.nodes + n->first;
	for (uint32_t i = 0; i < n->count; i++)
		if (!children[i].stopped)
			__builtin_prefetch(&p->table.buckets[children[i].key & p->table.mask]);
	for (uint32_t i = 0; i < n->count; i++)
		number(p, &children[i]);
}

/* ---- from children to their parent ------------------------------------------------------------------- */

/* The mover's number (the least of the children's) and the other one (their sum), whoever the mover is. */
struct pick {
	uint32_t least, second;   /* the mover's number of the child to go to, and of the next best */
	uint32_t sum, most, open; /* the other number: of all, the greatest, and how many are not 0 */
	uint32_t child;           /* to go to; NO_NODE: none */
};

static void weigh(struct pick *k, const struct node *c, uint32_t index, uint32_t mine, uint32_t other, uint32_t *tie)
{
	k->sum = sum(k->sum, other);
	k->most = other > k->most ? other : k->most;
	k->open += other != 0;
	if (settled(c) || dead(c)) {
		k->least = mine < k->least ? mine : k->least;
		return;
	}
	if (k->child == NO_NODE || mine < k->least || (mine == k->least && other < *tie)) {
		k->second = k->child == NO_NODE ? NEVER : k->least;
		k->least = mine;
		k->child = index;
		*tie = other;
	} else if (mine < k->second) {
		k->second = mine;
	}
}

static struct pick pick(const struct node_stack *a, const struct node *n)
{
	assert(n->first != NO_NODE && n->first + n->count <= a->top);
	struct pick k = {.least = NEVER, .second = NEVER, .child = NO_NODE};
	uint32_t tie = 0;
	for (uint32_t i = 0; i < n->count; i++) {
		const struct node *c = &a->nodes[n->first + i];
		weigh(&k, c, n->first + i, n->max ? c->pn : c->dn, n->max ? c->dn : c->pn, &tie);
	}
	/* Moves that are exchanged lead to the same position: a plain sum would count its work many times. */
	if (k.sum != NEVER && k.open)
		k.sum = sum(k.most, k.open - 1);
	return k;
}

static uint8_t later(uint8_t far)
{
	return far < UINT8_MAX ? far + 1 : far;
}

/* The bound that the mover wants, of its best child; the other one holds for all children. Scores are mirrored for the
 * enemy, so that every mover wants more. */
uint32_t proof_bounds_of_children(const struct node_stack *a, const struct node *n, struct proved *out)
{
	assert(n->first != NO_NODE && n->first + n->count <= a->top);
	int low = -1, high = -1;
	uint32_t best = 0;
	uint8_t near = 0, far = 0;
	for (uint32_t i = 0; i < n->count; i++) {
		struct proved c = a->nodes[n->first + i].is;
		int own = n->max ? c.low : 100 - c.high, most = n->max ? c.high : 100 - c.low;
		uint8_t own_far = n->max ? c.far_low : c.far_high, most_far = n->max ? c.far_high : c.far_low;
		if (own > low || (own == low && own_far < near)) {
			low = own;
			near = own_far;
			best = i;
		}
		high = most > high ? most : high;
		far = most_far > far ? most_far : far;
	}
	*out = n->max ? (struct proved){(uint8_t)low, (uint8_t)high, later(near), later(far)}
	              : (struct proved){(uint8_t)(100 - high), (uint8_t)(100 - low), later(far), later(near)};
	return best;
}

/* The tighter bounds of both. */
void proof_tighten(struct proved *to, struct proved by)
{
	bool low = by.low > to->low, high = by.high < to->high;
	if (low || (by.low == to->low && by.far_low < to->far_low)) {
		to->low = by.low;
		to->far_low = by.far_low;
	}
	if (high || (by.high == to->high && by.far_high < to->far_high)) {
		to->high = by.high;
		to->far_high = by.far_high;
	}
}

static struct pick gather(struct proof *p, struct node *n, uint32_t *best)
{
	assert(n->is.low <= n->is.high && n->is.high <= 100);
	struct proved is;
	struct pick k = pick(&p->stack, n);
	*best = proof_bounds_of_children(&p->stack, n, &is);
	proof_tighten(&n->is, is);
	if (n->max ? is.low < n->is.low : is.high > n->is.high)
		*best = NO_BEST; /* the table knew more than the children */
	n->pn = n->max ? k.least : k.sum;
	n->dn = n->max ? k.sum : k.least;
	n->fresh = false;
	settle(p, n);
	return k;
}

/* ---- the search ------------------------------------------------------------------------------------------- */

static uint8_t work_of(uint64_t visits)
{
	uint32_t log = 63 - (uint32_t)__builtin_clzll(visits | 1), half = log && visits >> (log - 1) & 1;
	return (uint8_t)(2 * log + half < 63 ? 2 * log + half : 63);
}

/* What the table knew already stays, where it is tighter. */
static void store(struct proof *p, const struct node *n, uint32_t best, uint64_t visits)
{
	assert(n->is.low <= n->is.high && n->is.high <= 100);
	struct proof_entry *e = proof_table_find(&p->table, n->key, n->check);
	struct proved is = n->is;
	if (!e) {
		e = proof_table_place(&p->table, n->key);
		*e = (struct proof_entry){.check = n->check & CHECK_BITS, .high = 100, .best = NO_BEST};
	}
	proof_tighten(&is, (struct proved){e->low, e->high, e->far_low, e->far_high});
	p->proofs += is.low > e->low || is.high < e->high;
	if (e->best == NO_BEST || (n->max ? is.low > e->low : is.high < e->high))
		e->best = (uint16_t)best;
	e->low = is.low;
	e->high = is.high;
	e->far_low = is.far_low;
	e->far_high = is.far_high;
	e->pn = (n->pn == NEVER && n->dn ? LARGEST : n->pn) & NEVER;
	e->dn = (n->dn == NEVER && n->pn ? LARGEST : n->dn) & NEVER;
	e->ask = p->ask;
	uint8_t work = work_of(visits);
	if (work > e->work)
		e->work = work & 63U;
	e->age = p->table.age & 3U;
}

static bool spent(struct proof *p)
{
	if (p->stack.made >= p->made_limit || limit_reached(&p->budget->limit))
		p->out = p->spent = true;
	if (p->visits >= p->slice_end)
		p->out = true;
	return p->out;
}

/* Is there time for a pass with so many children? In wide games one can take longer than all the time that is left. */
static bool affords(struct proof *p, uint32_t children)
{
	double cost = (double)stack_words(&p->stack, children) * p->stack.per_word;
	if (cost > CHEAP && cost > limit_left(&p->budget->limit))
		p->out = p->spent = true;
	return !p->out;
}

static bool on_path(const struct proof *p, const struct node *n)
{
	assert(n->is.low <= n->is.high && n->is.high <= 100);
	for (uint32_t i = p->depth; i--;)
		if (p->path[i] == n->check)
			return true;
	return false;
}

/* Children whose own children are to be made: those that are new, and others while the pass is small. */
static uint32_t choose_parents(struct proof *p, const struct node *n, uint32_t *children)
{
	assert(n->is.low <= n->is.high && n->is.high <= 100);
	uint32_t total = 0, count = 0;
	for (uint32_t fresh = 2; fresh--;)
		for (uint32_t i = n->first; i < n->first + n->count; i++) {
			const struct node *c = &p->stack.nodes[i];
			if (settled(c) || dead(c) || c->fresh != fresh || (total && total + c->count > AHEAD))
				continue;
			total += c->count;
			p->parents[count++] = i;
		}
	*children = total;
	return count;
}

/* The children of the children, in one pass. */
static void look_ahead(struct proof *p, struct seat *s, const struct node *n)
{
	assert(n->is.low <= n->is.high && n->is.high <= 100);
	struct node_stack *a = &p->stack;
	uint32_t children, count = choose_parents(p, n, &children);
	if (!count || !affords(p, children) || !stack_expand(a, s, p->parents, count))
		return;
	for (uint32_t i = 0; i < count; i++) {
		struct node *c = &a->nodes[p->parents[i]];
		uint32_t best;
		number_children(p, c);
		if (c->fresh)
			gather(p, c, &best);
	}
}

static bool exceeds(uint32_t mine, uint32_t other, uint32_t mine_limit, uint32_t other_limit)
{
	return (mine >= mine_limit && (mine != NEVER || other >= other_limit)) ||
	       (other >= other_limit && (other != NEVER || mine >= mine_limit));
}

static void visit(struct proof *p, struct seat *s, uint32_t at, uint32_t pn_limit, uint32_t dn_limit);

/* Goes to the child with thresholds that bring it back when another one is better, or when the parent has had enough.
 */
static void descend(struct proof *p, struct seat *s, const struct node *n, const struct pick *k, uint32_t mine_limit,
                    uint32_t other_limit)
{
	assert(n->is.low <= n->is.high && n->is.high <= 100);
	struct node *c = &p->stack.nodes[k->child];
	uint32_t next = k->second == NEVER ? NEVER : sum(k->second, k->second / 2 + 1), pn = c->pn, dn = c->dn;
	uint32_t rest = k->sum == NEVER ? 0 : k->open - 1;
	uint32_t mine_next = next < mine_limit ? next : mine_limit;
	uint32_t other_next = other_limit == NEVER ? NEVER : other_limit > rest ? other_limit - rest : 1;
	if (on_path(p, c) || p->depth == DEEPEST) {
		c->pn = c->dn = NEVER;
		return;
	}
	visit(p, s, k->child, n->max ? mine_next : other_next, n->max ? other_next : mine_next);
	if (!p->out && c->pn == pn && c->dn == dn) /* no progress: it would be chosen for ever */
		c->pn = c->dn = NEVER;
}

/* False: there is no room for the children, or no time. */
static bool open_node(struct proof *p, struct seat *s, uint32_t at)
{
	assert(at < p->stack.top);
	struct node *n = &p->stack.nodes[at];
	if (n->first != NO_NODE)
		return true;
	if (!affords(p, n->count))
		return false;
	if (!stack_expand(&p->stack, s, &at, 1)) {
		n->pn = n->dn = NEVER;
		return false;
	}
	number_children(p, n);
	return true;
}

/* Drops what was made since the mark. */
static void close_node(struct proof *p, struct node *n, uint32_t mark)
{
	assert(n->is.low <= n->is.high && n->is.high <= 100);
	for (uint32_t i = n->first; i < n->first + n->count; i++)
		p->stack.nodes[i].first = NO_NODE;
	if (n->first >= mark)
		n->first = NO_NODE;
	p->stack.top = mark;
}

static void visit(struct proof *p, struct seat *s, uint32_t at, uint32_t pn_limit, uint32_t dn_limit)
{
	assert(at < p->stack.top);
	struct node *n = &p->stack.nodes[at];
	uint32_t mark = p->stack.top, best = NO_BEST;
	uint64_t before = p->visits;
	if (!open_node(p, s, at))
		return;
	p->visits++;
	p->path[p->depth++] = n->check;
	look_ahead(p, s, n);
	for (;;) {
		struct pick k = gather(p, n, &best);
		if (settled(n) || k.child == NO_NODE || exceeds(n->pn, n->dn, pn_limit, dn_limit) || spent(p))
			break;
		descend(p, s, n, &k, n->max ? pn_limit : dn_limit, n->max ? dn_limit : pn_limit);
	}
	p->depth--;
	store(p, n, best, p->visits - before);
	close_node(p, n, mark);
}

void proof_search(struct proof *p, struct seat *s)
{
	assert(s->role < s->game->roles);
	struct node *root = p->stack.nodes;
	p->depth = 0;
	number(p, root);
	if (!settled(root) && !root->stopped)
		visit(p, s, 0, NEVER, NEVER);
}

/* The search of proof.h. visit() is the heart: the children of a node are in hand when it is called, made by the pass
 * of its parent; it makes their children, in one pass, so that every child that is new gets numbers which rest on a
 * look at all its moves. Then it goes to the child that promises to settle the question with the least work, until its
 * own numbers exceed the thresholds it was given. */
#include "base/bits.h"
#include "game/rules_view.h"
#include "play/proof/proof_internal.h"

#include <stdlib.h>
#include <string.h>

#define DEEPEST 512      /* steps of a path */
#define NO_BEST UINT16_MAX
#define MOST_STACK ((size_t)16 << 20)
#define FIRST_SLICE 1024 /* visits for a question before the next one has its turn */
int proof_ahead = 64, proof_weak = 1, proof_mob = 1, proof_eps = 4;

struct proof {
	struct node_stack stack;
	struct proof_table table;
	int values[101]; /* the goals of the role, ascending */
	uint32_t value_count;
	uint64_t path[DEEPEST]; /* checks of the nodes that are being visited */
	uint32_t depth;
	uint8_t ask; /* the question: at least this? */
	const struct budget *budget;
	uint64_t made_limit, slice_end;
	bool out, spent; /* of the slice; of the budget */
	uint64_t visits, proofs;
	uint64_t root; /* key of the last one */
	uint32_t parents[PASS];
};

/* ---- numbers ------------------------------------------------------------------------------------- */

/* Bounds that answer the question leave nothing to estimate. */
static bool settle(const struct proof *p, struct node *n)
{
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

/* What is proved of a node; NULL: nothing was stored. */
static const struct proof_entry *recall(const struct proof *p, struct node *n)
{
	const struct proof_entry *e = n->count && !n->stopped ? proof_table_find(&p->table, n->key, n->check) : NULL;
	if (e)
		n->is = (struct proved){e->low, e->high, e->far_low, e->far_high};
	return e;
}

/* What the table says of a node, or a guess: who has many moves is hard to refute. */
static void number(struct proof *p, struct node *n)
{
	if (settle(p, n))
		return;
	const struct proof_entry *e = recall(p, n);
	if (settle(p, n))
		return;
	bool known = e && e->ask == p->ask;
	n->fresh = !known && !n->stopped;
	n->pn = n->stopped ? NEVER : known ? e->pn : n->max || !proof_mob ? 1 : n->count;
	n->dn = n->stopped ? NEVER : known ? e->dn : n->max && proof_mob ? n->count : 1;
}

static void number_children(struct proof *p, const struct node *n)
{
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
	uint32_t least, second; /* the mover's number of the child to go to, and of the next best */
	uint32_t sum, most, open; /* of the other one */
	uint32_t child;         /* NO_NODE: there is none to go to */
};

static void weigh(struct pick *k, const struct node *c, uint32_t index, uint32_t mine, uint32_t other, uint32_t *tie)
{
	k->sum = sum(k->sum, other);
	k->most = other > k->most ? other : k->most;
	k->open += other != 0;
	if (settled(c) || dead(c)) {
		if (mine < k->least)
			k->least = mine;
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
	struct pick k = {.least = NEVER, .second = NEVER, .child = NO_NODE};
	uint32_t tie = 0;
	for (uint32_t i = 0; i < n->count; i++) {
		const struct node *c = &a->nodes[n->first + i];
		weigh(&k, c, n->first + i, n->max ? c->pn : c->dn, n->max ? c->dn : c->pn, &tie);
	}
	/* Positions come together again: a sum would count their work many times. */
	if (proof_weak && k.sum != NEVER && k.open)
		k.sum = sum(k.most, k.open - 1);
	return k;
}

static uint8_t later(uint8_t far)
{
	return far < UINT8_MAX ? far + 1 : far;
}

/* The bound that the mover wants, of its best child; the other one holds for all children. Returns the index of the
 * best child. Scores are mirrored for the enemy, so that every mover wants more. */
static uint32_t bounds_of_children(const struct node_stack *a, const struct node *n, struct proved *out)
{
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
static void tighten(struct proved *to, struct proved by)
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
	struct proved is;
	struct pick k = pick(&p->stack, n);
	*best = bounds_of_children(&p->stack, n, &is);
	tighten(&n->is, is);
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

static void store(struct proof *p, const struct node *n, uint32_t best, uint64_t visits)
{
	struct proof_entry *e = proof_table_find(&p->table, n->key, n->check);
	struct proved is = {0, 100, 0, 0};
	if (!e) {
		e = proof_table_place(&p->table, n->key);
		*e = (struct proof_entry){.check = n->check, .high = 100, .best = NO_BEST};
	} else {
		is = (struct proved){e->low, e->high, e->far_low, e->far_high};
	}
	p->proofs += n->is.low > is.low || n->is.high < is.high;
	if (e->best == NO_BEST || (n->max ? n->is.low > is.low : n->is.high < is.high))
		e->best = (uint16_t)best;
	e->low = n->is.low;
	e->high = n->is.high;
	e->far_low = n->is.far_low;
	e->far_high = n->is.far_high;
	e->pn = n->pn == NEVER && n->dn ? LARGEST : n->pn;
	e->dn = n->dn == NEVER && n->pn ? LARGEST : n->dn;
	e->ask = p->ask;
	uint8_t work = work_of(visits);
	e->work = work > e->work ? work : e->work;
	e->age = p->table.age & 3;
}

static bool spent(struct proof *p)
{
	if (p->stack.made >= p->made_limit || limit_reached(&p->budget->limit))
		p->out = p->spent = true;
	if (p->visits >= p->slice_end)
		p->out = true;
	return p->out;
}

static bool on_path(const struct proof *p, const struct node *n)
{
	for (uint32_t i = p->depth; i--;)
		if (p->path[i] == n->check)
			return true;
	return false;
}

/* The children of the children, in one pass: of those that are new, and of others while the pass is small. */
static void look_ahead(struct proof *p, struct seat *s, const struct node *n)
{
	struct node_stack *a = &p->stack;
	uint32_t total = 0, count = 0;
	for (uint32_t fresh = 2; fresh--;)
		for (uint32_t i = n->first; i < n->first + n->count; i++) {
			const struct node *c = &a->nodes[i];
			if (settled(c) || dead(c) || c->fresh != fresh || (total && total + c->count > (uint32_t)proof_ahead))
				continue;
			total += c->count;
			p->parents[count++] = i;
		}
	if (!count || !stack_expand(a, s, p->parents, count))
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

/* Goes to the child with thresholds that bring it back when another one is better, or when the parent has had enough. */
static void descend(struct proof *p, struct seat *s, const struct node *n, const struct pick *k, uint32_t mine_limit,
                    uint32_t other_limit)
{
	struct node *c = &p->stack.nodes[k->child];
	uint32_t next = k->second == NEVER ? NEVER : sum(k->second, k->second / proof_eps + 1), pn = c->pn, dn = c->dn;
	uint32_t other = n->max ? dn : pn, rest = k->sum == NEVER ? 0 : proof_weak ? k->open - 1 : k->sum - other;
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

static void visit(struct proof *p, struct seat *s, uint32_t at, uint32_t pn_limit, uint32_t dn_limit)
{
	struct node_stack *a = &p->stack;
	struct node *n = &a->nodes[at];
	uint32_t mark = a->top, best = 0;
	uint64_t before = p->visits;
	if (n->first == NO_NODE) {
		if (!stack_expand(a, s, &at, 1)) {
			n->pn = n->dn = NEVER;
			return;
		}
		number_children(p, n);
	}
	p->visits++;
	p->path[p->depth++] = n->check;
	look_ahead(p, s, n);
	for (;;) {
		struct pick k = gather(p, n, &best);
		uint32_t mine_limit = n->max ? pn_limit : dn_limit, other_limit = n->max ? dn_limit : pn_limit;
		if (settled(n) || k.child == NO_NODE || exceeds(n->pn, n->dn, pn_limit, dn_limit) || spent(p))
			break;
		descend(p, s, n, &k, mine_limit, other_limit);
	}
	p->depth--;
	store(p, n, best, p->visits - before);
	for (uint32_t i = n->first; i < n->first + n->count; i++)
		a->nodes[i].first = NO_NODE;
	if (n->first >= mark)
		n->first = NO_NODE;
	a->top = mark;
}

/* ---- questions ---------------------------------------------------------------------------------------------- */

static struct proof_bounds within_goals(const struct proof *p, struct proved is)
{
	int least = p->values[0], most = p->values[p->value_count - 1];
	return (struct proof_bounds){is.low > least ? is.low : least, is.high < most ? is.high : most};
}

struct proof_bounds proof_bounds(const struct proof *p, const uint64_t *state)
{
	uint64_t key, check;
	stack_hash(&p->stack, state, &key, &check);
	const struct proof_entry *e = proof_table_find(&p->table, key, check);
	return within_goals(p, e ? (struct proved){e->low, e->high, e->far_low, e->far_high} : (struct proved){0, 100, 0, 0});
}

bool proof_solved(struct proof_bounds b)
{
	return b.low >= b.high;
}

/* The open questions of the root are asked in turn: the greatest goal first, then the least one above what is sure,
 * then one in the middle. GAME_NONE: there is none. */
static uint32_t question(const struct proof *p, struct proof_bounds b, uint32_t turn)
{
	uint32_t first = 0, last = p->value_count - 1;
	while (first < p->value_count && p->values[first] <= b.low)
		first++;
	while (last && p->values[last] > b.high)
		last--;
	if (first >= p->value_count || p->values[last] <= b.low || first > last)
		return GAME_NONE;
	return turn == 0 ? last : turn == 1 ? first : first + (last - first) / 2;
}

/* Works on one question for at most so many visits; what is proved of the root so far. */
static struct proof_bounds ask(struct proof *p, struct seat *s, const uint64_t *state, int value, uint64_t visits)
{
	p->ask = (uint8_t)value;
	p->out = false;
	p->slice_end = p->visits + visits;
	p->depth = 0;
	stack_root(&p->stack, s, state);
	struct node *root = p->stack.nodes;
	number(p, root);
	if (!settled(root) && !root->stopped)
		visit(p, s, 0, NEVER, NEVER);
	return within_goals(p, root->is);
}

void proof_run(struct proof *p, struct seat *s, const uint64_t *state, const struct budget *b)
{
	uint64_t key, check, made = p->stack.made, slice = FIRST_SLICE;
	stack_hash(&p->stack, state, &key, &check);
	p->table.age += key != p->root;
	p->root = key;
	p->budget = b;
	p->spent = false;
	p->made_limit = b->playouts ? made + b->playouts : UINT64_MAX;
	struct proof_bounds bounds = proof_bounds(p, state);
	uint32_t vain = 0, q;
	for (uint32_t turn = 0; !p->spent && vain < 3 && (q = question(p, bounds, turn)) != GAME_NONE; turn = (turn + 1) % 3) {
		struct proof_bounds before = bounds;
		slice <<= turn == 2;
		if (turn && q == question(p, bounds, turn - 1))
			continue;
		bounds = ask(p, s, state, p->values[q], slice);
		/* it came to its end without an answer: every way leads into repetitions or the like */
		vain = p->out || before.low != bounds.low || before.high != bounds.high ? 0 : vain + 1;
	}
	s->count.nodes += p->stack.made - made;
}

/* ---- answers -------------------------------------------------------------------------------------------------- */

static bool open_node(struct proof *p, struct seat *s, uint32_t at)
{
	struct node_stack *a = &p->stack;
	struct node *n = &a->nodes[at];
	if (!n->count || n->stopped || !stack_expand(a, s, &at, 1))
		return false;
	for (uint32_t i = n->first; i < n->first + n->count; i++)
		recall(p, &a->nodes[i]);
	return true;
}

/* The root with its children, and what is known of them when their own children are looked at too. False: there are
 * none. */
static bool open_root(struct proof *p, struct seat *s, const uint64_t *state)
{
	struct node_stack *a = &p->stack;
	struct node *root = a->nodes;
	struct proved is;
	stack_root(a, s, state);
	recall(p, root);
	if (!open_node(p, s, 0))
		return false;
	for (uint32_t i = root->first, mark = a->top; i < root->first + root->count; i++, a->top = mark)
		if (open_node(p, s, i)) {
			bounds_of_children(a, &a->nodes[i], &is);
			tighten(&a->nodes[i].is, is);
		}
	bounds_of_children(a, root, &is);
	tighten(&root->is, is);
	return true;
}

struct proof_bounds proof_of_move(struct proof *p, struct seat *s, const uint64_t *state, uint32_t move)
{
	const struct node_stack *a = &p->stack;
	if (open_root(p, s, state))
		for (uint32_t i = 0; i < a->nodes->count; i++)
			if (stack_move(a, 0, i) == move)
				return within_goals(p, a->nodes[a->nodes->first + i].is);
	return within_goals(p, (struct proved){0, 100, 0, 0});
}

/* Is child a better than b, for the mover of a solved position: worth more for sure, and the sooner the better; or where
 * nothing is to be had, the later the better. */
static bool better(const struct node *n, struct proved a, struct proved b, bool lost)
{
	int own_a = n->max ? a.low : 100 - a.high, own_b = n->max ? b.low : 100 - b.high;
	int near_a = n->max ? a.far_low : a.far_high, near_b = n->max ? b.far_low : b.far_high;
	int far_a = n->max ? a.far_high : a.far_low, far_b = n->max ? b.far_high : b.far_low;
	return lost ? far_a > far_b : own_a > own_b || (own_a == own_b && near_a < near_b);
}

/* The index of the move. The table may have lost the child that proves the bound, but not which one it was. */
static uint32_t best_child(const struct proof *p, const struct node *root, bool lost)
{
	const struct node *children = p->stack.nodes + root->first;
	const struct proof_entry *e = proof_table_find(&p->table, root->key, root->check);
	uint32_t best = 0;
	for (uint32_t i = 1; i < root->count; i++)
		if (better(root, children[i].is, children[best].is, lost))
			best = i;
	struct proved is = children[best].is;
	bool shown = lost || (root->max ? is.low >= root->is.low : is.high <= root->is.high);
	return shown ? best : e && e->best < root->count ? e->best : NO_BEST;
}

bool proof_best(struct proof *p, struct seat *s, const uint64_t *state, uint32_t role, uint32_t *move,
                struct proof_bounds *b)
{
	const struct node *root = p->stack.nodes;
	bool open = open_root(p, s, state);
	*b = within_goals(p, root->is);
	if (!open || !proof_solved(*b) || (role == p->stack.role) != root->max)
		return false;
	bool lost = root->max ? b->high <= p->values[0] : b->low >= p->values[p->value_count - 1];
	uint32_t best = best_child(p, root, lost);
	if (best == NO_BEST)
		return false;
	*move = stack_move(&p->stack, 0, best);
	return true;
}

struct proof_counters proof_counters(const struct proof *p)
{
	return (struct proof_counters){p->stack.made, p->visits, p->proofs};
}

/* ---- beginning and end ------------------------------------------------------------------------------------------ */

#define WALKS 16
#define WALK_STEPS 256

/* Do random matches come upon a position where both roles choose? */
static bool in_turn(const struct game *g, struct worker *w)
{
	struct rng rng = rng_seed(1);
	uint64_t *state = mem_alloc(g->words, sizeof *state);
	uint32_t joint[2];
	bool turns = true;
	for (uint32_t walk = 0; walk < WALKS && turns; walk++) {
		memcpy(state, g->initial, g->words * sizeof *state);
		for (uint32_t step = 0; step < WALK_STEPS && turns; step++) {
			struct view v = game_look(w, state);
			turns = v.terminal || v.start[1] - v.start[0] < 2 || v.start[2] - v.start[1] < 2;
			if (v.terminal || !game_random_move(g, &v, &rng, joint))
				break;
			game_next(w, state, joint, state);
		}
	}
	mem_free(state);
	return turns;
}

/* The values that goals of the role can have; an end without a goal counts as 0. */
static void find_values(struct proof *p, const struct seat *s)
{
	const struct rules_view *rules = game_rules_view(s->game);
	bool is[101] = {[0] = true};
	for (uint32_t i = rules->first_goal[s->role]; i < rules->first_goal[s->role + 1]; i++)
		if (rules->goal_value[i] != GOAL_NONE)
			is[rules->goal_value[i]] = true;
	for (int v = 0; v <= 100; v++)
		if (is[v])
			p->values[p->value_count++] = v;
}

struct proof *proof_new(struct seat *s, size_t bytes)
{
	const struct game *g = s->game;
	if (g->roles != 2 || g->random < g->roles || g->hidden || !game_rules_view(g) || !in_turn(g, s->worker))
		return NULL;
	struct proof *p = NEW(struct proof);
	size_t stack = bytes / 4 < MOST_STACK ? bytes / 4 : MOST_STACK;
	find_values(p, s);
	stack_make(&p->stack, s, stack);
	proof_table_make(&p->table, bytes - stack);
	return p;
}

void proof_free(struct proof *p)
{
	if (!p)
		return;
	stack_free(&p->stack);
	proof_table_free(&p->table);
	mem_free(p);
}

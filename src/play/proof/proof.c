/* Proofs: which questions are asked of a root, in which order, and what the table answers afterwards. */
#include "game/rules_view.h"
#include "play/proof/proof_internal.h"

#include <assert.h>
#include <string.h>

#define MOST_STACK ((size_t)16 << 20)
#define MOST_WORDS ((size_t)1 << 20) /* of positions that are looked at again for an answer: some milliseconds */
#define FIRST_SLICE 1024             /* see proof_slice() */

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
	return within_goals(p,
	                    e ? (struct proved){e->low, e->high, e->far_low, e->far_high} : (struct proved){0, 100, 0, 0});
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
	stack_root(&p->stack, s, state);
	proof_search(p, s);
	return within_goals(p, p->stack.nodes->is);
}

void proof_run(struct proof *p, struct seat *s, const uint64_t *state, const struct budget *b)
{
	assert(s->role < s->game->roles);
	uint64_t key, check, made = p->stack.made, proofs = p->proofs, slice = p->first_slice;
	stack_hash(&p->stack, state, &key, &check);
	p->table.age = (uint8_t)(p->table.age + (key != p->root));
	p->root = key;
	p->budget = b;
	p->spent = false;
	p->made_limit = b->playouts ? made + b->playouts : UINT64_MAX;
	struct proof_bounds bounds = proof_bounds(p, state);
	uint32_t vain = 0, q;
	for (uint32_t turn = 0; !p->spent && vain < 3 && (q = question(p, bounds, turn)) != GAME_NONE;
	     turn = (turn + 1) % 3) {
		struct proof_bounds before = bounds;
		slice <<= turn == 2;
		if (turn && q == question(p, bounds, turn - 1))
			continue;
		bounds = ask(p, s, state, p->values[q], slice);
		/* it came to its end without an answer: every way leads into repetitions or the like */
		vain = p->out || before.low != bounds.low || before.high != bounds.high ? 0 : vain + 1;
	}
	s->count.nodes += p->stack.made - made;
	s->count.proven += p->proofs - proofs;
}

/* ---- answers -------------------------------------------------------------------------------------------------- */

static bool open_node(struct proof *p, struct seat *s, uint32_t at)
{
	assert(at < p->stack.top);
	struct node_stack *a = &p->stack;
	struct node *n = &a->nodes[at];
	if (!n->count || n->stopped || !stack_expand(a, s, &at, 1))
		return false;
	for (uint32_t i = n->first; i < n->first + n->count; i++)
		proof_recall(p, &a->nodes[i]);
	return true;
}

/* What is known of a child when its own children are looked at too. */
static void open_child(struct proof *p, struct seat *s, uint32_t at)
{
	assert(at < p->stack.top);
	struct node_stack *a = &p->stack;
	struct proved is;
	uint32_t mark = a->top;
	if (!open_node(p, s, at))
		return;
	proof_bounds_of_children(a, &a->nodes[at], &is);
	proof_tighten(&a->nodes[at].is, is);
	a->top = mark;
}

/* Is it soon done to make the children of these nodes? Not in wide games. */
static bool few(const struct proof *p, uint32_t first, uint32_t count)
{
	size_t total = 0;
	for (uint32_t i = first; i < first + count; i++)
		total += p->stack.nodes[i].count;
	return stack_words(&p->stack, total) <= MOST_WORDS;
}

/* The root with its children. False: there are none, or too many for one who only wants a few. */
static bool open_root(struct proof *p, struct seat *s, const uint64_t *state, bool only_few)
{
	stack_root(&p->stack, s, state);
	proof_recall(p, p->stack.nodes);
	return (!only_few || few(p, 0, 1)) && open_node(p, s, 0);
}

/* Is child a better than b, for the mover of a solved position: worth more for sure, and the sooner the better; or
 * where nothing is to be had, the later the better. */
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
	assert(s->role < s->game->roles);
	assert(role < p->stack.game->roles);
	struct node *root = p->stack.nodes;
	struct proved is;
	bool open = open_root(p, s, state, !proof_solved(proof_bounds(p, state)));
	if (open && few(p, root->first, root->count))
		for (uint32_t i = 0; i < root->count; i++)
			open_child(p, s, root->first + i);
	if (open) {
		proof_bounds_of_children(&p->stack, root, &is);
		proof_tighten(&root->is, is);
	}
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

#define WALKS 3
#define WALK_STEPS 256

bool proof_in_turn(const struct game *g, struct worker *w)
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
	assert(s->role < s->game->roles);
	const struct game *g = s->game;
	if (g->roles != 2 || g->random < g->roles || g->hidden || !game_rules_view(g) || !proof_in_turn(g, s->worker))
		return NULL;
	struct proof *p = NEW(struct proof);
	p->first_slice = FIRST_SLICE;
	size_t stack = bytes / 4 < MOST_STACK ? bytes / 4 : MOST_STACK;
	find_values(p, s);
	stack_make(&p->stack, s, stack);
	proof_table_make(&p->table, bytes - stack);
	return p;
}

void proof_slice(struct proof *p, uint64_t visits)
{
	assert(visits);
	p->first_slice = visits;
}

void proof_free(struct proof *p)
{
	if (!p)
		return;
	stack_free(&p->stack);
	proof_table_free(&p->table);
	mem_free(p);
}

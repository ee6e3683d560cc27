/* Memory of the graph: blocks in chunks, the table of states, and what goes when it is full. */
#include "play/mcgs/mcgs_internal.h"

#include <assert.h>
#include <string.h>

#define BYTES_OF_NODE 192 /* at least, with its arms: so many may have to be found again */
#define FIRST_SLOTS 65536 /* of the table; it grows with the graph, since every page of it is soon in use */

/* ---- blocks ---------------------------------------------------------------------------------- */

static size_t memory_limit(const struct mcgs *t)
{
	size_t free = mem_available() / 4, bytes = t->o.memory ? (size_t)t->o.memory << 20 : free;
	size_t most = (size_t)UINT32_MAX / CHUNK_UNITS * CHUNK_BYTES - CHUNK_BYTES;
	return bytes < most ? bytes : most;
}

void memory_init(struct mcgs *t)
{
	/* what is kept is copied while the old is still there */
	size_t chunks = (size_t)((double)memory_limit(t) / (1 + t->o.tune.kept) / (double)CHUNK_BYTES);
	t->chunk_most = (uint32_t)(chunks < 2 ? 2 : chunks);
	t->chunks = mem_zalloc((size_t)t->chunk_most + 1, sizeof *t->chunks);
	thread_mutex_init(&t->growing);
	t->table_mask = FIRST_SLOTS - 1;
	t->table_most = t->table_mask;
	while (t->table_most < t->chunk_most * CHUNK_BYTES / BYTES_OF_NODE)
		t->table_most = 2 * t->table_most + 1;
	t->table = mem_zalloc(t->table_mask + 1, sizeof *t->table);
}

static void free_chunks(uint8_t *_Atomic *chunks, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		mem_free(chunks[i]);
}

static void forget_regions(struct mcgs *t)
{
	for (uint32_t i = 0; i < t->walker_count; i++)
		t->walkers[i].at = t->walkers[i].end = 0;
}

void memory_clear(struct mcgs *t)
{
	free_chunks(t->chunks, t->chunk_count);
	t->chunk_count = 0;
	memset(t->table, 0, (t->table_mask + 1) * sizeof *t->table);
	t->entries = 0;
	t->root = NONE;
	forget_regions(t);
}

void memory_free(struct mcgs *t)
{
	free_chunks(t->chunks, t->chunk_count);
	mem_free(t->chunks);
	mem_free(t->table);
	thread_mutex_free(&t->growing);
}

size_t memory_bytes(const struct mcgs *t)
{
	return t->chunk_count * CHUNK_BYTES + (t->table_mask + 1) * sizeof *t->table;
}

bool memory_tight(const struct mcgs *t)
{
	return t->chunk_count > 0.6 * t->chunk_most;
}

/* Where the system gives no more, the graph is as large as it will be. */
static uint8_t *chunk_new(struct mcgs *t)
{
	uint8_t *volatile chunk = NULL;
	bool done;
	MEM_TRY(done, mem_scope_current(), chunk = mem_beside(unconst(t->chunks), 1, CHUNK_BYTES));
	return done ? chunk : NULL;
}

/* A new region for a thread; false: there is none. */
static bool region_new(struct mcgs *t, struct walker *w)
{
	bool some = false;
	thread_lock(&t->growing);
	uint32_t n = t->chunk_count;
	uint8_t *chunk = n < t->chunk_most ? chunk_new(t) : NULL;
	if (chunk) {
		atomic_store_explicit(&t->chunks[n], chunk, memory_order_release);
		t->chunk_count = n + 1;
		w->at = n * CHUNK_UNITS + (n == 0); /* number 0 is no block */
		w->end = (n + 1) * CHUNK_UNITS;
		some = true;
	}
	thread_unlock(&t->growing);
	return some;
}

uint32_t block_new(struct mcgs *t, struct walker *w, size_t bytes)
{
	size_t units = (bytes + UNIT - 1) / UNIT;
	if (units >= CHUNK_UNITS)
		return NONE;
	if (units > w->end - w->at && !region_new(t, w)) {
		t->full = !t->narrow;
		return NONE;
	}
	uint32_t block = w->at;
	w->at += (uint32_t)units;
	memset(block_at(t, block), 0, units * UNIT);
	return block;
}

/* ---- the table of states ----------------------------------------------------------------------- */

/* A slot: high half of the hash, which also says where it sits; number of the node. */
static uint64_t slot_of(uint64_t hash, uint32_t node)
{
	return (hash & ~(uint64_t)UINT32_MAX) | node;
}

static bool same_state(const struct mcgs *t, uint32_t node, const uint64_t *state)
{
	assert(node != NONE && node != CLAIMED);
	return !memcmp(vertex_at(t, node)->state, state, t->words * sizeof *state);
}

uint32_t states_find(const struct mcgs *t, uint64_t hash, const uint64_t *state)
{
	for (uint64_t i = (hash >> 32) & t->table_mask;; i = (i + 1) & t->table_mask) {
		uint64_t slot = atomic_load_explicit(&t->table[i], memory_order_acquire);
		if (!slot)
			return NONE;
		if (slot >> 32 == hash >> 32 && same_state(t, (uint32_t)slot, state))
			return (uint32_t)slot;
	}
}

uint32_t states_enter(struct mcgs *t, uint64_t hash, uint32_t node)
{
	assert(node != NONE && node != CLAIMED);
	if (atomic_load_explicit(&t->entries, RELAXED) > t->table_mask / 8 * 7) {
		t->full |= !t->crowded && !t->narrow;
		return NONE;
	}
	for (uint64_t i = (hash >> 32) & t->table_mask;; i = (i + 1) & t->table_mask) {
		uint64_t slot = 0;
		if (atomic_compare_exchange_strong_explicit(&t->table[i], &slot, slot_of(hash, node), memory_order_acq_rel,
		                                            memory_order_acquire))
			break;
		if (slot >> 32 == hash >> 32 && same_state(t, (uint32_t)slot, vertex_at(t, node)->state))
			return (uint32_t)slot;
	}
	if (atomic_fetch_add_explicit(&t->entries, 1, RELAXED) > t->table_mask / 2)
		t->crowded = t->table_mask < t->table_most;
	return node;
}

static void table_renew(struct mcgs *t, uint64_t mask)
{
	struct mem_scope *previous = mem_scope_enter(mem_scope_of(unconst(t->chunks)));
	t->table = mem_zalloc(mask + 1, sizeof *t->table);
	t->table_mask = mask;
	t->entries = 0;
	mem_scope_leave(previous);
}

/* Slots have enough of the hash to find their new places. */
void memory_grow_table(struct mcgs *t)
{
	const _Atomic uint64_t *old = t->table;
	uint64_t old_mask = t->table_mask, mask = 8 * old_mask + 7;
	t->crowded = false;
	assert(!(old_mask & (old_mask + 1)) && old_mask <= t->table_most);
	if (old_mask == t->table_most)
		return;
	table_renew(t, mask < t->table_most ? mask : t->table_most);
	for (uint64_t i = 0; i <= old_mask; i++)
		if (old[i])
			states_enter(t, old[i], (uint32_t)old[i]);
	assert(t->entries <= t->table_mask / 2);
	mem_free(unconst(old));
}

/* ---- collecting -------------------------------------------------------------------------------- */

typedef VEC(uint32_t) block_list;

#define LEVELS 33 /* of visits: by the bits of their number */

struct collector {
	struct mcgs *t;
	uint8_t *_Atomic *old; /* chunks */
	uint32_t old_count;
	/* what can be reached from the root by what was chosen so far, by visits; those before `next` were chosen */
	struct level {
		block_list nodes;
		size_t next;
	} levels[LEVELS];
	VEC(struct chosen {
		uint32_t node;
		size_t arms, amaf; /* bytes */
	}) chosen;             /* to be kept */
	struct walker mover;   /* takes the new blocks */
};

static struct vertex *old_vertex(const struct collector *c, uint32_t block)
{
	return (struct vertex *)(c->old[block / CHUNK_UNITS] + (size_t)(block % CHUNK_UNITS) * UNIT);
}

static size_t bytes_of_arms(const struct mcgs *t, const struct vertex *n)
{
	assert(n->mover < t->roles && n->movers <= t->roles);
	struct arms a;
	return vertex_arms(t, n, &a) ? arms_bytes(t, a.start, a.joint, n->movers > 1) : 0;
}

static size_t amaf_bytes(const struct mcgs *t, const struct vertex *n)
{
	assert(n->mover < t->roles && n->movers <= t->roles);
	return n->amaf ? t->g->moves * sizeof(struct amaf) : 0;
}

static bool is_solved(const struct vertex *n)
{
	return n->flags & VERTEX_SOLVED;
}

/* Into a level: by its visits, or at least there. */
static void reach(struct collector *c, uint32_t node, uint32_t least)
{
	struct vertex *n = vertex_at(c->t, node);
	if (n->forward == NONE32)
		return;
	assert(least < LEVELS && n->forward == NONE);
	n->forward = NONE32;
	uint32_t level = n->visits ? 32 - (uint32_t)__builtin_clz(n->visits) : 0;
	vec_push(&c->levels[level > least ? level : least].nodes, node);
}

/* Is something proved of it? Then that rests on its children, visited or not. */
static bool is_bounded(const struct mcgs *t, const struct vertex *n)
{
	for (uint32_t r = 0; r < t->roles; r++)
		if (get(&vertex_low(t, n)[r]) > 0 || get(&vertex_high(t, n)[r]) < 1)
			return true;
	return false;
}

/* Visits of its children by index, where those without any are of no use, since no proof rests on them: they need not
 * be looked at. NULL: all must be. */
static const _Atomic uint32_t *telling_visits(const struct mcgs *t, const struct vertex *n, const struct arms *a)
{
	assert(n->mover < t->roles);
	return is_single(n, a) && !is_bounded(t, n) ? a->visits + a->start[n->mover] : NULL;
}

/* Solved children are worth as much as their parent, however rarely they were visited; what they rest on is, too, where
 * the root is solved. */
static void reach_children(struct collector *c, const struct vertex *n, uint32_t level)
{
	struct arms a;
	if (!vertex_arms(c->t, n, &a))
		return;
	bool proof = !is_solved(n) || is_solved(vertex_at(c->t, c->t->root));
	const _Atomic uint32_t *visits = telling_visits(c->t, n, &a);
	for (uint32_t k = 0; k < a.joint; k++) {
		uint32_t child = a.child[k];
		if (child != NONE && child != CLAIMED && (!visits || visits[k]))
			reach(c, child, proof && is_solved(vertex_at(c->t, child)) ? level : 0);
	}
}

static struct level *highest_level(struct collector *c)
{
	for (struct level *l = c->levels + LEVELS; l-- > c->levels;)
		if (l->next < l->nodes.n)
			return l;
	return NULL;
}

#define LONGEST 0.15 /* seconds for choosing; to move what was chosen takes about as long again */
#define CLOCK_EVERY 256

/* What is to be kept: what can be reached from the root, the most visited first, as much as memory allows and, when a
 * clock runs, as can be looked at in a short time. All else stays behind and is not even touched. */
static void choose_kept(struct collector *c)
{
	struct mcgs *t = c->t;
	size_t bytes = 0, most = (size_t)(t->o.tune.kept * t->chunk_most * (double)CHUNK_BYTES);
	double until = clock_now() + LONGEST;
	struct level *l;
	for (reach(c, t->root, 0); bytes < most && (l = highest_level(c));) {
		uint32_t node = l->nodes.at[l->next++];
		const struct vertex *n = vertex_at(t, node);
		struct chosen x = {node, bytes_of_arms(t, n), amaf_bytes(t, n)};
		vec_push(&c->chosen, x);
		bytes += t->vertex_bytes + x.arms + x.amaf;
		reach_children(c, n, (uint32_t)(l - c->levels));
		if (t->by_clock && c->chosen.n % CLOCK_EVERY == 0 && clock_now() > until)
			break;
	}
	assert(c->chosen.n && c->chosen.at[0].node == t->root);
}

static uint32_t move_block(struct collector *c, const void *from, size_t bytes)
{
	uint32_t block = block_new(c->t, &c->mover, bytes);
	if (block != NONE)
		memcpy(block_at(c->t, block), from, bytes);
	return block;
}

/* Copies a node with its arms and statistics; false: no memory, it stays behind. */
static bool move_vertex(struct collector *c, struct vertex *n, size_t arms, size_t amaf)
{
	struct mcgs *t = c->t;
	uint32_t block = move_block(c, n, t->vertex_bytes);
	if (block == NONE)
		return false;
	struct vertex *to = vertex_at(t, block);
	to->forward = NONE;
	to->arms = arms ? move_block(c, old_vertex(c, n->arms), arms) : NONE;
	to->amaf = amaf ? move_block(c, old_vertex(c, n->amaf), amaf) : NONE;
	to->flags &= (uint8_t) ~(VERTEX_CLAIMED | VERTEX_IN_FLIGHT);
	n->forward = block;
	return true;
}

/* Children get their new numbers, or are to be made again. */
static void mend_children(const struct collector *c, struct vertex *n)
{
	struct arms a;
	if (!vertex_arms(c->t, n, &a))
		return;
	const _Atomic uint32_t *visits = telling_visits(c->t, n, &a);
	for (uint32_t k = 0; k < a.joint; k++) {
		uint32_t child = a.child[k];
		if (child == NONE)
			continue;
		if (child != CLAIMED) /* which is NONE32, too */
			child = !visits || visits[k] ? old_vertex(c, child)->forward : NONE;
		a.child[k] = child == NONE32 ? NONE : child;
		if (a.child[k] == NONE)
			n->flags &= (uint8_t)~VERTEX_EXPANDED;
	}
}

static void move_all(struct collector *c)
{
	struct mcgs *t = c->t;
	uint64_t mask = FIRST_SLOTS - 1;
	c->old = t->chunks;
	c->old_count = t->chunk_count;
	t->chunks = mem_beside(unconst(c->old), (size_t)t->chunk_most + 1, sizeof *t->chunks);
	memset(unconst(t->chunks), 0, ((size_t)t->chunk_most + 1) * sizeof *t->chunks);
	t->chunk_count = 0;
	_Atomic uint64_t *old_table = t->table;
	while (mask < t->table_most && mask / 8 < c->chosen.n)
		mask = 2 * mask + 1;
	table_renew(t, mask);
	mem_free(unconst(old_table));
	for (size_t i = 0; i < c->chosen.n; i++) {
		struct vertex *n = old_vertex(c, c->chosen.at[i].node);
		if (move_vertex(c, n, c->chosen.at[i].arms, c->chosen.at[i].amaf))
			states_enter(t, hash_mix(game_hash(t->g, n->state)), n->forward);
	}
	assert(t->entries <= c->chosen.n);
	for (size_t i = 0; i < c->chosen.n; i++) {
		uint32_t to = old_vertex(c, c->chosen.at[i].node)->forward;
		if (to != NONE32)
			mend_children(c, vertex_at(t, to));
	}
	t->root = old_vertex(c, c->chosen.at[0].node)->forward;
	assert(t->root != NONE32 && t->root != NONE);
}

void memory_collect(struct mcgs *t)
{
	double began = clock_now();
	struct collector c = {.t = t};
	choose_kept(&c);
	move_all(&c);
	forget_regions(t);
	free_chunks(c.old, c.old_count);
	mem_free(unconst(c.old));
	for (uint32_t i = 0; i < LEVELS; i++)
		vec_free(&c.levels[i].nodes);
	vec_free(&c.chosen);
	t->full = t->crowded = false;
	t->times.collections++;
	t->times.collecting += clock_now() - began;
}

/* A copy of a network for a search on another thread. What a search only reads is shared with the original, which must
 * outlive the copy and must not be built on meanwhile: names, scopes, records, the tuples and masks of relations. What
 * it changes is the copy's own: domains, levels, queues, weights, memories of propagators, the bound of the objective.
 */
#include "csp/csp_internal.h"

#include <assert.h>

static void *copy_block(const void *from, size_t count, size_t size)
{
	if (!from)
		return NULL;
	void *to = mem_alloc(count ? count : 1, size);
	memcpy(to, from, count * size);
	return to;
}

#define COPY(field, count) (to->field = copy_block(n->field, (count), sizeof *n->field))
#define COPY_VEC(v) COPY(v.at, n->v.cap)

static void copy_relations(struct csp *to, const struct csp *n)
{
	COPY_VEC(relations);
	for (size_t i = 0; i < n->relations.n; i++)
		COPY(relations.at[i].unsupported, n->relations.at[i].pairs + 1);
}

/* Those that are not known here are made again when they are needed. */
static void copy_memories(struct csp *to, const struct csp *n)
{
	to->memo = NEW_ARRAY(uint32_t *, n->cons.n + 1);
	for (uint32_t c = 0; c < n->prepared; c++)
		if (n->memo[c] && relation_memory(n, c))
			COPY(memo[c], relation_memory(n, c));
}

static void copy_queue(struct queue *to, const struct queue *from)
{
	assert((from->mask & (from->mask + 1)) == 0 && from->tail - from->head <= from->mask + 1);
	*to = *from;
	to->at = copy_block(from->at, (size_t)from->mask + 1, sizeof *from->at);
}

struct csp *net_copy(struct csp *n)
{
	net_index(n);
	assert(n->prepared == n->cons.n);
	struct csp *to = mem_alloc(1, sizeof *to);
	*to = *n;
	to->copy = true;
	to->records = (struct arena){0};
	to->error = (struct text){0};
	to->scratch = NULL;
	to->scratch_words = 0;
	to->nogoods = NULL;
	to->deps = NULL;
	to->learn = NULL;
	to->limit = NULL;
	COPY_VEC(vars);
	COPY_VEC(cons);
	COPY_VEC(nodes);
	COPY_VEC(state);
	COPY_VEC(trail);
	COPY_VEC(levels);
	COPY(stamp, n->state.cap);
	COPY(fixed, n->vars.n + 1);
	COPY(changed, n->cons.n + 1);
	COPY(weight, n->cons.n + 1);
	COPY(open, n->cons.n + 1);
	COPY(asleep, n->cons.n + 1);
	COPY(waiting, BITS_WORDS(n->cons.n + 1));
	copy_queue(&to->cheap, &n->cheap);
	copy_queue(&to->costly, &n->costly);
	copy_relations(to, n);
	copy_memories(to, n);
	if (n->objective != CSP_NONE && !n->objective_expr)
		to->cons.at[n->objective].record = sum_copy(to, &n->cons.at[n->objective]);
	if (n->relaxation.con != CSP_NONE)
		to->cons.at[n->relaxation.con].record = sum_copy(to, &n->cons.at[n->relaxation.con]);
	return to;
}

void net_free_copy(struct csp *n)
{
	assert(n->copy);
	for (size_t i = 0; i < n->relations.n; i++)
		mem_free(n->relations.at[i].unsupported);
	for (uint32_t c = 0; c < n->prepared; c++)
		mem_free(n->memo[c]);
	vec_free(&n->relations);
	vec_free(&n->vars);
	vec_free(&n->cons);
	vec_free(&n->nodes);
	vec_free(&n->state);
	vec_free(&n->trail);
	vec_free(&n->levels);
	arena_free(&n->records);
	text_free(&n->error);
	void *const all[] = {n->stamp,   n->fixed, n->changed,  n->weight,    n->open,   n->asleep,
	                     n->waiting, n->memo,  n->cheap.at, n->costly.at, n->scratch};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		mem_free(all[i]);
	mem_free(n);
}

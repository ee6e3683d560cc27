/* The store of facts (facts.h): a short list behind a lock, attached to the game. */
#include "analysis/facts.h"

#include "base/thread.h"
#include "base/vec.h"
#include "game/attachment.h"

#define MORE_TIME 2 /* times what was spent in vain, to try again */
#define WAIT 0.002  /* seconds, before the limit is looked at again */

struct kept {
	const struct facts_kind *kind;
	struct thread_mutex lock; /* guards what follows; a search that runs out of memory leaves it as it was */
	void *fact;               /* NULL: not found yet */
	double spent;             /* seconds in vain */
};

struct facts {
	struct attachment attached;
	struct thread_mutex lock; /* of the list */
	VEC(struct kept *) all;
};

static void facts_free(struct attachment *self)
{
	struct facts *f = (struct facts *)self;
	for (size_t i = 0; i < f->all.n; i++) {
		struct kept *k = f->all.at[i];
		if (k->fact)
			k->kind->free(k->fact);
		thread_mutex_free(&k->lock);
		mem_free(k);
	}
	vec_free(&f->all);
	thread_mutex_free(&f->lock);
	mem_free(f);
}

static struct facts *facts_of(struct game *g)
{
	struct attachment *a = game_attachment(g);
	if (a)
		return (struct facts *)a;
	struct facts *f = NEW(struct facts);
	f->attached.free = facts_free;
	f->lock = (struct thread_mutex)THREAD_TURN;
	return (struct facts *)game_attach(g, &f->attached);
}

/* The holder of the lock may be busy for longer than we have. */
static bool take_lock(struct kept *k, const struct limit *limit)
{
	while (!thread_lock_until(&k->lock, clock_now() + WAIT))
		if (limit_reached(limit))
			return false;
	return true;
}

static struct kept *entry(struct facts *f, const struct facts_kind *kind)
{
	struct kept *k = NULL;
	thread_lock(&f->lock);
	for (size_t i = 0; i < f->all.n && !k; i++)
		k = f->all.at[i]->kind == kind ? f->all.at[i] : NULL;
	if (!k) {
		k = NEW(struct kept);
		k->kind = kind;
		k->lock = (struct thread_mutex)THREAD_TURN;
		vec_push(&f->all, k);
	}
	thread_unlock(&f->lock);
	return k;
}

struct finding {
	struct kept *k;
	struct game *g;
	const struct limit *limit;
	void *fact;
};

static void find(void *context)
{
	struct finding *f = context;
	f->fact = f->k->kind->find(f->g, f->limit);
}

static const void *get(struct game *g, const struct facts_kind *kind, const struct limit *limit)
{
	struct kept *k = entry(facts_of(g), kind);
	if (!take_lock(k, limit))
		return NULL;
	if (!k->fact && (!k->spent || limit_left(limit) > MORE_TIME * k->spent)) {
		double start = clock_now();
		struct finding f = {k, g, limit, NULL};
		mem_whole(find, &f); /* or what was found in part would stay with the game */
		k->fact = f.fact;
		k->spent = k->fact ? 0 : clock_now() - start;
	}
	const void *fact = k->fact;
	thread_unlock(&k->lock);
	return fact;
}

/* Facts are made here and nowhere else. They outlive the job that asks for them, so they belong to
 * the game's scope of memory, as does the store itself. */
const void *facts_get(struct game *g, const struct facts_kind *kind, const struct limit *limit)
{
	struct mem_scope *previous = mem_scope_enter(mem_scope_of(g));
	const void *fact = get(g, kind, limit);
	mem_scope_leave(previous);
	return fact;
}

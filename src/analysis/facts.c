/* The store of facts (facts.h): a short list behind a lock, attached to the game. */
#include "analysis/facts.h"

#include "base/vec.h"
#include "game/attachment.h"

#include <pthread.h>
#include <time.h>

#define MORE_TIME 2 /* times what was spent in vain, to try again */

struct kept {
	const struct facts_kind *kind;
	pthread_mutex_t lock; /* of what follows */
	void *fact;           /* NULL: not found yet */
	double spent;         /* seconds in vain */
};

struct facts {
	struct attachment attached;
	pthread_mutex_t lock; /* of the list */
	VEC(struct kept *) all;
};

static void facts_free(struct attachment *self)
{
	struct facts *f = (struct facts *)self;
	for (size_t i = 0; i < f->all.n; i++) {
		struct kept *k = f->all.at[i];
		if (k->fact)
			k->kind->free(k->fact);
		pthread_mutex_destroy(&k->lock);
		mem_free(k);
	}
	vec_free(&f->all);
	pthread_mutex_destroy(&f->lock);
	mem_free(f);
}

static struct facts *facts_of(struct game *g)
{
	struct attachment *a = game_attachment(g);
	if (a)
		return (struct facts *)a;
	struct facts *f = NEW(struct facts);
	f->attached.free = facts_free;
	pthread_mutex_init(&f->lock, NULL);
	return (struct facts *)game_attach(g, &f->attached);
}

/* Whoever holds the lock may be busy for longer than we have. */
static bool take_lock(struct kept *k, const struct limit *limit)
{
	while (pthread_mutex_trylock(&k->lock)) {
		if (limit_reached(limit))
			return false;
		nanosleep(&(struct timespec){.tv_nsec = 500000}, NULL);
	}
	return true;
}

static struct kept *entry(struct facts *f, const struct facts_kind *kind)
{
	struct kept *k = NULL;
	pthread_mutex_lock(&f->lock);
	for (size_t i = 0; i < f->all.n && !k; i++)
		k = f->all.at[i]->kind == kind ? f->all.at[i] : NULL;
	if (!k) {
		k = NEW(struct kept);
		k->kind = kind;
		pthread_mutex_init(&k->lock, NULL);
		vec_push(&f->all, k);
	}
	pthread_mutex_unlock(&f->lock);
	return k;
}

const void *facts_get(struct game *g, const struct facts_kind *kind, const struct limit *limit)
{
	struct kept *k = entry(facts_of(g), kind);
	if (!take_lock(k, limit))
		return NULL;
	if (!k->fact && (!k->spent || limit_left(limit) > MORE_TIME * k->spent)) {
		double start = clock_now();
		/* Facts are made here and nowhere else. They outlive the job that asks for them: what is
		 * allocated in `find` must belong to the game, not to the caller; so must the store itself
		 * (facts_of, entry). */
		k->fact = kind->find(g, limit);
		k->spent = k->fact ? 0 : clock_now() - start;
	}
	const void *fact = k->fact;
	pthread_mutex_unlock(&k->lock);
	return fact;
}

/* Dealing. A hand of a rank is a number: letters of kind KIND_PIECE + hand go to it, and KIND_ANSWER + hand come back,
 * so that every thread waits for its own. */
#include "cluster/dealer.h"

#include "base/clock.h"
#include "cluster/kinds.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LOSSES = 3 }; /* of one piece: it seems to be what kills them */

struct hand {
	uint32_t rank, number;
	bool busy;
};

struct dealer {
	struct cluster *c;
	struct link *link;
	struct hand *hands;
	uint32_t count;
	struct dealer_rank *ranks;
	bool (*goes_on)(void *context);
	void *context;
	struct thread_mutex lock; /* of hands and ranks */
	pthread_cond_t freed;
};

struct dealer *dealer_open(struct cluster *c, uint32_t hands, bool (*goes_on)(void *context), void *context)
{
	struct dealer *d = NEW(struct dealer);
	uint32_t others = cluster_ranks(c) - 1;
	*d = (struct dealer){.c = c, .link = cluster_link(c), .goes_on = goes_on, .context = context};
	d->count = others * hands;
	d->hands = NEW_ARRAY(struct hand, d->count + 1);
	d->ranks = NEW_ARRAY(struct dealer_rank, others + 1);
	for (uint32_t i = 0; i < d->count; i++) /* all ranks get one piece before one gets two */
		d->hands[i] = (struct hand){.rank = 1 + i % others, .number = i / others};
	thread_mutex_init(&d->lock);
	thread_cond_init(&d->freed);
	return d;
}

void dealer_close(struct dealer *d)
{
	mem_free(d->hands);
	mem_free(d->ranks);
	pthread_cond_destroy(&d->freed);
	thread_mutex_free(&d->lock);
	mem_free(d);
}

uint32_t dealer_hands(const struct dealer *d)
{
	return d->count;
}

struct dealer_rank dealer_rank(struct dealer *d, uint32_t rank)
{
	thread_lock(&d->lock);
	struct dealer_rank r = d->ranks[rank];
	thread_unlock(&d->lock);
	return r;
}

/* The lock is held. */
static struct hand *find_free(struct dealer *d, bool *any)
{
	*any = false;
	for (uint32_t i = 0; i < d->count; i++) {
		struct hand *h = &d->hands[i];
		d->ranks[h->rank].lost |= link_gone(d->link, h->rank);
		if (d->ranks[h->rank].lost)
			continue;
		*any = true;
		if (!h->busy)
			return h;
	}
	return NULL;
}

/* Waits for a hand that has nothing to do; NULL: broken off, or none is left. */
static struct hand *take_hand(struct dealer *d, struct text *error)
{
	bool any = true;
	struct hand *h = NULL;
	thread_lock(&d->lock);
	while (d->goes_on(d->context) && !(h = find_free(d, &any)) && any)
		thread_wait_until(&d->freed, &d->lock, clock_now() + 0.2);
	if (h)
		h->busy = true;
	thread_unlock(&d->lock);
	if (!any)
		text_puts(error, "no other rank is left to play");
	return h;
}

static void free_hand(struct dealer *d, struct hand *h, bool done)
{
	thread_lock(&d->lock);
	h->busy = false;
	d->ranks[h->rank].done += done;
	pthread_cond_broadcast(&d->freed);
	thread_unlock(&d->lock);
}

/* False: broken off, or the rank is lost. */
static bool ask(struct dealer *d, const struct hand *h, const char *piece, struct letter *answer)
{
	bool found = false;
	link_send(d->link, h->rank, KIND_PIECE + h->number, piece, strlen(piece));
	while (d->goes_on(d->context) && !found && !link_gone(d->link, h->rank))
		found = link_take(d->link, KIND_ANSWER + h->number, (int)h->rank, 0.2, answer);
	return found;
}

char *dealer_play(struct dealer *d, const char *piece, struct text *error)
{
	struct letter answer;
	for (int losses = 0; losses < MOST_LOSSES; losses++) {
		struct hand *h = take_hand(d, error);
		if (!h)
			return NULL;
		bool done = ask(d, h, piece, &answer);
		free_hand(d, h, done);
		if (done) {
			char *copy = strdup(text_str(&answer.bytes));
			text_free(&answer.bytes);
			return copy;
		}
		if (!d->goes_on(d->context))
			return NULL;
	}
	text_printf(error, "%d ranks were lost at this one, one after another", MOST_LOSSES);
	return NULL;
}

/* ---- the other side ----------------------------------------------------------------------------- */

struct server {
	struct link *link;
	uint32_t number;
	char *(*work)(void *context, const char *piece);
	void *context;
};

static void serve(void *server)
{
	struct server *s = server;
	struct letter l;
	while (link_take(s->link, KIND_PIECE + s->number, 0, 1e9, &l)) {
		char *answer = s->work(s->context, text_str(&l.bytes));
		text_free(&l.bytes);
		if (!answer)
			break;
		link_send(s->link, 0, KIND_ANSWER + s->number, answer, strlen(answer));
		free(answer);
	}
}

void dealer_serve(struct cluster *c, uint32_t hands, char *(*work)(void *context, const char *piece), void *context)
{
	struct server *s = NEW_ARRAY(struct server, hands);
	for (uint32_t i = 0; i < hands; i++)
		s[i] = (struct server){cluster_link(c), i, work, context};
	threads_run(hands, serve, s, sizeof *s);
	mem_free(s);
}

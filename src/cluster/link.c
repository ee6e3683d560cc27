/* The thread that carries letters, the post box, and who is there. */
#include "cluster/link.h"

#include "base/clock.h"
#include "base/thread.h"

#include <string.h>

#define LIFE_SIGNS 0.5    /* seconds between two; rank 0's are half as frequent */
#define FIRST_PATIENCE 60 /* seconds until a rank must have been heard of for the first time: starting takes long */
#define SHORT_NAP 0.00005 /* between two looks at the wire, */
#define LONG_NAP 0.002    /* and where nothing has happened for a while */
#define LAST_LETTERS 2.0  /* seconds for them to leave */

enum { KIND_LIFE = 1, KIND_BYE, KIND_GO };

struct peer {
	double heard;
	bool lost, met, bye;
};

struct link {
	uint32_t rank, ranks;
	double patience, opened;
	struct thread carrier;
	struct thread_mutex lock; /* of all that follows */
	pthread_cond_t came, changed;
	VEC(struct letter) out, in; /* out: `from` is whom they are for */
	struct peer *peers;
	uint32_t *waiting; /* by rank, as the carrier saw it last, and what is in `out` */
	struct link_traffic traffic;
	double sign; /* the last of life */
	bool open, failed, closing, said_bye, go, go_all, left;
	struct text error;
};

/* ---- the carrier ------------------------------------------------------------------------------ */

static void queue(struct link *l, uint32_t to, uint32_t kind, const void *bytes, size_t size)
{
	struct letter letter = {to, kind, {0}};
	text_add(&letter.bytes, bytes, size);
	vec_push(&l->out, letter);
	l->waiting[to]++;
}

static void lose(struct link *l, uint32_t rank)
{
	l->peers[rank].lost = true;
	pthread_cond_broadcast(&l->came);
}

static void give_signs(struct link *l, double now)
{
	if (now - l->sign < (l->rank ? LIFE_SIGNS : 2 * LIFE_SIGNS))
		return;
	l->sign = now;
	for (uint32_t r = l->rank ? 0 : 1; r < (l->rank ? 1 : l->ranks); r++)
		if (!l->peers[r].lost && l->waiting[r] < 4)
			queue(l, r, KIND_LIFE, "", 0);
}

/* Rank 0 watches all, the others rank 0. */
static void look_for_silence(struct link *l, double now)
{
	for (uint32_t r = l->rank ? 0 : 1; r < (l->rank ? 1 : l->ranks); r++) {
		struct peer *p = &l->peers[r];
		double bound = p->met || l->patience > FIRST_PATIENCE ? l->patience : FIRST_PATIENCE;
		if (!p->lost && now - p->heard > bound)
			lose(l, r);
	}
}

static void put_in(struct link *l, struct letter *letter, double now)
{
	struct peer *p = &l->peers[letter->from];
	p->heard = now;
	p->met = true;
	p->bye |= letter->kind == KIND_BYE;
	if (letter->kind == KIND_GO) {
		l->go = true;
		l->go_all = letter->bytes.n && letter->bytes.at[0];
	}
	if (letter->kind >= LINK_FIRST_KIND && !p->lost)
		vec_push(&l->in, *letter);
	else
		text_free(&letter->bytes);
	pthread_cond_broadcast(&l->came);
}

/* Outside the lock the wire is the carrier's alone. */
static bool carry(struct link *l, double now)
{
	struct letter letter;
	bool moved = false;
	for (size_t i = 0; i < l->out.n; i++) {
		struct letter *x = &l->out.at[i];
		if (l->peers[x->from].lost)
			text_free(&x->bytes);
		else
			wire_send(x->from, x->kind, &x->bytes);
		moved = true;
	}
	vec_clear(&l->out);
	while (wire_take(&letter)) {
		put_in(l, &letter, now);
		moved = true;
	}
	for (uint32_t r = 0; r < l->ranks; r++)
		l->waiting[r] = wire_waiting(r);
	return moved;
}

static void say_bye(struct link *l)
{
	for (uint32_t r = l->rank ? 0 : 1; r < (l->rank ? 1 : l->ranks) && !l->said_bye; r++)
		queue(l, r, KIND_BYE, "", 0);
	l->said_bye = true;
}

/* Farewell: each says BYE to rank 0 and it to all, so that nobody waits for letters from the other; then rank 0 says GO
 * when it has heard from all that are left. */
static void take_leave(struct link *l)
{
	if (!l->closing || l->go)
		return;
	say_bye(l);
	if (l->rank) {
		l->go = l->peers[0].lost;
		return;
	}
	char all = 1;
	for (uint32_t r = 1; r < l->ranks; r++) {
		if (!l->peers[r].lost && !l->peers[r].bye)
			return;
		all &= !l->peers[r].lost;
	}
	l->go = true;
	l->go_all = all;
	for (uint32_t r = 1; r < l->ranks; r++)
		queue(l, r, KIND_GO, &all, 1);
}

static bool has_letters(const struct link *l)
{
	uint32_t n = (uint32_t)l->out.n;
	for (uint32_t r = 0; r < l->ranks; r++)
		n += l->peers[r].lost ? 0 : l->waiting[r];
	return n;
}

static void carry_until_closed(struct link *l)
{
	double nap = SHORT_NAP, until = 0;
	thread_lock(&l->lock);
	while (!until || (has_letters(l) && clock_now() < until)) {
		double now = clock_now();
		give_signs(l, now);
		bool moved = carry(l, now);
		look_for_silence(l, now);
		take_leave(l);
		if (l->go && !until)
			until = now + LAST_LETTERS;
		nap = moved ? SHORT_NAP : nap < LONG_NAP ? nap * 1.5 : LONG_NAP;
		thread_wait_until(&l->changed, &l->lock, now + nap);
	}
	bool all = l->go_all;
	thread_unlock(&l->lock);
	if (all)
		wire_close();
}

static void carrier(void *context)
{
	struct link *l = context;
	uint32_t rank = 0, ranks = 1;
	struct text error = {0};
	bool fine = wire_open(&rank, &ranks, &error); /* by the thread that will use it */
	thread_lock(&l->lock);
	l->rank = rank;
	l->ranks = ranks;
	l->error = error;
	l->failed = !fine;
	l->open = fine;
	l->peers = NEW_ARRAY(struct peer, ranks);
	l->waiting = NEW_ARRAY(uint32_t, ranks);
	l->opened = clock_now();
	for (uint32_t r = 0; r < ranks; r++)
		l->peers[r].heard = l->opened;
	pthread_cond_broadcast(&l->came);
	thread_unlock(&l->lock);
	if (fine)
		carry_until_closed(l);
}

/* ---- opened and closed ------------------------------------------------------------------------- */

static void free_link(struct link *l)
{
	for (size_t i = 0; i < l->in.n; i++)
		text_free(&l->in.at[i].bytes);
	for (size_t i = 0; i < l->out.n; i++)
		text_free(&l->out.at[i].bytes);
	vec_free(&l->in);
	vec_free(&l->out);
	mem_free(l->peers);
	mem_free(l->waiting);
	text_free(&l->error);
	pthread_cond_destroy(&l->came);
	pthread_cond_destroy(&l->changed);
	thread_mutex_free(&l->lock);
	mem_free(l);
}

struct link *link_open(double patience, struct text *error)
{
	struct link *l = NEW(struct link);
	l->patience = patience;
	thread_mutex_init(&l->lock);
	thread_cond_init(&l->came);
	thread_cond_init(&l->changed);
	bool started = thread_start(&l->carrier, carrier, l);
	thread_lock(&l->lock);
	while (started && !l->open && !l->failed)
		thread_wait(&l->came, &l->lock);
	thread_unlock(&l->lock);
	if (l->open)
		return l;
	text_puts(error, started ? text_str(&l->error) : "no thread can be started");
	if (started)
		thread_join(&l->carrier);
	free_link(l);
	return NULL;
}

void link_farewell(struct link *l)
{
	thread_lock(&l->lock);
	say_bye(l);
	pthread_cond_broadcast(&l->changed);
	thread_unlock(&l->lock);
}

bool link_close(struct link *l)
{
	thread_lock(&l->lock);
	l->closing = true;
	pthread_cond_broadcast(&l->changed);
	thread_unlock(&l->lock);
	thread_join(&l->carrier);
	bool all = l->go_all;
	free_link(l);
	return all;
}

uint32_t link_rank(const struct link *l)
{
	return l->rank;
}

uint32_t link_ranks(const struct link *l)
{
	return l->ranks;
}

double link_patience(const struct link *l)
{
	return l->patience;
}

/* ---- letters ----------------------------------------------------------------------------------- */

void link_send(struct link *l, uint32_t to, uint32_t kind, const void *bytes, size_t size)
{
	struct mem_scope *scope = mem_scope_enter(NULL); /* letters outlive what their sender is working on */
	thread_lock(&l->lock);
	if (!l->peers[to].lost) {
		queue(l, to, kind, bytes, size);
		l->traffic.letters++;
		l->traffic.bytes += size;
	}
	pthread_cond_broadcast(&l->changed);
	thread_unlock(&l->lock);
	mem_scope_leave(scope);
}

uint32_t link_waiting(struct link *l, uint32_t to)
{
	thread_lock(&l->lock);
	uint32_t n = l->waiting[to];
	thread_unlock(&l->lock);
	return n;
}

static bool find_letter(struct link *l, uint32_t kind, int from, struct letter *out)
{
	for (size_t i = 0; i < l->in.n; i++) {
		if (l->in.at[i].kind != kind || (from >= 0 && l->in.at[i].from != (uint32_t)from))
			continue;
		*out = l->in.at[i];
		for (size_t k = i + 1; k < l->in.n; k++)
			l->in.at[k - 1] = l->in.at[k];
		l->in.n--;
		return true;
	}
	return false;
}

static bool is_gone(const struct link *l, uint32_t rank)
{
	return l->peers[rank].lost || l->peers[rank].bye;
}

/* Nobody is left who could send it. */
static bool is_forlorn(const struct link *l, int from)
{
	if (l->rank)
		return is_gone(l, 0);
	bool any = false;
	for (uint32_t r = 1; r < l->ranks; r++)
		any |= !is_gone(l, r) && (from < 0 || r == (uint32_t)from);
	return !any;
}

bool link_take(struct link *l, uint32_t kind, int from, double seconds, struct letter *out)
{
	double until = clock_now() + seconds;
	bool found;
	thread_lock(&l->lock);
	while (!(found = find_letter(l, kind, from, out)) && seconds > 0 && !is_forlorn(l, from))
		if (!thread_wait_until(&l->came, &l->lock, until))
			break;
	thread_unlock(&l->lock);
	return found;
}

bool link_gone(struct link *l, uint32_t rank)
{
	thread_lock(&l->lock);
	bool gone = is_gone(l, rank);
	thread_unlock(&l->lock);
	return gone;
}

uint32_t link_gone_count(struct link *l)
{
	uint32_t n = 0;
	thread_lock(&l->lock);
	for (uint32_t r = 0; r < l->ranks; r++)
		n += is_gone(l, r);
	thread_unlock(&l->lock);
	return n;
}

struct link_traffic link_traffic(struct link *l)
{
	thread_lock(&l->lock);
	struct link_traffic t = l->traffic;
	t.seconds = clock_now() - l->opened;
	thread_unlock(&l->lock);
	return t;
}

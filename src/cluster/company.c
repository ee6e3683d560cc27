/* The letters of a search in company. KIND_SEARCH goes from rank 0 to all: a seat, for how long, a position; or no
 * position: enough. KIND_SHARED + seat goes between neighbours; its bytes are the players' own. */
#include "cluster/company.h"

#include "base/clock.h"
#include "base/thread.h"
#include "cluster/kinds.h"

#include <string.h>

enum { MATCH_OVER = COMPANY_SEATS }; /* in the place of a seat */
enum { MOST_WAITING = 2 };           /* letters that a neighbour may leave unread before it is told no more */

struct company_seat {
	struct cluster *c;
	struct link *link;
	size_t words;
	uint32_t seat, neighbours[COMPANY_FAN + 1], count;
	struct letter letter; /* the last that came */
};

/* Parent first. */
static void find_neighbours(struct company_seat *s)
{
	uint32_t rank = cluster_rank(s->c), ranks = cluster_ranks(s->c);
	s->count = 0;
	if (rank)
		s->neighbours[s->count++] = (rank - 1) / COMPANY_FAN;
	for (uint32_t i = 1; i <= COMPANY_FAN; i++)
		if (rank * COMPANY_FAN + i < ranks)
			s->neighbours[s->count++] = rank * COMPANY_FAN + i;
}

struct company_seat *company_seat_open(struct cluster *c, size_t words, uint32_t seat)
{
	struct company_seat *s = NEW(struct company_seat);
	*s = (struct company_seat){.c = c, .link = cluster_link(c), .words = words, .seat = seat};
	find_neighbours(s);
	return s;
}

void company_seat_close(struct company_seat *s)
{
	if (!s)
		return;
	text_free(&s->letter.bytes);
	mem_free(s);
}

struct search_order {
	uint32_t seat, begins;
	double seconds;
};

static void order(struct company_seat *s, const uint64_t *position, double seconds)
{
	struct mem_scope *scope = mem_scope_enter(NULL);
	struct text out = {0};
	struct search_order o = {s->seat, position != NULL, seconds};
	text_add(&out, (const char *)&o, sizeof o);
	if (position)
		text_add(&out, (const char *)position, s->words * sizeof *position);
	for (uint32_t r = 1; r < cluster_ranks(s->c); r++)
		link_send(s->link, r, KIND_SEARCH, out.at, out.n);
	text_free(&out);
	mem_scope_leave(scope);
}

static void begin(void *context, const uint64_t *position, double seconds)
{
	order(context, position, seconds);
}

static void end(void *context)
{
	order(context, NULL, 0);
}

void company_end_match(struct cluster *c)
{
	struct search_order o = {.seat = MATCH_OVER};
	for (uint32_t r = 1; r < cluster_ranks(c); r++)
		link_send(cluster_link(c), r, KIND_SEARCH, &o, sizeof o);
}

/* A neighbour who does not read misses something; nobody waits for it. */
static bool send_to(void *context, uint32_t neighbour, const void *bytes, size_t size)
{
	struct company_seat *s = context;
	uint32_t to = s->neighbours[neighbour];
	if (link_waiting(s->link, to) > MOST_WAITING)
		return false;
	if (bytes)
		link_send(s->link, to, KIND_SHARED + s->seat, bytes, size);
	return true;
}

static bool receive(void *context, uint32_t *neighbour, const void **bytes, size_t *size)
{
	struct company_seat *s = context;
	text_free(&s->letter.bytes);
	for (*neighbour = 0; *neighbour < s->count; ++*neighbour)
		if (link_take(s->link, KIND_SHARED + s->seat, (int)s->neighbours[*neighbour], 0, &s->letter)) {
			*bytes = s->letter.bytes.at;
			*size = s->letter.bytes.n;
			return true;
		}
	return false;
}

macaw_company company_seat_face(struct company_seat *s)
{
	bool leads = cluster_leads(s->c);
	return (macaw_company){.context = s,
	                       .neighbours = s->count,
	                       .begin = leads ? begin : NULL,
	                       .end = leads ? end : NULL,
	                       .send = send_to,
	                       .receive = receive};
}

/* ---- assistants ------------------------------------------------------------------------------------ */

struct assistant {
	macaw_player *player; /* NULL: nobody to assist */
	struct company_seat *seat;
	struct thread thread;
	struct thread_mutex *lock;
	pthread_cond_t wanted;
	uint64_t *position;
	size_t words;
	double seconds;
	bool begins, over; /* there is something to search; the match is over */
	macaw_stop stop;
};

/* Searches what was ordered last, again and again. */
static void assist(void *context)
{
	struct assistant *a = context;
	uint64_t *position = NEW_ARRAY(uint64_t, a->words + 1);
	thread_lock(a->lock);
	while (!a->over) {
		if (!a->begins) {
			thread_wait(&a->wanted, a->lock);
			continue;
		}
		macaw_budget b = {.seconds = a->seconds > 0 ? a->seconds : 1e6, .margin = -1, .stop = &a->stop};
		memcpy(position, a->position, a->words * sizeof *position);
		a->begins = false;
		macaw_stop_clear(&a->stop);
		thread_unlock(a->lock);
		macaw_player_assist(a->player, position, &b);
		thread_lock(a->lock);
	}
	thread_unlock(a->lock);
	mem_free(position);
}

static bool assistant_open(struct assistant *a, struct cluster *c, macaw_game *g, uint32_t role, const char *word,
                           uint64_t seed, struct thread_mutex *lock)
{
	a->lock = lock;
	a->words = macaw_position_words(g);
	a->position = NEW_ARRAY(uint64_t, a->words + 1);
	a->seat = company_seat_open(c, a->words, role);
	a->player = macaw_player_new(g, role, word, seed + 1000003 * cluster_rank(c), NULL);
	macaw_company face = company_seat_face(a->seat);
	thread_cond_init(&a->wanted);
	return a->player && macaw_player_accompany(a->player, &face) && thread_start(&a->thread, assist, a);
}

static void assistant_close(struct assistant *a, bool started)
{
	if (!a->seat)
		return;
	if (started) {
		thread_lock(a->lock);
		a->over = true;
		macaw_stop_now(&a->stop);
		pthread_cond_broadcast(&a->wanted);
		thread_unlock(a->lock);
		thread_join(&a->thread);
	}
	macaw_player_free(a->player);
	company_seat_close(a->seat);
	pthread_cond_destroy(&a->wanted);
	mem_free(a->position);
}

static void obey(struct assistant *a, const struct search_order *o, const char *position)
{
	thread_lock(a->lock);
	macaw_stop_now(&a->stop);
	a->begins = o->begins;
	a->seconds = o->seconds;
	if (o->begins)
		memcpy(a->position, position, a->words * sizeof *a->position);
	pthread_cond_broadcast(&a->wanted);
	thread_unlock(a->lock);
}

/* Until rank 0 has ended, or has something else to do. */
static void obey_all(struct link *link, struct assistant *all, const bool *started, uint32_t roles)
{
	struct letter l;
	struct search_order o = {0};
	while (o.seat != MATCH_OVER && link_take(link, KIND_SEARCH, 0, 1e9, &l)) {
		memcpy(&o, l.bytes.at, sizeof o);
		if (o.seat < roles && started[o.seat] &&
		    (!o.begins || l.bytes.n == sizeof o + all[o.seat].words * sizeof(uint64_t)))
			obey(&all[o.seat], &o, l.bytes.at + sizeof o);
		text_free(&l.bytes);
	}
}

void company_sit_out(struct cluster *c)
{
	obey_all(cluster_link(c), NULL, NULL, 0);
}

void company_assist(struct cluster *c, macaw_game *g, const char *const *words, uint64_t seed)
{
	uint32_t roles = macaw_game_roles(g);
	struct assistant *all = NEW_ARRAY(struct assistant, roles);
	bool *started = NEW_ARRAY(bool, roles);
	struct thread_mutex lock;
	thread_mutex_init(&lock);
	for (uint32_t r = 0; r < roles && r < COMPANY_SEATS; r++)
		started[r] = words[r] && assistant_open(&all[r], c, g, r, words[r], seed, &lock);
	obey_all(cluster_link(c), all, started, roles);
	for (uint32_t r = 0; r < roles; r++)
		assistant_close(&all[r], started[r]);
	thread_mutex_free(&lock);
	mem_free(started);
	mem_free(all);
}

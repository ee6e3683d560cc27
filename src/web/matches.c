/* The list of matches: made, found by their keys, dropped when nobody cares any more. */
#include "web/match_internal.h"

#include "base/clock.h"

#include <stdio.h>
#include <string.h>

struct matches {
	struct web *web;
	struct thread_mutex lock;
	VEC(struct match *) list;
	uint64_t numbers;
};

struct matches *matches_open(struct web *web)
{
	struct matches *all = NEW(struct matches);
	all->web = web;
	thread_mutex_init(&all->lock);
	return all;
}

static void free_match(struct match *m)
{
	match_forget_views(m, 0);
	for (uint32_t r = 0; r < m->roles; r++) {
		struct seat *s = &m->seats[r];
		macaw_player_free(s->player);
		mem_free(s->word);
		mem_free(s->why);
		match_free_track(&m->tracks[r]);
	}
	for (size_t i = 0; i < m->made.n; i++)
		mem_free(m->made.at[i].why);
	vec_free(&m->made);
	vec_free(&m->keys);
	mem_free(m->seats);
	mem_free(m->tracks);
	mem_free(m->view);
	mem_free(m->trouble);
	place_close(&m->course);
	thread_mutex_free(&m->lock);
	pthread_cond_destroy(&m->change);
	mem_free(m);
}

void match_give(struct match *m)
{
	if (!--m->holders)
		free_match(m);
}

static void end_match(struct match *m)
{
	thread_lock(&m->lock);
	m->gone = true;
	match_interrupt(m);
	thread_unlock(&m->lock);
}

void matches_stop(struct matches *all)
{
	thread_lock(&all->lock);
	for (size_t i = 0; i < all->list.n; i++)
		end_match(all->list.at[i]);
	thread_unlock(&all->lock);
}

/* Work that the pool has dropped held some of them; nobody else does. */
void matches_close(struct matches *all)
{
	if (!all)
		return;
	for (size_t i = 0; i < all->list.n; i++)
		free_match(all->list.at[i]);
	vec_free(&all->list);
	thread_mutex_free(&all->lock);
	mem_free(all);
}

/* ---- watching ---- */

static void look_at_clocks(struct match *m, double now)
{
	for (uint32_t r = 0; r < m->roles; r++)
		if (match_runs(m, r) && match_waits(m, r) && match_clock(m, r, now) <= 0) {
			match_end(m, OVER_TIME, r);
			return;
		}
}

/* Nobody looks: players stop and clocks stand still until somebody does. */
static void let_rest(struct match *m)
{
	if (m->resting)
		return;
	match_charge(m);
	m->resting = true;
	m->epoch++;
	macaw_stop_now(&m->stop);
}

static void drop_at(struct matches *all, size_t i)
{
	struct match *m = all->list.at[i];
	memmove(all->list.at + i, all->list.at + i + 1, (--all->list.n - i) * sizeof *all->list.at);
	end_match(m);
	match_give(m);
}

void matches_watch(struct matches *all, double now)
{
	thread_lock(&all->lock);
	for (size_t i = all->list.n; i--;) {
		struct match *m = all->list.at[i];
		double idle = m->listeners ? 0 : now - m->asked;
		if (idle > MATCHES_IDLE) {
			drop_at(all, i);
			continue;
		}
		thread_lock(&m->lock);
		if (idle > WEB_VANISH)
			let_rest(m);
		else
			look_at_clocks(m, now);
		thread_unlock(&m->lock);
	}
	thread_unlock(&all->lock);
}

/* ---- finding ---- */

struct match *matches_find(struct matches *all, const char *id)
{
	struct match *found = NULL;
	thread_lock(&all->lock);
	for (size_t i = 0; i < all->list.n && !found; i++)
		if (!strcmp(all->list.at[i]->id, id))
			found = all->list.at[i];
	if (found) {
		found->holders++;
		found->asked = clock_now();
	}
	thread_unlock(&all->lock);
	return found;
}

void matches_drop(struct matches *all, struct match *m)
{
	thread_lock(&all->lock);
	for (size_t i = 0; i < all->list.n; i++)
		if (all->list.at[i] == m) {
			drop_at(all, i);
			break;
		}
	thread_unlock(&all->lock);
}

/* Room for one more: the one that nobody has asked for the longest goes, if nobody listens to it. */
static bool make_room(struct matches *all)
{
	if (all->list.n < MATCHES_MOST)
		return true;
	size_t oldest = all->list.n;
	for (size_t i = 0; i < all->list.n; i++) {
		const struct match *m = all->list.at[i];
		bool idle = !m->listeners && clock_now() - m->asked > WEB_VANISH;
		if (idle && (oldest == all->list.n || m->asked < all->list.at[oldest]->asked))
			oldest = i;
	}
	if (oldest == all->list.n)
		return false;
	drop_at(all, oldest);
	return true;
}

struct match *matches_new(struct request *q, struct place *course)
{
	struct matches *all = q->web->matches;
	struct match *m = NEW(struct match);
	m->all = all;
	m->web = q->web;
	m->course = *course;
	m->roles = course->roles;
	m->hidden = macaw_game_hidden(course->game->game);
	m->seats = NEW_ARRAY(struct seat, m->roles);
	m->tracks = NEW_ARRAY(struct track, m->roles);
	thread_mutex_init(&m->lock);
	thread_cond_init(&m->change);
	m->holders = 2; /* the list and the caller */
	m->asked = m->last_step = clock_now();
	*course = (struct place){0};
	return m;
}

/* Puts it on the list, with the host's key. False: there is no room, and the request has failed. */
bool matches_add(struct request *q, struct match *m)
{
	struct matches *all = q->web->matches;
	struct key host;
	web_secret(host.secret);
	vec_push(&m->keys, host);
	thread_lock(&all->lock);
	bool room = make_room(all);
	if (room) {
		snprintf(m->id, sizeof m->id, "m%llu", (unsigned long long)++all->numbers);
		vec_push(&all->list, m);
	}
	thread_unlock(&all->lock);
	if (room)
		return true;
	request_fail_help(q, 503, "busy", "too many matches are under way", "end one of them, or close its window");
	return false;
}

void matches_list(struct request *q)
{
	struct matches *all = q->web->matches;
	jsonw_array(&q->w, "matches");
	thread_lock(&all->lock);
	for (size_t i = 0; i < all->list.n; i++) {
		struct match *m = all->list.at[i];
		thread_lock(&m->lock);
		jsonw_object(&q->w, NULL);
		jsonw_text(&q->w, "match", m->id);
		jsonw_text(&q->w, "game", m->course.game->name);
		jsonw_uint(&q->w, "step", m->course.steps);
		jsonw_bool(&q->w, "over", m->over);
		jsonw_uint(&q->w, "people", match_people(m));
		jsonw_int(&q->w, "listeners", m->listeners);
		jsonw_end(&q->w);
		thread_unlock(&m->lock);
	}
	thread_unlock(&all->lock);
	jsonw_end(&q->w);
}

/* The referee of a match at pages. One piece of work on the pool at a time plays a match: it asks players, draws for
 * chance, makes the step when all have decided, and leaves when people are to move. Whoever changes the match from
 * outside interrupts what is being thought. */
#include "web/match_internal.h"

#include "base/clock.h"
#include "base/rng.h"

#include <math.h>
#include <string.h>

#define CLOCK_SHARE 25.0 /* a player with a clock takes this part of it for a move */
#define LEAST_THOUGHT 0.02

/* ---- clocks ---- */

bool match_waits(const struct match *m, uint32_t role)
{
	const struct seat *s = &m->seats[role];
	return !m->over && s->choice && s->decided == MACAW_NONE && (s->who == SEAT_HUMAN || s->who == SEAT_GUEST);
}

bool match_thinks(const struct match *m, uint32_t role)
{
	const struct seat *s = &m->seats[role];
	return !m->over && s->who == SEAT_PLAYER && s->decided == MACAW_NONE && s->began > 0;
}

bool match_runs(const struct match *m, uint32_t role)
{
	if (!m->clocked || m->over || m->paused || m->resting)
		return false;
	return match_thinks(m, role) || (match_waits(m, role) && m->seats[role].who == SEAT_HUMAN);
}

static double used(const struct match *m, uint32_t role, double now)
{
	const struct seat *s = &m->seats[role];
	if (!match_runs(m, role))
		return 0;
	return now - (s->who == SEAT_PLAYER ? s->began : m->turn_began);
}

double match_clock(const struct match *m, uint32_t role, double now)
{
	return fmax(0, m->seats[role].clock - used(m, role, now));
}

void match_charge(struct match *m)
{
	double now = clock_now();
	for (uint32_t r = 0; r < m->roles; r++)
		m->seats[r].clock = match_clock(m, r, now);
	m->turn_began = now;
}

/* ---- changes ---- */

void match_changed(struct match *m)
{
	m->version++;
	pthread_cond_broadcast(&m->change);
}

void match_interrupt(struct match *m)
{
	m->epoch++;
	macaw_stop_now(&m->stop);
	match_changed(m);
}

void match_end(struct match *m, enum over how, uint32_t role)
{
	match_charge(m);
	m->over = how;
	m->over_role = role;
	match_interrupt(m);
}

static void trouble(struct match *m, const char *why)
{
	mem_free(m->trouble);
	m->trouble = text_copy(why, strlen(why));
	match_end(m, OVER_TROUBLE, MACAW_NONE);
}

static void forget_decisions(struct match *m)
{
	for (uint32_t r = 0; r < m->roles; r++) {
		struct seat *s = &m->seats[r];
		s->decided = MACAW_NONE;
		s->began = s->took = 0;
		s->value = -1;
		mem_free(s->why);
		s->why = NULL;
	}
}

void match_arrive(struct match *m)
{
	macaw_view v;
	forget_decisions(m);
	mem_free(m->view);
	m->view = NULL;
	m->turn_began = clock_now();
	if (!macaw_look(m->course.tools->worker, place_now(&m->course), &v)) {
		trouble(m, macaw_worker_error(m->course.tools->worker)->text);
		return;
	}
	m->over = m->record ? OVER_RECORD : OVER_NOT;
	if (v.terminal)
		m->over = OVER_TERMINAL;
	for (uint32_t r = 0; r < m->roles; r++) {
		struct seat *s = &m->seats[r];
		uint32_t count = v.terminal ? 0 : v.start[r + 1] - v.start[r];
		s->choice = count > 1;
		if (count == 1)
			s->decided = v.legal[v.start[r]];
		if (!count && !v.terminal) {
			m->over = OVER_STUCK;
			m->over_role = r;
		}
	}
	match_changed(m);
}

void match_decide(struct match *m, uint32_t role, uint32_t move)
{
	struct seat *s = &m->seats[role];
	double now = clock_now();
	s->took = now - m->turn_began;
	s->clock = match_clock(m, role, now);
	s->decided = move;
	match_changed(m);
}

void match_go_back(struct match *m, uint32_t step)
{
	for (size_t i = (size_t)step * m->roles; i < m->made.n; i++)
		mem_free(m->made.at[i].why);
	m->made.n = (size_t)step * m->roles;
	m->course.steps = step;
	m->course.moves.n = (size_t)step * m->roles;
	m->course.positions.n = (size_t)(step + 1) * m->course.words;
	for (uint32_t r = 0; r < m->roles; r++)
		m->seats[r].lost = true;
	match_forget_views(m, step);
	match_interrupt(m);
	match_arrive(m);
}

/* ---- steps ---- */

static uint32_t draw(struct match *m)
{
	uint32_t random = macaw_game_random(m->course.game->game);
	macaw_view v;
	if (!macaw_look(m->course.tools->worker, place_now(&m->course), &v))
		return MACAW_NONE;
	struct rng rng = rng_seed(m->seed ^ ((uint64_t)(m->course.steps + 1) << 32));
	return v.legal[v.start[random] + rng_below(&rng, v.start[random + 1] - v.start[random])];
}

static void note(struct match *m)
{
	for (uint32_t r = 0; r < m->roles; r++) {
		struct seat *s = &m->seats[r];
		vec_push(&m->made, (struct made){s->decided, s->took, s->value, MACAW_FINE, s->choice, s->why});
		s->why = NULL;
		if (s->choice && s->who != SEAT_CHANCE)
			s->clock += m->increment;
	}
}

/* A player that hears of each step keeps what it has learnt. */
static void inform(struct match *m, uint32_t role, struct observation *o)
{
	struct seat *s = &m->seats[role];
	const uint32_t *joint = m->course.moves.at + (size_t)(m->course.steps - 1) * m->roles;
	if (!s->player || s->lost)
		return;
	if (!m->hidden)
		s->lost = !macaw_player_inform(s->player, joint);
	else
		s->lost =
			!place_observe(&m->course, m->course.steps - 1, role, o) ||
			!macaw_player_inform_seen(s->player, o->own_move, o->percepts.at, o->percepts.n, o->legal.at, o->legal.n);
}

static void step(struct match *m)
{
	if (m->course.steps >= PLACE_STEPS) {
		trouble(m, "the match has become too long");
		return;
	}
	struct observation o = {0};
	uint32_t *joint = mem_alloc(m->roles, sizeof *joint);
	for (uint32_t r = 0; r < m->roles; r++)
		joint[r] = m->seats[r].decided;
	if (place_step(&m->course, joint)) {
		note(m);
		for (uint32_t r = 0; r < m->roles; r++)
			inform(m, r, &o);
		m->last_step = clock_now();
		m->single_steps -= m->single_steps > 0;
		match_arrive(m);
	} else {
		trouble(m, macaw_worker_error(m->course.tools->worker)->text);
	}
	observation_free(&o);
	mem_free(joint);
}

/* ---- thinking ---- */

/* The player in its place; false: it cannot play, and the match has ended. */
static bool prepare(struct match *m, struct seat *s, uint32_t role)
{
	macaw_error e = {0};
	if (s->player && s->lost) {
		macaw_player_free(s->player);
		s->player = NULL;
	}
	if (s->player)
		return true;
	s->player = macaw_player_new(m->course.game->game, role, s->word, m->seed + role + 1, &e);
	s->lost = false;
	if (s->player && place_follow(&m->course, s->player, role))
		return true;
	trouble(m, s->player ? macaw_player_error(s->player)->text : e.text);
	return false;
}

static macaw_budget budget_of(const struct match *m, const struct seat *s)
{
	macaw_budget b = {.seconds = s->seconds, .playouts = s->playouts, .stop = unconst(&m->stop)};
	if (!s->seconds && !s->playouts)
		b.seconds = 1;
	if (m->clocked) {
		double share = s->clock / CLOCK_SHARE + 0.8 * m->increment;
		b.seconds = fmax(LEAST_THOUGHT, s->seconds > 0 ? fmin(s->seconds, share) : share);
	}
	return b;
}

/* Leaves the lock while the player thinks. */
static void think(struct match *m, uint32_t role)
{
	struct seat *s = &m->seats[role];
	macaw_thought t;
	uint64_t epoch = m->epoch;
	s->began = clock_now();
	match_changed(m);
	if (!prepare(m, s, role))
		return;
	macaw_budget b = budget_of(m, s);
	macaw_player *player = s->player;
	macaw_stop_clear(&m->stop);
	thread_unlock(&m->lock);
	bool fine = macaw_player_think(player, &b, &t);
	thread_lock(&m->lock);
	if (m->epoch != epoch) { /* somebody has changed the match; the seat may be another's */
		s->began = 0;
		return;
	}
	if (!fine) {
		trouble(m, macaw_player_error(player)->text);
		return;
	}
	double now = clock_now();
	s->took = now - s->began;
	s->clock = match_clock(m, role, now);
	s->value = t.value;
	s->why = t.why ? text_copy(t.why, strlen(t.why)) : NULL;
	s->decided = t.move;
	match_changed(m);
	if (m->clocked && s->clock <= 0)
		match_end(m, OVER_TIME, role);
}

/* ---- what is next ---- */

static bool people_choose(const struct match *m)
{
	for (uint32_t r = 0; r < m->roles; r++)
		if (m->seats[r].choice && (m->seats[r].who == SEAT_HUMAN || m->seats[r].who == SEAT_GUEST))
			return true;
	return false;
}

/* The next player who has to think; MACAW_NONE: none. */
static uint32_t next_thinker(const struct match *m)
{
	for (uint32_t r = 0; r < m->roles; r++)
		if (m->seats[r].who == SEAT_PLAYER && m->seats[r].choice && m->seats[r].decided == MACAW_NONE)
			return r;
	return MACAW_NONE;
}

static bool all_decided(const struct match *m)
{
	for (uint32_t r = 0; r < m->roles; r++)
		if (m->seats[r].who != SEAT_CHANCE && m->seats[r].decided == MACAW_NONE)
			return false;
	return true;
}

static void free_idle_players(struct match *m)
{
	for (uint32_t r = 0; r < m->roles; r++)
		if (m->seats[r].player && (m->seats[r].who != SEAT_PLAYER || m->seats[r].lost)) {
			macaw_player_free(m->seats[r].player);
			m->seats[r].player = NULL;
		}
}

/* Does what there is to do. True: again at *at. */
static bool play(struct match *m, double *at)
{
	for (;;) {
		bool people = people_choose(m), held = m->paused && !m->single_steps && !people;
		if (m->over || m->gone || m->resting || held)
			return false;
		uint32_t thinker = next_thinker(m);
		if (thinker != MACAW_NONE) {
			think(m, thinker);
			continue;
		}
		if (!all_decided(m))
			return false;
		*at = m->last_step + m->delay;
		if (!people && !m->single_steps && clock_now() < *at)
			return true;
		uint32_t random = macaw_game_random(m->course.game->game);
		if (random != MACAW_NONE && m->seats[random].decided == MACAW_NONE)
			m->seats[random].decided = draw(m);
		step(m);
	}
}

static void work(void *context)
{
	struct match *m = context;
	double at = 0;
	thread_lock(&m->lock);
	bool again = play(m, &at);
	free_idle_players(m);
	m->working = again;
	thread_unlock(&m->lock);
	if (again)
		pool_add(m->web->pool, POOL_LONG, at, work, m);
	else
		match_give(m);
}

void match_wake(struct match *m)
{
	if (m->resting) /* clocks stood still */
		m->turn_began = clock_now();
	m->resting = false;
	if (m->working || m->over || m->gone)
		return;
	m->working = true;
	m->holders++;
	pool_add(m->web->pool, POOL_LONG, 0, work, m);
}

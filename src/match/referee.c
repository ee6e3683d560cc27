/* Every contestant sits at a desk: a thread that takes one question at a time. The
 * referee puts the question down, waits for the answer until the clock runs out, and
 * goes on without it, with the move that the contestant holds ready if it has one. A late contestant is told to stop;
 * the next question waits on its desk, with the clock running. Roles are asked one after the other, so that none of
 * them thinks on another's processor time. */
#include "match/referee.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

enum desk_state { DESK_IDLE, DESK_ASKED, DESK_ANSWERED, DESK_LEFT };

struct desk {
	const struct contestant *who;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t change;
	enum desk_state state;
	bool abandoned; /* the answer under way is not wanted any more */
	/* the question, owned by the desk */
	bool is_start;
	struct turn turn;
	struct budget budget;
	atomic_bool stop;
	VEC(uint64_t) at;
	VEC(uint32_t) last, legal, seen;
	/* the answer */
	uint32_t move;
	double answered; /* on the clock */
	struct text why;
};

/* ---- desks ------------------------------------------------------------------------------------ */

static void answer(struct desk *d)
{
	d->why.n = 0;
	if (!d->is_start)
		d->move = d->who->move(d->who->self, &d->turn, &d->budget, &d->why);
	else if (d->who->start)
		d->who->start(d->who->self, &d->budget);
}

static void *sit(void *context)
{
	struct desk *d = context;
	pthread_mutex_lock(&d->lock);
	for (;;) {
		while (d->state != DESK_ASKED && d->state != DESK_LEFT)
			pthread_cond_wait(&d->change, &d->lock);
		if (d->state == DESK_LEFT)
			break;
		pthread_mutex_unlock(&d->lock);
		answer(d);
		double now = clock_now();
		pthread_mutex_lock(&d->lock);
		d->answered = now;
		d->state = d->abandoned ? DESK_IDLE : DESK_ANSWERED;
		d->abandoned = false;
		pthread_cond_broadcast(&d->change);
	}
	pthread_mutex_unlock(&d->lock);
	return NULL;
}

static bool desk_open(struct desk *d, const struct contestant *who)
{
	pthread_condattr_t attributes;
	d->who = who;
	pthread_mutex_init(&d->lock, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&d->change, &attributes);
	pthread_condattr_destroy(&attributes);
	return !pthread_create(&d->thread, NULL, sit, d);
}

/* Waits while the desk is in a state; 0: for ever. The lock is held. */
static bool wait_while(struct desk *d, enum desk_state state, double deadline)
{
	struct timespec t = {(time_t)deadline, (long)((deadline - (double)(time_t)deadline) * 1e9)};
	while (d->state == state)
		if (deadline <= 0)
			pthread_cond_wait(&d->change, &d->lock);
		else if (pthread_cond_timedwait(&d->change, &d->lock, &t))
			return d->state != state;
	return true;
}

static void tell_to_stop(struct desk *d)
{
	atomic_store(&d->stop, true);
	if (d->who->stop)
		d->who->stop(d->who->self);
}

#define LAST_GRACE 0.5 /* seconds for a last answer, before it is given up by force */

static void desk_close(struct desk *d)
{
	pthread_mutex_lock(&d->lock);
	tell_to_stop(d);
	if (d->who->abandon && !wait_while(d, DESK_ASKED, clock_now() + LAST_GRACE))
		d->who->abandon(d->who->self);
	wait_while(d, DESK_ASKED, 0);
	d->state = DESK_LEFT;
	pthread_cond_broadcast(&d->change);
	pthread_mutex_unlock(&d->lock);
	pthread_join(d->thread, NULL);
	pthread_mutex_destroy(&d->lock);
	pthread_cond_destroy(&d->change);
	vec_free(&d->at);
	vec_free(&d->last);
	vec_free(&d->legal);
	vec_free(&d->seen);
	text_free(&d->why);
}

#define COPY(list, from, count) \
	do { \
		vec_clear(list); \
		vec_extend(list, count); \
		if ((from) && (count)) \
			memcpy((list)->at, from, (count) * sizeof *(list)->at); \
	} while (0)

/* The turn, copied: a late contestant may go on reading it. */
static void write_down(struct desk *d, const struct game *g, const struct turn *t)
{
	d->turn = *t;
	COPY(&d->at, t->state, t->state ? g->words : 0);
	COPY(&d->last, t->last, t->last ? g->roles : 0);
	COPY(&d->legal, t->legal, t->legal_count);
	COPY(&d->seen, t->seen, t->seen_count);
	d->turn.state = t->state ? d->at.at : NULL;
	d->turn.last = t->last ? d->last.at : NULL;
	d->turn.legal = d->legal.at;
	d->turn.seen = t->seen ? d->seen.at : NULL;
}

enum outcome { ANSWERED, READY, LATE };

/* Puts a question (t == NULL: the start). Who has not answered at the deadline but
 * holds a move ready has that one taken; its thread hears that it may stop. */
static enum outcome ask(struct desk *d, const struct game *g, const struct turn *t, double clock,
                        const struct referee_options *o, uint32_t *move, double *seconds)
{
	double began = clock_now(), deadline = o->playouts ? 0 : began + clock;
	enum outcome out = LATE;
	pthread_mutex_lock(&d->lock);
	if (wait_while(d, DESK_ASKED, deadline)) {
		atomic_store(&d->stop, false);
		d->is_start = !t;
		if (t)
			write_down(d, g, t);
		d->budget = (struct budget){.limit = {.deadline = deadline, .stop = &d->stop}, .playouts = o->playouts};
		if (t && d->who->prepare)
			d->who->prepare(d->who->self, t->legal[0]);
		d->state = DESK_ASKED;
		d->abandoned = false;
		pthread_cond_broadcast(&d->change);
		wait_while(d, DESK_ASKED, deadline);
		if (d->state == DESK_ASKED && t && d->who->ready) {
			*move = d->who->ready(d->who->self);
			out = *move == GAME_NONE ? LATE : READY;
		} else if (d->state == DESK_ANSWERED && (deadline <= 0 || d->answered <= deadline || d->who->ready)) {
			/* (when both of us woke late: what was ready became the answer) */
			*move = d->move;
			out = ANSWERED;
		}
	}
	*seconds = (out == ANSWERED ? d->answered : clock_now()) - began;
	if (d->state == DESK_ANSWERED)
		d->state = DESK_IDLE;
	if (d->state == DESK_ASKED) {
		d->abandoned = true;
		tell_to_stop(d);
	}
	pthread_mutex_unlock(&d->lock);
	return out;
}

/* ---- the match ---------------------------------------------------------------------------------- */

struct play {
	struct match *m;
	struct game *g;
	const struct referee_options *o;
	struct worker *w;
	struct rng rng;
	struct desk *desks;
	uint64_t *state;
	uint32_t *joint;
	VEC(uint32_t) legal, start, seen, seen_start;
};

static bool is_legal(const struct turn *t, uint32_t move)
{
	for (uint32_t i = 0; i < t->legal_count; i++)
		if (t->legal[i] == move)
			return true;
	return false;
}

static char *copy(const char *s)
{
	size_t n = strlen(s) + 1;
	return memcpy(mem_alloc(n, 1), s, n);
}

static struct move_record ask_role(struct play *p, uint32_t r)
{
	struct match *m = p->m;
	struct turn t = {.step = m->steps, .own_last = GAME_NONE, .legal = p->legal.at + p->start.at[r]};
	struct move_record record = {0};
	t.legal_count = p->start.at[r + 1] - p->start.at[r];
	record.move = t.legal[rng_below(&p->rng, t.legal_count)];
	if (r == p->g->random)
		return record;
	t.state = p->g->hidden ? NULL : p->state;
	if (m->steps) {
		t.last = p->g->hidden ? NULL : p->joint;
		t.own_last = p->joint[r];
		t.seen = p->seen.at + p->seen_start.at[r];
		t.seen_count = p->seen_start.at[r + 1] - p->seen_start.at[r];
	}
	struct desk *d = &p->desks[r];
	uint32_t move;
	enum outcome out = ask(d, p->g, &t, p->o->clock, p->o, &move, &record.seconds);
	if (out == READY && is_legal(&t, move)) {
		record.move = move;
		record.why = copy("the best so far when time was up");
	} else if (out != ANSWERED) {
		record.fault = MOVE_LATE;
		m->late[r]++;
	} else if (is_legal(&t, move)) {
		record.move = move;
		record.why = d->why.n ? copy(text_str(&d->why)) : NULL;
	} else {
		record.fault = MOVE_ILLEGAL;
		record.why = d->why.n ? copy(text_str(&d->why)) : NULL;
		m->illegal[r]++;
	}
	return record;
}

/* Copies the legal moves of the present state: the worker's list will not last. */
static struct view look(struct play *p)
{
	struct view v = game_look(p->w, p->state);
	COPY(&p->legal, v.legal, v.start[p->g->roles]);
	COPY(&p->start, v.start, (size_t)p->g->roles + 1);
	return v;
}

static void note_state(struct play *p)
{
	vec_extend(&p->m->states, p->g->words);
	memcpy(p->m->states.at + p->m->states.n - p->g->words, p->state, p->g->words * sizeof *p->state);
	if (p->o->watch)
		p->o->watch(p->o->context, p->m);
}

static bool anybody_stuck(const struct play *p)
{
	for (uint32_t r = 0; r < p->g->roles; r++)
		if (p->start.at[r] == p->start.at[r + 1])
			return true;
	return false;
}

static void step(struct play *p)
{
	struct match *m = p->m;
	uint32_t roles = p->g->roles, joint[roles];
	for (uint32_t r = 0; r < roles; r++) {
		struct move_record record = ask_role(p, r);
		joint[r] = record.move;
		vec_push(&m->moves, record);
	}
	memcpy(p->joint, joint, sizeof joint);
	struct percepts seen = game_sees(p->w, p->state, joint);
	COPY(&p->seen, seen.seen, seen.start[roles]);
	COPY(&p->seen_start, seen.start, (size_t)roles + 1);
	game_next(p->w, p->state, joint, p->state);
	m->steps++;
}

static void play(struct play *p)
{
	struct match *m = p->m;
	double seconds;
	uint32_t none;
	memcpy(p->state, p->g->initial, p->g->words * sizeof *p->state);
	for (uint32_t r = 0; r < p->g->roles; r++)
		if (r != p->g->random && p->o->start > 0)
			ask(&p->desks[r], p->g, NULL, p->o->start, p->o, &none, &seconds);
	for (;; step(p)) {
		note_state(p);
		struct view v = look(p);
		m->terminal = v.terminal;
		m->trouble = worker_trouble(p->w);
		memcpy(m->goals, v.goals, p->g->roles * sizeof *m->goals);
		if (m->terminal || m->trouble)
			return;
		if ((m->stuck = anybody_stuck(p)))
			return;
		if ((m->cut = m->steps >= p->o->max_steps || (p->o->stop && atomic_load(p->o->stop))))
			return;
	}
}

void referee_play(struct match *m, struct game *g, const struct contestant *by_role, const struct referee_options *o)
{
	struct play p = {.m = m, .g = g, .o = o, .w = worker_new(g), .rng = rng_seed(o->seed)};
	*m = (struct match){.game = g};
	m->goals = NEW_ARRAY(int, g->roles);
	m->late = NEW_ARRAY(uint64_t, g->roles);
	m->illegal = NEW_ARRAY(uint64_t, g->roles);
	p.state = NEW_ARRAY(uint64_t, g->words);
	p.joint = NEW_ARRAY(uint32_t, g->roles);
	p.desks = NEW_ARRAY(struct desk, g->roles);
	uint32_t open = 0;
	for (; open < g->roles; open++)
		if (open != g->random && !desk_open(&p.desks[open], &by_role[open])) {
			m->trouble = "cannot start a thread";
			break;
		}
	if (!m->trouble)
		play(&p);
	for (uint32_t r = 0; r < open; r++)
		if (r != g->random)
			desk_close(&p.desks[r]);
	mem_free(p.desks);
	mem_free(p.joint);
	mem_free(p.state);
	vec_free(&p.legal);
	vec_free(&p.start);
	vec_free(&p.seen);
	vec_free(&p.seen_start);
	worker_free(p.w);
}

void match_free(struct match *m)
{
	for (size_t i = 0; i < m->moves.n; i++)
		mem_free(m->moves.at[i].why);
	vec_free(&m->moves);
	vec_free(&m->states);
	mem_free(m->goals);
	mem_free(m->late);
	mem_free(m->illegal);
}

/* ---- players as contestants -------------------------------------------------------------------- */

static void player_starts(void *self, const struct budget *b)
{
	player_start(self, b);
}

static uint32_t player_moves(void *self, const struct turn *t, const struct budget *b, struct text *why)
{
	struct choice c = player_move(self, t, b);
	text_puts(why, c.why);
	return c.move;
}

static uint32_t player_has(void *self)
{
	return player_ready(self);
}

static void player_holds(void *self, uint32_t legal)
{
	player_prepare(self, legal);
}

struct contestant contestant_of(struct player *p)
{
	return (struct contestant){.self = p, .start = player_starts, .move = player_moves, .ready = player_has, .prepare = player_holds};
}

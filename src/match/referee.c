/* Every contestant sits at a desk: a thread that takes one question at a time. The
 * referee puts the question down, waits for the answer until the clock runs out, and
 * goes on without it, with the move that the contestant holds ready if it has one. A
 * late contestant is told to stop; the next question waits on its desk, with the clock
 * running. Roles are asked one after the other, so that none of them thinks on another's
 * processor time; or together, each by a thread that waits for it, when they think
 * elsewhere. */
#include "match/referee.h"

#include "match/turn_copy.h"

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
	struct turn_copy turn; /* a late contestant may go on reading it */
	struct budget budget;
	atomic_bool stop;
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
		d->move = d->who->move(d->who->self, &d->turn.turn, &d->budget, &d->why);
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

#define STOP_SECONDS 0.1 /* how soon it is noticed that the match is given up */

/* Waits while the desk is in a state; deadline 0: for ever; stop may be NULL. False: it
 * still is in that state. The lock is held. */
static bool wait_while(struct desk *d, enum desk_state state, double deadline, const atomic_bool *stop)
{
	while (d->state == state && !(stop && atomic_load(stop)) && !(deadline > 0 && clock_now() >= deadline)) {
		double soon = stop ? clock_now() + STOP_SECONDS : deadline, until = deadline > 0 && deadline < soon ? deadline : soon;
		struct timespec t = {(time_t)until, (long)((until - (double)(time_t)until) * 1e9)};
		if (until > 0)
			pthread_cond_timedwait(&d->change, &d->lock, &t);
		else
			pthread_cond_wait(&d->change, &d->lock);
	}
	return d->state != state;
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
	if (d->who->abandon && !wait_while(d, DESK_ASKED, clock_now() + LAST_GRACE, NULL))
		d->who->abandon(d->who->self);
	wait_while(d, DESK_ASKED, 0, NULL);
	d->state = DESK_LEFT;
	pthread_cond_broadcast(&d->change);
	pthread_mutex_unlock(&d->lock);
	pthread_join(d->thread, NULL);
	pthread_mutex_destroy(&d->lock);
	pthread_cond_destroy(&d->change);
	turn_copy_free(&d->turn);
	text_free(&d->why);
}

enum outcome { ANSWERED, READY, LATE };

/* Puts a question (t == NULL: the start). Who has not answered at the deadline but
 * holds a move ready has that one taken; its thread hears that it may stop. */
static enum outcome ask(struct desk *d, const struct game *g, const struct turn *t, double clock,
                        const struct referee_options *o, uint32_t *move, double *seconds)
{
	double began = clock_now(), deadline = o->playouts ? 0 : began + clock, until = deadline > 0 ? deadline + o->grace : 0;
	enum outcome out = LATE;
	pthread_mutex_lock(&d->lock);
	if (wait_while(d, DESK_ASKED, until, o->stop)) {
		atomic_store(&d->stop, false);
		d->is_start = !t;
		if (t)
			turn_copy_set(&d->turn, g, t);
		d->budget = (struct budget){.limit = {.deadline = deadline, .stop = &d->stop}, .playouts = o->playouts};
		if (t && d->who->prepare)
			d->who->prepare(d->who->self, t->legal[0]);
		d->state = DESK_ASKED;
		d->abandoned = false;
		pthread_cond_broadcast(&d->change);
		wait_while(d, DESK_ASKED, until, o->stop);
		if (d->state == DESK_ASKED && t && d->who->ready) {
			*move = d->who->ready(d->who->self);
			out = *move == GAME_NONE ? LATE : READY;
		} else if (d->state == DESK_ANSWERED && (until <= 0 || d->answered <= until || d->who->ready)) {
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

/* `any`: a legal move, played when no better comes. */
static struct move_record ask_role(struct play *p, uint32_t r, uint32_t any)
{
	struct match *m = p->m;
	struct turn t = {.step = m->steps, .own_last = GAME_NONE, .legal = p->legal.at + p->start.at[r]};
	struct move_record record = {.move = any};
	t.legal_count = p->start.at[r + 1] - p->start.at[r];
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
	const char *why = out == ANSWERED ? text_str(&d->why) : "";
	if (out != LATE && turn_allows(&t, move)) {
		record.move = move;
		why = out == READY ? "the best so far when time was up" : why;
	} else if (out == ANSWERED && move != CONTESTANT_SILENT) {
		record.fault = MOVE_ILLEGAL;
	} else {
		record.fault = MOVE_LATE;
	}
	record.why = *why ? text_copy(why, strlen(why)) : NULL;
	return record;
}

/* Copies the legal moves of the present state: the worker's list will not last. */
static struct view look(struct play *p)
{
	struct view v = game_look(p->w, p->state);
	vec_set(&p->legal, v.legal, v.start[p->g->roles]);
	vec_set(&p->start, v.start, (size_t)p->g->roles + 1);
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

/* A question to one role, for a thread of its own. */
struct asking {
	struct play *p;
	uint32_t role, any;
	bool start, threaded;
	pthread_t thread;
	struct move_record record;
};

static void *ask_one(void *context)
{
	struct asking *a = context;
	double seconds;
	uint32_t none;
	if (!a->start)
		a->record = ask_role(a->p, a->role, a->any);
	else if (a->role != a->p->g->random && a->p->o->start > 0)
		ask(&a->p->desks[a->role], a->p->g, NULL, a->p->o->start, a->p->o, &none, &seconds);
	return NULL;
}

/* All roles, one after the other or together. */
static void ask_all(struct play *p, bool start, struct asking *asked)
{
	for (uint32_t r = 0; r < p->g->roles; r++) {
		asked[r] = (struct asking){.p = p, .role = r, .start = start};
		if (!start)
			asked[r].any = p->legal.at[p->start.at[r] + rng_below(&p->rng, p->start.at[r + 1] - p->start.at[r])];
	}
	for (uint32_t r = 0; r < p->g->roles; r++) {
		asked[r].threaded = p->o->together && !pthread_create(&asked[r].thread, NULL, ask_one, &asked[r]);
		if (!asked[r].threaded)
			ask_one(&asked[r]);
	}
	for (uint32_t r = 0; r < p->g->roles; r++)
		if (asked[r].threaded)
			pthread_join(asked[r].thread, NULL);
}

static bool is_stopped(const struct play *p)
{
	return p->o->stop && atomic_load(p->o->stop);
}

/* False: the match was given up meanwhile; then the step is not made. */
static bool step(struct play *p)
{
	struct match *m = p->m;
	uint32_t roles = p->g->roles, joint[roles];
	struct asking asked[roles];
	ask_all(p, false, asked);
	if ((m->cut = is_stopped(p))) {
		for (uint32_t r = 0; r < roles; r++)
			mem_free(asked[r].record.why);
		return false;
	}
	for (uint32_t r = 0; r < roles; r++) {
		joint[r] = asked[r].record.move;
		m->late[r] += asked[r].record.fault == MOVE_LATE;
		m->illegal[r] += asked[r].record.fault == MOVE_ILLEGAL;
		vec_push(&m->moves, asked[r].record);
	}
	memcpy(p->joint, joint, sizeof joint);
	struct percepts seen = game_sees(p->w, p->state, joint);
	vec_set(&p->seen, seen.seen, seen.start[roles]);
	vec_reserve(&p->seen, 1); /* that nothing was seen is not NULL */
	vec_set(&p->seen_start, seen.start, (size_t)roles + 1);
	game_next(p->w, p->state, joint, p->state);
	m->steps++;
	return true;
}

static void play(struct play *p)
{
	struct match *m = p->m;
	struct asking asked[p->g->roles];
	memcpy(p->state, p->g->initial, p->g->words * sizeof *p->state);
	ask_all(p, true, asked);
	do {
		note_state(p);
		struct view v = look(p);
		m->terminal = v.terminal;
		m->trouble = worker_trouble(p->w);
		memcpy(m->goals, v.goals, p->g->roles * sizeof *m->goals);
		if (m->terminal || m->trouble)
			return;
		if ((m->stuck = anybody_stuck(p)))
			return;
		if ((m->cut = m->steps >= p->o->max_steps || is_stopped(p)))
			return;
	} while (step(p));
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

/* Every contestant has a mailbox and a thread that takes one question at a time from it. The
 * referee puts the question there, waits for the answer until the clock runs out, and
 * goes on without it, with the move that the contestant holds ready if it has one. A
 * late contestant is asked to stop; the next question waits in its mailbox, with the clock
 * running. Roles are asked one after the other, so that none of them thinks on another's
 * processor time; or together, each by a thread that waits for it, when they think
 * elsewhere. Clocks may count processor time; then the referee looks at the clock of the
 * contestant's process now and then while it waits.
 *
 * When memory runs out in the thread of a contestant, the thread that waits for its answer
 * fails too, and so does the whole match; however the referee leaves, all mailboxes are closed first. */
#include "match/referee.h"

#include "base/thread.h"
#include "match/turn_copy.h"

#include <string.h>

enum mailbox_state { MAILBOX_IDLE, MAILBOX_ASKED, MAILBOX_ANSWERED, MAILBOX_LEFT, MAILBOX_FAILED };

struct mailbox {
	const struct contestant *who;
	bool open;
	struct thread thread;
	struct thread_mutex lock;
	pthread_cond_t change;
	enum mailbox_state state;
	bool abandoned; /* the answer under way is not wanted any more */
	/* the question, owned by the mailbox */
	bool is_start;
	struct turn_copy turn; /* a late contestant may go on reading it */
	struct budget budget;
	atomic_bool stop;
	/* the answer */
	uint32_t move;
	double answered; /* on the clock of the budget */
	struct text why;
};

/* ---- mailboxes ------------------------------------------------------------------------------------ */

static void answer(struct mailbox *d)
{
	d->why.n = 0;
	if (!d->is_start)
		d->move = d->who->move(d->who->self, &d->turn.turn, &d->budget, &d->why);
	else if (d->who->start)
		d->who->start(d->who->self, &d->budget);
}

/* Memory ran out there: nobody will answer any more. */
static void fail_at(void *context)
{
	struct mailbox *d = context;
	thread_lock_closing(&d->lock);
	d->state = MAILBOX_FAILED;
	pthread_cond_broadcast(&d->change);
	thread_unlock(&d->lock);
}

static void sit(void *context)
{
	struct mailbox *d = context;
	struct mem_cleanup failing;
	mem_cleanup_push(&failing, fail_at, d);
	thread_lock(&d->lock);
	for (;;) {
		while (d->state != MAILBOX_ASKED && d->state != MAILBOX_LEFT)
			thread_wait(&d->change, &d->lock);
		if (d->state == MAILBOX_LEFT)
			break;
		thread_unlock(&d->lock);
		answer(d);
		double now = limit_now(&d->budget.limit);
		thread_lock(&d->lock);
		d->answered = now;
		d->state = d->abandoned ? MAILBOX_IDLE : MAILBOX_ANSWERED;
		d->abandoned = false;
		pthread_cond_broadcast(&d->change);
	}
	thread_unlock(&d->lock);
	mem_cleanup_pop(&failing);
}

static bool mailbox_open(struct mailbox *d, const struct contestant *who)
{
	d->who = who;
	thread_mutex_init(&d->lock);
	thread_cond_init(&d->change);
	return d->open = thread_start(&d->thread, sit, d);
}

#define STOP_SECONDS 0.1  /* how soon it is noticed that the match is given up */
#define LOOK_SECONDS 0.01 /* how often a clock of processor time is looked at */
#define LOOK_LEAST 0.0005

/* How long to sleep before looking again; 0: until something changes. */
static double next_look(const struct limit *l)
{
	double soon = l->stop ? STOP_SECONDS : 1e18, left = limit_left(l);
	if (l->deadline > 0 && l->clock != CLOCK_OF_WALL)
		soon = LOOK_SECONDS;
	soon = left < soon ? left : soon;
	return soon >= 1e18 ? 0 : soon > LOOK_LEAST ? soon : LOOK_LEAST;
}

/* Waits while the mailbox is in a state and the limit is not reached. False: it still is in that state. The lock is
 * held. */
static bool wait_while(struct mailbox *d, enum mailbox_state state, const struct limit *l)
{
	while (d->state == state && !limit_reached(l)) {
		double sleep = next_look(l);
		if (sleep > 0)
			thread_wait_until(&d->change, &d->lock, clock_now() + sleep);
		else
			thread_wait(&d->change, &d->lock);
	}
	return d->state != state;
}

static void ask_to_stop(struct mailbox *d)
{
	atomic_store(&d->stop, true);
	if (d->who->stop)
		d->who->stop(d->who->self);
}

#define LAST_GRACE 0.5 /* seconds for a last answer, before it is given up by force */

/* False: memory ran out there. */
static bool mailbox_close(struct mailbox *d)
{
	if (!d->open)
		return true;
	d->open = false;
	thread_lock_closing(&d->lock);
	ask_to_stop(d);
	struct limit grace = limit_seconds(LAST_GRACE), none = {0};
	if (d->who->abandon && !wait_while(d, MAILBOX_ASKED, &grace))
		d->who->abandon(d->who->self);
	wait_while(d, MAILBOX_ASKED, &none);
	if (d->state != MAILBOX_FAILED)
		d->state = MAILBOX_LEFT;
	pthread_cond_broadcast(&d->change);
	thread_unlock(&d->lock);
	bool fine = thread_join(&d->thread);
	thread_mutex_free(&d->lock);
	pthread_cond_destroy(&d->change);
	turn_copy_free(&d->turn);
	text_free(&d->why);
	return fine;
}

enum outcome { ANSWERED, READY, LATE };

/* Puts the question down and waits for the answer until `until`, a grace after the deadline. The lock is held, the
 * mailbox is free. */
static enum outcome put_question(struct mailbox *d, const struct game *g, const struct turn *t, double deadline,
                                 const struct limit *until, uint64_t playouts, uint32_t *move)
{
	atomic_store(&d->stop, false);
	d->is_start = !t;
	if (t)
		turn_copy_set(&d->turn, g, t);
	d->budget =
		(struct budget){.limit = {.deadline = deadline, .stop = &d->stop, .clock = until->clock}, .playouts = playouts};
	if (t && d->who->prepare)
		d->who->prepare(d->who->self, t->legal[0]);
	d->state = MAILBOX_ASKED;
	d->abandoned = false;
	pthread_cond_broadcast(&d->change);
	wait_while(d, MAILBOX_ASKED, until);
	if (d->state == MAILBOX_ASKED && t && d->who->ready) {
		*move = d->who->ready(d->who->self);
		return *move == GAME_NONE ? LATE : READY;
	}
	if (d->state != MAILBOX_ANSWERED || (until->deadline > 0 && d->answered > until->deadline && !d->who->ready))
		return LATE;
	*move = d->move; /* (when both of us woke late: what was ready became the answer) */
	return ANSWERED;
}

/* Who is asked for processor time and does not work will not use it up: seconds on the wall after which it is late all
 * the same, on a machine however busy. */
static double patience(double clock)
{
	return 50 * clock + 2;
}

/* Puts a question (t == NULL: the start). Who has not answered at the deadline but
 * holds a move ready has that one taken; its thread is asked to stop. */
static enum outcome ask(struct mailbox *d, const struct game *g, const struct turn *t, double clock,
                        const struct referee_options *o, uint32_t *move, double *seconds)
{
	struct limit until = {.stop = o->stop, .clock = o->processor_time ? d->who->processor : CLOCK_OF_WALL}, wall = {0};
	double began = limit_now(&until), deadline = o->playouts ? 0 : began + clock;
	enum outcome out = LATE;
	until.deadline = deadline > 0 ? deadline + o->grace : 0;
	if (deadline > 0 && until.clock != CLOCK_OF_WALL)
		wall = limit_seconds(patience(clock));
	else if (o->playouts && d->who->patience > 0)
		wall = limit_seconds(d->who->patience);
	until.within = &wall;
	thread_lock(&d->lock);
	bool free = wait_while(d, MAILBOX_ASKED, &until);
	if (free && d->state != MAILBOX_FAILED)
		out = put_question(d, g, t, deadline, &until, o->playouts, move);
	*seconds = (out == ANSWERED ? d->answered : limit_now(&until)) - began;
	if (d->state == MAILBOX_ANSWERED)
		d->state = MAILBOX_IDLE;
	if (d->state == MAILBOX_ASKED) {
		d->abandoned = true;
		ask_to_stop(d);
	}
	bool failed = d->state == MAILBOX_FAILED;
	thread_unlock(&d->lock);
	if (failed)
		mem_fail();
	return out;
}

/* ---- the match ---------------------------------------------------------------------------------- */

struct play {
	struct match *m;
	struct game *g;
	const struct referee_options *o;
	struct worker *w;
	struct rng rng;
	struct mailbox *mailboxes;
	uint64_t *state;
	uint32_t *joint;
	struct asking *asked; /* by role */
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
	struct mailbox *d = &p->mailboxes[r];
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
	bool start;
	struct move_record record;
};

static void ask_one(void *context)
{
	struct asking *a = context;
	double seconds;
	uint32_t none;
	if (!a->start)
		a->record = ask_role(a->p, a->role, a->any);
	else if (a->role != a->p->g->random && a->p->o->start > 0)
		ask(&a->p->mailboxes[a->role], a->p->g, NULL, a->p->o->start, a->p->o, &none, &seconds);
}

/* All roles, one after the other or together. */
static void ask_all(struct play *p, bool start)
{
	for (uint32_t r = 0; r < p->g->roles; r++) {
		p->asked[r] = (struct asking){.p = p, .role = r, .start = start};
		if (!start)
			p->asked[r].any = p->legal.at[p->start.at[r] + rng_below(&p->rng, p->start.at[r + 1] - p->start.at[r])];
	}
	if (p->o->together)
		threads_run(p->g->roles, ask_one, p->asked, sizeof *p->asked);
	for (uint32_t r = 0; r < p->g->roles && !p->o->together; r++)
		ask_one(&p->asked[r]);
}

static bool is_stopped(const struct play *p)
{
	return p->o->stop && atomic_load(p->o->stop);
}

/* Makes the joint move. */
static void go_on(struct play *p)
{
	struct percepts seen = game_sees(p->w, p->state, p->joint);
	vec_set(&p->seen, seen.seen, seen.start[p->g->roles]);
	vec_reserve(&p->seen, 1); /* an empty list must differ from NULL */
	vec_set(&p->seen_start, seen.start, (size_t)p->g->roles + 1);
	game_next(p->w, p->state, p->joint, p->state);
	p->m->steps++;
}

/* False: the match was given up meanwhile; then the step is not made. */
static bool step(struct play *p)
{
	struct match *m = p->m;
	uint32_t roles = p->g->roles;
	ask_all(p, false);
	if ((m->cut = is_stopped(p))) {
		for (uint32_t r = 0; r < roles; r++)
			mem_free(p->asked[r].record.why);
		return false;
	}
	for (uint32_t r = 0; r < roles; r++) {
		const struct move_record *made = &p->asked[r].record;
		p->joint[r] = made->move;
		m->late[r] += made->fault == MOVE_LATE;
		m->illegal[r] += made->fault == MOVE_ILLEGAL;
		vec_push(&m->moves, *made);
	}
	go_on(p);
	return true;
}

/* The contestants see this turn, where that is the only way to learn of it. */
static void show_turn(struct play *p)
{
	const struct referee_options *o = p->o;
	struct referee_options quick = *o;
	quick.playouts = 1;
	p->o = &quick;
	ask_all(p, false);
	p->o = o;
	for (uint32_t r = 0; r < p->g->roles; r++)
		mem_free(p->asked[r].record.why);
}

static bool is_legal(const struct play *p, uint32_t role, uint32_t move)
{
	for (uint32_t i = p->start.at[role]; i < p->start.at[role + 1]; i++)
		if (p->legal.at[i] == move)
			return true;
	return false;
}

/* A step that was made before. False: it is not legal here. */
static bool repeat(struct play *p, const uint32_t *joint)
{
	note_state(p);
	look(p);
	for (uint32_t r = 0; r < p->g->roles; r++)
		if (!is_legal(p, r, joint[r]))
			return false;
	if (p->g->hidden)
		show_turn(p);
	for (uint32_t r = 0; r < p->g->roles; r++) {
		struct move_record made = {.move = joint[r]};
		p->joint[r] = joint[r];
		vec_push(&p->m->moves, made);
	}
	go_on(p);
	return true;
}

/* False: one of the moves is not legal. */
static bool begin(struct play *p)
{
	const struct referee_options *o = p->o;
	memcpy(p->state, o->state ? o->state : p->g->initial, p->g->words * sizeof *p->state);
	for (uint32_t i = 0; i < o->made_steps; i++)
		if (!repeat(p, o->made + (size_t)i * p->g->roles))
			return false;
	return true;
}

static void play(struct play *p)
{
	struct match *m = p->m;
	ask_all(p, true);
	if (!begin(p)) {
		m->trouble = "a move that the match begins with is not legal";
		return;
	}
	do {
		note_state(p);
		struct view v = look(p);
		m->terminal = v.terminal;
		m->trouble = worker_trouble(p->w);
		memcpy(m->goals, v.goals, p->g->roles * sizeof *m->goals);
		if (p->o->watch)
			p->o->watch(p->o->context, m);
		if (m->terminal || m->trouble)
			return;
		if ((m->stuck = anybody_stuck(p)))
			return;
		if ((m->cut = m->steps >= p->o->max_steps || is_stopped(p)))
			return;
	} while (step(p));
}

static bool open_desks(struct play *p, const struct contestant *by_role)
{
	for (uint32_t r = 0; r < p->g->roles; r++)
		if (r != p->g->random && !mailbox_open(&p->mailboxes[r], &by_role[r]))
			return false;
	return true;
}

/* False: memory ran out at one of them. */
static bool close_desks(struct play *p)
{
	bool fine = true;
	for (uint32_t r = 0; r < p->g->roles; r++)
		fine &= mailbox_close(&p->mailboxes[r]);
	return fine;
}

static void leave_in_failure(void *context)
{
	close_desks(context);
}

static void free_play(struct play *p)
{
	mem_free(p->mailboxes);
	mem_free(p->asked);
	mem_free(p->joint);
	mem_free(p->state);
	vec_free(&p->legal);
	vec_free(&p->start);
	vec_free(&p->seen);
	vec_free(&p->seen_start);
	worker_free(p->w);
}

void referee_play(struct match *m, struct game *g, const struct contestant *by_role, const struct referee_options *o)
{
	struct play p = {.m = m, .g = g, .o = o, .w = worker_new(g), .rng = rng_seed(o->seed)};
	struct mem_cleanup failing;
	*m = (struct match){.game = g};
	m->goals = NEW_ARRAY(int, g->roles);
	m->late = NEW_ARRAY(uint64_t, g->roles);
	m->illegal = NEW_ARRAY(uint64_t, g->roles);
	p.state = NEW_ARRAY(uint64_t, g->words);
	p.joint = NEW_ARRAY(uint32_t, g->roles);
	p.asked = NEW_ARRAY(struct asking, g->roles);
	p.mailboxes = NEW_ARRAY(struct mailbox, g->roles);
	mem_cleanup_push(&failing, leave_in_failure, &p);
	if (open_desks(&p, by_role))
		play(&p);
	else
		m->trouble = "cannot start a thread";
	mem_cleanup_pop(&failing);
	bool fine = close_desks(&p);
	free_play(&p);
	if (!fine)
		mem_fail();
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
	return (struct contestant){.self = p,
	                           .start = player_starts,
	                           .move = player_moves,
	                           .ready = player_has,
	                           .prepare = player_holds,
	                           .work = player_counters(p),
	                           .processor = CLOCK_OF_PROCESS};
}

/* Two threads: the session thread takes the messages in order, follows the match and writes the answers; the think
 * thread runs the player. The session thread finds a legal move before the think thread gets the turn. Neither is
 * trusted to be on time: every message carries the moment when its answer is due, and tick_session(), called by a
 * thread that does nothing else, then sends the best there is: what the player holds ready, any legal move, or, when
 * not even the rules could be run in time, `nil`.
 *
 * `lock` guards everything but what the session thread alone uses (see there), and is never held while something takes
 * long, because tick_session() waits for it. */
#include "net/player/session.h"

#include "net/player/session_record.h"
#include "net/player/think_thread.h"
#include "net/player/tracker.h"

#include <string.h>

#define BUILD_SHARE 0.6 /* of the start clock, to make a circuit */
#define MARGIN_SHARE 0.4
#define FOR_EVER 1e18
#define REPLAY_TIME 1.0 /* seconds: a step that was made before is made again in 0.4 of this, or not at all */

struct job {
	struct message *m; /* the session's when it is `started` or `last` */
	double arrived, due;
	VEC(void *) tickets; /* who waits: more than one when the message was sent again */
	bool answered;
	bool replayed; /* answered long ago, with `reply` */
	struct text reply;
	uint32_t move; /* that was answered; GAME_NONE: none */
};

struct thread_session {
	struct session base;
	struct session_options o;
	struct thread thread;
	bool threaded;
	struct thread_mutex lock;
	pthread_cond_t change;
	bool over, gone;
	bool leaving;           /* the last message has come */
	const char *end;        /* why it is over */
	VEC(struct job *) jobs; /* the first is under way */
	double last_message, patience;
	struct session_record record;
	/* for the thread that must answer */
	struct game *game;
	VEC(uint32_t) legal;            /* in the turn under way; empty: not computed yet */
	struct message *started, *last; /* the last play that was understood */
	struct text told;               /* the reply to it that was given elsewhere; empty: ours was */
	uint32_t steps;
	struct think_thread think_thread;
	atomic_bool ending; /* the session thread is to hurry */
	/* used by the session thread only */
	struct gdl_rules *rules;
	struct tracker *tracker;
	struct player *player;
	struct company company; /* of the player, */
	bool accompanied;       /* if it has any */
	uint32_t role;
	struct text last_reply; /* to a play */
	uint32_t last_move;     /* in that reply */
};

static struct thread_session *threads(struct session *base)
{
	return (struct thread_session *)base;
}

/* ---- answers ---------------------------------------------------------------------------------- */

static double due_at(const struct thread_session *s, double arrived, double clock, double delay)
{
	double most = MARGIN_SHARE * clock, margin = s->o.margin < most ? s->o.margin : most;
	margin += delay;
	margin = margin > 0.8 * clock ? 0.8 * clock : margin;
	return arrived + clock - margin;
}

/* The lock is held. */
static void answer_job(struct thread_session *s, struct job *j, int status, const char *reply, const char *why)
{
	if (j->answered)
		return;
	j->answered = true;
	session_record_message(&s->record, j->m, j->arrived, reply, status, why);
	text_puts(&j->reply, reply);
	for (size_t i = 0; i < j->tickets.n; i++)
		s->o.answer(j->tickets.at[i], status, reply, why);
	s->last_message = clock_now();
	pthread_cond_broadcast(&s->change);
}

static void answer_move(struct thread_session *s, struct job *j, uint32_t move, const char *why)
{
	struct text t = {0};
	if (j->answered)
		return;
	j->move = move;
	game_print_move(s->game, move, &t);
	answer_job(s, j, 200, text_str(&t), why);
	text_free(&t);
}

static bool is_legal(const struct thread_session *s, uint32_t move)
{
	for (size_t i = 0; i < s->legal.n; i++)
		if (s->legal.at[i] == move)
			return true;
	return false;
}

/* Time is up. */
static void answer_best(struct thread_session *s, struct job *j, bool under_way)
{
	if (j->m->kind == MESSAGE_START) {
		answer_job(s, j, 200, "ready", "still preparing");
	} else if (j->m->kind == MESSAGE_PLAY) {
		uint32_t ready = think_thread_holds(&s->think_thread);
		if (under_way && is_legal(s, ready))
			answer_move(s, j, ready, "the best so far when time was up");
		else if (under_way && s->legal.n)
			answer_move(s, j, s->legal.at[0], "time was up: any legal move");
		else
			answer_job(s, j, 200, "nil", "time was up and no legal move known");
	} else {
		answer_job(s, j, 200, j->m->kind == MESSAGE_STOP ? "done" : "aborted", "");
	}
}

static void end_session(struct session *base, const char *why);

static double tick_session(struct session *base, double now)
{
	struct thread_session *s = threads(base);
	double next = FOR_EVER;
	thread_lock(&s->lock);
	for (size_t i = 0; i < s->jobs.n; i++) {
		struct job *j = s->jobs.at[i];
		if (!j->answered && j->due <= now)
			answer_best(s, j, !i);
		else if (!j->answered && j->due < next)
			next = j->due;
	}
	bool silent = !s->over && !s->jobs.n && now > s->last_message + s->patience;
	thread_unlock(&s->lock);
	if (silent)
		end_session(base, "the manager is silent");
	return next;
}

/* ---- thinking --------------------------------------------------------------------------------- */

/* tick_session() answers in time whatever the player does: it may think until shortly before. */
static double think_margin(double deadline)
{
	return 0.03 * (deadline - clock_now()) + 0.005;
}

static void begin_thought(struct thread_session *s, enum think what, double deadline)
{
	think_thread_begin(&s->think_thread, what,
	                   &(struct budget){.limit.deadline = deadline, .margin = think_margin(deadline)},
	                   s->leaving || atomic_load(&s->ending));
}

static void think_about(struct thread_session *s, enum think what, double deadline)
{
	const struct tracker_now *n = tracker_now(s->tracker);
	bool visible = !s->game->hidden;
	turn_copy_set(&s->think_thread.turn, s->game,
	              &(struct turn){.step = n->step,
	                             .state = visible ? n->state : NULL,
	                             .last = visible ? n->last : NULL,
	                             .legal = n->legal,
	                             .legal_count = n->legal_count,
	                             .own_last = n->own_last,
	                             .seen = n->seen,
	                             .seen_count = n->seen_count});
	begin_thought(s, what, deadline);
}

/* ---- start ---------------------------------------------------------------------------------------- */

static bool read_rules(struct thread_session *s, const struct message *m, struct text *error)
{
	struct diags d = {.max = 20};
	const char *text;
	size_t length;
	message_rules(m, &text, &length);
	s->rules = gdl_read(text, length, &d);
	gdl_check(s->rules, &d);
	if (d.errors) {
		diag_drop_warnings(&d);
		diag_sort(&d);
		struct place at = diag_place(text, length, d.all.at[0].at.from);
		text_printf(error, "the rules have %zu errors; the first, at line %u, column %u: %s", d.errors, at.line,
		            at.column, d.all.at[0].message);
	}
	bool fine = !d.errors;
	diag_free(&d);
	return fine;
}

static bool make_player(struct thread_session *s, struct text *error)
{
	/* a player that cannot play this game is replaced by one that plays all */
	const char *words[] = {s->o.player, "macaw", "random"};
	struct player *p = NULL;
	for (size_t i = 0; i < 3 && !p; i++) {
		error->n = 0;
		p = player_make(s->game, s->role, words[i], s->o.seed, error);
	}
	s->player = p;
	if (p && s->accompanied) {
		s->company = s->o.company->face(s->o.company->context, s->role, s->game->words);
		player_accompany(p, &s->company);
	}
	return p;
}

/* Those who search along build the game at the same time. */
static void find_company(struct thread_session *s, const struct message *m, double seconds)
{
	const struct session_company *c = s->o.company;
	const char *text;
	size_t length;
	message_rules(m, &text, &length);
	s->accompanied = c && c->open(c->context, text, length, text_str(&m->role), s->o.player, s->o.seed, seconds);
}

/* Who was told `ready` when the start clock was over expects moves: the rules that were not prepared by then are run
 * without a circuit, as soon as they can be within the clock of the first move. */
static struct game *make_game(struct thread_session *s, const struct job *j, struct limit limit, struct text *error)
{
	struct game *g = game_make(s->rules, &(struct game_options){.limit = limit, .memory = s->o.memory}, error);
	if (g || !limit_reached(&limit) || atomic_load(&s->ending))
		return g;
	error->n = 0;
	limit.deadline = j->arrived + j->m->start + j->m->play;
	return game_make(
		s->rules, &(struct game_options){.engine = ENGINE_INTERPRETER, .limit = limit, .memory = s->o.memory}, error);
}

static bool build(struct thread_session *s, const struct job *j, struct text *error)
{
	struct limit limit = {.deadline = j->arrived + BUILD_SHARE * j->m->start, .stop = &s->ending};
	if (limit.deadline < clock_now() + 0.05)
		limit.deadline = clock_now() + 0.05;
	if (!read_rules(s, j->m, error))
		return false;
	find_company(s, j->m, limit_left(&limit));
	struct game *g = make_game(s, j, limit, error);
	if (!g)
		return false;
	g->within.stop = &s->ending; /* whoever asks the rules something */
	thread_lock(&s->lock);
	s->game = g;
	thread_unlock(&s->lock);
	s->role = game_find_role(g, text_str(&j->m->role));
	if (s->role == GAME_NONE || s->role == g->random) {
		text_puts(error, s->role == GAME_NONE ? "the rules have no such role" : "`random` is the manager's role");
		return false;
	}
	s->tracker = tracker_new(g, s->role, s->o.seed);
	return make_player(s, error);
}

static void do_start(struct thread_session *s, struct job *j)
{
	struct text error = {0}, reply = {0};
	bool fine = build(s, j, &error);
	thread_lock(&s->lock);
	if (!fine) {
		s->over = true;
		s->end = "it could not begin";
		message_error(&reply, text_str(&error));
		answer_job(s, j, 400, text_str(&reply), text_str(&error));
	} else {
		if (think_thread_open(&s->think_thread, s->player, &s->lock, &s->change) && !j->answered) {
			begin_thought(s, THINK_START, j->due);
			think_thread_wait(&s->think_thread, &j->answered);
		}
		answer_job(s, j, 200, "ready", s->game->engine == ENGINE_CIRCUIT ? "circuit" : "interpreter");
	}
	thread_unlock(&s->lock);
	text_free(&error);
	text_free(&reply);
}

/* ---- moves ------------------------------------------------------------------------------------------ */

/* A message brings a joint move or percepts; where its form does not say which, whichever fits. */
static bool take_step(struct thread_session *s, const struct message *m, const struct limit *limit)
{
	struct tracker_input n = {
		.kif = &m->kif, .joint = KIF_NONE, .own = m->own, .own_move = GAME_NONE, .percepts = KIF_NONE};
	if (m->own == KIF_NONE)
		n.own_move = s->last_move;
	if (!m->turned && m->list != KIF_NONE) {
		n.joint = m->list;
		if (tracker_step(s->tracker, &n, limit))
			return true;
		if (!s->game->hidden)
			return false;
		n.joint = KIF_NONE;
	}
	n.percepts = m->list;
	return tracker_step(s->tracker, &n, limit);
}

enum message_effect { EFFECT_NONE, EFFECT_STEP, EFFECT_BAD };

/* Does the message bring the next step? EFFECT_BAD with a reason: it cannot belong here. */
static enum message_effect effect_of(const struct thread_session *s, const struct message *m, const char **why)
{
	uint32_t step = tracker_now(s->tracker)->step;
	bool hidden = s->game->hidden, empty = m->list == KIF_NONE;
	/* (play ID percepts), without a turn: nil is also what is seen when nothing is */
	bool percepts_only = hidden && !m->turned;
	bool first = m->turned ? !m->turn : empty && (percepts_only ? !s->last : !step);
	bool again = m->kind == MESSAGE_PLAY && !percepts_only && s->last && message_same(s->last, m);
	if (first || (m->turned && (again || m->turn == step)))
		return EFFECT_NONE;
	if (m->turned && m->turn != step + 1) {
		*why = "out of turn";
		return EFFECT_BAD;
	}
	if (m->turned || hidden || !empty)
		return EFFECT_STEP;
	if (m->kind == MESSAGE_STOP)
		return EFFECT_NONE;
	*why = "no moves were sent";
	return EFFECT_BAD;
}

/* Brings the tracker up to the message. False with a reason. */
static bool catch_up(struct thread_session *s, const struct job *j, const char **why)
{
	double left = j->due - clock_now();
	struct limit limit = {.deadline = clock_now() + (left > 0.02 ? 0.4 * left : 0.01), .stop = &s->ending};
	*why = "";
	enum message_effect effect = effect_of(s, j->m, why);
	if (effect != EFFECT_STEP)
		return effect == EFFECT_NONE;
	if (!take_step(s, j->m, &limit)) {
		*why = s->last && message_same(s->last, j->m) ? "sent again" : "the moves do not fit the match so far";
		return false;
	}
	session_record_step(&s->record, s->game, tracker_now(s->tracker));
	return true;
}

/* The legal moves are there already, for tick_session(). The lock is held, but not while the player thinks. */
static void think_and_answer(struct thread_session *s, struct job *j, const char *why)
{
	struct think_thread *t = &s->think_thread;
	if (t->open && think_thread_rest(t, &j->answered) && !j->answered) {
		think_about(s, THINK_MOVE, j->due);
		think_thread_wait(t, &j->answered);
	}
	if (!j->answered && is_legal(s, t->chosen))
		answer_move(s, j, t->chosen, *why ? why : text_str(&t->why));
	else
		answer_move(s, j, s->legal.at[0], "no move of the player: any legal one");
	if (s->o.ponder && t->open && t->think == THINK_IDLE && !s->over)
		think_about(s, THINK_PONDER, clock_now() + s->patience);
}

/* Who waits elsewhere has one, whatever happens here from now on. */
static void show_a_legal_move(struct thread_session *s, const struct job *j)
{
	struct text t = {0};
	if (!s->o.holds || j->answered)
		return;
	game_print_move(s->game, s->legal.at[0], &t);
	for (size_t i = 0; i < j->tickets.n; i++)
		s->o.holds(j->tickets.at[i], text_str(&t));
	text_free(&t);
}

/* What was really answered to the last play; the lock is held. */
static void take_correction(struct thread_session *s)
{
	if (!s->told.n)
		return;
	s->last_move = game_find_move(s->game, s->role, text_str(&s->told));
	s->last_reply.n = 0;
	text_puts(&s->last_reply, text_str(&s->told));
	s->told.n = 0;
}

static void do_play(struct thread_session *s, struct job *j)
{
	const char *why;
	thread_lock(&s->lock);
	s->patience = 3 * s->started->play + 5; /* nobody is preparing any more */
	vec_clear(&s->legal);
	atomic_store(&s->think_thread.stop, true); /* pondering, or a thought that came too late */
	take_correction(s);
	thread_unlock(&s->lock);
	bool fits = catch_up(s, j, &why);
	const struct tracker_now *n = tracker_now(s->tracker);
	thread_lock(&s->lock);
	if (!fits && s->last && s->last_reply.n && message_same(s->last, j->m)) {
		/* the same message again, and it brings no step: the same answer */
		j->move = s->last_move;
		answer_job(s, j, 200, text_str(&s->last_reply), why);
	} else if (j->replayed) {
		s->steps = n->step;
		j->move = game_find_move(s->game, s->role, text_str(&j->reply));
	} else if (n->terminal || !n->legal_count) {
		answer_job(s, j, 200, "nil", n->terminal ? "the match is over by the rules" : "the rules could not be run");
	} else {
		vec_set(&s->legal, n->legal, n->legal_count);
		s->steps = n->step;
		show_a_legal_move(s, j);
		think_and_answer(s, j, why);
	}
	if (fits) {
		message_free(s->last);
		s->last = j->m;
	}
	s->last_move = j->move;
	s->last_reply.n = 0;
	text_puts(&s->last_reply, text_str(&j->reply));
	thread_unlock(&s->lock);
}

static void do_stop(struct thread_session *s, struct job *j)
{
	const char *why = "";
	if (j->m->kind == MESSAGE_STOP && s->tracker)
		catch_up(s, j, &why);
	thread_lock(&s->lock);
	s->over = true;
	s->end = s->end ? s->end : j->m->kind == MESSAGE_STOP ? "stopped" : "aborted";
	answer_job(s, j, 200, j->m->kind == MESSAGE_STOP ? "done" : "aborted", why);
	thread_unlock(&s->lock);
}

/* ---- the session thread --------------------------------------------------------------------------------------------
 */

/* The first one; lock held. */
static void drop_job(struct thread_session *s)
{
	struct job *j = s->jobs.at[0];
	memmove(s->jobs.at, s->jobs.at + 1, --s->jobs.n * sizeof *s->jobs.at);
	if (j->m != s->started && j->m != s->last)
		message_free(j->m);
	vec_free(&j->tickets);
	text_free(&j->reply);
	mem_free(j);
}

static void work(struct thread_session *s, struct job *j)
{
	switch (j->m->kind) {
	case MESSAGE_START: do_start(s, j); break;
	case MESSAGE_PLAY: do_play(s, j); break;
	default: do_stop(s, j); break;
	}
}

static void leave(struct thread_session *s)
{
	thread_lock(&s->lock);
	s->over = true;
	while (s->jobs.n) { /* those who still wait */
		answer_best(s, s->jobs.at[0], false);
		drop_job(s);
	}
	thread_unlock(&s->lock);
	think_thread_close(&s->think_thread);
	session_record_write(&s->record, &(struct session_record_end){.start = s->started,
	                                                              .player = s->o.player,
	                                                              .why = s->end,
	                                                              .rules = s->rules,
	                                                              .game = s->game,
	                                                              .now = s->tracker ? tracker_now(s->tracker) : NULL});
	thread_lock(&s->lock);
	struct game *game = s->game;
	s->game = NULL; /* others look whether it is there */
	thread_unlock(&s->lock);
	player_free(s->player);
	if (s->accompanied)
		s->o.company->close(s->o.company->context);
	tracker_free(s->tracker);
	game_free(game);
	gdl_free(s->rules);
	thread_lock(&s->lock);
	s->gone = true;
	thread_unlock(&s->lock);
}

static void run_session(void *context)
{
	struct thread_session *s = context;
	thread_lock(&s->lock);
	while (!s->over) {
		while (!s->jobs.n && !s->over)
			thread_wait(&s->change, &s->lock);
		if (s->over)
			break;
		struct job *j = s->jobs.at[0];
		thread_unlock(&s->lock);
		work(s, j);
		thread_lock(&s->lock);
		s->last_message = clock_now();
		drop_job(s);
	}
	thread_unlock(&s->lock);
	leave(s);
}

/* ---- from outside ------------------------------------------------------------------------------------------- */

/* Is the queue too long for one more? The lock is held. */
static bool is_crowded(const struct thread_session *s, const struct message *m)
{
	size_t waiting = 0, bytes = 0;
	for (size_t i = 0; i < s->jobs.n; i++) {
		waiting += s->jobs.at[i]->answered ? 0 : s->jobs.at[i]->tickets.n;
		bytes += s->jobs.at[i]->m->kind == MESSAGE_PLAY ? s->jobs.at[i]->m->length : 0;
	}
	return session_crowded(m, waiting, bytes);
}

static void ask_session(struct session *base, struct message *m, double arrived, double delay, void *ticket)
{
	struct thread_session *s = threads(base);
	thread_lock(&s->lock);
	if (s->over) {
		s->o.answer(ticket, 200, session_no_match(m), "it is over");
		message_free(m);
		thread_unlock(&s->lock);
		return;
	}
	if (is_crowded(s, m)) {
		s->o.answer(ticket, 503, "busy", "too many messages wait");
		message_free(m);
		thread_unlock(&s->lock);
		return;
	}
	s->last_message = arrived;
	for (size_t i = 0; i < s->jobs.n; i++)
		if (!s->jobs.at[i]->answered && message_same(s->jobs.at[i]->m, m)) {
			vec_push(&s->jobs.at[i]->tickets, ticket);
			message_free(m);
			thread_unlock(&s->lock);
			return;
		}
	struct job *j = NEW(struct job);
	j->m = m;
	j->move = GAME_NONE;
	j->arrived = arrived;
	double play = s->started->play, stop_clock = play < 1 ? play : 1;
	j->due = due_at(s, arrived,
	                m->kind == MESSAGE_START  ? m->start
	                : m->kind == MESSAGE_PLAY ? play
	                                          : stop_clock,
	                delay);
	vec_push(&j->tickets, ticket);
	vec_push(&s->jobs, j);
	s->leaving |= m->kind == MESSAGE_STOP || m->kind == MESSAGE_ABORT;
	if (s->leaving) /* no answer of the player is wanted any more */
		atomic_store(&s->think_thread.stop, true);
	if (m->kind == MESSAGE_ABORT)
		atomic_store(&s->ending, true);
	pthread_cond_broadcast(&s->change);
	thread_unlock(&s->lock);
}

static void free_session(struct session *base);

/* The job is answered already, so nobody waits for it and the clock does not matter. */
static void replay(struct session *base, struct message *m, double arrived, const char *reply)
{
	struct thread_session *s = threads(base);
	struct job *j = NEW(struct job);
	*j = (struct job){.m = m, .arrived = arrived, .due = clock_now() + REPLAY_TIME, .answered = true, .replayed = true};
	j->move = GAME_NONE;
	thread_lock(&s->lock);
	session_record_message(&s->record, m, arrived, reply, 200, "");
	text_puts(&j->reply, reply);
	vec_push(&s->jobs, j);
	pthread_cond_broadcast(&s->change);
	thread_unlock(&s->lock);
}

static void told(struct session *base, const char *reply)
{
	struct thread_session *s = threads(base);
	thread_lock(&s->lock);
	s->told.n = 0;
	text_puts(&s->told, reply);
	thread_unlock(&s->lock);
}

static struct session *open_session(const struct session_options *o, struct message *start, double arrived,
                                    double delay, void *ticket)
{
	struct thread_session *s = NEW(struct thread_session);
	s->base.kind = &session_in_threads;
	s->o = *o;
	thread_mutex_init(&s->lock);
	thread_cond_init(&s->change);
	s->started = start;
	s->patience = start->start + 3 * start->play + 5;
	s->last_move = GAME_NONE;
	session_record_open(&s->record, o->record, arrived);
	ask_session(&s->base, start, arrived, delay, ticket);
	s->threaded = thread_start(&s->thread, run_session, s);
	if (s->threaded)
		return &s->base;
	drop_job(s);
	free_session(&s->base);
	return NULL;
}

static void end_session(struct session *base, const char *why)
{
	struct thread_session *s = threads(base);
	thread_lock(&s->lock);
	if (!s->over)
		s->end = why;
	s->over = true;
	atomic_store(&s->think_thread.stop, true);
	atomic_store(&s->ending, true);
	for (size_t i = 0; i < s->jobs.n; i++)
		answer_best(s, s->jobs.at[i], !i);
	pthread_cond_broadcast(&s->change);
	thread_unlock(&s->lock);
}

static const struct message *started(const struct session *base)
{
	return threads(unconst(base))->started;
}

static double began(const struct session *base)
{
	return threads(unconst(base))->record.began;
}

static bool is_over(struct session *base)
{
	struct thread_session *s = threads(base);
	thread_lock(&s->lock);
	bool over = s->over || s->leaving;
	thread_unlock(&s->lock);
	return over;
}

static bool is_gone(struct session *base)
{
	struct thread_session *s = threads(base);
	thread_lock(&s->lock);
	bool gone = s->gone;
	thread_unlock(&s->lock);
	return gone;
}

static bool same_start(struct session *base, const struct message *m)
{
	struct thread_session *s = threads(base);
	thread_lock(&s->lock);
	bool same = !s->last && message_same(s->started, m);
	bool played = false;
	for (size_t i = 0; i < s->jobs.n; i++)
		played |= s->jobs.at[i]->m->kind != MESSAGE_START;
	thread_unlock(&s->lock);
	return same && !played;
}

static struct session_state state(struct session *base)
{
	static const char *const doing[] = {"waiting", "preparing", "thinking", "pondering", "leaving"};
	struct thread_session *s = threads(base);
	thread_lock(&s->lock);
	struct session_state now = {
		.doing = s->game ? doing[s->think_thread.think] : "reading rules",
		.engine = !s->game                            ? ""
	              : s->game->engine == ENGINE_CIRCUIT ? "circuit"
	                                                  : "interpreter",
		.step = s->steps,
	};
	thread_unlock(&s->lock);
	return now;
}

static void free_session(struct session *base)
{
	struct thread_session *s = threads(base);
	if (s->threaded)
		thread_join(&s->thread);
	thread_mutex_free(&s->lock);
	pthread_cond_destroy(&s->change);
	message_free(s->last);
	message_free(s->started);
	text_free(&s->last_reply);
	text_free(&s->told);
	vec_free(&s->jobs);
	vec_free(&s->legal);
	session_record_close(&s->record);
	mem_free(s);
}

const struct session_kind session_in_threads = {.open = open_session,
                                                .ask = ask_session,
                                                .replay = replay,
                                                .told = told,
                                                .tick = tick_session,
                                                .end = end_session,
                                                .started = started,
                                                .began = began,
                                                .over = is_over,
                                                .gone = is_gone,
                                                .same_start = same_start,
                                                .state = state,
                                                .free = free_session};

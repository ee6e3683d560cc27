/* Two threads: the clerk takes the messages in order, keeps what is known of the match
 * and writes the answers; the thinker runs the player. The clerk knows a legal move
 * before the thinker hears of the turn. Neither is trusted to be on time: every message
 * carries the moment when its answer is due, and session_tick(), called by a thread that
 * does nothing else, then sends the best there is: what the player holds ready, any
 * legal move, or, when not even the rules could be run in time, `nil`.
 *
 * `lock` guards everything but what the clerk alone uses (see there), and is never
 * held while something takes long: whoever must be on time waits for it. */
#include "net/player/session.h"

#include "net/player/session_record.h"
#include "net/player/tracker.h"
#include "net/player/think_thread.h"

#include <string.h>

#define BUILD_SHARE 0.6 /* of the start clock, to make a circuit */
#define MARGIN_SHARE 0.4
#define FOR_EVER 1e18

struct job {
	struct message *m; /* the session's when it is `started` or `last` */
	double arrived, due;
	VEC(void *) tickets; /* who waits: more than one when the message was sent again */
	bool answered;
	struct text reply;
	uint32_t move; /* that the reply is; GAME_NONE: none */
};

struct session {
	struct session_options o;
	struct thread clerk;
	bool has_clerk;
	struct thread_mutex lock;
	pthread_cond_t change;
	bool over, gone;
	bool leaving;    /* the last message has come */
	const char *end; /* why it is over */
	VEC(struct job *) jobs; /* the first is under way */
	double heard, patience;
	struct session_record record;
	/* what is known, for whoever must answer */
	struct game *game;
	VEC(uint32_t) legal; /* of the turn under way; empty: not known yet */
	struct message *started, *last; /* the last play that was understood */
	uint32_t steps;
	struct think_thread thinker;
	atomic_bool ending; /* the clerk is to make haste */
	/* the clerk's */
	struct gdl_rules *rules;
	struct tracker *tracker;
	struct player *player;
	uint32_t role;
	struct text last_reply; /* to a play */
	uint32_t last_move;     /* that it was */
};

/* ---- answers ---------------------------------------------------------------------------------- */

static double due_at(const struct session *b, double arrived, double clock, double delay)
{
	double most = MARGIN_SHARE * clock, margin = b->o.margin < most ? b->o.margin : most;
	margin += delay;
	margin = margin > 0.8 * clock ? 0.8 * clock : margin;
	return arrived + clock - margin;
}

/* The lock is held. */
static void send(struct session *b, struct job *j, int status, const char *reply, const char *why)
{
	if (j->answered)
		return;
	j->answered = true;
	session_record_message(&b->record, j->m, j->arrived, reply, status, why);
	text_puts(&j->reply, reply);
	for (size_t i = 0; i < j->tickets.n; i++)
		b->o.answer(j->tickets.at[i], status, reply, why);
	b->heard = clock_now();
	pthread_cond_broadcast(&b->change);
}

static void send_move(struct session *b, struct job *j, uint32_t move, const char *why)
{
	struct text t = {0};
	if (j->answered)
		return;
	j->move = move;
	game_print_move(b->game, move, &t);
	send(b, j, 200, text_str(&t), why);
	text_free(&t);
}

static bool is_legal(const struct session *b, uint32_t move)
{
	for (size_t i = 0; i < b->legal.n; i++)
		if (b->legal.at[i] == move)
			return true;
	return false;
}

/* Time is up. */
static void send_best(struct session *b, struct job *j, bool under_way)
{
	if (j->m->kind == MESSAGE_START) {
		send(b, j, 200, "ready", "still preparing");
	} else if (j->m->kind == MESSAGE_PLAY) {
		uint32_t ready = think_thread_holds(&b->thinker);
		if (under_way && is_legal(b, ready))
			send_move(b, j, ready, "the best so far when time was up");
		else if (under_way && b->legal.n)
			send_move(b, j, b->legal.at[0], "time was up: any legal move");
		else
			send(b, j, 200, "nil", "time was up and no legal move known");
	} else {
		send(b, j, 200, j->m->kind == MESSAGE_STOP ? "done" : "aborted", "");
	}
}

double session_tick(struct session *b, double now)
{
	double next = FOR_EVER;
	thread_lock(&b->lock);
	for (size_t i = 0; i < b->jobs.n; i++) {
		struct job *j = b->jobs.at[i];
		if (!j->answered && j->due <= now)
			send_best(b, j, !i);
		else if (!j->answered && j->due < next)
			next = j->due;
	}
	bool silent = !b->over && !b->jobs.n && now > b->heard + b->patience;
	thread_unlock(&b->lock);
	if (silent)
		session_end(b, "the manager is silent");
	return next;
}

/* ---- the thinker --------------------------------------------------------------------------------- */

static void begin_thought(struct session *b, enum think what, double deadline)
{
	think_thread_begin(&b->thinker, what, deadline, b->leaving || atomic_load(&b->ending));
}

static void think_about(struct session *b, enum think what, double deadline)
{
	const struct tracker_now *n = tracker_now(b->tracker);
	bool told = !b->game->hidden;
	turn_copy_set(&b->thinker.turn, b->game,
	              &(struct turn){.step = n->step,
	                             .state = told ? n->state : NULL,
	                             .last = told ? n->last : NULL,
	                             .legal = n->legal,
	                             .legal_count = n->legal_count,
	                             .own_last = n->own_last,
	                             .seen = n->seen,
	                             .seen_count = n->seen_count});
	begin_thought(b, what, deadline);
}

/* Players stop a fifth early, half a second at most, so as not to be late. Here somebody
 * else sees to that: they may aim at shortly before the answer is due. */
static double think_until(double due)
{
	double now = clock_now(), left = 0.97 * (due - now) - 0.005;
	return left < 0.01 ? due : now + (left / 4 < 0.5 ? 1.25 * left : left + 0.5);
}

/* ---- start ---------------------------------------------------------------------------------------- */

static bool read_rules(struct session *b, const struct message *m, struct text *error)
{
	struct diags d = {.max = 20};
	const char *text;
	size_t length;
	message_rules(m, &text, &length);
	b->rules = gdl_read(text, length, &d);
	gdl_check(b->rules, &d);
	if (d.errors) {
		diag_drop_warnings(&d);
		diag_sort(&d);
		struct place at = diag_place(text, length, d.all.at[0].at.from);
		text_printf(error, "the rules have %zu errors; the first, at line %u, column %u: %s", d.errors, at.line, at.column,
		            d.all.at[0].message);
	}
	bool fine = !d.errors;
	diag_free(&d);
	return fine;
}

static bool make_player(struct session *b, struct text *error)
{
	/* who cannot play this game is replaced by who can play all */
	const char *words[] = {b->o.player, "macaw", "random"};
	struct player *p = NULL;
	for (size_t i = 0; i < 3 && !p; i++) {
		error->n = 0;
		p = player_make(b->game, b->role, words[i], b->o.seed, error);
	}
	b->player = p;
	return p;
}

static bool build(struct session *b, const struct job *j, struct text *error)
{
	struct limit limit = {.deadline = j->arrived + BUILD_SHARE * j->m->start, .stop = &b->ending};
	if (limit.deadline < clock_now() + 0.05)
		limit.deadline = clock_now() + 0.05;
	if (!read_rules(b, j->m, error))
		return false;
	struct game *g =
		game_make(b->rules, &(struct game_options){.limit = limit, .memory = b->o.memory, .quiet = true}, error);
	if (!g)
		return false;
	thread_lock(&b->lock);
	b->game = g;
	thread_unlock(&b->lock);
	b->role = game_find_role(g, text_str(&j->m->role));
	if (b->role == GAME_NONE || b->role == g->random) {
		text_puts(error, b->role == GAME_NONE ? "the rules have no such role" : "`random` is the manager's role");
		return false;
	}
	b->tracker = tracker_new(g, b->role, b->o.seed);
	return make_player(b, error);
}

static void do_start(struct session *b, struct job *j)
{
	struct text error = {0}, reply = {0};
	bool fine = build(b, j, &error);
	thread_lock(&b->lock);
	if (!fine) {
		b->over = true;
		b->end = "it could not begin";
		message_error(&reply, text_str(&error));
		send(b, j, 400, text_str(&reply), text_str(&error));
	} else {
		if (think_thread_open(&b->thinker, b->player, &b->lock, &b->change) && !j->answered) {
			begin_thought(b, THINK_START, think_until(j->due));
			think_thread_wait(&b->thinker, &j->answered);
		}
		send(b, j, 200, "ready", b->game->engine == ENGINE_CIRCUIT ? "circuit" : "interpreter");
	}
	thread_unlock(&b->lock);
	text_free(&error);
	text_free(&reply);
}

/* ---- moves ------------------------------------------------------------------------------------------ */

/* The news of a message can be a joint move or percepts; where it does not say, what fits. */
static bool take_news(struct session *b, const struct message *m, const struct limit *limit)
{
	struct tracker_news n = {.kif = &m->kif, .joint = KIF_NONE, .own = m->own, .own_move = GAME_NONE, .percepts = KIF_NONE};
	if (m->own == KIF_NONE)
		n.own_move = b->last_move;
	if (!m->turned && m->list != KIF_NONE) {
		n.joint = m->list;
		if (tracker_step(b->tracker, &n, limit))
			return true;
		if (!b->game->hidden)
			return false;
		n.joint = KIF_NONE;
	}
	n.percepts = m->list;
	return tracker_step(b->tracker, &n, limit);
}

/* Brings what is known up to the message. False with a reason. */
static bool catch_up(struct session *b, const struct job *j, const char **why)
{
	const struct message *m = j->m;
	uint32_t step = tracker_now(b->tracker)->step;
	double left = j->due - clock_now();
	struct limit limit = {.deadline = clock_now() + (left > 0.02 ? 0.4 * left : 0.01), .stop = &b->ending};
	/* (play ID percepts), without a turn: nil is also what is seen when nothing is */
	bool old = b->game->hidden && !m->turned;
	bool first = m->turned ? !m->turn : m->list == KIF_NONE && (old ? !b->last : !step);
	*why = "";
	if (m->kind == MESSAGE_PLAY && !old && b->last && message_same(b->last, m) && (m->turned || first))
		return true; /* sent again */
	if (first || (m->turned && m->turn == step))
		return true;
	if (m->turned && m->turn != step + 1) {
		*why = "out of turn";
		return false;
	}
	if (m->kind == MESSAGE_STOP && m->list == KIF_NONE && !m->turned && !b->game->hidden)
		return true;
	if (!m->turned && m->list == KIF_NONE && !b->game->hidden) {
		*why = "no moves were told";
		return false;
	}
	if (!take_news(b, m, &limit)) {
		*why = b->last && message_same(b->last, m) ? "sent again" : "the moves do not fit what is known";
		return false;
	}
	session_record_step(&b->record, b->game, tracker_now(b->tracker));
	return true;
}

static void do_play(struct session *b, struct job *j)
{
	const char *why;
	thread_lock(&b->lock);
	b->patience = 3 * b->started->play + 5; /* nobody is preparing any more */
	vec_clear(&b->legal);
	atomic_store(&b->thinker.stop, true); /* pondering, or a thought that came too late */
	thread_unlock(&b->lock);
	bool fits = catch_up(b, j, &why);
	const struct tracker_now *n = tracker_now(b->tracker);
	thread_lock(&b->lock);
	if (!fits && b->last && b->last_reply.n && message_same(b->last, j->m)) {
		/* the same message again, and it cannot be news: the same answer */
		j->move = b->last_move;
		send(b, j, 200, text_str(&b->last_reply), why);
	} else if (n->terminal || !n->legal_count) {
		send(b, j, 200, "nil", n->terminal ? "the match is over by the rules" : "the rules could not be run");
	} else {
		struct think_thread *t = &b->thinker;
		vec_set(&b->legal, n->legal, n->legal_count);
		b->steps = n->step;
		if (t->open && think_thread_rest(t, &j->answered) && !j->answered) {
			think_about(b, THINK_MOVE, think_until(j->due));
			think_thread_wait(t, &j->answered);
		}
		if (!j->answered && is_legal(b, t->chosen))
			send_move(b, j, t->chosen, *why ? why : text_str(&t->why));
		else
			send_move(b, j, b->legal.at[0], "there is nobody to think");
		if (b->o.ponder && t->open && t->think == THINK_IDLE && !b->over)
			think_about(b, THINK_PONDER, clock_now() + b->patience);
	}
	if (fits) {
		message_free(b->last);
		b->last = j->m;
	}
	b->last_move = j->move;
	b->last_reply.n = 0;
	text_puts(&b->last_reply, text_str(&j->reply));
	thread_unlock(&b->lock);
}

static void do_stop(struct session *b, struct job *j)
{
	const char *why = "";
	if (j->m->kind == MESSAGE_STOP && b->tracker)
		catch_up(b, j, &why);
	thread_lock(&b->lock);
	b->over = true;
	b->end = b->end ? b->end : j->m->kind == MESSAGE_STOP ? "stopped" : "aborted";
	send(b, j, 200, j->m->kind == MESSAGE_STOP ? "done" : "aborted", why);
	thread_unlock(&b->lock);
}

/* ---- the clerk -------------------------------------------------------------------------------------------- */

/* The first one; lock held. */
static void drop_job(struct session *b)
{
	struct job *j = b->jobs.at[0];
	memmove(b->jobs.at, b->jobs.at + 1, --b->jobs.n * sizeof *b->jobs.at);
	if (j->m != b->started && j->m != b->last)
		message_free(j->m);
	vec_free(&j->tickets);
	text_free(&j->reply);
	mem_free(j);
}

static void work(struct session *b, struct job *j)
{
	switch (j->m->kind) {
	case MESSAGE_START: do_start(b, j); break;
	case MESSAGE_PLAY: do_play(b, j); break;
	default: do_stop(b, j); break;
	}
}

static void leave(struct session *b)
{
	thread_lock(&b->lock);
	b->over = true;
	while (b->jobs.n) { /* whoever still waits */
		send_best(b, b->jobs.at[0], false);
		drop_job(b);
	}
	thread_unlock(&b->lock);
	think_thread_close(&b->thinker);
	session_record_write(&b->record, &(struct session_record_end){.start = b->started,
	                                           .player = b->o.player,
	                                           .why = b->end,
	                                           .rules = b->rules,
	                                           .game = b->game,
	                                           .now = b->tracker ? tracker_now(b->tracker) : NULL});
	thread_lock(&b->lock);
	struct game *game = b->game;
	b->game = NULL; /* others look whether it is there */
	thread_unlock(&b->lock);
	player_free(b->player);
	tracker_free(b->tracker);
	game_free(game);
	gdl_free(b->rules);
	thread_lock(&b->lock);
	b->gone = true;
	thread_unlock(&b->lock);
}

static void serve_bout(void *context)
{
	struct session *b = context;
	thread_lock(&b->lock);
	while (!b->over) {
		while (!b->jobs.n && !b->over)
			thread_wait(&b->change, &b->lock);
		if (b->over)
			break;
		struct job *j = b->jobs.at[0];
		thread_unlock(&b->lock);
		work(b, j);
		thread_lock(&b->lock);
		b->heard = clock_now();
		drop_job(b);
	}
	thread_unlock(&b->lock);
	leave(b);
}

/* ---- from outside ------------------------------------------------------------------------------------------- */

void session_ask(struct session *b, struct message *m, double arrived, double delay, void *ticket)
{
	thread_lock(&b->lock);
	if (b->over) {
		b->o.answer(ticket, 200, "busy", "it is over");
		message_free(m);
		thread_unlock(&b->lock);
		return;
	}
	b->heard = arrived;
	for (size_t i = 0; i < b->jobs.n; i++)
		if (!b->jobs.at[i]->answered && message_same(b->jobs.at[i]->m, m)) {
			vec_push(&b->jobs.at[i]->tickets, ticket);
			message_free(m);
			thread_unlock(&b->lock);
			return;
		}
	struct job *j = NEW(struct job);
	j->m = m;
	j->move = GAME_NONE;
	j->arrived = arrived;
	double play = b->started->play, stop_clock = play < 1 ? play : 1;
	j->due = due_at(b, arrived, m->kind == MESSAGE_START ? m->start : m->kind == MESSAGE_PLAY ? play : stop_clock, delay);
	vec_push(&j->tickets, ticket);
	vec_push(&b->jobs, j);
	b->leaving |= m->kind == MESSAGE_STOP || m->kind == MESSAGE_ABORT;
	if (b->leaving) /* whatever is thought is not wanted any more */
		atomic_store(&b->thinker.stop, true);
	if (m->kind == MESSAGE_ABORT)
		atomic_store(&b->ending, true);
	pthread_cond_broadcast(&b->change);
	thread_unlock(&b->lock);
}

struct session *session_open(const struct session_options *o, struct message *start, double arrived, double delay, void *ticket)
{
	struct session *b = NEW(struct session);
	b->o = *o;
	thread_mutex_init(&b->lock);
	thread_cond_init(&b->change);
	b->started = start;
	b->patience = start->start + 3 * start->play + 5;
	b->last_move = GAME_NONE;
	session_record_open(&b->record, o->record, arrived);
	session_ask(b, start, arrived, delay, ticket);
	b->has_clerk = thread_start(&b->clerk, serve_bout, b);
	if (b->has_clerk)
		return b;
	drop_job(b);
	session_free(b);
	return NULL;
}

void session_end(struct session *b, const char *why)
{
	thread_lock(&b->lock);
	if (!b->over)
		b->end = why;
	b->over = true;
	atomic_store(&b->thinker.stop, true);
	atomic_store(&b->ending, true);
	for (size_t i = 0; i < b->jobs.n; i++)
		send_best(b, b->jobs.at[i], !i);
	pthread_cond_broadcast(&b->change);
	thread_unlock(&b->lock);
}

const char *session_id(const struct session *b)
{
	return text_str(&b->started->id);
}

double session_clock(const struct session *b)
{
	return b->started->play;
}

bool session_over(const struct session *b)
{
	struct session *x = (struct session *)b;
	thread_lock(&x->lock);
	bool over = b->over || b->leaving;
	thread_unlock(&x->lock);
	return over;
}

bool session_gone(const struct session *b)
{
	struct session *x = (struct session *)b;
	thread_lock(&x->lock);
	bool gone = b->gone;
	thread_unlock(&x->lock);
	return gone;
}

bool session_same_start(struct session *b, const struct message *m)
{
	thread_lock(&b->lock);
	bool same = !b->last && message_same(b->started, m);
	bool played = false;
	for (size_t i = 0; i < b->jobs.n; i++)
		played |= b->jobs.at[i]->m->kind != MESSAGE_START;
	thread_unlock(&b->lock);
	return same && !played;
}

void session_status(struct session *b, struct json_writer *w)
{
	static const char *const doing[] = {"waiting", "preparing", "thinking", "pondering", "leaving"};
	thread_lock(&b->lock);
	jsonw_object(w, NULL);
	jsonw_text(w, "match", text_str(&b->started->id));
	jsonw_text(w, "role", text_str(&b->started->role));
	jsonw_text(w, "doing", b->game ? doing[b->thinker.think] : "reading rules");
	jsonw_uint(w, "step", b->steps);
	jsonw_real(w, "start_clock", b->started->start);
	jsonw_real(w, "play_clock", b->started->play);
	jsonw_real(w, "seconds", clock_now() - b->record.began);
	jsonw_text(w, "engine", !b->game ? "" : b->game->engine == ENGINE_CIRCUIT ? "circuit" : "interpreter");
	jsonw_end(w);
	thread_unlock(&b->lock);
}

void session_free(struct session *b)
{
	if (b->has_clerk)
		thread_join(&b->clerk);
	thread_mutex_free(&b->lock);
	pthread_cond_destroy(&b->change);
	message_free(b->last);
	message_free(b->started);
	text_free(&b->last_reply);
	vec_free(&b->jobs);
	vec_free(&b->legal);
	session_record_close(&b->record);
	mem_free(b);
}

/* A session whose thoughts are in a process of their own: the program itself, run with SESSION_COMMAND. Here are the
 * queue, the clock and the messages so far; there are the rules and the player (match_child.c). One thread starts the
 * process and speaks with it. When the process dies, of whatever, another one is started and given the match so far;
 * when an answer is due before that, it is the legal move that the process had shown for this turn. So nothing that
 * rules do to a process costs more than the thoughts of one move.
 *
 * `lock` is never held while something takes long: session_tick() waits for it. */
#include "net/player/frames.h"
#include "net/player/http_server.h"
#include "net/player/session.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define FOR_EVER 1e18
#define MARGIN_SHARE 0.4
#define RESTARTS 20                   /* processes that may die in one match */
#define PLAIN_FROM 3                  /* deaths after which the player is the plainest one */
#define LEAVE_IN 0.5                  /* seconds for the process to write its record and end */
#define HISTORY_MAX ((size_t)8 << 20) /* bytes of messages and replies; a longer match is not begun anew */
#define STUCK_AFTER 2.0               /* seconds after an answer was given in its place: then it is replaced */
#define PIECE ((size_t)16 << 10)

struct job {
	uint32_t id;
	struct message *m; /* without its tree */
	double arrived, delay, due;
	VEC(void *) tickets;
	bool sent, answered;
	struct text holds, reply; /* a legal move; what was answered */
};

struct process_session {
	struct session base;
	struct session_options o;
	struct thread thread;
	bool threaded;
	int wake;
	struct thread_mutex lock;
	bool over, leaving, gone, stuck; /* stuck: the process did not answer in time */
	const char *end;
	struct message *started;
	VEC(struct job *) jobs;
	uint32_t last_id;
	double began, last_message, patience;
	VEC(struct past {
		double arrived;
		struct text body, reply;
	}) history;
	size_t history_bytes;
	bool forgotten; /* the history is not whole */
	struct text doing, engine;
	uint32_t step;
	/* used by the thread only */
	pid_t pid; /* 0: none */
	int socket;
	unsigned deaths;
	struct text in, out;
};

static struct process_session *process(const struct session *base)
{
	return unconst(base);
}

/* ---- answers ------------------------------------------------------------------------------------------------- */

/* Half of what is left after the process should have answered. */
static double due_at(const struct session_options *o, double arrived, double clock, double delay)
{
	double most = MARGIN_SHARE * clock, margin = (o->margin < most ? o->margin : most) / 2 + delay / 2;
	return arrived + clock - (margin < 0.4 * clock ? margin : 0.4 * clock);
}

/* The lock is held. */
static void answer_job(struct process_session *s, struct job *j, int status, const char *reply, const char *why)
{
	if (j->answered)
		return;
	j->answered = true;
	text_puts(&j->reply, reply);
	for (size_t i = 0; i < j->tickets.n; i++)
		s->o.answer(j->tickets.at[i], status, reply, why);
	vec_clear(&j->tickets);
	s->last_message = clock_now();
}

/* What can be said without the process. */
static void answer_best(struct process_session *s, struct job *j)
{
	switch (j->m->kind) {
	case MESSAGE_START: answer_job(s, j, 200, "ready", "still preparing"); break;
	case MESSAGE_PLAY:
		if (j->holds.n)
			answer_job(s, j, 200, text_str(&j->holds), "time was up: a legal move");
		else
			answer_job(s, j, 200, "nil", "time was up and no legal move known");
		break;
	default: answer_job(s, j, 200, j->m->kind == MESSAGE_STOP ? "done" : "aborted", ""); break;
	}
}

static void wake(struct process_session *s)
{
	ssize_t n = write(s->wake, &(uint64_t){1}, sizeof(uint64_t));
	(void)n;
}

/* The lock is held. */
static void end_now(struct process_session *s, const char *why)
{
	s->end = s->over ? s->end : why;
	s->over = true;
	for (size_t i = 0; i < s->jobs.n; i++)
		answer_best(s, s->jobs.at[i]);
	wake(s);
}

static void end_session(struct session *base, const char *why)
{
	struct process_session *s = process(base);
	thread_lock(&s->lock);
	end_now(s, why);
	thread_unlock(&s->lock);
}

static double tick_session(struct session *base, double now)
{
	struct process_session *s = process(base);
	double next = FOR_EVER;
	thread_lock(&s->lock);
	for (size_t i = 0; i < s->jobs.n; i++) {
		struct job *j = s->jobs.at[i];
		if (!j->answered && j->due <= now) {
			answer_best(s, j);
			if (s->leaving && j->m->kind != MESSAGE_PLAY && j->m->kind != MESSAGE_START)
				end_now(s, "the process does not end the match");
			wake(s);
		}
		double then = j->due + (j->answered ? STUCK_AFTER : 0);
		s->stuck |= j->answered && j->m->kind == MESSAGE_PLAY && then <= now;
		next = then > now && then < next ? then : next;
	}
	if (s->stuck)
		wake(s);
	if (!s->over && !s->jobs.n && now > s->last_message + s->patience)
		end_now(s, "the manager is silent");
	thread_unlock(&s->lock);
	return next;
}

/* ---- to the process -------------------------------------------------------------------------------------------- */

static void put_options(struct process_session *s)
{
	struct frame_options o = {.margin = s->o.margin,
	                          .seed = s->o.seed + s->deaths,
	                          .memory = s->o.memory,
	                          .bounds = s->o.bounds,
	                          .ponder = s->o.ponder,
	                          .records = s->o.record};
	struct text t = {0};
	const char *player = s->deaths >= PLAIN_FROM ? "random" : s->o.player;
	text_add(&t, (const char *)&o, sizeof o);
	text_add(&t, player, strlen(player) + 1);
	text_puts(&t, s->o.record ? s->o.record : "");
	frame_add(&s->out, (struct frame){.kind = FRAME_OPTIONS}, t.at, t.n + 1, NULL);
	text_free(&t);
}

/* START again, with a part of the clock of a move, and all that was played since. */
static void put_history(struct process_session *s)
{
	const struct message *m = s->started;
	double clock = 0.3 * m->play > 0.5 ? 0.3 * m->play : 0.5;
	frame_add(&s->out, (struct frame){.kind = FRAME_ASK, .arrived = clock_now(), .clock = clock}, m->body, m->length,
	          NULL);
	for (size_t i = 0; i < s->history.n; i++) {
		const struct past *p = &s->history.at[i];
		struct text t = {0};
		text_add(&t, text_str(&p->reply), p->reply.n);
		text_add(&t, "", 1);
		text_add(&t, p->body.at, p->body.n);
		frame_add(&s->out, (struct frame){.kind = FRAME_REPLAY, .arrived = p->arrived}, t.at, t.n, NULL);
		text_free(&t);
	}
}

/* What it has not got yet; the lock is held. */
static void put_jobs(struct process_session *s)
{
	for (size_t i = 0; i < s->jobs.n; i++) {
		struct job *j = s->jobs.at[i];
		if (!j->sent)
			frame_add(&s->out, (struct frame){.kind = FRAME_ASK, .id = j->id, .arrived = j->arrived, .delay = j->delay},
			          j->m->body, j->m->length, NULL);
		j->sent = true;
	}
}

/* False: the other end has gone. */
static bool send_out(struct process_session *s)
{
	ssize_t n = send(s->socket, s->out.at, s->out.n, MSG_NOSIGNAL | MSG_DONTWAIT);
	if (n < 0)
		return errno == EAGAIN || errno == EINTR;
	memmove(s->out.at, s->out.at + n, s->out.n - (size_t)n);
	s->out.n -= (size_t)n;
	if (!s->out.n)
		text_free(&s->out);
	return true;
}

static bool spawn_program(struct process_session *s, int end)
{
	extern char **environ;
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t none, all;
	char *argv[] = {(char *)"macaw", (char *)SESSION_COMMAND, NULL};
	sigemptyset(&none);
	sigfillset(&all);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, end, STDIN_FILENO);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setsigdefault(&attributes, &all);
	int failed = posix_spawn(&s->pid, s->o.program, &actions, &attributes, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	return !failed;
}

static bool start_process(struct process_session *s)
{
	int ends[2];
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return false;
	bool fine = spawn_program(s, ends[1]);
	close(ends[1]);
	if (fine) {
		s->socket = ends[0];
		put_options(s);
		return true;
	}
	s->pid = 0;
	close(ends[0]);
	return false;
}

/* ---- from the process -------------------------------------------------------------------------------------------- */

static void free_job(struct job *j)
{
	message_free(j->m);
	vec_free(&j->tickets);
	text_free(&j->holds);
	text_free(&j->reply);
	mem_free(j);
}

/* A play that was answered belongs to the match from now on. */
static void remember(struct process_session *s, const struct job *j)
{
	s->history_bytes += j->m->length + j->reply.n;
	s->forgotten |= s->history_bytes > HISTORY_MAX;
	if (s->forgotten)
		return;
	struct past p = {.arrived = j->arrived};
	text_add(&p.body, j->m->body, j->m->length);
	text_puts(&p.reply, text_str(&j->reply));
	vec_push(&s->history, p);
}

/* The process has done with it; the lock is held. */
static void finish_job(struct process_session *s, size_t i, int status)
{
	struct job *j = s->jobs.at[i];
	memmove(s->jobs.at + i, s->jobs.at + i + 1, (--s->jobs.n - i) * sizeof *s->jobs.at);
	if (j->m->kind == MESSAGE_PLAY) {
		remember(s, j);
		s->patience = 3 * s->started->play + 5; /* nobody is preparing any more */
	} else if (j->m->kind != MESSAGE_START || status != 200) {
		s->end = s->over ? s->end : "it is over";
		s->over = true;
	}
	free_job(j);
}

static void take_answer(struct process_session *s, const struct frame *f, const char *reply)
{
	if (s->o.delayed)
		s->o.delayed(s->o.context, clock_now() - f->arrived);
	for (size_t i = 0; i < s->jobs.n; i++)
		if (s->jobs.at[i]->id == f->id) {
			struct job *j = s->jobs.at[i];
			if (j->answered && strcmp(text_str(&j->reply), reply)) /* too late: this was said in its place */
				frame_add(&s->out, (struct frame){.kind = FRAME_TOLD}, text_str(&j->reply), j->reply.n, NULL);
			answer_job(s, j, f->status, reply, frame_second(f, reply));
			finish_job(s, i, f->status);
			return;
		}
}

static void take_frame(struct process_session *s, const struct frame *f, const char *text)
{
	thread_lock(&s->lock);
	if (f->kind == FRAME_ANSWER) {
		take_answer(s, f, text);
	} else if (f->kind == FRAME_HOLDS) {
		for (size_t i = 0; i < s->jobs.n; i++)
			if (s->jobs.at[i]->id == f->id) {
				s->jobs.at[i]->holds.n = 0;
				text_puts(&s->jobs.at[i]->holds, text);
			}
	} else if (f->kind == FRAME_STATE) {
		s->step = f->id;
		s->doing.n = s->engine.n = 0;
		text_puts(&s->doing, text);
		text_puts(&s->engine, frame_second(f, text));
	}
	thread_unlock(&s->lock);
}

/* False: the other end has gone. */
static bool take_in(struct process_session *s)
{
	char piece[PIECE];
	ssize_t n = recv(s->socket, piece, sizeof piece, MSG_DONTWAIT);
	if (n <= 0)
		return n < 0 && (errno == EAGAIN || errno == EINTR);
	text_add(&s->in, piece, (size_t)n);
	const struct frame *f;
	const char *text;
	while ((f = frame_first(&s->in, &text))) {
		take_frame(s, f, text);
		frame_drop(&s->in);
	}
	return true;
}

/* ---- the thread ---------------------------------------------------------------------------------------------- */

static void bury(struct process_session *s)
{
	if (!s->pid)
		return;
	close(s->socket);
	kill(s->pid, SIGKILL);
	while (waitpid(s->pid, NULL, 0) < 0 && errno == EINTR)
		;
	s->pid = 0;
	text_free(&s->in);
	text_free(&s->out);
}

/* There is no process any more, or it is of no use. The lock is held. */
static void begin_anew(struct process_session *s)
{
	s->deaths++;
	s->stuck = false;
	for (size_t i = 0; i < s->jobs.n;)
		if (s->jobs.at[i]->answered)
			finish_job(s, i, 200);
		else
			s->jobs.at[i++]->sent = false;
	s->doing.n = 0;
	text_puts(&s->doing, "beginning anew");
	if (s->deaths > RESTARTS || s->forgotten || s->over)
		return;
	bool waiting_for_start = s->jobs.n && s->jobs.at[0]->m->kind == MESSAGE_START;
	if (start_process(s) && !waiting_for_start)
		put_history(s);
}

/* Waits for something to do; true: the process is alive. */
static bool wait_and_speak(struct process_session *s, int milliseconds)
{
	struct pollfd p[] = {{s->wake, POLLIN, 0}, {s->pid ? s->socket : -1, POLLIN | (s->out.n ? POLLOUT : 0), 0}};
	uint64_t count;
	poll(p, 2, milliseconds);
	if (p[0].revents) {
		ssize_t n = read(s->wake, &count, sizeof count);
		(void)n;
	}
	bool alive = s->pid;
	if (alive && (p[1].revents & POLLOUT))
		alive = send_out(s);
	if (alive && (p[1].revents & (POLLIN | POLLHUP | POLLERR)))
		alive = take_in(s);
	return alive;
}

/* It may write its record and end by itself. */
static void take_leave(struct process_session *s)
{
	double until = clock_now() + LEAVE_IN;
	if (s->pid)
		frame_add(&s->out, (struct frame){.kind = FRAME_END}, "", 0, NULL);
	while (s->pid && clock_now() < until && wait_and_speak(s, 20))
		;
	bury(s);
}

static void run_process(void *context)
{
	struct process_session *s = context;
	http_server_be_punctual();
	thread_lock(&s->lock);
	start_process(s);
	while (!s->over) {
		if (s->pid)
			put_jobs(s);
		thread_unlock(&s->lock);
		bool alive = wait_and_speak(s, s->pid ? -1 : 1000);
		thread_lock(&s->lock);
		if (!alive || s->stuck) { /* or it could not be started */
			thread_unlock(&s->lock);
			bury(s);
			thread_lock(&s->lock);
			begin_anew(s);
		}
	}
	thread_unlock(&s->lock);
	take_leave(s);
	thread_lock(&s->lock);
	end_now(s, s->end);
	s->gone = true;
	thread_unlock(&s->lock);
}

/* ---- from outside ------------------------------------------------------------------------------------------- */

static bool is_crowded(const struct process_session *s, const struct message *m)
{
	size_t waiting = 0, bytes = 0;
	for (size_t i = 0; i < s->jobs.n; i++) {
		waiting += s->jobs.at[i]->tickets.n;
		bytes += s->jobs.at[i]->m->kind == MESSAGE_PLAY ? s->jobs.at[i]->m->length : 0;
	}
	return session_crowded(m, waiting, bytes) || s->jobs.n > SESSION_WAITING + SESSION_WAITING_LAST;
}

static bool join_job(struct process_session *s, const struct message *m, void *ticket)
{
	for (size_t i = 0; i < s->jobs.n; i++)
		if (!s->jobs.at[i]->answered && message_same(s->jobs.at[i]->m, m)) {
			vec_push(&s->jobs.at[i]->tickets, ticket);
			return true;
		}
	return false;
}

static void add_job(struct process_session *s, struct message *m, double arrived, double delay, void *ticket)
{
	struct job *j = NEW(struct job);
	double play = s->started->play, stop_clock = play < 1 ? play : 1;
	double clock = m->kind == MESSAGE_START ? m->start : m->kind == MESSAGE_PLAY ? play : stop_clock;
	*j = (struct job){.id = ++s->last_id, .m = m, .arrived = arrived, .delay = delay};
	j->due = due_at(&s->o, arrived, clock, delay);
	vec_push(&j->tickets, ticket);
	vec_push(&s->jobs, j);
	s->leaving |= m->kind == MESSAGE_STOP || m->kind == MESSAGE_ABORT;
}

static void ask_session(struct session *base, struct message *m, double arrived, double delay, void *ticket)
{
	struct process_session *s = process(base);
	thread_lock(&s->lock);
	kif_free(&m->kif); /* the process reads it again */
	bool crowded = !s->over && is_crowded(s, m);
	if (s->over || crowded) {
		s->o.answer(ticket, crowded ? 503 : 200, crowded ? "busy" : session_no_match(m),
		            crowded ? "too many messages wait" : "it is over");
		message_free(m);
	} else {
		s->last_message = arrived;
		if (join_job(s, m, ticket))
			message_free(m);
		else
			add_job(s, m, arrived, delay, ticket);
		wake(s);
	}
	thread_unlock(&s->lock);
}

static void free_session(struct session *base)
{
	struct process_session *s = process(base);
	if (s->threaded)
		thread_join(&s->thread);
	for (size_t i = 0; i < s->jobs.n; i++)
		free_job(s->jobs.at[i]);
	for (size_t i = 0; i < s->history.n; i++) {
		text_free(&s->history.at[i].body);
		text_free(&s->history.at[i].reply);
	}
	vec_free(&s->jobs);
	vec_free(&s->history);
	message_free(s->started);
	text_free(&s->doing);
	text_free(&s->engine);
	text_free(&s->in);
	text_free(&s->out);
	thread_mutex_free(&s->lock);
	close(s->wake);
	mem_free(s);
}

/* The job of START has a message of its own. */
static struct session *open_session(const struct session_options *o, struct message *start, double arrived,
                                    double delay, void *ticket)
{
	struct process_session *s = NEW(struct process_session);
	struct text ignored = {0};
	s->base.kind = &session_in_process;
	s->o = *o;
	thread_mutex_init(&s->lock);
	s->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	s->began = arrived;
	s->patience = start->start + 3 * start->play + 5;
	s->started = message_read(start->body, start->length, &ignored);
	kif_free(&s->started->kif);
	text_puts(&s->doing, "reading rules");
	ask_session(&s->base, start, arrived, delay, ticket);
	s->threaded = s->wake >= 0 && thread_start(&s->thread, run_process, s);
	if (s->threaded)
		return &s->base;
	free_session(&s->base);
	return NULL;
}

static const struct message *started(const struct session *base)
{
	return process(base)->started;
}

static double began(const struct session *base)
{
	return process(base)->began;
}

static bool is_over(struct session *base)
{
	struct process_session *s = process(base);
	thread_lock(&s->lock);
	bool over = s->over || s->leaving;
	thread_unlock(&s->lock);
	return over;
}

static bool is_gone(struct session *base)
{
	struct process_session *s = process(base);
	thread_lock(&s->lock);
	bool gone = s->gone;
	thread_unlock(&s->lock);
	return gone;
}

static bool same_start(struct session *base, const struct message *m)
{
	struct process_session *s = process(base);
	thread_lock(&s->lock);
	bool same = !s->history_bytes && message_same(s->started, m);
	for (size_t i = 0; i < s->jobs.n; i++)
		same &= s->jobs.at[i]->m->kind == MESSAGE_START;
	thread_unlock(&s->lock);
	return same;
}

/* Texts of the process are those of the other kind. */
static const char *known_word(const struct text *t)
{
	static const char *const words[] = {"waiting", "preparing",     "thinking", "pondering",   "leaving",
	                                    "circuit", "reading rules", "",         "interpreter", "beginning anew"};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (!strcmp(words[i], text_str(t)))
			return words[i];
	return "";
}

static struct session_state state(struct session *base)
{
	struct process_session *s = process(base);
	thread_lock(&s->lock);
	struct session_state now = {known_word(&s->doing), known_word(&s->engine), s->step};
	thread_unlock(&s->lock);
	return now;
}

const struct session_kind session_in_process = {.open = open_session,
                                                .ask = ask_session,
                                                .tick = tick_session,
                                                .end = end_session,
                                                .started = started,
                                                .began = began,
                                                .over = is_over,
                                                .gone = is_gone,
                                                .same_start = same_start,
                                                .state = state,
                                                .free = free_session};

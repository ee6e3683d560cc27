/* Both sides of a player in a process of its own: the wire, the process, and the referee's side. */
#include "match/isolated.h"

#include "base/mem.h"
#include "base/thread.h"
#include "graph/automorphism.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* Written by one side and read by the other while a question is open. */
struct page {
	_Atomic uint32_t ready;
	atomic_bool stop;
	struct counters count;
};

struct isolated {
	pid_t pid;
	int socket; /* -1: it is gone */
	struct page *page;
	struct game *game;
	bool holds; /* a move ready */
	double patience;
	struct mem_resource *owned; /* process, socket and page, for when memory runs out */
};

#define REASON_MAX (1u << 20) /* bytes */

/* A question; after it come the state, the last joint move, the legal moves and the
 * percepts, as far as there are any. The deadline is on a clock that both processes
 * read: the monotonic one, or the processor time of the player's process. */
struct question {
	bool is_start, has_state, has_last, has_seen;
	uint32_t step, own_last, legal_count, seen_count;
	clockid_t clock;
	double deadline, margin;
	uint64_t playouts;
};

/* An answer; after it comes the text. When the player was to be made: move != 0, or the reason. */
struct reply {
	uint32_t move, length;
};

/* ---- the wire ------------------------------------------------------------------------------ */

static bool send_all(int to, const void *from, size_t n)
{
	for (const char *at = from; n;) {
		ssize_t sent = send(to, at, n, MSG_NOSIGNAL);
		if (sent < 0 && errno == EINTR)
			continue;
		if (sent <= 0)
			return false;
		at += sent;
		n -= (size_t)sent;
	}
	return true;
}

static bool receive_all(int from, void *into, size_t n)
{
	for (char *at = into; n;) {
		ssize_t got = recv(from, at, n, 0);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		at += got;
		n -= (size_t)got;
	}
	return true;
}

static bool send_reply(int to, uint32_t move, const char *words)
{
	size_t n = words ? strlen(words) : 0;
	struct reply r = {move, n > REASON_MAX ? REASON_MAX : (uint32_t)n};
	return send_all(to, &r, sizeof r) && send_all(to, words, r.length);
}

static bool receive_reply(int from, uint32_t *move, struct text *words)
{
	struct reply r;
	if (!receive_all(from, &r, sizeof r))
		return false;
	if (r.length > REASON_MAX) /* its memory may be in any state */
		return false;
	char *text = mem_zalloc(1, (size_t)r.length + 1);
	bool fine = receive_all(from, text, r.length);
	if (fine && r.length)
		text_puts(words, text);
	mem_free(text);
	*move = r.move;
	return fine;
}

/* ---- in the process ---------------------------------------------------------------------------- */

struct service {
	int socket;
	struct page *page;
	struct game *game;
	struct contestant who;
	VEC(uint64_t) state;
	VEC(uint32_t) last, legal, seen;
};

#define RECEIVE(s, list, count) \
	({ \
		size_t n_ = (count); \
		vec_clear(list); \
		vec_reserve(list, 1); \
		vec_extend(list, n_); \
		receive_all((s)->socket, (list)->at, n_ * sizeof *(list)->at); \
	})

static bool serve_one(struct service *s)
{
	struct question q;
	if (!receive_all(s->socket, &q, sizeof q))
		return false;
	struct budget b = {.limit = {.deadline = q.deadline, .stop = &s->page->stop, .clock = q.clock},
	                   .playouts = q.playouts,
	                   .margin = q.margin};
	if (q.is_start) {
		if (s->who.start)
			s->who.start(s->who.self, &b);
		return send_reply(s->socket, 0, NULL);
	}
	if (!RECEIVE(s, &s->state, q.has_state ? s->game->words : 0) ||
	    !RECEIVE(s, &s->last, q.has_last ? s->game->roles : 0) || !RECEIVE(s, &s->legal, q.legal_count) ||
	    !RECEIVE(s, &s->seen, q.seen_count))
		return false;
	struct turn t = {.step = q.step,
	                 .state = q.has_state ? s->state.at : NULL,
	                 .last = q.has_last ? s->last.at : NULL,
	                 .legal = s->legal.at,
	                 .legal_count = q.legal_count,
	                 .own_last = q.own_last,
	                 .seen = q.has_seen ? s->seen.at : NULL,
	                 .seen_count = q.seen_count};
	struct text why = {0};
	uint32_t move = s->who.move(s->who.self, &t, &b, &why);
	if (s->who.work)
		s->page->count = *s->who.work;
	bool sent = send_reply(s->socket, move, text_str(&why));
	text_free(&why);
	return sent;
}

#define NO_MEMORY 3 /* exit status of the process */

static void make_and_serve(struct service *s, const struct isolated_maker *how)
{
	struct text error = {0};
	bool made = how->make(how->context, &s->who, &error);
	if (!made && !error.n)
		text_printf(&error, "%s does not play", how->name);
	if (send_reply(s->socket, made, text_str(&error)) && made)
		while (serve_one(s))
			;
}

/* Ends without tidying up: the memory belongs to nobody else. */
static _Noreturn void serve(int socket, struct page *page, struct game *g, const struct isolated_maker *how)
{
	struct service s = {.socket = socket, .page = page, .game = g};
	bool done;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGINT, SIG_IGN); /* it is the referee who ends matches */
	MEM_TRY(done, NULL, make_and_serve(&s, how));
	_exit(done ? 0 : NO_MEMORY);
}

/* A built-in player, which publishes its best move. */
struct built_in {
	struct game *game;
	uint32_t role;
	const char *word;
	uint64_t seed;
	struct page *page;
};

static bool make_built_in(void *context, struct contestant *who, struct text *error)
{
	const struct built_in *b = context;
	struct player *p = player_make(b->game, b->role, b->word, b->seed, error);
	if (!p)
		return false;
	player_publish(p, &b->page->ready);
	*who = contestant_of(p);
	return true;
}

/* ---- at the referee's side ------------------------------------------------------------------------ */

static void gone(struct isolated *p)
{
	if (p->socket >= 0)
		close(p->socket);
	p->socket = -1;
}

/* Waits for the end of a process that has left its socket. True: it ran out of memory. */
static bool ran_out(struct isolated *p)
{
	int status = 0;
	while (waitpid(p->pid, &status, 0) < 0 && errno == EINTR)
		;
	p->pid = -1;
	return WIFEXITED(status) && WEXITSTATUS(status) == NO_MEMORY;
}

/* Everything that is no memory of ours. */
static void release(void *context)
{
	struct isolated *p = context;
	gone(p);
	if (p->pid > 0) {
		kill(p->pid, SIGKILL);
		while (waitpid(p->pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	munmap(p->page, sizeof *p->page);
}

static struct page *make_page(struct text *error)
{
	struct page *page = mmap(NULL, sizeof *page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED) {
		text_printf(error, "no process for the player: %s", strerror(errno));
		return NULL;
	}
	page->ready = GAME_NONE;
	return page;
}

/* The page is given over, or returned to the system. */
static struct isolated *start_in(struct game *g, struct page *page, const struct isolated_maker *how,
                                 struct text *error)
{
	int sockets[2];
	uint32_t made = 0;
	struct isolated *p = NEW(struct isolated);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets)) {
		text_printf(error, "no process for the player: %s", strerror(errno));
		munmap(page, sizeof *page);
		mem_free(p);
		return NULL;
	}
	struct thread_mutex *const shared[] = {automorphisms_lock(), game_lock(g)}; /* by what plays in the child */
	*p = (struct isolated){
		.pid = thread_fork(shared, 2), .socket = sockets[0], .page = page, .game = g, .patience = how->patience};
	if (!p->pid) {
		close(sockets[0]);
		serve(sockets[1], page, g, how);
	}
	close(sockets[1]);
	p->owned = mem_own(release, p);
	if (p->pid < 0)
		text_printf(error, "no process for the player: %s", strerror(errno));
	else if (!receive_reply(p->socket, &made, error)) {
		if (ran_out(p))
			mem_fail();
		text_printf(error, "player %s ended at once", how->name);
	}
	if (made)
		return p;
	isolated_free(p);
	return NULL;
}

static bool is_speakable(const struct game *g, struct text *error)
{
	if (g->engine == ENGINE_INTERPRETER)
		text_puts(error, "these rules are interpreted, and such games have no players in processes of their own");
	return g->engine != ENGINE_INTERPRETER;
}

struct isolated *isolated_start_by(struct game *g, const struct isolated_maker *how, struct text *error)
{
	struct page *page = is_speakable(g, error) ? make_page(error) : NULL;
	return page ? start_in(g, page, how, error) : NULL;
}

struct isolated *isolated_start(struct game *g, uint32_t role, const char *word, uint64_t seed, struct text *error)
{
	struct page *page = is_speakable(g, error) ? make_page(error) : NULL;
	struct built_in player = {g, role, word, seed, page};
	if (!page)
		return NULL;
	struct isolated *p = start_in(g, page, &(struct isolated_maker){word, make_built_in, &player, 0}, error);
	if (p)
		p->holds = true;
	return p;
}

static bool put(struct isolated *p, const struct turn *t, const struct budget *b)
{
	struct question q = {.is_start = !t,
	                     .clock = b->limit.clock,
	                     .deadline = b->limit.deadline,
	                     .margin = b->margin,
	                     .playouts = b->playouts};
	if (t) {
		q.has_state = t->state;
		q.has_last = t->last;
		q.has_seen = t->seen;
		q.step = t->step;
		q.own_last = t->own_last;
		q.legal_count = t->legal_count;
		q.seen_count = t->seen ? t->seen_count : 0;
	}
	return send_all(p->socket, &q, sizeof q) &&
	       (!q.has_state || send_all(p->socket, t->state, p->game->words * sizeof *t->state)) &&
	       (!q.has_last || send_all(p->socket, t->last, p->game->roles * sizeof *t->last)) &&
	       (!t || send_all(p->socket, t->legal, t->legal_count * sizeof *t->legal)) &&
	       (!q.has_seen || send_all(p->socket, t->seen, q.seen_count * sizeof *t->seen));
}

/* The referee may stop the budget that the mailbox holds; the process reads the page. */
static uint32_t ask(struct isolated *p, const struct turn *t, const struct budget *b, struct text *why)
{
	uint32_t move = GAME_NONE;
	if (p->socket >= 0) {
		p->page->stop = false;
		if (!put(p, t, b) || !receive_reply(p->socket, &move, why)) {
			move = GAME_NONE;
			p->page->ready = GAME_NONE;
			gone(p);
		}
	}
	if (p->socket < 0)
		text_puts(why, "the player's process has ended");
	return move;
}

static void start(void *self, const struct budget *b)
{
	struct text none = {0};
	ask(self, NULL, b, &none);
	text_free(&none);
}

static uint32_t move(void *self, const struct turn *t, const struct budget *b, struct text *why)
{
	return ask(self, t, b, why);
}

static uint32_t ready(void *self)
{
	return ((struct isolated *)self)->page->ready;
}

static void prepare(void *self, uint32_t legal)
{
	((struct isolated *)self)->page->ready = legal;
}

/* The page is what the process looks at; setting it twice does no harm. */
static void stop(void *self)
{
	((struct isolated *)self)->page->stop = true;
}

static void abandon(void *self)
{
	kill(((struct isolated *)self)->pid, SIGKILL);
}

struct contestant contestant_in(struct isolated *p)
{
	struct contestant c = {.self = p,
	                       .start = start,
	                       .move = move,
	                       .ready = p->holds ? ready : NULL,
	                       .prepare = p->holds ? prepare : NULL,
	                       .stop = stop,
	                       .abandon = abandon,
	                       .work = &p->page->count,
	                       .patience = p->patience};
	if (clock_getcpuclockid(p->pid, &c.processor))
		c.processor = CLOCK_OF_WALL;
	return c;
}

int isolated_id(const struct isolated *p)
{
	return (int)p->pid;
}

void isolated_free(struct isolated *p)
{
	if (!p)
		return;
	mem_disown(p->owned);
	release(p);
	mem_free(p);
}

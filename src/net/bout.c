/* Two threads: the clerk takes the messages in order, keeps what is known of the match
 * and writes the answers; the thinker runs the player. The clerk knows a legal move
 * before the thinker hears of the turn. Neither is trusted to be on time: every message
 * carries the moment when its answer is due, and bout_tick(), called by a thread that
 * does nothing else, then sends the best there is: what the player holds ready, any
 * legal move, or, when not even the rules could be run in time, `nil`.
 *
 * `lock` guards everything but what the clerk alone uses (known, rules, record) and the
 * thinker's copies of the question, which the clerk writes only while it is idle. */
#include "net/bout.h"

#include "net/known.h"
#include "play/player.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BUILD_SHARE 0.6 /* of the start clock, to make a circuit */
#define MARGIN_SHARE 0.4
#define FOR_EVER 1e18

struct job {
	struct message *m;
	double arrived, due;
	VEC(void *) tickets; /* who waits: more than one when the message was sent again */
	bool answered;
};

enum think { THINK_IDLE, THINK_START, THINK_MOVE, THINK_PONDER, THINK_LEAVE };

struct bout {
	struct bout_options o;
	struct text id;
	pthread_t clerk, thinker;
	pthread_mutex_t lock;
	pthread_cond_t change;
	bool has_thinker, over, gone, ended;
	bool leaving; /* the last message has come */
	const char *end; /* why it is over */
	VEC(struct job *) jobs; /* the first is under way */
	double heard, patience;
	double start, play; /* clocks */
	/* what is known, for whoever must answer */
	struct game *game;
	struct player *player;
	uint32_t role;
	VEC(uint32_t) legal; /* of the turn under way; empty: not known yet */
	uint32_t first, answered_move;
	struct text last_reply;
	struct message *started, *last; /* the last play that was answered */
	uint32_t steps;
	/* the thinker */
	enum think think;
	atomic_bool stop;   /* of the thinker */
	atomic_bool ending; /* of the clerk */
	struct budget budget;
	struct turn turn;
	VEC(uint64_t) at;
	VEC(uint32_t) turn_last, turn_legal, turn_seen;
	uint32_t chosen;
	bool chosen_valid;
	struct text why;
	/* the clerk's */
	struct gdl_rules *rules;
	struct known *known;
	bool all_told;
	json_t *messages, *moves;
	double began;
	time_t date;
};

/* ---- answers ---------------------------------------------------------------------------------- */

static double due_at(const struct bout *b, double arrived, double clock, double delay)
{
	double most = MARGIN_SHARE * clock, margin = b->o.margin < most ? b->o.margin : most;
	margin += delay;
	margin = margin > 0.8 * clock ? 0.8 * clock : margin;
	return arrived + clock - margin;
}

static void note(struct bout *b, const struct job *j, const char *reply, const char *why, int status)
{
	if (!b->o.record)
		return;
	json_t *text = json_stringn(j->m->body, j->m->length), *move = json_string(reply);
	json_array_append_new(b->messages, json_pack("{s:f, s:o, s:o, s:f, s:i, s:s}", "at", j->arrived - b->began, "message",
	                                             text ? text : json_string("(not UTF-8)"), "reply",
	                                             move ? move : json_string("(not UTF-8)"), "seconds",
	                                             clock_now() - j->arrived, "status", status, "why", why));
}

/* The lock is held. */
static void send(struct bout *b, struct job *j, int status, const char *reply, const char *why)
{
	if (j->answered)
		return;
	j->answered = true;
	note(b, j, reply, why, status);
	if (j->m->kind == MESSAGE_PLAY) {
		b->last_reply.n = 0;
		text_puts(&b->last_reply, reply);
	}
	for (size_t i = 0; i < j->tickets.n; i++)
		b->o.answer(j->tickets.at[i], status, reply, why);
	b->heard = clock_now();
	pthread_cond_broadcast(&b->change);
}

static void send_move(struct bout *b, struct job *j, uint32_t move, const char *why)
{
	struct text t = {0};
	game_print_move(b->game, move, &t);
	b->answered_move = move;
	send(b, j, 200, text_str(&t), why);
	text_free(&t);
}

static bool is_legal(const struct bout *b, uint32_t move)
{
	for (size_t i = 0; i < b->legal.n; i++)
		if (b->legal.at[i] == move)
			return true;
	return false;
}

/* Time is up. */
static void send_best(struct bout *b, struct job *j, bool under_way)
{
	if (j->m->kind == MESSAGE_START) {
		send(b, j, 200, "ready", "still preparing");
	} else if (j->m->kind == MESSAGE_PLAY) {
		uint32_t ready = under_way && b->player && b->think == THINK_MOVE ? player_ready(b->player) : GAME_NONE;
		if (under_way && b->legal.n && is_legal(b, ready))
			send_move(b, j, ready, "the best so far when time was up");
		else if (under_way && b->legal.n)
			send_move(b, j, b->first, "time was up: any legal move");
		else
			send(b, j, 200, "nil", "time was up and no legal move known");
	} else {
		send(b, j, 200, j->m->kind == MESSAGE_STOP ? "done" : "aborted", "");
	}
}

double bout_tick(struct bout *b, double now)
{
	double next = FOR_EVER;
	pthread_mutex_lock(&b->lock);
	for (size_t i = 0; i < b->jobs.n; i++) {
		struct job *j = b->jobs.at[i];
		if (!j->answered && j->due <= now)
			send_best(b, j, !i);
		else if (!j->answered && j->due < next)
			next = j->due;
	}
	bool silent = !b->over && !b->jobs.n && now > b->heard + b->patience;
	pthread_mutex_unlock(&b->lock);
	if (silent)
		bout_end(b, "the manager is silent");
	return next;
}

/* ---- the thinker --------------------------------------------------------------------------------- */

static void *think(void *context)
{
	struct bout *b = context;
	/* whoever has to be on time may interrupt this thread */
	pthread_setschedparam(pthread_self(), SCHED_BATCH, &(struct sched_param){0});
	pthread_mutex_lock(&b->lock);
	for (;;) {
		while (b->think == THINK_IDLE)
			pthread_cond_wait(&b->change, &b->lock);
		enum think what = b->think;
		if (what == THINK_LEAVE)
			break;
		pthread_mutex_unlock(&b->lock);
		struct choice c = {GAME_NONE, ""};
		if (what == THINK_START)
			player_start(b->player, &b->budget);
		else
			c = player_move(b->player, &b->turn, &b->budget);
		pthread_mutex_lock(&b->lock);
		if (what == THINK_MOVE) {
			b->chosen = c.move;
			b->chosen_valid = true;
			b->why.n = 0;
			text_puts(&b->why, c.why);
		}
		if (b->think == what)
			b->think = THINK_IDLE;
		pthread_cond_broadcast(&b->change);
	}
	pthread_mutex_unlock(&b->lock);
	return NULL;
}

#define COPY(list, from, count) \
	do { \
		vec_clear(list); \
		vec_extend(list, count); \
		if ((from) && (count)) \
			memcpy((list)->at, from, (count) * sizeof *(list)->at); \
	} while (0)

/* The question, copied. The thinker is idle. */
static void put_turn(struct bout *b)
{
	const struct known_now *n = known_now(b->known);
	bool told = !b->game->hidden;
	b->turn = (struct turn){.step = n->step, .legal_count = n->legal_count, .own_last = n->own_last};
	COPY(&b->at, n->state, told ? b->game->words : 0);
	COPY(&b->turn_last, n->last, told && n->last ? b->game->roles : 0);
	COPY(&b->turn_legal, n->legal, n->legal_count);
	COPY(&b->turn_seen, n->seen, n->seen_count);
	b->turn.state = told ? b->at.at : NULL;
	b->turn.last = told && n->last ? b->turn_last.at : NULL;
	b->turn.legal = b->turn_legal.at;
	vec_reserve(&b->turn_seen, 1);
	b->turn.seen = n->step ? b->turn_seen.at : NULL;
	b->turn.seen_count = n->seen_count;
}

/* Lock held. Stops what is thought and waits for it, unless the job is answered meanwhile. */
static bool thinker_rests(struct bout *b, const struct job *j)
{
	if (b->think != THINK_IDLE)
		atomic_store(&b->stop, true);
	while (b->think != THINK_IDLE && !(j && j->answered))
		pthread_cond_wait(&b->change, &b->lock);
	return b->think == THINK_IDLE;
}

static void think_about(struct bout *b, enum think what, double deadline)
{
	atomic_store(&b->stop, b->ended || atomic_load(&b->ending));
	b->budget = (struct budget){.limit = {.deadline = deadline, .stop = &b->stop}};
	b->chosen_valid = false;
	b->think = what;
	pthread_cond_broadcast(&b->change);
}

/* Players stop a fifth early, half a second at most, so as not to be late. Here somebody
 * else sees to that: they may aim at shortly before the answer is due. */
static double think_until(double due)
{
	double now = clock_now(), left = 0.97 * (due - now) - 0.005;
	return left < 0.01 ? due : now + (left / 4 < 0.5 ? 1.25 * left : left + 0.5);
}

/* Until it has thought or the answer has gone. */
static void wait_for_thought(struct bout *b, const struct job *j)
{
	while (b->think != THINK_IDLE && !j->answered)
		pthread_cond_wait(&b->change, &b->lock);
	if (b->think != THINK_IDLE)
		atomic_store(&b->stop, true);
}

/* ---- start ---------------------------------------------------------------------------------------- */

static bool read_rules(struct bout *b, const struct message *m, struct text *error)
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

static bool make_player(struct bout *b, struct text *error)
{
	/* who cannot play this game is replaced by who can play all */
	const char *words[] = {b->o.player, "macaw", "random"};
	struct player *p = NULL;
	for (size_t i = 0; i < 3 && !p; i++) {
		error->n = 0;
		p = player_make(b->game, b->role, words[i], b->o.seed, error);
	}
	pthread_mutex_lock(&b->lock);
	b->player = p;
	pthread_mutex_unlock(&b->lock);
	return p;
}

static bool build(struct bout *b, const struct job *j, struct text *error)
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
	pthread_mutex_lock(&b->lock);
	b->game = g;
	pthread_mutex_unlock(&b->lock);
	b->role = game_find_role(g, text_str(&j->m->role));
	if (b->role == GAME_NONE || b->role == g->random) {
		text_puts(error, b->role == GAME_NONE ? "the rules have no such role" : "`random` is the manager's role");
		return false;
	}
	b->known = known_new(g, b->role, b->o.seed);
	return make_player(b, error);
}

static void error_reply(struct text *reply, const char *message)
{
	text_puts(reply, "(error \"");
	for (; *message; message++)
		text_putc(reply, strchr("\"\\\n\r", *message) ? '\'' : *message);
	text_puts(reply, "\")");
}

static void do_start(struct bout *b, struct job *j)
{
	struct text error = {0}, reply = {0};
	bool fine = build(b, j, &error);
	pthread_mutex_lock(&b->lock);
	if (!fine) {
		b->over = true;
		b->end = "it could not begin";
		error_reply(&reply, text_str(&error));
		send(b, j, 400, text_str(&reply), text_str(&error));
	} else if (!j->answered) {
		b->has_thinker = !pthread_create(&b->thinker, NULL, think, b);
		if (b->has_thinker) {
			think_about(b, THINK_START, think_until(j->due));
			wait_for_thought(b, j);
		}
		send(b, j, 200, "ready", b->game->engine == ENGINE_CIRCUIT ? "circuit" : "interpreter");
	} else {
		b->has_thinker = !pthread_create(&b->thinker, NULL, think, b);
	}
	pthread_mutex_unlock(&b->lock);
	text_free(&error);
	text_free(&reply);
}

/* ---- moves ------------------------------------------------------------------------------------------ */

static void note_joint(struct bout *b)
{
	const struct known_now *n = known_now(b->known);
	b->all_told = b->all_told && n->last;
	if (!b->o.record || !n->last)
		return;
	json_t *joint = json_object();
	for (uint32_t r = 0; r < b->game->roles; r++) {
		struct text role = {0}, move = {0};
		game_print_role(b->game, r, &role);
		game_print_move(b->game, n->last[r], &move);
		json_object_set_new(joint, text_str(&role), json_string(text_str(&move)));
		text_free(&role);
		text_free(&move);
	}
	json_array_append_new(b->moves, joint);
}

/* The news of a message can be a joint move or percepts; where it does not say, what fits. */
static bool take_news(struct bout *b, const struct message *m, const struct limit *limit)
{
	struct known_news n = {.kif = &m->kif, .joint = KIF_NONE, .own = m->own, .own_move = GAME_NONE, .percepts = KIF_NONE};
	if (m->own == KIF_NONE)
		n.own_move = b->answered_move;
	if (!m->turned && m->list != KIF_NONE) {
		n.joint = m->list;
		if (known_step(b->known, &n, limit))
			return true;
		if (!b->game->hidden)
			return false;
		n.joint = KIF_NONE;
	}
	n.percepts = m->list;
	return known_step(b->known, &n, limit);
}

/* Brings what is known up to the message. False with a reason. */
static bool catch_up(struct bout *b, const struct job *j, const char **why)
{
	const struct message *m = j->m;
	uint32_t step = known_now(b->known)->step;
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
	note_joint(b);
	return true;
}

static void do_play(struct bout *b, struct job *j)
{
	const char *why;
	pthread_mutex_lock(&b->lock);
	b->patience = 3 * b->play + 5; /* nobody is preparing any more */
	vec_clear(&b->legal);
	if (b->think != THINK_IDLE)
		atomic_store(&b->stop, true); /* pondering, or a thought that came too late */
	pthread_mutex_unlock(&b->lock);
	bool fits = catch_up(b, j, &why);
	const struct known_now *n = known_now(b->known);
	pthread_mutex_lock(&b->lock);
	if (!fits && b->last && b->last_reply.n && message_same(b->last, j->m)) {
		/* the same message again, and it cannot be news: the same answer */
		struct text reply = {0};
		text_puts(&reply, text_str(&b->last_reply));
		send(b, j, 200, text_str(&reply), why);
		text_free(&reply);
	} else if (n->terminal || !n->legal_count) {
		send(b, j, 200, "nil", n->terminal ? "the match is over by the rules" : "the rules could not be run");
	} else {
		COPY(&b->legal, n->legal, n->legal_count);
		b->first = n->legal[0];
		b->steps = n->step;
		if (b->has_thinker && thinker_rests(b, j) && !j->answered) {
			put_turn(b);
			think_about(b, THINK_MOVE, think_until(j->due));
			wait_for_thought(b, j);
		}
		if (!j->answered && b->chosen_valid && is_legal(b, b->chosen))
			send_move(b, j, b->chosen, *why ? why : text_str(&b->why));
		else if (!j->answered)
			send_move(b, j, b->first, "there is nobody to think");
		if (b->o.ponder && b->has_thinker && b->think == THINK_IDLE && !b->ended) {
			put_turn(b);
			think_about(b, THINK_PONDER, clock_now() + b->patience);
		}
	}
	if (fits) {
		message_free(b->last);
		b->last = j->m;
		j->m = NULL;
	}
	pthread_mutex_unlock(&b->lock);
}

static void do_stop(struct bout *b, struct job *j)
{
	const char *why = "";
	pthread_mutex_lock(&b->lock);
	if (b->think != THINK_IDLE)
		atomic_store(&b->stop, true);
	pthread_mutex_unlock(&b->lock);
	if (j->m->kind == MESSAGE_STOP && b->known)
		catch_up(b, j, &why);
	pthread_mutex_lock(&b->lock);
	b->over = true;
	b->end = j->m->kind == MESSAGE_STOP ? "stopped" : "aborted";
	send(b, j, 200, j->m->kind == MESSAGE_STOP ? "done" : "aborted", why);
	pthread_mutex_unlock(&b->lock);
}

/* ---- the record ---------------------------------------------------------------------------------------- */

/* When, by which process, which one: nothing of the name comes from the network. */
static void record_path(const struct bout *b, struct text *path)
{
	static atomic_uint serial;
	char stamp[32];
	struct tm tm;
	gmtime_r(&b->date, &tm);
	strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &tm);
	text_printf(path, "%s/%s-%d-%u.json", b->o.record, stamp, (int)getpid(), atomic_fetch_add(&serial, 1));
}

static void write_record(struct bout *b)
{
	struct text path = {0}, rules = {0}, role = {0};
	json_t *goals = json_object(), *id = json_string(text_str(&b->id));
	const struct known_now *n = b->known ? known_now(b->known) : NULL;
	if (b->rules)
		gdl_print(b->rules, GDL_KIF, &rules);
	for (uint32_t r = 0; n && r < b->game->roles; r++) {
		role.n = 0;
		game_print_role(b->game, r, &role);
		json_object_set_new(goals, text_str(&role), n->goals[r] == GOAL_NONE ? json_null() : json_integer(n->goals[r]));
	}
	role.n = 0;
	if (n)
		game_print_role(b->game, b->role, &role);
	json_t *j = json_pack("{s:o, s:s, s:s, s:f, s:f, s:I, s:s, s:b, s:o, s:s, s:o}", "match",
	                      id ? id : json_string("(not UTF-8)"), "role", text_str(&role), "player", b->o.player, "start_clock",
	                      b->start, "clock", b->play, "began", (json_int_t)b->date, "end", b->end ? b->end : "", "terminal",
	                      n && n->terminal, "goals", goals, "rules", text_str(&rules), "messages",
	                      json_incref(b->messages));
	if (b->game)
		json_object_set_new(j, "engine", json_string(b->game->engine == ENGINE_CIRCUIT ? "circuit" : "interpreter"));
	if (b->all_told) /* enough for `macaw replay` */
		json_object_set(j, "moves", b->moves);
	record_path(b, &path);
	json_dump_file(j, text_str(&path), JSON_INDENT(1) | JSON_REAL_PRECISION(10));
	json_decref(j);
	text_free(&path);
	text_free(&rules);
	text_free(&role);
}

/* ---- the clerk -------------------------------------------------------------------------------------------- */

static void job_free(struct job *j)
{
	message_free(j->m);
	vec_free(&j->tickets);
	mem_free(j);
}

static void work(struct bout *b, struct job *j)
{
	switch (j->m->kind) {
	case MESSAGE_START: do_start(b, j); break;
	case MESSAGE_PLAY: do_play(b, j); break;
	default: do_stop(b, j); break;
	}
}

static void leave(struct bout *b)
{
	pthread_mutex_lock(&b->lock);
	b->over = true;
	while (b->jobs.n) { /* whoever still waits */
		struct job *j = b->jobs.at[0];
		send_best(b, j, false);
		memmove(b->jobs.at, b->jobs.at + 1, --b->jobs.n * sizeof *b->jobs.at);
		job_free(j);
	}
	if (b->has_thinker) {
		thinker_rests(b, NULL);
		b->think = THINK_LEAVE;
		pthread_cond_broadcast(&b->change);
	}
	pthread_mutex_unlock(&b->lock);
	if (b->has_thinker)
		pthread_join(b->thinker, NULL);
	if (b->o.record)
		write_record(b);
	pthread_mutex_lock(&b->lock);
	player_free(b->player);
	b->player = NULL;
	known_free(b->known);
	game_free(b->game);
	gdl_free(b->rules);
	b->known = NULL;
	b->game = NULL;
	b->rules = NULL;
	b->gone = true;
	pthread_mutex_unlock(&b->lock);
}

static void *serve_bout(void *context)
{
	struct bout *b = context;
	pthread_mutex_lock(&b->lock);
	while (!b->over) {
		while (!b->jobs.n && !b->over)
			pthread_cond_wait(&b->change, &b->lock);
		if (b->over)
			break;
		struct job *j = b->jobs.at[0];
		pthread_mutex_unlock(&b->lock);
		work(b, j);
		pthread_mutex_lock(&b->lock);
		b->heard = clock_now();
		memmove(b->jobs.at, b->jobs.at + 1, --b->jobs.n * sizeof *b->jobs.at);
		job_free(j);
	}
	pthread_mutex_unlock(&b->lock);
	leave(b);
	return NULL;
}

/* ---- from outside ------------------------------------------------------------------------------------------- */

void bout_ask(struct bout *b, struct message *m, double arrived, double delay, void *ticket)
{
	pthread_mutex_lock(&b->lock);
	if (b->over) {
		b->o.answer(ticket, 200, "busy", "it is over");
		message_free(m);
		pthread_mutex_unlock(&b->lock);
		return;
	}
	b->heard = arrived;
	for (size_t i = 0; i < b->jobs.n; i++)
		if (!b->jobs.at[i]->answered && b->jobs.at[i]->m && message_same(b->jobs.at[i]->m, m)) {
			vec_push(&b->jobs.at[i]->tickets, ticket);
			message_free(m);
			pthread_mutex_unlock(&b->lock);
			return;
		}
	struct job *j = NEW(struct job);
	j->m = m;
	j->arrived = arrived;
	double stop_clock = b->play < 1 ? b->play : 1;
	j->due = due_at(b, arrived, m->kind == MESSAGE_START ? m->start : m->kind == MESSAGE_PLAY ? b->play : stop_clock, delay);
	vec_push(&j->tickets, ticket);
	vec_push(&b->jobs, j);
	b->leaving |= m->kind == MESSAGE_STOP || m->kind == MESSAGE_ABORT;
	if (m->kind == MESSAGE_ABORT) {
		atomic_store(&b->stop, true);
		atomic_store(&b->ending, true);
	}
	pthread_cond_broadcast(&b->change);
	pthread_mutex_unlock(&b->lock);
}

struct bout *bout_open(const struct bout_options *o, struct message *start, double arrived, double delay, void *ticket)
{
	struct bout *b = NEW(struct bout);
	b->o = *o;
	text_puts(&b->id, text_str(&start->id));
	pthread_mutex_init(&b->lock, NULL);
	pthread_cond_init(&b->change, NULL);
	b->start = start->start;
	b->play = start->play;
	b->patience = start->start + 3 * start->play + 5;
	b->answered_move = GAME_NONE;
	b->began = b->heard = arrived;
	b->date = time(NULL);
	b->all_told = true;
	b->messages = json_array();
	b->moves = json_array();
	/* a copy of the start, to know it again */
	struct text none = {0};
	b->started = message_read(start->body, start->length, &none);
	text_free(&none);
	bout_ask(b, start, arrived, delay, ticket);
	if (pthread_create(&b->clerk, NULL, serve_bout, b)) {
		b->gone = b->over = true;
		job_free(b->jobs.at[0]);
		vec_clear(&b->jobs);
		b->clerk = 0;
		bout_free(b);
		return NULL;
	}
	return b;
}

void bout_end(struct bout *b, const char *why)
{
	pthread_mutex_lock(&b->lock);
	if (!b->over)
		b->end = why;
	b->over = b->ended = true;
	atomic_store(&b->stop, true);
	atomic_store(&b->ending, true);
	for (size_t i = 0; i < b->jobs.n; i++)
		if (b->jobs.at[i]->m)
			send_best(b, b->jobs.at[i], !i);
	pthread_cond_broadcast(&b->change);
	pthread_mutex_unlock(&b->lock);
}

const char *bout_id(const struct bout *b)
{
	return text_str(&b->id);
}

double bout_clock(const struct bout *b)
{
	return b->play;
}

bool bout_over(const struct bout *b)
{
	struct bout *x = (struct bout *)b;
	pthread_mutex_lock(&x->lock);
	bool over = b->over || b->leaving;
	pthread_mutex_unlock(&x->lock);
	return over;
}

bool bout_gone(const struct bout *b)
{
	struct bout *x = (struct bout *)b;
	pthread_mutex_lock(&x->lock);
	bool gone = b->gone;
	pthread_mutex_unlock(&x->lock);
	return gone;
}

bool bout_same_start(struct bout *b, const struct message *m)
{
	pthread_mutex_lock(&b->lock);
	bool same = b->started && !b->last && message_same(b->started, m);
	bool played = false;
	for (size_t i = 0; i < b->jobs.n; i++)
		played |= b->jobs.at[i]->m && b->jobs.at[i]->m->kind != MESSAGE_START;
	pthread_mutex_unlock(&b->lock);
	return same && !played;
}

json_t *bout_status(struct bout *b)
{
	static const char *const doing[] = {"waiting", "preparing", "thinking", "pondering", "leaving"};
	pthread_mutex_lock(&b->lock);
	json_t *id = json_string(text_str(&b->id)), *role = json_string(b->started ? text_str(&b->started->role) : "");
	json_t *j = json_pack("{s:o, s:o, s:s, s:I, s:f, s:f, s:f, s:s}", "match", id ? id : json_string("(not UTF-8)"), "role",
	                      role ? role : json_string("(not UTF-8)"), "doing",
	                      !b->game ? "reading rules" : doing[b->think], "step", (json_int_t)b->steps, "start_clock", b->start,
	                      "play_clock", b->play, "seconds", clock_now() - b->began, "engine",
	                      !b->game                            ? ""
	                      : b->game->engine == ENGINE_CIRCUIT ? "circuit"
	                                                          : "interpreter");
	pthread_mutex_unlock(&b->lock);
	return j;
}

void bout_free(struct bout *b)
{
	if (b->clerk)
		pthread_join(b->clerk, NULL);
	pthread_mutex_destroy(&b->lock);
	pthread_cond_destroy(&b->change);
	message_free(b->started);
	message_free(b->last);
	text_free(&b->id);
	text_free(&b->last_reply);
	text_free(&b->why);
	vec_free(&b->jobs);
	vec_free(&b->legal);
	vec_free(&b->at);
	vec_free(&b->turn_last);
	vec_free(&b->turn_legal);
	vec_free(&b->turn_seen);
	json_decref(b->messages);
	json_decref(b->moves);
	mem_free(b);
}

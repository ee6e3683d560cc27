/* The competition network behind macaw/server.h: handles around net/player and net/manager. */
#include "macaw/server.h"

#include "api/match_internal.h"
#include "api/player_internal.h"
#include "macaw/worker.h"
#include "net/manager/manager.h"
#include "net/player/match_child.h"
#include "net/player/player_server.h"
#include "net/player/session.h"

#include <stdlib.h>

/* ---- a player on the network --------------------------------------------------------------------------- */

struct macaw_server {
	struct player_server *inside;
	struct session_company company;
};

static bool company_open(void *context, const char *rules, size_t length, const char *role, const char *player,
                         uint64_t seed, double seconds)
{
	const macaw_server_company *c = context;
	return c->open(c->context, rules, length, role, player, seed, seconds);
}

static struct company company_face(void *context, uint32_t role, size_t words)
{
	const macaw_server_company *c = context;
	macaw_company face = c->face(c->context, role, words);
	return api_company(&face);
}

static void company_close(void *context)
{
	const macaw_server_company *c = context;
	c->close(c->context);
}

static enum macaw_status status_of(enum server_fault fault)
{
	return fault == SERVER_USAGE ? MACAW_USAGE : MACAW_MACHINE;
}

static struct player_server_options server_options(const macaw_server_options *o)
{
	return (struct player_server_options){.listen = o->listen ? o->listen : "127.0.0.1:9147",
	                                      .player = o->player ? o->player : "macaw",
	                                      .name = o->name ? o->name : "macaw",
	                                      .threads = o->threads,
	                                      .matches = o->matches ? o->matches : 1,
	                                      .margin = o->margin < 0   ? 0
	                                                : o->margin > 0 ? o->margin
	                                                                : 0.5,
	                                      .ponder = o->ponder,
	                                      .program = o->program,
	                                      .memory = o->memory,
	                                      .max_body = o->max_body ? o->max_body : (size_t)10 << 20,
	                                      .seed = o->seed,
	                                      .record = o->record,
	                                      .log = o->log,
	                                      .log_line = o->log_line,
	                                      .context = o->context};
}

/* In no scope and no mem_try(): the threads of the server would inherit them, and outlive the call. */
macaw_server *macaw_server_start(const macaw_server_options *o, macaw_error *e)
{
	macaw_server *s = calloc(1, sizeof *s);
	struct text error = {0};
	enum server_fault fault = SERVER_MACHINE;
	api_clear(e);
	if (!s) {
		api_fail(e, MACAW_MEMORY, "out of memory");
		return NULL;
	}
	struct player_server_options inside = server_options(o ? o : &(macaw_server_options){0});
	s->company = (struct session_company){company_open, company_face, company_close, unconst(o ? o->company : NULL)};
	inside.company = s->company.context ? &s->company : NULL;
	s->inside = player_server_start(&inside, &fault, &error);
	if (s->inside)
		return s;
	api_fail_text(e, status_of(fault), &error);
	text_free(&error);
	free(s);
	return NULL;
}

const char *macaw_server_address(const macaw_server *s)
{
	return player_server_address(s->inside);
}

char *macaw_server_status(macaw_server *s)
{
	struct text json = {0};
	player_server_status(s->inside, &json);
	return api_give(&json);
}

void macaw_server_stop(macaw_server *s)
{
	player_server_stop(s->inside);
}

bool macaw_server_wait(macaw_server *s, double seconds)
{
	return player_server_wait(s->inside, seconds);
}

void macaw_server_free(macaw_server *s)
{
	if (s)
		player_server_free(s->inside);
	free(s);
}

int macaw_server_match(int socket)
{
	return match_child_run(socket);
}

/* ---- spectators ------------------------------------------------------------------------------------------ */

struct macaw_spectators {
	struct handle handle;
	struct event_stream *inside;
};

static bool open_stream(macaw_spectators *s, const char *listen, macaw_error *e)
{
	struct text error = {0};
	bool usage = false;
	s->inside = event_stream_open(listen, &usage, &error);
	if (!s->inside)
		api_fail_text(e, usage ? MACAW_USAGE : MACAW_MACHINE, &error);
	text_free(&error);
	return s->inside;
}

static macaw_spectators *give_up_spectators(macaw_spectators *s)
{
	macaw_spectators_close(s);
	return NULL;
}

macaw_spectators *macaw_spectators_open(const char *listen, macaw_error *e)
{
	macaw_spectators *s = calloc(1, sizeof *s);
	bool fine = false;
	if (!s || !handle_open(&s->handle, e)) {
		api_fail(e, MACAW_MEMORY, "out of memory");
		free(s);
		return NULL;
	}
	GUARD(&s->handle, e, give_up_spectators(s), fine = open_stream(s, listen ? listen : "", e));
	return fine ? s : give_up_spectators(s);
}

const char *macaw_spectators_address(const macaw_spectators *s)
{
	return event_stream_address(s->inside);
}

void macaw_spectators_close(macaw_spectators *s)
{
	if (!s)
		return;
	if (!s->handle.broken)
		event_stream_close(s->inside);
	handle_close(&s->handle);
	free(s);
}

/* ---- a manager of matches --------------------------------------------------------------------------------- */

struct macaw_managed {
	struct handle handle;
	macaw_manage_options o;
	struct own_seat *own; /* by seat */
	struct managed inside;
	bool played;
	macaw_match view; /* of the match inside; nothing in it is its own */
};

static bool knows(const char *word, macaw_error *e)
{
	struct text error = {0};
	bool known = manager_knows(word, &error);
	if (!known)
		api_fail_text(e, MACAW_USAGE, &error);
	text_free(&error);
	return known;
}

bool macaw_manage_knows(const char *word, macaw_error *e)
{
	struct handle h = {0};
	bool known = false;
	if (!handle_open(&h, e))
		return false;
	GUARD(&h, e, (handle_close(&h), false), known = knows(word ? word : "", e));
	handle_close(&h);
	return known;
}

static void look(macaw_managed *m, const struct match *match)
{
	m->view.handle = m->handle;
	m->view.m = *match;
	m->view.seats = m->inside.seats;
	m->view.referee = m->inside.referee;
}

static void watch(void *context, const struct match *match)
{
	macaw_managed *m = context;
	look(m, match);
	m->o.watch(m->o.context, &m->view);
	if (m->view.handle.broken) /* a question about the match ran out of memory: the match does, too */
		mem_fail();
}

static struct manager_options manager_options(macaw_managed *m)
{
	const macaw_manage_options *o = &m->o;
	return (struct manager_options){.start = o->start > 0 ? o->start : 30,
	                                .play = o->play > 0 ? o->play : 10,
	                                .grace = o->grace < 0   ? 0
	                                         : o->grace > 0 ? o->grace
	                                                        : 1,
	                                .scramble = o->scramble,
	                                .seed = o->seed,
	                                .max_steps = o->max_steps ? o->max_steps : UINT32_MAX,
	                                .stop = (atomic_bool *)o->stop,
	                                .events = o->spectators ? o->spectators->inside : NULL,
	                                .game = macaw_game_name(m->view.game),
	                                .watch = o->watch ? watch : NULL,
	                                .context = m};
}

static struct manager_seat *make_seats(macaw_managed *m, const macaw_seat *seats, size_t count)
{
	struct manager_seat *inside = NEW_ARRAY(struct manager_seat, count + 1);
	uint32_t random = macaw_game_random(m->view.game);
	m->own = NEW_ARRAY(struct own_seat, count + 1);
	for (uint32_t i = 0; i < count; i++) {
		m->own[i] = (struct own_seat){seats[i], m->view.game, i + (i >= random)};
		inside[i] = (struct manager_seat){.word = seats[i].word,
		                                  .name = seats[i].name ? seats[i].name : "own",
		                                  .contestant = api_own_contestant(&m->own[i])};
	}
	return inside;
}

static bool manage(macaw_managed *m, const macaw_seat *seats, size_t count, macaw_error *e)
{
	struct text error = {0};
	struct manager_options o = manager_options(m);
	struct manager_seat *inside = make_seats(m, seats, count);
	m->played = manager_play(&m->inside, api_game(m->view.game), inside, (uint32_t)count, &o, &error);
	if (!m->played)
		api_fail_text(e, MACAW_USAGE, &error);
	text_free(&error);
	mem_free(inside);
	return m->played;
}

static macaw_managed *give_up(macaw_managed *m)
{
	macaw_managed_free(m);
	return NULL;
}

macaw_managed *macaw_manage(macaw_game *g, const macaw_seat *seats, size_t count, const macaw_manage_options *o,
                            macaw_error *e)
{
	bool fine = false;
	macaw_managed *m = calloc(1, sizeof *m);
	if (!m || !handle_open(&m->handle, e)) {
		api_fail(e, MACAW_MEMORY, "out of memory");
		free(m);
		return NULL;
	}
	for (size_t i = 0; i < count; i++)
		if (!seats[i].word && !seats[i].move) {
			api_fail(e, MACAW_USAGE, "a seat needs the word of a player, an address, or a function that moves");
			return give_up(m);
		}
	m->o = o ? *o : (macaw_manage_options){0};
	m->view.game = g;
	GUARD(&m->handle, e, give_up(m), fine = manage(m, seats, count, e));
	if (!fine)
		return give_up(m);
	look(m, &m->inside.match);
	m->view.over = true;
	return m;
}

void macaw_managed_free(macaw_managed *m)
{
	if (!m)
		return;
	if (!m->handle.broken) {
		if (m->played)
			managed_free(&m->inside);
		mem_free(m->own);
	}
	handle_close(&m->handle);
	free(m);
}

const macaw_match *macaw_managed_match(const macaw_managed *m)
{
	return &m->view;
}

uint64_t macaw_managed_errors(const macaw_managed *m)
{
	return m->inside.errors;
}

macaw_managed_role macaw_managed_role_of(const macaw_managed *m, uint32_t role)
{
	if (role >= macaw_game_roles(m->view.game))
		return (macaw_managed_role){.goal = MACAW_NO_GOAL};
	const struct managed_role *r = &m->inside.roles[role];
	return (macaw_managed_role){.player = r->player,
	                            .goal = r->goal == GOAL_NONE ? MACAW_NO_GOAL : r->goal,
	                            .late = r->late,
	                            .illegal = r->illegal,
	                            .errors = r->errors,
	                            .trouble = r->trouble,
	                            .seconds = r->seconds,
	                            .longest = r->longest};
}

char *macaw_managed_record(const macaw_managed *m, enum macaw_managed_record how)
{
	static const enum managed_record forms[] = {[MACAW_MANAGED_WHOLE] = MANAGED_WHOLE,
	                                            [MACAW_MANAGED_LINE] = MANAGED_LINE,
	                                            [MACAW_MANAGED_BRIEF] = MANAGED_BRIEF};
	struct text json = {0};
	if ((unsigned)how > MACAW_MANAGED_BRIEF)
		return NULL;
	GUARD(lasting(&m->handle), NULL, NULL, manager_record(&m->inside, forms[how], &json));
	return api_give(&json);
}

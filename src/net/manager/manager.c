/* One match: seats the players, lets the referee play with all of them at the same time, sends each step to the
 * spectators and says goodbye to those on the network. */
#include "net/manager/manager.h"

#include "base/bits.h"
#include "base/json.h"
#include "base/thread.h"
#include "match/record.h"
#include "net/manager/remote.h"
#include "net/protocol/address.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- the events ----------------------------------------------------------------------------- */

typedef void printer(const struct game *g, uint32_t i, struct text *out);

static void add_printed(struct json_writer *w, const struct game *g, printer *print, uint32_t i)
{
	struct text t = {0};
	print(g, i, &t);
	jsonw_textn(w, NULL, text_str(&t), t.n);
	text_free(&t);
}

static void send_event(const struct managed *m, const char *name, struct text *json)
{
	event_stream_send(m->o.events, name, text_str(json));
	text_free(json);
}

static void send_begin(const struct managed *m)
{
	struct text json = {0};
	struct json_writer w = {.out = &json};
	const struct game *g = m->seats.game;
	jsonw_object(&w, NULL);
	jsonw_text(&w, "match", m->id);
	jsonw_text(&w, "game", m->o.game);
	jsonw_array(&w, "roles");
	for (uint32_t r = 0; r < g->roles; r++)
		add_printed(&w, g, game_print_role, r);
	jsonw_end(&w);
	jsonw_array(&w, "players");
	for (uint32_t r = 0; r < g->roles; r++)
		jsonw_text(&w, NULL, m->seats.names[r]);
	jsonw_end(&w);
	jsonw_real(&w, "start_clock", m->o.start);
	jsonw_real(&w, "play_clock", m->o.play);
	jsonw_end(&w);
	event_stream_begin(m->o.events);
	send_event(m, "start", &json);
}

static const struct move_record *last_moves(const struct match *m)
{
	return &m->moves.at[(size_t)(m->steps - 1) * m->game->roles];
}

static void send_step(const struct managed *out, const struct match *m)
{
	static const char *const faults[] = {"", "late", "illegal"};
	struct text json = {0};
	struct json_writer w = {.out = &json};
	const struct game *g = m->game;
	uint32_t moved = m->steps ? g->roles : 0;
	jsonw_object(&w, NULL);
	jsonw_uint(&w, "step", m->steps);
	jsonw_array(&w, "moves");
	for (uint32_t r = 0; r < moved; r++)
		add_printed(&w, g, game_print_move, last_moves(m)[r].move);
	jsonw_end(&w);
	jsonw_array(&w, "faults");
	for (uint32_t r = 0; r < moved; r++)
		jsonw_text(&w, NULL, faults[last_moves(m)[r].fault]);
	jsonw_end(&w);
	jsonw_array(&w, "state");
	BITS_EACH (f, m->states.at + m->states.n - g->words, g->fluents)
		add_printed(&w, g, game_print_fluent, (uint32_t)f);
	jsonw_end(&w);
	jsonw_end(&w);
	send_event(out, "state", &json);
}

/* A member named after a role. */
static const char *role_key(const struct game *g, uint32_t role, struct text *key)
{
	key->n = 0;
	game_print_role(g, role, key);
	return text_str(key);
}

static void put_errors(const struct managed *m, struct json_writer *w)
{
	struct text key = {0};
	jsonw_object(w, "errors");
	for (uint32_t r = 0; r < m->match.game->roles; r++)
		jsonw_uint(w, role_key(m->match.game, r, &key), m->roles[r].errors);
	jsonw_end(w);
	text_free(&key);
}

static void send_end(const struct managed *m)
{
	struct text json = {0}, key = {0};
	struct json_writer w = {.out = &json};
	jsonw_object(&w, NULL);
	jsonw_uint(&w, "steps", m->match.steps);
	jsonw_bool(&w, "terminal", m->match.terminal);
	jsonw_object(&w, "goals");
	for (uint32_t r = 0; r < m->match.game->roles; r++) {
		const char *role = role_key(m->match.game, r, &key);
		if (m->roles[r].goal == GOAL_NONE)
			jsonw_null(&w, role);
		else
			jsonw_int(&w, role, m->roles[r].goal);
	}
	jsonw_end(&w);
	put_errors(m, &w);
	jsonw_end(&w);
	text_free(&key);
	send_event(m, "end", &json);
}

static void watch(void *context, const struct match *match)
{
	const struct managed *m = context;
	if (m->o.events)
		send_step(m, match);
	if (m->o.watch)
		m->o.watch(m->o.context, match);
}

/* ---- the seats ------------------------------------------------------------------------------ */

/* A word that was probably meant as an address gets a message about addresses. */
bool manager_knows(const char *word, struct text *error)
{
	size_t name = strcspn(word, ":");
	if (address_valid(word) || player_find(word, name))
		return true;
	bool port = word[name] && !word[name + 1 + strspn(word + name + 1, "0123456789")];
	if (port || memchr(word, '.', name) || !strcmp(word, "localhost"))
		text_printf(error, "'%s' is no HOST:PORT, as in 127.0.0.1:9147", word);
	else
		player_unknown(word, name, error);
	return false;
}

/* Messages name only the match, so a player of two roles gets two names for it. */
static void seat_remote(struct managed *m, uint32_t role, const char *address)
{
	char id[sizeof m->id + 16];
	uint32_t twins = 0;
	for (uint32_t r = 0; r < role; r++)
		twins += m->remotes[r] && !strcmp(m->seats.names[r], address);
	snprintf(id, sizeof id, twins ? "%s.%u" : "%s", m->id, twins);
	m->remotes[role] = remote_new(&(struct remote_options){.address = address,
	                                                       .id = id,
	                                                       .game = m->seats.game,
	                                                       .role = role,
	                                                       .start = m->o.start,
	                                                       .play = m->o.play,
	                                                       .grace = m->o.grace,
	                                                       .words = m->words});
	seats_give(&m->seats, role, address, remote_contestant(m->remotes[role]));
}

static bool seat_one(struct managed *m, uint32_t role, const struct manager_seat *who, struct text *error)
{
	struct seats *s = &m->seats;
	if (!who->word)
		seats_give(s, role, who->name, who->contestant);
	else if (address_valid(who->word))
		seat_remote(m, role, who->word);
	else
		return seats_take(s, role, who->word, false, m->o.seed, error);
	return true;
}

static bool seat_all(struct managed *m, struct game *g, const struct manager_seat *seats, uint32_t count,
                     struct text *error)
{
	struct text rules = {0};
	seats_open(&m->seats, g);
	m->remotes = NEW_ARRAY(struct remote *, g->roles);
	if (count != game_players(g)) {
		seats_put_wanted(g, error);
		text_printf(error, ", %u %s named", count, count == 1 ? "is" : "are");
		return false;
	}
	gdl_print(g->rules, GDL_KIF, &rules);
	m->words = scramble_new(m->o.scramble ? text_str(&rules) : NULL, rules.n, m->o.seed);
	text_free(&rules);
	for (uint32_t i = 0; i < count; i++)
		if (!seat_one(m, i + (i >= g->random), &seats[i], error))
			return false;
	return true;
}

/* ---- the end ---------------------------------------------------------------------------------- */

static void sum_up_role(struct managed *m, uint32_t role)
{
	const struct match *match = &m->match;
	const struct remote *remote = m->remotes[role];
	uint64_t messages = remote ? remote_errors(remote) : 0;
	struct managed_role *r = &m->roles[role];
	*r = (struct managed_role){.player = m->seats.names[role],
	                           .goal = match->goals[role],
	                           .late = match->late[role],
	                           .illegal = match->illegal[role],
	                           .errors = match->late[role] + match->illegal[role] + messages,
	                           .trouble = messages ? remote_trouble(remote) : NULL};
	for (uint32_t i = 0; i < match->steps; i++) {
		double seconds = match->moves.at[(size_t)i * match->game->roles + role].seconds;
		r->seconds += seconds;
		r->longest = seconds > r->longest ? seconds : r->longest;
	}
}

static void sum_up(struct managed *m)
{
	uint32_t roles = m->match.game->roles;
	m->roles = NEW_ARRAY(struct managed_role, roles);
	for (uint32_t r = 0; r < roles; r++) {
		sum_up_role(m, r);
		m->errors += m->roles[r].errors;
	}
	m->errors += m->match.trouble || !m->match.terminal;
}

/* ---- the match ----------------------------------------------------------------------------------- */

bool manager_play(struct managed *out, struct game *g, const struct manager_seat *seats, uint32_t count,
                  const struct manager_options *o, struct text *error)
{
	static atomic_uint serial;
	*out = (struct managed){.o = *o};
	snprintf(out->id, sizeof out->id, "macaw.%lld.%d.%u", (long long)time(NULL), (int)getpid(),
	         atomic_fetch_add(&serial, 1));
	if (!seat_all(out, g, seats, count, error)) {
		managed_free(out);
		return false;
	}
	out->referee = (struct referee_options){.start = o->start,
	                                        .clock = o->play,
	                                        .grace = o->grace,
	                                        .together = true,
	                                        .seed = o->seed,
	                                        .max_steps = o->max_steps,
	                                        .stop = o->stop,
	                                        .watch = watch,
	                                        .context = out};
	if (o->events)
		send_begin(out);
	referee_play(&out->match, g, out->seats.by_role, &out->referee);
	remotes_finish(out->remotes, &out->match);
	sum_up(out);
	if (o->events)
		send_end(out);
	return true;
}

void managed_free(struct managed *m)
{
	for (uint32_t r = 0; r < m->seats.game->roles; r++)
		remote_free(m->remotes[r]);
	mem_free(m->remotes);
	scramble_free(m->words);
	seats_free(&m->seats);
	mem_free(m->roles);
	match_free(&m->match);
}

/* ---- the record ---------------------------------------------------------------------------------- */

/* What records of other matches do not have. */
static void add_to_record(void *context, struct json_writer *w)
{
	const struct managed *m = context;
	struct text key = {0};
	jsonw_text(w, "match", m->id);
	jsonw_real(w, "grace", m->o.grace);
	jsonw_bool(w, "scrambled", m->o.scramble);
	put_errors(m, w);
	jsonw_object(w, "trouble");
	for (uint32_t r = 0; r < m->match.game->roles; r++)
		if (m->roles[r].trouble)
			jsonw_text(w, role_key(m->match.game, r, &key), m->roles[r].trouble);
	jsonw_end(w);
	text_free(&key);
}

void manager_record(const struct managed *m, enum managed_record how, struct text *json)
{
	record_write(&m->match, &m->seats,
	             &(struct record_options){.game = m->o.game,
	                                      .engine = m->match.game->engine == ENGINE_CIRCUIT ? "circuit" : "interpreter",
	                                      .referee = &m->referee,
	                                      .full = how != MANAGED_BRIEF,
	                                      .one_line = how == MANAGED_LINE,
	                                      .brief = how == MANAGED_BRIEF,
	                                      .add = add_to_record,
	                                      .context = unconst(m)},
	             json);
}

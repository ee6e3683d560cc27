#include "net/manager/manager.h"

#include "base/bits.h"
#include "base/hash.h"
#include "base/json_text.h"
#include "net/protocol/address.h"
#include "net/manager/remote.h"

#include <pthread.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct event_sender {
	const struct manager_options *o;
	const struct seats *seats;
	const char *id;
};

/* ---- the events ----------------------------------------------------------------------------- */

static void send_event(const struct manager_options *o, const char *name, json_t *j)
{
	char *text = json_dumps(j, JSON_COMPACT | JSON_REAL_PRECISION(6));
	event_stream_send(o->events, name, text);
	free(text);
	json_decref(j);
}

static json_t *text_of(const struct game *g, void (*print)(const struct game *, uint32_t, struct text *), uint32_t i)
{
	struct text t = {0};
	print(g, i, &t);
	json_t *j = json_string(text_str(&t));
	text_free(&t);
	return j;
}

static void send_begin(const struct manager_options *o, const struct game *g, const struct seats *s, const char *id)
{
	json_t *roles = json_array(), *players = json_array();
	for (uint32_t r = 0; r < g->roles; r++) {
		json_array_append_new(roles, text_of(g, game_print_role, r));
		json_array_append_new(players, json_string(s->names[r]));
	}
	event_stream_begin(o->events);
	send_event(o, "start",
	           json_pack("{s:s, s:s, s:o, s:o, s:f, s:f}", "match", id, "game", o->game, "roles", roles, "players", players,
	                     "start_clock", o->start, "play_clock", o->play));
}

static json_t *state_of(const struct match *m)
{
	json_t *list = json_array();
	const uint64_t *state = m->states.at + m->states.n - m->game->words;
	BITS_EACH (f, state, m->game->fluents)
		json_array_append_new(list, text_of(m->game, game_print_fluent, (uint32_t)f));
	return list;
}

static void send_step(const struct manager_options *o, const struct match *m)
{
	static const char *const faults[] = {"", "late", "illegal"};
	json_t *moves = json_array(), *wrong = json_array();
	const struct game *g = m->game;
	for (uint32_t r = 0; m->steps && r < g->roles; r++) {
		const struct move_record *record = &m->moves.at[(size_t)(m->steps - 1) * g->roles + r];
		json_array_append_new(moves, text_of(g, game_print_move, record->move));
		json_array_append_new(wrong, json_string(faults[record->fault]));
	}
	send_event(o, "state",
	           json_pack("{s:I, s:o, s:o, s:o}", "step", (json_int_t)m->steps, "moves", moves, "faults", wrong, "state",
	                     state_of(m)));
}

static void watch(void *context, const struct match *m)
{
	const struct event_sender *e = context;
	if (e->o->events)
		send_step(e->o, m);
	if (e->o->watch)
		e->o->watch(e->o->context, m);
}

/* ---- the seats ------------------------------------------------------------------------------ */

struct table_of_players {
	struct seats seats;
	struct remote **remotes; /* by role; NULL: not remote */
	struct scramble *words;
	char id[64];
};

/* Is it somebody? Where it seems to be meant as an address, it is told how those look. */
bool manager_knows(const char *word, struct text *error)
{
	size_t name = strcspn(word, ":");
	if (address_valid(word) || !strcmp(word, "human") || player_find(word, name))
		return true;
	bool port = word[name] && !word[name + 1 + strspn(word + name + 1, "0123456789")];
	if (port || memchr(word, '.', name) || !strcmp(word, "localhost"))
		text_printf(error, "'%s' is no HOST:PORT, as in 127.0.0.1:9147", word);
	else
		player_unknown(word, name, error);
	return false;
}

static bool sit(struct table_of_players *t, uint32_t role, const char *word, const struct manager_options *o,
                struct text *error)
{
	struct seats *s = &t->seats;
	s->names[role] = text_copy(word, strlen(word));
	if (address_valid(word)) {
		/* who plays two roles must be able to tell them apart: messages name only the match */
		char id[sizeof t->id + 16];
		uint32_t twins = 0;
		for (uint32_t r = 0; r < role; r++)
			twins += t->remotes[r] && !strcmp(s->names[r], word);
		snprintf(id, sizeof id, twins ? "%s.%u" : "%s", t->id, twins);
		t->remotes[role] = remote_new(&(struct remote_options){.address = word,
		                                                       .id = id,
		                                                       .game = s->game,
		                                                       .role = role,
		                                                       .start = o->start,
		                                                       .play = o->play,
		                                                       .grace = o->grace,
		                                                       .words = t->words});
		s->by_role[role] = remote_contestant(t->remotes[role]);
		return true;
	}
	if (!strcmp(word, "human")) {
		s->by_role[role] = o->person(o->context, s->game, role);
		return true;
	}
	s->players[role] = player_make(s->game, role, word, hash_join(o->seed, role), error);
	if (s->players[role])
		s->by_role[role] = contestant_of(s->players[role]);
	return s->players[role];
}

static bool seat_all(struct table_of_players *t, struct game *g, const char *const *words, uint32_t count,
                     const struct manager_options *o, struct text *error)
{
	struct seats *s = &t->seats;
	struct text rules = {0};
	*s = (struct seats){.game = g};
	s->names = NEW_ARRAY(char *, g->roles);
	s->players = NEW_ARRAY(struct player *, g->roles);
	s->apart = NEW_ARRAY(struct isolated *, g->roles);
	s->by_role = NEW_ARRAY(struct contestant, g->roles);
	t->remotes = NEW_ARRAY(struct remote *, g->roles);
	if (count != game_players(g)) {
		seats_put_wanted(g, error);
		text_printf(error, ", %u %s named", count, count == 1 ? "is" : "are");
		return false;
	}
	gdl_print(g->rules, GDL_KIF, &rules);
	t->words = scramble_new(o->scramble ? text_str(&rules) : NULL, rules.n, o->seed);
	text_free(&rules);
	for (uint32_t r = 0, i = 0; r < g->roles; r++)
		if (r == g->random)
			s->names[r] = text_copy("chance", strlen("chance"));
		else if (!sit(t, r, words[i++], o, error))
			return false;
	return true;
}

static void stand_up(struct table_of_players *t)
{
	for (uint32_t r = 0; r < t->seats.game->roles; r++)
		remote_free(t->remotes[r]);
	mem_free(t->remotes);
	scramble_free(t->words);
	seats_free(&t->seats);
}

/* ---- the end ---------------------------------------------------------------------------------- */

/* A last message to one player, from a thread of its own. */
struct farewell {
	struct remote *r;
	pthread_t thread;
	bool threaded, stop;
	const struct match *m;
	const uint32_t *last;
	const struct percepts *seen;
	uint32_t role;
};

static void *say_farewell(void *context)
{
	struct farewell *f = context;
	const struct percepts *p = f->seen;
	remote_finish(f->r, f->stop, f->m->steps, f->last, p->start ? p->seen + p->start[f->role] : NULL,
	              p->start ? p->start[f->role + 1] - p->start[f->role] : 0);
	return NULL;
}

static void say_goodbye(struct table_of_players *t, const struct match *m)
{
	const struct game *g = m->game;
	uint32_t roles = g->roles, last[roles];
	struct farewell all[roles];
	struct percepts seen = {0};
	struct worker *w = worker_new(m->game);
	for (uint32_t r = 0; m->steps && r < roles; r++)
		last[r] = m->moves.at[(size_t)(m->steps - 1) * roles + r].move;
	if (m->steps)
		seen = game_sees(w, m->states.at + (size_t)(m->steps - 1) * g->words, last);
	for (uint32_t r = 0; r < roles; r++) {
		all[r] = (struct farewell){t->remotes[r], .stop = m->terminal, .m = m, .last = m->steps ? last : NULL, .seen = &seen,
		                           .role = r};
		if (t->remotes[r])
			all[r].threaded = !pthread_create(&all[r].thread, NULL, say_farewell, &all[r]);
		if (t->remotes[r] && !all[r].threaded)
			say_farewell(&all[r]);
	}
	for (uint32_t r = 0; r < roles; r++)
		if (all[r].threaded)
			pthread_join(all[r].thread, NULL);
	worker_free(w);
}

/* ---- the match ----------------------------------------------------------------------------------- */

/* What the record has beside what every record has. */
static void add_errors(json_t *j, struct managed *out, struct table_of_players *t, const struct manager_options *o)
{
	json_t *errors = json_object(), *trouble = json_object();
	for (uint32_t r = 0; r < out->match.game->roles; r++) {
		struct text role = {0};
		uint64_t n = out->match.late[r] + out->match.illegal[r] + (t->remotes[r] ? remote_errors(t->remotes[r]) : 0);
		game_print_role(out->match.game, r, &role);
		json_object_set_new(errors, text_str(&role), json_integer((json_int_t)n));
		json_t *what = t->remotes[r] && remote_errors(t->remotes[r]) ? json_text(remote_trouble(t->remotes[r])) : NULL;
		if (what)
			json_object_set_new(trouble, text_str(&role), what);
		text_free(&role);
	}
	json_object_set_new(j, "match", json_string(t->id));
	json_object_set_new(j, "grace", json_real(o->grace));
	json_object_set_new(j, "scrambled", json_boolean(o->scramble));
	json_object_set_new(j, "errors", errors);
	json_object_set_new(j, "trouble", trouble);
}

static void count_errors(struct managed *out, struct table_of_players *t)
{
	for (uint32_t r = 0; r < out->match.game->roles; r++) {
		out->errors += out->match.late[r] + out->match.illegal[r];
		out->errors += t->remotes[r] ? remote_errors(t->remotes[r]) : 0;
	}
	out->errors += out->match.trouble || !out->match.terminal;
}

static json_t *record_json(struct managed *out, struct table_of_players *t, const struct record_options *o)
{
	struct text record = {0};
	record_write(&out->match, &t->seats, o, &record);
	json_t *j = json_loads(text_str(&record), 0, NULL);
	text_free(&record);
	return j;
}

static void write_records(struct managed *out, struct table_of_players *t, const struct referee_options *ref,
                          const struct manager_options *o)
{
	static const char *const left_out[] = {"why", "times", "counters"};
	struct record_options rec = {.game = o->game,
	                             .engine = out->match.game->engine == ENGINE_CIRCUIT ? "circuit" : "interpreter",
	                             .referee = ref};
	out->summary = record_json(out, t, &rec);
	for (size_t i = 0; i < 3; i++)
		json_object_del(out->summary, left_out[i]);
	rec.full = true;
	out->record = record_json(out, t, &rec);
	add_errors(out->summary, out, t, o);
	add_errors(out->record, out, t, o);
}

bool manager_play(struct managed *out, struct game *g, const char *const *words, uint32_t count,
                  const struct manager_options *o, struct text *error)
{
	static atomic_uint serial;
	struct table_of_players t = {0};
	*out = (struct managed){0};
	snprintf(t.id, sizeof t.id, "macaw.%lld.%d.%u", (long long)time(NULL), (int)getpid(), atomic_fetch_add(&serial, 1));
	if (!seat_all(&t, g, words, count, o, error)) {
		stand_up(&t);
		return false;
	}
	struct event_sender e = {o, &t.seats, t.id};
	struct referee_options ref = {.start = o->start,
	                              .clock = o->play,
	                              .grace = o->grace,
	                              .together = true,
	                              .seed = o->seed,
	                              .max_steps = o->max_steps,
	                              .stop = o->stop,
	                              .watch = watch,
	                              .context = &e};
	if (o->events)
		send_begin(o, g, &t.seats, t.id);
	referee_play(&out->match, g, t.seats.by_role, &ref);
	say_goodbye(&t, &out->match);
	count_errors(out, &t);
	write_records(out, &t, &ref, o);
	if (o->events)
		send_event(o, "end",
		           json_pack("{s:I, s:b, s:O, s:O}", "steps", (json_int_t)out->match.steps, "terminal", out->match.terminal,
		                     "goals", json_object_get(out->summary, "goals"), "errors",
		                     json_object_get(out->summary, "errors")));
	stand_up(&t);
	return true;
}

void managed_free(struct managed *m)
{
	json_decref(m->record);
	json_decref(m->summary);
	match_free(&m->match);
}

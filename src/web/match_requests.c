/* What pages ask of matches. */
#include "web/match_internal.h"

#include "base/clock.h"

#include <string.h>

#define SECONDS_MOST 600.0
#define PLAYOUTS_MOST 10000000

/* ---- who asks ---- */

static int find_key(const struct match *m, const char *secret)
{
	int found = -1;
	for (size_t i = 0; i < m->keys.n && secret; i++)
		if (web_same_secret(secret, m->keys.at[i].secret))
			found = (int)i;
	return found;
}

/* The asker, and as which role. False: the request has failed. */
static bool identify(struct request *q, struct match *m, struct viewer *v)
{
	const char *as = request_parameter(q, "as");
	v->key = find_key(m, q->key);
	v->as = match_first_role(m, v->key);
	if (v->key < 0 && (q->key || !q->host)) {
		request_fail(q, 401, "bad-key", "the key is not of this match");
		return false;
	}
	if (!as)
		return true;
	uint32_t role = role_read(m->course.game->game, as, q);
	if (q->failed)
		return false;
	if (match_holds(m, v->key, role))
		v->as = role;
	else if (!match_open_to(m, v))
		request_fail(q, 403, "not-yours", "this key does not hold the role %.100s", as);
	return !q->failed;
}

/* The role of the body, which must be the asker's. MACAW_NONE: the request has failed. */
static uint32_t own_role(struct request *q, const struct match *m, const struct viewer *v)
{
	const char *name = body_text(q, "role", NULL);
	uint32_t role = name ? role_read(m->course.game->game, name, q) : v->as;
	if (!q->failed && !match_holds(m, v->key, role))
		request_fail(q, 403, "not-yours", name ? "this key does not hold the role %.100s" : "this key holds no role",
		             name);
	return q->failed ? MACAW_NONE : role;
}

static bool needs_host(struct request *q, const struct viewer *v)
{
	if (v->key)
		request_fail(q, 403, "not-yours", "only who began the match may do that");
	return !v->key;
}

/* ---- seats ---- */

/* Would the player sit down? False: the request has failed. */
static bool try_player(struct request *q, const struct match *m, uint32_t role, const char *word)
{
	macaw_error e = {0};
	macaw_player *p = macaw_player_new(m->course.game->game, role, word, 1, &e);
	if (!p)
		request_fail_as(q, &e, "bad-player");
	macaw_player_free(p);
	return p;
}

static double read_number(struct request *q, const json_t *o, const char *key, double most, double standard)
{
	const json_t *v = json_object_get(o, key);
	double x = json_number_value(v);
	if (!v || json_is_null(v))
		return standard;
	if (!json_is_number(v) || x < 0 || x > most)
		request_fail(q, 400, "bad-request", "`%s` must be a number from 0 to %g", key, most);
	return x;
}

/* Seats somebody by {"who", "player", "seconds", "playouts"}. False: the request has failed. */
static bool sit(struct request *q, struct match *m, uint32_t role, const json_t *o)
{
	const char *who = json_string_value(json_object_get(o, "who"));
	const char *word = json_string_value(json_object_get(o, "player"));
	struct seat s = {.decided = m->seats[role].decided, .choice = m->seats[role].choice, .clock = m->seats[role].clock};
	who = who ? who : word ? "player" : "";
	s.seconds = read_number(q, o, "seconds", SECONDS_MOST, 0);
	s.playouts = (uint64_t)read_number(q, o, "playouts", PLAYOUTS_MOST, 0);
	if (!strcmp(who, "me")) {
		s.who = SEAT_HUMAN;
	} else if (!strcmp(who, "guest")) {
		s.who = SEAT_GUEST;
		web_secret(s.invite);
	} else if (!strcmp(who, "player")) {
		s.who = SEAT_PLAYER;
		word = word ? word : "macaw";
		if (!q->failed && try_player(q, m, role, word))
			s.word = text_copy(word, strlen(word));
	} else {
		request_fail(q, 400, "bad-request", "`who` must be me, guest or player, for %s",
		             macaw_game_role(m->course.game->game, role));
	}
	if (q->failed)
		return false;
	s.player = m->seats[role].player; /* whoever plays the match frees it */
	s.lost = true;
	if (m->seats[role].choice)
		s.decided = MACAW_NONE;
	mem_free(m->seats[role].word);
	mem_free(m->seats[role].why);
	m->seats[role] = s;
	m->seats[role].value = -1;
	return true;
}

static bool sit_all(struct request *q, struct match *m, const json_t *seats)
{
	const macaw_game *g = m->course.game->game;
	json_t *me = json_pack("{s:s}", "who", "me"), *player = json_pack("{s:s}", "who", "player");
	bool first = true, fine = true;
	const char *name;
	json_t *value;
	json_object_foreach(unconst(seats), name, value)
	{
		if (macaw_game_find_role(g, name) == MACAW_NONE)
			request_fail(q, 400, "bad-request", "the game has no role `%.100s`", name);
	}
	for (uint32_t r = 0; r < m->roles && !q->failed; r++) {
		m->seats[r].decided = MACAW_NONE;
		if (r == macaw_game_random(g)) {
			m->seats[r].who = SEAT_CHANCE;
			continue;
		}
		const json_t *wanted = json_object_get(seats, macaw_game_role(g, r));
		fine = sit(q, m, r, wanted ? wanted : first && !seats ? me : player);
		first = false;
	}
	json_decref(me);
	json_decref(player);
	return fine && !q->failed;
}

/* ---- beginning ---- */

static void read_clock(struct request *q, struct match *m)
{
	const json_t *clock = json_object_get(q->body, "clock");
	if (!clock || json_is_null(clock))
		return;
	double seconds = read_number(q, clock, "seconds", 86400, 0);
	m->increment = read_number(q, clock, "increment", 3600, 0);
	if (!q->failed && seconds <= 0)
		request_fail(q, 400, "bad-request", "`seconds` of the clock must be above 0");
	m->clocked = true;
	for (uint32_t r = 0; r < m->roles; r++)
		m->seats[r].clock = seconds;
}

/* The steps that were made before it began. */
static void note_course(struct match *m)
{
	macaw_view v;
	for (uint32_t i = 0; i < m->course.steps; i++) {
		bool known = macaw_look(m->course.tools->worker, place_at(&m->course, i), &v);
		for (uint32_t r = 0; r < m->roles; r++)
			vec_push(&m->made, (struct made){.move = m->course.moves.at[(size_t)i * m->roles + r],
			                                 .value = -1,
			                                 .choice = known && v.start[r + 1] - v.start[r] > 1});
	}
}

static void put_invitations(struct json_writer *w, const struct match *m)
{
	jsonw_object(w, "invitations");
	for (uint32_t r = 0; r < m->roles; r++)
		if (m->seats[r].who == SEAT_GUEST)
			jsonw_text(w, macaw_game_role(m->course.game->game, r), m->seats[r].invite);
	jsonw_end(w);
}

/* The match is on the list: it begins, and its host is told. */
static void begin(struct request *q, struct match *m)
{
	struct viewer host = {0, MACAW_NONE};
	thread_lock(&m->lock);
	match_arrive(m);
	match_wake(m);
	host.as = match_first_role(m, 0);
	q->status = 201;
	jsonw_text(&q->w, "match", m->id);
	jsonw_text(&q->w, "key", m->keys.at[0].secret);
	put_invitations(&q->w, m);
	match_put(&q->w, "state", m, &host);
	thread_unlock(&m->lock);
}

static void unmake(struct match *m)
{
	m->holders = 1;
	match_give(m);
}

static bool copy_course(struct request *q, struct match *m, uint64_t step, struct place *p)
{
	if (!place_open(p, games_hold(m->course.game), q))
		return false;
	for (uint32_t i = 0; i < step && i < m->course.steps; i++)
		place_step(p, m->course.moves.at + (size_t)i * m->roles);
	return true;
}

static void create(struct request *q)
{
	struct place course = {0};
	json_t *from = json_object_get(q->body, "from"), *seats = json_object_get(q->body, "seats");
	uint64_t seed = body_whole(q, "seed", UINT64_C(1) << 53, 0);
	double delay = body_real(q, "delay", 0, 60, 0.5);
	bool paused = body_flag(q, "paused", false);
	if (!q->host)
		request_fail(q, 401, "bad-token", "a new match needs the token");
	if (json_object_get(q->body, "position"))
		request_fail(q, 400, "bad-request", "a match begins at the start of the game, or after `moves`");
	if (q->failed)
		return;
	if (from) { /* the same members, one level deeper */
		json_t *body = q->body;
		q->body = from;
		bool there = match_place_whole(q, &course);
		q->body = body;
		if (!there)
			return;
	} else if (!place_read(&course, q)) {
		return;
	}
	struct match *m = matches_new(q, &course);
	m->delay = delay;
	m->paused = paused;
	m->seed = seed;
	while (!m->seed) {
		char word[33];
		web_secret(word);
		word[12] = 0;
		m->seed = strtoull(word, NULL, 16);
	}
	note_course(m);
	if (!sit_all(q, m, seats)) {
		unmake(m);
		return;
	}
	read_clock(q, m);
	if (q->failed || !matches_add(q, m)) {
		unmake(m);
		return;
	}
	begin(q, m);
	match_give(m);
}

void matches_tell(struct request *q, struct match_story *s)
{
	struct match *m = matches_new(q, &s->course);
	m->record = true;
	note_course(m);
	for (uint32_t r = 0; r < m->roles; r++) {
		const char *name = s->players && s->players[r] ? s->players[r] : "";
		m->seats[r].who = r == macaw_game_random(m->course.game->game) ? SEAT_CHANCE : SEAT_PLAYER;
		m->seats[r].word = text_copy(name, strlen(name));
		m->seats[r].value = -1;
	}
	if (!matches_add(q, m)) {
		unmake(m);
		return;
	}
	begin(q, m);
	jsonw_text(&q->w, "disagrees", s->disagrees);
	match_give(m);
}

/* ---- as a place ---- */

/* `role` NULL: all of it will be seen. */
static bool place_of(struct request *q, struct place *p, uint32_t *role)
{
	const char *id = body_needs(q, "match"), *secret = body_text(q, "key", q->key);
	uint64_t step = body_whole(q, "step", UINT32_MAX, UINT32_MAX);
	struct viewer v;
	bool fine = false;
	if (q->failed)
		return false;
	struct match *m = matches_find(q->web->matches, id);
	if (!m) {
		request_fail(q, 404, "not-found", "there is no such match, or it has ended");
		return false;
	}
	thread_lock(&m->lock);
	v.key = find_key(m, secret);
	v.as = MACAW_NONE;
	if (role)
		*role = MACAW_NONE;
	if (v.key < 0)
		request_fail(q, 401, "bad-key", "the key is not of this match");
	else if (!match_open_to(m, &v) && !role)
		request_fail(q, 403, "not-yours",
		             "the positions of a match with hidden information can be seen when it is over");
	else if (!match_open_to(m, &v))
		*role = own_role(q, m, &(struct viewer){v.key, match_first_role(m, v.key)});
	if (!q->failed)
		fine = copy_course(q, m, step, p);
	thread_unlock(&m->lock);
	match_give(m);
	return fine;
}

bool match_place(struct request *q, struct place *p, uint32_t *role)
{
	return place_of(q, p, role);
}

bool match_place_whole(struct request *q, struct place *p)
{
	return place_of(q, p, NULL);
}

/* ---- moves ---- */

static bool is_present(struct request *q, const struct match *m)
{
	uint64_t step = body_whole(q, "step", UINT32_MAX, m->course.steps);
	if (!q->failed && step != m->course.steps)
		request_fail(q, 409, "old", "the match is at step %u, not %llu", m->course.steps, (unsigned long long)step);
	if (!q->failed && m->over)
		request_fail(q, 409, "not-now", "the match is over");
	return !q->failed;
}

static void do_move(struct request *q, struct match *m, const struct viewer *v)
{
	uint32_t role = own_role(q, m, v);
	const json_t *word = json_object_get(q->body, "move");
	macaw_view now;
	if (q->failed || !is_present(q, m) || !place_look(&m->course, &now, q))
		return;
	if (m->seats[role].decided != MACAW_NONE) {
		request_fail(q, 409, "not-now",
		             m->seats[role].choice ? "the move is made; the others have to move first"
		                                   : "this role has no choice here");
		return;
	}
	uint32_t move = place_find_move(m->course.game->game, &now, role, word);
	if (move == MACAW_NONE) {
		struct text help = {0};
		char *said = word ? json_dumps(word, JSON_ENCODE_ANY) : NULL;
		struct text message = {0};
		list_legal(m->course.game->game, &now, role, &help);
		text_printf(&message, "%.200s is no legal move here", said ? said : "nothing");
		request_fail_help(q, 400, "not-legal", message.at, help.at);
		text_free(&message);
		text_free(&help);
		free(said);
		return;
	}
	match_decide(m, role, move);
	match_wake(m);
}

/* The last step before the present one where the role could choose. */
static uint32_t last_choice(const struct match *m, uint32_t role)
{
	for (uint32_t i = m->course.steps; i--;)
		if (role == MACAW_NONE || m->made.at[(size_t)i * m->roles + role].choice)
			return i;
	return m->course.steps;
}

static void do_undo(struct request *q, struct match *m, const struct viewer *v)
{
	uint64_t to = body_whole(q, "to", UINT32_MAX, MACAW_NONE);
	uint32_t people = match_people(m);
	if (q->failed)
		return;
	if (m->record)
		request_fail(q, 409, "not-now", "a record stays as it is: begin a new match from any of its steps");
	else if (people > 1 && m->hidden)
		request_fail(q, 409, "not-now", "with several people nothing is taken back in a game with hidden information");
	else if (people > 1 && v->key)
		request_fail(q, 403, "not-yours", "with several people only who began the match takes back");
	else if (v->key && v->as == MACAW_NONE)
		request_fail(q, 403, "not-yours", "this key only watches");
	if (q->failed)
		return;
	uint32_t step = to == MACAW_NONE ? last_choice(m, v->as) : (uint32_t)to;
	if (step >= m->course.steps) {
		request_fail(q, 409, "not-now", "there is nothing to take back");
		return;
	}
	match_charge(m);
	match_go_back(m, step);
	match_wake(m);
}

/* ---- the host ---- */

/* In a hidden match others' seats say what they know: with several people they stay as they are. */
static bool may_reseat(struct request *q, const struct match *m, const struct viewer *v)
{
	if (!needs_host(q, v))
		return false;
	if (m->record)
		request_fail(q, 409, "not-now", "a record stays as it is");
	else if (m->hidden && m->course.steps && match_people(m) > 1)
		request_fail(q, 409, "not-now", "seats stay as they are in a game with hidden information");
	return !q->failed;
}

static void do_seat(struct request *q, struct match *m, const struct viewer *v)
{
	const char *name = body_needs(q, "role"), *who = body_text(q, "who", "");
	if (q->failed || !may_reseat(q, m, v))
		return;
	uint32_t role = role_read(m->course.game->game, name, q);
	if (q->failed)
		return;
	if (m->seats[role].who == SEAT_CHANCE)
		request_fail(q, 400, "bad-request", "chance plays this role");
	else if (m->seats[role].who == SEAT_HUMAN && m->seats[role].holder)
		request_fail(q, 409, "not-now", "somebody else sits there");
	else if (m->hidden && m->course.steps && !strcmp(who, "guest"))
		request_fail(q, 409, "not-now", "guests join a game with hidden information before it begins");
	if (q->failed)
		return;
	match_charge(m);
	if (!sit(q, m, role, q->body))
		return;
	match_interrupt(m);
	match_wake(m);
}

static void do_swap(struct request *q, struct match *m, const struct viewer *v)
{
	if (!may_reseat(q, m, v))
		return;
	uint32_t last = MACAW_NONE;
	match_charge(m);
	for (uint32_t r = 0; r < m->roles; r++) {
		if (m->seats[r].who == SEAT_CHANCE)
			continue;
		if (last != MACAW_NONE) { /* everything that says who sits there; the rest belongs to the role */
			struct seat *a = &m->seats[last], *b = &m->seats[r], was = *a;
			a->who = b->who, a->holder = b->holder, a->word = b->word, a->seconds = b->seconds,
			a->playouts = b->playouts;
			b->who = was.who, b->holder = was.holder, b->word = was.word, b->seconds = was.seconds,
			b->playouts = was.playouts;
			memcpy(a->invite, b->invite, sizeof a->invite);
			memcpy(b->invite, was.invite, sizeof b->invite);
		}
		m->seats[r].lost = true;
		if (m->seats[r].choice)
			m->seats[r].decided = MACAW_NONE;
		last = r;
	}
	for (uint32_t r = 0; r < m->roles; r++)
		m->seats[r].lost = true;
	match_interrupt(m);
	match_wake(m);
}

static void do_pause(struct request *q, struct match *m, const struct viewer *v)
{
	bool paused = body_flag(q, "paused", true);
	if (q->failed || !needs_host(q, v))
		return;
	match_charge(m);
	m->paused = paused;
	m->single_steps = 0;
	match_interrupt(m);
	match_wake(m);
}

static void do_speed(struct request *q, struct match *m, const struct viewer *v)
{
	double delay = body_real(q, "delay", 0, 60, m->delay);
	if (q->failed || !needs_host(q, v))
		return;
	m->delay = delay;
	match_changed(m);
	match_wake(m);
}

static void do_step(struct request *q, struct match *m, const struct viewer *v)
{
	if (!needs_host(q, v))
		return;
	if (!m->paused)
		request_fail(q, 409, "not-now", "the match is not paused");
	else if (m->over)
		request_fail(q, 409, "not-now", "the match is over");
	if (q->failed)
		return;
	m->single_steps = 1;
	match_wake(m);
}

/* The player answers with what it has. */
static void do_now(struct request *q, struct match *m, const struct viewer *v)
{
	bool thinking = false;
	if (v->key)
		needs_host(q, v);
	for (uint32_t r = 0; r < m->roles; r++)
		thinking |= match_thinks(m, r);
	if (!q->failed && !thinking)
		request_fail(q, 409, "not-now", "no player is thinking");
	if (!q->failed)
		macaw_stop_now(&m->stop);
}

static void do_resign(struct request *q, struct match *m, const struct viewer *v)
{
	uint32_t role = own_role(q, m, v);
	if (!q->failed && is_present(q, m))
		match_end(m, OVER_RESIGNED, role);
}

/* ---- joining ---- */

static void put_new_key(struct request *q, struct match *m)
{
	struct key k;
	web_secret(k.secret);
	vec_push(&m->keys, k);
	jsonw_text(&q->w, "key", k.secret);
}

#define KEYS_MOST 64

static void join(struct request *q, struct match *m)
{
	const char *invite = body_text(q, "invite", NULL);
	bool watch = body_flag(q, "watch", false);
	uint32_t role = MACAW_NONE;
	for (uint32_t r = 0; r < m->roles && invite; r++)
		if (m->seats[r].who == SEAT_GUEST && web_same_secret(invite, m->seats[r].invite))
			role = r;
	if (!q->failed && m->keys.n >= KEYS_MOST)
		request_fail(q, 503, "busy", "too many keys of this match were given away");
	else if (!q->failed && invite && role == MACAW_NONE)
		request_fail(q, 409, "not-now", "this invitation was used, or is not of this match");
	else if (!q->failed && !invite && !(watch && (q->host || find_key(m, q->key) >= 0)))
		request_fail(q, 401, "bad-key", "an invitation is needed");
	if (q->failed)
		return;
	put_new_key(q, m);
	jsonw_array(&q->w, "roles");
	if (role != MACAW_NONE) {
		m->seats[role].who = SEAT_HUMAN;
		m->seats[role].holder = (int)m->keys.n - 1;
		match_charge(m);
		jsonw_text(&q->w, NULL, macaw_game_role(m->course.game->game, role));
		match_interrupt(m);
		match_wake(m);
	}
	jsonw_end(&q->w);
}

/* ---- hints and records ---- */

static void think_hint(struct request *q, struct place *p, uint32_t role)
{
	macaw_error e = {0};
	macaw_thought t;
	macaw_budget b = {.seconds = body_real(q, "seconds", 0.05, 5, 1),
	                  .playouts = body_whole(q, "playouts", 1000000, 0)};
	if (q->failed)
		return;
	macaw_player *player = macaw_player_new(p->game->game, role, body_text(q, "player", "macaw"), 1, &e);
	if (!player) {
		request_fail_as(q, &e, "bad-player");
	} else if (!place_follow(p, player, role) || !macaw_player_think(player, &b, &t)) {
		request_fail_as(q, macaw_player_error(player), "cannot");
	} else {
		jsonw_object(&q->w, "move");
		jsonw_uint(&q->w, "id", t.move);
		jsonw_text(&q->w, "text", macaw_game_move(p->game->game, t.move));
		jsonw_end(&q->w);
		if (t.value >= 0)
			jsonw_real(&q->w, "value", t.value);
		else
			jsonw_null(&q->w, "value");
		jsonw_text(&q->w, "why", t.why);
		jsonw_array(&q->w, "line");
		for (uint32_t i = 0; i < t.line_steps; i++)
			view_put_joint(&q->w, NULL, p->game->game, t.line + (size_t)i * p->roles);
		jsonw_end(&q->w);
	}
	macaw_player_free(player);
}

/* Thinks about a copy, without the lock. */
static void hint(struct request *q, struct match *m)
{
	struct viewer v;
	struct place p = {0};
	thread_lock(&m->lock);
	uint32_t role = identify(q, m, &v) ? own_role(q, m, &v) : MACAW_NONE;
	if (!q->failed && is_present(q, m))
		copy_course(q, m, m->course.steps, &p);
	thread_unlock(&m->lock);
	if (!q->failed)
		think_hint(q, &p, role);
	place_close(&p);
}

static void write_record(struct request *q, struct match *m)
{
	const char **names = NEW_ARRAY(const char *, m->roles);
	macaw_made *made = mem_alloc(m->made.n + 1, sizeof *made);
	macaw_error e = {0};
	for (uint32_t r = 0; r < m->roles; r++)
		names[r] = m->seats[r].who == SEAT_PLAYER ? m->seats[r].word : "human";
	for (size_t i = 0; i < m->made.n; i++)
		made[i] = (macaw_made){m->made.at[i].move, m->made.at[i].seconds, m->made.at[i].fault, m->made.at[i].why};
	macaw_match *match = macaw_match_of(m->course.game->game, names, made, m->course.steps, &e);
	char *record = match ? macaw_match_record(match, true) : NULL;
	if (record) {
		q->response = MHD_create_response_from_buffer(strlen(record), record, MHD_RESPMEM_MUST_COPY);
		MHD_add_response_header(q->response, "Content-Type", "application/json");
		MHD_add_response_header(q->response, "Cache-Control", "no-store");
		MHD_add_response_header(q->response, "Content-Disposition", "attachment; filename=\"match.json\"");
	} else {
		request_fail_as(q, &e, "cannot");
	}
	macaw_free(record);
	macaw_match_free(match);
	mem_free(made);
	mem_free(names);
}

static void get_record(struct request *q, struct match *m, const struct viewer *v)
{
	if (match_open_to(m, v))
		write_record(q, m);
	else
		request_fail(q, 403, "not-yours", "the record of a match with hidden information can be had when it is over");
}

static void get_step(struct request *q, struct match *m, const struct viewer *v)
{
	uint64_t step = q->parts > 3 ? strtoull(q->part[3], NULL, 10) : UINT64_MAX;
	if (step > m->course.steps) {
		request_fail(q, 404, "not-found", "the match has %u steps", m->course.steps);
		return;
	}
	match_put_view(&q->w, "view", m, v, (uint32_t)step);
	if (step)
		match_put_made(&q->w, "made", m, v, (uint32_t)step - 1);
	else
		jsonw_null(&q->w, "made");
}

/* ---- paths ---- */

static const struct action {
	const char *name;
	void (*act)(struct request *q, struct match *m, const struct viewer *v);
} actions[] = {{"move", do_move},   {"undo", do_undo}, {"seat", do_seat}, {"swap", do_swap},    {"pause", do_pause},
               {"speed", do_speed}, {"step", do_step}, {"now", do_now},   {"resign", do_resign}};

static void act(struct request *q, struct match *m, struct viewer *v, const char *what)
{
	for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
		if (!strcmp(actions[i].name, what)) {
			actions[i].act(q, m, v);
			if (q->failed)
				return;
			if (v->as == MACAW_NONE || !match_holds(m, v->key, v->as))
				v->as = match_first_role(m, v->key);
			match_put(&q->w, "match", m, v);
			return;
		}
	request_no_path(q);
}

static void look(struct request *q, struct match *m, const struct viewer *v, const char *what)
{
	if (!*what) {
		match_put(&q->w, "state", m, v);
	} else if (!strcmp(what, "events")) {
		match_wake(m);
		match_listen(q, m, v);
	} else if (!strcmp(what, "steps")) {
		get_step(q, m, v);
	} else if (!strcmp(what, "record")) {
		get_record(q, m, v);
	} else {
		request_no_path(q);
	}
}

static void serve_match(struct request *q, struct match *m)
{
	const char *what = q->parts > 2 ? q->part[2] : "";
	struct viewer v = {0};
	if (request_is(q, "POST") && !strcmp(what, "hint")) {
		hint(q, m);
		return;
	}
	bool drop = false;
	thread_lock(&m->lock);
	if (request_is(q, "POST") && !strcmp(what, "join")) {
		join(q, m);
	} else if (identify(q, m, &v)) {
		if (m->resting)
			match_wake(m);
		if (request_is(q, "GET"))
			look(q, m, &v, what);
		else if (request_is(q, "POST"))
			act(q, m, &v, what);
		else if (request_is(q, "DELETE") && !*what)
			drop = q->host || needs_host(q, &v);
		else
			request_no_method(q);
	}
	thread_unlock(&m->lock);
	if (drop)
		matches_drop(q->web->matches, m);
}

void serve_matches(struct request *q)
{
	if (q->parts == 1) {
		if (request_is(q, "POST"))
			create(q);
		else if (!request_is(q, "GET"))
			request_no_method(q);
		else if (!q->host)
			request_fail(q, 401, "bad-token", "the list of matches needs the token");
		else
			matches_list(q);
		return;
	}
	struct match *m = matches_find(q->web->matches, q->part[1]);
	if (!m) {
		request_fail(q, 404, "not-found", "there is no such match, or it has ended");
		return;
	}
	serve_match(q, m);
	match_give(m);
}

/* A match as somebody may see it. In a game with hidden information a page is told what its role observes and what
 * follows from that, and nothing of the others before the end: all that is written for it goes through match_open_to()
 * or a track. */
#include "web/match_internal.h"

#include "base/clock.h"
#include "web/stream.h"

#include <string.h>

#define BELIEF_SECONDS 1.0 /* for one step of a belief */

bool match_holds(const struct match *m, int key, uint32_t role)
{
	return key >= 0 && role < m->roles && m->seats[role].who == SEAT_HUMAN && m->seats[role].holder == key;
}

uint32_t match_first_role(const struct match *m, int key)
{
	uint32_t first = MACAW_NONE;
	for (uint32_t r = m->roles; r--;)
		if (match_holds(m, key, r) && (first == MACAW_NONE || match_waits(m, r) || !match_waits(m, first)))
			first = r;
	return first;
}

uint32_t match_people(const struct match *m)
{
	uint32_t n = 0;
	for (uint32_t r = 0; r < m->roles; r++)
		n += m->seats[r].who == SEAT_HUMAN || m->seats[r].who == SEAT_GUEST;
	return n;
}

bool match_open_to(const struct match *m, const struct viewer *v)
{
	return !m->hidden || m->over || !match_people(m);
}

static const char *role_name(const struct match *m, uint32_t role)
{
	return macaw_game_role(m->course.game->game, role);
}

/* ---- hidden games: step by step as one role ---- */

void match_free_track(struct track *t)
{
	macaw_belief_free(t->belief);
	for (size_t i = 0; i < t->views.n; i++)
		mem_free(t->views.at[i]);
	for (size_t i = 0; i < t->made.n; i++)
		mem_free(t->made.at[i]);
	vec_free(&t->views);
	vec_free(&t->made);
	*t = (struct track){0};
}

/* A belief cannot go back: it is made anew from the start when it is needed. */
void match_forget_views(struct match *m, uint32_t after)
{
	mem_free(m->view);
	m->view = NULL;
	for (uint32_t r = 0; r < m->roles; r++)
		if (m->tracks[r].views.n > after + 1)
			match_free_track(&m->tracks[r]);
}

static char *write_step(const struct match *m, uint32_t step, uint32_t role, const struct observation *o)
{
	const macaw_game *g = m->course.game->game;
	const struct made *made = &m->made.at[(size_t)step * m->roles + role];
	struct text json = {0};
	struct json_writer w = {.out = &json};
	jsonw_object(&w, NULL);
	jsonw_object(&w, "moves");
	jsonw_text(&w, macaw_game_role(g, role), macaw_game_move(g, made->move));
	jsonw_end(&w);
	jsonw_array(&w, "sees");
	for (size_t i = 0; i < o->percepts.n; i++)
		jsonw_text(&w, NULL, macaw_game_percept(g, o->percepts.at[i]));
	jsonw_end(&w);
	jsonw_object(&w, "seconds");
	jsonw_real(&w, macaw_game_role(g, role), made->seconds);
	jsonw_end(&w);
	jsonw_end(&w);
	return json.at;
}

static char *write_view(struct match *m, uint32_t step, uint32_t role, macaw_belief *belief)
{
	struct text json = {0};
	struct json_writer w = {.out = &json};
	struct view_ask a = {.game = m->course.game,
	                     .tools = m->course.tools,
	                     .position = place_at(&m->course, step),
	                     .step = step,
	                     .hidden = true,
	                     .role = role,
	                     .belief = belief};
	view_write(&w, NULL, &a);
	return json.at;
}

/* Follows the match up to a step. */
static struct track *follow(struct match *m, uint32_t role, uint32_t step)
{
	struct track *t = &m->tracks[role];
	struct observation o = {0};
	if (!t->belief && !t->dry) {
		t->belief = macaw_belief_new(m->course.game->game, role, 1, NULL);
		t->dry = !t->belief;
		vec_push(&t->made, NULL);
		vec_push(&t->views, write_view(m, 0, role, t->belief));
	}
	while (t->views.n <= step && t->views.n <= m->course.steps) {
		uint32_t at = (uint32_t)t->views.n - 1;
		bool known = place_observe(&m->course, at, role, &o) && t->belief &&
		             macaw_belief_observe(t->belief, o.own_move, o.percepts.at, o.percepts.n, o.legal.at, o.legal.n,
		                                  (macaw_limit){.seconds = BELIEF_SECONDS});
		vec_push(&t->made, write_step(m, at, role, &o));
		vec_push(&t->views, write_view(m, at + 1, role, known ? t->belief : NULL));
	}
	observation_free(&o);
	return t;
}

/* ---- views and steps ---- */

static char *write_open_view(struct match *m, uint32_t step)
{
	struct text json = {0};
	struct json_writer w = {.out = &json};
	place_view(&w, NULL, &m->course, step);
	return json.at;
}

/* Nothing but the number of the step. */
static void put_nothing(struct json_writer *w, const char *key, uint32_t step)
{
	jsonw_object(w, key);
	jsonw_uint(w, "step", step);
	jsonw_bool(w, "terminal", false);
	jsonw_null(w, "goals");
	jsonw_array(w, "turn");
	jsonw_end(w);
	jsonw_object(w, "legal");
	jsonw_end(w);
	jsonw_null(w, "scene");
	jsonw_null(w, "belief");
	jsonw_end(w);
}

void match_put_view(struct json_writer *w, const char *key, struct match *m, const struct viewer *v, uint32_t step)
{
	if (!match_open_to(m, v)) {
		if (v->as == MACAW_NONE)
			put_nothing(w, key, step);
		else
			jsonw_raw(w, key, follow(m, v->as, step)->views.at[step]);
		return;
	}
	if (step == m->course.steps) {
		if (!m->view)
			m->view = write_open_view(m, step);
		jsonw_raw(w, key, m->view);
		return;
	}
	char *view = write_open_view(m, step);
	jsonw_raw(w, key, view);
	mem_free(view);
}

static void put_open_made(struct json_writer *w, const char *key, const struct match *m, uint32_t step)
{
	const macaw_game *g = m->course.game->game;
	const struct made *made = &m->made.at[(size_t)step * m->roles];
	jsonw_object(w, key);
	jsonw_object(w, "moves");
	for (uint32_t r = 0; r < m->roles; r++)
		jsonw_text(w, role_name(m, r), macaw_game_move(g, made[r].move));
	jsonw_end(w);
	jsonw_object(w, "seconds");
	for (uint32_t r = 0; r < m->roles; r++)
		if (made[r].choice && m->seats[r].who != SEAT_CHANCE)
			jsonw_real(w, role_name(m, r), made[r].seconds);
	jsonw_end(w);
	jsonw_object(w, "values");
	for (uint32_t r = 0; r < m->roles; r++)
		if (made[r].value >= 0)
			jsonw_real(w, role_name(m, r), made[r].value);
	jsonw_end(w);
	jsonw_object(w, "why");
	for (uint32_t r = 0; r < m->roles; r++)
		if (made[r].why)
			jsonw_text(w, role_name(m, r), made[r].why);
	jsonw_end(w);
	jsonw_end(w);
}

/* Of the step that led from position `step` to the next. */
void match_put_made(struct json_writer *w, const char *key, struct match *m, const struct viewer *v, uint32_t step)
{
	if (match_open_to(m, v)) {
		put_open_made(w, key, m, step);
	} else if (v->as == MACAW_NONE) {
		jsonw_object(w, key);
		jsonw_object(w, "moves");
		jsonw_end(w);
		jsonw_end(w);
	} else {
		jsonw_raw(w, key, follow(m, v->as, step + 1)->made.at[step + 1]);
	}
}

/* ---- the state of play ---- */

/* In a hidden game it may not be told who has a choice: only of the viewer's own roles. */
static bool may_tell(const struct match *m, const struct viewer *v, uint32_t role)
{
	return match_open_to(m, v) || match_holds(m, v->key, role);
}

static void put_list(struct json_writer *w, const char *key, const struct match *m, const struct viewer *v,
                     bool (*is)(const struct match *m, uint32_t role))
{
	jsonw_array(w, key);
	for (uint32_t r = 0; r < m->roles; r++)
		if (may_tell(m, v, r) && is(m, r))
			jsonw_text(w, NULL, role_name(m, r));
	jsonw_end(w);
}

static void put_over(struct json_writer *w, struct match *m)
{
	static const char *const reasons[] = {
		[OVER_TERMINAL] = "terminal", [OVER_STUCK] = "stuck",     [OVER_TIME] = "time",
		[OVER_RESIGNED] = "resigned", [OVER_TROUBLE] = "trouble", [OVER_RECORD] = "record"};
	macaw_view v;
	if (!m->over) {
		jsonw_null(w, "over");
		return;
	}
	jsonw_object(w, "over");
	jsonw_text(w, "reason", reasons[m->over]);
	jsonw_text(w, "role",
	           m->over == OVER_TIME || m->over == OVER_RESIGNED || m->over == OVER_STUCK ? role_name(m, m->over_role)
	                                                                                     : NULL);
	jsonw_text(w, "message", m->trouble);
	if (m->over != OVER_TROUBLE && macaw_look(m->course.tools->worker, place_now(&m->course), &v) && v.terminal) {
		jsonw_object(w, "goals");
		for (uint32_t r = 0; r < m->roles; r++)
			if (m->seats[r].who != SEAT_CHANCE && v.goals[r] != MACAW_NO_GOAL)
				jsonw_int(w, role_name(m, r), v.goals[r]);
		jsonw_end(w);
	} else {
		jsonw_null(w, "goals");
	}
	jsonw_end(w);
}

static bool may_undo(const struct match *m, const struct viewer *v)
{
	if (m->record || !m->course.steps || (match_people(m) > 1 && (m->hidden || v->key != 0)))
		return false;
	return v->key == 0 || v->as != MACAW_NONE;
}

void match_put_now(struct json_writer *w, struct match *m, const struct viewer *v)
{
	double now = clock_now();
	put_list(w, "thinking", m, v, match_thinks);
	put_list(w, "waiting", m, v, match_waits);
	put_list(w, "running", m, v, match_runs);
	if (m->clocked) {
		jsonw_object(w, "clock");
		for (uint32_t r = 0; r < m->roles; r++)
			if (m->seats[r].who != SEAT_CHANCE)
				jsonw_real(w, role_name(m, r), match_clock(m, r, now));
		jsonw_end(w);
	} else {
		jsonw_null(w, "clock");
	}
	jsonw_bool(w, "paused", m->paused);
	jsonw_real(w, "delay", m->delay);
	put_over(w, m);
	jsonw_bool(w, "undo", may_undo(m, v));
}

static void put_seat(struct json_writer *w, const struct match *m, const struct viewer *v, uint32_t role)
{
	const struct seat *s = &m->seats[role];
	jsonw_object(w, role_name(m, role));
	switch (s->who) {
	case SEAT_CHANCE: jsonw_text(w, "who", "chance"); break;
	case SEAT_HUMAN:
	case SEAT_GUEST:
		jsonw_text(w, "who", "human");
		jsonw_bool(w, "joined", s->who == SEAT_HUMAN);
		jsonw_bool(w, "you", match_holds(m, v->key, role));
		if (s->who == SEAT_GUEST && !v->key)
			jsonw_text(w, "invite", s->invite);
		break;
	case SEAT_PLAYER:
		jsonw_text(w, "who", m->record ? "record" : "player");
		jsonw_text(w, "player", s->word);
		if (s->playouts)
			jsonw_uint(w, "playouts", s->playouts);
		else if (s->seconds > 0)
			jsonw_real(w, "seconds", s->seconds);
	}
	jsonw_end(w);
}

void match_put_seats(struct json_writer *w, struct match *m, const struct viewer *v)
{
	jsonw_object(w, "seats");
	for (uint32_t r = 0; r < m->roles; r++)
		put_seat(w, m, v, r);
	jsonw_end(w);
}

void match_put(struct json_writer *w, const char *key, struct match *m, const struct viewer *v)
{
	jsonw_object(w, key);
	jsonw_text(w, "match", m->id);
	jsonw_text(w, "game", m->course.game->name);
	jsonw_text(w, "title", m->course.game->title);
	jsonw_array(w, "roles");
	for (uint32_t r = 0; r < m->roles; r++)
		jsonw_text(w, NULL, role_name(m, r));
	jsonw_end(w);
	jsonw_array(w, "you");
	for (uint32_t r = 0; r < m->roles; r++)
		if (match_holds(m, v->key, r))
			jsonw_text(w, NULL, role_name(m, r));
	jsonw_end(w);
	jsonw_text(w, "as", v->as == MACAW_NONE ? NULL : role_name(m, v->as));
	jsonw_bool(w, "host", !v->key);
	jsonw_bool(w, "hidden", m->hidden);
	jsonw_bool(w, "record", m->record);
	match_put_seats(w, m, v);
	match_put_now(w, m, v);
	jsonw_array(w, "steps");
	for (uint32_t i = 0; i < m->course.steps; i++)
		match_put_made(w, NULL, m, v, i);
	jsonw_end(w);
	match_put_view(w, "view", m, v, m->course.steps);
	jsonw_end(w);
}

/* ---- listeners ---- */

struct window {
	struct match *match;
	struct viewer viewer;
	uint64_t epoch, version;
	uint32_t step;
	bool told, ended;
	struct text pending;
	size_t sent;
};

static void put_event(struct text *out, const char *name, const struct text *json)
{
	text_printf(out, "event: %s\ndata: %s\n\n", name, text_str(json));
}

static void tell_all(struct window *l, struct json_writer *w)
{
	match_put(w, NULL, l->match, &l->viewer);
	l->told = true;
	l->epoch = l->match->epoch;
	l->step = l->match->course.steps;
}

static void tell_step(struct window *l, struct json_writer *w)
{
	struct match *m = l->match;
	jsonw_object(w, NULL);
	jsonw_uint(w, "step", l->step + 1);
	match_put_made(w, "made", m, &l->viewer, l->step);
	match_put_view(w, "view", m, &l->viewer, l->step + 1);
	match_put_now(w, m, &l->viewer);
	jsonw_end(w);
	l->step++;
}

static void tell_now(struct window *l, struct json_writer *w)
{
	jsonw_object(w, NULL);
	match_put_now(w, l->match, &l->viewer);
	match_put_seats(w, l->match, &l->viewer);
	jsonw_end(w);
}

/* Seats may have changed hands since the window was opened. */
static void refresh_viewer(struct window *l)
{
	if (l->viewer.as == MACAW_NONE || !match_holds(l->match, l->viewer.key, l->viewer.as))
		l->viewer.as = match_first_role(l->match, l->viewer.key);
}

/* The next event; false: nothing new. */
static bool tell(struct window *l)
{
	struct match *m = l->match;
	refresh_viewer(l);
	struct text json = {0};
	struct json_writer w = {.out = &json};
	const char *name = NULL;
	if (m->gone) {
		text_puts(&json, "{\"reason\":\"closed\"}");
		name = "end";
		l->ended = true;
	} else if (!l->told || l->epoch != m->epoch) {
		tell_all(l, &w);
		name = "match";
	} else if (l->step < m->course.steps) {
		tell_step(l, &w);
		name = "step";
	} else if (l->version != m->version) {
		tell_now(l, &w);
		name = "thinking";
	}
	if (l->step == m->course.steps)
		l->version = m->version;
	if (name)
		put_event(&l->pending, name, &json);
	text_free(&json);
	return name;
}

static long read_window(void *context, char *into, size_t room, double patience)
{
	struct window *l = context;
	struct match *m = l->match;
	if (l->sent == l->pending.n) {
		double until = clock_now() + patience;
		l->sent = 0;
		vec_clear(&l->pending);
		if (l->ended)
			return -1;
		thread_lock(&m->lock);
		while (!tell(l) && thread_wait_until(&m->change, &m->lock, until))
			;
		thread_unlock(&m->lock);
		if (!l->pending.n)
			return 0;
	}
	size_t n = l->pending.n - l->sent < room ? l->pending.n - l->sent : room;
	memcpy(into, l->pending.at + l->sent, n);
	l->sent += n;
	return (long)n;
}

static void leave_window(void *context)
{
	struct window *l = context;
	l->match->asked = clock_now();
	l->match->listeners--;
	l->match->web->listeners--;
	match_give(l->match);
	text_free(&l->pending);
	mem_free(l);
}

void match_listen(struct request *q, struct match *m, const struct viewer *v)
{
	if (!web_may_listen(q))
		return;
	struct window *l = NEW(struct window);
	*l = (struct window){.match = m, .viewer = *v};
	m->holders++;
	m->listeners++;
	q->response = stream_response_of(read_window, leave_window, l);
}

/* Matches for others: seats by words or by functions, a referee over them, and the course of the match. */
#include "api/match_internal.h"
#include "api/player_internal.h"
#include "macaw/worker.h"
#include "match/record.h"

#include <stdlib.h>

#define REASON 400 /* bytes that a seat's function may say */

/* ---- own players ---- */

static macaw_budget budget_of(const struct budget *b)
{
	return (macaw_budget){.seconds = b->limit.deadline > 0 ? limit_left(&b->limit) : 0,
	                      .playouts = b->playouts,
	                      .margin = b->margin,
	                      .processor_time = b->limit.clock != CLOCK_OF_WALL,
	                      .stop = unconst(b->limit.stop)};
}

static void own_start(void *self, const struct budget *b)
{
	struct own_seat *s = self;
	macaw_budget budget = budget_of(b);
	if (s->seat.start)
		s->seat.start(s->seat.self, s->game, s->role, &budget);
}

static uint32_t own_move(void *self, const struct turn *t, const struct budget *b, struct text *why)
{
	struct own_seat *s = self;
	char said[REASON] = "";
	macaw_budget budget = budget_of(b);
	macaw_turn turn = {.game = s->game,
	                   .role = s->role,
	                   .step = t->step,
	                   .position = t->state,
	                   .last = t->last,
	                   .legal = t->legal,
	                   .legal_count = t->legal_count,
	                   .own_last = t->own_last,
	                   .seen = t->seen,
	                   .seen_count = t->seen_count};
	uint32_t move = s->seat.move(s->seat.self, &turn, &budget, said, sizeof said);
	said[sizeof said - 1] = 0;
	text_puts(why, said);
	if (s->count) {
		macaw_counters counted = {0};
		s->count(s->seat.self, &counted);
		s->work = api_counters_inside(&counted);
	}
	return move == MACAW_NONE ? CONTESTANT_SILENT : move;
}

struct contestant api_own_contestant(struct own_seat *own)
{
	return (struct contestant){
		.self = own, .start = own_start, .move = own_move, .work = own->count ? &own->work : NULL};
}

/* ---- sitting down ---- */

static bool take_seat(macaw_match *m, uint32_t role, const macaw_seat *seat, struct text *error)
{
	struct seats_how how = {.isolated = m->o.isolated, .published = m->o.setting == MACAW_PUBLISHED, .seed = m->o.seed};
	if (seat->word && api_plugin_named(seat->word))
		return api_plugin_sit(&m->seats, role, m->game, seat->word, m->o.seed, error);
	if (seat->word)
		return seats_word(&m->seats, role, seat->word, &how, error);
	if (!seat->move) {
		text_puts(error, "a seat needs the word of a player, or a function that moves");
		return false;
	}
	m->own[role] = (struct own_seat){.seat = *seat, .game = m->game, .role = role};
	seats_give(&m->seats, role, seat->name ? seat->name : "own", api_own_contestant(&m->own[role]));
	return true;
}

static bool take_seats(macaw_match *m, const macaw_seat *seats, size_t count, macaw_error *e)
{
	struct game *g = api_game(m->game);
	struct text error = {0};
	bool fine = count == game_players(g);
	seats_open(&m->seats, g);
	m->own = NEW_ARRAY(struct own_seat, g->roles);
	if (!fine) {
		seats_put_wanted(g, &error);
		text_printf(&error, ", %zu are named", count);
	}
	for (uint32_t i = 0; i < count && fine; i++)
		fine = take_seat(m, i + (i >= g->random), &seats[i], &error);
	if (!fine)
		api_fail_text(e, MACAW_USAGE, &error);
	text_free(&error);
	return fine;
}

/* ---- playing ---- */

static void watch(void *context, const struct match *inside)
{
	macaw_match *m = context;
	m->o.watch(m->o.context, m);
	if (m->handle.broken) /* a question about the match ran out of memory: the match does, too */
		mem_fail();
}

static void play(macaw_match *m)
{
	m->referee = (struct referee_options){.start = m->o.start,
	                                      .clock = m->o.clock > 0 ? m->o.clock : 1,
	                                      .grace = m->o.grace,
	                                      .together = m->o.together,
	                                      .processor_time = m->o.processor_time,
	                                      .playouts = m->o.playouts,
	                                      .seed = m->o.seed,
	                                      .max_steps = m->o.max_steps ? m->o.max_steps : UINT32_MAX,
	                                      .state = m->o.position,
	                                      .made = m->o.made,
	                                      .made_steps = m->o.made ? m->o.made_steps : 0,
	                                      .stop = (atomic_bool *)m->o.stop,
	                                      .watch = m->o.watch ? watch : NULL,
	                                      .context = m};
	m->played = true;
	referee_play(&m->m, api_game(m->game), m->seats.by_role, &m->referee);
	m->over = true;
}

static void free_inside(macaw_match *m)
{
	if (m->played)
		match_free(&m->m);
	if (m->seats.game)
		seats_free(&m->seats);
	mem_free(m->own);
}

void macaw_match_free(macaw_match *m)
{
	if (!m)
		return;
	if (!m->handle.broken)
		free_inside(m);
	handle_close(&m->handle);
	free(m);
}

static macaw_match *give_up(macaw_match *m)
{
	macaw_match_free(m);
	return NULL;
}

static macaw_match *open_match(macaw_game *g, const macaw_match_options *o, macaw_error *e)
{
	api_clear(e);
	macaw_match *m = calloc(1, sizeof *m);
	if (!m || !handle_open(&m->handle, e)) {
		api_fail(e, MACAW_MEMORY, "out of memory");
		free(m);
		return NULL;
	}
	m->game = g;
	m->m.game = api_game(g);
	m->o = o ? *o : (macaw_match_options){0};
	return m;
}

macaw_match *macaw_match_play(macaw_game *g, const macaw_seat *seats, size_t count, const macaw_match_options *o,
                              macaw_error *e)
{
	bool fine = false;
	macaw_match *m = open_match(g, o, e);
	if (!m)
		return NULL;
	if (o && o->position && macaw_game_hidden(g)) {
		api_fail(
			e, MACAW_USAGE,
			"where information is hidden a match cannot begin in a position: nobody would have seen what led to it");
		return give_up(m);
	}
	GUARD(&m->handle, e, give_up(m), fine = take_seats(m, seats, count, e));
	if (!fine)
		return give_up(m);
	GUARD(&m->handle, e, give_up(m), play(m));
	return m;
}

macaw_match *macaw_match_words(macaw_game *g, const char *words, const macaw_match_options *o, macaw_error *e)
{
	words = words ? words : "";
	char *copy = strdup(words);
	size_t count = 1, n = 0;
	for (const char *at = words; *at; at++)
		count += *at == ',';
	macaw_seat *seats = calloc(count, sizeof *seats);
	macaw_match *m = NULL;
	if (copy && seats) {
		for (char *at = copy; at;)
			seats[n++].word = strsep(&at, ",");
		m = macaw_match_play(g, seats, count, o, e);
	} else {
		api_fail(e, MACAW_MEMORY, "out of memory");
	}
	free(seats);
	free(copy);
	return m;
}

/* ---- played elsewhere ---- */

static bool may_move(const struct view *v, const struct game *g, const macaw_made *made, uint32_t step, macaw_error *e)
{
	for (uint32_t r = 0; r < g->roles; r++) {
		bool legal = false;
		for (uint32_t i = v->start[r]; i < v->start[r + 1] && !v->terminal; i++)
			legal |= v->legal[i] == made[r].move;
		if (!legal) {
			api_fail(e, MACAW_INPUT, "step %u: a move of role %u is not legal there", step + 1, r);
			return false;
		}
	}
	return true;
}

static void add_state(struct match *m, const uint64_t *state)
{
	vec_extend(&m->states, m->game->words);
	memcpy(m->states.at + m->states.n - m->game->words, state, m->game->words * sizeof *state);
}

static void add_step(struct match *m, const macaw_made *made)
{
	static const uint8_t faults[] = {
		[MACAW_FINE] = MOVE_FINE, [MACAW_LATE] = MOVE_LATE, [MACAW_ILLEGAL] = MOVE_ILLEGAL};
	for (uint32_t r = 0; r < m->game->roles; r++) {
		struct move_record record = {made[r].move, made[r].seconds, faults[made[r].fault], NULL};
		if (made[r].why)
			record.why = text_copy(made[r].why, strlen(made[r].why));
		vec_push(&m->moves, record);
		m->late[r] += made[r].fault == MACAW_LATE;
		m->illegal[r] += made[r].fault == MACAW_ILLEGAL;
	}
	m->steps++;
}

/* Goals and how it ended, from the last position. */
static void close_course(struct match *m, const struct view *v)
{
	m->terminal = v->terminal;
	for (uint32_t r = 0; r < m->game->roles; r++) {
		m->goals[r] = v->goals[r];
		m->stuck |= !v->terminal && v->start[r] == v->start[r + 1];
	}
	m->cut = !m->terminal && !m->stuck;
}

static bool retell(macaw_match *m, const char *const *players, const macaw_made *made, uint32_t steps, macaw_error *e)
{
	struct game *g = api_game(m->game);
	struct worker *w = worker_new(g);
	uint64_t *state = mem_alloc(g->words + 1, sizeof *state);
	uint32_t *joint = NEW_ARRAY(uint32_t, g->roles);
	bool fine = true;
	seats_open(&m->seats, g);
	for (uint32_t r = 0; r < g->roles; r++)
		if (r != g->random)
			seats_give(&m->seats, r, players[r] ? players[r] : "", (struct contestant){0});
	m->m.goals = NEW_ARRAY(int, g->roles);
	m->m.late = NEW_ARRAY(uint64_t, g->roles);
	m->m.illegal = NEW_ARRAY(uint64_t, g->roles);
	m->played = m->over = true;
	memcpy(state, g->initial, g->words * sizeof *state);
	add_state(&m->m, state);
	for (uint32_t i = 0; i < steps && fine; i++, made += g->roles) {
		struct view v = game_look(w, state);
		if (!(fine = may_move(&v, g, made, i, e)))
			break;
		for (uint32_t r = 0; r < g->roles; r++)
			joint[r] = made[r].move;
		game_next(w, state, joint, state);
		add_step(&m->m, made);
		add_state(&m->m, state);
	}
	struct view last = game_look(w, state);
	close_course(&m->m, &last);
	mem_free(joint);
	mem_free(state);
	worker_free(w);
	return fine;
}

macaw_match *macaw_match_of(macaw_game *g, const char *const *players, const macaw_made *made, uint32_t steps,
                            macaw_error *e)
{
	bool fine = false;
	macaw_match *m = open_match(g, NULL, e);
	if (!m)
		return NULL;
	GUARD(&m->handle, e, give_up(m), fine = retell(m, players, made, steps, e));
	return fine ? m : give_up(m);
}

/* ---- what happened ---- */

macaw_game *macaw_match_game(const macaw_match *m)
{
	return m->game;
}

uint32_t macaw_match_steps(const macaw_match *m)
{
	return m->m.steps;
}

const uint64_t *macaw_match_position(const macaw_match *m, uint32_t step)
{
	size_t words = m->m.game->words;
	return step <= m->m.steps && m->m.states.n >= (step + 1) * words ? m->m.states.at + step * words : NULL;
}

const char *macaw_match_player(const macaw_match *m, uint32_t role)
{
	return role < m->m.game->roles ? m->seats.names[role] : NULL;
}

int macaw_match_goal(const macaw_match *m, uint32_t role)
{
	return m->over && role < m->m.game->roles ? m->m.goals[role] : MACAW_NO_GOAL;
}

macaw_made macaw_match_made(const macaw_match *m, uint32_t step, uint32_t role)
{
	static const enum macaw_fault faults[] = {
		[MOVE_FINE] = MACAW_FINE, [MOVE_LATE] = MACAW_LATE, [MOVE_ILLEGAL] = MACAW_ILLEGAL};
	if (step >= m->m.steps || role >= m->m.game->roles)
		return (macaw_made){.move = MACAW_NONE};
	const struct move_record *r = &m->m.moves.at[(size_t)step * m->m.game->roles + role];
	return (macaw_made){r->move, r->seconds, faults[r->fault], r->why};
}

enum macaw_ending macaw_match_ending(const macaw_match *m)
{
	return !m->over        ? MACAW_UNDER_WAY
	       : m->m.trouble  ? MACAW_TROUBLE
	       : m->m.terminal ? MACAW_TERMINAL
	       : m->m.stuck    ? MACAW_STUCK
	                       : MACAW_CUT;
}

const char *macaw_match_trouble(const macaw_match *m)
{
	return m->m.trouble;
}

uint64_t macaw_match_late(const macaw_match *m, uint32_t role)
{
	return role < m->m.game->roles && m->m.late ? m->m.late[role] : 0;
}

uint64_t macaw_match_illegal(const macaw_match *m, uint32_t role)
{
	return role < m->m.game->roles && m->m.illegal ? m->m.illegal[role] : 0;
}

macaw_counters macaw_match_counters(const macaw_match *m, uint32_t role)
{
	const struct counters *c = role < m->m.game->roles ? seats_counters(&m->seats, role) : NULL;
	return c ? api_counters(c) : (macaw_counters){0};
}

char *macaw_match_record(const macaw_match *m, bool whole)
{
	struct text out = {0};
	struct record_options o = {.game = macaw_game_name(m->game),
	                           .engine = macaw_game_engine(m->game) == MACAW_ENGINE_CIRCUIT ? "circuit" : "interpreter",
	                           .referee = &m->referee,
	                           .full = whole};
	GUARD(lasting(&m->handle), NULL, NULL, record_write(&m->m, &m->seats, &o, &out));
	return api_give(&out);
}

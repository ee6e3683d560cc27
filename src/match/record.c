/* One JSON object per match: who played, what was played and why, how it ended. */
#include "match/record.h"

#include "base/bits.h"

/* What the values by role are taken from; a step where it is about one. */
struct source {
	const struct match *m;
	const struct seats *s;
	uint32_t step;
};

/* Writes the value of a role under the role's name, or nothing. */
typedef void put_value(struct json_writer *w, const char *role, const struct source *from, uint32_t r);

static void put_roles(struct json_writer *w, const char *key, const struct source *from, put_value *put)
{
	const struct game *g = from->m->game;
	jsonw_object(w, key);
	for (uint32_t r = 0; r < g->roles; r++) {
		struct text name = {0};
		game_print_role(g, r, &name);
		put(w, text_str(&name), from, r);
		text_free(&name);
	}
	jsonw_end(w);
}

static void put_steps(struct json_writer *w, const char *key, const struct source *from, put_value *put)
{
	jsonw_array(w, key);
	for (uint32_t i = 0; i < from->m->steps; i++)
		put_roles(w, NULL, &(struct source){from->m, from->s, i}, put);
	jsonw_end(w);
}

static void put_player(struct json_writer *w, const char *role, const struct source *from, uint32_t r)
{
	jsonw_text(w, role, from->s->names[r]);
}

static void put_goal(struct json_writer *w, const char *role, const struct source *from, uint32_t r)
{
	if (from->m->goals[r] == GOAL_NONE)
		jsonw_null(w, role);
	else
		jsonw_int(w, role, from->m->goals[r]);
}

static void put_late(struct json_writer *w, const char *role, const struct source *from, uint32_t r)
{
	jsonw_uint(w, role, from->m->late[r]);
}

static void put_illegal(struct json_writer *w, const char *role, const struct source *from, uint32_t r)
{
	jsonw_uint(w, role, from->m->illegal[r]);
}

static void put_counters(struct json_writer *w, const char *role, const struct source *from, uint32_t r)
{
	const struct counters *c = seats_counters(from->s, r);
	if (!c)
		return;
	jsonw_object(w, role);
#define C(name, what) jsonw_uint(w, #name, c->name);
	PLAY_COUNTERS(C)
#undef C
	jsonw_real(w, "seconds", c->seconds);
	jsonw_real(w, "playout_seconds", c->playout_seconds);
	jsonw_real(w, "solve_seconds", c->solve_seconds);
	jsonw_real(w, "symmetry_seconds", c->symmetry_seconds);
	jsonw_end(w);
}

static const struct move_record *record_of(const struct source *from, uint32_t r)
{
	return &from->m->moves.at[(size_t)from->step * from->m->game->roles + r];
}

static void put_move(struct json_writer *w, const char *role, const struct source *from, uint32_t r)
{
	struct text t = {0};
	game_print_move(from->m->game, record_of(from, r)->move, &t);
	jsonw_text(w, role, text_str(&t));
	text_free(&t);
}

static void put_time(struct json_writer *w, const char *role, const struct source *from, uint32_t r)
{
	if (r != from->m->game->random)
		jsonw_real(w, role, record_of(from, r)->seconds);
}

static void put_why(struct json_writer *w, const char *role, const struct source *from, uint32_t r)
{
	if (record_of(from, r)->why)
		jsonw_text(w, role, record_of(from, r)->why);
}

static void put_state(struct json_writer *w, const char *key, const struct game *g, const uint64_t *state)
{
	jsonw_array(w, key);
	BITS_EACH (f, state, g->fluents) {
		struct text t = {0};
		game_print_fluent(g, (uint32_t)f, &t);
		jsonw_text(w, NULL, text_str(&t));
		text_free(&t);
	}
	jsonw_end(w);
}

static void put_whole(struct json_writer *w, const struct match *m)
{
	struct text rules = {0};
	gdl_print(m->game->rules, GDL_KIF, &rules);
	jsonw_text(w, "rules", text_str(&rules));
	text_free(&rules);
	jsonw_array(w, "states");
	for (size_t i = 0; i <= m->steps; i++)
		put_state(w, NULL, m->game, m->states.at + i * m->game->words);
	jsonw_end(w);
}

void record_write(const struct match *m, const struct seats *s, const struct record_options *o, struct text *out)
{
	const struct referee_options *ref = o->referee;
	struct source from = {m, s, 0};
	struct json_writer w = {.out = out, .lines = o->full && !o->one_line};
	jsonw_object(&w, NULL);
	jsonw_text(&w, "game", o->game);
	put_roles(&w, "players", &from, put_player);
	jsonw_int(&w, "seed", (int64_t)ref->seed);
	jsonw_text(&w, "engine", o->engine);
	jsonw_uint(&w, "steps", m->steps);
	jsonw_bool(&w, "terminal", m->terminal);
	jsonw_bool(&w, "stuck", m->stuck);
	put_roles(&w, "goals", &from, put_goal);
	put_steps(&w, "moves", &from, put_move);
	if (ref->playouts) {
		jsonw_uint(&w, "playouts", ref->playouts);
	} else {
		jsonw_real(&w, "start_clock", ref->start);
		jsonw_real(&w, "clock", ref->clock);
		jsonw_text(&w, "clock_of", ref->processor_time ? "cpu" : "wall");
	}
	jsonw_text(&w, "setting", s->published ? "published" : "shipped");
	put_roles(&w, "late", &from, put_late);
	put_roles(&w, "illegal", &from, put_illegal);
	if (!o->brief) {
		put_steps(&w, "why", &from, put_why);
		put_steps(&w, "times", &from, put_time);
		put_roles(&w, "counters", &from, put_counters);
	}
	if (ref->state)
		put_state(&w, "start", m->game, ref->state);
	if (ref->made_steps)
		jsonw_uint(&w, "made_before", ref->made_steps);
	if (o->full)
		put_whole(&w, m);
	if (o->add)
		o->add(o->context, &w);
	jsonw_end(&w);
}

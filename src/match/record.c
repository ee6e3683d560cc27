#include "match/record.h"

#include "base/bits.h"
#include "base/json_text.h"

static json_t *role_name(const struct game *g, uint32_t role, const char **word)
{
	struct text t = {0};
	game_print_role(g, role, &t);
	json_t *j = json_string(text_str(&t));
	*word = json_string_value(j);
	text_free(&t);
	return j;
}

/* An object with a value for each role. */
static json_t *by_role(const struct game *g, json_t *(*value)(const void *, uint32_t), const void *context)
{
	json_t *object = json_object();
	for (uint32_t r = 0; r < g->roles; r++) {
		const char *word;
		json_t *name = role_name(g, r, &word), *v = value(context, r);
		if (v)
			json_object_set_new(object, word, v);
		json_decref(name);
	}
	return object;
}

static json_t *name_of(const void *seats, uint32_t r)
{
	return json_string(((const struct seats *)seats)->names[r]);
}

static json_t *goal_of(const void *match, uint32_t r)
{
	int goal = ((const struct match *)match)->goals[r];
	return goal == GOAL_NONE ? json_null() : json_integer(goal);
}

static json_t *late_of(const void *match, uint32_t r)
{
	return json_integer((json_int_t)((const struct match *)match)->late[r]);
}

static json_t *illegal_of(const void *match, uint32_t r)
{
	return json_integer((json_int_t)((const struct match *)match)->illegal[r]);
}

static json_t *counters_of(const void *seats, uint32_t r)
{
	const struct counters *c = seats_counters(seats, r);
	if (!c)
		return NULL;
	json_t *j = json_object();
#define C(name, what) json_object_set_new(j, #name, json_integer((json_int_t)c->name));
	PLAY_COUNTERS(C)
#undef C
	json_object_set_new(j, "seconds", json_real(c->seconds));
	json_object_set_new(j, "playout_seconds", json_real(c->playout_seconds));
	json_object_set_new(j, "solve_seconds", json_real(c->solve_seconds));
	return j;
}

/* One step, for by_role(). */
struct step {
	const struct match *m;
	uint32_t number;
};

static const struct move_record *record_of(const struct step *s, uint32_t r)
{
	return &s->m->moves.at[(size_t)s->number * s->m->game->roles + r];
}

static json_t *move_of(const void *step, uint32_t r)
{
	const struct step *s = step;
	struct text t = {0};
	game_print_move(s->m->game, record_of(s, r)->move, &t);
	json_t *j = json_string(text_str(&t));
	text_free(&t);
	return j;
}

static json_t *time_of(const void *step, uint32_t r)
{
	const struct step *s = step;
	return r == s->m->game->random ? NULL : json_real(record_of(s, r)->seconds);
}

static json_t *why_of(const void *step, uint32_t r)
{
	const char *why = record_of(step, r)->why;
	return why ? json_text(why) : NULL;
}

static json_t *steps(const struct match *m, json_t *(*value)(const void *, uint32_t))
{
	json_t *list = json_array();
	for (uint32_t i = 0; i < m->steps; i++) {
		struct step s = {m, i};
		json_array_append_new(list, by_role(m->game, value, &s));
	}
	return list;
}

static json_t *states(const struct match *m)
{
	json_t *list = json_array();
	const struct game *g = m->game;
	for (size_t i = 0; i <= m->steps; i++) {
		json_t *state = json_array();
		BITS_EACH (f, m->states.at + i * g->words, g->fluents) {
			struct text t = {0};
			game_print_fluent(g, (uint32_t)f, &t);
			json_array_append_new(state, json_string(text_str(&t)));
			text_free(&t);
		}
		json_array_append_new(list, state);
	}
	return list;
}

json_t *record_make(const struct match *m, const struct seats *s, const struct record_options *o)
{
	const struct referee_options *ref = o->referee;
	json_t *j = json_pack("{s:s, s:o, s:I, s:s, s:I, s:b, s:b, s:o, s:o}", "game", o->game, "players",
	                      by_role(m->game, name_of, s), "seed", (json_int_t)ref->seed, "engine", o->engine, "steps",
	                      (json_int_t)m->steps, "terminal", m->terminal, "stuck", m->stuck, "goals",
	                      by_role(m->game, goal_of, m), "moves", steps(m, move_of));
	if (ref->playouts) {
		json_object_set_new(j, "playouts", json_integer((json_int_t)ref->playouts));
	} else {
		json_object_set_new(j, "start_clock", json_real(ref->start));
		json_object_set_new(j, "clock", json_real(ref->clock));
	}
	json_object_set_new(j, "late", by_role(m->game, late_of, m));
	json_object_set_new(j, "illegal", by_role(m->game, illegal_of, m));
	json_object_set_new(j, "why", steps(m, why_of));
	json_object_set_new(j, "times", steps(m, time_of));
	json_object_set_new(j, "counters", by_role(m->game, counters_of, s));
	if (o->full) {
		struct text rules = {0};
		gdl_print(m->game->rules, GDL_KIF, &rules);
		json_object_set_new(j, "rules", json_string(text_str(&rules)));
		json_object_set_new(j, "states", states(m));
		text_free(&rules);
	}
	return j;
}

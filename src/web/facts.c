/* Facts of a game by playouts: the fast ones of the library for lengths and scores, a few by hand for what those do not
 * tell. */
#include "web/facts.h"

#include "base/clock.h"

#include <math.h>

#define SECONDS 0.4 /* for either kind of playouts */
#define WALKS 30    /* by hand */
#define STUCK_WALKS 2000
#define WALK_STEPS 1000

struct walk {
	macaw_game *game;
	struct tools *tools;
	uint64_t *position;
	uint32_t *joint;
	uint64_t seed;
	/* what was met */
	uint64_t choices, moves; /* roles with a choice; their moves */
	bool simultaneous;
	VEC(uint32_t) course; /* joint moves of this walk */
};

static void open_walk(struct walk *w, macaw_game *g, struct tools *t)
{
	*w = (struct walk){.game = g, .tools = t, .seed = 1};
	w->position = mem_alloc(macaw_position_words(g) + 1, sizeof *w->position);
	w->joint = mem_alloc(macaw_game_roles(g), sizeof *w->joint);
}

static void close_walk(struct walk *w)
{
	mem_free(w->position);
	mem_free(w->joint);
	vec_free(&w->course);
}

static void count_choices(struct walk *w, const macaw_view *v)
{
	uint32_t choosing = 0;
	for (uint32_t r = 0; r < macaw_game_roles(w->game); r++) {
		uint32_t n = v->start[r + 1] - v->start[r];
		if (n < 2 || r == macaw_game_random(w->game))
			continue;
		choosing++;
		w->choices++;
		w->moves += n;
	}
	w->simultaneous |= choosing > 1;
}

/* One random match. Returns the role that was stuck at its end; MACAW_NONE: none, or it went on for too long. */
static uint32_t walk(struct walk *w, double until)
{
	uint32_t roles = macaw_game_roles(w->game);
	macaw_view v;
	memcpy(w->position, macaw_position_initial(w->game), macaw_position_words(w->game) * sizeof *w->position);
	vec_clear(&w->course);
	for (uint32_t step = 0; step < WALK_STEPS && clock_now() < until; step++) {
		if (!macaw_look(w->tools->worker, w->position, &v) || v.terminal)
			return MACAW_NONE;
		for (uint32_t r = 0; r < roles; r++)
			if (v.start[r] == v.start[r + 1])
				return r;
		count_choices(w, &v);
		if (!macaw_random_moves(w->game, &v, &w->seed, w->joint))
			return MACAW_NONE;
		for (uint32_t r = 0; r < roles; r++)
			vec_push(&w->course, w->joint[r]);
		if (!macaw_next(w->tools->worker, w->position, w->joint, w->position))
			return MACAW_NONE;
	}
	return MACAW_NONE;
}

static void find_stuck(struct walk *w, struct stuck *out)
{
	double until = clock_now() + SECONDS;
	out->role = MACAW_NONE;
	for (int i = 0; i < STUCK_WALKS && clock_now() < until && out->role == MACAW_NONE; i++)
		out->role = walk(w, until);
	if (out->role == MACAW_NONE)
		return;
	size_t words = macaw_position_words(w->game);
	out->steps = (uint32_t)(w->course.n / macaw_game_roles(w->game));
	out->moves = w->course.at;
	w->course.at = NULL;
	w->course.n = w->course.cap = 0;
	out->position = mem_alloc(words + 1, sizeof *out->position);
	memcpy(out->position, w->position, words * sizeof *out->position);
}

void stuck_free(struct stuck *s)
{
	mem_free(s->moves);
	mem_free(s->position);
}

static void put_playouts(struct json_writer *w, macaw_game *g, const macaw_playout_result *r)
{
	macaw_playout_totals t = macaw_playout_sum(r);
	if (t.playouts) {
		jsonw_object(w, "length");
		jsonw_uint(w, "min", t.shortest);
		jsonw_real(w, "mean", (double)t.steps / (double)t.playouts);
		jsonw_uint(w, "max", t.longest);
		jsonw_end(w);
	} else {
		jsonw_null(w, "length");
	}
	jsonw_uint(w, "playouts", t.playouts);
	jsonw_uint(w, "stuck", t.stuck);
	jsonw_uint(w, "unfinished", t.unfinished);
	jsonw_uint(w, "undefined", t.undefined);
	jsonw_object(w, "wins");
	for (uint32_t i = 0; i < macaw_game_roles(g) && t.playouts; i++)
		if (i != macaw_game_random(g))
			jsonw_real(w, macaw_game_role(g, i), (double)macaw_playout_score(r, 0, i).wins / (double)t.playouts);
	jsonw_end(w);
	jsonw_object(w, "goals");
	for (uint32_t i = 0; i < macaw_game_roles(g) && t.playouts; i++)
		if (i != macaw_game_random(g))
			jsonw_real(w, macaw_game_role(g, i), macaw_playout_score(r, 0, i).mean);
	jsonw_end(w);
}

static void play(struct json_writer *w, struct web_game *g, struct tools *t, uint64_t playouts, struct stuck *stuck)
{
	struct walk by_hand;
	macaw_playout_job job = {.playouts = playouts, .limit.seconds = SECONDS, .seed = 1, .max_steps = 5000};
	macaw_playout_result *r = macaw_playouts(g->game, &job, NULL);
	if (r)
		put_playouts(w, g->game, r);
	open_walk(&by_hand, g->game, t);
	double until = clock_now() + SECONDS;
	for (int i = 0; i < WALKS && clock_now() < until; i++)
		walk(&by_hand, until);
	jsonw_bool(w, "simultaneous", by_hand.simultaneous);
	if (by_hand.choices)
		jsonw_real(w, "branching", (double)by_hand.moves / (double)by_hand.choices);
	else
		jsonw_null(w, "branching");
	if (stuck && r && macaw_playout_sum(r).stuck)
		find_stuck(&by_hand, stuck);
	close_walk(&by_hand);
	macaw_playout_result_free(r);
}

void facts_write(struct json_writer *w, const char *key, struct web_game *g, struct tools *t, uint64_t playouts,
                 struct stuck *stuck)
{
	macaw_game *game = g->game;
	jsonw_object(w, key);
	jsonw_array(w, "roles");
	for (uint32_t i = 0; i < macaw_game_roles(game); i++)
		jsonw_text(w, NULL, macaw_game_role(game, i));
	jsonw_end(w);
	jsonw_uint(w, "players", macaw_game_players(game));
	jsonw_bool(w, "chance", macaw_game_random(game) != MACAW_NONE);
	jsonw_bool(w, "hidden", macaw_game_hidden(game));
	jsonw_text(w, "engine", macaw_game_engine(game) == MACAW_ENGINE_CIRCUIT ? "circuit" : "interpreter");
	jsonw_uint(w, "fluents", macaw_game_information(game).fluents);
	jsonw_uint(w, "moves", macaw_game_information(game).moves);
	if (stuck)
		*stuck = (struct stuck){.role = MACAW_NONE};
	if (playouts)
		play(w, g, t, playouts, stuck);
	jsonw_end(w);
}

/* Positions as JSON. In a game with hidden information a role gets what follows from its own moves and percepts: the
 * belief was made from these alone, and its own legal moves are known to it by the rules of GDL-II. Nothing else of the
 * position is looked at here. */
#include "web/view.h"

#define BELIEF_FLUENTS 200 /* most that are listed with their probabilities */

void view_put_move(struct json_writer *w, const macaw_game *g, uint32_t move)
{
	jsonw_object(w, NULL);
	jsonw_uint(w, "id", move);
	jsonw_text(w, "text", macaw_game_move(g, move));
	jsonw_end(w);
}

void view_put_joint(struct json_writer *w, const char *key, const macaw_game *g, const uint32_t *joint)
{
	jsonw_array(w, key);
	for (uint32_t r = 0; r < macaw_game_roles(g); r++)
		jsonw_text(w, NULL, macaw_game_move(g, joint[r]));
	jsonw_end(w);
}

static bool shows_role(const struct view_ask *a, uint32_t role)
{
	return !a->hidden || a->role == role;
}

static void put_legal(struct json_writer *w, const struct view_ask *a, const macaw_view *v)
{
	const macaw_game *g = a->game->game;
	jsonw_object(w, "legal");
	for (uint32_t r = 0; r < macaw_game_roles(g); r++) {
		if (!shows_role(a, r))
			continue;
		jsonw_array(w, macaw_game_role(g, r));
		for (uint32_t i = v->start[r]; i < v->start[r + 1] && !v->terminal; i++)
			view_put_move(w, g, v->legal[i]);
		jsonw_end(w);
	}
	jsonw_end(w);
}

/* Who has a choice. In a hidden game nobody is told that of the others. */
static void put_turn(struct json_writer *w, const struct view_ask *a, const macaw_view *v)
{
	const macaw_game *g = a->game->game;
	jsonw_array(w, "turn");
	for (uint32_t r = 0; r < macaw_game_roles(g) && !v->terminal; r++)
		if (shows_role(a, r) && v->start[r + 1] - v->start[r] > 1)
			jsonw_text(w, NULL, macaw_game_role(g, r));
	jsonw_end(w);
}

static void put_goals(struct json_writer *w, const struct view_ask *a, const macaw_view *v)
{
	const macaw_game *g = a->game->game;
	if (!v->terminal) {
		jsonw_null(w, "goals");
		return;
	}
	jsonw_object(w, "goals");
	for (uint32_t r = 0; r < macaw_game_roles(g); r++)
		if (r != macaw_game_random(g)) {
			if (v->goals[r] == MACAW_NO_GOAL)
				jsonw_null(w, macaw_game_role(g, r));
			else
				jsonw_int(w, macaw_game_role(g, r), v->goals[r]);
		}
	jsonw_end(w);
}

static void put_state(struct json_writer *w, const macaw_game *g, const uint64_t *position)
{
	jsonw_array(w, "state");
	for (uint32_t f = 0; f < 64 * macaw_position_words(g) && f < macaw_game_fluents(g); f++)
		if (macaw_position_has(position, f))
			jsonw_text(w, NULL, macaw_game_fluent(g, f));
	jsonw_end(w);
}

/* ---- the drawing ---- */

/* Moves that are to be clicked: those the asker is shown. */
static void collect_moves(const struct view_ask *a, const macaw_view *v, uint32_t **moves, size_t *count)
{
	const macaw_game *g = a->game->game;
	*count = 0;
	*moves = mem_alloc(v->start[macaw_game_roles(g)] + 1, sizeof **moves);
	for (uint32_t r = 0; r < macaw_game_roles(g) && !v->terminal; r++)
		for (uint32_t i = v->start[r]; i < v->start[r + 1] && shows_role(a, r); i++)
			(*moves)[(*count)++] = v->legal[i];
}

static void put_scene(struct json_writer *w, const struct view_ask *a, const uint64_t *position,
                      const uint64_t *possible, const uint32_t *moves, size_t count)
{
	char *scene = NULL;
	if (a->tools->drawing)
		scene = macaw_drawing_json(a->tools->drawing, &(macaw_sight){.position = position,
		                                                             .possible = possible,
		                                                             .before = a->before,
		                                                             .last = a->last,
		                                                             .moves = moves,
		                                                             .move_count = count});
	if (scene)
		jsonw_raw(w, "scene", scene);
	else
		jsonw_null(w, "scene");
	macaw_free(scene);
}

/* ---- beliefs ---- */

struct certainty {
	double *probability; /* by fluent */
	uint64_t *sure, *possible;
};

static void weigh(const macaw_game *g, const macaw_belief *b, struct certainty *c)
{
	size_t words = macaw_position_words(g);
	c->probability = NEW_ARRAY(double, 64 * words + 1);
	c->sure = NEW_ARRAY(uint64_t, words + 1);
	c->possible = NEW_ARRAY(uint64_t, words + 1);
	memset(c->sure, 255, words * sizeof *c->sure);
	for (size_t i = 0; i < macaw_belief_count(b); i++) {
		const uint64_t *p = macaw_belief_position(b, i);
		double weight = macaw_belief_weight(b, i);
		for (size_t k = 0; k < words; k++) {
			c->sure[k] &= p[k];
			c->possible[k] |= p[k];
			for (uint64_t left = p[k]; left; left &= left - 1)
				c->probability[64 * k + (size_t)__builtin_ctzll(left)] += weight;
		}
	}
}

struct guess {
	uint32_t fluent;
	double probability;
};

static int by_probability(const void *a, const void *b)
{
	const struct guess *x = a, *y = b;
	return x->probability != y->probability ? (x->probability < y->probability ? 1 : -1)
	                                        : (x->fluent > y->fluent) - (x->fluent < y->fluent);
}

static void put_guesses(struct json_writer *w, const macaw_game *g, const struct certainty *c)
{
	VEC(struct guess) guesses = {0};
	size_t words = macaw_position_words(g);
	for (uint32_t f = 0; f < 64 * words; f++)
		if (macaw_position_has(c->possible, f) && !macaw_position_has(c->sure, f))
			vec_push(&guesses, (struct guess){f, c->probability[f]});
	if (guesses.n)
		qsort(guesses.at, guesses.n, sizeof *guesses.at, by_probability);
	jsonw_array(w, "fluents");
	for (size_t i = 0; i < guesses.n && i < BELIEF_FLUENTS; i++) {
		jsonw_object(w, NULL);
		jsonw_text(w, "text", macaw_game_fluent(g, guesses.at[i].fluent));
		jsonw_uint(w, "id", guesses.at[i].fluent);
		jsonw_real(w, "probability", guesses.at[i].probability);
		jsonw_end(w);
	}
	jsonw_end(w);
	vec_free(&guesses);
}

static void put_belief(struct json_writer *w, const struct view_ask *a, const uint32_t *moves, size_t count)
{
	const macaw_game *g = a->game->game;
	struct certainty c;
	weigh(g, a->belief, &c);
	put_scene(w, a, c.sure, c.possible, moves, count);
	put_state(w, g, c.sure);
	jsonw_object(w, "belief");
	jsonw_text(w, "role", macaw_game_role(g, a->role));
	jsonw_uint(w, "states", macaw_belief_count(a->belief));
	jsonw_bool(w, "exact", macaw_belief_exact(a->belief));
	put_guesses(w, g, &c);
	jsonw_end(w);
	mem_free(c.probability);
	mem_free(c.sure);
	mem_free(c.possible);
}

/* ---- the whole ---- */

static bool is_stuck(const macaw_game *g, const macaw_view *v)
{
	for (uint32_t r = 0; r < macaw_game_roles(g) && !v->terminal; r++)
		if (v->start[r] == v->start[r + 1])
			return true;
	return false;
}

static void put_members(struct json_writer *w, const struct view_ask *a, const macaw_view *v)
{
	uint32_t *moves;
	size_t count;
	jsonw_bool(w, "terminal", v->terminal);
	jsonw_bool(w, "stuck", is_stuck(a->game->game, v));
	put_goals(w, a, v);
	put_turn(w, a, v);
	put_legal(w, a, v);
	collect_moves(a, v, &moves, &count);
	if (!a->hidden) {
		put_scene(w, a, a->position, NULL, moves, count);
		put_state(w, a->game->game, a->position);
		jsonw_null(w, "belief");
	} else if (a->belief && macaw_belief_count(a->belief)) {
		put_belief(w, a, moves, count);
	} else {
		jsonw_null(w, "scene");
		jsonw_null(w, "belief");
	}
	mem_free(moves);
}

void view_write(struct json_writer *w, const char *key, const struct view_ask *a)
{
	macaw_view v;
	jsonw_object(w, key);
	jsonw_uint(w, "step", a->step);
	if (macaw_look(a->tools->worker, a->position, &v))
		put_members(w, a, &v);
	else
		jsonw_text(w, "trouble", macaw_worker_error(a->tools->worker)->text);
	jsonw_end(w);
}

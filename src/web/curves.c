/* The worth of every position of a match for its roles: one short thought of whoever is to move, from the first
 * position to the last. */
#include "base/clock.h"
#include "web/jobs.h"
#include "web/matches.h"
#include "web/server.h"
#include "web/thoughts.h"

#include <math.h>

#define SAMPLES 400 /* playouts that tell whether the scores of two roles always sum to 100 */
#define TURN 10.0   /* points that a move must lose to be a turning point */
#define MOST_TURNS 8
#define WORTH_UNKNOWN (-1.0)

struct curve {
	struct place place;
	char *word;
	uint64_t playouts;
	uint32_t at;     /* the next position */
	double *worth;   /* by step and role */
	uint32_t *mover; /* by step: the role that had a choice; MACAW_NONE: none or several */
	bool rivals;     /* two players whose scores sum to 100 */
};

static void free_curve(void *self)
{
	struct curve *c = self;
	mem_free(c->word);
	mem_free(c->worth);
	mem_free(c->mover);
	place_close(&c->place);
	mem_free(c);
}

struct sums {
	uint32_t roles, random;
	bool hundred;
};

static void look_at_sum(void *context, size_t start, const uint32_t *moves, uint32_t steps, const int *goals)
{
	struct sums *s = context;
	int sum = 0;
	for (uint32_t r = 0; r < s->roles; r++)
		sum += r == s->random ? 0 : goals[r];
	s->hundred &= sum == 100;
}

static bool are_rivals(macaw_game *g)
{
	struct sums s = {macaw_game_roles(g), macaw_game_random(g), true};
	macaw_playout_job job = {
		.playouts = SAMPLES, .limit.seconds = 0.3, .seed = 1, .max_steps = 2000, .report = look_at_sum, .context = &s};
	if (macaw_game_players(g) != 2)
		return false;
	macaw_playout_result *r = macaw_playouts(g, &job, NULL);
	bool seen = r && macaw_playout_sum(r).playouts;
	macaw_playout_result_free(r);
	return seen && s.hundred;
}

/* A course that ends at a step, for the player: the same memory, cut short. */
static struct place place_until(const struct place *p, uint32_t step)
{
	struct place cut = *p;
	cut.steps = step;
	return cut;
}

static bool think(struct job *j, struct curve *c, uint32_t role, macaw_thought *out, macaw_player **player)
{
	macaw_error e = {0};
	struct place here = place_until(&c->place, c->at);
	*player = macaw_player_new(c->place.game->game, role, c->word, 1, &e);
	if (!*player) {
		job_fail(j, &e, "bad-player");
		return false;
	}
	macaw_budget b = {.playouts = c->playouts, .seconds = 3, .stop = job_stop(j)};
	if (place_follow(&here, *player, role) && macaw_player_think(*player, &b, out))
		return true;
	job_fail(j, macaw_player_error(*player), "cannot");
	return false;
}

static void put_worth(struct json_writer *w, const struct curve *c, const double *worth)
{
	const macaw_game *g = c->place.game->game;
	jsonw_object(w, "values");
	for (uint32_t r = 0; r < c->place.roles; r++) {
		if (r == macaw_game_random(g))
			continue;
		if (worth[r] < 0)
			jsonw_null(w, macaw_game_role(g, r));
		else
			jsonw_real(w, macaw_game_role(g, r), worth[r]);
	}
	jsonw_end(w);
}

static void tell_point(struct job *j, const struct curve *c, const double *worth, const char *best, bool proved)
{
	struct text json = {0};
	struct json_writer w = {.out = &json};
	jsonw_object(&w, NULL);
	jsonw_uint(&w, "step", c->at);
	put_worth(&w, c, worth);
	jsonw_text(&w, "best", best);
	jsonw_bool(&w, "proved", proved);
	jsonw_end(&w);
	job_put(j, "point", &json, false);
}

struct turning {
	uint32_t step, role;
	double drop;
};

static void tell_turnings(struct job *j, const struct curve *c)
{
	struct turning turns[MOST_TURNS + 1];
	size_t n = 0;
	for (uint32_t i = 0; i < c->place.steps; i++) {
		uint32_t role = c->mover[i];
		if (role == MACAW_NONE)
			continue;
		double before = c->worth[(size_t)i * c->place.roles + role],
			   after = c->worth[(size_t)(i + 1) * c->place.roles + role];
		struct turning t = {i, role, before - after};
		if (before < 0 || after < 0 || t.drop < TURN)
			continue;
		size_t at = n;
		for (; at && turns[at - 1].drop < t.drop; at--)
			turns[at] = turns[at - 1];
		turns[at] = t;
		n = n < MOST_TURNS ? n + 1 : n;
	}
	struct text json = {0};
	struct json_writer w = {.out = &json};
	jsonw_object(&w, NULL);
	jsonw_array(&w, "steps");
	for (size_t i = 0; i < n; i++) {
		jsonw_object(&w, NULL);
		jsonw_uint(&w, "step", turns[i].step);
		jsonw_text(&w, "role", macaw_game_role(c->place.game->game, turns[i].role));
		jsonw_real(&w, "drop", turns[i].drop);
		jsonw_end(&w);
	}
	jsonw_end(&w);
	jsonw_end(&w);
	job_put(j, "turning", &json, false);
}

/* Who has a choice at the next position; MACAW_NONE: nobody, or several at once. */
static uint32_t find_mover(const struct curve *c, const macaw_view *v)
{
	uint32_t mover = MACAW_NONE;
	for (uint32_t r = 0; r < c->place.roles; r++) {
		if (r == macaw_game_random(c->place.game->game) || v->start[r + 1] - v->start[r] < 2)
			continue;
		if (mover != MACAW_NONE)
			return MACAW_NONE;
		mover = r;
	}
	return mover;
}

/* Each role that has a choice says what it is worth to it. */
static bool weigh(struct job *j, struct curve *c, const macaw_view *v, double *worth)
{
	const macaw_game *g = c->place.game->game;
	struct text best = {0};
	bool proved = false, fine = true;
	uint32_t choosing = 0, *asked = NEW_ARRAY(uint32_t, c->place.roles);
	for (uint32_t r = 0; r < c->place.roles; r++)
		if (r != macaw_game_random(g) && v->start[r + 1] - v->start[r] > 1)
			asked[choosing++] = r;
	for (uint32_t i = 0; i < choosing && fine; i++) {
		macaw_thought thought;
		macaw_player *player;
		fine = think(j, c, asked[i], &thought, &player);
		if (fine) {
			worth[asked[i]] = thought.value;
			proved = thought.proved;
			if (!best.n)
				text_puts(&best, macaw_game_move(g, thought.move));
		}
		macaw_player_free(player);
	}
	for (uint32_t r = 0; r < c->place.roles && c->rivals && choosing == 1; r++)
		if (r != asked[0] && r != macaw_game_random(g) && worth[asked[0]] >= 0)
			worth[r] = 100 - worth[asked[0]];
	mem_free(asked);
	if (fine)
		tell_point(j, c, worth, best.n ? best.at : NULL, proved);
	text_free(&best);
	return fine;
}

static enum job_next draw_curve(struct job *j, void *self)
{
	struct curve *c = self;
	macaw_view v;
	if (c->at > c->place.steps) {
		tell_turnings(j, c);
		return JOB_DONE;
	}
	double *worth = c->worth + (size_t)c->at * c->place.roles;
	for (uint32_t r = 0; r < c->place.roles; r++)
		worth[r] = WORTH_UNKNOWN;
	if (!macaw_look(c->place.tools->worker, place_at(&c->place, c->at), &v)) {
		job_fail(j, macaw_worker_error(c->place.tools->worker), "cannot");
		return JOB_FAILED;
	}
	c->mover[c->at] = find_mover(c, &v);
	if (v.terminal) {
		for (uint32_t r = 0; r < c->place.roles; r++)
			worth[r] = v.goals[r];
		tell_point(j, c, worth, NULL, true);
	} else if (!weigh(j, c, &v, worth)) {
		return JOB_FAILED;
	}
	c->at++;
	return JOB_AGAIN;
}

static const struct job_kind curve_kind = {.name = "curve", .work = draw_curve, .free = free_curve};

void serve_curves(struct request *q)
{
	if (!request_is(q, "POST")) {
		request_no_method(q);
		return;
	}
	struct curve *c = NEW(struct curve);
	const char *word = body_text(q, "player", "macaw");
	c->playouts = body_whole(q, "playouts", 1000000, 2000);
	c->playouts = c->playouts ? c->playouts : 1;
	bool there =
		!q->failed && (json_object_get(q->body, "match") ? match_place_whole(q, &c->place) : place_read(&c->place, q));
	if (!there) {
		free_curve(c);
		return;
	}
	c->word = text_copy(word, strlen(word));
	c->worth = mem_alloc((size_t)(c->place.steps + 1) * c->place.roles, sizeof *c->worth);
	c->mover = mem_alloc(c->place.steps + 1, sizeof *c->mover);
	c->rivals = are_rivals(c->place.game->game);
	job_start(q, &curve_kind, c->place.game->name, c);
}

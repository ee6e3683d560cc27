/* Analyses: a player thinks about a position in short pieces, and what it knows is told after each. A player that keeps
 * what it has learnt goes on where it was. One that begins anew is given ever longer pieces instead, or its table would
 * never grow. */
#include "base/clock.h"
#include "web/jobs.h"
#include "web/matches.h"
#include "web/server.h"
#include "web/thoughts.h"

#include <math.h>

#define PIECE 0.16 /* seconds: six tables in a second */
#define LONGEST_PIECE 5.0
#define GROWTH 1.6 /* of the pieces of a player that begins anew */
#define TRIAL 6    /* pieces after which it is known whether a player keeps what it has learnt */
#define IDLE 0.1   /* of a piece: a player that needs no more, and learns nothing, has nothing left to find out */
#define MOST_SECONDS 3600
#define MOST_TREE 1000 /* nodes */

struct analysis {
	struct place place; /* holds the game */
	struct thinker thinker;
	double began, seconds, piece;
	uint64_t visits, first; /* of the last table, and of the first one */
	uint32_t pieces;
	bool fresh, brief;
	uint32_t tree; /* nodes to tell of */
};

static void free_analysis(void *self)
{
	struct analysis *a = self;
	macaw_player_free(a->thinker.player);
	mem_free(a->thinker.orbit);
	place_close(&a->place);
	mem_free(a);
}

static void tell(struct job *j, struct analysis *a, const macaw_thought *thought)
{
	struct text json = {0};
	struct json_writer w = {.out = &json};
	struct table_about about = {
		.seconds = clock_now() - a->began, .fresh = a->fresh, .brief = a->brief, .tree = a->tree};
	jsonw_object(&w, NULL);
	table_write(&w, &a->thinker, thought, &about);
	jsonw_end(&w);
	job_put(j, "table", &json, true);
}

/* A tree that is kept only grows, and is several times as large after some pieces. */
static bool begins_anew(struct analysis *a, uint64_t visits)
{
	if (!a->pieces++)
		a->first = visits;
	return visits < a->visits || (a->pieces == TRIAL && a->first && visits < a->first + a->first / 2);
}

static enum job_next analyse(struct job *j, void *self)
{
	struct analysis *a = self;
	macaw_thought thought;
	double left = a->seconds > 0 ? a->began + a->seconds - clock_now() : a->piece;
	if (left <= 0)
		return JOB_DONE;
	macaw_budget b = {.seconds = fmin(a->piece, left), .margin = -1, .stop = job_stop(j)};
	double now = clock_now();
	if (!macaw_player_think(a->thinker.player, &b, &thought)) {
		job_fail(j, macaw_player_error(a->thinker.player), "cannot");
		return JOB_FAILED;
	}
	uint64_t visits = table_visits(&thought);
	bool idle = clock_now() - now < IDLE * b.seconds && visits == a->visits; /* it knows all it can come to know */
	if (begins_anew(a, visits))
		a->fresh = true;
	if (a->fresh)
		a->piece = fmin(a->piece * GROWTH, LONGEST_PIECE);
	a->visits = visits;
	tell(j, a, &thought);
	return thought.proved || idle ? JOB_DONE : JOB_AGAIN;
}

static const struct job_kind analysis_kind = {.name = "analysis", .work = analyse, .free = free_analysis};

/* Moves that are equal by symmetry; nothing where none are known, or where they would tell of a hidden position. */
static void find_orbits(struct analysis *a)
{
	if (macaw_game_hidden(a->place.game->game))
		return;
	const macaw_symmetries *s = games_symmetries(a->place.game, NULL);
	if (!s || macaw_symmetries_skipped(s))
		return;
	a->thinker.orbit = mem_alloc(macaw_game_moves(a->place.game->game) + 1, sizeof *a->thinker.orbit);
	if (!macaw_symmetries_moves(s, place_now(&a->place), a->thinker.orbit)) {
		mem_free(a->thinker.orbit);
		a->thinker.orbit = NULL;
	}
}

/* The player at the place. False: the request has failed. */
static bool seat(struct analysis *a, struct request *q)
{
	macaw_error e = {0};
	struct thinker *t = &a->thinker;
	t->game = a->place.game;
	t->player = macaw_player_new(t->game->game, t->role, body_text(q, "player", "macaw"), 1, &e);
	if (!t->player)
		request_fail_as(q, &e, "bad-player");
	else if (!place_follow(&a->place, t->player, t->role))
		request_fail_as(q, macaw_player_error(t->player), "cannot");
	return !q->failed;
}

void serve_analyses(struct request *q)
{
	if (!request_is(q, "POST")) {
		request_no_method(q);
		return;
	}
	struct analysis *a = NEW(struct analysis);
	a->piece = PIECE;
	a->seconds = body_real(q, "seconds", 0, MOST_SECONDS, 0);
	a->seconds = a->seconds > 0 ? a->seconds : MOST_SECONDS;
	a->brief = !body_flag(q, "lines", true);
	a->tree = (uint32_t)body_whole(q, "tree", MOST_TREE, 0);
	uint32_t asker = MACAW_NONE;
	bool of_match = json_object_get(q->body, "match");
	bool there = !q->failed && (of_match ? match_place(q, &a->place, &asker) : place_read(&a->place, q));
	if (there)
		a->thinker.role = place_role(&a->place, asker, q);
	if (q->failed || !seat(a, q)) {
		free_analysis(a);
		return;
	}
	find_orbits(a);
	a->began = clock_now();
	job_start(q, &analysis_kind, a->place.game->name, a);
}

/* Playouts as a job: a table of lengths and scores that grows. */
#include "web/jobs.h"
#include "web/place.h"
#include "web/server.h"

#include <math.h>
#include <stdio.h>

#define PIECE_SECONDS 0.15
#define SCORES 101 /* 0 to 100 */

struct playouts {
	struct place place;
	uint64_t wanted, done, seed;
	double seconds;
	uint64_t steps, stuck, unfinished;
	VEC(uint64_t) lengths;
	uint64_t *values; /* by role and score */
};

static void free_playouts(void *self)
{
	struct playouts *p = self;
	place_close(&p->place);
	vec_free(&p->lengths);
	mem_free(p->values);
	mem_free(p);
}

static void add_result(struct playouts *p, const macaw_playout_result *r)
{
	macaw_playout_totals t = macaw_playout_sum(r);
	size_t cells;
	const uint64_t *lengths = macaw_playout_lengths(r, &cells);
	p->done += t.playouts;
	p->stuck += t.stuck;
	p->unfinished += t.unfinished;
	p->steps += t.steps;
	p->seconds += t.seconds;
	for (size_t i = 0; i < cells && i <= t.longest; i++) {
		while (p->lengths.n <= i)
			vec_push(&p->lengths, 0);
		p->lengths.at[i] += lengths[i];
	}
	for (uint32_t role = 0; role < p->place.roles; role++)
		for (int score = 0; score < SCORES; score++)
			p->values[role * SCORES + (uint32_t)score] += macaw_playout_values(r, role, score);
}

static void put_score(struct json_writer *w, const struct playouts *p, uint32_t role)
{
	const uint64_t *values = p->values + role * SCORES;
	double n = (double)p->done, sum = 0, squares = 0;
	for (int s = 0; s < SCORES; s++) {
		sum += (double)values[s] * s;
		squares += (double)values[s] * s * s;
	}
	double mean = n > 0 ? sum / n : 0, half = n > 1 ? 1.96 * sqrt(fmax(squares / n - mean * mean, 0) / (n - 1)) : 100;
	jsonw_object(w, macaw_game_role(p->place.game->game, role));
	jsonw_real(w, "mean", mean);
	jsonw_real(w, "low", fmax(0, mean - half));
	jsonw_real(w, "high", fmin(100, mean + half));
	jsonw_uint(w, "wins", values[100]);
	jsonw_object(w, "values");
	for (int s = 0; s < SCORES; s++)
		if (values[s]) {
			char key[8];
			snprintf(key, sizeof key, "%d", s);
			jsonw_uint(w, key, values[s]);
		}
	jsonw_end(w);
	jsonw_end(w);
}

static void tell_playouts(struct job *j, const struct playouts *p)
{
	struct text json = {0};
	struct json_writer w = {.out = &json};
	jsonw_object(&w, NULL);
	jsonw_uint(&w, "playouts", p->done);
	jsonw_real(&w, "seconds", p->seconds);
	jsonw_uint(&w, "stuck", p->stuck);
	jsonw_uint(&w, "unfinished", p->unfinished);
	jsonw_array(&w, "lengths");
	for (size_t i = 0; i < p->lengths.n; i++)
		jsonw_uint(&w, NULL, p->lengths.at[i]);
	jsonw_end(&w);
	jsonw_object(&w, "scores");
	for (uint32_t r = 0; r < p->place.roles; r++)
		if (r != macaw_game_random(p->place.game->game))
			put_score(&w, p, r);
	jsonw_end(&w);
	jsonw_end(&w);
	job_put(j, "table", &json, true);
}

static enum job_next play(struct job *j, void *self)
{
	struct playouts *p = self;
	macaw_error e = {0};
	macaw_playout_job job = {.starts = place_now(&p->place),
	                         .start_count = 1,
	                         .playouts = p->wanted - p->done,
	                         .limit = {PIECE_SECONDS, job_stop(j)},
	                         .seed = ++p->seed,
	                         .max_steps = 5000};
	macaw_playout_result *r = macaw_playouts(p->place.game->game, &job, &e);
	if (!r) {
		job_fail(j, &e, "cannot");
		return JOB_FAILED;
	}
	uint64_t before = p->done + p->unfinished;
	add_result(p, r);
	macaw_playout_result_free(r);
	tell_playouts(j, p);
	return p->done >= p->wanted || p->done + p->unfinished == before ? JOB_DONE : JOB_AGAIN;
}

static const struct job_kind playouts_kind = {.name = "playouts", .work = play, .free = free_playouts};

void serve_playouts(struct request *q)
{
	if (!request_is(q, "POST")) {
		request_no_method(q);
		return;
	}
	struct playouts *p = NEW(struct playouts);
	p->wanted = body_whole(q, "playouts", 100000000, 100000);
	if (!q->failed && !p->wanted)
		request_fail(q, 400, "bad-request", "`playouts` must be one at least");
	if (q->failed || !place_read(&p->place, q)) {
		free_playouts(p);
		return;
	}
	p->values = NEW_ARRAY(uint64_t, (size_t)p->place.roles * SCORES);
	job_start(q, &playouts_kind, p->place.game->name, p);
}

/* Streams of playouts: every leaf comes back once, and what it brings is what jobs of playouts say. */
#include "play.h"
#include "work.h"

#include "games.h"

#include "base/clock.h"
#include "game/playout_stream.h"

#include <math.h>

static const char *const games[] = {TAKE, THROW, JOIN};
#define GAMES (sizeof games / sizeof *games)

/* Never ends. */
#define ENDLESS \
	"(role a) (init (n 0)) (succ 0 1) (succ 1 2) (succ 2 0) (legal a x) (legal a y)" \
	"(<= (next (n ?y)) (true (n ?x)) (succ ?x ?y)) (<= terminal (true (n 9))) (goal a 50)"

struct states {
	uint64_t *at;
	size_t n;
	uint32_t words;
};

static uint64_t *state_at(const struct states *s, size_t i)
{
	return s->at + i * s->words;
}

/* States of random walks, of any phase, ends among them. */
static struct states some_states(struct play *p, size_t count)
{
	const struct game *g = p->g;
	struct states s = {NEW_ARRAY(uint64_t, count * g->words), 0, g->words};
	struct rng rng = rng_seed(9);
	uint32_t *joint = NEW_ARRAY(uint32_t, g->roles + 1);
	while (s.n < count) {
		play_restart(p);
		for (;;) {
			struct view v = game_look(p->w, p->state);
			if (s.n < count && rng_below(&rng, 3) == 0)
				memcpy(state_at(&s, s.n++), p->state, g->words * sizeof *s.at);
			if (v.terminal || !game_random_move(g, &v, &rng, joint))
				break;
			game_next(p->w, p->state, joint, p->state);
		}
	}
	mem_free(joint);
	return s;
}

/* What came back, by state. */
struct tally {
	struct game *g;
	uint32_t *leaves; /* by tag: how often it came back */
	double *sum;      /* by state and role */
	double *playouts; /* by state */
	size_t states;
};

static struct tally tally_new(struct game *g, size_t states, size_t tags)
{
	return (struct tally){g, NEW_ARRAY(uint32_t, tags), NEW_ARRAY(double, states * g->roles), NEW_ARRAY(double, states),
	                      states};
}

static void tally_free(struct tally *t)
{
	mem_free(t->leaves);
	mem_free(t->sum);
	mem_free(t->playouts);
}

/* Takes all that is ready; asked: by tag, how many playouts (NULL: as many as came). Returns how many leaves. */
static size_t take_all(struct playout_stream *s, struct tally *t, const uint32_t *asked)
{
	struct playout_stream_result r;
	size_t n = 0;
	for (; playout_stream_take(s, &r); n++) {
		size_t i = r.tag % t->states;
		t->leaves[r.tag]++;
		if (asked)
			assert_int_equal(r.playouts, asked[r.tag]);
		t->playouts[i] += r.playouts;
		for (uint32_t role = 0; role < t->g->roles; role++)
			t->sum[i * t->g->roles + role] += r.sum[role];
	}
	return n;
}

/* Leaves of all states in turn, `tags` of them, pushed a few at a time. */
static struct tally play_stream(struct game *g, const struct states *from, const struct playout_stream_options *o,
                                size_t tags)
{
	struct playout_stream *s = playout_stream_new(g, o);
	struct tally t = tally_new(g, from->n, tags);
	uint32_t *asked = NEW_ARRAY(uint32_t, tags);
	struct rng rng = rng_seed(3);
	uint64_t all = 0;
	for (uint32_t tag = 0; tag < tags;) {
		for (uint32_t k = rng_below(&rng, 40); k && tag < tags; k--, tag++) {
			asked[tag] = rng_below(&rng, 20);
			all += asked[tag];
			playout_stream_push(s, state_at(from, tag % from->n), asked[tag], tag);
		}
		playout_stream_run(s, rng_below(&rng, 100), NULL);
		take_all(s, &t, asked);
	}
	playout_stream_run(s, UINT32_MAX, NULL);
	take_all(s, &t, asked);
	for (size_t i = 0; i < tags; i++)
		assert_int_equal(t.leaves[i], 1);
	assert_int_equal(playout_stream_playouts(s), all);
	mem_free(asked);
	playout_stream_free(s);
	return t;
}

/* Against a job from each state: means within five standard errors, and ends exactly. */
static void compare_with_jobs(struct game *g, const struct states *from, const struct tally *t, struct playout_job job)
{
	for (size_t i = 0; i < from->n; i++) {
		struct playout_result r;
		job.starts = state_at(from, i);
		job.start_count = 1;
		job.seed = i;
		game_playouts(g, &job, &r);
		double n = (double)r.playouts, m = t->playouts[i];
		for (uint32_t role = 0; role < g->roles && m > 0; role++) {
			double mean = r.sum[role] / n, variance = r.squares[role] / n - mean * mean;
			double ours = t->sum[i * g->roles + role] / m;
			double error = sqrt(fmax(variance, 0) * (1 / n + 1 / m));
			if (fabs(ours - mean) > 5 * error + 1e-9 + 100 / n)
				fail_msg("state %zu, role %u: %.3f, by a job %.3f, standard error %.3f", i, role, ours, mean, error);
			if (!r.longest)
				assert_true(t->sum[i * g->roles + role] == m * mean);
		}
		playout_result_free(&r);
	}
}

static void check_stream(struct play *p, const struct playout_stream_options *o, struct playout_job job)
{
	bool slow = p->g->engine == ENGINE_INTERPRETER;
	size_t count = slow ? 6 : 23, tags = slow ? 60 : test_sample() ? 2000 : 10000;
	struct states s = some_states(p, count);
	struct tally t = play_stream(p->g, &s, o, tags);
	job.playouts = slow ? 300 : 5000;
	compare_with_jobs(p->g, &s, &t, job);
	tally_free(&t);
	mem_free(s.at);
}

/* ---- cases ------------------------------------------------------------------------------ */

static void every_leaf_comes_back(void **state)
{
	for (size_t i = 0; i < GAMES; i++)
		for (int kind = 0; kind < 3; kind++) {
			struct play p = play_make(games[i], kind == 2 ? ENGINE_INTERPRETER : ENGINE_CIRCUIT, kind == 1);
			struct playout_stream_options o = {.seed = i};
			check_stream(&p, &o, (struct playout_job){0});
			play_free(&p);
		}
}

static void larger_games_too(void **state)
{
	static const char *const names[] = {
		"connect_four", "breakthrough_6x6", "pentago", "hex", "othello", "quarto", "connect_four_simultaneous",
		"cant_stop",    "chinese_checkers", "awale"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i += test_sample() ? 5 : 1) {
		struct play p = play_named(names[i]);
		struct playout_stream_options o = {.seed = i};
		struct states s = some_states(&p, 12);
		struct tally t = play_stream(p.g, &s, &o, 1000);
		compare_with_jobs(p.g, &s, &t, (struct playout_job){.playouts = 1000});
		tally_free(&t);
		mem_free(s.at);
		play_free(&p);
	}
}

/* Both are to move: such a state is of no phase. */
static void states_of_no_phase(void **state)
{
	struct play p = play_make(JOIN, ENGINE_CIRCUIT, false);
	struct states s = some_states(&p, 20);
	for (size_t i = 0; i < s.n; i += 2) {
		bits_add(state_at(&s, i), game_find_fluent(p.g, "(turn r)"));
		bits_add(state_at(&s, i), game_find_fluent(p.g, "(turn s)"));
	}
	struct playout_stream_options o = {.seed = 5};
	struct tally t = play_stream(p.g, &s, &o, 5000);
	compare_with_jobs(p.g, &s, &t, (struct playout_job){.playouts = 5000});
	tally_free(&t);
	mem_free(s.at);
	play_free(&p);
}

static void the_same_by_seed(void **state)
{
	for (size_t i = 0; i < GAMES; i++) {
		struct play p = play_make(games[i], ENGINE_CIRCUIT, false);
		struct states s = some_states(&p, 9);
		struct playout_stream_options o = {.seed = 5};
		struct tally a = play_stream(p.g, &s, &o, 900), b = play_stream(p.g, &s, &o, 900);
		o.seed = 6;
		struct tally c = play_stream(p.g, &s, &o, 900);
		assert_memory_equal(a.sum, b.sum, s.n * p.g->roles * sizeof *a.sum);
		assert_int_not_equal(memcmp(a.sum, c.sum, s.n * p.g->roles * sizeof *a.sum), 0);
		tally_free(&a);
		tally_free(&b);
		tally_free(&c);
		mem_free(s.at);
		play_free(&p);
	}
}

/* Leaves come back as they were when all was given up, and the stream plays on. */
static void stopped_leaves_come_back(void **state)
{
	for (size_t i = 0; i < GAMES; i++)
		for (int kind = 0; kind < 2; kind++) {
			struct play p = play_make(games[i], kind ? ENGINE_INTERPRETER : ENGINE_CIRCUIT, false);
			struct states s = some_states(&p, 9);
			struct playout_stream_options o = {.seed = 5};
			struct playout_stream *stream = playout_stream_new(p.g, &o);
			uint32_t room = playout_stream_room(stream);
			struct tally t = tally_new(p.g, s.n, 300);
			for (uint32_t tag = 0; tag < 300; tag++) {
				playout_stream_push(stream, state_at(&s, tag % s.n), kind ? 2 : 9, tag);
				if (tag % 100 != 99)
					continue;
				playout_stream_run(stream, 8, NULL);
				playout_stream_stop(stream);
				assert_int_equal(playout_stream_room(stream), room);
				take_all(stream, &t, NULL);
				for (uint32_t k = 0; k <= tag; k++)
					assert_int_equal(t.leaves[k], 1);
			}
			for (size_t k = 0; k < s.n; k++)
				assert_true(t.playouts[k] <= (kind ? 2 : 9) * 34);
			tally_free(&t);
			playout_stream_free(stream);
			mem_free(s.at);
			play_free(&p);
		}
}

static void room_is_kept(void **state)
{
	struct play p = play_make(TAKE, ENGINE_CIRCUIT, false);
	struct playout_stream_options o = {.seed = 1};
	struct playout_stream *s = playout_stream_new(p.g, &o);
	struct tally t = tally_new(p.g, 1, 1000);
	uint32_t lanes = playout_stream_room(s);
	for (uint32_t i = 0; i < 200; i++) {
		playout_stream_push(s, p.g->initial, 10, i);
		assert_int_equal(playout_stream_room(s), lanes > 10 * (i + 1) ? lanes - 10 * (i + 1) : 0);
	}
	for (uint32_t room = 1; room <= lanes; room += 50) {
		playout_stream_run(s, room, NULL);
		assert_true(playout_stream_room(s) >= room);
	}
	playout_stream_run(s, lanes, NULL);
	assert_int_equal(take_all(s, &t, NULL), 200);
	assert_int_equal(playout_stream_steps(s) > 0, true);
	tally_free(&t);
	playout_stream_free(s);
	play_free(&p);
}

static void biased_moves(void **state)
{
	for (size_t i = 0; i < GAMES; i++) {
		struct play p = play_make(games[i], ENGINE_CIRCUIT, false);
		uint8_t *bias = NEW_ARRAY(uint8_t, p.g->moves);
		for (uint32_t m = 0; m < p.g->moves; m++)
			bias[m] = (uint8_t)(m % 3 * 3);
		struct playout_stream_options o = {.seed = 8, .move_bias = bias};
		check_stream(&p, &o, (struct playout_job){.move_bias = bias});
		mem_free(bias);
		play_free(&p);
	}
}

static void decisive_players(void **state)
{
	for (size_t i = 0; i < GAMES; i++) {
		struct play p = play_make(games[i], ENGINE_CIRCUIT, false);
		struct playout_stream_options o = {.seed = 8, .policy = PLAYOUT_DECISIVE};
		check_stream(&p, &o, (struct playout_job){.policy = PLAYOUT_DECISIVE});
		play_free(&p);
	}
}

struct court {
	uint32_t words, tags;
};

static void worth(const struct court *c, const uint64_t *state, double *values)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < c->words; i++)
		n += (uint32_t)__builtin_popcountll(state[i] & 0x5555555555555555);
	values[0] = n;
	values[1] = 10.5;
}

static void judge_leaf(void *context, uint32_t tag, const uint64_t *state, double *values)
{
	assert_true(tag < ((struct court *)context)->tags);
	worth(context, state, values);
}

static void judge_start(void *context, size_t start, const uint64_t *state, double *values)
{
	assert_int_equal(start, 0);
	worth(context, state, values);
}

static void judged_after_some_steps(void **state)
{
	static const char *const two[] = {TAKE, JOIN};
	for (size_t i = 0; i < 2; i++)
		for (uint32_t cut = 0; cut < 4; cut++) {
			struct play p = play_make(two[i], ENGINE_CIRCUIT, false);
			struct court c = {p.g->words, 10000};
			struct playout_stream_options o = {.seed = 8, .judge = judge_leaf, .cut = cut, .context = &c};
			check_stream(&p, &o, (struct playout_job){.judge = judge_start, .cut = cut, .context = &c});
			play_free(&p);
		}
}

struct sample {
	const struct game *g;
	uint64_t playouts, moves;
};

static void look_at_moves(void *context, uint32_t tag, const uint32_t *moves, uint32_t count, const int *goals)
{
	struct sample *s = context;
	assert_true(tag < 10000);
	s->playouts++;
	s->moves += count;
	for (uint32_t i = 0; i < count; i++)
		assert_true(moves[i] < s->g->moves && (!i || moves[i] > moves[i - 1]));
	for (uint32_t r = 0; r < s->g->roles; r++)
		assert_true(goals[r] >= 0 && goals[r] <= 100);
}

static void a_sample_shows_its_moves(void **state)
{
	for (size_t i = 0; i < GAMES; i++) {
		struct play p = play_make(games[i], ENGINE_CIRCUIT, false);
		struct sample seen = {p.g, 0, 0};
		struct playout_stream_options o = {.seed = 8, .played = look_at_moves, .context = &seen};
		struct states s = some_states(&p, 10);
		struct tally t = play_stream(p.g, &s, &o, 10000);
		double all = 0;
		for (size_t k = 0; k < s.n; k++)
			all += t.playouts[k];
		assert_true((double)seen.playouts > all / 16 && (double)seen.playouts < all / 4);
		assert_true(seen.moves > seen.playouts / 4);
		compare_with_jobs(p.g, &s, &t, (struct playout_job){.playouts = 5000});
		tally_free(&t);
		mem_free(s.at);
		play_free(&p);
	}
}

static void endless_leaves(void **state)
{
	for (int kind = 0; kind < 2; kind++) {
		struct play p = play_make(ENDLESS, kind ? ENGINE_INTERPRETER : ENGINE_CIRCUIT, false);
		struct playout_stream_options o = {.seed = 1, .max_steps = 50};
		struct playout_stream *s = playout_stream_new(p.g, &o);
		struct playout_stream_result r;
		playout_stream_push(s, p.g->initial, 12, 7);
		playout_stream_run(s, UINT32_MAX, NULL);
		assert_true(playout_stream_take(s, &r));
		assert_true(r.tag == 7 && r.playouts == 0 && r.sum[0] == 0);
		assert_false(playout_stream_take(s, &r));
		playout_stream_free(s);
		o.max_steps = 0;
		s = playout_stream_new(p.g, &o);
		playout_stream_push(s, p.g->initial, 12, 8);
		double began = work_done();
		struct limit limit = work_seconds(0.05);
		playout_stream_run(s, UINT32_MAX, &limit);
		assert_true(work_done() - began < 2);
		playout_stream_stop(s);
		assert_true(playout_stream_take(s, &r));
		assert_true(r.tag == 8);
		playout_stream_free(s);
		play_free(&p);
	}
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(every_leaf_comes_back),
		cmocka_unit_test(larger_games_too),
		cmocka_unit_test(states_of_no_phase),
		cmocka_unit_test(the_same_by_seed),
		cmocka_unit_test(stopped_leaves_come_back),
		cmocka_unit_test(room_is_kept),
		cmocka_unit_test(biased_moves),
		cmocka_unit_test(decisive_players),
		cmocka_unit_test(judged_after_some_steps),
		cmocka_unit_test(a_sample_shows_its_moves),
		cmocka_unit_test(endless_leaves),
	};
	return RUN(cases);
}

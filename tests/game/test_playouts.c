/* Playouts by the thousand, against playing one state at a time. */
#include "play.h"
#include "work.h"

#include "games.h"

#include "base/clock.h"
#include "game/engine_internal.h"
#include "gdl/corpus.h"

#include <math.h>

static const char *const games[] = {TAKE, THROW, JOIN};
#define GAMES (sizeof games / sizeof *games)

/* Everything that must hold among the figures of one result. */
static void check_result(const struct game *g, const struct playout_job *job, const struct playout_result *r)
{
	size_t starts = job->start_count ? job->start_count : 1;
	uint64_t counted = 0, lengths = 0, steps = 0, defined = 0;
	for (size_t i = 0; i < starts; i++)
		counted += r->counts[i];
	assert_int_equal(counted, r->playouts);
	for (uint32_t l = 0; l < r->length_cells; l++) {
		lengths += r->lengths[l];
		steps += r->lengths[l] * l;
		if (r->lengths[l])
			assert_true(l >= r->shortest && (l <= r->longest || l + 1 == r->length_cells));
	}
	assert_int_equal(lengths, r->playouts);
	if (r->longest + 1 < r->length_cells)
		assert_int_equal(steps, r->steps);
	if (r->playouts && r->longest + 1 < r->length_cells)
		assert_true(r->lengths[r->shortest] && r->lengths[r->longest]);
	for (uint32_t role = 0; role < g->roles; role++) {
		double sum = 0, squares = 0, by_value = 0, by_value_squared = 0;
		uint64_t wins = 0, of_role = 0;
		for (size_t i = 0; i < starts; i++) {
			sum += r->sum[i * g->roles + role];
			squares += r->squares[i * g->roles + role];
			wins += r->wins[i * g->roles + role];
		}
		for (int v = 0; v <= 100; v++) {
			uint64_t n = r->values[role * 101 + (uint32_t)v];
			of_role += n;
			by_value += (double)n * v;
			by_value_squared += (double)n * v * v;
		}
		defined += of_role;
		assert_true(of_role <= r->playouts);
		assert_true(sum == by_value && squares == by_value_squared);
		assert_int_equal(wins, r->values[role * 101 + 100]);
	}
	assert_int_equal(defined + r->undefined, r->playouts * g->roles);
	assert_true(r->stuck <= r->playouts);
	if (job->playouts && !job->limit.deadline && !job->limit.stop)
		assert_int_equal(r->playouts + r->unfinished, job->playouts);
	if (job->max_steps)
		assert_true(r->longest <= job->max_steps);
}

static void run(struct game *g, const struct playout_job *job, struct playout_result *r)
{
	game_playouts(g, job, r);
	check_result(g, job, r);
}

static bool same_results(const struct game *g, const struct playout_result *a, const struct playout_result *b,
                         size_t starts)
{
	return a->playouts == b->playouts && a->steps == b->steps && a->shortest == b->shortest &&
	       a->longest == b->longest && !memcmp(a->sum, b->sum, starts * g->roles * sizeof *a->sum) &&
	       !memcmp(a->counts, b->counts, starts * sizeof *a->counts) &&
	       !memcmp(a->values, b->values, g->roles * 101 * sizeof *a->values) &&
	       !memcmp(a->lengths, b->lengths, a->length_cells * sizeof *a->lengths);
}

/* ---- counting ------------------------------------------------------------------------- */

static void exactly_as_many_as_asked(void **state)
{
	static const uint64_t numbers[] = {1, 2, 63, 64, 65, 255, 256, 257, 511, 512, 513, 1000, 5003};
	for (size_t i = 0; i < GAMES; i++) {
		struct play p = play_make(games[i], ENGINE_CIRCUIT, false);
		for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++)
			for (uint32_t threads = 0; threads <= 4; threads++) {
				struct playout_result r;
				struct playout_job job = {.playouts = numbers[n], .threads = threads, .seed = n};
				run(p.g, &job, &r);
				assert_int_equal(r.playouts, numbers[n]);
				assert_int_equal(r.undefined + r.stuck + r.unfinished, 0);
				assert_null(r.trouble);
				playout_result_free(&r);
			}
		play_free(&p);
	}
}

static void reproducible_by_seed(void **state)
{
	for (size_t i = 0; i < GAMES; i++)
		for (uint32_t threads = 1; threads <= 4; threads++)
			for (int kind = 0; kind < 3; kind++) {
				struct play p = play_make(games[i], kind == 2 ? ENGINE_INTERPRETER : ENGINE_CIRCUIT, kind == 1);
				struct playout_result a, b, c;
				struct playout_job job = {.playouts = kind == 2 ? 60 : 3000, .threads = threads, .seed = 77};
				run(p.g, &job, &a);
				run(p.g, &job, &b);
				job.seed = 78;
				run(p.g, &job, &c);
				assert_true(same_results(p.g, &a, &b, 1));
				assert_false(same_results(p.g, &a, &c, 1));
				playout_result_free(&a);
				playout_result_free(&b);
				playout_result_free(&c);
				play_free(&p);
			}
}

/* Machine code and portable kernels draw the same games. */
static void plain_and_native_agree(void **state)
{
	for (size_t i = 0; i < GAMES; i++) {
		struct play p = play_make(games[i], ENGINE_CIRCUIT, true), q = play_make(games[i], ENGINE_CIRCUIT, false);
		struct playout_result a, b;
		struct playout_job job = {.playouts = 4000, .seed = 3};
		run(p.g, &job, &a);
		run(q.g, &job, &b);
		assert_true(same_results(p.g, &a, &b, 1));
		playout_result_free(&a);
		playout_result_free(&b);
		play_free(&p);
		play_free(&q);
	}
}

/* ---- reports ---------------------------------------------------------------------------- */

struct audit {
	struct play *p;
	const uint64_t *starts;
	uint64_t playouts, steps;
	double *sum; /* by role */
};

static void audit_playout(void *context, size_t start, const uint32_t *moves, uint32_t steps, const int *goals)
{
	struct audit *a = context;
	struct play *p = a->p;
	const struct game *g = p->g;
	memcpy(p->state, a->starts ? a->starts + start * g->words : g->initial, g->words * sizeof *p->state);
	for (uint32_t i = 0; i < steps; i++, moves += g->roles) {
		struct view v = game_look(p->w, p->state);
		assert_false(v.terminal);
		for (uint32_t r = 0; r < g->roles; r++) {
			bool legal = false;
			for (uint32_t k = v.start[r]; k < v.start[r + 1]; k++)
				legal |= v.legal[k] == moves[r];
			assert_true(legal);
		}
		game_next(p->w, p->state, moves, p->state);
	}
	struct view v = game_look(p->w, p->state);
	SCRATCH(uint32_t, joint, g->roles + 1);
	struct rng rng = rng_seed(1);
	assert_true(v.terminal || !game_random_move(g, &v, &rng, joint));
	for (uint32_t r = 0; r < g->roles; r++) {
		assert_int_equal(goals[r], v.goals[r]);
		a->sum[r] += goals[r] == GOAL_NONE ? 0 : goals[r];
	}
	a->playouts++;
	a->steps += steps;
}

static void audit_job(struct play *p, struct playout_job job)
{
	struct audit a = {.p = p, .starts = job.starts, .sum = NEW_ARRAY(double, p->g->roles)};
	struct playout_result r, silent;
	game_playouts(p->g, &job, &silent);
	job.report = audit_playout;
	job.context = &a;
	run(p->g, &job, &r);
	assert_int_equal(a.playouts, r.playouts);
	assert_int_equal(a.steps, r.steps);
	for (uint32_t role = 0; role < p->g->roles; role++) {
		double sum = 0;
		for (size_t i = 0; i < (job.start_count ? job.start_count : 1); i++)
			sum += r.sum[i * p->g->roles + role];
		assert_true(sum == a.sum[role]);
	}
	/* being watched changes nothing */
	if (job.threads <= 1)
		assert_true(same_results(p->g, &r, &silent, job.start_count ? job.start_count : 1));
	playout_result_free(&r);
	playout_result_free(&silent);
	mem_free(a.sum);
}

static void reported_playouts_are_games(void **state)
{
	for (size_t i = 0; i < GAMES; i++)
		for (int kind = 0; kind < 3; kind++) {
			struct play p = play_make(games[i], kind == 2 ? ENGINE_INTERPRETER : ENGINE_CIRCUIT, kind == 1);
			for (uint32_t threads = 1; threads <= 3; threads++) {
				audit_job(&p, (struct playout_job){.playouts = 40, .threads = threads, .seed = 1});
				if (kind < 2) {
					audit_job(&p, (struct playout_job){.playouts = 200, .threads = threads, .seed = 2});
					audit_job(&p, (struct playout_job){.playouts = 1500, .threads = threads, .seed = 3});
				}
			}
			play_free(&p);
		}
}

/* Of the first moves, how many are odd ones, by role; of two at most. */
struct odd_moves {
	uint32_t roles, times[2];
};

static void count_odd(void *context, size_t start, const uint32_t *moves, uint32_t steps, const int *goals)
{
	(void)start;
	(void)goals;
	struct odd_moves *odd = context;
	for (uint32_t r = 0; steps && r < odd->roles; r++)
		odd->times[r] += moves[r] & 1;
}

static void halved_moves_are_made_less(void **state)
{
	uint32_t mixed = 0;
	for (size_t i = 0; i < GAMES; i++) {
		struct play p = play_make(games[i], ENGINE_CIRCUIT, false);
		struct odd_moves odd = {.roles = p.g->roles < 2 ? p.g->roles : 2};
		uint32_t legal[2][2] = {{0}};
		uint8_t *move_bias = NEW_ARRAY(uint8_t, p.g->moves + 1);
		for (uint32_t m = 0; m < p.g->moves; m++)
			move_bias[m] = m & 1 ? 3 : 0;
		struct playout_job job = {.playouts = 1500, .seed = 4, .move_bias = move_bias};
		audit_job(&p, job);
		job.report = count_odd;
		job.context = &odd;
		struct playout_result r;
		run(p.g, &job, &r);
		playout_result_free(&r);
		play_restart(&p);
		struct view v = game_look(p.w, p.state);
		for (uint32_t q = 0; q < odd.roles; q++) {
			for (uint32_t k = v.start[q]; k < v.start[q + 1]; k++)
				legal[q][v.legal[k] & 1]++;
			if (!legal[q][0] || !legal[q][1])
				continue;
			/* not less than an eighth as often as the others, and not half as often */
			double share = odd.times[q] / 1500.0, others = legal[q][0], few = legal[q][1];
			assert_true(share > few / 8 / (others + few / 8) / 2 && share < few / 2 / (others + few / 2));
			mixed++;
		}
		mem_free(move_bias);
		play_free(&p);
	}
	assert_true(mixed >= 2);
}

static void audit_public_game(const char *name, const struct text *t, void *context)
{
	static const char *const some[] = {"breakthrough.kif", "connectFour.kif", "pentago.kif",         "hex.kif",
	                                   "nim3.kif",         "MontyHall.kif",   "roshambo2.kif",       "checkers.kif",
	                                   "pacman3p.kif",     "backgammon.kif",  "chineseCheckers3.kif"};
	bool wanted = false;
	for (size_t i = 0; i < sizeof some / sizeof *some; i++)
		wanted |= !strcmp(some[i], name);
	if (!wanted || (test_sample() && strcmp(name, "connectFour.kif") && strcmp(name, "nim3.kif")))
		return;
	struct game_options o = {.engine = ENGINE_CIRCUIT, .limit = work_seconds(10)};
	struct play p = play_try(t->at, t->n, &o);
	if (p.g) {
		audit_job(&p, (struct playout_job){.playouts = 30, .seed = 1, .max_steps = 500});
		audit_job(&p, (struct playout_job){.playouts = 300, .seed = 2, .max_steps = 500});
		++*(int *)context;
	}
	play_free(&p);
}

static void public_games_too(void **state)
{
	int played = 0;
	if (!corpus_each("", audit_public_game, &played))
		SKIP("no public rulesheets");
	corpus_each("gdl2", audit_public_game, &played);
	assert_true(played >= (test_sample() ? 2 : 8));
}

/* ---- start positions ---------------------------------------------------------------------- */

/* States of random walks, of any phase or of one. */
static uint64_t *some_states(struct play *p, size_t count, uint32_t every)
{
	const struct game *g = p->g;
	uint64_t *out = NEW_ARRAY(uint64_t, count * g->words);
	struct rng rng = rng_seed(9);
	SCRATCH(uint32_t, joint, g->roles + 1);
	for (size_t n = 0; n < count;) {
		play_restart(p);
		for (uint32_t step = 0;; step++) {
			struct view v = game_look(p->w, p->state);
			if (n < count && step % every == 0 && rng_below(&rng, 3) == 0)
				memcpy(out + n++ * g->words, p->state, g->words * sizeof *out);
			if (v.terminal || !game_random_move(g, &v, &rng, joint))
				break;
			game_next(p->w, p->state, joint, p->state);
		}
	}
	return out;
}

/* Mean and variance of one role's score by walking one state at a time. */
static void walk_mean(struct play *p, const uint64_t *start, uint32_t walks, uint32_t role, double *mean,
                      double *variance)
{
	const struct game *g = p->g;
	struct rng rng = rng_seed(4);
	SCRATCH(uint32_t, joint, g->roles + 1);
	double sum = 0, squares = 0;
	for (uint32_t i = 0; i < walks; i++) {
		memcpy(p->state, start, g->words * sizeof *p->state);
		for (;;) {
			struct view v = game_look(p->w, p->state);
			if (v.terminal || !game_random_move(g, &v, &rng, joint)) {
				double x = v.goals[role] == GOAL_NONE ? 0 : v.goals[role];
				sum += x;
				squares += x * x;
				break;
			}
			game_next(p->w, p->state, joint, p->state);
		}
	}
	*mean = sum / walks;
	*variance = squares / walks - *mean * *mean;
}

static void compare_means(struct play *p, const uint64_t *starts, size_t count, uint64_t playouts, uint32_t threads)
{
	struct playout_result r;
	struct playout_job job = {
		.starts = starts, .start_count = count, .playouts = playouts, .seed = 21, .threads = threads};
	uint32_t roles = p->g->roles, walks = test_sample() ? 300 : 3000;
	run(p->g, &job, &r);
	for (size_t i = 0; i < count; i++) {
		assert_true(r.counts[i] == playouts / count || r.counts[i] == playouts / count + 1);
		for (uint32_t role = 0; role < roles; role++) {
			double mean, variance, n = (double)r.counts[i], ours = r.sum[i * roles + role] / n;
			walk_mean(p, starts + i * p->g->words, walks, role, &mean, &variance);
			double error = sqrt(variance / walks + variance / n);
			if (fabs(ours - mean) > 5 * error + 1e-9)
				fail_msg("start %zu, role %u: %.3f, by walking %.3f, standard error %.3f", i, role, ours, mean, error);
		}
	}
	playout_result_free(&r);
}

static void starts_of_any_phase(void **state)
{
	for (size_t i = 0; i < GAMES; i++)
		for (uint32_t every = 1; every <= 2; every++) {
			struct play p = play_make(games[i], ENGINE_CIRCUIT, false);
			uint64_t *starts = some_states(&p, 7, every);
			compare_means(&p, starts, 7, 7 * 3000 + 3, 1);
			compare_means(&p, starts, 7, 7 * 3000, 3);
			compare_means(&p, starts + p.g->words, 1, 5000, 2);
			audit_job(&p, (struct playout_job){.starts = starts, .start_count = 7, .playouts = 500, .seed = 2});
			audit_job(
				&p, (struct playout_job){.starts = starts, .start_count = 7, .playouts = 50, .seed = 2, .threads = 2});
			audit_job(&p, (struct playout_job){.starts = starts + p.g->words * 3, .start_count = 1, .playouts = 50});
			mem_free(starts);
			play_free(&p);
		}
}

/* The initial state, all lengths and values, by a finer comparison. */
static void distribution_from_the_start(void **state)
{
	for (size_t i = 0; i < GAMES; i++) {
		struct play p = play_make(games[i], ENGINE_CIRCUIT, false), q = play_make(games[i], ENGINE_INTERPRETER, false);
		struct playout_result a, b;
		struct playout_job job = {.playouts = 40000, .seed = 6};
		run(p.g, &job, &a);
		job.playouts = test_sample() ? 300 : 2000;
		run(q.g, &job, &b);
		double chi = 0, cells = 0;
		for (uint32_t l = 0; l < 200; l++) {
			double share = (double)a.lengths[l] / 40000, wanted = share * (double)b.playouts;
			if (wanted < 8)
				continue;
			chi += ((double)b.lengths[l] - wanted) * ((double)b.lengths[l] - wanted) / wanted;
			cells++;
		}
		assert_true(cells >= 2);
		assert_true(chi < cells + 6 * sqrt(2 * cells) + 4);
		playout_result_free(&a);
		playout_result_free(&b);
		play_free(&p);
		play_free(&q);
	}
}

/* ---- rules that break their promises ------------------------------------------------------- */

static void both_engines(const char *rules, void (*check)(struct play *p))
{
	for (int kind = 0; kind < 3; kind++) {
		struct play p = play_make(rules, kind == 2 ? ENGINE_INTERPRETER : ENGINE_CIRCUIT, kind == 1);
		check(&p);
		play_free(&p);
	}
}

/* After three steps `b` has no move, though the game is not over. */
#define STUCK \
	"(role a) (role b) (init (n 0)) " SUCC \
	"(legal a x) (<= (legal b y) (not (true (n 3)))) (<= terminal (true (n 9)))" \
	"(<= (next (n ?y)) (true (n ?x)) (succ ?x ?y)) (<= (goal a 40) (true (n 3))) (goal b 60)"

static void check_stuck(struct play *p)
{
	for (uint32_t threads = 1; threads <= 2; threads++) {
		struct playout_result r;
		struct playout_job job = {.playouts = 700, .threads = threads};
		run(p->g, &job, &r);
		assert_int_equal(r.playouts, 700);
		assert_int_equal(r.stuck, 700);
		assert_int_equal(r.shortest, 3);
		assert_int_equal(r.longest, 3);
		assert_int_equal(r.values[40], 700);
		assert_int_equal(r.values[101 + 60], 700);
		playout_result_free(&r);
	}
}

static void nobody_can_move(void **state)
{
	both_engines(STUCK, check_stuck);
}

#define UNDEFINED \
	"(role a) (role b) (role c) (role d) (init s) (legal a x) (legal b x) (legal c x) (legal d x) (<= (next t) (true " \
	"s))" \
	"(<= terminal (true t)) (goal a 10) (goal a 20) (goal b 50) (goal c lots) (goal d 101)"

static void check_undefined(struct play *p)
{
	struct playout_result r;
	struct playout_job job = {.playouts = 300};
	run(p->g, &job, &r);
	assert_int_equal(r.undefined, 900); /* two values, no number, beyond 100 */
	assert_int_equal(r.values[101 + 50], 300);
	assert_true(r.sum[0] == 0 && r.sum[1] == 15000 && r.sum[2] == 0 && r.sum[3] == 0);
	playout_result_free(&r);
	audit_job(p, job);
}

static void goals_without_a_value(void **state)
{
	both_engines(UNDEFINED, check_undefined);
}

#define ENDLESS \
	"(role a) (init s) (legal a x) (legal a y) (<= (next s) (does a x)) (<= (next s) (does a y)) (goal a 100)"

static void check_endless(struct play *p)
{
	for (uint32_t threads = 1; threads <= 3; threads++) {
		struct playout_result r;
		struct playout_job job = {.limit = work_seconds(0.05), .threads = threads};
		double began = work_done();
		run(p->g, &job, &r);
		assert_true(work_done() - began < 2);
		playout_result_free(&r);
	}
}

static void endless_games_stop(void **state)
{
	both_engines(ENDLESS, check_endless);
}

static void check_bound(struct play *p)
{
	static const uint32_t bounds[] = {1, 10, 64, 100};
	for (size_t i = 0; i < 4; i++) {
		struct playout_result r;
		struct playout_job job = {.playouts = 600, .max_steps = bounds[i]};
		run(p->g, &job, &r);
		assert_int_equal(r.playouts, 0);
		assert_int_equal(r.unfinished, 600);
		playout_result_free(&r);
	}
}

static void endless_games_are_given_up(void **state)
{
	both_engines(ENDLESS, check_bound);
}

/* Ends with probability 1/4 at every step: the bound cuts the tail exactly. */
#define COIN \
	"(role a) (init s) (legal a 1) (legal a 2) (legal a 3) (legal a 4) (<= (next s) (does a ?x) (distinct ?x 1)) (<= " \
	"terminal (not (true s))) (goal a 100)"

static void check_tail(struct play *p)
{
	static const uint32_t bounds[] = {3, 7, 70};
	for (size_t i = 0; i < 3; i++)
		for (uint64_t n = 50; n <= 1000; n *= 20) {
			struct playout_result r;
			struct playout_job job = {.playouts = n, .max_steps = bounds[i], .seed = 4};
			run(p->g, &job, &r);
			assert_int_equal(r.playouts + r.unfinished, n);
			double left = pow(0.75, bounds[i]) * (double)n;
			assert_true(fabs((double)r.unfinished - left) < 6 * sqrt(left + 1) + 2);
			playout_result_free(&r);
		}
}

static void long_playouts_are_given_up(void **state)
{
	both_engines(COIN, check_tail);
}

static void check_over(struct play *p)
{
	struct playout_result r;
	struct playout_job job = {.playouts = 1000, .threads = 2};
	run(p->g, &job, &r);
	assert_int_equal(r.longest, 0);
	assert_int_equal(r.playouts, 1000);
	assert_true(r.sum[0] == 70000);
	playout_result_free(&r);
	job = (struct playout_job){.limit = work_seconds(0.05)};
	run(p->g, &job, &r);
	assert_true(r.playouts > 0);
	playout_result_free(&r);
}

static void over_before_it_starts(void **state)
{
	both_engines("(role a) (init s) (legal a x) (<= (next s) (true s)) terminal (goal a 70)", check_over);
	both_engines("(role a) (legal a x) terminal (goal a 70)", check_over);
}

/* ---- deadlines ------------------------------------------------------------------------------- */

/* Games of fixed length whose players alternate, of many sizes: whatever the length,
 * the rotation and the cost of a step have in common, the clock is looked at. */
static void every_length_honours_the_deadline(void **state)
{
	for (uint32_t length = 1; length <= 6; length++)
		for (uint32_t moves = 2; moves <= (test_sample() ? 4u : 12u); moves++) {
			struct text t = {0};
			text_puts(&t,
			          "(role white) (role black) (init (turn white)) (init (n 0)) (goal white 50) (goal black 50)" SUCC
			          "(<= (next (turn white)) (true (turn black))) (<= (next (turn black)) (true (turn white)))"
			          "(<= (legal ?p (m ?x)) (true (turn ?p)) (can ?x)) (<= (legal white no) (true (turn black)))"
			          "(<= (legal black no) (true (turn white))) (<= (next (n ?y)) (true (n ?x)) (succ ?x ?y))");
			text_printf(&t, "(<= terminal (true (n %u)))", length);
			for (uint32_t i = 0; i < moves; i++)
				text_printf(&t, "(can %u)", i);
			struct play p = play_make(t.at, ENGINE_CIRCUIT, moves % 2);
			atomic_bool stop = false;
			struct playout_job job = {.limit = work_seconds(0.004), .seed = moves};
			struct playout_result r;
			double began = work_done();
			run(p.g, &job, &r);
			assert_true(work_done() - began < 2);
			assert_true(r.playouts > 0);
			assert_int_equal(r.shortest, length);
			assert_int_equal(r.longest, length);
			playout_result_free(&r);
			stop = true;
			job.limit = (struct limit){.stop = &stop};
			run(p.g, &job, &r);
			playout_result_free(&r);
			play_free(&p);
			text_free(&t);
		}
}

static void deadline_with_many_to_go(void **state)
{
	struct play p = play_make(JOIN, ENGINE_CIRCUIT, false);
	for (uint32_t threads = 1; threads <= 4; threads++) {
		struct playout_result r;
		struct playout_job job = {.playouts = UINT64_C(1) << 50, .limit = work_seconds(0.05), .threads = threads};
		double began = work_done();
		run(p.g, &job, &r);
		assert_true(work_done() - began < 3);
		assert_true(r.playouts > 1000);
		playout_result_free(&r);
	}
	play_free(&p);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(exactly_as_many_as_asked),
		cmocka_unit_test(reproducible_by_seed),
		cmocka_unit_test(plain_and_native_agree),
		cmocka_unit_test(reported_playouts_are_games),
		cmocka_unit_test(halved_moves_are_made_less),
		cmocka_unit_test(public_games_too),
		cmocka_unit_test(starts_of_any_phase),
		cmocka_unit_test(distribution_from_the_start),
		cmocka_unit_test(nobody_can_move),
		cmocka_unit_test(goals_without_a_value),
		cmocka_unit_test(endless_games_stop),
		cmocka_unit_test(endless_games_are_given_up),
		cmocka_unit_test(long_playouts_are_given_up),
		cmocka_unit_test(over_before_it_starts),
		cmocka_unit_test(every_length_honours_the_deadline),
		cmocka_unit_test(deadline_with_many_to_go),
	};
	return RUN(cases);
}

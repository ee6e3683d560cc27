/* Thousands of small random rulesheets: the circuit says what the interpreter says,
 * and playouts, portable and as machine code, are games that the interpreter agrees
 * with move by move. MACAW_TEST_SEED=n replays one rulesheet,
 * MACAW_TEST_COUNT=n tries the first n. */
#include "play.h"
#include "random_rules.h"

#include "base/clock.h"
#include "game/engine_internal.h"

struct replay {
	struct pair *p;
	uint32_t count;
	uint64_t *starts;
};

struct tally {
	uint32_t walked, rotating;
};

/* Every reported playout, played by the interpreter too. */
static void replay(void *context, size_t start, const uint32_t *moves, uint32_t steps, const int *goals)
{
	struct replay *re = context;
	struct pair *p = re->p;
	uint32_t roles = p->a.g->roles;
	SCRATCH(uint32_t, mb, roles + 1);
	struct view va, vb;
	if (++re->count > 12)
		return;
	play_restart(&p->a);
	play_restart(&p->b);
	for (uint32_t i = 0; i < steps; i++, moves += roles) {
		assert_true(pair_look(p, &va, &vb));
		assert_false(va.terminal);
		for (uint32_t r = 0; r < roles; r++) {
			mb[r] = pair_move(p, &vb, r, moves[r]);
			if (mb[r] == GAME_NONE)
				fail_msg("%s: a playout's move is not legal\n%s", p->title, p->text);
		}
		game_next(p->a.w, p->a.state, moves, p->a.state);
		game_next(p->b.w, p->b.state, mb, p->b.state);
	}
	assert_true(pair_look(p, &va, &vb));
	bool stuck = false;
	for (uint32_t r = 0; r < roles; r++) {
		assert_int_equal(goals[r], vb.goals[r]);
		stuck |= vb.start[r] == vb.start[r + 1];
	}
	if (!vb.terminal && !stuck)
		fail_msg("%s: a playout ends before its time\n%s", p->title, p->text);
}

static void check_playouts(struct pair *p)
{
	struct replay re = {.p = p};
	/* up to 64, up to 256, and more: three kernels */
	static const uint64_t sizes[] = {10, 100, 300};
	for (int i = 0; i < 3; i++) {
		struct playout_result r;
		struct playout_job job = {.playouts = sizes[i], .seed = 5, .max_steps = 128, .report = replay, .context = &re};
		re.count = 0;
		game_playouts(p->a.g, &job, &r);
		assert_int_equal(r.playouts + r.unfinished, sizes[i]);
		playout_result_free(&r);
	}
}

/* The same from states on the way, where the circuit alone has to be consistent: its
 * answers about single states have been compared by then. */
static void replay_start(void *context, size_t start, const uint32_t *moves, uint32_t steps, const int *goals)
{
	struct replay *re = context;
	struct play *a = &re->p->a;
	uint32_t roles = a->g->roles;
	memcpy(a->state, re->starts + start * a->g->words, a->g->words * sizeof *a->state);
	for (uint32_t i = 0; i < steps; i++, moves += roles) {
		struct view v = game_look(a->w, a->state);
		assert_false(v.terminal);
		for (uint32_t r = 0; r < roles; r++) {
			bool legal = false;
			for (uint32_t k = v.start[r]; k < v.start[r + 1]; k++)
				legal |= v.legal[k] == moves[r];
			if (!legal)
				fail_msg("%s: a playout's move is not legal\n%s", re->p->title, re->p->text);
		}
		game_next(a->w, a->state, moves, a->state);
	}
	struct view v = game_look(a->w, a->state);
	for (uint32_t r = 0; r < roles; r++)
		assert_int_equal(goals[r], v.goals[r]);
}

static void check_starts(struct pair *p, struct rng *rng)
{
	enum { STARTS = 5 };
	struct game *g = p->a.g;
	struct replay re = {.p = p, .starts = NEW_ARRAY(uint64_t, STARTS * g->words)};
	SCRATCH(uint32_t, joint, g->roles + 1);
	play_restart(&p->a);
	for (uint32_t i = 0; i < STARTS; i++) {
		memcpy(re.starts + i * g->words, p->a.state, g->words * sizeof *re.starts);
		struct view v = game_look(p->a.w, p->a.state);
		if (!v.terminal && game_random_move(g, &v, rng, joint))
			game_next(p->a.w, p->a.state, joint, p->a.state);
	}
	for (size_t first = 0; first < STARTS; first += 2) {
		struct playout_result r;
		struct playout_job job = {
			.playouts = 40, .seed = first, .max_steps = 40, .report = replay_start, .context = &re};
		struct replay at = re;
		at.starts += first * g->words;
		job.context = &at;
		job.starts = at.starts;
		job.start_count = first ? 1 : STARTS;
		game_playouts(g, &job, &r);
		assert_int_equal(r.playouts + r.unfinished, 40);
		playout_result_free(&r);
	}
	mem_free(re.starts);
}

static void check_rules(uint64_t seed, struct tally *tally)
{
	struct text t = {0};
	char title[64];
	snprintf(title, sizeof title, "MACAW_TEST_SEED=%lu", (unsigned long)seed);
	random_rules(&t, seed);
	for (int plain = 0; plain < 2; plain++) {
		struct pair p = {.title = title, .text = t.at};
		struct rng rng = rng_seed(seed);
		p.a = play_make(t.at, ENGINE_CIRCUIT, plain);
		p.b = play_make(t.at, ENGINE_INTERPRETER, false);
		for (int i = 0; i < (plain ? 1 : 4); i++)
			if (!pair_walk(&p, &rng, 12, (struct limit){0}))
				fail_msg("%s: %s\n%s", title, worker_trouble(p.b.w), t.at);
		tally->walked += p.steps > 8;
		tally->rotating += p.a.g->circuit->phases.period > 1;
		check_playouts(&p);
		check_starts(&p, &rng);
		pair_free(&p);
	}
	text_free(&t);
}

static void random_rulesheets_agree(void **state)
{
	const char *only = getenv("MACAW_TEST_SEED");
	const char *many = getenv("MACAW_TEST_COUNT");
	uint32_t count = many ? (uint32_t)atol(many) : test_sample() ? 300 : 4000;
	struct tally t = {0};
	if (only) {
		check_rules(strtoull(only, NULL, 10), &t);
		return;
	}
	for (uint64_t seed = 0; seed < count; seed++)
		check_rules(seed, &t);
	printf("%u of %u walked for a while, %u have a rotation\n", t.walked / 2, count, t.rotating / 2);
	assert_true(t.walked / 2 > count / 4 && t.rotating / 2 > count / 50);
}

/* The generator keeps its word. The restriction on recursion is none of its business:
 * its terms cannot grow. */
static void generator_is_sound(void **state)
{
	for (uint64_t seed = 0; seed < 300; seed++) {
		struct text t = {0};
		struct diags d = {0};
		random_rules(&t, seed);
		struct gdl_rules *r = gdl_read(t.at, t.n, &d);
		gdl_check(r, &d);
		for (size_t i = 0; i < d.all.n; i++)
			if (d.all.at[i].severity == DIAG_ERROR && strcmp(d.all.at[i].code, "recursion"))
				fail_msg("rulesheet %lu: %s\n%s", (unsigned long)seed, d.all.at[i].code, t.at);
		gdl_free(r);
		diag_free(&d);
		text_free(&t);
	}
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(generator_is_sound),
		cmocka_unit_test(random_rulesheets_agree),
	};
	return RUN(cases);
}

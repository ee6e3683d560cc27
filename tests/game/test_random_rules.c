/* Thousands of small random rulesheets: the circuit says what the interpreter says,
 * and playouts, portable and as machine code, are games that the interpreter agrees
 * with move by move. MACAW_TEST_SEED=n replays one rulesheet,
 * MACAW_TEST_COUNT=n tries the first n. */
#include "play.h"
#include "random_rules.h"

#include "base/clock.h"

struct replay {
	struct pair *p;
	struct rng rng;
	uint32_t count;
};

/* Every reported playout, played by the interpreter too. */
static void replay(void *context, size_t start, const uint32_t *moves, uint32_t steps, const int *goals)
{
	struct replay *re = context;
	struct pair *p = re->p;
	uint32_t roles = p->a.g->roles, mb[roles + 1];
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

static void check_rules(uint64_t seed, uint32_t *walked)
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
		*walked += p.steps > 8;
		check_playouts(&p);
		pair_free(&p);
	}
	text_free(&t);
}

static void random_rulesheets_agree(void **state)
{
	const char *only = getenv("MACAW_TEST_SEED");
	const char *many = getenv("MACAW_TEST_COUNT");
	uint32_t count = many ? (uint32_t)atol(many) : test_sample() ? 300 : 8000, walked = 0;
	if (only) {
		check_rules(strtoull(only, NULL, 10), &walked);
		return;
	}
	for (uint64_t seed = 0; seed < count; seed++)
		check_rules(seed, &walked);
	printf("%u of %u walked for a while\n", walked / 2, count);
	assert_true(walked / 2 > count / 4);
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

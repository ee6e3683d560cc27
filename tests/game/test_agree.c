/* The circuit and the interpreter say the same about every public rulesheet that
 * grounds, on random walks: states, legal moves, ends, goals and percepts.
 *
 * MACAW_TEST_GAME=name picks one game; MACAW_TEST_TIMES=1 prints the seconds of each. */
#include "play.h"
#include "work.h"

#include "base/clock.h"
#include "gdl/corpus.h"

struct tally {
	size_t memory;
	size_t seen, compared;
	uint64_t steps;
};

static const char *compare_game(const char *name, const struct text *t, size_t memory, uint64_t *steps)
{
	struct game_options circuit = {.engine = ENGINE_CIRCUIT, .limit = work_seconds(2), .memory = memory};
	struct game_options interpreter = {.engine = ENGINE_INTERPRETER};
	struct pair p = {.title = name};
	const char *missing = NULL;
	p.a = play_try(t->at, t->n, &circuit);
	if (p.a.g) {
		p.b = play_try(t->at, t->n, &interpreter);
		assert_non_null(p.b.g);
		struct limit limit = work_seconds(test_sample() ? 0.3 : 0.12);
		struct rng rng = rng_seed(hash_bytes(name, strlen(name)));
		worker_limit(p.b.w, work_seconds(3));
		for (int i = 0; i < 6 && !missing && !limit_reached(&limit); i++)
			if (!pair_walk(&p, &rng, i % 2 ? 1000 : 20, limit))
				missing = "the interpreter gave up";
		*steps += p.steps;
	} else {
		missing = "does not ground within the bounds";
	}
	pair_free(&p);
	return missing;
}

static void compare_one(const char *name, const struct text *t, void *context)
{
	struct tally *tally = context;
	const char *only = getenv("MACAW_TEST_GAME");
	double began = clock_now();
	uint64_t steps = 0;
	tally->seen++;
	if (only ? strncmp(only, name, strlen(only)) : test_sample() && tally->seen % 7 != 1)
		return;
	const char *missing = compare_game(name, t, tally->memory, &steps);
	if (missing)
		printf("\t%s: %s\n", name, missing);
	else
		tally->compared++;
	tally->steps += steps;
	if (getenv("MACAW_TEST_TIMES"))
		fprintf(stderr, "time\t%s\t%.3f\t%lu\n", name, clock_now() - began, (unsigned long)steps);
}

static void compare_folder(const char *sub)
{
	struct tally t = {0};
	if (!corpus_each(sub, compare_one, &t))
		SKIP("no public rulesheets");
	printf("%zu games of %zu compared, %lu steps\n", t.compared, t.seen, (unsigned long)t.steps);
	if (!getenv("MACAW_TEST_GAME")) {
		assert_true(t.compared * (test_sample() ? 12 : 2) >= t.seen);
		assert_true(t.steps > t.compared);
	}
}

static void games_agree(void **state)
{
	compare_folder("");
}

static void games_with_percepts_agree(void **state)
{
	compare_folder("gdl2");
}

/* Games that are slow to ground or do not: nothing is asked but that it ends well.
 * The bound on memory keeps what follows the grounding short. */
static void slow_games_agree(void **state)
{
	struct tally t = {.memory = (size_t)30 << 20};
	if (!corpus_each("slow", compare_one, &t))
		SKIP("no public rulesheets");
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(games_with_percepts_agree),
		cmocka_unit_test(games_agree),
		cmocka_unit_test(slow_games_agree),
	};
	return RUN(cases);
}

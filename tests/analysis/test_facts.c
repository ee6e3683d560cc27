/* Facts are found once, whoever asks, and freed with the game. */
#include "../game/play.h"

#include "analysis/commute.h"
#include "analysis/facts.h"
#include "analysis/mutex_groups.h"
#include "analysis/step_counter.h"

#include <pthread.h>
#include <time.h>

static const char game[] =
	"(role r) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3)"
	"(<= (legal r (set ?x)) (light ?x) (not (true (on ?x)))) (light a) (light b) (light c) (light d)"
	"(<= (next (on ?x)) (does r (set ?x))) (<= (next (on ?x)) (true (on ?x)))"
	"(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y)) (<= terminal (true (step 3)))"
	"(<= (goal r 100) (true (on a))) (<= (goal r 0) (not (true (on a))))";

static atomic_int found, freed;
static bool in_vain;

static void *find(struct game *g, const struct limit *limit)
{
	atomic_fetch_add(&found, 1);
	nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
	return in_vain ? NULL : NEW(int);
}

static void release(void *fact)
{
	atomic_fetch_add(&freed, 1);
	mem_free(fact);
}

static const struct facts_kind kind = {find, release}, other = {find, release};

static void *ask(void *g)
{
	return unconst(facts_get(g, &kind, NULL));
}

static void found_once(void **state)
{
	struct play p = play_make(game, ENGINE_CIRCUIT, true);
	pthread_t ids[4];
	void *facts[4];
	atomic_store(&found, 0);
	atomic_store(&freed, 0);
	for (int i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&ids[i], NULL, ask, p.g), 0);
	for (int i = 0; i < 4; i++) {
		pthread_join(ids[i], &facts[i]);
		assert_non_null(facts[i]);
		assert_ptr_equal(facts[i], facts[0]);
	}
	assert_int_equal(atomic_load(&found), 1);
	assert_ptr_not_equal(facts_get(p.g, &other, NULL), facts[0]);
	assert_int_equal(atomic_load(&freed), 0);
	play_free(&p);
	assert_int_equal(atomic_load(&freed), 2);
}

/* Who has as little time as was spent in vain need not try. */
static void tried_again_with_more_time(void **state)
{
	struct play p = play_make(game, ENGINE_CIRCUIT, true);
	struct limit little = limit_seconds(0.025), much = limit_seconds(1000);
	atomic_store(&found, 0);
	in_vain = true;
	assert_null(facts_get(p.g, &kind, &little));
	assert_null(facts_get(p.g, &kind, &little));
	assert_int_equal(atomic_load(&found), 1);
	in_vain = false;
	assert_non_null(facts_get(p.g, &kind, &much));
	assert_int_equal(atomic_load(&found), 2);
	play_free(&p);
}

static void the_same_as_without(void **state)
{
	struct play p = play_make(game, ENGINE_CIRCUIT, true);
	struct limit none = {0};
	struct mutex_groups g;
	struct step_counter c;
	mutex_groups_find(&g, p.g, &none);
	const struct mutex_groups *kept = mutex_groups_of(p.g, &none);
	assert_int_equal(kept->all.n, g.all.n);
	assert_memory_equal(kept->group_of, g.group_of, p.g->fluents * sizeof *g.group_of);
	assert_ptr_equal(kept, mutex_groups_of(p.g, &none));
	mutex_groups_free(&g);
	assert_true(step_counter_find(&c, p.g, &none));
	assert_memory_equal(step_counter_of(p.g, &none)->mask, c.mask, p.g->words * 8);
	assert_int_equal(c.horizon, 3);
	step_counter_free(&c);
	assert_int_equal(commute_of(p.g, &none), COMMUTE_STRICTLY);
	play_free(&p);
}

/* Whoever asks, in whatever scope of memory: the fact stays. */
static void outlives_who_asked(void **state)
{
	struct play p = play_make(game, ENGINE_CIRCUIT, true);
	struct limit none = {0};
	struct mem_scope *scope = mem_scope_new(), *previous = mem_scope_enter(scope);
	const struct step_counter *c = step_counter_of(p.g, &none);
	assert_non_null(mutex_groups_of(p.g, &none));
	assert_int_equal(mem_blocks(scope), 0);
	mem_scope_leave(previous);
	mem_scope_free(scope);
	assert_ptr_equal(step_counter_of(p.g, &none), c);
	assert_int_equal(bits_count(c->mask, p.g->words), 4);
	play_free(&p);
}

/* The end by the counter is worth the least only where the goal says so. */
static void later_is_no_better(void **state)
{
	static const char first[] =
		"(role r) (init (step 0)) (init (at a)) (succ 0 1) (succ 1 2) (succ 2 3)"
		"(legal r go) (legal r stay) (<= (next (at b)) (does r go)) (<= (next (at ?x)) (does r stay) (true (at ?x)))"
		"(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))"
		"(<= terminal (true (step 3))) (<= terminal (true (at b)))";
	static const struct {
		const char *goals;
		bool late;
	} cases[] = {
		{"(<= (goal r 100) (true (at b))) (<= (goal r 0) (not (true (at b))))", true},
		{"(<= (goal r 50) (true (at b))) (<= (goal r 100) (not (true (at b))))", false},
		{"(<= (goal r 100) (true (at b)) (true (step 3))) (<= (goal r 0) (not (true (at b))))", false},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct text t = {0};
		text_printf(&t, "%s%s", first, cases[i].goals);
		struct play p = play_make(text_str(&t), ENGINE_CIRCUIT, true);
		uint64_t *mask = NEW_ARRAY(uint64_t, p.g->words + 1);
		assert_int_equal(step_counter_late(p.g, 0, mask), cases[i].late);
		assert_int_equal(bits_count(mask, p.g->words) > 0, cases[i].late);
		if (cases[i].late)
			assert_true(bits_has(mask, game_find_fluent(p.g, "(step 2)")));
		mem_free(mask);
		play_free(&p);
		text_free(&t);
	}
}

int main(void)
{
	const struct CMUnitTest cases[] = {cmocka_unit_test(found_once), cmocka_unit_test(tried_again_with_more_time),
	                                   cmocka_unit_test(the_same_as_without), cmocka_unit_test(outlives_who_asked),
	                                   cmocka_unit_test(later_is_no_better)};
	return RUN(cases);
}

#include "test.h"

#include "base/clock.h"

#include <time.h>

static void time_goes_forward(void **state)
{
	double last = clock_now();
	for (int i = 0; i < 10000; i++) {
		double now = clock_now();
		assert_true(now >= last);
		last = now;
	}
}

static void sleep_takes_time_but_no_work(void **state)
{
	double wall = clock_now(), work = clock_thread();
	nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
	wall = clock_now() - wall;
	work = clock_thread() - work;
	assert_true(wall >= 0.05);
	assert_true(work >= 0 && work < 0.05);
}

static void a_deadline_is_reached_once_and_for_all(void **state)
{
	double start = clock_now();
	struct limit l = limit_seconds(0.03), far = limit_seconds(1000);
	assert_true(l.deadline >= start + 0.03 && l.deadline <= clock_now() + 0.03);
	assert_false(limit_reached(&far));
	assert_true(limit_left(&far) > 0 && limit_left(&far) <= 1000);
	for (bool reached = false; !reached;) { /* not too soon, not too late, whenever one looks */
		double before = clock_now();
		reached = limit_reached(&l);
		assert_true(reached ? clock_now() >= l.deadline : before < l.deadline);
	}
	assert_true(limit_reached(&l));
	assert_true(limit_left(&l) <= 0);
}

static void no_limit_lasts_for_ever(void **state)
{
	struct limit none = {0};
	assert_false(limit_reached(&none));
	assert_false(limit_reached(NULL));
	assert_true(limit_left(&none) > 1e9);
	assert_true(limit_left(NULL) > 1e9);
}

static void another_thread_may_stop_it(void **state)
{
	atomic_bool stop = false;
	struct limit l = {.stop = &stop};
	assert_false(limit_reached(&l));
	struct limit inner = {.within = &l}, inmost = {.deadline = clock_now() + 100, .within = &inner};
	assert_false(limit_reached(&inmost));
	atomic_store(&stop, true);
	assert_true(limit_reached(&l));
	assert_true(limit_reached(&inmost));
}

static void a_limit_in_the_past_is_reached(void **state)
{
	struct limit l = limit_seconds(-1);
	assert_true(limit_reached(&l));
}

static void processor_time_passes_by_work_alone(void **state)
{
	struct limit l = limit_seconds_of(CLOCK_OF_PROCESS, 0.03), outer = {.within = &l};
	assert_true(l.clock == CLOCK_OF_PROCESS && l.deadline > 0);
	nanosleep(&(struct timespec){.tv_nsec = 60000000}, NULL); /* longer than the limit, but costs no work */
	assert_false(limit_reached(&l));
	assert_true(limit_left(&l) > 0 && limit_left(&l) <= 0.03);
	double start = limit_now(&l), wall = clock_now();
	while (!limit_reached(&outer))
		assert_true(clock_now() - wall < 500);
	assert_true(limit_now(&l) - start > 0.01 && limit_now(&l) >= l.deadline);
	assert_true(limit_left(&outer) <= 0);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(time_goes_forward),
		cmocka_unit_test(sleep_takes_time_but_no_work),
		cmocka_unit_test(a_deadline_is_reached_once_and_for_all),
		cmocka_unit_test(no_limit_lasts_for_ever),
		cmocka_unit_test(another_thread_may_stop_it),
		cmocka_unit_test(a_limit_in_the_past_is_reached),
		cmocka_unit_test(processor_time_passes_by_work_alone),
	};
	return RUN(cases);
}

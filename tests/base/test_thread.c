#include "test.h"

#include "base/clock.h"
#include "base/text.h"
#include "base/thread.h"

#include <stdatomic.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static bool is_free(struct thread_mutex *m)
{
	return !pthread_mutex_trylock(&m->mutex) && !pthread_mutex_unlock(&m->mutex);
}

/* ---- locks ---- */

struct locks {
	struct thread_mutex outer, inner, third;
};

static void lock_and_fail(void *context)
{
	struct locks *l = context;
	thread_lock(&l->outer);
	thread_lock(&l->third);
	thread_lock(&l->inner);
	thread_unlock(&l->third); /* not the newest */
	assert_false(is_free(&l->outer));
	assert_false(is_free(&l->inner));
	assert_true(is_free(&l->third));
	mem_fail();
}

static void locks_are_given_back(void **state)
{
	struct locks l = {THREAD_TURN, THREAD_TURN, THREAD_TURN};
	for (int i = 0; i < 3; i++) {
		assert_false(mem_try(NULL, lock_and_fail, &l));
		assert_true(is_free(&l.outer));
		assert_true(is_free(&l.inner));
		assert_true(is_free(&l.third));
	}
}

static void lock_once(void *m)
{
	thread_lock(m);
	thread_unlock(m);
}

static void a_mutex_over_half_changed_data_is_broken(void **state)
{
	struct locks l;
	thread_mutex_init(&l.outer);
	thread_mutex_init(&l.inner);
	thread_mutex_init(&l.third);
	assert_false(mem_try(NULL, lock_and_fail, &l));
	assert_false(mem_try(NULL, lock_once, &l.outer));
	assert_false(mem_try(NULL, lock_once, &l.inner));
	assert_true(mem_try(NULL, lock_once, &l.third));
	thread_lock_closing(&l.outer);
	assert_false(is_free(&l.outer));
	thread_unlock(&l.outer);
	assert_true(mem_try(NULL, lock_once, &l.outer));
	thread_mutex_free(&l.outer);
	thread_mutex_free(&l.inner);
	thread_mutex_free(&l.third);
}

static void try_in_vain(void *context)
{
	double began = clock_now();
	assert_false(thread_lock_until(context, began + 0.02));
	assert_true(clock_now() >= began + 0.02);
	assert_false(thread_lock_until(context, -1));
}

static void a_lock_may_come_too_late(void **state)
{
	struct thread_mutex m = THREAD_TURN;
	struct thread t;
	assert_true(thread_lock_until(&m, 1e18));
	assert_true(thread_start(&t, try_in_vain, &m));
	assert_true(thread_join(&t));
	thread_unlock(&m);
}

/* ---- waiting ---- */

struct ball {
	struct thread_mutex lock;
	pthread_cond_t change;
	int thrown, of;
};

static void throw_back(void *context)
{
	struct ball *b = context;
	thread_lock(&b->lock);
	while (b->thrown < b->of) {
		while (b->thrown % 2 == 0 && b->thrown < b->of)
			thread_wait(&b->change, &b->lock);
		b->thrown++;
		pthread_cond_broadcast(&b->change);
	}
	thread_unlock(&b->lock);
}

static void waits_are_woken(void **state)
{
	struct ball b = {.of = 2001};
	struct thread t;
	thread_mutex_init(&b.lock);
	thread_cond_init(&b.change);
	assert_true(thread_start(&t, throw_back, &b));
	thread_lock(&b.lock);
	while (b.thrown < b.of) {
		while (b.thrown % 2 == 1 && b.thrown < b.of)
			assert_true(thread_wait_until(&b.change, &b.lock, clock_now() + 60));
		b.thrown++;
		pthread_cond_broadcast(&b.change);
	}
	thread_unlock(&b.lock);
	assert_true(thread_join(&t));
	thread_mutex_free(&b.lock);
	pthread_cond_destroy(&b.change);
}

static void waits_end(void **state)
{
	struct ball b = {0};
	thread_mutex_init(&b.lock);
	thread_cond_init(&b.change);
	thread_lock(&b.lock);
	double began = clock_now();
	while (thread_wait_until(&b.change, &b.lock, began + 0.03))
		;
	assert_in_range((int)((clock_now() - began) * 1000), 29, 60000);
	assert_false(thread_wait_until(&b.change, &b.lock, -5));
	thread_unlock(&b.lock);
	thread_mutex_free(&b.lock);
	pthread_cond_destroy(&b.change);
}

static void wait_and_fail(void *context)
{
	struct ball *b = context;
	thread_lock(&b->lock);
	b->thrown++;
	pthread_cond_broadcast(&b->change);
	while (b->thrown < b->of)
		thread_wait(&b->change, &b->lock);
	mem_fail();
}

static void two_wait_and_fail(void *context)
{
	struct ball *b = context;
	struct thread t[2];
	for (int i = 0; i < 2; i++)
		assert_true(thread_start(&t[i], wait_and_fail, b));
	thread_lock(&b->lock);
	while (b->thrown < 2)
		thread_wait(&b->change, &b->lock);
	b->of = 2;
	pthread_cond_broadcast(&b->change);
	thread_unlock(&b->lock);
	for (int i = 0; i < 2; i++)
		assert_false(thread_join(&t[i]));
}

/* Both held the same mutex while they waited. */
static void a_mutex_is_given_back_after_a_wait(void **state)
{
	struct ball b = {.of = 3};
	thread_mutex_init(&b.lock);
	thread_cond_init(&b.change);
	assert_true(mem_try(NULL, two_wait_and_fail, &b));
	assert_true(is_free(&b.lock));
	thread_mutex_free(&b.lock);
	pthread_cond_destroy(&b.change);
}

/* ---- threads ---- */

struct share {
	size_t from, sum;
	struct mem_scope *scope;
};

static void add_up(void *context)
{
	struct share *s = context;
	s->scope = mem_scope_current();
	for (size_t i = s->from; i < s->from + 1000; i++) {
		void *p = mem_alloc(i + 1, 1), *q = mem_zalloc(1, i + 1);
		p = mem_resize(p, 3, i + 1);
		mem_free(q);
		s->sum += i;
		if (i % 2)
			mem_free(p);
	}
}

static void many_use_one_scope(void **state)
{
	struct share all[8] = {0};
	struct mem_scope *s = mem_scope_new();
	for (size_t i = 0; i < 8; i++)
		all[i].from = 1000 * i;
	mem_scope_enter(s);
	threads_run(8, add_up, all, sizeof *all);
	threads_run(0, add_up, all, sizeof *all);
	mem_scope_leave(NULL);
	size_t sum = 0;
	for (size_t i = 0; i < 8; i++) {
		assert_ptr_equal(all[i].scope, s);
		sum += all[i].sum;
	}
	assert_int_equal(sum, 8000 * 7999 / 2);
	assert_int_equal(mem_blocks(s), 4000);
	mem_scope_free(s);
}

static void run_all(void *all)
{
	threads_run(4, add_up, all, sizeof(struct share));
}

/* One of the threads fails, or the one that starts them, whoever meets the fault. */
static void a_fault_in_threads_reaches_the_joiner(void **state)
{
	size_t ns[] = {1, 2, 3, 100, 1500, 4500, 8000, 12001, 12002};
	for (size_t i = 0; i < sizeof ns / sizeof *ns; i++) {
		struct share all[4] = {0};
		struct mem_scope *s = mem_scope_new();
		struct mem_fault fault;
		mem_fail_after(&fault, ns[i]);
		assert_int_equal(mem_try(s, run_all, all), ns[i] > 12001); /* the threads themselves are one allocation */
		mem_fail_after(&fault, 0);
		mem_scope_free(s);
	}
}

static void ask_too_much(void *context)
{
	mem_alloc(SIZE_MAX / 2, 4);
}

static void start_one_that_fails(void *context)
{
	struct thread t;
	assert_true(thread_start(&t, ask_too_much, NULL));
	assert_false(thread_join(&t));
	*(bool *)context = true;
	mem_fail();
}

static void a_join_says_that_memory_failed(void **state)
{
	bool joined = false;
	assert_false(mem_try(NULL, start_one_that_fails, &joined));
	assert_true(joined);
}

static void thread_outside(void)
{
	struct thread t;
	if (!freopen("/dev/null", "w", stderr))
		_exit(99);
	thread_start(&t, ask_too_much, NULL);
	for (;;)
		pause(); /* nobody joins: the thread itself must end the program */
}

static void outside_of_tries_a_thread_ends_the_program(void **state)
{
	int status;
	fflush(NULL);
	pid_t pid = fork();
	if (!pid)
		thread_outside();
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 3);
}

struct cell {
	struct thread_mutex *lock;
	struct text *shared;
	int number;
};

static void write_line(void *context)
{
	struct cell *c = context;
	for (int i = 0; i < 50; i++) {
		thread_lock(c->lock);
		text_printf(c->shared, "%d writes line %d\n", c->number, i);
		thread_unlock(c->lock);
	}
}

static void write_all(void *cells)
{
	threads_run(3, write_line, cells, sizeof(struct cell));
}

/* The lock of the one that fails must not stop the others for ever. */
static void a_fault_under_a_lock_stops_nobody(void **state)
{
	size_t n = 0;
	for (bool done = false; !done;) {
		struct thread_mutex lock;
		struct text shared = {0};
		struct cell cells[3];
		struct mem_scope *s = mem_scope_new();
		struct mem_fault fault;
		thread_mutex_init(&lock);
		for (int i = 0; i < 3; i++)
			cells[i] = (struct cell){&lock, &shared, i};
		mem_fail_after(&fault, ++n);
		done = mem_try(s, write_all, cells);
		mem_fail_after(&fault, 0);
		assert_true(is_free(&lock));
		assert_true(!done || shared.n > 150 * 15);
		thread_mutex_free(&lock);
		mem_scope_free(s);
	}
	assert_true(n > 3);
}

/* ---- forks ---- */

struct busy {
	struct thread_mutex lock;
	atomic_bool over;
};

static void keep_busy(void *context)
{
	struct busy *b = context;
	while (!atomic_load(&b->over)) {
		thread_lock(&b->lock);
		for (volatile int i = 0; i < 20000; i++)
			;
		thread_unlock(&b->lock);
	}
}

/* Another thread is in the lock almost always; with mem_fork() alone the child waits for it for ever. */
static void a_child_finds_locks_free(void **state)
{
	struct busy b = {.lock = THREAD_TURN};
	struct thread_mutex *const locks[] = {&b.lock};
	struct thread t;
	assert_true(thread_start(&t, keep_busy, &b));
	for (int i = 0; i < 30; i++) {
		int pid = thread_fork(locks, 1), status;
		if (!pid) {
			alarm(60);
			thread_lock(&b.lock);
			thread_unlock(&b.lock);
			_exit(0);
		}
		assert_true(pid > 0);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_true(WIFEXITED(status) && !WEXITSTATUS(status));
	}
	atomic_store(&b.over, true);
	thread_join(&t);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(locks_are_given_back),
		cmocka_unit_test(a_mutex_over_half_changed_data_is_broken),
		cmocka_unit_test(a_lock_may_come_too_late),
		cmocka_unit_test(waits_are_woken),
		cmocka_unit_test(waits_end),
		cmocka_unit_test(a_mutex_is_given_back_after_a_wait),
		cmocka_unit_test(many_use_one_scope),
		cmocka_unit_test(a_fault_in_threads_reaches_the_joiner),
		cmocka_unit_test(a_join_says_that_memory_failed),
		cmocka_unit_test(outside_of_tries_a_thread_ends_the_program),
		cmocka_unit_test(a_fault_under_a_lock_stops_nobody),
		cmocka_unit_test(a_child_finds_locks_free),
	};
	return RUN(cases);
}

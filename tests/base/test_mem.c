#include "test.h"

#include "base/arena.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/vec.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void zeroed_aligned_resized(void **state)
{
	int *z = NEW_ARRAY(int, 1000);
	for (int i = 0; i < 1000; i++)
		assert_int_equal(z[i], 0);
	z[999] = 5;
	z = mem_resize(z, 100000, sizeof *z);
	assert_int_equal(z[999], 5);
	mem_free(z);

	for (size_t n = 1; n < 300; n += 7) {
		unsigned char *a = mem_align(n, 3);
		assert_int_equal((uintptr_t)a % 64, 0);
		for (size_t i = 0; i < 3 * n; i++)
			assert_int_equal(a[i], 0);
		mem_free(a);
	}
}

static void nothing_is_something(void **state)
{
	void *p[] = {mem_alloc(0, 8), mem_zalloc(8, 0), mem_align(0, 0), mem_resize(NULL, 0, 0)};
	for (size_t i = 0; i < sizeof p / sizeof *p; i++) {
		assert_non_null(p[i]);
		mem_free(p[i]);
	}
	mem_free(NULL);
}

/* How a child that calls `f` ends; its message goes nowhere. */
static int exit_of(void (*f)(void))
{
	fflush(NULL);
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		if (!freopen("/dev/null", "w", stderr))
			_exit(99);
		f();
		_exit(0);
	}
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Under AddressSanitizer a hopeless request shall return NULL, as malloc does. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "allocator_may_return_null=1";
}

static volatile size_t huge = SIZE_MAX / 4;

static void ask_overflow(void)
{
	mem_free(mem_alloc(huge, 8));
}

static void ask_overflow_zeroed(void)
{
	mem_free(mem_zalloc(huge, 8));
}

static void ask_overflow_resize(void)
{
	mem_free(mem_resize(NULL, huge, 8));
}

static void ask_too_much(void)
{
	mem_free(mem_alloc(huge, 1));
}

static void overflow_and_exhaustion_end_with_3(void **state)
{
	assert_int_equal(exit_of(ask_overflow), 3);
	assert_int_equal(exit_of(ask_overflow_zeroed), 3);
	assert_int_equal(exit_of(ask_overflow_resize), 3);
	assert_int_equal(exit_of(ask_too_much), 3);
}

static void aligned_blocks_keep_their_bytes_when_resized(void **state)
{
	unsigned char *a = mem_align(100, 1);
	memset(a, 7, 100);
	a = mem_resize(a, 100000, 1);
	for (int i = 0; i < 100; i++)
		assert_int_equal(a[i], 7);
	mem_free(a);
}

/* ---- scopes ---- */

static void a_scope_frees_what_is_left(void **state)
{
	struct mem_scope *s = mem_scope_new(), *before = mem_scope_enter(s);
	assert_null(before);
	assert_ptr_equal(mem_scope_current(), s);
	void *kept[50], *gone[50];
	for (size_t i = 0; i < 50; i++) {
		kept[i] = i % 2 ? mem_alloc(i, 3) : mem_align(i, 3);
		gone[i] = mem_zalloc(i, 100);
		assert_int_equal((uintptr_t)kept[i] % 16, 0);
		assert_int_equal((uintptr_t)gone[i] % 16, 0);
	}
	assert_int_equal(mem_blocks(s), 100);
	for (size_t i = 0; i < 50; i++) {
		mem_free(gone[i]);
		kept[i] = mem_resize(kept[i], 1000 * (i + 1), 1);
		memset(kept[i], 1, 1000 * (i + 1));
	}
	assert_int_equal(mem_blocks(s), 50);
	assert_true(mem_bytes(s) >= 1000 * 50 * 51 / 2);
	mem_scope_leave(before);
	assert_null(mem_scope_current());
	mem_scope_free(s);
	mem_scope_free(NULL);
}

static void a_block_remembers_its_scope(void **state)
{
	struct mem_scope *a = mem_scope_new(), *b = mem_scope_new();
	char *free_block = mem_alloc(10, 1);
	mem_scope_enter(a);
	char *of_a = mem_alloc(10, 1);
	size_t small = mem_bytes(a);
	assert_ptr_equal(mem_scope_enter(b), a);
	of_a = mem_resize(of_a, 1000, 1);
	free_block = mem_resize(free_block, 1000, 1);
	assert_int_equal(mem_blocks(a), 1);
	assert_int_equal(mem_bytes(a), small + 990);
	assert_int_equal(mem_blocks(b), 0);
	char *beside = mem_beside(of_a, 10, 1);
	assert_ptr_equal(mem_scope_of(beside), a);
	assert_null(mem_scope_of(free_block));
	assert_ptr_equal(mem_scope_current(), b);
	mem_free(beside);
	beside = mem_beside(NULL, 10, 1);
	assert_ptr_equal(mem_scope_of(beside), b);
	mem_free(beside);
	mem_scope_leave(NULL);
	mem_free(of_a);
	mem_free(free_block);
	assert_int_equal(mem_blocks(a), 0);
	assert_int_equal(mem_bytes(a), 0);
	mem_scope_free(a);
	mem_scope_free(b);
}

/* ---- failure ---- */

struct trace {
	struct mem_scope *scope;
	struct text said; /* without a scope */
	size_t ask;
	void *block;
};

static void say(struct trace *t, const char *what)
{
	struct mem_scope *before = mem_scope_enter(NULL);
	text_puts(&t->said, what);
	mem_scope_leave(before);
}

static void say_one(void *t)
{
	say(t, "1");
}

static void say_two(void *t)
{
	say(t, "2");
}

static void say_three(void *t)
{
	say(t, "3");
}

static void a_scope_releases_what_it_owns(void **state)
{
	struct trace t = {.scope = mem_scope_new()};
	assert_null(mem_own(say_three, &t));
	mem_disown(NULL);
	mem_scope_enter(t.scope);
	mem_own(say_one, &t);
	struct mem_resource *three = mem_own(say_three, &t);
	mem_own(say_two, &t);
	mem_disown(three);
	mem_scope_leave(NULL);
	assert_int_equal(mem_blocks(t.scope), 2);
	mem_scope_free(t.scope);
	assert_string_equal(text_str(&t.said), "21");
	text_free(&t.said);
}

static void own_three(void *context)
{
	mem_own(say_three, context);
}

static void what_cannot_be_owned_is_released(void **state)
{
	struct trace t = {.scope = mem_scope_new()};
	mem_scope_limit(t.scope, 1);
	assert_false(mem_try(t.scope, own_three, &t));
	mem_scope_free(t.scope);
	assert_string_equal(text_str(&t.said), "3");
	text_free(&t.said);
}

static void ask_once(void *context)
{
	struct trace *t = context;
	struct mem_cleanup one, two, three;
	mem_cleanup_push(&one, say_one, t);
	mem_cleanup_push(&two, say_two, t);
	mem_cleanup_push(&three, say_three, t);
	mem_cleanup_pop(&two);
	t->block = mem_alloc(t->ask, 1);
	mem_cleanup_pop(&three);
	mem_cleanup_pop(&one);
	say(t, "done");
}

static void a_try_returns_whether_it_was_done(void **state)
{
	struct trace t = {.scope = mem_scope_new(), .ask = 5};
	assert_false(mem_in_try());
	assert_true(mem_try(t.scope, ask_once, &t));
	assert_string_equal(text_str(&t.said), "done");
	assert_int_equal(mem_blocks(t.scope), 1);
	vec_clear(&t.said);
	t.ask = huge;
	assert_false(mem_try(t.scope, ask_once, &t));
	assert_string_equal(text_str(&t.said), "31");
	assert_int_equal(mem_blocks(t.scope), 1);
	assert_false(mem_in_try());
	assert_null(mem_scope_current());
	mem_scope_free(t.scope);
	text_free(&t.said);
}

static void statements_are_tried_as_well(void **state)
{
	struct mem_scope *s = mem_scope_new();
	bool done;
	void *volatile p = NULL;
	MEM_TRY(done, s, p = mem_alloc(1, 1));
	assert_true(done);
	assert_non_null(p);
	assert_int_equal(mem_blocks(s), 1);
	MEM_TRY(done, s, mem_free(p); p = NULL; p = mem_alloc(huge, 1));
	assert_false(done);
	assert_null(p);
	assert_int_equal(mem_blocks(s), 0);
	assert_false(mem_in_try());
	mem_scope_free(s);
}

static void nested(void *context)
{
	struct trace *t = context;
	struct mem_cleanup three;
	mem_cleanup_push(&three, say_three, t);
	struct mem_scope *inner = mem_scope_new();
	assert_false(mem_try(inner, ask_once, t));
	assert_ptr_equal(mem_scope_current(), t->scope);
	assert_true(mem_in_try());
	say(t, " caught ");
	mem_scope_free(inner);
	mem_fail();
}

static void the_innermost_try_catches(void **state)
{
	struct trace t = {.scope = mem_scope_new(), .ask = huge};
	assert_false(mem_try(t.scope, nested, &t));
	assert_string_equal(text_str(&t.said), "31 caught 3");
	assert_false(mem_in_try());
	mem_scope_free(t.scope);
	text_free(&t.said);
}

static void fail_in_cleanup(void *context)
{
	say(context, "!");
	mem_fail();
}

static void ask_with_bad_cleanup(void *context)
{
	struct mem_cleanup one, bad;
	mem_cleanup_push(&one, say_one, context);
	mem_cleanup_push(&bad, fail_in_cleanup, context);
	mem_fail();
}

static void a_cleanup_that_fails_is_run_once(void **state)
{
	struct trace t = {0};
	assert_false(mem_try(NULL, ask_with_bad_cleanup, &t));
	assert_string_equal(text_str(&t.said), "!1");
	text_free(&t.said);
}

static void every_overflow(void *context)
{
	struct trace *t = context;
	t->block = mem_alloc(10, 1);
	size_t bytes = mem_bytes(t->scope);
	switch (t->ask) {
	case 0: mem_alloc(huge, 8); break;
	case 1: mem_zalloc(8, huge); break;
	case 2: mem_align(huge, 8); break;
	case 3: mem_resize(NULL, huge, 8); break;
	case 4: mem_resize(t->block, huge, 8); break;
	case 5:
		mem_alloc(SIZE_MAX - bytes + bytes, 1); /* the block alone would fit, with its front it does not */
		break;
	case 6: mem_resize(t->block, huge, 1); break;
	case 7: mem_align(SIZE_MAX / 2, 2);
	}
}

static void overflow_is_caught(void **state)
{
	for (size_t i = 0; i < 8; i++) {
		struct trace t = {.scope = mem_scope_new(), .ask = i};
		assert_false(mem_try(t.scope, every_overflow, &t));
		assert_int_equal(mem_blocks(t.scope), 1);
		memset(t.block, 1, 10); /* a failed resize leaves the block */
		mem_free(t.block);
		assert_int_equal(mem_bytes(t.scope), 0);
		mem_scope_free(t.scope);
	}
}

static void grow_for_ever(void *context)
{
	VEC(int) v = {0};
	for (int i = 0;; i++) {
		vec_push(&v, i);
		if (i % 100 == 0)
			mem_alloc(100, 1);
	}
}

static void a_limit_is_kept(void **state)
{
	struct mem_scope *s = mem_scope_new();
	mem_scope_limit(s, 1 << 20);
	assert_false(mem_try(s, grow_for_ever, NULL));
	assert_in_range(mem_bytes(s), 1 << 18, 1 << 20);
	struct trace t = {.ask = (1 << 20) - mem_bytes(s) - 32};
	assert_true(mem_try(s, ask_once, &t)); /* to the last byte */
	assert_int_equal(mem_bytes(s), 1 << 20);
	t.ask = 0;
	assert_false(mem_try(s, ask_once, &t));
	mem_scope_limit(s, 0);
	assert_true(mem_try(s, ask_once, &t));
	mem_scope_free(s);
	text_free(&t.said);
}

static void a_block_may_shrink_beyond_the_limit(void **state)
{
	struct mem_scope *s = mem_scope_new();
	mem_scope_enter(s);
	char *p = mem_alloc(1000, 1);
	mem_scope_limit(s, 10);
	p = mem_resize(p, 500, 1);
	mem_scope_leave(NULL);
	assert_int_equal(mem_blocks(s), 1);
	assert_in_range(mem_bytes(s), 500, 600);
	mem_scope_free(s);
}

/* ---- faults ---- */

struct house {
	struct text text;
	VEC(struct text) rooms;
	struct arena arena;
	struct table table;
	size_t sum;
};

static void build_house(void *context)
{
	struct house *h = context;
	for (uint32_t i = 0; i < 300; i++) {
		text_printf(&h->text, "room %u, ", i);
		vec_push(&h->rooms, (struct text){0});
		text_puts(&vec_last(&h->rooms), "a name");
		memset(arena_alloc(&h->arena, 100 * i), 1, 100 * i);
		table_add(&h->table, hash_mix(i), i);
		if (i % 3 == 0) {
			text_free(&vec_last(&h->rooms));
			(void)vec_pop(&h->rooms);
		}
	}
	h->sum = h->text.n + h->rooms.n + h->table.n;
}

static void pull_down(struct house *h)
{
	text_free(&h->text);
	for (size_t i = 0; i < h->rooms.n; i++)
		text_free(&h->rooms.at[i]);
	vec_free(&h->rooms);
	arena_free(&h->arena);
	table_free(&h->table);
}

static void containers_grow_where_they_began(void **state)
{
	struct mem_scope *a = mem_scope_new(), *b = mem_scope_new();
	struct house h = {0};
	mem_scope_enter(a);
	text_puts(&h.text, "x");
	vec_push(&h.rooms, (struct text){0});
	arena_alloc(&h.arena, 1);
	table_add(&h.table, 1, 1);
	mem_scope_enter(b);
	for (uint32_t i = 0; i < 1000; i++) {
		text_puts(&h.text, "more and more");
		vec_push(&h.rooms, (struct text){0});
		arena_alloc(&h.arena, 1000);
		table_add(&h.table, hash_mix(i), i);
	}
	mem_scope_leave(NULL);
	assert_int_equal(mem_blocks(b), 0);
	mem_scope_free(a);
	mem_scope_free(b);
}

/* The n-th allocation fails, for every n until there is none. */
static void every_fault_is_caught(void **state)
{
	struct house good = {0};
	build_house(&good);
	size_t n = 0;
	for (bool done = false; !done;) {
		struct mem_scope *s = mem_scope_new();
		struct mem_fault fault;
		struct house h = {0};
		mem_fail_after(&fault, ++n);
		done = mem_try(s, build_house, &h);
		assert_int_equal(done, atomic_load(&fault.left) > 0);
		mem_fail_after(&fault, 0);
		if (done) {
			assert_int_equal(h.sum, good.sum);
			assert_string_equal(text_str(&h.text), text_str(&good.text));
			pull_down(&h);
			assert_int_equal(mem_blocks(s), 0);
			assert_int_equal(mem_bytes(s), 0);
		}
		mem_scope_free(s);
	}
	assert_true(n > 200);
	pull_down(&good);
}

static void a_scope_may_fail_to_be_made(void **state)
{
	struct mem_fault fault;
	mem_fail_after(&fault, 1);
	assert_null(mem_scope_new());
	struct mem_scope *s = mem_scope_new(); /* a fault strikes once */
	assert_non_null(s);
	mem_fail_after(&fault, 0);
	mem_scope_free(s);
}

static void fail_outside(void)
{
	struct mem_fault fault;
	mem_fail_after(&fault, 2);
	mem_free(mem_alloc(1, 1));
	mem_free(mem_alloc(1, 1));
}

static void a_fault_outside_of_tries_ends_with_3(void **state)
{
	assert_int_equal(exit_of(fail_outside), 3);
	assert_int_equal(exit_of(mem_fail), 3);
}

/* ---- processes ---- */

static void fork_and_fail(void *context)
{
	struct trace *t = context;
	t->block = mem_alloc(10, 1);
	fflush(NULL);
	pid_t pid = mem_fork();
	if (!pid) {
		if (!freopen("/dev/null", "w", stderr) || mem_in_try() || mem_scope_current())
			_exit(98);
		mem_free(t->block);
		_exit(mem_blocks(t->scope) == 0 ? 0 : 97);
	}
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(mem_blocks(t->scope), 1);
	assert_true(mem_in_try());
}

static void a_child_is_outside(void **state)
{
	struct trace t = {.scope = mem_scope_new()};
	assert_true(mem_try(t.scope, fork_and_fail, &t));
	mem_scope_free(t.scope);
}

static void the_machine_has_memory_and_we_use_some(void **state)
{
	assert_true(mem_physical() > (size_t)16 << 20);
	size_t before = mem_resident(), size = (size_t)32 << 20;
	char *p = mem_alloc(1, size);
	memset(p, 1, size);
	__asm__ volatile("" ::"r"(p) : "memory"); /* the writes must happen */
	assert_true(mem_resident() >= before + size / 2);
	mem_free(p);
}

static void a_released_scope_goes_with_its_last_block(void **state)
{
	struct mem_scope *s = mem_scope_new(), *previous = mem_scope_enter(s);
	char *a = mem_alloc(1, 10), *b = mem_alloc(1, 10);
	mem_scope_leave(previous);
	mem_free(a);
	mem_scope_release(s);
	memset(b, 1, 10); /* handed on: still there */
	b = mem_resize(b, 1, 1000);
	mem_free(b);
	mem_scope_release(mem_scope_new());
	mem_scope_release(NULL);
}

struct two {
	char *first, *second;
};

static void make_two(void *context)
{
	struct two *t = context;
	t->first = mem_alloc(1, 10);
	t->second = mem_alloc(1, 10);
}

static void add_two(void *context)
{
	mem_whole(make_two, context);
}

/* What the work has made is all there or not at all. */
static void work_is_done_as_a_whole(void **state)
{
	struct two t = {0};
	add_two(&t);
	mem_free(t.first);
	mem_free(t.second);
	for (size_t n = 1;; n++) { /* the scope, then the two blocks */
		struct mem_scope *s = mem_scope_new();
		struct mem_fault fault = {0};
		mem_fail_after(&fault, n);
		bool done = mem_try(s, add_two, &t);
		mem_fail_after(&fault, 0);
		assert_int_equal(mem_blocks(s), 0);
		if (done) {
			assert_int_equal(n, 4);
			mem_scope_release(s);
			break;
		}
		mem_scope_free(s);
	}
	mem_free(t.first);
	mem_free(t.second);
}

/* What was added as a whole goes with the scope it was added to, however that ends. */
static void parts_go_with_the_whole(void **state)
{
	struct two t = {0};
	struct mem_scope *s = mem_scope_new();
	assert_true(mem_try(s, add_two, &t));
	assert_true(mem_try(s, add_two, &t));
	mem_scope_free(s);
	s = mem_scope_new();
	assert_true(mem_try(s, add_two, &t));
	mem_scope_release(s);
	mem_free(t.first);
	mem_free(t.second);
	s = mem_scope_new();
	assert_true(mem_try(s, add_two, &t));
	mem_free(t.first);
	mem_free(t.second);
	mem_scope_release(s);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(zeroed_aligned_resized),
		cmocka_unit_test(nothing_is_something),
		cmocka_unit_test(overflow_and_exhaustion_end_with_3),
		cmocka_unit_test(aligned_blocks_keep_their_bytes_when_resized),
		cmocka_unit_test(a_scope_frees_what_is_left),
		cmocka_unit_test(a_block_remembers_its_scope),
		cmocka_unit_test(a_scope_releases_what_it_owns),
		cmocka_unit_test(what_cannot_be_owned_is_released),
		cmocka_unit_test(a_try_returns_whether_it_was_done),
		cmocka_unit_test(statements_are_tried_as_well),
		cmocka_unit_test(the_innermost_try_catches),
		cmocka_unit_test(a_cleanup_that_fails_is_run_once),
		cmocka_unit_test(overflow_is_caught),
		cmocka_unit_test(a_limit_is_kept),
		cmocka_unit_test(a_block_may_shrink_beyond_the_limit),
		cmocka_unit_test(containers_grow_where_they_began),
		cmocka_unit_test(every_fault_is_caught),
		cmocka_unit_test(a_scope_may_fail_to_be_made),
		cmocka_unit_test(a_fault_outside_of_tries_ends_with_3),
		cmocka_unit_test(a_child_is_outside),
		cmocka_unit_test(a_released_scope_goes_with_its_last_block),
		cmocka_unit_test(work_is_done_as_a_whole),
		cmocka_unit_test(parts_go_with_the_whole),
		cmocka_unit_test(the_machine_has_memory_and_we_use_some),
	};
	return RUN(cases);
}

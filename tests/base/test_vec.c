#include "test.h"

#include "base/vec.h"

struct pair {
	int a, b;
};

static void grows_and_keeps_its_elements(void **state)
{
	VEC(int) v = {0};
	for (int i = 0; i < 10000; i++)
		vec_push(&v, i);
	assert_int_equal(v.n, 10000);
	assert_true(v.cap < 40000);
	for (int i = 0; i < 10000; i++)
		assert_int_equal(v.at[i], i);
	vec_free(&v);
	assert_null(v.at);
	assert_int_equal(v.cap, 0);
}

static void stack_of_structs(void **state)
{
	VEC(struct pair) v = {0};
	vec_push(&v, (struct pair){1, 2});
	vec_push(&v, (struct pair){3, 4});
	assert_int_equal(vec_last(&v).b, 4);
	assert_int_equal(vec_pop(&v).a, 3);
	assert_int_equal(v.n, 1);
	vec_clear(&v);
	assert_int_equal(v.n, 0);
	assert_true(v.cap >= 2);
	vec_free(&v);
}

static void reserve_and_extend(void **state)
{
	VEC(char) v = {0};
	vec_reserve(&v, 100);
	assert_true(v.cap >= 100);
	assert_int_equal(v.n, 0);
	char *before = v.at;
	vec_extend(&v, 100);
	assert_int_equal(v.n, 100);
	assert_ptr_equal(v.at, before);
	vec_extend(&v, 0);
	assert_int_equal(v.n, 100);
	vec_free(&v);
}

static void set_takes_the_place_of_what_was_there(void **state)
{
	VEC(int) v = {0};
	static const int three[] = {1, 2, 3};
	vec_push(&v, 9);
	vec_set(&v, three, 3);
	assert_int_equal(v.n, 3);
	assert_memory_equal(v.at, three, sizeof three);
	const int *none = NULL;
	vec_set(&v, none, 3);
	assert_int_equal(v.n, 0);
	vec_free(&v);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(set_takes_the_place_of_what_was_there),
		cmocka_unit_test(grows_and_keeps_its_elements),
		cmocka_unit_test(stack_of_structs),
		cmocka_unit_test(reserve_and_extend),
	};
	return RUN(cases);
}

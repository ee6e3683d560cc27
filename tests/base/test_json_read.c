/* JSON that is read: values of every kind, and what is refused, with its line. */
#include "test.h"

#include "base/json_read.h"

#include <string.h>

static void every_kind_of_value(void **state)
{
	static const char text[] =
		" {\"a\": [1, -2.5e1, true, false, null],\n \"b\": {\"c\": \"x\\n\\u00e9\\ud83d\\ude00 \\\"\"}, \"d\": []}\n";
	struct arena a = {0};
	struct text error = {0};
	const struct json *j = json_read(&a, text, strlen(text), &error);
	assert_non_null(j);
	const struct json *list = json_member(j, "a"), *at = list->first;
	assert_int_equal(list->type, JSON_IS_ARRAY);
	assert_true(at->type == JSON_IS_NUMBER && at->number == 1);
	at = at->next;
	assert_true(at->number == -25);
	at = at->next;
	assert_true(at->type == JSON_IS_BOOL && at->yes && !at->next->yes);
	at = at->next->next;
	assert_true(at->type == JSON_IS_NULL && !at->next);
	assert_string_equal(json_member(json_member(j, "b"), "c")->text, "x\né😀 \"");
	assert_int_equal(json_member(j, "b")->line, 2);
	assert_null(json_member(j, "d")->first);
	assert_null(json_member(j, "e"));
	assert_null(json_member(list, "a"));
	arena_free(&a);
}

static void what_is_wrong_is_named(void **state)
{
	static const char *const wrong[] = {
		"",    "{",     "[1,]",     "{\"a\"}",     "{\"a\":}",    "{a: 1}", "\"\\x\"", "\"\\ud800\"", "tru", "1 2",
		"nul", "[1 2]", "\"a\nb\"", "{\"a\": 1,}", "\"\\u0000\"", "--1",    "\"a",     "\"\xff\"",    "[",   "]"};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct arena a = {0};
		struct text error = {0};
		if (json_read(&a, wrong[i], strlen(wrong[i]), &error))
			fail_msg("%s was read", wrong[i]);
		assert_memory_equal(text_str(&error), "line 1: ", 8);
		text_free(&error);
		arena_free(&a);
	}
	struct arena a = {0};
	struct text error = {0}, deep = {0};
	assert_null(json_read(&a, "[1,\n2,\n?]", 9, &error));
	assert_string_equal(text_str(&error), "line 3: a value is expected");
	for (int i = 0; i < 100000; i++)
		text_putc(&deep, '[');
	assert_null(json_read(&a, deep.at, deep.n, &error));
	text_free(&deep);
	text_free(&error);
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(every_kind_of_value),
		cmocka_unit_test(what_is_wrong_is_named),
	};
	return RUN(cases);
}

/* The JSON writer: commas, nesting, strings of any bytes, numbers. */
#include "test.h"

#include "base/json.h"

#include <math.h>
#include <string.h>

static void nests_and_separates(void **state)
{
	struct text t = {0};
	struct json_writer w = {.out = &t};
	jsonw_object(&w, NULL);
	jsonw_text(&w, "a", "x\"\\\n\x01");
	jsonw_array(&w, "b");
	jsonw_int(&w, NULL, -1);
	jsonw_uint(&w, NULL, UINT64_MAX);
	jsonw_object(&w, NULL);
	jsonw_end(&w);
	jsonw_array(&w, NULL);
	jsonw_end(&w);
	jsonw_end(&w);
	jsonw_bool(&w, "c", true);
	jsonw_text(&w, "d", NULL);
	jsonw_raw(&w, "e", "[1]");
	jsonw_end(&w);
	assert_string_equal(t.at, "{\"a\":\"x\\\"\\\\\\n\\u0001\",\"b\":[-1,18446744073709551615,{},[]],\"c\":true,"
	                          "\"d\":null,\"e\":[1]}");
	text_free(&t);
}

static void numbers_are_json(void **state)
{
	struct text t = {0};
	struct json_writer w = {.out = &t};
	jsonw_array(&w, NULL);
	jsonw_real(&w, NULL, 1);
	jsonw_real(&w, NULL, 0.1);
	jsonw_real(&w, NULL, 1e300);
	jsonw_real(&w, NULL, NAN);
	jsonw_real(&w, NULL, -INFINITY);
	jsonw_end(&w);
	assert_string_equal(t.at, "[1.0,0.1,1e+300,null,null]");
	text_free(&t);
}

static void bytes_become_utf8(void **state)
{
	struct text t = {0};
	json_quote(&t, "a\xff\xc3\xa9\xc3", 5);
	assert_string_equal(t.at, "\"a?\xc3\xa9?\"");
	text_free(&t);
}

static void strings_are_escaped(void **state)
{
	const char *odd = "a\"b\\c\nd\te\x01 \xc3\xa9";
	struct text t = {0};
	json_quote(&t, odd, strlen(odd));
	assert_string_equal(text_str(&t), "\"a\\\"b\\\\c\\nd\\u0009e\\u0001 \xc3\xa9\"");
	text_free(&t);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(nests_and_separates),
		cmocka_unit_test(numbers_are_json),
		cmocka_unit_test(bytes_become_utf8),
		cmocka_unit_test(strings_are_escaped),
	};
	return RUN(cases);
}

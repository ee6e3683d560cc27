#include "test.h"

#include "base/text.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void grows_and_is_always_terminated(void **state)
{
	struct text t = {0};
	assert_string_equal(text_str(&t), "");
	text_puts(&t, "mac");
	text_putc(&t, 'a');
	text_printf(&t, "%c%d", 'w', 7);
	assert_string_equal(text_str(&t), "macaw7");
	assert_int_equal(t.n, 6);
	for (int i = 0; i < 10000; i++) {
		text_printf(&t, "%d,", i);
		assert_int_equal(t.at[t.n], 0);
	}
	assert_int_equal(strlen(t.at), t.n);
	text_free(&t);
	assert_string_equal(text_str(&t), "");
}

static void bytes_may_be_zero(void **state)
{
	struct text t = {0};
	text_add(&t, "a\0b", 3);
	assert_int_equal(t.n, 3);
	assert_memory_equal(t.at, "a\0b", 4);
	text_add(&t, NULL, 0);
	assert_int_equal(t.n, 3);
	text_printf(&t, "%s", "");
	assert_int_equal(t.n, 3);
	text_free(&t);
}

/* A file of `n` bytes for one case. */
static char path[] = "/tmp/macaw-test-XXXXXX";

static void write_file(const char *bytes, size_t n)
{
	strcpy(path + sizeof path - 7, "XXXXXX");
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, n), n);
	close(fd);
}

static void reads_whole_files(void **state)
{
	size_t n = 300000;
	char *big = test_malloc(n);
	for (size_t i = 0; i < n; i++)
		big[i] = (char)(i * 31 >> 3);
	write_file(big, n);
	struct text t = {0};
	text_puts(&t, "old content goes");
	assert_true(text_read_file(&t, path, n, NULL));
	assert_int_equal(t.n, n);
	assert_memory_equal(t.at, big, n);
	assert_int_equal(t.at[n], 0);
	struct text message = {0};
	bool done = text_read_file(&t, path, n - 1, &message);
	assert_false(done);
	assert_non_null(strstr(message.at, "larger than"));
	unlink(path);
	text_free(&message);
	text_free(&t);
	test_free(big);
}

static void empty_file_is_empty_text(void **state)
{
	struct text t = {0};
	write_file("", 0);
	assert_true(text_read_file(&t, path, 10, NULL));
	assert_string_equal(text_str(&t), "");
	unlink(path);
	text_free(&t);
}

static void what_cannot_be_read_is_named(void **state)
{
	struct text t = {0};
	struct text message = {0};
	bool done = text_read_file(&t, "/no/such/file", 10, &message);
	assert_false(done);
	assert_string_equal(message.at, "cannot read /no/such/file: No such file or directory");
	vec_clear(&message);
	done = text_read_file(&t, "/", 10, &message);
	assert_false(done);
	assert_string_equal(message.at, "/ is a directory, not a file");
	text_free(&message);
	text_free(&t);
}

static void no_permission_is_reported(void **state)
{
	struct text t = {0};
	uid_t me = geteuid();
	write_file("x", 1);
	chmod(path, 0);
	if (!me && seteuid(65534)) /* root may read everything, so be somebody else */
		SKIP("root cannot become anybody else here");
	struct text message = {0};
	bool done = text_read_file(&t, path, 10, &message);
	assert_int_equal(seteuid(me), 0);
	assert_false(done);
	assert_non_null(strstr(message.at, "Permission denied"));
	unlink(path);
	text_free(&message);
	text_free(&t);
}

static void an_endless_file_is_bounded(void **state)
{
	struct text t = {0};
	struct text message = {0};
	bool done = text_read_file(&t, "/dev/zero", (size_t)4 << 20, &message);
	assert_false(done);
	assert_non_null(strstr(message.at, "larger than 4 MB"));
	text_free(&message);
	text_free(&t);
}

static void what_strangers_wrote_is_made_plain(void **state)
{
	struct text t = {0};
	text_plain(&t, "a\nb\x1b[2J\x7f %s", 100);
	assert_string_equal(t.at, "a?b?[2J? %s");
	t.n = 0;
	text_plain(&t, "abcdef", 3);
	assert_string_equal(t.at, "abc...");
	t.n = 0;
	text_plain(&t, "abc", 3);
	assert_string_equal(t.at, "abc");
	text_free(&t);
	char *copy = text_copy("abcdef", 2);
	assert_string_equal(copy, "ab");
	mem_free(copy);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(what_strangers_wrote_is_made_plain),
		cmocka_unit_test(grows_and_is_always_terminated),
		cmocka_unit_test(bytes_may_be_zero),
		cmocka_unit_test(reads_whole_files),
		cmocka_unit_test(empty_file_is_empty_text),
		cmocka_unit_test(what_cannot_be_read_is_named),
		cmocka_unit_test(no_permission_is_reported),
		cmocka_unit_test(an_endless_file_is_bounded),
	};
	return RUN(cases);
}

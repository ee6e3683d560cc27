#include "test.h"

#include "base/clock.h"
#include "base/progress.h"

#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Runs `f` with stderr on `fd`. */
static void with_stderr(int fd, void (*f)(bool quiet), bool quiet)
{
	fflush(stderr);
	int keep = dup(STDERR_FILENO);
	assert_true(keep >= 0);
	dup2(fd, STDERR_FILENO);
	f(quiet);
	fflush(stderr);
	dup2(keep, STDERR_FILENO);
	close(keep);
}

static void some_work(bool quiet)
{
	struct progress p = progress_start("Counting", quiet);
	progress_step(&p, 1, 4, "one");
	p.drawn = clock_now() + 1000; /* however long the machine lets this wait */
	progress_step(&p, 2, 4, "too soon to be drawn");
	p.drawn = clock_now() - 0.12;
	progress_step(&p, 9, 4, NULL); /* more than all */
	p.drawn = clock_now() - 0.12;
	progress_step(&p, 12345, 0, NULL);
	progress_end(&p);
	progress_step(&p, 1, 4, "after the end");
}

static void a_pipe_hears_nothing(void **state)
{
	int ends[2];
	char got[10];
	assert_int_equal(pipe(ends), 0);
	with_stderr(ends[1], some_work, false);
	close(ends[1]);
	assert_int_equal(read(ends[0], got, sizeof got), 0);
	close(ends[0]);
}

static unsigned short width;

/* What a terminal `width` wide (0: it does not know) is sent. */
static bool terminal_hears(bool quiet, char *got, size_t size)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY);
	if (master < 0 || grantpt(master) || unlockpt(master))
		return false;
	int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
	if (slave < 0)
		return false;
	assert_int_equal(ioctl(slave, TIOCSWINSZ, &(struct winsize){.ws_col = width}), 0);
	with_stderr(slave, some_work, quiet);
	close(slave);
	size_t n = 0; /* what was sent arrives in pieces, then comes an error: nobody is left */
	for (ssize_t more; (more = read(master, got + n, size - 1 - n)) > 0;)
		n += (size_t)more;
	got[n] = 0;
	close(master);
	return true;
}

static void a_terminal_sees_a_bar(void **state)
{
	char got[2000];
	setenv("TERM", "xterm", 1);
	if (!terminal_hears(false, got, sizeof got))
		SKIP("no pseudo-terminals here");
	assert_non_null(strstr(got, "Counting [######"));
	assert_non_null(strstr(got, " 25%"));
	assert_non_null(strstr(got, "  one"));
	assert_non_null(strstr(got, "100%"));
	assert_non_null(strstr(got, "Counting 12345"));
	assert_null(strstr(got, "too soon"));
	assert_null(strstr(got, "after the end"));
	assert_string_equal(got + strlen(got) - 4, "\r\033[K"); /* the line is wiped at last */
}

static void lines_are_cut_to_the_width(void **state)
{
	char got[2000];
	setenv("TERM", "xterm", 1);
	width = 12;
	bool able = terminal_hears(false, got, sizeof got);
	width = 0;
	if (!able)
		SKIP("no pseudo-terminals here");
	assert_string_equal(got, "\r\033[KCounting [#\r\033[KCounting [#\r\033[KCounting 12\r\033[K");
}

static void quiet_is_quiet(void **state)
{
	char got[2000];
	if (!terminal_hears(true, got, sizeof got))
		SKIP("no pseudo-terminals here");
	assert_string_equal(got, "");
}

static void a_dumb_terminal_is_spared(void **state)
{
	char got[2000];
	setenv("TERM", "dumb", 1);
	if (!terminal_hears(false, got, sizeof got))
		SKIP("no pseudo-terminals here");
	assert_string_equal(got, "");
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(a_pipe_hears_nothing),       cmocka_unit_test(a_terminal_sees_a_bar),
		cmocka_unit_test(lines_are_cut_to_the_width), cmocka_unit_test(quiet_is_quiet),
		cmocka_unit_test(a_dumb_terminal_is_spared),
	};
	return RUN(cases);
}

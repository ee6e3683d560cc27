/* The scripts a newcomer meets first: scripts/setup on systems that lack
 * things (played by a PATH of our own), and the counting at the end of the tests. */
#include "test.h"

#include "run.h"

#include <string.h>

/* Runs a shell line in a new, empty folder that is its working directory. */
static struct run shell(const char *line)
{
	struct text script = {0};
	text_printf(&script, "set -e; dir=$(mktemp -d); trap 'rm -rf \"$dir\"' EXIT; cd \"$dir\"; mkdir bin; %s", line);
	char *words[] = {"sh", "-c", script.at, NULL};
	struct run r = run_words("sh", words);
	text_free(&script);
	return r;
}

static void expect(struct run r, int status, const char *out, const char *err)
{
	if (r.status != status || !strstr(text_str(&r.out), out) || !strstr(text_str(&r.err), err))
		fail_msg("status %d\nstdout: %s\nstderr: %s", r.status, text_str(&r.out), text_str(&r.err));
	run_free(&r);
}

#define SETUP "PATH=$PWD/bin /bin/sh \"$MACAW_SOURCE/scripts/setup\""
/* A command of ours, found first (and only) in PATH. */
#define FAKE(name, body) "printf '#!/bin/sh\\n%s\\n' '" body "' >bin/" name "; chmod +x bin/" name "; "
/* Every command that scripts/setup asks for. */
#define EVERYTHING \
	"for name in $(awk \"\\$2 == \\\"command\\\" && NF == 3 { print \\$3 }\" \"$MACAW_SOURCE/scripts/setup\"); do " \
	"printf '#!/bin/sh\\nexit 0\\n' >\"bin/$name\"; chmod +x \"bin/$name\"; done; "

static void setup_without_apt_prints_the_list(void **state)
{
	expect(shell(SETUP), 3, "", " gcc g++ meson ninja-build ");
}

static void setup_does_nothing_when_all_is_there(void **state)
{
	struct run r = shell(EVERYTHING FAKE("apt-get", "echo called >&2; exit 1") SETUP);
	assert_int_equal(r.status, 0);
	assert_int_equal(r.out.n + r.err.n, 0);
	run_free(&r);
}

static void setup_installs_what_is_missing_and_only_that(void **state)
{
	/* This apt-get "installs" by making ninja appear. */
	expect(shell(EVERYTHING "rm bin/ninja; ln -s \"$(command -v env)\" \"$(command -v cp)\" bin; " FAKE("id", "echo 0")
	                 FAKE("apt-get", "echo apt-get \"$@\"; cp bin/gcc bin/ninja") SETUP),
	       0, "Installing: ninja-build\napt-get install -y -q --no-install-recommends ninja-build\n", "");
}

static void setup_without_rights_says_what_to_run(void **state)
{
	expect(shell(EVERYTHING "rm bin/meson; " FAKE("id", "echo 1000") FAKE("apt-get", "echo called; exit 1") SETUP), 3,
	       "", "As root, run:\n  apt-get install meson\n");
}

static void setup_uses_sudo_when_it_must(void **state)
{
	expect(shell(EVERYTHING "rm bin/meson; ln -s \"$(command -v env)\" \"$(command -v cp)\" bin; " FAKE(
			   "id", "echo 1000") FAKE("sudo", "echo by sudo; \"$@\"") FAKE("apt-get", "cp bin/gcc bin/meson") SETUP),
	       0, "Installing: meson\nby sudo\n", "");
}

static void setup_that_cannot_install_is_the_machines_fault(void **state)
{
	expect(shell(EVERYTHING "rm bin/meson; ln -s \"$(command -v env)\" bin; " FAKE("id", "echo 0")
	                 FAKE("apt-get", "exit 100") SETUP),
	       3, "", "could not be installed: meson");
}

#define COUNT "awk -f \"$MACAW_SOURCE/scripts/count.awk\" log"
#define RECORD(name, result, output) \
	"printf '==== 1/2 ====\\ntest: %s\\nresult: %s\\n%b\\n=====\\n\\n' '" name "' '" result "' '" output "' >>log; "

static void counts_cases_and_programs(void **state)
{
	expect(shell(RECORD("a", "exit status 0", "[  PASSED  ] 3 test(s).") RECORD("b", "exit status 0", "") COUNT), 0,
	       "4 passed, 0 failed\n", "");
	expect(shell(RECORD("a", "exit status 0", "[  PASSED  ] 3 test(s).\\n[  SKIPPED ] 2 test(s), listed below:")
	                 RECORD("b", "exit status 77", "") COUNT),
	       0, "3 passed, 0 failed, 3 skipped\n", "");
}

static void counts_failures_and_shows_them(void **state)
{
	struct run r =
		shell(RECORD("a", "exit status 2", "[  PASSED  ] 1 test(s).\\nwhy\\n[  FAILED  ] 2 test(s), listed below:")
	              RECORD("b", "exit status 1", "because") COUNT);
	assert_non_null(strstr(text_str(&r.out), "FAILED: a (exit status 2)"));
	assert_non_null(strstr(text_str(&r.out), "\nwhy\n"));
	assert_non_null(strstr(text_str(&r.out), "\nbecause\n"));
	expect(r, 1, "\n1 passed, 3 failed\n", "");
}

static void a_crash_is_a_failure(void **state)
{
	expect(shell(RECORD("a", "killed by signal 11 SIGSEGV", "") COUNT), 1, "0 passed, 1 failed\n", "");
	expect(shell(RECORD("a", "killed by signal 6 SIGABRT", "[  PASSED  ] 5 test(s).") COUNT), 1, "5 passed, 1 failed\n",
	       "");
	/* 256 failures make exit status 0. */
	expect(shell(RECORD("a", "exit status 0", "[  FAILED  ] 256 test(s), listed below:") COUNT), 1,
	       "0 passed, 256 failed\n", "");
}

#define SECOND(name, result) \
	"printf '==== 1/1 ====\\ntest: %s\\nresult: %s\\n=====\\n\\n' '" name "' '" result "' >>log-again.txt; "
#define COUNT_BOTH "awk -f \"$MACAW_SOURCE/scripts/count.awk\" log-again.txt log"

static void what_passes_at_the_second_run_is_named(void **state)
{
	expect(shell(RECORD("a", "exit status 1", "why") RECORD("b", "exit status 0", "") SECOND("a", "exit status 0")
	                 COUNT_BOTH),
	       0, "passed at the second run: a\n2 passed, 0 failed\n", "");
	struct run r = shell(RECORD("a", "exit status 1", "why") SECOND("a", "exit status 1") COUNT_BOTH);
	assert_non_null(strstr(text_str(&r.out), "FAILED: a (exit status 1)"));
	expect(r, 1, "\n0 passed, 1 failed\n", "");
	/* one that did not fail before does not count again */
	expect(shell(RECORD("a", "exit status 0", "") SECOND("a", "exit status 0") COUNT_BOTH), 0, "1 passed, 0 failed\n",
	       "");
}

static void too_many_second_runs_are_failures(void **state)
{
	expect(shell("for t in a b c; do " RECORD("'$t'", "exit status 1", "")
	                 SECOND("'$t'", "exit status 0") "done; " COUNT_BOTH),
	       0, "passed at the second run: c\n3 passed, 0 failed\n", "");
	expect(shell("for t in a b c d; do " RECORD("'$t'", "exit status 1", "")
	                 SECOND("'$t'", "exit status 0") "done; " COUNT_BOTH),
	       1, "4 programs passed only at the second run, which are too many\n0 passed, 4 failed\n", "");
}

static void nothing_run_is_a_failure(void **state)
{
	expect(shell(": >log; " COUNT), 1, "no test has run\n0 passed, 1 failed\n", "");
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(setup_without_apt_prints_the_list),
		cmocka_unit_test(setup_does_nothing_when_all_is_there),
		cmocka_unit_test(setup_installs_what_is_missing_and_only_that),
		cmocka_unit_test(setup_without_rights_says_what_to_run),
		cmocka_unit_test(setup_uses_sudo_when_it_must),
		cmocka_unit_test(setup_that_cannot_install_is_the_machines_fault),
		cmocka_unit_test(counts_cases_and_programs),
		cmocka_unit_test(counts_failures_and_shows_them),
		cmocka_unit_test(a_crash_is_a_failure),
		cmocka_unit_test(what_passes_at_the_second_run_is_named),
		cmocka_unit_test(too_many_second_runs_are_failures),
		cmocka_unit_test(nothing_run_is_a_failure),
	};
	return RUN(cases);
}

/* macaw check and macaw show, as their user meets them. */
#include "test.h"

#include "base/text.h"
#include "cli/run.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/macaw-gdl-XXXXXX";

static const char good[] =
	"(role a)\n(init (s 1))\n(base (s 1))\n(<= (input ?r go) (role ?r))\n(<= (legal ?r go) (role ?r))\n"
	"(<= (next ?x) (true ?x))\n(<= terminal (true (s 1)))\n(<= (goal ?r 100) (role ?r))\n";
static const char bad[] =
	"(role a)\n(<= (legal ?r go) (role ?q))\n(<= terminal (true (s 1)))\n(<= (goal ?r 100) (role ?r))\n";

static char *path_of(const char *name)
{
	static char paths[4][256];
	static int next;
	char *path = paths[next++ % 4];
	snprintf(path, sizeof paths[0], "%s/%s", folder, name);
	return path;
}

static void write_file(const char *name, const char *text, size_t length)
{
	test_write_file(path_of(name), text, length);
}

static int set_up(void **state)
{
	if (!mkdtemp(folder))
		return 1;
	write_file("good.kif", good, strlen(good));
	write_file("bad.kif", bad, strlen(bad));
	write_file("empty.kif", "", 0);
	write_file("binary.kif",
	           "\x7f"
	           "ELF\0\1\2\xff",
	           8);
	return 0;
}

static int tear_down(void **state)
{
	static const char *const names[] = {"good.kif", "bad.kif", "empty.kif", "binary.kif", "shown.gdl", "locked.kif"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		unlink(path_of(names[i]));
	return rmdir(folder);
}

/* Runs, and wants this status and these words on the two streams ("" for nothing
 * at all, NULL for whatever). */
static void wants(struct run r, int status, const char *out, const char *err)
{
	if (r.status != status)
		fprintf(stderr, "status %d\n%s%s\n", r.status, text_str(&r.out), text_str(&r.err));
	assert_int_equal(r.status, status);
	const char *said[] = {text_str(&r.out), text_str(&r.err)}, *wanted[] = {out, err};
	for (int i = 0; i < 2; i++) {
		if (!wanted[i])
			continue;
		if (*wanted[i] ? !strstr(said[i], wanted[i]) : *said[i] != 0)
			fprintf(stderr, "expected \"%s\", found \"%s\"\n", wanted[i], said[i]);
		assert_true(*wanted[i] ? strstr(said[i], wanted[i]) != NULL : *said[i] == 0);
	}
	run_free(&r);
}

static void good_rules(void **state)
{
	wants(run_macaw("check", path_of("good.kif"), NULL), 0, "good.kif: ok, 1 role, 8 rules\n", "");
	wants(run_macaw("check", "--quiet", path_of("good.kif"), NULL), 0, "", "");
}

static void bad_rules(void **state)
{
	wants(run_macaw("check", path_of("bad.kif"), NULL), 1, "", "bad.kif:2:12: error: variable ?r stands in the head");
	wants(run_macaw("check", path_of("bad.kif"), path_of("good.kif"), NULL), 1, "good.kif: ok", "bad.kif: 1 error, ");
	wants(run_macaw("check", "-q", path_of("bad.kif"), NULL), 1, "", "error:");
	wants(run_macaw("check", path_of("empty.kif"), NULL), 1, "", "empty.kif:1:1: error: there are no rules here");
	wants(run_macaw("check", path_of("binary.kif"), NULL), 1, "", "error:");
}

static void json(void **state)
{
	struct run r = run_macaw("check", "--json", path_of("bad.kif"), path_of("good.kif"), path_of("none.kif"), NULL);
	assert_int_equal(r.status, 1);
	assert_int_equal(r.err.n, 0);
	static const char *const parts[] = {
		"{\"ok\":false,\"errors\":1,", "\"line\":2,\"column\":12,", "\"code\":\"unsafe-variable\"",
		"\"form\":\"kif\",\"roles\":[\"a\"],\"rules\":8,\"errors\":0,\"warnings\":0,\"diagnostics\":[]",
		"\"message\":\"there is no file"};
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		if (!strstr(text_str(&r.out), parts[i]))
			fprintf(stderr, "%s is not in %s\n", parts[i], text_str(&r.out));
		assert_non_null(strstr(text_str(&r.out), parts[i]));
	}
	run_free(&r);
}

static void no_such_file(void **state)
{
	wants(run_macaw("check", NULL), 2, "", "GAME");
	wants(run_macaw("check", "--sjon", path_of("good.kif"), NULL), 2, "", "--json");
	wants(run_macaw("check", path_of("none.kif"), NULL), 1, "", "there is no file and no rulesheet");
	wants(run_macaw("check", folder, NULL), 1, "", "is a directory");
	wants(run_macaw("show", folder, NULL), 1, "", "is a directory");
	wants(run_macaw("check", "", NULL), 1, "", "there is no file");
}

static void no_permission(void **state)
{
	if (!geteuid())
		SKIP("root may read everything");
	write_file("locked.kif", good, strlen(good));
	chmod(path_of("locked.kif"), 0);
	wants(run_macaw("check", path_of("locked.kif"), NULL), 3, "", "Permission denied");
}

static void games_by_name(void **state)
{
	setenv("MACAW_GAMES", folder, 1);
	wants(run_macaw("check", "good", NULL), 0, "/good.kif: ok", "");
	wants(run_macaw("check", "good.kif", NULL), 0, "/good.kif: ok", "");
	wants(run_macaw("check", "godo", NULL), 1, "", "did you mean good?");
	unsetenv("MACAW_GAMES");
}

static void shown_in_both_forms(void **state)
{
	wants(run_macaw("show", path_of("good.kif"), NULL), 0, "(<= (legal ?r go)\n    (role ?r))\n", "");
	wants(run_macaw("show", path_of("good.kif"), "--kif", NULL), 0, "(init (s 1))\n", "");
	wants(run_macaw("show", path_of("bad.kif"), "--kif", NULL), 0, "(<= (legal ?r go)\n    (role ?q))", "");
	wants(run_macaw("show", path_of("good.kif"), "--kif", "--infix", NULL), 2, "", "choose");
	wants(run_macaw("show", path_of("good.kif"), path_of("bad.kif"), NULL), 2, "", "one GAME");
	wants(run_macaw("show", path_of("binary.kif"), NULL), 1, "", "error:");
	struct run r = run_macaw("show", path_of("good.kif"), "--infix", NULL);
	assert_non_null(strstr(text_str(&r.out), "legal(R, go) :-\n    role(R).\n"));
	write_file("shown.gdl", text_str(&r.out), r.out.n);
	run_free(&r);
	wants(run_macaw("check", path_of("shown.gdl"), NULL), 0, "shown.gdl: ok, 1 role, 8 rules\n", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good_rules),          cmocka_unit_test(bad_rules),     cmocka_unit_test(json),
		cmocka_unit_test(no_such_file),        cmocka_unit_test(no_permission), cmocka_unit_test(games_by_name),
		cmocka_unit_test(shown_in_both_forms),
	};
	return RUN_IN(tests, set_up, tear_down);
}

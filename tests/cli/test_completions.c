/* Completion by shells: bash is asked what it would offer; the scripts for zsh and fish are read by those where they
 * are installed, and hold every command and option in any case. */
#include "test.h"

#include "base/mem.h"
#include "run.h"

#include <string.h>
#include <unistd.h>

static struct run shell(const char *program, const char *line)
{
	char *words[] = {unconst(program), "-c", unconst(line), NULL};
	struct run r = run_words(program, words);
	return r;
}

static bool there(const char *program)
{
	struct text line = {0};
	text_printf(&line, "command -v %s", program);
	struct run r = shell("sh", text_str(&line));
	bool found = r.status == 0;
	run_free(&r);
	text_free(&line);
	return found;
}

/* The words that bash offers for the last of these, one per line, in order. */
static struct run offered(const char *words)
{
	struct text line = {0};
	text_printf(&line,
	            "macaw() { \"$MACAW\" \"$@\"; }; eval \"$(macaw help --completions bash)\"; COMP_WORDS=(%s); "
	            "COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _macaw; printf '%%s\\n' \"${COMPREPLY[@]}\" | sort",
	            words);
	struct run r = shell("bash", text_str(&line));
	text_free(&line);
	return r;
}

static void expect_offered(const char *words, const char *wanted)
{
	struct run r = offered(words);
	if (strcmp(text_str(&r.out), wanted))
		fail_msg("%s: %s%s", words, text_str(&r.out), text_str(&r.err));
	run_free(&r);
}

static void bash_offers_what_the_tables_say(void **state)
{
	if (!there("bash"))
		SKIP("no bash");
	expect_offered("macaw ten", "\n");
	expect_offered("macaw tour", "tournament\n");
	expect_offered("macaw help --completions ''", "bash\nfish\nno\nzsh\n");
	expect_offered("macaw solve -a mac", "mac\nmac-cbj\n");
	expect_offered("macaw bench --p", "--portable\n");
	expect_offered("macaw simulate tictactoe_2", "tictactoe_2x2\n");
	expect_offered("macaw simulate --seed ''", "\n");
}

static void scripts_are_well_formed(void **state)
{
	static const char *const shells[] = {"bash", "zsh", "fish"};
	for (size_t i = 0; i < 3; i++) {
		struct text line = {0};
		text_printf(&line, "\"$MACAW\" help --completions %s | %s -n", shells[i], shells[i]);
		if (there(shells[i])) {
			struct run r = shell("sh", text_str(&line));
			if (r.status || r.err.n)
				fail_msg("%s: %s", shells[i], text_str(&r.err));
			run_free(&r);
		} else {
			printf("skipped: %s: no %s\n", __func__, shells[i]);
		}
		text_free(&line);
	}
}

/* Each option of the manual stands in each script. */
static void every_option_is_there(void **state)
{
	static const char *const shells[] = {"bash", "zsh", "fish"};
	struct run manual = run_macaw("help", "--man", NULL);
	size_t options = 0;
	for (size_t i = 0; i < 3; i++) {
		struct run r = run_macaw("help", "--completions", shells[i], NULL);
		assert_int_equal(r.status, 0);
		for (const char *s = text_str(&manual.out); (s = strstr(s, "\\fB\\-\\-")); options++) {
			char name[64];
			size_t n = 0;
			for (s += strlen("\\fB\\-\\-"); *s && *s != '\n' && strncmp(s, "\\fR", 3) && n + 1 < sizeof name; s++)
				if (*s != '\\')
					name[n++] = *s;
			name[n] = 0;
			if (!strstr(text_str(&r.out), name))
				fail_msg("%s lacks %s", shells[i], name);
		}
		run_free(&r);
	}
	assert_true(options > 300);
	run_free(&manual);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(bash_offers_what_the_tables_say),
		cmocka_unit_test(scripts_are_well_formed),
		cmocka_unit_test(every_option_is_there),
	};
	return RUN(cases);
}

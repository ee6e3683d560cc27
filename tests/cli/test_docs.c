/* The documentation tells the truth: links lead to files, the index is whole, paths
 * of the source are there, what the README shows after `$ … build/macaw …` is what the program says, and
 * code for users of the library is quoted from programs that are built and run. */
#include "test.h"

#include "run.h"

#include <ctype.h>
#include <dirent.h>
#include <string.h>
#include <unistd.h>

static const char *root(void)
{
	const char *s = getenv("MACAW_SOURCE");
	return s ? s : ".";
}

static bool is_relative(const char *link, size_t length)
{
	return length && link[0] != '#' && link[0] != '/' && !memchr(link, ':', length);
}

/* Adds a line to `faults` for each dead link of the page; returns how many links it has looked at. */
static int look_at(const char *folder, const char *page, struct text *faults)
{
	struct text path = {0}, source = {0};
	int links = 0;
	text_printf(&path, "%s/%s", folder, page);
	assert_true(text_read_file(&source, path.at, (size_t)16 << 20, NULL));
	for (const char *p = text_str(&source); (p = strstr(p, "](")); p++) {
		size_t length = strcspn(p + 2, ")# \n");
		if (!is_relative(p + 2, length))
			continue;
		vec_clear(&path);
		text_printf(&path, "%s/%.*s", folder, (int)length, p + 2);
		if (access(path.at, F_OK))
			text_printf(faults, "%s/%s: nothing at %.*s\n", folder, page, (int)length, p + 2);
		links++;
	}
	text_free(&path);
	text_free(&source);
	return links;
}

static bool is_page(const char *name)
{
	const char *dot = strrchr(name, '.');
	return dot && !strcmp(dot, ".md");
}

/* look_at() for every page of a folder. */
static int look_in(const char *folder, struct text *faults)
{
	int links = 0;
	DIR *d = opendir(folder);
	assert_non_null(d);
	for (struct dirent *e; (e = readdir(d));)
		if (is_page(e->d_name))
			links += look_at(folder, e->d_name, faults);
	closedir(d);
	return links;
}

static const char *const folders[] = {"", "experiments/"}; /* of docs */

static void links_lead_somewhere(void **state)
{
	struct text docs = {0}, faults = {0};
	int links = look_at(root(), "README.md", &faults);
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
		vec_clear(&docs);
		text_printf(&docs, "%s/docs/%s", root(), folders[i]);
		links += look_in(docs.at, &faults);
	}
	if (faults.n)
		print_error("%s", faults.at);
	assert_int_equal(faults.n, 0);
	assert_true(links >= 5);
	text_free(&docs);
	text_free(&faults);
}

/* Every page of the folder must stand in the index as a link. */
static void look_up(const char *folder, const char *index)
{
	struct text path = {0}, link = {0};
	text_printf(&path, "%s/docs/%s", root(), folder);
	DIR *d = opendir(path.at);
	assert_non_null(d);
	for (struct dirent *e; (e = readdir(d));) {
		vec_clear(&link);
		text_printf(&link, "(%s%s)", folder, e->d_name);
		if (is_page(e->d_name) && strcmp(e->d_name, "README.md") && !strstr(index, link.at))
			fail_msg("docs/README.md does not mention %s%s", folder, e->d_name);
	}
	closedir(d);
	text_free(&path);
	text_free(&link);
}

/* The newcomer's index must name every page. */
static void index_names_every_page(void **state)
{
	struct text path = {0}, source = {0};
	text_printf(&path, "%s/docs/README.md", root());
	assert_true(text_read_file(&source, path.at, (size_t)1 << 20, NULL));
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
		look_up(folders[i], text_str(&source));
	text_free(&path);
	text_free(&source);
}

/* Names of files and folders of the tree in `…`, except what the reader is to write. */
static int look_at_paths(const char *page, struct text *faults)
{
	static const char *const tops[] = {"src/",  "tests/", "include/", "examples/",
	                                   "docs/", "bench/", "scripts/", "games/"};
	struct text path = {0}, source = {0};
	int paths = 0;
	text_printf(&path, "%s/%s", root(), page);
	assert_true(text_read_file(&source, path.at, (size_t)1 << 20, NULL));
	for (const char *p = text_str(&source); (p = strchr(p, '`')); p++)
		for (size_t i = 0; i < sizeof tops / sizeof *tops; i++) {
			size_t length = strcspn(p + 1, "`");
			bool to_write = p - source.at >= 6 && !strncmp(p - 6, "Write ", 6);
			if (strncmp(p + 1, tops[i], strlen(tops[i])) || strcspn(p + 1, "<*… \n") < length || to_write)
				continue;
			vec_clear(&path);
			text_printf(&path, "%s/%.*s", root(), (int)length, p + 1);
			if (access(path.at, F_OK))
				text_printf(faults, "%s: nothing at %.*s\n", page, (int)length, p + 1);
			paths++;
		}
	text_free(&path);
	text_free(&source);
	return paths;
}

/* look_at_paths() for every page of a folder. */
static void look_at_paths_in(const char *folder, struct text *faults)
{
	struct text path = {0};
	text_printf(&path, "%s/%s", root(), folder);
	DIR *d = opendir(path.at);
	assert_non_null(d);
	for (struct dirent *e; (e = readdir(d));)
		if (is_page(e->d_name)) {
			vec_clear(&path);
			text_printf(&path, "%s/%s", folder, e->d_name);
			look_at_paths(path.at, faults);
		}
	closedir(d);
	text_free(&path);
}

static void paths_of_the_source_are_there(void **state)
{
	struct text faults = {0};
	assert_true(look_at_paths("docs/tour.md", &faults) >= 50);
	look_at_paths("README.md", &faults);
	look_at_paths_in("docs", &faults);
	look_at_paths_in("docs/experiments", &faults);
	look_at_paths_in("games", &faults);
	if (faults.n)
		print_error("%s", faults.at);
	assert_int_equal(faults.n, 0);
	text_free(&faults);
}

#define INDENT "    "
#define PROMPT INDENT "$ "
#define PROGRAM "build/macaw"

/* A number, with the unit that large ones have: "5.57 M". */
static const char *skip_number(const char *s)
{
	s += strspn(s, "0123456789.,");
	return s[0] == ' ' && s[1] && strchr("kMGT", s[1]) && s[2] == ' ' ? s + 2 : s;
}

/* Equal but for numbers: times and rates differ from run to run. */
static bool same_line(const char *a, const char *b)
{
	while (*a && *a != '\n' && *b && *b != '\n') {
		if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
			a = skip_number(a);
			b = skip_number(b);
		} else if (*a++ != *b++) {
			return false;
		}
	}
	return (!*a || *a == '\n') && (!*b || *b == '\n');
}

static const char *next_line(const char *line)
{
	line += strcspn(line, "\n");
	return line + (*line == '\n');
}

/* Whether `said` is what is `shown`, where a line `...` stands for any lines. */
static bool same_text(const char *shown, const char *said)
{
	for (; *shown; shown = next_line(shown), said = next_line(said)) {
		if (!strncmp(shown, "...\n", 4)) {
			for (;; said = next_line(said)) {
				if (same_text(shown + 4, said))
					return true;
				if (!*said)
					return false;
			}
		}
		if (!*said || !same_line(shown, said))
			return false;
	}
	return !*said;
}

/* Takes the indented lines (and the empty ones between them) from `line` on, up to the next prompt. */
static const char *take_block(const char *line, struct text *into)
{
	size_t end = 0;
	for (; *line == '\n' || (!strncmp(line, INDENT, 4) && strncmp(line, INDENT "$ ", 6)); line = next_line(line)) {
		const char *text = *line == '\n' ? line : line + 4;
		text_add(into, text, (size_t)(next_line(line) - text));
		if (*line != '\n')
			end = into->n;
	}
	into->n = end;
	text_add(into, "", 0);
	return line;
}

/* Runs a line of shell with the program under test in the place of `build/macaw`, in the root of the tree; what it
 * says on both channels. */
static struct run run_line(const char *line, const char *program)
{
	struct text script = {0};
	const char *rest = program + strlen(PROGRAM);
	text_printf(&script, "cd \"$MACAW_SOURCE\"; exec 2>&1; %.*s\"$MACAW\"%.*s", (int)(program - line), line,
	            (int)strcspn(rest, "\n"), rest);
	char *words[] = {"sh", "-c", script.at, NULL};
	struct run r = run_words("sh", words);
	text_free(&script);
	return r;
}

/* Where the program is called in a line that begins with a prompt, or NULL. */
static const char *called(const char *line)
{
	const char *p = strncmp(line, PROMPT, strlen(PROMPT)) ? NULL : strstr(line, PROGRAM);
	return p && p < next_line(line) ? p : NULL;
}

static void the_readme_shows_what_happens(void **state)
{
	struct text path = {0}, source = {0};
	int shown = 0;
	text_printf(&path, "%s/README.md", root());
	assert_true(text_read_file(&source, path.at, (size_t)1 << 20, NULL));
	for (const char *line = source.at; *line;) {
		const char *command = line + strlen(PROMPT), *program = called(line);
		int length = (int)strcspn(line, "\n");
		line = next_line(line);
		if (!program)
			continue;
		struct text block = {0};
		struct run r = run_line(command, program);
		line = take_block(line, &block);
		if (!same_text(text_str(&block), text_str(&r.out)))
			fail_msg("%.*s\n--- README\n%s--- now\n%s", length - (int)strlen(PROMPT), command, text_str(&block),
			         text_str(&r.out));
		text_free(&block);
		run_free(&r);
		shown++;
	}
	assert_true(shown >= 1);
	text_free(&path);
	text_free(&source);
}

#define QUOTE "```c\n"
#define UNQUOTE "```\n"

/* The programs of examples/, one after another. */
static void read_examples(struct text *all)
{
	struct text path = {0};
	text_printf(&path, "%s/examples", root());
	DIR *d = opendir(path.at);
	assert_non_null(d);
	for (struct dirent *e; (e = readdir(d));) {
		const char *dot = strrchr(e->d_name, '.');
		if (!dot || (strcmp(dot, ".c") && strcmp(dot, ".cpp")))
			continue;
		struct text source = {0};
		vec_clear(&path);
		text_printf(&path, "%s/examples/%s", root(), e->d_name);
		assert_true(text_read_file(&source, path.at, (size_t)1 << 20, NULL));
		text_puts(all, text_str(&source));
		text_free(&source);
	}
	closedir(d);
	text_free(&path);
}

/* How many quotations the page has; each must stand in the examples as it is. */
static int look_for_quotes(const char *page, const char *examples)
{
	struct text path = {0}, source = {0};
	int quotes = 0;
	text_printf(&path, "%s/%s", root(), page);
	assert_true(text_read_file(&source, path.at, (size_t)1 << 20, NULL));
	for (char *p = source.at, *end; (p = strstr(p, QUOTE)) && (end = strstr(p + strlen(QUOTE), UNQUOTE)); p = end + 1) {
		p += strlen(QUOTE);
		*end = 0;
		if (!strstr(examples, p))
			fail_msg("%s quotes what is in no example:\n%s", page, p);
		quotes++;
	}
	text_free(&path);
	text_free(&source);
	return quotes;
}

static void code_is_quoted_from_examples(void **state)
{
	struct text examples = {0};
	read_examples(&examples);
	assert_true(look_for_quotes("README.md", text_str(&examples)) >= 1);
	assert_true(look_for_quotes("docs/library.md", text_str(&examples)) >= 10);
	assert_true(look_for_quotes("docs/solver.md", text_str(&examples)) >= 2);
	assert_true(look_for_quotes("docs/stochastic.md", text_str(&examples)) >= 2);
	text_free(&examples);
}

static void comparing_can_fail(void **state)
{
	assert_true(same_text("a\nb 12.5 ms\n", "a\nb 7 ms\n"));
	assert_true(same_text("a\n...\nz\n", "a\nb\nc\nz\n"));
	assert_true(same_text("a\n...\n", "a\n"));
	assert_true(same_text("5.57 M a second\n", "795 k a second\n"));
	assert_true(same_text("5.57 M a second\n", "795 a second\n"));
	assert_false(same_text("a\n", "a\nb\n"));
	assert_false(same_text("a\nb\n", "a\n"));
	assert_false(same_text("a\n...\nz\n", "a\nb\n"));
	assert_false(same_text("b 7 ms\n", "b 7 s\n"));
	assert_false(same_text("b 7\n", "b x\n"));
	assert_false(same_text("\n", ""));
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(links_lead_somewhere),          cmocka_unit_test(index_names_every_page),
		cmocka_unit_test(paths_of_the_source_are_there), cmocka_unit_test(the_readme_shows_what_happens),
		cmocka_unit_test(code_is_quoted_from_examples),  cmocka_unit_test(comparing_can_fail),
	};
	return RUN(cases);
}

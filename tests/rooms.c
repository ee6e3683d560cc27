/* The order of the rooms. Each folder of src/ turns what the rooms before it
 * make into something new and knows only those; this test reads every
 * #include "room/file.h" below src/ and holds it against the table. A room may
 * use itself, the rooms its line names, and whatever those may use. */
#include "test.h"

#include "base/text.h"

#include <dirent.h>
#include <string.h>

/* clang-format off: a line a room */
static const struct room {
	const char *name, *uses[4];
} rooms[] = {
	{"base", {NULL}},
	{"gdl", {"base"}},
	{"ground", {"gdl"}},
	{"game", {"ground"}},
	{"csp", {"base"}},
	{"scsp", {"csp"}},
	{"model", {"game", "scsp"}},
	{"play", {"model"}},
	{"match", {"play"}},
	{"net", {"match"}},
	{"api", {"match"}},
	{"cli", {"net"}},
};
/* clang-format on */

static const struct room *find(const char *name, size_t length)
{
	for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++)
		if (strlen(rooms[i].name) == length && !strncmp(rooms[i].name, name, length))
			return &rooms[i];
	return NULL;
}

static bool may_use(const struct room *from, const struct room *to)
{
	if (from == to)
		return true;
	for (size_t i = 0; i < 4 && from->uses[i]; i++)
		if (may_use(find(from->uses[i], strlen(from->uses[i])), to))
			return true;
	return false;
}

/* The path between the quotes of an #include line, or NULL. */
static const char *included(const char *line, size_t *length)
{
	line += strspn(line, " \t");
	if (*line++ != '#')
		return NULL;
	line += strspn(line, " \t");
	if (strncmp(line, "include", 7))
		return NULL;
	line += 7 + strspn(line + 7, " \t");
	if (*line++ != '"')
		return NULL;
	*length = strcspn(line, "\"\n");
	return line;
}

/* Adds a line to `faults` for every #include of `source` that breaks the order. */
static void look_at(const struct room *room, const char *file, const char *source, struct text *faults)
{
	int number = 1;
	for (const char *line = source; *line; number++) {
		size_t length = 0, end = strcspn(line, "\n");
		const char *path = included(line, &length);
		line += end + (line[end] == '\n');
		/* A bare name is the public header or a neighbour in the same room. */
		if (!path || !memchr(path, '/', length))
			continue;
		const struct room *to = find(path, strcspn(path, "/"));
		if (!to || !may_use(room, to))
			text_printf(faults, "src/%s/%s:%d: %s may not include \"%.*s\"\n", room->name, file, number, room->name,
			            (int)length, path);
	}
}

static bool is_source(const char *name)
{
	const char *dot = strrchr(name, '.');
	return dot && (!strcmp(dot, ".c") || !strcmp(dot, ".h"));
}

static int look_into(const char *root, const struct room *room, struct text *faults)
{
	struct text path = {0}, source = {0};
	int files = 0;
	text_printf(&path, "%s/src/%s", root, room->name);
	DIR *d = opendir(path.at);
	for (struct dirent *e; d && (e = readdir(d));) {
		if (!is_source(e->d_name))
			continue;
		vec_clear(&path);
		text_printf(&path, "%s/src/%s/%s", root, room->name, e->d_name);
		assert_null(text_read_file(&source, path.at, (size_t)16 << 20));
		look_at(room, e->d_name, text_str(&source), faults);
		files++;
	}
	if (d)
		closedir(d);
	text_free(&path);
	text_free(&source);
	return files;
}

static const char *root(void)
{
	const char *s = getenv("MACAW_SOURCE");
	return s ? s : ".";
}

static void no_room_looks_downstairs(void **state)
{
	struct text faults = {0};
	int files = 0;
	for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++)
		files += look_into(root(), &rooms[i], &faults);
	assert_true(files > 10); /* or we have looked in the wrong place */
	if (faults.n)
		print_error("%s", faults.at);
	assert_int_equal(faults.n, 0);
	text_free(&faults);
}

static void every_folder_is_a_room(void **state)
{
	struct text path = {0};
	text_printf(&path, "%s/src", root());
	DIR *d = opendir(path.at);
	assert_non_null(d);
	for (struct dirent *e; (e = readdir(d));)
		if (e->d_type == DT_DIR && e->d_name[0] != '.' && !find(e->d_name, strlen(e->d_name)))
			fail_msg("src/%s is not in the table of rooms", e->d_name);
	closedir(d);
	text_free(&path);
}

static bool allowed(const char *from, const char *line)
{
	struct text faults = {0};
	look_at(find(from, strlen(from)), "x.c", line, &faults);
	bool none = !faults.n;
	text_free(&faults);
	return none;
}

static void the_test_can_fail(void **state)
{
	assert_true(allowed("gdl", "#include \"base/vec.h\"\n"));
	assert_true(allowed("game", "#include \"gdl/gdl.h\"\n")); /* through ground */
	assert_true(allowed("model", "#include \"csp/csp.h\"\n"));
	assert_true(allowed("cli", "#include \"csp/csp.h\"\n#include \"macaw.h\"\n"));
	assert_true(allowed("csp", "#include <gdl/gdl.h>\n// #include \"gdl/gdl.h\"\n"));
	assert_false(allowed("csp", "#include \"gdl/gdl.h\"\n"));
	assert_false(allowed("scsp", "int x;\n  #  include\t\"game/game.h\"\n"));
	assert_false(allowed("base", "#include \"gdl/gdl.h\""));
	assert_false(allowed("game", "#include \"csp/csp.h\"\n"));
	assert_false(allowed("gdl", "#include \"../ground/ground.h\"\n"));
	assert_false(allowed("gdl", "#include \"attic/x.h\"\n"));
	assert_false(allowed("match", "#include \"cli/commands.h\"\n"));
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(no_room_looks_downstairs),
		cmocka_unit_test(every_folder_is_a_room),
		cmocka_unit_test(the_test_can_fail),
	};
	return RUN(cases);
}

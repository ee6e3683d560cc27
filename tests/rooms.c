/* The order of the rooms. Each folder of src/ turns what the rooms before it
 * make into something new and knows only those; this test reads every
 * #include "room/file.h" below src/ and holds it against the table. A room may
 * use itself, the rooms its line names, and whatever those may use. Folders
 * inside a room are its shelves: they sort its files and have no order. A header
 * *_internal.h is for the room it lies in alone. */
#include "test.h"

#include "base/text.h"

#include <dirent.h>
#include <string.h>

/* clang-format off: one line per room */
static const struct room {
	const char *name, *uses[4];
} rooms[] = {
	{"base", {NULL}},
	{"graph", {"base"}},
	{"gdl", {"graph"}},
	{"ground", {"gdl"}},
	{"circuit", {"ground"}},
	{"lanes", {"circuit"}},
	{"interp", {"ground"}},
	{"game", {"lanes", "interp"}},
	{"explain", {"game"}},
	{"csp", {"graph"}},
	{"qcsp", {"csp"}},
	{"scsp", {"qcsp"}},
	{"analysis", {"game"}},
	{"symmetry", {"analysis"}},
	{"model", {"analysis", "scsp"}},
	{"puzzle", {"model"}},
	{"play", {"symmetry", "puzzle"}},
	{"match", {"play"}},
	{"tournament", {"match"}},
	{"net", {"match"}},
	{"show", {"match", "explain"}},
	{"api", {"tournament", "net", "show"}},
	{"web", {"tournament", "net"}},
	{"cluster", {"tournament", "net", "show"}},
	{"cli", {"show"}},
};
/* clang-format on */

static const struct room *find(const char *name, size_t length)
{
	for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++)
		if (strlen(rooms[i].name) == length && !strncmp(rooms[i].name, name, length))
			return &rooms[i];
	return NULL;
}

/* The program lives on the public headers: of the inside it sees the room that draws for people and the one that
 * speaks with other machines, and not what those rooms are made of. */
static bool may_use(const struct room *from, const struct room *to)
{
	if (from == to)
		return true;
	if (!strcmp(from->name, "cli"))
		return !strcmp(to->name, "show") || !strcmp(to->name, "cluster");
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

static bool is_internal(const char *path, size_t length)
{
	static const char end[] = "_internal.h";
	return length >= sizeof end - 1 && !strncmp(path + length - (sizeof end - 1), end, sizeof end - 1);
}

/* Who may include the public headers: those who implement them, and those who live on them. */
static bool sees_face(const struct room *room)
{
	return !strcmp(room->name, "api") || !strcmp(room->name, "web") || !strcmp(room->name, "cluster") ||
	       !strcmp(room->name, "cli");
}

/* Adds a line to `faults` for every #include of `source` that breaks the order. */
static void look_at(const struct room *room, const char *file, const char *source, struct text *faults)
{
	int number = 1;
	for (const char *line = source; *line; number++) {
		size_t length = 0, end = strcspn(line, "\n");
		const char *path = included(line, &length);
		line += end + (line[end] == '\n');
		/* A bare name is a neighbour in the same room. */
		if (!path || !memchr(path, '/', length) || (sees_face(room) && !strncmp(path, "macaw/", 6)))
			continue;
		const struct room *to = find(path, strcspn(path, "/"));
		bool closed = to != room && is_internal(path, length);
		if (!to || !may_use(room, to) || closed)
			text_printf(faults, "%s:%d: %s may not include \"%.*s\"\n", file, number, room->name, (int)length, path);
	}
}

static bool is_source(const char *name)
{
	const char *dot = strrchr(name, '.');
	return dot && (!strcmp(dot, ".c") || !strcmp(dot, ".h") || !strcmp(dot, ".inc"));
}

static int look_at_file(const struct room *room, const char *path, struct text *faults)
{
	struct text source = {0};
	assert_true(text_read_file(&source, path, (size_t)16 << 20, NULL));
	look_at(room, path, text_str(&source), faults);
	text_free(&source);
	return 1;
}

/* The files of a folder and of its shelves. */
static int look_into(const char *folder, const struct room *room, struct text *faults)
{
	struct text path = {0};
	int files = 0;
	DIR *d = opendir(folder);
	for (struct dirent *e; d && (e = readdir(d));) {
		if (e->d_name[0] == '.')
			continue;
		vec_clear(&path);
		text_printf(&path, "%s/%s", folder, e->d_name);
		if (e->d_type == DT_DIR)
			files += look_into(path.at, room, faults);
		else if (is_source(e->d_name))
			files += look_at_file(room, path.at, faults);
	}
	if (d)
		closedir(d);
	text_free(&path);
	return files;
}

static const char *root(void)
{
	const char *s = getenv("MACAW_SOURCE");
	return s ? s : ".";
}

static void no_room_looks_downstairs(void **state)
{
	struct text faults = {0}, folder = {0};
	for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++) {
		vec_clear(&folder);
		text_printf(&folder, "%s/src/%s", root(), rooms[i].name);
		if (!look_into(folder.at, &rooms[i], &faults))
			text_printf(&faults, "%s: no files\n", folder.at);
	}
	text_free(&folder);
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
	assert_true(allowed("game", "#include \"gdl/gdl.h\"\n")); /* through lanes, circuit and ground */
	assert_true(allowed("model", "#include \"csp/csp.h\"\n"));
	assert_true(allowed("cli", "#include \"show/terminal.h\"\n#include \"macaw/game.h\"\n"));
	assert_true(allowed("cli", "#include \"cluster/cluster.h\"\n"));
	assert_false(allowed("api", "#include \"cluster/cluster.h\"\n"));
	assert_false(allowed("cli", "#include \"csp/csp.h\"\n"));
	assert_false(allowed("cli", "#include \"base/text.h\"\n"));
	assert_false(allowed("cli", "#include \"api/api_internal.h\"\n"));
	assert_true(allowed("csp", "#include <gdl/gdl.h>\n// #include \"gdl/gdl.h\"\n"));
	assert_false(allowed("csp", "#include \"gdl/gdl.h\"\n"));
	assert_false(allowed("game", "#include \"macaw/game.h\"\n"));
	assert_false(allowed("scsp", "int x;\n  #  include\t\"game/game.h\"\n"));
	assert_false(allowed("base", "#include \"gdl/gdl.h\""));
	assert_false(allowed("game", "#include \"csp/csp.h\"\n"));
	assert_false(allowed("gdl", "#include \"../ground/ground.h\"\n"));
	assert_false(allowed("gdl", "#include \"attic/x.h\"\n"));
	assert_true(allowed("play", "#include \"play/mac/mac_internal.h\"\n"));
	assert_false(allowed("qcsp", "#include \"csp/csp_internal.h\"\n"));
	assert_false(allowed("model", "#include \"csp/csp_internal.h\"\n"));
	assert_true(allowed("analysis", "#include \"game/rules_view.h\"\n"));
	assert_false(allowed("analysis", "#include \"game/engine_internal.h\"\n"));
	assert_false(allowed("show", "#include \"cli/words.h\"\n"));
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

/* Every relative link of the documentation leads to a file. */
#include "test.h"

#include "base/text.h"

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
	assert_null(text_read_file(&source, path.at, (size_t)16 << 20));
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

static void links_lead_somewhere(void **state)
{
	struct text docs = {0}, faults = {0};
	text_printf(&docs, "%s/docs", root());
	int links = look_at(root(), "README.md", &faults);
	DIR *d = opendir(docs.at);
	assert_non_null(d);
	for (struct dirent *e; (e = readdir(d));) {
		const char *dot = strrchr(e->d_name, '.');
		if (dot && !strcmp(dot, ".md"))
			links += look_at(docs.at, e->d_name, &faults);
	}
	closedir(d);
	if (faults.n)
		print_error("%s", faults.at);
	assert_int_equal(faults.n, 0);
	assert_true(links >= 5);
	text_free(&docs);
	text_free(&faults);
}

/* The newcomer's index must name every page. */
static void index_names_every_page(void **state)
{
	struct text path = {0}, source = {0};
	text_printf(&path, "%s/docs/README.md", root());
	assert_null(text_read_file(&source, path.at, (size_t)1 << 20));
	path.at[path.n - strlen("/README.md")] = 0;
	DIR *d = opendir(path.at);
	assert_non_null(d);
	for (struct dirent *e; (e = readdir(d));) {
		const char *dot = strrchr(e->d_name, '.');
		if (dot && !strcmp(dot, ".md") && strcmp(e->d_name, "README.md") && !strstr(source.at, e->d_name))
			fail_msg("docs/README.md does not mention %s", e->d_name);
	}
	closedir(d);
	text_free(&path);
	text_free(&source);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(links_lead_somewhere),
		cmocka_unit_test(index_names_every_page),
	};
	return RUN(cases);
}

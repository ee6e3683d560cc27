/* Files of the command line, by their endings. */
#include "web/files.h"

#include "web/server.h"
#include "web/tournaments.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct files {
	VEC(struct file {
		char id[24];
		char *path;
		enum file_kind kind;
	}) list;
};

static bool ends(const char *path, const char *end)
{
	size_t n = strlen(path), k = strlen(end);
	return n > k && !strcasecmp(path + n - k, end);
}

static enum file_kind kind_of(const char *path)
{
	static const struct {
		const char *end;
		enum file_kind kind;
	} endings[] = {{".kif", FILE_RULES},      {".gdl", FILE_RULES},      {".json", FILE_RECORD},
	               {".xml", FILE_NETWORK},    {".xml.xz", FILE_NETWORK}, {".xml.lzma", FILE_NETWORK},
	               {".xml.gz", FILE_NETWORK}, {".xcsp3", FILE_NETWORK}};
	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
		if (ends(path, endings[i].end))
			return endings[i].kind;
	return FILE_TOURNAMENT;
}

struct files *files_open(struct web *web, const char *const *paths, size_t count, macaw_error *e)
{
	struct files *f = NEW(struct files);
	for (size_t i = 0; i < count; i++) {
		struct file file = {.path = text_copy(paths[i], strlen(paths[i])), .kind = kind_of(paths[i])};
		snprintf(file.id, sizeof file.id, "f%zu", i + 1);
		vec_push(&f->list, file);
		if (access(paths[i], R_OK)) {
			if (e) {
				e->status = MACAW_INPUT;
				snprintf(e->text, sizeof e->text, "cannot read %s", paths[i]);
			}
			files_close(f);
			return NULL;
		}
		if (file.kind == FILE_RULES)
			games_add_file(web->games, file.path);
		if (file.kind == FILE_TOURNAMENT)
			tournaments_add_file(web->tournaments, file.path);
	}
	return f;
}

void files_close(struct files *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->list.n; i++)
		mem_free(f->list.at[i].path);
	vec_free(&f->list);
	mem_free(f);
}

const char *files_path(struct request *q, enum file_kind kind)
{
	const struct files *f = q->web->files;
	const char *id = body_needs(q, "file");
	for (size_t i = 0; i < f->list.n; i++)
		if (!strcmp(f->list.at[i].id, id) && f->list.at[i].kind == kind)
			return f->list.at[i].path;
	request_fail(q, 404, "not-found", "no such file was given on the command line");
	return NULL;
}

void serve_files(struct request *q)
{
	static const char *const kinds[] = {"rules", "record", "network", "tournament"};
	const struct files *f = q->web->files;
	if (!request_is(q, "GET")) {
		request_no_method(q);
		return;
	}
	jsonw_array(&q->w, "files");
	for (size_t i = 0; i < f->list.n; i++) {
		const char *slash = strrchr(f->list.at[i].path, '/');
		jsonw_object(&q->w, NULL);
		jsonw_text(&q->w, "file", f->list.at[i].id);
		jsonw_text(&q->w, "name", slash ? slash + 1 : f->list.at[i].path);
		jsonw_text(&q->w, "kind", kinds[f->list.at[i].kind]);
		jsonw_end(&q->w);
	}
	jsonw_end(&q->w);
}

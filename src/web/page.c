/* Serves the files of the page. */
#include "web/page.h"

#include "base/mem.h"

#include <stdio.h>
#include <string.h>

bool page_there(void)
{
	return page_files[0].path;
}

static const struct page_file *find(const char *path)
{
	for (const struct page_file *f = page_files; f->path; f++)
		if (!strcmp(f->path, path))
			return f;
	return NULL;
}

static struct MHD_Response *plain(const char *text)
{
	struct MHD_Response *r = MHD_create_response_from_buffer(strlen(text), unconst(text), MHD_RESPMEM_PERSISTENT);
	if (r)
		MHD_add_response_header(r, "Content-Type", "text/plain; charset=utf-8");
	return r;
}

/* Of the content: gzip ends with its checksum and its length. */
static void write_tag(const struct page_file *f, char *tag, size_t room)
{
	const unsigned char *end = f->gzip + f->size;
	snprintf(tag, room, "\"%02x%02x%02x%02x%02x%02x%02x%02x\"", end[-8], end[-7], end[-6], end[-5], end[-4], end[-3],
	         end[-2], end[-1]);
}

struct MHD_Response *page_response(const char *path, const char *known, int *status)
{
	const struct page_file *f = find(strchr(path, '.') ? path : "/");
	*status = f ? 200 : 404;
	if (!page_there())
		return plain("This program was built without its page: Node.js and npm were missing, or web/ was. The "
		             "interface under /api/ is "
		             "there; web/API.md describes it.\n");
	if (!f)
		return plain("There is nothing at this address.\n");
	char tag[24];
	write_tag(f, tag, sizeof tag);
	bool same = known && !strcmp(known, tag);
	struct MHD_Response *r =
		MHD_create_response_from_buffer(same ? 0 : f->size, unconst(f->gzip), MHD_RESPMEM_PERSISTENT);
	*status = same ? 304 : 200;
	if (!r)
		return NULL;
	MHD_add_response_header(r, "Content-Type", f->type);
	MHD_add_response_header(r, "Content-Encoding", "gzip");
	MHD_add_response_header(r, "ETag", tag);
	MHD_add_response_header(r, "Cache-Control", "no-cache");
	return r;
}

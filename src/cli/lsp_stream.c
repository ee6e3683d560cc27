/* Messages with a header that tells their length, as the protocol has them. */
#include "cli/lsp.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { MOST_HEADER = 1000, MOST_CONTENT = 64 << 20 };

/* A line of the header without its end; false: the end of the input, or too long. */
static bool read_line(char *line, size_t room, bool *end)
{
	size_t n = 0;
	for (int c; (c = getchar()) != '\n';) {
		if (c == EOF) {
			*end = n == 0;
			return false;
		}
		if (n + 1 == room)
			return false;
		line[n++] = (char)c;
	}
	line[n && line[n - 1] == '\r' ? n - 1 : n] = 0;
	return true;
}

static enum lsp_read read_header(size_t *length)
{
	char line[MOST_HEADER];
	bool end = false, any = false;
	*length = SIZE_MAX;
	for (;;) {
		if (!read_line(line, sizeof line, &end))
			return end && !any ? LSP_END : LSP_BROKEN;
		any = true;
		if (!*line)
			return *length <= MOST_CONTENT ? LSP_MESSAGE : LSP_BROKEN;
		unsigned long n;
		char rest;
		if (!strncasecmp(line, "content-length:", 15) && sscanf(line + 15, " %lu%c", &n, &rest) == 1)
			*length = n;
	}
}

enum lsp_read lsp_read(json_t **message)
{
	size_t length;
	enum lsp_read status = read_header(&length);
	if (status != LSP_MESSAGE)
		return status;
	char *content = mem_alloc(length + 1, 1);
	bool whole = fread(content, 1, length, stdin) == length;
	*message = whole ? json_loadb(content, length, JSON_REJECT_DUPLICATES, NULL) : NULL;
	mem_free(content);
	return !whole ? LSP_BROKEN : *message ? LSP_MESSAGE : LSP_NO_JSON;
}

void lsp_write(json_t *message)
{
	char *text = json_dumps(message, JSON_COMPACT);
	if (text) {
		printf("Content-Length: %zu\r\n\r\n%s", strlen(text), text);
		fflush(stdout);
	}
	free(text);
	json_decref(message);
}

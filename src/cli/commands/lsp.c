/* macaw lsp: a language server for rules, on standard input and output. */
#include "cli/lsp.h"
#include "cli/commands.h"

#include <stdio.h>
#include <string.h>

struct server {
	struct lsp_documents documents;
	bool ready, shut;
	int status; /* -1: go on */
};

static void answer(const json_t *id, json_t *result)
{
	lsp_write(json_pack("{s:s, s:O, s:o}", "jsonrpc", "2.0", "id", id, "result", result));
}

static void refuse(const json_t *id, int code, const char *message)
{
	json_t *own = id ? json_incref(unconst(id)) : json_null();
	lsp_write(
		json_pack("{s:s, s:o, s:{s:i, s:s}}", "jsonrpc", "2.0", "id", own, "error", "code", code, "message", message));
}

/* ---- documents ---- */

static const char *uri_of(const json_t *params)
{
	return json_string_value(json_object_get(json_object_get(params, "textDocument"), "uri"));
}

static void publish(struct server *s, const char *uri)
{
	const struct lsp_document *d = lsp_find(&s->documents, uri);
	lsp_write(json_pack("{s:s, s:s, s:{s:s, s:o}}", "jsonrpc", "2.0", "method", "textDocument/publishDiagnostics",
	                    "params", "uri", uri, "diagnostics", d ? lsp_diagnostics(d) : json_array()));
}

static void set_text(struct server *s, const char *uri, const json_t *text)
{
	if (uri && json_is_string(text) && lsp_set(&s->documents, uri, json_string_value(text), json_string_length(text)))
		publish(s, uri);
}

static void on_open(struct server *s, const json_t *params)
{
	set_text(s, uri_of(params), json_object_get(json_object_get(params, "textDocument"), "text"));
}

/* Whole texts: the last one counts. */
static void on_change(struct server *s, const json_t *params)
{
	const json_t *changes = json_object_get(params, "contentChanges");
	size_t n = json_array_size(changes);
	if (n)
		set_text(s, uri_of(params), json_object_get(json_array_get(changes, n - 1), "text"));
}

static void on_close(struct server *s, const json_t *params)
{
	const char *uri = uri_of(params);
	if (!uri)
		return;
	lsp_close(&s->documents, uri);
	publish(s, uri); /* nothing is wrong with what is not open */
}

/* ---- requests ---- */

static json_t *abilities(void)
{
	return json_pack("{s:{s:{s:b, s:i}, s:b, s:b, s:b, s:b, s:b, s:b, s:{s:b}, s:{s:[s, s]}}, s:{s:s, s:s}}",
	                 "capabilities", "textDocumentSync", "openClose", 1, "change", 1, "hoverProvider", 1,
	                 "definitionProvider", 1, "referencesProvider", 1, "documentHighlightProvider", 1,
	                 "documentSymbolProvider", 1, "documentFormattingProvider", 1, "renameProvider", "prepareProvider",
	                 1, "completionProvider", "triggerCharacters", "(", "?", "serverInfo", "name", "macaw", "version",
	                 macaw_version());
}

static const struct {
	const char *method;
	lsp_answer *answer;
} requests[] = {
	{"textDocument/hover", lsp_hover},           {"textDocument/definition", lsp_definition},
	{"textDocument/references", lsp_references}, {"textDocument/documentHighlight", lsp_highlight},
	{"textDocument/rename", lsp_rename},         {"textDocument/prepareRename", lsp_prepare_rename},
	{"textDocument/completion", lsp_completion}, {"textDocument/documentSymbol", lsp_symbols},
	{"textDocument/formatting", lsp_formatting},
};

static void ask_document(struct server *s, const json_t *id, const json_t *params, lsp_answer *ask)
{
	const char *uri = uri_of(params);
	const struct lsp_document *d = uri ? lsp_find(&s->documents, uri) : NULL;
	struct lsp_error error = {0};
	json_t *result = d ? ask(d, params, &error) : NULL;
	if (!d)
		refuse(id, LSP_BAD_PARAMS, "this document is not open");
	else if (result)
		answer(id, result);
	else
		refuse(id, error.code ? error.code : LSP_FAILED, text_str(&error.text));
	text_free(&error.text);
}

static void on_request(struct server *s, const char *method, const json_t *id, const json_t *params)
{
	if (!strcmp(method, "initialize")) {
		s->ready = true;
		answer(id, abilities());
		return;
	}
	if (!s->ready || s->shut) {
		refuse(id, s->shut ? LSP_NO_REQUEST : LSP_NOT_READY,
		       s->shut ? "the server was shut down" : "initialize comes first");
		return;
	}
	if (!strcmp(method, "shutdown")) {
		s->shut = true;
		answer(id, json_null());
		return;
	}
	for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
		if (!strcmp(method, requests[i].method)) {
			ask_document(s, id, params, requests[i].answer);
			return;
		}
	refuse(id, LSP_NO_METHOD, "this server does not know the method");
}

static void on_notification(struct server *s, const char *method, const json_t *params)
{
	static const struct {
		const char *method;
		void (*take)(struct server *s, const json_t *params);
	} known[] = {
		{"textDocument/didOpen", on_open}, {"textDocument/didChange", on_change}, {"textDocument/didClose", on_close}};
	if (!strcmp(method, "exit"))
		s->status = s->shut ? EXIT_DONE : EXIT_INPUT;
	for (size_t i = 0; s->ready && i < sizeof known / sizeof *known; i++)
		if (!strcmp(method, known[i].method))
			known[i].take(s, params);
}

static void take(struct server *s, const json_t *message)
{
	const char *method = json_string_value(json_object_get(message, "method"));
	const json_t *id = json_object_get(message, "id"), *params = json_object_get(message, "params");
	bool request = json_is_integer(id) || json_is_string(id);
	if (request && method)
		on_request(s, method, id, params);
	else if (method && !id)
		on_notification(s, method, params);
	else if (!json_object_get(message, "result") &&
	         !json_object_get(message, "error")) /* we ask nothing: answers are dropped */
		refuse(request ? id : NULL, LSP_NO_REQUEST, "this is no request");
}

static int run(void *options, int count, char **words)
{
	struct server s = {.status = -1};
	(void)options, (void)words;
	if (count) {
		fprintf(stderr, "macaw lsp: it takes no arguments; an editor starts it and speaks to it\n");
		return EXIT_USAGE;
	}
	while (s.status < 0) {
		json_t *message = NULL;
		enum lsp_read status = lsp_read(&message);
		if (status == LSP_MESSAGE) {
			take(&s, message);
			json_decref(message);
		} else if (status == LSP_NO_JSON) {
			refuse(NULL, LSP_PARSE_ERROR, "this is no JSON");
		} else {
			if (status == LSP_BROKEN)
				fprintf(stderr,
				        "macaw lsp: the input is no message with a Content-Length; is it an editor that speaks?\n");
			s.status = status == LSP_END && s.shut ? EXIT_DONE : EXIT_INPUT;
		}
	}
	lsp_close_all(&s.documents);
	return s.status;
}

static const struct opt options[] = {{0}};

const struct command cmd_lsp = {
	.name = "lsp",
	.arguments = "",
	.summary = "Serve an editor: errors, names and layout of rules",
	.details =
		"A language server (LSP) on standard input and output: diagnostics while one types, hover, definition, "
		"references, "
		"rename, completion, symbols and layout, for both forms of rules. Files for VS Code and Vim are in editors/.",
	.options = options,
	.size = 1,
	.example = "macaw lsp",
	.run = run,
};

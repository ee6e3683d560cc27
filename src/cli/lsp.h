/* The language server: rules in an editor, over JSON-RPC.
 *
 *     lsp_stream.c    messages on standard input and output
 *     lsp_document.c  open texts, and places in them as the protocol counts them
 *     lsp_answers.c   what is answered: hover, definition, references, rename, completion, symbols, layout
 *     commands/lsp.c  the loop */
#ifndef CLI_LSP_H
#define CLI_LSP_H

#include "macaw/rules.h"
#include "show/terminal.h"

#include <jansson.h>

enum {
	LSP_PARSE_ERROR = -32700,
	LSP_NO_REQUEST = -32600,
	LSP_NO_METHOD = -32601,
	LSP_BAD_PARAMS = -32602,
	LSP_NOT_READY = -32002,
	LSP_FAILED = -32803
};

/* ---- messages ---- */

enum lsp_read { LSP_MESSAGE, LSP_END, LSP_NO_JSON, LSP_BROKEN };
/* The next message; LSP_NO_JSON: its content is none; LSP_BROKEN: the stream makes no sense any more. */
enum lsp_read lsp_read(json_t **message);
void lsp_write(json_t *message); /* takes it over */

/* ---- documents ---- */

struct lsp_document {
	char *uri;
	macaw_rules *rules; /* with its text */
	VEC(size_t) lines;  /* where they begin */
	bool ascii;         /* a byte is a character */
};

struct lsp_documents {
	VEC(struct lsp_document) all;
};

struct lsp_document *lsp_find(struct lsp_documents *d, const char *uri); /* NULL: not open */
/* Opens it, or gives it another text; false: out of memory. */
bool lsp_set(struct lsp_documents *d, const char *uri, const char *text, size_t length);
void lsp_close(struct lsp_documents *d, const char *uri);
void lsp_close_all(struct lsp_documents *d);

/* Places: lines from 0, characters in UTF-16 units. */
size_t lsp_offset(const struct lsp_document *d, const json_t *position);
json_t *lsp_range(const struct lsp_document *d, size_t from, size_t to);
json_t *lsp_location(const struct lsp_document *d, size_t from, size_t to);

/* ---- answers ---- */

json_t *lsp_diagnostics(const struct lsp_document *d); /* the array */

/* Each answers a request about a place of a document; NULL: *error says why not. */
struct lsp_error {
	int code;
	struct text text;
};
typedef json_t *lsp_answer(const struct lsp_document *d, const json_t *params, struct lsp_error *error);
lsp_answer lsp_hover, lsp_definition, lsp_references, lsp_rename, lsp_prepare_rename, lsp_completion, lsp_symbols,
	lsp_formatting, lsp_highlight;

#endif

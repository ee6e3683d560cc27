/* The page: games played, watched, analysed and written in a browser on the own machine. In the library `macaw-full`.
 *
 *     macaw_web *w = macaw_web_start(&(macaw_web_options){0}, &error);
 *     puts(macaw_web_url(w));
 *     … until it is enough …
 *     macaw_web_free(w);
 *
 * The interface between page and server is JSON over HTTP, described in web/API.md. Every request but that for the page
 * itself needs the token in the address; requests from pages of other origins are refused. Nothing on the disk can be
 * read but the games of the library and the files given here. When memory runs out in a thread of the server outside
 * the library, the program ends with status 3. */
#ifndef MACAW_WEB_H
#define MACAW_WEB_H

#include "macaw/common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct macaw_web macaw_web;

typedef struct macaw_web_options {
	const char
		*listen; /* HOST:PORT, port 0 picks a free one; NULL: 127.0.0.1:9148, or a free port when that is in use */
	const char *const *files; /* rulesheets (.kif, .gdl), records (.json), networks (.xml), tournaments (others) */
	size_t file_count;
	const char *results; /* a folder for tournaments that pages start; NULL: one that is removed at the end */
	uint32_t threads;    /* that compute; 0: one per processor and one more, three at least */
	const char *token;   /* 16 letters and digits at least; NULL: a random one */
} macaw_web_options;

/* Listens from now on, in threads of its own. NULL: a bad address or token (MACAW_USAGE), a file that cannot be read
 * (MACAW_INPUT), a port in use, a folder that cannot be written, no thread (MACAW_MACHINE). */
MACAW_API macaw_web *macaw_web_start(const macaw_web_options *o, macaw_error *e);
MACAW_API const char *macaw_web_address(const macaw_web *w); /* HOST:PORT with the port that is used */
MACAW_API const char *macaw_web_url(const macaw_web *w);     /* with the token */
MACAW_API bool macaw_web_has_page(const macaw_web *w); /* false: built without the page, only the interface is there */
/* Ends everything that is under way and waits for it. */
MACAW_API void macaw_web_free(macaw_web *w);

#ifdef __cplusplus
}
#endif

#endif

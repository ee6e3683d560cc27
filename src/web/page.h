/* The page itself: files that were put into the program when it was built, compressed. */
#ifndef WEB_PAGE_H
#define WEB_PAGE_H

#include <microhttpd.h>
#include <stdbool.h>
#include <stddef.h>

struct page_file {
	const char *path; /* "/" or "/main.js" */
	const char *type; /* of its content */
	const unsigned char *gzip;
	size_t size;
};
extern const struct page_file page_files[]; /* ended by a NULL path; made by scripts/page */

bool page_there(void);
/* What is at a path; `known`: the tag that the browser has, or NULL. Paths without a dot are the page's own addresses.
 */
struct MHD_Response *page_response(const char *path, const char *known, int *status);

#endif

/* What a browser is shown at GET / of a player or of a manager: a small page that follows /status or /events. Other
 * programs get a line of text there. */
#ifndef NET_PROTOCOL_WATCH_PAGE_H
#define NET_PROTOCOL_WATCH_PAGE_H

#include <stdbool.h>

bool watch_page_wanted(const char *accept); /* the Accept header, or NULL: does it ask for HTML? */

extern const char watch_page_player[], watch_page_match[]; /* whole HTML documents */

#endif

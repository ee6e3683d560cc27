/* Matches between people at pages and players, and records that were opened. */
#ifndef WEB_MATCHES_H
#define WEB_MATCHES_H

#include "web/place.h"

#define MATCHES_MOST 32
#define MATCHES_IDLE 3600.0 /* seconds after which a match that nobody asked for is dropped */

struct matches;
struct matches *matches_open(struct web *web);
void matches_watch(struct matches *all, double now); /* to be called often */
void matches_stop(struct matches *all);              /* ends all, and their streams */
void matches_close(struct matches *all);             /* nothing runs any more */

/* The course of the match that `match`, `key` and `step` of the body name, as a place of its own. *role: where the key
 * may not see the whole position, the role it asks for (`role` of the body, or its own), and nothing but that role's
 * observations may be used of the place; else MACAW_NONE. False: the request has failed. */
bool match_place(struct request *q, struct place *p, uint32_t *role);
/* The same where all of it will be seen. */
bool match_place_whole(struct request *q, struct place *p);

/* A match out of a record: who played (by role, NULL: nobody knows) and the course, which is taken over. Answers with
 * it. */
struct match_story {
	struct place course;
	const char *const *players;
	const char *disagrees; /* with the rules, what the record says of its end; NULL: nothing */
};
void matches_tell(struct request *q, struct match_story *s);

#endif

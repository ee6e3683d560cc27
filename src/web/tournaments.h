/* Tournaments that pages look at and start. */
#ifndef WEB_TOURNAMENTS_H
#define WEB_TOURNAMENTS_H

#include "web/request.h"

struct tournaments;
/* `folder`: where new ones are kept, and those that lie there already; NULL: in a folder that is removed at the end.
 * NULL: it cannot be made. */
struct tournaments *tournaments_open(struct web *web, const char *folder, macaw_error *e);
void tournaments_add_file(struct tournaments *all, const char *path);
void tournaments_close(struct tournaments *all);

#endif

/* Files that were given on the command line: the only ones that pages can open, besides the games of the library. */
#ifndef WEB_FILES_H
#define WEB_FILES_H

#include "web/request.h"

enum file_kind { FILE_RULES, FILE_RECORD, FILE_NETWORK, FILE_TOURNAMENT };

struct files;
/* NULL: one of them cannot be read. */
struct files *files_open(struct web *web, const char *const *paths, size_t count, macaw_error *e);
void files_close(struct files *f);
/* The path of a file by `file` of the body, which must be of that kind. NULL: the request has failed. */
const char *files_path(struct request *q, enum file_kind kind);

#endif

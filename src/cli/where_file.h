/* A position written down in a file: a list of fluents, in either form, with or without `true`. */
#ifndef CLI_WHERE_FILE_H
#define CLI_WHERE_FILE_H

#include "macaw/position.h"

/* `-`: standard input. False: after a message that names the line and the nearest fluent. */
bool where_file(macaw_game *g, const char *command, const char *path, uint64_t *position);

#endif

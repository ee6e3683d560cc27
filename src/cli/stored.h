/* Matches in the file of a tournament. */
#ifndef CLI_STORED_H
#define CLI_STORED_H

#include "show/terminal.h"

#include <stdbool.h>
#include <stdint.h>

bool stored_is(const char *path); /* is it such a file? */
int stored_list(const char *path, bool json);
int stored_record(const char *path, int64_t match, struct text *record); /* as JSON, with the rules */

#endif

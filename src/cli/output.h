/* What commands write: files and JSON objects. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "show/terminal.h"

/* A text to a file (`-`: standard output); NULL: there was no memory for it. Returns the exit status, after a message
 * unless 0. */
int output_file(const char *command, const char *path, const char *text);

/* Can the file be written? It is made when it is not there. Returns the exit status, after a message unless 0. */
int output_try(const char *command, const char *path);

/* Prints a line and frees it. */
void output_line(struct text *t);

/* A number with six decimals, for times. */
void output_seconds(struct json_writer *w, const char *key, double seconds);

#endif

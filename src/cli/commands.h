/* The subcommands: one file each in cli/commands/, one line each in cli/commands/list.inc. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "show/terminal.h"

#define C(name) extern const struct command cmd_##name;
#include "cli/commands/list.inc"
#undef C

/* All of them, ended by NULL. */
extern const struct command *const commands[];
extern const size_t command_count;

const struct command *command_find(const char *name); /* NULL: no such command */

/* Says on stderr that the name is unknown and which one is near; returns 2. */
int command_unknown(const char *name);

enum { EXIT_DONE = 0, EXIT_INPUT = 1, EXIT_USAGE = 2, EXIT_MACHINE = 3 };

#endif

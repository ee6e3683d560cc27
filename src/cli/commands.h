/* The subcommands, in the order `macaw help` shows them. A new one is a file
 * cmd_<name>.c that defines `const struct command cmd_<name>`, and a line here. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "show/command.h"

#define COMMANDS(C) \
	C(check) \
	C(show) \
	C(info) \
	C(simulate) \
	C(match) \
	C(play) \
	C(replay) \
	C(cases) \
	C(players) \
	C(tournament) \
	C(serve) \
	C(manage) \
	C(solve) \
	C(network) \
	C(symmetries) \
	C(model) \
	C(perft) \
	C(verify) \
	C(help) \
	C(version)

#define C(name) extern const struct command cmd_##name;
COMMANDS(C)
#undef C

/* All of them, ended by NULL. */
extern const struct command *const commands[];
extern const size_t command_count;

const struct command *command_find(const char *name); /* NULL: no such command */

/* Says on stderr that the name is unknown and which one is near; returns 2. */
int command_unknown(const char *name);

enum { EXIT_DONE = 0, EXIT_INPUT = 1, EXIT_USAGE = 2, EXIT_MACHINE = 3 };

#endif

/* The list of subcommands, and the search in it. */
#include "cli/commands.h"
#include "show/terminal.h"

#include <stdio.h>
#include <string.h>

const struct command *const commands[] = {
#define C(name) &cmd_##name,
#include "cli/commands/list.inc"
#undef C
	NULL};

const size_t command_count = sizeof commands / sizeof *commands - 1;

const struct command *command_find(const char *name)
{
	for (size_t i = 0; i < command_count; i++)
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	return NULL;
}

/* Words that people try, and the command that does it. */
static const char *meant(const char *name)
{
	static const char *const words[][2] = {{"list", "games"},  {"ls", "games"},     {"game", "games"},
	                                       {"human", "play"},  {"watch", "match"},  {"run", "match"},
	                                       {"view", "replay"}, {"server", "serve"}, {"validate", "check"}};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (!strcmp(words[i][0], name))
			return words[i][1];
	return NULL;
}

int command_unknown(const char *name)
{
	const char *names[sizeof commands / sizeof *commands];
	for (size_t i = 0; i < command_count; i++)
		names[i] = commands[i]->name;
	names[command_count] = NULL;
	const char *near = meant(name) ? meant(name) : nearest_word(name, names);
	fprintf(stderr, "macaw: unknown command '%s'", name);
	if (near)
		fprintf(stderr, " (did you mean '%s'?)", near);
	fprintf(stderr, "\nTry 'macaw help'.\n");
	return EXIT_USAGE;
}

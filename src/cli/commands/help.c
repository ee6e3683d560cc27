/* macaw help [COMMAND]: the list of commands, the help of one, the manual page. */
#include "cli/commands.h"

#include <stddef.h>
#include <stdio.h>

struct help_options {
	bool man;
};

static const struct opt table[] = {
	{"man", 0, OPT_FLAG, offsetof(struct help_options, man), NULL, NULL}, /* for the build: prints macaw.1 */
	{0}};

static void overview(struct text *out)
{
	text_puts(out, "Macaw plays, solves and analyses any game from its rules (GDL, GDL-II).\n\n"
	               "Usage: macaw COMMAND [OPTIONS] [ARGUMENTS]\n\nCommands:\n");
	for (size_t i = 0; i < command_count; i++)
		text_printf(out, "  %-12s %s\n", commands[i]->name, commands[i]->summary);
	text_puts(out, "\n'macaw help COMMAND' describes one. A GAME is a file, or the name of a rulesheet in games/.\n");
}

static int run(void *options, int count, char **words)
{
	const struct help_options *o = options;
	struct text out = {0};
	if (o->man)
		command_manual(commands, command_count, &out);
	else if (!count)
		overview(&out);
	for (int i = 0; i < count && !o->man; i++) {
		const struct command *c = command_find(words[i]);
		if (!c) {
			text_free(&out);
			return command_unknown(words[i]);
		}
		if (i)
			text_putc(&out, '\n');
		command_help(c, &out);
	}
	fputs(text_str(&out), stdout);
	text_free(&out);
	return EXIT_DONE;
}

const struct command cmd_help = {
	.name = "help",
	.arguments = "[COMMAND…]",
	.summary = "Describe the commands and their options",
	.options = table,
	.size = sizeof(struct help_options),
	.run = run,
};

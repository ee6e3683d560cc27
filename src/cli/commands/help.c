/* macaw help [COMMAND]: the list of commands, the help of one, topics, the manual page. */
#include "cli/commands.h"
#include "cli/completions.h"
#include "cli/topics.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct help_options {
	bool man;
	int completions; /* enum completions */
};

static const struct opt table[] = {
	{"completions", 0, OPT_CHOICE, offsetof(struct help_options, completions), "SHELL",
     "print a script by which this shell completes commands, options and names of games",
     .choices = "no|bash|zsh|fish"},
	{"man", 0, OPT_FLAG, offsetof(struct help_options, man), NULL, NULL}, /* for the build: prints macaw.1 */
	{0}};

static void row(const char *left, const char *right, struct text *out)
{
	screen_row(2, 15, left, right, screen_columns(), out);
}

static void overview(struct text *out)
{
	command_paragraphs("Macaw plays, solves and analyses any game from its rules (GDL, GDL-II).\n", out);
	text_puts(out, "\n"
	               "Usage: macaw COMMAND [OPTIONS] [ARGUMENTS]\n\nCommands:\n");
	for (size_t i = 0; i < command_count; i++)
		row(commands[i]->name, commands[i]->summary, out);
	text_putc(out, '\n');
	command_paragraphs(
		"'macaw help COMMAND' describes one, 'macaw help topics' lists what is the same for many. A GAME is a file, "
		"or a name that 'macaw games' lists.\n",
		out);
}

static void list_topics(struct text *out)
{
	text_puts(out, "Topics:\n");
	for (size_t i = 0; i < topic_count; i++)
		row(topics[i].name, topics[i].summary, out);
	text_puts(out, "\n'macaw help TOPIC' shows one.\n");
}

/* Where a word is a command and a topic, the command comes first and names the topic. */
static const struct topic *find_topic(const char *name)
{
	for (size_t i = 0; i < topic_count; i++)
		if (!strcmp(topics[i].name, name))
			return &topics[i];
	return NULL;
}

/* False: there is nothing of that name. */
static bool put_help(const char *name, struct text *out)
{
	const struct command *c = command_find(name);
	const struct topic *t = find_topic(name);
	if (!strcmp(name, "topics"))
		list_topics(out);
	if (c)
		command_help(c, out);
	if (c && t)
		text_putc(out, '\n');
	if (t)
		command_paragraphs(t->text, out);
	return c || t || !strcmp(name, "topics");
}

static int run(void *options, int count, char **words)
{
	const struct help_options *o = options;
	struct text out = {0};
	if (o->completions)
		completions_print((enum completions)o->completions, commands, command_count, &out);
	else if (o->man)
		command_manual(commands, command_count, &out);
	else if (!count)
		overview(&out);
	for (int i = 0; i < count && !o->man && !o->completions; i++) {
		if (i)
			text_putc(&out, '\n');
		if (!put_help(words[i], &out)) {
			text_free(&out);
			return command_unknown(words[i]);
		}
	}
	fputs(text_str(&out), stdout);
	text_free(&out);
	return EXIT_DONE;
}

const struct command cmd_help = {
	.name = "help",
	.arguments = "[COMMAND…|TOPIC…|topics]",
	.summary = "Describe the commands and their options",
	.example = "macaw help positions",
	.options = table,
	.size = sizeof(struct help_options),
	.run = run,
};

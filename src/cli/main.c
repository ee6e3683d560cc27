/* Finds the command, lets its table read the words, runs it. */
#include "cli/commands.h"

#include "macaw/server.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* --help or -h before any `--`; a command may have a use of its own for -h. */
static bool asks_for_help(const struct command *c, int argc, char **argv)
{
	bool letter = true;
	for (const struct opt *o = c->options; o && o->name; o++)
		letter = letter && o->letter != 'h';
	for (int i = 1; i < argc && strcmp(argv[i], "--"); i++)
		if (!strcmp(argv[i], "--help") || (letter && !strcmp(argv[i], "-h")))
			return true;
	return false;
}

/* argv[0] is the name of the command. */
static int run(const struct command *c, int argc, char **argv)
{
	if (asks_for_help(c, argc, argv))
		return run(&cmd_help, 2, (char *[]){"help", unconst(c->name), NULL});
	struct text error = {0};
	void *options = mem_zalloc(1, c->size);
	int count = opt_parse(c->options, options, argc, argv, &error), status = EXIT_USAGE;
	if (count < 0)
		fprintf(stderr, "macaw %s: %s\nTry 'macaw help %s'.\n", c->name, text_str(&error), c->name);
	else
		status = c->run(options, count, argv + 1);
	text_free(&error);
	mem_free(options);
	return status;
}

int main(int argc, char **argv)
{
	static const char *const spelt[][2] = {
		{"--help", "help"}, {"-h", "help"}, {"--version", "version"}, {"-V", "version"}};
	const char *name = argc > 1 ? argv[1] : "help";
	setlocale(LC_CTYPE, ""); /* for lines typed at the terminal; numbers stay as they are */
	for (size_t i = 0; i < sizeof spelt / sizeof *spelt; i++)
		if (!strcmp(name, spelt[i][0]))
			name = spelt[i][1];
	if (!strcmp(name, "serve-match")) /* what `macaw serve` starts for each match */
		return macaw_server_match(STDIN_FILENO);
	const struct command *c = command_find(name);
	int status = c ? run(c, argc > 1 ? argc - 1 : argc, argc > 1 ? argv + 1 : argv) : command_unknown(name);
	if (fflush(stdout) || ferror(stdout)) {
		fprintf(stderr, "macaw: cannot write the results\n");
		status = EXIT_MACHINE;
	}
	return status;
}

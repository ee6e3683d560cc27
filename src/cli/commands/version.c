/* macaw version. */
#include "cli/commands.h"
#include "macaw/common.h"

#include <stdio.h>

static int run(void *options, int count, char **words)
{
	(void)options, (void)words;
	if (count) {
		fprintf(stderr, "macaw version: takes no arguments\n");
		return EXIT_USAGE;
	}
	printf("macaw %s\n", macaw_version());
	return EXIT_DONE;
}

const struct command cmd_version = {
	.name = "version",
	.arguments = "",
	.summary = "Print the version of the program",
	.example = "macaw version",
	.run = run,
};

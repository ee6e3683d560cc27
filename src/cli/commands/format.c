/* macaw format GAME…: lays rules out and keeps their comments. */
#include "cli/commands.h"
#include "cli/load.h"
#include "cli/output.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct format_command_options {
	bool write, check;
	int64_t width, indent;
};

#define FIELD(f) offsetof(struct format_command_options, f)
static const struct opt options[] = {
	{"write", 'w', OPT_FLAG, FIELD(write), NULL, "write the files themselves, those that change"},
	{"check", 0, OPT_FLAG, FIELD(check), NULL, "write nothing; name the files that would change, and exit with 1"},
	{"width", 0, OPT_INT, FIELD(width), "N", "longest line, in columns", .whole = 120, .min = 20, .max = 1000},
	{"indent", 0, OPT_INT, FIELD(indent), "N", "indent by N blanks (0: by a tab)", .min = 0, .max = 16},
	{0}};

/* What becomes of one text. */
static int give(const char *file, const char *before, const char *after, const struct format_command_options *o)
{
	bool changes = strcmp(before, after) != 0;
	if (o->check) {
		if (changes)
			puts(file);
		return changes ? EXIT_INPUT : EXIT_DONE;
	}
	if (!o->write) {
		fputs(after, stdout);
		return EXIT_DONE;
	}
	if (!changes)
		return EXIT_DONE;
	puts(file);
	return output_file("format", file, after);
}

static int format_one(const char *game, const struct format_command_options *o)
{
	macaw_error error;
	macaw_rules *r = macaw_rules_load(game, &error);
	if (!r) {
		fprintf(stderr, "macaw format: %s\n", error.text);
		return load_status(&error);
	}
	int status = EXIT_INPUT;
	load_report(r, MACAW_REPORT_UNREADABLE, 100);
	char *after = macaw_rules_format(r, &(macaw_format_options){(uint32_t)o->width, (uint32_t)o->indent}, &error);
	if (after) {
		status = give(macaw_rules_file(r), macaw_rules_source(r, NULL), after, o);
	} else {
		fprintf(stderr, "macaw format: %s: %s\n", game, error.text);
		status = load_status(&error);
	}
	macaw_free(after);
	macaw_rules_free(r);
	return status;
}

static int run(void *options_, int count, char **words)
{
	const struct format_command_options *o = options_;
	int status = EXIT_DONE;
	if (!count || (o->write && o->check)) {
		fprintf(stderr, !count ? "macaw format: name a GAME: a file, or - for standard input\n"
		                       : "macaw format: --write or --check, not both\n");
		return EXIT_USAGE;
	}
	for (int i = 0; i < count; i++) {
		if (o->write && !strcmp(words[i], "-")) {
			fprintf(stderr, "macaw format: standard input cannot be written; leave --write out\n");
			return EXIT_USAGE;
		}
		int one = format_one(words[i], o);
		status = one > status ? one : status;
	}
	return status;
}

const struct command cmd_format = {
	.name = "format",
	.arguments = "GAME…",
	.summary = "Lay the rules of games out",
	.details =
		"Prints the text with its comments, in lines that fit and with even indents. What was on one line stays there "
		"where it "
		"fits; other rules get a line for each condition. The rules stay the same, which is checked by reading them "
		"back; laying them out again changes nothing.",
	.example = "macaw format --write game.kif",
	.options = options,
	.size = sizeof(struct format_command_options),
	.run = run,
};

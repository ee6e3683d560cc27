/* macaw show GAME: the rules as we read them, in either form. */
#include "cli/commands.h"
#include "cli/game_file.h"

#include <stddef.h>
#include <stdio.h>

struct show_options {
	bool kif, infix;
};

#define FIELD(f) offsetof(struct show_options, f)
static const struct opt options[] = {
    {"kif", 0, OPT_FLAG, FIELD(kif), NULL, "in prefix form (the default)"},
    {"infix", 0, OPT_FLAG, FIELD(infix), NULL, "in infix form"},
    {0}};

static int run(void *options_, int count, char **words)
{
	const struct show_options *o = options_;
	if (count != 1 || (o->kif && o->infix)) {
		fprintf(stderr, count == 1 ? "macaw show: choose one of --kif and --infix\n" : "macaw show: name one GAME\n");
		return EXIT_USAGE;
	}
	struct game_file f = {0};
	struct text error = {0}, out = {0};
	struct diags d = {.max = 100};
	int status = game_file_read(words[0], &f, &error);
	if (status) {
		fprintf(stderr, "macaw show: %s\n", text_str(&error));
	} else {
		struct gdl_rules *r = gdl_read(text_str(&f.source), f.source.n, &d);
		diag_drop_warnings(&d);
		game_file_tell(&f, &d);
		status = d.errors ? EXIT_INPUT : EXIT_DONE;
		if (!status)
			gdl_print(r, o->infix ? GDL_INFIX : GDL_KIF, &out);
		fwrite(text_str(&out), 1, out.n, stdout);
		gdl_free(r);
	}
	diag_free(&d);
	text_free(&error);
	text_free(&out);
	game_file_free(&f);
	return status;
}

const struct command cmd_show = {
    .name = "show",
    .arguments = "GAME",
    .summary = "Print the rules of a game in prefix or infix form",
    .details = "Prints the rules as they were read, one after the other, without comments. The text reads back as the same "
               "rules in either form.",
    .options = options,
    .size = sizeof(struct show_options),
    .run = run,
};

/* Reads GAME for commands that look inside; see cli/load.h for the others. */
#include "cli/game_file.h"

#include "cli/commands.h"
#include "gdl/rulesheet.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int game_file_read(const char *game, struct game_file *f, struct text *error)
{
	struct rulesheet r = {0};
	enum rulesheet_fault fault = rulesheet_read(game, &r, error);
	f->path = r.path;
	f->source = r.source;
	return fault == RULESHEET_FOUND ? EXIT_DONE : fault == RULESHEET_MISSING ? EXIT_INPUT : EXIT_MACHINE;
}

void game_file_free(struct game_file *f)
{
	text_free(&f->path);
	text_free(&f->source);
}

void game_file_tell(const struct game_file *f, struct diags *d)
{
	struct text out = {0};
	diag_sort(d);
	diag_print(d, text_str(&f->path), text_str(&f->source), f->source.n, isatty(STDERR_FILENO) && !getenv("NO_COLOR"),
	           &out);
	fputs(text_str(&out), stderr);
	text_free(&out);
}

struct gdl_rules *game_file_rules(const char *game, bool warnings, int *status)
{
	struct game_file f = {0};
	struct text error = {0};
	struct diags d = {.max = 100};
	struct gdl_rules *r = NULL;
	*status = game_file_read(game, &f, &error);
	if (*status) {
		fprintf(stderr, "macaw: %s\n", text_str(&error));
	} else {
		r = gdl_read(text_str(&f.source), f.source.n, &d);
		gdl_check(r, &d);
		if (!warnings)
			diag_drop_warnings(&d);
		game_file_tell(&f, &d);
		if (d.errors) {
			gdl_free(r);
			r = NULL;
			*status = EXIT_INPUT;
		}
	}
	diag_free(&d);
	text_free(&error);
	game_file_free(&f);
	return r;
}

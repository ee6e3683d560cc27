/* Loads games for the commands: messages, exit status, a line of progress. */
#include "cli/load.h"

#include "cli/commands.h"
#include "show/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { SHOWN = 100 }; /* diagnostics of rules that cannot be played */

int load_status(const macaw_error *e)
{
	return e->status == MACAW_MEMORY ? EXIT_MACHINE : (int)e->status;
}

void load_report(const macaw_rules *r, enum macaw_report what, size_t max)
{
	char *text = macaw_rules_report(r, what, max, isatty(STDERR_FILENO) && !getenv("NO_COLOR"));
	fputs(text ? text : "", stderr);
	macaw_free(text);
}

macaw_rules *load_rules(const char *word, enum macaw_report what, int *status)
{
	macaw_error error;
	macaw_rules *r = macaw_rules_load(word, &error);
	*status = load_status(&error);
	if (!r) {
		fprintf(stderr, "macaw: %s\n", error.text);
		return NULL;
	}
	load_report(r, what, SHOWN);
	if (!macaw_rules_errors(r))
		return r;
	*status = EXIT_INPUT;
	macaw_rules_free(r);
	return NULL;
}

static void draw_progress(void *context, const char *what, double done, double total)
{
	struct progress *p = context;
	p->what = what;
	progress_step(p, done, total, NULL);
}

macaw_game *load_word(const char *command, const char *word, const struct load_options *o, int *status)
{
	macaw_error error;
	macaw_rules *r = load_rules(word, MACAW_REPORT_ERRORS, status);
	if (!r)
		return NULL;
	struct progress progress = progress_start("", false);
	macaw_game_options go = {.engine = (enum macaw_engine)o->engine,
	                         .limit.seconds = o->timeout,
	                         .memory = (size_t)o->memory << 20,
	                         .progress = draw_progress,
	                         .context = &progress};
	macaw_game *g = macaw_game_make(r, &go, &error);
	progress_end(&progress);
	if (!g) {
		fprintf(stderr, "macaw %s: %s: %s\n", command, word, error.text);
		*status = load_status(&error);
	} else if (*macaw_game_why_interpreted(g)) {
		fprintf(stderr, "macaw %s: %s is interpreted, which is slow: %s\n", command, word,
		        macaw_game_why_interpreted(g));
	}
	return g;
}

const char *load_engine(const macaw_game *g)
{
	return macaw_game_engine(g) == MACAW_ENGINE_CIRCUIT ? "circuit" : "interpreter";
}

/* macaw verify GAME TRACE…: recorded matches, replayed step by step. */
#include "cli/commands.h"
#include "cli/load_game.h"
#include "cli/trace.h"

#include "base/progress.h"

#include <stddef.h>
#include <stdio.h>

struct verify_options {
	struct load_options load;
	bool json;
};

static const struct opt options[] = {
	{"json", 0, OPT_FLAG, offsetof(struct verify_options, json), NULL, "print one JSON object"},
	LOAD_OPTIONS(struct verify_options, load),
	{0}};

static int verify_file(struct trace *t, struct game *g, const char *path, struct text *fault)
{
	struct text source = {0};
	const char *message = text_read_file(&source, path, (size_t)1 << 32);
	int status = EXIT_DONE;
	if (message) {
		text_puts(fault, message);
		status = EXIT_INPUT;
	} else if (trace_replay(t, g, text_str(&source), source.n) != TRACE_AGREES) {
		text_printf(fault, "%s:%zu: %s", path, t->line, text_str(&t->message));
		status = EXIT_INPUT;
	}
	text_free(&source);
	return status;
}

static void report(const struct loaded *l, const struct trace *t, bool json, const struct text *fault)
{
	if (json) {
		struct text out = {0};
		text_puts(&out, "{\"game\":");
		text_json(&out, text_str(&l->name));
		text_printf(&out, ",\"engine\":\"%s\",\"ok\":%s,\"matches\":%zu,\"steps\":%zu,\"difference\":",
		            load_engine_name(l->game), fault->n ? "false" : "true", t->matches, t->steps);
		if (fault->n)
			text_json(&out, text_str(fault));
		else
			text_puts(&out, "null");
		printf("%s}\n", text_str(&out));
		text_free(&out);
	} else if (fault->n) {
		printf("%s\n", text_str(fault));
	} else {
		printf("ok: %zu match%s, %zu step%s\n", t->matches, t->matches == 1 ? "" : "es", t->steps, t->steps == 1 ? "" : "s");
	}
}

static int run(void *options_, int count, char **words)
{
	const struct verify_options *o = options_;
	if (count < 2) {
		fprintf(stderr, count ? "macaw verify: name one or more TRACE files after the GAME\n"
		                      : "macaw verify: name a GAME and one or more TRACE files\n");
		return EXIT_USAGE;
	}
	struct loaded l = {0};
	int status = load_game("verify", words[0], &o->load, &l);
	if (status)
		return status;
	struct trace t = {0};
	struct text fault = {0};
	struct progress p = progress_start("verifying", false);
	for (int i = 1; i < count && !status; i++) {
		progress_step(&p, i - 1, count - 1, words[i]);
		status = verify_file(&t, l.game, words[i], &fault);
	}
	progress_end(&p);
	report(&l, &t, o->json, &fault);
	text_free(&fault);
	trace_free(&t);
	load_game_free(&l);
	return status;
}

const struct command cmd_verify = {
	.name = "verify",
	.arguments = "GAME TRACE…",
	.summary = "Replay recorded matches and compare every step",
	.details =
		"A trace has one JSON object a line with the keys match, step, state, legal, terminal, goals, move and perhaps "
		"sees. Each step of each match is compared with what the rules say; lists are compared as sets, in lower case. "
		"Ends with a count, or with the first difference and exit status 1: what is missing stands in the trace only, "
		"what is surplus comes from the rules only.",
	.options = options,
	.size = sizeof(struct verify_options),
	.run = run,
};

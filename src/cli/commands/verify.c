/* macaw verify GAME TRACE…: recorded matches, replayed step by step. */
#include "cli/commands.h"
#include "cli/load.h"
#include "macaw/trace.h"
#include "show/terminal.h"

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

/* The result over all files. A difference is a result; a trace that cannot be
 * replayed at all is a diagnostic. */
struct outcome {
	struct text fault;
	bool difference;
};

static int verify_file(macaw_trace *t, const char *path, struct outcome *o)
{
	struct text source = {0};
	bool there = text_read_file(&source, path, (size_t)1 << 32, &o->fault);
	enum macaw_verdict v = there ? macaw_trace_compare(t, text_str(&source), source.n) : MACAW_MALFORMED;
	if (there && v)
		text_printf(&o->fault, "%s:%zu: %s", path, macaw_trace_line(t), macaw_trace_message(t));
	o->difference = v == MACAW_DIFFERS;
	text_free(&source);
	return v ? EXIT_INPUT : EXIT_DONE;
}

static void print_json(const macaw_game *g, const macaw_trace *t, const struct outcome *o)
{
	struct text out = {0};
	struct json_writer w = {.out = &out};
	jsonw_object(&w, NULL);
	jsonw_text(&w, "game", macaw_game_name(g));
	jsonw_text(&w, "engine", load_engine(g));
	jsonw_bool(&w, "ok", !o->fault.n);
	jsonw_uint(&w, "matches", macaw_trace_matches(t));
	jsonw_uint(&w, "steps", macaw_trace_steps(t));
	jsonw_text(&w, "difference", o->difference ? text_str(&o->fault) : NULL);
	jsonw_end(&w);
	puts(text_str(&out));
	text_free(&out);
}

static void report(const macaw_game *g, const macaw_trace *t, bool json, const struct outcome *o)
{
	size_t matches = macaw_trace_matches(t), steps = macaw_trace_steps(t);
	if (o->fault.n && !o->difference)
		fprintf(stderr, "macaw verify: %s\n", text_str(&o->fault));
	if (json)
		print_json(g, t, o);
	else if (o->difference)
		printf("%s\n", text_str(&o->fault));
	else if (!o->fault.n)
		printf("ok: %zu match%s, %zu step%s\n", matches, matches == 1 ? "" : "es", steps, steps == 1 ? "" : "s");
}

static int verify_files(const struct verify_options *o, macaw_game *g, int count, char **paths)
{
	macaw_error error;
	macaw_trace *t = macaw_trace_new(g, &error);
	if (!t) {
		fprintf(stderr, "macaw verify: %s\n", error.text);
		return load_status(&error);
	}
	int status = EXIT_DONE;
	struct outcome outcome = {0};
	struct progress p = progress_start("verifying", false);
	for (int i = 0; i < count && !status; i++) {
		progress_step(&p, i, count, paths[i]);
		status = verify_file(t, paths[i], &outcome);
	}
	progress_end(&p);
	report(g, t, o->json, &outcome);
	text_free(&outcome.fault);
	macaw_trace_free(t);
	return status;
}

static int run(void *options_, int count, char **words)
{
	const struct verify_options *o = options_;
	if (count < 2) {
		fprintf(stderr, count ? "macaw verify: name one or more TRACE files after the GAME\n"
		                      : "macaw verify: name a GAME and one or more TRACE files\n");
		return EXIT_USAGE;
	}
	int status;
	macaw_game *g = load_word("verify", words[0], &o->load, &status);
	if (g)
		status = verify_files(o, g, count - 1, words + 1);
	macaw_game_free(g);
	return status;
}

const struct command cmd_verify = {
	.name = "verify",
	.arguments = "GAME TRACE…",
	.summary = "Replay recorded matches and compare every step",
	.details =
		"A trace has one JSON object per line with the keys match, step, state, legal, terminal, goals, move and, "
		"optionally, sees. Each step of each match is compared with what the rules say; lists are compared as sets, in "
		"lower case. "
		"Ends with a count, or with the first difference and exit status 1: missing terms are in the trace only, "
		"surplus ones follow from the rules only.",
	.options = options,
	.size = sizeof(struct verify_options),
	.example = "macaw verify tictactoe trace.jsonl",
	.run = run,
};

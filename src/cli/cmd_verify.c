/* macaw verify GAME TRACE…: recorded matches, replayed step by step. */
#include "cli/commands.h"
#include "cli/json_out.h"
#include "cli/load_game.h"
#include "show/trace.h"

#include "base/progress.h"

#include <stddef.h>

struct verify_options {
	struct load_options load;
	bool json;
};

static const struct opt options[] = {
	{"json", 0, OPT_FLAG, offsetof(struct verify_options, json), NULL, "print one JSON object"},
	LOAD_OPTIONS(struct verify_options, load),
	{0}};

/* What the files came to. A difference is a result; that a trace could not be
 * replayed at all is a diagnostic. */
struct outcome {
	struct text fault;
	bool difference;
};

static int verify_file(struct trace *t, struct game *g, const char *path, struct outcome *o)
{
	struct text source = {0};
	const char *message = text_read_file(&source, path, (size_t)1 << 32);
	enum trace_verdict v = message ? TRACE_MALFORMED : trace_replay(t, g, text_str(&source), source.n);
	if (message)
		text_puts(&o->fault, message);
	else if (v)
		text_printf(&o->fault, "%s:%zu: %s", path, t->line, text_str(&t->message));
	o->difference = v == TRACE_DIFFERS;
	text_free(&source);
	return v ? EXIT_INPUT : EXIT_DONE;
}

static void print_json(const struct loaded *l, const struct trace *t, const struct outcome *o)
{
	json_finish(json_pack("{s:o, s:s, s:b, s:I, s:I, s:o}", "game", json_text(text_str(&l->name)), "engine",
	                      load_engine_name(l->game), "ok", !o->fault.n, "matches", (json_int_t)t->matches, "steps",
	                      (json_int_t)t->steps, "difference",
	                      o->difference ? json_text(text_str(&o->fault)) : json_null()));
}

static void report(const struct loaded *l, const struct trace *t, bool json, const struct outcome *o)
{
	if (o->fault.n && !o->difference)
		fprintf(stderr, "macaw verify: %s\n", text_str(&o->fault));
	if (json)
		print_json(l, t, o);
	else if (o->difference)
		printf("%s\n", text_str(&o->fault));
	else if (!o->fault.n)
		printf("ok: %zu match%s, %zu step%s\n", t->matches, t->matches == 1 ? "" : "es", t->steps,
		       t->steps == 1 ? "" : "s");
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
	struct outcome outcome = {0};
	struct progress p = progress_start("verifying", false);
	for (int i = 1; i < count && !status; i++) {
		progress_step(&p, i - 1, count - 1, words[i]);
		status = verify_file(&t, l.game, words[i], &outcome);
	}
	progress_end(&p);
	report(&l, &t, o->json, &outcome);
	text_free(&outcome.fault);
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

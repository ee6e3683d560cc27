/* macaw check GAME…: are these rules well formed, and can they be played? */
#include "cli/check_play.h"
#include "cli/commands.h"
#include "cli/load.h"
#include "cli/place_json.h"
#include "show/terminal.h"

#include <stddef.h>
#include <stdio.h>

struct check_options {
	bool json, quiet, play;
	int64_t max;
	struct check_play_options playing;
};

#define FIELD(f) offsetof(struct check_options, f)
static const struct opt options[] = {
	{"json", 0, OPT_FLAG, FIELD(json), NULL, "print one JSON object with all diagnostics"},
	{"quiet", 'q', OPT_FLAG, FIELD(quiet), NULL, "print errors only, neither warnings nor summaries"},
	{"max", 0, OPT_INT, FIELD(max), "N", "show at most N diagnostics per file", .whole = 100, .min = 1, .max = 1e6},
	{"play", 0, OPT_FLAG, FIELD(play), NULL,
     "play the game too, and tell roles without moves, ends without goals, games without end"},
	{"playouts", 'n', OPT_INT, FIELD(playing.playouts), "N", "with --play: playouts", .whole = 1000, .min = 1,
     .max = 1e9},
	{"seed", 0, OPT_INT, FIELD(playing.seed), "S", "with --play: of the random numbers", .whole = 1, .min = 0,
     .max = 9e15},
	{"time", 't', OPT_REAL, FIELD(playing.seconds), "SEC",
     "with --play: longest time, after which what was found is told (0: no limit)", .real = 60, .min = 0, .max = 1e9},
	{0}};

struct totals {
	size_t errors, warnings, defects;
	int status;
};

static const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
}

static void summarise(const macaw_rules *r)
{
	const char *file = macaw_rules_file(r);
	size_t errors = macaw_rules_errors(r), warnings = macaw_rules_warnings(r), rules = macaw_rules_count(r);
	uint32_t roles = macaw_rules_roles(r);
	if (errors) {
		fprintf(stderr, "%s: %zu error%s, %zu warning%s\n", file, errors, plural(errors), warnings, plural(warnings));
		return;
	}
	printf("%s: ok, %u role%s, %zu rule%s", file, roles, plural(roles), rules, plural(rules));
	if (warnings)
		printf(", %zu warning%s", warnings, plural(warnings));
	putchar('\n');
}

/* ---- JSON ---- */

static void diagnostic_json(struct json_writer *w, const char *file, const macaw_diagnostic *d)
{
	jsonw_object(w, NULL);
	jsonw_text(w, "file", file);
	place_json(w, d->at);
	jsonw_text(w, "severity", d->severity == MACAW_ERROR ? "error" : "warning");
	jsonw_text(w, "code", d->code);
	jsonw_text(w, "message", d->message);
	if (d->help)
		jsonw_text(w, "help", d->help);
	if (d->also) {
		jsonw_object(w, "also");
		place_json(w, d->also_at);
		jsonw_text(w, "message", d->also);
		jsonw_end(w);
	}
	jsonw_end(w);
}

/* At most o->max of them, errors before warnings. */
static void diagnostics_json(struct json_writer *w, const macaw_rules *r, const struct check_options *o)
{
	size_t n = macaw_rules_diagnostics(r), errors = 0, left[2];
	for (size_t i = 0; i < n; i++)
		errors += macaw_rules_diagnostic(r, i).severity == MACAW_ERROR;
	left[MACAW_ERROR] = (size_t)o->max;
	left[MACAW_WARNING] = !o->quiet && errors < (size_t)o->max ? (size_t)o->max - errors : 0;
	jsonw_array(w, "diagnostics");
	for (size_t i = 0; i < n; i++) {
		macaw_diagnostic d = macaw_rules_diagnostic(r, i);
		if (left[d.severity]) {
			left[d.severity]--;
			diagnostic_json(w, macaw_rules_file(r), &d);
		}
	}
	jsonw_end(w);
}

/* The members of the object of a file. */
static void rules_json(struct json_writer *w, const macaw_rules *r, const struct check_options *o)
{
	jsonw_object(w, NULL);
	jsonw_text(w, "file", macaw_rules_file(r));
	jsonw_bool(w, "ok", !macaw_rules_errors(r));
	jsonw_text(w, "form", macaw_rules_infix(r) ? "infix" : "kif");
	jsonw_array(w, "roles");
	for (uint32_t i = 0; i < macaw_rules_roles(r); i++)
		jsonw_text(w, NULL, macaw_rules_role(r, i));
	jsonw_end(w);
	jsonw_uint(w, "rules", macaw_rules_count(r));
	jsonw_uint(w, "errors", macaw_rules_errors(r));
	jsonw_uint(w, "warnings", o->quiet ? 0 : macaw_rules_warnings(r));
	diagnostics_json(w, r, o);
}

static void unreadable(const char *game, const char *message, const struct check_options *o, struct json_writer *w)
{
	if (!o->json) {
		fprintf(stderr, "macaw check: %s\n", message);
		return;
	}
	jsonw_object(w, NULL);
	jsonw_text(w, "file", game);
	jsonw_bool(w, "ok", false);
	jsonw_text(w, "message", message);
	jsonw_end(w);
}

/* ---- the command ---- */

static void check_one(const char *game, const struct check_options *o, struct totals *t, struct json_writer *w)
{
	macaw_error error;
	macaw_rules *r = macaw_rules_load(game, &error);
	int status = r && macaw_rules_errors(r) ? EXIT_INPUT : load_status(&error);
	bool read = r != NULL, playable = o->play && read && !macaw_rules_errors(r);
	if (!r) {
		unreadable(game, error.text, o, w);
	} else if (o->json) {
		rules_json(w, r, o);
	} else {
		load_report(r, o->quiet ? MACAW_REPORT_ERRORS : MACAW_REPORT_ALL, (size_t)o->max);
		if (!o->quiet)
			summarise(r);
		fflush(stdout);
	}
	t->errors += r ? macaw_rules_errors(r) : 0;
	t->warnings += r && !o->quiet ? macaw_rules_warnings(r) : 0;
	if (playable)
		status = check_play(r, &o->playing, o->json ? w : NULL, &t->defects);
	else
		macaw_rules_free(r);
	if (o->json && read)
		jsonw_end(w);
	t->status = status > t->status ? status : t->status;
}

static void print_json(const struct check_options *o, const struct totals *t, double seconds, const struct text *files)
{
	struct text out = {0};
	struct json_writer w = {.out = &out};
	jsonw_object(&w, NULL);
	jsonw_bool(&w, "ok", !t->status);
	jsonw_uint(&w, "errors", t->errors);
	jsonw_uint(&w, "warnings", t->warnings);
	if (o->play)
		jsonw_uint(&w, "defects", t->defects);
	jsonw_real(&w, "seconds", seconds);
	jsonw_raw(&w, "files", text_str(files));
	jsonw_end(&w);
	puts(text_str(&out));
	text_free(&out);
}

static int run(void *options_, int count, char **words)
{
	const struct check_options *o = options_;
	if (!count) {
		fprintf(stderr, "macaw check: name a GAME: a file, or a rulesheet in games/\n");
		return EXIT_USAGE;
	}
	struct totals t = {0};
	struct text files = {0};
	struct json_writer w = {.out = &files};
	double start = clock_now();
	jsonw_array(&w, NULL);
	for (int i = 0; i < count; i++)
		check_one(words[i], o, &t, &w);
	jsonw_end(&w);
	if (o->json)
		print_json(o, &t, clock_now() - start, &files);
	text_free(&files);
	return t.status;
}

const struct command cmd_check = {
	.name = "check",
	.arguments = "GAME…",
	.summary = "Check the rules of games",
	.details =
		"Reads rulesheets in prefix (KIF) or infix form and applies the rules of the GDL and GDL-II definitions. "
		"Diagnostics go to standard error with file, line and column; one line per game that passes goes to "
		"standard output. GAME is a file, - for standard input, or the name of a rulesheet in games/. With --play each "
		"game "
		"is played at random as well. Defects are told with the moves that lead there and the rule that came nearest; "
		"the exit "
		"status is then 1.",
	.options = options,
	.size = sizeof(struct check_options),
	.example = "macaw check game.kif --play",
	.run = run,
};

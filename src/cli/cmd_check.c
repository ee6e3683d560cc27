/* macaw check GAME…: are these rules well formed? */
#include "base/clock.h"
#include "cli/commands.h"
#include "cli/game_file.h"

#include <stddef.h>
#include <stdio.h>

struct check_options {
	bool json, quiet;
	int64_t max;
};

#define FIELD(f) offsetof(struct check_options, f)
static const struct opt options[] = {
	{"json", 0, OPT_FLAG, FIELD(json), NULL, "print one JSON object with everything that was found"},
	{"quiet", 'q', OPT_FLAG, FIELD(quiet), NULL, "print errors only, neither warnings nor summaries"},
	{"max", 0, OPT_INT, FIELD(max), "N", "diagnostics of a file that are shown", .whole = 100, .min = 1, .max = 1e6},
	{0}};

struct totals {
	size_t files, errors, warnings;
	int status;
};

static bool is_role(const struct gdl_rules *r, size_t clause)
{
	node_t head = r->clauses.at[clause].head;
	return !r->nodes.at[head].variable && r->nodes.at[head].name == GDL_ROLE && r->nodes.at[head].argc == 1;
}

static const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
}

static void summarise(const struct game_file *f, const struct gdl_rules *r, const struct diags *d)
{
	if (d->errors) {
		fprintf(stderr, "%s: %zu error%s, %zu warning%s\n", text_str(&f->path), d->errors, plural(d->errors),
		        d->warnings, plural(d->warnings));
		return;
	}
	size_t roles = 0;
	for (size_t i = 0; i < r->clauses.n; i++)
		roles += is_role(r, i);
	printf("%s: ok, %zu role%s, %zu rule%s", text_str(&f->path), roles, plural(roles), r->clauses.n,
	       plural(r->clauses.n));
	if (d->warnings)
		printf(", %zu warning%s", d->warnings, plural(d->warnings));
	putchar('\n');
}

static void report_json(const struct game_file *f, const struct gdl_rules *r, struct diags *d, struct text *out)
{
	text_puts(out, "{\"file\":");
	text_json(out, text_str(&f->path));
	text_printf(out, ",\"ok\":%s,\"form\":\"%s\",\"roles\":[", d->errors ? "false" : "true",
	            r->form == GDL_KIF ? "kif" : "infix");
	bool first = true;
	for (size_t i = 0; i < r->clauses.n; i++) {
		if (!is_role(r, i))
			continue;
		struct text name = {0};
		gdl_print_node(r, gdl_arg(r, r->clauses.at[i].head, 0), GDL_KIF, &name);
		text_puts(out, first ? "" : ",");
		text_json(out, text_str(&name));
		text_free(&name);
		first = false;
	}
	text_printf(out, "],\"rules\":%zu,\"errors\":%zu,\"warnings\":%zu,\"diagnostics\":", r->clauses.n, d->errors,
	            d->warnings);
	diag_sort(d);
	diag_json(d, text_str(&f->path), text_str(&f->source), f->source.n, out);
	text_putc(out, '}');
}

static void unreadable(const char *game, const char *message, const struct check_options *o, struct text *out)
{
	if (!o->json) {
		fprintf(stderr, "macaw check: %s\n", message);
		return;
	}
	text_puts(out, "{\"file\":");
	text_json(out, game);
	text_puts(out, ",\"ok\":false,\"message\":");
	text_json(out, message);
	text_putc(out, '}');
}

static void check_one(const char *game, const struct check_options *o, struct totals *t, struct text *out)
{
	struct game_file f = {0};
	struct text error = {0};
	struct diags d = {.max = (size_t)o->max};
	int status = game_file_read(game, &f, &error);
	if (o->json && t->files)
		text_putc(out, ',');
	t->files++;
	if (status) {
		unreadable(game, text_str(&error), o, out);
	} else {
		struct gdl_rules *r = gdl_read(text_str(&f.source), f.source.n, &d);
		gdl_check(r, &d);
		if (o->quiet)
			diag_drop_warnings(&d);
		if (o->json)
			report_json(&f, r, &d, out);
		else
			game_file_tell(&f, &d);
		if (!o->json && !o->quiet)
			summarise(&f, r, &d);
		gdl_free(r);
		status = d.errors ? EXIT_INPUT : EXIT_DONE;
	}
	t->errors += d.errors;
	t->warnings += d.warnings;
	if (status > t->status)
		t->status = status;
	diag_free(&d);
	text_free(&error);
	game_file_free(&f);
}

static int run(void *options_, int count, char **words)
{
	const struct check_options *o = options_;
	if (!count) {
		fprintf(stderr, "macaw check: name a GAME: a file, or a rulesheet in games/\n");
		return EXIT_USAGE;
	}
	struct totals t = {0};
	struct text out = {0};
	double start = clock_now();
	for (int i = 0; i < count; i++)
		check_one(words[i], o, &t, &out);
	if (o->json)
		printf("{\"ok\":%s,\"errors\":%zu,\"warnings\":%zu,\"seconds\":%.6f,\"files\":[%s]}\n",
		       t.status ? "false" : "true", t.errors, t.warnings, clock_now() - start, text_str(&out));
	text_free(&out);
	return t.status;
}

const struct command cmd_check = {
	.name = "check",
	.arguments = "GAME…",
	.summary = "Check the rules of games",
	.details =
		"Reads rulesheets in prefix (KIF) or infix form and applies the rules of the GDL and GDL-II definitions. "
		"What is found goes to standard error with file, line and column; a line for each game that passes goes to "
		"standard output. GAME is a file, - for standard input, or the name of a rulesheet in games/.",
	.options = options,
	.size = sizeof(struct check_options),
	.run = run,
};

/* macaw players: who can play, and with which options. */
#include "cli/commands.h"
#include "macaw/player.h"
#include "show/terminal.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct players_options {
	bool json;
};

static const struct opt options[] = {
	{"json", 0, OPT_FLAG, offsetof(struct players_options, json), NULL, "print one JSON object"}, {0}};

static void put_row(int indent, int column, const char *left, const char *right, struct text *out)
{
	enum { WIDEST = 100 }; /* longer lines are hard to read */
	screen_row(indent, column, left, right, screen_columns() > WIDEST ? WIDEST : screen_columns(), out);
}

/* With the bounds where they are asked for. */
static void print_option(const macaw_player_option *o, bool bounds, struct text *out)
{
	struct text left = {0}, right = {0};
	text_printf(&left, "%s=%s", o->name, o->choices ? o->choices : o->metavar ? o->metavar : "yes|no");
	text_printf(&right, "%s (default %s", o->help, o->standard);
	if (bounds && (o->min != 0 || o->max != 0))
		text_printf(&right, "; %.15g to %.15g", o->min, o->max);
	text_putc(&right, ')');
	put_row(4, 25, text_str(&left), text_str(&right), out);
	text_free(&left);
	text_free(&right);
}

/* all: also what is for sweeps, and the bounds. */
static void print_kind(size_t kind, const macaw_player_kind *k, bool all, struct text *out)
{
	macaw_player_option o;
	bool tuning = false;
	put_row(0, 15, k->name, k->summary, out);
	if (k->details)
		put_row(0, 15, "", k->details, out);
	for (size_t i = 0; macaw_player_option_at(kind, i, &o); i++) {
		if (o.tuning && !all)
			continue;
		if (o.tuning && !tuning)
			text_puts(out, "  Tuning of its search:\n");
		tuning = o.tuning;
		print_option(&o, all, out);
	}
}

static void write_kind(size_t kind, const macaw_player_kind *k, struct json_writer *w)
{
	macaw_player_option o;
	jsonw_object(w, NULL);
	jsonw_text(w, "name", k->name);
	jsonw_text(w, "what", k->summary);
	jsonw_bool(w, "hidden", k->hidden);
	jsonw_object(w, "options");
	for (size_t i = 0; macaw_player_option_at(kind, i, &o); i++) {
		jsonw_object(w, o.name);
		jsonw_text(w, "default", o.standard);
		jsonw_bool(w, "tuning", o.tuning);
		if (o.choices)
			jsonw_text(w, "choices", o.choices);
		if (o.min != 0 || o.max != 0) {
			jsonw_real(w, "min", o.min);
			jsonw_real(w, "max", o.max);
		}
		jsonw_text(w, "help", o.help);
		jsonw_end(w);
	}
	jsonw_end(w);
	jsonw_end(w);
}

static void list_players(const char *name, bool json, struct text *out)
{
	struct json_writer w = {.out = out};
	macaw_player_kind k;
	if (json) {
		jsonw_object(&w, NULL);
		jsonw_array(&w, "players");
	}
	for (size_t i = 0; macaw_player_kind_at(i, &k); i++) {
		if (name && strcmp(name, k.name))
			continue;
		if (json)
			write_kind(i, &k, &w);
		else
			print_kind(i, &k, name != NULL, out);
	}
	if (json) {
		jsonw_end(&w);
		jsonw_end(&w);
		text_putc(out, '\n');
	} else if (!name) {
		text_puts(out, "\nOptions follow the name: uct:c=0.6:batch=64\n"
		               "All of them, with bounds and help: macaw players NAME\n");
	}
}

/* False: after a message. */
static bool is_known(const char *name)
{
	enum { MOST = 64 };
	const char *names[MOST + 1] = {0};
	macaw_player_kind k;
	for (size_t i = 0; i < MOST && macaw_player_kind_at(i, &k); i++) {
		names[i] = k.name;
		if (!strcmp(name, k.name))
			return true;
	}
	const char *near = nearest_word(name, names);
	size_t length = strcspn(name, ":");
	fprintf(stderr, "macaw players: there is no player '%s'", name);
	if (name[length]) { /* a player with options, as other commands take it */
		fprintf(stderr, "; the options of '%.*s': macaw players %.*s\n", (int)length, name, (int)length, name);
		return false;
	}
	if (near)
		fprintf(stderr, " (did you mean '%s'?)", near);
	fputc('\n', stderr);
	return false;
}

static int run(void *options_, int count, char **words)
{
	const struct players_options *o = options_;
	if (count && !is_known(words[0]))
		return EXIT_USAGE;
	struct text out = {0};
	list_players(count ? words[0] : NULL, o->json, &out);
	fputs(text_str(&out), stdout);
	text_free(&out);
	return EXIT_DONE;
}

const struct command cmd_players = {
	.name = "players",
	.arguments = "[NAME]",
	.summary = "List the players and their options",
	.example = "macaw players uct",
	.options = options,
	.size = sizeof(struct players_options),
	.run = run,
};

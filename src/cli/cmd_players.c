/* macaw players: who can play, and with which options. */
#include "cli/commands.h"
#include "cli/json_out.h"

#include "play/player.h"

#include <stddef.h>
#include <string.h>

struct players_options {
	bool json;
};

static const struct opt options[] = {
	{"json", 0, OPT_FLAG, offsetof(struct players_options, json), NULL, "print one JSON object"}, {0}};

/* The default, as it would be typed. */
static void print_default(const struct opt *o, struct text *out)
{
	switch (o->kind) {
	case OPT_FLAG: text_puts(out, o->whole ? "yes" : "no"); break;
	case OPT_INT: text_printf(out, "%lld", (long long)o->whole); break;
	case OPT_REAL: text_printf(out, "%g", o->real); break;
	case OPT_TEXT: text_puts(out, o->words ? o->words : ""); break;
	case OPT_CHOICE: {
		const char *at = o->choices;
		for (int64_t i = 0; i < o->whole; i++)
			at += strcspn(at, "|") + 1;
		text_add(out, at, strcspn(at, "|"));
	}
	}
}

static void print_kind(const struct player_kind *k, bool details, struct text *out)
{
	text_printf(out, "%-14s %s\n", k->name, k->what);
	if (!details)
		return;
	if (k->details)
		text_printf(out, "%15s%s\n", "", k->details);
	for (const struct opt *o = k->options; o && o->name; o++) {
		struct text word = {0};
		text_printf(&word, "%s=", o->name);
		print_default(o, &word);
		text_printf(out, "    %-20s %s\n", text_str(&word), o->help);
		text_free(&word);
	}
}

static json_t *kind_json(const struct player_kind *k)
{
	json_t *list = json_object();
	for (const struct opt *o = k->options; o && o->name; o++) {
		struct text word = {0};
		print_default(o, &word);
		json_object_set_new(list, o->name, json_pack("{s:s, s:s}", "default", text_str(&word), "help", o->help));
		text_free(&word);
	}
	return json_pack("{s:s, s:s, s:b, s:o}", "name", k->name, "what", k->what, "hidden", k->blind, "options", list);
}

static int run(void *options_, int count, char **words)
{
	const struct players_options *o = options_;
	if (count && !player_find(words[0], strlen(words[0]))) {
		fprintf(stderr, "macaw players: there is no player '%s'\n", words[0]);
		return EXIT_USAGE;
	}
	json_t *list = json_array();
	struct text out = {0};
	for (size_t i = 0; player_kinds[i]; i++) {
		if (count && strcmp(words[0], player_kinds[i]->name))
			continue;
		json_array_append_new(list, kind_json(player_kinds[i]));
		print_kind(player_kinds[i], true, &out);
	}
	if (o->json) {
		json_finish(json_pack("{s:O}", "players", list));
	} else {
		text_puts(&out, count ? "" : "\nOptions go behind the name: uct:c=0.6:batch=64\n");
		fputs(text_str(&out), stdout);
	}
	json_decref(list);
	text_free(&out);
	return EXIT_DONE;
}

const struct command cmd_players = {
	.name = "players",
	.arguments = "[NAME]",
	.summary = "List the players and their options",
	.options = options,
	.size = sizeof(struct players_options),
	.run = run,
};

#include "cli/load_game.h"

#include "cli/commands.h"
#include "cli/game_file.h"

#include <stdio.h>
#include <string.h>

static void name_of(const char *word, struct text *name)
{
	const char *slash = strrchr(word, '/'), *from = slash ? slash + 1 : word, *dot = strrchr(from, '.');
	if (!strcmp(word, "-"))
		text_puts(name, "standard input");
	else
		text_add(name, from, dot && dot > from ? (size_t)(dot - from) : strlen(from));
}

int load_game(const char *command, const char *word, const struct load_options *o, struct loaded *l)
{
	int status;
	double began = clock_now();
	l->rules = game_file_rules(word, false, &status);
	if (!l->rules)
		return status;
	struct game_options go = {.engine = (enum game_engine)o->engine, .memory = (size_t)o->memory << 20};
	if (o->timeout > 0)
		go.limit = limit_seconds(o->timeout);
	struct text error = {0};
	l->game = game_make(l->rules, &go, &error);
	if (!l->game) {
		fprintf(stderr, "macaw %s: %s: %s\n", command, word, text_str(&error));
		gdl_free(l->rules);
		l->rules = NULL;
		status = EXIT_INPUT;
	} else {
		name_of(word, &l->name);
		l->seconds = clock_now() - began;
	}
	text_free(&error);
	return status;
}

void load_game_free(struct loaded *l)
{
	game_free(l->game);
	if (l->rules)
		gdl_free(l->rules);
	text_free(&l->name);
}

const char *load_engine_name(const struct game *g)
{
	return g->engine == ENGINE_CIRCUIT ? "circuit" : "interpreter";
}

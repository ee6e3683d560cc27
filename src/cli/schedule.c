/* Schedules from a file, or from the words of a command line. */
#include "cli/schedule.h"

#include "cli/commands.h"

#include <stdio.h>
#include <string.h>

static void add_line(struct schedule *s, char *line)
{
	struct fixture f = {0};
	char *save, *hash = strchr(line, '#');
	if (hash)
		*hash = 0;
	for (char *w = strtok_r(line, " \t\r", &save); w; w = strtok_r(NULL, " \t\r", &save))
		vec_push(&f.words, w);
	if (f.words.n)
		vec_push(&s->all, f);
}

int schedule_read(struct schedule *s, const char *path)
{
	struct text wrong = {0};
	if (!text_read_file(&s->source, path, (size_t)16 << 20, &wrong)) {
		fprintf(stderr, "macaw manage: %s\n", wrong.at);
		text_free(&wrong);
		return EXIT_INPUT;
	}
	for (char *line = s->source.at, *next; line && *line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = 0;
		add_line(s, line);
	}
	if (s->all.n)
		return EXIT_DONE;
	fprintf(stderr, "macaw manage: %s: no line `GAME PLAYER…`\n", path);
	return EXIT_INPUT;
}

void schedule_games(struct schedule *s, const char *games, char *const *players, size_t count)
{
	char *save;
	text_puts(&s->source, games);
	for (char *game = strtok_r(s->source.at, ",", &save); game; game = strtok_r(NULL, ",", &save)) {
		struct fixture f = {0};
		vec_push(&f.words, game);
		for (size_t i = 0; i < count; i++)
			vec_push(&f.words, players[i]);
		vec_push(&s->all, f);
	}
}

void schedule_free(struct schedule *s)
{
	for (size_t i = 0; i < s->all.n; i++)
		vec_free(&s->all.at[i].words);
	vec_free(&s->all);
	text_free(&s->source);
}

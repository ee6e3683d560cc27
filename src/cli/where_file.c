/* Reads the fluents of a position one by one, so that a message can name the line. */
#include "cli/where_file.h"

#include "show/terminal.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define STATE_BYTES (16 << 20)

static const char *skip_space(const char *at)
{
	for (;;) {
		if (*at == ';' || *at == '%')
			at += strcspn(at, "\n");
		else if (*at && (isspace((unsigned char)*at) || strchr(",.", *at)))
			at++;
		else
			return at;
	}
}

/* The end of a term in either form: (cell 1 1 x), cell(1, 1, x), or a word. */
static const char *term_end(const char *at)
{
	int depth = 0;
	while (*at && !isspace((unsigned char)*at) && !strchr("(),", *at))
		at++;
	if (*at != '(')
		return at;
	do
		depth += *at == '(' ? 1 : *at == ')' ? -1 : 0;
	while (*++at && depth);
	return at;
}

/* (true F) and true(F) are F. */
static void strip_true(struct text *t)
{
	size_t from = !strncmp(t->at, "(true", 5) && isspace((unsigned char)t->at[5]) ? 6
	              : !strncmp(t->at, "true(", 5)                                   ? 5
	                                                                              : 0;
	if (!from || t->n <= from)
		return;
	memmove(t->at, t->at + from, t->n - from - 1);
	t->n -= from + 1;
	t->at[t->n] = 0;
}

/* Where the text is from, for messages. */
struct source {
	const char *command, *path;
};

static void unknown_fluent(const macaw_game *g, const struct source *s, unsigned line, const char *word)
{
	uint32_t count = macaw_game_fluents(g);
	const char **names = NEW_ARRAY(const char *, count + 1);
	for (uint32_t i = 0; i < count; i++)
		names[i] = macaw_game_fluent(g, i);
	const char *near = nearest_word(word, names);
	fprintf(stderr, "macaw %s: %s:%u: %s is no fluent of this game", s->command, s->path, line, word);
	if (near)
		fprintf(stderr, "; did you mean %s?\n", near);
	else
		fprintf(stderr, "; fluents look like %s\n", count ? names[0] : "nothing: there are none");
	mem_free(names);
}

static unsigned line_of(const char *from, const char *at)
{
	unsigned line = 1;
	for (; from < at; from++)
		line += *from == '\n';
	return line;
}

static bool read_fluents(const macaw_game *g, const struct source *s, const char *all, uint64_t *position)
{
	const char *at = skip_space(all);
	bool ok = true, list = at[0] == '(' && *skip_space(at + 1) == '(';
	if (list)
		at++;
	for (at = skip_space(at); ok && *at && !(list && *at == ')'); at = skip_space(at)) {
		const char *end = term_end(at);
		struct text word = {0};
		if (end == at) /* a bracket without its other half */
			end++;
		for (const char *c = at; c < end; c++)
			text_putc(&word, *c);
		strip_true(&word);
		uint32_t f = macaw_game_find_fluent(g, text_str(&word));
		ok = f != MACAW_NONE;
		if (ok)
			bits_add(position, f);
		else
			unknown_fluent(g, s, line_of(all, at), text_str(&word));
		text_free(&word);
		at = end;
	}
	return ok;
}

bool where_file(macaw_game *g, const char *command, const char *path, uint64_t *position)
{
	struct text t = {0}, error = {0};
	bool ok = text_read_file(&t, strcmp(path, "-") ? path : "/dev/stdin", STATE_BYTES, &error);
	memset(position, 0, macaw_position_words(g) * sizeof *position);
	if (ok)
		ok = read_fluents(g, &(struct source){command, path}, text_str(&t), position);
	else
		fprintf(stderr, "macaw %s: --state: %s\n", command, error.at);
	text_free(&t);
	text_free(&error);
	return ok;
}

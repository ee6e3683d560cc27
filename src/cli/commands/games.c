/* macaw games [WORD…]: the games there are. */
#include "cli/commands.h"
#include "cli/load.h"
#include "cli/output.h"
#include "macaw/game.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

struct games_options {
	struct load_options load;
	bool json, full;
};

#define FIELD(f) offsetof(struct games_options, f)
static const struct opt options[] = {{"full", 'f', OPT_FLAG, FIELD(full), NULL,
                                      "build each game and count its fluents and moves (takes seconds for all)"},
                                     {"json", 0, OPT_FLAG, FIELD(json), NULL, "print one JSON object"},
                                     LOAD_BOUNDS(struct games_options, load),
                                     {0}};

/* What is told of a game. */
struct entry {
	const char *name;
	char title[200];
	char *other; /* names, each ended by a newline */
	uint32_t players;
	bool chance, hidden;
	size_t rules, fluents, moves; /* the last two only when they are counted */
};

/* The first line of the comment at the head of the rules, without its full stop. */
static void read_title(const macaw_rules *r, char *title, size_t room)
{
	const char *at = macaw_rules_source(r, NULL);
	at += strspn(at, "; \t\r\n*=-%/");
	size_t n = strcspn(at, "\r\n");
	n -= n && at[n - 1] == '.';
	const char *source = macaw_rules_source(r, NULL);
	snprintf(title, room, "%.*s", *source == ';' || *source == '%' || *source == '/' ? (int)n : 0, at);
}

static void read_rules(const macaw_rules *r, struct entry *e)
{
	char *text = macaw_rules_print(r, false);
	read_title(r, e->title, sizeof e->title);
	e->rules = macaw_rules_count(r);
	e->hidden = text && strstr(text, "(sees ");
	for (uint32_t i = 0; i < macaw_rules_roles(r); i++) {
		bool random = !strcmp(macaw_rules_role(r, i), "random");
		e->chance |= random;
		e->players += !random;
	}
	macaw_free(text);
}

static bool count(macaw_rules *r, const struct games_options *o, struct entry *e)
{
	macaw_game *g = macaw_game_make(
		r, &(macaw_game_options){.limit.seconds = o->load.timeout, .memory = (size_t)o->load.memory << 20}, NULL);
	if (g) {
		e->fluents = macaw_game_information(g).fluents;
		e->moves = macaw_game_information(g).moves;
	}
	macaw_game_free(g);
	return g;
}

static bool look(const char *name, const struct games_options *o, struct entry *e)
{
	*e = (struct entry){.name = name};
	macaw_rules *r = macaw_rules_load(name, NULL);
	if (!r)
		return false;
	read_rules(r, e);
	e->other = macaw_game_other_names(name);
	if (!o->full || macaw_rules_errors(r)) {
		macaw_rules_free(r);
		return true;
	}
	return count(r, o, e);
}

/* ---- choosing ---- */

/* Letters and digits of `part` in a row within those of `whole`. */
static bool contains(const char *whole, const char *part)
{
	struct text a = {0}, b = {0};
	for (; *whole; whole++)
		if (isalnum((unsigned char)*whole) || *whole == '\n')
			text_putc(&a, *whole);
	for (; *part; part++)
		if (isalnum((unsigned char)*part))
			text_putc(&b, *part);
	bool found = strcasestr(text_str(&a), text_str(&b));
	text_free(&a);
	text_free(&b);
	return found;
}

/* A number is one of players; some words are about the kind of game; others are looked for in the names. */
static bool fits(const struct entry *e, const char *word)
{
	char *end;
	long n = strtol(word, &end, 10);
	if (end != word && !*end)
		return e->players == (uint32_t)n;
	if (!strcasecmp(word, "chance") || !strcasecmp(word, "hidden"))
		return !strcasecmp(word, "chance") ? e->chance : e->hidden;
	if (!strcasecmp(word, "puzzle"))
		return e->players == 1 && !e->chance;
	return contains(e->name, word) || contains(e->title, word) || contains(e->other ? e->other : "", word);
}

static bool fits_all(const struct entry *e, char *const *words, int n)
{
	for (int i = 0; i < n; i++)
		if (!fits(e, words[i]))
			return false;
	return true;
}

/* ---- showing ---- */

struct list {
	struct text out;
	struct json_writer w;
	size_t shown, wide; /* columns of the longest name */
};

/* The title goes to the end of the line. */
static void print_line(struct list *l, struct text *line, const char *title)
{
	int room = screen_columns() - (int)line->n;
	if ((int)strlen(title) <= room)
		text_puts(line, title);
	else if (room > 1)
		text_printf(line, "%.*s…", room - 1, title);
	while (line->n && line->at[line->n - 1] == ' ')
		line->at[--line->n] = 0;
	text_printf(&l->out, "%s\n", text_str(line));
	text_free(line);
}

static void print_heading(const struct games_options *o, struct list *l)
{
	struct text line = {0};
	text_printf(&line, "%-*s  %7s  %-6s %s", (int)l->wide, "game", "players", "",
	            o->full ? " fluents   moves  " : "rules  ");
	print_line(l, &line, "title");
}

static void print_entry(const struct entry *e, const struct games_options *o, struct list *l)
{
	static const char *const kinds[] = {"", "chance", "hidden", "both"};
	struct text line = {0};
	text_printf(&line, "%-*s  %7u  %-6s ", (int)l->wide, e->name, e->players, kinds[e->chance + 2 * e->hidden]);
	if (o->full)
		text_printf(&line, "%8zu  %6zu  ", e->fluents, e->moves);
	else
		text_printf(&line, "%5zu  ", e->rules);
	print_line(l, &line, e->title);
}

static void write_names(struct json_writer *w, const char *names)
{
	jsonw_array(w, "other_names");
	for (const char *at = names ? names : ""; *at;) {
		size_t n = strcspn(at, "\n");
		char *name = text_copy(at, n);
		jsonw_text(w, NULL, name);
		mem_free(name);
		at += n + (at[n] == '\n');
	}
	jsonw_end(w);
}

static void write_entry(const struct entry *e, const struct games_options *o, struct json_writer *w)
{
	jsonw_object(w, NULL);
	jsonw_text(w, "name", e->name);
	jsonw_text(w, "title", e->title);
	write_names(w, e->other);
	jsonw_uint(w, "players", e->players);
	jsonw_bool(w, "chance", e->chance);
	jsonw_bool(w, "hidden", e->hidden);
	jsonw_uint(w, "rules", e->rules);
	if (o->full && e->fluents) {
		jsonw_uint(w, "fluents", e->fluents);
		jsonw_uint(w, "moves", e->moves);
	}
	jsonw_end(w);
}

static void list_all(char *names, const struct games_options *o, char *const *words, int n, struct list *l)
{
	for (const char *at = names; *at; at += strcspn(at, "\n") + 1)
		l->wide = strcspn(at, "\n") > l->wide ? strcspn(at, "\n") : l->wide;
	for (char *at = names, *end; (end = strchr(at, '\n')); at = end + 1) {
		struct entry e;
		*end = 0;
		if (look(at, o, &e) && fits_all(&e, words, n)) {
			l->shown++;
			if (l->shown == 1 && !o->json)
				print_heading(o, l);
			if (o->json)
				write_entry(&e, o, &l->w);
			else
				print_entry(&e, o, l);
		}
		macaw_free(e.other);
	}
}

static int run(void *options_, int n, char **words)
{
	const struct games_options *o = options_;
	struct list l = {0};
	char *names = macaw_games();
	if (!names) {
		fprintf(stderr, "macaw games: out of memory\n");
		return EXIT_MACHINE;
	}
	l.w.out = &l.out;
	if (o->json) {
		jsonw_object(&l.w, NULL);
		jsonw_array(&l.w, "games");
	}
	list_all(names, o, words, n, &l);
	if (o->json) {
		jsonw_end(&l.w);
		jsonw_end(&l.w);
		text_putc(&l.out, '\n');
	}
	fputs(text_str(&l.out), stdout);
	if (!l.shown)
		fprintf(stderr, "macaw games: %s\n",
		        n ? "there is no such game" : "no games are installed; $MACAW_GAMES names a folder of them");
	text_free(&l.out);
	macaw_free(names);
	return l.shown ? EXIT_DONE : EXIT_INPUT;
}

const struct command cmd_games = {
	.name = "games",
	.arguments = "[WORD…]",
	.summary = "List the games there are",
	.details = "One line each: name, number of players, whether there is chance or hidden information or both, size, "
			   "title. With words, "
			   "those that "
			   "fit all of them: a number of players, `chance`, `hidden`, `puzzle`, or a part of a name or title.\n\n"
			   "A GAME of any command is a file, `-` for standard input, or such a name; case, underscores and hyphens "
			   "do not matter, "
			   "and common other names are known (connect4, reversi). Games are looked for in the folder $MACAW_GAMES, "
			   "in games/, "
			   "beside the program and where it was installed.",
	.example = "macaw games 2 chance",
	.options = options,
	.size = sizeof(struct games_options),
	.run = run,
};

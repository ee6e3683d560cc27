/* macaw solve for games of one role: the best goal that can be reached, with a plan. */
#include "cli/solve_game.h"

#include "show/terminal.h"
#include "cli/commands.h"
#include "cli/load.h"
#include "cli/output.h"
#include "macaw/puzzle.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define SECONDS 60 /* when no time is given */

static bool begins(const char *s, size_t length, const char *word, size_t n)
{
	return length >= n && !memcmp(s, word, n);
}

/* A line that no rulesheet has: packed files, formulas, models of other languages. */
static bool is_foreign(const char *s, size_t length)
{
	static const char *const words[] = {"p cnf", "p wcnf", "var ", "predicate ", "array", "constraint ", "solve ", "include "};
	if (begins(s, length, "\x1f\x8b", 2) || begins(s, length, "\xfd\x37zXZ", 6) || begins(s, length, "\x5d\0\0", 3))
		return true;
	for (size_t i = 0; i < length; i++)
		for (size_t w = 0; (!i || s[i - 1] == '\n') && w < sizeof words / sizeof *words; w++)
			if (begins(s + i, length - i, words[w], strlen(words[w])))
				return true;
	return false;
}

bool solve_is_game(const char *word)
{
	char start[4096];
	if (!strcmp(word, "-") || strstr(word, ".fzn") || strstr(word, ".mzn"))
		return false;
	FILE *f = fopen(word, "rb");
	if (!f)
		return !strstr(word, ".xml"); /* the name of a rulesheet */
	size_t length = fread(start, 1, sizeof start, f), i = 0;
	fclose(f);
	if (is_foreign(start, length))
		return false;
	while (i < length && (isspace((unsigned char)start[i]) || strchr("\xef\xbb\xbf", start[i])))
		i++;
	return i < length && start[i] != '<';
}

static void print_json(const macaw_game *g, const macaw_plan *p)
{
	struct text t = {0};
	struct json_writer w = {.out = &t};
	jsonw_object(&w, NULL);
	jsonw_text(&w, "game", macaw_game_name(g));
	jsonw_int(&w, "best", p->best);
	jsonw_bool(&w, "proved", p->proved);
	jsonw_int(&w, "bound", p->bound);
	jsonw_text(&w, "by", p->by);
	jsonw_text(&w, "proof_by", p->bound_by ? p->bound_by : p->by);
	jsonw_uint(&w, "states", p->states);
	output_seconds(&w, "seconds", p->seconds);
	jsonw_array(&w, "plan");
	for (size_t i = 0; i < p->steps; i++)
		jsonw_text(&w, NULL, macaw_game_move(g, p->moves[i]));
	jsonw_end(&w);
	jsonw_end(&w);
	output_line(&t);
}

static void print_text(const macaw_game *g, const macaw_plan *p)
{
	if (p->best < 0)
		printf("s UNKNOWN\nd %s\n", p->why ? p->why : "no end can be reached");
	else
		printf("s %s\no %d\n", p->proved ? "OPTIMUM FOUND" : "SATISFIABLE", p->best);
	for (size_t i = 0; i < p->steps; i++)
		printf("v %s\n", macaw_game_move(g, p->moves[i]));
	if (!p->proved)
		printf("d at most %d\nd %s\n", p->bound, p->why ? p->why : "not proved");
	else if (p->bound_by && strcmp(p->bound_by, p->by))
		printf("d proved by %s\n", p->bound_by);
	printf("d by %s\nd steps %zu\nc states %" PRIu64 "\nc seconds %.3f\n", p->by, p->steps, p->states, p->seconds);
}

static void draw_progress(void *context, const char *what, double done, double total)
{
	progress_step(context, done, total, what);
}

int solve_game(const char *word, double seconds, int method, bool json)
{
	int status;
	macaw_error error;
	double began = clock_now();
	struct load_options lo = {.engine = MACAW_ENGINE_AUTO, .timeout = seconds > 0 ? seconds : SECONDS};
	macaw_game *g = load_word("solve", word, &lo, &status);
	if (!g)
		return status;
	double left = seconds - (clock_now() - began); /* building counts */
	struct progress progress = progress_start("solving", json);
	macaw_puzzle_options o = {.limit.seconds = seconds <= 0 ? SECONDS : left > 0 ? left : 1e-3,
	                          .method = (enum macaw_puzzle_method)method,
	                          .progress = draw_progress,
	                          .context = &progress};
	macaw_plan *p = macaw_puzzle_solve(g, &o, &error);
	progress_end(&progress);
	if (!p) {
		fprintf(stderr, "macaw solve: %s: %s\n", word, error.text);
		status = error.status == MACAW_MEMORY ? EXIT_MACHINE : EXIT_INPUT;
	} else if (json) {
		print_json(g, p);
	} else {
		print_text(g, p);
	}
	macaw_plan_free(p);
	macaw_game_free(g);
	return status;
}

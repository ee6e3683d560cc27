/* macaw solve for games: of one role, the best goal that can be reached, with a plan; of two roles see solve_two.h. */
#include "cli/solve_game.h"

#include "cli/commands.h"
#include "cli/load.h"
#include "cli/output.h"
#include "cli/solve_two.h"
#include "macaw/puzzle.h"
#include "show/terminal.h"

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
	static const char *const words[] = {"p cnf", "p wcnf",      "var ",   "predicate ",
	                                    "array", "constraint ", "solve ", "include "};
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

static int solve_puzzle(macaw_game *g, const struct game_request *q, double seconds)
{
	macaw_error error;
	int status = EXIT_DONE;
	struct progress progress = progress_start("solving", q->json);
	macaw_puzzle_options o = {.limit.seconds = seconds,
	                          .method = (enum macaw_puzzle_method)q->method,
	                          .progress = draw_progress,
	                          .context = &progress};
	macaw_plan *p = macaw_puzzle_solve(g, &o, &error);
	progress_end(&progress);
	if (!p) {
		fprintf(stderr, "macaw solve: %s: %s\n", q->word, error.text);
		status = error.status == MACAW_MEMORY ? EXIT_MACHINE : EXIT_INPUT;
	} else if (q->json) {
		print_json(g, p);
	} else {
		print_text(g, p);
	}
	macaw_plan_free(p);
	return status;
}

/* What is asked of a puzzle must fit a puzzle, and of a game of two roles one of those. */
static bool misplaced(const struct game_request *q, bool puzzle)
{
	const char *word = puzzle && where_given(&q->where) ? "a position"
	                   : puzzle && q->strategy          ? "--strategy"
	                   : puzzle && q->role              ? "--role"
	                   : !puzzle && q->method           ? "--puzzle"
	                                                    : NULL;
	if (word)
		fprintf(stderr, "macaw solve: %s does not apply to a game of %s\nTry 'macaw help solve'.\n", word,
		        puzzle ? "one role" : "several roles");
	return word;
}

static int solve_roles(macaw_game *g, const struct game_request *q, double seconds)
{
	struct two_request two = {
		.word = q->word, .seconds = seconds, .json = q->json, .strategy = q->strategy, .role = -1};
	struct where p;
	if (q->role) {
		uint32_t role = macaw_game_find_role(g, q->role);
		if (role >= macaw_game_roles(g)) {
			fprintf(stderr, "macaw solve: %s has no role %s\n", q->word, q->role);
			return EXIT_USAGE;
		}
		two.role = (int)role;
	}
	int status = where_find(g, "solve", &q->where, &p);
	if (!status && q->strategy) /* not after an hour of work */
		status = output_try("solve", q->strategy);
	if (!status)
		status = solve_two(g, p.at, &two);
	where_free(&p);
	return status;
}

int solve_game(const struct game_request *q)
{
	int status;
	double began = clock_now(), seconds = q->seconds > 0 ? q->seconds : SECONDS;
	struct load_options lo = {.engine = MACAW_ENGINE_AUTO, .timeout = seconds};
	macaw_game *g = load_word("solve", q->word, &lo, &status);
	if (!g)
		return status;
	bool puzzle = macaw_game_roles(g) == 1;
	double left = seconds - (clock_now() - began); /* building counts */
	left = q->seconds <= 0 ? SECONDS : left > 1e-3 ? left : 1e-3;
	if (misplaced(q, puzzle))
		status = EXIT_USAGE;
	else
		status = puzzle ? solve_puzzle(g, q, left) : solve_roles(g, q, left);
	macaw_game_free(g);
	return status;
}

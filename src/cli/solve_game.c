#include "cli/solve_game.h"

#include "cli/commands.h"
#include "cli/load_game.h"
#include "puzzle/puzzle.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define SECONDS 60 /* when no time is given */

bool solve_is_game(const char *word)
{
	FILE *f = fopen(word, "rb");
	int c = 0;
	if (!f)
		return !strstr(word, ".xml"); /* the name of a rulesheet */
	while ((c = fgetc(f)) != EOF && (isspace(c) || c == 0xEF || c == 0xBB || c == 0xBF))
		;
	fclose(f);
	return c != '<' && c != EOF;
}

static void print_json(const struct loaded *l, const struct puzzle_result *r)
{
	struct text t = {0};
	text_puts(&t, "{\"game\":");
	text_json(&t, text_str(&l->name));
	text_printf(&t, ",\"best\":%d,\"proved\":%s,\"bound\":%d,\"by\":\"%s\",\"proof_by\":\"%s\",\"states\":%" PRIu64 ",\"seconds\":%.6f,\"plan\":[", r->best,
	            r->proved ? "true" : "false", r->bound, r->by, r->bound_by ? r->bound_by : r->by, r->states, r->seconds);
	for (size_t i = 0; i < r->plan.n; i++) {
		struct text m = {0};
		game_print_move(l->game, r->plan.at[i], &m);
		text_puts(&t, i ? "," : "");
		text_json(&t, text_str(&m));
		text_free(&m);
	}
	text_puts(&t, "]}\n");
	fputs(text_str(&t), stdout);
	text_free(&t);
}

static void print_text(const struct loaded *l, const struct puzzle_result *r)
{
	if (r->best == GOAL_NONE)
		printf("s UNKNOWN\nd %s\n", r->why ? r->why : "no end can be reached");
	else
		printf("s %s\no %d\n", r->proved ? "OPTIMUM FOUND" : "SATISFIABLE", r->best);
	for (size_t i = 0; i < r->plan.n; i++) {
		struct text m = {0};
		game_print_move(l->game, r->plan.at[i], &m);
		printf("v %s\n", text_str(&m));
		text_free(&m);
	}
	if (!r->proved)
		printf("d at most %d\nd %s\n", r->bound, r->why ? r->why : "not proved");
	else if (r->bound_by && strcmp(r->bound_by, r->by))
		printf("d proved by %s\n", r->bound_by);
	printf("d by %s\nd steps %zu\nc states %" PRIu64 "\nc seconds %.3f\n", r->by, r->plan.n, r->states, r->seconds);
}

int solve_game(const char *word, double seconds, int method, bool json)
{
	struct loaded l = {0};
	struct load_options lo = {.engine = ENGINE_AUTO, .timeout = 60};
	int status = load_game("solve", word, &lo, &l);
	if (status)
		return status;
	struct progress progress = progress_start("solving", json);
	struct puzzle_options o = {.limit = limit_seconds(seconds > 0 ? seconds : SECONDS),
	                           .method = (enum puzzle_method)method, .progress = &progress};
	struct puzzle_result r;
	bool solved = puzzle_solve(l.game, &o, &r);
	progress_end(&progress);
	if (!solved) {
		fprintf(stderr, "macaw solve: %s: only games of one role with a circuit can be solved\n", word);
		status = EXIT_INPUT;
	} else {
		if (json)
			print_json(&l, &r);
		else
			print_text(&l, &r);
		puzzle_free(&r);
	}
	load_game_free(&l);
	return status;
}

/* macaw replay RECORD: a recorded match, step by step, held against its rules. */
#include "show/board.h"
#include "cli/commands.h"

#include "game/game.h"

#include <jansson.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

struct replay_options {
	double pause;
	bool quiet;
};

#define FIELD(f) offsetof(struct replay_options, f)
static const struct opt options[] = {
	{"pause", 0, OPT_REAL, FIELD(pause), "SEC", "wait between steps", .min = 0, .max = 3600},
	{"quiet", 'q', OPT_FLAG, FIELD(quiet), NULL, "draw nothing, only check"},
	{0}};

struct replay {
	const struct replay_options *o;
	const char *path;
	json_t *record;
	struct gdl_rules *rules;
	struct game *g;
	struct worker *w;
	struct board *board;
	uint64_t *state;
	uint32_t *moves;
};

static int bad(const struct replay *p, const char *what)
{
	fprintf(stderr, "macaw replay: %s: %s\n", p->path, what);
	return EXIT_INPUT;
}

static int open_record(struct replay *p)
{
	json_error_t e;
	p->record = json_load_file(p->path, 0, &e);
	if (!p->record) {
		fprintf(stderr, "macaw replay: %s:%d: %s\n", p->path, e.line, e.text);
		return EXIT_INPUT;
	}
	const char *text = json_string_value(json_object_get(p->record, "rules"));
	if (!text || !json_is_array(json_object_get(p->record, "moves")))
		return bad(p, "this is no record of a match (it has no rules or no moves)");
	struct diags d = {0};
	struct text error = {0};
	p->rules = gdl_read(text, strlen(text), &d);
	gdl_check(p->rules, &d);
	if (!d.errors)
		p->g = game_make(p->rules, &(struct game_options){.quiet = true}, &error);
	int status = p->g ? EXIT_DONE : bad(p, error.n ? text_str(&error) : "its rules have errors");
	diag_free(&d);
	text_free(&error);
	return status;
}

static void draw(const struct replay *p, struct text *out)
{
	board_draw(p->board, p->state, out);
	fputs(text_str(out), stdout);
	fflush(stdout);
	out->n = 0;
	if (p->o->pause > 0)
		nanosleep(&(struct timespec){(time_t)p->o->pause, (long)((p->o->pause - (double)(time_t)p->o->pause) * 1e9)},
		          NULL);
}

/* Reads the joint move of a step; says what is wrong with it. */
static int read_moves(struct replay *p, size_t step, json_t *joint, struct text *out)
{
	struct view v = game_look(p->w, p->state);
	char message[256];
	json_t *why = json_array_get(json_object_get(p->record, "why"), step);
	text_printf(out, "\nstep %zu:", step + 1);
	for (uint32_t r = 0; r < p->g->roles; r++) {
		struct text role = {0};
		game_print_role(p->g, r, &role);
		const char *word = json_string_value(json_object_get(joint, text_str(&role)));
		uint32_t m = word ? game_find_move(p->g, r, word) : GAME_NONE;
		bool legal = false;
		for (uint32_t i = v.start[r]; i < v.start[r + 1]; i++)
			legal |= v.legal[i] == m;
		if (!legal) {
			snprintf(message, sizeof message, "step %zu: %s of %s is not legal there", step + 1,
			         word ? word : "nothing", text_str(&role));
			text_free(&role);
			return bad(p, message);
		}
		p->moves[r] = m;
		text_printf(out, "%s %s %s", r ? "," : "", text_str(&role), word);
		text_free(&role);
	}
	text_putc(out, '\n');
	const char *role;
	json_t *words;
	json_object_foreach(why, role, words)
		text_printf(out, "  %s: %s\n", role, json_string_value(words) ? json_string_value(words) : "");
	return EXIT_DONE;
}

static int check_goals(struct replay *p, struct text *out)
{
	struct view v = game_look(p->w, p->state);
	json_t *goals = json_object_get(p->record, "goals");
	for (uint32_t r = 0; r < p->g->roles; r++) {
		struct text role = {0};
		game_print_role(p->g, r, &role);
		json_t *goal = json_object_get(goals, text_str(&role));
		bool same = json_is_integer(goal) ? json_integer_value(goal) == v.goals[r] : v.goals[r] == GOAL_NONE;
		text_printf(out, "%s %s %d", r ? "," : "", text_str(&role), v.goals[r]);
		text_free(&role);
		if (!same)
			return bad(p, "the scores differ from what the rules say");
	}
	return json_is_true(json_object_get(p->record, "terminal")) == v.terminal
	           ? EXIT_DONE
	           : bad(p, "the end differs from what the rules say");
}

static int replay(struct replay *p)
{
	struct text out = {0};
	json_t *moves = json_object_get(p->record, "moves"), *joint;
	size_t i;
	int status = EXIT_DONE;
	memcpy(p->state, p->g->initial, p->g->words * sizeof *p->state);
	if (!p->o->quiet)
		draw(p, &out);
	json_array_foreach(moves, i, joint)
	{
		status = read_moves(p, i, joint, &out);
		if (status)
			break;
		game_next(p->w, p->state, p->moves, p->state);
		if (!p->o->quiet)
			draw(p, &out);
	}
	out.n = 0;
	if (!status)
		status = check_goals(p, &out);
	if (!status)
		printf("%s%zu step%s:%s\n", p->o->quiet ? "" : "\n", json_array_size(moves),
		       json_array_size(moves) == 1 ? "" : "s", text_str(&out));
	text_free(&out);
	return status;
}

static int run(void *options_, int count, char **words)
{
	struct replay p = {.o = options_, .path = count == 1 ? words[0] : NULL};
	if (count != 1) {
		fprintf(stderr, "macaw replay: name one RECORD, written by `macaw match --record`\n");
		return EXIT_USAGE;
	}
	int status = open_record(&p);
	if (!status) {
		p.w = worker_new(p.g);
		p.board = board_make(p.g);
		p.state = NEW_ARRAY(uint64_t, p.g->words);
		p.moves = NEW_ARRAY(uint32_t, p.g->roles);
		status = replay(&p);
		mem_free(p.moves);
		mem_free(p.state);
		board_free(p.board);
		worker_free(p.w);
	}
	game_free(p.g);
	if (p.rules)
		gdl_free(p.rules);
	json_decref(p.record);
	return status;
}

const struct command cmd_replay = {
	.name = "replay",
	.arguments = "RECORD",
	.summary = "Show a recorded match again",
	.details = "The record holds its rules; every move and the scores are held against them.",
	.options = options,
	.size = sizeof(struct replay_options),
	.run = run,
};

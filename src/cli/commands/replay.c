/* macaw replay RECORD: a recorded match, step by step, checked against its rules. */
#include "show/terminal.h"
#include "cli/commands.h"
#include "macaw/drawing.h"
#include "macaw/record.h"

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
	{"pause", 0, OPT_REAL, FIELD(pause), "SEC", "pause between steps", .min = 0, .max = 3600},
	{"quiet", 'q', OPT_FLAG, FIELD(quiet), NULL, "draw nothing, only check"},
	{0}};

static void draw(const macaw_record *r, macaw_drawing *d, double pause)
{
	char *board = macaw_drawing_text(d, macaw_record_position(r));
	fputs(board ? board : "", stdout);
	fflush(stdout);
	macaw_free(board);
	if (pause > 0)
		nanosleep(&(struct timespec){(time_t)pause, (long)((pause - (double)(time_t)pause) * 1e9)}, NULL);
}

static void print_step(const macaw_record *r)
{
	const macaw_game *g = macaw_record_game(r);
	printf("\nstep %u:", macaw_record_made(r));
	for (uint32_t role = 0; role < macaw_game_roles(g); role++)
		printf("%s %s %s", role ? "," : "", macaw_game_role(g, role), macaw_game_move(g, macaw_record_moves(r)[role]));
	putchar('\n');
	for (uint32_t role = 0; role < macaw_game_roles(g); role++)
		if (macaw_record_why(r, role))
			printf("  %s: %s\n", macaw_game_role(g, role), macaw_record_why(r, role));
}

static void print_scores(const macaw_record *r, bool quiet)
{
	const macaw_game *g = macaw_record_game(r);
	uint32_t steps = macaw_record_steps(r);
	printf("%s%u step%s:", quiet ? "" : "\n", steps, steps == 1 ? "" : "s");
	for (uint32_t role = 0; role < macaw_game_roles(g); role++)
		printf("%s %s %d", role ? "," : "", macaw_game_role(g, role), macaw_record_goal(r, role));
	putchar('\n');
}

static bool replay(macaw_record *r, const struct replay_options *o, macaw_error *e)
{
	macaw_drawing *d = o->quiet ? NULL : macaw_drawing_new(macaw_record_game(r), e);
	if (d)
		draw(r, d, o->pause);
	while (macaw_record_step(r, e))
		if (d) {
			print_step(r);
			draw(r, d, o->pause);
		}
	macaw_drawing_free(d);
	return !e->status && macaw_record_check(r, e);
}

static int run(void *options_, int count, char **words)
{
	const struct replay_options *o = options_;
	macaw_error error;
	if (count != 1) {
		fprintf(stderr, "macaw replay: name one RECORD, written by `macaw match --record`\n");
		return EXIT_USAGE;
	}
	macaw_record *r = macaw_record_read(words[0], &error);
	bool fine = r && replay(r, o, &error);
	if (fine)
		print_scores(r, o->quiet);
	else
		fprintf(stderr, "macaw replay: %s: %s\n", words[0], error.text);
	macaw_record_free(r);
	return fine ? EXIT_DONE : error.status == MACAW_MEMORY ? EXIT_MACHINE : EXIT_INPUT;
}

const struct command cmd_replay = {
	.name = "replay",
	.arguments = "RECORD",
	.summary = "Show a recorded match again",
	.details = "The record contains its rules; every move and the scores are checked against them.",
	.options = options,
	.size = sizeof(struct replay_options),
	.run = run,
};

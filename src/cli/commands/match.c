/* macaw match GAME --players A,B,…: one match, here and now. */
#include "cli/commands.h"
#include "cli/load.h"
#include "cli/output.h"
#include "macaw/drawing.h"
#include "macaw/match.h"
#include "macaw/worker.h"
#include "show/terminal.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct match_options {
	struct load_options load;
	const char *players, *record;
	double clock, start;
	int64_t seed, max_steps, playouts;
	int clock_of;
	bool watch, processes, json;
};

#define FIELD(f) offsetof(struct match_options, f)
static const struct opt options[] = {
	{"players", 'p', OPT_TEXT, FIELD(players), "A,B,…", "the players, one per role: see `macaw players`"},
	{"clock", 'c', OPT_REAL, FIELD(clock), "SEC", "time per move", .real = 1, .min = 0.001, .max = 1e6},
	{"start", 0, OPT_REAL, FIELD(start), "SEC", "time before the first move", .real = 0, .min = 0, .max = 1e6},
	{"clock-of", 0, OPT_CHOICE, FIELD(clock_of), "KIND",
     "what clocks count: time on the wall, or processor time of the player's threads, the same on a busy machine",
     .choices = "wall|cpu"},
	{"playouts", 'n', OPT_INT, FIELD(playouts), "N",
     "playouts (or nodes) per move instead of time: equal seeds, equal matches", .min = 0, .max = 1e15},
	{"seed", 0, OPT_INT, FIELD(seed), "S", "seed of the random numbers", .whole = 1, .min = 0, .max = 9e15},
	{"max-steps", 0, OPT_INT, FIELD(max_steps), "N", "abandon the match after this many steps", .whole = 10000, .min = 1,
     .max = 1e9},
	{"processes", 0, OPT_FLAG, FIELD(processes), NULL, "give each player a process of its own"},
	{"watch", 'w', OPT_FLAG, FIELD(watch), NULL, "show the moves and the state after each step"},
	{"record", 'o', OPT_TEXT, FIELD(record), "FILE", "write the whole match to a file, for `macaw replay`"},
	{"json", 0, OPT_FLAG, FIELD(json), NULL, "print one JSON object"},
	LOAD_OPTIONS(struct match_options, load),
	{0}};

/* ---- watching ----------------------------------------------------------------------------- */

static void print_step(const macaw_match *m, uint32_t step, struct text *out)
{
	static const char *const faults[] = {"", "late: played at random", "illegal: played at random"};
	const macaw_game *g = macaw_match_game(m);
	text_printf(out, "\nstep %u:", step + 1);
	for (uint32_t r = 0; r < macaw_game_roles(g); r++)
		text_printf(out, "%s %s %s", r ? "," : "", macaw_game_role(g, r),
		            macaw_game_move(g, macaw_match_made(m, step, r).move));
	text_putc(out, '\n');
	for (uint32_t r = 0; r < macaw_game_roles(g); r++) {
		macaw_made made = macaw_match_made(m, step, r);
		if (!made.fault && (!made.why || !strcmp(made.why, MACAW_ONLY_MOVE)))
			continue;
		text_printf(out, "  %s: %s%s%s (%.3f s)\n", macaw_game_role(g, r), faults[made.fault],
		            made.fault && made.why ? "; " : "", made.why ? made.why : "", made.seconds);
	}
}

static void watch(void *drawing, const macaw_match *m)
{
	struct text out = {0};
	uint32_t steps = macaw_match_steps(m);
	if (steps)
		print_step(m, steps - 1, &out);
	char *board = macaw_drawing_text(drawing, macaw_match_position(m, steps));
	text_puts(&out, board ? board : "");
	macaw_free(board);
	fputs(text_str(&out), stdout);
	fflush(stdout);
	text_free(&out);
}

/* ---- reports --------------------------------------------------------------------------------- */

static void fill_table(struct text_table *t, const macaw_match *m, bool faults)
{
	const macaw_game *g = macaw_match_game(m);
	text_table_row(t);
	text_table_cell(t, "role");
	text_table_cell(t, "player");
	text_table_cell(t, "score");
	if (faults) {
		text_table_cell(t, "late");
		text_table_cell(t, "illegal");
	}
	for (uint32_t r = 0; r < macaw_game_roles(g); r++) {
		int goal = macaw_match_goal(m, r);
		text_table_row(t);
		text_table_cell(t, "%s", macaw_game_role(g, r));
		text_table_cell(t, "%s", macaw_match_player(m, r));
		text_table_cell(t, goal == MACAW_NO_GOAL ? "none" : "%d", goal);
		if (faults) {
			text_table_cell(t, "%llu", (unsigned long long)macaw_match_late(m, r));
			text_table_cell(t, "%llu", (unsigned long long)macaw_match_illegal(m, r));
		}
	}
}

static void print_text(const macaw_match *m, const struct match_options *o)
{
	struct text_table t = {.heading = true};
	struct text out = {0};
	enum macaw_ending ending = macaw_match_ending(m);
	uint64_t faults = 0;
	uint32_t steps = macaw_match_steps(m);
	for (uint32_t r = 0; r < macaw_game_roles(macaw_match_game(m)); r++)
		faults += macaw_match_late(m, r) + macaw_match_illegal(m, r);
	fill_table(&t, m, faults);
	text_printf(&out, "%s%u step%s%s\n\n", o->watch ? "\n" : "", steps, steps == 1 ? "" : "s",
	            ending == MACAW_STUCK ? "; stuck: a role has no legal move"
	            : ending == MACAW_CUT ? "; given up (--max-steps)"
	                                  : "");
	text_table_print(&t, &out);
	fputs(text_str(&out), stdout);
	text_table_free(&t);
	text_free(&out);
}

static int write_record(const macaw_match *m, const char *path)
{
	char *record = macaw_match_record(m, true);
	int status = output_file("match", path, record);
	macaw_free(record);
	return status;
}

static void print_json(const macaw_match *m)
{
	char *record = macaw_match_record(m, false);
	puts(record ? record : "");
	macaw_free(record);
}

static int report(const macaw_match *m, const struct match_options *o)
{
	if (macaw_match_ending(m) == MACAW_TROUBLE) {
		fprintf(stderr, "macaw match: the interpreter gave up: %s\n", macaw_match_trouble(m));
		return EXIT_INPUT;
	}
	if (o->json)
		print_json(m);
	else
		print_text(m, o);
	return o->record ? write_record(m, o->record) : EXIT_DONE;
}

/* ---- the command ------------------------------------------------------------------------------ */

static int complain(const char *why)
{
	macaw_player_kind kind;
	fprintf(stderr, "macaw match: %s\nPlayers:\n", why);
	for (size_t i = 0; macaw_player_kind_at(i, &kind); i++)
		fprintf(stderr, "  %-14s %s\n", kind.name, kind.summary);
	return EXIT_USAGE;
}

/* "the game is for 2 players (x, o), --players names 3" */
static int complain_of_number(const macaw_game *g, size_t named)
{
	struct text why = {0};
	uint32_t wanted = macaw_game_players(g), shown = 0;
	text_printf(&why, "the game is for %u player%s (", wanted, wanted == 1 ? "" : "s");
	for (uint32_t r = 0; r < macaw_game_roles(g); r++)
		if (r != macaw_game_random(g))
			text_printf(&why, "%s%s", shown++ ? ", " : "", macaw_game_role(g, r));
	text_printf(&why, "), --players names %zu", named);
	int status = complain(text_str(&why));
	text_free(&why);
	return status;
}

static int play_match(const struct match_options *o, macaw_game *g)
{
	macaw_error error;
	macaw_match_options options_ = {.start = o->start,
	                                .clock = o->clock,
	                                .processor_time = o->clock_of,
	                                .playouts = (uint64_t)o->playouts,
	                                .isolated = o->processes,
	                                .seed = (uint64_t)o->seed,
	                                .max_steps = (uint32_t)o->max_steps};
	size_t named = 1;
	for (const char *at = o->players; *at; at++)
		named += *at == ',';
	if (named != macaw_game_players(g))
		return complain_of_number(g, named);
	if (o->watch) {
		options_.watch = watch;
		options_.context = macaw_drawing_new(g, NULL);
	}
	macaw_match *m = macaw_match_words(g, o->players, &options_, &error);
	int status = m ? report(m, o) : complain(error.text);
	macaw_match_free(m);
	macaw_drawing_free(options_.context);
	return status;
}

static int run(void *options_, int count, char **words)
{
	const struct match_options *o = options_;
	if (count != 1 || !o->players || (o->watch && o->json)) {
		fprintf(stderr, count != 1    ? "macaw match: name one GAME: a file, or a rulesheet in games/\n"
		                : !o->players ? "macaw match: say who plays, as in --players macaw,random\n"
		                              : "macaw match: choose one of --watch and --json\n");
		return EXIT_USAGE;
	}
	int status;
	macaw_game *g = load_word("match", words[0], &o->load, &status);
	if (g)
		status = play_match(o, g);
	macaw_game_free(g);
	return status;
}

const struct command cmd_match = {
	.name = "match",
	.arguments = "GAME",
	.summary = "Play one match between players",
	.details =
		"Players are named in the order of the roles in the rules, one per role; the role `random` is chance and needs "
		"none. Options follow the name, as in uct:c=0.6:batch=64; `macaw players` lists them. A move that is late or "
		"illegal is replaced by a random one and counted. --watch draws fluents that give the contents of cells as boards "
		"and lists the others.",
	.options = options,
	.size = sizeof(struct match_options),
	.run = run,
};

/* macaw match GAME --players A,B,…: one match, here and now. */
#include "macaw/match.h"
#include "cli/commands.h"
#include "cli/draw.h"
#include "cli/load.h"
#include "cli/match_ranks.h"
#include "cli/output.h"
#include "cli/where.h"
#include "macaw/worker.h"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct match_options {
	struct load_options load;
	struct where_options where;
	struct draw_options draw;
	struct cluster_options cluster;
	const char *players, *output;
	double clock, start;
	int64_t seed, max_steps, playouts;
	int clock_of, setting;
	bool watch, processes, json;
};

#define FIELD(f) offsetof(struct match_options, f)
static const struct opt options[] = {
	{"players", 'p', OPT_TEXT, FIELD(players), "A,B,…", "the players, one per role: see `macaw players`"},
	{"clock", 'c', OPT_REAL, FIELD(clock), "SEC", "seconds per move", .real = 1, .min = 0.001, .max = 1e6},
	{"start", 0, OPT_REAL, FIELD(start), "SEC", "seconds before the first move", .real = 0, .min = 0, .max = 1e6},
	{"clock-of", 0, OPT_CHOICE, FIELD(clock_of), "KIND",
     "what clocks count: time on the wall, or processor time of the player's threads, the same on a busy machine",
     .choices = "wall|cpu"},
	{"playouts", 'n', OPT_INT, FIELD(playouts), "N",
     "playouts (or nodes) per move instead of time: equal seeds, equal matches", .min = 1, .max = 1e15},
	{"setting", 0, OPT_CHOICE, FIELD(setting), "NAME",
     "each player by its own means, or all on the same reasoner with one simulation from a leaf",
     .choices = "shipped|published"},
	{"seed", 0, OPT_INT, FIELD(seed), "S", "seed of the random numbers", .whole = 1, .min = 0, .max = 9e15},
	{"max-steps", 0, OPT_INT, FIELD(max_steps), "N", "abandon the match after this many steps", .whole = 10000,
     .min = 1, .max = 1e9},
	{"processes", 0, OPT_FLAG, FIELD(processes), NULL, "give each player a process of its own"},
	{"watch", 'w', OPT_FLAG, FIELD(watch), NULL, "show the moves and the state after each step"},
	{"output", 'o', OPT_TEXT, FIELD(output), "FILE",
     "write the whole match to a file while it is played, for `macaw replay` (-: standard output, at the end)"},
	{"json", 0, OPT_FLAG, FIELD(json), NULL, "print one JSON object"},
	DRAW_OPTIONS(struct match_options, draw),
	WHERE_OPTIONS(struct match_options, where),
	CLUSTER_OPTIONS(struct match_options, cluster),
	LOAD_OPTIONS(struct match_options, load),
	{0}};

static macaw_stop interrupted;

static void on_interrupt(int number)
{
	(void)number;
	macaw_stop_now(&interrupted);
	signal(SIGINT, SIG_DFL); /* a second Ctrl-C ends the process */
}

/* ---- while it is played -------------------------------------------------------------------- */

#define WRITE_EVERY 1.0 /* seconds of play that a kill may lose */

struct course {
	const struct match_options *o;
	macaw_drawing *drawing; /* NULL: not watched */
	struct progress progress;
	double written; /* on clock_now() */
	uint32_t *last; /* the joint move before */
};

static void read_last(struct course *c, const macaw_match *m)
{
	uint32_t steps = macaw_match_steps(m);
	for (uint32_t r = 0; steps && r < macaw_game_roles(macaw_match_game(m)); r++)
		c->last[r] = macaw_match_made(m, steps - 1, r).move;
}

static void print_remarks(const macaw_match *m, uint32_t step, struct text *out)
{
	static const char *const faults[] = {"", "late: played at random", "illegal: played at random"};
	const macaw_game *g = macaw_match_game(m);
	for (uint32_t r = 0; r < macaw_game_roles(g); r++) {
		macaw_made made = macaw_match_made(m, step, r);
		struct text what = {0};
		if (!made.fault && (!made.why || !strcmp(made.why, MACAW_ONLY_MOVE)))
			continue;
		text_printf(&what, "%s%s%s (%.3f s)", faults[made.fault], made.fault && made.why ? "; " : "",
		            made.why ? made.why : "", made.seconds);
		draw_remark(macaw_game_role(g, r), text_str(&what), out);
		text_free(&what);
	}
}

static void show_step(struct course *c, const macaw_match *m)
{
	struct text out = {0};
	uint32_t steps = macaw_match_steps(m);
	if (steps) {
		text_putc(&out, '\n');
		draw_step(macaw_match_game(m), steps, c->last, &out);
		print_remarks(m, steps - 1, &out);
	}
	macaw_sight sight = {.position = macaw_match_position(m, steps)};
	if (steps) {
		sight.before = macaw_match_position(m, steps - 1);
		sight.last = c->last;
	}
	draw_position(c->drawing, &c->o->draw, &sight, &out);
	fputs(text_str(&out), stdout);
	fflush(stdout);
	text_free(&out);
}

/* On a line of its own, where nobody watches. */
static void tell_step(struct course *c, const macaw_match *m)
{
	struct text note = {0};
	const macaw_game *g = macaw_match_game(m);
	for (uint32_t r = 0; macaw_match_steps(m) && r < macaw_game_roles(g); r++)
		text_printf(&note, "%s%s", r ? "  " : "", macaw_game_move(g, c->last[r]));
	progress_step(&c->progress, macaw_match_steps(m), 0, text_str(&note));
	text_free(&note);
}

static int write_record(const macaw_match *m, const char *path)
{
	char *record = macaw_match_record(m, true);
	int status = output_file("match", path, record);
	macaw_free(record);
	return status;
}

static void watch(void *context, const macaw_match *m)
{
	struct course *c = context;
	read_last(c, m);
	if (c->drawing)
		show_step(c, m);
	else
		tell_step(c, m);
	if (!c->o->output || !strcmp(c->o->output, "-") || clock_now() - c->written < WRITE_EVERY)
		return;
	if (write_record(m, c->o->output))
		macaw_stop_now(&interrupted);
	c->written = clock_now();
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
	            : ending == MACAW_CUT ? macaw_stopped(&interrupted) ? "; interrupted" : "; given up (--max-steps)"
	                                  : "");
	text_table_print(&t, &out);
	fputs(text_str(&out), stdout);
	text_table_free(&t);
	text_free(&out);
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
	int status = o->output ? write_record(m, o->output) : EXIT_DONE;
	if (o->json)
		print_json(m);
	else
		print_text(m, o);
	return status ? status : macaw_stopped(&interrupted) ? EXIT_INPUT : EXIT_DONE;
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

static int check_seats(const struct match_options *o, const macaw_game *g)
{
	size_t named = 1;
	for (const char *at = o->players; *at; at++)
		named += *at == ',';
	if (named != macaw_game_players(g))
		return complain_of_number(g, named);
	if (strstr(o->players, "gcl:")) {
		fprintf(stderr, "macaw match: players of the network sit down at `macaw manage` and `macaw tournament`\n");
		return EXIT_USAGE;
	}
	if (!o->where.state || !macaw_game_hidden(g))
		return EXIT_DONE;
	fprintf(stderr,
	        "macaw match: nobody has seen what led to the position of --state, and the game hides information; name "
	        "the moves, by --after or --record\n");
	return EXIT_USAGE;
}

/* Seats by their words, or with other ranks in company. */
static macaw_match *sit_and_play(const struct match_options *o, struct cluster *c, macaw_game *g,
                                 const macaw_match_options *how, macaw_error *error)
{
	size_t count;
	if (!c)
		return macaw_match_words(g, o->players, how, error);
	struct match_ranks *ranks = match_ranks_open(c, g, o->players, (uint64_t)o->seed);
	const macaw_seat *seats = match_ranks_seats(ranks, &count);
	macaw_match *m = macaw_match_play(g, seats, count, how, error);
	match_ranks_close(ranks);
	return m;
}

static int play_match(const struct match_options *o, struct cluster *c, macaw_game *g, const struct where *from)
{
	macaw_error error;
	struct course course = {.o = o, .last = NEW_ARRAY(uint32_t, macaw_game_roles(g))};
	course.progress = progress_start("step", o->watch);
	course.drawing = o->watch ? macaw_drawing_new(g, NULL) : NULL;
	macaw_match_options options_ = {.start = o->start,
	                                .clock = o->clock,
	                                .processor_time = o->clock_of,
	                                .setting = (enum macaw_setting)o->setting,
	                                .playouts = (uint64_t)o->playouts,
	                                .isolated = o->processes,
	                                .seed = (uint64_t)o->seed,
	                                .max_steps = from->steps + (uint32_t)o->max_steps,
	                                .position = from->start,
	                                .made = from->made.at,
	                                .made_steps = from->steps,
	                                .stop = &interrupted,
	                                .watch = watch,
	                                .context = &course};
	signal(SIGINT, on_interrupt);
	macaw_match *m = sit_and_play(o, c, g, &options_, &error);
	progress_end(&course.progress);
	int status = m ? report(m, o) : complain(error.text);
	macaw_match_free(m);
	macaw_drawing_free(course.drawing);
	mem_free(course.last);
	return status;
}

static int load_and_play(const struct match_options *o, struct cluster *c, const char *word)
{
	int status;
	struct where from = {0};
	macaw_game *g = load_word("match", word, &o->load, &status);
	if (g)
		status = check_seats(o, g);
	if (g && !status)
		status = where_find(g, "match", &o->where, &from);
	if (g && !status && !cluster_leads(c))
		status = match_ranks_assist(c, g, o->players, (uint64_t)o->seed);
	else if (g && !status)
		status = o->output ? output_try("match", o->output) : EXIT_DONE;
	if (g && !status && cluster_leads(c))
		status = play_match(o, c, g, &from);
	where_free(&from);
	macaw_game_free(g);
	return status;
}

static int run(void *options_, int count, char **words)
{
	struct match_options *o = options_;
	if (o->where.record && o->where.step < 0 && !o->output) { /* until 0.3 this was the word for --output */
		o->output = o->where.record;
		o->where.record = NULL;
	}
	if (count != 1 || !o->players || (o->watch && o->json)) {
		fprintf(stderr, count != 1    ? "macaw match: name one GAME: a file, or a game of `macaw games`\n"
		                : !o->players ? "macaw match: say who plays, as in --players macaw,random\n"
		                              : "macaw match: choose one of --watch and --json\n");
		return EXIT_USAGE;
	}
	int status;
	struct cluster *c = cluster_open("match", &o->cluster, &status);
	return status ? status : cluster_close(c, load_and_play(o, c, words[0]));
}

const struct command cmd_match = {
	.name = "match",
	.arguments = "GAME",
	.summary = "Play one match between players",
	.details =
		"Players are named in the order of the roles in the rules, one per role; the role `random` is chance and needs "
		"none. Options follow the name, as in uct:c=0.6:batch=64; `macaw players` lists them. A path as ./mine.so "
		"names "
		"a player in a shared library. A move that is late or "
		"illegal is replaced by a random one and counted. --watch draws fluents that give the contents of cells as "
		"boards "
		"and lists the others. Ctrl-C ends the match; what was played is reported, and in the file of --output.",
	.example = "macaw match connect_four --players macaw,uct --clock 1 --watch",
	.options = options,
	.size = sizeof(struct match_options),
	.run = run,
};

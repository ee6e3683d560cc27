/* macaw match GAME --players A,B,…: one match, here and now. */
#include "show/board.h"
#include "cli/commands.h"
#include "cli/json_out.h"
#include "cli/load_game.h"
#include "show/table.h"

#include "match/record.h"

#include <stddef.h>
#include <string.h>

struct match_options {
	struct load_options load;
	const char *players, *record;
	double clock, start;
	int64_t seed, max_steps, playouts;
	bool watch, processes, json;
};

#define FIELD(f) offsetof(struct match_options, f)
static const struct opt options[] = {
	{"players", 'p', OPT_TEXT, FIELD(players), "A,B,…", "who plays, a name for each role: see `macaw players`"},
	{"clock", 'c', OPT_REAL, FIELD(clock), "SEC", "time for a move", .real = 1, .min = 0.001, .max = 1e6},
	{"start", 0, OPT_REAL, FIELD(start), "SEC", "time before the first move", .real = 0, .min = 0, .max = 1e6},
	{"playouts", 'n', OPT_INT, FIELD(playouts), "N",
     "playouts (or nodes) for a move instead of time: equal seeds, equal matches", .min = 0, .max = 1e15},
	{"seed", 0, OPT_INT, FIELD(seed), "S", "seed of the random numbers", .whole = 1, .min = 0, .max = 9e15},
	{"max-steps", 0, OPT_INT, FIELD(max_steps), "N", "give the match up after so many steps", .whole = 10000, .min = 1,
     .max = 1e9},
	{"processes", 0, OPT_FLAG, FIELD(processes), NULL, "give each player a process of its own"},
	{"watch", 'w', OPT_FLAG, FIELD(watch), NULL, "show the moves and the state after each step"},
	{"record", 'o', OPT_TEXT, FIELD(record), "FILE", "write the whole match to a file, for `macaw replay`"},
	{"json", 0, OPT_FLAG, FIELD(json), NULL, "print one JSON object"},
	LOAD_OPTIONS(struct match_options, load),
	{0}};

/* ---- watching ----------------------------------------------------------------------------- */

static void print_step(const struct match *m, struct text *out)
{
	const struct move_record *moves = m->moves.at + (size_t)(m->steps - 1) * m->game->roles;
	text_printf(out, "\nstep %u:", m->steps);
	for (uint32_t r = 0; r < m->game->roles; r++) {
		text_puts(out, r ? ", " : " ");
		game_print_role(m->game, r, out);
		text_putc(out, ' ');
		game_print_move(m->game, moves[r].move, out);
	}
	text_putc(out, '\n');
	for (uint32_t r = 0; r < m->game->roles; r++) {
		static const char *const faults[] = {"", "late: played at random", "illegal: played at random"};
		if (!moves[r].fault && (!moves[r].why || !strcmp(moves[r].why, PLAY_ONLY_MOVE)))
			continue;
		text_puts(out, "  ");
		game_print_role(m->game, r, out);
		text_printf(out, ": %s%s%s (%.3f s)\n", faults[moves[r].fault], moves[r].fault && moves[r].why ? "; " : "",
		            moves[r].why ? moves[r].why : "", moves[r].seconds);
	}
}

static void watch(void *context, const struct match *m)
{
	struct text out = {0};
	if (m->steps)
		print_step(m, &out);
	board_draw(context, m->states.at + m->states.n - m->game->words, &out);
	fputs(text_str(&out), stdout);
	fflush(stdout);
	text_free(&out);
}

/* ---- reports --------------------------------------------------------------------------------- */

static void print_text(const struct match *m, const struct seats *s, const struct match_options *o)
{
	struct text_table t = {.heading = true};
	struct text out = {0};
	uint64_t faults = 0;
	for (uint32_t r = 0; r < m->game->roles; r++)
		faults += m->late[r] + m->illegal[r];
	text_table_row(&t);
	text_table_cell(&t, "role");
	text_table_cell(&t, "player");
	text_table_cell(&t, "score");
	if (faults) {
		text_table_cell(&t, "late");
		text_table_cell(&t, "illegal");
	}
	for (uint32_t r = 0; r < m->game->roles; r++) {
		struct text role = {0};
		game_print_role(m->game, r, &role);
		text_table_row(&t);
		text_table_cell(&t, "%s", text_str(&role));
		text_table_cell(&t, "%s", s->names[r]);
		text_table_cell(&t, m->goals[r] == GOAL_NONE ? "none" : "%d", m->goals[r]);
		if (faults) {
			text_table_cell(&t, "%llu", (unsigned long long)m->late[r]);
			text_table_cell(&t, "%llu", (unsigned long long)m->illegal[r]);
		}
		text_free(&role);
	}
	text_printf(&out, "%s%u step%s%s\n\n", o->watch ? "\n" : "", m->steps, m->steps == 1 ? "" : "s",
	            m->stuck ? "; stuck: a role has no legal move"
	            : m->cut ? "; given up (--max-steps)"
	                     : "");
	text_table_print(&t, &out);
	fputs(text_str(&out), stdout);
	text_table_free(&t);
	text_free(&out);
}

static int write_record(const char *path, const char *record)
{
	FILE *f = fopen(path, "w");
	bool fine = f && fputs(record, f) >= 0;
	fine = f && !fclose(f) && fine;
	if (fine)
		return EXIT_DONE;
	fprintf(stderr, "macaw match: cannot write %s\n", path);
	return EXIT_MACHINE;
}

/* ---- the command ------------------------------------------------------------------------------ */

static int play_match(const struct match_options *o, struct loaded *l, struct seats *s)
{
	struct referee_options ref = {.start = o->start,
	                              .clock = o->clock,
	                              .playouts = (uint64_t)o->playouts,
	                              .seed = (uint64_t)o->seed,
	                              .max_steps = (uint32_t)o->max_steps};
	json_t *name = json_text(text_str(&l->name));
	struct record_options rec = {.game = json_string_value(name), .engine = load_engine_name(l->game), .referee = &ref};
	struct match m;
	int status = EXIT_DONE;
	if (o->watch) {
		ref.watch = watch;
		ref.context = board_make(l->game);
	}
	referee_play(&m, l->game, s->by_role, &ref);
	if (m.trouble) {
		fprintf(stderr, "macaw match: the interpreter gave up: %s\n", m.trouble);
		status = EXIT_INPUT;
	} else if (o->json) {
		json_finish(record_make(&m, s, &rec));
	} else {
		print_text(&m, s, o);
	}
	rec.full = true;
	if (!status && o->record)
		status = write_record(o->record, record_make(&m, s, &rec));
	json_decref(name);
	board_free(ref.context);
	match_free(&m);
	return status;
}

static int complain(const struct text *error)
{
	fprintf(stderr, "macaw match: %s\nPlayers:\n", text_str(error));
	for (size_t i = 0; player_kinds[i]; i++)
		fprintf(stderr, "  %-14s %s\n", player_kinds[i]->name, player_kinds[i]->what);
	return EXIT_USAGE;
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
	struct loaded l = {0};
	struct seats s = {0};
	struct text error = {0};
	int status = load_game("match", words[0], &o->load, &l);
	if (!status)
		status =
			seats_make(&s, l.game, o->players, o->processes, (uint64_t)o->seed, &error) ? play_match(o, &l, &s) : complain(&error);
	seats_free(&s);
	text_free(&error);
	load_game_free(&l);
	return status;
}

const struct command cmd_match = {
	.name = "match",
	.arguments = "GAME",
	.summary = "Play one match between players",
	.details =
		"Players are named in the order of the roles in the rules, one for each role; the role `random` plays by "
		"itself. A player may be given options, as in uct:c=0.6:batch=64; `macaw players` lists them. A move that is "
		"late or illegal is replaced by a random one and counted. --watch draws fluents that tell what is where as "
		"boards and lists the others.",
	.options = options,
	.size = sizeof(struct match_options),
	.run = run,
};

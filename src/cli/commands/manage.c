/* macaw manage: the game manager, for players on the network, players here, and people at the terminal. */
#include "cli/commands.h"
#include "cli/draw.h"
#include "cli/line.h"
#include "cli/load.h"
#include "cli/schedule.h"
#include "cli/terminal_seat.h"
#include "cli/words.h"
#include "macaw/server.h"
#include "macaw/worker.h"
#include "show/terminal.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct manage_options {
	struct load_options load;
	struct draw_options draw;
	double start, play, grace;
	int64_t seed, rounds, max_steps;
	bool scramble, json, watch;
	const char *record, *schedule, *listen;
};

#define FIELD(f) offsetof(struct manage_options, f)
static const struct opt options[] = {
	{"start", 0, OPT_REAL, FIELD(start), "SEC", "seconds before the first move", .real = 30, .min = 0.001, .max = 1e6},
	{"play", 0, OPT_REAL, FIELD(play), "SEC", NULL, .real = 10, .min = 0.001, .max = 1e6}, /* until 0.3: --clock */
	{"clock", 'c', OPT_REAL, FIELD(play), "SEC", "seconds per move", .real = 10, .min = 0.001, .max = 1e6},
	{"grace", 0, OPT_REAL, FIELD(grace), "SEC", "seconds that an answer may be later than the clock", .real = 1,
     .min = 0, .max = 1e6},
	{"scramble", 0, OPT_FLAG, FIELD(scramble), NULL, "replace all names in rules and moves by other words"},
	{"seed", 0, OPT_INT, FIELD(seed), "S", "seed of the random numbers (0: from the clock)", .min = 0, .max = 9e15},
	{"rounds", 0, OPT_INT, FIELD(rounds), "N", "play everything N times, each time with the seats rotated by one",
     .whole = 1, .min = 1, .max = 1e6},
	{"max-steps", 0, OPT_INT, FIELD(max_steps), "N", "abandon a match after N steps", .whole = 10000, .min = 1,
     .max = 1e9},
	{"schedule", 0, OPT_TEXT, FIELD(schedule), "FILE", "play the matches of a file, one line `GAME PLAYER…` per match"},
	{"record", 0, OPT_TEXT, FIELD(record), "FILE", NULL}, /* until 0.3: --output */
	{"output", 'o', OPT_TEXT, FIELD(record), "FILE",
     "write the match to a file, for `macaw replay`; several matches: one per line"},
	{"listen", 'l', OPT_TEXT, FIELD(listen), "HOST:PORT",
     "let spectators follow: GET /events sends server-sent events; a port alone: on 127.0.0.1; port 0 picks a free "
     "one"},
	{"watch", 'w', OPT_FLAG, FIELD(watch), NULL, "show the moves and the position of each step"},
	{"json", 0, OPT_FLAG, FIELD(json), NULL, "print one JSON object"},
	DRAW_OPTIONS(struct manage_options, draw),
	LOAD_OPTIONS(struct manage_options, load),
	{0}};

struct manage_run {
	const struct manage_options *o;
	macaw_spectators *spectators;
	FILE *record;
	struct text summaries; /* of all matches, for --json */
	uint64_t seed, errors;
	uint32_t played, planned;
	pthread_mutex_t terminal; /* persons take turns */
	struct line *line;
	macaw_drawing *drawing; /* of the match under way, when it is watched */
	VEC(struct terminal_seat *) persons;
};

static macaw_stop stopped; /* set by signals */

static void interrupt(int signal_)
{
	macaw_stop_now(&stopped);
}

/* ---- one match ---------------------------------------------------------------------------------- */

static void watch(void *context, const macaw_match *m)
{
	static const char *const faults[] = {"", "late: played at random", "illegal: played at random"};
	struct manage_run *s = context;
	const macaw_game *g = macaw_match_game(m);
	uint32_t steps = macaw_match_steps(m), *joint = NEW_ARRAY(uint32_t, macaw_game_roles(g));
	struct text out = {0};
	macaw_sight sight = {.position = macaw_match_position(m, steps)};
	for (uint32_t r = 0; steps && r < macaw_game_roles(g); r++)
		joint[r] = macaw_match_made(m, steps - 1, r).move;
	if (steps) {
		text_putc(&out, '\n');
		draw_step(g, steps, joint, &out);
		for (uint32_t r = 0; r < macaw_game_roles(g); r++)
			if (macaw_match_made(m, steps - 1, r).fault)
				draw_remark(macaw_game_role(g, r), faults[macaw_match_made(m, steps - 1, r).fault], &out);
		sight.before = macaw_match_position(m, steps - 1);
		sight.last = joint;
	}
	if (s->drawing)
		draw_position(s->drawing, &s->o->draw, &sight, &out);
	fputs(text_str(&out), stdout);
	fflush(stdout);
	text_free(&out);
	mem_free(joint);
}

static void add_row(struct text_table *t, const char *role, const macaw_managed_role *r)
{
	text_table_row(t);
	text_table_cell(t, "%s", role);
	text_table_cell(t, "%s", r->player);
	text_table_cell(t, r->goal == MACAW_NO_GOAL ? "none" : "%d", r->goal);
	text_table_cell(t, "%llu", (unsigned long long)r->late);
	text_table_cell(t, "%llu", (unsigned long long)r->illegal);
	text_table_cell(t, "%llu", (unsigned long long)r->errors);
}

static void report(const struct manage_run *s, const macaw_managed *m)
{
	static const char *const heads[] = {"role", "player", "score", "late", "illegal", "errors"};
	const macaw_match *match = macaw_managed_match(m);
	const macaw_game *g = macaw_match_game(match);
	uint32_t steps = macaw_match_steps(match);
	bool ended = macaw_match_ending(match) == MACAW_TERMINAL;
	struct text_table t = {.heading = true};
	struct text out = {0};
	text_table_row(&t);
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
		text_table_cell(&t, "%s", heads[i]);
	for (uint32_t r = 0; r < macaw_game_roles(g); r++) {
		macaw_managed_role role = macaw_managed_role_of(m, r);
		add_row(&t, macaw_game_role(g, r), &role);
	}
	text_printf(&out, "%s%s, match %u of %u: %u step%s%s\n\n", s->played > 1 ? "\n" : "", macaw_game_name(g), s->played,
	            s->planned, steps, steps == 1 ? "" : "s", ended ? "" : "; it did not come to its end");
	text_table_print(&t, &out);
	fputs(text_str(&out), stdout);
	fflush(stdout);
	text_table_free(&t);
	text_free(&out);
}

static void report_trouble(const macaw_managed *m)
{
	const macaw_game *g = macaw_match_game(macaw_managed_match(m));
	for (uint32_t r = 0; r < macaw_game_roles(g); r++) {
		macaw_managed_role role = macaw_managed_role_of(m, r);
		if (role.trouble)
			fprintf(stderr, "macaw manage: %s, %s: %s\n", macaw_game_role(g, r), role.player, role.trouble);
	}
}

static void keep(struct manage_run *s, const macaw_managed *m)
{
	s->errors += macaw_managed_errors(m);
	if (s->record) {
		char *record = macaw_managed_record(m, s->planned > 1 ? MACAW_MANAGED_LINE : MACAW_MANAGED_WHOLE);
		fprintf(s->record, "%s\n", record ? record : "");
		fflush(s->record);
		macaw_free(record);
	}
	if (s->o->json) {
		char *summary = macaw_managed_record(m, MACAW_MANAGED_BRIEF);
		text_puts(&s->summaries, s->summaries.n ? "," : "");
		text_puts(&s->summaries, summary ? summary : "null");
		macaw_free(summary);
	} else {
		report(s, m);
		report_trouble(m);
	}
}

static bool seat_person(struct manage_run *s, macaw_game *g, uint32_t role, macaw_seat *seat, macaw_error *error)
{
	if (!s->line)
		s->line = line_open();
	struct terminal_seat *p = terminal_seat_new(g, role, &s->terminal, s->line, &s->o->draw, error);
	if (!p)
		return false;
	vec_push(&s->persons, p);
	*seat = terminal_seat(p);
	printf("You are %s. The others have %g s to prepare.\n", macaw_game_role(g, role), s->o->start);
	fflush(stdout);
	return true;
}

/* The players of a fixture, rotated by one seat per round. */
static macaw_managed *manage(struct manage_run *s, macaw_game *g, const struct fixture *f, int64_t round,
                             macaw_error *error)
{
	size_t count = f->words.n - 1;
	macaw_seat *seats = NEW_ARRAY(macaw_seat, count + 1);
	bool fine = true;
	for (uint32_t i = 0; i < count && fine; i++) {
		uint32_t role = i + (i >= macaw_game_random(g));
		seats[i].word = f->words.at[1 + (i + (size_t)round) % count];
		if (!strcmp(seats[i].word, "human") && role < macaw_game_roles(g))
			fine = seat_person(s, g, role, &seats[i], error);
	}
	macaw_manage_options o = {.start = s->o->start,
	                          .play = s->o->play,
	                          .grace = s->o->grace > 0 ? s->o->grace : -1,
	                          .scramble = s->o->scramble,
	                          .seed = ++s->seed,
	                          .max_steps = (uint32_t)s->o->max_steps,
	                          .stop = &stopped,
	                          .spectators = s->spectators,
	                          .watch = s->o->watch ? watch : NULL,
	                          .context = s};
	s->drawing = s->o->watch ? macaw_drawing_new(g, NULL) : NULL;
	macaw_managed *m = fine ? macaw_manage(g, seats, count, &o, error) : NULL;
	macaw_drawing_free(s->drawing);
	s->drawing = NULL;
	mem_free(seats);
	return m;
}

static int play_one(struct manage_run *s, const struct fixture *f, int64_t round)
{
	int status;
	macaw_error error;
	macaw_game *g = load_word("manage", f->words.at[0], &s->o->load, &status);
	if (!g)
		return status;
	macaw_managed *m = manage(s, g, f, round, &error);
	if (m) {
		s->played++;
		keep(s, m);
	} else {
		fprintf(stderr, "macaw manage: %s: %s\n", f->words.at[0], error.text);
		status = error.status == MACAW_MEMORY ? EXIT_MACHINE : (int)error.status;
	}
	macaw_managed_free(m);
	for (size_t i = 0; i < s->persons.n; i++)
		terminal_seat_free(s->persons.at[i]);
	vec_clear(&s->persons);
	macaw_game_free(g);
	return status;
}

/* ---- all matches --------------------------------------------------------------------------------- */

static const char *check_word(const char *word, bool json, macaw_error *error)
{
	if (strcmp(word, "human"))
		return macaw_manage_knows(word, error) ? NULL : error->text;
	return json ? "a person needs the terminal: leave --json out, and use --output" : NULL;
}

/* Checked before the first match, so that a mistake in the last line does not waste the others. */
static int check_players(const struct schedule *p, bool json)
{
	macaw_error error;
	for (size_t i = 0; i < p->all.n; i++)
		for (size_t k = 1; k < p->all.at[i].words.n; k++) {
			const char *wrong = check_word(p->all.at[i].words.at[k], json, &error);
			if (wrong) {
				fprintf(stderr, "macaw manage: %s\n", wrong);
				return EXIT_USAGE;
			}
		}
	return EXIT_DONE;
}

static int play_all(struct manage_run *s, const struct schedule *p)
{
	int status = EXIT_DONE;
	s->planned = (uint32_t)(p->all.n * (size_t)s->o->rounds);
	for (int64_t round = 0; round < s->o->rounds; round++)
		for (size_t i = 0; i < p->all.n && !status && !macaw_stopped(&stopped); i++)
			status = play_one(s, &p->all.at[i], round);
	if (s->o->json)
		printf("{\"played\":%u,\"errors\":%llu,\"matches\":[%s]}\n", s->played, (unsigned long long)s->errors,
		       text_str(&s->summaries));
	else if (s->planned > 1)
		printf("\n%u of %u matches, %llu errors\n", s->played, s->planned, (unsigned long long)s->errors);
	if (!status && macaw_stopped(&stopped))
		fprintf(stderr, "macaw manage: interrupted\n");
	return status ? status : s->errors || macaw_stopped(&stopped) ? EXIT_INPUT : EXIT_DONE;
}

static int open_all(struct manage_run *s)
{
	const struct manage_options *o = s->o;
	macaw_error error;
	if (o->record && !(s->record = fopen(o->record, "w"))) {
		fprintf(stderr, "macaw manage: cannot write %s: %s\n", o->record, strerror(errno));
		return EXIT_MACHINE;
	}
	if (!o->listen)
		return EXIT_DONE;
	char address[64];
	s->spectators = macaw_spectators_open(listen_address(o->listen, address, sizeof address), &error);
	if (!s->spectators) {
		fprintf(stderr, "macaw manage: %s\n", error.text);
		return error.status == MACAW_USAGE ? EXIT_USAGE : EXIT_MACHINE;
	}
	printf("listening on %s\n", macaw_spectators_address(s->spectators));
	fflush(stdout);
	return EXIT_DONE;
}

static int close_all(struct manage_run *s, int status)
{
	macaw_spectators_close(s->spectators);
	line_close(s->line);
	if (s->record && fclose(s->record)) {
		fprintf(stderr, "macaw manage: cannot write %s: %s\n", s->o->record, strerror(errno));
		status = EXIT_MACHINE;
	}
	vec_free(&s->persons);
	text_free(&s->summaries);
	return status;
}

static int run(void *options_, int count, char **words)
{
	const struct manage_options *o = options_;
	if (o->schedule ? count > 0 : count < 2) {
		fprintf(stderr, "macaw manage: name a GAME and its players, or a --schedule with both\n");
		return EXIT_USAGE;
	}
	if (o->watch && o->json) {
		fprintf(stderr, "macaw manage: choose one of --watch and --json\n");
		return EXIT_USAGE;
	}
	struct manage_run s = {.o = o, .terminal = PTHREAD_MUTEX_INITIALIZER};
	struct schedule p = {0};
	int status = EXIT_DONE;
	s.seed = o->seed ? (uint64_t)o->seed : (uint64_t)time(NULL) << 16 ^ (uint64_t)getpid();
	signal(SIGINT, interrupt);
	signal(SIGTERM, interrupt);
	signal(SIGPIPE, SIG_IGN);
	if (o->schedule)
		status = schedule_read(&p, o->schedule);
	else
		schedule_games(&p, words[0], words + 1, (size_t)count - 1);
	if (!status)
		status = check_players(&p, o->json);
	if (!status)
		status = open_all(&s);
	if (!status)
		status = play_all(&s, &p);
	schedule_free(&p);
	return close_all(&s, status);
}

const struct command cmd_manage = {
	.name = "manage",
	.arguments = "GAME PLAYER…",
	.summary = "Run matches between remote players, players here, and people",
	.details =
		"A PLAYER is HOST:PORT of a competition player, a name from `macaw players` (with options), or `human` for a "
		"person at this terminal; one per role, in the order of the rules; `random` is chance and needs none. GAME may "
		"be "
		"a list with commas: the matches are played one after another.\n\n"
		"All players are asked at the same time. A move that is missing, late or illegal is replaced by a random legal "
		"one and counted as an error of that player; so is an answer to `start` other than `ready`. The exit status is "
		"0 when there was no error, 1 when there was one. With --listen, the first line on standard output is "
		"`listening on HOST:PORT`. See docs/competition.md.",
	.example = "macaw manage connect_four 192.0.2.7:9147 human --start 30 --clock 60",
	.options = options,
	.size = sizeof(struct manage_options),
	.run = run,
};

/* macaw manage: the game manager, for players on the network, here, and in person. */
#include "show/board.h"
#include "cli/commands.h"
#include "cli/load_game.h"
#include "cli/person.h"
#include "show/table.h"
#include "cli/words.h"

#include "net/manager/manager.h"
#include "net/manager/remote.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

struct manage_options {
	struct load_options load;
	double start, play, grace;
	int64_t seed, rounds, max_steps;
	bool scramble, json, watch;
	const char *record, *schedule, *listen;
};

#define FIELD(f) offsetof(struct manage_options, f)
static const struct opt options[] = {
	{"start", 0, OPT_REAL, FIELD(start), "SEC", "start clock: time before the first move", .real = 30, .min = 0.001,
     .max = 1e6},
	{"play", 'c', OPT_REAL, FIELD(play), "SEC", "play clock: time for a move", .real = 10, .min = 0.001, .max = 1e6},
	{"grace", 0, OPT_REAL, FIELD(grace), "SEC", "how much later than the clock an answer may arrive", .real = 1, .min = 0,
     .max = 1e6},
	{"scramble", 0, OPT_FLAG, FIELD(scramble), NULL, "send rules and moves with other words in the place of the names"},
	{"seed", 0, OPT_INT, FIELD(seed), "S", "seed of the random numbers (0: from the clock)", .min = 0, .max = 9e15},
	{"rounds", 0, OPT_INT, FIELD(rounds), "N", "play everything so often, each time with the seats moved on by one",
     .whole = 1, .min = 1, .max = 1e6},
	{"max-steps", 0, OPT_INT, FIELD(max_steps), "N", "give a match up after so many steps", .whole = 10000, .min = 1,
     .max = 1e9},
	{"schedule", 0, OPT_TEXT, FIELD(schedule), "FILE", "play the matches of a file: a line `GAME PLAYER…` each"},
	{"record", 'o', OPT_TEXT, FIELD(record), "FILE",
     "write the match to a file, for `macaw replay`; several matches: one a line"},
	{"listen", 'l', OPT_TEXT, FIELD(listen), "HOST:PORT",
     "let spectators follow: GET /events sends server-sent events; port 0 picks a free one"},
	{"watch", 'w', OPT_FLAG, FIELD(watch), NULL, "show the moves of each step"},
	{"json", 0, OPT_FLAG, FIELD(json), NULL, "print one JSON object"},
	LOAD_OPTIONS(struct manage_options, load),
	{0}};

/* ---- a person --------------------------------------------------------------------------------- */

struct person {
	struct game *g;
	uint32_t role;
	struct board *board;
};

static pthread_mutex_t terminal = PTHREAD_MUTEX_INITIALIZER; /* persons speak one after another */

/* Whole lines only, without waiting beyond the limit. */
static bool read_line(const struct limit *limit, char *line, size_t size)
{
	size_t n = 0;
	while (!limit_reached(limit)) {
		struct pollfd p = {STDIN_FILENO, POLLIN, 0};
		if (poll(&p, 1, 50) <= 0)
			continue;
		char c;
		if (read(STDIN_FILENO, &c, 1) != 1)
			return false;
		if (c == '\n') {
			line[n] = 0;
			return true;
		}
		if (n + 1 < size)
			line[n++] = c;
	}
	return false;
}

static void show(const struct person *p, const struct turn *t)
{
	struct text out = {0};
	text_puts(&out, "\n");
	if (t->state)
		board_draw(p->board, t->state, &out);
	for (uint32_t i = 0; i < t->seen_count; i++) {
		text_puts(&out, i ? " " : "  you see: ");
		game_print_percept(p->g, t->seen[i], &out);
	}
	game_print_role(p->g, p->role, &out);
	text_puts(&out, ", your moves:\n");
	fputs(text_str(&out), stdout);
	text_free(&out);
	person_moves(p->g, t->legal, t->legal_count);
}

static uint32_t ask_person(void *self, const struct turn *t, const struct budget *b, struct text *why)
{
	const struct person *p = self;
	char line[512];
	uint32_t move = GAME_NONE;
	if (t->legal_count == 1)
		return t->legal[0];
	pthread_mutex_lock(&terminal);
	show(p, t);
	while (move == GAME_NONE) {
		printf("(%.0f s) > ", limit_left(&b->limit));
		fflush(stdout);
		if (!read_line(&b->limit, line, sizeof line)) {
			puts("");
			text_puts(why, limit_reached(&b->limit) ? "the person said nothing in time" : "end of the person's input");
			move = CONTESTANT_SILENT;
			break;
		}
		if (!strcmp(line, "moves"))
			person_moves(p->g, t->legal, t->legal_count);
		else if (*line)
			move = person_understand(p->g, t->legal, t->legal_count, line);
	}
	pthread_mutex_unlock(&terminal);
	return move;
}

/* ---- one match ---------------------------------------------------------------------------------- */

struct session {
	const struct manage_options *o;
	struct event_stream *events;
	FILE *record;
	struct text summaries; /* of all matches, for --json */
	uint64_t seed, errors;
	uint32_t played, planned;
	VEC(struct person *) persons;
};

static atomic_bool stopped;

static void interrupt(int signal_)
{
	atomic_store(&stopped, true);
}

static struct contestant seat_person(struct session *s, struct game *g, uint32_t role)
{
	struct person *p = NEW(struct person);
	struct text name = {0};
	*p = (struct person){g, role, board_make(g)};
	vec_push(&s->persons, p);
	game_print_role(g, role, &name);
	printf("You are %s. The others have %g s to prepare.\n", text_str(&name), s->o->start);
	fflush(stdout);
	text_free(&name);
	return (struct contestant){.self = p, .move = ask_person};
}

static void dismiss_persons(struct session *s)
{
	for (size_t i = 0; i < s->persons.n; i++) {
		board_free(s->persons.at[i]->board);
		mem_free(s->persons.at[i]);
	}
	vec_clear(&s->persons);
}

static void watch(void *context, const struct match *m)
{
	static const char *const faults[] = {"", " (late: played at random)", " (illegal: played at random)"};
	const struct session *s = context;
	struct text out = {0};
	if (!s->o->watch || !m->steps)
		return;
	text_printf(&out, "step %u:", m->steps);
	for (uint32_t r = 0; r < m->game->roles; r++) {
		const struct move_record *record = &m->moves.at[(size_t)(m->steps - 1) * m->game->roles + r];
		text_puts(&out, r ? ", " : " ");
		game_print_role(m->game, r, &out);
		text_putc(&out, ' ');
		game_print_move(m->game, record->move, &out);
		text_puts(&out, faults[record->fault]);
	}
	puts(text_str(&out));
	fflush(stdout);
	text_free(&out);
}

static void report(struct session *s, const struct managed *m, const char *game)
{
	struct text_table t = {.heading = true};
	struct text out = {0}, role = {0};
	static const char *const heads[] = {"role", "player", "score", "late", "illegal", "errors"};
	text_table_row(&t);
	for (size_t i = 0; i < 6; i++)
		text_table_cell(&t, "%s", heads[i]);
	for (uint32_t i = 0; i < m->match.game->roles; i++) {
		const struct managed_role *r = &m->roles[i];
		role.n = 0;
		game_print_role(m->match.game, i, &role);
		text_table_row(&t);
		text_table_cell(&t, "%s", text_str(&role));
		text_table_cell(&t, "%s", r->player);
		text_table_cell(&t, r->goal == GOAL_NONE ? "none" : "%d", r->goal);
		text_table_cell(&t, "%llu", (unsigned long long)r->late);
		text_table_cell(&t, "%llu", (unsigned long long)r->illegal);
		text_table_cell(&t, "%llu", (unsigned long long)r->errors);
	}
	text_printf(&out, "%s%s, match %u of %u: %u step%s%s\n\n", s->played > 1 ? "\n" : "", game, s->played, s->planned,
	            m->match.steps, m->match.steps == 1 ? "" : "s", m->match.terminal ? "" : "; it did not come to its end");
	text_table_print(&t, &out);
	fputs(text_str(&out), stdout);
	fflush(stdout);
	for (uint32_t i = 0; i < m->match.game->roles; i++)
		if (m->roles[i].trouble) {
			role.n = 0;
			game_print_role(m->match.game, i, &role);
			fprintf(stderr, "macaw manage: %s, %s: %s\n", text_str(&role), m->roles[i].player, m->roles[i].trouble);
		}
	text_table_free(&t);
	text_free(&out);
	text_free(&role);
}

static void keep(struct session *s, struct managed *m, const char *game)
{
	struct text json = {0};
	s->errors += m->errors;
	if (s->record) {
		manager_record(m, s->planned > 1 ? MANAGED_LINE : MANAGED_WHOLE, &json);
		fputs(text_str(&json), s->record);
		fputc('\n', s->record);
		fflush(s->record);
		json.n = 0;
	}
	if (s->o->json) {
		manager_record(m, MANAGED_BRIEF, &json);
		text_printf(&s->summaries, "%s%s", s->summaries.n ? "," : "", text_str(&json));
	} else {
		report(s, m, game);
	}
	text_free(&json);
}

/* As many seats as roles can be told apart from too few or too many: the manager says so. */
static struct manager_seat *make_seats(struct session *s, struct game *g, const char *const *players, uint32_t count)
{
	struct manager_seat *seats = NEW_ARRAY(struct manager_seat, count ? count : 1);
	for (uint32_t i = 0, role = 0; i < count; i++, role++) {
		role += role == g->random;
		bool person = !strcmp(players[i], "human");
		seats[i] = (struct manager_seat){.word = person ? NULL : players[i], .name = players[i]};
		if (person && role < g->roles)
			seats[i].contestant = seat_person(s, g, role);
	}
	return seats;
}

static int play_one(struct session *s, const char *game, const char *const *players, uint32_t count)
{
	struct loaded l = {0};
	struct text error = {0};
	struct managed m;
	int status = load_game("manage", game, &s->o->load, &l);
	if (status)
		return status;
	struct manager_options mo = {.start = s->o->start,
	                             .play = s->o->play,
	                             .grace = s->o->grace,
	                             .scramble = s->o->scramble,
	                             .seed = ++s->seed,
	                             .max_steps = (uint32_t)s->o->max_steps,
	                             .stop = &stopped,
	                             .events = s->events,
	                             .game = text_str(&l.name),
	                             .watch = watch,
	                             .context = s};
	struct manager_seat *seats = make_seats(s, l.game, players, count);
	if (manager_play(&m, l.game, seats, count, &mo, &error)) {
		s->played++;
		keep(s, &m, text_str(&l.name));
		managed_free(&m);
	} else {
		fprintf(stderr, "macaw manage: %s: %s\n", game, text_str(&error));
		status = EXIT_USAGE;
	}
	dismiss_persons(s);
	mem_free(seats);
	text_free(&error);
	load_game_free(&l);
	return status;
}

/* ---- all matches --------------------------------------------------------------------------------- */

/* A line of the schedule: its words, the game first. */
struct fixture {
	VEC(char *) words;
};

struct plan {
	struct text source;
	VEC(struct fixture) all;
};

static void add_fixture(struct plan *p, char *line)
{
	struct fixture f = {0};
	char *save, *hash = strchr(line, '#');
	if (hash)
		*hash = 0;
	for (char *w = strtok_r(line, " \t\r", &save); w; w = strtok_r(NULL, " \t\r", &save))
		vec_push(&f.words, w);
	if (f.words.n)
		vec_push(&p->all, f);
}

static int read_schedule(struct plan *p, const char *path)
{
	const char *wrong = text_read_file(&p->source, path, (size_t)16 << 20);
	if (wrong) {
		fprintf(stderr, "macaw manage: %s\n", wrong);
		return EXIT_INPUT;
	}
	for (char *line = p->source.at, *next; line && *line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = 0;
		add_fixture(p, line);
	}
	if (p->all.n)
		return EXIT_DONE;
	fprintf(stderr, "macaw manage: %s: no line `GAME PLAYER…`\n", path);
	return EXIT_INPUT;
}

static void plan_games(struct plan *p, struct words *games, int count, char **words)
{
	for (size_t i = 0; i < games->list.n; i++) {
		struct fixture f = {0};
		vec_push(&f.words, (char *)games->list.at[i]);
		for (int k = 1; k < count; k++)
			vec_push(&f.words, words[k]);
		vec_push(&p->all, f);
	}
}

/* Before the first match, so that a slip in the last line does not cost all of them. */
static int check_players(const struct plan *p, bool json)
{
	struct text error = {0};
	for (size_t i = 0; i < p->all.n && !error.n; i++)
		for (size_t k = 1; k < p->all.at[i].words.n && !error.n; k++) {
			const char *word = p->all.at[i].words.at[k];
			if (json && !strcmp(word, "human"))
				text_puts(&error, "a person needs the terminal: leave --json out, and use --record");
			else if (strcmp(word, "human"))
				manager_knows(word, &error);
		}
	if (error.n)
		fprintf(stderr, "macaw manage: %s\n", text_str(&error));
	int status = error.n ? EXIT_USAGE : EXIT_DONE;
	text_free(&error);
	return status;
}

static void print_json(struct session *s)
{
	printf("{\"played\":%u,\"errors\":%llu,\"matches\":[%s]}\n", s->played, (unsigned long long)s->errors,
	       text_str(&s->summaries));
}

static int play_all(struct session *s, struct plan *p)
{
	int status = EXIT_DONE;
	s->planned = (uint32_t)(p->all.n * (size_t)s->o->rounds);
	for (int64_t round = 0; round < s->o->rounds; round++)
		for (size_t i = 0; i < p->all.n && !status && !atomic_load(&stopped); i++) {
			const struct fixture *f = &p->all.at[i];
			VEC(const char *) players = {0};
			for (size_t k = 1; k < f->words.n; k++)
				vec_push(&players, f->words.at[1 + (k - 1 + (size_t)round) % (f->words.n - 1)]);
			status = play_one(s, f->words.at[0], players.at, (uint32_t)players.n);
			vec_free(&players);
		}
	if (s->o->json)
		print_json(s);
	else if (s->planned > 1)
		printf("\n%u of %u matches, %llu errors\n", s->played, s->planned, (unsigned long long)s->errors);
	if (!status && atomic_load(&stopped))
		fprintf(stderr, "macaw manage: interrupted\n");
	return status ? status : s->errors || atomic_load(&stopped) ? EXIT_INPUT : EXIT_DONE;
}

static int open_all(struct session *s)
{
	const struct manage_options *o = s->o;
	struct text bound = {0}, error = {0};
	bool usage = false;
	int status = EXIT_DONE;
	if (o->record && !(s->record = fopen(o->record, "w"))) {
		fprintf(stderr, "macaw manage: cannot write %s: %s\n", o->record, strerror(errno));
		status = EXIT_MACHINE;
	}
	if (!status && o->listen) {
		s->events = event_stream_open(o->listen, &bound, &usage, &error);
		if (s->events) {
			printf("listening on %s\n", text_str(&bound));
			fflush(stdout);
		} else {
			fprintf(stderr, "macaw manage: %s\n", text_str(&error));
			status = usage ? EXIT_USAGE : EXIT_MACHINE;
		}
	}
	text_free(&bound);
	text_free(&error);
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
	struct session s = {.o = o};
	struct plan p = {0};
	struct words games = {0};
	s.seed = o->seed ? (uint64_t)o->seed : (uint64_t)time(NULL) << 16 ^ (uint64_t)getpid();
	signal(SIGINT, interrupt);
	signal(SIGTERM, interrupt);
	signal(SIGPIPE, SIG_IGN);
	remote_setup();
	int status = EXIT_DONE;
	if (o->schedule) {
		status = read_schedule(&p, o->schedule);
	} else {
		words_split(&games, words[0]);
		plan_games(&p, &games, count, words);
	}
	if (!status)
		status = check_players(&p, o->json);
	if (!status)
		status = open_all(&s);
	if (!status)
		status = play_all(&s, &p);
	event_stream_close(s.events);
	if (s.record && fclose(s.record)) {
		fprintf(stderr, "macaw manage: cannot write %s: %s\n", o->record, strerror(errno));
		status = EXIT_MACHINE;
	}
	for (size_t i = 0; i < p.all.n; i++)
		vec_free(&p.all.at[i].words);
	vec_free(&p.all);
	text_free(&p.source);
	words_free(&games);
	vec_free(&s.persons);
	text_free(&s.summaries);
	return status;
}

const struct command cmd_manage = {
	.name = "manage",
	.arguments = "GAME PLAYER…",
	.summary = "Run matches between players on the network, here, or in person",
	.details =
		"A PLAYER is HOST:PORT of a competition player, a name of `macaw players` (with options), or `human` for a person "
		"at this terminal; one for each role, in the order of the rules; `random` plays by itself. GAME may be a list with "
		"commas: the matches are played one after another.\n\n"
		"All players are asked at the same time. A move that is missing, late or illegal is replaced by a random legal one "
		"and counted as an error of that player; so is an answer to `start` other than `ready`. The exit status is 0 when "
		"there was no error, 1 when there was one. With --listen, the first line on standard output is `listening on "
		"HOST:PORT`. See docs/competition.md.",
	.options = options,
	.size = sizeof(struct manage_options),
	.run = run,
};

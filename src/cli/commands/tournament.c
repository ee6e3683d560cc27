/* macaw tournament: players against each other in several games, all pairs, Swiss system or knock-out. */
#include "macaw/tournament.h"
#include "cli/commands.h"
#include "cli/load.h"
#include "cli/output.h"
#include "cli/tournament_ranks.h"
#include "cli/tournament_report.h"
#include "cli/words.h"
#include "show/terminal.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct tournament_options {
	struct load_options load;
	struct cluster_options cluster;
	struct opt_list games, players;
	const char *clock, *db, *sprt, *plots, *output, *matches, *weights;
	double start, until, minutes;
	int64_t rounds, playouts, seed, jobs, max_steps, final, wins;
	int clock_of, setting, format;
	bool processes, json, csv, report;
};

#define FIELD(f) offsetof(struct tournament_options, f)
static const struct opt options[] = {
	{"games", 'g', OPT_LIST, FIELD(games), "A,B,…", "the games; given again, more of them"},
	{"players", 'p', OPT_LIST, FIELD(players), "X,Y,…",
     "the players, with options as in uct:c=0.6; also gcl:HOST:PORT and ./mine.so; given again, more of them"},
	{"format", 'f', OPT_CHOICE, FIELD(format), "KIND",
     "who meets whom: all, the first all others, who has done about as well so far, or duels where the loser is out",
     .choices = "round-robin|gauntlet|swiss|knockout"},
	{"rounds", 'r', OPT_INT, FIELD(rounds), "N",
     "how often every pairing is played; swiss: matches of each player in a game (0: 10, or 100000 with --until)",
     .whole = 0, .min = 0, .max = 1e9},
	{"until", 0, OPT_REAL, FIELD(until), "POINTS",
     "end a pairing in a game once its 95% interval is so many points of 100 to either side", .min = 0, .max = 50},
	{"minutes", 0, OPT_REAL, FIELD(minutes), "N", "begin no match after N minutes; pairings get equal parts of them",
     .min = 0, .max = 1e7},
	{"setting", 0, OPT_CHOICE, FIELD(setting), "NAME",
     "each player by its own means, or all on the same reasoner with the same number of simulations (10000, or "
     "--playouts)",
     .choices = "shipped|published"},
	{"clock", 'c', OPT_TEXT, FIELD(clock), "SEC,…",
     "seconds per move (0.1 unless given); several: one stage per clock"},
	{"start", 0, OPT_REAL, FIELD(start), "SEC", "seconds before the first move", .min = 0, .max = 1e6},
	{"clock-of", 0, OPT_CHOICE, FIELD(clock_of), "KIND",
     "what clocks count: time on the wall, or processor time of the player's threads, the same on a busy machine",
     .choices = "wall|cpu"},
	{"playouts", 'n', OPT_INT, FIELD(playouts), "N", "playouts (or nodes) per move instead of time", .min = 1,
     .max = 1e15},
	{"db", 0, OPT_TEXT, FIELD(db), "FILE",
     "where results are kept (nowhere, unless given); an unfinished tournament is continued"},
	{"output", 'o', OPT_TEXT, FIELD(output), "FOLDER", "write a record of each match there, for `macaw replay`"},
	{"jobs", 'j', OPT_INT, FIELD(jobs), "N", "matches at the same time (0: one per processor)", .whole = 0, .min = 0,
     .max = 1024},
	{"processes", 0, OPT_FLAG, FIELD(processes), NULL, "give each player a process of its own"},
	{"seed", 0, OPT_INT, FIELD(seed), "S", "seed of the random numbers", .whole = 1, .min = 0, .max = 9e15},
	{"sprt", 0, OPT_TEXT, FIELD(sprt), "E0,E1",
     "two players: stop once the first is known to be E1 or no more than E0 Elo ahead; with --until: any number, for "
     "each "
     "pairing in a game"},
	{"matches", 0, OPT_TEXT, FIELD(matches), "N,…", "swiss: matches of each player, by game"},
	{"weights", 0, OPT_TEXT, FIELD(weights), "W,…", "swiss: what the scores of a game are multiplied by, by game"},
	{"final", 0, OPT_INT, FIELD(final), "K", "swiss: the best K play a knock-out after it (0: none)", .min = 0,
     .max = 1e6},
	{"wins", 0, OPT_INT, FIELD(wins), "N", "knockout: wins that decide a duel, one more in the final", .whole = 3,
     .min = 1, .max = 1000},
	{"max-steps", 0, OPT_INT, FIELD(max_steps), "N", "abandon a match after this many steps", .whole = 1000, .min = 1,
     .max = 1e9},
	{"report", 0, OPT_FLAG, FIELD(report), NULL, "play nothing, show the results in the file"},
	{"plots", 0, OPT_TEXT, FIELD(plots), "FOLDER", "write cross.svg, rounds.svg and clocks.svg there"},
	{"csv", 0, OPT_FLAG, FIELD(csv), NULL, "print the table of players as CSV"},
	{"json", 0, OPT_FLAG, FIELD(json), NULL, "print one JSON object"},
	CLUSTER_OPTIONS(struct tournament_options, cluster),
	LOAD_OPTIONS(struct tournament_options, load),
	{0}};

static macaw_stop interrupted;

static void interrupt(int signal)
{
	macaw_stop_now(&interrupted);
}

static int write_plots(const macaw_standings *s, const char *folder)
{
	static const char *const names[] = {"cross.svg", "rounds.svg", "clocks.svg"};
	static const enum macaw_plot plots[] = {MACAW_PLOT_CROSS, MACAW_PLOT_ROUNDS, MACAW_PLOT_CLOCKS};
	for (int i = 0; i < 3; i++) {
		struct text path = {0};
		text_printf(&path, "%s/%s", folder, names[i]);
		char *picture = macaw_standings_plot(s, plots[i]);
		int status = output_file("tournament", text_str(&path), picture);
		macaw_free(picture);
		text_free(&path);
		if (status)
			return status;
	}
	return EXIT_DONE;
}

static int show(const macaw_tournament_end *end, const struct tournament_options *o, const char *db)
{
	macaw_error error;
	macaw_standings *s = macaw_standings_read(db, &error);
	int status = s ? EXIT_DONE : EXIT_MACHINE;
	if (!s)
		fprintf(stderr, "macaw tournament: %s\n", error.text);
	else if (o->json)
		report_json(s, end, !o->report);
	else if (o->csv)
		report_csv(s);
	else
		report_text(s, end, !o->report);
	if (s && o->plots)
		status = write_plots(s, o->plots);
	macaw_standings_free(s);
	return status ? status : end->stopped ? EXIT_INPUT : EXIT_DONE;
}

/* ---- the command ------------------------------------------------------------------------------ */

static int usage(const char *message)
{
	fprintf(stderr, "macaw tournament: %s\n", message);
	return EXIT_USAGE;
}

/* Numbers parted by commas, each of them in bounds. */
static int read_numbers(const char *option, const char *words, double least, double most, double **numbers,
                        size_t *count)
{
	struct words w = {0};
	int status = EXIT_DONE;
	words_split(&w, words);
	*numbers = NEW_ARRAY(double, w.list.n + 1);
	*count = w.list.n;
	for (size_t i = 0; i < w.list.n && !status; i++) {
		char *end;
		(*numbers)[i] = strtod(w.list.at[i], &end);
		if (*end || !((*numbers)[i] >= least && (*numbers)[i] <= most)) {
			fprintf(stderr, "macaw tournament: --%s takes numbers from %g to %g, not %s\n", option, least, most,
			        w.list.at[i]);
			status = EXIT_USAGE;
		}
	}
	words_free(&w);
	if (!status && !*count) {
		fprintf(stderr, "macaw tournament: --%s names no number\n", option);
		status = EXIT_USAGE;
	}
	return status;
}

static int read_sprt(const char *words, macaw_tournament *t)
{
	char *end;
	t->elo0 = strtod(words, &end);
	if (*end++ != ',')
		return usage("--sprt wants two numbers, as in 0,20");
	t->elo1 = strtod(end, &end);
	if (*end || !(t->elo1 > t->elo0))
		return usage("--sprt wants two numbers, the second larger, as in 0,20");
	t->sequential = true;
	return t->player_count == 2 || t->until > 0
	           ? EXIT_DONE
	           : usage("--sprt is for two players; with --until H any number of them, pairing by pairing");
}

struct watch {
	struct progress line;
	struct tournament_ranks *ranks; /* NULL: none */
};

static void draw_progress(void *context, const char *what, double done, double total)
{
	struct watch *w = context;
	struct text note = {0};
	if (w->ranks)
		tournament_ranks_note(w->ranks, &note);
	progress_step(&w->line, done, total, w->ranks ? text_str(&note) : NULL);
	text_free(&note);
}

static int play(macaw_tournament *t, const struct tournament_options *o, struct cluster *c, const char *db)
{
	macaw_error error;
	macaw_tournament_end end;
	struct watch watch = {.line = progress_start("matches", false)};
	struct sigaction action = {.sa_handler = interrupt};
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	t->stop = &interrupted;
	t->progress = draw_progress;
	t->context = &watch;
	if (!cluster_leads(c))
		return tournament_ranks_serve(c, t);
	watch.ranks = c ? tournament_ranks_open(c, t) : NULL;
	bool fine = macaw_tournament_run(t, db, &end, &error);
	progress_end(&watch.line);
	tournament_ranks_close(watch.ranks);
	if (fine)
		return show(&end, o, db);
	if (error.status == MACAW_USAGE && strstr(error.text, "it was begun")) /* the file, with other settings */
		fprintf(stderr, "macaw tournament: %s: %s\n", db, error.text);
	else
		fprintf(stderr, "macaw tournament: %s\n", error.text);
	return error.status == MACAW_MEMORY ? EXIT_MACHINE : (int)error.status;
}

/* Results that nobody wants to keep lie in a file that nobody sees. */
static int play_unkept(macaw_tournament *t, const struct tournament_options *o, struct cluster *c)
{
	const char *folder = getenv("TMPDIR");
	struct text path = {0};
	text_printf(&path, "%s/macaw-tournament-XXXXXX", folder && *folder ? folder : "/tmp");
	int file = mkstemp(path.at), status = EXIT_MACHINE;
	if (file < 0) {
		fprintf(stderr, "macaw tournament: cannot write %s: %s\n", path.at, strerror(errno));
	} else {
		fprintf(stderr, "macaw tournament: the results are not kept (--db FILE does that)\n");
		close(file);
		status = play(t, o, c, path.at);
		unlink(path.at);
	}
	text_free(&path);
	return status;
}

/* Before anything is played; a folder that is there is fine. */
static int make_folder(const char *path)
{
	if (!path || !mkdir(path, 0777) || (errno == EEXIST && !access(path, W_OK)))
		return EXIT_DONE;
	fprintf(stderr, "macaw tournament: cannot make the folder %s: %s\n", path, strerror(errno));
	return EXIT_MACHINE;
}

static int load_and_play(macaw_tournament *t, const struct tournament_options *o, struct cluster *c)
{
	struct words names = {0};
	words_of(&names, &o->games);
	macaw_game **games = NEW_ARRAY(macaw_game *, names.list.n + 1);
	int status = EXIT_DONE;
	for (size_t i = 0; i < names.list.n && !status; i++)
		games[i] = load_word("tournament", names.list.at[i], &o->load, &status);
	t->games = games;
	t->game_count = names.list.n;
	if (!status)
		status = make_folder(o->plots);
	if (!status)
		status = make_folder(o->output);
	if (!status)
		status = o->db || !cluster_leads(c) ? play(t, o, c, o->db) : play_unkept(t, o, c);
	for (size_t i = 0; i < names.list.n; i++)
		macaw_game_free(games[i]);
	mem_free(games);
	words_free(&names);
	return status;
}

/* Numbers by game, for the Swiss system. */
struct by_game {
	double *weights, *counts;
	uint64_t *matches;
};

static int read_by_game(const char *option, const char *words, const struct tournament_options *o, double least,
                        double most, double **numbers)
{
	struct words games = {0};
	size_t count = 0;
	if (!words)
		return EXIT_DONE;
	int status = o->format == MACAW_SWISS ? read_numbers(option, words, least, most, numbers, &count) : EXIT_USAGE;
	if (o->format != MACAW_SWISS)
		fprintf(stderr, "macaw tournament: --%s is for --format swiss\n", option);
	words_of(&games, &o->games);
	if (!status && count != games.list.n) {
		fprintf(stderr, "macaw tournament: --%s names %zu numbers for %zu games\n", option, count, games.list.n);
		status = EXIT_USAGE;
	}
	words_free(&games);
	return status;
}

static int read_swiss(const struct tournament_options *o, struct by_game *by, macaw_tournament *t)
{
	struct words games = {0};
	int status = read_by_game("weights", o->weights, o, 0, 1e6, &by->weights);
	if (!status)
		status = read_by_game("matches", o->matches, o, 0, 1e6, &by->counts);
	if (status || !by->counts) {
		t->weights = by->weights;
		return status;
	}
	words_of(&games, &o->games);
	by->matches = NEW_ARRAY(uint64_t, games.list.n + 1);
	for (size_t i = 0; i < games.list.n; i++)
		by->matches[i] = (uint64_t)by->counts[i];
	words_free(&games);
	t->weights = by->weights;
	t->matches = by->matches;
	return EXIT_DONE;
}

/* The words this program was called with, as a shell would take them. */
static void put_command(struct text *out)
{
	struct text words = {0}, error = {0};
	if (text_read_file(&words, "/proc/self/cmdline", (size_t)1 << 22, &error))
		for (const char *at = words.at; at && at < words.at + words.n; at += strlen(at) + 1) {
			bool plain =
				*at &&
				strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./,:=+@%") == strlen(at);
			text_printf(out, "%s%s%s%s", out->n ? " " : "", plain ? "" : "'", at, plain ? "" : "'");
		}
	text_free(&words);
	text_free(&error);
}

#define PUBLISHED_SIMULATIONS 10000 /* of a move, as in the experiments of the papers */

static int hold(const struct tournament_options *o, struct cluster *c)
{
	struct words players = {0};
	double *clocks = NULL;
	struct by_game by = {0};
	struct text command = {0};
	words_of(&players, &o->players);
	put_command(&command);
	bool published = o->setting == MACAW_PUBLISHED;
	macaw_tournament t = {.players = players.list.at,
	                      .player_count = players.list.n,
	                      .format = (enum macaw_format)o->format,
	                      .setting = (enum macaw_setting)o->setting,
	                      .start = o->start,
	                      .playouts = published && !o->playouts ? PUBLISHED_SIMULATIONS : (uint64_t)o->playouts,
	                      .rounds = (uint64_t)o->rounds,
	                      .until = o->until,
	                      .seconds = 60 * o->minutes,
	                      .seed = (uint64_t)o->seed,
	                      .jobs = (uint32_t)o->jobs,
	                      .max_steps = (uint32_t)o->max_steps,
	                      .isolated = o->processes,
	                      .records = o->output,
	                      .final = (uint32_t)o->final,
	                      .wins = (uint32_t)o->wins,
	                      .command = text_str(&command),
	                      .processor_time = o->clock_of};
	int status = published && o->clock
	                 ? usage("as published, players have a number of simulations: --playouts, not --clock")
	                 : EXIT_DONE;
	if (!status && o->sprt)
		status = read_sprt(o->sprt, &t);
	if (!status && o->clock)
		status = read_numbers("clock", o->clock, 0.001, 1e6, &clocks, &t.clock_count);
	if (!status)
		status = read_swiss(o, &by, &t);
	t.clocks = clocks;
	if (!status)
		status = load_and_play(&t, o, c);
	words_free(&players);
	text_free(&command);
	mem_free(clocks);
	mem_free(by.weights);
	mem_free(by.counts);
	mem_free(by.matches);
	return status;
}

static int run(void *options_, int count, char **words)
{
	const struct tournament_options *o = options_;
	if (count)
		return usage("name the games by --games a,b,c");
	if (o->report && !o->db)
		return usage("name the file with the results: --db FILE");
	if (!o->report && (!o->games.n || !o->players.n))
		return usage("name games and players: --games a,b --players x,y");
	if (o->json && o->csv)
		return usage("choose one of --json and --csv");
	int status;
	if (!o->report) {
		struct cluster *c = cluster_open("tournament", &o->cluster, &status);
		return status ? status : cluster_close(c, hold(o, c));
	}
	status = make_folder(o->plots);
	return status ? status : show(&(macaw_tournament_end){0}, o, o->db);
}

const struct command cmd_tournament = {
	.name = "tournament",
	.arguments = "",
	.summary = "Play players against each other in several games",
	.details =
		"Every pairing is played in every game with the roles swapped and the seeds paired; or --format chooses "
		"another "
		"way. Each result is stored in an SQLite file at once, with the moves: after a kill or an interrupt the same "
		"command continues, more rounds, games, players or clocks may be added later, and `macaw replay FILE` shows "
		"the "
		"matches. The table shows mean scores, shares of wins (a draw is half) with Wilson's interval, Elo by Bradley "
		"and "
		"Terry, and skill, which takes the ease of roles into account; below it stand the pairings game by game, with "
		"what the players did for a move. Players may be shared libraries (./mine.so) and players of the competition "
		"network (gcl:HOST:PORT). The exit status is 1 after an interrupt.",
	.example = "macaw tournament -g connect_four,othello -p macaw,uct,random --db results.db",
	.options = options,
	.size = sizeof(struct tournament_options),
	.run = run,
};

/* macaw tournament: every player against every other, in several games. */
#include "macaw/tournament.h"
#include "cli/commands.h"
#include "cli/load.h"
#include "cli/output.h"
#include "cli/tournament_ranks.h"
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
	const char *clock, *db, *sprt, *plots, *output;
	double start;
	int64_t rounds, playouts, seed, jobs, max_steps;
	int clock_of;
	bool processes, json, csv, report;
};

#define FIELD(f) offsetof(struct tournament_options, f)
static const struct opt options[] = {
	{"games", 'g', OPT_LIST, FIELD(games), "A,B,…", "the games; given again, more of them"},
	{"players", 'p', OPT_LIST, FIELD(players), "X,Y,…",
     "the players, with options as in uct:c=0.6; given again, more of them"},
	{"rounds", 'r', OPT_INT, FIELD(rounds), "N", "how often every pairing is played", .whole = 10, .min = 1,
     .max = 1e9},
	{"clock", 'c', OPT_TEXT, FIELD(clock), "SEC,…", "seconds per move; several: one stage per clock", .words = "0.1"},
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
     "two players: stop once the first is known to be E1 or no more than E0 Elo ahead"},
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

/* ---- reports --------------------------------------------------------------------------------- */

static void heading(struct text_table *t, const char *const *words)
{
	t->heading = true;
	text_table_row(t);
	for (; *words; words++)
		text_table_cell(t, "%s", *words);
}

/* Elo points, whole: never -0. */
static void points_cell(struct text_table *t, double points)
{
	long n = lround(points);
	text_table_cell(t, n ? "%+ld" : "%ld", n);
}

static void print_players(const macaw_standings *s, struct text *out)
{
	static const char *const words[] = {"player", "matches", "score", "95%",  "wins", "95%",
	                                    "Elo",    "+-",      "skill", "late", NULL};
	struct text_table t = {0};
	heading(&t, words);
	for (size_t i = 0; i < macaw_standings_players(s); i++) {
		macaw_standing p = macaw_standings_player(s, i);
		text_table_row(&t);
		text_table_cell(&t, "%s", p.name);
		text_table_cell(&t, "%.0f", p.matches);
		text_table_cell(&t, "%.1f", p.score);
		text_table_cell(&t, "%.1f..%.1f", fmax(0, p.score_low), fmin(100, p.score_high));
		if (!isnan(p.share)) {
			text_table_cell(&t, "%.1f%%", 100 * p.share);
			text_table_cell(&t, "%.1f..%.1f", 100 * p.share_low, 100 * p.share_high);
			points_cell(&t, p.elo);
			text_table_cell(&t, "%.0f", p.elo_error);
		} else {
			for (int k = 0; k < 4; k++)
				text_table_cell(&t, "-");
		}
		points_cell(&t, p.skill);
		text_table_cell(&t, "%lld", (long long)p.late);
	}
	text_table_print(&t, out);
	text_table_free(&t);
}

static void mean_cell(struct text_table *t, double mean)
{
	text_table_cell(t, isnan(mean) ? "-" : "%.1f", mean);
}

/* The heading of a table with a column for each player. */
static void player_heading(const macaw_standings *s, struct text_table *t, const char *first)
{
	t->heading = true;
	text_table_row(t);
	text_table_cell(t, "%s", first);
	for (size_t i = 0; i < macaw_standings_players(s); i++)
		text_table_cell(t, "%s", macaw_standings_player(s, i).name);
}

static void print_games(const macaw_standings *s, struct text *out)
{
	struct text_table t = {0};
	player_heading(s, &t, "game");
	for (size_t g = 0; g < macaw_standings_games(s); g++) {
		text_table_row(&t);
		text_table_cell(&t, "%s", macaw_standings_game(s, g));
		for (size_t i = 0; i < macaw_standings_players(s); i++)
			mean_cell(&t, macaw_standings_by_game(s, i, g));
	}
	text_table_print(&t, out);
	text_table_free(&t);
}

static void print_cross(const macaw_standings *s, struct text *out)
{
	struct text_table t = {0};
	player_heading(s, &t, "against");
	for (size_t i = 0; i < macaw_standings_players(s); i++) {
		text_table_row(&t);
		text_table_cell(&t, "%s", macaw_standings_player(s, i).name);
		for (size_t j = 0; j < macaw_standings_players(s); j++)
			mean_cell(&t, macaw_standings_versus(s, i, j));
	}
	text_table_print(&t, out);
	text_table_free(&t);
}

static void print_roles(const macaw_standings *s, struct text *out)
{
	static const char *const words[] = {"role", "ease", NULL};
	struct text_table t = {0};
	heading(&t, words);
	for (size_t i = 0; i < macaw_standings_roles(s); i++) {
		text_table_row(&t);
		text_table_cell(&t, "%s", macaw_standings_role(s, i));
		points_cell(&t, macaw_standings_ease(s, i));
	}
	text_table_print(&t, out);
	text_table_free(&t);
}

static void print_progress(const macaw_tournament_end *end, bool sprt, struct text *out)
{
	text_printf(out, "%llu of %llu matches, %llu played now%s\n\n", (unsigned long long)(end->before + end->played),
	            (unsigned long long)end->planned, (unsigned long long)end->played,
	            end->decided   ? "; the test is decided"
	            : end->stopped ? "; interrupted: the same command goes on"
	                           : "");
	if (sprt)
		text_printf(out, "sequential test: %.2f of %.2f%s\n\n", end->likelihood, end->bound,
		            !end->decided         ? ""
		            : end->likelihood > 0 ? ": ahead"
		                                  : ": not ahead");
}

static void print_text(const macaw_standings *s, const macaw_tournament_end *end, const struct tournament_options *o)
{
	struct text out = {0};
	if (!o->report)
		print_progress(end, o->sprt, &out);
	print_players(s, &out);
	text_puts(&out, "\nMean scores\n\n");
	print_games(s, &out);
	if (macaw_standings_players(s) > 1) {
		text_putc(&out, '\n');
		print_cross(s, &out);
	}
	text_puts(&out, "\nEase of roles, in Elo points\n\n");
	print_roles(s, &out);
	fputs(text_str(&out), stdout);
	text_free(&out);
}

static void print_csv(const macaw_standings *s)
{
	puts("player,matches,score,score_low,score_high,wins,draws,losses,share,share_low,share_high,elo,elo_error,skill,"
	     "late,illegal");
	for (size_t i = 0; i < macaw_standings_players(s); i++) {
		macaw_standing p = macaw_standings_player(s, i);
		printf("%s,%.0f,%.3f,%.3f,%.3f,%.0f,%.0f,%.0f,%.4f,%.4f,%.4f,%.1f,%.1f,%.1f,%lld,%lld\n", p.name, p.matches,
		       p.score, p.score_low, p.score_high, p.wins, p.draws, p.losses, isnan(p.share) ? 0 : p.share, p.share_low,
		       p.share_high, p.elo, p.elo_error, p.skill, (long long)p.late, (long long)p.illegal);
	}
}

static void write_interval(struct json_writer *w, const char *key, double low, double high)
{
	jsonw_array(w, key);
	jsonw_real(w, NULL, low);
	jsonw_real(w, NULL, high);
	jsonw_end(w);
}

/* Points to six decimals: what is zero but for rounding is zero. */
static double tidy(double points)
{
	double rounded = round(points * 1e6) / 1e6;
	return rounded == 0 ? 0 : rounded;
}

static void write_player(struct json_writer *w, const macaw_standings *s, size_t i)
{
	macaw_standing p = macaw_standings_player(s, i);
	jsonw_object(w, NULL);
	jsonw_text(w, "player", p.name);
	jsonw_int(w, "matches", llround(p.matches));
	jsonw_real(w, "score", p.score);
	write_interval(w, "score_interval", p.score_low, p.score_high);
	jsonw_int(w, "wins", llround(p.wins));
	jsonw_int(w, "draws", llround(p.draws));
	jsonw_int(w, "losses", llround(p.losses));
	jsonw_real(w, "share", p.share);
	write_interval(w, "share_interval", p.share_low, p.share_high);
	jsonw_real(w, "elo", tidy(p.elo));
	jsonw_real(w, "elo_error", tidy(p.elo_error));
	jsonw_real(w, "skill", tidy(p.skill));
	jsonw_int(w, "late", p.late);
	jsonw_int(w, "illegal", p.illegal);
	jsonw_int(w, "moves", p.moves);
	jsonw_object(w, "games");
	for (size_t g = 0; g < macaw_standings_games(s); g++)
		jsonw_real(w, macaw_standings_game(s, g), macaw_standings_by_game(s, i, g));
	jsonw_end(w);
	jsonw_object(w, "against");
	for (size_t j = 0; j < macaw_standings_players(s); j++)
		if (j != i)
			jsonw_real(w, macaw_standings_player(s, j).name, macaw_standings_versus(s, i, j));
	jsonw_end(w);
	jsonw_end(w);
}

static void print_json(const macaw_standings *s, const macaw_tournament_end *end, const struct tournament_options *o)
{
	struct text out = {0};
	struct json_writer w = {.out = &out};
	jsonw_object(&w, NULL);
	jsonw_uint(&w, "matches", macaw_standings_matches(s));
	jsonw_uint(&w, "planned", end->planned);
	jsonw_uint(&w, "played_now", end->played);
	jsonw_bool(&w, "interrupted", end->stopped);
	if (!o->report && !o->playouts) /* what the file must agree with */
		jsonw_text(&w, "clock_of", o->clock_of ? "cpu" : "wall");
	jsonw_real(&w, "llr", o->sprt ? end->likelihood : NAN);
	jsonw_bool(&w, "decided", end->decided);
	jsonw_array(&w, "players");
	for (size_t i = 0; i < macaw_standings_players(s); i++)
		write_player(&w, s, i);
	jsonw_end(&w);
	jsonw_object(&w, "roles");
	for (size_t i = 0; i < macaw_standings_roles(s); i++)
		jsonw_real(&w, macaw_standings_role(s, i), tidy(macaw_standings_ease(s, i)));
	jsonw_end(&w);
	jsonw_end(&w);
	output_line(&out);
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
		print_json(s, end, o);
	else if (o->csv)
		print_csv(s);
	else
		print_text(s, end, o);
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

static int read_clocks(const char *words, double **clocks, size_t *count)
{
	struct words w = {0};
	int status = EXIT_DONE;
	words_split(&w, words);
	*clocks = NEW_ARRAY(double, w.list.n + 1);
	*count = w.list.n;
	for (size_t i = 0; i < w.list.n && !status; i++) {
		char *end;
		(*clocks)[i] = strtod(w.list.at[i], &end);
		if (*end || !((*clocks)[i] >= 0.001 && (*clocks)[i] <= 1e6)) {
			fprintf(stderr, "macaw tournament: --clock must be seconds, at least 0.001, not %s\n", w.list.at[i]);
			status = EXIT_USAGE;
		}
	}
	words_free(&w);
	return status ? status : *count ? EXIT_DONE : usage("--clock names no clock");
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
	return t->player_count == 2 ? EXIT_DONE : usage("--sprt is for two players");
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

static int hold(const struct tournament_options *o, struct cluster *c)
{
	struct words players = {0};
	double *clocks = NULL;
	words_of(&players, &o->players);
	macaw_tournament t = {.players = players.list.at,
	                      .player_count = players.list.n,
	                      .start = o->start,
	                      .playouts = (uint64_t)o->playouts,
	                      .rounds = (uint64_t)o->rounds,
	                      .seed = (uint64_t)o->seed,
	                      .jobs = (uint32_t)o->jobs,
	                      .max_steps = (uint32_t)o->max_steps,
	                      .isolated = o->processes,
	                      .records = o->output,
	                      .processor_time = o->clock_of};
	int status = o->sprt ? read_sprt(o->sprt, &t) : EXIT_DONE;
	if (!status)
		status = read_clocks(o->clock, &clocks, &t.clock_count);
	t.clocks = clocks;
	if (!status)
		status = load_and_play(&t, o, c);
	words_free(&players);
	mem_free(clocks);
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
	.summary = "Play every player against every other in several games",
	.details = "Every pairing is played in every game with the roles swapped and the seeds paired. Each result is "
			   "stored in an "
			   "SQLite file at once: after a kill or an interrupt the same command continues, and more rounds, games, "
			   "players or "
			   "clocks may be added later. The table shows mean scores, shares of wins (a draw is half) with Wilson's "
			   "interval, Elo by Bradley and Terry, and skill, which takes the ease of roles into account. The exit "
			   "status is 1 "
			   "after an interrupt.",
	.example = "macaw tournament -g connect_four,othello -p macaw,uct,random --db results.db",
	.options = options,
	.size = sizeof(struct tournament_options),
	.run = run,
};

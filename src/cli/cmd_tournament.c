/* macaw tournament: everybody against everybody, in many games. */
#include "cli/commands.h"
#include "cli/json_out.h"
#include "cli/load_game.h"
#include "show/table.h"
#include "cli/words.h"

#include "tournament/standing.h"
#include "tournament/tournament.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct tournament_options {
	struct load_options load;
	const char *games, *players, *clock, *db, *sprt, *plots;
	double start;
	int64_t rounds, playouts, seed, jobs, max_steps;
	bool processes, json, csv, report;
};

#define FIELD(f) offsetof(struct tournament_options, f)
static const struct opt options[] = {
	{"games", 'g', OPT_TEXT, FIELD(games), "A,B,…", "games"},
	{"players", 'p', OPT_TEXT, FIELD(players), "X,Y,…", "players, with options as in uct:c=0.6"},
	{"rounds", 'r', OPT_INT, FIELD(rounds), "N", "how often every pairing is played", .whole = 10, .min = 1,
     .max = 1e9},
	{"clock", 'c', OPT_TEXT, FIELD(clock), "SEC,…", "time for a move; several: a stage for each", .words = "0.1"},
	{"start", 0, OPT_REAL, FIELD(start), "SEC", "time before the first move", .min = 0, .max = 1e6},
	{"playouts", 'n', OPT_INT, FIELD(playouts), "N", "playouts (or nodes) for a move instead of time", .min = 0,
     .max = 1e15},
	{"db", 0, OPT_TEXT, FIELD(db), "FILE", "where results are kept; goes on where it was left"},
	{"jobs", 'j', OPT_INT, FIELD(jobs), "N", "matches side by side (0: one for each processor)", .whole = 0, .min = 0,
     .max = 1024},
	{"processes", 0, OPT_FLAG, FIELD(processes), NULL, "give each player a process of its own"},
	{"seed", 0, OPT_INT, FIELD(seed), "S", "seed of the random numbers", .whole = 1, .min = 0, .max = 9e15},
	{"sprt", 0, OPT_TEXT, FIELD(sprt), "E0,E1",
     "two players: stop once the first is known to be E1 or no more than E0 Elo ahead"},
	{"max-steps", 0, OPT_INT, FIELD(max_steps), "N", "give a match up after so many steps", .whole = 1000, .min = 1,
     .max = 1e9},
	{"report", 0, OPT_FLAG, FIELD(report), NULL, "play nothing, show what the file holds"},
	{"plots", 0, OPT_TEXT, FIELD(plots), "FOLDER", "write cross.svg, rounds.svg and clocks.svg there"},
	{"csv", 0, OPT_FLAG, FIELD(csv), NULL, "print the table of players as CSV"},
	{"json", 0, OPT_FLAG, FIELD(json), NULL, "print one JSON object"},
	LOAD_OPTIONS(struct tournament_options, load),
	{0}};

static atomic_bool interrupted;

static void interrupt(int signal)
{
	atomic_store(&interrupted, true);
}

/* ---- reports --------------------------------------------------------------------------------- */

struct row {
	const struct standing_player *p;
	double mean, share, met;
	struct interval score, win;
};

static struct row row_of(const struct standing_player *p)
{
	struct row r = {.p = p, .mean = tally_mean(&p->scores), .met = p->wins + p->draws + p->losses};
	r.score = stats_mean(p->scores.sum, p->scores.squares, p->scores.n);
	r.share = r.met > 0 ? (p->wins + p->draws / 2) / r.met : NAN;
	r.win = stats_wilson(r.met > 0 ? r.share : 0, r.met);
	return r;
}

/* Players by mean score, best first. */
static void sort_players(const struct standing *s, size_t *order)
{
	for (size_t i = 0; i < s->players.n; i++) {
		size_t j = i;
		for (; j && tally_mean(&s->players.at[order[j - 1]].scores) < tally_mean(&s->players.at[i].scores); j--)
			order[j] = order[j - 1];
		order[j] = i;
	}
}

static void heading(struct text_table *t, const char *const *words)
{
	t->heading = true;
	text_table_row(t);
	for (; *words; words++)
		text_table_cell(t, "%s", *words);
}

static void print_players(const struct standing *s, const size_t *order, struct text *out)
{
	static const char *const words[] = {"player", "matches", "score", "95%",  "wins", "95%",
	                                    "Elo",    "+-",      "skill", "late", NULL};
	struct text_table t = {0};
	heading(&t, words);
	for (size_t i = 0; i < s->players.n; i++) {
		struct row r = row_of(&s->players.at[order[i]]);
		text_table_row(&t);
		text_table_cell(&t, "%s", r.p->name);
		text_table_cell(&t, "%.0f", r.p->scores.n);
		text_table_cell(&t, "%.1f", r.mean);
		text_table_cell(&t, "%.1f..%.1f", fmax(0, r.score.low), fmin(100, r.score.high));
		if (r.met > 0) {
			text_table_cell(&t, "%.1f%%", 100 * r.share);
			text_table_cell(&t, "%.1f..%.1f", 100 * r.win.low, 100 * r.win.high);
			text_table_cell(&t, "%+.0f", r.p->elo);
			text_table_cell(&t, "%.0f", r.p->elo_error);
		} else {
			for (int k = 0; k < 4; k++)
				text_table_cell(&t, "-");
		}
		text_table_cell(&t, "%+.0f", r.p->skill);
		text_table_cell(&t, "%lld", (long long)r.p->late);
	}
	text_table_print(&t, out);
	text_table_free(&t);
}

static void print_games(const struct standing *s, const size_t *order, struct text *out)
{
	struct text_table t = {.heading = true};
	text_table_row(&t);
	text_table_cell(&t, "game");
	for (size_t i = 0; i < s->players.n; i++)
		text_table_cell(&t, "%s", s->players.at[order[i]].name);
	for (size_t g = 0; g < s->games.n; g++) {
		text_table_row(&t);
		text_table_cell(&t, "%s", s->games.at[g]);
		for (size_t i = 0; i < s->players.n; i++) {
			double mean = tally_mean(&s->by_game[order[i] * s->games.n + g]);
			text_table_cell(&t, isnan(mean) ? "-" : "%.1f", mean);
		}
	}
	text_table_print(&t, out);
	text_table_free(&t);
}

static void print_cross(const struct standing *s, const size_t *order, struct text *out)
{
	struct text_table t = {.heading = true};
	size_t n = s->players.n;
	text_table_row(&t);
	text_table_cell(&t, "against");
	for (size_t i = 0; i < n; i++)
		text_table_cell(&t, "%s", s->players.at[order[i]].name);
	for (size_t i = 0; i < n; i++) {
		text_table_row(&t);
		text_table_cell(&t, "%s", s->players.at[order[i]].name);
		for (size_t j = 0; j < n; j++) {
			double mean = tally_mean(&s->versus[order[i] * n + order[j]]);
			text_table_cell(&t, isnan(mean) ? "-" : "%.1f", mean);
		}
	}
	text_table_print(&t, out);
	text_table_free(&t);
}

static void print_roles(const struct standing *s, struct text *out)
{
	static const char *const words[] = {"role", "ease", NULL};
	struct text_table t = {0};
	heading(&t, words);
	for (size_t i = 0; i < s->roles.n; i++) {
		text_table_row(&t);
		text_table_cell(&t, "%s", s->roles.at[i]);
		text_table_cell(&t, "%+.0f", s->ease[i]);
	}
	text_table_print(&t, out);
	text_table_free(&t);
}

static void print_text(const struct standing *s, const struct tournament_end *end, const struct tournament_options *o)
{
	struct text out = {0};
	size_t order[s->players.n + 1];
	sort_players(s, order);
	if (!o->report)
		text_printf(&out, "%llu of %llu matches, %llu played now%s\n\n",
		            (unsigned long long)(end->before + end->played), (unsigned long long)end->planned,
		            (unsigned long long)end->played,
		            end->decided   ? "; the test is decided"
		            : end->stopped ? "; interrupted: the same command goes on"
		                           : "");
	if (o->sprt && !o->report)
		text_printf(&out, "sequential test: %.2f of %.2f%s\n\n", end->llr, SPRT_BOUND,
		            !end->decided  ? ""
		            : end->llr > 0 ? ": ahead"
		                           : ": not ahead");
	print_players(s, order, &out);
	text_puts(&out, "\nMean scores\n\n");
	print_games(s, order, &out);
	if (s->players.n > 1) {
		text_putc(&out, '\n');
		print_cross(s, order, &out);
	}
	text_puts(&out, "\nEase of roles, in Elo points\n\n");
	print_roles(s, &out);
	fputs(text_str(&out), stdout);
	text_free(&out);
}

static void print_csv(const struct standing *s)
{
	size_t order[s->players.n + 1];
	sort_players(s, order);
	puts("player,matches,score,score_low,score_high,wins,draws,losses,share,share_low,share_high,elo,elo_error,skill,"
	     "late,illegal");
	for (size_t i = 0; i < s->players.n; i++) {
		struct row r = row_of(&s->players.at[order[i]]);
		printf("%s,%.0f,%.3f,%.3f,%.3f,%.0f,%.0f,%.0f,%.4f,%.4f,%.4f,%.1f,%.1f,%.1f,%lld,%lld\n", r.p->name,
		       r.p->scores.n, r.mean, r.score.low, r.score.high, r.p->wins, r.p->draws, r.p->losses,
		       r.met > 0 ? r.share : 0, r.win.low, r.win.high, r.p->elo, r.p->elo_error, r.p->skill,
		       (long long)r.p->late, (long long)r.p->illegal);
	}
}

static json_t *player_json(const struct standing *s, size_t i)
{
	struct row r = row_of(&s->players.at[i]);
	json_t *games = json_object(), *against = json_object();
	for (size_t g = 0; g < s->games.n; g++)
		json_object_set_new(games, s->games.at[g], json_number(tally_mean(&s->by_game[i * s->games.n + g])));
	for (size_t j = 0; j < s->players.n; j++)
		if (j != i)
			json_object_set_new(against, s->players.at[j].name,
			                    json_number(tally_mean(&s->versus[i * s->players.n + j])));
	return json_pack("{s:s, s:f, s:o, s:[o,o], s:f, s:f, s:f, s:o, s:[f,f], s:o, s:o, s:o, s:I, s:I, s:I, s:o, s:o}",
	                 "player", r.p->name, "matches", r.p->scores.n, "score", json_number(r.mean), "score_interval",
	                 json_number(r.score.low), json_number(r.score.high), "wins", r.p->wins, "draws", r.p->draws,
	                 "losses", r.p->losses, "share", json_number(r.share), "share_interval", r.win.low, r.win.high,
	                 "elo", json_number(r.p->elo), "elo_error", json_number(r.p->elo_error), "skill",
	                 json_number(r.p->skill), "late", (json_int_t)r.p->late, "illegal", (json_int_t)r.p->illegal,
	                 "moves", (json_int_t)r.p->moves, "games", games, "against", against);
}

static void print_json(const struct standing *s, const struct tournament_end *end, const struct tournament_options *o)
{
	size_t order[s->players.n + 1];
	json_t *players = json_array(), *roles = json_object();
	sort_players(s, order);
	for (size_t i = 0; i < s->players.n; i++)
		json_array_append_new(players, player_json(s, order[i]));
	for (size_t i = 0; i < s->roles.n; i++)
		json_object_set_new(roles, s->roles.at[i], json_number(s->ease[i]));
	json_finish(json_pack("{s:I, s:I, s:I, s:b, s:o, s:b, s:o, s:o}", "matches", (json_int_t)s->matches, "planned",
	                      (json_int_t)end->planned, "played_now", (json_int_t)end->played, "interrupted", end->stopped,
	                      "llr", o->sprt ? json_number(end->llr) : json_null(), "decided", end->decided, "players",
	                      players, "roles", roles));
}

static int write_plot(const char *folder, const char *name, const struct standing *s,
                      void (*plot)(const struct standing *, struct text *))
{
	struct text path = {0}, picture = {0};
	text_printf(&path, "%s/%s", folder, name);
	plot(s, &picture);
	FILE *f = fopen(path.at, "w");
	bool fine = f && fputs(text_str(&picture), f) >= 0;
	fine = f && !fclose(f) && fine;
	if (!fine)
		fprintf(stderr, "macaw tournament: cannot write %s: %s\n", path.at, strerror(errno));
	text_free(&path);
	text_free(&picture);
	return fine ? EXIT_DONE : EXIT_MACHINE;
}

static int show(struct store *store, const struct tournament_end *end, const struct tournament_options *o)
{
	struct standing s;
	struct text error = {0};
	int status = EXIT_DONE;
	if (!standing_make(&s, store, &error)) {
		fprintf(stderr, "macaw tournament: %s: %s\n", o->db, text_str(&error));
		status = EXIT_MACHINE;
	} else if (o->json) {
		print_json(&s, end, o);
	} else if (o->csv) {
		print_csv(&s);
	} else {
		print_text(&s, end, o);
	}
	if (!status && o->plots)
		status = write_plot(o->plots, "cross.svg", &s, standing_plot_cross);
	if (!status && o->plots)
		status = write_plot(o->plots, "rounds.svg", &s, standing_plot_rounds);
	if (!status && o->plots)
		status = write_plot(o->plots, "clocks.svg", &s, standing_plot_clocks);
	standing_free(&s);
	text_free(&error);
	return status;
}

/* ---- the command ------------------------------------------------------------------------------ */

static int usage(const char *message)
{
	fprintf(stderr, "macaw tournament: %s\n", message);
	return EXIT_USAGE;
}

/* What must not change when a tournament goes on. */
static int agree(struct store *store, const struct tournament *t, const struct tournament_options *o)
{
	struct text error = {0}, value = {0};
	text_printf(&value, "%llu", (unsigned long long)t->playouts);
	bool fine = store_setting(store, "playouts", text_str(&value), &error);
	value.n = 0;
	text_printf(&value, "%llu", (unsigned long long)t->seed);
	fine = fine && store_setting(store, "seed", text_str(&value), &error);
	value.n = 0;
	text_printf(&value, "%g", t->start);
	fine = fine && store_setting(store, "start", text_str(&value), &error);
	if (!fine)
		fprintf(stderr, "macaw tournament: %s: %s\n", o->db, text_str(&error));
	text_free(&error);
	text_free(&value);
	return fine ? EXIT_DONE : EXIT_USAGE;
}

static int read_clocks(const char *words, double **clocks, size_t *count)
{
	struct words w = {0};
	words_split(&w, words);
	*clocks = NEW_ARRAY(double, w.list.n + 1);
	*count = w.list.n;
	for (size_t i = 0; i < w.list.n; i++) {
		char *end;
		(*clocks)[i] = strtod(w.list.at[i], &end);
		if (*end || !((*clocks)[i] >= 0.001 && (*clocks)[i] <= 1e6)) {
			fprintf(stderr, "macaw tournament: --clock must be seconds, at least 0.001, not %s\n", w.list.at[i]);
			words_free(&w);
			return EXIT_USAGE;
		}
	}
	words_free(&w);
	return *count ? EXIT_DONE : usage("--clock names no clock");
}

static int read_sprt(const char *words, struct tournament *t)
{
	char *end;
	t->elo0 = strtod(words, &end);
	if (*end++ != ',')
		return usage("--sprt wants two numbers, as in 0,20");
	t->elo1 = strtod(end, &end);
	if (*end || !(t->elo1 > t->elo0))
		return usage("--sprt wants two numbers, the second larger, as in 0,20");
	t->sprt = true;
	return t->player_count == 2 ? EXIT_DONE : usage("--sprt is for two players");
}

static int run_all(struct tournament *t, const struct tournament_options *o)
{
	struct text error = {0};
	struct tournament_end end = {0};
	t->store = store_open(o->db, !o->report, &error);
	int status = EXIT_DONE;
	if (!t->store) {
		fprintf(stderr, "macaw tournament: %s\n", text_str(&error));
		status = EXIT_MACHINE;
	} else if (!o->report && !(status = agree(t->store, t, o))) {
		struct sigaction action = {.sa_handler = interrupt};
		sigaction(SIGINT, &action, NULL);
		sigaction(SIGTERM, &action, NULL);
		t->stop = &interrupted;
		if (!tournament_run(t, &end, &error)) {
			fprintf(stderr, "macaw tournament: %s\n", text_str(&error));
			status = EXIT_INPUT;
		}
	}
	if (!status)
		status = show(t->store, &end, o);
	store_close(t->store);
	text_free(&error);
	return status;
}

static int load_and_run(struct tournament *t, const struct tournament_options *o, const struct words *games)
{
	struct loaded *all = NEW_ARRAY(struct loaded, games->list.n + 1);
	struct tournament_game *list = NEW_ARRAY(struct tournament_game, games->list.n + 1);
	int status = EXIT_DONE;
	size_t n = 0;
	for (; n < games->list.n && !status; n++) {
		status = load_game("tournament", games->list.at[n], &o->load, &all[n]);
		list[n] = (struct tournament_game){text_str(&all[n].name), all[n].game};
	}
	t->games = list;
	t->game_count = n;
	if (!status)
		status = run_all(t, o);
	for (size_t i = 0; i < n; i++)
		load_game_free(&all[i]);
	mem_free(all);
	mem_free(list);
	return status;
}

static int run(void *options_, int count, char **words)
{
	const struct tournament_options *o = options_;
	if (count)
		return usage("games go with --games a,b,c");
	if (!o->db)
		return usage("say where results are kept: --db FILE");
	if (!o->report && (!o->games || !o->players))
		return usage("say what is played and by whom: --games a,b --players x,y");
	if (o->json && o->csv)
		return usage("choose one of --json and --csv");
	struct words games = {0}, players = {0};
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	struct tournament t = {.start = o->start,
	                       .playouts = (uint64_t)o->playouts,
	                       .rounds = (uint64_t)o->rounds,
	                       .seed = (uint64_t)o->seed,
	                       .jobs = o->jobs          ? (uint32_t)o->jobs
	                               : processors > 0 ? (uint32_t)processors
	                                                : 1,
	                       .max_steps = (uint32_t)o->max_steps,
	                       .apart = o->processes};
	double *clocks = NULL;
	words_split(&games, o->games ? o->games : "");
	words_split(&players, o->players ? o->players : "");
	t.players = players.list.at;
	t.player_count = players.list.n;
	int status = o->sprt ? read_sprt(o->sprt, &t) : EXIT_DONE;
	if (!status)
		status = read_clocks(o->clock, &clocks, &t.clock_count);
	if (t.playouts && clocks) {
		clocks[0] = -(double)t.playouts;
		t.clock_count = 1;
	}
	t.clocks = clocks;
	if (!status)
		status = o->report ? run_all(&t, o) : load_and_run(&t, o, &games);
	words_free(&games);
	words_free(&players);
	mem_free(clocks);
	return status;
}

const struct command cmd_tournament = {
	.name = "tournament",
	.arguments = "",
	.summary = "Play everybody against everybody in many games",
	.details =
		"Every pairing is played in every game with the roles swapped and the seeds paired. Results go to an SQLite "
        "file as "
		"they come: after a kill or an interrupt the same command goes on where it was, and more rounds, games, "
        "players "
		"or clocks may be added later. The table shows mean scores, shares of wins (a draw is half) with Wilson's "
		"interval, Elo by Bradley and Terry, and skill apart from the ease of roles.",
	.options = options,
	.size = sizeof(struct tournament_options),
	.run = run,
};

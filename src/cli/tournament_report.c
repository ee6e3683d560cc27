/* What is told of a tournament: for people, as CSV and as JSON. */
#include "cli/tournament_report.h"
#include "cli/output.h"
#include "show/terminal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- tables ------------------------------------------------------------------------------------ */

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

/* "as shipped, 0.1 s of processor time a move" */
static void print_setting(const macaw_standings *s, struct text *out)
{
	const char *setting = macaw_standings_setting(s, "setting"), *playouts = macaw_standings_setting(s, "playouts");
	const char *clock_of = macaw_standings_setting(s, "clock-of");
	text_printf(out, "Setting: as %s, ", setting ? setting : "shipped");
	if (playouts && strcmp(playouts, "0")) {
		text_printf(out, "%s %s a move", playouts,
		            setting && !strcmp(setting, "published") ? "simulations, all on the same reasoner," : "playouts");
	} else {
		for (size_t i = 0; i < macaw_standings_clocks(s); i++)
			text_printf(out, "%s%g", i ? ", " : "", macaw_standings_clock(s, i));
		text_printf(out, " s%s a move", clock_of && !strcmp(clock_of, "cpu") ? " of processor time" : "");
	}
	text_puts(out, "\n");
}

/* 12345678 as 12.3M. */
static void short_cell(struct text_table *t, double x)
{
	if (isnan(x))
		text_table_cell(t, "-");
	else if (x >= 1e7)
		text_table_cell(t, "%.3gM", x / 1e6);
	else if (x >= 1e4)
		text_table_cell(t, "%.3gk", x / 1e3);
	else
		text_table_cell(t, "%.3g", x);
}

/* Who solved the rounds, where there were any, and in which order they came. */
static void solver_cell(struct text_table *t, const macaw_work *w)
{
	double all = (double)(w->by_network + w->by_circuit);
	const char *order = w->by_list ? "list" : "tree";
	if (all <= 0)
		text_table_cell(t, "-");
	else if (!w->by_circuit || !w->by_network)
		text_table_cell(t, "%s, %s", w->by_network ? "network" : "circuit", order);
	else
		text_table_cell(t, "network %.0f%%, %s", 100 * (double)w->by_network / all, order);
}

static double per_move(const macaw_work *w, int64_t count)
{
	return w->moves ? (double)count / (double)w->moves : NAN;
}

static void print_cell(struct text_table *t, const macaw_pairing *c, int which, bool clocks)
{
	const macaw_work *w = &c->work[which];
	text_table_row(t);
	text_table_cell(t, "%s", which ? "" : c->game);
	if (clocks && which)
		text_table_cell(t, "%s", "");
	else if (clocks)
		text_table_cell(t, c->clock < 0 ? "%.0f playouts" : "%g s", fabs(c->clock));
	text_table_cell(t, "%s", which ? c->second : c->first);
	if (which)
		text_table_cell(t, "%s", "");
	else
		text_table_cell(t, "%.0f", c->matches);
	text_table_cell(t, "%.1f", c->scores[which]);
	if (!which && c->second) {
		text_table_cell(t, "%.1f%%", 100 * c->share);
		text_table_cell(t, "%.1f..%.1f", 100 * c->share_low, 100 * c->share_high);
	} else {
		text_table_cell(t, "%s", "");
		text_table_cell(t, "%s", "");
	}
	short_cell(t, per_move(w, w->playouts));
	short_cell(t, per_move(w, w->nodes));
	short_cell(t, per_move(w, w->rounds));
	solver_cell(t, w);
}

static void print_cells(const macaw_standings *s, struct text *out)
{
	static const char *const words[] = {"game", "clock",    "player", "matches", "score",     "share",
	                                    "95%",  "playouts", "nodes",  "rounds",  "solved by", NULL};
	struct text_table t = {.heading = true};
	bool clocks = macaw_standings_clocks(s) > 1;
	text_table_row(&t);
	for (size_t i = 0; words[i]; i++)
		if (clocks || i != 1)
			text_table_cell(&t, "%s", words[i]);
	for (size_t i = 0; i < macaw_standings_cells(s); i++) {
		macaw_pairing c = macaw_standings_cell(s, i);
		print_cell(&t, &c, 0, clocks);
		if (c.second)
			print_cell(&t, &c, 1, clocks);
	}
	text_table_print(&t, out);
	text_table_free(&t);
}

static void print_swiss(const macaw_standings *s, struct text *out)
{
	struct text_table t = {.heading = true};
	text_puts(out, "\nSwiss system: weighted points\n\n");
	text_table_row(&t);
	text_table_cell(&t, "rank");
	text_table_cell(&t, "player");
	text_table_cell(&t, "points");
	text_table_cell(&t, "matches");
	for (size_t g = 0; g < macaw_standings_swiss_games(s); g++)
		text_table_cell(&t, "%s", macaw_standings_swiss_game(s, g));
	for (size_t i = 0; i < macaw_standings_swiss(s); i++) {
		macaw_swiss_row row = macaw_standings_swiss_row(s, i);
		text_table_row(&t);
		text_table_cell(&t, "%zu", i + 1);
		text_table_cell(&t, "%s", row.player);
		text_table_cell(&t, "%.3f", row.points);
		text_table_cell(&t, "%llu", (unsigned long long)row.matches);
		for (size_t g = 0; g < macaw_standings_swiss_games(s); g++)
			text_table_cell(&t, "%.1f", macaw_standings_swiss_points(s, i, g));
	}
	text_table_print(&t, out);
	text_table_free(&t);
}

static void print_duels(const macaw_standings *s, struct text *out)
{
	static const char *const words[] = {"round", "duel", "wins", "winner", NULL};
	struct text_table t = {0};
	text_puts(out, "\nKnock-out\n\n");
	heading(&t, words);
	for (size_t i = 0; i < macaw_standings_duels(s); i++) {
		macaw_duel d = macaw_standings_duel(s, i);
		text_table_row(&t);
		text_table_cell(&t, d.third ? "third place" : "%u", d.round + 1);
		text_table_cell(&t, "%s - %s", d.players[0], d.players[1]);
		text_table_cell(&t, "%u - %u", d.wins[0], d.wins[1]);
		text_table_cell(&t, "%s", d.winner < 0 ? "" : d.players[d.winner]);
	}
	text_table_print(&t, out);
	text_table_free(&t);
}

static void print_ranks(const macaw_standings *s, struct text *out)
{
	text_puts(out, "\nRanks\n\n");
	for (size_t i = 0; macaw_standings_rank(s, i); i++)
		text_printf(out, "%3zu  %s\n", i + 1, macaw_standings_rank(s, i));
}

static void print_progress(const macaw_standings *s, const macaw_tournament_end *end, struct text *out)
{
	text_printf(out, "%llu", (unsigned long long)(end->before + end->played));
	if (end->planned)
		text_printf(out, " of %llu", (unsigned long long)end->planned);
	text_printf(out, " matches, %llu played now%s\n\n", (unsigned long long)end->played,
	            end->decided       ? "; the test is decided"
	            : end->stopped     ? "; interrupted: the same command goes on"
	            : end->out_of_time ? "; time is up: the same command goes on"
	                               : "");
	if (macaw_standings_setting(s, "sprt") && !macaw_standings_setting(s, "until"))
		text_printf(out, "sequential test: %.2f of %.2f%s\n\n", end->likelihood, end->bound,
		            !end->decided         ? ""
		            : end->likelihood > 0 ? ": ahead"
		                                  : ": not ahead");
}

void report_text(const macaw_standings *s, const macaw_tournament_end *end, bool played)
{
	struct text out = {0};
	if (played)
		print_progress(s, end, &out);
	print_setting(s, &out);
	text_puts(&out, "\n");
	print_players(s, &out);
	text_puts(&out, "\nMean scores\n\n");
	print_games(s, &out);
	if (macaw_standings_players(s) > 1) {
		text_putc(&out, '\n');
		print_cross(s, &out);
	}
	text_puts(&out, "\nPairings by game, with what was done for a move\n\n");
	print_cells(s, &out);
	text_puts(&out, "\nEase of roles, in Elo points\n\n");
	print_roles(s, &out);
	if (macaw_standings_swiss(s))
		print_swiss(s, &out);
	if (macaw_standings_duels(s))
		print_duels(s, &out);
	if (macaw_standings_rank(s, 0))
		print_ranks(s, &out);
	fputs(text_str(&out), stdout);
	text_free(&out);
}

void report_csv(const macaw_standings *s)
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

/* ---- JSON -------------------------------------------------------------------------------------- */

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

static void write_work(struct json_writer *w, const char *key, const macaw_work *work)
{
	jsonw_object(w, key);
	jsonw_int(w, "moves", work->moves);
	jsonw_int(w, "playouts", work->playouts);
	jsonw_int(w, "nodes", work->nodes);
	jsonw_int(w, "rounds", work->rounds);
	jsonw_int(w, "by_network", work->by_network);
	jsonw_int(w, "by_circuit", work->by_circuit);
	jsonw_int(w, "by_list", work->by_list);
	jsonw_real(w, "seconds", work->seconds);
	jsonw_end(w);
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
	write_work(w, "counters", &p.work);
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

static void write_cell(struct json_writer *w, const macaw_pairing *c)
{
	int players = c->second ? 2 : 1;
	jsonw_object(w, NULL);
	jsonw_text(w, "game", c->game);
	jsonw_real(w, "clock", c->clock);
	jsonw_array(w, "players");
	jsonw_text(w, NULL, c->first);
	if (c->second)
		jsonw_text(w, NULL, c->second);
	jsonw_end(w);
	jsonw_int(w, "matches", llround(c->matches));
	jsonw_int(w, "wins", llround(c->wins));
	jsonw_int(w, "draws", llround(c->draws));
	jsonw_int(w, "losses", llround(c->losses));
	jsonw_real(w, "share", c->share);
	write_interval(w, "share_interval", c->share_low, c->share_high);
	jsonw_real(w, "half_width", tidy(c->half_width));
	jsonw_real(w, "llr", c->likelihood);
	jsonw_array(w, "scores");
	for (int i = 0; i < players; i++)
		jsonw_real(w, NULL, c->scores[i]);
	jsonw_end(w);
	jsonw_real(w, "seconds", c->seconds);
	jsonw_int(w, "late", c->late);
	jsonw_int(w, "illegal", c->illegal);
	jsonw_array(w, "counters");
	for (int i = 0; i < players; i++)
		write_work(w, NULL, &c->work[i]);
	jsonw_end(w);
	jsonw_end(w);
}

static void write_swiss(struct json_writer *w, const macaw_standings *s)
{
	jsonw_array(w, "swiss");
	for (size_t i = 0; i < macaw_standings_swiss(s); i++) {
		macaw_swiss_row row = macaw_standings_swiss_row(s, i);
		jsonw_object(w, NULL);
		jsonw_text(w, "player", row.player);
		jsonw_real(w, "points", row.points);
		jsonw_uint(w, "matches", row.matches);
		jsonw_object(w, "games");
		for (size_t g = 0; g < macaw_standings_swiss_games(s); g++)
			jsonw_real(w, macaw_standings_swiss_game(s, g), macaw_standings_swiss_points(s, i, g));
		jsonw_end(w);
		jsonw_end(w);
	}
	jsonw_end(w);
}

static void write_duels(struct json_writer *w, const macaw_standings *s)
{
	jsonw_array(w, "duels");
	for (size_t i = 0; i < macaw_standings_duels(s); i++) {
		macaw_duel d = macaw_standings_duel(s, i);
		jsonw_object(w, NULL);
		jsonw_uint(w, "round", d.round + 1);
		jsonw_bool(w, "third_place", d.third);
		jsonw_array(w, "players");
		jsonw_text(w, NULL, d.players[0]);
		jsonw_text(w, NULL, d.players[1]);
		jsonw_end(w);
		jsonw_array(w, "wins");
		jsonw_uint(w, NULL, d.wins[0]);
		jsonw_uint(w, NULL, d.wins[1]);
		jsonw_end(w);
		jsonw_uint(w, "matches", d.played);
		jsonw_text(w, "winner", d.winner < 0 ? NULL : d.players[d.winner]);
		jsonw_end(w);
	}
	jsonw_end(w);
}

/* What the file was begun with; numbers as such. */
static void write_settings(struct json_writer *w, const macaw_standings *s)
{
	const char *playouts = macaw_standings_setting(s, "playouts"), *until = macaw_standings_setting(s, "until");
	bool counted = playouts && strcmp(playouts, "0");
	jsonw_text(w, "setting", macaw_standings_setting(s, "setting"));
	jsonw_text(w, "format", macaw_standings_setting(s, "format"));
	if (counted)
		jsonw_raw(w, "playouts", playouts);
	else
		jsonw_null(w, "playouts");
	jsonw_text(w, "clock_of", counted ? NULL : macaw_standings_setting(s, "clock-of"));
	jsonw_real(w, "until", until ? strtod(until, NULL) : NAN);
}

void report_json(const macaw_standings *s, const macaw_tournament_end *end, bool played)
{
	struct text out = {0};
	struct json_writer w = {.out = &out};
	jsonw_object(&w, NULL);
	jsonw_uint(&w, "matches", macaw_standings_matches(s));
	if (end->planned || !played)
		jsonw_uint(&w, "planned", end->planned);
	else
		jsonw_null(&w, "planned");
	jsonw_uint(&w, "played_now", end->played);
	jsonw_bool(&w, "interrupted", end->stopped);
	jsonw_bool(&w, "out_of_time", end->out_of_time);
	write_settings(&w, s);
	bool tested = macaw_standings_setting(s, "sprt") && !macaw_standings_setting(s, "until");
	jsonw_real(&w, "llr", tested && played ? end->likelihood : NAN);
	jsonw_bool(&w, "decided", end->decided);
	jsonw_array(&w, "players");
	for (size_t i = 0; i < macaw_standings_players(s); i++)
		write_player(&w, s, i);
	jsonw_end(&w);
	jsonw_array(&w, "cells");
	for (size_t i = 0; i < macaw_standings_cells(s); i++) {
		macaw_pairing c = macaw_standings_cell(s, i);
		write_cell(&w, &c);
	}
	jsonw_end(&w);
	if (macaw_standings_swiss(s))
		write_swiss(&w, s);
	if (macaw_standings_duels(s))
		write_duels(&w, s);
	if (macaw_standings_rank(s, 0)) {
		jsonw_array(&w, "ranks");
		for (size_t i = 0; macaw_standings_rank(s, i); i++)
			jsonw_text(&w, NULL, macaw_standings_rank(s, i));
		jsonw_end(&w);
	}
	jsonw_object(&w, "roles");
	for (size_t i = 0; i < macaw_standings_roles(s); i++)
		jsonw_real(&w, macaw_standings_role(s, i), tidy(macaw_standings_ease(s, i)));
	jsonw_end(&w);
	jsonw_end(&w);
	output_line(&out);
}

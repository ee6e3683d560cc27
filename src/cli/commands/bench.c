/* macaw bench: fixed work, counted. What is done (playouts, nodes, propagations, conflicts) is one number, the
 * signature, which changes when the behaviour of a search changes and never with the machine, the processor's
 * instructions or the load; how fast it is done is the other. */
#include "cli/bench_networks.h"
#include "cli/commands.h"
#include "cli/load.h"
#include "cli/output.h"
#include "macaw/player.h"
#include "macaw/playouts.h"
#include "show/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

struct bench_options {
	const char *history, *commit;
	int64_t repeat;
	bool portable, json;
};

#define FIELD(f) offsetof(struct bench_options, f)
static const struct opt options[] = {
	{"repeat", 'r', OPT_INT, FIELD(repeat), "N", "do each piece of work this often; the fastest time counts",
     .whole = 1, .min = 1, .max = 1000},
	{"portable", 0, OPT_FLAG, FIELD(portable), NULL, "run games without vector instructions and machine code"},
	{"history", 0, OPT_TEXT, FIELD(history), "FILE", "add the speeds to this file, as one line of JSON"},
	{"commit", 0, OPT_TEXT, FIELD(commit), "ID", "what was measured, for the history (default: the version)"},
	{"json", 0, OPT_FLAG, FIELD(json), NULL, "print one JSON object"},
	{0}};

enum work_kind { PLAYOUTS, DECISIVE, THINK, SOLVE };

/* Large enough for a time, small enough for a debugger. */
static const struct work {
	enum work_kind kind;
	const char *what, *by; /* game or network; player or algorithm */
	uint64_t amount;       /* playouts, or nodes */
} works[] = {
	{PLAYOUTS, "tictactoe", "uniform", 200000},
	{PLAYOUTS, "connect_four", "uniform", 50000},
	{DECISIVE, "connect_four", "decisive", 10000},
	{PLAYOUTS, "breakthrough", "uniform", 4000},
	{PLAYOUTS, "kuhn_poker", "uniform", 200000},
	{THINK, "connect_four", "macaw:learn=0", 4000},
	{THINK, "connect_four", "uct", 2000},
	{THINK, "breakthrough_6x6", "alphabeta:estimate=middle", 4000},
	{THINK, "tictactoe", "alphabeta", 2000},
	{THINK, "tictactoe", "mac-ucb", 500},
	{THINK, "kuhn_poker", "cfr", 10000},
	{THINK, "phantom_tictactoe", "ismcts", 1000},
	{SOLVE, "queens", "mac", 0},
	{SOLVE, "queens", "lcg", 0},
	{SOLVE, "tables", "mac", 0},
	{SOLVE, "tables", "lcg", 0},
	{SOLVE, "square", "mac", 0},
	{SOLVE, "square", "fc-cbj", 0},
};
#define WORKS (sizeof works / sizeof *works)

/* Counts with their names, in the order they are signed; the first one is what speed is about. */
struct counted {
	struct {
		const char *name;
		uint64_t n;
	} at[8];
	size_t n;
	double seconds;
};

static void add_count(struct counted *c, const char *name, uint64_t n)
{
	c->at[c->n].name = name;
	c->at[c->n++].n = n;
}

static double processor_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int refuse(const struct work *w, const char *why)
{
	fprintf(stderr, "macaw bench: %s by %s: %s\n", w->what, w->by, why);
	return EXIT_INPUT;
}

/* ---- the kinds of work ------------------------------------------------------------------- */

static int run_playouts(const struct work *w, macaw_game *g, struct counted *c)
{
	macaw_error error = {0};
	macaw_playout_job job = {.playouts = w->amount, .seed = 1, .threads = 1, .decisive = w->kind == DECISIVE};
	macaw_playout_result *r = macaw_playouts(g, &job, &error);
	if (!r)
		return refuse(w, error.text);
	macaw_playout_totals t = macaw_playout_sum(r);
	add_count(c, "playouts", t.playouts);
	add_count(c, "steps", t.steps);
	add_count(c, "wins", macaw_playout_score(r, 0, 0).wins);
	macaw_playout_result_free(r);
	return EXIT_DONE;
}

static uint32_t first_player(const macaw_game *g)
{
	return macaw_game_random(g) == 0 ? 1 : 0;
}

static int run_think(const struct work *w, macaw_game *g, struct counted *c)
{
	macaw_error error = {0};
	macaw_budget b = {.playouts = w->amount};
	macaw_thought t;
	macaw_player *p = macaw_player_new(g, first_player(g), w->by, 1, &error);
	if (!p)
		return refuse(w, error.text);
	bool fine = macaw_player_start(p, &b) && macaw_player_think(p, &b, &t);
	int status = fine ? EXIT_DONE : refuse(w, macaw_player_error(p)->text);
	macaw_counters n = macaw_player_counters(p);
	add_count(c, n.playouts ? "playouts" : "nodes", n.playouts ? n.playouts : n.nodes);
	add_count(c, n.playouts ? "nodes" : "playouts", n.playouts ? n.nodes : n.playouts);
	add_count(c, "hits", n.hits);
	add_count(c, "proven", n.proven);
	add_count(c, "rounds", n.rounds);
	add_count(c, "move", fine ? t.move : MACAW_NONE);
	macaw_player_free(p);
	return status;
}

static int run_solve(const struct work *w, struct counted *c)
{
	macaw_csp_options o = {.all = true, .seed = 1};
	macaw_csp_stats s;
	macaw_csp *n = bench_network(w->what);
	if (!n)
		return refuse(w, "out of memory");
	for (const char *name; (name = macaw_csp_algorithm_name(o.algorithm)) && strcmp(name, w->by);)
		o.algorithm++;
	if (o.algorithm == MACAW_CSP_MAC) {
		o.restarts = MACAW_CSP_RESTART_LUBY;
		o.nogoods = true;
	}
	enum macaw_csp_status status = macaw_csp_solve(n, &o, &s);
	add_count(c, "nodes", s.nodes);
	add_count(c, "solutions", s.solutions);
	add_count(c, "conflicts", s.backtracks);
	add_count(c, "propagations", s.propagations);
	add_count(c, "removals", s.removals);
	add_count(c, "restarts", s.restarts);
	add_count(c, "nogoods", s.nogoods);
	macaw_csp_free(n);
	return status == MACAW_CSP_UNKNOWN ? refuse(w, s.refused ? s.refused : "not solved") : EXIT_DONE;
}

static int run_once(const struct work *w, macaw_game *g, struct counted *c)
{
	double began = processor_now();
	*c = (struct counted){0};
	int status = w->kind == SOLVE ? run_solve(w, c) : w->kind == THINK ? run_think(w, g, c) : run_playouts(w, g, c);
	c->seconds = processor_now() - began;
	return status;
}

static int run_work(const struct work *w, const struct bench_options *o, struct counted *c)
{
	macaw_error error = {0};
	macaw_game *g = NULL;
	if (w->kind != SOLVE && !(g = macaw_game_load(w->what, &(macaw_game_options){.portable = o->portable}, &error))) {
		fprintf(stderr, "macaw bench: %s\n", error.text);
		return load_status(&error);
	}
	int status = run_once(w, g, c);
	for (int64_t i = 1; i < o->repeat && status == EXIT_DONE; i++) {
		struct counted again;
		status = run_once(w, g, &again);
		c->seconds = again.seconds < c->seconds ? again.seconds : c->seconds;
	}
	macaw_game_free(g);
	return status;
}

/* ---- what is said of it --------------------------------------------------------------------- */

/* FNV-1a over the names and counts as text. */
static uint64_t sign(const struct counted *all)
{
	uint64_t h = UINT64_C(14695981039346656037);
	for (size_t i = 0; i < WORKS; i++)
		for (size_t k = 0; k < all[i].n; k++) {
			char line[160];
			int length = snprintf(line, sizeof line, "%s %s %s %" PRIu64 "\n", works[i].what, works[i].by,
			                      all[i].at[k].name, all[i].at[k].n);
			for (int j = 0; j < length; j++)
				h = (h ^ (unsigned char)line[j]) * UINT64_C(1099511628211);
		}
	return h;
}

static double speed(const struct counted *c)
{
	return c->seconds > 0 ? (double)c->at[0].n / c->seconds : 0;
}

static double total_seconds(const struct counted *all)
{
	double sum = 0;
	for (size_t i = 0; i < WORKS; i++)
		sum += all[i].seconds;
	return sum;
}

static void show_text(const struct counted *all, uint64_t signature)
{
	struct text_table t = {.heading = true};
	struct text out = {0};
	text_table_row(&t);
	for (size_t k = 0; k < 4; k++)
		text_table_cell(&t, "%s", (const char *[]){"work", "by", "done", "a second"}[k]);
	for (size_t i = 0; i < WORKS; i++) {
		struct text fast = {0};
		number_short(&fast, speed(&all[i]));
		text_table_row(&t);
		text_table_cell(&t, "%s", works[i].what);
		text_table_cell(&t, "%s", works[i].by);
		text_table_cell(&t, "%" PRIu64 " %s", all[i].at[0].n, all[i].at[0].name);
		text_table_cell(&t, "%s", text_str(&fast));
		text_free(&fast);
	}
	text_table_print(&t, &out);
	text_printf(&out, "\nsignature %016" PRIx64 " of all counts (--json shows them); %.2f s of processor time",
	            signature, total_seconds(all));
	output_line(&out);
	text_table_free(&t);
}

static void put_works(struct json_writer *w, const struct counted *all, bool counts)
{
	jsonw_array(w, "works");
	for (size_t i = 0; i < WORKS; i++) {
		jsonw_object(w, NULL);
		jsonw_text(w, "work", works[i].what);
		jsonw_text(w, "by", works[i].by);
		jsonw_real(w, "per_second", speed(&all[i]));
		jsonw_text(w, "unit", all[i].at[0].name);
		if (counts) {
			jsonw_object(w, "counts");
			for (size_t k = 0; k < all[i].n; k++)
				jsonw_uint(w, all[i].at[k].name, all[i].at[k].n);
			jsonw_end(w);
		}
		jsonw_end(w);
	}
	jsonw_end(w);
}

static void put_signature(struct json_writer *w, uint64_t signature)
{
	char text[17];
	snprintf(text, sizeof text, "%016" PRIx64, signature);
	jsonw_text(w, "signature", text);
}

static void show_json(const struct counted *all, uint64_t signature)
{
	struct text out = {0};
	struct json_writer w = {.out = &out};
	jsonw_object(&w, NULL);
	put_signature(&w, signature);
	output_seconds(&w, "seconds", total_seconds(all));
	put_works(&w, all, true);
	jsonw_end(&w);
	output_line(&out);
}

static int add_history(const struct bench_options *o, const struct counted *all, uint64_t signature)
{
	struct text out = {0};
	struct json_writer w = {.out = &out};
	struct utsname machine;
	char date[32];
	time_t now = time(NULL);
	struct tm day;
	strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &day));
	jsonw_object(&w, NULL);
	jsonw_text(&w, "commit", o->commit ? o->commit : macaw_version());
	jsonw_text(&w, "date", date);
	jsonw_text(&w, "machine", uname(&machine) ? NULL : machine.machine);
	put_signature(&w, signature);
	output_seconds(&w, "seconds", total_seconds(all));
	put_works(&w, all, false);
	jsonw_end(&w);
	FILE *f = fopen(o->history, "a");
	bool fine = f && fprintf(f, "%s\n", text_str(&out)) > 0;
	if (f)
		fine &= fclose(f) == 0;
	if (!fine)
		fprintf(stderr, "macaw bench: cannot add to '%s'\n", o->history);
	text_free(&out);
	return fine ? EXIT_DONE : EXIT_MACHINE;
}

static int run(void *context, int count, char **words)
{
	const struct bench_options *o = context;
	struct counted all[WORKS];
	if (count) {
		fprintf(stderr, "macaw bench: what is '%s'? The work is fixed; only options are given.\n", words[0]);
		return EXIT_USAGE;
	}
	if (o->history && output_try("bench", o->history) != EXIT_DONE)
		return EXIT_MACHINE;
	for (size_t i = 0; i < WORKS; i++) {
		int status = run_work(&works[i], o, &all[i]);
		if (status != EXIT_DONE)
			return status;
	}
	uint64_t signature = sign(all);
	(o->json ? show_json : show_text)(all, signature);
	return o->history ? add_history(o, all, signature) : EXIT_DONE;
}

const struct command cmd_bench = {
	.name = "bench",
	.arguments = "",
	.summary = "Do a fixed amount of every kind of work; count it and time it",
	.details = "Playouts, players and networks of constraints with fixed seeds and budgets. The counts make up the "
			   "signature: it is the same on every machine and in every kind of build, and changes when a search "
			   "behaves differently. Speeds are per second of processor time of one thread.\n",
	.example = "macaw bench --repeat 5 --history bench/history.jsonl",
	.options = options,
	.size = sizeof(struct bench_options),
	.run = run,
};

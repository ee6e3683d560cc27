/* macaw simulate GAME: random playouts, and statistics about them. */
#include "cli/commands.h"
#include "cli/load.h"
#include "cli/where.h"
#include "cluster/cluster.h"
#include "macaw/playouts.h"
#include "show/terminal.h"

#include <math.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct simulate_options {
	struct load_options load;
	struct where_options where;
	struct cluster_options cluster;
	double seconds;
	int64_t playouts, threads, seed, max_steps;
	bool json, branching;
};

#define FIELD(f) offsetof(struct simulate_options, f)
static const struct opt options[] = {
	{"time", 't', OPT_REAL, FIELD(seconds), "SEC", "seconds to play (1, unless -n is given)", .min = 0.001, .max = 1e9},
	{"playouts", 'n', OPT_INT, FIELD(playouts), "N", "number of playouts", .min = 1, .max = 1e15},
	{"threads", 0, OPT_INT, FIELD(threads), "N", "worker threads", .whole = 1, .min = 1, .max = 1024},
	{"seed", 0, OPT_INT, FIELD(seed), "S", "seed of the random numbers", .whole = 1, .min = 0, .max = 9e15},
	{"max-steps", 0, OPT_INT, FIELD(max_steps), "N", "abandon playouts that are longer", .whole = 100000, .min = 1,
     .max = 1e9},
	{"branching", 0, OPT_FLAG, FIELD(branching), NULL,
     "after the playouts, sample how many moves there are to choose from: up to 4,000 positions, 2 seconds at most",
     .whole = 1},
	{"json", 0, OPT_FLAG, FIELD(json), NULL, "print one JSON object"},
	WHERE_OPTIONS(struct simulate_options, where),
	CLUSTER_OPTIONS(struct simulate_options, cluster),
	LOAD_OPTIONS(struct simulate_options, load),
	{0}};

struct simulation {
	const struct simulate_options *o;
	struct cluster *cluster; /* NULL: alone */
	macaw_game *g;
	const uint64_t *start;
	macaw_playout_result *result;
	macaw_playout_totals sum;
	double branching; /* NAN: no role had a choice */
};

/* ---- playing --------------------------------------------------------------------------- */

static macaw_stop interrupted;

static void on_interrupt(int number)
{
	(void)number;
	macaw_stop_now(&interrupted);
	signal(SIGINT, SIG_DFL); /* a second Ctrl-C ends the process */
}

struct watch {
	struct progress line;
	double began, seconds; /* to play; 0: as long as it takes */
};

/* The line shows the time where that is what ends the playing. */
static void draw_progress(void *context, const char *what, double done, double total)
{
	struct watch *w = context;
	(void)what;
	if (w->seconds > 0)
		progress_step(&w->line, clock_now() - w->began, w->seconds, NULL);
	else
		progress_step(&w->line, done, total, "(Ctrl-C stops)");
}

static macaw_playout_result *play(const struct simulation *s, uint32_t share, macaw_error *error)
{
	const struct simulate_options *o = s->o;
	struct watch watch = {.began = clock_now(), .seconds = o->seconds > 0 ? o->seconds : o->playouts ? 0 : 1};
	macaw_playout_job job = {.starts = s->start,
	                         .playouts = (uint64_t)o->playouts,
	                         .limit = {.seconds = watch.seconds, .stop = &interrupted},
	                         .threads = (uint32_t)o->threads,
	                         .share = share,
	                         .shares = cluster_ranks(s->cluster),
	                         .seed = (uint64_t)o->seed,
	                         .max_steps = (uint32_t)o->max_steps,
	                         .progress = draw_progress,
	                         .context = &watch};
	watch.line = progress_start("playing", false);
	macaw_playout_result *r = macaw_playouts(s->g, &job, error);
	progress_end(&watch.line);
	return r;
}

/* ---- several ranks ------------------------------------------------------------------------- */

/* A share whose rank is lost: by number it is played here, the same playouts; by time it is missing. */
static void replace_share(struct simulation *s, uint32_t share)
{
	size_t size;
	macaw_playout_result *again = NULL;
	if (s->o->seconds > 0 || !s->o->playouts)
		fprintf(stderr, "macaw simulate: rank %u is lost, its playouts are missing\n", share);
	else
		again = play(s, share, NULL);
	char *bytes = again ? macaw_playout_pack(again, &size) : NULL;
	if (bytes)
		macaw_playout_add(s->result, bytes, size);
	macaw_free(bytes);
	macaw_playout_result_free(again);
}

/* Rank 0 gets what the others have played. */
static void add_shares(struct simulation *s)
{
	struct text bytes = {0};
	for (uint32_t r = 1; r < cluster_ranks(s->cluster); r++)
		if (!cluster_receive(s->cluster, r, &bytes) || !macaw_playout_add(s->result, bytes.at, bytes.n))
			replace_share(s, r);
	text_free(&bytes);
}

static void send_share(struct simulation *s)
{
	size_t size;
	char *bytes = macaw_playout_pack(s->result, &size);
	if (bytes)
		cluster_send(s->cluster, bytes, size);
	macaw_free(bytes);
}

/* ---- branching --------------------------------------------------------------------------- */

enum { WALKS = 100 };

struct walk {
	macaw_worker *w;
	struct rng rng;
	const uint64_t *start;
	uint64_t *position;
	uint32_t *moves;
	uint32_t looks;        /* left */
	double until;          /* on clock_now() */
	uint64_t sum, choices; /* moves where a role has several; how often one has */
};

/* A random joint move; false: some role has none. */
static bool choose(struct walk *x, uint32_t roles, const macaw_view *v)
{
	for (uint32_t r = 0; r < roles; r++) {
		uint32_t n = v->start[r + 1] - v->start[r];
		if (!n)
			return false;
		x->moves[r] = v->legal[v->start[r] + (n > 1 ? rng_below(&x->rng, n) : 0)];
	}
	return true;
}

/* From the start to the end, or as far as it goes; false: the interpreter gave up. */
static bool walk_once(struct walk *x, const macaw_game *g, uint32_t max_steps)
{
	uint32_t roles = macaw_game_roles(g);
	memcpy(x->position, x->start, macaw_position_words(g) * sizeof *x->position);
	for (uint32_t step = 0; step < max_steps && x->looks && !macaw_stopped(&interrupted); step++, x->looks--) {
		macaw_view v;
		double left = x->until - clock_now();
		macaw_worker_limit(x->w, (macaw_limit){.seconds = left > 0 ? left : 1e-9});
		if (!macaw_look(x->w, x->position, &v))
			return false;
		if (v.terminal || !choose(x, roles, &v))
			return true;
		for (uint32_t r = 0; r < roles; r++) {
			uint32_t n = v.start[r + 1] - v.start[r];
			x->sum += n > 1 ? n : 0;
			x->choices += n > 1;
		}
		if (!macaw_next(x->w, x->position, x->moves, x->position))
			return false;
	}
	return true;
}

/* Mean number of legal moves of roles that have a choice, over random walks. The
 * walks are counted in steps, not seconds, so that the result follows from the seed. */
static double sample_branching(const struct simulation *s, double seconds)
{
	macaw_game *g = s->g;
	struct walk x = {
		.w = macaw_worker_new(g, NULL), .rng = rng_seed(hash_mix((uint64_t)s->o->seed)), .start = s->start};
	if (!x.w)
		return NAN;
	x.looks = macaw_game_engine(g) == MACAW_ENGINE_CIRCUIT ? 4000 : 300;
	x.position = NEW_ARRAY(uint64_t, macaw_position_words(g));
	x.moves = NEW_ARRAY(uint32_t, macaw_game_roles(g));
	x.until = clock_now() + seconds;
	for (int i = 0; i < WALKS && x.looks && !macaw_stopped(&interrupted) && walk_once(&x, g, (uint32_t)s->o->max_steps);
	     i++)
		;
	mem_free(x.position);
	mem_free(x.moves);
	macaw_worker_free(x.w);
	return x.choices ? (double)x.sum / (double)x.choices : NAN;
}

/* Seconds beside the playouts; where these have a limit, little more than that. */
static double branching_time(const struct simulate_options *o)
{
	double share = 0.05 * o->seconds + 0.1;
	return o->seconds > 0 && share < 2 ? share : 2;
}

/* ---- statistics ---------------------------------------------------------------------------- */

struct score {
	double mean, half;     /* 95%: mean +- half */
	double win, low, high; /* share of wins, Wilson's interval */
};

static struct score score_of(const struct simulation *s, uint32_t role)
{
	macaw_score x = macaw_playout_score(s->result, 0, role);
	double n = (double)x.playouts;
	if (!x.playouts)
		return (struct score){NAN, NAN, NAN, NAN, NAN};
	struct interval win = stats_wilson((double)x.wins / n, n);
	return (struct score){x.mean, STATS_Z95 * x.deviation / sqrt(n), (double)x.wins / n, win.low, win.high};
}

static double mean_length(const macaw_playout_totals *t)
{
	return t->playouts ? (double)t->steps / (double)t->playouts : NAN;
}

static double rate(const macaw_playout_totals *t)
{
	return t->seconds > 0 ? (double)t->playouts / t->seconds : 0;
}

/* ---- reports ------------------------------------------------------------------------------- */

static double mean_of(const struct score *x)
{
	return x->mean;
}

static double half_of(const struct score *x)
{
	return x->half;
}

static double win_of(const struct score *x)
{
	return x->win;
}

/* An object with one number per role. */
static void by_role(struct json_writer *w, const struct simulation *s, const char *key,
                    double (*number)(const struct score *))
{
	jsonw_object(w, key);
	for (uint32_t r = 0; r < macaw_game_roles(s->g); r++) {
		struct score x = score_of(s, r);
		jsonw_real(w, macaw_game_role(s->g, r), number(&x));
	}
	jsonw_end(w);
}

static void win_intervals(struct json_writer *w, const struct simulation *s)
{
	jsonw_object(w, "wins_95");
	for (uint32_t r = 0; r < macaw_game_roles(s->g); r++) {
		struct score x = score_of(s, r);
		jsonw_array(w, macaw_game_role(s->g, r));
		jsonw_real(w, NULL, x.low);
		jsonw_real(w, NULL, x.high);
		jsonw_end(w);
	}
	jsonw_end(w);
}

static void print_json(const struct simulation *s)
{
	const macaw_playout_totals *t = &s->sum;
	struct text out = {0};
	struct json_writer w = {.out = &out};
	jsonw_object(&w, NULL);
	jsonw_text(&w, "game", macaw_game_name(s->g));
	jsonw_uint(&w, "playouts", t->playouts);
	jsonw_real(&w, "seconds", t->seconds);
	jsonw_real(&w, "playouts_per_second", rate(t));
	jsonw_real(&w, "avg_length", mean_length(t));
	jsonw_uint(&w, "min_length", t->shortest);
	jsonw_uint(&w, "max_length", t->longest);
	jsonw_real(&w, "branching", s->branching);
	by_role(&w, s, "scores", mean_of);
	by_role(&w, s, "scores_95", half_of);
	by_role(&w, s, "wins", win_of);
	win_intervals(&w, s);
	jsonw_uint(&w, "unfinished", t->unfinished);
	jsonw_uint(&w, "stuck", t->stuck);
	jsonw_uint(&w, "undefined_goals", t->undefined);
	jsonw_int(&w, "threads", s->o->threads);
	if (s->cluster)
		jsonw_uint(&w, "ranks", cluster_ranks(s->cluster));
	jsonw_int(&w, "seed", s->o->seed);
	jsonw_text(&w, "engine", load_engine(s->g));
	if (*macaw_game_why_interpreted(s->g))
		jsonw_text(&w, "why", macaw_game_why_interpreted(s->g));
	jsonw_real(&w, "build_seconds", macaw_game_information(s->g).seconds);
	jsonw_end(&w);
	puts(text_str(&out));
	text_free(&out);
}

static void print_scores(const struct simulation *s, struct text *out)
{
	struct text_table t = {.heading = true};
	text_table_row(&t);
	text_table_cell(&t, "role");
	text_table_cell(&t, "mean score");
	text_table_cell(&t, "± 95%%");
	text_table_cell(&t, "wins (100)");
	text_table_cell(&t, "95%% interval");
	for (uint32_t r = 0; r < macaw_game_roles(s->g); r++) {
		struct score x = score_of(s, r);
		text_table_row(&t);
		text_table_cell(&t, "%s", macaw_game_role(s->g, r));
		text_table_cell(&t, "%.2f", x.mean);
		text_table_cell(&t, isfinite(x.half) ? "%.2f" : "-", x.half);
		text_table_cell(&t, "%.2f%%", 100 * x.win);
		text_table_cell(&t, "%.2f%% - %.2f%%", 100 * x.low, 100 * x.high);
	}
	text_table_print(&t, out);
	text_table_free(&t);
}

static void print_lengths(const struct simulation *s, struct text *out)
{
	const macaw_playout_totals *t = &s->sum;
	size_t cells;
	const uint64_t *lengths = macaw_playout_lengths(s->result, &cells);
	text_printf(out, "\nlength     mean %.2f, from %u to %u steps\n", mean_length(t), t->shortest, t->longest);
	if (isfinite(s->branching))
		text_printf(out, "branching  %.2f moves where there is a choice (sampled)\n", s->branching);
	uint32_t last = t->longest < cells ? t->longest : (uint32_t)cells - 1;
	uint32_t first = t->shortest < last ? t->shortest : last;
	text_putc(out, '\n');
	histogram_print(out, lengths + first, last - first + 1, first, 16, t->longest > last);
}

static void remark(struct text *out, uint64_t n, const char *what)
{
	if (!n)
		return;
	number_grouped(out, n);
	text_printf(out, " %s\n", what);
}

static void print_text(const struct simulation *s)
{
	const macaw_playout_totals *t = &s->sum;
	struct text out = {0}, notes = {0};
	text_printf(&notes, "%s: ", macaw_game_name(s->g));
	number_grouped(&notes, t->playouts);
	text_printf(&notes, " playout%s in %.2f s, ", t->playouts == 1 ? "" : "s", t->seconds);
	number_short(&notes, rate(t));
	text_printf(&notes, " a second (%s, %lld thread%s", load_engine(s->g), (long long)s->o->threads,
	            s->o->threads == 1 ? "" : "s");
	if (s->cluster)
		text_printf(&notes, " in each of %u rank%s", cluster_ranks(s->cluster),
		            cluster_ranks(s->cluster) == 1 ? "" : "s");
	text_printf(&notes, "; built in %.3f s)", macaw_game_information(s->g).seconds);
	screen_wrap(text_str(&notes), notes.n, 2, 0, screen_columns_of_lines(), &out);
	text_putc(&out, '\n');
	notes.n = 0;
	if (t->playouts) {
		print_scores(s, &out);
		print_lengths(s, &out);
	}
	remark(&notes, t->unfinished, "playouts given up as too long (--max-steps)");
	remark(&notes, t->stuck, "playouts stuck: a role had no legal move before the end");
	remark(&notes, t->undefined, "goals without a single value, counted as 0");
	if (notes.n)
		text_printf(&out, "%s%s", t->playouts ? "\n" : "", notes.at);
	fputs(text_str(&out), stdout);
	text_free(&notes);
	text_free(&out);
}

/* The report, of rank 0 alone. */
static void finish(struct simulation *s)
{
	s->sum = macaw_playout_sum(s->result);
	if (s->sum.playouts && s->o->branching)
		s->branching = sample_branching(s, branching_time(s->o));
	if (s->o->json)
		print_json(s);
	else
		print_text(s);
}

static int simulate(const struct simulate_options *o, struct cluster *c, macaw_game *g, const uint64_t *start)
{
	macaw_error error;
	signal(SIGINT, on_interrupt);
	struct simulation s = {.o = o, .cluster = c, .g = g, .start = start, .branching = NAN};
	s.result = play(&s, cluster_rank(c), &error);
	if (!s.result) {
		fprintf(stderr, "macaw simulate: %s\n", error.text);
		return load_status(&error);
	}
	const char *trouble = macaw_playout_trouble(s.result);
	if (trouble)
		fprintf(stderr, "macaw simulate: the interpreter gave up: %s\n", trouble);
	if (!cluster_leads(c)) {
		send_share(&s);
	} else {
		add_shares(&s);
		finish(&s);
	}
	macaw_playout_result_free(s.result);
	return trouble ? EXIT_INPUT : EXIT_DONE;
}

static int load_and_simulate(const struct simulate_options *o, struct cluster *c, const char *word)
{
	int status;
	struct where from = {0};
	macaw_game *g = load_word("simulate", word, &o->load, &status);
	if (g)
		status = where_find(g, "simulate", &o->where, &from);
	if (g && !status)
		status = simulate(o, c, g, from.at);
	where_free(&from);
	macaw_game_free(g);
	return status;
}

static int run(void *options_, int count, char **words)
{
	const struct simulate_options *o = options_;
	if (count != 1) {
		fprintf(stderr, "macaw simulate: name one GAME: a file, or a rulesheet in games/\n");
		return EXIT_USAGE;
	}
	int status;
	struct cluster *c = cluster_open("simulate", &o->cluster, &status);
	return status ? status : cluster_close(c, load_and_simulate(o, c, words[0]));
}

const struct command cmd_simulate = {
	.name = "simulate",
	.arguments = "GAME",
	.summary = "Run random playouts and report statistics",
	.details =
		"Every role chooses uniformly among its legal moves. The report gives the mean score and the share of wins of "
		"each "
		"role (with 95% intervals; Wilson's for the wins), the length of playouts, and the mean number of legal moves. "
		"With "
		"-n, the same seed and number of threads give the same playouts. Ctrl-C stops and reports the results so far.",
	.example = "macaw simulate connect_four -n 100000",
	.options = options,
	.size = sizeof(struct simulate_options),
	.run = run,
};

/* macaw simulate GAME: random playouts, as many as there is time for, and what
 * they tell about the game. */
#include "cli/commands.h"
#include "base/thread.h"
#include "cli/json_out.h"
#include "cli/load_game.h"
#include "show/table.h"

#include "base/hash.h"
#include "base/progress.h"
#include "base/rng.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <time.h>

struct simulate_options {
	struct load_options load;
	double seconds;
	int64_t playouts, threads, seed, max_steps;
	bool json;
};

#define FIELD(f) offsetof(struct simulate_options, f)
static const struct opt options[] = {
	{"time", 't', OPT_REAL, FIELD(seconds), "SEC", "play for this long (1 unless -n is given)", .min = 0.001,
     .max = 1e9},
	{"playouts", 'n', OPT_INT, FIELD(playouts), "N", "play so many playouts", .min = 1, .max = 1e15},
	{"threads", 0, OPT_INT, FIELD(threads), "N", "worker threads", .whole = 1, .min = 1, .max = 1024},
	{"seed", 0, OPT_INT, FIELD(seed), "S", "seed of the random numbers", .whole = 1, .min = 0, .max = 9e15},
	{"max-steps", 0, OPT_INT, FIELD(max_steps), "N", "give up playouts that are longer", .whole = PLAYOUT_MAX_STEPS,
     .min = 1, .max = 1e9},
	{"json", 0, OPT_FLAG, FIELD(json), NULL, "print one JSON object"},
	LOAD_OPTIONS(struct simulate_options, load),
	{0}};

struct simulation {
	struct game *g;
	struct playout_job job;
	struct playout_result r;
	double branching; /* NAN: no role had a choice */
	atomic_bool done;
};

/* ---- playing --------------------------------------------------------------------------- */

static atomic_bool interrupted;

static void on_interrupt(int number)
{
	(void)number;
	atomic_store(&interrupted, true);
	signal(SIGINT, SIG_DFL); /* who asks twice means it */
}

static void play(void *context)
{
	struct simulation *s = context;
	game_playouts(s->g, &s->job, &s->r);
	atomic_store(&s->done, true);
}

/* Playouts go on in another thread while this one draws. How many are done is
 * known at the end only, so the line shows the time. */
static void play_and_show(struct simulation *s, double seconds)
{
	struct progress p = progress_start("playing", false);
	struct thread thread;
	double began = clock_now();
	if (!p.on || !thread_start(&thread, play, s)) {
		play(s);
	} else {
		while (!atomic_load(&s->done)) {
			nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
			progress_step(&p, clock_now() - began, seconds, seconds > 0 ? NULL : "seconds (Ctrl-C ends it)");
		}
		thread_join(&thread);
	}
	progress_end(&p);
}

/* Mean number of legal moves of roles that have a choice, over random walks. The
 * walks are counted in steps, not seconds, so that the result follows from the seed. */
static double sample_branching(struct game *g, uint64_t seed, uint32_t max_steps)
{
	enum { WALKS = 100 };
	uint32_t looks = g->circuit ? 4000 : 300, moves[g->roles + 1];
	struct worker *w = worker_new(g);
	struct rng rng = rng_seed(hash_mix(seed));
	uint64_t *state = NEW_ARRAY(uint64_t, g->words), sum = 0, choices = 0;
	worker_limit(w, limit_seconds(2));
	for (int walk = 0; walk < WALKS && looks && !worker_trouble(w); walk++) {
		memcpy(state, g->initial, g->words * sizeof *state);
		for (uint32_t step = 0; step < max_steps && looks; step++, looks--) {
			struct view v = game_look(w, state);
			if (v.terminal || !game_random_move(g, &v, &rng, moves) || worker_trouble(w))
				break;
			for (uint32_t r = 0; r < g->roles; r++) {
				uint32_t n = v.start[r + 1] - v.start[r];
				sum += n > 1 ? n : 0;
				choices += n > 1;
			}
			game_next(w, state, moves, state);
		}
	}
	mem_free(state);
	worker_free(w);
	return choices ? (double)sum / (double)choices : NAN;
}

/* ---- statistics ---------------------------------------------------------------------------- */

#define Z95 1.959963984540054

struct score {
	double mean, half; /* 95%: mean +- half */
	double win, low, high;
};

/* The interval of the share of wins is Wilson's (1927): right near 0 and 1 too. */
static struct score score_of(const struct playout_result *r, uint32_t role)
{
	struct score s = {NAN, NAN, NAN, NAN, NAN};
	double n = (double)r->counts[0];
	if (!r->counts[0])
		return s;
	s.mean = r->sum[role] / n;
	double variance = n > 1 ? (r->squares[role] - n * s.mean * s.mean) / (n - 1) : NAN;
	s.half = Z95 * sqrt((variance < 0 ? 0 : variance) / n);
	s.win = (double)r->wins[role] / n;
	double scale = 1 + Z95 * Z95 / n, centre = s.win + Z95 * Z95 / (2 * n);
	double half = Z95 * sqrt(s.win * (1 - s.win) / n + Z95 * Z95 / (4 * n * n));
	s.low = fmax(0, (centre - half) / scale);
	s.high = fmin(1, (centre + half) / scale);
	return s;
}

static double mean_length(const struct playout_result *r)
{
	return r->playouts ? (double)r->steps / (double)r->playouts : NAN;
}

static double rate(const struct playout_result *r)
{
	return r->seconds > 0 ? (double)r->playouts / r->seconds : 0;
}

/* ---- reports ------------------------------------------------------------------------------- */

static void print_json(const struct loaded *l, const struct simulation *s)
{
	const struct playout_result *r = &s->r;
	json_t *scores = json_object(), *half = json_object(), *wins = json_object(), *ranges = json_object();
	for (uint32_t i = 0; i < s->g->roles; i++) {
		struct text name = {0};
		struct score x = score_of(r, i);
		game_print_role(s->g, i, &name);
		json_object_set_new(scores, text_str(&name), json_number(x.mean));
		json_object_set_new(half, text_str(&name), json_number(x.half));
		json_object_set_new(wins, text_str(&name), json_number(x.win));
		json_object_set_new(ranges, text_str(&name), json_pack("[o,o]", json_number(x.low), json_number(x.high)));
		text_free(&name);
	}
	json_finish(json_pack(
		"{s:o, s:I, s:o, s:o, s:o, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:I, s:I, s:I, s:I, s:I, s:s, s:o}", "game",
		json_text(text_str(&l->name)), "playouts", (json_int_t)r->playouts, "seconds", json_number(r->seconds),
		"playouts_per_second", json_number(rate(r)), "avg_length", json_number(mean_length(r)), "min_length",
		(json_int_t)r->shortest, "max_length", (json_int_t)r->longest, "branching", json_number(s->branching), "scores",
		scores, "scores_95", half, "wins", wins, "wins_95", ranges, "unfinished", (json_int_t)r->unfinished, "stuck",
		(json_int_t)r->stuck, "undefined_goals", (json_int_t)r->undefined, "threads", (json_int_t)s->job.threads,
		"seed", (json_int_t)s->job.seed, "engine", load_engine_name(s->g), "build_seconds", json_number(l->seconds)));
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
	for (uint32_t r = 0; r < s->g->roles; r++) {
		struct text name = {0};
		struct score x = score_of(&s->r, r);
		game_print_role(s->g, r, &name);
		text_table_row(&t);
		text_table_cell(&t, "%s", text_str(&name));
		text_free(&name);
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
	const struct playout_result *r = &s->r;
	text_printf(out, "\nlength     mean %.2f, from %u to %u steps\n", mean_length(r), r->shortest, r->longest);
	if (isfinite(s->branching))
		text_printf(out, "branching  %.2f legal moves where there is a choice (sampled)\n", s->branching);
	uint32_t last = r->longest < r->length_cells ? r->longest : r->length_cells - 1;
	uint32_t first = r->shortest < last ? r->shortest : last;
	text_putc(out, '\n');
	histogram_print(out, r->lengths + first, last - first + 1, first, 16, r->longest > last);
}

static void remark(struct text *out, uint64_t n, const char *what)
{
	if (!n)
		return;
	number_grouped(out, n);
	text_printf(out, " %s\n", what);
}

static void print_text(const struct loaded *l, const struct simulation *s)
{
	const struct playout_result *r = &s->r;
	struct text out = {0};
	text_printf(&out, "%s: ", text_str(&l->name));
	number_grouped(&out, r->playouts);
	text_printf(&out, " playout%s in %.2f s, ", r->playouts == 1 ? "" : "s", r->seconds);
	number_short(&out, rate(r));
	text_printf(&out, " a second (%s, %u thread%s; built in %.3f s)\n\n", load_engine_name(s->g), s->job.threads,
	            s->job.threads == 1 ? "" : "s", l->seconds);
	if (r->playouts) {
		print_scores(s, &out);
		print_lengths(s, &out);
	}
	struct text notes = {0};
	remark(&notes, r->unfinished, "playouts given up as too long (--max-steps)");
	remark(&notes, r->stuck, "playouts stuck: a role had no legal move before the end");
	remark(&notes, r->undefined, "goals without a single value, counted as 0");
	if (notes.n)
		text_printf(&out, "%s%s", r->playouts ? "\n" : "", notes.at);
	fputs(text_str(&out), stdout);
	text_free(&notes);
	text_free(&out);
}

static int simulate(const struct simulate_options *o, struct loaded *l)
{
	double seconds = o->seconds > 0 ? o->seconds : o->playouts ? 0 : 1;
	struct simulation s = {.g = l->game};
	signal(SIGINT, on_interrupt);
	s.job = (struct playout_job){.playouts = (uint64_t)o->playouts,
	                             .threads = (uint32_t)o->threads,
	                             .seed = (uint64_t)o->seed,
	                             .max_steps = (uint32_t)o->max_steps};
	if (seconds > 0)
		s.job.limit = limit_seconds(seconds);
	s.job.limit.stop = &interrupted;
	play_and_show(&s, seconds);
	signal(SIGINT, SIG_DFL);
	s.branching = sample_branching(l->game, (uint64_t)o->seed, (uint32_t)o->max_steps);
	int status = EXIT_DONE;
	if (s.r.trouble) {
		fprintf(stderr, "macaw simulate: the interpreter gave up: %s\n", s.r.trouble);
		status = EXIT_INPUT;
	}
	if (o->json)
		print_json(l, &s);
	else
		print_text(l, &s);
	playout_result_free(&s.r);
	return status;
}

static int run(void *options_, int count, char **words)
{
	const struct simulate_options *o = options_;
	if (count != 1) {
		fprintf(stderr, "macaw simulate: name one GAME: a file, or a rulesheet in games/\n");
		return EXIT_USAGE;
	}
	struct loaded l = {0};
	int status = load_game("simulate", words[0], &o->load, &l);
	if (!status)
		status = simulate(o, &l);
	load_game_free(&l);
	return status;
}

const struct command cmd_simulate = {
	.name = "simulate",
	.arguments = "GAME",
	.summary = "Play random playouts and tell what came of them",
	.details =
		"Every role moves at random, all legal moves alike. Ends with the mean score and the share of wins of each "
		"role (95% intervals; Wilson's for the wins), the lengths, and how many moves there are to choose from. With "
		"-n the "
		"same seed and number of threads give the same playouts. Ctrl-C ends the playing and shows what there is.",
	.options = options,
	.size = sizeof(struct simulate_options),
	.run = run,
};

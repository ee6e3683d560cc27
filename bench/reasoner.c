/* Measures one rulesheet: build time, random playouts a second, their mean length
 * and scores, what a second thread brings, and peak memory. A process a game, so
 * that the peak is that game's own.
 *
 *     bench-reasoner [--seconds S] [--builds N] [--rounds N] GAME.kif
 *
 * Prints lines of three words: what was measured, the figure, its unit. Speed is
 * per processor second of the one thread at work, and so is build time: on an idle
 * machine the same as by the clock, on a busy one the only figure that means
 * anything. Only what two threads bring is taken by the clock. */
#include "base/mem.h"
#include "base/opt.h"
#include "game/game.h"

#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#define LANES 512         /* playouts under way at once, at most */
#define GENERATIONS 16    /* a timed run should last as long as so many playouts of each lane */
#define LONGEST 20        /* but not longer than so many times what was asked for */
#define BUILDS_ENOUGH 2.0 /* seconds of building after which it is not repeated */
#define SAMPLE_LEAST 4096
#define SAMPLE_MOST 2000000

struct settings {
	double seconds;
	int64_t builds, rounds;
};

#define FIELD(f) offsetof(struct settings, f)
static const struct opt table[] = {{"seconds", 's', OPT_REAL, FIELD(seconds), "S",
                                    "processor time of playouts (0: build only)", .real = 1, .max = 3600},
                                   {"builds", 'b', OPT_INT, FIELD(builds), "N", "build so many times, take the best",
                                    .whole = 3, .min = 1, .max = 100},
                                   {"rounds", 'r', OPT_INT, FIELD(rounds), "N",
                                    "runs with one and with two threads (0: none)", .whole = 5, .max = 100},
                                   {0}};

struct built {
	struct gdl_rules *rules;
	struct game *game;
	double wall, processor;
};

static void say(const char *what, double figure, const char *unit)
{
	printf("%s %.9g %s\n", what, figure, unit);
}

/* From text in memory to a game that can be played. */
static bool build(struct built *b, const struct text *source, struct text *error)
{
	struct diags d = {0};
	struct game_options o = {0};
	double wall = clock_now(), processor = clock_thread();
	b->rules = gdl_read(text_str(source), source->n, &d);
	if (d.errors)
		text_puts(error, "it has errors of syntax");
	else
		b->game = game_make(b->rules, &o, error);
	b->wall = clock_now() - wall;
	b->processor = clock_thread() - processor;
	diag_free(&d);
	return b->game != NULL;
}

static void demolish(struct built *b)
{
	game_free(b->game);
	gdl_free(b->rules);
	*b = (struct built){0};
}

/* What one run of playouts came to. */
struct run {
	double playouts, wall, processor;
};

static double clock_of(clockid_t id)
{
	struct timespec t = {0};
	clock_gettime(id, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static struct run play(struct game *g, struct limit limit, uint32_t threads, uint64_t seed)
{
	struct playout_job job = {.limit = limit, .threads = threads, .seed = seed};
	struct playout_result r;
	double before = clock_of(CLOCK_PROCESS_CPUTIME_ID);
	game_playouts(g, &job, &r);
	struct run run = {(double)r.playouts, r.seconds, clock_of(CLOCK_PROCESS_CPUTIME_ID) - before};
	playout_result_free(&r);
	return run;
}

/* Stops the thread at work when its processor time is used up: playouts under way
 * are lost then, so a run is not to be cut into pieces because others use the
 * machine. */
struct watch {
	clockid_t clock;
	double until;
	atomic_bool stop;
};

static void *watch_main(void *context)
{
	struct watch *w = context;
	while (clock_of(w->clock) < w->until)
		nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
	atomic_store(&w->stop, true);
	return NULL;
}

static struct run play_processor_time(struct game *g, double seconds, uint64_t seed)
{
	struct watch w = {0};
	pthread_t id;
	double before = clock_thread();
	pthread_getcpuclockid(pthread_self(), &w.clock);
	w.until = before + seconds;
	if (pthread_create(&id, NULL, watch_main, &w)) {
		fputs("bench-reasoner: cannot start a thread\n", stderr);
		exit(3);
	}
	struct run run = play(g, (struct limit){.stop = &w.stop}, 1, seed);
	run.processor = clock_thread() - before;
	pthread_join(id, NULL);
	return run;
}

/* Long enough for several playouts of each lane: a first run tells how long one takes. */
static double measure_speed(struct game *g, double seconds)
{
	struct run r = play_processor_time(g, seconds / 4, 1);
	double least = r.playouts > 0 ? GENERATIONS * LANES * r.processor / r.playouts : LONGEST * seconds;
	if (g->engine == ENGINE_INTERPRETER)
		least = 0;
	least = least < LONGEST * seconds ? least : LONGEST * seconds;
	r = play_processor_time(g, seconds > least ? seconds : least, 2);
	return r.playouts / r.processor;
}

/* A sample of a size fixed beforehand: whoever stops by the clock favours short playouts. */
static void sample(struct game *g, double speed, double seconds)
{
	double count = speed * seconds;
	count = count < SAMPLE_LEAST ? SAMPLE_LEAST : count > SAMPLE_MOST ? SAMPLE_MOST : count;
	struct playout_job job = {.playouts = (uint64_t)count, .limit = limit_seconds(3 * LONGEST * seconds), .seed = 3};
	struct playout_result r;
	struct text name = {0};
	game_playouts(g, &job, &r);
	say("sample", (double)r.playouts, "playouts");
	say("length", r.playouts ? (double)r.steps / (double)r.playouts : 0, "steps");
	say("stuck", (double)r.stuck, "playouts");
	say("undefined", (double)r.undefined, "goals");
	for (uint32_t role = 0; role < g->roles; role++) {
		name.n = 0;
		text_puts(&name, "score/");
		game_print_role(g, role, &name);
		for (size_t i = 6; i < name.n; i++)
			if (!isalnum((unsigned char)name.at[i]))
				name.at[i] = '_';
		say(text_str(&name), r.playouts ? r.sum[role] / (double)r.playouts : 0, "points");
	}
	if (r.trouble)
		printf("trouble 1 %s\n", r.trouble);
	text_free(&name);
	playout_result_free(&r);
}

/* One thread and two in turn, the best of each: others use the machine too. */
static void measure_threads(struct game *g, double speed, const struct settings *s)
{
	double slice = s->seconds / 4, least = speed > 0 ? GENERATIONS / 4 * LANES / speed : slice;
	double best[2] = {0}, thrift[2] = {0};
	slice = slice > least ? slice : least < LONGEST * s->seconds ? least : LONGEST * s->seconds;
	for (int64_t i = 0; i < s->rounds; i++)
		for (uint32_t k = 0; k < 2; k++) {
			struct run one = play(g, limit_seconds(slice), k + 1, 100 + (uint64_t)i);
			double rate = one.playouts / one.wall, per_processor = one.playouts / one.processor;
			best[k] = rate > best[k] ? rate : best[k];
			thrift[k] = per_processor > thrift[k] ? per_processor : thrift[k];
		}
	say("one_thread", best[0], "playouts/s");
	say("two_threads", best[1], "playouts/s");
	say("threads_ratio", best[0] > 0 ? best[1] / best[0] : 0, "times");
	say("threads_ratio_per_cpu", thrift[0] > 0 ? 2 * thrift[1] / thrift[0] : 0, "times");
}

/* MB (of 10^6 bytes): what this process has had at most so far. */
static double peak_memory(void)
{
	struct rusage u;
	getrusage(RUSAGE_SELF, &u);
	return (double)u.ru_maxrss * 1024 / 1e6;
}

static void describe(const struct game *g)
{
	say("interpreted", g->engine == ENGINE_INTERPRETER, "flag");
	if (g->why.n)
		printf("why 0 %s\n", text_str(&g->why));
	if (g->engine == ENGINE_CIRCUIT) {
		say("fluents", g->fluents, "count");
		say("moves", g->moves, "count");
	}
}

static void repeat_builds(const struct settings *s, const struct text *source, struct built *best)
{
	double spent = best->wall;
	struct text error = {0};
	for (int64_t i = 1; i < s->builds && spent < BUILDS_ENOUGH; i++) {
		struct built again = {0};
		build(&again, source, &error);
		spent += again.wall;
		best->wall = again.wall < best->wall ? again.wall : best->wall;
		best->processor = again.processor < best->processor ? again.processor : best->processor;
		demolish(&again);
	}
	text_free(&error);
}

int main(int argc, char **argv)
{
	struct settings s;
	struct text source = {0}, error = {0};
	struct built b = {0};
	int words = opt_parse(table, &s, argc, argv, &error);
	if (words != 1) {
		fprintf(stderr, "bench-reasoner: %s\n", words < 0 ? text_str(&error) : "name one rulesheet");
		return 2;
	}
	if (!text_read_file(&source, argv[1], GDL_MAX_TEXT, &error) || !build(&b, &source, &error)) {
		fprintf(stderr, "bench-reasoner: %s: %s\n", argv[1], text_str(&error));
		return 1;
	}
	describe(b.game);
	if (s.seconds > 0) {
		double speed = measure_speed(b.game, s.seconds);
		say("playouts", speed, "playouts/cpu-s");
		sample(b.game, speed, s.seconds);
		say("peak_memory", peak_memory(), "MB");
		if (s.rounds)
			measure_threads(b.game, speed, &s);
	} else {
		say("peak_memory", peak_memory(), "MB");
	}
	struct built first = b;
	repeat_builds(&s, &source, &b);
	say("build", b.processor * 1e3, "cpu-ms");
	say("build_clock", b.wall * 1e3, "ms");
	demolish(&first);
	text_free(&source);
	text_free(&error);
	return 0;
}

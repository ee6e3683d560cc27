/* Measures the search of the default player: one search of the initial position, and what a visit
 * costs.
 *
 *     bench-search [--seconds S] [--OPTION VALUE...] GAME.kif...
 *
 * One line per game: visits and playouts per processor second, playouts per visit, depth, the shares
 * of the time for walking, opening, playing and backing up, playouts against the raw rate, and bytes
 * per visit. */
#include "base/opt.h"
#include "play/mcgs/mcgs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct settings {
	double seconds;
	struct mcgs_options search;
};

#define FIELD(f) offsetof(struct settings, f)
static const struct opt table[] = {
	{"seconds", 's', OPT_REAL, FIELD(seconds), "S", "of one search", .real = 1, .max = 3600}, {0}};
static const struct opt search_table[] = {MCGS_OPTIONS,
                                          {"decisive", 0, OPT_CHOICE, MCGS_AT(policy), "WHAT",
                                           "what players of playouts see", .choices = "none|wins|threats"},
                                          MCGS_TUNING(TUNING_ROW, struct mcgs_options, tune.){0}};

static double raw_rate(struct game *g, enum playout_policy policy)
{
	struct playout_result r;
	double began = clock_thread();
	struct playout_job job = {.playouts = 2048, .seed = 1, .max_steps = 5000, .policy = policy};
	for (;;) {
		double from = clock_thread();
		game_playouts(g, &job, &r);
		double rate = (double)r.playouts / (clock_thread() - from);
		playout_result_free(&r);
		if (clock_thread() - began > 0.3)
			return rate;
		job.playouts *= 2;
	}
}

static void measure(const char *name, struct game *g, const struct settings *o)
{
	struct text why = {0};
	struct seat s = {.game = g, .role = g->random == 0, .worker = worker_new(g), .rng = rng_seed(7)};
	double raw = raw_rate(g, (enum playout_policy)o->search.policy);
	struct mcgs *t = mcgs_new(&s, &o->search);
	struct budget b = {.limit = limit_seconds(o->seconds)};
	mcgs_root(t, &s, g->initial);
	double began = clock_thread();
	mcgs_run(t, &s, &b);
	double seconds = clock_thread() - began;
	struct mcgs_times x = mcgs_times(t);
	double all = x.walk + x.open + x.play + x.back + 1e-9, visits = mcgs_value(t, s.role).visits;
	if (o->search.threads > 1)
		seconds = all;
	printf("%-22s %9.0f visits/s %9.0f playouts/s %5.1f po/v depth %5.1f | walk %2.0f open %2.0f play %2.0f back "
	       "%2.0f%% | "
	       "play eff. %.2f | %4.0f B/v | %.1f%% collisions, value %.1f\n",
	       name, visits / seconds, (double)s.count.playouts / seconds, (double)s.count.playouts / (visits + 1e-9),
	       (double)x.steps / ((double)x.walks + 1e-9), 100 * x.walk / all, 100 * x.open / all, 100 * x.play / all,
	       100 * x.back / all, (double)s.count.playouts / (x.play + 1e-9) / raw, (double)mcgs_bytes(t) / (visits + 1),
	       100 * (double)x.collisions / ((double)x.walks + 1e-9), mcgs_value(t, s.role).mean);
	fflush(stdout);
	mcgs_free(t);
	worker_free(s.worker);
	text_free(&s.why);
	text_free(&why);
}

static void measure_file(const char *path, const struct settings *o)
{
	struct text source = {0}, error = {0};
	struct diags d = {0};
	const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	if (!text_read_file(&source, path, 1 << 24, &error)) {
		fprintf(stderr, "%s: %s\n", path, text_str(&error));
		exit(2);
	}
	struct gdl_rules *rules = gdl_read(text_str(&source), source.n, &d);
	struct game *g = rules ? game_make(rules, &(struct game_options){0}, &error) : NULL;
	if (g)
		measure(name, g, o);
	else
		fprintf(stderr, "%s: %s\n", path, text_str(&error));
	game_free(g);
	gdl_free(rules);
	diag_free(&d);
	text_free(&source);
	text_free(&error);
}

int main(int argc, char **argv)
{
	struct settings o;
	struct text error = {0};
	opt_defaults(table, &o);
	opt_defaults(search_table, &o.search);
	int i = 1;
	for (; i + 1 < argc && !strncmp(argv[i], "--", 2); i += 2) {
		const struct opt *which = strcmp(argv[i], "--seconds") ? search_table : table;
		if (!opt_set(which, which == table ? (void *)&o : (void *)&o.search, argv[i] + 2, argv[i + 1], &error)) {
			fprintf(stderr, "%s\n", text_str(&error));
			return 2;
		}
	}
	for (; i < argc; i++)
		measure_file(argv[i], &o);
	return 0;
}

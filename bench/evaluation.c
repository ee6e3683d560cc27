/* How well an evaluation is learnt: evaluation SECONDS TOP [self] GAME… . For each game an evaluation is learnt within
 * SECONDS seconds of processor time and measured on states of new playouts, with 64 playouts from each: what it
 * explains of single outcomes and of the means of 64, how many playouts it is worth, what an evaluation costs; then the
 * TOP heaviest features of each kind. */
#include "play/learn/evaluation.h"
#include "base/rng.h"
#include "base/vec.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STATES 512
#define PLAYOUTS 64
#define AT_ONCE 16
#define TIMED 0.2 /* seconds */

struct states {
	struct game *g;
	size_t n;
	VEC(uint64_t) at;
};

static struct game *load(const char *path, struct gdl_rules **rules)
{
	struct text text = {0}, error = {0};
	struct diags d = {0};
	if (!text_read_file(&text, path, (size_t)16 << 20, &error)) {
		fprintf(stderr, "bench-evaluation: %s\n", error.at);
		exit(1);
	}
	*rules = gdl_read(text_str(&text), text.n, &d);
	gdl_check(*rules, &d);
	struct game *g = d.errors ? NULL : game_make(*rules, &(struct game_options){0}, &error);
	if (!g) {
		fprintf(stderr, "bench-evaluation: %s: %s\n", path, d.errors ? d.all.at[0].message : text_str(&error));
		exit(1);
	}
	diag_free(&d);
	text_free(&text);
	text_free(&error);
	return g;
}

static void collect(void *context, size_t start, const uint64_t *state, double *values)
{
	struct states *s = context;
	(void)start;
	if (s->n < STATES) {
		vec_extend(&s->at, s->g->words);
		memcpy(s->at.at + s->at.n - s->g->words, state, s->g->words * sizeof *state);
		s->n++;
	}
	memset(values, 0, s->g->roles * sizeof *values);
}

/* States of playouts, evenly spread over their length. */
static void draw(struct states *s, struct rng *rng)
{
	struct playout_result r;
	game_playouts(s->g, &(struct playout_job){.playouts = 256, .seed = rng_next(rng)}, &r);
	uint32_t length = (uint32_t)((double)r.steps / (double)r.playouts);
	playout_result_free(&r);
	for (int tries = 0; s->n < STATES && tries < 100 * STATES / AT_ONCE; tries++) {
		struct playout_job job = {.playouts = AT_ONCE, .judge = collect, .context = s};
		job.seed = rng_next(rng);
		job.cut = 1 + rng_below(rng, length + 1);
		game_playouts(s->g, &job, &r);
		playout_result_free(&r);
	}
}

struct quality {
	double outcomes, means, worth; /* shares explained of single outcomes and of means; playouts */
};

static struct quality quality(const struct states *s, const struct playout_result *r, uint32_t role,
                              const float *forecast)
{
	uint32_t roles = s->g->roles;
	double n = (double)s->n, mean = 0, noise = 0, spread = 0, left = 0;
	for (size_t i = 0; i < s->n; i++)
		mean += r->sum[i * roles + role] / (100 * PLAYOUTS) / n;
	for (size_t i = 0; i < s->n; i++) {
		double x = r->sum[i * roles + role] / (100 * PLAYOUTS), miss = x - (double)forecast[i * roles + role];
		noise += (r->squares[i * roles + role] / (1e4 * PLAYOUTS) - x * x) * PLAYOUTS / (PLAYOUTS - 1) / n;
		spread += (x - mean) * (x - mean) / n;
		left += miss * miss / n;
	}
	double whole = spread + noise * (PLAYOUTS - 1) / PLAYOUTS, true_spread = spread - noise / PLAYOUTS;
	double true_left = fmax(left - noise / PLAYOUTS, 1e-9);
	return (struct quality){1 - (left + noise * (PLAYOUTS - 1) / PLAYOUTS) / whole, 1 - left / spread,
	                        fmax(0, (true_spread - true_left) / true_left * noise / true_spread)};
}

static double microseconds(const struct evaluation *e, const struct states *s, float *out)
{
	double began = clock_thread(), spent;
	uint64_t n = 0;
	do {
		evaluation_batch(e, s->at.at, s->n, out);
		n += s->n;
		spent = clock_thread() - began;
	} while (spent < TIMED);
	return spent * 1e6 / (double)n;
}

static void report(const char *path, const struct evaluation *e, struct states *s, double seconds, double used,
                   uint32_t top)
{
	const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	struct evaluation_facts f = evaluation_facts(e);
	struct playout_result r;
	struct text text = {0};
	float *out = mem_alloc(s->n * s->g->roles, sizeof *out);
	uint32_t role = s->g->random ? 0 : 1;
	game_playouts(
		s->g, &(struct playout_job){.starts = s->at.at, .start_count = s->n, .playouts = s->n * PLAYOUTS, .seed = 7},
		&r);
	evaluation_batch(e, s->at.at, s->n, out);
	struct quality q = quality(s, &r, role, out);
	printf("%-24.*s %4.0f %5.1f %8llu %8llu %7llu %5u %4u %5u %u*%u %6.1f %6.1f  %6.3f %6.3f %6.3f %7.1f %7.1f %6.3f "
	       "%6.3f\n",
	       (int)(strlen(name) - 4), name, seconds, used, (unsigned long long)f.playouts, (unsigned long long)f.samples,
	       (unsigned long long)f.matches, f.fluents, f.groups, f.pairs, f.movers, f.phases, f.set, f.pairs_set,
	       evaluation_skill(e), q.outcomes, q.means, evaluation_worth(e), q.worth, move_prior_skill(e),
	       microseconds(e, s, out));
	evaluation_print(e, top, &text);
	fputs(top ? text_str(&text) : "", stdout);
	fflush(stdout);
	text_free(&text);
	playout_result_free(&r);
	mem_free(out);
}

static void run(const char *path, double seconds, uint32_t top, bool self)
{
	struct gdl_rules *rules;
	struct states s = {.g = load(path, &rules)};
	struct rng rng = rng_seed(42);
	draw(&s, &rng);
	double began = clock_thread();
	struct evaluation *e =
		evaluation_learn(s.g, &(struct evaluation_options){.seed = 1, .seconds = seconds, .self_play = self});
	double used = clock_thread() - began;
	if (e && s.n)
		report(path, e, &s, seconds, used, top);
	else
		printf("%s: nothing could be learnt\n", path);
	evaluation_free(e);
	vec_free(&s.at);
	game_free(s.g);
	gdl_free(rules);
}

int main(int count, char **words)
{
	if (count < 4) {
		fprintf(stderr, "usage: bench-evaluation SECONDS TOP [self] GAME…\n");
		return 2;
	}
	puts("game                      sec  used playouts  samples matches fluen grps pairs m*p    set  pairs    skill "
	     "outcom  means   worth worth64 prior    µs");
	bool self = !strcmp(words[3], "self");
	for (int i = 3 + self; i < count; i++)
		run(words[i], strtod(words[1], NULL), (uint32_t)atoi(words[2]), self);
	return 0;
}

/* Which of two ways to learn gives the better evaluation: evaluation-duel SECONDS DEPTH PAIRS A B GAME… . A and B are
 * options of an evaluation, such as neurons=0:pairs=0 ("" or -: the defaults). For each game both learn within SECONDS
 * of processor time, in matches against themselves too, and alpha-beta of depth DEPTH plays PAIRS pairs of matches from
 * random openings, roles swapped; four times, with evaluations learnt anew. Equal depths: what an evaluation costs does
 * not count. */
#include "common.h"
#include "play/alphabeta/pvs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEARNT 4 /* times */
#define OPENING 6
#define MOST_STEPS 400

struct side {
	struct evaluation_tuning tune;
};
static const struct opt options[] = {EVALUATION_TUNING(TUNING_ROW, struct side, tune.){0}};

static struct side read_side(const char *words)
{
	struct side s;
	struct bench_words w = {0};
	struct text error = {0};
	opt_defaults(options, &s);
	bench_split(&w, words, ':');
	for (size_t i = 0; i < w.at.n; i++) {
		char *equals = strchr(w.at.at[i], '=');
		if (!equals && (!*w.at.at[i] || !strcmp(w.at.at[i], "-")))
			continue;
		if (!equals)
			bench_fail(w.at.at[i], "options have the form name=value");
		*equals = 0;
		if (!opt_set(options, &s, w.at.at[i], equals + 1, &error))
			bench_fail(w.at.at[i], text_str(&error));
	}
	bench_words_free(&w);
	text_free(&error);
	return s;
}

/* Points of who plays role 0. */
static double play(struct seat *s, struct pvs *const by_role[2], const uint64_t *from, uint64_t *state)
{
	uint32_t moves[2];
	memcpy(state, from, s->game->words * sizeof *state);
	for (uint32_t step = 0; step < MOST_STEPS; step++) {
		struct view v = game_look(s->worker, state);
		if (v.terminal)
			return v.goals[0] > v.goals[1] ? 1 : v.goals[0] < v.goals[1] ? 0 : 0.5;
		uint32_t turn = v.start[2] - v.start[1] > 1;
		bool choice = v.start[turn + 1] - v.start[turn] > 1;
		if (!game_random_move(s->game, &v, &s->rng, moves))
			return 0.5;
		uint32_t move = choice ? pvs_run(by_role[turn], s, state, &(struct budget){0}).move : GAME_NONE;
		if (move != GAME_NONE)
			moves[turn] = move;
		game_next(s->worker, state, moves, state);
	}
	return 0.5;
}

static void duel(const char *path, const struct side sides[2], double seconds, uint32_t depth, uint32_t pairs)
{
	struct bench_game g = bench_load(path);
	struct seat s = {.game = g.game, .worker = worker_new(g.game), .rng = rng_seed(5)};
	struct pvs_tuning tune = {PVS_TUNING(TUNING_STANDARD)};
	tune.depth = depth;
	uint64_t *from = mem_alloc(g.game->words + 1, sizeof *from), *state = mem_alloc(g.game->words + 1, sizeof *state);
	double points = 0;
	uint32_t matches = 0;
	for (uint32_t k = 0; k < LEARNT; k++) {
		struct pvs *pvs[2] = {0};
		struct evaluation *e[2];
		for (int i = 0; i < 2; i++) {
			e[i] = evaluation_learn(g.game, &(struct evaluation_options){.seed = 1 + 2 * k + (uint64_t)i,
			                                                             .seconds = seconds,
			                                                             .tune = &sides[i].tune,
			                                                             .self_play = true});
			pvs[i] = pvs_new(&s, &tune, 1);
			if (!e[i] || !pvs[i])
				bench_fail(path, "no evaluation, or not a game for alpha-beta");
			pvs_judge(pvs[i], e[i]);
		}
		for (uint32_t n = 0; n < pairs; n++) {
			if (!bench_walk(&s, 1 + rng_below(&s.rng, OPENING), from))
				continue;
			for (int swap = 0; swap < 2; swap++, matches++) {
				double p = play(&s, (struct pvs *const[2]){pvs[swap], pvs[1 - swap]}, from, state);
				points += swap ? 1 - p : p;
			}
		}
		for (int i = 0; i < 2; i++) {
			pvs_free(pvs[i]);
			evaluation_free(e[i]);
		}
	}
	double share = points / fmax(matches, 1), half = 1.96 * sqrt(0.25 / fmax(matches, 1));
	const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	printf("%-24s %5.1f%% +- %.1f of %u\n", name, 100 * share, 100 * half, matches);
	fflush(stdout);
	text_free(&s.why);
	worker_free(s.worker);
	mem_free(from);
	mem_free(state);
	bench_unload(&g);
}

int main(int count, char **words)
{
	if (count < 7) {
		fprintf(stderr, "usage: bench-evaluation-duel SECONDS DEPTH PAIRS A B GAME…\n");
		return 2;
	}
	double seconds = strtod(words[1], NULL);
	int depth = atoi(words[2]), pairs = atoi(words[3]);
	if (!(seconds > 0) || depth < 2 || depth > 199 || pairs < 1)
		bench_fail(words[0], "SECONDS must be above 0, DEPTH from 2 to 199, PAIRS at least 1");
	struct side sides[2] = {read_side(words[4]), read_side(words[5])};
	for (int i = 6; i < count; i++)
		duel(words[i], sides, seconds, (uint32_t)depth, (uint32_t)pairs);
	return 0;
}

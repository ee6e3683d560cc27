/* Alpha-beta against itself, with two ways to learn or to search: evaluation-duel SECONDS DEPTH PAIRS A B GAME… . A and
 * B are options of an evaluation or of alpha-beta, such as neurons=0:pairs=0 or certain=0 ("" or -: the defaults). For
 * each game both learn within SECONDS of processor time, in matches against themselves too (where A and B learn alike,
 * one evaluation is for both), and PAIRS pairs of matches are played from random openings, roles swapped; four times,
 * with evaluations learnt anew. DEPTH is a number of plies, so that what an evaluation costs does not count, or
 * processor seconds per move, as 0.1s. */
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
	struct evaluation_tuning learn;
	struct pvs_tuning search;
};
static const struct opt options[] = {EVALUATION_TUNING(TUNING_ROW, struct side, learn.)
                                         PVS_TUNING(TUNING_ROW, struct side, search.){0}};

struct match_length {
	double seconds; /* per move; 0: by depth */
	uint32_t depth, pairs;
};

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
static double play(struct seat *s, struct pvs *const by_role[2], double seconds, const uint64_t *from, uint64_t *state)
{
	uint32_t moves[2];
	struct budget b = {0};
	memcpy(state, from, s->game->words * sizeof *state);
	for (uint32_t step = 0; step < MOST_STEPS; step++) {
		struct view v = game_look(s->worker, state);
		if (v.terminal)
			return v.goals[0] > v.goals[1] ? 1 : v.goals[0] < v.goals[1] ? 0 : 0.5;
		uint32_t turn = v.start[2] - v.start[1] > 1;
		bool choice = v.start[turn + 1] - v.start[turn] > 1;
		if (!game_random_move(s->game, &v, &s->rng, moves))
			return 0.5;
		if (seconds > 0)
			b.limit = limit_seconds_of(CLOCK_PROCESS_CPUTIME_ID, seconds);
		uint32_t move = choice ? pvs_run(by_role[turn], s, state, &b).move : GAME_NONE;
		if (move != GAME_NONE)
			moves[turn] = move;
		game_next(s->worker, state, moves, state);
	}
	return 0.5;
}

/* Learnt by the ways of the two; the second is the first where these are equal. */
static void learn(struct game *g, const struct side sides[2], double seconds, uint64_t seed, struct evaluation *e[2])
{
	bool alike = !memcmp(&sides[0].learn, &sides[1].learn, sizeof sides[0].learn);
	for (int i = 0; i < 2; i++)
		e[i] = i && alike ? e[0]
		                  : evaluation_learn(g, &(struct evaluation_options){.seed = seed + (uint64_t)i,
		                                                                     .seconds = seconds,
		                                                                     .tune = &sides[i].learn,
		                                                                     .self_play = true});
}

static void duel(const char *path, const struct side sides[2], double seconds, const struct match_length *length)
{
	struct bench_game g = bench_load(path);
	struct seat s = {.game = g.game, .worker = worker_new(g.game), .rng = rng_seed(5)};
	uint64_t *from = mem_alloc(g.game->words + 1, sizeof *from), *state = mem_alloc(g.game->words + 1, sizeof *state);
	double points = 0;
	uint32_t matches = 0;
	for (uint32_t k = 0; k < LEARNT; k++) {
		struct pvs *pvs[2] = {0};
		struct evaluation *e[2];
		learn(g.game, sides, seconds, 1 + 2 * k, e);
		for (int i = 0; i < 2; i++) {
			struct pvs_tuning tune = sides[i].search;
			tune.depth = length->seconds > 0 ? tune.depth : length->depth;
			pvs[i] = pvs_new(&s, &tune, 1);
			if (!e[i] || !pvs[i])
				bench_fail(path, "no evaluation, or not a game for alpha-beta");
			pvs_judge(pvs[i], e[i]);
		}
		for (uint32_t n = 0; n < length->pairs; n++) {
			if (!bench_walk(&s, 1 + rng_below(&s.rng, OPENING), from))
				continue;
			for (int swap = 0; swap < 2; swap++, matches++) {
				double p = play(&s, (struct pvs *const[2]){pvs[swap], pvs[1 - swap]}, length->seconds, from, state);
				points += swap ? 1 - p : p;
			}
		}
		pvs_free(pvs[0]);
		pvs_free(pvs[1]);
		if (e[1] != e[0])
			evaluation_free(e[1]);
		evaluation_free(e[0]);
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
	char *unit;
	double extent = strtod(words[2], &unit);
	int pairs = atoi(words[3]);
	bool by_time = !strcmp(unit, "s");
	if (!(seconds > 0) || !(extent > 0) || (!by_time && (*unit || extent < 2 || extent > 199)) || pairs < 1)
		bench_fail(words[0], "SECONDS must be above 0, DEPTH from 2 to 199 or a time such as 0.1s, PAIRS at least 1");
	struct match_length length = {by_time ? extent : 0, by_time ? 0 : (uint32_t)extent, (uint32_t)pairs};
	struct side sides[2] = {read_side(words[4]), read_side(words[5])};
	for (int i = 6; i < count; i++)
		duel(words[i], sides, seconds, &length);
	return 0;
}

/* What a search gets of an engine's speed: playouts and expansions per processor second.
 *
 *     bench-stream GAME.kif [PLAYOUTS PER LEAF [SECONDS OF A RUN]]
 *
 * Prints lines of three words: what was measured, the figure, its unit. `raw` are playouts of one job without end;
 * `stream` are playouts of leaves that are pushed and handed back, 512 in flight. Leaves are the first states of
 * random walks, so their playouts are shorter than those from the start: the ratios are of steps. */
#include "base/mem.h"
#include "base/rng.h"
#include "game/playout_stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEAVES 512
#define ROUNDS 5
#define DEEPEST 8  /* of a leaf, in steps */
#define QUANTUM 32 /* playouts that there is to be room for before more leaves are pushed */

struct leaves {
	struct game *g;
	uint64_t *states;
	uint32_t *moves; /* a joint move for each */
	double slice;    /* seconds of a run */
	uint32_t per_leaf;
};

static void say(const char *what, double figure, const char *unit)
{
	printf("%s %.5g %s\n", what, figure, unit);
}

static void walk(struct leaves *l)
{
	struct game *g = l->g;
	struct worker *w = worker_new(g);
	struct rng rng = rng_seed(1);
	l->states = NEW_ARRAY(uint64_t, LEAVES * (size_t)g->words);
	l->moves = NEW_ARRAY(uint32_t, LEAVES * (size_t)g->roles);
	for (size_t i = 0; i < LEAVES;) {
		uint64_t *state = l->states + i * g->words;
		uint32_t *moves = l->moves + i * g->roles, depth = (uint32_t)(rng_next(&rng) % (DEEPEST + 1));
		memcpy(state, g->initial, g->words * sizeof *state);
		for (;; depth--) {
			struct view v = game_look(w, state);
			if (v.terminal || !game_random_move(g, &v, &rng, moves))
				break;
			if (!depth) {
				i++;
				break;
			}
			game_next(w, state, moves, state);
		}
	}
	worker_free(w);
}

/* Per processor second. */
struct rate {
	double playouts, steps;
};

static void keep_best(struct rate *best, double playouts, double steps, double spent)
{
	if (steps / spent > best->steps)
		*best = (struct rate){playouts / spent, steps / spent};
}

/* One job that lasts about as long as asked for. */
static void raw(const struct leaves *l, struct rate *best)
{
	struct playout_job job = {.playouts = 512, .seed = 2};
	for (double spent = 0; spent < l->slice; job.playouts *= 2) {
		struct playout_result r;
		double began = clock_thread();
		if (best->playouts * l->slice > 512)
			job.playouts = (uint64_t)(best->playouts * l->slice * 1.1);
		game_playouts(l->g, &job, &r);
		spent = clock_thread() - began;
		keep_best(best, (double)r.playouts, (double)r.steps, spent);
		playout_result_free(&r);
	}
}

static void count_played(void *context, uint32_t tag, const uint32_t *moves, uint32_t count, const int *goals)
{
	(void)tag;
	(void)moves;
	(void)goals;
	*(uint64_t *)context += count;
}

/* What is under way at the end was played, but is not counted: several playouts of each lane. */
static void stream(const struct leaves *l, bool played, struct rate *best)
{
	uint64_t made = 0;
	struct playout_stream_options o = {.seed = 3, .played = played ? count_played : NULL, .context = &made};
	struct playout_stream *s = playout_stream_new(l->g, &o);
	struct playout_stream_result out;
	uint32_t next = 0, turns = 0;
	double began = clock_thread(), spent = 0;
	do {
		for (; playout_stream_room(s) >= l->per_leaf; next = (next + 1) % LEAVES)
			playout_stream_push(s, l->states + (size_t)next * l->g->words, l->per_leaf, next);
		playout_stream_run(s, QUANTUM > l->per_leaf ? QUANTUM : l->per_leaf, NULL);
		while (playout_stream_take(s, &out))
			;
		if (++turns % 32 == 0) /* looking at the clock is slow */
			spent = clock_thread() - began;
	} while (spent < l->slice || playout_stream_playouts(s) < 4096);
	keep_best(best, (double)playout_stream_playouts(s), (double)playout_stream_steps(s), spent);
	playout_stream_free(s);
}

/* The best of several runs, in turn: others use the machine too. */
static void measure_playouts(const struct leaves *l)
{
	struct rate r = {0}, s = {0}, m = {0};
	for (int i = 0; i < ROUNDS; i++) {
		raw(l, &r);
		stream(l, false, &s);
		stream(l, true, &m);
	}
	say("raw", r.playouts, "playouts/s");
	say("stream", s.playouts, "playouts/s");
	say("stream_with_moves", m.playouts, "playouts/s");
	say("ratio", s.steps / r.steps, "times");
	say("ratio_with_moves", m.steps / r.steps, "times");
}

/* Batches of `count` pairs, with all that a search asks for. */
static void expand(const struct leaves *l, size_t count)
{
	struct game *g = l->g;
	struct worker *w = worker_new(g);
	char name[32];
	struct expansion e = {.states = l->states, .moves = l->moves, .count = count};
	e.next = NEW_ARRAY(uint64_t, count * g->words);
	e.terminal = NEW_ARRAY(uint8_t, count);
	e.goals = NEW_ARRAY(int, count * g->roles);
	e.legal = NEW_ARRAY(uint64_t, count * game_legal_words(g));
	game_expand(w, &e); /* the first time takes longer */
	double began = clock_thread(), spent;
	uint64_t done = 0;
	do {
		game_expand(w, &e);
		done += count;
		spent = clock_thread() - began;
	} while (spent < l->slice);
	snprintf(name, sizeof name, "expand/%zu", count);
	say(name, (double)done / spent, "pairs/s");
	mem_free(e.next);
	mem_free(e.terminal);
	mem_free(e.goals);
	mem_free(e.legal);
	worker_free(w);
}

int main(int argc, char **argv)
{
	struct text source = {0}, error = {0};
	struct diags d = {0};
	struct game_options o = {0};
	if (argc < 2 || argc > 4 || !text_read_file(&source, argv[1], 1 << 24, &error)) {
		fprintf(stderr, "bench-stream GAME.kif [PLAYOUTS PER LEAF [SECONDS OF A RUN]] %s\n", text_str(&error));
		return 2;
	}
	struct gdl_rules *rules = gdl_read(text_str(&source), source.n, &d);
	struct leaves l = {.g = game_make(rules, &o, &error),
	                   .per_leaf = argc > 2 ? (uint32_t)atoi(argv[2]) : 8,
	                   .slice = argc > 3 ? atof(argv[3]) : 0.2};
	if (!l.g || !l.per_leaf) {
		fprintf(stderr, "bench-stream: %s\n", text_str(&error));
		return 2;
	}
	walk(&l);
	measure_playouts(&l);
	static const size_t counts[] = {30, 100, 300};
	for (size_t i = 0; i < 3; i++)
		expand(&l, counts[i]);
	mem_free(l.states);
	mem_free(l.moves);
	game_free(l.g);
	gdl_free(rules);
	diag_free(&d);
	text_free(&source);
	text_free(&error);
	return 0;
}

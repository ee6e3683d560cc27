/* What a search gets of an engine's speed: playouts and expansions per processor second.
 *
 *     bench-stream GAME.kif [PLAYOUTS PER LEAF [SECONDS]]
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
#define DEEPEST 8  /* of a leaf, in steps */
#define QUANTUM 64 /* playouts that there is to be room for before more leaves are pushed */

struct leaves {
	struct game *g;
	uint64_t *states;
	uint32_t *moves; /* a joint move for each */
	double seconds;
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

/* Steps per processor second. */
static double raw(const struct leaves *l)
{
	struct playout_job job = {.playouts = 512, .seed = 2};
	double began, spent;
	for (;; job.playouts *= 2) {
		struct playout_result r;
		began = clock_thread();
		game_playouts(l->g, &job, &r);
		spent = clock_thread() - began;
		double steps = (double)r.steps / spent;
		if (spent >= l->seconds || l->g->engine == ENGINE_INTERPRETER)
			say("raw", (double)r.playouts / spent, "playouts/s");
		playout_result_free(&r);
		if (spent >= l->seconds || l->g->engine == ENGINE_INTERPRETER)
			return steps;
	}
}

static void count_played(void *context, uint32_t tag, const uint32_t *moves, uint32_t count, const int *goals)
{
	(void)tag;
	(void)moves;
	(void)goals;
	*(uint64_t *)context += count;
}

static double stream(const struct leaves *l, bool played)
{
	uint64_t made = 0;
	struct playout_stream_options o = {.seed = 3, .played = played ? count_played : NULL, .context = &made};
	struct playout_stream *s = playout_stream_new(l->g, &o);
	struct playout_stream_result out;
	uint32_t next = 0;
	double began = clock_thread(), spent;
	for (;;) {
		for (; playout_stream_room(s) >= l->per_leaf; next = (next + 1) % LEAVES)
			playout_stream_push(s, l->states + (size_t)next * l->g->words, l->per_leaf, next);
		playout_stream_run(s, QUANTUM > l->per_leaf ? QUANTUM : l->per_leaf, NULL);
		while (playout_stream_take(s, &out))
			;
		spent = clock_thread() - began;
		if (spent >= l->seconds && playout_stream_playouts(s) >= 4096)
			break;
	}
	double steps = (double)playout_stream_steps(s) / spent;
	say(played ? "stream_with_moves" : "stream", (double)playout_stream_playouts(s) / spent, "playouts/s");
	playout_stream_free(s);
	return steps;
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
	double began = clock_thread(), spent;
	uint64_t done = 0;
	do {
		game_expand(w, &e);
		done += count;
		spent = clock_thread() - began;
	} while (spent < l->seconds / 4);
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
		fprintf(stderr, "bench-stream GAME.kif [PLAYOUTS PER LEAF [SECONDS]] %s\n", text_str(&error));
		return 2;
	}
	struct gdl_rules *rules = gdl_read(text_str(&source), source.n, &d);
	struct leaves l = {.g = game_make(rules, &o, &error),
	                   .per_leaf = argc > 2 ? (uint32_t)atoi(argv[2]) : 8,
	                   .seconds = argc > 3 ? atof(argv[3]) : 1};
	if (!l.g || !l.per_leaf) {
		fprintf(stderr, "bench-stream: %s\n", text_str(&error));
		return 2;
	}
	walk(&l);
	double steps = raw(&l);
	say("ratio", stream(&l, false) / steps, "times");
	say("ratio_with_moves", stream(&l, true) / steps, "times");
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

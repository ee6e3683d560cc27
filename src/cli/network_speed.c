/* How many rounds a second: the network by MAC and by FC, and the circuit. */
#include "cli/network.h"

#include "base/rng.h"
#include "base/vec.h"

#include <stdio.h>
#include <string.h>

#define SAMPLE 256

static size_t sample_states(struct game *g, uint64_t *states)
{
	struct worker *w = worker_new(g);
	struct rng rng = rng_seed(7);
	uint32_t *moves = NEW_ARRAY(uint32_t, g->roles + 1);
	uint64_t *s = NEW_ARRAY(uint64_t, g->words + 1);
	size_t n = 0;
	memcpy(s, g->initial, g->words * 8);
	for (int tries = 0; n < SAMPLE && tries < 20 * SAMPLE; tries++) {
		struct view v = game_look(w, s);
		if (v.terminal || !game_random_move(g, &v, &rng, moves)) {
			memcpy(s, g->initial, g->words * 8);
			continue;
		}
		memcpy(states + n++ * g->words, s, g->words * 8);
		game_next(w, s, moves, s);
	}
	worker_free(w);
	mem_free(moves);
	mem_free(s);
	return n;
}

/* Rounds a second; 0: the method does not take so large a network. */
static double network_speed(struct model *m, enum model_method method, const uint64_t *states, size_t n, double seconds,
			    double *runs)
{
	struct limit limit = limit_seconds(seconds);
	struct model_round r = {0};
	double began = clock_thread();
	uint64_t rounds = 0;
	do {
		if (!model_solve(m, method, states + rounds % n * model_game(m)->words, &r))
			break;
		rounds++;
	} while (!limit_reached(&limit));
	*runs = rounds ? (double)r.propagations / (double)rounds : 0;
	model_round_free(&r);
	return (double)rounds / (clock_thread() - began);
}

/* The same by the circuit: look, then all joint moves of the state in one expansion. */
static double circuit_speed(struct game *g, const uint64_t *states, size_t n, double seconds)
{
	struct limit limit = limit_seconds(seconds);
	struct worker *w = worker_new(g);
	VEC(uint64_t) from = {0}, next = {0};
	VEC(uint32_t) moves = {0};
	uint32_t *at = NEW_ARRAY(uint32_t, g->roles + 1);
	double began = clock_thread();
	uint64_t rounds = 0;
	do {
		const uint64_t *s = states + rounds++ % n * g->words;
		struct view v = game_look(w, s);
		size_t count = 0;
		bool more = true;
		vec_clear(&from);
		vec_clear(&moves);
		memcpy(at, v.start, g->roles * sizeof *at);
		while (more) {
			vec_extend(&from, g->words);
			memcpy(from.at + from.n - g->words, s, g->words * 8);
			more = false;
			count++;
			for (uint32_t r = 0; r < g->roles; r++)
				vec_push(&moves, v.legal[at[r]]);
			for (uint32_t r = 0; r < g->roles && !more; r++) {
				more = ++at[r] < v.start[r + 1];
				if (!more)
					at[r] = v.start[r];
			}
		}
		vec_reserve(&next, count * g->words);
		struct expansion e = {.states = from.at, .moves = moves.at, .count = count, .next = next.at};
		game_expand(w, &e);
	} while (!limit_reached(&limit));
	double speed = (double)rounds / (clock_thread() - began);
	worker_free(w);
	vec_free(&from);
	vec_free(&next);
	vec_free(&moves);
	mem_free(at);
	return speed;
}

void network_print_speed(struct model *m, const char *name, double seconds, bool json)
{
	struct game *g = model_game(m);
	uint64_t *states = NEW_ARRAY(uint64_t, (size_t)SAMPLE * g->words + 1);
	size_t n = sample_states(g, states);
	double mac = 0, fc = 0, circuit = 0, runs = 0, unused;
	if (n) {
		mac = network_speed(m, MODEL_MAC, states, n, seconds, &runs);
		fc = network_speed(m, MODEL_FC, states, n, seconds, &unused);
		circuit = circuit_speed(g, states, n, seconds);
	}
	if (json)
		printf("{\"game\":\"%s\",\"states\":%zu,\"mac_rounds_per_second\":%.0f,\"fc_rounds_per_second\":%.0f,"
		       "\"circuit_rounds_per_second\":%.0f,\"propagations_per_round\":%.0f}\n",
		       name, n, mac, fc, circuit, runs);
	else
		printf("%s: rounds a second: MAC %.0f, FC %.0f, circuit %.0f (%zu states, %.0f tables run a round)\n", name, mac, fc,
		       circuit, n, runs);
	mem_free(states);
}

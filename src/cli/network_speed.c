/* How many rounds per second: the network by MAC (from round to round, and anew each time) and by FC, and the circuit.
 */
#include "cli/network.h"

#include "cli/output.h"
#include "macaw/worker.h"
#include "show/terminal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SAMPLE 256

struct sample {
	macaw_game *game;
	macaw_worker *worker;
	uint32_t roles;
	size_t words, count;
	uint64_t *positions;
};

/* Positions of random play that go on. */
static void take_sample(struct sample *s)
{
	uint32_t *moves = NEW_ARRAY(uint32_t, s->roles + 1);
	uint64_t *p = NEW_ARRAY(uint64_t, s->words + 1), seed = 7;
	const uint64_t *initial = macaw_position_initial(s->game);
	macaw_view v;
	memcpy(p, initial, s->words * sizeof *p);
	for (int tries = 0; s->count < SAMPLE && tries < 20 * SAMPLE && macaw_look(s->worker, p, &v); tries++) {
		if (v.terminal || !macaw_random_moves(s->game, &v, &seed, moves)) {
			memcpy(p, initial, s->words * sizeof *p);
			continue;
		}
		memcpy(s->positions + s->count++ * s->words, p, s->words * sizeof *p);
		macaw_next(s->worker, p, moves, p);
	}
	mem_free(moves);
	mem_free(p);
}

/* Rounds per second; 0: the network is too large for the method. */
static double network_speed(macaw_network *n, enum macaw_round_method method, const struct sample *s, double seconds,
                            double *runs)
{
	uint64_t rounds = 0, propagations = 0;
	macaw_round round;
	macaw_network_solve(n, method, s->positions, &round); /* the first one prepares what the others use */
	struct limit limit = limit_seconds(seconds);
	double began = clock_thread();
	do {
		if (!macaw_network_solve(n, method, s->positions + rounds % s->count * s->words, &round))
			break;
		propagations += round.propagations;
		rounds++;
	} while (!limit_reached(&limit));
	*runs = rounds ? (double)propagations / (double)rounds : 0;
	return (double)rounds / (clock_thread() - began);
}

struct batch {
	VEC(uint64_t) from, next;
	VEC(uint32_t) moves;
	uint32_t *at; /* by role: where in its legal moves */
};

/* All joint moves of a position, an odometer over the roles' moves; returns how many. */
static size_t list_joint_moves(const struct sample *s, const uint64_t *p, const macaw_view *v, struct batch *b)
{
	size_t count = 0;
	vec_clear(&b->from);
	vec_clear(&b->moves);
	memcpy(b->at, v->start, s->roles * sizeof *b->at);
	for (bool more = true; more; count++) {
		vec_extend(&b->from, s->words);
		memcpy(b->from.at + b->from.n - s->words, p, s->words * sizeof *p);
		more = false;
		for (uint32_t r = 0; r < s->roles; r++)
			vec_push(&b->moves, v->legal[b->at[r]]);
		for (uint32_t r = 0; r < s->roles && !more; r++) {
			more = ++b->at[r] < v->start[r + 1];
			if (!more)
				b->at[r] = v->start[r];
		}
	}
	return count;
}

/* The same by the circuit: look, then all joint moves of the position in one pass. */
static double circuit_speed(const struct sample *s, double seconds)
{
	struct limit limit = limit_seconds(seconds);
	struct batch b = {.at = NEW_ARRAY(uint32_t, s->roles + 1)};
	double began = clock_thread();
	uint64_t rounds = 0;
	do {
		const uint64_t *p = s->positions + rounds++ % s->count * s->words;
		macaw_view v;
		macaw_look(s->worker, p, &v);
		size_t count = list_joint_moves(s, p, &v, &b);
		vec_reserve(&b.next, count * s->words);
		macaw_look_many(s->worker,
		                &(macaw_batch){.positions = b.from.at, .moves = b.moves.at, .count = count, .next = b.next.at});
	} while (!limit_reached(&limit));
	double speed = (double)rounds / (clock_thread() - began);
	vec_free(&b.from);
	vec_free(&b.next);
	vec_free(&b.moves);
	mem_free(b.at);
	return speed;
}

struct speeds {
	double mac, anew, fc, circuit; /* rounds per second of the processor */
	double runs;                   /* tables looked at per round by MAC */
};

static double milliseconds(double speed)
{
	return speed > 0 ? 1e3 / speed : 0;
}

static void json_speed(const struct sample *s, const struct speeds *x)
{
	struct text t = {0};
	struct json_writer w = {.out = &t};
	jsonw_object(&w, NULL);
	jsonw_text(&w, "game", macaw_game_name(s->game));
	jsonw_uint(&w, "states", s->count);
	jsonw_int(&w, "mac_rounds_per_second", llround(x->mac));
	jsonw_int(&w, "anew_rounds_per_second", llround(x->anew));
	jsonw_int(&w, "fc_rounds_per_second", llround(x->fc));
	jsonw_int(&w, "circuit_rounds_per_second", llround(x->circuit));
	jsonw_int(&w, "propagations_per_round", llround(x->runs));
	jsonw_real(&w, "mac_ms", milliseconds(x->mac));
	jsonw_real(&w, "anew_ms", milliseconds(x->anew));
	jsonw_end(&w);
	output_line(&t);
}

static void measure(macaw_network *n, const struct sample *s, double seconds, struct speeds *x)
{
	double unused;
	x->mac = network_speed(n, MACAW_ROUND_MAC, s, seconds, &x->runs);
	x->anew = network_speed(n, MACAW_ROUND_MAC_ANEW, s, seconds, &unused);
	x->fc = network_speed(n, MACAW_ROUND_FC, s, seconds, &unused);
	x->circuit = circuit_speed(s, seconds);
}

bool network_print_speed(macaw_network *n, double seconds, bool json)
{
	macaw_error error;
	macaw_game *g = macaw_network_game(n);
	struct sample s = {.game = g,
	                   .worker = macaw_worker_new(g, &error),
	                   .roles = macaw_game_roles(g),
	                   .words = macaw_position_words(g)};
	struct speeds x = {0};
	if (!s.worker) {
		fprintf(stderr, "macaw network: %s\n", error.text);
		return false;
	}
	s.positions = NEW_ARRAY(uint64_t, SAMPLE * s.words + 1);
	take_sample(&s);
	if (s.count)
		measure(n, &s, seconds, &x);
	if (json)
		json_speed(&s, &x);
	else
		printf("%s: rounds a second: MAC %.0f (%.3f ms each), anew each time %.0f (%.3f ms), FC %.0f, circuit %.0f "
		       "(%zu states, %.0f "
		       "tables looked at a round)\n",
		       macaw_game_name(g), x.mac, milliseconds(x.mac), x.anew, milliseconds(x.anew), x.fc, x.circuit, s.count,
		       x.runs);
	macaw_worker_free(s.worker);
	mem_free(s.positions);
	return true;
}

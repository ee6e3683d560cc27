/* What mixed strategies lose: bench-best-reply STEPS POSITIONS CLOCK GAME.kif PLAYER... Random matches of two roles who
 * choose at once give positions after so many steps, which are solved. Each player has so many seconds of the processor
 * for a move of each role there. Printed: how much less than the value of the position the probabilities of its moves
 * are worth against the best reply, both roles playing on without mistakes, as a mean over those positions that are
 * neither won nor lost. */
#include "play/proof/simultaneous.h"

#include "common.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define TABLE ((size_t)512 << 20)

/* A position with the values of all that can follow, by row and column. */
struct solved {
	const uint64_t *state;
	double value, *after;
	uint32_t count[2], *legal[2];
};

static double value_of(struct simultaneous *q, struct seat *s, const uint64_t *state)
{
	struct view v = game_look(s->worker, state);
	if (v.terminal)
		return v.goals[0];
	simultaneous_run(q, s, state, &(struct budget){0});
	struct simultaneous_bounds b = simultaneous_bounds(q, state);
	if (!simultaneous_fits(q) || !simultaneous_solved(b))
		bench_fail("bench-best-reply", "a position cannot be solved");
	return (b.low + b.high) / 2;
}

static void solve(struct simultaneous *q, struct seat *s, const uint64_t *state, struct solved *out)
{
	struct view v = game_look(s->worker, state);
	out->state = state;
	for (uint32_t r = 0; r < 2; r++) {
		out->count[r] = v.start[r + 1] - v.start[r];
		out->legal[r] = mem_alloc(out->count[r], sizeof **out->legal);
		memcpy(out->legal[r], v.legal + v.start[r], out->count[r] * sizeof **out->legal);
	}
	uint64_t *next = mem_alloc(s->game->words, sizeof *next);
	uint32_t columns = out->count[1], all = out->count[0] * columns;
	out->value = value_of(q, s, state);
	out->after = mem_alloc(all, sizeof *out->after);
	for (uint32_t k = 0; k < all; k++) {
		uint32_t joint[2] = {out->legal[0][k / columns], out->legal[1][k % columns]};
		game_next(s->worker, state, joint, next);
		out->after[k] = value_of(q, s, next);
	}
	mem_free(next);
}

static double loss(struct game *g, const struct solved *p, uint32_t role, const char *word, double clock)
{
	struct text error = {0};
	struct player *player = player_make(g, role, word, 5, &error);
	if (!player)
		bench_fail(word, text_str(&error));
	struct turn t = {.state = p->state, .legal = p->legal[role], .legal_count = p->count[role], .own_last = GAME_NONE};
	struct choice c = player_move(player, &t, &(struct budget){.limit = limit_seconds_of(CLOCK_OF_PROCESS, clock)});
	struct move_value *values = NEW_ARRAY(struct move_value, t.legal_count);
	player_values(player, &t, values);
	double worst = HUGE_VAL, value = role ? 100 - p->value : p->value;
	for (uint32_t j = 0; j < p->count[1 - role]; j++) {
		double sum = 0;
		for (uint32_t i = 0; i < t.legal_count; i++) {
			double share = values[i].share >= 0 ? values[i].share : t.legal[i] == c.move;
			double after = role ? 100 - p->after[j * p->count[1] + i] : p->after[i * p->count[1] + j];
			sum += share * after;
		}
		worst = fmin(worst, sum);
	}
	mem_free(values);
	player_free(player);
	return value - worst;
}

int main(int count, char **words)
{
	if (count < 6) {
		fprintf(stderr, "usage: bench-best-reply STEPS POSITIONS CLOCK GAME.kif PLAYER...\n");
		return 2;
	}
	struct bench_game g = bench_load(words[4]);
	struct seat s = {.game = g.game, .worker = worker_new(g.game), .rng = rng_seed(9)};
	struct simultaneous *q = simultaneous_new(&s, TABLE);
	if (!q)
		bench_fail(words[4], "not a game for the solver");
	uint64_t *state = mem_alloc(g.game->words, sizeof *state);
	double *sum = NEW_ARRAY(double, (size_t)count);
	uint32_t open = 0;
	for (int k = 0; k < atoi(words[2]); k++) {
		struct solved p = {0};
		if (!bench_walk(&s, (uint32_t)atoi(words[1]), state))
			continue;
		solve(q, &s, state, &p);
		if (p.value > 0.01 && p.value < 99.99) {
			open++;
			for (int i = 5; i < count; i++)
				sum[i] += loss(g.game, &p, 0, words[i], atof(words[3])) + loss(g.game, &p, 1, words[i], atof(words[3]));
		}
		mem_free(p.legal[0]);
		mem_free(p.legal[1]);
		mem_free(p.after);
	}
	printf("%u positions after %s steps, neither won nor lost\n", open, words[1]);
	for (int i = 5; i < count; i++)
		printf("  %-24s loses %6.2f points a move\n", words[i], sum[i] / (2 * (open ? open : 1)));
	mem_free(sum);
	mem_free(state);
	simultaneous_free(q);
	worker_free(s.worker);
	bench_unload(&g);
	return 0;
}

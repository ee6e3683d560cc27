/* Do the values of the two sides add up? In a match of a player against itself, what the mover expects at one ply and
 * what the opponent expects at the next are about the same position: in games with 100 points to share their sum should
 * be about 100. More means that both overrate themselves, less that they underrate.
 *
 *     bench-consistency [--player WORD] [--clock S] [--games A,B,…] [--count N]
 *
 * Matches begin with some random plies; both players keep their trees. Processor time. Values that are proved are left
 * out. Prints by game: the mean of the sums, their standard deviation, and how many there were. */
#include "base/mem.h"
#include "base/opt.h"
#include "base/stats.h"
#include "common.h"
#include "play/player.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_MATCHES 1000

struct settings {
	const char *player, *games;
	double clock;
	int64_t count, plies, seed;
	bool lines;
};

#define FIELD(f) offsetof(struct settings, f)
static const struct opt table[] = {
	{"player", 'p', OPT_TEXT, FIELD(player), "WORD", "who is asked", .words = "macaw"},
	{"clock", 'c', OPT_REAL, FIELD(clock), "S", "processor seconds per move", .real = 0.1, .min = 0.001, .max = 1e6},
	{"games", 'g', OPT_TEXT, FIELD(games), "A,B,…", "rulesheets, or names of games/",
     .words = "connect_four,breakthrough,knightthrough,othello,pentago,quarto,hex,dots_and_boxes,checkers"},
	{"count", 'n', OPT_INT, FIELD(count), "N", "sums per game", .whole = 50, .min = 1, .max = 1e6},
	{"plies", 0, OPT_INT, FIELD(plies), "N", "random plies at the start of each match", .whole = 2, .min = 0,
     .max = 1000},
	{"seed", 0, OPT_INT, FIELD(seed), "S", "of openings and players", .whole = 1, .min = 0, .max = 1e15},
	{"lines", 0, OPT_FLAG, FIELD(lines), NULL, "print lines of three words: what, figure, unit"},
	{0}};

struct sums {
	double n, sum, squares;
};

/* What was expected at the last ply. */
struct expected {
	uint32_t role;
	double value; /* below 0: not known, or proved */
};

struct match {
	const struct settings *o;
	struct game *game;
	struct worker *worker;
	struct player *players[2];
	uint64_t *state;
	uint32_t joint[2], step;
};

/* The only role with a choice, or the number of roles. */
static uint32_t mover_of(const struct view *v)
{
	bool first = v->start[1] - v->start[0] > 1, second = v->start[2] - v->start[1] > 1;
	return first == second ? 2 : second;
}

static double value_of(struct player *p, const struct turn *t, uint32_t move)
{
	struct move_value *all = NEW_ARRAY(struct move_value, t->legal_count);
	double value = -1;
	bool known = player_values(p, t, all);
	for (uint32_t i = 0; i < t->legal_count && known; i++)
		if (all[i].move == move && all[i].low < all[i].high)
			value = all[i].value;
	mem_free(all);
	return value;
}

/* Both are asked, as in a match; returns what the mover expects. */
static double think(struct match *m, const struct view *v, uint32_t mover)
{
	double value = -1;
	uint32_t joint[2];
	uint32_t *legal = mem_alloc(v->start[2] + 1, sizeof *legal), start[3];
	memcpy(legal, v->legal, v->start[2] * sizeof *legal);
	memcpy(start, v->start, sizeof start);
	for (uint32_t r = 0; r < 2; r++) {
		struct turn t = {.step = m->step,
		                 .state = m->state,
		                 .last = m->step ? m->joint : NULL,
		                 .legal = legal + start[r],
		                 .legal_count = start[r + 1] - start[r],
		                 .own_last = m->step ? m->joint[r] : GAME_NONE};
		struct budget b = {.limit = limit_seconds_of(CLOCK_OF_PROCESS, m->o->clock), .margin = -1};
		joint[r] = player_move(m->players[r], &t, &b).move;
		if (r == mover)
			value = value_of(m->players[r], &t, joint[r]);
	}
	memcpy(m->joint, joint, sizeof joint);
	mem_free(legal);
	return value;
}

static void add(struct sums *s, const struct expected *before, const struct expected *now)
{
	if (before->value < 0 || now->value < 0)
		return;
	/* who moves twice should expect the same twice */
	double x = before->role == now->role ? now->value + 100 - before->value : now->value + before->value;
	s->n++;
	s->sum += x;
	s->squares += x * x;
}

/* False: no game of two that move in turn. */
static bool play(struct match *m, struct rng *rng, struct sums *s)
{
	struct expected before = {.value = -1};
	memcpy(m->state, m->game->initial, m->game->words * sizeof *m->state);
	for (m->step = 0; s->n < (double)m->o->count; m->step++) {
		struct view v = game_look(m->worker, m->state);
		uint32_t mover = mover_of(&v);
		if (v.terminal)
			return true;
		if (v.start[1] - v.start[0] > 1 && mover == 2)
			return false;
		if (m->step < m->o->plies) {
			game_random_move(m->game, &v, rng, m->joint);
		} else {
			struct expected now = {mover, think(m, &v, mover)};
			add(s, &before, &now);
			before = now;
		}
		game_next(m->worker, m->state, m->joint, m->state);
	}
	return true;
}

static bool play_match(struct match *m, uint64_t seed, struct sums *s)
{
	struct rng rng = rng_seed(seed);
	struct text error = {0};
	for (uint32_t r = 0; r < 2; r++) {
		m->players[r] = player_make(m->game, r, m->o->player, seed * 2 + r, &error);
		if (!m->players[r])
			bench_fail(m->o->player, text_str(&error));
	}
	bool fine = play(m, &rng, s);
	for (uint32_t r = 0; r < 2; r++)
		player_free(m->players[r]);
	return fine;
}

static void report(const struct settings *o, const char *name, const struct sums *s)
{
	double mean = s->n > 0 ? s->sum / s->n : NAN, spread = sqrt(stats_variance(s->sum, s->squares, s->n));
	if (o->lines) {
		printf("%s/mean %.2f points\n%s/spread %.2f points\n", name, mean, name, spread);
	} else {
		double error = STATS_Z95 * spread / sqrt(s->n);
		printf("%-24s mean %6.1f +- %4.1f  spread %5.1f  of %.0f\n", name, mean, error, spread, s->n);
	}
	fflush(stdout);
}

static void measure(const struct settings *o, const char *word)
{
	struct text path = {0};
	struct sums s = {0};
	text_printf(&path, strchr(word, '/') ? "%s" : "games/%s.kif", word);
	struct bench_game g = bench_load(text_str(&path));
	struct match m = {.o = o, .game = g.game, .worker = worker_new(g.game)};
	m.state = NEW_ARRAY(uint64_t, g.game->words);
	bool fine = g.game->roles == 2 && !g.game->hidden;
	for (uint64_t i = 0; i < MOST_MATCHES && s.n < (double)o->count && fine; i++)
		fine = play_match(&m, (uint64_t)o->seed + i, &s);
	if (!fine)
		bench_fail(word, "not a game of two that move in turn");
	report(o, word, &s);
	mem_free(m.state);
	worker_free(m.worker);
	bench_unload(&g);
	text_free(&path);
}

int main(int count, char **words)
{
	struct settings o;
	struct text error = {0};
	struct bench_words games = {0};
	if (opt_parse(table, &o, count, words, &error) != 0) {
		fprintf(stderr, "bench-consistency: %s\n", error.n ? text_str(&error) : "unknown argument");
		return 2;
	}
	bench_split(&games, o.games, ',');
	for (size_t i = 0; i < games.at.n; i++)
		measure(&o, games.at.at[i]);
	bench_words_free(&games);
	return 0;
}

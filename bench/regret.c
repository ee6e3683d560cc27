/* How much do moves of a short search cost, judged by long ones? Positions are taken from matches of short searches;
 * judges think long about each and say what every move is worth; players are asked for a move with a short clock. The
 * regret of a move is the difference between the best value and its own. One position costs as much as one move, and
 * differences of players are taken position by position: much cheaper than matches, but what the judges do not see is
 * not measured.
 *
 *     bench-regret [--games A,B,…] [--count N] [--clock S] [--long S]
 *                  [--judges P,P,…] [--positions FILE] [--players P,P,…]
 *
 * Processor time. The files of positions, FILE.GAME, are made when there are none, and read when there are. Prints by
 * game and player the mean regret in points of 100, and the difference to the first player with its 95% interval. */
#include "base/mem.h"
#include "base/opt.h"
#include "base/stats.h"
#include "common.h"
#include "play/player.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_TRIES 100 /* matches for one position */

struct settings {
	const char *players, *judges, *games, *positions;
	double clock, length, walk;
	int64_t count, seed, repeat;
	bool each;
};

#define FIELD(f) offsetof(struct settings, f)
static const struct opt table[] = {
	{"players", 'p', OPT_TEXT, FIELD(players), "P,P,…", "who is asked for moves", .words = "macaw"},
	{"judges", 'j', OPT_TEXT, FIELD(judges), "P,P,…", "who says what moves are worth: the mean of all",
     .words = "macaw:shape=tree"},
	{"clock", 'c', OPT_REAL, FIELD(clock), "S", "processor seconds per move", .real = 0.2, .min = 0.001, .max = 1e6},
	{"long", 'l', OPT_REAL, FIELD(length), "S", "processor seconds of a judge", .real = 5, .min = 0.001, .max = 1e6},
	{"walk", 0, OPT_REAL, FIELD(walk), "S", "processor seconds per move on the way to a position", .real = 0.02,
     .min = 0.001, .max = 1e6},
	{"games", 'g', OPT_TEXT, FIELD(games), "A,B,…", "rulesheets, or names of games/",
     .words = "connect_four,breakthrough,othello,pentago,hex,amazons"},
	{"count", 'n', OPT_INT, FIELD(count), "N", "positions per game", .whole = 30, .min = 1, .max = 1e6},
	{"repeat", 'r', OPT_INT, FIELD(repeat), "N", "moves of each player per position", .whole = 1, .min = 1, .max = 1e6},
	{"positions", 0, OPT_TEXT, FIELD(positions), "FILE", "positions and values, for many runs"},
	{"each", 0, OPT_FLAG, FIELD(each), NULL, "print the regret of every position too"},
	{"seed", 0, OPT_INT, FIELD(seed), "S", "of positions and players", .whole = 1, .min = 0, .max = 1e15},
	{0}};

struct position {
	uint64_t *state;
	uint32_t role;
	VEC(double) value; /* by legal move */
};

struct field {
	const struct settings *o;
	struct game *game;
	struct worker *worker;
	VEC(struct position) at;
};

/* The moves of the role with a choice. False: nobody or several have one, or it is over. */
static bool turn_at(struct field *f, const uint64_t *state, struct turn *t, uint32_t *role)
{
	struct view v = game_look(f->worker, state);
	uint32_t movers = 0;
	for (uint32_t r = 0; r < f->game->roles; r++)
		if (v.start[r + 1] - v.start[r] > 1) {
			movers++;
			*role = r;
		}
	if (v.terminal || movers != 1)
		return false;
	uint32_t count = v.start[*role + 1] - v.start[*role], *legal = mem_alloc(count, sizeof *legal);
	memcpy(legal, v.legal + v.start[*role], count * sizeof *legal);
	*t = (struct turn){.state = state, .legal = legal, .legal_count = count, .own_last = GAME_NONE};
	return true;
}

/* Asks a player that knows nothing yet; `values` may be NULL. */
static uint32_t ask(struct field *f, const char *word, const struct turn *t, uint32_t role, double seconds,
                    uint64_t seed, struct move_value *values)
{
	struct text error = {0};
	struct player *p = player_make(f->game, role, word, seed, &error);
	if (!p)
		bench_fail(word, text_str(&error));
	struct budget b = {.limit = limit_seconds_of(CLOCK_OF_PROCESS, seconds), .margin = -1};
	uint32_t move = player_move(p, t, &b).move;
	if (values && !player_values(p, t, values))
		bench_fail(word, "a judge must know what moves are worth");
	player_free(p);
	return move;
}

/* Moves that lead to the same state are worth the same; a judge may know one of them only. */
static void share_values(struct field *f, const struct turn *t, const struct position *p, struct move_value *values)
{
	uint32_t words = f->game->words, *joint = NEW_ARRAY(uint32_t, f->game->roles);
	uint64_t *next = mem_alloc((size_t)t->legal_count * words + 1, sizeof *next);
	struct view v = game_look(f->worker, p->state);
	for (uint32_t r = 0; r < f->game->roles; r++)
		joint[r] = v.legal[v.start[r]];
	for (uint32_t i = 0; i < t->legal_count; i++) {
		joint[p->role] = t->legal[i];
		game_next(f->worker, p->state, joint, next + (size_t)i * words);
	}
	for (uint32_t i = 0; i < t->legal_count; i++)
		for (uint32_t k = 0; k < i; k++)
			if (!memcmp(next + (size_t)i * words, next + (size_t)k * words, words * sizeof *next))
				values[i].value = values[k].value = fmax(values[i].value, values[k].value);
	mem_free(next);
	mem_free(joint);
}

/* False: it is decided, or nobody knows. */
static bool judge(struct field *f, struct position *p)
{
	struct turn t;
	struct bench_words judges = {0};
	double most = 0;
	if (!turn_at(f, p->state, &t, &p->role))
		return false;
	struct move_value *values = NEW_ARRAY(struct move_value, t.legal_count);
	vec_extend(&p->value, t.legal_count);
	memset(p->value.at, 0, t.legal_count * sizeof *p->value.at);
	bench_split(&judges, f->o->judges, ',');
	for (size_t j = 0; j < judges.at.n; j++) {
		ask(f, judges.at.at[j], &t, p->role, f->o->length, (uint64_t)f->o->seed + j, values);
		share_values(f, &t, p, values);
		for (uint32_t i = 0; i < t.legal_count; i++)
			p->value.at[i] += fmax(values[i].value, 0) / (double)judges.at.n;
	}
	for (uint32_t i = 0; i < t.legal_count; i++)
		most = fmax(most, p->value.at[i]);
	bench_words_free(&judges);
	mem_free(values);
	mem_free((void *)(uintptr_t)t.legal);
	return most > 2 && most < 98;
}

/* A match by short searches from a random opening, up to a random step. */
static bool walk(struct field *f, struct rng *rng, uint32_t steps, uint64_t *state)
{
	uint32_t *joint = NEW_ARRAY(uint32_t, f->game->roles);
	bool fine = true;
	memcpy(state, f->game->initial, f->game->words * sizeof *state);
	for (uint32_t i = 0; i < steps && fine; i++) {
		struct view v = game_look(f->worker, state);
		struct turn t;
		uint32_t role;
		fine = !v.terminal && game_random_move(f->game, &v, rng, joint);
		if (fine && i >= 2 && turn_at(f, state, &t, &role)) {
			joint[role] = ask(f, "macaw:shape=tree", &t, role, f->o->walk, rng_next(rng), NULL);
			mem_free((void *)(uintptr_t)t.legal);
		}
		if (fine)
			game_next(f->worker, state, joint, state);
	}
	mem_free(joint);
	return fine && !game_look(f->worker, state).terminal;
}

static void make_positions(struct field *f)
{
	struct rng rng = rng_seed((uint64_t)f->o->seed);
	struct playout_result r;
	game_playouts(f->game, &(struct playout_job){.playouts = 256, .seed = 1, .max_steps = 1000}, &r);
	uint32_t longest = (uint32_t)(0.6 * (double)r.steps / (double)(r.playouts + 1)) + 3;
	playout_result_free(&r);
	for (uint32_t tries = 0; f->at.n < (size_t)f->o->count && tries < MOST_TRIES * f->o->count; tries++) {
		struct position p = {.state = NEW_ARRAY(uint64_t, f->game->words)};
		if (walk(f, &rng, 2 + rng_below(&rng, longest), p.state) && judge(f, &p)) {
			vec_push(&f->at, p);
		} else {
			mem_free(p.state);
			vec_free(&p.value);
		}
	}
}

/* ---- the file ------------------------------------------------------------------------------------ */

static void write_positions(const struct field *f, FILE *out)
{
	for (size_t i = 0; i < f->at.n; i++) {
		const struct position *p = &f->at.at[i];
		fprintf(out, "%u %zu", p->role, p->value.n);
		for (uint32_t w = 0; w < f->game->words; w++)
			fprintf(out, " %" PRIx64, p->state[w]);
		for (size_t k = 0; k < p->value.n; k++)
			fprintf(out, " %.3f", p->value.at[k]);
		fprintf(out, "\n");
	}
}

static void read_positions(struct field *f, FILE *in)
{
	uint32_t role;
	size_t count;
	while (f->at.n < (size_t)f->o->count && fscanf(in, "%u %zu", &role, &count) == 2) {
		struct position p = {.state = NEW_ARRAY(uint64_t, f->game->words), .role = role};
		bool fine = count < 1000000;
		vec_extend(&p.value, fine ? count : 0);
		for (uint32_t w = 0; w < f->game->words; w++)
			fine &= fscanf(in, "%" SCNx64, &p.state[w]) == 1;
		for (size_t k = 0; k < p.value.n; k++)
			fine &= fscanf(in, "%lf", &p.value.at[k]) == 1;
		if (!fine)
			bench_fail(f->o->positions, "not a file of positions");
		vec_push(&f->at, p);
	}
}

static void find_positions(struct field *f, const char *name)
{
	struct text path = {0};
	if (f->o->positions) {
		const char *slash = strrchr(name, '/');
		text_printf(&path, "%s.%s", f->o->positions, slash ? slash + 1 : name);
	}
	FILE *file = path.n ? fopen(text_str(&path), "r") : NULL;
	if (file) {
		read_positions(f, file);
	} else {
		make_positions(f);
		file = path.n ? fopen(text_str(&path), "w") : NULL;
		if (path.n && !file)
			bench_fail(text_str(&path), "cannot be written");
		if (file)
			write_positions(f, file);
	}
	if (!f->at.n)
		bench_fail(name, "no positions in which one role chooses and nothing is decided");
	if (file)
		fclose(file);
	text_free(&path);
}

/* ---- players --------------------------------------------------------------------------------------- */

static double regret(struct field *f, const struct position *p, const char *player)
{
	struct turn t;
	uint32_t role;
	double best = 0, sum = 0;
	if (!turn_at(f, p->state, &t, &role) || role != p->role || t.legal_count != p->value.n)
		bench_fail(f->o->positions, "positions of another game");
	for (size_t i = 0; i < p->value.n; i++)
		best = fmax(best, p->value.at[i]);
	for (int64_t k = 0; k < f->o->repeat; k++) {
		uint32_t move = ask(f, player, &t, role, f->o->clock, (uint64_t)(f->o->seed + 1000 + k), NULL);
		for (uint32_t i = 0; i < t.legal_count; i++)
			if (t.legal[i] == move)
				sum += best - p->value.at[i];
	}
	mem_free((void *)(uintptr_t)t.legal);
	return sum / (double)f->o->repeat;
}

static void measure(const struct settings *o, const char *word, const struct bench_words *players)
{
	struct text path = {0};
	text_printf(&path, strchr(word, '/') ? "%s" : "games/%s.kif", word);
	struct bench_game g = bench_load(text_str(&path));
	struct field f = {.o = o, .game = g.game, .worker = worker_new(g.game)};
	find_positions(&f, word);
	double *first = NEW_ARRAY(double, f.at.n + 1), n = (double)f.at.n;
	for (size_t k = 0; k < players->at.n; k++) {
		double sum = 0, less = 0, squares = 0;
		for (size_t i = 0; i < f.at.n; i++) {
			double x = regret(&f, &f.at.at[i], players->at.at[k]);
			if (!k)
				first[i] = x;
			if (o->each)
				printf("%s %s position %zu: %.2f\n", word, players->at.at[k], i, x);
			sum += x;
			less += x - first[i];
			squares += (x - first[i]) * (x - first[i]);
		}
		double error = STATS_Z95 * sqrt(stats_variance(less, squares, n) / n);
		printf("%-24s %-40s regret %5.2f  difference %+5.2f +- %4.2f  of %.0f\n", word, players->at.at[k], sum / n,
		       less / n, error, n);
		fflush(stdout);
	}
	for (size_t i = 0; i < f.at.n; i++) {
		mem_free(f.at.at[i].state);
		vec_free(&f.at.at[i].value);
	}
	vec_free(&f.at);
	mem_free(first);
	worker_free(f.worker);
	bench_unload(&g);
	text_free(&path);
}

int main(int count, char **words)
{
	struct settings o;
	struct text error = {0};
	struct bench_words games = {0}, players = {0};
	if (opt_parse(table, &o, count, words, &error) != 0) {
		fprintf(stderr, "bench-regret: %s\n", error.n ? text_str(&error) : "unknown argument");
		return 2;
	}
	bench_split(&games, o.games, ',');
	bench_split(&players, o.players, ',');
	for (size_t i = 0; i < games.at.n; i++)
		measure(&o, games.at.at[i], &players);
	bench_words_free(&games);
	bench_words_free(&players);
	return 0;
}

/* Solved positions: how often do players choose a move that keeps the value of the position?
 *
 *     bench-positions [--players A,B,…] [--clock S,S,…] [--games all|A,B,…] [--count N] [--other COMMAND]
 *
 * Positions are reached by random plies (exact_walk()) and have no move that wins at once; at most a third of their
 * moves keep the value that they have with best play, by the exact solver of exact.h. They are made once and kept in a
 * folder. Players think on processor time, afresh in every position. Besides the shares, pairs: in how many positions
 * only the first player was right, and only this one.
 *
 * A player @WORD is one of another program, the first of --other (@2WORD: the second): for each position it is started
 * as `COMMAND GAME ROLE WORD SEED`, reads a line `move SECONDS (A B) (C D) …` with all joint moves from the start of
 * the game, and writes a line `move M`, with anything after a tab. So the players of an older build are asked the same.
 */
#include "base/mem.h"
#include "base/opt.h"
#include "base/stats.h"
#include "common.h"
#include "exact.h"
#include "play/player.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Plies are such that most positions are solved in less than half a second. */
static const struct suite {
	const char *name, *path;
	uint32_t plies;
} suites[] = {
	{"connect_four", "games/connect_four.kif", 21},
	{"connect_four_8x6", "bench/games/connect_four_8x6.kif", 25},
	{"breakthrough_6x6", "games/breakthrough_6x6.kif", 30},
	{"knightthrough_6x6", "bench/games/knightthrough_6x6.kif", 10},
	{"othello_6x6", "bench/games/othello_6x6.kif", 20},
	{"pentago", "games/pentago.kif", 54},
	{"quarto", "games/quarto.kif", 16},
	{"dots_and_boxes_3x3", "bench/games/dots_and_boxes_3x3.kif", 8},
};

#define SUITES (sizeof suites / sizeof *suites)
#define MOST_NODES 100000 /* larger positions are left out */
#define MOST_PLIES 64
#define MOST_PLAYERS 16
#define MOST_CLOCKS 8

struct settings {
	const char *players, *clocks, *games, *cache, *other;
	int64_t count, seed;
	bool lines, misses;
};

#define FIELD(f) offsetof(struct settings, f)
static const struct opt table[] = {
	{"players", 'p', OPT_TEXT, FIELD(players), "A,B,…", "who is asked; @WORD: a player of --other", .words = "macaw"},
	{"clock", 'c', OPT_TEXT, FIELD(clocks), "S,S,…", "processor seconds per move", .words = "0.05"},
	{"games", 'g', OPT_TEXT, FIELD(games), "A,B,…", "some games instead of all", .words = "all"},
	{"count", 'n', OPT_INT, FIELD(count), "N", "positions per game", .whole = 100, .min = 1, .max = 100000},
	{"seed", 0, OPT_INT, FIELD(seed), "S", "of the players", .whole = 1, .min = 0, .max = 1e15},
	{"cache", 0, OPT_TEXT, FIELD(cache), "FOLDER", "where solved positions are kept", .words = "build/positions"},
	{"other", 0, OPT_TEXT, FIELD(other), "COMMAND,…",
     "other programs with players, separated by commas: see bench/positions.c"},
	{"lines", 0, OPT_FLAG, FIELD(lines), NULL, "print lines of three words: what, figure, unit"},
	{"misses", 0, OPT_FLAG, FIELD(misses), NULL, "print every position in which the value was lost"},
	{0}};

struct position {
	uint64_t *state;
	uint32_t *joint; /* two moves per ply: the way to it */
	uint32_t role;
	int value;
	VEC(uint32_t) keep;
};

struct bench {
	const struct settings *o;
	const struct suite *suite;
	struct bench_game loaded;
	struct game *game; /* of loaded */
	struct worker *worker;
	VEC(struct position) positions;
	struct bench_words players, clocks, others;
};

/* What a player did at a clock, over the games. */
struct result {
	uint32_t asked, right, only_first, only_this;
};

/* ---- solved positions in a file -------------------------------------------------------------- */

static void put_move(const struct bench *b, uint32_t move, struct text *out)
{
	game_print_move(b->game, move, out);
}

static void put_position(const struct bench *b, const struct position *p, uint64_t attempt, struct text *out)
{
	text_printf(out, "%llu\t%u\t%d\t", (unsigned long long)attempt, p->role, p->value);
	for (uint32_t i = 0; i < b->suite->plies * 2; i++) {
		text_puts(out, i ? ";" : "");
		put_move(b, p->joint[i], out);
	}
	for (size_t i = 0; i < p->keep.n; i++) {
		text_puts(out, i ? ";" : "\t");
		put_move(b, p->keep.at[i], out);
	}
	text_puts(out, "\n");
}

static void position_free(struct position *p)
{
	mem_free(p->state);
	mem_free(p->joint);
	vec_free(&p->keep);
}

static struct position position_new(const struct bench *b)
{
	return (struct position){.state = NEW_ARRAY(uint64_t, b->game->words),
	                         .joint = NEW_ARRAY(uint32_t, 2 * MOST_PLIES)};
}

/* Makes the moves from the start of the game. */
static bool follow(const struct bench *b, const struct bench_words *moves, struct position *p)
{
	memcpy(p->state, b->game->initial, b->game->words * sizeof *p->state);
	for (size_t i = 0; i < moves->at.n; i++) {
		p->joint[i] = game_find_move(b->game, i % 2, moves->at.at[i]);
		if (p->joint[i] == GAME_NONE)
			return false;
		if (i % 2)
			game_next(b->worker, p->state, p->joint + i - 1, p->state);
	}
	return moves->at.n == b->suite->plies * 2;
}

static bool parse_position(const struct bench *b, const char *line, struct position *p, uint64_t *attempt)
{
	struct bench_words fields = {0}, moves = {0}, keep = {0};
	bench_split(&fields, line, '\t');
	bool fine = fields.at.n == 5;
	if (fine) {
		*attempt = strtoull(fields.at.at[0], NULL, 10);
		p->role = (uint32_t)atoi(fields.at.at[1]) & 1;
		p->value = atoi(fields.at.at[2]);
		bench_split(&moves, fields.at.at[3], ';');
		bench_split(&keep, fields.at.at[4], ';');
		fine = moves.at.n <= 2 * MOST_PLIES && follow(b, &moves, p);
	}
	for (size_t i = 0; i < keep.at.n && fine; i++)
		vec_push(&p->keep, game_find_move(b->game, p->role, keep.at.at[i]));
	bench_words_free(&fields);
	bench_words_free(&moves);
	bench_words_free(&keep);
	return fine;
}

/* What was solved before; returns the attempt after the last one. */
static uint64_t read_cache(struct bench *b, const char *path, const char *heading)
{
	struct text text = {0}, error = {0};
	struct bench_words lines = {0};
	uint64_t attempt = 0;
	if (text_read_file(&text, path, (size_t)64 << 20, &error))
		bench_split(&lines, text_str(&text), '\n');
	bool fits = lines.at.n && !strcmp(lines.at.at[0], heading);
	for (size_t i = 1; i < lines.at.n && fits; i++) {
		struct position p = position_new(b);
		if (parse_position(b, lines.at.at[i], &p, &attempt))
			vec_push(&b->positions, p);
		else
			position_free(&p);
	}
	text_free(&text);
	text_free(&error);
	bench_words_free(&lines);
	return fits ? attempt + 1 : 0;
}

/* One attempt at a position worth asking about. */
static bool find_position(struct bench *b, struct exact *x, uint64_t attempt, struct position *p)
{
	struct exact_answer answer = {0};
	struct rng rng = rng_seed(attempt);
	bool walked = exact_walk(x, &rng, b->suite->plies, p->state, p->joint);
	enum exact_result r = walked ? exact_solve(x, p->state, MOST_NODES, &answer) : EXACT_NO_CHOICE;
	if (r == EXACT_UNFIT)
		bench_fail(b->suite->name, "not a game of two in turn with 100 points to share");
	p->role = answer.role;
	p->value = answer.value;
	for (size_t i = 0; i < answer.moves.n; i++)
		if (answer.moves.at[i].keeps)
			vec_push(&p->keep, answer.moves.at[i].move);
	bool fine = r == EXACT_SOLVED && 3 * p->keep.n <= answer.moves.n;
	vec_free(&answer.moves);
	return fine;
}

static void solve_more(struct bench *b, uint64_t attempt, FILE *file)
{
	struct exact *x = exact_new(b->game);
	for (; b->positions.n < (size_t)b->o->count; attempt++) {
		struct position p = position_new(b);
		struct text line = {0};
		if (find_position(b, x, attempt, &p)) {
			put_position(b, &p, attempt, &line);
			fputs(text_str(&line), file);
			fflush(file);
			vec_push(&b->positions, p);
		} else {
			position_free(&p);
		}
		text_free(&line);
	}
	exact_free(x);
}

/* As many positions as asked for, from the file or made and added to it. */
static void get_positions(struct bench *b)
{
	struct text path = {0}, heading = {0};
	mkdir(b->o->cache, 0777);
	text_printf(&path, "%s/%s.tsv", b->o->cache, b->suite->name);
	text_printf(&heading, "# %s, %u plies, rules %016llx", b->suite->name, b->suite->plies,
	            (unsigned long long)b->loaded.hash);
	uint64_t attempt = read_cache(b, text_str(&path), text_str(&heading));
	if (b->positions.n < (size_t)b->o->count) {
		FILE *file = fopen(text_str(&path), attempt ? "a" : "w");
		if (!file)
			bench_fail(text_str(&path), "cannot be written");
		if (!attempt)
			fprintf(file, "%s\n", text_str(&heading));
		solve_more(b, attempt, file);
		fclose(file);
	}
	text_free(&path);
	text_free(&heading);
}

/* ---- asking -------------------------------------------------------------------------------- */

static uint32_t ask_own(struct bench *b, const char *word, double clock, const struct position *p, uint64_t seed)
{
	struct text error = {0};
	struct player *player = player_make(b->game, p->role, word, seed, &error);
	if (!player)
		bench_fail(word, text_str(&error));
	struct view v = game_look(b->worker, p->state);
	struct turn t = {.step = b->suite->plies,
	                 .state = p->state,
	                 .last = p->joint + (b->suite->plies - 1) * 2,
	                 .legal = v.legal + v.start[p->role],
	                 .legal_count = v.start[p->role + 1] - v.start[p->role],
	                 .own_last = p->joint[(b->suite->plies - 1) * 2 + p->role]};
	struct budget budget = {.limit = limit_seconds_of(CLOCK_OF_PROCESS, clock), .margin = -1};
	uint32_t move = player_move(player, &t, &budget).move;
	player_free(player);
	return move;
}

static void put_question(const struct bench *b, const struct position *p, double clock, struct text *out)
{
	text_printf(out, "move %g", clock);
	for (uint32_t i = 0; i < b->suite->plies * 2; i++) {
		text_puts(out, i % 2 ? " " : " (");
		put_move(b, p->joint[i], out);
		text_puts(out, i % 2 ? ")" : "");
	}
}

/* The command behind @WORD or @2WORD; `word` is moved to the player's name. */
static const char *other_of(const struct bench *b, const char **word)
{
	char *end;
	unsigned long which = strtoul(*word, &end, 10);
	which = end == *word ? 1 : which;
	*word = end;
	if (!which || which > b->others.at.n)
		bench_fail(*word, "--other names no program for it");
	return b->others.at.at[which - 1];
}

static uint32_t ask_other(struct bench *b, const char *word, double clock, const struct position *p, uint64_t seed)
{
	struct text command = {0}, role = {0};
	const char *program = other_of(b, &word);
	char *line = NULL;
	size_t room = 0;
	game_print_role(b->game, p->role, &role);
	text_printf(&command, "%s '%s' '%s' '%s' %llu <<'END'\n", program, b->suite->path, text_str(&role), word,
	            (unsigned long long)seed);
	put_question(b, p, clock, &command);
	text_puts(&command, "\nEND\n");
	FILE *answer = popen(text_str(&command), "r");
	ssize_t n = answer ? getline(&line, &room, answer) : -1;
	if (n < 5 || strncmp(line, "move ", 5))
		bench_fail(program, "does not answer");
	line[strcspn(line, "\t\n")] = 0;
	uint32_t move = game_find_move(b->game, p->role, line + 5);
	pclose(answer);
	free(line);
	text_free(&command);
	text_free(&role);
	return move;
}

static bool keeps(const struct position *p, uint32_t move)
{
	for (size_t i = 0; i < p->keep.n; i++)
		if (p->keep.at[i] == move)
			return true;
	return false;
}

static void print_miss(const struct bench *b, const struct position *p, const char *word, double clock, uint32_t move)
{
	struct text out = {0};
	text_printf(&out, "%s\t%s\t%g\t", b->suite->name, word, clock);
	put_move(b, move, &out);
	text_puts(&out, "\t");
	put_position(b, p, 0, &out);
	fputs(text_str(&out), stdout);
	text_free(&out);
}

static bool ask(struct bench *b, size_t player, double clock, const struct position *p, uint64_t seed)
{
	const char *word = b->players.at.at[player];
	uint32_t move = *word == '@' ? ask_other(b, word + 1, clock, p, seed) : ask_own(b, word, clock, p, seed);
	bool right = keeps(p, move);
	if (!right && b->o->misses)
		print_miss(b, p, word, clock, move);
	return right;
}

/* All positions of a game at one clock. */
static void ask_all(struct bench *b, double clock, struct result *by_player)
{
	for (size_t i = 0; i < (size_t)b->o->count; i++) {
		bool first = false;
		for (size_t k = 0; k < b->players.at.n; k++) {
			struct result *r = &by_player[k];
			bool right = ask(b, k, clock, &b->positions.at[i], (uint64_t)b->o->seed + i);
			first = k ? first : right;
			r->asked++;
			r->right += right;
			r->only_first += first && !right;
			r->only_this += !first && right;
		}
	}
}

/* ---- reports ------------------------------------------------------------------------------- */

static void print_results(const struct bench *b, const char *name, const char *clock, const struct result *by_player)
{
	for (size_t k = 0; k < b->players.at.n; k++) {
		const struct result *r = &by_player[k];
		double share = (double)r->right / (double)r->asked;
		struct interval w = stats_wilson(share, (double)r->asked);
		if (b->o->lines)
			printf("%s/%s/%s %.1f %%\n", name, b->players.at.at[k], clock, 100 * share);
		else
			printf("%-20s %6s s  %-24s %5.1f%% of %u (%.1f..%.1f)  only first %u, only this %u\n", name, clock,
			       b->players.at.at[k], 100 * share, r->asked, 100 * w.low, 100 * w.high, r->only_first, r->only_this);
	}
	fflush(stdout);
}

static void add_results(struct result *sum, const struct result *one, size_t n)
{
	for (size_t k = 0; k < n; k++) {
		sum[k].asked += one[k].asked;
		sum[k].right += one[k].right;
		sum[k].only_first += one[k].only_first;
		sum[k].only_this += one[k].only_this;
	}
}

/* ---- the program ------------------------------------------------------------------------------ */

static void load(struct bench *b)
{
	b->loaded = bench_load(b->suite->path);
	b->game = b->loaded.game;
	b->worker = worker_new(b->game);
	if (b->game->engine != ENGINE_CIRCUIT)
		bench_fail(b->suite->path, "does not fit a circuit");
}

static void unload(struct bench *b)
{
	for (size_t i = 0; i < b->positions.n; i++)
		position_free(&b->positions.at[i]);
	vec_clear(&b->positions);
	worker_free(b->worker);
	bench_unload(&b->loaded);
}

static bool is_wanted(const char *list, const char *name)
{
	struct bench_words w = {0};
	bool found = !strcmp(list, "all");
	bench_split(&w, list, ',');
	for (size_t i = 0; i < w.at.n; i++)
		found |= !strcmp(w.at.at[i], name);
	bench_words_free(&w);
	return found;
}

static void run(struct bench *b)
{
	struct result sums[MOST_CLOCKS][MOST_PLAYERS] = {0};
	uint32_t games = 0;
	for (size_t i = 0; i < SUITES; i++) {
		b->suite = &suites[i];
		if (!is_wanted(b->o->games, b->suite->name))
			continue;
		games++;
		load(b);
		get_positions(b);
		for (size_t c = 0; c < b->clocks.at.n; c++) {
			struct result one[MOST_PLAYERS] = {0};
			ask_all(b, atof(b->clocks.at.at[c]), one);
			print_results(b, b->suite->name, b->clocks.at.at[c], one);
			add_results(sums[c], one, b->players.at.n);
		}
		unload(b);
	}
	for (size_t c = 0; c < b->clocks.at.n && games > 1; c++)
		print_results(b, "all", b->clocks.at.at[c], sums[c]);
	if (!games)
		bench_fail(b->o->games, "no such game");
}

int main(int count, char **words)
{
	struct settings o;
	struct text error = {0};
	if (opt_parse(table, &o, count, words, &error) != 0) {
		fprintf(stderr, "bench-positions: %s\n", error.n ? text_str(&error) : "unknown argument");
		return 2;
	}
	struct bench b = {.o = &o};
	bench_split(&b.players, o.players, ',');
	bench_split(&b.clocks, o.clocks, ',');
	if (o.other)
		bench_split(&b.others, o.other, ',');
	if (b.players.at.n > MOST_PLAYERS || b.clocks.at.n > MOST_CLOCKS)
		bench_fail("too many players or clocks", "16 and 8 at most");
	run(&b);
	vec_free(&b.positions);
	bench_words_free(&b.players);
	bench_words_free(&b.clocks);
	bench_words_free(&b.others);
	return 0;
}

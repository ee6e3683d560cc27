/* macaw perft GAME DEPTH: how many ways to play so many steps, and how many
 * states they lead to.
 *
 * Goes level by level over distinct states. A state carries the number of
 * sequences that lead to it, so sequences are counted without walking each. All
 * joint moves of a level go through game_expand() in batches; what comes out is
 * looked up in the next level and either adds its ways or becomes a new state.
 *
 *     level:  states[i] (words)   ways[i]   moves of i: by role, in `legal`
 */
#include "cli/commands.h"
#include "cli/json_out.h"
#include "cli/load_game.h"
#include "show/table.h"

#include "base/bits.h"
#include "base/hash.h"
#include "base/progress.h"
#include "symmetry/symmetry.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct perft_options {
	struct load_options load;
	bool json, symmetry;
};

static const struct opt options[] = {
	{"json", 0, OPT_FLAG, offsetof(struct perft_options, json), NULL, "print one JSON object"},
	{"symmetry", 0, OPT_FLAG, offsetof(struct perft_options, symmetry), NULL,
     "take symmetric states for one (symmetries that leave the roles and the start as they are)"},
	LOAD_OPTIONS(struct perft_options, load),
	{0}};

enum { MAX_DEPTH = 100000, BATCH_WORDS = 1 << 20 };

struct level {
	VEC(uint64_t) states;
	VEC(uint64_t) ways;
	VEC(uint32_t) legal; /* of states that go on */
	VEC(size_t) start;   /* roles + 1 a state: legal[start[r] .. start[r+1]) */
	struct table index;
	uint64_t sequences, terminal, stuck; /* saturating; states */
	double seconds;
};

struct perft {
	const struct game *g;
	struct worker *w;
	size_t batch, filled, memory;
	/* a batch: pairs of state and joint move, and where they lead */
	uint64_t *states, *next, *legal, *ways;
	uint32_t *moves;
	uint8_t *terminal;
	struct progress progress;
	double done, total;
	struct symmetry *symmetry; /* NULL: states are what they are */
	uint64_t *canonical, *row; /* a state, its legal moves */
	bool last, full; /* no deeper level; the bound of memory is reached */
};

static uint64_t add(uint64_t a, uint64_t b)
{
	return a + b < a ? UINT64_MAX : a + b;
}

/* ---- levels ------------------------------------------------------------------------ */

static void level_free(struct level *l)
{
	vec_free(&l->states);
	vec_free(&l->ways);
	vec_free(&l->legal);
	vec_free(&l->start);
	table_free(&l->index);
}

static size_t level_bytes(const struct level *l)
{
	return l->states.cap * 8 + l->ways.cap * 8 + l->legal.cap * 4 + l->start.cap * sizeof(size_t) +
	       (l->index.slot ? ((size_t)l->index.mask + 1) * sizeof *l->index.slot : 0);
}

static void put_state(const struct perft *p, struct level *l, const uint64_t *state, uint64_t ways)
{
	size_t at = l->states.n;
	vec_extend(&l->states, p->g->words);
	memcpy(l->states.at + at, state, p->g->words * sizeof *state);
	vec_push(&l->ways, ways);
}

/* Where a new state's moves begin; no moves follow for one that has ended. */
static void put_moves(struct level *l, uint32_t roles, const uint32_t *moves, const uint32_t *start)
{
	for (uint32_t r = 0; r <= roles; r++) {
		vec_push(&l->start, l->legal.n);
		for (uint32_t k = r < roles ? start[r] : 0; r < roles && k < start[r + 1]; k++)
			vec_push(&l->legal, moves[k]);
	}
}

/* Moves of a row of bits. The interpreter numbers moves as it meets them, so those
 * of a role need not be neighbours. */
static void put_bits(struct perft *p, struct level *l, const uint64_t *row, bool ended)
{
	uint32_t roles = p->g->roles;
	for (uint32_t r = 0; r <= roles; r++) {
		vec_push(&l->start, l->legal.n);
		if (ended || r == roles)
			continue;
		size_t from = p->g->circuit ? p->g->first_move[r] : 0,
			   to = p->g->circuit ? p->g->first_move[r + 1] : p->g->moves;
		for (size_t m = bits_next(row, to, from); m < to; m = bits_next(row, to, m + 1))
			if (p->g->circuit || game_role_of(p->g, (uint32_t)m) == r)
				vec_push(&l->legal, (uint32_t)m);
	}
}

static double joint_moves(const struct level *l, uint32_t roles, size_t state)
{
	double n = 1;
	const size_t *s = l->start.at + state * (roles + 1);
	for (uint32_t r = 0; r < roles; r++)
		n *= (double)(s[r + 1] - s[r]);
	return n;
}

/* ---- batches ----------------------------------------------------------------------- */

/* Legal moves go the way of the state. */
static const uint64_t *map_row(struct perft *p, const uint32_t *image, const uint64_t *row)
{
	uint32_t at = p->symmetry->first_move;
	memset(p->row, 0, game_legal_words(p->g) * sizeof *p->row);
	BITS_EACH (m, row, p->g->moves)
		bits_add(p->row, image[at + m] - at);
	return p->row;
}

/* One result: a state met before, or a new one. */
static void take(struct perft *p, struct level *next, size_t i)
{
	const struct game *g = p->g;
	const uint64_t *state = p->next + i * g->words;
	const uint32_t *image = NULL;
	if (p->symmetry) {
		image = symmetry_canonical(p->symmetry, state, SYMMETRY_HOME, p->canonical);
		state = p->canonical;
	}
	uint64_t h = game_hash(g, state);
	uint32_t it, id;
	h = hash_mix(h);
	next->sequences = add(next->sequences, p->ways[i]);
	for (table_start(&next->index, h, &it); (id = table_next(&next->index, h, &it)) != TABLE_NONE;)
		if (!memcmp(next->states.at + (size_t)id * g->words, state, g->words * sizeof *state)) {
			next->ways.at[id] = add(next->ways.at[id], p->ways[i]);
			return;
		}
	table_add(&next->index, h, (uint32_t)next->ways.n);
	put_state(p, next, state, p->ways[i]);
	next->terminal += p->terminal[i];
	if (p->last)
		return;
	const uint64_t *row = p->legal + i * game_legal_words(g);
	put_bits(p, next, image ? map_row(p, image, row) : row, p->terminal[i]);
	next->stuck += !p->terminal[i] && !joint_moves(next, g->roles, next->ways.n - 1);
}

static void flush(struct perft *p, struct level *next)
{
	struct expansion e = {.states = p->states,
	                      .moves = p->moves,
	                      .count = p->filled,
	                      .next = p->next,
	                      .terminal = p->terminal,
	                      .legal = p->last ? NULL : p->legal};
	game_expand(p->w, &e);
	for (size_t i = 0; i < p->filled; i++)
		take(p, next, i);
	p->done += (double)p->filled;
	p->filled = 0;
	p->full = level_bytes(next) > p->memory || next->ways.n >= TABLE_NONE / 2;
	progress_step(&p->progress, p->done, p->total, NULL);
}

/* All joint moves of a state, as an odometer over the roles' lists. */
static void expand_state(struct perft *p, const struct level *l, size_t i, struct level *next)
{
	uint32_t roles = p->g->roles;
	const size_t *start = l->start.at + i * (roles + 1);
	size_t at[roles + 1];
	if (!joint_moves(l, roles, i))
		return;
	memcpy(at, start, sizeof at);
	for (uint32_t r = 0; r < roles && !p->full;) {
		memcpy(p->states + p->filled * p->g->words, l->states.at + i * p->g->words, p->g->words * sizeof *p->states);
		for (uint32_t k = 0; k < roles; k++)
			p->moves[p->filled * roles + k] = l->legal.at[at[k]];
		p->ways[p->filled++] = l->ways.at[i];
		if (p->filled == p->batch)
			flush(p, next);
		for (r = 0; r < roles && ++at[r] == start[r + 1]; r++)
			at[r] = start[r];
	}
}

static void make_next(struct perft *p, const struct level *l, struct level *next)
{
	double began = clock_now();
	p->done = p->total = 0;
	for (size_t i = 0; i < l->ways.n; i++)
		p->total += joint_moves(l, p->g->roles, i);
	for (size_t i = 0; i < l->ways.n && !p->full && !worker_trouble(p->w); i++)
		expand_state(p, l, i, next);
	if (p->filled && !p->full)
		flush(p, next);
	p->filled = 0;
	next->seconds = clock_now() - began;
}

static void perft_init(struct perft *p, struct game *g, size_t memory)
{
	size_t row = g->words > game_legal_words(g) ? g->words : game_legal_words(g);
	*p = (struct perft){.g = g, .w = worker_new(g), .memory = memory};
	p->batch = BATCH_WORDS / row / 64 * 64;
	p->batch = p->batch < 64 ? 64 : p->batch > 8192 ? 8192 : p->batch;
	p->states = NEW_ARRAY(uint64_t, p->batch * g->words);
	p->next = NEW_ARRAY(uint64_t, p->batch * g->words);
	p->legal = NEW_ARRAY(uint64_t, p->batch * game_legal_words(g));
	p->ways = NEW_ARRAY(uint64_t, p->batch);
	p->moves = NEW_ARRAY(uint32_t, p->batch * g->roles);
	p->terminal = NEW_ARRAY(uint8_t, p->batch);
	p->progress = progress_start("expanding", false);
}

static void perft_free(struct perft *p)
{
	progress_end(&p->progress);
	worker_free(p->w);
	mem_free(p->states);
	mem_free(p->next);
	mem_free(p->legal);
	mem_free(p->ways);
	mem_free(p->moves);
	mem_free(p->terminal);
	symmetry_free(p->symmetry);
	mem_free(p->canonical);
	mem_free(p->row);
}

/* False after a message: symmetries cannot be known. */
static bool use_symmetry(struct perft *p, struct game *g)
{
	p->symmetry = symmetry_find(g, &(struct symmetry_options){0});
	p->canonical = NEW_ARRAY(uint64_t, g->words + 1);
	p->row = NEW_ARRAY(uint64_t, game_legal_words(g) + 1);
	if (p->symmetry->skipped)
		fprintf(stderr, "macaw perft: no symmetries: %s\n", p->symmetry->skipped);
	return !p->symmetry->skipped;
}

static void first_level(struct perft *p, struct level *l)
{
	struct view v = game_look(p->w, p->g->initial);
	static const uint32_t none[1];
	uint32_t *nowhere = NEW_ARRAY(uint32_t, p->g->roles + 1);
	put_state(p, l, p->g->initial, 1);
	put_moves(l, p->g->roles, v.terminal ? none : v.legal, v.terminal ? nowhere : v.start);
	l->sequences = 1;
	l->terminal = v.terminal;
	l->stuck = !v.terminal && !joint_moves(l, p->g->roles, 0);
	mem_free(nowhere);
}

/* ---- reports ------------------------------------------------------------------------- */

struct row {
	uint64_t sequences, states, terminal, stuck;
	double seconds;
};

typedef VEC(struct row) row_list;

static void put_count(struct text_table *t, uint64_t n)
{
	struct text s = {0};
	number_grouped(&s, n);
	text_table_cell(t, "%s%s", n == UINT64_MAX ? ">= " : "", text_str(&s));
	text_free(&s);
}

static void print_text(const row_list *rows)
{
	static const char *const titles[] = {"depth", "sequences", "states", "terminal", "seconds"};
	struct text_table t = {.heading = true};
	struct text out = {0};
	uint64_t stuck = 0;
	text_table_row(&t);
	for (size_t i = 0; i < 5; i++)
		text_table_cell(&t, "%s", titles[i]);
	for (size_t d = 0; d < rows->n; d++) {
		const struct row *r = &rows->at[d];
		text_table_row(&t);
		text_table_cell(&t, "%5zu", d);
		put_count(&t, r->sequences);
		put_count(&t, r->states);
		put_count(&t, r->terminal);
		text_table_cell(&t, "%.3f", r->seconds);
		stuck += r->stuck;
	}
	text_table_print(&t, &out);
	if (stuck)
		text_printf(&out, "\n%llu state%s without a legal move for some role, and not terminal\n",
		            (unsigned long long)stuck, stuck == 1 ? "" : "s");
	fputs(text_str(&out), stdout);
	text_table_free(&t);
	text_free(&out);
}

/* Larger than a signed 64-bit number is beyond JSON's integers here: as text. */
static json_t *json_count(uint64_t n)
{
	return n <= INT64_MAX ? json_integer((json_int_t)n) : json_sprintf("%llu", (unsigned long long)n);
}

static void print_json(const struct loaded *l, const row_list *rows, bool complete)
{
	json_t *list = json_array();
	double seconds = 0;
	for (size_t d = 0; d < rows->n; d++) {
		const struct row *r = &rows->at[d];
		seconds += r->seconds;
		json_array_append_new(list, json_pack("{s:I, s:o, s:o, s:o, s:o, s:o}", "depth", (json_int_t)d, "sequences",
		                                      json_count(r->sequences), "states", json_count(r->states), "terminal",
		                                      json_count(r->terminal), "stuck", json_count(r->stuck), "seconds",
		                                      json_number(r->seconds)));
	}
	json_finish(json_pack("{s:o, s:s, s:b, s:o, s:o, s:o}", "game", json_text(text_str(&l->name)), "engine",
	                      load_engine_name(l->game), "complete", complete, "levels", list, "seconds",
	                      json_number(seconds), "build_seconds", json_number(l->seconds)));
}

static int count_levels(struct perft *p, long depth, row_list *rows)
{
	struct level now = {0};
	first_level(p, &now);
	int status = EXIT_DONE;
	for (long d = 0;; d++) {
		struct row r = {now.sequences, now.ways.n, now.terminal, now.stuck, now.seconds};
		vec_push(rows, r);
		if (d == depth || now.terminal + now.stuck == now.ways.n)
			break;
		struct level next = {0};
		p->last = d + 1 == depth;
		make_next(p, &now, &next);
		level_free(&now);
		now = next;
		if (p->full || worker_trouble(p->w)) {
			progress_end(&p->progress);
			if (p->full)
				fprintf(stderr, "macaw perft: the states of depth %ld do not fit in %zu MB (--memory)\n", d + 1,
				        p->memory >> 20);
			else
				fprintf(stderr, "macaw perft: the interpreter gave up: %s\n", worker_trouble(p->w));
			status = p->full ? EXIT_MACHINE : EXIT_INPUT;
			break;
		}
	}
	level_free(&now);
	return status;
}

static bool read_depth(const char *word, long *depth)
{
	char *end;
	errno = 0;
	*depth = strtol(word, &end, 10);
	return end != word && !*end && !errno && *depth >= 0 && *depth <= MAX_DEPTH;
}

static int run(void *options_, int count, char **words)
{
	const struct perft_options *o = options_;
	long depth = 0;
	if (count != 2) {
		fprintf(stderr, "macaw perft: name one GAME and a DEPTH\n");
		return EXIT_USAGE;
	}
	if (!read_depth(words[1], &depth)) {
		fprintf(stderr, "macaw perft: DEPTH must be a whole number from 0 to %d, not %s\n", MAX_DEPTH, words[1]);
		return EXIT_USAGE;
	}
	struct loaded l = {0};
	int status = load_game("perft", words[0], &o->load, &l);
	if (status)
		return status;
	struct perft p;
	row_list rows = {0};
	perft_init(&p, l.game, o->load.memory ? (size_t)o->load.memory << 20 : mem_physical() / 2);
	status = o->symmetry && !use_symmetry(&p, l.game) ? EXIT_INPUT : count_levels(&p, depth, &rows);
	perft_free(&p);
	if (o->json && rows.n)
		print_json(&l, &rows, !status);
	else if (rows.n)
		print_text(&rows);
	vec_free(&rows);
	load_game_free(&l);
	return status;
}

const struct command cmd_perft = {
	.name = "perft",
	.arguments = "GAME DEPTH",
	.summary = "Count joint-move sequences and states by depth",
	.details = "For every depth up to DEPTH: the sequences of so many joint moves, the distinct states they lead to, "
			   "and how many of "
			   "those are terminal. Where roles move in turn, a joint move is a move and the noop of the others. Ends "
			   "early when every "
			   "sequence has ended, and with exit status 3 when the states outgrow the memory.",
	.options = options,
	.size = sizeof(struct perft_options),
	.run = run,
};

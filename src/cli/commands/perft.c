/* macaw perft GAME DEPTH: the number of joint-move sequences of each length, and of
 * the states they lead to.
 *
 * Goes level by level over distinct states. A state carries the number of
 * sequences that lead to it, so sequences are counted without walking each. All
 * joint moves of a level go through macaw_look_many() in batches; what comes out is
 * looked up in the next level and either adds its ways or becomes a new state.
 *
 *     level:  states[i] (words)   ways[i]   moves of i: by role, in `legal`
 */
#include "cli/perft.h"
#include "cli/commands.h"
#include "cli/load.h"
#include "cli/output.h"
#include "cli/where.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct perft_options {
	struct load_options load;
	struct where_options where;
	struct cluster_options cluster;
	bool json, symmetry;
};

static const struct opt options[] = {
	{"json", 0, OPT_FLAG, offsetof(struct perft_options, json), NULL, "print one JSON object"},
	{"symmetry", 0, OPT_FLAG, offsetof(struct perft_options, symmetry), NULL,
     "count symmetric states once (by symmetries that leave the roles and the initial state unchanged)"},
	WHERE_OPTIONS(struct perft_options, where),
	CLUSTER_OPTIONS(struct perft_options, cluster),
	LOAD_OPTIONS(struct perft_options, load),
	{0}};

enum { MAX_DEPTH = 100000, BATCH_WORDS = 1 << 20 };

static macaw_stop interrupted;

static void on_interrupt(int number)
{
	(void)number;
	macaw_stop_now(&interrupted);
	signal(SIGINT, SIG_DFL); /* a second Ctrl-C ends the process */
}

uint64_t perft_add(uint64_t a, uint64_t b)
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

size_t perft_level_bytes(const struct level *l)
{
	return l->states.cap * 8 + l->ways.cap * 8 + l->legal.cap * 4 + l->start.cap * sizeof(size_t) +
	       (l->index.slot ? ((size_t)l->index.mask + 1) * sizeof *l->index.slot : 0);
}

static void put_state(const struct perft *p, struct level *l, const uint64_t *state, uint64_t ways)
{
	size_t at = l->states.n;
	vec_extend(&l->states, p->words);
	memcpy(l->states.at + at, state, p->words * sizeof *state);
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
void perft_put_bits(const struct perft *p, struct level *l, const uint64_t *row, bool ended)
{
	for (uint32_t r = 0; r <= p->roles; r++) {
		vec_push(&l->start, l->legal.n);
		if (ended || r == p->roles)
			continue;
		size_t from = p->first_move ? p->first_move[r] : 0, to = p->first_move ? p->first_move[r + 1] : p->moves_known;
		for (size_t m = bits_next(row, to, from); m < to; m = bits_next(row, to, m + 1))
			if (p->first_move || macaw_game_role_of(p->g, (uint32_t)m) == r)
				vec_push(&l->legal, (uint32_t)m);
	}
}

double perft_joint_moves(const struct level *l, uint32_t roles, size_t state)
{
	double n = 1;
	const size_t *s = l->start.at + state * (roles + 1);
	for (uint32_t r = 0; r < roles; r++)
		n *= (double)(s[r + 1] - s[r]);
	return n;
}

/* ---- batches ----------------------------------------------------------------------- */

/* Maps the legal moves by the symmetry that was applied to their state. */
static const uint64_t *map_row(struct perft *p, const uint32_t *image, const uint64_t *row)
{
	uint32_t at = macaw_symmetries_points(p->symmetry).move;
	memset(p->row, 0, p->legal_words * sizeof *p->row);
	BITS_EACH (m, row, p->moves_known)
		bits_add(p->row, image[at + m] - at);
	return p->row;
}

/* Word by word: the library's hash of a position looks at every fluent, which takes longer than all the rest. */
uint64_t perft_hash(const struct perft *p, const uint64_t *state)
{
	uint64_t h = 0;
	for (size_t i = 0; i < p->words; i++)
		h = hash_join(h, state[i]);
	return h;
}

/* Most of the time goes by waiting for memory: first the slot of the index, then the state that it names. */
#define SLOT_AHEAD 24
#define STATE_AHEAD 12

void perft_prefetch(const struct perft *p, const struct level *l, size_t i)
{
	uint32_t it, id;
	if (i + SLOT_AHEAD < p->hashes.n)
		table_prefetch(&l->index, p->hashes.at[i + SLOT_AHEAD]);
	if (i + STATE_AHEAD >= p->hashes.n)
		return;
	uint64_t h = p->hashes.at[i + STATE_AHEAD];
	table_start(&l->index, h, &it);
	if ((id = table_next(&l->index, h, &it)) != TABLE_NONE) {
		__builtin_prefetch(l->states.at + (size_t)id * p->words);
		__builtin_prefetch(l->ways.at + id);
	}
}

bool perft_enter(const struct perft *p, struct level *l, const uint64_t *state, uint64_t h, uint64_t ways)
{
	uint32_t it, id;
	for (table_start(&l->index, h, &it); (id = table_next(&l->index, h, &it)) != TABLE_NONE;)
		if (!memcmp(l->states.at + (size_t)id * p->words, state, p->words * sizeof *state)) {
			l->ways.at[id] = perft_add(l->ways.at[id], ways);
			return false;
		}
	table_add(&l->index, h, (uint32_t)l->ways.n);
	put_state(p, l, state, ways);
	return true;
}

/* One result: a state met before, or a new one. */
static void take(struct perft *p, struct level *next, size_t i)
{
	const uint64_t *state = p->next + i * p->words;
	const uint32_t *image = NULL;
	if (p->symmetry) {
		image = macaw_symmetries_canonical(p->symmetry, state, MACAW_KEEP_START, p->canonical);
		state = p->canonical;
	}
	uint64_t hash = p->symmetry ? perft_hash(p, state) : p->hashes.at[i];
	next->sequences = perft_add(next->sequences, p->ways[i]);
	if (!perft_enter(p, next, state, hash, p->ways[i]))
		return;
	next->terminal += p->terminal[i];
	const uint64_t *row = p->legal + i * p->legal_words;
	perft_put_bits(p, next, image ? map_row(p, image, row) : row, p->terminal[i]);
	next->stuck += !p->terminal[i] && !perft_joint_moves(next, p->roles, p->last ? 0 : next->ways.n - 1);
	if (p->last) /* nobody makes these moves */
		next->legal.n = next->start.n = 0;
}

static void look_and_take(struct perft *p, struct level *next)
{
	macaw_batch b = {.positions = p->states,
	                 .moves = p->moves,
	                 .count = p->filled,
	                 .next = p->next,
	                 .terminal = p->terminal,
	                 .legal = p->legal};
	p->trouble = !macaw_look_many(p->w, &b);
	vec_clear(&p->hashes);
	for (size_t i = 0; i < p->filled && !p->symmetry; i++)
		vec_push(&p->hashes, perft_hash(p, p->next + i * p->words));
	for (size_t i = 0; i < p->filled && !p->trouble; i++) {
		perft_prefetch(p, next, i);
		take(p, next, i);
	}
}

static void flush(struct perft *p, struct level *next)
{
	if (p->cluster)
		perft_ranks_flush(p, next);
	else
		look_and_take(p, next);
	p->done += (double)p->filled;
	p->filled = 0;
	p->full = perft_level_bytes(next) > p->memory || next->ways.n >= TABLE_NONE / 2;
	progress_step(&p->progress, p->done, p->total, NULL);
}

static bool goes_on(const struct perft *p)
{
	return !p->full && !p->trouble && !macaw_stopped(&interrupted);
}

/* All joint moves of a state, as an odometer over the roles' lists. */
static void expand_state(struct perft *p, const struct level *l, size_t i, struct level *next)
{
	uint32_t roles = p->roles;
	const size_t *start = l->start.at + i * (roles + 1);
	size_t *at = p->at;
	if (!perft_joint_moves(l, roles, i))
		return;
	memcpy(at, start, roles * sizeof *at);
	for (uint32_t r = 0; r < roles && goes_on(p);) {
		memcpy(p->states + p->filled * p->words, l->states.at + i * p->words, p->words * sizeof *p->states);
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
	p->progress = progress_start("expanding", false);
	for (size_t i = 0; i < l->ways.n; i++)
		p->total += perft_joint_moves(l, p->roles, i);
	for (size_t i = 0; i < l->ways.n && goes_on(p); i++)
		expand_state(p, l, i, next);
	if (p->filled && goes_on(p))
		flush(p, next);
	p->filled = 0;
	if (p->cluster)
		perft_ranks_finish(p, next);
	next->seconds = clock_now() - began;
}

/* The circuit numbers the moves of a role in a row. */
static void find_first_moves(struct perft *p)
{
	if (macaw_game_engine(p->g) != MACAW_ENGINE_CIRCUIT)
		return;
	p->first_move = NEW_ARRAY(uint32_t, p->roles + 1);
	for (uint32_t m = 0; m < p->moves_known; m++)
		p->first_move[macaw_game_role_of(p->g, m) + 1] = m + 1;
	for (uint32_t r = 0; r < p->roles; r++) /* a role without moves */
		if (p->first_move[r + 1] < p->first_move[r])
			p->first_move[r + 1] = p->first_move[r];
}

/* False after a message. */
static bool perft_init(struct perft *p, macaw_game *g, size_t memory)
{
	macaw_error error;
	*p = (struct perft){.g = g,
	                    .w = macaw_worker_new(g, &error),
	                    .roles = macaw_game_roles(g),
	                    .moves_known = macaw_game_moves(g),
	                    .words = macaw_position_words(g),
	                    .legal_words = macaw_legal_words(g),
	                    .memory = memory};
	if (!p->w) {
		fprintf(stderr, "macaw perft: %s\n", error.text);
		return false;
	}
	p->batch = BATCH_WORDS / (p->words > p->legal_words ? p->words : p->legal_words) / 64 * 64;
	p->batch = p->batch < 64 ? 64 : p->batch > 8192 ? 8192 : p->batch;
	p->states = NEW_ARRAY(uint64_t, p->batch * p->words);
	p->next = NEW_ARRAY(uint64_t, p->batch * p->words);
	p->legal = NEW_ARRAY(uint64_t, p->batch * p->legal_words);
	p->ways = NEW_ARRAY(uint64_t, p->batch);
	p->moves = NEW_ARRAY(uint32_t, p->batch * p->roles);
	p->terminal = NEW_ARRAY(uint8_t, p->batch);
	p->at = NEW_ARRAY(size_t, p->roles + 1);
	find_first_moves(p);
	return true;
}

static void perft_free(struct perft *p)
{
	progress_end(&p->progress);
	perft_ranks_close(p);
	macaw_worker_free(p->w);
	vec_free(&p->hashes);
	mem_free(p->states);
	mem_free(p->next);
	mem_free(p->legal);
	mem_free(p->ways);
	mem_free(p->moves);
	mem_free(p->terminal);
	mem_free(p->at);
	mem_free(p->first_move);
	macaw_symmetries_free(p->symmetry);
	mem_free(p->canonical);
	mem_free(p->row);
}

/* False after a message: symmetries cannot be known. */
static bool use_symmetry(struct perft *p)
{
	macaw_error error;
	p->symmetry = macaw_symmetries_find(p->g, (macaw_limit){0}, &error);
	const char *why = p->symmetry ? macaw_symmetries_skipped(p->symmetry) : error.text;
	p->canonical = NEW_ARRAY(uint64_t, p->words + 1);
	p->row = NEW_ARRAY(uint64_t, p->legal_words + 1);
	if (why)
		fprintf(stderr, "macaw perft: no symmetries: %s\n", why);
	return !why;
}

static void first_level(struct perft *p, const uint64_t *start, struct level *l)
{
	static const uint32_t none[1];
	uint32_t *nowhere = NEW_ARRAY(uint32_t, p->roles + 1);
	macaw_view v = {.terminal = true};
	p->trouble = !macaw_look(p->w, start, &v);
	if (!perft_ranks_owns(p, start)) {
		mem_free(nowhere);
		return;
	}
	put_state(p, l, start, 1);
	put_moves(l, p->roles, v.terminal ? none : v.legal, v.terminal ? nowhere : v.start);
	l->sequences = 1;
	l->terminal = v.terminal;
	l->stuck = !v.terminal && !perft_joint_moves(l, p->roles, 0);
	mem_free(nowhere);
}

/* ---- reports ------------------------------------------------------------------------- */

struct row {
	uint64_t sequences, states, terminal, stuck;
	double seconds;
};

typedef VEC(struct row) row_list;

/* Widths of the columns: rows are printed as they come. */
enum { DEPTH_WIDE = 5, SEQUENCES_WIDE = 18, STATES_WIDE = 11, SECONDS_WIDE = 7 };

static void print_heading(void)
{
	printf("%*s  %*s  %*s  %*s  %*s\n", DEPTH_WIDE, "depth", SEQUENCES_WIDE, "sequences", STATES_WIDE, "states",
	       STATES_WIDE, "terminal", SECONDS_WIDE, "seconds");
	for (int i = 0; i < DEPTH_WIDE + SEQUENCES_WIDE + 2 * STATES_WIDE + SECONDS_WIDE + 8; i++)
		putchar('-');
	putchar('\n');
}

static void print_count(uint64_t n, int wide)
{
	struct text s = {0};
	text_puts(&s, n == UINT64_MAX ? ">= " : "");
	number_grouped(&s, n);
	printf("  %*s", wide, text_str(&s));
	text_free(&s);
}

static void print_row(size_t depth, const struct row *r)
{
	printf("%*zu", DEPTH_WIDE, depth);
	print_count(r->sequences, SEQUENCES_WIDE);
	print_count(r->states, STATES_WIDE);
	print_count(r->terminal, STATES_WIDE);
	printf("  %*.3f\n", SECONDS_WIDE, r->seconds);
	fflush(stdout);
}

static void print_stuck(const row_list *rows)
{
	uint64_t stuck = 0;
	for (size_t d = 0; d < rows->n; d++)
		stuck += rows->at[d].stuck;
	if (stuck)
		printf("\n%llu state%s without a legal move for some role, and not terminal\n", (unsigned long long)stuck,
		       stuck == 1 ? "" : "s");
}

/* Larger than a signed 64-bit number is beyond many readers' integers: as text. */
static void json_count(struct json_writer *w, const char *key, uint64_t n)
{
	char digits[40];
	snprintf(digits, sizeof digits, "%llu", (unsigned long long)n);
	if (n <= INT64_MAX)
		jsonw_uint(w, key, n);
	else
		jsonw_text(w, key, digits);
}

static void json_row(struct json_writer *w, size_t depth, const struct row *r)
{
	jsonw_object(w, NULL);
	jsonw_uint(w, "depth", depth);
	json_count(w, "sequences", r->sequences);
	json_count(w, "states", r->states);
	json_count(w, "terminal", r->terminal);
	json_count(w, "stuck", r->stuck);
	jsonw_real(w, "seconds", r->seconds);
	jsonw_end(w);
}

static void print_json(const macaw_game *g, const row_list *rows, bool complete)
{
	struct text t = {0};
	struct json_writer w = {.out = &t};
	double seconds = 0;
	jsonw_object(&w, NULL);
	jsonw_text(&w, "game", macaw_game_name(g));
	jsonw_text(&w, "engine", load_engine(g));
	jsonw_bool(&w, "complete", complete);
	jsonw_array(&w, "levels");
	for (size_t d = 0; d < rows->n; d++) {
		json_row(&w, d, &rows->at[d]);
		seconds += rows->at[d].seconds;
	}
	jsonw_end(&w);
	jsonw_real(&w, "seconds", seconds);
	jsonw_real(&w, "build_seconds", macaw_game_information(g).seconds);
	jsonw_end(&w);
	output_line(&t);
}

/* Why there is no next level. Returns the exit status. */
static int tell_end(struct perft *p, long depth)
{
	progress_end(&p->progress);
	if (macaw_stopped(&interrupted))
		fprintf(stderr, "macaw perft: interrupted\n");
	else if (p->full)
		fprintf(stderr, "macaw perft: the states of depth %ld do not fit in %zu MB (--memory)\n", depth,
		        p->memory >> 20);
	else if (p->trouble)
		fprintf(stderr, "macaw perft: the interpreter gave up: %s\n", macaw_worker_error(p->w)->text);
	return p->full || (p->stopped && !macaw_stopped(&interrupted)) ? EXIT_MACHINE : EXIT_INPUT;
}

static int count_levels(struct perft *p, const uint64_t *start, long depth, row_list *rows)
{
	struct level now = {0};
	first_level(p, start, &now);
	int status = p->trouble ? tell_end(p, 0) : EXIT_DONE;
	for (long d = 0; !status; d++) {
		struct row r = {now.sequences, now.ways.n, now.terminal, now.stuck, now.seconds};
		if (!perft_ranks_sum(p, macaw_stopped(&interrupted), &r.sequences, &r.states, &r.terminal, &r.stuck)) {
			status = tell_end(p, d);
			break;
		}
		vec_push(rows, r);
		progress_end(&p->progress);
		if (p->print)
			print_row(rows->n - 1, &r);
		if (d == depth || r.terminal + r.stuck == r.states)
			break;
		struct level next = {0};
		p->last = d + 1 == depth;
		make_next(p, &now, &next);
		level_free(&now);
		now = next;
		if (!p->cluster && !goes_on(p))
			status = tell_end(p, d + 1);
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

static int perft(const struct perft_options *o, struct cluster *c, macaw_game *g, const uint64_t *start, long depth)
{
	struct perft p;
	row_list rows = {0};
	int status = EXIT_MACHINE;
	bool ready = perft_init(&p, g, o->load.memory ? (size_t)o->load.memory << 20 : mem_physical() / 2);
	p.print = !o->json;
	signal(SIGINT, on_interrupt);
	if (ready && ((o->symmetry && !use_symmetry(&p)) || !perft_ranks_open(&p, c))) {
		status = EXIT_INPUT;
	} else if (ready) {
		if (p.print)
			print_heading();
		status = count_levels(&p, start, depth, &rows);
	}
	perft_free(&p);
	if (!cluster_leads(c))
		; /* rank 0 reports */
	else if (p.print)
		print_stuck(&rows);
	else if (rows.n)
		print_json(g, &rows, !status);
	vec_free(&rows);
	return status;
}

static int load_and_count(const struct perft_options *o, struct cluster *c, const char *word, long depth)
{
	int status;
	struct where from = {0};
	macaw_game *g = load_word("perft", word, &o->load, &status);
	if (g)
		status = where_find(g, "perft", &o->where, &from);
	if (g && !status)
		status = perft(o, c, g, from.at, depth);
	where_free(&from);
	macaw_game_free(g);
	return status;
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
	int status;
	struct cluster *c = cluster_open("perft", &o->cluster, &status);
	return status ? status : cluster_close(c, load_and_count(o, c, words[0], depth));
}

const struct command cmd_perft = {
	.name = "perft",
	.arguments = "GAME DEPTH",
	.summary = "Count joint-move sequences and states by depth",
	.details =
		"For every depth up to DEPTH: the number of sequences of that many joint moves, of the distinct states they "
		"lead to, and of terminal states among these. Where roles move in turn, a joint move is one move and the noops "
		"of the others. Each depth is shown when it is done. Ends early when every sequence has ended, with exit "
		"status 1 "
		"on Ctrl-C, and with 3 when the states do not fit in memory.",
	.example = "macaw perft othello 6",
	.options = options,
	.size = sizeof(struct perft_options),
	.run = run,
};

/* macaw solve for games of two roles: who wins with best play, best play itself, and a strategy to be followed. */
#include "cli/solve_two.h"

#include "cli/commands.h"
#include "cli/output.h"
#include "macaw/outcome.h"
#include "macaw/worker.h"
#include "show/terminal.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#define FIRST_SLICE 0.2 /* seconds of work between two signs of progress */
#define MOST_SLICE 2
#define LINE_STEPS 500
#define MOST_STRATEGY 1000000 /* positions in a strategy */

struct two {
	const struct two_request *q;
	macaw_game *g;
	macaw_worker *w;
	macaw_outcome *o;
	const uint64_t *start;
	size_t words;
	double began, until;
	bool solved;
	VEC(uint32_t) line;             /* joint moves of best play, two numbers per step */
	VEC(uint32_t) movers;           /* by step */
	VEC(macaw_score_bounds) values; /* of the first moves, for the role that makes them */
	VEC(uint32_t) first;
	uint32_t mover;
};

static macaw_stop interrupted;

static void on_signal(int number)
{
	macaw_stop_now(&interrupted);
	signal(number, SIG_DFL); /* a second one ends the process */
}

static macaw_limit rest(const struct two *t, double most)
{
	double left = t->until - clock_now();
	left = left < most ? left : most;
	return (macaw_limit){.seconds = left > 1e-3 ? left : 1e-3, .stop = &interrupted};
}

static bool ended(const struct two *t)
{
	return macaw_stopped(&interrupted) || clock_now() >= t->until || macaw_outcome_error(t->o)->status;
}

static void search(struct two *t)
{
	struct progress progress = progress_start("solving", t->q->json);
	double slice = FIRST_SLICE;
	do {
		t->solved = macaw_outcome_solve(t->o, t->start, rest(t, slice));
		slice = slice * 2 < MOST_SLICE ? slice * 2 : MOST_SLICE;
		progress_step(&progress, clock_now() - t->began, t->until - t->began, "seconds");
	} while (!t->solved && !ended(t) && !macaw_outcome_in_vain(t->o));
	progress_end(&progress);
}

/* Whose choice it is: the role with several moves, else the first. */
static uint32_t mover_of(const macaw_view *v)
{
	return v->start[2] - v->start[1] > 1 ? 1 : 0;
}

static void find_line(struct two *t)
{
	uint64_t *at = mem_alloc(t->words, sizeof *at);
	memcpy(at, t->start, t->words * sizeof *at);
	for (uint32_t step = 0; t->solved && step < LINE_STEPS; step++) {
		macaw_view l;
		if (!macaw_look(t->w, at, &l) || l.terminal || l.start[0] == l.start[1] || l.start[1] == l.start[2])
			break;
		uint32_t joint[2] = {l.legal[l.start[0]], l.legal[l.start[1]]}, mover = mover_of(&l);
		if (!macaw_outcome_move(t->o, at, mover, rest(t, 1e9), &joint[mover]))
			break;
		vec_push(&t->movers, mover);
		vec_push(&t->line, joint[0]);
		vec_push(&t->line, joint[1]);
		if (!macaw_next(t->w, at, joint, at))
			break;
	}
	mem_free(at);
}

/* As much as is known, with as much work again as the position itself has cost. */
static void find_values(struct two *t)
{
	macaw_view l;
	if (!t->solved || !macaw_look(t->w, t->start, &l) || l.terminal)
		return;
	uint64_t *at = mem_alloc(t->words, sizeof *at);
	double spent = clock_now() - t->began, end = clock_now() + (spent > 0.1 ? spent : 0.1);
	t->mover = mover_of(&l);
	uint32_t joint[2] = {l.legal[l.start[0]], l.legal[l.start[1]]};
	vec_set(&t->first, l.legal + l.start[t->mover], l.start[t->mover + 1] - l.start[t->mover]);
	for (size_t i = 0; i < t->first.n; i++) {
		double left = (end - clock_now()) / (double)(t->first.n - i);
		joint[t->mover] = t->first.at[i];
		macaw_next(t->w, t->start, joint, at);
		macaw_outcome_solve(t->o, at, rest(t, left));
		vec_push(&t->values, macaw_outcome_bounds(t->o, at, t->mover));
	}
	mem_free(at);
}

static const char *role_name(const struct two *t, uint32_t role)
{
	return macaw_game_role(t->g, role);
}

/* 0 or 1: this role wins; 2: neither is better off; -1: not known. */
static int winner(const struct two *t, const macaw_score_bounds b[2])
{
	if (!t->solved)
		return -1;
	return b[0].low > b[1].low ? 0 : b[1].low > b[0].low ? 1 : 2;
}

static void print_verdict(const struct two *t, const macaw_score_bounds b[2])
{
	int sum, who = winner(t, b);
	bool constant = macaw_outcome_constant_sum(t->o, &sum);
	if (who < 0)
		return;
	if (!constant)
		printf("d scores need not add up to a constant: each role is taken to play against an enemy\n");
	else if (who == 2)
		printf("d drawn with best play, %d to %d\n", b[0].low, b[1].low);
	else
		printf("d %s wins with best play, %d to %d\n", role_name(t, (uint32_t)who), b[who].low, b[!who].low);
}

static const char *why_not(const struct two *t)
{
	return macaw_outcome_in_vain(t->o)   ? "positions come back on their own path: nothing more can be proved"
	       : macaw_stopped(&interrupted) ? "interrupted"
	                                     : "the time is over (--time)";
}

static void print_text(const struct two *t, const macaw_score_bounds b[2])
{
	printf("s %s\n", t->solved ? "SOLVED" : "UNKNOWN");
	for (uint32_t r = 0; r < 2; r++)
		if (b[r].low == b[r].high)
			printf("o %s %d\n", role_name(t, r), b[r].low);
		else
			printf("d %s is sure of %d, and cannot be sure of more than %d\n", role_name(t, r), b[r].low, b[r].high);
	print_verdict(t, b);
	for (size_t i = 0; i < t->movers.n; i++)
		printf("v %s %s\n", role_name(t, t->movers.at[i]), macaw_game_move(t->g, t->line.at[2 * i + t->movers.at[i]]));
	if (t->solved)
		printf("d steps %zu\n", t->line.n / 2);
	else
		printf("d %s\n", why_not(t));
	for (size_t i = 0; i < t->values.n; i++)
		if (t->values.at[i].low == t->values.at[i].high)
			printf("d after %s: %d\n", macaw_game_move(t->g, t->first.at[i]), t->values.at[i].low);
	printf("c positions %" PRIu64 "\nc seconds %.3f\n", macaw_outcome_positions(t->o), clock_now() - t->began);
}

static void json_bounds(struct json_writer *w, const char *key, const char *name, macaw_score_bounds b)
{
	jsonw_object(w, NULL);
	jsonw_text(w, key, name);
	jsonw_int(w, "low", b.low);
	jsonw_int(w, "high", b.high);
	jsonw_end(w);
}

static void print_json(const struct two *t, const macaw_score_bounds b[2])
{
	struct text text = {0};
	struct json_writer w = {.out = &text};
	int sum, who = winner(t, b);
	jsonw_object(&w, NULL);
	jsonw_text(&w, "game", macaw_game_name(t->g));
	jsonw_bool(&w, "solved", t->solved);
	jsonw_bool(&w, "constant_sum", macaw_outcome_constant_sum(t->o, &sum));
	jsonw_text(&w, "winner", who == 0 || who == 1 ? role_name(t, (uint32_t)who) : NULL);
	jsonw_array(&w, "roles");
	for (uint32_t r = 0; r < 2; r++)
		json_bounds(&w, "role", role_name(t, r), b[r]);
	jsonw_end(&w);
	jsonw_array(&w, "line");
	for (size_t i = 0; i + 1 < t->line.n; i += 2) {
		jsonw_array(&w, NULL);
		jsonw_text(&w, NULL, macaw_game_move(t->g, t->line.at[i]));
		jsonw_text(&w, NULL, macaw_game_move(t->g, t->line.at[i + 1]));
		jsonw_end(&w);
	}
	jsonw_end(&w);
	jsonw_text(&w, "mover", t->values.n ? role_name(t, t->mover) : NULL);
	jsonw_array(&w, "moves");
	for (size_t i = 0; i < t->values.n; i++)
		json_bounds(&w, "move", macaw_game_move(t->g, t->first.at[i]), t->values.at[i]);
	jsonw_end(&w);
	jsonw_text(&w, "why", t->solved ? NULL : why_not(t));
	jsonw_uint(&w, "positions", macaw_outcome_positions(t->o));
	output_seconds(&w, "seconds", clock_now() - t->began);
	jsonw_end(&w);
	output_line(&text);
}

/* ---- a strategy to be followed ---- */

/* Positions that can come about while one role keeps to its strategy, nearest first. */
struct strategy {
	struct two *t;
	uint32_t role;
	VEC(uint64_t) states;
	VEC(uint32_t) parent, made; /* by position: where it came from, and the move of the role whose turn it was there */
	VEC(uint32_t) legal;
	struct table seen;
	struct text out;
	uint64_t written;
};

static const uint64_t *state_at(const struct strategy *y, size_t i)
{
	return y->states.at + i * y->t->words;
}

static void put_way(const struct strategy *y, uint32_t i, struct text *out)
{
	VEC(uint32_t) way = {0};
	for (; i; i = y->parent.at[i])
		vec_push(&way, y->made.at[i]);
	for (size_t k = way.n; k--;)
		text_printf(out, "%s%s", macaw_game_move(y->t->g, way.at[k]), k ? "; " : "");
	vec_free(&way);
}

static void meet(struct strategy *y, const uint64_t *state, uint32_t parent, uint32_t move)
{
	uint64_t h = macaw_position_hash(y->t->g, state);
	uint32_t it, id, count = (uint32_t)y->parent.n;
	for (table_start(&y->seen, h, &it); (id = table_next(&y->seen, h, &it)) != TABLE_NONE;)
		if (macaw_position_equal(y->t->g, state_at(y, id), state))
			return;
	table_add(&y->seen, h, count);
	vec_extend(&y->states, y->t->words);
	memcpy(y->states.at + (size_t)count * y->t->words, state, y->t->words * sizeof *state);
	vec_push(&y->parent, parent);
	vec_push(&y->made, move);
}

/* One move of the strategy, or all of the other role. False: it was not found in time. */
static bool go_on(struct strategy *y, uint32_t i, uint64_t *state)
{
	struct two *t = y->t;
	macaw_view v;
	memcpy(state, state_at(y, i), t->words * sizeof *state);
	if (!macaw_look(t->w, state, &v) || v.terminal || v.start[0] == v.start[1] || v.start[1] == v.start[2])
		return true;
	uint32_t joint[2] = {v.legal[v.start[0]], v.legal[v.start[1]]}, mover = mover_of(&v), move;
	vec_set(&y->legal, v.legal + v.start[mover], v.start[mover + 1] - v.start[mover]);
	if (mover == y->role && y->legal.n > 1) {
		if (!macaw_outcome_move(t->o, state, mover, rest(t, 1e9), &move))
			return false;
		put_way(y, i, &y->out);
		text_printf(&y->out, " => %s\n", macaw_game_move(t->g, move));
		y->written++;
		vec_set(&y->legal, &move, 1);
	}
	for (size_t k = 0; k < y->legal.n; k++) {
		joint[mover] = y->legal.at[k];
		memcpy(state, state_at(y, i), t->words * sizeof *state);
		if (!macaw_next(t->w, state, joint, state))
			return false;
		meet(y, state, i, joint[mover]);
	}
	return true;
}

static const char *follow(struct strategy *y)
{
	uint64_t *state = mem_alloc(y->t->words + 1, sizeof *state);
	const char *why = NULL;
	meet(y, y->t->start, 0, 0);
	for (uint32_t i = 0; i < y->parent.n && !why; i++)
		why = !go_on(y, i, state)           ? why_not(y->t)
		      : y->parent.n > MOST_STRATEGY ? "it has more than a million positions"
		                                    : NULL;
	mem_free(state);
	return why;
}

static int write_strategy(struct two *t, const macaw_score_bounds b[2])
{
	int who = winner(t, b), status = EXIT_INPUT;
	if (who < 0) {
		fprintf(stderr, "macaw solve: no strategy is written: the game is not solved\n");
		return EXIT_INPUT;
	}
	struct strategy y = {.t = t, .role = t->q->role >= 0 ? (uint32_t)t->q->role : who == 1};
	text_printf(
		&y.out,
		"; %s: %s is sure of %d by this\n; moves so far => the move to make; where it has only one, nothing is said\n",
		macaw_game_name(t->g), role_name(t, y.role), b[y.role].low);
	const char *why = follow(&y);
	if (why)
		fprintf(stderr, "macaw solve: no strategy is written: %s\n", why);
	else
		status = output_file("solve", t->q->strategy, text_str(&y.out));
	if (!status && !t->q->json && strcmp(t->q->strategy, "-"))
		printf("d strategy of %s: %" PRIu64 " positions in %s\n", role_name(t, y.role), y.written, t->q->strategy);
	vec_free(&y.states);
	vec_free(&y.parent);
	vec_free(&y.made);
	vec_free(&y.legal);
	table_free(&y.seen);
	text_free(&y.out);
	return status;
}

/* ---- the command ---- */

static int fail(const struct two_request *q, const macaw_error *e)
{
	fprintf(stderr, "macaw solve: %s: %s\n", q->word, e->text);
	return e->status == MACAW_MEMORY ? EXIT_MACHINE : EXIT_INPUT;
}

static int solve_and_tell(struct two *t)
{
	signal(SIGINT, on_signal);
	signal(SIGTERM, on_signal);
	search(t);
	if (macaw_outcome_error(t->o)->status)
		return fail(t->q, macaw_outcome_error(t->o));
	macaw_score_bounds b[2] = {macaw_outcome_bounds(t->o, t->start, 0), macaw_outcome_bounds(t->o, t->start, 1)};
	find_line(t);
	find_values(t);
	if (t->q->json)
		print_json(t, b);
	else
		print_text(t, b);
	return t->q->strategy ? write_strategy(t, b) : EXIT_DONE;
}

int solve_two(macaw_game *g, const uint64_t *start, const struct two_request *q)
{
	macaw_error e;
	int status;
	struct two t = {.q = q, .g = g, .start = start, .words = macaw_position_words(g), .began = clock_now()};
	t.until = t.began + q->seconds;
	t.o = macaw_outcome_new(g, 0, &e);
	t.w = t.o ? macaw_worker_new(g, &e) : NULL;
	status = t.w ? solve_and_tell(&t) : fail(q, &e);
	vec_free(&t.line);
	vec_free(&t.movers);
	vec_free(&t.values);
	vec_free(&t.first);
	macaw_worker_free(t.w);
	macaw_outcome_free(t.o);
	return status;
}

/* Running out of memory in the middle of games, playouts, puzzles and matches: whatever
 * allocation fails, on whatever thread, the work ends, nothing hangs and nothing is left. */
#include "../play/make_game.h"
#include "work.h"

#include "match/referee.h"
#include "match/seats.h"
#include "puzzle/puzzle.h"
#include "symmetry/symmetry.h"

struct task {
	const char *game;
	enum game_engine engine;
	const char *players; /* of a match; NULL: none */
	bool isolated, puzzle;
	bool copes; /* a search whose graph cannot grow goes on with what it has */
	size_t reported;
};

static void report(void *context, size_t start, const uint32_t *moves, uint32_t steps, const int *goals)
{
	struct task *t = context;
	mem_free(mem_alloc(steps + 1, 1));
	t->reported++;
}

static void try_playouts(struct task *t, struct game *g)
{
	struct playout_result r;
	t->reported = 0;
	game_playouts(g, &(struct playout_job){.playouts = 30, .threads = 3, .seed = 1, .report = report, .context = t},
	              &r);
	assert_int_equal(t->reported, 30);
	playout_result_free(&r);
	game_decisive(g, PLAYOUT_DECISIVE);
	game_decisive(g, PLAYOUT_ANTI_DECISIVE);
	symmetry_free(symmetry_find(g, &(struct symmetry_options){.limit = work_seconds(60)}));
}

static void try_match(struct task *t, struct game *g)
{
	struct seats s;
	struct match m;
	struct text error = {0};
	if (!seats_make(&s, g, t->players, t->isolated, 1, &error)) {
		assert_true(t->isolated); /* only a process may run out of memory by itself */
		text_free(&error);
		return;
	}
	referee_play(&m, g, s.by_role, &(struct referee_options){.playouts = 10, .start = 1, .max_steps = 4, .seed = 1});
	match_free(&m);
	seats_free(&s);
}

static void work(void *context)
{
	struct task *t = context;
	struct diags d = {0};
	struct text path = {0}, text = {0}, error = {0};
	text_printf(&path, "%s/games/%s.kif", getenv("MACAW_SOURCE"), t->game);
	assert_true(text_read_file(&text, text_str(&path), 1 << 20, NULL));
	struct gdl_rules *rules = gdl_read(text.at, text.n, &d);
	gdl_check(rules, &d);
	struct game *g = game_make(rules, &(struct game_options){.engine = t->engine}, &error);
	assert_non_null(g);
	if (t->puzzle) {
		struct puzzle_result r;
		assert_true(puzzle_solve(g, &(struct puzzle_options){.limit = work_seconds(60), .method = PUZZLE_SAT}, &r));
		assert_true(r.proved);
		puzzle_free(&r);
	} else if (t->players) {
		try_match(t, g);
	} else {
		try_playouts(t, g);
	}
	game_free(g);
	gdl_free(rules);
	diag_free(&d);
	text_free(&path);
	text_free(&text);
	text_free(&error);
}

#define EACH 500 /* the first ones fail one by one */

/* Many n, closer together where they are small; the last one is beyond all allocations. */
static void fail_everywhere(struct task *t, size_t step)
{
	size_t n = 1;
	for (bool over = false; !over; n += n < EACH && step > 100 ? 1 : 1 + n / step) {
		struct mem_scope *s = mem_scope_new();
		struct mem_fault fault;
		mem_fail_after(&fault, n);
		bool done = mem_try(s, work, t), struck = !atomic_load(&fault.left);
		mem_fail_after(&fault, 0);
		assert_true(done ? !struck || t->copes : struck || t->isolated); /* a process counts for itself */
		assert_true(!done || !mem_blocks(s));
		over = done && !struck;
		mem_scope_free(s);
	}
	assert_true(n > 1000);
}

static size_t step(size_t whole)
{
	return test_sample() ? whole / 12 + 1 : whole;
}

static void games_and_playouts(void **state)
{
	fail_everywhere(&(struct task){"tictactoe", .engine = ENGINE_CIRCUIT}, step(1000));
}

static void interpreted_games(void **state)
{
	fail_everywhere(&(struct task){"tictactoe", .engine = ENGINE_INTERPRETER}, step(1000));
}

static void matches(void **state)
{
	fail_everywhere(&(struct task){"tictactoe", .players = "macaw:threads=2,uct", .copes = true}, step(1000));
}

static void matches_in_processes(void **state)
{
	fail_everywhere(&(struct task){"tictactoe", .players = "mc,mc", .isolated = true}, step(100));
}

static void puzzles(void **state)
{
	fail_everywhere(&(struct task){"lights_out_3x3", .puzzle = true}, step(1000));
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(games_and_playouts),   cmocka_unit_test(interpreted_games), cmocka_unit_test(matches),
		cmocka_unit_test(matches_in_processes), cmocka_unit_test(puzzles),
	};
	return RUN(cases);
}

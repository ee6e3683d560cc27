/* Puzzles have the solutions that they promise, and small games the values that
 * theory or the papers give them. */
#include "board.h"

#include "base/hash.h"
#include "base/mem.h"

#include <string.h>

#define PLAY(b, ...) board_play(b, __VA_ARGS__, NULL)

static void solved(struct board *b)
{
	assert_true(board_terminal(b));
	assert_int_equal(board_goal(b, "robot"), 100);
	board_close(b);
}

/* ---- puzzles ----------------------------------------------------------------------- */

static void lights(void **state)
{
	struct board b = board_open("buttons_and_lights_3");
	PLAY(&b, "(press 1)", "(press 2)", "(press 3)", "(press 1)", "(press 2)", "(press 1)");
	solved(&b);
	b = board_open("lights_out_3x3");
	PLAY(&b, "(press 1 1)", "(press 3 1)", "(press 2 2)", "(press 1 3)", "(press 3 3)");
	solved(&b);
}

/* Light by light: on at the left end, then to its place. */
static void rows_of_lights(void **state)
{
	static const int sizes[] = {7, 10};
	for (int i = 0; i < 2; i++) {
		char text[32];
		snprintf(text, sizeof text, "buttons_and_lights_%d", sizes[i]);
		struct board b = board_open(text);
		for (int place = sizes[i]; place >= 1; place--)
			for (int button = 1; button <= place; button++) {
				snprintf(text, sizeof text, "(press %d)", button);
				PLAY(&b, text);
			}
		solved(&b);
	}
}

static void sets_of_lights(void **state)
{
	struct board b = board_open("joint_buttons_and_lights_25");
	for (int set = 1; set <= 25; set++) {
		static const int buttons[] = {1, 2, 3, 1, 2, 1};
		for (int i = 0; i < 6; i++) {
			char move[32];
			snprintf(move, sizeof move, "(press %d %d)", set, buttons[i]);
			PLAY(&b, move);
		}
	}
	solved(&b);
}

static void hanoi(void **state)
{
	struct board b = board_open("hanoi_3");
	PLAY(&b, "(move 1 right)", "(move 2 middle)", "(move 1 middle)", "(move 3 right)", "(move 1 left)",
	     "(move 2 right)", "(move 1 right)");
	solved(&b);
}

static void eight_puzzle(void **state)
{
	struct board b = board_open("eight_puzzle");
	PLAY(&b, "(slide 3 3)", "(slide 3 2)", "(slide 2 2)", "(slide 1 2)", "(slide 1 3)", "(slide 2 3)", "(slide 3 3)",
	     "(slide 3 2)", "(slide 3 1)", "(slide 2 1)", "(slide 1 1)", "(slide 1 2)", "(slide 2 2)", "(slide 2 1)",
	     "(slide 1 1)", "(slide 1 2)", "(slide 1 3)", "(slide 2 3)", "(slide 3 3)", "(slide 3 2)", "(slide 2 2)",
	     "(slide 2 3)", "(slide 3 3)", "(slide 3 2)", "(slide 3 1)", "(slide 2 1)", "(slide 1 1)", "(slide 1 2)",
	     "(slide 1 3)", "(slide 2 3)", "(slide 3 3)");
	solved(&b);
}

static void knights_tour(void **state)
{
	struct board b = board_open("knights_tour_5x5");
	PLAY(&b, "(go 2 3)", "(go 1 5)", "(go 3 4)", "(go 5 5)", "(go 4 3)", "(go 5 1)", "(go 3 2)", "(go 4 4)", "(go 2 5)",
	     "(go 1 3)", "(go 2 1)", "(go 4 2)", "(go 5 4)", "(go 3 5)", "(go 1 4)", "(go 2 2)", "(go 4 1)", "(go 5 3)",
	     "(go 4 5)", "(go 2 4)", "(go 1 2)", "(go 3 3)", "(go 5 2)", "(go 3 1)");
	solved(&b);
}

static void sudoku(void **state)
{
	static const char *const given[] = {"24.7....1", ".5......2", ".8...5.3.", "..9..431.", "...971...",
	                                    ".243..8..", ".9.5...7.", "8......6.", "3....8.54"};
	static const char *const full[] = {"243769581", "957183642", "681245739", "769824315", "538971426",
	                                   "124356897", "496532178", "815497263", "372618954"};
	struct board b = board_open("sudoku");
	for (int row = 0; row < 9; row++)
		for (int col = 0; col < 9; col++) {
			if (given[row][col] != '.')
				continue;
			char move[32];
			snprintf(move, sizeof move, "(write %c %d %d)", full[row][col], col + 1, row + 1);
			PLAY(&b, move);
		}
	solved(&b);
}

/* ---- values ------------------------------------------------------------------------ */

/* States met by the search and their values; a table of fixed size is enough for
 * the games below. */
struct known {
	uint64_t hash; /* 0: free */
	double value;
};

#define KNOWN ((size_t)1 << 19)

struct search {
	struct board *b;
	struct known *known;
	size_t count;
};

static struct known *find(struct search *s, uint64_t hash)
{
	size_t i = hash % KNOWN;
	while (s->known[i].hash && s->known[i].hash != hash)
		i = (i + 1) % KNOWN;
	return &s->known[i];
}

/* What the first role gets if it plays for the most, the other for the least, and
 * chance as it does. One role at a time has a choice. */
static double value_of(struct search *s, const uint64_t *state)
{
	struct game *g = s->b->game;
	uint64_t hash = game_hash(g, state) | 1;
	struct known *k = find(s, hash);
	if (k->hash)
		return k->value;
	struct view v = game_look(s->b->worker, state);
	double value = v.goals[0];
	if (!v.terminal) {
		uint32_t mover = 0, n = 0;
		uint32_t *joint = NEW_ARRAY(uint32_t, g->roles);
		for (uint32_t r = 0; r < g->roles; r++) {
			joint[r] = v.legal[v.start[r]];
			if (v.start[r + 1] - v.start[r] > 1)
				mover = r;
		}
		n = v.start[mover + 1] - v.start[mover];
		uint32_t *moves = NEW_ARRAY(uint32_t, n); /* the view will not last */
		memcpy(moves, v.legal + v.start[mover], n * sizeof *moves);
		uint64_t *next = NEW_ARRAY(uint64_t, g->words);
		value = 0;
		for (uint32_t i = 0; i < n; i++) {
			joint[mover] = moves[i];
			game_next(s->b->worker, state, joint, next);
			double w = value_of(s, next);
			if (mover == g->random)
				value += w / n;
			else if (i == 0 || (mover == 0 ? w > value : w < value))
				value = w;
			if (mover != g->random && value == (mover == 0 ? 100 : 0))
				break; /* nothing is better */
		}
		mem_free(next);
		mem_free(moves);
		mem_free(joint);
	}
	assert_true(++s->count < KNOWN / 2);
	*find(s, hash) = (struct known){hash, value};
	return value;
}

static double value(struct board *b)
{
	struct search s = {.b = b, .known = NEW_ARRAY(struct known, KNOWN)};
	double v = value_of(&s, b->state);
	mem_free(s.known);
	return v;
}

static const struct {
	const char *game;
	double value;
} values[] = {
	/* Bessiere and Verger's Table 1: can the first player force a win? */
	{"connect_2x2_2", 100},
	{"connect_3x3_2", 100},
	{"connect_5x5_2", 100},
	{"connect_6x6_2", 100},
	{"connect_7x7_2", 100},
	{"connect_3x3_3", 50},
	{"connect_4x4_3", 100},
	{"connect_4x4_4", 50},
	/* what the files themselves say */
	{"token_game_5", 0},
	{"token_game_8", 100},
	{"nim", 100},
	{"nim_misere", 0},
	{"chomp", 100},
	{"hanoi_3", 100},
	{"buttons_and_lights_3", 100},
};

static void values_are_right(void **state)
{
	for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
		struct board b = board_open(values[i].game);
		double v = value(&b);
		if (v != values[i].value)
			fail_msg("%s: %g, not %g", values[i].game, v, values[i].value);
		board_close(&b);
	}
}

/* The worked example of symmetry: a mark beside the x is worth a quarter, in its
 * row as in its column, and one in the other corner nothing. */
static void symmetry_example(void **state)
{
	struct board b = board_open("tictactoe_2x2");
	assert_true(value(&b) == 25);
	PLAY(&b, "(mark 1 2)");
	assert_true(value(&b) == 25);
	board_reset(&b);
	PLAY(&b, "(mark 2 1)");
	assert_true(value(&b) == 25);
	board_reset(&b);
	PLAY(&b, "(mark 2 2)");
	assert_true(value(&b) == 0);
	board_close(&b);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(lights), cmocka_unit_test(rows_of_lights),   cmocka_unit_test(sets_of_lights),
		cmocka_unit_test(hanoi),  cmocka_unit_test(eight_puzzle),     cmocka_unit_test(knights_tour),
		cmocka_unit_test(sudoku), cmocka_unit_test(values_are_right), cmocka_unit_test(symmetry_example),
	};
	return RUN(cases);
}

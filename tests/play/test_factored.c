/* The default player in games that consist of several: it looks at each of them alone. */
#include "make_game.h"

#include "base/rng.h"
#include "play/player.h"

struct match {
	struct made made;
	struct worker *w;
	uint64_t *state;
	uint32_t step;
};

static struct match new_match(void)
{
	struct match m = {.made = load_game_named("connect_four_simultaneous")};
	m.w = worker_new(m.made.game);
	m.state = mem_alloc(m.made.game->words, sizeof *m.state);
	memcpy(m.state, m.made.game->initial, m.made.game->words * sizeof *m.state);
	return m;
}

static void free_match(struct match *m)
{
	worker_free(m->w);
	mem_free(m->state);
	free_made(&m->made);
}

/* The column (1 to 8) of a move. */
static uint32_t column_of(const struct match *m, uint32_t move)
{
	struct text t = {0};
	game_print_move(m->made.game, move, &t);
	uint32_t column = (uint32_t)atoi(strrchr(text_str(&t), ' '));
	text_free(&t);
	return column;
}

static uint32_t move_into(const struct match *m, const struct view *v, uint32_t role, uint32_t column)
{
	for (uint32_t i = v->start[role]; i < v->start[role + 1]; i++)
		if (column_of(m, v->legal[i]) == column)
			return v->legal[i];
	fail_msg("column %u is full", column);
	return GAME_NONE;
}

/* Each into a column, on the board where its turn is: in even steps red on the one and yellow on the other. */
static void drop(struct match *m, uint32_t red, uint32_t yellow)
{
	struct view v = game_look(m->w, m->state);
	uint32_t joint[2] = {move_into(m, &v, 0, red), move_into(m, &v, 1, yellow)};
	game_next(m->w, m->state, joint, m->state);
	m->step++;
}

static uint32_t ask(struct match *m, struct player *p, uint32_t role, uint64_t playouts)
{
	struct view v = game_look(m->w, m->state);
	uint32_t legal[64], n = v.start[role + 1] - v.start[role];
	memcpy(legal, v.legal + v.start[role], n * sizeof *legal);
	struct turn t = {.step = m->step, .state = m->state, .legal = legal, .legal_count = n, .own_last = GAME_NONE};
	struct choice c = player_move(p, &t, &(struct budget){.playouts = playouts});
	assert_true(turn_allows(&t, c.move));
	assert_non_null(strstr(c.why, " of 2: "));
	struct move_value values[64];
	assert_true(player_values(p, &t, values));
	for (uint32_t i = 0; i < n; i++)
		if (legal[i] == c.move)
			assert_true(values[i].value >= 0 && values[i].low <= 0 && values[i].high >= 100);
	player_ponder(p, &t, c.move, &(struct budget){.playouts = 64});
	return column_of(m, c.move);
}

static struct player *new_player(struct match *m, uint32_t role, uint64_t seed)
{
	struct text error = {0};
	struct player *p = player_make(m->made.game, role, "macaw", seed, &error);
	assert_non_null(p);
	return p;
}

static const uint32_t elsewhere[] = {8, 6, 8};

/* After so many steps, in which red always drops into column 2 on the one board and yellow into 3 on the other: where
 * they drop next. */
static void check_next(uint32_t steps, uint64_t playouts, uint32_t of_red, uint32_t of_yellow)
{
	struct match m = new_match();
	struct player *red = new_player(&m, 0, 1), *yellow = new_player(&m, 1, 2);
	for (uint32_t i = 0; i < steps; i++)
		drop(&m, i % 2 ? elsewhere[i / 2] : 2, i % 2 ? elsewhere[i / 2] : 3);
	assert_int_equal(ask(&m, red, 0, playouts), of_red);
	assert_int_equal(ask(&m, yellow, 1, playouts), of_yellow);
	player_free(red);
	player_free(yellow);
	free_match(&m);
}

/* Three discs of its own lie one upon the other. */
static void finishes_a_line(void **state)
{
	(void)state;
	check_next(6, 400, 2, 3);
}

/* The other one has three on the board where the role is to move now. */
static void stops_a_line(void **state)
{
	(void)state;
	check_next(5, 2000, 3, 2);
}

/* By count, equal seeds play equally. */
static void equal_seeds_play_equally(void **state)
{
	(void)state;
	uint32_t columns[2][6];
	for (uint32_t k = 0; k < 2; k++) {
		struct match m = new_match();
		struct player *red = new_player(&m, 0, 7);
		player_start(red, &(struct budget){.playouts = 2000});
		for (uint32_t i = 0; i < 6; i++) {
			columns[k][i] = ask(&m, red, 0, 300);
			drop(&m, columns[k][i], i + 1);
		}
		assert_true(player_counters(red)->playouts >= 6 * 300);
		player_free(red);
		free_match(&m);
	}
	assert_memory_equal(columns[0], columns[1], sizeof *columns);
}

int main(void)
{
	const struct CMUnitTest cases[] = {cmocka_unit_test(finishes_a_line), cmocka_unit_test(stops_a_line),
	                                   cmocka_unit_test(equal_seeds_play_equally)};
	return RUN(cases);
}

/* Players as users of the library meet them: what they know of their moves, and how they follow a match. */
#include "games.h"
#include "machine.h"

#include "macaw/player.h"

#include <math.h>
#include <pthread.h>

static macaw_player *player_with(macaw_game *g, uint32_t role, const char *word, uint64_t seed)
{
	macaw_error error;
	macaw_player *p = macaw_player_new(g, role, word, seed, &error);
	if (!p)
		fail_msg("%s: %s", word, error.text);
	return p;
}

static macaw_thought think(macaw_player *p, uint64_t playouts)
{
	macaw_thought t;
	if (!macaw_player_think(p, &(macaw_budget){.playouts = playouts}, &t))
		fail_msg("%s", macaw_player_error(p)->text);
	return t;
}

/* ---- kinds ---- */

static void kinds_and_options_are_listed(void **state)
{
	macaw_player_kind k;
	macaw_player_option o;
	size_t kinds = 0, options = 0, choices = 0;
	for (; macaw_player_kind_at(kinds, &k); kinds++) {
		assert_non_null(k.name);
		assert_non_null(k.summary);
		for (size_t i = 0; macaw_player_option_at(kinds, i, &o); i++, options++) {
			assert_true(o.name && o.help && *o.standard);
			choices += o.choices != NULL;
			assert_true(!o.choices || strstr(o.choices, o.standard));
		}
	}
	assert_true(kinds >= 15 && options > 50 && choices > 3);
	assert_false(macaw_player_kind_at(kinds, &k));
	assert_false(macaw_player_kind_at(1000, &k));
	assert_false(macaw_player_option_at(kinds, 0, &o));
	assert_true(macaw_player_option_at(0, 0, &o)); /* random has none but the one of all */
	assert_string_equal(o.name, "time");
	assert_false(macaw_player_option_at(0, 1, &o));
	assert_true(macaw_player_kind_at(0, &k) && k.hidden);
	assert_string_equal(k.name, "random");
}

static void wrong_words_are_refused(void **state)
{
	macaw_error error;
	macaw_game *g = game_with("kuhn_poker", MACAW_ENGINE_AUTO);
	assert_null(macaw_player_new(g, 0, "utc", 1, &error));
	assert_int_equal(error.status, MACAW_USAGE);
	assert_non_null(strstr(error.text, "did you mean 'uct'?"));
	assert_null(macaw_player_new(g, 0, "uct:x=1", 1, &error));
	assert_int_equal(error.status, MACAW_USAGE);
	assert_null(macaw_player_new(g, 0, "uct:c=-1", 1, NULL));
	assert_null(macaw_player_new(g, macaw_game_random(g), "uct", 1, &error));
	assert_null(macaw_player_new(g, 99, "uct", 1, &error));
	assert_int_equal(error.status, MACAW_USAGE);
	macaw_player_free(NULL);
	macaw_game_free(g);
}

/* ---- thoughts ---- */

static bool is_legal(const macaw_view *v, uint32_t role, uint32_t move)
{
	for (uint32_t i = v->start[role]; i < v->start[role + 1]; i++)
		if (v->legal[i] == move)
			return true;
	return false;
}

/* Every legal move once, figures in their ranges, shares that add up, the chosen one among them. */
static void check_values(macaw_worker *w, const uint64_t *position, uint32_t role, const macaw_thought *t)
{
	macaw_view v;
	double shares = 0;
	bool chosen = false;
	assert_true(macaw_look(w, position, &v));
	assert_true(is_legal(&v, role, t->move));
	assert_non_null(t->why);
	assert_int_equal(t->value_count, t->values ? v.start[role + 1] - v.start[role] : 0);
	for (uint32_t i = 0; i < t->value_count; i++) {
		const macaw_move_value *x = &t->values[i];
		assert_true(is_legal(&v, role, x->move));
		for (uint32_t j = 0; j < i; j++)
			assert_int_not_equal(t->values[j].move, x->move);
		assert_true(x->value <= 100 && x->low >= 0 && x->low <= x->high && x->high <= 100);
		assert_true(x->value < 0 || (x->value >= x->low - 1e-3 && x->value <= x->high + 1e-3));
		shares += x->share >= 0 ? x->share : 0;
		chosen |= x->move == t->move && fabs(x->value - t->value) < 1e-9;
	}
	assert_true(!t->values || chosen);
	assert_true(!t->values || t->values[0].share < 0 || fabs(shares - 1) < 1e-6);
}

/* The line begins with the chosen move and can be played. */
static void check_line(macaw_worker *w, const uint64_t *position, uint32_t role, const macaw_thought *t)
{
	const macaw_game *g = macaw_worker_game(w);
	uint32_t roles = macaw_game_roles(g);
	uint64_t *p = copy_of(g, position);
	macaw_view v;
	assert_true(!t->line_steps == !t->line);
	for (uint32_t i = 0; i < t->line_steps; i++) {
		const uint32_t *joint = t->line + (size_t)i * roles;
		assert_true(macaw_look(w, p, &v));
		assert_false(v.terminal);
		for (uint32_t r = 0; r < roles; r++)
			assert_true(is_legal(&v, r, joint[r]));
		assert_true(macaw_next(w, p, joint, p));
	}
	assert_true(!t->line || t->line[role] == t->move);
	free(p);
}

/* Follows a match by random moves and asks in each position. */
static void follow(macaw_game *g, const char *word, uint32_t steps)
{
	macaw_worker *w = macaw_worker_new(g, NULL);
	macaw_player *p = player_with(g, 0, word, 5);
	uint64_t *position = copy_of(g, macaw_position_initial(g)), seed = 3;
	uint32_t moves[8], made = 0;
	assert_int_equal(macaw_player_ready(p), MACAW_NONE);
	assert_true(macaw_player_start(p, &(macaw_budget){.playouts = 100}));
	for (; made < steps; made++) {
		macaw_view v;
		assert_true(macaw_look(w, position, &v));
		if (v.terminal)
			break;
		assert_true(macaw_player_ponder(p, &(macaw_budget){.playouts = 100}));
		macaw_thought t = think(p, 400);
		assert_int_equal(macaw_player_ready(p), t.move);
		check_values(w, position, 0, &t);
		check_line(w, position, 0, &t);
		assert_true(random_step(w, position, moves, &seed));
		assert_true(macaw_player_inform(p, moves));
	}
	assert_int_equal(macaw_player_counters(p).moves, made);
	macaw_player_free(p);
	macaw_worker_free(w);
	free(position);
}

static void players_follow_matches(void **state)
{
	static const char *const words[] = {"random",    "legal", "minimax", "expectiminimax",
	                                    "alphabeta", "mc",    "ucb",     "uct",
	                                    "grave",     "cfr",   "macaw",   "alphabeta:multi=maxn"};
	static const char *const games[] = {"tictactoe", "rock_paper_scissors", "cant_stop", "chinese_checkers", "hanoi_3"};
	for (size_t k = 0; k < sizeof games / sizeof *games; k++) {
		macaw_game *g = game_with(games[k], MACAW_ENGINE_AUTO);
		for (size_t i = 0; i < sizeof words / sizeof *words; i++)
			if (!test_sample() || (i + k) % 5 == 0)
				follow(g, words[i], 3);
		macaw_game_free(g);
	}
}

static void players_follow_matches_to_the_end(void **state)
{
	macaw_game *g = game_with("tictactoe", MACAW_ENGINE_AUTO), *slow = game_with("tictactoe", MACAW_ENGINE_INTERPRETER);
	static const char *const words[] = {"macaw", "mac-ucb", "fc-ucb", "mac-ucb-sym", "alphabeta"};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		follow(g, words[i], 20);
	follow(slow, "uct", 2);
	macaw_game_free(g);
	macaw_game_free(slow);
}

static const char two_left[] = "(cell 1 1 x) (cell 1 2 x) (cell 1 3 b) (cell 2 1 o) (cell 2 2 o) (cell 2 3 b) "
							   "(cell 3 1 x) (cell 3 2 o) (cell 3 3 b) (control x)";

/* x wins at once by (mark 1 3); everything else loses or draws. */
static void values_tell_the_best_move(void **state)
{
	static const char *const words[] = {"uct", "grave", "macaw", "alphabeta", "minimax", "mc", "ucb", "mac-ucb", "cfr"};
	macaw_game *g = game_with("tictactoe", MACAW_ENGINE_AUTO);
	macaw_error error;
	uint64_t *p = copy_of(g, macaw_position_initial(g));
	if (!macaw_position_parse(g, two_left, p, &error))
		fail_msg("%s", error.text);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		macaw_player *x = player_with(g, 0, words[i], 1);
		assert_true(macaw_player_set(x, p, 6));
		macaw_thought t = think(x, 3000);
		if (strcmp(macaw_game_move(g, t.move), "(mark 1 3)") || t.value < 99 || !t.values || t.values[0].move != t.move)
			fail_msg("%s plays %s, worth %g (%s)", words[i], macaw_game_move(g, t.move), t.value, t.why);
		for (uint32_t k = 1; k < t.value_count; k++)
			assert_true(t.values[k].low <= 50 && t.values[k].value < 100);
		bool proves = strcmp(words[i], "mc") && strcmp(words[i], "ucb");
		if (proves != t.proved)
			fail_msg("%s: proved %d", words[i], t.proved);
		macaw_player_free(x);
	}
	free(p);
	macaw_game_free(g);
}

static void equal_seeds_give_equal_thoughts(void **state)
{
	macaw_game *g = game_with("connect_5x5_4", MACAW_ENGINE_AUTO);
	static const char *const words[] = {"uct", "macaw", "mc", "random"};
	for (size_t i = 0; i < 4; i++) {
		macaw_player *a = player_with(g, 0, words[i], 7), *b = player_with(g, 0, words[i], 7);
		macaw_thought x = think(a, 1000), y = think(b, 1000);
		assert_int_equal(x.move, y.move);
		assert_int_equal(x.value_count, y.value_count);
		for (uint32_t k = 0; k < x.value_count; k++) {
			assert_int_equal(x.values[k].move, y.values[k].move);
			assert_true(x.values[k].value == y.values[k].value && x.values[k].visits == y.values[k].visits);
		}
		macaw_player_free(a);
		macaw_player_free(b);
	}
	macaw_game_free(g);
}

static void what_keeps_no_values_says_so(void **state)
{
	macaw_game *g = game_with("tictactoe", MACAW_ENGINE_AUTO);
	macaw_player *p = player_with(g, 0, "legal", 1);
	macaw_thought t = think(p, 1);
	assert_null(t.values);
	assert_null(t.line);
	assert_true(t.value < 0);
	assert_false(t.proved);
	macaw_player_free(p);
	p = player_with(g, 1, "uct", 1); /* o can only wait */
	t = think(p, 100);
	assert_int_equal(t.value_count, 1);
	assert_true(t.proved && t.values[0].share == 1);
	assert_string_equal(t.why, MACAW_ONLY_MOVE);
	macaw_player_free(p);
	macaw_game_free(g);
}

/* ---- following ---- */

static void wrong_news_are_refused(void **state)
{
	macaw_game *g = game_with("tictactoe", MACAW_ENGINE_AUTO);
	macaw_player *p = player_with(g, 0, "random", 1);
	uint32_t noop = macaw_game_find_move(g, 1, "noop"), mark = macaw_game_find_move(g, 0, "(mark 1 1)");
	uint32_t wrong[] = {noop, noop}, right[] = {mark, noop}, nothing[] = {MACAW_NONE, noop};
	assert_false(macaw_player_inform(p, wrong));
	assert_int_equal(macaw_player_error(p)->status, MACAW_INPUT);
	assert_false(macaw_player_inform(p, nothing));
	assert_true(macaw_player_inform(p, right));
	assert_int_equal(macaw_player_error(p)->status, MACAW_OK);
	assert_false(macaw_player_inform(p, right)); /* it is taken */
	assert_false(macaw_player_inform_seen(p, mark, NULL, 0, &mark, 1));
	assert_int_equal(macaw_player_error(p)->status, MACAW_USAGE);
	/* an end */
	uint64_t *end = copy_of(g, macaw_position_initial(g));
	assert_true(macaw_position_parse(g,
	                                 "(cell 1 1 x) (cell 1 2 x) (cell 1 3 x) (cell 2 1 o) (cell 2 2 o) (cell 2 3 b) "
	                                 "(cell 3 1 b) (cell 3 2 b) (cell 3 3 b) (control o)",
	                                 end, NULL));
	macaw_thought t;
	assert_true(macaw_player_set(p, end, 5));
	assert_false(macaw_player_think(p, NULL, &t));
	assert_int_equal(macaw_player_error(p)->status, MACAW_INPUT);
	assert_true(macaw_player_set(p, macaw_position_initial(g), 0));
	assert_true(macaw_player_think(p, &(macaw_budget){.seconds = 0.05}, &t));
	free(end);
	macaw_player_free(p);
	macaw_game_free(g);
}

/* Two players that hear only what their roles see, to the end of a match. */
static void play_hidden(const char *name, const char *word, bool think_always)
{
	macaw_game *g = game_with(name, MACAW_ENGINE_AUTO);
	macaw_worker *w = macaw_worker_new(g, NULL);
	uint32_t roles = macaw_game_roles(g), random = macaw_game_random(g), moves[8];
	macaw_player *players[8] = {0};
	uint64_t *position = copy_of(g, macaw_position_initial(g)), seed = 9;
	assert_true(macaw_game_hidden(g));
	for (uint32_t r = 0; r < roles; r++)
		players[r] = r == random ? NULL : player_with(g, r, word, r);
	for (uint32_t step = 0; step < 30; step++) {
		macaw_view v;
		macaw_seen seen;
		assert_true(macaw_look(w, position, &v));
		if (v.terminal)
			break;
		assert_true(macaw_random_moves(g, &v, &seed, moves));
		for (uint32_t r = 0; r < roles && (think_always || step); r++)
			if (players[r]) {
				macaw_thought t = think(players[r], 64);
				check_values(w, position, r, &t);
				assert_null(t.line);
				moves[r] = t.move;
			}
		assert_true(macaw_sees(w, position, moves, &seen));
		uint32_t percepts[64], from[9];
		memcpy(from, seen.start, (roles + 1) * sizeof *from);
		assert_true(from[roles] <= 64);
		for (uint32_t i = 0; i < from[roles]; i++)
			percepts[i] = seen.percepts[i];
		assert_true(macaw_next(w, position, moves, position));
		assert_true(macaw_look(w, position, &v));
		for (uint32_t r = 0; r < roles; r++)
			if (players[r])
				assert_true(macaw_player_inform_seen(players[r], moves[r], percepts + from[r], from[r + 1] - from[r],
				                                     v.legal + v.start[r], v.start[r + 1] - v.start[r]));
	}
	for (uint32_t r = 0; r < roles; r++) {
		if (players[r]) {
			assert_false(macaw_player_set(players[r], position, 0));
			assert_false(macaw_player_inform(players[r], moves));
			assert_int_equal(macaw_player_error(players[r])->status, MACAW_USAGE);
		}
		macaw_player_free(players[r]);
	}
	free(position);
	macaw_worker_free(w);
	macaw_game_free(g);
}

static void players_hear_what_they_see(void **state)
{
	static const char *const words[] = {"macaw", "ismcts", "cfr", "uct", "random"};
	for (size_t i = 0; i < 5; i++) {
		play_hidden("kuhn_poker", words[i], true);
		play_hidden("monty_hall", words[i], i % 2);
	}
	play_hidden("phantom_tictactoe", "ismcts", false);
}

/* ---- threads and clocks ---- */

struct thinking {
	macaw_player *p;
	macaw_stop stop;
	macaw_thought thought;
	bool done;
};

static void *think_long(void *context)
{
	struct thinking *t = context;
	t->done = macaw_player_think(t->p, &(macaw_budget){.seconds = 60, .stop = &t->stop}, &t->thought);
	return NULL;
}

static void others_may_ask_and_stop(void **state)
{
	macaw_game *g = game_with("connect_four", MACAW_ENGINE_AUTO);
	struct thinking t = {.p = player_with(g, 0, "uct", 1)};
	pthread_t thread;
	assert_int_equal(pthread_create(&thread, NULL, think_long, &t), 0);
	uint32_t ready = MACAW_NONE;
	while (ready == MACAW_NONE)
		ready = macaw_player_ready(t.p);
	assert_int_equal(macaw_game_role_of(g, ready), 0);
	macaw_stop_now(&t.stop);
	pthread_join(thread, NULL);
	assert_true(t.done);
	assert_int_equal(macaw_player_ready(t.p), t.thought.move);
	assert_true(macaw_player_counters(t.p).seconds < 30);
	macaw_player_free(t.p);
	macaw_game_free(g);
}

static bool keeps_clocks(double factor)
{
	macaw_game *g = game_with("connect_four", MACAW_ENGINE_AUTO);
	macaw_player *p = player_with(g, 0, "macaw", 1);
	static const double margins[] = {0, 0.1, -1};
	macaw_thought t;
	bool kept = true;
	for (int i = 0; i < 3; i++) {
		double before = macaw_player_counters(p).seconds;
		assert_true(macaw_player_think(p, &(macaw_budget){.seconds = 0.3 * factor, .margin = margins[i] * factor}, &t));
		double took = macaw_player_counters(p).seconds - before;
		assert_true(took > 0.05);
		kept = kept && took < factor;
	}
	macaw_player_free(p);
	macaw_game_free(g);
	return kept;
}

static void clocks_are_kept(void **state)
{
	assert_on_time(keeps_clocks);
}

static void players_run_out_of_memory(void **state)
{
	macaw_game *g = game_with("connect_four", MACAW_ENGINE_AUTO);
	macaw_error error;
	macaw_thought t;
	macaw_memory_limit(1000);
	assert_null(macaw_player_new(g, 0, "uct", 1, &error));
	assert_int_equal(error.status, MACAW_MEMORY);
	macaw_memory_limit(3000000);
	macaw_player *p = player_with(g, 0, "uct", 1);
	macaw_memory_limit(0);
	assert_false(macaw_player_think(p, &(macaw_budget){.playouts = 1000000}, &t));
	assert_int_equal(macaw_player_error(p)->status, MACAW_MEMORY);
	assert_false(macaw_player_think(p, NULL, &t)); /* it can only be freed */
	assert_false(macaw_player_set(p, macaw_position_initial(g), 0));
	assert_int_equal(macaw_player_error(p)->status, MACAW_MEMORY);
	macaw_player_ready(p);
	macaw_player_counters(p);
	macaw_player_free(p);
	macaw_game_free(g);
}

/* ---- company ---- */

/* Two players who exchange letters through a pocket each. */
struct pocket {
	char *bytes[64];
	size_t sizes[64], n, taken;
};

struct end_of_line {
	struct pocket *mine, *theirs;
	int begun, ended;
};

static bool send_letter(void *context, uint32_t neighbour, const void *bytes, size_t size)
{
	struct pocket *p = ((struct end_of_line *)context)->theirs;
	assert_int_equal(neighbour, 0);
	if (p->n == 64)
		return false;
	if (bytes) {
		p->bytes[p->n] = malloc(size);
		memcpy(p->bytes[p->n], bytes, size);
		p->sizes[p->n++] = size;
	}
	return true;
}

static bool next_letter(void *context, uint32_t *neighbour, const void **bytes, size_t *size)
{
	struct pocket *p = ((struct end_of_line *)context)->mine;
	if (p->taken == p->n)
		return false;
	*neighbour = 0;
	*bytes = p->bytes[p->taken];
	*size = p->sizes[p->taken++];
	return true;
}

static void begin_search(void *context, const uint64_t *position, double seconds)
{
	assert_non_null(position);
	((struct end_of_line *)context)->begun++;
}

static void end_search(void *context)
{
	((struct end_of_line *)context)->ended++;
}

static uint64_t visits_of(const macaw_thought *t)
{
	uint64_t n = 0;
	for (uint32_t i = 0; i < t->value_count; i++)
		n += t->values[i].visits;
	return n;
}

static void empty(struct pocket *p)
{
	for (size_t i = 0; i < p->n; i++)
		free(p->bytes[i]);
	*p = (struct pocket){0};
}

/* One searches much and the other little; then both know what the first one knows. */
static void players_share_what_they_learn(void **state)
{
	macaw_game *g = game_with("breakthrough", MACAW_ENGINE_CIRCUIT);
	struct pocket a = {0}, b = {0};
	struct end_of_line first = {&a, &b, 0, 0}, second = {&b, &a, 0, 0};
	macaw_player *busy = macaw_player_new(g, 0, "macaw:solver=0", 1, NULL),
				 *lazy = macaw_player_new(g, 0, "macaw:solver=0", 2, NULL),
				 *alone = macaw_player_new(g, 0, "macaw:solver=0", 2, NULL);
	macaw_company c = {.context = &first, .neighbours = 1, .send = send_letter, .receive = next_letter};
	assert_true(macaw_player_accompany(busy, &c));
	c.context = &second;
	c.begin = begin_search;
	c.end = end_search;
	assert_true(macaw_player_accompany(lazy, &c));
	assert_true(macaw_player_assist(busy, macaw_position_initial(g), &(macaw_budget){.playouts = 20000}));
	assert_true(b.n > 0);
	macaw_thought few, many, own;
	macaw_budget little = {.playouts = 40};
	assert_true(macaw_player_think(alone, &little, &few));
	uint64_t without = visits_of(&few);
	assert_true(macaw_player_think(lazy, &little, &many));
	uint64_t with = visits_of(&many);
	assert_int_equal(b.taken, b.n);
	assert_true(second.begun == 1 && second.ended == 1 && !first.begun);
	assert_true(with > 20 * without);
	/* and nothing is counted twice: what comes back is only what was new */
	assert_true(macaw_player_think(busy, &little, &own));
	assert_true(visits_of(&own) < with + with / 2);
	assert_int_equal(many.move, own.move);
	macaw_player_free(busy);
	macaw_player_free(lazy);
	macaw_player_free(alone);
	empty(&a);
	empty(&b);
	macaw_game_free(g);
}

/* What one has proved, all have. */
static void players_share_proofs(void **state)
{
	macaw_game *g = game_with("tictactoe", MACAW_ENGINE_CIRCUIT);
	struct pocket a = {0}, b = {0};
	struct end_of_line first = {&a, &b, 0, 0}, second = {&b, &a, 0, 0};
	macaw_player *busy = macaw_player_new(g, 0, "macaw:solver=0", 1, NULL),
				 *lazy = macaw_player_new(g, 0, "macaw:solver=0", 2, NULL);
	macaw_company c = {.context = &first, .neighbours = 1, .send = send_letter, .receive = next_letter};
	assert_true(macaw_player_accompany(busy, &c));
	c.context = &second;
	assert_true(macaw_player_accompany(lazy, &c));
	assert_true(macaw_player_assist(busy, macaw_position_initial(g), &(macaw_budget){.playouts = 400000}));
	macaw_thought t;
	assert_true(macaw_player_think(lazy, &(macaw_budget){.playouts = 8}, &t));
	assert_true(t.proved);
	assert_true(t.value == 50);
	macaw_player_free(busy);
	macaw_player_free(lazy);
	empty(&a);
	empty(&b);
	macaw_game_free(g);
}

/* Letters that are none, and players without company. */
static void company_is_no_danger(void **state)
{
	macaw_game *g = game_with("tictactoe", MACAW_ENGINE_CIRCUIT), *i = game_with("tictactoe", MACAW_ENGINE_INTERPRETER);
	struct pocket a = {0}, b = {0};
	struct end_of_line first = {&a, &b, 0, 0}, back = {&b, &a, 0, 0};
	macaw_company c = {.context = &first, .neighbours = 1, .send = send_letter, .receive = next_letter};
	macaw_player *p = macaw_player_new(g, 0, "macaw", 1, NULL), *q = macaw_player_new(i, 0, "macaw", 1, NULL),
				 *r = macaw_player_new(g, 0, "random", 1, NULL);
	assert_false(macaw_player_accompany(q, &c));
	assert_false(macaw_player_accompany(r, &c));
	assert_true(macaw_player_accompany(p, &c));
	uint64_t seed = 5;
	for (int k = 0; k < 60; k++) {
		unsigned char noise[300];
		for (size_t x = 0; x < sizeof noise; x++)
			noise[x] = (unsigned char)((seed = seed * 6364136223846793005u + 1442695040888963407u) >> 56);
		if (k % 2) /* a position that is known, and then anything */
			memcpy(noise + 4, macaw_position_initial(g), macaw_position_words(g) * sizeof(uint64_t));
		send_letter(&back, 0, noise, (size_t)k * 5);
	}
	macaw_thought t;
	assert_true(macaw_player_think(p, &(macaw_budget){.playouts = 100}, &t));
	assert_true(t.move != MACAW_NONE);
	macaw_player_free(p);
	macaw_player_free(q);
	macaw_player_free(r);
	empty(&a);
	empty(&b);
	macaw_game_free(g);
	macaw_game_free(i);
}

/* Every node after its parent, reached by legal moves; the first moves are those of the table. */
static void trees_are_told(void **state)
{
	static const char *const words[] = {"macaw", "uct", "grave"};
	for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
		macaw_error e;
		macaw_game *g = macaw_game_load("connect_four", NULL, &e);
		macaw_player *p = macaw_player_new(g, 0, words[k], 1, &e);
		macaw_worker *w = macaw_worker_new(g, &e);
		macaw_thought t;
		macaw_search_tree tree;
		size_t n = macaw_position_words(g);
		assert_false(macaw_player_tree(p, 10, &tree)); /* nothing was thought yet */
		assert_true(macaw_player_think(p, &(macaw_budget){.playouts = 20000}, &t));
		assert_true(macaw_player_tree(p, 200, &tree));
		assert_true(tree.count > 20 && tree.count <= 200);
		uint64_t *at = calloc(tree.count * n, sizeof *at);
		memcpy(at, macaw_position_initial(g), n * sizeof *at);
		for (uint32_t i = 1; i < tree.count; i++) {
			const macaw_tree_node *x = &tree.nodes[i];
			bool legal[2] = {false};
			macaw_view v;
			assert_true(x->parent < i && x->visits > 0);
			assert_true(x->value >= x->low && x->value <= x->high);
			assert_true(macaw_look(w, at + x->parent * n, &v));
			for (uint32_t r = 0; r < 2; r++)
				for (uint32_t m = v.start[r]; m < v.start[r + 1]; m++)
					legal[r] |= v.legal[m] == x->moves[r];
			assert_true(legal[0] && legal[1]);
			assert_true(macaw_next(w, at + x->parent * n, x->moves, at + i * n));
			for (uint32_t m = 0; !x->parent && m < t.value_count; m++)
				if (t.values[m].move == x->moves[0])
					assert_int_equal(x->visits, t.values[m].visits);
		}
		free(at);
		macaw_worker_free(w);
		macaw_player_free(p);
		macaw_game_free(g);
	}
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(kinds_and_options_are_listed),
		cmocka_unit_test(wrong_words_are_refused),
		cmocka_unit_test(players_follow_matches),
		cmocka_unit_test(players_follow_matches_to_the_end),
		cmocka_unit_test(trees_are_told),
		cmocka_unit_test(values_tell_the_best_move),
		cmocka_unit_test(players_share_what_they_learn),
		cmocka_unit_test(players_share_proofs),
		cmocka_unit_test(company_is_no_danger),
		cmocka_unit_test(equal_seeds_give_equal_thoughts),
		cmocka_unit_test(what_keeps_no_values_says_so),
		cmocka_unit_test(wrong_news_are_refused),
		cmocka_unit_test(players_hear_what_they_see),
		cmocka_unit_test(others_may_ask_and_stop),
		cmocka_unit_test(clocks_are_kept),
		cmocka_unit_test(players_run_out_of_memory),
	};
	return RUN(cases);
}

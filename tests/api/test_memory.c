/* Running out of memory at every place: the n-th allocation of a little program fails, for n = 1, 2, 3, … (then in
 * growing steps). Whatever call meets it must say so and leave objects that can be freed; under AddressSanitizer this
 * also shows that nothing is lost. And limits in bytes: what fits them works, what does not says so. */
#include "test.h"

#include "base/mem.h"
#include "macaw/macaw.h"

#include <string.h>

static const char rules[] =
	"(role x) (role o) (init (heap 5)) (init (turn x))\n"
	"(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (other x o) (other o x)\n"
	"(<= (less ?a ?b 1) (succ ?b ?a)) (<= (less ?a ?c 2) (succ ?b ?a) (succ ?c ?b))\n"
	"(<= (legal ?r (take ?k)) (true (turn ?r)) (true (heap ?n)) (less ?n ?m ?k))\n"
	"(<= (legal ?r wait) (role ?r) (true (turn ?s)) (distinct ?r ?s))\n"
	"(<= (next (heap ?m)) (true (heap ?n)) (does ?r (take ?k)) (less ?n ?m ?k))\n"
	"(<= (next (turn ?s)) (true (turn ?r)) (other ?r ?s))\n"
	"(<= terminal (true (heap 0)))\n"
	"(<= (goal ?r 100) (role ?r) (true (turn ?s)) (distinct ?r ?s)) (<= (goal ?r 0) (true (turn ?r)))\n";

/* One step of a program: what it needs was made by earlier steps; false: it failed, and `e` says why. */
struct made {
	macaw_game *game;
	macaw_worker *worker;
	macaw_player *player;
	macaw_drawing *drawing;
	macaw_symmetries *symmetries;
	macaw_csp *csp;
};

static void set_free(struct made *m)
{
	macaw_csp_free(m->csp);
	macaw_symmetries_free(m->symmetries);
	macaw_drawing_free(m->drawing);
	macaw_player_free(m->player);
	macaw_worker_free(m->worker);
	macaw_game_free(m->game);
	memset(m, 0, sizeof *m);
}

static bool load(struct made *m, macaw_error *e)
{
	m->game = macaw_game_parse(rules, strlen(rules), NULL, e);
	return m->game;
}

static bool load_interpreted(struct made *m, macaw_error *e)
{
	m->game = macaw_game_parse(rules, strlen(rules), &(macaw_game_options){.engine = MACAW_ENGINE_INTERPRETER}, e);
	return m->game;
}

static bool look(struct made *m, macaw_error *e)
{
	macaw_view v;
	m->worker = macaw_worker_new(m->game, e);
	if (!m->worker)
		return false;
	bool seen = macaw_look(m->worker, macaw_position_initial(m->game), &v);
	*e = *macaw_worker_error(m->worker);
	return seen;
}

static bool texts(struct made *m, macaw_error *e)
{
	char *text = macaw_position_text(m->game, macaw_position_initial(m->game));
	bool done = text && macaw_game_role(m->game, 0);
	macaw_free(text);
	e->status = done ? MACAW_OK : MACAW_MEMORY;
	return done;
}

static bool playouts(struct made *m, macaw_error *e)
{
	macaw_playout_result *r = macaw_playouts(m->game, &(macaw_playout_job){.playouts = 100, .threads = 2}, e);
	macaw_playout_result_free(r);
	return r;
}

static bool think(struct made *m, macaw_error *e)
{
	macaw_thought t;
	m->player = macaw_player_new(m->game, 0, "uct", 1, e);
	if (!m->player)
		return false;
	bool done = macaw_player_think(m->player, &(macaw_budget){.playouts = 50}, &t);
	*e = *macaw_player_error(m->player);
	return done;
}

static bool match(struct made *m, macaw_error *e)
{
	macaw_match *played = macaw_match_words(m->game, "mc,random", &(macaw_match_options){.playouts = 20}, e);
	macaw_match_free(played);
	return played;
}

static bool draw(struct made *m, macaw_error *e)
{
	m->drawing = macaw_drawing_new(m->game, e);
	char *text = m->drawing ? macaw_drawing_text(m->drawing, macaw_position_initial(m->game)) : NULL;
	bool done = text;
	macaw_free(text);
	e->status = done ? MACAW_OK : MACAW_MEMORY;
	return done;
}

static bool symmetries(struct made *m, macaw_error *e)
{
	m->symmetries = macaw_symmetries_find(m->game, (macaw_limit){0}, e);
	return m->symmetries;
}

static bool csp(struct made *m, macaw_error *e)
{
	macaw_csp_stats stats;
	m->csp = macaw_csp_new(e);
	uint32_t x = m->csp ? macaw_csp_var_range(m->csp, "x", 0, 9) : MACAW_NONE;
	uint32_t y = m->csp ? macaw_csp_var_range(m->csp, "y", 0, 9) : MACAW_NONE;
	bool done = x != MACAW_NONE && y != MACAW_NONE &&
	            macaw_csp_add_alldiff(m->csp, (uint32_t[]){x, y}, 2, NULL, 0) != MACAW_NONE &&
	            macaw_csp_solve(m->csp, NULL, &stats) == MACAW_CSP_SAT;
	if (!done)
		e->status = MACAW_MEMORY;
	return done;
}

typedef bool step(struct made *m, macaw_error *e);

/* True: the whole program ran without meeting the fault. */
static bool run(step *const *steps, size_t fail_at)
{
	struct made m = {0};
	struct mem_fault fault = {0};
	macaw_error e = {0};
	bool done = true;
	mem_fail_after(&fault, fail_at);
	for (; *steps && done; steps++)
		done = (*steps)(&m, &e);
	mem_fail_after(&fault, 0);
	if (!done && e.status != MACAW_MEMORY)
		fail_msg("allocation %zu failed, and it was said: %s", fail_at, e.text);
	set_free(&m);
	return done;
}

static void every_allocation(step *const *steps)
{
	size_t n = 1, met = 0, growth = test_sample() ? 20 : 100;
	while (!run(steps, n)) {
		met++;
		n += 1 + n / growth;
	}
	assert_true(met > 3); /* some allocations there were */
}

static void loading(void **state)
{
	every_allocation((step *const[]){load, look, texts, NULL});
	every_allocation((step *const[]){load_interpreted, look, texts, NULL});
}

static void playing(void **state)
{
	every_allocation((step *const[]){load, playouts, think, NULL});
	every_allocation((step *const[]){load, match, NULL});
}

static void analysing(void **state)
{
	every_allocation((step *const[]){load, draw, symmetries, NULL});
	every_allocation((step *const[]){csp, NULL});
}

static void limits_in_bytes(void **state)
{
	macaw_error e;
	macaw_memory_limit(1 << 12);
	assert_null(macaw_game_load("connect_four", NULL, &e));
	assert_int_equal(e.status, MACAW_MEMORY);
	macaw_memory_limit(64 << 20);
	macaw_game *g = macaw_game_load("connect_four", NULL, &e);
	assert_non_null(g);
	macaw_game_free(g);
	macaw_memory_limit(0);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(loading),
		cmocka_unit_test(playing),
		cmocka_unit_test(analysing),
		cmocka_unit_test(limits_in_bytes),
	};
	return RUN(cases);
}

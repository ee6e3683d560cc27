/* Running out of memory at every place (faults.h), and limits in bytes. Whatever call meets it must say so and leave
 * objects that can be freed; under AddressSanitizer this also shows that nothing is lost. */
#include "test.h"

#include "faults.h"
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

static bool explain(struct made *m, macaw_error *e)
{
	macaw_explanation *x = macaw_explain(m->game, &(macaw_question){.statement = "(legal o ?move)"}, e);
	char *text = x ? macaw_explanation_text(x, "x.kif", 60) : NULL;
	bool done = text;
	if (x && !text)
		e->status = MACAW_MEMORY;
	macaw_free(text);
	macaw_explanation_free(x);
	return done;
}

static bool defects(struct made *m, macaw_error *e)
{
	macaw_defects *d = macaw_defects_find(m->game, &(macaw_defect_options){.playouts = 5}, e);
	macaw_defects_free(d);
	return d;
}

static bool layout(struct made *m, macaw_error *e)
{
	const macaw_rules *r = macaw_game_rules(m->game);
	char *text = macaw_rules_format(r, NULL, e), *values = text ? macaw_rules_values(r, 1, 5) : NULL;
	bool done = text && values;
	if (!done)
		e->status = MACAW_MEMORY;
	macaw_free(text);
	macaw_free(values);
	return done;
}

/* One hides a coin, the other guesses. */
static bool strategy(struct made *m, macaw_error *e)
{
	static const char hidden[] =
		"(role a) (role b) (init start) (<= (legal a (hide ?x)) (true start) (side ?x)) (<= (legal b (guess ?x)) (true "
		"hidden) "
		"(side ?x)) (<= (legal a noop) (true hidden)) (<= (legal b noop) (true start)) (side 1) (side 2) (<= (next "
		"hidden) (true "
		"start)) (<= (next (coin ?x)) (does a (hide ?x))) (<= (next (coin ?x)) (true (coin ?x))) (<= (next (said ?x)) "
		"(does b "
		"(guess ?x))) (<= (sees b done) (does a (hide ?x))) (<= terminal (true (said ?x))) (<= won (true (coin ?x)) "
		"(true (said "
		"?x))) (<= (goal b 100) won) (<= (goal b 0) (not won)) (<= (goal a 0) won) (<= (goal a 100) (not won))";
	m->game = macaw_game_parse(hidden, sizeof hidden - 1, NULL, e);
	macaw_strategy *s = m->game ? macaw_strategy_new(m->game, 1, e) : NULL;
	bool done = s && macaw_strategy_improve(s, &(macaw_budget){.playouts = 10}) && macaw_strategy_sets(s) == 2;
	if (s && !done)
		e->status = MACAW_MEMORY;
	macaw_strategy_free(s);
	return done;
}

typedef bool step(struct made *m, macaw_error *e);

static bool take(step *const *steps, macaw_error *e)
{
	struct made m = {0};
	bool done = true;
	for (; *steps && done; steps++)
		done = (*steps)(&m, e);
	set_free(&m);
	return done;
}

#define PROGRAM(name, ...) \
	static bool name(macaw_error *e) \
	{ \
		return take((step *const[]){__VA_ARGS__, NULL}, e); \
	}
PROGRAM(circuit_game, load, look, texts)
PROGRAM(interpreted_game, load_interpreted, look, texts)
PROGRAM(player, load, playouts, think)
PROGRAM(two_players, load, match)
PROGRAM(analysis, load, draw, symmetries)
PROGRAM(network, csp)
PROGRAM(explanations, load, explain, defects)
PROGRAM(texts_of_rules, load, layout)
PROGRAM(strategies, strategy)

static void loading(void **state)
{
	every_allocation(circuit_game, 100);
	every_allocation(interpreted_game, 100);
}

static void playing(void **state)
{
	every_allocation(player, 100);
	every_allocation(two_players, 100);
}

static void analysing(void **state)
{
	every_allocation(analysis, 100);
	every_allocation(network, 100);
}

static void writing(void **state)
{
	every_allocation(explanations, 100);
	every_allocation(texts_of_rules, 100);
	every_allocation(strategies, 100);
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
		cmocka_unit_test(loading), cmocka_unit_test(playing),         cmocka_unit_test(analysing),
		cmocka_unit_test(writing), cmocka_unit_test(limits_in_bytes),
	};
	return RUN(cases);
}

/* Games for the tests of players and matches. */
#ifndef TESTS_PLAY_MAKE_GAME_H
#define TESTS_PLAY_MAKE_GAME_H

#include "test.h"

#include "game/game.h"

#include <string.h>

struct made {
	struct gdl_rules *rules;
	struct game *game;
};

static inline struct made make_game(const char *text)
{
	struct diags d = {0};
	struct text error = {0};
	struct made m = {gdl_read(text, strlen(text), &d), NULL};
	gdl_check(m.rules, &d);
	if (d.errors)
		fail_msg("%s", d.all.at[0].message);
	m.game = game_make(m.rules, &(struct game_options){0}, &error);
	if (!m.game)
		fail_msg("%s", text_str(&error));
	diag_free(&d);
	text_free(&error);
	return m;
}

/* A rulesheet of games/. */
static inline struct made load_game_named(const char *name)
{
	struct text path = {0}, text = {0}, error = {0};
	const char *root = getenv("MACAW_SOURCE");
	text_printf(&path, "%s/games/%s.kif", root ? root : ".", name);
	if (!text_read_file(&text, text_str(&path), (size_t)16 << 20, &error))
		fail_msg("%s", error.at);
	struct made m = make_game(text_str(&text));
	text_free(&path);
	text_free(&text);
	return m;
}

static inline void free_made(struct made *m)
{
	game_free(m->game);
	gdl_free(m->rules);
}

/* Two roles and chance: each in turn stakes 1 or 2, then a coin decides whether the
 * stake is added; after four stakes more than four in all is a win for `a`, exactly
 * four a draw. */
#define COINS \
	"(role a) (role b) (role random) (init (turn a 0)) (init (sum 0))\n" \
	"(<= (legal ?r (stake 1)) (true (turn ?r ?n))) (<= (legal ?r (stake 2)) (true (turn ?r ?n)))\n" \
	"(<= (legal a noop) (not (moves a))) (<= (legal b noop) (not (moves b))) (<= (moves ?r) (true (turn ?r ?n)))\n" \
	"(<= (legal random heads) (true (toss ?x ?r ?n))) (<= (legal random tails) (true (toss ?x ?r ?n)))\n" \
	"(<= (legal random noop) (not tossing)) (<= tossing (true (toss ?x ?r ?n)))\n" \
	"(<= (next (toss ?x ?r ?n)) (true (turn ?r ?n)) (does ?r (stake ?x)))\n" \
	"(<= (next (turn ?o ?m)) (true (toss ?x ?r ?n)) (other ?r ?o) (succ ?n ?m))\n" \
	"(<= (next (sum ?s)) (true (sum ?s)) (not (does random heads)))\n" \
	"(<= (next (sum ?t)) (true (sum ?s)) (does random heads) (true (toss ?x ?r ?n)) (plus ?s ?x ?t))\n" \
	"(<= terminal (true (turn ?r 4)))\n" \
	"(<= (goal a 100) (true (sum ?s)) (large ?s)) (<= (goal b 0) (true (sum ?s)) (large ?s))\n" \
	"(<= (goal a 50) (true (sum 4))) (<= (goal b 50) (true (sum 4)))\n" \
	"(<= (goal a 0) (true (sum ?s)) (small ?s)) (<= (goal b 100) (true (sum ?s)) (small ?s))\n" \
	"(small 0) (small 1) (small 2) (small 3) (large 5) (large 6) (large 7) (large 8)\n" \
	"(other a b) (other b a) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)\n" \
	"(plus 0 1 1) (plus 1 1 2) (plus 2 1 3) (plus 3 1 4) (plus 4 1 5) (plus 5 1 6) (plus 6 1 7) (plus 7 1 8)\n" \
	"(plus 0 2 2) (plus 1 2 3) (plus 2 2 4) (plus 3 2 5) (plus 4 2 6) (plus 5 2 7) (plus 6 2 8)\n"

/* One role and chance: at most three throws of a die with three faces; stop when you
 * like, the last face counts. */
#define THROWS \
	"(role p) (role random) (init (left 3)) (init (face 1)) (init ask)\n" \
	"(<= (legal p stop) (true ask)) (<= (legal p throw) (true ask) (not (true (left 0)))) (<= (legal p noop) (true " \
	"rolling))\n" \
	"(<= (legal random (roll 1)) (true rolling)) (<= (legal random (roll 2)) (true rolling))\n" \
	"(<= (legal random (roll 3)) (true rolling)) (<= (legal random noop) (true ask))\n" \
	"(<= (next rolling) (does p throw)) (<= (next ask) (true rolling)) (<= (next over) (does p stop))\n" \
	"(<= (next (face ?f)) (true (face ?f)) (true ask)) (<= (next (face ?f)) (does random (roll ?f)))\n" \
	"(<= (next (left ?m)) (does p throw) (true (left ?n)) (succ ?m ?n)) (<= (next (left ?n)) (true (left ?n)) (not " \
	"(does p throw)))\n" \
	"(<= terminal (true over)) (<= (goal p 0) (true (face 1))) (<= (goal p 40) (true (face 2)))\n" \
	"(<= (goal p 100) (true (face 3))) (succ 0 1) (succ 1 2) (succ 2 3)\n"

#endif

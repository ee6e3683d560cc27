/* Games for tests: from text to ready, and one that is small enough to count by
 * hand: take one or two from a pile of three; who takes the last one wins. */
#ifndef TESTS_CLI_SMALL_GAME_H
#define TESTS_CLI_SMALL_GAME_H

#include "game/game.h"

#define SMALL_GAME \
	"(role left) (role right) (init (pile 3)) (init (control left))\n" \
	"(succ 0 1) (succ 1 2) (succ 2 3)\n" \
	"(<= (after ?n 1 ?m) (succ ?m ?n)) (<= (after ?n 2 ?k) (succ ?m ?n) (succ ?k ?m))\n" \
	"(<= (legal ?p (Take ?t)) (true (control ?p)) (true (pile ?n)) (after ?n ?t ?m))\n" \
	"(<= (legal left noop) (true (control right))) (<= (legal right noop) (true (control left)))\n" \
	"(<= (next (pile ?m)) (does ?p (Take ?t)) (true (pile ?n)) (after ?n ?t ?m))\n" \
	"(<= (next (control left)) (true (control right))) (<= (next (control right)) (true (control left)))\n" \
	"(<= terminal (true (pile 0)))\n" \
	"(<= (goal left 100) (true (pile 0)) (true (control right)))\n" \
	"(<= (goal left 0) (true (pile 0)) (true (control left)))\n" \
	"(<= (goal right 100) (true (pile 0)) (true (control left)))\n" \
	"(<= (goal right 0) (true (pile 0)) (true (control right)))\n"

/* A match of it, one line per step. */
#define STEP_0 \
	"{\"match\":0,\"step\":0,\"state\":[\"(control left)\",\"(pile 3)\"],\"legal\":{\"left\":[\"(take 1)\",\"(take " \
	"2)\"]," \
	"\"right\":[\"noop\"]},\"terminal\":false,\"goals\":null,\"move\":{\"left\":\"(take 2)\",\"right\":\"noop\"}}\n"
#define STEP_1 \
	"{\"match\":0,\"step\":1,\"state\":[\"( PILE  1 )\",\"(control right)\"],\"legal\":{\"left\":[\"noop\"]," \
	"\"right\":[\"(take 1)\"]},\"terminal\":false,\"goals\":null,\"move\":{\"left\":\"noop\",\"right\":\"(take " \
	"1)\"}}\n"
#define STEP_2 \
	"{\"match\":0,\"step\":2,\"state\":[\"(control left)\",\"(pile 0)\"],\"legal\":null,\"terminal\":true," \
	"\"goals\":{\"left\":0,\"right\":100},\"move\":null}\n"

struct played {
	struct gdl_rules *rules;
	struct game *game; /* NULL: see the error */
};

static inline struct played played_make(const char *text, size_t length, enum game_engine engine, struct text *error)
{
	struct diags d = {0};
	struct played p = {.rules = gdl_read(text, length, &d)};
	diag_free(&d);
	p.game = game_make(p.rules, &(struct game_options){.engine = engine}, error);
	return p;
}

static inline void played_free(struct played *p)
{
	game_free(p->game);
	gdl_free(p->rules);
}

#endif

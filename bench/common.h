/* What the programs of this folder share: rulesheets, lists of words, a way to fail. */
#ifndef BENCH_COMMON_H
#define BENCH_COMMON_H

#include "game/game.h"

_Noreturn void bench_fail(const char *what, const char *why);

struct bench_words {
	VEC(char *) at;
};

void bench_split(struct bench_words *w, const char *list, char by); /* appends */
void bench_words_free(struct bench_words *w);

struct bench_game {
	struct gdl_rules *rules;
	struct game *game;
	uint64_t hash; /* of the text */
};

struct bench_game bench_load(const char *path); /* fails where there is none */
void bench_unload(struct bench_game *g);

/* A random position of a game of two roles after that many steps. False: the match was over. */
struct seat;
bool bench_walk(struct seat *s, uint32_t steps, uint64_t *state);

#endif

/* Rulesheets and lists of words for the programs of this folder. */
#include "common.h"

#include "base/hash.h"
#include "base/mem.h"
#include "play/player.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void bench_fail(const char *what, const char *why)
{
	fprintf(stderr, "bench: %s: %s\n", what, why);
	exit(1);
}

void bench_split(struct bench_words *w, const char *list, char by)
{
	for (const char *at = list;; at++) {
		const char *end = strchr(at, by);
		char *word = text_copy(at, end ? (size_t)(end - at) : strlen(at));
		vec_push(&w->at, word);
		if (!end)
			return;
		at = end;
	}
}

void bench_words_free(struct bench_words *w)
{
	for (size_t i = 0; i < w->at.n; i++)
		mem_free(w->at.at[i]);
	vec_free(&w->at);
}

struct bench_game bench_load(const char *path)
{
	struct bench_game g = {0};
	struct text text = {0}, error = {0};
	struct diags d = {0};
	if (!text_read_file(&text, path, (size_t)1 << 24, &error))
		bench_fail(path, text_str(&error));
	g.rules = gdl_read(text_str(&text), text.n, &d);
	g.game = d.errors ? NULL : game_make(g.rules, &(struct game_options){0}, &error);
	if (!g.game)
		bench_fail(path, d.errors ? d.all.at[0].message : text_str(&error));
	g.hash = hash_bytes(text_str(&text), text.n);
	diag_free(&d);
	text_free(&text);
	text_free(&error);
	return g;
}

void bench_unload(struct bench_game *g)
{
	game_free(g->game);
	gdl_free(g->rules);
	*g = (struct bench_game){0};
}

bool bench_walk(struct seat *s, uint32_t steps, uint64_t *state)
{
	uint32_t joint[2];
	memcpy(state, s->game->initial, s->game->words * sizeof *state);
	for (;; steps--) {
		struct view v = game_look(s->worker, state);
		if (v.terminal || !game_random_move(s->game, &v, &s->rng, joint))
			return false;
		if (!steps)
			return true;
		game_next(s->worker, state, joint, state);
	}
}

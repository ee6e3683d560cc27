/* No player knows more than its role: in matches that differ only in what the role cannot see, it does the same.
 *
 * Every player plays the beginning of several matches of every game of games/ that hides something, always with the
 * same seed, while chance and the others do this and that. Whenever its role has done and seen the same, it must move
 * the same, whatever the truth is. */
#include "make_game.h"

#include "match/referee.h"
#include "match/seats.h"
#include "play/hidden/belief.h"

#include <dirent.h>
#include <stdlib.h>

#define MATCHES 8
#define SAMPLED 6 /* a sanitizer sees one player of so many in each game */
#define STEPS 4
#define PLAYOUTS 6

struct deed {
	uint64_t view, truth;
	uint32_t step, move;
};

typedef VEC(struct deed) deed_list;

static void note_deeds(struct game *g, struct worker *w, const struct match *m, uint32_t role, deed_list *to)
{
	uint64_t view = view_start(role);
	for (uint32_t step = 0; step < m->steps; step++) {
		const uint64_t *at = m->states.at + (size_t)step * g->words;
		uint32_t joint[8];
		for (uint32_t r = 0; r < g->roles; r++)
			joint[r] = m->moves.at[(size_t)step * g->roles + r].move;
		struct deed d = {view, game_hash(g, at), step, joint[role]};
		vec_push(to, d);
		struct percepts p = game_sees(w, at, joint);
		view = view_after(view, joint[role], game_seen_hash(p.seen + p.start[role], p.start[role + 1] - p.start[role]));
	}
}

static void play_once(struct game *g, uint32_t role, const char *who, uint64_t seed, struct match *m)
{
	struct contestant by_role[8] = {0};
	struct player *players[8] = {0};
	struct text error = {0};
	for (uint32_t r = 0; r < g->roles; r++)
		if (r != g->random) {
			players[r] = player_make(g, r, r == role ? who : "random", r == role ? 9 : seed, &error);
			assert_non_null(players[r]);
			by_role[r] = contestant_of(players[r]);
		}
	referee_play(m, g, by_role, &(struct referee_options){.playouts = PLAYOUTS, .seed = seed, .max_steps = STEPS});
	for (uint32_t r = 0; r < g->roles; r++)
		player_free(players[r]);
	text_free(&error);
}

/* How often the truth was another one while the role knew the same. */
static size_t plays_by_what_it_knows(struct game *g, struct worker *w, const char *game, uint32_t role, const char *who)
{
	deed_list deeds = {0};
	size_t other_truths = 0;
	for (uint64_t seed = 1; seed <= MATCHES; seed++) {
		struct match m;
		play_once(g, role, who, seed, &m);
		note_deeds(g, w, &m, role, &deeds);
		match_free(&m);
	}
	for (size_t a = 0; a < deeds.n; a++)
		for (size_t b = 0; b < a; b++) {
			const struct deed *x = &deeds.at[a], *y = &deeds.at[b];
			if (x->step != y->step || x->view != y->view)
				continue;
			other_truths += x->truth != y->truth;
			if (x->move != y->move)
				fail_msg("%s in %s: role %u moves by more than it knows", who, game, role);
		}
	vec_free(&deeds);
	return other_truths;
}

static void try_game(const char *name, size_t number)
{
	struct made made = load_game_named(name);
	struct game *g = made.game;
	struct worker *w = worker_new(g);
	size_t other_truths = 0;
	for (uint32_t role = 0; role < g->roles; role++)
		for (size_t i = 0; role != g->random && player_kinds[i]; i++)
			if (!test_sample() || (i + number) % SAMPLED == 0)
				other_truths += plays_by_what_it_knows(g, w, name, role, player_kinds[i]->name);
	printf("%s: %zu times another truth\n", name, other_truths);
	assert_true(other_truths > 0);
	worker_free(w);
	free_made(&made);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Rulesheets with `sees`, but for those in which everything is seen. */
static void nobody_knows_more_than_its_role(void **state)
{
	(void)state;
	struct text folder = {0};
	const char *root = getenv("MACAW_SOURCE"), *only = getenv("MACAW_TEST_GAME");
	VEC(char *) names = {0};
	text_printf(&folder, "%s/games", root ? root : ".");
	DIR *d = opendir(text_str(&folder));
	assert_non_null(d);
	for (struct dirent *e; (e = readdir(d));) {
		struct text path = {0}, text = {0}, error = {0};
		size_t n = strlen(e->d_name);
		text_printf(&path, "%s/%s", text_str(&folder), e->d_name);
		if (n > 4 && !strcmp(e->d_name + n - 4, ".kif") &&
		    text_read_file(&text, text_str(&path), (size_t)16 << 20, &error) && strstr(text_str(&text), "(sees ")) {
			char *name = mem_alloc(n, 1);
			memcpy(name, e->d_name, n - 4);
			name[n - 4] = 0;
			vec_push(&names, name);
		}
		text_free(&path);
		text_free(&text);
		text_free(&error);
	}
	closedir(d);
	qsort(names.at, names.n, sizeof *names.at, by_name);
	assert_true(names.n >= 10);
	for (size_t i = 0; i < names.n; i++) {
		if (!only || !strcmp(only, names.at[i]))
			try_game(names.at[i], i);
		mem_free(names.at[i]);
	}
	vec_free(&names);
	text_free(&folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(nobody_knows_more_than_its_role)};
	return RUN(tests);
}

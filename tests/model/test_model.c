/* The network and the circuit say the same: on random walks the solutions of an
 * injected round, by MAC and by FC, are the legal joint moves with the successors
 * of the circuit; ends and scores agree too.
 *
 * MACAW_TEST_GAME=name picks one game, MACAW_TEST_ALL=1 takes every game instead of
 * a sample, with more time for each; MACAW_TEST_TIMES=1 prints the seconds of each. */
#include "../game/play.h"
#include "work.h"

#include "../gdl/corpus.h"
#include "base/clock.h"
#include "base/hash.h"
#include "model/model.h"

#define SOLUTIONS_MOST 2000 /* joint moves of a state that is compared */

struct tally {
	size_t seen, compared;
	uint64_t states, solutions, terminals;
	double seconds; /* for a game */
	uint32_t steps, stride;
	double building; /* seconds */
};

static uint64_t joint_moves(const struct game *g, const struct view *v)
{
	uint64_t n = 1;
	for (uint32_t r = 0; r < g->roles && n <= SOLUTIONS_MOST; r++)
		n *= v->start[r + 1] - v->start[r];
	return n;
}

static bool is_legal(const struct game *g, const struct view *v, const uint32_t *moves)
{
	for (uint32_t r = 0; r < g->roles; r++) {
		bool found = false;
		for (uint32_t k = v->start[r]; k < v->start[r + 1]; k++)
			found |= v->legal[k] == moves[r];
		if (!found)
			return false;
	}
	return true;
}

static int compare_hashes(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

/* As many solutions as joint moves, all different, all legal, with the right successors. */
static void check_round(struct play *p, const char *title, const struct model_round *r)
{
	struct game *g = p->g;
	struct view v = game_look(p->w, p->state);
	uint64_t wanted = v.terminal ? 0 : joint_moves(g, &v);
	uint64_t *hashes = NEW_ARRAY(uint64_t, r->count + 1), *next = NEW_ARRAY(uint64_t, g->words + 1);
	if (r->terminal != v.terminal)
		fail_msg("%s: terminal is %d", title, r->terminal);
	for (uint32_t i = 0; i < g->roles && v.terminal; i++)
		if (r->goals[i] != v.goals[i])
			fail_msg("%s: role %u has score %d, not %d", title, i, r->goals[i], v.goals[i]);
	if (r->count != wanted)
		fail_msg("%s: %zu solutions, not %lu", title, r->count, (unsigned long)wanted);
	for (size_t i = 0; i < r->count; i++) {
		const uint32_t *moves = r->moves.at + i * g->roles;
		if (!is_legal(g, &v, moves))
			fail_msg("%s: an illegal move", title);
		hashes[i] = hash_words(moves, g->roles);
	}
	for (size_t i = 0; i < r->count; i++) {
		game_next(p->w, p->state, r->moves.at + i * g->roles, next);
		if (memcmp(next, r->next.at + i * g->words, g->words * 8))
			fail_msg("%s: another successor", title);
	}
	qsort(hashes, r->count, sizeof *hashes, compare_hashes);
	for (size_t i = 1; i < r->count; i++)
		assert_true(hashes[i] != hashes[i - 1]);
	mem_free(hashes);
	mem_free(next);
}

static void walk(struct play *p, struct model *m, const char *title, struct tally *t)
{
	struct limit limit = work_seconds(t->seconds);
	struct rng rng = rng_seed(hash_bytes(title, strlen(title)));
	struct model_round r = {0};
	uint32_t *moves = NEW_ARRAY(uint32_t, p->g->roles + 1);
	bool fc = csp_variables(model_csp(m)) <= 3000;
	memcpy(p->state, p->g->initial, p->g->words * 8);
	for (uint32_t i = 0; i < t->steps && (i < 3 || !limit_reached(&limit)); i++) {
		struct view v = game_look(p->w, p->state);
		bool open = !v.terminal && game_random_move(p->g, &v, &rng, moves);
		if (v.terminal || (open && joint_moves(p->g, &v) <= SOLUTIONS_MOST)) {
			if (!model_solve(m, MODEL_MAC, p->state, &r))
				fail_msg("%s: a state that can be reached is inconsistent", title);
			check_round(p, title, &r);
			t->states++;
			t->solutions += r.count;
			t->terminals += v.terminal;
			if (fc && joint_moves(p->g, &v) <= 100) {
				assert_true(model_solve(m, MODEL_FC, p->state, &r));
				check_round(p, title, &r);
			}
		}
		if (open)
			game_next(p->w, p->state, moves, p->state);
		else
			memcpy(p->state, p->g->initial, p->g->words * 8);
	}
	model_round_free(&r);
	mem_free(moves);
}

static void compare_one(const char *name, const struct text *text, void *context)
{
	struct tally *t = context;
	const char *only = getenv("MACAW_TEST_GAME");
	double began = clock_now(), made;
	t->seen++;
	if (only ? strncmp(only, name, strlen(only))
	         : t->seen % (test_sample() ? 3 * t->stride + 6 : t->stride) != 1 % t->stride)
		return;
	struct game_options go = {.engine = ENGINE_CIRCUIT, .limit = work_seconds(t->building)};
	struct play p = play_try(text->at, text->n, &go);
	if (!p.g) {
		printf("\t%s: skipped, does not ground in time\n", name);
		play_free(&p);
		return;
	}
	for (int way = 0; way < MODEL_TRANSLATION_COUNT; way++) {
		struct text error = {0};
		struct model_options mo = {.translation = (enum model_translation)way, .limit = work_seconds(t->building)};
		struct model *m = model_make(p.g, &mo, &error);
		made = clock_now();
		if (m) {
			t->compared += !way;
			walk(&p, m, name, t);
		} else {
			printf("\t%s: skipped, %s\n", name, text_str(&error));
		}
		if (getenv("MACAW_TEST_TIMES"))
			fprintf(stderr, "%-44s %7.3f s, then %6.3f s; %s\n", name, made - began, clock_now() - made,
			        m ? "" : text_str(&error));
		text_free(&error);
		model_free(m);
		began = clock_now();
	}
	play_free(&p);
}

static void report(const struct tally *t)
{
	printf("%zu games of %zu, %lu states (%lu terminal), %lu solutions\n", t->compared, t->seen,
	       (unsigned long)t->states, (unsigned long)t->terminals, (unsigned long)t->solutions);
}

static void own_games(void **state)
{
	(void)state;
	static char folder[4096];
	const char *source = getenv("MACAW_SOURCE");
	bool all = getenv("MACAW_TEST_ALL") || getenv("MACAW_TEST_GAME");
	struct tally t = {.seconds = all ? 0.5 : 0.2, .steps = 200, .stride = all ? 1 : 4, .building = all ? 60 : 5};
	snprintf(folder, sizeof folder, "%s/games", source ? source : ".");
	setenv("MACAW_CORPUS", folder, 1);
	assert_true(corpus_each("", compare_one, &t) > 0);
	unsetenv("MACAW_CORPUS");
	report(&t);
	if (!getenv("MACAW_TEST_GAME"))
		assert_true(t.compared * (test_sample() ? 40 : 2 * t.stride) >= t.seen && t.terminals > 0);
}

static void public_games(void **state)
{
	(void)state;
	bool all = getenv("MACAW_TEST_ALL");
	struct tally t = {.seconds = all ? 0.3 : 0.1, .steps = 60, .stride = all ? 1 : 19, .building = all ? 20 : 2};
	if (!corpus_each("", compare_one, &t))
		SKIP("no public rulesheets");
	report(&t);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(own_games),
		cmocka_unit_test(public_games),
	};
	return RUN(cases);
}

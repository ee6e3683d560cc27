/* Random games with chance: whatever translation, passes and method, the solutions of a round are the legal joint moves
 * with their successors, as an interpreter that knows nothing of networks has them. MACAW_TEST_SEED=n replays one
 * rulesheet, MACAW_TEST_COUNT=n tries the first n. */
#include "../game/play.h"
#include "../game/random_rules.h"
#include "work.h"

#include "base/hash.h"
#include "model/model.h"
#include "scsp/scsp.h"

#define STATES 12

/* The interpreter's side: its own numbers for fluents and moves, so both are compared as text. */
struct oracle {
	struct play p;
	VEC(uint64_t) hashes; /* of joint moves with their successors, sorted */
	bool terminal;
	int goals[8];
};

static int by_number(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

static uint64_t text_hash(struct text *t)
{
	uint64_t h = hash_bytes(text_str(t), t->n);
	text_free(t);
	return h;
}

/* A joint move with its successor, whatever the numbers. */
static uint64_t solution_hash(const struct game *g, const uint32_t *moves, const uint64_t *next)
{
	uint64_t h = 0, state = 0;
	for (uint32_t r = 0; r < g->roles; r++) {
		struct text t = {0};
		game_print_move(g, moves[r], &t);
		h = hash_join(h, text_hash(&t));
	}
	for (uint32_t f = 0; f < g->words * 64; f++)
		if (next[f / 64] >> f % 64 & 1) {
			struct text t = {0};
			game_print_fluent(g, f, &t);
			state += hash_mix(text_hash(&t));
		}
	return hash_join(h, state);
}

/* Brute force: every combination of legal moves. */
static void ask_oracle(struct oracle *o)
{
	struct game *g = o->p.g;
	struct view v = game_look(o->p.w, o->p.state);
	uint32_t start[9], at[8] = {0}, moves[8], legal[512], r = 0;
	vec_clear(&o->hashes);
	o->terminal = v.terminal;
	for (uint32_t i = 0; i < g->roles; i++)
		o->goals[i] = v.goals[i];
	for (uint32_t i = 0; i <= g->roles; i++)
		start[i] = v.start[i];
	assert_true(start[g->roles] <= 512);
	memcpy(legal, v.legal, start[g->roles] * sizeof *legal);
	for (uint32_t i = 0; i < g->roles; i++)
		if (start[i] == start[i + 1])
			return;
	while (!o->terminal) {
		uint64_t *next = NEW_ARRAY(uint64_t, g->words + 1);
		for (r = 0; r < g->roles; r++)
			moves[r] = legal[start[r] + at[r]];
		game_next(o->p.w, o->p.state, moves, next);
		vec_push(&o->hashes, solution_hash(g, moves, next));
		mem_free(next);
		for (r = g->roles; r > 0 && ++at[r - 1] == start[r] - start[r - 1]; r--)
			at[r - 1] = 0;
		if (!r)
			break;
	}
	if (o->hashes.n)
		qsort(o->hashes.at, o->hashes.n, sizeof *o->hashes.at, by_number);
}

static void compare(const struct oracle *o, const struct game *g, const struct model_round *r, const char *title,
                    const char *text)
{
	VEC(uint64_t) found = {0};
	if (r->terminal != o->terminal)
		fail_msg("%s: terminal is %d\n%s", title, r->terminal, text);
	for (uint32_t i = 0; i < g->roles && o->terminal; i++)
		if (r->goals[i] != o->goals[i])
			fail_msg("%s: role %u has score %d, not %d\n%s", title, i, r->goals[i], o->goals[i], text);
	for (size_t i = 0; i < r->count; i++)
		vec_push(&found, solution_hash(g, r->moves.at + i * g->roles, r->next.at + i * g->words));
	if (found.n)
		qsort(found.at, found.n, sizeof *found.at, by_number);
	if (found.n != o->hashes.n || (found.n && memcmp(found.at, o->hashes.at, found.n * sizeof *found.at)))
		fail_msg("%s: %zu solutions, %zu by brute force, or others\n%s", title, found.n, o->hashes.n, text);
	vec_free(&found);
}

#define SETTINGS (MODEL_TRANSLATION_COUNT * (SCSP_PASS_COUNT + 2))

struct setting {
	struct model *m;
	char title[80];
};

/* Both translations, without passes, with each of them, with all. */
static bool make_settings(struct setting *all, struct game *g, uint64_t seed)
{
	for (int i = 0; i < SETTINGS; i++) {
		int pass = i / MODEL_TRANSLATION_COUNT;
		struct text error = {0};
		struct model_options o = {.translation = (enum model_translation)(i % MODEL_TRANSLATION_COUNT),
		                          .passes = pass == SCSP_PASS_COUNT  ? 0
		                                    : pass > SCSP_PASS_COUNT ? (1u << SCSP_PASS_COUNT) - 1
		                                                             : 1u << pass,
		                          .limit = work_seconds(100)};
		all[i].m = model_make(g, &o, &error);
		snprintf(all[i].title, sizeof all[i].title, "rulesheet %lu, translation %d, passes %x", (unsigned long)seed,
		         (int)o.translation, o.passes);
		bool ok = all[i].m;
		if (!ok && !strstr(text_str(&error), "no moves") && !strstr(text_str(&error), "inconsistent"))
			fail_msg("%s: %s", all[i].title, text_str(&error));
		text_free(&error);
		if (!ok)
			return false; /* nobody can ever move: no game */
	}
	return true;
}

struct tally {
	uint32_t games, states;
	uint64_t solutions;
};

static void walk(struct oracle *o, struct game *g, struct worker *w, struct setting *all, struct rng *rng,
                 const char *text, struct tally *t)
{
	static const enum model_method methods[] = {MODEL_MAC, MODEL_FC, MODEL_MAC_ANEW, MODEL_MAC_SAC};
	uint64_t *state = NEW_ARRAY(uint64_t, g->words + 1);
	struct model_round r = {0};
	uint32_t moves[8], own[8];
	memcpy(state, g->initial, g->words * sizeof *state);
	for (int step = 0; step < STATES; step++) {
		ask_oracle(o);
		for (int i = 0; i < SETTINGS; i++)
			for (int k = 0; k < 4; k++) {
				if (o->hashes.n > 200 && methods[k] == MODEL_FC)
					continue;
				if (!model_solve(all[i].m, methods[k], state, &r)) {
					if (o->terminal || o->hashes.n)
						fail_msg("%s, method %d: no answer\n%s", all[i].title, k, text);
					continue;
				}
				compare(o, g, &r, all[i].title, text);
			}
		t->states++;
		t->solutions += o->hashes.n;
		struct view v = game_look(w, state);
		if (v.terminal || !game_random_move(g, &v, rng, moves))
			break;
		for (uint32_t q = 0; q < g->roles; q++) {
			struct text name = {0};
			game_print_move(g, moves[q], &name);
			own[q] = game_find_move(o->p.g, q, text_str(&name));
			text_free(&name);
		}
		game_next(w, state, moves, state);
		game_next(o->p.w, o->p.state, own, o->p.state);
	}
	model_round_free(&r);
	mem_free(state);
}

static void try_one(uint64_t seed, struct tally *t)
{
	struct text text = {0};
	struct setting all[SETTINGS] = {0};
	struct rng rng = rng_seed(seed);
	random_rules(&text, seed);
	if (strstr(text_str(&text), "(role random)")) {
		struct play p = play_try(text.at, text.n, &(struct game_options){.engine = ENGINE_CIRCUIT});
		struct oracle o = {.p = play_try(text.at, text.n, &(struct game_options){.engine = ENGINE_INTERPRETER})};
		if (p.g && p.g->engine == ENGINE_CIRCUIT && o.p.g && make_settings(all, p.g, seed)) {
			walk(&o, p.g, p.w, all, &rng, text.at, t);
			t->games++;
		}
		for (int i = 0; i < SETTINGS; i++)
			model_free(all[i].m);
		vec_free(&o.hashes);
		play_free(&p);
		play_free(&o.p);
	}
	text_free(&text);
}

static void random_games(void **state)
{
	const char *seed = getenv("MACAW_TEST_SEED"), *count = getenv("MACAW_TEST_COUNT");
	uint32_t wanted = count ? (uint32_t)atoi(count) : test_sample() ? 40 : 200;
	struct tally t = {0};
	(void)state;
	if (seed)
		try_one((uint64_t)atoll(seed), &t);
	for (uint64_t i = 1; !seed && t.games < wanted && i < 10000; i++)
		try_one(i, &t);
	printf("%u games, %u states, %lu solutions\n", t.games, t.states, (unsigned long)t.solutions);
	assert_true(seed || t.games == wanted);
}

int main(void)
{
	const struct CMUnitTest cases[] = {cmocka_unit_test(random_games)};
	return RUN(cases);
}

/* Many pairs of a state and a joint move at once say what one at a time says. */
#include "play.h"
#include "work.h"

#include "ground/ground.h"

#include "games.h"

#include "gdl/corpus.h"

struct batch {
	uint64_t *states;
	uint32_t *moves;
	size_t count;
};

/* Pairs met on random walks; or all of one state, some steps from the start. */
static struct batch collect(struct play *p, size_t count, bool one_state, uint64_t seed)
{
	const struct game *g = p->g;
	struct batch b = {NEW_ARRAY(uint64_t, count * g->words), NEW_ARRAY(uint32_t, count * g->roles), 0};
	struct rng rng = rng_seed(seed);
	SCRATCH(uint32_t, joint, g->roles + 1);
	play_restart(p);
	while (b.count < count) {
		struct view v = game_look(p->w, p->state);
		if (v.terminal || !game_random_move(g, &v, &rng, joint)) {
			play_restart(p);
			continue;
		}
		if (one_state && !b.count && rng_below(&rng, 4)) {
			game_next(p->w, p->state, joint, p->state);
			continue;
		}
		memcpy(b.states + b.count * g->words, p->state, g->words * sizeof *b.states);
		memcpy(b.moves + b.count * g->roles, joint, g->roles * sizeof *b.moves);
		b.count++;
		if (!one_state && rng_below(&rng, 3))
			game_next(p->w, p->state, joint, p->state);
	}
	return b;
}

static void check_legal(const struct game *g, const struct view *v, const uint64_t *legal)
{
	assert_int_equal(bits_count(legal, game_legal_words(g)), v->start[g->roles]);
	for (uint32_t k = 0; k < v->start[g->roles]; k++)
		assert_true(bits_has(legal, v->legal[k]));
}

static void check_pair(struct play *p, const struct batch *b, const struct expansion *e, size_t i)
{
	const struct game *g = p->g;
	uint32_t words = game_legal_words(g);
	game_next(p->w, b->states + i * g->words, b->moves + i * g->roles, p->state);
	if (e->next)
		assert_memory_equal(p->state, e->next + i * g->words, g->words * sizeof *p->state);
	struct view v = game_look(p->w, p->state);
	if (e->terminal)
		assert_int_equal(e->terminal[i], v.terminal);
	if (e->goals)
		assert_memory_equal(e->goals + i * g->roles, v.goals, g->roles * sizeof *v.goals);
	if (e->legal)
		check_legal(g, &v, e->legal + i * words);
	struct percepts seen = game_sees(p->w, b->states + i * g->words, b->moves + i * g->roles);
	for (uint32_t r = 0; r < g->roles && e->seen; r++)
		assert_true(e->seen[i * g->roles + r] ==
		            game_seen_hash(seen.seen + seen.start[r], seen.start[r + 1] - seen.start[r]));
}

#define ONE_STATE 32u

static void check_expand(struct play *p, size_t count, unsigned wanted, uint64_t seed)
{
	const struct game *g = p->g;
	struct batch b = collect(p, count, wanted & ONE_STATE, seed);
	size_t legal_size = count * game_legal_words(g) * sizeof(uint64_t), next_size = count * g->words * sizeof(uint64_t);
	struct expansion e = {.states = b.states, .moves = b.moves, .count = count, .one_state = wanted & ONE_STATE};
	/* rubbish that must be gone afterwards */
	if (wanted & 1)
		memset(e.next = mem_alloc(next_size, 1), 0xa5, next_size);
	if (wanted & 2)
		memset(e.terminal = mem_alloc(count, 1), 0xa5, count);
	if (wanted & 4)
		memset(e.goals = mem_alloc(count * g->roles, sizeof *e.goals), 0xa5, count * g->roles * sizeof *e.goals);
	if (wanted & 8)
		memset(e.legal = mem_alloc(legal_size, 1), 0xa5, legal_size);
	if (wanted & 16)
		memset(e.seen = mem_alloc(count * g->roles, sizeof *e.seen), 0xa5, count * g->roles * sizeof *e.seen);
	game_expand(p->w, &e);
	for (size_t i = 0; i < count; i++)
		check_pair(p, &b, &e, i);
	mem_free(e.next);
	mem_free(e.terminal);
	mem_free(e.goals);
	mem_free(e.legal);
	mem_free(e.seen);
	mem_free(b.states);
	mem_free(b.moves);
}

#define TWO_STATES "(role a) (legal a x) (legal a y) (goal a 3) (<= terminal (true t)) (<= (next t) (does a y))"
#define PEEK \
	"(role a) (role b) (init (p 1)) (<= (legal ?r (pick ?x)) (role ?r) (n ?x)) (n 1) (n 2) (n 3)" \
	"(<= (next (p ?x)) (does a (pick ?x))) (<= (sees b (got ?x)) (does a (pick ?x)))" \
	"(<= (sees a same) (does a (pick ?x)) (does b (pick ?x))) (<= (sees a (was ?x)) (true (p ?x)))" \
	"(<= terminal (true (p 3))) (goal a 0) (goal b 0)"
#define NO_STATE "(role a) (role b) (legal a x) (legal a y) (legal b z) (goal a 3)"

static void batches_say_the_same(void **state)
{
	static const char *const games[] = {TAKE, THROW, JOIN, TWO_STATES, NO_STATE, PEEK};
	static const size_t counts[] = {1, 2, 63, 64, 65, 128, 300};
	for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
		struct play p = play_make(games[i], ENGINE_CIRCUIT, false);
		for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
			for (unsigned wanted = 0; wanted < 2 * ONE_STATE; wanted++)
				check_expand(&p, counts[k], wanted, k);
		play_free(&p);
	}
}

static void so_does_the_interpreter(void **state)
{
	static const char *const games[] = {TAKE, THROW, NO_STATE, PEEK};
	for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
		struct play p = play_make(games[i], ENGINE_INTERPRETER, false);
		check_expand(&p, 70, 31, i);
		check_expand(&p, 3, 5, i);
		check_expand(&p, 70, 31 | ONE_STATE, i);
		play_free(&p);
	}
}

static void expand_public_game(const char *name, const struct text *t, void *context)
{
	int *seen = context;
	if (++*seen % (test_sample() ? 60 : 8))
		return;
	struct game_options o = {.engine = ENGINE_CIRCUIT, .limit = work_seconds(2)};
	struct play p = play_try(t->at, t->n, &o);
	if (p.g) {
		check_expand(&p, 150, 15, 1);
		check_expand(&p, 80, 15 | ONE_STATE, 2);
	}
	play_free(&p);
}

static void public_games_too(void **state)
{
	int seen = 0;
	if (!corpus_each("", expand_public_game, &seen))
		SKIP("no public rulesheets");
}

/* ---- names and hashes ------------------------------------------------------------------- */

static void names_are_found_again(void **state)
{
	for (int kind = 0; kind < 2; kind++) {
		struct play p = play_make(THROW, kind ? ENGINE_INTERPRETER : ENGINE_CIRCUIT, false);
		struct text t = {0};
		struct view v = game_look(p.w, p.state);
		for (uint32_t r = 0; r < p.g->roles; r++) {
			t.n = 0;
			game_print_role(p.g, r, &t);
			assert_int_equal(game_find_role(p.g, t.at), r);
			for (uint32_t i = v.start[r]; i < v.start[r + 1]; i++) {
				t.n = 0;
				game_print_move(p.g, v.legal[i], &t);
				assert_int_equal(game_find_move(p.g, r, t.at), v.legal[i]);
				assert_int_equal(game_role_of(p.g, v.legal[i]), r);
			}
		}
		BITS_EACH (f, p.state, p.g->fluents) {
			t.n = 0;
			game_print_fluent(p.g, (uint32_t)f, &t);
			assert_int_equal(game_find_fluent(p.g, t.at), f);
		}
		assert_int_equal(game_find_fluent(p.g, "  ( score   a 0 ) "), game_find_fluent(p.g, "(score a 0)"));
		assert_int_equal(game_find_fluent(p.g, "score(a, 0)"), game_find_fluent(p.g, "(score a 0)"));
		assert_int_equal(game_find_role(p.g, "nobody"), GAME_NONE);
		assert_int_equal(game_find_move(p.g, 0, "(((("), GAME_NONE);
		assert_int_equal(game_find_fluent(p.g, ""), GAME_NONE);
		assert_int_equal(p.g->random, 2);
		assert_true(p.g->hidden);
		text_free(&t);
		play_free(&p);
	}
	struct play p = play_make(THROW, ENGINE_CIRCUIT, false);
	assert_int_equal(game_find_fluent(p.g, "(score nobody 0)"), GAME_NONE);
	assert_int_equal(game_find_move(p.g, 0, "mid"), GAME_NONE); /* of another role */
	assert_int_not_equal(game_find_move(p.g, 1, "mid"), GAME_NONE);
	play_free(&p);
}

static void hashes_tell_states_apart(void **state)
{
	for (int kind = 0; kind < 2; kind++) {
		struct play p = play_make(JOIN, kind ? ENGINE_INTERPRETER : ENGINE_CIRCUIT, false);
		struct batch b = collect(&p, 60, false, 3);
		for (size_t i = 0; i < b.count; i++)
			for (size_t k = 0; k < i; k++) {
				const uint64_t *x = b.states + i * p.g->words, *y = b.states + k * p.g->words;
				bool same = !memcmp(x, y, p.g->words * sizeof *x);
				assert_int_equal(game_hash(p.g, x) == game_hash(p.g, y), same);
			}
		mem_free(b.states);
		mem_free(b.moves);
		play_free(&p);
	}
}

static void rules_without_roles(void **state)
{
	for (int engine = 0; engine < 3; engine++) {
		static const enum game_engine engines[] = {ENGINE_AUTO, ENGINE_CIRCUIT, ENGINE_INTERPRETER};
		struct game_options o = {.engine = engines[engine]};
		struct play p = play_try("(init a)", 8, &o);
		assert_null(p.g);
		assert_non_null(strstr(text_str(&p.why), "role"));
		play_free(&p);
	}
}

/* As many as may play, and one more. */
static void roles_are_bounded(void **state)
{
	for (size_t n = GROUND_MAX_ROLES; n <= GROUND_MAX_ROLES + 1; n++) {
		struct text t = {0};
		text_puts(&t, "(init s) (<= (legal ?r go) (role ?r)) (<= (next s) (true s)) (<= (goal ?r 50) (role ?r)) (<= "
		              "terminal (true s))");
		for (size_t i = 0; i < n; i++)
			text_printf(&t, "(role r%zu)", i);
		for (int engine = 0; engine < 3; engine++) {
			static const enum game_engine engines[] = {ENGINE_AUTO, ENGINE_CIRCUIT, ENGINE_INTERPRETER};
			struct play p = play_try(t.at, t.n, &(struct game_options){.engine = engines[engine]});
			assert_true(n <= GROUND_MAX_ROLES ? p.g && p.g->roles == n : !p.g);
			if (!p.g)
				assert_string_equal(text_str(&p.why), "there are 1001 roles; at most 1000 can play");
			play_free(&p);
		}
		text_free(&t);
	}
}

/* Too large to ground: the interpreter takes over and says why; when the circuit is
 * asked for, there is a message instead. */
static void engines_are_chosen(void **state)
{
	const char *rules =
		"(role r) (init (n 0)) (<= (legal r (go ?x)) (true (n ?x))) (<= (next (n ?x)) (does r ?x)) (goal r 5)";
	struct game_options o = {.memory = 1 << 20};
	struct play p = play_try(rules, strlen(rules), &o);
	assert_non_null(p.g);
	assert_int_equal(p.g->engine, ENGINE_INTERPRETER);
	assert_non_null(strstr(text_str(&p.g->why), "too large"));
	struct playout_result r;
	struct playout_job job = {.playouts = 5, .max_steps = 20};
	game_playouts(p.g, &job, &r);
	assert_int_equal(r.unfinished, 5);
	playout_result_free(&r);
	play_free(&p);
	o.engine = ENGINE_CIRCUIT;
	p = play_try(rules, strlen(rules), &o);
	assert_null(p.g);
	assert_non_null(strstr(text_str(&p.why), "too large"));
	play_free(&p);
	p = play_make(TAKE, ENGINE_AUTO, false);
	assert_int_equal(p.g->engine, ENGINE_CIRCUIT);
	assert_int_equal(p.g->why.n, 0);
	play_free(&p);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(batches_say_the_same),     cmocka_unit_test(so_does_the_interpreter),
		cmocka_unit_test(public_games_too),         cmocka_unit_test(names_are_found_again),
		cmocka_unit_test(hashes_tell_states_apart), cmocka_unit_test(rules_without_roles),
		cmocka_unit_test(roles_are_bounded),        cmocka_unit_test(engines_are_chosen),
	};
	return RUN(cases);
}

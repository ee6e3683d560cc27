/* What is claimed of every state, or of every k-th, holds on random walks; known
 * rotations are found. */
#include "game/play.h"
#include "work.h"

#include "game/games.h"

#include "base/clock.h"
#include "game/engine_internal.h"
#include "gdl/corpus.h"
#include "lanes/phases.h"

struct analysis {
	struct gdl_rules *rules;
	struct ground *ground;
	struct circuit circuit;
	struct phases phases;
	uint32_t constants;
};

static bool analyse(struct analysis *a, const char *text, size_t length, double seconds)
{
	struct diags d = {0};
	struct text error = {0};
	struct ground_options o = {.limit = work_seconds(seconds), .max_instances = 300000};
	memset(a, 0, sizeof *a);
	a->rules = gdl_read(text, length, &d);
	diag_free(&d);
	a->ground = ground_make(a->rules, &o, &error);
	text_free(&error);
	if (!a->ground)
		return false;
	circuit_make(&a->circuit, a->ground);
	a->constants = phases_find(&a->phases, &a->circuit, a->ground->moves.start.at, (uint32_t)a->ground->roles.n,
	                           a->ground->initial.at);
	return true;
}

static void analysis_free(struct analysis *a)
{
	if (a->ground) {
		phases_free(&a->phases);
		circuit_free(&a->circuit);
		ground_free(a->ground);
	}
	gdl_free(a->rules);
}

static uint32_t period_of(const char *text)
{
	struct analysis a;
	assert_true(analyse(&a, text, strlen(text), 60));
	uint32_t period = a.phases.period;
	analysis_free(&a);
	return period;
}

/* The claims against the interpreter, which knows nothing of them. */
struct witness {
	struct analysis *a;
	struct play p;
	struct rng rng;
	const char *name;
	VEC(uint32_t) fluent_numbers; /* by fluent of the interpreter */
};

static void check_known(struct witness *w, uint32_t step, const uint32_t *joint)
{
	const struct phases *ph = &w->a->phases;
	const struct circuit *c = &w->a->circuit;
	uint32_t k = step % ph->period;
	uint64_t *here = NEW_ARRAY(uint64_t, BITS_WORDS(c->fluents) + 1);
	BITS_EACH (f, w->p.state, w->p.g->fluents)
		bits_add(here, f);
	for (uint32_t f = 0; f < c->fluents; f++) {
		uint8_t known = ph->fluents[(size_t)k * c->fluents + f];
		if (known != OPEN && known != (bits_has(here, f) ? YES : NO))
			fail_msg("%s: step %u, fluent %u is not what was claimed", w->name, step, f);
	}
	for (uint32_t m = 0; joint && m < c->moves; m++) {
		uint8_t known = ph->moves[(size_t)k * c->moves + m];
		bool done = joint[game_role_of(w->p.g, m)] == m;
		if (known != OPEN && known != (done ? YES : NO))
			fail_msg("%s: step %u, move %u is not what was claimed", w->name, step, m);
	}
	mem_free(here);
}

/* Walks with the unspecialised circuit of the ground program, evaluated gate by gate. */
static void walk_claims(const char *name, const char *text, size_t length, struct analysis *a, uint32_t walks,
                        double seconds)
{
	struct game_options o = {.engine = ENGINE_CIRCUIT};
	struct witness w = {.a = a, .rng = rng_seed(31), .name = name};
	w.p = play_try(text, length, &o);
	struct limit limit = work_seconds(seconds);
	SCRATCH(uint32_t, joint, w.p.g->roles + 1);
	for (uint32_t i = 0; i < walks && !limit_reached(&limit); i++) {
		play_restart(&w.p);
		for (uint32_t step = 0; step < 500; step++) {
			struct view v = game_look(w.p.w, w.p.state);
			bool end = v.terminal || !game_random_move(w.p.g, &v, &w.rng, joint);
			check_known(&w, step, end ? NULL : joint);
			if (end)
				break;
			game_next(w.p.w, w.p.state, joint, w.p.state);
		}
	}
	play_free(&w.p);
}

static void rotations_of_small_games(void **state)
{
	assert_int_equal(period_of(TAKE), 2);
	assert_int_equal(period_of(JOIN), 2);
	assert_int_equal(period_of(THROW), 1);
	assert_int_equal(
		period_of("(role a) (init s) (legal a x) (legal a y) (<= (next s) (does a x)) (<= terminal (not (true s)))"),
		1);
}

/* Turns of three to eight players. */
static void rotations_of_many_players(void **state)
{
	for (uint32_t n = 2; n <= 8; n++) {
		struct text t = {0};
		text_puts(&t,
		          "(init (turn p0)) (<= (next (turn ?q)) (true (turn ?p)) (after ?p ?q)) (can 1) (can 2) (can 3)"
		          "(<= (legal ?p (m ?x)) (true (turn ?p)) (can ?x)) (<= (legal ?p no) (role ?p) (not (true (turn ?p))))"
		          "(<= (next (saw ?x)) (does ?p (m ?x))) (<= terminal (true (saw 1)) (true (saw 2)))");
		for (uint32_t i = 0; i < n; i++)
			text_printf(&t, "(role p%u) (after p%u p%u)", i, i, (i + 1) % n);
		assert_int_equal(period_of(t.at), n == 7 ? 1 : n);
		struct analysis a;
		assert_true(analyse(&a, t.at, t.n, 60));
		walk_claims("rotation", t.at, t.n, &a, 20, 5);
		analysis_free(&a);
		text_free(&t);
	}
}

static void constants_are_found(void **state)
{
	const char *rules =
		"(role r) (init wall) (init open) (<= (next wall) (true wall)) (<= (legal r x) (true wall)) (legal r y)"
		"(<= (next open) (does r x) (true open)) (<= (next ghost) (true ghost)) (<= (next gone) (true ghost))"
		"(<= terminal (not (true open)) (not (true gone)))";
	struct analysis a;
	assert_true(analyse(&a, rules, strlen(rules), 10));
	assert_int_equal(a.phases.period, 1);
	assert_true(a.constants >= 1); /* wall; ghost never was a fluent */
	walk_claims("constants", rules, strlen(rules), &a, 50, 5);
	analysis_free(&a);
}

/* A lock that random walks do not open: only the proof can see what is behind it.
 * Both roles read the same fluent, so one gate is the legality of several moves. */
static void behind_a_lock(void **state)
{
	struct text t = {0};
	const int deep = 14;
	text_puts(
		&t,
		"(role a) (role b) (init (lock 0)) (init quiet)"
		"(<= (next (lock ?n)) (true (lock ?m)) (key ?m ?n ?x) (does a ?x)) (<= (next (lock 0)) (does a ?x) (wrong ?x))"
		"(<= (wrong ?y) (true (lock ?m)) (key ?m ?n ?x) (digit ?y) (distinct ?x ?y))"
		"(<= (legal a ?x) (digit ?x) (true quiet)) (<= (legal b ?x) (digit ?x) (true quiet))"
		"(<= (legal ?r shout) (role ?r) (not (true quiet)))"
		"(<= (next quiet) (not last)) (<= (next heard) (does ?r shout)) (<= (next heard) (true heard))");
	for (int i = 0; i < 6; i++)
		text_printf(&t, "(digit %d)", i);
	for (int i = 0; i < deep; i++)
		text_printf(&t, "(key %d %d %d)", i, i + 1, i % 6);
	text_printf(&t, "(<= last (true (lock %d))) (<= terminal (true heard)) (<= (goal ?r 100) (role ?r) (true heard))",
	            deep);
	struct analysis a;
	assert_true(analyse(&a, t.at, t.n, 10));
	/* open the lock by hand and look */
	struct play p = play_make(t.at, ENGINE_CIRCUIT, false);
	struct witness w = {.a = &a, .p = p, .name = "lock"};
	uint32_t joint[2];
	for (int i = 0; i <= deep + 1; i++) {
		struct view v = game_look(p.w, p.state);
		assert_false(v.terminal);
		char digit[8];
		snprintf(digit, sizeof digit, "%d", i < deep ? i % 6 : 0);
		for (uint32_t r = 0; r < 2; r++) {
			joint[r] = game_find_move(p.g, r, i > deep ? "shout" : digit);
			assert_int_not_equal(joint[r], GAME_NONE);
			bool legal = false;
			for (uint32_t k = v.start[r]; k < v.start[r + 1]; k++)
				legal |= v.legal[k] == joint[r];
			if (!legal)
				fail_msg("step %d: role %u cannot move as the rules say", i, r);
		}
		check_known(&w, (uint32_t)i, joint);
		game_next(p.w, p.state, joint, p.state);
	}
	struct view v = game_look(p.w, p.state);
	assert_true(v.terminal);
	assert_int_equal(v.goals[0], 100);
	play_free(&p);
	analysis_free(&a);
	text_free(&t);
}

/* ---- public games --------------------------------------------------------------------- */

static const struct {
	const char *name;
	uint32_t period;
} known_rotations[] = {{"breakthrough.kif", 2}, {"connectFour.kif", 2}, {"pentago.kif", 4}, {"amazons_10x10.kif", 4},
                       {"roshambo2.kif", 1},    {"hanoi.kif", 1},       {"lightsOn.kif", 1}};
#define KNOWN (sizeof known_rotations / sizeof *known_rotations)

static void check_public(const char *name, const struct text *t, void *context)
{
	uint32_t *seen = context, wanted = 0;
	++*seen;
	for (size_t i = 0; i < KNOWN; i++)
		if (!strcmp(name, known_rotations[i].name))
			wanted = known_rotations[i].period;
	if (test_sample() ? !wanted || wanted == 4 : !wanted && *seen % 4)
		return;
	struct analysis a;
	if (analyse(&a, t->at, t->n, wanted ? 60 : 1)) {
		if (wanted)
			assert_int_equal(a.phases.period, wanted);
		walk_claims(name, t->at, t->n, &a, 8, 0.3);
	} else {
		assert_false(wanted != 0 && wanted != 4);
	}
	analysis_free(&a);
}

static void public_games(void **state)
{
	uint32_t seen = 0;
	if (!corpus_each("", check_public, &seen))
		SKIP("no public rulesheets");
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(rotations_of_small_games),
		cmocka_unit_test(rotations_of_many_players),
		cmocka_unit_test(constants_are_found),
		cmocka_unit_test(behind_a_lock),
		cmocka_unit_test(public_games),
	};
	return RUN(cases);
}

/* The stochastic game over beliefs: its beliefs against those that are told turn by
 * turn, its merging by hand, and games that have secrets and games that have none. */
#include "make_game.h"

#include "play/hidden/belief.h"
#include "play/hidden/public_belief.h"

struct walk {
	struct game *g;
	struct worker *w;
	struct rng rng;
	struct belief *belief;
	struct public_belief *shared;
	struct public_belief_point point;
	uint64_t *state;
	uint32_t role, step, compared;
};

static struct walk begin(struct game *g, uint32_t role, uint64_t seed)
{
	return (struct walk){.g = g,
	                     .w = worker_new(g),
	                     .rng = rng_seed(seed),
	                     .role = role,
	                     .shared = public_belief_new(g, role),
	                     .state = mem_zalloc(g->words, sizeof(uint64_t))};
}

static void end(struct walk *x)
{
	worker_free(x->w);
	if (x->shared)
		public_belief_free(x->shared);
	if (x->belief)
		belief_free(x->belief);
	mem_free(x->state);
}

static void tell(struct walk *x, uint32_t own, const uint32_t *seen, uint32_t seen_count)
{
	struct view v = game_look(x->w, x->state);
	uint32_t n = v.start[x->role + 1] - v.start[x->role];
	SCRATCH(uint32_t, legal, x->g->moves);
	memcpy(legal, v.legal + v.start[x->role], n * sizeof *legal);
	assert_true(belief_observe(
		x->belief, x->w, &x->rng,
		&(struct turn){
			.step = x->step, .own_last = own, .seen = seen, .seen_count = seen_count, .legal = legal, .legal_count = n},
		NULL));
}

static void start(struct walk *x)
{
	if (x->belief)
		belief_free(x->belief);
	x->belief = belief_new(x->g, x->role, &(struct belief_options){0});
	x->step = 0;
	memcpy(x->state, x->g->initial, x->g->words * sizeof *x->state);
	tell(x, GAME_NONE, NULL, 0);
	x->point = public_belief_at(x->shared, x->belief, 0);
}

/* This joint move; how often the way is said to be walked. False: the end. */
static bool go(struct walk *x, const uint32_t *joint, uint32_t times)
{
	uint32_t own = joint[x->role];
	struct percepts p = game_sees(x->w, x->state, joint);
	uint32_t n = p.start[x->role + 1] - p.start[x->role];
	SCRATCH(uint32_t, mine, n + 1);
	if (n)
		memcpy(mine, p.seen + p.start[x->role], n * sizeof *mine);
	game_next(x->w, x->state, joint, x->state);
	if (game_look(x->w, x->state).terminal)
		return false;
	struct public_belief_point from = x->point;
	for (uint32_t i = 0; i < times; i++)
		x->point = public_belief_after(x->shared, x->w, from, joint, game_seen_hash(mine, n));
	x->step++;
	if (times > 1)
		tell(x, own, mine, n);
	return true;
}

/* Random steps. The belief that was computed must be the one that was told: then both
 * stand at the same point. */
static void compare(struct walk *x, uint32_t steps)
{
	SCRATCH(uint32_t, joint, x->g->roles);
	start(x);
	while (x->step < steps) {
		struct view v = game_look(x->w, x->state);
		if (!game_random_move(x->g, &v, &x->rng, joint) || !go(x, joint, 400) || !belief_exact(x->belief))
			return;
		if (x->point.belief == PUBLIC_BELIEF_NONE)
			return; /* too large to compute */
		struct public_belief_point told = public_belief_at(x->shared, x->belief, 0);
		assert_int_equal(told.belief, x->point.belief);
		assert_true(told.key == x->point.key);
		x->compared++;
	}
}

static void computed_beliefs_are_those_told(void **state)
{
	static const struct {
		const char *game;
		uint32_t steps;
	} cases[] = {{"schnappt_hubi", 12},   {"pacman_gdl2", 4}, {"war", 12},
	             {"latent_tictactoe", 5}, {"wumpus", 10},     {"monty_hall", 4}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct made m = load_game_named(cases[i].game);
		struct walk x = begin(m.game, m.game->random == 0, i + 1);
		for (uint32_t k = 0; k < 5; k++)
			compare(&x, cases[i].steps);
		if (x.compared < 5)
			fail_msg("%s: only %u steps were compared", cases[i].game, x.compared);
		assert_true(public_belief_holds(x.shared));
		end(&x);
		free_made(&m);
	}
}

/* Whether many random walks meet no secret. */
static bool meets_none(const struct made *m)
{
	struct walk x = begin(m->game, m->game->random == 0, 1);
	SCRATCH(uint32_t, joint, m->game->roles);
	for (uint32_t k = 0; k < 60 && x.shared; k++) {
		start(&x);
		for (bool on = true; on && x.step < 60;) {
			struct view v = game_look(x.w, x.state);
			on = game_random_move(m->game, &v, &x.rng, joint) && go(&x, joint, 1);
		}
	}
	bool holds = x.shared && public_belief_holds(x.shared);
	end(&x);
	return holds;
}

/* Both see the same: everything, or only whether the faces are equal. */
static const char pennies[] = "(role a) (role b) (face h) (face t) (init start)"
							  "(<= (legal ?r (show ?f)) (role ?r) (face ?f))"
							  "(<= (next done) (true start)) (<= (next (shown ?r ?f)) (does ?r (show ?f)))"
							  "(<= (next over) (true done)) (<= terminal (true over)) (<= (goal ?r 50) (role ?r))";

static void secrets_are_met(void **state)
{
	static const struct {
		const char *game;
		bool holds;
	} cases[] = {{"schnappt_hubi", true},     {"pacman_gdl2", true}, {"war", true},
	             {"latent_tictactoe", true},  {"wumpus", true},      {"kuhn_poker", false},
	             {"phantom_tictactoe", false}};
	static const char *const sees[] = {"(<= (sees ?r (both ?f ?g)) (role ?r) (does a (show ?f)) (does b (show ?g)))",
	                                   "(<= (sees ?r equal) (role ?r) (does a (show ?f)) (does b (show ?f)))"};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct made m = load_game_named(cases[i].game);
		if (meets_none(&m) != cases[i].holds)
			fail_msg("%s: %s", cases[i].game, cases[i].holds ? "has no secrets" : "has secrets");
		free_made(&m);
	}
	for (size_t i = 0; i < 2; i++) {
		struct text rules = {0};
		text_printf(&rules, "%s%s", pennies, sees[i]);
		struct made m = make_game(text_str(&rules));
		assert_int_equal(meets_none(&m), i == 0);
		free_made(&m);
		text_free(&rules);
	}
}

/* Two coins under cups: to look under the left and then the right one, or the other way
 * round, is to know the same; to look under one only is not. */
static const char cups[] =
	"(role me) (role random) (side l) (side r) (face h) (face t) (init (phase 0))"
	"(succ 0 1) (succ 1 2) (succ 2 3)"
	"(<= (legal random (put ?a ?b)) (true (phase 0)) (face ?a) (face ?b))"
	"(<= (legal random noop) (not (true (phase 0)))) (<= (legal me noop) (true (phase 0)))"
	"(<= (legal me (look ?s)) (side ?s) (not (true (phase 0))))"
	"(<= (next (coin l ?a)) (does random (put ?a ?b))) (<= (next (coin r ?b)) (does random (put ?a ?b)))"
	"(<= (next (coin ?s ?f)) (true (coin ?s ?f)))"
	"(<= (next (phase ?m)) (true (phase ?n)) (succ ?n ?m))"
	"(<= (sees me (shows ?s ?f)) (does me (look ?s)) (true (coin ?s ?f)))"
	"(<= terminal (true (phase 3))) (goal me 50) (goal random 0)";

static uint32_t move_named(struct walk *x, uint32_t role, const char *name)
{
	struct view v = game_look(x->w, x->state);
	for (uint32_t i = v.start[role]; i < v.start[role + 1]; i++) {
		struct text t = {0};
		game_print_move(x->g, v.legal[i], &t);
		bool same = !strcmp(text_str(&t), name);
		text_free(&t);
		if (same)
			return v.legal[i];
	}
	fail_msg("no move %s", name);
	return 0;
}

static uint64_t key_after(struct walk *x, const char *coins, const char *look)
{
	uint32_t joint[2] = {0};
	start(x);
	joint[0] = move_named(x, 0, "noop");
	joint[1] = move_named(x, 1, coins);
	assert_true(go(x, joint, 2));
	joint[0] = move_named(x, 0, look);
	joint[1] = move_named(x, 1, "noop");
	assert_true(go(x, joint, 2));
	return x->point.key;
}

static void equal_beliefs_are_one(void **state)
{
	struct made m = make_game(cups);
	struct walk x = begin(m.game, 0, 1);
	uint64_t left = key_after(&x, "(put h t)", "(look l)");
	assert_int_equal(belief_count(x.belief), 2);
	assert_true(left == key_after(&x, "(put h h)", "(look l)")); /* not seen, not told apart */
	assert_true(left != key_after(&x, "(put t h)", "(look l)")); /* another face */
	assert_true(left != key_after(&x, "(put h t)", "(look r)"));
	assert_int_equal(public_belief_merged(x.shared), 0);
	end(&x);
	free_made(&m);
	m = load_game_named("wumpus");
	x = begin(m.game, m.game->random == 0, 1);
	uint32_t joint[2];
	uint64_t keys[2];
	for (uint32_t k = 0; k < 2; k++) { /* to grab nothing, or to walk against the wall: one */
		x.rng = rng_seed(3);
		start(&x);
		for (uint32_t i = 0; i < 4; i++) {
			struct view v = game_look(x.w, x.state);
			assert_true(game_random_move(x.g, &v, &x.rng, joint));
			assert_true(go(&x, joint, 400));
		}
		joint[1] = move_named(&x, 1, "noop");
		joint[0] = move_named(&x, 0, k ? "grab" : "(shoot south)");
		assert_true(go(&x, joint, 400));
		joint[0] = move_named(&x, 0, k ? "(shoot south)" : "grab");
		assert_true(go(&x, joint, 400));
		keys[k] = x.point.key;
	}
	assert_true(keys[0] == keys[1]);
	assert_true(public_belief_merged(x.shared) > 0);
	end(&x);
	free_made(&m);
}

/* A door may be tried until it opens, or one may sit: only to sit is idle, and not where
 * the clock brings a prize. */
static const char door[] =
	"(role me) (role random) (init shut) (init (time 0)) (tick 0 1) (tick 1 2) (tick 2 3)"
	"(legal me try) (legal me sit) (legal random yes) (legal random no)"
	"(<= opens (does me try) (does random yes)) (<= (next shut) (true shut) (not opens)) (<= (next open) opens)"
	"(<= (next open) (true open)) (<= (next (time ?m)) (true (time ?n)) (tick ?n ?m))"
	"(<= (sees me creak) opens) (<= terminal (true open)) (<= terminal (true (time 3))) (goal random 0)";

static bool idles(const char *goals, const char *own, const char *chance)
{
	struct text rules = {0};
	text_printf(&rules, "%s%s", door, goals);
	struct made m = make_game(text_str(&rules));
	struct walk x = begin(m.game, 0, 1);
	start(&x);
	uint32_t joint[2] = {move_named(&x, 0, own), move_named(&x, 1, chance)};
	assert_true(go(&x, joint, 2));
	bool idle = x.point.idle;
	end(&x);
	free_made(&m);
	text_free(&rules);
	return idle;
}

static void only_waiting_is_idle(void **state)
{
	const char *const open = "(<= (goal me 100) (true open)) (<= (goal me 0) (not (true open)))";
	const char *const shut = "(<= (goal me 100) (not (true open))) (<= (goal me 0) (true open))";
	assert_true(idles(open, "sit", "no"));
	assert_true(idles(open, "sit", "yes"));
	assert_false(idles(open, "try", "no"));
	assert_false(idles(shut, "sit", "no"));
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(computed_beliefs_are_those_told),
		cmocka_unit_test(secrets_are_met),
		cmocka_unit_test(equal_beliefs_are_one),
		cmocka_unit_test(only_waiting_is_idle),
	};
	return RUN(cases);
}

/* The moves that decisive and anti-decisive players allow themselves, read from their programs state by state,
 * against trying all moves and all answers. */
#include "play.h"

#include "../gdl/corpus.h"
#include "games.h"

#include "circuit/exclusive.h"
#include "game/engine_internal.h"

enum kind { LOSES, THREATENED, SAFE, WINS };

struct checker {
	struct play *p;
	struct circuit_engine *e;
	const char *title;
	enum playout_policy policy;
	const struct decisive_rollouts *rollouts;
	uint64_t *slots;
	uint32_t step;                     /* of the state of p */
	bool independent;                  /* roles that choose at once do so on boards of their own */
	uint32_t states, decided, blocked; /* states looked at; wins or losses seen in; threats seen in */
};

/* ---- by brute force ----------------------------------------------------------------------- */

static void extremes(const struct game *g, uint32_t role, int *most, int *least)
{
	const uint32_t *start = g->circuit->ground->goals.start.at;
	*most = 0;
	*least = 100;
	for (uint32_t i = start[role]; i < start[role + 1]; i++) {
		int v = g->circuit->goal_value[i];
		*most = v > *most ? v : *most;
		*least = v != GOAL_NONE && v < *least ? v : *least;
	}
	if (*most == *least)
		*most = *least = GOAL_NONE - 1; /* which nobody has */
}

/* A view that lasts. */
struct seen {
	bool terminal, odd; /* odd: a goal is not there, or a role has no move */
	VEC(uint32_t) legal, start;
	VEC(int) goals;
};

static struct seen look(struct checker *k, const uint64_t *state)
{
	uint32_t roles = k->p->g->roles;
	struct view v = game_look(k->p->w, state);
	struct seen s = {.terminal = v.terminal};
	for (uint32_t i = 0; i < v.start[roles]; i++)
		vec_push(&s.legal, v.legal[i]);
	for (uint32_t r = 0; r <= roles; r++)
		vec_push(&s.start, v.start[r]);
	for (uint32_t r = 0; r < roles; r++) {
		vec_push(&s.goals, v.goals[r]);
		s.odd |= v.terminal ? v.goals[r] == GOAL_NONE && r != k->p->g->random : v.start[r] == v.start[r + 1];
	}
	return s;
}

static void seen_free(struct seen *s)
{
	vec_free(&s->legal);
	vec_free(&s->start);
	vec_free(&s->goals);
}

static uint32_t choices(const struct seen *s, uint32_t role)
{
	return s->start.at[role + 1] - s->start.at[role];
}

static bool alone(const struct checker *k, const struct seen *s, uint32_t role)
{
	for (uint32_t r = 0; r < k->p->g->roles; r++)
		if (r != role && choices(s, r) > 1)
			return false;
	return true;
}

/* Roles that do not choose in this phase make no threats. */
static bool chooses(const struct checker *k, uint32_t step, uint32_t role)
{
	const struct phases *phases = &k->e->phases;
	const uint32_t *start = k->e->ground->moves.start.at;
	uint32_t open = 0;
	for (uint32_t m = start[role]; m < start[role + 1]; m++)
		open += phases->period < 2 || phases->moves[(size_t)(step % phases->period) * k->p->g->moves + m] == OPEN;
	return open > 1 && role != k->p->g->random;
}

/* A move of `other` that does not end the game whatever `mover` does, or its first one. */
static uint32_t quiet_move(struct checker *k, const struct seen *s, const uint64_t *state, uint32_t mover,
                           uint32_t other)
{
	uint64_t *next = NEW_ARRAY(uint64_t, k->p->g->words + 1);
	uint32_t found = s->legal.at[s->start.at[other]], joint[2];
	bool quiet = choices(s, other) == 1;
	assert_true(quiet || k->p->g->roles == 2);
	for (uint32_t i = s->start.at[other]; i < s->start.at[other + 1] && !quiet; i++)
		for (uint32_t m = s->start.at[mover]; m < s->start.at[mover + 1] && !quiet; m++) {
			joint[other] = s->legal.at[i];
			joint[mover] = s->legal.at[m];
			game_next(k->p->w, state, joint, next);
			quiet = !game_look(k->p->w, next).terminal;
			found = quiet ? joint[other] : found;
		}
	mem_free(next);
	return found;
}

static struct seen after(struct checker *k, const struct seen *s, const uint64_t *state, uint32_t move, uint64_t *next)
{
	uint32_t roles = k->p->g->roles, *joint = NEW_ARRAY(uint32_t, roles + 1), mover = game_role_of(k->p->g, move);
	for (uint32_t r = 0; r < roles; r++)
		joint[r] = r == mover ? move : quiet_move(k, s, state, mover, r);
	game_next(k->p->w, state, joint, next);
	mem_free(joint);
	return look(k, next);
}

/* Others choose too, in a rotation. Players look as if these did nothing, which no joint move does. */
static bool beside(const struct checker *k, const struct seen *s, uint32_t role)
{
	return k->e->phases.period > 1 && !alone(k, s, role);
}

/* Can `other` win at once, and not with the best of `role`? */
static bool threatens(struct checker *k, const struct seen *s, const uint64_t *state, uint32_t role, uint32_t other,
                      bool *odd)
{
	int most, least, ours;
	bool threat = false;
	uint64_t *next = NEW_ARRAY(uint64_t, k->p->g->words + 1);
	extremes(k->p->g, role, &ours, &least);
	extremes(k->p->g, other, &most, &least);
	for (uint32_t i = s->start.at[other]; i < s->start.at[other + 1]; i++) {
		struct seen then = after(k, s, state, s->legal.at[i], next);
		threat |= then.terminal && then.goals.at[other] == most && then.goals.at[role] != ours;
		*odd |= then.terminal && then.odd;
		seen_free(&then);
	}
	mem_free(next);
	return threat;
}

static enum kind kind_of(struct checker *k, const struct seen *s, uint32_t role, uint32_t move, bool *odd)
{
	int most, least;
	enum kind kind = SAFE;
	uint64_t *next = NEW_ARRAY(uint64_t, k->p->g->words + 1);
	struct seen then = after(k, s, k->p->state, move, next);
	extremes(k->p->g, role, &most, &least);
	*odd |= then.odd;
	if (then.terminal)
		kind = then.goals.at[role] == most ? WINS : then.goals.at[role] == least ? LOSES : SAFE;
	else
		for (uint32_t other = 0; other < k->p->g->roles && !*odd && k->policy == PLAYOUT_ANTI_DECISIVE; other++)
			if (other != role && chooses(k, k->step + 1, other) && beside(k, &then, other) && !k->independent)
				*odd = true;
			else if (other != role && chooses(k, k->step + 1, other) && (alone(k, &then, other) || k->independent) &&
			         threatens(k, &then, next, role, other, odd))
				kind = THREATENED;
	seen_free(&then);
	mem_free(next);
	return kind;
}

/* ---- by the program ----------------------------------------------------------------------- */

static void run_program(struct checker *k, const struct rollout *r)
{
	const struct lane_kernel *kernel = lanes_kernel(64, true);
	for (uint32_t f = 0; f < k->p->g->fluents; f++)
		k->slots[f] = bits_has(k->p->state, f) ? ~UINT64_C(0) : 0;
	kernel->run(r->program.code.at, r->program.code.at + r->program.second, k->slots);
}

static bool allows(const struct checker *k, const struct rollout *r, uint32_t role, uint32_t move)
{
	if (r->fixed[role] == move)
		return true;
	for (uint32_t i = r->first[role]; i < r->first[role + 1]; i++)
		if (r->moves[i] == move)
			return k->slots[r->base + i] & 1;
	return false;
}

static void compare(struct checker *k, const struct rollout *r, uint32_t role, uint32_t move, bool expected)
{
	if (allows(k, r, role, move) == expected)
		return;
	struct text t = {0};
	game_print_move(k->p->g, move, &t);
	fail_msg("%s: step %u, role %u, policy %d: %s must%s be allowed", k->title, k->step, role, k->policy, text_str(&t),
	         expected ? "" : " not");
}

static void check_role(struct checker *k, const struct rollout *r, const struct seen *s, uint32_t role)
{
	uint32_t n = choices(s, role), first = s->start.at[role];
	enum kind *kinds = NEW_ARRAY(enum kind, n + 1), best = LOSES, worst = WINS;
	bool sees = n > 1 && role != k->p->g->random && (alone(k, s, role) || k->independent);
	bool odd = !k->independent && n > 1 && role != k->p->g->random && beside(k, s, role);
	bool some = role == k->p->g->random;
	for (uint32_t i = 0; i < n; i++)
		some |= allows(k, r, role, s->legal.at[first + i]);
	assert_true(some);
	for (uint32_t i = 0; i < n && !odd; i++) {
		kinds[i] = sees ? kind_of(k, s, role, s->legal.at[first + i], &odd) : SAFE;
		best = kinds[i] > best ? kinds[i] : best;
		worst = kinds[i] < worst ? kinds[i] : worst;
	}
	for (uint32_t i = 0; i < n && !odd; i++)
		compare(k, r, role, s->legal.at[first + i], kinds[i] == best);
	k->decided += !odd && n && best != worst && (best == WINS || worst == LOSES);
	k->blocked += !odd && n && best == SAFE && worst == THREATENED;
	mem_free(kinds);
}

/* Of fluents that exclude one another at most one holds. */
static void check_exclusive(const struct checker *k)
{
	const uint32_t *group = k->e->exclusive, n = k->p->g->fluents;
	uint8_t *met = NEW_ARRAY(uint8_t, n + 1);
	for (uint32_t f = 0; f < n; f++)
		if (bits_has(k->p->state, f) && group[f] != EXCLUSIVE_NONE)
			assert_int_equal(met[group[f]]++, 0);
	mem_free(met);
}

static void check_state(struct checker *k)
{
	check_exclusive(k);
	uint32_t period = k->e->phases.period;
	const struct rollout *r = &k->rollouts->rollouts[period > 1 ? 1 + k->step % period : 0];
	struct seen s = look(k, k->p->state);
	if (r->moves && !s.odd) {
		run_program(k, r);
		for (uint32_t role = 0; role < k->p->g->roles; role++)
			check_role(k, r, &s, role);
		k->states++;
	}
	seen_free(&s);
}

/* ---- walks -------------------------------------------------------------------------------- */

static void walk(struct checker *k, struct rng *rng, uint32_t most)
{
	uint32_t *joint = NEW_ARRAY(uint32_t, k->p->g->roles + 1);
	play_restart(k->p);
	for (k->step = 0; k->step < most; k->step++) {
		struct view v = game_look(k->p->w, k->p->state);
		if (v.terminal || !game_random_move(k->p->g, &v, rng, joint))
			break;
		check_state(k);
		game_next(k->p->w, k->p->state, joint, k->p->state);
	}
	mem_free(joint);
}

/* Walks until enough states were seen; false: there are no such players in this game. */
static bool check_policy(struct checker *k, uint32_t states)
{
	struct rng rng = rng_seed(11);
	k->e = k->p->g->circuit;
	k->rollouts = circuit_decisive(k->e, k->policy);
	if (!k->rollouts)
		return false;
	k->slots = mem_align((size_t)k->rollouts->slots + 1, sizeof *k->slots);
	for (uint32_t i = 0; i < 50 && k->states < states; i++)
		walk(k, &rng, states);
	mem_free(k->slots);
	return true;
}

static void tell(const struct checker *k)
{
	printf("%-28s %4u states, %4u with wins or losses, %4u with threats; a step costs %.2f\n", k->title, k->states,
	       k->decided, k->blocked, k->rollouts->cost);
}

/* Both policies must be had in this game; returns in how many states the players could be seen to be such players. */
static uint32_t check_game(struct play p, const char *title, uint32_t states)
{
	struct checker wins = {.p = &p, .title = title, .policy = PLAYOUT_DECISIVE};
	struct checker threats = {.p = &p, .title = title, .policy = PLAYOUT_ANTI_DECISIVE};
	if (!check_policy(&wins, states / 4) || !check_policy(&threats, states))
		fail_msg("%s: no such players", title);
	tell(&threats);
	play_free(&p);
	return threats.decided + threats.blocked;
}

static void small_games(void **state)
{
	(void)state;
	assert_true(check_game(play_make(TAKE, ENGINE_CIRCUIT, true), "take", 100) > 30);
	check_game(play_make(THROW, ENGINE_CIRCUIT, true), "throw", 100); /* nobody is ever alone to choose */
}

static void games_of_the_library(void **state)
{
	(void)state;
	static const char *const names[] = {"connect_four", "breakthrough_6x6", "breakthrough_suicide", "knightthrough",
	                                    "pentago"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		assert_true(check_game(play_named(names[i]), names[i], test_sample() ? 60 : 200) > 10);
}

/* ---- public games ------------------------------------------------------------------------- */

static void check_public(const char *name, const struct text *t, void *data)
{
	static const char *const names[] = {"ticTacToe",
	                                    "connectFour",
	                                    "connectFourSuicide",
	                                    "connectFourSimultaneous",
	                                    "quarto",
	                                    "quartoSuicide",
	                                    "pentago",
	                                    "breakthrough",
	                                    "knightThrough",
	                                    "tictactoe_3d_small_2player",
	                                    "3pffa",
	                                    "nim3",
	                                    "cubicup_3player",
	                                    "blocker",
	                                    "ttcc4_2player",
	                                    "ttcc4",
	                                    "sum15",
	                                    "ticTacToeSerial",
	                                    "biddingTicTacToe",
	                                    "doubletoetictac"};
	uint32_t *seen = data;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		size_t n = strlen(names[i]);
		if (strncmp(name, names[i], n) || strcmp(name + n, ".kif"))
			continue;
		struct play p = play_make(t->at, ENGINE_CIRCUIT, true);
		for (uint32_t k = 0; k < DECISIVE_POLICIES; k++) {
			struct checker c = {.p = &p, .title = name, .policy = PLAYOUT_DECISIVE + k};
			c.independent = !strcmp(names[i], "connectFourSimultaneous");
			if (check_policy(&c, test_sample() ? 40 : 200))
				tell(&c);
			if (c.independent && !test_sample() && k)
				assert_true(c.decided > 5 && c.blocked > 5);
			*seen += c.blocked;
		}
		play_free(&p);
	}
}

static void public_games(void **state)
{
	(void)state;
	uint32_t seen = 0;
	if (!corpus_each("", check_public, &seen))
		SKIP("the public rulesheets are not here");
	assert_true(seen > 50);
}

/* ---- random games -------------------------------------------------------------------------- */

/* Two or three roles take cells until somebody has a line, in turn, at once, or again after some cells; they may take
 * them from one another, lines may win or lose, and chance may take part. */
static void random_game(struct text *t, uint64_t seed)
{
	struct rng rng = rng_seed(seed);
	static const char *const names[] = {"a", "b", "c"};
	uint32_t cells = 4 + rng_below(&rng, 4), roles = 2 + !rng_below(&rng, 3), lines = 3 + rng_below(&rng, 5);
	bool chance = roles == 3 && rng_below(&rng, 2), capture = !rng_below(&rng, 3), loses = !rng_below(&rng, 4);
	uint32_t again = !rng_below(&rng, 3) ? rng_below(&rng, cells) : cells, together = rng_below(&rng, 5);
	for (uint32_t r = 0; r < roles; r++) {
		const char *name = chance && r == 2 ? "random" : names[r], *next = names[(r + 1) % roles];
		text_printf(t, "(role %s) (after %s %s)", name, name, chance && r == 1 ? "random" : next);
	}
	for (uint32_t c = 0; c < cells; c++)
		text_printf(t, "(cell %u)", c);
	for (uint32_t i = 0; i < lines; i++) {
		uint32_t a = rng_below(&rng, cells), b = rng_below(&rng, cells), c = rng_below(&rng, cells);
		text_printf(t, "(line l%u %u %u %u)", i, a, b, rng_below(&rng, 2) ? b : c);
	}
	text_printf(t, "(again none) (again %u)", again); /* there may be no such cell */
	text_puts(t, "(init (turn a)) (<= (free ?c) (cell ?c) (not (taken ?c))) (<= (taken ?c) (true (own ?p ?c)))");
	text_printf(t, "(<= (legal ?p (take ?c)) (to_move ?p) (cell ?c) (%s))",
	            capture ? "not (true (own ?p ?c))" : "free ?c");
	text_puts(t, "(<= (legal ?p wait) (role ?p) (not (to_move ?p))) (<= (to_move ?p) (true (turn ?p)))");
	if (!together)
		text_puts(t, "(<= (to_move a) (true (turn b)) (free 0))");
	text_puts(
		t, "(<= (next (own ?p ?c)) (does ?p (take ?c)))"
		   "(<= (next (own ?p ?c)) (true (own ?p ?c)) (not (touched ?c))) (<= (touched ?c) (does ?p (take ?c)))"
		   "(<= stay (does ?p (take ?c)) (again ?c))"
		   "(<= (next (turn ?q)) (true (turn ?p)) (after ?p ?q) (not stay)) (<= (next (turn ?p)) (true (turn ?p)) stay)"
		   "(<= (lined ?p) (line ?l ?a ?b ?c) (true (own ?p ?a)) (true (own ?p ?b)) (true (own ?p ?c)))"
		   "(<= over (lined ?p)) (<= open (free ?c)) (<= terminal over) (<= terminal (not open))");
	text_puts(t, loses ? "(<= (won ?q) over (role ?q) (not (lined ?q)))" : "(<= (won ?p) (lined ?p))");
	text_puts(t, "(<= (goal ?p 100) (won ?p)) (<= (goal ?p 0) over (role ?p) (not (won ?p)))"
	             "(<= (goal ?p 50) (role ?p) (not over))");
}

static void random_games(void **state)
{
	(void)state;
	uint32_t count = test_sample() ? 60 : 300, with[DECISIVE_POLICIES] = {0}, states = 0, decided = 0, blocked = 0;
	for (uint64_t seed = 0; seed < count; seed++) {
		struct text t = {0};
		char title[64];
		snprintf(title, sizeof title, "random game %lu", (unsigned long)seed);
		random_game(&t, seed);
		struct play p = play_make(text_str(&t), ENGINE_CIRCUIT, true);
		for (uint32_t i = 0; i < DECISIVE_POLICIES; i++) {
			struct checker k = {.p = &p, .title = title, .policy = PLAYOUT_DECISIVE + i};
			with[i] += check_policy(&k, 40);
			states += k.states;
			decided += k.decided;
			blocked += k.blocked;
		}
		play_free(&p);
		text_free(&t);
	}
	printf("%u games, %u with wins, %u with threats: %u states, %u decided, %u blocked\n", count, with[0], with[1],
	       states, decided, blocked);
	assert_true(with[1] > count / 2 && decided > 10 * count && blocked > count);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(small_games),
		cmocka_unit_test(games_of_the_library),
		cmocka_unit_test(public_games),
		cmocka_unit_test(random_games),
	};
	return RUN(tests);
}

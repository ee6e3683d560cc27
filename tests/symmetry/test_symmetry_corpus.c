/* Symmetries of every rulesheet at hand: generators hold on states of their own, rules in
 * other words and another order have the same groups, and a clock that is nearly over is
 * respected.
 *
 * A sample of games/ and of the public rulesheets; MACAW_TEST_ALL=1 takes all of them,
 * MACAW_TEST_GAME=name one, and MACAW_TEST_TIMES=1 prints the seconds of each. */
#include "../game/play.h"
#include "../gdl/corpus.h"
#include "work.h"

#include "base/clock.h"
#include "base/hash.h"
#include "symmetry/round.h"

#include <ctype.h>
#include <math.h>
#include <strings.h>

struct tally {
	size_t seen, looked, trivial, skipped, generators, scrambled, late;
	uint32_t stride, states;
	double building, began, most; /* seconds: of one game; processor seconds of all, 0: no end */
};

/* Groups may be too large for a number: the logarithm of their order. */
static double order_of(const struct symmetry *s)
{
	return log10(s->mantissa) + s->exponent;
}

static double start_order(const struct symmetry *s)
{
	struct symmetry_group group;
	assert_true(symmetry_stabiliser(s, s->game->initial, NULL, 0, NULL, &group));
	double order = log10(group.mantissa) + group.exponent;
	symmetry_group_free(&group);
	return order;
}

/* ---- generators ----------------------------------------------------------------------- */

/* Some steps further in a random match, or from the start again. */
static void walk(struct play *p, struct rng *rng, uint32_t steps)
{
	uint32_t *moves = mem_alloc(p->g->roles + 1, sizeof *moves);
	for (; steps; steps--) {
		struct view v = game_look(p->w, p->state);
		if (v.terminal || !game_random_move(p->g, &v, rng, moves))
			play_restart(p);
		else
			game_next(p->w, p->state, moves, p->state);
	}
	mem_free(moves);
}

static void check_generators(const char *name, struct play *p, const struct symmetry *s, uint32_t states)
{
	struct rng rng = rng_seed(77);
	if (s->generators > 200) /* each for itself is cheap, but there may be many */
		states = 2;
	for (uint32_t i = 0; i < states && s->generators; i++) {
		for (size_t k = 0; k < s->generators; k++)
			if (!symmetry_check(s, p->w, symmetry_generator(s, k), p->state, 6, i))
				fail_msg("%s: generator %zu does not hold in state %u", name, k, i);
		walk(p, &rng, 1 + rng_below(&rng, 12));
	}
	/* what is written out need not be made of generators that were reported */
	for (size_t e = 1; e < s->element_count && e < 12; e++)
		if (!symmetry_check(s, p->w, s->elements.at + e * s->points, p->state, 6, e))
			fail_msg("%s: element %zu does not hold", name, e);
}

/* ---- other words, another order --------------------------------------------------------- */

static bool keyword(const char *s, size_t n)
{
	static const char *const words[] = {"role", "init",     "true", "does",   "next",  "legal",
	                                    "goal", "terminal", "sees", "base",   "input", "distinct",
	                                    "or",   "not",      "and",  "random", "<="};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strlen(words[i]) == n && !strncasecmp(words[i], s, n))
			return true;
	return false;
}

static bool is_number(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isdigit((unsigned char)s[i]))
			return false;
	return n > 0;
}

/* Calls back for every word and for what is between, comments left out. */
static void each_word(const char *s, void (*f)(void *context, const char *s, size_t n, bool word), void *context)
{
	while (*s) {
		size_t n = strcspn(s, " \t\r\n();");
		if (*s == ';')
			s += strcspn(s, "\r\n");
		else if (n)
			f(context, s, n, true);
		else
			f(context, s, n = 1, false);
		s += *s ? n : 0;
	}
}

struct renamer {
	struct text *out;
	int goal;      /* words to come in a goal: 2 its role, 1 its value */
	bool computed; /* some goal has no plain number: numbers may become values, and stay */
};

static void look_at_goals(void *context, const char *s, size_t n, bool word)
{
	struct renamer *r = context;
	if (!word)
		return;
	r->computed |= r->goal == 1 && !is_number(s, n);
	r->goal = n == 4 && !strncasecmp(s, "goal", 4) ? 2 : r->goal ? r->goal - 1 : 0;
}

static void rename_word(void *context, const char *s, size_t n, bool word)
{
	struct renamer *r = context;
	if (!word || keyword(s, n) || *s == '?' || (is_number(s, n) && (r->computed || r->goal == 1)))
		text_add(r->out, s, n);
	else
		text_printf(r->out, "w%llx", (unsigned long long)hash_bytes(s, n));
	if (word)
		r->goal = n == 4 && !strncasecmp(s, "goal", 4) ? 2 : r->goal ? r->goal - 1 : 0;
}

/* The end of a list or word. */
static const char *skip_term(const char *s)
{
	int depth = 0;
	do {
		if (depth || *s == '(' || *s == ')') {
			depth += *s == '(' ? 1 : *s == ')' ? -1 : 0;
			s++;
		} else {
			s += strcspn(s, " \t\r\n()");
		}
	} while (depth > 0 && *s);
	return s;
}

/* The clauses from the last to the first; roles keep their order, it is part of the game. */
static void reverse_clauses(const char *s, struct text *out)
{
	VEC(const char *) starts = {0};
	while (*(s += strspn(s, " \t\r\n"))) {
		vec_push(&starts, s);
		s = skip_term(s);
	}
	for (int role = 1; role >= 0; role--)
		for (size_t i = 0; i < starts.n; i++) {
			const char *c = starts.at[role ? i : starts.n - 1 - i], *word = c + (*c == '(');
			word += strspn(word, " \t\r\n");
			if ((strncasecmp(word, "role", 4) == 0 && strcspn(word, " \t\r\n()") == 4) == (role != 0)) {
				text_add(out, c, (size_t)(skip_term(c) - c));
				text_putc(out, '\n');
			}
		}
	vec_free(&starts);
}

/* Of the round that begins in the initial state; below 0: it is not known. */
static double round_order(struct game *g)
{
	struct limit limit = work_seconds(10);
	struct rounds *x = rounds_new(g, (size_t)1 << 19, &limit);
	struct worker *w = worker_new(g);
	struct symmetry *s = x ? round_symmetry(x, w, g->initial, &(struct round_options){.limit = limit}) : NULL;
	double order = s && !s->skipped ? order_of(s) : -1;
	symmetry_free(s);
	rounds_free(x);
	worker_free(w);
	return order;
}

static bool scrambled_has_the_same(const char *name, const struct text *text, const struct symmetry *s,
                                   const struct game_options *go)
{
	struct text renamed = {0}, scrambled = {0};
	struct renamer r = {.out = &renamed};
	each_word(text_str(text), look_at_goals, &r);
	r.goal = 0;
	each_word(text_str(text), rename_word, &r);
	reverse_clauses(text_str(&renamed), &scrambled);
	struct play p = play_try(scrambled.at, scrambled.n, go);
	bool compared = false;
	if (p.g) {
		struct symmetry *other = symmetry_find(p.g, &(struct symmetry_options){.limit = work_seconds(10)});
		compared = !other->skipped;
		if (compared &&
		    (fabs(order_of(other) - order_of(s)) > 1e-6 || fabs(start_order(other) - start_order(s)) > 1e-6))
			fail_msg("%s: orders 10^%g and 10^%g, scrambled 10^%g and 10^%g", name, order_of(s), start_order(s),
			         order_of(other), start_order(other));
		double here = compared ? round_order(s->game) : -1, there = compared ? round_order(p.g) : -1;
		if (here >= 0 && there >= 0 && fabs(here - there) > 1e-6)
			fail_msg("%s: round of order 10^%g, scrambled 10^%g", name, here, there);
		symmetry_free(other);
	}
	play_free(&p);
	text_free(&renamed);
	text_free(&scrambled);
	return compared;
}

/* ---- the clock ---------------------------------------------------------------------------- */

/* Processor time, so that a busy machine is no fault. */
static size_t late_answers(const char *name, struct play *p)
{
	size_t late = 0;
	static const double limits[] = {0.001, 0.02, 0.1};
	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
		double began = clock_thread(), allowed = 3 * limits[i] < 0.05 ? 0.05 : 3 * limits[i];
		struct symmetry *s =
			symmetry_find(p->g, &(struct symmetry_options){.limit = work_seconds(limits[i]), .checks = 8});
		double took = clock_thread() - began;
		if (getenv("MACAW_TEST_TIMES") && took > limits[i])
			fprintf(stderr, "%-44s %.3f s of %.3f (%s)\n", name, took, limits[i], s->skipped ? s->skipped : "found");
		if (took > allowed * (test_sample() ? 20 : 1)) {
			print_error("%s: %.3f seconds where there were %.3f\n", name, took, limits[i]);
			late++;
		}
		symmetry_free(s);
	}
	return late;
}

/* ---- all ------------------------------------------------------------------------------------ */

static void one_game(const char *name, const struct text *text, void *context)
{
	struct tally *t = context;
	const char *only = getenv("MACAW_TEST_GAME");
	t->seen++;
	if (only ? strncmp(only, name, strlen(only)) != 0 : t->seen % t->stride != 1 % t->stride)
		return;
	if (t->most > 0 && clock_thread() - t->began > t->most) {
		printf("\t%s: not looked at for want of time\n", name);
		return;
	}
	struct game_options go = {.engine = ENGINE_CIRCUIT, .limit = work_seconds(t->building)};
	struct play p = play_try(text->at, text->n, &go);
	if (!p.g) {
		printf("\t%s: skipped, does not ground in time\n", name);
		play_free(&p);
		return;
	}
	struct symmetry *s = symmetry_find(p.g, &(struct symmetry_options){.limit = work_seconds(10)});
	t->looked++;
	t->trivial += symmetry_trivial(s) && !s->skipped;
	t->generators += s->generators;
	if (s->skipped)
		printf("\t%s: skipped, %s\n", name, s->skipped);
	t->skipped += s->skipped != NULL;
	if (s->refuted)
		fail_msg("%s: %zu generators refuted", name, s->refuted);
	if (getenv("MACAW_TEST_TIMES"))
		fprintf(stderr, "%-44s %.3f s, order 10^%.2f\n", name, s->processor, order_of(s));
	check_generators(name, &p, s, t->states);
	t->late += late_answers(name, &p);
	go.limit = work_seconds(3 * t->building);
	if (!s->skipped)
		t->scrambled += scrambled_has_the_same(name, text, s, &go);
	symmetry_free(s);
	play_free(&p);
}

static void report(const struct tally *t)
{
	printf("%zu games of %zu: %zu skipped, %zu without symmetries, %zu generators hold, %zu scrambled have the same "
	       "groups\n",
	       t->looked, t->seen, t->skipped, t->trivial, t->generators, t->scrambled);
	assert_int_equal(t->late, 0);
}

static struct tally tally_of(uint32_t stride, double most)
{
	bool all = getenv("MACAW_TEST_ALL") || getenv("MACAW_TEST_GAME");
	return (struct tally){.stride = all             ? 1
	                                : test_sample() ? 4 * stride
	                                                : stride,
	                      .states = all ? 12 : 4,
	                      .building = all ? 60 : 2,
	                      .began = clock_thread(),
	                      .most = all ? 0 : most};
}

static void own_games(void **state)
{
	(void)state;
	static char folder[4096];
	const char *source = getenv("MACAW_SOURCE");
	struct tally t = tally_of(3, 6);
	snprintf(folder, sizeof folder, "%s/games", source ? source : ".");
	setenv("MACAW_CORPUS", folder, 1);
	assert_true(corpus_each("", one_game, &t) > 0);
	unsetenv("MACAW_CORPUS");
	report(&t);
	if (!getenv("MACAW_TEST_GAME"))
		assert_true(t.looked > 4 && t.scrambled > 3 && t.generators > 3);
}

static void public_games(void **state)
{
	(void)state;
	struct tally t = tally_of(16, 4);
	if (!corpus_each("", one_game, &t))
		SKIP("no public rulesheets");
	corpus_each("gdl2", one_game, &t);
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

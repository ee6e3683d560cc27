/* Derivations on random positions of every game: what the engine says holds has one, and a checker that knows only what
 * a rule is goes through it step by step; what does not hold has none, and each rule that could have given it is shown
 * with a condition that does not hold.
 *
 * MACAW_TEST_GAME=name picks one game. */
#include "../game/play.h"

#include "base/clock.h"
#include "base/hash.h"
#include "explain/derivation.h"
#include "explain/explainer.h"
#include "explain/failure.h"
#include "model.h"

#include <dirent.h>

enum { STATES = 4, EACH = 6, MODEL_WORK = 1000000 };

struct tally {
	size_t games, held, failed, steps, models, absent;
};

struct bench {
	struct play p;
	struct explainer *x;
	struct model model;
	const char *name;
	struct tally *t;
};

static term_t read(struct bench *b, const char *format, const char *first, const char *second)
{
	char text[4096];
	struct text error = {0};
	snprintf(text, sizeof text, format, first, second);
	term_t t = explainer_read(b->x, text, &error);
	if (t == TERM_NONE)
		fail_msg("%s: %s: %s", b->name, text, text_str(&error));
	text_free(&error);
	return t;
}

static const char *text_of(struct bench *b, term_t t)
{
	static char out[4096];
	struct text all = {0};
	explainer_print(b->x, t, &all);
	snprintf(out, sizeof out, "%s", text_str(&all));
	text_free(&all);
	return out;
}

/* ---- the checker: what a derivation is, and nothing of how it is found ---- */

struct names {
	sym_t at[256];
	uint32_t n;
};

static void list_variables(const struct gdl_rules *r, node_t n, struct names *names)
{
	const struct gdl_node *x = &r->nodes.at[n];
	uint32_t i = 0;
	while (x->variable && i < names->n && names->at[i] != x->name)
		i++;
	if (x->variable && i == names->n)
		names->at[names->n++] = x->name;
	for (uint32_t k = 0; k < x->argc; k++)
		list_variables(r, gdl_arg(r, n, k), names);
}

/* The node with these values. */
static term_t instance(struct bench *b, const struct names *names, const term_t *values, node_t n)
{
	const struct gdl_node x = b->p.rules->nodes.at[n];
	term_t args[64];
	for (uint32_t i = 0; x.variable && i < names->n; i++)
		if (names->at[i] == x.name)
			return values[i];
	assert_false(x.variable);
	for (uint32_t i = 0; i < x.argc; i++)
		args[i] = instance(b, names, values, gdl_arg(b->p.rules, n, i));
	return term_put(explainer_terms(b->x), x.name, x.argc, args);
}

struct step_check {
	struct bench *b;
	const struct derivation *d;
	const struct derived *step;
	struct names names;
	uint8_t *mark; /* by step: 1 on the way, 2 done */
};

static void check_step(struct bench *b, const struct derivation *d, uint32_t step, uint8_t *mark);

static bool is_used(const struct step_check *c, node_t n, bool negated)
{
	for (uint32_t i = 0; i < c->step->count; i++)
		if (c->d->literals.at[c->step->literals + i] == n * 2 + negated)
			return true;
	return false;
}

/* A condition is met by conditions that the step uses, and each of these is right. */
static bool is_met(struct step_check *c, node_t n)
{
	struct bench *b = c->b;
	const struct gdl_rules *r = b->p.rules;
	const struct gdl_node x = r->nodes.at[n];
	const term_t *values = c->d->values.at ? c->d->values.at + c->step->values : NULL;
	bool any = false, all = true;
	if (x.name == GDL_OR || x.name == GDL_AND) {
		for (uint32_t i = 0; i < x.argc; i++) {
			bool met = is_met(c, gdl_arg(r, n, i));
			any |= met;
			all &= met;
		}
		return x.name == GDL_OR ? any : all;
	}
	bool negated = x.name == GDL_NOT;
	node_t atom = negated ? gdl_arg(r, n, 0) : n;
	if (!is_used(c, atom, negated))
		return false;
	if (x.name == GDL_DISTINCT)
		return instance(b, &c->names, values, gdl_arg(r, n, 0)) != instance(b, &c->names, values, gdl_arg(r, n, 1));
	term_t t = instance(b, &c->names, values, atom);
	if (negated) {
		b->t->absent++;
		assert_false(b->model.whole && model_holds(&b->model, t));
		return true;
	}
	uint32_t next = derivation_of(c->d, t);
	assert_int_not_equal(next, TABLE_NONE);
	check_step(b, c->d, next, c->mark);
	return true;
}

static void check_step(struct bench *b, const struct derivation *d, uint32_t step, uint8_t *mark)
{
	const struct gdl_rules *r = b->p.rules;
	struct step_check c = {.b = b, .d = d, .step = &d->steps.at[step], .mark = mark};
	assert_int_not_equal(mark[step], 1); /* it would rest on itself */
	if (mark[step])
		return;
	mark[step] = 1;
	b->t->steps++;
	const struct term statement = explainer_terms(b->x)->all.at[c.step->statement];
	if (b->model.whole && !model_holds(&b->model, c.step->statement))
		fail_msg("%s: %s is derived and does not hold", b->name, text_of(b, c.step->statement));
	if (c.step->source != DERIVED_RULE) {
		assert_int_equal(statement.name, c.step->source == DERIVED_FLUENT ? GDL_TRUE : GDL_DOES);
		assert_true(model_holds(&b->model, c.step->statement)); /* given to the model, whole or not */
	} else {
		const struct gdl_clause *clause = &r->clauses.at[c.step->clause];
		list_variables(r, clause->head, &c.names);
		for (uint32_t i = 0; i < clause->count; i++)
			list_variables(r, r->kids.at[clause->body + i], &c.names);
		assert_int_equal(c.names.n, c.step->variables);
		const term_t *values = d->values.at ? d->values.at + c.step->values : NULL;
		assert_int_equal(instance(b, &c.names, values, clause->head), c.step->statement);
		for (uint32_t i = 0; i < clause->count; i++)
			if (!is_met(&c, r->kids.at[clause->body + i]))
				fail_msg("%s: a condition of %s is not met", b->name, text_of(b, c.step->statement));
	}
	mark[step] = 2;
}

/* ---- statements ---- */

static void expect_held(struct bench *b, term_t t)
{
	struct derivation d = {0};
	if (!derivation_find(b->x, t, &d))
		fail_msg("%s: %s has no derivation (%s)", b->name, text_of(b, t),
		         explainer_trouble(b->x) ? explainer_trouble(b->x) : "-");
	uint8_t *mark = NEW_ARRAY(uint8_t, d.steps.n + 1);
	assert_int_equal(d.steps.at[0].statement, t);
	check_step(b, &d, 0, mark);
	mem_free(mark);
	derivation_free(&d);
	b->t->held++;
}

static void expect_failed(struct bench *b, term_t t)
{
	struct derivation d = {0};
	struct failures f = {0};
	if (derivation_find(b->x, t, &d))
		fail_msg("%s: %s has a derivation", b->name, text_of(b, t));
	assert_null(explainer_trouble(b->x));
	failures_find(b->x, t, &f);
	for (size_t i = 0; i < f.all.n; i++) {
		const struct failure *one = &f.all.at[i];
		const struct gdl_node x = b->p.rules->nodes.at[one->failing];
		assert_true(one->met < one->conditions);
		if (x.name == GDL_OR || x.name == GDL_AND || x.name == GDL_DISTINCT)
			continue;
		bool negated = x.name == GDL_NOT;
		term_t s = failure_instance(b->x, &f, one, negated ? gdl_arg(b->p.rules, one->failing, 0) : one->failing);
		term_list held = {0};
		explainer_instances(b->x, s, &held);
		assert_int_equal(held.n > 0, negated);
		if (b->model.whole && !explainer_has_gaps(b->x, s))
			assert_int_equal(model_holds(&b->model, s), negated);
		vec_free(&held);
	}
	failures_free(&f);
	b->t->failed++;
}

/* ---- positions ---- */

static void expect(struct bench *b, term_t t, bool holds)
{
	if (holds)
		expect_held(b, t);
	else
		expect_failed(b, t);
}

/* Up to EACH of a kind that hold and as many that do not, picked at random. */
struct pick {
	size_t left[2];
};

static bool take(struct pick *p, bool holds, struct rng *rng)
{
	if (!p->left[holds] || rng_below(rng, 3))
		return false;
	p->left[holds]--;
	return true;
}

static const char *role_text(struct bench *b, uint32_t r, struct text *out)
{
	vec_clear(out);
	game_print_role(b->p.g, r, out);
	return text_str(out);
}

static void try_moves(struct bench *b, const struct view *v, struct rng *rng)
{
	const struct game *g = b->p.g;
	struct text role = {0}, move = {0};
	for (uint32_t r = 0; r < g->roles; r++) {
		struct pick pick = {{EACH, EACH}};
		uint32_t last = g->first_move[r + 1] - g->first_move[r];
		for (uint32_t i = 0; i < last && i < 200; i++) {
			uint32_t m = g->first_move[r] + (last > 200 ? (uint32_t)rng_below(rng, last) : i);
			bool legal = false;
			for (uint32_t k = v->start[r]; k < v->start[r + 1]; k++)
				legal |= v->legal[k] == m;
			if (!take(&pick, legal, rng))
				continue;
			vec_clear(&move);
			game_print_move(g, m, &move);
			expect(b, read(b, "(legal %s %s)", role_text(b, r, &role), text_str(&move)), legal);
		}
	}
	text_free(&role);
	text_free(&move);
}

static void try_goals(struct bench *b, const struct view *v)
{
	struct text role = {0};
	for (uint32_t r = 0; r < b->p.g->roles; r++) {
		char value[20];
		if (v->goals[r] == GOAL_NONE)
			continue;
		snprintf(value, sizeof value, "%d", v->goals[r]);
		expect_held(b, read(b, "(goal %s %s)", role_text(b, r, &role), value));
	}
	text_free(&role);
}

static void try_fluents(struct bench *b, const uint64_t *next, struct rng *rng)
{
	struct text f = {0};
	struct pick pick = {{EACH, EACH}};
	for (uint32_t i = 0; i < b->p.g->fluents; i++) {
		bool holds = bits_has(next, i);
		if (!take(&pick, holds, rng))
			continue;
		vec_clear(&f);
		game_print_fluent(b->p.g, i, &f);
		expect(b, read(b, "(next %s)%s", text_str(&f), ""), holds);
	}
	text_free(&f);
}

static void try_percepts(struct bench *b, const struct percepts *s)
{
	struct text role = {0}, percept = {0};
	for (uint32_t r = 0; r < b->p.g->roles; r++)
		for (uint32_t k = s->start[r]; k < s->start[r + 1] && k < s->start[r] + EACH; k++) {
			vec_clear(&percept);
			game_print_percept(b->p.g, s->seen[k], &percept);
			expect_held(b, read(b, "(sees %s %s)", role_text(b, r, &role), text_str(&percept)));
		}
	text_free(&role);
	text_free(&percept);
}

static void set_position(struct bench *b, const uint64_t *state, const uint32_t *moves)
{
	const struct game *g = b->p.g;
	struct text name = {0}, role = {0};
	term_list fluents = {0}, made = {0}, given = {0};
	BITS_EACH (f, state, g->fluents) {
		vec_clear(&name);
		game_print_fluent(g, (uint32_t)f, &name);
		vec_push(&fluents, read(b, "%s%s", text_str(&name), ""));
		vec_push(&given, read(b, "(true %s)%s", text_str(&name), ""));
	}
	for (uint32_t r = 0; moves && r < g->roles; r++) {
		vec_clear(&name);
		game_print_move(g, moves[r], &name);
		vec_push(&made, read(b, "%s%s", text_str(&name), ""));
		vec_push(&given, read(b, "(does %s %s)", role_text(b, r, &role), text_str(&name)));
	}
	explainer_set(b->x, fluents.at, fluents.n, moves ? made.at : NULL);
	model_free(&b->model);
	b->model = model_make(b->p.rules, explainer_terms(b->x), given.at, given.n, MODEL_WORK);
	b->t->models += b->model.whole;
	vec_free(&fluents);
	vec_free(&made);
	vec_free(&given);
	text_free(&name);
	text_free(&role);
}

/* Every statement of the model, also of relations that no engine is asked about. */
static void try_model(struct bench *b, struct rng *rng)
{
	for (size_t i = 0; b->model.whole && i < b->model.relations.n; i++) {
		size_t n = b->model.relations.at[i].facts.n;
		for (int k = 0; k < 2 && n; k++)
			expect_held(b, b->model.relations.at[i].facts.at[rng_below(rng, (uint32_t)n)]);
	}
}

static void look_at(struct bench *b, struct rng *rng, bool thoroughly)
{
	struct play *p = &b->p;
	uint32_t *moves = NEW_ARRAY(uint32_t, p->g->roles + 1);
	struct view v = game_look(p->w, p->state);
	bool terminal = v.terminal, goes_on = !terminal && game_random_move(p->g, &v, rng, moves);
	uint64_t *next = NEW_ARRAY(uint64_t, p->g->words);
	if (thoroughly || terminal) {
		set_position(b, p->state, NULL);
		v = game_look(p->w, p->state);
		expect(b, read(b, "terminal%s%s", "", ""), terminal);
		try_moves(b, &v, rng);
		v = game_look(p->w, p->state);
		try_goals(b, &v);
	}
	if (goes_on) {
		game_next(p->w, p->state, moves, next);
		if (thoroughly) {
			set_position(b, p->state, moves);
			try_fluents(b, next, rng);
			try_model(b, rng);
			struct percepts s = game_sees(p->w, p->state, moves);
			try_percepts(b, &s);
		}
		memcpy(p->state, next, p->g->words * sizeof *next);
	}
	mem_free(next);
	mem_free(moves);
}

static void try_game(const char *name, const struct text *source, struct tally *t)
{
	struct game_options o = {.engine = ENGINE_CIRCUIT, .plain = true};
	struct bench b = {.name = name, .t = t, .p = play_try(source->at, source->n, &o)};
	struct text error = {0};
	if (!b.p.g)
		fail_msg("%s: %s", name, text_str(&b.p.why));
	b.x = explainer_make(b.p.rules, (struct limit){0}, 0, &error);
	assert_non_null(b.x);
	struct rng rng = rng_seed(hash_bytes(name, strlen(name)));
	uint32_t every = 1 + (uint32_t)rng_below(&rng, 7);
	for (uint32_t step = 0, seen = 0; step < 60 && seen < STATES; step++) {
		seen += step % every == 0;
		look_at(&b, &rng, step % every == 0);
		if (game_look(b.p.w, b.p.state).terminal) {
			look_at(&b, &rng, false);
			break;
		}
	}
	t->games++;
	model_free(&b.model);
	explainer_free(b.x);
	play_free(&b.p);
	text_free(&error);
}

static int is_rulesheet(const struct dirent *e)
{
	const char *dot = strrchr(e->d_name, '.');
	return dot && !strcmp(dot, ".kif");
}

static void what_holds_is_derived_and_nothing_else(void **state)
{
	char folder[4096], path[8192];
	const char *source = getenv("MACAW_SOURCE"), *only = getenv("MACAW_TEST_GAME");
	struct tally t = {0};
	struct dirent **list;
	snprintf(folder, sizeof folder, "%s/games", source ? source : ".");
	int n = scandir(folder, &list, is_rulesheet, alphasort);
	assert_true(n > 50);
	for (int i = 0; i < n; i++) {
		struct text text = {0};
		bool wanted = only ? !strncmp(only, list[i]->d_name, strlen(only)) : !test_sample() || i % 6 == 0;
		snprintf(path, sizeof path, "%s/%s", folder, list[i]->d_name);
		struct tally before = t;
		double began = clock_now();
		if (wanted && text_read_file(&text, path, (size_t)1 << 24, NULL))
			try_game(list[i]->d_name, &text, &t);
		if (getenv("MACAW_TEST_TIMES") && wanted)
			fprintf(stderr, "%-34s %6.3f s %zu models\n", list[i]->d_name, clock_now() - began,
			        t.models - before.models);
		text_free(&text);
		free(list[i]);
	}
	free(list);
	printf(
		"%zu games: %zu statements derived in %zu steps with %zu absences, %zu without derivation; %zu whole models\n",
		t.games, t.held, t.steps, t.absent, t.failed, t.models);
	if (!only) {
		assert_true(t.held > 20 * t.games);
		assert_true(t.failed > 5 * t.games);
		assert_true(t.models > t.games);
	}
}

/* ---- recursion ---- */

/* A ring of five with a tail: everything reaches everything on the ring, so most instances lead back. */
static const char ring[] = "(role a) (legal a go) (init (at 1)) (<= (next (at ?y)) (true (at ?x)) (edge ?x ?y))"
						   "(edge 1 2) (edge 2 3) (edge 3 4) (edge 4 5) (edge 5 1) (edge 5 6)"
						   "(<= (way ?x ?y) (way ?x ?z) (way ?z ?y)) (<= (way ?x ?y) (edge ?x ?y))"
						   "(<= terminal (true (at 6))) (<= (goal a 100) (way 1 6))";

static void a_circle_is_no_reason(void **state)
{
	struct tally t = {0};
	struct game_options o = {.engine = ENGINE_CIRCUIT};
	struct bench b = {.name = "ring", .t = &t, .p = play_try(ring, sizeof ring - 1, &o)};
	struct text error = {0};
	b.x = explainer_make(b.p.rules, (struct limit){0}, 0, &error);
	set_position(&b, b.p.state, NULL);
	for (int x = 1; x <= 6; x++)
		for (int y = 1; y <= 6; y++) {
			char from[2] = {(char)('0' + x), 0}, to[2] = {(char)('0' + y), 0};
			expect(&b, read(&b, "(way %s %s)", from, to), x != 6);
		}
	assert_int_equal(t.held, 30);
	assert_int_equal(t.failed, 6);
	model_free(&b.model);
	explainer_free(b.x);
	play_free(&b.p);
	text_free(&error);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(what_holds_is_derived_and_nothing_else),
		cmocka_unit_test(a_circle_is_no_reason),
	};
	return RUN(cases);
}

/* The proofs of induction.h: one step as clauses (sat_frames.h), hypotheses switched on by assumptions. */
#include "analysis/induction.h"

#include "analysis/sat_frames.h"
#include "circuit/cone.h"

#include <limits.h>

#define CONFLICTS 2000   /* per query */
#define CONFLICT_WORK 40 /* and more in large formulas, which miss the cache */
#define POLL_WORK 4      /* the solver asks every ten decisions whether to go on */
#define SIMPLE 30        /* nodes of a cone that is always worth encoding */
#define LARGEST 1000000  /* gate inputs and moves of a circuit about which anything is proved */
#define PAIRWISE 5       /* members of a group that are excluded pair by pair */

struct prover {
	const struct circuit *c;
	struct sat_frames f;  /* one frame: the state before the step, and the moves made in it */
	struct cone cone;     /* scratch */
	int *act, *act_exact; /* by fact: its hypothesis is switched on */
	int *two, *none;      /* by fact: it is violated after the step */
	uint64_t work, most;
	const struct limit *limit;
};

static bool spent(const struct prover *p)
{
	return p->work > p->most || limit_reached(p->limit);
}

static int poll(void *prover)
{
	struct prover *p = prover;
	p->work += POLL_WORK;
	return spent(p);
}

static void learned(void *prover, int *clause)
{
	struct prover *p = prover;
	(void)clause;
	uint64_t size = p->c->inputs.n / 1000;
	p->work += CONFLICT_WORK + (uint64_t)p->f.vars / 300 + size * size / 8;
}

/* A literal of the circuit, with its clauses. */
static int written(struct prover *p, lit_t l)
{
	return sat_frames_get(&p->f, 0, l);
}

/* act -> at most one of x. A ladder: s says that one of those so far is true. */
static void at_most_one(struct prover *p, int act, const int *x, uint32_t n)
{
	int s = 0;
	if (n <= PAIRWISE) {
		for (uint32_t i = 0; i < n; i++)
			for (uint32_t j = 0; j < i; j++)
				SAT_FRAMES_CLAUSE(&p->f, -act, -x[i], -x[j]);
		return;
	}
	for (uint32_t i = 0; i < n; i++) {
		int t = sat_frames_fresh(&p->f);
		SAT_FRAMES_CLAUSE(&p->f, -act, -x[i], t);
		if (s) {
			SAT_FRAMES_CLAUSE(&p->f, -act, -s, t);
			SAT_FRAMES_CLAUSE(&p->f, -act, -x[i], -s);
		}
		s = t;
	}
}

/* A literal that implies: at least two of x. */
static int at_least_two(struct prover *p, const int *x, uint32_t n)
{
	VEC(int) any = {0};
	int q = sat_frames_fresh(&p->f), s = x[0];
	vec_push(&any, -q);
	for (uint32_t i = 1; i < n; i++) {
		int pair = sat_frames_fresh(&p->f), t = sat_frames_fresh(&p->f);
		SAT_FRAMES_CLAUSE(&p->f, -pair, x[i]);
		SAT_FRAMES_CLAUSE(&p->f, -pair, s);
		SAT_FRAMES_CLAUSE(&p->f, -t, x[i], s);
		vec_push(&any, pair);
		s = t;
	}
	sat_frames_clause(&p->f, any.n, any.at);
	vec_free(&any);
	return q;
}

static int none_of(struct prover *p, const int *x, uint32_t n)
{
	int q = sat_frames_fresh(&p->f);
	for (uint32_t i = 0; i < n; i++)
		SAT_FRAMES_CLAUSE(&p->f, -q, -x[i]);
	return q;
}

/* ---- hypotheses and questions --------------------------------------------------- */

static void suppose(struct prover *p, const struct fact *f, size_t at)
{
	int *x = mem_alloc(f->n + 1, sizeof *x);
	for (uint32_t i = 0; i < f->n; i++)
		x[i] = written(p, circuit_fluent(p->c, f->members[i]) * 2);
	p->act[at] = sat_frames_fresh(&p->f);
	p->act_exact[at] = sat_frames_fresh(&p->f);
	if (f->kind == FACT_NEVER)
		SAT_FRAMES_CLAUSE(&p->f, -p->act[at], -x[0]);
	else if (f->kind == FACT_ALWAYS)
		SAT_FRAMES_CLAUSE(&p->f, -p->act[at], x[0]);
	else
		at_most_one(p, p->act[at], x, f->n);
	if (f->kind == FACT_GROUP && f->exact) {
		x[f->n] = -p->act_exact[at];
		sat_frames_clause(&p->f, f->n + 1, x);
	}
	mem_free(x);
}

static void question(struct prover *p, const struct fact *f, size_t at)
{
	int *x = mem_alloc(f->n + 1, sizeof *x);
	for (uint32_t i = 0; i < f->n; i++)
		x[i] = written(p, p->c->next.at[f->members[i]]);
	if (f->kind == FACT_GROUP) {
		p->two[at] = at_least_two(p, x, f->n);
		p->none[at] = none_of(p, x, f->n);
	} else {
		p->two[at] = f->kind == FACT_NEVER ? x[0] : -x[0];
	}
	mem_free(x);
}

static void begin(struct prover *p, const struct circuit *c, size_t facts)
{
	/* Many short questions to one formula: what pays over minutes does not pay here. */
	static const char *const off[] = {"walk",     "lucky",     "probe",     "elim",    "subsume",
	                                  "vivify",   "ternary",   "decompose", "compact", "rephase",
	                                  "transred", "condition", "cover",     "block",   NULL};
	*p = (struct prover){.c = c};
	sat_frames_begin(&p->f, c, off);
	sat_frames_add(&p->f, 0);
	sat_frames_free_fluents(&p->f, 0);
	sat_frames_free_moves(&p->f, 0);
	sat_frames_free_loops(&p->f, 0);
	cone_begin(&p->cone, c);
	p->act = NEW_ARRAY(int, facts + 1);
	p->act_exact = NEW_ARRAY(int, facts + 1);
	p->two = NEW_ARRAY(int, facts + 1);
	p->none = NEW_ARRAY(int, facts + 1);
}

static void end(struct prover *p)
{
	sat_frames_free(&p->f);
	cone_free(&p->cone);
	mem_free(p->act);
	mem_free(p->act_exact);
	mem_free(p->two);
	mem_free(p->none);
}

static bool is_simple(struct prover *p, lit_t l)
{
	cone_clear(&p->cone);
	return cone_add_within(&p->cone, l, SIMPLE);
}

/* x implies what is simple in l: the conjuncts of it with a small cone. A weaker
 * premise than l, and most proofs need no more; whether a king is in check is a
 * long story. */
static void imply_simple(struct prover *p, int x, lit_t root)
{
	VEC(lit_t) stack = {0};
	vec_push(&stack, root);
	while (stack.n) {
		lit_t l = vec_pop(&stack);
		const struct gate *g = &p->c->gates.at[l / 2];
		if (g->kind == (l & 1 ? GATE_OR : GATE_AND)) {
			for (uint32_t i = 0; i < g->n; i++)
				vec_push(&stack, p->c->inputs.at[g->in + i] ^ (l & 1));
		} else if (is_simple(p, l)) {
			SAT_FRAMES_CLAUSE(&p->f, -x, written(p, l));
		}
	}
	vec_free(&stack);
}

/* Every role does exactly one move, and a legal one. */
static void encode_moves(struct prover *p, const uint32_t *first_move, uint32_t roles, bool simple)
{
	for (uint32_t r = 0; r < roles; r++) {
		uint32_t n = first_move[r + 1] - first_move[r];
		int *x = mem_alloc(n + 1, sizeof *x);
		for (uint32_t i = 0; i < n; i++) {
			uint32_t m = first_move[r] + i;
			x[i] = written(p, circuit_move(p->c, m) * 2);
			if (simple) {
				imply_simple(p, x[i], p->c->legal.at[m]);
				continue;
			}
			SAT_FRAMES_CLAUSE(&p->f, -x[i], written(p, p->c->legal.at[m]));
		}
		sat_frames_clause(&p->f, n, x);
		at_most_one(p, SAT_FRAMES_TRUE, x, n);
		mem_free(x);
	}
}

static int ask(struct prover *p, const struct fact *facts, size_t count, int what)
{
	for (size_t i = 0; i < count; i++) {
		if (facts[i].dead)
			continue;
		ccadical_assume(p->f.sat, p->act[i]);
		if (facts[i].exact)
			ccadical_assume(p->f.sat, p->act_exact[i]);
	}
	if (what)
		ccadical_assume(p->f.sat, what);
	ccadical_limit(p->f.sat, "conflicts", CONFLICTS);
	return ccadical_solve(p->f.sat);
}

/* ---- refutation ------------------------------------------------------------------ */

static bool holds_after(struct prover *p, uint32_t fluent)
{
	int l = written(p, p->c->next.at[fluent]);
	return (ccadical_val(p->f.sat, l < 0 ? -l : l) > 0) == (l > 0);
}

/* Without its member number k. */
static void lose(struct fact *f, uint32_t k)
{
	f->members[k] = f->members[--f->n];
	f->exact = false;
	f->dead = f->n < 2;
}

/* Holds the fact in the state that the solver has found? If not, weaken it. */
static bool weaken(struct prover *p, struct fact *f)
{
	uint32_t count = 0, last = 0;
	for (uint32_t i = 0; i < f->n; i++)
		if (holds_after(p, f->members[i])) {
			count++;
			last = i;
		}
	if (f->kind != FACT_GROUP)
		f->dead = f->kind == FACT_NEVER ? count > 0 : count == 0;
	else if (count > 1 && f->shrink)
		lose(f, last);
	else if (count > 1)
		f->dead = true;
	else if (count == 0 && f->exact)
		f->exact = false;
	else
		return false;
	return true;
}

static void give_up(struct fact *f, bool exact)
{
	if (exact)
		f->exact = false;
	else
		f->dead = true;
}

/* Weakens whatever the state that the solver has found violates. */
static void learn_from(struct prover *p, struct fact *facts, size_t count)
{
	/* Values are read before anything is added to the solver. */
	VEC(size_t) shrunk = {0};
	for (size_t i = 0; i < count; i++) {
		uint32_t n = facts[i].n;
		if (!facts[i].dead && weaken(p, &facts[i]) && !facts[i].dead && facts[i].n < n)
			vec_push(&shrunk, i);
	}
	for (size_t i = 0; i < shrunk.n; i++) {
		suppose(p, &facts[shrunk.at[i]], shrunk.at[i]);
		question(p, &facts[shrunk.at[i]], shrunk.at[i]);
	}
	vec_free(&shrunk);
}

/* One fact: true when something was weakened. */
static bool examine(struct prover *p, struct fact *facts, size_t count, size_t at, bool exact,
                    struct induction_result *r)
{
	struct fact *f = &facts[at];
	int answer = ask(p, facts, count, exact ? p->none[at] : p->two[at]);
	r->queries++;
	if (answer == 20)
		return false;
	if (answer != 10) {
		r->unknown++;
		give_up(f, exact);
		return true;
	}
	learn_from(p, facts, count);
	return true;
}

static void drop_all(struct fact *facts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		facts[i].dead = true;
}

/* Is any fact violated? All of them in one question, as long as the solver can
 * answer it; every counterexample weakens one at least. True: all are proved. */
static bool examine_all(struct prover *p, struct fact *facts, size_t count, struct induction_result *r)
{
	for (;;) {
		bool any = false;
		for (size_t i = 0; i < count; i++) {
			if (facts[i].dead)
				continue;
			any = true;
			ccadical_constrain(p->f.sat, p->two[i]);
			if (facts[i].exact)
				ccadical_constrain(p->f.sat, p->none[i]);
		}
		if (!any)
			return true;
		ccadical_constrain(p->f.sat, 0);
		int answer = ask(p, facts, count, 0);
		r->queries++;
		if (answer != 10)
			return answer == 20;
		learn_from(p, facts, count);
		if (spent(p))
			return false;
	}
}

/* One by one, round and round, until every fact has been proved since the last change. */
static void examine_each(struct prover *p, struct fact *facts, size_t count, struct induction_result *r)
{
	for (size_t at = 0, proved = 0; proved < count; at = (at + 1) % count) {
		bool changed = false;
		if (spent(p)) {
			drop_all(facts, count); /* nothing is proved before all is */
			return;
		}
		while (!facts[at].dead && examine(p, facts, count, at, false, r))
			changed = true;
		while (!facts[at].dead && facts[at].exact && examine(p, facts, count, at, true, r))
			changed = true;
		proved = changed ? 0 : proved + 1;
	}
}

struct induction_result induction_prove(const struct circuit *c, const uint32_t *first_move, uint32_t roles,
                                        struct fact *facts, size_t count, bool simple, uint64_t work,
                                        const struct limit *limit)
{
	struct induction_result r = {0};
	struct prover p;
	double start = clock_thread();
	if (c->inputs.n + c->moves > LARGEST || limit_reached(limit)) {
		drop_all(facts, count);
		return r;
	}
	begin(&p, c, count);
	p.most = work;
	p.limit = limit;
	ccadical_set_terminate(p.f.sat, &p, poll);
	ccadical_set_learn(p.f.sat, &p, INT_MAX, learned);
	encode_moves(&p, first_move, roles, simple);
	if (!simple)
		SAT_FRAMES_CLAUSE(&p.f, -written(&p, c->terminal));
	for (size_t i = 0; i < count && !spent(&p); i++) {
		suppose(&p, &facts[i], i);
		question(&p, &facts[i], i);
	}
	if (spent(&p))
		drop_all(facts, count);
	else if (!examine_all(&p, facts, count, &r))
		examine_each(&p, facts, count, &r);
	r.work = p.work;
	end(&p);
	r.seconds = clock_thread() - start;
	return r;
}

bool induction_exclusive(const struct circuit *c, const struct fact *facts, size_t count, const lit_t *lits, uint32_t n,
                         bool *exact)
{
	struct prover p;
	bool one = true;
	int *x = mem_alloc(n + 1, sizeof *x);
	begin(&p, c, count);
	SAT_FRAMES_CLAUSE(&p.f, written(&p, c->terminal));
	for (size_t i = 0; i < count; i++)
		suppose(&p, &facts[i], i);
	for (uint32_t i = 0; i < n; i++)
		x[i] = written(&p, lits[i]);
	if (n > 1)
		one = ask(&p, facts, count, at_least_two(&p, x, n)) == 20;
	*exact = one && n && ask(&p, facts, count, none_of(&p, x, n)) == 20;
	end(&p);
	mem_free(x);
	return one;
}
